//! The options of the queries.

use super::memory::{Plain, Versioned, read_sized, size_through};
use super::status::{Failure, sovo_status::*};
use std::time::Duration;
use superovoid::internals::validate_options;
use superovoid::{DepthMode, QueryOptions, VertexOptions};
use superovoid_robot::scene::SceneOptions;

/// The way in which the depth of overlapping bodies is found.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum sovo_depth {
    /// A fast search finds the least depth in nearly every case, with an open bracket.
    SOVO_DEPTH_FAST = 0,
    /// A branch and bound over all directions closes the bracket to 1e-6 of the larger body, or to the tolerance if
    /// that is larger. It is for convex bodies only, and needs about 250 kB of stack.
    SOVO_DEPTH_CERTIFIED = 1,
    /// Only whether the bodies overlap counts: as soon as that is proven, the depth is not looked for. The distance is then minus the
    /// length of some translation that separates the two bodies, or of meshes, sets of boxes and terrain the first two parts that
    /// overlap, and the lower bound is theirs; the witness points need not be on the surfaces.
    SOVO_DEPTH_ANY = 2,
}
use sovo_depth::*;

/// The options of a query; NULL in place of the whole struct means the defaults. Start from
///
///   sovo_query_options options = SOVO_QUERY_OPTIONS_INIT;
///
/// In all fields but max_distance zero means the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_query_options {
    /// The size, sizeof(sovo_query_options).
    pub size: usize,
    /// The depth mode, a sovo_depth.
    pub depth: u32,
    /// The number of Newton iterations of one start; 0 means 30. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// The widest bracket, metres, of an answer that counts as certified; 0 means 1e-9 of the largest semi-axis.
    pub tolerance: f64,
    /// The distance, metres, at which the query stops because the bodies are proven to be farther apart: 0 tells only
    /// whether they are apart, INFINITY, the default, is no limit. A negative one, which scenes and robots refuse, stops
    /// where the bodies are proven to overlap by no more than that.
    pub max_distance: f64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_query_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_query_options {
    const DEFAULT: Self = sovo_query_options {
        size: 0,
        depth: 0,
        max_iterations: 0,
        tolerance: 0.0,
        max_distance: f64::INFINITY,
    };
    const FIRST: usize = size_through!(sovo_query_options.max_distance: f64);
}

/// The options of a vertex query; NULL in place of the whole struct means the defaults. Start from
/// SOVO_VERTEX_OPTIONS_INIT. In all fields but max_distance zero means the default.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct sovo_vertex_options {
    /// The size, sizeof(sovo_vertex_options).
    pub size: usize,
    /// The depth mode, a sovo_depth: the effort of the search for the depth of points inside convex bodies.
    /// SOVO_DEPTH_CERTIFIED takes up to 2048 directions instead of 512.
    pub depth: u32,
    /// The number of Newton iterations of one start; 0 means 50. More than 1000 count as 1000.
    pub max_iterations: u32,
    /// The widest bracket, metres, of an answer that counts as certified; 0 means 1e-10 of the largest semi-axis.
    pub tolerance: f64,
    /// The distance, metres, at which the query stops because the point is proven to be farther away; INFINITY, the
    /// default, is no limit.
    pub max_distance: f64,
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_vertex_options {}
// SAFETY: The first field is the size.
unsafe impl Versioned for sovo_vertex_options {
    const DEFAULT: Self = sovo_vertex_options {
        size: 0,
        depth: 0,
        max_iterations: 0,
        tolerance: 0.0,
        max_distance: f64::INFINITY,
    };
    const FIRST: usize = size_through!(sovo_vertex_options.max_distance: f64);
}

/// # Safety
/// The requirements are those of [`read_sized`].
#[inline]
pub(super) unsafe fn read_query_options(
    pointer: *const sovo_query_options,
) -> Result<QueryOptions, Failure> {
    // SAFETY: The caller guarantees it.
    match unsafe { read_sized(pointer, "options") }? {
        None => Ok(QueryOptions::default()),
        Some(options) => query_options(&options),
    }
}

/// Reads the options of a scene's query.
///
/// # Safety
/// The requirements are those of [`read_sized`].
pub(super) unsafe fn read_scene_options(
    pointer: *const sovo_query_options,
) -> Result<SceneOptions, Failure> {
    // SAFETY: The caller guarantees it.
    let query = unsafe { read_query_options(pointer) }?;
    let max_distance = query.max_distance;
    Ok(SceneOptions::default()
        .with_max_distance(max_distance)
        .with_query(query))
}

