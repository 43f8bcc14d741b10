//! Configurations, forward kinematics and clearances of robots.

use nalgebra::{Isometry3, Matrix4, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::f64::consts::{FRAC_PI_2, PI};
use superovoid_robot::{
    Clearance, ClearanceError, ClearanceOptions, Collision, CollisionStatus, ConfigurationError,
    Geometry, Joint, JointKind, JointPosition, Limit, Link, Mimic, Origin, Robot,
};

/// Poses are products of a few dozen rotations and translations of size one.
const ROUNDING: f64 = 1e-13;

const SIX: [JointKind; 6] = [
    JointKind::Fixed,
    JointKind::Revolute,
    JointKind::Continuous,
    JointKind::Prismatic,
    JointKind::Floating,
    JointKind::Planar,
];

/// Links `l0`, `l1`, … in a chain of the given joints, which get the names `j0`, `j1`, ….
fn chain(joints: Vec<Joint>) -> Robot {
    let links = (0..=joints.len())
        .map(|i| Link::new(format!("l{i}")))
        .collect();
    let joints = joints.into_iter().enumerate().map(|(i, joint)| Joint {
        name: format!("j{i}"),
        parent: format!("l{i}"),
        child: format!("l{}", i + 1),
        ..joint
    });
    Robot::new("chain", links, joints.collect(), vec![]).unwrap()
}

fn joint(kind: JointKind) -> Joint {
    let limit = Limit {
        lower: -2.0,
        upper: 2.0,
        ..Limit::default()
    };
    Joint {
        limit: Some(limit),
        ..Joint::new("", kind, "", "")
    }
}

fn with_limits(kind: JointKind, lower: f64, upper: f64) -> Joint {
    let limit = Limit {
        lower,
        upper,
        ..Limit::default()
    };
    Joint {
        limit: Some(limit),
        ..joint(kind)
    }
}

/// Where the origin of the last link of a chain lies, and its x axis points.
fn tip(robot: &Robot, set: &[(&str, JointPosition)]) -> (Vector3<f64>, Vector3<f64>) {
    let mut configuration = robot.neutral();
    for (name, position) in set {
        configuration.set(name, *position).unwrap();
    }
    let poses = robot.forward_kinematics(&configuration).unwrap();
    let last = poses.last().unwrap();
    (last.translation.vector, last.rotation * Vector3::x())
}

fn assert_near(found: Vector3<f64>, expected: [f64; 3]) {
    let error = (found - Vector3::from(expected)).norm();
    assert!(error < ROUNDING, "{found:?} is not {expected:?}");
}

// ---- forward kinematics by hand ----

#[test]
fn roll_pitch_yaw_turn_about_fixed_axes_in_this_order() {
    // Roll takes y to z, pitch then z to x, yaw then x to y.
    let origin = Origin {
        xyz: [1.0, 2.0, 3.0],
        rpy: [FRAC_PI_2, FRAC_PI_2, FRAC_PI_2],
    };
    let robot = chain(vec![Joint {
        origin,
        ..joint(JointKind::Fixed)
    }]);
    let pose = robot.forward_kinematics(&robot.neutral()).unwrap()[1];
    assert_near(pose.rotation * Vector3::y(), [0.0, 1.0, 0.0]);
    // x is left alone by roll, goes to −z by pitch and stays there.
    assert_near(pose.rotation * Vector3::x(), [0.0, 0.0, -1.0]);
    assert_near(pose.translation.vector, [1.0, 2.0, 3.0]);
}

#[test]
fn a_planar_arm_bends_as_on_paper() {
    // Two bars of length 1 along x, both joints about z: 30° and 60° bring the tip to
    // (cos 30° + cos 90°, sin 30° + sin 90°).
    let out = Origin {
        xyz: [1.0, 0.0, 0.0],
        ..Origin::default()
    };
    let about_z = |origin| Joint {
        origin,
        axis: [0.0, 0.0, 2.0],
        ..joint(JointKind::Revolute)
    };
    let tool = Joint {
        origin: out,
        ..joint(JointKind::Fixed)
    };
    let robot = chain(vec![about_z(Origin::default()), about_z(out), tool]);
    let (at, x) = tip(
        &robot,
        &[("j0", (PI / 6.0).into()), ("j1", (PI / 3.0).into())],
    );
    assert_near(at, [3.0_f64.sqrt() / 2.0, 1.5, 0.0]);
    assert_near(x, [0.0, 1.0, 0.0]);
}

#[test]
fn every_type_of_joint_moves_as_it_should() {
    let one = |joint: Joint, position: JointPosition| tip(&chain(vec![joint]), &[("j0", position)]);
    // A quarter turn about z; the default axis, x, leaves x where it is.
    let about_z = |kind| Joint {
        axis: [0.0, 0.0, 1.0],
        ..joint(kind)
    };
    for kind in [JointKind::Revolute, JointKind::Continuous] {
        let (at, x) = one(about_z(kind), FRAC_PI_2.into());
        assert_near(at, [0.0; 3]);
        assert_near(x, [0.0, 1.0, 0.0]);
        assert_near(one(joint(kind), FRAC_PI_2.into()).1, [1.0, 0.0, 0.0]);
    }
    // Any number of turns, where there are no limits.
    assert_near(
        one(about_z(JointKind::Continuous), (4.5 * PI).into()).1,
        [0.0, 1.0, 0.0],
    );
    // Half a metre along (0, 3, 4)/5, turned by the joint's own yaw.
    let sliding = Joint {
        origin: Origin {
            xyz: [1.0, 0.0, 0.0],
            rpy: [0.0, 0.0, FRAC_PI_2],
        },
        axis: [0.0, 3.0, 4.0],
        ..joint(JointKind::Prismatic)
    };
    let (at, x) = one(sliding, 0.5.into());
    assert_near(at, [1.0 - 0.3, 0.0, 0.4]);
    assert_near(x, [0.0, 1.0, 0.0]);
    let pose = Isometry3::new(
        Vector3::new(1.0, 2.0, 3.0),
        Vector3::new(0.0, 0.0, FRAC_PI_2),
    );
    let (at, x) = one(joint(JointKind::Floating), pose.into());
    assert_near(at, [1.0, 2.0, 3.0]);
    assert_near(x, [0.0, 1.0, 0.0]);
}

/// The plane of a planar joint for normals along and between the axes.
#[test]
fn planar_joints_move_in_the_plane_of_their_normal() {
    let moved = |axis: [f64; 3], position: [f64; 3]| {
        let joint = Joint {
            axis,
            ..joint(JointKind::Planar)
        };
        tip(&chain(vec![joint]), &[("j0", position.into())])
    };
    // Normal z: x, y and yaw are those of the plane itself.
    let (at, x) = moved([0.0, 0.0, 1.0], [1.0, 2.0, FRAC_PI_2]);
    assert_near(at, [1.0, 2.0, 0.0]);
    assert_near(x, [0.0, 1.0, 0.0]);
    // Normal x (the default): z is turned onto x about y, which takes x to −z and leaves y.
    let (at, x) = moved([1.0, 0.0, 0.0], [1.0, 2.0, 0.7]);
    assert_near(at, [0.0, 2.0, -1.0]);
    assert_near(x, [1.0, 0.0, 0.0]);
    // Normal y: z is turned onto y about −x, which takes y to −z and leaves x.
    assert_near(moved([0.0, 1.0, 0.0], [1.0, 2.0, 0.0]).0, [1.0, 0.0, -2.0]);
    // Normal −z: turned about x.
    assert_near(moved([0.0, 0.0, -1.0], [1.0, 2.0, 0.0]).0, [1.0, -2.0, 0.0]);
    // Yaw turns about the normal: right-handed about −z.
    assert_near(
        moved([0.0, 0.0, -1.0], [0.0, 0.0, FRAC_PI_2]).1,
        [0.0, -1.0, 0.0],
    );
    // Any normal: the translation stays in the plane and keeps its length.
    let (at, _) = moved([1.0, -2.0, 3.0], [3.0, 4.0, 1.0]);
    assert!(at.dot(&Vector3::new(1.0, -2.0, 3.0)).abs() < 10.0 * ROUNDING);
    assert!((at.norm() - 5.0).abs() < ROUNDING);
}

// ---- forward kinematics against plain matrices ----

/// 4×4 matrices written out from the textbook, with nothing of the library in them.
mod matrices {
    use super::Matrix4;

    pub fn translation([x, y, z]: [f64; 3]) -> Matrix4<f64> {
        Matrix4::new(1., 0., 0., x, 0., 1., 0., y, 0., 0., 1., z, 0., 0., 0., 1.)
    }

    pub fn roll_pitch_yaw([r, p, y]: [f64; 3]) -> Matrix4<f64> {
        let rx = |(s, c): (f64, f64)| {
            Matrix4::new(1., 0., 0., 0., 0., c, -s, 0., 0., s, c, 0., 0., 0., 0., 1.)
        };
        let ry = |(s, c): (f64, f64)| {
            Matrix4::new(c, 0., s, 0., 0., 1., 0., 0., -s, 0., c, 0., 0., 0., 0., 1.)
        };
        let rz = |(s, c): (f64, f64)| {
            Matrix4::new(c, -s, 0., 0., s, c, 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.)
        };
        rz(y.sin_cos()) * ry(p.sin_cos()) * rx(r.sin_cos())
    }

    /// Rodrigues' formula, R = 1 + sin θ K + (1 − cos θ) K².
    pub fn rotation(axis: [f64; 3], angle: f64) -> Matrix4<f64> {
        let norm = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
        let [x, y, z] = axis.map(|component| component / norm);
        let k = Matrix4::new(0., -z, y, 0., z, 0., -x, 0., -y, x, 0., 0., 0., 0., 0., 0.);
        Matrix4::identity() + k * angle.sin() + k * k * (1.0 - angle.cos())
    }
}

#[test]
fn forward_kinematics_agree_with_matrix_products() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let kinds = [
        JointKind::Fixed,
        JointKind::Revolute,
        JointKind::Continuous,
        JointKind::Prismatic,
    ];
    for _ in 0..200 {
        let mut number = || random.random_range(-2.0..2.0);
        let mut triple = || [number(), number(), number()];
        // A random tree: link i + 1 hangs on some earlier link; the file lists joints backwards.
        let mut joints = Vec::new();
        let mut positions = Vec::new();
        for i in 0..12_usize {
            let [axis, xyz, rpy, draws] = [triple(), triple(), triple(), triple()];
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let pick = |draw: f64, n: usize| ((draw + 2.0) / 4.0 * n as f64) as usize;
            let parent = pick(draws[0], i + 1);
            let template = joint(kinds[pick(draws[1], kinds.len())]);
            joints.push(Joint {
                name: format!("j{i}"),
                parent: format!("l{parent}"),
                child: format!("l{}", i + 1),
                axis,
                origin: Origin { xyz, rpy },
                ..template
            });
            positions.push((parent, draws[2]));
        }
        let mut expected = vec![Matrix4::identity()];
        for (joint, &(parent, q)) in joints.iter().zip(&positions) {
            let origin = matrices::translation(joint.origin.xyz)
                * matrices::roll_pitch_yaw(joint.origin.rpy);
            let length = joint.axis.iter().map(|x| x * x).sum::<f64>().sqrt();
            let motion = match joint.kind {
                JointKind::Fixed => Matrix4::identity(),
                JointKind::Prismatic => matrices::translation(joint.axis.map(|x| x / length * q)),
                _ => matrices::rotation(joint.axis, q),
            };
            expected.push(expected[parent] * origin * motion);
        }
        joints.reverse();
        let links = (0..=12).map(|i| Link::new(format!("l{i}"))).collect();
        let robot = Robot::new("tree", links, joints, vec![]).unwrap();
        let mut configuration = robot.neutral();
        for (i, &(_, q)) in positions.iter().enumerate() {
            let name = format!("j{i}");
            if robot.joints()[robot.joint_index(&name).unwrap()].kind != JointKind::Fixed {
                configuration.set(&name, q).unwrap();
            }
        }
        let poses = robot.forward_kinematics(&configuration).unwrap();
        for (pose, expected) in poses.iter().zip(&expected) {
            // Twelve factors of size up to 4.
            let error = (pose.to_homogeneous() - expected).amax();
            assert!(error < 10.0 * ROUNDING, "{error:e}");
        }
    }
}

