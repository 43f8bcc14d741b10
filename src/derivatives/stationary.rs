//! The stationary pair of witness points that a contact is about, polished by Newton's method.
//!
//! Lengths are in units of about the larger body's size, the axes are the world's and the origin is A's centre.

use super::axes::{in_plane, to_body};
use super::gradient::NO_ANSWER;
use super::side::{ActiveFeature, ContactSide};
use super::start::state_at;
use super::surface_point::SurfacePoint;
use super::system::ImplicitSystem;
use crate::lanes::dispatch_four_lanes;
use crate::query::error::QueryError;
use crate::query::units::{inverse_of_unit, unit_of_pair};
use crate::surface::primal_dual::{Coordinates, ShapeLanes, Step, SurfacePlace, SurfaceState};
use crate::surface::tangents;
use crate::{Contact, Superovoid};
use fearless_simd::{Simd, SimdInto};
use nalgebra::{Isometry3, Matrix3, Matrix3x2, Point3, Unit, Vector2, Vector3};

/// How far a point of a contact may be off its body, as a share of the body's size.
const MISTAKEN: f64 = 0.05;

/// A contact in units.
pub(super) struct Problem {
    pub shapes: [Superovoid; 2],
    pub rotations: [Matrix3<f64>; 2],
    /// From A's origin to B's.
    pub offset: Vector3<f64>,
    /// The witness points, from A's origin, and the unit normal from A to B.
    pub witnesses: [Vector3<f64>; 2],
    pub normal: Vector3<f64>,
    /// What B is where it is no superovoid.
    pub feature: Option<ActiveFeature>,
    /// Metres per unit.
    pub unit: f64,
}

impl Problem {
    /// The contact of a superovoid with another one, or with a feature; then `b` only sets the unit.
    pub fn new(
        a: &Superovoid,
        pose_a: &Isometry3<f64>,
        b: &Superovoid,
        pose_b: &Isometry3<f64>,
        feature: Option<ActiveFeature>,
        contact: &Contact,
    ) -> Self {
        let unit = unit_of_pair(a, pose_a, b, pose_b);
        let per_unit = inverse_of_unit(unit);
        let origin = pose_a.translation.vector;
        let from_a = |x: Vector3<f64>| (x * 0.5 - origin * 0.5) * per_unit * 2.0;
        let rotation = |pose: &Isometry3<f64>| pose.rotation.to_rotation_matrix().into_inner();
        Problem {
            shapes: [a.scaled(per_unit), b.scaled(per_unit)],
            rotations: [rotation(pose_a), rotation(pose_b)],
            offset: from_a(pose_b.translation.vector),
            witnesses: [contact.point_a, contact.point_b].map(|x| from_a(x.coords)),
            normal: contact.normal.into_inner(),
            feature,
            unit,
        }
    }

    /// The signed distance of the contact, in units.
    pub fn distance(&self) -> f64 {
        (self.witnesses[1] - self.witnesses[0]).dot(&self.normal)
    }

    /// Witness points relative to the origins of their bodies.
    pub fn lever(&self, body: usize, x: &Vector3<f64>) -> Vector3<f64> {
        if body == 0 { *x } else { x - self.offset }
    }

    /// The surface coordinates of the witness points.
    fn states(&self) -> [SurfaceState; 2] {
        let state = |body: usize| {
            let back = |v: Vector3<f64>| to_body(&self.rotations[body], &v);
            let x = back(self.lever(body, &self.witnesses[body]));
            let n = back(if body == 0 { self.normal } else { -self.normal });
            state_at(&self.shapes[body], &x, &n)
        };
        let a = state(0);
        [a, if self.feature.is_some() { a } else { state(1) }]
    }

    /// Whether the witness points are on their bodies. The coordinates of a witness may be far off it where it is one to
    /// the tolerance of the query alone: of a pointed body they amplify what the normal is off.
    #[cold]
    fn are_on_bodies(&self) -> bool {
        let bodies = if self.feature.is_some() { 1 } else { 2 };
        (0..bodies).all(|body| {
            let shape = &self.shapes[body];
            let x = to_body(
                &self.rotations[body],
                &self.lever(body, &self.witnesses[body]),
            );
            let off = (shape.circles_towards(&x).point(shape) - x).norm();
            // At the tip of a taper of 1 there is no number.
            off.is_nan() || off <= MISTAKEN * shape.size()
        })
    }

