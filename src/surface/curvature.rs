//! Lower bounds of the radii of curvature over a part of the surface, by interval arithmetic.
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
use crate::lanes::{Lanes, Piece, SimdLevel, SoaLanes, dispatch, pieces};
use crate::shape::radii::{longest, shortest};
use crate::surface::support_lanes::{self, Conjugate, Norm};
use nalgebra::Vector3;

/// The number of angles that are examined together.
pub(crate) const ANGLES: usize = 4;

/// Returns lower bounds of the radii of curvature (metres) of each body's surface wherever its outward normal is
/// within an angle (less than a right one) of its unit vector: those of the first body for each angle, and those of
/// the second. They are 0 for bodies that are not convex or have different tapers.
pub(crate) fn least_radii_within(
    bodies: [(&Superovoid, Vector3<f64>); 2],
    angles: [f64; ANGLES],
) -> [[f64; ANGLES]; 2] {
    dispatch!(simd => least_radii_in_lanes(simd, bodies, angles))
}

#[inline(always)]
fn least_radii_in_lanes<S: SimdLevel>(
    simd: S,
    bodies: [(&Superovoid, Vector3<f64>); 2],
    angles: [f64; ANGLES],
) -> [[f64; ANGLES]; 2] {
    // The ends of the intervals are rounded, which this factor covers.
    const WIDENED: f64 = 1.0 + 1e-9;
    let turns = angles.map(|angle| Turn {
        cos: (angle * WIDENED).cos(),
        sin: (angle * WIDENED).sin(),
    });
    let shapes = bodies.map(|(body, _)| body);
    let whole = [
        shapes.map(|shape| shortest(shape.a[0], shape.a[1], shape.q[0])),
        shapes.map(|shape| longest(shape.a[0], shape.a[1], shape.p[0])),
    ];
    let mut radii = [0.0; 2 * ANGLES];
    for first in pieces(simd) {
        let columns = Columns { simd, first };
        columns
            .shapes(shapes, whole)
            .least_radius(
                &columns.normals(bodies.map(|(_, n)| n)),
                &columns.turns(turns),
            )
            .store_to(&mut radii, first);
    }
    let [x0, x1, x2, x3, y0, y1, y2, y3] = radii;
    let radii = [[x0, x1, x2, x3], [y0, y1, y2, y3]];
    std::array::from_fn(|k| {
        let (shape, _) = bodies[k];
        let bounded = shape.t[0] == shape.t[1] && shape.is_convex();
        radii[k].map(|radius| if bounded { radius } else { 0.0 })
    })
}

/// The piece of the columns that begins at `first`: the angles for the first body, then those for the second.
#[derive(Clone, Copy)]
struct Columns<S> {
    simd: S,
    first: usize,
}

impl<S: SimdLevel> Columns<S> {
    /// A number for each body.
    #[inline(always)]
    fn of_bodies(self, [x, y]: [f64; 2]) -> Piece<S> {
        Piece::<S>::load_from(self.simd, &[x, x, x, x, y, y, y, y], self.first)
    }

    /// A number for each angle.
    #[inline(always)]
    fn of_angles(self, [x, y, z, w]: [f64; ANGLES]) -> Piece<S> {
        Piece::<S>::load_from(self.simd, &[x, y, z, w, x, y, z, w], self.first)
    }

    #[inline(always)]
    fn shapes(
        self,
        shapes: [&Superovoid; 2],
        [shortest, longest]: [[f64; 2]; 2],
    ) -> Shapes<Piece<S>> {
        let axis = |i: usize| shapes.map(|shape| shape.a[i]);
        Shapes {
            a: [
                self.of_bodies(axis(0)),
                self.of_bodies(axis(1)),
                self.of_bodies(axis(2)),
            ],
            p2: self.of_bodies(shapes.map(|shape| shape.p[1])),
            q: [
                self.of_bodies(shapes.map(|shape| shape.q[0])),
                self.of_bodies(shapes.map(|shape| shape.q[1])),
            ],
            t: self.of_bodies(shapes.map(|shape| shape.t[0])),
            whole: [self.of_bodies(shortest), self.of_bodies(longest)],
            tapered: shapes.iter().any(|shape| shape.is_tapered()),
        }
    }

