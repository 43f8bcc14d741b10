//! Bodies that are not convex against meshes, sets of boxes and height fields.
//!
//! The oracle samples the body's surface, and knows the distance of a point from a triangle and from a box. Samples are
//! never nearer than the true distance, and nearer to each other than a width w that is measured: the true distance is
//! at least the least of the samples, less w.

use crate::oracle::{Body, samples};
use nalgebra::{Isometry3, Point3, Translation3, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::motion::{Motion, TimeOfImpact, TimeOfImpactOptions};
use superovoid::polytope::{ConvexHull, Cuboid};
use superovoid::superquadric::{Family, Sheets, Superquadric};
use superovoid::{Aabb, Contact, DepthMode, Outcome, QueryOptions, Shape};

/// A triangle, a box or a prism, by its vertices, which also are the ends of its box if it is one.
type Part = Vec<Point3<f64>>;

fn point_to_triangle(p: &Point3<f64>, [a, b, c]: [Point3<f64>; 3]) -> f64 {
    let n = (b - a).cross(&(c - a));
    let sides = [(a, b), (b, c), (c, a)];
    if (sides.iter()).all(|(u, v)| n.dot(&(v - u).cross(&(p - u))) >= 0.0) {
        return n.dot(&(p - a)).abs() / n.norm();
    }
    let to_edge = |&(u, v): &(Point3<f64>, Point3<f64>)| {
        let t = (p - u).dot(&(v - u)) / (v - u).norm_squared();
        (p - (u + (v - u) * t.clamp(0.0, 1.0))).norm()
    };
    sides.iter().map(to_edge).fold(f64::INFINITY, f64::min)
}

fn point_to_box(p: &Point3<f64>, [min, max]: [Point3<f64>; 2]) -> f64 {
    (p - p.sup(&min).inf(&max)).norm()
}

fn point_to_part(p: &Point3<f64>, part: &Part) -> f64 {
    match part[..] {
        [a, b, c] => point_to_triangle(p, [a, b, c]),
        [min, max] => point_to_box(p, [min, max]),
        _ => panic!("{part:?}"),
    }
}

/// A surface of separate triangles, or a set of boxes, of a size, about the origin.
fn random_tree(size: f64, random: &mut impl Rng) -> (Shape, Vec<Part>) {
    let triangles = random.random_range(0..2) == 0;
    let mut near = |reach: f64| Vector3::from_fn(|_, _| random.random_range(-reach..reach));
    let mut part = || {
        let middle = Point3::from(near(size));
        if triangles {
            return (0..3).map(|_| middle + near(0.4 * size)).collect();
        }
        let half = near(0.3 * size).abs();
        vec![middle - half, middle + half]
    };
    let parts: Vec<Part> = (0..6).map(|_| part()).collect();
    let shape = if triangles {
        let corners = parts.iter().flatten().copied().collect();
        let indices = (0..parts.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
        TriMesh::new(corners, indices.collect()).unwrap().into()
    } else {
        let boxes = parts.iter().map(|ends| Aabb {
            min: ends[0],
            max: ends[1],
        });
        BoxSet::new(boxes.collect()).unwrap().into()
    };
    (shape, parts)
}

fn ask(a: &Shape, at: &Isometry3<f64>, b: &Shape, options: &QueryOptions) -> (u32, Contact) {
    let found = a.contact(at, b, &Isometry3::identity(), options).unwrap();
    let found = found.expect("an answer");
    (found.parts[1], found.contact)
}

fn check_samples(family: Family, count: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let options = QueryOptions::default();
    let (mut apart, mut overlapping) = (0, 0);
    for _ in 0..count {
        let body = Body::random(family, 0.4, &mut random);
        let size = body.half_widths().amax();
        let (tree, parts) = random_tree(0.4 * size, &mut random);
        let mut turn = || Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        let at = Isometry3::new(turn() * size, turn() * 3.0);
        let (of_surface, width) = samples(&body, 96);
        let shape = Shape::from(body.shape);
        let (part, found) = ask(&shape, &at, &tree, &options);
        let to_part = |p: &Point3<f64>, part: &Part| point_to_part(&(at * p), part);
        let least = |part: &Part| {
            let all = of_surface.iter().map(|p| to_part(p, part));
            all.fold(f64::INFINITY, f64::min)
        };
        let dense = parts.iter().map(least).fold(f64::INFINITY, f64::min);
        let inside = |p: &Point3<f64>| body.outside(&(at.inverse() * p).coords);
        let context = format!("{body:?} {at:?} {parts:?} {found:?} {dense} {width}");
        assert!(found.lower <= dense + 1e-9 * size, "{context}");
        assert!(found.lower <= found.distance && found.distance <= found.upper);
        if found.distance > 0.0 {
            apart += 1;
            assert_eq!(found.outcome, Outcome::Certified, "{context}");
            assert!(found.distance >= dense - width, "{context}");
            // The witnesses prove the upper bound.
            let nearest = &parts[part as usize];
            assert!(
                point_to_part(&found.point_b, nearest) < 1e-9 * size,
                "{context}"
            );
            assert!(inside(&found.point_a).abs() < 1e-6, "{context}");
            assert!(parts.iter().flatten().all(|v| inside(v) > 0.0), "{context}");
        } else {
            overlapping += 1;
            assert!(dense <= width || parts.iter().flatten().any(|v| inside(v) < 0.0));
            // Moved by the answer, the body is free of the part that it names.
            let depth = -found.lower + 1e-7 * size;
            let moved = Translation3::from(*found.normal * -depth) * at;
            let alone = match parts[part as usize][..] {
                [min, max] => Shape::from(BoxSet::new(vec![Aabb { min, max }]).unwrap()),
                ref corners => ConvexHull::new(corners.to_vec()).unwrap().into(),
            };
            let (_, after) = ask(&shape, &moved, &alone, &options);
            assert!(after.distance >= 0.0, "{context} {after:?}");
        }
    }
    assert!(
        4 * apart > count && 8 * overlapping > count,
        "{apart} {overlapping}"
    );
}

#[test]
fn samples_of_rings_and_necks_hold_the_distance_of_triangles_and_boxes() {
    check_samples(Family::Toroid, 60, 21);
    check_samples(Family::OneSheet, 30, 22);
}

#[test]
#[ignore = "half a minute"]
fn samples_of_rings_and_necks_hold_the_distance_of_triangles_and_boxes_long() {
    check_samples(Family::Toroid, 1500, 23);
    check_samples(Family::OneSheet, 500, 24);
}

/// A solid box between two corners.
fn solid(min: [f64; 3], max: [f64; 3]) -> Shape {
    let corner = |k: usize| Point3::from([0, 1, 2].map(|i| [min, max][k >> i & 1][i]));
    let faces = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let triangles = faces
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    let mesh = TriMesh::new((0..8).map(corner).collect(), triangles.collect()).unwrap();
    assert!(mesh.is_solid());
    mesh.into()
}

/// A round torus about z with radii of 1 and 0.25.
fn torus() -> Shape {
    Superquadric::toroid([0.25; 3], [1.0, 1.0], 4.0)
        .unwrap()
        .into()
}

#[test]
fn a_torus_inside_a_solid_is_as_deep_as_the_way_out_of_its_nearest_face() {
    let mut random = ChaCha8Rng::seed_from_u64(25);
    let cube = solid([-3.0; 3], [3.0; 3]);
    for _ in 0..40 {
        let middle = Vector3::from_fn(|_, _| random.random_range(-1.7..1.7));
        let turn = Vector3::from_fn(|_, _| random.random_range(-2.0..2.0));
        let at = Isometry3::new(middle, turn);
        let (_, found) = ask(&torus(), &at, &cube, &QueryOptions::default());
        // The support function of a torus is R √(1 − k²) + r, with k the axis' part along the direction.
        let axis = at.rotation * Vector3::z();
        let reach = |i: usize| (1.0 - axis[i] * axis[i]).sqrt() + 0.25;
        let way = |i: usize| 3.0 - middle[i].abs() + reach(i);
        let gap = |i: usize| 3.0 - middle[i].abs() - reach(i);
        let nearest = (0..3).min_by(|&i, &j| gap(i).total_cmp(&gap(j))).unwrap();
        let least = (0..3).map(way).fold(f64::INFINITY, f64::min);
        assert!(
            (found.distance + way(nearest)).abs() < 1e-9,
            "{at:?} {found:?}"
        );
        assert!(
            found.lower <= -least + 1e-9 && -least <= found.upper,
            "{at:?} {found:?}"
        );
        assert_eq!(found.outcome, Outcome::Converged, "{at:?} {found:?}");
    }
}

#[test]
fn a_torus_around_a_pole_is_free_of_it_and_falls_onto_its_foot() {
    let options = QueryOptions::default();
    // The pole and its foot are one solid each.
    let pole = solid([-0.3, -0.4, -5.0], [0.3, 0.4, 5.0]);
    let (_, found) = ask(&torus(), &Isometry3::identity(), &pole, &options);
    assert_eq!(found.outcome, Outcome::Certified);
    assert!((found.distance - 0.25).abs() < 1e-9, "{found:?}"); // a corner is at 0.5
    let (_, touching) = ask(
        &torus(),
        &Isometry3::translation(0.5, 0.0, 0.0),
        &pole,
        &options,
    );
    assert!(
        touching.distance < 0.0 && touching.lower >= -0.5,
        "{touching:?}"
    );

    let foot = solid([-2.0, -2.0, -5.0], [2.0, 2.0, -4.0]);
    let fall = Motion::line_spin(
        Isometry3::identity(),
        Isometry3::translation(0.0, 0.0, -5.0),
    );
    let still = Motion::still(Isometry3::identity()).unwrap();
    let options = TimeOfImpactOptions::default();
    let found = torus().time_of_impact(&fall.unwrap(), &foot, &still, &options);
    match found.unwrap().found {
        TimeOfImpact::Hit { safe, touching, .. } => {
            // From z = 0 the lowest points reach −4 after 3.75 of 5 metres.
            assert!(
                safe <= 0.75 + 1e-12 && 0.75 <= touching + 1e-6,
                "{safe} {touching}"
            );
            assert!(touching - safe < 1e-5);
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_options_and_the_parts_within_a_margin_are_those_of_the_parts_alone() {
    let mut random = ChaCha8Rng::seed_from_u64(26);
    let here = Isometry3::identity();
    let options = QueryOptions::default();
    for _ in 0..30 {
        let (tree, parts) = random_tree(0.8, &mut random);
        let mut turn = || Vector3::from_fn(|_, _| random.random_range(-1.0..1.0));
        let at = Isometry3::new(turn(), turn() * 3.0);
        let (_, found) = ask(&torus(), &at, &tree, &options);
        let alone = |part: &Part| {
            let (shape, there) = match part[..] {
                [min, max] => {
                    let half = (max - min) * 0.5;
                    let middle = nalgebra::center(&min, &max);
                    (
                        Shape::from(Cuboid::new(half.into()).unwrap()),
                        middle.into(),
                    )
                }
                ref corners => (ConvexHull::new(corners.to_vec()).unwrap().into(), here),
            };
            let found = torus().contact(&at, &shape, &there, &options).unwrap();
            found.unwrap().contact.distance
        };
        let distances: Vec<f64> = parts.iter().map(alone).collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let near = 1e-7;
        assert!(
            (found.distance - least).abs() < near,
            "{found:?} {distances:?}"
        );
        let any = QueryOptions::default().with_depth(DepthMode::Any);
        let (_, any) = ask(&torus(), &at, &tree, &any);
        assert_eq!(any.distance <= 0.0, least <= 0.0);
        if least > 1e-6 {
            let near = options.with_max_distance(0.9 * least);
            assert_eq!(torus().contact(&at, &tree, &here, &near), Ok(None));
        }
        let margin = 0.2;
        let mut seen = Vec::new();
        let visit = |manifold: &superovoid::Manifold| {
            assert_eq!(manifold.points().len(), 1);
            seen.push(manifold.found.parts[1] as usize);
            true
        };
        torus()
            .manifolds(&at, &tree, &here, margin, &options, visit)
            .unwrap();
        seen.sort();
        let expected: Vec<usize> = (0..parts.len())
            .filter(|&k| distances[k] <= margin)
            .collect();
        assert_eq!(seen, expected);
    }
}

#[test]
fn a_torus_lies_on_terrain_and_one_of_two_sheets_is_inside_a_solid() {
    let field = HeightField::new(vec![0.5; 25], 5, [-2.0, 2.0], [1.0, -1.0], -1.0).unwrap();
    let options = QueryOptions::default();
    let at = Isometry3::translation(0.1, 0.2, 1.0);
    let (_, found) = ask(&torus(), &at, &field.into(), &options);
    assert!((found.distance - 0.25).abs() < 1e-9, "{found:?}");
    assert_eq!(found.outcome, Outcome::Certified);

    let sheets = Superquadric::two_sheets([0.2; 3], [1.0, 1.0], 2.0, Sheets::Both).unwrap();
    for side in [1.0, -1.0] {
        // A sheet has heights of 0.2 to 0.4, and the solid those of 0.1 and more.
        let [low, high] = if side > 0.0 { [0.1, 2.0] } else { [-2.0, -0.1] };
        let around = solid([-1.0, -1.0, low], [1.0, 1.0, high]);
        let (_, found) = ask(&sheets.into(), &Isometry3::identity(), &around, &options);
        assert!(found.upper <= -0.1, "{found:?}");
    }
}

/// A box, the hull of its corners about another origin, turned and in another order, and the only one of a set.
fn check_boxes_and_hulls(family: Family, count: usize, seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let options = QueryOptions::default();
    let mut overlapping = 0;
    for _ in 0..count {
        let body = Body::random(family, 0.4, &mut random);
        let size = body.half_widths().amax();
        let mut vector = |reach: f64| Vector3::from_fn(|_, _| random.random_range(-reach..reach));
        let half = vector(0.5 * size).abs();
        let at = Isometry3::new(vector(size), vector(3.0));
        let from = Isometry3::new(vector(2.0 * size), vector(3.0));
        let (start, middle) = (vector(2.0 * size), Point3::from(vector(2.0 * size)));
        let here = Isometry3::new(start, vector(3.0));
        let corner = |k: usize| Vector3::from_fn(|i, _| half[i] * [-1.0, 1.0][k >> i & 1]);
        let corners: Vec<_> = (0..8)
            .map(|k| from * Point3::from(corner(k * 3 % 8)))
            .collect();
        let around = Aabb {
            min: middle - half,
            max: middle + half,
        };
        let ask = |shape: Shape, there: Isometry3<f64>| {
            let found = Shape::from(body.shape).contact(&here, &shape, &(here * there), &options);
            found.unwrap().unwrap().contact
        };
        let of_box = ask(Cuboid::new(half.into()).unwrap().into(), at);
        let of_hull = ask(
            ConvexHull::new(corners).unwrap().into(),
            at * from.inverse(),
        );
        let of_set = ask(
            BoxSet::new(vec![around]).unwrap().into(),
            at * Translation3::from(-middle.coords),
        );
        overlapping += usize::from(of_box.distance < 0.0);
        for other in [of_hull, of_set] {
            assert!(
                (of_box.distance - other.distance).abs() < 1e-7 * size,
                "{body:?} {half:?} {at:?} {from:?} {of_box:?} {other:?}"
            );
        }
    }
    assert!(4 * overlapping > count, "{overlapping}");
}

#[test]
fn a_box_is_as_deep_as_the_hull_of_its_corners() {
    check_boxes_and_hulls(Family::Toroid, 60, 27);
    check_boxes_and_hulls(Family::OneSheet, 30, 28);
}

#[test]
#[ignore = "thousands of pairs"]
fn a_box_is_as_deep_as_the_hull_of_its_corners_long() {
    check_boxes_and_hulls(Family::Toroid, 3000, 29);
    check_boxes_and_hulls(Family::OneSheet, 1000, 30);
}
