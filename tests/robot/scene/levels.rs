//! Bounds, covers, balls inside bodies, directions and hulls never change a verdict: an arm of meshes, boxes, cylinders and
//! superovoids among obstacles of every kind, against the contact of each pair at poses of the test's own.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;
use std::sync::Arc;
use superovoid::bvh::{BoxSet, TriMesh};
use superovoid::convex::ConvexShape;
use superovoid::{Aabb, HalfSpace, QueryOptions, Shape, Superovoid};
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{Configuration, Robot};

/// A dumb-bell along z: a thin waist between two plates, which is far from its hull.
pub fn dumb_bell(around: usize, scale: f64) -> TriMesh {
    let rings = [
        [-0.15, 0.08],
        [-0.1, 0.08],
        [-0.08, 0.02],
        [0.08, 0.02],
        [0.1, 0.08],
        [0.15, 0.08],
    ];
    let mut vertices = vec![Point3::new(0.0, 0.0, -0.15 * scale)];
    for [z, radius] in rings {
        for k in 0..around {
            let (sin, cos) = (k as f64 / around as f64 * std::f64::consts::TAU).sin_cos();
            vertices.push(Point3::new(radius * cos, radius * sin, z) * scale);
        }
    }
    let top = vertices.len() as u32;
    vertices.push(Point3::new(0.0, 0.0, 0.15 * scale));
    let around = around as u32;
    let at = |ring: u32, k: u32| 1 + ring * around + k % around;
    let mut faces = Vec::new();
    for k in 0..around {
        faces.push([0, at(0, k + 1), at(0, k)]);
        for ring in 0..5 {
            faces.push([at(ring, k), at(ring, k + 1), at(ring + 1, k)]);
            faces.push([at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)]);
        }
        faces.push([top, at(5, k), at(5, k + 1)]);
    }
    let mesh = TriMesh::new(vertices, faces).unwrap();
    assert!(mesh.is_solid());
    mesh
}

/// Links on joints that turn about y and z in turns, each body 0.1 above its joint, the joints 0.3 apart.
fn arm() -> Robot {
    let bodies = [
        "<box size='0.1 0.16 0.3'/>",
        "<mesh filename='coarse'/>",
        "<cylinder radius='0.05' length='0.3'/>",
        "<mesh filename='fine'/>",
        "<capsule radius='0.05' length='0.2'/>",
    ];
    let mut text = "<robot name='arm'><link name='base'><collision><geometry><cylinder radius='0.15' length='0.3'/></geometry>\
                    </collision></link>"
        .to_owned();
    let mut parent = "base".to_owned();
    for (k, body) in bodies.iter().enumerate() {
        let axis = ["0 1 0", "0 0 1"][k % 2];
        text += &format!(
            "<link name='l{k}'><collision><origin xyz='0 0 0.15'/><geometry>{body}</geometry></collision></link>\
             <joint name='j{k}' type='revolute'><origin xyz='0 0 0.3'/><parent link='{parent}'/><child link='l{k}'/>\
             <axis xyz='{axis}'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint>"
        );
        parent = format!("l{k}");
    }
    let robot = Robot::from_urdf_str(&(text + "</robot>")).unwrap();
    let robot = robot.with_meshes(|name, _| {
        let around = if name == "coarse" { 12 } else { 80 };
        Ok::<_, Infallible>(Some(Arc::new(dumb_bell(around, 1.0))))
    });
    robot.unwrap()
}

fn any_pose(rng: &mut impl Rng) -> Isometry3<f64> {
    let mut angle = || rng.random_range(-3.0..3.0);
    let turn = UnitQuaternion::from_euler_angles(angle(), angle(), angle());
    let mut at = || rng.random_range(-0.8..0.8);
    Isometry3::from_parts(Translation3::new(at(), at(), at() + 0.7), turn)
}

