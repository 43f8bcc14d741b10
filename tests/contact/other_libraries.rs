//! The narrow-phase cases of the tests of Jolt, Drake, parry and MuJoCo: their shapes and poses, with right values that
//! are derived here.
//!
//! Each value is a formula. Where both bodies are polytopes swept by balls (points, balls, capsules, boxes, hulls and
//! triangles) it is derived twice. The signed distance of two convex bodies is their greatest gap over all directions; of two
//! polytopes a greatest gap is along the normal of a face, across two edges, from a corner across an edge or between two
//! corners. So the greatest one of these is the signed distance, and the gap along any other direction cannot exceed it.
//!
//! Each case is asked in every way in which the library can hold the two bodies, fast and certified, from both sides, where it
//! stands, after a rigid motion, and a thousand sizes from the origin.

use crate::convex::{Body, Placed};
use nalgebra::{Isometry3, Point3, Quaternion, Unit, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};
use superovoid::bvh::{BoxSet, TriMesh};
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions};
use superovoid::polytope::{ConvexHull, Cuboid, Segment, Triangle};
use superovoid::{
    Aabb, Contact, DepthMode, HalfSpace, Outcome, QueryOptions, Ray, Shape, Superovoid,
};

type Vec3 = Vector3<f64>;
type Pose = Isometry3<f64>;

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];
const O: [f64; 3] = [0.0; 3];
const DOWN: [f64; 3] = [0.0, 0.0, -1.0];

fn vector(x: [f64; 3]) -> Vec3 {
    x.into()
}

fn scaled(x: [f64; 3], k: f64) -> [f64; 3] {
    x.map(|x| x * k)
}

fn at(place: [f64; 3]) -> Pose {
    vector(place).into()
}

fn turned(axis: [f64; 3], angle: f64) -> UnitQuaternion<f64> {
    UnitQuaternion::from_axis_angle(&Unit::new_normalize(axis.into()), angle)
}

fn posed(place: [f64; 3], rotation: UnitQuaternion<f64>) -> Pose {
    Isometry3::from_parts(place.into(), rotation)
}

/// A quaternion [w, x, y, z], of unit length but for rounding.
fn quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// Turns the axis of a cylinder or capsule from z to y.
fn upright() -> UnitQuaternion<f64> {
    turned(X, -FRAC_PI_2)
}

// ---- bodies ---------------------------------------------------------------------------------

/// The same body, held in several ways, and what the oracle knows of it.
struct Solid {
    shapes: Vec<Shape>,
    known: Known,
}

enum Known {
    Convex(Body),
    /// The corners of convex parts: a signed distance is the least one of a part.
    Parts(Vec<Vec<Vec3>>),
    Nothing,
}

fn convex(body: Body, others: Vec<Shape>) -> Solid {
    let mut shapes = vec![Shape::from(body.made())];
    shapes.extend(others);
    let known = Known::Convex(body);
    Solid { shapes, known }
}

fn ball(radius: f64) -> Solid {
    let sphere = Superovoid::sphere(radius).unwrap();
    convex(Body::Ball(radius), vec![sphere.into()])
}

fn ellipsoid(semi_axes: [f64; 3]) -> Solid {
    let shape = Superovoid::ellipsoid(semi_axes).unwrap();
    convex(Body::Ovoid(semi_axes, 1.0), vec![shape.into()])
}

/// A box, from half its edges.
fn cuboid(half: [f64; 3]) -> Solid {
    let polytope = Cuboid::new(half).unwrap();
    let [min, max] = [scaled(half, -1.0), half].map(Point3::from);
    let set = BoxSet::new(vec![Aabb { min, max }]).unwrap();
    convex(Body::Cuboid(half), vec![polytope.into(), set.into()])
}

/// From the radius and half the length, along z; of the capsule without its caps.
fn cylinder(radius: f64, half: f64) -> Solid {
    convex(Body::Cylinder(radius, half), Vec::new())
}

fn capsule(radius: f64, half: f64) -> Solid {
    convex(Body::Capsule(radius, half), Vec::new())
}

fn hull(corners: &[[f64; 3]]) -> Solid {
    let points = corners.iter().map(|&c| c.into()).collect();
    let polytope = ConvexHull::new(points).unwrap();
    let corners = corners.iter().copied().map(vector).collect();
    convex(Body::Hull(corners, Vec::new()), vec![polytope.into()])
}

