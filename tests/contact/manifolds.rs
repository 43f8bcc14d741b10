//! Contact manifolds against what membership tests of the bodies say of their points, and known regions.

use crate::convex::{Body, KINDS, Placed};
use crate::shapes::shapes;
use nalgebra::{Isometry3, Point3, Unit, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;
use superovoid::convex::ConvexShape;
use superovoid::{Manifold, ManifoldPoint, Plane, QueryError, QueryOptions, Shape, Superovoid};

fn manifolds(
    [a, b]: [&Shape; 2],
    [at_a, at_b]: [&Isometry3<f64>; 2],
    margin: f64,
) -> Result<Vec<Manifold>, QueryError> {
    let mut found = Vec::new();
    let options = QueryOptions::default();
    a.manifolds(at_a, b, at_b, margin, &options, |manifold| {
        found.push(*manifold);
        true
    })?;
    Ok(found)
}

fn manifold(bodies: [&Shape; 2], poses: [&Isometry3<f64>; 2], margin: f64) -> Manifold {
    let found = manifolds(bodies, poses, margin).unwrap();
    assert_eq!(found.len(), 1);
    found[0]
}

fn cuboid(half: [f64; 3]) -> Shape {
    ConvexShape::cuboid(half).unwrap().into()
}

fn ids(manifold: &Manifold) -> BTreeSet<u64> {
    manifold.points().iter().map(|p| p.id).collect()
}

/// Outward normals of faces and lines of a body, and directions across its edges.
fn faces(body: &Body, rng: &mut ChaCha8Rng) -> Vec<Vector3<f64>> {
    let around = rng.random_range(0.0..std::f64::consts::TAU);
    let across = Vector3::new(around.cos(), around.sin(), 0.0);
    match body {
        Body::Cuboid(_) => (0..3).map(|k| Vector3::ith(k, 1.0)).collect(),
        Body::Cylinder(..) => vec![Vector3::z(), across],
        Body::Capsule(..) => vec![across],
        Body::Cone(r, h) => vec![
            -Vector3::z(),
            (across * (2.0 * h) + Vector3::z() * *r).normalize(),
        ],
        Body::Hull(_, planes) => planes.iter().map(|(n, _)| *n).collect(),
        Body::Ball(_) | Body::Ovoid(..) => vec![across],
    }
}

/// Bodies with faces, edges or lines towards each other, or any way round, that overlap or leave a gap of a thousandth or so: the
/// points of their manifolds are on both surfaces, face each other along the normal and are no farther apart than the margin.
fn on_both_surfaces(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(532);
    let mut counts = [0; 9];
    for k in 0..count {
        let [kind_a, kind_b] = [k % KINDS, k / KINDS % KINDS];
        let bodies = [kind_a, kind_b].map(|kind| Body::random(kind, &mut rng));
        let size = bodies[0].size() + bodies[1].size();
        let turned = |rng: &mut ChaCha8Rng| {
            UnitQuaternion::from_scaled_axis(Vector3::from_fn(|_, _| rng.random_range(-3.0..3.0)))
        };
        let at_a = Isometry3::from_parts(Vector3::zeros().into(), turned(&mut rng));
        let normals = [0, 1].map(|k| {
            let normals = faces(&bodies[k], &mut rng);
            normals[rng.random_range(0..normals.len())]
        });
        let n = at_a.rotation * normals[0];
        let spin = UnitQuaternion::from_axis_angle(
            &Unit::new_normalize(n),
            [0.0, 1.3, 0.7][k % 3] * rng.random_range(-1.0..1.0),
        );
        let facing = UnitQuaternion::rotation_between(&normals[1], &-n).unwrap_or_else(|| {
            UnitQuaternion::from_scaled_axis(Vector3::y() * std::f64::consts::PI)
        });
        let tilt = if k % 4 == 3 { 0.05 } else { 0.0 };
        let tilt = UnitQuaternion::from_scaled_axis(
            Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0)) * tilt,
        );
        let turn_b = if k % 5 == 4 {
            turned(&mut rng)
        } else {
            tilt * spin * facing
        };
        // Beside each other by up to half the size, and then along the normal to a small gap or overlap.
        let beside = Vector3::from_fn(|_, _| rng.random_range(-0.3..0.3)) * size;
        let mut at_b = Isometry3::from_parts((beside - n * n.dot(&beside)).into(), turn_b);
        let gap = size * [-0.01, -1e-4, 0.0, 1e-4, 0.01][k % 7 % 5];
        let [reach_a, reach_b] = [
            Placed(&bodies[0], at_a).support(&n),
            Placed(&bodies[1], at_b).support(&-n),
        ];
        at_b.translation.vector += n * (reach_a + reach_b + gap);
        let [a, b] = [Placed(&bodies[0], at_a), Placed(&bodies[1], at_b)];
        let shapes = [0, 1].map(|k| Shape::from(bodies[k].made()));
        let margin = size * 0.02;
        let pair = [&shapes[0], &shapes[1]];
        let found = manifolds(pair, [&at_a, &at_b], margin).unwrap();
        let case = || format!("{k}: {bodies:?} {at_a:?} {at_b:?} {found:?}");
        let Some(found) = found.first() else {
            continue;
        };
        let points = found.points();
        assert!((1..=8).contains(&points.len()), "{}", case());
        let numbers: Vec<u64> = points.iter().map(|p| p.id).collect();
        assert_eq!(ids(found).len(), points.len(), "{numbers:x?} {}", case());
        counts[points.len()] += 1;
        let normal = found.found.contact.normal.into_inner();
        let step = normal * (1e-7 * size);
        // Lines on round bodies are seen on each other up to a ten-thousandth beside.
        let eps = 2e-8 * size;
        for p in points {
            let closed = p.point_b - p.point_a - normal * p.distance;
            assert!(closed.norm() < 1e-9 * size, "{}", case());
            assert!(p.distance <= margin && p.distance >= found.found.contact.distance - eps);
            assert!(
                a.outside(&p.point_a) <= eps,
                "{} {}",
                a.outside(&p.point_a),
                case()
            );
            assert!(
                b.outside(&p.point_b) <= eps,
                "{} {}",
                b.outside(&p.point_b),
                case()
            );
            let inside =
                a.outside(&(p.point_a + step)) == 0.0 && a.outside(&(p.point_a - step)) == 0.0;
            assert!(!inside, "inside A: {p:?} {}", case());
            let inside =
                b.outside(&(p.point_b + step)) == 0.0 && b.outside(&(p.point_b - step)) == 0.0;
            assert!(!inside, "inside B: {p:?} {}", case());
        }
        let deepest = points[0].distance;
        assert!(
            (deepest - found.found.contact.distance).abs() < 1e-5 * size,
            "{}",
            case()
        );
        // Seen from B they are the same, where there are no more than eight to choose from, and no lines that count as parallel
        // or not by the last digits of the normal.
        let swapped = manifolds([&shapes[1], &shapes[0]], [&at_b, &at_a], margin).unwrap();
        let swapped = swapped[0].swapped();
        let same = (swapped.found.contact.normal.into_inner() - normal).norm() < 1e-9;
        let there = |p: &ManifoldPoint, points: &[ManifoldPoint]| {
            // Witnesses on round bodies are known to the root of the tolerance.
            let near = |q: &ManifoldPoint| (p.point_a - q.point_a).norm() < 1e-4 * size;
            points.iter().any(near)
        };
        if same && (3..8).contains(&points.len()) {
            let (p, q) = (points, swapped.points());
            let all = p.iter().all(|x| there(x, q)) && q.iter().all(|x| there(x, p));
            assert!(all, "{} {swapped:?}", case());
        }
    }
    assert!(counts[1..].iter().all(|&n| n > 0), "{counts:?}");
}
draws!(on_both_surfaces: points_are_on_both_surfaces 4_000, points_are_on_both_surfaces_long 400_000);

