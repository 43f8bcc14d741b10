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

use super::trajectory::Trajectory;
use crate::Superovoid;
use crate::lanes::{dispatch_four_lanes, to_array};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::units::RELATIVE_ROUNDING;
use crate::surface::primal_dual::both;
use crate::surface::support_lanes::Supports;
use fearless_simd::Simd;
use nalgebra::{Isometry3, Vector3};

/// A convex body, or the hull of another, by its support function.
pub(crate) trait ConvexBody {
    /// Returns an upper bound, as good as rounding permits, of n·x over all points x of the body, in its own frame;
    /// infinite where there is none.
    fn support(&self, n: &Vector3<f64>) -> f64;

    /// Returns the radius of a sphere about the body's origin that contains it.
    fn radius(&self) -> f64;

    /// Returns how far the bound of [`ConvexBody::support`] may be above the support function, metres.
    fn support_error(&self) -> f64;

    /// Returns by how much the distance query multiplies what sums of lengths round, at least 1.
    fn steepness(&self) -> f64 {
        1.0
    }

    /// Whether the body is convex, so that gaps along all directions give its distance.
    fn is_convex(&self) -> bool {
        true
    }
}

/// Two bodies, whose support functions may cost less together than one after the other.
pub(crate) trait BodyPair {
    /// Returns upper bounds of n·x over the points of A and of m·x over those of B, each in the body's own frame, as
    /// [`ConvexBody::support`] does.
    fn supports(&self, n: &Vector3<f64>, m: &Vector3<f64>) -> [f64; 2];

    /// Returns the radii of spheres about the bodies' origins that contain them.
    fn radii(&self) -> [f64; 2];

    /// Returns the sum of the errors of both support functions, metres.
    fn support_errors(&self) -> f64;

    /// Returns the larger [`ConvexBody::steepness`].
    fn steepness(&self) -> f64;

    /// Whether both bodies are convex.
    fn are_convex(&self) -> bool;
}

impl<A: ConvexBody, B: ConvexBody> BodyPair for (&A, &B) {
    fn supports(&self, n: &Vector3<f64>, m: &Vector3<f64>) -> [f64; 2] {
        [self.0.support(n), self.1.support(m)]
    }

    fn radii(&self) -> [f64; 2] {
        [self.0.radius(), self.1.radius()]
    }

    fn support_errors(&self) -> f64 {
        self.0.support_error() + self.1.support_error()
    }

    fn steepness(&self) -> f64 {
        self.0.steepness().max(self.1.steepness())
    }

    fn are_convex(&self) -> bool {
        self.0.is_convex() && self.1.is_convex()
    }
}

/// Two superovoids, with the support functions of both in the lanes of a vector.
pub(crate) struct Superovoids<'a> {
    pub a: &'a Superovoid,
    pub b: &'a Superovoid,
}

impl BodyPair for Superovoids<'_> {
    fn supports(&self, n: &Vector3<f64>, m: &Vector3<f64>) -> [f64; 2] {
        let (a, b) = (self.a, self.b);
        // Lanes take squares of lengths without a scale.
        let scaled = |shape: &Superovoid| (1e-100..1e100).contains(&shape.size());
        if !(self.are_convex() && a.traits.both(b.traits).provable() && scaled(a) && scaled(b)) {
            return (a, b).supports(n, m);
        }
        let [of_a, of_b] = dispatch_four_lanes!(simd => support_values(simd, a, b, n, m));
        [
            of_a + SUPPORT_ACCURACY * a.outer_radius,
            of_b + SUPPORT_ACCURACY * b.outer_radius,
        ]
    }

    fn radii(&self) -> [f64; 2] {
        [self.a.outer_radius, self.b.outer_radius]
    }

    fn support_errors(&self) -> f64 {
        self.a.support_error() + self.b.support_error()
    }

    fn steepness(&self) -> f64 {
        1.0
    }

    fn are_convex(&self) -> bool {
        self.a.is_convex() && self.b.is_convex()
    }
}

/// The relative error of a support function.
pub(super) const SUPPORT_ACCURACY: f64 = 1e-12;

impl ConvexBody for Superovoid {
    fn support(&self, n: &Vector3<f64>) -> f64 {
        if !self.traits.provable() {
            return self.outer_radius;
        }
        let (value, _) = self.support_circles(n);
        value + SUPPORT_ACCURACY * self.outer_radius
    }

    fn radius(&self) -> f64 {
        self.outer_radius
    }

    fn support_error(&self) -> f64 {
        SUPPORT_ACCURACY * self.outer_radius
    }

    fn is_convex(&self) -> bool {
        Superovoid::is_convex(self)
    }
}

/// A single point at the origin of its frame.
pub(crate) struct Vertex;

impl ConvexBody for Vertex {
    fn support(&self, _: &Vector3<f64>) -> f64 {
        0.0
    }

    fn radius(&self) -> f64 {
        0.0
    }

    fn support_error(&self) -> f64 {
        0.0
    }
}

