//! The gradient of the signed distance, in closed form from the witness points and the normal.
//!
//! By the envelope theorem only the explicit dependence counts: a motion (v, ω) of a body whose witness point has the
//! lever r from its origin changes the distance by n·(v + ω × r), with the sign of B, and a shape parameter by −∂h/∂θ at
//! the body's own outward normal. In the body's frame, with `G1 = n1 x`, `G2 = n2 y`, `G = G1 + G2`,
//! `Z = n3 z + ζ (tx G1/τx + ty G2/τy)` and λ = G + Z, the four products G1/G, G2/G, G/λ and Z/λ are |ξ|^p1, |η|^p1,
//! |ρ|^p2 and |ζ|^p2. The circles' exponents act by their entropies, so that no power is taken:
//!
//! ```text
//! ∂h/∂a = ( G1/a1, G2/a2, n3 z/a3 )        ∂h/∂tx = G1 ζ/τx,   ∂h/∂ty = G2 ζ/τy
//! ∂h/∂e1 = ½ G ( s ln s + s' ln s' ),  s = G1/G,  s' = G2/G
//! ∂h/∂e2 = ½ λ ( s ln s + s' ln s' ),  s = G/λ,   s' = Z/λ
//! ```

use super::answer::{DerivativeStatus, DistanceGradient, INPUTS, POSE_A, POSE_B, SHAPE_A, SHAPE_B};
use super::axes::to_body;
use crate::lanes::{Lanes, all_finite, dispatch_four_lanes, to_array};
use crate::query::error::QueryError;
use crate::query::validation::validate_poses;
use crate::{Contact, Outcome, Superovoid};
use fearless_simd::{Simd, SimdInto, f64x4};
use nalgebra::{Isometry3, Point3, SVector, Vector3};
use std::f64::consts::LN_2;

/// Returns the gradient of the signed distance at a contact by the motions of A and of B, whose origins are those of
/// `pose_a` and `pose_b`: the first twelve [`INPUTS`]. It holds for a contact of any two bodies and takes a few
/// nanoseconds.
///
/// The result is `None` where the contact is not converged, or beyond the maximum distance. Ties of overlaps are not
/// searched for, see [`distance_gradient`](super::distance_gradient).
pub fn pose_gradient(
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    contact: &Contact,
) -> Option<SVector<f64, 12>> {
    has_derivatives(contact).then(|| {
        let mut gradient = SVector::zeros();
        write_pose_gradient(
            [(pose_a, &contact.point_a), (pose_b, &contact.point_b)],
            &contact.normal,
            &mut gradient,
        );
        gradient
    })
}

/// Returns the gradient at a contact of any two bodies of which at most one is a superovoid, whose ties are not searched for;
/// `None` as [`pose_gradient`], and of an infinite distance.
pub(crate) fn envelope_gradient(
    shapes: [Option<&Superovoid>; 2],
    poses: [&Isometry3<f64>; 2],
    contact: &Contact,
) -> Result<Option<DistanceGradient>, QueryError> {
    let straight = validate_poses(poses[0], poses[1])?;
    let poses = straight.or(poses);
    if !has_derivatives(contact) || contact.distance.is_infinite() {
        return Ok(None);
    }
    validate_contact(contact)?;
    let sided = |side: usize, point| Sided {
        shape: shapes[side],
        pose: poses[side],
        point,
    };
    let bodies = [sided(0, &contact.point_a), sided(1, &contact.point_b)];
    let hollow = |shape: &&Superovoid| !shape.is_convex();
    Ok(Some(DistanceGradient {
        gradient: gradient(bodies, &contact.normal),
        status: DerivativeStatus::Exact,
        local: shapes.iter().flatten().any(hollow),
    }))
}

/// Whether an answer has derivatives: whether its points are stationary.
pub(super) fn has_derivatives(contact: &Contact) -> bool {
    matches!(contact.outcome, Outcome::Certified | Outcome::Converged)
}

/// Returns an error for a contact that no query answers: with numbers that are not finite, or a normal that is not of
/// unit length.
pub(super) fn validate_contact(contact: &Contact) -> Result<(), QueryError> {
    let (a, b, n) = (&contact.point_a, &contact.point_b, &contact.normal);
    let numbers = [
        a.x,
        a.y,
        a.z,
        b.x,
        b.y,
        b.z,
        n.x,
        n.y,
        n.z,
        contact.distance,
    ];
    let unit = (n.norm_squared() - 1.0).abs() <= 1e-6;
    if all_finite(&numbers) && unit {
        Ok(())
    } else {
        Err(NO_ANSWER)
    }
}

/// The error of a contact that no query of the bodies has answered.
pub(super) const NO_ANSWER: QueryError = QueryError::Input {
    name: "contact",
    requirement: "must be the answer of a query of these bodies at these poses",
};

