//! Rays and segments against the gauge sampled along the line.

use crate::oracle::body::{Body, Shape};
use crate::oracle::line::Line;
use crate::sets::{any_direction, any_pose, any_rotation, convex_shape, in_parallel, spread};
use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use rand::{Rng, RngExt};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use superovoid::{QueryError, Ray, RayHit, Superovoid};

/// Any valid shape: untapered, convex and tapered, or with any tapers to 0.95.
pub fn any_shape(rng: &mut impl Rng) -> Shape {
    let a = [0; 3].map(|_| spread(rng, 0.2, 5.0));
    let e = [0; 2].map(|_| match rng.random_range(0..4) {
        0 => rng.random_range(0.02..0.2),
        1 => rng.random_range(1.8..1.98),
        _ => rng.random_range(0.02..1.98),
    });
    match rng.random_range(0..3) {
        0 => Shape::new(a, e, [0.0; 2]),
        1 => convex_shape(rng, a, e),
        _ => Shape::new(a, e, [0; 2].map(|_| rng.random_range(-0.95..0.95))),
    }
}

struct Cast {
    shape: Shape,
    pose: Isometry3<f64>,
    ray: Ray,
    solid: bool,
}

/// A line in the body's frame: a point of it and its direction.
fn local_line(rng: &mut impl Rng, body: &Body) -> (Vector3<f64>, Vector3<f64>) {
    let shape = body.shape;
    let surface_point = |rng: &mut dyn Rng| {
        let m = any_direction(&mut &mut *rng).component_mul(&Vector3::from(shape.a));
        m * body.radial_scale(&m)
    };
    let direction = any_direction(rng);
    match rng.random_range(0..7) {
        // Across the body.
        0 => (surface_point(rng) * rng.random_range(0.0..1.3), direction),
        // Along a coordinate axis, anywhere, near a face, or through a pole or a tip.
        1 => {
            let i = rng.random_range(0..3);
            let mut x = Vector3::from_fn(|i, _| shape.a[i] * rng.random_range(-1.2..1.2));
            let j = (i + rng.random_range(1..3)) % 3;
            match rng.random_range(0..3) {
                0 => x[j] = shape.a[j] * (1.0 - spread(rng, 1e-15, 1e-1)),
                1 => x[j] = 0.0,
                _ => {}
            }
            if rng.random_bool(0.2) {
                x = Vector3::zeros();
            }
            (
                x,
                Vector3::ith(i, if rng.random_bool(0.5) { 1.0 } else { -1.0 }),
            )
        }
        // Grazing: across the support direction, at a height just above or below the support.
        2 | 3 => {
            let n = any_direction(rng);
            let across = n.cross(&direction).normalize();
            let height = spread(rng, 1e-12, 1e-1) * if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            (body.support_point(&n) * (1.0 + height), across)
        }
        // Past a surface point, at any angle: grazes hollows too.
        4 => {
            let (x, y) = (surface_point(rng), surface_point(rng));
            (x, (y - x).try_normalize(1e-9).unwrap_or(direction))
        }
        // Steeply towards a pole.
        5 => {
            let mut pole = Vector3::z() * shape.a[2];
            pole.z *= if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            let tilt = any_direction(rng) * spread(rng, 1e-12, 1.0);
            (pole, (Vector3::z() + tilt).normalize())
        }
        // In a symmetry plane, through ridges.
        _ => {
            let mut x = surface_point(rng) * rng.random_range(0.0..1.1);
            let mut d = direction;
            let i = rng.random_range(0..3);
            (x[i], d[i]) = (0.0, 0.0);
            (x, d.normalize())
        }
    }
}

fn draw(rng: &mut impl Rng) -> Cast {
    let shape = any_shape(rng);
    let body = Body::new(shape);
    let (x, d) = local_line(rng, &body);
    let back = match rng.random_range(0..4) {
        0 => 0.0,
        1 => spread(rng, 10.0, 1e6),
        _ => rng.random_range(-10.0..20.0),
    };
    let pose = if rng.random_bool(0.3) {
        Isometry3::identity()
    } else {
        let reach = spread(rng, 1e-2, 10.0);
        any_pose(rng, reach)
    };
    let k = if rng.random_bool(0.3) {
        spread(rng, 1e-6, 1e6)
    } else {
        1.0
    };
    let pose = Isometry3::from_parts(
        Translation3::from(pose.translation.vector * k),
        pose.rotation,
    );
    let ray = Ray {
        origin: pose * Point3::from((x - d * (back * shape.size())) * k),
        direction: pose.rotation * d * spread(rng, 1e-3, 1e3),
    };
    Cast {
        shape: shape.scaled(k),
        pose,
        ray,
        solid: rng.random_bool(0.5),
    }
}

