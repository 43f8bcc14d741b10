//! Half-spaces and planes beside meshes, sets of boxes and height fields, against all vertices of all parts.

use crate::sets::{any_direction, any_rotation, axis_rotation};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{BoxSet, HeightField, PolytopeTree, TriMesh};
use superovoid::polytope::Polytope;
use superovoid::{Aabb, DepthMode, HalfSpace, Outcome, Plane, QueryOptions, Shape, Superovoid};

type V = Vector3<f64>;

/// A shape with the vertices of its parts.
struct Tree {
    shape: Shape,
    parts: Vec<Vec<Point3<f64>>>,
    size: f64,
}

fn parts_of(tree: &impl PolytopeTree, count: usize) -> Vec<Vec<Point3<f64>>> {
    let part = |k: usize| tree.part(k as u32).vertices().to_vec();
    (0..count).map(part).collect()
}

impl Tree {
    fn of_mesh(mesh: TriMesh) -> Self {
        Tree::new(parts_of(&mesh, mesh.triangles().len()), mesh)
    }

    fn new(parts: Vec<Vec<Point3<f64>>>, shape: impl Into<Shape>) -> Self {
        let size = parts.iter().flatten().map(|p| p.coords.norm());
        Tree {
            shape: shape.into(),
            size: size.fold(0.0, f64::max),
            parts,
        }
    }

    fn any(rng: &mut ChaCha8Rng, kind: usize) -> Self {
        let scale = 10_f64.powf(rng.random_range(-3.0..3.0));
        let mut stretch = V::from_fn(|_, _| scale * rng.random_range(0.1..1.0));
        if rng.random_range(0..4) == 0 {
            stretch[rng.random_range(0..3)] *= 1e-4;
        }
        let vector = |rng: &mut ChaCha8Rng| V::from_fn(|_, _| rng.random_range(-1.0..1.0));
        let ball = |middle: V, radius: f64, steps: usize| {
            let mut mesh = Superovoid::sphere(radius).unwrap().tessellate(steps);
            mesh.vertices.iter_mut().for_each(|p| *p += middle);
            mesh
        };
        // Pieces that hang together, each with its vertices after those of the one before.
        let joined = |pieces: Vec<superovoid::TriangleMesh>| {
            let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
            for piece in pieces {
                let first = vertices.len() as u32;
                vertices.extend(piece.vertices);
                triangles.extend(piece.triangles.iter().map(|t| t.map(|v| v + first)));
            }
            TriMesh::new(vertices, triangles).unwrap()
        };
        let mesh = match kind {
            0 => joined(vec![ball(V::zeros(), 1.0, 24)]),
            1 => joined(vec![ball(V::zeros(), 1.0, 9)]).surface(),
            2 => joined(
                (0..rng.random_range(2..6))
                    .map(|_| ball(vector(rng), 0.2, 5))
                    .collect(),
            ),
            3 => {
                let corners: Vec<Point3<f64>> = (0..3 * rng.random_range(1..30))
                    .map(|_| vector(rng).into())
                    .collect();
                let count = corners.len() as u32 / 3;
                let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]);
                TriMesh::new(corners, triangles.collect()).unwrap()
            }
            4 => {
                // A table: many triangles are equally low.
                let side = 12_u32;
                let at = |k: u32| f64::from(k) / f64::from(side) - 0.5;
                let point = |i: u32, j: u32| Point3::new(at(i), at(j), 0.1);
                let vertices = (0..=side).flat_map(|i| (0..=side).map(move |j| point(i, j)));
                let id = |i: u32, j: u32| i * (side + 1) + j;
                let cells = (0..side).flat_map(|i| (0..side).map(move |j| (i, j)));
                let triangles = cells.flat_map(|(i, j)| {
                    let [a, b] = [id(i, j), id(i + 1, j + 1)];
                    [[a, id(i + 1, j), b], [a, b, id(i, j + 1)]]
                });
                TriMesh::new(vertices.collect(), triangles.collect()).unwrap()
            }
            5 => {
                let boxes: Vec<Aabb> = (0..rng.random_range(1..40))
                    .map(|_| {
                        let middle = (vector(rng) * 4.0).map(f64::round) * 0.25;
                        let half = V::repeat(0.1);
                        Aabb {
                            min: Point3::from((middle - half).component_mul(&stretch)),
                            max: Point3::from((middle + half).component_mul(&stretch)),
                        }
                    })
                    .collect();
                let count = boxes.len();
                let set = BoxSet::new(boxes).unwrap();
                return Tree::new(parts_of(&set, count), set);
            }
            _ => {
                let side = rng.random_range(2..12);
                let heights = (0..side * side).map(|_| stretch.z * rng.random_range(-0.3..0.3));
                let ends = |x: f64| [-x, x];
                let (x, y) = (ends(stretch.x), ends(stretch.y));
                let field = HeightField::new(heights.collect(), side, x, y, -stretch.z).unwrap();
                return Tree::new(parts_of(&field, 2 * (side - 1) * (side - 1)), field);
            }
        };
        let solid = mesh.is_solid();
        let mut mesh = mesh.scaled(stretch.into()).unwrap();
        if !solid {
            mesh = mesh.surface();
        }
        Tree::of_mesh(mesh)
    }
}

