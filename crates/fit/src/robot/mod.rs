//! A robot's collision shapes to superovoids, in the text of its URDF.
//!
//! The text is edited at the collisions and nowhere else. A mesh becomes one superovoid or several, each in a
//! collision of its own, whose origin is that of the body and whose standard shape is a [`Fallback`]. A sphere,
//! box or cylinder gets its superovoid at its side: the origins are the same, so that it remains what other
//! programs see.

mod address;
mod convert;
mod document;
mod error;
mod fallback;
mod fitted;
mod keep_free;
mod kept;
mod meshes;
mod packages;
mod path_problem;
mod paths;
mod primitive;

pub use error::{FitProblem, FitRobotError};
pub use fallback::Fallback;
pub use fitted::{Choice, FittedRobot, RobotBody, RobotOptions, RobotProgress, Untouched};
pub use kept::{KeepFree, KeptFree, LostPair, PairDistance, Raised};
pub use meshes::{LoadedRobot, MeshProblem, load_collision_meshes};
pub use path_problem::PathProblem;

use convert::{Converted, Work};
use paths::Folders;
use std::path::Path;
use superovoid_robot::Robot;

/// Puts superovoids beside the collision shapes of a robot, in the text of its URDF file.
///
/// The rest of the text stays as it is, byte for byte. Meshes of the same file and scale are fitted once. With
/// [`Aim::Enclosing`](crate::Aim::Enclosing) and a convex family the written superovoids hold every vertex of the meshes and the whole
/// standard shapes, in spite of the rounding of their poses.
///
/// Mesh files are read as [`read_robot_mesh`](crate::read_robot_mesh) does, and only from the folder of the URDF, the package paths, and
/// what is in them, and the package that the URDF is in; a name that leads elsewhere is an error.
///
/// # Errors
/// A URDF that [`Robot::from_urdf_file`] refuses, a mesh that may not or cannot be read, and one that nothing can be
/// fitted to. The first of them ends the work. With [`RobotOptions::keep_free`] also the pairs that no allowed number of bodies keeps
/// free.
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
    // A byte order mark is no part of what the parser takes, and an XML declaration must be at the beginning.
    let all = &text[..];
    let text = all.strip_prefix(BYTE_ORDER_MARK).unwrap_or(all);
    let text = Some(text.trim_ascii_start())
        .filter(|t| t.starts_with("<?xml "))
        .unwrap_or(text);
    let mark = &all[..all.len() - text.len()];
    // The same text has just been read as a robot.
    let places = document::places(text).unwrap_or_default();
    let folders = Folders::new(path, &options.package_paths)?;
    let mut work = Work::new(options, &robot, &places, folders);
    let written = |converted: &Converted| {
        let urdf = mark.to_owned() + &document::edited(text, &places, &converted.entries);
        let read_back = Robot::from_urdf_str_with(&urdf, &options.urdf_limits);
        Ok((urdf, read_back.map_err(FitRobotError::Edited)?))
    };
    let (converted, urdf, kept) = match &options.keep_free {
        None => {
            let converted = work.converted()?;
            let (urdf, _) = written(&converted)?;
            (converted, urdf, None)
        }
        Some(keep) => {
            let (converted, urdf, kept) = keep_free::converted(keep, &mut work, written)?;
            (converted, urdf, Some(kept))
        }
    };
    Ok(FittedRobot {
        urdf,
        kept,
        bodies: converted.bodies,
        choices: converted.choices,
        untouched: converted.untouched,
        robot,
    })
}

const BYTE_ORDER_MARK: &str = "\u{feff}";
