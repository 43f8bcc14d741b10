// superovoid.hpp without exceptions and without RTTI.
#include <superovoid.hpp>

#include "expect.hpp"

namespace so = superovoid;

#ifdef SUPEROVOID_EXCEPTIONS
#error "to be compiled with -fno-exceptions"
#endif

int main() {
  so::Superovoid ball;
  EXPECT(so::Superovoid::try_make({-1, 1, 1}, {1, 1}, {}, ball) == SOVO_STATUS_ERROR_SHAPE);
  EXPECT(so::Superovoid::try_make({0.01, 0.01, 0.01}, {1, 1}, {}, ball) == SOVO_STATUS_OK && ball.convex());

  so::Contact contact;
  const so::Pose apart({0, 0, 0.03});
  EXPECT(so::try_pair_contact(ball, {}, ball, apart, contact) == SOVO_STATUS_OK);
  EXPECT_NEAR(contact.distance, 0.01, 1e-10);
  EXPECT(so::try_vertex_contact(ball, {}, {0, 0, 0.03}, contact) == SOVO_STATUS_OK);
  EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  so::Pose pose;
  EXPECT(so::Pose::try_from_matrix({1, 0, 0, 0, 1, 0, 0, 0, 1}, {1, 2, 3}, pose) == SOVO_STATUS_OK);

  const so::Pose origin;
  std::array<so::Contact, 3> contacts;
  so::PairBatch pairs;
  pairs.shapes_a = pairs.shapes_b = so::repeat(ball);
  pairs.poses_a = so::repeat(origin);
  pairs.poses_b = so::repeat(apart);
  pairs.contacts = contacts;
  EXPECT(so::try_pair_contact_batch(pairs, {}, [](std::size_t, std::size_t) { return true; }) ==
         SOVO_STATUS_ERROR_CANCELLED);
  EXPECT(so::try_pair_contact_batch(pairs) == SOVO_STATUS_OK);
  EXPECT_NEAR(contacts[2].distance, 0.01, 1e-10);

  const double points[3][3] = {{0, 0, 0.03}, {0, 0.03, 0}, {0.03, 0, 0}};
  EXPECT(so::try_vertex_contact_batch(ball, {}, {points, contacts}) == SOVO_STATUS_OK);
  EXPECT_NEAR(contacts[2].distance, 0.02, 1e-10);

  const so::Triangle triangles[1] = {{{0, 1, 2}}};
  const so::Aabb cells[1] = {so::Aabb({0, 0, 0.03}, {1, 1, 1})};
  so::TriMesh mesh;
  so::BoxSet boxes;
  EXPECT(so::TriMesh::try_make(points, triangles, mesh) == SOVO_STATUS_OK && mesh);
  EXPECT(so::try_contact(ball, {}, mesh, {}, contact) == SOVO_STATUS_OK && contact.apart());
  EXPECT(so::BoxSet::try_make(cells, boxes) == SOVO_STATUS_OK && boxes);
  EXPECT(so::try_contact(ball, {}, boxes, {}, contact) == SOVO_STATUS_OK);
  EXPECT_NEAR(contact.distance, 0.02, 1e-10);
  so::Hull hull;
  EXPECT(so::Hull::try_make(points, hull) == SOVO_STATUS_OK && hull);
  return failures == 0 ? 0 : 1;
}
