//! Times of impact.

use crate::array_input::{Index, Rows};
use crate::array_output::array;
use crate::broadcast::{Broadcast, each, fill};
use crate::contacts::Contacts;
use crate::poses::Poses;
use crate::shapes::ShapesArgument;
use nalgebra::{Isometry3, Vector3};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions};
use superovoid::{Contact, QueryError};

/// An array of motions of bodies over t in [0, 1].
#[pyclass(frozen, module = "superovoid")]
pub struct Motions {
    axes: Vec<usize>,
    all: Vec<Motion>,
}

impl Motions {
    fn index(&self, to: &[usize]) -> Index {
        Index::of_list(&self.axes, to)
    }

    fn make(
        all: &Broadcast,
        motion: impl Fn(usize) -> Result<Motion, String>,
    ) -> PyResult<Motions> {
        let one = |k: usize| motion(k).map_err(|error| all.error(k, &error));
        Ok(Motions {
            axes: all.axes.clone(),
            all: (0..all.count).map(one).collect::<PyResult<_>>()?,
        })
    }

    fn by_velocities(
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
        make: impl Fn(Isometry3<f64>, Vector3<f64>, Vector3<f64>) -> Result<Motion, QueryError>,
    ) -> PyResult<Motions> {
        let start = Poses::new(start, "start")?;
        let (linear, angular) = (
            Rows::of_width(linear, "linear", 3)?,
            Rows::of_width(angular, "angular", 3)?,
        );
        let all = Broadcast::of(&[
            ("start", start.lead()),
            ("linear", linear.lead()),
            ("angular", angular.lead()),
        ])?;
        let (start, linear, angular) = (
            start.reader(&all.axes),
            linear.reader(&all.axes),
            angular.reader(&all.axes),
        );
        Motions::make(&all, |k| {
            let (v, w) = (
                Vector3::from(linear.row::<3>(k)),
                Vector3::from(angular.row::<3>(k)),
            );
            make(start.pose(k)?, v, w).map_err(|error| error.to_string())
        })
    }

    fn between(
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        make: impl Fn(Isometry3<f64>, Isometry3<f64>) -> Result<Motion, QueryError>,
    ) -> PyResult<Motions> {
        let (start, end) = (Poses::new(start, "start")?, Poses::new(end, "end")?);
        let all = Broadcast::of(&[("start", start.lead()), ("end", end.lead())])?;
        let (start, end) = (start.reader(&all.axes), end.reader(&all.axes));
        Motions::make(&all, |k| {
            make(start.pose(k)?, end.pose(k)?).map_err(|error| error.to_string())
        })
    }
}

#[pymethods]
impl Motions {
    /// Bodies that rest at poses, shape (..., 7) or (..., 4, 4).
    #[classmethod]
    fn still(_: &Bound<'_, PyType>, pose: &Bound<'_, PyAny>) -> PyResult<Self> {
        Motions::between(pose, pose, |pose, _| Motion::still(pose))
    }

    /// Screws of constant twist: the origin starts with the velocity ``linear`` (metres, world axes), and the body turns
    /// with the angular velocity ``angular`` (radians, world axes), both shape (..., 3).
    #[classmethod]
    fn screw(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::by_velocities(start, linear, angular, Motion::screw)
    }

    /// Screws from one pose to another, by the smaller angle.
    #[classmethod]
    fn screw_between(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::between(start, end, Motion::screw_between)
    }

    /// The motion in which the origin moves on a straight line and the body turns by the smaller angle about a fixed axis,
    /// both steadily, from one pose to another: the interpolation of FCL and parry.
    #[classmethod]
    fn line_spin(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        Motions::between(start, end, Motion::line_spin)
    }

    /// The motion in which the body's origin has the constant velocity ``linear`` and the body turns about it with
    /// ``angular`` (radians, more than half a turn too), world axes, shape (..., 3).
    #[classmethod]
    fn line_spin_about_origin(
        _: &Bound<'_, PyType>,
        start: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        angular: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let center = nalgebra::Point3::origin();
        Motions::by_velocities(start, linear, angular, |start, v, w| {
            Motion::line_spin_about(start, center, v, w)
        })
    }

    /// Returns the poses at an instant, shape (..., 7).
    fn pose<'py>(&self, py: Python<'py>, t: f64) -> PyResult<Bound<'py, PyAny>> {
        let numbers = |motion: &Motion| {
            let pose = motion.pose(t);
            let (x, q) = (pose.translation.vector, pose.rotation.coords);
            [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
        };
        array(
            py,
            &self.axes,
            &[7],
            self.all.iter().flat_map(numbers).collect(),
        )
    }

    /// The axes of the array of motions.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.axes)
    }
}

/// When moving bodies touch first, shape ``(...)``.
#[pyclass(frozen, module = "superovoid")]
pub struct Impacts {
    axes: Vec<usize>,
    all: Vec<TimeOfImpact>,
}

impl Impacts {
    fn number<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&TimeOfImpact) -> f64,
    ) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.axes, &[], self.all.iter().map(of).collect())
    }
}

