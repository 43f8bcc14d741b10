//! Options that several queries share.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use superovoid::DepthMode;

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
