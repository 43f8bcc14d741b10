//! Seeded sets of pairs: the workloads that claims are made on.

// Each integration test is a crate of its own and uses another part of this module.
#![allow(dead_code)]

mod pair_query;

pub use pair_query::PairQuery;

use crate::oracle::Effort;
use crate::oracle::body::{Body, Shape};
use crate::oracle::convexity;
use crate::oracle::verdict::examine;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{FRAC_PI_2, TAU};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use superovoid::{Contact, Outcome, QueryOptions};

/// A pair to be queried.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub a: Shape,
    pub pose_a: Isometry3<f64>,
    pub b: Shape,
    pub pose_b: Isometry3<f64>,
}

impl Case {
    pub fn query(&self, options: &impl PairQuery) -> Contact {
        let (a, b) = (self.a.build(), self.b.build());
        options
            .contact(&a, &self.pose_a, &b, &self.pose_b, None)
            .expect("poses and options are valid")
    }

    pub fn size(&self) -> f64 {
        self.a.size().max(self.b.size())
    }

    pub fn is_convex(&self) -> bool {
        self.a.build().is_convex() && self.b.build().is_convex()
    }

    /// Every length multiplied by k.
    pub fn scaled(&self, k: f64) -> Case {
        let pose = |pose: &Isometry3<f64>| {
            Isometry3::from_parts((pose.translation.vector * k).into(), pose.rotation)
        };
        Case {
            a: self.a.scaled(k),
            pose_a: pose(&self.pose_a),
            b: self.b.scaled(k),
            pose_b: pose(&self.pose_b),
        }
    }

    /// Both bodies moved by the same rigid motion.
    pub fn moved(&self, motion: &Isometry3<f64>) -> Case {
        Case {
            pose_a: motion * self.pose_a,
            pose_b: motion * self.pose_b,
            ..*self
        }
    }
}

// ---- random numbers -----------------------------------------------------------------------

/// The numbers that a test draws, the same in every run. `SUPEROVOID_DRAW=1` in the environment, or any other number,
/// draws others: what is counted (how many answers are open, or not the least depth) is limited to fit the draw that
/// runs by default, everything else must hold for each.
pub fn seeded(seed: u64) -> ChaCha8Rng {
    static DRAW: LazyLock<u64> = LazyLock::new(|| {
        let draw = std::env::var("SUPEROVOID_DRAW").map(|text| text.parse());
        draw.unwrap_or(Ok(0)).expect("SUPEROVOID_DRAW is a number")
    });
    ChaCha8Rng::seed_from_u64(seed + 1000 * *DRAW)
}

/// A random number whose logarithm is even between those of `low` and `high`.
pub fn spread(rng: &mut impl Rng, low: f64, high: f64) -> f64 {
    rng.random_range(low.ln()..high.ln()).exp()
}

/// A direction even on the sphere.
pub fn any_direction(rng: &mut impl Rng) -> Vector3<f64> {
    let z: f64 = rng.random_range(-1.0..1.0);
    let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
    let r = (1.0 - z * z).sqrt();
    Vector3::new(r * cos, r * sin, z).normalize()
}

/// A rotation even over all rotations (Shoemake): two points on circles make the quaternion.
pub fn any_rotation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let u: f64 = rng.random_range(0.0..1.0);
    let (s1, c1) = rng.random_range(0.0..TAU).sin_cos();
    let (s2, c2) = rng.random_range(0.0..TAU).sin_cos();
    let (r1, r2) = ((1.0 - u).sqrt(), u.sqrt());
    UnitQuaternion::new_normalize(Quaternion::new(r2 * c2, r1 * s1, r1 * c1, r2 * s2))
}

/// One of the 24 rotations that map the axes to axes.
pub fn axis_rotation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let mut turn = || FRAC_PI_2 * f64::from(rng.random_range(0..4));
    UnitQuaternion::from_euler_angles(turn(), turn(), turn())
}

pub fn any_pose(rng: &mut impl Rng, reach: f64) -> Isometry3<f64> {
    Isometry3::from_parts(
        Translation3::from(any_direction(rng) * reach),
        any_rotation(rng),
    )
}