/// Returns the options that the fields describe; the size is ignored.
#[inline]
pub(super) fn query_options(options: &sovo_query_options) -> Result<QueryOptions, Failure> {
    let default = QueryOptions::default();
    Ok(QueryOptions::default()
        .with_tolerance(options.tolerance)
        .with_max_iterations(or_default(options.max_iterations, default.max_iterations))
        .with_max_distance(options.max_distance)
        .with_depth(depth(options.depth)?))
}

/// # Safety
/// The requirements are those of [`read_sized`].
#[inline]
pub(super) unsafe fn read_vertex_options(
    pointer: *const sovo_vertex_options,
) -> Result<VertexOptions, Failure> {
    let default = VertexOptions::default();
    // SAFETY: The caller guarantees it.
    let Some(options) = (unsafe { read_sized(pointer, "options") })? else {
        return Ok(default);
    };
    Ok(VertexOptions::default()
        .with_tolerance(options.tolerance)
        .with_max_iterations(or_default(options.max_iterations, default.max_iterations))
        .with_max_distance(options.max_distance)
        .with_depth(depth(options.depth)?))
}

/// The options of a query of bodies, checked, which may be a query of a vertex.
pub(super) struct Options {
    pub query: QueryOptions,
    given: sovo_query_options,
}

impl Options {
    /// Returns the options of a query of a vertex.
    pub fn vertex(&self) -> VertexOptions {
        let default = VertexOptions::default().max_iterations;
        VertexOptions::default()
            .with_tolerance(self.query.tolerance)
            .with_max_iterations(or_default(self.given.max_iterations, default))
            .with_max_distance(self.query.max_distance)
            .with_depth(self.query.depth)
    }
}

/// # Safety
/// The requirements are those of [`read_sized`].
#[inline]
pub(super) unsafe fn read_options(pointer: *const sovo_query_options) -> Result<Options, Failure> {
    // SAFETY: The caller guarantees it.
    let given = unsafe { read_sized(pointer, "options") }?;
    let given = given.unwrap_or(sovo_query_options::DEFAULT);
    let query = query_options(&given)?;
    validate_options(&query)?;
    Ok(Options { query, given })
}

fn depth(number: u32) -> Result<DepthMode, Failure> {
    let depths = [
        (SOVO_DEPTH_FAST as u32, DepthMode::Fast),
        (SOVO_DEPTH_CERTIFIED as u32, DepthMode::Certified),
        (SOVO_DEPTH_ANY as u32, DepthMode::Any),
    ];
    chosen(number, depths, "options->depth", "sovo_depth")
}

/// Returns the value of an enum for a number, or an error.
#[inline]
pub(super) fn chosen<T, const N: usize>(
    number: u32,
    choices: [(u32, T); N],
    field: &str,
    kind: &str,
) -> Result<T, Failure> {
    let choice = choices.into_iter().find(|(value, _)| *value == number);
    choice
        .map(|(_, meaning)| meaning)
        .ok_or_else(|| no_choice(number, field, kind))
}

/// Returns the error of a number that stands for nothing.
#[cold]
pub(super) fn no_choice(number: u32, field: &str, kind: &str) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_OPTION,
        format!("{field} = {number}: not a {kind}"),
    )
}

/// Reads a field that is 0 or 1.
pub(super) fn switch(number: u32, field: &str) -> Result<bool, Failure> {
    match number {
        0 | 1 => Ok(number == 1),
        _ => Err(Failure::other(
            SOVO_STATUS_ERROR_OPTION,
            format!("{field} = {number}: it must be 0 or 1"),
        )),
    }
}

/// Returns an error for reserved fields that are not 0.
#[inline]
pub(super) fn zero(reserved: u32, field: &str) -> Result<(), Failure> {
    if reserved == 0 {
        Ok(())
    } else {
        Err(not_zero(reserved, field))
    }
}

#[cold]
fn not_zero(reserved: u32, field: &str) -> Failure {
    Failure::other(
        SOVO_STATUS_ERROR_OPTION,
        format!("{field} = {reserved}: it must be 0"),
    )
}

fn or_default(iterations: u32, default: u32) -> u32 {
    if iterations == 0 { default } else { iterations }
}

/// Returns the limit of time; 0 and more seconds than a clock counts are none.
pub(super) fn time_limit(seconds: f64) -> Result<Option<Duration>, Failure> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(Failure::other(
            SOVO_STATUS_ERROR_OPTION,
            format!("options->max_time = {seconds}: it must be at least 0"),
        ));
    }
    if seconds == 0.0 {
        return Ok(None);
    }
    Ok(Duration::try_from_secs_f64(seconds).ok())
}
