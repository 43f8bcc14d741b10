// superovoid for FCL 0.7 (fcl::CollisionGeometry, distance, collide, broad-phase callbacks). C++17.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// USE THE FUNCTIONS OF THIS HEADER, NOT FCL'S, FOR PAIRS WITH A SUPEROVOID: fcl::collide() and fcl::distance() print a
// warning and answer "no collision" for every superovoid, unless fcl_in_place.hpp puts superovoid in their place.
// superovoid::fcl::collide(), distance() and continuousCollide() take the same arguments, answer pairs with a superovoid
// themselves, pass on to FCL all others for which it has a function (triangles are answered here), and throw for a pair
// that they cannot answer: nothing unknown ever reads as free.
//
//     other body            how
//     Superovoid            as sovo_pair_contact()
//     Sphere, Capsule       a point or segment, less the radius: exact at any depth of convex superovoids
//     Ellipsoid             a superovoid
//     Box, TriangleP,       as sovo_body_contact() has it
//     Convex                the hull of its vertices
//     Plane, Halfspace      closed form; a plane is thin, a half-space is solid below it
//     BVHModel of any BV    its triangles, a surface as for FCL: a body wholly inside does not collide
//     OcTree                its occupied leaves as solid boxes
//     Cylinder, Cone        as sovo_body_contact() has it
//     point clouds, others  superovoid::error: no approximation is made
//
// SEMANTICS  Those of FCL 0.7, in the world frame:
//   distance(): DistanceResult keeps the smaller of what it holds and the new pair. A pair that is not
//     proven to be apart counts as -1, or with enable_signed_distance as minus the penetration depth (of
//     meshes and octrees: of the deepest part). Nearest points are always set, on the surfaces, also for
//     overlaps, where FCL leaves zeros or a point between. A result that is already at or below zero is
//     final, as FCL's request says. Solver type and tolerances of the request are not used: distances are
//     proven to 1e-9 of the largest semi-axis.
//   collide(): contacts are added to CollisionResult up to num_max_contacts, and the return value is the
//     number it then holds. The normal goes from o1 to o2, penetration_depth >= 0, pos is the midpoint of
//     the two witness points; all three are set without enable_contact too. Where more than one may be
//     added, two shapes have up to eight, the points of their manifold, and meshes and octrees one a triangle
//     or cell, deepest first; without enable_contact one contact alone is that of the first triangle that is found. b1, b2
//     are their ids as FCL's. o1 and o2
//     stay in the caller's order (FCL puts the mesh first). A pair collides unless it is proven to be apart.
//     enable_cost adds a cost source for every two parts that meet, the cells of an octree by their occupancy: all that are
//     not free, where FCL leaves out those that have a node. num_max_contacts = 0 throws.
//   continuousCollide(): for two shapes of one piece, and for meshes and octrees that were added to a Meshes or are beside
//     a superovoid, the answer is proven for all instants between, not for samples.
//     A pair collides unless it is proven to stay apart: time_of_contact is then the instant up to which it is, also
//     where a graze leaves it undecided. The result has the poses at that instant. The motions are FCL's: CCDM_TRANS
//     (the two rotations of an object must be the same), CCDM_LINEAR (the origin on a line, a steady rotation) and
//     CCDM_SCREW. CCDM_SPLINE, a plane or half-space that moves, and geometries that distance() does not take throw.
//     num_max_iterations, toc_err and the solvers of the request are not used: the instant is as exact as 1e-9 of the
//     largest semi-axis is at the speed of the bodies.
//   Depths are sovo_pair_contact()'s fast ones: the least translation in nearly every case.
//
// THREADS  The functions share no state. Any number of threads may use geometries and a Meshes as long as no thread
// changes them.
//
// ERRORS  superovoid::error is thrown before anything was changed in the result.
#ifndef SUPEROVOID_FCL_HPP
#define SUPEROVOID_FCL_HPP

#include <algorithm>
#include <cfloat>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <fcl/broadphase/broadphase_collision_manager.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/geometry/octree/octree.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/collision_object.h>
#include <fcl/narrowphase/continuous_collision.h>
#include <fcl/narrowphase/distance.h>

#include <superovoid/adapter.hpp>

namespace superovoid {
namespace fcl {

/// A superovoid as the immutable geometry of a CollisionObject.
///
/// Its object and node type are those of the base class, OT_UNKNOWN and BV_UNKNOWN, which FCL's
/// tables answer with a warning; any other value would make FCL treat it as one of its own shapes.
template <typename Scalar>
class Superovoid : public ::fcl::CollisionGeometry<Scalar> {
 public:
  using S = Scalar;  ///< as in FCL's shapes

  /// Makes a geometry from semi-axes (metres), exponents and tapers as sovo_superovoid_make() does.
  Superovoid(double a1, double a2, double a3, double e1 = 1, double e2 = 1, double tx = 0, double ty = 0)
      : solid_(a1, a2, a3, e1, e2, tx, ty) {}

  /// Makes a geometry from a shape of the C interface.
  explicit Superovoid(const sovo_superovoid& shape) : solid_(shape) {}

  /// Returns the shape for C functions.
  const sovo_superovoid& shape() const { return solid_.shape(); }

