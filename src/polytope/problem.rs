//! A superovoid and a polytope in the units and the frame that the solver stages work in.
//!
//! Lengths are divided by a power of two near the superovoid's size, and the frame is the superovoid's.

use crate::Superovoid;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::convex_pair::{ConvexPair, SupportPair};
use crate::narrowphase::gjk;
use crate::narrowphase::newton::{Form, Pieces};
use crate::narrowphase::simplex::{CsoPoint, nearest_of_triangle};
use crate::query::units::{
    FAR_LIMIT, NORMAL_ROUNDING, RELATIVE_TOLERANCE, center_line, power_of_two_below,
    rounding_error, wanted_tolerance,
};
use crate::surface::curvature::{ANGLES, least_radii_within};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

pub(super) struct PolytopeProblem<'a> {
    pub a: Superovoid,
    vertices: &'a [Point3<f64>],
    /// The rotation from the polytope's frame to A's.
    rotation: Matrix3<f64>,
    /// The origin of the polytope's frame.
    origin: Vector3<f64>,
    face_normals: [Vector3<f64>; 3],
    /// A point of the polytope near A's centre.
    center: Vector3<f64>,
    pub tolerance: f64,
    pub rounding: f64,
    /// The number of metres per unit, and its inverse.
    pub unit: f64,
    per_unit: f64,
    /// The largest coordinate of the vertices in the polytope's frame.
    extent: f64,
}

impl<'a> PolytopeProblem<'a> {
    pub fn new(
        shape: &Superovoid,
        pose: &Isometry3<f64>,
        vertices: &'a [Point3<f64>],
        face_normals: &[Vector3<f64>; 3],
        polytope_pose: &Isometry3<f64>,
        tolerance: f64,
    ) -> Self {
        let size = shape.size();
        let extent = vertices
            .iter()
            .fold(0.0, |m: f64, v| m.max(v.coords.amax()));
        // Halves are subtracted, so that coordinates of any finite size do not overflow; and first of all, so that
        // bodies that are near each other but far from the world's origin keep the digits of their sizes.
        let half_offset = polytope_pose.translation.vector * 0.5 - pose.translation.vector * 0.5;
        let far = extent.max(half_offset.amax());
        let unit = power_of_two_below(size.max(far * FAR_LIMIT));
        let per_unit = 1.0 / unit;
        let a = shape.scaled(per_unit);
        let to_a = pose.rotation.inverse();
        let origin = to_a * (half_offset * per_unit * 2.0);
        let rotation = (to_a * polytope_pose.rotation)
            .to_rotation_matrix()
            .into_inner();
        let diameter = 2.0 * (extent * per_unit);
        let rounding = rounding_error(origin.norm() + diameter + a.outer_radius, unit);
        let wanted = wanted_tolerance(tolerance, size, RELATIVE_TOLERANCE) * per_unit;
        let mut problem = PolytopeProblem {
            a,
            vertices,
            rotation,
            origin,
            face_normals: face_normals.map(|n| rotation * n.try_normalize(0.0).unwrap_or(n)),
            center: Vector3::zeros(),
            tolerance: wanted.max(16.0 * rounding),
            rounding,
            unit,
            per_unit,
            extent: extent * per_unit,
        };
        problem.center = problem.nearest_to(&Vector3::zeros(), 0.01);
        problem
    }

    /// Returns all vertices.
    pub fn vertices(&self) -> impl Iterator<Item = Vector3<f64>> {
        self.vertices
            .iter()
            .map(|v| self.rotation * (v.coords * self.per_unit) + self.origin)
    }

    /// Returns the corners of a triangle; `None` for other polytopes, and for needles, on which closed forms lose
    /// digits.
    pub fn triangle(&self) -> Option<[Vector3<f64>; 3]> {
        const NEEDLE: f64 = 1e-3;
        let corners: &[Point3<f64>; 3] = self.vertices.try_into().ok()?;
        let [p, q, r] = corners.map(|v| self.rotation * (v.coords * self.per_unit) + self.origin);
        let (u, v) = (q - p, r - p);
        let longest = u.norm_squared().max(v.norm_squared());
        (u.cross(&v).norm() > NEEDLE * longest).then_some([p, q, r])
    }

    /// Returns the vertex that is lowest in direction n.
    pub fn lowest(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let local = self.rotation.tr_mul(n);
        let mut best = (f64::INFINITY, &self.vertices[0]);
        for v in self.vertices {
            let height = local.dot(&v.coords);
            if height < best.0 {
                best = (height, v);
            }
        }
        self.rotation * (best.1.coords * self.per_unit) + self.origin
    }

    /// Returns a point of the polytope that is nearest to x, or farther by at most the relative `slack` and rounding,
    /// by GJK; of a triangle it is the nearest.
    pub fn nearest_to(&self, x: &Vector3<f64>, slack: f64) -> Vector3<f64> {
        const QUERIES: usize = 32;
        if let Some(corners) = self.triangle() {
            return x + nearest_of_triangle(&corners.map(|v| v - x));
        }
        let start = self.rotation * Vector3::x();
        let enough = |v: &Vector3<f64>| (1.0 - slack) * v.norm_squared() - self.rounding * v.norm();
        let simplex = gjk::nearest_to(x, start, QUERIES, |n| self.lowest(n), enough);
        if simplex.encloses_origin {
            *x
        } else {
            x + simplex.nearest()
        }
    }

    /// Whether x lies in the polytope, to rounding.
    pub fn is_in_polytope(&self, x: &Vector3<f64>) -> bool {
        if let Some([p, q, r]) = self.triangle() {
            // Most points are off the plane, and beyond its rounding.
            let m = (q - p).cross(&(r - p));
            let far = 8.0 * self.rounding * m.norm() + 1e-14 * m.norm() * (x - p).norm();
            if m.dot(&(x - p)).abs() > far {
                return false;
            }
        }
        (self.nearest_to(x, 0.0) - x).norm() <= 4.0 * self.rounding
    }

