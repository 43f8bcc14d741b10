// superovoid/coal.hpp: pairs against coal's own primitives, the semantics of distance() and collide(), and
// broad-phase managers.
#include <cstdio>
#include <random>
#include <set>

#include <coal/broadphase/broadphase.h>
#include <superovoid/coal.hpp>

namespace sv = superovoid::coal;
using namespace coal;
using Geometry = std::shared_ptr<CollisionGeometry>;

static int failures = 0;

#define CHECK(condition) check_that(condition, #condition, __LINE__)

static void check_that(bool condition, const char* text, int line) {
  if (condition) return;
  if (++failures <= 20) std::fprintf(stderr, "line %d: %s\n", line, text);
}

#define CHECK_CLOSE(x, y, tolerance) check_close(x, y, tolerance, #x ", " #y, __LINE__)

static void check_close(double x, double y, double tolerance, const char* text, int line) {
  if (std::abs(x - y) <= tolerance) return;
  if (++failures <= 20) std::fprintf(stderr, "line %d: %s: %.17g and %.17g\n", line, text, x, y);
}

static std::mt19937_64 engine(1);

static double between(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(engine);
}

static Vec3s vector(double size) {
  const double x = between(-size, size), y = between(-size, size), z = between(-size, size);
  return Vec3s(x, y, z);
}

static Transform3s pose(double size) {
  Eigen::Vector4d q;
  for (int i = 0; i < 4; ++i) q[i] = std::normal_distribution<double>()(engine);
  return Transform3s(Matrix3s(Eigen::Quaterniond(q.normalized()).toRotationMatrix()), vector(size));
}

static Vec3s extents() { return vector(0.5).cwiseAbs() + Vec3s::Constant(0.3); }

static DistanceResult own_distance(const Geometry& g1, const Transform3s& tf1, const Geometry& g2,
                                   const Transform3s& tf2) {
  DistanceResult result;
  CHECK(sv::distance(g1.get(), tf1, g2.get(), tf2, DistanceRequest(), result) == result.min_distance);
  return result;
}

/// What must hold of any pair.
static void check_semantics(const Geometry& g1, const Transform3s& tf1, const Geometry& g2,
                            const Transform3s& tf2) {
  const DistanceResult there = own_distance(g1, tf1, g2, tf2), back = own_distance(g2, tf2, g1, tf1);
  const double d = there.min_distance;
  const Vec3s gap = there.nearest_points[1] - there.nearest_points[0];
  CHECK(there.o1 == g1.get() && there.o2 == g2.get());
  CHECK_CLOSE(there.normal.norm(), 1, 1e-9);
  CHECK_CLOSE((gap - d * there.normal).norm(), 0, 1e-8);
  CHECK_CLOSE(back.min_distance, d, 1e-8);
  if (std::abs(d) > 1e-3) CHECK(gap.dot(back.nearest_points[1] - back.nearest_points[0]) < 0);

  DistanceResult without_sign;
  DistanceRequest request;
  request.enable_signed_distance = false;
  sv::distance(g1.get(), tf1, g2.get(), tf2, request, without_sign);
  CHECK(without_sign.min_distance == std::max(d, 0.0));

  // A contact wherever the distance is at most the margin, as coal: the depth is the signed distance.
  for (const double margin : {d - 0.01, d + 0.01, 0.0}) {
    CollisionRequest collide;
    CollisionResult result;
    collide.security_margin = margin;
    const std::size_t count = sv::collide(g1.get(), tf1, g2.get(), tf2, collide, result);
    CHECK(count == (d <= margin) && result.numContacts() == count);
    CHECK_CLOSE(result.distance_lower_bound, d - margin, 1e-9);
    if (count == 0) continue;
    const Contact& contact = result.getContact(0);
    CHECK(contact.o1 == g1.get() && contact.b1 == there.b1 && contact.b2 == there.b2);
    CHECK_CLOSE(contact.penetration_depth, d, 1e-9);
    CHECK_CLOSE((contact.normal - there.normal).norm(), 0, 1e-6);
    CHECK_CLOSE((contact.nearest_points[0] - there.nearest_points[0]).norm(), 0, 1e-6);
    CHECK_CLOSE((contact.pos - (there.nearest_points[0] + there.nearest_points[1]) / 2).norm(), 0, 1e-6);
  }
  // Nothing within the upper bound: free, with a bound.
  if (d > 0.1) {
    CollisionRequest collide;
    CollisionResult result;
    collide.distance_upper_bound = 0.05;
    CHECK(sv::collide(g1.get(), tf1, g2.get(), tf2, collide, result) == 0);
    CHECK(result.distance_lower_bound >= 0.05 && result.distance_lower_bound <= d + 1e-9);
  }
}

