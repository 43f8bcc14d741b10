//! Planes and half-spaces against the oracle's support function and against sampled surfaces.

use crate::oracle::body::Body;
use crate::ray::any_shape;
use crate::sets::{any_direction, any_pose, in_parallel, spread};
use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use rand::RngExt;
use std::sync::Mutex;
use superovoid::{
    Contact, HalfSpace, Outcome, Plane, QueryError, Superovoid, half_space_contact, plane_contact,
};

/// The requirements on any answer, given the true distance and the plane.
fn judge(
    answer: &Contact,
    truth: f64,
    body: &Body,
    pose: &Isometry3<f64>,
    plane: (Vector3<f64>, f64),
) -> Result<(), String> {
    let (normal, offset) = plane;
    let size = body.shape.size();
    let far = pose.translation.vector.norm() + offset.abs();
    let rounding = 16.0 * f64::EPSILON * (far + size);
    let near = |what: &str, error: f64, most: f64| {
        if error.abs() <= most {
            Ok(())
        } else {
            Err(format!("{what}: {error:e}, at most {most:e}"))
        }
    };
    near("distance", answer.distance - truth, 1e-13 * size + rounding)?;
    near(
        "width",
        answer.upper - answer.lower,
        1e-11 * size + 4.0 * rounding,
    )?;
    if !(answer.lower <= truth && truth <= answer.upper) {
        return Err(format!(
            "{truth:e} outside [{:e}, {:e}]",
            answer.lower, answer.upper
        ));
    }
    if answer.outcome != Outcome::Certified {
        return Err("not certified".to_owned());
    }
    let on_plane = normal.dot(&answer.point_b.coords) - offset;
    near("point B off the plane", on_plane, 1e-13 * size + rounding)?;
    let closure = answer.point_b - answer.point_a - *answer.normal * answer.distance;
    near("closure", closure.norm(), rounding)?;
    near("normal", answer.normal.dot(&normal).abs() - 1.0, 1e-14)?;
    let local = pose.inverse_transform_point(&answer.point_a);
    let error = body.surface_error(&local.coords);
    near("point A off the body", error, 1e-12 * size + 4.0 * rounding)
}

