// Times every two of coal's shapes as coal and as superovoid in its place answer them, in one run, and compares the answers.
//
//     cargo build --release -p superovoid-capi
//     c++ -std=c++17 -O2 -DNDEBUG -I include -o target/in_place_times ffi-tests/in_place_times.cpp
//         target/release/libsuperovoid.a $(pkg-config --cflags --libs coal) -lm -lpthread -ldl
//     target/in_place_times
//
// For each pair: nanoseconds of superovoid, of coal, and their ratio, for a distance and for a collision, the least of three
// passes over 2,000 random poses; how often the verdicts differ, and the greatest difference of the distances, metres (of the
// depth, where both say that the shapes overlap).
#include <coal/shape/convex.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#include <superovoid/coal.hpp>

namespace sv = superovoid::coal::detail;
using namespace coal;

static std::mt19937_64 engine(1);

static double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }

static Transform3s pose(double size) {
  const Eigen::Quaterniond q(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1));
  return Transform3s(Matrix3s(q.normalized().toRotationMatrix()), Vec3s(between(-size, size), between(-size, size), between(-size, size)));
}

enum { POSES = 2000 };

static double nanoseconds(const std::function<void(int)>& query) {
  double least = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < 3; ++pass) {
    const auto start = std::chrono::steady_clock::now();
    for (int k = 0; k < POSES; ++k) query(k);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / POSES);
  }
  return least;
}

int main() {
  auto points = std::make_shared<std::vector<Vec3s>>();
  for (int k = 0; k < 30; ++k) points->push_back(0.4 * Vec3s(between(-1, 1), between(-1, 1), between(-1, 1)).normalized());
  const std::unique_ptr<ConvexBase> hull(ConvexBase::convexHull(points, 30, true, nullptr));
  const struct {
    const char* name;
    std::shared_ptr<CollisionGeometry> geometry;
  } shapes[] = {{"box", std::make_shared<Box>(0.6, 0.8, 1)},
                {"sphere", std::make_shared<Sphere>(0.4)},
                {"ellipsoid", std::make_shared<Ellipsoid>(0.3, 0.4, 0.5)},
                {"capsule", std::make_shared<Capsule>(0.2, 0.6)},
                {"cone", std::make_shared<Cone>(0.4, 0.6)},
                {"cylinder", std::make_shared<Cylinder>(0.3, 0.6)},
                {"hull of 30", std::shared_ptr<CollisionGeometry>(hull->clone())},
                {"plane", std::make_shared<Plane>(Vec3s(0, 0, 1), 0.1)},
                {"half-space", std::make_shared<Halfspace>(Vec3s(0, 0.6, 0.8), -0.2)}};
  for (const bool overlapping : {false, true}) {
    std::printf("%s\n", overlapping ? "mostly overlapping" : "mostly apart");
    const std::size_t count = sizeof shapes / sizeof *shapes;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = i; j < count; ++j) {
        std::vector<Transform3s> tf1, tf2;
        for (int k = 0; k < POSES; ++k) {
          tf1.push_back(pose(overlapping ? 0.25 : 1.5));
          tf2.push_back(pose(overlapping ? 0.25 : 1.5));
        }
        const auto *a = shapes[i].geometry.get(), *b = shapes[j].geometry.get();
        std::vector<double> ours(POSES), theirs(POSES);
        const double distance = nanoseconds([&](int k) {
          DistanceResult result;
          ours[k] = sv::distance(a, tf1[k], b, tf2[k], DistanceRequest(), result, nullptr, true);
        });
        const double of_coal = nanoseconds([&](int k) {
          DistanceResult result;
          theirs[k] = coal::distance(a, tf1[k], b, tf2[k], DistanceRequest(), result);
        });
        const double collision = nanoseconds([&](int k) {
          CollisionResult result;
          sv::collide(a, tf1[k], b, tf2[k], CollisionRequest(), result, nullptr, true);
        });
        const double collision_of_coal = nanoseconds([&](int k) {
          CollisionResult result;
          coal::collide(a, tf1[k], b, tf2[k], CollisionRequest(), result);
        });
        int differ = 0;
        double worst = 0;
        for (int k = 0; k < POSES; ++k) {
          differ += (ours[k] <= 0) != (theirs[k] <= 0);
          if (std::isfinite(ours[k]) && std::isfinite(theirs[k])) worst = std::max(worst, std::abs(ours[k] - theirs[k]));
        }
        std::printf("%-10s %-10s %9.0f %6.0f %6.2f %9.0f %6.0f %6.2f  %d %.1e\n", shapes[i].name, shapes[j].name, distance,
                    of_coal, distance / of_coal, collision, collision_of_coal, collision / collision_of_coal, differ, worst);
      }
  }
}
