//! The point query, compared with the oracle.

use crate::oracle::exact::point_ellipsoid;
use crate::oracle::nearest::towards;
use crate::oracle::{Body, Nearest, Shape};
use crate::sets::{any_direction, any_pose, convex_shape, in_parallel, spread};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;
use std::f64::consts::{PI, TAU};
use std::sync::Mutex;
use superovoid::published::{
    curvature_aware_vertex_contact, iterative_vertex_contact, radial_vertex_contact,
};
use superovoid::{
    Contact, DepthMode, Outcome, QueryError, Superovoid, VertexOptions, vertex_contact,
    vertex_contact_batch,
};

const EXACT: VertexOptions = VertexOptions::DEFAULT
    .with_tolerance(0.0)
    .with_max_iterations(30)
    .with_max_distance(f64::INFINITY)
    .with_depth(DepthMode::Fast);

const ITERATIVE: VertexOptions = EXACT.with_tolerance(1e-3);

fn rng(seed: u64, stream: usize) -> ChaCha8Rng {
    let mut rng = crate::sets::seeded(seed);
    rng.set_stream(stream as u64);
    rng
}

type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

/// The exact query and the published ones.
const METHODS: [VertexQuery; 4] = [
    vertex_contact,
    iterative_vertex_contact,
    curvature_aware_vertex_contact,
    radial_vertex_contact,
];

fn at_origin(shape: &Superovoid, x: &Vector3<f64>, options: &VertexOptions) -> Contact {
    at_origin_by(vertex_contact, shape, x, options)
}

fn at_origin_by(
    query: VertexQuery,
    shape: &Superovoid,
    x: &Vector3<f64>,
    options: &VertexOptions,
) -> Contact {
    query(shape, &Isometry3::identity(), &Point3::from(*x), options).expect("the input is valid")
}

/// The same of many points at once.
fn slice_at_origin(
    shape: &Superovoid,
    x: &[Vector3<f64>],
    options: &VertexOptions,
) -> Vec<Contact> {
    let points: Vec<Point3<f64>> = x.iter().map(|x| Point3::from(*x)).collect();
    slice_of(shape, &Isometry3::identity(), &points, options)
}

fn slice_of(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    points: &[Point3<f64>],
    options: &VertexOptions,
) -> Vec<Contact> {
    let mut answers = vec![Contact::default(); points.len()];
    vertex_contact_batch(shape, pose, points, &mut answers, options).expect("the input is valid");
    answers
}

// ---- the oracle ----------------------------------------------------------------------------

/// The requirements on any answer for the point x in the body's frame, whatever the method.
fn sound(body: &Body, x: &Vector3<f64>, answer: &Contact) -> Result<(), String> {
    let size = body.shape.size();
    let rounding = 1e-14 * (size + x.norm());
    let (a, n) = (answer.point_a.coords, answer.normal.as_ref());
    let ensure = |holds: bool, what: &str| {
        if holds {
            Ok(())
        } else {
            Err(format!("{what}: {:?} at {x:?}: {answer:?}", body.shape))
        }
    };
    ensure((n.norm() - 1.0).abs() < 1e-12, "normal of length 1")?;
    let closure = (a + n * answer.distance - x).norm();
    ensure(
        closure <= rounding.max(1e-12 * size),
        "from A along the normal to the point",
    )?;
    ensure(
        body.surface_error(&a) <= 1e-9 * size + rounding,
        "point on the surface",
    )?;
    let side = body.gauge(x) - 1.0;
    let right_side = side.abs() < 1e-12 || (answer.distance < 0.0) == (side < 0.0);
    ensure(right_side, "sign of the distance")?;
    ensure(
        answer.lower <= answer.distance && answer.distance <= answer.upper,
        "bracket",
    )?;
    let certified = answer.outcome != Outcome::Certified
        || answer.upper - answer.lower <= 2e-6 * size + rounding;
    ensure(certified, "certified means closed")
}

/// An exact answer against the true signed distance, or outside a convex body against its
/// supporting plane.
fn exact(
    truth: Option<f64>,
    body: &Body,
    x: &Vector3<f64>,
    answer: &Contact,
) -> Result<(), String> {
    sound(body, x, answer)?;
    let tolerance = 1e-9 * body.shape.size() + 1e-14 * x.norm();
    // Both the plane and the surface point bound the distance.
    let truth = truth.unwrap_or_else(|| answer.normal.dot(x) - body.support(&answer.normal));
    // A sound answer's own point is as near as it says, should the search not have met it.
    let truth = if answer.distance.abs() < truth.abs() {
        answer.distance
    } else {
        truth
    };
    if (answer.distance - truth).abs() > tolerance {
        return Err(format!(
            "distance {} where it is {truth}: {:?} at {x:?}: {answer:?}",
            answer.distance, body.shape
        ));
    }
    if answer.lower > truth + tolerance || answer.upper < truth - tolerance {
        return Err(format!(
            "false bracket about {truth}: {:?} at {x:?}: {answer:?}",
            body.shape
        ));
    }
    if answer.outcome == Outcome::NotConverged {
        return Err(format!(
            "not converged: {:?} at {x:?}: {answer:?}",
            body.shape
        ));
    }
    Ok(())
}

struct Refusals(Mutex<Vec<String>>);

