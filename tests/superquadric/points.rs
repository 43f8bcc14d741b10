//! Points against closed forms and dense searches.

use crate::oracle::{Body, FAMILIES};
use crate::rays::{random_pose, random_unit};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::superquadric::{Family, Sheets, Superquadric};
use superovoid::{Contact, Outcome, VertexOptions};

/// Asks in a random pose, checks what every answer must have, and returns the answer in the body's frame.
fn ask(body: &Body, x: &Vector3<f64>, random: &mut ChaCha8Rng) -> (Contact, Vector3<f64>) {
    let pose = random_pose(random);
    let point = pose * Point3::from(*x);
    let found = body
        .shape
        .point_contact(&pose, &point, &VertexOptions::default())
        .unwrap();
    let size = body.half_widths().amax();
    let nearest = (pose.inverse() * found.point_a).coords;
    assert!(
        (found.point_b - point).norm() < 1e-8 * (size + x.norm()),
        "{body:?} {x} {found:?}"
    );
    let closed = found.point_b - found.point_a - *found.normal * found.distance;
    assert!(
        closed.norm() < 1e-12 * (size + x.norm()),
        "{body:?} {x} {found:?}"
    );
    assert!(
        found.lower <= found.distance && found.distance <= found.upper,
        "{body:?} {x} {found:?}"
    );
    (found, nearest)
}

#[test]
fn points_about_a_round_torus_are_in_closed_form() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for k in 0..3000 {
        let tube = random.random_range(0.1..2.0);
        let ring = if k % 3 == 0 {
            1.01
        } else {
            random.random_range(1.1..5.0)
        };
        let body = Body::new(Family::Toroid, [tube; 3], [1.0; 2], ring);
        let reach = 1.5 * body.half_widths().x;
        let mut x = Vector3::from_fn(|_, _| random.random_range(-reach..reach));
        if k % 10 == 0 {
            (x.x, x.y) = (0.0, 0.0);
        }
        let across = x.x.hypot(x.y) - tube * ring;
        let exact = across.hypot(x.z) - tube;
        let (found, _) = ask(&body, &x, &mut random);
        assert!(
            (found.distance - exact).abs() < 1e-12 * reach,
            "{body:?} {x} {found:?}: {exact}"
        );
        if exact > 0.0 {
            assert_eq!(found.outcome, Outcome::Certified, "{body:?} {x} {found:?}");
        }
    }
}

/// The distance of a point from the surface of a body of revolution, signed: the least over the profile, sampled and
/// refined, in the half-plane through the point.
fn of_revolution(body: &Body, x: &Vector3<f64>) -> f64 {
    let (r, z) = (x.x.hypot(x.y), x.z);
    let (a, a3) = (body.a[0], body.a[2]);
    let at = |rho: f64, zeta: f64| (r - a * rho).hypot(z - a3 * zeta);
    let family = body.shape.family();
    let mut best = f64::INFINITY;
    let mut search = |curve: &dyn Fn(f64) -> (f64, f64)| {
        let value = |t: f64| {
            let (rho, zeta) = curve(t);
            at(rho, zeta)
        };
        const SAMPLES: usize = 3000;
        let values: Vec<f64> = (0..=SAMPLES)
            .map(|k| value(k as f64 / SAMPLES as f64))
            .collect();
        for k in 0..=SAMPLES {
            let (before, after) = (k.saturating_sub(1), (k + 1).min(SAMPLES));
            if values[k] <= values[before] && values[k] <= values[after] {
                let (mut low, mut high) = (
                    before as f64 / SAMPLES as f64,
                    after as f64 / SAMPLES as f64,
                );
                for _ in 0..100 {
                    let (c, d) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
                    if value(c) < value(d) {
                        high = d
                    } else {
                        low = c
                    }
                }
                best = best.min(value(0.5 * (low + high)));
            }
        }
    };
    let p = body.p[1];
    let circle = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let radius = (c.abs().powf(p) + s.abs().powf(p)).powf(1.0 / p);
        (c / radius, s / radius)
    };
    let top = body.extent;
    // The curves by the angle about a corner of theirs, which spreads samples over steep and flat parts.
    match family {
        Family::Toroid => search(&|t| {
            let (c, s) = circle(std::f64::consts::TAU * t);
            (top + c, s)
        }),
        Family::OneSheet => {
            search(&|t| {
                let zeta = top * (2.0 * t - 1.0);
                (body.rho(zeta), zeta)
            });
            // The bend of a profile with a small exponent is at the height 1, that of a large one at 0.
            search(&|t| {
                let zeta = t.powi(5) * top * z.signum();
                (body.rho(zeta), zeta)
            });
            let rim = body.rho(top);
            search(&|t| (rim * t, top * z.signum()));
        }
        Family::TwoSheets(_) => {
            let rim = body.rho(top);
            let side = match family {
                Family::TwoSheets(Sheets::Upper) => 1.0,
                Family::TwoSheets(Sheets::Lower) => -1.0,
                _ => 1.0_f64.copysign(z),
            };
            search(&|t| {
                let rho = rim * t;
                let large = rho.max(1.0);
                let sum = (rho / large).powf(p) + (1.0 / large).powf(p);
                (rho, side * large * sum.powf(1.0 / p))
            });
            search(&|t| {
                let rho = rim * t.powi(5);
                let large = rho.max(1.0);
                let sum = (rho / large).powf(p) + (1.0 / large).powf(p);
                (rho, side * large * sum.powf(1.0 / p))
            });
            search(&|t| (rim * t, side * top));
        }
    }
    if body.outside(x) < 0.0 { -best } else { best }
}

