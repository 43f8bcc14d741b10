//! Good coordinates of a surface point, in which Newton's method works for every exponent.
//!
//! A superovoid's surface point is a pair of nested circles (see [`crate::surface::circle`]). Newton
//! in surface points fails where an exponent exceeds 1 (ridges), Newton in normals where it is below 1
//! (flat faces). So each circle is held by its *good* coordinates `(g, h)`: the point (u, v) itself
//! where p ≥ 2 and its dual (u', v') where p < 2. Either way they run on a P-circle with
//! `P = max(p, q) ≥ 2`, a C² curve, along which
//!
//! ```text
//! (dg, dh) = (−h', g'),   dg' = (P − 1) |g|^(P−2) dg,   g' = |g|^(P−2) g
//! ```
//!
//! Everything is written for [`crate::lanes`], and so that no lane's result depends on its neighbours
//! (what is left out where no lane needs it would leave the others as they are). The *wide* lanes W hold
//! the circles: the sections in the lower half, the profiles in the upper. One half has a lane for each
//! body: two for a pair.

mod guess;
mod slight;

pub(crate) use slight::SLIGHT;

use crate::Superovoid;
use crate::lanes::{Halves, Lanes, Narrowing, Two, lanes_of};
use crate::surface::circle::{Circle, Circles};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};

/// The good coordinates of a body's two circles, `[section, profile]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct State {
    pub g: [f64; 2],
    pub h: [f64; 2],
}

impl State {
    /// State of a given surface point.
    pub fn of(shape: &Superovoid, circles: &Circles) -> State {
        let good = |c: &Circle, p: f64| {
            if is_primal(p) {
                (c.u, c.v)
            } else {
                (c.u_dual, c.v_dual)
            }
        };
        let (g1, h1) = good(&circles.section, shape.p[0]);
        let (g2, h2) = good(&circles.profile, shape.p[1]);
        State {
            g: [g1, g2],
            h: [h1, h2],
        }
    }

    /// The surface point of this state.
    pub fn circles(&self, shape: &Superovoid) -> Circles {
        let circle = |i: usize| {
            if is_primal(shape.p[i]) {
                Circle::from_primal(self.g[i], self.h[i], shape.p[i])
            } else {
                Circle::from_dual(self.g[i], self.h[i], shape.q[i])
            }
        };
        Circles {
            section: circle(0),
            profile: circle(1),
        }
    }
}

/// Whether the good coordinates are the point itself.
fn is_primal(p: f64) -> bool {
    p >= 2.0
}

/// Good coordinates in lanes. They need not be on their circles: evaluation puts them there.
#[derive(Clone, Copy)]
pub(crate) struct Coordinates<W> {
    pub g: W,
    pub h: W,
}

impl<V: Lanes> Coordinates<V> {
    /// These where the mask is true, else the others.
    #[inline(always)]
    pub fn where_else(self, mask: V::Mask, others: Self) -> Self {
        Coordinates {
            g: V::select(mask, self.g, others.g),
            h: V::select(mask, self.h, others.h),
        }
    }
}

impl<S: Simd> Coordinates<f64x2<S>> {
    /// Of one body.
    #[inline(always)]
    pub fn of_one(simd: S, state: &State) -> Self {
        Coordinates {
            g: state.g.simd_into(simd),
            h: state.h.simd_into(simd),
        }
    }
}

impl<S: Simd> Coordinates<f64x4<S>> {
    /// Of a pair.
    #[inline(always)]
    pub fn of_pair(simd: S, [a, b]: &[State; 2]) -> Self {
        Coordinates {
            g: interleaved(simd, a.g, b.g),
            h: interleaved(simd, a.h, b.h),
        }
    }

    #[inline(always)]
    pub fn states(&self) -> [State; 2] {
        let ([ga, gb, gc, gd], [ha, hb, hc, hd]) = (lanes_of(self.g), lanes_of(self.h));
        let (g, h) = ([ga, gc], [ha, hc]);
        let b = State {
            g: [gb, gd],
            h: [hb, hd],
        };
        [State { g, h }, b]
    }
}

