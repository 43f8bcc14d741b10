// coal's own functions, with superovoid in the place of its narrow phase: one call is added to a program.
#include <coal/broadphase/broadphase.h>
#include <coal/hfield.h>
#include <coal/shape/convex.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

#include <superovoid/coal_in_place.hpp>

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

static std::mt19937_64 engine(53);

static double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }

static Transform3s pose(double size) {
  const Eigen::Quaterniond q(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1));
  return Transform3s(Matrix3s(q.normalized().toRotationMatrix()), Vec3s(between(-size, size), between(-size, size), between(-size, size)));
}

static Geometry swept(std::shared_ptr<ShapeBase> shape, double radius) {
  shape->setSweptSphereRadius(radius);
  return shape;
}

static std::vector<Geometry> shapes() {
  auto points = std::make_shared<std::vector<Vec3s>>(
      std::vector<Vec3s>{Vec3s(0, 0, 0.6), Vec3s(0.5, 0, 0), Vec3s(-0.3, 0.4, 0), Vec3s(-0.3, -0.4, 0)});
  auto faces = std::make_shared<std::vector<Triangle>>(
      std::vector<Triangle>{Triangle(0, 1, 2), Triangle(0, 2, 3), Triangle(0, 3, 1), Triangle(1, 3, 2)});
  return {std::make_shared<sv::Superovoid>(0.5, 0.4, 0.3, 0.7, 1.2, 0.2, -0.1),
          std::make_shared<Box>(0.6, 0.8, 1),
          std::make_shared<Sphere>(0.4),
          std::make_shared<Ellipsoid>(0.3, 0.4, 0.5),
          std::make_shared<Capsule>(0.2, 0.6),
          std::make_shared<Cone>(0.4, 0.6),
          std::make_shared<Cylinder>(0.3, 0.6),
          std::make_shared<Convex<Triangle>>(points, 4, faces, 4),
          std::make_shared<Plane>(Vec3s(0, 0, 1), 0.1),
          std::make_shared<Halfspace>(Vec3s(0, 0.6, 0.8), -0.2),
          std::make_shared<TriangleP>(Vec3s(0.5, 0, 0), Vec3s(-0.3, 0.4, 0), Vec3s(-0.3, -0.4, 0.2)),
          swept(std::make_shared<Box>(0.4, 0.6, 0.8), 0.1),
          swept(std::make_shared<Plane>(Vec3s(0, 0, 1), 0.1), 0.05)};
}

static void every_two_shapes_have_our_answer() {
  const auto all = shapes();
  int overlapping = 0, apart = 0;
  for (const auto& g1 : all)
    for (const auto& g2 : all) {
      const ComputeDistance compute(g1.get(), g2.get());
      for (int k = 0; k < 12; ++k) {
        const Transform3s tf1 = pose(0.7), tf2 = pose(0.7);
        DistanceResult ours, in_place, computed;
        sv::distance(g1.get(), tf1, g2.get(), tf2, DistanceRequest(), ours);
        coal::distance(g1.get(), tf1, g2.get(), tf2, DistanceRequest(), in_place);
        compute(tf1, tf2, DistanceRequest(), computed);
        CHECK(in_place.min_distance == ours.min_distance && computed.min_distance == ours.min_distance);
        CHECK(in_place.o1 == g1.get() && in_place.o2 == g2.get());
        CollisionResult result;
        coal::collide(g1.get(), tf1, g2.get(), tf2, CollisionRequest(CONTACT, 4), result);
        CHECK(result.isCollision() == (ours.min_distance <= 0));
        if (result.isCollision()) CHECK(result.getContact(0).penetration_depth == ours.min_distance);
        (result.isCollision() ? overlapping : apart)++;
      }
    }
  std::printf("%d pairs apart, %d overlapping\n", apart, overlapping);
  CHECK(overlapping > 300 && apart > 300);
}

