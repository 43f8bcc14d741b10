// superovoid for coal 3 (coal::CollisionGeometry, distance, collide, broad-phase callbacks). C++17.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// USE THE FUNCTIONS OF THIS HEADER, NOT COAL'S, FOR PAIRS WITH A SUPEROVOID: coal::collide() and coal::distance() throw
// for every superovoid, unless coal_in_place.hpp puts superovoid in their place. superovoid::coal::collide() and
// distance() take the same arguments, answer pairs with a superovoid themselves, pass on to coal all others for which it
// has a function (triangles and distances of height fields are answered here), and throw for a pair that they cannot
// answer: nothing unknown ever reads as free.
//
//     other body            how
//     Superovoid            as sovo_pair_contact()
//     Sphere, Capsule       a point or segment, less the radius: exact at any depth of convex superovoids
//     Ellipsoid             a superovoid
//     Box, TriangleP,       as sovo_body_contact() has it
//     ConvexBase            the hull of its points
//     Plane, Halfspace      closed form; a plane is thin, a half-space is solid below it
//     BVHModel of any BV    its triangles, a surface as for coal: a body wholly inside does not collide
//     OcTree                its occupied leaves as solid boxes
//     Cylinder, Cone        as sovo_body_contact() has it
//     HeightField           the prisms below its triangles, solid, each with all its faces
//     point clouds, others  superovoid::error: no approximation is made
//
//   Swept-sphere radii of shapes are taken into account.
//
// SEMANTICS  Those of coal 3, in the world frame:
//   distance(): DistanceResult keeps the smaller of what it holds and the new pair, which is signed with
//     enable_signed_distance (the default) and otherwise 0 where the bodies are not proven to be apart. A
//     result that is already at or below zero is final. Solver settings of the request are not used:
//     distances are proven to 1e-9 of the largest semi-axis.
//   collide(): a contact where the distance is not proven to exceed security_margin, up to num_max_contacts.
//     Contact::penetration_depth is coal's: the signed distance, negative for overlaps. The normal goes
//     from o1 to o2. One contact a pair, for meshes and octrees one a triangle or cell, deepest first; without
//     enable_contact one contact alone is that of the first triangle or cell that is found.
//     distance_lower_bound is the least distance less security_margin; it need not be the distance beyond
//     distance_upper_bound. num_max_contacts = 0 throws.
//   computeContactPatch(): a patch of one point for each contact with a superovoid, which is round.
//   Depths are sovo_pair_contact()'s fast ones: the least translation in nearly every case.
//
// THREADS  The functions share no state. Any number of threads may use geometries and a Meshes as long as no thread
// changes them.
//
// ERRORS  superovoid::error is thrown before anything was changed in the result.
#ifndef SUPEROVOID_COAL_HPP
#define SUPEROVOID_COAL_HPP

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <coal/BVH/BVH_model.h>
#include <coal/broadphase/broadphase_collision_manager.h>
#include <coal/broadphase/default_broadphase_callbacks.h>
#include <coal/collision.h>
#include <coal/contact_patch.h>
#include <coal/distance.h>
#include <coal/hfield.h>
#ifdef COAL_HAS_OCTOMAP
#include <coal/octree.h>
#endif
#include <coal/shape/geometric_shapes.h>

#include <superovoid/adapter.hpp>

namespace superovoid {
namespace coal {

using ::coal::CoalScalar;

/// A superovoid as the immutable geometry of a CollisionObject.
///
/// Its object and node type are those of the base class, OT_UNKNOWN and BV_UNKNOWN, for which coal's
/// own functions throw.
class Superovoid : public ::coal::CollisionGeometry {
 public:
  /// Makes a geometry from semi-axes (metres), exponents and tapers as sovo_superovoid_make() does.
  Superovoid(double a1, double a2, double a3, double e1 = 1, double e2 = 1, double tx = 0, double ty = 0)
      : solid_(a1, a2, a3, e1, e2, tx, ty) {}

  /// Makes a geometry from a shape of the C interface.
  explicit Superovoid(const sovo_superovoid& shape) : solid_(shape) {}

  /// Returns the shape for C functions.
  const sovo_superovoid& shape() const { return solid_.shape(); }