#[test]
fn faces_that_overlap_have_the_corners_of_the_region_they_share() {
    let mut rng = ChaCha8Rng::seed_from_u64(533);
    for k in 0..200 {
        let half = [0; 2].map(|_| [0; 3].map(|_| rng.random_range(0.1..1.0)));
        let [a, b] = half.map(cuboid);
        let spin = rng.random_range(0.0..6.0);
        let offset = [0; 2].map(|_| rng.random_range(-0.6..0.6));
        let height = half[0][2] + half[1][2] - 0.001;
        let at = Isometry3::new(
            Vector3::new(offset[0], offset[1], height),
            Vector3::z() * spin,
        );
        let here = Isometry3::identity();
        let found = manifolds([&a, &b], [&here, &at], 0.01).unwrap();
        let Some(found) = found.first().filter(|m| m.found.contact.normal.z > 0.999) else {
            continue;
        };
        let points = found.points();
        // Its area by the shoelace formula about the middle, and by a grid.
        let middle = points
            .iter()
            .map(|p| p.point_a.coords.xy())
            .sum::<nalgebra::Vector2<f64>>()
            / points.len() as f64;
        let mut around: Vec<_> = points
            .iter()
            .map(|p| p.point_a.coords.xy() - middle)
            .collect();
        around.sort_by(|p, q| p.y.atan2(p.x).total_cmp(&q.y.atan2(q.x)));
        let area: f64 = (0..around.len())
            .map(|k| 0.5 * around[k].perp(&around[(k + 1) % around.len()]))
            .sum();
        const STEPS: usize = 200;
        let mut inside = 0;
        for i in 0..STEPS * STEPS {
            let share = |k: usize| 2.0 * (k as f64 + 0.5) / STEPS as f64 - 1.0;
            let x = Point3::new(
                half[0][0] * share(i % STEPS),
                half[0][1] * share(i / STEPS),
                height,
            );
            let in_b = at.inverse() * x;
            inside += usize::from(in_b.x.abs() <= half[1][0] && in_b.y.abs() <= half[1][1]);
        }
        let whole = 4.0 * half[0][0] * half[0][1];
        let right = whole * inside as f64 / (STEPS * STEPS) as f64;
        assert!(
            (area - right).abs() < 0.01 * whole,
            "{k}: {area} {right} {found:?}"
        );
    }
}

