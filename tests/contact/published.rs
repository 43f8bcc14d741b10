//! The four schemes of the 2017 paper: how often they are right, and that they never say so when they
//! are not.
//!
//! The tables are printed by `cargo test --release --test contact schemes -- --nocapture`, those of
//! 10,000 pairs, with times, by the same with `--ignored --test-threads 1`.

use crate::oracle::{Effort, Shape, check_with, examine};
use crate::sets::{Battery, Case, any_direction, any_pose, in_parallel, spread};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use rand_chacha::ChaCha8Rng;
use std::sync::Mutex;
use std::time::Instant;
use superovoid::published::{
    CellExtent, Division, Jacobian, Scheme, SchemeOptions, scheme_contact, scheme_trace,
};
use superovoid::surface::SurfaceAngles;
use superovoid::{Contact, Outcome, PairCache, QueryError, QueryOptions, Superovoid, contact};

const CONVEX: Battery = Battery {
    convex_only: true,
    ..Battery::PAPER
};

fn by(scheme: Scheme) -> SchemeOptions {
    SchemeOptions {
        scheme,
        ..SchemeOptions::default()
    }
}

fn judged(case: &Case, options: &SchemeOptions, answer: &Contact) {
    let (a, b) = (case.a.build(), case.b.build());
    let verdict = check_with(&a, &case.pose_a, &b, &case.pose_b, options, answer);
    assert_eq!(verdict, Ok(()), "{options:?}");
}

// ---- the battery --------------------------------------------------------------------------

/// How a scheme fared on the pairs apart, or on those that overlap.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    count: usize,
    /// Labelled certified or converged, and the oracle agrees.
    right: usize,
    not_converged: usize,
    /// A stationary depth, passed off as no more, where convex bodies have a smaller one.
    not_least: usize,
    iterations: u64,
    seconds: f64,
}

impl Score {
    fn share_right(&self) -> f64 {
        self.right as f64 / self.count.max(1) as f64
    }

    fn print(&self, set: &str, options: &SchemeOptions, side: &str) {
        let per = |x: f64| x / self.count.max(1) as f64;
        println!(
            "{set}, {}, {:?}, {side}: {} pairs, {:.2} % right, 0 wrong, {} not the least depth, {} \
             not converged, {:.2} iterations, {:.1} us",
            options.scheme,
            options.jacobian,
            self.count,
            100.0 * self.share_right(),
            self.not_least,
            self.not_converged,
            per(self.iterations as f64),
            1e6 * per(self.seconds),
        );
    }
}

/// `[apart, overlapping]`, told by the oracle's search for a separating plane (of bodies that are not
/// convex: of their hulls). Panics if the oracle rejects an answer.
fn score(set: &str, cases: &[Case], options: &SchemeOptions) -> [Score; 2] {
    // The queries first and alone, so that their times mean something.
    let shapes: Vec<_> = cases.iter().map(|c| (c.a.build(), c.b.build())).collect();
    let timed = |(case, (a, b)): (&Case, &(Superovoid, Superovoid))| {
        let start = Instant::now();
        let answer =
            scheme_contact(a, &case.pose_a, b, &case.pose_b, options, None).expect("valid");
        (answer, start.elapsed().as_secs_f64())
    };
    let answers: Vec<_> = cases.iter().zip(&shapes).map(timed).collect();
    let scores = Mutex::new([Score::default(); 2]);
    in_parallel(cases.len(), |i| {
        let (case, (a, b), (answer, seconds)) = (&cases[i], &shapes[i], answers[i]);
        let verdict = examine(
            a,
            &case.pose_a,
            b,
            &case.pose_b,
            options,
            &answer,
            Effort::LIGHT,
        );
        let finding = verdict.unwrap_or_else(|why| panic!("{set}, pair {i}, {options:?}: {why}"));
        let not_least = finding.excess > 2e-6 * case.size() && case.is_convex();
        let mut scores = scores.lock().expect("no holder panics");
        let score = &mut scores[usize::from(finding.best_gap < 0.0)];
        score.count += 1;
        score.iterations += u64::from(answer.iterations);
        score.seconds += seconds;
        if answer.outcome == Outcome::NotConverged {
            score.not_converged += 1;
        } else if not_least {
            score.not_least += 1;
        } else {
            score.right += 1;
        }
    });
    let scores = scores.into_inner().expect("no holder panicked");
    for (score, side) in scores.iter().zip(["apart", "overlapping"]) {
        score.print(set, options, side);
    }
    scores
}

