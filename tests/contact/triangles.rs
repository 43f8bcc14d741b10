//! Whether two triangles overlap, against their separating axes: the normals and the cross products of edges, by this file's
//! own arithmetic.

use crate::sets::{any_direction, any_rotation, seeded, spread};
use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::{Contact, DepthMode, Outcome, QueryOptions};

type V = Vector3<f64>;

fn ask(a: &[V; 3], at_a: &Isometry3<f64>, b: &[V; 3], at_b: &Isometry3<f64>) -> Contact {
    let shape = |corners: &[V; 3]| ConvexShape::hull(&corners.map(Point3::from)).unwrap();
    let options = QueryOptions::default()
        .with_depth(DepthMode::Any)
        .with_max_distance(0.0);
    convex_contact(&shape(a), at_a, &shape(b), at_b, &options).unwrap()
}

fn gap(a: &[V; 3], b: &[V; 3], n: &V) -> f64 {
    let height = |x: &[V; 3], n: V| x.map(|p| n.dot(&p)).into_iter().fold(f64::MIN, f64::max);
    -height(b, -n) - height(a, *n)
}

fn edges(x: &[V; 3]) -> [V; 3] {
    [x[1] - x[0], x[2] - x[1], x[0] - x[2]]
}

/// The axes that can separate two triangles which are in different planes, of any length.
fn axes(a: &[V; 3], b: &[V; 3]) -> Vec<V> {
    let ([e, f, _], [u, v, _]) = (edges(a), edges(b));
    let across = edges(a)
        .into_iter()
        .flat_map(|e| edges(b).map(|u| e.cross(&u)));
    let all = [e.cross(&f), u.cross(&v)].into_iter().chain(across);
    all.flat_map(|n| [n, -n]).collect()
}

/// The greatest gap: minus the least depth where it is negative, and positive where the triangles are apart.
fn greatest_gap(a: &[V; 3], b: &[V; 3]) -> f64 {
    let units = axes(a, b).into_iter().filter(|n| n.norm() > 1e-9);
    let gaps = units.map(|n| gap(a, b, &n.normalize()));
    gaps.fold(f64::MIN, f64::max)
}

fn triangle(rng: &mut ChaCha8Rng) -> [V; 3] {
    let (long, thin) = (spread(rng, 0.01, 1.0), spread(rng, 0.01, 1.0));
    let scale = V::new(long, long * thin, 0.0);
    let turn = any_rotation(rng);
    std::array::from_fn(|_| {
        let p = V::from_fn(|_, _| rng.random_range(-1.0..1.0));
        turn * p.component_mul(&scale)
    })
}

draws!(verdicts:
    triangles_overlap_where_no_axis_separates_them 20_000,
    triangles_overlap_where_no_axis_separates_them_long 1_000_000);

