//! The conic programs against the library's query, closed forms and transformations.

use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::{QueryOptions, Superovoid, contact};
use superovoid_optim::OptimError;
use superovoid_optim::conic::{ConicStatus, distance, growth};
use superovoid_optim::random_pairs::{Pair, RandomPairs};

/// Bracket widths of 1e-7 of the larger body: what the cones of exponents near 0 and 2 leave.
const CLOSED: f64 = 2e-7;
/// Rounding of either bracket.
const ROUNDING: f64 = 1e-13;

fn size(pair: &Pair) -> f64 {
    let axes = [pair.a, pair.b].map(|shape| shape.semi_axes());
    axes.into_iter().flatten().fold(0.0, f64::max)
}

/// Both brackets hold the true distance, so that they must meet: on every pair, none left out.
fn agrees(mut draw: impl FnMut() -> Pair, wanted: usize) {
    let (mut apart, mut overlapping) = (0, 0);
    while apart < wanted {
        let pair = draw();
        let Pair {
            a,
            pose_a,
            b,
            pose_b,
        } = &pair;
        let answer = contact(a, pose_a, b, pose_b, &QueryOptions::default(), None).unwrap();
        let grown = growth(a, pose_a, b, pose_b).unwrap();
        assert_ne!(grown.status, ConicStatus::Failed, "{pair:?}");
        assert_eq!(
            answer.distance > 0.0,
            grown.factor > 1.0,
            "{pair:?}\n{answer:?}\n{grown:?}"
        );
        if answer.distance <= 0.0 {
            assert!(grown.witnessed < 1.0, "a common point: {pair:?}\n{grown:?}");
            overlapping += 1;
            continue;
        }
        apart += 1;
        let solved = distance(a, pose_a, b, pose_b).unwrap();
        let slack = ROUNDING * (size(&pair) + answer.distance);
        assert_ne!(solved.status, ConicStatus::Failed, "{pair:?}");
        assert!(
            solved.upper - solved.lower <= CLOSED * size(&pair),
            "{pair:?}\n{solved:?}"
        );
        assert!(
            solved.lower <= answer.upper + slack,
            "{pair:?}\n{solved:?}\n{answer:?}"
        );
        assert!(
            answer.lower <= solved.upper + slack,
            "{pair:?}\n{solved:?}\n{answer:?}"
        );
        // The gap along either normal is within both brackets, so that 1 − cos is of their width
        // over the distance.
        let width = solved.upper - solved.lower + answer.upper - answer.lower;
        let swing = (solved.normal.into_inner() - answer.normal.into_inner()).norm_squared() / 2.0;
        assert!(
            swing * answer.distance <= width + slack,
            "{pair:?}\n{solved:?}\n{answer:?}"
        );
    }
    assert!(overlapping > wanted / 20, "the draw has overlaps too");
}

#[test]
fn agrees_with_the_query_on_the_2017_battery() {
    let mut draw = RandomPairs::new(1);
    agrees(|| draw.battery(), 1000);
}

#[test]
fn agrees_with_the_query_on_wide_exponents_and_sizes() {
    let mut draw = RandomPairs::new(2);
    agrees(|| draw.wide(), 1000);
}

#[test]
fn closed_forms() {
    let here = Isometry3::identity();
    let ball = Superovoid::sphere(0.5).unwrap();
    let there = Isometry3::translation(1.0, 2.0, 2.0);
    let solved = distance(&ball, &here, &ball, &there).unwrap();
    assert!((solved.distance - 2.0).abs() < 1e-8);
    assert!((solved.normal.into_inner() - Vector3::new(1.0, 2.0, 2.0) / 3.0).norm() < 1e-4);
    assert!((growth(&ball, &here, &ball, &there).unwrap().factor - 3.0).abs() < 1e-8);
    // Boxes with facing faces: any facing pair of points, one distance.
    let brick = Superovoid::superellipsoid([1.0, 2.0, 3.0], [0.05, 0.05]).unwrap();
    let there = Isometry3::translation(0.3, 0.2, 6.25);
    let solved = distance(&brick, &here, &brick, &there).unwrap();
    assert!((solved.distance - 0.25).abs() < 1e-6, "{solved:?}");
    assert!((solved.normal.z - 1.0).abs() < 1e-6);
}

