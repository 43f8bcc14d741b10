//! The hands of iCub in a scene.

use nalgebra::{Isometry3, Vector3};
use rand::seq::SliceRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use superovoid::bvh::TriMesh;
use superovoid::polytope::Cuboid;
use superovoid::{CollisionStatus, HalfSpace, Superovoid, contact};
use superovoid_robot::scene::{
    Counterpart, RobotContact, RobotScene, RobotSceneError, SceneError, SceneOptions,
};
use superovoid_robot::{ClearanceOptions, Configuration, ConfigurationError, Robot};

fn hands() -> Robot {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_hands.urdf");
    Robot::from_urdf_file(path).unwrap()
}

fn options(max_distance: f64) -> SceneOptions {
    SceneOptions::default().with_max_distance(max_distance)
}

/// Anywhere between the limits, thumbs out, the hands near each other or apart.
fn any_configuration(rng: &mut impl Rng, robot: &Robot) -> Configuration {
    let mut configuration = robot.neutral();
    for joint in robot.joints() {
        let Some([lower, upper]) = joint.range() else {
            continue;
        };
        let position = match joint.name.as_str() {
            "l_hand_thumb_0_joint" | "r_hand_thumb_0_joint" => 0.8,
            "right_hand_approach" => rng.random_range(-0.2..0.0),
            _ => lower + 0.4 * rng.random_range(0.0..1.0) * (upper - lower),
        };
        // Joints that mimic are not set.
        let _ = configuration.set(&joint.name, position);
    }
    configuration
}

/// By the indices of the four.
fn key(contact: &RobotContact) -> [usize; 4] {
    match contact.with {
        Counterpart::Link { link, collision } => [contact.link, contact.collision, link, collision],
        _ => panic!("no obstacles here"),
    }
}

#[test]
fn without_obstacles_it_is_the_robot_alone() {
    let robot = hands();
    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..60 {
        let configuration = any_configuration(&mut rng, &robot);
        let max_distance = [f64::INFINITY, 0.02, 0.0][round % 3];
        let asked = ClearanceOptions::default().with_max_distance(max_distance);
        let mut expected = robot.clearances(&configuration, &asked).unwrap().pairs;
        let mut found = scene
            .contacts(&configuration, &options(max_distance))
            .unwrap();
        let closest = scene
            .closest(&configuration, &options(max_distance))
            .unwrap();
        let least = found.first().map(|c| c.contact.distance);
        assert_eq!(closest.is_some(), least.is_some());
        for (closest, least) in closest.iter().zip(least) {
            assert!((closest.contact.distance - least).abs() < 1e-9);
        }
        assert_eq!(
            scene
                .in_collision(&configuration, &options(max_distance))
                .unwrap(),
            robot.in_collision(&configuration, &asked).unwrap()
        );
        found.sort_by_key(key);
        expected.sort_by_key(|c| (c.link_a, c.collision_a, c.link_b, c.collision_b));
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(&expected) {
            let pair = [
                expected.link_a,
                expected.collision_a,
                expected.link_b,
                expected.collision_b,
            ];
            assert_eq!(key(found), pair);
            assert_eq!(found.status(), expected.status());
            let error = (found.contact.distance - expected.contact.distance).abs();
            assert!(error < 1e-9, "{found:?} {expected:?}");
        }
    }
}

/// A table, a box, a mesh and an egg between the hands.
pub fn with_obstacles() -> RobotScene {
    let mut scene = RobotScene::new(hands()).unwrap();
    let table = HalfSpace::new(Vector3::z(), -0.12).unwrap();
    scene
        .add_obstacle("table", table, Isometry3::identity())
        .unwrap();
    let book = Cuboid::new([0.02, 0.03, 0.01]).unwrap();
    scene
        .add_obstacle("book", book, Isometry3::translation(0.05, 0.02, -0.05))
        .unwrap();
    let vase = Superovoid::new([0.03, 0.03, 0.05], [1.0, 0.6], [0.3, 0.3]).unwrap();
    let mesh = vase.tessellate(12);
    let mesh = Arc::new(TriMesh::new(mesh.vertices, mesh.triangles).unwrap());
    scene
        .add_obstacle("vase", mesh, Isometry3::translation(0.0, 0.05, 0.08))
        .unwrap();
    let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2]).unwrap();
    scene
        .add_obstacle("egg", egg, Isometry3::translation(0.0, 0.0, 0.02))
        .unwrap();
    scene
}

