//! Distance and growth of two untapered superellipsoids as conic programs.
//!
//! # The body as power cones
//!
//! The three-dimensional power cone is `K(α) = { (s, k, x) : s^α k^(1−α) ≥ |x|, s, k ≥ 0 }`. A pair
//! (u, v) has p-norm at most r exactly if some share s of r, `0 ≤ s ≤ r`, gives
//!
//! ```text
//! |u|^p ≤ s r^(p−1),   |v|^p ≤ (r − s) r^(p−1),   that is   (s, r, u), (r − s, r, v) ∈ K(1/p),
//! ```
//!
//! for adding the two gives `|u|^p + |v|^p ≤ r^p`, and conversely `s = |u|^p / r^(p−1)` serves. With
//! `p = 2/e` the exponent of the cone is `α = e/2`, in (0, 1) for every superellipsoid. The
//! body grown about its centre by the factor k is the nested norm
//! `‖(‖(x/a1, y/a2)‖_p1, z/a3)‖_p2 ≤ k`, four cones with the auxiliary numbers ρ, s, σ:
//!
//! ```text
//! (s, ρ, u), (ρ − s, ρ, v) ∈ K(e1/2)      (σ, k, ρ), (k − σ, k, w) ∈ K(e2/2)
//! ```
//!
//! and a world point `c + R (a1 u, a2 v, a3 w)` is linear in (u, v, w).
//!
//! # The two programs
//!
//! [`distance`]: minimise t with `‖x_B − x_A‖ ≤ t`, a second-order cone, and k = 1 for both bodies.
//! Its dual solution holds the direction: the multiplier of `(t, x_B − x_A)` is `(1, −n)`.
//!
//! [`growth`]: minimise the common factor k for which the grown bodies have a common point. It is
//! below 1 exactly if the bodies overlap, and the common point proves it.
//!
//! Both are convex, so that the interior-point method of `clarabel` finds the global answer
//! from no initial estimate at all. Its own primal-dual gap is reported, but an answer is judged by
//! a bracket that does not trust it: see [`Distance`].
//!
//! # Why no tapers
//!
//! A tapered section is `‖(x/a1, y/a2)‖_p1 ≤ (1 + t ζ)(1 − |ζ|^p2)^(1/p2)` for tx = ty = t. Where
//! the body is convex the right side is a concave function of ζ, but it is a product of a linear and
//! a power-cone function, which no power cone represents in general; with tx ≠ ty the two
//! semi-axes of the section change apart and `x/(1 + tx ζ)` is only quasi-linear. The support
//! function of a tapered body is a one-dimensional maximum, not a norm. So tapers are refused; the
//! nonlinear programs of [`crate::constrained`] accept them.

mod program;
mod status;
mod superellipsoid;

pub use status::ConicStatus;

use crate::OptimError;
use crate::scaled::{Body, ScaledPair};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use program::{Program, Solved};
use superovoid::Superovoid;

/// The distance of two untapered superellipsoids.
///
/// The bracket is independent of the solver and of the library's own query: `upper` is the distance
/// of two points pulled into the bodies, and `lower` the width of the gap along the solver's dual
/// direction n,
///
/// ```text
/// g(n) = n·(c_B − c_A) − h_A(n) − h_B(−n),    h the dual nested norm
/// ```
///
/// which no pair of points of the two bodies can undercut.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// Metres, `|point_b − point_a|`; 0 to within the bracket where the bodies overlap.
    pub distance: f64,
    /// Nearest point of A, world frame.
    pub point_a: Point3<f64>,
    /// Nearest point of B, world frame.
    pub point_b: Point3<f64>,
    /// Unit normal from A to B, world frame; along the centre line if the bodies overlap so deeply
    /// that the multiplier vanishes.
    pub normal: Unit<Vector3<f64>>,
    /// The true distance is at least this (metres); not positive where the bodies overlap.
    pub lower: f64,
    /// The true distance is at most this (metres).
    pub upper: f64,
    /// The solver's own primal minus dual objective, metres.
    pub solver_gap: f64,
    /// How the solver ended.
    pub status: ConicStatus,
    /// Its iterations.
    pub iterations: u32,
}

