// The common part of the adapters for collision libraries (fcl.hpp, coal.hpp): superovoids and the shapes of these
// libraries, in double precision, over Eigen. It is not for direct use.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
#ifndef SUPEROVOID_ADAPTER_HPP
#define SUPEROVOID_ADAPTER_HPP

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
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

/// Where a body's frame lies, as the libraries say it.
struct Frame {
  Eigen::Matrix3d rotation;
  Eigen::Vector3d translation;

  /// Whether the matrix is a rotation as sovo_pose_from_matrix() demands.
  bool is_rotation() const {
    const auto c = [&](int k) { return rotation.col(k); };
    const double error[] = {c(0).dot(c(0)) - 1, c(1).dot(c(1)) - 1, c(2).dot(c(2)) - 1,
                            c(0).dot(c(1)),     c(1).dot(c(2)),     c(2).dot(c(0))};
    return std::all_of(error, error + 6, [](double x) { return std::abs(x) <= 1e-4; }) &&
           rotation.determinant() > 0;
  }
};

/// A body lies in a box about its origin grown by a radius, and in a ball about it.
struct Reach {
  Eigen::Vector3d half;
  double grown, ball;

  /// Whether a ball about the end of a way from this body's origin, in the world, is farther away than a distance.
  bool is_beyond(double distance, const Frame& frame, const Eigen::Vector3d& way, double other_ball) const {
    const Eigen::Vector3d x = frame.rotation.transpose() * way;
    const Eigen::Vector3d gap = (x.cwiseAbs() - half).cwiseMax(0.0);
    // The rotation nearest to the matrix is less than 2e-4 from it.
    const double reach = distance + grown + other_ball + 2e-4 * way.lpNorm<1>();
    return gap.squaredNorm() > reach * reach;
  }
};

/// Returns a radius, checked, by which a body is grown.
inline double checked(double radius) {
  if (radius >= 0 && radius <= DBL_MAX) return radius;
  throw error(SOVO_STATUS_ERROR_GEOMETRY, "a radius is negative or not finite");
}

/// A geometry: a body, grown by a sphere of a radius, which is checked and may be 0. Made where it stays: it is large.
struct Grown {
  sovo_body body;
  double radius = 0;
  const Parts* parts = nullptr;
  std::shared_ptr<const std::vector<double>> points = nullptr;

  /// The parts must exist while this is used.
  static Grown of(const Parts& made) { return {made.body() ? *made.body() : sovo_body_point(), 0, &made}; }

  static Grown ellipsoid(const Eigen::Vector3d& radii, double swept = 0) {
    const double exponents[2] = {1, 1};
    sovo_superovoid shape;
    check(sovo_superovoid_make(radii.data(), exponents, nullptr, &shape));
    return {sovo_body_superovoid(&shape), swept};
  }

  /// Beside a superovoid a sphere is a point less the radius: exact at any depth of convex ones.
  static Grown sphere(double radius, bool beside_superovoid) {
    if (beside_superovoid) return {sovo_body_point(), checked(radius)};
    return {sovo_body_ball(radius)};
  }

  /// A capsule about the z axis, in the same way.
  static Grown capsule(double half_length, double radius, bool beside_superovoid) {
    if (!beside_superovoid) return {sovo_body_capsule(radius, 2 * half_length)};
    const double from[3] = {0, 0, -half_length}, to[3] = {0, 0, half_length};
    return {sovo_body_segment(from, to), checked(radius)};
  }

  static Grown cuboid(const Eigen::Vector3d& half, double swept = 0) {
    return {sovo_body_cuboid(half.x(), half.y(), half.z()), swept};
  }

