//! A robot's collision shapes to superovoids, in the text of its URDF.
//!
//! The text is edited at the collisions and nowhere else. A mesh becomes one superovoid or several, each in a
//! collision of its own, whose origin is that of the body and whose standard shape is a [`Fallback`]. A sphere,
//! box or cylinder gets its superovoid at its side: the origins are the same, so that it remains what other
//! programs see.

mod convert;
mod document;
mod error;
mod fallback;
mod paths;
mod primitive;

pub use error::{FitProblem, FitRobotError};
pub use fallback::Fallback;
pub use paths::PathProblem;

use crate::{Fit, PartsOptions, ReadLimits, Report};
use convert::Work;
use paths::Folders;
use std::path::{Path, PathBuf};
use superovoid::robot::{Geometry, Robot, UrdfLimits};

/// What [`fit_robot`] is asked for.
#[derive(Clone)]
pub struct RobotOptions<'a> {
    /// How meshes are fitted. By default a mesh becomes one body (`most` is 1). The aim is that of boxes and
    /// cylinders too.
    pub parts: PartsOptions<'a>,
    /// Exponent of the edges of boxes and cylinders, from 0.004 (sharp) to 1; default 0.02, with
    /// which contact queries take hardly longer than with rounder edges.
    pub edge_exponent: f64,
    /// What other programs see in place of a mesh.
    pub fallback: Fallback,
    /// Folders that are packages or hold packages; with the folder of the URDF, all from which files are read.
    pub package_paths: Vec<PathBuf>,
    /// Limits on each mesh file.
    pub mesh_limits: ReadLimits,
    /// Limits on the URDF file.
    pub urdf_limits: UrdfLimits,
    /// Called before each collision; ends the work with [`FitRobotError::Cancelled`] when it returns false.
    pub progress: Option<&'a dyn Fn(RobotProgress) -> bool>,
}

impl Default for RobotOptions<'_> {
    fn default() -> Self {
        RobotOptions {
            parts: PartsOptions {
                most: 1,
                ..PartsOptions::default()
            },
            edge_exponent: 0.02,
            fallback: Fallback::default(),
            package_paths: Vec::new(),
            mesh_limits: ReadLimits::default(),
            urdf_limits: UrdfLimits::default(),
            progress: None,
        }
    }
}

/// How far a robot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobotProgress<'a> {
    /// The link whose collision is next.
    pub link: &'a str,
    /// Collisions done.
    pub done: usize,
    /// All of them.
    pub steps: usize,
}

/// A robot with superovoids.
#[derive(Clone, Debug)]
pub struct FittedRobot {
    /// The model as it was read.
    pub robot: Robot,
    /// The text with superovoids in it.
    pub urdf: String,
    /// The superovoids, in the order of the text.
    pub bodies: Vec<RobotBody>,
    /// Collisions that stay as they are.
    pub untouched: Vec<Untouched>,
}

/// A superovoid of a robot.
#[derive(Clone, Debug)]
pub struct RobotBody {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions, as they were read.
    pub collision: usize,
    /// The body and its pose in the frame of the link, to the bit as the text has them.
    pub fit: Fit,
    /// How well it follows what it stands for: the hull of the mesh, or of the part of it, or the standard shape.
    pub report: Report,
    /// What other programs see.
    pub fallback: Geometry,
    /// Whether an earlier collision has the same mesh and scale, so that its fit was taken; its time is then 0.
    pub repeated: bool,
}

/// A collision that stays as it is: it has a superovoid, or its geometry is of a kind that is not converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untouched {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// Whether it has a superovoid already.
    pub has_superovoid: bool,
}

/// Puts superovoids beside the collision shapes of a robot, in the text of its URDF file.
///
/// The rest of the text stays as it is, byte for byte. Meshes of the same file and scale are fitted once. With
/// [`Aim::Enclosing`](crate::Aim::Enclosing) and a convex family the written superovoids hold every vertex of the meshes and the whole
/// standard shapes, in spite of the rounding of their poses.
///
/// Mesh files are read as [`read_robot_mesh`](crate::read_robot_mesh) does, and only from the folder of the URDF, the package paths, and
/// what is in them; a name that leads elsewhere is an error.
///
/// # Errors
/// A URDF that [`Robot::from_urdf_file`] refuses, a mesh that may not or cannot be read, and one that nothing can be
/// fitted to. The first of them ends the work.
///
/// ```no_run
/// use superovoid_fit::{Aim, RobotOptions, fit_robot};
///
/// let mut options = RobotOptions::default();
/// options.parts.mesh.fit.aim = Aim::Enclosing;
/// options.package_paths = vec!["ros/src".into()];
/// let fitted = fit_robot("ros/src/arm_description/arm.urdf", &options)?;
/// std::fs::write("arm_superovoid.urdf", &fitted.urdf)?;
/// for body in &fitted.bodies {
///     let link = &fitted.robot.links()[body.link].name;
///     println!("{link}: {:.1} mm", 1e3 * body.report.mesh_to_body.rms);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit_robot(
    path: impl AsRef<Path>,
    options: &RobotOptions,
) -> Result<FittedRobot, FitRobotError> {
    let path = path.as_ref();
    let value = options.edge_exponent;
    if !(0.004..=1.0).contains(&value) {
        return Err(FitRobotError::Exponent { value });
    }
    let (robot, text) = Robot::from_urdf_file_with_text(path, &options.urdf_limits)?;
    // A byte order mark is no part of what the parser takes.
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", &text[..]),
    };
    // The same text has just been read as a robot.
    let places = document::places(text).unwrap_or_default();
    let folders = Folders::new(path, &options.package_paths)?;
    let converted = Work::new(options, &robot, &places, folders).converted()?;
    let urdf = mark.to_owned() + &document::edited(text, &places, &converted.entries);
    let read_back = Robot::from_urdf_str_with(&urdf, &options.urdf_limits);
    read_back.map_err(FitRobotError::Edited)?;
    Ok(FittedRobot {
        urdf,
        bodies: converted.bodies,
        untouched: converted.untouched,
        robot,
    })
}

const BYTE_ORDER_MARK: &str = "\u{feff}";
