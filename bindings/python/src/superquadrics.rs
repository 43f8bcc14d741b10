//! `Superquadric`: superhyperboloids and supertoroids, and their queries.

use crate::array_input::Rows;
use crate::array_output::array;
use crate::bodies::{SHEETS, Superquadric};
use crate::body_contact::{BodyArgument, body_contact};
use crate::broadcast::Broadcast;
use crate::contacts::Contacts;
use crate::options::{depth_mode, name_of, named, query_options};
use crate::placed_shapes::{Bodies, against_rows};
use crate::rays::{RayHits, against_rays};
use crate::shapes::{MassProperties, mesh_arrays};
use crate::state::{Reduced, reduced};
use nalgebra::{Isometry3, Point3, Vector3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;
use superovoid::superquadric::{self, Family, SuperquadricError, SurfaceParameters};
use superovoid::{HalfSpace, Plane, Ray, RayHit, Shape, ShapeRef, VertexOptions};

impl Superquadric {
    fn made(body: Result<superquadric::Superquadric, SuperquadricError>) -> PyResult<Self> {
        let body = body.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Superquadric { body })
    }

    /// Returns the body as an argument of queries that take any.
    fn argument(&self) -> BodyArgument<'static> {
        BodyArgument::One(Shape::Superquadric(self.body))
    }

    /// Returns the body as an array without axes.
    fn list(&self) -> Bodies<'_, superquadric::Superquadric> {
        (&[], std::slice::from_ref(&self.body))
    }

    /// Returns three numbers for each element of a broadcast of surface parameters.
    fn on_surface<'py>(
        &self,
        phi: &Bound<'py, PyAny>,
        s: &Bound<'py, PyAny>,
        of: impl Fn(SurfaceParameters) -> [f64; 3],
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, phi, s) = (phi.py(), Rows::new(phi, "phi", 0)?, Rows::new(s, "s", 0)?);
        let all = Broadcast::of(&[("phi", phi.lead()), ("s", s.lead())])?;
        let (phi, s) = (phi.reader(&all.axes), s.reader(&all.axes));
        let one = |k: usize| {
            of(SurfaceParameters {
                phi: phi.number(k),
                s: s.number(k),
            })
        };
        array(py, &all.axes, &[3], (0..all.count).flat_map(one).collect())
    }
}

#[pymethods]
impl Superquadric {
    /// Makes a solid superhyperboloid of one sheet, a neck, between the heights ``z = -a3 * height`` and ``a3 * height``.
    ///
    /// Parameters
    /// ----------
    /// semi_axes : sequence of 3 floats
    ///     ``a1 a2 a3``, metres, greater than 0.
    /// exponents : sequence of 2 floats
    ///     ``e1`` across z and ``e2`` along z, strictly between 0 and 2.
    /// height : float
    ///     Greater than 0, without a unit.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names the parameter and its value.
    #[classmethod]
    fn one_sheet(
        _: &Bound<'_, PyType>,
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        height: f64,
    ) -> PyResult<Self> {
        Superquadric::made(superquadric::Superquadric::one_sheet(
            semi_axes, exponents, height,
        ))
    }

    /// Makes one or both sheets of a superhyperboloid of two sheets, cups that are solid up to ``|z| = a3 * height``.
    ///
    /// Parameters
    /// ----------
    /// semi_axes, exponents
    ///     As those of `one_sheet`.
    /// height : float
    ///     Greater than 1, where the sheets begin, without a unit.
    /// sheets : {"both", "upper", "lower"}
    ///     The sheets that belong to the body; the upper one is above the xy plane. One alone is convex.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names the parameter and its value.
    #[classmethod]
    #[pyo3(signature = (semi_axes, exponents, height, sheets = "both"))]
    fn two_sheets(
        _: &Bound<'_, PyType>,
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        height: f64,
        sheets: &str,
    ) -> PyResult<Self> {
        let sheets = named("sheets", sheets, &SHEETS)?;
        Superquadric::made(superquadric::Superquadric::two_sheets(
            semi_axes, exponents, height, sheets,
        ))
    }

