//! `superovoid mesh`: a shape or a posed robot as triangles.

use crate::arguments::{self, Shape};
use crate::output::write_whole;
use crate::robot_pose::{self, JointSetting};
use anyhow::{Context, Result, bail};
use clap::ArgGroup;
use nalgebra::Isometry3;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid::TriangleMesh;
use superovoid::superquadric::Superquadric;
use superovoid::surface::{write_obj, write_stl};

/// Write a shape, or the collision shapes of a posed robot, as an OBJ or STL mesh.
///
/// Coordinates are in metres, in the frame of the shape or of the robot's root link. An OBJ file
/// has one object per link, named after it; a binary STL file has no names. Coordinates are written in
/// single precision.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("what").args(["robot", "shape", "toroid", "hyperboloid", "cup", "two_sheets"]).required(true)))]
#[command(after_help = "\
Examples:
  superovoid mesh --shape 0.02,0.02,0.03,1,1,0.2,0.2 --output egg.obj
  superovoid mesh --toroid 0.01,0.01,0.002,1,0.2,2 --output washer.stl
  superovoid mesh robot.urdf --joint elbow=0.5 --joint wrist=-1 --output robot.stl")]
pub struct Args {
    /// A robot with superovoid or sphere collision shapes
    #[arg(value_name = "ROBOT.urdf")]
    robot: Option<PathBuf>,

    /// One shape: semi-axes (metres), squareness exponents (E1 across z, E2 along it, each between 0 and 2: a cylinder
    /// about z has E1 = 1 and E2 near 0, a box both near 0) and tapers
    #[arg(long, value_name = "A1,A2,A3,E1,E2,TX,TY", allow_hyphen_values = true)]
    shape: Option<Shape>,

    /// A supertoroid: semi-axes of its tube (metres), exponents, and the radius of its ring in units of the tube, over 1
    #[arg(long, value_name = "A1,A2,A3,E1,E2,RING", allow_hyphen_values = true,
          value_parser = arguments::toroid)]
    toroid: Option<Superquadric>,

    /// A superhyperboloid of one sheet: semi-axes of its neck (metres), exponents, and the height of its caps in units
    /// of a3
    #[arg(long, value_name = "A1,A2,A3,E1,E2,HEIGHT", allow_hyphen_values = true,
          value_parser = arguments::hyperboloid)]
    hyperboloid: Option<Superquadric>,

    /// The upper sheet of a superhyperboloid of two: semi-axes (metres), exponents, and the height of its cap in units
    /// of a3, over 1
    #[arg(long, value_name = "A1,A2,A3,E1,E2,HEIGHT", allow_hyphen_values = true,
          value_parser = arguments::cup)]
    cup: Option<Superquadric>,

    /// Both sheets of a superhyperboloid of two
    #[arg(long, value_name = "A1,A2,A3,E1,E2,HEIGHT", allow_hyphen_values = true,
          value_parser = arguments::both_sheets)]
    two_sheets: Option<Superquadric>,

    /// The position of a joint of the robot, radians or metres; may be repeated
    #[arg(
        long = "joint",
        value_name = "NAME=VALUE",
        allow_hyphen_values = true,
        conflicts_with_all = ["shape", "toroid", "hyperboloid", "cup", "two_sheets"]
    )]
    joints: Vec<JointSetting>,

    /// The file to write, .obj or .stl
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    /// The number of edges around each shape, rounded up to a multiple of 4; half as many from pole to pole
    #[arg(long, value_name = "N", default_value_t = 48,
          value_parser = clap::value_parser!(u32).range(8..=1024))]
    segments: u32,
}

impl Args {
    /// Returns the name and the mesh of the shape that is asked for, if one is.
    fn single_shape(&self, segments: usize) -> Option<(String, TriangleMesh)> {
        let shapes = [
            ("toroid", &self.toroid),
            ("hyperboloid", &self.hyperboloid),
            ("cup", &self.cup),
            ("two_sheets", &self.two_sheets),
        ];
        let superovoid = self
            .shape
            .iter()
            .map(|Shape(shape)| ("superovoid", shape.tessellate(segments)));
        let others = shapes
            .into_iter()
            .filter_map(|(name, shape)| Some((name, shape.as_ref()?.tessellate(segments))));
        let (name, mesh) = superovoid.chain(others).next()?;
        Some((name.to_owned(), mesh))
    }
}

#[derive(Clone, Copy)]
enum Format {
    Obj,
    Stl,
}

impl Format {
    fn of(path: &Path) -> Result<Self> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match extension.to_ascii_lowercase().as_str() {
            "obj" => Ok(Format::Obj),
            "stl" => Ok(Format::Stl),
            _ => bail!(
                "--output {}: the file name must end in .obj or .stl",
                path.display()
            ),
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let format = Format::of(&args.output)?;
    let segments = args.segments as usize;
    let objects = match (args.single_shape(segments), &args.robot) {
        (Some(object), _) => vec![object],
        (None, Some(robot)) => robot_objects(robot, &args.joints, segments)?,
        (None, None) => unreachable!("clap requires a shape or a robot"),
    };
    write_whole(&args.output, |out| -> io::Result<()> {
        match format {
            Format::Obj => {
                let named: Vec<_> = objects.iter().map(|(n, m)| (n.as_str(), m)).collect();
                write_obj(out, &named)
            }
            Format::Stl => write_stl(out, &objects.iter().map(|(_, m)| m).collect::<Vec<_>>()),
        }
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns one mesh for each link that has shapes, named after the link.
fn robot_objects(
    path: &Path,
    joints: &[JointSetting],
    segments: usize,
) -> Result<Vec<(String, TriangleMesh)>> {
    let (robot, poses) =
        robot_pose::load(path, joints).with_context(|| path.display().to_string())?;
    for link in robot.links() {
        for other in &link.collisions {
            if other.contact_shape().is_none() {
                let (link, element) = (&link.name, other.geometry.element());
                eprintln!(
                    "warning: link {link:?}: its <{element}> is not a superovoid and is left out"
                );
            }
        }
    }
    let mut objects: Vec<(String, TriangleMesh)> = Vec::new();
    for body in robot.superovoid_bodies() {
        let name = &robot.links()[body.link].name;
        let mesh = body.shape.tessellate(segments);
        let mesh = moved(mesh, &(poses[body.link] * body.pose));
        match objects.last_mut() {
            // The bodies of one link follow each other.
            Some((last, whole)) if last == name => append(whole, mesh),
            _ => objects.push((name.clone(), mesh)),
        }
    }
    if objects.is_empty() {
        bail!(
            "{}: no link has a superovoid or a sphere to write",
            path.display()
        );
    }
    Ok(objects)
}

fn moved(mut mesh: TriangleMesh, pose: &Isometry3<f64>) -> TriangleMesh {
    for vertex in &mut mesh.vertices {
        *vertex = pose * *vertex;
    }
    mesh
}

fn append(whole: &mut TriangleMesh, part: TriangleMesh) {
    let first = whole.vertices.len() as u32;
    whole.vertices.extend(part.vertices);
    let shifted = part.triangles.iter().map(|t| t.map(|i| first + i));
    whole.triangles.extend(shifted);
}
