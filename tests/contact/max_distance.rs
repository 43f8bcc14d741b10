//! Pairs that `max_distance` is done with because of their bounding balls: a proof or no answer, at any
//! size and place.

use crate::sets::{any_direction, any_rotation, spread};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use superovoid::{
    Contact, Outcome, Pair, PairCache, QueryOptions, Superovoid, VertexOptions, contact,
    contact_batch, vertex_contact,
};

/// Two numbers that are a sum, the second far below the rounding of the first: about 32 digits
/// (Dekker 1971).
#[derive(Clone, Copy, Debug)]
struct Twice(f64, f64);

impl Twice {
    /// a + b, exactly (Knuth).
    fn sum(a: f64, b: f64) -> Twice {
        let s = a + b;
        let t = s - a;
        Twice(s, (a - (s - t)) + (b - t))
    }

    fn add(self, b: Twice) -> Twice {
        let s = Twice::sum(self.0, b.0);
        Twice::sum(s.0, s.1 + self.1 + b.1)
    }

    fn sub(self, b: Twice) -> Twice {
        self.add(Twice(-b.0, -b.1))
    }

    fn mul(self, b: Twice) -> Twice {
        let p = self.0 * b.0;
        let error = self.0.mul_add(b.0, -p);
        Twice::sum(p, error + self.0 * b.1 + self.1 * b.0)
    }

    fn sqrt(self) -> Twice {
        let root = self.0.sqrt();
        let rest = self.sub(Twice(root, 0.0).mul(Twice(root, 0.0)));
        Twice::sum(root, rest.0 / (2.0 * root))
    }
}

/// A body whose smallest ball is known to 32 digits: a sphere, or |x|⁴ + |y|⁴ + |z|⁴ = a⁴, whose
/// farthest points are on the diagonals, 3^(1/4) a from its centre.
fn body(rng: &mut impl Rng, size: f64) -> (Superovoid, Twice) {
    let a = Twice(size, 0.0);
    if rng.random_bool(0.5) {
        return (Superovoid::sphere(size).expect("valid"), a);
    }
    let shape = Superovoid::superellipsoid([size; 3], [0.5; 2]).expect("valid");
    (shape, a.mul(Twice(3.0, 0.0).sqrt().sqrt()))
}

fn limited(max_distance: f64) -> QueryOptions {
    QueryOptions::default().with_max_distance(max_distance)
}

/// Limits a few units in the last place about the distance of the balls, near and far from the origin: never
/// beyond it, always known beyond it by more than rounding, and the bound is a bound.
#[test]
fn bounding_spheres_prove_no_more_than_their_distance() {
    const UNIT: f64 = f64::EPSILON;
    let mut rng = crate::sets::seeded(70);
    let (mut beyond, mut within) = (0, 0);
    for k in 0..40_000 {
        let scale = spread(&mut rng, 1e-6, 1e6);
        let sizes = [0; 2].map(|_| scale * spread(&mut rng, 1e-3, 1.0));
        let [(a, radius_a), (b, radius_b)] = sizes.map(|size| body(&mut rng, size));
        let place = any_direction(&mut rng) * (scale * spread(&mut rng, 1e-3, 1e6));
        let reach = (radius_a.0 + radius_b.0) * spread(&mut rng, 0.5, 10.0);
        let moved = place + any_direction(&mut rng) * reach;
        let pose = |at: Vector3<f64>, turn| Isometry3::from_parts(Translation3::from(at), turn);
        let pose_a = pose(place, any_rotation(&mut rng));
        let pose_b = pose(moved, any_rotation(&mut rng));
        let squares = [0, 1, 2].map(|i| {
            let x = Twice::sum(moved[i], -place[i]);
            x.mul(x)
        });
        let apart = squares[0].add(squares[1]).add(squares[2]).sqrt();
        let distance = apart.sub(radius_a).sub(radius_b);
        let terms = apart.0 + radius_a.0 + radius_b.0;
        let step = f64::from(rng.random_range(-30..30));
        let max_distance = distance.0 + step * UNIT * terms;
        let answer =
            contact(&a, &pose_a, &b, &pose_b, &limited(max_distance), None).expect("valid");
        // Bodies that are farther apart than their balls take iterations.
        if answer.outcome == Outcome::Beyond && answer.iterations == 0 {
            beyond += 1;
            let room = distance.sub(Twice(answer.lower, 0.0));
            assert!(
                step <= 0.0 && room.0 >= 0.0,
                "{k}: {step} {room:?} {answer:?}"
            );
            assert!(room.0 <= 12.0 * UNIT * terms, "{k}: {room:?} {answer:?}");
            assert!(answer.lower > max_distance, "{k}: {answer:?}");
            is_consistent(&answer, &place, radius_a.0);
        } else {
            within += 1;
            assert!(step >= -12.0, "{k}: {step} {answer:?}");
        }
    }
    assert!(beyond > 10_000 && within > 10_000, "{beyond} {within}");
}