#[test]
fn known_contacts_have_their_points() {
    let here = Isometry3::identity();
    let at = |x, y, z| Isometry3::translation(x, y, z);
    let turned = |x, y, z, axis: [f64; 3]| Isometry3::new(Vector3::new(x, y, z), axis.into());
    let table = cuboid([1.0, 1.0, 0.1]);
    let half = std::f64::consts::FRAC_PI_2;
    let shape = |it: ConvexShape| Shape::from(it);
    let can = shape(ConvexShape::cylinder(0.1, 0.4).unwrap());
    let pill = shape(ConvexShape::capsule(0.1, 0.4).unwrap());
    let cone = shape(ConvexShape::cone(0.1, 0.4).unwrap());
    let ball = shape(ConvexShape::ball(0.1).unwrap());
    let egg = Shape::from(Superovoid::new([0.1; 3], [0.8, 0.9], [0.1, 0.1]).unwrap());
    let plane = Shape::from(Plane::new(Vector3::z(), 0.1).unwrap());
    let corner = |x, y, z| Point3::new(x, y, z);
    let wedge = ConvexShape::hull(&[
        corner(-0.2, -0.1, 0.0),
        corner(0.2, -0.1, 0.0),
        corner(0.2, 0.1, 0.0),
        corner(-0.2, 0.1, 0.0),
        corner(0.0, 0.0, 0.0),
        corner(-0.2, 0.0, 0.2),
        corner(0.2, 0.0, 0.2),
    ]);
    let wedge = shape(wedge.unwrap());
    let cases = [
        ("a can that stands", &can, at(0.3, 0.2, 0.299), 8),
        (
            "a can that lies",
            &can,
            turned(0.3, 0.2, 0.199, [half, 0.0, 0.0]),
            2,
        ),
        (
            "a can on its rim",
            &can,
            turned(0.0, 0.0, 0.311, [0.785, 0.0, 0.0]),
            1,
        ),
        ("a pill that stands", &pill, at(0.3, 0.2, 0.399), 1),
        (
            "a pill that lies",
            &pill,
            turned(0.3, 0.2, 0.199, [half, 0.0, 0.0]),
            2,
        ),
        (
            "a pill over an edge",
            &pill,
            turned(1.1, 0.2, 0.199, [0.0, half, 0.0]),
            2,
        ),
        ("a cone that stands", &cone, at(0.3, 0.2, 0.299), 8),
        (
            "a cone on its side",
            &cone,
            turned(0.0, 0.0, 0.148, [0.0, half + 0.25f64.atan() - 1e-3, 0.0]),
            2,
        ),
        ("a ball", &ball, at(0.3, 0.2, 0.199), 1),
        ("a superovoid", &egg, at(0.3, 0.2, 0.199), 1),
        ("a wedge that stands", &wedge, at(0.3, 0.2, 0.099), 4),
        (
            "a wedge on its ridge",
            &wedge,
            turned(0.3, 0.2, 0.299, [2.0 * half, 0.0, 0.0]),
            2,
        ),
        ("a block", &cuboid([0.1, 0.2, 0.3]), at(0.3, 0.2, 0.399), 4),
        (
            "a block beyond a corner",
            &cuboid([0.1, 0.2, 0.3]),
            at(1.0, 1.0, 0.399),
            4,
        ),
        (
            "a block turned by 45°",
            &cuboid([1.2, 1.2, 0.1]),
            turned(0.0, 0.0, 0.199, [0.0, 0.0, 0.785]),
            8,
        ),
    ];
    for (name, shape, pose, count) in cases {
        for under in [&table, &plane] {
            let beyond = ["over", "beyond", "turned"]
                .iter()
                .any(|word| name.contains(word));
            if beyond && matches!(under, Shape::Plane(_)) {
                continue;
            }
            let found = manifold([under, shape], [&here, &pose], 0.002);
            let points = found.points();
            assert_eq!(points.len(), count, "{name}: {found:?}");
            assert!(
                points.iter().all(|p| p.point_a.z.abs() - 0.1 < 1e-9),
                "{name}: {found:?}"
            );
        }
    }
    // Two edges across each other.
    let [a, b] = [cuboid([0.1, 1.0, 0.1]), cuboid([1.0, 0.1, 0.1])];
    let poses = [
        turned(0.0, 0.0, 0.0, [0.0, 0.5 * half, 0.0]),
        turned(0.0, 0.0, 0.2 * 2f64.sqrt() - 0.001, [0.5 * half, 0.0, 0.0]),
    ];
    let found = manifold([&a, &b], [&poses[0], &poses[1]], 0.0);
    assert_eq!(found.points().len(), 1, "{found:?}");
    assert!(found.points()[0].point_a.coords.xy().norm() < 1e-9);
    // Two pills beside each other.
    let found = manifold([&pill, &pill], [&here, &at(0.199, 0.0, 0.1)], 0.0);
    let heights: Vec<f64> = found.points().iter().map(|p| p.point_a.z).collect();
    assert!(heights.len() == 2, "{found:?}");
    assert!(
        heights
            .iter()
            .all(|z| (z.abs() - 0.2).abs() < 1e-12 || (z + 0.1).abs() < 1e-12)
    );
}