/// `[section, profile]` of two bodies in wide lanes.
#[inline(always)]
fn interleaved<S: Simd>(simd: S, a: [f64; 2], b: [f64; 2]) -> f64x4<S> {
    [a[0], b[0], a[1], b[1]].simd_into(simd)
}

/// Vectors of two bodies, component by component.
#[inline(always)]
pub(crate) fn both<S: Simd>(simd: S, a: &[f64; 3], b: &[f64; 3]) -> [f64x2<S>; 3] {
    [
        [a[0], b[0]].simd_into(simd),
        [a[1], b[1]].simd_into(simd),
        [a[2], b[2]].simd_into(simd),
    ]
}

/// What Newton needs of the bodies, the same throughout a query.
pub(crate) struct Bodies<W: Halves> {
    /// Semi-axes and their inverses.
    a: [W::Half; 3],
    inverse_a: [W::Half; 3],
    t: [W::Half; 2],
    /// P = max(p, q).
    power: W,
    per_power: W,
    /// Q = min(p, q): (P − 1)(Q − 1) = 1.
    conjugate: W,
    /// s^(−1/P) and s^(2/P−1), which take (g, h) and |g|^(P−2), |h|^(P−2) onto their circle from where
    /// |g|^P + |h|^P = s.
    onto_circle: [NearOne<W>; 2],
    /// Whether the good coordinates are those of the dual.
    dual: W::Mask,
    /// Every circle is round, P = 2: its powers are all 1.
    round: bool,
    /// A taper is not 0.
    tapered: bool,
}

impl<S: Simd> Bodies<f64x2<S>> {
    #[inline(always)]
    pub fn of_one(simd: S, shape: &Superovoid) -> Self {
        let exponents = [shape.p, shape.q, shape.e].map(|both| both.simd_into(simd));
        let (round, tapered) = (shape.traits.round(), shape.is_tapered());
        Bodies::new(shape.a, shape.t, exponents, round, tapered)
    }
}

impl<S: Simd> Bodies<f64x4<S>> {
    /// In units of 1/`per_unit` metres.
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
        Bodies::new(semi_axes, t, exponents, round, tapered)
    }
}

impl<V: Narrowing> Coordinates<Two<Two<V>>> {
    #[inline(always)]
    pub fn widen(narrow: Coordinates<Two<Two<V::Narrow>>>) -> [Self; 2] {
        let ([one_g, other_g], [one_h, other_h]) =
            (V::widen_wide(narrow.g), V::widen_wide(narrow.h));
        [
            Coordinates { g: one_g, h: one_h },
            Coordinates {
                g: other_g,
                h: other_h,
            },
        ]
    }
}

impl<V: Lanes> Bodies<Two<Two<V>>> {
    /// Of a batch of pairs: columns of A and B.
    #[inline(always)]
    pub fn of_columns(a: &Columned<V>, b: &Columned<V>, round: bool, tapered: bool) -> Self {
        let semi_axes = [
            Two(a.a[0], b.a[0]),
            Two(a.a[1], b.a[1]),
            Two(a.a[2], b.a[2]),
        ];
        let t = [Two(a.t[0], b.t[0]), Two(a.t[1], b.t[1])];
        let p = Two(Two(a.p[0], b.p[0]), Two(a.p[1], b.p[1]));
        let q = Two(Two(a.q[0], b.q[0]), Two(a.q[1], b.q[1]));
        let e = Two(Two(a.e[0], b.e[0]), Two(a.e[1], b.e[1]));
        Bodies::new(semi_axes, t, [p, q, e], round, tapered)
    }
}

impl<V: Lanes> Bodies<Two<V>> {
    /// The same body in every lane; `like` only says which kind of lanes.
    #[inline(always)]
    pub fn of_many(like: V, shape: &Superovoid) -> Self {
        let all = |x: f64| like.all(x);
        let p = Two(all(shape.p[0]), all(shape.p[1]));
        let q = Two(all(shape.q[0]), all(shape.q[1]));
        let e = Two(all(shape.e[0]), all(shape.e[1]));
        let [a1, a2, a3] = shape.a;
        let [t1, t2] = shape.t;
        let (round, tapered) = (shape.traits.round(), shape.is_tapered());
        Bodies::new(
            [all(a1), all(a2), all(a3)],
            [all(t1), all(t2)],
            [p, q, e],
            round,
            tapered,
        )
    }
}

