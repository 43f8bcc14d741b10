//! Stationary pairs that prove themselves: the bracket from quantities that are already there, in lanes.
//!
//! Of convex bodies each point is the support point of its own normal. With the unit mean n̂ of A's
//! normal and B's opposite one, both within half the mismatch ε of it, d = x_B − x_A and outer radii R
//!
//! ```text
//! h_A(n̂) + h_B(−n̂) ≤ x_A·n̂ − x_B·n̂ + n̂·c + (R_A + R_B) ε      so    g(n̂) ≥ d·n̂ − (R_A + R_B) ε
//! ```
//!
//! without another evaluation, ε including the rounding of the normals. That is the lower bound of the
//! signed distance. The upper bound is |d|; or, for bodies that overlap no deeper than they are curved,
//! that of all depths: if A is a smaller body swept by a ball of radius ρ_A, then `x_A − ρ_A n_A` belongs
//! to that body, so `h_A(m) ≥ (x_A − ρ_A n_A)·m + ρ_A` for every unit m, and likewise for B. With ρ their
//! sum and the depth `δ = −d·n̂ ≤ ρ`
//!
//! ```text
//! g(m) ≤ (d + ρ n̂)·m − ρ + ρ ε ≤ (ρ − δ) + |d − (d·n̂) n̂| − ρ + ρ ε = −δ + |d − (d·n̂) n̂| + ρ ε
//! ```
//!
//! No operation here is fused with another, so that plain numbers and lanes of every width prove the same of the
//! same points.

use crate::lanes::{Lanes, all_finite, select3};
use crate::query::units::{ALIGNED, NEARLY_TOUCHING, SHIFTED_BY_ROUNDING};

/// What counts of two convex bodies, in units and A's frame.
pub(crate) struct PairBounds<V> {
    /// Centre of B, and its distance from A's.
    pub center: [V; 3],
    pub center_distance: V,
    /// Sums of the outer radii, and of the radii of balls that roll inside.
    pub outer: V,
    pub rolling: V,
    /// Radii of balls about the centres inside A and B.
    pub inner: [V; 2],
    /// See [`ConvexPair::normal_rounding`](crate::narrowphase::convex_pair::ConvexPair::normal_rounding).
    pub normal_rounding: V,
    pub tolerance: V,
    pub rounding: V,
}

impl<V: Lanes> PairBounds<V> {
    /// The lower bound of the distance that always holds: the bodies belong to their balls.
    #[inline(always)]
    pub fn sphere_lower_bound(&self) -> V {
        self.center_distance - self.outer - self.rounding
    }

    /// Whether the bodies are points at their distance: smaller than its rounding.
    #[inline(always)]
    pub fn bodies_are_points(&self) -> V::Mask {
        self.outer.lt(self.center_distance * (0.1 * f64::EPSILON))
    }
}

/// A stationary pair of points: see [`crate::pair::newton::Stationary`].
pub(crate) struct WitnessPair<V> {
    pub xa: [V; 3],
    /// x_B − x_A.
    pub d: [V; 3],
    pub normal: [V; 3],
    pub mismatch: V,
}

/// What the pair of points shows.
pub(crate) struct Certificate<V: Lanes> {
    /// d·n̂ and |d|.
    pub along: V,
    pub length: V,
    /// The lower bound.
    pub lower: V,
    /// |d − (d·n̂) n̂| is no more than can be moved.
    pub aligned: V::Mask,
    /// The normal along which the witnesses can be lined up, if they can: the direction of their
    /// difference where that proves the same bracket, or n̂ where they lie beside it by no more than
    /// rounding.
    pub normal: [V; 3],
    pub lined_up: V::Mask,
    /// The answer's bracket is closed.
    pub closed: V::Mask,
    /// The answer is a penetration of bodies that overlap, but another may be less deep.
    pub overlapping: V::Mask,
    pub answer: BracketedWitnesses<V>,
}

/// What the points amount to; B's witness is `xa + distance · normal`.
pub(crate) struct BracketedWitnesses<V> {
    pub distance: V,
    pub normal: [V; 3],
    pub xa: [V; 3],
    pub lower: V,
    pub upper: V,
}

impl<V: Lanes> BracketedWitnesses<V> {
    #[inline(always)]
    pub fn is_finite(&self) -> V::Mask {
        let ([n, m, o], [x, y, z]) = (self.normal, self.xa);
        all_finite(&[n, m, o, x, y, z, self.distance, self.lower, self.upper])
    }
}

