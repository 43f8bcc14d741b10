//! Two superovoids as a convex pair: the support functions that the algorithms of [`crate::narrowphase`] work with.

use crate::lanes::{dispatch, dispatch_four_lanes};
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::convex_pair::{
    ConvexPair, DIRECTIONS_PER_BATCH, RoughSupport, SupportPair, one_by_one,
};
use crate::pair::local_depth;
use crate::pair::problem::PairProblem;
use crate::query::units::NORMAL_ROUNDING;
use crate::surface::curvature::{ANGLES, least_radii_within};
use nalgebra::{Matrix3, Vector3};

impl ConvexPair for PairProblem {
    fn support_pair(&self, n: &Vector3<f64>) -> SupportPair {
        if self.both_convex() {
            dispatch_four_lanes!(simd => self.support_pair_in_lanes(simd, n))
        } else {
            self.support_pair_with_circles(n).0
        }
    }

    fn rough_supports(
        &self,
        n: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
        count: usize,
    ) -> [RoughSupport; DIRECTIONS_PER_BATCH] {
        if self.both_convex() && count > 1 {
            dispatch!(simd => self.rough_supports_in_lanes(simd, n, count))
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
    ) -> Option<[Vector3<f64>; 2]> {
        let local_b = self.rotation.tr_mul(&(xb - self.center));
        // A point at its own centre (see `with_point`) has every normal.
        let normal_b = if local_b == Vector3::zeros() {
            -n
        } else {
            self.rotation * self.b.gradient(&local_b.into())
        };
        Some([self.a.gradient(&(*xa).into()), normal_b])
    }

    fn smaller_size(&self) -> f64 {
        self.a.size().min(self.b.size())
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

    fn is_even(&self) -> bool {
        !self.a.traits.either(self.b.traits).tapered()
    }

    fn takes_support_points(&self) -> bool {
        self.both_convex()
    }

    fn rolling_ball(&self) -> f64 {
        self.a.ellipsoid_rolling_radius() + self.b.ellipsoid_rolling_radius()
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
        local_depth::newton_local_maximum(self, n, known, iterations)
    }
}