#[test]
fn sizes_of_any_order_have_the_same_points() {
    let here = Isometry3::identity();
    for k in [1e-250, 1e-150, 1e-20, 1e20, 1e150, 1e250] {
        let [table, block] =
            [[1.0, 1.0, 0.1], [0.2, 0.1, 0.05]].map(|half| cuboid(half.map(|h| h * k)));
        let at = Isometry3::translation(0.9 * k, 0.2 * k, 0.149 * k);
        let found = manifold([&table, &block], [&here, &at], 0.01 * k);
        assert_eq!(found.points().len(), 4, "{k:e} {found:?}");
        for p in found.points() {
            let [x, y, z] = [p.point_a.x / k, p.point_a.y / k, p.point_a.z / k];
            let right = [0.7, 1.0].iter().any(|right| (x - right).abs() < 1e-12);
            assert!(
                right && ((y - 0.2).abs() - 0.1).abs() < 1e-12 && (z - 0.1).abs() < 1e-12,
                "{p:?}"
            );
            assert!((p.distance / k + 0.001).abs() < 1e-12, "{p:?}");
        }
    }
}

/// Ends of needles that cross at a small angle are beside each other by a share of their radius: only lines whose surfaces are
/// there have two points.
#[test]
fn needles_that_all_but_line_up_have_points_on_both_surfaces() {
    let radius = 1e-5;
    let needle = ConvexShape::capsule(radius, 2.0).unwrap();
    let shape = Shape::from(needle);
    for angle in [0.0, 1e-9, 1e-7, 1.5e-5, 1e-3] {
        let here = Isometry3::identity();
        let there = Isometry3::new(Vector3::x() * (2.0 * radius - 1e-7), Vector3::x() * angle);
        let found = manifold([&shape, &shape], [&here, &there], 1e-4);
        assert_eq!(
            found.points().len() == 2,
            angle < 1e-6,
            "{angle:e} {found:?}"
        );
        for p in found.points() {
            let off = |pose: &Isometry3<f64>, x: &Point3<f64>| {
                let x = (pose.inverse() * x).coords;
                (x - Vector3::z() * x.z.clamp(-1.0, 1.0)).norm() - radius
            };
            let off = [off(&here, &p.point_a), off(&there, &p.point_b)];
            assert!(
                off.iter().all(|off| off.abs() < 1e-8),
                "{angle:e} {off:?} {found:?}"
            );
        }
    }
}

