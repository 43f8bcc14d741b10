//! The time of impact against closed forms, and against an oracle that walks along the motion.

use crate::moving_oracle::{Case, Course, Verdict, judge};
use crate::oracle::body::{Body, Shape};
use crate::sets::{any_direction, any_rotation, convex_shape, in_parallel, seeded, spread};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::Mutex;
use superovoid::bvh::TriMesh;
use superovoid::motion::{
    Motion, TimeOfImpact, TimeOfImpactOptions, half_space_time_of_impact, polytope_time_of_impact,
    time_of_impact, tree_time_of_impact, vertex_time_of_impact,
};
use superovoid::polytope::Triangle;
use superovoid::{HalfSpace, QueryError, QueryOptions, Superovoid, contact};

/// Two bodies of the convex domain, one or both on a course with a strong rotation, that come near each other.
fn any_case(rng: &mut ChaCha8Rng, tapered: f64) -> Case {
    let shape = |rng: &mut ChaCha8Rng| {
        let a = [0; 3].map(|_| spread(rng, 0.3, 2.0));
        let exponents = match rng.random_range(0..4) {
            0 => [1.0, 1.0],
            1 => [0; 2].map(|_| rng.random_range(0.02..0.2)),
            2 => [0; 2].map(|_| rng.random_range(0.3..1.3)),
            _ => [0; 2].map(|_| rng.random_range(0.1..1.9)),
        };
        if rng.random_bool(tapered) {
            convex_shape(rng, a, exponents)
        } else {
            Shape::new(a, exponents, [0.0; 2])
        }
    };
    let (a, b) = (shape(rng), shape(rng));
    let reach = |s: &Shape| Vector3::from(s.a).norm();
    let away = any_direction(rng) * (reach(&a) + reach(&b)) * rng.random_range(0.7..2.0);
    let angular = any_direction(rng) * rng.random_range(0.0..10.0);
    let target = any_direction(rng) * rng.random_range(0.0..1.0) * (reach(&a) + reach(&b));
    let course_b = Course {
        start: Isometry3::from_parts(away.into(), any_rotation(rng)),
        center: any_direction(rng) * rng.random_range(0.0..2.0),
        linear: (target - away) * rng.random_range(0.5..2.0),
        angular,
        screw: rng.random_bool(0.5),
    };
    let mut course_a = Course::still(Isometry3::from_parts(
        Translation3::identity(),
        any_rotation(rng),
    ));
    if rng.random_bool(0.4) {
        course_a = Course {
            linear: any_direction(rng) * rng.random_range(0.0..2.0),
            angular: any_direction(rng) * rng.random_range(0.0..6.0),
            screw: rng.random_bool(0.5),
            ..course_a
        };
    }
    Case {
        a,
        course_a,
        b,
        course_b,
    }
}

/// Judges `count` random motions; prints what they are and panics where one is wrong.
fn none_missed(seed: u64, count: usize, tapered: f64) {
    let tally = Mutex::new(([0usize; 4], Vec::new()));
    in_parallel(count, |i| {
        let mut rng = seeded(seed);
        rng.set_stream(i as u64);
        let case = any_case(&mut rng, tapered);
        let verdict = judge(&case, &TimeOfImpactOptions::default());
        let mut tally = tally.lock().expect("no judge panics");
        match verdict {
            Ok(verdict) => tally.0[verdict as usize] += 1,
            Err(reason) => tally.1.push(format!("motion {i}: {reason}: {case:?}")),
        }
    });
    let (counts, wrong) = tally.into_inner().expect("the judges are done");
    let [free, hit, overlapping, undecided] = counts;
    println!(
        "{count} motions: {free} free, {hit} hits, {overlapping} overlapping, {undecided} undecided, {} wrong",
        wrong.len()
    );
    let shown = wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} wrong\n{shown}", wrong.len());
    assert!(
        undecided * 2000 <= count,
        "{undecided} of {count} are undecided"
    );
}

#[test]
fn random_motions_are_neither_missed_nor_false() {
    none_missed(81, 2000, 0.1);
}

#[test]
#[ignore = "a million motions: 40 s on two cores"]
fn a_million_random_motions_are_neither_missed_nor_false() {
    none_missed(82, 1_000_000, 0.02);
}

