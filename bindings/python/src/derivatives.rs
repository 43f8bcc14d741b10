//! Derivatives of contacts.

use crate::array_output::array;
use crate::body_contact::BodyArgument;
use crate::broadcast::{Broadcast, Failed, each, fill};
use crate::codes;
use crate::contacts::Contacts;
use crate::pairs::PairArguments;
use crate::poses::Poses;
use crate::state::{Reduced, Table, odd, reduced_to_rows};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid::derivatives::{
    ContactDerivatives, DerivativeStatus, DistanceGradient, INPUTS, contact_derivatives_into,
};

/// The gradients of signed distances, shape ``(...)``.
#[pyclass(frozen, module = "superovoid")]
pub struct Gradients {
    axes: Vec<usize>,
    all: Vec<Option<DistanceGradient>>,
}

/// The numbers of a gradient: status, whether it is local, and the derivatives.
const ROW: usize = 2 + INPUTS;

#[pymethods]
impl Gradients {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let numbers = |g: &Option<DistanceGradient>| {
            let mut row = [0.0; ROW];
            if let Some(g) = g {
                row[0] = f64::from(codes::of_derivatives(Some(g.status)));
                row[1] = f64::from(u8::from(g.local));
                row[2..].copy_from_slice(g.gradient.as_slice());
            }
            row
        };
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<ROW>) -> PyResult<Self> {
        let all = rows.each(&axes, |row| {
            let status = codes::derivatives(row[0]).ok_or_else(odd)?;
            let gradient = nalgebra::SVector::from_column_slice(&row[2..]);
            Ok(status.map(|status| DistanceGradient::new(gradient, status, row[1] == 1.0)))
        })?;
        Ok(Gradients { axes, all })
    }

    /// The derivatives by the 26 inputs, shape (..., 26): the velocity and the angular velocity of A (world axes), those of
    /// B, then a1 a2 a3 e1 e2 tx ty of A and of B. NaN where the contact is not converged or beyond.
    #[getter]
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |g: &Option<DistanceGradient>| {
            g.as_ref().map_or([f64::NAN; INPUTS], |g| g.gradient.into())
        };
        array(
            py,
            &self.axes,
            &[INPUTS],
            self.all.iter().flat_map(numbers).collect(),
        )
    }

    /// What each gradient is worth, uint8, shape (...): see `superovoid.DerivativeStatus`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code =
            |g: &Option<DistanceGradient>| codes::of_derivatives(g.as_ref().map(|g| g.status));
        array(py, &self.axes, &[], self.all.iter().map(code).collect())
    }

    /// Whether a body is not convex, so that a gradient is that of a local answer, shape (...).
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let local = |g: &Option<DistanceGradient>| g.as_ref().is_some_and(|g| g.local);
        array(py, &self.axes, &[], self.all.iter().map(local).collect())
    }
}

/// All derivatives of contacts, shape ``(...)``, by the 26 inputs of `Gradients`.
#[pyclass(frozen, module = "superovoid")]
pub struct Derivatives {
    pub axes: Vec<usize>,
    pub all: Vec<(Option<DerivativeStatus>, Box<ContactDerivatives>)>,
}

/// Returns what stands for derivatives that do not exist.
pub fn nothing() -> (Option<DerivativeStatus>, Box<ContactDerivatives>) {
    let mut place = Box::<ContactDerivatives>::default();
    place.gradient.fill(f64::NAN);
    place.hessian.fill(f64::NAN);
    for jacobian in [&mut place.normal, &mut place.point_a, &mut place.point_b] {
        jacobian.fill(f64::NAN);
    }
    (None, place)
}

impl Derivatives {
    /// Returns the numbers of each row, from a matrix that is kept by columns.
    fn rows<'py, const R: usize>(
        &self,
        py: Python<'py>,
        of: impl Fn(&ContactDerivatives) -> &nalgebra::SMatrix<f64, R, INPUTS>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let by_rows = |(_, d): &(_, Box<ContactDerivatives>)| -> Vec<f64> {
            of(d).transpose().iter().copied().collect()
        };
        array(
            py,
            &self.axes,
            &[R, INPUTS],
            self.all.iter().flat_map(by_rows).collect(),
        )
    }
}

/// The numbers of the derivatives of a contact: status, whether they are local, and the derivatives by columns.
const ALL: usize = 2 + INPUTS + INPUTS * INPUTS + 9 * INPUTS;

