//! Inputs that were answered wrongly once, a file for each query.

mod batch;
mod ellipsoids;
mod every_query;
mod pair;
mod planar;
mod polytope;
mod surface;

use crate::oracle::Shape;
use crate::oracle::check;
use crate::sets::Case;
use nalgebra::{Isometry3, Quaternion, Translation3, Unit};
use superovoid::QueryOptions;

/// A pose with every digit: the quaternion is not normalised again.
pub fn pose(ijkw: [f64; 4], t: [f64; 3]) -> Isometry3<f64> {
    let q = Quaternion::new(ijkw[3], ijkw[0], ijkw[1], ijkw[2]);
    Isometry3::from_parts(Translation3::new(t[0], t[1], t[2]), Unit::new_unchecked(q))
}

/// Compares the answer of a pair with the oracle.
pub fn judged(case: &Case) {
    let answer = case.query(&QueryOptions::default());
    let (a, b) = (case.a.build(), case.b.build());
    let verdict = check(&a, &case.pose_a, &b, &case.pose_b, &answer);
    assert!(verdict.is_ok(), "{}", verdict.unwrap_err());
}

/// Returns the answer of a single query, and that of a batch.
pub fn answers(case: &Case) -> [superovoid::Contact; 2] {
    let (a, b) = (case.a.build(), case.b.build());
    let pair = superovoid::Pair {
        a: &a,
        pose_a: &case.pose_a,
        b: &b,
        pose_b: &case.pose_b,
    };
    let mut found = [superovoid::Contact::default(); 20];
    superovoid::contact_batch(&[pair; 20], &mut found, &QueryOptions::default()).expect("valid");
    [case.query(&QueryOptions::default()), found[13]]
}

/// Returns the case of two ellipsoids.
pub fn ellipsoids(
    a: [f64; 3],
    pose_a: Isometry3<f64>,
    b: [f64; 3],
    pose_b: Isometry3<f64>,
) -> Case {
    let shape = |a| Shape::new(a, [1.0; 2], [0.0; 2]);
    let (a, b) = (shape(a), shape(b));
    Case {
        a,
        pose_a,
        b,
        pose_b,
    }
}