  /// Returns a copy, which the caller owns.
  Superovoid* clone() const override { return new Superovoid(*this); }

  /// Computes the box, rounded outwards, and the sphere about its centre.
  void computeLocalAABB() override {
    const sovo_aabb box = solid_.box();
    for (int i = 0; i < 3; ++i) {
      aabb_local.min_[i] = adapter::Solid::outwards<CoalScalar>(box.min[i]);
      aabb_local.max_[i] = adapter::Solid::outwards<CoalScalar>(box.max[i]);
    }
    aabb_center = aabb_local.center();
    aabb_radius = adapter::Solid::outwards<CoalScalar>((aabb_local.min_ - aabb_center).norm());
  }

  /// Returns the volume, cubic metres.
  CoalScalar computeVolume() const override { return static_cast<CoalScalar>(solid_.volume()); }

  /// Returns the centre of mass, metres.
  ::coal::Vec3s computeCOM() const override { return solid_.center_of_mass().cast<CoalScalar>(); }

  /// Returns the inertia tensor at density 1 about the origin of the body's frame, which is coal's convention.
  ::coal::Matrix3s computeMomentofInertia() const override {
    return solid_.inertia_about_origin().cast<CoalScalar>();
  }

  /// Returns the inertia tensor at density 1 about the centre of mass.
  ::coal::Matrix3s computeMomentofInertiaRelatedToCOM() const override {
    return solid_.inertia().cast<CoalScalar>();
  }

 private:
  bool isEqual(const ::coal::CollisionGeometry& other) const override {
    const auto* same = dynamic_cast<const Superovoid*>(&other);
    if (!same) return false;
    const sovo_superovoid &a = shape(), &b = same->shape();
    return std::equal(a.semi_axes, a.semi_axes + 3, b.semi_axes) &&
           std::equal(a.exponents, a.exponents + 2, b.exponents) &&
           std::equal(a.tapers, a.tapers + 2, b.tapers);
  }