impl Cast {
    fn answer(&self) -> Option<RayHit> {
        self.shape
            .build()
            .ray_cast(&self.pose, &self.ray, f64::INFINITY, self.solid)
            .expect("a valid query")
    }

    /// Returns what is wrong with the answer.
    fn judge(&self, hit: Option<RayHit>) -> Result<(), String> {
        let body = Body::new(self.shape);
        let line = Line {
            body: &body,
            pose: self.pose,
            origin: self.ray.origin,
            direction: self.ray.direction,
        };
        let tolerance = line.tolerance();
        let [start, end] = line.stretch();
        let Some(hit) = hit else {
            let least = line.least(start, end);
            return if least >= 1.0 - tolerance {
                Ok(())
            } else {
                Err(format!(
                    "missed a depth of {:e} ({tolerance:e})",
                    1.0 - least
                ))
            };
        };
        let (t, at_origin) = (hit.time_of_impact, line.gauge(0.0));
        if t == 0.0 && self.solid && at_origin <= 1.0 + tolerance {
            return Ok(());
        }
        let on_surface = (line.gauge_at(&hit.point) - 1.0).abs();
        if on_surface > tolerance {
            return Err(format!(
                "not on the surface: {on_surface:e} ({tolerance:e})"
            ));
        }
        let off = (line.point(t) - hit.point).norm();
        if off > tolerance * self.shape.size() {
            return Err(format!("point and time differ by {off:e}"));
        }
        if (hit.normal.norm() - 1.0).abs() > 1e-14 {
            return Err("normal".to_owned());
        }
        // From outside: nothing of the body before. From inside: nothing else before.
        let from_inside = !self.solid && at_origin <= 1.0;
        let before = t.min(end);
        let entry = line.least(start.min(before), before);
        let exit = || line.most(0.0, t);
        let along = hit.normal.dot(&self.ray.direction) / self.ray.direction.norm();
        let near_origin = (at_origin - 1.0).abs() <= tolerance;
        // The normal of a sharp edge that is only grazed may be any of its cone.
        let grazes = || line.least(start, end) >= 1.0 - tolerance;
        let good_entry = entry >= 1.0 - tolerance && (along <= 1e-5 || grazes());
        let good_exit = || exit() <= 1.0 + tolerance && along >= -1e-5;
        let good = if near_origin {
            good_entry || good_exit()
        } else if from_inside {
            good_exit()
        } else {
            good_entry
        };
        if good {
            Ok(())
        } else {
            Err(format!(
                "not the first: inside {from_inside}, t {t:e}, least {:e}, most {:e}, n·d {along:e} \
                 ({tolerance:e})",
                entry - 1.0,
                exit() - 1.0
            ))
        }
    }
}

fn random_rays(seed: u64, count: usize) {
    let (hits, exits) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    in_parallel(count, |i| {
        let mut rng = crate::sets::seeded(seed);
        rng.set_stream(i as u64);
        let cast = draw(&mut rng);
        let hit = cast.answer();
        if let Some(hit) = hit {
            hits.fetch_add(1, Ordering::Relaxed);
            let outwards = hit.normal.dot(&cast.ray.direction) > 0.0;
            exits.fetch_add(usize::from(outwards), Ordering::Relaxed);
        }
        if let Err(reason) = cast.judge(hit) {
            let text = format!(
                "{i}: {reason}\n{:?} {:?} {:?}",
                cast.shape, cast.pose, cast.ray
            );
            wrong.lock().expect("no judge panics").push(text);
        }
    });
    let wrong = wrong.into_inner().expect("no judge panics");
    println!(
        "{count} rays, {hits:?} hits, {exits:?} of them exits, {} wrong",
        wrong.len()
    );
    let shown = &wrong[..wrong.len().min(8)];
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        shown.join("\n")
    );
}