fn box_hull(half: [f64; 3]) -> Solid {
    hull(&corners([scaled(half, -1.0), half]))
}

/// The eight corners of the box between two.
fn corners([min, max]: [[f64; 3]; 2]) -> Vec<[f64; 3]> {
    let ends = [min, max];
    let corner = |k: usize| [0, 1, 2].map(|axis| ends[k >> axis & 1][axis]);
    (0..8).map(corner).collect()
}

fn point() -> Solid {
    let segment = Segment::new(Point3::origin(), Point3::origin()).unwrap();
    let mut point = hull(&[O]);
    point.shapes.push(segment.into());
    point
}

fn segment(ends: [[f64; 3]; 2]) -> Solid {
    let [from, to] = ends.map(Point3::from);
    let mut solid = hull(&ends);
    let segment = Segment::new(from, to).unwrap();
    solid.shapes.push(segment.into());
    solid
}

fn triangle(corners: [[f64; 3]; 3]) -> Solid {
    let points = corners.map(Point3::from);
    let mesh = TriMesh::new(points.into(), vec![[0, 1, 2]]).unwrap();
    let mut solid = hull(&corners);
    solid.shapes.push(Triangle::new(points).unwrap().into());
    solid.shapes.push(mesh.into());
    solid
}

/// An open mesh: its parts are its triangles.
fn surface(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Solid {
    let parts = triangles
        .iter()
        .map(|t| t.map(|k| vector(vertices[k as usize])).into());
    Solid {
        known: Known::Parts(parts.collect()),
        ..closed(vertices, triangles)
    }
}

/// A closed mesh.
fn closed(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Solid {
    let vertices = vertices.iter().map(|&v| v.into()).collect();
    let mesh = TriMesh::new(vertices, triangles.to_vec()).unwrap();
    Solid {
        shapes: vec![mesh.into()],
        known: Known::Nothing,
    }
}

/// Boxes, each between two corners.
fn boxes(all: &[[[f64; 3]; 2]]) -> Solid {
    let bounds = |b: &[[f64; 3]; 2]| Aabb {
        min: b[0].into(),
        max: b[1].into(),
    };
    let set = BoxSet::new(all.iter().map(bounds).collect()).unwrap();
    let part = |&b: &[[f64; 3]; 2]| corners(b).into_iter().map(vector).collect();
    Solid {
        shapes: vec![set.into()],
        known: Known::Parts(all.iter().map(part).collect()),
    }
}

/// All below z = 0.
fn half_space() -> Solid {
    Solid {
        shapes: vec![HalfSpace::new(Vec3::z(), 0.0).unwrap().into()],
        known: Known::Nothing,
    }
}

impl Solid {
    /// The corners of the parts, in the world, and the radius of the ball that sweeps them.
    fn swept(&self, pose: &Pose) -> Option<(Vec<Vec<Vec3>>, f64)> {
        let along = |h: f64| vec![Vec3::z() * h, Vec3::z() * -h];
        let (parts, radius) = match &self.known {
            Known::Convex(Body::Ball(r)) => (vec![vec![Vec3::zeros()]], *r),
            Known::Convex(Body::Capsule(r, h)) => (vec![along(*h)], *r),
            Known::Convex(Body::Cuboid(half)) => {
                let corners = corners([scaled(*half, -1.0), *half]);
                (vec![corners.into_iter().map(vector).collect()], 0.0)
            }
            Known::Convex(Body::Hull(corners, _)) => (vec![corners.clone()], 0.0),
            Known::Parts(parts) => (parts.clone(), 0.0),
            _ => return None,
        };
        let placed = |p: Vec3| (pose * Point3::from(p)).coords;
        let parts = (parts.into_iter()).map(|part| part.into_iter().map(placed).collect());
        Some((parts.collect(), radius))
    }

    /// What a witness with an outward normal has wrong: how far it is outside, or below the supporting plane.
    fn off_surface(&self, pose: &Pose, x: &Point3<f64>, n: &Vec3) -> f64 {
        let outside = match &self.known {
            Known::Convex(Body::Hull(..)) | Known::Parts(_) => {
                let (parts, _) = self.swept(pose).expect("corners");
                let distances = parts.iter().map(|part| greatest_gap(part, &[x.coords]));
                distances.fold(f64::INFINITY, f64::min)
            }
            Known::Convex(body) => Placed(body, *pose).outside(x),
            Known::Nothing => 0.0,
        };
        let below = match &self.known {
            Known::Convex(body) => Placed(body, *pose).support(n) - n.dot(&x.coords),
            _ => 0.0,
        };
        outside.max(below)
    }

    /// Half the diagonal of the box around it, and how far it reaches from its origin; 0 of a half-space.
    fn size(&self) -> [f64; 2] {
        let bounds = self.shapes[0].as_ref().local_aabb().unwrap();
        bounds.map_or([0.0; 2], |Aabb { min, max }| {
            [
                0.5 * (max - min).norm(),
                max.coords.abs().sup(&min.coords.abs()).norm(),
            ]
        })
    }

    fn is_curved(&self) -> bool {
        matches!(
            self.known,
            Known::Convex(Body::Cylinder(..) | Body::Ovoid(..) | Body::Cone(..))
        )
    }
}

// ---- the oracle -----------------------------------------------------------------------------

/// The greatest gap of two polytopes over the directions in which it can be one.
fn greatest_gap(a: &[Vec3], b: &[Vec3]) -> f64 {
    let edges = |points: &[Vec3]| {
        let mut edges = Vec::new();
        for (k, p) in points.iter().enumerate() {
            edges.extend(points[..k].iter().map(|q| (*p, q - p)));
        }
        edges
    };
    let (edges_a, edges_b) = (edges(a), edges(b));
    let mut best = f64::NEG_INFINITY;
    let mut ask = |n: Vec3| {
        let Some(n) = n.try_normalize(1e-200) else {
            return;
        };
        let extent = |points: &[Vec3]| {
            let heights = points.iter().map(|p| n.dot(p));
            heights.fold([f64::MAX, f64::MIN], |[low, high], h| {
                [low.min(h), high.max(h)]
            })
        };
        let ([low_a, high_a], [low_b, high_b]) = (extent(a), extent(b));
        best = best.max(low_b - high_a).max(low_a - high_b);
    };
    let axes = [Vec3::x(), Vec3::y(), Vec3::z()];
    // Where all lies on a line, any direction across it.
    axes.iter().for_each(|axis| ask(*axis));
    for (k, (_, u)) in edges_a.iter().chain(&edges_b).enumerate() {
        axes.iter().for_each(|axis| ask(u.cross(axis)));
        let others = edges_a.iter().chain(&edges_b).skip(k + 1);
        others.for_each(|(_, w)| ask(u.cross(w)));
    }
    for (points, edges) in [(a, &edges_b), (b, &edges_a)] {
        for (p, (q, u)) in points
            .iter()
            .flat_map(|p| edges.iter().map(move |e| (p, e)))
        {
            ask(u.cross(&(p - q)).cross(u));
        }
    }
    for (p, q) in a.iter().flat_map(|p| b.iter().map(move |q| (p, q))) {
        ask(p - q);
    }
    best
}

/// The signed distance of two bodies whose parts are swept polytopes.
fn derived([(a, at_a), (b, at_b)]: [(&Solid, &Pose); 2]) -> Option<f64> {
    let ((parts_a, ra), (parts_b, rb)) = (a.swept(at_a)?, b.swept(at_b)?);
    let pairs = parts_a
        .iter()
        .flat_map(|p| parts_b.iter().map(move |q| (p, q)));
    let least = pairs
        .map(|(p, q)| greatest_gap(p, q))
        .fold(f64::INFINITY, f64::min);
    Some(least - ra - rb)
}

/// The greatest gap of two smooth bodies, from the best of many directions by ever smaller steps.
fn searched([(a, at_a), (b, at_b)]: [(&Solid, &Pose); 2]) -> f64 {
    let (Known::Convex(a), Known::Convex(b)) = (&a.known, &b.known) else {
        panic!("not convex");
    };
    let (a, b) = (Placed(a, *at_a), Placed(b, *at_b));
    let gap = |n: &Vec3| -a.support(n) - b.support(&-n);
    let mut best = f64::NEG_INFINITY;
    for k in 0..27 {
        let start = [k % 3, k / 3 % 3, k / 9].map(|x| f64::from(x) - 1.0);
        let Some(mut n) = vector(start).try_normalize(0.1) else {
            continue;
        };
        let (mut found, mut step) = (gap(&n), 0.3);
        while step > 1e-9 {
            let across = n.cross(&Vec3::ith(n.iamin(), 1.0)).normalize();
            let other = n.cross(&across);
            let tries = (0..8).map(|k| {
                let (sin, cos) = (f64::from(k) * FRAC_PI_4).sin_cos();
                (n + (across * cos + other * sin) * step).normalize()
            });
            let (better, next) = tries
                .map(|n| (gap(&n), n))
                .max_by(|x, y| x.0.total_cmp(&y.0))
                .unwrap();
            if better > found {
                (found, n) = (better, next);
            } else {
                step *= 0.5;
            }
        }
        best = best.max(found);
    }
    best
}

// ---- the cases ------------------------------------------------------------------------------

#[derive(Clone, Copy, Debug)]
enum Cast {
    /// At this instant, of the motion as 1.
    Hit(f64),
    /// A point without an inside that moves onto a line, a corner or the wall between two parts meets the inside of none: no
    /// more is proven than that it is free until then.
    Graze(f64),
    Free,
    Overlapping,
}

/// The cases of a library.
#[derive(Default)]
struct Cases {
    count: usize,
    failures: Vec<String>,
}

/// A body at a pose.
type At<'a> = (&'a Solid, Pose);

/// Where a case stands, after a rigid motion, and far from the origin.
fn frames(size: f64) -> [Pose; 3] {
    let moved = |place: [f64; 3], axis, angle| posed(scaled(place, size), turned(axis, angle));
    [
        Pose::identity(),
        moved([0.7, -1.3, 2.1], [1.0, 2.0, 3.0], 1.1),
        moved([600.0, -700.0, 400.0], [-3.0, 1.0, 0.5], 2.3),
    ]
}

/// The default, a share of the sizes; but of a point and a mesh it is one of the point's, which has none.
fn tolerance([a, b]: [f64; 2]) -> f64 {
    let default = a.min(b) > 0.0;
    if default { 0.0 } else { 1e-9 * a.max(b) }
}

impl Cases {
    fn done(self, count: usize) {
        let shown: Vec<_> = self.failures.iter().take(20).map(String::as_str).collect();
        assert!(
            shown.is_empty(),
            "wrong of {} cases:\n{}",
            self.count,
            shown.join("\n")
        );
        assert_eq!(self.count, count);
    }

    /// A case whose signed distance is that of the oracle for polytopes.
    fn by_axes(&mut self, name: &str, a: At, b: At) -> f64 {
        let distance = derived([(a.0, &a.1), (b.0, &b.1)]).expect("swept polytopes");
        self.check(name, a, b, distance, None);
        distance
    }

    /// A depth whose bracket may stay open: one that is the same in all directions of a circle, or one in a mesh.
    fn around(&mut self, name: &str, a: At, b: At, distance: f64) {
        self.judge(name, a, b, distance, None, true);
    }

    /// A case of a signed distance and, where it is unique, the normal from A to B of any length.
    fn check(
        &mut self,
        name: &str,
        a: At,
        b: At,
        distance: f64,
        normal: impl Into<Option<[f64; 3]>>,
    ) {
        self.judge(name, a, b, distance, normal.into(), false);
    }

    fn judge(
        &mut self,
        name: &str,
        a: At,
        b: At,
        distance: f64,
        normal: Option<[f64; 3]>,
        around: bool,
    ) {
        self.count += 1;
        let before = self.failures.len();
        let normal = normal.map(|n| vector(n).normalize());
        let [[size_a, reach_a], [size_b, reach_b]] = [a.0.size(), b.0.size()];
        let size = size_a.max(size_b);
        let reach =
            a.1.translation.vector.norm() + b.1.translation.vector.norm() + reach_a + reach_b;
        if let Some(axes) = derived([(a.0, &a.1), (b.0, &b.1)])
            && (axes - distance).abs() > 1e-14 * (size + reach)
        {
            let right = format!("{name}: {distance:e}, by the axes {axes:e}");
            self.failures.push(right);
        }
        let tolerance = tolerance([size_a, size_b]);
        for frame in frames(size + reach) {
            let at = [frame * a.1, frame * b.1];
            let far = at[0].translation.vector.norm() + at[1].translation.vector.norm() + reach;
            let rounding = 1e-14 * (size + far);
            let turned = normal.map(|n| frame.rotation * n);
            for (x, y) in (a.0.shapes.iter()).flat_map(|x| b.0.shapes.iter().map(move |y| (x, y))) {
                for depth in [DepthMode::Fast, DepthMode::Certified] {
                    let options = QueryOptions::default()
                        .with_depth(depth)
                        .with_tolerance(tolerance);
                    let ask = |x: &Shape, at_x, y: &Shape, at_y| {
                        let found = x.contact(at_x, y, at_y, &options);
                        found.map(|found| found.expect("no maximum distance").contact)
                    };
                    let answers = [
                        ask(x, &at[0], y, &at[1]),
                        ask(y, &at[1], x, &at[0]).map(Contact::swapped),
                    ];
                    let ovoids = [x, y]
                        .into_iter()
                        .any(|s| matches!(s, Shape::Superovoid(_)));
                    let open = around || ovoids && depth == DepthMode::Fast && distance < 0.0;
                    for (side, answer) in answers.into_iter().enumerate() {
                        let wrong = match answer {
                            Err(error) => Some(error.to_string()),
                            Ok(c) => {
                                let right = Right {
                                    distance,
                                    normal: turned,
                                    size,
                                    rounding,
                                    open,
                                };
                                let wrong = right.wrong(&c, [(a.0, &at[0]), (b.0, &at[1])]);
                                wrong.map(|what| format!("{what}: {c:?}"))
                            }
                        };
                        self.failures.extend(wrong.map(|what| {
                            format!("{name} {x:?} {y:?} {depth:?} side {side} at {far:.1}: {distance:e}, {what}")
                        }));
                    }
                }
            }
        }
        // The first failure of a case says enough.
        self.failures.truncate(before + 1);
    }

    /// A case of two bodies that move on straight lines by so much.
    fn cast(&mut self, name: &str, a: At, by_a: [f64; 3], b: At, by_b: [f64; 3], expected: Cast) {
        self.cast_at(name, a, by_a, b, by_b, expected, 0.0);
    }

    /// The same of two bodies that count as touching at a distance.
    #[expect(clippy::too_many_arguments)]
    fn cast_at(
        &mut self,
        name: &str,
        a: At,
        by_a: [f64; 3],
        b: At,
        by_b: [f64; 3],
        expected: Cast,
        separation: f64,
    ) {
        self.count += 1;
        let before = self.failures.len();
        let [[size_a, reach_a], [size_b, reach_b]] = [a.0.size(), b.0.size()];
        let size = size_a.max(size_b);
        let speed = (vector(by_a) - vector(by_b)).norm();
        let reach =
            a.1.translation.vector.norm() + b.1.translation.vector.norm() + reach_a + reach_b;
        let tolerance = tolerance([size_a, size_b]);
        let options = TimeOfImpactOptions::default()
            .with_min_separation(separation)
            .with_tolerance(tolerance);
        for frame in frames(size + reach) {
            let motion = |pose: Pose, by: [f64; 3]| {
                let linear = frame.rotation * vector(by);
                Motion::screw(frame * pose, linear, Vec3::zeros()).unwrap()
            };
            let (move_a, move_b) = (motion(a.1, by_a), motion(b.1, by_b));
            let far = 2.0 * frame.translation.vector.norm() + reach;
            let slack = (4e-9 * size + 2e-12 * (size + far + speed)) / speed.max(1e-300);
            for (x, y) in (a.0.shapes.iter()).flat_map(|x| b.0.shapes.iter().map(move |y| (x, y))) {
                let answers = [
                    x.time_of_impact(&move_a, y, &move_b, &options),
                    y.time_of_impact(&move_b, x, &move_a, &options),
                ];
                for (side, answer) in answers.into_iter().enumerate() {
                    let found = answer.as_ref().map(|answer| answer.found);
                    let right = match (found, expected) {
                        (
                            Ok(TimeOfImpact::Hit { safe, touching, .. }),
                            Cast::Hit(t) | Cast::Graze(t),
                        ) => (safe - t).abs() <= slack && (touching - t).abs() <= slack,
                        (Ok(TimeOfImpact::Undecided { safe, .. }), Cast::Graze(t)) => {
                            (safe - t).abs() <= slack
                        }
                        (Ok(TimeOfImpact::Free { .. }), Cast::Free) => true,
                        (Ok(TimeOfImpact::Overlapping { .. }), Cast::Overlapping) => true,
                        _ => false,
                    };
                    if !right {
                        self.failures.push(format!(
                            "{name} {x:?} {y:?} side {side} at {far:.1}: {expected:?}, {answer:?}"
                        ));
                    }
                }
            }
        }
        self.failures.truncate(before + 1);
    }

    /// A ray, from a point by so much: a point that moves, and against superovoids a ray as well.
    fn ray(&mut self, name: &str, a: At, from: [f64; 3], by: [f64; 3], expected: Cast) {
        self.cast(name, (&point(), at(from)), by, (a.0, a.1), O, expected);
        for shape in &a.0.shapes {
            let Shape::Superovoid(shape) = shape else {
                continue;
            };
            let (origin, direction) = (from.into(), by.into());
            let hit = shape
                .ray_cast(&a.1, &Ray { origin, direction }, 1.0, true)
                .unwrap();
            let right = match (hit, expected) {
                (Some(hit), Cast::Hit(t)) => (hit.time_of_impact - t).abs() < 1e-12,
                (Some(hit), Cast::Overlapping) => hit.time_of_impact == 0.0,
                (hit, Cast::Free) => hit.is_none(),
                _ => false,
            };
            if !right {
                self.failures
                    .push(format!("{name} {shape:?}: {expected:?}, {hit:?}"));
            }
        }
    }
}

/// What is right of a pair.
struct Right {
    distance: f64,
    normal: Option<Vec3>,
    size: f64,
    rounding: f64,
    /// Whether the bracket may stay open.
    open: bool,
}

impl Right {
    fn wrong(&self, c: &Contact, [a, b]: [(&Solid, &Pose); 2]) -> Option<&'static str> {
        let eps = 1e-9 * self.size + self.rounding;
        let n = c.normal.into_inner();
        // Of a curved body the distance changes with the square of the angle.
        let angle = if a.0.is_curved() || b.0.is_curved() {
            1e-4
        } else {
            1e-7
        };
        let closure = (c.point_b - c.point_a - n * c.distance).norm();
        let decided = match c.outcome {
            Outcome::Certified => true,
            Outcome::Converged => self.open,
            _ => false,
        };
        let checks = [
            ((c.distance - self.distance).abs() <= eps, "the distance"),
            (c.lower <= self.distance + self.rounding, "the lower bound"),
            (c.upper >= self.distance - self.rounding, "the upper bound"),
            (decided, "the outcome"),
            (
                self.open || c.upper - c.lower <= 1e-6 * self.size + 2.0 * self.rounding,
                "the width",
            ),
            ((n.norm() - 1.0).abs() <= 1e-14, "the length of the normal"),
            (
                self.normal.is_none_or(|right| (n - right).norm() <= angle),
                "the normal",
            ),
            (closure <= self.rounding, "the points do not close"),
            (a.0.off_surface(a.1, &c.point_a, &n) <= eps, "point a"),
            (b.0.off_surface(b.1, &c.point_b, &-n) <= eps, "point b"),
        ];
        checks
            .iter()
            .find(|(right, _)| !right)
            .map(|(_, what)| *what)
    }
}

/// Rows of cases: what it is called, the bodies at their poses and, of casts and rays, what they move by; then the signed
/// distance and the normal, or what is hit.
macro_rules! contacts {
    ($cases:ident: $($name:expr, $a:expr, $b:expr => $distance:expr, $normal:expr;)*) => {
        $($cases.check($name, $a, $b, $distance, $normal);)*
    };
}
macro_rules! casts {
    ($cases:ident: $($name:expr, $a:expr, $by_a:expr, $b:expr, $by_b:expr => $expected:expr;)*) => {
        $($cases.cast($name, $a, $by_a, $b, $by_b, $expected);)*
    };
}
macro_rules! rays {
    ($cases:ident: $($name:expr, $a:expr, $from:expr, $by:expr => $expected:expr;)*) => {
        $($cases.ray($name, $a, $from, $by, $expected);)*
    };
}

mod drake;
mod jolt;
mod mujoco;
mod parry;