/// The rim of a wide cylinder that leans a little: its lowest point is between two of the eight, which are not in contact.
#[test]
fn the_deepest_point_of_a_leaning_cylinder_is_there() {
    let disc = Shape::from(ConvexShape::cylinder(100.0, 1.0).unwrap());
    let floor = Shape::from(superovoid::HalfSpace::new(Vector3::z(), 0.0).unwrap());
    let lean = 1e-5;
    let axis = Vector3::new(
        f64::to_radians(22.5).sin(),
        -f64::to_radians(22.5).cos(),
        0.0,
    );
    let lowest = 0.5 * f64::cos(lean) + 100.0 * f64::sin(lean);
    let pose = Isometry3::new(Vector3::z() * (lowest - 5e-5), axis * lean);
    for swapped in [false, true] {
        let (bodies, poses) = ([&disc, &floor], [&pose, &Isometry3::identity()]);
        let found = if swapped {
            manifold([bodies[1], bodies[0]], [poses[1], poses[0]], 1e-3)
        } else {
            manifold(bodies, poses, 1e-3)
        };
        let deepest = found.points()[0].distance;
        assert!((deepest + 5e-5).abs() < 1e-9, "{deepest:e} {found:?}");
    }
}

#[test]
fn numbers_stay_while_a_body_slides_and_turns() {
    let [table, block] = [cuboid([1.0, 1.0, 0.1]), cuboid([0.2, 0.1, 0.05])];
    let can = Shape::from(ConvexShape::cylinder(0.2, 0.1).unwrap());
    for body in [&block, &can] {
        let mut last = None;
        let mut changes = 0;
        for k in 0..200 {
            let k = f64::from(k);
            let pose = Isometry3::new(
                Vector3::new(0.004 * k, 0.001 * k, 0.1499 + 1e-5 * (0.3 * k).sin()),
                Vector3::z() * (0.01 * k),
            );
            let here = Isometry3::identity();
            let now = ids(&manifold([&table, body], [&here, &pose], 0.01));
            changes += usize::from(last.as_ref().is_some_and(|last| *last != now));
            last = Some(now);
        }
        // Corners leave the table one by one.
        assert!(changes <= 12, "{changes}");
    }
}

#[test]
fn every_two_kinds_have_a_manifold_for_each_contact() {
    let mut rng = ChaCha8Rng::seed_from_u64(534);
    let options = QueryOptions::default();
    for (name_a, a) in &shapes() {
        for (name_b, b) in &shapes() {
            let poses = [0; 2].map(|_| {
                let at = Vector3::from_fn(|_, _| rng.random_range(-0.3..0.3));
                Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)))
            });
            let mut contacts = Vec::new();
            let visit = |found| {
                contacts.push(found);
                true
            };
            let done = a.contacts(&poses[0], b, &poses[1], 0.1, &options, visit);
            let found = manifolds([a, b], [&poses[0], &poses[1]], 0.1);
            if done.is_err() {
                assert!(found.is_err());
                continue;
            }
            let found = found.unwrap();
            let same = found.iter().map(|m| m.found).eq(contacts);
            assert!(same, "{name_a} {name_b}");
            for manifold in &found {
                let least = manifold.points()[0].distance;
                let contact = &manifold.found.contact;
                assert!(
                    least == contact.distance || (least - contact.distance).abs() < 1e-6,
                    "{name_a} {name_b} {manifold:?}"
                );
            }
        }
    }
}
