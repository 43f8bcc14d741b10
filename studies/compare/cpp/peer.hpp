// What a peer in C++ has in common with the others: the bodies and cases that it is given, and the loop that
// answers and times them. `src/peer/foreign.rs` has the same structs.

#ifndef SUPEROVOID_COMPARE_PEER_HPP
#define SUPEROVOID_COMPARE_PEER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>

extern "C" {

// Writes the point of the shape that is farthest in a direction, both in the shape's frame.
typedef void (*SupportFunction)(const void* shape, const double* direction, double* point);

// One body in its own frame.
struct Geometry {
  const void* shape;  // for the support function
  double semi_axes[3];
  const double* vertices;  // three numbers each; NULL where no mesh is asked for
  std::size_t vertex_count;
  const std::uint32_t* triangles;  // three vertices each, counter-clockwise from outside
  std::size_t triangle_count;
};

// Two bodies where they are. Poses: a rotation matrix, column by column, and a translation.
struct Case {
  std::uint32_t a, b;  // indices of geometries; b may be POINT, which lies at the translation
  double pose_a[12], pose_b[12];
  double before_a[12], before_b[12];  // where a warm start comes from
};

struct Answer {
  double distance;            // signed; -infinity: an overlap of unknown depth
  std::uint32_t converged;    // 0 if the peer says so, or has thrown
  std::uint32_t evaluations;  // of the support function of body A; 0 where they are not counted
};

struct Request {
  std::uint32_t kind;  // see Kind
  std::uint32_t warm;
  double tolerance;
  SupportFunction support;
};
}

enum class Kind : std::uint32_t {
  injected = 0,   // the support function, passed through the peer's own hook
  ellipsoid = 1,  // the peer's own ellipsoid
  nesterov = 2,   // the same with Nesterov's acceleration
  hull = 3,       // the mesh as a convex polytope
  mesh = 4,       // the mesh in a bounding-volume hierarchy
};

constexpr std::uint32_t POINT = 0xffffffff;

class Peer {
 public:
  virtual ~Peer() = default;
  virtual void answer(std::size_t index, Answer& answer) = 0;

  // An exception is a failure of the case, not of the run.
  void ask(std::size_t index, Answer& out) {
    out = {std::numeric_limits<double>::quiet_NaN(), 0, 0};
    try {
      answer(index, out);
    } catch (const std::exception&) {
      out.converged = 0;
    }
  }
};

// Defined by each peer; throws what it cannot do.
Peer* make_peer(const Request& request, const Geometry* geometries, std::size_t geometry_count,
                const Case* cases, std::size_t case_count);

extern "C" {

// The sizes of the structs, to be compared with those of the caller.
void peer_sizes(std::size_t sizes[4]) {
  sizes[0] = sizeof(Geometry);
  sizes[1] = sizeof(Case);
  sizes[2] = sizeof(Answer);
  sizes[3] = sizeof(Request);
}

// NULL, and a text, for what the peer cannot do. The shapes must live as long as the peer.
void* peer_new(const Request* request, const Geometry* geometries, std::size_t geometry_count,
               const Case* cases, std::size_t case_count, char* text, std::size_t text_size) {
  try {
    return make_peer(*request, geometries, geometry_count, cases, case_count);
  } catch (const std::exception& error) {
    std::snprintf(text, text_size, "%s", error.what());
    return nullptr;
  }
}

// Answers `count` cases from the first one on; with `nanoseconds` times each of them.
void peer_run(void* peer, std::size_t first, std::size_t count, Answer* answers, double* nanoseconds) {
  using Clock = std::chrono::steady_clock;
  Peer& self = *static_cast<Peer*>(peer);
  for (std::size_t k = 0; k < count; ++k) {
    if (!nanoseconds) {
      self.ask(first + k, answers[k]);
      continue;
    }
    const auto start = Clock::now();
    self.ask(first + k, answers[k]);
    nanoseconds[k] = std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  }
}

void peer_free(void* peer) { delete static_cast<Peer*>(peer); }
}

#endif
