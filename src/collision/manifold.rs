//! Contact manifolds: the places where two shapes face each other over a face, an edge or a line.
//!
//! The contact of two shapes has a normal n. Each shape is supported along it by a face, an edge, a line or a point (a
//! [`SupportingFace`]). Both are seen along n, as two convex polygons in a plane, and their intersection (Sutherland and Hodgman
//! 1974) has the places of the manifold as its corners: a corner of one over the face of the other, or a crossing of two edges.
//! Along the line through it parallel to n both shapes have a point of their surface, and these are the points of the manifold.
//! What a corner is made of is its number, which stays from step to step.
//!
//! Where the intersection is not as deep as the contact, or there is none, as between smooth bodies and crossing edges, the
//! witnesses of the contact are a place, too.

use super::shape::{Shape, ShapeRef};
#[cfg(feature = "bvh")]
use crate::bvh::PolytopeTree;
use crate::convex::{ConvexShape, MOST_CORNERS, SupportingFace};
use crate::query::contact::PartsContact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::power_of_two_below;
use nalgebra::{Isometry3, Point3, Vector3};

/// A place of a contact manifold, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ManifoldPoint {
    /// The point on the surface of A, metres.
    pub point_a: Point3<f64>,
    /// The point on the surface of B: `point_a + distance · normal`.
    pub point_b: Point3<f64>,
    /// The distance from A's point to B's along the normal of the contact, metres; negative where they overlap.
    pub distance: f64,
    /// A number of the features that meet here: vertices, edges and faces. It is the same in the next step if they are, so that
    /// impulses can be kept; 0 for the witnesses of the contact. Vertices of a hull beyond 32,768 may share a number.
    pub id: u64,
}

/// The contact of two shapes, or of two parts of them, with up to eight places where they face each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// The parts, and their contact with the normal and the bracket.
    pub found: PartsContact,
    points: [ManifoldPoint; Manifold::MOST],
    count: usize,
}

impl Manifold {
    /// The largest number of points.
    pub const MOST: usize = 8;

    /// Returns the points, at least one; the first is the deepest.
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..self.count]
    }

    /// Returns the same manifold seen from B.
    pub fn swapped(mut self) -> Self {
        self.found = self.found.swapped();
        for point in &mut self.points {
            (point.point_a, point.point_b) = (point.point_b, point.point_a);
            point.id = point.id.rotate_left(32);
        }
        self
    }
}

impl Shape {
    /// Calls `visit` for the manifolds of all parts that are within a margin, as [`ShapeRef::manifolds`] does.
    ///
    /// # Errors
    /// As there.
    pub fn manifolds(
        &self,
        pose: &Isometry3<f64>,
        other: &Shape,
        other_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        visit: impl FnMut(&Manifold) -> bool,
    ) -> Result<(), QueryError> {
        (self.as_ref()).manifolds(pose, other.as_ref(), other_pose, margin, options, visit)
    }
}