static Geometry box_hull(const Vec3s& side) {
  auto points = std::make_shared<std::vector<Vec3s>>();
  for (int i = 0; i < 8; ++i)
    points->push_back(side.cwiseProduct(Vec3s((i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5)));
  return Geometry(ConvexBase::convexHull(points, 8, true, "Qt"));
}

template <typename BV>
static Geometry box_mesh(const Vec3s& side) {
  auto model = std::make_shared<BVHModel<BV>>();
  model->beginModel();
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-0.5, 0.5}) {
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;
      Vec3s corners[4];
      for (int i = 0; i < 4; ++i) {
        corners[i][axis] = sign * side[axis];
        corners[i][u] = side[u] * (i == 1 || i == 2 ? 0.5 : -0.5);
        corners[i][v] = side[v] * (i >= 2 ? 0.5 : -0.5);
      }
      model->addTriangle(corners[0], corners[1], corners[2]);
      model->addTriangle(corners[0], corners[2], corners[3]);
    }
  model->endModel();
  return model;
}

static Geometry other(int kind) {
  const Vec3s side = extents(), n = vector(1).normalized();
  switch (kind) {
    case 0: return std::make_shared<Sphere>(side[0]);
    case 1: return std::make_shared<Box>(side);
    case 2: return std::make_shared<Capsule>(side[0] / 2, side[1]);
    case 3: return std::make_shared<Halfspace>(n, side[0]);
    case 4: return std::make_shared<Plane>(n, side[0]);
    case 5: return std::make_shared<TriangleP>(vector(0.5), vector(0.5), vector(0.5));
    case 6: return box_hull(side);
    case 7: return std::make_shared<Ellipsoid>(side / 2);
    case 8: return box_mesh<OBBRSS>(side);
    case 9: return box_mesh<AABB>(side);
    default: return std::make_shared<sv::Superovoid>(side[0] / 2, side[1] / 2, side[2] / 2, 0.4, 1.2);
  }
}

/// A ball given as a superovoid, with and without swept spheres, against coal's answers for its Sphere.
static void balls_agree_with_coal_spheres() {
  int compared = 0, overlapping = 0;
  for (int k = 0; k < 150; ++k)
    for (const int kind : {0, 1, 2, 3, 4, 6}) {
      const double r = between(0.2, 0.6);
      const Geometry ball = std::make_shared<sv::Superovoid>(r, r, r);
      const Sphere sphere(r);
      const Geometry g2 = other(kind);
      if (k % 3 == 0) static_cast<ShapeBase&>(*g2).setSweptSphereRadius(between(0, 0.2));
      const Transform3s tf1 = pose(0.8), tf2 = pose(0.8);
      DistanceResult theirs;
      coal::distance(&sphere, tf1, g2.get(), tf2, DistanceRequest(), theirs);
      const double own = own_distance(ball, tf1, g2, tf2).min_distance;
      // EPA and GJK decide some of these.
      CHECK_CLOSE(own, theirs.min_distance, 1e-5);
      ++compared;
      overlapping += own <= 0;
    }
  std::printf("balls: %d pairs as coal's spheres, %d overlapping\n", compared, overlapping);
}

static void every_pair_has_the_semantics() {
  for (int k = 0; k < 20; ++k)
    for (int kind = 0; kind <= 10; ++kind) {
      const double e1 = between(0.2, 1.7), e2 = between(0.2, 1.7);
      const Geometry body = std::make_shared<sv::Superovoid>(between(0.2, 0.6), between(0.2, 0.6),
                                                             between(0.2, 0.6), e1, e2);
      check_semantics(body, pose(0.6), other(kind), pose(0.6));
    }
}

