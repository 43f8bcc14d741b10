//! Robots: a URDF reader and writer with superovoid collision shapes, forward kinematics, the clearances between the
//! links of a posed robot, proven edges, and [`scene`]s of bodies and obstacles.
//!
//! Data flows one way: file → [`Robot`] → [`Configuration`] → poses → [`Clearance`]s. The crate has two modules, this one
//! and [`scene`], and no features.
//!
//! ```
//! use superovoid_robot::Robot;
//!
//! let robot = Robot::from_urdf_str(
//!     r#"<robot name="door">
//!          <link name="wall"/>
//!          <link name="leaf">
//!            <collision>
//!              <origin xyz="0.4 0 0"/>
//!              <geometry><box size="0.8 0.04 2"/></geometry>
//!              <superovoid a1="0.4" a2="0.02" a3="1" e1="0.1" e2="0.1" tx="0" ty="0"/>
//!            </collision>
//!          </link>
//!          <joint name="hinge" type="revolute">
//!            <parent link="wall"/>
//!            <child link="leaf"/>
//!            <axis xyz="0 0 1"/>
//!            <limit lower="0" upper="2" effort="10" velocity="1"/>
//!          </joint>
//!        </robot>"#,
//! )?;
//! let mut configuration = robot.neutral();
//! configuration.set("hinge", 1.5)?;
//! let poses = robot.forward_kinematics(&configuration)?;
//! assert!((poses[1].rotation.angle() - 1.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The superovoid element
//!
//! A `<superovoid>` stands beside `<geometry>` in the same `<collision>` or `<visual>`, whose
//! standard shape is the fallback that every other URDF parser sees; this is the form that
//! [`Robot::to_urdf`] writes. `<superovoid>`, `<SUPEROVOID>` and `<superellipsoid>` are also read
//! inside `<geometry>`, the form of the literature, which other parsers refuse or drop. Its
//! attributes are `a1 a2 a3` (semi-axes, metres), `e1 e2` (squareness exponents) and `tx ty`
//! (tapers, 0 when absent; a `<superellipsoid>` has none), in the frame of the `<origin>`.
//!
//! # Files that are not trusted
//!
//! For any content of a file, reading it ends in a robot or in an [`UrdfError`] with line and column. [`UrdfLimits`]
//! bound its size, depth, attributes and links; within them, time and memory are linear in the text, and a stack of
//! 256 kB is enough. The following times were measured on one core of a busy machine, without limits:
//!
//! | | 10⁴ | 10⁵ | 10⁶ |
//! | --- | --- | --- | --- |
//! | links in a chain | 20 ms | 0.28 s | 5.6 s |
//! | attributes, four on an element | 2 ms | 17 ms | 0.21 s |
//! | attributes, a hundred on an element | 5 ms | 53 ms | 0.52 s |
//! | elements within each other | 1 ms | 8 ms | 0.12 s |
//!
//! Among other things, the reader rejects: text that is not UTF-8 or not well-formed; a `<!DOCTYPE>` and with it
//! every entity but those of XML itself; xacro that is not expanded; names that are empty, used twice or do not
//! exist; numbers that are not finite, too few, too many or with a decimal comma; zero axes and crossed limits where
//! they matter; several roots, cycles, and joints that mimic each other in a cycle; and whatever bears on collision or
//! motion and is not read, such as a misspelt attribute ([`UrdfProblem::Unread`]). Names of files are read and not
//! opened, so that none is rejected for its target; see [`Geometry::Mesh`]. Known leftovers of exporters are read,
//! with a [`Warning`] where something is left out: a material without a name, a texture without a file, a `<mimic>`
//! in a fixed joint.
//!
//! An [`Srdf`] is read within the same limits, in linear time; [`Srdf::warnings`] lists names of links that a robot
//! does not have.

mod broad_phase;
mod levels;
mod poses;
mod robot;
pub mod scene;
mod sin_cos;

pub use robot::*;
