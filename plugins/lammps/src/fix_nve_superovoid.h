// fix nve/superovoid: positions of centres of mass and orientations, with the true inertia of the shapes.

#ifndef LMP_FIX_NVE_SUPEROVOID_H
#define LMP_FIX_NVE_SUPEROVOID_H

#include "fix.h"

namespace LAMMPS_NS {

class FixNVESuperovoid : public Fix {
 public:
  FixNVESuperovoid(class LAMMPS *, int, char **);
  int setmask() override;
  void init() override;
  void set_arrays(int) override;
  void initial_integrate(int) override;
  void final_integrate() override;
  void reset_dt() override;
  double compute_scalar() override;

 private:
  double density;    // 0: the masses stay as they are
  double dtv, dtf;
  class PairSuperovoid *pair = nullptr;

  void kick(int, double *momentum) const;
  double inertia(int i, double *out) const;
};

}    // namespace LAMMPS_NS

#endif
