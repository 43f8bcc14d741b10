//! Polytopes in a common frame, behind a bounding-volume hierarchy.

use crate::bvh::boxes::{bounds, least_distance};
use crate::bvh::patches::Patches;
use crate::bvh::solid::{Surface, winding};
use crate::convex::ConvexShape;
use crate::polytope::shapes::{Polytope, Triangle};
use crate::surface::bounds::Aabb;
use crate::surface::triangle_mesh::{MeshError, TriangleMesh};
use nalgebra::{Point3, Vector3};
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhNode, TraversalAction};
use std::sync::OnceLock;

/// An error in the parts of a tree.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TreeError {
    /// Vertices and triangles make no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// There are no boxes.
    #[error("there are no boxes")]
    NoBoxes,
    /// There are more parts, or vertices, than a 32-bit index can count.
    #[error("{count} parts are more than can be indexed")]
    TooMany {
        /// The number of them.
        count: usize,
    },
    /// Heights are no grid of two rows and columns or more.
    #[error(
        "{count} heights in rows of {columns}: a height field has two rows and columns or more, all complete"
    )]
    Grid {
        /// The number of heights.
        count: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A height field has no extent along an axis.
    #[error("{axis} = from {from} to {to}: a height field needs two finite and different ends")]
    Extent {
        /// The axis, `"x"` or `"y"`.
        axis: &'static str,
        /// The coordinate of the first row or column.
        from: f64,
        /// The coordinate of the last.
        to: f64,
    },
    /// A height is not finite, or below the bottom.
    #[error(
        "the height of row {row}, column {column} (from 0) is {height}: it must be finite and at least the bottom, {bottom}"
    )]
    Height {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The height that was rejected.
        height: f64,
        /// The bottom.
        bottom: f64,
    },
    /// A box is not finite, or a smallest coordinate exceeds the largest.
    #[error("box {index} is not finite or has a smallest coordinate above its largest")]
    Box {
        /// The index of the box, from 0.
        index: usize,
    },
}

/// The bounding-volume hierarchy of a tree, for the crates of this repository.
pub trait Hierarchy {
    /// Returns the hierarchy over the boxes of the parts.
    fn bvh(&self) -> &Bvh;

    /// Visits the parts whose boxes in the hierarchy meet the box from `low` to `high`.
    fn visit_parts(&self, low: [f64; 3], high: [f64; 3], mut visit: impl FnMut(u32)) {
        self.bvh().traverse(|node| {
            let (from, to) = (node.mins(), node.maxs());
            if (0..3).any(|k| from[k] > high[k] || to[k] < low[k]) {
                return TraversalAction::Prune;
            }
            if let Some(part) = node.leaf_data() {
                visit(part);
            }
            TraversalAction::Continue
        });
    }
}

/// Polytopes in a common frame, behind a bounding-volume hierarchy: a [`TriMesh`], a [`BoxSet`] or a
/// [`HeightField`](super::HeightField).
pub trait PolytopeTree: Hierarchy {
    /// The type of a part.
    type Part: Polytope;

    /// Returns the part with an index that is at most that of the last part.
    fn part(&self, index: u32) -> Self::Part;

    /// Whether the parts are the surface of a solid, so that what is inside overlaps it.
    fn is_solid(&self) -> bool {
        false
    }

    /// Whether a point in the frame of the parts is inside the solid of which they are the surface.
    #[doc(hidden)]
    fn encloses(&self, point: &Point3<f64>) -> bool {
        self.part_around(point).is_some()
    }

    /// Returns a part that a ray from a point inside passes on its way out of that solid; `None` for other points.
    #[doc(hidden)]
    fn part_around(&self, _: &Point3<f64>) -> Option<u32> {
        None
    }

    /// Whether a test holds for a point of any piece that hangs together; pieces outside a box are left out. Here every
    /// part is one.
    #[doc(hidden)]
    fn any_piece(&self, near: &Aabb, test: &mut dyn FnMut(&Point3<f64>) -> bool) -> bool {
        let mut holds = false;
        self.bvh().traverse(|node| {
            if least_distance(near, node) > 0.0 {
                return TraversalAction::Prune;
            }
            let first = |part| self.part(part).vertices().first().copied();
            holds = node
                .leaf_data()
                .and_then(first)
                .is_some_and(|vertex| test(&vertex));
            if holds {
                TraversalAction::EarlyExit
            } else {
                TraversalAction::Continue
            }
        });
        holds
    }

    /// Returns the nodes for queries that descend two trees, which the first of these makes.
    #[doc(hidden)]
    fn patches(&self) -> &Patches;

    /// Returns the same part as a convex body.
    #[doc(hidden)]
    fn convex_part(&self, index: u32) -> ConvexShape {
        ConvexShape::of_points(self.part(index).vertices())
    }
}

