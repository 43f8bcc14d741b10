//! The parts of two trees that are nearest to each other.
//!
//! Both trees are descended at once, the nearer pair of boxes first, as long as the boxes may hold something nearer than the best
//! pair of parts so far.

use crate::bvh::body::Body;
use crate::bvh::boxes::{bounds, box_in, corner_along, distance_to_node, point};
use crate::bvh::nearest::{nearest_part, widest_bracket};
use crate::bvh::tree::PolytopeTree;
use crate::convex::convex_contact;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use nalgebra::{Isometry3, Matrix3, Point3, Unit, UnitQuaternion, Vector3};
use parry3d_f64::partitioning::{Bvh, BvhNode, BvhNodeIndex, TraversalAction};

/// Returns the two parts of two trees with the least signed distance, or `None` if all are proven to be farther apart
/// than `options.max_distance`. Of overlapping trees it is minus the depth of the two parts that overlap most. Where no
/// parts overlap and a piece of one tree is inside a mesh that [is solid](crate::bvh::TriMesh::is_solid), it is minus the
/// way along the normal of the nearest parts until the whole tree has passed the solid's, with the outcome
/// [`Converged`](crate::Outcome::Converged).
///
/// # Errors
/// The errors are those of [`convex_contact`](crate::convex::convex_contact).
pub fn trees_contact(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    let found = nearest_parts(a, pose_a, b, pose_b, options)?;
    // The answer of overlapping surfaces is final. Where they touch, a vertex may lie on a surface, where it is neither inside
    // nor outside.
    if found.is_some_and(|found| found.contact.lower <= 0.0) {
        return Ok(found);
    }
    let a_in_b = holds_piece(b, pose_b, a, pose_a);
    if !a_in_b && !holds_piece(a, pose_a, b, pose_b) {
        return Ok(found);
    }
    let found = match found {
        Some(found) => Some(found),
        None => {
            let unlimited = QueryOptions {
                max_distance: f64::INFINITY,
                ..*options
            };
            nearest_parts(a, pose_a, b, pose_b, &unlimited)?
        }
    };
    let inside = |found: PartsContact| -> Result<PartsContact, QueryError> {
        let contact = if a_in_b {
            inside((a, pose_a), (b, pose_b), &found.contact)
        } else {
            let swapped = found.contact.swapped();
            inside((b, pose_b), (a, pose_a), &swapped).swapped()
        };
        let contact = contact.within_number_range()?;
        Ok(PartsContact { contact, ..found })
    };
    let found = found.map(inside).transpose()?;
    Ok(found.filter(|found| found.contact.lower <= options.max_distance))
}

/// Calls `visit` for every two parts of two trees whose signed distance is at most `margin` (metres), in no particular order,
/// until it returns false. The space that the parts may enclose does not count.
///
/// # Errors
/// The errors are those of [`convex_contact`](crate::convex::convex_contact); `visit` may have been called before an error
/// is found.
pub(crate) fn trees_contacts(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    margin: f64,
    options: &QueryOptions,
    mut visit: impl FnMut(PartsContact) -> bool,
) -> Result<(), QueryError> {
    let options = options.with_max_distance(margin.max(0.0));
    validate(pose_a, pose_b, &options)?;
    let (around_a, around_b) = (bounds(a.bvh()), bounds(b.bvh()));
    let boxes = BoxPairs::new(a.bvh(), pose_a, b.bvh(), pose_b, &around_a, &around_b);
    let near = |of_a: &BvhNode, of_b: &BvhNode| {
        boxes
            .pair(boxes.place_a((None, *of_a)), boxes.place_b((None, *of_b)))
            .bound
            <= margin
    };
    for (part_a, part_b) in a.bvh().leaf_pairs(b.bvh(), near) {
        if boxes.parts_bound(&a.part(part_a), &b.part(part_b), margin) > margin {
            continue;
        }
        let (of_a, of_b) = (a.convex_part(part_a), b.convex_part(part_b));
        let contact = convex_contact(&of_a, pose_a, &of_b, pose_b, &options)?;
        let parts = [part_a, part_b];
        let is_near = contact.outcome != Outcome::Beyond && contact.distance <= margin;
        if is_near && !visit(PartsContact { parts, contact }) {
            break;
        }
    }
    Ok(())
}

