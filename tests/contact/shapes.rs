//! Shapes of any kind against each other.

use nalgebra::{Isometry3, Point3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::convex::ConvexShape;
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions};
use superovoid::polytope::{Cuboid, Polytope, Segment, Triangle};
use superovoid::superquadric::{Sheets, Superquadric};
use superovoid::{
    Aabb, HalfSpace, Plane, QueryError, QueryOptions, Ray, Shape, Superovoid, half_space_contact,
};

/// Returns a shape of every kind, none of which reaches farther than 0.6 m, but for the half-space and the plane.
pub fn shapes() -> Vec<(&'static str, Shape)> {
    let egg = Superovoid::new([0.2, 0.3, 0.4], [0.7, 1.2], [0.3, -0.2]).unwrap();
    let corner = |x, y, z| Point3::new(x, y, z);
    let triangle = [
        corner(0.3, 0.0, 0.1),
        corner(-0.2, 0.3, 0.0),
        corner(0.0, -0.3, -0.1),
    ];
    let triangle_and = |tip| [&triangle[..], &[tip]].concat();
    let mesh = Superovoid::sphere(0.4).unwrap().tessellate(8);
    let cell = |x: f64| Aabb {
        min: corner(x, -0.1, -0.1),
        max: corner(x + 0.2, 0.1, 0.1),
    };
    let cup = Superquadric::two_sheets([0.2; 3], [1.0, 0.8], 2.0, Sheets::Upper).unwrap();
    vec![
        ("superovoid", egg.into()),
        ("ball", ConvexShape::ball(0.3).unwrap().into()),
        ("cylinder", ConvexShape::cylinder(0.2, 0.5).unwrap().into()),
        ("capsule", ConvexShape::capsule(0.1, 0.5).unwrap().into()),
        ("cone", ConvexShape::cone(0.3, 0.4).unwrap().into()),
        (
            "hull",
            ConvexShape::hull(&triangle_and(corner(0.1, 0.1, 0.4)))
                .unwrap()
                .into(),
        ),
        (
            "segment",
            Segment::new(corner(-0.2, 0.1, 0.0), corner(0.3, 0.0, 0.2))
                .unwrap()
                .into(),
        ),
        (
            "point",
            Shape::Polytope(Arc::new(Vertices(vec![corner(0.1, 0.0, 0.0)]))),
        ),
        ("cuboid", Cuboid::new([0.1, 0.2, 0.3]).unwrap().into()),
        ("triangle", Triangle::new(triangle).unwrap().into()),
        (
            "half-space",
            HalfSpace::new(Vector3::new(0.1, 0.2, 1.0), 0.05)
                .unwrap()
                .into(),
        ),
        (
            "plane",
            Plane::new(Vector3::new(-0.3, 0.2, 1.0), -0.05)
                .unwrap()
                .into(),
        ),
        (
            "mesh",
            TriMesh::new(mesh.vertices, mesh.triangles).unwrap().into(),
        ),
        (
            "boxes",
            BoxSet::new(vec![cell(-0.3), cell(0.2)]).unwrap().into(),
        ),
        (
            "height field",
            HeightField::new(
                vec![0.1, 0.0, 0.2, 0.0, 0.3, 0.1, 0.1, 0.0, -0.1],
                3,
                [-0.3, 0.3],
                [0.25, -0.25],
                -0.2,
            )
            .unwrap()
            .into(),
        ),
        ("cup", cup.into()),
        (
            "ring",
            Superquadric::toroid([0.1; 3], [1.0, 1.0], 3.0)
                .unwrap()
                .into(),
        ),
    ]
}