// ---- shapes -------------------------------------------------------------------------------

fn semi_axes(rng: &mut impl Rng, low: f64, high: f64) -> [f64; 3] {
    [0; 3].map(|_| spread(rng, low, high))
}

fn exponents(rng: &mut impl Rng, low: f64, high: f64) -> [f64; 2] {
    [0; 2].map(|_| rng.random_range(low..high))
}

/// A convex shape with these axes and exponents: untapered, or equally tapered up to the limit
/// of convexity or 0.95, or unequally tapered as strongly as stays convex.
pub fn convex_shape(rng: &mut impl Rng, a: [f64; 3], e: [f64; 2]) -> Shape {
    let mut shape = Shape::new(a, e, [0.0; 2]);
    match rng.random_range(0..3) {
        0 => {}
        1 => {
            let limit = (1.0 - 0.5 * e[1]) * (0.5 * e[1]).exp2();
            let t = rng.random_range(-1.0..1.0) * (0.999 * limit).min(0.95);
            shape.t = [t, t];
        }
        _ => {
            shape.t = [0; 2].map(|_| rng.random_range(-0.95..0.95));
            while !shape.build().is_convex() {
                shape.t = shape.t.map(|t| if t.abs() < 1e-3 { 0.0 } else { 0.8 * t });
            }
        }
    }
    shape
}

fn any_convex(rng: &mut impl Rng, e: [f64; 2], size: [f64; 2]) -> Shape {
    let (a, e) = (semi_axes(rng, size[0], size[1]), exponents(rng, e[0], e[1]));
    convex_shape(rng, a, e)
}

// ---- placements ---------------------------------------------------------------------------

/// Both bodies turned at random, centres along a random direction at `factor` times the sum of
/// the supports along it: they touch there at about 1, and usually overlap below.
fn along_a_line(rng: &mut impl Rng, a: Shape, b: Shape, factor: f64) -> Case {
    let (turn_a, turn_b, m) = (any_rotation(rng), any_rotation(rng), any_direction(rng));
    let reach = Body::new(a).support(&(turn_a.inverse() * m))
        + Body::new(b).support(&(turn_b.inverse() * -m));
    Case {
        a,
        pose_a: Isometry3::from_parts(Translation3::identity(), turn_a),
        b,
        pose_b: Isometry3::from_parts((m * (factor * reach)).into(), turn_b),
    }
}

/// B placed so that its support point against n is `gap` beyond A's support point along n: for
/// gap ≥ 0 the signed distance of convex bodies is exactly `gap` (an empty slab that wide, and
/// two points that near).
fn touching(
    a: Shape,
    turn_a: UnitQuaternion<f64>,
    b: Shape,
    turn_b: UnitQuaternion<f64>,
    n: Vector3<f64>,
    gap: f64,
) -> Case {
    let x_a = turn_a * Body::new(a).support_point(&(turn_a.inverse() * n));
    let x_b = turn_b * Body::new(b).support_point(&(turn_b.inverse() * -n));
    Case {
        a,
        pose_a: Isometry3::from_parts(Translation3::identity(), turn_a),
        b,
        pose_b: Isometry3::from_parts((x_a + n * gap - x_b).into(), turn_b),
    }
}

// ---- the sets -----------------------------------------------------------------------------

/// The battery of the 2017 paper and its variants: semi-axes 1, centres `distance` apart along y.
#[derive(Clone, Copy, Debug)]
pub struct Battery {
    pub exponents: [f64; 2],
    pub taper: f64,
    pub convex_only: bool,
    pub distance: f64,
    /// Semi-axes of B.
    pub size_b: f64,
}

impl Battery {
    pub const PAPER: Battery = Battery {
        exponents: [0.3, 1.1],
        taper: 0.4,
        convex_only: false,
        distance: 2.21,
        size_b: 1.0,
    };