pub fn obstacles(rng: &mut impl Rng) -> Vec<(Shape, Isometry3<f64>)> {
    let ball = Superovoid::sphere(0.08).unwrap();
    let egg = Superovoid::new([0.1, 0.07, 0.15], [0.6, 0.8], [0.3, -0.2]).unwrap();
    let corner = |x, y, z| Point3::new(x, y, z);
    let points = [
        corner(0.2, 0.0, 0.0),
        corner(0.0, 0.1, 0.0),
        corner(0.0, 0.0, 0.1),
        corner(-0.1, -0.1, -0.1),
    ];
    let cells = vec![
        Aabb {
            min: corner(-0.1, -0.1, -0.1),
            max: corner(0.0, 0.0, 0.0),
        },
        Aabb {
            min: corner(0.1, 0.0, 0.0),
            max: corner(0.2, 0.1, 0.2),
        },
    ];
    let shapes: Vec<Shape> = vec![
        ball.into(),
        egg.into(),
        ConvexShape::cuboid([0.3, 0.2, 0.02]).unwrap().into(),
        ConvexShape::cuboid([0.02, 0.2, 0.3]).unwrap().into(),
        ConvexShape::cylinder(0.06, 0.3).unwrap().into(),
        ConvexShape::capsule(0.05, 0.2).unwrap().into(),
        ConvexShape::cone(0.1, 0.2).unwrap().into(),
        ConvexShape::ball(0.12).unwrap().into(),
        ConvexShape::hull(&points).unwrap().into(),
        dumb_bell(16, 1.2).into(),
        BoxSet::new(cells).unwrap().into(),
    ];
    let mut placed: Vec<_> = shapes
        .into_iter()
        .map(|shape| (shape, any_pose(rng)))
        .collect();
    let floor = HalfSpace::new(Vector3::z(), -0.2).unwrap();
    placed.push((floor.into(), Isometry3::identity()));
    placed
}

/// The least signed distance of the pairs that are compared: all but neighbours, and of the obstacles with each body.
fn least(
    robot: &Robot,
    state: &Configuration,
    obstacles: &[(Shape, Isometry3<f64>)],
    padding: f64,
) -> f64 {
    // Poses by products of matrices, joint after joint.
    let mut pose: nalgebra::Matrix4<f64> = nalgebra::Matrix4::identity();
    let mut poses = vec![Isometry3::identity()];
    for k in 0..5 {
        let superovoid_robot::JointPosition::Scalar(q) = state.position(&format!("j{k}")).unwrap()
        else {
            panic!("a joint turns");
        };
        let axis = [Vector3::y_axis(), Vector3::z_axis()][k % 2];
        pose *= nalgebra::Matrix4::new_translation(&(Vector3::z() * 0.3));
        pose *= nalgebra::Rotation3::from_axis_angle(&axis, q).to_homogeneous();
        let at = pose * nalgebra::Matrix4::new_translation(&(Vector3::z() * 0.15));
        let rotation =
            nalgebra::Rotation3::from_matrix_unchecked(at.fixed_view::<3, 3>(0, 0).into());
        poses.push(Isometry3::from_parts(
            Translation3::from(at.fixed_view::<3, 1>(0, 3).into_owned()),
            UnitQuaternion::from_rotation_matrix(&rotation),
        ));
    }
    let bodies: Vec<&Shape> = robot.collision_bodies().map(|body| &body.shape).collect();
    let options = QueryOptions::default();
    let distance = |a: usize, shape: &Shape, at: &Isometry3<f64>| {
        let found = bodies[a].contact(&poses[a], shape, at, &options).unwrap();
        found.unwrap().contact.distance
    };
    // The base stays where it is, the other one moves.
    let padded = |body: usize| if body == 0 || body == 3 { padding } else { 0.0 };
    let mut least = f64::INFINITY;
    for a in 0..6 {
        for b in a + 2..6 {
            let pads = padded(a) + padded(b);
            least = least.min(distance(a, bodies[b], &poses[b]) - pads);
        }
        for (shape, at) in obstacles {
            least = least.min(distance(a, shape, at) - padded(a));
        }
    }
    least
}

