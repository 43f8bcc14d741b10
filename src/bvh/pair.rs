//! The parts of two trees that are nearest to each other, and whether a body and a tree overlap.
//!
//! Both trees are descended at once, the children of both, the nearer pair first, as long as two of their
//! [patches](crate::bvh::patches) may hold something nearer than the best pair of parts so far.

use crate::bvh::body::Body;
use crate::bvh::boxes::{bounds, box_in, corner_along};
use crate::bvh::descent::nearest_vertex;
use crate::bvh::heights::farthest_part;
use crate::bvh::nearest::{PartContact, widest_bracket};
use crate::bvh::patches::{Member, Patch};
use crate::bvh::tree::PolytopeTree;
use crate::convex::convex_contact;
use crate::polytope::shapes::Polytope;
use crate::query::contact::{Contact, Outcome, PartsContact};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::validation::validate;
use crate::surface::bounds::Aabb;
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Matrix3, Point3, Unit, UnitQuaternion, Vector3};

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
    let straight = validate(pose_a, pose_b, options)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    let found = nearest_of_trees(a, pose_a, b, pose_b, options)?;
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
            nearest_of_trees(a, pose_a, b, pose_b, &unlimited)?
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
    let straight = validate(pose_a, pose_b, &options)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    let mut pairs = Pairs::new(a, pose_a, b, pose_b);
    pairs.begin(margin);
    while let Some([part_a, part_b]) = pairs.next(margin) {
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
    let rearmost = farthest_part(a, &(pose_a.rotation.inverse() * -out));
    let rearmost = pose_a * rearmost.map_or(Point3::origin(), |(_, point)| point);
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
fn nearest_of_trees(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    let first = match options.depth {
        DepthMode::Any => None,
        _ => seed(a, pose_a, b, pose_b, options)?,
    };
    let size = |[of_a, of_b]: [u32; 2]| {
        let of_b = b.convex_part(of_b).size();
        a.convex_part(of_a).size().max(of_b)
    };
    nearest_parts(
        (a, pose_a),
        (b, pose_b),
        first,
        options,
        size,
        |of_a, of_b, options| {
            let (of_a, of_b) = (a.convex_part(of_a), b.convex_part(of_b));
            convex_contact(&of_a, pose_a, &of_b, pose_b, options)
        },
    )
}

/// Returns the part of a tree with the least signed distance to a body; with [`DepthMode::Any`], one that overlaps it.
pub(super) fn nearest_to_body(
    body: &Body,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartContact>, QueryError> {
    let Aabb { min, max } = body.local_aabb();
    let alone = Alone {
        body,
        middle: 0.5 * min.coords + 0.5 * max.coords,
        half: (max - min) * (0.5 + 1e-14),
    };
    let size = |[_, part]: [u32; 2]| body.size().max(tree.convex_part(part).size());
    let found = nearest_parts(
        (&alone, pose),
        (tree, tree_pose),
        None,
        options,
        size,
        |_, part, options| body.contact_with(pose, tree, part, tree_pose, options),
    )?;
    let of_tree = |PartsContact { parts, contact }| PartContact {
        part: parts[1],
        contact,
    };
    Ok(found.map(of_tree))
}

/// Returns the two parts with the least signed distance, from two that are near each other, if they are known. `ask` answers for two
/// parts, and `size` is that of the larger one.
fn nearest_parts<A: Side, B: Side>(
    (a, pose_a): (&A, &Isometry3<f64>),
    (b, pose_b): (&B, &Isometry3<f64>),
    first: Option<PartsContact>,
    options: &QueryOptions,
    size: impl Fn([u32; 2]) -> f64,
    ask: impl Fn(u32, u32, &QueryOptions) -> Result<Contact, QueryError>,
) -> Result<Option<PartsContact>, QueryError> {
    let mut pairs = Pairs::new(a, pose_a, b, pose_b);
    let (around_a, around_b) = (a.around(), box_in(&b.around(), pose_b, pose_a));
    let closed = |parts| widest_bracket(options.tolerance, size(parts), [&around_a, &around_b]);
    let mut best: Option<PartsContact> = None;
    let mut limit = options.max_distance;
    // Bounds of the least distance of all pairs; those that are left out are no nearer than `limit` less the tie.
    let (mut lower, mut upper, mut tie) = (f64::INFINITY, f64::INFINITY, 0.0);
    if let Some(found) = first {
        (lower, upper) = (found.contact.lower, found.contact.upper);
        limit = found.contact.distance;
        tie = 0.25 * closed(found.parts);
        pairs.face(&found.contact.normal);
        best = Some(found);
    }
    pairs.by_middles = options.takes_any_overlap() && options.max_distance == 0.0;
    pairs.begin(limit - tie);
    while let Some(parts) = pairs.next(limit - tie) {
        let contact = ask(
            parts[0],
            parts[1],
            &options.with_max_distance(limit.max(0.0)),
        )?;
        lower = lower.min(contact.lower);
        if contact.outcome == Outcome::Beyond {
            continue;
        }
        upper = upper.min(contact.upper);
        if contact.distance > limit || (best.is_some() && contact.distance >= limit) {
            continue;
        }
        limit = contact.distance;
        tie = 0.25 * closed(parts);
        pairs.face(&contact.normal);
        best = Some(PartsContact { parts, contact });
        if options.depth == DepthMode::Any && upper <= 0.0 {
            break;
        }
    }
    lower = lower.min(pairs.left_out);
    Ok(best.map(|mut best| {
        let contact = &mut best.contact;
        let alone = contact.upper - contact.lower;
        (contact.lower, contact.upper) = (lower.min(contact.lower), upper.max(contact.distance));
        let width = contact.upper - contact.lower;
        let closed = closed(best.parts).max(2.0 * alone);
        if contact.outcome == Outcome::Certified && width > closed {
            contact.outcome = Outcome::Converged;
        }
        best
    }))
}

/// Returns two parts that are near each other: those of the vertices that are nearest to each other in turn, from the vertex of A
/// nearest to the middle of B. `None` where they are farther than the maximum distance.
fn seed(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<PartsContact>, QueryError> {
    /// The turns that are taken; more are rarely nearer.
    const TURNS: usize = 3;
    let around = bounds(b.bvh());
    let (in_b, in_a) = (pose_b.inv_mul(pose_a), pose_a.inv_mul(pose_b));
    let middle = in_a * nalgebra::center(&around.min, &around.max);
    let Some((_, mut part_a, mut of_a)) = nearest_vertex(a, &middle, f64::MAX) else {
        return Ok(None);
    };
    let (mut part_b, mut least) = (0, f64::INFINITY);
    for _ in 0..TURNS {
        let Some((apart, part, of_b)) = nearest_vertex(b, &(in_b * of_a), f64::MAX) else {
            break;
        };
        part_b = part;
        if apart >= least {
            break;
        }
        let Some(found) = nearest_vertex(a, &(in_a * of_b), f64::MAX) else {
            break;
        };
        (least, part_a, of_a) = found;
    }
    let [of_a, of_b] = [a.convex_part(part_a), b.convex_part(part_b)];
    let contact = convex_contact(&of_a, pose_a, &of_b, pose_b, options)?;
    let parts = [part_a, part_b];
    let near = contact.outcome != Outcome::Beyond && contact.distance <= options.max_distance;
    Ok(near.then_some(PartsContact { parts, contact }))
}

/// Two members of the trees that are still to be looked at.
struct Pair {
    members: [Member; 2],
    /// A lower bound of the signed distance of their contents.
    bound: f64,
    /// The best pair that this bound knows.
    known: usize,
    /// Of siblings the one with the least is asked first.
    order: f64,
}

/// A side of a query: a tree, or a body alone.
trait Side {
    type Part: Extent;
    fn root(&self) -> Member;
    fn patch(&self, index: u32) -> &Patch;
    fn piece(&self, part: u32) -> Self::Part;
    fn around(&self) -> Aabb;
}

impl<T: PolytopeTree> Side for T {
    type Part = T::Part;

    fn root(&self) -> Member {
        self.patches().root()
    }

    fn patch(&self, index: u32) -> &Patch {
        self.patches().node(index)
    }

    fn piece(&self, part: u32) -> T::Part {
        self.part(part)
    }

    fn around(&self) -> Aabb {
        bounds(self.bvh())
    }
}

/// A body alone, with its box.
#[derive(Clone, Copy)]
struct Alone<'a> {
    body: &'a Body<'a>,
    middle: Vector3<f64>,
    half: Vector3<f64>,
}

impl Side for Alone<'_> {
    type Part = Self;

    fn root(&self) -> Member {
        Member::Part(0)
    }

    fn patch(&self, _: u32) -> &Patch {
        unreachable!("a body has no nodes")
    }

    fn piece(&self, _: u32) -> Self {
        *self
    }

    fn around(&self) -> Aabb {
        Aabb {
            min: (self.middle - self.half).into(),
            max: (self.middle + self.half).into(),
        }
    }
}

/// How far something reaches.
trait Extent {
    /// Returns a height along a unit vector that nothing of it exceeds, but for rounding.
    fn highest(&self, u: &Vector3<f64>) -> f64;

    /// Returns the middle of its box and half the edges.
    fn middle_and_half(&self) -> [Vector3<f64>; 2];

    /// Returns the unit normal of a patch or a triangle.
    fn normal(&self) -> Option<Vector3<f64>>;
}

impl<P: Polytope> Extent for P {
    fn highest(&self, u: &Vector3<f64>) -> f64 {
        let heights = self.vertices().iter().map(|p| u.dot(&p.coords));
        heights.fold(f64::NEG_INFINITY, f64::max)
    }

    fn middle_and_half(&self) -> [Vector3<f64>; 2] {
        let mut points = self.vertices().iter().map(|p| p.coords);
        let first = points.next().unwrap_or_default();
        let ends = points.fold([first; 2], |[min, max], p| [min.inf(&p), max.sup(&p)]);
        let [min, max] = ends;
        [0.5 * min + 0.5 * max, 0.5 * max - 0.5 * min]
    }

    fn normal(&self) -> Option<Vector3<f64>> {
        match self.vertices() {
            [p, q, r] => (q - p).cross(&(r - p)).try_normalize(0.0),
            _ => None,
        }
    }
}

impl Extent for Alone<'_> {
    fn highest(&self, u: &Vector3<f64>) -> f64 {
        self.body.local_support(u).0
    }

    fn middle_and_half(&self) -> [Vector3<f64>; 2] {
        [self.middle, self.half]
    }

    fn normal(&self) -> Option<Vector3<f64>> {
        None
    }
}