#[test]
fn every_two_kinds_answer_alike_in_either_order() {
    let shapes = shapes();
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let mut answered = 0;
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            for _ in 0..6 {
                let [pose_a, pose_b] = [0, 1].map(|body| {
                    let at = Vector3::from_fn(|_, _| rng.random_range(-0.2..0.2));
                    let turn = Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0));
                    Isometry3::new(at + f64::from(body) * Vector3::new(0.4, 0.3, 0.5), turn)
                });
                let options = QueryOptions::default();
                let found = a.contact(&pose_a, b, &pose_b, &options);
                let swapped = b.contact(&pose_b, a, &pose_a, &options);
                let (found, swapped) = match (found, swapped) {
                    (Ok(found), Ok(swapped)) => (found.unwrap(), swapped.unwrap()),
                    other => panic!("{name_a} {name_b}: {other:?}"),
                };
                answered += 1;
                let (one, other) = (found.contact, swapped.contact);
                assert!(
                    one.lower <= one.distance && one.distance <= one.upper,
                    "{name_a} {name_b} {one:?}"
                );
                if one.distance.is_finite() {
                    let gap = one.point_b - one.point_a - one.normal.into_inner() * one.distance;
                    assert!(gap.norm() < 1e-9, "{name_a} {name_b} {one:?}");
                } else {
                    assert_eq!(one.point_a, one.point_b);
                }
                // Both brackets hold the true distance. Depths of trees and rings are not the least.
                assert!(
                    one.lower <= other.upper + 1e-9 && other.lower <= one.upper + 1e-9,
                    "{name_a} {name_b}: {one:?} {other:?}"
                );
                if one.lower > 0.0 {
                    assert!(
                        (one.distance - other.distance).abs() < 1e-8,
                        "{name_a} {name_b}"
                    );
                    // Of two trees an edge that is nearest belongs to two parts.
                    if !(a.as_ref().has_parts() && b.as_ref().has_parts()) {
                        assert_eq!(found.parts, swapped.swapped().parts, "{name_a} {name_b}");
                    }
                }
            }
        }
    }
    assert_eq!(answered, 6 * shapes.len().pow(2));
}

#[test]
fn a_half_space_turns_and_moves_with_its_pose() {
    // The body of half-space moved by (1, 2, 3) and turned a quarter about x: what was z ≤ 0 is y ≥ 2.
    let half_space = Shape::from(HalfSpace::new(Vector3::z(), 0.0).unwrap());
    let turn = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::FRAC_PI_2);
    let pose = Isometry3::from_parts(nalgebra::Translation3::new(1.0, 2.0, 3.0), turn);
    for (name, shape) in shapes() {
        if matches!(shape, Shape::HalfSpace(_) | Shape::Plane(_)) {
            continue;
        }
        let at = Isometry3::translation(7.0, 0.5, -4.0);
        let found = shape.contact(&at, &half_space, &pose, &QueryOptions::default());
        let contact = found.unwrap().unwrap().contact;
        let farthest = match shape.as_ref().support_point(&Vector3::y()) {
            Some(point) => point.y,
            None => 0.4, // the ring's radius of three tubes, and a tube
        };
        assert!(
            (contact.distance - (1.5 - farthest)).abs() < 1e-9,
            "{name} {contact:?}"
        );
        assert!(
            (contact.normal.into_inner() - Vector3::y()).norm() < 1e-12,
            "{name}"
        );
    }
}

