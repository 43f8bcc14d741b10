// fix wall/superovoid: half-spaces that are solid, by the law of pair_style superovoid.

#ifndef LMP_FIX_WALL_SUPEROVOID_H
#define LMP_FIX_WALL_SUPEROVOID_H

#include "fix.h"

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
  double compute_scalar() override;
  double compute_vector(int) override;

 private:
  // n.x = offset moves with a velocity; what is behind it is solid.
  struct Plane {
    double normal[3], offset, velocity[3];
  };
  std::vector<Plane> planes;
  std::vector<std::vector<std::array<double, 3>>> springs;    // by atom and plane
  double mine[4] = {};                                        // force on the walls, energy of the springs
  class PairSuperovoid *pair = nullptr;

  void touch(int i, int plane, double time);
};

}    // namespace LAMMPS_NS

#endif
