//! Published contact methods, for comparison with the exact queries.

use super::memory::{Out, read_point};
use super::options::{
    chosen, read_query_options, read_vertex_options, sovo_query_options, sovo_vertex_options,
};
use super::pair::{sovo_contact, sovo_pair_cache};
use super::pose::{read_pose, sovo_pose};
use super::shape::{read_shape, sovo_superovoid};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::{Isometry3, Point3};
use superovoid::published::{
    Jacobian, Scheme, SchemeOptions, iterative_vertex_contact, radial_vertex_contact,
    scheme_contact,
};
use superovoid::{Contact, DepthMode, QueryError, Superovoid, VertexOptions};

/// The four schemes of Goncalves, Bernardino, Jorge and Lopes (2017): a guess, then Newton's method on the
/// common-normal equations.
///
/// UNSTABLE: may change in any release.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_scheme {
    /// The guess is by an octree; Newton's method is on the six coordinates of both points.
    SOVO_SCHEME_OCT_IMPLICIT = 0,
    /// The same with a guess by a quadtree; this is the scheme that the paper recommends.
    SOVO_SCHEME_QUAD_IMPLICIT = 1,
    /// The guess is by a quadtree; Newton's method is on the four surface angles, with tangents of the parametric
    /// form.
    SOVO_SCHEME_QUAD_PARAMETRIC = 2,
    /// The same with Householder tangents.
    SOVO_SCHEME_NTB_PARAMETRIC = 3,
    /// Added to one of the others, this is the scheme as its authors published it: undamped, with one pair of cells
    /// kept on a level and one guess, and its answer believed.
    SOVO_SCHEME_AS_PUBLISHED = 256,
}
use sovo_scheme::*;

/// The source of the Jacobian matrix of a scheme.
///
/// UNSTABLE: may change in any release.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_jacobian {
    /// The derivatives in closed form.
    SOVO_JACOBIAN_ANALYTIC = 0,
    /// Forward differences, as in the paper.
    SOVO_JACOBIAN_FORWARD_DIFFERENCES = 1,
}
use sovo_jacobian::*;

/// Computes the signed distance of two superovoids by a published scheme, for comparison: sovo_pair_contact() is
/// faster, leaves nothing unsolved and proves its distances.
///
/// scheme: a sovo_scheme, SOVO_SCHEME_AS_PUBLISHED added or not. jacobian: a sovo_jacobian. options: NULL for the
/// defaults; the default tolerance is 1e-6 of the largest semi-axis, at which Newton's method stops too, and
/// SOVO_DEPTH_CERTIFIED is an error. cache: NULL, or the cache of the pair, which serves sovo_pair_contact() as well.
///
/// The schemes are local methods. The answer is SOVO_OUTCOME_CERTIFIED where its bracket is closed at the
/// tolerance, SOVO_OUTCOME_CONVERGED where it is a stationary depth, which need not be the least, and
/// otherwise SOVO_OUTCOME_NOT_CONVERGED with a true bracket. With SOVO_SCHEME_AS_PUBLISHED added to the scheme nothing
/// is verified: SOVO_OUTCOME_CONVERGED says that the last step was short, distance and points may be wrong by any amount,
/// and the bracket, which is true, is that of the bounding spheres and need not contain the distance.
///
/// UNSTABLE: may change in any release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_published_scheme_contact(
    scheme: u32,
    jacobian: u32,
    shape_a: *const sovo_superovoid,
    pose_a: *const sovo_pose,
    shape_b: *const sovo_superovoid,
    pose_b: *const sovo_pose,
    options: *const sovo_query_options,
    cache: *mut sovo_pair_cache,
    contact: *mut sovo_contact,
) -> sovo_status {
    guarded(|| {
        let as_published = scheme & SOVO_SCHEME_AS_PUBLISHED as u32 != 0;
        let scheme = scheme_of(scheme & !(SOVO_SCHEME_AS_PUBLISHED as u32))?;
        let jacobian = jacobian_of(jacobian)?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let a = unsafe { read_shape(shape_a, "shape_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_a = unsafe { read_pose(pose_a, "pose_a") }?;
        // SAFETY: As above, the caller guarantees it.
        let b = unsafe { read_shape(shape_b, "shape_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose_b = unsafe { read_pose(pose_b, "pose_b") }?;
        // SAFETY: As above, the caller guarantees it.
        let given = unsafe { read_query_options(options) }?;
        refuse_certified(given.depth)?;
        let options = SchemeOptions {
            scheme,
            jacobian,
            as_published,
            tolerance: given.tolerance,
            max_iterations: given.max_iterations,
            max_distance: given.max_distance,
            ..SchemeOptions::default()
        };
        let out = Out::new(contact, "contact")?;
        let answer = if cache.is_null() {
            scheme_contact(&a, &pose_a, &b, &pose_b, &options, None)?
        } else {
            // SAFETY: As above, the caller guarantees it.
            let mut copy = unsafe { cache.read_unaligned() };
            copy.check()?;
            let warm = Some(copy.contents());
            let answer = scheme_contact(&a, &pose_a, &b, &pose_b, &options, warm)?;
            copy.seal_again();
            // SAFETY: As above, the caller guarantees it.
            unsafe { cache.write_unaligned(copy) };
            answer
        };
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&answer).into()) };
        Ok(())
    })
}

/// Computes the signed distance of a superovoid A and a vertex B, three numbers, metres, world frame, by the
/// iterative geometric method for superellipsoids and vertices, for comparison with sovo_vertex_contact().
///
/// The method is approximate: the answer is SOVO_OUTCOME_CONVERGED where the surface's normal points to the
/// vertex within the tolerance, and SOVO_OUTCOME_NOT_CONVERGED where the iterations ran out. The bracket is
/// true either way.
///
/// options: NULL for the defaults; the default tolerance is 1e-3 of the largest semi-axis, and SOVO_DEPTH_CERTIFIED
/// is an error.
///
/// UNSTABLE: may change in any release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_published_iterative_vertex_contact(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    vertex: *const f64,
    options: *const sovo_vertex_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe {
        vertex_contact(
            shape,
            pose,
            vertex,
            options,
            contact,
            iterative_vertex_contact,
        )
    }
}

