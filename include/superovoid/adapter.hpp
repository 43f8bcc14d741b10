// The common part of the adapters for collision libraries (fcl.hpp, coal.hpp): superovoids and the shapes of these
// libraries, in double precision, over Eigen. It is not for direct use.
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
#include <tuple>
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
  sovo_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};

  explicit Placement(const Eigen::Vector3d& translation) {
    std::copy(translation.data(), translation.data() + 3, pose.translation);
  }

  /// The rotation is the nearest to the matrix, by the rule of sovo_pose_from_matrix().
  Placement(const Eigen::Matrix3d& given, const Eigen::Vector3d& translation) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> rows = given;
    if (sovo_pose_from_matrix(rows.data(), translation.data(), &pose) != SOVO_STATUS_OK)
      throw error(SOVO_STATUS_ERROR_POSE, "the linear part of a transform is not a rotation");
  }
};

/// A mesh, an octree or a height field, converted.
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

  /// heights: row by row, rows along y; two parts for each cell.
  static Parts height_field(const std::vector<double>& heights, std::size_t columns, const double (&x)[2],
                            const double (&y)[2], double bottom, std::vector<std::intptr_t> ids) {
    sovo_height_field* field = nullptr;
    check(sovo_height_field_new(heights.data(), heights.size() / columns, columns, x, y, bottom, &field));
    Parts parts;
    parts.field_.reset(field);
    parts.body_ = sovo_body_height_field(field);
    parts.ids_ = std::move(ids);
    return parts;
  }

  /// Returns the mesh, set of boxes or height field; nothing for an octree without boxes.
  const sovo_body* body() const { return mesh_ || boxes_ || field_ ? &body_ : nullptr; }

  /// Returns the engine's id of a part.
  std::intptr_t id(std::uint32_t part) const { return mesh_ ? static_cast<std::intptr_t>(part) : ids_[part]; }

 private:
  std::unique_ptr<sovo_tri_mesh, superovoid::detail::Free> mesh_;
  std::unique_ptr<sovo_box_set, superovoid::detail::Free> boxes_;
  std::unique_ptr<sovo_height_field, superovoid::detail::Free> field_;
  sovo_body body_ = {};
  std::vector<std::intptr_t> ids_;
};

/// A geometry: a body, grown by a sphere of a radius, which may be 0.
struct Grown {
  Grown(const sovo_body& made, double swept = 0) : body(made), radius(swept) {
    if (!(radius >= 0 && radius <= DBL_MAX))
      throw error(SOVO_STATUS_ERROR_GEOMETRY, "a radius is negative or not finite");
  }

  /// The parts must exist while this is used.
  explicit Grown(const Parts& made) : body(made.body() ? *made.body() : sovo_body_point()), parts(&made) {}

  static Grown ellipsoid(const Eigen::Vector3d& radii, double swept = 0) {
    const double exponents[2] = {1, 1};
    sovo_superovoid shape;
    check(sovo_superovoid_make(radii.data(), exponents, nullptr, &shape));
    return Grown(sovo_body_superovoid(&shape), swept);
  }

  /// Beside a superovoid a sphere is a point less the radius: exact at any depth of convex ones.
  static Grown sphere(double radius, bool beside_superovoid) {
    return beside_superovoid ? Grown(sovo_body_point(), radius) : Grown(sovo_body_ball(radius));
  }

  /// A capsule about the z axis, in the same way.
  static Grown capsule(double half_length, double radius, bool beside_superovoid) {
    if (!beside_superovoid) return Grown(sovo_body_capsule(radius, 2 * half_length));
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

  /// Whether the rotation says nothing. The libraries do not look at it then, and programs leave it unset.
  bool is_ball() const { return body.kind == SOVO_BODY_KIND_BALL || body.kind == SOVO_BODY_KIND_POINT; }

  /// Returns the pose of a transform of the libraries.
  Placement place(const Eigen::Matrix3d& rotation, const Eigen::Vector3d& translation) const {
    return is_ball() ? Placement(translation) : Placement(rotation, translation);
  }

  /// Whether nothing is ever found: an octree without occupied cells.
  bool empty() const { return parts && !parts->body(); }

  /// Returns the engine's id of a part; -1 for a geometry of one piece.
  std::intptr_t id(std::uint32_t part) const { return parts && part != UINT32_MAX ? parts->id(part) : -1; }

  sovo_body body;
  double radius = 0;
  const Parts* parts = nullptr;
  std::shared_ptr<const std::vector<double>> points;
};

/// The answer for two geometries, or for two parts of them; an id is -1 for one of one piece, as in FCL.
struct Part {
  sovo_contact contact;
  std::intptr_t ids[2] = {-1, -1};

