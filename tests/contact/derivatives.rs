//! The derivatives of contacts, compared with differences of certified answers and with closed forms.
//!
//! A difference of answers at four steps has a remainder that the two estimates tell (Richardson), so that a derivative
//! is compared to 1e-7 relative, twice that remainder, and what the answers' own
//! accuracy makes of it. The answers come from `contact` alone, whose own oracle is another one. What such differences
//! cannot tell, `derivatives_precise` does in 31 digits.

use crate::sets::{Battery, Case, whole_convex_domain};
use nalgebra::{Isometry3, Point3, SMatrix, SVector, Translation3, UnitQuaternion, Vector3};
use superovoid::derivatives::{
    ContactDerivatives, DerivativeStatus, INPUTS, POSE_A, POSE_B, SHAPE_A, SHAPE_B,
    contact_derivatives, contact_derivatives_batch, distance_gradient, distance_gradient_batch,
    half_space_contact_derivatives, polytope_contact_derivatives, pose_gradient,
    vertex_contact_derivatives,
};
use superovoid::polytope::{Cuboid, Segment, Triangle, polytope_contact};
use superovoid::{
    Contact, HalfSpace, Outcome, PairCache, QueryError, QueryOptions, Superovoid, VertexOptions,
    contact, half_space_contact, vertex_contact,
};

type Pair = (Superovoid, Isometry3<f64>, Superovoid, Isometry3<f64>);

/// The distance, the normal and the witness points.
type Numbers = SVector<f64, 10>;

/// Answers to rounding.
const SHARP: QueryOptions = QueryOptions::DEFAULT
    .with_tolerance(f64::MIN_POSITIVE)
    .with_max_iterations(100)
    .with_max_distance(f64::INFINITY)
    .with_depth(superovoid::DepthMode::Fast);

fn pair_of(case: &Case) -> Pair {
    (case.a.build(), case.pose_a, case.b.build(), case.pose_b)
}

fn answer(pair: &Pair) -> Contact {
    contact(&pair.0, &pair.1, &pair.2, &pair.3, &SHARP, None).expect("valid")
}

fn derivatives(pair: &Pair) -> Option<ContactDerivatives> {
    contact_derivatives(&pair.0, &pair.1, &pair.2, &pair.3, &answer(pair)).expect("its answer")
}

fn numbers(answer: &Contact) -> Numbers {
    let (n, a, b) = (answer.normal, answer.point_a, answer.point_b);
    Numbers::from([answer.distance, n.x, n.y, n.z, a.x, a.y, a.z, b.x, b.y, b.z])
}

fn column(found: &ContactDerivatives, j: usize) -> Numbers {
    let (n, a, b) = (
        found.normal.column(j),
        found.point_a.column(j),
        found.point_b.column(j),
    );
    let d = found.gradient[j];
    Numbers::from([d, n[0], n[1], n[2], a[0], a[1], a[2], b[0], b[1], b[2]])
}

fn moved_pose(pose: &Isometry3<f64>, k: usize, by: f64) -> Isometry3<f64> {
    if k < 3 {
        return Translation3::from(Vector3::ith(k, by)) * pose;
    }
    let turn = UnitQuaternion::from_scaled_axis(Vector3::ith(k - 3, by));
    let mut rotation = turn * pose.rotation;
    rotation.renormalize();
    Isometry3::from_parts(pose.translation, rotation)
}

/// The pair with one input changed; `None` where the shape would leave its domain.
fn moved(pair: &Pair, j: usize, by: f64) -> Option<Pair> {
    let shape = |shape: &Superovoid, k: usize| {
        let (mut a, mut e, mut t) = (shape.semi_axes(), shape.exponents(), shape.tapers());
        match k {
            0..3 => a[k] += by,
            3 | 4 => e[k - 3] += by,
            _ => t[k - 5] += by,
        }
        Superovoid::new(a, e, t).ok()
    };
    let mut moved = *pair;
    match j {
        0..6 => moved.1 = moved_pose(&pair.1, j, by),
        6..12 => moved.3 = moved_pose(&pair.3, j - 6, by),
        12..19 => moved.0 = shape(&pair.0, j - 12)?,
        _ => moved.2 = shape(&pair.2, j - 19)?,
    }
    Some(moved)
}

