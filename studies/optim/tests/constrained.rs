//! The nonlinear programs: what each constraint set finds, and that bad input is an error.

use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use superovoid::{Contact, DepthMode, QueryOptions, Superovoid, contact};
use superovoid_optim::OptimError;
use superovoid_optim::constrained::{
    ConstraintSet, Formulation, Sense, Solution, Solver, Start, SurfaceForm, Verdict, judge, solve,
    solve_from,
};
use superovoid_optim::random_pairs::{Pair, RandomPairs};

const SOLVERS: [Solver; 2] = [Solver::Sqp, Solver::InteriorPoint];

fn reference(pair: &Pair) -> Contact {
    let options = QueryOptions::default().with_depth(DepthMode::Certified);
    contact(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &options, None).unwrap()
}

fn solution(pair: &Pair, set: ConstraintSet, sense: Sense, solver: Solver) -> Solution {
    let form = SurfaceForm::Norm;
    let formulation = Formulation { set, form, sense };
    solve(
        &pair.a,
        &pair.pose_a,
        &pair.b,
        &pair.pose_b,
        formulation,
        solver,
    )
    .unwrap()
}

fn verdict(pair: &Pair, answer: &Contact, solution: &Solution) -> Verdict {
    judge(
        &pair.a,
        &pair.pose_a,
        &pair.b,
        &pair.pose_b,
        answer,
        solution,
    )
    .unwrap()
}

/// How many of 40 pairs are solved right.
fn right(overlapping: bool, set: ConstraintSet, sense: Sense, solver: Solver) -> usize {
    let mut draw = RandomPairs::new(7);
    let pairs = std::iter::from_fn(|| Some(draw.superovoids()))
        .map(|pair| (reference(&pair), pair))
        .filter(|(answer, _)| (answer.distance < 0.0) == overlapping)
        .take(40);
    pairs
        .filter(|(answer, pair)| {
            let solved = solution(pair, set, sense, solver);
            matches!(verdict(pair, answer, &solved), Verdict::Right(_))
        })
        .count()
}

#[test]
fn every_set_finds_the_distance_of_most_pairs() {
    for solver in SOLVERS {
        for set in ConstraintSet::ALL {
            let count = right(false, set, Sense::Apart, solver);
            assert!(count >= 25, "{solver:?} {set:?}: {count} of 40");
        }
    }
}

#[test]
fn the_surfaces_alone_suffice_for_the_distance() {
    for solver in SOLVERS {
        assert!(right(false, ConstraintSet::A, Sense::Apart, solver) >= 38);
    }
}

/// The paper's three starts lead to the same distance, wherever the solver says that it has converged.
#[test]
fn every_start_leads_to_the_distance() {
    let formulation = Formulation {
        set: ConstraintSet::A,
        form: SurfaceForm::Norm,
        sense: Sense::Apart,
    };
    for start in [Start::OnSurfaces, Start::Share(0.20), Start::Share(0.45)] {
        for solver in SOLVERS {
            let mut draw = RandomPairs::new(13);
            let pairs = std::iter::from_fn(|| Some(draw.superovoids()))
                .map(|pair| (reference(&pair), pair))
                .filter(|(answer, _)| answer.distance > 0.0);
            let right = pairs.take(40).filter(|(answer, p)| {
                let (a, b) = ((&p.a, &p.pose_a), (&p.b, &p.pose_b));
                let solved = solve_from(start, a.0, a.1, b.0, b.1, formulation, solver).unwrap();
                matches!(verdict(p, answer, &solved), Verdict::Right(_))
            });
            assert!(right.count() >= 38, "{start:?} {solver:?}");
        }
    }
}

#[test]
fn as_printed_only_b_and_e_find_the_penetration() {
    use ConstraintSet::{B, E};
    for solver in SOLVERS {
        for set in ConstraintSet::ALL {
            let count = right(true, set, Sense::Apart, solver);
            if [B, E].contains(&set) {
                assert!(count >= 25, "{solver:?} {set:?}: {count} of 40");
            } else {
                assert_eq!(count, 0, "{solver:?} {set:?}");
            }
        }
    }
}

#[test]
fn with_the_sign_of_an_overlap_the_other_sets_find_it_too() {
    use ConstraintSet::{C, D, F, G, H};
    for set in [C, D, F, G, H] {
        let count = right(true, set, Sense::Overlapping, Solver::Sqp);
        assert!(count >= 25, "{set:?}: {count} of 40");
    }
}

