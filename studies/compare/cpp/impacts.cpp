// Times of impact of FCL 0.7 and Bullet: convex hulls that move on a straight line while they turn steadily about their
// origins, which both interpolate.

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/math/motion/interp_motion.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <memory>
#include <vector>

namespace {

// As in src/impacts/foreign.rs. Rotations column by column, then translations.
struct Body {
  const double* vertices;
  std::size_t vertex_count;
  const std::uint32_t* triangles;
  std::size_t triangle_count;
  double start[12], end[12];
};

struct Found {
  std::uint32_t hit;  // FREE, HIT or ABORTED
  double time;
  double nanoseconds;
};

enum Hit : std::uint32_t { FREE = 0, HIT = 1, ABORTED = 2 };

enum Kind : std::uint32_t { FCL_SAMPLES = 0, FCL_HULL_ADVANCEMENT = 1, FCL_MESH_ADVANCEMENT = 2, BULLET = 3 };

fcl::Transform3d transform(const double pose[12]) {
  fcl::Transform3d result = fcl::Transform3d::Identity();
  result.linear() = Eigen::Map<const Eigen::Matrix3d>(pose);
  result.translation() = Eigen::Map<const Eigen::Vector3d>(pose + 9);
  return result;
}

// About the origin, which is named: FCL's constructor without the point leaves it to what the memory held before.
fcl::InterpMotion<double> motion(const Body& body) {
  const fcl::Transform3d start = transform(body.start), end = transform(body.end);
  return {start.linear(), start.translation(), end.linear(), end.translation(), fcl::Vector3d::Zero()};
}

std::shared_ptr<fcl::CollisionGeometryd> hull(const Body& body) {
  auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
  for (std::size_t k = 0; k < body.vertex_count; ++k)
    vertices->push_back(Eigen::Map<const Eigen::Vector3d>(body.vertices + 3 * k));
  auto faces = std::make_shared<std::vector<int>>();
  for (std::size_t k = 0; k < body.triangle_count; ++k) {
    faces->push_back(3);
    for (int i = 0; i < 3; ++i) faces->push_back(static_cast<int>(body.triangles[3 * k + i]));
  }
  return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(body.triangle_count), faces);
}

std::shared_ptr<fcl::CollisionGeometryd> mesh(const Body& body) {
  auto model = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
  std::vector<fcl::Vector3d> vertices;
  for (std::size_t k = 0; k < body.vertex_count; ++k)
    vertices.push_back(Eigen::Map<const Eigen::Vector3d>(body.vertices + 3 * k));
  std::vector<fcl::Triangle> triangles;
  for (std::size_t k = 0; k < body.triangle_count; ++k)
    triangles.emplace_back(body.triangles[3 * k], body.triangles[3 * k + 1], body.triangles[3 * k + 2]);
  model->beginModel();
  model->addSubModel(vertices, triangles);
  model->endModel();
  return model;
}

// An assertion within an engine ends a program by abort(), and with it the whole comparison: here it ends the question.
sigjmp_buf after_abort;

void leave(int) { siglongjmp(after_abort, 1); }

template <typename Ask>
Found timed(Ask ask) {
  const auto start = std::chrono::steady_clock::now();
  const auto before = std::signal(SIGABRT, leave);
  Found found{ABORTED, 0, 0};
  if (sigsetjmp(after_abort, 1) == 0) found = ask();
  std::signal(SIGABRT, before);
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  found.nanoseconds = took.count();
  return found;
}

Found by_fcl(Kind kind, const Body& a, const Body& b) {
  const bool meshes = kind == FCL_MESH_ADVANCEMENT;
  const auto first = meshes ? mesh(a) : hull(a), second = meshes ? mesh(b) : hull(b);
  fcl::ContinuousCollisionRequestd request;
  request.ccd_solver_type = kind == FCL_SAMPLES ? fcl::CCDC_NAIVE : fcl::CCDC_CONSERVATIVE_ADVANCEMENT;
  return timed([&]() -> Found {
    const fcl::InterpMotion<double> motion_a = motion(a), motion_b = motion(b);
    fcl::ContinuousCollisionResultd result;
    fcl::continuousCollide<double>(first.get(), &motion_a, second.get(), &motion_b, request, result);
    return {result.is_collide, result.time_of_contact, 0};
  });
}

btTransform placed(const double pose[12]) {
  btMatrix3x3 turn;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) turn[i][j] = static_cast<btScalar>(pose[3 * j + i]);
  const auto at = [&](int k) { return static_cast<btScalar>(pose[9 + k]); };
  return btTransform(turn, btVector3(at(0), at(1), at(2)));
}

void fill(btConvexHullShape& shape, const Body& body) {
  for (std::size_t k = 0; k < body.vertex_count; ++k) {
    const double* x = body.vertices + 3 * k;
    shape.addPoint(btVector3(static_cast<btScalar>(x[0]), static_cast<btScalar>(x[1]), static_cast<btScalar>(x[2])),
                   false);
  }
  shape.recalcLocalAabb();
  // Its default of 0.04 would make the bodies larger.
  shape.setMargin(0);
}

Found by_bullet(const Body& a, const Body& b) {
  btConvexHullShape first, second;
  fill(first, a);
  fill(second, b);
  const btTransform from_a = placed(a.start), to_a = placed(a.end);
  const btTransform from_b = placed(b.start), to_b = placed(b.end);
  return timed([&]() -> Found {
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btContinuousConvexCollision solver(&first, &second, &simplex, &depth);
    btConvexCast::CastResult result;
    const bool hit = solver.calcTimeOfImpact(from_a, to_a, from_b, to_b, result);
    return {hit, result.m_fraction, 0};
  });
}

}  // namespace

extern "C" void impacts_run(std::uint32_t kind, const Body* a, const Body* b, Found* found) {
  *found = kind == BULLET ? by_bullet(*a, *b) : by_fcl(static_cast<Kind>(kind), *a, *b);
}
