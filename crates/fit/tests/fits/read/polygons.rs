//! Polygons of all formats: what is cut is the polygon, and its boundary stays. Areas are those of the shoelace formula and of
//! polygons that are known; edges are counted.

use super::{PLAIN, Triangle, Z_UP, dae, list};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

type Plane = [f64; 2];

/// A file of one polygon, in the way of a format.
fn file(name: &str, corners: &[Point3<f64>]) -> String {
    let lines = |start: &str| -> String {
        let line = |p: &Point3<f64>| format!("{start} {} {} {}\n", p.x, p.y, p.z);
        corners.iter().map(line).collect()
    };
    match name {
        "t.obj" => {
            let names = (1..=corners.len()).map(|k| format!(" {k}"));
            format!("{}f{}\n", lines("v"), names.collect::<String>())
        }
        "t.stl" => format!(
            "solid\nfacet\nouter loop\n{}endloop\nendfacet\nendsolid\n",
            lines("vertex")
        ),
        _ => with_polygons(
            corners,
            &format!(
                "<polylist count=\"1\">INPUT<vcount>{}</vcount><p>{}</p></polylist>",
                corners.len(),
                numbers(0..corners.len())
            ),
        ),
    }
}

fn numbers(all: impl Iterator<Item = usize>) -> String {
    all.map(|k| format!("{k} ")).collect()
}

/// COLLADA with other corners and primitives; INPUT names the corners.
fn with_polygons(corners: &[Point3<f64>], primitives: &str) -> String {
    let text = dae(Z_UP, PLAIN);
    let (start, rest) = text.split_once("<float_array id=\"a\"").unwrap();
    let (_, rest) = rest.split_once("</float_array>").unwrap();
    let (middle, rest) = rest.split_once("<triangles").unwrap();
    let (_, end) = rest.split_once("</triangles>").unwrap();
    let places: String = corners
        .iter()
        .map(|p| format!("{} {} {} ", p.x, p.y, p.z))
        .collect();
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let primitives = primitives.replace("INPUT", input);
    let middle = middle.replace("count=\"4\"", &format!("count=\"{}\"", corners.len()));
    let count = 3 * corners.len();
    format!(
        "{start}<float_array id=\"a\" count=\"{count}\">{places}</float_array>{middle}{primitives}{end}"
    )
}

fn shoelace(corners: &[Plane]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    corners
        .iter()
        .zip(next)
        .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
        .sum::<f64>()
        / 2.0
}

/// The vector areas of triangles, each half the product of two edges.
fn vector_areas(triangles: &[Triangle]) -> Vec<Vector3<f64>> {
    let area = |t: &Triangle| {
        let [a, b, c] = t.map(Vector3::from);
        0.5 * (b - a).cross(&(c - a))
    };
    triangles.iter().map(area).collect()
}

/// How often each edge is in the triangles in one direction more than in the other, edges in balance left out.
fn boundary(triangles: &[Triangle]) -> HashMap<[[u64; 3]; 2], i32> {
    let mut edges = HashMap::new();
    for t in triangles {
        let [a, b, c] = t.map(|p| p.map(|x| (x + 0.0).to_bits()));
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry([from, to]).or_insert(0) += 1;
            *edges.entry([to, from]).or_insert(0) -= 1;
        }
    }
    edges.retain(|_, count| *count > 0);
    edges
}

/// The edges of a polygon in the same way; corners in one place are one, and edges there and back none.
fn outline(corners: &[Point3<f64>]) -> HashMap<[[u64; 3]; 2], i32> {
    let mut edges = HashMap::new();
    let next = corners.iter().cycle().skip(1);
    for (a, b) in corners.iter().zip(next) {
        let [a, b] = [a, b].map(|p| [p.x, p.y, p.z].map(|x| (x + 0.0).to_bits()));
        *edges.entry([a, b]).or_insert(0) += 1;
        *edges.entry([b, a]).or_insert(0) -= 1;
    }
    edges.retain(|_, count| *count > 0);
    edges
}

fn place(frame: &Isometry3<f64>, corners: &[Plane]) -> Vec<Point3<f64>> {
    corners
        .iter()
        .map(|[x, y]| frame * Point3::new(*x, *y, 0.0))
        .collect()
}

