//! Bounding volumes: they hold their bodies, and their tests never lose a pair that meets.

use crate::oracle::body::Body;
use crate::oracle::boxes::{Box3, box_distance, boxes_meet};
use crate::ray::any_shape;
use crate::sets::{any_direction, any_pose, any_rotation, axis_rotation, in_parallel, spread};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid::Obb;

fn as_oracle(b: &Obb) -> Box3 {
    Box3 {
        center: b.center.coords,
        axes: b.rotation.to_rotation_matrix().into_inner(),
        half: b.half_extents,
    }
}

/// Two boxes: any, with parallel or nearly parallel edges, flat ones; from deep overlap to apart.
fn two_boxes(rng: &mut impl Rng) -> [Obb; 2] {
    let half = |rng: &mut dyn Rng| {
        let flat = (*rng).random_range(0..6usize);
        Vector3::from_fn(|i, _| {
            if i == flat {
                spread(&mut &mut *rng, 1e-9, 1e-2)
            } else {
                spread(&mut &mut *rng, 0.2, 2.0)
            }
        })
    };
    let first = any_rotation(rng);
    let second = match rng.random_range(0..4) {
        0 => first * axis_rotation(rng),
        1 => {
            let tilt = any_direction(rng) * spread(rng, 1e-16, 1e-3);
            UnitQuaternion::from_scaled_axis(tilt) * first * axis_rotation(rng)
        }
        // One edge parallel.
        2 => first * UnitQuaternion::from_scaled_axis(Vector3::z() * rng.random_range(-3.0..3.0)),
        _ => any_rotation(rng),
    };
    let (a, b) = (half(rng), half(rng));
    let reach = rng.random_range(0.0..1.3) * (a.norm() + b.norm());
    let place = any_direction(rng) * spread(rng, 1e-3, 1e3);
    [
        Obb {
            center: place.into(),
            rotation: first,
            half_extents: a,
        },
        Obb {
            center: (place + any_direction(rng) * reach).into(),
            rotation: second,
            half_extents: b,
        },
    ]
}

/// The separating-axis test against edges clipped by boxes, its bound against the distance over
/// all features.
fn random_boxes(seed: u64, count: usize) {
    let (met, tight) = (AtomicUsize::new(0), AtomicUsize::new(0));
    in_parallel(count, |i| {
        let mut rng = crate::sets::seeded(seed);
        rng.set_stream(i as u64);
        let [a, b] = two_boxes(&mut rng);
        let boxes = [as_oracle(&a), as_oracle(&b)];
        let truth = boxes_meet(&boxes[0], &boxes[1]);
        let answer = a.intersects(&b);
        assert_eq!(answer, b.intersects(&a), "{i}: {a:?} {b:?}");
        let distance = if truth {
            0.0
        } else {
            box_distance(&boxes[0], &boxes[1])
        };
        let rounding = 1e-13 * (a.center.coords.amax() + 10.0);
        if answer != truth && distance > rounding {
            panic!("{i}: {answer} instead of {truth} at {distance:e}\n{a:?}\n{b:?}");
        }
        // A pair that shares a point may only be within rounding of not doing so.
        assert!(answer || !truth, "{i}: lost {a:?} {b:?}");
        let bound = a.distance_bound(&b);
        assert!(
            bound <= distance,
            "{i}: {bound:e} > {distance:e}\n{a:?}\n{b:?}"
        );
        assert_eq!(bound > 0.0, !answer, "{i}");
        met.fetch_add(usize::from(truth), Ordering::Relaxed);
        tight.fetch_add(usize::from(distance - bound < 1e-6), Ordering::Relaxed);
    });
    println!("{count} pairs of boxes, {met:?} meet, {tight:?} bounds are the distance");
}

#[test]
fn separating_axes_agree_with_clipped_edges() {
    random_boxes(1, 8_000);
}

#[test]
#[ignore = "long"]
fn separating_axes_agree_with_clipped_edges_long() {
    random_boxes(2, 400_000);
}

/// A box holds every sampled point of its body, and its faces are reached.
#[test]
fn obb_holds_the_body_tightly() {
    let mut rng = crate::sets::seeded(3);
    for _ in 0..300 {
        let shape = any_shape(&mut rng);
        let body = Body::new(shape);
        let pose = any_pose(&mut rng, 3.0);
        let obb = shape.build().obb(&pose);
        let rounding = 1e-14 * (shape.size() + 3.0);
        for x in body.surface_samples(500) {
            let world = pose * Point3::from(x);
            let inside = obb.rotation.inverse() * (world - obb.center);
            for i in 0..3 {
                assert!(
                    inside[i].abs() <= obb.half_extents[i] + rounding,
                    "{shape:?}"
                );
            }
        }
        for i in 0..3 {
            let reach = body.support(&Vector3::ith(i, 1.0));
            let wider = obb.half_extents[i] / reach - 1.0;
            assert!((0.0..2e-12).contains(&wider), "{shape:?}: {wider:e}");
        }
    }
}

