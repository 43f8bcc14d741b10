//! What strokes mean.

use crate::drawn::{Hand, KINDS, NOISES};
use superovoid_sketch::{
    Ellipse, Recognised, Refusal, Stroke, StrokeError, area, convex_hull, fit_ellipse, ratios,
    recognise,
};

fn ring(center: [f64; 2], [a, b]: [f64; 2], angle: f64, count: usize) -> Vec<[f64; 2]> {
    let (s, c) = angle.sin_cos();
    let point = |k: usize| {
        let (y, x) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
        let [x, y] = [a * x, b * y];
        [center[0] + c * x - s * y, center[1] + s * x + c * y]
    };
    (0..=count).map(point).collect()
}

/// Other seeds than those that the thresholds were read from.
fn check_that_strokes_are_recognised(count: usize) {
    let mut hand = Hand::new(20_261_126);
    for noise in NOISES {
        for kind in KINDS {
            let right = |_: &i32| {
                let stroke = Stroke::new(&hand.draw(kind, noise)).unwrap();
                let found = match recognise(&stroke) {
                    Recognised::Ellipse(_) => 0,
                    Recognised::Bones(_) => 1,
                    Recognised::Refused(_) => 2,
                };
                found == kind.right()
            };
            let found = (0..count as i32).filter(right).count();
            assert!(
                found >= count * 95 / 100,
                "{kind:?} with {noise}: {found} of {count}"
            );
        }
    }
}

#[test]
fn strokes_are_recognised_in_at_least_95_of_100_cases() {
    check_that_strokes_are_recognised(100);
}

#[test]
#[ignore = "four times the strokes"]
fn strokes_are_recognised_in_at_least_95_of_100_cases_long() {
    check_that_strokes_are_recognised(400);
}

#[test]
fn every_ellipse_has_the_same_three_ratios() {
    for axes in [[0.4, 0.4], [0.4, 0.1], [0.3, 0.06]] {
        let points: Vec<_> = ring([0.5, 0.5], axes, 0.7, 240)
            .into_iter()
            .map(Into::into)
            .collect();
        let found = ratios(&convex_hull(&points)).unwrap();
        assert!((found.triangle - 0.4135).abs() < 1e-3, "{found:?}");
        assert!(
            (found.quadrilateral - std::f64::consts::FRAC_2_PI).abs() < 1e-3,
            "{found:?}"
        );
        assert!((found.rectangle - 1.2732).abs() < 1e-3, "{found:?}");
    }
    let corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.4], [0.1, 0.4]].map(Into::into);
    let square = convex_hull(&corners);
    assert!((area(&square) - 0.24).abs() < 1e-15);
    let found = ratios(&square).unwrap();
    assert!((found.triangle - 0.5).abs() < 1e-12);
    assert!((found.quadrilateral - 1.0).abs() < 1e-12);
    assert!((found.rectangle - 1.0).abs() < 1e-12);
}

#[test]
fn the_ellipse_of_exact_points_is_that_ellipse() {
    for (axes, angle) in [([0.3, 0.1], 0.4), ([0.2, 0.19], -1.2), ([0.4, 0.02], 1.5)] {
        let points: Vec<_> = ring([0.4, 0.6], axes, angle, 40)
            .into_iter()
            .map(Into::into)
            .collect();
        let Ellipse {
            center,
            semi_axes,
            angle: found,
        } = fit_ellipse(&points).unwrap();
        assert!((center.x - 0.4).hypot(center.y - 0.6) < 1e-6);
        assert!((semi_axes[0] - axes[0]).abs() < 1e-6 && (semi_axes[1] - axes[1]).abs() < 1e-6);
        assert!((found - angle).abs() < 1e-5, "{found} {angle}");
    }
    let line: Vec<_> = (0..9).map(|k| [0.1 * f64::from(k), 0.2].into()).collect();
    assert!(fit_ellipse(&line).is_none_or(|e| e.semi_axes[1] < 1e-6));
}

#[test]
fn a_stroke_with_corners_becomes_their_bones() {
    let corners = [[0.1, 0.2], [0.4, 0.25], [0.5, 0.7], [0.8, 0.6]];
    let mut points = Vec::new();
    for pair in corners.windows(2) {
        points.extend((0..80).map(|k| {
            let t = f64::from(k) / 79.0;
            [0, 1].map(|i| pair[0][i] + t * (pair[1][i] - pair[0][i]))
        }));
    }
    let Recognised::Bones(joints) = recognise(&Stroke::new(&points).unwrap()) else {
        panic!("bones");
    };
    assert_eq!(joints.len(), 4);
    for (joint, corner) in joints.iter().zip(corners) {
        assert!(
            (joint.x - corner[0]).hypot(joint.y - corner[1]) < 0.015,
            "{joint} {corner:?}"
        );
    }
}

#[test]
fn no_bone_of_a_stroke_is_shorter_than_5_percent_of_the_view() {
    let mut hand = Hand::new(5);
    for kind in KINDS {
        for _ in 0..100 {
            let joints = Stroke::new(&hand.draw(kind, 0.02)).unwrap().bones();
            let lengths = joints.windows(2).map(|pair| (pair[1] - pair[0]).norm());
            let inner = joints.len() > 2;
            assert!(!inner || lengths.fold(1.0, f64::min) >= 0.05, "{kind:?}");
        }
    }
}

#[test]
fn samples_are_even_in_arc_length() {
    let stroke = Stroke::new(&[[0.0, 0.0], [0.0, 0.0], [0.3, 0.0], [1.0, 0.0]]).unwrap();
    for (k, point) in stroke.even(11).iter().enumerate() {
        assert!((point.x - 0.1 * k as f64).abs() < 1e-15 && point.y == 0.0);
    }
}

#[test]
fn bad_strokes_are_refused_by_name() {
    let refused = |points: &[[f64; 2]]| Stroke::new(points).unwrap_err();
    assert_eq!(refused(&[]), StrokeError::TooFewPoints(0));
    assert_eq!(refused(&[[0.5; 2]]), StrokeError::TooFewPoints(1));
    assert_eq!(
        refused(&[[0.5; 2], [f64::NAN, 0.0]]),
        StrokeError::NotFinite(1)
    );
    assert_eq!(
        refused(&[[0.5; 2], [0.5, f64::INFINITY]]),
        StrokeError::NotFinite(1)
    );
    assert_eq!(refused(&[[0.5; 2], [0.5, 1.01]]), StrokeError::OffPane(1));
    assert_eq!(refused(&[[0.5; 2], [0.5; 2]]), StrokeError::TooShort(0.0));
    let crossing = [[0.1, 0.1], [0.9, 0.9], [0.9, 0.1], [0.1, 0.6]];
    let mut points = Vec::new();
    for pair in crossing.windows(2) {
        points.extend(
            (0..80).map(|k| {
                [0, 1].map(|i| pair[0][i] + f64::from(k) / 79.0 * (pair[1][i] - pair[0][i]))
            }),
        );
    }
    let found = recognise(&Stroke::new(&points).unwrap());
    assert_eq!(found, Recognised::Refused(Refusal::SelfCrossing));
}
