//! Bodies other than superovoids: convex shapes, superquadrics, triangle meshes, sets of boxes, half-spaces.

use crate::array_input::{Rows, whole_numbers};
use crate::array_output::array;
use crate::options::name_of;
use crate::state::{self, Reduced, reduced, reduced_to_new};
use nalgebra::{Point3, Vector3};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyType;
use std::sync::Arc;
use superovoid::Aabb;
use superovoid::TriangleMesh;
use superovoid::convex::ConvexKind;
use superovoid::superquadric::{Family, Sheets};

/// A convex body in its own frame: a ball, box, cylinder, capsule, cone, or the hull of points or of a `Superquadric`.
///
/// It is one body; queries broadcast it against arrays of poses.
#[pyclass(frozen, module = "superovoid")]
pub struct ConvexShape {
    pub shape: Arc<superovoid::convex::ConvexShape>,
}

impl ConvexShape {
    fn made<E: std::fmt::Display>(
        shape: Result<superovoid::convex::ConvexShape, E>,
    ) -> PyResult<Self> {
        let shape = shape.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let shape = Arc::new(shape);
        Ok(ConvexShape { shape })
    }
}

#[pymethods]
impl ConvexShape {
    /// Makes a ball about the origin from its radius (metres).
    #[classmethod]
    fn ball(_: &Bound<'_, PyType>, radius: f64) -> PyResult<Self> {
        let shape = superovoid::convex::ConvexShape::ball(radius);
        Self::made(shape)
    }

    /// Makes a box about the origin, edges along the axes, from half its edge lengths (metres).
    #[classmethod]
    fn cuboid(_: &Bound<'_, PyType>, half_extents: [f64; 3]) -> PyResult<Self> {
        let shape = superovoid::convex::ConvexShape::cuboid(half_extents);
        Self::made(shape)
    }

    /// Makes a cylinder about z from its radius and its whole length (metres), its centre at the origin.
    #[classmethod]
    fn cylinder(_: &Bound<'_, PyType>, radius: f64, length: f64) -> PyResult<Self> {
        let shape = superovoid::convex::ConvexShape::cylinder(radius, length);
        Self::made(shape)
    }

    /// Makes a capsule about z from its radius and the length of its cylindrical part (metres), its centre at the origin.
    /// A capsule of length 0 is a ball.
    #[classmethod]
    fn capsule(_: &Bound<'_, PyType>, radius: f64, length: f64) -> PyResult<Self> {
        let shape = superovoid::convex::ConvexShape::capsule(radius, length);
        Self::made(shape)
    }

    /// Makes a cone about z from the radius of its base, at z = -length/2, and its length (metres); the tip is at
    /// z = length/2.
    #[classmethod]
    fn cone(_: &Bound<'_, PyType>, radius: f64, length: f64) -> PyResult<Self> {
        let shape = superovoid::convex::ConvexShape::cone(radius, length);
        Self::made(shape)
    }

    /// Makes the convex hull of points, shape (n, 3), metres.
    #[classmethod]
    fn hull(_: &Bound<'_, PyType>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let points = point_list(points, "points")?;
        Self::made(superovoid::convex::ConvexShape::hull(&points))
    }

    /// Makes the convex hull of a `Superquadric`, which is the body itself if that is one sheet of two.
    #[classmethod]
    fn hull_of(_: &Bound<'_, PyType>, superquadric: &Bound<'_, Superquadric>) -> Self {
        let shape = superovoid::convex::ConvexShape::hull_of(&superquadric.get().body);
        let shape = Arc::new(shape);
        ConvexShape { shape }
    }

    /// Returns the greatest n . x over the body's points x, metres for a unit direction n, shape (3,), of its own frame.
    fn support(&self, direction: [f64; 3]) -> f64 {
        self.shape.support(&Vector3::from(direction))
    }