  /// Computes the box, and the sphere about aabb_center from which FCL makes boxes for turned objects, rounded
  /// outwards. (FCL itself rounds to nearest when it moves a box.)
  void computeLocalAABB() override {
    const sovo_aabb box = solid_.box();
    const sovo_bounding_sphere ball = solid_.bounding_sphere();
    for (int i = 0; i < 3; ++i) {
      this->aabb_local.min_[i] = adapter::Solid::outwards<S>(box.min[i]);
      this->aabb_local.max_[i] = adapter::Solid::outwards<S>(box.max[i]);
      this->aabb_center[i] = static_cast<S>(ball.center[i]);
    }
    // The centre is no farther from the origin than the radius: twice what the radius itself needs
    // covers the rounding of the centre too.
    this->aabb_radius = adapter::Solid::outwards<S>(ball.radius + ball.radius * 8 * rounding);
  }

  /// Returns the corners of a box around the body at a transform, from which FCL makes bounding volumes.
  std::vector<::fcl::Vector3<S>> getBoundVertices(const ::fcl::Transform3<S>& tf) const {
    const sovo_aabb box = solid_.box();
    std::vector<::fcl::Vector3<S>> corners;
    for (int k = 0; k < 8; ++k) {
      ::fcl::Vector3<S> corner;
      for (int i = 0; i < 3; ++i)
        corner[i] = adapter::Solid::outwards<S>(k >> i & 1 ? box.max[i] : box.min[i]);
      corners.push_back(tf * corner);
    }
    return corners;
  }

  /// Returns the volume, cubic metres.
  S computeVolume() const override { return static_cast<S>(solid_.volume()); }

  /// Returns the centre of mass, metres.
  ::fcl::Vector3<S> computeCOM() const override { return solid_.center_of_mass().template cast<S>(); }

  /// Returns the inertia tensor at density 1 about the origin of the body's frame, which is FCL's convention.
  ::fcl::Matrix3<S> computeMomentofInertia() const override {
    return solid_.inertia_about_origin().template cast<S>();
  }

  /// Returns the inertia tensor at density 1 about the centre of mass.
  ::fcl::Matrix3<S> computeMomentofInertiaRelatedToCOM() const override {
    return solid_.inertia().template cast<S>();
  }

 private:
  static constexpr double rounding = std::numeric_limits<S>::epsilon();

  adapter::Solid solid_;
};

using Superovoidf = Superovoid<float>;
using Superovoidd = Superovoid<double>;

namespace detail {

using adapter::Part;
using adapter::Parts;
using adapter::Placement;

template <typename S>
Placement placement(const ::fcl::Transform3<S>& tf) {
  return Placement(tf.linear().template cast<double>(), tf.translation().template cast<double>());
}

template <typename S>
adapter::Frame frame(const ::fcl::Transform3<S>& tf) {
  return {tf.linear().template cast<double>(), tf.translation().template cast<double>()};
}

/// Calls f with a geometry as the BVHModel that it is, and returns true; false for any other geometry.
template <typename S, typename F>
bool with_mesh(const ::fcl::CollisionGeometry<S>& geometry, const F& f) {
  switch (geometry.getNodeType()) {
    case ::fcl::BV_AABB: f(static_cast<const ::fcl::BVHModel<::fcl::AABB<S>>&>(geometry)); return true;
    case ::fcl::BV_OBB: f(static_cast<const ::fcl::BVHModel<::fcl::OBB<S>>&>(geometry)); return true;
    case ::fcl::BV_RSS: f(static_cast<const ::fcl::BVHModel<::fcl::RSS<S>>&>(geometry)); return true;
    case ::fcl::BV_kIOS: f(static_cast<const ::fcl::BVHModel<::fcl::kIOS<S>>&>(geometry)); return true;
    case ::fcl::BV_OBBRSS: f(static_cast<const ::fcl::BVHModel<::fcl::OBBRSS<S>>&>(geometry)); return true;
    case ::fcl::BV_KDOP16: f(static_cast<const ::fcl::BVHModel<::fcl::KDOP<S, 16>>&>(geometry)); return true;
    case ::fcl::BV_KDOP18: f(static_cast<const ::fcl::BVHModel<::fcl::KDOP<S, 18>>&>(geometry)); return true;
    case ::fcl::BV_KDOP24: f(static_cast<const ::fcl::BVHModel<::fcl::KDOP<S, 24>>&>(geometry)); return true;
    default: return false;
  }
}

template <typename Model>
Parts convert_mesh(const Model& model) {
  if (model.getModelType() != ::fcl::BVH_MODEL_TRIANGLES)
    throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::fcl: a BVHModel without triangles (a point cloud)");
  std::vector<double> vertices;
  for (int i = 0; i < model.num_vertices; ++i)
    vertices.insert(vertices.end(), model.vertices[i].data(), model.vertices[i].data() + 3);
  std::vector<std::uint32_t> triangles;
  for (int i = 0; i < model.num_tris; ++i)
    for (int k = 0; k < 3; ++k)
      // FCL counts its vertices with an int.
      triangles.push_back(static_cast<std::uint32_t>(model.tri_indices[i][k]));
  return Parts::mesh(vertices, triangles);
}

#if FCL_HAVE_OCTOMAP
template <typename S>
void collect_leaves(const ::fcl::OcTree<S>& tree, const typename ::fcl::OcTree<S>::OcTreeNode* node,
                    const ::fcl::AABB<S>& box, std::vector<sovo_aabb>& boxes,
                    std::vector<std::intptr_t>& cells) {
  if (tree.nodeHasChildren(node)) {
    for (unsigned i = 0; i < 8; ++i) {
      if (!tree.nodeChildExists(node, i)) continue;
      ::fcl::AABB<S> child;
      ::fcl::computeChildBV(box, i, child);
      collect_leaves(tree, tree.getNodeChild(node, i), child, boxes, cells);
    }
  } else if (tree.isNodeOccupied(node)) {
    sovo_aabb leaf;
    Eigen::Map<Eigen::Vector3d>(leaf.min) = box.min_.template cast<double>();
    Eigen::Map<Eigen::Vector3d>(leaf.max) = box.max_.template cast<double>();
    boxes.push_back(leaf);
    cells.push_back(node - tree.getRoot());  // FCL's query cell id
  }
}

template <typename S>
Parts convert_octree(const ::fcl::OcTree<S>& tree) {
  std::vector<sovo_aabb> leaves;
  std::vector<std::intptr_t> cells;
  if (tree.getRoot()) collect_leaves<S>(tree, tree.getRoot(), tree.getRootBV(), leaves, cells);
  return Parts::boxes(leaves, std::move(cells));
}
#endif

/// Returns the parts of a mesh or octree, and nothing for any other geometry.
template <typename S>
std::optional<Parts> convert(const ::fcl::CollisionGeometry<S>& geometry) {
  std::optional<Parts> parts;
  if (with_mesh(geometry, [&](const auto& model) { parts = convert_mesh(model); })) return parts;
#if FCL_HAVE_OCTOMAP
  if (geometry.getNodeType() == ::fcl::GEOM_OCTREE) return convert_octree(static_cast<const ::fcl::OcTree<S>&>(geometry));
#endif
  return std::nullopt;
}

}  // namespace detail

/// Meshes and octrees converted for queries, which otherwise convert them again for each query. The caller owns it,
/// and must add a geometry again after changing it.
///
/// Queries only read it: any number of threads may, while no thread adds or removes.
template <typename S>
class Meshes {
 public:
  /// Adds a geometry and keeps it alive. Geometries that need no conversion are ignored.
  void add(std::shared_ptr<const ::fcl::CollisionGeometry<S>> geometry) {
    std::optional<detail::Parts> parts = detail::convert<S>(*geometry);
    if (!parts) return;
    const auto* key = geometry.get();
    entries_.insert_or_assign(key, Entry{std::move(geometry), std::move(*parts)});
  }