/// The numbers of a batch's bodies A, or B, a lane for each.
pub(crate) struct Columned<V> {
    pub a: [V; 3],
    pub p: [V; 2],
    pub q: [V; 2],
    pub e: [V; 2],
    pub t: [V; 2],
}

impl<V: Narrowing> Columned<V> {
    /// Two groups as one, in single precision.
    #[inline(always)]
    pub fn narrow([one, other]: [&Self; 2]) -> Columned<V::Narrow> {
        Columned {
            a: V::narrow3([&one.a, &other.a]),
            p: V::narrow2([&one.p, &other.p]),
            q: V::narrow2([&one.q, &other.q]),
            e: V::narrow2([&one.e, &other.e]),
            t: V::narrow2([&one.t, &other.t]),
        }
    }
}

/// `(1 + δ)^−r` to third order, by its coefficients.
#[derive(Clone, Copy)]
struct NearOne<V>([V; 3]);

impl<V: Lanes> NearOne<V> {
    #[inline(always)]
    fn to_minus(r: V) -> Self {
        let second = r.mul_add(r, r) * 0.5;
        let third = second * (r + 2.0) * (-1.0 / 3.0);
        NearOne([-r, second, third])
    }

    #[inline(always)]
    fn at(&self, delta: V, squared: V) -> V {
        let [first, second, third] = self.0;
        let one = delta.all(1.0);
        third
            .mul_add(delta, second)
            .mul_add(squared, first.mul_add(delta, one))
    }
}