    /// Whether the surface points are the witness points of the contact, to a share of the bodies' sizes.
    fn are_witnesses(&self, points: &[SurfacePoint; 2], share: f64) -> bool {
        let bodies = if self.feature.is_some() { 1 } else { 2 };
        (0..bodies).all(|body| {
            let off = points[body].x - self.lever(body, &self.witnesses[body]);
            off.norm() <= share * self.shapes[body].size()
        })
    }
}

/// A stationary pair with the linear system of its motions.
pub(super) struct PolishedPair {
    /// Unit normal from A to B, and an orthonormal basis of its plane.
    pub normal: Vector3<f64>,
    pub tangents: Matrix3x2<f64>,
    pub distance: f64,
    pub points: [SurfacePoint; 2],
    pub sides: [ContactSide; 2],
    /// `None` where it is singular.
    pub system: Option<ImplicitSystem>,
    /// How far the derivatives of the points may be off, as a share of them.
    uncertainty: f64,
}

/// The stationary pair of a contact.
///
/// # Errors
/// A witness point that is not on its body: the contact is not an answer for these bodies.
pub(super) fn solve(problem: &Problem) -> Result<PolishedPair, QueryError> {
    let states = problem.states();
    let found = dispatch_four_lanes!(simd => solve_in_lanes(simd, problem, &states));
    found.ok_or(NO_ANSWER)
}

/// Newton's method from surface coordinates that are a solution to within the tolerance of the contact. It ends as soon
/// as what is left is rounding, at once for nearly every contact. A step that does not lead nearer is shortened. Returns
/// `None` where the contact's points are not on the bodies; where the method fails, or leads elsewhere, there is no
/// system.
#[inline(always)]
fn solve_in_lanes<S: Simd>(
    simd: S,
    problem: &Problem,
    states: &[SurfaceState; 2],
) -> Option<PolishedPair> {
    const EVALUATIONS: usize = 24;
    /// What is left of normals and points that counts as rounding.
    const POLISHED: f64 = 1e-13;
    /// What is left where a step without gain has met rounding.
    const ROUNDING: f64 = 1e-10;
    /// What may be left, by rounding of the powers of extreme exponents, for derivatives to exist.
    const ACCEPTED: f64 = 1e-8;
    const SHORTENING: f64 = 0.35;
    /// The uncertainty of the derivatives that calls for further steps.
    const PRECISE: f64 = 1e-9;
    // A feature's lanes hold A once more: lanes cost nothing.
    let [a, b] = &problem.shapes;
    let b = if problem.feature.is_some() { a } else { b };
    let bodies = ShapeLanes::of_pair(simd, a, b, 1.0);
    /// How far a stationary point may be off the witness.
    const ELSEWHERE: f64 = 1e-3;
    let power = steepest_power(a).max(steepest_power(b));
    let mut at = Coordinates::of_pair(simd, states);
    let mut length = 1.0;
    let mut best: Option<(SurfacePlace<_>, PolishedPair, Residual)> = None;
    // The surfaces are evaluated in one place, so that the code is there once.
    for _ in 0..EVALUATIONS {
        let surface = bodies.evaluate(&at);
        let points = [
            SurfacePoint::new(&surface, &problem.rotations[0], 0),
            SurfacePoint::new(&surface, &problem.rotations[1], 1),
        ];
        let (next, residual) = PolishedPair::new(problem, points, power);
        match &best {
            None => {
                if !problem.are_witnesses(&next.points, MISTAKEN) && !problem.are_on_bodies() {
                    return None;
                }
                best = Some((surface.place, next, residual));
            }
            Some((_, _, least)) => {
                if residual.size() < least.size() {
                    length = 1.0;
                    best = Some((surface.place, next, residual));
                } else if least.size() <= ROUNDING {
                    break;
                } else {
                    length *= SHORTENING;
                }
            }
        }
        let Some((place, found, residual)) = &best else {
            break;
        };
        let Some(system) = found
            .system
            .as_ref()
            .filter(|_| residual.size() > POLISHED || found.uncertainty > PRECISE)
        else {
            break;
        };
        let step = system.newton_step(&residual.normals, &residual.offset) * length;
        if !step.iter().all(|y| y.is_finite()) {
            break;
        }
        let around = [step[0], step[2]].simd_into(simd);
        let along = [step[1], step[3]].simd_into(simd);
        let step = Step::new(around, along, [1.0; 2].simd_into(simd));
        at = bodies.advance(place, &step).at;
    }
    let (_, mut found, residual) = best?;
    if residual.size() > ACCEPTED || !problem.are_witnesses(&found.points, ELSEWHERE) {
        found.system = None;
    }
    Some(found)
}

