//! Batches of pairs: what single queries say, whatever the neighbours.

use crate::oracle::Shape;
use crate::sets::{self, Battery, Case};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use superovoid::{
    Contact, Outcome, Pair, PairError, QueryError, QueryOptions, Superovoid, contact, contact_batch,
};

/// Pairs of every kind, mixed so that neighbours have little in common.
fn mixed(count: usize) -> Vec<Case> {
    let mut rng = sets::seeded(60);
    (0..count)
        .map(|k| match k % 13 {
            0..=3 => Battery::PAPER.draw(&mut rng),
            4 => sets::whole_convex_domain(&mut rng),
            5 => sets::boxes(&mut rng),
            6 => sets::parallel_boxes(&mut rng),
            7 => sets::pointed(&mut rng),
            8 => sets::needles(&mut rng),
            9 => sets::touching_exactly(&mut rng),
            10 => sets::scales(&mut rng),
            11 => sets::ellipsoids_near(&mut rng, 0.1).0,
            _ => sets::concentric(&mut rng),
        })
        .collect()
}

fn solve(cases: &[Case], options: &QueryOptions) -> Vec<Contact> {
    let shapes: Vec<_> = cases.iter().map(|c| (c.a.build(), c.b.build())).collect();
    let pairs: Vec<_> = cases
        .iter()
        .zip(&shapes)
        .map(|(case, (a, b))| Pair {
            a,
            pose_a: &case.pose_a,
            b,
            pose_b: &case.pose_b,
        })
        .collect();
    let mut answers = vec![Contact::default(); pairs.len()];
    contact_batch(&pairs, &mut answers, options).expect("valid");
    answers
}

/// What a batch says of a pair is what the pair's own query says, within the tolerance, where both prove it, and
/// never contradicts it. Returns whether one of them says or proves more than the other: of overlaps, whose least depth
/// is searched for from where Newton's method ended, that may be.
fn assert_agree(case: &Case, alone: &Contact, answer: &Contact) -> bool {
    let size = case
        .a
        .a
        .iter()
        .chain(&case.b.a)
        .fold(0.0, |m: f64, a| m.max(*a));
    let far = (case.pose_a.translation.vector - case.pose_b.translation.vector).norm();
    let tolerance = 1e-10 * (size + far);
    let says = || format!("{case:?}: {answer:?}, alone {alone:?}");
    let apart = answer.lower > alone.upper + tolerance || alone.lower > answer.upper + tolerance;
    assert!(!apart, "brackets of {}", says());
    let same = answer.outcome == alone.outcome;
    // Beyond the limit any lower bound of the distance will do.
    let near =
        (answer.distance - alone.distance).abs() <= tolerance || answer.outcome == Outcome::Beyond;
    assert!(
        near || !same || answer.outcome == Outcome::Converged,
        "{}",
        says()
    );
    let overlap = answer.distance.max(alone.distance) <= 0.0;
    assert!(same || overlap, "{}", says());
    !(same && near)
}

fn batches_and_single_queries(count: usize) {
    // Last bits decide whether the search over box-like overlaps closes a bracket that the local solution alone
    // leaves open: in nine draws, for none to four of the cases.
    const MOST_DIFFERING: usize = 6;
    let cases = mixed(count);
    let few_steps = QueryOptions::default().with_max_iterations(3);
    let near = QueryOptions::default().with_max_distance(0.1);
    for options in [QueryOptions::default(), few_steps, near] {
        let answers = solve(&cases, &options);
        let differing = cases
            .iter()
            .zip(&answers)
            .filter(|(case, answer)| assert_agree(case, &case.query(&options), answer))
            .count();
        assert!(
            differing <= MOST_DIFFERING,
            "{differing} say or prove more or less"
        );
    }
}

draws!(batches_and_single_queries: batches_agree_with_single_queries 400, batches_agree_with_single_queries_long 1200);

#[test]
fn neighbours_do_not_matter() {
    let cases = mixed(300);
    let options = QueryOptions::default();
    let whole = solve(&cases, &options);
    let mut backwards: Vec<_> = cases.iter().rev().copied().collect();
    let mut reversed = solve(&backwards, &options);
    reversed.reverse();
    assert_eq!(whole, reversed);
    backwards.truncate(5);
    let last = solve(&backwards, &options);
    assert!(last.iter().eq(whole.iter().rev().take(5)));
    assert!(solve(&[], &options).is_empty());
}

#[test]
fn the_first_refused_pair_is_named() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::identity();
    let nowhere = Isometry3::new(Vector3::repeat(f64::NAN), Vector3::zeros());
    let pair = |pose_b| Pair {
        a: &ball,
        pose_a: &here,
        b: &ball,
        pose_b,
    };
    let mut pairs = vec![pair(&here); 200];
    (pairs[133], pairs[170]) = (pair(&nowhere), pair(&nowhere));
    let mut answers = vec![Contact::default(); 200];
    let error = contact_batch(&pairs, &mut answers, &QueryOptions::default()).expect_err("NaN");
    assert_eq!(
        error,
        PairError {
            index: 133,
            error: QueryError::NonFinitePose { body: 'B' },
        }
    );
    assert!(error.to_string().starts_with("pair 133 (counted from 0): "));

    let error =
        contact_batch(&pairs, &mut answers[..7], &QueryOptions::default()).expect_err("length");
    let lengths = QueryError::LengthMismatch {
        inputs: 200,
        answers: 7,
    };
    assert_eq!(error.error, lengths);

    let refused = QueryOptions::default().with_tolerance(-1.0);
    let error = contact_batch(&pairs[..3], &mut answers[..3], &refused).expect_err("option");
    assert_eq!(error.index, 0);
}

