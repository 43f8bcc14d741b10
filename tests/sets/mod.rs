//! Seeded sets of pairs: the workloads that claims are made on.

// Each integration test is a crate of its own and uses another part of this module.
#![allow(dead_code)]

use crate::oracle::body::{Body, Shape};
use nalgebra::{Isometry3, Quaternion, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};

/// A random number whose logarithm is even between those of `low` and `high`.
pub fn spread(rng: &mut impl Rng, low: f64, high: f64) -> f64 {
    rng.random_range(low.ln()..high.ln()).exp()
}

/// A direction even on the sphere.
pub fn any_direction(rng: &mut impl Rng) -> Vector3<f64> {
    let z: f64 = rng.random_range(-1.0..1.0);
    let (sin, cos) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    let r = (1.0 - z * z).sqrt();
    Vector3::new(r * cos, r * sin, z).normalize()
}

/// A rotation even over all rotations (Shoemake): two points on circles make the quaternion.
pub fn any_rotation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let u: f64 = rng.random_range(0.0..1.0);
    let (s1, c1) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    let (s2, c2) = rng.random_range(0.0..std::f64::consts::TAU).sin_cos();
    let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
    UnitQuaternion::new_normalize(Quaternion::new(r2 * c2, r1 * s1, r1 * c1, r2 * s2))
}

/// Runs `f(0), …, f(count − 1)` on all processors; a panic in one is the panic of the caller.
pub fn in_parallel(count: usize, f: impl Fn(usize) + Sync) {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    f(i);
                }
            });
        }
    });
}
