//! A figure as a robot.
//!
//! Every bone is a link of its name in the bone's frame, and `base` is a link at the root with the world's axes. A joint is a
//! chain of one-axis joints: an angle that moves is a revolute joint `NAME.x`, `NAME.y` or `NAME.z`, one that stays at a
//! value a turn in the origin of the next, and between them are links `NAME.x.link` without mass. A joint that does not
//! move at all is fixed, `NAME.fixed`. No name of a bone has a dot, so that none is taken twice.
//!
//! Mass and inertia are those of the bodies at one density, in closed form and about the common centre of mass; what
//! bodies overlap counts twice.

use crate::error::SketchError;
use crate::figure::Figure;
use crate::key::BoneId;
use crate::kinematics::Branch;
use nalgebra::{Isometry3, Matrix3, UnitQuaternion, Vector3};
use superovoid_robot::{Collision, Inertial, Joint, JointKind, Limit, Link, Origin, Robot, Visual};

const AXES: [(&str, [f64; 3]); 3] = [
    ("x", [1.0, 0.0, 0.0]),
    ("y", [0.0, 1.0, 0.0]),
    ("z", [0.0, 0.0, 1.0]),
];

/// What a robot has beside its figure.
#[derive(Clone, Debug, PartialEq)]
pub struct UrdfOptions {
    /// The name.
    pub name: String,
    /// The density of the bodies, kg/m³.
    pub density: f64,
    /// The greatest torque of every joint, N m.
    pub effort: f64,
    /// The greatest speed of every joint, rad/s.
    pub velocity: f64,
}

impl Default for UrdfOptions {
    /// The density of water, as of people; 100 N m; 10 rad/s.
    fn default() -> Self {
        UrdfOptions {
            name: "figure".to_owned(),
            density: 1000.0,
            effort: 100.0,
            velocity: 10.0,
        }
    }
}

/// Returns the robot of a figure; [`Robot::to_urdf`] is its file.
///
/// # Errors
/// The error says that the figure is none or several trees, or names the density or a bone whose mass is not a number.
pub fn to_urdf(figure: &Figure, options: &UrdfOptions) -> Result<Robot, SketchError> {
    let density = options.density;
    if !(density > 0.0 && density.is_finite()) {
        return Err(SketchError::Density(density));
    }
    let roots = figure.roots();
    let &[root] = &roots[..] else {
        return Err(SketchError::Trees(roots.len()));
    };
    let mut links = vec![Link::new("base")];
    let mut joints = Vec::new();
    for branch in figure.branches() {
        let rest = figure.rest(&branch)?;
        let (before, parent) = match branch.parent {
            None => (figure.base(root)?, "base".to_owned()),
            Some(bone) => (
                figure.rest(&figure.branch(bone)?)?,
                figure.bone(bone)?.name.clone(),
            ),
        };
        let chain = Chain {
            figure,
            options,
            branch,
        };
        chain.joints(before.inverse() * rest, parent, &mut links, &mut joints)?;
        links.push(link(figure, branch.bone, &rest, density)?);
    }
    Robot::new(&*options.name, links, joints, Vec::new())
        .map_err(|error| SketchError::Robot(error.to_string()))
}

struct Chain<'a> {
    figure: &'a Figure,
    options: &'a UrdfOptions,
    branch: Branch,
}

impl Chain<'_> {
    /// Adds the joints from the parent's link to the bone's, and the links between them.
    fn joints(
        &self,
        mut origin: Isometry3<f64>,
        mut parent: String,
        links: &mut Vec<Link>,
        joints: &mut Vec<Joint>,
    ) -> Result<(), SketchError> {
        let bone = self.figure.bone(self.branch.bone)?;
        let ranges = bone.articulation.ranges;
        let moving = |axis: &usize| ranges[*axis][0] < ranges[*axis][1];
        let Some(last) = (0..3).rev().find(moving) else {
            let turned = origin * crate::joint::rotation(bone.articulation.neutral());
            joints.push(Joint {
                origin: origin_of(&turned),
                ..Joint::new(
                    format!("{}.fixed", bone.name),
                    JointKind::Fixed,
                    parent,
                    &*bone.name,
                )
            });
            return Ok(());
        };
        // What stays turned behind the last moving joint would turn the bone's frame; a fixed joint holds it.
        let held_behind = (last + 1..3).any(|axis| ranges[axis][0] != 0.0);
        for (axis, (letter, direction)) in AXES.into_iter().enumerate() {
            let [lower, upper] = ranges[axis];
            if !moving(&axis) {
                let mut turn = [0.0; 3];
                turn[axis] = lower;
                origin *= crate::joint::rotation(turn);
                continue;
            }
            let child = if axis == last && !held_behind {
                bone.name.clone()
            } else {
                let name = format!("{}.{letter}.link", bone.name);
                links.push(Link::new(&*name));
                name
            };
            joints.push(Joint {
                origin: origin_of(&origin),
                axis: direction,
                limit: Some(Limit {
                    lower,
                    upper,
                    effort: Some(self.options.effort),
                    velocity: Some(self.options.velocity),
                }),
                ..Joint::new(
                    format!("{}.{letter}", bone.name),
                    JointKind::Revolute,
                    parent,
                    &*child,
                )
            });
            parent = child;
            origin = Isometry3::identity();
        }
        if held_behind {
            joints.push(Joint {
                origin: origin_of(&origin),
                ..Joint::new(
                    format!("{}.fixed", bone.name),
                    JointKind::Fixed,
                    parent,
                    &*bone.name,
                )
            });
        }
        Ok(())
    }
}

