//! Certificates: the bracket that a stationary pair of points proves by itself, without another evaluation, in lanes.
//!
//! For convex bodies each point is the support point of its own normal. Let n̂ be the unit mean of A's normal and B's
//! opposite one, both within half the mismatch ε of it, d = x_B − x_A, and R the outer radii. Then
//!
//! ```text
//! h_A(n̂) + h_B(−n̂) ≤ x_A·n̂ − x_B·n̂ + n̂·c + (R_A + R_B) ε      so    g(n̂) ≥ d·n̂ − (R_A + R_B) ε
//! ```
//!
//! where ε includes the rounding of the normals. That is the lower bound of the signed distance. The upper bound is
//! |d|, or, for bodies that overlap no deeper than their radii of curvature, the following bound of all depths. If A
//! is a smaller body swept by a sphere of radius ρ_A, then `x_A − ρ_A n_A` belongs to that body, so `h_A(m) ≥ (x_A −
//! ρ_A n_A)·m + ρ_A` for every unit m, and likewise for B. With ρ the sum of both radii and the depth `δ = −d·n̂ ≤ ρ`
//!
//! ```text
//! g(m) ≤ (d + ρ n̂)·m − ρ + ρ ε ≤ (ρ − δ) + |d − (d·n̂) n̂| − ρ + ρ ε = −δ + |d − (d·n̂) n̂| + ρ ε
//! ```
//!
//! No operation here is fused with another, so that single numbers and lanes of every width certify the same bounds
//! from the same points.

use crate::lanes::unfused::dot;
use crate::lanes::{Lanes, all_finite, scaled, select3};
use crate::query::units::{ALIGNED, NEARLY_TOUCHING, SHIFTED_BY_ROUNDING};

/// The numbers of two convex bodies that a certificate needs, in units and A's frame.
pub(crate) struct PairBounds<V> {
    /// The centre of B, and its distance from A's centre.
    pub center: [V; 3],
    pub center_distance: V,
    /// The sums of the outer radii, and of the radii of spheres that roll inside.
    pub outer: V,
    pub rolling: V,
    /// The radii of the spheres inside A and B about their centres.
    pub inner: [V; 2],
    /// The rounding of the normals, see
    /// [`ConvexPair::normal_rounding`](crate::narrowphase::convex_pair::ConvexPair::normal_rounding).
    pub normal_rounding: V,
    pub tolerance: V,
    pub rounding: V,
}

impl<V: Lanes> PairBounds<V> {
    /// Returns the lower bound of the distance that always holds: the bodies lie in their bounding spheres.
    #[inline(always)]
    pub fn sphere_lower_bound(&self) -> V {
        self.center_distance - self.outer - self.rounding
    }

    /// Whether the bodies are smaller than the rounding of their distance, so that they are points.
    #[inline(always)]
    pub fn bodies_are_points(&self) -> V::Mask {
        self.outer.lt(self.center_distance * (0.1 * f64::EPSILON))
    }
}

/// A stationary pair of points, see [`crate::pair::newton::Stationary`].
pub(crate) struct WitnessPair<V> {
    pub xa: [V; 3],
    /// The difference x_B − x_A.
    pub d: [V; 3],
    pub normal: [V; 3],
    pub mismatch: V,
}

/// The certificate of a pair of points.
pub(crate) struct Certificate<V: Lanes> {
    /// The numbers d·n̂ and |d|.
    pub along: V,
    pub length: V,
    /// The lower bound of the distance.
    pub lower: V,
    /// Whether |d − (d·n̂) n̂| is small enough for the points to be moved by it.
    pub aligned: V::Mask,
    /// The normal along which the witnesses can be lined up, if there is one: the direction of their difference where
    /// that proves the same bracket, or n̂ where the difference deviates from it by no more than rounding.
    pub normal: [V; 3],
    pub lined_up: V::Mask,
    /// Whether the bracket of the answer is closed.
    pub closed: V::Mask,
    /// Whether the answer is a penetration of overlapping bodies that is not proven to be the least.
    pub overlapping: V::Mask,
    pub answer: BracketedWitnesses<V>,
}

/// The answer that the points give; the witness of B is `xa + distance · normal`.
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

