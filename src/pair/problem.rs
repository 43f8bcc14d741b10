//! One pair in the units and the frame that every solver stage works in.
//!
//! Lengths are divided by a power of two near the larger body's size (so that nothing is rounded
//! and nothing overflows) and the frame is A's: A at the origin, B at `center` with `rotation`.

use crate::Superovoid;
use crate::lanes::fused::dot;
use crate::lanes::{
    Lanes, Piece, RowColumn, RowLanes, Rows, SimdLevel, SinglePiece, SoaLanes, Two, dispatch,
    dispatch_four_lanes, pieces, to_array,
};
use crate::narrowphase::branch_and_bound::Evaluate;
use crate::narrowphase::convex_pair::{
    ConvexPair, DIRECTIONS_PER_BATCH, RoughSupport, SupportPair, components_in_lanes,
};
use crate::pair::certificate::PairBounds;
use crate::pair::frames::FrameOfA;
use crate::pair::stationary::Stationary;
use crate::query::pose::Pose;
use crate::query::units::{accuracy, inverse_of_unit, unit_of_pair};
use crate::surface::circles::Circles;
use crate::surface::primal_dual::{SurfaceState, both};
use crate::surface::support_lanes::{SupportPoint, Supports};
use fearless_simd::Simd;
use nalgebra::{Isometry3, Matrix3, Vector3};

pub(crate) struct PairProblem {
    pub a: Superovoid,
    pub b: Superovoid,
    /// The rotation from B's frame to A's.
    pub rotation: Matrix3<f64>,
    /// The centre of B, and its distance from A's centre.
    pub center: Vector3<f64>,
    pub center_distance: f64,
    /// The widest bracket that counts as closed.
    pub tolerance: f64,
    /// The change of a bound that rounding of the inputs and of a few operations on them can cause.
    pub rounding: f64,
    /// The number of metres per unit.
    pub unit: f64,
}

impl PairProblem {
    #[inline(always)]
    pub fn new(
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        tolerance: f64,
    ) -> PairProblem {
        let size = a.size().max(b.size());
        let unit = unit_of_pair(a, pose_a, b, pose_b);
        let per_unit = inverse_of_unit(unit);
        let (a, b) = (a.scaled(per_unit), b.scaled(per_unit));
        let relative = FrameOfA::new(&Pose::from(pose_a), &Pose::from(pose_b), per_unit);
        let (center_distance, outer) = (relative.center_distance, [a.outer_radius, b.outer_radius]);
        let (rounding, tolerance) =
            accuracy(tolerance, size, [unit, per_unit], center_distance, outer);
        PairProblem {
            a,
            b,
            rotation: Matrix3::from(relative.axes),
            center: Vector3::from(relative.center),
            center_distance,
            tolerance,
            rounding,
            unit,
        }
    }

    /// Makes the pair of a body and a point, both already in units of `unit` metres and in the body's frame. The
    /// point is a sphere that is too small to make a difference.
    pub fn with_point(
        shape: &Superovoid,
        point: &Vector3<f64>,
        unit: f64,
        tolerance: f64,
        rounding: f64,
    ) -> PairProblem {
        PairProblem {
            a: *shape,
            b: Superovoid::POINT,
            rotation: Matrix3::identity(),
            center: *point,
            center_distance: point.norm(),
            tolerance,
            rounding,
            unit,
        }
    }

    /// Returns the support pair of a direction (any length, A's frame), with the circles of both support points, from
    /// which Newton's method can start.
    pub fn support_pair_with_circles(&self, n: &Vector3<f64>) -> (SupportPair, Circles, Circles) {
        let (ha, circles_a) = self.a.support_circles(n);
        let (hb, circles_b) = self.b.support_circles(&-self.rotation.tr_mul(n));
        let xa = circles_a.point(&self.a);
        let xb = self.rotation * circles_b.point(&self.b) + self.center;
        let support = SupportPair {
            gap: n.dot(&self.center) - ha - hb,
            xa,
            xb,
        };
        (support, circles_a, circles_b)
    }

    /// Returns the surface coordinates of points of A and B, from which Newton's method can start.
    pub fn states(&self, circles_a: &Circles, circles_b: &Circles) -> [SurfaceState; 2] {
        [
            SurfaceState::of(&self.a, circles_a),
            SurfaceState::of(&self.b, circles_b),
        ]
    }

    /// Returns the surface coordinates of the support points in a direction.
    pub fn support_states(&self, n: &Vector3<f64>) -> [SurfaceState; 2] {
        if self.both_convex() {
            let in_b = -self.rotation.tr_mul(n);
            return support_states([&self.a, &self.b], [n, &in_b]);
        }
        let (_, circles_a, circles_b) = self.support_pair_with_circles(n);
        self.states(&circles_a, &circles_b)
    }

