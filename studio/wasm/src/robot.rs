//! A robot of the page: its parts as JSON, the poses of its links and its closest pairs as numbers.

use crate::numbers::{ANSWER, answer};
use nalgebra::Isometry3;
use serde::Serialize;
use superovoid::CollisionStatus;
use superovoid::robot::{ClearanceOptions, Configuration, Geometry, Robot};

/// The numbers of a pair: the bodies of A and B, by their places in the description, whether the pair is proven free
/// (0), collides (1) or is undecided (2), and the answer.
pub const PAIR: usize = 3 + ANSWER;

/// A robot.
pub struct Model {
    robot: Robot,
    /// The links and collisions of the bodies, in the order of the description.
    bodies: Vec<(usize, usize)>,
}

/// The parts of a robot, for drawing and for sliders.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    links: Vec<&'a str>,
    joints: Vec<JointParts<'a>>,
    bodies: Vec<BodyParts>,
    /// The shapes that no query answers.
    not_checked: Vec<String>,
    warnings: Vec<String>,
    /// The numbers of the neutral configuration.
    neutral: Vec<f64>,
}

/// A joint that can be set.
#[derive(Serialize)]
struct JointParts<'a> {
    name: &'a str,
    kind: &'a str,
    /// The place of its first number, and how many it has.
    first: usize,
    count: usize,
    range: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct BodyParts {
    link: usize,
    /// The pose in the frame of the link.
    pose: [f64; 7],
    shape: ShapeParts,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ShapeParts {
    Superovoid([f64; 7]),
    /// The edge lengths.
    Box([f64; 3]),
    /// The radius, and the length along z.
    Cylinder([f64; 2]),
    /// The radius, and the length along z without the caps.
    Capsule([f64; 2]),
}

fn numbers_of(pose: &Isometry3<f64>) -> [f64; 7] {
    let (t, r) = (&pose.translation, &pose.rotation);
    [t.x, t.y, t.z, r.i, r.j, r.k, r.w]
}

impl Model {
    /// Reads a robot; the error tells line and column.
    pub fn read(urdf: &str) -> Result<Self, String> {
        let robot = Robot::from_urdf_str(urdf).map_err(|error| error.to_string())?;
        let bodies = robot.collision_bodies();
        let bodies = bodies.map(|body| (body.link, body.collision)).collect();
        Ok(Model { robot, bodies })
    }

    /// Returns the parts as JSON.
    pub fn description(&self) -> Result<String, String> {
        let robot = &self.robot;
        let bodies = robot.collision_bodies().map(|body| {
            let collision = &robot.links()[body.link].collisions[body.collision];
            let shape = match (collision.contact_shape(), &collision.geometry) {
                (Some(shape), _) => {
                    let ([a1, a2, a3], [e1, e2]) = (shape.semi_axes(), shape.exponents());
                    let [tx, ty] = shape.tapers();
                    ShapeParts::Superovoid([a1, a2, a3, e1, e2, tx, ty])
                }
                (None, Geometry::Box { size }) => ShapeParts::Box(*size),
                (None, Geometry::Cylinder { radius, length }) => {
                    ShapeParts::Cylinder([*radius, *length])
                }
                (None, Geometry::Capsule { radius, length }) => {
                    ShapeParts::Capsule([*radius, *length])
                }
                (None, other) => return Err(format!("a <{}> is not drawn", other.element())),
            };
            Ok(BodyParts {
                link: body.link,
                pose: numbers_of(&body.pose),
                shape,
            })
        });
        let not_checked = robot.not_in_contact().into_iter().map(|shape| {
            let (link, element) = (&robot.links()[shape.link].name, shape.geometry.element());
            format!("{link}: {element}")
        });
        let description = Description {
            name: robot.name(),
            links: robot
                .links()
                .iter()
                .map(|link| link.name.as_str())
                .collect(),
            joints: self.joints(),
            bodies: bodies.collect::<Result<_, String>>()?,
            not_checked: not_checked.collect(),
            warnings: robot.warnings().iter().map(ToString::to_string).collect(),
            neutral: robot.neutral().to_vec(),
        };
        serde_json::to_string(&description).map_err(|error| error.to_string())
    }

    /// Returns the joints that can be set.
    fn joints(&self) -> Vec<JointParts<'_>> {
        let joints = self.robot.joints().iter().enumerate();
        joints
            .filter_map(|(index, joint)| {
                let numbers = self.robot.position_range(index)?;
                (!numbers.is_empty()).then(|| JointParts {
                    name: &joint.name,
                    kind: joint.kind.name(),
                    first: numbers.start,
                    count: numbers.len(),
                    range: joint.range(),
                })
            })
            .collect()
    }

    fn configuration(&self, numbers: &[f64]) -> Result<Configuration, String> {
        let made = self.robot.configuration(numbers);
        made.map_err(|error| error.to_string())
    }

    /// Returns the poses of the links, seven numbers each, in the frame of the root.
    pub fn poses(&self, numbers: &[f64]) -> Result<Vec<f64>, String> {
        let configuration = self.configuration(numbers)?;
        let poses = self.robot.forward_kinematics(&configuration);
        let poses = poses.map_err(|error| error.to_string())?;
        Ok(poses.iter().flat_map(numbers_of).collect())
    }

    /// Returns the pairs of bodies that are not proven to be farther apart than `max_distance`, closest first, with
    /// [`PAIR`] numbers each.
    pub fn clearances(&self, numbers: &[f64], max_distance: f64) -> Result<Vec<f64>, String> {
        let options = ClearanceOptions {
            max_distance,
            partial: true,
            ..ClearanceOptions::default()
        };
        let configuration = self.configuration(numbers)?;
        let found = self.robot.clearances(&configuration, &options);
        let found = found.map_err(|error| error.to_string())?;
        let place = |link, collision| {
            let place = self
                .bodies
                .iter()
                .position(|body| *body == (link, collision));
            place.map_or(f64::NAN, |place| place as f64)
        };
        let pairs = found.pairs.iter().flat_map(|pair| {
            let status = match pair.status() {
                CollisionStatus::Free => 0.0,
                CollisionStatus::Collision => 1.0,
                CollisionStatus::Undecided => 2.0,
            };
            let a = place(pair.link_a, pair.collision_a);
            let b = place(pair.link_b, pair.collision_b);
            let mut numbers = vec![a, b, status];
            numbers.extend(answer(&pair.contact));
            numbers
        });
        Ok(pairs.collect())
    }
}
