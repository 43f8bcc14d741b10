//! The oracle tested against closed forms and brute force, without the library.

use crate::oracle::body::{Body, Shape, fibonacci_sphere};
use crate::oracle::search::{Effort, Pair};
use crate::oracle::{convexity, exact};
use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};

fn any_shape(rng: &mut impl Rng, tapered: bool) -> Shape {
    let taper = if tapered { 0.95 } else { 0.0 };
    Shape::new(
        [0; 3].map(|_| 10f64.powf(rng.random_range(-0.5..0.5))),
        [0; 2].map(|_| rng.random_range(0.02..1.98)),
        [0; 2].map(|_| rng.random_range(-1.0..1.0) * taper),
    )
}

fn any_direction(rng: &mut impl Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0));
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

#[test]
fn support_of_an_ellipsoid_is_the_norm() {
    let mut rng = crate::sets::seeded(1);
    for _ in 0..1000 {
        let mut shape = any_shape(&mut rng, false);
        shape.e = [1.0, 1.0];
        let n = any_direction(&mut rng);
        let (h, truth) = (
            Body::new(shape).support(&n),
            exact::ellipsoid_support(shape.a, &n),
        );
        assert!(
            (h / truth - 1.0).abs() < 4e-15,
            "{shape:?} {n:?}: {h} {truth}"
        );
    }
}

/// No sampled point of the surface reaches beyond the support, and some come close to it: the
/// samples are 0.1 apart in the worst direction, and a support falls off with the square, but at points and ridges.
#[test]
fn support_is_the_largest_reach_of_the_sampled_surface() {
    let mut rng = crate::sets::seeded(2);
    for k in 0..60 {
        let shape = any_shape(&mut rng, k % 2 == 0);
        let body = Body::new(shape);
        let samples = body.surface_samples(20_000);
        for _ in 0..20 {
            let n = any_direction(&mut rng);
            let h = body.support(&n);
            let reach = samples.iter().map(|x| n.dot(x)).fold(f64::MIN, f64::max);
            assert!(
                reach <= h + 1e-14 * shape.size(),
                "{shape:?} {n:?}: {reach} > {h}"
            );
            assert!(
                reach >= h - 0.05 * shape.size(),
                "{shape:?} {n:?}: {reach} << {h}"
            );
            let x = body.support_point(&n);
            assert!(
                (n.dot(&x) - h).abs() < 1e-14 * shape.size(),
                "{shape:?} {n:?}"
            );
            assert!(
                body.surface_error(&x) < 1e-14 * shape.size(),
                "{shape:?} {n:?}"
            );
        }
    }
}

/// A sixteen times denser search finds nothing that the ordinary one missed, convex or not.
#[test]
fn tapered_support_misses_no_local_maximum() {
    let mut rng = crate::sets::seeded(3);
    for _ in 0..400 {
        let shape = any_shape(&mut rng, true);
        let body = Body::new(shape);
        for _ in 0..5 {
            let mut n = any_direction(&mut rng);
            if rng.random_bool(0.3) {
                n.z *= 1e-3;
            }
            if rng.random_bool(0.2) {
                n.x *= 1e-6;
            }
            let (h, dense) = (body.support(&n), body.support_dense(&n));
            assert!(
                (dense - h).abs() <= 4e-15 * shape.size(),
                "{shape:?} {n:?}: {h} {dense}"
            );
        }
    }
}

/// A tapered search with vanishing tapers is the closed form.
#[test]
fn tapered_support_tends_to_the_closed_form() {
    let mut rng = crate::sets::seeded(4);
    for _ in 0..1000 {
        let mut shape = any_shape(&mut rng, false);
        let n = any_direction(&mut rng);
        let closed = Body::new(shape).support(&n);
        shape.t = [1e-300, 1e-300];
        let searched = Body::new(shape).support(&n);
        assert!(
            (searched / closed - 1.0).abs() < 1e-14,
            "{shape:?} {n:?}: {searched} {closed}"
        );
    }
}

#[test]
fn parametric_points_lie_on_the_surface_and_moved_ones_do_not() {
    let mut rng = crate::sets::seeded(5);
    for _ in 0..200 {
        let shape = any_shape(&mut rng, true);
        let body = Body::new(shape);
        for x in body.surface_samples(50) {
            let size = shape.size();
            assert!(body.surface_error(&x) < 1e-13 * size, "{shape:?} {x:?}");
            assert!((body.radial_scale(&(x * 3.0)) * 3.0 - 1.0).abs() < 1e-9);
            assert!(body.gauge(&(x * 0.9)) < 1.0 && body.gauge(&(x * 1.1)) > 1.0);
            let off = body.surface_error(&(x * 0.9));
            assert!(
                off <= 0.2 * x.norm() && off > 1e-4 * size.min(x.norm()),
                "{shape:?} {off}"
            );
        }
    }
}

