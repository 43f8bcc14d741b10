// superovoid in the place of coal's narrow phase. C++17, coal 3.
//
// SPDX-License-Identifier: MIT OR Apache-2.0
//
// AFTER superovoid::coal::install(), A PROGRAM'S CALLS OF coal::collide() AND coal::distance() ARE ANSWERED BY SUPEROVOID,
// with superovoids among the geometries: also those of coal::ComputeCollision and ComputeDistance that are made later, of
// the default callbacks of its managers, and of other libraries in the program. Nothing else changes.
//
// How: coal finds its narrow-phase functions in two tables, which install() fills.
//
//     shapes of one piece    superovoid's answer, for every two of coal's shapes and superovoids
//     superovoid and mesh,   superovoid's answer. A mesh or octree that is not in superovoid::coal::meshes() is converted
//     octree, height field   for each query: add it.
//     height field and any   the distance, which coal has not
//     other pairs            coal's own
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

}  // namespace detail

/// Puts superovoid in the place of coal's narrow phase, before the first query of the program.
inline void install() {
  auto& collision = ::coal::getCollisionFunctionLookTable().collision_matrix;
  auto& distance = ::coal::getDistanceFunctionLookTable().distance_matrix;
  const auto is_shape = [](int type) { return type == ::coal::BV_UNKNOWN || detail::is_shape(type); };
  const auto is_terrain = [](int type) { return type == ::coal::HF_AABB || type == ::coal::HF_OBBRSS; };
  for (int i = 0; i < ::coal::NODE_COUNT; ++i)
    for (int k = 0; k < ::coal::NODE_COUNT; ++k)
      if ((is_shape(i) && is_shape(k)) || i == ::coal::BV_UNKNOWN || k == ::coal::BV_UNKNOWN) {
        collision[i][k] = &detail::collide_in_place;
        distance[i][k] = &detail::distance_in_place;
      } else if (is_terrain(i) || is_terrain(k)) {
        distance[i][k] = &detail::distance_in_place;
      }
}

}  // namespace coal
}  // namespace superovoid

#endif  // SUPEROVOID_COAL_IN_PLACE_HPP
