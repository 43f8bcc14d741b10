//! Two moving bodies as the search sees them.
//!
//! For a unit vector n that stays fixed while the bodies move, the *gap*
//!
//! ```text
//! s(t) = min over points of n·(x_B − x_A) = n·(o_B − o_A) − h_A(R_Aᵀ n) − h_B(−R_Bᵀ n)
//! ```
//!
//! is a lower bound of the signed distance of the bodies (of their hulls) at every instant. Two support functions give
//! it. It is the least of many smooth functions, one for each pair of points, each with
//! a second derivative of at most
//!
//! ```text
//! K = max n·ẍ_B + max (−n)·ẍ_A
//! ```
//!
//! which is all that the proof in [`advance`](crate::motion::advance) needs.

use super::rigid_motion::Motion;
use crate::Superovoid;
use crate::convex::ConvexShape;
use crate::lanes::{dispatch_four_lanes, to_array};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::units::RELATIVE_ROUNDING;
use crate::surface::primal_dual::both;
use crate::surface::support_lanes::Supports;
use crate::surface::support_map::SupportMap;
use fearless_simd::Simd;
use nalgebra::{Isometry3, Vector3};

/// A convex body, or the hull of another, in motion: its support map, and how far that is off.
#[derive(Clone, Copy)]
pub(crate) struct MovingBody<'a> {
    shape: &'a dyn SupportMap,
    /// The radius of a sphere about the body's origin that contains it.
    pub radius: f64,
    /// How far the bound of [`MovingBody::support`] may be above the support function, metres.
    support_error: f64,
    /// By how much the distance query multiplies what sums of lengths round, at least 1.
    steepness: f64,
    /// Whether the body is convex, so that gaps along all directions give its distance.
    is_convex: bool,
    /// Whether rounding leaves the support function accurate enough to bound anything.
    is_provable: bool,
    /// The superovoid whose support function can be taken in lanes, together with another's.
    in_lanes: Option<&'a Superovoid>,
}

/// The relative error of a support function with powers.
const SUPPORT_ACCURACY: f64 = 1e-12;

impl<'a> MovingBody<'a> {
    /// Makes a convex body whose support function rounds by a share of its radius.
    pub fn new(shape: &'a dyn SupportMap, radius: f64, relative_error: f64) -> Self {
        MovingBody {
            shape,
            radius,
            support_error: relative_error * radius,
            steepness: 1.0,
            is_convex: true,
            is_provable: true,
            in_lanes: None,
        }
    }

    /// Makes a body that is not convex, from a support map of its hull.
    pub fn of_hull(shape: &'a dyn SupportMap, radius: f64, relative_error: f64) -> Self {
        MovingBody {
            is_convex: false,
            ..MovingBody::new(shape, radius, relative_error)
        }
    }

    /// Returns an upper bound, as good as rounding permits, of n·x over all points x of the body, in its own frame;
    /// infinite where there is none.
    pub fn support(&self, n: &Vector3<f64>) -> f64 {
        if self.is_provable {
            self.shape.local_support(n).0 + self.support_error
        } else {
            self.radius
        }
    }
}

impl<'a> From<&'a Superovoid> for MovingBody<'a> {
    fn from(shape: &'a Superovoid) -> Self {
        let (is_convex, is_provable) = (shape.is_convex(), shape.traits.provable());
        // Lanes take squares of lengths without a scale.
        let in_lanes = is_convex && is_provable && (1e-100..1e100).contains(&shape.size());
        MovingBody {
            is_convex,
            is_provable,
            in_lanes: in_lanes.then_some(shape),
            ..MovingBody::new(shape, shape.outer_radius, SUPPORT_ACCURACY)
        }
    }
}

/// Of a body that is not convex the support map is that of its hull.
impl<'a> From<&'a ConvexShape> for MovingBody<'a> {
    fn from(shape: &'a ConvexShape) -> Self {
        let relative_error = if shape.has_powers() {
            SUPPORT_ACCURACY
        } else {
            8.0 * f64::EPSILON
        };
        MovingBody {
            // The rounding of the convex query is multiplied by it.
            steepness: shape.steepest().clamp(1.0, 4.0),
            is_convex: shape.hollow_ovoid().is_none(),
            is_provable: shape.is_provable(),
            ..MovingBody::new(shape, shape.outer_radius(), relative_error)
        }
    }
}

/// A distance query of two bodies at their poses. It returns their contact; the bracket is proven, and closed to the
/// tolerance (metres) if that can be. It may keep what it learns from one call to the next.
pub(crate) type ContactQuery<'a> =
    dyn FnMut(&Isometry3<f64>, &Isometry3<f64>, f64) -> Result<Contact, QueryError> + 'a;

/// Two moving bodies, A and B, and how their distance is queried.
pub(crate) struct MovingPair<'a> {
    pub bodies: [MovingBody<'a>; 2],
    pub motions: [&'a Motion; 2],
    pub query: &'a mut ContactQuery<'a>,
}

/// The bodies at an instant.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPair {
    pub t: f64,
    poses: [Isometry3<f64>; 2],
}