// ---- closed forms ---------------------------------------------------------------------------

fn sphere(radius: f64) -> Shape {
    Shape::new([radius; 3], [1.0; 2], [0.0; 2])
}

fn brick(half: [f64; 3]) -> Shape {
    Shape::new(half, [0.02; 2], [0.0; 2])
}

fn at(x: f64, y: f64, z: f64) -> Isometry3<f64> {
    Isometry3::translation(x, y, z)
}

fn hit(answer: TimeOfImpact) -> [f64; 2] {
    match answer {
        TimeOfImpact::Hit { safe, touching, .. } => [safe, touching],
        other => panic!("not a hit: {other:?}"),
    }
}

/// Whether a hit has this instant in its bracket, which is as narrow as given.
fn hits_at(answer: TimeOfImpact, instant: f64, width: f64) {
    let [safe, touching] = hit(answer);
    let rounding = 1e-12;
    assert!(
        safe <= instant + rounding && instant <= touching + rounding && touching - safe <= width,
        "{instant} is not in [{safe}, {touching}]"
    );
}

#[test]
fn spheres_meet_when_the_quadratic_says_so() {
    let options = TimeOfImpactOptions::default();
    let mut rng = seeded(83);
    let mut hits = 0;
    for _ in 0..2000 {
        let (r, s) = (spread(&mut rng, 0.1, 3.0), spread(&mut rng, 0.1, 3.0));
        let offset = any_direction(&mut rng) * (r + s) * rng.random_range(1.01..3.0);
        let velocity = -offset * rng.random_range(0.3..2.0) + any_direction(&mut rng) * (r + s);
        let spin = |rng: &mut ChaCha8Rng| any_direction(rng) * 8.0;
        let case = Case {
            a: sphere(r),
            course_a: Course {
                angular: spin(&mut rng),
                ..Course::still(Isometry3::identity())
            },
            b: sphere(s),
            course_b: Course {
                linear: velocity,
                angular: spin(&mut rng),
                ..Course::still(Isometry3::from_parts(offset.into(), any_rotation(&mut rng)))
            },
        };
        let (a, b) = (velocity.norm_squared(), offset.dot(&velocity));
        let c = offset.norm_squared() - (r + s) * (r + s);
        let discriminant = b * b - a * c;
        let root = (-b - discriminant.max(0.0).sqrt()) / a;
        // A graze has a wider bracket.
        if discriminant.abs() < 1e-3 * b * b || (root - 1.0).abs() < 1e-6 {
            continue;
        }
        let answer = case.answer(&options);
        if discriminant > 0.0 && (0.0..=1.0).contains(&root) {
            hits_at(answer, root, 1e-6);
            hits += 1;
        } else {
            assert!(matches!(answer, TimeOfImpact::Free { .. }), "{answer:?}");
        }
    }
    assert!(hits > 400, "{hits}");
}

#[test]
fn faces_of_boxes_meet_when_the_gap_is_crossed() {
    let options = TimeOfImpactOptions::default();
    let still = Course::still(Isometry3::identity());
    let case = Case {
        a: brick([1.0, 2.0, 0.5]),
        course_a: still,
        b: brick([0.3, 0.2, 0.1]),
        course_b: Course {
            linear: Vector3::new(-6.0, 0.0, 0.0),
            ..Course::still(at(4.3, 0.1, 0.05))
        },
    };
    hits_at(case.answer(&options), 0.5, 2e-9);
    // Half a turn about the normal of the face changes nothing.
    let spinning = Case {
        course_b: Course {
            angular: Vector3::new(PI, 0.0, 0.0),
            ..case.course_b
        },
        ..case
    };
    hits_at(spinning.answer(&options), 0.5, 2e-9);
}

/// parry#317: casts of two cuboids with `cast_shapes_nonlinear` miss their contact.
#[test]
fn parry_317_cuboids_that_meet_are_not_missed() {
    let options = TimeOfImpactOptions::default();
    for turn in [0.0, 0.3, FRAC_PI_2, 3.0] {
        let case = Case {
            a: brick([0.5, 0.5, 0.5]),
            course_a: Course::still(Isometry3::identity()),
            b: brick([0.5, 0.5, 0.5]),
            course_b: Course {
                linear: Vector3::new(0.0, -10.0, 0.0),
                angular: Vector3::new(0.0, turn, 0.0),
                ..Course::still(at(0.2, 5.0, -0.1))
            },
        };
        hits_at(case.answer(&options), 0.4, 2e-9);
        assert_eq!(judge(&case, &options), Ok(Verdict::Hit));
    }
}

