//! Two cores in the units and the frame that the solver stages work in: lengths divided by a power of two near the
//! larger body's size, the frame that of A with the centre of a ball inside A as its origin.
//!
//! The chart of the cutting planes needs a ball inside one of the bodies. Where both are flat (points, segments,
//! triangles), A is swept by a ball. Every signed distance is then less by the radius, which the answer adds again.

use crate::convex::boxes::Boxes;
use crate::convex::core::{ScaledCore, off_axis};
use crate::convex::shape::ConvexShape;
use crate::narrowphase::convex_pair::{ConvexPair, Penetration, SupportPair};
use crate::narrowphase::newton::{Form, Pieces};
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::query::units::{
    ALIGNED, NORMAL_ROUNDING, RELATIVE_TOLERANCE, center_line, inverse_of_unit, largest,
    rounding_error, unit_of_length, wanted_tolerance,
};
use crate::surface::curvature::ANGLES;
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};

pub(super) struct ConvexProblem<'a> {
    a: ScaledCore<'a>,
    b: ScaledCore<'a>,
    /// The rotation from B's frame to A's.
    rotation: Matrix3<f64>,
    /// The centre of A in its own frame.
    pub center_a: Vector3<f64>,
    /// The origin of B's frame.
    origin_b: Vector3<f64>,
    /// The centre of B.
    center: Vector3<f64>,
    /// The centre of B in its own frame.
    center_b: Vector3<f64>,
    inner_radii: [f64; 2],
    /// The radii of balls about the centres in the cores that are not swept.
    core_radii: [f64; 2],
    /// The radii of balls about the centres that hold the cores.
    outer_radii: [f64; 2],
    /// The radius of the ball that sweeps A.
    pub sweep: f64,
    /// The margins.
    pub margins: [f64; 2],
    normal_rounding: f64,
    size: f64,
    smaller_size: f64,
    /// Whether rounding leaves both support functions accurate enough to certify anything.
    pub provable: bool,
    pub tolerance: f64,
    pub rounding: f64,
    /// The number of metres per unit.
    pub unit: f64,
}

/// A pair counts as flat if the sum of the radii of the balls inside is below this share of the larger body's size.
const FLAT: f64 = 1e-6;

/// Returns a quaternion of unit length to rounding with that length: off it, it would move or enlarge a body. With q² = 1 + δ it is
/// q (1 − δ/2), up to δ².
#[inline(always)]
fn straight(rotation: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let q = rotation.into_inner();
    let off = q.norm_squared() - 1.0;
    UnitQuaternion::new_unchecked(q * (1.0 - 0.5 * off))
}

impl<'a> ConvexProblem<'a> {
    pub fn new(
        a: &'a ConvexShape,
        pose_a: &Isometry3<f64>,
        b: &'a ConvexShape,
        pose_b: &Isometry3<f64>,
        tolerance: f64,
    ) -> Self {
        // Halves are subtracted, so that coordinates of any finite size do not overflow, and first of all, so that
        // bodies that are near each other but far from the world's origin keep the digits of their sizes.
        let half_offset = pose_b.translation.vector * 0.5 - pose_a.translation.vector * 0.5;
        let sizes = [a.size(), b.size()];
        let size = sizes[0].max(sizes[1]);
        let reaches = [a.largest_coordinate(), b.largest_coordinate()];
        let far = largest(&half_offset).max(reaches[0]).max(reaches[1]);
        let unit = unit_of_length(size, far);
        let k = inverse_of_unit(unit);
        let to_a = straight(pose_a.rotation.inverse());
        let rotation = straight(to_a * pose_b.rotation);
        let rotation = rotation.to_rotation_matrix().into_inner();
        let (center_a, center_b) = (a.center * k, b.center * k);
        let origin_b = to_a * (half_offset * k * 2.0) - center_a;
        let inner_radii = [a.inner_radius * k, b.inner_radius * k];
        let flat = inner_radii[0] + inner_radii[1] < FLAT * size * k;
        let (extents_a, extents_b) = (a.core_extents() * k, b.core_extents() * k);
        let sweep = if flat { 0.125 * size * k } else { 0.0 };
        let extent = origin_b.norm() + (reaches[0] + reaches[1]) * k + sweep;
        let rounding = rounding_error(extent, unit);
        let wanted = wanted_tolerance(tolerance, size, RELATIVE_TOLERANCE) * k;
        let steepest = a.steepest().max(b.steepest());
        ConvexProblem {
            a: ScaledCore::new(&a.core, k),
            b: ScaledCore::new(&b.core, k),
            rotation,
            center_a,
            origin_b,
            center: rotation * center_b + origin_b,
            center_b,
            core_radii: inner_radii,
            inner_radii: [inner_radii[0] + sweep, inner_radii[1]],
            outer_radii: [extents_a.norm(), extents_b.norm()],
            sweep,
            margins: [a.margin * k, b.margin * k],
            size: size * k,
            smaller_size: sizes[0].min(sizes[1]) * k,
            normal_rounding: NORMAL_ROUNDING * steepest,
            provable: a.is_provable() && b.is_provable(),
            tolerance: wanted.max(16.0 * rounding),
            rounding: rounding * steepest.clamp(1.0, 4.0),
            unit,
        }
    }

