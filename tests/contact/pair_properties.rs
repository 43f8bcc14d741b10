//! Properties between answers: swapped bodies, moved frames, other units, warm starts, early
//! exit, the same bits again; and what a query refuses.

use crate::oracle::{check, check_with};
use crate::sets::{Battery, Case, any_pose, in_parallel, spread};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::RngExt;
use superovoid::{
    Contact, DepthMode, Outcome, Pair, PairCache, QueryError, QueryOptions, Superovoid, contact,
    contact_batch,
};

/// Convex pairs apart or in shallow overlap, for which the answer is unique: those of the
/// battery and of the whole domain.
fn pairs(seed: u64, count: usize) -> Vec<Case> {
    let mut rng = crate::sets::seeded(seed);
    let battery = Battery {
        convex_only: true,
        ..Battery::PAPER
    };
    (0..count)
        .map(|i| match i % 4 {
            0 => battery.draw(&mut rng),
            1 => crate::sets::convex_apart(&mut rng),
            2 => crate::sets::ellipsoids_near(&mut rng, 0.2).0,
            _ => crate::sets::near_touching(&mut rng).0,
        })
        .collect()
}

fn judged(case: &Case, answer: &Contact) {
    let verdict = check(
        &case.a.build(),
        &case.pose_a,
        &case.b.build(),
        &case.pose_b,
        answer,
    );
    assert_eq!(verdict, Ok(()));
}

/// Two answers of the same pair have the same distance: each is within the tolerance, 1e-9 of the
/// size, of the truth.
fn same_distance(case: &Case, x: f64, y: f64) {
    assert!((x - y).abs() <= 2e-9 * case.size(), "{x:e} {y:e}\n{case:?}");
}

/// To the tolerance of both answers: which body is the first decides the solver's frame, and so the rounding.
fn swapped_bodies(count: usize) {
    for case in pairs(1, count) {
        let swapped = Case {
            a: case.b,
            pose_a: case.pose_b,
            b: case.a,
            pose_b: case.pose_a,
        };
        let options = QueryOptions::default();
        let (x, y) = (case.query(&options), swapped.query(&options));
        same_distance(&case, x.distance, y.distance);
        judged(&swapped, &y);
        // The normals of convex bodies apart are unique; where the bodies nearly touch, the
        // bracket leaves the direction free by its root.
        if x.distance > 1e-3 * case.size() {
            let turn = (x.normal.into_inner() + y.normal.into_inner()).norm();
            assert!(turn < 1e-3, "{turn:e}\n{case:?}");
        }
    }
}

draws!(swapped_bodies: swapping_the_bodies_swaps_the_answer 200, swapping_the_bodies_swaps_the_answer_long 600);

fn rigid_motions(count: usize) {
    let mut rng = crate::sets::seeded(2);
    for case in pairs(2, count) {
        let motion = any_pose(&mut rng, 10.0);
        let moved = case.moved(&motion);
        let options = QueryOptions::default();
        let (x, y) = (case.query(&options), moved.query(&options));
        same_distance(&case, x.distance, y.distance);
        judged(&moved, &y);
    }
}

draws!(rigid_motions: rigid_motions_move_the_answer 200, rigid_motions_move_the_answer_long 600);

fn scaled_lengths(count: usize) {
    let mut rng = crate::sets::seeded(3);
    for case in pairs(3, count) {
        let k = spread(&mut rng, 1e-6, 1e6);
        let scaled = case.scaled(k);
        let options = QueryOptions::default();
        let (x, y) = (case.query(&options), scaled.query(&options));
        same_distance(&case, x.distance, y.distance / k);
        judged(&scaled, &y);
    }
}

draws!(scaled_lengths: lengths_scale_the_answer 200, lengths_scale_the_answer_long 600);

/// A cache that follows a moving pair, one of another pair, and one of a mirrored pose: the
/// distance is that of a query without.
#[test]
fn warm_starts_change_nothing() {
    warm_starts(30);
}

#[test]
#[ignore = "a long draw"]
fn warm_starts_change_nothing_long() {
    warm_starts(300);
}