    fn __repr__(&self) -> String {
        let name = match self.shape.kind() {
            ConvexKind::Ball(radius) => format!("ball({radius})"),
            ConvexKind::Cuboid(half_extents) => format!("cuboid({half_extents:?})"),
            ConvexKind::Cylinder(radius, length) => format!("cylinder({radius}, {length})"),
            ConvexKind::Capsule(radius, length) => format!("capsule({radius}, {length})"),
            ConvexKind::Cone(radius, length) => format!("cone({radius}, {length})"),
            ConvexKind::Hull(points) => format!("hull of {} points", points.len()),
            ConvexKind::Superquadric(&body) => format!("hull_of({})", Superquadric { body }.text()),
            other => format!("{other:?}"),
        };
        format!("<ConvexShape: {name}>")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        match slf.get().shape.kind() {
            ConvexKind::Ball(radius) => reduced(slf, "ball", (radius,)),
            ConvexKind::Cuboid(half_extents) => reduced(slf, "cuboid", (half_extents,)),
            ConvexKind::Cylinder(radius, length) => reduced(slf, "cylinder", (radius, length)),
            ConvexKind::Capsule(radius, length) => reduced(slf, "capsule", (radius, length)),
            ConvexKind::Cone(radius, length) => reduced(slf, "cone", (radius, length)),
            ConvexKind::Hull(points) => {
                let points = state::table(slf.py(), points.iter().map(|p| [p.x, p.y, p.z]))?;
                reduced(slf, "hull", (points,))
            }
            ConvexKind::Superquadric(&body) => reduced(slf, "hull_of", (Superquadric { body },)),
            other => Err(PyTypeError::new_err(format!("{other:?} is not pickled"))),
        }
    }
}

/// A superhyperboloid of one or two sheets, or a supertoroid: a neck, a cup, a ring or a washer, in its own frame with the
/// origin at the centre.
///
/// It is one body, made by `one_sheet`, `two_sheets` or `toroid`; queries broadcast it against arrays of poses, points,
/// planes and rays. The section circle ``|xi|^(2/e1) + |eta|^(2/e1) = 1`` is that of `Superovoids`, and the profile (rho, zeta),
/// p = 2/e2, another curve; a surface point is ``(a1 rho xi, a2 rho eta, a3 zeta)``, metres.
///
/// - `one_sheet`: ``rho^p - |zeta|^p = 1``, with flat caps at ``|zeta| = height``, more than 0;
/// - `two_sheets`: ``|zeta|^p - rho^p = 1``, with flat caps at ``|zeta| = height``, more than 1;
/// - `toroid`: ``|rho - ring|^p + |zeta|^p = 1`` without ends; ring more than 1.
///
/// One sheet of two is convex, the other bodies never are; `ConvexShape.hull_of` makes the hull of any of them.
///
/// Examples
/// --------
/// >>> import superovoid
/// >>> ring = superovoid.Superquadric.toroid([0.01, 0.01, 0.004], [1, 0.5], 3)
/// >>> egg = superovoid.Superovoids([0.015, 0.015, 0.02, 1, 1, 0, 0])
/// >>> found = ring.contact([0, 0, 0, 0, 0, 0, 1], egg, [0.002, 0, 0, 0, 0, 0, 1])
/// >>> round(float(found.distance), 9)
/// 0.003
#[pyclass(frozen, module = "superovoid")]
pub struct Superquadric {
    pub body: superovoid::superquadric::Superquadric,
}

impl Superquadric {
    /// Returns the call that makes the body.
    pub fn text(&self) -> String {
        let (a, e) = (self.body.semi_axes(), self.body.exponents());
        let (height, ring) = (self.body.height(), self.body.ring());
        let end = height.or(ring).unwrap_or_default();
        match self.body.family() {
            Family::OneSheet => format!("Superquadric.one_sheet({a:?}, {e:?}, {end:?})"),
            Family::TwoSheets(sheets) => {
                let sheets = name_of(sheets, &SHEETS);
                format!("Superquadric.two_sheets({a:?}, {e:?}, {end:?}, {sheets:?})")
            }
            Family::Toroid => format!("Superquadric.toroid({a:?}, {e:?}, {end:?})"),
        }
    }
}

/// The names of sheets.
pub const SHEETS: [(&str, Sheets); 3] = [
    ("both", Sheets::Both),
    ("upper", Sheets::Upper),
    ("lower", Sheets::Lower),
];

/// A triangle mesh: a solid where it is closed, so that a body wholly inside overlaps it, otherwise its surface.
///
/// A mesh is closed if its triangles meet edge to edge, all turned the same way, with their corners anticlockwise seen from
/// outside; vertices at the same place are one. ``is_solid`` tells which it is.
///
/// Parameters
/// ----------
/// vertices : array_like, shape (v, 3)
///     Metres, in the frame of the mesh.
/// triangles : array_like of whole numbers, shape (t, 3)
///     Indices of vertices, from 0.
/// surface : bool, default False
///     Whether the mesh is its surface also where it is closed: then a body wholly inside does not touch it.
#[pyclass(frozen, module = "superovoid")]
pub struct TriMesh {
    pub mesh: Arc<superovoid::bvh::TriMesh>,
}

