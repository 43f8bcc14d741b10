//! The convex query against support functions and membership tests of its own, which share no code with `src/`.
//!
//! A bracket of an answer is proven right or wrong here: apart, both witnesses belong to their bodies, so that their
//! distance bounds the true one from above, and the gap along the normal bounds it from below. Overlapping, the gap along
//! the normal is the depth there, and no other direction of a dense search has a lesser depth than the bracket allows.

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, Unit, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::convex::{ConvexShape, ConvexShapeError, convex_contact};
use superovoid::{Contact, DepthMode, Outcome, QueryOptions, Superovoid, contact};

/// A body of the oracle.
#[derive(Clone, Debug)]
pub enum Body {
    Ball(f64),
    Cuboid([f64; 3]),
    /// Radius and half the length, here and below.
    Cylinder(f64, f64),
    Capsule(f64, f64),
    Cone(f64, f64),
    /// The corners, and the planes n·x ≤ h of the faces.
    Hull(Vec<Vector3<f64>>, Vec<(Vector3<f64>, f64)>),
    /// A superellipsoid with both exponents e.
    Ovoid([f64; 3], f64),
}

pub const KINDS: usize = 7;

impl Body {
    pub fn random(kind: usize, rng: &mut ChaCha8Rng) -> Self {
        // Sizes from a tenth to one.
        let mut length = || 10f64.powf(rng.random_range(-1.0..0.0));
        match kind {
            0 => Body::Ball(length()),
            1 => Body::Cuboid([length(), length(), length()]),
            2 => Body::Cylinder(length(), length()),
            3 => Body::Capsule(length(), length()),
            4 => Body::Cone(length(), length()),
            5 => {
                let scale = [length(), length(), length()];
                let count = rng.random_range(4..12);
                let corner = |_| Vector3::from_fn(|i, _| scale[i] * rng.random_range(-1.0..1.0));
                Body::hull((0..count).map(corner).collect())
            }
            _ => {
                let axes = [length(), length(), length()];
                Body::Ovoid(axes, rng.random_range(0.3..1.7))
            }
        }
    }

    fn hull(corners: Vec<Vector3<f64>>) -> Self {
        let mut planes = Vec::new();
        let n = corners.len();
        for (i, j, k) in
            (0..n).flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))))
        {
            let cross = (corners[j] - corners[i]).cross(&(corners[k] - corners[i]));
            let Some(normal) = cross.try_normalize(1e-12) else {
                continue;
            };
            for normal in [normal, -normal] {
                let h = normal.dot(&corners[i]);
                if corners.iter().all(|c| normal.dot(c) <= h + 1e-12) {
                    planes.push((normal, h));
                }
            }
        }
        Body::Hull(corners, planes)
    }

    fn scaled(&self, k: f64) -> Self {
        match self {
            Body::Ball(r) => Body::Ball(r * k),
            Body::Cuboid(half) => Body::Cuboid(half.map(|x| x * k)),
            Body::Cylinder(r, h) => Body::Cylinder(r * k, h * k),
            Body::Capsule(r, h) => Body::Capsule(r * k, h * k),
            Body::Cone(r, h) => Body::Cone(r * k, h * k),
            Body::Hull(corners, _) => {
                Body::Hull(corners.iter().map(|c| c * k).collect(), Vec::new())
            }
            Body::Ovoid(a, e) => Body::Ovoid(a.map(|x| x * k), *e),
        }
    }

    pub fn made(&self) -> ConvexShape {
        match self {
            Body::Ball(r) => ConvexShape::ball(*r),
            Body::Cuboid(half) => ConvexShape::cuboid(*half),
            Body::Cylinder(r, h) => ConvexShape::cylinder(*r, 2.0 * h),
            Body::Capsule(r, h) => ConvexShape::capsule(*r, 2.0 * h),
            Body::Cone(r, h) => ConvexShape::cone(*r, 2.0 * h),
            Body::Hull(corners, _) => {
                let points: Vec<Point3<f64>> = corners.iter().map(|c| (*c).into()).collect();
                ConvexShape::hull(&points)
            }
            Body::Ovoid(a, e) => Ok(Superovoid::superellipsoid(*a, [*e; 2]).unwrap().into()),
        }
        .unwrap()
    }

    /// The value of the support function at a unit vector.
    fn support(&self, n: &Vector3<f64>) -> f64 {
        let across = (n.x * n.x + n.y * n.y).sqrt();
        match self {
            Body::Ball(r) => *r,
            Body::Cuboid(half) => (0..3).map(|i| half[i] * n[i].abs()).sum(),
            Body::Cylinder(r, h) => r * across + h * n.z.abs(),
            Body::Capsule(r, h) => r + h * n.z.abs(),
            Body::Cone(r, h) => (h * n.z).max(r * across - h * n.z),
            Body::Hull(corners, _) => corners.iter().map(|c| c.dot(n)).fold(f64::MIN, f64::max),
            Body::Ovoid(a, e) => {
                let q = 2.0 / (2.0 - e);
                let sum: f64 = (0..3).map(|i| (a[i] * n[i].abs()).powf(q)).sum();
                sum.powf(1.0 / q)
            }
        }
    }

    /// An upper bound of how far a point lies outside, 0 inside; of an ovoid a rough one.
    pub fn outside(&self, x: &Vector3<f64>) -> f64 {
        let across = (x.x * x.x + x.y * x.y).sqrt();
        let beyond = match self {
            Body::Ball(r) => x.norm() - r,
            Body::Cuboid(half) => (0..3)
                .map(|i| x[i].abs() - half[i])
                .fold(f64::MIN, f64::max),
            Body::Cylinder(r, h) => (across - r).max(x.z.abs() - h),
            Body::Capsule(r, h) => (x - Vector3::z() * x.z.clamp(-h, *h)).norm() - r,
            Body::Cone(r, h) => {
                let side = (across * 2.0 * h + (x.z - h) * r) / (4.0 * h * h + r * r).sqrt();
                side.max(-h - x.z)
            }
            Body::Hull(_, planes) => planes
                .iter()
                .map(|(n, h)| n.dot(x) - h)
                .fold(f64::MIN, f64::max),
            Body::Ovoid(a, e) => {
                let p = 2.0 / e;
                let sum: f64 = (0..3).map(|i| (x[i].abs() / a[i]).powf(p)).sum();
                (sum.powf(1.0 / p) - 1.0) * x.norm()
            }
        };
        beyond.max(0.0)
    }

    pub fn size(&self) -> f64 {
        [Vector3::x(), Vector3::y(), Vector3::z()]
            .iter()
            .flat_map(|n| [self.support(n), self.support(&-n)])
            .fold(0.0, f64::max)
    }
}

