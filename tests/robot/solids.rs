//! Robots of boxes, cylinders, capsules, superovoids and meshes: every pair, by the robot and by a scene, against the
//! pairs one by one.

use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;
use std::sync::Arc;
use superovoid::bvh::TriMesh;
use superovoid::convex::ConvexShape;
use superovoid::{CollisionStatus, HalfSpace, QueryOptions};
use superovoid_robot::scene::{RobotScene, Scene, SceneError, SceneOptions};
use superovoid_robot::{ClearanceOptions, EdgeOptions, Robot};

/// Bodies of every kind, each on a floating joint of its own.
fn solids() -> Robot {
    let shapes = [
        "<geometry><box size='0.4 0.6 0.2'/></geometry>",
        "<geometry><cylinder radius='0.2' length='0.5'/></geometry>",
        "<geometry><capsule radius='0.1' length='0.6'/></geometry>",
        "<geometry><sphere radius='0.25'/></geometry>",
        "<geometry><sphere radius='0.6'/></geometry><superovoid a1='0.3' a2='0.2' a3='0.4' e1='0.5' e2='0.7' tx='0' ty='0'/>",
        "<geometry><mesh filename='tetrahedron.stl' scale='0.5 0.5 -0.5'/></geometry>",
        "<geometry><mesh filename='tetrahedron.stl'/></geometry>",
        "<geometry><cylinder radius='0.3' length='0.1'/></geometry>",
    ];
    let mut text = "<robot name='solids'><link name='base'/>".to_owned();
    for (k, shape) in shapes.iter().enumerate() {
        text += &format!(
            "<link name='l{k}'><collision><origin xyz='0.1 0 0' rpy='0.3 0.2 0.1'/>{shape}</collision></link>\
             <joint name='j{k}' type='floating'><parent link='base'/><child link='l{k}'/></joint>"
        );
    }
    let robot = Robot::from_urdf_str(&(text + "</robot>")).unwrap();
    assert_eq!(robot.unchecked().len(), 2);
    let robot = robot.with_meshes(|name, scale| {
        assert_eq!(name, "tetrahedron.stl");
        Ok::<_, Infallible>(Some(tetrahedron(scale)))
    });
    let robot = robot.unwrap();
    assert!(robot.unchecked().is_empty());
    robot
}

fn tetrahedron(scale: [f64; 3]) -> Arc<TriMesh> {
    let corner = |x: f64, y: f64, z: f64| Point3::new(x * scale[0], y * scale[1], z * scale[2]);
    let corners = vec![
        corner(0.5, 0.0, 0.0),
        corner(-0.2, 0.4, 0.0),
        corner(-0.2, -0.4, 0.0),
        corner(0.0, 0.0, 0.6),
    ];
    let faces = vec![[0, 1, 2], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
    Arc::new(TriMesh::new(corners, faces).unwrap())
}

#[test]
fn every_pair_is_that_of_its_two_bodies() {
    let robot = solids();
    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (mut free, mut colliding) = (0, 0);
    for k in 0..40 {
        let mut configuration = robot.neutral();
        let reach = if k % 2 == 0 { 0.5 } else { 1.5 };
        for joint in robot.joints() {
            let mut number = || rng.random_range(-reach..reach);
            let at = Vector3::new(number(), number(), number());
            let turn = Vector3::new(number(), number(), number()) * 2.0;
            configuration
                .set(&joint.name, Isometry3::new(at, turn))
                .unwrap();
        }
        let found = robot
            .clearances(&configuration, &ClearanceOptions::default())
            .unwrap();
        let poses = robot.forward_kinematics(&configuration).unwrap();
        let bodies: Vec<_> = robot.collision_bodies().collect();
        let mut count = 0;
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[i + 1..] {
                count += 1;
                let (at_a, at_b) = (poses[a.link] * a.pose, poses[b.link] * b.pose);
                let alone = a
                    .shape
                    .contact(&at_a, &b.shape, &at_b, &QueryOptions::default());
                let alone = alone.unwrap().expect("no maximum distance").contact;
                let together = found
                    .pairs
                    .iter()
                    .find(|p| (p.link_a, p.link_b) == (a.link, b.link));
                assert_eq!(together.expect("every pair").contact, alone);
                let swapped = b
                    .shape
                    .contact(&at_b, &a.shape, &at_a, &QueryOptions::default());
                let swapped = swapped.unwrap().expect("no maximum distance").contact;
                assert_eq!(swapped.status(), alone.status(), "{a:?} {b:?}");
                if alone.lower > 0.0 {
                    assert!(
                        (alone.distance - swapped.distance).abs() < 1e-8,
                        "{alone:?} {swapped:?}"
                    );
                }
            }
        }
        assert_eq!((count, found.pairs.len()), (28, 28));
        let options = SceneOptions::default();
        let contacts = scene.contacts(&configuration, &options).unwrap();
        assert_eq!(contacts.len(), 28);
        for contact in &contacts {
            let superovoid_robot::scene::Counterpart::Link { link, .. } = contact.with else {
                panic!("there are no obstacles");
            };
            let same = found
                .pairs
                .iter()
                .find(|p| (p.link_a, p.link_b) == (contact.link, link));
            let same = same.expect("every pair").contact;
            assert_eq!(same.status(), contact.status());
            assert!((same.distance - contact.contact.distance).abs() < 1e-8);
        }
        let collides = found
            .pairs
            .iter()
            .any(|p| p.status() != CollisionStatus::Free);
        let asked = ClearanceOptions::default();
        assert_eq!(robot.in_collision(&configuration, &asked), Ok(collides));
        assert_eq!(scene.in_collision(&configuration, &options), Ok(collides));
        let closest = robot.closest(&configuration, &asked).unwrap().unwrap();
        assert!((closest.contact.distance - found.pairs[0].contact.distance).abs() < 1e-8);
        assert_eq!(found.is_free(), !collides);
        if collides {
            colliding += 1;
        } else {
            free += 1;
        }
    }
    assert!(free > 2 && colliding > 10, "{free} {colliding}");
}

