// Every function of superovoid.hpp, against values known from elsewhere: balls, boxes and symmetry.
#include <superovoid.hpp>

#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#if __has_include(<span>) && __cplusplus >= 202002L
#include <span>
#endif

#include "expect.hpp"

namespace so = superovoid;

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinity = std::numeric_limits<double>::infinity();

// A ball of 1 cm, a brick as wide as it in x, and where another ball touches them and leaves 1 cm and
// 2 cm free.
const so::Superovoid ball = so::Superovoid::sphere(0.01);
const so::Superovoid brick({0.01, 0.02, 0.03}, {0.5, 0.5});
const so::Pose touching({0.02, 0, 0}), near({0.03, 0, 0}), far({0.04, 0, 0});

// The status that a call throws.
template <class Call>
sovo_status status_of(const Call& call) {
  try {
    call();
  } catch (const so::error& error) {
    EXPECT(std::strlen(error.what()) > 0);
    return error.status();
  }
  return SOVO_STATUS_OK;
}

void errors() {
  EXPECT(std::string(so::version()) == SOVO_VERSION);
  EXPECT(std::string(so::name(SOVO_STATUS_ERROR_POSE)) == "SOVO_STATUS_ERROR_POSE");
  so::check(SOVO_STATUS_OK);
  EXPECT(status_of([] { so::Superovoid({0.01, 0.01, -1}, {1, 1}); }) == SOVO_STATUS_ERROR_SHAPE);
  EXPECT(status_of([] { so::pair_contact(so::Superovoid(), {}, ball, {}); }) == SOVO_STATUS_ERROR_SHAPE);
  try {
    so::pair_contact(ball, so::Pose({0, 0, 0}, {0, 0, 0, 0}), ball, {});
    EXPECT(false);
  } catch (const std::runtime_error& error) {
    EXPECT(std::string(error.what()) == sovo_last_error());
  }
}

void vectors() {
  const double c[3] = {1, 2, 3};
  const std::array<double, 3> array = {1, 2, 3};
  EXPECT(so::Vec3(c) == so::Vec3(1, 2, 3));
  EXPECT(so::Vec3(array) == so::Vec3(1, 2, 3));
  EXPECT(so::Vec3() == so::Vec3(0, 0, 0));

  std::vector<so::Pose> poses(3);
  so::span<const sovo_pose> some = poses;
  EXPECT(some.size() == 3 && !some.empty() && some.dense());
  EXPECT(some.first() == poses.data() && &some[2] == &poses[2]);
  EXPECT(so::span<sovo_pose>().empty());
  struct Body {
    int id;
    so::Pose pose;
  };
  const Body bodies[2] = {{1, near}, {2, far}};
  some = so::span<const sovo_pose>(&bodies[0].pose, 2, sizeof bodies[0]);
  EXPECT(!some.dense() && some.stride() == sizeof(Body) && some[1].translation[0] == 0.04);
  some = so::repeat(near);
  EXPECT(some.size() == 1 && some.stride() == 0);
  sovo_pose plain[2] = {near, far};
  some = plain;
  EXPECT(some.size() == 2 && some[1].translation[0] == 0.04);
#ifdef __cpp_lib_span
  some = std::span<const so::Pose>(poses);
  EXPECT(some.size() == 3);
#endif

  const double rows[2][3] = {{1, 2, 3}, {4, 5, 6}};
  const std::vector<so::Vec3> list(4);
  const std::array<std::array<double, 3>, 5> arrays = {};
  EXPECT(so::Points(rows).size() == 2 && so::Points(rows).first() == rows[0]);
  EXPECT(so::Points(list).size() == 4 && so::Points(list).stride() == 24);
  EXPECT(so::Points(arrays).size() == 5 && so::Points(arrays).first() == arrays[0].data());
  EXPECT(so::Points(rows[0], 2).size() == 2 && so::Points().size() == 0);
  EXPECT(so::Points(std::vector<so::Vec3>()).first() == nullptr);
}

void poses() {
  const so::Pose turned = so::Pose::from_matrix({0, -1, 0, 1, 0, 0, 0, 0, 1}, {1, 2, 3});
  EXPECT_NEAR(turned.rotation[2], std::sqrt(0.5), 1e-15);
  EXPECT(turned.translation[1] == 2);
  EXPECT_NEAR(turned.rotation_matrix()[1], -1, 1e-15);
  const sovo_pose c = turned;
  EXPECT(so::Pose(c).translation[2] == 3);
  EXPECT(so::Pose().rotation[3] == 1);
  so::Pose pose = near;
  EXPECT(so::Pose::try_from_matrix({}, {}, pose) == SOVO_STATUS_ERROR_POSE);
  EXPECT(pose.translation[0] == 0.03);
  EXPECT(status_of([] { so::Pose::from_matrix({1, 2, 3}, {}); }) == SOVO_STATUS_ERROR_POSE);
}

void shapes() {
  EXPECT(ball.convex() && ball.semi_axes[2] == 0.01);
  EXPECT(!so::Superovoid({1, 1, 1}, {1, 0.5}, {0.9, 0}).convex());
  EXPECT_NEAR(ball.volume(), 4 * pi / 3 * 1e-6, 1e-15);
  EXPECT_NEAR(ball.mass_properties(1000).mass, 4 * pi / 3 * 1e-3, 1e-12);
  EXPECT_NEAR(ball.inside_outside({0, 0, 0}), -1, 1e-15);
  const so::Superovoid ellipsoid = so::Superovoid::ellipsoid({0.01, 0.02, 0.03});
  const so::Support support = ellipsoid.support({0, 0, 2});
  EXPECT_NEAR(support.value, 0.06, 1e-15);
  EXPECT_NEAR(support.point[2], 0.03, 1e-15);
  const so::SurfacePoint pole = ellipsoid.surface_point(0, pi / 2);
  EXPECT_NEAR(pole.point[2], 0.03, 1e-15);
  EXPECT_NEAR(pole.normal[2], 1, 1e-15);
  const so::TriangleMesh mesh = ellipsoid.tessellate(16);
  EXPECT(!mesh.triangles.empty() && mesh.triangles[0][0] < mesh.vertices.size());
  for (const so::Vec3& v : mesh.vertices) EXPECT_NEAR(ellipsoid.inside_outside(v), 0, 1e-12);
  EXPECT_NEAR(ellipsoid.bounding_sphere().radius, 0.03, 1e-12);
  EXPECT_NEAR(ellipsoid.aabb(near).max[0], 0.04, 1e-12);
  EXPECT_NEAR(ellipsoid.obb(near).half_extents[1], 0.02, 1e-12);

  EXPECT_NEAR(so::distance(so::BoundingSphere({0, 0, 0}, 1), so::BoundingSphere({3, 0, 0}, 1)), 1, 1e-15);
  EXPECT_NEAR(so::distance(so::Aabb({0, 0, 0}, {1, 1, 1}), so::Aabb({0, 0, 3}, {1, 1, 4})), 2, 1e-15);
  EXPECT_NEAR(so::distance(so::Obb({}, {1, 1, 1}), so::Obb(so::Pose({3, 0, 0}), {1, 1, 1})), 1, 1e-12);
  EXPECT(so::BoundingSphere().radius == 0 && so::Aabb().max[0] == 0 && so::Obb().half_extents[0] == 0);

  so::Superovoid made;
  EXPECT(so::Superovoid::try_make({1, 1, 1}, {1, 1}, {}, made) == SOVO_STATUS_OK && made.convex());
  EXPECT(so::Superovoid::try_make({1, 1, 1}, {3, 1}, {}, made) == SOVO_STATUS_ERROR_SHAPE && made.convex());
  const sovo_superovoid& c = made;
  EXPECT_NEAR(so::Superovoid(c).volume(), made.volume(), 0);
}

