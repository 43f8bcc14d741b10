//! Why a robot is not fitted.

use super::kept::LostPair;
use super::path_problem::PathProblem;
use crate::{FitError, MeshError, ReadError, ReportedError};
use std::path::PathBuf;
use superovoid::{QueryError, ShapeError};
use superovoid_robot::scene::RobotSceneError;
use superovoid_robot::{ConfigurationError, UrdfError};

/// Why a robot got no superovoids. Links and collisions are named, these by their number in the link, from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitRobotError {
    /// The URDF file is refused.
    #[error(transparent)]
    Urdf(#[from] UrdfError),
    /// A folder of files that may be read is not there.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder of the URDF or a package path.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// The name of a mesh leads to no file that may be read.
    #[error("link {link:?}, collision {collision}: the mesh {filename:?} {problem}")]
    Path {
        /// Name of the link.
        link: String,
        /// Number of the collision.
        collision: usize,
        /// As the URDF has it.
        filename: String,
        /// What is wrong with it.
        problem: PathProblem,
    },
    /// A mesh file cannot be read as a mesh.
    #[error("link {link:?}, collision {collision}: {problem}")]
    Read {
        /// Name of the link.
        link: String,
        /// Number of the collision.
        collision: usize,
        /// What is wrong, with the name of the file.
        problem: ReadError,
    },
    /// A mesh, its scale or a standard shape that no superovoid can be fitted to.
    #[error("link {link:?}, collision {collision}: {what}: {problem}")]
    Fit {
        /// Name of the link.
        link: String,
        /// Number of the collision.
        collision: usize,
        /// The mesh file, or the element of the shape.
        what: String,
        /// What is wrong.
        problem: FitProblem,
    },
    /// The exponent of edges is out of its domain.
    #[error("the exponent of edges is {value}: it must be at least 0.004 and at most 1")]
    Exponent {
        /// The value that was refused.
        value: f64,
    },
    /// The file with the superovoids in it is beyond the limits of what is read.
    #[error("the file with superovoids: {0}")]
    Edited(UrdfError),
    /// Pairs of links that are free as they are would not stay free.
    #[error(
        "with up to {most} bodies a mesh these pairs do not stay free: {}",
        pairs.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    )]
    Lost {
        /// The largest number of bodies for a mesh.
        most: u32,
        /// The pairs, each in the worst pose.
        pairs: Vec<LostPair>,
    },
    /// The scene whose pairs are to stay free has another robot.
    #[error("the scene to keep free has another link {link:?}, or other collisions of it")]
    OtherRobot {
        /// The first link that differs.
        link: String,
    },
    /// A pose of another robot.
    #[error("pose {pose:?}: {problem}")]
    Pose {
        /// The name of the pose.
        pose: String,
        /// What is wrong with it.
        problem: ConfigurationError,
    },
    /// The robot cannot be judged as it is or as it was fitted.
    #[error(transparent)]
    Judged(#[from] RobotSceneError),
    /// A distance of two bodies is out of the number range.
    #[error("links {:?} and {:?}: {problem}", links[0], links[1])]
    Distance {
        /// The names of the links.
        links: [String; 2],
        /// What is wrong.
        problem: QueryError,
    },
    /// The progress callback returned false.
    #[error("the fit was cancelled")]
    Cancelled,
}

/// What is wrong with a shape.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitProblem {
    /// There is no fit to it.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// With its scale it is no mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// Its sizes are no superovoid's.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// Distances from it leave the number range.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl From<ReportedError> for FitProblem {
    fn from(error: ReportedError) -> Self {
        match error {
            ReportedError::Fit(error) => error.into(),
            ReportedError::Query(error) => error.into(),
        }
    }
}
