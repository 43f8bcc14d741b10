//! Evaluation of surface points, normals and their derivatives at primal-dual coordinates.

use super::coordinates::{Coordinates, SurfacePlace};
use super::shape_lanes::ShapeLanes;
use crate::lanes::{Halves, Lanes};

impl<W: Halves> ShapeLanes<W> {
    /// Evaluates the surface points of the coordinates.
    #[inline(always)]
    pub fn evaluate(&self, at: &Coordinates<W>) -> Surface<W> {
        self.evaluate_approx_if(false, at)
    }

    /// Evaluates as [`ShapeLanes::evaluate`] does, or, if `approximate` is set, with approximate powers and so only
    /// approximately.
    #[inline(always)]
    pub fn evaluate_approx_if(&self, approximate: bool, at: &Coordinates<W>) -> Surface<W> {
        self.surface(self.turn(at, approximate))
    }

    #[inline(always)]
    pub(super) fn surface(&self, turned: Turned<W>) -> Surface<W> {
        let nested = Nested::new(&turned, self.dual);
        let surface = self.untapered(&nested, turned);
        if self.tapered {
            self.taper(&nested, surface)
        } else {
            surface
        }
    }

    /// Normalises the coordinates onto their circles and evaluates these, with two powers.
    ///
    /// With s = |g|^P + |h|^P = 1 + δ the point is (g, h) s^(−1/P), and the powers are s^(2/P−1) times those taken.
    /// Near the circle both factors are taken to third order in δ: the rest, at most δ⁴ in the limit, vanishes with
    /// the eighth power of the steps and is part of the residual.
    #[inline(always)]
    fn turn(&self, at: &Coordinates<W>, approximate: bool) -> Turned<W> {
        const NEAR: f64 = 0.6;
        const TINY: f64 = 1e-30;
        let Coordinates { mut g, mut h } = *at;
        let one = g.splat(1.0);
        let (mut g_power, mut h_power) = self.powers(g, h, approximate);
        let mut excess = g_power.mul_add(g * g, h_power.mul_sub(h * h, one));
        let near = excess.abs().lt(g.splat(NEAR));
        let squared = excess * excess;
        let [onto, power_onto] = &self.onto_circle;
        let (mut k, mut k_power) = (onto.at(excess, squared), power_onto.at(excess, squared));
        if !W::all(near) {
            // High powers of coordinates above 1 exceed the number range, so the larger coordinate is scaled to 1
            // first.
            let larger = W::select(near, one, g.abs().max(h.abs()).max(one.splat(TINY)));
            (g, h) = (g / larger, h / larger);
            let scaled = self.powers(g, h, false);
            let s = scaled.0.mul_add(g * g, scaled.1 * (h * h));
            let exact = (-s.log2() * self.per_power).exp2();
            g_power = W::select(near, g_power, scaled.0);
            h_power = W::select(near, h_power, scaled.1);
            k = W::select(near, k, exact);
            k_power = W::select(near, k_power, (s * exact * exact).recip());
            excess = W::select(near, excess, g.splat(0.0));
        }
        let coordinates = Coordinates { g: g * k, h: h * k };
        let power = Coordinates {
            g: g_power * k_power,
            h: h_power * k_power,
        };
        let duals = Coordinates {
            g: power.g * coordinates.g,
            h: power.h * coordinates.h,
        };
        let less = self.power - 1.0;
        let stiffness = Coordinates {
            g: less * power.g,
            h: less * power.h,
        };
        self.turned(coordinates, duals, power.g, stiffness, excess)
    }