pub struct Placed<'a>(pub &'a Body, pub Isometry3<f64>);

impl Placed<'_> {
    pub fn support(&self, n: &Vector3<f64>) -> f64 {
        self.0.support(&(self.1.rotation.inverse() * n)) + n.dot(&self.1.translation.vector)
    }

    pub fn outside(&self, x: &Point3<f64>) -> f64 {
        self.0.outside(&(self.1.inverse() * x).coords)
    }
}

/// The signed distance is at least this, for every unit n.
fn gap(a: &Placed, b: &Placed, n: &Vector3<f64>) -> f64 {
    -a.support(n) - b.support(&-n)
}

/// The greatest gap over many directions, each of the best refined by a pattern search.
fn greatest_gap(a: &Placed, b: &Placed, rng: &mut ChaCha8Rng) -> f64 {
    const DIRECTIONS: usize = 300;
    let mut starts: Vec<(f64, Vector3<f64>)> = (0..DIRECTIONS)
        .map(|_| {
            let n = direction(rng);
            (gap(a, b, &n), n)
        })
        .collect();
    starts.sort_by(|x, y| y.0.total_cmp(&x.0));
    let refined = starts.iter().take(6).map(|&(mut best, mut n)| {
        let mut step = 0.2;
        while step > 1e-7 {
            let mut better = false;
            for _ in 0..8 {
                let other = (n + direction(rng) * step).normalize();
                let found = gap(a, b, &other);
                if found > best {
                    (best, n, better) = (found, other, true);
                }
            }
            if !better {
                step *= 0.5;
            }
        }
        best
    });
    refined.fold(f64::MIN, f64::max)
}

fn direction(rng: &mut ChaCha8Rng) -> Vector3<f64> {
    loop {
        let v = Vector3::from_fn(|_, _| rng.random_range(-1.0..1.0f64));
        if (0.01..1.0).contains(&v.norm()) {
            return v.normalize();
        }
    }
}

fn rotation(rng: &mut ChaCha8Rng) -> UnitQuaternion<f64> {
    let axis = Unit::new_unchecked(direction(rng));
    UnitQuaternion::from_axis_angle(&axis, rng.random_range(0.0..std::f64::consts::PI))
}

fn pose(center: Vector3<f64>, rng: &mut ChaCha8Rng) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(center), rotation(rng))
}

/// What is wrong with an answer; nothing for most.
fn wrong(a: &Placed, b: &Placed, found: &Contact) -> Option<String> {
    let size = a.0.size().max(b.0.size());
    let eps = 1e-8 * size;
    let n = found.normal.into_inner();
    let along = gap(a, b, &n);
    let closure = found.point_b - found.point_a - n * found.distance;
    let checks = [
        (found.lower <= found.upper, "the bracket is turned around"),
        (
            found.outcome != Outcome::NotConverged,
            "it is not converged",
        ),
        (closure.norm() <= eps, "the points do not close"),
        (a.outside(&found.point_a) <= eps, "point a is not of A"),
        (b.outside(&found.point_b) <= eps, "point b is not of B"),
        (
            a.support(&n) - n.dot(&found.point_a.coords) <= eps,
            "point a is not on the surface of A",
        ),
        (
            b.support(&-n) + n.dot(&found.point_b.coords) <= eps,
            "point b is not on the surface of B",
        ),
        (
            (along - found.distance).abs() <= eps,
            "the gap along the normal is another",
        ),
        (
            found.lower <= found.distance + eps,
            "the distance is below its bracket",
        ),
        (along <= found.upper + eps, "the upper bound is too low"),
    ];
    let failed = checks.iter().find(|(right, _)| !right);
    failed.map(|(_, what)| format!("{what}: gap {along:e}, {found:?}"))
}