#[test]
fn a_wrong_point_is_judged_wrong() {
    let pair = RandomPairs::new(11).superovoids();
    let answer = reference(&pair);
    let mut claimed = Solution {
        point_a: answer.point_a,
        point_b: answer.point_b,
        converged: true,
        status: String::new(),
        violation: 0.0,
        iterations: 0,
        evaluations: 0,
    };
    assert!(matches!(
        verdict(&pair, &answer, &claimed),
        Verdict::Right(_)
    ));
    claimed.point_b += Vector3::new(1e-3, -1e-3, 1e-3);
    assert_eq!(verdict(&pair, &answer, &claimed), Verdict::Wrong);
    claimed.converged = false;
    assert_eq!(verdict(&pair, &answer, &claimed), Verdict::NotConverged);
}

/// Every set with both solvers and both surface forms returns, and points that it calls converged
/// are numbers.
fn returns(a: &Superovoid, b: &Superovoid, pose_b: &Isometry3<f64>) {
    for solver in SOLVERS {
        for set in ConstraintSet::ALL {
            for form in [SurfaceForm::Norm, SurfaceForm::InsideOutside] {
                let sense = Sense::Apart;
                let formulation = Formulation { set, form, sense };
                let solved = solve(a, &Isometry3::identity(), b, pose_b, formulation, solver);
                let solved = solved.unwrap();
                let finite = solved.point_a.iter().chain(solved.point_b.iter());
                assert!(!solved.converged || finite.into_iter().all(|x| x.is_finite()));
            }
        }
    }
}

#[test]
fn a_start_on_a_ridge_returns() {
    // The centre line leaves both bodies where their second derivatives are infinite.
    let pointed = Superovoid::superellipsoid([1.0; 3], [1.98, 1.98]).unwrap();
    returns(&pointed, &pointed, &Isometry3::translation(3.0, 0.0, 0.0));
}

#[test]
fn boxes_and_needles_return() {
    let brick = Superovoid::superellipsoid([1.0, 2.0, 0.5], [0.02, 0.02]).unwrap();
    let needle = Superovoid::superellipsoid([1e-6, 1.0, 1e-6], [1.0, 0.5]).unwrap();
    let turned = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.2));
    let there = Isometry3::from_parts(Vector3::new(0.4, 2.0, 1.0).into(), turned);
    returns(&brick, &needle, &there);
    returns(&needle, &brick, &Isometry3::translation(1e9, 1.0, 0.0));
    let taper = Superovoid::new([1.0; 3], [0.5, 1.2], [0.95, -0.9]).unwrap();
    returns(&taper, &brick, &there);
}

#[test]
fn bad_input_is_an_error() {
    let ball = Superovoid::sphere(1.0).unwrap();
    let here = Isometry3::identity();
    let formulation = Formulation {
        set: ConstraintSet::A,
        form: SurfaceForm::Norm,
        sense: Sense::Apart,
    };
    let run = |pose: &Isometry3<f64>| solve(&ball, &here, &ball, pose, formulation, Solver::Sqp);
    assert_eq!(run(&here).unwrap_err(), OptimError::Concentric);
    let nowhere = Isometry3::translation(0.0, f64::INFINITY, 0.0);
    assert_eq!(
        run(&nowhere).unwrap_err(),
        OptimError::NonFinitePose { body: 'B' }
    );
}

/// Nothing panics over the whole domain: exponents to 1e-3 of its ends, tapers to 0.99, sizes 1:1e6.
#[test]
#[ignore = "minutes"]
fn the_whole_domain_returns() {
    use rand::{RngExt, SeedableRng};
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(23);
    let mut between = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    for _ in 0..150 {
        let mut shape = || {
            let a = [(); 3].map(|()| 10f64.powf(between(-6.0, 0.0)));
            let e = [(); 2].map(|()| between(0.001, 1.999));
            Superovoid::new(a, e, [(); 2].map(|()| between(-0.99, 0.99))).unwrap()
        };
        let (a, b) = (shape(), shape());
        let turn = UnitQuaternion::from_euler_angles(between(-3.0, 3.0), between(-1.5, 1.5), 0.1);
        let centre = Vector3::new(between(-2.0, 2.0), between(-2.0, 2.0), between(-2.0, 2.0));
        returns(&a, &b, &Isometry3::from_parts(centre.into(), turn));
    }
}