/// Roll, pitch and yaw one after the other, each from what the ones before have left: near a pitch of ±90°, where roll
/// and yaw share their axis, the product is as exact as elsewhere. Bones that hang have that pitch.
fn origin_of(pose: &Isometry3<f64>) -> Origin {
    let r = pose.rotation.to_rotation_matrix();
    let yaw = r[(1, 0)].atan2(r[(0, 0)]);
    let about = |axis: Vector3<f64>, angle: f64| {
        UnitQuaternion::from_scaled_axis(axis * -angle).to_rotation_matrix()
    };
    let r = about(Vector3::z(), yaw) * r;
    let pitch = (-r[(2, 0)]).atan2(r[(0, 0)]);
    let r = about(Vector3::y(), pitch) * r;
    Origin {
        xyz: pose.translation.vector.into(),
        rpy: [r[(2, 1)].atan2(r[(1, 1)]), pitch, yaw],
    }
}

fn link(
    figure: &Figure,
    bone: BoneId,
    rest: &Isometry3<f64>,
    density: f64,
) -> Result<Link, SketchError> {
    let name = &figure.bone(bone)?.name;
    let mut link = Link::new(&**name);
    let mut parts = Vec::new();
    for hitbox in figure.hitboxes().values().filter(|box_| box_.bone == bone) {
        let shape = hitbox.shape()?;
        let pose = rest.inverse() * hitbox.pose();
        let collision = Collision::from_superovoid(shape, origin_of(&pose));
        link.visuals.push(Visual {
            name: None,
            origin: collision.origin,
            geometry: collision.geometry.clone(),
            superovoid: collision.superovoid,
            material: None,
        });
        link.collisions.push(collision);
        let own = shape.mass_properties();
        let turn = pose.rotation.to_rotation_matrix();
        parts.push(Part {
            mass: density * own.volume,
            center: (pose * own.center_of_mass).coords,
            inertia: turn * (own.inertia * density) * turn.transpose(),
        });
    }
    if !parts.is_empty() {
        let inertial = together(&parts).ok_or_else(|| SketchError::Mass(name.clone()))?;
        link.inertial = Some(inertial);
    }
    Ok(link)
}

/// A body: its mass, centre of mass, and inertia about that, in the frame of the link.
struct Part {
    mass: f64,
    center: Vector3<f64>,
    inertia: Matrix3<f64>,
}

/// The sum of bodies by the parallel axis theorem: about the common centre each adds m (|r|² 1 − r rᵀ).
fn together(parts: &[Part]) -> Option<Inertial> {
    let mass: f64 = parts.iter().map(|part| part.mass).sum();
    let weighted = parts.iter().map(|part| part.center * part.mass);
    let center = weighted.sum::<Vector3<f64>>() / mass;
    let mut inertia = Matrix3::zeros();
    for part in parts {
        let r = part.center - center;
        let shifted = Matrix3::identity() * r.norm_squared() - r * r.transpose();
        inertia += part.inertia + shifted * part.mass;
    }
    let moments = [
        inertia[(0, 0)],
        inertia[(0, 1)],
        inertia[(0, 2)],
        inertia[(1, 1)],
        inertia[(1, 2)],
        inertia[(2, 2)],
    ];
    let principal = [moments[0], moments[3], moments[5]];
    let finite = moments.iter().chain(&center).all(|x| x.is_finite());
    let positive = mass > 0.0 && principal.iter().all(|x| *x > 0.0);
    (finite && positive && mass.is_finite()).then_some(Inertial {
        origin: Origin {
            xyz: center.into(),
            ..Origin::default()
        },
        mass,
        inertia: moments,
    })
}