    pub fn draw(&self, rng: &mut impl Rng) -> Case {
        let mut shape = |size: f64| loop {
            let e = exponents(rng, self.exponents[0], self.exponents[1]);
            let t = [0; 2].map(|_| rng.random_range(-1.0..1.0) * self.taper);
            let shape = Shape::new([size; 3], e, t);
            // Unequal tapers are nearly never convex below e2 = 1: equal ones take their place.
            if !self.convex_only || shape.build().is_convex() {
                return shape;
            }
            let equal = Shape {
                t: [t[0], t[0]],
                ..shape
            };
            if equal.build().is_convex() {
                return equal;
            }
        };
        let (a, b) = (shape(1.0), shape(self.size_b));
        Case {
            a,
            pose_a: Isometry3::from_parts(Translation3::identity(), any_rotation(rng)),
            b,
            pose_b: Isometry3::from_parts(
                Translation3::new(0.0, self.distance, 0.0),
                any_rotation(rng),
            ),
        }
    }
}

/// The whole domain of convex bodies: e ∈ [0.02, 1.98], tapers to 0.95, sizes 1:25, from deep
/// overlap to well apart.
pub fn whole_convex_domain(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [0.02, 1.98], [0.2, 5.0]);
    let (a, b) = (shape(), shape());
    let factor = rng.random_range(0.5..2.0);
    along_a_line(rng, a, b, factor)
}

/// As [`whole_convex_domain`], always apart along the centre line.
pub fn convex_apart(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [0.02, 1.98], [0.2, 5.0]);
    let (a, b) = (shape(), shape());
    let factor = spread(rng, 1.001, 10.0);
    along_a_line(rng, a, b, factor)
}

/// Size ratios from 1:10 to 1:1000.
pub fn unequal_sizes(rng: &mut impl Rng) -> Case {
    let a = any_convex(rng, [0.05, 1.95], [0.5, 2.0]);
    let b = any_convex(rng, [0.05, 1.95], [0.5, 2.0]).scaled(spread(rng, 1e-3, 1e-1));
    let factor = rng.random_range(0.9..1.3);
    along_a_line(rng, a, b, factor)
}

/// Centres 4 to 1e6 sizes apart.
pub fn far(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [0.02, 1.98], [0.3, 1.0]);
    let (a, b) = (shape(), shape());
    let mut case = along_a_line(rng, a, b, 1.0);
    let distance = spread(rng, 4.0, 1e6);
    case.pose_b.translation.vector = any_direction(rng) * distance;
    case
}

/// e ∈ [0.02, 0.2], turned at random.
pub fn boxes(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [0.02, 0.2], [0.3, 3.0]);
    let (a, b) = (shape(), shape());
    let factor = rng.random_range(0.6..1.5);
    along_a_line(rng, a, b, factor)
}

/// Boxes with parallel faces, some tilted by 1e-9 to 1e-2, face over face, edge or corner, apart
/// or pressed into each other.
pub fn parallel_boxes(rng: &mut impl Rng) -> Case {
    let mut shape = || {
        let (a, e) = (semi_axes(rng, 0.3, 3.0), exponents(rng, 0.02, 0.2));
        Shape::new(a, e, [0.0; 2])
    };
    let (a, b) = (shape(), shape());
    let turn_b = axis_rotation(rng);
    let tilt = if rng.random_bool(0.5) {
        UnitQuaternion::identity()
    } else {
        UnitQuaternion::from_scaled_axis(any_direction(rng) * spread(rng, 1e-9, 1e-2))
    };
    let turn_b = tilt * turn_b;
    let axis = rng.random_range(0..3);
    let m = Vector3::ith(axis, if rng.random_bool(0.5) { 1.0 } else { -1.0 });
    let gap = spread(rng, 1e-6, 1.0) * if rng.random_bool(0.5) { 1.0 } else { -0.3 };
    let mut case = touching(a, UnitQuaternion::identity(), b, turn_b, m, gap);
    // Shifted sideways, by nothing, or by up to past the other's edge.
    for i in 0..3 {
        if i != axis {
            let reach = a.a[i] + Body::new(b).support(&(turn_b.inverse() * Vector3::ith(i, 1.0)));
            let shift = if rng.random_bool(0.3) {
                0.0
            } else {
                rng.random_range(-1.1..1.1)
            };
            case.pose_b.translation.vector[i] = shift * reach;
        }
    }
    case.moved(&any_pose(rng, 2.0))
}