    #[inline(always)]
    fn normals(self, normals: [Vector3<f64>; 2]) -> [Piece<S>; 3] {
        [
            self.of_bodies(normals.map(|n| n.x)),
            self.of_bodies(normals.map(|n| n.y)),
            self.of_bodies(normals.map(|n| n.z)),
        ]
    }

    #[inline(always)]
    fn turns(self, turns: [Turn<f64>; ANGLES]) -> Turn<Piece<S>> {
        Turn {
            cos: self.of_angles(turns.map(|turn| turn.cos)),
            sin: self.of_angles(turns.map(|turn| turn.sin)),
        }
    }
}

/// The smallest and largest values of a quantity over the directions examined.
#[derive(Clone, Copy)]
struct Range<V> {
    low: V,
    high: V,
}

impl<V: Lanes> Range<V> {
    #[inline(always)]
    fn of(x: V, y: V) -> Self {
        Range {
            low: x.min(y),
            high: x.max(y),
        }
    }

    /// Returns the interval extended by x where the mask is true.
    #[inline(always)]
    fn including(self, mask: V::Mask, x: V) -> Self {
        Range {
            low: V::select(mask, self.low.min(x), self.low),
            high: V::select(mask, self.high.max(x), self.high),
        }
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        let first = Range::of(self.low * other.low, self.low * other.high);
        let second = Range::of(self.high * other.low, self.high * other.high);
        Range {
            low: first.low.min(second.low),
            high: first.high.max(second.high),
        }
    }
}

/// An angle, or a direction in a plane, by its cosine and sine.
#[derive(Clone, Copy)]
struct Turn<V> {
    cos: V,
    sin: V,
}

impl<V: Lanes> Turn<V> {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Turn {
            cos: self.cos.mul_sub(other.cos, self.sin * other.sin),
            sin: self.sin.mul_add(other.cos, self.cos * other.sin),
        }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let sin = -other.sin;
        self.plus(Turn { sin, ..other })
    }
}

/// The numbers of bodies in lanes.
struct Shapes<V> {
    a: [V; 3],
    p2: V,
    q: [V; 2],
    t: V,
    /// The least and the greatest support of the section.
    whole: [V; 2],
    tapered: bool,
}

/// Bounds over the normals of the section.
#[derive(Clone, Copy)]
struct Section<V> {
    w: Range<V>,
    /// The largest value that |w'| can have.
    slope: V,
    /// The interval of |sin 2φ|.
    double_sine: Range<V>,
}

/// A point of the profile, with its dual.
#[derive(Clone, Copy)]
struct End<V> {
    rho: V,
    zeta: V,
    eta: V,
    sigma: V,
}

impl<V: Lanes> Shapes<V> {
    #[inline(always)]
    fn least_radius(&self, n: &[V; 3], angle: &Turn<V>) -> V {
        // Powers lose as many units in the last place as their exponents.
        const MARGIN: f64 = 1e-9;
        const MARGIN_OF_POWERS: f64 = 1e-14;
        let (zero, one) = (n[0].splat(0.0), n[0].splat(1.0));
        let [q1, q2] = self.q;
        let level = n[0].mul_add(n[0], n[1] * n[1]).sqrt();
        let latitude = Turn {
            cos: level,
            sin: n[2],
        };
        let (low, low_pole) = short_of_pole(latitude.minus(*angle), -one);
        let (high, high_pole) = short_of_pole(latitude.plus(*angle), one);
        let on_equator = !zero.lt(low.sin) & !high.sin.lt(zero);
        let levels = Range::of(low.cos, high.cos).including(on_equator, one);

        let section = self.section(n, level, angle);
        let section_radius = self.section_radius(&section);
        let w = section.w;
        let a3 = self.a[2];
        // These are the lowest and the highest normal of the profile that can occur.
        let wide_below = V::select(zero.lt(low.sin), w.high, w.low);
        let wide_above = V::select(zero.lt(high.sin), w.low, w.high);
        let lowest = [low.cos * wide_below, a3 * low.sin];
        let highest = [high.cos * wide_above, a3 * high.sin];
        let (profile_radius, widths) = self.profile_between([lowest, highest]);

        let longest = self
            .length(levels.low, w.high)
            .max(self.length(levels.high, w.high));
        let shortest = self
            .length(levels.low, w.low)
            .min(self.length(levels.high, w.low));
        let rise = (one - levels.low * levels.low).max(zero).sqrt();
        // From a pole on, dω = −R sin ψ dψ, so ω ≥ R cos ψ = R ℓ w/L.
        let from_pole = profile_radius * w.low / longest;
        let from_pole = V::select(low_pole | high_pole, from_pole, zero);
        let a = section_radius * (widths / levels.high).max(from_pole);
        let b = profile_radius / longest;
        let along = w.low * a3 / longest;
        let across = a3 * rise * section.slope / shortest;
        let determinant = a * b * along * along;
        let trace = a + b * (across * across + along * along);
        let root = (trace * trace - determinant * 4.0).max(zero).sqrt();
        let radius = (determinant + determinant) / (trace + root);
        let sound = zero.lt(w.low)
            & zero.lt(section_radius)
            & zero.lt(profile_radius)
            & zero.lt(radius)
            & radius.lt(zero.splat(f64::MAX));
        let margin = (q1 + q2 + self.p2) * MARGIN_OF_POWERS + MARGIN;
        V::select(sound, radius * (one - margin).max(zero), zero)
    }

