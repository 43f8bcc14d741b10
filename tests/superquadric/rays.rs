//! Rays against dense samples of the definition.

use crate::oracle::{Body, FAMILIES};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::Ray;
use superovoid::superquadric::{Family, Sheets, Superquadric};

pub fn random_unit(random: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

pub fn random_pose(random: &mut ChaCha8Rng) -> Isometry3<f64> {
    let axis = random_unit(random) * random.random_range(0.0..3.0);
    let shift = Vector3::from_fn(|_, _| random.random_range(-2.0..2.0));
    Isometry3::from_parts(
        Translation3::from(shift),
        UnitQuaternion::from_scaled_axis(axis),
    )
}

/// A ray that starts outside and aims at a point of the box that holds the body.
fn random_ray(body: &Body, random: &mut ChaCha8Rng) -> [Vector3<f64>; 2] {
    let half = body.half_widths();
    let aim = half.map(|h| random.random_range(-h..h));
    let along = random_unit(random);
    let back = 1.2 * 2.0 * half.norm();
    [aim - along * back, along]
}

/// Compares the hits of one ray with samples: every root is one, their signs alternate, and every sample is on the side that
/// the roots before it say. Returns the number of hits.
fn check(
    body: &Body,
    [from, along]: [Vector3<f64>; 2],
    samples: usize,
    random: &mut ChaCha8Rng,
) -> usize {
    let pose = random_pose(random);
    let ray = Ray {
        origin: pose * Point3::from(from),
        direction: pose * along,
    };
    let hits = body.shape.ray_hits(&pose, &ray, f64::INFINITY).unwrap();
    assert!(hits.is_complete(), "{body:?} {from} {along}");
    let at = |t: f64| body.outside(&(from + along * t));
    let times: Vec<f64> = hits.iter().map(|hit| hit.time_of_impact).collect();
    let size = body.half_widths().amax();
    for (k, hit) in hits.iter().enumerate() {
        let local = pose.inverse() * hit.point;
        let off = body.outside(&local.coords);
        // At an angle to the surface the rounding along the ray is as much off it, times the oracle's slope of at most 2.
        assert!(
            off.abs() < 1e-11,
            "{body:?} {from} {along} {times:?} {k}: {off}"
        );
        assert!((hit.normal.norm() - 1.0).abs() < 1e-12);
        let leaving = hit.normal.dot(&ray.direction);
        let expected = if k % 2 == 0 { -1.0 } else { 1.0 };
        assert!(
            leaving * expected > -1e-6,
            "{body:?} {times:?} {k}: {leaving}"
        );
    }
    assert_eq!(times.len() % 2, 0, "{body:?} {from} {along} {times:?}");
    let end = 4.0 * body.half_widths().norm();
    let before = |t: f64| times.iter().filter(|&&x| x < t).count();
    let mut ask: Vec<f64> = (0..samples)
        .map(|k| end * k as f64 / samples as f64)
        .collect();
    ask.extend(times.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])));
    for t in ask {
        let value = at(t);
        let inside = before(t) % 2 == 1;
        let near = times.iter().any(|x| (x - t).abs() < 1e-9 * size);
        assert!(
            (value < 0.0) == inside || near || value.abs() < 1e-12,
            "{body:?} {from} {along} {times:?} {t}: {value}"
        );
    }
    times.len()
}

fn many(family: Family, count: usize, samples: usize, seed: u64) -> [usize; 6] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut numbers = [0; 6];
    for _ in 0..count {
        let body = Body::random(family, 0.02, &mut random);
        let ray = random_ray(&body, &mut random);
        numbers[check(&body, ray, samples, &mut random).min(10) / 2] += 1;
    }
    numbers
}

#[test]
fn every_sample_of_a_ray_is_on_the_side_that_the_hits_say() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let numbers = many(family, 1500, 200, k as u64);
        assert!(
            numbers[0] > 50 && numbers[1] > 300,
            "{family:?} {numbers:?}"
        );
        if !matches!(family, Family::TwoSheets(Sheets::Upper | Sheets::Lower)) {
            assert!(numbers[2] > 50, "{family:?} {numbers:?}");
        } else {
            assert_eq!(numbers[2], 0, "a convex body");
        }
    }
}

#[test]
#[ignore = "100,000 rays on each body, a minute"]
fn hundred_thousand_rays_of_every_body_skip_no_root() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let numbers = many(family, 100_000, 300, 100 + k as u64);
        println!("{family:?}: {numbers:?} rays with 0, 2, 4, 6, 8, 10 hits");
    }
}

