//! Second-order steps: points and normals after small turns of a body's circles, without powers.

use super::coordinates::{Coordinates, not_0};
use super::evaluation::Surface;
use super::shape_lanes::ShapeLanes;
use crate::lanes::{Halves, Lanes};

/// The largest change of a circle's coordinates and duals by the third order of a turn: with it a sum of six of them,
/// such as a tapered body's point, is within rounding.
pub(crate) const THIRD_ORDER_ERROR: f64 = 0.25 * f64::EPSILON;

/// The first and second derivatives of the duals along the tangents.
struct Derivatives<W> {
    first: Coordinates<W>,
    second: Coordinates<W>,
    /// The quotients dg/g and dh/h, and these times P − 2.
    relative: Coordinates<W>,
    bent: Coordinates<W>,
}

impl<W: Halves> ShapeLanes<W> {
    /// Returns the surface to which a second-order step leads, except for its derivatives, without powers.
    ///
    /// Along the tangents, `d/dσ (g, h) = (−h', g')`, coordinates and duals stay on their circles, and with
    /// `k = (P − 1) |g|^(P−2)`
    ///
    /// ```text
    /// dg' = k dg        d²g = −dh',  d²h = dg'        d²g' = k ((P − 2) dg²/g + d²g)
    /// g(σ) = g + σ dg + ½ σ² d²g        g'(σ) = g' + σ dg' + ½ σ² d²g'        and likewise h, h'.
    /// ```
    #[inline(always)]
    pub fn after_second_order_step(&self, from: &Surface<W>, turns: W) -> Surface<W> {
        let Derivatives { first, second, .. } = self.derivatives(from);
        let Coordinates { g, h } = from.place.coordinates;
        let Coordinates { g: dg, h: dh } = from.place.tangent;
        let coordinates = Coordinates {
            g: moved(turns, g, dg, -first.h),
            h: moved(turns, h, dh, first.g),
        };
        let duals = Coordinates {
            g: moved(turns, dh, first.g, second.g),
            h: moved(turns, -dg, first.h, second.h),
        };
        // Only the derivatives would need another power.
        let power_g = from.stiffness.g;
        self.surface(self.turned(coordinates, duals, power_g, from.stiffness, from.excess))
    }

    /// Returns the derivatives of the duals along the tangents.
    #[inline(always)]
    fn derivatives(&self, from: &Surface<W>) -> Derivatives<W> {
        let Coordinates { g, h } = from.place.coordinates;
        let Coordinates { g: dg, h: dh } = from.place.tangent;
        let k = &from.stiffness;
        let more = self.power - 2.0;
        let first = Coordinates {
            g: k.g * dg,
            h: k.h * dh,
        };
        let relative = Coordinates {
            g: dg / away_from_0(g),
            h: dh / away_from_0(h),
        };
        let bent = Coordinates {
            g: more * relative.g,
            h: more * relative.h,
        };
        let second = Coordinates {
            g: k.g * bent.g.mul_sub(dg, first.h),
            h: k.h * bent.h.mul_add(dh, first.g),
        };
        Derivatives {
            first,
            second,
            relative,
            bent,
        }
    }

    /// Returns how many of a body's two circles a step turns too far for [`ShapeLanes::after_second_order_step`] to
    /// be accurate to [`THIRD_ORDER_ERROR`].
    ///
    /// The third derivatives are
    ///
    /// ```text
    /// d³g = −d²h',   d³h = d²g',   d³g' = k ((P − 2)(P − 3) dg³/g² + 3 (P − 2) dg d²g/g + d³g)
    /// ```
    ///
    /// of which only those with g or h in the denominator can exceed (P − 1)³. Where P is about 3, and the turn
    /// crosses g = 0, |g|^(P−2) has a kink there that the derivatives on one side do not contain: it counts like P −
    /// 3 = 1.
    #[inline(always)]
    pub fn circles_beyond_second_order(&self, from: &Surface<W>, turns: W) -> W::Half {
        let Derivatives {
            first,
            second,
            relative,
            bent,
        } = self.derivatives(from);
        let Coordinates { g: dg, h: dh } = from.place.tangent;
        let k = &from.stiffness;
        let (one, zero) = (dg.splat(1.0), dg.splat(0.0));
        let third_g =
            self.third_derivative(turns, [relative.g, bent.g], [dg, first.h, second.h], k.g);
        let third_h =
            self.third_derivative(turns, [relative.h, bent.h], [dh, first.g, second.g], k.h);
        let second = second.g.abs().max(second.h.abs());
        let largest = third_g.max(third_h).max(second);
        let turned = ((self.power - 1.0) * turns).abs();
        let cube = (turns * turns * turns).abs();
        let short = (turned * turned * turned).lt(one * THIRD_ORDER_ERROR);
        let straight = (cube * largest).lt(one * (6.0 * THIRD_ORDER_ERROR));
        let (section, profile) = W::select(short & straight, zero, one).halves();
        section + profile
    }

