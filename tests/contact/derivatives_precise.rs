//! The derivatives of contacts, compared with differences in double-double arithmetic of the stationary pairs that
//! [`double_double`](crate::double_double) finds from the same answers.

use crate::double_double::{INPUTS, Stationary, real};
use crate::sets::{
    Battery, Case, any_direction, boxes, concentric, far, identical, in_the_hollow, inside,
    near_touching, needles, non_convex, parallel_boxes, pointed, touching_exactly, unequal_sizes,
    whole_convex_domain,
};
use nalgebra::{Isometry3, Matrix3, SVector, UnitQuaternion, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid::derivatives::{
    ContactDerivatives, DerivativeStatus, contact_derivatives, distance_gradient,
};
use superovoid::{Contact, QueryOptions};

/// The errors of a pair's derivatives, each relative to 1 plus the derivatives.
///
/// On nearly flat faces points move by κ = 1e10 times what an input changes, so that the rounding of the inputs and of
/// rotations moves them, and their derivatives, by κ units of rounding: that is no error of the derivatives. So errors are
/// also relative to 1 + 1e-7 κ, which is 1 for all but a few pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Errors {
    /// Of the gradient of the distance.
    gradient: f64,
    /// Of the gradient alone, which is made of the answer as it is: not among the worst.
    alone: f64,
    /// Of the Jacobians of normal and points: the worst column.
    jacobians: f64,
    /// Of the second derivative of the distance along random velocities.
    hessian: f64,
}

impl Errors {
    fn worst(&self) -> f64 {
        self.gradient.max(self.jacobians).max(self.hessian)
    }
}

enum Finding {
    /// There is a status that says that not everything exists.
    Labelled(DerivativeStatus),
    /// The answer is not converged.
    None,
    /// The oracle has no pair: a coordinate vanishes, or its Newton's method ends elsewhere.
    Unjudged,
    Judged {
        overlapping: bool,
        errors: Errors,
    },
}

fn answer(case: &Case) -> Contact {
    case.query(&QueryOptions::default())
}

fn derivatives(case: &Case, here: &Contact) -> Option<ContactDerivatives> {
    let (a, b) = (case.a.build(), case.b.build());
    contact_derivatives(&a, &case.pose_a, &b, &case.pose_b, here)
        .unwrap_or_else(|error| panic!("{error}\n{case:?}\n{here:?}"))
}

fn velocities(rng: &mut ChaCha8Rng) -> [f64; INPUTS] {
    std::array::from_fn(|_| rng.random_range(-1.0..1.0))
}

fn examine(case: &Case, rng: &mut ChaCha8Rng) -> Finding {
    let here = answer(case);
    let Some(found) = derivatives(case, &here) else {
        return Finding::None;
    };
    if found.status != DerivativeStatus::Exact {
        return Finding::Labelled(found.status);
    }
    let Some(oracle) = Stationary::new([&case.a, &case.b], [&case.pose_a, &case.pose_b], &here)
    else {
        return Finding::Unjudged;
    };
    let mut errors = Errors::default();
    let (a, b) = (case.a.build(), case.b.build());
    let alone = distance_gradient(&a, &case.pose_a, &b, &case.pose_b, &here)
        .expect("its answer")
        .expect("there are derivatives");
    let jacobians = [&found.normal, &found.point_a, &found.point_b];
    let kappa = jacobians.iter().map(|j| j.amax()).fold(1.0, f64::max);
    let relative = |off: f64, size: f64| {
        let error = off / ((1.0 + size) * (1.0 + 1e-7 * kappa));
        if error.is_nan() { f64::INFINITY } else { error }
    };
    for j in 0..INPUTS {
        let mut along = [0.0; INPUTS];
        along[j] = 1.0;
        let expected = oracle.first(&along, kappa);
        let (n, a, b) = (
            found.normal.column(j),
            found.point_a.column(j),
            found.point_b.column(j),
        );
        let column =
            SVector::<f64, 9>::from([n[0], n[1], n[2], a[0], a[1], a[2], b[0], b[1], b[2]]);
        let rest = expected.fixed_rows::<9>(1).into_owned();
        errors.gradient = errors.gradient.max(relative(
            (found.gradient[j] - expected[0]).abs(),
            expected[0].abs(),
        ));
        errors.alone = errors.alone.max(relative(
            (alone.gradient[j] - expected[0]).abs(),
            expected[0].abs(),
        ));
        errors.jacobians = errors
            .jacobians
            .max(relative((column - rest).norm(), rest.norm()));
    }
    for _ in 0..3 {
        let along = velocities(rng);
        let v = SVector::<f64, INPUTS>::from(along);
        // A product of 26 times 26 numbers: what they cancel is no error.
        let size = v.abs().dot(&(found.hessian.abs() * v.abs()));
        let off = (v.dot(&(found.hessian * v)) - oracle.second(&along, kappa)).abs();
        errors.hessian = errors.hessian.max(relative(off, size));
    }
    Finding::Judged {
        overlapping: here.distance < 0.0,
        errors,
    }
}