    /// Returns the frame with the same numbers in every lane; `like` only sets the kind of lanes.
    #[inline(always)]
    pub fn relative<V: Lanes>(&self, like: V) -> FrameOfA<V> {
        let splat = |v: [f64; 3]| [like.splat(v[0]), like.splat(v[1]), like.splat(v[2])];
        let [i, j, k] = self.rotation.into();
        FrameOfA {
            center: splat(self.center.into()),
            center_distance: like.splat(self.center_distance),
            axes: [splat(i), splat(j), splat(k)],
        }
    }

    /// Whether one of the witnesses, or their midpoint, lies in both bodies, which proves the overlap.
    pub fn witnesses_prove_overlap(&self, xa: &Vector3<f64>, xb: &Vector3<f64>) -> bool {
        let middle = 0.5 * (xa + xb);
        self.gauge_b(xa) <= 1.0
            || self.gauge_a(xb) <= 1.0
            || (self.gauge_a(&middle) <= 1.0 && self.gauge_b(&middle) <= 1.0)
    }

    /// Returns the share of a body by which rounding may put a point in it that is out; more than 1 where that is all of it.
    pub fn doubt(&self) -> f64 {
        16.0 * self.rounding / self.a.inner_radius.min(self.b.inner_radius)
    }

    /// Returns an upper bound of the signed distance where a common point has been found to rounding: 0 if one of
    /// these points certainly is a common point, by itself or moved a little towards a centre, or if a centre is one.
    ///
    /// A convex body with a sphere of radius r about its centre contains, around a point of gauge 1 − η, the sphere
    /// of radius η r. (The gauge of a tapered body can grow twice as fast.)
    pub fn overlap_upper_bound(&self, points: &[Vector3<f64>]) -> f64 {
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

    /// Whether the bodies are smaller than the rounding of their distance, so that they are points.
    pub fn bodies_are_points(&self) -> bool {
        self.bounds().bodies_are_points()
    }

    /// Returns the numbers of the pair that its [`certificate`](crate::pair::certificate) needs.
    #[inline(always)]
    pub fn bounds(&self) -> PairBounds<f64> {
        PairBounds {
            center: self.center.into(),
            center_distance: self.center_distance,
            outer: self.a.outer_radius + self.b.outer_radius,
            rolling: self.a.rolling_radius + self.b.rolling_radius,
            inner: [self.a.inner_radius, self.b.inner_radius],
            normal_rounding: self.normal_rounding(),
            tolerance: self.tolerance,
            rounding: self.rounding,
        }
    }

    /// Returns a lower bound of g at the normal of a stationary pair: by the witnesses where they give a good one,
    /// otherwise by the support points.
    pub fn gap_of(&self, s: &Stationary) -> f64 {
        let bounds = self.bounds();
        let slack = bounds.outer * (s.mismatch + bounds.normal_rounding);
        if self.both_convex() && slack <= 0.1 * self.tolerance {
            s.d.dot(&s.normal) - slack
        } else {
            self.support_pair(&s.normal).gap
        }
    }

    pub fn both_convex(&self) -> bool {
        self.a.is_convex() && self.b.is_convex()
    }

    /// Returns the bracket that always holds: the bodies contain the spheres of their inner radii and lie in those of
    /// their outer radii.
    pub fn sphere_bracket(&self) -> [f64; 2] {
        let inner = self.a.inner_radius + self.b.inner_radius;
        [
            self.bounds().sphere_lower_bound(),
            self.center_distance - inner + self.rounding,
        ]
    }

    /// Returns the support pair as [`PairProblem::support_pair_with_circles`] does, but faster, for convex bodies,
    /// and without the circles.
    #[inline(always)]
    pub(super) fn support_pair_in_lanes<S: Simd>(&self, simd: S, n: &Vector3<f64>) -> SupportPair {
        let in_b = -self.rotation.tr_mul(n);
        let supports = Supports::of_pair(simd, &self.a, &self.b);
        let support = supports.support(&both(simd, &(*n).into(), &in_b.into()));
        let [ha, hb] = to_array(support.value);
        let [x, y, z] = support.x;
        let (x, y, z) = (to_array(x), to_array(y), to_array(z));
        SupportPair {
            gap: n.dot(&self.center) - ha - hb,
            xa: Vector3::new(x[0], y[0], z[0]),
            xb: self.rotation * Vector3::new(x[1], y[1], z[1]) + self.center,
        }
    }
}

impl PairProblem {
    /// Returns the rough supports of the first few directions, of convex bodies.
    #[inline(always)]
    pub(super) fn rough_supports_in_lanes<S: SimdLevel>(
        &self,
        simd: S,
        n: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
        count: usize,
    ) -> [RoughSupport; DIRECTIONS_PER_BATCH] {
        let mut supports = [RoughSupport::default(); DIRECTIONS_PER_BATCH];
        for first in pieces(simd).take_while(|first| *first < count) {
            self.support_piece(simd, n, first, &mut supports);
        }
        supports
    }