impl Refusals {
    fn new() -> Self {
        Refusals(Mutex::new(Vec::new()))
    }

    fn take(&self, verdict: Result<(), String>) {
        if let Err(reason) = verdict {
            self.0.lock().expect("no check panics here").push(reason);
        }
    }

    fn none(self, set: &str) {
        let all = self.0.into_inner().expect("the checks are done");
        let shown: Vec<&str> = all.iter().take(5).map(String::as_str).collect();
        assert!(
            all.is_empty(),
            "{set}: {} wrong\n{}",
            all.len(),
            shown.join("\n")
        );
    }
}

// ---- the seven shapes of the iterative method ---------------------------------------------

const SEVEN: [[f64; 2]; 7] = [
    [0.3, 0.3],
    [0.65, 0.65],
    [1.0, 1.0],
    [1.35, 1.35],
    [1.7, 1.7],
    [1.0, 0.3],
    [1.0, 1.6],
];

/// 100 × 100 points of the parametric surface with other semi-axes, evenly spaced in its angles.
fn grid(semi_axis: f64, e: [f64; 2]) -> Vec<Vector3<f64>> {
    let power = |x: f64, e: f64| x.abs().powf(e).copysign(x);
    let point = |k: usize| {
        let phi1 = -PI + TAU * (k / 100) as f64 / 100.0;
        let phi2 = -0.5 * PI + PI * (k % 100) as f64 / 99.0;
        let rho = power(phi2.cos(), e[1]);
        let x = rho * power(phi1.cos(), e[0]);
        let y = rho * power(phi1.sin(), e[0]);
        Vector3::new(x, y, power(phi2.sin(), e[1])) * semi_axis
    };
    (0..10_000).map(point).collect()
}

/// The published share of 10,000 points for which the iterative method converges is reached; with the curvature-aware step
/// all points of all shapes but the most pointed one converge, too.
#[test]
fn iterative_methods_converge_as_published() {
    for (add, published) in [
        (0.05, [100.0, 100.0, 100.0, 100.0, 86.0, 100.0, 100.0]),
        (-0.015, [100.0, 100.0, 100.0, 100.0, 96.08, 100.0, 100.0]),
    ] {
        for (e, published) in SEVEN.into_iter().zip(published) {
            let [plain, curved] =
                [iterative_vertex_contact, curvature_aware_vertex_contact].map(|method| {
                    let (percent, iterations) = converged_share(method, add, e);
                    println!(
                        "{e:?} {add:+}: {percent} % of {published} %, {iterations} iterations"
                    );
                    percent
                });
            assert!(
                plain >= published,
                "{e:?} {add:+}: {plain} % of {published} %"
            );
            // At ridges the curvature tells nothing, and nothing is claimed.
            assert!(
                curved == 100.0 || published < 100.0,
                "{e:?} {add:+}: {curved} %"
            );
        }
    }
}

/// The share of the points, per cent, for which a method converges, and its mean number of iterations.
fn converged_share(method: VertexQuery, add: f64, e: [f64; 2]) -> (f64, f64) {
    let shape = Shape::new([1.0; 3], e, [0.0; 2]);
    let (solid, body) = (shape.build(), Body::new(shape));
    let (mut converged, mut iterations) = (0, 0);
    let nearest = Nearest::new(shape);
    for (k, x) in grid(1.0 + add, e).into_iter().enumerate() {
        let answer = at_origin_by(method, &solid, &x, &ITERATIVE);
        iterations += answer.iterations;
        if answer.outcome == Outcome::Converged {
            converged += 1;
            sound(&body, &x, &answer).unwrap();
            if k.is_multiple_of(97) {
                let truth = nearest.signed_distance(&x);
                let within = answer.lower - 1e-9 <= truth && truth <= answer.upper + 1e-9;
                assert!(within, "{truth}: {shape:?} {x:?} {answer:?}");
            }
        }
    }
    (f64::from(converged) / 100.0, f64::from(iterations) / 1e4)
}

/// Of every `one_in` points of the grids one.
fn seven_shapes(one_in: usize) {
    let refusals = Refusals::new();
    in_parallel(SEVEN.len(), |k| {
        let e = SEVEN[k];
        let shape = Shape::new([1.0; 3], e, [0.0; 2]);
        let (solid, body) = (shape.build(), Body::new(shape));
        let outside = grid(1.05, e)
            .into_iter()
            .step_by(one_in)
            .collect::<Vec<_>>();
        let in_slice = slice_at_origin(&solid, &outside, &EXACT);
        for (k, x) in outside.iter().enumerate() {
            let answer = at_origin(&solid, x, &EXACT);
            assert_eq!(answer.outcome, Outcome::Certified, "{e:?} {x:?}");
            refusals.take(exact(None, &body, x, &answer));
            assert_eq!(in_slice[k].outcome, Outcome::Certified, "{e:?} {x:?}");
            refusals.take(sound(&body, x, &in_slice[k]));
            let change = (in_slice[k].distance - answer.distance).abs();
            assert!(change <= 1e-10, "{e:?} {x:?} {answer:?} {:?}", in_slice[k]);
        }
        // Reflections of a point have the same distance: the oracle is asked once for all of them.
        let nearest = Nearest::new(shape);
        let mut known = HashMap::new();
        let inside = grid(0.985, e)
            .into_iter()
            .step_by(one_in)
            .collect::<Vec<_>>();
        let in_slice = slice_at_origin(&solid, &inside, &EXACT);
        for (x, in_slice) in inside.iter().zip(&in_slice) {
            let answer = at_origin(&solid, x, &EXACT);
            let in_symmetry_plane = x.iter().any(|c| c.abs() < 1e-9);
            let proven = answer.outcome == Outcome::Certified || in_symmetry_plane;
            assert!(proven, "{e:?} {x:?}: {answer:?}");
            let folded: [i64; 3] = x.map(|c| (c.abs() * 1e12).round() as i64).into();
            let truth = *known
                .entry(folded)
                .or_insert_with(|| nearest.signed_distance(x));
            refusals.take(exact(Some(truth), &body, x, &answer));
            refusals.take(exact(Some(truth), &body, x, in_slice));
        }
    });
    refusals.none("seven shapes");
}