fn check_revolution(family: Family, count: usize, low: f64, seed: u64) -> [usize; 3] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut outcomes = [0; 3];
    for _ in 0..count {
        let drawn = Body::random(family, low, &mut random);
        let [_, e2] = drawn.shape.exponents();
        let body = Body::new(
            family,
            [drawn.a[0], drawn.a[0], drawn.a[2]],
            [1.0, e2],
            drawn.extent,
        );
        let half = body.half_widths();
        let x = half.map(|h| random.random_range(-1.5 * h..1.5 * h));
        let (found, nearest) = ask(&body, &x, &mut random);
        let exact = of_revolution(&body, &x);
        let size = half.amax();
        assert!(
            (found.distance - exact).abs() < 3e-7 * size && found.distance < exact + 1e-9 * size,
            "{body:?} {x} {found:?}: {exact}"
        );
        assert!(found.lower <= exact + 1e-9 * size && exact <= found.upper + 3e-7 * size);
        // A steep surface turns the rounding of the point into as much more of the function.
        assert!(
            body.outside(&nearest).abs() < 1e-7,
            "{body:?} {x} {found:?} {nearest}"
        );
        outcomes[match found.outcome {
            Outcome::Certified => 0,
            Outcome::Converged => 1,
            _ => 2,
        }] += 1;
        if exact > 0.0 {
            assert_eq!(found.outcome, Outcome::Certified, "{body:?} {x} {found:?}");
        }
    }
    outcomes
}

#[test]
fn points_about_bodies_of_revolution_are_those_of_a_search_in_the_half_plane() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let outcomes = check_revolution(family, 250, 0.1, 10 + k as u64);
        assert!(outcomes[0] > 50, "{family:?} {outcomes:?}");
    }
}

/// Both faces beside the top of a pointed tube were nearest within a cell of the grid, and only one of them was met.
#[test]
fn a_point_under_the_edge_of_a_tube_is_as_near_as_the_nearer_face() {
    let body = Body::new(
        Family::Toroid,
        [1.2389265128986335, 1.2389265128986335, 0.7284382237805233],
        [1.0, 1.6754958104910949],
        1.6137046412760807,
    );
    let x = Vector3::new(-1.859800531428378, -0.7450641482371978, 0.5097569546857876);
    for side in [1.0, -1.0] {
        let x = Vector3::new(x.x, x.y, side * x.z);
        let options = VertexOptions::default();
        let found = body
            .shape
            .point_contact(&Isometry3::identity(), &x.into(), &options);
        let (found, exact) = (found.expect("valid").distance, of_revolution(&body, &x));
        assert!((found - exact).abs() < 1e-9, "{found} {exact}");
    }
}

#[test]
#[ignore = "20,000 points on each body of revolution, minutes"]
fn twenty_thousand_points_about_bodies_of_revolution() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let outcomes = check_revolution(family, 20_000, 0.02, 20 + k as u64);
        println!("{family:?}: {outcomes:?} certified, converged, open");
    }
}

/// A curve (ρ, ζ) by a parameter from 0 to 1.
type Profile<'a> = Box<dyn Fn(f64) -> (f64, f64) + 'a>;

