#include "pair_superovoid.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "memory.h"
#include "modify.h"
#include "neigh_list.h"
#include "neighbor.h"
#include "update.h"
#include "utils.h"

#include <cmath>
#include <cstring>
#include <limits>

using namespace LAMMPS_NS;
using superovoid::ContactLaw;
using superovoid::cross;
using superovoid::dot;
using superovoid::TypeShape;

PairSuperovoid::PairSuperovoid(LAMMPS *lmp) : Pair(lmp)
{
  single_enable = 0;
  restartinfo = 1;
  writedata = 1;
  finitecutflag = 1;
  no_virial_fdotr_compute = 1;
  nextra = EXTRA;
  pvector = new double[nextra];
  for (int k = 0; k < nextra; k++) pvector[k] = 0.0;
}

PairSuperovoid::~PairSuperovoid()
{
  delete[] pvector;
  if (allocated) {
    memory->destroy(setflag);
    memory->destroy(cutsq);
  }
}

void PairSuperovoid::allocate()
{
  allocated = 1;
  const int n = atom->ntypes + 1;
  memory->create(setflag, n, n, "pair:setflag");
  memory->create(cutsq, n, n, "pair:cutsq");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) setflag[i][j] = 0;
  shapes.assign(n, TypeShape());
}

// pair_style superovoid hooke kn gn kt gt mu | hertz E nu e mu
void PairSuperovoid::settings(int narg, char **arg)
{
  if (narg == 0) error->all(FLERR, "pair_style superovoid: give 'hooke kn gn kt gt mu' or 'hertz E nu e mu'");
  const auto number = [&](int k) { return utils::numeric(FLERR, arg[k], false, lmp); };
  law = ContactLaw();
  if (strcmp(arg[0], "hooke") == 0) {
    if (narg != 6) error->all(FLERR, "pair_style superovoid hooke has five numbers, kn gn kt gt mu, not {}", narg - 1);
    law.kind = ContactLaw::HOOKE;
    law.kn = number(1), law.gn = number(2), law.kt = number(3), law.gt = number(4), law.friction = number(5);
    if (!(law.kn > 0.0)) error->all(FLERR, "pair_style superovoid: kn = {} must be more than 0", law.kn);
    if (!(law.gn >= 0.0 && law.kt >= 0.0 && law.gt >= 0.0 && law.friction >= 0.0))
      error->all(FLERR, "pair_style superovoid: gn, kt, gt and mu must be at least 0");
  } else if (strcmp(arg[0], "hertz") == 0) {
    if (narg != 5) error->all(FLERR, "pair_style superovoid hertz has four numbers, E nu e mu, not {}", narg - 1);
    law.kind = ContactLaw::HERTZ;
    law.young = number(1), law.poisson = number(2), law.restitution = number(3), law.friction = number(4);
    if (!(law.young > 0.0)) error->all(FLERR, "pair_style superovoid: E = {} must be more than 0", law.young);
    if (!(law.poisson >= 0.0 && law.poisson <= 0.5))
      error->all(FLERR, "pair_style superovoid: nu = {} must be from 0 to 0.5", law.poisson);
    if (!(law.restitution > 0.0 && law.restitution <= 1.0))
      error->all(FLERR, "pair_style superovoid: e = {} must be more than 0 and at most 1", law.restitution);
    if (!(law.friction >= 0.0)) error->all(FLERR, "pair_style superovoid: mu = {} must be at least 0", law.friction);
  } else {
    error->all(FLERR, "pair_style superovoid: '{}' is no law; give 'hooke' or 'hertz'", arg[0]);
  }
}

// pair_coeff I I a1 a2 a3 e1 e2 tx ty
void PairSuperovoid::coeff(int narg, char **arg)
{
  if (narg != 9)
    error->all(FLERR, "pair_coeff of superovoid has a type twice and seven numbers, a1 a2 a3 e1 e2 tx ty, not {}", narg);
  if (!allocated) allocate();
  int first, last, first_j, last_j;
  utils::bounds(FLERR, arg[0], 1, atom->ntypes, first, last, error);
  utils::bounds(FLERR, arg[1], 1, atom->ntypes, first_j, last_j, error);
  if (first != first_j || last != last_j)
    error->all(FLERR, "pair_coeff of superovoid {} {}: a shape is that of a type, so that both must be the same", arg[0],
               arg[1]);
  double numbers[7];
  for (int k = 0; k < 7; k++) numbers[k] = utils::numeric(FLERR, arg[2 + k], false, lmp);
  for (int type = first; type <= last; type++) {
    if (const char *problem = shapes[type].make(numbers))
      error->all(FLERR, "pair_coeff of superovoid, type {}: {}", type, problem);
    setflag[type][type] = 1;
  }
}

