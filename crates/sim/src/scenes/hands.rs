//! Links of a robot as moving bodies, and two hands that take a cloth.

use crate::scene::{
    Body, Cloth, ClothContact, Fabric, Key, Material, Motion, Pin, Scene, Settings, Shape,
};
use crate::scenes::cloth::grid;
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use superovoid_robot::{Configuration, ConfigurationError, Robot};

/// The model of both hands of the iCub robot.
pub(crate) const HANDS: &str = include_str!("../../../../urdf/icub_hands.urdf");

/// The approach of the right hand at which the tips of the thumbs are 3.0 mm apart. The cloth, of which either side is
/// kept at the thickness of 2 mm, is held between them and pressed through neither.
pub(crate) const HOLD: f64 = 0.0005;

/// The middle between the tips then, where the cloth has a vertex: between its vertices a cloth keeps a quarter of its
/// thickness, and would slip through.
const PINCH: [f64; 3] = [0.0762, 0.000_24, 0.0838];

/// The index of the vertex of the cloth in [`hands_and_cloth`] that the thumbs take between them.
pub const PINCHED: usize = 1171;

/// How the hands draw, metres.
const DRAW: Vector3<f64> = Vector3::new(-0.016, 0.0, 0.048);

/// Returns a moving body for every superovoid of a robot, which follows the robot through configurations at times
/// (seconds, increasing) and poses of its root.
///
/// # Errors
/// The error is that of the forward kinematics of a configuration.
pub fn robot_bodies(
    robot: &Robot,
    path: &[(f64, Configuration, Isometry3<f64>)],
) -> Result<Vec<Body>, ConfigurationError> {
    let parts = robot.superovoid_bodies();
    let mut keys: Vec<Vec<Key>> = vec![Vec::new(); parts.len()];
    for (time, configuration, root) in path {
        let links = robot.forward_kinematics(configuration)?;
        for (part, keys) in parts.iter().zip(&mut keys) {
            let pose = root * links[part.link] * part.pose;
            let q = pose.rotation.quaternion();
            keys.push(Key {
                time: *time,
                position: pose.translation.vector.into(),
                orientation: [q.w, q.i, q.j, q.k],
            });
        }
    }
    let body = |(part, keys): (&superovoid_robot::SuperovoidBody, Vec<Key>)| Body {
        name: robot.links()[part.link].name.clone(),
        shape: Shape::Superovoid {
            semi_axes: part.shape.semi_axes(),
            exponents: part.shape.exponents(),
            tapers: part.shape.tapers(),
        },
        position: keys.first().map_or([0.0; 3], |key| key.position),
        orientation: keys
            .first()
            .map_or([1.0, 0.0, 0.0, 0.0], |key| key.orientation),
        motion: Motion::Kinematic { keys },
        material: 0,
    };
    Ok(parts.iter().zip(keys).map(body).collect())
}

/// The two hands close on a cloth that hangs between them, take it between their thumbs, curl their fingers, draw it up and
/// along −x, and open. One vertex is between the thumbs and bears what hangs from it: with 40 substeps of one pass each its
/// edges are long by a quarter then, with ten by more than themselves. They draw towards the pins, from which no vertex may
/// be farther than at rest.
///
/// # Panics
/// It does not: the model of the hands is part of the library.
pub fn hands_and_cloth() -> Scene {
    let robot = Robot::from_urdf_str(HANDS).expect("the model of the hands is valid");
    let posed = |approach: f64, curl: f64| {
        let mut configuration = robot.neutral();
        let mut set = |joint: &str, value: f64| {
            configuration
                .set(joint, value)
                .expect("the joints of the hands have these ranges");
        };
        set("right_hand_approach", approach);
        for hand in ["l_hand", "r_hand"] {
            set(&format!("{hand}_thumb_0_joint"), 0.25);
            for finger in ["index", "middle", "ring", "little"] {
                set(&format!("{hand}_{finger}_1_joint"), curl);
            }
        }
        configuration
    };
    let root = |way: f64| Isometry3::from_parts((DRAW * way).into(), UnitQuaternion::identity());
    let path = [
        (0.0, posed(-0.05, 0.0), root(0.0)),
        (0.5, posed(-0.05, 0.0), root(0.0)),
        (1.4, posed(HOLD, 0.0), root(0.0)),
        (2.0, posed(HOLD, 0.15), root(0.0)),
        (3.5, posed(HOLD, 0.15), root(1.0)),
        (4.1, posed(HOLD, 0.15), root(1.0)),
        (5.0, posed(-0.05, 0.0), root(1.0)),
    ];
    let bodies = robot_bodies(&robot, &path).expect("the configurations are those of the robot");
    Scene {
        name: "two hands and a cloth".into(),
        settings: Settings {
            substeps: 40,
            skin: 0.001,
            sleep_speed: 0.002,
            ..Settings::default()
        },
        materials: vec![Material {
            static_friction: 0.8,
            kinetic_friction: 0.7,
            restitution: 0.0,
            ..Material::default()
        }],
        bodies,
        cloths: vec![hanging_cloth()],
        ..Scene::default()
    }
}

/// A cloth in the plane half way between the open hands, held at its upper edge.
fn hanging_cloth() -> Cloth {
    let (columns, rows) = (41, 41);
    let (vertices, triangles) = grid(columns, rows, [0.4, 0.4], 0.0);
    let vertices = vertices
        .into_iter()
        .map(|[x, y, _]| [x + PINCH[0] - 0.03, PINCH[1], y + PINCH[2] - 0.08])
        .collect();
    let upper = (rows - 1) * columns..rows * columns;
    Cloth {
        name: "cloth".into(),
        vertices,
        triangles,
        fabric: Fabric {
            stretch: 500.0,
            ..Fabric::SILK
        },
        thickness: 0.002,
        material: 0,
        pins: upper
            .step_by(4)
            .map(|vertex| Pin { vertex, body: None })
            .collect(),
        long_range: true,
        strain_limit: Some(0.1),
        self_contact: true,
        contact: ClothContact::Exact,
    }
}