/// What two surface points lack to be a stationary pair, in the tangent plane.
struct Residual {
    /// The sum of the outward normals.
    normals: Vector2<f64>,
    /// The difference of the points.
    offset: Vector2<f64>,
}

impl Residual {
    fn size(&self) -> f64 {
        self.normals.norm() + self.offset.norm()
    }
}

/// The largest power of a body's circles: a step δ along a surface changes curvatures by some power · δ of their size.
fn steepest_power(shape: &Superovoid) -> f64 {
    shape.p.into_iter().chain(shape.q).fold(2.0, f64::max)
}

impl PolishedPair {
    /// The system, where the derivatives that it gives are right to some 1e-7.
    ///
    /// Newton's method leaves a residual, of which rounding is the least; the inverse amplifies it to what the surface
    /// coordinates are off, and so the curvatures, which vary the more the larger the powers of the circles are.
    pub fn exact_system(&self) -> Option<&ImplicitSystem> {
        const EXACT: f64 = 3e-8;
        self.system
            .as_ref()
            .filter(|system| system.is_regular && self.uncertainty <= EXACT)
    }

    /// The contact with the normal and the points of this pair, which answers only to the tolerance of the query; the
    /// contact as it is where the pair has no system. `origin` is that of A.
    pub fn polished(&self, problem: &Problem, origin: &Vector3<f64>, contact: &Contact) -> Contact {
        if self.system.is_none() {
            return *contact;
        }
        let point = |x: &Vector3<f64>| Point3::from(origin + x * problem.unit);
        Contact {
            normal: Unit::new_unchecked(self.normal),
            point_a: point(&self.sides[0].x),
            point_b: point(&self.sides[1].x),
            ..*contact
        }
    }

    #[inline(always)]
    fn new(problem: &Problem, points: [SurfacePoint; 2], power: f64) -> (Self, Residual) {
        /// What is left of normals and points, in units, where they are a pair to rounding.
        const ROUNDING: f64 = 8.0 * f64::EPSILON;
        let [a, b] = &points;
        let (opposite, x_b) = match problem.feature {
            None => (b.normal, b.x + problem.offset),
            Some(feature) => (
                feature.outward_normal(&a.normal),
                feature.nearest(&problem.witnesses[1], &a.x),
            ),
        };
        let normal = (a.normal - opposite).normalize();
        let [t, s] = tangents(&Unit::new_unchecked(normal));
        let tangents = Matrix3x2::from_columns(&[t, s]);
        let side_b = match problem.feature {
            None => ContactSide::of_surface(b, x_b, &tangents),
            Some(feature) => ContactSide::of_feature(feature, x_b, &tangents),
        };
        let sides = [ContactSide::of_surface(a, a.x, &tangents), side_b];
        let difference = x_b - a.x;
        let distance = difference.dot(&normal);
        let residual = Residual {
            normals: in_plane(&tangents, &(a.normal + opposite)),
            offset: in_plane(&tangents, &difference),
        };
        let system = ImplicitSystem::new(&sides[0], &sides[1], distance);
        let amplification = system.as_ref().map_or(0.0, |system| system.amplification);
        let found = PolishedPair {
            normal,
            tangents,
            distance,
            points,
            sides,
            system,
            uncertainty: power * amplification * residual.size().max(ROUNDING),
        };
        (found, residual)
    }
}