fn verdicts(scenes: usize, seed: u64) {
    let robot = arm();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let options = SceneOptions::default();
    let (mut hits, mut near, mut states) = (0, 0, 0);
    for round in 0..scenes {
        let all = obstacles(&mut rng);
        let furniture = &all[round % 4 * 2..];
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        for (k, (shape, pose)) in furniture.iter().enumerate() {
            scene
                .add_obstacle(&format!("o{k}"), shape.clone(), *pose)
                .unwrap();
        }
        let padding = [0.0, 0.03][round % 2];
        for link in ["base", "l2"] {
            scene.set_padding(link, padding).unwrap();
        }
        // Ends of an edge, the states along it, and others anywhere: directions and balls of one serve the next.
        let mut draw = |share: f64| {
            let mut state = robot.neutral();
            for k in 0..5 {
                state
                    .set(&format!("j{k}"), share * rng.random_range(-3.0..3.0))
                    .unwrap();
            }
            state
        };
        let (from, to) = (draw(0.5), draw(0.5));
        let count = 20;
        let mut batch: Vec<Configuration> = (1..=count)
            .map(|k| {
                let t = f64::from(k) / f64::from(count);
                let numbers = from.to_vec().into_iter().zip(to.to_vec());
                let numbers: Vec<f64> = numbers.map(|(from, to)| from + t * (to - from)).collect();
                robot.configuration(&numbers).unwrap()
            })
            .collect();
        batch.extend((0..13).map(|_| draw(1.0)));
        let truth: Vec<f64> = batch
            .iter()
            .map(|state| least(&robot, state, furniture, padding))
            .collect();
        for again in 0..2 {
            let before = decided(&scene);
            let found = scene.in_collision_batch(&batch, &options, 1).unwrap();
            assert_eq!(decided(&scene) - before, batch.len() as u64);
            for (k, (found, truth)) in found.iter().zip(&truth).enumerate() {
                if truth.abs() > 1e-7 {
                    assert_eq!(*found, *truth < 0.0, "{round} {again} {k}: {truth}");
                }
            }
        }
        let along = &truth[..count as usize];
        if along.iter().all(|truth| truth.abs() > 1e-7) {
            let found = scene
                .find_collision_between(&from, &to, count as usize, &options)
                .unwrap();
            assert_eq!(
                found.is_some(),
                along.iter().any(|truth| *truth < 0.0),
                "{round}"
            );
            assert!(found.is_none_or(|k| along[k - 1] < 0.0), "{round}");
            let found = scene
                .find_collision(&batch[..count as usize], &options)
                .unwrap();
            assert_eq!(
                found.is_some(),
                along.iter().any(|truth| *truth < 0.0),
                "{round}"
            );
        }
        states += truth.len();
        hits += truth.iter().filter(|truth| **truth < 0.0).count();
        near += truth.iter().filter(|truth| truth.abs() < 0.02).count();
    }
    assert!(
        hits > states / 10 && hits < states * 9 / 10,
        "{hits} of {states}"
    );
    assert!(near > states / 50, "{near} of {states}");
}

/// How many states have been decided.
fn decided(scene: &RobotScene) -> u64 {
    let found = scene.step_counts();
    found.bounds + found.directions + found.hulls + found.pieces + found.contacts
}

/// The steps are those that a state needs: far from an obstacle its bounds, near it more, and in a mesh-free scene no pieces. On
/// several threads the counts are the same sum.
#[test]
fn the_steps_that_decided_are_counted() {
    let mut scene = RobotScene::new(arm()).unwrap();
    let states = vec![scene.robot().neutral(); 600];
    let options = SceneOptions::default();
    scene.in_collision_batch(&states, &options, 1).unwrap();
    let alone = scene.step_counts();
    assert_eq!(decided(&scene), 600);
    assert_eq!(alone.pieces, 0);
    scene.in_collision_batch(&states, &options, 3).unwrap();
    assert_eq!(decided(&scene), 1200);
    assert_eq!(decided(&scene.clone()), 0);
}

#[test]
fn verdicts_are_those_of_the_pairs_one_by_one() {
    verdicts(40, 1);
}

#[test]
#[ignore = "minutes"]
fn verdicts_are_those_of_the_pairs_one_by_one_long() {
    verdicts(4000, 2);
}

/// The numbers of a state are those of the joints: where nothing is between two states, none is asked.
#[test]
fn no_state_is_free() {
    let mut scene = RobotScene::new(arm()).unwrap();
    let state = scene.robot().neutral();
    let options = SceneOptions::default();
    let found = scene.find_collision_between(&state, &state, 0, &options);
    assert_eq!(found, Ok(None));
    let other = Robot::from_urdf_str("<robot name='r'><link name='l'/></robot>")
        .unwrap()
        .neutral();
    assert!(
        scene
            .find_collision_between(&state, &other, 3, &options)
            .is_err()
    );
}

