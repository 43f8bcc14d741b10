//! Times of superhyperboloids and supertoroids: points, rays and pairs, each a mean over random bodies, and of pairs also
//! of those that overlap. The pairs of a superovoid with the same superovoids stand beside them.
//!
//!     cargo run --release -p superovoid-compare --example superquadric_times

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::time::Instant;
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::superquadric::{Sheets, Superquadric};
use superovoid::{QueryOptions, Ray, Superovoid, VertexOptions};

const COUNT: usize = 2000;

fn main() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    println!(
        "| body | point, µs | ray, µs | pair apart, µs | slowest | pair overlapping, µs | slowest |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for name in ["toroid", "one sheet", "cup", "two sheets"] {
        row(name, &mut random);
    }
    let mut apart = Times::default();
    let mut over = Times::default();
    for _ in 0..COUNT {
        let body: ConvexShape = ovoid(1.0, &mut random).into();
        let capsule = ConvexShape::cone(0.5, 1.0).expect("positive lengths");
        let there = pose(1.6, &mut random);
        measure(&mut apart, &mut over, || {
            let options = QueryOptions::default();
            convex_contact(&body, &Isometry3::identity(), &capsule, &there, &options)
                .expect("finite")
                .lower
        });
    }
    println!(
        "| superovoid with a cone | | | {} | {} |",
        apart.row(),
        over.row()
    );
    let mut apart = Times::default();
    let mut over = Times::default();
    for _ in 0..COUNT {
        let (body, other) = (ovoid(1.0, &mut random), ovoid(0.5, &mut random));
        let there = pose(1.4, &mut random);
        measure(&mut apart, &mut over, || {
            let options = QueryOptions::default();
            superovoid::contact(
                &body,
                &Isometry3::identity(),
                &other,
                &there,
                &options,
                None,
            )
            .expect("finite")
            .lower
        });
    }
    println!(
        "| superovoid with a superovoid | | | {} | {} |",
        apart.row(),
        over.row()
    );
}

#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }

    fn row(&self) -> String {
        let slowest = self.0.iter().copied().fold(0.0, f64::max);
        format!("{:.2} | {slowest:.1}", self.mean())
    }
}

fn ovoid(size: f64, random: &mut ChaCha8Rng) -> Superovoid {
    let a = [0; 3].map(|_| size * random.random_range(0.5..1.0));
    let e = [0; 2].map(|_| random.random_range(0.3..1.1));
    Superovoid::superellipsoid(a, e).expect("valid numbers")
}

fn unit(random: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        if v.norm() > 0.1 && v.norm() < 1.0 {
            return v.normalize();
        }
    }
}

fn pose(reach: f64, random: &mut ChaCha8Rng) -> Isometry3<f64> {
    let shift = Vector3::from_fn(|_, _| random.random_range(-reach..reach));
    let turn = UnitQuaternion::from_scaled_axis(unit(random) * random.random_range(0.0..3.0));
    Isometry3::from_parts(Translation3::from(shift), turn)
}

/// Takes the least of three times of a query that returns a lower bound.
fn measure(apart: &mut Times, over: &mut Times, query: impl Fn() -> f64) {
    let mut best = f64::INFINITY;
    let mut lower = 0.0;
    for _ in 0..3 {
        let start = Instant::now();
        lower = black_box(query());
        best = best.min(start.elapsed().as_secs_f64() * 1e6);
    }
    if lower > 0.0 {
        apart.0.push(best);
    } else {
        over.0.push(best);
    }
}

fn row(name: &str, random: &mut ChaCha8Rng) {
    let [mut points, mut rays, mut apart, mut over, mut none] = [(); 5].map(|()| Times::default());
    for _ in 0..COUNT {
        let a = [0; 3].map(|_| random.random_range(0.5..1.0));
        let e = [0; 2].map(|_| random.random_range(0.3..1.1));
        let extent = random.random_range(1.5..3.0);
        let shape = match name {
            "toroid" => Superquadric::toroid(a, e, extent),
            "one sheet" => Superquadric::one_sheet(a, e, extent - 0.5),
            "cup" => Superquadric::two_sheets(a, e, extent, Sheets::Upper),
            _ => Superquadric::two_sheets(a, e, extent, Sheets::Both),
        }
        .expect("valid numbers");
        let here = Isometry3::identity();
        let reach = 1.3 * shape.aabb().max.coords.amax();
        let there = pose(reach, random);
        let point = Point3::from(there.translation.vector);
        if shape.inside_outside(&point) > 0.0 {
            let options = VertexOptions::default();
            measure(&mut points, &mut none, || {
                black_box(
                    shape
                        .point_contact(&here, &point, &options)
                        .expect("finite"),
                );
                1.0
            });
        }
        let along = unit(random);
        let ray = Ray {
            origin: point - along * 3.0 * reach,
            direction: along,
        };
        measure(&mut rays, &mut none, || {
            black_box(
                shape
                    .ray_hits(&here, &ray, f64::INFINITY)
                    .expect("finite")
                    .len(),
            );
            1.0
        });
        let other: ConvexShape = ovoid(0.5, random).into();
        measure(&mut apart, &mut over, || {
            let options = QueryOptions::default();
            shape
                .contact(&here, &other, &there, &options)
                .expect("finite")
                .lower
        });
    }
    println!(
        "| {name} | {:.2} | {:.2} | {} | {} |",
        points.mean(),
        rays.mean(),
        apart.row(),
        over.row()
    );
}
