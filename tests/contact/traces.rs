//! What a query and a published scheme tell of their ways: they lead to the answers, by the steps that these count.

use crate::sets::{Battery, Case, seeded};
use nalgebra::Point3;
use superovoid::pair::{ContactStage, contact_trace};
use superovoid::published::{CellExtent, Scheme, SchemeOptions, scheme_contact, scheme_trace};
use superovoid::{Contact, DepthMode, Outcome, QueryOptions};

/// Pairs of all kinds: of the papers, apart, ellipsoids, one in the other, not convex.
fn cases(count: usize) -> Vec<Case> {
    let mut rng = seeded(340);
    (0..count)
        .map(|k| match k % 5 {
            0 => Battery::PAPER.draw(&mut rng),
            1 => crate::sets::convex_apart(&mut rng),
            2 => crate::sets::ellipsoids_near(&mut rng, 0.2).0,
            3 => crate::sets::inside(&mut rng),
            _ => crate::sets::non_convex(&mut rng),
        })
        .collect()
}

fn same_bits(x: &Contact, y: &Contact) {
    assert_eq!(format!("{x:?}"), format!("{y:?}"));
}

/// Returns how far the points of a pair are from those of an answer, by the size of the pair.
fn off(case: &Case, points: [Point3<f64>; 2], answer: &Contact) -> f64 {
    let [p, q] = points;
    ((p - answer.point_a).norm() + (q - answer.point_b).norm()) / case.size()
}

/// The last iterate of Newton's method is the answer wherever the method answers, which it does for nearly all pairs
/// apart, by as many steps as the answer counts. It is better than the guess.
#[test]
fn iterates_of_the_query_lead_to_its_answer() {
    let (mut by_newton, mut later, mut apart, mut as_counted) = (0, 0, 0, 0);
    for case in cases(400) {
        let (a, b) = (case.a.build(), case.b.build());
        for depth in [DepthMode::Fast, DepthMode::Certified] {
            let options = QueryOptions::default().with_depth(depth);
            let trace = contact_trace(&a, &case.pose_a, &b, &case.pose_b, &options);
            let trace = trace.expect("valid");
            same_bits(&trace.contact, &case.query(&options));
            let (last, before) = trace.iterates.split_last().expect("an answer");
            let miss = off(&case, [last.point_a, last.point_b], &trace.contact);
            assert!(miss < 1e-5, "{miss:e}\n{case:?}");
            assert!(before.iter().all(|at| at.stage == ContactStage::Newton));
            let certified = trace.contact.outcome == Outcome::Certified;
            if trace.contact.distance > 0.0 && case.is_convex() && certified {
                apart += 1;
                by_newton += u32::from(last.stage == ContactStage::Newton);
                let steps = trace.contact.iterations as usize;
                as_counted += u32::from((steps + 1..=steps + 2).contains(&trace.iterates.len()));
            }
            if last.stage == ContactStage::Newton {
                let guess = trace.iterates[0].residual;
                assert!(
                    last.residual < 1e-6 && last.residual <= guess,
                    "{guess:e} {:e}\n{case:?}",
                    last.residual
                );
            } else {
                later += 1;
            }
        }
    }
    println!(
        "{apart} apart, {by_newton} of them by Newton's method, {as_counted} in as many steps; {later} later"
    );
    assert!(apart > 200 && 100 * by_newton > 95 * apart && 100 * as_counted > 95 * apart);
    assert!(later > 50);
}

fn contains(outer: &CellExtent, inner: &CellExtent) -> bool {
    const ROUNDING: f64 = 1e-12;
    let within = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a <= c + ROUNDING && d <= b + ROUNDING;
    match (outer, inner) {
        (
            CellExtent::Box {
                center: c,
                half_widths: h,
            },
            CellExtent::Box {
                center: d,
                half_widths: k,
            },
        ) => (0..3).all(|i| within([c[i] - h[i], c[i] + h[i]], [d[i] - k[i], d[i] + k[i]])),
        (CellExtent::Angles { phi1: a, phi2: b }, CellExtent::Angles { phi1: c, phi2: d }) => {
            within(*a, *c) && within(*b, *d)
        }
        _ => false,
    }
}

/// A trace has the answer of the scheme to the bit, and its iterations. Each cell lies in one of the level above.
#[test]
fn traces_of_the_schemes_lead_to_their_answers() {
    let (mut ended, mut all, mut with_lost) = (0, 0, 0);
    for case in cases(120) {
        let (a, b) = (case.a.build(), case.b.build());
        for scheme in Scheme::ALL {
            let options = SchemeOptions {
                scheme,
                ..SchemeOptions::default()
            };
            let trace = scheme_trace(&a, &case.pose_a, &b, &case.pose_b, &options).expect("valid");
            let found = scheme_contact(&a, &case.pose_a, &b, &case.pose_b, &options, None);
            same_bits(&trace.contact, &found.expect("valid"));
            let steps = |count: usize| count.saturating_sub(1) as u32;
            let counted: u32 = trace
                .attempts
                .iter()
                .map(|attempt| steps(attempt.iterates.len()))
                .sum();
            // A step that leads nowhere is counted, and is the last of its attempt.
            let lost = trace.contact.iterations.checked_sub(counted);
            let lost = lost.unwrap_or_else(|| panic!("{scheme}: {counted}\n{case:?}"));
            assert!(
                lost as usize <= trace.attempts.len(),
                "{scheme}: {lost}\n{case:?}"
            );
            (all, with_lost) = (all + 1, with_lost + u32::from(lost > 0));
            for levels in trace
                .attempts
                .iter()
                .flat_map(|attempt| attempt.levels.windows(2))
            {
                for pair in &levels[1] {
                    for body in [0, 1] {
                        let mut above = levels[0].iter().map(|pair| &pair[body].extent);
                        let inner = &pair[body].extent;
                        assert!(
                            above.any(|outer| contains(outer, inner)),
                            "{scheme} {inner:?}"
                        );
                    }
                }
            }
            let last = trace
                .attempts
                .last()
                .and_then(|attempt| attempt.iterates.last());
            if let Some(last) = last
                && trace.contact.outcome == Outcome::Certified
            {
                ended += 1;
                // Certified answers are closed to 1e-6 of the size; the points are as near as that allows.
                let miss = off(&case, [last.point_a, last.point_b], &trace.contact);
                assert!(miss < 1e-4, "{scheme}: {miss:e}\n{case:?}");
            }
        }
    }
    println!("{ended} certified answers of {all}, {with_lost} with a step that leads nowhere");
    assert!(ended > 100 && 20 * with_lost < all);
}
