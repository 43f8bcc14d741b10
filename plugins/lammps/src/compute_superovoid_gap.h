// compute superovoid/gap: the least gap, the deepest overlap, and what was left open, of all close pairs.

#ifndef LMP_COMPUTE_SUPEROVOID_GAP_H
#define LMP_COMPUTE_SUPEROVOID_GAP_H

#include "compute.h"

namespace LAMMPS_NS {

class ComputeSuperovoidGap : public Compute {
 public:
  ComputeSuperovoidGap(class LAMMPS *, int, char **);
  ~ComputeSuperovoidGap() override;
  void init() override;
  void compute_vector() override;

 private:
  class PairSuperovoid *pair = nullptr;
};

}    // namespace LAMMPS_NS

#endif