/// The quartic of a round torus, solved by its four roots along a line in the plane of its axis: a circle each.
#[test]
fn four_hits_of_a_round_torus_are_in_closed_form() {
    let ring = Superquadric::toroid([0.25; 3], [1.0; 2], 4.0).unwrap();
    for height in [0.0_f64, 0.1, -0.2, 0.2499] {
        let half = (0.0625 - height * height).sqrt();
        let ray = Ray {
            origin: Point3::new(-3.0, 0.0, height),
            direction: Vector3::x(),
        };
        let hits = ring
            .ray_hits(&Isometry3::identity(), &ray, f64::INFINITY)
            .unwrap();
        let exact = [2.0 - half, 2.0 + half, 4.0 - half, 4.0 + half];
        assert_eq!(hits.len(), 4);
        for (hit, exact) in hits.iter().zip(exact) {
            assert!(
                (hit.time_of_impact - exact).abs() < 1e-12 / half.min(1.0),
                "{height}"
            );
        }
    }
}

#[test]
fn a_ray_along_the_axis_meets_caps_tips_and_no_ring() {
    let cast = |shape: &Superquadric, from: f64| {
        let ray = Ray {
            origin: Point3::new(0.0, 0.0, from),
            direction: -Vector3::z(),
        };
        let hits = shape
            .ray_hits(&Isometry3::identity(), &ray, f64::INFINITY)
            .unwrap();
        assert!(hits.is_complete());
        hits.iter()
            .map(|hit| from - hit.time_of_impact)
            .collect::<Vec<_>>()
    };
    for e in [0.02, 0.5, 1.0, 1.5, 1.98] {
        let neck = Superquadric::one_sheet([1.0; 3], [e; 2], 2.0).unwrap();
        assert_eq!(cast(&neck, 5.0), [2.0, -2.0]);
        let sheets = Superquadric::two_sheets([1.0; 3], [e; 2], 2.0, Sheets::Both).unwrap();
        let heights = cast(&sheets, 5.0);
        for (z, exact) in heights.iter().zip([2.0, 1.0, -1.0, -2.0]) {
            assert!((z - exact).abs() < 1e-12, "{e}: {heights:?}");
        }
        assert_eq!(heights.len(), 4);
        let ring = Superquadric::toroid([1.0; 3], [e; 2], 2.0).unwrap();
        assert!(cast(&ring, 5.0).is_empty());
    }
}

#[test]
fn a_straight_line_of_a_hyperboloid_is_reported_as_unresolved_or_as_a_graze() {
    let neck = Superquadric::one_sheet([1.0; 3], [1.0; 2], 2.0).unwrap();
    let along = Vector3::new(0.0, 1.0, 1.0);
    let ray = Ray {
        origin: Point3::new(1.0, -3.0, -3.0),
        direction: along,
    };
    // It ends, and what it reports is on the surface.
    let hits = neck
        .ray_hits(&Isometry3::identity(), &ray, f64::INFINITY)
        .unwrap();
    for hit in hits.iter() {
        assert!(neck.inside_outside(&hit.point).abs() < 1e-12);
    }
}

#[test]
fn rays_from_inside_leave_and_solid_bodies_are_hit_at_once() {
    let ring = Superquadric::toroid([0.5; 3], [1.0; 2], 4.0).unwrap();
    let (here, far) = (Isometry3::identity(), f64::INFINITY);
    let ray = Ray {
        origin: Point3::new(2.0, 0.0, 0.0),
        direction: Vector3::x() * 2.0,
    };
    let solid = ring.ray_cast(&here, &ray, far, true).unwrap().unwrap();
    assert_eq!(solid.time_of_impact, 0.0);
    let shell = ring.ray_cast(&here, &ray, far, false).unwrap().unwrap();
    assert!((shell.time_of_impact - 0.25).abs() < 1e-14);
    assert!(ring.ray_cast(&here, &ray, 0.2, false).unwrap().is_none());
}

#[test]
fn bad_rays_are_refused_by_name() {
    let ring = Superquadric::toroid([0.5; 3], [1.0; 2], 4.0).unwrap();
    let good = Ray {
        origin: Point3::origin(),
        direction: Vector3::x(),
    };
    let cast = |ray: Ray, most: f64| {
        let error = ring
            .ray_hits(&Isometry3::identity(), &ray, most)
            .unwrap_err();
        error.to_string()
    };
    let nan = Point3::new(f64::NAN, 0.0, 0.0);
    assert!(
        cast(
            Ray {
                origin: nan,
                ..good
            },
            1.0
        )
        .starts_with("ray origin")
    );
    assert!(
        cast(
            Ray {
                direction: Vector3::zeros(),
                ..good
            },
            1.0
        )
        .starts_with("ray direction")
    );
    assert!(cast(good, f64::NAN).contains("max_time_of_impact"));
    assert!(cast(good, -1.0).contains("max_time_of_impact"));
}