#[test]
fn a_distance_of_overlapping_bodies_is_zero_within_its_bracket() {
    let ball = Superovoid::sphere(1.0).unwrap();
    for z in [0.0, 0.5, 1.9] {
        let there = Isometry3::translation(0.0, 0.0, z);
        let solved = distance(&ball, &Isometry3::identity(), &ball, &there).unwrap();
        assert!(
            solved.lower <= 0.0 && solved.distance < 1e-7,
            "{z}: {solved:?}"
        );
    }
}

#[test]
fn rigid_motion_swap_and_scale() {
    let mut draw = RandomPairs::new(3);
    for _ in 0..20 {
        let Pair {
            a,
            pose_a,
            b,
            pose_b,
        } = draw.wide();
        let first = distance(&a, &pose_a, &b, &pose_b).unwrap();
        if first.lower <= 0.0 {
            continue;
        }
        let moved = Isometry3::new(Vector3::new(5.0, -3.0, 1.0), Vector3::new(0.3, 1.0, -0.7));
        let again = distance(&a, &(moved * pose_a), &b, &(moved * pose_b)).unwrap();
        assert!((again.distance - first.distance).abs() < 4.0 * CLOSED);
        let swapped = distance(&b, &pose_b, &a, &pose_a).unwrap();
        assert!((swapped.distance - first.distance).abs() < 4.0 * CLOSED);
        for k in [1e-6, 1e6] {
            let scaled = |s: &Superovoid| {
                Superovoid::superellipsoid(s.semi_axes().map(|x| k * x), s.exponents()).unwrap()
            };
            let place = |pose: &Isometry3<f64>| {
                let mut pose = *pose;
                pose.translation.vector *= k;
                pose
            };
            let grown =
                distance(&scaled(&a), &place(&pose_a), &scaled(&b), &place(&pose_b)).unwrap();
            assert!((grown.distance / k - first.distance).abs() < 4.0 * CLOSED);
        }
    }
}

#[test]
fn a_bracket_is_true_whatever_the_solver_says() {
    // Exponents at the ends of the domain, needles and coins; axis-aligned, so that the distance
    // along z is exact.
    for e in [0.001, 0.02, 1.98, 1.999] {
        for a in [[1.0, 1.0, 1.0], [1e-3, 1.0, 1.0], [1.0, 1.0, 1e-3]] {
            let shape = Superovoid::superellipsoid(a, [e, e]).unwrap();
            let there = Isometry3::translation(0.0, 0.0, 2.0 * a[2] + 0.5);
            let solved = distance(&shape, &Isometry3::identity(), &shape, &there).unwrap();
            assert!(
                solved.lower <= 0.5 + 1e-12 && solved.upper >= 0.5 - 1e-12,
                "{e} {a:?}"
            );
        }
    }
}

#[test]
fn bad_input_is_an_error() {
    let ball = Superovoid::sphere(1.0).unwrap();
    let egg = Superovoid::new([1.0; 3], [1.0; 2], [0.1, 0.1]).unwrap();
    let here = Isometry3::identity();
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert_eq!(
        distance(&ball, &here, &egg, &here).unwrap_err(),
        OptimError::Tapered {
            body: 'B',
            tapers: [0.1, 0.1]
        }
    );
    assert_eq!(
        growth(&ball, &nowhere, &ball, &here).unwrap_err(),
        OptimError::NonFinitePose { body: 'A' }
    );
    let speck = Superovoid::sphere(1e-300).unwrap();
    let far = Isometry3::translation(1e300, 0.0, 0.0);
    assert_eq!(
        distance(&speck, &here, &speck, &far).unwrap_err(),
        OptimError::Range
    );
    // Small and far, but within range: no panic, and points that are numbers.
    let far = Isometry3::translation(1e12, 0.0, 0.0);
    let solved = distance(&ball, &here, &ball, &far).unwrap();
    assert!(solved.point_b != Point3::origin() && solved.distance.is_finite());
}