/// What a member holds.
enum Held<'a, P> {
    Patch(&'a Patch),
    Part(P),
}

/// A member with its box, whose middle is in the frame of B.
struct Placed<'a, P> {
    member: Member,
    held: Held<'a, P>,
    middle: Vector3<f64>,
    half: Vector3<f64>,
    /// The height along the normal of the best pair, of A the greatest, of B the least.
    height: f64,
}

impl<P: Extent> Held<'_, P> {
    /// As of an [`Extent`].
    fn highest(&self, u: &Vector3<f64>) -> f64 {
        match self {
            Held::Patch(patch) => patch.highest(u),
            Held::Part(part) => part.highest(u),
        }
    }

    fn middle_and_half(&self) -> [Vector3<f64>; 2] {
        match self {
            Held::Patch(patch) => [patch.middle, patch.half],
            Held::Part(part) => part.middle_and_half(),
        }
    }

    fn normal(&self) -> Option<Vector3<f64>> {
        match self {
            Held::Patch(patch) => (patch.normal != Vector3::zeros()).then_some(patch.normal),
            Held::Part(part) => part.normal(),
        }
    }
}

/// The pairs of members of two trees that are still to be looked at, nearer ones first.
///
/// Bounds of their signed distance are gaps along directions: the normal of the best pair so far, the line between their middles
/// and their own normals; and those of their boxes, which are no nearer than the largest of the separations along the six axes of
/// both, and where one is positive, than the lengths of the separations along the axes of either (S. Gottschalk, M. C. Lin,
/// D. Manocha, *OBBTree* 1996, without the nine products of edges).
struct Pairs<'a, A, B> {
    a: &'a A,
    b: &'a B,
    stack: Vec<Pair>,
    /// The least bound of a pair that was not kept.
    left_out: f64,
    /// Takes directions and points of A to the frame of B.
    rotation: Matrix3<f64>,
    translation: Vector3<f64>,
    /// The rotation without signs.
    extents: Matrix3<f64>,
    to_world: UnitQuaternion<f64>,
    /// The normal of the best pair, from A to B, in the frame of B.
    best: Option<Vector3<f64>>,
    /// How many best pairs there have been.
    known: usize,
    /// What rounding can change of a gap.
    rounding: f64,
    /// Whether the order is that of the distances of the middles: where any overlap is the answer, what is in the middle of a
    /// body is found sooner than what it may be deepest in.
    by_middles: bool,
}