/// A link on a slider along x.
fn slider(body: &str) -> Robot {
    let text = format!(
        "<robot name='slider'><link name='rail'/><link name='cart'><collision><geometry>{body}</geometry></collision></link>\
         <joint name='x' type='prismatic'><parent link='rail'/><child link='cart'/><axis xyz='1 0 0'/>\
         <limit lower='-9' upper='9' effort='1' velocity='1'/></joint></robot>"
    );
    let robot = Robot::from_urdf_str(&text).unwrap();
    let robot = robot.with_meshes(|_, _| Ok::<_, Infallible>(Some(Arc::new(cube(0.5)))));
    robot.unwrap()
}

fn cube(half: f64) -> TriMesh {
    let end = |k: usize, axis: usize| if k >> axis & 1 == 0 { -half } else { half };
    let corners = (0..8).map(|k| Point3::new(end(k, 0), end(k, 1), end(k, 2)));
    let faces = vec![
        [0, 2, 1],
        [1, 2, 3],
        [4, 5, 6],
        [5, 7, 6],
        [0, 1, 4],
        [1, 5, 4],
        [2, 6, 3],
        [3, 6, 7],
        [0, 4, 2],
        [2, 4, 6],
        [1, 3, 5],
        [3, 7, 5],
    ];
    let mesh = TriMesh::new(corners.collect(), faces).unwrap();
    assert!(mesh.is_solid());
    mesh
}

/// A box 2e-6 larger than it is would be apart where it touches.
#[test]
fn a_quaternion_a_little_off_unit_length_does_not_scale_an_obstacle() {
    let mut scene = RobotScene::new(slider("<sphere radius='0.1'/>")).unwrap();
    let off = nalgebra::Unit::new_unchecked(nalgebra::Quaternion::new(1.0 + 9e-7, 0.0, 0.0, 0.0));
    let pose = Isometry3::from_parts(Translation3::identity(), off);
    let block = ConvexShape::cuboid([1.0; 3]).unwrap();
    scene.add_obstacle("block", block, pose).unwrap();
    let options = SceneOptions::default();
    for (x, touches) in [(1.1 - 1e-6, true), (1.1 + 1e-6, false)] {
        let mut state = scene.robot().neutral();
        state.set("x", x).unwrap();
        assert_eq!(scene.in_collision(&state, &options), Ok(touches), "{x}");
        let batch = scene.in_collision_batch(&[state.clone()], &options, 1);
        assert_eq!(batch, Ok(vec![touches]), "{x}");
    }
}

/// The hulls of two meshes are farther apart than a quarter of the separation that they must keep, and nearer than that.
#[test]
fn an_edge_of_meshes_that_are_too_near_from_the_beginning_is_a_hit() {
    let mut scene = RobotScene::new(slider("<mesh filename='cube'/>")).unwrap();
    scene
        .add_obstacle("cube", cube(0.5), Isometry3::translation(1.04, 0.0, 0.0))
        .unwrap();
    let from = scene.robot().neutral();
    let mut to = from.clone();
    to.set("x", -0.005).unwrap();
    for (separation, padding) in [(0.05, 0.0), (0.0, 0.05)] {
        scene.set_padding("cart", padding).unwrap();
        let options = superovoid_robot::EdgeOptions::default().with_min_separation(separation);
        let answer = scene.edge_free(&from, &to, &options).unwrap();
        assert_eq!(
            answer.touching,
            Some(0.0),
            "{separation} {padding}: {answer:?}"
        );
    }
    scene.set_padding("cart", 0.0).unwrap();
    let options = superovoid_robot::EdgeOptions::default().with_min_separation(0.039);
    assert!(scene.edge_free(&from, &to, &options).unwrap().is_free());
}

/// A point off the origin of its frame, a segment of no length, and a hull of many points are covered as well.
#[test]
fn bodies_of_one_point_and_of_many_are_attached() {
    let p = Point3::new(1.0, 0.3, -0.2);
    let around = |k: u32| {
        let (turn, z) = (f64::from(k) * 2.399_963, 1.0 - 2.0 * f64::from(k) / 4999.0);
        let radius = (1.0 - z * z).max(0.0).sqrt();
        Point3::new(
            0.1 * radius * turn.cos(),
            0.1 * radius * turn.sin(),
            0.3 * z,
        )
    };
    let many: Vec<Point3<f64>> = (0..5000).map(around).collect();
    let shapes: [Shape; 3] = [
        ConvexShape::hull(&[p]).unwrap().into(),
        superovoid::polytope::Segment::new(p, p).unwrap().into(),
        ConvexShape::hull(&many).unwrap().into(),
    ];
    let options = SceneOptions::default();
    for (shape, touching) in shapes.into_iter().zip([1.0, 1.0, 0.1]) {
        let mut scene = RobotScene::new(slider("<sphere radius='0.1'/>")).unwrap();
        scene
            .attach("held", "cart", shape, Isometry3::identity(), &[])
            .unwrap();
        let wall = HalfSpace::new(-Vector3::x(), -3.0).unwrap();
        scene
            .add_obstacle("wall", wall, Isometry3::identity())
            .unwrap();
        for (off, touches) in [(1e-3, true), (-1e-2, false)] {
            let mut state = scene.robot().neutral();
            state.set("x", 3.0 - touching + off).unwrap();
            let batch = scene.in_collision_batch(&[state], &options, 1);
            assert_eq!(batch, Ok(vec![touches]));
        }
    }
}