#[derive(Debug, Default)]
struct Tally {
    exact: usize,
    overlapping: usize,
    points_singular: usize,
    ties: usize,
    none: usize,
    unjudged: usize,
    worst: Errors,
    /// The pairs whose worst error exceeds 1e-9, 1e-8, 1e-7.
    beyond: [usize; 3],
    /// The pairs whose gradient alone exceeds 1e-7.
    alone_beyond: usize,
}

/// Examines pairs on all processors. Each hundred has its own numbers, so that the draw is the same on any
/// number of them.
fn examine_all(seed: u64, count: usize, draw: impl Fn(&mut ChaCha8Rng) -> Case + Sync) -> Tally {
    const GROUP: usize = 100;
    let next = AtomicUsize::new(0);
    let groups = count.div_ceil(GROUP);
    let work = || {
        let mut findings = Vec::new();
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed);
            if group >= groups {
                return findings;
            }
            let mut rng = crate::sets::seeded(1_000_000 * seed + group as u64);
            for _ in 0..GROUP.min(count - group * GROUP) {
                let case = draw(&mut rng);
                findings.push((case, examine(&case, &mut rng)));
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let findings: Vec<_> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .flat_map(|handle| handle.join().expect("no panic"))
            .collect()
    });
    let mut tally = Tally::default();
    for (case, finding) in findings {
        match finding {
            Finding::Labelled(DerivativeStatus::Tie) => tally.ties += 1,
            Finding::Labelled(status) => {
                println!("{status:?}: {case:?}");
                tally.points_singular += 1;
            }
            Finding::None => tally.none += 1,
            Finding::Unjudged => tally.unjudged += 1,
            Finding::Judged {
                overlapping,
                errors,
            } => {
                tally.exact += 1;
                tally.overlapping += usize::from(overlapping);
                for (limit, beyond) in [1e-9, 1e-8, 1e-7].into_iter().zip(&mut tally.beyond) {
                    *beyond += usize::from(errors.worst() > limit);
                }
                assert!(
                    errors.worst() < 1e-7,
                    "{errors:?}\n{case:?}\n{:?}",
                    answer(&case)
                );
                tally.alone_beyond += usize::from(errors.alone > 1e-7);
                let worst = &mut tally.worst;
                worst.gradient = worst.gradient.max(errors.gradient);
                worst.alone = worst.alone.max(errors.alone);
                worst.jacobians = worst.jacobians.max(errors.jacobians);
                worst.hessian = worst.hessian.max(errors.hessian);
            }
        }
    }
    tally
}

/// The oracle itself against a closed form: spheres.
#[test]
fn the_oracle_knows_spheres() {
    let mut rng = crate::sets::seeded(310);
    for _ in 0..5 {
        let ball = |r: f64| crate::oracle::Shape::new([r; 3], [1.0; 2], [0.0; 2]);
        let (r, n) = (rng.random_range(0.3..1.0), any_direction(&mut rng));
        let mut case = Battery::PAPER.draw(&mut rng);
        (case.a, case.b) = (ball(1.0), ball(r));
        case.pose_b.translation.vector = n * (1.7 + r);
        let oracle = Stationary::new(
            [&case.a, &case.b],
            [&case.pose_a, &case.pose_b],
            &answer(&case),
        )
        .expect("no coordinate vanishes");
        let mut along = [0.0; INPUTS];
        along[6..9].copy_from_slice(&[0.3, -0.4, 0.5]);
        let v = nalgebra::Vector3::new(0.3, -0.4, 0.5);
        let off = oracle.first(&along, 1.0)[0] - n.dot(&v);
        assert!(off.abs() < 1e-14, "{off:e}");
        let bend = (v.norm_squared() - n.dot(&v).powi(2)) / (1.7 + r);
        assert!((oracle.second(&along, 1.0) - bend).abs() < 1e-10 * bend);
    }
    assert!((real(2.0).ln().exp() - real(2.0)).0.abs() < 1e-29);
}

fn whole_domain(seed: u64, count: usize) {
    let tally = examine_all(seed, count, whole_convex_domain);
    check("whole convex domain", tally);
}

/// The other sets, each with that many pairs.
fn other_sets(seed: u64, others: usize) {
    check("boxes", examine_all(seed + 1, others, boxes));
    check("pointed", examine_all(seed + 2, others, pointed));
    check("needles", examine_all(seed + 3, others, needles));
    check(
        "unequal sizes",
        examine_all(seed + 4, others, unequal_sizes),
    );
    let near = examine_all(seed + 5, others, |rng| near_touching(rng).0);
    check("near touching", near);
    check("concentric", examine_all(seed + 6, others, concentric));
    let papers = examine_all(seed + 7, others, |rng| Battery::PAPER.draw(rng));
    check("papers, not all convex", papers);
}