void pairs() {
  so::Contact contact = so::pair_contact(ball, {}, ball, near);
  EXPECT_NEAR(contact.distance, 0.01, 1e-10);
  EXPECT(contact.apart() && contact.certified() && contact.converged());
  EXPECT(contact.point_a[0] > 0.0099 && contact.normal[0] > 0.999);
  contact = so::pair_contact(ball, {}, ball, so::Pose({0.015, 0, 0}));
  EXPECT_NEAR(contact.distance, -0.005, 1e-9);
  EXPECT(!contact.apart() && contact.converged());
  EXPECT(!so::Contact().apart() && !so::Contact().converged());
  EXPECT(so::Contact(static_cast<const sovo_contact&>(contact)).distance == contact.distance);

  so::QueryOptions options;
  options.max_distance = 0.001;
  so::PairCache cache;
  contact = so::pair_contact(ball, {}, ball, far, options);
  EXPECT(contact.outcome == SOVO_OUTCOME_BEYOND && contact.apart());
  contact = so::pair_contact(ball, {}, ball, touching);
  EXPECT_NEAR(contact.distance, 0, 1e-10);
  contact = so::pair_contact(brick, {}, ball, near, {}, &cache);
  EXPECT(cache.seal != 0);
  EXPECT_NEAR(so::pair_contact(brick, {}, ball, near, {}, &cache).distance, contact.distance, 1e-10);

  so::Contact untouched;
  EXPECT(so::try_pair_contact(ball, {}, ball, near, contact) == SOVO_STATUS_OK);
  EXPECT_NEAR(contact.distance, 0.01, 1e-10);
  EXPECT(so::try_pair_contact(so::Superovoid(), {}, ball, near, untouched) == SOVO_STATUS_ERROR_SHAPE);
  EXPECT(untouched.outcome == SOVO_OUTCOME_NONE);
}

void points() {
  const so::VertexOptions options;
  EXPECT_NEAR(so::vertex_contact(ball, {}, {0, 0.03, 0}).distance, 0.02, 1e-12);
  EXPECT_NEAR(so::vertex_contact(ball, {}, {0, 0.03, 0}, options).distance, 0.02, 1e-12);
  EXPECT_NEAR(so::published::iterative_vertex_contact(ball, {}, {0, 0.03, 0}).distance, 0.02, 1e-4);
  EXPECT_NEAR(so::published::radial_vertex_contact(ball, {}, {0, 0.03, 0}).distance, 0.02, 1e-12);
  const so::Contact by_scheme =
      so::published::scheme_contact(SOVO_SCHEME_QUAD_IMPLICIT, ball, {}, ball, so::Pose(so::Vec3{0.05, 0, 0}));
  EXPECT_NEAR(by_scheme.distance, 0.03, 1e-7);
  so::Contact contact;
  EXPECT(so::try_vertex_contact(ball, {}, {0, 0, 0.005}, contact) == SOVO_STATUS_OK);
  EXPECT_NEAR(contact.distance, -0.005, 1e-9);
  EXPECT(status_of([] { so::vertex_contact(ball, {}, {0, 0, infinity}); }) == SOVO_STATUS_ERROR_GEOMETRY);
}

void bodies() {
  using so::Body;
  EXPECT_NEAR(so::contact(ball, {}, ball, near).distance, 0.01, 1e-10);
  EXPECT_NEAR(so::contact(ball, {}, Body::plane({0, 0, 2}, -0.06), {}).distance, 0.02, 1e-12);
  EXPECT_NEAR(so::contact(Body::half_space({0, 0, 1}, -0.03), {}, ball, {}).distance, 0.02, 1e-12);
  EXPECT_NEAR(so::contact(ball, {}, Body::segment({-1, 0, 0.03}, {1, 0, 0.03}), {}).distance, 0.02, 1e-10);
  EXPECT_NEAR(so::contact(ball, {}, Body::triangle({-1, -1, 0.03}, {1, -1, 0.03}, {0, 1, 0.03}), {}).distance, 0.02,
              1e-10);
  EXPECT_NEAR(so::contact(ball, {}, Body::point(), near).distance, 0.02, 1e-12);
  EXPECT_NEAR(so::contact(ball, {}, Body::cuboid({0.01, 0.01, 0.01}), far).distance, 0.02, 1e-10);
  EXPECT_NEAR(so::contact(Body::ball(0.01), {}, Body::capsule(0.01, 0.01), far).distance, 0.02, 1e-10);
  EXPECT_NEAR(so::contact(Body::cylinder(0.01, 0.01), {}, ball, far).distance, 0.02, 1e-8);
  EXPECT_NEAR(so::contact(Body::cone(0.01, 0.02), {}, ball, so::Pose({0, 0, 0.04})).distance, 0.02, 1e-8);
  const double corners[4][3] = {{0, -1, -1}, {0, 1, -1}, {0, 0, 1}, {1, 0, 0}};
  const so::Hull hull(corners);
  EXPECT_NEAR(so::contact(ball, {}, Body::points(corners), near).distance, 0.02, 1e-10);
  EXPECT_NEAR(so::contact(ball, {}, hull, near).distance, 0.02, 1e-10);
  EXPECT(hull && !so::Hull());
  EXPECT(status_of([] { so::contact(ball, {}, Body::points(so::Points()), near); }) == SOVO_STATUS_ERROR_GEOMETRY);
  EXPECT(status_of([] { so::contact(ball, {}, Body(), near); }) == SOVO_STATUS_ERROR_OPTION);
  EXPECT(status_of([] { so::contact(ball, {}, so::Hull(), near); }) == SOVO_STATUS_ERROR_NULL);
  EXPECT_NEAR(so::contact(Body::point(), {}, Body::point(), {}).distance, 0, 1e-15);
  EXPECT_NEAR(so::contact(Body::point(), {}, Body::point(), so::Pose({3, 0, 4})).distance, 5, 1e-14);
  const Body linking = Body::superquadric(so::SuperquadricFamily::Toroid, {1, 1, 1}, {1, 1}, 4);
  const double half = std::sqrt(0.5);
  EXPECT_NEAR(so::contact(linking, {}, linking, so::Pose({3, 0, 0}, {half, 0, 0, half})).distance, 1, 1e-8);
  const double heights[] = {0, 0, 0, 2};
  const so::HeightField terrain(heights, 2, {-1, 1}, {-1, 1}, -1);
  std::array<std::uint32_t, 2> on;
  EXPECT_NEAR(so::contact(Body::ball(0.25), so::Pose({-0.5, -0.5, 1}), terrain, {}, {}, &on).distance, 0.75, 1e-9);
  EXPECT(on[0] == UINT32_MAX && on[1] == 0 && terrain && !so::HeightField());
  EXPECT(status_of([&] { so::HeightField(heights, 3, {-1, 1}, {-1, 1}, -1); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::HeightField(heights, 2, {-1, 1}, {-1, 1}, 1); }) == SOVO_STATUS_ERROR_GEOMETRY);
  EXPECT_NEAR(Body::cylinder(0.01, 0.03).local_aabb().max[2], 0.015, 1e-15);
  so::Contact contact;
  EXPECT(so::try_contact(ball, {}, Body::ball(-1), near, contact) == SOVO_STATUS_ERROR_GEOMETRY);
  EXPECT(contact.outcome == SOVO_OUTCOME_NONE);
}

