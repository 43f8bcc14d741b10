//! Superovoids against many polytopes: triangle meshes and sets of boxes, behind a bounding-volume hierarchy.
//!
//! A [`TriMesh`] holds the triangles of a mesh, a [`BoxSet`] the occupied cells of an octree or
//! any other boxes, both behind the bounding-volume hierarchy of parry3d. [`tree_contact`] finds the
//! part with the least signed distance; [`tree_contacts`] visits all parts within a margin.
//!
//! Where the bodies are apart, the least signed distance over the parts is the distance of their union. Where they
//! overlap it is minus the depth of the deepest part: moving the superovoid by it separates it from that part, but
//! not necessarily from the others. A triangle mesh is its surface: a body wholly inside a closed mesh does not
//! overlap it.
//!
//! A node of the hierarchy is skipped when its box is farther from the superovoid's than the best part found: two
//! boxes that overlap by o along the axis of least overlap contain no bodies with a signed distance below −o. The
//! normal n of the best part found gives a second test: everything beyond the superovoid's supporting plane, all x
//! with `n·x − h_A(n) ≥ d`, has a signed distance of at least d. Where the tree is locally convex that skips nearly
//! all parts except the neighbours of the best one.

use crate::Superovoid;
use crate::polytope::polytope_contact;
use crate::polytope::shapes::{Polytope, Triangle};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::{RELATIVE_TOLERANCE, wanted_tolerance};
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::bounding_volume::Aabb as Box3;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhLeafCost, BvhNode, TraversalAction};
use std::cell::Cell;

/// An error in the parts of a tree.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum TreeError {
    /// There are no parts.
    #[error("there are no {parts}")]
    Empty {
        /// The kind of part, `"triangles"` or `"boxes"`.
        parts: &'static str,
    },
    /// There are more parts, or vertices, than a 32-bit index can count.
    #[error("{count} parts are more than can be indexed")]
    TooMany {
        /// The number of them.
        count: usize,
    },
    /// A vertex holds NaN or infinity.
    #[error("vertex {index} is not finite")]
    NonFiniteVertex {
        /// The index of the vertex, from 0.
        index: usize,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}; there are {vertices} (from 0)")]
    VertexOutOfRange {
        /// The index of the triangle, from 0.
        triangle: usize,
        /// The vertex index that the triangle holds.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A box is not finite, or a smallest coordinate exceeds the largest.
    #[error("box {index} is not finite or has a smallest coordinate above its largest")]
    Box {
        /// The index of the box, from 0.
        index: usize,
    },
}

/// Polytopes in a common frame, behind a bounding-volume hierarchy.
pub trait PolytopeTree {
    /// The type of a part.
    type Part: Polytope;

    /// Returns the part with an index that is at most that of the last part.
    fn part(&self, index: u32) -> Self::Part;

    /// Returns the hierarchy over the boxes of the parts.
    fn bvh(&self) -> &Bvh;
}

/// A triangle mesh: its surface, two-sided, closed or not.
#[derive(Clone)]
pub struct TriMesh {
    vertices: Vec<Point3<f64>>,
    triangles: Vec<[u32; 3]>,
    bvh: Bvh,
}

impl TriMesh {
    /// Makes a mesh from vertices (metres, in the mesh's frame) and the vertex indices of the triangles.
    ///
    /// # Errors
    /// The error says that there are no triangles, or names a vertex that is not finite or an index that is out of
    /// range.
    pub fn new(vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Self, TreeError> {
        let finite = |v: &Point3<f64>| v.iter().all(|x| x.is_finite());
        if let Some(index) = vertices.iter().position(|v| !finite(v)) {
            return Err(TreeError::NonFiniteVertex { index });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
                return Err(TreeError::VertexOutOfRange {
                    triangle,
                    vertex,
                    vertices: vertices.len(),
                });
            }
        }
        let boxes: Vec<Box3> = triangles
            .iter()
            .map(|t| around(&t.map(|v| vertices[v as usize])))
            .collect();
        let bvh = build(&boxes, "triangles")?;
        Ok(TriMesh {
            vertices,
            triangles,
            bvh,
        })
    }

    /// Returns the vertex indices of the triangles, as given.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }
}

impl PolytopeTree for TriMesh {
    type Part = Triangle;

    fn part(&self, index: u32) -> Triangle {
        let corners = self.triangles[index as usize];
        Triangle::of_finite(corners.map(|v| self.vertices[v as usize]))
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

/// Solid boxes with faces along the axes of their common frame, for example the occupied cells of an octree. They may
/// touch or overlap.
#[derive(Clone)]
pub struct BoxSet {
    boxes: Vec<Aabb>,
    bvh: Bvh,
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
        let bvh = build(&bounds, "boxes")?;
        Ok(BoxSet { boxes, bvh })
    }

    /// Returns the boxes, as given.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }
}

impl PolytopeTree for BoxSet {
    type Part = Corners;

