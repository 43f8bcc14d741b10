//! A soft ball between the thumbs of two hands.

use crate::scene::{Material, Scene, Settings, SoftContact, Substance};
use crate::scenes::hands::{HANDS, HOLD, robot_bodies};
use crate::scenes::soft::solid;
use crate::scenes::stack::floor;
use crate::soft::ball;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use superovoid_robot::Robot;

/// The radius of the ball, metres, and how far its ends are pressed together.
const RADIUS: f64 = 0.015;
const PRESSED: f64 = 0.012;
/// Half way between the tips of the open thumbs.
const PLACE: [f64; 3] = [0.0743, -0.0162, 0.0767];
/// How high the thumbs lift it, metres.
const LIFT: f64 = 0.04;

/// The two hands of the iCub take a soft ball from a table between the tips of their thumbs, press it by a third of its 30 mm,
/// lift it by 40 mm and hold it there. The table is there for the ball alone: the hands follow their path through it.
///
/// # Panics
/// It does not: the model of the hands is part of the library.
pub fn squeeze() -> Scene {
    let robot = Robot::from_urdf_str(HANDS).expect("the model of the hands is valid");
    let posed = |approach: f64| {
        let mut configuration = robot.neutral();
        let mut set = |joint: &str, value: f64| {
            configuration
                .set(joint, value)
                .expect("the joints of the hands have these ranges");
        };
        set("right_hand_approach", approach);
        for hand in ["l_hand", "r_hand"] {
            set(&format!("{hand}_thumb_0_joint"), 0.25);
        }
        configuration
    };
    let root = |height: f64| {
        Isometry3::from_parts(
            Vector3::new(0.0, 0.0, height).into(),
            UnitQuaternion::identity(),
        )
    };
    // The tips are 3 mm apart at HOLD. The left hand stays, and the right one comes.
    let open = HOLD + 0.003 - (2.0 * RADIUS + 0.006);
    let closed = HOLD + 0.003 - (2.0 * RADIUS - PRESSED);
    let path = [
        (0.0, posed(open), root(0.0)),
        (0.2, posed(open), root(0.0)),
        (1.0, posed(closed), root(0.0)),
        (1.3, posed(closed), root(0.0)),
        (2.3, posed(closed), root(LIFT)),
    ];
    let mut bodies =
        robot_bodies(&robot, &path).expect("the configurations are those of the robot");
    bodies.push(floor(PLACE[2] - RADIUS));
    let place = Isometry3::translation(PLACE[0], PLACE[1], PLACE[2]);
    let mut soft = solid("ball", ball(RADIUS, 2, 3).at(&place));
    soft.substance = Substance {
        shear: 2e4,
        lambda: 8e4,
        damping: 1e-3,
        ..Substance::RUBBER
    };
    Scene {
        name: "a soft ball between two thumbs".into(),
        settings: Settings {
            substeps: 40,
            soft: crate::scene::SoftSettings {
                contact: SoftContact::Rays { stiffness: 5e6 },
                ..Default::default()
            },
            ..Settings::default()
        },
        materials: vec![Material {
            static_friction: 0.8,
            kinetic_friction: 0.7,
            ..Material::default()
        }],
        bodies,
        solids: vec![soft],
        ..Scene::default()
    }
}