static void meshes_are_boxes_from_outside() {
  for (int k = 0; k < 40; ++k) {
    const Geometry body = std::make_shared<sv::Superovoid>(0.3, 0.4, 0.2, 0.5, 1.3, 0.2, 0.2);
    const Vec3s side = extents();
    const Geometry mesh = box_mesh<RSS>(side), box = std::make_shared<Box>(side);
    const Transform3s tf1 = pose(1), tf2 = pose(1);
    const double solid = own_distance(body, tf1, box, tf2).min_distance;
    const DistanceResult surface = own_distance(body, tf1, mesh, tf2);
    if (solid > 0) CHECK_CLOSE(surface.min_distance, solid, 1e-8);
    sv::Meshes meshes;
    meshes.add(mesh);
    DistanceResult prepared;
    sv::distance(body.get(), tf1, mesh.get(), tf2, DistanceRequest(), prepared, &meshes);
    CHECK(prepared.min_distance == surface.min_distance && prepared.b2 == surface.b2);
    CollisionRequest request(CONTACT, 100);
    CollisionResult all;
    sv::collide(mesh.get(), tf2, body.get(), tf1, request, all, &meshes);
    CHECK((all.numContacts() > 0) == (surface.min_distance <= 0));
    for (std::size_t i = 0; i < all.numContacts(); ++i) {
      CHECK(all.getContact(i).b1 >= 0 && all.getContact(i).b2 == -1);
      if (i > 0) CHECK(all.getContact(i).penetration_depth >= all.getContact(i - 1).penetration_depth);
    }
  }
}

#ifdef COAL_HAS_OCTOMAP
static void octrees_are_boxes() {
  Eigen::Matrix<CoalScalar, Eigen::Dynamic, 3> points(40, 3);
  for (int i = 0; i < 40; ++i) points.row(i) = vector(0.6).transpose();
  const OcTreePtr_t tree = makeOctree(points, 0.1);
  const auto boxes = tree->toBoxes();
  for (int k = 0; k < 100; ++k) {
    const double r = between(0.02, 0.3);
    const sv::Superovoid ball(r, r, r);
    const Transform3s tf1 = pose(1.5), tf2 = pose(0.5);
    const Vec3s center = tf2.getRotation().transpose() * (tf1.getTranslation() - tf2.getTranslation());
    double least = 1e9;
    for (const auto& box : boxes) {
      const Vec3s from = (center - box.head<3>()).cwiseAbs() - Vec3s::Constant(box[3] / 2);
      least = std::min(least, from.cwiseMax(0).norm() + std::min(0.0, from.maxCoeff()) - r);
    }
    DistanceResult result;
    sv::distance(tree.get(), tf2, &ball, tf1, DistanceRequest(), result);
    CHECK_CLOSE(result.min_distance, least, 1e-6);  // octomap's coordinates are single precision
  }
}
#endif

template <typename Action>
static std::string refused(Action&& action) {
  try {
    action();
  } catch (const superovoid::error& error) {
    return error.what();
  }
  return "";
}

static void cylinders_and_cones_are_answered() {
  const sv::Superovoid ball(1, 1, 1);
  const Cylinder cylinder(0.5, 6);
  const Cone cone(2, 2);
  Cylinder swept(0.5, 6);
  swept.setSweptSphereRadius(0.25);
  Ellipsoid grown(1, 1, 1);
  grown.setSweptSphereRadius(0.1);
  Transform3s here, there;
  there.setTranslation(Vec3s(3, 0, 0));
  const auto distance = [&](const CollisionGeometry& g) {
    DistanceResult result, swapped;
    sv::distance(&ball, here, &g, there, DistanceRequest(), result);
    sv::distance(&g, there, &ball, here, DistanceRequest(), swapped);
    CHECK_CLOSE(result.min_distance, swapped.min_distance, 1e-8);
    return result.min_distance;
  };
  CHECK_CLOSE(distance(cylinder), 1.5, 1e-8);
  CHECK_CLOSE(distance(swept), 1.25, 1e-8);
  CHECK_CLOSE(distance(grown), 0.9, 1e-8);
  // The rim of the base, at x = 1, z = -1.
  CHECK_CLOSE(distance(cone), std::sqrt(2.0) - 1, 1e-8);
  there.setTranslation(Vec3s(1, 0, 0));
  CHECK_CLOSE(distance(cylinder), -0.5, 1e-8);
}

