//! Meshes of many kinds, most of them with symmetries.

use nalgebra::{Point3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::TAU;
use superovoid::Superovoid;
use superovoid_fit::Mesh;

type Points = Vec<Point3<f64>>;

/// The hull of points, as a mesh.
pub fn hull(points: Points) -> Mesh {
    // Any triangles will do, as long as they are in no plane together: the hull counts.
    let fan = (2..points.len() as u32).map(|k| [0, k - 1, k]).collect();
    Mesh::new(points, fan).unwrap().hull().unwrap()
}

/// Turned copies of points about z, `fold` in all, and where asked for their mirror images in the plane x = 0.
fn repeated(points: &Points, fold: u32, mirrored: bool) -> Points {
    let turns = (0..fold).map(|k| TAU * f64::from(k) / f64::from(fold));
    let turned = turns.flat_map(|angle| {
        let turn = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle);
        points.iter().map(move |p| turn * p)
    });
    let mut all: Points = turned.collect();
    if mirrored {
        all.extend(all.clone().iter().map(|p| Point3::new(-p.x, p.y, p.z)));
    }
    all
}

fn random_points(count: usize, random: &mut ChaCha8Rng) -> Points {
    let point = |_| Point3::from(Vector3::from_fn(|_, _| random.random_range(-1.0..1.0)));
    (0..count).map(point).collect()
}

/// A polygon at the lower end, one `narrow` times as wide at the upper; a point where that is 0.
pub fn prism(sides: u32, half: [f64; 3], narrow: f64) -> Mesh {
    let [x, y, z] = half;
    let ends = [[1.0, -z], [narrow, z]];
    hull(
        ends.iter()
            .flat_map(|&[k, z]| repeated(&vec![Point3::new(k, 0.0, z)], sides, false))
            .map(|p| Point3::new(x * p.x, y * p.y, p.z))
            .collect(),
    )
}

/// Boxes side by side, each with its own triangles.
pub fn blocks(blocks: &[[[f64; 3]; 2]]) -> Mesh {
    const QUADS: [[u32; 4]; 6] = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for [low, high] in blocks {
        let first = vertices.len() as u32;
        let corner = |k: usize| {
            Point3::from(Vector3::from_fn(|i, _| {
                if k >> i & 1 == 1 { high[i] } else { low[i] }
            }))
        };
        vertices.extend((0..8).map(corner));
        triangles.extend(
            QUADS
                .iter()
                .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
                .map(|t| t.map(|v| v + first)),
        );
    }
    Mesh::new(vertices, triangles).unwrap()
}

/// Three blocks in an L, with one skin: no face within.
pub fn angle(long: f64, wide: f64, thick: f64) -> Mesh {
    let outline = [
        [0.0, 0.0],
        [long, 0.0],
        [long, thick],
        [thick, thick],
        [thick, wide],
        [0.0, wide],
    ];
    let n = outline.len() as u32;
    let vertices = [0.0, 1.0].map(|z| outline.map(|[x, y]| Point3::new(x, y, z)));
    let faces: [[u32; 3]; 4] = [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]];
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for [a, b, c] in faces {
        triangles.extend([[a, c, b], [a + n, b + n, c + n]]);
    }
    for k in 0..n {
        let next = (k + 1) % n;
        triangles.extend([[k, next, next + n], [k, next + n, k + n]]);
    }
    Mesh::new(vertices.concat(), triangles).unwrap()
}

pub fn torus(large: f64, small: f64, around: u32, across: u32) -> Mesh {
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let mut vertices = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let (sin, cos) = (TAU * f64::from(i) / f64::from(around)).sin_cos();
            let (up, out) = (TAU * f64::from(j) / f64::from(across)).sin_cos();
            let r = large + small * out;
            vertices.push(Point3::new(r * cos, r * sin, small * up));
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    Mesh::new(vertices, triangles).unwrap()
}

pub fn tessellated(a: [f64; 3], e: [f64; 2], t: [f64; 2], segments: usize) -> Mesh {
    let body = Superovoid::new(a, e, t).unwrap();
    Mesh::try_from(body.tessellate(segments)).unwrap()
}

/// A convex superovoid of any kind.
fn any_body(random: &mut ChaCha8Rng) -> Mesh {
    let a = [0; 3].map(|_| random.random_range(0.2..1.0));
    let e: [f64; 2] = [0; 2].map(|_| random.random_range(0.1..1.6));
    let limit = 0.9 * (1.0 - 0.5 * e[1]) * (0.5 * e[1]).exp2();
    let taper = random.random_range(-limit..limit);
    tessellated(a, e, [taper; 2], 12)
}