  adapter::Solid solid_;
};

namespace detail {

using adapter::Part;
using adapter::Parts;

inline adapter::Frame frame(const ::coal::Transform3s& tf) {
  return {tf.getRotation().cast<double>(), tf.getTranslation().cast<double>()};
}

inline Parts convert_mesh(const ::coal::BVHModelBase& model) {
  if (model.getModelType() != ::coal::BVH_MODEL_TRIANGLES)
    throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::coal: a BVHModel without triangles (a point cloud)");
  std::vector<double> vertices;
  for (unsigned i = 0; i < model.num_vertices; ++i)
    for (int k = 0; k < 3; ++k) vertices.push_back((*model.vertices)[i][k]);
  std::vector<std::uint32_t> triangles;
  for (unsigned i = 0; i < model.num_tris; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      // Coal counts its vertices with an unsigned int.
      triangles.push_back(static_cast<std::uint32_t>((*model.tri_indices)[i][k]));
  return Parts::mesh(vertices, triangles);
}

#ifdef COAL_HAS_OCTOMAP
inline void collect_leaves(const ::coal::OcTree& tree, const ::coal::OcTree::OcTreeNode* node,
                           const ::coal::AABB& box, std::vector<sovo_aabb>& boxes,
                           std::vector<std::intptr_t>& cells) {
  if (tree.nodeHasChildren(node)) {
    for (unsigned i = 0; i < 8; ++i) {
      if (!tree.nodeChildExists(node, i)) continue;
      ::coal::AABB child;
      ::coal::computeChildBV(box, i, child);
      collect_leaves(tree, tree.getNodeChild(node, i), child, boxes, cells);
    }
  } else if (tree.isNodeOccupied(node)) {
    sovo_aabb leaf;
    Eigen::Map<Eigen::Vector3d>(leaf.min) = box.min_.cast<double>();
    Eigen::Map<Eigen::Vector3d>(leaf.max) = box.max_.cast<double>();
    boxes.push_back(leaf);
    cells.push_back(node - tree.getRoot());  // coal's id of a cell
  }
}

inline Parts convert_octree(const ::coal::OcTree& tree) {
  std::vector<sovo_aabb> leaves;
  std::vector<std::intptr_t> cells;
  if (tree.getRoot()) collect_leaves(tree, tree.getRoot(), tree.getRootBV(), leaves, cells);
  return Parts::boxes(leaves, std::move(cells));
}
#endif

/// The prisms of a height field; an id is that of coal's leaf.
template <typename BV>
Parts convert_height_field(const ::coal::HeightField<BV>& field) {
  const auto& heights = field.getHeights();
  const std::size_t rows = heights.rows(), columns = heights.cols();
  std::vector<double> values;
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t c = 0; c < columns; ++c) values.push_back(heights(r, c));
  std::vector<std::intptr_t> ids(2 * (rows - 1) * (columns - 1), -1);
  const auto& nodes = field.getNodes();
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (nodes[k].x_size == 1 && nodes[k].y_size == 1) {
      const std::size_t cell = nodes[k].y_id * (columns - 1) + nodes[k].x_id;
      ids[2 * cell] = ids[2 * cell + 1] = static_cast<std::intptr_t>(k);
    }
  const auto &gx = field.getXGrid(), &gy = field.getYGrid();
  const double x[2] = {gx[0], gx[columns - 1]}, y[2] = {gy[0], gy[rows - 1]};
  return Parts::height_field(values, columns, x, y, field.getMinHeight(), std::move(ids));
}

inline bool is_height_field(const ::coal::CollisionGeometry& geometry) {
  return geometry.getNodeType() == ::coal::HF_AABB || geometry.getNodeType() == ::coal::HF_OBBRSS;
}

/// Returns the parts of a mesh, octree or height field, and nothing for any other geometry.
inline std::optional<Parts> convert(const ::coal::CollisionGeometry& geometry) {
  switch (geometry.getNodeType()) {
    case ::coal::BV_AABB:
    case ::coal::BV_OBB:
    case ::coal::BV_RSS:
    case ::coal::BV_kIOS:
    case ::coal::BV_OBBRSS:
    case ::coal::BV_KDOP16:
    case ::coal::BV_KDOP18:
    case ::coal::BV_KDOP24: return convert_mesh(static_cast<const ::coal::BVHModelBase&>(geometry));
#ifdef COAL_HAS_OCTOMAP
    case ::coal::GEOM_OCTREE: return convert_octree(static_cast<const ::coal::OcTree&>(geometry));
#endif
    case ::coal::HF_AABB:
      return convert_height_field(static_cast<const ::coal::HeightField<::coal::AABB>&>(geometry));
    case ::coal::HF_OBBRSS:
      return convert_height_field(static_cast<const ::coal::HeightField<::coal::OBBRSS>&>(geometry));
    default: return std::nullopt;
  }
}

}  // namespace detail

/// Meshes, octrees and height fields converted for queries, which otherwise convert them again for each query. The caller owns it,
/// and must add a geometry again after changing it.
///
/// Queries only read it: any number of threads may, while no thread adds or removes.
class Meshes {
 public:
  /// Adds a geometry and keeps it alive. Geometries that need no conversion are ignored.
  void add(std::shared_ptr<const ::coal::CollisionGeometry> geometry) {
    std::optional<adapter::Parts> parts = detail::convert(*geometry);
    if (!parts) return;
    const auto* key = geometry.get();
    entries_.insert_or_assign(key, Entry{std::move(geometry), std::move(*parts)});
  }

  /// Removes a mesh.
  void remove(const ::coal::CollisionGeometry* geometry) { entries_.erase(geometry); }

  /// Returns a converted geometry for the queries, or NULL if it was not added.
  const adapter::Parts* find(const ::coal::CollisionGeometry* geometry) const {
    const auto entry = entries_.find(geometry);
    return entry == entries_.end() ? nullptr : &entry->second.parts;
  }

