// The common part of the adapters for collision libraries (fcl.hpp, coal.hpp): a superovoid against the shapes of
// these libraries, in double precision, over Eigen. It is not for direct use.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef SUPEROVOID_ADAPTER_HPP
#define SUPEROVOID_ADAPTER_HPP

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <Eigen/Dense>

#include <superovoid.hpp>

namespace superovoid {
namespace adapter {

/// A shape, with the properties that the geometry classes of the libraries must provide.
class Solid {
 public:
  Solid(double a1, double a2, double a3, double e1, double e2, double tx, double ty) {
    const double semi_axes[3] = {a1, a2, a3}, exponents[2] = {e1, e2}, tapers[2] = {tx, ty};
    check(sovo_superovoid_make(semi_axes, exponents, tapers, &shape_));
    weigh();
  }

  explicit Solid(const sovo_superovoid& shape) : shape_(shape) {
    weigh();
  }

  const sovo_superovoid& shape() const { return shape_; }

  sovo_aabb box() const {
    const sovo_pose here = sovo_pose_identity();
    sovo_aabb box;
    check(sovo_superovoid_aabb(&shape_, &here, &box));
    return box;
  }

  sovo_bounding_sphere bounding_sphere() const {
    sovo_bounding_sphere ball;
    check(sovo_superovoid_bounding_sphere(&shape_, &ball));
    return ball;
  }

  double volume() const { return mass_.volume; }

  Eigen::Vector3d center_of_mass() const { return Eigen::Vector3d(mass_.center_of_mass); }

  /// The inertia at density 1, about the centre of mass.
  Eigen::Matrix3d inertia() const { return Eigen::Matrix3d(mass_.inertia); }

  /// The inertia at density 1, about the origin of the body's frame.
  Eigen::Matrix3d inertia_about_origin() const {
    const Eigen::Vector3d c = center_of_mass();
    const Eigen::Matrix3d shift = c.squaredNorm() * Eigen::Matrix3d::Identity() - c * c.transpose();
    return inertia() + mass_.volume * shift;
  }

  /// Returns a bound, moved away from zero by more than its accuracy (1e-12) and a rounding to S.
  template <typename S>
  static S outwards(double bound) {
    const double epsilon = static_cast<double>(std::numeric_limits<S>::epsilon());
    return static_cast<S>(bound * (1 + std::max(4e-12, 8 * epsilon)));
  }

 private:
  void weigh() {
    const sovo_body body = sovo_body_superovoid(&shape_);
    check(sovo_body_mass_properties(&body, 1.0, &mass_));
  }

  sovo_superovoid shape_;
  sovo_mass_properties mass_;
};

/// Returns the pose of a body in double precision.
struct Placement {
  sovo_pose pose;

  /// The rotation is the nearest to the matrix, by the rule of sovo_pose_from_matrix().
  Placement(const Eigen::Matrix3d& given, const Eigen::Vector3d& translation) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = given;
    if (sovo_pose_from_matrix(rows.data(), translation.data(), &pose) != SOVO_STATUS_OK)
      throw error(SOVO_STATUS_ERROR_POSE, "the linear part of a transform is not a rotation");
  }
};

/// A geometry B of one piece: a body, grown by a sphere of a radius, which may be 0.
struct Grown {
  Grown(const sovo_body& made, double swept = 0) : body(made), radius(swept) {
    if (!(radius >= 0 && radius <= DBL_MAX))
      throw error(SOVO_STATUS_ERROR_GEOMETRY, "a radius is negative or not finite");
  }

  static Grown ellipsoid(const Eigen::Vector3d& radii) {
    const double exponents[2] = {1, 1};
    sovo_superovoid shape;
    check(sovo_superovoid_make(radii.data(), exponents, nullptr, &shape));
    return Grown(sovo_body_superovoid(&shape));
  }

  /// A segment along the z axis, and the points within a radius of it.
  static Grown capsule(double half_length, double radius) {
    const double from[3] = {0, 0, -half_length}, to[3] = {0, 0, half_length};
    return Grown(sovo_body_segment(from, to), radius);
  }

  static Grown cuboid(const Eigen::Vector3d& half, double swept = 0) {
    return Grown(sovo_body_cuboid(half.x(), half.y(), half.z()), swept);
  }

  static Grown triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double swept = 0) {
    Eigen::Matrix3d corners;
    corners << a, b, c;
    return Grown(sovo_body_triangle(corners.data()), swept);
  }

  /// The convex hull of points, three coordinates each.
  static Grown hull(std::vector<double> points, double swept = 0) {
    Grown made(sovo_body_point(), swept);
    made.points = std::make_shared<const std::vector<double>>(std::move(points));
    made.body = sovo_body_points(made.points->data(), made.points->size() / 3, 3 * sizeof(double));
    return made;
  }

  sovo_body body;
  double radius;
  std::shared_ptr<const std::vector<double>> points;
};

