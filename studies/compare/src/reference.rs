//! What the right answers are, by code that shares nothing with the library: the oracle of the library's tests.
//!
//! **Pairs of convex bodies.** The signed distance is the largest gap
//! `n·(c_B − c_A) − h_A(n) − h_B(−n)` over all unit vectors n, and each n proves its gap. The oracle searches the
//! whole sphere with its own support functions and refines the best directions. As a search may overlook
//! the best one among several, the normal that the library found is tried as one more start: the value is the
//! oracle's all the same.
//!
//! **Points.** The nearest of many points of the surface, refined.

use crate::workload::{Case, Other, Workload};
use rayon::prelude::*;
use superovoid::{QueryOptions, contact};

#[path = "../../../tests/contact/oracle/mod.rs"]
pub mod oracle;

use oracle::body::{Body, Shape};
use oracle::search::{Effort, Pair};

/// The signed distance of every case; NaN where the oracle has none, for bodies that are not convex.
pub fn distances(workload: &Workload) -> Vec<f64> {
    let bodies: Vec<Body> = workload
        .shapes
        .par_iter()
        .map(|shape| Body::new(Shape::from(shape)))
        .collect();
    if workload.cases.iter().any(|case| case.b == Other::Point) {
        return points(workload);
    }
    let of = |case: &Case| pair(workload, &bodies, case);
    workload.cases.par_iter().map(of).collect()
}

fn pair(workload: &Workload, bodies: &[Body], case: &Case) -> f64 {
    let Other::Shape(b) = case.b else {
        return f64::NAN;
    };
    let shapes = [&workload.shapes[case.a], &workload.shapes[b]];
    if !shapes.iter().all(|shape| shape.is_convex()) {
        return f64::NAN;
    }
    let [pose_a, pose_b] = &case.poses;
    let pair = Pair::new(&bodies[case.a], pose_a, &bodies[b], pose_b);
    let effort = if workload.deep {
        Effort::THOROUGH
    } else {
        Effort::LIGHT
    };
    let found = pair.max_gap(effort).1;
    let options = QueryOptions::default();
    let start = contact(shapes[0], pose_a, shapes[1], pose_b, &options, None);
    // Without a start, or with a bad one, the oracle's own stands.
    let Ok(start) = start else { return found };
    let n = start.normal.into_inner();
    let from_start = pair.polish(&n, 1e-3).1.max(pair.gap(&n));
    if from_start > found {
        from_start
    } else {
        found
    }
}

/// The least signed distance of some cases of convex bodies. A pair whose bounding balls are farther apart than the
/// least so far is left out.
pub fn least(workload: &Workload, cases: std::ops::Range<usize>) -> f64 {
    // About the centre of the body: its farthest corner.
    let radius = |k: usize| {
        let (a, t) = (workload.shapes[k].semi_axes(), workload.shapes[k].tapers());
        let reach = [a[0] * (1.0 + t[0].abs()), a[1] * (1.0 + t[1].abs()), a[2]];
        reach.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let apart = |case: &&Case| {
        let offset = case.poses[1].translation.vector - case.poses[0].translation.vector;
        let b = match case.b {
            Other::Shape(b) => radius(b),
            Other::Point => 0.0,
        };
        offset.norm() - radius(case.a) - b
    };
    let bodies: Vec<Body> = workload
        .shapes
        .iter()
        .map(|shape| Body::new(Shape::from(shape)))
        .collect();
    let mut cases: Vec<&Case> = workload.cases[cases].iter().collect();
    cases.sort_by(|x, y| apart(x).total_cmp(&apart(y)));
    let mut least = f64::INFINITY;
    for case in cases {
        if apart(&case) > least {
            break;
        }
        least = least.min(pair(workload, &bodies, case));
    }
    least
}

/// Points in groups of one body.
fn points(workload: &Workload) -> Vec<f64> {
    let nearest: Vec<_> = workload
        .shapes
        .par_iter()
        .map(|shape| oracle::Nearest::new(Shape::from(shape)))
        .collect();
    let of = |case: &Case| {
        let [pose, point] = &case.poses;
        let local = pose.inverse_transform_point(&point.translation.vector.into());
        nearest[case.a].signed_distance(&local.coords)
    };
    workload.cases.par_iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Isometry3, Vector3};
    use oracle::exact::{point_ellipsoid, sphere_ellipsoid};
    use superovoid::Superovoid;

    fn workload(shapes: Vec<Superovoid>, cases: Vec<Case>) -> Workload {
        Workload {
            shapes,
            cases,
            ..Workload::default()
        }
    }

    fn placed(at: Vector3<f64>) -> Isometry3<f64> {
        Isometry3::new(at, Vector3::new(0.3, -0.2, 0.9))
    }

    #[test]
    fn spheres_and_ellipsoids_have_their_closed_forms() {
        let a = [1.0, 1.3, 0.8];
        let shapes = vec![
            Superovoid::ellipsoid(a).expect("valid"),
            Superovoid::sphere(0.5).expect("valid"),
        ];
        let at = [
            Vector3::new(2.0, 0.3, 0.1),
            Vector3::new(0.2, 1.6, 0.4),
            Vector3::new(0.1, 0.2, 1.9),
        ];
        let pose = placed(Vector3::zeros());
        let case = |x: &Vector3<f64>| Case::pair(0, 1, [pose, placed(pose * x)]);
        let distances = distances(&workload(shapes, at.iter().map(case).collect()));
        for (x, distance) in at.iter().zip(distances) {
            let exact = sphere_ellipsoid(0.5, a, x);
            assert!(
                (distance - exact).abs() < 1e-11,
                "{x:?}: {distance} {exact}"
            );
        }
    }

    #[test]
    fn points_and_ellipsoids_have_their_closed_form() {
        let a = [1.0, 1.3, 0.8];
        let shapes = vec![Superovoid::ellipsoid(a).expect("valid")];
        let at = [Vector3::new(2.0, 0.3, 0.1), Vector3::new(0.2, 0.4, 0.5)];
        let pose = placed(Vector3::new(0.1, 0.2, 0.3));
        let case = |x: &Vector3<f64>| Case {
            b: Other::Point,
            ..Case::pair(0, 0, [pose, (pose * nalgebra::Translation3::from(*x))])
        };
        let distances = distances(&workload(shapes, at.iter().map(case).collect()));
        for (x, distance) in at.iter().zip(distances) {
            let exact = point_ellipsoid(a, x);
            assert!((distance - exact).abs() < 1e-9, "{x:?}: {distance} {exact}");
        }
    }

    #[test]
    fn parallel_boxes_are_as_far_apart_as_their_faces() {
        let shape = Superovoid::superellipsoid([1.0, 0.5, 0.7], [0.02, 0.02]).expect("valid");
        let poses = [
            Isometry3::identity(),
            Isometry3::translation(0.1, 1.25, 0.2),
        ];
        let found = distances(&workload(vec![shape], vec![Case::pair(0, 0, poses)]))[0];
        assert!((found - 0.25).abs() < 1e-9, "{found}");
    }
}