  /// Adds the geometries of objects, such as those of getObjects() of a manager, that were not added yet.
  void add(const std::vector<::fcl::CollisionObject<S>*>& objects) {
    for (const auto* object : objects)
      if (!find(object->collisionGeometry().get())) add(object->collisionGeometry());
  }

  /// Removes a mesh.
  void remove(const ::fcl::CollisionGeometry<S>* geometry) { entries_.erase(geometry); }

  /// Returns a converted geometry for the queries, or NULL if it was not added.
  const detail::Parts* find(const ::fcl::CollisionGeometry<S>* geometry) const {
    const auto entry = entries_.find(geometry);
    return entry == entries_.end() ? nullptr : &entry->second.parts;
  }

 private:
  struct Entry {
    std::shared_ptr<const ::fcl::CollisionGeometry<S>> geometry;
    detail::Parts parts;
  };
  std::map<const ::fcl::CollisionGeometry<S>*, Entry> entries_;
};

namespace detail {

template <typename S>
const Superovoid<S>* as_superovoid(const ::fcl::CollisionGeometry<S>* geometry) {
  if (geometry->getNodeType() != ::fcl::BV_UNKNOWN) return nullptr;  // cheaper than a cast
  return dynamic_cast<const Superovoid<S>*>(geometry);
}

template <typename S>
std::string name(const ::fcl::CollisionGeometry<S>& geometry) {
  switch (geometry.getNodeType()) {
    default: return typeid(geometry).name();
  }
}

/// Whether geometries of a node type are FCL's shapes of one piece.
inline bool is_shape(int node_type) {
  switch (node_type) {
    case ::fcl::GEOM_SPHERE:
    case ::fcl::GEOM_ELLIPSOID:
    case ::fcl::GEOM_CAPSULE:
    case ::fcl::GEOM_CYLINDER:
    case ::fcl::GEOM_CONE:
    case ::fcl::GEOM_BOX:
    case ::fcl::GEOM_TRIANGLE:
    case ::fcl::GEOM_CONVEX:
    case ::fcl::GEOM_PLANE:
    case ::fcl::GEOM_HALFSPACE: return true;
    default: return false;
  }
}

/// Whether a geometry is of one piece and has an answer beside every other one.
template <typename S>
bool is_of_one_piece(const ::fcl::CollisionGeometry<S>& geometry) {
  return is_shape(geometry.getNodeType()) || as_superovoid(&geometry);
}

/// Returns a geometry of one piece as a body.
template <typename S>
adapter::Grown grown(const ::fcl::CollisionGeometry<S>& b, bool beside_superovoid) {
  using adapter::Grown;
  if (const auto* other = as_superovoid(&b)) return {sovo_body_superovoid(&other->shape())};
  const auto wide = [](const ::fcl::Vector3<S>& x) -> Eigen::Vector3d { return x.template cast<double>(); };
  switch (b.getNodeType()) {
    case ::fcl::GEOM_SPHERE:
      return Grown::sphere(static_cast<const ::fcl::Sphere<S>&>(b).radius, beside_superovoid);
    case ::fcl::GEOM_ELLIPSOID: return Grown::ellipsoid(wide(static_cast<const ::fcl::Ellipsoid<S>&>(b).radii));
    case ::fcl::GEOM_CAPSULE: {
      const auto& capsule = static_cast<const ::fcl::Capsule<S>&>(b);
      return Grown::capsule(0.5 * capsule.lz, capsule.radius, beside_superovoid);
    }
    case ::fcl::GEOM_CYLINDER: {
      const auto& cylinder = static_cast<const ::fcl::Cylinder<S>&>(b);
      return {sovo_body_cylinder(cylinder.radius, cylinder.lz)};
    }
    case ::fcl::GEOM_CONE: {
      const auto& cone = static_cast<const ::fcl::Cone<S>&>(b);
      return {sovo_body_cone(cone.radius, cone.lz)};
    }
    case ::fcl::GEOM_BOX: return Grown::cuboid(0.5 * wide(static_cast<const ::fcl::Box<S>&>(b).side));
    case ::fcl::GEOM_TRIANGLE: {
      const auto& triangle = static_cast<const ::fcl::TriangleP<S>&>(b);
      return Grown::triangle(wide(triangle.a), wide(triangle.b), wide(triangle.c));
    }
    case ::fcl::GEOM_CONVEX: {
      const auto& vertices = static_cast<const ::fcl::Convex<S>&>(b).getVertices();
      return Grown::hull(vertices.data(), vertices.size());
    }
    case ::fcl::GEOM_PLANE: {
      const auto& plane = static_cast<const ::fcl::Plane<S>&>(b);
      return {sovo_body_plane(wide(plane.n).data(), plane.d)};
    }
    case ::fcl::GEOM_HALFSPACE: {
      const auto& half_space = static_cast<const ::fcl::Halfspace<S>&>(b);
      return {sovo_body_half_space(wide(half_space.n).data(), half_space.d)};
    }
    default:
      throw error(SOVO_STATUS_ERROR_GEOMETRY,
                  "superovoid::fcl: no exact query of " + name(b));
  }
}

/// The two geometries of a query, with the conversions that it needs.
template <typename S>
class Pair {
 public:
  Pair(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::CollisionGeometry<S>* o2, const Meshes<S>* meshes)
      : geometries_{o1, o2} {
    for (int k = 0; k < 2; ++k) parts_[k] = meshes ? meshes->find(geometries_[k]) : nullptr;
  }