    /// Makes the circles from primal-dual coordinates on them, and their duals.
    #[inline(always)]
    pub(super) fn turned(
        &self,
        coordinates: Coordinates<W>,
        duals: Coordinates<W>,
        power_g: W,
        stiffness: Coordinates<W>,
        excess: W,
    ) -> Turned<W> {
        let Coordinates { g, h } = coordinates;
        let (g_dual, h_dual) = (duals.g, duals.h);
        let (dg, dh) = (-h_dual, g_dual);
        let (dg_dual, dh_dual) = (stiffness.g * dg, stiffness.h * dh);
        Turned {
            place: SurfacePlace {
                coordinates,
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

    /// Returns |g|^(P−2) and |h|^(P−2), or approximations with a relative error of 2e-4 (P − 2).
    #[inline(always)]
    fn powers(&self, g: W, h: W, approximate: bool) -> (W, W) {
        if self.round {
            return (g.splat(1.0), g.splat(1.0));
        }
        let k = self.power - 2.0;
        if approximate {
            W::abs_pow_approx_pair(g, h, k)
        } else {
            W::abs_pow_pair(g, h, k)
        }
    }

    /// Returns `x = (a1 ρξ, a2 ρη, a3 ζ)` and `n = (ρ'ξ'/a1, ρ'η'/a2, ζ'/a3)`, with their derivatives.
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
        let zero = s.u.splat(0.0);
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

    /// Applies the tapers. With the taper factors τ the untapered x, n, and their derivatives become
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

/// Circles at primal-dual coordinates that are on them.
pub(super) struct Turned<W> {
    place: SurfacePlace<W>,
    /// The power |g|^(P−2).
    power_g: W,
    /// The factors (P − 1) |g|^(P−2) and (P − 1) |h|^(P−2): dg' = (P − 1) |g|^(P−2) dg.
    stiffness: Coordinates<W>,
    point: Point<W>,
    tangent: Point<W>,
    /// The excess δ before normalisation, 0 where the normalisation was exact.
    excess: W,
}

/// The section and the profile apart from each other.
struct Nested<V> {
    section: Point<V>,
    profile: Point<V>,
    d_section: Point<V>,
    d_profile: Point<V>,
    /// The quotients ρ/r, ρ'/r and κ/r = ρρ'/r with r = g of the profile.
    rho_r: V,
    rho_r_dual: V,
    kappa_r: V,
}

impl<V: Lanes> Nested<V> {
    #[inline(always)]
    fn new<W: Halves<Half = V>>(turned: &Turned<W>, dual: W::Mask) -> Self {
        let (section, profile) = turned.point.halves();
        let (d_section, d_profile) = turned.tangent.halves();
        let (power_g, one) = (turned.power_g, turned.power_g.splat(1.0));
        Nested {
            section,
            profile,
            d_section,
            d_profile,
            rho_r: W::select(dual, power_g, one).halves().1,
            rho_r_dual: W::select(dual, one, power_g).halves().1,
            kappa_r: (turned.place.coordinates.g * power_g).halves().1,
        }
    }
}

/// A surface point, its normal (times τx τy) and their derivatives along the two tangents. `[0]` is around the
/// section, for a step of unit length in these coordinates in the plane of the section (divided by the profile's
/// primal-dual radius, so that it does not vanish at the poles); `[1]` is along the profile.
pub(crate) struct Surface<W: Halves> {
    pub x: [W::Half; 3],
    pub n: [W::Half; 3],
    pub dx: [[W::Half; 3]; 2],
    pub dn: [[W::Half; 3]; 2],
    pub place: SurfacePlace<W>,
    pub(super) stiffness: Coordinates<W>,
    pub(super) excess: W,
}

impl<W: Halves> Surface<W> {
    /// Returns the square of the distance of point and normal from the surface, which counts as a residual: δ⁸ of the
    /// profile, and of the section in proportion to its radius.
    #[inline(always)]
    pub fn off_circle(&self) -> W::Half {
        // The limit is what counts as 0 and is still within the range of single precision.
        const NOTHING: f64 = 1e-8;
        let squared = (self.excess * self.excess).max(self.excess.splat(NOTHING));
        let fourth = squared * squared;
        let (section, profile) = (fourth * fourth).halves();
        let radius = self.place.coordinates.g.halves().1;
        (radius * radius).mul_add(section, profile)
    }
}
