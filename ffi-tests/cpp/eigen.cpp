// superovoid/eigen.hpp: what goes in and comes out as Eigen's types.
#include <superovoid/eigen.hpp>

#include "expect.hpp"

namespace so = superovoid;

int main() {
  const so::Superovoid ball = so::Superovoid::sphere(0.01);
  const Eigen::Vector3d away(0, 0, 0.03);

  // Vectors and expressions.
  EXPECT(so::Vec3(away) == so::Vec3(0, 0, 0.03));
  EXPECT(so::Vec3(2 * away - away) == so::Vec3(0, 0, 0.03));
  EXPECT_NEAR(so::vertex_contact(ball, {}, away + Eigen::Vector3d::UnitX()).distance,
              Eigen::Vector3d(1, 0, 0.03).norm() - 0.01, 1e-9);

  // Poses.
  Eigen::Isometry3d isometry = Eigen::Isometry3d::Identity();
  isometry.translate(away).rotate(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 3).normalized()));
  const so::Contact contact = so::pair_contact(ball, Eigen::Isometry3d::Identity(), ball, isometry);
  EXPECT_NEAR(contact.distance, 0.01, 1e-10);
  EXPECT(so::to_eigen(contact.normal).isApprox(Eigen::Vector3d::UnitZ(), 1e-9));
  EXPECT(so::to_eigen(so::Vec3(1, 2, 3)) == Eigen::Vector3d(1, 2, 3));
  EXPECT(so::to_eigen(so::Pose(isometry)).isApprox(isometry, 1e-14));
  const Eigen::Quaterniond turn(isometry.linear());
  EXPECT(so::to_eigen(so::to_pose(away, turn)).isApprox(isometry, 1e-14));
  EXPECT(so::rotation(so::to_pose(away, turn)).coeffs().isApprox(turn.coeffs(), 1e-15));
  isometry.linear() *= 2;
  try {
    so::pair_contact(ball, {}, ball, isometry);
    EXPECT(false);
  } catch (const so::error& error) {
    EXPECT(error.status() == SOVO_STATUS_ERROR_POSE);
  }

  // Points, where they are.
  Eigen::Matrix3Xd points(3, 100);
  for (int k = 0; k < 100; ++k) points.col(k) = away * (1 + k);
  EXPECT(so::Points(points).first() == points.data() && so::Points(points).size() == 100);
  std::vector<so::Contact> contacts(100);
  so::vertex_contact_batch(ball, {}, {points, contacts});
  for (int k = 0; k < 100; ++k)
    EXPECT_NEAR(contacts[std::size_t(k)].distance, 0.03 * (1 + k) - 0.01, 1e-9);
  contacts.resize(10);
  so::vertex_contact_batch(ball, {}, {points.middleCols(5, 10), contacts});
  EXPECT_NEAR(contacts[0].distance, 0.17, 1e-9);
  const Eigen::Matrix4Xd homogeneous = points.colwise().homogeneous();
  so::vertex_contact_batch(ball, {}, {homogeneous.topRows<3>().leftCols(10), contacts});
  EXPECT_NEAR(contacts[9].distance, 0.29, 1e-9);
  const std::vector<Eigen::Vector3d> list(10, away);
  so::vertex_contact_batch(ball, {}, {list, contacts});
  EXPECT_NEAR(contacts[9].distance, 0.02, 1e-9);
  EXPECT_NEAR(so::contact(ball, {}, so::Body::points(points), {}).distance, 0.02, 1e-9);

  // Derivatives: two balls, of which B moves away along z.
  const so::Pose above({0, 0, 0.03});
  const so::Contact apart = so::pair_contact(ball, {}, ball, above);
  const so::Derivatives found = so::derivatives(ball, {}, ball, above, apart);
  EXPECT(found.gradient.exists() && so::pair_gradient(ball, {}, ball, above, apart).exists());
  EXPECT((so::to_eigen(found.gradient).segment<3>(6).isApprox(Eigen::Vector3d::UnitZ(), 1e-9)));
  EXPECT_NEAR(so::hessian(found)(6, 6), 1 / 0.03, 1e-6);
  EXPECT_NEAR(so::jacobian(found.normal)(0, 6), 1 / 0.03, 1e-6);
  return failures == 0 ? 0 : 1;
}
