//! One pair in the units and the frame that every solver stage works in.
//!
//! Lengths are divided by a power of two near the larger body's size (so that nothing is rounded
//! and nothing overflows) and the frame is A's: A at the origin, B at `center` with `rotation`.

use crate::Superovoid;
use crate::lanes::{Lanes, Two, lanes_of, on_this_processor};
use crate::pair::depth::{self, Penetration};
use crate::pair::newton::Stationary;
use crate::pair::place::{Pose, Relative, half_as_far};
use crate::pair::plain;
use crate::surface::circle::Circles;
use crate::surface::curvature::{ANGLES, least_radii_within};
use crate::surface::good::{State, both};
use crate::surface::probe::Supports;
use fearless_simd::{Simd, SimdFrom, f64x8};
use nalgebra::{Isometry3, Matrix3, Vector3};

/// Directions that are probed together.
pub(crate) const TOGETHER: usize = 8;

/// Two convex bodies (or the hulls of others) as the stages below Newton see them: cutting planes and
/// branch and bound ask for little more than support points. Frame: that of A, its centre the origin.
pub(crate) trait ConvexPair {
    /// Support points and bound of direction n (any length).
    fn probe(&self, n: &Vector3<f64>) -> Probe;
    /// The same of several directions, which may cost little more than one; only the first `count`
    /// matter. The points belong to the bodies, but may be short of the support points by 1e-6 of their
    /// size or so, and the bound is too high by as much.
    fn probe_together(&self, n: &[Vector3<f64>; TOGETHER], count: usize) -> [Probe; TOGETHER] {
        one_by_one(self, n, count)
    }
    /// A point of B about which the ball of its inner radius lies in B.
    fn center(&self) -> &Vector3<f64>;
    /// Radii of balls inside A and B about their centres; 0 if B is flat.
    fn inner_radii(&self) -> [f64; 2];
    /// Widest bracket that counts as closed.
    fn tolerance(&self) -> f64;
    /// What the rounding of the inputs and of a few operations on them can change in a bound.
    fn rounding(&self) -> f64;
    /// At most 1 in A.
    fn gauge_a(&self, x: &Vector3<f64>) -> f64;
    /// At most 1 in B.
    fn gauge_b(&self, x: &Vector3<f64>) -> f64;
    /// Outward normals, of any length, at two surface points that face each other along n.
    fn outward_normals(
        &self,
        xa: &Vector3<f64>,
        xb: &Vector3<f64>,
        n: &Vector3<f64>,
    ) -> [Vector3<f64>; 2];
    /// Directions that faces of the bodies may have: a normal as near as rounding to one of them is
    /// that one.
    fn face_axes(&self) -> [Vector3<f64>; 6];
    /// Whether support points of the hulls make a penetration; otherwise only what `sharpen` finds on
    /// the true surfaces does.
    fn takes_support_points(&self) -> bool;
    /// Radius of a ball such that both bodies are smaller ones, swept by balls of this radius in sum.
    fn rolling_ball(&self) -> f64;
    /// How far rounding can turn a normal that was computed from a surface point: the dual
    /// coordinates are powers P − 1 of the good ones, which amplifies their rounding as much. On a
    /// nearly flat face that moves the support point across the face.
    fn normal_rounding(&self) -> f64;
    /// Lower bounds of the sum of the least radii of curvature of A where its outward normal is within
    /// each angle of the unit vector n, and of B where it is as near to −n.
    fn least_radii_within(&self, angles: [f64; ANGLES], n: &Vector3<f64>) -> [f64; ANGLES];
    /// The matrix `L Lᵀ` of an ellipsoid of about the size and shape of the bodies' difference, which maps the unit
    /// ball to it by L; of a ball where that is not known.
    fn spread(&self) -> Matrix3<f64> {
        Matrix3::identity()
    }
    /// The local maximum of g that the unit direction n leads to, by a method that uses the
    /// curvature of the surfaces; `known` is g(n). None if it fails.
    fn sharpen(&self, n: &Vector3<f64>, known: f64, iterations: &mut u32) -> Option<Penetration>;
}

