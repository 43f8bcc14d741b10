// superovoid in the place of FCL's narrow phase. C++17, FCL 0.7.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// INCLUDE THIS IN ONE SOURCE FILE OF A PROGRAM, AND ITS CALLS OF fcl::collide() AND fcl::distance() ARE ANSWERED BY
// SUPEROVOID, with superovoids among the geometries. Nothing else changes: not the program's source, not what FCL's
// functions take and return. Libraries that the program loads and that call FCL are answered in the same way, where the
// linker lets the program's functions go before the library's (as it does on Linux by default).
//
// How: FCL finds its narrow-phase functions in a table for each of its two solvers. Here these tables lead to the same
// functions with a solver of superovoid's. FCL keeps what it does well: the descent of bounding volumes of meshes and
// octrees, cost sources, the order of its results. In double precision fcl::collide() and fcl::distance() are compiled
// into FCL's library together with a table that no program reaches, so that this header compiles them into the program.
//
//     shapes of one piece    superovoid's answer, for every two of FCL's shapes and superovoids
//     meshes, octrees        with shapes: FCL's descent, superovoid's answer for every triangle and cell
//     mesh and mesh          FCL's own: it does not ask a solver
//     continuous collision   CCDC_NAIVE asks fcl::collide() at instants; the other solvers are FCL's own.
//                            superovoid::fcl::continuousCollide() proves the time between.
//
// SEMANTICS  Those of FCL: two bodies that are not proven to be apart collide; a distance is -1 then, or with
// enable_signed_distance minus the penetration depth. Nearest points are set also for overlaps. Two shapes that are farther
// apart than the least distance in a result so far leave it as it is. Tolerances and cached guesses of a request are not
// used. Where contacts are asked for, two shapes have up to eight, the points of their manifold.
#ifndef SUPEROVOID_FCL_IN_PLACE_HPP
#define SUPEROVOID_FCL_IN_PLACE_HPP

#include <algorithm>
#include <cfloat>
#include <type_traits>
#include <vector>

#include <superovoid/fcl.hpp>

namespace superovoid {
namespace fcl {

/// A narrow-phase solver as FCL's functions take it: fcl::collide(o1, tf1, o2, tf2, &solver, request, result) with any of
/// FCL's shapes and with superovoids. It has no state.
template <typename Scalar>
class Solver {
 public:
  using S = Scalar;  ///< as in FCL's solvers

  /// Whether two shapes are not proven to be apart. contacts: NULL, or where the points of their manifold are added, up to
  /// eight: normals from s1 to s2.
  template <typename Shape1, typename Shape2>
  bool shapeIntersect(const Shape1& s1, const ::fcl::Transform3<S>& tf1, const Shape2& s2,
                      const ::fcl::Transform3<S>& tf2,
                      std::vector<::fcl::ContactPoint<S>>* contacts = nullptr) const {
    const adapter::Query pair = query(s1, tf1, s2, tf2, DBL_MIN);
    if (!contacts) return !pair.nearest(SOVO_DEPTH_ANY)->apart();
    bool meet = false;
    for (const detail::Part& part : pair.within(0)) {
      if (part.apart()) continue;
      const sovo_contact& contact = part.contact;
      contacts->emplace_back(vector(contact.normal), middle(contact), depth(contact));
      meet = true;
    }
    return meet;
  }

  /// The same for a shape and a triangle in the world; the normal goes from the shape to the triangle.
  template <typename Shape>
  bool shapeTriangleIntersect(const Shape& s, const ::fcl::Transform3<S>& tf, const ::fcl::Vector3<S>& p1,
                              const ::fcl::Vector3<S>& p2, const ::fcl::Vector3<S>& p3,
                              ::fcl::Vector3<S>* contact_points = nullptr, S* penetration_depth = nullptr,
                              ::fcl::Vector3<S>* normal = nullptr) const {
    return shapeTriangleIntersect(s, tf, p1, p2, p3, ::fcl::Transform3<S>::Identity(), contact_points,
                                  penetration_depth, normal);
  }

  /// The same for a triangle that has a transform.
  template <typename Shape>
  bool shapeTriangleIntersect(const Shape& s, const ::fcl::Transform3<S>& tf1, const ::fcl::Vector3<S>& p1,
                              const ::fcl::Vector3<S>& p2, const ::fcl::Vector3<S>& p3,
                              const ::fcl::Transform3<S>& tf2, ::fcl::Vector3<S>* contact_points = nullptr,
                              S* penetration_depth = nullptr, ::fcl::Vector3<S>* normal = nullptr) const {
    const bool any = !contact_points && !penetration_depth && !normal;
    const sovo_contact contact = ask(s, tf1, ::fcl::TriangleP<S>(p1, p2, p3), tf2, DBL_MIN, any ? SOVO_DEPTH_ANY : SOVO_DEPTH_FAST);
    if (contact.lower > 0) return false;
    if (contact_points) *contact_points = middle(contact);
    if (penetration_depth) *penetration_depth = depth(contact);
    if (normal) *normal = vector(contact.normal);
    return true;
  }

