//! Meshes against each other by every two of their triangles, and the question whether anything overlaps at all.

use nalgebra::{Isometry3, Point3, Quaternion, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{TriMesh, trees_contact};
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::{DepthMode, Outcome, QueryOptions, Shape, Superovoid};

/// A bumpy ball as a closed mesh of about `steps`² triangles, outwards.
fn bumpy(steps: u32, bumps: f64) -> TriMesh {
    let mut vertices = Vec::new();
    for i in 0..=steps {
        for k in 0..steps {
            let u = f64::from(i) / f64::from(steps) * std::f64::consts::PI;
            let v = f64::from(k) / f64::from(steps) * std::f64::consts::TAU;
            let r = 1.0 + 0.1 * (bumps * v).sin() * (bumps * u).sin();
            // The poles are many vertices at one place.
            let sine = if i == 0 || i == steps { 0.0 } else { u.sin() };
            vertices.push(Point3::new(
                r * sine * v.cos(),
                r * sine * v.sin(),
                r * u.cos(),
            ));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..steps {
        for k in 0..steps {
            let at = |i: u32, k: u32| i * steps + k % steps;
            let [a, b, c, d] = [at(i, k), at(i + 1, k), at(i + 1, k + 1), at(i, k + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles).unwrap()
}

/// Two meshes against every two triangles, and the question whether they overlap against the deepest pair.
#[test]
fn two_meshes_are_as_near_as_their_nearest_triangles() {
    let mut rng = ChaCha8Rng::seed_from_u64(5353);
    let meshes = [
        bumpy(7, 3.0),
        bumpy(9, 4.0).scaled([0.5, 0.8, 0.3]).unwrap(),
    ]
    .map(TriMesh::surface);
    let hulls = |mesh: &TriMesh| -> Vec<ConvexShape> {
        let corners = |t: &[u32; 3]| t.map(|v| mesh.vertices()[v as usize]);
        mesh.triangles()
            .iter()
            .map(|t| ConvexShape::hull(&corners(t)).unwrap())
            .collect()
    };
    let [all_a, all_b] = [hulls(&meshes[0]), hulls(&meshes[1])];
    let mut overlaps = 0;
    for draw in 0..40 {
        // Now and then on each other's axes, where many pairs tie.
        let reach = if draw % 3 == 0 { 2.5 } else { 1.2 };
        let mut poses = [0; 2].map(|_| {
            let at = Vector3::from_fn(|_, _| rng.random_range(-reach..reach));
            Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)))
        });
        if draw % 5 == 0 {
            poses = poses.map(|pose| Isometry3::from(pose.translation));
        }
        let options = QueryOptions::default();
        let mut least = f64::INFINITY;
        for a in &all_a {
            for b in &all_b {
                let near = options.with_max_distance(least.max(0.0));
                let found = convex_contact(a, &poses[0], b, &poses[1], &near).unwrap();
                if found.outcome != Outcome::Beyond {
                    least = least.min(found.distance);
                }
            }
        }
        let ask = |options: &QueryOptions| {
            trees_contact(&meshes[0], &poses[0], &meshes[1], &poses[1], options).unwrap()
        };
        let found = ask(&options).unwrap().contact;
        assert!(
            (found.distance - least).abs() < 1e-9,
            "{draw}: {found:?}, {least}"
        );
        assert!(found.lower <= least + 1e-12 && least <= found.upper + 1e-12);
        assert!(
            found.distance < 0.0 || found.outcome == Outcome::Certified,
            "{found:?}"
        );
        let any = ask(&options.with_depth(DepthMode::Any)).unwrap().contact;
        assert_eq!(any.status(), found.status(), "{draw}");
        if least > 0.0 {
            assert!((any.distance - found.distance).abs() < 1e-12);
            assert!(ask(&options.with_max_distance(0.9 * least)).is_none());
            assert!(ask(&options.with_max_distance(least * 1.000001)).is_some());
        } else {
            assert!(any.distance <= any.upper && any.upper <= 0.0);
            overlaps += 1;
        }
    }
    assert!(overlaps > 8 && overlaps < 35, "{overlaps}");
}

/// Whether a body overlaps a mesh, without its depth, is what the deepest part says.
#[test]
fn any_overlap_of_a_mesh_is_one_where_there_is_a_deepest() {
    let mut rng = ChaCha8Rng::seed_from_u64(777);
    let solid = bumpy(20, 4.0);
    let surface = solid.clone().surface();
    let bodies: [Shape; 5] = [
        ConvexShape::cuboid([0.2, 0.3, 0.4]).unwrap().into(),
        ConvexShape::ball(0.3).unwrap().into(),
        ConvexShape::capsule(0.1, 0.5).unwrap().into(),
        Superovoid::new([0.2, 0.3, 0.4], [0.3, 1.0], [0.1, 0.0])
            .unwrap()
            .into(),
        Superovoid::new([0.2, 0.3, 0.4], [1.4, 1.0], [0.8, 0.1])
            .unwrap()
            .into(),
    ];
    let mut counts = [0; 2];
    for mesh in [Shape::from(solid), Shape::from(surface)] {
        for body in &bodies {
            for _ in 0..60 {
                let at = Vector3::from_fn(|_, _| rng.random_range(-1.2..1.2));
                let pose = Isometry3::new(at, Vector3::from_fn(|_, _| rng.random_range(-2.0..2.0)));
                let ask = |depth| {
                    let options = QueryOptions::default().with_depth(depth);
                    let here = Isometry3::identity();
                    body.contact(&pose, &mesh, &here, &options)
                        .unwrap()
                        .unwrap()
                        .contact
                };
                let [deepest, any] = [DepthMode::Fast, DepthMode::Any].map(ask);
                assert_eq!(deepest.status(), any.status(), "{deepest:?} {any:?}");
                let apart = deepest.distance > 0.0;
                assert!(!apart || (any.distance - deepest.distance).abs() < 1e-9);
                counts[usize::from(apart)] += 1;
            }
        }
    }
    assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
}

/// A rotation whose quaternion is not quite of unit length, which poses may have, makes no mesh and no body larger or smaller.
#[test]
fn rotations_that_are_a_little_off_their_length_only_turn_meshes() {
    let corner = |k: u32| Point3::from([0, 1, 2].map(|i| f64::from(k >> i & 1) * 2.0 - 1.0));
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
    let cube = TriMesh::new((0..8).map(corner).collect(), triangles.collect()).unwrap();
    let shapes: [Shape; 4] = [
        cube.clone().into(),
        cube.surface().into(),
        ConvexShape::cuboid([1.0; 3]).unwrap().into(),
        Superovoid::superellipsoid([1.0; 3], [0.02; 2])
            .unwrap()
            .into(),
    ];
    let off = |length: f64| UnitQuaternion::new_unchecked(Quaternion::new(length, 0.0, 0.0, 0.0));
    for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
        for length in [1.0 - 4e-7, 1.0 + 4e-7] {
            for overlap in [4e-7, -4e-7] {
                let here = Isometry3::from_parts(Translation3::identity(), off(length));
                let there = Translation3::new(2.0 - overlap, 0.1, 0.2);
                let there = Isometry3::from_parts(there, off(length));
                for depth in [DepthMode::Fast, DepthMode::Any] {
                    let options = QueryOptions::default().with_depth(depth);
                    let found = shapes[a].contact(&here, &shapes[b], &there, &options);
                    let found = found.unwrap().unwrap().contact;
                    assert_eq!(found.upper <= 0.0, overlap > 0.0, "{a} {b} {found:?}");
                    let near = options.with_max_distance(0.0);
                    let near = shapes[a].contact(&here, &shapes[b], &there, &near);
                    let near = near
                        .unwrap()
                        .is_some_and(|found| found.contact.distance <= 0.0);
                    assert_eq!(near, overlap > 0.0, "{a} {b} {length}");
                }
            }
        }
    }
}
