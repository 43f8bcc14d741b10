//! Pairs against closed forms and dense searches.

use crate::oracle::{Body, FAMILIES, samples};
use crate::rays::{random_pose, random_unit};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::convex::ConvexShape;
use superovoid::superquadric::{Family, Sheets, Superquadric};
use superovoid::{Contact, HalfSpace, Outcome, Plane, QueryOptions, Shape, Superovoid};

/// The checks that every answer must pass, whatever the bodies.
fn check(found: &Contact, size: f64) {
    let closed = found.point_b - found.point_a - *found.normal * found.distance;
    assert!(closed.norm() < 1e-11 * size, "{found:?}");
    assert!((found.normal.norm() - 1.0).abs() < 1e-12);
    assert!(
        found.lower <= found.distance && found.distance <= found.upper,
        "{found:?}"
    );
}

#[test]
fn balls_about_a_round_torus_are_in_closed_form() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let options = QueryOptions::default();
    let (mut apart, mut inside) = (0, 0);
    for _ in 0..400 {
        let tube = random.random_range(0.2..1.0);
        let ring = random.random_range(1.5..4.0);
        let shape = Superquadric::toroid([tube; 3], [1.0; 2], ring).unwrap();
        let radius = random.random_range(0.05..0.5);
        let reach = 1.5 * tube * (ring + 1.0);
        let x = Vector3::from_fn(|_, _| random.random_range(-reach..reach));
        let exact = (x.x.hypot(x.y) - tube * ring).hypot(x.z) - tube - radius;
        let pose = random_pose(&mut random);
        let ball = ConvexShape::ball(radius).unwrap();
        let there = pose * Translation3::from(x);
        let found = shape.contact(&pose, &ball, &there, &options).unwrap();
        check(&found, reach);
        assert!(
            found.lower <= exact + 1e-12 && exact <= found.upper + 1e-9,
            "{found:?} {exact}"
        );
        if exact > 0.0 {
            apart += 1;
            assert!(
                (found.distance - exact).abs() < 1e-8 * reach,
                "{found:?} {exact}"
            );
            assert_eq!(found.outcome, Outcome::Certified, "{found:?} {exact}");
        } else {
            inside += 1;
            // The least translation leads out of the tube, unless the ball is near its middle.
            assert!(
                (found.distance - exact).abs() < 1e-7 * reach,
                "{found:?} {exact}"
            );
            assert_eq!(found.outcome, Outcome::Converged, "{found:?} {exact}");
        }
    }
    assert!(apart > 100 && inside > 30, "{apart} {inside}");
}