/// e ∈ [1.8, 1.98]: edges and corners all over.
pub fn pointed(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [1.8, 1.98], [0.3, 3.0]);
    let (a, b) = (shape(), shape());
    let factor = rng.random_range(0.6..1.5);
    along_a_line(rng, a, b, factor)
}

/// One or two semi-axes a hundredth of the others.
pub fn needles(rng: &mut impl Rng) -> Case {
    let mut shape = || {
        let thin = spread(rng, 0.01, 0.05);
        let mut a = match rng.random_range(0..2) {
            0 => [1.0, thin, thin],
            _ => [1.0, 1.0, thin],
        };
        a.rotate_right(rng.random_range(0..3));
        let e = exponents(rng, 0.05, 1.95);
        convex_shape(rng, a, e)
    };
    let (a, b) = (shape(), shape());
    let factor = rng.random_range(0.5..1.5);
    along_a_line(rng, a, b, factor)
}

/// Convex bodies whose surfaces are 1e-9 to 1e-3 apart or in each other; returns that gap too.
pub fn near_touching(rng: &mut impl Rng) -> (Case, f64) {
    let mut shape = || any_convex(rng, [0.1, 1.9], [0.5, 2.0]);
    let (a, b) = (shape(), shape());
    let gap = spread(rng, 1e-9, 1e-3) * if rng.random_bool(0.5) { 1.0 } else { -1.0 };
    let (turn_a, turn_b) = (any_rotation(rng), any_rotation(rng));
    (touching(a, turn_a, b, turn_b, any_direction(rng), gap), gap)
}

/// Convex bodies of all exponents whose surfaces are 1e-14 to 1e-5 apart or in each other; with that gap.
pub fn all_but_touching(rng: &mut impl Rng) -> (Case, f64) {
    let mut shape = || any_convex(rng, [0.02, 1.98], [0.5, 2.0]);
    let (a, b) = (shape(), shape());
    let gap = spread(rng, 1e-14, 1e-5) * if rng.random_bool(0.5) { 1.0 } else { -1.0 };
    let (turn_a, turn_b) = (any_rotation(rng), any_rotation(rng));
    (touching(a, turn_a, b, turn_b, any_direction(rng), gap), gap)
}

pub fn ellipsoid(rng: &mut impl Rng, thinnest: f64) -> Shape {
    let a = [(); 3].map(|()| spread(rng, thinnest, 1.0));
    Shape::new(a, [1.0; 2], [0.0; 2])
}

/// Ellipsoids whose semi-axes are between `thinnest` and 1, their surfaces up to ten sizes apart, or up to a third of the thinnest axis in each other, anywhere in the world; with the
/// gap, which is the signed distance if it is positive.
pub fn ellipsoids_near(rng: &mut impl Rng, thinnest: f64) -> (Case, f64) {
    let (a, b) = (ellipsoid(rng, thinnest), ellipsoid(rng, thinnest));
    let thin = a.a.iter().chain(&b.a).fold(1.0, |m: f64, x| m.min(*x));
    let gap = if rng.random_bool(0.5) {
        spread(rng, 1e-9, 10.0)
    } else {
        -spread(rng, 1e-9, 0.3 * thin)
    };
    let (turn_a, turn_b) = (any_rotation(rng), any_rotation(rng));
    let case = touching(a, turn_a, b, turn_b, any_direction(rng), gap);
    (case.moved(&any_pose(rng, 3.0)), gap)
}

/// Exactly touching, to the rounding error of the placement.
pub fn touching_exactly(rng: &mut impl Rng) -> Case {
    let (case, gap) = near_touching(rng);
    let n = any_direction(rng);
    let _ = gap;
    touching(
        case.a,
        case.pose_a.rotation,
        case.b,
        case.pose_b.rotation,
        n,
        0.0,
    )
}

/// Same centre, turned at random.
pub fn concentric(rng: &mut impl Rng) -> Case {
    let mut shape = || any_convex(rng, [0.1, 1.9], [0.5, 2.0]);
    let (a, b) = (shape(), shape());
    let mut case = along_a_line(rng, a, b, 1.0);
    case.pose_b.translation = case.pose_a.translation;
    case.moved(&any_pose(rng, 1.0))
}