fn random_planes(seed: u64, count: usize) {
    let wrong = Mutex::new(Vec::new());
    in_parallel(count, |i| {
        let mut rng = crate::sets::seeded(seed);
        rng.set_stream(i as u64);
        let k = if rng.random_bool(0.3) {
            spread(&mut rng, 1e-6, 1e6)
        } else {
            1.0
        };
        let shape = any_shape(&mut rng).scaled(k);
        let body = Body::new(shape);
        let reach = k * spread(&mut rng, 1e-2, 1e3);
        let pose = any_pose(&mut rng, reach);
        // Along the body's own axes now and then: faces, ridges and poles.
        let normal = match rng.random_range(0..4) {
            0 => pose.rotation * Vector3::ith(rng.random_range(0..3), 1.0),
            _ => any_direction(&mut rng),
        };
        let to_local = |n: Vector3<f64>| pose.rotation.inverse() * n;
        let (up, down) = (
            body.support(&to_local(normal)),
            body.support(&to_local(-normal)),
        );
        let centre = normal.dot(&pose.translation.vector);
        // Apart, touching, straddling and beyond.
        let offset = match rng.random_range(0..3) {
            0 => centre + (up + down) * rng.random_range(-2.0..2.0),
            1 => centre - down,
            _ => centre + up + spread(&mut rng, 1e-12, 1.0) * k,
        };
        let length = spread(&mut rng, 1e-3, 1e3);
        let above = centre - down - offset;
        let below = offset - centre - up;
        let half_space = HalfSpace::new(normal * length, offset * length).expect("valid");
        let plane = Plane::new(normal * length, offset * length).expect("valid");
        let built = shape.build();
        let solid = half_space_contact(&built, &pose, &half_space).expect("valid");
        let thin = plane_contact(&built, &pose, &plane).expect("valid");
        let mut verdict = judge(&solid, above, &body, &pose, (normal, offset));
        if solid.normal.dot(&normal) > 0.0 {
            verdict = Err("the normal of a half-space points into it".to_owned());
        }
        let verdict =
            verdict.and_then(|()| judge(&thin, above.max(below), &body, &pose, (normal, offset)));
        if let Err(reason) = verdict {
            let text = format!("{i}: {reason}\n{shape:?} {pose:?} {normal:?} {offset}");
            wrong.lock().expect("no judge panics").push(text);
        }
    });
    let wrong = wrong.into_inner().expect("no judge panics");
    println!("{count} planes and half-spaces, {} wrong", wrong.len());
    let shown = &wrong[..wrong.len().min(8)];
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

#[test]
fn random_planes_agree_with_the_oracles_support() {
    random_planes(1, 1_500);
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_random_planes_agree_with_the_oracle() {
    random_planes(2, 100_000);
}

/// The meaning of the answer, by points of the surface: nothing is nearer, and the translation by
/// the depth clears the plane while a shorter one does not.
#[test]
fn sampled_surfaces_agree() {
    let mut rng = crate::sets::seeded(3);
    for _ in 0..200 {
        let shape = any_shape(&mut rng);
        let samples = Body::new(shape).surface_samples(2000);
        let pose = any_pose(&mut rng, 1.0);
        let normal = any_direction(&mut rng);
        let offset = rng.random_range(-3.0..3.0);
        let plane = Plane::new(normal, offset).expect("valid");
        let answer = plane_contact(&shape.build(), &pose, &plane).expect("valid");
        // Heights above the plane, on the body's side of it.
        let side = -answer.normal.dot(&normal);
        let height =
            |x: &Vector3<f64>| side * (normal.dot(&(pose * Point3::from(*x)).coords) - offset);
        let lowest = samples.iter().map(height).fold(f64::INFINITY, f64::min);
        let rounding = 1e-13 * (shape.size() + 4.0);
        assert!(lowest >= answer.distance - rounding, "{shape:?}");
        assert!(lowest <= answer.distance + 0.2 * shape.size(), "{shape:?}");
    }
}

/// At the same depth from either side the body counts as lying on the normal's.
#[test]
fn a_tie_is_broken_towards_the_normal() {
    let body = Superovoid::superellipsoid([1.0, 0.5, 0.7], [0.3, 1.7]).expect("valid");
    for normal in [Vector3::z(), -Vector3::z(), Vector3::x(), -Vector3::y()] {
        let plane = Plane::new(normal, 0.0).expect("valid");
        let answer = plane_contact(&body, &Isometry3::identity(), &plane).expect("valid");
        assert_eq!(*answer.normal, -normal);
        assert!(answer.distance < 0.0);
    }
}

#[test]
fn rigid_motion_and_scale_change_nothing() {
    let mut rng = crate::sets::seeded(5);
    for _ in 0..500 {
        let shape = any_shape(&mut rng);
        let pose = any_pose(&mut rng, 2.0);
        let (normal, offset) = (any_direction(&mut rng), rng.random_range(-4.0..4.0));
        let plane = Plane::new(normal, offset).expect("valid");
        let first = plane_contact(&shape.build(), &pose, &plane).expect("valid");
        let (k, motion) = (spread(&mut rng, 1e-6, 1e6), any_pose(&mut rng, 1.0));
        let turned = motion.rotation * normal;
        let shifted = k * (offset + turned.dot(&motion.translation.vector));
        let plane = Plane::new(turned, shifted).expect("valid");
        let moved = motion * pose;
        let scaled = Isometry3::from_parts(
            Translation3::from(moved.translation.vector * k),
            moved.rotation,
        );
        let second = plane_contact(&shape.scaled(k).build(), &scaled, &plane).expect("valid");
        let error = (second.distance / k - first.distance).abs();
        assert!(
            error <= 1e-13 * (shape.size() + 8.0),
            "{shape:?}: {error:e}"
        );
    }
}

/// Exponents too close to 0 or 2 keep the bracket of the bounding sphere.
#[test]
fn exponents_at_the_ends_are_not_certified() {
    let pose = Isometry3::translation(0.0, 0.0, 5.0);
    let plane = Plane::new(Vector3::z(), 0.0).expect("valid");
    for e in [[1e-7, 1.0], [1.0, 2.0 - 1e-7]] {
        let body = Superovoid::superellipsoid([1.0; 3], e).expect("valid");
        let answer = plane_contact(&body, &pose, &plane).expect("valid");
        assert_eq!(answer.outcome, Outcome::NotConverged);
        assert!(answer.lower <= 4.0 && 4.0 <= answer.upper);
        assert!((answer.distance - 4.0).abs() < 1e-9);
    }
}

#[test]
fn invalid_input_is_refused() {
    let bad = [f64::NAN, f64::INFINITY];
    for x in bad {
        assert!(Plane::new(Vector3::new(1.0, x, 0.0), 0.0).is_err());
        assert!(HalfSpace::new(Vector3::x(), x).is_err());
    }
    let error = HalfSpace::new(Vector3::zeros(), 0.0).expect_err("no normal");
    assert_eq!(
        error.to_string(),
        "plane normal: must be finite and not zero"
    );
    assert!(Plane::new(Vector3::x() * 1e-300, 1e300).is_err());
    let tiny = Plane::new(Vector3::new(3e-320, 4e-320, 0.0), 0.0).expect("a direction");
    assert!((tiny.normal().norm() - 1.0).abs() < 1e-15);
    assert!(Plane::new(Vector3::new(1e308, 1e308, 1e308), 1e308).is_ok());
    let body = Superovoid::sphere(1.0).expect("valid");
    let pose = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let plane = Plane::new(Vector3::x(), 0.0).expect("valid");
    let error = plane_contact(&body, &pose, &plane).expect_err("no pose");
    assert_eq!(error, QueryError::NonFinitePose { body: 'A' });
}

/// The ends of the number range: an error or an answer, and the answer right.
#[test]
fn extreme_magnitudes_do_not_panic() {
    for k in [1e-310, 1e-300, 1e-150, 1e150, 1e300] {
        let ball = Superovoid::sphere(k).expect("valid");
        let plane = Plane::new(Vector3::z(), -3.0 * k).expect("valid");
        let answer = plane_contact(&ball, &Isometry3::identity(), &plane).expect("valid");
        assert!((answer.distance / k - 2.0).abs() < 1e-11, "{k:e}");
        assert!(answer.lower <= 2.0 * k && 2.0 * k <= answer.upper);
    }
    let ball = Superovoid::sphere(1.0).expect("valid");
    let plane = Plane::new(Vector3::z(), -1.7e308).expect("valid");
    let pose = Isometry3::translation(0.0, 0.0, 1.7e308);
    let error = plane_contact(&ball, &pose, &plane).expect_err("too far");
    assert_eq!(error, QueryError::Overflow);
}
