//! Synthetic.
#[path = "../../../tests/contact/oracle/mod.rs"]
mod oracle;
mod synthetic;
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::Superovoid;
use synthetic::Shape;

fn draw(random: &mut ChaCha8Rng, convex: bool) -> Shape {
    loop {
        let mut a = || random.random_range(0.2f64..1.0);
        let a = [a(), a(), a()];
        let mut e = || random.random_range(0.02f64..1.98);
        let e = [e(), e()];
        let limit = (1.0 - e[1] / 2.0) * 2f64.powf(e[1] / 2.0);
        let t = if !convex {
            [
                random.random_range(-0.9..0.9),
                random.random_range(-0.9..0.9),
            ]
        } else if e[1] < 1.0 {
            [random.random_range(-1.0..1.0) * limit.min(0.95); 2]
        } else {
            [
                random.random_range(-1.0..1.0) * limit,
                random.random_range(-1.0..1.0) * limit,
            ]
        };
        let s = Superovoid::new(a, e, t).unwrap();
        if !convex || s.is_convex() {
            return Shape { a, e, t };
        }
    }
}

/// Largest distance of points from a body: brute force where an upper bound is not enough.
fn largest(points: &[Vector3<f64>], body: &Shape, tolerance: f64) -> f64 {
    let mut ranked: Vec<(f64, &Vector3<f64>)> = points.iter().map(|x| (body.above(x), x)).collect();
    ranked.sort_by(|p, q| q.0.total_cmp(&p.0));
    if ranked[0].0 < tolerance {
        return ranked[0].0;
    }
    let nearest = oracle::Nearest::new(oracle::Shape::new(body.a, body.e, body.t));
    let mut most = 0.0f64;
    for (k, (bound, x)) in ranked.into_iter().enumerate() {
        if bound <= most || k > 60 {
            break;
        }
        most = most.max(nearest.signed_distance(x).abs());
    }
    most
}

/// Largest distance both ways.
fn apart(
    a: &Shape,
    pa: &Isometry3<f64>,
    b: &Shape,
    pb: &Isometry3<f64>,
    random: &mut ChaCha8Rng,
    tolerance: f64,
) -> f64 {
    let there: Vec<_> = a
        .sample(1000, random)
        .iter()
        .map(|x| pb.inverse_transform_point(&(pa * Point3::from(*x))).coords)
        .collect();
    let back: Vec<_> = b
        .sample(1000, random)
        .iter()
        .map(|x| pa.inverse_transform_point(&(pb * Point3::from(*x))).coords)
        .collect();
    largest(&there, b, tolerance).max(largest(&back, a, tolerance))
}

fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    text.split(' ').next().unwrap().parse::<f64>().unwrap() * 1e-9
}

#[test]
#[ignore = "long"]
fn table() {
    let n: usize = std::env::var("N").map_or(100, |x| x.parse().unwrap());
    let only: Option<usize> = std::env::var("ONLY").ok().map(|x| x.parse().unwrap());
    for class in std::env::var("CLASS")
        .unwrap_or("exact,any,half,outliers,noise1,noise5".into())
        .split(',')
    {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut errors = vec![];
        let mut times = vec![];
        let mut bad = vec![];
        for k in 0..n {
            let shape = draw(&mut random, class != "any");
            let pose = synthetic::pose(&mut random);
            let mut local = shape.sample(2000, &mut random);
            let size = (local.iter().map(|x| x.norm_squared()).sum::<f64>() / 2000.0).sqrt();
            let mut noise = 0.0;
            match class {
                "noise1" => noise = 0.01,
                "noise5" => noise = 0.05,
                "half" => {
                    let s = Superovoid::new(shape.a, shape.e, shape.t).unwrap();
                    let view = Vector3::new(
                        synthetic::normal(&mut random),
                        synthetic::normal(&mut random),
                        synthetic::normal(&mut random),
                    );
                    local.extend(shape.sample(2000, &mut random));
                    local.retain(|x| s.gradient(&Point3::from(*x)).dot(&view) > 0.0);
                }
                "outliers" => {
                    for x in local.iter_mut().step_by(5) {
                        *x = Vector3::new(
                            random.random_range(-1.5..1.5),
                            random.random_range(-1.5..1.5),
                            random.random_range(-1.5..1.5),
                        );
                    }
                }
                _ => {}
            }
            for x in &mut local {
                for i in 0..3 {
                    x[i] += noise * size * synthetic::normal(&mut random);
                }
            }
            let points = synthetic::points(&local, &pose);
            if only.is_some_and(|o| o != k) {
                let _ = shape.sample(1, &mut random);
                continue;
            }
            let mut r2 = random.clone();
            let start = cpu();
            let family = if class == "any" {
                superovoid_fit::Family::Any
            } else {
                superovoid_fit::Family::Convex
            };
            let options = superovoid_fit::FitOptions {
                family,
                ..Default::default()
            };
            let superovoid_fit::Fit {
                shape: fit,
                pose: at,
                ..
            } = superovoid_fit::fit(&points, &options).unwrap();
            times.push(cpu() - start);
            let found = Shape {
                a: fit.semi_axes(),
                e: fit.exponents(),
                t: fit.tapers(),
            };
            let mut error = apart(
                &shape,
                &pose,
                &found,
                &at,
                &mut r2,
                (2.0 * noise * size).max(1e-6),
            ) / size;
            if class == "half" && std::env::var("WHOLE").is_err() {
                error = local
                    .iter()
                    .map(|x| {
                        found.above(
                            &at.inverse_transform_point(&(pose * Point3::from(*x)))
                                .coords,
                        )
                    })
                    .fold(0.0, f64::max)
                    / size;
            }
            if error > 1e-6 && noise == 0.0 || error > 2.0 * noise && noise > 0.0 {
                bad.push((k, error, shape, found));
            }
            errors.push(error);
            let _ = shape.sample(1, &mut random);
        }
        errors.sort_by(f64::total_cmp);
        times.sort_by(f64::total_cmp);
        let q = |v: &[f64], q: f64| v[((v.len() - 1) as f64 * q) as usize];
        println!(
            "{class}: bad {} of {}; error median {:.2e} 99% {:.2e} max {:.2e}; ms median {:.1} p99 {:.1}",
            bad.len(),
            errors.len(),
            q(&errors, 0.5),
            q(&errors, 0.99),
            q(&errors, 1.0),
            1e3 * q(&times, 0.5),
            1e3 * q(&times, 0.99)
        );
        for (k, e, s, f) in bad.iter().take(12) {
            println!(
                "   {k} {e:.2e} true {:.3?} {:.3?} {:.3?} found {:.3?} {:.3?} {:.3?}",
                s.a, s.e, s.t, f.a, f.e, f.t
            );
        }
    }
}