#[test]
fn a_mesh_that_is_not_loaded_is_not_checked() {
    let robot = solids()
        .with_meshes(|_, _| Ok::<_, Infallible>(None))
        .unwrap();
    assert_eq!(robot.unchecked().len(), 2);
    let refused = robot.in_collision(&robot.neutral(), &ClearanceOptions::default());
    // All bodies are at the same place.
    assert_eq!(refused, Ok(true));
    let failed = solids().with_meshes(|name, _| Err(name.to_owned()));
    assert_eq!(failed.unwrap_err(), "tetrahedron.stl");
}

#[test]
fn bodies_of_a_scene_meet_half_spaces_at_their_lowest_points() {
    let mut scene = Scene::new();
    let floor = scene.group("floor");
    let half_space = HalfSpace::new(Vector3::z(), -1.0).unwrap();
    scene
        .add_obstacle(floor, half_space, Isometry3::identity())
        .unwrap();
    let expected = [
        (ConvexShape::cuboid([0.1, 0.2, 0.3]).unwrap(), 0.7),
        (ConvexShape::cylinder(0.2, 1.0).unwrap(), 0.5),
        (ConvexShape::capsule(0.2, 1.0).unwrap(), 0.3),
        (ConvexShape::cone(0.2, 1.0).unwrap(), 0.5),
        (ConvexShape::ball(0.25).unwrap(), 0.75),
    ];
    for (k, (shape, distance)) in expected.into_iter().enumerate() {
        let group = scene.group(&format!("body {k}"));
        let id = scene.add(group, shape, Isometry3::identity()).unwrap();
        let found = scene.closest(&SceneOptions::default()).unwrap().unwrap();
        assert!(
            (found.contact.distance - distance).abs() < 1e-12,
            "{k}: {found:?}"
        );
        scene.remove(id).unwrap();
    }
    let group = scene.group("mesh");
    let mesh = tetrahedron([1.0, 1.0, -1.0]);
    scene.add(group, mesh, Isometry3::identity()).unwrap();
    let found = scene.closest(&SceneOptions::default()).unwrap().unwrap();
    assert!((found.contact.distance - 0.4).abs() < 1e-12, "{found:?}");
    let refused = scene
        .add(group, half_space, Isometry3::identity())
        .unwrap_err();
    assert!(matches!(refused, SceneError::HalfSpace { .. }), "{refused}");
}

