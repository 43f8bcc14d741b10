#include "fix_wall_superovoid.h"

#include "atom.h"
#include "error.h"
#include "force.h"
#include "pair_superovoid.h"
#include "stl.h"
#include "update.h"
#include "utils.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

using namespace LAMMPS_NS;
using namespace FixConst;
using superovoid::cross;
using superovoid::dot;
using superovoid::TypeShape;

// fix ID group wall/superovoid WALL [WALL ...]
// WALL: plane NX NY NZ OFFSET [velocity VX VY VZ]
//       mesh FILE.stl [velocity VX VY VZ] [rotate PX PY PZ AX AY AZ PERIOD]
FixWallSuperovoid::FixWallSuperovoid(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  scalar_flag = vector_flag = 1;
  size_vector = 3;
  global_freq = 1;
  extscalar = extvector = 1;
  create_attribute = 1;
  restart_peratom = 1;
  dynamic_group_allow = 1;
  for (int at = 3; at < narg;) at = read_wall(at, narg, arg);
  if (walls.empty()) error->all(FLERR, "fix wall/superovoid has no wall: 'plane NX NY NZ OFFSET' or 'mesh FILE.stl'");
  maxexchange = 3 * static_cast<int>(walls.size());
  FixWallSuperovoid::grow_arrays(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixWallSuperovoid::~FixWallSuperovoid()
{
  for (const Wall &wall : walls) sovo_tri_mesh_free(wall.mesh);
  if (!atom) return;
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

// Reads a wall, or a property of the last one, and returns where the next word is.
int FixWallSuperovoid::read_wall(int at, int narg, char **arg)
{
  const auto number = [&](int k) { return utils::numeric(FLERR, arg[k], false, lmp); };
  const std::string word = arg[at];
  if (word == "plane" && at + 4 < narg) {
    Wall wall;
    for (int k = 0; k < 3; k++) wall.normal[k] = number(at + 1 + k);
    wall.offset = number(at + 4);
    const double length = std::sqrt(dot(wall.normal, wall.normal));
    if (!(length > 0.0) || !std::isfinite(length) || !std::isfinite(wall.offset))
      error->all(FLERR, "fix wall/superovoid: wall {} has no normal of finite length", walls.size() + 1);
    for (double &x : wall.normal) x /= length;
    walls.push_back(wall);
    return at + 5;
  }
  if (word == "mesh" && at + 1 < narg) {
    std::vector<double> corners;
    const std::string problem = superovoid::read_stl(arg[at + 1], corners);
    if (!problem.empty()) error->all(FLERR, "fix wall/superovoid: {} {}", arg[at + 1], problem);
    const std::size_t count = corners.size() / 3;
    std::vector<std::uint32_t> triangles(count);
    for (std::size_t k = 0; k < count; k++) triangles[k] = static_cast<std::uint32_t>(k);
    Wall wall;
    if (sovo_tri_mesh_new(corners.data(), count, 3 * sizeof(double), triangles.data(), count / 3, 0, &wall.mesh) != SOVO_STATUS_OK)
      error->all(FLERR, "fix wall/superovoid: {}: {}", arg[at + 1], sovo_last_error());
    wall.corners = corners;
    walls.push_back(wall);
    return at + 2;
  }
  if (word == "velocity" && at + 3 < narg && !walls.empty()) {
    for (int k = 0; k < 3; k++) walls.back().velocity[k] = number(at + 1 + k);
    return at + 4;
  }
  if (word == "rotate" && at + 7 < narg && !walls.empty() && walls.back().mesh) {
    Wall &wall = walls.back();
    double axis[3];
    for (int k = 0; k < 3; k++) {
      wall.center[k] = number(at + 1 + k);
      axis[k] = number(at + 4 + k);
    }
    const double length = std::sqrt(dot(axis, axis)), period = number(at + 7);
    if (!(length > 0.0) || !(std::fabs(period) > 0.0) || !std::isfinite(length))
      error->all(FLERR, "fix wall/superovoid: the axis and the period of 'rotate' must not be 0");
    for (int k = 0; k < 3; k++) wall.turning[k] = axis[k] / length * 2.0 * 3.14159265358979323846 / period;
    return at + 8;
  }
  error->all(FLERR,
             "fix wall/superovoid: at '{}' expected 'plane NX NY NZ OFFSET', 'mesh FILE.stl' or, after a wall, 'velocity VX VY "
             "VZ' or, after a mesh, 'rotate PX PY PZ AX AY AZ PERIOD'",
             word);
}

int FixWallSuperovoid::setmask()
{
  return POST_FORCE;
}

void FixWallSuperovoid::init()
{
  pair = dynamic_cast<PairSuperovoid *>(force->pair_match("superovoid", 1));
  if (!pair) error->all(FLERR, "fix wall/superovoid takes shapes and law from pair_style superovoid, which is not there");
  double radius = 0.0;
  for (int type = 1; type <= atom->ntypes; type++) radius = std::max(radius, pair->shapes[type].radius);
  for (Wall &wall : walls)
    if (wall.mesh) wall.grid = superovoid::MeshGrid(wall.corners, radius);
}

void FixWallSuperovoid::setup(int vflag)
{
  post_force(vflag);
}

void FixWallSuperovoid::post_force(int)
{
  for (double &x : mine) x = 0.0;
  // Walls that move have moved since step 0.
  const double time = static_cast<double>(update->ntimestep) * update->dt;
  for (Wall &wall : walls)
    if (wall.mesh) wall.pose = pose(wall, time);
  for (int i = 0; i < atom->nlocal; i++)
    if (atom->mask[i] & groupbit)
      for (int wall = 0; wall < static_cast<int>(walls.size()); wall++) touch(i, wall, time);
}

// The pose of a mesh: it turns about its axis, which moves with the velocity.
sovo_pose FixWallSuperovoid::pose(const Wall &wall, double time) const
{
  const double speed = std::sqrt(dot(wall.turning, wall.turning)), half = 0.5 * speed * time;
  const double share = speed > 0.0 ? std::sin(half) / speed : 0.0;
  const double quat[4] = {std::cos(half), share * wall.turning[0], share * wall.turning[1], share * wall.turning[2]};
  double turned[3];
  superovoid::to_world(quat, wall.center, turned);
  sovo_pose pose;
  for (int k = 0; k < 3; k++) {
    pose.translation[k] = wall.center[k] - turned[k] + wall.velocity[k] * time;
    pose.rotation[k] = quat[k + 1];
  }
  pose.rotation[3] = quat[0];
  return pose;
}

// The velocity of the wall at a point.
void FixWallSuperovoid::velocity(const Wall &wall, double time, const double *point, double *out) const
{
  double arm[3];
  for (int k = 0; k < 3; k++) arm[k] = point[k] - wall.center[k] - wall.velocity[k] * time;
  cross(wall.turning, arm, out);
  for (int k = 0; k < 3; k++) out[k] += wall.velocity[k];
}

// Whether an atom's body touches a wall, and where: of a mesh it is the triangle that is overlapped most.
bool FixWallSuperovoid::contact(int i, const Wall &wall, double time, sovo_contact &found) const
{
  const TypeShape &shape = pair->shapes[atom->type[i]];
  sovo_status status;
  if (wall.mesh) {
    const double *r = wall.pose.rotation, turn[4] = {r[3], r[0], r[1], r[2]};
    double apart[3], place[3];
    for (int k = 0; k < 3; k++) apart[k] = atom->x[i][k] - wall.pose.translation[k];
    superovoid::to_body(turn, apart, place);
    if (!wall.grid.may_touch(place)) return false;
    const sovo_pose at = shape.pose(atom->x[i], atom->quat[i]);
    sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
    options.max_distance = 0.0;    // only whether they are apart
    const sovo_body body = sovo_body_superovoid(&shape.shape), mesh = sovo_body_tri_mesh(wall.mesh);
    status = sovo_body_contact(&body, &at, &mesh, &wall.pose, &options, &found, nullptr);
  } else {
    const double offset = wall.offset + dot(wall.normal, wall.velocity) * time;
    if (dot(wall.normal, atom->x[i]) - offset > shape.radius) return false;
    const sovo_pose at = shape.pose(atom->x[i], atom->quat[i]);
    const sovo_pose world = sovo_pose_identity();
    const sovo_body body = sovo_body_superovoid(&shape.shape), half_space = sovo_body_half_space(wall.normal, offset);
    status = sovo_body_contact(&body, &at, &half_space, &world, nullptr, &found, nullptr);
  }
  if (status != SOVO_STATUS_OK)
    error->one(FLERR, "fix wall/superovoid, step {}, atom {}: {}", update->ntimestep, atom->tag[i], sovo_last_error());
  return found.distance < 0.0;
}

void FixWallSuperovoid::touch(int i, int index, double time)
{
  const Wall &wall = walls[index];
  std::array<double, 3> &spring = springs[i][index];
  sovo_contact found;
  if (!contact(i, wall, time, found)) {
    spring = {0.0, 0.0, 0.0};
    return;
  }
  double point[3], to[3], turn[3], of_wall[3], relative[3], on_atom[3], turning[3];
  for (int k = 0; k < 3; k++) {
    point[k] = 0.5 * (found.point_a[k] + found.point_b[k]);
    to[k] = point[k] - atom->x[i][k];
  }
  cross(atom->omega[i], to, turn);
  velocity(wall, time, point, of_wall);
  for (int k = 0; k < 3; k++) relative[k] = atom->v[i][k] + turn[k] - of_wall[k];
  const double dt = update->setupflag ? 0.0 : update->dt;
  double *stretch = pair->law.has_history() ? spring.data() : nullptr;
  mine[3] += pair->law.force(-found.distance, found.normal, relative, atom->rmass[i],
                             pair->shapes[atom->type[i]].equivalent, dt, stretch, on_atom);
  cross(to, on_atom, turning);
  for (int k = 0; k < 3; k++) {
    atom->f[i][k] += on_atom[k];
    atom->torque[i][k] += turning[k];
    mine[k] -= on_atom[k];
  }
}

void FixWallSuperovoid::grow_arrays(int nmax)
{
  springs.resize(nmax, std::vector<std::array<double, 3>>(walls.size()));
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

// A restart file holds the length of what it has of an atom first.
int FixWallSuperovoid::pack_restart(int i, double *buf)
{
  buf[0] = 1 + pack_exchange(i, buf + 1);
  return static_cast<int>(buf[0]);
}

void FixWallSuperovoid::unpack_restart(int i, int nth)
{
  double **extra = atom->extra;
  int m = 0;
  for (int k = 0; k < nth; k++) m += static_cast<int>(extra[i][m]);
  if (static_cast<int>(extra[i][m]) != size_restart(i))
    error->one(FLERR, "fix {} wall/superovoid has {} walls, and the restart file has the springs of {}: name the same walls, or give "
                      "the fix another ID, with which the springs begin anew",
               id, walls.size(), (static_cast<int>(extra[i][m]) - 1) / 3);
  unpack_exchange(i, extra[i] + m + 1);
}

int FixWallSuperovoid::size_restart(int)
{
  return 1 + 3 * static_cast<int>(walls.size());
}

int FixWallSuperovoid::maxsize_restart()
{
  return size_restart(0);
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