 private:
  struct Entry {
    std::shared_ptr<const ::coal::CollisionGeometry> geometry;
    adapter::Parts parts;
  };
  std::map<const ::coal::CollisionGeometry*, Entry> entries_;
};

namespace detail {

inline const Superovoid* as_superovoid(const ::coal::CollisionGeometry* geometry) {
  if (geometry->getNodeType() != ::coal::BV_UNKNOWN) return nullptr;  // cheaper than a cast
  return dynamic_cast<const Superovoid*>(geometry);
}

inline std::string name(const ::coal::CollisionGeometry& geometry) { return typeid(geometry).name(); }

inline Eigen::Vector3d wide(const ::coal::Vec3s& x) { return x.cast<double>(); }

template <typename Shape>
const Shape& as(const ::coal::CollisionGeometry& geometry) {
  return static_cast<const Shape&>(geometry);
}

/// Whether geometries of a node type are coal's shapes of one piece.
inline bool is_shape(int node_type) {
  switch (node_type) {
    case ::coal::GEOM_SPHERE:
    case ::coal::GEOM_ELLIPSOID:
    case ::coal::GEOM_CAPSULE:
    case ::coal::GEOM_CYLINDER:
    case ::coal::GEOM_CONE:
    case ::coal::GEOM_BOX:
    case ::coal::GEOM_TRIANGLE:
    case ::coal::GEOM_CONVEX:
    case ::coal::GEOM_PLANE:
    case ::coal::GEOM_HALFSPACE: return true;
    default: return false;
  }
}

/// Whether a geometry is of one piece and has an answer beside every other one.
inline bool is_of_one_piece(const ::coal::CollisionGeometry& geometry) {
  return is_shape(geometry.getNodeType()) || as_superovoid(&geometry);
}

/// Returns a geometry of one piece as a body.
inline adapter::Grown grown(const ::coal::CollisionGeometry& b, bool beside_superovoid) {
  using adapter::Grown;
  if (const auto* other = as_superovoid(&b)) return {sovo_body_superovoid(&other->shape())};
  if (!is_of_one_piece(b))
    throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::coal: no exact query of " + name(b));
  const double swept = adapter::checked(as<::coal::ShapeBase>(b).getSweptSphereRadius());
  switch (b.getNodeType()) {
    case ::coal::GEOM_SPHERE: return Grown::sphere(as<::coal::Sphere>(b).radius + swept, beside_superovoid);
    case ::coal::GEOM_ELLIPSOID: return Grown::ellipsoid(wide(as<::coal::Ellipsoid>(b).radii), swept);
    case ::coal::GEOM_CAPSULE: {
      const auto& capsule = as<::coal::Capsule>(b);
      return Grown::capsule(capsule.halfLength, capsule.radius + swept, beside_superovoid);
    }
    case ::coal::GEOM_CYLINDER: {
      const auto& cylinder = as<::coal::Cylinder>(b);
      return {sovo_body_cylinder(cylinder.radius, 2.0 * cylinder.halfLength), swept};
    }
    case ::coal::GEOM_CONE: {
      const auto& cone = as<::coal::Cone>(b);
      return {sovo_body_cone(cone.radius, 2.0 * cone.halfLength), swept};
    }
    case ::coal::GEOM_BOX: return Grown::cuboid(wide(as<::coal::Box>(b).halfSide), swept);
    case ::coal::GEOM_TRIANGLE: {
      const auto& triangle = as<::coal::TriangleP>(b);
      return Grown::triangle(wide(triangle.a), wide(triangle.b), wide(triangle.c), swept);
    }
    case ::coal::GEOM_CONVEX: {
      const auto& convex = as<::coal::ConvexBase>(b);
      return Grown::hull(convex.points->data(), convex.num_points, swept);
    }
    case ::coal::GEOM_PLANE: {
      const auto& plane = as<::coal::Plane>(b);
      return {sovo_body_plane(wide(plane.n).data(), plane.d), swept};
    }
    case ::coal::GEOM_HALFSPACE: {
      const auto& half_space = as<::coal::Halfspace>(b);
      return {sovo_body_half_space(wide(half_space.n).data(), half_space.d), swept};
    }
    default: break;
  }
  throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::coal: no exact query of " + name(b));
}

/// The two geometries of a query, with the conversions that it needs.
class Pair {
 public:
  Pair(const ::coal::CollisionGeometry* o1, const ::coal::CollisionGeometry* o2, const Meshes* meshes)
      : geometries_{o1, o2} {
    for (int k = 0; k < 2; ++k) parts_[k] = meshes ? meshes->find(geometries_[k]) : nullptr;
  }

  Pair(const Pair&) = delete;