/// The derivative of `f` at 0, and the error that it may have.
fn difference<const R: usize>(
    f: impl Fn(f64) -> Option<SVector<f64, R>>,
    step: f64,
) -> Option<(SVector<f64, R>, f64)> {
    let central = |h: f64| Some((f(h)? - f(-h)?) / (2.0 * h));
    let (fine, coarse) = (central(step)?, central(2.0 * step)?);
    let gain = (fine - coarse) / 3.0;
    Some((fine + gain, gain.norm()))
}

/// What differences could tell of a set of pairs.
#[derive(Debug, Default)]
struct Tally {
    pairs: usize,
    overlapping: usize,
    compared: usize,
    vague: usize,
}

/// Compares the derivatives of a pair with differences of cold answers. (A warm start that is right to 1e-11 is an answer,
/// which hides changes of that size.)
///
/// Next to ridges and edges derivatives vary within a step, so that shorter ones are tried as well, down to where the
/// rounding of the answers leaves 1e-8.
fn compare(pair: &Pair, tally: &mut Tally) {
    const STEPS: [f64; 3] = [1e-4, 1e-5, 1e-6];
    /// Where the differences err by more they tell nothing.
    const VAGUE: f64 = 1e-6;
    let (a, pose_a, b, pose_b) = pair;
    let here = answer(pair);
    let Some(found) = contact_derivatives(a, pose_a, b, pose_b, &here).expect("its answer") else {
        return;
    };
    if found.status != DerivativeStatus::Exact {
        return;
    }
    tally.pairs += 1;
    tally.overlapping += usize::from(here.distance < 0.0);
    let convex = |pair: &Pair| [pair.0.is_convex(), pair.2.is_convex()];
    let at = |j: usize, by: f64| {
        let moved = moved(pair, j, by)?;
        // One taper of two makes a body hollow: its depth is another one.
        if convex(&moved) != convex(pair) {
            return None;
        }
        Some(answer(&moved))
    };
    let noise = repeatability(pair, &here);
    for j in 0..INPUTS {
        if at(j, STEPS[0]).is_none() || at(j, -STEPS[0]).is_none() {
            continue;
        }
        let column = column(&found, j);
        let scale = 1.0 + column.norm();
        let mut misses = Vec::new();
        let agrees = STEPS.into_iter().any(|step| {
            let estimate = difference(|by| at(j, by).map(|c| numbers(&c)), step);
            let Some((expected, error)) = estimate.filter(|(_, error)| *error <= VAGUE * scale)
            else {
                return false;
            };
            let off = (column - expected).norm();
            misses.push((step, off, error));
            off <= 1e-7 * scale + 2.0 * error + 2.0 * noise / step
        });
        if misses.is_empty() {
            tally.vague += 1;
            continue;
        }
        tally.compared += 1;
        assert!(agrees, "input {j}: {misses:?}\n{pair:?}\n{here:?}");
    }
}

/// How far the answers of a pair differ that is moved as a whole: their own accuracy.
fn repeatability(pair: &Pair, here: &Contact) -> f64 {
    let shifts = [
        [0.3, -0.7, 0.2],
        [-1.1, 0.4, 0.6],
        [0.5, 0.9, -1.3],
        [0.1, 0.2, 0.7],
    ];
    let off = |shift: [f64; 3]| {
        let shift = Translation3::from(Vector3::from(shift));
        let mut there = answer(&(pair.0, shift * pair.1, pair.2, shift * pair.3));
        let back = shift.inverse();
        there.point_a = back * there.point_a;
        there.point_b = back * there.point_b;
        (numbers(&there) - numbers(here)).norm()
    };
    shifts.into_iter().map(off).fold(0.0, f64::max)
}

fn compare_all(
    count: usize,
    seed: u64,
    draw: impl Fn(&mut rand_chacha::ChaCha8Rng) -> Case,
) -> Tally {
    let mut tally = Tally::default();
    let mut rng = crate::sets::seeded(seed);
    for _ in 0..count {
        compare(&pair_of(&draw(&mut rng)), &mut tally);
    }
    tally
}