#[inline]
fn write_pose_gradient<const N: usize>(
    bodies: [(&Isometry3<f64>, &Point3<f64>); 2],
    normal: &Vector3<f64>,
    gradient: &mut SVector<f64, N>,
) {
    for (((pose, point), range), sign) in bodies.iter().zip([POSE_A, POSE_B]).zip([-1.0, 1.0]) {
        let torque = (*point - pose.translation.vector).coords.cross(normal);
        for k in 0..3 {
            gradient[range.start + k] = sign * normal[k];
            gradient[range.start + 3 + k] = sign * torque[k];
        }
    }
}

/// A body with its pose and the witness point on it.
pub(super) struct Sided<'a> {
    /// The shape, `None` where the body is no superovoid.
    pub shape: Option<&'a Superovoid>,
    pub pose: &'a Isometry3<f64>,
    pub point: &'a Point3<f64>,
}

/// Returns the gradient by the inputs; `normal` is the unit normal from A to B.
pub(super) fn gradient(bodies: [Sided; 2], normal: &Vector3<f64>) -> SVector<f64, INPUTS> {
    let mut gradient = SVector::zeros();
    let outward = [*normal, -normal];
    let [a, b] = &bodies;
    write_pose_gradient(
        [(a.pose, a.point), (b.pose, b.point)],
        normal,
        &mut gradient,
    );
    let terms = [terms_of(a, &outward[0]), terms_of(b, &outward[1])];
    let mut shares = [[1.0; 4]; 2];
    for (shares, terms) in shares.iter_mut().zip(&terms) {
        if let Some(terms) = terms {
            *shares = terms.shares;
        }
    }
    let entropies = dispatch_four_lanes!(simd => entropies(simd, &shares));
    for ((terms, entropies), range) in terms.iter().zip(entropies).zip([SHAPE_A, SHAPE_B]) {
        if let Some(terms) = terms {
            let [by_e1, by_e2] = [0, 1].map(|k| 0.5 * terms.weights[k] * entropies[k]);
            let [a1, a2, a3] = terms.by_axes;
            let [tx, ty] = terms.by_tapers;
            let by_shape = [a1, a2, a3, by_e1, by_e2, tx, ty];
            for (k, by_parameter) in by_shape.into_iter().enumerate() {
                gradient[range.start + k] = -by_parameter;
            }
        }
    }
    gradient
}

#[inline(always)]
fn terms_of(body: &Sided, outward: &Vector3<f64>) -> Option<SupportTerms> {
    let shape = body.shape?;
    let rotation = body.pose.rotation.to_rotation_matrix().into_inner();
    let x = to_body(
        &rotation,
        &(body.point - body.pose.translation.vector).coords,
    );
    Some(SupportTerms::new(shape, &x, &to_body(&rotation, outward)))
}

/// The derivatives of the support function by the shape, but for the entropies of the circles.
#[derive(Clone, Copy)]
struct SupportTerms {
    by_axes: [f64; 3],
    by_tapers: [f64; 2],
    /// The numbers G and λ.
    weights: [f64; 2],
    /// The shares |ξ|^p1, |η|^p1, |ρ|^p2 and |ζ|^p2.
    shares: [f64; 4],
}

impl SupportTerms {
    #[inline]
    fn new(shape: &Superovoid, x: &Vector3<f64>, n: &Vector3<f64>) -> Self {
        let zeta = x.z / shape.a[2];
        let [tx, ty] = shape.t;
        let (per_tau_x, per_tau_y) = (1.0 / (1.0 + tx * zeta), 1.0 / (1.0 + ty * zeta));
        let (g1, g2, lift) = (n.x * x.x, n.y * x.y, n.z * x.z);
        let by_tapers = [g1 * zeta * per_tau_x, g2 * zeta * per_tau_y];
        let section = g1 + g2;
        let height = lift + tx * by_tapers[0] + ty * by_tapers[1];
        let all = section + height;
        let (per_section, per_all) = (1.0 / not_0(section), 1.0 / not_0(all));
        SupportTerms {
            by_axes: [g1 / shape.a[0], g2 / shape.a[1], lift / shape.a[2]],
            by_tapers,
            weights: [section, all],
            shares: [
                g1 * per_section,
                g2 * per_section,
                section * per_all,
                height * per_all,
            ],
        }
    }
}

/// Returns x, or a tiny number if x is 0.
fn not_0(x: f64) -> f64 {
    if x == 0.0 { f64::MIN_POSITIVE } else { x }
}

/// Returns `s ln s + s' ln s'` of the section and of the profile of both bodies.
#[inline(always)]
fn entropies<S: Simd>(simd: S, shares: &[[f64; 4]; 2]) -> [[f64; 2]; 2] {
    // Not by a closure, which would not be inlined here.
    [
        entropies_of_body(simd, shares[0]),
        entropies_of_body(simd, shares[1]),
    ]
}

#[inline(always)]
fn entropies_of_body<S: Simd>(simd: S, shares: [f64; 4]) -> [f64; 2] {
    let shares: f64x4<S> = shares.simd_into(simd);
    // Rounding can leave a share that vanishes below 0.
    let shares = Lanes::max(shares, Lanes::splat(shares, f64::MIN_POSITIVE));
    let [a, b, c, d] = to_array(shares * Lanes::log2(shares));
    [(a + b) * LN_2, (c + d) * LN_2]
}