/// A block between two corners, its triangles turned outwards.
fn block(half: f64, scale: [f64; 3]) -> Arc<TriMesh> {
    let sign = |k: usize, axis: usize| if k >> axis & 1 == 0 { -half } else { half };
    let corner = |k: usize| Point3::new(sign(k, 0), sign(k, 1), sign(k, 2));
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
    Arc::new(mesh.scaled(scale).unwrap())
}

/// A body wholly inside a closed mesh was free: the mesh was its surface.
#[test]
fn what_is_inside_a_closed_mesh_collides_in_every_query() {
    let text = "<robot name='r'><link name='base'/>\
        <link name='shell'><collision><geometry><mesh filename='b.stl' scale='1 1 -1'/></geometry></collision></link>\
        <link name='egg'><collision><geometry><sphere radius='0.1'/></geometry></collision></link>\
        <link name='can'><collision><geometry><cylinder radius='0.1' length='0.2'/></geometry></collision></link>\
        <joint name='shell' type='floating'><parent link='base'/><child link='shell'/></joint>\
        <joint name='egg' type='floating'><parent link='base'/><child link='egg'/></joint>\
        <joint name='can' type='floating'><parent link='base'/><child link='can'/></joint></robot>";
    let solid = |_: &str, scale| Ok::<_, Infallible>(Some(block(1.0, scale)));
    let surface = |_: &str, scale| {
        let mesh = TriMesh::clone(&block(1.0, scale)).surface();
        Ok::<_, Infallible>(Some(Arc::new(mesh)))
    };
    let robot = Robot::from_urdf_str(text).unwrap();
    let place = |at: [f64; 3]| Isometry3::new(Vector3::from(at), Vector3::new(0.3, 0.2, 0.1));
    for (robot, collides) in [
        (robot.clone().with_meshes(solid).unwrap(), true),
        (robot.clone().with_meshes(surface).unwrap(), false),
    ] {
        let mut inside = robot.neutral();
        inside.set("shell", place([5.0, 0.0, 0.0])).unwrap();
        inside.set("egg", place([5.2, 0.1, -0.3])).unwrap();
        inside.set("can", place([5.0, 0.3, 0.3])).unwrap();
        let mut apart = inside.clone();
        apart.set("shell", place([15.0, 0.0, 0.0])).unwrap();
        let options = ClearanceOptions::default();
        assert_eq!(robot.in_collision(&inside, &options), Ok(collides));
        assert_eq!(robot.in_collision(&apart, &options), Ok(false));
        let found = robot.clearances(&inside, &options).unwrap();
        let colliding = |c: &&superovoid_robot::Clearance| c.status() == CollisionStatus::Collision;
        let count = if collides { 2 } else { 0 };
        assert_eq!(found.pairs.iter().filter(colliding).count(), count);
        let closest = robot.closest(&inside, &options).unwrap().unwrap();
        assert_eq!(closest.contact.distance < 0.0, collides);

        let mut scene = RobotScene::new(robot).unwrap();
        let options = SceneOptions::default();
        let both = [inside.clone(), apart.clone()];
        assert_eq!(scene.in_collision(&inside, &options), Ok(collides));
        let batch = scene.in_collision_batch(&both, &options, 1).unwrap();
        assert_eq!(batch, [collides, false]);
        let clearances = scene.clearance_batch(&both, &options, 1).unwrap();
        assert_eq!(clearances[0] == 0.0, collides, "{clearances:?}");
        let nearest = scene.closest_batch(&both, &options, 1).unwrap();
        let nearest = nearest[0].as_ref().unwrap();
        assert_eq!(nearest.status() == CollisionStatus::Collision, collides);
        let edge = scene.edge_free(&inside, &inside, &EdgeOptions::default());
        assert_eq!(edge.unwrap().is_free(), !collides);
        // The whole robot inside an obstacle.
        let mut hall = block(100.0, [1.0; 3]);
        if !collides {
            hall = Arc::new(TriMesh::clone(&hall).surface());
        }
        scene
            .add_obstacle("hall", hall, Isometry3::identity())
            .unwrap();
        assert_eq!(scene.in_collision(&apart, &options), Ok(collides));
        let batch = scene.in_collision_batch(&both, &options, 1).unwrap();
        assert_eq!(batch, [collides, collides]);
        let edge = scene.edge_free(&apart, &apart, &EdgeOptions::default());
        assert_eq!(edge.unwrap().is_free(), !collides);
    }
}