/// moveit#2889: a link that swings from −π/2 to π/2 passes through an obstacle in the middle, which the hull of both end
/// poses does not contain.
#[test]
fn moveit_2889_a_swing_of_half_a_turn_does_not_pass_through() {
    let options = TimeOfImpactOptions::default();
    // The ball at the end of an arm of 1 m about the z axis meets the ball at (1, 0, 0) at the angle of the chord
    // 2 sin(angle/2) = 0.3.
    let ball = Case {
        a: sphere(0.2),
        course_a: Course::still(at(1.0, 0.0, 0.0)),
        b: sphere(0.1),
        course_b: Course {
            center: Vector3::new(-1.0, 0.0, 0.0),
            angular: Vector3::new(0.0, 0.0, PI),
            ..Course::still(Isometry3::from_parts(
                Translation3::new(0.0, -1.0, 0.0),
                UnitQuaternion::from_scaled_axis(Vector3::z() * -FRAC_PI_2),
            ))
        },
    };
    let angle = 2.0 * (0.15_f64).asin();
    hits_at(ball.answer(&options), 0.5 - angle / PI, 1e-8);
    let link = Case {
        b: Shape::new([0.5, 0.05, 0.05], [0.3, 0.3], [0.0; 2]),
        course_b: Course {
            center: Vector3::new(-0.5, 0.0, 0.0),
            start: Isometry3::from_parts(
                Translation3::new(0.0, -0.5, 0.0),
                UnitQuaternion::from_scaled_axis(Vector3::z() * -FRAC_PI_2),
            ),
            ..ball.course_b
        },
        ..ball
    };
    assert_eq!(judge(&link, &options), Ok(Verdict::Hit));
    // As a screw about the joint.
    let screw = Case {
        course_b: Course {
            screw: true,
            center: Vector3::zeros(),
            linear: Vector3::new(0.5 * PI, 0.0, 0.0),
            ..link.course_b
        },
        ..link
    };
    let [safe, touching] = hit(link.answer(&options));
    hits_at(screw.answer(&options), 0.5 * (safe + touching), 1e-8);
}

#[test]
fn whole_turns_are_turns() {
    // A propeller about x, two and a half turns, over an obstacle that it meets after a sixth of a turn.
    let options = TimeOfImpactOptions::default();
    let blade = Shape::new([0.05, 1.0, 0.05], [0.1, 0.1], [0.0; 2]);
    for turns in [1.0, 2.5, 100.0] {
        let case = Case {
            a: sphere(0.1),
            course_a: Course::still(at(0.0, 0.8 * (PI / 3.0).cos(), 0.8 * (PI / 3.0).sin())),
            b: blade,
            course_b: Course {
                angular: Vector3::new(2.0 * PI * turns, 0.0, 0.0),
                ..Course::still(Isometry3::identity())
            },
        };
        let [safe, touching] = hit(case.answer(&options));
        assert!(touching * turns < 1.0 / 6.0 && (touching - safe) * turns < 1e-8);
    }
}

#[test]
fn antipodal_quaternions_are_the_same_motion() {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -0.2, 1.9));
    let negative = UnitQuaternion::new_unchecked(-turn.into_inner());
    let start = at(1.0, 2.0, 3.0);
    let end = |q| Isometry3::from_parts(Translation3::new(0.0, 1.0, 0.5), q);
    let [one, other] = [turn, negative].map(|q| Motion::line_spin(start, end(q)).expect("valid"));
    for k in 0..=10 {
        let t = 0.1 * f64::from(k);
        let [p, q] = [&one, &other].map(|m| m.pose(t).to_homogeneous());
        assert!((p - q).norm() < 1e-15, "{t}");
        let expected = UnitQuaternion::identity().slerp(&turn, t);
        assert!(one.pose(t).rotation.angle_to(&expected) < 1e-14);
    }
    let reached = one.pose(1.0);
    assert!((reached.to_homogeneous() - end(turn).to_homogeneous()).norm() < 1e-15);
}

