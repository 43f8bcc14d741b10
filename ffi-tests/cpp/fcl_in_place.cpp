// FCL's own functions, with superovoid in the place of its narrow phase: one line is added to a program.
#include <fcl/fcl.h>

#include <superovoid/fcl_in_place.hpp>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include "fcl_check.hpp"

namespace sv = superovoid::fcl;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;
using fcl::Transform3d;
using fcl::Vector3d;

static std::mt19937 rng(53);

static double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(rng); }

static Transform3d random_pose(double reach) {
  Transform3d tf = Transform3d::Identity();
  tf.translation() = Vector3d(uniform(-reach, reach), uniform(-reach, reach), uniform(-reach, reach));
  tf.linear() = Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)).normalized().toRotationMatrix();
  return tf;
}

static std::vector<std::pair<std::string, Geometry>> shapes() {
  auto corners = std::make_shared<std::vector<Vector3d>>(
      std::vector<Vector3d>{{0, 0, 0.6}, {0.5, 0, 0}, {-0.3, 0.4, 0}, {-0.3, -0.4, 0}});
  auto faces = std::make_shared<std::vector<int>>(std::vector<int>{3, 0, 1, 2, 3, 0, 2, 3, 3, 0, 3, 1, 3, 1, 3, 2});
  return {{"superovoid", std::make_shared<sv::Superovoidd>(0.5, 0.4, 0.3, 0.7, 1.2, 0.2, -0.1)},
          {"box", std::make_shared<fcl::Boxd>(0.6, 0.8, 1)},
          {"sphere", std::make_shared<fcl::Sphered>(0.4)},
          {"ellipsoid", std::make_shared<fcl::Ellipsoidd>(0.3, 0.4, 0.5)},
          {"capsule", std::make_shared<fcl::Capsuled>(0.2, 0.6)},
          {"cone", std::make_shared<fcl::Coned>(0.4, 0.6)},
          {"cylinder", std::make_shared<fcl::Cylinderd>(0.3, 0.6)},
          {"convex", std::make_shared<fcl::Convexd>(corners, 4, faces)},
          {"plane", std::make_shared<fcl::Planed>(Vector3d(0, 0, 1), 0.1)},
          {"half-space", std::make_shared<fcl::Halfspaced>(Vector3d(0, 0.6, 0.8), -0.2)},
          {"triangle", std::make_shared<fcl::TrianglePd>(Vector3d(0.5, 0, 0), Vector3d(-0.3, 0.4, 0), Vector3d(-0.3, -0.4, 0.2))}};
}

static void every_two_shapes_have_our_answer() {
  const auto all = shapes();
  int overlapping = 0, apart = 0;
  for (const auto& [name1, g1] : all)
    for (const auto& [name2, g2] : all)
      for (int k = 0; k < 12; ++k) {
        const Transform3d tf1 = random_pose(0.7), tf2 = random_pose(0.7);
        fcl::DistanceRequestd ask;
        ask.enable_nearest_points = true;
        fcl::DistanceResultd theirs, ours;
        const double in_place = fcl::distance(g1.get(), tf1, g2.get(), tf2, ask, theirs);
        sv::distance(g1.get(), tf1, g2.get(), tf2, ask, ours);
        CHECK_CLOSE(theirs.min_distance, ours.min_distance, 1e-7);
        CHECK(in_place == theirs.min_distance);
        const bool collides = ours.min_distance < 0;
        if (!collides) {
          const double gap = (theirs.nearest_points[1] - theirs.nearest_points[0]).norm();
          CHECK_CLOSE(gap, ours.min_distance, 1e-7);
        }
        for (const auto solver : {fcl::GST_LIBCCD, fcl::GST_INDEP}) {
          fcl::CollisionRequestd request(4, true);
          request.gjk_solver_type = solver;
          fcl::CollisionResultd result;
          fcl::collide(g1.get(), tf1, g2.get(), tf2, request, result);
          if (result.isCollision() != collides)
            std::fprintf(stderr, "%s %s: %g\n", name1.c_str(), name2.c_str(), ours.min_distance);
          CHECK(result.isCollision() == collides);
          if (!collides) continue;
          const auto& contact = result.getContact(0);
          CHECK(contact.o1 == g1.get() && contact.o2 == g2.get());
          CHECK(contact.penetration_depth >= 0 && std::abs(contact.normal.norm() - 1) < 1e-9);
        }
        (collides ? overlapping : apart)++;
      }
  std::printf("%d pairs apart, %d overlapping\n", apart, overlapping);
  CHECK(overlapping > 200 && apart > 200);
}