/// The points are on the line of the centres, A's on its ball.
fn is_consistent(answer: &Contact, center: &Vector3<f64>, radius: f64) {
    assert_eq!(answer.distance, answer.lower);
    assert_eq!(answer.upper, f64::INFINITY);
    assert!((answer.normal.norm() - 1.0).abs() < 1e-15, "{answer:?}");
    let rounding = 1e-15 * (center.norm() + radius + answer.distance.abs());
    let from_center = answer.point_a.coords - center - answer.normal.as_ref() * radius;
    let across = answer.point_b - answer.point_a - answer.normal.as_ref() * answer.distance;
    assert!(from_center.norm() <= 4.0 * rounding, "{answer:?}");
    assert!(across.norm() <= 4.0 * rounding, "{answer:?}");
}

/// Farthest points of the bodies that touch: nothing but rounding is between limit and distance.
#[test]
fn touching_tips_are_not_beyond_zero() {
    let mut rng = crate::sets::seeded(71);
    let diagonal = Vector3::repeat(1.0).normalize();
    for _ in 0..300 {
        let scale = spread(&mut rng, 1e-6, 1e6);
        let a = Superovoid::superellipsoid([scale; 3], [0.5; 2]).expect("valid");
        let n = any_direction(&mut rng);
        let turn = |to: Vector3<f64>| UnitQuaternion::rotation_between(&diagonal, &to);
        let (Some(turn_a), Some(turn_b)) = (turn(n), turn(-n)) else {
            continue;
        };
        let place = any_direction(&mut rng) * (scale * spread(&mut rng, 1e-2, 1e4));
        let moved = place + n * (2.0 * 3.0_f64.powf(0.25) * scale);
        let pose_a = Isometry3::from_parts(place.into(), turn_a);
        let pose_b = Isometry3::from_parts(moved.into(), turn_b);
        let rounding = 1e-14 * (place.norm() + 4.0 * scale);
        let ask = |max| contact(&a, &pose_a, &a, &pose_b, &limited(max), None).expect("valid");
        assert_ne!(ask(rounding).outcome, Outcome::Beyond);
        assert_eq!(ask(-rounding).outcome, Outcome::Beyond);
    }
}

/// Numbers of every size, also those whose squares leave the number range: an error or an answer whose claim
/// holds. Spheres of radius 1.5e-323 that touch were once beyond 0: half of an odd coordinate there is rounded.
#[test]
fn limits_of_the_number_range_prove_nothing_false() {
    let mut rng = crate::sets::seeded(72);
    let any = |rng: &mut ChaCha8Rng| {
        let power = rng.random_range(-1074..1024);
        rng.random_range(1.0..2.0) * 2.0_f64.powi(power / 2) * 2.0_f64.powi(power - power / 2)
    };
    let mut beyond = 0;
    for k in 0..20_000 {
        let near = spread(&mut rng, 1e-3, 1e3);
        let [r, s, x, y, limit] = [0; 5].map(|_| any(&mut rng));
        // Every other case of lengths that can be compared.
        let [r, s, y] = if k % 2 == 0 {
            [x * near, x / near, -x]
        } else {
            [r, s, y]
        };
        let (Ok(a), Ok(b)) = (Superovoid::sphere(r), Superovoid::sphere(s)) else {
            continue;
        };
        let limit = if k % 4 == 0 { 0.0 } else { limit };
        let (here, there) = (
            Isometry3::translation(x, x, 0.0),
            Isometry3::translation(y, x, 0.0),
        );
        let Ok(answer) = contact(&a, &here, &b, &there, &limited(limit), None) else {
            continue;
        };
        // Below the normal numbers halves are rounded, above 1e300 sums may not be finite.
        let share = if x.abs().max(y.abs()).max(r).max(s) > 1e300 {
            0.25
        } else {
            1.0
        };
        let distance = (share * y - share * x).abs() - share * r - share * s;
        let bracket = [answer.lower, answer.upper].map(|bound| share * bound);
        assert!(
            bracket[0] <= distance && distance <= bracket[1],
            "{k}: {r:e} {s:e} {x:e} {y:e} {answer:?}"
        );
        if answer.outcome == Outcome::Beyond {
            beyond += 1;
            assert!(answer.lower > limit, "{k}: {answer:?}");
            assert!((answer.normal.norm() - 1.0).abs() < 1e-15);
        }
    }
    assert!(beyond > 1000, "{beyond}");
}