/// The bracket holds the depth, the translation of the answer separates the triangles, and where no sign is in doubt nothing is
/// searched for.
fn verdicts(count: usize) {
    let mut rng = seeded(7019);
    let mut counts = [0; 2];
    for k in 0..count {
        let (a, b) = (triangle(&mut rng), triangle(&mut rng));
        let far = if k % 5 == 0 { 100.0 } else { 1.0 };
        let at_a = Isometry3::from_parts(
            Translation3::from(any_direction(&mut rng) * far),
            any_rotation(&mut rng),
        );
        let way = any_direction(&mut rng) * rng.random_range(0.0..0.5);
        let mut at_b = Isometry3::from_parts(
            Translation3::from(at_a.translation.vector + way),
            any_rotation(&mut rng),
        );
        let place = |x: &[V; 3], at: &Isometry3<f64>| {
            let from = at.translation.vector - at_a.translation.vector;
            x.map(|p| at.rotation * p + from)
        };
        let of_a = place(&a, &at_a);
        if k % 3 != 0 {
            // Points of both come together, or all but that.
            let mut point = |x: &[V; 3]| {
                let (s, t): (f64, f64) = (rng.random_range(0.0..0.7), rng.random_range(0.0..0.3));
                x[0] + (x[1] - x[0]) * s + (x[2] - x[0]) * t
            };
            at_b.translation.vector += point(&of_a) - point(&place(&b, &at_b));
        }
        if k % 7 == 0 {
            let of_b = place(&b, &at_b);
            let axes = axes(&of_a, &of_b).into_iter().filter(|n| n.norm() > 1e-9);
            let best = axes
                .map(|n| n.normalize())
                .max_by(|n, m| gap(&of_a, &of_b, n).total_cmp(&gap(&of_a, &of_b, m)));
            let n = best.unwrap();
            let off = [
                0.0, 1e-15, -1e-15, 1e-13, -1e-13, 1e-10, -1e-10, 1e-7, -1e-7,
            ][k % 9];
            at_b.translation.vector += n * (off - gap(&of_a, &of_b, &n));
        }
        let of_b = place(&b, &at_b);
        let right = greatest_gap(&of_a, &of_b);
        let found = ask(&a, &at_a, &b, &at_b);
        let case = || format!("{k}: {right} {found:?} {a:?} {at_a:?} {b:?} {at_b:?}");
        let rounding = 1e-14 * (1.0 + far);
        let n = found.normal.into_inner();
        let along = gap(&of_a, &of_b, &n);
        assert!((n.norm() - 1.0).abs() < 1e-12, "{}", case());
        // Bodies that touch to the tolerance may be answered so.
        let touching = right.abs() <= 1e-9;
        if right > rounding {
            assert!(found.lower > 0.0 || touching, "{}", case());
            assert!(
                found.lower <= along + rounding && found.upper > 0.0,
                "{}",
                case()
            );
        } else if right < -rounding {
            assert!(found.upper <= 0.0 || touching, "{}", case());
            let bracket = found.lower - rounding..=found.upper + rounding;
            assert!(bracket.contains(&right), "{}", case());
            assert!((along - found.distance).abs() < 1e-9, "{}", case());
        } else {
            let near = found.lower <= rounding && found.upper >= -rounding;
            assert!(near, "{}", case());
        }
        if k % 7 != 0 && right.abs() > 1e-6 {
            let outcome = [Outcome::Converged, Outcome::Beyond][usize::from(right > 0.0)];
            assert_eq!(
                (found.iterations, found.outcome),
                (0, outcome),
                "{}",
                case()
            );
            counts[usize::from(right > 0.0)] += 1;
        }
    }
    assert!(counts.iter().all(|n| *n > count / 10), "{counts:?}");
}

/// Corners of few whole numbers touch, coincide, are in a plane or in a line more often than not, and their heights are exact.
#[test]
fn triangles_of_whole_numbers_overlap_only_where_they_do() {
    let mut rng = seeded(7020);
    let here = Isometry3::identity();
    let mut counts = [0; 3];
    for _ in 0..40_000 {
        let [a, b] = [0; 2].map(|_| {
            std::array::from_fn(|_| V::from_fn(|_, _| f64::from(rng.random_range(-2..=2))))
        });
        let gaps = axes(&a, &b).into_iter().filter(|n| n.norm() > 0.0);
        let (right, axis) = gaps
            .map(|n| (gap(&a, &b, &n), n))
            .max_by(|p, q| p.0.total_cmp(&q.0))
            .unwrap_or_default();
        let found = ask(&a, &here, &b, &here);
        let case = || format!("{right} {axis:?} {found:?} {a:?} {b:?}");
        let [e, f, _] = edges(&a);
        let [u, v, _] = edges(&b);
        let [n, m] = [e.cross(&f), u.cross(&v)];
        if right > 0.0 {
            assert!(found.lower > 0.0, "{}", case());
            counts[0] += 1;
        } else if n == V::zeros() || m == V::zeros() {
            // The axes of segments are others.
        } else if right < 0.0 {
            assert!(found.upper < 0.0, "{}", case());
            counts[1] += 1;
        } else {
            // In one plane the axes are others.
            let askew = n.cross(&m) != V::zeros();
            let known = found.lower <= 0.0 || !askew;
            assert!(known && found.upper > -1e-13, "{}", case());
            counts[2] += 1;
        }
    }
    assert!(counts.iter().all(|n| *n > 1000), "{counts:?}");
}

/// Triangles as small and as large as numbers are.
#[test]
fn verdicts_of_triangles_hold_at_any_scale() {
    let a = [[1.0, 0.0, 0.0], [-1.0, 1.0, 0.0], [-1.0, -1.0, 0.0]].map(V::from);
    let b = [[0.1, 0.0, 1.0], [0.0, 0.2, -1.0], [0.3, -0.1, -1.0]].map(V::from);
    for power in (-300..=300).step_by(10) {
        let scale = 10f64.powi(power);
        let place = |x: f64| Isometry3::translation(x * scale, 0.0, 0.0);
        let scaled = |x: &[V; 3]| x.map(|p| p * scale);
        for (x, overlap) in [(0.0, true), (3.0, false)] {
            let found = ask(&scaled(&a), &place(0.0), &scaled(&b), &place(x));
            let proven = if overlap {
                found.upper < 0.0
            } else {
                found.lower > 0.0
            };
            assert!(proven, "{power}: {found:?}");
        }
    }
}