/// Whether a solid holds a point of a piece of a tree.
fn holds_piece(
    solid: &impl PolytopeTree,
    solid_pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
) -> bool {
    if !solid.is_solid() {
        return false;
    }
    let around_solid = box_in(&bounds(solid.bvh()), solid_pose, tree_pose);
    let in_solid = solid_pose.inv_mul(tree_pose);
    tree.any_piece(&around_solid, &mut |p| solid.encloses(&(in_solid * p)))
}

/// Returns the answer of a tree A of which a piece is inside a solid B, from that of their surfaces: A leaves along its
/// normal until all of it has passed the nearest point of B.
fn inside(
    (a, pose_a): (&impl PolytopeTree, &Isometry3<f64>),
    (b, pose_b): (&impl PolytopeTree, &Isometry3<f64>),
    nearest: &Contact,
) -> Contact {
    let out = nearest.normal.into_inner();
    let rearmost = lowest(a, &(pose_a.rotation.inverse() * out));
    let rearmost = pose_a * rearmost.unwrap_or(Point3::origin());
    let distance = -out.dot(&(nearest.point_b - rearmost));
    let last = corner_along(&bounds(b.bvh()), &(pose_b.rotation.inverse() * out));
    let last = pose_b * Point3::from(last);
    let rounding = 1e-14 * (last.coords.norm() + rearmost.coords.norm());
    let way_out = out.dot(&(last - rearmost)) + rounding;
    Contact {
        distance,
        point_a: rearmost,
        point_b: rearmost - out * distance,
        normal: Unit::new_unchecked(-out),
        lower: distance.min(-way_out),
        upper: distance.max(-nearest.lower),
        outcome: Outcome::Converged,
        iterations: nearest.iterations,
    }
}

/// Returns the two parts of two trees with the least signed distance. The space that the parts may enclose does not count.
fn nearest_parts(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    validate(pose_a, pose_b, options)?;
    let (around_a, around_b) = (bounds(a.bvh()), box_in(&bounds(b.bvh()), pose_b, pose_a));
    let closed = |size: f64| widest_bracket(options.tolerance, size, [&around_a, &around_b]);
    let mut boxes = BoxPairs::new(a.bvh(), pose_a, b.bvh(), pose_b, &around_a, &around_b);
    let mut best: Option<PartsContact> = None;
    let mut limit = options.max_distance;
    // Bounds of the least distance of all pairs; those that are left out are no nearer than `limit` less the tie.
    let (mut lower, mut upper, mut tie) = (f64::INFINITY, f64::INFINITY, 0.0);
    if options.depth != DepthMode::Any
        && let Some(found) = seed(a, pose_a, b, pose_b, options)?
    {
        (lower, upper, limit) = (
            found.contact.lower,
            found.contact.upper,
            found.contact.distance,
        );
        tie = 0.25 * closed(a.convex_part(found.parts[0]).size());
        boxes.face(&found.contact.normal);
        best = Some(found);
    }
    boxes.begin();
    while let Some(next) = boxes.stack.pop() {
        let bound = boxes.bound(&next);
        if bound > limit - tie {
            lower = lower.min(bound);
            continue;
        }
        let (Some(part_a), Some(part_b)) = (next.a.node.leaf_data(), next.b.node.leaf_data())
        else {
            boxes.split(next, limit - tie, &mut lower);
            continue;
        };
        let bound = boxes.parts_bound(&a.part(part_a), &b.part(part_b), limit - tie);
        if bound > limit - tie {
            lower = lower.min(bound);
            continue;
        }
        let of_a = a.convex_part(part_a);
        let options = options.with_max_distance(limit.max(0.0));
        let contact = convex_contact(&of_a, pose_a, &b.convex_part(part_b), pose_b, &options)?;
        lower = lower.min(contact.lower);
        if contact.outcome == Outcome::Beyond {
            continue;
        }
        upper = upper.min(contact.upper);
        if contact.distance > limit || (best.is_some() && contact.distance >= limit) {
            continue;
        }
        limit = contact.distance;
        tie = 0.25 * closed(of_a.size());
        boxes.face(&contact.normal);
        let parts = [part_a, part_b];
        best = Some(PartsContact { parts, contact });
        if options.depth == DepthMode::Any && upper <= 0.0 {
            break;
        }
    }
    Ok(best.map(|mut best| {
        let [part_a, part_b] = best.parts;
        let size = (a.convex_part(part_a).size()).max(b.convex_part(part_b).size());
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (lower.min(contact.lower), upper.max(contact.distance));
        let width = contact.upper - contact.lower;
        if contact.outcome == Outcome::Certified && width > closed(size).max(2.0 * alone) {
            contact.outcome = Outcome::Converged;
        }
        best
    }))
}

