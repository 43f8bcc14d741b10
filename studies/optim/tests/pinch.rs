//! The pinch of the hands: its tips end at the margin, and gradients and differences agree where.

use superovoid_optim::pinch::{MARGIN, Pinch, Source};

#[test]
fn the_hands_pinch_and_keep_their_clearance() {
    let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/../../urdf/icub_hands.urdf");
    let pinch = Pinch::new(urdf.as_ref()).expect("the hands");
    let [by_gradients, by_differences] = [Source::Gradients, Source::Differences]
        .map(|source| pinch.close(source).expect("every program is solved"));
    for found in [&by_gradients, &by_differences] {
        assert!(found.violation < 1e-7, "{found:?}");
        for tip in found.tips {
            assert!((tip - MARGIN).abs() < 1e-5, "{found:?}");
        }
    }
    // Differences ask of a configuration for each joint.
    assert!(by_differences.configurations > 5 * by_gradients.configurations);
}