/// For points on the surfaces of convex bodies. Numbers that are not finite lead to an answer that is not.
///
/// What the witnesses and the normal of the answer wait for is kept short: which of them it is to be is told
/// from squares, without the roots that the bracket needs.
#[inline(always)]
pub(crate) fn certify<V: Lanes>(bodies: &PairBounds<V>, points: &WitnessPair<V>) -> Certificate<V> {
    // The radii of the rolling balls are rounded.
    const MARGIN: f64 = 1e-12;
    let &PairBounds {
        outer,
        tolerance,
        rounding,
        ..
    } = bodies;
    let (n, zero) = (&points.normal, outer.splat(0.0));
    let d = points.d;
    let along = product(&d, n);
    let length = product(&d, &d).sqrt();
    let beside = minus(&d, &times(n, along));
    let offset_squared = product(&beside, &beside);
    let slack = outer * (points.mismatch + bodies.normal_rounding);
    let lower = along - slack - rounding;

    // Touching or overlapping witnesses have no direction, or the opposite one.
    let (reach, arm) = (tolerance * length * 0.01, outer * 2.0);
    let directed =
        along.splat(NEARLY_TOUCHING).lt(along) & !(reach * reach).lt(arm * arm * offset_squared);
    let aligned = !zero.splat(ALIGNED * ALIGNED).lt(offset_squared);
    let lined_up = directed | aligned;
    // 1/|d|, without waiting for |d|.
    let along_d = times(&d, length * product(&d, &d).recip());
    let normal = select3(directed, &along_d, n);
    let separated = lined_up & !tolerance.lt(length + rounding - lower);

    let mut upper = length + rounding;
    let mut overlapping = zero.lt(zero);
    if !V::all(separated) {
        let deepest = along + offset_squared.sqrt() + slack;
        overlapping = along.lt(zero)
            & aligned
            & !tolerance.lt(along - lower)
            & inner_balls_show_overlap(bodies, points, along)
            & !separated;
        let curved = !(bodies.rolling * (1.0 - MARGIN)).lt(-along);
        let bound_of_depths = V::select(curved, (deepest + rounding).min(zero), zero);
        upper = V::select(overlapping, bound_of_depths.max(along), upper);
    }

    // So that `x_B = x_A + distance n` holds exactly: what is left of the difference beside n̂ is split between
    // the two points, along their tangent planes. Nothing is left beside d.
    let half = times(&beside, zero.splat(0.5));
    let shift = select3(directed, &[zero; 3], &half);
    let [x, y, z] = points.xa;
    let distance = V::select(directed, length, along);
    let answer = BracketedWitnesses {
        distance,
        normal,
        xa: [x + shift[0], y + shift[1], z + shift[2]],
        lower: lower.min(distance),
        upper: upper.max(distance),
    };
    let limit = rounding.max(rounding.splat(SHIFTED_BY_ROUNDING));
    let small = directed | !(limit * limit).lt(offset_squared);
    let closed = (separated | overlapping) & small & !tolerance.lt(answer.upper - answer.lower);
    let overlapping = overlapping & small & !closed;
    Certificate {
        along,
        length,
        lower,
        aligned,
        normal,
        lined_up,
        closed,
        overlapping,
        answer,
    }
}

/// Whether one of the witnesses surely lies in both bodies, where they overlap by `-along`, and the
/// bodies' inner balls suffice to show it, which costs no powers.
///
/// B holds the hull of its witness and its inner ball. So x_A is in B if the line along n from x_B
/// meets the ball and x_A comes before the ball's centre; and the other way round. x_A may lie
/// beside that line by ALIGNED: where it is a share f of the way to the centre, the hull has f
/// times the room that the line leaves it in the ball.
#[inline(always)]
pub(crate) fn inner_balls_show_overlap<V: Lanes>(
    bodies: &PairBounds<V>,
    points: &WitnessPair<V>,
    along: V,
) -> V::Mask {
    let depth = -along;
    let [ra, rb] = bodies.inner;
    let to_a = &points.xa;
    let to_b = minus(&minus(&bodies.center, to_a), &points.d);
    let in_b = on_the_way(&to_b, product(&to_b, &points.normal), rb, depth);
    // From x_A to A's centre it goes along −n.
    let in_a = on_the_way(to_a, product(to_a, &points.normal), ra, depth);
    depth.splat(SHARE_MARGIN).lt(depth) & (in_b | in_a)
}

/// Rounding of the witnesses is far below it.
const SHARE_MARGIN: f64 = 1e-6;

#[inline(always)]
fn on_the_way<V: Lanes>(to_center: &[V; 3], ahead: V, radius: V, depth: V) -> V::Mask {
    let beside = product(to_center, to_center) - ahead * ahead;
    let radius = radius * (1.0 - SHARE_MARGIN) - ahead * (4.0 * ALIGNED) / depth;
    radius.splat(0.0).lt(radius) & !(radius * radius).lt(beside) & !ahead.lt(depth)
}

/// Scalar product, not fused.
#[inline(always)]
fn product<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
fn minus<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
fn times<V: Lanes>(a: &[V; 3], k: V) -> [V; 3] {
    [a[0] * k, a[1] * k, a[2] * k]
}
