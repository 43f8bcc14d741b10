//! The pair query on every set, compared with the oracle.
//!
//! `oracle/verdict.rs` tells what counts as wrong. The ordinary run draws as many pairs as fit into some seconds;
//! `cargo test --release -- --ignored` runs the long draws of the same sets.

use crate::oracle::Effort;
use crate::sets::{Battery, Case, Tally, judge_all};
use superovoid::{DepthMode, QueryOptions};

const FAST: QueryOptions = QueryOptions::DEFAULT
    .with_tolerance(0.0)
    .with_max_iterations(30)
    .with_max_distance(f64::INFINITY)
    .with_depth(DepthMode::Fast);

const CERTIFIED: QueryOptions = FAST.with_depth(DepthMode::Certified);

type Rng = rand_chacha::ChaCha8Rng;

type Draw = fn(&mut Rng) -> Case;

fn fast(seed: u64, count: usize, draw: impl Fn(&mut Rng) -> Case + Sync) -> Tally {
    judge_all(seed, count, &FAST, Effort::QUICK, draw)
}

/// Convex bodies: every answer apart is certified, none is given up.
fn all_certified_apart(set: &str, tally: &Tally) {
    tally.none_wrong(set);
    assert_eq!(tally.not_converged, 0, "{set}: {tally:?}");
    let apart = tally.count - tally.overlapping;
    assert!(tally.certified >= apart, "{set}: {tally:?}");
}

// ---- the papers' battery and its variants -------------------------------------------------

/// No answer about the battery of the 2017 paper is wrong. About half of the pairs are apart; a set that drifts to one
/// side would test nothing.
fn battery_of_the_papers_has_no_wrong_answer(count: usize) {
    let tally = judge_all(1, count, &FAST, Effort::LIGHT, |rng| {
        Battery::PAPER.draw(rng)
    });
    tally.none_wrong("papers' battery");
    let overlapping = tally.overlapping as f64 / count as f64;
    assert!((0.2..0.8).contains(&overlapping), "{tally:?}");
}

#[test]
fn battery_of_the_papers_is_answered() {
    battery_of_the_papers_has_no_wrong_answer(100);
}

#[test]
#[ignore = "10,000 pairs: a minute"]
fn battery_of_the_papers_is_answered_long() {
    battery_of_the_papers_has_no_wrong_answer(10_000);
}

fn untapered_battery(count: usize) {
    let set = Battery {
        taper: 0.0,
        ..Battery::PAPER
    };
    let tally = fast(2, count, |rng| set.draw(rng));
    all_certified_apart("untapered battery", &tally);
    // Shallow: the least depth in every case.
    assert_eq!(tally.not_least, 0, "{tally:?}");
}

draws!(untapered_battery: untapered_battery_is_answered 150, untapered_battery_is_answered_long 4000);

fn convex_battery(count: usize) {
    let set = Battery {
        convex_only: true,
        ..Battery::PAPER
    };
    let tally = fast(3, count, |rng| set.draw(rng));
    all_certified_apart("convex battery", &tally);
    assert_eq!(tally.not_least, 0, "{tally:?}");
}

draws!(convex_battery: convex_battery_is_answered 100, convex_battery_is_answered_long 2000);

fn battery_of_all_exponents(count: usize) {
    let set = Battery {
        exponents: [0.1, 1.9],
        convex_only: true,
        ..Battery::PAPER
    };
    let tally = fast(4, count, |rng| set.draw(rng));
    all_certified_apart("battery, e in [0.1, 1.9]", &tally);
    assert_eq!(tally.not_least, 0, "{tally:?}");
}

draws!(battery_of_all_exponents: battery_of_all_exponents_is_answered 100, battery_of_all_exponents_is_answered_long 2000);

fn battery_of_unequal_sizes(count: usize) {
    for (seed, size_b) in [(5, 0.01), (6, 0.001)] {
        let set = Battery {
            size_b,
            distance: 1.05 + 1.05 * size_b,
            convex_only: true,
            ..Battery::PAPER
        };
        let tally = fast(seed, count, |rng| set.draw(rng));
        all_certified_apart("battery with small B", &tally);
        assert_eq!(tally.not_least, 0, "{tally:?}");
    }
}

draws!(battery_of_unequal_sizes: battery_of_unequal_sizes_is_answered 75, battery_of_unequal_sizes_is_answered_long 500);

fn battery_at_a_distance(count: usize) {
    for (seed, distance) in [(7, 4.0), (8, 100.0), (9, 1e6)] {
        let set = Battery {
            distance,
            convex_only: true,
            ..Battery::PAPER
        };
        let tally = fast(seed, count, |rng| set.draw(rng));
        all_certified_apart("battery at a distance", &tally);
        assert_eq!(tally.overlapping, 0, "{tally:?}");
    }
}

