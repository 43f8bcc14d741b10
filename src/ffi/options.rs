//! Options of the queries.

use super::memory::{Plain, Versioned, read_sized};
use super::status::{Failure, sovo_status::*};
use crate::{DepthMode, QueryOptions, VertexOptions};

/// How the depth of overlapping bodies is found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_depth {
    /// The least depth in nearly every case, its bracket open.
    SOVO_DEPTH_FAST = 0,
    /// Branch and bound over all directions: the bracket closes to 1e-6 of the larger body, or at the
    /// tolerance if that is larger. Convex bodies only. Needs about 250 kB of stack.
    SOVO_DEPTH_CERTIFIED = 1,
}
use sovo_depth::*;

/// What a query is asked for. Fields that are zero mean the default, and so does a NULL in place of
/// the whole struct. Start from
///
///   sovo_query_options options = { sizeof options };      or SOVO_QUERY_OPTIONS_INIT
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_query_options {
    /// sizeof(sovo_query_options).
    pub size: usize,
    /// A sovo_depth.
    pub depth: u32,
    /// Newton iterations of one start. 0: 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Widest bracket, metres, of an answer that counts as certified. 0: 1e-9 of the largest
    /// semi-axis.
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
        depth: 0,
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
    /// A sovo_depth: how long the depth of points inside convex bodies is searched for,
    /// SOVO_DEPTH_CERTIFIED in 2048 directions instead of 512.
    pub depth: u32,
    /// Newton iterations of one start. 0: 50. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// Widest bracket, metres, of an answer that counts as certified. 0: 1e-10 of the largest semi-axis.
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
        depth: 0,
        max_iterations: 0,
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
    Ok(VertexOptions {
        tolerance: options.tolerance,
        max_iterations: or_default(options.max_iterations, default.max_iterations),
        max_distance: unlimited(options.max_distance),
        depth: depth(options.depth)?,
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
            SOVO_STATUS_ERROR_OPTION,
            format!("{field} = {number}: not a {kind}"),
        )
    })
}

/// Fields that are 0 or 1.
pub(super) fn switch(number: u32, field: &str) -> Result<bool, Failure> {
    match number {
        0 | 1 => Ok(number == 1),
        _ => Err(Failure::other(
            SOVO_STATUS_ERROR_OPTION,
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
        SOVO_STATUS_ERROR_OPTION,
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
