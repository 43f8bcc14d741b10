//! Tests of the oracle's verdict: it must reject wrong answers, which are right ones altered in one claim at a time.

use crate::oracle::check;
use crate::sets::Case;
use nalgebra::{Unit, Vector3};
use superovoid::{Contact, Outcome, QueryOptions};

type Alteration = (&'static str, fn(&Case, &mut Contact));

fn refuses(case: &Case, alterations: &[Alteration]) {
    let answer = case.query(&QueryOptions::default());
    let (a, b) = (case.a.build(), case.b.build());
    let verdict = |answer: &Contact| check(&a, &case.pose_a, &b, &case.pose_b, answer);
    assert_eq!(verdict(&answer), Ok(()));
    for (name, alter) in alterations {
        let mut altered = answer;
        alter(case, &mut altered);
        assert!(
            verdict(&altered).is_err(),
            "{name} passed:\n{case:?}\n{altered:?}"
        );
    }
}

/// Everything shifted so that the answer is consistent in itself and only untrue.
fn claim(answer: &mut Contact, distance: f64) {
    let width = answer.upper - answer.lower;
    answer.distance = distance;
    (answer.lower, answer.upper) = (distance, distance + width);
    answer.point_b = answer.point_a + answer.normal.into_inner() * distance;
}

const OF_ANY_PAIR: [Alteration; 6] = [
    ("NaN", |_, c| c.point_a.x = f64::NAN),
    ("a normal 1e-12 too long", |_, c| {
        c.normal = Unit::new_unchecked(c.normal.into_inner() * (1.0 + 1e-12));
    }),
    ("a reversed normal", |_, c| c.normal = -c.normal),
    ("a bracket that misses the distance", |_, c| {
        c.upper = c.distance - 1e-12
    }),
    ("points that do not close", |case, c| {
        c.point_b += Vector3::x() * (1e-12 * case.size());
    }),
    ("points off the surface", |case, c| {
        let shift = c.normal.into_inner() * (1e-7 * case.size());
        c.point_a += shift;
        c.point_b += shift;
    }),
];

#[test]
fn wrong_answers_apart_are_refused() {
    let mut rng = crate::sets::seeded(1);
    for _ in 0..100 {
        let case = crate::sets::convex_apart(&mut rng);
        refuses(&case, &OF_ANY_PAIR);
        refuses(
            &case,
            &[
                ("a longer distance", |case, c| {
                    claim(c, c.distance + 1e-6 * case.size())
                }),
                ("a shorter distance", |case, c| {
                    claim(c, c.distance - 1e-6 * case.size())
                }),
                ("overlap", |case, c| claim(c, -0.1 * case.size())),
                ("a lower bound too high", |case, c| {
                    c.lower = c.distance + 1e-7 * case.size();
                    c.upper = c.lower;
                }),
                ("a wide certified bracket", |case, c| {
                    c.lower -= 1e-6 * case.size()
                }),
            ],
        );
    }
}

#[test]
fn wrong_depths_are_refused() {
    let mut rng = crate::sets::seeded(2);
    let battery = crate::sets::Battery {
        convex_only: true,
        distance: 1.5,
        ..crate::sets::Battery::PAPER
    };
    for _ in 0..30 {
        let case = battery.draw(&mut rng);
        refuses(&case, &OF_ANY_PAIR);
        refuses(
            &case,
            &[
                ("apart", |case, c| claim(c, 0.01 * case.size())),
                ("touching", |_, c| claim(c, 0.0)),
                ("a deeper upper bound", |case, c| {
                    claim(c, c.distance - 1e-6 * case.size());
                }),
                ("a lower bound above the truth", |case, c| {
                    c.lower = c.distance + 1e-6 * case.size();
                    c.upper = c.lower;
                }),
                ("certified with an open bracket", |case, c| {
                    c.outcome = Outcome::Certified;
                    c.upper = c.distance + 0.1 * case.size();
                }),
            ],
        );
    }
}

/// Non-convex bodies: overlap claimed of bodies apart in a hollow, and separation of bodies that
/// overlap.
#[test]
fn wrong_sides_of_non_convex_bodies_are_refused() {
    let mut rng = crate::sets::seeded(3);
    for _ in 0..20 {
        refuses(
            &crate::sets::in_the_hollow(&mut rng),
            &[("overlap in the hollow", |case, c| {
                let size = case.b.size();
                claim(c, -0.1 * size);
                (c.lower, c.upper) = (-10.0 * size, 0.0);
                c.outcome = Outcome::Converged;
            })],
        );
    }
    let mut overlapping = 0;
    while overlapping < 20 {
        let case = crate::sets::non_convex(&mut rng);
        let answer = case.query(&QueryOptions::default());
        if answer.distance > -0.05 * case.size() {
            continue;
        }
        overlapping += 1;
        // Nothing but the bracket's lower end claims that the bodies are apart.
        refuses(
            &case,
            &[("apart", |case, c| {
                c.lower = 1e-3 * case.size();
                c.distance = c.lower;
                c.upper = 10.0 * case.size();
                c.point_b = c.point_a + c.normal.into_inner() * c.distance;
                c.outcome = Outcome::NotConverged;
            })],
        );
    }
}