  static Grown triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double swept = 0) {
    Eigen::Matrix3d corners;
    corners << a, b, c;
    return {sovo_body_triangle(corners.data()), swept};
  }

  /// The convex hull of points, which stay where they are while this is used if they have double precision.
  template <typename Point>
  static Grown hull(const Point* points, std::size_t count, double swept = 0) {
    if constexpr (std::is_same_v<typename Point::Scalar, double> && sizeof(Point) == 3 * sizeof(double)) {
      return {sovo_body_points(points->data(), count, sizeof(Point)), swept};
    } else {
      std::vector<double> wide;
      wide.reserve(3 * count);
      for (std::size_t k = 0; k < count; ++k) wide.insert(wide.end(), points[k].data(), points[k].data() + 3);
      auto kept = std::make_shared<const std::vector<double>>(std::move(wide));
      const double* first = kept->data();
      return {sovo_body_points(first, count, 3 * sizeof(double)), swept, nullptr, std::move(kept)};
    }
  }

  /// Whether the rotation says nothing. The libraries do not look at it then, and programs leave it unset.
  bool is_ball() const { return body.kind == SOVO_BODY_KIND_BALL || body.kind == SOVO_BODY_KIND_POINT; }

  /// Returns the pose of a frame of the libraries.
  Placement place(const Frame& frame) const {
    return is_ball() ? Placement(frame.translation) : Placement(frame.rotation, frame.translation);
  }

  /// Returns how far the body reaches; nothing for kinds and numbers of which a query must judge.
  std::optional<Reach> reach() const {
    const auto valid = [](double least, const Reach& reach) {
      return least > 0 && reach.ball <= DBL_MAX ? std::optional<Reach>(reach) : std::nullopt;
    };
    if (body.kind == SOVO_BODY_KIND_BALL) {
      const double r = body.data.radius;
      return valid(r, {Eigen::Vector3d::Zero(), r + radius, r + radius});
    }
    if (body.kind == SOVO_BODY_KIND_CUBOID) {
      const Eigen::Vector3d half(body.data.half_extents);
      return valid(half.minCoeff(), {half, radius, half.norm() + radius});
    }
    const bool is_capsule = body.kind == SOVO_BODY_KIND_CAPSULE;
    if (!is_capsule && body.kind != SOVO_BODY_KIND_CYLINDER && body.kind != SOVO_BODY_KIND_CONE) return std::nullopt;
    const double r = body.data.round.radius, h = 0.5 * body.data.round.length;
    if (is_capsule) return valid(std::min(r, h), {{0, 0, h}, r + radius, h + r + radius});
    return valid(std::min(r, h), {{r, r, h}, radius, std::sqrt(r * r + h * h) + radius});
  }

  /// Whether nothing is ever found: an octree without occupied cells.
  bool empty() const { return parts && !parts->body(); }

  /// Returns the engine's id of a part; -1 for a geometry of one piece.
  std::intptr_t id(std::uint32_t part) const { return parts && part != UINT32_MAX ? parts->id(part) : -1; }
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
  /// a, b: return the geometries. The maximum distance (0: no limit), beyond which pairs need not be answered.
  template <typename A, typename B>
  Query(const A& a, const Frame& at_a, const B& b, const Frame& at_b, double max_distance)
      : a_(a()), b_(b()), max_distance_(max_distance) {
    beyond_ = max_distance > 0 && is_beyond(at_a, at_b);
    if (beyond_) return;
    at_a_ = a_.place(at_a);
    at_b_ = b_.place(at_b);
  }

  /// Whether one of the two has parts.
  bool has_parts() const { return a_.parts || b_.parts; }

  /// Returns the answer of least signed distance, of two with parts that of the nearest ones, or, with SOVO_DEPTH_ANY, of the
  /// first that overlap; nothing, or one that is proven to be beyond the maximum distance.
  std::optional<Part> nearest(sovo_depth depth = SOVO_DEPTH_FAST) const {
    std::optional<Part> found;
    if (a_.empty() || b_.empty()) return found;
    sovo_contact& contact = found.emplace().contact;
    if (beyond_) {
      contact = {};
      contact.distance = contact.lower = max_distance_;
      contact.upper = std::numeric_limits<double>::infinity();
      contact.outcome = SOVO_OUTCOME_BEYOND;
      return found;
    }
    sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
    options.depth = depth;
    if (max_distance_ > 0) options.max_distance = max_distance_ + a_.radius + b_.radius;
    std::uint32_t parts[2];
    check(sovo_body_contact(&a_.body, &at_a_.pose, &b_.body, &at_b_.pose, &options, &contact, parts));
    if (contact.outcome == SOVO_OUTCOME_BEYOND && has_parts())
      found.reset();
    else
      grow(*found, parts);
    return found;
  }

  /// Returns all parts whose signed distance is at most margin, deepest first, or the nearest one where that is in doubt; of
  /// two of one piece the points of their manifold, each as a contact.
  std::vector<Part> within(double margin) const {
    std::vector<Part> parts;
    if (a_.empty() || b_.empty() || beyond_) return parts;
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

  Part part(const sovo_contact& contact, const std::uint32_t (&parts)[2]) const {
    Part part{contact};
    grow(part, parts);
    return part;
  }

  /// Grows the bodies of a contact.
  void grow(Part& part, const std::uint32_t (&parts)[2]) const {
    sovo_contact& contact = part.contact;
    const double radius = a_.radius + b_.radius;
    contact.distance -= radius;
    contact.lower -= radius;
    contact.upper -= radius;
    for (int k = 0; k < 3; ++k) {
      contact.point_a[k] += a_.radius * contact.normal[k];
      contact.point_b[k] -= b_.radius * contact.normal[k];
    }
    part.ids[0] = a_.id(parts[0]);
    part.ids[1] = b_.id(parts[1]);
  }

  /// Whether the two are farther apart than the maximum distance at a glance, before anything is converted.
  bool is_beyond(const Frame& at_a, const Frame& at_b) const {
    const auto a = a_.reach(), b = b_.reach();
    const Eigen::Vector3d way = at_b.translation - at_a.translation;
    const double square = way.squaredNorm();
    if (!a || !b || !(square >= DBL_MIN && square <= DBL_MAX)) return false;
    // Of a ball the matrix may be anything.
    const auto from = [&](const Grown& body, const Reach& reach, const Frame& frame, double ball) {
      return !body.is_ball() && reach.is_beyond(max_distance_, frame, way, ball);
    };
    const double reach = a->ball + b->ball + max_distance_;
    const bool beyond = square > 1.001 * reach * reach || from(a_, *a, at_a, b->ball) || from(b_, *b, at_b, a->ball);
    const auto may_lie = [](const Grown& body, const Frame& frame) { return body.is_ball() || frame.is_rotation(); };
    return beyond && may_lie(a_, at_a) && may_lie(b_, at_b);
  }

  const Grown a_, b_;
  Placement at_a_{Eigen::Vector3d::Zero()}, at_b_{Eigen::Vector3d::Zero()};
  const double max_distance_;
  bool beyond_;
};

}  // namespace adapter
}  // namespace superovoid

#endif  // SUPEROVOID_ADAPTER_HPP
