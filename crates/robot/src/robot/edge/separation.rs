//! What one direction proves of an interval.
//!
//! Let C be the lowest link above both bodies, taken to be at rest, n a unit vector fixed in it, and t the middle of an
//! interval of half-width h. At t + τ a material point of B that is at y, moves with the rigid velocity (v_B, ω_B) and
//! bends no more than A_B is at `y + τ (v_B + ω_B × y)` up to `½ τ² A_B`; likewise x of A. So the gap of the bodies along
//! n is at least
//!
//! ```text
//! F(τ) = min_y n·(y + τ (v_B + ω_B × y)) − max_x n·(x + τ (v_A + ω_A × x)) − ½ τ² (A_A + A_B)
//!      = τ n·(v_B − v_A) − h_B(−(n + τ n×ω_B)) − h_A(n + τ n×ω_A) − ½ τ² (A_A + A_B)
//! ```
//!
//! with the support functions h in the world: only the speed along n counts. F is concave, so that F(0) and F(h)
//! above m, or F(−h) and F(h), prove that the bodies keep more than m from t to t + h, and −h likewise the other half. No distance takes
//! part in the proof, and the bodies need not be convex: the plane separates their hulls.
//!
//! [`motion`](superovoid::motion) bounds the gap of one pair between two instants at which it evaluates both bodies; this bound
//! needs one instant, at which all pairs of the robot are posed once.

use super::line::Twist;
use nalgebra::Vector3;

/// One body of a pair in the middle of an interval.
pub(crate) struct MovingSide<'a> {
    /// Its motion relative to the link C.
    pub twist: Twist,
    /// The function whose value for m is `max m·x` over the body, or more; `None` where it knows none.
    pub support: &'a dyn Fn(&Vector3<f64>) -> Option<f64>,
}

/// Returns which half of the interval is proven: that before its middle, and that after it.
pub(crate) fn proven_halves(
    n: &Vector3<f64>,
    [a, b]: [&MovingSide; 2],
    acceleration: f64,
    h: f64,
    separation: f64,
) -> [bool; 2] {
    let drift = n.dot(&(b.twist.v - a.twist.v));
    let [bend_a, bend_b] = [a, b].map(|side| n.cross(&side.twist.w));
    let gap = |tau: f64| {
        let of_a = (a.support)(&(n + bend_a * tau))?;
        let of_b = (b.support)(&-(n + bend_b * tau))?;
        Some(tau * drift - of_b - of_a - 0.5 * tau * tau * acceleration)
    };
    // NaN proves nothing.
    let proves = |tau: f64| gap(tau).is_some_and(|gap| gap > separation);
    match [proves(-h), proves(h)] {
        // F is concave: it is above m between the ends.
        [true, true] => [true, true],
        [false, false] => [false, false],
        ends => ends.map(|end| end && proves(0.0)),
    }
}
