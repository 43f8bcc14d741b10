//! Fits of points: options, invariance, and input that is wrong.

use nalgebra::{Isometry3, Point3, Translation3, Unit, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::Cell;
use superovoid::Superovoid;
use superovoid_fit::{Aim, Axis, Family, Fit, FitError, FitOptions, Loss, fit};

fn pose() -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::new(0.3, -0.2, 0.7),
        UnitQuaternion::from_euler_angles(0.4, -0.7, 1.9),
    )
}

fn points(shape: &Superovoid, pose: &Isometry3<f64>) -> Vec<Point3<f64>> {
    shape
        .tessellate(28)
        .vertices
        .iter()
        .map(|v| pose * v)
        .collect()
}

fn egg() -> Superovoid {
    Superovoid::new([0.2, 0.25, 0.4], [0.8, 1.1], [0.2, 0.2]).unwrap()
}

/// Largest |gauge − 1| of points, by the inside-outside function.
fn off(fit: &Fit, points: &[Point3<f64>]) -> f64 {
    let off = |p: &Point3<f64>| {
        let f = fit
            .shape
            .inside_outside(&fit.pose.inverse_transform_point(p));
        ((f + 1.0).powf(0.5 * fit.shape.exponents()[1]) - 1.0).abs()
    };
    points.iter().map(off).fold(0.0, f64::max)
}

#[test]
fn plain_shapes_are_found() {
    let shapes = [
        Superovoid::sphere(0.01),
        Superovoid::ellipsoid([0.01, 0.05, 1.0]),
        Superovoid::superellipsoid([1.0; 3], [0.05, 0.05]),
        Superovoid::superellipsoid([1.0, 1.0, 0.1], [1.0, 0.05]),
        Superovoid::superellipsoid([1.0, 2.0, 3.0], [1.9, 1.9]),
        Superovoid::new([1.0, 1.0, 2.0], [1.0, 0.1], [0.8, 0.8]),
    ];
    for shape in shapes.map(Result::unwrap) {
        let points = points(&shape, &pose());
        let found = fit(&points, &FitOptions::default()).unwrap();
        assert!(off(&found, &points) < 1e-7, "{shape:?} {found:?}");
    }
}

#[test]
fn scale_and_place_do_not_matter_and_answers_repeat() {
    let points = points(&egg(), &pose());
    let options = FitOptions::default();
    let first = fit(&points, &options).unwrap();
    let again = fit(&points, &options).unwrap();
    assert_eq!((first.shape, first.pose), (again.shape, again.pose));
    for scale in [1e-6, 1e6] {
        let scaled: Vec<Point3<f64>> = points.iter().map(|p| p * scale).collect();
        let found = fit(&scaled, &options).unwrap();
        assert!(off(&found, &scaled) < 1e-9);
        let ratio = found.shape.volume() / (egg().volume() * scale.powi(3));
        assert!((ratio - 1.0).abs() < 1e-9);
    }
}

#[test]
fn families_are_kept() {
    // Hollow: no convex body follows it.
    let hollow = Superovoid::new([0.3, 0.2, 0.4], [0.5, 0.5], [0.5, -0.5]).unwrap();
    let points = points(&hollow, &pose());
    let of = |family| {
        let options = FitOptions::default().with_family(family);
        fit(&points, &options).unwrap()
    };
    assert!(off(&of(Family::Any), &points) < 1e-9);
    assert!(of(Family::Convex).shape.is_convex());
    assert_eq!(of(Family::Superellipsoid).shape.tapers(), [0.0, 0.0]);
}

#[test]
fn a_given_axis_is_kept_to() {
    let points = points(&egg(), &pose());
    let direction = Unit::new_normalize(pose() * Vector3::new(0.02, 0.0, 1.0));
    let center = Point3::from(pose().translation.vector);
    for through in [None, Some(center)] {
        for loss in [Loss::Robust, Loss::Squares] {
            let options = FitOptions::default()
                .with_axis(Some(Axis { direction, through }))
                .with_loss(loss);
            let found = fit(&points, &options).unwrap();
            let z = found.pose * Vector3::z();
            assert!((z.dot(&direction).abs() - 1.0).abs() < 1e-12);
            assert!(off(&found, &points) < 0.1);
            if through.is_some() {
                let offset = found.pose.translation.vector - center.coords;
                assert!(offset.cross(&direction).norm() < 1e-12);
            }
        }
    }
}