    #[inline(always)]
    fn support_piece<S: SimdLevel>(
        &self,
        simd: S,
        n: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
        first: usize,
        supports: &mut [RoughSupport; DIRECTIONS_PER_BATCH],
    ) {
        let support = self.supports_along(&components_in_lanes(simd, n, first));
        let (ha, hb) = (support.value.0.store(), support.value.1.store());
        let [x, y, z] = support.x;
        let (xa, ya, za) = (x.0.store(), y.0.store(), z.0.store());
        let (xb, yb, zb) = (x.1.store(), y.1.store(), z.1.store());
        for k in 0..Piece::<S>::WIDTH {
            let point_a = Vector3::new(xa[k], ya[k], za[k]);
            let point_b = self.rotation * Vector3::new(xb[k], yb[k], zb[k]) + self.center;
            supports[first + k] = RoughSupport {
                z: point_b - point_a,
                height: n[first + k].dot(&self.center) - ha[k] - hb[k],
            };
        }
    }

    /// Returns the support of A in each of the directions n, and of B in those opposite, in the bodies' frames.
    #[inline(always)]
    fn supports_along<V: Lanes>(&self, n: &[V; 3]) -> SupportPoint<Two<V>> {
        let [x, y, z] = *n;
        let axes = &self.rotation;
        let opposite = [-x, -y, -z];
        let directions = [
            Two(x, along(&opposite, [axes.m11, axes.m21, axes.m31])),
            Two(y, along(&opposite, [axes.m12, axes.m22, axes.m32])),
            Two(z, along(&opposite, [axes.m13, axes.m23, axes.m33])),
        ];
        Supports::of_soa(x, &self.a, &self.b).support(&directions)
    }

    /// Writes the first few rows of a search in single precision: the directions n and what is found there.
    #[inline(always)]
    fn narrow_nodes<S: SimdLevel>(
        &self,
        simd: S,
        directions: &[RowColumn<f32>; 3],
        count: usize,
        rows: &mut Rows<f32>,
    ) {
        for first in SinglePiece::<S>::pieces(simd).take_while(|first| *first < count) {
            self.narrow_nodes_of_piece(simd, directions, first, rows);
        }
    }

