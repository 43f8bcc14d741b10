// superovoid in the place of coal's narrow phase. C++17, coal 3.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// AFTER superovoid::coal::install(), A PROGRAM'S CALLS OF coal::collide() AND coal::distance() ARE ANSWERED BY SUPEROVOID,
// with superovoids among the geometries: also those of coal::ComputeCollision and ComputeDistance that are made later, of
// the default callbacks of its managers, and of other libraries in the program. Nothing else changes.
//
// How: coal finds its narrow-phase functions in tables, which install() fills.
//
//     shapes of one piece    superovoid's answer, for every two of coal's shapes and superovoids
//     superovoid and mesh,   superovoid's answer. A mesh or octree that is not in superovoid::coal::meshes() is converted
//     octree, height field   for each query: add it.
//     other pairs            superovoid's answer, where every mesh, octree and height field of them is in meshes(), or coal has
//                            none (distances of height fields); otherwise coal's own
//     contact patches        of superovoids; coal's own function for other pairs, from our contacts
//
// Semantics are those of superovoid::coal::collide() and distance(), see coal.hpp.
#ifndef SUPEROVOID_COAL_IN_PLACE_HPP
#define SUPEROVOID_COAL_IN_PLACE_HPP

#include <coal/collision_func_matrix.h>
#include <coal/distance_func_matrix.h>

#include <superovoid/coal.hpp>

namespace coal {
// Coal's library exports these; its headers do not declare them.
COAL_DLLAPI CollisionFunctionMatrix& getCollisionFunctionLookTable();
COAL_DLLAPI DistanceFunctionMatrix& getDistanceFunctionLookTable();
COAL_DLLAPI ContactPatchFunctionMatrix& getContactPatchFunctionLookTable();
}  // namespace coal

namespace superovoid {
namespace coal {

/// Returns the conversions of the installed functions. No query may run while a program adds or removes.
inline Meshes& meshes() {
  static Meshes all;
  return all;
}

namespace detail {

inline void must_be_known(const ::coal::CollisionGeometry* o1, const ::coal::CollisionGeometry* o2) {
  for (const auto* geometry : {o1, o2})
    if (geometry->getNodeType() == ::coal::BV_UNKNOWN && !as_superovoid(geometry))
      throw error(SOVO_STATUS_ERROR_GEOMETRY,
                  "superovoid::coal: no query of a geometry that is neither coal's nor a superovoid");
}

inline std::size_t collide_in_place(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                                    const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                                    const ::coal::GJKSolver*, const ::coal::CollisionRequest& request,
                                    ::coal::CollisionResult& result) {
  must_be_known(o1, o2);
  return collide(o1, tf1, o2, tf2, request, result, &meshes(), true);
}

inline CoalScalar distance_in_place(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                                    const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                                    const ::coal::GJKSolver*, const ::coal::DistanceRequest& request,
                                    ::coal::DistanceResult& result) {
  must_be_known(o1, o2);
  return distance(o1, tf1, o2, tf2, request, result, &meshes(), true);
}

inline void contact_patch_in_place(const ::coal::CollisionGeometry*, const ::coal::Transform3s&,
                                   const ::coal::CollisionGeometry*, const ::coal::Transform3s&,
                                   const ::coal::CollisionResult& collisions, const ::coal::ContactPatchSolver*,
                                   const ::coal::ContactPatchRequest& request, ::coal::ContactPatchResult& result) {
  add_contact_patches(collisions, request, result);
}

/// Coal's tables as they were before.
struct Originals {
  ::coal::CollisionFunctionMatrix collision = ::coal::getCollisionFunctionLookTable();
  ::coal::DistanceFunctionMatrix distance = ::coal::getDistanceFunctionLookTable();

  static const Originals& get() {
    static const Originals originals;
    return originals;
  }
};

inline std::size_t collide_converted(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                                     const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                                     const ::coal::GJKSolver* solver, const ::coal::CollisionRequest& request,
                                     ::coal::CollisionResult& result) {
  const auto own = Originals::get().collision.collision_matrix[o1->getNodeType()][o2->getNodeType()];
  if (own && !Pair(o1, o2, &meshes()).is_ours(true)) return own(o1, tf1, o2, tf2, solver, request, result);
  return collide_in_place(o1, tf1, o2, tf2, solver, request, result);
}

inline CoalScalar distance_converted(const ::coal::CollisionGeometry* o1, const ::coal::Transform3s& tf1,
                                     const ::coal::CollisionGeometry* o2, const ::coal::Transform3s& tf2,
                                     const ::coal::GJKSolver* solver, const ::coal::DistanceRequest& request,
                                     ::coal::DistanceResult& result) {
  const auto own = Originals::get().distance.distance_matrix[o1->getNodeType()][o2->getNodeType()];
  if (own && !Pair(o1, o2, &meshes()).is_ours(true)) return own(o1, tf1, o2, tf2, solver, request, result);
  return distance_in_place(o1, tf1, o2, tf2, solver, request, result);
}

}  // namespace detail

/// Puts superovoid in the place of coal's narrow phase, before the first query of the program.
inline void install() {
  detail::Originals::get();
  auto& collision = ::coal::getCollisionFunctionLookTable().collision_matrix;
  auto& distance = ::coal::getDistanceFunctionLookTable().distance_matrix;
  auto& patch = ::coal::getContactPatchFunctionLookTable().contact_patch_matrix;
  const auto is_piece = [](int type) { return type == ::coal::BV_UNKNOWN || detail::is_shape(type); };
  for (int i = 0; i < ::coal::NODE_COUNT; ++i)
    for (int k = 0; k < ::coal::NODE_COUNT; ++k) {
      const bool ovoid = i == ::coal::BV_UNKNOWN || k == ::coal::BV_UNKNOWN;
      const bool pieces = is_piece(i) && is_piece(k);
      collision[i][k] = ovoid || pieces ? &detail::collide_in_place : &detail::collide_converted;
      distance[i][k] = ovoid || pieces ? &detail::distance_in_place : &detail::distance_converted;
      if (ovoid) patch[i][k] = &detail::contact_patch_in_place;
    }
}

}  // namespace coal
}  // namespace superovoid

#endif  // SUPEROVOID_COAL_IN_PLACE_HPP