/// Vectors in lanes, component by component.
#[inline(always)]
pub(crate) fn columns<S: Simd>(simd: S, v: &[Vector3<f64>; TOGETHER]) -> [f64x8<S>; 3] {
    let [a, b, c, d, e, f, g, h] = v;
    [
        f64x8::simd_from(simd, [a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x]),
        f64x8::simd_from(simd, [a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y]),
        f64x8::simd_from(simd, [a.z, b.z, c.z, d.z, e.z, f.z, g.z, h.z]),
    ]
}

fn one_by_one<P: ConvexPair + ?Sized>(
    pair: &P,
    n: &[Vector3<f64>; TOGETHER],
    count: usize,
) -> [Probe; TOGETHER] {
    let mut probes = [pair.probe(&n[0]); TOGETHER];
    for k in 1..count {
        probes[k] = pair.probe(&n[k]);
    }
    probes
}

pub(crate) struct Problem {
    pub a: Superovoid,
    pub b: Superovoid,
    /// From B's frame to A's.
    pub rotation: Matrix3<f64>,
    /// Centre of B, and its distance from A's.
    pub center: Vector3<f64>,
    pub apart: f64,
    /// Widest bracket that counts as closed.
    pub tolerance: f64,
    /// What the rounding of the inputs and of a few operations on them can change in a bound.
    pub rounding: f64,
    /// Metres per unit.
    pub unit: f64,
}

/// What one direction tells: the pair of support points, and the bound they give.
#[derive(Clone, Copy)]
pub(crate) struct Probe {
    /// g(n) = n·c − h_A(n) − h_B(−n): the distance is at least g(n)/|n|.
    pub gap: f64,
    /// Support point of A in direction n.
    pub xa: Vector3<f64>,
    /// Support point of B in direction −n.
    pub xb: Vector3<f64>,
}

impl Probe {
    /// z = x_B − x_A: for every m, g(m) ≤ z·m, with equality at n.
    pub fn z(&self) -> Vector3<f64> {
        self.xb - self.xa
    }
}

impl Problem {
    #[inline(always)]
    pub fn new(
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        tolerance: f64,
    ) -> Problem {
        let size = a.size().max(b.size());
        let unit = unit_of_pair(a, pose_a, b, pose_b);
        let per_unit = inverse_of_unit(unit);
        let (a, b) = (a.scaled(per_unit), b.scaled(per_unit));
        let relative = Relative::new(&Pose::from(pose_a), &Pose::from(pose_b), per_unit);
        let (apart, outer) = (relative.apart, [a.outer_radius, b.outer_radius]);
        let (rounding, tolerance) = accuracy(tolerance, size, [unit, per_unit], apart, outer);
        Problem {
            a,
            b,
            rotation: Matrix3::from(relative.axes),
            center: Vector3::from(relative.center),
            apart,
            tolerance,
            rounding,
            unit,
        }
    }

    /// The pair of a body and a point, both already in units of `unit` metres and in the body's
    /// frame. The point is a sphere too small for any difference from it to be seen.
    pub fn with_point(
        shape: &Superovoid,
        point: &Vector3<f64>,
        unit: f64,
        tolerance: f64,
        rounding: f64,
    ) -> Problem {
        Problem {
            a: *shape,
            b: Superovoid::SPECK,
            rotation: Matrix3::identity(),
            center: *point,
            apart: point.norm(),
            tolerance,
            rounding,
            unit,
        }
    }