void moving_bodies() {
  const so::Motion still, rising({}, {0, 0, 0.1}, {0, 0, 20});
  const so::Motion passing = so::Motion::between(so::Vec3{-0.1, 0, 0}, so::Vec3{0.1, 0, 0}, SOVO_MOTION_KIND_SCREW);
  EXPECT_NEAR(passing.pose(0.75).translation[0], 0.05, 1e-15);
  EXPECT_NEAR(so::time_of_impact(ball, still, ball, passing).safe, 0.4, 1e-8);
  EXPECT(so::time_of_impact(ball, so::Motion(so::Vec3{0, 0.1, 0}), ball, passing).is_free());
  so::TimeOfImpactOptions options;
  options.min_separation = 0.02;
  EXPECT_NEAR(so::time_of_impact(ball, still, so::Body::point(), passing, options).safe, 0.35, 1e-8);
  EXPECT_NEAR(so::time_of_impact(ball, rising, so::Body::half_space({0, 0, -1}, -0.03), still).safe, 0.2, 1e-8);
  const double corners[3][3] = {{-1, -1, 0.03}, {1, -1, 0.03}, {0, 1, 0.03}};
  EXPECT_NEAR(so::time_of_impact(ball, rising, so::Body::points(corners), still).safe, 0.2, 1e-8);
  const so::Body can = so::Body::cylinder(0.01, 0.02), plate = so::Body::cuboid({1, 1, 0.01});
  const so::Motion above(so::Vec3{0, 0, 0.04});
  EXPECT_NEAR(so::time_of_impact(can, rising, plate, above).safe, 0.2, 1e-8);
  EXPECT_NEAR(so::time_of_impact(ball, rising, plate, above).safe, 0.2, 1e-8);
  const std::vector<so::Triangle> triangles{{0, 1, 2}};
  const so::TriMesh mesh(corners, triangles);
  EXPECT_NEAR(so::time_of_impact(ball, rising, mesh, still).safe, 0.2, 1e-8);
  const std::vector<so::Aabb> cells{so::Aabb({-1, -1, 0.03}, {1, 1, 1})};
  const so::BoxSet set(cells);
  EXPECT_NEAR(so::time_of_impact(ball, rising, set, still).safe, 0.2, 1e-8);
  EXPECT(so::time_of_impact(ball, still, ball, still).outcome == SOVO_TIME_OF_IMPACT_OVERLAPPING);
  EXPECT(status_of([&] { so::time_of_impact(ball, so::Motion({}, {infinity, 0, 0}, {}), ball, still); }) ==
         SOVO_STATUS_ERROR_GEOMETRY);
}

