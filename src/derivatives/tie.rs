//! Whether a penetration depth is attained along a second direction.
//!
//! A depth is the least over all directions, and differentiable where a single direction attains it. Ties come from
//! symmetry. Bodies have theirs in planes across their axes, or across lines between two axes, and half turns about these.
//! What is a symmetry of both bodies leaves the line of centres where it is, which then lies across, or along, such an
//! axis of one of them: a few products tell, and it is not so for bodies that lie at random. Otherwise directions are
//! tried: the images of the normal under the symmetries of both bodies (reflections in their planes and half turns about
//! their axes), the axes themselves, and the centre line; each that might be as deep is followed to its own local maximum
//! of g by Newton's method. Two bodies of one shape may also be each other's image under a reflection or a half turn σ of
//! the pair, which turns the centre line about and makes of the normal from A to B that from B to A: then −σ n is as deep.
//! A shallow depth, which the pair query presumes to be the only one, is not searched.
//!
//! A symmetry of a superovoid with a polytope is one of the superovoid, of which there are few: where it maps the vertices
//! to vertices and the normal elsewhere, the image is as deep.

use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::local_depth::presumed_global;
use crate::pair::problem::PairProblem;
use crate::query::options::DepthMode;
use crate::{Contact, Superovoid};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

/// Depths that differ by less, in units, are the same.
const SAME_DEPTH: f64 = 1e-9;
/// Normals whose difference is less are the same.
const SAME_NORMAL: f64 = 1e-4;
/// A direction is followed if its own depth is at most this share of the inner radii greater.
const PROMISING: f64 = 0.05;