fn options(depth: DepthMode) -> QueryOptions {
    QueryOptions::default().with_depth(depth)
}

/// Pairs of two kinds, from deep overlaps to far apart, and touching to rounding.
fn battery(kinds: [usize; 2], count: usize, rng: &mut ChaCha8Rng) -> (usize, Vec<String>) {
    let mut failures = Vec::new();
    let mut missed = 0;
    for k in 0..count {
        let [body_a, body_b] = kinds.map(|kind| Body::random(kind, rng));
        let size = body_a.size() + body_b.size();
        let apart = size * rng.random_range(0.0..2.0);
        let mut at_b = pose(direction(rng) * apart, rng);
        let a = Placed(&body_a, pose(Vector3::zeros(), rng));
        let (shape_a, shape_b) = (body_a.made(), body_b.made());
        if k % 8 == 0 {
            // Moved until they touch, to the tolerance.
            let found = convex_contact(&shape_a, &a.1, &shape_b, &at_b, &QueryOptions::default());
            let found = found.unwrap();
            if found.distance > 0.0 {
                at_b.translation.vector -= found.normal.into_inner() * found.distance;
            }
        }
        let b = Placed(&body_b, at_b);
        let depth = if k % 4 == 1 {
            DepthMode::Certified
        } else {
            DepthMode::Fast
        };
        let found = convex_contact(&shape_a, &a.1, &shape_b, &b.1, &options(depth)).unwrap();
        let touching = found.distance.abs() < 1e-8 * size;
        let mut failure =
            wrong(&a, &b, &found).filter(|_| !touching || found.outcome != Outcome::NotConverged);
        if found.lower <= 0.0 && failure.is_none() {
            let best = greatest_gap(&a, &b, rng);
            if best > found.upper + 1e-8 * size {
                failure = Some(format!("a lesser depth is {best:e}: {found:?}"));
            } else if best > found.distance + 1e-6 * size {
                missed += 1;
            }
        }
        failures.extend(
            failure.map(|what| format!("{body_a:?} {body_b:?} {:?} {:?}: {what}", a.1, b.1)),
        );
    }
    (missed, failures)
}

/// Every two kinds, the first no later than the second, on a thread for each first kind.
fn every_two_kinds(count: usize, seed: u64) {
    let with = |a: usize| {
        let second = a..KINDS;
        let report = second.filter_map(move |b| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed + (KINDS * a + b) as u64);
            let kinds = if count.is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            };
            let (missed, failures) = battery(kinds, count, &mut rng);
            // The fast depth is the least one in nearly every case.
            let bad = !failures.is_empty() || missed * 200 > count.max(200);
            let first = failures.first().cloned().unwrap_or_default();
            let wrong = failures.len();
            println!("kinds {a} {b}: {wrong} wrong, {missed} missed of {count} {first}");
            bad.then(|| {
                format!("kinds {a} {b}: {wrong} wrong, {missed} missed of {count}: {first}")
            })
        });
        report.collect::<Vec<String>>()
    };
    let report: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..KINDS).map(|a| scope.spawn(move || with(a))).collect();
        let reports = threads.into_iter().map(|thread| thread.join().unwrap());
        reports.flatten().collect()
    });
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
fn every_two_kinds_of_body_are_answered() {
    every_two_kinds(60, 1);
    every_two_kinds(61, 200);
}

#[test]
#[ignore = "long: cargo test --release --test contact -- --ignored"]
fn every_two_kinds_of_body_are_answered_long() {
    every_two_kinds(100_000, 1000);
}

/// What is wrong with the fast and the certified answer of two bodies, the first of which is at the origin, by their
/// quaternions [x, y, z, w] and the place of the second.
fn wrong_in_both_modes(
    [a, b]: [&Body; 2],
    [turned, other]: [[f64; 4]; 2],
    place: [f64; 3],
) -> Vec<String> {
    let rotation = |q: [f64; 4]| UnitQuaternion::new_unchecked(Quaternion::from_vector(q.into()));
    let at_a = Isometry3::from_parts(Translation3::identity(), rotation(turned));
    let at_b = Isometry3::from_parts(place.into(), rotation(other));
    let (a, b) = (Placed(a, at_a), Placed(b, at_b));
    [DepthMode::Fast, DepthMode::Certified]
        .into_iter()
        .filter_map(|depth| {
            let found = convex_contact(&a.0.made(), &a.1, &b.0.made(), &b.1, &options(depth));
            wrong(&a, &b, &found.expect("valid"))
        })
        .collect()
}