void PairSuperovoid::init_style()
{
  if (!atom->quat_flag || !atom->omega_flag || !atom->torque_flag || !atom->rmass_flag)
    error->all(FLERR, "pair_style superovoid needs atoms with quaternion, angular velocity, torque and mass: 'atom_style "
                      "bpm/sphere'");
  if (comm->ghost_velocity == 0)
    error->all(FLERR, "pair_style superovoid needs the orientations of ghost atoms: 'comm_modify vel yes'");
  if (atom->tag_enable == 0) error->all(FLERR, "pair_style superovoid needs atom IDs");
  for (int type = 1; type <= atom->ntypes; type++)
    if (!shapes[type].set) error->all(FLERR, "pair_style superovoid: type {} has no shape, 'pair_coeff {} {} ...'", type, type, type);
  if (law.has_history()) {
    if (force->newton_pair)
      error->all(FLERR, "pair_style superovoid with friction needs 'newton off': both owners of a pair keep its spring");
    if (atom->map_style == Atom::MAP_NONE)
      error->all(FLERR, "pair_style superovoid with friction finds atoms by their IDs: 'atom_modify map array'");
    if (modify->get_fix_by_style("^SUPEROVOID/HISTORY$").empty())
      modify->add_fix("SUPEROVOID_HISTORY all SUPEROVOID/HISTORY");
  }
  neighbor->add_request(this);
}

double PairSuperovoid::init_one(int i, int j)
{
  return shapes[i].radius + shapes[j].radius;
}

// Collects the pairs whose spheres overlap, the atom of the lower tag as A.
void PairSuperovoid::gather()
{
  candidates.clear();
  double **x = atom->x;
  const int *type = atom->type;
  const tagint *tag = atom->tag;
  for (int ii = 0; ii < list->inum; ii++) {
    const int i = list->ilist[ii];
    for (int jj = 0; jj < list->numneigh[i]; jj++) {
      const int j = list->firstneigh[i][jj] & NEIGHMASK;
      const double apart[3] = {x[i][0] - x[j][0], x[i][1] - x[j][1], x[i][2] - x[j][2]};
      const double reach = shapes[type[i]].radius + shapes[type[j]].radius;
      // NaN passes, so that the query refuses it.
      if (dot(apart, apart) > reach * reach) continue;
      candidates.push_back(tag[i] < tag[j] ? Candidate{i, j} : Candidate{j, i});
    }
  }
}

// Answers some of them, in one batch.
void PairSuperovoid::query(std::size_t first, std::size_t count, double max_distance)
{
  shapes_a.resize(count), shapes_b.resize(count), poses_a.resize(count), poses_b.resize(count), found.resize(count);
  const int *type = atom->type;
  for (std::size_t k = 0; k < count; k++) {
    const auto [i, j] = candidates[first + k];
    const TypeShape &a = shapes[type[i]], &b = shapes[type[j]];
    shapes_a[k] = a.shape;
    shapes_b[k] = b.shape;
    poses_a[k] = a.pose(atom->x[i], atom->quat[i]);
    poses_b[k] = b.pose(atom->x[j], atom->quat[j]);
  }
  sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
  options.max_distance = max_distance;
  sovo_pair_batch batch = SOVO_PAIR_BATCH_INIT;
  batch.count = count;
  batch.shapes_a = shapes_a.data();
  batch.shape_a_stride = sizeof(sovo_shape);
  batch.poses_a = poses_a.data();
  batch.pose_a_stride = sizeof(sovo_pose);
  batch.shapes_b = shapes_b.data();
  batch.shape_b_stride = sizeof(sovo_shape);
  batch.poses_b = poses_b.data();
  batch.pose_b_stride = sizeof(sovo_pose);
  batch.contacts = found.data();
  batch.contact_stride = sizeof(sovo_contact);
  batch.threads = 1;
  if (sovo_pair_contact_batch(&batch, &options) != SOVO_STATUS_OK)
    error->one(FLERR, "pair_style superovoid, step {}, pairs from atoms {} and {} on: {}", update->ntimestep,
               atom->tag[candidates[first].i], atom->tag[candidates[first].j], sovo_last_error());
}

// The library takes 64 pairs at a time from a batch, so that this only bounds the memory: a megabyte.
constexpr std::size_t TOGETHER = 2048;

void PairSuperovoid::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  gather();
  pvector[QUERIES] = static_cast<double>(candidates.size());
  pvector[CONTACTS] = pvector[OPEN_BRACKETS] = 0.0;
  for (std::size_t first = 0; first < candidates.size(); first += TOGETHER) {
    const std::size_t count = std::min(TOGETHER, candidates.size() - first);
    query(first, count, 0.0);
    for (std::size_t k = 0; k < count; k++) {
      const sovo_contact &contact = found[k];
      if (contact.lower <= 0.0 && contact.upper > 0.0) pvector[OPEN_BRACKETS] += 1.0;
      if (contact.distance < 0.0) apply(candidates[first + k], contact);
    }
  }
  if (!law.has_history()) return;
  for (auto spring = springs.begin(); spring != springs.end();)
    spring = spring->second.step == update->ntimestep ? std::next(spring) : springs.erase(spring);
}