fn battery(count: usize) -> Tally {
    let set = Battery {
        convex_only: true,
        ..Battery::PAPER
    };
    compare_all(count, 301, |rng| set.draw(rng))
}

#[test]
fn derivatives_agree_with_differences_of_the_battery() {
    let tally = battery(60);
    assert!(tally.overlapping > 10 && tally.pairs > 55, "{tally:?}");
    assert!(20 * tally.vague < tally.compared, "{tally:?}");
}

#[test]
fn derivatives_agree_with_differences_in_the_whole_convex_domain() {
    let tally = compare_all(60, 302, whole_convex_domain);
    assert!(
        tally.pairs > 40 && 4 * tally.vague < tally.compared,
        "{tally:?}"
    );
}

/// The Hessian is the derivative of the gradient, but for two turns of one body, which do not commute.
#[test]
fn hessians_are_the_derivatives_of_gradients() {
    let mut rng = crate::sets::seeded(304);
    for _ in 0..60 {
        let pair = pair_of(&Battery::PAPER.draw(&mut rng));
        let mut cache = PairCache::default();
        contact(&pair.0, &pair.1, &pair.2, &pair.3, &SHARP, Some(&mut cache)).expect("valid");
        let Some(found) = derivatives(&pair).filter(|d| d.status == DerivativeStatus::Exact) else {
            continue;
        };
        for j in 0..INPUTS {
            let gradient = |by: f64| {
                let (a, pose_a, b, pose_b) = moved(&pair, j, by)?;
                let cache = &mut cache.clone();
                let here = contact(&a, &pose_a, &b, &pose_b, &SHARP, Some(cache)).ok()?;
                let found = distance_gradient(&a, &pose_a, &b, &pose_b, &here).ok()??;
                Some(found.gradient)
            };
            let Some((expected, error)) = difference(gradient, 1e-4) else {
                continue;
            };
            let turns = |j: usize| j < 12 && j % 6 >= 3;
            let scale = 1.0 + found.hessian.column(j).norm();
            if error > 1e-5 * scale {
                continue;
            }
            for i in (0..INPUTS).filter(|i| !(turns(*i) && turns(j) && i / 6 == j / 6)) {
                let off = (found.hessian[(i, j)] - expected[i]).abs();
                assert!(
                    off <= 1e-7 * scale + error,
                    "{i} {j}: {off:e} {error:e}\n{pair:?}"
                );
            }
        }
    }
}

/// Along a path with constant velocities the remainders of the Taylor series fall as h² and h³.
#[test]
fn taylor_remainders_fall_as_the_square_and_the_cube() {
    let mut rng = crate::sets::seeded(305);
    let mut tested = 0;
    for _ in 0..40 {
        let pair = pair_of(&Battery::PAPER.draw(&mut rng));
        let [twist_a, twist_b] = [(); 2].map(|()| {
            let v = crate::sets::any_direction(&mut rng);
            (v, crate::sets::any_direction(&mut rng))
        });
        let Some(found) = derivatives(&pair).filter(|d| d.status == DerivativeStatus::Exact) else {
            continue;
        };
        let at = |pose: &Isometry3<f64>, (v, w): (Vector3<f64>, Vector3<f64>), h: f64| {
            let mut rotation = UnitQuaternion::from_scaled_axis(w * h) * pose.rotation;
            rotation.renormalize();
            Isometry3::from_parts(
                Translation3::from(pose.translation.vector + v * h),
                rotation,
            )
        };
        let mut along = SVector::<f64, INPUTS>::zeros();
        for ((v, w), range) in [twist_a, twist_b].iter().zip([POSE_A, POSE_B]) {
            for k in 0..3 {
                along[range.start + k] = v[k];
                along[range.start + 3 + k] = w[k];
            }
        }
        let (slope, bend) = (
            found.gradient.dot(&along),
            along.dot(&(found.hessian * along)),
        );
        let here = answer(&pair);
        let remainders = |h: f64| {
            let moved = (
                pair.0,
                at(&pair.1, twist_a, h),
                pair.2,
                at(&pair.3, twist_b, h),
            );
            let change = answer(&moved).distance - here.distance;
            [
                (change - h * slope).abs(),
                (change - h * slope - 0.5 * h * h * bend).abs(),
            ]
        };
        let (far, near) = (remainders(4e-3), remainders(1e-3));
        // 16 and 64 times, where the next order and rounding leave the leading one.
        if far[1] > 0.2 * far[0] || far[1] < 1e-9 {
            continue;
        }
        tested += 1;
        assert!(near[0] < far[0] / 10.0, "{far:?} {near:?}\n{pair:?}");
        assert!(near[1] < far[1] / 25.0, "{far:?} {near:?}\n{pair:?}");
    }
    assert!(tested > 15, "{tested}");
}

