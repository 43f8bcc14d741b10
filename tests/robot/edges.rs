//! Proven edges, against configurations sampled on the same line by code that shares nothing with the proof: positions
//! interpolated here, poses by forward kinematics, and the pair query at each of them.

use crate::gradients::ROBOT;
use nalgebra::{Isometry3, Point3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use superovoid::bvh::{BoxSet, TriMesh};
use superovoid::polytope::Cuboid;
use superovoid::{Aabb, HalfSpace, Superovoid};
use superovoid_robot::scene::{Counterpart, RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{
    ClearanceError, ClearanceOptions, Configuration, EdgeAnswer, EdgeOptions, EdgeStatus,
    JointKind, JointPosition, Robot,
};

/// A random configuration, a joint reaching as far as `spread` allows.
fn random(robot: &Robot, rng: &mut ChaCha8Rng, spread: f64) -> Configuration {
    let mut configuration = robot.neutral();
    for joint in robot.joints() {
        let mut number = |most: f64| rng.random_range(-most..=most) * spread;
        let position = match joint.kind {
            _ if joint.mimic.is_some() => continue,
            JointKind::Fixed => continue,
            JointKind::Revolute | JointKind::Prismatic => {
                let [lower, upper] = joint.limit.map(|l| [l.lower, l.upper]).expect("limits");
                let (middle, half) = (0.5 * (lower + upper), 0.5 * (upper - lower));
                JointPosition::Scalar(middle + number(half))
            }
            JointKind::Continuous => JointPosition::Scalar(number(7.0)),
            JointKind::Planar => JointPosition::Planar([number(0.4), number(0.4), number(4.0)]),
            JointKind::Floating => JointPosition::Floating(Isometry3::new(
                Vector3::new(number(0.3), number(0.3), number(0.3)),
                Vector3::new(number(2.0), number(2.0), number(2.0)),
            )),
        };
        configuration.set(&joint.name, position).expect("in range");
    }
    configuration
}

/// The configuration at t, interpolated joint by joint.
fn between(robot: &Robot, from: &Configuration, to: &Configuration, t: f64) -> Configuration {
    let mut middle = from.clone();
    let mix = |a: f64, b: f64| (1.0 - t) * a + t * b;
    for joint in robot.joints() {
        if joint.mimic.is_some() || joint.kind == JointKind::Fixed {
            continue;
        }
        let [a, b] = [from, to].map(|c| c.position(&joint.name).expect("a joint"));
        let position = match (a, b) {
            (JointPosition::Scalar(a), JointPosition::Scalar(b)) => {
                JointPosition::Scalar(mix(a, b))
            }
            (JointPosition::Planar(a), JointPosition::Planar(b)) => {
                JointPosition::Planar([0, 1, 2].map(|k| mix(a[k], b[k])))
            }
            (JointPosition::Floating(a), JointPosition::Floating(b)) => {
                JointPosition::Floating(Isometry3::from_parts(
                    a.translation.vector.lerp(&b.translation.vector, t).into(),
                    a.rotation.slerp(&b.rotation, t),
                ))
            }
            _ => unreachable!("both are of the joint's type"),
        };
        middle
            .set(&joint.name, position)
            .expect("between two in range");
    }
    middle
}

/// How often each answer came.
#[derive(Default, Debug)]
struct Count {
    free: usize,
    hit: usize,
    undecided: usize,
}

/// Compares an answer with the least distance at samples of the line.
fn judge<C>(
    edge: &EdgeAnswer<C>,
    samples: usize,
    mut distance: impl FnMut(f64) -> f64,
    count: &mut Count,
) {
    for k in 0..=samples {
        let t = k as f64 / samples as f64;
        if edge.safe.is_some_and(|safe| t <= safe) {
            let d = distance(t);
            assert!(
                d > 0.0,
                "refuted at {t}: {d}, {:?} to {:?}",
                edge.safe,
                edge.touching
            );
        }
    }
    match edge.status {
        EdgeStatus::Free => {
            count.free += 1;
            assert_eq!((edge.safe, edge.touching), (Some(1.0), None));
            assert!((edge.proven - 1.0).abs() < 1e-12);
        }
        EdgeStatus::Hit => {
            count.hit += 1;
            let touching = edge.touching.expect("a hit");
            assert!(edge.contact.is_some());
            assert!(distance(touching) < 1e-9, "no contact at {touching}");
            assert!(edge.safe.is_none_or(|safe| safe < touching));
            assert!(edge.proven < 1.0);
        }
        EdgeStatus::Undecided => count.undecided += 1,
    }
}

fn least(robot: &Robot, configuration: &Configuration) -> f64 {
    let closest = robot.closest(configuration, &ClearanceOptions::default());
    closest
        .expect("valid")
        .map_or(f64::INFINITY, |c| c.contact.distance)
}

#[test]
fn every_type_of_joint_is_proven_as_samples_say() {
    sample_every_type_of_joint(150, 400);
}

#[test]
#[ignore = "a long draw"]
fn every_type_of_joint_is_proven_as_samples_say_long() {
    sample_every_type_of_joint(3000, 4000);
}

fn sample_every_type_of_joint(edges: usize, samples: usize) {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let rng = &mut ChaCha8Rng::seed_from_u64(29);
    let mut count = Count::default();
    for k in 0..edges {
        let spread = [0.3, 0.6, 1.0][k % 3];
        let [from, to] = [0, 1].map(|_| random(&robot, rng, spread));
        let options = EdgeOptions::default();
        let edge = robot.edge_free(&from, &to, &options).expect("valid");
        let at = |t| least(&robot, &between(&robot, &from, &to, t));
        judge(&edge, samples, at, &mut count);
        // The bracket of the first contact is as narrow as the resolution allows.
        if let (Some(safe), Some(touching)) = (edge.safe, edge.touching) {
            assert!(touching - safe < 1e-3, "{safe} to {touching}");
        }
        let early = options.with_first_contact(false);
        let early = robot.edge_free(&from, &to, &early).expect("valid");
        assert_eq!(early.is_free(), edge.is_free());
        assert!(early.states <= edge.states);
        let back = robot.edge_free(&to, &from, &options).expect("valid");
        assert_eq!(back.is_free(), edge.is_free());
    }
    assert!(count.free > edges / 8 && count.hit > edges / 8, "{count:?}");
    assert_eq!(count.undecided, 0, "{count:?}");
}

/// The robot above among an obstacle of every kind.
fn room(robot: Robot) -> RobotScene {
    let mut scene = RobotScene::new(robot).expect("it fits");
    let base = Isometry3::new(Vector3::new(0.3, -0.2, 0.1), Vector3::new(0.1, 0.3, -0.2));
    scene.set_base(base).expect("a pose");
    let at = |x, y, z| base * Isometry3::translation(x, y, z);
    let floor = HalfSpace::new(Vector3::z(), -0.65).expect("a half-space");
    scene
        .add_obstacle("floor", floor, Isometry3::identity())
        .expect("finite");
    let ball = Superovoid::new([0.1, 0.15, 0.1], [0.7, 1.3], [0.2, -0.1]).expect("valid");
    scene
        .add_obstacle("ball", ball, at(1.0, 0.4, 0.5))
        .expect("finite");
    let cuboid = Cuboid::new([0.1, 0.2, 0.1]).expect("a box");
    scene
        .add_obstacle("box", cuboid, at(-0.5, 0.9, 0.3))
        .expect("finite");
    let vertices = vec![
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(0.4, 0.0, 0.0),
        Point3::new(0.0, 0.4, 0.0),
        Point3::new(0.0, 0.0, 0.4),
    ];
    let faces = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
    let mesh = TriMesh::new(vertices, faces).expect("a mesh");
    scene
        .add_obstacle("mesh", Arc::new(mesh), at(0.4, -1.1, 0.5))
        .expect("finite");
    let cell = |y: f64| Aabb {
        min: Point3::new(-0.1, y - 0.1, -0.1),
        max: Point3::new(0.1, y + 0.1, 0.1),
    };
    let boxes = BoxSet::new(vec![cell(-0.1), cell(0.1)]).expect("boxes");
    scene
        .add_obstacle("boxes", Arc::new(boxes), at(-1.2, -0.2, 0.4))
        .expect("finite");
    scene
}

#[test]
fn edges_among_every_kind_of_obstacle_are_proven_as_samples_say() {
    sample_obstacles(90, 300);
}

#[test]
#[ignore = "a long draw"]
fn edges_among_every_kind_of_obstacle_are_proven_as_samples_say_long() {
    sample_obstacles(1500, 3000);
}

fn sample_obstacles(edges: usize, samples: usize) {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let mut scene = room(robot.clone());
    let mut sampled = scene.clone();
    let rng = &mut ChaCha8Rng::seed_from_u64(30);
    let mut count = Count::default();
    let mut obstacles = Vec::new();
    for k in 0..edges {
        let spread = [0.3, 0.6, 1.0][k % 3];
        let [from, to] = [0, 1].map(|_| random(&robot, rng, spread));
        let options = EdgeOptions::default();
        let edge = scene.edge_free(&from, &to, &options).expect("valid");
        let least = |t: f64| {
            let at = between(&robot, &from, &to, t);
            let closest = sampled
                .closest(&at, &SceneOptions::default())
                .expect("valid");
            closest.map_or(f64::INFINITY, |c| c.contact.distance)
        };
        judge(&edge, samples, least, &mut count);
        if let Some(Counterpart::Obstacle(id)) = edge.contact.map(|contact| contact.with) {
            obstacles.push(scene.scene().group_of(id).expect("an obstacle").index());
        }
    }
    obstacles.sort_unstable();
    obstacles.dedup();
    assert!(obstacles.len() >= 3, "{obstacles:?}");
    assert!(
        count.free > edges / 10 && count.hit > edges / 8,
        "{count:?}"
    );
    assert!(count.undecided <= edges / 50, "{count:?}");
}

#[test]
fn a_pair_keeps_the_least_separation() {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let rng = &mut ChaCha8Rng::seed_from_u64(31);
    let mut refused = 0;
    for _ in 0..60 {
        let [from, to] = [0, 1].map(|_| random(&robot, rng, 0.4));
        let of = |min_separation: f64| {
            let options = EdgeOptions::default().with_min_separation(min_separation);
            robot.edge_free(&from, &to, &options).expect("valid")
        };
        let samples =
            (0..=500).map(|k| least(&robot, &between(&robot, &from, &to, f64::from(k) / 500.0)));
        let least = samples.fold(f64::INFINITY, f64::min);
        if least <= 0.02 {
            continue;
        }
        // The least clearance on the edge is at most that of the samples, and hardly less.
        assert!(of(0.8 * least - 0.005).is_free());
        let close = of(least + 1e-6);
        assert_eq!(close.status, EdgeStatus::Hit);
        assert!(close.contact.expect("a pair").contact.upper <= least + 1e-6);
        refused += 1;
    }
    assert!(refused > 10);
}

/// An arm whose hand is a ball of radius 0.1 at a distance of 1 from the axis, and a ball as an obstacle.
fn swing(kind: &str) -> RobotScene {
    let limits = r#"<limit lower="-3" upper="3" effort="1" velocity="1"/>"#;
    let robot = Robot::from_urdf_str(&format!(
        r#"<robot name="arm"><link name="base"/><link name="hand"><collision><origin xyz="1 0 0"/>
             <geometry><sphere radius="0.1"/></geometry></collision></link>
           <joint name="joint" type="{kind}"><parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>{limits}</joint></robot>"#
    ));
    let mut scene = RobotScene::new(robot.expect("a robot")).expect("it fits");
    let ball = Superovoid::sphere(0.2).expect("a ball");
    scene
        .add_obstacle("ball", ball, Isometry3::translation(1.0, 0.0, 0.0))
        .expect("finite");
    scene
}

fn swung(
    scene: &mut RobotScene,
    from: f64,
    to: f64,
) -> EdgeAnswer<superovoid_robot::scene::RobotContact> {
    let at = |q: f64| {
        scene
            .robot()
            .configuration(&[q])
            .expect("within the limits")
    };
    let (from, to) = (at(from), at(to));
    scene
        .edge_free(&from, &to, &EdgeOptions::default())
        .expect("valid")
}

/// The first contact of a ball on a circle with a ball in closed form: the chord 2 sin(q/2) is 0.3.
#[test]
fn the_first_contact_is_that_of_the_closed_form() {
    let touching = 2.0 * 0.15_f64.asin();
    for (from, to) in [(-1.5, 1.0), (2.0, -2.0), (-0.5, 0.0)] {
        let edge = swung(&mut swing("revolute"), from, to);
        let exact = (from.abs() - touching) / (to - from).abs();
        let (safe, hit) = (
            edge.safe.expect("free at first"),
            edge.touching.expect("a hit"),
        );
        assert!(safe < exact && exact <= hit, "{safe} {exact} {hit}");
        assert!(hit - safe < 1e-5, "{safe} {hit}");
    }
    let edge = swung(&mut swing("revolute"), 0.1, 1.0);
    assert_eq!(
        (edge.status, edge.safe, edge.touching),
        (EdgeStatus::Hit, None, Some(0.0))
    );
    assert!(swung(&mut swing("revolute"), 0.4, 1.5).is_free());
}

/// A continuous joint moves by the numbers, over the turn if they say so.
#[test]
fn a_continuous_joint_goes_the_way_round_that_its_numbers_say() {
    let tau = std::f64::consts::TAU;
    let mut scene = swing("continuous");
    assert!(swung(&mut scene, 0.5, tau - 0.5).is_free());
    assert_eq!(swung(&mut scene, 0.5, -0.5).status, EdgeStatus::Hit);
    let twice = swung(&mut scene, 0.5, 0.5 + 2.0 * tau);
    assert_eq!(twice.status, EdgeStatus::Hit);
    let exact = (tau - 0.5 - 2.0 * 0.15_f64.asin()) / (2.0 * tau);
    assert!((twice.touching.expect("a hit") - exact).abs() < 1e-6);
}

/// A graze by less than the resolution is undecided, and never free.
#[test]
fn a_graze_is_undecided() {
    let mut scene = swing("revolute");
    let ball = Superovoid::sphere(0.2).expect("a ball");
    // The hand's path touches the obstacle from below, to rounding.
    let at = Isometry3::translation(0.0, 0.7, 0.0);
    scene.add_obstacle("graze", ball, at).expect("finite");
    let edge = swung(&mut scene, 0.5, 2.5);
    assert_eq!(edge.status, EdgeStatus::Undecided, "{edge:?}");
    assert!(
        edge.proven > 0.99 && edge.safe.is_some_and(|safe| safe < 0.5354),
        "{edge:?}"
    );
    let mut options = EdgeOptions::default().with_min_separation(1e-4);
    let [from, to] = [0.5, 2.5].map(|q| scene.robot().configuration(&[q]).expect("valid"));
    let closer = scene.edge_free(&from, &to, &options).expect("valid");
    assert_eq!(closer.status, EdgeStatus::Hit);
    options.min_separation = 0.0;
    options.max_states = 3;
    let stopped = scene.edge_free(&from, &to, &options).expect("valid");
    assert_eq!(stopped.status, EdgeStatus::Undecided);
}

/// moveit#2889: the second joint of a Panda swings from −π/2 to π/2 through an obstacle, far from both ends. Bullet's
/// cast of the hull of both poses misses it.
#[test]
fn moveit_2889_a_long_swing_through_an_obstacle_is_refused() {
    let half_turn = std::f64::consts::PI;
    for turn in [half_turn, 2.0 * half_turn] {
        let edge = swung(&mut swing("continuous"), -0.5 * turn, 0.5 * turn);
        assert_eq!(edge.status, EdgeStatus::Hit);
        let touching = edge.touching.expect("a hit");
        assert!((0.3..0.5).contains(&touching), "{touching}");
    }
}

/// The Panda of the repository; bodies that enclose whole links overlap in the pairs that are allowed.
fn panda() -> RobotScene {
    let robot = Robot::from_urdf_file("urdf/panda.urdf").expect("a robot");
    let mut scene = RobotScene::new(robot).expect("it fits");
    for [a, b] in [
        ["panda_link5", "panda_link7"],
        ["panda_link5", "panda_hand"],
        ["panda_link6", "panda_hand"],
        ["panda_leftfinger", "panda_rightfinger"],
    ] {
        assert!(scene.allow(a, b));
    }
    scene
}

#[test]
fn moveit_2889_the_panda_swings_no_joint_through_an_obstacle() {
    let mut scene = panda();
    let ball = Superovoid::sphere(0.1).expect("a ball");
    let quarter = std::f64::consts::FRAC_PI_2;
    let [from, to] = [-quarter, quarter].map(|q| {
        let mut configuration = scene.robot().neutral();
        configuration
            .set("panda_joint2", q)
            .expect("within the limits");
        configuration
            .set("panda_joint4", -0.5)
            .expect("within the limits");
        configuration
    });
    let options = EdgeOptions::default();
    let clear = scene.edge_free(&from, &to, &options).expect("valid");
    assert!(clear.is_free(), "{clear:?}");
    // Above the shoulder, where the arm passes in the middle of the swing.
    scene
        .add_obstacle("ball", ball, Isometry3::translation(0.0, 0.0, 1.0))
        .expect("finite");
    for ends in [[&from, &to], [&to, &from]] {
        for end in ends {
            assert!(
                !scene
                    .in_collision(end, &SceneOptions::default())
                    .expect("valid")
            );
        }
        let edge = scene.edge_free(ends[0], ends[1], &options).expect("valid");
        assert_eq!(edge.status, EdgeStatus::Hit);
        let found = edge.contact.expect("a pair");
        assert!(matches!(found.with, Counterpart::Obstacle(_)), "{found:?}");
    }
}

#[test]
fn edges_of_both_hands_are_proven_as_samples_say() {
    let robot = Robot::from_urdf_file("urdf/icub_hands.urdf").expect("a robot");
    let rng = &mut ChaCha8Rng::seed_from_u64(33);
    let mut count = Count::default();
    let mut edges = 0;
    while edges < 25 {
        let from = random(&robot, rng, 1.0);
        if robot
            .in_collision(&from, &ClearanceOptions::default())
            .expect("valid")
        {
            continue;
        }
        let to = between(&robot, &from, &random(&robot, rng, 1.0), 0.3);
        let edge = robot
            .edge_free(&from, &to, &EdgeOptions::default())
            .expect("valid");
        judge(
            &edge,
            100,
            |t| least(&robot, &between(&robot, &from, &to, t)),
            &mut count,
        );
        edges += 1;
    }
    assert!(
        count.free >= 3 && count.hit >= 3 && count.undecided == 0,
        "{count:?}"
    );
}

#[test]
fn what_is_not_checked_is_never_free() {
    let robot = Robot::from_urdf_str(
        r#"<robot name="arm"><link name="base"/><link name="hand"><collision>
             <geometry><mesh filename="package://nowhere/hand.stl"/></geometry></collision></link>
           <joint name="joint" type="continuous"><parent link="base"/><child link="hand"/></joint></robot>"#,
    );
    let robot = robot.expect("a robot");
    let [from, to] = [0.0, 1.0].map(|q| robot.configuration(&[q]).expect("valid"));
    let edge = robot
        .edge_free(&from, &to, &EdgeOptions::default())
        .expect("valid");
    assert_eq!((edge.status, edge.unchecked), (EdgeStatus::Undecided, 1));
    let mut scene = RobotScene::new(robot).expect("it fits");
    let edge = scene
        .edge_free(&from, &to, &EdgeOptions::default())
        .expect("valid");
    assert_eq!((edge.status, edge.unchecked), (EdgeStatus::Undecided, 1));
}

#[test]
fn bad_input_is_named() {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let other =
        Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#).expect("a robot");
    let mut scene = RobotScene::new(robot.clone()).expect("it fits");
    let good = robot.neutral();
    let options = EdgeOptions::default();
    for [from, to] in [[&good, &other.neutral()], [&other.neutral(), &good]] {
        let error = robot.edge_free(from, to, &options).unwrap_err();
        assert!(error.to_string().contains("other joints"), "{error}");
        let error = scene.edge_free(from, to, &options).unwrap_err();
        assert!(
            matches!(error, RobotSceneError::Configuration(_)),
            "{error}"
        );
    }
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        for resolution in [true, false] {
            let mut options = options;
            if resolution {
                options.resolution = bad;
            } else {
                options.min_separation = bad;
            }
            let error = robot.edge_free(&good, &good, &options).unwrap_err();
            assert!(matches!(error, ClearanceError::Edge(_)), "{error}");
            assert!(scene.edge_free(&good, &good, &options).is_err());
        }
    }
    let mut options = options;
    options.query.tolerance = f64::NAN;
    assert!(robot.edge_free(&good, &good, &options).is_err());
    // Positions whose differences or poses leave the number range.
    let mut far = good.clone();
    far.set("planar", [f64::MAX, 0.0, 0.0]).expect("finite");
    let mut back = good.clone();
    back.set("planar", [-f64::MAX, 0.0, 0.0]).expect("finite");
    match robot.edge_free(&far, &back, &EdgeOptions::default()) {
        Ok(edge) => assert!(!edge.is_free()),
        Err(error) => assert!(error.to_string().contains("finite"), "{error}"),
    }
}

/// An edge of no length is free exactly where the configuration is.
#[test]
fn an_edge_without_length_is_its_configuration() {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let rng = &mut ChaCha8Rng::seed_from_u64(32);
    let mut free = 0;
    for _ in 0..100 {
        let at = random(&robot, rng, 1.0);
        let edge = robot
            .edge_free(&at, &at, &EdgeOptions::default())
            .expect("valid");
        let collides = robot
            .in_collision(&at, &ClearanceOptions::default())
            .expect("valid");
        assert_eq!(edge.is_free(), !collides);
        free += usize::from(edge.is_free());
    }
    assert!((10..90).contains(&free), "{free}");
}

/// A batch answers each edge as a single query does, to the last bit, on one thread or more.
#[test]
fn a_batch_of_edges_is_answered_as_single_ones() {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let mut scene = room(robot.clone());
    scene.set_padding("turn", 0.01).expect("a link");
    let rng = &mut ChaCha8Rng::seed_from_u64(34);
    let edges: Vec<[Configuration; 2]> = (0..70)
        .map(|k| [0, 1].map(|_| random(&robot, rng, [0.3, 0.6, 1.0][k % 3])))
        .collect();
    let [mut free, mut hit] = [0; 2];
    for first_contact in [true, false] {
        let options = EdgeOptions::default().with_first_contact(first_contact);
        let single: Vec<_> = edges
            .iter()
            .map(|[from, to]| scene.edge_free(from, to, &options).expect("valid"))
            .collect();
        for threads in [1, 3] {
            let batch = scene.edge_free_batch(&edges, &options, threads);
            assert_eq!(batch.expect("valid"), single);
        }
        free += single.iter().filter(|edge| edge.is_free()).count();
        let is_hit = |edge: &&EdgeAnswer<_>| edge.status == EdgeStatus::Hit;
        hit += single.iter().filter(is_hit).count();
    }
    assert!(free > 10 && hit > 10, "{free} {hit}");
    let options = EdgeOptions::default();
    assert_eq!(scene.edge_free_batch(&[], &options, 0), Ok(vec![]));
    // An edge of another robot, among good ones.
    let other =
        Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#).expect("a robot");
    let mut bad = edges.clone();
    bad[40][1] = other.neutral();
    let error = scene.edge_free_batch(&bad, &options, 2).unwrap_err();
    assert!(error.to_string().contains("other joints"), "{error}");
    let negative = options.with_resolution(-1.0);
    assert!(scene.edge_free_batch(&edges, &negative, 1).is_err());
}

/// Nothing is free that was not looked at.
#[test]
fn time_that_ends_leaves_edges_undecided() {
    let mut scene = swing("revolute");
    let edge = [0.5, 1.5].map(|q| scene.robot().configuration(&[q]).expect("valid"));
    let options = EdgeOptions::default();
    let none = options.with_max_time(Some(std::time::Duration::ZERO));
    let batch = scene.edge_free_batch(&vec![edge.clone(); 40], &none, 1);
    for answer in batch.expect("valid") {
        assert_eq!((answer.status, answer.states), (EdgeStatus::Undecided, 0));
        assert_eq!((answer.safe, answer.proven), (None, 0.0));
    }
    let [from, to] = &edge;
    let answer = scene.edge_free(from, to, &none).expect("valid");
    assert_eq!(answer.status, EdgeStatus::Undecided);
    let answer = scene.robot().edge_free(from, to, &none).expect("valid");
    assert_eq!(answer.status, EdgeStatus::Undecided);
    for enough in [
        std::time::Duration::from_secs(3600),
        std::time::Duration::MAX,
    ] {
        let options = options.with_max_time(Some(enough));
        assert!(
            scene
                .edge_free(from, to, &options)
                .expect("valid")
                .is_free()
        );
    }
}

#[test]
fn an_edge_ends_when_it_is_told_to() {
    let mut scene = swing("revolute");
    // It begins next to the ball, so that intervals are halved again and again.
    let near = 2.0 * 0.15_f64.asin() + 1e-5;
    let [from, to] = [near, 1.5].map(|q| scene.robot().configuration(&[q]).expect("valid"));
    let options = EdgeOptions::default();
    let alone = scene.edge_free(&from, &to, &options).expect("valid");
    let mut calls = 0;
    let mut never = || {
        calls += 1;
        false
    };
    let told = scene.edge_free_until(&from, &to, &options, &mut never);
    assert_eq!(told, Ok(alone));
    assert!(calls > 3 && 8 * calls >= alone.states && alone.is_free());
    for last in 0..calls {
        let mut asked = 0;
        let mut stop = || {
            asked += 1;
            asked > last
        };
        let ended = scene.edge_free_until(&from, &to, &options, &mut stop);
        let ended = ended.expect("valid");
        assert!(ended.states <= alone.states && ended.proven <= 1.0);
        // The last call may come after the last configuration.
        assert!(ended.status == EdgeStatus::Undecided || last + 1 == calls);
    }
}