draws!(seven_shapes: answers_on_the_seven_shapes_are_exact 4, answers_on_the_seven_shapes_are_exact_long 1);

// ---- random shapes ------------------------------------------------------------------------

fn any_shape(rng: &mut ChaCha8Rng) -> Shape {
    let stretch = [1.0, 3.0][rng.random_range(0..2)];
    let a = [0; 3].map(|_| spread(rng, 1.0 / (stretch + 1e-3), stretch + 1e-3));
    let e = [0; 2].map(|_| rng.random_range(0.05..1.95));
    let t = match rng.random_range(0..3) {
        0 => [0.0; 2],
        1 => [rng.random_range(-0.6..0.6); 2],
        _ => [0; 2].map(|_| rng.random_range(-0.6..0.6)),
    };
    Shape::new(a, e, t)
}

/// A point in a direction of the body, near its surface or far from it, inside or outside.
fn any_point(rng: &mut ChaCha8Rng, shape: &Shape, inside: bool, shallow: bool) -> Vector3<f64> {
    let m = any_direction(rng).component_mul(&Vector3::from(shape.a));
    let surface = towards(shape, &m);
    let near = spread(rng, 1e-6, 0.1);
    let factor = match (inside, shallow) {
        (true, true) => 1.0 - near,
        (true, false) => rng.random_range(0.0..0.9),
        (false, true) => 1.0 + near,
        (false, false) => spread(rng, 1.1, 100.0),
    };
    surface * factor
}

fn random_shapes(seed: u64, count: usize) {
    let refusals = Refusals::new();
    in_parallel(count, |k| {
        let mut rng = rng(seed, k);
        let shape = any_shape(&mut rng);
        let (solid, body) = (shape.build(), Body::new(shape));
        let nearest = Nearest::new(shape);
        for (inside, shallow) in [(true, true), (true, false), (false, true), (false, false)] {
            let x = any_point(&mut rng, &shape, inside, shallow);
            let answer = at_origin(&solid, &x, &EXACT);
            let by_plane = solid.is_convex() && !body.contains(&x);
            let truth = (!by_plane).then(|| nearest.signed_distance(&x));
            refusals.take(exact(truth, &body, &x, &answer));
        }
    });
    refusals.none("random shapes");
}

#[test]
fn random_shapes_are_answered_inside_and_outside() {
    random_shapes(1, 300);
}

#[test]
#[ignore = "long"]
fn many_random_shapes_are_answered_inside_and_outside() {
    random_shapes(2, 40_000);
}

// ---- closed forms -------------------------------------------------------------------------

#[test]
fn the_oracle_and_the_query_agree_with_the_closed_form_of_ellipsoids() {
    in_parallel(200, |k| {
        let mut rng = rng(3, k);
        let a = [0; 3].map(|_| spread(&mut rng, 0.3, 3.0));
        let shape = Shape::new(a, [1.0; 2], [0.0; 2]);
        let x =
            any_direction(&mut rng).component_mul(&Vector3::from(a)) * rng.random_range(0.1..3.0);
        let truth = point_ellipsoid(a, &x);
        let tolerance = 1e-9 * shape.size();
        assert!((Nearest::new(shape).signed_distance(&x) - truth).abs() < tolerance);
        assert!((at_origin(&shape.build(), &x, &EXACT).distance - truth).abs() < tolerance);
    });
}

/// Places where bodies have ridges, tips, flat faces or several nearest points.
#[test]
fn special_vertices_are_answered() {
    let shapes = [
        ([1.0, 1.0, 1.0], [1.0, 1.0], [0.0, 0.0]),
        ([1.0, 2.0, 3.0], [1.0, 1.0], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [0.02, 0.02], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [0.3, 0.6], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [1.95, 1.95], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [0.1, 1.9], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [1.9, 0.1], [0.0, 0.0]),
        ([1.0, 1.2, 0.7], [0.8, 0.8], [0.3, 0.3]),
        ([1.0, 1.2, 0.7], [1.6, 1.2], [-0.2, -0.2]),
        ([1.0, 1.2, 0.7], [1.0, 1.8], [0.5, -0.5]),
    ];
    let refusals = Refusals::new();
    in_parallel(shapes.len(), |k| {
        let (a, e, t) = shapes[k];
        let shape = Shape::new(a, e, t);
        let (solid, body, nearest) = (shape.build(), Body::new(shape), Nearest::new(shape));
        let mut directions = vec![];
        for x in [-1.0, 0.0, 1.0] {
            for y in [-1.0, 0.0, 1.0] {
                for z in [-1.0, 0.0, 1.0] {
                    directions.push(Vector3::new(x, y, z).component_mul(&Vector3::from(a)));
                }
            }
        }
        for m in directions {
            for factor in [
                1e-9,
                0.1,
                0.5,
                0.99,
                1.0 - 1e-9,
                1.0,
                1.0 + 1e-9,
                1.01,
                2.0,
                1e6,
            ] {
                let on_surface = m != Vector3::zeros();
                let x = if on_surface {
                    towards(&shape, &m) * factor
                } else {
                    m
                };
                let answer = at_origin(&solid, &x, &EXACT);
                refusals.take(exact(Some(nearest.signed_distance(&x)), &body, &x, &answer));
            }
        }
    });
    refusals.none("special points");
}