  Pair(const Pair&) = delete;

  /// Whether this library answers the pair: one is a superovoid, or FCL has no function for one.
  bool is_ours() const { return has_superovoid() || (is_known() && (is_triangle(0) || is_triangle(1))); }

  /// Whether both are of one piece, or have been converted.
  bool is_known() const {
    for (int k = 0; k < 2; ++k)
      if (!parts_[k] && !is_of_one_piece(*geometries_[k])) return false;
    return true;
  }

  bool has_superovoid() const { return as_superovoid(geometries_[0]) || as_superovoid(geometries_[1]); }

  /// Returns one of the geometries as a body.
  adapter::Grown body(int k) {
    if (!parts_[k] && (converted_[k] = convert(*geometries_[k]))) parts_[k] = &*converted_[k];
    return parts_[k] ? adapter::Grown::of(*parts_[k]) : grown(*geometries_[k], has_superovoid());
  }

  /// The maximum distance (0: no limit), beyond which the pair need not be answered.
  adapter::Query query(const ::fcl::Transform3<S>& tf1, const ::fcl::Transform3<S>& tf2, double max_distance) {
    return adapter::Query([&] { return body(0); }, frame(tf1), [&] { return body(1); }, frame(tf2), max_distance);
  }

 private:
  bool is_triangle(int k) const { return geometries_[k]->getNodeType() == ::fcl::GEOM_TRIANGLE; }

  const ::fcl::CollisionGeometry<S>* geometries_[2];
  const Parts* parts_[2];
  std::optional<Parts> converted_[2];
};

template <typename S>
::fcl::Vector3<S> vector(const double (&x)[3]) {
  return Eigen::Vector3d(x).cast<S>();
}

/// Cells of an octree carry their own occupancy.
template <typename S>
bool is_obstacle(const ::fcl::CollisionGeometry<S>* geometry) {
  return geometry->getNodeType() == ::fcl::GEOM_OCTREE || geometry->isOccupied();
}

template <typename S>
bool is_free(const ::fcl::CollisionGeometry<S>* geometry) {
  return geometry->getNodeType() != ::fcl::GEOM_OCTREE && geometry->isFree();
}

/// Returns the box of a geometry of one piece.
template <typename S>
::fcl::AABB<S> box_at(const ::fcl::CollisionGeometry<S>& b, const ::fcl::Transform3<S>& tf) {
  ::fcl::AABB<S> box;
  if (const auto* ovoid = as_superovoid(&b)) {
    const Placement at = placement(tf);
    sovo_aabb found;
    check(sovo_superovoid_aabb(&ovoid->shape(), &at.pose, &found));
    return ::fcl::AABB<S>(vector<S>(found.min), vector<S>(found.max));
  }
  switch (b.getNodeType()) {
    case ::fcl::GEOM_SPHERE: ::fcl::computeBV(static_cast<const ::fcl::Sphere<S>&>(b), tf, box); break;
    case ::fcl::GEOM_ELLIPSOID: ::fcl::computeBV(static_cast<const ::fcl::Ellipsoid<S>&>(b), tf, box); break;
    case ::fcl::GEOM_CAPSULE: ::fcl::computeBV(static_cast<const ::fcl::Capsule<S>&>(b), tf, box); break;
    case ::fcl::GEOM_CYLINDER: ::fcl::computeBV(static_cast<const ::fcl::Cylinder<S>&>(b), tf, box); break;
    case ::fcl::GEOM_CONE: ::fcl::computeBV(static_cast<const ::fcl::Cone<S>&>(b), tf, box); break;
    case ::fcl::GEOM_BOX: ::fcl::computeBV(static_cast<const ::fcl::Box<S>&>(b), tf, box); break;
    case ::fcl::GEOM_TRIANGLE: ::fcl::computeBV(static_cast<const ::fcl::TriangleP<S>&>(b), tf, box); break;
    case ::fcl::GEOM_CONVEX: ::fcl::computeBV(static_cast<const ::fcl::Convex<S>&>(b), tf, box); break;
    case ::fcl::GEOM_PLANE: ::fcl::computeBV(static_cast<const ::fcl::Plane<S>&>(b), tf, box); break;
    default: ::fcl::computeBV(static_cast<const ::fcl::Halfspace<S>&>(b), tf, box);
  }
  return box;
}

/// Adds the cost sources of two geometries that meet: where the boxes of their parts overlap, and the product of their densities.
template <typename S>
class Costs {
 public:
  Costs(const ::fcl::CollisionRequest<S>& request, ::fcl::CollisionResult<S>& result) : request_(request), result_(result) {}

