//! Least radius of curvature of a part of the surface.
//!
//! For equal tapers the support function is nested: with the section's support `W(n1, n2)` and that of
//! the profile, the curve `(ρτ, ζ)`, `H(W, Z)`, it is `h(n) = H(W(n1, n2), a3 n3)`. A plane curve's support
//! function with radius of curvature r has the second derivative r/|n| across n, so with
//!
//! - (ℓ cos φ, ℓ sin φ, n3) = n, w(φ) = W/ℓ and r1(φ) the section's radius of curvature,
//! - L = |(W, Z)|, R the profile's radius of curvature where its normal is (W, Z),
//! - ω = H_W, the profile's `ρτ` there,
//! - e_φ the horizontal and e_θ the other unit vector across n
//!
//! ```text
//! D²h(n) = A e_φ e_φᵀ + B b bᵀ,    A = ω r1/ℓ,   B = R/L,   b = ( −Z w′ e_φ + w a3 e_θ )/L
//! ```
//!
//! whose lesser eigenvalue, the least radius of curvature, grows with A, B and |b_θ| and falls with
//! |b_φ|. So bounds of these four over the directions within an angle of a given one bound it, too. They are
//! simple intervals, exact where the angle vanishes.

use crate::Superovoid;
use crate::surface::bounds::{longest, shortest};
use crate::surface::circle::Circle;
use crate::surface::probe;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

/// What its smallest and largest values are over the directions looked at.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    fn of(x: f64, y: f64) -> Range {
        Range {
            low: x.min(y),
            high: x.max(y),
        }
    }

    fn including(self, x: f64) -> Range {
        Range {
            low: self.low.min(x),
            high: self.high.max(x),
        }
    }

    fn holds(self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    fn times(self, other: Range) -> Range {
        Range::of(self.low * other.low, self.low * other.high)
            .including(self.high * other.low)
            .including(self.high * other.high)
    }

    fn minus(self, other: Range) -> Range {
        Range {
            low: self.low - other.high,
            high: self.high - other.low,
        }
    }
}

impl Superovoid {
    /// A lower bound of the radii of curvature (metres) of the surface wherever its outward normal is
    /// within `angle` (less than a right one) of the unit vector n. 0 for bodies that are not convex or
    /// have different tapers.
    pub(crate) fn least_radius_within(&self, angle: f64, n: &Vector3<f64>) -> f64 {
        // The intervals' ends are rounded.
        const MARGIN: f64 = 1e-9;
        if self.t[0] != self.t[1] || !self.is_convex() {
            return 0.0;
        }
        let radius = self.curvature_within(angle, n);
        if radius.is_finite() {
            (1.0 - MARGIN) * radius
        } else {
            0.0
        }
    }

    fn curvature_within(&self, angle: f64, n: &Vector3<f64>) -> f64 {
        let level = n.x.hypot(n.y);
        let latitude = n.z.atan2(level);
        let latitudes = Range {
            low: (latitude - angle).max(-FRAC_PI_2),
            high: (latitude + angle).min(FRAC_PI_2),
        };
        let cosines = Range::of(latitudes.low.cos(), latitudes.high.cos());
        let level_range = if latitudes.holds(0.0) {
            cosines.including(1.0)
        } else {
            cosines
        };
        // Beyond this the bounds over an arc are no better than those over the whole section.
        const WIDEST: f64 = 1.0;
        let half_arc = (angle.sin() / level).min(1.0).asin();
        let section = if half_arc < WIDEST {
            self.section_on_arc(n.y.atan2(n.x), half_arc)
        } else {
            self.whole_section()
        };
        if section.radius.is_nan() || section.radius <= 0.0 || section.w.low <= 0.0 {
            return 0.0;
        }
        let a3 = self.a[2];
        // The normals of the profile, as far down and up as they can be.
        let end = |latitude: f64, w: f64| [latitude.cos() * w, a3 * latitude.sin()];
        let w = section.w;
        let lowest = end(
            latitudes.low,
            if latitudes.low > 0.0 { w.high } else { w.low },
        );
        let highest = end(
            latitudes.high,
            if latitudes.high > 0.0 { w.low } else { w.high },
        );
        let (profile_radius, reach) = self.profile_between([lowest, highest]);
        if profile_radius.is_nan() || profile_radius <= 0.0 {
            return 0.0;
        }
        // L² = (ℓ w)² + (a3 n3)² is linear in ℓ².
        let length = |level: f64, w: f64| {
            let level = level * level;
            (level * w * w + (1.0 - level).max(0.0) * a3 * a3).sqrt()
        };
        let longest =
            length(level_range.low, section.w.high).max(length(level_range.high, section.w.high));
        let shortest =
            length(level_range.low, section.w.low).min(length(level_range.high, section.w.low));
        let rise = (1.0 - level_range.low * level_range.low).max(0.0).sqrt();
        let has_pole = latitudes.low == -FRAC_PI_2 || latitudes.high == FRAC_PI_2;
        // From a pole on dω = −R sin ψ dψ, so ω ≥ R cos ψ = R ℓ w/L.
        let from_pole = if has_pole {
            profile_radius * section.w.low / longest
        } else {
            0.0
        };
        let a = section.radius * (reach / level_range.high).max(from_pole);
        let b = profile_radius / longest;
        let along = section.w.low * a3 / longest;
        let across = a3 * rise * section.slope / shortest;
        let determinant = a * b * along * along;
        let trace = a + b * (across * across + along * along);
        let root = (trace * trace - 4.0 * determinant).max(0.0).sqrt();
        2.0 * determinant / (trace + root)
    }

