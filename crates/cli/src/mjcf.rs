//! `superovoid mjcf`: a robot for MuJoCo.

mod assets;
mod exclude;
mod write;

use crate::export::mesh_files::MeshFiles;
use crate::export::meshes::Meshes;
use crate::export::options::Base;
use crate::export::{Model, Options, is_empty, left_out};
use crate::output::{refuse_to_overwrite, write_whole};
use anyhow::{Context, Result, ensure};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid_robot::{Collision, JointKind, Link, Robot, Srdf};

/// Write a robot as MJCF, for MuJoCo.
///
/// Superovoids become meshes, which are written beside the file, and so do the robot's own meshes (STL, OBJ, COLLADA);
/// spheres, boxes, cylinders, capsules and ellipsoids stay what they are. MuJoCo compares the convex hulls of meshes, and
/// a superovoid that is convex is its hull. Collision shapes are in group 3 and take part in contact; what is shown, and a
/// copy of each superovoid, is in group 2. A link without `<inertial>` gets the mass and inertia of its collision shapes at
/// one density.
///
/// Bodies and joints have the names of the robot. Ranges, damping, friction loss and the greatest torque (as
/// actuatorfrcrange) are kept, joints that mimic become equalities, planar joints two slides and a hinge, floating ones a
/// free joint or three slides and a ball. Left out of contact are the pairs of adjacent links, as `superovoid check`
/// has it, and those that an SRDF file disables.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if all files are written, 2 on errors. The robot is written last. A collision shape that
cannot be written, such as a mesh whose file is not read, is an error, and then no file is written.

Examples:
  superovoid mjcf urdf/icub_hands.urdf -o hands.xml
  superovoid mjcf robot.urdf -o model/robot.xml --base free --srdf robot.srdf --package-path ros/src
  python -m mujoco.viewer --mjcf hands.xml")]
pub struct Args {
    /// The robot
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "OUT.xml")]
    output: PathBuf,

    /// The folder of the meshes, made where there is none [default: OUT_mjcf_meshes, beside OUT.xml]
    #[arg(long, value_name = "FOLDER")]
    meshes: Option<PathBuf>,

    /// Whether the root link is fixed to the world, as MuJoCo reads URDF
    #[arg(long, value_enum, default_value = "fixed")]
    base: Base,

    /// Leave the pairs of links that this SRDF file disables out of contact
    #[arg(long, value_name = "FILE.srdf")]
    srdf: Option<PathBuf>,

    #[command(flatten)]
    options: Options,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    refuse_to_overwrite(&args.robot, &args.output)?;
    if let Some(srdf) = &args.srdf {
        refuse_to_overwrite(srdf, &args.output)?;
    }
    let file = args.robot.display();
    let robot = Robot::from_urdf_file(&args.robot)?;
    check_names(&robot).with_context(|| file.to_string())?;
    let srdf = args.srdf.as_ref().map(Srdf::from_srdf_file).transpose()?;
    let mut notes: Vec<String> = left_out(&robot).into_iter().collect();
    if let (Some(srdf), Some(path)) = (&srdf, &args.srdf) {
        let warnings = srdf.warnings(&robot).into_iter();
        notes.extend(warnings.map(|warning| format!("{}: {warning}", path.display())));
    }
    let mut files = MeshFiles::new(&args.output, args.meshes.as_deref(), "_mjcf_meshes", None)?;
    let packages = &args.options.package_paths;
    let meshes = Meshes::read(&robot, &args.robot, packages, all_shapes, &mut notes)?;
    let mut own = assets::Copies::default();
    let mut model = Model::new(
        &robot,
        args.base,
        &args.options,
        &meshes,
        &mut files,
        &mut own,
        notes,
    )
    .with_context(|| file.to_string())?;
    give_mass_to_what_moves(&mut model);
    raise_small_inertia(&mut model);
    let excluded = exclude::pairs(&model, srdf.as_ref());
    let text = write::text(&model, &excluded, args.options.friction);
    files.write()?;
    write_whole(&args.output, |out| out.write_all(text.as_bytes()))?;
    for note in &model.notes {
        eprintln!("note: {file}: {note}");
    }
    println!("{}: {}", args.output.display(), files.summary());
    Ok(ExitCode::SUCCESS)
}

/// Returns an error for a name that MuJoCo cannot have.
fn check_names(robot: &Robot) -> Result<()> {
    let links = robot.links().iter().enumerate();
    // The root that is called world and has nothing in it is the world.
    let links = links.map(|(index, link)| {
        let world = index == robot.root() && is_empty(link);
        ("link", &link.name, world)
    });
    // Joints have a room of their own.
    let joints = robot
        .joints()
        .iter()
        .map(|joint| ("joint", &joint.name, true));
    for (what, name, may_be_world) in links.chain(joints) {
        ensure!(
            may_be_world || name != "world",
            "{what} {name:?}: MuJoCo has this name for the world; rename it"
        );
        ensure!(
            !name.chars().any(char::is_control),
            "{what} {name:?}: XML cannot have control characters in a name; rename it"
        );
    }
    Ok(())
}

/// The shapes that may be meshes. A `<visual>` is read as a collision.
fn all_shapes(link: &Link) -> Vec<Collision> {
    let visuals = link.visuals.iter().map(|visual| Collision {
        name: None,
        origin: visual.origin,
        geometry: visual.geometry.clone(),
        superovoid: visual.superovoid,
    });
    link.collisions.iter().cloned().chain(visuals).collect()
}

/// A rigid body that moves has to have a mass, in one of its links.
fn give_mass_to_what_moves(model: &mut Model) {
    let robot = model.robot;
    let count = model.links.len();
    let tops = model.tops();
    let mut heavy = vec![false; count];
    for link in 0..count {
        heavy[tops[link]] |= model.links[link].mass.is_some();
    }
    for top in (0..count).filter(|link| tops[*link] == *link && !heavy[*link]) {
        let moves = match robot.parent_joint(top) {
            Some(joint) => robot.joints()[joint].kind != JointKind::Fixed,
            None => model.base == Base::Free && !model.root_is_world(),
        };
        if moves {
            model.give_least_mass(top);
        }
    }
}

/// MuJoCo takes moments of inertia below 1e-14 kg m² for none, and masses below 1e-15 kg.
fn raise_small_inertia(model: &mut Model) {
    const LEAST: f64 = 1e-14;
    for (link, of) in model.links.iter_mut().zip(model.robot.links()) {
        let Some(mass) = &mut link.mass else {
            continue;
        };
        let small = mass.inertia.symmetric_eigenvalues().min() < 2.0 * LEAST;
        if small {
            mass.inertia += nalgebra::Matrix3::identity() * (10.0 * LEAST);
        }
        if mass.mass < LEAST {
            mass.mass = LEAST;
        } else if !small {
            continue;
        }
        model.notes.push(format!(
            "link {:?}: MuJoCo reads no moment of inertia below 1e-14 kg m² and no mass below 1e-15 kg: 1e-13 kg m² is \
             added, and the mass is at least 1e-14 kg",
            of.name
        ));
    }
}