impl ShapeRef<'_> {
    /// Calls `visit` with the contact manifold of every two parts of this shape (A) and another one (B) whose signed distance is
    /// at most `margin` (metres), as [`ShapeRef::contacts`] finds them, until it returns false. A shape of one piece is one
    /// part. A manifold has the places of both surfaces that face each other along the normal of the contact at a distance of
    /// at most `margin`, up to eight: the corners of the region in which two faces overlap, the ends of an edge on a face, or one
    /// point.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// use superovoid::convex::ConvexShape;
    /// use superovoid::{QueryOptions, Shape};
    ///
    /// let table = Shape::from(ConvexShape::cuboid([0.5, 0.5, 0.1])?);
    /// let block = Shape::from(ConvexShape::cuboid([0.1, 0.05, 0.02])?);
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.45, 0.0, 0.119));
    /// let options = QueryOptions::default();
    /// table.manifolds(&here, &block, &there, 0.005, &options, |manifold| {
    ///     assert_eq!(manifold.points().len(), 4);
    ///     assert!(manifold.points().iter().all(|p| (p.distance + 0.001).abs() < 1e-9));
    ///     true
    /// })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors are those of [`ShapeRef::contacts`].
    pub fn manifolds(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        other_pose: &Isometry3<f64>,
        margin: f64,
        options: &QueryOptions,
        mut visit: impl FnMut(&Manifold) -> bool,
    ) -> Result<(), QueryError> {
        self.contacts(pose, other, other_pose, margin, options, |found| {
            let contact = &found.contact;
            let n = contact.normal.into_inner();
            let frame = Frame::new(&contact.point_a, &n);
            let mut a = Side::of(self, pose, found.parts[0], &n, &frame);
            let mut b = Side::of(other, other_pose, found.parts[1], &-n, &frame);
            // Areas of lengths far from 1 leave the number range.
            let frame = Frame {
                unit: power_of_two_below(a.extent().max(b.extent())),
                ..frame
            };
            a.divide(frame.unit);
            b.divide(frame.unit);
            visit(&manifold(&found, &a, &b, &frame, margin))
        })
    }
}

/// The plane across the normal of a contact, with its origin at A's witness.
struct Frame {
    /// The number of metres in a unit of what is seen.
    unit: f64,
    origin: Vector3<f64>,
    t: Vector3<f64>,
    b: Vector3<f64>,
    n: Vector3<f64>,
}

impl Frame {
    fn new(origin: &Point3<f64>, n: &Vector3<f64>) -> Self {
        let [t, b] = crate::surface::tangents(&nalgebra::Unit::new_unchecked(*n));
        Frame {
            unit: 1.0,
            origin: origin.coords,
            t,
            b,
            n: *n,
        }
    }

    /// Returns where a point is seen, and its height along the normal.
    fn seen(&self, x: &Vector3<f64>) -> ([f64; 2], f64) {
        let way = x - self.origin;
        ([self.t.dot(&way), self.b.dot(&way)], self.n.dot(&way))
    }

    fn world(&self, [x, y]: [f64; 2], height: f64) -> Point3<f64> {
        let way = self.t * x + self.b * y + self.n * height;
        (self.origin + way * self.unit).into()
    }
}

/// What a corner of a polygon is made of, in one of the shapes.
type Code = u32;

const FACE: Code = 0;

fn vertex(id: u16) -> Code {
    1 << 30 | Code::from(id)
}

fn edge(ends: [u16; 2]) -> Code {
    let [a, b] = ends.map(|id| Code::from(id & 0x7FFF));
    2 << 30 | a.min(b) << 15 | a.max(b)
}

/// A supporting face as it is seen along the normal.
struct Side {
    /// The corners, counter-clockwise, or the ends of a line.
    corners: [[f64; 2]; MOST_CORNERS],
    ids: [u16; MOST_CORNERS],
    count: usize,
    /// Whether it is a plane without border.
    endless: bool,
    /// The height along the normal: of the origin, and how it rises along both axes.
    height: [f64; 3],
    /// The radius of the surface about a line; 0 of an edge.
    radius: f64,
}

impl Side {
    /// Returns the side of a part of a shape that supports it along the unit vector d.
    fn of(
        shape: ShapeRef<'_>,
        pose: &Isometry3<f64>,
        part: u32,
        d: &Vector3<f64>,
        frame: &Frame,
    ) -> Self {
        let local = pose.rotation.inverse_transform_vector(d);
        let face = match shape {
            ShapeRef::HalfSpace(_) | ShapeRef::Plane(_) => {
                return Side::endless(shape, pose, frame);
            }
            ShapeRef::Superovoid(_) | ShapeRef::Superquadric(_) => SupportingFace::NONE,
            ShapeRef::Convex(shape) => shape.supporting_face(&local),
            ShapeRef::Polytope(shape) => {
                ConvexShape::of_points(shape.vertices()).supporting_face(&local)
            }
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(tree) => tree.convex_part(part).supporting_face(&local),
            #[cfg(feature = "bvh")]
            ShapeRef::Boxes(tree) => tree.convex_part(part).supporting_face(&local),
            #[cfg(feature = "bvh")]
            ShapeRef::HeightField(tree) => tree.convex_part(part).supporting_face(&local),
        };
        #[cfg(not(feature = "bvh"))]
        let _ = part;
        Side::seen(&face, pose, frame)
    }

