/* Prints the structs as a C compiler lays them out, in the format of ffi-tests/layout.txt: of each its
 * size and alignment, of each field its offset and size. src/ffi/layout.rs compares the same file with
 * what Rust makes of them.
 */
#include <stdio.h>
#include <superovoid.h>

#define STRUCT(type)                                                       \
  do {                                                                     \
    struct beside {                                                        \
      char first;                                                          \
      type second;                                                         \
    };                                                                     \
    printf("%s %lu %lu\n", #type, (unsigned long)sizeof(type),             \
           (unsigned long)offsetof(struct beside, second));                \
  } while (0)
#define FIELD(type, field)                                                 \
  printf("  %s %lu %lu\n", #field, (unsigned long)offsetof(type, field),   \
         (unsigned long)sizeof(((type *)NULL)->field))

int main(void) {
  STRUCT(sovo_pose);
  FIELD(sovo_pose, translation);
  FIELD(sovo_pose, rotation);
  STRUCT(sovo_shape);
  FIELD(sovo_shape, semi_axes);
  FIELD(sovo_shape, exponents);
  FIELD(sovo_shape, tapers);
  FIELD(sovo_shape, outer_radius);
  FIELD(sovo_shape, inner_radius);
  FIELD(sovo_shape, hollow_band);
  FIELD(sovo_shape, convexity);
  FIELD(sovo_shape, reserved);
  FIELD(sovo_shape, prepared);
  STRUCT(sovo_bounding_sphere);
  FIELD(sovo_bounding_sphere, center);
  FIELD(sovo_bounding_sphere, radius);
  STRUCT(sovo_aabb);
  FIELD(sovo_aabb, min);
  FIELD(sovo_aabb, max);
  STRUCT(sovo_obb);
  FIELD(sovo_obb, pose);
  FIELD(sovo_obb, half_extents);
  STRUCT(sovo_query_options);
  FIELD(sovo_query_options, size);
  FIELD(sovo_query_options, depth);
  FIELD(sovo_query_options, max_iterations);
  FIELD(sovo_query_options, tolerance);
  FIELD(sovo_query_options, max_distance);
  STRUCT(sovo_vertex_options);
  FIELD(sovo_vertex_options, size);
  FIELD(sovo_vertex_options, depth);
  FIELD(sovo_vertex_options, max_iterations);
  FIELD(sovo_vertex_options, tolerance);
  FIELD(sovo_vertex_options, max_distance);
  STRUCT(sovo_pair_cache);
  FIELD(sovo_pair_cache, state);
  FIELD(sovo_pair_cache, seal);
  STRUCT(sovo_contact);
  FIELD(sovo_contact, distance);
  FIELD(sovo_contact, lower);
  FIELD(sovo_contact, upper);
  FIELD(sovo_contact, point_a);
  FIELD(sovo_contact, point_b);
  FIELD(sovo_contact, normal);
  FIELD(sovo_contact, outcome);
  FIELD(sovo_contact, iterations);
  STRUCT(sovo_pair_batch);
  FIELD(sovo_pair_batch, size);
  FIELD(sovo_pair_batch, count);
  FIELD(sovo_pair_batch, shapes_a);
  FIELD(sovo_pair_batch, shape_a_stride);
  FIELD(sovo_pair_batch, poses_a);
  FIELD(sovo_pair_batch, pose_a_stride);
  FIELD(sovo_pair_batch, shapes_b);
  FIELD(sovo_pair_batch, shape_b_stride);
  FIELD(sovo_pair_batch, poses_b);
  FIELD(sovo_pair_batch, pose_b_stride);
  FIELD(sovo_pair_batch, caches);
  FIELD(sovo_pair_batch, cache_stride);
  FIELD(sovo_pair_batch, contacts);
  FIELD(sovo_pair_batch, contact_stride);
  FIELD(sovo_pair_batch, cancel);
  FIELD(sovo_pair_batch, cancel_data);
  FIELD(sovo_pair_batch, threads);
  FIELD(sovo_pair_batch, reserved);
  STRUCT(sovo_vertex_batch);
  FIELD(sovo_vertex_batch, size);
  FIELD(sovo_vertex_batch, count);
  FIELD(sovo_vertex_batch, points);
  FIELD(sovo_vertex_batch, point_stride);
  FIELD(sovo_vertex_batch, contacts);
  FIELD(sovo_vertex_batch, contact_stride);
  FIELD(sovo_vertex_batch, cancel);
  FIELD(sovo_vertex_batch, cancel_data);
  FIELD(sovo_vertex_batch, threads);
  FIELD(sovo_vertex_batch, reserved);
  STRUCT(sovo_part_contact);
  FIELD(sovo_part_contact, contact);
  FIELD(sovo_part_contact, part);
  FIELD(sovo_part_contact, reserved);
  STRUCT(sovo_gradient);
  FIELD(sovo_gradient, gradient);
  FIELD(sovo_gradient, status);
  FIELD(sovo_gradient, local_answer);
  STRUCT(sovo_derivatives);
  FIELD(sovo_derivatives, size);
  FIELD(sovo_derivatives, hessian);
  FIELD(sovo_derivatives, normal);
  FIELD(sovo_derivatives, point_a);
  FIELD(sovo_derivatives, point_b);
  STRUCT(sovo_motion);
  FIELD(sovo_motion, start);
  FIELD(sovo_motion, center);
  FIELD(sovo_motion, linear);
  FIELD(sovo_motion, angular);
  FIELD(sovo_motion, kind);
  FIELD(sovo_motion, reserved);
  STRUCT(sovo_time_of_impact_options);
  FIELD(sovo_time_of_impact_options, size);
  FIELD(sovo_time_of_impact_options, min_separation);
  FIELD(sovo_time_of_impact_options, tolerance);
  FIELD(sovo_time_of_impact_options, max_queries);
  FIELD(sovo_time_of_impact_options, reserved);
  STRUCT(sovo_impact);
  FIELD(sovo_impact, safe);
  FIELD(sovo_impact, touching);
  FIELD(sovo_impact, clearance);
  FIELD(sovo_impact, contact);
  FIELD(sovo_impact, outcome);
  FIELD(sovo_impact, part);
  STRUCT(sovo_ray_hit);
  FIELD(sovo_ray_hit, time_of_impact);
  FIELD(sovo_ray_hit, point);
  FIELD(sovo_ray_hit, normal);
  FIELD(sovo_ray_hit, hit);
  FIELD(sovo_ray_hit, reserved);
  STRUCT(sovo_planar_contact);
  FIELD(sovo_planar_contact, distance);
  FIELD(sovo_planar_contact, lower);
  FIELD(sovo_planar_contact, upper);
  FIELD(sovo_planar_contact, point_a);
  FIELD(sovo_planar_contact, point_b);
  FIELD(sovo_planar_contact, normal);
  FIELD(sovo_planar_contact, outcome);
  FIELD(sovo_planar_contact, iterations);
  STRUCT(sovo_mass_properties);
  FIELD(sovo_mass_properties, mass);
  FIELD(sovo_mass_properties, volume);
  FIELD(sovo_mass_properties, center_of_mass);
  FIELD(sovo_mass_properties, inertia);
  STRUCT(sovo_joint);
  FIELD(sovo_joint, kind);
  FIELD(sovo_joint, parent_link);
  FIELD(sovo_joint, child_link);
  FIELD(sovo_joint, has_range);
  FIELD(sovo_joint, lower);
  FIELD(sovo_joint, upper);
  FIELD(sovo_joint, mimics);
  FIELD(sovo_joint, source);
  FIELD(sovo_joint, multiplier);
  FIELD(sovo_joint, offset);
  FIELD(sovo_joint, first_position);
  FIELD(sovo_joint, position_count);
  STRUCT(sovo_body);
  FIELD(sovo_body, link);
  FIELD(sovo_body, collision);
  FIELD(sovo_body, shape);
  FIELD(sovo_body, pose);
  STRUCT(sovo_clearance_options);
  FIELD(sovo_clearance_options, size);
  FIELD(sovo_clearance_options, depth);
  FIELD(sovo_clearance_options, max_iterations);
  FIELD(sovo_clearance_options, tolerance);
  FIELD(sovo_clearance_options, max_distance);
  FIELD(sovo_clearance_options, include_adjacent);
  FIELD(sovo_clearance_options, partial);
  STRUCT(sovo_clearance);
  FIELD(sovo_clearance, contact);
  FIELD(sovo_clearance, link_a);
  FIELD(sovo_clearance, collision_a);
  FIELD(sovo_clearance, link_b);
  FIELD(sovo_clearance, collision_b);
  FIELD(sovo_clearance, status);
  FIELD(sovo_clearance, reserved);
  STRUCT(sovo_scene_contact);
  FIELD(sovo_scene_contact, contact);
  FIELD(sovo_scene_contact, body_a);
  FIELD(sovo_scene_contact, body_b);
  FIELD(sovo_scene_contact, part);
  FIELD(sovo_scene_contact, status);
  STRUCT(sovo_edge_options);
  FIELD(sovo_edge_options, size);
  FIELD(sovo_edge_options, max_iterations);
  FIELD(sovo_edge_options, any_contact);
  FIELD(sovo_edge_options, tolerance);
  FIELD(sovo_edge_options, min_separation);
  FIELD(sovo_edge_options, resolution);
  FIELD(sovo_edge_options, max_states);
  FIELD(sovo_edge_options, reserved);
  STRUCT(sovo_robot_contact);
  FIELD(sovo_robot_contact, contact);
  FIELD(sovo_robot_contact, obstacle);
  FIELD(sovo_robot_contact, link_a);
  FIELD(sovo_robot_contact, collision_a);
  FIELD(sovo_robot_contact, link_b);
  FIELD(sovo_robot_contact, collision_b);
  FIELD(sovo_robot_contact, part);
  FIELD(sovo_robot_contact, status);
  STRUCT(sovo_edge);
  FIELD(sovo_edge, contact);
  FIELD(sovo_edge, safe);
  FIELD(sovo_edge, touching);
  FIELD(sovo_edge, proven);
  FIELD(sovo_edge, states);
  FIELD(sovo_edge, distances);
  FIELD(sovo_edge, unchecked);
  FIELD(sovo_edge, status);
  return 0;
}