/// A superovoid that is a ball, on terrain: the same heights as coal's own sphere where it is over the terrain.
static void height_fields_are_solid_below() {
  MatrixXs heights(6, 5);
  for (int r = 0; r < 6; ++r)
    for (int c = 0; c < 5; ++c) heights(r, c) = between(0, 0.5);
  const auto field = std::make_shared<HeightField<OBBRSS>>(4, 5, heights, -0.5);
  const sv::Superovoid ball(0.2, 0.2, 0.2);
  const Sphere sphere(0.2);
  sv::meshes().add(field);
  int hits = 0;
  for (int k = 0; k < 200; ++k) {
    const Transform3s at(Vec3s(between(-2, 2), between(-2.5, 2.5), between(0.2, 1)));
    DistanceResult ours, theirs;
    coal::distance(&ball, at, field.get(), Transform3s(), DistanceRequest(), ours);
    coal::distance(field.get(), Transform3s(), &sphere, at, DistanceRequest(), theirs);
    if (theirs.min_distance > 0) CHECK_CLOSE(ours.min_distance, theirs.min_distance, 1e-5);
    CollisionResult found, expected;
    const std::size_t count = coal::collide(&ball, at, field.get(), Transform3s(), CollisionRequest(CONTACT, 100), found);
    coal::collide(field.get(), Transform3s(), &sphere, at, CollisionRequest(CONTACT, 100), expected);
    if (std::abs(ours.min_distance) > 1e-6) CHECK(found.isCollision() == (ours.min_distance < 0));
    if (expected.isCollision()) CHECK(found.isCollision());
    for (std::size_t i = 0; i < count; ++i) {
      const int leaf = found.getContact(i).b2;
      CHECK(leaf >= 0 && field->getNodes()[leaf].x_size == 1 && field->getNodes()[leaf].y_size == 1);
    }
    hits += found.isCollision();
  }
  CHECK(hits > 20);
  sv::meshes().remove(field.get());
}

/// The managers and the default callbacks of a program as it is.
static void managers_need_no_other_callback() {
  std::vector<std::unique_ptr<CollisionObject>> objects;
  DynamicAABBTreeCollisionManager manager;
  const auto all = shapes();
  for (int k = 0; k < 60; ++k) {
    objects.push_back(std::make_unique<CollisionObject>(all[k % 8], pose(1.5)));
    manager.registerObject(objects.back().get());
  }
  manager.setup();
  CollisionCallBackDefault callback;
  callback.data.request.num_max_contacts = 100000;
  manager.collide(&callback);
  std::size_t expected = 0;
  for (std::size_t i = 0; i < objects.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      CollisionResult result;
      expected += sv::collide(objects[i].get(), objects[k].get(), CollisionRequest(), result) > 0;
    }
  CHECK(expected > 20 && callback.data.result.numContacts() == expected);
}

static void meshes_are_met_with_superovoids() {
  auto mesh = std::make_shared<BVHModel<OBBRSS>>();
  mesh->beginModel();
  mesh->addTriangle(Vec3s(-5, -5, 0), Vec3s(5, -5, 0), Vec3s(0, 5, 0));
  mesh->endModel();
  const sv::Superovoid ball(1, 1, 1);
  const Box box(1, 1, 1);
  for (const bool added : {false, true}) {
    if (added) sv::meshes().add(mesh);
    DistanceResult ovoid, other;
    coal::distance(mesh.get(), Transform3s(), &ball, Transform3s(Vec3s(0, 0, 2.5)), DistanceRequest(), ovoid);
    CHECK_CLOSE(ovoid.min_distance, 1.5, 1e-8);
    CHECK(ovoid.b1 == 0 && ovoid.b2 == -1);
    coal::distance(mesh.get(), Transform3s(), &box, Transform3s(Vec3s(0, 0, 2.5)), DistanceRequest(), other);
    CHECK_CLOSE(other.min_distance, 2, 1e-6);
  }
  sv::meshes().remove(mesh.get());
}