/// Whether two bodies overlap is what their depth says, and the translation of the answer separates them.
#[test]
fn any_overlap_is_one_where_there_is_a_depth() {
    let mut rng = ChaCha8Rng::seed_from_u64(5317);
    let mut counts = [0; 2];
    for k in 0..60 * KINDS * KINDS {
        let bodies = [k % KINDS, k / KINDS % KINDS].map(|kind| Body::random(kind, &mut rng));
        let apart = (bodies[0].size() + bodies[1].size()) * rng.random_range(0.0..1.2);
        let a = Placed(&bodies[0], pose(Vector3::zeros(), &mut rng));
        let b = Placed(&bodies[1], pose(direction(&mut rng) * apart, &mut rng));
        let ask = |depth| {
            let options = QueryOptions::default().with_depth(depth);
            convex_contact(&a.0.made(), &a.1, &b.0.made(), &b.1, &options).unwrap()
        };
        let [fast, any] = [DepthMode::Fast, DepthMode::Any].map(ask);
        assert_eq!(fast.status(), any.status(), "{fast:?} {any:?}");
        assert!(
            any.lower <= fast.upper && fast.lower <= any.upper,
            "{fast:?} {any:?}"
        );
        let free = gap(&a, &b, &any.normal);
        assert!((free - any.distance).abs() < 1e-7, "{free}: {any:?}");
        counts[usize::from(fast.upper < 0.0)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 500), "{counts:?}");
}

/// The first common point that is found ends the query.
#[test]
fn verdicts_of_superovoids_are_those_of_their_distances_also_where_they_all_but_touch() {
    let mut rng = ChaCha8Rng::seed_from_u64(61);
    let mut counts = [0; 3];
    for k in 0..3000 {
        let mut shape = |ellipsoid: bool| loop {
            let a = [0; 3].map(|_| 10.0_f64.powf(rng.random_range(-1.5..0.0)));
            let e = [0; 2].map(|_| {
                if ellipsoid {
                    1.0
                } else {
                    rng.random_range(0.05..1.9)
                }
            });
            let t = [0; 2].map(|_| {
                if k % 3 == 2 {
                    rng.random_range(-0.7..0.7)
                } else {
                    0.0
                }
            });
            match Superovoid::new(a, e, t) {
                Ok(shape) if shape.is_convex() => return shape,
                _ => {}
            }
        };
        let (a, b) = (shape(k % 2 == 0), shape(k % 3 == 0));
        let at_a = pose(direction(&mut rng), &mut rng);
        let apart = direction(&mut rng) * (a.size() + b.size()) * rng.random_range(0.0..1.2);
        let mut at_b = pose(at_a.translation.vector + apart, &mut rng);
        let ask = |at_b: &Isometry3<f64>, options: &QueryOptions| {
            contact(&a, &at_a, &b, at_b, options, None).unwrap()
        };
        if k % 4 == 0 {
            let found = ask(&at_b, &QueryOptions::default());
            let off = [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-7, -1e-7][k % 7];
            at_b.translation.vector += found.normal.into_inner() * (off - found.distance);
        }
        let options = QueryOptions::default().with_max_distance(0.0);
        let fast = ask(&at_b, &options);
        let any = ask(&at_b, &options.with_depth(DepthMode::Any));
        let case = || format!("{k} {a:?} {at_a:?} {b:?} {at_b:?} {fast:?} {any:?}");
        assert!(
            any.lower <= fast.upper && fast.lower <= any.upper,
            "{}",
            case()
        );
        let decided = fast.lower > 0.0 || fast.upper <= 0.0;
        assert!(!decided || any.status() == fast.status(), "{}", case());
        let n = any.normal.into_inner();
        let free = n.dot(&(at_b.translation.vector - at_a.translation.vector))
            - a.support(&(at_a.rotation.inverse() * n)).value
            - b.support(&(at_b.rotation.inverse() * -n)).value;
        assert!(
            any.upper > 0.0 || any.distance <= free + 1e-8,
            "{free} {}",
            case()
        );
        let kind = usize::from(any.lower <= 0.0) + usize::from(any.upper <= 0.0);
        counts[kind] += 1;
    }
    assert!(counts[0] > 500 && counts[2] > 500, "{counts:?}");
}

/// Boxes whose axes are parallel, or nearly: the cross products of their edges have few digits, or none.
#[test]
fn nearly_parallel_boxes_have_the_least_depth() {
    let mut rng = ChaCha8Rng::seed_from_u64(77);
    for k in 0..4000 {
        let [a, b] = [0; 2].map(|_| Body::random(1, &mut rng));
        let size = a.size() + b.size();
        let angle = [
            0.0, 1e-17, 1e-15, 1e-13, 1e-11, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4,
        ][k % 10];
        let axis = Unit::new_normalize(direction(&mut rng));
        let quarter = UnitQuaternion::from_axis_angle(
            &Vector3::z_axis(),
            std::f64::consts::FRAC_PI_2 * (k % 4) as f64,
        );
        let turn = UnitQuaternion::from_axis_angle(&axis, angle) * quarter;
        let at_a = pose(Vector3::zeros(), &mut rng);
        let offset = Vector3::from_fn(|_, _| rng.random_range(-0.5..0.5)) * size;
        let at_b = at_a * Isometry3::from_parts(offset.into(), turn);
        let (a, b) = (Placed(&a, at_a), Placed(&b, at_b));
        let found = convex_contact(
            &a.0.made(),
            &a.1,
            &b.0.made(),
            &b.1,
            &options(DepthMode::Fast),
        );
        let found = found.unwrap();
        let case = || format!("{k} {angle:e} {:?} {:?} {at_a:?} {at_b:?}", a.0, b.0);
        if let Some(what) = wrong(&a, &b, &found) {
            panic!("{what}: {}", case());
        }
        if found.lower <= 0.0 {
            assert_eq!(found.outcome, Outcome::Certified, "{}", case());
            let best = greatest_gap(&a, &b, &mut rng);
            assert!(
                best <= found.upper + 1e-12 * size,
                "{best:e} {found:?} {}",
                case()
            );
        }
    }
}