#[test]
fn random_rays_meet_the_body_where_sampling_does() {
    random_rays(1, 3_000);
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_random_rays_agree_with_sampling() {
    random_rays(2, 100_000);
}

/// Closed form: a quadratic for the ball.
#[test]
fn spheres_agree_with_the_quadratic_formula() {
    let mut rng = crate::sets::seeded(3);
    let ball = Superovoid::sphere(1.5).expect("valid");
    for _ in 0..2000 {
        let centre = any_direction(&mut rng) * spread(&mut rng, 0.1, 10.0);
        let pose = Isometry3::from_parts(centre.into(), any_rotation(&mut rng));
        let (origin, direction) = (any_direction(&mut rng) * 4.0, any_direction(&mut rng));
        let ray = Ray {
            origin: origin.into(),
            direction,
        };
        let o = origin - centre;
        let (b, c) = (o.dot(&direction), o.norm_squared() - 2.25);
        let d = b * b - c;
        let hit = |solid| {
            ball.ray_cast(&pose, &ray, f64::INFINITY, solid)
                .expect("valid")
        };
        if d.abs() < 1e-6 || c.abs() < 1e-6 {
            continue;
        }
        if c < 0.0 {
            assert_eq!(hit(true).expect("inside").time_of_impact, 0.0);
            assert!((*hit(true).expect("inside").normal + direction).norm() < 1e-15);
            let out = hit(false).expect("an exit");
            assert!((out.time_of_impact - (d.sqrt() - b)).abs() < 1e-12);
            assert!((*out.normal - (out.point.coords - centre) / 1.5).norm() < 1e-12);
        } else if d < 0.0 || b > 0.0 {
            assert_eq!(hit(true), None);
        } else {
            let found = hit(true).expect("a hit");
            assert!(
                (found.time_of_impact - (-b - d.sqrt())).abs() < 1e-10,
                "{d}"
            );
            assert!((*found.normal - (found.point.coords - centre) / 1.5).norm() < 1e-12);
            assert_eq!(hit(false), Some(found));
        }
    }
}

/// Lines across the hollow of a trumpet enter twice; from inside one part they leave it and do not
/// wait for the other.
#[test]
fn hollow_bodies_are_met_first_things_first() {
    let shape = Shape::new([1.0, 1.0, 2.0], [1.0, 1.6], [0.9, 0.9]);
    let trumpet = shape.build();
    assert!(!trumpet.is_convex());
    let body = Body::new(shape);
    let rim = |zeta: f64| {
        let width = (1.0 + 0.9 * zeta) * (1.0 - zeta.abs().powf(1.25)).powf(0.8);
        Point3::new(width, 0.0, 2.0 * zeta)
    };
    // The chord between these heights lies outside.
    let (low, high) = (rim(-0.8), rim(0.02));
    let mut twice = 0;
    for k in 0..100 {
        let inwards = Vector3::x() * (1e-5 * 1.12f64.powi(k));
        let direction = (high - low) / 4.0;
        let line = Line {
            body: &body,
            pose: Isometry3::identity(),
            origin: low - inwards - direction * 8.0,
            direction,
        };
        const STEP: f64 = 2.5e-4;
        let crossings: Vec<f64> = (0..80_000)
            .map(|i| i as f64 * STEP)
            .filter(|t| (line.gauge(*t) < 1.0) != (line.gauge(t + STEP) < 1.0))
            .collect();
        let near = |t: f64, crossing: f64| t >= crossing && t <= crossing + STEP;
        let ray = Ray {
            origin: line.origin,
            direction,
        };
        let cast = |ray: &Ray, solid| {
            let hit = trumpet.ray_cast(&line.pose, ray, f64::INFINITY, solid);
            hit.expect("a valid query").expect("a hit").time_of_impact
        };
        if let [entry, exit, ..] = crossings[..] {
            twice += usize::from(crossings.len() == 4);
            assert!(near(cast(&ray, true), entry));
            let halfway = 0.5 * (entry + exit);
            let inside = Ray {
                origin: line.point(halfway),
                ..ray
            };
            assert!(near(cast(&inside, false) + halfway, exit));
        }
    }
    println!("{twice} lines enter twice");
    assert!(twice > 20);
}

#[test]
fn longest_time_counts() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let ray = Ray {
        origin: Point3::new(-3.0, 0.0, 0.0),
        direction: Vector3::x(),
    };
    let cast = |most, solid| {
        ball.ray_cast(&Isometry3::identity(), &ray, most, solid)
            .expect("valid")
    };
    assert_eq!(cast(1.999, true), None);
    assert!(cast(2.001, true).is_some());
    let (p, q) = (Point3::origin(), Point3::new(0.5, 0.0, 0.0));
    let segment = |q, solid| {
        ball.segment_cast(&Isometry3::identity(), &p, &q, solid)
            .expect("valid")
    };
    assert_eq!(segment(q, false), None);
    assert_eq!(segment(q, true).expect("solid").time_of_impact, 0.0);
    let out = segment(Point3::new(4.0, 0.0, 0.0), false).expect("an exit");
    assert!((out.time_of_impact - 0.25).abs() < 1e-15);
}

