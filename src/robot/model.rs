//! The robot: what a URDF file says, as plain values.
//!
//! Every part keeps the numbers of the file as they were written (roll, pitch and yaw rather than
//! a quaternion, an axis that is not normalised), so that reading and writing lose nothing.

use crate::Superovoid;
use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};

/// A position and an orientation as URDF writes them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin {
    /// Translation, metres.
    pub xyz: [f64; 3],
    /// Roll, pitch and yaw, radians: rotations about the fixed x, then y, then z axis, so
    /// `R = Rz(yaw) Ry(pitch) Rx(roll)`.
    pub rpy: [f64; 3],
}

impl Origin {
    /// The pose as an isometry.
    pub fn isometry(&self) -> Isometry3<f64> {
        let [roll, pitch, yaw] = self.rpy;
        Isometry3::from_parts(
            Translation3::from(self.xyz),
            UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        )
    }

    /// The origin of a pose. At a pitch of ±π/2, where roll and yaw turn about the same axis, one
    /// of the equal triples is returned.
    pub fn from_isometry(pose: &Isometry3<f64>) -> Self {
        let (roll, pitch, yaw) = pose.rotation.euler_angles();
        Origin {
            xyz: pose.translation.vector.into(),
            rpy: [roll, pitch, yaw],
        }
    }
}

/// A shape that URDF knows, or a foreign one kept as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// `<sphere>`.
    Sphere {
        /// Metres.
        radius: f64,
    },
    /// `<box>`.
    Box {
        /// Full edge lengths along x, y and z, metres.
        size: [f64; 3],
    },
    /// `<cylinder>`, along z.
    Cylinder {
        /// Metres.
        radius: f64,
        /// Metres.
        length: f64,
    },
    /// `<capsule>`, along z.
    Capsule {
        /// Metres.
        radius: f64,
        /// Of the cylindrical part, metres.
        length: f64,
    },
    /// `<mesh>`; the file is not opened.
    Mesh {
        /// As written: a path or a `package://` address, which may lead anywhere. Whoever opens it
        /// must see to it that `..` and absolute paths of a file that is not trusted stay where
        /// they may.
        filename: String,
        /// Along x, y and z.
        scale: [f64; 3],
    },
    /// An element inside `<geometry>` that is none of these.
    Other(OtherGeometry),
}

impl Geometry {
    /// A sphere about the origin of `shape` that encloses it: the fallback for parsers that do
    /// not know superovoids.
    pub fn enclosing_sphere(shape: &Superovoid) -> Self {
        Geometry::Sphere {
            radius: shape.outer_radius,
        }
    }

    /// The name of its element: `sphere`, `mesh`, …
    pub fn element(&self) -> &str {
        match self {
            Geometry::Sphere { .. } => "sphere",
            Geometry::Box { .. } => "box",
            Geometry::Cylinder { .. } => "cylinder",
            Geometry::Capsule { .. } => "capsule",
            Geometry::Mesh { .. } => "mesh",
            Geometry::Other(other) => &other.element,
        }
    }
}

/// A geometry element that URDF does not define, kept by name and attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherGeometry {
    pub(super) element: String,
    /// That of its prefix, if it has one, or its own.
    pub(super) namespace: Option<String>,
    pub(super) attributes: Vec<(String, String)>,
}

impl OtherGeometry {
    /// The name of the element, with its prefix.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// The namespace of the element, unless it is that of the robot.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Its attributes, in the order of the file.
    pub fn attributes(&self) -> &[(String, String)] {
        &self.attributes
    }
}

/// A `<collision>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// Optional name.
    pub name: Option<String>,
    /// Pose in the frame of the link, of the geometry and of the superovoid.
    pub origin: Origin,
    /// The standard shape; beside a superovoid, its fallback.
    pub geometry: Geometry,
    /// The exact shape.
    pub superovoid: Option<Superovoid>,
}