#[test]
fn a_very_long_chain_is_no_problem() {
    const LENGTH: u32 = 100_000;
    let mut text = "<robot name=\"snake\"><link name=\"0\"/>".to_owned();
    for i in 0..LENGTH {
        let next = i + 1;
        text.push_str(&format!(
            "<link name=\"{next}\"/><joint name=\"{i}\" type=\"continuous\"><parent link=\"{i}\"/>\
             <child link=\"{next}\"/><origin xyz=\"0 1 0\"/><axis xyz=\"0 0 1\"/>"
        ));
        if i > 0 {
            text.push_str(&format!("<mimic joint=\"{}\"/>", i - 1));
        }
        text.push_str("</joint>");
    }
    text.push_str("</robot>");
    let robot = Robot::from_urdf_str(&text).unwrap();
    let mut configuration = robot.neutral();
    // Every joint turns by the same angle, so that the snake closes into a regular polygon.
    configuration
        .set("0", 2.0 * PI / f64::from(LENGTH))
        .unwrap();
    let poses = robot.forward_kinematics(&configuration).unwrap();
    let back = poses.last().unwrap();
    // Half an angle of 1e-16 relative error, a hundred thousand times over a length of 1e5.
    assert!((back.translation.vector - Vector3::y()).norm() < 1.0 + 1e-5);
    assert!(back.rotation.angle() < 1e-9, "{:e}", back.rotation.angle());
    assert!((back.rotation.coords.norm() - 1.0).abs() < 1e-15);
    assert_eq!(Robot::from_urdf_str(&robot.to_urdf()).unwrap(), robot);
}

