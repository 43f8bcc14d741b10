//! The parts of a robot, as a URDF file describes them, in plain values.
//!
//! Every part keeps the numbers of the file as they were written (roll, pitch and yaw, an axis that
//! is not normalised), so that reading and writing lose nothing; a quaternion alone becomes roll,
//! pitch and yaw, to rounding.

use nalgebra::{Isometry3, Translation3, Unit, UnitQuaternion, Vector3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use superovoid::convex::ConvexShape;
use superovoid::{Shape, Superovoid};

/// A position and an orientation in the form of URDF.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Origin {
    /// The translation, metres.
    pub xyz: [f64; 3],
    /// The roll, pitch and yaw, radians: rotations about the fixed x, then y, then z axis, so `R = Rz(yaw) Ry(pitch)
    /// Rx(roll)`.
    pub rpy: [f64; 3],
}

impl Origin {
    /// Returns the pose as an isometry.
    pub fn isometry(&self) -> Isometry3<f64> {
        let [roll, pitch, yaw] = self.rpy;
        Isometry3::from_parts(
            Translation3::from(self.xyz),
            UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        )
    }

    /// Returns the origin of a pose, whose isometry is the pose to a few roundings. At a pitch of ±π/2, where roll and
    /// yaw turn about the same axis, it is one of the equal triples.
    pub fn from_isometry(pose: &Isometry3<f64>) -> Self {
        Origin {
            xyz: pose.translation.vector.into(),
            rpy: roll_pitch_yaw(&pose.rotation),
        }
    }
}

/// Returns the angles of a rotation `Rz(yaw) Ry(pitch) Rx(roll)`.
///
/// With c and s the cosine and sine of half the pitch, and |pitch| ≤ π/2, so that c ± s ≥ 0, the product of the three
/// quaternions is
///
/// ```text
/// w + y = (c + s) cos((yaw − roll)/2)     w − y = (c − s) cos((yaw + roll)/2)
/// z − x = (c + s) sin((yaw − roll)/2)     z + x = (c − s) sin((yaw + roll)/2)
/// (c + s) / (c − s) = tan(pitch/2 + π/4)
/// ```
///
/// An arcsine would lose half the digits near a pitch of ±π/2. Here whichever of the two half-angles is uncertain there
/// has no effect on the rotation.
fn roll_pitch_yaw(rotation: &UnitQuaternion<f64>) -> [f64; 3] {
    let q = rotation.quaternion();
    let (x, y, z, w) = (q.i, q.j, q.k, q.w);
    let [cos_less, sin_less] = [w + y, z - x];
    let [cos_more, sin_more] = [w - y, z + x];
    let less = sin_less.atan2(cos_less);
    let more = sin_more.atan2(cos_more);
    let [plus, minus] = [cos_less.hypot(sin_less), cos_more.hypot(sin_more)];
    let pitch = 2.0 * plus.atan2(minus) - FRAC_PI_2;
    let within = |angle: f64| match angle {
        _ if angle > PI => angle - TAU,
        _ if angle < -PI => angle + TAU,
        _ => angle,
    };
    [within(more - less), pitch, within(more + less)]
}

/// A shape of URDF, or a foreign one kept as it was written.
#[derive(Clone, Debug, PartialEq)]
pub enum Geometry {
    /// A `<sphere>`.
    Sphere {
        /// The radius, metres.
        radius: f64,
    },
    /// A `<box>`.
    Box {
        /// The full edge lengths along x, y and z, metres.
        size: [f64; 3],
    },
    /// A `<cylinder>`, along z.
    Cylinder {
        /// The radius, metres.
        radius: f64,
        /// The length, metres.
        length: f64,
    },
    /// A `<capsule>`, along z.
    Capsule {
        /// The radius, metres.
        radius: f64,
        /// The length of the cylindrical part, metres; of length 0 it is a ball.
        length: f64,
    },
    /// A `<mesh>`; the file is not opened.
    Mesh {
        /// The file name as written: a path or a `package://` address, which may lead anywhere. A program that opens
        /// it must make sure that `..` and absolute paths of a file that is not trusted stay in permitted places.
        filename: String,
        /// The scale along x, y and z.
        scale: [f64; 3],
    },
    /// An element inside the `<geometry>` of a `<visual>` that is none of these; in a `<collision>` it is an error.
    Other(OtherGeometry),
}

impl Geometry {
    /// Returns a sphere about the origin of `shape` that encloses it: the fallback for parsers that do not know
    /// superovoids.
    pub fn enclosing_sphere(shape: &Superovoid) -> Self {
        Geometry::Sphere {
            radius: shape.outer_radius(),
        }
    }

