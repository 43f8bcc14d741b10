//! Options of the queries.

use super::memory::{Plain, Versioned, read_sized};
use super::status::{Failure, sovo_status::*};
use crate::{DepthMode, Jacobian, Method, QueryOptions, VertexMethod, VertexOptions};

/// Which algorithm answers a query of two superovoids.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_method {
    /// The library's own: faster than the others, leaves nothing unsolved and proves its distances.
    SOVO_METHOD_EXACT = 0,
    /// Scheme of Goncalves et al. 2017: octree guess, Newton on the six coordinates of both points.
    SOVO_METHOD_OCT_IMPLICIT = 1,
    /// The same with a quadtree guess.
    SOVO_METHOD_QUAD_IMPLICIT = 2,
    /// Quadtree guess, Newton on the four surface angles, tangents of the parametric form.
    SOVO_METHOD_QUAD_PARAMETRIC = 3,
    /// The same with Householder tangents.
    SOVO_METHOD_NTB_PARAMETRIC = 4,
}
use sovo_method::*;

/// How the depth of overlapping bodies is found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_depth {
    /// The least depth in nearly every case, its bracket open.
    SOVO_DEPTH_FAST = 0,
    /// Branch and bound over all directions: the bracket closes to 1e-6 of the larger body, or at the
    /// tolerance if that is larger. Convex bodies and SOVO_METHOD_EXACT only. Needs about 250 kB of stack.
    SOVO_DEPTH_CERTIFIED = 1,
}
use sovo_depth::*;

/// How the four schemes get their Jacobian matrix. SOVO_METHOD_EXACT has no use for it.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_jacobian {
    /// In closed form.
    SOVO_JACOBIAN_ANALYTIC = 0,
    /// By forward differences, as in the paper.
    SOVO_JACOBIAN_FORWARD_DIFFERENCES = 1,
}
use sovo_jacobian::*;

/// How the nearest surface point of a vertex is found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_vertex_method {
    /// The nearest surface point, proven.
    SOVO_VERTEX_EXACT = 0,
    /// The iterative geometric method: weighted means of normals and directions. Approximate.
    SOVO_VERTEX_ITERATIVE = 1,
    /// The surface point on the ray from the centre: an upper bound of distance and depth.
    SOVO_VERTEX_RADIAL = 2,
}
use sovo_vertex_method::*;

/// What a query is asked for. Fields that are zero mean the default, and so does a NULL in place of
/// the whole struct. Start from
///
///   sovo_query_options options = { sizeof options };      or SOVO_QUERY_OPTIONS_INIT
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_query_options {
    /// sizeof(sovo_query_options).
    pub size: usize,
    /// A sovo_method. Queries other than those of two superovoids need SOVO_METHOD_EXACT.
    pub method: u32,
    /// A sovo_depth.
    pub depth: u32,
    /// A sovo_jacobian.
    pub jacobian: u32,
    /// Newton iterations of one start. 0: 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Widest bracket, metres, of an answer that counts as certified. 0: 1e-9 of the largest
    /// semi-axis; 1e-6 for the schemes, whose Newton stops at it too.
    pub tolerance: f64,
    /// Stop as soon as the bodies are proven to be farther apart than this, metres. 0: no such limit.
    /// To ask only whether the bodies are apart, use the smallest length that matters, or DBL_MIN.
    pub max_distance: f64,
}

// SAFETY: numbers.
unsafe impl Plain for sovo_query_options {}
// SAFETY: the size comes first.
unsafe impl Versioned for sovo_query_options {
    const ZERO: Self = sovo_query_options {
        size: 0,
        method: 0,
        depth: 0,
        jacobian: 0,
        max_iterations: 0,
        tolerance: 0.0,
        max_distance: 0.0,
    };
}

/// What a vertex query is asked for. Fields that are zero mean the default, and so does a NULL in
/// place of the whole struct. Start from SOVO_VERTEX_OPTIONS_INIT.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_vertex_options {
    /// sizeof(sovo_vertex_options).
    pub size: usize,
    /// A sovo_vertex_method.
    pub method: u32,
    /// A sovo_depth: how long the depth of points inside convex bodies is searched for,
    /// SOVO_DEPTH_CERTIFIED in 2048 directions instead of 512.
    pub depth: u32,
    /// Iterations of the iterative method, or of Newton's method from one start. 0: 50. More than 1000
    /// count as 1000.
    pub max_iterations: u32,
    /// 0.
    pub reserved: u32,
    /// Widest bracket, metres, of an answer that counts as certified; for the iterative method the error
    /// at which it ends. 0: 1e-10 of the largest semi-axis, 1e-3 for the iterative method.
    pub tolerance: f64,
    /// Stop as soon as the point is proven to be farther away than this, metres. 0: no such limit.
    pub max_distance: f64,
}

// SAFETY: numbers.
unsafe impl Plain for sovo_vertex_options {}
// SAFETY: the size comes first.
unsafe impl Versioned for sovo_vertex_options {
    const ZERO: Self = sovo_vertex_options {
        size: 0,
        method: 0,
        depth: 0,
        max_iterations: 0,
        reserved: 0,
        tolerance: 0.0,
        max_distance: 0.0,
    };
}