    /// Returns the interval of L, whose square `(ℓ w)² + (a3 n3)²` is linear in ℓ².
    #[inline(always)]
    fn length(&self, level: V, w: V) -> V {
        let (level, a3) = (level * level, self.a[2]);
        let above = (level.splat(1.0) - level).max(level.splat(0.0));
        (level * w * w + above * a3 * a3).sqrt()
    }

    /// Returns the bounds over normals n that are turned by no more than the angle.
    #[inline(always)]
    fn section(&self, n: &[V; 3], level: V, angle: &Turn<V>) -> Section<V> {
        // The sine of an arc beyond which the bounds over it are no better than those over the whole section.
        const WIDEST: f64 = 0.84;
        let (zero, one) = (level.splat(0.0), level.splat(1.0));
        let is_arc = angle.sin.lt(level * WIDEST);
        let [low, high] = self.whole;
        let whole = Section {
            w: Range { low, high },
            // This uses |x|² = w² + w'².
            slope: (high * high - low * low).max(zero).sqrt(),
            double_sine: Range {
                low: zero,
                high: one,
            },
        };
        let level = V::select(is_arc, level, one);
        let middle = Turn {
            cos: n[0] / level,
            sin: n[1] / level,
        };
        let sin = angle.sin / level;
        let half_arc = Turn {
            cos: (one - sin * sin).sqrt(),
            sin,
        };
        let arc = self.arc(middle, half_arc);
        Section {
            w: Range {
                low: V::select(is_arc, arc.w.low, whole.w.low),
                high: V::select(is_arc, arc.w.high, whole.w.high),
            },
            slope: V::select(is_arc, arc.slope, whole.slope),
            double_sine: Range {
                low: V::select(is_arc, arc.double_sine.low, whole.double_sine.low),
                high: V::select(is_arc, arc.double_sine.high, whole.double_sine.high),
            },
        }
    }

    /// Returns the support of the section and its point.
    #[inline(always)]
    fn section_support(&self, direction: Turn<V>) -> (V, [V; 2]) {
        let [a1, a2, _] = self.a;
        let Turn { cos, sin } = direction;
        let q = Conjugate::new(self.q[0]);
        let point = support_lanes::norm_point(a1 * cos.abs(), a2 * sin.abs(), q);
        let x = [(a1 * point.u).copysign(cos), (a2 * point.v).copysign(sin)];
        (point.length, x)
    }