    /// Support points and bound of a direction (any length, A's frame), with the circles of both
    /// support points, from which Newton can start.
    pub fn probe_circles(&self, n: &Vector3<f64>) -> (Probe, Circles, Circles) {
        let (ha, circles_a) = self.a.support_circles(n);
        let (hb, circles_b) = self.b.support_circles(&-self.rotation.tr_mul(n));
        let xa = circles_a.point(&self.a);
        let xb = self.rotation * circles_b.point(&self.b) + self.center;
        let probe = Probe {
            gap: n.dot(&self.center) - ha - hb,
            xa,
            xb,
        };
        (probe, circles_a, circles_b)
    }

    /// Where Newton can start: the surface coordinates of points of A and B.
    pub fn states(&self, circles_a: &Circles, circles_b: &Circles) -> [State; 2] {
        [State::of(&self.a, circles_a), State::of(&self.b, circles_b)]
    }

    /// Those of the support points in a direction.
    pub fn support_states(&self, n: &Vector3<f64>) -> [State; 2] {
        if self.both_convex() {
            return on_this_processor!(simd => self.states_in_lanes(simd, n));
        }
        let (_, circles_a, circles_b) = self.probe_circles(n);
        self.states(&circles_a, &circles_b)
    }

    #[inline(always)]
    fn states_in_lanes<S: Simd>(&self, simd: S, n: &Vector3<f64>) -> [State; 2] {
        let in_b = -self.rotation.tr_mul(n);
        let supports = Supports::of_pair(simd, &self.a, &self.b);
        let [[g1, h1], [g2, h2]] = supports.coordinates(&both(simd, &(*n).into(), &in_b.into()));
        let (g1, h1) = (lanes_of(g1), lanes_of(h1));
        let (g2, h2) = (lanes_of(g2), lanes_of(h2));
        let [a, b] = [0, 1];
        [
            State {
                g: [g1[a], g2[a]],
                h: [h1[a], h2[a]],
            },
            State {
                g: [g1[b], g2[b]],
                h: [h1[b], h2[b]],
            },
        ]
    }

    /// The same in every lane; `like` only says which kind of lanes.
    #[inline(always)]
    pub fn relative<V: Lanes>(&self, like: V) -> Relative<V> {
        let all = |v: [f64; 3]| [like.all(v[0]), like.all(v[1]), like.all(v[2])];
        let [i, j, k] = self.rotation.into();
        Relative {
            center: all(self.center.into()),
            apart: like.all(self.apart),
            axes: [all(i), all(j), all(k)],
        }
    }

    /// Whether one of the witnesses, or their midpoint, lies in both bodies: the proof of overlap.
    pub fn share_a_point(&self, xa: &Vector3<f64>, xb: &Vector3<f64>) -> bool {
        let middle = 0.5 * (xa + xb);
        self.gauge_b(xa) <= 1.0
            || self.gauge_a(xb) <= 1.0
            || (self.gauge_a(&middle) <= 1.0 && self.gauge_b(&middle) <= 1.0)
    }

    /// What the signed distance is at most where a common point has been found, which is one to rounding: 0 where one
    /// of these points is one beyond doubt, itself or moved a little towards a centre, or where a centre is.
    ///
    /// A convex body with a ball of radius r about its centre holds, with a point of gauge 1 − η, the ball of radius
    /// η r about that. (A taper's gauge can grow twice as fast.)
    pub fn upper_of_overlap(&self, points: &[Vector3<f64>]) -> f64 {
        let [doubt_a, doubt_b] =
            [&self.a, &self.b].map(|body| 4.0 * self.rounding / body.inner_radius);
        let shared =
            |x: &Vector3<f64>| self.gauge_a(x) <= 1.0 - doubt_a && self.gauge_b(x) <= 1.0 - doubt_b;
        let (a, b) = (Vector3::zeros(), self.center);
        let towards_a = |x: &Vector3<f64>| x * (1.0 - 4.0 * doubt_a);
        let towards_b = |x: &Vector3<f64>| x + (b - x) * (4.0 * doubt_b);
        let near = |x: &Vector3<f64>| shared(x) || shared(&towards_a(x)) || shared(&towards_b(x));
        if points.iter().any(near) || shared(&a) || shared(&b) {
            0.0
        } else {
            self.rounding
        }
    }