/// Every derivative agrees to 1e-8, and hardly a pair is left out: bodies that lie at random have none but ties of
/// concentric ones.
fn check(name: &str, tally: Tally) {
    println!("{name}: {tally:?}");
    let pairs = tally.exact + tally.points_singular + tally.ties + tally.none + tally.unjudged;
    assert_eq!(tally.beyond[1], 0, "{name}: {tally:?}");
    let left_out = tally.points_singular + tally.none + tally.unjudged;
    assert!(200 * left_out <= pairs + 400, "{name}: {tally:?}");
    // Its normal is that of an answer to the default tolerance, 1e-9 of the size, which a normal that is off by some 1e-5
    // still meets: as documented.
    assert!(1000 * tally.alone_beyond <= pairs, "{name}: {tally:?}");
    assert!(tally.worst.alone < 1e-5, "{name}: {tally:?}");
    assert!(tally.ties == 0 || name == "concentric", "{name}: {tally:?}");
}

#[test]
fn derivatives_agree_with_31_digits() {
    whole_domain(311, 50);
    other_sets(311, 15);
}

#[test]
#[ignore = "100,000 pairs: ten minutes"]
fn derivatives_agree_with_31_digits_long() {
    whole_domain(321, 100_000);
}

#[test]
#[ignore = "14,000 pairs: a minute"]
fn derivatives_of_the_other_sets_agree_with_31_digits() {
    other_sets(321, 2000);
}

/// Boxes with parallel faces, and touching and nested bodies: what is called exact is right to 1e-7, the rest is labelled.
fn special_positions(count: usize) {
    for (name, tally) in [
        ("parallel boxes", examine_all(331, count, parallel_boxes)),
        (
            "touching exactly",
            examine_all(332, count, touching_exactly),
        ),
        ("inside", examine_all(333, count, inside)),
        ("identical", examine_all(334, count / 2, identical)),
        ("far", examine_all(335, count / 2, far)),
        ("not convex", examine_all(336, count, non_convex)),
        ("in the hollow", examine_all(337, count, in_the_hollow)),
    ] {
        println!("{name}: {tally:?}");
        assert_eq!(tally.beyond[2], 0, "{name}: {tally:?}");
        let enough = tally.exact > count / 10 || name == "identical";
        assert!(enough, "{name}: {tally:?}");
    }
}

#[test]
fn special_positions_are_right_or_labelled() {
    special_positions(30);
}

#[test]
#[ignore = "a long draw"]
fn special_positions_are_right_or_labelled_long() {
    special_positions(200);
}

/// Pairs of one shape that a reflection or a half turn exchanges are as deep along the image of their normal: a tie,
/// unless that is the normal itself.
#[test]
fn exchanged_bodies_tie() {
    let mut rng = crate::sets::seeded(319);
    let mut ties = 0;
    for k in 0..200 {
        let mut case = concentric(&mut rng);
        if case.a.t[0] != case.a.t[1] {
            continue;
        }
        case.b = case.a;
        let c = any_direction(&mut rng);
        let turn = case.pose_a.rotation;
        // A reflection across the centre line, or a half turn about an axis across it.
        let across = c.cross(&any_direction(&mut rng)).normalize();
        let (map, turn_b) = if k % 2 == 0 {
            let map = Matrix3::identity() - 2.0 * c * c.transpose();
            let flipped = Matrix3::from_diagonal(&Vector3::new(-1.0, 1.0, 1.0));
            let matrix = map * turn.to_rotation_matrix().matrix() * flipped;
            (map, UnitQuaternion::from_matrix(&matrix))
        } else {
            let map = 2.0 * across * across.transpose() - Matrix3::identity();
            (
                map,
                UnitQuaternion::from_scaled_axis(across * std::f64::consts::PI) * turn,
            )
        };
        let apart = c
            * (rng.random_range(0.1..0.6) * case.a.a.iter().copied().fold(f64::INFINITY, f64::min));
        case.pose_b =
            Isometry3::from_parts((case.pose_a.translation.vector + apart).into(), turn_b);
        let here = answer(&case);
        let found = derivatives(&case, &here).expect("converged");
        let n = here.normal.into_inner();
        let image = -(map * n);
        if (image - n).norm() > 1e-3 {
            ties += 1;
            assert_eq!(found.status, DerivativeStatus::Tie, "{case:?}\n{here:?}");
        }
    }
    assert!(ties > 20, "{ties}");
}
