//! Every two kinds of docs/guides/pairs.md against convex pieces, a winding number and closed forms that share no code with
//! the library. `convex` draws every two of seven kinds.
//!
//! A body is the union of pieces with support points of their own; a solid mesh is also the inside of its triangles. Apart,
//! the witness points belong to the bodies, which bounds the distance from above, and every two pieces have a direction with
//! a gap as wide, which bounds it from below. In overlap every two pieces have a direction with a gap no lower than the
//! lower bound, and the named pieces none above the upper one.

use crate::oracle::body::{Body as Oval, Shape as Numbers};
use crate::sets::{any_direction, any_rotation, axis_rotation, convex_shape, in_parallel, spread};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::Mutex;
use superovoid::bvh::{BoxSet, HeightField, TriMesh};
use superovoid::convex::ConvexShape;
use superovoid::polytope::{Cuboid, Polytope, Segment, Triangle};
use superovoid::superquadric::{Sheets, Superquadric};
use superovoid::{
    Aabb, Contact, DepthMode, HalfSpace, Outcome, PartsContact, Plane, QueryOptions, Shape,
};

type V = Vector3<f64>;

const KINDS: [&str; 18] = [
    "superovoid",
    "ball",
    "cylinder",
    "capsule",
    "cone",
    "hull",
    "segment",
    "point",
    "cuboid",
    "triangle",
    "half-space",
    "plane",
    "mesh",
    "surface",
    "boxes",
    "height field",
    "cup",
    "ring",
];

/// A convex piece.
enum Piece {
    /// The hull of corners; normals of its faces and directions of its edges, if they are known.
    Hull(Vec<V>, [Vec<V>; 2]),
    /// The hull of two discs of two radii at z = ∓ half the length.
    Frustum([f64; 2], f64),
    /// A segment along z, of half the length, with a radius.
    Capsule(f64, f64),
    Oval(Box<Oval>),
    /// Semi-axes, exponents and height.
    Cup([f64; 3], [f64; 2], f64),
}

fn power_norm(u: f64, v: f64, p: f64) -> f64 {
    crate::oracle::body::norm(u.abs(), v.abs(), p)
}

impl Piece {
    fn support(&self, n: &V) -> V {
        let across = n.x.hypot(n.y);
        let rim = |r: f64, z: f64| {
            if across > 0.0 {
                V::new(r * n.x / across, r * n.y / across, z)
            } else {
                V::new(r, 0.0, z)
            }
        };
        match self {
            Piece::Hull(corners, _) => {
                let best = corners.iter().max_by(|p, q| n.dot(p).total_cmp(&n.dot(q)));
                *best.unwrap()
            }
            Piece::Frustum([low, high], h) => {
                let ends = [rim(*low, -h), rim(*high, *h)];
                if n.dot(&ends[0]) > n.dot(&ends[1]) {
                    ends[0]
                } else {
                    ends[1]
                }
            }
            Piece::Capsule(r, h) => n.normalize() * *r + V::z() * h.copysign(n.z),
            Piece::Oval(body) => body.support_point(n),
            Piece::Cup(a, e, height) => {
                let [p, p2] = e.map(|e| 2.0 / e);
                let (q, q2) = (p / (p - 1.0), p2 / (p2 - 1.0));
                let (u, v) = (a[0] * n.x.abs(), a[1] * n.y.abs());
                let wide = power_norm(u, v, q);
                // The greatest of ρ W + a₃ n₃ ζ, ρ = (ζ^p − 1)^(1/p).
                let down = -a[2] * n.z;
                let k = (down / wide).powf(q2);
                let zeta = if down <= 0.0 || (wide > 0.0 && k <= 1.0) {
                    *height
                } else if wide > 0.0 && k.is_finite() {
                    (k / (k - 1.0)).powf(1.0 / p2).min(*height)
                } else {
                    1.0
                };
                let rho = (zeta.powf(p2) - 1.0).max(0.0).powf(1.0 / p2);
                let share = |w: f64| {
                    if wide > 0.0 {
                        (w / wide).powf(q - 1.0)
                    } else {
                        0.0
                    }
                };
                V::new(
                    a[0] * rho * share(u).copysign(n.x),
                    a[1] * rho * share(v).copysign(n.y),
                    a[2] * zeta,
                )
            }
        }
    }

    fn margin(&self) -> f64 {
        match self {
            Piece::Capsule(r, _) => *r,
            _ => 0.0,
        }
    }

    /// An upper bound of how far a point is outside, 0 inside.
    fn outside(&self, x: &V) -> f64 {
        let across = x.x.hypot(x.y);
        let beyond = match self {
            Piece::Hull(..) => self.by_support(x),
            Piece::Frustum([low, high], h) => {
                let r = low + (high - low) * (x.z + h) / (2.0 * h);
                let to = |[a, b]: [f64; 2], [c, d]: [f64; 2]| {
                    let (u, v) = (c - a, d - b);
                    let t = ((across - a) * u + (x.z - b) * v) / (u * u + v * v);
                    let t = t.clamp(0.0, 1.0);
                    (across - a - t * u).hypot(x.z - b - t * v)
                };
                if across <= r && x.z.abs() <= *h {
                    0.0
                } else {
                    let ends = [[*low, -h], [*high, *h]];
                    let caps = ends.map(|[r, z]| (across - across.min(r)).hypot(x.z - z));
                    to(ends[0], ends[1]).min(caps[0]).min(caps[1])
                }
            }
            Piece::Capsule(r, h) => (x - V::z() * x.z.clamp(-h, *h)).norm() - r,
            Piece::Oval(body) => (body.gauge(x) - 1.0) * x.norm(),
            Piece::Cup(a, e, height) => {
                let [p, p2] = e.map(|e| 2.0 / e);
                let rho = power_norm(x.x / a[0], x.y / a[1], p);
                let zeta = x.z / a[2];
                let inside = zeta.min(*height);
                let widest = (inside.powf(p2) - 1.0).max(0.0).powf(1.0 / p2);
                let wide = (1.0 - widest / rho) * across;
                let below = (power_norm(1.0, rho, p2) - inside) * a[2];
                let side = if inside < 1.0 { below } else { wide.min(below) };
                side.max((zeta - height) * a[2])
            }
        };
        // The gauges of thin bodies are far too large.
        if beyond > 0.0 && matches!(self, Piece::Oval(_) | Piece::Cup(..)) {
            return beyond.min(self.by_support(x));
        }
        beyond.max(0.0)
    }