    /// Makes a supertoroid, a ring, whose centre line has the half-widths ``a1 * ring`` and ``a2 * ring`` (metres) and whose
    /// tube has ``a1``, ``a2`` and ``a3``.
    ///
    /// Parameters
    /// ----------
    /// semi_axes, exponents
    ///     As those of `one_sheet`; ``e2`` is the exponent of the tube.
    /// ring : float
    ///     Greater than 1, without a unit: a thinner ring would touch itself.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     The error names the parameter and its value.
    #[classmethod]
    fn toroid(
        _: &Bound<'_, PyType>,
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        ring: f64,
    ) -> PyResult<Self> {
        Superquadric::made(superquadric::Superquadric::toroid(
            semi_axes, exponents, ring,
        ))
    }

    /// The family: "one_sheet", "two_sheets" or "toroid".
    #[getter]
    fn family(&self) -> &'static str {
        match self.body.family() {
            Family::OneSheet => "one_sheet",
            Family::TwoSheets(_) => "two_sheets",
            Family::Toroid => "toroid",
        }
    }

    /// The sheets of a superhyperboloid of two sheets that belong to the body: "both", "upper" or "lower"; None for others.
    #[getter]
    fn sheets(&self) -> Option<&'static str> {
        match self.body.family() {
            Family::TwoSheets(sheets) => Some(name_of(sheets, &SHEETS)),
            _ => None,
        }
    }

    /// The semi-axes a1 a2 a3, metres, shape (3,).
    #[getter]
    fn semi_axes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[3], &[], self.body.semi_axes().to_vec())
    }

    /// The exponents e1 and e2, shape (2,).
    #[getter]
    fn exponents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &[2], &[], self.body.exponents().to_vec())
    }

    /// The height of the caps in units of a3; None for a toroid, which has none.
    #[getter]
    fn height(&self) -> Option<f64> {
        self.body.height()
    }

    /// The radius of the ring of a toroid in units of its tube; None for a hyperboloid.
    #[getter]
    fn ring(&self) -> Option<f64> {
        self.body.ring()
    }

    /// Whether the body is convex: it is one sheet of two.
    #[getter]
    fn is_convex(&self) -> bool {
        self.body.is_convex()
    }

    /// The largest parameter s of the surface: that of the rim of a hyperboloid, pi for a toroid.
    #[getter]
    fn largest_parameter(&self) -> f64 {
        self.body.largest_parameter()
    }

    /// Returns the inside-outside function at points: negative inside, 0 on the surface, caps included, positive outside.
    ///
    /// Parameters
    /// ----------
    /// points : array_like, shape (..., 3)
    ///     Points in the frame of the body, metres.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (...)
    ///     The norm form, without a unit; it is no distance, and grows like it far out.
    fn inside_outside<'py>(&self, points: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let rows = Rows::of_width(points, "points", 3)?;
        let (lead, reader) = (rows.lead(), rows.reader(rows.lead()));
        let value = |k: usize| self.body.inside_outside(&Point3::from(reader.row::<3>(k)));
        let count = lead.iter().product();
        array(points.py(), lead, &[], (0..count).map(value).collect())
    }

    /// Returns points of the curved surface, without the caps.
    ///
    /// Parameters
    /// ----------
    /// phi : array_like, shape (...)
    ///     The angle around z, radians.
    /// s : array_like, shape (...)
    ///     The parameter of the profile; it broadcasts with ``phi``. Of a toroid it is the angle around the tube, 0 outermost
    ///     and pi innermost. Of a hyperboloid it is the argument of cosh and sinh, 0 at the neck or the tip and at most
    ///     ``largest_parameter`` in size; beyond that the point is that of the surface continued past the cap.
    ///
    /// Returns
    /// -------
    /// ndarray, shape (..., 3)
    ///     The points in the frame of the body, metres.
    fn point_at<'py>(
        &self,
        phi: &Bound<'py, PyAny>,
        s: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.on_surface(phi, s, |at| self.body.point_at(at).coords.into())
    }

    /// Returns the outward unit normals of the curved surface at the parameters of `point_at`, in the frame of the body,
    /// shape (..., 3).
    fn normal_at<'py>(
        &self,
        phi: &Bound<'py, PyAny>,
        s: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.on_surface(phi, s, |at| self.body.normal_at(at).into_inner().into())
    }

    /// Returns the smallest box along the axes of the body's frame that holds the body.
    ///
    /// Returns
    /// -------
    /// min, max : ndarray, shape (3,)
    ///     The least and the greatest coordinates, metres.
    fn aabb<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let found = self.body.aabb();
        let corner = |x: Point3<f64>| array(py, &[3], &[], x.coords.as_slice().to_vec());
        Ok((corner(found.min)?, corner(found.max)?))
    }

    /// Returns the watertight triangle mesh of the surface: one closed surface, or two for two sheets.
    ///
    /// Parameters
    /// ----------
    /// segments : int, default 48
    ///     The number of edges around z, from 4 to 4096, rounded up to a multiple of 4 and to at least 8. As many go around
    ///     the tube of a toroid, and half as many from cap to cap or from tip to cap.
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
        mesh_arrays(py, segments, |segments| self.body.tessellate(segments))
    }

    /// Returns the volume, cubic metres.
    fn volume(&self) -> f64 {
        self.body.volume()
    }

    /// Volume (cubic metres), centre of mass and inertia at unit density: those of a toroid in closed form, the others' to a
    /// relative 1e-12.
    fn mass_properties(&self) -> MassProperties {
        MassProperties {
            axes: vec![],
            all: vec![self.body.mass_properties()],
        }
    }

    /// Returns the first hits of rays ``origin + t * direction``, as `superovoid.ray_cast`.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     The poses of the body.
    /// origins, directions : array_like, shape (..., 3)
    ///     The rays, metres, in the world; a direction may have any length but zero.
    /// max_time_of_impact : float, default inf
    ///     The greatest t.
    /// solid : bool, default True
    ///     Whether a ray from inside hits at t = 0; otherwise it hits where it leaves the body.
    /// threads : int, optional
    ///     As that of `superovoid.contact`.
    ///
    /// Returns
    /// -------
    /// RayHits
    ///     One for each element of the broadcast.
    #[pyo3(signature = (pose, origins, directions, *, max_time_of_impact = f64::INFINITY, solid = true, threads = None))]
    #[allow(clippy::too_many_arguments)]
    fn ray_cast(
        &self,
        py: Python<'_>,
        pose: &Bound<'_, PyAny>,
        origins: &Bound<'_, PyAny>,
        directions: &Bound<'_, PyAny>,
        max_time_of_impact: f64,
        solid: bool,
        threads: Option<usize>,
    ) -> PyResult<RayHits> {
        let rays = (origins, directions);
        let cast = |body: ShapeRef<'_>, pose: &Isometry3<f64>, ray: &Ray| {
            body.ray_cast(pose, ray, max_time_of_impact, solid)
        };
        let (axes, all) = against_rays(py, &self.argument(), pose, rays, threads, cast)?;
        Ok(RayHits { axes, all })
    }

    /// Returns all hits of rays ``origin + t * direction`` with the surface, caps included: where they enter and where they
    /// leave.
    ///
    /// Parameters
    /// ----------
    /// pose, origins, directions, max_time_of_impact, threads
    ///     As those of `ray_cast`.
    ///
    /// Returns
    /// -------
    /// hits : RayHits
    ///     Shape ``(..., n)``: the hits of each ray by increasing t, with n those of the ray that has most, at most 16; a ray
    ///     that has fewer misses in the last places.
    /// complete : ndarray of bool, shape (...)
    ///     Whether no hit is missing. One may be if a ray lies in the surface over a whole stretch to rounding, or if there
    ///     are more than 16.
    #[pyo3(signature = (pose, origins, directions, *, max_time_of_impact = f64::INFINITY, threads = None))]
    fn ray_hits<'py>(
        &self,
        py: Python<'py>,
        pose: &Bound<'py, PyAny>,
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        max_time_of_impact: f64,
        threads: Option<usize>,
    ) -> PyResult<(RayHits, Bound<'py, PyAny>)> {
        let rays = (origins, directions);
        let hits = |_: ShapeRef<'_>, pose: &Isometry3<f64>, ray: &Ray| {
            let found = self.body.ray_hits(pose, ray, max_time_of_impact)?;
            Ok((found.to_vec(), found.is_complete()))
        };
        let (mut axes, found) = against_rays(py, &self.argument(), pose, rays, threads, hits)?;
        let complete = found.iter().map(|(_, complete)| *complete).collect();
        let complete = array(py, &axes, &[], complete)?;
        let most = found.iter().map(|(hits, _)| hits.len()).max().unwrap_or(0);
        let places = |(hits, _): &(Vec<RayHit>, bool)| -> Vec<Option<RayHit>> {
            (0..most).map(|k| hits.get(k).copied()).collect()
        };
        let all = found.iter().flat_map(places).collect();
        axes.push(most);
        Ok((RayHits { axes, all }, complete))
    }

    /// Returns the signed distance of points (B) from the body (A), with the nearest surface point and a bracket.
    ///
    /// Outside the bracket is closed. Inside a toroid or a neck the nearest of many surface points is searched for, and the
    /// answer is labelled as converged, with a bracket up to 0.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     The poses of the body.
    /// points : array_like, shape (..., 3)
    ///     The points, metres, in the world.
    /// tolerance, max_distance, depth, threads
    ///     As those of `superovoid.contact`; the tolerance 0 means 1e-9 of the largest half-width.
    ///
    /// Returns
    /// -------
    /// Contacts
    ///     One answer for each element of the broadcast; ``point_b`` is the point.
    #[pyo3(signature = (pose, points, *, tolerance = 0.0, max_distance = f64::INFINITY, depth = "fast", threads = None))]
    #[allow(clippy::too_many_arguments)]
    fn point_contact(
        &self,
        py: Python<'_>,
        pose: &Bound<'_, PyAny>,
        points: &Bound<'_, PyAny>,
        tolerance: f64,
        max_distance: f64,
        depth: &str,
        threads: Option<usize>,
    ) -> PyResult<Contacts> {
        let options = VertexOptions::default()
            .with_tolerance(tolerance)
            .with_max_distance(max_distance)
            .with_depth(depth_mode(depth)?);
        let query = |body: &superquadric::Superquadric, pose: &Isometry3<f64>, at: [f64; 3]| {
            body.point_contact(pose, &Point3::from(at), &options)
        };
        against_rows(py, self.list(), pose, (points, "points"), threads, query)
    }

    /// Returns the signed distance of the body from half-spaces ``n . x <= offset``, as `superovoid.half_space_contact`.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     The poses of the body.
    /// half_spaces : array_like, shape (..., 4)
    ///     nx ny nz of the outward normal (normalised here), and the offset, metres.
    /// threads : int, optional
    ///     As that of `superovoid.contact`.
    ///
    /// Returns
    /// -------
    /// Contacts
    ///     One answer for each element of the broadcast, exact apart and in overlap.
    #[pyo3(signature = (pose, half_spaces, *, threads = None))]
    fn half_space_contact(
        &self,
        py: Python<'_>,
        pose: &Bound<'_, PyAny>,
        half_spaces: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Contacts> {
        let rows = (half_spaces, "half_spaces");
        let query = |body: &superquadric::Superquadric, pose: &_, [x, y, z, offset]: [f64; 4]| {
            let half_space = HalfSpace::new(Vector3::new(x, y, z), offset)?;
            body.half_space_contact(pose, &half_space)
        };
        against_rows(py, self.list(), pose, rows, threads, query)
    }

    /// Returns the signed distance of the body from thin planes ``n . x = offset``, as `superovoid.plane_contact`. Two sheets
    /// that are both clear of a plane between them are apart from it.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     The poses of the body.
    /// planes : array_like, shape (..., 4)
    ///     nx ny nz (normalised here), and the offset, metres.
    /// threads : int, optional
    ///     As that of `superovoid.contact`.
    ///
    /// Returns
    /// -------
    /// Contacts
    ///     One answer for each element of the broadcast, exact apart and in overlap.
    #[pyo3(signature = (pose, planes, *, threads = None))]
    fn plane_contact(
        &self,
        py: Python<'_>,
        pose: &Bound<'_, PyAny>,
        planes: &Bound<'_, PyAny>,
        threads: Option<usize>,
    ) -> PyResult<Contacts> {
        let rows = (planes, "planes");
        let query = |body: &superquadric::Superquadric, pose: &_, [x, y, z, offset]: [f64; 4]| {
            let plane = Plane::new(Vector3::new(x, y, z), offset)?;
            body.plane_contact(pose, &plane)
        };
        against_rows(py, self.list(), pose, rows, threads, query)
    }

    /// Returns the signed distance between the body (A) and other bodies (B), with witness points, normal and bracket.
    ///
    /// Apart the bracket is closed. One sheet of two answers as every convex body. Another body that overlaps B has a
    /// translation that is proven to separate the two, and the answer is labelled as converged, with a bracket up to 0.
    /// `superovoid.contact` gives the same answers, and takes the body as A or as B.
    ///
    /// Parameters
    /// ----------
    /// pose : array_like, shape (..., 7) or (..., 4, 4)
    ///     The poses of the body.
    /// other : Superovoids or array_like, shape (..., 7), ConvexShape, HalfSpace or Superquadric, or TriMesh or BoxSet
    ///     The bodies B. One of two superquadrics must be convex, and so must be a body that meets a mesh or a set of boxes.
    /// pose_b : array_like, shape (..., 7) or (..., 4, 4)
    ///     Their poses.
    /// tolerance, max_iterations, max_distance, depth, threads
    ///     As those of `superovoid.contact`.
    ///
    /// Returns
    /// -------
    /// Contacts
    ///     One answer for each element of the broadcast.
    #[pyo3(signature = (pose, other, pose_b, *, tolerance = 0.0, max_iterations = 30, max_distance = f64::INFINITY,
        depth = "fast", threads = None))]
    #[allow(clippy::too_many_arguments)]
    fn contact(
        slf: &Bound<'_, Self>,
        pose: &Bound<'_, PyAny>,
        other: &Bound<'_, PyAny>,
        pose_b: &Bound<'_, PyAny>,
        tolerance: f64,
        max_iterations: u32,
        max_distance: f64,
        depth: &str,
        threads: Option<usize>,
    ) -> PyResult<Contacts> {
        let options = query_options(tolerance, max_iterations, max_distance, depth)?;
        let (a, pose) = ((slf.as_any(), "self"), (pose, "pose"));
        let arguments = [a, pose, (other, "other"), (pose_b, "pose_b")];
        body_contact(slf.py(), arguments, &options, threads)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let body = &slf.get().body;
        let (a, e) = (body.semi_axes(), body.exponents());
        let end = body.height().or(body.ring());
        match body.family() {
            Family::OneSheet => reduced(slf, "one_sheet", (a, e, end)),
            Family::TwoSheets(sheets) => {
                reduced(slf, "two_sheets", (a, e, end, name_of(sheets, &SHEETS)))
            }
            Family::Toroid => reduced(slf, "toroid", (a, e, end)),
        }
    }

    fn __repr__(&self) -> String {
        self.text()
    }
}
