// The springs of contacts between reneighbourings: they travel with the atoms from rank to rank. pair_style superovoid adds
// this fix where its law has friction.

#ifndef LMP_FIX_SUPEROVOID_HISTORY_H
#define LMP_FIX_SUPEROVOID_HISTORY_H

#include "fix.h"
#include "pair_superovoid.h"

#include <vector>

namespace LAMMPS_NS {

class FixSuperovoidHistory : public Fix {
 public:
  FixSuperovoidHistory(class LAMMPS *, int, char **);
  ~FixSuperovoidHistory() override;
  int setmask() override;
  void init() override;
  void setup_pre_exchange() override;
  void pre_exchange() override;
  void setup_post_neighbor() override;
  void post_neighbor() override;
  void post_run() override;
  void write_restart(FILE *) override;
  void grow_arrays(int) override;
  void copy_arrays(int, int, int) override;
  void set_arrays(int) override;
  int pack_exchange(int, double *) override;
  int unpack_exchange(int, double *) override;
  int pack_restart(int, double *) override;
  void unpack_restart(int, int) override;
  int size_restart(int) override;
  int maxsize_restart() override;
  double memory_usage() override;

 private:
  // A contact of an atom: the other's tag, and the spring of the lower tag relative to the higher.
  struct Entry {
    tagint partner;
    double stretch[3];
  };
  enum { NUMBERS = 4 };    // of an entry, as it travels
  std::vector<std::vector<Entry>> entries;
  PairSuperovoid *pair = nullptr;

  int pack(int, double *) const;
};

}    // namespace LAMMPS_NS

#endif