/// 200 meshes with a name each.
pub fn all() -> Vec<(String, Mesh)> {
    let mut random = ChaCha8Rng::seed_from_u64(51);
    let mut found: Vec<(String, Mesh)> = Vec::new();
    let mut add = |kind: &str, meshes: Vec<Mesh>| {
        for (k, mesh) in meshes.into_iter().enumerate() {
            found.push((format!("{kind} {k}"), mesh));
        }
    };
    let p = |x: f64, y: f64, z: f64| Point3::new(x, y, z);
    let corners = |x: f64, y: f64, z: f64| {
        let side = |k: usize, i: usize| if k >> i & 1 == 1 { 1.0 } else { -1.0 };
        let corner = |k| p(x * side(k, 0), y * side(k, 1), z * side(k, 2));
        (0..8).map(corner).collect::<Points>()
    };
    let regular = vec![
        p(1.0, 1.0, 1.0),
        p(1.0, -1.0, -1.0),
        p(-1.0, 1.0, -1.0),
        p(-1.0, -1.0, 1.0),
    ];
    let right = vec![
        p(0.0, 0.0, 0.0),
        p(1.0, 0.0, 0.0),
        p(0.0, 1.0, 0.0),
        p(0.0, 0.0, 1.0),
    ];
    let mut tetrahedra = vec![hull(regular.clone()), hull(right)];
    tetrahedra.extend((0..10).map(|_| hull(random_points(4, &mut random))));
    add("tetrahedron", tetrahedra);
    let mut boxes = vec![
        hull(corners(1.0, 1.0, 1.0)),
        hull(corners(1.0, 1.0, 0.3)),
        hull(corners(0.3, 0.3, 1.0)),
        hull(corners(1.0, 0.999, 1.001)),
    ];
    let mut side = || random.random_range(0.1..1.0);
    boxes.extend((0..6).map(|_| hull(corners(side(), side(), side()))));
    add("box", boxes);
    let mut prisms: Vec<Mesh> = (3..11)
        .flat_map(|n| [0.3, 1.0].map(|z| prism(n, [1.0, 1.0, z], 1.0)))
        .collect();
    prisms.extend((3..9).map(|n| prism(n, [1.0, 0.8, 1.2], 0.6)));
    add("prism", prisms);
    add(
        "pyramid",
        (3..9).map(|n| prism(n, [1.0, 1.0, 0.7], 0.0)).collect(),
    );
    let mut height = || random.random_range(0.2..2.0);
    add(
        "cone",
        (0..8)
            .map(|k| prism(16 + 4 * k, [1.0, 1.0, height()], 0.0))
            .collect(),
    );
    add(
        "cylinder",
        (0..10)
            .map(|k| prism(16 + 3 * k, [1.0, 1.0, height()], 1.0))
            .collect(),
    );
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let rectangles = [0, 1, 2].map(|turn| {
        corners(0.0, 1.0, golden)
            .iter()
            .map(|p| Point3::from(Vector3::from_fn(|i, _| p[(i + turn) % 3])))
            .collect::<Points>()
    });
    let axes = |k: f64| {
        (0..3)
            .flat_map(|i| [-k, k].map(|x| Point3::from(Vector3::ith(i, x))))
            .collect::<Points>()
    };
    add(
        "polyhedron",
        vec![
            hull(rectangles.concat()),
            hull(axes(1.0)),
            hull([corners(1.0, 1.0, 1.0), axes(1.5)].concat()),
            hull([corners(1.0, 1.0, 1.0), axes(2.0)].concat()),
            hull(
                [
                    regular.clone(),
                    regular
                        .iter()
                        .map(|p| -0.6 * p.coords)
                        .map(Point3::from)
                        .collect(),
                ]
                .concat(),
            ),
        ],
    );
    add(
        "ball",
        [6, 10, 16]
            .map(|n| tessellated([1.0; 3], [1.0; 2], [0.0; 2], n))
            .to_vec(),
    );
    add(
        "superovoid",
        (0..30).map(|_| any_body(&mut random)).collect(),
    );
    add(
        "hull",
        (0..40)
            .map(|_| {
                let count = random.random_range(6..40);
                hull(random_points(count, &mut random))
            })
            .collect(),
    );
    let mut symmetric = Vec::new();
    for fold in [1, 2, 3, 4, 5] {
        for mirrored in [false, true] {
            for count in [3, 6] {
                let mut points = repeated(&random_points(count, &mut random), fold, mirrored);
                if points.len() < 4 {
                    points.push(p(0.1, 0.2, 1.5));
                }
                symmetric.push(hull(points));
            }
        }
    }
    add("symmetric hull", symmetric);
    let mut size = || random.random_range(0.4..1.5);
    let mut angles = vec![angle(1.0, 1.0, 0.3)];
    angles.extend((0..9).map(|_| angle(size(), size(), 0.25)));
    add("angle", angles);
    let l = [
        [[-0.1, -0.1, 0.0], [0.1, 0.1, 1.0]],
        [[0.08, -0.1, 0.0], [0.72, 0.1, 0.2]],
    ];
    let t = [
        [[-0.5, -0.1, 0.0], [0.5, 0.1, 0.2]],
        [[-0.1, -0.1, 0.2], [0.1, 0.1, 1.0]],
    ];
    let cross = [
        [[-0.8, -0.1, -0.1], [0.8, 0.1, 0.1]],
        [[-0.1, -0.8, -0.1], [0.1, 0.8, 0.1]],
    ];
    let three = [
        [[-0.8, -0.1, -0.1], [0.8, 0.1, 0.1]],
        [[-0.1, -0.8, -0.1], [0.1, 0.8, 0.1]],
        [[-0.1, -0.1, -0.8], [0.1, 0.1, 0.8]],
    ];
    add(
        "blocks",
        vec![blocks(&l), blocks(&t), blocks(&cross), blocks(&three)],
    );
    add(
        "torus",
        (0..8)
            .map(|k| torus(1.0, 0.15 + 0.05 * f64::from(k), 12 + 2 * k, 8))
            .collect(),
    );
    found.truncate(200);
    found
}