// ---- configurations ----

#[test]
fn neutral_is_zero_or_the_nearest_limit() {
    let robot = chain(vec![
        with_limits(JointKind::Revolute, -1.0, 1.0),
        with_limits(JointKind::Revolute, 0.5, 1.0),
        with_limits(JointKind::Prismatic, -2.0, -0.25),
        // The limits of a continuous joint do not count.
        with_limits(JointKind::Continuous, 3.0, 4.0),
        joint(JointKind::Planar),
        joint(JointKind::Floating),
        joint(JointKind::Fixed),
    ]);
    let neutral = robot.neutral();
    let position = |name| neutral.position(name).unwrap();
    assert_eq!(position("j0"), JointPosition::Scalar(0.0));
    assert_eq!(position("j1"), JointPosition::Scalar(0.5));
    assert_eq!(position("j2"), JointPosition::Scalar(-0.25));
    assert_eq!(position("j3"), JointPosition::Scalar(0.0));
    assert_eq!(position("j4"), JointPosition::Planar([0.0; 3]));
    assert_eq!(
        position("j5"),
        JointPosition::Floating(Isometry3::identity())
    );
    assert_eq!(position("j6"), JointPosition::Fixed);
}

#[test]
fn mimicking_joints_follow_along_a_chain() {
    let mimic = |kind, joint_name: &str, multiplier, offset| Joint {
        mimic: Some(Mimic {
            joint: joint_name.to_owned(),
            multiplier,
            offset,
        }),
        axis: [0.0, 0.0, 1.0],
        ..joint(kind)
    };
    // j0 follows j1, which follows j2: q1 = −2 q2 + 0.5, q0 = 3 q1 + 0.125.
    let robot = chain(vec![
        mimic(JointKind::Revolute, "j1", 3.0, 0.125),
        mimic(JointKind::Prismatic, "j2", -2.0, 0.5),
        joint(JointKind::Continuous),
    ]);
    let mut configuration = robot.neutral();
    let positions = |configuration: &superovoid_robot::Configuration| {
        ["j0", "j1", "j2"].map(|name| configuration.position(name).unwrap())
    };
    assert_eq!(
        positions(&configuration),
        [1.625, 0.5, 0.0].map(JointPosition::Scalar)
    );
    configuration.set("j2", 0.25).unwrap();
    assert_eq!(
        positions(&configuration),
        [0.125, 0.0, 0.25].map(JointPosition::Scalar)
    );
    let poses = robot.forward_kinematics(&configuration).unwrap();
    assert_near(
        poses[1].rotation * Vector3::x(),
        [0.125_f64.cos(), 0.125_f64.sin(), 0.0],
    );
    let refused = configuration.set("j0", 0.0).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "joint \"j0\" mimics \"j2\"; set that one"
    );
}

