//! Planes, contacts of parts and times of impact of any two kinds, against what their parts and instants say one by one.

use crate::shapes::shapes;
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions};
use superovoid::polytope::Triangle;
use superovoid::{Aabb, HalfSpace, Plane, QueryError, QueryOptions, Shape, Superovoid};

fn random_pose(rng: &mut ChaCha8Rng, reach: f64) -> Isometry3<f64> {
    let at = Vector3::from_fn(|_, _| rng.random_range(-reach..reach));
    Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)))
}

/// A shape and its parts, each with its place in the frame of the shape; of one piece it is its own.
fn parts_of(shape: &Shape) -> Vec<(Shape, Isometry3<f64>)> {
    let here = Isometry3::identity();
    match shape {
        Shape::Mesh(mesh) => {
            let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
            let triangle = |t| (Triangle::new(corners(t)).unwrap().into(), here);
            mesh.triangles().iter().map(triangle).collect()
        }
        Shape::Boxes(set) => {
            let cuboid = |b: &Aabb| {
                let half = 0.5 * (b.max - b.min);
                let shape = superovoid::convex::ConvexShape::cuboid(half.into()).unwrap();
                (
                    shape.into(),
                    Isometry3::from(nalgebra::center(&b.min, &b.max)),
                )
            };
            set.boxes().iter().map(cuboid).collect()
        }
        Shape::HeightField(field) => {
            let mut prisms = Vec::new();
            for row in 1..field.rows() {
                for column in 1..field.columns() {
                    for corner in [field.point(row - 1, column - 1), field.point(row, column)] {
                        let top = [
                            corner,
                            field.point(row, column - 1),
                            field.point(row - 1, column),
                        ];
                        let below = top.map(|p| Point3::new(p.x, p.y, field.bottom()));
                        let hull =
                            superovoid::convex::ConvexShape::hull(&[top, below].concat()).unwrap();
                        prisms.push((hull.into(), here));
                    }
                }
            }
            prisms
        }
        shape => vec![(shape.clone(), here)],
    }
}

fn soup(rng: &mut ChaCha8Rng, triangles: u32) -> TriMesh {
    let mut corner =
        |around: Point3<f64>| around + Vector3::from_fn(|_, _| rng.random_range(-0.1..0.1));
    let vertices = (0..triangles).flat_map(|k| {
        let around =
            Point3::from(0.25 * Vector3::new((k % 3) as f64, (k / 3 % 3) as f64, (k / 9) as f64));
        [corner(around), corner(around), corner(around)]
    });
    let vertices = vertices.collect();
    TriMesh::new(
        vertices,
        (0..triangles)
            .map(|k| [3 * k, 3 * k + 1, 3 * k + 2])
            .collect(),
    )
    .unwrap()
}

#[test]
fn contacts_of_any_two_kinds_are_those_of_their_parts() {
    let mut rng = ChaCha8Rng::seed_from_u64(531);
    let mut kinds = shapes();
    kinds.push(("soup", soup(&mut rng, 20).into()));
    kinds.push(("one triangle", soup(&mut rng, 1).into()));
    let options = QueryOptions::default();
    let mut found_some = 0;
    for (name_a, a) in &kinds {
        for (name_b, b) in &kinds {
            for margin in [-0.02, 0.0, 0.15] {
                let poses = [random_pose(&mut rng, 0.3), random_pose(&mut rng, 0.3)];
                let mut found = Vec::new();
                let visit = |part: superovoid::PartsContact| {
                    found.push((part.parts, part.contact.distance));
                    true
                };
                match a.contacts(&poses[0], b, &poses[1], margin, &options, visit) {
                    Err(QueryError::Unsupported { .. }) => continue,
                    done => done.unwrap(),
                }
                let (parts_a, parts_b) = (parts_of(a), parts_of(b));
                let near = |distance: f64| (distance - margin).abs() < 1e-6;
                let mut expected = Vec::new();
                for (i, (x, at_x)) in parts_a.iter().enumerate() {
                    for (j, (y, at_y)) in parts_b.iter().enumerate() {
                        let part = x.contact(&(poses[0] * at_x), y, &(poses[1] * at_y), &options);
                        let distance = part.unwrap().unwrap().contact.distance;
                        if distance <= margin || near(distance) {
                            expected.push(([i as u32, j as u32], distance));
                        }
                    }
                }
                found.sort_by_key(|part| part.0);
                for (parts, distance) in &expected {
                    let same = found.binary_search_by_key(parts, |part| part.0);
                    let place = format!("{name_a} {name_b} {margin} {parts:?} {distance}");
                    match same {
                        Ok(k) => {
                            let same =
                                found[k].1 == *distance || (found[k].1 - distance).abs() < 1e-6;
                            assert!(same, "{place} {:?}", found[k]);
                        }
                        Err(_) => assert!(near(*distance), "{place}"),
                    }
                }
                for (parts, distance) in &found {
                    let known = expected.iter().any(|part| part.0 == *parts);
                    assert!(known, "{name_a} {name_b} {margin} {parts:?} {distance}");
                }
                found_some += usize::from(!found.is_empty());
            }
        }
    }
    assert!(found_some > 400, "{found_some}");
}