/// The least distance of samples of two surfaces, improved by a compass search in four parameters.
fn dense(body: &Body, b: &Superovoid, to_b: &Isometry3<f64>) -> f64 {
    let a = Vector3::from(body.a);
    let p = body.p[1];
    let tau = std::f64::consts::TAU;
    let family = body.shape.family();
    let rim = body.half_widths().x / body.a[0];
    let profile = |t: f64, side: f64| match family {
        Family::Toroid => {
            let (s, c) = (tau * t).sin_cos();
            let radius = (c.abs().powf(p) + s.abs().powf(p)).powf(1.0 / p);
            (body.extent + c / radius, s / radius)
        }
        // From the middle of the cap to its rim, and on to the neck or the tip.
        _ if t < 0.3 => (rim * t / 0.3, side * body.extent),
        Family::OneSheet => {
            let zeta = body.extent * (1.0 - t) / 0.7;
            (body.rho(zeta), side * zeta)
        }
        Family::TwoSheets(_) => {
            let rho = rim * (1.0 - t) / 0.7;
            let large = rho.max(1.0);
            let sum = (rho / large).powf(p) + (1.0 / large).powf(p);
            (rho, side * large * sum.powf(1.0 / p))
        }
    };
    let sides: &[f64] = match family {
        Family::Toroid | Family::TwoSheets(Sheets::Upper) => &[1.0],
        Family::TwoSheets(Sheets::Lower) => &[-1.0],
        _ => &[1.0, -1.0],
    };
    let [e1, e2] = b.exponents();
    let circle = |angle: f64, e: f64| {
        let (s, c) = angle.sin_cos();
        let p = 2.0 / e;
        let r = (c.abs().powf(p) + s.abs().powf(p)).powf(1.0 / p);
        (c / r, s / r)
    };
    let of_b = |u: f64, v: f64| {
        let ((xi, eta), (rho, zeta)) = (circle(tau * u, e1), circle(0.5 * tau * (v - 0.5), e2));
        let local =
            Vector3::new(rho * xi, rho * eta, zeta).component_mul(&Vector3::from(b.semi_axes()));
        (to_b * Point3::from(local)).coords
    };
    let mut best = f64::INFINITY;
    for &side in sides {
        let of_a = |s: f64, t: f64| {
            let [xi, eta] = body.section(tau * s);
            let (rho, zeta) = profile(t.clamp(0.0, 1.0), side);
            Vector3::new(rho * xi, rho * eta, zeta).component_mul(&a)
        };
        const N: usize = 24;
        let grid = |f: &dyn Fn(f64, f64) -> Vector3<f64>| -> Vec<([f64; 2], Vector3<f64>)> {
            let share = |k: usize| (k as f64 + 0.5) / N as f64;
            (0..N * N)
                .map(|k| ([share(k / N), share(k % N)], f(share(k / N), share(k % N))))
                .collect()
        };
        let (from_a, from_b) = (grid(&of_a), grid(&of_b));
        let mut starts: Vec<(f64, [f64; 4])> = from_a
            .iter()
            .map(|(at, x)| {
                let nearest = from_b
                    .iter()
                    .min_by(|u, v| (u.1 - x).norm().total_cmp(&(v.1 - x).norm()));
                let (other, y) = nearest.unwrap();
                ((y - x).norm(), [at[0], at[1], other[0], other[1]])
            })
            .collect();
        starts.sort_by(|u, v| u.0.total_cmp(&v.0));
        for &(mut d, mut at) in starts.iter().step_by(3).take(6) {
            let mut step = 1.0 / N as f64;
            while step > 1e-9 {
                let mut moved = false;
                for k in 0..32 {
                    // Along the axes, and along diagonals of two of them.
                    let mut next = at;
                    let (i, j) = (k % 4, (k / 8) % 4);
                    next[i] += if k & 4 == 0 { step } else { -step };
                    if i != j {
                        next[j] += if k < 16 { step } else { -step };
                    }
                    next[1] = next[1].clamp(0.0, 1.0);
                    next[3] = next[3].clamp(0.0, 1.0);
                    let value = (of_a(next[0], next[1]) - of_b(next[2], next[3])).norm();
                    if value < d {
                        (d, at, moved) = (value, next, true);
                    }
                }
                if !moved {
                    step *= 0.5;
                }
            }
            best = best.min(d);
        }
    }
    best
}

/// A superellipsoid near a body.
fn random_ovoid(low: f64, random: &mut ChaCha8Rng) -> Superovoid {
    let a = [0; 3].map(|_| random.random_range(0.2..1.0));
    let e = [0; 2].map(|_| random.random_range(low..2.0 - low));
    Superovoid::superellipsoid(a, e).unwrap()
}

fn check_dense(family: Family, count: usize, low: f64, seed: u64) -> [usize; 4] {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut outcomes = [0; 4];
    for _ in 0..count {
        let body = Body::random(family, low, &mut random);
        let ovoid = random_ovoid(low, &mut random);
        let half = body.half_widths();
        let x = half.map(|h| random.random_range(-1.3 * h..1.3 * h));
        let axis = random_unit(&mut random) * random.random_range(0.0..3.0);
        let to_b = Isometry3::from_parts(
            Translation3::from(x),
            UnitQuaternion::from_scaled_axis(axis),
        );
        let pose = random_pose(&mut random);
        let options = QueryOptions::default();
        let found = body
            .shape
            .contact(&pose, &ovoid.into(), &(pose * to_b), &options)
            .unwrap();
        let size = half.amax();
        check(&found, size + x.norm());
        if found.outcome == Outcome::NotConverged {
            println!("open: {body:?} {ovoid:?} {to_b} {found:?}");
        }
        if found.lower > 0.0 {
            let exact = dense(&body, &ovoid, &to_b);
            assert!(
                found.lower <= exact + 1e-9 * size,
                "{body:?} {ovoid:?} {to_b} {found:?} {exact}"
            );
            let local = pose.inverse() * found.point_a;
            assert!(
                body.outside(&local.coords) < 1e-7,
                "{body:?} {ovoid:?} {to_b} {found:?}"
            );
            let local = (pose * to_b).inverse() * found.point_b;
            assert!(
                ovoid.inside_outside(&local) < 1e-5,
                "{body:?} {ovoid:?} {to_b} {found:?}"
            );
        } else {
            // Samples of B lie in the body, or nearly.
            assert!(
                found.distance <= 1e-9 * size,
                "{body:?} {ovoid:?} {to_b} {found:?}"
            );
        }
        outcomes[match (found.outcome, found.lower > 0.0) {
            (Outcome::Certified, true) => 0,
            (Outcome::NotConverged, _) => 2,
            (_, false) => 1,
            _ => 3,
        }] += 1;
    }
    outcomes
}