/// The distance is the least of all triangles or boxes, and its part is the first or another one that attains it.
#[test]
fn a_half_space_meets_the_lowest_part_and_no_vertex_that_has_none() {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    for _ in 0..200 {
        let mut coordinate = || rng.random_range(-1.0..1.0);
        let mut vertices: Vec<Point3<f64>> = (0..12)
            .map(|_| Point3::new(coordinate(), coordinate(), coordinate()))
            .collect();
        let boxes: Vec<Aabb> = vertices
            .chunks(2)
            .map(|ends| Aabb {
                min: ends[0].inf(&ends[1]),
                max: ends[0].sup(&ends[1]),
            })
            .collect();
        let normal = Vector3::new(coordinate(), coordinate(), coordinate());
        let half_space = HalfSpace::new(normal, coordinate()).unwrap();
        // No triangle has this vertex, which is lower than all others.
        vertices.push(Point3::from(half_space.normal().into_inner() * -9.0));
        let triangles: Vec<[u32; 3]> = (0..10).map(|k| [k, k + 1, k + 2]).collect();
        let height = |p: &Point3<f64>| half_space.normal().dot(&p.coords) - half_space.offset();
        let of_triangle = |t: &[u32; 3]| {
            t.iter()
                .map(|&v| height(&vertices[v as usize]))
                .fold(9.0, f64::min)
        };
        let of_box = |b: &Aabb| {
            let corner = |k: usize| {
                let end = |i: usize| if k >> i & 1 == 0 { b.min[i] } else { b.max[i] };
                Point3::new(end(0), end(1), end(2))
            };
            (0..8).map(|k| height(&corner(k))).fold(9.0, f64::min)
        };
        let heights: [Vec<f64>; 2] = [
            triangles.iter().map(of_triangle).collect(),
            boxes.iter().map(of_box).collect(),
        ];
        let mesh = TriMesh::new(vertices.clone(), triangles).unwrap();
        let many = [Shape::from(mesh), Shape::from(BoxSet::new(boxes).unwrap())];
        let (here, half_space) = (Isometry3::identity(), Shape::from(half_space));
        for (shape, heights) in many.iter().zip(heights) {
            let found = shape.contact(&here, &half_space, &here, &QueryOptions::default());
            let found = found.unwrap().unwrap();
            let least = heights.iter().copied().fold(9.0, f64::min);
            assert!((found.contact.distance - least).abs() < 1e-14);
            let [part, other] = found.parts;
            assert!((heights[part as usize] - least).abs() < 1e-14 && other == 0);
            let swapped = half_space.contact(&here, shape, &here, &QueryOptions::default());
            assert_eq!(swapped.unwrap().unwrap(), found.swapped());
        }
    }
}

#[test]
fn the_error_of_a_pose_names_its_body_in_either_order() {
    let here = Isometry3::identity();
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    for (name_a, a) in shapes() {
        for (name_b, b) in shapes() {
            let of = |[a_at, b_at]: [&Isometry3<f64>; 2]| {
                a.contact(a_at, &b, b_at, &QueryOptions::default())
            };
            let refused = |body| Err(QueryError::NonFinitePose { body });
            assert_eq!(of([&nowhere, &here]), refused('A'), "{name_a} {name_b}");
            assert_eq!(of([&here, &nowhere]), refused('B'), "{name_a} {name_b}");
        }
    }
}

#[test]
fn a_half_space_in_the_frame_of_the_world_is_not_rounded_once_more() {
    let egg = Superovoid::new([0.2, 0.3, 0.4], [0.7, 1.2], [0.3, -0.2]).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    for _ in 0..200 {
        let normal = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
        let half_space = HalfSpace::new(normal, rng.random_range(-1.0..1.0)).unwrap();
        let at = Isometry3::new(normal, Vector3::new(0.1, 0.2, 0.3));
        let alone = half_space_contact(&egg, &at, &half_space).unwrap();
        let (egg, half_space) = (Shape::from(egg), Shape::from(half_space));
        let here = Isometry3::identity();
        let found = egg.contact(&at, &half_space, &here, &QueryOptions::default());
        assert_eq!(found.unwrap().unwrap().contact, alone);
    }
}

/// A polytope that a program defines, with any vertices.
struct Vertices(Vec<Point3<f64>>);