  void add(const ::fcl::AABB<S>& box1, const ::fcl::AABB<S>& box2, S density) const {
    ::fcl::AABB<S> common;
    box1.overlap(box2, common);
    result_.addCostSource({common, density}, request_.num_max_cost_sources);
  }

  /// The parts of a geometry that meet another one, whose box is given: triangles by their ids, or the geometry itself.
  void add_parts(const ::fcl::CollisionGeometry<S>& o1, const ::fcl::Transform3<S>& tf1, const ::fcl::AABB<S>& box2, S density,
                 const std::vector<Part>& parts, int side) const {
    if (parts.empty()) return;
    const bool is_mesh = with_mesh(o1, [&](const auto& model) {
      for (const Part& part : parts) {
        const ::fcl::Triangle& corners = model.tri_indices[part.ids[side]];
        ::fcl::AABB<S> box(tf1 * model.vertices[corners[0]]);
        box += tf1 * model.vertices[corners[1]];
        box += tf1 * model.vertices[corners[2]];
        add(box, box2, density);
      }
    });
    if (!is_mesh) add(box_at(o1, tf1), box2, density);
  }

#if FCL_HAVE_OCTOMAP
  /// The cells of an octree that are not free and meet a body. What has no node is unknown, as for FCL.
  void add_cells(const ::fcl::OcTree<S>& tree, const typename ::fcl::OcTree<S>::OcTreeNode* node, const ::fcl::AABB<S>& cell,
                 const ::fcl::Transform3<S>& tf1, const adapter::Grown& body, const ::fcl::Transform3<S>& tf2,
                 const ::fcl::AABB<S>& box2, S density) const {
    const ::fcl::Box<S> shape(cell.width(), cell.height(), cell.depth());
    const ::fcl::Transform3<S> at = tf1 * ::fcl::Translation3<S>(cell.center());
    const ::fcl::AABB<S> box = box_at<S>(shape, at);
    if (!box.overlap(box2)) return;
    if (node && tree.nodeHasChildren(node)) {
      for (unsigned i = 0; i < 8; ++i) {
        ::fcl::AABB<S> child;
        ::fcl::computeChildBV(cell, i, child);
        add_cells(tree, tree.nodeChildExists(node, i) ? tree.getNodeChild(node, i) : nullptr, child, tf1, body, tf2, box2, density);
      }
    } else if (!node || !tree.isNodeFree(node)) {
      const adapter::Query query([&] { return grown<S>(shape, false); }, frame(at), [&] { return body; }, frame(tf2), DBL_MIN);
      const S occupancy = node ? static_cast<S>(node->getOccupancy()) : tree.getOccupancyThres();
      if (!query.nearest(SOVO_DEPTH_ANY)->apart()) add(box, box2, occupancy * density);
    }
  }
#endif