  /// Whether two shapes are proven to be apart. dist: their distance, -1 if they are not; p1, p2: the nearest points in
  /// the world. All may be NULL.
  template <typename Shape1, typename Shape2>
  bool shapeDistance(const Shape1& s1, const ::fcl::Transform3<S>& tf1, const Shape2& s2,
                     const ::fcl::Transform3<S>& tf2, S* dist = nullptr, ::fcl::Vector3<S>* p1 = nullptr,
                     ::fcl::Vector3<S>* p2 = nullptr) const {
    return answer(ask(s1, tf1, s2, tf2, 0), false, dist, p1, p2);
  }

  /// The same; where the shapes are not proven to be apart, dist is minus their penetration depth.
  template <typename Shape1, typename Shape2>
  bool shapeSignedDistance(const Shape1& s1, const ::fcl::Transform3<S>& tf1, const Shape2& s2,
                           const ::fcl::Transform3<S>& tf2, S* dist = nullptr, ::fcl::Vector3<S>* p1 = nullptr,
                           ::fcl::Vector3<S>* p2 = nullptr) const {
    return answer(ask(s1, tf1, s2, tf2, 0), true, dist, p1, p2);
  }

  /// The distance of a shape and a triangle in the world, as shapeDistance().
  template <typename Shape>
  bool shapeTriangleDistance(const Shape& s, const ::fcl::Transform3<S>& tf, const ::fcl::Vector3<S>& p1,
                             const ::fcl::Vector3<S>& p2, const ::fcl::Vector3<S>& p3, S* dist = nullptr,
                             ::fcl::Vector3<S>* q1 = nullptr, ::fcl::Vector3<S>* q2 = nullptr) const {
    return shapeTriangleDistance(s, tf, p1, p2, p3, ::fcl::Transform3<S>::Identity(), dist, q1, q2);
  }

  /// The same for a triangle that has a transform.
  template <typename Shape>
  bool shapeTriangleDistance(const Shape& s, const ::fcl::Transform3<S>& tf1, const ::fcl::Vector3<S>& p1,
                             const ::fcl::Vector3<S>& p2, const ::fcl::Vector3<S>& p3,
                             const ::fcl::Transform3<S>& tf2, S* dist = nullptr, ::fcl::Vector3<S>* q1 = nullptr,
                             ::fcl::Vector3<S>* q2 = nullptr) const {
    return answer(ask(s, tf1, ::fcl::TriangleP<S>(p1, p2, p3), tf2, 0), false, dist, q1, q2);
  }

  /// Does nothing: no guess is needed.
  void enableCachedGuess(bool) const {}

  /// Does nothing.
  void setCachedGuess(const ::fcl::Vector3<S>&) const {}

  /// Returns FCL's initial guess.
  ::fcl::Vector3<S> getCachedGuess() const { return ::fcl::Vector3<S>(1, 0, 0); }

 private:
  template <typename Shape1, typename Shape2>
  static adapter::Query query(const Shape1& s1, const ::fcl::Transform3<S>& tf1, const Shape2& s2,
                              const ::fcl::Transform3<S>& tf2, double max_distance) {
    constexpr bool ovoid = std::is_same_v<Shape1, Superovoid<S>> || std::is_same_v<Shape2, Superovoid<S>>;
    return adapter::Query([&] { return detail::grown<S>(s1, ovoid); }, detail::frame(tf1),
                          [&] { return detail::grown<S>(s2, ovoid); }, detail::frame(tf2), max_distance);
  }

  template <typename Shape1, typename Shape2>
  static sovo_contact ask(const Shape1& s1, const ::fcl::Transform3<S>& tf1, const Shape2& s2,
                          const ::fcl::Transform3<S>& tf2, double max_distance, sovo_depth depth = SOVO_DEPTH_FAST) {
    return query(s1, tf1, s2, tf2, max_distance).nearest(depth)->contact;
  }

  static bool answer(const sovo_contact& contact, bool is_signed, S* dist, ::fcl::Vector3<S>* p1,
                     ::fcl::Vector3<S>* p2) {
    const bool apart = contact.lower > 0;
    const S distance = static_cast<S>(contact.distance);
    if (dist)
      *dist = apart       ? std::max(distance, std::numeric_limits<S>::min())
              : is_signed ? std::min(distance, S(0))
                          : S(-1);
    if (p1) *p1 = vector(contact.point_a);
    if (p2) *p2 = vector(contact.point_b);
    return apart;
  }

