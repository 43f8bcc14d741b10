//! Batches that were answered wrongly once.

use nalgebra::{Isometry3, Point3};
use superovoid::{Outcome, QueryError, QueryOptions, Superovoid};

/// The square of a length left the number range, and the normal of a far point that is done with as one of a
/// group was zero.
#[test]
fn normals_of_far_groups_are_of_unit_length() {
    use superovoid::{Contact, VertexOptions, vertex_contact_batch};
    let ball = Superovoid::sphere(1.0).expect("valid");
    let points = [[5.0, 1e200, 0.0], [5.0, -1.0, 0.0]].map(Point3::from);
    let options = VertexOptions::default().with_max_distance(1.0);
    let mut answers = [Contact::default(); 2];
    vertex_contact_batch(
        &ball,
        &Isometry3::identity(),
        &points,
        &mut answers,
        &options,
    )
    .expect("answers");
    for answer in answers {
        assert_eq!(answer.outcome, Outcome::Beyond);
        assert!((answer.normal.norm() - 1.0).abs() < 1e-12, "{answer:?}");
    }
}

/// All poses of a group were checked before any of its pairs was solved, so a later pose was named before
/// an earlier distance beyond the number range.
#[test]
fn the_first_pair_that_is_refused_is_named() {
    use superovoid::{Contact, Pair, PairError, contact_batch};
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::translation(-1.7e308, 0.0, 0.0);
    let there = Isometry3::translation(1.7e308, 0.0, 0.0);
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let pair = |pose_a, pose_b| Pair {
        a: &ball,
        pose_a,
        b: &ball,
        pose_b,
    };
    let fine = pair(&here, &here);
    let far = pair(&here, &there);
    let bad = pair(&nowhere, &here);
    let overflow = QueryError::Overflow;
    let pose = QueryError::NonFinitePose { body: 'A' };
    for (pairs, index, error) in [
        ([fine, far, bad], 1, overflow),
        ([fine, bad, far], 1, pose),
        ([bad, fine, far], 0, pose),
        ([fine, fine, far], 2, overflow),
    ] {
        let mut answers = [Contact::default(); 3];
        let refused = contact_batch(&pairs, &mut answers, &QueryOptions::default());
        assert_eq!(refused, Err(PairError { index, error }));
    }
}
