#include "fix_wall_superovoid.h"

#include "atom.h"
#include "error.h"
#include "force.h"
#include "pair_superovoid.h"
#include "update.h"
#include "utils.h"

#include <cmath>
#include <cstring>

using namespace LAMMPS_NS;
using namespace FixConst;
using superovoid::cross;
using superovoid::dot;
using superovoid::TypeShape;

// fix ID group wall/superovoid plane NX NY NZ OFFSET [velocity VX VY VZ] [plane ...]
FixWallSuperovoid::FixWallSuperovoid(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  scalar_flag = vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extscalar = extvector = 1;
  create_attribute = 1;
  dynamic_group_allow = 1;
  const auto number = [&](int k) { return utils::numeric(FLERR, arg[k], false, lmp); };
  for (int at = 3; at < narg;) {
    if (strcmp(arg[at], "plane") == 0 && at + 4 < narg) {
      Plane plane = {{number(at + 1), number(at + 2), number(at + 3)}, number(at + 4), {0.0, 0.0, 0.0}};
      const double length = std::sqrt(dot(plane.normal, plane.normal));
      if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(plane.offset))
        error->all(FLERR, "fix wall/superovoid: plane {} has no normal of finite length", planes.size() + 1);
      for (double &x : plane.normal) x /= length;
      planes.push_back(plane);
      at += 5;
    } else if (strcmp(arg[at], "velocity") == 0 && at + 3 < narg && !planes.empty()) {
      for (int k = 0; k < 3; k++) planes.back().velocity[k] = number(at + 1 + k);
      at += 4;
    } else {
      error->all(FLERR, "fix wall/superovoid: at '{}' expected 'plane NX NY NZ OFFSET' or, after one, 'velocity VX VY VZ'",
                 arg[at]);
    }
  }
  if (planes.empty()) error->all(FLERR, "fix wall/superovoid has no plane: 'plane NX NY NZ OFFSET'");
  maxexchange = 3 * static_cast<int>(planes.size());
  grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
}

FixWallSuperovoid::~FixWallSuperovoid()
{
  if (atom) atom->delete_callback(id, Atom::GROW);
}

int FixWallSuperovoid::setmask()
{
  return POST_FORCE;
}

void FixWallSuperovoid::init()
{
  pair = dynamic_cast<PairSuperovoid *>(force->pair_match("superovoid", 1));
  if (!pair) error->all(FLERR, "fix wall/superovoid takes shapes and law from pair_style superovoid, which is not there");
}

void FixWallSuperovoid::setup(int vflag)
{
  post_force(vflag);
}

void FixWallSuperovoid::post_force(int)
{
  for (double &x : mine) x = 0.0;
  // Planes with a velocity have moved since step 0.
  const double time = static_cast<double>(update->ntimestep) * update->dt;
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit)
      for (int plane = 0; plane < static_cast<int>(planes.size()); plane++) touch(i, plane, time);
}

void FixWallSuperovoid::touch(int i, int index, double time)
{
  const Plane &plane = planes[index];
  const TypeShape &shape = pair->shapes[atom->type[i]];
  const double offset = plane.offset + dot(plane.normal, plane.velocity) * time;
  std::array<double, 3> &spring = springs[i][index];
  if (dot(plane.normal, atom->x[i]) - offset > shape.radius) {
    spring = {0.0, 0.0, 0.0};
    return;
  }
  const sovo_pose pose = shape.pose(atom->x[i], atom->quat[i]);
  sovo_contact contact;
  if (sovo_half_space_contact(&shape.shape, &pose, plane.normal, offset, &contact) != SOVO_STATUS_OK)
    error->one(FLERR, "fix wall/superovoid, step {}, atom {}: {}", update->ntimestep, atom->tag[i], sovo_last_error());
  if (contact.distance >= 0.0) {
    spring = {0.0, 0.0, 0.0};
    return;
  }
  double to[3], turn[3], velocity[3], on_atom[3], turning[3];
  for (int k = 0; k < 3; k++) to[k] = 0.5 * (contact.point_a[k] + contact.point_b[k]) - atom->x[i][k];
  cross(atom->omega[i], to, turn);
  for (int k = 0; k < 3; k++) velocity[k] = atom->v[i][k] + turn[k] - plane.velocity[k];
  const double dt = update->setupflag ? 0.0 : update->dt;
  double *stretch = pair->law.has_history() ? spring.data() : nullptr;
  mine[3] += pair->law.force(-contact.distance, contact.normal, velocity, atom->rmass[i], shape.equivalent, dt, stretch, on_atom);
  cross(to, on_atom, turning);
  for (int k = 0; k < 3; k++) {
    atom->f[i][k] += on_atom[k];
    atom->torque[i][k] += turning[k];
    mine[k] -= on_atom[k];
  }
}

void FixWallSuperovoid::grow_arrays(int nmax)
{
  springs.resize(nmax, std::vector<std::array<double, 3>>(planes.size()));
}

void FixWallSuperovoid::copy_arrays(int i, int j, int)
{
  springs[j] = springs[i];
}

void FixWallSuperovoid::set_arrays(int i)
{
  for (auto &spring : springs[i]) spring = {0.0, 0.0, 0.0};
}

int FixWallSuperovoid::pack_exchange(int i, double *buf)
{
  int m = 0;
  for (const auto &spring : springs[i])
    for (const double x : spring) buf[m++] = x;
  return m;
}

int FixWallSuperovoid::unpack_exchange(int i, double *buf)
{
  int m = 0;
  for (auto &spring : springs[i])
    for (double &x : spring) x = buf[m++];
  return m;
}

// The elastic energy of the contacts with the walls.
double FixWallSuperovoid::compute_scalar()
{
  double all;
  MPI_Allreduce(&mine[3], &all, 1, MPI_DOUBLE, MPI_SUM, world);
  return all;
}

// The force on the walls.
double FixWallSuperovoid::compute_vector(int k)
{
  double all;
  MPI_Allreduce(&mine[k], &all, 1, MPI_DOUBLE, MPI_SUM, world);
  return all;
}