fn warm_starts(count: usize) {
    let mut rng = crate::sets::seeded(4);
    let mut stranger = PairCache::default();
    let (mut filled, mut iterations) = (0, [0, 0]);
    for case in pairs(4, count) {
        let mut cache = PairCache::default();
        assert!(cache.is_empty());
        let (a, b) = (case.a.build(), case.b.build());
        let mut pose_b = case.pose_b;
        for step in 0..6 {
            let options = QueryOptions::default();
            let query = |cache| {
                contact(&a, &case.pose_a, &b, &pose_b, &options, cache).expect("valid poses")
            };
            let cold = query(None);
            let warm = query(Some(&mut cache));
            let misled = query(Some(&mut stranger));
            filled += usize::from(!cache.is_empty());
            if step > 0 && step < 5 {
                iterations[0] += cold.iterations;
                iterations[1] += warm.iterations;
            }
            for other in [warm, misled] {
                same_distance(&case, cold.distance, other.distance);
                let verdict = check(&a, &case.pose_a, &b, &pose_b, &other);
                assert_eq!(verdict, Ok(()));
            }
            // Small steps, then a jump.
            let angle = if step < 4 { 0.01 } else { 2.0 };
            let turn = nalgebra::UnitQuaternion::from_scaled_axis(
                crate::sets::any_direction(&mut rng) * angle,
            );
            pose_b.rotation = turn * pose_b.rotation;
        }
    }
    // Or else this test would have compared cold starts with cold starts.
    assert!(
        filled > count * 6 * 9 / 10,
        "only {filled} caches were filled"
    );
    assert!(
        iterations[1] < iterations[0],
        "warm starts cost more: {iterations:?}"
    );
}

/// The pose after moving along one vector, metres, and about another, radians, both times `k`.
fn moved(
    pose: &Isometry3<f64>,
    along: &Vector3<f64>,
    about: &Vector3<f64>,
    k: f64,
) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_scaled_axis(about * k);
    let to = pose.translation.vector + along * k;
    Isometry3::from_parts(to.into(), turn * pose.rotation)
}

/// Along a steady motion a cache that has seen it saves steps against one that knows the last answer only.
/// A motion that ends, or turns back, changes no answer.
#[test]
fn warm_starts_follow_a_steady_motion() {
    let mut rng = crate::sets::seeded(41);
    let options = QueryOptions::default();
    let (mut following, mut from_last) = (0, 0);
    for case in pairs(41, 60) {
        let (a, b) = (case.a.build(), case.b.build());
        let twist = crate::sets::any_direction(&mut rng) * 0.004;
        let along = crate::sets::any_direction(&mut rng) * (0.004 * case.size());
        let at = |time| moved(&case.pose_b, &along, &twist, time);
        let query = |time: f64, cache: Option<&mut PairCache>| {
            contact(&a, &case.pose_a, &b, &at(time), &options, cache).expect("valid poses")
        };
        let (mut follows, mut last) = (PairCache::default(), 0.0);
        for time in [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 6.0, 6.0, 5.0, 4.0, 9.0] {
            let warm = query(time, Some(&mut follows));
            same_distance(&case, query(time, None).distance, warm.distance);
            let verdict = check(&a, &case.pose_a, &b, &at(time), &warm);
            assert_eq!(verdict, Ok(()));
            let steady = (3.0..=6.0).contains(&time) && time > last;
            if steady && warm.outcome == Outcome::Certified && warm.distance > 0.0 {
                let mut knows_last = PairCache::default();
                query(last, Some(&mut knows_last));
                let other = query(time, Some(&mut knows_last));
                following += warm.iterations;
                from_last += other.iterations;
            }
            last = time;
        }
    }
    assert!(
        10 * following < 8 * from_last,
        "{following} steps, {from_last} without what went before"
    );
}

/// A warm start so near the solution that the step to it is taken without another evaluation leads to the
/// same answer, to rounding.
#[test]
fn a_last_step_without_an_evaluation_loses_nothing() {
    last_steps(100);
}

#[test]
#[ignore = "a long draw"]
fn a_last_step_without_an_evaluation_loses_nothing_long() {
    last_steps(1200);
}

fn last_steps(count: usize) {
    let mut rng = crate::sets::seeded(43);
    let options = QueryOptions::default();
    let (mut without, mut inexact) = (0, 0);
    for case in pairs(43, count) {
        let (a, b) = (case.a.build(), case.b.build());
        let size = case.size();
        let twist = crate::sets::any_direction(&mut rng);
        let along = crate::sets::any_direction(&mut rng) * size;
        let step = spread(&mut rng, 1e-5, 1e-2);
        let mut cache = PairCache::default();
        for time in 0..8 {
            let pose_b = moved(&case.pose_b, &along, &twist, step * f64::from(time));
            let query = |cache| {
                contact(&a, &case.pose_a, &b, &pose_b, &options, cache).expect("valid poses")
            };
            let warm = query(Some(&mut cache));
            if warm.iterations > 0 {
                continue;
            }
            let cold = query(None);
            without += 1;
            let rounding = 1e-14 * size + 1e-15 * pose_b.translation.vector.norm();
            let error = (warm.distance - cold.distance).abs();
            // On a face that is all but flat the residual that counts as none, 1e-11, is a long way, of which the brackets
            // tell.
            let width = |answer: &superovoid::Contact| answer.upper - answer.lower;
            let told = width(&warm) + width(&cold);
            assert!(error <= told, "{error:e} {step:e}\n{case:?}");
            inexact += usize::from(error > rounding);
            let verdict = check(&a, &case.pose_a, &b, &pose_b, &warm);
            assert_eq!(verdict, Ok(()), "{step:e}\n{case:?}");
        }
    }
    assert!(4 * without > 5 * count, "only {without} such answers");
    assert!(
        200 * inexact < without,
        "{inexact} of {without} are not exact"
    );
}