/// An obstacle that a robot reaches only with every joint at its limit, one that follows another among them, is reached.
#[test]
fn what_only_joints_at_their_limits_reach_is_reached() {
    let text = "<robot name='crane'><link name='base'/><link name='tower'/>\
        <link name='boom'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\
        <link name='hook'><collision><geometry><box size='0.2 0.2 0.2'/></geometry></collision></link>\
        <joint name='turn' type='revolute'><parent link='base'/><child link='tower'/><axis xyz='0 0 1'/>\
        <limit lower='-3' upper='3' effort='1' velocity='1'/></joint>\
        <joint name='slide' type='prismatic'><origin xyz='0.5 0 0'/><parent link='tower'/><child link='boom'/>\
        <axis xyz='1 0 0'/><limit lower='-0.2' upper='0.9' effort='1' velocity='1'/></joint>\
        <joint name='follow' type='prismatic'><parent link='boom'/><child link='hook'/><axis xyz='1 0 0'/>\
        <limit lower='0' upper='5' effort='1' velocity='1'/><mimic joint='slide' multiplier='2' offset='0.1'/></joint></robot>";
    let options = SceneOptions::default();
    for angle in [-2.9_f64, 0.3, 1.7] {
        // The middle of the hook is 0.6 + 3 q from the axis.
        for (beyond, reached) in [(-1e-3, true), (1e-3, false)] {
            let mut scene = RobotScene::new(Robot::from_urdf_str(text).unwrap()).unwrap();
            let at = Vector3::new(angle.cos(), angle.sin(), 0.0) * (0.6 + 3.0 * 0.9 + 0.2 + beyond);
            let ball = ConvexShape::ball(0.1).unwrap();
            let pose = Isometry3::from_parts(at.into(), UnitQuaternion::identity());
            scene.add_obstacle("ball", ball, pose).unwrap();
            let [near, far] = [-0.2, 0.9].map(|q| {
                let mut state = scene.robot().neutral();
                state.set("turn", angle).unwrap();
                state.set_at(1, q).unwrap();
                state
            });
            let batch = [near.clone(), far.clone()];
            let found = scene.in_collision_batch(&batch, &options, 1).unwrap();
            assert_eq!(found, [false, reached]);
            let found = scene.find_collision_between(&near, &far, 9, &options);
            assert_eq!(found, Ok(reached.then_some(9)));
            // At rest between the ends of a line, one joint after the other.
            let found = scene.find_collision_between(&far, &far, 1, &options);
            assert_eq!(found, Ok(reached.then_some(1)));
        }
    }
    let robot = Robot::from_urdf_str(text).unwrap();
    let mut state = robot.neutral();
    assert!(matches!(
        state.set_at(3, 0.0),
        Err(superovoid_robot::ConfigurationError::UnknownJoint { .. })
    ));
    assert!(matches!(
        state.set_at(2, 0.0),
        Err(superovoid_robot::ConfigurationError::Mimics { .. })
    ));
    assert!(matches!(
        state.set_at(1, 0.95),
        Err(superovoid_robot::ConfigurationError::OutsideLimits { .. })
    ));
    assert_eq!(state, robot.neutral());
}