impl<W: Halves> Bodies<W> {
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
        let per_power = half.min(e.all(1.0) - half);
        let [a1, a2, a3] = a;
        Bodies {
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
            dual: p.less(p.all(2.0)),
            round,
            tapered,
        }
    }

    /// The surface points of the coordinates.
    #[inline(always)]
    pub fn evaluate(&self, at: &Coordinates<W>) -> Surface<W> {
        self.evaluate_roughly_if(false, at)
    }

    /// As [`Bodies::evaluate`], or with rough powers, and then only nearly.
    #[inline(always)]
    pub fn evaluate_roughly_if(&self, rough: bool, at: &Coordinates<W>) -> Surface<W> {
        self.surface(self.turn(at, rough))
    }

    #[inline(always)]
    fn surface(&self, turned: Turned<W>) -> Surface<W> {
        let nested = Nested::new(&turned, self.dual);
        let surface = self.untapered(&nested, turned);
        if self.tapered {
            self.taper(&nested, surface)
        } else {
            surface
        }
    }

    /// Puts the coordinates on their circles and evaluates these, with two powers.
    ///
    /// With s = |g|^P + |h|^P = 1 + δ the point is (g, h) s^(−1/P), and the powers are s^(2/P−1) times those
    /// taken. Near the circle both factors are taken to third order in δ: what that leaves, at most δ⁴ in the limit,
    /// vanishes with the eighth power of the steps and is part of the residual.
    #[inline(always)]
    fn turn(&self, at: &Coordinates<W>, rough: bool) -> Turned<W> {
        const NEAR: f64 = 0.6;
        const TINY: f64 = 1e-30;
        let Coordinates { mut g, mut h } = *at;
        let one = g.all(1.0);
        let (mut g_power, mut h_power) = self.powers(g, h, rough);
        let mut excess = g_power.mul_add(g * g, h_power.mul_sub(h * h, one));
        let near = excess.abs().less(g.all(NEAR));
        let squared = excess * excess;
        let [onto, power_onto] = &self.onto_circle;
        let (mut k, mut k_power) = (onto.at(excess, squared), power_onto.at(excess, squared));
        if !W::everywhere(near) {
            // High powers of coordinates above 1 exceed the number range: the larger is made 1 first.
            let larger = W::select(near, one, g.abs().max(h.abs()).max(one.all(TINY)));
            (g, h) = (g / larger, h / larger);
            let scaled = self.powers(g, h, false);
            let s = scaled.0.mul_add(g * g, scaled.1 * (h * h));
            let exact = (-s.log2() * self.per_power).exp2();
            g_power = W::select(near, g_power, scaled.0);
            h_power = W::select(near, h_power, scaled.1);
            k = W::select(near, k, exact);
            k_power = W::select(near, k_power, (s * exact * exact).recip());
            excess = W::select(near, excess, g.all(0.0));
        }
        let good = Coordinates { g: g * k, h: h * k };
        let power = Coordinates {
            g: g_power * k_power,
            h: h_power * k_power,
        };
        let duals = Coordinates {
            g: power.g * good.g,
            h: power.h * good.h,
        };
        let less = self.power - 1.0;
        let stiffness = Coordinates {
            g: less * power.g,
            h: less * power.h,
        };
        self.turned(good, duals, power.g, stiffness, excess)
    }

    /// From good coordinates on their circles, and their duals.
    #[inline(always)]
    fn turned(
        &self,
        good: Coordinates<W>,
        duals: Coordinates<W>,
        power_g: W,
        stiffness: Coordinates<W>,
        excess: W,
    ) -> Turned<W> {
        let Coordinates { g, h } = good;
        let (g_dual, h_dual) = (duals.g, duals.h);
        let (dg, dh) = (-h_dual, g_dual);
        let (dg_dual, dh_dual) = (stiffness.g * dg, stiffness.h * dh);
        Turned {
            place: Place {
                good,
                tangent: Coordinates { g: dg, h: dh },
            },
            power_g,
            stiffness,
            excess,
            point: Point {
                u: W::select(self.dual, g_dual, g),
                v: W::select(self.dual, h_dual, h),
                u_dual: W::select(self.dual, g, g_dual),
                v_dual: W::select(self.dual, h, h_dual),
            },
            tangent: Point {
                u: W::select(self.dual, dg_dual, dg),
                v: W::select(self.dual, dh_dual, dh),
                u_dual: W::select(self.dual, dg, dg_dual),
                v_dual: W::select(self.dual, dh, dh_dual),
            },
        }
    }

    /// |g|^(P−2) and |h|^(P−2), or these to 2e-4 (P − 2).
    #[inline(always)]
    fn powers(&self, g: W, h: W, rough: bool) -> (W, W) {
        if self.round {
            return (g.all(1.0), g.all(1.0));
        }
        let k = self.power - 2.0;
        if rough {
            W::raise_roughly_both(g, h, k)
        } else {
            W::raise_both(g, h, k)
        }
    }

    /// `x = (a1 ρξ, a2 ρη, a3 ζ)`, `n = (ρ'ξ'/a1, ρ'η'/a2, ζ'/a3)`.
    #[inline(always)]
    fn untapered(&self, nested: &Nested<W::Half>, turned: Turned<W>) -> Surface<W> {
        let (a, i) = (&self.a, &self.inverse_a);
        let Nested {
            section: s,
            profile: p,
            d_section: ds,
            d_profile: dp,
            ..
        } = nested;
        let (wide_x, wide_y) = (a[0] * s.u, a[1] * s.v);
        let (steep_x, steep_y) = (i[0] * s.u_dual, i[1] * s.v_dual);
        let zero = s.u.all(0.0);
        Surface {
            x: [wide_x * p.u, wide_y * p.u, a[2] * p.v],
            n: [steep_x * p.u_dual, steep_y * p.u_dual, i[2] * p.v_dual],
            dx: [
                [a[0] * nested.rho_r * ds.u, a[1] * nested.rho_r * ds.v, zero],
                [wide_x * dp.u, wide_y * dp.u, a[2] * dp.v],
            ],
            dn: [
                [
                    i[0] * nested.rho_r_dual * ds.u_dual,
                    i[1] * nested.rho_r_dual * ds.v_dual,
                    zero,
                ],
                [steep_x * dp.u_dual, steep_y * dp.u_dual, i[2] * dp.v_dual],
            ],
            place: turned.place,
            stiffness: turned.stiffness,
            excess: turned.excess,
        }
    }

    /// With the taper factors τ the untapered x, n, and their derivatives become
    ///
    /// ```text
    /// x = (τx x, τy y, z)      n τx τy = (τy nx, τx ny, (τx τy ζ' − κ E)/a3)
    /// κ = ρρ',   E = ξξ' tx τy + ηη' ty τx
    /// ```
    ///
    /// Around the section ξξ' + ηη' = 1, so the two parts of E change by opposite amounts.
    #[inline(always)]
    fn taper(&self, nested: &Nested<W::Half>, untapered: Surface<W>) -> Surface<W> {
        let Nested {
            section: s,
            profile: p,
            d_section: ds,
            d_profile: dp,
            ..
        } = nested;
        let [tx, ty] = self.t;
        let i3 = self.inverse_a[2];
        let (tau_x, tau_y) = (tx * p.v + 1.0, ty * p.v + 1.0);
        let (d_tau_x, d_tau_y) = (tx * dp.v, ty * dp.v);
        let (across_x, across_y) = (tx * tau_y, ty * tau_x);
        let tau_xy = tau_x * tau_y;
        let kappa = p.u * p.u_dual;
        let d_kappa = dp.u.mul_add(p.u_dual, p.u * dp.u_dual);
        let (share_x, share_y) = (s.u * s.u_dual, s.v * s.v_dual);
        let widening = share_x.mul_add(across_x, share_y * across_y);
        let d_share = ds.u.mul_add(s.u_dual, s.u * ds.u_dual);
        let shift = d_share * (across_x - across_y);
        let d_widening = tx * d_tau_y * (share_x + share_y);

        let Surface { x, n, dx, dn, .. } = untapered;
        Surface {
            x: [tau_x * x[0], tau_y * x[1], x[2]],
            n: [
                tau_y * n[0],
                tau_x * n[1],
                i3 * tau_xy.mul_sub(p.v_dual, kappa * widening),
            ],
            dx: [
                [tau_x * dx[0][0], tau_y * dx[0][1], dx[0][2]],
                [
                    tau_x.mul_add(dx[1][0], d_tau_x * x[0]),
                    tau_y.mul_add(dx[1][1], d_tau_y * x[1]),
                    dx[1][2],
                ],
            ],
            dn: [
                [
                    tau_y * dn[0][0],
                    tau_x * dn[0][1],
                    -(i3 * nested.kappa_r * shift),
                ],
                [
                    tau_y.mul_add(dn[1][0], d_tau_y * n[0]),
                    tau_x.mul_add(dn[1][1], d_tau_x * n[1]),
                    i3 * (tau_xy
                        .mul_add(dp.v_dual, (d_tau_x * tau_y + tau_x * d_tau_y) * p.v_dual)
                        - d_kappa.mul_add(widening, kappa * d_widening)),
                ],
            ],
            ..untapered
        }
    }
}