fn draws(seed: u64, count: usize, draw: impl Fn(&mut ChaCha8Rng) -> Case) -> Vec<Case> {
    let one = |i: usize| {
        let mut rng = crate::sets::seeded(seed);
        rng.set_stream(i as u64);
        draw(&mut rng)
    };
    (0..count).map(one).collect()
}

/// The battery of the paper: untapered, convex tapers, any tapers. The shares asked for are below
/// those measured on 10,000 pairs by a few times the scatter of so small a sample.
fn battery(count: usize, jacobian: Jacobian) {
    let untapered = Battery {
        taper: 0.0,
        ..Battery::PAPER
    };
    let sets = [
        ("untapered", draws(80, count, |rng| untapered.draw(rng))),
        ("convex tapers", draws(81, count, |rng| CONVEX.draw(rng))),
        (
            "any tapers",
            draws(82, count, |rng| Battery::PAPER.draw(rng)),
        ),
    ];
    for (set, cases) in &sets {
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                jacobian,
                ..by(scheme)
            };
            let [apart, overlapping] = score(set, cases, &options);
            if *set == "any tapers" {
                // Bodies that are not convex leave some brackets open.
                assert!(apart.share_right() >= 0.9, "{apart:?}");
            } else {
                assert!(apart.share_right() >= 0.995, "{apart:?}");
                let rare = overlapping.not_least * 1000 <= overlapping.count;
                assert!(rare, "{overlapping:?}");
            }
            assert!(overlapping.share_right() >= 0.98, "{overlapping:?}");
            assert!(apart.count > count / 4 && overlapping.count > count / 4);
        }
    }
}

#[test]
fn battery_of_the_papers_is_as_published() {
    battery(40, Jacobian::Analytic);
}

#[test]
fn battery_with_forward_differences_is_as_published() {
    battery(20, Jacobian::ForwardDifferences);
}

#[test]
#[ignore = "10,000 pairs: a minute or two"]
fn battery_of_the_papers_is_as_published_long() {
    battery(10_000, Jacobian::Analytic);
    battery(2_000, Jacobian::ForwardDifferences);
}

type Draw = fn(&mut ChaCha8Rng) -> Case;

/// The answers of the non-uniform quadtrees are judged as those of the published ones.
fn quadtrees_in_polar_angles(count: usize) {
    for (set, seed, draw) in [
        ("untapered", 84, (|rng| CONVEX.draw(rng)) as Draw),
        ("boxes", 85, crate::sets::boxes),
        ("pointed", 86, crate::sets::pointed),
        ("not convex", 87, crate::sets::non_convex),
    ] {
        for scheme in [Scheme::QuadImplicit, Scheme::NtbParametric] {
            let options = SchemeOptions {
                division: Division::PolarAngles,
                ..by(scheme)
            };
            let [apart, _] = score(set, &draws(seed, count, draw), &options);
            if set == "untapered" {
                assert!(apart.share_right() >= 0.97, "{apart:?}");
            }
        }
    }
}

draws!(quadtrees_in_polar_angles: quadtrees_in_polar_angles_are_right 25, quadtrees_in_polar_angles_are_right_long 60);