/// A negative maximum distance ends the query where the overlap is proven to be less deep, whichever stage proves it.
#[test]
fn overlaps_that_are_less_deep_than_asked_for_are_beyond() {
    let mut rng = ChaCha8Rng::seed_from_u64(78);
    let mut asked = 0;
    for k in 0..500 {
        let [a, b] = [k % 5 + 1, k / 5 % 5 + 1].map(|kind| Body::random(kind, &mut rng));
        let (at_a, offset) = (pose(Vector3::zeros(), &mut rng), direction(&mut rng));
        let at_b = pose(offset * (0.5 * (a.size() + b.size())), &mut rng);
        let ask = |max| {
            let options = QueryOptions::default().with_max_distance(max);
            convex_contact(&a.made(), &at_a, &b.made(), &at_b, &options).unwrap()
        };
        let depth = ask(f64::INFINITY).distance;
        if depth > -1e-3 {
            continue;
        }
        asked += 1;
        let case = format!("{k} {depth}: {a:?} {b:?} {at_a:?} {at_b:?}");
        let deeper = ask(1.5 * depth);
        assert_eq!(deeper.outcome, Outcome::Beyond, "{case}");
        assert!(
            deeper.lower > 1.5 * depth && deeper.lower <= depth + 1e-8,
            "{case}"
        );
        assert_eq!(ask(0.5 * depth).outcome, Outcome::Certified, "{case}");
    }
    assert!(asked > 100, "{asked}");
}

