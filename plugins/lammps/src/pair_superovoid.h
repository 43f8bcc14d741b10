// pair_style superovoid: exact contacts of superovoids, the pairs of a rank in batches of the library's C interface.

#ifndef LMP_PAIR_SUPEROVOID_H
#define LMP_PAIR_SUPEROVOID_H

#include "contact_law.h"
#include "pair.h"
#include "shape_table.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace LAMMPS_NS {

class PairSuperovoid : public Pair {
 public:
  explicit PairSuperovoid(class LAMMPS *);
  ~PairSuperovoid() override;
  void compute(int, int) override;
  void settings(int, char **) override;
  void coeff(int, char **) override;
  void init_style() override;
  double init_one(int, int) override;
  void write_restart(FILE *) override;
  void read_restart(FILE *) override;
  void write_data(FILE *) override;
  double single(int, int, int, int, double, double, double, double &) override;

  // What `compute pair/local` gives as p1 to p17: see docs/guides/particles.md.
  enum { TANGENTIAL = 0, NORMAL_FORCE = 3, NORMAL = 4, POINT = 7, VELOCITY = 10, SPRING = 13, DISTANCE = 16, SINGLE_EXTRA = 17 };

  // What `compute pair superovoid` adds over all ranks.
  enum { QUERIES, CONTACTS, OPEN_BRACKETS, EXTRA };

  superovoid::ShapeTable shapes;
  superovoid::ContactLaw law;

  // A pair in contact: its tags, the lower first, and the spring of the lower one relative to the higher one.
  struct Spring {
    double stretch[3] = {0.0, 0.0, 0.0};
    bigint step = -1;
  };
  struct Key {
    tagint low, high;
    bool operator==(const Key &other) const { return low == other.low && high == other.high; }
  };
  struct KeyHash {
    std::size_t operator()(const Key &key) const
    {
      std::uint64_t x = static_cast<std::uint64_t>(key.low) * 0x9e3779b97f4a7c15ull ^ static_cast<std::uint64_t>(key.high);
      x ^= x >> 29;
      return static_cast<std::size_t>(x * 0xbf58476d1ce4e5b9ull);
    }
  };
  std::unordered_map<Key, Spring, KeyHash> springs;

  // What is known of the pairs of this rank whose spheres overlap; with `newton off` a pair of two ranks counts on both.
  struct Gaps {
    double least, deepest, open;
  };
  Gaps gaps();

 private:
  struct Candidate {
    int i, j;    // A and B: the tag of A is the lower one
  };
  std::vector<Candidate> candidates;
  std::vector<sovo_pose> poses;    // of all atoms of this rank, ghosts too
  std::vector<sovo_contact> found;

  void allocate();
  void gather();
  void place();
  void query(std::size_t first, std::size_t count, unsigned char wanted);
  // The motion of A's point of contact relative to B's, and how far the atoms are from it.
  struct Meeting {
    double point[3], to_i[3], to_j[3], velocity[3];
    double mass, radius;    // effective ones
  };
  Meeting meet(const Candidate &, const sovo_contact &) const;
  void apply(const Candidate &, const sovo_contact &);
};

}    // namespace LAMMPS_NS

#endif
