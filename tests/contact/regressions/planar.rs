//! Superellipses and segments that were answered wrongly once.

/// The squares of a tiny normal lost their digits, and the bracket said that more than the distance was
/// proven.
#[test]
fn planar_brackets_of_needles_and_far_segments_hold() {
    use nalgebra::{Isometry2, Point2, Vector2};
    use superovoid::planar::{Superellipse, segment_contact};
    let cases = [
        // Semi-axes, e, translation, segment.
        (
            [0.8114062993, 1e-160],
            1.0,
            [-0.98453825, 0.0],
            [[0.69283987, -0.39331941], [1.9999999, -2.67257451]],
        ),
        (
            [0.73884052, 0.28432893],
            1.3,
            [-1.11983141, -1e300],
            [[1e20, 0.98548308], [-0.78734412, 2.2e-16]],
        ),
        (
            [0.0364059, 1.44637562],
            5e-324,
            [-1e300, 1.42956362],
            [[1.22995714, 0.0], [-2.01062916, 0.0]],
        ),
    ];
    for (axes, e, translation, ends) in cases {
        let shape = Superellipse::new(axes, e).expect("valid");
        let pose = Isometry2::new(Vector2::from(translation), 0.0);
        let [p, q] = ends.map(Point2::from);
        let answer = segment_contact(&shape, &pose, &p, &q).expect("an answer");
        let [lower, upper] = [answer.lower, answer.upper];
        assert!(
            lower <= answer.distance && answer.distance <= upper,
            "{answer:?}"
        );
        // Both points belong to their bodies, so nothing beyond their distance is proven.
        let scale = answer.distance.abs();
        let apart = ((answer.point_b - answer.point_a) / scale).norm();
        assert!(lower / scale <= apart * (1.0 + 1e-12), "{answer:?}");
    }
}