#[test]
fn no_samples_of_two_surfaces_are_nearer_than_the_lower_bound() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let outcomes = check_dense(family, 7, 0.2, 10 + k as u64);
        println!("{family:?}: {outcomes:?} apart and certified, overlapping, open, other");
        assert!(
            outcomes[0] > 1 && outcomes[2] == 0,
            "{family:?} {outcomes:?}"
        );
    }
}

#[test]
#[ignore = "300 pairs on each body, minutes"]
fn three_hundred_pairs_of_every_body_against_a_dense_search() {
    for (k, family) in FAMILIES.into_iter().enumerate() {
        let outcomes = check_dense(family, 300, 0.05, 20 + k as u64);
        println!("{family:?}: {outcomes:?} apart and certified, overlapping, open, other");
    }
}

#[test]
fn overlapping_bodies_are_apart_after_the_translation_that_the_answer_names() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let options = QueryOptions::default();
    for family in FAMILIES {
        let mut overlapping = 0;
        for _ in 0..60 {
            let body = Body::random(family, 0.3, &mut random);
            let ovoid = random_ovoid(0.3, &mut random);
            let half = body.half_widths();
            let x = half.map(|h| random.random_range(-h..h));
            let there = Isometry3::translation(x.x, x.y, x.z);
            let here = Isometry3::identity();
            let found = body
                .shape
                .contact(&here, &ovoid.into(), &there, &options)
                .unwrap();
            if found.upper > 1e-9 {
                continue;
            }
            overlapping += 1;
            let depth = -found.lower + 1e-7 * half.amax();
            let moved = Translation3::from(*found.normal * depth) * there;
            let after = body
                .shape
                .contact(&here, &ovoid.into(), &moved, &options)
                .unwrap();
            assert!(
                after.distance >= -1e-9 * half.amax(),
                "{body:?} {ovoid:?} {x} {found:?} {after:?}"
            );
        }
        assert!(overlapping > 5, "{family:?}: {overlapping}");
    }
}

#[test]
fn a_neck_and_a_ring_are_not_their_hulls() {
    let options = QueryOptions::default();
    let here = Isometry3::identity();
    let ball = ConvexShape::ball(0.5).unwrap();
    let ring = Superquadric::toroid([0.5; 3], [1.0; 2], 4.0).unwrap();
    let found = ring.contact(&here, &ball, &here, &options).unwrap();
    // The ball is in the middle of the hole: every direction is a nearest one.
    assert!(
        found.lower <= 1.0 && (found.distance - 1.0).abs() < 1e-6,
        "{found:?}"
    );
    let neck = Superquadric::one_sheet([1.0; 3], [1.0; 2], 2.0).unwrap();
    let beside = Isometry3::translation(1.7, 0.0, 0.0);
    let found = neck.contact(&here, &ball, &beside, &options).unwrap();
    assert_eq!(found.outcome, Outcome::Certified);
    assert!(found.lower > 0.0, "{found:?}");
    let sheets = Superquadric::two_sheets([1.0; 3], [1.0; 2], 2.0, Sheets::Both).unwrap();
    let found = sheets.contact(&here, &ball, &here, &options).unwrap();
    assert!((found.distance - 0.5).abs() < 1e-9, "{found:?}");
}