    /// Over normals at angles within `half_arc` of `middle`.
    fn section_on_arc(&self, middle: f64, half_arc: f64) -> Section {
        let [a1, a2, _] = self.a;
        let q1 = self.q[0];
        let support = |phi: f64| {
            let (s, c) = phi.sin_cos();
            let (w, point) = Circle::normalised_dual(a1 * c, a2 * s, q1);
            (w, [a1 * point.u, a2 * point.v])
        };
        let (s, c) = middle.sin_cos();
        let [along, beside] = [[c, s], [-s, c]];
        let dot = |x: [f64; 2], y: [f64; 2]| x[0] * y[0] + x[1] * y[1];
        let (sin, cos) = half_arc.sin_cos();
        let (w, x) = support(middle);
        let (w1, x1) = support(middle + half_arc);
        let (w2, x2) = support(middle - half_arc);
        // The support point of the middle does no better elsewhere than W; a direction of the arc is a
        // combination of its ends, with factors whose sum is at most 1/cos.
        let lowest = w * cos - dot(x, beside).abs() * sin;
        let highest = w1.max(w2) / cos;
        // The support points of the arc lie in the triangle of the end points and the corner of the
        // tangents there. w' = x·e_φ.
        let corner = [(w1 + w2) / (2.0 * cos), (w1 - w2) / (2.0 * sin)];
        let slope = [
            corner,
            [dot(x1, along), dot(x1, beside)],
            [dot(x2, along), dot(x2, beside)],
        ]
        .map(|x| x[0].abs() * sin + x[1].abs());
        // Distance from the axes, and from the diagonals, between which |sin 2φ| rises and falls.
        let from_axis = middle.rem_euclid(FRAC_PI_2);
        let double_sine = |phi: f64| (2.0 * phi).sin().abs();
        let ends = Range::of(
            double_sine(middle - half_arc),
            double_sine(middle + half_arc),
        );
        let meets_axis = from_axis <= half_arc || FRAC_PI_2 - from_axis <= half_arc;
        let meets_diagonal = (from_axis - FRAC_PI_4).abs() <= half_arc;
        let ends = if meets_axis {
            ends.including(0.0)
        } else {
            ends
        };
        let ends = if meets_diagonal {
            ends.including(1.0)
        } else {
            ends
        };
        let w = Range {
            low: lowest,
            high: highest,
        };
        Section {
            w,
            slope: slope.into_iter().fold(0.0, f64::max),
            radius: self.section_radius(ends, highest),
        }
    }

    fn whole_section(&self) -> Section {
        let [a1, a2, _] = self.a;
        let w = Range {
            low: shortest(a1, a2, self.q[0]),
            high: longest(a1, a2, self.p[0]),
        };
        let double_sines = Range {
            low: 0.0,
            high: 1.0,
        };
        Section {
            w,
            // |x|² = w² + w'².
            slope: (w.high * w.high - w.low * w.low).max(0.0).sqrt(),
            radius: self.section_radius(double_sines, w.high),
        }
    }