    /// Returns the largest half extent of the two bodies.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Returns the cores if both are boxes.
    pub fn boxes(&self) -> Option<Boxes> {
        Some(Boxes {
            half_a: self.a.half_extents()?,
            half_b: self.b.half_extents()?,
            rotation: self.rotation,
            offset: self.origin_b,
        })
    }

    /// Returns what is to be added to a signed distance of the swept cores.
    pub fn shift(&self) -> f64 {
        self.sweep - self.margins[0] - self.margins[1]
    }

    /// Returns the bracket that always holds, of the bodies: that of the outer balls, and of the centres.
    pub fn ball_bracket(&self) -> [f64; 2] {
        let [a, b] = self.outer_radii;
        let apart = self.center.norm();
        let margins = self.margins[0] + self.margins[1];
        [
            apart - a - b - margins - self.rounding,
            apart - margins + self.rounding,
        ]
    }

    /// Returns the support pair of the cores that are not swept.
    pub fn core_pair(&self, n: &Vector3<f64>) -> SupportPair {
        let (height_a, xa) = self.a.local_support(n);
        let (height_b, xb) = self.b.local_support(&-self.rotation.tr_mul(n));
        SupportPair {
            gap: n.dot(&(self.origin_b + self.center_a)) - height_a - height_b,
            xa: xa - self.center_a,
            xb: self.rotation * xb + self.origin_b,
        }
    }

    /// Whether the point is proven to belong to both cores: one of them has room around it.
    pub fn shares(&self, x: &Vector3<f64>) -> bool {
        if self.sweep > 0.0 {
            return false;
        }
        let gauges = [self.gauge_a(x), self.gauge_b(x)];
        let doubt = |k: usize| self.doubt(self.inner_radii[k]);
        let [a, b] = [&self.a, &self.b].map(ScaledCore::has_true_gauge);
        let roomy = (a && gauges[0] <= 1.0 - doubt(0)) || (b && gauges[1] <= 1.0 - doubt(1));
        roomy && gauges[0] <= 1.0 && gauges[1] <= 1.0
    }

    /// Whether the line of the centres is proven to pass through a common point: the parts of it in both cores are longer
    /// together than the line. A ball of radius r about the centre leaves room η r about a point that is short of the surface by the
    /// share η.
    pub fn centers_prove_overlap(&self) -> bool {
        let apart = self.center.norm();
        let n = center_line(&self.center);
        let reach = |core: &ScaledCore, center: &Vector3<f64>, n: &Vector3<f64>, radius: f64| {
            let doubt = self.doubt(radius);
            if doubt < 1.0 {
                (1.0 - doubt) * core.reach(center, n, radius)
            } else {
                0.0
            }
        };
        let [ra, rb] = self.core_radii;
        let to_a = -self.rotation.tr_mul(&n);
        let a = reach(&self.a, &self.center_a, &n, ra);
        let b = reach(&self.b, &self.center_b, &to_a, rb);
        a + b > apart + self.rounding
    }

    /// Whether one of two points of A's and B's core is proven to be in the other one as well.
    pub fn cross(&self, [xa, xb]: [&Vector3<f64>; 2]) -> bool {
        let [ra, rb] = self.core_radii;
        (self.b.has_true_gauge() && self.gauge_b(xa) <= 1.0 - self.doubt(rb))
            || (self.a.has_true_gauge() && self.gauge_a(xb) <= 1.0 - self.doubt(ra))
    }

    /// Returns the share of a core about a ball of this radius by which rounding may put a point in it that is out.
    fn doubt(&self, radius: f64) -> f64 {
        16.0 * self.rounding / radius.max(f64::MIN_POSITIVE)
    }

    fn slack(&self) -> f64 {
        4.0 * self.rounding
    }
}