    fn part(&self, index: u32) -> Corners {
        let Aabb { min, max } = self.boxes[index as usize];
        let ends = [min, max];
        Corners(std::array::from_fn(|corner| {
            let end = |axis: usize| ends[corner >> axis & 1][axis];
            Point3::new(end(0), end(1), end(2))
        }))
    }

    fn bvh(&self) -> &Bvh {
        &self.bvh
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

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn point(v: Vector) -> Point3<f64> {
    Point3::new(v.x, v.y, v.z)
}

fn around(points: &[Point3<f64>]) -> Box3 {
    Box3::from_points(points.iter().map(vector))
}

fn build(boxes: &[Box3], parts: &'static str) -> Result<Bvh, TreeError> {
    if boxes.is_empty() {
        return Err(TreeError::Empty { parts });
    }
    if u32::try_from(boxes.len()).is_err() {
        return Err(TreeError::TooMany { count: boxes.len() });
    }
    Ok(Bvh::from_leaves(BvhBuildStrategy::Binned, boxes))
}

/// The answer for one part of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartContact {
    /// The index of the part, the triangle or box, from 0.
    pub part: u32,
    /// The answer in the world frame; B is the part.
    pub contact: Contact,
}

impl BvhLeafCost for PartContact {
    fn cost(&self) -> f64 {
        self.contact.distance
    }
}

/// Returns the part of `tree` (body B, at `tree_pose`) with the least signed distance to the superovoid `shape` (body
/// A, at `pose`), or `None` if all are proven to be farther than `options.max_distance`.
///
/// The bracket holds for the least signed distance of all parts; a certified one is closed at the tolerance, or at
/// twice the rounding of a part if that is larger. The options are those of [`polytope_contact`].
///
/// # Errors
/// The errors are those of [`polytope_contact`].
///
/// ```
/// use nalgebra::{Isometry3, Point3};
/// use superovoid::bvh::{TriMesh, tree_contact};
/// use superovoid::{QueryOptions, Superovoid};
///
/// let corner = |x: f64, y: f64| Point3::new(x, y, 0.0);
/// let floor = TriMesh::new(
///     vec![corner(-9.0, -9.0), corner(9.0, -9.0), corner(9.0, 9.0), corner(-9.0, 9.0)],
///     vec![[0, 1, 2], [0, 2, 3]],
/// )?;
/// let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
/// let above = Isometry3::translation(1.0, -2.0, 0.04);
/// let here = Isometry3::identity();
/// let found = tree_contact(&egg, &above, &floor, &here, &QueryOptions::default())?;
/// let found = found.expect("without a maximum distance there is an answer");
/// assert_eq!(found.part, 0);
/// assert!((found.contact.distance - 0.01).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tree_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    validate(pose, tree_pose, options)?;
    let around_shape = bounds_in(shape, pose, tree_pose);
    let error = Cell::new(None);
    let plane = Cell::new(None);
    // Two parts that tie may have brackets that only meet, so each gets half the tolerance.
    let wanted = wanted_tolerance(options.tolerance, shape.size(), RELATIVE_TOLERANCE);
    // This bound is the least over all parts that were queried.
    let (lower, upper) = (Cell::new(f64::INFINITY), Cell::new(f64::INFINITY));
    let ask = |index: u32, best: f64| {
        let part = tree.part(index);
        let beyond = |plane: SupportingPlane| plane.least(part.vertices()) >= best;
        if plane.get().is_some_and(beyond) {
            return None;
        }
        let options = QueryOptions {
            tolerance: 0.5 * wanted,
            max_distance: best.max(0.0),
            ..*options
        };
        match polytope_contact(shape, pose, &part, tree_pose, &options) {
            Err(e) => {
                error.set(Some(e));
                None
            }
            Ok(contact) if contact.outcome == Outcome::Beyond => None,
            Ok(contact) => {
                if contact.distance < best {
                    plane.set(Some(SupportingPlane::new(shape, pose, tree_pose, &contact)));
                }
                lower.set(lower.get().min(contact.lower));
                upper.set(upper.get().min(contact.upper));
                Some(PartContact {
                    part: index,
                    contact,
                })
            }
        }
    };
    let bound = |node: &BvhNode, _: f64| {
        let boxes = least_distance(&around_shape, node);
        let corners = || [point(node.mins()), point(node.maxs())];
        plane
            .get()
            .map_or(boxes, |plane| boxes.max(plane.least_in_box(corners())))
    };
    let limit = options.max_distance.min(f64::MAX).next_up();
    let best = tree.bvh().find_best(limit, bound, ask);
    if let Some(error) = error.get() {
        return Err(error);
    }
    Ok(best.map(|(_, mut best)| {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (lower.get(), upper.get().max(contact.distance));
        let closed = contact.upper - contact.lower <= wanted.max(2.0 * alone);
        if contact.outcome == Outcome::Certified && !closed {
            contact.outcome = Outcome::Converged;
        }
        best
    }))
}

/// The plane that touches the superovoid with the normal n of an answer, in the tree's frame.
#[derive(Clone, Copy)]
struct SupportingPlane {
    normal: Vector3<f64>,
    /// The value h_A(n), rounded up.
    height: f64,
}

impl SupportingPlane {
    fn new(
        shape: &Superovoid,
        pose: &Isometry3<f64>,
        tree_pose: &Isometry3<f64>,
        contact: &Contact,
    ) -> Self {
        let in_tree = tree_pose.inv_mul(pose);
        let normal = tree_pose.rotation.inverse() * contact.normal.into_inner();
        let support = shape.support(&(in_tree.rotation.inverse() * normal)).value;
        let center = in_tree.translation.vector;
        let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
        let slack = 1e-14 * (far + center.norm() + support.abs());
        SupportingPlane {
            normal,
            height: normal.dot(&center) + support + slack,
        }
    }

