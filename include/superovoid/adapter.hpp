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
    check(sovo_shape_make(semi_axes, exponents, tapers, &shape_));
    check(sovo_shape_mass_properties(&shape_, 1.0, &mass_));
  }

  explicit Solid(const sovo_shape& shape) : shape_(shape) {
    check(sovo_shape_mass_properties(&shape_, 1.0, &mass_));
  }

  const sovo_shape& shape() const { return shape_; }

  sovo_aabb box() const {
    const sovo_pose here = sovo_pose_identity();
    sovo_aabb box;
    check(sovo_shape_aabb(&shape_, &here, &box));
    return box;
  }

  sovo_bounding_sphere bounding_sphere() const {
    sovo_bounding_sphere ball;
    check(sovo_shape_bounding_sphere(&shape_, &ball));
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
  sovo_shape shape_;
  sovo_mass_properties mass_;
};

/// Returns the pose of a body in double precision.
struct Placement {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;
  sovo_pose pose;

  /// The rotation is the nearest to the matrix, by the rule of sovo_pose_from_matrix().
  Placement(const Eigen::Matrix3d& given, const Eigen::Vector3d& translation) : translation(translation) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = given;
    if (sovo_pose_from_matrix(rows.data(), translation.data(), &pose) != SOVO_STATUS_OK)
      throw error(SOVO_STATUS_ERROR_POSE, "the linear part of a transform is not a rotation");
    rotation = Eigen::Quaterniond(pose.rotation).toRotationMatrix();
  }

  Eigen::Vector3d operator*(const Eigen::Vector3d& x) const { return rotation * x + translation; }
};

/// A superovoid A against one other body B: the answers of the C interface.
class Query {
 public:
  /// The maximum distance (0: no limit), beyond which pairs need not be answered.
  Query(const sovo_shape& a, const Placement& at, const Placement& other, double max_distance)
      : a_(a), at_(at), other_(other), max_distance_(max_distance) {}

  sovo_contact superovoid(const sovo_shape& b) const {
    const sovo_query_options limit = options(0);
    sovo_contact contact;
    check(sovo_pair_contact(&a_, &at_.pose, &b, &other_.pose, &limit, nullptr, &contact));
    return contact;
  }

  sovo_contact ellipsoid(const Eigen::Vector3d& radii) const {
    const double exponents[2] = {1, 1};
    sovo_shape shape;
    check(sovo_shape_make(radii.data(), exponents, nullptr, &shape));
    return superovoid(shape);
  }

  sovo_contact sphere(double radius) const {
    sovo_vertex_options limit = SOVO_VERTEX_OPTIONS_INIT;
    limit.max_distance = options(radius).max_distance;
    sovo_contact contact;
    check(sovo_vertex_contact(&a_, &at_.pose, other_.pose.translation, &limit, &contact));
    return grown(contact, radius);
  }

  /// A segment along the z axis.
  sovo_contact capsule(double half_length, double radius) const {
    const Eigen::Vector3d half = other_.rotation.col(2) * half_length;
    const Eigen::Vector3d from = other_.translation - half, to = other_.translation + half;
    const sovo_query_options limit = options(radius);
    sovo_contact contact;
    check(sovo_segment_contact(&a_, &at_.pose, from.data(), to.data(), &limit, &contact));
    return grown(contact, radius);
  }

  sovo_contact box(const Eigen::Vector3d& half_extents, double radius = 0) const {
    const sovo_query_options limit = options(radius);
    sovo_contact contact;
    check(sovo_box_contact(&a_, &at_.pose, half_extents.data(), &other_.pose, &limit, &contact));
    return grown(contact, radius);
  }