    fn empty() -> Self {
        Side {
            corners: [[0.0; 2]; MOST_CORNERS],
            ids: [0; MOST_CORNERS],
            count: 0,
            endless: false,
            height: [0.0; 3],
            radius: 0.0,
        }
    }

    /// A plane whose height over the frame's origin is that of the witness on it.
    fn endless(shape: ShapeRef<'_>, pose: &Isometry3<f64>, frame: &Frame) -> Self {
        let (normal, offset) = match shape {
            ShapeRef::HalfSpace(it) => (it.normal(), it.offset()),
            ShapeRef::Plane(it) => (it.normal(), it.offset()),
            _ => return Side::empty(),
        };
        let m = pose.rotation * normal.into_inner();
        let above = m.dot(&(frame.origin - pose.translation.vector)) - offset;
        let along = m.dot(&frame.n);
        let height = [
            -above / along,
            -m.dot(&frame.t) / along,
            -m.dot(&frame.b) / along,
        ];
        let mut side = Side::empty();
        // Two of these that cross have no normal across both.
        side.endless = height.iter().all(|h| h.is_finite());
        side.height = height;
        side
    }

    fn seen(face: &SupportingFace, pose: &Isometry3<f64>, frame: &Frame) -> Self {
        let mut side = Side::empty();
        let corners = face.corners();
        side.count = corners.len();
        side.radius = face.radius;
        side.ids[..side.count].copy_from_slice(face.ids());
        let mut heights = [0.0; 2];
        for (k, corner) in corners.iter().enumerate() {
            let (at, height) = frame.seen(&(pose * Point3::from(*corner)).coords);
            side.corners[k] = at;
            if k < 2 {
                heights[k] = height;
            }
        }
        if side.count < 2 {
            side.count = 0;
            return side;
        }
        let [p, q] = [side.corners[0], side.corners[1]];
        let rise = if side.count == 2 {
            let way = [q[0] - p[0], q[1] - p[1]];
            let length = way[0] * way[0] + way[1] * way[1];
            way.map(|w| w * ((heights[1] - heights[0]) / length))
        } else {
            let m = pose.rotation * face.normal;
            let along = m.dot(&frame.n);
            [-m.dot(&frame.t) / along, -m.dot(&frame.b) / along]
        };
        side.height = [
            heights[0] - rise[0] * p[0] - rise[1] * p[1],
            rise[0],
            rise[1],
        ];
        if side.height.iter().any(|h| !h.is_finite()) {
            side.count = 0;
        }
        let turn = cross(&p, &q, &side.corners[side.count.saturating_sub(1)]);
        if side.count > 2 && turn < 0.0 {
            side.corners[..side.count].reverse();
            side.ids[..side.count].reverse();
        }
        side
    }

    /// Returns the largest coordinate of a corner.
    fn extent(&self) -> f64 {
        let corners = self.corners[..self.count].iter();
        corners.fold(0.0, |far: f64, [x, y]| far.max(x.abs()).max(y.abs()))
    }

    fn divide(&mut self, unit: f64) {
        for corner in &mut self.corners[..self.count] {
            *corner = corner.map(|x| x / unit);
        }
        self.height[0] /= unit;
        self.radius /= unit;
    }

    fn height(&self, [x, y]: [f64; 2]) -> f64 {
        let [h, along_t, along_b] = self.height;
        h + along_t * x + along_b * y
    }