/// A flat polygon whose edges do not cross keeps its area, its side and its boundary, in every format.
fn assert_kept(frame: &Isometry3<f64>, corners: &[Plane]) {
    let area = shoelace(corners);
    let normal = frame * Vector3::z() * area.signum();
    let placed = place(frame, corners);
    for name in ["t.obj", "t.stl", "t.dae"] {
        let found = list(name, file(name, &placed)).unwrap_or_else(|e| panic!("{e}: {corners:?}"));
        let areas = vector_areas(&found);
        let total: f64 = areas.iter().map(|a| a.norm()).sum();
        assert!(
            (total - area.abs()).abs() < 1e-9 * area.abs(),
            "{name}: {total}, {area}: {corners:?}"
        );
        let turned = areas
            .iter()
            .filter(|a| a.dot(&normal) < -1e-9 * area.abs())
            .count();
        assert_eq!(turned, 0, "{name}: {corners:?}");
        assert_eq!(boundary(&found), outline(&placed), "{name}: {corners:?}");
    }
}

/// In its plane, along the axes, and askew.
fn frames() -> [Isometry3<f64>; 4] {
    let turned = |x, y, z| Isometry3::new(Vector3::zeros(), Vector3::new(x, y, z));
    let far = Isometry3::new(
        Vector3::new(300.0, -20.0, 7.0),
        Vector3::new(0.3, -1.1, 0.8),
    );
    [
        turned(0.0, 0.0, 0.0),
        turned(std::f64::consts::PI, 0.0, 0.0),
        turned(0.7, -0.4, 1.9),
        far,
    ]
}

#[test]
fn a_concave_arrow_is_cut_within_its_outline_from_any_corner_and_either_way() {
    let mut arrow = [[0.0, 0.0], [4.0, 2.0], [0.0, 4.0], [3.0, 2.0]];
    for _ in 0..4 {
        arrow.rotate_left(1);
        for frame in frames() {
            assert_kept(&frame, &arrow);
            let mut back = arrow;
            back.reverse();
            assert_kept(&frame, &back);
        }
    }
}