/// A superovoid A against one other body B: the answers of the C interface.
class Query {
 public:
  /// The maximum distance (0: no limit), beyond which pairs need not be answered.
  Query(const sovo_superovoid& a, const Placement& at, const Placement& other, double max_distance)
      : a_(sovo_body_superovoid(&a)), at_(at), other_(other), max_distance_(max_distance) {}

  /// The other body is grown by its sphere: in every direction the gap of the bodies shrinks by the radius, and so does
  /// the greatest gap, which is the signed distance.
  sovo_contact contact(const Grown& b, std::uint32_t* parts = nullptr) const {
    sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
    if (max_distance_ > 0) options.max_distance = max_distance_ + b.radius;
    sovo_contact contact;
    check(sovo_body_contact(&a_, &at_.pose, &b.body, &other_.pose, &options, &contact, parts));
    contact.distance -= b.radius;
    contact.lower -= b.radius;
    contact.upper -= b.radius;
    for (int k = 0; k < 3; ++k) contact.point_b[k] -= b.radius * contact.normal[k];
    return contact;
  }

  /// Every part of a mesh or set of boxes within a margin.
  std::size_t contacts(const sovo_body& b, double margin, std::vector<sovo_part_contact>& found) const {
    std::size_t count = 0;
    check(sovo_body_contacts(&a_, &at_.pose, &b, &other_.pose, margin, nullptr, found.data(), found.size(), &count));
    return count;
  }

 private:
  const sovo_body a_;
  const Placement at_, other_;
  const double max_distance_;
};

/// The answer for one part of the other body; the index is -1 for a body without parts, as in FCL.
struct Part {
  sovo_contact contact;
  std::intptr_t id = -1;

  /// Returns whether the bodies may collide: nothing in doubt counts as apart.
  bool apart() const { return contact.lower > 0; }
};

/// A mesh or an octree, converted.
class Parts {
 public:
  /// vertices: three numbers each.
  static Parts mesh(const std::vector<double>& vertices, const std::vector<std::uint32_t>& triangles) {
    sovo_tri_mesh* mesh = nullptr;
    // The engines' meshes are surfaces, also where they are closed.
    check(sovo_tri_mesh_new(vertices.data(), vertices.size() / 3, 3 * sizeof(double), triangles.data(),
                            triangles.size() / 3, 1, &mesh));
    Parts parts;
    parts.mesh_.reset(mesh);
    parts.body_ = sovo_body_tri_mesh(mesh);
    return parts;
  }

  /// ids: one for each box. Without boxes, nothing is ever found.
  static Parts boxes(const std::vector<sovo_aabb>& boxes, std::vector<std::intptr_t> ids) {
    Parts parts;
    if (boxes.empty()) return parts;
    sovo_box_set* set = nullptr;
    check(sovo_box_set_new(boxes.data(), boxes.size(), &set));
    parts.boxes_.reset(set);
    parts.body_ = sovo_body_box_set(set);
    parts.ids_ = std::move(ids);
    return parts;
  }

  /// Returns the mesh or the set of boxes; nothing for an octree without boxes.
  const sovo_body* body() const { return mesh_ || boxes_ ? &body_ : nullptr; }

  /// Returns the part with the least signed distance, if any is within the query's limit.
  std::optional<Part> nearest(const Query& query) const {
    if (!body()) return std::nullopt;
    std::uint32_t parts[2];
    const sovo_contact contact = query.contact(Grown(body_), parts);
    if (contact.outcome == SOVO_OUTCOME_BEYOND) return std::nullopt;
    return part(contact, parts[1]);
  }

  /// Returns every part whose signed distance may be at most margin, deepest first.
  std::vector<Part> within(const Query& query, double margin) const {
    std::vector<Part> parts;
    if (!body()) return parts;
    std::vector<sovo_part_contact> found(16);
    std::size_t count = query.contacts(body_, margin, found);
    if (count > found.size()) {
      found.resize(count);
      count = query.contacts(body_, margin, found);
    }
    for (std::size_t i = 0; i < count; ++i) parts.push_back(part(found[i].contact, found[i].parts[1]));
    const auto deeper = [](const Part& x, const Part& y) {
      return std::make_pair(x.contact.distance, x.id) < std::make_pair(y.contact.distance, y.id);
    };
    std::sort(parts.begin(), parts.end(), deeper);
    return parts;
  }

 private:
  Part part(const sovo_contact& contact, std::uint32_t index) const {
    return {contact, mesh_ ? static_cast<std::intptr_t>(index) : ids_[index]};
  }

  std::unique_ptr<sovo_tri_mesh, superovoid::detail::Free> mesh_;
  std::unique_ptr<sovo_box_set, superovoid::detail::Free> boxes_;
  sovo_body body_ = {};
  std::vector<std::intptr_t> ids_;
};

}  // namespace adapter
}  // namespace superovoid

#endif  // SUPEROVOID_ADAPTER_HPP