#[test]
fn an_enclosing_body_holds_outliers_too() {
    let brick = Superovoid::superellipsoid([0.3, 0.2, 0.1], [0.1, 0.1]).unwrap();
    let mut points = points(&brick, &pose());
    points.push(pose() * Point3::new(0.35, 0.0, 0.0));
    let options = FitOptions::default().with_aim(Aim::Enclosing);
    let found = fit(&points, &options).unwrap();
    for p in &points {
        let local = found.pose.inverse_transform_point(p);
        assert!(found.shape.inside_outside(&local) <= 0.0);
    }
    assert!(found.shape.volume() < 1.4 * brick.volume());
}

#[test]
fn wrong_input_is_refused() {
    let options = FitOptions::default();
    let p = |x: f64, y: f64, z: f64| Point3::new(x, y, z);
    let grid = |f: &dyn Fn(f64, f64) -> Point3<f64>| -> Vec<Point3<f64>> {
        (0..100)
            .map(|k| f((k % 10) as f64, (k / 10) as f64))
            .collect()
    };
    let few = fit(&[p(0.0, 1.0, 2.0); 5], &options);
    assert_eq!(
        few,
        Err(FitError::TooFewPoints {
            found: 5,
            needed: 13
        })
    );
    assert!(
        few.unwrap_err()
            .to_string()
            .contains("5 points are too few")
    );
    assert_eq!(
        fit(&grid(&|_, _| p(1.0, 1.0, 1.0)), &options),
        Err(FitError::OnePlace)
    );
    assert_eq!(
        fit(&grid(&|_, _| p(0.0, 0.0, 0.0)), &options),
        Err(FitError::OnePlace)
    );
    assert_eq!(
        fit(&grid(&|x, y| p(x + y, 2.0, 0.0)), &options),
        Err(FitError::Straight)
    );
    assert_eq!(
        fit(&grid(&|x, y| p(x, y, x - y)), &options),
        Err(FitError::Flat)
    );
    for bad in [f64::NAN, f64::INFINITY] {
        let mut points = points(&egg(), &pose());
        points[7].y = bad;
        assert_eq!(
            fit(&points, &options),
            Err(FitError::NonFinitePoint { index: 7 })
        );
    }
    for scale in [1e-170, 1e170] {
        let points: Vec<_> = points(&egg(), &pose()).iter().map(|p| p * scale).collect();
        assert!(matches!(fit(&points, &options), Err(FitError::Size { .. })));
    }
    let axis = Axis {
        direction: Unit::new_unchecked(Vector3::zeros()),
        through: None,
    };
    let axis = options.with_axis(Some(axis));
    assert_eq!(fit(&points(&egg(), &pose()), &axis), Err(FitError::Axis));
}

#[test]
fn progress_is_told_and_can_cancel() {
    let noisy: Vec<Point3<f64>> = {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut shake = || random.random_range(-0.01..0.01);
        let points = points(&egg(), &pose());
        points
            .iter()
            .map(|p| p + Vector3::new(shake(), shake(), shake()))
            .collect()
    };
    let calls = Cell::new(0);
    let count = |p: superovoid_fit::Progress| {
        assert!(p.done < p.steps);
        calls.set(calls.get() + 1);
        calls.get() < 1000
    };
    let options = FitOptions::default().with_progress(Some(&count));
    fit(&noisy, &options).unwrap();
    assert!(calls.get() > 20);
    let stop = FitOptions::default().with_progress(Some(&|_| false));
    assert_eq!(fit(&noisy, &stop), Err(FitError::Cancelled));
}

#[test]
fn whatever_the_points_are_the_answer_is_a_body_or_an_error() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for kind in 0..6 {
        for aim in [Aim::Best, Aim::Enclosing, Aim::Inscribed] {
            let count = [13, 20, 60][kind % 3];
            let mut x = || random.random_range(-1.0..1.0f64);
            let points: Vec<Point3<f64>> = (0..count)
                .map(|k| match kind {
                    0 | 1 => Point3::new(x(), x(), x()),
                    2 => Point3::new(x(), x(), 1e-5 * x()),
                    3 => Point3::new(x() + 1e6, x(), x()),
                    4 => Point3::new(x().powi(9), x().powi(9), x().powi(9)),
                    _ => Point3::new(x() + if k % 2 == 0 { 9.0 } else { 0.0 }, x(), x()),
                })
                .collect();
            let options = FitOptions::default().with_aim(aim);
            if let Ok(found) = fit(&points, &options) {
                assert!(found.shape.is_convex(), "{kind} {aim:?} {:?}", found.shape);
                let inside = |p| {
                    found
                        .shape
                        .inside_outside(&found.pose.inverse_transform_point(p))
                };
                match aim {
                    Aim::Best => {}
                    Aim::Enclosing => assert!(points.iter().all(|p| inside(p) <= 0.0)),
                    _ => assert!(points.iter().all(|p| inside(p) >= 0.0)),
                }
            }
        }
    }
}