/// Between ridges that the first starts ended on.
#[test]
fn vertices_deep_inside_a_hollow_body_are_answered() {
    let a = [0.615701257420998, 0.8695881585869514, 0.484213602341715];
    let e = [1.3372884098615008, 0.7775480587454333];
    let shape = Shape::new(a, e, [0.43494969033889175, -0.5538046219043068]);
    let x = Vector3::new(
        -0.00027072188366267913,
        0.03213450953566032,
        -0.010988961640059235,
    );
    let answer = at_origin(&shape.build(), &x, &EXACT);
    let truth = Nearest::new(shape).signed_distance(&x);
    exact(Some(truth), &Body::new(shape), &x, &answer).unwrap();
}

/// Inside pointed bodies and ellipsoids, each coordinate ordinary, tiny or 0: the nearest point may be on the plane of
/// symmetry or beside it. Nearly all are proven.
fn near_planes_of_symmetry(count: usize) {
    let (refusals, certified) = (Refusals::new(), Mutex::new([0; 2]));
    in_parallel(count, |k| {
        let mut rng = rng(17, k);
        let a = [0; 3].map(|_| spread(&mut rng, 0.3, 3.0));
        let e = [0; 2].map(|_| f64::max(rng.random_range(0.5..1.95), 1.0));
        let shape = Shape::new(a, e, [0.0; 2]);
        let (solid, body, nearest) = (shape.build(), Body::new(shape), Nearest::new(shape));
        let points: Vec<Vector3<f64>> = (0..8)
            .map(|_| {
                any_point(&mut rng, &shape, true, false).map(|x| match rng.random_range(0..4) {
                    0 => 0.0,
                    1 => x * spread(&mut rng, 1e-18, 1.0),
                    _ => x,
                })
            })
            .collect();
        for (x, answer) in points.iter().zip(slice_at_origin(&solid, &points, &EXACT)) {
            let truth = Some(nearest.signed_distance(x));
            let single = at_origin(&solid, x, &EXACT);
            for answer in [answer, single] {
                refusals.take(exact(truth, &body, x, &answer));
                let proven = usize::from(answer.outcome == Outcome::Certified);
                let mut certified = certified.lock().expect("no check panics here");
                *certified = [certified[0] + proven, certified[1] + 1];
            }
        }
    });
    refusals.none("near planes of symmetry");
    let [proven, all] = certified.into_inner().expect("the checks are done");
    assert!(200 * proven >= 199 * all, "{proven} of {all} are proven");
}

draws!(near_planes_of_symmetry: vertices_near_planes_of_symmetry_of_pointed_bodies_are_answered 100, vertices_near_planes_of_symmetry_of_pointed_bodies_are_answered_long 300);

/// In a needle the directions that matter are a belt a thousandth as wide as long: 512 of them were not enough, and
/// the nearest surface point was missed by a thousandth of the depth.
#[test]
fn the_nearest_point_of_a_needle_is_not_missed() {
    let shape = Shape::new(
        [
            0.001_543_277_092_320_875_8,
            0.002_254_738_580_047_975_4,
            0.909_716_086_465_444,
        ],
        [0.8, 1.2],
        [0.0; 2],
    );
    let x = Vector3::new(
        -0.000_139_080_832_772_091_1,
        0.000_893_975_650_781_000_1,
        0.357_854_540_410_881_16,
    );
    let answer = at_origin(&shape.build(), &x, &EXACT);
    assert_eq!(answer.outcome, Outcome::Certified);
    let truth = Nearest::new(shape).signed_distance(&x);
    exact(Some(truth), &Body::new(shape), &x, &answer).unwrap();
    let right = -0.001_054_306_438_132_23;
    assert!((answer.distance - right).abs() < 1e-12, "{answer:?}");
}

