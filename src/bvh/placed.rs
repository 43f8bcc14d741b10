//! Lower bounds of the distance of a body from what the nodes of a tree hold.
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

use crate::bvh::boxes::point;
use crate::narrowphase::gjk::gjk;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::surface::bounds::Aabb;
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use parry3d_f64::partitioning::BvhNode;
use std::cell::Cell;

/// A body in the tree's frame, and planes that touch it.
pub(super) struct Placed<'a> {
    shape: &'a dyn SupportMap,
    /// The rotation from the body's frame to the tree's.
    rotation: Matrix3<f64>,
    /// The origin of the body's frame.
    pub origin: Vector3<f64>,
    /// The middle of the box along the body's own axes in its own frame, and half its edges.
    middle: Vector3<f64>,
    half: Vector3<f64>,
    /// The sum of the lengths that are rounded: the distances of both origins from the world's and from each other, and the
    /// size.
    lengths: f64,
    /// The plane of the best answer.
    best: Cell<Option<Plane>>,
    /// The planes that proved enough last: they often prove enough of the next node or part as well.
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

    /// Places a body, which takes unit vectors, with its box in its own frame.
    pub fn new(
        shape: &'a dyn SupportMap,
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
            shape,
            rotation: in_tree.rotation.to_rotation_matrix().into_inner(),
            origin: in_tree.translation.vector,
            middle,
            half,
            lengths: far + in_tree.translation.vector.norm() + middle.norm() + half.norm(),
            best: Cell::new(None),
            last: std::array::from_fn(|_| Cell::new(none)),
            next: Cell::new(0),
        }
    }

    /// Returns the plane that touches the body with an outward unit normal.
    pub fn plane(&self, normal: Vector3<f64>) -> Plane {
        let (value, point) = self.shape.local_support(&self.rotation.tr_mul(&normal));
        let slack = 1e-14 * (self.lengths + value.abs());
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
        let slack = 1e-14 * (self.lengths + middle.norm() + half.norm());
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
        // Half edges that exceed the number range are NaN.
        let inside = |x: f64, half: f64| if half >= 0.0 { x.clamp(-half, half) } else { x };
        let beside = in_body - in_body.zip_map(&self.half, inside);
        // There is no such direction if the middle of the node's box is inside the body's box.
        let to_node = unit(&(self.rotation * beside));
        let by_box = to_node.map_or(f64::NEG_INFINITY, |(n, apart)| {
            apart - n.abs().dot(&set.half) - set.slack
        });
        // GJK starts from the direction with the best bound.
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
        let mut plane = start;
        let mut best = f64::NEG_INFINITY;
        gjk(&mut Simplex::new(), QUERIES, |simplex| {
            if let Some(v) = simplex.nearest_if_any() {
                let (normal, _) = unit(&v).filter(|(_, apart)| *apart >= enough)?;
                plane = self.plane(normal);
            }
            let xb = lowest(&plane.normal);
            best = best.max(plane.normal.dot(&xb) - plane.height - slack);
            if best >= enough {
                let next = self.next.get();
                self.last[next].set(plane);
                self.next.set((next + 1) % Placed::KEPT);
                return None;
            }
            Some(CsoPoint {
                z: xb - plane.point,
                xa: plane.point,
            })
        });
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