    /// With u = a1 |cos φ|, v = a2 |sin φ|: `r1 = (q1 − 1) (a1 a2)² (uv)^(q1−2) w^(1−2 q1)`.
    fn section_radius(&self, double_sines: Range, w: f64) -> f64 {
        let q1 = self.q[0];
        let area = self.a[0] * self.a[1];
        let sine = if q1 <= 2.0 {
            double_sines.high
        } else {
            double_sines.low
        };
        let sides = 0.5 * area * sine;
        let power = if q1 == 2.0 { 1.0 } else { sides.powf(q1 - 2.0) };
        (q1 - 1.0) * area * area * power * w.powf(1.0 - 2.0 * q1)
    }

    /// Lower bounds of the profile's radius of curvature R and of its ρτ between the points with these
    /// normals.
    ///
    /// With the dual (η, σ) of (ρ, ζ), `X = ρτ` and `η X' = −ν`, `ν = στ − ηρt`,
    ///
    /// ```text
    /// R = (1 + X'²)^(3/2) / −X'' = |(η, ν)|³ / ( (p2−1) |ζρ|^(p2−2) τ + 2 t σ η² )
    /// ```
    ///
    /// (η, ν) is normal to the profile, so its length is `(X, ζ)·(η, ν) = τ − t ζ ηρ` over the profile's
    /// support function, which between two normals is at most the larger one's there over the cosine of
    /// half the angle between them.
    fn profile_between(&self, normals: [[f64; 2]; 2]) -> (f64, f64) {
        let (p2, t) = (self.p[1], self.t[0]);
        let [low, high] = self.profiles_towards(normals);
        let [tau_low, tau_high] = [low, high].map(|end| 1.0 + t * end.v);
        let reach = [low.u * tau_low, high.u * tau_high];
        let support = |[c, s]: [f64; 2], x: f64, y: f64| (c * x + s * y) / c.hypot(s);
        let farthest =
            support(normals[0], reach[0], low.v).max(support(normals[1], reach[1], high.v));
        let [[c0, s0], [c1, s1]] = normals;
        let cosine = (c0 * c1 + s0 * s1) / (c0.hypot(s0) * c1.hypot(s1));
        let cosine_of_half = (0.5 + 0.5 * cosine).max(0.0).sqrt();

        let equator = low.v < 0.0 && high.v > 0.0;
        let with_equator = |range: Range, value: f64| {
            if equator {
                range.including(value)
            } else {
                range
            }
        };
        let eta = with_equator(Range::of(low.u_dual, high.u_dual), 1.0);
        let kappa = with_equator(Range::of(low.u * low.u_dual, high.u * high.u_dual), 1.0);
        let (zeta, sigma) = (Range::of(low.v, high.v), Range::of(low.v_dual, high.v_dual));
        let (tau, taper) = (Range::of(tau_low, tau_high), Range::of(t, t));
        let facing = tau.minus(taper.times(zeta).times(kappa)).low.max(0.0);
        let normal = facing * cosine_of_half / farthest;

        // |ζρ| vanishes on the equator and at the poles and is largest where |ζ| = ρ.
        let product = |end: &Circle| end.u * end.v.abs();
        let products = with_equator(Range::of(product(&low), product(&high)), 0.0);
        let beyond = |end: &Circle| end.v.abs() > end.u;
        let diagonal = (beyond(&low) != beyond(&high)) || (equator && beyond(&low));
        let product = if p2 < 2.0 {
            products.low
        } else if diagonal {
            (-2.0 / p2).exp2()
        } else {
            products.high
        };
        let bend = if p2 == 2.0 {
            1.0
        } else {
            product.powf(p2 - 2.0)
        };
        let widening = taper
            .times(sigma)
            .times(Range::of(eta.low * eta.low, eta.high * eta.high));
        let denominator = (p2 - 1.0) * bend * tau.high + 2.0 * widening.high;
        let radius = normal * normal * normal / denominator.max(f64::MIN_POSITIVE);
        (radius, reach[0].min(reach[1]))
    }