/// A rigid motion of both bodies changes neither the distance nor, beside the motion, the rest.
#[test]
fn a_motion_of_both_bodies_is_no_change() {
    let mut rng = crate::sets::seeded(306);
    for _ in 0..200 {
        let pair = pair_of(&whole_convex_domain(&mut rng));
        let Some(found) = derivatives(&pair) else {
            continue;
        };
        let offset = pair.3.translation.vector - pair.1.translation.vector;
        let here = answer(&pair);
        for k in 0..3 {
            let w = Vector3::ith(k, 1.0);
            // About A's origin: B's moves with it.
            let v = w.cross(&offset);
            let mut along = SVector::<f64, INPUTS>::zeros();
            along[POSE_A.start + 3 + k] = 1.0;
            along[POSE_B.start + 3 + k] = 1.0;
            along.fixed_rows_mut::<3>(POSE_B.start).copy_from(&v);
            let scale = 1.0 + offset.norm();
            assert!(found.gradient.dot(&along).abs() < 1e-8 * scale, "{pair:?}");
            let shift = found.gradient[POSE_A.start + k] + found.gradient[POSE_B.start + k];
            assert_eq!(shift, 0.0);
            if found.status == DerivativeStatus::Exact {
                let normal: Vector3<f64> = found.normal * along;
                let size = scale * (1.0 + found.normal.norm());
                assert!(
                    (normal - w.cross(&here.normal)).norm() < 1e-9 * size,
                    "{pair:?}"
                );
            }
        }
    }
}

/// The order of A and B in the inputs, exchanged.
fn swapped<const R: usize>(m: &SMatrix<f64, R, INPUTS>) -> SMatrix<f64, R, INPUTS> {
    let from = |j: usize| match j {
        0..6 => j + 6,
        6..12 => j - 6,
        12..19 => j + 7,
        _ => j - 7,
    };
    SMatrix::from_fn(|i, j| m[(i, from(j))])
}

#[test]
fn swapping_the_bodies_swaps_the_derivatives() {
    let mut rng = crate::sets::seeded(307);
    for _ in 0..100 {
        let (a, pose_a, b, pose_b) = pair_of(&Battery::PAPER.draw(&mut rng));
        let (one, other) = ((a, pose_a, b, pose_b), (b, pose_b, a, pose_a));
        let (Some(x), Some(y)) = (derivatives(&one), derivatives(&other)) else {
            continue;
        };
        let same =
            (answer(&one).normal.into_inner() + answer(&other).normal.into_inner()).norm() < 1e-6;
        if !same || x.status != DerivativeStatus::Exact {
            continue;
        }
        let close = |x: f64, size: f64| x <= 1e-6 * (1.0 + size);
        assert!(close(
            (swapped(&x.gradient.transpose()).transpose() - y.gradient).norm(),
            1.0
        ));
        assert!(close(
            (swapped(&x.normal) + y.normal).norm(),
            y.normal.norm()
        ));
        assert!(close(
            (swapped(&x.point_a) - y.point_b).norm(),
            y.point_b.norm()
        ));
        let hessian = swapped(&swapped(&x.hessian).transpose());
        assert!(close((hessian - y.hessian).norm(), y.hessian.norm()));
    }
}