  /// Whether this library answers the pair: one is a superovoid, or coal has no function for one. all: also where both are
  /// of one piece or have been converted, so that no mesh is converted for one query.
  bool is_ours(bool all) const {
    if (has_superovoid()) return true;
    bool ours = true, theirs = true;
    for (int k = 0; k < 2; ++k) {
      const bool one_piece = is_of_one_piece(*geometries_[k]);
      ours &= parts_[k] || one_piece;
      theirs &= geometries_[k]->getNodeType() != ::coal::GEOM_TRIANGLE;
    }
    return ours && (all || !theirs);
  }

  bool has_superovoid() const { return as_superovoid(geometries_[0]) || as_superovoid(geometries_[1]); }

  /// The maximum distance (0: no limit), beyond which the pair need not be answered.
  adapter::Query query(const ::coal::Transform3s& tf1, const ::coal::Transform3s& tf2, double max_distance) {
    return adapter::Query([&] { return body(0); }, frame(tf1), [&] { return body(1); }, frame(tf2), max_distance);
  }

 private:
  adapter::Grown body(int k) {
    if (!parts_[k] && (converted_[k] = convert(*geometries_[k]))) parts_[k] = &*converted_[k];
    return parts_[k] ? adapter::Grown::of(*parts_[k]) : grown(*geometries_[k], has_superovoid());
  }

  const ::coal::CollisionGeometry* geometries_[2];
  const Parts* parts_[2];
  std::optional<Parts> converted_[2];
};

/// Returns the answer of a part, as seen from o1 to o2.
struct Answer {
  ::coal::Vec3s p1, p2, normal;
  int b1, b2;

  explicit Answer(const Part& part)
      : p1(vector(part.contact.point_a)),
        p2(vector(part.contact.point_b)),
        normal(vector(part.contact.normal)),
        b1(static_cast<int>(part.ids[0])),
        b2(static_cast<int>(part.ids[1])) {}