draws!(battery_at_a_distance: battery_at_a_distance_is_answered 350, battery_at_a_distance_is_answered_long 1000);

/// Fast depths of deep overlaps are the least in at least 99 % of the cases.
fn deep_overlaps(count: usize) {
    for (seed, distance) in [(10, 1.0), (11, 1.8)] {
        let set = Battery {
            distance,
            convex_only: true,
            ..Battery::PAPER
        };
        let tally = judge_all(seed, count, &FAST, Effort::THOROUGH, |rng| set.draw(rng));
        all_certified_apart("deep overlaps", &tally);
        assert!(tally.not_least <= tally.count / 100, "{tally:?}");
    }
}

draws!(deep_overlaps: deep_overlaps_have_the_least_depth 40, deep_overlaps_have_the_least_depth_long 500);

fn certified_depths(count: usize) {
    let set = Battery {
        distance: 1.0,
        convex_only: true,
        ..Battery::PAPER
    };
    let tally = judge_all(12, count, &CERTIFIED, Effort::THOROUGH, |rng| set.draw(rng));
    tally.none_wrong("certified deep overlaps");
    assert_eq!(
        (tally.certified, tally.not_least),
        (tally.count, 0),
        "{tally:?}"
    );
}

draws!(certified_depths: certified_depths_are_the_least 50, certified_depths_are_the_least_long 150);

// ---- the whole domain ---------------------------------------------------------------------

#[test]
fn whole_convex_domain_is_answered() {
    let tally = fast(20, 200, crate::sets::whole_convex_domain);
    all_certified_apart("whole convex domain", &tally);
    let apart = fast(21, 400, crate::sets::convex_apart);
    all_certified_apart("whole convex domain, apart", &apart);
}

#[test]
#[ignore = "100,000 pairs: some minutes"]
fn whole_convex_domain_is_answered_long() {
    let tally = fast(22, 50_000, crate::sets::whole_convex_domain);
    all_certified_apart("whole convex domain", &tally);
    let apart = fast(23, 50_000, crate::sets::convex_apart);
    all_certified_apart("whole convex domain, apart", &apart);
}

#[test]
fn boxes_are_answered() {
    all_certified_apart("boxes", &fast(24, 200, crate::sets::boxes));
    all_certified_apart(
        "parallel boxes",
        &fast(25, 200, crate::sets::parallel_boxes),
    );
}

#[test]
#[ignore = "100,000 pairs: some minutes"]
fn boxes_are_answered_long() {
    all_certified_apart("boxes", &fast(26, 50_000, crate::sets::boxes));
    all_certified_apart(
        "parallel boxes",
        &fast(27, 50_000, crate::sets::parallel_boxes),
    );
}

fn pointed_bodies(count: usize) {
    all_certified_apart("pointed bodies", &fast(28, count, crate::sets::pointed));
}

draws!(pointed_bodies: pointed_bodies_are_answered 400, pointed_bodies_are_answered_long 1000);

fn needles(count: usize) {
    all_certified_apart("needles", &fast(29, count, crate::sets::needles));
}

draws!(needles: needles_are_answered 400, needles_are_answered_long 1000);

fn unequal_sizes(count: usize) {
    all_certified_apart(
        "unequal sizes",
        &fast(30, count, crate::sets::unequal_sizes),
    );
}

draws!(unequal_sizes: unequal_sizes_are_answered 400, unequal_sizes_are_answered_long 1000);

fn far_centres(count: usize) {
    all_certified_apart("far centres", &fast(31, count, crate::sets::far));
}

draws!(far_centres: far_centres_are_answered 400, far_centres_are_answered_long 1000);

fn scales(count: usize) {
    all_certified_apart("scales", &fast(32, count, crate::sets::scales));
}

draws!(scales: scales_from_a_millionth_to_a_million_are_answered 400, scales_from_a_millionth_to_a_million_are_answered_long 1000);

// ---- special poses ------------------------------------------------------------------------

fn nearly_touching_bodies(count: usize) {
    all_certified_apart(
        "near touching",
        &fast(40, count, |rng| crate::sets::near_touching(rng).0),
    );
    all_certified_apart(
        "touching",
        &fast(41, count / 4, crate::sets::touching_exactly),
    );
    all_certified_apart(
        "ridge on ridge",
        &fast(42, count / 2, |rng| crate::sets::ridge_on_ridge(rng).0),
    );
}

draws!(nearly_touching_bodies: nearly_touching_bodies_are_answered 80, nearly_touching_bodies_are_answered_long 2000);