impl Polytope for Vertices {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

#[test]
fn a_polytope_without_finite_vertices_is_refused_beside_every_kind() {
    let here = Isometry3::identity();
    let bad = [
        (vec![], QueryError::NoVertices),
        (
            vec![Point3::origin(), Point3::new(0.0, f64::NAN, 0.0)],
            QueryError::NonFiniteVertex { index: 1 },
        ),
    ];
    for (vertices, expected) in bad {
        let polytope = Shape::Polytope(Arc::new(Vertices(vertices)));
        for (name, shape) in shapes() {
            for (a, b) in [(&shape, &polytope), (&polytope, &shape)] {
                let found = a.contact(&here, b, &here, &QueryOptions::default());
                assert_eq!(found, Err(expected), "{name}");
            }
        }
    }
}

/// Half the edges of a box may exceed the number range, and its middle then be no number.
fn coordinates_at_the_end_of_the_number_range(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(54);
    let ends = [f64::MAX, 1.7e308, 9e307, 1e300, 1e155, 1.0, 1e-300, 0.0];
    let options = QueryOptions::default();
    for _ in 0..count {
        let mut number = || {
            let end = ends[rng.random_range(0..ends.len())];
            if rng.random_range(0..2) == 0 {
                end
            } else {
                -end
            }
        };
        let mut mesh = || {
            let corners = (0..4).map(|_| Point3::new(number(), number(), number()));
            let triangles = vec![[0, 1, 2], [0, 2, 3], [1, 3, 2], [0, 3, 1]];
            let made = TriMesh::new(corners.collect(), triangles);
            Some(Shape::from(made.ok()?))
        };
        let (Some(a), Some(b)) = (mesh(), mesh()) else {
            continue;
        };
        let here = Isometry3::identity();
        let there = Isometry3::new(Vector3::new(number(), number(), number()), Vector3::x());
        for (first, second) in [(&a, &b), (&b, &a)] {
            for pose in [&here, &there] {
                if let Ok(Some(found)) = first.contact(&here, second, pose, &options) {
                    let contact = found.contact;
                    assert!(contact.lower <= contact.upper, "{contact:?}");
                }
            }
        }
    }
}

/// A ball about a point at `offset` from the middle of a cube is as deep in it as its radius, half the edge and the way to
/// the nearest face's plane: the other faces' depths are greater by 1e-5 to 1e-2 of the cube.
#[test]
fn a_cube_near_the_middle_of_a_much_larger_ball_has_its_least_depth() {
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    for case in 0..60 {
        let half = 2.5;
        let radius = half * 10_f64.powf(rng.random_range(0.3..3.0));
        let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, -1.1, 0.4));
        let normal = Vector3::ith(case % 3, if case % 2 == 0 { 1.0 } else { -1.0 });
        let offset = half * 10_f64.powf(rng.random_range(-4.5..-2.0));
        let corners = |rotation: UnitQuaternion<f64>| -> Vec<Point3<f64>> {
            (0..8)
                .map(|k| {
                    let sign = |bit: u32| if k >> bit & 1 == 0 { -half } else { half };
                    rotation * Point3::new(sign(0), sign(1), sign(2))
                })
                .collect()
        };
        let straight = UnitQuaternion::identity();
        let cubes: Vec<(&str, UnitQuaternion<f64>, Shape)> = vec![
            ("cuboid", straight, Cuboid::new([half; 3]).unwrap().into()),
            (
                "convex cuboid",
                straight,
                ConvexShape::cuboid([half; 3]).unwrap().into(),
            ),
            (
                "hull",
                turned,
                ConvexShape::hull(&corners(turned)).unwrap().into(),
            ),
            (
                "superovoid",
                straight,
                Superovoid::superellipsoid([half; 3], [0.02; 2])
                    .unwrap()
                    .into(),
            ),
        ];
        let balls: [(&str, Shape); 2] = [
            ("superovoid", Superovoid::sphere(radius).unwrap().into()),
            ("ball", ConvexShape::ball(radius).unwrap().into()),
        ];
        for (cube_name, rotation, cube) in &cubes {
            for (ball_name, ball) in &balls {
                let at = Isometry3::from_parts((rotation * normal * offset).into(), straight);
                let found =
                    ball.contact(&at, cube, &Isometry3::identity(), &QueryOptions::default());
                let found = found.unwrap().unwrap().contact;
                let right = -(radius + half - offset);
                assert!(
                    (found.distance - right).abs() <= 1e-9 * radius,
                    "{ball_name} {radius} in {cube_name}, {offset:e} along {normal:?}: {} {right}",
                    found.distance
                );
                assert!(
                    (found.normal.into_inner() + rotation * normal).norm() < 1e-6,
                    "{ball_name} in {cube_name}: {:?}",
                    found.normal
                );
            }
        }
    }
}

draws!(coordinates_at_the_end_of_the_number_range: coordinates_at_the_end_of_the_number_range_end_in_an_answer_or_an_error 800, coordinates_at_the_end_of_the_number_range_end_in_an_answer_or_an_error_long 3000);