/// Of bodies that face each other alike the very first guess has no residual: any number of iterations does.
#[test]
fn bodies_that_face_each_other_alike_are_solved_at_once() {
    let directions = [
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ];
    for (e, direction) in [0.05, 0.3, 0.7, 1.3, 1.9]
        .into_iter()
        .flat_map(|e| directions.map(|direction| (e, direction)))
    {
        let body = Superovoid::superellipsoid([1.0; 3], [e; 2]).expect("valid");
        let apart = Vector3::from(direction).normalize();
        let poses = [3.0, 4.0].map(|far| Isometry3::from(apart * far));
        for (pose, max_iterations) in poses
            .iter()
            .flat_map(|pose| [1, 2, 3, 30].map(|n| (pose, n)))
        {
            let options = QueryOptions::default().with_max_iterations(max_iterations);
            let identity = Isometry3::identity();
            let answer = contact(&body, &identity, &body, pose, &options, None).expect("valid");
            let pair = Pair {
                a: &body,
                pose_a: &identity,
                b: &body,
                pose_b: pose,
            };
            let mut together = [Contact::default(); 8];
            contact_batch(&[pair; 8], &mut together, &options).expect("valid");
            for answer in [answer, together[0]] {
                let verdict = check_with(&body, &identity, &body, pose, &options, &answer);
                assert_eq!(verdict, Ok(()), "{e} {direction:?} {max_iterations}");
                let solved = matches!(answer.outcome, Outcome::Certified | Outcome::Converged);
                assert!(solved, "{e} {direction:?} {max_iterations}");
            }
        }
    }
}

/// Beyond `max_distance` the query may stop with a proof of that; nearer it must not.
fn stops_at_a_distance(count: usize) {
    let mut rng = crate::sets::seeded(5);
    let mut stopped = 0;
    for case in pairs(5, count) {
        let truth = case.query(&QueryOptions::default());
        let options = QueryOptions::default()
            .with_max_distance(truth.distance.max(1e-3) * rng.random_range(0.2..2.0));
        let answer = case.query(&options);
        let verdict = check_with(
            &case.a.build(),
            &case.pose_a,
            &case.b.build(),
            &case.pose_b,
            &options,
            &answer,
        );
        assert_eq!(verdict, Ok(()));
        if answer.outcome == Outcome::Beyond {
            stopped += 1;
            assert!(answer.lower > options.max_distance, "{case:?} {answer:?}");
            assert!(answer.lower <= truth.upper, "{case:?} {answer:?} {truth:?}");
        } else if truth.lower <= options.max_distance {
            same_distance(&case, truth.distance, answer.distance);
        }
        if truth.upper <= options.max_distance {
            assert_ne!(answer.outcome, Outcome::Beyond, "{case:?} {answer:?}");
        }
    }
    assert!(stopped > count / 12, "only {stopped} early exits");
}

draws!(stops_at_a_distance: max_distance_is_a_proof_or_nothing 200, max_distance_is_a_proof_or_nothing_long 600);

fn bits(answer: &Contact) -> [u64; 13] {
    let (p, q, n) = (answer.point_a, answer.point_b, answer.normal);
    [
        answer.distance.to_bits(),
        p.x.to_bits(),
        p.y.to_bits(),
        p.z.to_bits(),
        q.x.to_bits(),
        q.y.to_bits(),
        q.z.to_bits(),
        n.x.to_bits(),
        n.y.to_bits(),
        n.z.to_bits(),
        answer.lower.to_bits(),
        answer.upper.to_bits(),
        u64::from(answer.iterations) << 8 | answer.outcome as u64,
    ]
}

/// The same pair has the same bits every time, in any order and on any thread.
#[test]
fn answers_are_the_same_bits() {
    let mut cases = pairs(6, 300);
    let mut rng = crate::sets::seeded(6);
    for _ in 0..60 {
        cases.push(crate::sets::non_convex(&mut rng));
        cases.push(crate::sets::concentric(&mut rng));
        cases.push(crate::sets::parallel_boxes(&mut rng));
    }
    let options = QueryOptions::default();
    let first: Vec<[u64; 13]> = cases.iter().map(|c| bits(&c.query(&options))).collect();
    in_parallel(2 * cases.len(), |i| {
        let i = i % cases.len();
        assert_eq!(bits(&cases[i].query(&options)), first[i], "{:?}", cases[i]);
    });
}