#[test]
fn screws_with_almost_no_rotation_keep_their_digits() {
    let options = TimeOfImpactOptions::default();
    for exponent in [-300, -200, -100, -30, -16, -8, -4] {
        let angular = Vector3::new(0.0, 1.0, 0.0) * 10f64.powi(exponent);
        let case = Case {
            a: sphere(1.0),
            course_a: Course::still(Isometry3::identity()),
            b: sphere(1.0),
            course_b: Course {
                linear: Vector3::new(-4.0, 0.0, 0.0),
                angular,
                screw: true,
                ..Course::still(at(4.0, 0.0, 0.0))
            },
        };
        let [safe, touching] = hit(case.answer(&options));
        assert!(
            (safe - 0.5).abs() < 1e-7 && touching - safe < 1e-8,
            "{exponent}"
        );
    }
}

#[test]
fn a_start_in_touch_that_separates_is_free() {
    let options = TimeOfImpactOptions::default();
    let apart = |velocity: Vector3<f64>, angular: Vector3<f64>| Case {
        a: sphere(1.0),
        course_a: Course::still(Isometry3::identity()),
        b: Shape::new([0.5, 0.4, 0.3], [0.6, 0.7], [0.0; 2]),
        course_b: Course {
            linear: velocity,
            angular,
            ..Course::still(at(1.5, 0.0, 0.0))
        },
    };
    let leaving = apart(Vector3::new(1.0, 0.5, 0.0), Vector3::new(0.0, 0.0, 0.3));
    let answer = leaving.answer(&options);
    assert!(
        matches!(answer, TimeOfImpact::Free { clearance } if clearance > -1e-9),
        "{answer:?}"
    );
    let entering = apart(Vector3::new(-1.0, 0.0, 0.0), Vector3::zeros());
    let [safe, touching] = hit(entering.answer(&options));
    assert!(safe == 0.0 && touching < 1e-8);
    // It leaves, comes back and hits: a circle of the radius 0.4 about a point beyond the ball.
    let back = Case {
        course_b: Course {
            start: at(1.5, 0.0, 0.0),
            center: Vector3::new(0.4, 0.0, 0.0),
            linear: Vector3::new(0.5, 0.0, 0.0),
            angular: Vector3::new(0.0, 0.0, 3.0 * PI),
            screw: false,
        },
        ..leaving
    };
    assert_eq!(judge(&back, &options).map(|_| ()), Ok(()));
}

#[test]
fn a_start_in_overlap_is_said() {
    let options = TimeOfImpactOptions::default();
    let case = Case {
        a: sphere(1.0),
        course_a: Course::still(Isometry3::identity()),
        b: sphere(1.0),
        course_b: Course {
            linear: Vector3::x(),
            ..Course::still(at(1.9, 0.0, 0.0))
        },
    };
    match case.answer(&options) {
        TimeOfImpact::Overlapping { contact } => assert!((contact.distance + 0.1).abs() < 1e-9),
        other => panic!("{other:?}"),
    }
}

#[test]
fn grazes_are_undecided_or_right_and_never_free_when_they_touch() {
    // A ball passes another at a distance of the sum of the radii plus a little.
    let options = TimeOfImpactOptions::default();
    for beside in [-1e-6, -1e-9, -1e-12, -1e-15, 0.0, 1e-15, 1e-12, 1e-9, 1e-6] {
        let case = Case {
            a: sphere(1.0),
            course_a: Course::still(Isometry3::identity()),
            b: sphere(1.0),
            course_b: Course {
                linear: Vector3::new(8.0, 0.0, 0.0),
                ..Course::still(at(-4.0, 2.0 + beside, 0.0))
            },
        };
        match case.answer(&options) {
            TimeOfImpact::Free { .. } => assert!(beside > 0.0, "{beside}"),
            TimeOfImpact::Hit { safe, touching, .. } => {
                let distance = |t: f64| (8.0 * t - 4.0).hypot(2.0 + beside) - 2.0;
                assert!(distance(touching) <= 0.0 && safe < touching, "{beside}");
            }
            TimeOfImpact::Undecided { safe, .. } => {
                assert!(beside.abs() < 1e-8 && (safe - 0.5).abs() < 1e-3, "{beside}");
            }
            other => panic!("{beside}: {other:?}"),
        }
    }
}

