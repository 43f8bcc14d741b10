// A program of FCL, as it is and with one line added, that lets superovoid answer: an arm of seven links, as boxes, cylinders,
// capsules and balls, in 4,000 random poses before a shelf with cans, balls and cones. FCL's managers and default callbacks
// ask whether the arm is free, and how far it is from everything.
//
//     cargo build --release -p superovoid-capi
//     for line in "" -DONE_LINE; do
//       c++ -O2 -DNDEBUG $line -I include -o target/fcl_program ffi-tests/fcl_program.cpp
//           target/release/libsuperovoid.a $(pkg-config --cflags --libs fcl) -std=c++17 -lm -lpthread -ldl
//       target/fcl_program target/fcl_program$line.txt
//     done
//     paste target/fcl_program*.txt | awk '$1 != $3 || ($2 - $4) ^ 2 > 1e-12'
//
// Prints microseconds of a pose, the least of three passes, for each question; the file has both answers of every pose.
#include <fcl/fcl.h>

#include <chrono>
#include <cstdio>
#include <limits>
#include <memory>
#include <random>
#include <vector>

#ifdef ONE_LINE
#include <superovoid/fcl_in_place.hpp>
#endif

using fcl::Transform3d;
using fcl::Vector3d;
using Shape = std::shared_ptr<fcl::CollisionGeometryd>;
using Objects = std::vector<std::unique_ptr<fcl::CollisionObjectd>>;

static std::mt19937_64 engine(53);

static double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }

static Transform3d at(const Vector3d& place, const fcl::Quaterniond& turn = fcl::Quaterniond::Identity()) {
  Transform3d pose = Transform3d::Identity();
  pose.linear() = turn.toRotationMatrix();
  pose.translation() = place;
  return pose;
}

static void add(Objects& objects, const Shape& shape, const Transform3d& pose) {
  objects.push_back(std::make_unique<fcl::CollisionObjectd>(shape, pose));
}

/// Four boards, two walls, and on every board a row of things.
static Objects shelf() {
  Objects things;
  const auto board = std::make_shared<fcl::Boxd>(0.3, 1.2, 0.02), wall = std::make_shared<fcl::Boxd>(0.3, 0.02, 1.2);
  for (const double y : {-0.61, 0.61}) add(things, wall, at({0.7, y, 0.6}));
  const Shape kinds[] = {std::make_shared<fcl::Cylinderd>(0.03, 0.12), std::make_shared<fcl::Sphered>(0.04),
                         std::make_shared<fcl::Coned>(0.04, 0.1), std::make_shared<fcl::Boxd>(0.06, 0.1, 0.14),
                         std::make_shared<fcl::Capsuled>(0.025, 0.09)};
  const double heights[] = {0.06, 0.04, 0.05, 0.07, 0.07};
  for (int level = 0; level < 4; ++level) {
    add(things, board, at({0.7, 0, 0.4 * level - 0.01}));
    for (int k = 0; k < 10; ++k) {
      const int kind = (level + k) % 5;
      const fcl::Quaterniond turn(fcl::AngleAxisd(between(-3, 3), Vector3d::UnitZ()));
      add(things, kinds[kind], at({0.7 + between(-0.1, 0.1), 0.11 * k - 0.5, 0.4 * level + heights[kind]}, turn));
    }
  }
  return things;
}

/// The links of an arm; each turns about an axis of the one before.
struct Arm {
  const std::vector<Shape> shapes = {std::make_shared<fcl::Cylinderd>(0.08, 0.2), std::make_shared<fcl::Capsuled>(0.06, 0.2),
                                     std::make_shared<fcl::Boxd>(0.1, 0.1, 0.2),  std::make_shared<fcl::Capsuled>(0.05, 0.2),
                                     std::make_shared<fcl::Cylinderd>(0.05, 0.2), std::make_shared<fcl::Sphered>(0.07),
                                     std::make_shared<fcl::Boxd>(0.2, 0.06, 0.08)};

  std::vector<Transform3d> poses() const {
    std::vector<Transform3d> found;
    Transform3d joint = at({0, 0, 0.2});
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const Vector3d axis = k % 2 ? Vector3d::UnitY() : Vector3d::UnitZ();
      joint = joint * Transform3d(fcl::AngleAxisd(between(-1.2, 1.2), axis));
      found.push_back(joint * at({0, 0, 0.1}));
      joint = joint * at({0, 0, 0.2});
    }
    return found;
  }
};

int main(int count, char** arguments) {
  const Arm arm;
  const Objects things = shelf();
  Objects links;
  for (const Shape& shape : arm.shapes) add(links, shape, Transform3d::Identity());
  fcl::DynamicAABBTreeCollisionManagerd scene;
  for (const auto& thing : things) scene.registerObject(thing.get());
  scene.setup();
  std::vector<std::vector<Transform3d>> poses;
  for (int k = 0; k < 4000; ++k) poses.push_back(arm.poses());

  std::vector<double> answers[2];
  const char* const questions[] = {"free or not", "distance"};
  for (int question = 0; question < 2; ++question) {
    double least = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < 3; ++pass) {
      answers[question].clear();
      const auto start = std::chrono::steady_clock::now();
      for (const auto& pose : poses) {
        fcl::DefaultCollisionData<double> collision;
        fcl::DefaultDistanceData<double> distance;
        for (std::size_t k = 0; k < links.size(); ++k) {
          links[k]->setTransform(pose[k]);
          links[k]->computeAABB();
          if (question == 0 && !collision.done)
            scene.collide(links[k].get(), &collision, fcl::DefaultCollisionFunction<double>);
          if (question == 1) scene.distance(links[k].get(), &distance, fcl::DefaultDistanceFunction<double>);
        }
        answers[question].push_back(question == 0 ? collision.result.isCollision() : distance.result.min_distance);
      }
      const std::chrono::duration<double, std::micro> taken = std::chrono::steady_clock::now() - start;
      least = std::min(least, taken.count() / static_cast<double>(poses.size()));
    }
    std::printf("%s: %.2f us\n", questions[question], least);
  }
  if (count > 1) {
    std::FILE* file = std::fopen(arguments[1], "w");
    if (!file) return 1;
    for (std::size_t k = 0; k < poses.size(); ++k) std::fprintf(file, "%g %.12g\n", answers[0][k], answers[1][k]);
    std::fclose(file);
  }
  return 0;
}