/// The least distance to samples of the surface, improved by smaller and smaller steps about the best ones.
fn dense(body: &Body, x: &Vector3<f64>) -> f64 {
    let a = Vector3::from(body.a);
    let family = body.shape.family();
    let p = body.p[1];
    let tau = std::f64::consts::TAU;
    // Two parameters in [0, 1]: around, and along the profile; one surface after another.
    let profiles: Vec<Profile> = match family {
        Family::Toroid => vec![Box::new(move |t: f64| {
            let (s, c) = (tau * t).sin_cos();
            let radius = (c.abs().powf(p) + s.abs().powf(p)).powf(1.0 / p);
            (body.extent + c / radius, s / radius)
        })],
        _ => {
            let top = body.extent;
            let mut all: Vec<Profile> = Vec::new();
            let sides: &[f64] = match family {
                Family::TwoSheets(Sheets::Upper) => &[1.0],
                Family::TwoSheets(Sheets::Lower) => &[-1.0],
                _ => &[1.0, -1.0],
            };
            let rim = body.rho(top);
            for &side in sides {
                if family == Family::OneSheet {
                    all.push(Box::new(move |t: f64| (body.rho(top * t), side * top * t)));
                } else {
                    all.push(Box::new(move |t: f64| {
                        let rho = rim * t;
                        let large = rho.max(1.0);
                        let sum = (rho / large).powf(p) + (1.0 / large).powf(p);
                        (rho, side * large * sum.powf(1.0 / p))
                    }));
                }
                all.push(Box::new(move |t: f64| (rim * t, side * top)));
            }
            all
        }
    };
    let mut best = f64::INFINITY;
    for profile in &profiles {
        let value = |s: f64, t: f64| {
            let [xi, eta] = body.section(tau * s);
            let (rho, zeta) = profile(t.clamp(0.0, 1.0));
            (Vector3::new(rho * xi, rho * eta, zeta).component_mul(&a) - x).norm()
        };
        const N: usize = 60;
        let mut starts: Vec<(f64, f64, f64)> = Vec::new();
        for i in 0..N {
            for j in 0..=N {
                let (s, t) = (i as f64 / N as f64, j as f64 / N as f64);
                starts.push((value(s, t), s, t));
            }
        }
        starts.sort_by(|u, v| u.0.total_cmp(&v.0));
        for &(mut d, mut s, mut t) in &starts[..8] {
            let mut step = 1.0 / N as f64;
            while step > 1e-11 {
                let mut moved = false;
                for k in 0..8 {
                    let (sin, cos) = (tau * f64::from(k) / 8.0).sin_cos();
                    let (s1, t1) = (s + step * cos, (t + step * sin).clamp(0.0, 1.0));
                    let d1 = value(s1, t1);
                    if d1 < d {
                        (d, s, t, moved) = (d1, s1, t1, true);
                    }
                }
                if !moved {
                    step *= 0.5;
                }
            }
            best = best.min(d);
        }
    }
    if body.outside(x) < 0.0 { -best } else { best }
}

fn check_dense(family: Family, count: usize, low: f64, seed: u64) -> ([usize; 3], f64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut outcomes = [0; 3];
    let mut widest = 0.0_f64;
    for _ in 0..count {
        let body = Body::random(family, low, &mut random);
        let half = body.half_widths();
        let x = half.map(|h| random.random_range(-1.4 * h..1.4 * h));
        let (found, nearest) = ask(&body, &x, &mut random);
        let exact = dense(&body, &x);
        let size = half.amax();
        // Whatever the search found is a surface point: no answer is farther. Its own misses are small.
        assert!(
            found.distance.abs() < exact.abs() + 1e-9 * size,
            "{body:?} {x} {found:?}: {exact}"
        );
        assert!(
            found.distance * exact >= 0.0,
            "{body:?} {x} {found:?}: {exact}"
        );
        assert!(
            found.lower <= exact + 1e-9 * size,
            "{body:?} {x} {found:?}: {exact}"
        );
        assert!(
            body.outside(&nearest).abs() < 1e-7,
            "{body:?} {x} {found:?} {nearest}"
        );
        outcomes[match found.outcome {
            Outcome::Certified => 0,
            Outcome::Converged => 1,
            _ => 2,
        }] += 1;
        if exact > 0.0 {
            widest = widest.max((found.upper - found.lower) / size);
        }
    }
    (outcomes, widest)
}

#[test]
fn no_sample_of_the_surface_is_nearer_than_the_answer() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let (outcomes, widest) = check_dense(family, 24, 0.1, 30 + k as u64);
        assert!(outcomes[0] > 8, "{family:?} {outcomes:?} {widest}");
        println!("{family:?}: {outcomes:?} {widest:e}");
    }
}

#[test]
#[ignore = "5,000 points on each body, minutes"]
fn five_thousand_points_of_every_body_against_a_dense_search() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let (outcomes, widest) = check_dense(family, 5000, 0.02, 40 + k as u64);
        println!(
            "{family:?}: {outcomes:?} certified, converged, open; widest bracket outside {widest:e} of the size"
        );
    }
}