/// Of a box with e = 0.05 and a ball above one of its faces, the polar tree has a cell near the middle of the face, and
/// the published one has not: its first cells beside the middle lie almost in the edges.
#[test]
fn quadtrees_in_polar_angles_reach_faces() -> Result<(), Box<dyn std::error::Error>> {
    let slab = Superovoid::superellipsoid([1.0, 1.0, 1.0], [0.05, 0.05])?;
    let ball = Superovoid::sphere(0.1)?;
    let (here, there) = (
        Isometry3::identity(),
        Isometry3::translation(0.4, 0.35, 1.2),
    );
    let exact = contact(&slab, &here, &ball, &there, &QueryOptions::default(), None)?.distance;
    let longer = |division| -> Result<f64, Box<dyn std::error::Error>> {
        let options = SchemeOptions {
            division,
            ..by(Scheme::NtbParametric)
        };
        let trace = scheme_trace(&slab, &here, &ball, &there, &options)?;
        let first = &trace.attempts[0];
        for pair in first.levels.iter().flatten() {
            let CellExtent::Angles { phi1, phi2 } = pair[0].extent else {
                return Err("a quadtree has ranges of angles".into());
            };
            let corner = |k: usize, j: usize| {
                slab.point_at(SurfaceAngles {
                    phi1: phi1[k],
                    phi2: phi2[j],
                })
            };
            // The point of a cell lies between its corners' heights.
            let heights = [corner(0, 0).z, corner(0, 1).z];
            let within = heights[0] - 1e-12..=heights[1] + 1e-12;
            assert!(within.contains(&pair[0].point.z), "{division:?}, {pair:?}");
        }
        let guess = first.iterates[0];
        Ok((guess.point_a - guess.point_b).norm() - exact)
    };
    let (polar, published) = (
        longer(Division::PolarAngles)?,
        longer(Division::SurfaceAngles)?,
    );
    assert!(
        polar < 0.02 && published > 0.1,
        "{polar} and {published} m longer"
    );
    Ok(())
}

/// Far outside of what the paper tries: nothing is rejected by the oracle, however many are not
/// converged.
fn whole_domain(count: usize) {
    let sets: [(&str, Draw); 11] = [
        ("whole convex domain", crate::sets::whole_convex_domain),
        ("boxes", crate::sets::boxes),
        ("parallel boxes", crate::sets::parallel_boxes),
        ("pointed", crate::sets::pointed),
        ("needles", crate::sets::needles),
        ("unequal sizes", crate::sets::unequal_sizes),
        ("far", crate::sets::far),
        ("near touching", |rng| crate::sets::near_touching(rng).0),
        ("touching", crate::sets::touching_exactly),
        ("concentric", crate::sets::concentric),
        ("not convex", crate::sets::non_convex),
    ];
    for (set, draw) in sets {
        let cases = draws(83, count, draw);
        for scheme in Scheme::ALL {
            score(set, &cases, &by(scheme));
        }
    }
}

#[test]
fn nothing_is_labelled_converged_when_it_is_wrong() {
    whole_domain(8);
}

#[test]
#[ignore = "11 sets of 2,000 pairs: some minutes"]
fn nothing_is_labelled_converged_when_it_is_wrong_long() {
    whole_domain(2_000);
}

/// A ridge of B faces a flank of A, and Newton was stopped on its way: the bracket was closed along
/// the mean normal while the points lay beside it by its root, and lining them up took B's off its
/// surface by 3e-3.
#[test]
fn points_beside_the_normal_are_not_certified() {
    let quaternion =
        |i, j, k, w| UnitQuaternion::new_normalize(nalgebra::Quaternion::new(w, i, j, k));
    let case = Case {
        a: Shape::new(
            [0.3168377533459833, 1.2820773522446367, 0.883950779186332],
            [1.8008315117858318, 1.8536372978452846],
            [0.0; 2],
        ),
        pose_a: Isometry3::from_parts(
            Vector3::zeros().into(),
            quaternion(
                0.36981509053411304,
                -0.38829363816426166,
                -0.04214886375021019,
                -0.8430233227253997,
            ),
        ),
        b: Shape::new(
            [1.4827391580323341, 2.283032356471179, 0.8975314233345689],
            [1.948633814526698, 1.9596066431527803],
            [0.0; 2],
        ),
        pose_b: Isometry3::from_parts(
            Vector3::new(3.4130705942476287, 1.5095190093045219, 0.25592181804083425).into(),
            quaternion(
                0.32925767850273713,
                0.6983902190457526,
                -0.20495191065892296,
                0.6015273870784861,
            ),
        ),
    };
    for scheme in Scheme::ALL {
        let options = by(scheme);
        judged(&case, &options, &case.query(&options));
    }
}

// ---- properties ---------------------------------------------------------------------------

/// Pairs of the convex battery, apart and overlapping, that all schemes solve.
fn solved(count: usize) -> Vec<Case> {
    draws(84, count, |rng| CONVEX.draw(rng))
}

