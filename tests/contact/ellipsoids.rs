//! Pairs of ellipsoids, which have a method of their own.

use crate::oracle::exact::sphere_ellipsoid;
use crate::oracle::{Effort, Shape, check};
use crate::sets::{
    Case, any_direction, any_pose, any_rotation, ellipsoid, ellipsoids_near, judge_all, seeded,
    spread,
};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};
use superovoid::{
    Contact, DepthMode, Outcome, Pair, PairCache, QueryOptions, Superovoid, contact, contact_batch,
};

/// Centres anywhere within reach of each other.
fn anywhere(rng: &mut impl Rng, thinnest: f64) -> Case {
    let (mut case, _) = ellipsoids_near(rng, thinnest);
    let offset = any_direction(rng) * rng.random_range(0.0..2.5);
    case.pose_b.translation.vector = case.pose_a.translation.vector + offset;
    case
}

fn near_each_other(count: usize) {
    for (seed, thinnest) in [(1, 0.7), (2, 0.2), (3, 0.03), (4, 1e-3)] {
        let tally = judge_all(
            seed,
            count,
            &QueryOptions::default(),
            Effort::QUICK,
            |rng| ellipsoids_near(rng, thinnest).0,
        );
        tally.none_wrong("ellipsoids near each other");
        assert_eq!(tally.not_converged, 0, "{thinnest}: {tally:?}");
        let apart = tally.count - tally.overlapping;
        assert!(tally.certified >= apart, "{thinnest}: {tally:?}");
        assert!(
            3 * tally.overlapping > count && 3 * apart > count,
            "{tally:?}"
        );
    }
}

draws!(near_each_other: ellipsoids_near_each_other_are_answered 400, ellipsoids_near_each_other_are_answered_long 1500);

#[test]
fn ellipsoids_anywhere_are_answered() {
    for (seed, thinnest, depth) in [
        (5, 0.7, DepthMode::Fast),
        (6, 0.1, DepthMode::Fast),
        (7, 0.3, DepthMode::Certified),
    ] {
        let options = QueryOptions::default().with_depth(depth);
        let tally = judge_all(seed, 600, &options, Effort::QUICK, |rng| {
            anywhere(rng, thinnest)
        });
        tally.none_wrong("ellipsoids anywhere");
        assert_eq!(tally.not_converged, 0, "{thinnest}: {tally:?}");
        if depth == DepthMode::Certified {
            assert_eq!(tally.certified, tally.count, "{tally:?}");
        }
    }
}