 private:
  static ::coal::Vec3s vector(const double (&x)[3]) { return Eigen::Vector3d(x).cast<CoalScalar>(); }
};

}  // namespace detail

namespace detail {

/// all: whether pairs that coal answers too are answered here.
inline CoalScalar distance(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                           const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                           const ::coal::DistanceRequest& request, ::coal::DistanceResult& result,
                           const Meshes* meshes, bool all) {
  Pair pair(o1, o2, meshes);
  // Coal has no distance of height fields.
  const bool terrain = is_height_field(*o1) || is_height_field(*o2);
  if (!terrain && !pair.is_ours(all)) return ::coal::distance(o1, tf1, o2, tf2, request, result);
  if (request.isSatisfied(result)) return result.min_distance;

  const bool first = !(result.min_distance < (std::numeric_limits<CoalScalar>::max)());
  const auto part = pair.query(tf1, tf2, first ? 0 : result.min_distance).nearest();
  if (!part || part->contact.outcome == SOVO_OUTCOME_BEYOND) return result.min_distance;

  CoalScalar distance = static_cast<CoalScalar>(part->contact.distance);
  if (part->apart())
    distance = std::max(distance, (std::numeric_limits<CoalScalar>::min)());
  else
    distance = request.enable_signed_distance ? std::min(distance, CoalScalar(0)) : CoalScalar(0);
  const Answer answer(*part);
  result.update(distance, o1, o2, answer.b1, answer.b2, answer.p1, answer.p2, answer.normal);
  return result.min_distance;
}

}  // namespace detail

/// Computes coal::distance() with superovoids: the least distance so far, see the top of this file. meshes: NULL, or
/// the set of conversions.
inline CoalScalar distance(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                           const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                           const ::coal::DistanceRequest& request, ::coal::DistanceResult& result,
                           const Meshes* meshes = nullptr) {
  return detail::distance(o1, tf1, o2, tf2, request, result, meshes, false);
}

/// Computes coal::distance() with superovoids, for two objects.
inline CoalScalar distance(const ::coal::CollisionObject* o1, const ::coal::CollisionObject* o2,
                           const ::coal::DistanceRequest& request, ::coal::DistanceResult& result,
                           const Meshes* meshes = nullptr) {
  return superovoid::coal::distance(o1->collisionGeometryPtr(), o1->getTransform(),
                                    o2->collisionGeometryPtr(), o2->getTransform(), request, result, meshes);
}

namespace detail {

inline std::size_t collide(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                           const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                           const ::coal::CollisionRequest& request, ::coal::CollisionResult& result,
                           const Meshes* meshes, bool all) {
  Pair pair(o1, o2, meshes);
  if (!pair.is_ours(all)) return ::coal::collide(o1, tf1, o2, tf2, request, result);
  if (request.num_max_contacts == 0)
    throw error(SOVO_STATUS_ERROR_OPTION, "num_max_contacts = 0: no collision could be reported");
  const double margin = request.security_margin;
  if (margin != margin) throw error(SOVO_STATUS_ERROR_OPTION, "security_margin is not a number");
  if (margin == -std::numeric_limits<double>::infinity()) return 0;  // as coal: not to be tested
  if (request.isSatisfied(result)) return result.numContacts();

  const double threshold = margin + request.collision_distance_threshold;
  const bool bounded = request.distance_upper_bound < (std::numeric_limits<CoalScalar>::max)();
  const double limit = bounded ? std::max<double>({request.distance_upper_bound, threshold, DBL_MIN}) : 0;
  const adapter::Query query = pair.query(tf1, tf2, limit);
  // Whether two bodies are deeper than a negative margin, the deepest parts tell.
  const bool deepest = request.enable_contact || margin < 0;
  const std::optional<Part> nearest = query.nearest(deepest ? SOVO_DEPTH_FAST : SOVO_DEPTH_ANY);
  if (!nearest) {
    result.updateDistanceLowerBound(limit - margin);
    return result.numContacts();
  }
  if (nearest->contact.outcome == SOVO_OUTCOME_BEYOND) {
    result.updateDistanceLowerBound(nearest->contact.lower - margin);
    return result.numContacts();
  }
  // Up to a positive margin nothing in doubt is free. That a body is deeper than a negative margin cannot be proven
  // in the same way, so its depth decides.
  const auto within = [&](const Part& part) {
    return (margin < 0 ? part.contact.distance : part.contact.lower) <= threshold;
  };
  std::size_t room = request.num_max_contacts - result.numContacts();
  const bool many = room > 1 && query.has_parts();
  const std::vector<Part> parts = many ? query.within(threshold) : std::vector<Part>();

  const Answer best(*nearest);
  ::coal::internal::updateDistanceLowerBoundFromLeaf(
      request, result, static_cast<CoalScalar>(nearest->contact.distance - margin), best.p1, best.p2,
      best.normal);
  const auto add = [&](const Part& part) {
    if (room == 0 || !within(part)) return;
    --room;
    const Answer answer(part);
    result.addContact({o1, o2, answer.b1, answer.b2, answer.p1, answer.p2, answer.normal,
                       static_cast<CoalScalar>(part.contact.distance)});
  };
  if (many)
    std::for_each(parts.begin(), parts.end(), add);
  else
    add(*nearest);
  return result.numContacts();
}

}  // namespace detail

/// Computes coal::collide() with superovoids: returns the number of contacts in the result, see the top of this file.
/// meshes: NULL, or the set of conversions.
inline std::size_t collide(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                           const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                           const ::coal::CollisionRequest& request, ::coal::CollisionResult& result,
                           const Meshes* meshes = nullptr) {
  return detail::collide(o1, tf1, o2, tf2, request, result, meshes, false);
}

/// Computes coal::collide() with superovoids, for two objects.
inline std::size_t collide(const ::coal::CollisionObject* o1, const ::coal::CollisionObject* o2,
                           const ::coal::CollisionRequest& request, ::coal::CollisionResult& result,
                           const Meshes* meshes = nullptr) {
  return superovoid::coal::collide(o1->collisionGeometryPtr(), o1->getTransform(),
                                   o2->collisionGeometryPtr(), o2->getTransform(), request, result, meshes);
}

namespace detail {

/// A patch of one point for each contact: a superovoid is round.
inline void add_contact_patches(const ::coal::CollisionResult& collisions, const ::coal::ContactPatchRequest& request,
                                ::coal::ContactPatchResult& result) {
  for (std::size_t i = 0; i < std::min<std::size_t>(collisions.numContacts(), request.max_num_patch); ++i) {
    const ::coal::Contact& contact = collisions.getContact(i);
    ::coal::ContactPatch& patch = result.getUnusedContactPatch();
    ::coal::constructContactPatchFrameFromContact(contact, patch);
    patch.addPoint(contact.pos);
  }
}

}  // namespace detail

/// Computes coal::computeContactPatch() with superovoids: a patch of one point for each of the contacts in collisions, which
/// collide() has found of the same pair; other pairs are passed on to coal.
inline void computeContactPatch(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                                const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                                const ::coal::CollisionResult& collisions, const ::coal::ContactPatchRequest& request,
                                ::coal::ContactPatchResult& result) {
  if (!detail::as_superovoid(o1) && !detail::as_superovoid(o2))
    return ::coal::computeContactPatch(o1, tf1, o2, tf2, collisions, request, result);
  if (!collisions.isCollision() || request.max_num_patch == 0) return;
  result.set(request);
  detail::add_contact_patches(collisions, request, result);
}

/// Computes coal::computeContactPatch() with superovoids, for two objects.
inline void computeContactPatch(const ::coal::CollisionObject* o1, const ::coal::CollisionObject* o2,
                                const ::coal::CollisionResult& collisions, const ::coal::ContactPatchRequest& request,
                                ::coal::ContactPatchResult& result) {
  superovoid::coal::computeContactPatch(o1->collisionGeometryPtr(), o1->getTransform(), o2->collisionGeometryPtr(),
                                        o2->getTransform(), collisions, request, result);
}

/// A callback for BroadPhaseCollisionManager::collide() of every manager: coal::CollisionCallBackDefault with
/// superovoids and meshes.
///
/// It throws nothing into the manager. A pair that cannot be answered ends the broad phase, is in the result as a
/// contact, and its error is kept: call rethrow() after the manager.
struct CollisionCallBack : ::coal::CollisionCallBackBase {
  /// The request, the result and the meshes.
  ::coal::CollisionData data;
  const Meshes* meshes{nullptr};      ///< NULL, or where conversions are found
  std::exception_ptr error{nullptr};  ///< why the broad phase was ended