/// Within the tolerance of both.
fn same_distance(case: &Case, x: f64, y: f64) {
    assert!(
        (x - y).abs() <= 2.1e-6 * case.size(),
        "{x:e} {y:e}\n{case:?}"
    );
}

fn swapped_moved_and_scaled_pairs(count: usize) {
    let mut rng = crate::sets::seeded(85);
    for case in solved(count) {
        for scheme in Scheme::ALL {
            let options = by(scheme);
            let answer = case.query(&options);
            if answer.outcome == Outcome::NotConverged {
                continue;
            }
            let k = spread(&mut rng, 1e-6, 1e6);
            let swapped = Case {
                a: case.b,
                pose_a: case.pose_b,
                b: case.a,
                pose_b: case.pose_a,
            };
            let moved = case.moved(&any_pose(&mut rng, 10.0));
            for (other, unit) in [(swapped, 1.0), (moved, 1.0), (case.scaled(k), k)] {
                let found = other.query(&options);
                judged(&other, &options, &found);
                assert_ne!(
                    found.outcome,
                    Outcome::NotConverged,
                    "{options:?} {other:?}"
                );
                same_distance(&case, answer.distance, found.distance / unit);
            }
        }
    }
}

draws!(swapped_moved_and_scaled_pairs: swapped_moved_and_scaled_pairs_have_the_same_distance 10, swapped_moved_and_scaled_pairs_have_the_same_distance_long 30);

/// A pair query by the exact method (`None`) or by a scheme.
fn ask(
    scheme: Option<Scheme>,
    case: &Case,
    [a, b]: [&Superovoid; 2],
    cache: &mut PairCache,
) -> Contact {
    let (pose_a, pose_b) = (&case.pose_a, &case.pose_b);
    match scheme {
        None => contact(a, pose_a, b, pose_b, &QueryOptions::default(), Some(cache)),
        Some(scheme) => scheme_contact(a, pose_a, b, pose_b, &by(scheme), Some(cache)),
    }
    .expect("valid")
}

fn exactly_judged(case: &Case, answer: &Contact) {
    let (a, b) = (case.a.build(), case.b.build());
    let options = QueryOptions::default();
    let verdict = check_with(&a, &case.pose_a, &b, &case.pose_b, &options, answer);
    assert_eq!(verdict, Ok(()));
}

/// A cache filled by any method serves any other, and one of another pair does no harm.
fn warm_starts_across_methods(count: usize) {
    let mut rng = crate::sets::seeded(86);
    let [o, q, p, n] = Scheme::ALL.map(Some);
    let methods = [None, o, q, p, n];
    let mut stranger = PairCache::default();
    let mut iterations = [0, 0];
    for case in solved(count) {
        let (a, b) = (case.a.build(), case.b.build());
        let turn = UnitQuaternion::from_scaled_axis(any_direction(&mut rng) * 0.01);
        let mut next = case;
        next.pose_b.rotation = turn * case.pose_b.rotation;
        for first in methods {
            let mut cache = PairCache::default();
            let filled = ask(first, &case, [&a, &b], &mut cache);
            let converged = filled.outcome != Outcome::NotConverged;
            assert_eq!(cache.is_empty(), !converged);
            for second in methods {
                let query = |cache: &mut PairCache| ask(second, &next, [&a, &b], cache);
                let cold = query(&mut PairCache::default());
                let warm = query(&mut cache.clone());
                let misled = query(&mut stranger);
                for answer in [warm, misled] {
                    match second {
                        None => exactly_judged(&next, &answer),
                        Some(scheme) => judged(&next, &by(scheme), &answer),
                    }
                    if cold.outcome != Outcome::NotConverged {
                        assert_ne!(answer.outcome, Outcome::NotConverged, "{next:?}");
                        same_distance(&case, cold.distance, answer.distance);
                    }
                }
                iterations[0] += cold.iterations;
                iterations[1] += warm.iterations;
            }
        }
    }
    assert!(iterations[1] < iterations[0], "{iterations:?}");
}