impl TriMesh {
    /// Makes a mesh, or its surface only.
    pub fn of(mesh: TriangleMesh, surface: bool) -> PyResult<Self> {
        let mesh = superovoid::bvh::TriMesh::try_from(mesh);
        let mesh = mesh.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(TriMesh {
            mesh: Arc::new(if surface { mesh.surface() } else { mesh }),
        })
    }
}

#[pymethods]
impl TriMesh {
    #[new]
    #[pyo3(signature = (vertices, triangles, surface=false))]
    fn new(
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
        surface: bool,
    ) -> PyResult<Self> {
        let mesh = TriangleMesh {
            vertices: point_list(vertices, "vertices")?,
            triangles: whole_numbers::<u32, 3>(triangles, "triangles")?,
        };
        TriMesh::of(mesh, surface)
    }

    /// Whether the mesh is a solid: it is closed, and was not made a surface.
    #[getter]
    fn is_solid(&self) -> bool {
        self.mesh.is_solid()
    }

    /// Whether the mesh bounds a solid: it has no border, and its triangles are turned the same way, outwards.
    #[getter]
    fn is_closed(&self) -> bool {
        self.mesh.is_closed()
    }

    /// The vertices, metres, shape (v, 3).
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let points = self.mesh.vertices();
        let numbers = points.iter().flat_map(|p| [p.x, p.y, p.z]).collect();
        array(py, &[points.len()], &[3], numbers)
    }

    /// The indices of the triangles' vertices, uint32, shape (t, 3).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let all = self.mesh.triangles();
        array(
            py,
            &[all.len()],
            &[3],
            all.iter().flatten().copied().collect(),
        )
    }

    fn __len__(&self) -> usize {
        self.mesh.triangles().len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        let is_surface = me.mesh.is_closed() && !me.mesh.is_solid();
        reduced_to_new(slf, (me.vertices(py)?, me.triangles(py)?, is_surface))
    }

    fn __repr__(&self) -> String {
        format!("<{:?}>", self.mesh)
    }
}

/// Solid boxes with faces along the axes of their common frame, such as the occupied cells of an octree.
///
/// Parameters
/// ----------
/// lower, upper : array_like, shape (n, 3)
///     The least and the greatest corners of the boxes, metres. Boxes may touch or overlap.
#[pyclass(frozen, module = "superovoid")]
pub struct BoxSet {
    pub boxes: Arc<superovoid::bvh::BoxSet>,
}

#[pymethods]
impl BoxSet {
    #[new]
    fn new(lower: &Bound<'_, PyAny>, upper: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (lower, upper) = (point_list(lower, "lower")?, point_list(upper, "upper")?);
        if lower.len() != upper.len() {
            let problem = format!(
                "lower has {} rows and upper {}: one of each for a box",
                lower.len(),
                upper.len()
            );
            return Err(PyValueError::new_err(problem));
        }
        let boxes = lower.into_iter().zip(upper);
        let boxes = boxes.map(|(min, max)| Aabb { min, max }).collect();
        let boxes = superovoid::bvh::BoxSet::new(boxes);
        let boxes = boxes.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(BoxSet {
            boxes: Arc::new(boxes),
        })
    }

    /// The least corners of the boxes, metres, shape (n, 3).
    #[getter]
    fn lower<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.corners(py, |b| b.min)
    }

    /// The greatest corners of the boxes, metres, shape (n, 3).
    #[getter]
    fn upper<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.corners(py, |b| b.max)
    }

    fn __len__(&self) -> usize {
        self.boxes.boxes().len()
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (me, py) = (slf.get(), slf.py());
        reduced_to_new(slf, (me.lower(py)?, me.upper(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<BoxSet of {} boxes>", self.boxes.boxes().len())
    }
}

impl BoxSet {
    fn corners<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&Aabb) -> Point3<f64>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let boxes = self.boxes.boxes();
        let numbers = boxes.iter().flat_map(|b| <[f64; 3]>::from(of(b).coords));
        array(py, &[boxes.len()], &[3], numbers.collect())
    }
}