/// Coordinates that are on their circles, and their derivatives along the tangents: all that a step
/// needs.
#[derive(Clone, Copy)]
pub(crate) struct Place<W> {
    pub good: Coordinates<W>,
    pub tangent: Coordinates<W>,
}

impl<V: Lanes> Place<V> {
    /// These where the mask is true, else the others.
    #[inline(always)]
    pub fn where_else(self, mask: V::Mask, others: Self) -> Self {
        Place {
            good: self.good.where_else(mask, others.good),
            tangent: self.tangent.where_else(mask, others.tangent),
        }
    }
}

/// |x|, but not 0.
#[inline(always)]
fn not_0<V: Lanes>(x: V) -> V {
    const TINY: f64 = 1e-30;
    x.abs().max(x.all(TINY))
}

/// Where a step leads to, and by how much the circles turn.
pub(crate) struct Advanced<W> {
    pub at: Coordinates<W>,
    pub turns: W,
}

/// A step around and along the two tangents of a surface point: both over the weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<V> {
    pub around: V,
    pub along: V,
    pub weight: V,
}

impl<V: Lanes> Step<V> {
    #[inline(always)]
    pub fn new(around: V, along: V, weight: V) -> Self {
        Step {
            around,
            along,
            weight,
        }
    }

    /// This step where the mask is true, else the other.
    #[inline(always)]
    pub fn where_else(self, mask: V::Mask, other: Self) -> Self {
        Step {
            around: V::select(mask, self.around, other.around),
            along: V::select(mask, self.along, other.along),
            weight: V::select(mask, self.weight, other.weight),
        }
    }

