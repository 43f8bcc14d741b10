//! Trees of triangles and boxes give what their parts give one by one.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::bvh::{BoxSet, PolytopeTree, TreeError, TriMesh, tree_contact, tree_contacts};
use superovoid::polytope::polytope_contact;
use superovoid::{Aabb, Contact, Outcome, QueryError, QueryOptions, Superovoid};

fn any_pose(rng: &mut impl Rng, reach: f64) -> Isometry3<f64> {
    let mut number = || rng.random_range(-1.0..1.0);
    let axis = Vector3::new(number(), number(), number());
    let place = Vector3::new(number(), number(), number()) * reach;
    Isometry3::from_parts(
        Translation3::from(place),
        UnitQuaternion::from_scaled_axis(axis * 3.0),
    )
}

/// Superovoids of sizes about 0.3, convex and not.
fn any_shape(rng: &mut impl Rng) -> Superovoid {
    let a = [0; 3].map(|_| rng.random_range(0.1..0.5));
    let e = [0; 2].map(|_| rng.random_range(0.1..1.9));
    let t = [0; 2].map(|_| {
        if rng.random() {
            0.0
        } else {
            rng.random_range(-0.5..0.5)
        }
    });
    Superovoid::new(a, e, t).expect("valid")
}

/// The surface of another superovoid as triangles.
fn mesh(rng: &mut impl Rng) -> TriMesh {
    let mesh = any_shape(rng).tessellate(24);
    let mesh = TriMesh::new(mesh.vertices, mesh.triangles).expect("valid");
    mesh.surface()
}

fn boxes(rng: &mut impl Rng) -> BoxSet {
    // Cells of a grid, about a third of them occupied.
    let mut cells = Vec::new();
    for i in 0..6 {
        for j in 0..6 {
            for k in 0..6 {
                if rng.random_range(0..3) == 0 {
                    let min = Point3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.1;
                    cells.push(Aabb {
                        min,
                        max: min + Vector3::repeat(0.1),
                    });
                }
            }
        }
    }
    BoxSet::new(cells).expect("a third of 216 cells is not none")
}

/// The least over all parts, one by one.
fn one_by_one(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    tree: &impl PolytopeTree,
    tree_pose: &Isometry3<f64>,
    parts: usize,
) -> Vec<Contact> {
    let ask = |i: usize| {
        let part = tree.part(i as u32);
        polytope_contact(shape, pose, &part, tree_pose, &QueryOptions::default()).expect("valid")
    };
    (0..parts).map(ask).collect()
}

fn check(rng: &mut ChaCha8Rng, tree: &impl PolytopeTree, parts: usize) -> usize {
    let shape = any_shape(rng);
    let poses = [any_pose(rng, 0.7), any_pose(rng, 0.3)];
    check_at(&shape, poses, tree, parts)
}

fn check_at(
    shape: &Superovoid,
    [pose, tree_pose]: [Isometry3<f64>; 2],
    tree: &impl PolytopeTree,
    parts: usize,
) -> usize {
    let options = QueryOptions::default();
    let all = one_by_one(shape, &pose, tree, &tree_pose, parts);
    let least = all.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
    let found = tree_contact(shape, &pose, tree, &tree_pose, &options)
        .expect("valid")
        .expect("no limit");
    let contact = found.contact;
    let tolerance = 1e-9 * 0.5;
    assert!(
        (contact.distance - least).abs() <= tolerance,
        "{least} {contact:?} {shape:?}"
    );
    assert!(contact.lower <= least + tolerance && least - tolerance <= contact.upper);
    if least > 0.0 {
        assert_eq!(contact.outcome, Outcome::Certified, "{contact:?}");
    }
    // Within a margin, and only those.
    let margin = least + 0.02;
    let mut visited = vec![false; parts];
    tree_contacts(shape, &pose, tree, &tree_pose, margin, &options, |part| {
        assert!(!visited[part.part as usize], "twice");
        visited[part.part as usize] = true;
        true
    })
    .expect("valid");
    for (contact, visited) in all.iter().zip(visited) {
        if (contact.distance - margin).abs() > tolerance {
            assert_eq!(visited, contact.distance < margin);
        }
    }
    // A limit below the distance: nothing; above it: the same answer.
    let ask = |max_distance: f64| {
        let options = options.with_max_distance(max_distance);
        tree_contact(shape, &pose, tree, &tree_pose, &options).expect("valid")
    };
    if least > 0.01 {
        assert_eq!(ask(least - 0.005), None);
        // Parts that share the nearest vertex or edge are equally near.
        let limited = ask(least + 0.005).expect("within the limit");
        assert!((limited.contact.distance - least).abs() <= tolerance);
        assert!((all[limited.part as usize].distance - least).abs() <= tolerance);
    }
    usize::from(least < 0.0)
}

