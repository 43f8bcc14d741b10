//! The numbers of shapes in lanes, in the form that the evaluation of their surfaces needs.

use super::coordinates::{both, interleaved};
use crate::Superovoid;
use crate::lanes::{Halves, Lanes, ToSingle, Two};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};

/// The numbers of the bodies that Newton's method needs, constant throughout a query.
pub(crate) struct ShapeLanes<W: Halves> {
    /// The semi-axes and their inverses.
    pub(super) a: [W::Half; 3],
    pub(super) inverse_a: [W::Half; 3],
    pub(super) t: [W::Half; 2],
    /// The exponents P = max(p, q).
    pub(super) power: W,
    pub(super) per_power: W,
    /// The exponents Q = min(p, q): (P − 1)(Q − 1) = 1.
    pub(super) conjugate: W,
    /// The powers s^(−1/P) and s^(2/P−1), which take (g, h) and |g|^(P−2), |h|^(P−2) onto their circle from where
    /// |g|^P + |h|^P = s.
    pub(super) onto_circle: [NearOne<W>; 2],
    /// Whether the primal-dual coordinates are those of the dual.
    pub(super) dual: W::Mask,
    /// Whether every circle is round, P = 2, so that its powers are all 1.
    pub(super) round: bool,
    /// Whether a taper is not 0.
    pub(super) tapered: bool,
}

impl<S: Simd> ShapeLanes<f64x2<S>> {
    #[inline(always)]
    pub fn of_one(simd: S, shape: &Superovoid) -> Self {
        let exponents = [shape.p, shape.q, shape.e].map(|both| both.simd_into(simd));
        let (round, tapered) = (shape.traits.round(), shape.is_tapered());
        ShapeLanes::new(shape.a, shape.t, exponents, round, tapered)
    }
}

impl<S: Simd> ShapeLanes<f64x4<S>> {
    /// Returns the numbers of a pair in units of 1/`per_unit` metres.
    #[inline(always)]
    pub fn of_pair(simd: S, a: &Superovoid, b: &Superovoid, per_unit: f64) -> Self {
        let [a1, a2, a3] = both(simd, &a.a, &b.a);
        let semi_axes = [a1 * per_unit, a2 * per_unit, a3 * per_unit];
        let t = [
            [a.t[0], b.t[0]].simd_into(simd),
            [a.t[1], b.t[1]].simd_into(simd),
        ];
        let exponents = [
            interleaved(simd, a.p, b.p),
            interleaved(simd, a.q, b.q),
            interleaved(simd, a.e, b.e),
        ];
        let round = a.traits.both(b.traits).round();
        let tapered = a.traits.either(b.traits).tapered();
        ShapeLanes::new(semi_axes, t, exponents, round, tapered)
    }
}

impl<V: Lanes> ShapeLanes<Two<Two<V>>> {
    /// Returns the numbers of a batch of pairs: arrays of the bodies A and B.
    #[inline(always)]
    pub fn of_soa(a: &ShapeSoa<V>, b: &ShapeSoa<V>, round: bool, tapered: bool) -> Self {
        let semi_axes = [
            Two(a.a[0], b.a[0]),
            Two(a.a[1], b.a[1]),
            Two(a.a[2], b.a[2]),
        ];
        let t = [Two(a.t[0], b.t[0]), Two(a.t[1], b.t[1])];
        let p = Two(Two(a.p[0], b.p[0]), Two(a.p[1], b.p[1]));
        let q = Two(Two(a.q[0], b.q[0]), Two(a.q[1], b.q[1]));
        let e = Two(Two(a.e[0], b.e[0]), Two(a.e[1], b.e[1]));
        ShapeLanes::new(semi_axes, t, [p, q, e], round, tapered)
    }
}

impl<V: Lanes> ShapeLanes<Two<V>> {
    /// Returns the same body in every lane; `like` only sets the kind of lanes.
    #[inline(always)]
    pub fn of_many(like: V, shape: &Superovoid) -> Self {
        let splat = |x: f64| like.splat(x);
        let p = Two(splat(shape.p[0]), splat(shape.p[1]));
        let q = Two(splat(shape.q[0]), splat(shape.q[1]));
        let e = Two(splat(shape.e[0]), splat(shape.e[1]));
        let [a1, a2, a3] = shape.a;
        let [t1, t2] = shape.t;
        let (round, tapered) = (shape.traits.round(), shape.is_tapered());
        ShapeLanes::new(
            [splat(a1), splat(a2), splat(a3)],
            [splat(t1), splat(t2)],
            [p, q, e],
            round,
            tapered,
        )
    }
}

/// The numbers of a batch's bodies A, or B, with a lane for each.
pub(crate) struct ShapeSoa<V> {
    pub a: [V; 3],
    pub p: [V; 2],
    pub q: [V; 2],
    pub e: [V; 2],
    pub t: [V; 2],
}

impl<V: ToSingle> ShapeSoa<V> {
    /// Joins two groups into one, in single precision.
    #[inline(always)]
    pub fn to_f32([one, other]: [&Self; 2]) -> ShapeSoa<V::Single> {
        ShapeSoa {
            a: V::vector_to_f32([&one.a, &other.a]),
            p: V::pair_to_f32([&one.p, &other.p]),
            q: V::pair_to_f32([&one.q, &other.q]),
            e: V::pair_to_f32([&one.e, &other.e]),
            t: V::pair_to_f32([&one.t, &other.t]),
        }
    }
}

/// The series of `(1 + δ)^−r` to third order, by its coefficients.
#[derive(Clone, Copy)]
pub(super) struct NearOne<V>([V; 3]);

impl<V: Lanes> NearOne<V> {
    #[inline(always)]
    fn to_minus(r: V) -> Self {
        let second = r.mul_add(r, r) * 0.5;
        let third = second * (r + 2.0) * (-1.0 / 3.0);
        NearOne([-r, second, third])
    }

    #[inline(always)]
    pub(super) fn at(&self, delta: V, squared: V) -> V {
        let [first, second, third] = self.0;
        let one = delta.splat(1.0);
        third
            .mul_add(delta, second)
            .mul_add(squared, first.mul_add(delta, one))
    }
}

impl<W: Halves> ShapeLanes<W> {
    #[inline(always)]
    fn new(
        a: [W::Half; 3],
        t: [W::Half; 2],
        [p, q, e]: [W; 3],
        round: bool,
        tapered: bool,
    ) -> Self {
        // p = 2/e, q = 2/(2 − e).
        let half = e * 0.5;
        let per_power = half.min(e.splat(1.0) - half);
        let [a1, a2, a3] = a;
        ShapeLanes {
            a,
            inverse_a: [a1.recip(), a2.recip(), a3.recip()],
            t,
            power: p.max(q),
            per_power,
            conjugate: p.min(q),
            onto_circle: [
                NearOne::to_minus(per_power),
                NearOne::to_minus(per_power * -2.0 + 1.0),
            ],
            dual: p.lt(p.splat(2.0)),
            round,
            tapered,
        }
    }
}