    /// The distance of a point outside.
    fn by_support(&self, x: &V) -> f64 {
        let here = |n: &V| self.support(n) - x;
        let there = |_: &V| V::zeros();
        separation(&here, &there, f64::INFINITY).upper
    }

    fn polytope(corners: Vec<V>, normals: Vec<V>, edges: Vec<V>) -> Self {
        Piece::Hull(corners, [normals, edges])
    }

    fn triangle(c: [V; 3]) -> Self {
        let edges: Vec<V> = (0..3).map(|i| c[(i + 1) % 3] - c[i]).collect();
        let normal = edges[0].cross(&edges[1]);
        let mut normals = vec![normal];
        normals.extend(edges.iter().map(|e| normal.cross(e)));
        Piece::polytope(c.to_vec(), normals, edges)
    }

    fn cuboid(min: V, max: V) -> Self {
        let axes: Vec<V> = (0..3).map(|i| V::ith(i, 1.0)).collect();
        let corner = |k: usize| V::from_fn(|i, _| if k >> i & 1 == 0 { min[i] } else { max[i] });
        Piece::polytope((0..8).map(corner).collect(), axes.clone(), axes)
    }

    fn prism(top: [V; 3], bottom: f64) -> Self {
        let sides = (0..3).map(|i| top[(i + 1) % 3] - top[i]);
        let flat = sides.clone().map(|e| V::new(e.x, e.y, 0.0));
        let edges: Vec<V> = sides.clone().chain(flat.clone()).chain([V::z()]).collect();
        let mut normals: Vec<V> = flat.map(|e| e.cross(&V::z())).collect();
        normals.extend([edges[0].cross(&edges[1]), V::z()]);
        let below = top.map(|p| V::new(p.x, p.y, bottom));
        Piece::polytope([top, below].concat(), normals, edges)
    }
}

/// What is known of the distance of two convex sets.
struct Separation {
    lower: f64,
    /// Of two points; 0 where the sets have a common one.
    upper: f64,
    normal: V,
}

/// GJK with a search of all faces of the simplex, until the gap is wide enough or the bracket is closed.
fn separation(a: &impl Fn(&V) -> V, b: &impl Fn(&V) -> V, enough: f64) -> Separation {
    let mut v = b(&V::x()) - a(&V::x());
    let mut simplex = vec![v];
    let mut best = Separation {
        lower: f64::NEG_INFINITY,
        upper: v.norm(),
        normal: V::x(),
    };
    for _ in 0..100 {
        let length = v.norm();
        if length < 1e-14 * simplex.iter().map(V::norm).fold(1e-300, f64::max) {
            best.upper = 0.0;
            break;
        }
        best.upper = best.upper.min(length);
        let n = v / length;
        let w = b(&-n) - a(&n);
        let gap = n.dot(&w);
        if gap > best.lower {
            (best.lower, best.normal) = (gap, n);
        }
        if gap >= enough || length - gap <= 1e-12 * length || simplex.contains(&w) {
            break;
        }
        simplex.push(w);
        let (point, kept) = nearest_of_simplex(&simplex);
        if kept.len() == 4 {
            best.upper = 0.0;
            break;
        }
        (v, simplex) = (point, kept);
    }
    best
}

/// The point of a simplex of at most five vertices that is nearest to the origin, by all its faces of at most four.
fn nearest_of_simplex(w: &[V]) -> (V, Vec<V>) {
    let mut best = (f64::INFINITY, V::zeros(), Vec::new());
    for mask in 1_u32..1 << w.len() {
        let face: Vec<V> = (0..w.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| w[i])
            .collect();
        let Some(share) = shares(&face) else { continue };
        let point: V = face.iter().zip(share).map(|(w, s)| w * s).sum();
        if point.norm() < best.0 {
            best = (point.norm(), point, face);
        }
    }
    (best.1, best.2)
}

/// The shares of the vertices in the point of their plane that is nearest to the origin, if none is negative.
fn shares(w: &[V]) -> Option<[f64; 4]> {
    let d: Vec<V> = w[1..].iter().map(|v| v - w[0]).collect();
    let mut share = [0.0; 4];
    match d[..] {
        [] => {}
        [x] => share[1] = -w[0].dot(&x) / x.norm_squared(),
        [x, y] => {
            let n = x.cross(&y);
            let k = n.norm_squared();
            share[1] = -w[0].cross(&y).dot(&n) / k;
            share[2] = -x.cross(&w[0]).dot(&n) / k;
        }
        [x, y, z] => {
            let k = x.dot(&y.cross(&z));
            share[1] = -w[0].dot(&y.cross(&z)) / k;
            share[2] = -x.dot(&w[0].cross(&z)) / k;
            share[3] = -x.dot(&y.cross(&w[0])) / k;
        }
        _ => return None,
    }
    share[0] = 1.0 - share[1] - share[2] - share[3];
    share.iter().all(|s| *s >= 0.0).then_some(share)
}

/// A body of any kind.
struct Body {
    shape: Shape,
    pieces: Vec<Piece>,
    /// The triangles of a solid mesh.
    closed: Vec<[V; 3]>,
    /// The normal, the offset, and whether it is solid.
    flat: Option<(V, f64, bool)>,
    /// The radii of the circle and of the tube of a round ring.
    ring: Option<[f64; 2]>,
    size: f64,
}

struct Vertices(Vec<Point3<f64>>);

impl Polytope for Vertices {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}

fn points(v: &[V]) -> Vec<Point3<f64>> {
    v.iter().map(|v| Point3::from(*v)).collect()
}

fn any_vector(rng: &mut ChaCha8Rng, scale: V) -> V {
    V::from_fn(|i, _| scale[i] * rng.random_range(-1.0..1.0))
}