/// The common growth of two untapered superellipsoids about their centres until they touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Growth {
    /// Factor at which the grown bodies touch: below 1 overlap, above 1 apart.
    pub factor: f64,
    /// The point where they touch, world frame. Both bodies grown by `witnessed` contain it.
    pub point: Point3<f64>,
    /// Factor that `point` proves, by the bodies' norms alone: below 1 it lies in both.
    pub witnessed: f64,
    /// How the solver ended.
    pub status: ConicStatus,
    /// Its iterations.
    pub iterations: u32,
}

/// Distance of two untapered superellipsoids, from their conic program.
///
/// # Errors
/// A taper that is not 0, a pose that is not finite, sizes that cannot be scaled together, or a solver
/// that ended without a point.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::Superovoid;
/// use superovoid_optim::conic;
///
/// let brick = Superovoid::superellipsoid([1.0, 1.0, 1.0], [0.2, 0.2])?;
/// let there = Isometry3::translation(3.0, 0.0, 0.0);
/// let answer = conic::distance(&brick, &Isometry3::identity(), &brick, &there)?;
/// assert!((answer.distance - 1.0).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
) -> Result<Distance, OptimError> {
    let pair = untapered(a, pose_a, b, pose_b)?;
    let solved = Program::distance(&pair).solve()?;
    let [xa, xb] = pulled_inside(&pair, &solved);
    let normal = direction(&pair, &solved);
    let lower = superellipsoid::gap(&pair.bodies, &normal);
    let upper = (xb - xa).norm();
    Ok(Distance {
        distance: upper * pair.unit,
        point_a: pair.in_world(&xa),
        point_b: pair.in_world(&xb),
        normal,
        lower: lower * pair.unit,
        upper: upper * pair.unit,
        solver_gap: solved.gap * pair.unit,
        status: solved.status,
        iterations: solved.iterations,
    })
}

/// Growth factor of two untapered superellipsoids, from its conic program.
///
/// # Errors
/// A taper that is not 0, a pose that is not finite, sizes that cannot be scaled together, or a solver
/// that ended without a point.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::Superovoid;
/// use superovoid_optim::conic;
///
/// let ball = Superovoid::sphere(1.0)?;
/// let there = Isometry3::translation(1.5, 0.0, 0.0);
/// let answer = conic::growth(&ball, &Isometry3::identity(), &ball, &there)?;
/// assert!((answer.factor - 0.75).abs() < 1e-7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn growth(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
) -> Result<Growth, OptimError> {
    let pair = untapered(a, pose_a, b, pose_b)?;
    let solved = Program::growth(&pair).solve()?;
    let [body_a, body_b] = &pair.bodies;
    let [xa, xb] = world_points(&pair, &solved);
    let point = (xa + xb) / 2.0;
    let norm = |body: &Body| superellipsoid::norm(body, &superellipsoid::coordinates(body, &point));
    Ok(Growth {
        factor: solved.objective,
        point: pair.in_world(&point),
        witnessed: norm(body_a).max(norm(body_b)),
        status: solved.status,
        iterations: solved.iterations,
    })
}

fn untapered(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
) -> Result<ScaledPair, OptimError> {
    for (body, shape) in [('A', a), ('B', b)] {
        if shape.is_tapered() {
            let tapers = shape.tapers();
            return Err(OptimError::Tapered { body, tapers });
        }
    }
    ScaledPair::new(a, pose_a, b, pose_b)
}

fn world_points(pair: &ScaledPair, solved: &Solved) -> [Vector3<f64>; 2] {
    [0, 1].map(|i| superellipsoid::point(&pair.bodies[i], &solved.coordinates[i]))
}

/// The solver's points, scaled about the centre into the body where they lie outside by its
/// tolerance.
fn pulled_inside(pair: &ScaledPair, solved: &Solved) -> [Vector3<f64>; 2] {
    [0, 1].map(|i| {
        let (body, u) = (&pair.bodies[i], solved.coordinates[i]);
        superellipsoid::point(body, &(u / superellipsoid::norm(body, &u).max(1.0)))
    })
}

/// Any unit vector makes a true bound, so that the choice is free where the multiplier vanishes.
fn direction(pair: &ScaledPair, solved: &Solved) -> Unit<Vector3<f64>> {
    let centres = pair.bodies[1].centre - pair.bodies[0].centre;
    Unit::try_new(-solved.multiplier, 1e-6)
        .or_else(|| Unit::try_new(centres, 0.0))
        .unwrap_or(Vector3::x_axis())
}
