#include "fix_superovoid_history.h"

#include "atom.h"
#include "comm.h"
#include "error.h"
#include "force.h"
#include "lmptype.h"
#include "update.h"

using namespace LAMMPS_NS;
using namespace FixConst;

FixSuperovoidHistory::FixSuperovoidHistory(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
{
  restart_global = restart_peratom = 1;
  create_attribute = 1;
  maxexchange_dynamic = 1;
  maxexchange = 1 + NUMBERS;
  entries.resize(atom->nmax);
  atom->add_callback(Atom::GROW);
  atom->add_callback(Atom::RESTART);
}

FixSuperovoidHistory::~FixSuperovoidHistory()
{
  if (!atom) return;
  atom->delete_callback(id, Atom::GROW);
  atom->delete_callback(id, Atom::RESTART);
}

int FixSuperovoidHistory::setmask()
{
  return PRE_EXCHANGE | POST_NEIGHBOR;
}

void FixSuperovoidHistory::init()
{
  pair = dynamic_cast<PairSuperovoid *>(force->pair_match("superovoid", 1));
  if (!pair) error->all(FLERR, "fix {} keeps the springs of pair_style superovoid, which is not there", style);
}

// Before atoms move to other ranks: every atom takes the springs of its contacts along.
void FixSuperovoidHistory::pre_exchange()
{
  const int nlocal = atom->nlocal;
  for (int i = 0; i < nlocal; i++) entries[i].clear();
  std::size_t most = 0;
  for (const auto &[key, spring] : pair->springs) {
    const auto keep = [&](tagint tag, tagint partner) {
      const int i = atom->map(tag);
      if (i < 0 || i >= nlocal) return;
      entries[i].push_back({partner, {spring.stretch[0], spring.stretch[1], spring.stretch[2]}});
      most = std::max(most, entries[i].size());
    };
    keep(key.low, key.high);
    keep(key.high, key.low);
  }
  maxexchange = 1 + NUMBERS * static_cast<int>(std::max<std::size_t>(most, 1));
}

// After a run, and before a restart file has what the atoms hold.
void FixSuperovoidHistory::post_run()
{
  pre_exchange();
}

void FixSuperovoidHistory::write_restart(FILE *file)
{
  pre_exchange();
  // There is nothing to write that is not an atom's.
  const int size = 0;
  if (comm->me == 0) fwrite(&size, sizeof(size), 1, file);
}

// The setup of a run begins with exchanges too; the springs are those of the run before, or of a restart.
void FixSuperovoidHistory::setup_pre_exchange()
{
  if (!pair->springs.empty()) pre_exchange();
}

void FixSuperovoidHistory::setup_post_neighbor()
{
  post_neighbor();
}

// After atoms have come: the springs of the owned ones are those of the pairs.
void FixSuperovoidHistory::post_neighbor()
{
  pair->springs.clear();
  const int nlocal = atom->nlocal;
  for (int i = 0; i < nlocal; i++) {
    const tagint tag = atom->tag[i];
    for (const Entry &entry : entries[i]) {
      const PairSuperovoid::Key key =
          tag < entry.partner ? PairSuperovoid::Key{tag, entry.partner} : PairSuperovoid::Key{entry.partner, tag};
      PairSuperovoid::Spring &spring = pair->springs[key];
      for (int k = 0; k < 3; k++) spring.stretch[k] = entry.stretch[k];
    }
  }
}

void FixSuperovoidHistory::grow_arrays(int nmax)
{
  entries.resize(nmax);
}

void FixSuperovoidHistory::copy_arrays(int i, int j, int)
{
  entries[j] = entries[i];
}

void FixSuperovoidHistory::set_arrays(int i)
{
  entries[i].clear();
}

int FixSuperovoidHistory::pack(int i, double *buf) const
{
  int m = 0;
  buf[m++] = ubuf(static_cast<bigint>(entries[i].size())).d;
  for (const Entry &entry : entries[i]) {
    buf[m++] = ubuf(entry.partner).d;
    for (const double x : entry.stretch) buf[m++] = x;
  }
  return m;
}

int FixSuperovoidHistory::pack_exchange(int i, double *buf)
{
  return pack(i, buf);
}

int FixSuperovoidHistory::unpack_exchange(int i, double *buf)
{
  int m = 0;
  entries[i].resize(static_cast<std::size_t>(ubuf(buf[m++]).i));
  for (Entry &entry : entries[i]) {
    entry.partner = static_cast<tagint>(ubuf(buf[m++]).i);
    for (double &x : entry.stretch) x = buf[m++];
  }
  return m;
}

// A restart file holds the length of what it has of an atom first.
int FixSuperovoidHistory::pack_restart(int i, double *buf)
{
  buf[0] = 1 + pack(i, buf + 1);
  return static_cast<int>(buf[0]);
}

void FixSuperovoidHistory::unpack_restart(int i, int nth)
{
  double **extra = atom->extra;
  int m = 0;
  for (int k = 0; k < nth; k++) m += static_cast<int>(extra[i][m]);
  unpack_exchange(i, extra[i] + m + 1);
}

int FixSuperovoidHistory::size_restart(int i)
{
  return 2 + NUMBERS * static_cast<int>(entries[i].size());
}

int FixSuperovoidHistory::maxsize_restart()
{
  int most = 2;
  for (int i = 0; i < atom->nlocal; i++) most = std::max(most, size_restart(i));
  return most;
}

double FixSuperovoidHistory::memory_usage()
{
  double bytes = static_cast<double>(entries.capacity() * sizeof(entries[0]));
  for (const auto &list : entries) bytes += static_cast<double>(list.capacity() * sizeof(Entry));
  return bytes;
}
