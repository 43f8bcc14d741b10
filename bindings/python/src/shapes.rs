//! `Superovoids`: an array of superovoids.

use crate::array_input::{Index, Rows};
use crate::array_output::array;
use crate::broadcast::{Broadcast, each, fill, place};
use crate::state::{Reduced, Table, reduced_to_new, reduced_to_rows, table};
use nalgebra::{Matrix3, Point3, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid::{Convexity, NonConvexity, Superovoid, TriangleMesh};

/// An array of superovoids, validated once, as all queries take it.
///
/// Parameters
/// ----------
/// parameters : array_like of float64, shape (..., 7)
///     ``a1 a2 a3`` (semi-axes, metres, greater than 0), ``e1 e2`` (exponents, strictly between 0 and 2: 1 is round,
///     towards 0 square, towards 2 pointed), ``tx ty`` (tapers, strictly between -1 and 1). ``e1`` is that of the sections
///     across z, parallel to xOy, ``e2`` that of the profile along z.
///
/// Raises
/// ------
/// ValueError
///     The error names the element, the parameter and its value.
///
/// Notes
/// -----
/// Which exponent is which: a ball has ``e1 = e2 = 1``, a cylinder about z ``e1 = 1`` and ``e2`` towards 0, a box both
/// towards 0, a double cone ``e1 = 1`` and ``e2`` towards 2, a prism of square section with round ends ``e1`` towards 0 and
/// ``e2 = 1``. Barr (1981) and most of the literature on superquadrics have them the other way round: his ``ε1`` (north to
/// south) is ``e2`` here, his ``ε2`` (east to west) ``e1``. LAMMPS has exponents of blockiness, ``n1`` along z and ``n2``
/// across: ``e1 = 2/n2``, ``e2 = 2/n1``.
///
/// An index of NumPy (a number, a slice, a mask, an array of numbers) takes some of the bodies. Queries take an array of
/// parameters as well, which they validate at every call.
#[pyclass(frozen, module = "superovoid")]
pub struct Superovoids {
    pub axes: Vec<usize>,
    pub bodies: Vec<Superovoid>,
}

impl Superovoids {
    fn of_rows(rows: &Rows, name: &str) -> PyResult<Self> {
        let axes = rows.lead().to_vec();
        let count = axes.iter().product();
        let reader = rows.reader(&axes);
        let body = |index: usize| {
            let [a1, a2, a3, e1, e2, tx, ty] = reader.row(index);
            Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty]).map_err(|error| {
                PyValueError::new_err(format!("{name}: {}{error}", place(&axes, index)))
            })
        };
        let bodies = (0..count).map(body).collect::<PyResult<Vec<_>>>()?;
        Ok(Superovoids { axes, bodies })
    }

    /// Returns the axes and the bodies.
    pub fn list(&self) -> (&[usize], &[Superovoid]) {
        (&self.axes, &self.bodies)
    }

    /// Returns where the elements of a broadcast lie among the bodies.
    pub fn index(&self, to: &[usize]) -> Index {
        Index::of_list(&self.axes, to)
    }

    fn each<'py, T: numpy::Element>(
        &self,
        py: Python<'py>,
        own: &[usize],
        numbers: impl Fn(&Superovoid) -> Vec<T>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let all = self.bodies.iter().flat_map(numbers).collect();
        array(py, &self.axes, own, all)
    }
}

/// Refuses, in words, what is another body of this package where superovoids are wanted.
fn refuse_other_bodies(value: &Bound<'_, PyAny>, name: &str) -> PyResult<()> {
    let kind = value.get_type();
    let kind = kind.name()?;
    let kind = kind.to_str()?;
    if [
        "ConvexShape",
        "TriMesh",
        "BoxSet",
        "HalfSpace",
        "HeightField",
        "Plane",
        "Superquadric",
        "Motions",
        "Fit",
    ]
    .contains(&kind)
        && value.get_type().module()?.to_str()? == "superovoid"
    {
        let problem = format!(
            "{name} is a {kind}; this query wants Superovoids, or the seven numbers of superovoids in an array of the shape (..., 7)"
        );
        return Err(pyo3::exceptions::PyTypeError::new_err(problem));
    }
    Ok(())
}

/// An argument of shapes: `Superovoids`, or parameters that become such.
pub enum SuperovoidsArgument<'py> {
    Made(Bound<'py, Superovoids>),
    Parameters(Superovoids),
}

impl<'py> SuperovoidsArgument<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        if let Ok(shapes) = value.cast::<Superovoids>() {
            return Ok(SuperovoidsArgument::Made(shapes.clone()));
        }
        refuse_other_bodies(value, name)?;
        let rows = Rows::of_width(value, name, 7)?;
        Ok(SuperovoidsArgument::Parameters(Superovoids::of_rows(
            &rows, name,
        )?))
    }

    pub fn get(&self) -> &Superovoids {
        match self {
            SuperovoidsArgument::Made(shapes) => shapes.get(),
            SuperovoidsArgument::Parameters(shapes) => shapes,
        }
    }
}