/// The same body at the same pose.
pub fn identical(rng: &mut impl Rng) -> Case {
    let a = any_convex(rng, [0.1, 1.9], [0.5, 2.0]);
    let pose = any_pose(rng, 1.0);
    Case {
        a,
        pose_a: pose,
        b: a,
        pose_b: pose,
    }
}

/// B wholly inside A.
pub fn inside(rng: &mut impl Rng) -> Case {
    let a = any_convex(rng, [0.1, 1.9], [0.5, 2.0]);
    let small = spread(rng, 0.01, 0.1) * a.a[0].min(a.a[1]).min(a.a[2]);
    let b = any_convex(rng, [0.1, 1.9], [0.5, 1.0]).scaled(small);
    let mut case = along_a_line(rng, a, b, 1.0);
    let body = Body::new(a);
    let m = any_direction(rng);
    let place = m * (body.radial_scale(&m) * rng.random_range(0.0..0.8));
    case.pose_b.translation.vector = case.pose_a.rotation * place;
    case.moved(&any_pose(rng, 1.0))
}

/// Equators that are ridges (e2 > 1), one across the other, near each other.
pub fn ridge_on_ridge(rng: &mut impl Rng) -> (Case, f64) {
    let mut shape = || {
        let (a, mut e) = (semi_axes(rng, 0.5, 2.0), exponents(rng, 0.3, 1.7));
        e[1] = rng.random_range(1.3..1.95);
        convex_shape(rng, a, e)
    };
    let (a, b) = (shape(), shape());
    let n = any_direction(rng);
    // Turns that bring an equatorial direction of the body to ±n.
    let mut towards = |n: Vector3<f64>| {
        let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
        let to_n = UnitQuaternion::rotation_between(&Vector3::new(cos, sin, 0.0), &n);
        let about = UnitQuaternion::from_scaled_axis(n * rng.random_range(0.0..TAU));
        about * to_n.expect("a random direction is not opposed to another")
    };
    let (turn_a, turn_b) = (towards(n), towards(-n));
    let gap = spread(rng, 1e-9, 1e-1) * if rng.random_bool(0.5) { 1.0 } else { -1.0 };
    (touching(a, turn_a, b, turn_b, n, gap), gap)
}

/// Bodies of revolution on one axis.
pub fn coaxial(rng: &mut impl Rng) -> Case {
    let mut shape = || {
        let (width, height) = (spread(rng, 0.5, 2.0), spread(rng, 0.5, 2.0));
        let e2: f64 = rng.random_range(0.1..1.9);
        let limit: f64 = (1.0 - 0.5 * e2) * (0.5 * e2).exp2();
        let t = rng.random_range(-1.0..1.0) * limit.min(0.95) * 0.99;
        Shape::new([width, width, height], [1.0, e2], [t, t])
    };
    let (a, b) = (shape(), shape());
    let flip = if rng.random_bool(0.5) {
        UnitQuaternion::identity()
    } else {
        UnitQuaternion::from_scaled_axis(Vector3::x() * std::f64::consts::PI)
    };
    let height = (a.a[2] + b.a[2]) * rng.random_range(0.0..1.5);
    Case {
        a,
        pose_a: Isometry3::identity(),
        b,
        pose_b: Isometry3::from_parts(Translation3::new(0.0, 0.0, height), flip),
    }
    .moved(&any_pose(rng, 1.0))
}

/// [`whole_convex_domain`] in units from micrometres to thousands of kilometres.
pub fn scales(rng: &mut impl Rng) -> Case {
    let k = spread(rng, 1e-6, 1e6);
    whole_convex_domain(rng).scaled(k)
}

/// Any tapers to 0.95, at least one body not convex.
pub fn non_convex(rng: &mut impl Rng) -> Case {
    loop {
        let mut shape = || {
            Shape::new(
                semi_axes(rng, 0.5, 2.0),
                exponents(rng, 0.1, 1.9),
                [0; 2].map(|_| rng.random_range(-0.95..0.95)),
            )
        };
        let (a, b) = (shape(), shape());
        let factor = rng.random_range(0.7..1.5);
        let case = along_a_line(rng, a, b, factor);
        if !case.is_convex() {
            return case;
        }
    }
}