/// # Safety
/// As [`read_sized`].
#[inline]
pub(super) unsafe fn read_query_options(
    pointer: *const sovo_query_options,
) -> Result<QueryOptions, Failure> {
    // SAFETY: the caller's promise.
    match unsafe { read_sized(pointer, "options") }? {
        None => Ok(QueryOptions::default()),
        Some(options) => query_options(&options),
    }
}

/// What the fields say; the size is not looked at.
#[inline]
pub(super) fn query_options(options: &sovo_query_options) -> Result<QueryOptions, Failure> {
    let default = QueryOptions::default();
    Ok(QueryOptions {
        tolerance: options.tolerance,
        max_iterations: or_default(options.max_iterations, default.max_iterations),
        max_distance: unlimited(options.max_distance),
        depth: depth(options.depth)?,
        method: chosen(
            options.method,
            [
                (SOVO_METHOD_EXACT as u32, Method::Exact),
                (SOVO_METHOD_OCT_IMPLICIT as u32, Method::OctImplicit),
                (SOVO_METHOD_QUAD_IMPLICIT as u32, Method::QuadImplicit),
                (SOVO_METHOD_QUAD_PARAMETRIC as u32, Method::QuadParametric),
                (SOVO_METHOD_NTB_PARAMETRIC as u32, Method::NtbParametric),
            ],
            "options->method",
            "sovo_method",
        )?,
        jacobian: chosen(
            options.jacobian,
            [
                (SOVO_JACOBIAN_ANALYTIC as u32, Jacobian::Analytic),
                (
                    SOVO_JACOBIAN_FORWARD_DIFFERENCES as u32,
                    Jacobian::ForwardDifferences,
                ),
            ],
            "options->jacobian",
            "sovo_jacobian",
        )?,
    })
}

/// # Safety
/// As [`read_sized`].
#[inline]
pub(super) unsafe fn read_vertex_options(
    pointer: *const sovo_vertex_options,
) -> Result<VertexOptions, Failure> {
    let default = VertexOptions::default();
    // SAFETY: the caller's promise.
    let Some(options) = (unsafe { read_sized(pointer, "options") })? else {
        return Ok(default);
    };
    let method = chosen(
        options.method,
        [
            (SOVO_VERTEX_EXACT as u32, VertexMethod::Exact),
            (SOVO_VERTEX_ITERATIVE as u32, VertexMethod::Iterative),
            (SOVO_VERTEX_RADIAL as u32, VertexMethod::Radial),
        ],
        "options->method",
        "sovo_vertex_method",
    )?;
    let depth = depth(options.depth)?;
    if method != VertexMethod::Exact && depth == DepthMode::Certified {
        return Err(Failure::other(
            SOVO_ERROR_OPTION,
            "options->depth: a certified depth needs SOVO_VERTEX_EXACT",
        ));
    }
    zero(options.reserved, "options->reserved")?;
    Ok(VertexOptions {
        method,
        tolerance: options.tolerance,
        max_iterations: or_default(options.max_iterations, default.max_iterations),
        max_distance: unlimited(options.max_distance),
        depth,
    })
}

fn depth(number: u32) -> Result<DepthMode, Failure> {
    let depths = [
        (SOVO_DEPTH_FAST as u32, DepthMode::Fast),
        (SOVO_DEPTH_CERTIFIED as u32, DepthMode::Certified),
    ];
    chosen(number, depths, "options->depth", "sovo_depth")
}

/// What a number stands for among the values of an enum.
#[inline]
pub(super) fn chosen<T, const N: usize>(
    number: u32,
    choices: [(u32, T); N],
    field: &str,
    kind: &str,
) -> Result<T, Failure> {
    let choice = choices.into_iter().find(|(value, _)| *value == number);
    choice.map(|(_, meaning)| meaning).ok_or_else(|| {
        Failure::other(
            SOVO_ERROR_OPTION,
            format!("{field} = {number}: not a {kind}"),
        )
    })
}

/// Fields that are 0 or 1.
pub(super) fn switch(number: u32, field: &str) -> Result<bool, Failure> {
    match number {
        0 | 1 => Ok(number == 1),
        _ => Err(Failure::other(
            SOVO_ERROR_OPTION,
            format!("{field} = {number}: it must be 0 or 1"),
        )),
    }
}

/// Fields that the future may use.
#[inline]
pub(super) fn zero(reserved: u32, field: &str) -> Result<(), Failure> {
    if reserved == 0 {
        return Ok(());
    }
    Err(Failure::other(
        SOVO_ERROR_OPTION,
        format!("{field} = {reserved}: it must be 0"),
    ))
}

fn or_default(iterations: u32, default: u32) -> u32 {
    if iterations == 0 { default } else { iterations }
}

/// Zero means no limit.
pub(super) fn unlimited(max_distance: f64) -> f64 {
    if max_distance == 0.0 {
        f64::INFINITY
    } else {
        max_distance
    }
}