impl<'a, A: Side, B: Side> Pairs<'a, A, B> {
    fn new(a: &'a A, pose_a: &Isometry3<f64>, b: &'a B, pose_b: &Isometry3<f64>) -> Self {
        let in_b = pose_b.inv_mul(pose_a);
        let rotation = in_b.rotation.to_rotation_matrix().into_inner();
        let [around_a, around_b] = [a.around(), b.around()];
        let far = [around_a.min, around_a.max, around_b.min, around_b.max];
        let far: f64 = far.iter().map(|corner| corner.coords.amax()).sum();
        let shifts = pose_a.translation.vector.amax() + pose_b.translation.vector.amax();
        Pairs {
            a,
            b,
            stack: Vec::with_capacity(64),
            left_out: f64::INFINITY,
            rotation,
            translation: in_b.translation.vector,
            extents: rotation.abs(),
            to_world: pose_b.rotation,
            best: None,
            known: 0,
            rounding: 2e-14 * (far + shifts),
            by_middles: false,
        }
    }

    /// Begins with the roots, if they may be no farther than a limit.
    fn begin(&mut self, limit: f64) {
        let (a, b) = (self.place_a(self.a.root()), self.place_b(self.b.root()));
        self.keep(&a, &b, f64::NEG_INFINITY, limit);
    }