/// The closed triangles of a box, a tetrahedron, an L, a ring of four sides or two boxes, outwards.
fn solid(rng: &mut ChaCha8Rng, scale: V) -> Vec<[V; 3]> {
    let mut soup: Vec<[V; 3]> = Vec::new();
    let mut cuboid = |min: [f64; 3], max: [f64; 3], inwards: bool| {
        let at = |k: usize| V::from_fn(|i, _| if k >> i & 1 == 0 { min[i] } else { max[i] });
        let faces = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        for [a, b, c, d] in faces.map(|face| face.map(at)) {
            let two = [[a, b, c], [a, c, d]];
            soup.extend(two.map(|[a, b, c]| if inwards { [a, c, b] } else { [a, b, c] }));
        }
    };
    match rng.random_range(0..5) {
        0 => cuboid([-1.0; 3], [1.0; 3], false),
        1 => {
            let c: Vec<V> = (0..4).map(|_| any_vector(rng, V::repeat(1.0))).collect();
            let positive = (c[1] - c[0]).dot(&(c[2] - c[0]).cross(&(c[3] - c[0]))) > 0.0;
            for [i, j, k] in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
                let [a, b, d] = [c[i], c[j], c[k]];
                soup.push(if positive { [a, b, d] } else { [a, d, b] });
            }
        }
        2 => {
            // An L along z.
            let p = [
                [-1.0, -1.0],
                [1.0, -1.0],
                [1.0, 0.0],
                [0.0, 0.0],
                [0.0, 1.0],
                [-1.0, 1.0],
            ];
            let at = |k: usize, z: f64| V::new(p[k % 6][0], p[k % 6][1], z);
            for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
                soup.push([at(a, 0.5), at(b, 0.5), at(c, 0.5)]);
                soup.push([at(a, -0.5), at(c, -0.5), at(b, -0.5)]);
            }
            for k in 0..6 {
                soup.push([at(k, -0.5), at(k + 1, -0.5), at(k + 1, 0.5)]);
                soup.push([at(k, -0.5), at(k + 1, 0.5), at(k, 0.5)]);
            }
        }
        3 => {
            let at = |i: usize, j: usize| {
                let turn =
                    |k: usize, of: usize| std::f64::consts::TAU * (k % of) as f64 / of as f64;
                let (u, v) = (turn(i, 5), turn(j, 4));
                let rho = 0.7 + 0.3 * v.cos();
                V::new(rho * u.cos(), rho * u.sin(), 0.3 * v.sin())
            };
            for (i, j) in (0..5).flat_map(|i| (0..4).map(move |j| (i, j))) {
                let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                soup.extend([[a, b, c], [a, c, d]]);
            }
        }
        _ => {
            cuboid([-1.0; 3], [1.0; 3], false);
            if rng.random() {
                cuboid([-0.6; 3], [0.7; 3], true);
            } else {
                cuboid([1.2, -0.5, -0.5], [1.5, 0.5, 0.5], false);
            }
        }
    }
    for v in soup.iter_mut().flatten() {
        *v = v.component_mul(&scale);
    }
    soup
}