/// Computes the surface point of a superovoid A on the ray from its centre through a vertex B, three numbers, metres,
/// world frame, for comparison with sovo_vertex_contact(). The direction of the ray is the answer's normal.
///
/// The radial distance is an upper bound of distance and depth: the outcome is SOVO_OUTCOME_NOT_CONVERGED,
/// with a true bracket.
///
/// options: NULL for the defaults; of these, max_distance has an effect, and SOVO_DEPTH_CERTIFIED is an error.
///
/// UNSTABLE: may change in any release.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_published_radial_vertex_contact(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    vertex: *const f64,
    options: *const sovo_vertex_options,
    contact: *mut sovo_contact,
) -> sovo_status {
    // SAFETY: The caller passes pointers as the header demands, here and below.
    unsafe { vertex_contact(shape, pose, vertex, options, contact, radial_vertex_contact) }
}

type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

/// # Safety
/// The pointers must be as the header demands.
unsafe fn vertex_contact(
    shape: *const sovo_superovoid,
    pose: *const sovo_pose,
    vertex: *const f64,
    options: *const sovo_vertex_options,
    contact: *mut sovo_contact,
    query: VertexQuery,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let shape = unsafe { read_shape(shape, "shape") }?;
        // SAFETY: As above, the caller guarantees it.
        let pose = unsafe { read_pose(pose, "pose") }?;
        // SAFETY: As above, the caller guarantees it.
        let vertex = unsafe { read_point(vertex, "vertex") }?;
        // SAFETY: As above, the caller guarantees it.
        let options = unsafe { read_vertex_options(options) }?;
        refuse_certified(options.depth)?;
        let out = Out::new(contact, "contact")?;
        let answer = query(&shape, &pose, &vertex, &options)?;
        // SAFETY: As above, the caller guarantees it.
        unsafe { out.write((&answer).into()) };
        Ok(())
    })
}

fn scheme_of(number: u32) -> Result<Scheme, Failure> {
    let schemes = [
        (SOVO_SCHEME_OCT_IMPLICIT as u32, Scheme::OctImplicit),
        (SOVO_SCHEME_QUAD_IMPLICIT as u32, Scheme::QuadImplicit),
        (SOVO_SCHEME_QUAD_PARAMETRIC as u32, Scheme::QuadParametric),
        (SOVO_SCHEME_NTB_PARAMETRIC as u32, Scheme::NtbParametric),
    ];
    chosen(number, schemes, "scheme", "sovo_scheme")
}

fn jacobian_of(number: u32) -> Result<Jacobian, Failure> {
    let differences = SOVO_JACOBIAN_FORWARD_DIFFERENCES as u32;
    let jacobians = [
        (SOVO_JACOBIAN_ANALYTIC as u32, Jacobian::Analytic),
        (differences, Jacobian::ForwardDifferences),
    ];
    chosen(number, jacobians, "jacobian", "sovo_jacobian")
}

/// Returns an error for the certified depth, which published methods do not have.
fn refuse_certified(depth: DepthMode) -> Result<(), Failure> {
    match depth {
        DepthMode::Certified => Err(Failure::other(
            SOVO_STATUS_ERROR_OPTION,
            "options->depth: a published method proves no depth; it must not be SOVO_DEPTH_CERTIFIED",
        )),
        _ => Ok(()),
    }
}