// Adds the forces and torques of a contact.
void PairSuperovoid::apply(const Candidate &pair, const sovo_contact &contact)
{
  const auto [i, j] = pair;
  pvector[CONTACTS] += 1.0;
  double **x = atom->x, **v = atom->v, **omega = atom->omega, **f = atom->f, **torque = atom->torque;
  double to_i[3], to_j[3], turn_i[3], turn_j[3], velocity[3], on_a[3];
  for (int k = 0; k < 3; k++) {
    const double point = 0.5 * (contact.point_a[k] + contact.point_b[k]);
    to_i[k] = point - x[i][k];
    to_j[k] = point - x[j][k];
  }
  cross(omega[i], to_i, turn_i);
  cross(omega[j], to_j, turn_j);
  for (int k = 0; k < 3; k++) velocity[k] = v[i][k] + turn_i[k] - v[j][k] - turn_j[k];

  const double mass_i = atom->rmass[i], mass_j = atom->rmass[j];
  const double radius_i = shapes[atom->type[i]].equivalent, radius_j = shapes[atom->type[j]].equivalent;
  double *stretch = nullptr;
  if (law.has_history()) {
    Spring &spring = springs[{atom->tag[i], atom->tag[j]}];
    spring.step = update->ntimestep;
    stretch = spring.stretch;
  }
  // The setup of a run computes forces of a state that is not new.
  const double dt = update->setupflag ? 0.0 : update->dt;
  const double energy = law.force(-contact.distance, contact.normal, velocity, mass_i * mass_j / (mass_i + mass_j),
                                  radius_i * radius_j / (radius_i + radius_j), dt, stretch, on_a);

  const int nlocal = atom->nlocal, newton_pair = force->newton_pair;
  double turning[3];
  if (newton_pair || i < nlocal) {
    cross(to_i, on_a, turning);
    for (int k = 0; k < 3; k++) f[i][k] += on_a[k], torque[i][k] += turning[k];
  }
  if (newton_pair || j < nlocal) {
    cross(to_j, on_a, turning);
    for (int k = 0; k < 3; k++) f[j][k] -= on_a[k], torque[j][k] -= turning[k];
  }
  if (evflag)
    ev_tally_xyz(i, j, nlocal, newton_pair, energy, 0.0, on_a[0], on_a[1], on_a[2], x[i][0] - x[j][0], x[i][1] - x[j][1],
                 x[i][2] - x[j][2]);
}

void PairSuperovoid::write_restart(FILE *file)
{
  fwrite(&law, sizeof(law), 1, file);
  for (int type = 1; type <= atom->ntypes; type++) fwrite(shapes[type].numbers, sizeof(double), 7, file);
}

void PairSuperovoid::read_restart(FILE *file)
{
  allocate();
  if (comm->me == 0) utils::sfread(FLERR, &law, sizeof(law), 1, file, nullptr, error);
  MPI_Bcast(&law, sizeof(law), MPI_BYTE, 0, world);
  for (int type = 1; type <= atom->ntypes; type++) {
    double numbers[7];
    if (comm->me == 0) utils::sfread(FLERR, numbers, sizeof(double), 7, file, nullptr, error);
    MPI_Bcast(numbers, 7, MPI_DOUBLE, 0, world);
    if (const char *problem = shapes[type].make(numbers))
      error->all(FLERR, "restart of pair_style superovoid, type {}: {}", type, problem);
    setflag[type][type] = 1;
  }
}

void PairSuperovoid::write_data(FILE *file)
{
  for (int type = 1; type <= atom->ntypes; type++) {
    fprintf(file, "%d", type);
    for (const double number : shapes[type].numbers) fprintf(file, " %.17g", number);
    fprintf(file, "\n");
  }
}

// Asks all close pairs for their whole distances, which a step does not need.
PairSuperovoid::Gaps PairSuperovoid::gaps()
{
  Gaps all = {std::numeric_limits<double>::infinity(), 0.0, 0.0};
  gather();
  for (std::size_t first = 0; first < candidates.size(); first += TOGETHER) {
    const std::size_t count = std::min(TOGETHER, candidates.size() - first);
    query(first, count, std::numeric_limits<double>::infinity());
    for (std::size_t k = 0; k < count; k++) {
      const sovo_contact &contact = found[k];
      if (contact.lower > 0.0) all.least = std::min(all.least, contact.lower);
      else if (contact.upper > 0.0) all.open += 1.0;
      else all.deepest = std::max(all.deepest, -contact.distance);
    }
  }
  return all;
}
