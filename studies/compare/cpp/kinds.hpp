// What the drivers of the table of kinds have in common: the shapes and poses that they are given, and the loop that
// answers. `src/kinds/foreign.rs` has the same struct.

#ifndef SUPEROVOID_COMPARE_KINDS_HPP
#define SUPEROVOID_COMPARE_KINDS_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

enum class Kind : std::uint32_t {
  ball = 0,          // size: radius
  capsule = 1,       // radius, length of the axis z between the middles of its ends
  cylinder = 2,      // radius, length along z
  cone = 3,          // the same; the tip is at +z, the middle of the axis at the origin
  box = 4,           // half extents
  hull = 5,          // points and triangles
  ellipsoid = 6,     // semi-axes
  triangle = 7,      // three points
  half_space = 8,    // outward unit normal, offset
  plane = 9,         // unit normal, offset
  mesh = 10,         // points and triangles: a surface
  boxes = 11,        // edge; points: middles of cubes on the lattice of that edge
  height_field = 12  // x and y dimension, bottom, number of columns; numbers: heights, row by row, y decreasing
};

enum class Question : std::uint32_t {
  distance = 0,  // signed
  tight = 1,     // the same at a tolerance of 1e-9
  verdict = 2    // 1: they overlap
};

// With `parts` (a body has them) and `overlapping`, a distance is the greatest depth of a part, negative: that of all
// contacts.
struct Asked {
  Question question;
  bool parts, overlapping;

  bool deepest() const { return question != Question::verdict && parts && overlapping; }
};

// More than there are parts.
constexpr std::size_t all_contacts = std::size_t{1} << 30;

extern "C" {
struct Shape {
  Kind kind;
  std::uint32_t reserved;
  double size[4];
  const double* numbers;  // points, three each, or heights
  std::size_t number_count;
  const std::uint32_t* triangles;
  std::size_t triangle_count;
};
}

// An engine defines a type with
//
//     using Geometry, Pose;
//     static std::shared_ptr<Geometry> make(const Shape&);  // throws what it has not
//     static Pose pose(const double*);                      // x y z  qx qy qz qw
//     Engine(const Asked&);
//     static bool has(const Geometry& a, const Geometry& b, const Asked&);
//     double ask(const Geometry& a, const Pose&, const Geometry& b, const Pose&);
template <class Engine>
struct Made {
  bool parts;
  decltype(Engine::make(std::declval<const Shape&>())) geometry;
};

template <class Engine>
struct Cases {
  const typename Engine::Geometry &a, &b;
  Engine engine;
  std::vector<std::pair<typename Engine::Pose, typename Engine::Pose>> poses;
};

// Answers are NaN for an exception.
template <class Engine>
void answer(Cases<Engine>& cases, std::size_t first, std::size_t count, double* answers) {
  for (std::size_t k = 0; k < count; ++k) {
    const auto& pose = cases.poses[first + k];
    try {
      answers[k] = cases.engine.ask(cases.a, pose.first, cases.b, pose.second);
    } catch (const std::exception&) {
      answers[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
}

#define KINDS_DRIVER(Engine)                                                                                        \
  extern "C" {                                                                                                      \
  std::size_t kinds_shape_size() { return sizeof(Shape); }                                                          \
  void* kinds_shape(const Shape* shape) {                                                                           \
    try {                                                                                                           \
      return new Made<Engine>{shape->kind >= Kind::mesh, Engine::make(*shape)};                                     \
    } catch (const std::exception&) {                                                                               \
      return nullptr;                                                                                               \
    }                                                                                                               \
  }                                                                                                                 \
  void kinds_shape_free(void* shape) { delete static_cast<Made<Engine>*>(shape); }                                  \
  void* kinds_cases(const void* a, const void* b, const double* poses, std::size_t count, Question question,         \
                    bool overlapping) {                                                                              \
    const auto &of_a = *static_cast<const Made<Engine>*>(a), &of_b = *static_cast<const Made<Engine>*>(b);           \
    const Asked asked{question, of_a.parts || of_b.parts, overlapping};                                              \
    if (!Engine::has(*of_a.geometry, *of_b.geometry, asked)) return nullptr;                                         \
    auto* cases = new Cases<Engine>{*of_a.geometry, *of_b.geometry, Engine(asked), {}};                              \
    for (std::size_t k = 0; k < count; ++k)                                                                          \
      cases->poses.emplace_back(Engine::pose(poses + 14 * k), Engine::pose(poses + 14 * k + 7));                     \
    return cases;                                                                                                    \
  }                                                                                                                  \
  void kinds_cases_free(void* cases) { delete static_cast<Cases<Engine>*>(cases); }                                 \
  void kinds_run(void* cases, std::size_t first, std::size_t count, double* answers) {                              \
    answer(*static_cast<Cases<Engine>*>(cases), first, count, answers);                                             \
  }                                                                                                                 \
  }

#endif