/// Inside convex bodies of all kinds, box-like, cylinder-like, thin and tapered ones among them: proven by the default
/// options.
fn depths_in_convex_bodies(count: usize) {
    let (refusals, certified) = (Refusals::new(), Mutex::new([0; 2]));
    in_parallel(count, |k| {
        let mut rng = rng(18, k);
        let mut a = [0; 3].map(|_| spread(&mut rng, 0.3, 3.0));
        // A plate, or a needle.
        for axis in 0..(k % 6).saturating_sub(3) {
            a[(k + axis) % 3] *= spread(&mut rng, 1e-4, 0.1);
        }
        let shape = match k % 6 {
            0 => Shape::new(a, [0; 2].map(|_| rng.random_range(0.05..0.3)), [0.0; 2]),
            1 => Shape::new(a, [1.0, rng.random_range(0.05..0.3)], [0.0; 2]),
            2 => any_shape(&mut rng),
            _ => Shape::new(a, [0; 2].map(|_| rng.random_range(0.3..1.0)), [0.2, 0.2]),
        };
        let (solid, body, nearest) = (shape.build(), Body::new(shape), Nearest::new(shape));
        if !solid.is_convex() {
            return;
        }
        for shallow in [true, false, false] {
            let x = any_point(&mut rng, &shape, true, shallow);
            let answer = at_origin(&solid, &x, &EXACT);
            refusals.take(exact(Some(nearest.signed_distance(&x)), &body, &x, &answer));
            let proven = usize::from(answer.outcome == Outcome::Certified);
            let mut certified = certified.lock().expect("no check panics here");
            *certified = [certified[0] + proven, certified[1] + 1];
        }
    });
    refusals.none("inside convex bodies");
    let [proven, all] = certified.into_inner().expect("the checks are done");
    assert!(
        2 * all > 5 * count && 200 * proven >= 197 * all,
        "{proven} of {all} are proven"
    );
}

draws!(depths_in_convex_bodies: nearly_all_depths_in_convex_bodies_are_proven 200, nearly_all_depths_in_convex_bodies_are_proven_long 600);

// ---- properties ---------------------------------------------------------------------------

/// Cases of all kinds for the properties.
fn any_case(seed: u64, k: usize) -> (Shape, Vector3<f64>) {
    let mut rng = rng(seed, k);
    let shape = any_shape(&mut rng);
    let x = any_point(&mut rng, &shape, k.is_multiple_of(2), k % 4 < 2);
    (shape, x)
}

#[test]
fn rigid_motions_and_scales_change_nothing_else() {
    for k in 0..500 {
        let (shape, x) = any_case(4, k);
        let here = at_origin(&shape.build(), &x, &EXACT);
        let pose = any_pose(&mut rng(5, k), 3.0);
        for scale in [1e-6, 1.0, 1e6] {
            let solid = shape.scaled(scale).build();
            let pose =
                Isometry3::from_parts((pose.translation.vector * scale).into(), pose.rotation);
            let point = pose * Point3::from(x * scale);
            let there = vertex_contact(&solid, &pose, &point, &EXACT).unwrap();
            // The moved point itself is rounded at its distance from the origin.
            let tolerance = 2e-10 * shape.size() + 1e-14 * (3.0 + x.norm());
            let change = (there.distance / scale - here.distance).abs();
            assert!(
                change <= tolerance,
                "{scale}: {shape:?} {x:?} {here:?} {there:?}"
            );
            let closure = (there.point_b - point).norm() / scale;
            assert!(closure <= 1e-11 * shape.size() + tolerance, "{there:?}");
        }
    }
}

#[test]
fn approximate_methods_are_sound_and_never_nearer_than_the_exact_one() {
    for k in 0..500 {
        let (shape, x) = any_case(6, k);
        let (solid, body) = (shape.build(), Body::new(shape));
        let exact = at_origin(&solid, &x, &EXACT);
        for method in &METHODS[1..] {
            let answer = at_origin_by(*method, &solid, &x, &EXACT);
            sound(&body, &x, &answer).unwrap();
            let slack = 1e-9 * shape.size() + 1e-13 * x.norm();
            assert!(
                answer.distance.abs() >= exact.distance.abs() - slack,
                "{answer:?} {exact:?}"
            );
            assert!(
                answer.lower <= exact.distance + slack && exact.distance <= answer.upper + slack
            );
        }
        let radial = at_origin_by(radial_vertex_contact, &solid, &x, &EXACT);
        let on_ray = radial.point_a.coords.cross(&x).norm() / x.norm();
        assert!(on_ray <= 1e-9 * shape.size(), "{shape:?} {x:?} {radial:?}");
    }
}

#[test]
fn certified_depths_are_closed() {
    let (mut count, mut certified) = (0, 0);
    for k in 0..200 {
        let (shape, x) = any_case(7, 2 * k);
        let solid = shape.build();
        if !solid.is_convex() || !Body::new(shape).contains(&x) {
            continue;
        }
        let tolerance = 1e-6 * shape.size();
        let options = EXACT
            .with_depth(DepthMode::Certified)
            .with_tolerance(tolerance);
        let answer = at_origin(&solid, &x, &options);
        let fast = at_origin(&solid, &x, &EXACT);
        assert!(answer.outcome != Outcome::NotConverged, "{answer:?}");
        let change = (answer.distance - fast.distance).abs();
        assert!(change <= tolerance, "{answer:?} {fast:?}");
        count += 1;
        certified += usize::from(answer.outcome == Outcome::Certified);
    }
    // Directions that nearly tie can use up the search.
    assert!(
        count > 50 && 20 * certified >= 19 * count,
        "{certified} of {count}"
    );
}

// ---- slices -------------------------------------------------------------------------------