#[test]
fn boxes_cylinders_and_tapered_bodies_are_taken() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let options = QueryOptions::default();
    for family in FAMILIES {
        for k in 0..30 {
            let body = Body::random(family, 0.3, &mut random);
            let other = match k % 3 {
                0 => ConvexShape::cuboid([0.3, 0.2, 0.4]).unwrap(),
                1 => ConvexShape::cylinder(0.2, 0.7).unwrap(),
                _ => Superovoid::new([0.4, 0.3, 0.5], [0.8, 0.6], [0.5, -0.4])
                    .unwrap()
                    .into(),
            };
            let pose_b = random_pose(&mut random);
            let shift = random_unit(&mut random) * body.half_widths().amax();
            let there = Translation3::from(shift) * pose_b;
            let found = body
                .shape
                .contact(&Isometry3::identity(), &other, &there, &options)
                .unwrap();
            check(&found, body.half_widths().amax() + 5.0);
            let options = options.with_max_distance(0.1);
            let near = body
                .shape
                .contact(&Isometry3::identity(), &other, &there, &options)
                .unwrap();
            if near.outcome == Outcome::Beyond {
                assert!(
                    near.lower > 0.1 && found.upper >= near.lower - 1e-9,
                    "{found:?} {near:?}"
                );
            }
        }
    }
}

fn check_planes_and_half_spaces(count: usize) {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    for family in FAMILIES {
        for _ in 0..count {
            let body = Body::random(family, 0.1, &mut random);
            let mesh = body.shape.tessellate(400);
            let pose = random_pose(&mut random);
            let (normal, offset) = (random_unit(&mut random), random.random_range(-3.0..3.0));
            let heights = mesh
                .vertices
                .iter()
                .map(|x| normal.dot(&(pose * x).coords) - offset);
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
                (low.min(h), high.max(h))
            });
            let size = body.half_widths().amax();
            let floor = HalfSpace::new(normal, offset).unwrap();
            let found = body.shape.half_space_contact(&pose, &floor).unwrap();
            check(&found, 10.0 * size);
            assert!(
                found.distance <= low + 1e-11 * size && found.distance > low - 2e-3 * size,
                "{body:?} {found:?} {low}"
            );
            assert_eq!(found.outcome, Outcome::Certified);
            let plane = Plane::new(normal, offset).unwrap();
            let found = body.shape.plane_contact(&pose, &plane).unwrap();
            check(&found, 10.0 * size);
            if family != Family::TwoSheets(Sheets::Both) {
                assert!(
                    (found.distance - low.max(-high)).abs() < 2e-3 * size,
                    "{body:?} {found:?}"
                );
            }
        }
    }
}

#[test]
fn planes_and_half_spaces_are_met_where_the_samples_end() {
    check_planes_and_half_spaces(15);
}

#[test]
#[ignore = "four times the bodies"]
fn planes_and_half_spaces_are_met_where_the_samples_end_long() {
    check_planes_and_half_spaces(60);
}

#[test]
fn a_plane_between_two_sheets_is_as_far_as_the_nearer_one() {
    let sheets = Superquadric::two_sheets([1.0; 3], [1.0; 2], 2.0, Sheets::Both).unwrap();
    let between = Plane::new(Vector3::z(), 0.25).unwrap();
    let found = sheets
        .plane_contact(&Isometry3::identity(), &between)
        .unwrap();
    assert!((found.distance - 0.75).abs() < 1e-12);
}

#[test]
fn bad_poses_and_options_are_refused() {
    let ring = Superquadric::toroid([0.5; 3], [1.0; 2], 4.0).unwrap();
    let ball = ConvexShape::ball(0.5).unwrap();
    let (here, options) = (Isometry3::identity(), QueryOptions::default());
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert!(ring.contact(&nowhere, &ball, &here, &options).is_err());
    assert!(ring.contact(&here, &ball, &nowhere, &options).is_err());
    let options = options.with_tolerance(f64::NAN);
    assert!(ring.contact(&here, &ball, &here, &options).is_err());
}

/// The distance of a point from the unit circle about z.
fn to_circle(p: &Point3<f64>) -> f64 {
    (p.x.hypot(p.y) - 1.0).hypot(p.z)
}