#[pymethods]
impl Impacts {
    /// What is proven, uint8, shape (...): see `superovoid.ImpactOutcome`.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let code = |impact: &TimeOfImpact| match impact {
            TimeOfImpact::Free { .. } => 0u8,
            TimeOfImpact::Hit { .. } => 1,
            TimeOfImpact::Overlapping { .. } => 2,
            TimeOfImpact::Undecided { .. } => 3,
        };
        array(py, &self.axes, &[], self.all.iter().map(code).collect())
    }

    /// The bodies are proven to be apart up to this instant, shape (...): 1 where they are free, NaN where they overlap at
    /// the start.
    #[getter]
    fn safe<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Free { .. } => 1.0,
            TimeOfImpact::Hit { safe, .. } | TimeOfImpact::Undecided { safe, .. } => safe,
            TimeOfImpact::Overlapping { .. } => f64::NAN,
        })
    }

    /// The instants at which the bodies are proven to touch, shape (...): NaN unless they hit, 0 where they overlap at the
    /// start. The first contact is between ``safe`` and this.
    #[getter]
    fn touching<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Hit { touching, .. } => touching,
            TimeOfImpact::Overlapping { .. } => 0.0,
            _ => f64::NAN,
        })
    }

    /// The proven clearance of motions that are free, metres, shape (...): a lower bound; NaN for the others.
    #[getter]
    fn clearance<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.number(py, |impact| match *impact {
            TimeOfImpact::Free { clearance } => clearance,
            _ => f64::NAN,
        })
    }

    /// The contacts at ``safe``, or at the start of bodies that overlap there; not converged for motions that are free.
    #[getter]
    fn contacts(&self) -> Contacts {
        let contact = |impact: &TimeOfImpact| match *impact {
            TimeOfImpact::Free { .. } => Contact::default(),
            TimeOfImpact::Hit { contact, .. }
            | TimeOfImpact::Overlapping { contact }
            | TimeOfImpact::Undecided { contact, .. } => contact,
        };
        Contacts::new(self.axes.clone(), self.all.iter().map(contact).collect())
    }

    fn __repr__(&self) -> String {
        let free = self
            .all
            .iter()
            .filter(|i| matches!(i, TimeOfImpact::Free { .. }))
            .count();
        let hits = self
            .all
            .iter()
            .filter(|i| matches!(i, TimeOfImpact::Hit { .. }))
            .count();
        format!(
            "<Impacts: {} motions, {free} free, {hits} hits, axes {:?}>",
            self.all.len(),
            self.axes
        )
    }
}

/// Returns when moving superovoids touch first, or the proof that they do not.
///
/// Parameters
/// ----------
/// a, b : Shapes or array_like, shape (..., 7)
///     The bodies.
/// motion_a, motion_b : Motions
///     Their motions over t in [0, 1].
/// min_separation : float, default 0
///     The distance (metres) at which the bodies count as touching.
/// tolerance : float, default 0
///     How far the distances at ``safe`` and ``touching`` may be from it (metres); 0 means 1e-9 of the larger body.
/// max_queries : int, default 100
///     The number of distance queries, after which the search ends.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// Impacts
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (a, motion_a, b, motion_b, *, min_separation = 0.0, tolerance = 0.0, max_queries = 100, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn time_of_impact(
    py: Python<'_>,
    a: &Bound<'_, PyAny>,
    motion_a: &Bound<'_, Motions>,
    b: &Bound<'_, PyAny>,
    motion_b: &Bound<'_, Motions>,
    min_separation: f64,
    tolerance: f64,
    max_queries: u32,
    threads: Option<usize>,
) -> PyResult<Impacts> {
    let (a, b) = (ShapesArgument::new(a, "a")?, ShapesArgument::new(b, "b")?);
    let (a, b) = (a.get(), b.get());
    let (motion_a, motion_b) = (motion_a.get(), motion_b.get());
    let all = Broadcast::of(&[
        ("a", &a.axes),
        ("motion_a", &motion_a.axes),
        ("b", &b.axes),
        ("motion_b", &motion_b.axes),
    ])?;
    let options = TimeOfImpactOptions {
        min_separation,
        tolerance,
        max_queries,
    };
    let indices = [
        a.index(&all.axes),
        motion_a.index(&all.axes),
        b.index(&all.axes),
        motion_b.index(&all.axes),
    ];
    let mut found = vec![TimeOfImpact::Free { clearance: 0.0 }; all.count];
    let single = |k: usize| {
        let [ia, ma, ib, mb] = indices.each_ref().map(|index| index.offset(k) as usize);
        superovoid::motion::time_of_impact(
            &a.bodies[ia],
            &motion_a.all[ma],
            &b.bodies[ib],
            &motion_b.all[mb],
            &options,
        )
        .map_err(|error| error.to_string())
    };
    fill(py, threads, &mut found, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| all.error(failed.index, &failed.error))?;
    Ok(Impacts {
        axes: all.axes,
        all: found,
    })
}