fn configurations(count: usize) -> Vec<Configuration> {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let robot = hands();
    (0..count)
        .map(|_| any_configuration(&mut rng, &robot))
        .collect()
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let scene = with_obstacles();
    let configurations = configurations(150);
    let ask = |threads: usize| {
        scene.map(&configurations, threads, |scene, configuration| {
            let all = scene.contacts(configuration, &options(0.02)).unwrap();
            let closest = scene
                .closest(configuration, &options(f64::INFINITY))
                .unwrap();
            let collides = scene.in_collision(configuration, &options(0.02)).unwrap();
            (all, closest, collides)
        })
    };
    let alone = ask(1);
    assert_eq!(alone.len(), configurations.len());
    for threads in [0, 2, 3, 7] {
        assert!(ask(threads) == alone, "{threads} threads");
    }
    let obstacles = alone.iter().flat_map(|(all, ..)| all);
    let against = obstacles.filter(|c| matches!(c.with, Counterpart::Obstacle(_)));
    assert!(against.count() > 100);
    let colliding = alone.iter().filter(|(.., collides)| *collides).count();
    assert!((1..150).contains(&colliding), "{colliding}");
    // None at all, and fewer than there are threads.
    assert!(scene.map(&[], 4, |_, _| ()).is_empty());
    assert_eq!(scene.map(&configurations[..1], 4, |_, _| 1), [1]);
}

/// One scene in any order, and a new one for every configuration, say the same.
#[test]
fn nothing_is_left_of_one_configuration_in_the_next() {
    let unused = with_obstacles();
    let mut used = unused.clone();
    let configurations = configurations(60);
    let asked = options(0.05);
    let fresh: Vec<_> = configurations
        .iter()
        .map(|c| unused.clone().contacts(c, &asked).unwrap())
        .collect();
    let mut order: Vec<usize> = (0..configurations.len()).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..3 {
        order.shuffle(&mut rng);
        for &i in &order {
            let again = used.contacts(&configurations[i], &asked).unwrap();
            assert_eq!(again.len(), fresh[i].len());
            let sorted = |contacts: &[RobotContact]| {
                let mut contacts = contacts.to_vec();
                contacts.sort_by_key(|c| (c.link, c.collision, format!("{:?}", c.with)));
                contacts
            };
            for (again, fresh) in sorted(&again).iter().zip(&sorted(&fresh[i])) {
                assert_eq!((again.link, again.with), (fresh.link, fresh.with));
                assert_eq!(again.status(), fresh.status());
                let error = (again.contact.distance - fresh.contact.distance).abs();
                assert!(error < 1e-9, "{again:?} {fresh:?}");
                // Distances of bodies apart have one normal, unless faces are parallel.
                if again.status() == CollisionStatus::Collision {
                    assert_eq!(again.contact, fresh.contact);
                }
            }
        }
    }
}