impl MovingPair<'_> {
    /// Returns the bodies at an instant.
    pub fn at(&self, t: f64) -> PlacedPair {
        PlacedPair {
            t,
            poses: self.motions.map(|motion| motion.pose(t)),
        }
    }

    /// Returns the contact at an instant, its bracket closed to the tolerance if that can be.
    pub fn contact(&mut self, placed: &PlacedPair, tolerance: f64) -> Result<Contact, QueryError> {
        let [pose_a, pose_b] = &placed.poses;
        (self.query)(pose_a, pose_b, tolerance)
    }

    /// Whether both bodies are convex.
    pub fn are_convex(&self) -> bool {
        self.bodies.iter().all(|body| body.is_convex)
    }

    /// Returns upper bounds of n·x over the points of A and of m·x over those of B, each in the body's own frame.
    fn supports(&self, n: &Vector3<f64>, m: &Vector3<f64>) -> [f64; 2] {
        let [a, b] = &self.bodies;
        let (Some(of_a), Some(of_b)) = (a.in_lanes, b.in_lanes) else {
            return [a.support(n), b.support(m)];
        };
        let [h_a, h_b] = dispatch_four_lanes!(simd => support_values(simd, of_a, of_b, n, m));
        [h_a + a.support_error, h_b + b.support_error]
    }

    /// Returns a lower bound of the gap along a unit vector, which points from A to B, at an instant; it is −∞ if there
    /// is none. `rounding` is [`MovingPair::rounding`].
    pub fn gap(&self, n: &Vector3<f64>, placed: &PlacedPair, rounding: f64) -> f64 {
        let [pose_a, pose_b] = &placed.poses;
        let in_a = pose_a.rotation.inverse_transform_vector(n);
        let in_b = pose_b.rotation.inverse_transform_vector(&-n);
        let [h_a, h_b] = self.supports(&in_a, &in_b);
        let offset = pose_b.translation.vector - pose_a.translation.vector;
        let gap = n.dot(&offset) - h_a - h_b - rounding;
        if gap.is_nan() { f64::NEG_INFINITY } else { gap }
    }

    /// Returns an upper bound of the second derivatives of the gap between two instants, at least 0.
    pub fn bend(&self, n: &Vector3<f64>, between: [f64; 2]) -> f64 {
        let [radius_a, radius_b] = self.bodies.map(|body| body.radius);
        let [motion_a, motion_b] = self.motions;
        let of_b = motion_b.acceleration(n, radius_b, between);
        let of_a = motion_a.acceleration(&-n, radius_a, between);
        // The rounding of a bound from a few operations.
        (of_a + of_b).max(0.0) * (1.0 + 1e-12)
    }

    /// Returns the derivative of the distance by time at a contact.
    pub fn approach(&self, contact: &Contact, placed: &PlacedPair) -> f64 {
        let ([pose_a, pose_b], t) = (&placed.poses, placed.t);
        let [motion_a, motion_b] = self.motions;
        let of_a = motion_a.velocity(t, pose_a, &contact.point_a);
        let of_b = motion_b.velocity(t, pose_b, &contact.point_b);
        contact.normal.dot(&(of_b - of_a))
    }

    /// Returns an upper bound of the speed at which the distance changes.
    pub fn speed(&self) -> f64 {
        let [radius_a, radius_b] = self.bodies.map(|body| body.radius);
        let [motion_a, motion_b] = self.motions;
        (motion_a.speed(radius_a) + motion_b.speed(radius_b)) * (1.0 + 1e-12)
    }

    /// Returns the least tolerance that rounding allows, metres, for bodies that count as touching at a distance.
    ///
    /// Three things limit it, and each follows from sizes, coordinates and paths alone:
    ///
    /// - the poses and with them the gaps, by [`MovingPair::rounding`] R. Every step is 16 R or more;
    /// - the bounds of the support functions, which take their error off a gap at which bodies touch;
    /// - the distance query. Bodies of radii a and b about their origins that are m apart have origins that are at most
    ///   ρ + m apart, ρ = a + b, so that the lengths that a query adds up are at most 3 ρ + m, and what it rounds is at
    ///   most r = 8 ε (3 ρ + m), times the steepness. It proves a common point where the depth is at least 12 r, of which
    ///   8 r are room about the point, or in hard cases 32 r. A search looks for touch at 0.2 to 0.8 of the tolerance, so
    ///   that 64 r are enough; and a quarter of it is the 16 r to which queries close their brackets.
    pub fn attainable_tolerance(&self, min_separation: f64) -> f64 {
        let [radius_a, radius_b] = self.bodies.map(|body| body.radius);
        let lengths = 3.0 * (radius_a + radius_b) + min_separation;
        let [a, b] = &self.bodies;
        let of_query = RELATIVE_ROUNDING * lengths * a.steepness.max(b.steepness);
        let support_errors = a.support_error + b.support_error;
        16.0 * self.rounding() + 8.0 * support_errors + 64.0 * of_query
    }

    /// Returns what rounding can change of a gap, metres.
    pub fn rounding(&self) -> f64 {
        let [radius_a, radius_b] = self.bodies.map(|body| body.radius);
        self.motions[0].rounding(radius_a) + self.motions[1].rounding(radius_b)
    }
}

#[inline(always)]
fn support_values<S: Simd>(
    simd: S,
    a: &Superovoid,
    b: &Superovoid,
    n: &Vector3<f64>,
    m: &Vector3<f64>,
) -> [f64; 2] {
    let supports = Supports::of_pair(simd, a, b);
    to_array(
        supports
            .support(&both(simd, &(*n).into(), &(*m).into()))
            .value,
    )
}