static void what_cannot_be_answered_is_refused() {
  const sv::Superovoid ball(1, 1, 1);
  BVHModel<OBBRSS> cloud;
  cloud.beginModel();
  cloud.addSubModel(std::vector<Vec3s>{Vec3s(0, 0, 0), Vec3s(1, 0, 0), Vec3s(0, 1, 0)});
  cloud.endModel();
  const Transform3s here;
  const std::pair<const CollisionGeometry*, const char*> others[] = {
      {&cloud, "point cloud"}};
  for (const auto& [geometry, name] : others) {
    const CollisionGeometry* g = geometry;
    CollisionResult collision;
    DistanceResult result;
    const std::string first =
        refused([&] { sv::collide(&ball, here, g, here, CollisionRequest(), collision); });
    const std::string second =
        refused([&] { sv::distance(g, here, &ball, here, DistanceRequest(), result); });
    CHECK(first.find(name) != std::string::npos && second == first);
    CHECK(!collision.isCollision() && result.o1 == nullptr);
  }
  // Coal itself refuses superovoids.
  bool thrown = false;
  try {
    CollisionResult collision;
    coal::collide(&ball, here, &ball, here, CollisionRequest(), collision);
  } catch (const std::exception&) {
    thrown = true;
  }
  CHECK(thrown);
}

static void managers_find_all_pairs() {
  std::vector<std::unique_ptr<CollisionObject>> owned;
  std::vector<CollisionObject*> objects;
  for (int k = 0; k < 300; ++k) {
    Geometry geometry = std::make_shared<Box>(extents() / 2);
    if (k % 2) geometry = std::make_shared<sv::Superovoid>(0.2, 0.3, 0.15, between(0.2, 1.5), 0.7, 0.1, 0.1);
    owned.push_back(std::make_unique<CollisionObject>(geometry, pose(2)));
    objects.push_back(owned.back().get());
  }
  std::size_t pairs = 0;
  double least = 1e9;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      CollisionResult result;
      pairs += sv::collide(objects[i], objects[j], CollisionRequest(), result);
      DistanceResult distance;
      least = std::min(least, sv::distance(objects[i], objects[j], DistanceRequest(), distance));
    }
  DynamicAABBTreeCollisionManager tree;
  SaPCollisionManager sap;
  IntervalTreeCollisionManager interval;
  for (BroadPhaseCollisionManager* manager : {static_cast<BroadPhaseCollisionManager*>(&tree),
                                              static_cast<BroadPhaseCollisionManager*>(&sap),
                                              static_cast<BroadPhaseCollisionManager*>(&interval)}) {
    manager->registerObjects(objects);
    manager->setup();
    sv::CollisionCallBack collision;
    collision.data.request.num_max_contacts = 100000;
    manager->collide(&collision);
    collision.rethrow();
    std::set<std::pair<const void*, const void*>> found;
    for (const Contact& contact : collision.data.result.getContacts())
      found.insert(std::minmax<const void*>(contact.o1, contact.o2));
    CHECK(found.size() == pairs);
    sv::DistanceCallBack distance;
    manager->distance(&distance);
    distance.rethrow();
    CHECK(least < 0 && distance.data.result.min_distance < 0);
  }
  std::printf("managers: 300 objects, %zu colliding pairs\n", pairs);
}

static void inertia_is_coals() {
  const sv::Superovoid body(0.3, 0.4, 0.5);
  const Ellipsoid ellipsoid(0.3, 0.4, 0.5);
  CHECK_CLOSE(body.computeVolume(), ellipsoid.computeVolume(), 1e-12);
  CHECK_CLOSE((body.computeMomentofInertia() - ellipsoid.computeMomentofInertia()).norm(), 0, 1e-12);
  const sv::Superovoid egg(0.3, 0.4, 0.5, 1, 1, 0.2, 0.3);
  const Matrix3s derived = egg.CollisionGeometry::computeMomentofInertiaRelatedToCOM();
  CHECK_CLOSE((egg.computeMomentofInertiaRelatedToCOM() - derived).norm(), 0, 1e-12);
  const std::unique_ptr<sv::Superovoid> copy(egg.clone());
  CHECK(!(egg == body));
  CHECK(copy->computeCOM()[2] > 0.01);
}

int main() {
  balls_agree_with_coal_spheres();
  every_pair_has_the_semantics();
  meshes_are_boxes_from_outside();
#ifdef COAL_HAS_OCTOMAP
  octrees_are_boxes();
#endif
  cylinders_and_cones_are_answered();
  what_cannot_be_answered_is_refused();
  managers_find_all_pairs();
  inertia_is_coals();
  if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