#[test]
fn a_search_for_contacts_ends_where_it_is_told_to() {
    let mesh =
        Shape::from(TriMesh::try_from(Superovoid::sphere(0.4).unwrap().tessellate(8)).unwrap());
    let here = Isometry3::identity();
    let plane = Shape::from(Plane::new(Vector3::z(), 0.1).unwrap());
    for other in [&mesh, &plane] {
        let mut count = 0;
        let visit = |_| {
            count += 1;
            count < 3
        };
        mesh.contacts(&here, other, &here, 0.0, &QueryOptions::default(), visit)
            .unwrap();
        assert_eq!(count, 3);
        let nan = mesh.contacts(
            &here,
            other,
            &here,
            f64::NAN,
            &QueryOptions::default(),
            |_| true,
        );
        assert!(matches!(nan, Err(QueryError::Input { name: "margin", .. })));
    }
}

/// Where no part of a mesh or set of boxes is on both sides of a plane, its distance is the least of all parts; otherwise it is
/// minus the smaller of the two translations that clear it.
#[test]
fn a_plane_between_parts_is_apart_from_them() {
    let mut rng = ChaCha8Rng::seed_from_u64(532);
    let (mut between, mut across) = (0, 0);
    for _ in 0..400 {
        let boxes = (0..4).map(|_| {
            let middle =
                Point3::new(0.0, 0.0, 0.0) + Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
            let half = Vector3::from_fn(|_, _| rng.random_range(0.01..0.1));
            Aabb {
                min: middle - half,
                max: middle + half,
            }
        });
        let set = Shape::from(BoxSet::new(boxes.collect()).unwrap());
        let mesh = Shape::from(soup(&mut rng, 5));
        for shape in [set, mesh] {
            let (pose, plane_pose) = (random_pose(&mut rng, 1.0), random_pose(&mut rng, 1.0));
            let normal = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
            let plane = Plane::new(normal, rng.random_range(-0.3..0.3)).unwrap();
            let in_world = plane.at(&plane_pose).unwrap();
            let mut parts = Vec::new();
            for (part, at) in parts_of(&shape) {
                let ends = [1.0, -1.0].map(|sign| {
                    let n = (pose * at).rotation.inverse() * in_world.normal().into_inner() * sign;
                    let point = part.as_ref().support_point(&n).unwrap();
                    in_world
                        .normal()
                        .dot(&((pose * at) * Point3::from(point)).coords)
                        - in_world.offset()
                });
                parts.push(ends);
            }
            let least = parts
                .iter()
                .map(|[high, low]| low.max(-high))
                .fold(f64::INFINITY, f64::min);
            let low = parts
                .iter()
                .map(|ends| ends[1])
                .fold(f64::INFINITY, f64::min);
            let high = parts
                .iter()
                .map(|ends| ends[0])
                .fold(f64::NEG_INFINITY, f64::max);
            let right = if least > 0.0 { least } else { low.max(-high) };
            let found = shape.contact(&pose, &plane.into(), &plane_pose, &QueryOptions::default());
            let found = found.unwrap().unwrap();
            let contact = found.contact;
            assert!(
                (contact.distance - right).abs() < 1e-12,
                "{contact:?} {right}"
            );
            assert!(contact.lower <= right && right <= contact.upper);
            let [high, low] = parts[found.parts[0] as usize];
            let of_part = if least > 0.0 {
                low.max(-high)
            } else {
                low.min(-high)
            };
            assert!(least <= 0.0 || (of_part - right).abs() < 1e-12);
            let on_both_sides =
                parts.iter().any(|ends| ends[1] > 0.0) && parts.iter().any(|ends| ends[0] < 0.0);
            between += usize::from(least > 0.0 && on_both_sides);
            across += usize::from(least <= 0.0);
        }
    }
    assert!(between > 100 && across > 100, "{between} {across}");
}