/// Two spheres: d = |c| − r_a − r_b.
#[test]
fn spheres_have_a_closed_form() {
    let (a, b) = (
        Superovoid::sphere(0.7).expect("valid"),
        Superovoid::sphere(0.4).expect("valid"),
    );
    for length in [3.0, 1.1 + 1e-6, 0.8] {
        let n = Vector3::new(0.36, -0.48, 0.8);
        let pose_a = Isometry3::new(Vector3::new(0.1, 0.2, 0.3), Vector3::new(0.3, 1.0, -0.2));
        let pose_b = Isometry3::new(
            pose_a.translation.vector + n * length,
            Vector3::new(1.0, 0.0, 2.0),
        );
        let found = derivatives(&(a, pose_a, b, pose_b)).expect("certified");
        assert_eq!(found.status, DerivativeStatus::Exact);
        let across = nalgebra::Matrix3::identity() - n * n.transpose();
        let near = |x: f64| x < 1e-9;
        let velocity = found.gradient.fixed_rows::<3>(POSE_B.start).into_owned();
        assert!(near((velocity - n).norm()));
        assert!(near(
            found.gradient.fixed_rows::<3>(POSE_B.start + 3).norm()
        ));
        let hessian = found
            .hessian
            .fixed_view::<3, 3>(POSE_B.start, POSE_B.start)
            .into_owned();
        assert!(near((hessian - across / length).norm()), "{hessian}");
        let normal = found.normal.fixed_columns::<3>(POSE_B.start).into_owned();
        assert!(near((normal - across / length).norm()));
        let point = found.point_a.fixed_columns::<3>(POSE_B.start).into_owned();
        assert!(near((point - across * (0.7 / length)).norm()));
        // A sphere whose semi-axes all grow by the same grows as a sphere.
        let radius: f64 = (0..3).map(|k| found.gradient[SHAPE_A.start + k]).sum();
        assert!(near((radius + 1.0).abs()));
    }
}

/// Vertices, segments, triangles, boxes and half-spaces by differences of their own answers.
#[test]
fn features_agree_with_differences() {
    let body = Superovoid::new([1.0, 0.8, 1.2], [0.7, 1.2], [0.1, 0.1]).expect("valid");
    let pose = Isometry3::new(Vector3::new(0.1, -0.2, 0.05), Vector3::new(0.2, 0.4, -0.3));
    type Query =
        Box<dyn Fn(&Superovoid, &Isometry3<f64>, &Isometry3<f64>) -> (Contact, ContactDerivatives)>;
    let vertex: Query = Box::new(|body, pose, at| {
        let point = Point3::from(at.translation.vector);
        let options = VertexOptions::default().with_tolerance(f64::MIN_POSITIVE);
        let answer = vertex_contact(body, pose, &point, &options).expect("valid");
        let found = vertex_contact_derivatives(body, pose, &answer).expect("its answer");
        (answer, found.expect("converged"))
    });
    let corner = Point3::new;
    let triangle = Triangle::new([
        corner(-4.0, -3.0, 0.0),
        corner(5.0, -3.0, 0.0),
        corner(0.0, 4.0, 0.0),
    ])
    .expect("valid");
    let segment = Segment::new(corner(-3.0, 0.0, 0.0), corner(3.0, 0.4, 0.0)).expect("valid");
    let cuboid = Cuboid::new([0.5, 0.6, 0.7]).expect("valid");
    fn polytope(shape: impl superovoid::polytope::Polytope + 'static) -> Query {
        Box::new(move |body, pose, at| {
            let answer = polytope_contact(body, pose, &shape, at, &SHARP).expect("valid");
            let found = polytope_contact_derivatives(body, pose, &shape, at, &answer);
            (answer, found.expect("its answer").expect("converged"))
        })
    }
    let half_space: Query = Box::new(|body, pose, at| {
        let n = at.rotation * Vector3::new(0.1, 0.2, 1.0).normalize();
        let solid = HalfSpace::new(n, n.dot(&at.translation.vector) - 2.0).expect("valid");
        let answer = half_space_contact(body, pose, &solid).expect("valid");
        let found = half_space_contact_derivatives(body, pose, &solid, &answer);
        (answer, found.expect("its answer").expect("certified"))
    });
    let at = |x, y, z| Isometry3::new(Vector3::new(x, y, z), Vector3::new(0.1, 0.2, 0.3));
    let queries: [(&str, Query, Isometry3<f64>); 8] = [
        ("vertex", vertex, at(1.4, 0.9, 0.8)),
        ("face of a triangle", polytope(triangle), at(0.2, 0.1, 2.0)),
        ("edge of a triangle", polytope(triangle), at(0.0, 4.5, 0.3)),
        ("segment", polytope(segment), at(0.1, 1.6, 0.9)),
        ("corner of a box", polytope(cuboid), at(1.7, 1.5, 1.9)),
        ("face of a box", polytope(cuboid), at(0.1, 0.0, 2.5)),
        ("edge of a box", polytope(cuboid), at(1.9, 0.0, 1.9)),
        // Its motion is about the world's origin.
        ("half-space", half_space, Isometry3::identity()),
    ];
    for (name, query, other) in &queries {
        let (_, found) = query(&body, &pose, other);
        assert_eq!(found.status, DerivativeStatus::Exact, "{name}");
        for j in 0..19 {
            let answer = |by: f64| {
                let pair = moved(&(body, pose, body, *other), j, by)?;
                Some(numbers(&query(&pair.0, &pair.1, &pair.3).0))
            };
            let (expected, error) = difference(answer, 1e-4).expect("in the domain");
            // A vertex has no rotation.
            if *name == "vertex" && (POSE_B.start + 3..POSE_B.end).contains(&j) {
                continue;
            }
            let off = (column(&found, j) - expected).norm();
            assert!(
                off <= 1e-6 + 2.0 * error,
                "{name}, input {j}: {off:e} {error:e}\n{}\n{expected}",
                column(&found, j)
            );
        }
        assert!(
            SHAPE_B
                .clone()
                .all(|j| found.gradient[j] == 0.0 && found.hessian.column(j).norm() == 0.0),
            "{name}"
        );
    }
}

