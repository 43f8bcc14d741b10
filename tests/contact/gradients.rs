//! The gradient of the signed distance of any two kinds of shape against differences of distances.

use crate::shapes::shapes;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::{Outcome, QueryError, QueryOptions, Shape};

/// A pose after a small motion along one of six inputs.
fn moved(pose: &Isometry3<f64>, input: usize, by: f64) -> Isometry3<f64> {
    let axis = Vector3::ith(input % 3, by);
    if input < 3 {
        return Translation3::from(axis) * pose;
    }
    let turn = UnitQuaternion::from_scaled_axis(axis);
    Isometry3::from_parts(pose.translation, turn * pose.rotation)
}

#[test]
fn gradients_of_any_two_kinds_are_those_of_differences() {
    let mut rng = ChaCha8Rng::seed_from_u64(2653);
    let options = QueryOptions::default().with_tolerance(1e-13);
    let [mut compared, mut kinks] = [0; 2];
    let kinds = shapes();
    for (name_a, a) in &kinds {
        for (name_b, b) in &kinds {
            for _ in 0..6 {
                let poses = [0; 2].map(|_| {
                    let at = Vector3::from_fn(|_, _| rng.random_range(-0.6..0.6));
                    Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)))
                });
                let ask =
                    |poses: &[Isometry3<f64>; 2]| a.contact(&poses[0], b, &poses[1], &options);
                let found = match ask(&poses) {
                    Err(QueryError::Unsupported { .. }) => continue,
                    found => found.unwrap().unwrap().contact,
                };
                let gradient = a
                    .distance_gradient(&poses[0], b, &poses[1], &found)
                    .unwrap();
                let Some(gradient) = gradient else {
                    assert!(found.distance.is_infinite() || found.outcome == Outcome::NotConverged);
                    continue;
                };
                // What is not proven need not be the distance.
                if found.upper - found.lower > 1e-6 {
                    continue;
                }
                // A depth of parts, or where several directions are as deep, has kinks everywhere.
                if found.distance < 0.0 && (a.as_ref().has_parts() || b.as_ref().has_parts()) {
                    continue;
                }
                for input in 0..12 {
                    let step = 1e-5;
                    let after = |by: f64| {
                        let mut moving = poses;
                        moving[input / 6] = moved(&poses[input / 6], input % 6, by);
                        ask(&moving).unwrap().unwrap().contact.distance
                    };
                    let [low, high] = [after(-step), after(step)];
                    let [before, behind] =
                        [found.distance - low, high - found.distance].map(|d| d / step);
                    if (before - behind).abs() > 1e-3 {
                        kinks += 1;
                        continue;
                    }
                    compared += 1;
                    let by = gradient.gradient[input];
                    let difference = (high - low) / (2.0 * step);
                    assert!(
                        (by - difference).abs() < 1e-4,
                        "{name_a} {name_b}, input {input}: {by}, {difference} at {found:?}"
                    );
                }
            }
        }
    }
    println!("{compared} numbers, {kinks} at kinks");
    assert!(compared > 10_000 && kinks < compared / 20);
}

#[test]
fn the_shape_of_a_superovoid_beside_another_body_has_a_gradient_too() {
    let egg = [0.2, 0.3, 0.4, 0.7, 1.2, 0.3, -0.2];
    let made = |p: [f64; 7]| {
        let [a1, a2, a3, e1, e2, tx, ty] = p;
        Shape::from(superovoid::Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty]).unwrap())
    };
    let can = Shape::from(superovoid::convex::ConvexShape::cylinder(0.2, 0.5).unwrap());
    let (here, there) = (Isometry3::translation(0.5, 0.4, 0.7), Isometry3::identity());
    let options = QueryOptions::default().with_tolerance(1e-13);
    let distance = |p| {
        can.contact(&here, &made(p), &there, &options)
            .unwrap()
            .unwrap()
            .contact
    };
    let found = can
        .distance_gradient(&here, &made(egg), &there, &distance(egg))
        .unwrap()
        .unwrap();
    for k in 0..7 {
        let at = |by: f64| {
            let mut changed = egg;
            changed[k] += by;
            distance(changed).distance
        };
        let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
        assert!(
            (found.gradient[19 + k] - difference).abs() < 1e-6,
            "{k}: {difference}"
        );
        assert_eq!(found.gradient[12 + k], 0.0);
    }
}