impl Body {
    fn any(kind: usize, rng: &mut ChaCha8Rng, scale: f64, thin: bool) -> Self {
        let mut length = || 10_f64.powf(rng.random_range(-1.0..0.0)) * scale;
        let mut l = V::new(length(), length(), length());
        if thin {
            l[rng.random_range(0..3)] *= 1e-3;
        }
        let mut body = Body {
            shape: ConvexShape::ball(1.0).unwrap().into(),
            pieces: Vec::new(),
            closed: Vec::new(),
            flat: None,
            ring: None,
            size: l.amax(),
        };
        let convex = |shape: Result<ConvexShape, _>| Shape::from(shape.unwrap());
        let corners = |rng: &mut ChaCha8Rng, count: usize| -> Vec<V> {
            (0..count).map(|_| any_vector(rng, l)).collect()
        };
        let mesh = |soup: &[[V; 3]]| {
            let all = points(soup.as_flattened());
            let triangles = (0..soup.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
            TriMesh::new(all, triangles.collect()).unwrap()
        };
        match KINDS[kind] {
            "superovoid" => {
                let e = [0; 2].map(|_| rng.random_range(0.3..1.7));
                let numbers = if rng.random_range(0..8) == 0 {
                    convex_shape(rng, l.into(), e)
                } else {
                    Numbers::new(l.into(), e, [0.0; 2])
                };
                body.shape = numbers.build().into();
                body.pieces = vec![Piece::Oval(Box::new(Oval::new(numbers)))];
            }
            "ball" => {
                body.size = l.x;
                body.shape = convex(ConvexShape::ball(l.x));
                body.pieces = vec![Piece::Capsule(l.x, 0.0)];
            }
            "cylinder" => {
                body.shape = convex(ConvexShape::cylinder(l.x, 2.0 * l.z));
                body.pieces = vec![Piece::Frustum([l.x; 2], l.z)];
            }
            "capsule" => {
                body.shape = convex(ConvexShape::capsule(l.x, 2.0 * l.z));
                body.pieces = vec![Piece::Capsule(l.x, l.z)];
            }
            "cone" => {
                body.shape = convex(ConvexShape::cone(l.x, 2.0 * l.z));
                body.pieces = vec![Piece::Frustum([l.x, 0.0], l.z)];
            }
            "hull" => {
                let count = rng.random_range(4..12);
                let c = corners(rng, count);
                body.shape = convex(ConvexShape::hull(&points(&c)));
                let triples = (0..c.len())
                    .flat_map(|i| (0..i).flat_map(move |j| (0..j).map(move |k| (i, j, k))));
                let normals = triples
                    .map(|(i, j, k)| (c[j] - c[i]).cross(&(c[k] - c[i])))
                    .filter(|n| {
                        let at = c.iter().map(|c| n.dot(c));
                        let [low, high] = [
                            at.clone().fold(f64::MAX, f64::min),
                            at.fold(f64::MIN, f64::max),
                        ];
                        let on = |h: f64| {
                            c.iter()
                                .filter(|c| (n.dot(c) - h).abs() <= 1e-12 * n.norm() * l.amax())
                                .count()
                        };
                        on(low) > 2 || on(high) > 2
                    })
                    .collect();
                let edges = (0..c.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
                let edges = edges.map(|(i, j)| c[i] - c[j]).collect();
                body.pieces = vec![Piece::polytope(c, normals, edges)];
            }
            "segment" => {
                let c = corners(rng, 2);
                body.shape = Segment::new(c[0].into(), c[1].into()).unwrap().into();
                let along = c[1] - c[0];
                body.pieces = vec![Piece::polytope(c, vec![], vec![along])];
            }
            "point" => {
                let c = corners(rng, 1);
                body.shape = Shape::Polytope(Arc::new(Vertices(points(&c))));
                body.pieces = vec![Piece::polytope(c, vec![], vec![])];
            }
            "cuboid" => {
                body.shape = Cuboid::new(l.into()).unwrap().into();
                body.pieces = vec![Piece::cuboid(-l, l)];
            }
            "triangle" => {
                let c = corners(rng, 3);
                body.shape = Triangle::new([c[0].into(), c[1].into(), c[2].into()])
                    .unwrap()
                    .into();
                body.pieces = vec![Piece::triangle([c[0], c[1], c[2]])];
            }
            name @ ("half-space" | "plane") => {
                let (n, offset) = (any_direction(rng), rng.random_range(-0.5..0.5) * scale);
                let filled = name == "half-space";
                body.shape = if filled {
                    HalfSpace::new(n, offset).unwrap().into()
                } else {
                    Plane::new(n, offset).unwrap().into()
                };
                body.flat = Some((n, offset, filled));
                body.size = 0.0;
            }
            "mesh" => {
                body.closed = solid(rng, l);
                let made = mesh(&body.closed);
                assert!(made.is_solid());
                body.shape = made.into();
                body.pieces = body.closed.iter().map(|c| Piece::triangle(*c)).collect();
            }
            "surface" => {
                let mut soup = solid(rng, l);
                if rng.random() {
                    let small = 0.3 * l;
                    soup = (0..rng.random_range(1..12))
                        .map(|_| {
                            let middle = any_vector(rng, l);
                            [0; 3].map(|_| middle + any_vector(rng, small))
                        })
                        .collect();
                }
                body.shape = mesh(&soup).surface().into();
                body.pieces = soup.iter().map(|c| Piece::triangle(*c)).collect();
            }
            "boxes" => {
                let grid = rng.random::<bool>();
                let cells: Vec<[V; 2]> = (0..rng.random_range(1..12))
                    .map(|_| {
                        let mut middle = any_vector(rng, V::repeat(1.0));
                        let mut half = V::from_fn(|_, _| rng.random_range(0.01..0.5));
                        if grid {
                            // Cells of an octree: neighbours share faces.
                            half = V::repeat(0.125);
                            middle = middle.map(|x| (x * 4.0).floor() * 0.25 + 0.125);
                        }
                        [middle - half, middle + half].map(|v| v.component_mul(&l))
                    })
                    .collect();
                let aabb = |[min, max]: &[V; 2]| Aabb {
                    min: (*min).into(),
                    max: (*max).into(),
                };
                body.shape = BoxSet::new(cells.iter().map(aabb).collect())
                    .unwrap()
                    .into();
                body.pieces = cells
                    .iter()
                    .map(|[min, max]| Piece::cuboid(*min, *max))
                    .collect();
                body.size *= 1.5;
            }
            "height field" => {
                let counts = [0; 2].map(|_| rng.random_range(2..5_usize));
                let mut ends = |size: f64| {
                    if rng.random() {
                        [-size, size]
                    } else {
                        [size, -size]
                    }
                };
                let (x, y) = (ends(l.x), ends(l.y));
                let mut height = || {
                    l.z * if rng.random_range(0..4) == 0 {
                        0.0
                    } else {
                        rng.random_range(-0.9..1.0)
                    }
                };
                let heights: Vec<f64> = (0..counts[0] * counts[1]).map(|_| height()).collect();
                let at = |row: usize, column: usize| {
                    let place = |[from, to]: [f64; 2], k: usize, count: usize| {
                        from + (to - from) * k as f64 / (count - 1) as f64
                    };
                    V::new(
                        place(x, column, counts[1]),
                        place(y, row, counts[0]),
                        heights[row * counts[1] + column],
                    )
                };
                for (row, column) in
                    (1..counts[0]).flat_map(|row| (1..counts[1]).map(move |column| (row, column)))
                {
                    for corner in [at(row - 1, column - 1), at(row, column)] {
                        let top = [corner, at(row, column - 1), at(row - 1, column)];
                        body.pieces.push(Piece::prism(top, -l.z));
                    }
                }
                body.shape = HeightField::new(heights, counts[1], x, y, -l.z)
                    .unwrap()
                    .into();
            }
            "cup" => {
                let e = [0; 2].map(|_| rng.random_range(0.3..1.7));
                let height = 1.0 + spread(rng, 0.1, 3.0);
                body.shape = Superquadric::two_sheets(l.into(), e, height, Sheets::Upper)
                    .unwrap()
                    .into();
                body.pieces = vec![Piece::Cup(l.into(), e, height)];
                body.size *= height;
            }
            _ => {
                let b = 1.0 + spread(rng, 0.05, 5.0);
                body.shape = Superquadric::toroid([l.x; 3], [1.0; 2], b).unwrap().into();
                body.ring = Some([l.x * b, l.x]);
                body.size = l.x * (b + 1.0);
            }
        }
        body
    }

    /// How often the triangles of a solid wind around a point.
    fn winding(&self, p: &V) -> f64 {
        let angle = |corners: &[V; 3]| {
            let [a, b, c] = corners.map(|corner| corner - p);
            let (x, y, z) = (a.norm(), b.norm(), c.norm());
            let volume = a.dot(&b.cross(&c));
            2.0 * volume.atan2(x * y * z + a.dot(&b) * z + b.dot(&c) * x + c.dot(&a) * y)
        };
        self.closed.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
    }
}

/// A body in the frame of the world, less an origin near both bodies.
struct Placed<'a> {
    body: &'a Body,
    turn: UnitQuaternion<f64>,
    at: V,
}

impl Placed<'_> {
    fn of_piece(&self, k: usize, n: &V) -> V {
        self.turn * self.body.pieces[k].support(&(self.turn.inverse() * n)) + self.at
    }

    fn local(&self, x: &V) -> V {
        self.turn.inverse() * (x - self.at)
    }

    fn corner(&self, k: usize) -> V {
        self.of_piece(k, &V::new(0.3, 0.5, -0.7))
    }

    /// The value of the support function of all.
    fn support(&self, n: &V) -> f64 {
        if let Some([circle, tube]) = self.body.ring {
            let local = self.turn.inverse() * n;
            return circle * local.x.hypot(local.y) + tube + n.dot(&self.at);
        }
        (0..self.body.pieces.len())
            .map(|k| n.dot(&self.of_piece(k, n)))
            .fold(f64::MIN, f64::max)
    }

    fn outside(&self, k: u32, x: &V) -> f64 {
        let x = self.local(x);
        if let Some([circle, tube]) = self.body.ring {
            return ((x.x.hypot(x.y) - circle).hypot(x.z) - tube).max(0.0);
        }
        if let Some((n, offset, filled)) = self.body.flat {
            let above = n.dot(&x) - offset;
            return if filled { above.max(0.0) } else { above.abs() };
        }
        self.body.pieces[k as usize].outside(&x)
    }