/// Terrain from a grid of heights, solid down to a bottom.
///
/// Row r and column c are the point ``(x_c, y_r, heights[r, c])``. The diagonal of a cell goes from its next row to its next
/// column and makes two triangles; the space below each is a part: of the cell of row r and column c, the parts
/// ``2 (r (columns - 1) + c)``, at the corner of that row and column, and the one after it.
///
/// Parameters
/// ----------
/// heights : array_like, shape (rows, columns)
///     Metres; two rows and columns at least.
/// x, y : (float, float)
///     The coordinates of the first and the last column, and of the first and the last row, metres. They may decrease.
/// bottom : float
///     The z of the bottom, metres, at most that of any height.
#[pyclass(frozen, module = "superovoid")]
pub struct HeightField {
    pub field: Arc<superovoid::bvh::HeightField>,
}

#[pymethods]
impl HeightField {
    #[new]
    fn new(heights: &Bound<'_, PyAny>, x: [f64; 2], y: [f64; 2], bottom: f64) -> PyResult<Self> {
        let rows = Rows::new(heights, "heights", 1)?;
        let (&[count], &[columns]) = (rows.lead(), rows.element()) else {
            let problem = "heights must have the shape (rows, columns)";
            return Err(PyValueError::new_err(problem));
        };
        let reader = rows.reader(rows.lead());
        let numbers = (0..count).flat_map(|row| reader.numbers(row, columns));
        let field = superovoid::bvh::HeightField::new(numbers.collect(), columns, x, y, bottom);
        let field = field.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(HeightField {
            field: Arc::new(field),
        })
    }

    /// The heights, metres, shape (rows, columns).
    #[getter]
    fn heights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, columns) = (self.field.rows(), self.field.columns());
        array(py, &[rows], &[columns], self.field.heights().to_vec())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let (field, py) = (&slf.get().field, slf.py());
        let heights = slf.get().heights(py)?;
        reduced_to_new(slf, (heights, field.x(), field.y(), field.bottom()))
    }

    fn __repr__(&self) -> String {
        format!("<{:?}>", self.field)
    }
}

/// A thin plane ``normal . x = offset``, a body of `contact`: both of its sides are free. It moves with its pose.
///
/// Parameters
/// ----------
/// normal : sequence of 3 floats
///     The normal, of any length but zero.
/// offset : float
///     Metres, for the normal made of unit length.
#[pyclass(frozen, module = "superovoid")]
pub struct Plane {
    pub plane: superovoid::Plane,
}

#[pymethods]
impl Plane {
    #[new]
    fn new(normal: [f64; 3], offset: f64) -> PyResult<Self> {
        let plane = superovoid::Plane::new(Vector3::from(normal), offset);
        let plane = plane.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Plane { plane })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let plane = &slf.get().plane;
        let normal: [f64; 3] = plane.normal().into_inner().into();
        reduced_to_new(slf, (normal, plane.offset()))
    }

    fn __repr__(&self) -> String {
        let (n, offset) = (self.plane.normal(), self.plane.offset());
        format!("Plane([{}, {}, {}], {offset})", n.x, n.y, n.z)
    }
}

/// A solid half-space ``normal . x <= offset``, an obstacle of scenes and a body of `contact`; it moves with its pose.
///
/// Parameters
/// ----------
/// normal : sequence of 3 floats
///     The outward normal, of any length but zero.
/// offset : float
///     Metres, for the normal made of unit length.
#[pyclass(frozen, module = "superovoid")]
pub struct HalfSpace {
    pub half_space: superovoid::HalfSpace,
}

#[pymethods]
impl HalfSpace {
    #[new]
    fn new(normal: [f64; 3], offset: f64) -> PyResult<Self> {
        let half_space = superovoid::HalfSpace::new(Vector3::from(normal), offset);
        let half_space = half_space.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(HalfSpace { half_space })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let half_space = &slf.get().half_space;
        let normal: [f64; 3] = half_space.normal().into_inner().into();
        reduced_to_new(slf, (normal, half_space.offset()))
    }

    fn __repr__(&self) -> String {
        let (n, offset) = (self.half_space.normal(), self.half_space.offset());
        format!("HalfSpace([{}, {}, {}], {offset})", n.x, n.y, n.z)
    }
}

/// Returns the points of an argument of the shape (n, 3).
pub fn point_list(value: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<Point3<f64>>> {
    let rows = Rows::list_of_width(value, name, 3)?;
    let reader = rows.reader(rows.lead());
    let count = rows.lead()[0];
    Ok((0..count)
        .map(|k| Point3::from(reader.row::<3>(k)))
        .collect())
}
