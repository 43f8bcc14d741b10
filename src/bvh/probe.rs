//! The body A of a query, and lower bounds of its distance from what the nodes of a tree hold.
//!
//! A direction n proves that the points x of a set are at least `min n·x − h_A(n)` away. Three kinds are tried, each only
//! where the one before did not prove enough:
//!
//! 1. that of the best answer so far, and those that proved enough of the sets before, whose h_A(n) is known;
//! 2. that from the body's box along its own axes to the middle of the node's box: the nearest point of a box is known in
//!    closed form, and long bodies that lie askew fill little of their boxes along the tree's axes;
//! 3. those of GJK between body and node, E. G. Gilbert, D. W. Johnson, S. S. Keerthi, *A fast procedure for computing the
//!    distance between complex objects in three-dimensional space* (1988), until a direction proves enough or a point of
//!    the node is found to be nearer.

use crate::Superovoid;
use crate::bvh::boxes::point;
use crate::bvh::tree::PolytopeTree;
use crate::convex::{ConvexShape, ScaledShape, convex_contact};
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::polytope::shapes::Polytope;
use crate::polytope::{face_contact, polytope_contact};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::surface::bounds::{Aabb, BoundingSphere};
use crate::surface::slab::slab_support;
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use parry3d_f64::partitioning::BvhNode;
use std::cell::Cell;

/// The body A of a query: a superovoid or another convex body.
pub(super) trait Probe {
    fn size(&self) -> f64;
    fn support(&self) -> Support<'_>;
    fn local_aabb(&self) -> Aabb;
    /// Returns the body if it is not convex.
    fn hollow(&self) -> Option<&Superovoid>;
    /// Returns a ball inside the body; its radius may be 0.
    fn inner_ball(&self) -> BoundingSphere;
    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError>;
    /// Whether [`Probe::by_face`] answers some triangles.
    const HAS_FACES: bool;
    /// Returns the answer for a triangle whose plane proves it.
    fn by_face(
        &self,
        pose: &Isometry3<f64>,
        part: &impl Polytope,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError>;
}

/// The support function of a body in its own frame.
// A query makes one, without allocating.
#[allow(clippy::large_enum_variant)]
pub(super) enum Support<'a> {
    Superovoid(&'a Superovoid),
    Convex(ScaledShape<'a>),
    /// The slab of a superovoid between two heights, in units of its semi-axis.
    Slab(&'a Superovoid, [f64; 2]),
}

impl Support<'_> {
    /// Returns its value and the support point in the direction of a unit vector.
    fn at(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        match self {
            Support::Superovoid(shape) => {
                let support = shape.support(n);
                (support.value, support.point.coords)
            }
            Support::Convex(shape) => shape.support(n),
            Support::Slab(shape, heights) => slab_support(shape, n, *heights),
        }
    }
}

impl Probe for Superovoid {
    fn size(&self) -> f64 {
        self.size()
    }

    fn support(&self) -> Support<'_> {
        Support::Superovoid(self)
    }

    fn local_aabb(&self) -> Aabb {
        let half = self.obb(&Isometry3::identity()).half_extents;
        Aabb {
            min: (-half).into(),
            max: half.into(),
        }
    }

    fn hollow(&self) -> Option<&Superovoid> {
        (!self.is_convex()).then_some(self)
    }

    fn inner_ball(&self) -> BoundingSphere {
        BoundingSphere {
            center: Point3::origin(),
            radius: self.inner_radius,
        }
    }

    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        polytope_contact(self, pose, &tree.part(part), tree_pose, options)
    }

    const HAS_FACES: bool = true;

    fn by_face(
        &self,
        pose: &Isometry3<f64>,
        part: &impl Polytope,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        face_contact(self, pose, part, tree_pose, options)
    }
}

impl Probe for ConvexShape {
    fn size(&self) -> f64 {
        self.size()
    }

    fn support(&self) -> Support<'_> {
        Support::Convex(self.scaled(1.0))
    }

    fn local_aabb(&self) -> Aabb {
        self.local_aabb()
    }

    fn hollow(&self) -> Option<&Superovoid> {
        None
    }

    fn inner_ball(&self) -> BoundingSphere {
        self.inner_ball()
    }

    fn contact_with(
        &self,
        pose: &Isometry3<f64>,
        tree: &impl PolytopeTree,
        part: u32,
        tree_pose: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        let options = QueryOptions {
            max_distance: options.max_distance.max(0.0),
            ..*options
        };
        convex_contact(self, pose, &tree.convex_part(part), tree_pose, &options)
    }

    const HAS_FACES: bool = false;

    fn by_face(
        &self,
        _: &Isometry3<f64>,
        _: &impl Polytope,
        _: &Isometry3<f64>,
        _: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        Ok(None)
    }
}