    /// The same step, of another length.
    #[inline(always)]
    pub fn scaled(self, k: V) -> Self {
        Step {
            around: self.around * k,
            along: self.along * k,
            ..self
        }
    }
}

impl<W: Halves> Bodies<W> {
    /// The coordinates of a surface point moved by a step.
    ///
    /// In the section's plane the good vector is r (g1, h1), so the step goes to
    /// `(r + along·dr)(g1, h1) + around·(dg1, dh1)`. While it turns by little its direction is followed
    /// to first order (the next evaluation normalises).
    #[inline(always)]
    pub fn advance(&self, from: &Place<W>, step: &Step<W::Half>) -> Advanced<W> {
        let ((g1, g2), (dg1, dg2)) = (from.good.g.halves(), from.tangent.g.halves());
        let ((h1, h2), (dh1, dh2)) = (from.good.h.halves(), from.tangent.h.halves());
        let along = step.along / step.weight;
        let h2 = along.mul_add(dh2, h2);
        let radius = along.mul_add(dg2, g2);
        // Times the weight, so that one division need not wait for another.
        let weighted_radius = step.along.mul_add(dg2, step.weight * g2);
        let little = step.around.abs().less(weighted_radius.abs() * 0.5);
        let turn = step.around / weighted_radius;
        let mut section = Coordinates {
            g: turn.mul_add(dg1, g1),
            h: turn.mul_add(dh1, h1),
        };
        let mut radius = radius;
        if !W::Half::everywhere(little) {
            let around = step.around / step.weight;
            let plane_g = around.mul_add(dg1, radius * g1);
            let plane_h = around.mul_add(dh1, radius * h1);
            let (split, length) = self.split_plane(plane_g, plane_h);
            section = section.where_else(little, split);
            radius = W::Half::select(little, radius, length);
        }
        Advanced {
            at: Coordinates {
                g: from.good.g.join(section.g, radius),
                h: from.good.h.join(section.h, h2),
            },
            turns: from.good.g.join(turn, along),
        }
    }

    /// The largest of what a normal's components are multiplied by.
    #[inline(always)]
    pub fn steepest(&self) -> W::Half {
        let [x, y, z] = self.inverse_a;
        x.max(y).max(z)
    }

    #[inline(always)]
    pub fn semi_axes(&self) -> [W::Half; 3] {
        self.a
    }

    /// `x_i/N_i` of an untapered body with e1, e2 ≥ 1, the limit where both are 0. There P = q, so that
    /// `ξ/ξ' = |ξ'|^(P−2)`, and likewise for η, ρ and ζ.
    #[inline(always)]
    pub fn points_per_normal(&self, at: &Surface<W>) -> [W::Half; 3] {
        let per_less = (self.power - 1.0).recip();
        let (x, rho) = (at.stiffness.g * per_less).halves();
        let (y, z) = (at.stiffness.h * per_less).halves();
        let [a1, a2, a3] = self.a;
        [a1 * a1 * rho * x, a2 * a2 * rho * y, a3 * a3 * z]
    }