  /// The managers call this before the first pair.
  void init() override {
    data.clear();
    error = nullptr;
  }

  /// The managers call this with each pair; true ends the query.
  bool collide(::coal::CollisionObject* o1, ::coal::CollisionObject* o2) override {
    if (data.done) return true;
    try {
      superovoid::coal::collide(o1, o2, data.request, data.result, meshes);
      data.done = data.request.isSatisfied(data.result);
    } catch (...) {
      error = std::current_exception();
      data.result.addContact({o1->collisionGeometryPtr(), o2->collisionGeometryPtr(), -1, -1});
      data.done = true;
    }
    return data.done;
  }

  /// Throws the error of a pair since init().
  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

/// A callback for BroadPhaseCollisionManager::distance() of every manager: coal::DistanceCallBackDefault with
/// superovoids and meshes. It ends at the first pair that is not apart.
///
/// It throws nothing, like CollisionCallBack; a pair that cannot be answered has distance -1.
struct DistanceCallBack : ::coal::DistanceCallBackBase {
  /// The request, the result and the meshes.
  ::coal::DistanceData data;
  const Meshes* meshes{nullptr};      ///< NULL, or where conversions are found
  std::exception_ptr error{nullptr};  ///< why the broad phase was ended

  /// The managers call this before the first pair.
  void init() override {
    data.clear();
    error = nullptr;
  }

  /// The managers call this with each pair; true ends the query.
  bool distance(::coal::CollisionObject* o1, ::coal::CollisionObject* o2, CoalScalar& dist) override {
    if (!data.done) {
      try {
        superovoid::coal::distance(o1, o2, data.request, data.result, meshes);
      } catch (...) {
        error = std::current_exception();
        data.result.update(-1, o1->collisionGeometryPtr(), o2->collisionGeometryPtr(), -1, -1);
        data.done = true;
      }
    }
    dist = data.result.min_distance;
    return data.done || dist <= 0;
  }

  /// Throws the error of a pair since init().
  void rethrow() const {
    if (error) std::rethrow_exception(error);
  }
};

}  // namespace coal
}  // namespace superovoid

#endif  // SUPEROVOID_COAL_HPP
