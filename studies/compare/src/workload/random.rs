//! Random bodies and places, the same on every machine.

use super::case::{BEFORE, Case, Other, Workload, pose};
use nalgebra::{Isometry3, Quaternion, Unit, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{FRAC_PI_2, PI};
use superovoid::Superovoid;

/// Which tapers are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tapers {
    None,
    /// tx = ty, drawn again until the body is convex. (Unequal ones are never convex for e2 < 1.)
    Convex,
    /// Drawn apart.
    Any,
}

/// Bodies at (0, 0, 0) and (0, distance, 0), orientations uniform.
#[derive(Clone, Debug)]
pub struct Battery {
    pub axes: [f64; 2],
    pub exponents: [f64; 2],
    pub tapers: Tapers,
    pub distance: f64,
}

impl Default for Battery {
    fn default() -> Self {
        Battery {
            axes: [1.0, 1.0],
            exponents: [0.3, 1.1],
            tapers: Tapers::None,
            distance: 2.21,
        }
    }
}

impl Battery {
    pub fn domain() -> Self {
        Battery {
            axes: [0.1, 1.0],
            exponents: [0.02, 1.98],
            tapers: Tapers::Convex,
            distance: 1.0,
        }
    }

    pub fn ellipsoids(distance: f64) -> Self {
        Battery {
            axes: [0.96, 1.4],
            exponents: [1.0, 1.0],
            distance,
            ..Battery::default()
        }
    }
}

/// Where random numbers come from.
pub struct Draw(ChaCha8Rng);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(ChaCha8Rng::seed_from_u64(seed))
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        if low < high {
            self.0.random_range(low..high)
        } else {
            low
        }
    }

    pub fn below(&mut self, count: usize) -> usize {
        self.0.random_range(0..count)
    }

    /// Uniform on the unit sphere of N dimensions, by rejection from the cube.
    fn unit<const N: usize>(&mut self) -> [f64; N] {
        loop {
            let v = [0.0; N].map(|_| self.between(-1.0, 1.0));
            let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
            if (0.1..1.0).contains(&length) {
                return v.map(|x| x / length);
            }
        }
    }

    /// Uniform on the sphere.
    pub fn direction(&mut self) -> Vector3<f64> {
        Vector3::from(self.unit())
    }

    fn rotation(&mut self) -> UnitQuaternion<f64> {
        let [w, i, j, k] = self.unit();
        UnitQuaternion::new_normalize(Quaternion::new(w, i, j, k))
    }

    fn shape(&mut self, battery: &Battery) -> Superovoid {
        loop {
            let axes = [0; 3].map(|_| self.between(battery.axes[0], battery.axes[1]));
            let exponents =
                [0; 2].map(|_| self.between(battery.exponents[0], battery.exponents[1]));
            let [tx, ty] = [0; 2].map(|_| self.between(-0.4, 0.4));
            let tapers = match battery.tapers {
                Tapers::None => [0.0; 2],
                Tapers::Convex => [tx, tx],
                Tapers::Any => [tx, ty],
            };
            match Superovoid::new(axes, exponents, tapers) {
                Ok(shape) if shape.is_convex() || battery.tapers == Tapers::Any => return shape,
                // Out of the domain nothing is drawn.
                _ => continue,
            }
        }
    }

    pub fn battery(&mut self, count: usize, battery: &Battery) -> Workload {
        let mut workload = Workload::default();
        for k in 0..count {
            workload.shapes.extend([0; 2].map(|_| self.shape(battery)));
            let places = [0.0, battery.distance].map(|y| Vector3::new(0.0, y, 0.0));
            let poses = places.map(|x| pose(x, self.rotation()));
            workload.cases.push(Case::pair(2 * k, 2 * k + 1, poses));
        }
        workload
    }

    /// The battery, B having moved by the same step (semi-axes and radians) [`BEFORE`] times.
    pub fn moved(&mut self, count: usize, battery: &Battery, step: f64) -> Workload {
        let mut workload = self.battery(count, battery);
        for case in &mut workload.cases {
            let shift = Vector3::from(self.unit()) * step;
            let axis = Unit::new_normalize(Vector3::from(self.unit()));
            let [a, end] = case.poses;
            let back = |steps: f64| {
                let turn = UnitQuaternion::from_axis_angle(&axis, -step * steps);
                let place = end.translation.vector - shift * steps;
                [a, pose(place, turn * end.rotation)]
            };
            case.before = (1..=BEFORE).rev().map(|k| back(k as f64)).collect();
        }
        workload
    }

    /// Three quarters turned at random, a quarter with faces parallel.
    pub fn boxy(&mut self, count: usize) -> Workload {
        let battery = Battery {
            exponents: [0.02, 0.2],
            ..Battery::default()
        };
        let mut workload = self.battery(count, &battery);
        for case in workload.cases.iter_mut().step_by(4) {
            let aside = [0; 2].map(|_| self.between(-0.5, 0.5));
            // Up to 0.2 apart, or overlapping.
            let place = Vector3::new(aside[0], self.between(1.8, 2.2), aside[1]);
            case.poses = [Isometry3::identity(), Isometry3::from(place)];
        }
        workload
    }
}

/// (e1, e2) of the thesis on superellipsoids and vertices.
const THESIS: [[f64; 2]; 7] = [
    [0.3, 0.3],
    [0.65, 0.65],
    [1.0, 1.0],
    [1.35, 1.35],
    [1.7, 1.7],
    [1.0, 0.3],
    [1.0, 1.6],
];

/// Points of an even grid of surface angles on shapes larger and smaller than the body.
pub fn points(count: usize) -> Workload {
    let mut workload = Workload::default();
    let side = ((count as f64 / 14.0).sqrt().ceil() as usize).max(2);
    for (k, exponents) in THESIS.into_iter().enumerate() {
        workload
            .shapes
            .extend(Superovoid::superellipsoid([1.0; 3], exponents));
        for semi_axis in [1.05, 0.985] {
            for i in 0..side * side {
                let middle = |k: usize| (k as f64 + 0.5) / side as f64;
                let angles = [
                    PI * (2.0 * middle(i / side) - 1.0),
                    FRAC_PI_2 * (2.0 * middle(i % side) - 1.0),
                ];
                let point = parametric(exponents, angles) * semi_axis;
                workload.cases.push(Case {
                    b: Other::Point,
                    ..Case::pair(k, k, [Isometry3::identity(), Isometry3::from(point)])
                });
            }
        }
    }
    workload
}

fn parametric([e1, e2]: [f64; 2], [phi1, phi2]: [f64; 2]) -> Vector3<f64> {
    let power = |x: f64, e: f64| x.abs().powf(e).copysign(x);
    let rho = power(phi2.cos(), e2);
    Vector3::new(
        rho * power(phi1.cos(), e1),
        rho * power(phi1.sin(), e1),
        power(phi2.sin(), e2),
    )
}