#[test]
fn positions_that_a_joint_cannot_take_are_refused() {
    let robot = chain(SIX.map(joint).to_vec());
    let scalar = JointPosition::Scalar;
    let planar = JointPosition::Planar;
    let nowhere = Isometry3::translation(f64::NAN, 0.0, 0.0);
    let refusals: [(&str, JointPosition, &str); 13] = [
        (
            "x",
            scalar(0.0),
            "the robot has no joint \"x\"; expected one of \"j1\", \"j2\"",
        ),
        ("j0", scalar(0.0), "joint \"j0\" is fixed"),
        ("j0", JointPosition::Fixed, "joint \"j0\" is fixed"),
        (
            "j1",
            scalar(2.5),
            "joint \"j1\" = 2.5: outside its limits, -2 to 2",
        ),
        (
            "j3",
            scalar(-2.5),
            "joint \"j3\" = -2.5: outside its limits, -2 to 2",
        ),
        (
            "j1",
            scalar(f64::NAN),
            "joint \"j1\": the position is not finite",
        ),
        (
            "j2",
            scalar(f64::INFINITY),
            "joint \"j2\": the position is not finite",
        ),
        (
            "j5",
            planar([0.0, f64::NAN, 0.0]),
            "joint \"j5\": the position is not finite",
        ),
        (
            "j4",
            nowhere.into(),
            "joint \"j4\": the position is not finite",
        ),
        (
            "j1",
            planar([0.0; 3]),
            "joint \"j1\" is revolute; expected one number, the angle",
        ),
        (
            "j3",
            planar([0.0; 3]),
            "joint \"j3\" is prismatic; expected one number, the travel",
        ),
        (
            "j5",
            scalar(0.0),
            "joint \"j5\" is planar; expected three numbers",
        ),
        (
            "j4",
            scalar(0.0),
            "joint \"j4\" is floating; expected a pose",
        ),
    ];
    for (name, position, message) in refusals {
        let mut configuration = robot.neutral();
        let error = configuration.set(name, position).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(configuration, robot.neutral());
    }
    let mut configuration = robot.neutral();
    // The limits themselves are allowed.
    configuration.set("j1", 2.0).unwrap();
    configuration.set("j1", -2.0).unwrap();
    let unknown = configuration.position("x").unwrap_err();
    assert!(matches!(unknown, ConfigurationError::UnknownJoint { .. }));
}