#[test]
fn polygons_keep_their_area_and_boundary() {
    let comb: Vec<Plane> = (0..20)
        .map(|k| {
            [
                f64::from(k / 2 + (k % 2)),
                if k % 4 < 2 { 1.0 } else { 9.0 },
            ]
        })
        .chain([[11.0, 0.0], [-1.0, 0.0]])
        .collect();
    let polygons: [&[Plane]; 10] = [
        // An L, a U and a cross.
        &[
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
        ],
        &[
            [0.0, 0.0],
            [3.0, 0.0],
            [3.0, 3.0],
            [2.0, 3.0],
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [0.0, 3.0],
        ],
        &[
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 1.0],
            [3.0, 1.0],
            [3.0, 2.0],
            [2.0, 2.0],
            [2.0, 3.0],
            [1.0, 3.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
            [1.0, 1.0],
        ],
        // Corners in line: on the edges at the first corner, and all along.
        &[
            [0.0, 0.0],
            [1.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [0.0, 2.0],
            [0.0, 1.0],
        ],
        &[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [3.0, 0.0], [3.0, 3.0]],
        // The same corner again, next to itself, and where the outline meets itself.
        &[
            [0.0, 0.0],
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [2.0, 2.0],
            [0.0, 2.0],
            [0.0, 0.0],
        ],
        &[
            [0.0, 0.0],
            [1.0, 1.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [1.0, 1.0],
            [0.0, 2.0],
        ],
        // A square with a square hole, and a slit to it.
        &[
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ],
        // A way there and back.
        &[
            [0.0, 0.0],
            [2.0, 0.0],
            [2.0, 2.0],
            [3.0, 3.0],
            [2.0, 2.0],
            [0.0, 2.0],
        ],
        &comb,
    ];
    for polygon in polygons {
        for frame in frames() {
            assert_kept(&frame, polygon);
        }
    }
}

/// A polygon about the origin that does not cross itself, with corners in line and corners again.
fn drawn_polygon(rng: &mut ChaCha8Rng) -> Vec<Plane> {
    let count = rng.random_range(3..40);
    let star = |k: usize, radius: f64| {
        let angle = std::f64::consts::TAU * k as f64 / count as f64;
        [radius * angle.cos(), radius * angle.sin()]
    };
    let corners: Vec<Plane> = (0..count)
        .map(|k| star(k, rng.random_range(0.2..1.0)))
        .collect();
    let mut all = Vec::new();
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        all.push(*a);
        match rng.random_range(0..8) {
            0 => all.push(*a),
            1 => all.push([(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0]),
            _ => {}
        }
    }
    if rng.random() {
        all.reverse();
    }
    let first = rng.random_range(0..all.len());
    all.rotate_left(first);
    all
}

fn drawn_frame(rng: &mut ChaCha8Rng) -> Isometry3<f64> {
    let mut vector = |size: f64| Vector3::from_fn(|_, _| rng.random_range(-size..size));
    Isometry3::new(vector(2.0), vector(3.0))
}

fn drawn_polygons_are_kept(draws: u64) {
    for draw in 0..draws {
        let rng = &mut ChaCha8Rng::seed_from_u64(draw);
        let polygon = drawn_polygon(rng);
        let frame = drawn_frame(rng);
        let area = shoelace(&polygon).abs();
        for name in ["t.obj", "t.stl", "t.dae"] {
            let placed = place(&frame, &polygon);
            let found = list(name, file(name, &placed)).unwrap();
            let total: f64 = vector_areas(&found).iter().map(|a| a.norm()).sum();
            assert!(
                (total - area).abs() < 1e-9,
                "{draw}, {name}: {total}, {area}"
            );
            // Corners of edges are rounded: triangles of no area may be left out on them.
            let missing = |edges: HashMap<[[u64; 3]; 2], i32>| {
                edges.keys().any(|ends| {
                    let [a, b] = ends.map(|p| Point3::from(p.map(f64::from_bits)));
                    let parts = boundary(&found);
                    let on = |p: &Point3<f64>| {
                        ((a - p).norm() + (p - b).norm() - (a - b).norm()).abs() < 1e-12
                    };
                    let length: f64 = parts
                        .keys()
                        .map(|ends| ends.map(|p| Point3::from(p.map(f64::from_bits))))
                        .filter(|[c, d]| on(c) && on(d))
                        .map(|[c, d]| (c - d).norm())
                        .sum();
                    (length - (a - b).norm()).abs() > 1e-9
                })
            };
            assert!(!missing(outline(&placed)), "{draw}, {name}");
        }
    }
}

#[test]
fn drawn_polygons_keep_their_area_and_boundary() {
    drawn_polygons_are_kept(500);
}

#[test]
#[ignore = "20,000 polygons in three formats"]
fn drawn_polygons_keep_their_area_and_boundary_long() {
    drawn_polygons_are_kept(20_000);
}

#[test]
fn polygons_that_are_not_flat_keep_their_boundary() {
    for draw in 0..500 {
        let rng = &mut ChaCha8Rng::seed_from_u64(draw);
        let mut polygon = drawn_polygon(rng);
        polygon.dedup();
        let frame = drawn_frame(rng);
        let height = [0.01, 0.1, 1.0][rng.random_range(0..3)];
        let out = |[x, y]: &Plane| {
            frame * Point3::new(*x, *y, height * (3.0 * x).sin() * (2.0 * y).cos())
        };
        let placed: Vec<Point3<f64>> = polygon.iter().map(out).collect();
        let found = list("t.obj", file("t.obj", &placed)).unwrap();
        assert_eq!(boundary(&found), outline(&placed), "{draw}");
        // As the vector areas of both: that of a surface is that of its boundary.
        let found: Vector3<f64> = vector_areas(&found).iter().sum();
        let fan = (2..placed.len())
            .map(|k| (placed[k - 1] - placed[0]).cross(&(placed[k] - placed[0])) / 2.0);
        assert!((found - fan.sum::<Vector3<f64>>()).norm() < 1e-12, "{draw}");
    }
}

#[test]
fn polygons_that_cross_themselves_cover_all_that_they_wind_around() {
    crossing_polygons_cover_all_that_they_wind_around(300);
}

#[test]
#[ignore = "20,000 polygons at 900 points"]
fn polygons_that_cross_themselves_cover_all_that_they_wind_around_long() {
    crossing_polygons_cover_all_that_they_wind_around(20_000);
}

fn crossing_polygons_cover_all_that_they_wind_around(draws: u64) {
    let star: Vec<Plane> = (0..5)
        .map(|k| {
            let angle = std::f64::consts::TAU * f64::from(2 * k) / 5.0;
            [angle.cos(), angle.sin()]
        })
        .collect();
    let bow_tie: &[Plane] = &[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]];
    let uneven: &[Plane] = &[[0.0, 0.0], [3.0, 2.0], [3.0, 0.0], [0.0, 1.0]];
    let mut drawn: Vec<Vec<Plane>> = vec![star, bow_tie.to_vec(), uneven.to_vec()];
    for draw in 0..draws {
        let rng = &mut ChaCha8Rng::seed_from_u64(draw);
        let count = rng.random_range(4..12);
        // On a grid too: edges then overlap, and meet corners.
        let grid: bool = rng.random();
        let mut number = || {
            let x: f64 = rng.random_range(-1.0..1.0);
            if grid { (3.0 * x).round() } else { x }
        };
        drawn.push((0..count).map(|_| [number(), number()]).collect());
    }
    for polygon in drawn {
        let placed = place(&Isometry3::identity(), &polygon);
        let found = match list("t.obj", file("t.obj", &placed)) {
            Ok(found) => found,
            Err(error) => {
                assert!(error.contains("no triangle has an area"), "{error}");
                Vec::new()
            }
        };
        // Points of a fine grid, off all edges.
        for k in 0..900 {
            let [x, y] = [
                -3.0 + 0.2 * f64::from(k % 30) + 0.0137,
                -3.0 + 0.2 * f64::from(k / 30) + 0.0071,
            ];
            // Summed angles, which share nothing with the crossings that the reader counts.
            let next = polygon.iter().cycle().skip(1);
            let angles = polygon.iter().zip(next).map(|(a, b)| {
                let [a, b] = [a, b].map(|p| nalgebra::Vector2::new(p[0] - x, p[1] - y));
                a.perp(&b).atan2(a.dot(&b))
            });
            if (angles.sum::<f64>() / std::f64::consts::TAU).round() == 0.0 {
                continue;
            }
            let covers = |t: &Triangle| {
                let side = |a: [f64; 3], b: [f64; 3]| {
                    (b[0] - a[0]) * (y - a[1]) - (x - a[0]) * (b[1] - a[1])
                };
                let sides = [side(t[0], t[1]), side(t[1], t[2]), side(t[2], t[0])];
                sides.iter().all(|s| *s >= -1e-9) || sides.iter().all(|s| *s <= 1e-9)
            };
            assert!(found.iter().any(covers), "{polygon:?} at {x} {y}");
        }
    }
}

#[test]
fn holes_of_collada_polygons_are_left_out_whichever_way_they_turn() {
    let square =
        |x: f64, y: f64, size: f64| [[x, y], [x + size, y], [x + size, y + size], [x, y + size]];
    let rings = [
        square(0.0, 0.0, 10.0),
        square(1.0, 1.0, 2.0),
        square(5.0, 2.0, 3.0),
        square(2.0, 6.0, 1.5),
    ];
    let area = 100.0 - 4.0 - 9.0 - 2.25;
    for frame in frames() {
        let corners = place(&frame, &rings.concat());
        for reversed in 0..8 {
            let ring = |k: usize| {
                let all = 4 * k..4 * k + 4;
                if k > 0 && reversed >> (k - 1) & 1 == 1 {
                    numbers(all.rev())
                } else {
                    numbers(all)
                }
            };
            let [p, a, b, c] = [0, 1, 2, 3].map(ring);
            let text = format!(
                "<polygons count=\"1\">INPUT<ph><p>{p}</p><h>{a}</h><h>{b}</h><h>{c}</h></ph></polygons>"
            );
            let found = list("t.dae", with_polygons(&corners, &text)).unwrap();
            let total: Vector3<f64> = vector_areas(&found).iter().sum();
            assert!(
                (total - frame * Vector3::z() * area).norm() < 1e-9,
                "{total}"
            );
            let sizes: f64 = vector_areas(&found).iter().map(|a| a.norm()).sum();
            assert!((sizes - area).abs() < 1e-9, "{sizes}");
        }
    }
    // Where a hole crosses the outline there is no telling what is meant.
    let rings = [square(0.0, 0.0, 10.0), square(9.0, 9.0, 2.0)];
    let corners = place(&frames()[0], &rings.concat());
    let text = format!(
        "<polygons count=\"1\">INPUT<ph><p>{}</p><h>{}</h></ph></polygons>",
        numbers(0..4),
        numbers(4..8)
    );
    let error = list("t.dae", with_polygons(&corners, &text)).unwrap_err();
    assert!(
        error.contains("line 10, <ph>") && error.contains("cross"),
        "{error}"
    );
}

#[test]
fn a_polygon_that_touches_itself_within_rounding_is_no_fan() {
    // A comb whose teeth touch each other at corners, askew, so that the touches are rounded.
    for draw in 0..200 {
        let rng = &mut ChaCha8Rng::seed_from_u64(draw);
        // The corner (2, 1) lies on the edge from (1, 0) to (3, 2).
        let touching = [[1.0, 0.0], [3.0, 2.0], [0.0, 2.0], [2.0, 1.0], [0.0, 0.0]];
        let frame = drawn_frame(rng);
        let corners = place(&frame, &touching);
        let found = list("t.obj", file("t.obj", &corners)).unwrap();
        let total: f64 = vector_areas(&found).iter().map(|a| a.norm()).sum();
        assert!(
            (total - shoelace(&touching).abs()).abs() < 1e-9,
            "{draw}: {total}"
        );
    }
}