    fn axes(&self, k: usize) -> [Vec<V>; 2] {
        match &self.body.pieces[k] {
            Piece::Hull(_, axes) => axes
                .clone()
                .map(|list| list.iter().map(|n| self.turn * n).collect()),
            Piece::Capsule(_, h) if *h == 0.0 => [vec![], vec![]],
            Piece::Capsule(..) => [vec![], vec![self.turn * V::z()]],
            _ => [vec![self.turn * V::z()], vec![self.turn * V::z()]],
        }
    }

    fn holds(&self, x: &V) -> bool {
        !self.body.closed.is_empty() && self.body.winding(&self.local(x)) > 0.5
    }
}

struct Judge<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    eps: f64,
    /// The normals of all parts that overlap.
    ask: &'a dyn Fn() -> Vec<V>,
    hints: OnceCell<Vec<V>>,
}

impl Judge<'_> {
    fn gap(&self, i: usize, j: usize, n: &V) -> f64 {
        n.dot(&(self.b.of_piece(j, &-n) - self.a.of_piece(i, n)))
    }

    /// Balls and capsules count by their points and segments, which makes their depth a distance.
    fn separation(&self, i: usize, j: usize, enough: f64) -> Separation {
        let [r, q] = [
            self.a.body.pieces[i].margin(),
            self.b.body.pieces[j].margin(),
        ];
        let a = |n: &V| self.a.of_piece(i, n) - n * r;
        let b = |n: &V| self.b.of_piece(j, n) - n * q;
        let mut found = separation(&a, &b, enough + r + q);
        found.lower -= r + q;
        found.upper -= r + q;
        found
    }

    /// The widest gap found, of any sign, or one that is enough.
    fn widest(
        &self,
        i: usize,
        j: usize,
        start: &V,
        enough: f64,
        thorough: bool,
        rng: &mut ChaCha8Rng,
    ) -> f64 {
        let mut best = (self.gap(i, j, start), *start);
        let better = |n: V, best: &mut (f64, V)| {
            if let Some(n) = n.try_normalize(1e-200) {
                for n in [n, -n] {
                    let found = self.gap(i, j, &n);
                    if found > best.0 {
                        *best = (found, n);
                    }
                }
            }
        };
        if best.0 >= enough {
            return best.0;
        }
        let apart = self.separation(i, j, enough);
        better(apart.normal, &mut best);
        if best.0 >= enough || apart.upper - best.0 <= 1e-12 * apart.upper.abs() {
            return best.0;
        }
        let [of_a, of_b] = [self.a.axes(i), self.b.axes(j)];
        let crossed = of_a[1]
            .iter()
            .flat_map(|x| of_b[1].iter().map(move |y| (x, y)));
        // Edges that are nearly parallel have a cross product of few digits.
        let crossed = crossed.filter_map(|(x, y)| {
            let n = x.cross(y);
            (n.norm() > 1e-10 * x.norm() * y.norm()).then_some(n)
        });
        for n in of_a[0].iter().chain(&of_b[0]).copied().chain(crossed) {
            better(n, &mut best);
            if best.0 >= enough {
                return best.0;
            }
        }
        let exact = |placed: &Placed, k: usize| {
            matches!(placed.body.pieces[k], Piece::Hull(..) | Piece::Capsule(..))
        };
        if exact(&self.a, i) && exact(&self.b, j) {
            return best.0;
        }
        if thorough {
            // Any direction proves its gap, also that of the library.
            for n in self.hints.get_or_init(|| (self.ask)()).iter() {
                better(*n, &mut best);
            }
            if best.0 >= enough {
                return best.0;
            }
        }
        // Few directions first, many where these are not enough.
        for (many, climbs) in [(24, 1), (300, 4), (3000, 30)] {
            let mut starts: Vec<(f64, V)> = (0..many)
                .map(|_| any_direction(rng))
                .map(|n| (self.gap(i, j, &n), n))
                .chain([best])
                .collect();
            starts.sort_by(|x, y| y.0.total_cmp(&x.0));
            for mut at in starts.into_iter().take(climbs) {
                let mut step = 0.3;
                while step > 1e-8 && best.0 < enough {
                    let before = at.0;
                    for _ in 0..8 {
                        let n = at.1 + any_direction(rng) * step;
                        better(n, &mut at);
                    }
                    if at.0 == before {
                        step *= 0.5;
                    }
                    if at.0 > best.0 {
                        best = at;
                    }
                }
            }
            if best.0 >= enough || !thorough {
                break;
            }
        }
        best.0
    }

    fn wrong(
        &self,
        found: &PartsContact,
        depth: DepthMode,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        let (parts, c) = (&found.parts, &found.contact);
        let n = c.normal.into_inner();
        if !(c.lower <= c.distance && c.distance <= c.upper) {
            return Some("the bracket does not hold the distance".into());
        }
        if (n.norm() - 1.0).abs() > 1e-14 {
            return Some("the normal is no unit vector".into());
        }
        if !c.distance.is_finite() {
            return (self.a.body.flat.is_none() || self.b.body.flat.is_none())
                .then(|| "it is infinite".into());
        }
        let closure = (c.point_b - c.point_a - n * c.distance).norm();
        if closure > self.eps {
            return Some(format!("the points do not close by {closure:e}"));
        }
        if self.a.body.flat.is_some() || self.b.body.flat.is_some() {
            return self.flat(parts, c, depth);
        }
        if self.a.body.ring.is_some() || self.b.body.ring.is_some() {
            return self.with_ring(parts, c, depth, rng);
        }
        self.pieces(parts, c, depth, rng)
    }

    fn witnesses(&self, parts: &[u32; 2], c: &Contact) -> Option<String> {
        let off = [
            self.a.outside(parts[0], &c.point_a.coords),
            self.b.outside(parts[1], &c.point_b.coords),
        ];
        (off[0] > self.eps || off[1] > self.eps)
            .then(|| format!("the points are outside by {off:?}"))
    }

    /// Against half-spaces and planes, in closed form.
    fn flat(&self, parts: &[u32; 2], c: &Contact, depth: DepthMode) -> Option<String> {
        let world = |p: &Placed| {
            p.body.flat.map(|(n, offset, filled)| {
                let n = p.turn * n;
                (n, offset + n.dot(&p.at), filled)
            })
        };
        let right = match (world(&self.a), world(&self.b)) {
            (Some((n, o, filled)), Some((m, q, full))) => {
                let same = n.dot(&m);
                match (filled, full) {
                    (true, true) => -o - q,
                    (true, false) => q * same.signum() - o,
                    (false, true) => o * same.signum() - q,
                    (false, false) => (q * same.signum() - o).abs(),
                }
            }
            (flat_a, flat_b) => {
                let (n, o, filled) = flat_a.or(flat_b).unwrap();
                let body = if flat_a.is_some() { &self.b } else { &self.a };
                let ends = |h: &dyn Fn(&V) -> f64| [-h(&-n) - o, o - h(&n)];
                let all = ends(&|n| body.support(n));
                let clear = |k: usize| {
                    let [above, below] = ends(&|n| n.dot(&body.of_piece(k, n)));
                    above.max(below)
                };
                let count = body.body.pieces.len();
                let least = (0..count).map(clear).fold(f64::INFINITY, f64::min);
                if filled {
                    all[0]
                } else if least > 0.0 && count > 0 {
                    // Where a part all but touches, rounding decides.
                    let crossed = all[0].max(all[1]);
                    if least <= self.eps && (c.distance - crossed).abs() <= self.eps {
                        crossed
                    } else {
                        least
                    }
                } else {
                    all[0].max(all[1])
                }
            }
        };
        // Of many parts any that overlaps may answer.
        let any = depth == DepthMode::Any && c.outcome == Outcome::Converged && right <= self.eps;
        if (!any && (c.distance - right).abs() > self.eps)
            || c.lower > right + self.eps
            || c.upper < right - self.eps
        {
            return Some(format!("the closed form is {right:e}"));
        }
        self.witnesses(parts, c)
    }

    /// Round rings: the circle's nearest point, by samples that are refined.
    fn with_ring(
        &self,
        parts: &[u32; 2],
        c: &Contact,
        depth: DepthMode,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        let (ring, other, n) = if self.a.body.ring.is_some() {
            (&self.a, &self.b, c.normal.into_inner())
        } else {
            (&self.b, &self.a, -c.normal.into_inner())
        };
        let [circle, tube] = ring.body.ring.unwrap();
        let point = |u: f64| ring.turn * (V::new(u.cos(), u.sin(), 0.0) * circle) + ring.at;
        let apart = |u: f64| {
            let x = point(u);
            if let Some([circle, tube]) = other.body.ring {
                let x = other.local(&x);
                return (x.x.hypot(x.y) - circle).hypot(x.z) - tube;
            }
            if other.holds(&x) {
                return 0.0;
            }
            let all = other.body.pieces.iter().map(|piece| match piece {
                Piece::Oval(_) | Piece::Cup(..) => piece.by_support(&other.local(&x)),
                piece => piece.outside(&other.local(&x)),
            });
            all.fold(f64::INFINITY, f64::min)
        };
        const SAMPLES: usize = 32;
        let step = std::f64::consts::TAU / SAMPLES as f64;
        let mut samples: Vec<(f64, f64)> = (0..SAMPLES)
            .map(|k| (apart(k as f64 * step), k as f64 * step))
            .collect();
        samples.sort_by(|x, y| x.0.total_cmp(&y.0));
        let witness = if self.a.body.ring.is_some() {
            c.point_a
        } else {
            c.point_b
        };
        let witness = ring.local(&witness.coords);
        samples.insert(0, (0.0, witness.y.atan2(witness.x)));
        let mut least = f64::INFINITY;
        for &(_, start) in samples.iter().take(3) {
            const GOLDEN: f64 = 0.618_033_988_749_894_9;
            let (mut from, mut to) = (start - step, start + step);
            let inner =
                |from: f64, to: f64| [to - (to - from) * GOLDEN, from + (to - from) * GOLDEN];
            let mut at = inner(from, to);
            let mut value = at.map(apart);
            while to - from > 1e-9 {
                if value[0] < value[1] {
                    to = at[1];
                    at = [inner(from, to)[0], at[0]];
                    value = [apart(at[0]), value[0]];
                } else {
                    from = at[0];
                    at = [at[1], inner(from, to)[1]];
                    value = [value[1], apart(at[1])];
                }
            }
            // Where the interval holds several minima, the best that is known counts.
            least = least.min(apart(start)).min(apart(0.5 * (from + to)));
        }
        let right = least - tube;
        // The deepest overlap of a ring with a body that holds its circle is not known; its distance is at most this.
        // Of many parts any that overlaps may answer.
        let any = depth == DepthMode::Any && right <= self.eps;
        if !any && c.lower > right + self.eps {
            return Some(format!("two points are {right:e} apart"));
        }
        let apart = least > 0.0 && right > self.eps;
        // A bracket that 1500 parts do not close is of points that are nearly as near as each other.
        let slack = if c.outcome == Outcome::NotConverged {
            10.0 * self.eps
        } else {
            self.eps
        };
        if apart && (c.distance - right).abs() > slack {
            return Some(format!("the distance is {right:e}"));
        }
        if apart && c.upper < right - self.eps {
            return Some(format!("the upper bound is below {right:e}"));
        }
        if right < -self.eps && c.distance > self.eps {
            return Some(format!("they overlap by {right:e}"));
        }
        let hull = |n: &V| -self.a.support(n) - self.b.support(&-n);
        let sign = if self.a.body.ring.is_some() {
            1.0
        } else {
            -1.0
        };
        for n in (0..6).map(|_| any_direction(rng)).chain([sign * n]) {
            if hull(&n) > c.upper + self.eps {
                return Some(format!("the hulls are {:e} apart", hull(&n)));
            }
        }
        // Inside a solid the way out leads past a plane.
        let inside = !apart && !other.body.closed.is_empty();
        let proof = depth == DepthMode::Any && c.distance < 0.0;
        if c.outcome == Outcome::NotConverged || inside || proof {
            return None;
        }
        self.witnesses(parts, c)
    }

    fn pieces(
        &self,
        parts: &[u32; 2],
        c: &Contact,
        depth: DepthMode,
        rng: &mut ChaCha8Rng,
    ) -> Option<String> {
        let n = c.normal.into_inner();
        let [of_a, of_b] = [&self.a, &self.b].map(|placed| placed.body.pieces.len());
        let all = || (0..of_a).flat_map(|i| (0..of_b).map(move |j| (i, j)));
        let named = [parts[0] as usize, parts[1] as usize];
        if named[0] >= of_a || named[1] >= of_b {
            return Some("there are no such parts".into());
        }
        let solid = !self.a.body.closed.is_empty() || !self.b.body.closed.is_empty();
        let inside = || {
            (0..of_a).any(|i| self.b.holds(&self.a.corner(i)))
                || (0..of_b).any(|j| self.a.holds(&self.b.corner(j)))
        };
        if c.distance > self.eps {
            let wrong = self.witnesses(parts, c);
            if wrong.is_some() {
                return wrong;
            }
            if c.outcome == Outcome::Certified && c.upper - c.lower > self.eps {
                return Some("certified and open".into());
            }
            if c.outcome != Outcome::Certified {
                return Some("apart and not certified".into());
            }
            for (i, j) in all() {
                let enough = c.distance - self.eps;
                if self.gap(i, j, &n) < enough {
                    let other = self.separation(i, j, enough);
                    if other.lower < enough {
                        return Some(format!(
                            "parts {i} {j} are {:e} to {:e} apart",
                            other.lower, other.upper
                        ));
                    }
                }
            }
            return (solid && inside()).then(|| "one is inside the other".into());
        }
        if depth != DepthMode::Any {
            for (i, j) in all() {
                let widest = self.widest(i, j, &n, c.lower - self.eps, true, rng);
                if widest < c.lower - self.eps {
                    return Some(format!(
                        "of parts {i} {j} no gap over {widest:e} was found, lower {:e}",
                        c.lower
                    ));
                }
            }
        }
        if c.distance < -self.eps {
            let crosses = || all().any(|(i, j)| self.separation(i, j, self.eps).upper <= self.eps);
            if solid && !crosses() && !inside() {
                return Some("they are apart".into());
            }
            if !solid && self.separation(named[0], named[1], self.eps).lower > self.eps {
                return Some("the parts are apart".into());
            }
        }
        if c.upper < -self.eps {
            let starts = [n, any_direction(rng), any_direction(rng)];
            for m in starts {
                let gap = if solid {
                    -self.a.support(&m) - self.b.support(&-m)
                } else {
                    self.gap(named[0], named[1], &m)
                };
                if gap > c.upper + self.eps {
                    return Some(format!("the upper bound is below a gap of {gap:e}"));
                }
            }
        }
        if solid {
            return None;
        }
        if c.outcome == Outcome::NotConverged {
            return (c.distance < -self.eps).then(|| "it is not converged".into());
        }
        let widest = self.widest(named[0], named[1], &n, c.upper + 2.0 * self.eps, false, rng);
        if widest > c.upper + self.eps {
            return Some(format!(
                "the upper bound is below a gap of {widest:e} of the named parts"
            ));
        }
        let along = self.gap(named[0], named[1], &n);
        if c.distance < -self.eps && (along - c.distance).abs() > self.eps {
            return Some(format!("the gap along the normal is {along:e}"));
        }
        // The points of a proof that bodies overlap need not be on the surfaces.
        if depth == DepthMode::Any && c.distance < 0.0 {
            return None;
        }
        self.witnesses(parts, c)
    }
}