#[test]
fn configurations_belong_to_robots_with_the_same_joints() {
    let robot = chain(vec![joint(JointKind::Revolute)]);
    let same = chain(vec![joint(JointKind::Revolute)]);
    let other = chain(vec![joint(JointKind::Continuous)]);
    assert!(robot.forward_kinematics(&same.neutral()).is_ok());
    assert_eq!(
        robot.forward_kinematics(&other.neutral()),
        Err(ConfigurationError::OtherRobot)
    );
}

#[test]
fn poses_that_overflow_are_told() {
    let far = Joint {
        origin: Origin {
            xyz: [f64::MAX, 0.0, 0.0],
            ..Origin::default()
        },
        ..joint(JointKind::Fixed)
    };
    let robot = chain(vec![far.clone(), far]);
    let error = robot.forward_kinematics(&robot.neutral()).unwrap_err();
    assert_eq!(error.to_string(), "the pose of link \"l2\" is not finite");
}

// ---- clearances ----

fn ball(x: f64, radius: f64) -> Collision {
    Collision {
        name: None,
        origin: Origin {
            xyz: [x, 0.0, 0.0],
            ..Origin::default()
        },
        geometry: Geometry::Sphere { radius },
        superovoid: None,
    }
}

/// Links named by letter, each with spheres of radius 1 at these x, on joints of these types.
fn balls(links: &[(&str, &[f64])], joints: &[(JointKind, &str, &str)]) -> Robot {
    let links = links.iter().map(|(name, centers)| {
        let mut link = Link::new(*name);
        link.collisions = centers.iter().map(|&x| ball(x, 1.0)).collect();
        link
    });
    let joints = joints
        .iter()
        .enumerate()
        .map(|(i, &(kind, parent, child))| Joint {
            name: format!("j{i}"),
            parent: parent.to_owned(),
            child: child.to_owned(),
            ..with_limits(kind, -100.0, 100.0)
        });
    Robot::new("balls", links.collect(), joints.collect(), vec![]).unwrap()
}

fn clearances(robot: &Robot, options: &ClearanceOptions) -> superovoid_robot::Clearances {
    robot.clearances(&robot.neutral(), options).unwrap()
}

/// Names of the links and the distance of each pair.
fn pairs(robot: &Robot, found: &[Clearance]) -> Vec<(String, f64)> {
    let name = |link: usize| robot.links()[link].name.as_str();
    found
        .iter()
        .map(|pair| {
            let names = name(pair.link_a).to_owned() + name(pair.link_b);
            (names, pair.contact.distance)
        })
        .collect()
}

fn assert_pairs(found: &[(String, f64)], expected: &[(&str, f64)]) {
    let names: Vec<&str> = found.iter().map(|(names, _)| names.as_str()).collect();
    let expected_names: Vec<&str> = expected.iter().map(|(names, _)| *names).collect();
    assert_eq!(names, expected_names);
    for ((names, distance), (_, expected)) in found.iter().zip(expected) {
        // The default tolerance of a query, 1e-9 of the size.
        assert!(
            (distance - expected).abs() < 2e-9,
            "{names}: {distance} is not {expected}"
        );
    }
}

