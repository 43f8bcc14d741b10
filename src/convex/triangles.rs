//! Two triangles: whether they overlap, by the signs of determinants.
//!
//! P. Guigue, O. Devillers, *Fast and robust triangle–triangle overlap test using orientation predicates* (2003), with the
//! intervals of T. Möller, *A fast triangle–triangle intersection test* (1997). Triangles a and b have the normals
//! n = (a₁ − a₀) × (a₂ − a₀) and m, likewise. Where the corners of each are on both sides of the plane of the other one, both
//! cut the line of the planes, l = n × m, in an interval. Let a₀ and b₀ be alone on their sides, with heights g over the plane
//! of b and h over that of a. The edges from them cut the line in X and Y, Z and W, and with d = b₀ − a₀
//!
//! ```text
//! T = d · (edge of a × edge of b),    (Z − X)·l  has the sign of  −g h T,
//! (Y − X)·l  has that of  −g,         (W − Z)·l  that of  h
//! ```
//!
//! (the edges' cross product is −l times a product with the sign of g h, but for what is perpendicular to Z − X). So two of
//! the T say whether the intervals overlap, and then the triangles have common points. Otherwise the two edges of such a T, or the
//! normal of a triangle that is on one side of the other one's plane, give the direction that separates them.
//!
//! A sign within rounding proves nothing, and the question is left to the solver: triangles that touch, are in a plane, or have
//! no area.

use crate::query::contact::{Contact, Outcome};
use crate::query::options::QueryOptions;
use crate::query::pose::{ToWorld, WorldAtA};
use crate::query::units::{RELATIVE_TOLERANCE, largest, rounding_error, wanted_tolerance};
use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};