    /// Returns bounds over normals at angles within `half_arc` of `middle`.
    #[inline(always)]
    fn arc(&self, middle: Turn<V>, half_arc: Turn<V>) -> Section<V> {
        let Turn { cos, sin } = half_arc;
        let (zero, one) = (cos.splat(0.0), cos.splat(1.0));
        let (left, right) = (middle.plus(half_arc), middle.minus(half_arc));
        let (w, x) = self.section_support(middle);
        let (w1, x1) = self.section_support(left);
        let (w2, x2) = self.section_support(right);
        // In no direction does the support point of the middle widths farther than W; a direction of the arc is a
        // combination of its ends, with factors whose sum is at most 1/cos.
        let lowest = w * cos - across(middle, x).abs() * sin;
        let highest = w1.max(w2) / cos;
        // The support points of the arc lie in the triangle of the end points and the corner of the
        // tangents there. w' = x·e_φ.
        let corner = slope(sin, (w1 + w2) / (cos + cos), (w1 - w2) / (sin + sin));
        let first = slope(sin, ahead(middle, x1), across(middle, x1));
        let second = slope(sin, ahead(middle, x2), across(middle, x2));
        // |sin 2φ| rises and falls between the axes and the diagonals.
        let ends = Range::of(double_sine(left), double_sine(right));
        let meets_axis = change_sign(left.cos, right.cos) | change_sign(left.sin, right.sin);
        let meets_diagonal = change_sign(left.cos - left.sin, right.cos - right.sin)
            | change_sign(left.cos + left.sin, right.cos + right.sin);
        Section {
            w: Range {
                low: lowest,
                high: highest,
            },
            slope: corner.max(first).max(second),
            double_sine: ends
                .including(meets_axis, zero)
                .including(meets_diagonal, one),
        }
    }

    /// Returns the radius of curvature of the section: with u = a1 |cos φ|, v = a2 |sin φ|, `r1 = (q1 − 1) (a1 a2)²
    /// (uv)^(q1−2) w^(1−2 q1)`.
    #[inline(always)]
    fn section_radius(&self, section: &Section<V>) -> V {
        /// A lower bound of 2^x for every x that occurs.
        const LEAST_EXPONENT: f64 = -52.0;
        let q1 = self.q[0];
        let area = self.a[0] * self.a[1];
        let sines = section.double_sine;
        let sine = V::select(q1.lt(q1.splat(2.0)), sines.high, sines.low);
        let sides = area * sine * 0.5;
        let powers = (q1 - 2.0) * log2(sides) + (q1.splat(1.0) - q1 * 2.0) * log2(section.w.high);
        let exponent = powers + log2(area) * 2.0;
        let radius = (q1 - 1.0) * exponent.exp2();
        V::select(exponent.lt(q1.splat(LEAST_EXPONENT)), q1.splat(0.0), radius)
    }

    /// Returns lower bounds of the profile's radius of curvature R and of its ρτ between the points with these
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
    #[inline(always)]
    fn profile_between(&self, [below, above]: [[V; 2]; 2]) -> (V, V) {
        let (p2, t) = (self.p2, self.t);
        let (zero, one) = (t.splat(0.0), t.splat(1.0));
        let (low, high) = (self.profile_towards(below), self.profile_towards(above));
        let tau = [t.mul_add(low.zeta, one), t.mul_add(high.zeta, one)];
        let widths = [low.rho * tau[0], high.rho * tau[1]];
        let (length_below, length_above) = (length_of(below), length_of(above));
        let farthest = (dot(below, [widths[0], low.zeta]) / length_below)
            .max(dot(above, [widths[1], high.zeta]) / length_above);
        let cosine = dot(below, above) / (length_below * length_above);
        let cosine_of_half = (cosine * 0.5 + 0.5).max(zero).sqrt();

        let equator = low.zeta.lt(zero) & zero.lt(high.zeta);
        let eta = Range::of(low.eta, high.eta).including(equator, one);
        let kappa = Range::of(low.rho * low.eta, high.rho * high.eta).including(equator, one);
        let zeta = Range::of(low.zeta, high.zeta);
        let sigma = Range::of(low.sigma, high.sigma);
        let taper = Range { low: t, high: t };
        let narrowing = taper.times(zeta).times(kappa).high;
        let facing = (tau[0].min(tau[1]) - narrowing).max(zero);
        let normal = facing * cosine_of_half / farthest;

        // |ζρ| vanishes on the equator and at the poles and is largest where |ζ| = ρ.
        let sides = [low.rho * low.zeta.abs(), high.rho * high.zeta.abs()];
        let sides = Range::of(sides[0], sides[1]).including(equator, zero);
        let (low_beyond, high_beyond) = (low.rho.lt(low.zeta.abs()), high.rho.lt(high.zeta.abs()));
        let one_beyond = (low_beyond & !high_beyond) | (high_beyond & !low_beyond);
        let diagonal = one_beyond | (equator & low_beyond);
        let most = V::select(diagonal, (p2.splat(-2.0) / p2).exp2(), sides.high);
        let side = V::select(p2.lt(p2.splat(2.0)), sides.low, most);
        let bend = ((p2 - 2.0) * log2(side)).exp2();
        let squared = Range {
            low: eta.low * eta.low,
            high: eta.high * eta.high,
        };
        let widening = taper.times(sigma).times(squared).high;
        let denominator = (p2 - 1.0) * bend * tau[0].max(tau[1]) + (widening + widening);
        let radius = normal * normal * normal / denominator.max(zero.splat(f64::MIN_POSITIVE));
        (radius, widths[0].min(widths[1]))
    }