#[test]
fn pairs_come_closest_first_without_adjacent_ones() {
    use JointKind::{Fixed, Prismatic};
    // a ─ b ─ c, and d, e fixed to c one after the other; f stands apart on a.
    let robot = balls(
        &[
            ("a", &[0.0]),
            ("b", &[1.0]),
            ("c", &[4.5]),
            ("d", &[1.5]),
            ("e", &[10.0]),
            ("f", &[-8.25, 13.0]),
        ],
        &[
            (Prismatic, "a", "b"),
            (Prismatic, "b", "c"),
            (Fixed, "c", "d"),
            (Fixed, "d", "e"),
            (Prismatic, "a", "f"),
        ],
    );
    let found = clearances(&robot, &ClearanceOptions::default());
    let expected = [
        ("bd", -1.5),
        ("ad", -0.5),
        ("ef", 1.0),
        ("ac", 2.5),
        ("cf", 6.5),
        ("be", 7.0),
        ("bf", 7.25),
        ("df", 7.75),
        ("ae", 8.0),
        ("df", 9.5),
        ("bf", 10.0),
        ("cf", 10.75),
        ("ef", 16.25),
    ];
    assert_pairs(&pairs(&robot, &found.pairs), &expected);
    assert_eq!((found.considered, found.culled, found.solved), (13, 0, 13));
    let statuses: Vec<CollisionStatus> =
        found.pairs.iter().take(4).map(Clearance::status).collect();
    assert_eq!(
        statuses,
        [
            CollisionStatus::Collision,
            CollisionStatus::Collision,
            CollisionStatus::Free,
            CollisionStatus::Free
        ]
    );
    // Which of the two bodies of f it is.
    let ef = &found.pairs[2];
    assert_eq!((ef.collision_a, ef.collision_b), (0, 1));

    let all = ClearanceOptions::default().with_include_adjacent(true);
    let found = clearances(&robot, &all);
    // Seven bodies, 21 pairs, of which the two on f are on one link.
    assert_eq!((found.considered, found.culled, found.solved), (20, 0, 20));
    let names: Vec<String> = pairs(&robot, &found.pairs)
        .into_iter()
        .map(|(n, _)| n)
        .collect();
    for adjacent in ["ab", "bc", "cd", "de", "ce", "af"] {
        assert!(
            names.iter().any(|name| name == adjacent),
            "{adjacent} in {names:?}"
        );
    }
}

#[test]
fn far_pairs_are_counted_and_not_solved() {
    use JointKind::Prismatic;
    let robot = balls(
        &[
            ("o", &[]),
            ("a", &[0.0]),
            ("b", &[3.0]),
            ("c", &[50.0]),
            ("d", &[52.5]),
        ],
        &[
            (Prismatic, "o", "a"),
            (Prismatic, "o", "b"),
            (Prismatic, "o", "c"),
            (Prismatic, "o", "d"),
        ],
    );
    let up_to = |max_distance| ClearanceOptions::default().with_max_distance(max_distance);
    let found = clearances(&robot, &up_to(2.0));
    assert_pairs(&pairs(&robot, &found.pairs), &[("cd", 0.5), ("ab", 1.0)]);
    assert_eq!((found.considered, found.culled, found.solved), (6, 4, 2));
    let found = clearances(&robot, &up_to(0.0));
    assert_eq!(
        (found.pairs.len(), found.considered, found.culled),
        (0, 6, 6)
    );
    // Moved onto each other, in the frame of the root.
    let mut configuration = robot.neutral();
    configuration.set("j2", -48.75).unwrap();
    let found = robot.clearances(&configuration, &up_to(0.0)).unwrap();
    assert_pairs(
        &pairs(&robot, &found.pairs),
        &[("ac", -0.75), ("bc", -0.25)],
    );
    let contact = found.pairs[0].contact;
    assert!((contact.point_a - Point3::new(1.0, 0.0, 0.0)).norm() < 2e-9);
    assert!((contact.point_b - Point3::new(0.25, 0.0, 0.0)).norm() < 2e-9);
}

#[test]
fn a_distance_that_is_none_is_refused() {
    let robot = balls(&[("a", &[0.0])], &[]);
    for max_distance in [-1.0, f64::NAN] {
        let options = ClearanceOptions::default().with_max_distance(max_distance);
        let error = robot.clearances(&robot.neutral(), &options).unwrap_err();
        assert!(matches!(error, ClearanceError::MaxDistance { .. }));
        assert!(
            error
                .to_string()
                .starts_with(&format!("max_distance = {max_distance}")),
            "{error}"
        );
    }
    let other = balls(
        &[("a", &[0.0]), ("b", &[])],
        &[(JointKind::Fixed, "a", "b")],
    );
    let error = robot
        .clearances(&other.neutral(), &ClearanceOptions::default())
        .unwrap_err();
    assert_eq!(
        error,
        ClearanceError::Configuration(ConfigurationError::OtherRobot)
    );
}