// ---- properties -----------------------------------------------------------------------------

#[test]
fn the_first_contact_does_not_depend_on_names_frames_and_units() {
    let options = TimeOfImpactOptions::default();
    let mut rng = seeded(84);
    let mut hits = 0;
    for _ in 0..300 {
        let case = any_case(&mut rng, 0.2);
        let motion = Isometry3::from_parts(
            (any_direction(&mut rng) * 3.0).into(),
            any_rotation(&mut rng),
        );
        let moved = Case {
            course_a: case.course_a.moved(&motion),
            course_b: case.course_b.moved(&motion),
            ..case
        };
        let scaled = |k: f64| Case {
            a: case.a.scaled(k),
            course_a: case.course_a.scaled(k),
            b: case.b.scaled(k),
            course_b: case.course_b.scaled(k),
        };
        let first = case.answer(&options);
        for other in [case.swapped(), moved, scaled(1e-3), scaled(1e4)] {
            let answer = other.answer(&options);
            let same = match (first, answer) {
                (
                    TimeOfImpact::Hit { safe, touching, .. },
                    TimeOfImpact::Hit {
                        safe: s,
                        touching: t,
                        ..
                    },
                ) => {
                    hits += 1;
                    // The brackets have the first contact in common.
                    safe <= t + 1e-12 && s <= touching + 1e-12
                }
                (TimeOfImpact::Undecided { .. }, _) | (_, TimeOfImpact::Undecided { .. }) => true,
                (x, y) => std::mem::discriminant(&x) == std::mem::discriminant(&y),
            };
            assert!(same, "{first:?}\n{answer:?}\n{case:?}");
        }
    }
    assert!(hits > 400, "{hits}");
}

#[test]
fn a_free_motion_is_free_backwards() {
    let options = TimeOfImpactOptions::default();
    let mut rng = seeded(85);
    let mut free = 0;
    for _ in 0..400 {
        let case = any_case(&mut rng, 0.1);
        if !matches!(case.answer(&options), TimeOfImpact::Free { .. }) {
            continue;
        }
        free += 1;
        let back = Case {
            course_a: case.course_a.reversed(),
            course_b: case.course_b.reversed(),
            ..case
        };
        let answer = back.answer(&options);
        assert!(
            matches!(
                answer,
                TimeOfImpact::Free { .. } | TimeOfImpact::Undecided { .. }
            ),
            "{answer:?}\n{case:?}"
        );
    }
    assert!(free > 50, "{free}");
}

#[test]
fn a_separation_to_keep_is_kept() {
    let mut rng = seeded(86);
    let mut verdicts = [0; 4];
    for _ in 0..300 {
        let case = any_case(&mut rng, 0.1);
        let options = TimeOfImpactOptions::default()
            .with_min_separation(rng.random_range(0.01..0.3))
            .with_tolerance(1e-7);
        match judge(&case, &options) {
            Ok(verdict) => verdicts[verdict as usize] += 1,
            Err(reason) => panic!("{reason}: {case:?} {options:?}"),
        }
    }
    assert!(verdicts[0] > 20 && verdicts[1] > 50, "{verdicts:?}");
}

#[test]
fn bodies_that_are_not_convex_are_answered() {
    let options = TimeOfImpactOptions::default();
    let mut rng = seeded(87);
    let mut verdicts = [0; 4];
    for _ in 0..60 {
        let mut case = any_case(&mut rng, 0.0);
        case.a = Shape::new(case.a.a, [1.0, 0.6], [0.7, -0.7]);
        let (a, b) = (case.a.build(), case.b.build());
        assert!(!a.is_convex());
        let answer = case.answer(&options);
        let kind = match answer {
            TimeOfImpact::Free { .. } => 0,
            TimeOfImpact::Hit { .. } => 1,
            TimeOfImpact::Overlapping { .. } => 2,
            TimeOfImpact::Undecided { .. } => 3,
        };
        verdicts[kind] += 1;
        // No common point before the contact, among samples: the query's upper bound shows one.
        let until = match answer {
            TimeOfImpact::Free { .. } => 1.0,
            TimeOfImpact::Hit { safe, .. } | TimeOfImpact::Undecided { safe, .. } => safe,
            TimeOfImpact::Overlapping { .. } => continue,
        };
        for k in 0..100 {
            let t = until * f64::from(k) / 100.0;
            let (pose_a, pose_b) = (case.course_a.pose(t), case.course_b.pose(t));
            let found = contact(&a, &pose_a, &b, &pose_b, &QueryOptions::default(), None);
            assert!(found.expect("valid").upper > 0.0, "{t} {answer:?} {case:?}");
        }
    }
    assert!(
        verdicts[0] > 5 && verdicts[1] > 5 && verdicts[3] <= 2,
        "{verdicts:?}"
    );
}