/// Shapes of all kinds: as drawn elsewhere, convex, box-like, pointed, thin.
fn shape_of_kind(rng: &mut ChaCha8Rng, kind: usize) -> Shape {
    let a = [0; 3].map(|_| spread(rng, 0.5, 2.0));
    match kind {
        0 => any_shape(rng),
        1 => convex_shape(rng, a, [0.9, 0.7]),
        2 => convex_shape(rng, a, [0.02, 0.05]),
        3 => convex_shape(rng, a, [1.98, 1.9]),
        4 => convex_shape(rng, a, [1.3, 1.6]),
        5 => Shape::new(a, [0.4, 1.7], [0.0; 2]),
        6 => Shape::new(a, [1.0; 2], [0.0; 2]),
        7 => Shape::new([2e-3 * a[0], 3e-3 * a[1], a[2]], [0.8, 1.2], [0.0; 2]),
        _ => Shape::new(a, [1.0, 1.8], [0.5, -0.5]),
    }
}
const KINDS: usize = 9;

/// Points in and about a body, 1e6 times its size away too: not a whole number of any lanes.
fn points_about(rng: &mut ChaCha8Rng, shape: &Shape) -> Vec<Vector3<f64>> {
    (0..21)
        .map(|k| match k {
            20 => any_direction(rng) * 1e6 * shape.size(),
            k => any_point(rng, shape, k % 2 == 0, k % 4 < 2),
        })
        .collect()
}

/// Answers of slices compared with the oracle, at scales from 1e-6 to 1e6; the least depths of some points
/// inside, where the oracle takes long.
fn slices_of_all_kinds(seed: u64, count: usize) {
    let refusals = Refusals::new();
    in_parallel(count, |k| {
        let mut rng = rng(seed, k);
        let shape = shape_of_kind(&mut rng, k % KINDS);
        let (body, nearest) = (Body::new(shape), Nearest::new(shape));
        let scale = [1e-6, 1.0, 1e6][k / KINDS % 3];
        let solid = shape.scaled(scale).build();
        let x = points_about(&mut rng, &shape);
        let scaled: Vec<Vector3<f64>> = x.iter().map(|x| x * scale).collect();
        let answers = slice_at_origin(&solid, &scaled, &EXACT);
        for (place, answer) in answers.iter().enumerate() {
            let x = &x[place];
            let mut answer = *answer;
            for length in [&mut answer.distance, &mut answer.lower, &mut answer.upper] {
                *length /= scale;
            }
            answer.point_a /= scale;
            answer.point_b /= scale;
            let by_plane = solid.is_convex() && !body.contains(x);
            let judged = by_plane || place % 7 == 0;
            refusals.take(if judged && answer.outcome != Outcome::NotConverged {
                let truth = (!by_plane).then(|| nearest.signed_distance(x));
                exact(truth, &body, x, &answer)
            } else {
                sound(&body, x, &answer)
            });
        }
    });
    refusals.none("slices");
}

#[test]
fn slices_are_right_for_all_kinds_of_shapes() {
    slices_of_all_kinds(30, 100);
}

#[test]
#[ignore = "long"]
fn many_slices_are_right_for_all_kinds_of_shapes() {
    slices_of_all_kinds(31, 10_000);
}

/// What a slice says of a point is what the point's own query says: within the tolerance, and proven
/// wherever that is.
fn slices_and_single_queries(count: usize) {
    in_parallel(count, |k| {
        let mut rng = rng(32, k);
        let shape = shape_of_kind(&mut rng, k % KINDS);
        let (solid, pose) = (shape.build(), any_pose(&mut rng, 2.0));
        let points: Vec<Point3<f64>> = points_about(&mut rng, &shape)
            .into_iter()
            .map(|x| pose * Point3::from(x))
            .collect();
        for (point, answer) in points.iter().zip(slice_of(&solid, &pose, &points, &EXACT)) {
            let single = vertex_contact(&solid, &pose, point, &EXACT).unwrap();
            let tolerance = 1e-10 * shape.size() + 1e-14 * (2.0 + point.coords.norm());
            let change = (answer.distance - single.distance).abs();
            let says = || format!("{shape:?} {pose:?} {point:?}: {answer:?}, alone {single:?}");
            assert!(change <= tolerance, "{}", says());
            assert_eq!(answer.outcome, single.outcome, "{}", says());
            let apart = answer.lower > single.upper || single.lower > answer.upper;
            assert!(!apart, "brackets of {}", says());
        }
    });
}

draws!(slices_and_single_queries: slices_agree_with_single_queries 300, slices_agree_with_single_queries_long 900);