    /// Whether the bodies are points at their distance: smaller than its rounding.
    pub fn are_points(&self) -> bool {
        self.plain().are_points()
    }

    /// What [`plain`] works on, of convex bodies.
    #[inline(always)]
    pub fn plain(&self) -> plain::Bodies<f64> {
        plain::Bodies {
            center: self.center.into(),
            apart: self.apart,
            outer: self.a.outer_radius + self.b.outer_radius,
            rolling: self.a.rolling_radius + self.b.rolling_radius,
            inner: [self.a.inner_radius, self.b.inner_radius],
            normal_rounding: self.normal_rounding(),
            tolerance: self.tolerance,
            rounding: self.rounding,
        }
    }

    /// A lower bound of g at a stationary pair's normal: by the witnesses themselves where that is as good,
    /// otherwise by the support points.
    pub fn gap_of(&self, s: &Stationary) -> f64 {
        let plain = self.plain();
        let slack = plain.outer * (s.mismatch + plain.normal_rounding);
        if self.both_convex() && slack <= 0.1 * self.tolerance {
            s.d.dot(&s.normal) - slack
        } else {
            self.probe(&s.normal).gap
        }
    }

    pub fn both_convex(&self) -> bool {
        self.a.is_convex() && self.b.is_convex()
    }

    /// The bracket that always holds: the bodies hold the balls of their inner radii, and lie in those of
    /// their outer ones.
    pub fn crude_bracket(&self) -> [f64; 2] {
        let inner = self.a.inner_radius + self.b.inner_radius;
        [self.plain().crude(), self.apart - inner + self.rounding]
    }

    /// As [`Problem::probe_circles`], faster: of convex bodies, and without the circles.
    #[inline(always)]
    fn probe_in_lanes<S: Simd>(&self, simd: S, n: &Vector3<f64>) -> Probe {
        let in_b = -self.rotation.tr_mul(n);
        let supports = Supports::of_pair(simd, &self.a, &self.b);
        let reach = supports.reach(&both(simd, &(*n).into(), &in_b.into()));
        let [ha, hb] = lanes_of(reach.value);
        let [x, y, z] = reach.x;
        let (x, y, z) = (lanes_of(x), lanes_of(y), lanes_of(z));
        Probe {
            gap: n.dot(&self.center) - ha - hb,
            xa: Vector3::new(x[0], y[0], z[0]),
            xb: self.rotation * Vector3::new(x[1], y[1], z[1]) + self.center,
        }
    }
}

impl Problem {
    /// As [`Problem::probe_in_lanes`], of several directions.
    #[inline(always)]
    fn probe_together_in_lanes<S: Simd>(
        &self,
        simd: S,
        n: &[Vector3<f64>; TOGETHER],
    ) -> [Probe; TOGETHER] {
        let [x, y, z] = columns(simd, n);
        // B's axes are the columns of the rotation.
        let in_b = |k: usize| {
            let axis = self.rotation.column(k);
            -(x * axis.x + y * axis.y + z * axis.z)
        };
        let directions = [Two(x, in_b(0)), Two(y, in_b(1)), Two(z, in_b(2))];
        let reach = Supports::of_columns(simd, &self.a, &self.b).reach(&directions);
        let (ha, hb) = (lanes_of(reach.value.0), lanes_of(reach.value.1));
        let [x, y, z] = reach.x;
        let (xa, ya, za) = (lanes_of(x.0), lanes_of(y.0), lanes_of(z.0));
        let (xb, yb, zb) = (lanes_of(x.1), lanes_of(y.1), lanes_of(z.1));
        std::array::from_fn(|k| Probe {
            gap: n[k].dot(&self.center) - ha[k] - hb[k],
            xa: Vector3::new(xa[k], ya[k], za[k]),
            xb: self.rotation * Vector3::new(xb[k], yb[k], zb[k]) + self.center,
        })
    }
}

