// Reads a URDF file with urdfdom and prints its links and joints, one a line, separated by tabs.

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <cstdio>

static const char* name_of(int type)
{
    switch (type) {
    case urdf::Joint::REVOLUTE: return "revolute";
    case urdf::Joint::CONTINUOUS: return "continuous";
    case urdf::Joint::PRISMATIC: return "prismatic";
    case urdf::Joint::FLOATING: return "floating";
    case urdf::Joint::PLANAR: return "planar";
    case urdf::Joint::FIXED: return "fixed";
    default: return "unknown";
    }
}

int main(int argc, char** argv)
{
    if (argc != 2) {
        return 2;
    }
    const auto model = urdf::parseURDFFile(argv[1]);
    if (!model) {
        return 1;
    }
    for (const auto& [name, link] : model->links_) {
        std::printf("link\t%s\n", name.c_str());
    }
    for (const auto& [name, joint] : model->joints_) {
        const auto& pose = joint->parent_to_joint_origin_transform;
        double x, y, z, w;
        pose.rotation.getQuaternion(x, y, z, w);
        const auto& limits = joint->limits;
        const auto& mimic = joint->mimic;
        std::printf("joint\t%s\t%s\t%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g"
                    "\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%s\t%.17g\t%.17g\n",
                    name.c_str(), name_of(joint->type), joint->parent_link_name.c_str(),
                    joint->child_link_name.c_str(), pose.position.x, pose.position.y,
                    pose.position.z, x, y, z, w, joint->axis.x, joint->axis.y, joint->axis.z,
                    limits ? limits->lower : 0.0, limits ? limits->upper : 0.0,
                    mimic ? mimic->joint_name.c_str() : "", mimic ? mimic->multiplier : 0.0,
                    mimic ? mimic->offset : 0.0);
    }
    return 0;
}