/// A triangle mesh: a solid where it is closed, otherwise its surface.
///
/// A mesh is closed if its triangles meet edge to edge, all turned the same way, with their corners anticlockwise seen from
/// outside. Vertices at the same place are one. Shells inside one another may be cavities (turned inside out) or overlap.
/// A body wholly inside overlaps it, as anyone expects of a link or a wall. A mesh with a hole, with a triangle turned the
/// wrong way, or inside out, bounds nothing: it is its surface, two-sided, and [`TriMesh::is_solid`] says so.
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::bvh::{TriMesh, tree_contact};
/// use superovoid::{CollisionStatus, QueryOptions, Superovoid};
///
/// let corner = |k: usize| Point3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
/// let faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
/// let triangles = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
/// let cube = TriMesh::new((0..8).map(corner).collect(), triangles.collect())?;
/// assert!(cube.is_solid());
///
/// let ball = Superovoid::sphere(0.1)?;
/// let (inside, here) = (Isometry3::translation(0.5, 0.5, 0.7), Isometry3::identity());
/// let ask = |mesh: &TriMesh| tree_contact(&ball, &inside, mesh, &here, &QueryOptions::default());
/// let found = ask(&cube)?.expect("without a maximum distance there is an answer").contact;
/// assert_eq!(found.status(), CollisionStatus::Collision);
/// assert!((found.distance + 0.4).abs() < 1e-9); // out through the face at z = 1
///
/// let found = ask(&cube.surface())?.expect("as before").contact;
/// assert!((found.distance - 0.2).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct TriMesh {
    mesh: TriangleMesh,
    bvh: Bvh,
    patches: OnceLock<Patches>,
    /// A vertex of each of the pieces that hang together.
    pieces: Vec<u32>,
    closed: bool,
    solid: bool,
}

impl TriMesh {
    /// Makes a mesh from vertices (metres, in the mesh's frame) and the vertex indices of the triangles.
    ///
    /// # Errors
    /// The error says that there are no triangles, or names a vertex that is not finite or an index that is out of
    /// range.
    pub fn new(vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, TreeError> {
        TriMesh::try_from(TriangleMesh {
            vertices,
            triangles,
        })
    }

    /// Returns the same mesh as its surface, two-sided, also where it is closed: a body wholly inside does not overlap it.
    #[must_use]
    pub fn surface(self) -> Self {
        TriMesh {
            solid: false,
            ..self
        }
    }

    /// Returns the mesh multiplied by a factor along each axis. An odd number of negative ones mirrors it: then its
    /// triangles are turned, so that a solid stays one.
    ///
    /// # Errors
    /// The error names a vertex that is not finite afterwards.
    pub fn scaled(&self, factors: [f64; 3]) -> Result<Self, TreeError> {
        let made = TriMesh::try_from(self.mesh.scaled(factors))?;
        let only_surface = self.closed && !self.solid;
        Ok(if only_surface { made.surface() } else { made })
    }

    /// Whether the mesh bounds a solid: it has no border, and its triangles are turned the same way, outwards.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether the mesh is a solid, so that a body wholly inside overlaps it: it is closed, and not made a
    /// [surface](TriMesh::surface).
    pub fn is_solid(&self) -> bool {
        self.solid
    }

    /// Returns the vertices and triangles, as given.
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Returns the vertices, as given, metres.
    pub fn vertices(&self) -> &[Point3<f64>] {
        &self.mesh.vertices
    }

    /// Returns the box along the axes of the mesh's frame that holds it.
    pub fn aabb(&self) -> Aabb {
        bounds(&self.bvh)
    }

    /// Returns the vertex indices of the triangles, as given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.mesh.triangles
    }

    fn corners(&self, triangle: u32) -> [Point3<f64>; 3] {
        self.mesh.triangles[triangle as usize].map(|v| self.mesh.vertices[v as usize])
    }
}

impl TryFrom<TriangleMesh> for TriMesh {
    type Error = TreeError;

    fn try_from(mesh: TriangleMesh) -> Result<Self, TreeError> {
        let TriangleMesh {
            vertices,
            triangles,
        } = &mesh;
        MeshError::check(vertices, triangles)?;
        let boxes: Vec<Box3> = triangles
            .iter()
            .map(|t| around(&t.map(|v| vertices[v as usize])))
            .collect();
        let bvh = build(&boxes)?;
        let Surface { closed, pieces } = Surface::of(vertices, triangles, &bvh);
        Ok(TriMesh {
            mesh,
            bvh,
            patches: OnceLock::new(),
            pieces,
            closed,
            solid: closed,
        })
    }
}

impl std::fmt::Debug for TriMesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (vertices, triangles) = (self.vertices().len(), self.triangles().len());
        let kind = if self.solid { "solid" } else { "surface" };
        write!(
            f,
            "TriMesh({vertices} vertices, {triangles} triangles, {kind})"
        )
    }
}

impl Hierarchy for TriMesh {
    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

impl PolytopeTree for TriMesh {
    type Part = Triangle;

    fn part(&self, index: u32) -> Triangle {
        Triangle::of_finite(self.corners(index))
    }

    fn patches(&self) -> &Patches {
        self.patches
            .get_or_init(|| Patches::of(&self.bvh, |part| self.part(part)))
    }