/// The hull's distance against closed forms: spheres, and a sphere against an ellipsoid.
#[test]
fn distance_search_agrees_with_closed_forms() {
    let mut rng = crate::sets::seeded(6);
    for _ in 0..60 {
        let ellipsoid = Shape::new(any_shape(&mut rng, false).a, [1.0; 2], [0.0; 2]);
        let radius = rng.random_range(0.1..1.0);
        let (e, s) = (
            Body::new(ellipsoid),
            Body::new(Shape::new([radius; 3], [1.0; 2], [0.0; 2])),
        );
        let turn = UnitQuaternion::from_axis_angle(
            &Unit::new_normalize(any_direction(&mut rng)),
            rng.random_range(0.0..3.0),
        );
        let x = any_direction(&mut rng) * rng.random_range(0.3..6.0);
        let truth = exact::sphere_ellipsoid(radius, ellipsoid.a, &x);
        let pose_e = Isometry3::from_parts(Translation3::new(0.3, -0.2, 0.1), turn);
        let pose_s = pose_e * Translation3::from(x);
        let pair = Pair::new(&e, &pose_e, &s, &pose_s);
        let (_, best) = pair.max_gap(Effort::QUICK);
        let tolerance = 1e-13 * (ellipsoid.size() + radius);
        assert!(
            (best - truth).abs() < tolerance,
            "{ellipsoid:?} {radius} {x:?}: {best} {truth}"
        );
        if truth > 0.0 {
            let bracket = pair.hull_distance();
            assert!(bracket.lower <= truth + tolerance && truth - tolerance <= bracket.upper);
            assert!(bracket.upper - bracket.lower < 1e-6, "{bracket:?}");
        }
    }
}

/// Boxes have no smooth maximum to climb: the nearest point of the hull proves the distance and
/// the simplex search must reach the same.
#[test]
fn distance_search_closes_on_boxes_and_points() {
    let mut rng = crate::sets::seeded(7);
    for k in 0..60 {
        let mut draw = || {
            let mut shape = any_shape(&mut rng, false);
            let edge = if k % 2 == 0 { 0.02 } else { 1.9 };
            shape.e = [0; 2].map(|_| edge + rng.random_range(0.0..0.08));
            let turn = UnitQuaternion::from_axis_angle(
                &Unit::new_normalize(any_direction(&mut rng)),
                rng.random_range(0.0..3.0),
            );
            (Body::new(shape), turn)
        };
        let ((a, turn_a), (b, turn_b)) = (draw(), draw());
        let pose_a = Isometry3::from_parts(Translation3::identity(), turn_a);
        let pose_b = Isometry3::from_parts(Translation3::new(7.0, 2.0, 1.0), turn_b);
        let bracket = Pair::new(&a, &pose_a, &b, &pose_b).hull_distance();
        assert!(
            bracket.upper - bracket.lower < 1e-9,
            "{a:?} {b:?}: {bracket:?}"
        );
        assert!(bracket.upper >= bracket.lower - 1e-13, "{bracket:?}");
    }
}

/// The limit of equal tapers (DESIGN's closed form) and a chord that leaves the body for every
/// defect: the grid neither misses nor invents one.
#[test]
fn convexity_grid_finds_the_known_limit_and_shows_a_chord() {
    let mut rng = crate::sets::seeded(8);
    for k in 0..300 {
        let mut shape = any_shape(&mut rng, true);
        let limit = (1.0 - 0.5 * shape.e[1]) * (0.5 * shape.e[1]).exp2();
        if k % 2 == 0 {
            let factor = if k % 4 == 0 { 0.999 } else { 1.01 };
            let t = factor * limit;
            if t >= 0.99 {
                continue;
            }
            shape.t = [t, t];
            let convex = convexity::worst_bend(&shape).bend <= 1e-12;
            assert_eq!(
                convex,
                factor < 1.0,
                "{shape:?} {:?}",
                convexity::worst_bend(&shape)
            );
        }
        let hollow = convexity::worst_bend(&shape);
        if hollow.bend > 1e-3 && hollow.zeta.abs() > 1e-3 {
            assert!(
                convexity::point_in_hollow(&shape, &hollow).is_some(),
                "{shape:?} {hollow:?}"
            );
        }
    }
}

#[test]
fn even_directions_are_even() {
    let all = fibonacci_sphere(1000);
    let mean = all.iter().sum::<Vector3<f64>>() / 1000.0;
    assert!(mean.norm() < 1e-2 && all.iter().all(|n| (n.norm() - 1.0).abs() < 1e-15));
}