/// Of bodies a known gap apart, at the ends of the cache's and the options' choices, alone and in a batch: the gap, to
/// rounding, and points whose normals are the answer's.
#[test]
fn the_gap_is_found_to_rounding() {
    let mut rng = seeded(8);
    let mut cases = Vec::new();
    while cases.len() < 4000 {
        let thinnest = spread(&mut rng, 0.05, 0.9);
        let (case, gap) = ellipsoids_near(&mut rng, thinnest);
        if gap > 0.0 {
            cases.push((case, gap));
        }
    }
    let shapes: Vec<_> = cases
        .iter()
        .map(|(case, _)| (case.a.build(), case.b.build()))
        .collect();
    let pairs: Vec<_> = cases
        .iter()
        .zip(&shapes)
        .map(|((case, _), (a, b))| Pair {
            a,
            pose_a: &case.pose_a,
            b,
            pose_b: &case.pose_b,
        })
        .collect();
    let mut together = vec![Contact::default(); pairs.len()];
    contact_batch(&pairs, &mut together, &QueryOptions::default()).expect("valid");
    let mut stranger = PairCache::default();
    for ((pair, (case, gap)), of_batch) in pairs.iter().zip(&cases).zip(together) {
        let alone = |max_iterations, cache: Option<&mut PairCache>| {
            let options = QueryOptions::default().with_max_iterations(max_iterations);
            contact(pair.a, pair.pose_a, pair.b, pair.pose_b, &options, cache).expect("valid")
        };
        let mut cache = PairCache::default();
        let answers = [
            alone(30, None),
            alone(30, Some(&mut cache)),
            alone(30, Some(&mut cache)),
            alone(30, Some(&mut stranger)),
            of_batch,
        ];
        for (which, answer) in answers.into_iter().enumerate() {
            assert_eq!(answer.outcome, Outcome::Certified, "{case:?}");
            let error = (answer.distance - gap).abs();
            let far = case.pose_b.translation.vector.norm() + gap;
            assert!(
                error <= 1e-14 + 2e-15 * far,
                "{error:e} {gap:e} {answer:?} {case:?}"
            );
            let n = answer.normal.into_inner();
            let points = [
                (&case.pose_a, &case.a, answer.point_a, n),
                (&case.pose_b, &case.b, answer.point_b, -n),
            ];
            for (pose, shape, point, normal) in points {
                let x = pose.inverse_transform_point(&point).coords;
                let gradient = Vector3::from_fn(|i, _| x[i] / (shape.a[i] * shape.a[i]));
                let turn = (pose.rotation * gradient.normalize() - normal).norm();
                // A point is as accurate as the sharpest curvature leaves it, 1e-15 of the size at best.
                let thin = shape.a.iter().fold(1.0, |m: f64, a| m.min(*a));
                let sharp = 1e-9 + 1e-13 * far / (thin * thin) + 1e-14 * (1.0 + far) / gap;
                assert!(
                    turn <= sharp,
                    "{which} {turn:e} {gap:e} {thin} {answer:?} {case:?}"
                );
            }
        }
    }
}

#[test]
fn ellipsoids_and_spheres_have_a_closed_form() {
    let mut rng = seeded(9);
    let mut overlapping = 0;
    for _ in 0..4000 {
        let thinnest = spread(&mut rng, 0.05, 0.9);
        let shape = ellipsoid(&mut rng, thinnest);
        let radius = spread(&mut rng, 1e-3, 2.0);
        let x = any_direction(&mut rng) * (spread(&mut rng, 0.3, 5.0) + radius);
        let truth = sphere_ellipsoid(radius, shape.a, &x);
        let pose = any_pose(&mut rng, 2.0);
        let case = Case {
            a: shape,
            pose_a: pose,
            b: Shape::new([radius; 3], [1.0; 2], [0.0; 2]),
            pose_b: pose * Isometry3::from_parts(x.into(), any_rotation(&mut rng)),
        };
        let swapped = Case {
            a: case.b,
            pose_a: case.pose_b,
            b: case.a,
            pose_b: case.pose_a,
        };
        for case in [case, swapped] {
            let answer = case.query(&QueryOptions::default());
            // Where the centre is inside, the deepest point need not be the nearest.
            if truth < -radius {
                continue;
            }
            overlapping += usize::from(truth < 0.0);
            let error = (answer.distance - truth).abs();
            assert!(
                error <= 4e-14 * (1.0 + x.norm()),
                "{error:e} {truth} {case:?}"
            );
        }
    }
    assert!(overlapping > 200, "{overlapping}");
}