    /// Returns a bound of the size of a dual's third derivative, from x, dx, d²x and d³x without their signs.
    #[inline(always)]
    fn third_derivative(
        &self,
        turns: W,
        [relative, bent]: [W; 2],
        [dx, d2x, d3x]: [W; 3],
        k: W,
    ) -> W {
        let (kink, one) = ((self.power - 3.0).abs(), dx.splat(1.0));
        let across = one.lt((turns * relative).abs() * 2.0);
        let kink = W::select(across, kink.max(one), kink);
        let singular = (kink * dx * relative).abs() + d2x.abs() * 3.0;
        k * bent.abs().mul_add(singular, d3x.abs())
    }
}

/// Returns x(σ) to second order.
#[inline(always)]
fn moved<V: Lanes>(by: V, x: V, dx: V, d2x: V) -> V {
    by.mul_add((by * 0.5).mul_add(d2x, dx), x)
}

/// Returns x, but not 0.
#[inline(always)]
fn away_from_0<V: Lanes>(x: V) -> V {
    not_0(x).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superovoid;
    use crate::lanes::dispatch;
    use crate::surface::primal_dual::{Advanced, Step};
    use fearless_simd::Simd;
    use nalgebra::Vector3;

    /// Returns pseudo-random numbers in [0, 1).
    fn numbers(mut seed: f64) -> impl FnMut() -> f64 {
        move || {
            seed = (seed * 1.618_033_988_749_895 + 0.137).fract();
            (seed * 9_301.0).fract()
        }
    }

    /// Returns any exponent, or one at which a dual has a kink (P = 3).
    fn exponent(next: &mut impl FnMut() -> f64) -> f64 {
        match (8.0 * next()) as usize {
            0 => 2.0 / 3.0,
            1 => 4.0 / 3.0,
            _ => 0.02 + 1.96 * next(),
        }
    }

    /// After a second-order step, point and normal are those of the coordinates to which it leads.
    fn in_lanes<S: Simd>(simd: S) {
        let mut next = numbers(0.3);
        let mut short = 0;
        for _ in 0..20_000 {
            let e = [(); 2].map(|()| exponent(&mut next));
            let a = [0.3 + next(), 0.3 + next(), 0.3 + next()];
            let t = 0.8 * next() - 0.4;
            let shape = Superovoid::new(a, e, [t, t]).expect("valid");
            let body = ShapeLanes::of_one(simd, &shape);
            // Some coordinates are near the coordinate planes, where powers between 0 and 3 are far from quadratic.
            let v = [(); 3].map(|()| (next() - 0.5) * 10.0_f64.powf(-24.0 * next().powi(3)));
            let mut from = body.evaluate(&body.initial_guess(&v));
            // The evaluations bring the coordinates onto the circles.
            for _ in 0..4 {
                from = body.evaluate(&from.place.coordinates);
            }
            let most = shape
                .p
                .iter()
                .chain(&shape.q)
                .fold(2.0, |m: f64, p| m.max(*p));
            let length = 10.0_f64.powf(-11.0 + 6.0 * next());
            let step = Step::new(length * (next() - 0.5), length * (next() - 0.5), 1.0);
            let Advanced { turns, .. } = body.advance(&from.place, &step);
            if body.circles_beyond_second_order(&from, turns) > 0.0 {
                continue;
            }
            short += 1;
            let moved = body.after_second_order_step(&from, turns);
            let right = body.evaluate(&moved.place.coordinates);
            // The rounding of a power grows with the exponent.
            let rounding = 4.0 * f64::EPSILON * most;
            let x = (Vector3::from(moved.x) - Vector3::from(right.x)).norm();
            assert!(x < rounding, "{x:e} {shape:?} {step:?}");
            let [n, m] = [moved.n, right.n].map(Vector3::from);
            let turned = n.cross(&m).norm() / (n.norm() * m.norm());
            assert!(turned < rounding, "{turned:e} {shape:?} {step:?}");
        }
        assert!((2_000..18_000).contains(&short), "{short} steps were short");
    }

    #[test]
    fn short_turns_need_no_powers() {
        dispatch!(simd => in_lanes(simd));
    }
}
