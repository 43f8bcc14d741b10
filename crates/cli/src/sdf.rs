//! `superovoid sdf`: a robot for Gazebo.

mod frames;
mod names;
mod write;

use crate::export::mesh_files::MeshFiles;
use crate::export::meshes::Meshes;
use crate::export::model::OwnMeshes;
use crate::export::options::Base;
use crate::export::{Mass, Model, Options, Solid, left_out, lost_files};
use crate::output::{refuse_to_overwrite, write_whole};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid_robot::{Geometry, Robot};

/// Write a robot as SDF, for Gazebo.
///
/// Superovoids become meshes, which are written beside the file; spheres, boxes, cylinders, capsules and ellipsoids
/// stay what they are. Every superovoid of a `<collision>` is shown too. Masses, limits, damping, friction and the
/// placement of links by their joints are kept. A link without ``<inertial>`` gets the mass and inertia of its collision
/// shapes at one density.
///
/// The robot's own meshes keep their addresses; package:// becomes model://, as Gazebo's reader of URDF has it. SDF has
/// no floating joint (the link is then free) and no planar one, which is an error. Joints that mimic need SDF 1.11
/// (Gazebo Harmonic); without them SDF 1.9 is written (Gazebo Fortress and later).
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if all files are written, 2 on errors. The robot is written last. A collision shape that
cannot be written is an error, and then no file is written.

Examples:
  superovoid sdf urdf/icub_hands.urdf -o hands.sdf
  superovoid sdf arm.urdf -o model/arm.sdf --base fixed --friction 0.6
  superovoid sdf arm.urdf -o arm.sdf --address model://arm/arm_sdf_meshes --package-path ros/src
  gz sdf --check arm.sdf")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "OUT.sdf")]
    output: PathBuf,

    /// The folder of the meshes, made where there is none [default: OUT_sdf_meshes, beside OUT.sdf]
    #[arg(long, value_name = "FOLDER")]
    meshes: Option<PathBuf>,

    /// The address of that folder in the robot, as Gazebo finds it [default: the path from OUT.sdf]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,

    /// Whether the root link is fixed to the world [default: fixed if it is called world, free otherwise, as Gazebo
    /// reads URDF]
    #[arg(long, value_enum)]
    base: Option<Base>,

    /// The version of SDF [default: 1.11 where a joint mimics another one, else 1.9]
    #[arg(long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    options: Options,
}

/// A version of SDF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// Gazebo Fortress and later; without joints that mimic.
    #[value(name = "1.9")]
    V1_9,
    /// Gazebo Harmonic and later.
    #[value(name = "1.11")]
    V1_11,
}

impl Format {
    fn version(self) -> &'static str {
        match self {
            Format::V1_9 => "1.9",
            Format::V1_11 => "1.11",
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_to_overwrite(&args.robot, &args.output)?;
    let file = args.robot.display();
    let robot = Robot::from_urdf_file(&args.robot)?;
    let mut files = MeshFiles::new(
        &args.output,
        args.meshes.as_deref(),
        "_sdf_meshes",
        args.address.as_deref(),
    )?;
    let names = names::Names::new(&robot).with_context(|| file.to_string())?;
    let mut notes: Vec<String> = left_out(&robot).into_iter().collect();
    notes.extend(names.notes.iter().cloned());
    notes.extend(lost_files(&robot, &args.robot, &args.output));
    // Meshes are read for their mass only.
    let wanted = |link: &superovoid_robot::Link| match &link.inertial {
        Some(own) if own.mass > 0.0 && Mass::of_inertial(own).possible().is_some() => Vec::new(),
        _ => link.collisions.clone(),
    };
    let packages = &args.options.package_paths;
    let meshes = Meshes::read(&robot, &args.robot, packages, wanted, &mut notes)?;
    let base = args.base.unwrap_or(Base::Free);
    let mut model = Model::new(
        &robot,
        base,
        &args.options,
        &meshes,
        &mut files,
        &mut Addresses,
        notes,
    )
    .with_context(|| file.to_string())?;
    let frames = frames::Frames::new(&mut model);
    let format = args.format.unwrap_or_else(|| fitting(&robot));
    let text = write::text(&mut model, &frames, &names, format, args.options.friction)
        .with_context(|| file.to_string())?;
    files.write()?;
    write_whole(&args.output, |out| out.write_all(text.as_bytes()))?;
    for note in &model.notes {
        eprintln!("note: {file}: {note}");
    }
    println!("{}: {}", args.output.display(), files.summary());
    Ok(ExitCode::SUCCESS)
}

/// Returns the oldest version that knows everything in the robot.
fn fitting(robot: &Robot) -> Format {
    if (0..robot.joints().len()).any(|joint| robot.follows(joint).is_some()) {
        Format::V1_11
    } else {
        Format::V1_9
    }
}

/// The robot's own meshes stay where they are.
struct Addresses;

impl OwnMeshes for Addresses {
    fn shape(
        &mut self,
        _link: &str,
        geometry: &Geometry,
        _meshes: &Meshes,
        _files: &mut MeshFiles,
    ) -> Option<Solid> {
        let Geometry::Mesh { filename, scale } = geometry else {
            return None;
        };
        let address = match filename.strip_prefix("package://") {
            Some(rest) => format!("model://{rest}"),
            None => filename.clone(),
        };
        Some(Solid::Mesh {
            address,
            scale: *scale,
        })
    }
}