/// Certifies points on the surfaces of convex bodies. Numbers that are not finite lead to an answer that is not
/// finite.
///
/// The dependency chain of the answer's witnesses and normal is kept short: squares decide which of them is chosen,
/// without the roots that the bracket needs.
#[inline(always)]
pub(crate) fn certify<V: Lanes>(bodies: &PairBounds<V>, points: &WitnessPair<V>) -> Certificate<V> {
    // The radii of the rolling spheres are rounded.
    const MARGIN: f64 = 1e-12;
    let &PairBounds {
        outer,
        tolerance,
        rounding,
        ..
    } = bodies;
    let (n, zero) = (&points.normal, outer.splat(0.0));
    let d = points.d;
    let along = dot(&d, n);
    let length = dot(&d, &d).sqrt();
    let beside = minus(&d, &scaled(n, along));
    let offset_squared = dot(&beside, &beside);
    let slack = outer * (points.mismatch + bodies.normal_rounding);
    let lower = along - slack - rounding;

    // The difference of touching or overlapping witnesses has no direction, or the opposite one.
    let (allowed, arm) = (tolerance * length * 0.01, outer * 2.0);
    let directed = along.splat(NEARLY_TOUCHING).lt(along)
        & !(allowed * allowed).lt(arm * arm * offset_squared);
    let aligned = !zero.splat(ALIGNED * ALIGNED).lt(offset_squared);
    let lined_up = directed | aligned;
    // 1/|d| is computed without waiting for |d|.
    let along_d = scaled(&d, length * dot(&d, &d).recip());
    let normal = select3(directed, &along_d, n);
    let separated = lined_up & !tolerance.lt(length + rounding - lower);

    let mut upper = length + rounding;
    let mut overlapping = zero.lt(zero);
    if !V::all(separated) {
        let deepest = along + offset_squared.sqrt() + slack;
        overlapping = along.lt(zero)
            & aligned
            & !tolerance.lt(along - lower)
            & inner_spheres_prove_overlap(bodies, points, along)
            & !separated;
        let curved = !(bodies.rolling * (1.0 - MARGIN)).lt(-along);
        let bound_of_depths = V::select(curved, (deepest + rounding).min(zero), zero);
        upper = V::select(overlapping, bound_of_depths.max(along), upper);
    }

    // `x_B = x_A + distance n` must hold exactly: the part of the difference that does not lie along n̂ is split
    // between the two points, along their tangent planes. Along d there is no such part.
    let half = scaled(&beside, zero.splat(0.5));
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

/// Whether one of the witnesses certainly lies in both bodies, which overlap by `-along`, by a test that needs the
/// inner spheres only and no powers.
///
/// B contains the hull of its witness and its inner sphere. So x_A lies in B if the line along n from x_B meets the
/// sphere and x_A comes before the centre of the sphere, and vice versa. x_A lies off that line by what is left of d
/// beside n, and by rounding: where it is at a share f of the way to the centre, the hull has f times the room that the
/// sphere leaves around the line. The depth itself is rounded, so that twice the loss is taken off, and it must be far
/// above rounding.
#[inline(always)]
pub(crate) fn inner_spheres_prove_overlap<V: Lanes>(
    bodies: &PairBounds<V>,
    points: &WitnessPair<V>,
    along: V,
) -> V::Mask {
    let depth = -along;
    let beside = minus(&points.d, &scaled(&points.normal, along));
    let aside = dot(&beside, &beside).sqrt() + bodies.rounding * 4.0;
    let [ra, rb] = bodies.inner;
    let to_a = &points.xa;
    let to_b = minus(&minus(&bodies.center, to_a), &points.d);
    let in_b = on_the_way(&to_b, dot(&to_b, &points.normal), rb, [depth, aside]);
    // The direction from x_A to A's centre is −n.
    let in_a = on_the_way(to_a, dot(to_a, &points.normal), ra, [depth, aside]);
    (bodies.rounding * 64.0).lt(depth) & (in_b | in_a)
}

/// What is taken off the radius of an inner sphere for its rounding.
const SPHERE_MARGIN: f64 = 1e-6;

/// Whether a point at the given depth and distance aside of the line to a sphere's centre lies in the hull of the line's
/// start and the sphere.
#[inline(always)]
fn on_the_way<V: Lanes>(
    to_center: &[V; 3],
    ahead: V,
    radius: V,
    [depth, aside]: [V; 2],
) -> V::Mask {
    let beside = dot(to_center, to_center) - ahead * ahead;
    let radius = radius * (1.0 - SPHERE_MARGIN) - ahead * (aside * 2.0) / depth;
    radius.splat(0.0).lt(radius) & !(radius * radius).lt(beside) & !ahead.lt(depth)
}

#[inline(always)]
fn minus<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