/// The same ray and body moved and scaled together.
#[test]
fn rigid_motion_and_scale_change_nothing() {
    let mut rng = crate::sets::seeded(4);
    for _ in 0..2000 {
        let mut cast = draw(&mut rng);
        cast.pose = Isometry3::identity();
        let x = any_direction(&mut rng).component_mul(&Vector3::from(cast.shape.a)) * 0.3;
        let d = any_direction(&mut rng);
        cast.ray = Ray {
            origin: (x - d * 20.0 * cast.shape.size()).into(),
            direction: d,
        };
        let first = cast.answer().expect("aimed inside");
        let (k, motion) = (spread(&mut rng, 1e-6, 1e6), any_pose(&mut rng, 3.0));
        let motion = Isometry3::from_parts(
            Translation3::from(motion.translation.vector * (k * cast.shape.size())),
            motion.rotation,
        );
        let other = Cast {
            shape: cast.shape.scaled(k),
            pose: motion,
            ray: Ray {
                origin: motion * (cast.ray.origin * k),
                direction: motion.rotation * cast.ray.direction,
            },
            ..cast
        }
        .answer()
        .expect("aimed inside");
        let apart = (other.time_of_impact / k - first.time_of_impact).abs();
        // A flat approach to a surface magnifies the rounding of the line.
        let steepness = -first.normal.dot(&d);
        let thin =
            cast.shape.a.into_iter().fold(f64::INFINITY, f64::min) * 0.05 / cast.shape.size();
        assert!(
            apart * steepness * thin <= 1e-13 * 20.0 * cast.shape.size(),
            "{apart:e} {steepness:e}"
        );
    }
}

#[test]
fn invalid_input_is_refused() {
    let body = Superovoid::sphere(1.0).expect("valid");
    let good = Ray {
        origin: Point3::new(3.0, 0.0, 0.0),
        direction: -Vector3::x(),
    };
    let cast = |ray: &Ray, most| body.ray_cast(&Isometry3::identity(), ray, most, true);
    for bad in [f64::NAN, f64::INFINITY] {
        let mut ray = good;
        ray.origin.y = bad;
        assert!(matches!(
            cast(&ray, 1.0),
            Err(QueryError::Input {
                name: "ray origin",
                ..
            })
        ));
        let mut ray = good;
        ray.direction.y = bad;
        assert!(matches!(
            cast(&ray, 1.0),
            Err(QueryError::Input {
                name: "ray direction",
                ..
            })
        ));
        let pose = Isometry3::translation(bad, 0.0, 0.0);
        let answer = body.ray_cast(&pose, &good, 1.0, true);
        assert_eq!(answer, Err(QueryError::NonFinitePose { body: 'A' }));
    }
    let still = Ray {
        direction: Vector3::zeros(),
        ..good
    };
    let error = cast(&still, 1.0).expect_err("zero direction");
    assert_eq!(
        error.to_string(),
        "ray direction: must be finite and not zero"
    );
    for most in [f64::NAN, -1.0] {
        assert!(matches!(cast(&good, most), Err(QueryError::Option { .. })));
    }
    let p = Point3::new(1.0, 2.0, 3.0);
    assert!(
        body.segment_cast(&Isometry3::identity(), &p, &p, true)
            .is_err()
    );
}

