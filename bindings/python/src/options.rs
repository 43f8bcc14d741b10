//! Options that several queries share.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use superovoid::{DepthMode, QueryOptions};

/// Returns the mode of depths of that name.
pub fn depth_mode(name: &str) -> PyResult<DepthMode> {
    match name {
        "fast" => Ok(DepthMode::Fast),
        "certified" => Ok(DepthMode::Certified),
        _ => Err(PyValueError::new_err(format!(
            "depth = {name:?}: \"fast\" or \"certified\""
        ))),
    }
}

/// Returns the options of a query of pairs.
pub fn query_options(
    tolerance: f64,
    max_iterations: u32,
    max_distance: f64,
    depth: &str,
) -> PyResult<QueryOptions> {
    Ok(QueryOptions::default()
        .with_tolerance(tolerance)
        .with_max_iterations(max_iterations)
        .with_max_distance(max_distance)
        .with_depth(depth_mode(depth)?))
}