#[test]
fn half_spaces_and_planes_are_apart_only_where_they_are_parallel() {
    let up = |offset| Shape::from(HalfSpace::new(Vector3::z(), offset).unwrap());
    let down = |offset| Shape::from(HalfSpace::new(-Vector3::z(), offset).unwrap());
    let sheet = |offset| Shape::from(Plane::new(Vector3::z(), offset).unwrap());
    let turned = |offset| Shape::from(Plane::new(-Vector3::z(), offset).unwrap());
    let slanted = Shape::from(Plane::new(Vector3::new(0.0, 0.6, 0.8), 1.0).unwrap());
    let none = f64::NEG_INFINITY;
    // Of up(h): z <= h; of down(h): z >= -h.
    let cases = [
        (up(1.0), down(-3.0), 2.0),
        (up(1.0), down(3.0), -4.0),
        (up(1.0), up(5.0), none),
        (up(1.0), sheet(1.5), 0.5),
        (up(1.0), sheet(-1.0), -2.0),
        (up(1.0), turned(-1.5), 0.5),
        (down(1.0), sheet(-1.25), 0.25),
        (down(1.0), sheet(2.0), -3.0),
        (sheet(1.0), sheet(3.0), 2.0),
        (sheet(1.0), turned(3.0), 4.0),
        (sheet(1.0), sheet(1.0), 0.0),
        (up(1.0), slanted.clone(), none),
        (sheet(1.0), slanted, none),
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(533);
    for (a, b, right) in &cases {
        for k in 0..20 {
            let pose = if k == 0 {
                Isometry3::identity()
            } else {
                random_pose(&mut rng, 2.0)
            };
            let options = QueryOptions::default();
            let found = a
                .contact(&pose, b, &pose, &options)
                .unwrap()
                .unwrap()
                .contact;
            let swapped = b
                .contact(&pose, a, &pose, &options)
                .unwrap()
                .unwrap()
                .contact;
            assert!(
                found.distance == *right || (found.distance - right).abs() < 1e-13,
                "{found:?} {right}"
            );
            assert_eq!(found.distance, swapped.distance);
            assert!(found.lower <= found.distance && found.distance <= found.upper);
            if right.is_finite() {
                let gap =
                    found.point_b - found.point_a - found.normal.into_inner() * found.distance;
                assert!(gap.norm() < 1e-12, "{found:?}");
            } else {
                // The common point is in both.
                let at = Isometry3::from(found.point_a);
                let probe = Shape::from(Superovoid::sphere(1e-9).unwrap());
                for shape in [a, b] {
                    let inside = probe.contact(&at, shape, &pose, &options).unwrap().unwrap();
                    assert!(inside.contact.distance < 1e-9, "{found:?} {inside:?}");
                }
            }
        }
    }
}

#[test]
fn times_of_impact_of_any_two_kinds_hold_at_every_instant() {
    let mut rng = ChaCha8Rng::seed_from_u64(534);
    let kinds = shapes();
    let options = TimeOfImpactOptions::default();
    let (mut hits, mut free, mut undecided) = (0, 0, 0);
    for (name_a, a) in &kinds {
        for (name_b, b) in &kinds {
            let flat = |shape: &Shape| matches!(shape, Shape::HalfSpace(_) | Shape::Plane(_));
            let motion = |rng: &mut ChaCha8Rng, shape: &Shape, from: Vector3<f64>| {
                let mut start = random_pose(rng, 0.1);
                start.translation.vector += from;
                if flat(shape) {
                    return Motion::still(start).unwrap();
                }
                let velocity = -2.5 * from + Vector3::from_fn(|_, _| rng.random_range(-0.7..0.7));
                let spin = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
                Motion::screw(start, velocity, spin).unwrap()
            };
            for _ in 0..2 {
                let motion_a = motion(&mut rng, a, Vector3::new(0.0, 0.0, 0.8));
                let motion_b = motion(&mut rng, b, Vector3::zeros());
                let distance = |t: f64| {
                    let options = QueryOptions::default();
                    let found = a.contact(&motion_a.pose(t), b, &motion_b.pose(t), &options);
                    found.map(|found| found.unwrap().contact)
                };
                if let Err(QueryError::Unsupported { .. }) = distance(0.0) {
                    let refused = a.time_of_impact(&motion_a, b, &motion_b, &options);
                    assert!(matches!(refused, Err(QueryError::Unsupported { .. })));
                    continue;
                }
                let found = a.time_of_impact(&motion_a, b, &motion_b, &options).unwrap();
                let place = format!("{name_a} {name_b} {found:?}");
                let swapped = b.time_of_impact(&motion_b, a, &motion_a, &options).unwrap();
                let end = match found.found {
                    TimeOfImpact::Free { .. } => {
                        assert!(
                            matches!(swapped.found, TimeOfImpact::Free { .. }),
                            "{place} {swapped:?}"
                        );
                        free += 1;
                        1.0
                    }
                    TimeOfImpact::Hit {
                        safe,
                        touching,
                        contact,
                    } => {
                        hits += 1;
                        assert!(safe <= touching);
                        assert!(distance(touching).unwrap().distance < 1e-7, "{place}");
                        let there = distance(safe).unwrap();
                        assert!((there.distance - contact.distance).abs() < 1e-7, "{place}");
                        if let TimeOfImpact::Hit { safe: other, .. } = swapped.found {
                            assert!((safe - other).abs() < 1e-5, "{place} {other}");
                        }
                        safe
                    }
                    TimeOfImpact::Overlapping { contact } => {
                        assert!(contact.distance < 1e-9, "{place}");
                        continue;
                    }
                    TimeOfImpact::Undecided { safe, .. } => {
                        undecided += 1;
                        safe
                    }
                };
                for k in 0..12 {
                    let t = end * f64::from(k) / 12.0;
                    assert!(distance(t).unwrap().upper > 0.0, "{place} at {t}");
                }
            }
        }
    }
    println!("{hits} hits, {free} free, {undecided} undecided");
    assert!(
        hits > 200 && free > 20 && undecided < 20,
        "{hits} {free} {undecided}"
    );
}

#[test]
fn a_half_space_or_a_plane_must_rest() {
    let ball = Shape::from(Superovoid::sphere(0.1).unwrap());
    let still = Motion::still(Isometry3::identity()).unwrap();
    let moving = Motion::screw(Isometry3::identity(), Vector3::x(), Vector3::zeros()).unwrap();
    let options = TimeOfImpactOptions::default();
    for flat in [
        Shape::from(HalfSpace::new(Vector3::z(), -1.0).unwrap()),
        Shape::from(Plane::new(Vector3::z(), -1.0).unwrap()),
    ] {
        for found in [
            ball.time_of_impact(&still, &flat, &moving, &options),
            flat.time_of_impact(&moving, &ball, &still, &options),
            flat.time_of_impact(&moving, &flat, &still, &options),
            flat.time_of_impact(&still, &flat, &moving, &options),
        ] {
            assert!(
                matches!(
                    found,
                    Err(QueryError::Input {
                        requirement: "it must rest",
                        ..
                    })
                ),
                "{found:?}"
            );
        }
    }
}

/// Right values by hand: a field of one cell, its diagonal from (−1, 1) to (1, −1), heights 0, 2 at (1, 1).
#[test]
fn a_height_field_is_two_prisms_to_a_cell_and_solid_below() {
    let field = |y: [f64; 2]| {
        let heights = if y[0] < y[1] {
            vec![0.0, 0.0, 0.0, 2.0]
        } else {
            vec![0.0, 2.0, 0.0, 0.0]
        };
        Shape::from(HeightField::new(heights, 2, [-1.0, 1.0], y, -1.0).unwrap())
    };
    let ball = Shape::from(Superovoid::sphere(0.25).unwrap());
    let here = Isometry3::identity();
    let at = |shape: &Shape, x: f64, y: f64, z: f64| {
        let pose = Isometry3::translation(x, y, z);
        let found = ball
            .contact(&pose, shape, &here, &QueryOptions::default())
            .unwrap()
            .unwrap();
        (found.contact.distance, found.parts[1])
    };
    let up = field([-1.0, 1.0]);
    // Above the flat half, far below all, beside it, and inside near the bottom.
    let cases = [
        ([-0.5, -0.5, 1.0], 0.75, 0),
        ([-0.5, -0.5, -1.5], 0.25, 0),
        ([-2.0, -0.5, -0.5], 0.75, 0),
        ([-0.6, -0.6, -0.9], -0.35, 0),
    ];
    for ([x, y, z], right, part) in cases {
        let (distance, found) = at(&up, x, y, z);
        assert!(
            (distance - right).abs() < 1e-9 && found == part,
            "{x} {y} {z}: {distance} {found}"
        );
    }
    // Over the slope, whose plane is z = x + y, from its point (0.4, 0.4, 0.8) along its normal.
    let (distance, part) = at(&up, -0.6, -0.6, 1.8);
    assert!(
        (distance - (3_f64.sqrt() - 0.25)).abs() < 1e-9 && part == 1,
        "{distance} {part}"
    );
    // Rows the other way: the diagonal is the other one, on which the middle is a height of 1.
    let down = field([1.0, -1.0]);
    assert!((at(&down, 0.0, 0.0, 2.0).0 - at(&up, 0.0, 0.0, 2.0).0).abs() > 0.1);
}

#[test]
fn a_height_field_that_is_none_is_refused_by_name() {
    let refused = |heights: Vec<f64>, columns, x, y, bottom| {
        HeightField::new(heights, columns, x, y, bottom)
            .unwrap_err()
            .to_string()
    };
    let (ends, four) = ([0.0, 1.0], vec![0.0, 1.0, 2.0, 3.0]);
    let cases = [
        (
            refused(vec![], 2, ends, ends, 0.0),
            "0 heights in rows of 2",
        ),
        (
            refused(four.clone(), 0, ends, ends, 0.0),
            "4 heights in rows of 0",
        ),
        (
            refused(four.clone(), 3, ends, ends, 0.0),
            "4 heights in rows of 3",
        ),
        (
            refused(four.clone(), 4, ends, ends, 0.0),
            "4 heights in rows of 4",
        ),
        (
            refused(four.clone(), 2, [1.0, 1.0], ends, 0.0),
            "x = from 1 to 1",
        ),
        (
            refused(four.clone(), 2, ends, [0.0, f64::NAN], 0.0),
            "y = from 0 to NaN",
        ),
        (
            refused(four.clone(), 2, ends, ends, 0.5),
            "row 0, column 0 (from 0) is 0",
        ),
        (
            refused(four.clone(), 2, ends, ends, f64::NAN),
            "the bottom, NaN",
        ),
        (
            refused(vec![0.0, 1.0, f64::INFINITY, 3.0], 2, ends, ends, 0.0),
            "row 1, column 0 (from 0) is inf",
        ),
        (
            refused(four, 2, ends, ends, f64::NEG_INFINITY),
            "bottom, -inf",
        ),
    ];
    for (text, expected) in cases {
        assert!(text.contains(expected), "{text} / {expected}");
    }
}

/// A half-space or plane whose pose is far along itself: its offset is the difference of two large numbers. Of the normal
/// (1, −1, 0) the translation (far + 0.13, far, 0) is 0.13/√2 along it, exactly as `0.13` is rounded at `far`.
#[test]
fn the_bracket_of_a_flat_that_is_far_along_itself_holds_the_distance() {
    let mut rng = ChaCha8Rng::seed_from_u64(536);
    let normal = Vector3::new(1.0, -1.0, 0.0);
    for case in 0..400 {
        let far = 10_f64.powi(case % 10);
        let along = Vector3::new(far + rng.random_range(0.0..0.2), far, 0.0);
        // The difference of two numbers near each other is exact.
        let offset = (along.x - along.y) / 2_f64.sqrt();
        let pose = Isometry3::translation(along.x, along.y, 0.0);
        let half = 1e-3;
        let flats: [Shape; 2] = [
            HalfSpace::new(normal, 0.0).unwrap().into(),
            Plane::new(normal, 0.0).unwrap().into(),
        ];
        let cube: Vec<Shape> = vec![
            superovoid::convex::ConvexShape::cuboid([half; 3])
                .unwrap()
                .into(),
            Superovoid::sphere(half).unwrap().into(),
            BoxSet::new(vec![Aabb {
                min: Point3::new(-half, -half, -half),
                max: Point3::new(half, half, half),
            }])
            .unwrap()
            .into(),
        ];
        for (k, body) in cube.iter().enumerate() {
            let reach = if k == 1 { half } else { half * 2_f64.sqrt() };
            let height = reach - 1e-12;
            let unit = normal.normalize();
            let at = Isometry3::from(Point3::from(unit * (offset + height)));
            // The centre is rounded too, by little: all is near the origin.
            let truth = unit.dot(&at.translation.vector) - offset - reach;
            for flat in &flats {
                let found = body
                    .contact(&at, flat, &pose, &QueryOptions::default())
                    .unwrap()
                    .unwrap()
                    .contact;
                let place = format!("{k} at {far:e}: {found:?} {truth:e}");
                assert!(
                    found.lower - 1e-15 <= truth && truth <= found.upper + 1e-15,
                    "{place}"
                );
                let mut near = 0;
                let margin = (found.upper).max(0.0) + 1e-12;
                let visit = |_| {
                    near += 1;
                    true
                };
                body.contacts(&at, flat, &pose, margin, &QueryOptions::default(), visit)
                    .unwrap();
                assert_eq!(near, 1, "{place}");
            }
        }
    }
}

#[test]
fn the_options_of_a_half_space_or_plane_are_checked_as_all_others() {
    let ball = Shape::from(Superovoid::sphere(0.1).unwrap());
    let mesh = Shape::from(soup(&mut ChaCha8Rng::seed_from_u64(1), 3));
    let flat = Shape::from(Plane::new(Vector3::z(), 0.0).unwrap());
    let here = Isometry3::identity();
    for options in [
        QueryOptions::default().with_tolerance(f64::NAN),
        QueryOptions::default().with_max_distance(f64::NAN),
    ] {
        for body in [&ball, &mesh, &flat] {
            assert!(body.contact(&here, &flat, &here, &options).is_err());
            assert!(flat.contact(&here, body, &here, &options).is_err());
        }
    }
    let bad = QueryOptions::default().with_tolerance(f64::NAN);
    assert!(
        mesh.contacts(&here, &flat, &here, 0.0, &bad, |_| true)
            .is_err()
    );
}

/// Touching at the start is a hit at 0, overlapping by more than the tolerance is not.
#[test]
fn resting_flats_that_touch_hit_at_the_start() {
    let still = Motion::still(Isometry3::identity()).unwrap();
    let floor = Shape::from(HalfSpace::new(Vector3::z(), 0.0).unwrap());
    let options = TimeOfImpactOptions::default();
    for (height, expected) in [(0.0, "hit"), (0.5, "free"), (-0.5, "overlapping")] {
        let sheet = Shape::from(Plane::new(Vector3::z(), height).unwrap());
        let found = match sheet
            .time_of_impact(&still, &floor, &still, &options)
            .unwrap()
            .found
        {
            TimeOfImpact::Hit { safe, touching, .. } if safe == 0.0 && touching == 0.0 => "hit",
            TimeOfImpact::Free { .. } => "free",
            TimeOfImpact::Overlapping { .. } => "overlapping",
            _ => "else",
        };
        assert_eq!(found, expected);
    }
}