/// The placement knows the distance: the slab between the bodies and the two support points.
fn near_touching_bodies(count: u64) {
    for i in 0..count {
        let mut rng = crate::sets::seeded(43);
        rng.set_stream(i);
        let (case, gap) = if i % 2 == 0 {
            crate::sets::near_touching(&mut rng)
        } else {
            crate::sets::ridge_on_ridge(&mut rng)
        };
        let distance = case.query(&FAST).distance;
        // Supports and placement round at the size of the bodies; the query at its tolerance.
        let tolerance = 1.01e-9 * case.size();
        if gap >= 0.0 {
            assert!(
                (distance - gap).abs() <= tolerance,
                "pair {i}: {distance:e} {gap:e}\n{case:?}"
            );
        } else {
            // Least depth: no deeper than along the placed normal.
            assert!(
                distance >= gap - tolerance && distance <= tolerance,
                "{i}: {distance:e} {gap:e}"
            );
        }
    }
}

draws!(near_touching_bodies: near_touching_bodies_are_as_far_apart_as_they_were_placed 1000, near_touching_bodies_are_as_far_apart_as_they_were_placed_long 4000);

/// What is proven of bodies that all but touch is true to the rounding of their placement: none that are apart are
/// called overlapping, and overlaps deeper than the tolerance are proven, as deep as they are within what the fast search
/// tells apart.
fn sides_of_touching_bodies(count: usize) {
    let mut proven = 0;
    for i in 0..count {
        let mut rng = crate::sets::seeded(48);
        rng.set_stream(i as u64);
        let (case, gap) = crate::sets::all_but_touching(&mut rng);
        let contact = case.query(&FAST);
        // Support points on sharp ridges round at 5e-14, as 50 digits show.
        let rounding = 1e-13 * case.size();
        if gap > 0.0 {
            assert!(
                contact.upper >= gap - rounding,
                "{i}: {gap:e} {contact:?}\n{case:?}"
            );
        } else {
            assert!(
                contact.lower <= rounding,
                "{i}: {gap:e} {contact:?}\n{case:?}"
            );
            assert!(
                contact.lower >= gap - 1e-5 * case.size(),
                "{i}: {gap:e} {contact:?}\n{case:?}"
            );
        }
        if gap < -1e-9 * case.size() {
            proven += 1;
            assert!(contact.upper <= 0.0, "{i}: {gap:e} {contact:?}\n{case:?}");
        }
    }
    assert!(proven > count / 8);
}

draws!(sides_of_touching_bodies: bodies_that_all_but_touch_are_on_the_side_where_they_were_placed 500, bodies_that_all_but_touch_are_on_the_side_where_they_were_placed_long 100_000);

fn concentric_and_nested_bodies(count: usize) {
    let sets: [(&str, u64, Draw); 4] = [
        ("concentric", 44, crate::sets::concentric),
        ("identical", 45, crate::sets::identical),
        ("inside", 46, crate::sets::inside),
        ("coaxial", 47, crate::sets::coaxial),
    ];
    for (set, seed, draw) in sets {
        let tally = fast(seed, count, draw);
        tally.none_wrong(set);
        // Symmetric poses have saddles and many equal maxima; fast depth only promises not to
        // miss the least often.
        assert!(tally.not_least <= tally.count / 20, "{set}: {tally:?}");
    }
}

draws!(concentric_and_nested_bodies: concentric_and_nested_bodies_are_answered 30, concentric_and_nested_bodies_are_answered_long 500);

fn certified_depths_of_special_poses(count: usize) {
    let certified =
        |seed, count, draw: Draw| judge_all(seed, count, &CERTIFIED, Effort::QUICK, draw);
    certified(48, count, crate::sets::concentric).none_wrong("concentric, certified");
    certified(49, count, crate::sets::identical).none_wrong("identical, certified");
    certified(50, count, crate::sets::inside).none_wrong("inside, certified");
    certified(51, count / 2, crate::sets::coaxial).none_wrong("coaxial, certified");
    certified(52, 3 * count, crate::sets::whole_convex_domain)
        .none_wrong("whole domain, certified");
    certified(53, 100, crate::sets::parallel_boxes).none_wrong("parallel boxes, certified");
}

draws!(certified_depths_of_special_poses: certified_depths_of_special_poses_are_closed 20, certified_depths_of_special_poses_are_closed_long 60);

// ---- non-convex bodies --------------------------------------------------------------------

fn non_convex_bodies(count: usize) {
    fast(60, count, crate::sets::non_convex).none_wrong("non-convex");
}

draws!(non_convex_bodies: non_convex_bodies_are_answered 50, non_convex_bodies_are_answered_long 1000);

/// The hulls overlap, the bodies do not: apart, with a closed bracket.
fn small_bodies_in_a_hollow(count: usize) {
    let tally = fast(61, count, crate::sets::in_the_hollow);
    tally.none_wrong("in the hollow");
    assert_eq!(
        (tally.overlapping, tally.certified),
        (0, tally.count),
        "{tally:?}"
    );
}

draws!(small_bodies_in_a_hollow: small_bodies_in_a_hollow_are_apart 16, small_bodies_in_a_hollow_are_apart_long 300);