/// Random balls on a random tree, against every pair computed in closed form.
#[test]
fn clearances_agree_with_spheres_in_closed_form() {
    let mut random = ChaCha8Rng::seed_from_u64(21);
    for _ in 0..20 {
        let mut links = Vec::new();
        let mut joints = Vec::new();
        let mut parents = Vec::new();
        for i in 0..30_usize {
            let mut link = Link::new(i.to_string());
            for _ in 0..random.random_range(0..3) {
                let mut coordinate = || random.random_range(-5.0..5.0);
                let xyz = [coordinate(), coordinate(), coordinate()];
                let radius = random.random_range(0.05..1.0);
                let origin = Origin { xyz, rpy: xyz };
                link.collisions.push(Collision {
                    origin,
                    ..ball(0.0, radius)
                });
            }
            links.push(link);
            if i > 0 {
                let parent = random.random_range(0..i);
                let fixed = random.random_bool(0.3);
                let kind = if fixed {
                    JointKind::Fixed
                } else {
                    JointKind::Floating
                };
                joints.push(Joint::new(
                    i.to_string(),
                    kind,
                    parent.to_string(),
                    i.to_string(),
                ));
                parents.push((parent, fixed));
            }
        }
        let robot = Robot::new("cloud", links.clone(), joints, vec![]).unwrap();
        // Rigid bodies by repeated relabelling, adjacency from the definition.
        let mut rigid: Vec<usize> = (0..links.len()).collect();
        for (i, &(parent, fixed)) in parents.iter().enumerate() {
            if fixed {
                rigid[i + 1] = rigid[parent];
            }
        }
        let adjacent = |a: usize, b: usize| {
            let joined = |a: usize, b: usize| a > 0 && parents[a - 1].0 == b;
            rigid[a] == rigid[b] || joined(a, b) || joined(b, a)
        };
        let mut expected = Vec::new();
        let mut considered = 0;
        let max_distance = 0.5;
        for a in 0..links.len() {
            for b in a + 1..links.len() {
                if adjacent(a, b) {
                    continue;
                }
                for (i, x) in links[a].collisions.iter().enumerate() {
                    for (k, y) in links[b].collisions.iter().enumerate() {
                        considered += 1;
                        let (Geometry::Sphere { radius: r }, Geometry::Sphere { radius: s }) =
                            (&x.geometry, &y.geometry)
                        else {
                            unreachable!()
                        };
                        let between = Vector3::from(y.origin.xyz) - Vector3::from(x.origin.xyz);
                        let distance = between.norm() - r - s;
                        if distance <= max_distance {
                            expected.push(((a, i, b, k), distance));
                        }
                    }
                }
            }
        }
        let options = ClearanceOptions::default().with_max_distance(max_distance);
        let found = clearances(&robot, &options);
        assert_eq!(found.considered, considered);
        assert_eq!(found.culled + found.solved, considered);
        assert!(
            found.solved < considered / 2,
            "{} of {considered}",
            found.solved
        );
        assert_eq!(found.pairs.len(), expected.len());
        let closest = robot.closest(&robot.neutral(), &options).unwrap();
        let least = expected.iter().map(|(_, distance)| *distance);
        let least = least.fold(f64::INFINITY, f64::min);
        let distance = closest.map_or(f64::INFINITY, |pair| pair.contact.distance);
        assert!(distance == least || (distance - least).abs() < 2e-9);
        let collides = robot.in_collision(&robot.neutral(), &options).unwrap();
        assert_eq!(collides, least <= 0.0);
        assert!(found.pairs.is_sorted_by_key(|pair| pair.contact.distance));
        for (which, distance) in expected {
            let is = |p: &&Clearance| (p.link_a, p.collision_a, p.link_b, p.collision_b) == which;
            let pair = found.pairs.iter().find(is).expect("a pair was lost");
            assert!((pair.contact.distance - distance).abs() < 2e-9);
        }
    }
}

#[test]
fn poses_of_bodies_are_those_of_their_links_and_origins() {
    // A tool that points along x, turned by a quarter about z: its ball is on the y axis.
    let mut tool = Link::new("tool");
    tool.collisions.push(ball(2.0, 0.5));
    let mut wall = Link::new("wall");
    wall.collisions.push(Collision {
        origin: Origin {
            xyz: [0.0, 4.0, 0.0],
            ..Origin::default()
        },
        ..ball(0.0, 1.0)
    });
    let turning = Joint {
        axis: [0.0, 0.0, 1.0],
        ..Joint::new("turn", JointKind::Continuous, "base", "tool")
    };
    let standing = Joint::new("stand", JointKind::Fixed, "base", "wall");
    let links = vec![Link::new("base"), tool, wall];
    let robot = Robot::new("r", links, vec![turning, standing], vec![]).unwrap();
    let mut configuration = robot.neutral();
    configuration.set("turn", FRAC_PI_2).unwrap();
    let found = robot
        .clearances(&configuration, &ClearanceOptions::default())
        .unwrap();
    let contact = found.pairs[0].contact;
    assert!((contact.distance - 0.5).abs() < 2e-9);
    assert!((contact.point_a - Point3::new(0.0, 2.5, 0.0)).norm() < 1e-8);
    assert!((contact.normal.into_inner() - Vector3::y()).norm() < 1e-8);
    let pose = Isometry3::from_parts(
        Translation3::identity(),
        UnitQuaternion::from_axis_angle(&Vector3::z_axis(), FRAC_PI_2),
    );
    assert!(robot.superovoid_bodies()[0].pose.translation.vector.x == 2.0);
    assert!((pose * Point3::new(2.5, 0.0, 0.0) - contact.point_a).norm() < 1e-8);
}