/// Bodies that touch at a point, at any place and size: no volume of either may miss the other's,
/// and the bounds of the distance are bounds.
fn touching_bodies(count: usize) {
    let mut rng = crate::sets::seeded(4);
    for k in 0..count {
        let scale = spread(&mut rng, 1e-6, 1e6);
        let (a, b) = (
            any_shape(&mut rng).scaled(scale),
            any_shape(&mut rng).scaled(scale),
        );
        let turns = [any_rotation(&mut rng), any_rotation(&mut rng)];
        let n = if k % 2 == 0 {
            // Face to face: where the volumes themselves touch.
            turns[0] * Vector3::ith(k % 3, 1.0)
        } else {
            any_direction(&mut rng)
        };
        let on_a = turns[0] * Body::new(a).support_point(&(turns[0].inverse() * n));
        let on_b = turns[1] * Body::new(b).support_point(&(turns[1].inverse() * -n));
        let gap = if k % 3 == 0 {
            0.0
        } else {
            scale * spread(&mut rng, 1e-3, 1.0)
        };
        let place = any_direction(&mut rng) * (scale * spread(&mut rng, 1e-2, 1e4));
        let pose_a = Isometry3::from_parts(Translation3::from(place), turns[0]);
        let moved = place + on_a + n * gap - on_b;
        let pose_b = Isometry3::from_parts(Translation3::from(moved), turns[1]);
        let (a, b) = (a.build(), b.build());
        let boxes = [a.aabb(&pose_a), b.aabb(&pose_b)];
        let oriented = [a.obb(&pose_a), b.obb(&pose_b)];
        let balls = [
            a.bounding_sphere().transformed(&pose_a),
            b.bounding_sphere().transformed(&pose_b),
        ];
        let rounding = 1e-14 * (place.norm() + 10.0 * scale);
        assert!(boxes[0].distance(&boxes[1]) <= gap + rounding);
        assert!(oriented[0].distance_bound(&oriented[1]) <= gap + rounding);
        assert!(balls[0].distance(&balls[1]) <= gap + rounding);
        if gap == 0.0 {
            assert!(boxes[0].intersects(&boxes[1]), "{k}");
            assert!(oriented[0].intersects(&oriented[1]), "{k}");
            assert!(balls[0].intersects(&balls[1]), "{k}");
        }
    }
}

draws!(touching_bodies: volumes_of_touching_bodies_meet 1000, volumes_of_touching_bodies_meet_long 3000);

/// Parallel edges, whose cross products vanish or are rounding: only the true gap separates.
#[test]
fn parallel_edges_do_not_separate() {
    let cube = |x: f64, y: f64, turn: f64| Obb {
        center: Point3::new(x, y, 0.0),
        rotation: UnitQuaternion::from_scaled_axis(Vector3::new(1.0, 2.0, 3.0) * turn),
        half_extents: Vector3::repeat(1.0),
    };
    for turn in [0.0, 1e-17, 1e-16, 1e-15, 1e-12, 1e-9] {
        for (x, y) in [
            (0.0, 0.0),
            (1.999_999, 0.0),
            (1.999_999, 1.999_999),
            (1.999_999, -1.999_999),
        ] {
            assert!(
                cube(0.0, 0.0, 0.0).intersects(&cube(x, y, turn)),
                "{turn:e} {x} {y}"
            );
        }
        assert!(
            !cube(0.0, 0.0, 0.0).intersects(&cube(2.000_001, 0.0, turn)),
            "{turn:e}"
        );
    }
}

#[test]
fn bounding_spheres_move_with_their_bodies() {
    let mut rng = crate::sets::seeded(5);
    for _ in 0..100 {
        let shape = any_shape(&mut rng);
        let pose = any_pose(&mut rng, 2.0);
        let ball = shape.build().bounding_sphere().transformed(&pose);
        for x in Body::new(shape).surface_samples(200) {
            let distance = (pose * Point3::from(x) - ball.center).norm();
            assert!(distance <= ball.radius * (1.0 + 1e-14) + 1e-14);
        }
    }
}

/// The powers of such exponents are wrong by 1e-5, and so were the boxes.
#[test]
fn boxes_hold_bodies_of_extreme_exponents() {
    let e = 2.0 - 1e-9;
    let body = superovoid::Superovoid::new([1.0, 0.001, 1.0], [e, e], [-0.284; 2]).expect("valid");
    for k in 0..200 {
        let pose =
            nalgebra::Isometry3::rotation(nalgebra::Vector3::new(0.01, 0.02, 0.03) * f64::from(k));
        let aabb = body.aabb(&pose);
        // Tips of the body, which is a cross of two lines but for 1e-8.
        for tip in [
            [1.0, 0.0, 0.0],
            [-1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0],
            [0.0, 0.0, -1.0],
        ] {
            let x = pose * nalgebra::Point3::from(tip);
            assert!((0..3).all(|i| aabb.min[i] <= x[i] + 1e-14 && x[i] <= aabb.max[i] + 1e-14));
        }
    }
}

/// Sizes at the limits of the number range once split an interval a billion times.
#[test]
fn boxes_of_bodies_at_the_limits_of_the_number_range_end() {
    let tapers = [-0.999_999_999_999_999_9, 0.999_999_999_999_999_9];
    let body = superovoid::Superovoid::new([1.7e308, 1e-310, 0.5], [1.0, 1.999_998], tapers);
    let body = body.expect("valid");
    let _ = body.aabb(&nalgebra::Isometry3::translation(0.1, 2.0, 0.5));
    let _ = (body.bounding_sphere(), body.local_aabb());
}