/// The same of points, for which the body's ball is a bound.
#[test]
fn a_bounding_sphere_proves_no_more_than_the_distance_of_a_vertex() {
    let mut rng = crate::sets::seeded(74);
    let mut beyond = 0;
    for k in 0..20_000 {
        let scale = spread(&mut rng, 1e-6, 1e6);
        let (shape, radius) = body(&mut rng, scale);
        let place = any_direction(&mut rng) * (scale * spread(&mut rng, 1e-3, 1e6));
        let reach = radius.0 * spread(&mut rng, 0.5, 10.0);
        let point = Point3::from(place + any_direction(&mut rng) * reach);
        let squares = [0, 1, 2].map(|i| {
            let x = Twice::sum(point[i], -place[i]);
            x.mul(x)
        });
        let apart = squares[0].add(squares[1]).add(squares[2]).sqrt();
        let distance = apart.sub(radius);
        let terms = apart.0 + radius.0;
        let step = f64::from(rng.random_range(-30..30));
        let options =
            VertexOptions::default().with_max_distance(distance.0 + step * f64::EPSILON * terms);
        let pose = Isometry3::from_parts(place.into(), any_rotation(&mut rng));
        let answer = vertex_contact(&shape, &pose, &point, &options).expect("valid");
        if answer.outcome == Outcome::Beyond && answer.iterations == 0 {
            beyond += 1;
            let room = distance.sub(Twice(answer.lower, 0.0));
            assert!(
                step <= 0.0 && room.0 >= 0.0,
                "{k}: {step} {room:?} {answer:?}"
            );
            assert!(answer.lower > options.max_distance, "{k}: {answer:?}");
            let rounding = 1e-14 * (place.norm() + terms);
            assert!((answer.point_b - point).norm() <= rounding, "{answer:?}");
            let from_center = (answer.point_a.coords - place).norm() - radius.0;
            assert!(from_center.abs() <= rounding, "{answer:?}");
        } else {
            assert!(step >= -12.0, "{k}: {step} {answer:?}");
        }
    }
    assert!(beyond > 5_000, "{beyond}");
}

/// As after any other query beyond its limit, there is nothing to start from.
#[test]
fn the_cache_of_a_pair_beyond_is_empty() {
    let ball = Superovoid::superellipsoid([1.0; 3], [0.5; 2]).expect("valid");
    let (here, near, far) = (
        Isometry3::identity(),
        Isometry3::translation(2.5, 0.3, 0.1),
        Isometry3::translation(25.0, 0.3, 0.1),
    );
    let mut cache = PairCache::default();
    let mut ask = |pose_b| {
        let answer = contact(&ball, &here, &ball, pose_b, &limited(1.0), Some(&mut cache));
        (answer.expect("valid").outcome, cache.is_empty())
    };
    assert_eq!(ask(&near), (Outcome::Certified, false));
    assert_eq!(ask(&far), (Outcome::Beyond, true));
}

/// Batches in which the balls leave some pairs, none or all in doubt.
#[test]
fn batches_with_a_limit_agree_with_single_queries() {
    let mut rng = crate::sets::seeded(73);
    let shapes: Vec<_> = (0..20)
        .map(|k| body(&mut rng, 0.3 + 0.03 * f64::from(k)).0)
        .collect();
    for share in [0.0, 0.1, 0.5, 0.9, 1.0] {
        for count in [1, 7, 8, 9, 64, 131] {
            let poses: Vec<_> = (0..count)
                .map(|_| {
                    let far = if rng.random_bool(share) { 9.0 } else { 1.5 };
                    let at = any_direction(&mut rng) * far;
                    [
                        Isometry3::identity(),
                        Isometry3::from_parts(at.into(), any_rotation(&mut rng)),
                    ]
                })
                .collect();
            let pairs: Vec<_> = (0..count)
                .map(|k| Pair {
                    a: &shapes[k % 20],
                    pose_a: &poses[k][0],
                    b: &shapes[(7 * k + 3) % 20],
                    pose_b: &poses[k][1],
                })
                .collect();
            let mut answers = vec![Contact::default(); count];
            contact_batch(&pairs, &mut answers, &limited(0.5)).expect("valid");
            for (pair, answer) in pairs.iter().zip(answers) {
                let Pair {
                    a,
                    pose_a,
                    b,
                    pose_b,
                } = pair;
                let alone = contact(a, pose_a, b, pose_b, &limited(0.5), None).expect("valid");
                assert_eq!(alone.outcome, answer.outcome);
                let change = (alone.distance - answer.distance).abs();
                assert!(change <= 1e-11, "{alone:?}, {answer:?}");
            }
        }
    }
}

/// A pair that is refused behind some that the balls are done with keeps its place in the error.
#[test]
fn an_overflow_behind_pairs_beyond_is_named() {
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::identity();
    let far = Isometry3::translation(100.0, 0.0, 0.0);
    let too_far = [-1.7e308, 1.7e308].map(|x| Isometry3::translation(x, 0.0, 0.0));
    let pair = |pose_a, pose_b| Pair {
        a: &ball,
        pose_a,
        b: &ball,
        pose_b,
    };
    let mut pairs = vec![pair(&here, &far); 40];
    (pairs[3], pairs[21]) = (pair(&here, &here), pair(&too_far[0], &too_far[1]));
    let mut answers = vec![Contact::default(); 40];
    let error = contact_batch(&pairs, &mut answers, &limited(1.0)).expect_err("too far");
    assert_eq!(error.index, 21);
}
