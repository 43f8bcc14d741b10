// Reads an SDF file with Gazebo's parser and prints what it means, one thing a line, separated by tabs.

#include <sdf/sdf.hh>

#include <cstdio>
#include <string>

static void print(const ignition::math::Pose3d& pose)
{
    std::printf("\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g", pose.Pos().X(), pose.Pos().Y(), pose.Pos().Z(),
                pose.Rot().X(), pose.Rot().Y(), pose.Rot().Z(), pose.Rot().W());
}

template <class Part>
static void print_part(const char* what, const std::string& link, const Part& part)
{
    ignition::math::Pose3d pose;
    const bool failed = !part.SemanticPose().Resolve(pose, link).empty();
    const auto* mesh = part.Geom()->MeshShape();
    std::printf("%s\t%s\t%s\t%d\t%s", failed ? "error" : what, link.c_str(), part.Name().c_str(),
                static_cast<int>(part.Geom()->Type()), mesh ? mesh->Uri().c_str() : "");
    print(pose);
    std::printf("\n");
}

int main(int argc, char** argv)
{
    sdf::Root root;
    for (const auto& error : root.Load(argv[argc - 1])) {
        std::printf("error\t%s\n", error.Message().c_str());
    }
    const auto* model = root.Model();
    if (!model) {
        return 1;
    }
    for (uint64_t i = 0; i < model->LinkCount(); ++i) {
        const auto& link = *model->LinkByIndex(i);
        const auto& inertial = link.Inertial();
        const auto& mass = inertial.MassMatrix();
        ignition::math::Pose3d pose;
        const bool failed = !link.SemanticPose().Resolve(pose, "__model__").empty();
        std::printf("%s\t%s\t%.17g", failed ? "error" : "link", link.Name().c_str(), mass.Mass());
        print(pose);
        print(inertial.Pose());
        const auto moments = inertial.Moi();
        std::printf("\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", moments(0, 0), moments(0, 1), moments(0, 2),
                    moments(1, 1), moments(1, 2), moments(2, 2));
        for (uint64_t k = 0; k < link.VisualCount(); ++k) {
            print_part("visual", link.Name(), *link.VisualByIndex(k));
        }
        for (uint64_t k = 0; k < link.CollisionCount(); ++k) {
            print_part("collision", link.Name(), *link.CollisionByIndex(k));
        }
    }
    for (uint64_t i = 0; i < model->FrameCount(); ++i) {
        const auto& frame = *model->FrameByIndex(i);
        std::string body;
        ignition::math::Pose3d pose;
        const bool failed = !frame.ResolveAttachedToBody(body).empty() || !frame.SemanticPose().Resolve(pose, body).empty();
        std::printf("%s\t%s\t%s", failed ? "error" : "frame", frame.Name().c_str(), body.c_str());
        print(pose);
        std::printf("\n");
    }
    for (uint64_t i = 0; i < model->JointCount(); ++i) {
        const auto& joint = *model->JointByIndex(i);
        std::string parent, child;
        ignition::math::Pose3d at, rest;
        bool failed = !joint.ResolveParentLink(parent).empty() || !joint.ResolveChildLink(child).empty();
        // The joint in its parent, and the child in the joint.
        failed |= !joint.SemanticPose().Resolve(at, parent == "world" ? "__model__" : parent).empty();
        failed |= !model->LinkByName(child)->SemanticPose().Resolve(rest, joint.Name()).empty();
        std::printf("%s\t%s\t%d\t%s\t%s", failed ? "error" : "joint", joint.Name().c_str(), static_cast<int>(joint.Type()),
                    parent.c_str(), child.c_str());
        print(at);
        print(rest);
        if (const auto* axis = joint.Axis(0)) {
            ignition::math::Vector3d xyz;
            if (!axis->ResolveXyz(xyz, joint.Name()).empty()) {
                std::printf("\nerror");
            }
            std::printf("\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g", xyz.X(), xyz.Y(), xyz.Z(),
                        axis->Lower(), axis->Upper(), axis->Effort(), axis->MaxVelocity(), axis->Damping(),
                        axis->Friction());
        }
        std::printf("\n");
    }
    return 0;
}