/// Depths that several directions attain are told, and those of a single direction are not called so.
#[test]
fn ties_are_told() {
    let shape = |a, e| Superovoid::superellipsoid(a, [e; 2]).expect("valid");
    let (here, status) = (
        Isometry3::identity(),
        |a: Superovoid, b: Superovoid, pose: Isometry3<f64>| {
            derivatives(&(a, Isometry3::identity(), b, pose)).map(|d| d.status)
        },
    );
    let ball = Superovoid::sphere(1.0).expect("valid");
    assert_eq!(
        status(ball, ball, here),
        Some(DerivativeStatus::Tie),
        "concentric spheres"
    );
    let brick = shape([1.0, 1.0, 1.0], 0.5);
    assert_eq!(
        status(brick, brick, here),
        Some(DerivativeStatus::Tie),
        "concentric cubes"
    );
    let long = shape([3.0, 1.0, 1.5], 0.5);
    // Out by either side of y.
    assert_eq!(
        status(long, long, here),
        Some(DerivativeStatus::Tie),
        "concentric bricks"
    );
    let aside = Isometry3::translation(0.0, 0.3, 0.0);
    let one_way = status(
        long,
        shape([2.0, 0.7, 1.2], 0.8),
        aside * Isometry3::rotation(Vector3::new(0.1, 0.2, 0.1)),
    );
    assert_eq!(one_way, Some(DerivativeStatus::Exact), "one way out");
    let needle = Superovoid::ellipsoid([0.5, 0.5, 2.0]).expect("valid");
    let coaxial = Isometry3::translation(0.0, 0.0, 0.1);
    assert_eq!(
        status(needle, needle, coaxial),
        Some(DerivativeStatus::Tie),
        "coaxial needles"
    );
    assert_eq!(
        status(ball, ball, Isometry3::translation(2.5, 0.0, 0.0)),
        Some(DerivativeStatus::Exact)
    );
}