/// What was kept in a file answers as what is made, and a file that is not that of the meshes is not used.
#[test]
fn levels_from_a_file_are_those_that_are_made() {
    let name = format!("superovoid-levels-{}", std::process::id());
    let path = std::env::temp_dir().join(name);
    let _ = std::fs::remove_file(&path);
    let seeds = || ChaCha8Rng::seed_from_u64(54);
    let states = |robot: &Robot, rng: &mut ChaCha8Rng| -> Vec<Configuration> {
        let state = |rng: &mut ChaCha8Rng| {
            let numbers: Vec<f64> = (0..5).map(|_| rng.random_range(-2.5..2.5)).collect();
            robot.configuration(&numbers).unwrap()
        };
        (0..400).map(|_| state(rng)).collect()
    };
    let ask = |robot: &Robot| {
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        let table = ConvexShape::cuboid([0.5, 0.5, 0.05]).unwrap();
        let pose = Isometry3::translation(0.6, 0.0, 0.8);
        scene.add_obstacle("table", table, pose).unwrap();
        let states = states(robot, &mut seeds());
        let options = SceneOptions::default();
        let collides = scene.in_collision_batch(&states, &options, 1).unwrap();
        (collides, scene.step_counts())
    };
    let (made, read) = (arm(), arm());
    assert!(!made.use_cache(&path).unwrap());
    let whole = std::fs::read(&path).unwrap();
    assert!(read.use_cache(&path).unwrap());
    let answers = ask(&made);
    assert!(answers.0.contains(&true) && answers.0.contains(&false));
    assert_eq!(ask(&read), answers);
    assert_eq!(ask(&arm()), answers);
    // A bit anywhere, an end anywhere, and the meshes of another robot.
    let mut rng = seeds();
    for k in 0..200 {
        let mut bytes = whole.clone();
        if k % 2 == 0 {
            // After the name, by which it is known for a cache.
            let bit = rng.random_range(8 * 17..8 * bytes.len());
            bytes[bit / 8] ^= 1 << (bit % 8);
        } else {
            bytes.truncate(rng.random_range(17..bytes.len()));
        }
        std::fs::write(&path, &bytes).unwrap();
        assert!(!arm().use_cache(&path).unwrap(), "{k}");
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let text = "<robot name='r'><link name='l'><collision><geometry><mesh filename='m'/></geometry></collision></link></robot>";
    let of = |mesh: TriMesh| {
        let (robot, mesh) = (Robot::from_urdf_str(text).unwrap(), Arc::new(mesh));
        let load = |_: &str, _| Ok::<_, Infallible>(Some(Arc::clone(&mesh)));
        robot.with_meshes(load).unwrap()
    };
    let other = 1.0 + f64::EPSILON;
    assert!(!of(dumb_bell(12, 1.0)).use_cache(&path).unwrap());
    assert!(!of(dumb_bell(12, other)).use_cache(&path).unwrap());
    assert!(of(dumb_bell(12, other)).use_cache(&path).unwrap());
    // Balls inside a solid are not inside its surface.
    assert!(!of(dumb_bell(12, other).surface()).use_cache(&path).unwrap());
    assert!(!of(dumb_bell(12, other)).use_cache(&path).unwrap());
    // What a power cut may leave is written anew, something else stays as it is.
    for bytes in [&[][..], &[0; 99], b"superovoid"] {
        std::fs::write(&path, bytes).unwrap();
        assert!(!arm().use_cache(&path).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), whole);
    }
    let more = [&whole[..], &vec![0; 1 << 20]].concat();
    std::fs::write(&path, more).unwrap();
    assert!(!arm().use_cache(&path).unwrap());
    std::fs::write(&path, "<robot/>").unwrap();
    let error = arm().use_cache(&path).unwrap_err().to_string();
    assert!(error.contains("is no cache of a robot's meshes"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "<robot/>");
    // Nor is it touched for a robot of which nothing is known.
    let error = Robot::from_urdf_str(text).unwrap().use_cache(&path);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the mesh \"m\" is not loaded; expected a robot with its meshes"
    );
    let bare = Robot::from_urdf_str("<robot name='r'><link name='l'/></robot>").unwrap();
    assert!(!bare.use_cache(&path).unwrap());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "<robot/>");
    std::fs::remove_file(&path).unwrap();
    assert!(!bare.use_cache(&path).unwrap() && !path.exists());
    let folder = arm()
        .use_cache(std::env::temp_dir())
        .unwrap_err()
        .to_string();
    assert!(folder.contains("expected a file"), "{folder}");
    let nowhere = path.join("a");
    let error = arm().use_cache(&nowhere).unwrap_err().to_string();
    assert!(error.contains(&nowhere.display().to_string()), "{error}");
}