/// Each number of a pose, of either body, with a limit and without.
#[test]
fn poses_are_refused_as_by_single_queries() {
    let body = Superovoid::superellipsoid([1.0, 0.8, 0.6], [0.5, 0.8]).expect("valid");
    let (here, far) = (Isometry3::identity(), Isometry3::translation(2.3, 0.1, 0.2));
    let with = |k: usize, x: f64| {
        let mut pose = far;
        if k < 3 {
            pose.translation.vector[k] = x;
        } else {
            let mut quaternion = far.rotation.into_inner();
            quaternion.coords[k - 3] = x;
            pose.rotation = UnitQuaternion::new_unchecked(quaternion);
        }
        pose
    };
    let mut poses: Vec<Isometry3<f64>> = Vec::new();
    for k in 0..7 {
        poses.extend([f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200].map(|x| with(k, x)));
    }
    // Of nearly unit length, more and less.
    poses.extend([1e-7, 9e-7, 1.1e-6, -1e-7, -9e-7, -1.1e-6].map(|off| with(6, 1.0 + off)));
    for max_distance in [f64::INFINITY, 5.0] {
        let options = QueryOptions::default().with_max_distance(max_distance);
        for odd in &poses {
            for swapped in [false, true] {
                let pair = |pose| {
                    let (pose_a, pose_b) = if swapped {
                        (pose, &here)
                    } else {
                        (&here, pose)
                    };
                    let (a, b) = (&body, &body);
                    Pair {
                        a,
                        pose_a,
                        b,
                        pose_b,
                    }
                };
                let mut pairs = vec![pair(&far); 40];
                pairs[21] = pair(odd);
                let Pair {
                    a,
                    pose_a,
                    b,
                    pose_b,
                } = pairs[21];
                let alone = contact(a, pose_a, b, pose_b, &options, None);
                let mut answers = vec![Contact::default(); 40];
                match (contact_batch(&pairs, &mut answers, &options), alone) {
                    (Ok(()), Ok(alone)) => {
                        let change = (answers[21].distance - alone.distance).abs();
                        assert!(change <= 1e-9 * alone.distance.abs(), "{odd:?} {change:e}");
                    }
                    (Err(error), Err(alone)) => {
                        assert_eq!(
                            (error.index, error.error.to_string()),
                            (21, alone.to_string())
                        );
                    }
                    (together, alone) => panic!("{odd:?}: {together:?}, {alone:?}"),
                }
            }
        }
    }
}

/// An answer beyond the number range comes to light later than a pose that is refused.
#[test]
fn an_earlier_overflow_is_named_first() {
    let huge = Superovoid::superellipsoid([1e307; 3], [0.5, 0.8]).expect("valid");
    let here = Isometry3::identity();
    let (beyond, nowhere) = (
        Isometry3::translation(1.7e308, 1.7e308, 0.0),
        Isometry3::translation(f64::NAN, 0.0, 0.0),
    );
    let pair = |pose_b| Pair {
        a: &huge,
        pose_a: &here,
        b: &huge,
        pose_b,
    };
    for (overflow, odd) in [(1, 2), (3, 30), (5, 150), (70, 71)] {
        let mut pairs = vec![pair(&here); 200];
        (pairs[overflow], pairs[odd]) = (pair(&beyond), pair(&nowhere));
        let mut answers = vec![Contact::default(); 200];
        for max_distance in [f64::INFINITY, 1e300] {
            let options = QueryOptions::default().with_max_distance(max_distance);
            let alone = contact(&huge, &here, &huge, &beyond, &options, None).err();
            let error = contact_batch(&pairs, &mut answers, &options).expect_err("NaN");
            let first = alone.map_or((odd, QueryError::NonFinitePose { body: 'B' }), |alone| {
                (overflow, alone)
            });
            assert_eq!((error.index, error.error), first);
        }
    }
}

/// Centres exactly on a common axis: Newton's guess is at the poles, where the sections say nothing.
#[test]
fn coaxial_pairs_agree_with_single_queries() {
    let mut rng = sets::seeded(61);
    let mut cases: Vec<Case> = (0..40).map(|_| sets::coaxial(&mut rng)).collect();
    let shape = |a, e| Shape::new(a, e, [0.0; 2]);
    for z in [1.7, 2.2, -2.2] {
        cases.push(Case {
            a: shape([1.0, 1.0, 0.8], [0.7, 0.5]),
            pose_a: Isometry3::identity(),
            b: shape([1.3, 1.3, 1.1], [1.0, 0.7]),
            pose_b: Isometry3::translation(0.0, 0.0, z),
        });
    }
    let options = QueryOptions::default();
    let answers = solve(&cases, &options);
    let mut differing = 0;
    for (case, answer) in cases.iter().zip(&answers) {
        let alone = case.query(&options);
        differing += usize::from(assert_agree(case, &alone, answer));
        // Whatever is proven.
        let change = (answer.distance - alone.distance).abs();
        assert!(change < 1e-9, "{case:?}: {alone:?} or {answer:?}");
    }
    // The least depths of two bodies of revolution tie along a circle: which of them is found decides whether its
    // bracket closes.
    assert!(differing <= 1, "{differing} are proven by one only");
}