  /// Returns whether the bodies are proven to be apart: nothing in doubt is.
  bool apart() const { return contact.lower > 0; }
};

/// Two geometries A and B: the answers of the C interface.
///
/// Each is grown by its sphere: in every direction the gap of the bodies shrinks by the radii, and so does the greatest
/// gap, which is the signed distance.
class Query {
 public:
  /// The maximum distance (0: no limit), beyond which pairs need not be answered.
  Query(Grown&& a, const Placement& at_a, Grown&& b, const Placement& at_b, double max_distance)
      : a_(std::move(a)), b_(std::move(b)), at_a_(at_a), at_b_(at_b), max_distance_(max_distance) {}

  /// Whether one of the two has parts.
  bool has_parts() const { return a_.parts || b_.parts; }

  /// Returns the answer of least signed distance, of two with parts that of the nearest ones, or, with SOVO_DEPTH_ANY, of the
  /// first that overlap; nothing, or one that is proven to be beyond the maximum distance.
  std::optional<Part> nearest(sovo_depth depth = SOVO_DEPTH_FAST) const {
    if (a_.empty() || b_.empty()) return std::nullopt;
    sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
    options.depth = depth;
    if (max_distance_ > 0) options.max_distance = max_distance_ + a_.radius + b_.radius;
    sovo_contact contact;
    std::uint32_t parts[2];
    check(sovo_body_contact(&a_.body, &at_a_.pose, &b_.body, &at_b_.pose, &options, &contact, parts));
    if (contact.outcome == SOVO_OUTCOME_BEYOND && has_parts()) return std::nullopt;
    return part(contact, parts);
  }

  /// Returns all parts whose signed distance is at most margin, deepest first, or the nearest one where that is in doubt; of
  /// two of one piece the points of their manifold, each as a contact.
  std::vector<Part> within(double margin) const {
    std::vector<Part> parts;
    if (a_.empty() || b_.empty()) return parts;
    // A superovoid has one point, of the query that answers single contacts.
    const auto is_round = [](const Grown& body) {
      return body.body.kind == SOVO_BODY_KIND_POINT || body.body.kind == SOVO_BODY_KIND_SUPEROVOID;
    };
    if (!has_parts() && (is_round(a_) || is_round(b_))) return {*nearest()};
    if (!has_parts()) return manifold(margin);
    std::vector<sovo_part_contact> found(16);
    std::size_t count = contacts(margin, found);
    if (count > found.size()) {
      found.resize(count);
      count = contacts(margin, found);
    }
    for (std::size_t i = 0; i < count; ++i) parts.push_back(part(found[i].contact, found[i].parts));
    const auto deeper = [](const Part& x, const Part& y) {
      return std::make_tuple(x.contact.distance, x.ids[0], x.ids[1]) <
             std::make_tuple(y.contact.distance, y.ids[0], y.ids[1]);
    };
    std::sort(parts.begin(), parts.end(), deeper);
    // The parts are those whose distance is within the margin; nothing in doubt may be missing.
    if (parts.empty())
      if (const auto part = nearest(); part && part->contact.lower <= margin) parts.push_back(*part);
    return parts;
  }

 private:
  std::size_t contacts(double margin, std::vector<sovo_part_contact>& found) const {
    std::size_t count = 0;
    check(sovo_body_contacts(&a_.body, &at_a_.pose, &b_.body, &at_b_.pose, margin + a_.radius + b_.radius, nullptr,
                             found.data(), found.size(), &count));
    return count;
  }

  /// The bracket of every point is as wide as that of the deepest.
  std::vector<Part> manifold(double margin) const {
    sovo_manifold found;
    std::size_t count = 0;
    check(sovo_body_manifolds(&a_.body, &at_a_.pose, &b_.body, &at_b_.pose, margin + a_.radius + b_.radius, nullptr, &found,
                              1, &count));
    if (count == 0) return {*nearest()};
    std::vector<Part> parts;
    const sovo_contact& deepest = found.contact.contact;
    for (std::size_t k = 0; k < found.count; ++k) {
      const sovo_manifold_point& point = found.points[k];
      sovo_contact contact = deepest;
      std::copy(point.point_a, point.point_a + 3, contact.point_a);
      std::copy(point.point_b, point.point_b + 3, contact.point_b);
      contact.distance = point.distance;
      if (point.distance != deepest.distance) {
        contact.lower += point.distance - deepest.distance;
        contact.upper += point.distance - deepest.distance;
      }
      parts.push_back(part(contact, found.contact.parts));
    }
    return parts;
  }

  Part part(sovo_contact contact, const std::uint32_t (&parts)[2]) const {
    const double radius = a_.radius + b_.radius;
    contact.distance -= radius;
    contact.lower -= radius;
    contact.upper -= radius;
    for (int k = 0; k < 3; ++k) {
      contact.point_a[k] += a_.radius * contact.normal[k];
      contact.point_b[k] -= b_.radius * contact.normal[k];
    }
    return {contact, {a_.id(parts[0]), b_.id(parts[1])}};
  }

  const Grown a_, b_;
  const Placement at_a_, at_b_;
  const double max_distance_;
};

}  // namespace adapter
}  // namespace superovoid

#endif  // SUPEROVOID_ADAPTER_HPP