    fn is_solid(&self) -> bool {
        self.solid
    }

    fn part_around(&self, point: &Point3<f64>) -> Option<u32> {
        let Aabb { min, max } = self.aabb();
        if !self.solid || (0..3).any(|i| point[i] < min[i] || max[i] < point[i]) {
            return None;
        }
        let (turns, last) = winding(&self.bvh, |t| Some(self.corners(t)), point);
        last.filter(|_| turns >= 1)
    }

    fn any_piece(&self, near: &Aabb, test: &mut dyn FnMut(&Point3<f64>) -> bool) -> bool {
        let is_near = |p: &Point3<f64>| (0..3).all(|i| near.min[i] <= p[i] && p[i] <= near.max[i]);
        let points = self.pieces.iter().map(|&v| self.mesh.vertices[v as usize]);
        points.filter(is_near).any(|p| test(&p))
    }

    fn convex_part(&self, index: u32) -> ConvexShape {
        ConvexShape::triangle(self.corners(index))
    }
}

/// Solid boxes with faces along the axes of their common frame, for example the occupied cells of an octree. They may
/// touch or overlap.
#[derive(Clone)]
pub struct BoxSet {
    boxes: Vec<Aabb>,
    bvh: Bvh,
    patches: OnceLock<Patches>,
}

impl BoxSet {
    /// Makes a set from boxes, metres.
    ///
    /// # Errors
    /// The error says that there are no boxes, or names one that is not finite or turned inside out.
    pub fn new(boxes: Vec<Aabb>) -> Result<Self, TreeError> {
        let valid = |b: &Aabb| {
            (0..3).all(|i| b.min[i] <= b.max[i] && b.min[i].is_finite() && b.max[i].is_finite())
        };
        if let Some(index) = boxes.iter().position(|b| !valid(b)) {
            return Err(TreeError::Box { index });
        }
        let bounds: Vec<Box3> = boxes.iter().map(|b| around(&[b.min, b.max])).collect();
        let bvh = build(&bounds)?;
        Ok(BoxSet {
            boxes,
            bvh,
            patches: OnceLock::new(),
        })
    }

    /// Returns the box along the axes of the set's frame that holds it, metres.
    pub fn aabb(&self) -> Aabb {
        bounds(&self.bvh)
    }

    /// Returns the boxes, as given.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}

impl std::fmt::Debug for BoxSet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BoxSet({} boxes)", self.boxes.len())
    }
}

impl Hierarchy for BoxSet {
    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

impl PolytopeTree for BoxSet {
    type Part = Corners;

    fn patches(&self) -> &Patches {
        self.patches
            .get_or_init(|| Patches::of(&self.bvh, |part| self.part(part)))
    }

    fn part(&self, index: u32) -> Corners {
        let Aabb { min, max } = self.boxes[index as usize];
        let ends = [min, max];
        Corners(std::array::from_fn(|corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            Point3::new(end(0), end(1), end(2))
        }))
    }
}

/// A box by its eight corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corners([Point3<f64>; 8]);

impl Polytope for Corners {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

/// Visits the parts whose boxes may be within a margin of the half-space `n·x ≤ height`, or of its boundary where that is
/// `thin`, until `visit` returns false; `rounding` is that of the height.
pub(crate) fn parts_near_plane(
    tree: &impl PolytopeTree,
    n: &Vector3<f64>,
    height: f64,
    thin: bool,
    margin: f64,
    rounding: f64,
    mut visit: impl FnMut(u32) -> bool,
) {
    tree.bvh().traverse(|node| {
        let [above, below] = sides_of_node(node, n, height);
        let apart = if thin { above.max(below) } else { above };
        let here =
            1e-14 * (n.amax() * (node.mins().length() + node.maxs().length()) + height.abs());
        if apart > margin + rounding + here {
            return TraversalAction::Prune;
        }
        match node.leaf_data() {
            Some(part) if !visit(part) => TraversalAction::EarlyExit,
            _ => TraversalAction::Continue,
        }
    });
}

/// Returns by how much the box of a node is above the plane `n·x = height`, and by how much below.
fn sides_of_node(node: &BvhNode, n: &Vector3<f64>, height: f64) -> [f64; 2] {
    let (min, max) = (node.mins(), node.maxs());
    let end = |high: bool| {
        let pick = |i: usize| if (n[i] > 0.0) == high { max[i] } else { min[i] };
        n.dot(&Vector3::from_fn(|i, _| pick(i))) - height
    };
    [end(false), -end(true)]
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

pub(super) fn around(points: &[Point3<f64>]) -> Box3 {
    Box3::from_points(points.iter().map(vector))
}

pub(super) fn build(boxes: &[Box3]) -> Result<Bvh, TreeError> {
    if boxes.is_empty() {
        return Err(TreeError::NoBoxes);
    }
    if u32::try_from(boxes.len()).is_err() {
        return Err(TreeError::TooMany { count: boxes.len() });
    }
    Ok(Bvh::from_leaves(BvhBuildStrategy::Binned, boxes))
}