  sovo_contact triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                        double radius = 0) const {
    Eigen::Matrix3d corners;
    corners << other_ * a, other_ * b, other_ * c;
    const sovo_query_options limit = options(radius);
    sovo_contact contact;
    check(sovo_triangle_contact(&a_, &at_.pose, corners.data(), &limit, &contact));
    return grown(contact, radius);
  }

  /// The convex hull of points, three coordinates each.
  sovo_contact hull(const std::vector<double>& points, double radius = 0) const {
    const sovo_query_options limit = options(radius);
    sovo_contact contact;
    check(sovo_hull_contact(&a_, &at_.pose, points.data(), points.size() / 3, 3 * sizeof(double),
                            &other_.pose, &limit, &contact));
    return grown(contact, radius);
  }

  /// A cylinder about the z axis, from its radius and whole length.
  sovo_contact cylinder(double radius, double length, double swept = 0) const {
    sovo_convex* made = nullptr;
    check(sovo_convex_cylinder(radius, length, &made));
    return grown(convex(made, swept), swept);
  }

  /// A cone about the z axis with its tip at half its length, from the radius of its base and its length.
  sovo_contact cone(double radius, double length, double swept = 0) const {
    sovo_convex* made = nullptr;
    check(sovo_convex_cone(radius, length, &made));
    return grown(convex(made, swept), swept);
  }

  /// The thin plane n . x = d of the other body's frame.
  sovo_contact plane(const Eigen::Vector3d& n, double d, double radius = 0) const {
    return grown(flat(sovo_plane_contact, n, d), radius);
  }

  /// The half-space n . x <= d of the other body's frame, which is solid.
  sovo_contact half_space(const Eigen::Vector3d& n, double d, double radius = 0) const {
    return grown(flat(sovo_half_space_contact, n, d), radius);
  }

  const sovo_shape& a() const { return a_; }
  const sovo_pose& pose_a() const { return at_.pose; }
  const sovo_pose& pose_b() const { return other_.pose; }
  sovo_query_options limit() const { return options(0); }

 private:
  /// A convex body, which is freed.
  sovo_contact convex(sovo_convex* made, double swept) const {
    const std::unique_ptr<sovo_convex, superovoid::detail::Free> body(made);
    const sovo_query_options limit = options(swept);
    sovo_contact contact;
    check(sovo_shape_convex_contact(&a_, &at_.pose, body.get(), &other_.pose, &limit, &contact));
    return contact;
  }

  template <typename Function>
  sovo_contact flat(Function* query, const Eigen::Vector3d& n, double d) const {
    const Eigen::Vector3d normal = other_.rotation * n;
    sovo_contact contact;
    check(query(&a_, &at_.pose, normal.data(), d + normal.dot(other_.translation), &contact));
    return contact;
  }

  /// The other body grown by a sphere: in every direction the gap of the bodies shrinks by its radius, and so does
  /// the greatest gap, which is the signed distance.
  static sovo_contact grown(sovo_contact contact, double radius) {
    if (!(radius >= 0 && radius <= DBL_MAX))
      throw error(SOVO_STATUS_ERROR_GEOMETRY, "a radius is negative or not finite");
    contact.distance -= radius;
    contact.lower -= radius;
    contact.upper -= radius;
    for (int k = 0; k < 3; ++k) contact.point_b[k] -= radius * contact.normal[k];
    return contact;
  }

  sovo_query_options options(double radius) const {
    sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
    if (max_distance_ > 0) options.max_distance = max_distance_ + radius;
    return options;
  }

  const sovo_shape& a_;
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
    sovo_mesh* mesh = nullptr;
    // The engines' meshes are surfaces, also where they are closed.
    check(sovo_mesh_new_surface(vertices.data(), vertices.size() / 3, 3 * sizeof(double),
                                triangles.data(), triangles.size() / 3, &mesh));
    Parts parts;
    parts.mesh_.reset(mesh);
    return parts;
  }

  /// ids: one for each box. Without boxes, nothing is ever found.
  static Parts boxes(const std::vector<sovo_aabb>& boxes, std::vector<std::intptr_t> ids) {
    Parts parts;
    if (boxes.empty()) return parts;
    sovo_boxes* set = nullptr;
    check(sovo_boxes_new(boxes.data(), boxes.size(), &set));
    parts.boxes_.reset(set);
    parts.ids_ = std::move(ids);
    return parts;
  }

  /// Returns when a moving superovoid touches a part first; without parts, it never does.
  sovo_impact time_of_impact(const sovo_shape& a, const sovo_motion& motion, const sovo_motion& other,
                             const sovo_time_of_impact_options& options) const {
    sovo_impact impact = {};
    impact.outcome = SOVO_IMPACT_FREE;
    impact.safe = impact.touching = 1;
    if (mesh_)
      check(sovo_mesh_time_of_impact(&a, &motion, mesh_.get(), &other, &options, &impact));
    else if (boxes_)
      check(sovo_boxes_time_of_impact(&a, &motion, boxes_.get(), &other, &options, &impact));
    return impact;
  }

  /// Returns the part with the least signed distance, if any is within the query's limit.
  std::optional<Part> nearest(const Query& query) const {
    sovo_part_contact found = {};
    const sovo_query_options limit = query.limit();
    if (mesh_)
      check(sovo_mesh_contact(&query.a(), &query.pose_a(), mesh_.get(), &query.pose_b(), &limit, &found));
    else if (boxes_)
      check(sovo_boxes_contact(&query.a(), &query.pose_a(), boxes_.get(), &query.pose_b(), &limit, &found));
    if (found.contact.outcome == SOVO_OUTCOME_NONE) return std::nullopt;
    return part(found);
  }

  /// Returns every part whose signed distance may be at most margin, deepest first.
  std::vector<Part> within(const Query& query, double margin) const {
    std::vector<sovo_part_contact> found(16);
    std::size_t count = fill(query, margin, found);
    if (count > found.size()) {
      found.resize(count);
      count = fill(query, margin, found);
    }
    std::vector<Part> parts;
    for (std::size_t i = 0; i < count; ++i) parts.push_back(part(found[i]));
    const auto deeper = [](const Part& x, const Part& y) {
      return std::make_pair(x.contact.distance, x.id) < std::make_pair(y.contact.distance, y.id);
    };
    std::sort(parts.begin(), parts.end(), deeper);
    return parts;
  }

 private:
  struct Free {
    void operator()(sovo_mesh* mesh) const { sovo_mesh_free(mesh); }
    void operator()(sovo_boxes* boxes) const { sovo_boxes_free(boxes); }
  };

  std::size_t fill(const Query& query, double margin, std::vector<sovo_part_contact>& found) const {
    std::size_t count = 0;
    if (mesh_)
      check(sovo_mesh_contacts(&query.a(), &query.pose_a(), mesh_.get(), &query.pose_b(), margin, nullptr,
                               found.data(), found.size(), &count));
    else if (boxes_)
      check(sovo_boxes_contacts(&query.a(), &query.pose_a(), boxes_.get(), &query.pose_b(), margin, nullptr,
                                found.data(), found.size(), &count));
    return count;
  }

  Part part(const sovo_part_contact& found) const {
    return {found.contact, mesh_ ? static_cast<std::intptr_t>(found.part) : ids_[found.part]};
  }

  std::unique_ptr<sovo_mesh, Free> mesh_;
  std::unique_ptr<sovo_boxes, Free> boxes_;
  std::vector<std::intptr_t> ids_;
};

}  // namespace adapter
}  // namespace superovoid

#endif  // SUPEROVOID_ADAPTER_HPP