/// Every answer has the same bits whatever points are beside it, and in which order.
#[test]
fn slices_do_not_depend_on_neighbours() {
    for k in 0..4 * KINDS {
        let mut rng = rng(33, k);
        let shape = shape_of_kind(&mut rng, k % KINDS);
        let (solid, pose) = (shape.build(), any_pose(&mut rng, 2.0));
        let mut points: Vec<Point3<f64>> = (0..4)
            .flat_map(|_| points_about(&mut rng, &shape))
            .map(|x| pose * Point3::from(x))
            .collect();
        let answers = slice_of(&solid, &pose, &points, &EXACT);
        for first in [1, 2, 3, 11, 70] {
            let later = slice_of(&solid, &pose, &points[first..], &EXACT);
            assert_eq!(later, answers[first..], "{shape:?} from {first}");
        }
        for (point, answer) in points.iter().zip(&answers) {
            let alone = slice_of(&solid, &pose, std::slice::from_ref(point), &EXACT);
            assert_eq!(alone[0], *answer, "{shape:?} {point:?}");
        }
        points.reverse();
        let mut reversed = slice_of(&solid, &pose, &points, &EXACT);
        reversed.reverse();
        assert_eq!(reversed, answers, "{shape:?}");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn slices_do_not_depend_on_the_number_of_threads() {
    let mut rng = rng(34, 0);
    let shape = shape_of_kind(&mut rng, 4);
    let solid = shape.build();
    let x: Vec<Vector3<f64>> = (0..100)
        .flat_map(|_| points_about(&mut rng, &shape))
        .collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads can be started");
        pool.install(|| slice_at_origin(&solid, &x, &EXACT))
    };
    let one = on(1);
    for threads in [2, 3, 8] {
        assert_eq!(on(threads), one, "{threads} threads");
    }
}

/// Nearer or farther than asked about: what is beyond says so, with a true bound.
fn slices_beyond_the_distance(count: usize) {
    for k in 0..count * KINDS {
        let mut rng = rng(35, k);
        let shape = shape_of_kind(&mut rng, k % KINDS);
        let solid = shape.build();
        let x = points_about(&mut rng, &shape);
        for max_distance in [-0.1, 0.0, 0.02, 1.0] {
            let options = EXACT.with_max_distance(max_distance);
            for (x, answer) in x.iter().zip(slice_at_origin(&solid, &x, &options)) {
                let exact = at_origin(&solid, x, &EXACT);
                let slack = 1e-9 * shape.size() + 1e-14 * x.norm();
                if answer.outcome == Outcome::Beyond {
                    assert!(answer.lower > max_distance, "{answer:?}");
                    let below = answer.lower <= exact.distance + slack;
                    assert!(below, "{shape:?} {x:?} {answer:?} {exact:?}");
                    let end = answer.point_a + answer.normal.as_ref() * answer.distance;
                    assert!((end - answer.point_b).norm() <= slack, "{answer:?}");
                } else {
                    // Of bodies that are not convex some brackets stay open.
                    let near = exact.distance <= max_distance.max(0.0) + slack;
                    let proven = exact.outcome == Outcome::Certified;
                    assert!(near || !proven, "{shape:?} {x:?} {answer:?} {exact:?}");
                    let change = (answer.distance - exact.distance).abs();
                    assert!(change <= slack, "{shape:?} {x:?} {answer:?} {exact:?}");
                }
            }
        }
    }
}

draws!(slices_beyond_the_distance: slices_are_beyond_the_distance_like_single_queries 7, slices_are_beyond_the_distance_like_single_queries_long 20);

/// A cloth above a body: what is beyond the distance asked for is, and everything else is answered.
#[test]
fn far_groups_are_beyond_the_distance() {
    let shape = Shape::new([0.3, 0.2, 0.4], [0.4, 1.3], [0.0, 0.0]);
    let solid = shape.build();
    let pose = any_pose(&mut rng(10, 0), 0.5);
    let point = |k: usize| {
        let (row, column) = (k / 64, k % 64);
        Point3::new(0.1 * row as f64 - 3.0, 0.1 * column as f64 - 3.0, 0.4)
    };
    let points: Vec<Point3<f64>> = (0..64 * 64).map(point).collect();
    let options = EXACT.with_max_distance(0.5);
    let mut answers = vec![Contact::default(); points.len()];
    vertex_contact_batch(&solid, &pose, &points, &mut answers, &options).unwrap();
    let mut beyond = 0;
    for (point, answer) in points.iter().zip(&answers) {
        let exact = vertex_contact(&solid, &pose, point, &EXACT).unwrap();
        if answer.outcome == Outcome::Beyond {
            beyond += 1;
            assert!(
                answer.lower > 0.5 && answer.lower <= exact.distance + 1e-12,
                "{answer:?}"
            );
            let end = answer.point_a + answer.normal.as_ref() * answer.distance;
            assert!((end - point).norm() < 1e-12 && answer.distance == answer.lower);
        } else {
            assert!(exact.distance <= 0.5, "{exact:?}");
            assert!((answer.distance - exact.distance).abs() < 1e-10);
            assert_eq!(answer.outcome, exact.outcome);
        }
    }
    assert!(beyond > 3000, "{beyond}");
}

/// Boxes that touch once counted as proof of a depth less than the one asked about.
#[test]
fn batches_prove_nothing_of_vertices_inside() {
    let ball = Superovoid::sphere(1.0).unwrap();
    let points = [Point3::new(0.5, 0.0, 0.0); 3];
    let mut answers = [Contact::default(); 3];
    let options = EXACT.with_max_distance(-0.75);
    let here = Isometry3::identity();
    vertex_contact_batch(&ball, &here, &points, &mut answers, &options).unwrap();
    for answer in answers {
        assert!(answer.lower <= -0.5, "{answer:?}");
    }
}

/// Near the rim of a thin body, the nearest of both sides: from the point's own height and from
/// above and below it, Newton's method found the upper one alone, 1.36e-3 away.
#[test]
fn the_least_depth_beside_the_rim_of_a_thin_tapered_body_is_found() {
    let shape = Superovoid::new(
        [0.05803027692654585, 0.1384944066963494, 0.01399378330915435],
        [0.9923769988900687, 0.4869792773334393],
        [-0.8452536423999227, -0.8452536423999227],
    )
    .unwrap();
    let point = Vector3::new(
        -0.053593684508350746,
        0.15948653328914134,
        -0.010285832030038727,
    );
    let answer = at_origin(&shape, &point, &EXACT);
    assert!(
        (answer.distance + 0.001_063_255_569_05).abs() < 1e-12,
        "{answer:?}"
    );
}

/// Nothing is proven with exponents this close to 0 or 2, not even that a point is far.
#[test]
fn beyond_is_revoked_with_its_proof() {
    let body = Superovoid::new([1.0, 1.0, 0.1], [1e-9, 1e-7], [0.0, 0.0]).unwrap();
    for x in [1.2, 1.5, 3.0] {
        let options = EXACT.with_max_distance(0.1);
        let answer = at_origin(&body, &Vector3::new(x, 0.0, 0.0), &options);
        let beyond = answer.outcome == Outcome::Beyond;
        assert_eq!(beyond, answer.lower > 0.1, "{answer:?}");
    }
}

/// A normal of a body 1e308 times longer than wide overflows; the query used to go on for hours.
#[test]
fn sizes_too_different_for_a_normal_are_an_error() {
    let needle = Superovoid::new([1.0, 1.0, 1e308], [0.02, 0.3], [0.0, 0.999999999]).unwrap();
    let point = Point3::new(-1000.0, -1e-9, -1e-20);
    for method in METHODS {
        let refused = method(&needle, &Isometry3::identity(), &point, &EXACT);
        assert_eq!(refused, Err(QueryError::Overflow));
    }
}

// ---- errors -------------------------------------------------------------------------------

#[test]
fn invalid_input_is_an_error_that_names_it() {
    let ball = Superovoid::sphere(1.0).unwrap();
    let here = Isometry3::identity();
    let far = Point3::new(3.0, 0.0, 0.0);
    let error = |pose: &Isometry3<f64>, point: &Point3<f64>, options: &VertexOptions| {
        vertex_contact(&ball, pose, point, options).unwrap_err()
    };
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let point = Point3::new(0.0, bad, 0.0);
        assert_eq!(
            error(&here, &point, &EXACT),
            QueryError::NonFinitePoint { index: 0 }
        );
        let pose = Isometry3::translation(0.0, 0.0, bad);
        assert_eq!(
            error(&pose, &far, &EXACT),
            QueryError::NonFinitePose { body: 'A' }
        );
        let points = [far, far, point, far, point];
        let mut answers = [Contact::default(); 5];
        let refused = vertex_contact_batch(&ball, &here, &points, &mut answers, &EXACT);
        assert_eq!(refused, Err(QueryError::NonFinitePoint { index: 2 }));
        let (mut points, mut answers) = ([far; 200], [Contact::default(); 200]);
        (points[77], points[150]) = (point, point);
        let refused = vertex_contact_batch(&ball, &here, &points, &mut answers, &EXACT);
        assert_eq!(refused, Err(QueryError::NonFinitePoint { index: 77 }));
    }
    for tolerance in [-1.0, f64::NAN, f64::INFINITY] {
        let message = error(&here, &far, &EXACT.with_tolerance(tolerance)).to_string();
        assert!(message.starts_with("option tolerance = "), "{message}");
    }
    let nan = EXACT.with_max_distance(f64::NAN);
    assert!(
        error(&here, &far, &nan)
            .to_string()
            .starts_with("option max_distance = NaN")
    );
    let refused = vertex_contact_batch(&ball, &here, &[far], &mut [], &EXACT).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "0 places for 1 answers: there must be one for each pair or point"
    );
}