/// A distance query of two bodies at their poses. It may keep what it learns from one call to the next.
pub(crate) trait ContactQuery {
    /// Returns the contact of the bodies; its bracket is proven, and closed to the tolerance (metres) if that can be.
    fn contact(
        &mut self,
        pose_a: &Isometry3<f64>,
        pose_b: &Isometry3<f64>,
        tolerance: f64,
    ) -> Result<Contact, QueryError>;
}

impl<F> ContactQuery for F
where
    F: FnMut(&Isometry3<f64>, &Isometry3<f64>, f64) -> Result<Contact, QueryError>,
{
    fn contact(
        &mut self,
        pose_a: &Isometry3<f64>,
        pose_b: &Isometry3<f64>,
        tolerance: f64,
    ) -> Result<Contact, QueryError> {
        self(pose_a, pose_b, tolerance)
    }
}

/// Two moving bodies: A on trajectory `motion_a`, B on trajectory `motion_b`, and how their distance is queried.
pub(crate) struct MovingPair<'a, S, MA, MB, Q> {
    pub bodies: S,
    pub motion_a: &'a MA,
    pub motion_b: &'a MB,
    pub query: Q,
}

/// The bodies at an instant.
#[derive(Clone, Copy)]
pub(crate) struct PlacedPair {
    pub t: f64,
    poses: [Isometry3<f64>; 2],
}

impl<S: BodyPair, MA: Trajectory, MB: Trajectory, Q: ContactQuery> MovingPair<'_, S, MA, MB, Q> {
    /// Returns the bodies at an instant.
    pub fn at(&self, t: f64) -> PlacedPair {
        PlacedPair {
            t,
            poses: [self.motion_a.pose(t), self.motion_b.pose(t)],
        }
    }

    /// Returns the contact at an instant, its bracket closed to the tolerance if that can be.
    pub fn contact(&mut self, placed: &PlacedPair, tolerance: f64) -> Result<Contact, QueryError> {
        let [pose_a, pose_b] = &placed.poses;
        self.query.contact(pose_a, pose_b, tolerance)
    }

    /// Returns a lower bound of the gap along a unit vector, which points from A to B, at an instant; it is −∞ if there
    /// is none. `rounding` is [`MovingPair::rounding`].
    pub fn gap(&self, n: &Vector3<f64>, placed: &PlacedPair, rounding: f64) -> f64 {
        let [pose_a, pose_b] = &placed.poses;
        let in_a = pose_a.rotation.inverse_transform_vector(n);
        let in_b = pose_b.rotation.inverse_transform_vector(&-n);
        let [h_a, h_b] = self.bodies.supports(&in_a, &in_b);
        let offset = pose_b.translation.vector - pose_a.translation.vector;
        let gap = n.dot(&offset) - h_a - h_b - rounding;
        if gap.is_nan() { f64::NEG_INFINITY } else { gap }
    }

    /// Returns an upper bound of the second derivatives of the gap between two instants, at least 0.
    pub fn bend(&self, n: &Vector3<f64>, between: [f64; 2]) -> f64 {
        let [radius_a, radius_b] = self.bodies.radii();
        let of_b = self.motion_b.acceleration(n, radius_b, between);
        let of_a = self.motion_a.acceleration(&-n, radius_a, between);
        // The rounding of a bound from a few operations.
        (of_a + of_b).max(0.0) * (1.0 + 1e-12)
    }

    /// Returns the derivative of the distance by time at a contact.
    pub fn approach(&self, contact: &Contact, placed: &PlacedPair) -> f64 {
        let ([pose_a, pose_b], t) = (&placed.poses, placed.t);
        let of_a = self.motion_a.velocity(t, pose_a, &contact.point_a);
        let of_b = self.motion_b.velocity(t, pose_b, &contact.point_b);
        contact.normal.dot(&(of_b - of_a))
    }

    /// Returns an upper bound of the speed at which the distance changes between two instants.
    pub fn speed(&self, between: [f64; 2]) -> f64 {
        let [radius_a, radius_b] = self.bodies.radii();
        let of_a = self.motion_a.speed(radius_a, between);
        let of_b = self.motion_b.speed(radius_b, between);
        (of_a + of_b) * (1.0 + 1e-12)
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
        let [radius_a, radius_b] = self.bodies.radii();
        let lengths = 3.0 * (radius_a + radius_b) + min_separation;
        let of_query = RELATIVE_ROUNDING * lengths * self.bodies.steepness();
        16.0 * self.rounding() + 8.0 * self.bodies.support_errors() + 64.0 * of_query
    }

    /// Returns what rounding can change of a gap, metres.
    pub fn rounding(&self) -> f64 {
        let [radius_a, radius_b] = self.bodies.radii();
        self.motion_a.rounding(radius_a) + self.motion_b.rounding(radius_b)
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
            .reach(&both(simd, &(*n).into(), &(*m).into()))
            .value,
    )
}