/// Cones in one another along a direction along which both have ties: a simplex that was flat to rounding was taken to
/// enclose the aim, and both witnesses were outside by a fortieth of the smaller cone.
#[test]
fn cones_with_ties_have_witnesses_on_their_surfaces() {
    let a = Body::Cone(0.8544421059882067, 0.3603771837769063);
    let b = Body::Cone(0.2321669452116883, 0.1002284410436833);
    let turned = [
        -0.01946066179591006,
        0.0002643322374727729,
        0.03160678292483923,
        0.9993108745751121,
    ];
    let other = [
        -0.2015200472199222,
        0.6581005107446822,
        0.034104656840049104,
        0.7246587201627337,
    ];
    let place = [
        -0.033650924952817414,
        -0.11045816645760599,
        -0.037857010297036885,
    ];
    let failures = wrong_in_both_modes([&a, &b], [turned, other], place);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Of 100,000 pairs of cones, and of cylinders, one had a witness outside its body by 1e-8: a nearest point that is far
/// nearer than the corners of its simplex was rounded as these are, so that it led nowhere.
#[test]
fn overlaps_along_ties_have_witnesses_on_both_surfaces() {
    let cases = [
        (
            Body::Cone(0.4598898803021893, 0.11347144681749123),
            Body::Cone(0.40037857144065303, 0.11241002287929157),
            [
                -0.012541114374358673,
                0.046296778896979446,
                -0.02115309437490056,
                0.998624992333148,
            ],
            [
                0.9428355715322894,
                0.08854023665342156,
                0.3165639135662447,
                0.05485435419691438,
            ],
            [
                -0.44956776125397435,
                0.2106525936931873,
                -0.06792073518572983,
            ],
        ),
        (
            Body::Cylinder(0.7620142671454466, 0.16478375561860387),
            Body::Cylinder(0.24752050620043173, 0.30247630632371714),
            [
                -0.2062612143917938,
                0.18881280900782482,
                0.16055238755262066,
                0.9465880653395913,
            ],
            [
                0.513677586336668,
                -0.3220116609954364,
                -0.7194101352472169,
                0.33895852959009093,
            ],
            [0.7934626480551725, -0.2883914708346668, -0.521665992615698],
        ),
        // The vector to the aim, 2e-8 long, was rounded too much to give a normal; that of its triangle of points does.
        (
            Body::Cylinder(0.14244734654834112, 0.1447241333240163),
            Body::Cone(0.5851715358767512, 0.8753277617476829),
            [
                -0.16005000872767164,
                0.6467356088844164,
                0.5088388538392917,
                0.5451605889375087,
            ],
            [
                0.031211113641206364,
                0.07596233870037537,
                0.2981197974106306,
                0.9509890513966445,
            ],
            [
                0.11011549969830098,
                -0.19939050482792098,
                0.36914470646520564,
            ],
        ),
    ];
    for (a, b, turned, other, place) in cases {
        let failures = wrong_in_both_modes([&a, &b], [turned, other], place);
        assert!(failures.is_empty(), "{failures:#?}");
    }
}

/// Of 100,000 pairs of hulls one, which touched, had a witness outside by 4e-8: points of a hull that was swept in several
/// directions, as flat ones are, combined to one beside it.
#[test]
fn thin_hulls_that_touch_have_witnesses_on_both_surfaces() {
    let points = |corners: [[f64; 3]; 4]| Body::hull(corners.map(Vector3::from).to_vec());
    let a = points([
        [0.4617431978898821, -0.6405250357602613, 0.03813493943078816],
        [
            -0.36554362351106096,
            0.5756882710209668,
            -0.019804523758965523,
        ],
        [
            0.25921783451339087,
            -0.49754063753152195,
            0.10771179291034107,
        ],
        [
            0.24464384381696092,
            -0.07595889574435623,
            -0.10537287786204452,
        ],
    ]);
    let b = points([
        [0.5748593029364019, 0.08754164631391405, 0.769290022634904],
        [
            0.19278648206866794,
            -0.36514118187659367,
            0.25922321275784743,
        ],
        [
            -0.030178902344736542,
            -0.006069267249024421,
            0.48542514975480916,
        ],
        [
            -0.6907764779050604,
            -0.24709421389026612,
            0.06535909749814632,
        ],
    ]);
    let turned = [
        0.13531787364161563,
        0.09406002661853452,
        0.0249156045729941,
        0.9860126759400177,
    ];
    let other = [
        -0.2939921484129318,
        -0.8214359883163458,
        0.2753011895741581,
        0.4037583296841693,
    ];
    let place = [
        0.7216738173201269,
        -0.07148244114547542,
        0.29265384534651373,
    ];
    let failures = wrong_in_both_modes([&a, &b], [turned, other], place);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// The axes of these capsules are apart, but one of them, swept as flat bodies are, overlapped the other: the witnesses
/// were those of the swept one, and beside the axis by 1e-7.
#[test]
fn capsules_that_overlap_deeply_have_witnesses_on_both_surfaces() {
    let a = Body::Capsule(0.31008536715398094, 0.7414121345103776);
    let b = Body::Capsule(0.1591676362171225, 0.14784281968605165);
    let turned = [
        0.06912265044882664,
        0.047430158539656736,
        0.0068011988621416485,
        0.9964568143928115,
    ];
    let other = [
        0.8820032479680868,
        0.3520508119631329,
        0.03495807641425855,
        0.3113011873784921,
    ];
    let place = [0.10225132617775287, -0.2232705803085858, 0.6477555108504832];
    let failures = wrong_in_both_modes([&a, &b], [turned, other], place);
    assert!(failures.is_empty(), "{failures:#?}");
}

/// A corner of one box touches a face or an edge of the other: the depth that was found first is that of another
/// direction, and nothing proved it.
#[test]
fn boxes_that_touch_are_not_taken_for_deep() {
    let cases = [
        (
            [0.47310558650466783, 0.6868227619635812, 0.11313678751833307],
            [0.6474930909249604, 0.342479372463754, 0.4347677461479016],
            [
                0.11693986891464048,
                -0.5278510983514361,
                -0.37033805200389347,
                0.755346286325266,
            ],
            [
                -0.1273305868702759,
                0.5844189494080626,
                0.7291341934154996,
                0.3325729111223229,
            ],
            [0.23939489022411897, -0.870990541538731, 0.9572846325199161],
        ),
        (
            [0.11690431176182575, 0.40978120420868985, 0.2629407016368862],
            [0.11156895081106864, 0.4593238704485422, 0.10058054078579219],
            [
                -0.7215793887627833,
                -0.31038372165487876,
                -0.28398486176819937,
                0.549852461421145,
            ],
            [
                -0.4354974888342953,
                0.7264166234495554,
                0.5233075144789509,
                0.09386198133373315,
            ],
            [
                0.41902429091941534,
                -0.34231550392024795,
                0.052089057325919896,
            ],
        ),
        (
            [0.5990402309753226, 0.4803118119377675, 0.14291595927424708],
            [0.8418063016529557, 0.12322213260138702, 0.27288365532553455],
            [
                0.057494773131162503,
                0.03653929013041895,
                0.04670595149057046,
                0.9965830549606599,
            ],
            [
                0.4202656628358479,
                -0.0055820160207984484,
                -0.05411162072094646,
                0.9057690358150037,
            ],
            [1.432356979406206, -0.09703104022603862, 0.3507901576675254],
        ),
    ];
    for (half_a, half_b, turn_a, turn_b, at) in cases {
        let [a, b] = [half_a, half_b].map(|half| ConvexShape::cuboid(half).unwrap());
        let turned = |q: [f64; 4]| UnitQuaternion::new_normalize(q.into());
        let at_a = Isometry3::from_parts(Translation3::identity(), turned(turn_a));
        let at_b = Isometry3::from_parts(Translation3::from(Vector3::from(at)), turned(turn_b));
        for depth in [DepthMode::Fast, DepthMode::Certified] {
            let found = convex_contact(&a, &at_a, &b, &at_b, &options(depth)).unwrap();
            assert!(found.distance.abs() < 1e-8, "{found:?}");
            assert!(found.upper - found.lower < 1e-8, "{found:?}");
        }
    }
}

#[test]
fn swapping_moving_and_scaling_change_nothing_else() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let certified = options(DepthMode::Certified);
    for k in 0..300 {
        let [body_a, body_b] =
            [k % KINDS, k / KINDS % KINDS].map(|kind| Body::random(kind, &mut rng));
        let size = body_a.size() + body_b.size();
        let at_a = pose(Vector3::zeros(), &mut rng);
        let offset = direction(&mut rng) * size * rng.random_range(0.3..2.0);
        let at_b = pose(offset, &mut rng);
        let (a, b) = (body_a.made(), body_b.made());
        let ask =
            |a: &ConvexShape, at_a: &Isometry3<f64>, b: &ConvexShape, at_b: &Isometry3<f64>| {
                convex_contact(a, at_a, b, at_b, &certified).unwrap()
            };
        let found = ask(&a, &at_a, &b, &at_b);
        let swapped = ask(&b, &at_b, &a, &at_a);
        // Both brackets hold the same number.
        let tolerance = 2e-9 * size;
        let meet = |x: &Contact, y: &Contact, scale: f64| {
            x.lower * scale <= y.upper + tolerance * scale
                && y.lower <= x.upper * scale + tolerance * scale
        };
        assert!(
            meet(&found, &swapped, 1.0),
            "{body_a:?} {body_b:?}: {found:?} {swapped:?}"
        );
        let motion = pose(direction(&mut rng) * 3.0, &mut rng);
        let moved = ask(&a, &(motion * at_a), &b, &(motion * at_b));
        assert!(
            meet(&found, &moved, 1.0),
            "{body_a:?} {body_b:?}: {found:?} {moved:?}"
        );
        if found.lower > 0.0 {
            assert_eq!(found.outcome, Outcome::Certified);
            assert!((found.distance - swapped.distance).abs() <= tolerance);
            assert!((found.distance - moved.distance).abs() <= tolerance);
        }
    }
}

#[test]
fn bodies_of_any_size_are_answered_alike() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for k in 0..2 * KINDS * KINDS {
        let [body_a, body_b] =
            [k % KINDS, k / KINDS % KINDS].map(|kind| Body::random(kind, &mut rng));
        let at_a = pose(Vector3::zeros(), &mut rng);
        let offset = direction(&mut rng) * (body_a.size() + body_b.size());
        let at_b = pose(offset * rng.random_range(0.3..1.5), &mut rng);
        let ask = |scale: f64| {
            let scaled = |at: &Isometry3<f64>| {
                Isometry3::from_parts((at.translation.vector * scale).into(), at.rotation)
            };
            let (a, b) = (body_a.scaled(scale).made(), body_b.scaled(scale).made());
            convex_contact(
                &a,
                &scaled(&at_a),
                &b,
                &scaled(&at_b),
                &QueryOptions::default(),
            )
            .unwrap()
        };
        let one = ask(1.0);
        for exponent in [-900, -300, -20, 20, 300, 900] {
            let scale = 2f64.powi(exponent);
            let found = ask(scale);
            let off = (found.distance / scale - one.distance).abs();
            assert!(
                off <= 1e-8,
                "{body_a:?} {body_b:?} {exponent}: {one:?} {found:?}"
            );
            assert_eq!(found.status(), one.status());
        }
    }
}