    /// Returns a lower bound of the signed distance of the hull of points.
    fn least(&self, points: &[Point3<f64>]) -> f64 {
        let heights = points.iter().map(|p| {
            let height = self.normal.dot(&p.coords);
            height - 1e-15 * p.coords.norm()
        });
        heights.fold(f64::INFINITY, f64::min) - self.height
    }

    /// Returns the same bound for a box, from its smallest and largest corner.
    fn least_in_box(&self, [min, max]: [Point3<f64>; 2]) -> f64 {
        let lowest = Point3::from(Vector3::from_fn(|i, _| {
            if self.normal[i] > 0.0 { min[i] } else { max[i] }
        }));
        self.least(&[lowest])
    }
}

/// Calls `visit` for every part of `tree` whose signed distance to the superovoid is at most `margin`
/// (metres), in no particular order, until it returns false.
///
/// # Errors
/// The errors are those of [`polytope_contact`], and a margin that is NaN; `visit` may have been called before an
/// error is found.
pub fn tree_contacts(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    mut visit: impl FnMut(PartContact) -> bool,
) -> Result<(), QueryError> {
    let options = QueryOptions {
        max_distance: margin,
        ..*options
    };
    validate(pose, tree_pose, &options)?;
    let around_shape = bounds_in(shape, pose, tree_pose);
    let mut error = None;
    tree.bvh().traverse(|node| {
        if least_distance(&around_shape, node) > margin {
            return TraversalAction::Prune;
        }
        let Some(part) = node.leaf_data() else {
            return TraversalAction::Continue;
        };
        match polytope_contact(shape, pose, &tree.part(part), tree_pose, &options) {
            Ok(contact) if contact.outcome == Outcome::Beyond || contact.distance > margin => {
                TraversalAction::Continue
            }
            Ok(contact) if visit(PartContact { part, contact }) => TraversalAction::Continue,
            Ok(_) => TraversalAction::EarlyExit,
            Err(e) => {
                error = Some(e);
                TraversalAction::EarlyExit
            }
        }
    });
    error.map_or(Ok(()), Err)
}

/// Returns the superovoid's box in the tree's frame, extended by more than its rounding.
fn bounds_in(shape: &Superovoid, pose: &Isometry3<f64>, tree_pose: &Isometry3<f64>) -> Aabb {
    let Aabb { min, max } = shape.aabb(&tree_pose.inv_mul(pose));
    let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
    let slack = 1e-14 * (far + min.coords.norm() + max.coords.norm());
    Aabb {
        min: min.map(|x| x - slack),
        max: max.map(|x| x + slack),
    }
}

/// Returns a lower bound of the signed distance of the contents of two boxes: their distance, or minus their overlap
/// along the axis where it is least.
fn least_distance(a: &Aabb, node: &BvhNode) -> f64 {
    let (min, max) = (node.mins(), node.maxs());
    let b = Aabb {
        min: Point3::new(min.x, min.y, min.z),
        max: Point3::new(max.x, max.y, max.z),
    };
    let apart = a.distance(&b);
    if apart > 0.0 {
        return apart;
    }
    let overlap = |i: usize| (a.max[i] - b.min[i]).min(b.max[i] - a.min[i]);
    -overlap(0).min(overlap(1)).min(overlap(2))
}
