//! `AttachedBody`: what is attached to the links of a robot among obstacles.

use crate::array_output::array;
use crate::poses::numbers;
use crate::state::{Reduced, reduced};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A body that is attached to a link.
#[pyclass(frozen, module = "superovoid")]
pub struct AttachedBody {
    /// Its id.
    #[pyo3(get)]
    id: i64,
    /// The name of the object, which may have several bodies.
    #[pyo3(get)]
    name: String,
    /// The index of the link that carries it.
    #[pyo3(get)]
    link: usize,
    pose: [f64; 7],
}

impl From<superovoid_robot::scene::AttachedBody<'_>> for AttachedBody {
    fn from(body: superovoid_robot::scene::AttachedBody<'_>) -> Self {
        AttachedBody {
            id: body.id.number() as i64,
            name: body.name.to_owned(),
            link: body.link,
            pose: numbers(&body.pose),
        }
    }
}

#[pymethods]
impl AttachedBody {
    /// Its pose in the frame of the link, x y z qx qy qz qw, shape (7,).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[], &[7], self.pose.to_vec())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let me = slf.get();
        reduced(slf, "_restored", (me.id, &me.name, me.link, me.pose))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        id: i64,
        name: String,
        link: usize,
        pose: [f64; 7],
    ) -> Self {
        AttachedBody {
            id,
            name,
            link,
            pose,
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<AttachedBody {} of {:?} on link {}>",
            self.id, self.name, self.link
        )
    }
}