/// Meshes that are in meshes() are answered here, with shapes, terrain and each other; others by coal, as before.
static void meshes_that_were_added_are_answered() {
  const auto made = [](double size) {
    auto mesh = std::make_shared<BVHModel<OBBRSS>>();
    mesh->beginModel();
    const Vec3s corners[4] = {{0, 0, size}, {size, 0, -size}, {-size, size, -size}, {-size, -size, -size}};
    const int faces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    for (const auto& f : faces) mesh->addTriangle(corners[f[0]], corners[f[1]], corners[f[2]]);
    mesh->endModel();
    return mesh;
  };
  const auto a = made(0.5), b = made(0.3);
  const Box box(0.4, 0.3, 0.6);
  const std::pair<const CollisionGeometry*, const CollisionGeometry*> pairs[] = {{a.get(), b.get()}, {a.get(), &box}, {&box, b.get()}};
  int meet = 0;
  for (int k = 0; k < 300; ++k) {
    const Transform3s at_a = pose(0.4), at_b = pose(0.4);
    for (const auto& [first, second] : pairs) {
      double distances[2];
      bool hits[2];
      for (const bool added : {false, true}) {
        if (added) sv::meshes().add(a), sv::meshes().add(b);
        DistanceResult distance;
        distances[added] = coal::distance(first, at_a, second, at_b, DistanceRequest(), distance);
        CollisionResult result;
        hits[added] = coal::collide(first, at_a, second, at_b, CollisionRequest(CONTACT, 10), result) > 0;
        if (added && hits[1]) CHECK(result.getContact(0).o1 == first && result.getContact(0).o2 == second);
        sv::meshes().remove(a.get()), sv::meshes().remove(b.get());
      }
      if (std::abs(distances[1]) > 1e-5) CHECK(hits[0] == hits[1]);
      if (distances[1] > 0) CHECK_CLOSE(distances[0], distances[1], 1e-5);
      meet += hits[1];
    }
  }
  CHECK(meet > 100 && meet < 800);
}

/// A patch of a superovoid is the point of its contact; others are coal's.
static void patches_are_made_of_contacts() {
  const sv::Superovoid ball(1, 1, 1);
  const Box box(2, 2, 2);
  const Transform3s above(Vec3s(0.2, 0.1, 1.9));
  const std::pair<const CollisionGeometry*, std::size_t> tops[] = {{&ball, 1}, {&box, 4}};
  for (const auto& [top, points] : tops) {
    CollisionResult contacts;
    CHECK(coal::collide(&box, Transform3s(), top, above, CollisionRequest(CONTACT, 1), contacts) == 1);
    const ContactPatchRequest request;
    ContactPatchResult patches, same;
    coal::computeContactPatch(&box, Transform3s(), top, above, contacts, request, patches);
    sv::computeContactPatch(&box, Transform3s(), top, above, contacts, request, same);
    for (const ContactPatchResult* found : {&patches, &same}) {
      CHECK(found->numContactPatches() == 1);
      const ContactPatch& patch = found->getContactPatch(0);
      CHECK(patch.size() == points);
      CHECK_CLOSE(patch.penetration_depth, -0.1, 1e-9);
      CHECK_CLOSE(patch.getNormal()[2], 1, 1e-9);
      if (points == 1) CHECK_CLOSE((patch.getPoint(0) - Vec3s(0.2, 0.1, 0.95)).norm(), 0, 1e-6);
    }
  }
}

struct Foreign : CollisionGeometry {
  CollisionGeometry* clone() const override { return new Foreign(*this); }
  void computeLocalAABB() override {}
  bool isEqual(const CollisionGeometry&) const override { return false; }
};

static void a_foreign_geometry_is_refused() {
  const Foreign foreign;
  const Box box(1, 1, 1);
  for (const bool first : {true, false}) {
    std::string text;
    try {
      CollisionResult result;
      const CollisionGeometry *a = &foreign, *b = &box;
      if (!first) std::swap(a, b);
      coal::collide(a, Transform3s(), b, Transform3s(), CollisionRequest(), result);
    } catch (const superovoid::error& error) {
      text = error.what();
    }
    CHECK(text.find("neither coal's nor a superovoid") != std::string::npos);
  }
}

int main() {
  sv::install();
  every_two_shapes_have_our_answer();
  height_fields_are_solid_below();
  managers_need_no_other_callback();
  meshes_are_met_with_superovoids();
  meshes_that_were_added_are_answered();
  patches_are_made_of_contacts();
  a_foreign_geometry_is_refused();
  if (failures) std::fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