/// A body in the tree's frame, and planes that touch it.
pub(super) struct Placed<'a> {
    support: Support<'a>,
    /// The rotation from the body's frame to the tree's.
    rotation: Matrix3<f64>,
    /// The origin of the body's frame.
    pub origin: Vector3<f64>,
    /// The middle of the box along the body's own axes in its own frame, and half its edges.
    middle: Vector3<f64>,
    half: Vector3<f64>,
    /// What rounding is in proportion to: the distances of both origins from the world's and from each other, and the size.
    reach: f64,
    /// The plane of the best answer.
    best: Cell<Option<Plane>>,
    /// The planes that proved enough last: what is next to a set is beyond the same plane.
    last: [Cell<Plane>; Placed::KEPT],
    next: Cell<usize>,
}

/// A plane that touches the body: what lies beyond it by d has a signed distance of at least d.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    /// The outward unit normal n.
    normal: Vector3<f64>,
    /// The value h_A(n) about the origin of the body's frame, rounded up.
    pub height: f64,
    /// The point where it touches the body, about that origin.
    pub point: Vector3<f64>,
}

/// Points about the origin of the body's frame: a box by its middle and half its edges, with their rounding.
struct NodeBox {
    middle: Vector3<f64>,
    half: Vector3<f64>,
    slack: f64,
}

impl<'a> Placed<'a> {
    const KEPT: usize = 16;

    pub fn new(shape: &'a impl Probe, pose: &Isometry3<f64>, tree_pose: &Isometry3<f64>) -> Self {
        Placed::of(shape.support(), &shape.local_aabb(), pose, tree_pose)
    }

    /// From the support of a body and its box, both in its own frame.
    pub fn of(
        support: Support<'a>,
        around: &Aabb,
        pose: &Isometry3<f64>,
        tree_pose: &Isometry3<f64>,
    ) -> Self {
        let in_tree = tree_pose.inv_mul(pose);
        let Aabb { min, max } = around;
        let middle = nalgebra::center(min, max).coords;
        let half = (max - min) * (0.5 + 1e-14);
        let far = pose.translation.vector.norm() + tree_pose.translation.vector.norm();
        let none = Plane {
            normal: Vector3::x(),
            height: f64::INFINITY,
            point: Vector3::zeros(),
        };
        Placed {
            support,
            rotation: in_tree.rotation.to_rotation_matrix().into_inner(),
            origin: in_tree.translation.vector,
            middle,
            half,
            reach: far + in_tree.translation.vector.norm() + middle.norm() + half.norm(),
            best: Cell::new(None),
            last: std::array::from_fn(|_| Cell::new(none)),
            next: Cell::new(0),
        }
    }

    /// Returns the plane that touches the body with an outward unit normal.
    pub fn plane(&self, normal: Vector3<f64>) -> Plane {
        let (value, point) = self.support.at(&self.rotation.tr_mul(&normal));
        let slack = 1e-14 * (self.reach + value.abs());
        Plane {
            normal,
            height: value + slack,
            point: self.rotation * point,
        }
    }

    /// Keeps the plane of the best answer, from its normal.
    pub fn keep_best(&self, normal: Vector3<f64>) {
        self.best.set(Some(self.plane(normal)));
    }

    /// Whether there is a plane of a best answer.
    pub fn has_best(&self) -> bool {
        self.best.get().is_some()
    }

    fn planes(&self) -> impl Iterator<Item = Plane> {
        let last = self.last.iter().map(Cell::get);
        self.best.get().into_iter().chain(last)
    }

    /// Returns a lower bound of the signed distance from a node's box; `enough` is the one that is asked for.
    pub fn least_to_node(&self, node: &BvhNode, enough: f64) -> f64 {
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let middle = nalgebra::center(&min, &max).coords - self.origin;
        let half = (max - min) * (0.5 + 1e-15);
        let slack = 1e-14 * (self.reach + middle.norm() + half.norm());
        let set = NodeBox {
            middle,
            half,
            slack,
        };
        let mut bound = f64::NEG_INFINITY;
        let mut nearly = None;
        for plane in self.planes() {
            let least = plane.least_to_box(&set);
            if least >= enough {
                return least;
            }
            if least > bound {
                (bound, nearly) = (least, Some(plane));
            }
        }
        let in_body = self.rotation.tr_mul(&set.middle) - self.middle;
        let beside = in_body - in_body.zip_map(&self.half, |x, half| x.clamp(-half, half));
        // Where the body's own box holds the middle of the node's it tells nothing.
        let to_node = unit(&(self.rotation * beside));
        let by_box = to_node.map_or(f64::NEG_INFINITY, |(n, apart)| {
            apart - n.abs().dot(&set.half) - set.slack
        });
        // The direction that proved most is where GJK begins.
        let start = match to_node {
            Some((n, _)) if by_box > bound && by_box < enough => Some(self.plane(n)),
            _ => nearly,
        };
        bound = bound.max(by_box);
        let (Some(start), false) = (start, bound >= enough || enough <= 0.0) else {
            return bound;
        };
        let lowest = |n: &Vector3<f64>| {
            let lower = set.half.zip_map(n, |half, along| half.copysign(along));
            set.middle - lower
        };
        bound.max(self.least_by_gjk(start, enough, slack, lowest))
    }