  static ::fcl::Vector3<S> vector(const double (&x)[3]) { return detail::vector<S>(x); }

  static ::fcl::Vector3<S> middle(const sovo_contact& contact) {
    return (0.5 * (Eigen::Vector3d(contact.point_a) + Eigen::Vector3d(contact.point_b))).template cast<S>();
  }

  static S depth(const sovo_contact& contact) { return static_cast<S>(std::max(0.0, -contact.distance)); }
};

namespace detail {

template <typename S>
using CollisionTable = ::fcl::detail::CollisionFunctionMatrix<Solver<S>>;
template <typename S>
using DistanceTable = ::fcl::detail::DistanceFunctionMatrix<Solver<S>>;

/// FCL's functions with superovoid's solver, and rows and columns for superovoids, whose node type is
/// BV_UNKNOWN, and for triangles.
template <typename S>
struct Tables {
  CollisionTable<S> collision;
  DistanceTable<S> distance;

  Tables() {
    namespace f = ::fcl;
    using Ovoid = Superovoid<S>;
    shapes<Ovoid>(f::BV_UNKNOWN);
    shapes<f::Box<S>>(f::GEOM_BOX);
    shapes<f::Sphere<S>>(f::GEOM_SPHERE);
    shapes<f::Ellipsoid<S>>(f::GEOM_ELLIPSOID);
    shapes<f::Capsule<S>>(f::GEOM_CAPSULE);
    shapes<f::Cone<S>>(f::GEOM_CONE);
    shapes<f::Cylinder<S>>(f::GEOM_CYLINDER);
    shapes<f::Convex<S>>(f::GEOM_CONVEX);
    shapes<f::Plane<S>>(f::GEOM_PLANE);
    shapes<f::Halfspace<S>>(f::GEOM_HALFSPACE);
    shapes<f::TriangleP<S>>(f::GEOM_TRIANGLE);
    // FCL has no distance of these.
    pair<f::Ellipsoid<S>, f::Halfspace<S>>(f::GEOM_ELLIPSOID, f::GEOM_HALFSPACE);
    mesh<f::AABB<S>>(f::BV_AABB);
    mesh<f::OBB<S>>(f::BV_OBB);
    mesh<f::RSS<S>>(f::BV_RSS);
    mesh<f::kIOS<S>>(f::BV_kIOS);
    mesh<f::OBBRSS<S>>(f::BV_OBBRSS);
    mesh<f::KDOP<S, 16>>(f::BV_KDOP16);
    mesh<f::KDOP<S, 18>>(f::BV_KDOP18);
    mesh<f::KDOP<S, 24>>(f::BV_KDOP24);
    mesh_distance<f::RSS<S>>(f::BV_RSS);
    mesh_distance<f::kIOS<S>>(f::BV_kIOS);
    mesh_distance<f::OBBRSS<S>>(f::BV_OBBRSS);
#if FCL_HAVE_OCTOMAP
    collision.collision_matrix[f::GEOM_OCTREE][f::BV_UNKNOWN] = &f::detail::OcTreeShapeCollide<Ovoid, Solver<S>>;
    collision.collision_matrix[f::BV_UNKNOWN][f::GEOM_OCTREE] = &f::detail::ShapeOcTreeCollide<Ovoid, Solver<S>>;
    distance.distance_matrix[f::GEOM_OCTREE][f::BV_UNKNOWN] = &f::detail::OcTreeShapeDistance<Ovoid, Solver<S>>;
    distance.distance_matrix[f::BV_UNKNOWN][f::GEOM_OCTREE] = &f::detail::ShapeOcTreeDistance<Ovoid, Solver<S>>;
#endif
  }

  static const Tables& get() {
    static const Tables tables;
    return tables;
  }

 private:
  template <typename Shape>
  void shapes(::fcl::NODE_TYPE type) {
    pair<Shape, Superovoid<S>>(type, ::fcl::BV_UNKNOWN);
    // FCL's tables have no triangles.
    pair<Shape, ::fcl::TriangleP<S>>(type, ::fcl::GEOM_TRIANGLE);
  }