    fn place_a(&self, member: Member) -> Placed<'a, A::Part> {
        let held = match member {
            Member::Node(node) => Held::Patch(self.a.patch(node)),
            Member::Part(part) => Held::Part(self.a.piece(part)),
        };
        let [middle, half] = held.middle_and_half();
        let best = self.best.as_ref();
        Placed {
            member,
            middle: self.rotation * middle + self.translation,
            half,
            height: best.map_or(0.0, |n| self.highest(&held, n)),
            held,
        }
    }

    fn place_b(&self, member: Member) -> Placed<'a, B::Part> {
        let held = match member {
            Member::Node(node) => Held::Patch(self.b.patch(node)),
            Member::Part(part) => Held::Part(self.b.piece(part)),
        };
        let [middle, half] = held.middle_and_half();
        let best = self.best.as_ref();
        Placed {
            member,
            middle,
            half,
            height: best.map_or(0.0, |n| -held.highest(&-n)),
            held,
        }
    }

    /// Returns a height along a direction of the frame of B that nothing in a member of A exceeds.
    fn highest(&self, a: &Held<A::Part>, u: &Vector3<f64>) -> f64 {
        a.highest(&self.rotation.tr_mul(u)) + u.dot(&self.translation)
    }

    /// Returns a lower bound of the signed distance of what two members hold; any one that exceeds `limit` is as good.
    fn bound(&self, a: &Placed<A::Part>, b: &Placed<B::Part>, limit: f64) -> f64 {
        let mut bound = match self.best {
            Some(_) => b.height - a.height - self.rounding,
            None => f64::NEG_INFINITY,
        };
        if bound > limit {
            return bound;
        }
        let gap =
            |u: &Vector3<f64>| -b.held.highest(&-u) - self.highest(&a.held, u) - self.rounding;
        let between = b.middle - a.middle;
        if let Some(u) = between.try_normalize(0.0) {
            bound = bound.max(gap(&u));
            if bound > limit {
                return bound;
            }
        }
        let along_b = between.abs() - self.extents * a.half - b.half;
        let along_a = self.rotation.tr_mul(&between).abs() - a.half - self.extents.tr_mul(&b.half);
        let mut by_boxes = along_a.max().max(along_b.max());
        if by_boxes > 0.0 {
            let length = |v: Vector3<f64>| v.sup(&Vector3::zeros()).norm();
            by_boxes = length(along_a).max(length(along_b));
        }
        bound = bound.max(by_boxes - self.rounding);
        let facing = |n: Vector3<f64>| if n.dot(&between) < 0.0 { -n } else { n };
        if bound <= limit
            && let Some(n) = a.held.normal()
        {
            bound = bound.max(gap(&facing(self.rotation * n)));
        }
        if bound <= limit
            && let Some(n) = b.held.normal()
        {
            bound = bound.max(gap(&facing(n)));
        }
        bound
    }

    /// Returns the next two parts that are not proven to be farther than the limit.
    fn next(&mut self, limit: f64) -> Option<[u32; 2]> {
        while let Some(pair) = self.stack.pop() {
            let mut bound = pair.bound;
            if pair.known < self.known && bound <= limit {
                let [a, b] = pair.members;
                let along_best = self.place_b(b).height - self.place_a(a).height - self.rounding;
                bound = bound.max(along_best);
            }
            if bound > limit {
                self.left_out = self.left_out.min(bound);
                continue;
            }
            if let [Member::Part(a), Member::Part(b)] = pair.members {
                return Some([a, b]);
            }
            let children = |member, patch: Option<&Patch>| {
                patch.map_or((member, None), |patch| {
                    (patch.children[0], Some(patch.children[1]))
                })
            };
            let [a, b] = pair.members;
            let (a, other_a) = children(a, a.node().map(|node| self.a.patch(node)));
            let (b, other_b) = children(b, b.node().map(|node| self.b.patch(node)));
            // Not in arrays, in which what is placed would be copied.
            let (a, b) = (self.place_a(a), self.place_b(b));
            let from = self.stack.len();
            self.keep(&a, &b, bound, limit);
            let other_b = other_b.map(|other| self.place_b(other));
            if let Some(other) = &other_b {
                self.keep(&a, other, bound, limit);
            }
            if let Some(other) = other_a {
                let other_a = self.place_a(other);
                self.keep(&other_a, &b, bound, limit);
                if let Some(other) = &other_b {
                    self.keep(&other_a, other, bound, limit);
                }
            }
            self.stack[from..].sort_by(|x, y| y.order.total_cmp(&x.order));
        }
        None
    }

    /// Keeps a pair that is not farther than the limit.
    fn keep(&mut self, a: &Placed<A::Part>, b: &Placed<B::Part>, bound: f64, limit: f64) {
        let bound = bound.max(self.bound(a, b, limit));
        if bound > limit {
            self.left_out = self.left_out.min(bound);
        } else {
            self.stack.push(Pair {
                members: [a.member, b.member],
                bound,
                known: self.known,
                order: if self.by_middles {
                    (b.middle - a.middle).norm_squared()
                } else {
                    bound
                },
            });
        }
    }

    /// Takes the normal of the best pair, in the world.
    fn face(&mut self, normal: &Unit<Vector3<f64>>) {
        self.best = Some(self.to_world.inverse() * normal.into_inner());
        self.known += 1;
    }
}