    /// The profile's points with the normals (c, s), c ≥ 0.
    fn profiles_towards(&self, normals: [[f64; 2]; 2]) -> [Circle; 2] {
        let mut profiles = if self.is_tapered() {
            probe::profiles_towards(self, normals)
        } else {
            normals.map(|[c, s]| Circle::from_dual(c, s, self.q[1]))
        };
        for (profile, [c, s]) in profiles.iter_mut().zip(normals) {
            if c <= 0.0 {
                *profile = Circle {
                    u: 0.0,
                    v: 1.0_f64.copysign(s),
                    u_dual: 0.0,
                    v_dual: 1.0_f64.copysign(s),
                };
            }
        }
        profiles
    }
}

/// Bounds over an arc of the section's normals.
struct Section {
    w: Range,
    /// |w'| is at most this.
    slope: f64,
    /// r1 is at least this.
    radius: f64,
}

#[cfg(test)]
mod tests {
    use crate::Superovoid;
    use nalgebra::Vector3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn unit(rng: &mut ChaCha8Rng) -> Vector3<f64> {
        loop {
            let v = Vector3::from([0; 3].map(|_| rng.random_range(-1.0..1.0)));
            if (0.1..1.0).contains(&v.norm()) {
                return v.normalize();
            }
        }
    }

    /// Directions near the axes and planes of symmetry as often as others.
    fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
        let mut n = unit(rng);
        for i in 0..3 {
            match rng.random_range(0..4) {
                0 => n[i] *= 1e-3,
                1 => n[i] = 0.0,
                _ => {}
            }
        }
        n.try_normalize(0.0).unwrap_or_else(Vector3::z)
    }

    /// The property that is used: with a radius of ρ at least, h less ρ times the length is convex over
    /// the directions looked at, so it lies above its tangents: `h(m) − x(l)·m ≥ ρ (1 − l·m)`. Between near
    /// directions that is the curvature itself.
    #[test]
    fn balls_of_the_least_radius_roll_inside() {
        const ROUNDING: f64 = 1e-14;
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut shapes = 0;
        // How sharp the bounds of the smallest angle are, where there is any curvature.
        let (mut sharp, mut smooth) = (0, 0);
        while shapes < 6000 {
            let a = [0; 3].map(|_| rng.random_range(0.1..1.0));
            let e = [0; 2].map(|_| match shapes % 4 {
                0 => rng.random_range(0.1..1.0),
                1 => 1.0,
                2 => rng.random_range(0.02..0.2),
                _ => rng.random_range(0.1..1.9),
            });
            let t = rng.random_range(-0.9..0.9) * [0.0, 1.0][shapes / 4 % 2];
            let shape = Superovoid::new(a, e, [t, t]).expect("valid");
            if !shape.is_convex() {
                continue;
            }
            shapes += 1;
            let n = direction(&mut rng);
            let angle = [0.5, 0.2, 0.05, 0.01][rng.random_range(0..4)];
            let bound = shape.least_radius_within(angle, &n);
            let mut near = |from: &Vector3<f64>, most: f64| {
                let side = from.cross(&unit(&mut rng)).normalize();
                let turn = most * [0.999, rng.random_range(0.0..1.0)][rng.random_range(0..2)];
                (from * turn.cos() + side * turn.sin()).normalize()
            };
            let mut least = f64::INFINITY;
            for k in 0..60 {
                let l = near(&n, angle);
                let m = if k % 2 == 0 {
                    near(&n, angle)
                } else {
                    near(&l, 0.002)
                };
                if m.angle(&n) > angle {
                    continue;
                }
                let above = shape.support(&m).value - shape.support(&l).point.coords.dot(&m);
                let bent = 0.5 * (l - m).norm_squared();
                assert!(
                    above + ROUNDING >= bound * bent,
                    "{shape:?} at {l:?} and {m:?}, {angle} around {n:?}: {above} < {bound} * {bent}"
                );
                if bent > 1e-8 {
                    least = least.min(above / bent);
                }
            }
            if angle == 0.01 && e[0] <= 1.0 && e[1] <= 1.0 {
                smooth += 1;
                sharp += usize::from(bound > 0.5 * least);
            }
        }
        assert!(2 * sharp > smooth, "only {sharp} of {smooth}");
    }
}