/// Whether the depth of an overlap may be attained along several directions: whether the pair query searches for it, and
/// the bodies lie as only bodies with a common symmetry do.
pub(super) fn may_tie(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> bool {
    let inner = a.inner_radius + b.inner_radius;
    let center = pose_b.translation.vector - pose_a.translation.vector;
    let depth = -contact.distance;
    !presumed_global(DepthMode::Fast, a, b, inner, center.norm(), depth)
        && (are_of_one_shape(a, b)
            || may_be_symmetric(pose_a, pose_b, &center, a.size() + b.size()))
}

/// Whether the line of centres lies across or along an axis of a body, or one between two of its axes, or the normal of
/// the plane of both bodies' z axes.
fn may_be_symmetric(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    center: &Vector3<f64>,
    size: f64,
) -> bool {
    /// The length, relative to the bodies, that counts as rounding.
    const ROUNDING: f64 = 1e-7;
    let (close, squared) = (ROUNDING * size, center.norm_squared());
    let special = |along: f64| {
        along.abs() <= close || squared - along * along <= close * close + 1e-15 * squared
    };
    let [c_a, c_b] = [pose_a, pose_b].map(|pose| pose.inverse_transform_vector(center));
    let of_axes = |c: &Vector3<f64>| {
        c.iter().any(|&along| special(along))
            || [(0, 1), (0, 2), (1, 2)].into_iter().any(|(i, j)| {
                let half = std::f64::consts::FRAC_1_SQRT_2;
                special((c[i] + c[j]) * half) || special((c[i] - c[j]) * half)
            })
    };
    let [z_a, z_b] = [pose_a, pose_b].map(|pose| pose.rotation * Vector3::z());
    of_axes(&c_a) || of_axes(&c_b) || center.dot(&z_a.cross(&z_b)).abs() <= close
}

/// Whether the bodies are the same, perhaps upside down.
fn are_of_one_shape(a: &Superovoid, b: &Superovoid) -> bool {
    (a.a, a.e) == (b.a, b.e) && (a.t == b.t || a.t == b.t.map(|t| -t))
}

/// Whether overlapping bodies are as deep along a direction other than the unit `normal` in A's frame, along which
/// their signed distance is `distance` (in units).
pub(super) fn has_a_tie(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    normal: &Vector3<f64>,
    distance: f64,
) -> bool {
    let problem = PairProblem::new(a, pose_a, b, pose_b, 0.0);
    let inner = problem.a.inner_radius + problem.b.inner_radius;
    candidates(&problem, normal).any(|m| ties(&problem, normal, distance, &m, inner))
}

fn candidates(problem: &PairProblem, n: &Vector3<f64>) -> impl Iterator<Item = Vector3<f64>> {
    let n = *n;
    let axes = problem.face_axes();
    let images = axes.into_iter().flat_map(move |axis| {
        let reflected = n - axis * (2.0 * n.dot(&axis));
        [reflected, -reflected, axis, -axis]
    });
    let line = problem.center.try_normalize(1e-9);
    images
        .chain([-n])
        .chain(line.into_iter().flat_map(|c| [c, -c]))
        .chain(exchanges(problem).map(move |exchange| -(exchange * n)))
}

/// The symmetries that exchange bodies of one shape, in A's frame: σ = R S, R the rotation of B and S a symmetry of the
/// shape (a change of signs, for square sections also the exchange of x and y), that are their own inverses and turn the
/// centre line about.
fn exchanges(problem: &PairProblem) -> impl Iterator<Item = Matrix3<f64>> {
    const SAME: f64 = 1e-6;
    let (a, b, c, rotation) = (&problem.a, &problem.b, problem.center, problem.rotation);
    let square = a.a[0] == a.a[1] && a.t[0] == a.t[1];
    let count = match (are_of_one_shape(a, b), square) {
        (false, _) => 0,
        (true, false) => 8,
        (true, true) => 16,
    };
    let sign = |bit: u32| if bit & 1 == 0 { 1.0 } else { -1.0 };
    let symmetry = move |k: u32| {
        let signs = Matrix3::from_diagonal(&Vector3::new(sign(k), sign(k >> 1), sign(k >> 2)));
        let exchange = Matrix3::new(0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0);
        rotation * if k < 8 { signs } else { signs * exchange }
    };
    (0..count).map(symmetry).filter(move |exchange| {
        (exchange - exchange.transpose()).norm() < SAME
            && (exchange * c + c).norm() <= SAME * c.norm()
    })
}

/// Whether the direction m leads to a depth that is the same, along another normal than n.
fn ties(
    problem: &PairProblem,
    n: &Vector3<f64>,
    distance: f64,
    m: &Vector3<f64>,
    inner: f64,
) -> bool {
    let other = |m: &Vector3<f64>| (m - n).norm() > SAME_NORMAL;
    if !other(m) {
        return false;
    }
    let gap = problem.support_pair(m).gap;
    if gap >= distance - SAME_DEPTH {
        return true;
    }
    let mut iterations = 0;
    gap >= distance - PROMISING * inner
        && problem
            .sharpen(m, gap, &mut iterations)
            .is_some_and(|p| p.gap >= distance - SAME_DEPTH && other(&p.normal))
}

/// Whether a symmetry of the superovoid `shape` at `pose` maps the vertices, in the frame of `pose_b`, to each other, but
/// not the unit `normal`, in world axes, to itself. A sphere has also the symmetries of the axes of `pose_b`.
pub(super) fn is_mirrored(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    vertices: &[Point3<f64>],
    pose_b: &Isometry3<f64>,
    normal: &Vector3<f64>,
) -> bool {
    /// The length, relative to the body, that counts as rounding.
    const ROUNDING: f64 = 1e-9;
    let size = shape.size();
    let relative = pose.inverse() * pose_b;
    let n = pose.inverse_transform_vector(normal);
    let maps_to_vertices = |map: &Matrix3<f64>| {
        vertices.iter().all(|v| {
            let image = map * (relative * v).coords;
            let near = |w: &Point3<f64>| ((relative * w).coords - image).norm() <= ROUNDING * size;
            vertices.iter().any(near)
        })
    };
    let signs = |k: u32| {
        let sign = |bit: u32| if (k >> bit) & 1 == 0 { 1.0 } else { -1.0 };
        Matrix3::from_diagonal(&Vector3::new(sign(0), sign(1), sign(2)))
    };
    let tapered = shape.t != [0.0; 2];
    let own = (1..8).filter(|k| !(tapered && k & 4 != 0)).map(signs);
    let sphere = shape.a == [shape.a[0]; 3] && shape.e == [1.0; 2] && !tapered;
    let turn = relative.rotation.to_rotation_matrix().into_inner();
    let of_axes = (1..if sphere { 8 } else { 1 }).map(|k| turn * signs(k) * turn.transpose());
    own.chain(of_axes)
        .any(|map| (map * n - n).norm() > SAME_NORMAL && maps_to_vertices(&map))
}