  template <typename Shape1, typename Shape2>
  void pair(::fcl::NODE_TYPE type1, ::fcl::NODE_TYPE type2) {
    namespace d = ::fcl::detail;
    collision.collision_matrix[type1][type2] = &d::ShapeShapeCollide<Shape1, Shape2, Solver<S>>;
    collision.collision_matrix[type2][type1] = &d::ShapeShapeCollide<Shape2, Shape1, Solver<S>>;
    distance.distance_matrix[type1][type2] = &d::ShapeShapeDistance<Shape1, Shape2, Solver<S>>;
    distance.distance_matrix[type2][type1] = &d::ShapeShapeDistance<Shape2, Shape1, Solver<S>>;
  }

  template <typename BV>
  void mesh(::fcl::NODE_TYPE type) {
    using Collider = ::fcl::detail::BVHShapeCollider<BV, Superovoid<S>, Solver<S>>;
    collision.collision_matrix[type][::fcl::BV_UNKNOWN] = &Collider::collide;
    collision.collision_matrix[::fcl::BV_UNKNOWN][type] = &swapped<Collider>;
  }

  template <typename BV>
  void mesh_distance(::fcl::NODE_TYPE type) {
    using Distancer = ::fcl::detail::BVHShapeDistancer<BV, Superovoid<S>, Solver<S>>;
    distance.distance_matrix[type][::fcl::BV_UNKNOWN] = &Distancer::distance;
    distance.distance_matrix[::fcl::BV_UNKNOWN][type] = &swapped_distance<Distancer>;
  }

  /// A mesh comes first, as FCL has it for its own shapes.
  template <typename Collider>
  static std::size_t swapped(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1,
                             const ::fcl::CollisionGeometry<S>* o2, const ::fcl::Transform3<S>& tf2,
                             const Solver<S>* solver, const ::fcl::CollisionRequest<S>& request,
                             ::fcl::CollisionResult<S>& result) {
    return Collider::collide(o2, tf2, o1, tf1, solver, request, result);
  }