    /// Returns the name of its element: `sphere`, `mesh`, …
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
    /// The namespace of its prefix, if it has one, or its own.
    pub(super) namespace: Option<String>,
    pub(super) attributes: Vec<(String, String)>,
}

impl OtherGeometry {
    /// Returns the name of the element, with its prefix.
    pub fn element(&self) -> &str {
        &self.element
    }

    /// Returns the namespace of the element, unless it is that of the robot.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Returns its attributes, in the order of the file.
    pub fn attributes(&self) -> &[(String, String)] {
        &self.attributes
    }
}

/// A `<collision>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collision {
    /// The optional name.
    pub name: Option<String>,
    /// The pose in the frame of the link, of the geometry and of the superovoid.
    pub origin: Origin,
    /// The standard shape; next to a superovoid it is the fallback.
    pub geometry: Geometry,
    /// The exact shape.
    pub superovoid: Option<Superovoid>,
}

impl Collision {
    /// Makes a collision from a superovoid, with an enclosing sphere as its fallback.
    pub fn from_superovoid(shape: Superovoid, origin: Origin) -> Self {
        Collision {
            name: None,
            origin,
            geometry: Geometry::enclosing_sphere(&shape),
            superovoid: Some(shape),
        }
    }

    /// Returns what is compared with other bodies: the superovoid, or else the standard shape as it is; `None` for a
    /// mesh, whose file is not opened (see [`Robot::with_meshes`](super::Robot::with_meshes)), and for a geometry that
    /// URDF does not define.
    pub fn collision_shape(&self) -> Option<Shape> {
        if let Some(shape) = self.contact_shape() {
            return Some(shape.into());
        }
        let made = match &self.geometry {
            Geometry::Box { size } => ConvexShape::cuboid(size.map(|length| 0.5 * length)),
            Geometry::Cylinder { radius, length } => ConvexShape::cylinder(*radius, *length),
            Geometry::Capsule { radius, length } => ConvexShape::capsule(*radius, *length),
            Geometry::Sphere { .. } | Geometry::Mesh { .. } | Geometry::Other(_) => return None,
        };
        made.ok().map(Into::into)
    }

    /// Returns the superovoid, or else a sphere or a capsule of length 0 as a superovoid; `None` for every other
    /// geometry.
    pub fn contact_shape(&self) -> Option<Superovoid> {
        match (self.superovoid, &self.geometry) {
            (Some(shape), _) => Some(shape),
            (None, Geometry::Sphere { radius }) => Superovoid::sphere(*radius).ok(),
            (None, Geometry::Capsule { radius, length }) if *length == 0.0 => {
                Superovoid::sphere(*radius).ok()
            }
            (None, _) => None,
        }
    }
}

/// A `<visual>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// The optional name.
    pub name: Option<String>,
    /// The pose in the frame of the link, of the geometry and of the superovoid.
    pub origin: Origin,
    /// The standard shape; next to a superovoid it is the fallback.
    pub geometry: Geometry,
    /// The exact shape.
    pub superovoid: Option<Superovoid>,
    /// The colour and texture, or the name of a material of the robot.
    pub material: Option<Material>,
}

/// A `<material>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name, which may be empty.
    pub name: String,
    /// The red, green, blue and opacity, each from 0 to 1.
    pub color: Option<[f64; 4]>,
    /// The file name of a texture.
    pub texture: Option<String>,
}

/// An `<inertial>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertial {
    /// The centre of mass and the inertia axes in the frame of the link.
    pub origin: Origin,
    /// The mass, kilograms.
    pub mass: f64,
    /// The inertia `ixx, ixy, ixz, iyy, iyz, izz`, kg m².
    pub inertia: [f64; 6],
}

impl Inertial {
    /// The attributes of `<inertia>`, in the order of the field `inertia`.
    pub(super) const MOMENTS: [&str; 6] = ["ixx", "ixy", "ixz", "iyy", "iyz", "izz"];
}

/// A `<link>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// The name, unique among links.
    pub name: String,
    /// The mass and inertia.
    pub inertial: Option<Inertial>,
    /// The shapes that are shown.
    pub visuals: Vec<Visual>,
    /// The shapes that take part in collision.
    pub collisions: Vec<Collision>,
}

impl Link {
    /// Makes a link without any shape.
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
    /// The joint has no motion.
    Fixed,
    /// The joint rotates about the axis within limits.
    Revolute,
    /// The joint rotates about the axis without limits.
    Continuous,
    /// The joint translates along the axis within limits.
    Prismatic,
    /// The joint has all six degrees of freedom.
    Floating,
    /// The joint moves in the plane normal to the axis.
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