/// A small body in the hollow of a non-convex one: the hulls overlap and the bodies do not.
pub fn in_the_hollow(rng: &mut impl Rng) -> Case {
    loop {
        let mut a = Shape::new(
            semi_axes(rng, 0.5, 2.0),
            [rng.random_range(0.3..1.7), rng.random_range(1.2..1.9)],
            [0; 2].map(|_| rng.random_range(-0.95..0.95)),
        );
        if rng.random_bool(0.5) {
            a.t[1] = a.t[0];
        }
        let hollow = convexity::worst_bend(&a);
        let Some(x) = convexity::point_in_hollow(&a, &hollow) else {
            continue;
        };
        let clearance = Body::new(a).distance_outside(&x);
        if clearance < 1e-3 {
            continue;
        }
        // A box-like body reaches √3 of its semi-axes, at most 0.44 of the clearance.
        let b = any_convex(rng, [0.3, 1.7], [0.5, 1.0]).scaled(0.25 * clearance);
        return Case {
            a,
            pose_a: Isometry3::identity(),
            b,
            pose_b: Isometry3::from_parts(x.into(), any_rotation(rng)),
        }
        .moved(&any_pose(rng, 1.0));
    }
}

// ---- running a set ------------------------------------------------------------------------

/// Runs `f(0), …, f(count − 1)` on all processors; a panic in one is the panic of the caller.
pub fn in_parallel(count: usize, f: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    f(i);
                }
            });
        }
    });
}

/// How the answers of a set came out.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub count: usize,
    pub overlapping: usize,
    pub certified: usize,
    pub not_converged: usize,
    /// Convex overlaps with a direction better than the answer's by more than 1e-6 of the size.
    pub not_least: usize,
    /// The answers that the oracle rejected, with the number of the pair in its set.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Panics with the first few refusals, if there are any.
    pub fn none_wrong(&self, set: &str) {
        println!(
            "{set}: {} pairs, {} overlapping, {} certified, {} not converged, {} not the least \
             depth, {} wrong",
            self.count,
            self.overlapping,
            self.certified,
            self.not_converged,
            self.not_least,
            self.wrong.len()
        );
        // The first few whole, of the others what is wrong.
        let line = |(k, text): (usize, &String)| match k {
            0..3 => text.clone(),
            _ => text.lines().next().unwrap_or_default().to_owned(),
        };
        let shown: Vec<String> = self.wrong.iter().enumerate().take(20).map(line).collect();
        assert!(
            self.wrong.is_empty(),
            "{set}: {} of {} wrong\n{}",
            self.wrong.len(),
            self.count,
            shown.join("\n")
        );
    }
}

/// Draws `count` pairs, each from its own seed, queries and judges them.
pub fn judge_all(
    seed: u64,
    count: usize,
    options: &QueryOptions,
    effort: Effort,
    draw: impl Fn(&mut ChaCha8Rng) -> Case + Sync,
) -> Tally {
    let tally = Mutex::new(Tally {
        count,
        ..Tally::default()
    });
    in_parallel(count, |i| {
        let mut rng = seeded(seed);
        rng.set_stream(i as u64);
        let case = draw(&mut rng);
        let answer = case.query(options);
        let verdict = examine(
            &case.a.build(),
            &case.pose_a,
            &case.b.build(),
            &case.pose_b,
            options,
            &answer,
            effort,
        );
        let mut tally = tally
            .lock()
            .expect("no judge panics while it holds the tally");
        tally.overlapping += usize::from(answer.distance < 0.0);
        tally.certified += usize::from(answer.outcome == Outcome::Certified);
        tally.not_converged += usize::from(answer.outcome == Outcome::NotConverged);
        match verdict {
            Ok(finding) => {
                let short = finding.excess > 1e-6 * case.size();
                tally.not_least += usize::from(short && case.is_convex());
            }
            Err(reason) => tally
                .wrong
                .push(format!("pair {i} of seed {seed}: {reason}")),
        }
    });
    tally.into_inner().expect("the judges are done")
}
