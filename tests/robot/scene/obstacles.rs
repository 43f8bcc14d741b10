//! Obstacles of every kind.

use crate::scene::brute_force::{List, Listed, any_pose, any_shape, check};
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use superovoid::Shape;
use superovoid::bvh::{BoxSet, TriMesh};
use superovoid::polytope::{ConvexHull, Cuboid, Segment, Triangle};
use superovoid::{Aabb, HalfSpace};
use superovoid_robot::scene::Scene;

fn any_point(rng: &mut impl Rng, reach: f64) -> Point3<f64> {
    Point3::from(Vector3::from_fn(|_, _| rng.random_range(-reach..reach)))
}

fn any_obstacle(rng: &mut impl Rng) -> Shape {
    match rng.random_range(0..8) {
        0 => {
            let normal = any_point(rng, 1.0).coords;
            HalfSpace::new(normal, rng.random_range(-1.0..-0.5))
                .unwrap()
                .into()
        }
        1 => Cuboid::new([0; 3].map(|_| rng.random_range(0.0..0.2)))
            .unwrap()
            .into(),
        2 => ConvexHull::new((0..6).map(|_| any_point(rng, 0.2)).collect())
            .unwrap()
            .into(),
        3 => Segment::new(any_point(rng, 0.3), any_point(rng, 0.3))
            .unwrap()
            .into(),
        4 => Triangle::new([0; 3].map(|_| any_point(rng, 0.3)))
            .unwrap()
            .into(),
        5 => {
            let mesh = any_shape(rng).tessellate(8);
            let tree = TriMesh::new(mesh.vertices, mesh.triangles).unwrap();
            Arc::new(tree).into()
        }
        6 => {
            let boxes = (0..6).map(|_| {
                let min = any_point(rng, 0.2);
                let max = min + Vector3::repeat(0.05);
                Aabb { min, max }
            });
            Arc::new(BoxSet::new(boxes.collect()).unwrap()).into()
        }
        _ => any_shape(rng).into(),
    }
}

#[test]
fn obstacles_of_every_kind_are_as_one_by_one() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut parts = 0;
    for round in 0..10 {
        let (mut scene, mut list) = (Scene::new(), List::default());
        for group in 0..40 {
            let name = scene.group(&group.to_string());
            let obstacle = group % 2 == 0;
            let pose = any_pose(&mut rng, 1.0);
            let (shape, id) = if obstacle {
                let shape = any_obstacle(&mut rng);
                (
                    shape.clone(),
                    scene.add_obstacle(name, shape, pose).unwrap(),
                )
            } else {
                let shape = any_shape(&mut rng);
                (shape.into(), scene.add(name, shape, pose).unwrap())
            };
            list.bodies.push(Listed {
                id,
                group,
                shape,
                obstacle,
                pose,
            });
        }
        for _ in 0..3 {
            let margins: &[f64] = if round == 0 {
                &[f64::INFINITY]
            } else {
                &[0.0, 0.1]
            };
            let found = check(&mut scene, &list, margins, 2e-9);
            parts += found.iter().filter(|c| c.part.is_some()).count();
            for body in &mut list.bodies {
                body.pose.translation.vector += any_point(&mut rng, 0.05).coords;
                scene.move_to(body.id, body.pose).unwrap();
            }
            let gone = list
                .bodies
                .swap_remove(rng.random_range(0..list.bodies.len()));
            scene.remove(gone.id).unwrap();
        }
    }
    assert!(parts > 20, "{parts}");
}

/// Everything that is large is where its clones are.
#[test]
fn a_mesh_is_shared_by_scenes_and_their_clones() {
    let corner = |x: f64, y: f64| Point3::new(x, y, 0.0);
    let corners = vec![corner(-9.0, -9.0), corner(9.0, -9.0), corner(0.0, 9.0)];
    let mesh = Arc::new(TriMesh::new(corners, vec![[0, 1, 2]]).unwrap());
    let mut scene = Scene::new();
    let floor = scene.group("floor");
    let here = Isometry3::identity();
    scene.add_obstacle(floor, Arc::clone(&mesh), here).unwrap();
    let other = scene.clone();
    assert_eq!(Arc::strong_count(&mesh), 3);
    drop((scene, other));
    assert_eq!(Arc::strong_count(&mesh), 1);
}