// ---- positions in one vector ----

/// One joint of each type, and one that follows the prismatic one.
fn six_and_a_follower() -> Robot {
    let follower = Joint {
        mimic: Some(Mimic {
            joint: "j3".to_owned(),
            multiplier: 2.0,
            offset: 0.25,
        }),
        ..joint(JointKind::Continuous)
    };
    chain(SIX.map(joint).into_iter().chain([follower]).collect())
}

#[test]
fn numbers_stand_in_the_order_of_the_joints() {
    let robot = six_and_a_follower();
    assert_eq!(robot.position_count(), 13);
    let ranges: Vec<_> = (0..8).map(|joint| robot.position_range(joint)).collect();
    let expected = [0..0, 0..1, 1..2, 2..3, 3..10, 10..13, 13..13].map(Some);
    assert_eq!(ranges[..7], expected);
    assert_eq!(ranges[7], None);
    assert_eq!(robot.follows(6), Some((3, 2.0, 0.25)));
    assert_eq!(robot.follows(3), None);
    assert_eq!(robot.follows(7), None);

    let half = 0.5_f64.sqrt();
    let numbers = [
        0.5, 9.0, -1.0, 1.0, 2.0, 3.0, 0.0, half, 0.0, half, 4.0, 5.0, 6.0,
    ];
    let configuration = robot.configuration(&numbers).unwrap();
    let position = |joint: &str| configuration.position(joint).unwrap();
    assert_eq!(position("j1"), 0.5.into());
    assert_eq!(position("j2"), 9.0.into());
    assert_eq!(position("j3"), (-1.0).into());
    assert_eq!(position("j5"), [4.0, 5.0, 6.0].into());
    assert_eq!(position("j6"), (-1.75).into());
    let JointPosition::Floating(pose) = position("j4") else {
        panic!("no pose");
    };
    assert_near(pose.translation.vector, [1.0, 2.0, 3.0]);
    // A quarter turn about y.
    assert_near(pose.rotation * Vector3::x(), [0.0, 0.0, -1.0]);
    for (found, expected) in configuration.to_vec().iter().zip(numbers) {
        assert!((found - expected).abs() < ROUNDING);
    }
    let neutral = robot.neutral();
    let mut set = neutral.clone();
    set.set_all(&numbers).unwrap();
    assert_eq!(set, configuration);
    // The last number is refused, and nothing before it is set.
    let mut wrong = neutral.to_vec();
    (wrong[0], wrong[12]) = (0.75, f64::NAN);
    let error = set.set_all(&wrong).unwrap_err().to_string();
    assert_eq!(error, "joint \"j5\": the position is not finite");
    let (count, expected) = (12, 13);
    let error = set.set_all(&wrong[..12]);
    assert_eq!(error, Err(ConfigurationError::Count { count, expected }));
    assert_eq!(set, configuration);
    assert_eq!(robot.configuration(&neutral.to_vec()), Ok(neutral));
}

#[test]
fn numbers_that_a_joint_cannot_take_are_refused_by_its_name() {
    let robot = six_and_a_follower();
    let neutral = robot.neutral().to_vec();
    let error = |place: usize, value: f64| {
        let mut numbers = neutral.clone();
        numbers[place] = value;
        robot.configuration(&numbers).unwrap_err().to_string()
    };
    assert!(error(0, 2.1).starts_with("joint \"j1\" = 2.1: outside its limits"));
    assert!(error(2, -2.1).starts_with("joint \"j3\" = -2.1: outside its limits"));
    for (place, joint) in [(0, 1), (1, 2), (2, 3), (3, 4), (6, 4), (9, 4), (12, 5)] {
        for value in [f64::NAN, f64::INFINITY] {
            let expected = format!("joint \"j{joint}\": the position is not finite");
            assert_eq!(error(place, value), expected);
        }
    }
    assert!(error(9, 0.0).starts_with("joint \"j4\": the quaternion is zero"));
    // Of any other length it is divided by it.
    let mut long = neutral.clone();
    long[6] = 1e200;
    assert!(robot.configuration(&long).is_ok());
    for count in [0, 12, 14] {
        assert_eq!(
            robot.configuration(&vec![0.0; count]),
            Err(ConfigurationError::Count {
                count,
                expected: 13
            })
        );
    }
}