 private:
  const ::fcl::CollisionRequest<S>& request_;
  ::fcl::CollisionResult<S>& result_;
};

/// Adds the cost sources of a pair that FCL does not answer, of which one is of one piece, from the parts that meet.
template <typename S>
void add_costs(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1, const ::fcl::CollisionGeometry<S>* o2,
               const ::fcl::Transform3<S>& tf2, Pair<S>& pair, const std::vector<Part>& parts, const Costs<S>& costs) {
  const bool first = !is_of_one_piece(*o1);
  const ::fcl::CollisionGeometry<S>&a = first ? *o1 : *o2, &b = first ? *o2 : *o1;
  const ::fcl::Transform3<S>&tf_a = first ? tf1 : tf2, &tf_b = first ? tf2 : tf1;
  const ::fcl::AABB<S> box = box_at(b, tf_b);
#if FCL_HAVE_OCTOMAP
  if (a.getNodeType() == ::fcl::GEOM_OCTREE) {
    const auto& tree = static_cast<const ::fcl::OcTree<S>&>(a);
    if (tree.getRoot()) costs.add_cells(tree, tree.getRoot(), tree.getRootBV(), tf_a, pair.body(first ? 1 : 0), tf_b, box, b.cost_density);
    return;
  }
#endif
  costs.add_parts(a, tf_a, box, a.cost_density * b.cost_density, parts, first ? 0 : 1);
}

/// Returns the maximum distance of a query for the least distance so far; 0: no limit.
template <typename S>
double limit(const ::fcl::DistanceResult<S>& result) {
  return result.min_distance < std::numeric_limits<S>::max() ? static_cast<double>(result.min_distance) : 0;
}

/// Makes the answer of a query the result, if it is nearer.
template <typename S>
void update(const adapter::Query& query, const ::fcl::CollisionGeometry<S>* o1, const ::fcl::CollisionGeometry<S>* o2,
            const ::fcl::DistanceRequest<S>& request, ::fcl::DistanceResult<S>& result) {
  const auto part = query.nearest();
  if (!part || part->contact.outcome == SOVO_OUTCOME_BEYOND) return;
  const sovo_contact& contact = part->contact;
  S distance = static_cast<S>(contact.distance);
  if (part->apart())
    distance = std::max(distance, std::numeric_limits<S>::min());
  else
    distance = request.enable_signed_distance ? std::min(distance, S(0)) : S(-1);
  result.update(distance, o1, o2, static_cast<int>(part->ids[0]), static_cast<int>(part->ids[1]),
                vector<S>(contact.point_a), vector<S>(contact.point_b));
}

}  // namespace detail

/// Computes fcl::distance() with superovoids: the least distance so far, see the top of this file. meshes: NULL, or
/// the set of conversions.
template <typename S>
S distance(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1,
           const ::fcl::CollisionGeometry<S>* o2, const ::fcl::Transform3<S>& tf2,
           const ::fcl::DistanceRequest<S>& request, ::fcl::DistanceResult<S>& result,
           const Meshes<S>* meshes = nullptr) {
  detail::Pair<S> pair(o1, o2, meshes);
  if (!pair.is_ours()) return ::fcl::distance(o1, tf1, o2, tf2, request, result);
  if (request.isSatisfied(result)) return result.min_distance;

  detail::update(pair.query(tf1, tf2, detail::limit(result)), o1, o2, request, result);
  return result.min_distance;
}

/// Computes fcl::distance() with superovoids, for two objects.
template <typename S>
S distance(const ::fcl::CollisionObject<S>* o1, const ::fcl::CollisionObject<S>* o2,
           const ::fcl::DistanceRequest<S>& request, ::fcl::DistanceResult<S>& result,
           const Meshes<S>* meshes = nullptr) {
  return superovoid::fcl::distance(o1->collisionGeometry().get(), o1->getTransform(),
                                   o2->collisionGeometry().get(), o2->getTransform(), request, result,
                                   meshes);
}

/// Computes fcl::collide() with superovoids: returns the number of contacts in the result, see the top of this file.
/// meshes: NULL, or the set of conversions.
template <typename S>
std::size_t collide(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1,
                    const ::fcl::CollisionGeometry<S>* o2, const ::fcl::Transform3<S>& tf2,
                    const ::fcl::CollisionRequest<S>& request, ::fcl::CollisionResult<S>& result,
                    const Meshes<S>* meshes = nullptr) {
  detail::Pair<S> pair(o1, o2, meshes);
  if (!pair.is_ours()) return ::fcl::collide(o1, tf1, o2, tf2, request, result);
  if (request.num_max_contacts == 0)
    throw error(SOVO_STATUS_ERROR_OPTION, "num_max_contacts = 0: no collision could be reported");
  if (request.isSatisfied(result)) return result.numContacts();
  const bool is_solid = detail::is_obstacle(o1) && detail::is_obstacle(o2);
  const bool has_cost = request.enable_cost && !detail::is_free(o1) && !detail::is_free(o2);
  if (!is_solid && !has_cost) return result.numContacts();

  const adapter::Query query = pair.query(tf1, tf2, DBL_MIN);
  const std::size_t full = std::max(request.num_max_contacts, result.numContacts());
  const std::size_t room = is_solid ? full - result.numContacts() : 0;
  std::vector<detail::Part> parts;
  if (room > 1 || has_cost)
    parts = query.within(0);
  else if (const auto part = query.nearest(request.enable_contact ? SOVO_DEPTH_FAST : SOVO_DEPTH_ANY))
    parts.push_back(*part);
  const auto apart = [](const detail::Part& part) { return part.apart(); };
  parts.erase(std::remove_if(parts.begin(), parts.end(), apart), parts.end());
  for (std::size_t i = 0; i < std::min(room, parts.size()); ++i) {
    const sovo_contact& contact = parts[i].contact;
    ::fcl::Contact<S> found(o1, o2, parts[i].ids[0], parts[i].ids[1]);
    found.normal = detail::vector<S>(contact.normal);
    found.pos = (0.5 * (Eigen::Vector3d(contact.point_a) + Eigen::Vector3d(contact.point_b)))
                    .template cast<S>();
    found.penetration_depth = static_cast<S>(std::max(0.0, -contact.distance));
    result.addContact(found);
  }
  if (has_cost) detail::add_costs(o1, tf1, o2, tf2, pair, parts, detail::Costs<S>(request, result));
  return result.numContacts();
}

/// Computes fcl::collide() with superovoids, for two objects.
template <typename S>
std::size_t collide(const ::fcl::CollisionObject<S>* o1, const ::fcl::CollisionObject<S>* o2,
                    const ::fcl::CollisionRequest<S>& request, ::fcl::CollisionResult<S>& result,
                    const Meshes<S>* meshes = nullptr) {
  return superovoid::fcl::collide(o1->collisionGeometry().get(), o1->getTransform(),
                                  o2->collisionGeometry().get(), o2->getTransform(), request, result,
                                  meshes);
}

namespace detail {

/// Returns the motion of an object between two transforms, as the request says.
template <typename S>
sovo_motion motion(const ::fcl::Transform3<S>& from, const ::fcl::Transform3<S>& to, ::fcl::CCDMotionType type) {
  Placement start = placement(from);
  const Placement end = placement(to);
  sovo_motion motion;
  switch (type) {
    case ::fcl::CCDM_TRANS:
      if (from.linear() != to.linear())
        throw error(SOVO_STATUS_ERROR_OPTION,
                    "superovoid::fcl: CCDM_TRANS with two different rotations; CCDM_LINEAR and CCDM_SCREW turn");
      [[fallthrough]];
    case ::fcl::CCDM_LINEAR:
      check(sovo_motion_between(SOVO_MOTION_KIND_LINE_SPIN, &start.pose, &end.pose, &motion));
      return motion;
    case ::fcl::CCDM_SCREW:
      check(sovo_motion_between(SOVO_MOTION_KIND_SCREW, &start.pose, &end.pose, &motion));
      return motion;
    default: throw error(SOVO_STATUS_ERROR_OPTION, "superovoid::fcl: no proof for CCDM_SPLINE");
  }
}

template <typename S>
::fcl::Transform3<S> transform_at(const sovo_motion& motion, double t) {
  sovo_pose pose;
  check(sovo_motion_pose(&motion, t, &pose));
  ::fcl::Transform3<S> tf = ::fcl::Transform3<S>::Identity();
  tf.linear() = Eigen::Quaterniond(pose.rotation).toRotationMatrix().template cast<S>();
  tf.translation() = Eigen::Vector3d(pose.translation).cast<S>();
  return tf;
}

/// FCL's own function, which does not compile in single precision.
template <typename S>
S own_continuous(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1_beg,
                 const ::fcl::Transform3<S>& tf1_end, const ::fcl::CollisionGeometry<S>* o2,
                 const ::fcl::Transform3<S>& tf2_beg, const ::fcl::Transform3<S>& tf2_end,
                 const ::fcl::ContinuousCollisionRequest<S>& request, ::fcl::ContinuousCollisionResult<S>& result) {
  if constexpr (std::is_same_v<S, double>)
    return ::fcl::continuousCollide(o1, tf1_beg, tf1_end, o2, tf2_beg, tf2_end, request, result);
  throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::fcl: FCL's continuousCollide() has double precision only");
}

/// Whether a geometry is a plane or half-space that moves.
template <typename S>
bool is_moving_flat(const ::fcl::CollisionGeometry<S>& geometry, const sovo_motion& motion) {
  const auto type = geometry.getNodeType();
  if (type != ::fcl::GEOM_PLANE && type != ::fcl::GEOM_HALFSPACE) return false;
  const Eigen::Map<const Eigen::Vector3d> linear(motion.linear), angular(motion.angular);
  return !linear.isZero(0) || !angular.isZero(0);
}

/// Returns when two moving geometries touch first; an octree without occupied cells is never touched.
inline sovo_time_of_impact time_of_impact(const adapter::Grown& a, const sovo_motion& motion_a, const adapter::Grown& b,
                                          const sovo_motion& motion_b) {
  sovo_time_of_impact_options options = SOVO_TIME_OF_IMPACT_OPTIONS_INIT;
  sovo_time_of_impact impact = {};
  impact.outcome = SOVO_TIME_OF_IMPACT_FREE;
  impact.safe = impact.touching = 1;
  if (a.empty() || b.empty()) return impact;
  // A grown body is all points within its radius.
  options.min_separation = a.radius + b.radius;
  check(sovo_body_time_of_impact(&a.body, &motion_a, &b.body, &motion_b, &options, &impact));
  return impact;
}

}  // namespace detail

/// Computes fcl::continuousCollide() with superovoids: returns the time of contact, 1 if there is none, see the top of
/// this file. meshes: NULL, or the set of conversions.
template <typename S>
S continuousCollide(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1_beg,
                    const ::fcl::Transform3<S>& tf1_end, const ::fcl::CollisionGeometry<S>* o2,
                    const ::fcl::Transform3<S>& tf2_beg, const ::fcl::Transform3<S>& tf2_end,
                    const ::fcl::ContinuousCollisionRequest<S>& request,
                    ::fcl::ContinuousCollisionResult<S>& result, const Meshes<S>* meshes = nullptr) {
  detail::Pair<S> pair(o1, o2, meshes);
  const bool spline = request.ccd_motion_type == ::fcl::CCDM_SPLINE;
  if (!pair.has_superovoid() && (spline || !pair.is_known()))
    return detail::own_continuous(o1, tf1_beg, tf1_end, o2, tf2_beg, tf2_end, request, result);
  const sovo_motion motion1 = detail::motion(tf1_beg, tf1_end, request.ccd_motion_type);
  const sovo_motion motion2 = detail::motion(tf2_beg, tf2_end, request.ccd_motion_type);
  if (detail::is_moving_flat(*o1, motion1) || detail::is_moving_flat(*o2, motion2)) {
    if (!pair.has_superovoid())
      return detail::own_continuous(o1, tf1_beg, tf1_end, o2, tf2_beg, tf2_end, request, result);
    throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::fcl: a plane or half-space that moves");
  }
  const sovo_time_of_impact impact = detail::time_of_impact(pair.body(0), motion1, pair.body(1), motion2);
  const bool free = impact.outcome == SOVO_TIME_OF_IMPACT_FREE;
  const double t = free ? 1 : impact.safe;
  const ::fcl::Transform3<S> tf1 = detail::transform_at<S>(motion1, t), tf2 = detail::transform_at<S>(motion2, t);
  result.is_collide = !free;
  result.time_of_contact = static_cast<S>(t);
  result.contact_tf1 = tf1;
  result.contact_tf2 = tf2;
  return result.time_of_contact;
}

/// Computes fcl::continuousCollide() with superovoids, for two objects and where they move to.
template <typename S>
S continuousCollide(const ::fcl::CollisionObject<S>* o1, const ::fcl::Transform3<S>& tf1_end,
                    const ::fcl::CollisionObject<S>* o2, const ::fcl::Transform3<S>& tf2_end,
                    const ::fcl::ContinuousCollisionRequest<S>& request,
                    ::fcl::ContinuousCollisionResult<S>& result, const Meshes<S>* meshes = nullptr) {
  return superovoid::fcl::continuousCollide(o1->collisionGeometry().get(), o1->getTransform(), tf1_end,
                                            o2->collisionGeometry().get(), o2->getTransform(), tf2_end, request,
                                            result, meshes);
}

/// The data of CollisionFunction(): fcl::DefaultCollisionData with meshes.
template <typename S>
struct CollisionData {
  /// The request, in FCL's terms.
  ::fcl::CollisionRequest<S> request;
  /// The result, in FCL's terms.
  ::fcl::CollisionResult<S> result;
  bool done{false};                   ///< ends the broad phase
  const Meshes<S>* meshes{nullptr};   ///< NULL, or where conversions are found
  std::exception_ptr error{nullptr};  ///< why the broad phase was ended
};

/// The data of DistanceFunction(): fcl::DefaultDistanceData with meshes.
template <typename S>
struct DistanceData {
  /// The request, in FCL's terms.
  ::fcl::DistanceRequest<S> request;
  /// The result, in FCL's terms.
  ::fcl::DistanceResult<S> result;
  bool done{false};                   ///< ends the broad phase
  const Meshes<S>* meshes{nullptr};   ///< NULL, or where conversions are found
  std::exception_ptr error{nullptr};  ///< why the broad phase was ended
};

/// A callback for BroadPhaseCollisionManager::collide() of every manager; data: a CollisionData<S>. It does what
/// fcl::DefaultCollisionFunction does.
///
/// It throws nothing: some of FCL's managers would skip pairs in later calls. A pair that cannot be answered ends the
/// broad phase, is in the result as a contact of depth 0, and its error is in the data, from where the functions
/// collide(manager, ...) throw it.
template <typename S>
bool CollisionFunction(::fcl::CollisionObject<S>* o1, ::fcl::CollisionObject<S>* o2, void* data) {
  auto& own = *static_cast<CollisionData<S>*>(data);
  if (own.done) return true;
  try {
    superovoid::fcl::collide(o1, o2, own.request, own.result, own.meshes);
    own.done = !own.request.enable_cost && own.result.isCollision() &&
               own.result.numContacts() >= own.request.num_max_contacts;
  } catch (...) {
    own.error = std::current_exception();
    const auto zero = ::fcl::Vector3<S>::Zero();
    own.result.addContact({o1->collisionGeometry().get(), o2->collisionGeometry().get(),
                           ::fcl::Contact<S>::NONE, ::fcl::Contact<S>::NONE, zero, zero, S(0)});
    own.done = true;
  }
  return own.done;
}

/// A callback for BroadPhaseCollisionManager::distance() of every manager; data: a DistanceData<S>. It does what
/// fcl::DefaultDistanceFunction does and ends at the first pair that is not apart.
///
/// It throws nothing, like CollisionFunction(); a pair that cannot be answered has distance -1.
template <typename S>
bool DistanceFunction(::fcl::CollisionObject<S>* o1, ::fcl::CollisionObject<S>* o2, void* data,
                      S& distance) {
  auto& own = *static_cast<DistanceData<S>*>(data);
  if (!own.done) {
    try {
      superovoid::fcl::distance(o1, o2, own.request, own.result, own.meshes);
    } catch (...) {
      own.error = std::current_exception();
      const int none = ::fcl::DistanceResult<S>::NONE;
      own.result.update(S(-1), o1->collisionGeometry().get(), o2->collisionGeometry().get(), none, none);
      own.done = true;
    }
  }
  distance = own.result.min_distance;
  return own.done || distance <= 0;
}

/// Finds collisions among the objects of a manager.
template <typename S>
void collide(const ::fcl::BroadPhaseCollisionManager<S>& manager, CollisionData<S>& data) {
  manager.collide(&data, CollisionFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
}

/// Finds collisions of an object with those of a manager.
template <typename S>
void collide(const ::fcl::BroadPhaseCollisionManager<S>& manager, ::fcl::CollisionObject<S>* object,
             CollisionData<S>& data) {
  manager.collide(object, &data, CollisionFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
}

/// Finds collisions between the objects of two managers of the same type.
template <typename S>
void collide(const ::fcl::BroadPhaseCollisionManager<S>& manager,
             ::fcl::BroadPhaseCollisionManager<S>* other, CollisionData<S>& data) {
  manager.collide(other, &data, CollisionFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
}

/// Finds the least distance among the objects of a manager.
template <typename S>
S distance(const ::fcl::BroadPhaseCollisionManager<S>& manager, DistanceData<S>& data) {
  manager.distance(&data, DistanceFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
  return data.result.min_distance;
}

/// Finds the least distance of an object to those of a manager.
template <typename S>
S distance(const ::fcl::BroadPhaseCollisionManager<S>& manager, ::fcl::CollisionObject<S>* object,
           DistanceData<S>& data) {
  manager.distance(object, &data, DistanceFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
  return data.result.min_distance;
}

/// Finds the least distance between the objects of two managers of the same type.
template <typename S>
S distance(const ::fcl::BroadPhaseCollisionManager<S>& manager,
           ::fcl::BroadPhaseCollisionManager<S>* other, DistanceData<S>& data) {
  manager.distance(other, &data, DistanceFunction<S>);
  if (data.error) std::rethrow_exception(data.error);
  return data.result.min_distance;
}

}  // namespace fcl
}  // namespace superovoid

#endif  // SUPEROVOID_FCL_HPP