/// Returns two parts that are near each other: from the part of A whose box is nearest to the middle of B, the nearest part of
/// the other tree in turn, until neither is nearer. `None` where they are farther than the maximum distance.
fn seed(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    /// The turns that are taken; more are rarely nearer.
    const TURNS: usize = 4;
    let around = bounds(b.bvh());
    let middle = pose_a.inv_mul(pose_b) * nalgebra::center(&around.min, &around.max);
    let from_middle = |node: &BvhNode, _: f64| distance_to_node(&middle, node);
    let of_part = |part: u32, _: f64| {
        let vertices = a.part(part);
        let nearest = vertices.vertices().iter().map(|p| (p - middle).norm());
        Some(nearest.fold(f64::INFINITY, f64::min))
    };
    let first = a.bvh().find_best(f64::MAX, from_middle, of_part);
    let mut best: Option<PartsContact> = None;
    let mut parts = [first.map_or(0, |(part, _)| part), 0];
    for turn in 0..TURNS {
        let limit = best.map_or(options.max_distance, |best| best.contact.distance.max(0.0));
        let near = options.with_max_distance(limit);
        let found = if turn % 2 == 0 {
            let part = a.convex_part(parts[0]);
            nearest_part(&Body::Convex(&part), pose_a, b, pose_b, &near)?
        } else {
            let part = b.convex_part(parts[1]);
            nearest_part(&Body::Convex(&part), pose_b, a, pose_a, &near)?
        };
        let Some(found) = found else { break };
        let contact = if turn % 2 == 0 {
            parts[1] = found.part;
            found.contact
        } else {
            parts[0] = found.part;
            found.contact.swapped()
        };
        if best.is_some_and(|best| contact.distance >= best.contact.distance) {
            break;
        }
        best = Some(PartsContact { parts, contact });
    }
    Ok(best)
}

/// A node of a tree, with its place in it where that is needed.
type Child = (Option<BvhNodeIndex>, BvhNode);

/// A node of a tree and its box, in the frame of tree B.
#[derive(Clone, Copy)]
struct PlacedNode {
    index: Option<BvhNodeIndex>,
    node: BvhNode,
    center: Vector3<f64>,
    half: Vector3<f64>,
}

/// A pair of nodes whose parts are still to be looked at.
#[derive(Clone, Copy)]
struct Nodes {
    a: PlacedNode,
    b: PlacedNode,
    /// A lower bound of the signed distance of their contents.
    bound: f64,
}

/// The pairs of nodes of two trees, nearest first.
///
/// Two boxes are no nearer than the largest of their separations along the six axes of both, and where one is positive, than
/// the lengths of the separations along the axes of either; and no nearer than their separation along the normal of the best
/// pair so far (S. Gottschalk, M. C. Lin, D. Manocha, *OBBTree* 1996, without the nine products of edges, which rarely
/// decide).
struct BoxPairs<'a> {
    trees: [&'a Bvh; 2],
    stack: Vec<Nodes>,
    /// Takes directions and points of A to the frame of B.
    rotation: Matrix3<f64>,
    translation: Vector3<f64>,
    /// The rotation without signs.
    extents: Matrix3<f64>,
    to_world: UnitQuaternion<f64>,
    /// The normal of the best pair, from A to B, in the frames of B and of A.
    normals: Option<[Vector3<f64>; 2]>,
    /// What rounding can change of a separation.
    rounding: f64,
}

