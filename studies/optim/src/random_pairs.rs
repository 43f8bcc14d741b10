//! Random pairs of convex bodies: reproducible from a seed on every machine.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;
use superovoid::Superovoid;

/// Two bodies and their poses.
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    /// First body.
    pub a: Superovoid,
    /// Pose of A, metres.
    pub pose_a: Isometry3<f64>,
    /// Second body.
    pub b: Superovoid,
    /// Pose of B, metres.
    pub pose_b: Isometry3<f64>,
}

/// A source of random pairs.
#[derive(Clone, Debug)]
pub struct RandomPairs(ChaCha8Rng);

/// Lower and upper end of a uniform draw.
type Range = [f64; 2];

impl RandomPairs {
    /// The same seed gives the same pairs.
    pub fn new(seed: u64) -> Self {
        RandomPairs(ChaCha8Rng::seed_from_u64(seed))
    }

    /// The battery of Gonçalves et al. 2017 without its tapers: semi-axes 1, exponents in
    /// [0.3, 1.1], centres 2.21 apart.
    pub fn battery(&mut self) -> Pair {
        let shape = |draw: &mut Self| draw.superellipsoid([1.0, 1.0], [0.3, 1.1]);
        let (a, b) = (shape(self), shape(self));
        self.placed(a, b, [0.0, 2.21, 0.0])
    }

    /// Superellipsoids with semi-axes in [0.2, 2], exponents in [0.1, 1.9], B's centre in a cube of
    /// side 8 about A's.
    pub fn wide(&mut self) -> Pair {
        let shape = |draw: &mut Self| draw.superellipsoid([0.2, 2.0], [0.1, 1.9]);
        let (a, b) = (shape(self), shape(self));
        let centre = [(); 3].map(|()| self.between([-4.0, 4.0]));
        self.placed(a, b, centre)
    }

    /// Superovoids with semi-axes in [0.5, 1.5], exponents in [0.3, 1.5] and, for half of them, equal
    /// tapers in [−0.4, 0.4]; centres 0.8 to 3.2 apart. Convex ones only.
    pub fn superovoids(&mut self) -> Pair {
        let (a, b) = (self.convex_superovoid(), self.convex_superovoid());
        let apart = self.between([0.8, 3.2]);
        self.placed(a, b, [0.0, apart, 0.0])
    }

    fn between(&mut self, [low, high]: Range) -> f64 {
        low + (high - low) * self.0.random::<f64>()
    }

    fn superellipsoid(&mut self, semi_axes: Range, exponents: Range) -> Superovoid {
        self.superovoid(semi_axes, exponents, 0.0)
    }

    fn superovoid(&mut self, semi_axes: Range, exponents: Range, taper: f64) -> Superovoid {
        let a = [(); 3].map(|()| self.between(semi_axes));
        let e = [(); 2].map(|()| self.between(exponents));
        Superovoid::new(a, e, [taper; 2]).expect("the ranges lie in the domain")
    }

    fn convex_superovoid(&mut self) -> Superovoid {
        loop {
            let tapered = self.0.random::<bool>();
            let taper = if tapered {
                self.between([-0.4, 0.4])
            } else {
                0.0
            };
            let shape = self.superovoid([0.5, 1.5], [0.3, 1.5], taper);
            if shape.is_convex() {
                return shape;
            }
        }
    }

    fn placed(&mut self, a: Superovoid, b: Superovoid, centre: [f64; 3]) -> Pair {
        let pose_a = Isometry3::from_parts(Translation3::identity(), self.rotation());
        let pose_b = Isometry3::from_parts(Translation3::from(centre), self.rotation());
        Pair {
            a,
            pose_a,
            b,
            pose_b,
        }
    }

    /// Uniform over all orientations (Shoemake's three numbers).
    fn rotation(&mut self) -> UnitQuaternion<f64> {
        let [u, v, w] = [(); 3].map(|()| self.between([0.0, 1.0]));
        let (low, high) = ((1.0 - u).sqrt(), u.sqrt());
        UnitQuaternion::from_quaternion(Quaternion::new(
            low * (TAU * v).sin(),
            low * (TAU * v).cos(),
            high * (TAU * w).sin(),
            high * (TAU * w).cos(),
        ))
    }
}