impl Collision {
    /// A superovoid with an enclosing sphere as its fallback.
    pub fn from_superovoid(shape: Superovoid, origin: Origin) -> Self {
        Collision {
            name: None,
            origin,
            geometry: Geometry::enclosing_sphere(&shape),
            superovoid: Some(shape),
        }
    }

    /// The shape that takes part in contact: the superovoid, or else a sphere, which is one;
    /// `None` for every other geometry, which is not approximated unasked.
    pub fn contact_shape(&self) -> Option<Superovoid> {
        match (self.superovoid, &self.geometry) {
            (Some(shape), _) => Some(shape),
            (None, Geometry::Sphere { radius }) => Superovoid::sphere(*radius).ok(),
            (None, _) => None,
        }
    }
}

/// A `<visual>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// Optional name.
    pub name: Option<String>,
    /// Pose in the frame of the link, of the geometry and of the superovoid.
    pub origin: Origin,
    /// The standard shape; beside a superovoid, its fallback.
    pub geometry: Geometry,
    /// The exact shape.
    pub superovoid: Option<Superovoid>,
    /// Colour and texture, or the name of a material of the robot.
    pub material: Option<Material>,
}

/// A `<material>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name; may be empty.
    pub name: String,
    /// Red, green, blue and opacity, each from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// File name of a texture.
    pub texture: Option<String>,
}

/// An `<inertial>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// Centre of mass and inertia axes in the frame of the link.
    pub origin: Origin,
    /// Kilograms.
    pub mass: f64,
    /// `ixx, ixy, ixz, iyy, iyz, izz`, kg m².
    pub inertia: [f64; 6],
}

impl Inertial {
    /// The attributes of `<inertia>`, in the order of the field `inertia`.
    pub(super) const MOMENTS: [&str; 6] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
}

/// A `<link>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Its name, unique among links.
    pub name: String,
    /// Mass and inertia.
    pub inertial: Option<Inertial>,
    /// Shapes for looks.
    pub visuals: Vec<Visual>,
    /// Shapes for contact.
    pub collisions: Vec<Collision>,
}

impl Link {
    /// A link with nothing on it.
    pub fn new(name: impl Into<String>) -> Self {
        Link {
            name: name.into(),
            inertial: None,
            visuals: Vec::new(),
            collisions: Vec::new(),
        }
    }
}

/// The six types of joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// No motion.
    Fixed,
    /// Rotation about the axis within limits.
    Revolute,
    /// Rotation about the axis without limits.
    Continuous,
    /// Translation along the axis within limits.
    Prismatic,
    /// All six degrees of freedom.
    Floating,
    /// Motion in the plane normal to the axis.
    Planar,
}

impl JointKind {
    pub(super) const ALL: [JointKind; 6] = [
        JointKind::Fixed,
        JointKind::Revolute,
        JointKind::Continuous,
        JointKind::Prismatic,
        JointKind::Floating,
        JointKind::Planar,
    ];

    /// The name in a file: `fixed`, `revolute`, …
    pub fn name(self) -> &'static str {
        match self {
            JointKind::Fixed => "fixed",
            JointKind::Revolute => "revolute",
            JointKind::Continuous => "continuous",
            JointKind::Prismatic => "prismatic",
            JointKind::Floating => "floating",
            JointKind::Planar => "planar",
        }
    }

    /// Whether its position is one number.
    pub fn has_one_freedom(self) -> bool {
        matches!(
            self,
            JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic
        )
    }

    /// Whether the axis matters.
    pub fn uses_axis(self) -> bool {
        self.has_one_freedom() || self == JointKind::Planar
    }

    /// Whether its position has a lower and an upper limit.
    pub fn has_range(self) -> bool {
        matches!(self, JointKind::Revolute | JointKind::Prismatic)
    }
}

/// A `<limit>`. Angles are radians (revolute), lengths metres (prismatic).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// Least position; 0 when absent, without meaning unless [`JointKind::has_range`].
    pub lower: f64,
    /// Greatest position; 0 when absent, without meaning unless [`JointKind::has_range`].
    pub upper: f64,
    /// Greatest torque (N m) or force (N).
    pub effort: Option<f64>,
    /// Greatest speed, rad/s or m/s.
    pub velocity: Option<f64>,
}