#[test]
fn numbers_at_the_ends_of_their_range_do_not_panic() {
    let tiny = f64::from_bits(1);
    let sizes = [tiny, 1e-300, 1e-150, 1.0, 1e150, 1e300, f64::MAX];
    let coordinates = [0.0, tiny, 1e-300, 1.0, 1e150, 1e300, f64::MAX];
    for size in sizes {
        for e in [1e-9, 0.3, 1.0, 1.7, 2.0 - 1e-9] {
            for t in [0.0, 0.4] {
                let body = Superovoid::new([size; 3], [e, e], [t, t]).unwrap();
                for x in coordinates {
                    let (here, point) = (Isometry3::identity(), Point3::new(x, -0.3 * x, 0.5 * x));
                    let mut in_slice = [Contact::default()];
                    let slice = vertex_contact_batch(&body, &here, &[point], &mut in_slice, &EXACT)
                        .map(|()| in_slice[0]);
                    let [exact, iterative, curved, radial] =
                        METHODS.map(|method| method(&body, &here, &point, &EXACT));
                    for answer in [exact, iterative, curved, radial, slice] {
                        match answer {
                            Ok(answer) => {
                                assert!(answer.distance.is_finite());
                                assert!(
                                    answer.lower <= answer.upper,
                                    "{size} {e} {t} {x} {answer:?}"
                                );
                            }
                            Err(error) => assert_eq!(error, QueryError::Overflow),
                        }
                    }
                }
            }
        }
    }
}