impl Pieces for ConvexProblem<'_> {
    const ALIGNED: f64 = ALIGNED;

    fn are_curved(&self) -> bool {
        let curved = [&self.a, &self.b].map(ScaledCore::curved_pieces);
        matches!(curved, [Some(a), Some(b)] if a || b)
    }

    #[inline(always)]
    fn renew(
        &self,
        points: &mut [CsoPoint],
        n: &Vector3<f64>,
        tangents: &[Vector3<f64>; 2],
    ) -> Option<[Form; 3]> {
        let local = |v: &Vector3<f64>| self.rotation.tr_mul(v);
        // The second body is supported along −n, by which its point changes as much the other way.
        let (n_b, tangents_b) = (-local(n), tangents.map(|t| local(&t)));
        let mut forms = [[0.0; 3]; 3];
        for (point, form) in points.iter_mut().zip(&mut forms) {
            let xb = local(&(point.xa + point.z - self.origin_b));
            let (xa, a) = self.a.renewed(&(point.xa + self.center_a), n, tangents)?;
            let (xb, b) = self.b.renewed(&xb, &n_b, &tangents_b)?;
            point.xa = xa - self.center_a;
            point.z = self.rotation * xb + self.origin_b - point.xa;
            *form = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
        }
        Some(forms)
    }

    fn across_face(&self, simplex: &Simplex) -> Option<([CsoPoint; 2], Vector3<f64>)> {
        let [xa, xb] = simplex.witnesses();
        let local_a = |x: &Vector3<f64>| x + self.center_a;
        let local_b = |x: &Vector3<f64>| self.rotation.tr_mul(&(x - self.origin_b));
        if let Some((radius, outwards)) = self.a.round_face(&local_a(&xa)) {
            let n = Vector3::z() * outwards;
            let (height, xb) = (local_a(&xa).z, self.core_pair(&n).xb);
            let ends = diameter(&local_a(&xb), radius, height)?.map(|end| {
                let xa = end - self.center_a;
                CsoPoint { z: xb - xa, xa }
            });
            return Some((ends, n));
        }
        let (radius, outwards) = self.b.round_face(&local_b(&xb))?;
        let n = self.rotation.column(2) * -outwards;
        let (height, xa) = (local_b(&xb).z, self.core_pair(&n).xa);
        let ends = diameter(&local_b(&xa), radius, height)?.map(|end| {
            let xb = self.rotation * end + self.origin_b;
            CsoPoint { z: xb - xa, xa }
        });
        Some((ends, n))
    }
}

/// Returns the ends of the diameter of a round face about z, at a height, that passes below a point; `None` if the point is not over
/// the face.
fn diameter(x: &Vector3<f64>, radius: f64, height: f64) -> Option<[Vector3<f64>; 2]> {
    let off = off_axis(x);
    if off >= radius {
        return None;
    }
    let (cos, sin) = if off > 0.0 {
        (x.x / off, x.y / off)
    } else {
        (1.0, 0.0)
    };
    let end = |radius: f64| Vector3::new(radius * cos, radius * sin, height);
    Some([end(radius), end(-radius)])
}

impl ConvexPair for ConvexProblem<'_> {
    fn support_pair(&self, n: &Vector3<f64>) -> SupportPair {
        let mut pair = self.core_pair(n);
        if self.sweep > 0.0 {
            let swept = n * (self.sweep / n.norm());
            pair.gap -= n.dot(&swept);
            pair.xa += swept;
        }
        pair
    }

    fn center(&self) -> &Vector3<f64> {
        &self.center
    }

    fn inner_radii(&self) -> [f64; 2] {
        self.inner_radii
    }

    /// A quarter of the tolerance, so that the answer still closes after its witnesses were made to face each other.
    fn tolerance(&self) -> f64 {
        0.25 * self.tolerance
    }

    fn rounding(&self) -> f64 {
        self.rounding
    }

    fn gauge_a(&self, x: &Vector3<f64>) -> f64 {
        let slack = if self.sweep > 0.0 || !self.a.has_true_gauge() {
            self.sweep + self.slack()
        } else {
            0.0
        };
        self.a.gauge(&(x + self.center_a), slack)
    }

    fn gauge_b(&self, x: &Vector3<f64>) -> f64 {
        let slack = if self.b.has_true_gauge() {
            0.0
        } else {
            self.slack()
        };
        let local = self.rotation.tr_mul(&(x - self.origin_b));
        self.b.gauge(&local, slack)
    }

    fn smaller_size(&self) -> f64 {
        self.smaller_size
    }

    fn face_axes(&self) -> [Vector3<f64>; 6] {
        let column = |i: usize| self.rotation.column(i).into_owned();
        [
            Vector3::x(),
            Vector3::y(),
            Vector3::z(),
            column(0),
            column(1),
            column(2),
        ]
    }

    /// The depth of a non-convex superovoid is that of its hull.
    fn takes_support_points(&self) -> bool {
        true
    }

    fn rolling_ball(&self) -> f64 {
        self.sweep + self.a.ellipsoid_rolling_radius() + self.b.ellipsoid_rolling_radius()
    }

    fn normal_rounding(&self) -> f64 {
        self.normal_rounding
    }

    fn least_radii_within(&self, _: [f64; ANGLES], _: &Vector3<f64>) -> [f64; ANGLES] {
        [self.rolling_ball(); ANGLES]
    }

    /// Cutting planes do the search.
    fn sharpen(&self, _: &Vector3<f64>, _: f64, _: &mut u32) -> Option<Penetration> {
        None
    }
}