/// The least distance of two unit circles: of a sample and of what is near it, by thirds.
fn circles(to_b: &Isometry3<f64>) -> f64 {
    let tau = std::f64::consts::TAU;
    let at = |t: f64| to_circle(&to_b.inverse_transform_point(&Point3::new(t.cos(), t.sin(), 0.0)));
    let count = 2000;
    let value = |k: usize| at(tau * k as f64 / count as f64);
    let low = (0..count)
        .filter(|&k| value(k) <= value(k + 1) && value(k) <= value((k + count - 1) % count));
    let refined = low.map(|k| {
        let (mut middle, mut step) = (tau * k as f64 / count as f64, tau / count as f64);
        while step > 1e-10 {
            let best = [-step, 0.0, step].map(|d| (at(middle + d), middle + d));
            middle = best
                .into_iter()
                .min_by(|x, y| x.0.total_cmp(&y.0))
                .unwrap()
                .1;
            step *= 0.6;
        }
        at(middle)
    });
    refined.fold(f64::INFINITY, f64::min)
}

#[test]
fn two_round_tori_are_as_far_apart_as_their_circles() {
    let mut random = ChaCha8Rng::seed_from_u64(31);
    let options = QueryOptions::default();
    let [a, b] = [0.2, 0.125].map(|r| Superquadric::toroid([r; 3], [1.0; 2], 1.0 / r).unwrap());
    let [shape, other] = [Shape::from(a), Shape::from(b)];
    let here = Isometry3::identity();
    let mut counts = [0; 3];
    for k in 0..300 {
        let reach = if k % 2 == 0 { 1.0 } else { 2.5 };
        let mut vector = |reach: f64| Vector3::from_fn(|_, _| random.random_range(-reach..reach));
        let there = Isometry3::new(vector(reach), vector(3.0));
        let exact = circles(&there) - 0.325;
        let found = shape.contact(&here, &other, &there, &options).unwrap();
        let found = found.unwrap().contact;
        let context = format!("{there:?} {exact} {found:?}");
        if exact > 0.0 {
            counts[usize::from(found.outcome != Outcome::Certified)] += 1;
            assert!(
                found.lower <= exact + 1e-9 && exact <= found.upper + 1e-9,
                "{context}"
            );
            assert!((found.distance - exact).abs() < 1e-8, "{context}");
            // The circles are linked in one of two; both witnesses are on the tubes.
            assert!((to_circle(&found.point_a) - 0.2).abs() < 1e-8, "{context}");
            let local = there.inverse_transform_point(&found.point_b);
            assert!((to_circle(&local) - 0.125).abs() < 1e-8, "{context}");
        } else {
            counts[2] += 1;
            assert!(found.distance < 0.0 && found.upper <= 1e-9, "{context}");
            // No translation less than the overlap of the tubes separates them.
            assert!(found.lower <= exact + 1e-9, "{context}");
            let moved = Translation3::from(*found.normal * (1e-7 - found.lower)) * there;
            assert!(circles(&moved) - 0.325 > 0.0, "{context}");
        }
    }
    println!("{counts:?} certified, open, overlapping");
    assert!(
        counts[0] > 100 && counts[1] == 0 && counts[2] > 60,
        "{counts:?}"
    );
}

#[test]
fn coaxial_tori_have_a_ring_of_nearest_points_and_a_true_bracket() {
    let options = QueryOptions::default();
    let [a, b] = [0.2, 0.125].map(|r| Superquadric::toroid([r; 3], [1.0; 2], 1.0 / r).unwrap());
    let (here, there) = (Isometry3::identity(), Isometry3::translation(0.0, 0.0, 0.8));
    let found = Shape::from(a)
        .contact(&here, &b.into(), &there, &options)
        .unwrap();
    let found = found.unwrap().contact;
    let exact = 0.8 - 0.325;
    assert!(
        found.lower <= exact && exact <= found.upper + 1e-12,
        "{found:?}"
    );
    assert!(
        (found.distance - exact).abs() < 1e-9 && found.lower > 0.9 * exact,
        "{found:?}"
    );
}