/// Steadily, then not at all, then with a jump.
#[test]
fn a_cache_follows_ellipsoids() {
    let mut rng = seeded(10);
    let options = QueryOptions::default();
    let (mut warm_steps, mut cold_steps, mut filled) = (0, 0, 0);
    for _ in 0..300 {
        let thinnest = spread(&mut rng, 0.05, 0.9);
        let (case, _) = ellipsoids_near(&mut rng, thinnest);
        let (a, b) = (case.a.build(), case.b.build());
        let (along, about) = (any_direction(&mut rng), any_direction(&mut rng));
        let step = spread(&mut rng, 1e-5, 1e-2);
        let mut cache = PairCache::default();
        for time in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 100.0] {
            let turn = UnitQuaternion::from_scaled_axis(about * (step * time));
            let to = case.pose_b.translation.vector + along * (step * time);
            let pose_b = Isometry3::from_parts(to.into(), turn * case.pose_b.rotation);
            let ask = |cache| contact(&a, &case.pose_a, &b, &pose_b, &options, cache);
            let (cold, warm) = (
                ask(None).expect("valid"),
                ask(Some(&mut cache)).expect("valid"),
            );
            filled += usize::from(!cache.is_empty());
            let error = (cold.distance - warm.distance).abs();
            assert!(error <= 1e-9, "{error:e} {case:?}");
            assert_eq!(check(&a, &case.pose_a, &b, &pose_b, &warm), Ok(()));
            if (4.0..=6.0).contains(&time) && warm.outcome == Outcome::Certified {
                (warm_steps, cold_steps) =
                    (warm_steps + warm.iterations, cold_steps + cold.iterations);
            }
        }
    }
    assert!(2 * warm_steps < cold_steps, "{warm_steps} {cold_steps}");
    // What a search found leaves nothing to start from.
    assert!(filled > 2400, "only {filled} caches were filled");
}

/// Where a method of its own has no axis, or no need of one.
#[test]
fn concentric_and_equal_ellipsoids_are_answered() {
    let body = Superovoid::ellipsoid([1.0, 0.7, 0.4]).expect("valid");
    let other = Superovoid::ellipsoid([0.8, 0.5, 0.9]).expect("valid");
    let here = Isometry3::identity();
    let options = QueryOptions::default().with_depth(DepthMode::Certified);
    for (b, depth) in [(&body, 0.8), (&other, 1.2)] {
        let answer = contact(&body, &here, b, &here, &options, None).expect("valid");
        assert!((answer.distance + depth).abs() < 1e-6, "{answer:?}");
    }
    // Side by side along an axis: every component beside it is 0.
    for k in 0..3 {
        for sign in [1.0, -1.0] {
            let there = Isometry3::from(Vector3::ith(k, 2.5 * sign));
            let answer = contact(&body, &here, &other, &there, &options, None).expect("valid");
            let truth = 2.5 - body.semi_axes()[k] - other.semi_axes()[k];
            assert!((answer.distance - truth).abs() < 1e-15, "{answer:?}");
            assert_eq!(answer.outcome, Outcome::Certified);
            let right = Vector3::ith(k, sign);
            assert!((answer.normal.into_inner() - right).norm() < 1e-15);
        }
    }
}

/// Side by side along a common axis, of every size that is a number: what is certified is right, and nothing is
/// out of order.
#[test]
fn ellipsoids_of_extreme_sizes_are_answered() {
    let numbers = [
        5e-324, 1e-310, 1e-200, 1e-150, 1e-20, 1.0, 1e20, 1e150, 1e200, 1e307,
    ];
    let here = Isometry3::identity();
    let mut certified = 0;
    for along in numbers {
        for beside in numbers {
            for other in numbers {
                for far in numbers {
                    let a = Superovoid::ellipsoid([along, beside, 2.0 * beside]).expect("valid");
                    let b = Superovoid::ellipsoid([other, 3.0 * beside, other]).expect("valid");
                    let there = Isometry3::translation(far, 0.0, 0.0);
                    let options = QueryOptions::default();
                    let Ok(c) = contact(&a, &here, &b, &there, &options, None) else {
                        continue;
                    };
                    let says = || format!("{along:e} {beside:e} {other:e} {far:e} {c:?}");
                    assert!(c.lower <= c.distance && c.distance <= c.upper, "{}", says());
                    let truth = far - along - other;
                    if truth > 0.0 && c.outcome == Outcome::Certified {
                        certified += 1;
                        let size = a.semi_axes().into_iter().chain(b.semi_axes());
                        let size = size.fold(far, f64::max);
                        assert!((c.distance - truth).abs() <= 1e-9 * size, "{}", says());
                    }
                }
            }
        }
    }
    assert!(certified > 1000, "{certified}");
}