#[pymethods]
impl Superovoids {
    #[new]
    fn new(parameters: &Bound<'_, PyAny>) -> PyResult<Self> {
        Superovoids::of_rows(&Rows::of_width(parameters, "parameters", 7)?, "parameters")
    }

    /// Makes spheres of the given radii (metres), an array of any shape.
    #[classmethod]
    fn sphere(_: &Bound<'_, PyType>, radius: &Bound<'_, PyAny>) -> PyResult<Self> {
        let rows = Rows::new(radius, "radius", 0)?;
        let axes = rows.lead().to_vec();
        let reader = rows.reader(&axes);
        let body = |index: usize| {
            Superovoid::sphere(reader.number(index)).map_err(|error| {
                PyValueError::new_err(format!("radius: {}{error}", place(&axes, index)))
            })
        };
        let count = axes.iter().product();
        let bodies = (0..count).map(body).collect::<PyResult<Vec<_>>>()?;
        Ok(Superovoids { axes, bodies })
    }

    /// The seven parameters of each body, shape (..., 7).
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, &[7], |body| {
            [&body.semi_axes()[..], &body.exponents(), &body.tapers()].concat()
        })
    }

    /// The axes of the array of bodies.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, pyo3::types::PyTuple>> {
        pyo3::types::PyTuple::new(py, &self.axes)
    }

    fn __len__(&self) -> PyResult<usize> {
        let first = self.axes.first().copied();
        first.ok_or_else(|| pyo3::exceptions::PyTypeError::new_err("a single shape has no length"))
    }

    /// Returns the bodies that an index of NumPy names: a number, a slice, a mask, an array of numbers, a tuple of these.
    fn __getitem__(&self, key: &Bound<'_, PyAny>) -> PyResult<Self> {
        let numpy = key.py().import("numpy")?;
        let all = numpy.call_method1("arange", (self.bodies.len(),))?;
        let all = all.call_method1("reshape", (self.axes.clone(),))?;
        let found = numpy.call_method1("asarray", (all.get_item(key)?,))?;
        let axes = found.getattr("shape")?.extract()?;
        let places: Vec<usize> = found
            .call_method0("ravel")?
            .call_method0("tolist")?
            .extract()?;
        let bodies = places.iter().map(|&k| self.bodies[k]).collect();
        Ok(Superovoids { axes, bodies })
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let builtins = slf.py().import("builtins")?;
        let places = builtins.call_method1("range", (slf.get().__len__()?,))?;
        builtins.call_method1("map", (slf.getattr("__getitem__")?, places))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        reduced_to_new(slf, (slf.get().parameters(slf.py())?,))
    }

    fn __repr__(&self) -> String {
        match &self.bodies[..] {
            [body] => {
                let ([a1, a2, a3], [e1, e2], [tx, ty]) =
                    (body.semi_axes(), body.exponents(), body.tapers());
                format!("Superovoids([{a1}, {a2}, {a3}, {e1}, {e2}, {tx}, {ty}])")
            }
            bodies => format!(
                "<Superovoids: {} bodies, axes {:?}>",
                bodies.len(),
                self.axes
            ),
        }
    }

    /// Whether each body is convex, shape (...): queries prove their answers for these.
    #[getter]
    fn convex<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, &[], |body| vec![body.is_convex()])
    }

    /// Returns why each body is not convex, a list in the order of the flattened array.
    ///
    /// Returns
    /// -------
    /// list of str or None
    ///     ``None`` for a convex body, otherwise the condition that fails and the band of heights z/a3 in which the surface
    ///     is hollow.
    fn convexity(&self) -> Vec<Option<String>> {
        let reason = |body: &Superovoid| match body.convexity() {
            Convexity::Convex => None,
            Convexity::NonConvex { reason, band } => {
                let reason = match reason {
                    NonConvexity::TaperTooStrong => "a taper is too strong",
                    _ => "the tapers are too different",
                };
                Some(format!(
                    "{reason}: hollow for z/a3 from {} to {}",
                    band[0], band[1]
                ))
            }
        };
        self.bodies.iter().map(reason).collect()
    }

    /// Volume (cubic metres), centre of mass and inertia of each body at unit density, in closed form.
    fn mass_properties(&self) -> MassProperties {
        let all = self
            .bodies
            .iter()
            .map(Superovoid::mass_properties)
            .collect();
        MassProperties {
            axes: self.axes.clone(),
            all,
        }
    }

    /// Returns the farthest points of the bodies in directions.
    ///
    /// Parameters
    /// ----------
    /// directions : array_like, shape (..., 3)
    ///     Directions in the frame of each body, of any length but zero; they broadcast with the shapes.
    ///
    /// Returns
    /// -------
    /// values : ndarray, shape (...)
    ///     The support function: metres for a unit direction.
    /// points : ndarray, shape (..., 3)
    ///     Surface points that attain it, metres, in the frame of the body. For a body that is not convex these are those
    ///     of its hull.
    fn support<'py>(
        &self,
        py: Python<'py>,
        directions: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let rows = Rows::of_width(directions, "directions", 3)?;
        let all = Broadcast::of(&[("shapes", &self.axes), ("directions", rows.lead())])?;
        let (index, reader) = (self.index(&all.axes), rows.reader(&all.axes));
        let mut found = vec![(0.0, [0.0; 3]); all.count];
        let support = |k: usize| -> Result<_, String> {
            let body = &self.bodies[index.offset(k) as usize];
            let support = body.support(&Vector3::from(reader.row::<3>(k)));
            Ok((support.value, support.point.coords.into()))
        };
        fill(py, None, &mut found, |first, part| {
            each(first, part, support)
        })?
        .map_err(|failed| all.error(failed.index, &failed.error))?;
        let values = found.iter().map(|(value, _)| *value).collect();
        let points = found.iter().flat_map(|(_, point)| *point).collect();
        Ok((
            array(py, &all.axes, &[], values)?,
            array(py, &all.axes, &[3], points)?,
        ))
    }

    /// Returns the inside-outside function at points: negative inside, 0 on the surface, positive outside.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (..., 3)
    ///     Points in the frame of each body, metres; they broadcast with the shapes.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (...)
    ///     Gonçalves et al. (2017), equation 5; it is no distance.
    fn inside_outside<'py>(
        &self,
        py: Python<'py>,
        points: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let rows = Rows::of_width(points, "points", 3)?;
        let all = Broadcast::of(&[("shapes", &self.axes), ("points", rows.lead())])?;
        let (index, reader) = (self.index(&all.axes), rows.reader(&all.axes));
        let mut found = vec![0.0; all.count];
        let value = |k: usize| -> Result<_, String> {
            let body = &self.bodies[index.offset(k) as usize];
            Ok(body.inside_outside(&Point3::from(reader.row::<3>(k))))
        };
        fill(py, None, &mut found, |first, part| each(first, part, value))?
            .map_err(|failed| all.error(failed.index, &failed.error))?;
        array(py, &all.axes, &[], found)
    }

    /// Returns the watertight triangle mesh of a single body.
    ///
    /// Parameters
    /// ----------
    /// segments : int, default 48
    ///     The number of edges around a ring, at least 4.
    ///
    /// Returns
    /// -------
    /// vertices : ndarray, shape (v, 3)
    ///     Points on the surface, in the frame of the body, metres.
    /// triangles : ndarray of uint32, shape (t, 3)
    ///     Indices of vertices, anticlockwise seen from outside.
    #[pyo3(signature = (segments = 48))]
    fn tessellate<'py>(
        &self,
        py: Python<'py>,
        segments: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let [body] = &self.bodies[..] else {
            return Err(PyValueError::new_err("a mesh is that of a single shape"));
        };
        mesh_arrays(py, segments, |segments| body.tessellate(segments))
    }
}