    /// Returns a lower bound of the signed distance from the hull of points; `enough` is the one that is asked for. Of a
    /// triangle its own plane is tried as well.
    pub fn least_to_points(&self, points: &[Point3<f64>], enough: f64) -> f64 {
        let mut bound = f64::NEG_INFINITY;
        for plane in self.planes() {
            bound = bound.max(self.least_beyond(&plane, points));
            if bound >= enough {
                return bound;
            }
        }
        let facing = self.facing(points);
        if let Some(plane) = &facing {
            bound = bound.max(self.least_beyond(plane, points));
        }
        let start = facing.or(self.best.get());
        let (Some(start), false) = (start, bound >= enough || enough <= 0.0) else {
            return bound;
        };
        let lowest = |n: &Vector3<f64>| {
            let mut lowest = (f64::INFINITY, Vector3::zeros());
            for point in points {
                let x = point.coords - self.origin;
                let height = n.dot(&x);
                if height < lowest.0 {
                    lowest = (height, x);
                }
            }
            lowest.1
        };
        let slack = 1e-15 * (self.origin.norm() + greatest(points));
        bound.max(self.least_by_gjk(start, enough, slack, lowest))
    }

    /// Returns a lower bound of the signed distance of the hull of points that a plane proves.
    fn least_beyond(&self, plane: &Plane, points: &[Point3<f64>]) -> f64 {
        let heights = points.iter().map(|p| {
            let height = plane.normal.dot(&(p.coords - self.origin));
            height - 1e-15 * p.coords.norm()
        });
        heights.fold(f64::INFINITY, f64::min) - plane.height
    }

    /// Returns the plane that touches the body and faces a triangle; `None` for other parts and without a normal.
    fn facing(&self, points: &[Point3<f64>]) -> Option<Plane> {
        let [a, b, c] = points else {
            return None;
        };
        let m = (b - a).cross(&(c - a)).try_normalize(0.0)?;
        let up = m.dot(&(a.coords - self.origin));
        Some(self.plane(if up < 0.0 { -m } else { m }))
    }

    /// Returns the best lower bound that GJK finds on its way to prove `enough`, or to find a point that is nearer. The set
    /// is known by its lowest points along unit vectors, about the origin of the body's frame and right to `slack`.
    fn least_by_gjk(
        &self,
        start: Plane,
        enough: f64,
        slack: f64,
        lowest: impl Fn(&Vector3<f64>) -> Vector3<f64>,
    ) -> f64 {
        const QUERIES: usize = 16;
        let mut simplex = Simplex::new();
        let mut plane = start;
        let mut best = f64::NEG_INFINITY;
        for _ in 0..QUERIES {
            let xb = lowest(&plane.normal);
            best = best.max(plane.normal.dot(&xb) - plane.height - slack);
            if best >= enough {
                let next = self.next.get();
                self.last[next].set(plane);
                self.next.set((next + 1) % Placed::KEPT);
                break;
            }
            let corner = CsoPoint {
                z: xb - plane.point,
                xa: plane.point,
            };
            if !simplex.add(corner) || simplex.encloses_origin {
                break;
            }
            match unit(&simplex.nearest()) {
                Some((normal, apart)) if apart >= enough => plane = self.plane(normal),
                _ => break,
            }
        }
        best
    }
}

impl Plane {
    fn least_to_box(&self, set: &NodeBox) -> f64 {
        let lowest = self.normal.dot(&set.middle) - self.normal.abs().dot(&set.half);
        lowest - self.height - set.slack
    }
}

fn greatest(points: &[Point3<f64>]) -> f64 {
    points.iter().map(|p| p.coords.norm()).fold(0.0, f64::max)
}

/// Returns the direction and the length of a vector, if they are numbers.
fn unit(v: &Vector3<f64>) -> Option<(Vector3<f64>, f64)> {
    let length = v.norm();
    length.is_normal().then(|| (v / length, length))
}
