//! What the fit of a robot is asked for, and what it gives.

use super::fallback::Fallback;
use super::kept::{KeepFree, KeptFree};
use crate::{Fit, PartsOptions, ReadLimits, Report};
use std::path::PathBuf;
use superovoid_robot::{Geometry, Robot, UrdfLimits};

/// What [`fit_robot`](crate::fit_robot) is asked for.
#[derive(Clone)]
#[non_exhaustive]
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
    /// Poses in which pairs of links must stay free; default None.
    pub keep_free: Option<KeepFree<'a>>,
    /// Called before each collision, and each mesh that is fitted again; ends the work with [`FitRobotError::Cancelled`](crate::FitRobotError::Cancelled) when it returns false.
    pub progress: Option<&'a dyn Fn(RobotProgress) -> bool>,
}

impl<'a> RobotOptions<'a> {
    superovoid::setters! {
        fn;
        with_parts parts: PartsOptions<'a>,
        with_edge_exponent edge_exponent: f64,
        with_fallback fallback: Fallback,
        with_package_paths package_paths: Vec<PathBuf>,
        with_mesh_limits mesh_limits: ReadLimits,
        with_urdf_limits urdf_limits: UrdfLimits,
        with_keep_free keep_free: Option<KeepFree<'a>>,
        with_progress progress: Option<&'a dyn Fn(RobotProgress) -> bool>,
    }
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
            keep_free: None,
            progress: None,
        }
    }
}

/// How far a robot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RobotProgress<'a> {
    /// The link whose collision is next.
    pub link: &'a str,
    /// Collisions done, and meshes that were fitted again.
    pub done: usize,
    /// All of them that are known so far.
    pub steps: usize,
}

/// A robot with superovoids.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FittedRobot {
    /// The model as it was read.
    pub robot: Robot,
    /// The text with superovoids in it.
    pub urdf: String,
    /// The superovoids, in the order of the text.
    pub bodies: Vec<RobotBody>,
    /// Of each mesh that could have had several enclosing bodies, how many it has and why.
    pub choices: Vec<Choice>,
    /// Collisions that stay as they are.
    pub untouched: Vec<Untouched>,
    /// The pairs of links in the poses of [`RobotOptions::keep_free`].
    pub kept: Option<KeptFree>,
}

/// A superovoid of a robot.
#[derive(Clone, Debug)]
#[non_exhaustive]
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

/// How many enclosing bodies a mesh has, and what other numbers would have given.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Choice {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// How many bodies the mesh has.
    pub bodies: usize,
    /// As in [`Cover::volumes`](crate::Cover::volumes).
    pub volumes: Vec<f64>,
}

/// A collision that stays as it is: it has a superovoid, or its geometry is of a kind that is not converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Untouched {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// Whether it has a superovoid already.
    pub has_superovoid: bool,
}