impl ConvexPair for Problem {
    fn probe(&self, n: &Vector3<f64>) -> Probe {
        if self.both_convex() {
            on_this_processor!(simd => self.probe_in_lanes(simd, n))
        } else {
            self.probe_circles(n).0
        }
    }

    fn probe_together(&self, n: &[Vector3<f64>; TOGETHER], count: usize) -> [Probe; TOGETHER] {
        if self.both_convex() && count > 1 {
            on_this_processor!(simd => self.probe_together_in_lanes(simd, n))
        } else {
            one_by_one(self, n, count)
        }
    }

    fn center(&self) -> &Vector3<f64> {
        &self.center
    }

    fn inner_radii(&self) -> [f64; 2] {
        [self.a.inner_radius, self.b.inner_radius]
    }

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn rounding(&self) -> f64 {
        self.rounding
    }

    fn gauge_a(&self, x: &Vector3<f64>) -> f64 {
        self.a.gauge(x)
    }

    fn gauge_b(&self, x: &Vector3<f64>) -> f64 {
        self.b.gauge(&self.rotation.tr_mul(&(x - self.center)))
    }

    fn outward_normals(
        &self,
        xa: &Vector3<f64>,
        xb: &Vector3<f64>,
        n: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        let local_b = self.rotation.tr_mul(&(xb - self.center));
        // A point at its centre, see `with_point`, has every normal.
        let normal_b = if local_b == Vector3::zeros() {
            -n
        } else {
            self.rotation * self.b.gradient(&local_b.into())
        };
        [self.a.gradient(&(*xa).into()), normal_b]
    }

    fn face_axes(&self) -> [Vector3<f64>; 6] {
        std::array::from_fn(|k| {
            if k < 3 {
                Vector3::ith(k, 1.0)
            } else {
                self.rotation.column(k - 3).into_owned()
            }
        })
    }

    fn takes_support_points(&self) -> bool {
        self.both_convex()
    }

    fn rolling_ball(&self) -> f64 {
        rolling_ball(&self.a) + rolling_ball(&self.b)
    }

    #[inline(always)]
    fn normal_rounding(&self) -> f64 {
        NORMAL_ROUNDING * self.a.steepest.max(self.b.steepest)
    }

    fn least_radii_within(&self, angles: [f64; ANGLES], n: &Vector3<f64>) -> [f64; ANGLES] {
        let in_b = -self.rotation.tr_mul(n);
        let [a, b] = least_radii_within([(&self.a, *n), (&self.b, in_b)], angles);
        std::array::from_fn(|k| a[k] + b[k])
    }

    fn spread(&self) -> Matrix3<f64> {
        let squares = |a: [f64; 3]| Matrix3::from_diagonal(&Vector3::from(a.map(|x| x * x)));
        squares(self.a.a) + self.rotation * squares(self.b.a) * self.rotation.transpose()
    }

    fn sharpen(&self, n: &Vector3<f64>, known: f64, iterations: &mut u32) -> Option<Penetration> {
        depth::newton_maximum(self, n, known, iterations)
    }
}

/// The ball for the branch and bound's second bound: that of an ellipsoid, which makes it exact for
/// spheres. Those of other shapes are smaller and closed no bracket that stays open without.
pub(crate) fn rolling_ball(shape: &Superovoid) -> f64 {
    if shape.is_ellipsoid() {
        shape.rolling_radius
    } else {
        0.0
    }
}

/// Bodies smaller than this share of their distance from the origin are points to any solver; the
/// unit then follows the distance, so that its square stays finite.
pub(crate) const FAR_LIMIT: f64 = 1e-120;

/// Centres that are nearer to each other than this, in units, are the same: squares of what is less lose digits, or
/// vanish, and with them the direction of the centre line.
pub(crate) const SAME_CENTER: f64 = 1e-140;