    /// Whether the superovoid has room for rounding about a point that the polytope holds to rounding: then the bodies overlap.
    pub fn has_room(&self, x: &Vector3<f64>) -> bool {
        self.gauge_a(x) <= 1.0 - 8.0 * self.rounding / self.a.inner_radius
    }

    /// Returns an upper bound of the signed distance where a common point has been found to rounding, see
    /// [`crate::pair::problem::PairProblem::overlap_upper_bound`]. A polytope may have no interior, so that its
    /// points belong to it to rounding only; the superovoid has room around them.
    ///
    /// A point that misses the polytope by more than rounding, as a witness that was moved along the normal may, stands
    /// for the point of the polytope that is nearest to it.
    pub fn overlap_upper_bound(&self, points: &[Vector3<f64>]) -> f64 {
        let doubt = 8.0 * self.rounding / self.a.inner_radius;
        let shared = |x: &Vector3<f64>| self.has_room(x) && self.is_in_polytope(x);
        let near = |x: &Vector3<f64>| shared(x) || shared(&(x * (1.0 - 4.0 * doubt)));
        let nearest = |x: &Vector3<f64>| shared(&self.nearest_to(x, 0.0));
        if points.iter().any(near) || shared(&Vector3::zeros()) || points.iter().any(nearest) {
            0.0
        } else {
            self.rounding
        }
    }

    /// Whether A is an ellipsoid whose witness is the support point along the normal, as
    /// [Newton's method](crate::narrowphase::newton) finds it.
    pub fn faces(&self, p: &Penetration) -> bool {
        let off = |x: Vector3<f64>| (x - p.xa).amax();
        self.a.is_ellipsoid() && off(self.support_pair(&p.normal).xa) <= 16.0 * self.rounding
    }

    /// Returns the bracket that always holds: the bounding sphere of A against the polytope, and the inner sphere of
    /// A against the polytope's centre.
    pub fn sphere_bracket(&self) -> [f64; 2] {
        let upper = self.center.norm() - self.a.inner_radius + self.rounding;
        let n = center_line(&self.center);
        let lower = n.dot(&self.lowest(&n)) - self.a.outer_radius - self.rounding;
        [lower, upper]
    }
}

impl Pieces for PolytopeProblem<'_> {
    /// Witnesses that face each other to rounding need not be sharpened.
    const ALIGNED: f64 = 1e-13;

    fn are_curved(&self) -> bool {
        self.a.is_ellipsoid()
    }

    #[inline(always)]
    fn renew(
        &self,
        points: &mut [CsoPoint],
        n: &Vector3<f64>,
        tangents: &[Vector3<f64>; 2],
    ) -> Option<[Form; 3]> {
        let (xa, form) = self.a.ellipsoid_support(n, tangents)?;
        for point in points {
            point.z += point.xa - xa;
            point.xa = xa;
        }
        Some([form; 3])
    }
}

impl ConvexPair for PolytopeProblem<'_> {
    fn support_pair(&self, n: &Vector3<f64>) -> SupportPair {
        let (h, circles) = self.a.support_circles(n);
        let xb = self.lowest(n);
        SupportPair {
            gap: n.dot(&xb) - h,
            xa: circles.point(&self.a),
            xb,
        }
    }

    fn center(&self) -> &Vector3<f64> {
        &self.center
    }

    fn inner_radii(&self) -> [f64; 2] {
        [self.a.inner_radius, 0.0]
    }

    /// A quarter of the tolerance, so that the answer still closes after its witnesses were made to face each other.
    fn tolerance(&self) -> f64 {
        0.25 * self.tolerance
    }

    fn rounding(&self) -> f64 {
        self.rounding
    }

    fn gauge_a(&self, x: &Vector3<f64>) -> f64 {
        self.a.gauge(x)
    }

    /// Returns 1 in the polytope and 2 outside: no caller needs more.
    fn gauge_b(&self, x: &Vector3<f64>) -> f64 {
        if self.is_in_polytope(x) { 1.0 } else { 2.0 }
    }

    /// Returns for the polytope the normal that faces n: that of a touched face.
    fn outward_normals(
        &self,
        xa: &Vector3<f64>,
        _: &Vector3<f64>,
        n: &Vector3<f64>,
    ) -> Option<[Vector3<f64>; 2]> {
        Some([self.a.gradient(&(*xa).into()), -n])
    }

    fn smaller_size(&self) -> f64 {
        self.a.size().min(self.extent)
    }

    fn face_axes(&self) -> [Vector3<f64>; 6] {
        let [f, g, h] = self.face_normals;
        [Vector3::x(), Vector3::y(), Vector3::z(), f, g, h]
    }

    /// The depth of a non-convex body is that of its hull.
    fn takes_support_points(&self) -> bool {
        true
    }

    fn rolling_ball(&self) -> f64 {
        self.a.ellipsoid_rolling_radius()
    }

    fn normal_rounding(&self) -> f64 {
        NORMAL_ROUNDING * self.a.steepest
    }

    fn least_radii_within(&self, angles: [f64; ANGLES], n: &Vector3<f64>) -> [f64; ANGLES] {
        let [radii, _] = least_radii_within([(&self.a, *n); 2], angles);
        radii
    }

    /// Cutting planes do the search; only their result is sharpened, by [`super::feature`].
    fn sharpen(&self, _: &Vector3<f64>, _: f64, _: &mut u32) -> Option<Penetration> {
        None
    }
}