    /// Returns the point of the profile with the normal (c, s), c ≥ 0.
    #[inline(always)]
    fn profile_towards(&self, [c, s]: [V; 2]) -> End<V> {
        let (zero, one) = (c.splat(0.0), c.splat(1.0));
        let q = Conjugate::new(self.q[1]);
        let (profile, zeta) = if self.tapered {
            support_lanes::tapered_profile_towards(c, s, q, self.t)
        } else {
            support_lanes::profile_towards(c, s, q)
        };
        let Norm {
            u, u_dual, v_dual, ..
        } = profile;
        let at_pole = !zero.lt(c);
        let pole = one.copysign(s);
        End {
            rho: V::select(at_pole, zero, u),
            zeta: V::select(at_pole, pole, zeta),
            eta: V::select(at_pole, zero, u_dual),
            sigma: V::select(at_pole, pole, v_dual.copysign(zeta)),
        }
    }
}

/// Returns the direction itself, or the pole where it lies beyond the pole.
#[inline(always)]
fn short_of_pole<V: Lanes>(direction: Turn<V>, pole: V) -> (Turn<V>, V::Mask) {
    let zero = pole.splat(0.0);
    let beyond = !zero.lt(direction.cos);
    let turn = Turn {
        cos: V::select(beyond, zero, direction.cos),
        sin: V::select(beyond, pole, direction.sin),
    };
    (turn, beyond)
}

/// Returns log₂ of |x|, or of a tiny number where x is 0.
#[inline(always)]
fn log2<V: Lanes>(x: V) -> V {
    x.max(x.splat(1e-290)).log2()
}

#[inline(always)]
fn dot<V: Lanes>(x: [V; 2], y: [V; 2]) -> V {
    x[0].mul_add(y[0], x[1] * y[1])
}

#[inline(always)]
fn length_of<V: Lanes>(x: [V; 2]) -> V {
    dot(x, x).sqrt()
}

/// Returns the coordinates of a vector along a direction of the plane, and across it.
#[inline(always)]
fn ahead<V: Lanes>(direction: Turn<V>, x: [V; 2]) -> V {
    dot([direction.cos, direction.sin], x)
}

#[inline(always)]
fn across<V: Lanes>(direction: Turn<V>, x: [V; 2]) -> V {
    dot([-direction.sin, direction.cos], x)
}

/// Returns the largest value that w' can have within an arc, at a point with these coordinates.
#[inline(always)]
fn slope<V: Lanes>(sin: V, ahead: V, across: V) -> V {
    ahead.abs().mul_add(sin, across.abs())
}

#[inline(always)]
fn double_sine<V: Lanes>(direction: Turn<V>) -> V {
    let product = (direction.cos * direction.sin).abs();
    product + product
}

#[inline(always)]
fn change_sign<V: Lanes>(x: V, y: V) -> V::Mask {
    let zero = x.splat(0.0);
    !zero.lt(x * y)
}

#[cfg(test)]
mod tests {
    use super::{ANGLES, least_radii_within};
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

    /// Returns directions, among which those near the axes and planes of symmetry are as frequent as others.
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

    /// Where the radii of curvature are at least ρ, h less ρ times the length is convex over the directions examined,
    /// so it lies above its tangents: `h(m) − x(l)·m ≥ ρ (1 − l·m)`. Between near directions that is the curvature
    /// itself.
    #[test]
    fn balls_of_the_least_radius_roll_inside() {
        const ROUNDING: f64 = 1e-14;
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut shapes = 0;
        // These count how sharp the bounds of the smallest angle are, where there is any curvature.
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
            let [[bound, ..], _] = least_radii_within([(&shape, n); 2], [angle; ANGLES]);
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