#[test]
fn closed_forms_are_met() {
    let here = Isometry3::identity();
    let at = |x, y, z| Isometry3::translation(x, y, z);
    let ball = ConvexShape::ball(0.5).unwrap();
    let cuboid = ConvexShape::cuboid([1.0, 2.0, 3.0]).unwrap();
    let can = ConvexShape::cylinder(1.0, 2.0).unwrap();
    let pill = ConvexShape::capsule(0.25, 2.0).unwrap();
    let cone = ConvexShape::cone(1.0, 2.0).unwrap();
    let cases: [(&ConvexShape, &ConvexShape, Isometry3<f64>, f64); 16] = [
        (&ball, &ball, at(2.0, 0.0, 0.0), 1.0),
        (&ball, &ball, here, -1.0),
        (&ball, &cuboid, at(2.0, 0.0, 0.0), 0.5),
        (&ball, &cuboid, here, -1.5),
        // Face to face, edge to edge, corner to corner.
        (&cuboid, &cuboid, at(0.3, -0.2, 7.0), 1.0),
        (&cuboid, &cuboid, at(5.0, 8.0, 0.1), 5.0),
        (&cuboid, &cuboid, at(4.0, 7.0, 12.0), 7.0),
        (&cuboid, &cuboid, at(1.5, 0.0, 0.0), -0.5),
        (&cuboid, &cuboid, here, -2.0),
        // Caps on each other, sides against each other.
        (&can, &can, at(0.3, 0.2, 2.5), 0.5),
        (&can, &can, at(3.0, 0.0, 0.7), 1.0),
        (&can, &can, here, -2.0),
        (&pill, &pill, at(0.0, 1.0, 0.3), 0.5),
        (&pill, &pill, here, -0.5),
        (&pill, &can, at(0.0, 0.0, 3.0), 0.75),
        (&cone, &cone, at(0.0, 0.0, 2.5), 0.5),
    ];
    for (k, (a, b, pose, distance)) in cases.iter().enumerate() {
        for depth in [DepthMode::Fast, DepthMode::Certified] {
            let found = convex_contact(a, &here, b, pose, &options(depth)).unwrap();
            let off = (found.distance - distance).abs();
            assert!(
                off < 1e-6 && (found.lower..=found.upper + 1e-12).contains(distance),
                "{k}: {found:?}"
            );
            assert!(*distance < 0.0 || off < 1e-8, "{k}: {found:?}");
            let status = if *distance > 0.0 { "Free" } else { "Collision" };
            assert_eq!(format!("{:?}", found.status()), status, "{k}: {found:?}");
        }
    }
}