#[test]
fn poses_that_are_not_finite_are_refused() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::identity();
    let options = QueryOptions::default();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for i in 0..3 {
            let there = Isometry3::from_parts((Vector3::ith(i, bad)).into(), here.rotation);
            let error = contact(&ball, &here, &ball, &there, &options, None).unwrap_err();
            assert_eq!(error, QueryError::NonFinitePose { body: 'B' });
            let error = contact(&ball, &there, &ball, &here, &options, None).unwrap_err();
            assert_eq!(error, QueryError::NonFinitePose { body: 'A' });
        }
        let turn =
            nalgebra::UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(bad, 0.0, 0.0, 0.0));
        let there = Isometry3::from_parts(Translation3::identity(), turn);
        let error = contact(&ball, &here, &ball, &there, &options, None).unwrap_err();
        assert_eq!(error, QueryError::NonFinitePose { body: 'B' });
        assert!(error.to_string().contains("body B"), "{error}");
    }
}

#[test]
fn options_out_of_their_domain_are_refused_by_name() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let (here, there) = (Isometry3::identity(), Isometry3::translation(3.0, 0.0, 0.0));
    let default = QueryOptions::default();
    let refused = [
        ("tolerance", default.with_tolerance(-1e-9)),
        ("tolerance", default.with_tolerance(f64::NAN)),
        ("max_distance", default.with_max_distance(f64::NAN)),
    ];
    for (field, options) in refused {
        match contact(&ball, &here, &ball, &there, &options, None) {
            Err(QueryError::Option { name, .. }) => assert_eq!(name, field),
            other => panic!("{options:?} gave {other:?}"),
        }
    }
}

/// Finite inputs at the ends of the number range: an answer or an error, never a panic, never
/// "apart" and "overlapping" at once. Whatever is certified must be finite.
#[test]
fn extreme_finite_inputs_do_not_panic() {
    let numbers = [
        5e-324,
        1e-310,
        1e-200,
        1e-150,
        1e-20,
        1.0,
        1e20,
        1e150,
        1e200,
        f64::MAX,
    ];
    for &size_a in &numbers {
        for &size_b in &numbers {
            for &distance in &numbers {
                for e in [[1.0, 1.0], [0.1, 0.3], [1.9, 1.7]] {
                    for depth in [DepthMode::Fast, DepthMode::Certified] {
                        let a = Superovoid::new([size_a; 3], e, [0.1, 0.1]).expect("valid");
                        let b = Superovoid::superellipsoid([size_b; 3], e).expect("valid");
                        let there = Isometry3::translation(distance, 0.0, -distance);
                        let here = Isometry3::identity();
                        let options = QueryOptions::default().with_depth(depth);
                        if let Ok(c) = contact(&a, &here, &b, &there, &options, None) {
                            let context =
                                || format!("{size_a:e} {size_b:e} {distance:e} {e:?} {c:?}");
                            assert!(!c.distance.is_nan(), "{}", context());
                            assert!(
                                c.lower <= c.distance && c.distance <= c.upper,
                                "{}",
                                context()
                            );
                            if c.outcome == Outcome::Certified {
                                assert!(c.distance.is_finite(), "{}", context());
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Exponents and tapers at the very ends of their domains: one in so many of all combinations.
fn extreme_exponents_and_tapers(one_in: usize) {
    let near_two = 2.0 - f64::EPSILON;
    let exponents = [
        f64::MIN_POSITIVE,
        1e-300,
        1e-9,
        1e-3,
        1.0,
        1.999_999,
        near_two,
    ];
    let tapers = [0.0, 0.999, 1.0 - f64::EPSILON, -1.0 + f64::EPSILON, 5e-324];
    let ball = Superovoid::sphere(0.5).expect("valid");
    let mut number = 0_usize;
    for &e1 in &exponents {
        for &e2 in &exponents {
            for &tx in &tapers {
                for &ty in &tapers {
                    number += 1;
                    if !number.is_multiple_of(one_in) {
                        continue;
                    }
                    let a = Superovoid::new([1.0; 3], [e1, e2], [tx, ty]).expect("valid");
                    for x in [0.0, 0.5, 1.0, 3.0] {
                        let there = Isometry3::translation(x, 0.2 * x, 0.1);
                        let options = QueryOptions::default();
                        let here = Isometry3::identity();
                        let c = contact(&a, &here, &ball, &there, &options, None).expect("finite");
                        let context = || format!("{e1:e} {e2:e} {tx} {ty} {x} {c:?}");
                        assert!(c.distance.is_finite(), "{}", context());
                        assert!(
                            c.lower <= c.distance && c.distance <= c.upper,
                            "{}",
                            context()
                        );
                    }
                }
            }
        }
    }
}

draws!(extreme_exponents_and_tapers: extreme_exponents_and_tapers_do_not_panic 8, extreme_exponents_and_tapers_do_not_panic_long 1);
