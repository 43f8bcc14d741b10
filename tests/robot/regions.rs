//! Proven regions, against configurations drawn in them: kinematics and pairs are written here once more, and only the
//! contact of two shapes is the library's.

use crate::gradients::ROBOT;
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use superovoid::bvh::TriMesh;
use superovoid::convex::ConvexShape;
use superovoid::{HalfSpace, QueryOptions, Shape, Superovoid};
use superovoid_robot::scene::{RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{FreeRegion, JointKind, RegionOptions, Robot};

/// A robot and obstacles, with kinematics by matrices.
pub struct Model {
    robot: Robot,
    base: Isometry3<f64>,
    obstacles: Vec<(Shape, Isometry3<f64>)>,
    /// The pairs of bodies on links that are compared.
    pairs: Vec<[usize; 2]>,
    /// The joints from the root outwards, with their parents, children and origins.
    outwards: Vec<(usize, [usize; 2], Isometry3<f64>)>,
}

impl Model {
    /// `allowed` are further pairs of links that are not compared.
    pub fn new(robot: &Robot, allowed: &[[&str; 2]]) -> Self {
        let bodies: Vec<_> = robot.collision_bodies().collect();
        let is_allowed = |a: usize, b: usize| {
            let names = [a, b].map(|link| robot.links()[link].name.as_str());
            allowed
                .iter()
                .any(|pair| pair == &names || *pair == [names[1], names[0]])
        };
        let mut pairs = Vec::new();
        for (i, a) in bodies.iter().enumerate() {
            for (k, b) in bodies.iter().enumerate().skip(i + 1) {
                let (a, b) = (a.link, b.link);
                if a != b && !robot.are_adjacent(a, b) && !is_allowed(a, b) {
                    pairs.push([i, k]);
                }
            }
        }
        Model {
            robot: robot.clone(),
            base: Isometry3::identity(),
            obstacles: Vec::new(),
            pairs,
            outwards: outwards(robot),
        }
    }

    /// The poses of the links, for the numbers of a configuration.
    fn poses(&self, numbers: &[f64]) -> Vec<Isometry3<f64>> {
        let mut poses = vec![self.base; self.robot.links().len()];
        for (index, [parent, child], origin) in &self.outwards {
            poses[*child] = poses[*parent] * origin * self.motion(*index, numbers);
        }
        poses
    }

    fn motion(&self, index: usize, numbers: &[f64]) -> Isometry3<f64> {
        let joint = &self.robot.joints()[index];
        let (mut factor, mut offset, mut source) = (1.0, 0.0, index);
        while let Some(mimic) = &self.robot.joints()[source].mimic {
            offset += factor * mimic.offset;
            factor *= mimic.multiplier;
            source = self.robot.joint_index(&mimic.joint).expect("a joint");
        }
        let range = self.robot.position_range(source).expect("a joint");
        let q = &numbers[range];
        let axis = Vector3::from(joint.axis);
        match joint.kind {
            JointKind::Fixed => Isometry3::identity(),
            JointKind::Prismatic => placed(
                Matrix3::identity(),
                axis.normalize() * (factor * q[0] + offset),
            ),
            JointKind::Revolute | JointKind::Continuous => placed(
                about(axis.normalize(), factor * q[0] + offset),
                Vector3::zeros(),
            ),
            // The library's own: these joints do not move in a region.
            JointKind::Planar | JointKind::Floating => {
                let configuration = self.robot.configuration(numbers).expect("valid");
                let poses = self
                    .robot
                    .forward_kinematics(&configuration)
                    .expect("finite");
                let [parent, child] = [&joint.parent, &joint.child]
                    .map(|name| poses[self.robot.link_index(name).expect("a link")]);
                (parent * joint.origin.isometry()).inverse() * child
            }
        }
    }

    /// Whether a pair touches.
    pub fn touches(&self, numbers: &[f64]) -> bool {
        self.is_within(numbers, 0.0)
    }

    /// Whether a pair is no farther apart than a distance.
    pub fn is_within(&self, numbers: &[f64], distance: f64) -> bool {
        let poses = self.poses(numbers);
        let bodies: Vec<(&Shape, Isometry3<f64>)> = self
            .robot
            .collision_bodies()
            .map(|body| (&body.shape, poses[body.link] * body.pose))
            .collect();
        let options = QueryOptions::default().with_max_distance(distance);
        let touch = |(a, at_a): &(&Shape, Isometry3<f64>), b: &Shape, at_b: &Isometry3<f64>| {
            let found = a.contact(at_a, b, at_b, &options).expect("valid");
            found.is_some_and(|found| found.contact.distance <= distance)
        };
        let links = self
            .pairs
            .iter()
            .any(|&[a, b]| touch(&bodies[a], bodies[b].0, &bodies[b].1));
        let mut obstacles = self.obstacles.iter();
        links || obstacles.any(|(shape, at)| bodies.iter().any(|body| touch(body, shape, at)))
    }
}

fn outwards(robot: &Robot) -> Vec<(usize, [usize; 2], Isometry3<f64>)> {
    let mut known = vec![robot.root()];
    let mut order = Vec::new();
    while order.len() < robot.joints().len() {
        for (index, joint) in robot.joints().iter().enumerate() {
            let ends =
                [&joint.parent, &joint.child].map(|name| robot.link_index(name).expect("a link"));
            if known.contains(&ends[0]) && !known.contains(&ends[1]) {
                known.push(ends[1]);
                let [roll, pitch, yaw] = joint.origin.rpy;
                let turn = about(Vector3::z(), yaw)
                    * about(Vector3::y(), pitch)
                    * about(Vector3::x(), roll);
                order.push((index, ends, placed(turn, Vector3::from(joint.origin.xyz))));
            }
        }
    }
    order
}

/// Rodrigues' rotation about a unit axis.
fn about(axis: Vector3<f64>, angle: f64) -> Matrix3<f64> {
    let k = axis.cross_matrix();
    Matrix3::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
}

fn placed(turn: Matrix3<f64>, at: Vector3<f64>) -> Isometry3<f64> {
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
    Isometry3::from_parts(at.into(), turn)
}

/// Draws configurations in a region, one in four on a face; returns how many touch.
fn refuted(model: &Model, region: &FreeRegion, samples: usize, rng: &mut ChaCha8Rng) -> usize {
    let mut numbers = region.at.clone();
    let mut count = 0;
    for k in 0..samples {
        for joint in &region.joints {
            let share: f64 = rng.random_range(0.0..=1.0);
            let share = if k % 4 == 0 { share.round() } else { share };
            let q = joint.lower + share * (joint.upper - joint.lower);
            numbers[joint.number] = q.clamp(joint.lower, joint.upper);
        }
        assert!(region.contains(&numbers));
        count += usize::from(model.touches(&numbers));
    }
    count
}

/// The scene and the model of a robot with obstacles.
fn both(
    robot: &Robot,
    allowed: &[[&str; 2]],
    obstacles: &[(Shape, Isometry3<f64>)],
) -> (RobotScene, Model) {
    let mut scene = RobotScene::new(robot.clone()).expect("it fits");
    let mut model = Model::new(robot, allowed);
    for [a, b] in allowed {
        assert!(scene.allow(a, b));
    }
    for (k, (shape, at)) in obstacles.iter().enumerate() {
        scene
            .add_obstacle(&format!("obstacle {k}"), shape.clone(), *at)
            .expect("finite");
        model.obstacles.push((shape.clone(), *at));
    }
    (scene, model)
}

fn cuboid(half: [f64; 3]) -> Shape {
    ConvexShape::cuboid(half).expect("a box").into()
}

/// The Panda beside a table, a wall, a ball and a box.
pub fn panda() -> (RobotScene, Model) {
    let robot = Robot::from_urdf_file("urdf/panda.urdf").expect("a robot");
    let allowed = [
        ["panda_link5", "panda_link7"],
        ["panda_link5", "panda_hand"],
        ["panda_link6", "panda_hand"],
        ["panda_leftfinger", "panda_rightfinger"],
    ];
    let ball: Shape = Superovoid::sphere(0.12).expect("a ball").into();
    both(
        &robot,
        &allowed,
        &[
            (
                cuboid([0.4, 0.6, 0.02]),
                Isometry3::translation(0.6, 0.0, 0.05),
            ),
            (
                cuboid([0.02, 0.6, 0.5]),
                Isometry3::translation(0.75, 0.0, 0.5),
            ),
            (ball, Isometry3::translation(0.35, 0.45, 0.5)),
            (
                cuboid([0.1, 0.1, 0.2]),
                Isometry3::translation(0.3, -0.5, 0.3),
            ),
        ],
    )
}

pub const READY: [f64; 7] = [0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785];

#[test]
fn no_configuration_drawn_in_a_region_of_the_panda_touches() {
    sample_panda(3, 100_000);
}

#[test]
#[ignore = "a long draw"]
fn no_configuration_drawn_in_a_region_of_the_panda_touches_long() {
    sample_panda(30, 1_000_000);
}

fn sample_panda(regions: usize, samples: usize) {
    let (mut scene, model) = panda();
    let rng = &mut ChaCha8Rng::seed_from_u64(41);
    let count = scene.robot().position_count();
    let mut found = 0;
    while found < regions {
        let mut numbers = scene.robot().neutral().to_vec();
        for (q, ready) in numbers.iter_mut().zip(READY) {
            let spread = if found == 0 { 0.0 } else { 0.4 };
            *q = ready + rng.random_range(-1.0..=1.0) * spread;
        }
        let at = scene
            .robot()
            .configuration(&numbers)
            .expect("within the limits");
        if scene
            .in_collision(&at, &SceneOptions::default())
            .expect("valid")
        {
            assert!(found > 0);
            continue;
        }
        let region = scene
            .free_region(&at, &RegionOptions::default())
            .expect("free");
        assert!(region.contains(&numbers) && region.joints.len() == count);
        assert!(region.states <= RegionOptions::default().max_states);
        // In the ready position every joint may move by several degrees, and the fingers as they like.
        for joint in region.joints.iter().filter(|_| found == 0) {
            let least = if joint.unit == "m" { 0.03 } else { 0.15 };
            assert!(joint.upper - joint.lower > least, "{joint:?}");
        }
        assert_eq!(refuted(&model, &region, samples / regions, rng), 0);
        found += 1;
    }
}

/// Of 60 regions near the table, the wall, the ball and the box, 31 had a joint without any room, as their first steps were too long
/// to be proven, and the second ones too short to be tried.
#[test]
fn regions_near_obstacles_have_room_for_every_joint() {
    let (mut scene, model) = panda();
    let mut rng = ChaCha8Rng::seed_from_u64(1130);
    let options = RegionOptions::default().with_max_states(4000);
    let (mut flat, mut asked) = (0, 0);
    while asked < 60 {
        let mut numbers = scene.robot().neutral().to_vec();
        for (q, ready) in numbers.iter_mut().zip(READY) {
            *q = ready + rng.random_range(-1.0..=1.0);
        }
        let Ok(configuration) = scene.robot().configuration(&numbers) else {
            continue;
        };
        if model.touches(&numbers)
            || !model.is_within(&numbers, 0.02)
            || model.is_within(&numbers, 0.005)
        {
            continue;
        }
        asked += 1;
        let region = scene.free_region(&configuration, &options).expect("free");
        let is_flat = region.joints.iter().any(|joint| joint.upper <= joint.lower);
        flat += usize::from(is_flat);
    }
    assert!(flat == 0, "{flat} of {asked}");
}

/// Every type of joint: the followers follow, and what has more than one degree of freedom stays.
#[test]
fn no_configuration_drawn_in_a_region_among_every_type_of_joint_touches() {
    let robot = Robot::from_urdf_str(ROBOT).expect("a robot");
    let corners = vec![
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(0.4, 0.0, 0.0),
        Point3::new(0.0, 0.4, 0.0),
        Point3::new(0.0, 0.0, 0.4),
    ];
    let mesh = TriMesh::new(corners, vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]);
    let mesh = Arc::new(mesh.expect("a mesh"));
    let ball = Superovoid::new([0.1, 0.15, 0.1], [0.7, 1.3], [0.2, -0.1]).expect("valid");
    let (mut scene, mut model) = both(
        &robot,
        &[],
        &[
            (ball.into(), Isometry3::translation(1.0, 0.4, 0.5)),
            (
                cuboid([0.1, 0.2, 0.1]),
                Isometry3::translation(-0.5, 0.9, 0.3),
            ),
            (mesh.into(), Isometry3::translation(0.4, -1.1, 0.5)),
        ],
    );
    let base = Isometry3::new(Vector3::new(0.1, -0.1, 0.1), Vector3::new(0.1, 0.2, -0.1));
    scene.set_base(base).expect("a pose");
    model.base = base;
    let rng = &mut ChaCha8Rng::seed_from_u64(42);
    let (mut found, mut inner) = (0, 0);
    while found < 12 {
        let mut numbers = scene.robot().neutral().to_vec();
        numbers[0] = rng.random_range(-3.0..3.0);
        numbers[1] = rng.random_range(-1.0..1.0);
        for q in &mut numbers[2..8] {
            *q = rng.random_range(-0.3..0.3);
        }
        let at = scene
            .robot()
            .configuration(&numbers)
            .expect("within the limits");
        let region = match scene.free_region(&at, &RegionOptions::default().with_max_states(2000)) {
            Ok(region) => region,
            Err(RobotSceneError::NotFree { .. }) => {
                assert!(model.touches(&at.to_vec()));
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        let names: Vec<&str> = region
            .joints
            .iter()
            .map(|joint| joint.name.as_str())
            .collect();
        assert_eq!(names, ["revolute", "prismatic"]);
        assert_eq!(refuted(&model, &region, 2000, rng), 0);
        inner += usize::from(region.joints[0].lower > -3.0 || region.joints[0].upper < 3.0);
        found += 1;
    }
    assert!(inner > 3, "{inner}");
}

/// Two slides move a ball of radius 0.1 in a room.
fn gantry() -> RobotScene {
    let robot = Robot::from_urdf_str(
        r#"<robot name="gantry"><link name="base"/><link name="carriage"/>
             <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
             <joint name="x" type="prismatic"><parent link="base"/><child link="carriage"/><axis xyz="1 0 0"/>
               <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
             <joint name="y" type="prismatic"><parent link="carriage"/><child link="ball"/><axis xyz="0 1 0"/>
               <limit lower="-0.2" upper="1" effort="1" velocity="1"/></joint></robot>"#,
    );
    RobotScene::new(robot.expect("a robot")).expect("it fits")
}

#[test]
fn the_region_of_two_slides_is_the_room() {
    let mut scene = gantry();
    let wall =
        |normal: Vector3<f64>, offset: f64| HalfSpace::new(normal, offset).expect("a half-space");
    for (name, normal) in [
        ("left", Vector3::x()),
        ("right", -Vector3::x()),
        ("far", -Vector3::y()),
    ] {
        scene
            .add_obstacle(name, wall(normal, -0.7), Isometry3::identity())
            .expect("finite");
    }
    let options = RegionOptions::default();
    let at = scene.robot().configuration(&[0.3, 0.1]).expect("valid");
    let region = scene.free_region(&at, &options).expect("free");
    let [x, y] = [&region.joints[0], &region.joints[1]];
    let close = |q: f64, exact: f64| (0.0..0.0025).contains(&(exact - q).abs());
    assert!(x.lower > -0.6 && close(x.lower, -0.6), "{x:?}");
    assert!(x.upper < 0.6 && close(x.upper, 0.6), "{x:?}");
    assert!(
        y.lower == -0.2 && y.upper < 0.6 && close(y.upper, 0.6),
        "{y:?}"
    );
    assert_eq!((x.unit, x.number, y.number), ("m", 0, 1));
    // As Drake has it.
    let (a, b) = region.half_spaces();
    assert_eq!(
        a,
        [
            vec![1.0, 0.0],
            vec![0.0, 1.0],
            vec![-1.0, 0.0],
            vec![0.0, -1.0]
        ]
    );
    assert_eq!(b, [x.upper, y.upper, -x.lower, -y.lower]);
    assert!(region.contains(&[x.upper, y.lower]) && !region.contains(&[x.upper, y.upper + 1e-9]));
    assert!(!region.contains(&[0.0]) && !region.contains(&[f64::NAN, 0.0]));
    // A separation, and a padding, count.
    scene.set_padding("ball", 0.05).expect("a link");
    let options = options.with_min_separation(0.1);
    let region = scene.free_region(&at, &options).expect("free");
    let x = &region.joints[0];
    assert!(x.upper < 0.45 && close(x.upper, 0.45), "{x:?}");
    // Nothing touches without obstacles.
    let region = gantry().free_region(&at, &options).expect("free");
    assert_eq!(region.half_spaces().1, [1.0, 1.0, 1.0, 0.2]);
}

/// A planar arm of two links of length 1, a ball of radius 0.1 at its tip, and a wall at x = 1.5: the largest box of all
/// on a grid, and whether a face could go farther.
#[test]
fn the_region_of_a_planar_arm_is_nearly_as_large_as_the_largest() {
    let robot = Robot::from_urdf_str(
        r#"<robot name="arm"><link name="base"/><link name="upper"/>
             <link name="lower"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
             <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
               <limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
             <joint name="elbow" type="revolute"><origin xyz="1 0 0"/><parent link="upper"/><child link="lower"/><axis xyz="0 0 1"/>
               <limit lower="-3" upper="3" effort="1" velocity="1"/></joint></robot>"#,
    );
    let mut scene = RobotScene::new(robot.expect("a robot")).expect("it fits");
    let wall = HalfSpace::new(-Vector3::x(), -1.5).expect("a half-space");
    scene
        .add_obstacle("wall", wall, Isometry3::identity())
        .expect("finite");
    let free = |[a, b]: [f64; 2]| a.cos() + (a + b).cos() < 1.4;
    let grid = |k: i32| f64::from(k) * 0.02;
    for start in [[60, 15], [45, 60], [100, -30], [-70, -10]] {
        let at = scene
            .robot()
            .configuration(&start.map(grid))
            .expect("valid");
        let region = scene
            .free_region(&at, &RegionOptions::default())
            .expect("free");
        let [[a, b], [c, d]] = [0, 1].map(|k| [region.joints[k].lower, region.joints[k].upper]);
        // The free interval of the elbow around the start, by the angle of the shoulder.
        let interval = |k: i32| {
            let ok = |m: i32| free([grid(k), grid(m)]);
            let low = (-150..=start[1]).rev().take_while(|&m| ok(m)).last()?;
            let high = (start[1]..=150).take_while(|&m| ok(m)).last()?;
            Some([low, high])
        };
        let mut largest = 0.0_f64;
        let mut left = [-150, 150];
        for low in (-150..=start[0]).rev() {
            let Some(of) = interval(low) else { break };
            left = [left[0].max(of[0]), left[1].min(of[1])];
            let mut all = left;
            for high in start[0]..=150 {
                let Some(of) = interval(high) else { break };
                all = [all[0].max(of[0]), all[1].min(of[1])];
                largest = largest.max(grid(high - low) * grid(all[1] - all[0]));
            }
        }
        let share = (b - a) * (d - c) / largest;
        assert!(share > 0.5, "{share}");
        // Every face that is not at a limit meets a configuration that touches within a hundredth.
        let across = |[low, high]: [f64; 2], k: i32| low + (high - low) * f64::from(k) / 2000.0;
        let meets = |of: &dyn Fn(i32) -> [f64; 2]| (0..=2000).any(|k| !free(of(k)));
        for q in [a - 0.01, b + 0.01].into_iter().filter(|q| q.abs() < 3.0) {
            assert!(meets(&|k| [q, across([c, d], k)]), "shoulder {q}");
        }
        for q in [c - 0.01, d + 0.01].into_iter().filter(|q| q.abs() < 3.0) {
            assert!(meets(&|k| [across([a, b], k), q]), "elbow {q}");
        }
        // And nothing in it touches.
        for k in (0..=2000).step_by(20) {
            assert!((0..=2000).all(|m| free([across([a, b], k), across([c, d], m)])));
        }
    }
}

#[test]
fn a_configuration_that_is_not_free_has_no_region() {
    let mut scene = gantry();
    let ball = Superovoid::sphere(0.2).expect("a ball");
    scene
        .add_obstacle("rock", ball, Isometry3::translation(0.5, 0.0, 0.0))
        .expect("finite");
    let options = RegionOptions::default();
    let at = scene.robot().configuration(&[0.3, 0.1]).expect("valid");
    let error = scene.free_region(&at, &options).unwrap_err();
    let pair = ["ball", "rock"].map(str::to_owned);
    assert!(
        matches!(&error, RobotSceneError::NotFree { a, b } if [a, b] == [&pair[0], &pair[1]]),
        "{error}"
    );
    // Closer than the least separation.
    let near = scene.robot().configuration(&[0.1, 0.0]).expect("valid");
    assert!(scene.free_region(&near, &options).is_ok());
    let error = scene
        .free_region(&near, &options.with_min_separation(0.2))
        .unwrap_err();
    assert!(error.to_string().contains("rock"), "{error}");
}

#[test]
fn bad_input_of_a_region_is_named() {
    let mut scene = gantry();
    let good = scene.robot().neutral();
    let other =
        Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#).expect("a robot");
    let options = RegionOptions::default();
    let error = scene.free_region(&other.neutral(), &options).unwrap_err();
    assert!(error.to_string().contains("other joints"), "{error}");
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        for (name, options) in [
            ("min_separation", options.with_min_separation(bad)),
            ("resolution", options.with_resolution(bad)),
            (
                "tolerance",
                options.with_query(QueryOptions::default().with_tolerance(bad)),
            ),
        ] {
            let error = scene.free_region(&good, &options).unwrap_err();
            assert!(error.to_string().contains(name), "{name} {bad}: {error}");
        }
    }
    // No configuration may be asked: the region is the configuration.
    let region = scene
        .free_region(&good, &options.with_max_states(0))
        .expect("free");
    assert!(
        region
            .joints
            .iter()
            .all(|joint| joint.lower == 0.0 && joint.upper == 0.0)
    );
    // A robot without joints has a region without coordinates, and one whose shapes are not checked has none.
    let mut scene = RobotScene::new(other.clone()).expect("it fits");
    let region = scene.free_region(&other.neutral(), &options).expect("free");
    assert_eq!(region.half_spaces(), (vec![], vec![]));
    assert!(region.contains(&[]));
    let text = |joint: &str| {
        format!(
            r#"<robot name="r"><link name="l"/><link name="m"><collision><geometry>{}</geometry></collision></link>
               <joint name="slide" type="prismatic"><parent link="l"/><child link="m"/>{}</joint></robot>"#,
            if joint == "mesh" {
                r#"<mesh filename="nowhere.stl"/>"#
            } else {
                r#"<sphere radius="1"/>"#
            },
            if joint == "mesh" {
                r#"<limit lower="0" upper="1" effort="1" velocity="1"/>"#
            } else {
                r#"<limit lower="1" upper="0" effort="1" velocity="1"/>"#
            }
        )
    };
    for (kind, expected) in [("mesh", "mesh"), ("free", "\"slide\" has no limits")] {
        let robot = Robot::from_urdf_str(&text(kind)).expect("a robot");
        let at = robot.neutral();
        let mut scene = RobotScene::new(robot).expect("it fits");
        let error = scene.free_region(&at, &options).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
}