fn triangles_one_by_one(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut overlapping = 0;
    for _ in 0..count {
        let tree = mesh(&mut rng);
        let parts = tree.triangles().len();
        overlapping += check(&mut rng, &tree, parts);
    }
    let few = count / 8;
    assert!((few..count - few).contains(&overlapping), "{overlapping}");
}

#[test]
fn triangles_are_as_one_by_one() {
    triangles_one_by_one(6);
}

#[test]
#[ignore = "a long draw"]
fn triangles_are_as_one_by_one_long() {
    triangles_one_by_one(40);
}

/// Bodies that are not convex, long ones among them, mostly apart, some of them far from the origin.
fn hollow_bodies_one_by_one(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    for k in 0..count {
        let shape = loop {
            let a = [0.5; 3].map(|a: f64| a * 10f64.powf(rng.random_range(-1.0..0.3)));
            let e = [0; 2].map(|_| rng.random_range(0.1..1.9));
            let t = [0; 2].map(|_| rng.random_range(-0.8..0.8));
            let shape = Superovoid::new(a, e, t).expect("valid");
            if !shape.is_convex() {
                break shape;
            }
        };
        let far = Translation3::from(Vector3::repeat([0.0, 100.0][k % 2]));
        let poses = [any_pose(&mut rng, 1.5), any_pose(&mut rng, 0.3)].map(|pose| far * pose);
        if k % 3 == 0 {
            let tree = boxes(&mut rng);
            check_at(&shape, poses, &tree, tree.boxes().len());
        } else {
            let tree = mesh(&mut rng);
            check_at(&shape, poses, &tree, tree.triangles().len());
        }
    }
}

#[test]
fn hollow_bodies_are_as_one_by_one() {
    hollow_bodies_one_by_one(8);
}

#[test]
#[ignore = "a long draw"]
fn hollow_bodies_are_as_one_by_one_long() {
    hollow_bodies_one_by_one(40);
}

/// Rotations that are valid, but off length 1 as those of single precision are, are those of unit length.
#[test]
fn hollow_bodies_with_rotations_of_single_precision_are_answered() {
    let shape = Superovoid::new([0.3, 0.3, 1.0], [1.0, 1.0], [0.9, 0.9]).expect("valid");
    assert!(!shape.is_convex());
    let spike = [
        [0.0, 0.0, 10.0],
        [1.0, 0.0, 12.0],
        [-1.0, 1.0, 12.0],
        [-1.0, -1.0, 12.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1]];
    let tree = TriMesh::new(spike.map(Point3::from).to_vec(), triangles).expect("valid");
    let here = Isometry3::identity();
    for length in [1.0 - 5e-8, 1.0 - 1e-12, 1.0, 1.0 + 5e-8, 1.0 + 9e-7] {
        let rotation =
            UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(length, 0.0, 0.0, 0.0));
        let pose = Isometry3::from_parts(Translation3::new(0.0, 0.0, 8.0), rotation);
        let found = tree_contact(&shape, &pose, &tree, &here, &QueryOptions::default());
        let found = found.expect("valid").expect("no limit").contact;
        assert!((found.distance - 1.0).abs() < 1e-8, "{length} {found:?}");
        // The tree turned likewise, about its own origin.
        let found = tree_contact(
            &shape,
            &here,
            &tree,
            &pose.inverse(),
            &QueryOptions::default(),
        );
        assert!(found.expect("valid").is_some());
    }
}