/// The ends of the number range: no panic, and right where the numbers allow.
#[test]
fn extreme_magnitudes_do_not_panic() {
    for k in [1e-300, 1e-310, 1e-150, 1e150, 1e300] {
        let ball = Superovoid::sphere(k).expect("valid");
        let ray = Ray {
            origin: Point3::new(-3.0 * k, 0.0, 0.0),
            direction: Vector3::x() * k,
        };
        let hit = ball.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, true);
        let t = hit.expect("valid").expect("a hit").time_of_impact;
        assert!((t - 2.0).abs() < 1e-12, "{k:e}: {t}");
    }
    let ball = Superovoid::sphere(1.0).expect("valid");
    for (x, d) in [
        (1e308, 1e308),
        (1e308, 1e-308),
        (1e-308, 1e308),
        (3.0, 1e-320),
        (1e17, 1.0),
    ] {
        let ray = Ray {
            origin: Point3::new(-x, 0.0, 0.0),
            direction: Vector3::x() * d,
        };
        let _ = ball.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, true);
        let _ = ball.ray_cast(&Isometry3::translation(x, x, x), &ray, 1.0, false);
    }
    let shapes = [
        [1e-9, 1e-9],
        [2.0 - 1e-9, 2.0 - 1e-9],
        [f64::MIN_POSITIVE, 1.999_999_999_999],
    ];
    for e in shapes {
        let body = Superovoid::new([1.0; 3], e, [0.999_999_999_999, -0.999_999]).expect("valid");
        let ray = Ray {
            origin: Point3::new(-3.0, 0.2, 0.3),
            direction: Vector3::new(1.0, -0.05, -0.1),
        };
        for solid in [true, false] {
            let _ = body.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, solid);
            let inside = Ray {
                origin: Point3::new(0.0, 0.0, -0.1),
                ..ray
            };
            let _ = body.ray_cast(&Isometry3::identity(), &inside, f64::INFINITY, solid);
        }
    }
}

/// A line along the axis of the body once counted as inside beyond the pole when it ended before the
/// body's box.
#[test]
fn a_ray_that_ends_before_the_body_misses_it() {
    let pose = Isometry3::identity();
    let body = Superovoid::superellipsoid([0.8, 0.95, 0.8], [0.03, 1.97]).expect("valid");
    for from in [-2.9, -1.8, 2.9] {
        let ray = Ray {
            origin: Point3::new(0.0, 0.0, from),
            direction: Vector3::z() * -from.signum(),
        };
        for solid in [true, false] {
            for most in [0.0, 0.95, from.abs() - 0.8 - 1e-9] {
                let hit = body.ray_cast(&pose, &ray, most, solid).expect("valid");
                assert_eq!(hit, None, "{from} {most}");
            }
            let hit = body.ray_cast(&pose, &ray, from.abs(), solid);
            let hit = hit.expect("valid").expect("a hit");
            assert!((hit.time_of_impact - (from.abs() - 0.8)).abs() < 1e-12);
        }
    }
}

/// The time of a hit at the very end once was a rounding later than the end.
#[test]
fn no_hit_is_later_than_asked_for() {
    let body = Superovoid::superellipsoid([1.0; 3], [1.9, 0.04]).expect("valid");
    let mut hits = 0;
    for k in 0..2000 {
        let length = 1.0 + 0.37 * f64::from(k);
        let ray = Ray {
            origin: Point3::new(0.0, 0.0, 1.0 + length / 3.0),
            direction: -Vector3::z() * (length / 3.0),
        };
        let hit = body.ray_cast(&Isometry3::identity(), &ray, 1.0, true);
        if let Some(hit) = hit.expect("valid") {
            assert!(hit.time_of_impact <= 1.0, "{k}: {}", hit.time_of_impact);
            hits += 1;
        }
    }
    assert!(hits > 100, "{hits}");
}

/// Semi-axes that differ beyond the number range once gave zero and NaN normals.
#[test]
fn normals_of_extremely_thin_bodies_are_unit_vectors() {
    for thin in [5e-324, 1e-310, 1e-200, 1e-160] {
        let body = Superovoid::new([1.0, thin, 1e-160], [1.5, 1.98], [0.98, 0.3]).expect("valid");
        for solid in [true, false] {
            for origin in [Point3::new(3.0, 0.0, 0.0), Point3::origin()] {
                let ray = Ray {
                    origin,
                    direction: -Vector3::x(),
                };
                let hit = body.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, solid);
                let hit = hit.expect("valid").expect("a hit");
                assert!((hit.normal.norm() - 1.0).abs() < 1e-12, "{thin:e}: {hit:?}");
            }
        }
    }
}
