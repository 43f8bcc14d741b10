//! A ball against a ball, box, cylinder, capsule, cone or triangle: the nearest surface point of its centre, in closed form.
//!
//! That of a triangle is proven by the plane across the way to it, which has the triangle on its other side: beside long edges
//! weights have few digits. What the plane leaves open beyond rounding is left to the solver.

use crate::convex::core::{Core, off_axis};
use crate::convex::shape::ConvexShape;
use crate::narrowphase::simplex::nearest_of_triangle;
use crate::query::answer::{Answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::units::{inverse_of_unit, largest, rounding_error, unit_of_length};
use crate::shape::circle::length;
use nalgebra::{Isometry3, Vector3};

/// The nearest surface point of a core, in its frame.
struct Nearest {
    /// The signed distance of the point from the core.
    distance: f64,
    surface: Vector3<f64>,
    /// The unit outward normal there.
    normal: Vector3<f64>,
}

/// Returns the contact of a body (A) with a ball (B) about the origin of its frame; `None` where there is no closed
/// form. The poses are valid.
pub(super) fn contact_with_ball(
    a: &ConvexShape,
    pose_a: &Isometry3<f64>,
    radius: f64,
    pose_b: &Isometry3<f64>,
) -> Option<Result<Contact, QueryError>> {
    // Halves are subtracted, so that coordinates of any finite size do not overflow.
    let half_offset = pose_b.translation.vector * 0.5 - pose_a.translation.vector * 0.5;
    let reach = a.largest_coordinate();
    let far = largest(&half_offset).max(reach).max(radius);
    let unit = unit_of_length(a.size().max(radius), far);
    let k = inverse_of_unit(unit);
    let x = pose_a.rotation.inverse() * (half_offset * k * 2.0);
    let Nearest {
        distance,
        surface,
        normal,
    } = nearest(&a.core, &x, k)?;
    let distance = distance - (a.margin + radius) * k;
    let rounding = rounding_error(x.norm() + (reach + radius) * k, unit);
    let over = over_plane(&a.core, &surface, &normal, k);
    if over > rounding {
        return None;
    }
    let xa = surface + normal * (a.margin * k);
    let bracket = [distance - over - rounding, distance + rounding];
    let answer = Answer::new(distance, normal, xa, bracket, Outcome::Certified);
    Some(in_world(&answer, unit, pose_a, 0).within_number_range())
}

fn nearest(core: &Core, x: &Vector3<f64>, k: f64) -> Option<Nearest> {
    match *core {
        Core::Point => Some(outside(x, Vector3::zeros(), Vector3::z())),
        Core::Segment(half) => {
            let surface = Vector3::new(0.0, 0.0, x.z.clamp(-half * k, half * k));
            Some(outside(x, surface, Vector3::x()))
        }
        Core::Cuboid(half) => Some(of_box(x, &Vector3::from(half.map(|h| h * k)))),
        Core::Cylinder {
            radius,
            half_length,
        } => Some(of_cylinder(x, radius * k, half_length * k)),
        Core::Cone {
            radius,
            half_length,
        } => Some(of_cone(x, radius * k, half_length * k)),
        Core::Triangle(corners) => Some(of_triangle(x, &corners.map(|p| p.coords * k))),
        Core::Points(_) | Core::Superovoid(_) | Core::Superquadric(_) => None,
    }
}

/// A point outside or on the core, whose nearest surface point is known; `face` is the normal where they coincide.
fn outside(x: &Vector3<f64>, surface: Vector3<f64>, face: Vector3<f64>) -> Nearest {
    /// The direction of a difference shorter than this share of the points' coordinates is rounding error.
    const NO_DIRECTION: f64 = 1e-13;
    let difference = x - surface;
    let least = NO_DIRECTION * (largest(x) + largest(&surface));
    let distance = difference.norm();
    let normal = if distance > least {
        difference / distance
    } else {
        face
    };
    Nearest {
        distance,
        surface,
        normal,
    }
}

/// A point inside, whose nearest face has this outward normal and is `depth` away.
fn inside(x: &Vector3<f64>, depth: f64, normal: Vector3<f64>) -> Nearest {
    Nearest {
        distance: -depth,
        surface: x + normal * depth,
        normal,
    }
}

fn of_triangle(x: &Vector3<f64>, [a, b, c]: &[Vector3<f64>; 3]) -> Nearest {
    let surface = x + nearest_of_triangle(&[a - x, b - x, c - x]);
    let face = (b - a).cross(&(c - a)).try_normalize(0.0);
    outside(x, surface, face.unwrap_or_else(Vector3::z))
}

/// Returns how far a corner of a triangle is over the plane through its nearest surface point of a normal; 0 of other cores.
fn over_plane(core: &Core, surface: &Vector3<f64>, normal: &Vector3<f64>, k: f64) -> f64 {
    let Core::Triangle(corners) = core else {
        return 0.0;
    };
    let heights = corners.map(|p| normal.dot(&(p.coords * k - surface)));
    heights.into_iter().fold(0.0, f64::max)
}

fn of_box(x: &Vector3<f64>, half: &Vector3<f64>) -> Nearest {
    let depth = |i: usize| half[i] - x[i].abs();
    let by_depth = |&i: &usize, &j: &usize| depth(i).total_cmp(&depth(j));
    let axis = (0..3).min_by(by_depth).unwrap_or(0);
    let face = Vector3::ith(axis, 1.0_f64.copysign(x[axis]));
    if depth(axis) >= 0.0 {
        return inside(x, depth(axis), face);
    }
    let surface = Vector3::from_fn(|i, _| x[i].clamp(-half[i], half[i]));
    outside(x, surface, face)
}

/// Returns the unit vector from the axis z to a point.
fn radial(x: &Vector3<f64>) -> (f64, Vector3<f64>) {
    let across = off_axis(x);
    if across > 0.0 {
        (across, Vector3::new(x.x / across, x.y / across, 0.0))
    } else {
        (0.0, Vector3::x())
    }
}

fn of_cylinder(x: &Vector3<f64>, radius: f64, half: f64) -> Nearest {
    let (across, out) = radial(x);
    let (to_side, to_cap) = (radius - across, half - x.z.abs());
    let cap = Vector3::z() * 1.0_f64.copysign(x.z);
    let face = if to_side < to_cap { out } else { cap };
    let depth = to_side.min(to_cap);
    if depth >= 0.0 {
        return inside(x, depth, face);
    }
    let surface = out * across.min(radius) + Vector3::z() * x.z.clamp(-half, half);
    outside(x, surface, face)
}

/// In the half-plane through the point, with ρ from the axis: the side leads from (r, −h) to the tip (0, h), its outward
/// normal is (2 h, r)/√(4 h² + r²).
fn of_cone(x: &Vector3<f64>, r: f64, h: f64) -> Nearest {
    let (across, out) = radial(x);
    let slant = length(r, 2.0 * h);
    let side = out * (2.0 * h / slant) + Vector3::z() * (r / slant);
    let above_side = (2.0 * h * across + r * (x.z - h)) / slant;
    let below_base = -h - x.z;
    if above_side <= 0.0 && below_base <= 0.0 {
        return if above_side >= below_base {
            inside(x, -above_side, side)
        } else {
            inside(x, -below_base, -Vector3::z())
        };
    }
    let on_base = out * across.min(r) - Vector3::z() * h;
    // The share of the side from its lower end.
    let along = ((r - across) * r + (x.z + h) * 2.0 * h) / slant / slant;
    let share = along.clamp(0.0, 1.0);
    let on_side = out * (r * (1.0 - share)) + Vector3::z() * (h * (2.0 * share - 1.0));
    let to_base = outside(x, on_base, -Vector3::z());
    let to_side = outside(x, on_side, side);
    if to_base.distance < to_side.distance {
        to_base
    } else {
        to_side
    }
}
