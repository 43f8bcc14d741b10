//! `Collision`: the collision shapes of a robot's links, as they are compared and where.

use crate::array_output::array;
use crate::poses::numbers;
use crate::state::{Reduced, reduced};
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid_robot::{Geometry, Robot};

/// A collision shape of a link.
#[pyclass(frozen, module = "superovoid")]
pub struct Collision {
    /// The index of its link.
    #[pyo3(get)]
    link: usize,
    /// Its index among the collisions of its link.
    #[pyo3(get)]
    collision: usize,
    /// Its name, if it has one.
    #[pyo3(get)]
    name: Option<String>,
    /// What it is: ``"superovoid"``, or the element of URDF: ``"sphere"``, ``"box"``, ``"cylinder"``, ``"capsule"``, ``"mesh"``.
    #[pyo3(get)]
    kind: String,
    /// Its numbers (metres): the seven parameters, a radius, three edge lengths, radius and length about z, or the scale of
    /// a mesh.
    #[pyo3(get)]
    parameters: Vec<f64>,
    /// The file of a mesh, as it is written in the URDF.
    #[pyo3(get)]
    filename: Option<String>,
    pose: [f64; 7],
}

impl Collision {
    /// Returns the collision shapes of all links, one link after the other.
    pub fn all(robot: &Robot) -> Vec<Collision> {
        let links = robot.links().iter().enumerate();
        let each = links.flat_map(|(link, of)| {
            of.collisions
                .iter()
                .enumerate()
                .map(move |(k, c)| (link, k, c))
        });
        each.map(|(link, collision, c)| {
            let (kind, parameters) = match (&c.superovoid, &c.geometry) {
                (Some(body), _) => (
                    "superovoid",
                    [&body.semi_axes()[..], &body.exponents(), &body.tapers()].concat(),
                ),
                (None, Geometry::Sphere { radius }) => ("sphere", vec![*radius]),
                (None, Geometry::Box { size }) => ("box", size.to_vec()),
                (None, Geometry::Cylinder { radius, length }) => {
                    ("cylinder", vec![*radius, *length])
                }
                (None, Geometry::Capsule { radius, length }) => ("capsule", vec![*radius, *length]),
                (None, Geometry::Mesh { scale, .. }) => ("mesh", scale.to_vec()),
                (None, other) => (other.element(), Vec::new()),
            };
            let filename = match (&c.superovoid, &c.geometry) {
                (None, Geometry::Mesh { filename, .. }) => Some(filename.clone()),
                _ => None,
            };
            Collision {
                link,
                collision,
                name: c.name.clone(),
                kind: kind.to_owned(),
                parameters,
                filename,
                pose: numbers(&c.origin.isometry()),
            }
        })
        .collect()
    }
}

#[pymethods]
impl Collision {
    /// Its pose in the frame of the link, x y z qx qy qz qw, shape (7,).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[], &[7], self.pose.to_vec())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let me = slf.get();
        let (name, kind, parameters) = (&me.name, &me.kind, &me.parameters);
        let of = (
            me.link,
            me.collision,
            name,
            kind,
            parameters,
            &me.filename,
            me.pose,
        );
        reduced(slf, "_restored", of)
    }

    /// Makes again what was pickled.
    #[classmethod]
    #[allow(clippy::too_many_arguments)]
    fn _restored(
        _: &Bound<'_, PyType>,
        link: usize,
        collision: usize,
        name: Option<String>,
        kind: String,
        parameters: Vec<f64>,
        filename: Option<String>,
        pose: [f64; 7],
    ) -> Self {
        Collision {
            link,
            collision,
            name,
            kind,
            parameters,
            filename,
            pose,
        }
    }

    fn __repr__(&self) -> String {
        format!(
            "<Collision {} of link {}: {} {:?}>",
            self.collision, self.link, self.kind, self.parameters
        )
    }
}