/// The ball about a point, up to the surface point of the answer, holds nothing of the other side.
#[test]
#[ignore = "100,000 points on each body, minutes"]
fn hundred_thousand_points_of_every_body_have_empty_balls_about_them() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64(50 + k as u64);
        let mut outcomes = [0; 3];
        for _ in 0..100_000 {
            let body = Body::random(family, 0.02, &mut random);
            let half = body.half_widths();
            let x = half.map(|h| random.random_range(-1.4 * h..1.4 * h));
            let (found, nearest) = ask(&body, &x, &mut random);
            assert!(
                body.outside(&nearest).abs() < 1e-7,
                "{body:?} {x} {found:?} {nearest}"
            );
            assert_eq!(
                found.distance < 0.0,
                body.outside(&x) < 0.0,
                "{body:?} {x} {found:?}"
            );
            // The ball about the point up to the surface holds no sample of the other side.
            for _ in 0..20 {
                let y = x + random_unit(&mut random) * (found.distance.abs() * (1.0 - 1e-9));
                let same = (body.outside(&y) < 0.0) == (found.distance < 0.0);
                assert!(
                    same || body.outside(&y).abs() < 1e-9,
                    "{body:?} {x} {found:?} {y}"
                );
            }
            outcomes[match found.outcome {
                Outcome::Certified => 0,
                Outcome::Converged => 1,
                _ => 2,
            }] += 1;
        }
        println!("{family:?}: {outcomes:?} certified, converged, open");
    }
}

#[test]
fn sizes_and_far_points_change_nothing_but_the_scale() {
    let mut random = ChaCha8Rng::seed_from_u64(60);
    let options = VertexOptions::default();
    for family in FAMILIES {
        let body = Body::random(family, 0.3, &mut random);
        let x = body
            .half_widths()
            .map(|h| random.random_range(0.2 * h..1.5 * h));
        let one = body
            .shape
            .point_contact(&Isometry3::identity(), &Point3::from(x), &options)
            .unwrap();
        for k in [1e-150, 1e-9, 1e9, 1e150] {
            let large = Body::new(
                family,
                body.a.map(|a| a * k),
                body.shape.exponents(),
                body.extent,
            );
            let point = Point3::from(x * k);
            let found = large
                .shape
                .point_contact(&Isometry3::identity(), &point, &options)
                .unwrap();
            assert!(
                (found.distance / k - one.distance).abs() < 2e-9 * x.norm(),
                "{body:?} {k}"
            );
        }
        let far = Point3::new(1e12, 2e12, -3e12);
        let found = body
            .shape
            .point_contact(&Isometry3::identity(), &far, &options)
            .unwrap();
        assert!(
            (found.distance / far.coords.norm() - 1.0).abs() < 1e-11,
            "{body:?} {found:?}"
        );
    }
}

#[test]
fn points_on_the_axis_of_a_toroid_have_one_answer_and_always_the_same() {
    for e in [0.1, 0.7, 1.0, 1.3, 1.9] {
        let ring = Superquadric::toroid([0.5; 3], [e, 1.0], 4.0).unwrap();
        let ask = || {
            let origin = Point3::origin();
            ring.point_contact(&Isometry3::identity(), &origin, &VertexOptions::default())
                .unwrap()
        };
        let found = ask();
        assert_eq!(found, ask());
        // The section's point nearest to the centre is on an axis, or for e > 1 on a diagonal.
        let p = 2.0 / e;
        let nearest = if e <= 1.0 {
            1.0
        } else {
            2.0_f64.sqrt() * 2.0_f64.powf(-1.0 / p)
        };
        assert!(
            (found.distance - 1.5 * nearest).abs() < 1e-9,
            "{e} {found:?}"
        );
        assert_eq!(found.outcome, Outcome::Certified, "{e} {found:?}");
    }
}

#[test]
fn bad_points_are_refused_by_name() {
    let ring = Superquadric::toroid([0.5; 3], [1.0; 2], 4.0).unwrap();
    let here = Isometry3::identity();
    let options = VertexOptions::default();
    let nan = Point3::new(f64::NAN, 0.0, 0.0);
    let error = ring.point_contact(&here, &nan, &options).unwrap_err();
    assert_eq!(error.to_string(), "point 0 (counted from 0) is not finite");
    let away = Isometry3::translation(f64::INFINITY, 0.0, 0.0);
    assert!(
        ring.point_contact(&away, &Point3::origin(), &options)
            .is_err()
    );
    let options = options.with_tolerance(-1.0);
    let error = ring
        .point_contact(&here, &Point3::origin(), &options)
        .unwrap_err();
    assert!(error.to_string().starts_with("option tolerance"));
}
