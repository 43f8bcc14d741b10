//! `WorldContacts` and `ClothContacts`: what pressed in the last frame of a simulation.

use crate::array_output::array;
use crate::state::{self, Reduced, Table, reduced};
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid_sim::{ClothContactPoint, ContactPoint};

/// The points at which bodies pressed on each other in the last frame: a row for each. Vectors are in the world frame. The
/// linear momentum of a body changes in a frame by gravity and by these impulses.
#[pyclass(frozen, module = "superovoid")]
pub struct WorldContacts {
    pub all: Vec<ContactPoint>,
}

impl WorldContacts {
    fn vectors<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ContactPoint) -> [f64; 3],
    ) -> PyResult<Bound<'py, PyAny>> {
        state::table(py, self.all.iter().map(of))
    }

    fn numbers<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ContactPoint) -> f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        array(
            py,
            &[self.all.len()],
            &[],
            self.all.iter().map(of).collect(),
        )
    }
}

#[pymethods]
impl WorldContacts {
    /// The indices of the bodies A and B in the scene, A's the smaller one, int64, shape (rows, 2).
    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        state::table(py, self.all.iter().map(|row| row.bodies.map(|k| k as i64)))
    }

    /// The points on the surfaces of A at the end of the frame, metres, float64, shape (rows, 3).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.point_a)
    }

    /// The points on the surfaces of B, metres, float64, shape (rows, 3).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.point_b)
    }

    /// The unit normals from A to B, float64, shape (rows, 3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.normal)
    }

    /// The distances from A to B along the normals, metres, negative in overlap, float64, shape (rows,). Bodies rest at the
    /// skin of the scene's settings from each other.
    #[getter]
    fn distance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, |row| row.distance)
    }

    /// The impulses on B, normal part and friction together, summed over the substeps of the frame, N s, float64, shape
    /// (rows, 3). A has the opposite.
    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.impulse)
    }

    /// The parts of the impulses along the normals, N s, float64, shape (rows,).
    #[getter]
    fn normal_impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, ContactPoint::normal_impulse)
    }

    /// The angular impulses on B, those of rolling friction, N m s, float64, shape (rows, 3). A has the opposite.
    #[getter]
    fn angular_impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.angular_impulse)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let numbers = |row: &ContactPoint| {
            let mut numbers = [row.distance; 16];
            let vectors = [
                row.point_a,
                row.point_b,
                row.normal,
                row.impulse,
                row.angular_impulse,
            ];
            numbers[1..].copy_from_slice(vectors.as_flattened());
            numbers
        };
        let numbers = state::table(py, me.all.iter().map(numbers))?;
        reduced(slf, "_restored", (me.bodies(py)?, numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        bodies: Table<2, i64>,
        numbers: Table<16>,
    ) -> PyResult<Self> {
        let all = bodies.with(&numbers, |bodies, row| {
            let vector = |k: usize| [row[3 * k + 1], row[3 * k + 2], row[3 * k + 3]];
            let mut point = ContactPoint::default();
            point.bodies = bodies.map(|k| k as usize);
            point.distance = row[0];
            point.point_a = vector(0);
            point.point_b = vector(1);
            point.normal = vector(2);
            point.impulse = vector(3);
            point.angular_impulse = vector(4);
            Ok(point)
        })?;
        Ok(WorldContacts { all })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __repr__(&self) -> String {
        format!("<WorldContacts: {}>", self.all.len())
    }
}

/// The vertices of cloths that pressed on bodies in the last frame: a row for each. Vectors are in the world frame. What presses
/// on a triangle is shared by its three vertices.
#[pyclass(frozen, module = "superovoid")]
pub struct ClothContacts {
    pub all: Vec<ClothContactPoint>,
}

impl ClothContacts {
    fn vectors<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ClothContactPoint) -> [f64; 3],
    ) -> PyResult<Bound<'py, PyAny>> {
        state::table(py, self.all.iter().map(of))
    }

    fn indices<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ClothContactPoint) -> usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|row| of(row) as i64).collect();
        array(py, &[self.all.len()], &[], all)
    }
}

#[pymethods]
impl ClothContacts {
    /// The indices of the cloths in the scene, int64, shape (rows,).
    #[getter]
    fn cloth<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.indices(py, |row| row.cloth)
    }

    /// The indices of the vertices in their cloths, int64, shape (rows,).
    #[getter]
    fn vertex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.indices(py, |row| row.vertex)
    }

    /// The indices of the bodies in the scene, int64, shape (rows,).
    #[getter]
    fn body<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.indices(py, |row| row.body)
    }

    /// The vertices at the end of the frame, metres, float64, shape (rows, 3).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.point)
    }

    /// The unit normals out of the bodies, float64, shape (rows, 3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.normal)
    }

    /// The impulses on the vertices, normal part and friction together, summed over the substeps of the frame, N s, float64,
    /// shape (rows, 3). The body has the opposite.
    #[getter]
    fn impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.vectors(py, |row| row.impulse)
    }

    /// The parts of the impulses along the normals, N s, float64, shape (rows,).
    #[getter]
    fn normal_impulse<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(ClothContactPoint::normal_impulse);
        array(py, &[self.all.len()], &[], all.collect())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let places = |row: &ClothContactPoint| [row.cloth, row.vertex, row.body].map(|k| k as i64);
        let places = state::table(py, me.all.iter().map(places))?;
        let numbers = |row: &ClothContactPoint| {
            let mut numbers = [0.0; 9];
            numbers.copy_from_slice([row.point, row.normal, row.impulse].as_flattened());
            numbers
        };
        let numbers = state::table(py, me.all.iter().map(numbers))?;
        reduced(slf, "_restored", (places, numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(
        _: &Bound<'_, PyType>,
        places: Table<3, i64>,
        numbers: Table<9>,
    ) -> PyResult<Self> {
        let all = places.with(&numbers, |places, row| {
            let [cloth, vertex, body] = places.map(|k| k as usize);
            let vector = |k: usize| [row[3 * k], row[3 * k + 1], row[3 * k + 2]];
            let mut point = ClothContactPoint::default();
            [point.cloth, point.vertex, point.body] = [cloth, vertex, body];
            [point.point, point.normal, point.impulse] = [0, 1, 2].map(vector);
            Ok(point)
        })?;
        Ok(ClothContacts { all })
    }

    fn __len__(&self) -> usize {
        self.all.len()
    }

    fn __repr__(&self) -> String {
        format!("<ClothContacts: {}>", self.all.len())
    }
}