/// A `<mimic>`: the position is `multiplier` times that of another joint, plus `offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// The joint that is followed.
    pub joint: String,
    /// 1 when absent.
    pub multiplier: f64,
    /// 0 when absent; radians or metres.
    pub offset: f64,
}

/// A `<dynamics>`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// N m s/rad or N s/m; 0 when absent.
    pub damping: f64,
    /// N m or N; 0 when absent.
    pub friction: f64,
}

/// A `<safety_controller>`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SafetyController {
    /// Radians or metres; 0 when absent.
    pub soft_lower_limit: f64,
    /// Radians or metres; 0 when absent.
    pub soft_upper_limit: f64,
    /// Gain from position to velocity limits; 0 when absent.
    pub k_position: f64,
    /// Gain from velocity to effort limits.
    pub k_velocity: f64,
}

/// A `<calibration>`: positions of the reference edges, radians or metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// Of the rising edge.
    pub rising: Option<f64>,
    /// Of the falling edge.
    pub falling: Option<f64>,
}

/// A `<joint>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Its name, unique among joints.
    pub name: String,
    /// Its type.
    pub kind: JointKind,
    /// Name of the link that it stands on.
    pub parent: String,
    /// Name of the link that it moves.
    pub child: String,
    /// Pose of the joint in the parent's frame; at position zero it is the child's frame.
    pub origin: Origin,
    /// Axis in the joint's frame as written, of any length; `[1, 0, 0]` when absent.
    pub axis: [f64; 3],
    /// Limits; revolute and prismatic joints must have them.
    pub limit: Option<Limit>,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
    /// Damping and friction.
    pub dynamics: Option<Dynamics>,
    /// Soft limits.
    pub safety_controller: Option<SafetyController>,
    /// Reference positions.
    pub calibration: Option<Calibration>,
}

impl Joint {
    /// A joint at the parent's origin about or along x, with nothing else set.
    pub fn new(
        name: impl Into<String>,
        kind: JointKind,
        parent: impl Into<String>,
        child: impl Into<String>,
    ) -> Self {
        Joint {
            name: name.into(),
            kind,
            parent: parent.into(),
            child: child.into(),
            origin: Origin::default(),
            axis: [1.0, 0.0, 0.0],
            limit: None,
            mimic: None,
            dynamics: None,
            safety_controller: None,
            calibration: None,
        }
    }

    /// The axis at unit length; `None` if it is zero or not finite.
    pub fn unit_axis(&self) -> Option<Unit<Vector3<f64>>> {
        let axis = Vector3::from(self.axis);
        // Scaled first, so that squares neither overflow nor vanish. `max` would pass over NaN.
        let scaled = axis / axis.amax();
        scaled
            .iter()
            .all(|x| x.is_finite())
            .then(|| Unit::new_normalize(scaled))
    }

    /// Least and greatest position, for the types that have them.
    pub fn range(&self) -> Option<[f64; 2]> {
        let limit = self.limit.filter(|_| self.kind.has_range())?;
        Some([limit.lower, limit.upper])
    }
}

/// Something in a file that the model does not hold, and that [`Robot::to_urdf`](super::Robot::to_urdf) therefore does
/// not write; or something that was read in a form other than the one written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// What it is, for example `<gazebo> in <robot> is not part of the model`.
    pub message: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "line {}, column {}: {}",
            self.line, self.column, self.message
        )
    }
}

/// A collision shape that takes part in contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactBody {
    /// Index into [`Robot::links`](super::Robot::links).
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// Its shape.
    pub shape: Superovoid,
    /// Its pose in the frame of the link.
    pub pose: Isometry3<f64>,
}

/// A collision shape that does not take part in contact because it is not a superovoid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NotInContact<'a> {
    /// Index into [`Robot::links`](super::Robot::links).
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// Its shape.
    pub geometry: &'a Geometry,
}