fn pose_of(turn: UnitQuaternion<f64>, at: V) -> Isometry3<f64> {
    Isometry3::from_parts(at.into(), turn)
}

/// The draw `k` of two kinds: what is wrong with its answers.
fn draw(kinds: [usize; 2], k: usize) -> Option<String> {
    let mut rng = ChaCha8Rng::seed_from_u64((kinds[0] * 100 + kinds[1]) as u64);
    rng.set_stream(k as u64);
    let rng = &mut rng;
    let regime = k % 12;
    let scales = match regime {
        0 => [1e-3, 1e-3],
        1 => [1e3, 1e3],
        2 => [1.0, 1e-2],
        3 => [1e-2, 1.0],
        _ => [1.0, 1.0],
    };
    let thin = regime == 4 || regime == 5;
    let mut bodies = [0, 1].map(|i| Body::any(kinds[i], rng, scales[i], thin));
    if bodies.iter().all(|body| body.flat.is_some()) {
        // Half-spaces and planes meet, or are parallel.
        let (n, _, _) = bodies[0].flat.unwrap();
        let offset = rng.random_range(-1.0..1.0);
        let n = if rng.random() { n } else { -n };
        let filled = bodies[1].flat.unwrap().2;
        bodies[1].flat = Some((n, offset, filled));
        bodies[1].shape = if filled {
            HalfSpace::new(n, offset).unwrap().into()
        } else {
            Plane::new(n, offset).unwrap().into()
        };
    }
    let size = bodies[0].size.max(bodies[1].size).max(1e-3);
    let far = if regime == 6 { 1e4 * size } else { 0.0 };
    let origin = any_direction(rng) * far;
    let square = regime == 7 || regime == 8;
    let flats = bodies[0].flat.is_some() && bodies[1].flat.is_some();
    let turn = if square {
        axis_rotation(rng)
    } else {
        any_rotation(rng)
    };
    let other = if square || flats {
        turn
    } else {
        any_rotation(rng)
    };
    let reach = match regime {
        9 => 0.0,
        10 => 0.2,
        _ => rng.random_range(0.0..2.5),
    };
    let reach = reach * (bodies[0].size + bodies[1].size);
    let mut poses = [
        pose_of(turn, origin),
        pose_of(other, origin + any_direction(rng) * reach),
    ];
    let depth = match k % 5 {
        1 => DepthMode::Certified,
        2 => DepthMode::Any,
        _ => DepthMode::Fast,
    };
    let options = QueryOptions::default().with_depth(depth);
    let ask = |poses: &[Isometry3<f64>; 2], options: &QueryOptions| {
        bodies[0]
            .shape
            .contact(&poses[0], &bodies[1].shape, &poses[1], options)
    };
    let first = match ask(&poses, &options) {
        Ok(found) => found.expect("no limit"),
        Err(error) => return Some(format!("{error}")),
    };
    if k.is_multiple_of(7) && first.contact.distance.is_finite() {
        // Touching, or nearly: moved by the distance.
        let shares = [1.0, 1.0 - 1e-9, 1.0 + 1e-9, 0.999, 1.001];
        let way = first.contact.normal.into_inner() * first.contact.distance;
        poses[1].translation.vector -= way * shares[k / 7 % 5];
    }
    let poses = poses;
    let mut found = match ask(&poses, &options) {
        Ok(found) => found.expect("no limit"),
        Err(error) => return Some(format!("{error}")),
    };
    let answer = found;
    let eps = 1e-8 * size + 4e-15 * far;
    let mut failure = None;
    if k.is_multiple_of(3) && found.contact.distance.is_finite() {
        let swapped = bodies[1]
            .shape
            .contact(&poses[1], &bodies[0].shape, &poses[0], &options);
        let c = swapped.unwrap().expect("no limit").contact;
        let d = found.contact;
        let other = c.lower > d.upper + eps || d.lower > c.upper + eps;
        if (other && depth != DepthMode::Any)
            || (d.distance.max(c.distance) > eps && (c.distance - d.distance).abs() > eps)
        {
            failure = Some(format!("swapped it is {c:?}"));
        }
        let d = d.distance;
        // Farther than a bracket is wide.
        if d > 200.0 * eps {
            let limited = |limit: f64| ask(&poses, &options.with_max_distance(limit)).unwrap();
            let beyond = limited(0.99 * d);
            if beyond.is_some_and(|found| found.contact.lower <= 0.99 * d) {
                failure = Some(format!("limited to less it is {beyond:?}"));
            }
            let within = limited(1.01 * d + eps);
            if within.is_none_or(|found| (found.contact.distance - d).abs() > eps) {
                failure = Some(format!("limited to more it is {within:?}"));
            }
        }
    }
    let shift = poses[0].translation.vector;
    found.contact.point_a -= shift;
    found.contact.point_b -= shift;
    let placed = |i: usize| Placed {
        body: &bodies[i],
        turn: poses[i].rotation,
        at: poses[i].translation.vector - shift,
    };
    let hints = || {
        let mut normals = Vec::new();
        let visit = |part: PartsContact| {
            normals.push(part.contact.normal.into_inner());
            true
        };
        let [a, b] = [&bodies[0].shape, &bodies[1].shape];
        a.contacts(&poses[0], b, &poses[1], 0.0, &options, visit)
            .unwrap();
        normals
    };
    let judge = Judge {
        a: placed(0),
        b: placed(1),
        eps,
        ask: &hints,
        hints: OnceCell::new(),
    };
    failure
        .or_else(|| judge.wrong(&found, depth, rng))
        .map(|what| {
            let [a, b] = [&bodies[0].shape, &bodies[1].shape];
            format!("draw {k}, {depth:?}, size {size:e}: {what}; {answer:?} {a:?} {b:?} {poses:?}")
        })
}

