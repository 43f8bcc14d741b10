// Reads a URDF file with urdfdom and prints the meshes of its visuals, one a line, separated by tabs.

#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <cstdio>

int main(int, char** argv)
{
    const auto model = urdf::parseURDFFile(argv[1]);
    if (!model) {
        return 1;
    }
    for (const auto& [name, link] : model->links_) {
        for (const auto& visual : link->visual_array) {
            if (const auto mesh = std::dynamic_pointer_cast<urdf::Mesh>(visual->geometry)) {
                const auto& at = visual->origin;
                double x, y, z, w;
                at.rotation.getQuaternion(x, y, z, w);
                std::printf("%s\t%s\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", name.c_str(),
                            mesh->filename.c_str(), at.position.x, at.position.y, at.position.z, x, y, z, w);
            }
        }
    }
    return 0;
}
