//! How many configurations each step of a robot scene has decided.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use superovoid_robot::scene::RobotScene;

/// The counts of the steps, in the order of `NAMES`.
pub type Counts = [u64; 5];

const NAMES: [&str; 5] = ["bounds", "directions", "hulls", "pieces", "contacts"];

/// Returns the counts since the scene was made or cloned.
pub fn counts(scene: &RobotScene) -> Counts {
    let of = scene.step_counts();
    [of.bounds, of.directions, of.hulls, of.pieces, of.contacts]
}

/// Returns the sums of two counts by their names.
pub fn sums<'py>(py: Python<'py>, a: Counts, b: Counts) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    for ((name, a), b) in NAMES.into_iter().zip(a).zip(b) {
        all.set_item(name, a + b)?;
    }
    Ok(all)
}
