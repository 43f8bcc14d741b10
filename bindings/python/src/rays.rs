//! Rays against bodies of any kind.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::body_contact::BodyArgument;
use crate::broadcast::{Broadcast, each, fill};
use crate::poses::Poses;
use crate::state::{Reduced, Table, reduced_to_rows};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid::{QueryError, Ray, RayHit, ShapeRef};

/// The first hits of rays, shape ``(...)``, or all hits of rays with a `Superquadric`, shape ``(..., n)``.
#[pyclass(frozen, module = "superovoid")]
pub struct RayHits {
    pub axes: Vec<usize>,
    pub all: Vec<Option<RayHit>>,
}

impl RayHits {
    fn numbers<'py, const N: usize>(
        &self,
        py: Python<'py>,
        own: &[usize],
        missed: f64,
        of: impl Fn(&RayHit) -> [f64; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let hit = |hit: &Option<RayHit>| hit.as_ref().map_or([missed; N], &of);
        array(py, &self.axes, own, self.all.iter().flat_map(hit).collect())
    }
}

#[pymethods]
impl RayHits {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let numbers = |hit: &Option<RayHit>| {
            let Some(hit) = hit else {
                return [f64::INFINITY; 8];
            };
            let (p, n) = (hit.point, hit.normal);
            [
                hit.time_of_impact,
                p.x,
                p.y,
                p.z,
                n.x,
                n.y,
                n.z,
                part_of(hit) as f64,
            ]
        };
        let me = slf.get();
        reduced_to_rows(slf, &me.axes, me.all.iter().map(numbers))
    }

    /// Makes again what was pickled.
    #[classmethod]
    fn _restored(_: &Bound<'_, PyType>, axes: Vec<usize>, rows: Table<8>) -> PyResult<Self> {
        let all = rows.each(&axes, |&[time_of_impact, px, py, pz, nx, ny, nz, part]| {
            // A ray that hits does so after a finite time.
            let normal = Unit::new_unchecked(Vector3::new(nx, ny, nz));
            let mut hit = RayHit::new(time_of_impact, Point3::new(px, py, pz), normal);
            hit.part = (part >= 0.0).then_some(part as u32);
            Ok(time_of_impact.is_finite().then_some(hit))
        })?;
        Ok(RayHits { axes, all })
    }

    /// Whether there is a hit, shape (...).
    #[getter]
    fn hit<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(
            py,
            &self.axes,
            &[],
            self.all.iter().map(Option::is_some).collect(),
        )
    }

    /// The hits in multiples of the directions, shape (...); infinity where there is none.
    #[getter]
    fn time_of_impact<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[], f64::INFINITY, |hit| [hit.time_of_impact])
    }

    /// The points that are hit, metres, in the world, shape (..., 3); NaN where there is none.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[3], f64::NAN, |hit| hit.point.coords.into())
    }

    /// The outward unit normals there, shape (..., 3); NaN where there is none.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.numbers(py, &[3], f64::NAN, |hit| hit.normal.into_inner().into())
    }

    /// The triangles, boxes or prisms of terrain that are hit, shape (...), int64; -1 of a body of one piece, where a ray
    /// begins inside a solid mesh, and where there is no hit.
    #[getter]
    fn part<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let part = |hit: &Option<RayHit>| hit.as_ref().map_or(-1, part_of);
        array(py, &self.axes, &[], self.all.iter().map(part).collect())
    }

    fn __repr__(&self) -> String {
        let hits = self.all.iter().flatten().count();
        format!("<RayHits: {hits} hits, axes {:?}>", self.axes)
    }
}

fn part_of(hit: &RayHit) -> i64 {
    hit.part.map_or(-1, i64::from)
}

/// Returns the first hits of rays ``origin + t * direction`` on bodies.
///
/// A half-space, a set of boxes, terrain and a closed mesh are solids, whose inner walls are not hit. A plane and the surface of
/// an open mesh have two sides; the normal is that of the side from which the ray comes.
///
/// Parameters
/// ----------
/// shape : Superovoids or array_like, shape (..., 7), or any other body
///     The bodies.
/// pose : array_like, shape (..., 7) or (..., 4, 4)
///     Their poses.
/// origins, directions : array_like, shape (..., 3)
///     The rays, metres, in the world; a direction may have any length but zero.
/// max_time_of_impact : float, default inf
///     The greatest t.
/// solid : bool, default True
///     Whether a ray from inside hits at t = 0; otherwise it hits where it leaves the body.
/// threads : int, optional
///     As that of `contact`.
///
/// Returns
/// -------
/// RayHits
///     One for each element of the broadcast.
#[pyfunction]
#[pyo3(signature = (shape, pose, origins, directions, *, max_time_of_impact = f64::INFINITY, solid = true, threads = None))]
#[allow(clippy::too_many_arguments)]
pub fn ray_cast(
    py: Python<'_>,
    shape: &Bound<'_, PyAny>,
    pose: &Bound<'_, PyAny>,
    origins: &Bound<'_, PyAny>,
    directions: &Bound<'_, PyAny>,
    max_time_of_impact: f64,
    solid: bool,
    threads: Option<usize>,
) -> PyResult<RayHits> {
    let shape = BodyArgument::new(shape, "shape")?;
    let rays = (origins, directions);
    let cast = |body: ShapeRef<'_>, pose: &Isometry3<f64>, ray: &Ray| {
        body.ray_cast(pose, ray, max_time_of_impact, solid)
    };
    let (axes, all) = against_rays(py, &shape, pose, rays, threads, cast)?;
    Ok(RayHits { axes, all })
}

/// Answers for bodies at poses and rays (origins and directions) that broadcast together; returns the axes and the answers.
pub fn against_rays<T: Clone + Default + Send>(
    py: Python<'_>,
    shape: &BodyArgument<'_>,
    pose: &Bound<'_, PyAny>,
    (origins, directions): (&Bound<'_, PyAny>, &Bound<'_, PyAny>),
    threads: Option<usize>,
    query: impl Fn(ShapeRef<'_>, &Isometry3<f64>, &Ray) -> Result<T, QueryError> + Sync,
) -> PyResult<(Vec<usize>, Vec<T>)> {
    let poses = Poses::new(pose, "pose")?;
    let origins = Rows::of_width(origins, "origins", 3)?;
    let directions = Rows::of_width(directions, "directions", 3)?;
    let broadcast = Broadcast::of(&[
        ("shape", shape.lead()),
        ("pose", poses.lead()),
        ("origins", origins.lead()),
        ("directions", directions.lead()),
    ])?;
    let bodies = shape.reader(&poses, &broadcast.axes);
    let (origins, directions) = (
        origins.reader(&broadcast.axes),
        directions.reader(&broadcast.axes),
    );
    let mut all = vec![T::default(); broadcast.count];
    let single = |index: usize| -> Result<T, String> {
        let ray = Ray {
            origin: Point3::from(origins.row::<3>(index)),
            direction: Vector3::from(directions.row::<3>(index)),
        };
        let found = query(bodies.body(index), &bodies.pose(index)?, &ray);
        found.map_err(|error| error.to_string())
    };
    fill(py, threads, &mut all, |first, part| {
        each(first, part, single)
    })?
    .map_err(|failed| broadcast.error(failed.index, &failed.error))?;
    Ok((broadcast.axes, all))
}