  template <typename Distancer>
  static S swapped_distance(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1,
                            const ::fcl::CollisionGeometry<S>* o2, const ::fcl::Transform3<S>& tf2,
                            const Solver<S>* solver, const ::fcl::DistanceRequest<S>& request,
                            ::fcl::DistanceResult<S>& result) {
    return Distancer::distance(o2, tf2, o1, tf1, solver, request, result);
  }
};

/// Throws where a geometry is of a type that its node type does not tell: neither FCL's nor a superovoid.
template <typename S>
void refuse_unknown(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::CollisionGeometry<S>* o2) {
  for (const auto* geometry : {o1, o2})
    if (geometry->getNodeType() == ::fcl::BV_UNKNOWN && !as_superovoid(geometry))
      throw error(SOVO_STATUS_ERROR_GEOMETRY, "superovoid::fcl: no query of a geometry that is neither FCL's nor a superovoid");
}

/// An entry of FCL's table for its solver Gjk.
template <typename Gjk>
std::size_t collide_in_place(const ::fcl::CollisionGeometry<typename Gjk::S>* o1,
                             const ::fcl::Transform3<typename Gjk::S>& tf1,
                             const ::fcl::CollisionGeometry<typename Gjk::S>* o2,
                             const ::fcl::Transform3<typename Gjk::S>& tf2, const Gjk*,
                             const ::fcl::CollisionRequest<typename Gjk::S>& request,
                             ::fcl::CollisionResult<typename Gjk::S>& result) {
  using S = typename Gjk::S;
  refuse_unknown(o1, o2);
  const Solver<S> solver;
  const auto& table = Tables<S>::get().collision.collision_matrix;
  return table[o1->getNodeType()][o2->getNodeType()](o1, tf1, o2, tf2, &solver, request, result);
}

template <typename Gjk>
typename Gjk::S distance_in_place(const ::fcl::CollisionGeometry<typename Gjk::S>* o1,
                                  const ::fcl::Transform3<typename Gjk::S>& tf1,
                                  const ::fcl::CollisionGeometry<typename Gjk::S>* o2,
                                  const ::fcl::Transform3<typename Gjk::S>& tf2, const Gjk*,
                                  const ::fcl::DistanceRequest<typename Gjk::S>& request,
                                  ::fcl::DistanceResult<typename Gjk::S>& result) {
  using S = typename Gjk::S;
  refuse_unknown(o1, o2);
  const Solver<S> solver;
  const auto& table = Tables<S>::get().distance.distance_matrix;
  return table[o1->getNodeType()][o2->getNodeType()](o1, tf1, o2, tf2, &solver, request, result);
}

/// Returns the query of two shapes of one piece.
template <typename S>
adapter::Query query(const ::fcl::CollisionGeometry<S>* o1, const ::fcl::Transform3<S>& tf1,
                     const ::fcl::CollisionGeometry<S>* o2, const ::fcl::Transform3<S>& tf2, double max_distance) {
  refuse_unknown(o1, o2);
  const bool ovoid = as_superovoid(o1) || as_superovoid(o2);
  return adapter::Query([&] { return grown(*o1, ovoid); }, frame(tf1), [&] { return grown(*o2, ovoid); }, frame(tf2), max_distance);
}

/// The entry for two shapes. Whether they collide is answered here; the rest goes FCL's way.
template <typename Gjk>
std::size_t collide_shapes(const ::fcl::CollisionGeometry<typename Gjk::S>* o1,
                           const ::fcl::Transform3<typename Gjk::S>& tf1,
                           const ::fcl::CollisionGeometry<typename Gjk::S>* o2,
                           const ::fcl::Transform3<typename Gjk::S>& tf2, const Gjk* gjk,
                           const ::fcl::CollisionRequest<typename Gjk::S>& request,
                           ::fcl::CollisionResult<typename Gjk::S>& result) {
  if (request.enable_contact || request.enable_cost || request.enable_cached_gjk_guess)
    return collide_in_place(o1, tf1, o2, tf2, gjk, request, result);
  if (!request.isSatisfied(result) && o1->isOccupied() && o2->isOccupied() &&
      !query(o1, tf1, o2, tf2, DBL_MIN).nearest(SOVO_DEPTH_ANY)->apart()) {
    const int none = ::fcl::Contact<typename Gjk::S>::NONE;
    result.addContact({o1, o2, none, none});
  }
  return result.numContacts();
}

/// The entry for the distance of two shapes: what is beyond the least distance so far need not be known.
template <typename Gjk>
typename Gjk::S distance_shapes(const ::fcl::CollisionGeometry<typename Gjk::S>* o1,
                                const ::fcl::Transform3<typename Gjk::S>& tf1,
                                const ::fcl::CollisionGeometry<typename Gjk::S>* o2,
                                const ::fcl::Transform3<typename Gjk::S>& tf2, const Gjk*,
                                const ::fcl::DistanceRequest<typename Gjk::S>& request,
                                ::fcl::DistanceResult<typename Gjk::S>& result) {
  if (!request.isSatisfied(result)) update(query(o1, tf1, o2, tf2, limit(result)), o1, o2, request, result);
  return result.min_distance;
}

template <typename Gjk>
void install_for() {
  const auto& tables = Tables<typename Gjk::S>::get();
  auto& collision = ::fcl::getCollisionFunctionLookTable<Gjk>().collision_matrix;
  auto& distance = ::fcl::getDistanceFunctionLookTable<Gjk>().distance_matrix;
  const auto is_piece = [](int type) { return type == ::fcl::BV_UNKNOWN || is_shape(type); };
  for (int i = 0; i < ::fcl::NODE_COUNT; ++i)
    for (int k = 0; k < ::fcl::NODE_COUNT; ++k) {
      const bool shapes = is_piece(i) && is_piece(k);
      if (tables.collision.collision_matrix[i][k]) collision[i][k] = shapes ? &collide_shapes<Gjk> : &collide_in_place<Gjk>;
      if (tables.distance.distance_matrix[i][k]) distance[i][k] = shapes ? &distance_shapes<Gjk> : &distance_in_place<Gjk>;
    }
}

}  // namespace detail

/// Puts superovoid in the place of FCL's narrow phase; this header does it for double precision before main() begins. For
/// single precision call install<float>() once, before the first query.
template <typename S>
void install() {
  detail::install_for<::fcl::detail::GJKSolver_libccd<S>>();
  detail::install_for<::fcl::detail::GJKSolver_indep<S>>();
}

namespace detail {
inline const bool installed = (install<double>(), true);
}

}  // namespace fcl
}  // namespace superovoid

// FCL's functions in double precision, compiled here with the tables above.
namespace fcl {
template std::size_t collide(const CollisionObject<double>*, const CollisionObject<double>*,
                             const CollisionRequest<double>&, CollisionResult<double>&);
template std::size_t collide(const CollisionGeometry<double>*, const Transform3<double>&,
                             const CollisionGeometry<double>*, const Transform3<double>&,
                             const CollisionRequest<double>&, CollisionResult<double>&);
template double distance(const CollisionObject<double>*, const CollisionObject<double>*, const DistanceRequest<double>&,
                         DistanceResult<double>&);
template double distance(const CollisionGeometry<double>*, const Transform3<double>&, const CollisionGeometry<double>*,
                         const Transform3<double>&, const DistanceRequest<double>&, DistanceResult<double>&);
}  // namespace fcl

#endif  // SUPEROVOID_FCL_IN_PLACE_HPP
