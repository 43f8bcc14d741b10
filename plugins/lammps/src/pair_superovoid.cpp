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

#include <algorithm>
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
  single_enable = 1;
  single_extra = SINGLE_EXTRA;
  svector = new double[single_extra];
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
  delete[] svector;
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

// Writes the poses of all atoms that this rank sees, once a step: pairs name them by their index.
void PairSuperovoid::place()
{
  const int count = atom->nlocal + atom->nghost;
  poses.resize(count);
  for (int i = 0; i < count; i++) poses[i] = shapes[atom->type[i]].pose(atom->x[i], atom->quat[i]);
}

// Answers some of the candidates, in one batch. What is wanted: a sum of sovo_wanted, for all of them.
void PairSuperovoid::query(std::size_t first, std::size_t count, unsigned char wanted)
{
  found.resize(count);
  static_assert(sizeof(int) == sizeof(std::uint32_t), "indices of atoms are numbers of 32 bits");
  sovo_indexed_pair_batch batch = SOVO_INDEXED_PAIR_BATCH_INIT;
  batch.count = count;
  batch.body_count = poses.size();
  batch.poses = poses.data();
  batch.shape_count = shapes.size();
  batch.shapes = &shapes[0].shape;
  batch.shape_stride = sizeof(TypeShape);
  batch.body_shapes = reinterpret_cast<const std::uint32_t *>(atom->type);
  batch.index_a = reinterpret_cast<const std::uint32_t *>(&candidates[first].i);
  batch.index_b = reinterpret_cast<const std::uint32_t *>(&candidates[first].j);
  batch.index_a_stride = batch.index_b_stride = sizeof(Candidate);
  batch.wanted = &wanted;
  batch.wanted_stride = 0;
  batch.contacts = found.data();
  batch.threads = 1;
  if (sovo_indexed_pair_contact_batch(&batch, nullptr) != SOVO_STATUS_OK)
    error->one(FLERR, "pair_style superovoid, step {}, pairs from atoms {} and {} on: {}", update->ntimestep,
               atom->tag[candidates[first].i], atom->tag[candidates[first].j], sovo_last_error());
}

// The library takes 64 pairs at a time from a batch, so that this only bounds the memory: a megabyte.
constexpr std::size_t TOGETHER = 2048;

