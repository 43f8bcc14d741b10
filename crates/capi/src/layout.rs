//! The layout of the structs in Rust, compared with `ffi-tests/layout.txt`, with which `ffi-tests/c/layout.c`
//! compares the layout that a C compiler gives them.

use super::body::{
    sovo_body, sovo_body_data, sovo_plane, sovo_points, sovo_round, sovo_superquadric,
};
use super::body_contact::{sovo_body_batch, sovo_part_contact};
use super::body_surface::sovo_mass_properties;
use super::bounds::{sovo_aabb, sovo_bounding_sphere, sovo_obb};
use super::clearance::{sovo_clearance, sovo_clearance_options};
use super::derivatives::{sovo_derivatives, sovo_gradient};
use super::edge::{sovo_edge, sovo_edge_options, sovo_robot_contact};
use super::indexed::sovo_indexed_pair_batch;
use super::manifold::{sovo_manifold, sovo_manifold_point};
use super::motion::{
    sovo_motion, sovo_time_of_impact, sovo_time_of_impact_batch, sovo_time_of_impact_options,
};
use super::options::{sovo_query_options, sovo_vertex_options};
use super::pair::{sovo_contact, sovo_pair_batch, sovo_pair_cache};
use super::plan::{sovo_plan_info, sovo_plan_options, sovo_touching_pair};
use super::planar::sovo_planar_contact;
use super::pose::sovo_pose;
use super::ray::{sovo_ray_batch, sovo_ray_hit};
use super::robot::{sovo_joint, sovo_link, sovo_robot_info, sovo_superovoid_body};
use super::robot_attached::sovo_attached_body;
use super::scene::sovo_scene_contact;
use super::shape::sovo_superovoid;
use super::vertex::sovo_vertex_batch;
use std::fmt::Write;
use std::mem::offset_of;

/// Returns a line for each struct (size, alignment) and each of its fields (offset, size).
macro_rules! describe {
    ($text:ident, $($name:ident { $($field:ident),* })*) => {$(
        writeln!($text, "{} {} {}", stringify!($name), size_of::<$name>(), align_of::<$name>())?;
        $(
            let size = field_size(|value: &$name| &value.$field);
            let offset = offset_of!($name, $field);
            writeln!($text, "  {} {offset} {size}", stringify!($field))?;
        )*
        // A field that is missing in the list does not compile.
        let _ = |value: $name| { let $name { $($field: _),* } = value; };
    )*};
}

fn field_size<T, F>(_: impl Fn(&T) -> &F) -> usize {
    size_of::<F>()
}

#[test]
fn structs_are_laid_out_as_in_c() -> std::fmt::Result {
    let mut text = String::new();
    describe!(text,
        sovo_pose { translation, rotation }
        sovo_superovoid {
            semi_axes, exponents, tapers, outer_radius, inner_radius, hollow_band, convexity, reserved,
            prepared
        }
        sovo_bounding_sphere { center, radius }
        sovo_aabb { min, max }
        sovo_obb { pose, half_extents }
        sovo_query_options { size, depth, max_iterations, tolerance, max_distance }
        sovo_vertex_options { size, depth, max_iterations, tolerance, max_distance }
        sovo_pair_cache { state, seal }
        sovo_contact {
            distance, lower, upper, point_a, point_b, normal, outcome, iterations
        }
        sovo_pair_batch {
            size, count, shapes_a, shape_a_stride, poses_a, pose_a_stride, shapes_b, shape_b_stride,
            poses_b, pose_b_stride, caches, cache_stride, contacts, contact_stride, cancel, cancel_data,
            threads, reserved
        }
        sovo_indexed_pair_batch {
            size, count, body_count, poses, pose_stride, shape_count, shapes, shape_stride, body_shapes,
            body_shape_stride, index_a, index_a_stride, index_b, index_b_stride, wanted, wanted_stride, margin,
            caches, cache_stride, contacts, contact_stride, cancel, cancel_data, threads, reserved
        }
        sovo_vertex_batch {
            size, count, points, point_stride, contacts, contact_stride, cancel, cancel_data, threads,
            reserved
        }
        sovo_round { radius, length }
        sovo_points { first, count, stride }
        sovo_plane { normal, offset }
        sovo_superquadric { semi_axes, exponents, extent, family, reserved }
        sovo_body { kind, reserved, data }
        sovo_part_contact { contact, parts }
        sovo_manifold_point { point_a, point_b, distance, id }
        sovo_manifold { contact, points, count }
        sovo_body_batch {
            size, count, bodies_a, body_a_stride, poses_a, pose_a_stride, bodies_b, body_b_stride,
            poses_b, pose_b_stride, contacts, contact_stride, cancel, cancel_data, threads, reserved
        }
        sovo_gradient { gradient, status, local_answer }
        sovo_derivatives { size, hessian, normal, point_a, point_b }
        sovo_motion { start, center, linear, angular, kind, reserved }
        sovo_time_of_impact_options { size, min_separation, tolerance, max_queries, reserved }
        sovo_time_of_impact { safe, touching, clearance, contact, outcome, part }
        sovo_time_of_impact_batch {
            size, count, bodies_a, body_a_stride, motions_a, motion_a_stride, bodies_b, body_b_stride,
            motions_b, motion_b_stride, impacts, impact_stride, cancel, cancel_data, threads, reserved
        }
        sovo_ray_hit { time_of_impact, point, normal, hit, part }
        sovo_ray_batch {
            size, count, bodies, body_stride, poses, pose_stride, origins, origin_stride, directions,
            direction_stride, hits, hit_stride, cancel, cancel_data, threads, reserved
        }
        sovo_planar_contact {
            distance, lower, upper, point_a, point_b, normal, outcome, iterations
        }
        sovo_mass_properties { mass, volume, center_of_mass, inertia }
        sovo_robot_info {
            name, link_count, joint_count, body_count, warning_count, unchecked_count, reserved,
            position_count, velocity_count
        }
        sovo_link { name, parent_joint, reserved }
        sovo_joint { name, kind, parent_link, child_link, has_range, lower, upper, mimics, source, multiplier, offset, first_position, position_count }
        sovo_superovoid_body { link, collision, shape, pose }
        sovo_clearance_options { size, depth, max_iterations, tolerance, max_distance, include_adjacent, allow_unchecked }
        sovo_clearance { contact, link_a, collision_a, link_b, collision_b, status, reserved }
        sovo_scene_contact { contact, body_a, body_b, part, status }
        sovo_edge_options { size, max_iterations, any_contact, tolerance, min_separation, resolution, max_states, reserved, max_time }
        sovo_robot_contact { contact, obstacle, link_a, collision_a, link_b, collision_b, part, status }
        sovo_attached_body { body, name, link, reserved, pose }
        sovo_edge { contact, safe, touching, proven, states, distances, unchecked, status }
        sovo_plan_options { size, seed, spacing, max_step, max_time, max_samples, shortcuts, no_proof, reserved, cancel, cancel_data }
        sovo_plan_info {
            configurations, position_count, goal, proven, reason, text, touching_count, rounds, samples,
            states_checked, edges_checked, edges_proven, edges_refused, search_time, shortcutting_time, proof_time
        }
        sovo_touching_pair { name_a, name_b, contact }
    );
    // Kinds may be added as long as their data fit.
    assert_eq!(
        [size_of::<sovo_body_data>(), align_of::<sovo_body_data>()],
        [192, 8]
    );
    assert_eq!(
        text,
        include_str!("../../../ffi-tests/layout.txt"),
        "{text}"
    );
    Ok(())
}