/// Vertices on the medial axis of a body, and boxes that lie across its planes of symmetry, are as deep on both sides.
#[test]
fn ties_of_features_are_told() {
    let egg = Superovoid::new([1.0, 0.8, 1.2], [0.7, 0.9], [0.2, 0.2]).expect("valid");
    let ball = Superovoid::sphere(1.0).expect("valid");
    let pose = Isometry3::new(Vector3::new(0.3, -0.2, 0.1), Vector3::new(0.4, 0.1, -0.3));
    let vertex = |shape: &Superovoid, at: [f64; 3]| {
        let point = pose * Point3::from(at);
        let answer =
            vertex_contact(shape, &pose, &point, &VertexOptions::default()).expect("valid");
        let found = vertex_contact_derivatives(shape, &pose, &answer).expect("its answer");
        found.map(|found| found.status)
    };
    assert_eq!(vertex(&egg, [0.1, 0.0, 0.1]), Some(DerivativeStatus::Tie));
    assert_eq!(vertex(&egg, [0.1, 0.3, 0.1]), Some(DerivativeStatus::Exact));
    // On the plane of symmetry outside there is one way.
    assert_eq!(vertex(&egg, [0.1, 1.5, 0.1]), Some(DerivativeStatus::Exact));
    assert_eq!(vertex(&egg, [1.5, 0.0, 0.1]), Some(DerivativeStatus::Exact));
    let cuboid = Cuboid::new([0.3, 0.4, 0.5]).expect("valid");
    let solid = |shape: &Superovoid, at: Isometry3<f64>| {
        let at = pose * at;
        let answer = polytope_contact(shape, &pose, &cuboid, &at, &SHARP).expect("valid");
        let found = polytope_contact_derivatives(shape, &pose, &cuboid, &at, &answer);
        found.expect("its answer").map(|found| found.status)
    };
    let centred = Isometry3::translation(0.0, 0.0, 0.1);
    assert_eq!(solid(&egg, centred), Some(DerivativeStatus::Tie));
    let aside = Isometry3::new(Vector3::new(0.1, 0.2, 0.1), Vector3::new(0.1, 0.2, 0.3));
    assert_ne!(solid(&egg, aside), Some(DerivativeStatus::Tie));
    let turned = Isometry3::rotation(Vector3::new(0.1, 0.2, 0.3));
    assert_eq!(solid(&ball, turned), Some(DerivativeStatus::Tie));
}

/// Flat faces that lie opposite each other, and tips that touch, have no derivatives of the points; the gradient stays.
#[test]
fn flat_faces_and_touching_tips_have_a_gradient_only() {
    let here = Isometry3::identity();
    let flat = Superovoid::superellipsoid([1.0; 3], [0.5, 0.5]).expect("valid");
    let tip = Superovoid::superellipsoid([1.0; 3], [1.5, 1.5]).expect("valid");
    for (shape, height) in [(flat, 2.5), (tip, 2.0)] {
        let found = derivatives(&(shape, here, shape, Isometry3::translation(0.0, 0.0, height)));
        let found = found.expect("certified");
        assert_eq!(found.status, DerivativeStatus::PointsSingular, "{shape:?}");
        assert!(found.normal.iter().all(|x| x.is_nan()));
        assert!((found.gradient[POSE_B.start + 2] - 1.0).abs() < 1e-9);
        assert!((found.gradient[SHAPE_A.start + 2] + 1.0).abs() < 1e-9);
    }
    // Apart, tips have all derivatives.
    let apart =
        derivatives(&(tip, here, tip, Isometry3::translation(0.0, 0.0, 2.3))).expect("certified");
    assert_eq!(apart.status, DerivativeStatus::Exact);
}