draws!(warm_starts_across_methods: warm_starts_give_the_cold_answer_across_methods 4, warm_starts_give_the_cold_answer_across_methods_long 12);

fn stops_at_a_distance(count: usize) {
    for case in solved(count) {
        let truth = case.query(&QueryOptions::default()).distance;
        for scheme in Scheme::ALL {
            for share in [0.5, 2.0] {
                let options = SchemeOptions {
                    max_distance: share * truth.max(1e-3),
                    ..by(scheme)
                };
                let answer = case.query(&options);
                judged(&case, &options, &answer);
                let beyond = answer.outcome == Outcome::Beyond;
                assert_eq!(beyond, truth > options.max_distance, "{case:?}");
            }
        }
    }
}

draws!(stops_at_a_distance: max_distance_stops_with_a_proof 8, max_distance_stops_with_a_proof_long 20);

/// Without a step, or with one: a true bracket and no label that is not deserved.
fn iteration_limits(count: usize) {
    for case in solved(count) {
        for scheme in Scheme::ALL {
            for max_iterations in [0, 1, 2] {
                let options = SchemeOptions {
                    max_iterations,
                    ..by(scheme)
                };
                let answer = case.query(&options);
                judged(&case, &options, &answer);
                // Two guesses at most.
                assert!(answer.iterations <= 2 * max_iterations);
            }
        }
    }
}

draws!(iteration_limits: iteration_limits_are_kept 7, iteration_limits_are_kept_long 20);

/// While the bracket contains 0 an answer that is not converged reports its lower end.
#[test]
fn nothing_in_doubt_reads_as_free() {
    let mut open = 0;
    for case in solved(60) {
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                max_iterations: 0,
                ..by(scheme)
            };
            let answer = case.query(&options);
            if answer.outcome == Outcome::NotConverged && answer.lower <= 0.0 {
                assert_eq!(answer.distance, answer.lower);
                open += 1;
            }
        }
    }
    assert!(open > 20, "{open}");
}

/// Under a wide tolerance, points beside the normal were lined up past each other: pointed bodies that
/// overlap, found to be 4 and 24 mm apart and called converged.
#[test]
fn overlaps_found_under_a_wide_tolerance_are_not_apart() {
    let bodies = |e: [[f64; 2]; 2], t: [[f64; 2]; 2]| {
        [0, 1].map(|i| Superovoid::new([1.0; 3], e[i], t[i]).unwrap())
    };
    let cases = [
        (
            bodies(
                [[1.774, 1.812], [1.896, 1.783]],
                [[-0.467, 0.467], [0.109, 0.359]],
            ),
            [-0.327, -0.849, -1.119],
            [1.989, -1.341, 0.631],
        ),
        (
            bodies(
                [[1.962, 1.704], [1.897, 1.835]],
                [[-0.059, 0.445], [0.289, 0.246]],
            ),
            [0.7, -0.558, 1.132],
            [-0.213, 1.061, 1.125],
        ),
    ];
    for ([a, b], at, turn) in cases {
        let (here, there) = (
            Isometry3::identity(),
            Isometry3::new(at.into(), turn.into()),
        );
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                tolerance: 0.1,
                ..by(scheme)
            };
            let answer = scheme_contact(&a, &here, &b, &there, &options, None).unwrap();
            let apart = answer.outcome == Outcome::Converged && answer.distance > 0.0;
            assert!(!apart, "{scheme}: {answer:?}");
        }
    }
}

#[test]
fn spheres_have_closed_form_answers() {
    let (a, b) = (
        Superovoid::sphere(1.0).expect("valid"),
        Superovoid::sphere(0.5).expect("valid"),
    );
    let here = Isometry3::identity();
    for scheme in Scheme::ALL {
        for x in [1e3, 3.0, 1.5, 1.4, 0.6] {
            let there = Isometry3::translation(0.6 * x, 0.0, -0.8 * x);
            let answer = scheme_contact(&a, &here, &b, &there, &by(scheme), None).expect("valid");
            assert_ne!(
                answer.outcome,
                Outcome::NotConverged,
                "{scheme} {x} {answer:?}"
            );
            assert!(
                (answer.distance - (x - 1.5)).abs() < 1e-6,
                "{scheme} {x} {answer:?}"
            );
        }
        let answer = scheme_contact(&a, &here, &b, &here, &by(scheme), None).expect("valid");
        assert!(
            answer.lower <= -1.5 + 1e-6 && answer.upper >= -1.5 - 1e-6,
            "{answer:?}"
        );
    }
}