impl<'a> BoxPairs<'a> {
    fn new(
        a: &'a Bvh,
        pose_a: &Isometry3<f64>,
        b: &'a Bvh,
        pose_b: &Isometry3<f64>,
        around_a: &Aabb,
        around_b: &Aabb,
    ) -> Self {
        let in_b = pose_b.inv_mul(pose_a);
        let rotation = in_b.rotation.to_rotation_matrix().into_inner();
        let far = [around_a.min, around_a.max, around_b.min, around_b.max];
        let far: f64 = far.iter().map(|corner| corner.coords.amax()).sum();
        let shifts = pose_a.translation.vector.amax() + pose_b.translation.vector.amax();
        BoxPairs {
            trees: [a, b],
            stack: Vec::new(),
            rotation,
            translation: in_b.translation.vector,
            extents: rotation.abs(),
            to_world: pose_b.rotation,
            normals: None,
            rounding: 16.0 * f64::EPSILON * (far + shifts),
        }
    }

    /// Begins with the roots.
    fn begin(&mut self) {
        let [roots_a, roots_b] = self.trees.map(|tree| children(tree, None));
        for of_a in roots_a.into_iter().flatten() {
            for of_b in roots_b.into_iter().flatten() {
                let pair = self.pair(self.place_a(of_a), self.place_b(of_b));
                self.stack.push(pair);
            }
        }
        self.stack.sort_by(|x, y| y.bound.total_cmp(&x.bound));
    }

    fn place_a(&self, (index, node): Child) -> PlacedNode {
        let placed = self.place_b((index, node));
        let center = self.rotation * placed.center + self.translation;
        PlacedNode { center, ..placed }
    }

    fn place_b(&self, (index, node): Child) -> PlacedNode {
        let (min, max) = (point(node.mins()).coords, point(node.maxs()).coords);
        PlacedNode {
            index,
            node,
            center: (min + max) * 0.5,
            half: (max - min) * 0.5,
        }
    }

    fn pair(&self, a: PlacedNode, b: PlacedNode) -> Nodes {
        let between = a.center - b.center;
        let along_b = between.abs() - self.extents * a.half - b.half;
        let along_a = self.rotation.tr_mul(&between).abs() - a.half - self.extents.tr_mul(&b.half);
        let mut bound = along_a.max().max(along_b.max());
        if bound > 0.0 {
            let length = |v: Vector3<f64>| v.sup(&Vector3::zeros()).norm();
            bound = length(along_a).max(length(along_b));
        }
        let bound = bound - self.rounding;
        Nodes { a, b, bound }
    }

    /// Returns a lower bound of the signed distance of what a pair holds, now that a better normal may be known.
    fn bound(&self, pair: &Nodes) -> f64 {
        let Some([in_b, in_a]) = &self.normals else {
            return pair.bound;
        };
        let between = in_b.dot(&(pair.b.center - pair.a.center));
        let reach = in_b.abs().dot(&pair.b.half) + in_a.abs().dot(&pair.a.half);
        pair.bound.max(between - reach - self.rounding)
    }

