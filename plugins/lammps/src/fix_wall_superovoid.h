// fix wall/superovoid: half-spaces that are solid and triangle meshes, at rest or in motion, by the law of pair_style
// superovoid.

#ifndef LMP_FIX_WALL_SUPEROVOID_H
#define LMP_FIX_WALL_SUPEROVOID_H

#include "fix.h"
#include "mesh_grid.h"
#include "superovoid.h"

#include <array>
#include <vector>

namespace LAMMPS_NS {

class FixWallSuperovoid : public Fix {
 public:
  FixWallSuperovoid(class LAMMPS *, int, char **);
  ~FixWallSuperovoid() override;
  int setmask() override;
  void init() override;
  void setup(int) override;
  void post_force(int) override;
  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;
  double compute_scalar() override;
  double compute_vector(int) override;

 private:
  // A wall: a half-space n.x <= offset that is solid, or the triangles of a mesh.
  struct Wall {
    sovo_tri_mesh *mesh = nullptr;    // null: a half-space
    std::vector<double> corners;
    superovoid::MeshGrid grid;    // of this mesh, for the largest body
    sovo_pose pose = {};          // of this mesh, in this step
    double normal[3] = {}, offset = 0.0;
    double velocity[3] = {};
    double center[3] = {}, turning[3] = {};    // of meshes: a point of the axis at step 0, angular velocity
  };
  std::vector<Wall> walls;
  std::vector<std::vector<std::array<double, 3>>> springs;    // by atom and wall
  double mine[4] = {};                                        // force on the walls, energy of the springs
  class PairSuperovoid *pair = nullptr;

  int read_wall(int at, int narg, char **arg);
  bool contact(int i, const Wall &, double time, sovo_contact &) const;
  void touch(int i, int wall, double time);
  sovo_pose pose(const Wall &, double time) const;
  void velocity(const Wall &, double time, const double *point, double *out) const;
};

}    // namespace LAMMPS_NS

#endif