void batches() {
  const std::size_t count = 300;
  std::vector<so::Superovoid> shapes(count, ball);
  std::vector<so::Pose> poses;
  for (std::size_t k = 0; k < count; ++k) poses.emplace_back(so::Vec3(0.03 + 0.001 * double(k), 0, 0));
  std::vector<so::Contact> contacts(count);
  std::vector<so::PairCache> caches(count);
  const so::Pose origin;

  so::PairBatch batch;
  batch.shapes_a = so::repeat(brick);
  batch.poses_a = so::repeat(origin);
  batch.shapes_b = shapes;
  batch.poses_b = poses;
  batch.contacts = contacts;
  batch.caches = caches;
  batch.threads = 2;
  so::pair_contact_batch(batch);
  for (std::size_t k = 0; k < count; ++k)
    EXPECT_NEAR(contacts[k].distance, 0.01 + 0.001 * double(k), 1e-9);
  EXPECT(caches[count - 1].seal != 0);
  std::vector<so::Gradient> gradients(count);
  so::pair_gradient_batch(batch, gradients);
  EXPECT(so::Superovoid::nearest_convex({1, 1, 1}, {0.5, 0.5}, {0.1, 0.2}).convex());
  for (std::size_t k = 0; k < count; ++k) EXPECT_NEAR(gradients[k].gradient[6], 1, 1e-9);
  EXPECT(so::try_pair_gradient_batch(batch, gradients) == SOVO_STATUS_OK && gradients[7].exists());
  const so::span<sovo_gradient> fewer(gradients.data(), count - 1);
  EXPECT(so::try_pair_gradient_batch(batch, fewer) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::pair_gradient_batch(batch, fewer); }) == SOVO_STATUS_ERROR_SIZE);

  // Ended in every way: nothing is written.
  contacts.assign(count, so::Contact());
  const auto end = [](std::size_t done, std::size_t) { return done >= 64; };
  batch.threads = 1;
  EXPECT(status_of([&] { so::pair_contact_batch(batch, {}, end); }) == SOVO_STATUS_ERROR_CANCELLED);
  int calls = 0;
  try {
    so::pair_contact_batch(batch, {}, [&](std::size_t, std::size_t of) -> bool {
      EXPECT(of == count);
      if (++calls == 2) throw std::logic_error("enough");
      return false;
    });
    EXPECT(false);
  } catch (const std::logic_error& error) {
    EXPECT(std::string(error.what()) == "enough" && calls == 2);
  }
  const auto quiet = [](std::size_t, std::size_t) noexcept { return true; };
  EXPECT(so::try_pair_contact_batch(batch, {}, quiet) == SOVO_STATUS_ERROR_CANCELLED);
  batch.poses_b = so::span<const sovo_pose>(poses.data(), count - 1);
  EXPECT(status_of([&] { so::pair_contact_batch(batch); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::try_pair_contact_batch(batch) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(contacts[0].outcome == SOVO_OUTCOME_NONE);
  batch.poses_b = poses;
  EXPECT(so::try_pair_contact_batch(batch) == SOVO_STATUS_OK && contacts[0].certified());
  so::pair_contact_batch(so::PairBatch());

  const std::vector<so::Vec3> points(count, so::Vec3(0, 0, 0.03));
  so::VertexBatch vertices{points, contacts, 2};
  so::vertex_contact_batch(ball, {}, vertices);
  for (const so::Contact& contact : contacts) EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  EXPECT(so::try_vertex_contact_batch(ball, {}, vertices, {}, quiet) == SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(so::try_vertex_contact_batch(ball, {}, vertices) == SOVO_STATUS_OK);
  EXPECT(status_of([&] { so::vertex_contact_batch(ball, {}, vertices, {}, end); }) == SOVO_STATUS_ERROR_CANCELLED);
  contacts.resize(7);
  EXPECT(status_of([&] { so::vertex_contact_batch(ball, {}, {points, contacts}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::try_vertex_contact_batch(ball, {}, {points, contacts}) == SOVO_STATUS_ERROR_SIZE);
}

/// Two balls on their way to a wall: contacts, gradients, impacts and rays.
void body_batches() {
  const so::Body sphere = so::Superovoid::sphere(1), wall = so::Body::half_space({-1, 0, 0}, -3);
  const std::vector<so::Pose> poses{so::Pose(), so::Pose({-1, 0, 0})};
  std::vector<so::Motion> motions;
  for (const so::Pose& pose : poses) motions.emplace_back(pose, so::Vec3(8, 0, 0), so::Vec3());
  const so::Pose here;
  const so::Motion still;
  std::vector<so::PartContact> contacts(2);
  std::vector<so::Gradient> gradients(2), fewer(1);
  std::vector<so::TimeOfImpact> impacts(2);
  std::vector<so::RayHit> hits(2);
  const std::vector<so::Vec3> origins{{-9, 0, 0}, {-9, 5, 0}};
  const so::Vec3 ahead(1, 0, 0);
  so::BodyBatch pairs{so::repeat(sphere), poses, so::repeat(wall), so::repeat(here), contacts, 2};
  so::contact_batch(pairs);
  so::derivatives_batch(pairs, gradients);
  so::TimeOfImpactBatch moving{so::repeat(sphere), motions, so::repeat(wall), so::repeat(still), impacts, 2};
  so::time_of_impact_batch(moving);
  so::RayBatch rays{so::repeat(sphere), poses, origins, so::Points(ahead.data(), 1, 0), hits, 2};
  so::ray_cast_batch(rays);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_NEAR(contacts[k].contact.distance, 2.0 + static_cast<double>(k), 1e-12);
    EXPECT_NEAR(gradients[k].gradient[0], -1, 1e-12);
    EXPECT_NEAR(impacts[k].safe, (2.0 + static_cast<double>(k)) / 8, 1e-8);
  }
  EXPECT_NEAR(hits[0].time_of_impact, 8, 1e-12);
  EXPECT(hits[0] && !hits[1] && contacts[0].parts[0] == UINT32_MAX);
  const auto end = [](std::size_t, std::size_t) noexcept { return true; };
  EXPECT(so::try_contact_batch(pairs) == SOVO_STATUS_OK && so::try_contact_batch(pairs, {}, end) == SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(so::try_derivatives_batch(pairs, gradients) == SOVO_STATUS_OK);
  EXPECT(so::try_derivatives_batch(pairs, fewer) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::try_time_of_impact_batch(moving) == SOVO_STATUS_OK);
  EXPECT(so::try_time_of_impact_batch(moving, {}, end) == SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(so::try_ray_cast_batch(rays, 7) == SOVO_STATUS_OK && !hits[0]);
  EXPECT(status_of([&] { so::ray_cast_batch(rays, 7, true, end); }) == SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(status_of([&] { so::derivatives_batch(pairs, fewer); }) == SOVO_STATUS_ERROR_SIZE);
  pairs.poses_a = so::span<const sovo_pose>(poses.data(), 1), moving.motions_b = {}, rays.directions = {};
  EXPECT(status_of([&] { so::contact_batch(pairs); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::time_of_impact_batch(moving); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::ray_cast_batch(rays); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::try_contact_batch(pairs) == SOVO_STATUS_ERROR_SIZE && so::try_ray_cast_batch(rays) == SOVO_STATUS_ERROR_SIZE);
}

void indexed_batches() {
  // A chain of balls, 0.005 apart, in records with more than a pose; each ball and its next two.
  struct Body {
    so::Pose pose;
    int more;
  };
  const std::uint32_t count = 100;
  std::vector<Body> bodies;
  for (std::uint32_t k = 0; k < count; ++k) bodies.push_back({so::Pose(so::Vec3(0.025 * k, 0, 0)), 0});
  std::vector<std::uint32_t> first, second;
  for (std::uint32_t k = 0; k + 2 < count; ++k)
    for (std::uint32_t next = 1; next <= 2; ++next) first.push_back(k), second.push_back(k + next);
  std::vector<so::Contact> contacts(first.size());
  std::vector<so::PairCache> caches(first.size());

  so::IndexedPairBatch batch;
  batch.poses = so::span<const sovo_pose>(&bodies[0].pose, bodies.size(), sizeof(Body));
  batch.shapes = so::repeat(ball);
  batch.index_a = first;
  batch.index_b = second;
  batch.contacts = contacts;
  batch.caches = caches;
  batch.threads = 2;
  so::indexed_pair_contact_batch(batch);
  for (std::size_t k = 0; k < contacts.size(); ++k)
    EXPECT_NEAR(contacts[k].distance, k % 2 == 0 ? 0.005 : 0.03, 1e-9);

  // By types: even bodies are balls, odd ones bricks. Only the pairs within the margin have an answer.
  const std::vector<so::Superovoid> shapes = {ball, brick};
  std::vector<std::uint32_t> types;
  for (std::uint32_t k = 0; k < count; ++k) types.push_back(k % 2);
  const std::uint8_t wanted = SOVO_WANTED_NEAR;
  batch.shapes = shapes;
  batch.body_shapes = types;
  batch.wanted = so::repeat(wanted);
  batch.margin = 0.01;
  so::indexed_pair_contact_batch(batch);
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    so::Contact one;
    EXPECT(so::try_pair_contact(shapes[first[k] % 2], bodies[first[k]].pose, shapes[second[k] % 2], bodies[second[k]].pose,
                                one) == SOVO_STATUS_OK);
    if (one.distance < 0.01) EXPECT_NEAR(contacts[k].distance, one.distance, 1e-9);
    else EXPECT(contacts[k].lower >= 0.01);
  }

  const auto quiet = [](std::size_t, std::size_t) noexcept { return true; };
  EXPECT(so::try_indexed_pair_contact_batch(batch, {}, quiet) == SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(so::try_indexed_pair_contact_batch(batch) == SOVO_STATUS_OK);
  second[5] = count;
  EXPECT(status_of([&] { so::indexed_pair_contact_batch(batch); }) == SOVO_STATUS_ERROR_SIZE);
  second[5] = 0;
  batch.index_b = so::span<const std::uint32_t>(second.data(), second.size() - 1);
  EXPECT(status_of([&] { so::indexed_pair_contact_batch(batch); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::try_indexed_pair_contact_batch(batch) == SOVO_STATUS_ERROR_SIZE);
  batch.index_b = second;
  batch.body_shapes = so::span<const std::uint32_t>(types.data(), count - 1);
  EXPECT(so::try_indexed_pair_contact_batch(batch) == SOVO_STATUS_ERROR_SIZE);
  batch.body_shapes = {};
  EXPECT(so::try_indexed_pair_contact_batch(batch) == SOVO_STATUS_ERROR_SIZE);
  so::indexed_pair_contact_batch(so::IndexedPairBatch());
}

void trees() {
  // A floor of 10 by 10 squares of 1 cm, 3 cm below the ball.
  std::vector<so::Vec3> vertices;
  std::vector<so::Triangle> triangles;
  std::vector<so::Aabb> cells;
  for (std::uint32_t i = 0; i < 10; ++i) {
    for (std::uint32_t j = 0; j < 10; ++j) {
      const double x = 0.01 * i - 0.05, y = 0.01 * j - 0.05, z = -0.03, edge = 0.01;
      const auto first = std::uint32_t(vertices.size());
      for (int corner = 0; corner < 4; ++corner)
        vertices.emplace_back(x + edge * (corner % 2), y + edge * (corner / 2), z);
      triangles.push_back({first, first + 1, first + 2});
      triangles.push_back({first + 1, first + 3, first + 2});
      cells.emplace_back(so::Vec3(x, y, z - edge), so::Vec3(x + edge, y + edge, z));
    }
  }
  const so::TriMesh mesh(vertices, triangles);
  const so::BoxSet boxes(cells);
  EXPECT(mesh && boxes && mesh.get() != nullptr && boxes.get() != nullptr);
  std::array<std::uint32_t, 2> parts = {};
  so::Contact contact = so::contact(ball, {}, mesh, {}, {}, &parts);
  EXPECT(parts[0] == UINT32_MAX && parts[1] < triangles.size());
  EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  contact = so::contact(boxes, {}, ball, {}, {}, &parts);
  EXPECT(parts[0] < cells.size() && parts[1] == UINT32_MAX);
  EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  so::QueryOptions options;
  options.max_distance = 0.001;
  EXPECT(so::contact(ball, {}, mesh, {}, options).outcome == SOVO_OUTCOME_BEYOND);
  EXPECT(so::contact(ball, {}, boxes, {}, options).outcome == SOVO_OUTCOME_BEYOND);
  EXPECT(so::try_contact(ball, {}, mesh, {}, contact) == SOVO_STATUS_OK && contact.apart());
  EXPECT(so::contacts(ball, {}, mesh, {}, infinity).size() == 200);
  EXPECT(so::contacts(ball, {}, boxes, {}, infinity).size() == 100);
  EXPECT(so::contacts(ball, {}, mesh, {}, 0.01).empty());
  const auto nearest = so::contacts(ball, {}, boxes, {}, 0.0201);
  EXPECT(!nearest.empty() && nearest.size() < 100 && nearest[0].parts[1] < 100);

  const sovo_body table[2] = {sovo_body_cuboid(1, 1, 0.1), sovo_body_cuboid(0.2, 0.1, 0.05)};
  sovo_pose there[2] = {so::Pose{}, so::Pose{}};
  there[1].translation[2] = 0.149;
  const auto block = so::manifold_batch(table, there, {{0, 1}, {1, 0}}, 0.01);
  EXPECT(block.size() == 2 && block[0].count == 4 && block[1].count == 4);
  EXPECT_NEAR(block[0].points[0].distance, -0.001, 1e-12);
  const auto meeting = so::manifolds(ball, {}, boxes, {}, 0.0201);
  EXPECT(meeting.size() == nearest.size() && meeting[0].count == 1);
  EXPECT(so::manifold_batch({}, {}, {}).empty());
  try {
    (void)so::manifold_batch(table, there, {{0, 2}});
    EXPECT(!"an index that is not below the count");
  } catch (const so::error& e) {
    EXPECT(e.status() == SOVO_STATUS_ERROR_SIZE && std::string(e.what()).find("index 2") != std::string::npos);
  }

  const std::vector<so::Vec3> tips{{9, 9, 9}, {9, -9, -9}, {-9, 9, -9}, {-9, -9, 9}};
  const std::vector<so::Triangle> faces{{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
  const so::TriMesh solid(tips, faces), surface(tips, faces, true);
  EXPECT(solid.is_solid() && !surface.is_solid() && !mesh.is_solid());
  EXPECT(so::contact(ball, {}, solid, {}).distance < 0);
  EXPECT(so::contact(ball, {}, surface, {}).distance > 0);
  so::TriMesh made;
  EXPECT(so::TriMesh::try_make(tips, faces, made, true) == SOVO_STATUS_OK && !made.is_solid());

  so::TriMesh taken = so::TriMesh(vertices, triangles), moved = std::move(taken);
  EXPECT(moved && !taken);
  EXPECT(status_of([&] { so::contact(ball, {}, taken, {}); }) == SOVO_STATUS_ERROR_NULL);
  EXPECT(so::try_contact(ball, {}, so::BoxSet(), {}, contact) == SOVO_STATUS_ERROR_NULL);
  taken = std::move(moved);
  EXPECT(taken);
  EXPECT(so::TriMesh::try_make(vertices, so::span<const so::Triangle>(), taken) == SOVO_STATUS_ERROR_GEOMETRY);
  EXPECT(taken);
  EXPECT(so::TriMesh::try_make(vertices, triangles, moved) == SOVO_STATUS_OK && moved);
  so::BoxSet set;
  EXPECT(so::BoxSet::try_make(cells, set) == SOVO_STATUS_OK && set);
  static_assert(!std::is_copy_constructible_v<so::TriMesh> && std::is_nothrow_move_constructible_v<so::TriMesh>);
  static_assert(!std::is_copy_assignable_v<so::BoxSet> && std::is_nothrow_move_assignable_v<so::BoxSet>);

  const so::span<const so::Triangle> loose(triangles.data(), 2, 2 * sizeof(so::Triangle));
  const so::span<const so::Aabb> spread(cells.data(), 2, 2 * sizeof(so::Aabb));
  EXPECT(status_of([&] { so::TriMesh(vertices, loose); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::TriMesh::try_make(vertices, loose, taken) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::BoxSet some(spread); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(so::BoxSet::try_make(spread, set) == SOVO_STATUS_ERROR_SIZE && set);
}

void rays() {
  const so::RayHit hit = so::ray_cast(ball, {}, {0, 0, 0.05}, {0, 0, -1});
  EXPECT(hit);
  EXPECT_NEAR(hit.time_of_impact, 0.04, 1e-12);
  EXPECT(!so::ray_cast(ball, {}, {0, 0, 0.05}, {0, 0, -1}, 0.01));
  EXPECT(!so::ray_cast(ball, {}, {0, 0, 0.05}, {0, 0, 1}) && !so::RayHit());
  EXPECT(so::ray_cast(ball, {}, {0, 0, 0}, {0, 0, 1}).time_of_impact == 0);
  EXPECT_NEAR(so::ray_cast(ball, {}, {0, 0, 0}, {0, 0, 1}, infinity, false).time_of_impact, 0.01, 1e-12);
  EXPECT(so::segment_cast(ball, {}, {0, 0, 0.05}, {0, 0, 0}));
  EXPECT(!so::segment_cast(ball, {}, {0, 0, 0.05}, {0, 0, 0.02}));
  EXPECT_NEAR(so::segment_cast(ball, {}, {0, 0, 0}, {0, 0, 0.02}, false).time_of_impact, 0.5, 1e-12);
}

void superquadrics() {
  using so::Body;
  using Family = so::SuperquadricFamily;
  const Body ring = Body::superquadric(Family::Toroid, {0.005, 0.005, 0.005}, {1, 1}, 4);
  EXPECT_NEAR(so::contact(ring, {}, ball, {}).distance, 0.005, 1e-10);
  EXPECT_NEAR(so::contact(ring, {}, Body::ball(0.01), {}).distance, 0.005, 1e-10);
  EXPECT_NEAR(so::contact(ring, {}, Body::point(), {}).distance, 0.015, 1e-12);
  EXPECT_NEAR(so::contact(ring, so::Pose({0, 0, 0.01}), Body::plane({0, 0, 1}, 0), {}).distance, 0.005, 1e-12);
  EXPECT_NEAR(so::contact(ring, {}, Body::half_space({0, 0, 1}, 0), {}).distance, -0.005, 1e-12);
  const so::RayHit hit = so::ray_cast(ring, {}, {-1, 0, 0}, {1, 0, 0});
  EXPECT(hit && !so::ray_cast(ring, {}, {0, 0, 1}, {0, 0, -1}));
  EXPECT_NEAR(hit.time_of_impact, 0.975, 1e-12);
  const so::RayHits hits = so::ray_hits(ring, {}, {-1, 0, 0}, {1, 0, 0});
  EXPECT(hits.complete && hits.hits.size() == 4);
  EXPECT_NEAR(hits.hits[3].time_of_impact, 1.025, 1e-12);
  EXPECT_NEAR(ring.mass_properties(1000).mass, 1000 * 2 * pi * pi * 0.02 * 0.005 * 0.005, 1e-12);
  EXPECT_NEAR(ring.inside_outside({0.02, 0, 0}), -1, 1e-12);
  EXPECT_NEAR(ring.local_aabb().max[0], 0.025, 1e-15);
  EXPECT(ring.tessellate(8).triangles.size() == 128);
  const Body cup = Body::superquadric_hull(Family::UpperSheet, {1, 1, 1}, {1, 1}, 2);
  EXPECT_NEAR(so::contact(ball, {}, cup, {}).distance, 0.99, 1e-8);
  EXPECT_NEAR(Body::superquadric(Family::OneSheet, {1, 1, 1}, {1, 1}, 2).local_aabb().max[2], 2, 1e-15);
  EXPECT(status_of([] { Body::superquadric(Family::Toroid, {1, 1, 1}, {1, 1}, 1).local_aabb(); }) == SOVO_STATUS_ERROR_SHAPE);
}

void plane_geometry() {
  const so::PlanarContact contact =
      so::planar_segment_contact({0.01, 0.01}, 1, {0, 0}, 0, {-1, 0.03}, {1, 0.03});
  EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  EXPECT(so::PlanarContact().outcome == SOVO_OUTCOME_NONE);
}

// What a planner repeats, from arrays of every kind into memory of its own.
void planner(so::RobotScene& scene) {
  const std::vector<double> path = {0, 0.3, 1, -0.3, 0, 0.3};
  const std::array<double, 2> free = {0, 0.3};
  const double hit[2] = {1, -0.3};
  EXPECT(!scene.in_collision(free) && scene.in_collision(hit) && scene.in_collision({path.data() + 2, 2}));
#if __cplusplus >= 202002L
  EXPECT(scene.in_collision(std::span(path).subspan(2, 2)));
#endif
  EXPECT(!scene.in_collision(std::vector<double>{0, 0.3}) && scene.edge_free({0, 0.3}, free).free());
  EXPECT(scene.find_collision(path, 2) == std::size_t(1) && !scene.find_collision({0, 0.3, 0, 0.2}, 2));
  EXPECT(!scene.find_collision({}, 2));
  EXPECT(status_of([&] { scene.find_collision({0, 0.3, 1}, 2); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.find_collision(path, 0); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.find_collision({0, 9e9}, 2); }) == SOVO_STATUS_ERROR_CONFIGURATION);

  std::array<std::int32_t, 3> hits = {7, 7, 7};
  std::array<double, 3> clearances;
  std::array<so::RobotContact, 3> contacts;
  std::size_t found = 7;
  bool colliding = true;
  so::RobotContact contact;
  so::Edge edge;
  EXPECT(scene.try_in_collision_batch(path, 2, hits) == SOVO_STATUS_OK && hits[0] == 0 && hits[1] == 1);
  EXPECT(scene.try_clearance_batch(path, 2, clearances) == SOVO_STATUS_OK && clearances[1] == 0);
  EXPECT(scene.try_closest_batch(path, 2, contacts) == SOVO_STATUS_OK && contacts[0]);
  EXPECT(scene.try_find_collision(path, 2, found) == SOVO_STATUS_OK && found == 1);
  EXPECT(scene.try_in_collision(free, colliding) == SOVO_STATUS_OK && !colliding);
  EXPECT(scene.try_closest(free, contact) == SOVO_STATUS_OK && contact);
  EXPECT(scene.try_edge_free(free, free, edge) == SOVO_STATUS_OK && edge.free());
  EXPECT(scene.try_edge_free(free, {0}, edge) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(scene.try_in_collision({0}, colliding) == SOVO_STATUS_ERROR_SIZE && !colliding);
  EXPECT(scene.try_in_collision_batch(path, 3, hits) == SOVO_STATUS_ERROR_SIZE && hits[1] == 1);
  EXPECT(scene.try_clearance_batch({0, 0.3}, 2, clearances) == SOVO_STATUS_ERROR_SIZE);

  so::RobotScene moved = scene;
  EXPECT(moved.base().translation[2] == 0 && !moved.in_collision(free));
  moved.set_base(so::Pose({0, 0, -2}));  // metres: into the floor
  EXPECT(moved.base().translation[2] == -2 && moved.in_collision(free) && !scene.in_collision(free));
  EXPECT(status_of([&] { moved.set_base(so::Pose({std::nan(""), 0, 0})); }) == SOVO_STATUS_ERROR_POSE);
  const auto warnings = moved.apply_srdf("<robot name='door'><disable_collisions link1='leaf' link2='roof'/></robot>");
  EXPECT(warnings.size() == 1 && warnings[0].find("roof") != std::string::npos);
  EXPECT(moved.apply_srdf("<robot name='door'/>").empty());
  EXPECT(status_of([&] { moved.apply_srdf("<door/>"); }) == SOVO_STATUS_ERROR_URDF);
}

// A ball that a carriage pushes over a table, with a post in the middle.
so::RobotScene table() {
  so::RobotScene scene(so::Robot::parse(
      "<robot name='table'><link name='base'/><link name='carriage'/>"
      "<link name='ball'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<joint name='x' type='prismatic'><parent link='base'/><child link='carriage'/><axis xyz='1 0 0'/>"
      "<limit lower='-1' upper='1'/></joint>"
      "<joint name='y' type='prismatic'><parent link='carriage'/><child link='ball'/><axis xyz='0 1 0'/>"
      "<limit lower='-1' upper='1'/></joint></robot>"));
  scene.add_obstacle("post", so::Body::ball(0.3));
  return scene;
}

void attached_objects() {
  so::RobotScene scene = table();
  const std::vector<double> at = {-0.8, 0};
  EXPECT(scene.attached().empty() && !scene.closest(at).attached_a() && !scene.closest(at).attached_b());
  const std::uint64_t load = scene.attach("load", "ball", so::Body::ball(0.2), so::Pose({0.3, 0, 0}));
  EXPECT(scene.attached().size() == 1 && scene.attached()[0].body == load && scene.attached()[0].name == "load");
  EXPECT(scene.attached()[0].link == 2 && scene.attached()[0].pose.translation[0] == 0.3);
  EXPECT(scene.closest(at).attached_a() == std::uint32_t(0) && scene.closest(at).link_a == 2);
  EXPECT_NEAR(scene.closest(at).contact.distance, 0.5 - 0.5, 1e-9);
  EXPECT_NEAR(scene.closest({-1, 0}).contact.distance, 0.2, 1e-9);
  const std::vector<so::RobotContact> both = scene.contacts({-1, 0});
  EXPECT(both.size() == 2 && both[0].attached_a() == std::uint32_t(0) && !both[1].attached_a());
  EXPECT_NEAR(both[1].contact.distance, 1 - 0.1 - 0.3, 1e-9);
  so::QueryOptions narrow;
  narrow.max_distance = 0.3;
  EXPECT(scene.contacts({-1, 0}, narrow).size() == 1 && status_of([&] { scene.contacts({-1}); }) == SOVO_STATUS_ERROR_SIZE);
  const so::RobotScene copy = scene;
  scene.set_padding("load", 0.05);
  scene.set_pair_padding("load", "post", 0.025);
  EXPECT(scene.padding("load") == 0.05 && scene.pair_padding("post", "load") == 0.025 && copy.padding("load") == 0);
  EXPECT_NEAR(scene.closest({-1, 0}).contact.distance, 0.125, 1e-9);
  EXPECT(!scene.is_allowed("load", "post") && scene.is_allowed("load", "ball"));
  scene.set_default("load", true);
  EXPECT(scene.is_allowed("load", "post"));
  scene.set_default("load", std::nullopt);
  EXPECT(!scene.is_allowed("load", "post"));
  scene.detach("load", {0.5, 0.5});
  EXPECT(scene.attached().empty() && copy.attached().size() == 1);
  EXPECT_NEAR(scene.closest({0.4, 0.5}).contact.distance, 0.4 - 0.1 - 0.2, 1e-9);  // at (0.8, 0.5)
  EXPECT(scene.closest({0.4, 0.5}).obstacle == load);
  scene.attach_obstacle("load", "carriage", {0.5, 0.5}, {"ball"});
  EXPECT(scene.attached()[0].link == 1 && scene.is_allowed("load", "ball"));
  EXPECT_NEAR(scene.attached()[0].pose.translation[1], 0.5, 1e-12);
  scene.detach("load");
  scene.set_scale("ball", 2);
  EXPECT_NEAR(scene.closest({-1, 0}).contact.distance, 0.5, 1e-9);
  EXPECT(status_of([&] { scene.detach("load"); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  EXPECT(status_of([&] { scene.set_padding("ball", -1); }) == SOVO_STATUS_ERROR_OPTION);
  EXPECT(status_of([&] { scene.attach("x", "ball", so::Body::ball(1), {}, {"nobody"}); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  EXPECT(status_of([&] { scene.attach_obstacle("post", "nobody", {0, 0}); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  EXPECT(status_of([&] { scene.is_allowed("post", "nobody"); }) == SOVO_STATUS_ERROR_CONFIGURATION);
}

// Edges in batches, states of a line, splines and regions.
void edges() {
  so::RobotScene scene = table();
  EXPECT(so::Robot::parse("<robot name='r'><link name='a'/></robot>").movable_joints().empty());
  const std::vector<double> from = {-0.8, 0, -0.8, 0.5}, to = {0.8, 0, 0.8, 0.5};
  const std::vector<so::Edge> both = scene.edge_free_batch(from, to, 2, {}, 2);
  EXPECT(both.size() == 2 && both[0].status == SOVO_EDGE_STATUS_HIT && both[1].free());
  EXPECT_NEAR(both[0].touching, 0.25, 1e-5);
  std::array<so::Edge, 3> three;
  EXPECT(scene.try_edge_free_batch(from, to, 2, three) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.edge_free_batch(from, {0, 0}, 2); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(scene.find_collision_between({-0.8, 0}, {0.8, 0}, 2) == std::size_t(1));
  EXPECT(!scene.find_collision_between({-0.8, 0}, {-0.8, 0.9}, 100));
  const sovo_step_counts steps = scene.step_counts();
  EXPECT(steps.bounds + steps.directions + steps.hulls + steps.pieces + steps.contacts > 100);
  EXPECT(status_of([&] { scene.find_collision_between({-0.8, 0}, {0.8}, 2); }) == SOVO_STATUS_ERROR_SIZE);

  const so::Spline slow = so::Spline::cubic({0, 2}, {-0.8, 0, -0.5, 0}, {0, 0, 0, 0});
  EXPECT(scene.spline_free(slow).free() && slow.position(1) == std::vector<double>({-0.65, 0}));
  EXPECT(scene.spline_free(so::Spline::quintic({0, 2}, {-0.8, 0, -0.5, 0}, {0, 0, 0, 0}, {0, 0, 0, 0})).free());
  const so::Spline line = so::Spline::polynomials({0, 2}, {-0.8, 0, 0.4, 0}, 1);  // reaches the post after a second
  EXPECT_NEAR(scene.spline_free(line).touching, 1, 1e-4);
  EXPECT_NEAR(so::Spline::bezier(1, {0, 2}, {-0.8, 0, 0, 0}).position(1)[0], line.position(1)[0], 1e-12);
  EXPECT_NEAR(so::Spline::b_spline(1, {0, 0, 2, 2}, {-0.8, 0, 0, 0}).position(1)[0], line.position(1)[0], 1e-12);
  EXPECT(status_of([] { so::Spline::cubic({0, 2}, {1, 2, 3}, {1, 2, 3}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([] { so::Spline::bezier(2, {}, {}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.spline_free(so::Spline::bezier(1, {0, 2}, {0, 1})); }) == SOVO_STATUS_ERROR_SIZE);

  const so::FreeRegion region = scene.free_region({-0.8, 0});
  EXPECT(region.lower.size() == 2 && region.lower[0] == -1 && region.upper[0] < -0.39 && region.upper[1] > 0.1);
  EXPECT(status_of([&] { scene.free_region({0, 0}); }) == SOVO_STATUS_ERROR_CONFIGURATION);
}

void plans() {
  so::RobotScene scene = table();
  const std::array<double, 2> start = {-0.8, 0}, goal = {0.8, 0};
  const so::Plan plan = scene.plan(start, goal);
  const std::vector<double> path = plan.path();
  EXPECT(plan.found() && plan.proven() && plan.reason().empty() && plan.touching().empty());
  EXPECT(path.size() > 4 && path.size() == 2 * plan.info().configurations && plan.info().goal == 0);
  EXPECT(path[0] == -0.8 && path[path.size() - 2] == 0.8 && !scene.find_collision(path, 2));
  for (std::size_t k = 0; k + 2 < path.size(); k += 2)
    EXPECT(scene.edge_free({path.data() + k, 2}, {path.data() + k + 2, 2}).free());
  const so::Plan again = scene.plan(start, {0, 0, 0.8, 0}, {}, {"x", "y"});
  EXPECT(again.proven() && again.info().goal == 1 && again.path() == path);

  const so::Plan none = scene.plan({0.1, 0}, goal);
  EXPECT(!none.found() && !none.proven() && none.path().empty() && none.info().reason == SOVO_PLAN_REASON_START_IN_COLLISION);
  EXPECT(none.reason().find("ball and post") != std::string::npos && none.touching().size() == 1);
  EXPECT(none.touching()[0].a == "ball" && none.touching()[0].b == "post" && none.touching()[0].contact);

  so::PlanOptions options;
  options.no_proof = 1;
  so::Plan other;
  EXPECT(scene.try_plan(start, goal, other, options) == SOVO_STATUS_OK && other.found() && !other.proven());
  const char* joints[] = {"x", "z"};
  EXPECT(scene.try_plan(start, goal, other, options, joints) == SOVO_STATUS_ERROR_CONFIGURATION && other.found());
  EXPECT(scene.try_plan(start, {0.8}, other) == SOVO_STATUS_ERROR_SIZE && scene.try_plan({}, goal, other) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.plan(start, {}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([] { so::Plan().path(); }) == SOVO_STATUS_ERROR_NULL);

  // Behind a wall only the callback ends the search.
  scene.add_obstacle("wall", so::Body::cuboid({0.01, 3, 1}), so::Pose({0.5, 0, 0}));
  options.max_samples = UINT32_MAX;
  std::size_t calls = 0;
  const std::function<bool(std::size_t, std::size_t)> third = [&](std::size_t samples, std::size_t most) {
    EXPECT(samples <= most && most == UINT32_MAX);
    return ++calls == 3;
  };
  const so::Plan ended = scene.plan(start, goal, options, {}, third);
  EXPECT(!ended.found() && calls == 3 && ended.info().reason == SOVO_PLAN_REASON_CANCELLED);
  EXPECT(ended.reason().find("cancelled") != std::string::npos);
  EXPECT(scene.try_plan(start, goal, other, options, {}, [](std::size_t, std::size_t) noexcept { return true; }) ==
             SOVO_STATUS_OK &&
         other.info().reason == SOVO_PLAN_REASON_CANCELLED);
  bool thrown = false;
  try {
    scene.plan(start, goal, options, {}, [](std::size_t, std::size_t) -> bool { throw std::out_of_range("enough"); });
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  EXPECT(thrown);
  static_assert(!std::is_copy_constructible_v<so::Plan> && std::is_nothrow_move_constructible_v<so::Plan>);
}

// Meshes by the names that the URDF has.
void robot_meshes() {
  const so::Robot bare = so::Robot::parse(
      "<robot name='r'><link name='l'><collision><geometry><mesh filename='l.stl'/></geometry></collision></link></robot>");
  const std::vector<so::Vec3> vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  const std::vector<so::Triangle> triangles = {{0, 1, 2}};
  std::map<std::string, so::TriMesh> meshes;
  meshes.emplace("l.stl", so::TriMesh(vertices, triangles));
  EXPECT(bare.unchecked().size() == 1 && bare.with_meshes(meshes).unchecked().empty());
  EXPECT(status_of([&] { bare.with_mesh_files("urdf/panda.urdf", {"urdf"}); }) == SOVO_STATUS_ERROR_FILE);
  EXPECT(std::strstr(sovo_last_error(), "link \"l\", collision 1: the mesh \"l.stl\"") != nullptr);
  EXPECT(bare.with_meshes(meshes).name() == "r" && so::Robot::load("urdf/panda.urdf").with_mesh_files("urdf/panda.urdf"));
  EXPECT(status_of([&] { bare.with_meshes(meshes).use_cache("urdf/panda.urdf"); }) == SOVO_STATUS_ERROR_FILE);
  meshes.emplace("m.stl", so::TriMesh(vertices, triangles));
  EXPECT(status_of([&] { bare.with_meshes(meshes); }) == SOVO_STATUS_ERROR_CONFIGURATION);
}

void robots() {
  const char* urdf =
      "<robot name='door'>"
      "<link name='wall'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>"
      "<link name='arm'/>"
      "<link name='leaf'><collision><origin xyz='0.5 0 0'/>"
      "<geometry><sphere radius='0.2'/></geometry></collision>"
      "<collision><geometry><mesh filename='m.stl'/></geometry></collision></link>"
      "<joint name='hinge' type='revolute'><parent link='wall'/><child link='arm'/>"
      "<axis xyz='0 0 1'/><limit lower='0' upper='2' effort='1' velocity='1'/></joint>"
      "<joint name='slide' type='prismatic'><parent link='arm'/><child link='leaf'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
      "<gazebo/></robot>";
  const so::Robot robot = so::Robot::parse(urdf);
  EXPECT(robot && robot.name() == "door" && robot.link_count() == 3 && robot.joint_count() == 2);
  EXPECT(robot.link_name(2) == "leaf" && robot.link_index("leaf") == 2);
  EXPECT(robot.joint_name(1) == "slide" && robot.joint_index("hinge") == 0);
  EXPECT(robot.parent_joint(2) == 1 && robot.joint(0).kind == SOVO_JOINT_KIND_REVOLUTE);
  EXPECT(robot.body_count() == 2 && robot.body(1).link == 2);
  EXPECT(robot.warnings().size() == 1 && robot.unchecked().size() == 1);
  EXPECT(so::Robot::parse(robot.urdf()).name() == "door");

  EXPECT(robot.position_count() == 2 && robot.neutral() == std::vector<double>({0, 0}));
  EXPECT_NEAR(robot.link_poses({0, 0.25})[2].translation[0], 0.25, 1e-15);
  so::ClearanceOptions partial;
  partial.allow_unchecked = 1;
  const std::vector<so::Clearance> all = robot.clearances({1, 0}, partial);
  EXPECT(all.size() == 1 && all[0] && all[0].link_b == 2);
  EXPECT_NEAR(all[0].contact.distance, 0.2, 1e-12);
  EXPECT_NEAR(robot.closest({1, 0.1}, partial).contact.distance, 0.3, 1e-12);
  so::ClearanceOptions narrow = partial;
  narrow.max_distance = 0.1;
  EXPECT(!robot.closest({1, 0.1}, narrow) && robot.clearances({1, 0.1}, narrow).empty());
  EXPECT(!robot.in_collision({1, 0}, partial) && robot.in_collision({1, -0.3}));
  EXPECT(status_of([&] { robot.in_collision({1, 0}); }) == SOVO_STATUS_ERROR_UNCHECKED);

  const so::Edge edge = robot.edge_free({1, 0.2}, {0, -0.4});
  EXPECT(!edge.free() && edge.status == SOVO_EDGE_STATUS_HIT && edge.contact.link_b == 2);
  EXPECT_NEAR(edge.touching, 2.0 / 3.0, 1e-5);
  EXPECT(robot.edge_free({1, 0}, {0, 0.1}).unchecked == 1);
  EXPECT(robot.reaches().size() == 2 && robot.reaches()[1] == 1);
  EXPECT(status_of([&] { robot.edge_free({1, 0}, {0}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::RobotScene(robot).in_collision({0, 0.3}); }) == SOVO_STATUS_ERROR_UNCHECKED);
  std::string whole = urdf;
  const std::string mesh = "<collision><geometry><mesh filename='m.stl'/></geometry></collision>";
  whole.erase(whole.find(mesh), mesh.size());
  so::RobotScene scene(so::Robot::parse(whole));
  scene.add_obstacle("ball", ball, so::Pose({0, 0.5, 0}));
  scene.add_obstacle("box", so::Body::cuboid({0.1, 0.1, 0.1}), so::Pose({0, 0, 3}));
  scene.add_obstacle("floor", so::Body::half_space({0, 0, 1}, -2));
  EXPECT(!scene.in_collision({0, 0.3}) && scene.closest({0, 0.3}));
  EXPECT(scene.in_collision_batch({0, 0.3, 1, -0.3, 0, 0.3}, 2)[1] == (scene.in_collision({1, -0.3}) ? 1 : 0));
  EXPECT(scene.closest_batch({0, 0.3, 1, -0.3}, 2).size() == 2 && scene.closest_batch({}, 2).empty());
  EXPECT(scene.clearance_batch({0, 0.3, 1, -0.3}, 2)[0] > 0 && scene.clearance_batch({}, 2).empty());
  EXPECT(status_of([&] { scene.clearance_batch({0, 0.3, 1}, 2); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.in_collision_batch({0, 0.3, 1}, 2); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { scene.closest_batch({0, 0.3}, 0); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(scene.edge_free({0, 0.3}, {2, 0.3}).status == SOVO_EDGE_STATUS_FREE);
  EXPECT(so::RobotScene(robot).edge_free({0, 0.3}, {2, 0.3}).status == SOVO_EDGE_STATUS_UNDECIDED);
  planner(scene);
  so::RobotScene copy = scene;
  copy.allow("leaf", "ball");
  EXPECT(copy.in_collision_batch({1, -0.3}, 2, {}, 2).front() == (copy.in_collision({1, -0.3}) ? 1 : 0));
  EXPECT(copy.in_collision({1, -0.3}) && scene.closest({1.5, 0}).link_b == UINT32_MAX);
  copy = scene;

  EXPECT(status_of([] { so::Robot::parse("<robot/>"); }) == SOVO_STATUS_ERROR_URDF);
  EXPECT(status_of([] { so::Robot::load("no such file"); }) == SOVO_STATUS_ERROR_FILE);
  EXPECT(status_of([&] { robot.in_collision({3, 0}); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  EXPECT(status_of([&] { robot.link_poses({0}); }) == SOVO_STATUS_ERROR_SIZE);
  EXPECT(status_of([&] { so::Robot().name(); }) == SOVO_STATUS_ERROR_NULL);
  so::Robot taken, other;
  EXPECT(so::Robot::try_load("urdf/icub_hands.urdf", taken) == SOVO_STATUS_OK && taken);
  EXPECT(so::Robot::try_parse("", 0, taken) == SOVO_STATUS_ERROR_URDF && taken);
  EXPECT(taken.clearances(taken.neutral()).size() == 821);
  other = std::move(taken);
  EXPECT(other && !taken);
  static_assert(!std::is_copy_constructible_v<so::Robot>);
}

void scenes() {
  so::Scene scene;
  const auto hand = scene.group("hand"), cup = scene.group("cup");
  const auto a = scene.add(hand, ball, {});
  const auto b = scene.add(cup, ball, so::Pose({0.03, 0, 0}));
  EXPECT(scene.size() == 2 && scene.contacts().size() == 1 && scene.closest().body_b == b);
  EXPECT_NEAR(scene.closest().contact.distance, 0.01, 1e-12);
  scene.move(b, so::Pose({0.015, 0, 0}));
  EXPECT(scene.in_collision());
  scene.allow(hand, cup);
  EXPECT(!scene.in_collision() && !scene.closest());
  scene.add_obstacle(cup, so::Body::half_space({0, 0, 1}, -0.05));
  scene.add_obstacle(cup, so::Body::cuboid({1, 1, 1}), so::Pose({0, 0, -2}));
  EXPECT(scene.contacts().empty());
  scene.allow(hand, cup, false);
  scene.remove(b);
  EXPECT_NEAR(scene.closest().contact.distance, 0.04, 1e-12);
  EXPECT(status_of([&] { scene.move(b, {}); }) == SOVO_STATUS_ERROR_CONFIGURATION);
  const std::vector<so::Vec3> vertices = {{1, 0, 0.03}, {-1, 1, 0.03}, {-1, -1, 0.03}};
  const std::vector<so::Triangle> triangles = {{0, 1, 2}};
  scene.add_obstacle(cup, so::TriMesh(vertices, triangles));
  EXPECT_NEAR(scene.closest().contact.distance, 0.02, 1e-12);
  const std::vector<so::Aabb> cells = {so::Aabb({0.02, -1, -1}, {1, 1, 1})};
  scene.add_obstacle(cup, so::BoxSet(cells));
  scene.add_obstacle(cup, ball, so::Pose({0, 0.025, 0}));
  EXPECT_NEAR(scene.closest().contact.distance, 0.005, 1e-12);
  EXPECT(scene.closest().body_a == a);
  so::Scene taken = std::move(scene);
  EXPECT(taken.size() == 6);
}

}  // namespace

int main() {
  errors();
  vectors();
  poses();
  shapes();
  pairs();
  points();
  bodies();
  moving_bodies();
  batches();
  body_batches();
  indexed_batches();
  trees();
  rays();
  superquadrics();
  plane_geometry();
  robots();
  attached_objects();
  edges();
  plans();
  robot_meshes();
  scenes();
  return failures == 0 ? 0 : 1;
}