void PairSuperovoid::compute(int eflag, int vflag)
{
  ev_init(eflag, vflag);
  gather();
  place();
  pvector[QUERIES] = static_cast<double>(candidates.size());
  pvector[CONTACTS] = pvector[OPEN_BRACKETS] = 0.0;
  for (std::size_t first = 0; first < candidates.size(); first += TOGETHER) {
    const std::size_t count = std::min(TOGETHER, candidates.size() - first);
    query(first, count, SOVO_WANTED_NEAR);
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

PairSuperovoid::Meeting PairSuperovoid::meet(const Candidate &pair, const sovo_contact &contact) const
{
  const auto [i, j] = pair;
  double **x = atom->x, **v = atom->v, **omega = atom->omega;
  Meeting m;
  double turn_i[3], turn_j[3];
  for (int k = 0; k < 3; k++) {
    m.point[k] = 0.5 * (contact.point_a[k] + contact.point_b[k]);
    m.to_i[k] = m.point[k] - x[i][k];
    m.to_j[k] = m.point[k] - x[j][k];
  }
  cross(omega[i], m.to_i, turn_i);
  cross(omega[j], m.to_j, turn_j);
  for (int k = 0; k < 3; k++) m.velocity[k] = v[i][k] + turn_i[k] - v[j][k] - turn_j[k];
  const double mass_i = atom->rmass[i], mass_j = atom->rmass[j];
  const double radius_i = shapes[atom->type[i]].equivalent, radius_j = shapes[atom->type[j]].equivalent;
  m.mass = mass_i * mass_j / (mass_i + mass_j);
  m.radius = radius_i * radius_j / (radius_i + radius_j);
  return m;
}

// Adds the forces and torques of a contact.
void PairSuperovoid::apply(const Candidate &pair, const sovo_contact &contact)
{
  const auto [i, j] = pair;
  pvector[CONTACTS] += 1.0;
  double **x = atom->x, **f = atom->f, **torque = atom->torque;
  const Meeting m = meet(pair, contact);
  double *stretch = nullptr;
  if (law.has_history()) {
    Spring &spring = springs[{atom->tag[i], atom->tag[j]}];
    spring.step = update->ntimestep;
    stretch = spring.stretch;
  }
  // The setup of a run computes forces of a state that is not new.
  const double dt = update->setupflag ? 0.0 : update->dt;
  double on_a[3];
  const double energy = law.force(-contact.distance, contact.normal, m.velocity, m.mass, m.radius, dt, stretch, on_a);

  const int nlocal = atom->nlocal, newton_pair = force->newton_pair;
  double turning[3];
  if (newton_pair || i < nlocal) {
    cross(m.to_i, on_a, turning);
    for (int k = 0; k < 3; k++) f[i][k] += on_a[k], torque[i][k] += turning[k];
  }
  if (newton_pair || j < nlocal) {
    cross(m.to_j, on_a, turning);
    for (int k = 0; k < 3; k++) f[j][k] -= on_a[k], torque[j][k] -= turning[k];
  }
  if (evflag)
    ev_tally_xyz(i, j, nlocal, newton_pair, energy, 0.0, on_a[0], on_a[1], on_a[2], x[i][0] - x[j][0], x[i][1] - x[j][1],
                 x[i][2] - x[j][2]);
}

// The contact of one pair, for `compute pair/local` and its like; springs stay as they are. Returns the energy.
double PairSuperovoid::single(int i, int j, int, int, double rsq, double, double, double &fforce)
{
  fforce = 0.0;
  for (int k = 0; k < single_extra; k++) svector[k] = 0.0;
  const int count = atom->nlocal + atom->nghost;
  if (i < 0 || j < 0 || i >= count || j >= count)
    error->one(FLERR, "pair_style superovoid: the force of a pair is that of two atoms that are there, with their orientations");
  const bool ordered = atom->tag[i] < atom->tag[j];
  const Candidate pair = ordered ? Candidate{i, j} : Candidate{j, i};
  const TypeShape &a = shapes[atom->type[pair.i]], &b = shapes[atom->type[pair.j]];
  const double reach = a.radius + b.radius;
  svector[DISTANCE] = std::sqrt(rsq) - reach;
  if (rsq > reach * reach) return 0.0;
  const sovo_pose pose_a = a.pose(atom->x[pair.i], atom->quat[pair.i]), pose_b = b.pose(atom->x[pair.j], atom->quat[pair.j]);
  sovo_contact contact;
  if (sovo_pair_contact(&a.shape, &pose_a, &b.shape, &pose_b, nullptr, nullptr, &contact) != SOVO_STATUS_OK)
    error->one(FLERR, "pair_style superovoid, step {}, atoms {} and {}: {}", update->ntimestep, atom->tag[pair.i], atom->tag[pair.j],
               sovo_last_error());
  const Meeting m = meet(pair, contact);
  double stretch[3] = {0.0, 0.0, 0.0}, on_a[3] = {0.0, 0.0, 0.0}, energy = 0.0;
  bool has_spring = false;
  if (contact.distance < 0.0) {
    const auto spring = springs.find({atom->tag[pair.i], atom->tag[pair.j]});
    has_spring = law.has_history() && spring != springs.end();
    if (has_spring) std::copy(spring->second.stretch, spring->second.stretch + 3, stretch);
    energy = law.force(-contact.distance, contact.normal, m.velocity, m.mass, m.radius, 0.0, has_spring ? stretch : nullptr, on_a);
  }
  // From here on as atom i sees it.
  const double sign = ordered ? 1.0 : -1.0, normal_force = dot(on_a, contact.normal);
  double along = 0.0;
  for (int k = 0; k < 3; k++) {
    svector[TANGENTIAL + k] = sign * (on_a[k] - normal_force * contact.normal[k]);
    svector[NORMAL + k] = sign * contact.normal[k];
    svector[POINT + k] = m.point[k];
    svector[VELOCITY + k] = sign * m.velocity[k];
    svector[SPRING + k] = sign * stretch[k];
    along += sign * on_a[k] * (atom->x[i][k] - atom->x[j][k]);
  }
  svector[NORMAL_FORCE] = -normal_force;
  svector[DISTANCE] = contact.distance;
  if (rsq > 0.0) fforce = along / rsq;
  return energy;
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
  place();
  for (std::size_t first = 0; first < candidates.size(); first += TOGETHER) {
    const std::size_t count = std::min(TOGETHER, candidates.size() - first);
    query(first, count, SOVO_WANTED_DISTANCE);
    for (std::size_t k = 0; k < count; k++) {
      const sovo_contact &contact = found[k];
      if (contact.lower > 0.0) all.least = std::min(all.least, contact.lower);
      else if (contact.upper > 0.0) all.open += 1.0;
      else all.deepest = std::max(all.deepest, -contact.distance);
    }
  }
  return all;
}