/// Every two kinds, so many times.
fn every_two(count: usize) {
    let mut report = Vec::new();
    for b in 0..KINDS.len() {
        for a in 0..=b {
            // `convex` draws these.
            let drawn = [a, b]
                .iter()
                .all(|kind| [0, 1, 2, 3, 4, 5, 8].contains(kind));
            if drawn {
                continue;
            }
            let kinds = if count.is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            };
            let wrong = Mutex::new(Vec::new());
            let start = std::time::Instant::now();
            in_parallel(count, |k| {
                wrong.lock().unwrap().extend(draw(kinds, k));
            });
            let wrong = wrong.into_inner().unwrap();
            let first = wrong.first().cloned().unwrap_or_default();
            let line = format!(
                "{}, {}: {} wrong of {count}: {first}",
                KINDS[a],
                KINDS[b],
                wrong.len()
            );
            println!("{line} [{:.1} s]", start.elapsed().as_secs_f64());
            if !wrong.is_empty() {
                report.push(line);
            }
        }
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
#[ignore = "a long draw"]
fn every_two_kinds_are_as_by_their_pieces() {
    every_two(100_000);
}

/// Draws of which the answer was wrong: points and small balls beside large parts, whose witnesses were off by 1e-6 and whose
/// bracket stayed open, and rings, whose witnesses were not on the surfaces though the answer was `Converged`.
#[test]
fn what_was_wrong_stays_right() {
    let draws = [
        ([7, 12], 231),
        ([7, 13], 441),
        ([7, 14], 231),
        ([7, 15], 161),
        ([1, 13], 4732),
        ([1, 13], 19313),
        ([1, 15], 3640),
        ([13, 15], 2331),
        ([12, 13], 438),
        ([1, 17], 9),
        ([4, 17], 10),
        ([5, 17], 0),
        ([16, 17], 9),
        ([7, 17], 847),
        ([1, 17], 2361),
        ([0, 17], 32_937),
        ([9, 17], 3_375),
        ([3, 17], 11_469),
        ([6, 15], 37_772),
        ([6, 16], 38_353),
        ([9, 16], 82_691),
        ([12, 16], 85_862),
        ([15, 16], 97_986),
        ([7, 13], 92_477),
    ];
    for (kinds, k) in draws {
        assert_eq!(draw(kinds, k), None);
    }
}

/// A point has no size, so that the tolerance is a few roundings, which the solver cannot reach so near a face.
#[test]
fn a_point_near_a_large_box_is_as_near_as_its_nearest_point() {
    let point = V::new(
        0.001168661768095292,
        0.0012212928437482246,
        0.004298891436270477,
    );
    let [min, max] = [
        V::new(
            0.09807627438762087,
            -0.21469724633398166,
            0.04874647871618624,
        ),
        V::new(
            0.12996777037394508,
            0.25233182765021284,
            0.14270582966967046,
        ),
    ];
    let turn = |q: [f64; 4]| UnitQuaternion::new_unchecked(Quaternion::from_vector(q.into()));
    let at_point = pose_of(
        turn([
            0.8650002052950623,
            0.3304883123028733,
            -0.009743682219421167,
            0.3774350022553628,
        ]),
        V::zeros(),
    );
    let at_box = pose_of(
        turn([
            -0.309060517418699,
            0.805841228639952,
            -0.0359707424900235,
            0.5037932279037254,
        ]),
        V::new(
            0.027043014666473297,
            0.00949975096592899,
            0.14447740407430923,
        ),
    );
    let local = at_box
        .inverse_transform_point(&(at_point * Point3::from(point)))
        .coords;
    let nearest = V::from_fn(|i, _| local[i].clamp(min[i], max[i]));
    let right = (local - nearest).norm();
    let point = Shape::Polytope(Arc::new(Vertices(points(&[point]))));
    let cell = Aabb {
        min: min.into(),
        max: max.into(),
    };
    let boxes = Shape::from(BoxSet::new(vec![cell]).unwrap());
    let found = point.contact(&at_point, &boxes, &at_box, &QueryOptions::default());
    let c = found.unwrap().expect("no limit").contact;
    assert_eq!(c.outcome, Outcome::Certified, "{right:e} {c:?}");
    // It was 2.206129e-4.
    assert!(
        (right - 2.2070091225e-4).abs() < 1e-13 && (c.distance - right).abs() < 1e-12,
        "{right:e} {c:?}"
    );
}
