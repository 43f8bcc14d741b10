//! Directions and points of a surface that were answered wrongly once.

use crate::oracle::body::{Body, Shape};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::polytope::{Segment, polytope_contact};
use superovoid::{Outcome, QueryOptions, Superovoid, VertexOptions, contact, vertex_contact};

/// Sharp equators (e2 near 2) of non-convex tapers, where the maximum over the height is narrow.
#[test]
fn support_of_a_sharp_tapered_body_is_not_lowered() {
    let cases = [
        (
            Shape::new(
                [0.7225715618779764, 1.1843292129427092, 2.1239110823557517],
                [1.6952493247046259, 1.911222562179932],
                [0.6055276726630713, -0.2748508460384786],
            ),
            Vector3::y(),
        ),
        (
            Shape::new(
                [1.3088555224713687, 0.4702973023553791, 0.31103656958681136],
                [0.3639298716193684, 1.9563497851906966],
                [-0.5937529610090431, 0.7105713896432868],
            ),
            Vector3::new(0.0, 0.9423728442555169, -0.3345645265263002),
        ),
    ];
    for (shape, n) in cases {
        let (value, truth) = (
            shape.build().support(&n).value,
            Body::new(shape).support(&n),
        );
        assert!(
            (value / truth - 1.0).abs() <= 1e-12,
            "{shape:?}: {value} {truth}"
        );
    }
}

/// Of two local maxima over the height, the lower one was returned (1.573 for 1.596): a false lower
/// bound of every distance along that direction.
#[test]
fn support_of_a_hollow_body_is_the_global_maximum() {
    let shape = Shape::new(
        [0.5040226325553686, 2.929110081663729, 1.2863990202866424],
        [1.8350767405834398, 1.9442386373973606],
        [0.6328857504508233, 0.46234263554021504],
    );
    let n = Vector3::new(0.3674616852716279, 0.5370831215371039, 0.7592849467869724);
    let (value, truth) = (
        shape.build().support(&n).value,
        Body::new(shape).support(&n),
    );
    assert!((value / truth - 1.0).abs() <= 1e-12, "{value} {truth}");
}

/// A polytope, or a point, at a body's centre, or nearly: beyond a negative `max_distance` polytopes had no
/// normal and were left open, and that of bodies 1e-161 apart was no unit vector.
#[test]
fn the_centre_of_a_body_has_a_normal_too() {
    let body = Superovoid::superellipsoid([1.0, 0.7, 0.5], [0.6, 0.8]).expect("valid");
    let options = QueryOptions::default().with_max_distance(-5.0);
    let of_points = VertexOptions::default().with_max_distance(-5.0);
    let here = Isometry3::identity();
    for away in [0.0, 1e-170, 3e-162, 1e-161, 1e-155, 1e-139] {
        let point = Point3::new(0.0, 0.8 * away, 0.6 * away);
        let there = Isometry3::from(point.coords);
        let segment = Segment::new(Point3::origin(), [0.0; 3].into());
        let segment = segment.expect("finite");
        let answers = [
            polytope_contact(&body, &here, &segment, &there, &options),
            vertex_contact(&body, &here, &point, &of_points),
            contact(&body, &here, &body, &there, &options, None),
        ];
        for answer in answers {
            let answer = answer.expect("valid");
            assert_eq!(answer.outcome, Outcome::Beyond, "{away:e} {answer:?}");
            let length = answer.normal.norm();
            assert!((length - 1.0).abs() < 1e-14, "{away:e} {answer:?}");
            assert!(answer.lower <= -0.5, "{away:e} {answer:?}");
        }
    }
}