// ---- vertices and half-spaces -----------------------------------------------------------------

#[test]
fn a_vertex_meets_a_ball_when_the_quadratic_says_so() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let spinning = Motion::screw(
        Isometry3::identity(),
        Vector3::zeros(),
        Vector3::new(1.0, 7.0, 2.0),
    );
    let vertex = Motion::screw(
        at(3.0, 0.6, 0.0),
        Vector3::new(-4.0, 0.0, 0.0),
        Vector3::zeros(),
    );
    let answer = vertex_time_of_impact(
        &ball,
        &spinning.expect("valid"),
        &vertex.expect("valid"),
        &TimeOfImpactOptions::default(),
    );
    hits_at(answer.expect("valid"), (3.0 - 0.8) / 4.0, 2e-9);
}

#[test]
fn a_body_that_falls_and_turns_meets_the_floor() {
    let options = TimeOfImpactOptions::default();
    let floor = HalfSpace::new(Vector3::z(), 0.25).expect("valid");
    let brick = brick([1.0, 0.5, 0.25]);
    let body = Body::new(brick);
    let mut rng = seeded(88);
    for _ in 0..100 {
        let course = Course {
            center: any_direction(&mut rng) * 0.5,
            linear: Vector3::new(1.0, -2.0, -3.0),
            angular: any_direction(&mut rng) * rng.random_range(0.0..20.0),
            ..Course::still(Isometry3::from_parts(
                Translation3::new(0.0, 0.0, 2.5),
                any_rotation(&mut rng),
            ))
        };
        let answer = half_space_time_of_impact(&brick.build(), &course.motion(), &floor, &options);
        let height = |t: f64| {
            let pose = course.pose(t);
            let down = pose.rotation.inverse() * -Vector3::z();
            pose.translation.z - body.support(&down) - 0.25
        };
        let [safe, touching] = hit(answer.expect("valid"));
        assert!(height(touching) <= 1e-11 && touching - safe < 1e-6);
        for k in 0..1000 {
            assert!(height(safe * f64::from(k) / 1000.0) > -1e-11);
        }
    }
}

/// A mesh, a set of boxes and their parts one by one, all moving.
#[test]
fn the_first_part_of_a_mesh_is_the_first_of_all_parts() {
    let options = TimeOfImpactOptions::default();
    let mut rng = seeded(89);
    let mut hits = 0;
    for _ in 0..120 {
        let corners: Vec<Point3<f64>> = (0..24)
            .map(|_| Point3::from(any_direction(&mut rng) * rng.random_range(0.5..1.5)))
            .collect();
        let triangles: Vec<[u32; 3]> = (0..8).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let mesh = TriMesh::new(corners.clone(), triangles).expect("finite");
        let mut case = any_case(&mut rng, 0.2);
        case.b = Shape::new([0.2, 0.3, 0.4], case.b.e, [0.0; 2]);
        let (b, moving, motion) = (
            case.b.build(),
            case.course_b.motion(),
            case.course_a.motion(),
        );
        let whole = tree_time_of_impact(&b, &moving, &mesh, &motion, &options).expect("valid");
        let mut first: Option<[f64; 2]> = None;
        let mut overlapping = false;
        for corner in corners.chunks(3) {
            let part = Triangle::new([corner[0], corner[1], corner[2]]).expect("finite");
            let found = polytope_time_of_impact(&b, &moving, &part, &motion, &options);
            match found.expect("valid") {
                TimeOfImpact::Free { .. } => {}
                TimeOfImpact::Overlapping { .. } => overlapping = true,
                found => {
                    let [safe, touching] = hit(found);
                    if first.is_none_or(|[earliest, _]| safe < earliest) {
                        first = Some([safe, touching]);
                    }
                }
            }
        }
        match (whole.found, first) {
            (TimeOfImpact::Overlapping { .. }, _) => assert!(overlapping),
            (TimeOfImpact::Free { .. }, first) => assert!(first.is_none() && !overlapping),
            (TimeOfImpact::Hit { safe, touching, .. }, Some([s, t])) => {
                hits += 1;
                assert!(!overlapping && safe <= t && s <= touching && touching - safe < 1e-7);
            }
            (found, first) => panic!("{found:?} {first:?} {case:?}"),
        }
    }
    assert!(hits > 12, "{hits}");
}