template <typename BV>
static Geometry tessellated(const fcl::Sphered& ball) {
  auto model = std::make_shared<fcl::BVHModel<BV>>();
  fcl::generateBVHModel(*model, ball, Transform3d::Identity(), 16, 16);
  return model;
}

/// A superovoid that is a ball collides with the same triangles and cells as FCL's sphere does.
template <typename BV>
static void meshes_are_met_triangle_by_triangle(bool distances) {
  const Geometry mesh = tessellated<BV>(fcl::Sphered(1));
  const sv::Superovoidd ovoid(0.5, 0.5, 0.5);
  const fcl::Sphered sphere(0.5);
  std::size_t contacts = 0;
  for (int k = 0; k < 40; ++k) {
    const Transform3d at = random_pose(1.0), tf = random_pose(0.2);
    for (const bool first : {true, false}) {
      const auto count = [&](const fcl::CollisionGeometryd* g) {
        fcl::CollisionRequestd request(10000, true);
        fcl::CollisionResultd result;
        return first ? fcl::collide(g, at, mesh.get(), tf, request, result)
                     : fcl::collide(mesh.get(), tf, g, at, request, result);
      };
      CHECK(count(&ovoid) == count(&sphere));
      contacts += count(&ovoid);
      if (!distances) continue;
      const auto distance = [&](const fcl::CollisionGeometryd* g) {
        fcl::DistanceResultd result;
        first ? fcl::distance(g, at, mesh.get(), tf, fcl::DistanceRequestd(), result)
              : fcl::distance(mesh.get(), tf, g, at, fcl::DistanceRequestd(), result);
        return result.min_distance;
      };
      fcl::DistanceResultd ours;
      sv::distance<double>(&ovoid, at, mesh.get(), tf, fcl::DistanceRequestd(), ours);
      CHECK_CLOSE(distance(&ovoid), ours.min_distance, 1e-7);
      CHECK_CLOSE(distance(&sphere), ours.min_distance, 1e-7);
    }
  }
  CHECK(contacts > 100);
}

#if FCL_HAVE_OCTOMAP
static void octrees_are_met_cell_by_cell() {
  auto tree = std::make_shared<octomap::OcTree>(0.1);
  for (int k = 0; k < 200; ++k)
    tree->updateNode(octomap::point3d(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)), true);
  tree->updateInnerOccupancy();
  const fcl::OcTreed cells(tree);
  const sv::Superovoidd ovoid(0.3, 0.3, 0.3);
  const fcl::Sphered sphere(0.3);
  std::size_t contacts = 0;
  for (int k = 0; k < 40; ++k) {
    const Transform3d at = random_pose(1.2), tf = random_pose(0.2);
    const auto count = [&](const fcl::CollisionGeometryd* g) {
      fcl::CollisionRequestd request(10000, true);
      fcl::CollisionResultd result;
      return fcl::collide(g, at, &cells, tf, request, result);
    };
    CHECK(count(&ovoid) == count(&sphere));
    contacts += count(&ovoid);
    fcl::DistanceResultd found, ours;
    fcl::distance<double>(&ovoid, at, &cells, tf, fcl::DistanceRequestd(), found);
    sv::distance<double>(&ovoid, at, &cells, tf, fcl::DistanceRequestd(), ours);
    CHECK_CLOSE(found.min_distance, ours.min_distance, 1e-7);
  }
  CHECK(contacts > 50);
}
#endif

/// The managers and the default callbacks of a program as it is.
static void managers_need_no_other_callback() {
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects;
  fcl::DynamicAABBTreeCollisionManagerd manager;
  const auto all = shapes();
  for (int k = 0; k < 60; ++k) {
    objects.push_back(std::make_unique<fcl::CollisionObjectd>(all[k % 8].second, random_pose(1.5)));
    manager.registerObject(objects.back().get());
  }
  manager.setup();
  fcl::DefaultCollisionData<double> data;
  data.request.num_max_contacts = 100000;
  manager.collide(&data, fcl::DefaultCollisionFunction<double>);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      fcl::CollisionResultd result;
      expected += sv::collide(objects[i].get(), objects[k].get(), fcl::CollisionRequestd(), result) > 0;
    }
  CHECK(expected > 20 && data.result.numContacts() == expected);
}