/// Returns the vertices and triangles of the mesh that is made with a number of segments, from 4 to 4096.
pub fn mesh_arrays<'py>(
    py: Python<'py>,
    segments: usize,
    tessellate: impl FnOnce(usize) -> TriangleMesh,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    if !(4..=4096).contains(&segments) {
        let problem = format!("segments = {segments}: from 4 to 4096");
        return Err(PyValueError::new_err(problem));
    }
    let mesh = tessellate(segments);
    let vertices = mesh.vertices.iter().map(|x| [x.x, x.y, x.z]);
    let triangles = mesh.triangles.iter().copied();
    Ok((table(py, vertices)?, table(py, triangles)?))
}

/// The mass properties of solid bodies of density 1 kg/m³, each in its own frame.
#[pyclass(frozen, module = "superovoid")]
pub struct MassProperties {
    pub axes: Vec<usize>,
    pub all: Vec<superovoid::MassProperties>,
}

#[pymethods]
impl MassProperties {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let numbers = |m: &superovoid::MassProperties| {
            let mut row = [m.volume; 13];
            row[1..4].copy_from_slice(m.center_of_mass.coords.as_slice());
            row[4..].copy_from_slice(m.inertia.as_slice());
            row
        };
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<13>) -> PyResult<Self> {
        let one = |row: &[f64; 13]| superovoid::MassProperties {
            volume: row[0],
            center_of_mass: Point3::from_slice(&row[1..4]),
            inertia: Matrix3::from_column_slice(&row[4..]),
        };
        let all = rows.each(&axes, |row| Ok(one(row)))?;
        Ok(MassProperties { axes, all })
    }

    /// The volumes, cubic metres, shape (...).
    #[getter]
    fn volume<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.all.iter().map(|m| m.volume).collect();
        array(py, &self.axes, &[], all)
    }

    /// The centres of mass, metres, shape (..., 3).
    #[getter]
    fn center_of_mass<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self
            .all
            .iter()
            .flat_map(|m| <[f64; 3]>::from(m.center_of_mass))
            .collect();
        array(py, &self.axes, &[3], all)
    }

    /// The inertia tensors about the centres of mass, kg m², shape (..., 3, 3).
    #[getter]
    fn inertia<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        // They are symmetric.
        let all = self
            .all
            .iter()
            .flat_map(|m| m.inertia.iter().copied().collect::<Vec<_>>());
        array(py, &self.axes, &[3, 3], all.collect())
    }
}