/// Found by random calls of the C interface: a simplex without corners was read, and a bound of −∞ was handed out.
#[test]
fn numbers_at_the_ends_of_their_range_are_answered_or_refused() {
    let quaternion = |[x, y, z, w]: [f64; 4]| {
        UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, x, y, z))
    };
    let endless = Superovoid::new(
        [0.15843974506863673, 0.23258915709488745, f64::MAX],
        [0.9481750882626587, 1.0],
        [0.4154996333985215, 0.12227388162446529],
    );
    let cuboid = [0.08540523682038523, 0.17262146564316322, 0.7433823903649567];
    let [a, b] = [
        Isometry3::from_parts(
            Vector3::new(0.809230516740814, -0.13777778163425936, -0.8738541206827528).into(),
            quaternion([
                0.11247154432505478,
                -0.538445174894664,
                -0.582075758639564,
                0.5988445178457993,
            ]),
        ),
        Isometry3::from_parts(
            Vector3::new(-1.0489681856244437, -1.3538248537774988, -0.46312994748659).into(),
            quaternion([
                -0.6846115697010666,
                -0.04624989129839843,
                0.3818946070569859,
                -0.6191320176413253,
            ]),
        ),
    ];
    let cuboid = Shape::from(ConvexShape::cuboid(cuboid).unwrap());
    let endless = Shape::from(endless.unwrap());
    for options in [
        QueryOptions::default(),
        QueryOptions::default().with_max_distance(0.282134),
    ] {
        for found in [
            cuboid.contact(&a, &endless, &b, &options),
            endless.contact(&b, &cuboid, &a, &options),
        ] {
            match found {
                Ok(found) => assert!(found.is_none_or(|it| it.contact.lower <= it.contact.upper)),
                Err(error) => assert!(matches!(error, QueryError::Overflow), "{error}"),
            }
        }
    }

    let egg = Shape::from(Superovoid::ellipsoid([0.2, 0.3, 0.4]).unwrap());
    let mesh = Superovoid::sphere(0.4).unwrap().tessellate(8);
    let mesh = Shape::from(TriMesh::new(mesh.vertices, mesh.triangles).unwrap());
    let far = Isometry3::translation(0.0, 1e160, 0.0);
    let here = Isometry3::identity();
    for found in [
        egg.contact(&far, &mesh, &here, &QueryOptions::default()),
        mesh.contact(&here, &egg, &far, &QueryOptions::default()),
    ] {
        assert!(matches!(found, Err(QueryError::Overflow)), "{found:?}");
    }
}

/// A triangle, as a shape, has the box of its corners, is hit by rays though it is a point, and is met as exactly as the smaller of two
/// bodies asks for.
#[test]
fn a_triangle_is_a_shape_with_the_box_of_its_corners() {
    let at = |x, y| Point3::new(x, y, 1.0);
    let shape = |corners| Shape::from(Triangle::new(corners).unwrap());
    let here = Isometry3::identity();
    let around = shape([at(0.0, 0.0), at(3.0, 0.0), at(0.0, 3.0)]);
    let around = around.as_ref().local_aabb().unwrap().unwrap();
    assert_eq!((around.min, around.max), (at(0.0, 0.0), at(3.0, 3.0)));
    let ray = Ray {
        origin: Point3::new(1.0, 1.0, 10.0),
        direction: -Vector3::z(),
    };
    let point = shape([at(1.0, 1.0); 3]);
    let hit = point.ray_cast(&here, &ray, f64::INFINITY, true).unwrap();
    assert!(hit.is_none_or(|hit| (hit.time_of_impact - 9.0).abs() < 1e-9));
    let far = shape([at(-1e3, -1e3), at(1e3, -1e3), at(0.0, 1e3)]);
    let ball = Shape::from(Superovoid::sphere(0.01).unwrap());
    let fall = [2.0, 0.0].map(|z| Isometry3::translation(0.1, 0.2, z));
    let fall = Motion::line_spin(fall[0], fall[1]).unwrap();
    let still = Motion::still(here).unwrap();
    let found = ball.time_of_impact(&fall, &far, &still, &TimeOfImpactOptions::default());
    let TimeOfImpact::Hit { safe, touching, .. } = found.unwrap().found else {
        panic!("it falls on the triangle");
    };
    assert!(
        0.495 - safe < 1e-9 && touching - safe < 1e-9,
        "{safe} {touching}"
    );
}