/// A block on a table has four contacts, as many as are asked for at most, the deepest first.
static void faces_have_several_contacts() {
  const fcl::Boxd table(2, 2, 0.2), block(0.4, 0.2, 0.1);
  Transform3d on = Transform3d::Identity();
  on.translation() << 0.3, 0.2, 0.149;
  for (std::size_t most : {1, 3, 100}) {
    const fcl::CollisionRequestd request(most, true);
    fcl::CollisionResultd ours, theirs;
    sv::collide<double>(&table, Transform3d::Identity(), &block, on, request, ours);
    fcl::collide(&table, Transform3d::Identity(), &block, on, request, theirs);
    const std::size_t count = std::min<std::size_t>(most, 4);
    CHECK(theirs.numContacts() == count);
    for (std::size_t i = 0; i < count; ++i) {
      const auto& contact = theirs.getContact(i);
      CHECK(std::abs(contact.penetration_depth - 0.001) < 1e-12 && (contact.normal - Eigen::Vector3d::UnitZ()).norm() < 1e-12);
      if (most > 1) CHECK(std::abs(std::abs(contact.pos.y() - 0.2) - 0.1) < 1e-9 && std::abs(contact.pos.z() - 0.0995) < 1e-9);
    }
  }
  // Without enable_contact FCL counts a pair once; a superovoid has one point.
  fcl::CollisionResultd once, round;
  CHECK(sv::collide<double>(&table, Transform3d::Identity(), &block, on, fcl::CollisionRequestd(100), once) == 1);
  const sv::Superovoidd ovoid(0.4, 0.2, 0.05);
  CHECK(sv::collide<double>(&table, Transform3d::Identity(), &ovoid, on, fcl::CollisionRequestd(100, true), round) == 1);
}

/// Cost sources are FCL's, for superovoids too.
static void costs_are_counted() {
  const sv::Superovoidd ovoid(1, 1, 1);
  const fcl::Boxd box(2, 2, 2);
  Transform3d beside = Transform3d::Identity();
  beside.translation()[0] = 1.5;
  fcl::CollisionRequestd request(1, true, 4, true, false);
  fcl::CollisionResultd result;
  fcl::collide<double>(&ovoid, Transform3d::Identity(), &box, beside, request, result);
  CHECK(result.isCollision() && result.numCostSources() == 1);
  std::vector<fcl::CostSourced> costs;
  result.getCostSources(costs);
  CHECK_CLOSE(costs[0].aabb_max[0], 1, 1e-6);
  CHECK_CLOSE(costs[0].aabb_min[0], 0.5, 1e-6);
}

struct Foreign : fcl::CollisionGeometryd {
  void computeLocalAABB() override {}
};

static void a_foreign_geometry_is_refused() {
  const Foreign foreign;
  const fcl::Boxd box(1, 1, 1);
  for (const bool first : {true, false}) {
    std::string text;
    try {
      fcl::CollisionResultd result;
      const fcl::CollisionGeometryd *a = &foreign, *b = &box;
      if (!first) std::swap(a, b);
      fcl::collide(a, Transform3d::Identity(), b, Transform3d::Identity(), fcl::CollisionRequestd(), result);
    } catch (const superovoid::error& error) {
      text = error.what();
    }
    CHECK(text.find("neither FCL's nor a superovoid") != std::string::npos);
  }
}

int main() {
  every_two_shapes_have_our_answer();
  meshes_are_met_triangle_by_triangle<fcl::OBBRSSd>(true);
  meshes_are_met_triangle_by_triangle<fcl::AABBd>(false);
#if FCL_HAVE_OCTOMAP
  octrees_are_met_cell_by_cell();
#endif
  managers_need_no_other_callback();
  faces_have_several_contacts();
  costs_are_counted();
  a_foreign_geometry_is_refused();
  if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
