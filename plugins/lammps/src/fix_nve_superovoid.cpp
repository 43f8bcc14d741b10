#include "fix_nve_superovoid.h"

#include "atom.h"
#include "error.h"
#include "force.h"
#include "pair_superovoid.h"
#include "update.h"
#include "utils.h"

#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;
using superovoid::to_body;
using superovoid::to_world;
using superovoid::turn_free;

// fix ID group nve/superovoid [density RHO]
FixNVESuperovoid::FixNVESuperovoid(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg), density(0.0)
{
  time_integrate = 1;
  dynamic_group_allow = 1;
  create_attribute = 1;
  scalar_flag = 1;
  global_freq = 1;
  extscalar = 1;
  if (narg == 3) return;
  if (narg != 5 || strcmp(arg[3], "density") != 0)
    error->all(FLERR, "fix nve/superovoid: '{}' is no keyword; the one there is, is 'density RHO'", arg[3]);
  density = utils::numeric(FLERR, arg[4], false, lmp);
  if (!(density > 0.0)) error->all(FLERR, "fix nve/superovoid: density {} must be more than 0", density);
}

int FixNVESuperovoid::setmask()
{
  return INITIAL_INTEGRATE | FINAL_INTEGRATE;
}

void FixNVESuperovoid::init()
{
  pair = dynamic_cast<PairSuperovoid *>(force->pair_match("superovoid", 1));
  if (!pair) error->all(FLERR, "fix nve/superovoid takes the shapes from pair_style superovoid, which is not there");
  if (!atom->quat_flag || !atom->omega_flag || !atom->torque_flag || !atom->rmass_flag)
    error->all(FLERR, "fix nve/superovoid needs 'atom_style bpm/sphere'");
  reset_dt();
  // Before ghost atoms are made, which get their masses from their owners once; new atoms get theirs as they come.
  for (int i = 0; i < atom->nlocal; i++) set_arrays(i);
}

void FixNVESuperovoid::reset_dt()
{
  dtv = update->dt;
  dtf = 0.5 * update->dt * force->ftm2v;
}

// Gives an atom the mass and the radius of its shape.
void FixNVESuperovoid::set_arrays(int i)
{
  if (density == 0.0 || !pair || !(atom->mask[i] & groupbit)) return;
  const superovoid::TypeShape &shape = pair->shapes[atom->type[i]];
  atom->rmass[i] = density * shape.volume;
  atom->radius[i] = shape.radius;
}

// Writes the moments of inertia of an atom about the axes of its shape; returns its density.
double FixNVESuperovoid::inertia(int i, double *out) const
{
  const superovoid::TypeShape &shape = pair->shapes[atom->type[i]];
  const double rho = atom->rmass[i] / shape.volume;
  for (int k = 0; k < 3; k++) out[k] = rho * shape.inertia[k];
  return rho;
}

// Half a step of force and torque; writes the angular momentum in the body's frame.
void FixNVESuperovoid::kick(int i, double *momentum) const
{
  double I[3], turning[3], torque[3];
  inertia(i, I);
  const double share = dtf / atom->rmass[i];
  for (int k = 0; k < 3; k++) atom->v[i][k] += share * atom->f[i][k];
  to_body(atom->quat[i], atom->omega[i], turning);
  to_body(atom->quat[i], atom->torque[i], torque);
  for (int k = 0; k < 3; k++) momentum[k] = I[k] * turning[k] + dtf * torque[k];
}

void FixNVESuperovoid::initial_integrate(int)
{
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) {
      double momentum[3], I[3], turning[3];
      kick(i, momentum);
      for (int k = 0; k < 3; k++) atom->x[i][k] += dtv * atom->v[i][k];
      inertia(i, I);
      turn_free(dtv, I, atom->quat[i], momentum);
      for (int k = 0; k < 3; k++) turning[k] = momentum[k] / I[k];
      to_world(atom->quat[i], turning, atom->omega[i]);
    }
}

void FixNVESuperovoid::final_integrate()
{
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) {
      double momentum[3], I[3], turning[3];
      kick(i, momentum);
      inertia(i, I);
      for (int k = 0; k < 3; k++) turning[k] = momentum[k] / I[k];
      to_world(atom->quat[i], turning, atom->omega[i]);
    }
}

// The kinetic energy of rotation of the group.
double FixNVESuperovoid::compute_scalar()
{
  double mine = 0.0, all;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit) {
      double I[3], turning[3];
      inertia(i, I);
      to_body(atom->quat[i], atom->omega[i], turning);
      for (int k = 0; k < 3; k++) mine += 0.5 * I[k] * turning[k] * turning[k];
    }
  mine *= force->mvv2e;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
  return all;
}