/// Unit vector from centre to centre; z where they are the same.
pub(crate) fn center_line(center: &Vector3<f64>) -> Vector3<f64> {
    center.try_normalize(SAME_CENTER).unwrap_or_else(Vector3::z)
}

/// Default tolerance, relative to the larger body.
pub(crate) const RELATIVE_TOLERANCE: f64 = 1e-9;

/// [`ConvexPair::normal_rounding`], for each unit of the largest exponent.
pub(crate) const NORMAL_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What rounding can change in a bound, and the widest bracket that counts as closed, in units: the
/// tolerance in metres, where it is 0 the default for bodies of this size (metres).
#[inline(always)]
pub(crate) fn accuracy<V: Lanes>(
    tolerance: V,
    size: V,
    [unit, per_unit]: [V; 2],
    apart: V,
    [outer_a, outer_b]: [V; 2],
) -> (V, V) {
    let rounding = (apart + outer_a + outer_b) * (8.0 * f64::EPSILON) + rounding_below_normal(unit);
    let given = tolerance.all(0.0).less(tolerance);
    let wanted = V::select(given, tolerance, size * RELATIVE_TOLERANCE);
    (rounding, (wanted * per_unit).max(rounding * 4.0))
}

/// What rounding can change, in units, where metres are below the normal numbers, which are even there: a
/// component of half an offset by a step of theirs, a radius or a bound in metres by another.
#[inline(always)]
pub(crate) fn rounding_below_normal<V: Lanes>(unit: V) -> V {
    const EIGHT_STEPS: f64 = f64::from_bits(8);
    // Far beyond what matters beside the relative rounding.
    let tiny = unit.less(unit.all(1e-280));
    V::select(tiny, unit.all(EIGHT_STEPS) / unit, unit.all(0.0))
}

/// Metres per unit for a pair.
#[inline(always)]
pub(crate) fn unit_of_pair(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
) -> f64 {
    let far = half_as_far(&Pose::from(pose_a), &Pose::from(pose_b));
    unit_of_length(Lanes::max(a.size(), b.size()), far)
}

/// Metres per unit for bodies of `size` (metres) whose coordinates reach `far`.
pub(crate) fn unit_of_length(size: f64, far: f64) -> f64 {
    power_of_two_below(longest(size, far))
}

/// What a unit of length is the power of two below of.
#[inline(always)]
pub(crate) fn longest<V: Lanes>(size: V, far: V) -> V {
    size.max(far * FAR_LIMIT)
}

/// 1 over a unit, without a division.
#[inline(always)]
pub(crate) fn inverse_of_unit(unit: f64) -> f64 {
    // A power of two has nothing but its exponent, biased by 1023.
    f64::from_bits((2046 << 52) - unit.to_bits())
}

/// The power of two in (x/2, x], or the nearest that is a normal number with a normal inverse.
pub(crate) fn power_of_two_below(x: f64) -> f64 {
    let exponent = x.to_bits() >> 52;
    f64::from_bits(exponent.clamp(2, 2045) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A point in a body found no curvature about its best direction: its own normal was not a number, and
    /// where that goes in a minimum depends on the processor. On ARM certified depths stayed open.
    #[test]
    fn a_point_has_a_normal() {
        let shape = Superovoid::superellipsoid([1.0, 0.7, 0.5], [0.5, 0.8]).expect("valid");
        let problem =
            Problem::with_point(&shape, &Vector3::new(0.1, 0.05, 0.02), 1.0, 1e-10, 1e-15);
        let n = Vector3::new(0.6, 0.0, 0.8);
        let probe = problem.probe(&n);
        let [na, nb] = problem.outward_normals(&probe.xa, &problem.center, &n);
        assert!((na.normalize() - n).norm() < 1e-12, "{na:?}");
        assert_eq!(nb, -n);
    }
}