/// The solution is at a pole of both, where φ1 has no meaning, and beside one, where an iterate
/// passes it.
#[test]
fn poles_are_passed_and_reached() {
    let body = Superovoid::new([1.0, 0.8, 1.2], [0.8, 0.9], [0.1, 0.1]).expect("valid");
    let here = Isometry3::identity();
    for scheme in Scheme::ALL {
        for tilt in [0.0, 1e-9, 1e-3, 0.02, 0.1] {
            let turn =
                UnitQuaternion::from_scaled_axis(Vector3::new(std::f64::consts::PI, 0.0, 0.0))
                    * UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 1.0, 0.0) * tilt);
            let there = Isometry3::from_parts(Vector3::new(0.0, 0.0, 3.0).into(), turn);
            let exact = contact(&body, &here, &body, &there, &QueryOptions::default(), None);
            let found =
                scheme_contact(&body, &here, &body, &there, &by(scheme), None).expect("valid");
            assert_eq!(
                found.outcome,
                Outcome::Certified,
                "{scheme} {tilt} {found:?}"
            );
            let wanted = exact.expect("valid").distance;
            assert!(
                (found.distance - wanted).abs() < 2e-6,
                "{scheme} {tilt} {found:?}"
            );
        }
    }
}

#[test]
fn invalid_input_is_an_error_that_names_it() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::identity();
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    for scheme in Scheme::ALL {
        let error = |pose_b, options: &SchemeOptions| {
            scheme_contact(&ball, &here, &ball, pose_b, options, None).unwrap_err()
        };
        let refused = error(&nowhere, &by(scheme));
        assert_eq!(refused, QueryError::NonFinitePose { body: 'B' });
        let negative = SchemeOptions {
            tolerance: -1.0,
            ..by(scheme)
        };
        let refused = error(&here, &negative).to_string();
        assert!(refused.starts_with("option tolerance = -1"), "{refused}");
        let nan = SchemeOptions {
            max_distance: f64::NAN,
            ..by(scheme)
        };
        let refused = error(&here, &nan).to_string();
        assert!(
            refused.starts_with("option max_distance = NaN"),
            "{refused}"
        );
    }
}

/// Finite inputs at the ends of the number range: an answer or an error, never a panic.
#[test]
fn extreme_inputs_do_not_panic() {
    let lengths = [5e-324, 1e-200, 1e-20, 1.0, 1e150, f64::MAX];
    let exponents = [f64::MIN_POSITIVE, 1e-9, 0.02, 1.98, 2.0 - f64::EPSILON];
    let tapers = [0.0, 0.95, -1.0 + f64::EPSILON];
    let here = Isometry3::identity();
    let examine = |a: &Superovoid, b: &Superovoid, x: f64| {
        let there = Isometry3::translation(x, 0.2 * x, -0.1 * x);
        for scheme in Scheme::ALL {
            if let Ok(c) = scheme_contact(a, &here, b, &there, &by(scheme), None) {
                let ordered = c.lower <= c.distance && c.distance <= c.upper;
                assert!(ordered, "{scheme} {a:?} {b:?} {x} {c:?}");
            }
        }
    };
    let ball = Superovoid::sphere(0.5).expect("valid");
    for size_a in lengths {
        for size_b in lengths {
            let a = Superovoid::new([size_a; 3], [0.3, 1.2], [0.1, 0.1]).expect("valid");
            let b = Superovoid::superellipsoid([size_b; 3], [0.8, 0.8]).expect("valid");
            for x in [5e-324, 1e-20, 1.0, 1e150] {
                examine(&a, &b, x);
            }
        }
    }
    for e1 in exponents {
        for e2 in exponents {
            for t in tapers {
                let a = Superovoid::new([1.0; 3], [e1, e2], [t, -t]).expect("valid");
                for x in [0.0, 0.7, 3.0] {
                    examine(&a, &ball, x);
                }
            }
        }
    }
}