#[test]
fn a_pair_beyond_the_distance_asked_about_is_told_so() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    for k in 0..KINDS * KINDS {
        let [body_a, body_b] = [k % KINDS, k / KINDS].map(|kind| Body::random(kind, &mut rng));
        let (a, b) = (body_a.made(), body_b.made());
        let at_a = pose(Vector3::zeros(), &mut rng);
        let at_b = pose(
            direction(&mut rng) * 2.0 * (body_a.size() + body_b.size()),
            &mut rng,
        );
        let whole = convex_contact(&a, &at_a, &b, &at_b, &QueryOptions::default()).unwrap();
        for share in [0.0, 0.5, 0.99, 1.01] {
            let asked = QueryOptions::default().with_max_distance(share * whole.distance);
            let found = convex_contact(&a, &at_a, &b, &at_b, &asked).unwrap();
            assert!(
                found.lower <= whole.upper && found.upper >= whole.lower,
                "{found:?}"
            );
            if share < 1.0 {
                assert!(found.lower > asked.max_distance, "{found:?} {whole:?}");
            } else {
                assert_eq!(found.outcome, Outcome::Certified);
            }
        }
    }
}

#[test]
fn what_is_no_body_is_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let refused = [
            ConvexShape::ball(bad),
            ConvexShape::cuboid([1.0, bad, 1.0]),
            ConvexShape::cylinder(bad, 1.0),
            ConvexShape::capsule(bad, 1.0),
            ConvexShape::cone(bad, 1.0),
        ];
        for made in refused {
            let error = made.unwrap_err();
            assert!(matches!(error, ConvexShapeError::Length { .. }), "{error}");
        }
        // A capsule of length 0 is a ball.
        let capsule = ConvexShape::capsule(1.0, bad);
        if bad == 0.0 {
            assert_eq!(capsule, ConvexShape::ball(1.0));
        } else {
            let error = capsule.unwrap_err();
            assert!(
                matches!(error, ConvexShapeError::NegativeLength { .. }),
                "{error}"
            );
        }
    }
    assert!(ConvexShape::hull(&[]).is_err());
    assert!(ConvexShape::hull(&[Point3::new(0.0, f64::NAN, 0.0)]).is_err());
    let ball = ConvexShape::ball(1.0).unwrap();
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let here = Isometry3::identity();
    assert!(convex_contact(&ball, &here, &ball, &nowhere, &QueryOptions::default()).is_err());
    let can = ConvexShape::cylinder(1.0, 1.0).unwrap();
    assert!(convex_contact(&can, &nowhere, &can, &here, &QueryOptions::default()).is_err());
}

/// The nearest point of a simplex with a corner far away was not refined where its first corner was near, and every third of these
/// poses was not converged.
#[test]
fn hulls_with_a_vertex_far_away_are_certified_at_every_pose() {
    let mut rng = ChaCha8Rng::seed_from_u64(53);
    let cuboid = ConvexShape::cuboid([0.13, 0.09, 0.07]).unwrap();
    for k in 0..500 {
        let mut random = || Point3::from([0; 3].map(|_| rng.random_range(-1.0..1.0)));
        let mut points: Vec<Point3<f64>> = (0..12).map(|_| random()).collect();
        points.push(Point3::new(0.5, 1e9, 0.1));
        let needle = ConvexShape::hull(&points).unwrap();
        let [turn, place] = [random(), random()].map(|p| p.coords);
        let pose = Isometry3::new(3.0 * place.normalize(), 2.0 * turn);
        let still = Isometry3::identity();
        let found = convex_contact(&needle, &pose, &cuboid, &still, &QueryOptions::default());
        let found = found.unwrap();
        assert_eq!(found.outcome, Outcome::Certified, "{k}: {found:?}");
    }
}

/// A slant length whose square vanished left no answer.
#[test]
fn a_ball_about_a_cone_of_any_size_is_as_deep_as_its_radius() {
    let ball = ConvexShape::ball(1.0).unwrap();
    for size in [1e-163, 1e-100, 1e-9] {
        let cone = ConvexShape::cone(size, size).unwrap();
        let at = Isometry3::identity();
        let found = convex_contact(&ball, &at, &cone, &at, &QueryOptions::default()).unwrap();
        assert!((found.distance + 1.0).abs() <= size + 1e-12, "{found:?}");
    }
}
