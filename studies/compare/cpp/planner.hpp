// What the drivers of the planner's questions have in common: bodies, the pairs that are compared, and the loop that
// asks and times. `src/planner/foreign.rs` has the same structs.

#ifndef SUPEROVOID_COMPARE_PLANNER_HPP
#define SUPEROVOID_COMPARE_PLANNER_HPP

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <vector>

extern "C" {

// One body in its own frame: a mesh, or a shape as people write it by hand.
struct Body {
  std::uint32_t kind;  // see Kind
  std::uint32_t reserved;
  double size[3];   // sphere: radius; box: half extents; capsule, cylinder: radius and half the length of its axis, z
  double pose[12];  // of a sphere, box, capsule or cylinder in the frame of the body; of an obstacle in the world
  const double* vertices;
  std::size_t vertex_count;
  const std::uint32_t* triangles;
  std::size_t triangle_count;
};
}

enum class Kind : std::uint32_t { sphere = 0, box = 1, capsule = 2, hull = 3, mesh = 4, cylinder = 5 };

inline bool is_primitive(const Body& body) {
  const Kind kind = static_cast<Kind>(body.kind);
  return kind != Kind::hull && kind != Kind::mesh;
}

// The bodies of a robot and its obstacles.
class Scene {
 public:
  virtual ~Scene() = default;
  // Replaces the obstacles that stand still; each is compared with every body, and not with the others.
  virtual void stand(const Body* obstacles, std::size_t count) = 0;
  // Moves the bodies; poses: rotation column by column and translation.
  virtual void move(const double* poses) = 0;
  // Whether any pair collides.
  virtual bool collides() = 0;
  // The least distance of all pairs; an overlap has 0 or less. The search ends with the first overlap, unless the depths
  // are asked for: then it is the deepest of all, as far as the engine knows depths.
  virtual double closest(bool depths) = 0;
};

// way 0: a loop over the pairs whose axis-aligned boxes meet; 1: the engine's broad phase.
Scene* make_scene(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
                  std::uint32_t way);

extern "C" {

std::size_t planner_body_size() { return sizeof(Body); }

void* planner_new(const Body* bodies, std::size_t count, const std::uint32_t* pairs, std::size_t pair_count,
                  std::uint32_t way, char* text, std::size_t text_size) {
  try {
    return make_scene(bodies, count, pairs, pair_count, way);
  } catch (const std::exception& error) {
    std::snprintf(text, text_size, "%s", error.what());
    return nullptr;
  }
}

// Replaces the obstacles that stand still. Returns 0, or 1 with a text where that fails.
int planner_stand(void* handle, const Body* obstacles, std::size_t count, char* text, std::size_t text_size) {
  try {
    static_cast<Scene*>(handle)->stand(obstacles, count);
    return 0;
  } catch (const std::exception& error) {
    std::snprintf(text, text_size, "%s", error.what());
    return 1;
  }
}

// Asks one configuration after the other and writes 1 or 0 for each (question 0), or the distance (question 1), or the
// distance with depths (question 2); NaN for an exception. poses: those of all bodies. Returns the nanoseconds.
double planner_ask(void* handle, const double* poses, std::size_t numbers, std::size_t configurations,
                   std::uint32_t question, double* answers) {
  using Clock = std::chrono::steady_clock;
  Scene& scene = *static_cast<Scene*>(handle);
  const auto start = Clock::now();
  for (std::size_t k = 0; k < configurations; ++k) {
    try {
      scene.move(poses + k * numbers);
      answers[k] = question == 0 ? (scene.collides() ? 1.0 : 0.0) : scene.closest(question == 2);
    } catch (const std::exception&) {
      answers[k] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void planner_free(void* handle) { delete static_cast<Scene*>(handle); }
}

#endif