/// Returns the proof that two triangles overlap, or are farther apart than `max_distance`; `None` where the signs do not tell. The
/// poses are valid, and the options take any overlap.
pub(super) fn verdict_of_triangles(
    corners_a: &[Point3<f64>; 3],
    pose_a: &Isometry3<f64>,
    corners_b: &[Point3<f64>; 3],
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Option<Contact> {
    /// The squares of lengths whose products neither overflow nor vanish.
    const SQUARES: std::ops::Range<f64> = 1e-50..1e50;
    let turn = |pose: &Isometry3<f64>| {
        let rotation = UnitQuaternion::new_normalize(pose.rotation.into_inner());
        rotation.to_rotation_matrix().into_inner()
    };
    // About the origin of A's frame, along the axes of the world.
    let (turn_a, turn_b) = (turn(pose_a), turn(pose_b));
    let offset = pose_b.translation.vector - pose_a.translation.vector;
    let a = corners_a.each_ref().map(|p| turn_a * p.coords);
    let b = corners_b.each_ref().map(|p| turn_b * p.coords + offset);
    let far = |corners: &[Point3<f64>; 3]| {
        let [p, q, r] = corners.each_ref().map(|p| largest(&p.coords));
        p.max(q).max(r)
    };
    let rounding = rounding_error(offset.norm() + far(corners_a) + far(corners_b), 1.0);
    let pair = Triangles { a, b };
    let (e, f) = (a[1] - a[0], a[2] - a[0]);
    let n = e.cross(&f);
    let to_b = b.map(|p| p - a[0]);
    let squares = [e, f, to_b[0], to_b[1], to_b[2]].map(|v| v.norm_squared());
    let square = squares.into_iter().fold(0.0, f64::max);
    if !SQUARES.contains(&square) {
        return None;
    }
    // No two corners are farther from each other than twice that length. A determinant of three such differences, each off
    // by two roundings, is off by 3 · 2 · 2² roundings times its square, and by less than that again for the rounding of its terms
    // and for that of the normal along which a translation changes it.
    let doubt = 64.0 * rounding * square;
    let place = WorldAtA(pose_a.translation.vector.into());
    let beyond = |axis: &Vector3<f64>| {
        let (normal, gap, xa) = pair.gap(axis);
        let lower = gap - rounding;
        (lower > options.max_distance).then(|| {
            let found = place.witnesses(1.0, &xa.into(), &normal.into(), lower);
            Contact::new(&found, [lower, f64::INFINITY], Outcome::Beyond, 0)
        })
    };
    let h = to_b.map(|p| n.dot(&p));
    let alone_b = match sides(&h, doubt)? {
        Sides::One(up) => return beyond(&(n * up)),
        Sides::Both(k) => k,
    };
    let m = (b[1] - b[0]).cross(&(b[2] - b[0]));
    let g = a.map(|p| m.dot(&(p - b[0])));
    let alone_a = match sides(&g, doubt)? {
        Sides::One(up) => return beyond(&(m * -up)),
        Sides::Both(k) => k,
    };
    let from = |x: &[Vector3<f64>; 3], k: usize| {
        let (start, next, last) = (x[k], x[(k + 1) % 3], x[(k + 2) % 3]);
        (start, [next - start, last - start])
    };
    let ((a0, [ab, ac]), (b0, [bd, be])) = (from(&a, alone_a), from(&b, alone_b));
    let (up_a, up_b) = (g[alone_a] > 0.0, h[alone_b] > 0.0);
    // The edges of the lower and the upper end of each interval along l.
    let [low_a, high_a] = if up_a { [ac, ab] } else { [ab, ac] };
    let [low_b, high_b] = if up_b { [bd, be] } else { [be, bd] };
    let sign = if up_a == up_b { -1.0 } else { 1.0 };
    let d = b0 - a0;
    // The lower end of b's is below the upper one of a's, and the upper end of b's above the lower one of a's.
    let ends = [high_a.cross(&low_b) * -sign, low_a.cross(&high_b) * sign];
    let common = ends.map(|across| d.dot(&across));
    for (across, common) in ends.iter().zip(common) {
        if common < -doubt {
            return beyond(&-across);
        }
    }
    if !(common[0] > doubt && common[1] > doubt) {
        return None;
    }
    // No translation by less than this changes a sign.
    let shares = [
        (least(&h), &n),
        (least(&g), &m),
        (common[0], &ends[0]),
        (common[1], &ends[1]),
    ];
    let shares = shares.map(|(x, of)| (x - doubt) * (x - doubt) / of.norm_squared());
    let depth = shares.into_iter().fold(f64::INFINITY, f64::min).sqrt();
    // The shorter way out of the planes.
    let out = |heights: &[f64; 3]| {
        let [up, down] = [heights, &heights.map(|x| -x)].map(|x| x[0].max(x[1]).max(x[2]));
        if up < down { (up, -1.0) } else { (down, 1.0) }
    };
    let ((of_n, up), (of_m, down)) = (out(&h), out(&g));
    let axis = if of_n * of_n * m.norm_squared() <= of_m * of_m * n.norm_squared() {
        n * up
    } else {
        m * -down
    };
    let (normal, gap, xa) = pair.gap(&axis);
    let lower = gap - rounding;
    // So shallow an overlap may count as touching.
    if -lower <= wanted_tolerance(options.tolerance, square.sqrt(), RELATIVE_TOLERANCE) {
        return None;
    }
    let found = place.witnesses(1.0, &xa.into(), &normal.into(), gap);
    Some(Contact::new(&found, [lower, -depth], Outcome::Converged, 0))
}

/// The corners of two triangles.
struct Triangles {
    a: [Vector3<f64>; 3],
    b: [Vector3<f64>; 3],
}

impl Triangles {
    /// Returns the unit vector along an axis, the gap of the triangles along it, and the corner of A that is farthest along it.
    fn gap(&self, axis: &Vector3<f64>) -> (Vector3<f64>, f64, Vector3<f64>) {
        let normal = axis / axis.norm();
        let farthest = |x: &[Vector3<f64>; 3], n: &Vector3<f64>| {
            let mut best = (n.dot(&x[0]), x[0]);
            for p in &x[1..] {
                let height = n.dot(p);
                if height > best.0 {
                    best = (height, *p);
                }
            }
            best
        };
        let (top, xa) = farthest(&self.a, &normal);
        let (bottom, _) = farthest(&self.b, &-normal);
        (normal, -bottom - top, xa)
    }
}

/// Where the corners of a triangle are beside a plane.
enum Sides {
    /// All on one, above for 1 and below for −1.
    One(f64),
    /// On both, this one alone on its.
    Both(usize),
}

/// Returns the height that is nearest to 0, without its sign.
fn least(heights: &[f64; 3]) -> f64 {
    heights.iter().fold(f64::INFINITY, |x, y| x.min(y.abs()))
}

/// Returns the sides of corners at three heights; `None` if one of them is within a doubt.
fn sides(heights: &[f64; 3], doubt: f64) -> Option<Sides> {
    if !heights.iter().all(|h| h.abs() > doubt) {
        return None;
    }
    let [x, y, z] = heights.map(|h| h > 0.0);
    Some(match (x == y, x == z) {
        (true, true) => Sides::One(1.0_f64.copysign(heights[0])),
        (true, false) => Sides::Both(2),
        (false, true) => Sides::Both(1),
        (false, false) => Sides::Both(0),
    })
}