/// A body of a centimetre on a mesh of kilometres, beside a vertex, on it and between vertices.
#[test]
fn small_hollow_bodies_over_large_triangles_are_as_one_by_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for size in [1e3, 1e5] {
        let corners = [
            [0.0, 0.0, 0.0],
            [size, 0.0, 0.0],
            [0.0, size, 0.0],
            [-size, -size, 0.0],
        ];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 3, 1]];
        let tree = TriMesh::new(corners.map(Point3::from).to_vec(), triangles).expect("valid");
        for e2 in [1.2, 1.9] {
            let shape = Superovoid::new([0.01; 3], [1.0, e2], [0.6, -0.6]).expect("valid");
            for k in 0..40 {
                let up = [0.02, 0.012, 0.0101, 0.005][k % 4];
                let mut pose = any_pose(&mut rng, [0.0, 0.01, 10.0][k % 3]);
                pose.translation.vector.z = up;
                let found = tree_contact(
                    &shape,
                    &pose,
                    &tree,
                    &Isometry3::identity(),
                    &QueryOptions::default(),
                );
                let found = found.expect("valid").expect("no limit").contact;
                let all = one_by_one(&shape, &pose, &tree, &Isometry3::identity(), 3);
                let least = all.iter().map(|c| c.distance).fold(f64::INFINITY, f64::min);
                // The tolerance, and the rounding of corners so far away.
                let slack = 1e-9 * 0.01 + 1e-13 * size;
                assert!(
                    (found.distance - least).abs() <= slack,
                    "{least} {found:?} {shape:?}"
                );
            }
        }
    }
}

fn boxes_one_by_one(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut overlapping = 0;
    for _ in 0..count {
        let tree = boxes(&mut rng);
        let parts = tree.boxes().len();
        overlapping += check(&mut rng, &tree, parts);
    }
    let few = count / 10;
    assert!((few..count - few).contains(&overlapping), "{overlapping}");
}

#[test]
fn boxes_are_as_one_by_one() {
    boxes_one_by_one(40);
}

#[test]
#[ignore = "a long draw"]
fn boxes_are_as_one_by_one_long() {
    boxes_one_by_one(100);
}

/// Vertex tests let edges pass through: a body that pokes through the middle of a large triangle.
#[test]
fn a_body_through_the_middle_of_a_triangle_is_found() {
    let corner = |x: f64, y: f64| Point3::new(x, y, 0.0);
    let tree = TriMesh::new(
        vec![corner(-10.0, -10.0), corner(10.0, -10.0), corner(0.0, 10.0)],
        vec![[0, 1, 2]],
    )
    .expect("valid");
    let ball = Superovoid::sphere(0.1).expect("valid");
    let (here, low) = (
        Isometry3::identity(),
        Isometry3::translation(0.0, 0.0, 0.04),
    );
    let found = tree_contact(&ball, &low, &tree, &here, &QueryOptions::default())
        .expect("valid")
        .expect("no limit");
    assert!((found.contact.distance + 0.06).abs() < 1e-9, "{found:?}");
    assert!((found.contact.normal.z + 1.0).abs() < 1e-9, "{found:?}");
}

#[test]
fn visiting_stops_when_told() {
    let tree = boxes(&mut ChaCha8Rng::seed_from_u64(3));
    let ball = Superovoid::sphere(1.0).expect("valid");
    let here = Isometry3::identity();
    let mut count = 0;
    tree_contacts(
        &ball,
        &here,
        &tree,
        &here,
        0.0,
        &QueryOptions::default(),
        |_| {
            count += 1;
            count < 3
        },
    )
    .expect("valid");
    assert_eq!(count, 3);
}

#[test]
fn bad_input_is_named() {
    let zero = Point3::origin();
    let nan = Point3::new(f64::NAN, 0.0, 0.0);
    let text = |e: Result<TriMesh, TreeError>| e.err().map(|e| e.to_string());
    assert_eq!(
        text(TriMesh::new(vec![zero], vec![[0, 0, 1]])).as_deref(),
        Some("triangle 0 names vertex 1; there are 1 (from 0)")
    );
    assert_eq!(
        text(TriMesh::new(vec![zero, nan], vec![[0, 0, 0]])).as_deref(),
        Some("vertex 1 is not finite")
    );
    assert_eq!(
        text(TriMesh::new(vec![], vec![])).as_deref(),
        Some("there are no triangles")
    );
    let inside_out = Aabb {
        min: Point3::new(1.0, 0.0, 0.0),
        max: zero,
    };
    assert_eq!(
        BoxSet::new(vec![inside_out]).err(),
        Some(TreeError::Box { index: 0 })
    );
    let tree = boxes(&mut ChaCha8Rng::seed_from_u64(4));
    let ball = Superovoid::sphere(1.0).expect("valid");
    let (here, lost) = (
        Isometry3::identity(),
        Isometry3::translation(f64::NAN, 0.0, 0.0),
    );
    let error = tree_contact(&ball, &here, &tree, &lost, &QueryOptions::default());
    assert_eq!(error, Err(QueryError::NonFinitePose { body: 'B' }));
}
