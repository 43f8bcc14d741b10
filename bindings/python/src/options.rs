//! Options that several queries share.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::time::Duration;
use superovoid::{DepthMode, QueryOptions};

/// Returns what has that name; the error names the option and what there is.
pub fn named<T: Copy>(option: &str, name: &str, all: &[(&str, T)]) -> PyResult<T> {
    if let Some((_, found)) = all.iter().find(|(known, _)| *known == name) {
        return Ok(*found);
    }
    let known: Vec<String> = all.iter().map(|(known, _)| format!("{known:?}")).collect();
    let known = known.join(" or ");
    let problem = format!("{option} = {name:?}: {known}");
    Err(PyValueError::new_err(problem))
}

/// Returns the name of what is in the list.
pub fn name_of<T: PartialEq>(value: T, all: &[(&'static str, T)]) -> &'static str {
    let found = all.iter().find(|(_, known)| *known == value);
    found.map_or("", |(name, _)| name)
}

/// Returns the mode of depths of that name.
pub fn depth_mode(name: &str) -> PyResult<DepthMode> {
    let all = [
        ("fast", DepthMode::Fast),
        ("certified", DepthMode::Certified),
        ("any", DepthMode::Any),
    ];
    named("depth", name, &all)
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

/// Takes the argument `max_time`, seconds.
pub fn time_limit(max_time: Option<f64>) -> PyResult<Option<Duration>> {
    let limit = |seconds: f64| {
        let time = Duration::try_from_secs_f64(seconds);
        time.map_err(|error| PyValueError::new_err(format!("max_time = {seconds}: {error}")))
    };
    max_time.map(limit).transpose()
}