    /// Returns a lower bound of the signed distance of two parts, by that normal, the line between their middles and the normals of
    /// triangles; any one that is enough.
    fn parts_bound(&self, a: &impl Polytope, b: &impl Polytope, enough: f64) -> f64 {
        let (of_a, of_b) = (a.vertices(), b.vertices());
        let placed = |p: &Point3<f64>| self.rotation * p.coords + self.translation;
        let mut bound = f64::NEG_INFINITY;
        let mut along = |n: &Vector3<f64>| {
            let lowest = of_b
                .iter()
                .map(|p| n.dot(&p.coords))
                .fold(f64::INFINITY, f64::min);
            let highest = of_a
                .iter()
                .map(|p| n.dot(&placed(p)))
                .fold(f64::NEG_INFINITY, f64::max);
            bound = bound.max(lowest - highest - self.rounding);
            bound > enough
        };
        if self.normals.is_some_and(|[n, _]| along(&n)) {
            return bound;
        }
        let sum = |points: &[Point3<f64>]| points.iter().map(|p| p.coords).sum::<Vector3<f64>>();
        let middle_a = self.rotation * sum(of_a) / of_a.len() as f64 + self.translation;
        let between = sum(of_b) / of_b.len() as f64 - middle_a;
        if between.try_normalize(0.0).is_some_and(|n| along(&n)) {
            return bound;
        }
        let face = |points: &[Point3<f64>]| match points {
            [p, q, r] => (q - p).cross(&(r - p)).try_normalize(0.0),
            _ => None,
        };
        let faces = [face(of_a).map(|n| self.rotation * n), face(of_b)];
        for n in faces.into_iter().flatten() {
            let n = if n.dot(&between) < 0.0 { -n } else { n };
            if along(&n) {
                return bound;
            }
        }
        bound
    }

    /// Splits the larger node of a pair, and keeps the pairs that are not farther than the limit, the nearer one on top.
    fn split(&mut self, pair: Nodes, limit: f64, lower: &mut f64) {
        let leaves = [&pair.a, &pair.b].map(|placed| placed.node.is_leaf());
        let first = !leaves[0] && (leaves[1] || pair.a.half.amax() >= pair.b.half.amax());
        let index = if first { pair.a.index } else { pair.b.index };
        let mut pairs = children(self.trees[usize::from(!first)], index).map(|child| {
            child.map(|child| {
                if first {
                    self.pair(self.place_a(child), pair.b)
                } else {
                    self.pair(pair.a, self.place_b(child))
                }
            })
        });
        pairs.sort_by(|x, y| {
            let bound = |pair: &Option<Nodes>| pair.map_or(f64::INFINITY, |pair| pair.bound);
            bound(y).total_cmp(&bound(x))
        });
        for mut pair in pairs.into_iter().flatten() {
            pair.bound = self.bound(&pair);
            if pair.bound > limit {
                *lower = lower.min(pair.bound);
            } else {
                self.stack.push(pair);
            }
        }
    }

    /// Takes the normal of the best pair, in the world.
    fn face(&mut self, normal: &Unit<Vector3<f64>>) {
        let in_b = self.to_world.inverse() * normal.into_inner();
        self.normals = Some([in_b, self.rotation.tr_mul(&in_b)]);
    }
}

/// Returns the two children of a node, or those of the root; one of a tree of one part.
fn children(tree: &Bvh, of: Option<BvhNodeIndex>) -> [Option<Child>; 2] {
    let mut found = [None; 2];
    let mut count = 0;
    tree.traverse_indexed(of, |node, index| {
        if of == Some(index) {
            return TraversalAction::Continue;
        }
        if count < 2 {
            found[count] = Some((Some(index), *node));
            count += 1;
        }
        TraversalAction::Prune
    });
    found
}

/// Returns the height of a point along a direction, rounded down.
fn height(n: &Vector3<f64>, p: &Point3<f64>) -> f64 {
    n.dot(&p.coords) - 1e-15 * p.coords.norm()
}

/// Returns the lowest vertex of a tree along a direction of its frame.
fn lowest(tree: &impl PolytopeTree, n: &Vector3<f64>) -> Option<Point3<f64>> {
    let ask = |index: u32, _: f64| {
        let part = tree.part(index);
        let heights = part.vertices().iter().map(|p| (height(n, p), *p));
        heights.min_by(|p, q| p.0.total_cmp(&q.0))
    };
    let bound = |node: &BvhNode, _: f64| {
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let lowest = Vector3::from_fn(|i, _| if n[i] > 0.0 { min[i] } else { max[i] });
        height(n, &lowest.into())
    };
    let found = tree.bvh().find_best(f64::MAX, bound, ask);
    found.map(|(_, (_, point))| point)
}