    /// Returns the ends of the edge from a corner to the next.
    fn edge(&self, k: usize) -> [usize; 2] {
        [k, (k + 1) % self.count]
    }

    fn edge_code(&self, k: usize) -> Code {
        edge(self.edge(k).map(|k| self.ids[k]))
    }
}

/// Twice the area of a triangle, positive where it is counter-clockwise.
fn cross(p: &[f64; 2], q: &[f64; 2], r: &[f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

/// The edge that follows a corner of an intersection: of A or of B, by its number there.
#[derive(Clone, Copy)]
enum Border {
    A(usize),
    B(usize),
}

/// A corner of an intersection.
#[derive(Clone, Copy)]
struct Corner {
    at: [f64; 2],
    codes: [Code; 2],
    /// The edge to the next corner.
    next: Border,
}

/// The corners of an intersection: each edge of B adds one at most to those of A.
struct Corners {
    corners: [Corner; 2 * MOST_CORNERS],
    count: usize,
}

impl Corners {
    fn new() -> Self {
        let none = Corner {
            at: [0.0; 2],
            codes: [FACE; 2],
            next: Border::A(0),
        };
        Corners {
            corners: [none; 2 * MOST_CORNERS],
            count: 0,
        }
    }

    fn push(&mut self, corner: Corner) {
        if self.count < self.corners.len() {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }

    fn all(&self) -> &[Corner] {
        &self.corners[..self.count]
    }
}

/// Returns the intersection of two sides, of which neither is a point.
fn intersection(a: &Side, b: &Side) -> Corners {
    let mut corners = Corners::new();
    match (a.endless, b.endless) {
        (true, true) => return corners,
        (true, false) | (false, true) => {
            let side = if a.endless { b } else { a };
            for k in 0..side.count {
                let mut codes = [vertex(side.ids[k]), FACE];
                if a.endless {
                    codes.reverse();
                }
                corners.push(Corner {
                    at: side.corners[k],
                    codes,
                    next: Border::A(k),
                });
            }
            return corners;
        }
        (false, false) => {}
    }
    match (a.count, b.count) {
        (0, _) | (_, 0) => corners,
        (2, 2) => lines(a, b),
        (2, _) => line_in_polygon(a, b, false),
        (_, 2) => line_in_polygon(b, a, true),
        _ => {
            for k in 0..a.count {
                corners.push(Corner {
                    at: a.corners[k],
                    codes: [vertex(a.ids[k]), FACE],
                    next: Border::A(k),
                });
            }
            for k in 0..b.count {
                corners = clipped(&corners, a, b, k);
            }
            corners
        }
    }
}

/// Returns what an edge of B leaves of a polygon.
fn clipped(polygon: &Corners, a: &Side, b: &Side, k: usize) -> Corners {
    let [p, q] = b.edge(k).map(|k| b.corners[k]);
    let mut left = Corners::new();
    let all = polygon.all();
    for (i, from) in all.iter().enumerate() {
        let to = &all[(i + 1) % all.len()];
        let [s, e] = [from, to].map(|corner| cross(&p, &q, &corner.at));
        if s >= 0.0 {
            left.push(*from);
        }
        if (s >= 0.0) != (e >= 0.0) {
            let share = s / (s - e);
            let at = [0, 1].map(|axis| from.at[axis] + share * (to.at[axis] - from.at[axis]));
            let codes = match from.next {
                Border::A(edge) => [a.edge_code(edge), b.edge_code(k)],
                // Two edges of B meet in a corner of it; if they are not neighbours, rounding has swallowed what is between.
                Border::B(edge) => [FACE, common(b, edge, k)],
            };
            // Leaving, the border goes along the edge of B; entering, along the edge that it came by.
            let next = if s >= 0.0 { Border::B(k) } else { from.next };
            left.push(Corner { at, codes, next });
        }
    }
    left
}

fn common(b: &Side, first: usize, second: usize) -> Code {
    let [from, to] = b.edge(first);
    let [start, end] = b.edge(second);
    if to == start {
        vertex(b.ids[to])
    } else if from == end {
        vertex(b.ids[from])
    } else {
        edge([b.ids[from], b.ids[start]])
    }
}

/// Returns the part of a line that is over a polygon. The line is A's, or B's if `swapped`.
fn line_in_polygon(line: &Side, polygon: &Side, swapped: bool) -> Corners {
    let mut corners = Corners::new();
    let [p, q] = [line.corners[0], line.corners[1]];
    let (mut from, mut to) = (
        (0.0, vertex(line.ids[0]), FACE),
        (1.0, vertex(line.ids[1]), FACE),
    );
    for k in 0..polygon.count {
        let [u, v] = polygon.edge(k).map(|k| polygon.corners[k]);
        let [s, e] = [cross(&u, &v, &p), cross(&u, &v, &q)];
        if s < 0.0 && e < 0.0 {
            return corners;
        }
        if (s >= 0.0) == (e >= 0.0) {
            continue;
        }
        let at = s / (s - e);
        let codes = (edge([line.ids[0], line.ids[1]]), polygon.edge_code(k));
        if s < 0.0 && at > from.0 {
            from = (at, codes.0, codes.1);
        } else if e < 0.0 && at < to.0 {
            to = (at, codes.0, codes.1);
        }
    }
    if from.0 > to.0 {
        return corners;
    }
    for (share, on_line, on_polygon) in [from, to] {
        let mut codes = [on_line, on_polygon];
        if swapped {
            codes.reverse();
        }
        corners.push(Corner {
            at: [0, 1].map(|axis| p[axis] + share * (q[axis] - p[axis])),
            codes,
            next: Border::A(0),
        });
    }
    corners
}

/// Returns the ends of the part that two lines share, if they are parallel and seen on each other.
fn lines(a: &Side, b: &Side) -> Corners {
    /// The largest sine of the angle between lines that count as parallel.
    const TURNED: f64 = 1e-3;
    /// How far the surface is below a point beside a line at most, as a share of the shorter: of a round one by the square of
    /// how far beside over its diameter, of an edge as far.
    const BELOW: f64 = 1e-9;
    let mut corners = Corners::new();
    let [p, q] = [a.corners[0], a.corners[1]];
    let [way, other] = [a, b].map(|side| [0, 1].map(|k| side.corners[1][k] - side.corners[0][k]));
    let length = way[0].hypot(way[1]);
    let other_length = other[0].hypot(other[1]);
    let turned = way[0] * other[1] - way[1] * other[0];
    if turned.abs() > TURNED * length * other_length {
        return corners;
    }
    let shorter = length.min(other_length);
    let round = (2.0 * BELOW * a.radius.min(b.radius) * shorter).sqrt();
    let beside = round.max(BELOW * shorter);
    let along =
        |x: &[f64; 2]| ((x[0] - p[0]) * way[0] + (x[1] - p[1]) * way[1]) / (length * length);
    let mut ends = [0, 1].map(|k| (along(&b.corners[k]), vertex(b.ids[k])));
    if ends[0].0 > ends[1].0 {
        ends.reverse();
    }
    let line = [edge([a.ids[0], a.ids[1]]), edge([b.ids[0], b.ids[1]])];
    let first = if ends[0].0 > 0.0 {
        (ends[0].0, [line[0], ends[0].1])
    } else {
        (0.0, [vertex(a.ids[0]), line[1]])
    };
    let last = if ends[1].0 < 1.0 {
        (ends[1].0, [line[0], ends[1].1])
    } else {
        (1.0, [vertex(a.ids[1]), line[1]])
    };
    if first.0 >= last.0 {
        return corners;
    }
    // How far B's line is beside A's where the part ends.
    let span = ends[1].0 - ends[0].0;
    let sides = [0, 1].map(|k| cross(&p, &q, &b.corners[k]) / length);
    let against = along(&b.corners[0]) > along(&b.corners[1]);
    let [low, high] = if against { [sides[1], sides[0]] } else { sides };
    for (share, codes) in [first, last] {
        let off = low + (high - low) * (share - ends[0].0) / span;
        if off.abs() > beside {
            return Corners::new();
        }
        corners.push(Corner {
            at: [0, 1].map(|k| p[k] + share * way[k]),
            codes,
            next: Border::A(0),
        });
    }
    corners
}

/// Makes the manifold of a contact from both sides.
fn manifold(found: &PartsContact, a: &Side, b: &Side, frame: &Frame, margin: f64) -> Manifold {
    /// The share of the region's extent, beside the bracket of the contact, by which its deepest corner may be less deep than
    /// that and stand for it.
    const AS_DEEP: f64 = 1e-9;
    /// The share of it within which corners are one.
    const SAME: f64 = 1e-9;
    let contact = &found.contact;
    let witness = ManifoldPoint {
        point_a: contact.point_a,
        point_b: contact.point_b,
        distance: contact.distance,
        id: 0,
    };
    let mut manifold = Manifold {
        found: *found,
        points: [witness; Manifold::MOST],
        count: 1,
    };
    let corners = intersection(a, b);
    let mut points = [(witness, [0.0; 2]); 2 * MOST_CORNERS];
    let mut count = 0;
    let mut deepest = 0;
    let far = |corner: &Corner| corner.at[0].abs().max(corner.at[1].abs());
    let extent = corners.all().iter().map(far).fold(0.0, f64::max);
    let same = |p: &[f64; 2], q: &[f64; 2]| (p[0] - q[0]).hypot(p[1] - q[1]) <= SAME * extent;
    for corner in corners.all() {
        let (on_a, on_b) = (a.height(corner.at), b.height(corner.at));
        let distance = (on_b - on_a) * frame.unit;
        let near = distance <= margin;
        if !near || points[..count].iter().any(|(_, at)| same(at, &corner.at)) {
            continue;
        }
        let [code_a, code_b] = corner.codes.map(u64::from);
        let point = ManifoldPoint {
            point_a: frame.world(corner.at, on_a),
            point_b: frame.world(corner.at, on_b),
            distance,
            id: code_a << 32 | code_b,
        };
        points[count] = (point, corner.at);
        if distance < points[deepest].0.distance {
            deepest = count;
        }
        count += 1;
    }
    let width = contact.upper - contact.lower;
    let known = if width.is_finite() { width } else { 0.0 };
    let slack = AS_DEEP * extent * frame.unit + known;
    let as_deep = count > 0 && points[deepest].0.distance <= contact.distance + slack;
    // The first point, and where it is seen: the witness on A is the frame's origin.
    let mut chosen = [[0.0; 2]; Manifold::MOST];
    if as_deep {
        (manifold.points[0], chosen[0]) = points[deepest];
        points[deepest] = points[count - 1];
        count -= 1;
    }
    let mut left = &mut points[..count];
    // Of more than eight, those that are farthest from the ones chosen before.
    while manifold.count < Manifold::MOST && !left.is_empty() {
        let next = if left.len() + manifold.count <= Manifold::MOST {
            0
        } else {
            let far = |at: &[f64; 2]| {
                let chosen = chosen[..manifold.count].iter();
                chosen.fold(f64::INFINITY, |far: f64, c| {
                    far.min((at[0] - c[0]).hypot(at[1] - c[1]))
                })
            };
            let farthest =
                (0..left.len()).max_by(|&i, &j| far(&left[i].1).total_cmp(&far(&left[j].1)));
            farthest.unwrap_or(0)
        };
        (manifold.points[manifold.count], chosen[manifold.count]) = left[next];
        manifold.count += 1;
        let last = left.len() - 1;
        left.swap(next, last);
        left = &mut left[..last];
    }
    manifold
}