/// The least and the greatest height of a part above a plane.
type Ends = [f64; 2];

fn signed_distance(ends: &[Ends], thin: bool) -> f64 {
    let low = ends.iter().map(|e| e[0]).fold(f64::INFINITY, f64::min);
    let high = ends.iter().map(|e| e[1]).fold(f64::NEG_INFINITY, f64::max);
    if !thin {
        return low;
    }
    let clear = ends.iter().map(|[low, high]| low.max(-high));
    let clear = clear.fold(f64::INFINITY, f64::min);
    if clear > 0.0 { clear } else { low.max(-high) }
}

fn flats_beside_trees(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(1234);
    let rng = &mut rng;
    // Apart, touching, overlapping, and between parts.
    let mut met = [0; 4];
    for draw in 0..count {
        let tree = Tree::any(rng, draw % 7);
        let far = match draw % 11 {
            0 => 0.0,
            1 => 1e6 * tree.size,
            2 => 1e160,
            _ => tree.size,
        };
        let turn = match draw % 5 {
            0 => nalgebra::UnitQuaternion::identity(),
            1 => axis_rotation(rng),
            _ => any_rotation(rng),
        };
        let pose = Isometry3::from_parts((any_direction(rng) * far).into(), turn);
        let n = match draw % 3 {
            0 => turn * V::ith(draw % 2, 1.0),
            _ => any_direction(rng),
        };
        // Through the middle, through a vertex, or beside all.
        let some = tree.parts[rng.random_range(0..tree.parts.len())][0];
        let through = match draw % 4 {
            0 => pose * some,
            1 => Point3::from(pose.translation.vector),
            _ => {
                Point3::from(pose.translation.vector + n * tree.size * rng.random_range(-2.0..2.0))
            }
        };
        let offset = n.dot(&through.coords);
        let ends: Vec<Ends> = tree
            .parts
            .iter()
            .map(|part| {
                let heights = part.iter().map(|p| n.dot(&(pose * p).coords) - offset);
                heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| {
                    [low.min(h), high.max(h)]
                })
            })
            .collect();
        let eps = 2e-13 * (tree.size + far + offset.abs());
        for thin in [false, true] {
            let flat: Shape = if thin {
                Plane::new(n, offset).unwrap().into()
            } else {
                HalfSpace::new(n, offset).unwrap().into()
            };
            let here = Isometry3::identity();
            let place = format!(
                "draw {draw}, thin {thin}, {:?} {pose:?} {flat:?}",
                tree.shape
            );
            let right = signed_distance(&ends, thin);
            let crossed = ends
                .iter()
                .map(|e| e[0])
                .fold(f64::INFINITY, f64::min)
                .max(-ends.iter().map(|e| e[1]).fold(f64::NEG_INFINITY, f64::max));
            let right_of = |distance: f64| {
                // Where a part all but touches, rounding decides.
                let other = thin && right.abs() <= eps && (distance - crossed).abs() <= eps;
                if other { crossed } else { right }
            };
            let ask = |options: &QueryOptions| {
                let found = tree.shape.contact(&pose, &flat, &here, options).unwrap();
                let swapped = flat.contact(&here, &tree.shape, &pose, options).unwrap();
                assert_eq!(found, swapped.map(|found| found.swapped()), "{place}");
                if let Some(found) = &found {
                    let (c, place) = (&found.contact, format!("{place} {found:?}"));
                    assert!(c.lower <= c.distance && c.distance <= c.upper, "{place}");
                    let on_plane = n.dot(&c.point_b.coords) - offset;
                    assert!(on_plane.abs() <= eps, "{place}");
                    let way = c.point_a + c.normal.into_inner() * c.distance;
                    assert!((c.point_b - way).amax() <= eps, "{place}");
                    assert!(c.normal.dot(&n).abs() > 1.0 - 1e-14, "{place}");
                    let part = &tree.parts[found.parts[0] as usize];
                    let near = |p: &Point3<f64>| (c.point_a - pose * p).amax() <= eps;
                    assert!(part.iter().any(near), "{place}");
                }
                found
            };
            let options = QueryOptions::default();
            let any = options.with_depth(DepthMode::Any);
            let found = ask(&options).expect("no limit").contact;
            let shown = format!("{place} {right:e} {found:?}");
            let truth = right_of(found.distance);
            assert!((found.distance - truth).abs() <= eps, "{shown}");
            assert!(found.lower <= truth + 1e-3 * eps, "{shown}");
            assert!(truth - 1e-3 * eps <= found.upper, "{shown}");
            assert_eq!(found.outcome, Outcome::Certified, "{shown}");
            let known = ask(&any).expect("no limit");
            let (parts, known) = (known.parts, known.contact);
            let shown = format!("{place} {right:e} {known:?}");
            assert!(
                known.lower <= right_of(known.distance) + 1e-3 * eps,
                "{shown}"
            );
            assert!(
                right_of(known.distance) - 1e-3 * eps <= known.upper,
                "{shown}"
            );
            let verdict = ask(&any.with_max_distance(0.0)).map(|found| found.contact);
            if right > eps {
                assert!((known.distance - right).abs() <= eps, "{shown}");
                assert!(verdict.is_none(), "{place} {verdict:?}");
                assert!(
                    ask(&options.with_max_distance(right - eps)).is_none(),
                    "{place}"
                );
                let limited = ask(&options.with_max_distance(right + eps)).expect("within");
                assert!((limited.contact.distance - right).abs() <= eps, "{place}");
                met[0] += 1;
                met[3] += usize::from(crossed < -eps);
            } else if right < -eps {
                let [low, high] = ends[parts[0] as usize];
                let touch = if thin { low.max(-high) } else { low };
                // Where a vertex is in the plane, no part need be on both sides by more than rounding.
                let certified = known.outcome == Outcome::Certified;
                assert!(touch <= eps || certified, "{shown}");
                let verdict = verdict.expect("they overlap");
                let holds = verdict.lower <= right + eps && right - eps <= verdict.upper;
                assert!(holds, "{shown} {verdict:?}");
                assert!(known.upper <= 0.0 || known.distance > -4.0 * eps, "{shown}");
                met[2] += 1;
            } else {
                met[1] += 1;
            }
        }
    }
    println!("{met:?}");
    let least = count / 100;
    assert!(met.iter().all(|&met| met >= least), "{met:?}");
}

draws!(flats_beside_trees:
    the_contact_of_a_flat_is_that_of_all_vertices 3_000,
    the_contact_of_a_flat_is_that_of_all_vertices_of_many 60_000);