    /// Near a pole: the section's coordinates of a vector in its plane, on the circle, and its length.
    /// At the pole itself any direction serves.
    #[inline(always)]
    fn split_plane(&self, g: W::Half, h: W::Half) -> (Coordinates<W::Half>, W::Half) {
        const NOTHING: f64 = 1e-30;
        let power = self.power.halves().0;
        let larger = g.abs().max(h.abs());
        let at_pole = larger.less(g.all(NOTHING));
        let scale = larger.max(g.all(NOTHING));
        let g = W::Half::select(at_pole, scale, g) / scale;
        let h = h / scale;
        let length = ((g.raise(power) + h.raise(power)).log2() / power).exp2();
        let radius = W::Half::select(at_pole, g.all(0.0), scale * length);
        let section = Coordinates {
            g: g / length,
            h: h / length,
        };
        (section, radius)
    }
}

/// A point (u, v) with its dual, or their derivatives along the tangent.
#[derive(Clone, Copy)]
struct Point<V> {
    u: V,
    v: V,
    u_dual: V,
    v_dual: V,
}

impl<W: Halves> Point<W> {
    #[inline(always)]
    fn halves(&self) -> (Point<W::Half>, Point<W::Half>) {
        let (u, v) = (self.u.halves(), self.v.halves());
        let (u_dual, v_dual) = (self.u_dual.halves(), self.v_dual.halves());
        let low = Point {
            u: u.0,
            v: v.0,
            u_dual: u_dual.0,
            v_dual: v_dual.0,
        };
        let high = Point {
            u: u.1,
            v: v.1,
            u_dual: u_dual.1,
            v_dual: v_dual.1,
        };
        (low, high)
    }
}

/// Circles at good coordinates that are on them.
struct Turned<W> {
    place: Place<W>,
    /// |g|^(P−2).
    power_g: W,
    /// (P − 1) |g|^(P−2) and (P − 1) |h|^(P−2): dg' = (P − 1) |g|^(P−2) dg.
    stiffness: Coordinates<W>,
    point: Point<W>,
    tangent: Point<W>,
    /// δ before normalisation, 0 where that was exact.
    excess: W,
}

/// The circles one by one.
struct Nested<V> {
    section: Point<V>,
    profile: Point<V>,
    d_section: Point<V>,
    d_profile: Point<V>,
    /// ρ/r, ρ'/r and κ/r = ρρ'/r with r = g of the profile.
    rho_r: V,
    rho_r_dual: V,
    kappa_r: V,
}

impl<V: Lanes> Nested<V> {
    #[inline(always)]
    fn new<W: Halves<Half = V>>(turned: &Turned<W>, dual: W::Mask) -> Self {
        let (section, profile) = turned.point.halves();
        let (d_section, d_profile) = turned.tangent.halves();
        let (power_g, one) = (turned.power_g, turned.power_g.all(1.0));
        Nested {
            section,
            profile,
            d_section,
            d_profile,
            rho_r: W::select(dual, power_g, one).halves().1,
            rho_r_dual: W::select(dual, one, power_g).halves().1,
            kappa_r: (turned.place.good.g * power_g).halves().1,
        }
    }
}

/// Surface point, normal (times τx τy) and their derivatives along the two tangents: `[0]` around
/// the section, for a step of good length in the plane of the section (divided by the profile's
/// good radius, so that it does not vanish at the poles), `[1]` along the profile.
pub(crate) struct Surface<W: Halves> {
    pub x: [W::Half; 3],
    pub n: [W::Half; 3],
    pub dx: [[W::Half; 3]; 2],
    pub dn: [[W::Half; 3]; 2],
    pub place: Place<W>,
    stiffness: Coordinates<W>,
    excess: W,
}

impl<W: Halves> Surface<W> {
    /// The square of how far point and normal are off the surface, which counts as a residual: δ⁸ of the
    /// profile, and of the section as much as its radius leaves of it.
    #[inline(always)]
    pub fn off_circle(&self) -> W::Half {
        // No less than what counts as nothing, which is still within the range of single precision.
        const NOTHING: f64 = 1e-8;
        let squared = (self.excess * self.excess).max(self.excess.all(NOTHING));
        let fourth = squared * squared;
        let (section, profile) = (fourth * fourth).halves();
        let radius = self.place.good.g.halves().1;
        (radius * radius).mul_add(section, profile)
    }
}