// ---- bad input --------------------------------------------------------------------------------

#[test]
fn bad_input_is_an_error_and_odd_input_is_answered() {
    let start = Isometry3::identity();
    let nan = Vector3::new(0.0, f64::NAN, 0.0);
    let long = Vector3::new(0.0, f64::INFINITY, 0.0);
    for bad in [nan, long] {
        assert!(Motion::screw(start, bad, Vector3::zeros()).is_err());
        assert!(Motion::screw(start, Vector3::zeros(), bad).is_err());
        assert!(Motion::line_spin_about(start, bad.into(), nan, nan).is_err());
        assert!(Motion::still(Isometry3::from_parts(bad.into(), start.rotation)).is_err());
    }
    let mut longer = start;
    longer.rotation = UnitQuaternion::new_unchecked(start.rotation.into_inner() * 1.1);
    let message = Motion::line_spin(start, longer).expect_err("not a rotation");
    assert!(message.to_string().contains("end of a motion"), "{message}");
    assert!(Motion::still(longer).is_err());

    let ball = Superovoid::sphere(1.0).expect("valid");
    let still = Motion::still(start).expect("valid");
    let away = Motion::still(at(5.0, 0.0, 0.0)).expect("valid");
    for (options, name) in [
        (
            TimeOfImpactOptions::default().with_min_separation(f64::NAN),
            "min_separation",
        ),
        (
            TimeOfImpactOptions::default().with_tolerance(-1.0),
            "tolerance",
        ),
    ] {
        match time_of_impact(&ball, &still, &ball, &away, &options) {
            Err(QueryError::Option { name: named, .. }) => assert_eq!(named, name),
            other => panic!("{other:?}"),
        }
    }
    let answer = |motion: &Motion, options: &TimeOfImpactOptions| {
        time_of_impact(&ball, &still, &ball, motion, options)
    };
    let options = TimeOfImpactOptions::default();
    // Nothing moves.
    let free = answer(&away, &options).expect("valid");
    assert!(matches!(free, TimeOfImpact::Free { clearance } if (clearance - 3.0).abs() < 1e-9));
    // No query may be made.
    let none = options.with_max_queries(0);
    assert!(matches!(
        answer(&away, &none),
        Ok(TimeOfImpact::Undecided { safe: 0.0, .. })
    ));
    // Huge, tiny and wild motions end.
    for scale in [1e-320, 1e-300, 1e-100, 1e10, 1e100, 1e150, 1e300] {
        for (linear, angular) in [
            (scale, 0.0),
            (0.0, scale),
            (scale, scale),
            (-scale, scale),
            (-4.0, scale),
        ] {
            let motion = Motion::screw(
                at(5.0, 0.0, 0.0),
                Vector3::new(linear, 0.0, 0.0),
                Vector3::new(angular, 0.0, angular),
            );
            if let Ok(motion) = motion {
                let _ = answer(&motion, &options);
            }
        }
    }
}

#[test]
fn shapes_at_the_edge_of_their_domain_are_never_called_free_in_contact() {
    let options = TimeOfImpactOptions::default();
    for e in [1e-7, 2.0 - 1e-7] {
        let case = Case {
            a: Shape::new([1.0; 3], [e, e], [0.0; 2]),
            course_a: Course::still(Isometry3::identity()),
            b: sphere(1.0),
            course_b: Course {
                linear: Vector3::new(-8.0, 0.0, 0.0),
                angular: Vector3::new(1.0, 2.0, 3.0),
                ..Course::still(at(4.0, 0.0, 0.0))
            },
        };
        let answer = case.answer(&options);
        assert!(!matches!(answer, TimeOfImpact::Free { .. }), "{answer:?}");
    }
}