/// Two bodies that are not convex, against samples of both surfaces.
fn check_two(families: [Family; 2], count: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let options = QueryOptions::default();
    let here = Isometry3::identity();
    let (mut outcomes, mut spent) = ([0; 3], [std::time::Duration::ZERO; 3]);
    for _ in 0..count {
        let [a, b] = families.map(|family| Body::random(family, 0.4, &mut random));
        let size = a.half_widths().amax().max(b.half_widths().amax());
        let mut vector = |reach: f64| Vector3::from_fn(|_, _| random.random_range(-reach..reach));
        let there = Isometry3::new(vector(1.2 * size), vector(3.0));
        let begin = std::time::Instant::now();
        let found = Shape::from(a.shape).contact(&here, &b.shape.into(), &there, &options);
        let spent_here = begin.elapsed();
        let found = found.unwrap().unwrap().contact;
        check(&found, size);
        let [(of_a, width_a), (of_b, width_b)] = [&a, &b].map(|body| samples(body, 48));
        let of_b: Vec<Point3<f64>> = of_b.iter().map(|y| there * y).collect();
        let nearest = |x: &Point3<f64>| {
            let all = of_b.iter().map(|y| (y - x).norm_squared());
            all.fold(f64::INFINITY, f64::min)
        };
        let dense = of_a
            .iter()
            .map(nearest)
            .fold(f64::INFINITY, f64::min)
            .sqrt();
        let local = |x: &Point3<f64>| there.inverse_transform_point(x).coords;
        let meet = of_a.iter().any(|x| b.outside(&local(x)) < 0.0)
            || of_b.iter().any(|y| a.outside(&y.coords) < 0.0);
        let context = format!("{a:?} {b:?} {there:?} {found:?} {dense}");
        assert!(found.lower <= dense + 1e-9 * size, "{context}");
        let kind = if found.distance > 0.0 {
            assert!(
                !meet && found.distance >= dense - width_a - width_b,
                "{context}"
            );
            assert!(a.outside(&found.point_a.coords).abs() < 1e-6, "{context}");
            assert!(b.outside(&local(&found.point_b)).abs() < 1e-6, "{context}");
            usize::from(found.outcome != Outcome::Certified)
        } else {
            assert!(meet || dense < width_a + width_b, "{context}");
            let moved = Translation3::from(*found.normal * (1e-7 * size - found.lower)) * there;
            let after = Shape::from(a.shape).contact(&here, &b.shape.into(), &moved, &options);
            let after = after.unwrap().unwrap().contact;
            assert!(after.distance >= -1e-9 * size, "{context} {after:?}");
            2
        };
        outcomes[kind] += 1;
        spent[kind] += spent_here;
    }
    println!("{families:?}: {outcomes:?} certified, open, overlapping in {spent:?}");
    assert!(4 * outcomes[0] > count && 4 * outcomes[2] > count && 20 * outcomes[1] <= count);
}

#[test]
fn samples_of_two_rings_or_necks_are_no_nearer_than_the_lower_bound() {
    check_two([Family::Toroid; 2], 60, 32);
    check_two([Family::Toroid, Family::OneSheet], 20, 33);
    check_two([Family::OneSheet; 2], 20, 34);
}

#[test]
#[ignore = "hundreds of pairs of samples, a minute"]
fn samples_of_two_rings_or_necks_are_no_nearer_than_the_lower_bound_long() {
    check_two([Family::Toroid; 2], 800, 35);
    check_two([Family::Toroid, Family::OneSheet], 300, 36);
    check_two([Family::OneSheet; 2], 300, 37);
}

#[test]
fn two_sheets_and_a_ring_are_as_far_apart_as_the_nearer_sheet() {
    let sheets = Superquadric::two_sheets([0.5; 3], [1.0; 2], 2.0, Sheets::Both).unwrap();
    let ring = Superquadric::toroid([0.25; 3], [1.0; 2], 4.0).unwrap();
    let (options, here) = (QueryOptions::default(), Isometry3::identity());
    let ask = |a: Superquadric, b: Superquadric, z: f64| {
        let there = Isometry3::translation(0.0, 0.0, z);
        let found = Shape::from(a).contact(&here, &b.into(), &there, &options);
        found.unwrap().unwrap().contact
    };
    // The caps at ±1 have a radius of √3 / 2: the ring's centre line is 1 − √3 / 2 and 0.5 away from the rim.
    let gap = (1.0 - 0.75f64.sqrt()).hypot(0.5) - 0.25;
    for (a, b) in [(sheets, ring), (ring, sheets)] {
        for z in [1.5, -1.5] {
            let found = ask(a, b, z);
            assert!((found.distance - gap).abs() < 1e-9, "{found:?} {gap}");
        }
        // At the height of a rim they overlap.
        let found = ask(a, b, 1.0);
        assert!(
            found.distance < 0.0 && found.outcome == Outcome::Converged,
            "{found:?}"
        );
    }
    let found = ask(sheets, sheets, 2.2);
    assert!((found.distance - 0.2).abs() < 1e-9, "{found:?}");
}
