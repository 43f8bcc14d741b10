#include "compute_superovoid_gap.h"

#include "error.h"
#include "force.h"
#include "pair_superovoid.h"
#include "update.h"

using namespace LAMMPS_NS;

// compute ID all superovoid/gap
ComputeSuperovoidGap::ComputeSuperovoidGap(LAMMPS *lmp, int narg, char **arg) : Compute(lmp, narg, arg)
{
  if (narg != 3) error->all(FLERR, "compute superovoid/gap has no arguments, and '{}' is one", arg[3]);
  if (igroup != 0) error->all(FLERR, "compute superovoid/gap is of group 'all'");
  vector_flag = 1;
  size_vector = 3;
  extvector = 0;
  vector = new double[size_vector];
}

ComputeSuperovoidGap::~ComputeSuperovoidGap()
{
  delete[] vector;
}

void ComputeSuperovoidGap::init()
{
  pair = dynamic_cast<PairSuperovoid *>(force->pair_match("superovoid", 1));
  if (!pair) error->all(FLERR, "compute superovoid/gap asks pair_style superovoid, which is not there");
}

// 1: the gap that is proven for every pair whose spheres overlap and which is apart, the least of them; infinity if there is
// none. 2: the depth of the deepest overlap, 0 if there is none. 3: the pairs of which neither is proven.
void ComputeSuperovoidGap::compute_vector()
{
  invoked_vector = update->ntimestep;
  const PairSuperovoid::Gaps mine = pair->gaps();
  MPI_Allreduce(&mine.least, &vector[0], 1, MPI_DOUBLE, MPI_MIN, world);
  MPI_Allreduce(&mine.deepest, &vector[1], 1, MPI_DOUBLE, MPI_MAX, world);
  MPI_Allreduce(&mine.open, &vector[2], 1, MPI_DOUBLE, MPI_SUM, world);
}