    /// Writes the rows of the piece that begins at `first`.
    #[inline(always)]
    fn narrow_nodes_of_piece<S: SimdLevel>(
        &self,
        simd: S,
        directions: &[RowColumn<f32>; 3],
        first: usize,
        rows: &mut Rows<f32>,
    ) {
        let [x, y, z] = directions;
        let load = SinglePiece::<S>::load_column;
        let n = [
            load(simd, x, first),
            load(simd, y, first),
            load(simd, z, first),
        ];
        let [x, y, z] = self.supports_along(&n).x;
        let (xa, in_b) = ([x.0, y.0, z.0], [x.1, y.1, z.1]);
        let (axes, c) = (&self.rotation, &self.center);
        let z = [
            along(&in_b, [axes.m11, axes.m12, axes.m13]) - xa[0] + c.x,
            along(&in_b, [axes.m21, axes.m22, axes.m23]) - xa[1] + c.y,
            along(&in_b, [axes.m31, axes.m32, axes.m33]) - xa[2] + c.z,
        ];
        // A coordinate of a support point is wrong by a share of itself, which powers make of their own error; the
        // rest is rounding.
        let lengths = dot(&xa, &xa).sqrt() + dot(&in_b, &in_b).sqrt();
        let doubt = lengths * NARROW_POWERS + (c.x.abs() + c.y.abs() + c.z.abs()) * NARROW_ROUNDING;
        let columns = [n[0], n[1], n[2], z[0], z[1], z[2], dot(&z, &n), doubt];
        RowLanes::store_rows(columns, rows, first);
    }
}

/// The share of itself by which a coordinate of a support point in single precision may be wrong.
const NARROW_POWERS: f64 = 1.2e-6;
/// The share of lengths that a few sums in single precision may round away.
const NARROW_ROUNDING: f64 = 4e-7;

impl Evaluate<f32> for PairProblem {
    fn nodes(&self, directions: &[RowColumn<f32>; 3], count: usize) -> Rows<f32> {
        let mut rows = [[0.0; 8]; DIRECTIONS_PER_BATCH];
        dispatch!(simd => self.narrow_nodes(simd, directions, count, &mut rows));
        rows
    }
}

/// Returns the product with the same vector in every lane.
#[inline(always)]
fn along<V: Lanes>(v: &[V; 3], [x, y, z]: [f64; 3]) -> V {
    v[0] * x + v[1] * y + v[2] * z
}

/// Returns the surface coordinates of the support points of two convex bodies, each in a direction of its own frame.
pub(super) fn support_states(
    bodies: [&Superovoid; 2],
    directions: [&Vector3<f64>; 2],
) -> [SurfaceState; 2] {
    dispatch_four_lanes!(simd => states_in_lanes(simd, bodies, directions))
}

#[inline(always)]
fn states_in_lanes<S: Simd>(
    simd: S,
    [a, b]: [&Superovoid; 2],
    [in_a, in_b]: [&Vector3<f64>; 2],
) -> [SurfaceState; 2] {
    let supports = Supports::of_pair(simd, a, b);
    let [[g1, h1], [g2, h2]] = supports.coordinates(&both(simd, &(*in_a).into(), &(*in_b).into()));
    let (g1, h1) = (to_array(g1), to_array(h1));
    let (g2, h2) = (to_array(g2), to_array(h2));
    let [a, b] = [0, 1];
    [
        SurfaceState {
            g: [g1[a], g2[a]],
            h: [h1[a], h2[a]],
        },
        SurfaceState {
            g: [g1[b], g2[b]],
            h: [h1[b], h2[b]],
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// The outward normal of a point was NaN. The minimum of NaN and a number depends on the processor, and on ARM no
    /// bound from the curvature closed the bracket of a certified depth.
    #[test]
    fn a_point_has_a_normal() {
        let shape = Superovoid::superellipsoid([1.0, 0.7, 0.5], [0.5, 0.8]).expect("valid");
        let problem =
            PairProblem::with_point(&shape, &Vector3::new(0.1, 0.05, 0.02), 1.0, 1e-10, 1e-15);
        let n = Vector3::new(0.6, 0.0, 0.8);
        let support = problem.support_pair(&n);
        let normals = problem.outward_normals(&support.xa, &problem.center, &n);
        let [na, nb] = normals.expect("superovoids have normals");
        assert!((na.normalize() - n).norm() < 1e-12, "{na:?}");
        assert_eq!(nb, -n);
    }

    /// Bodies of the whole domain, thin and tiny ones among them, at any place.
    fn problem(draw: &mut impl FnMut([f64; 2]) -> f64, tapered: bool) -> PairProblem {
        let mut body = |size: f64| loop {
            let a = [0; 3].map(|_| size * 10.0_f64.powf(draw([-2.0, 0.0])));
            let e = [0; 2].map(|_| draw([0.001, 1.999]));
            let t = if tapered { draw([-0.95, 0.95]) } else { 0.0 };
            match Superovoid::new(a, e, [t, t]) {
                Ok(shape) if shape.is_convex() => return shape,
                _ => {}
            }
        };
        let (a, b) = (body(1.0), body(0.3));
        let mut vector = |size: f64| Vector3::from([0; 3].map(|_| draw([-size, size])));
        let pose = Isometry3::new(vector(1.0), vector(3.0));
        PairProblem::new(&a, &Isometry3::identity(), &b, &pose, 1e-10)
    }

    /// A node in single precision bounds g from above in every direction, and exceeds it by little.
    #[test]
    fn nodes_of_single_precision_bound_every_direction() {
        let mut rng = ChaCha8Rng::seed_from_u64(47);
        let mut draw = |[low, high]: [f64; 2]| rng.random_range(low..high);
        let mut largest = 0.0_f64;
        for k in 0..400 {
            let problem = problem(&mut draw, k % 2 == 1);
            let directions: [Vector3<f64>; DIRECTIONS_PER_BATCH] = std::array::from_fn(|k| {
                let v = Vector3::from([0; 3].map(|_| draw([-1.0, 1.0])));
                let axis = problem.face_axes()[k % 6];
                let near = if k < 6 {
                    axis + v * 10.0_f64.powf(draw([-9.0, 0.0]))
                } else {
                    v
                };
                near.normalize()
            });
            let columns = [0, 1, 2].map(|axis| directions.map(|n| n[axis] as f32));
            let nodes: Rows<f32> = problem.nodes(&columns, DIRECTIONS_PER_BATCH);
            for (n, node) in directions.iter().zip(nodes) {
                let [.., x, y, z, gap, doubt] = node.map(f64::from);
                let z = Vector3::new(x, y, z);
                let here = problem.support_pair(n).gap;
                assert!((gap - here).abs() < doubt + 2e-5, "{gap} {here}");
                for m in directions.iter().flat_map(|m| [*m, -m]) {
                    let excess = problem.support_pair(&m).gap - z.dot(&m);
                    largest = largest.max(excess / doubt);
                }
            }
        }
        assert!(largest < 1.0, "{largest} of what is allowed");
    }
}
