//! Initial guesses of Newton's method: approximate surface points in a direction, or with a normal.

use super::coordinates::{Coordinates, not_0};
use super::shape_lanes::ShapeLanes;
use crate::lanes::{Halves, Lanes};

impl<W: Halves> ShapeLanes<W> {
    /// Returns a point between the one in direction v (of any length) from the centre and the one with normal v, as
    /// the weighted geometric mean of their primal-dual coordinates.
    ///
    /// For a coordinate with semi-axis a the point in direction v has u ∝ |v|/a, the one with normal v has u' ∝ a
    /// |v|; one of the two is the coordinate itself, the other is raised to 1/(P−1). The semi-axis across the profile
    /// is the mean of a1 and a2.
    #[inline(always)]
    pub fn initial_guess(&self, v: &[W::Half; 3]) -> Coordinates<W> {
        const OWN: f64 = 0.4;
        // This is log₂ 3/2.
        const ABOVE: f64 = 0.584_962_500_721_156_2;
        let power = self.power;
        let other = (self.conjugate - 1.0) * (1.0 - OWN);
        let weight = other - OWN;
        let weight = W::select(self.dual, -weight, weight);
        let own = other + OWN;
        // The logarithm of the squared radius is halved, which needs no root.
        let squared = v[0].mul_add(v[0], v[1] * v[1]);
        let across = self.a[0] * self.a[1];
        let one = v[0].splat(1.0);
        let halving = power.join(one, one * 0.5);
        let own_g = own * halving;
        let (log_g, log_h) = W::log2_approx_pair(
            not_0(power.join(v[0], squared)),
            not_0(power.join(v[1], v[2])),
        );
        let (log_ga, log_ha) = W::log2_approx_pair(
            power.join(self.a[0], across),
            power.join(self.a[1], self.a[2]),
        );
        let g = log_g.mul_add(own_g, weight * (halving * log_ga));
        let h = log_h.mul_add(own, weight * log_ha);
        // The coordinates are scaled so that |g|^P + |h|^P is between 2/3 and 4/3.
        let most = self.per_power.mul_add(power.splat(ABOVE), g.max(h));
        let (g, h) = W::exp2_approx_pair(g - most, h - most);
        Coordinates {
            g: g.copysign(power.join(v[0], one)),
            h: h.copysign(power.join(v[1], v[2])),
        }
    }

    /// Returns the approximate surface point that is proportional to p relative to the body, with log₂ of p's gauge
    /// to 1e-3: a cheap approximation of `Superovoid::gauge_and_circles`.
    ///
    /// With `x₋ ≤ x₊` the absolute coordinates of a circle's point, the logarithm of their norm is `log₂ x₊ + log₂(1
    /// + (x₋/x₊)^p)/p`. The dual of a coordinate u is u^(p−1).
    #[inline(always)]
    pub fn radial_initial_guess(&self, p: &[W::Half; 3]) -> (W::Half, Coordinates<W>) {
        let power = self.power;
        let one = power.splat(1.0);
        let exponent = W::select(self.dual, self.conjugate, power);
        let to_good = W::select(self.dual, self.conjugate - 1.0, one);
        let (section, profile) = exponent.halves();
        let (per_section, per_profile) = exponent.recip().halves();

        let i = &self.inverse_a;
        let height = p[2] * i[2];
        let (mut u, mut v) = (p[0] * i[0], p[1] * i[1]);
        if self.tapered {
            let unit = height.splat(1.0);
            let clamped = height.min(unit).max(-unit);
            u = u / (self.t[0] * clamped + 1.0);
            v = v / (self.t[1] * clamped + 1.0);
        }
        let (u, v, w) = (not_0(u), not_0(v), not_0(height));
        if self.round {
            return self.radial_of_round(p, [u, v, w]);
        }
        let (u, v, w) = (u.log2_approx(), v.log2_approx(), w.log2_approx());
        let rho = log_norm(u, v, section, per_section);
        let gauge = log_norm(rho, w, profile, per_profile);
        let length = power.join(rho, gauge);
        let g = (power.join(u, rho) - length) * to_good;
        let h = (power.join(v, w) - length) * to_good;
        let start = Coordinates {
            g: g.exp2_approx().copysign(power.join(p[0], rho.splat(1.0))),
            h: h.exp2_approx().copysign(power.join(p[1], p[2])),
        };
        (gauge, start)
    }

    /// Returns the same as [`ShapeLanes::radial_initial_guess`], exact where every circle is round. (u, v, w) is p
    /// relative to the body, without signs and not 0.
    #[inline(always)]
    fn radial_of_round(
        &self,
        p: &[W::Half; 3],
        [u, v, w]: [W::Half; 3],
    ) -> (W::Half, Coordinates<W>) {
        let rho = u.mul_add(u, v * v).sqrt();
        let gauge = rho.mul_add(rho, w * w).sqrt();
        let (per_rho, per_gauge) = (rho.recip(), gauge.recip());
        let join = |low: W::Half, high: W::Half| self.power.join(low, high);
        let start = Coordinates {
            g: join((u * per_rho).copysign(p[0]), rho * per_gauge),
            h: join((v * per_rho).copysign(p[1]), (w * per_gauge).copysign(p[2])),
        };
        (gauge.log2_approx(), start)
    }
}

/// Returns log₂ of the p-norm of two numbers, approximately, given their logarithms.
#[inline(always)]
fn log_norm<V: Lanes>(u: V, v: V, p: V, per_p: V) -> V {
    let (least, most) = (u.min(v), u.max(v));
    let sum = (p * (least - most)).exp2_approx() + 1.0;
    sum.log2_approx().mul_add(per_p, most)
}