/// What is no answer of the pair is an error, and what is no answer at all has no derivatives.
#[test]
fn other_contacts_are_errors_and_open_ones_have_none() {
    let a = Superovoid::superellipsoid([1.0, 0.8, 0.6], [0.5, 0.8]).expect("valid");
    let (here, there) = (Isometry3::identity(), Isometry3::translation(0.0, 0.0, 3.0));
    let answer = contact(&a, &here, &a, &there, &SHARP, None).expect("valid");
    let elsewhere = Isometry3::translation(0.0, 0.5, 3.0);
    let error = contact_derivatives(&a, &here, &a, &elsewhere, &answer).unwrap_err();
    assert!(
        matches!(
            error,
            QueryError::Input {
                name: "contact",
                ..
            }
        ),
        "{error}"
    );
    let nan = Isometry3::translation(f64::NAN, 0.0, 3.0);
    assert!(matches!(
        distance_gradient(&a, &here, &a, &nan, &answer),
        Err(QueryError::NonFinitePose { body: 'B' })
    ));
    for outcome in [Outcome::NotConverged, Outcome::Beyond] {
        let mut open = answer;
        open.outcome = outcome;
        assert_eq!(contact_derivatives(&a, &here, &a, &there, &open), Ok(None));
        assert_eq!(distance_gradient(&a, &here, &a, &there, &open), Ok(None));
        assert_eq!(pose_gradient(&here, &there, &open), None);
    }
    let gradient = distance_gradient(&a, &here, &a, &there, &answer)
        .expect("valid")
        .expect("certified");
    let by_poses = pose_gradient(&here, &there, &answer).expect("certified");
    assert_eq!(gradient.gradient.fixed_rows::<12>(0).into_owned(), by_poses);
}

/// Batches give the numbers of single calls, and the first error with its index.
#[test]
fn batches_are_single_calls() {
    let mut rng = crate::sets::seeded(308);
    let mut placed: Vec<Pair> = (0..40)
        .map(|_| pair_of(&whole_convex_domain(&mut rng)))
        .collect();
    let mut contacts: Vec<Contact> = placed.iter().map(answer).collect();
    contacts[7].outcome = Outcome::NotConverged;
    let pairs = |placed: &[Pair]| -> Vec<superovoid::Pair<'static>> {
        let placed: &'static [Pair] = Vec::leak(placed.to_vec());
        let pair = |(a, pose_a, b, pose_b): &'static Pair| superovoid::Pair {
            a,
            pose_a,
            b,
            pose_b,
        };
        placed.iter().map(pair).collect()
    };
    let (mut gradients, mut all) = (vec![None; 40], vec![None; 40]);
    distance_gradient_batch(&pairs(&placed), &contacts, &mut gradients).expect("valid");
    contact_derivatives_batch(&pairs(&placed), &contacts, &mut all).expect("valid");
    for (k, (a, pose_a, b, pose_b)) in placed.iter().enumerate() {
        let gradient = distance_gradient(a, pose_a, b, pose_b, &contacts[k]).expect("valid");
        assert_eq!(gradients[k], gradient);
        let single = contact_derivatives(a, pose_a, b, pose_b, &contacts[k]).expect("valid");
        // NaN is not equal to itself.
        assert_eq!(format!("{:?}", all[k]), format!("{single:?}"));
        assert_eq!(gradient.is_none(), k == 7);
    }
    placed[33].1.translation.vector.x = f64::NAN;
    placed[12].3.translation.vector.y = f64::INFINITY;
    let error = distance_gradient_batch(&pairs(&placed), &contacts, &mut gradients).unwrap_err();
    assert_eq!(
        (error.index, error.error),
        (12, QueryError::NonFinitePose { body: 'B' })
    );
    let short = contact_derivatives_batch(&pairs(&placed), &contacts[1..], &mut all);
    let length = QueryError::LengthMismatch {
        inputs: 40,
        answers: 39,
    };
    assert_eq!(
        short.map_err(|error| (error.index, error.error)),
        Err((0, length))
    );
}

/// Bodies that are not convex have derivatives of their local answer, and say so.
#[test]
fn non_convex_bodies_are_local() {
    let hollow = Superovoid::new([1.0; 3], [0.4, 0.5], [0.3, -0.3]).expect("valid");
    assert!(!hollow.is_convex());
    let pair = (
        hollow,
        Isometry3::identity(),
        hollow,
        Isometry3::new(Vector3::new(0.2, 2.4, 0.3), Vector3::new(0.4, 0.1, 0.7)),
    );
    let found = derivatives(&pair).expect("certified");
    assert!(found.local);
    let mut tally = Tally::default();
    compare(&pair, &mut tally);
    assert!(tally.compared > 8, "{tally:?}");
}