/// Each obstacle alone, asked link by link.
#[test]
fn obstacles_are_as_link_by_link_in_the_world_of_the_base() {
    let robot = hands();
    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let base = Isometry3::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, 0.2, -1.0));
    scene.set_base(base).unwrap();
    assert_eq!(scene.base(), base);
    let egg = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2]).unwrap();
    let at = base * Isometry3::translation(0.0, 0.02, 0.05);
    let id = scene.add_obstacle("egg", egg, at).unwrap();
    for configuration in &configurations(20) {
        let links = robot.forward_kinematics(configuration).unwrap();
        let found = scene
            .contacts(configuration, &options(f64::INFINITY))
            .unwrap();
        let mut count = 0;
        for body in robot.superovoid_bodies() {
            let pose = base * links[body.link] * body.pose;
            let query = superovoid::QueryOptions::default();
            let expected = contact(&body.shape, &pose, &egg, &at, &query, None).unwrap();
            let of = |c: &&RobotContact| {
                c.with == Counterpart::Obstacle(id)
                    && (c.link, c.collision) == (body.link, body.collision)
            };
            let found = found.iter().find(of).unwrap();
            assert!((found.contact.distance - expected.distance).abs() < 1e-9);
            assert!((found.contact.point_a - expected.point_a).norm() < 1e-5);
            count += 1;
        }
        let with_egg = found.iter().filter(|c| c.with == Counterpart::Obstacle(id));
        assert_eq!(with_egg.count(), count);
    }
    // Moved away, removed.
    let far = Isometry3::translation(50.0, 0.0, 0.0);
    scene.move_obstacle(id, far).unwrap();
    let neutral = robot.neutral();
    let near = |scene: &mut RobotScene| -> usize {
        let found = scene.contacts(&neutral, &options(1.0)).unwrap();
        let egg = found.iter().filter(|c| c.with == Counterpart::Obstacle(id));
        egg.count()
    };
    assert_eq!(near(&mut scene), 0);
    scene.move_obstacle(id, at).unwrap();
    assert_eq!(near(&mut scene), robot.superovoid_bodies().len());
    scene.remove_obstacle(id).unwrap();
    assert_eq!(near(&mut scene), 0);
    let gone = Err(RobotSceneError::Scene(SceneError::NoBody { id }));
    assert_eq!(scene.remove_obstacle(id), gone);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut scene = RobotScene::new(hands()).unwrap();
    let ball = Superovoid::sphere(0.1).unwrap();
    let here = Isometry3::identity();
    let refused = scene.add_obstacle("l_hand", ball, here).unwrap_err();
    assert!(
        matches!(refused, RobotSceneError::NameOfLink { .. }),
        "{refused}"
    );
    let part = scene.scene().ids().next().unwrap();
    let expected = Err(RobotSceneError::NotAnObstacle { id: part });
    assert_eq!(scene.remove_obstacle(part), expected);
    assert_eq!(scene.move_obstacle(part, here), expected);
    assert!(
        scene
            .set_base(Isometry3::translation(f64::NAN, 0.0, 0.0))
            .is_err()
    );
    assert_eq!(scene.base(), here);
    let other = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#).unwrap();
    let refused = scene.in_collision(&other.neutral(), &SceneOptions::default());
    let expected = RobotSceneError::Configuration(ConfigurationError::OtherRobot);
    assert_eq!(refused, Err(expected));
    assert!(!scene.allow("l_hand", "nobody") && !scene.forbid("nobody", "l_hand"));
    assert!(!scene.set_default("nobody", Some(true)));
}

/// The neutral thumbs overlap their own palms, and nothing else does.
#[test]
fn allowed_pairs_are_left_out_and_adjacent_ones_can_be_asked_for() {
    let robot = hands();
    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let neutral = robot.neutral();
    let asked = SceneOptions::default();
    assert_eq!(scene.in_collision(&neutral, &asked), Ok(true));
    assert!(scene.allow("l_hand", "l_hand_thumb_1"));
    assert!(scene.allow("r_hand_thumb_1", "r_hand"));
    assert_eq!(scene.in_collision(&neutral, &asked), Ok(false));
    // Every adjacent pair asked for, and the two again: all that a robot knows.
    for joint in robot.joints() {
        assert!(scene.forbid(&joint.parent, &joint.child));
    }
    scene.forbid("l_hand", "l_hand_thumb_1");
    scene.forbid("r_hand", "r_hand_thumb_1");
    let found = scene.contacts(&neutral, &asked).unwrap().len();
    let all = ClearanceOptions::default().with_include_adjacent(true);
    let all = robot.clearances(&neutral, &all).unwrap().pairs.len();
    // Links that fixed joints hold together two joints apart stay left out.
    assert!(found <= all && all - found < 20, "{found} of {all}");
    // An obstacle in the palm, which may touch it.
    let palm = Superovoid::sphere(0.01).unwrap();
    let at = scene.scene().ids().next().unwrap();
    let pose = scene.scene().pose(at).unwrap();
    scene.add_obstacle("grip", palm, pose).unwrap();
    let touching = |scene: &mut RobotScene| {
        let found = scene.contacts(&neutral, &options(0.0)).unwrap();
        let grip = found
            .iter()
            .filter(|c| matches!(c.with, Counterpart::Obstacle(_)));
        grip.count()
    };
    let before = touching(&mut scene);
    assert!(before > 0);
    assert!(scene.set_default("grip", Some(true)));
    assert_eq!(touching(&mut scene), 0);
}