#[pymethods]
impl Derivatives {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let numbers = |(status, d): &(Option<DerivativeStatus>, Box<ContactDerivatives>)| {
            let local = f64::from(u8::from(d.local));
            let first = [f64::from(codes::of_derivatives(*status)), local];
            let points = d.normal.iter().chain(&d.point_a).chain(&d.point_b);
            let all = first.iter().chain(&d.gradient).chain(&d.hessian);
            let mut row = [0.0; ALL];
            for (number, value) in row.iter_mut().zip(all.chain(points)) {
                *number = *value;
            }
            row
        };
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<ALL>) -> PyResult<Self> {
        let all = rows.each(&axes, |row| {
            let status = codes::derivatives(row[0]).ok_or_else(odd)?;
            let mut place = Box::<ContactDerivatives>::default();
            place.status = status.unwrap_or(place.status);
            place.local = row[1] == 1.0;
            let d = &mut *place;
            let points = d
                .normal
                .iter_mut()
                .chain(&mut d.point_a)
                .chain(&mut d.point_b);
            let all = d.gradient.iter_mut().chain(&mut d.hessian).chain(points);
            for (number, value) in all.zip(&row[2..]) {
                *number = *value;
            }
            Ok((status, place))
        })?;
        Ok(Derivatives { axes, all })
    }

    /// The gradients of the distances, shape (..., 26).
    #[getter]
    fn gradient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |(_, d): &(_, Box<ContactDerivatives>)| <[f64; INPUTS]>::from(d.gradient);
        array(
            py,
            &self.axes,
            &[INPUTS],
            self.all.iter().flat_map(numbers).collect(),
        )
    }

    /// The second derivatives of the distances, symmetric, shape (..., 26, 26).
    #[getter]
    fn hessian<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |d| &d.hessian)
    }

    /// The Jacobians of the normals, shape (..., 3, 26).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |d| &d.normal)
    }

    /// The Jacobians of the witness points on A, shape (..., 3, 26).
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |d| &d.point_a)
    }

    /// The Jacobians of the witness points on B, shape (..., 3, 26).
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.rows(py, |d| &d.point_b)
    }

    /// What the derivatives are worth, uint8, shape (...): see `superovoid.DerivativeStatus`.
    #[getter]
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self
            .all
            .iter()
            .map(|(status, _)| codes::of_derivatives(*status));
        array(py, &self.axes, &[], all.collect())
    }

    /// Whether a body is not convex, so that the derivatives are those of a local answer, shape (...).
    #[getter]
    fn local<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(
            py,
            &self.axes,
            &[],
            self.all.iter().map(|(_, d)| d.local).collect(),
        )
    }
}

/// Refuses contacts that are not those of a broadcast.
pub fn same_axes(contacts: &Contacts, axes: &[usize]) -> PyResult<()> {
    if contacts.axes == axes {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "contacts has the axes {:?}, but the pairs broadcast to {axes:?}",
        contacts.axes
    )))
}

/// Returns the gradients of the signed distances at contacts: by both poses, and by the shapes of superovoids; the numbers of other
/// bodies are 0.
///
/// Parameters
/// ----------
/// a, pose_a, b, pose_b
///     The arguments of `contact`, bodies of any kind.
/// contacts : Contacts
///     What `contact` returned for them.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Gradients
///     One for each pair.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, contacts, *, threads = None))]
pub fn distance_gradient(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    pose_a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_b: &Bound<'_, PyAny>,
    contacts: &Bound<'_, Contacts>,
    threads: Option<usize>,
) -> PyResult<Gradients> {
    let (a, b) = (BodyArgument::new(a, "a")?, BodyArgument::new(b, "b")?);
    let (pose_a, pose_b) = (Poses::new(pose_a, "pose_a")?, Poses::new(pose_b, "pose_b")?);
    let broadcast = Broadcast::of(&[
        ("a", a.lead()),
        ("pose_a", pose_a.lead()),
        ("b", b.lead()),
        ("pose_b", pose_b.lead()),
    ])?;
    same_axes(contacts.get(), &broadcast.axes)?;
    let (a, b) = (
        a.reader(&pose_a, &broadcast.axes),
        b.reader(&pose_b, &broadcast.axes),
    );
    let contacts = &contacts.get().all;
    let mut all = vec![None; broadcast.count];
    let single = |k: usize| -> Result<_, String> {
        let (pose_a, pose_b) = (a.pose(k)?, b.pose(k)?);
        (a.body(k)
            .distance_gradient(&pose_a, b.body(k), &pose_b, &contacts[k]))
        .map_err(|error| error.to_string())
    };
    fill(py, threads, &mut all, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| broadcast.error(failed.index, &failed.error))?;
    Ok(Gradients {
        axes: broadcast.axes,
        all,
    })
}

/// Returns first and second derivatives of the distances and first derivatives of normals and witness points at contacts.
///
/// Parameters
/// ----------
/// a, pose_a, b, pose_b, contacts, threads
///     The arguments of `distance_gradient`.
///
/// Returns
/// -------
/// Derivatives
///     One for each pair, 8 kB each. Numbers that do not exist are NaN.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, contacts, *, threads = None))]
pub fn contact_derivatives(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    pose_a: &Bound<'_, PyAny>,
    b: &Bound<'_, PyAny>,
    pose_b: &Bound<'_, PyAny>,
    contacts: &Bound<'_, Contacts>,
    threads: Option<usize>,
) -> PyResult<Derivatives> {
    let arguments = PairArguments::new(a, pose_a, b, pose_b)?;
    same_axes(contacts.get(), &arguments.all.axes)?;
    let (reader, contacts) = (arguments.reader(), &contacts.get().all);
    let mut all: Vec<(Option<DerivativeStatus>, Box<ContactDerivatives>)> =
        (0..arguments.all.count)
            .map(|_| Default::default())
            .collect();
    let single = |k: usize, found: &mut (Option<_>, Box<ContactDerivatives>)| {
        let (pose_a, pose_b) = (reader.a.pose(k)?, reader.b.pose(k)?);
        let (a, b) = (reader.a.body(k), reader.b.body(k));
        let (status, place) = found;
        let exist = contact_derivatives_into(a, &pose_a, b, &pose_b, &contacts[k], place)
            .map_err(|error| error.to_string())?;
        if exist {
            *status = Some(place.status);
        } else {
            *found = nothing();
        }
        Ok(())
    };
    fill(py, threads, &mut all, |first, part| {
        (first..).zip(part).try_for_each(|(index, found)| {
            single(index, found).map_err(|error: String| Failed { index, error })
        })
    })?
    .map_err(|failed| arguments.all.error(failed.index, &failed.error))?;
    Ok(Derivatives {
        axes: arguments.all.axes,
        all,
    })
}