    /// Returns the name in a file: `fixed`, `revolute`, …
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

/// A `<limit>`. Positions are in radians (revolute) or metres (prismatic). A lower limit above the upper one means that
/// there is none, as in Bullet.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limit {
    /// The least position; 0 when absent, without meaning unless [`JointKind::has_range`].
    pub lower: f64,
    /// The greatest position; 0 when absent, without meaning unless [`JointKind::has_range`].
    pub upper: f64,
    /// The greatest torque (N m) or force (N).
    pub effort: Option<f64>,
    /// The greatest speed, rad/s or m/s.
    pub velocity: Option<f64>,
}

/// A `<mimic>`: the position is `multiplier` times that of another joint, plus `offset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mimic {
    /// The joint that is followed.
    pub joint: String,
    /// The factor; 1 when absent.
    pub multiplier: f64,
    /// The offset, radians or metres; 0 when absent.
    pub offset: f64,
}

/// A `<dynamics>`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// The damping, N m s/rad or N s/m; 0 when absent.
    pub damping: f64,
    /// The friction, N m or N; 0 when absent.
    pub friction: f64,
}

/// A `<safety_controller>`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SafetyController {
    /// The soft lower limit, radians or metres; 0 when absent.
    pub soft_lower_limit: f64,
    /// The soft upper limit, radians or metres; 0 when absent.
    pub soft_upper_limit: f64,
    /// The gain from position to velocity limits; 0 when absent.
    pub k_position: f64,
    /// The gain from velocity to effort limits.
    pub k_velocity: f64,
}

/// A `<calibration>`: positions of the reference edges, radians or metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Calibration {
    /// The position of the rising edge.
    pub rising: Option<f64>,
    /// The position of the falling edge.
    pub falling: Option<f64>,
}

/// A `<joint>`.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name, unique among joints.
    pub name: String,
    /// The type.
    pub kind: JointKind,
    /// The name of the parent link.
    pub parent: String,
    /// The name of the child link, which the joint moves.
    pub child: String,
    /// The pose of the joint in the parent's frame; at position zero it is the child's frame.
    pub origin: Origin,
    /// The axis in the joint's frame as written, of any length; `[1, 0, 0]` when absent.
    pub axis: [f64; 3],
    /// The limits; revolute and prismatic joints must have them.
    pub limit: Option<Limit>,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
    /// The damping and friction.
    pub dynamics: Option<Dynamics>,
    /// The soft limits.
    pub safety_controller: Option<SafetyController>,
    /// The reference positions.
    pub calibration: Option<Calibration>,
}

impl Joint {
    /// Makes a joint at the parent's origin about or along x, with nothing else set.
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

    /// Returns the axis at unit length; `None` if it is zero or not finite.
    pub fn unit_axis(&self) -> Option<Unit<Vector3<f64>>> {
        let axis = Vector3::from(self.axis);
        // The axis is scaled first, so that squares neither overflow nor vanish. `max` would ignore NaN.
        let scaled = axis / axis.amax();
        scaled
            .iter()
            .all(|x| x.is_finite())
            .then(|| Unit::new_normalize(scaled))
    }

    /// Returns the least and greatest position, for the types that have them; `None` where the limits are reversed.
    pub fn range(&self) -> Option<[f64; 2]> {
        let limit = self.limit.filter(|_| self.kind.has_range())?;
        (limit.lower <= limit.upper).then_some([limit.lower, limit.upper])
    }
}

/// A warning of the reader: something in a file that the model does not hold, and that
/// [`Robot::to_urdf`](super::Robot::to_urdf) therefore does not write; or something that was read in a form other
/// than the one written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// The text, for example `<gazebo> in <robot> is not part of the model`. Nothing that bears on collision is only
    /// warned of.
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

/// A collision shape that is a superovoid or a sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SuperovoidBody {
    /// The index into [`Robot::links`](super::Robot::links).
    pub link: usize,
    /// The index into the link's collisions.
    pub collision: usize,
    /// The shape.
    pub shape: Superovoid,
    /// The pose in the frame of the link.
    pub pose: Isometry3<f64>,
}

/// A collision shape that is not checked: a mesh that was not loaded, or a geometry that URDF does not define.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct UncheckedCollision<'a> {
    /// The index into [`Robot::links`](super::Robot::links).
    pub link: usize,
    /// The index into the link's collisions.
    pub collision: usize,
    /// The shape.
    pub geometry: &'a Geometry,
}
