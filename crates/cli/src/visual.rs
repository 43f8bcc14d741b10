//! `superovoid visual`: a robot whose superovoids every viewer of URDF shows.

use crate::export::lost_files;
use crate::export::mesh_files::MeshFiles;
use crate::output::{refuse_to_overwrite, write_whole};
use anyhow::{Context, Result, bail};
use std::path::PathBuf;
use std::process::ExitCode;
use superovoid::Superovoid;
use superovoid_robot::{Geometry, Link, Robot, Visual};

/// Write a robot with a mesh to show for every superovoid.
///
/// RViz, MuJoCo and other readers of URDF do not know the element `<superovoid>` and show its fallback, a sphere. This
/// command writes a mesh file for each superovoid, and a URDF file with a `<visual>` of that mesh beside each `<collision>`
/// with a superovoid; a `<visual>` with a superovoid gets the mesh as its geometry. Nothing else of the robot changes.
///
/// Meshes are binary STL files, or OBJ files beyond 200,000 triangles, in metres and in the frame of the shape. They are named after their links.
#[derive(clap::Args)]
#[command(after_help = "\
Exit code: 0 if all files are written, 2 on errors. The robot is written last.

Examples:
  superovoid visual urdf/icub_hands.urdf -o hands_shown.urdf
  superovoid visual arm.urdf -o shown/arm.urdf --meshes shown/shapes --segments 96
  superovoid visual arm.urdf -o arm_mujoco.urdf --mujoco
  superovoid visual arm.urdf -o arm_shown.urdf --address package://arm_description/arm_shown_meshes")]
pub struct Args {
    /// A robot with superovoids
    #[arg(value_name = "ROBOT.urdf")]
    robot: PathBuf,

    /// The file to write
    #[arg(long, short, value_name = "OUT.urdf")]
    output: PathBuf,

    /// The folder of the meshes, made where there is none [default: OUT_meshes, beside OUT.urdf]
    #[arg(long, value_name = "FOLDER")]
    meshes: Option<PathBuf>,

    /// The address of that folder in the robot, as readers find it: RViz wants package:// or file://
    /// [default: the path from OUT.urdf]
    #[arg(long, value_name = "ADDRESS")]
    address: Option<String>,

    /// Leave out the robot's own visuals without superovoids
    #[arg(long)]
    replace: bool,

    /// Add what MuJoCo's reader of URDF needs to keep the visuals, to find the meshes in their folder and to accept links
    /// without mass (`superovoid mjcf` writes MuJoCo's own format)
    #[arg(long)]
    mujoco: bool,

    /// The number of edges around each shape, rounded up to a multiple of 4; half as many from pole to pole
    #[arg(long, value_name = "N", default_value_t = 48,
          value_parser = clap::value_parser!(u32).range(8..=1024))]
    segments: u32,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let files = MeshFiles::new(
        &args.output,
        args.meshes.as_deref(),
        "_meshes",
        args.address.as_deref(),
    )?;
    refuse_to_overwrite(&args.robot, &args.output)?;
    let robot = Robot::from_urdf_file(&args.robot)?;
    let mut shown = Shown {
        files,
        segments: args.segments as usize,
    };
    let links = robot.links().iter();
    let links = links.map(|link| shown.link(link, args.replace)).collect();
    let files = shown.files;
    if files.is_empty() {
        bail!("{}: no link has a superovoid to show", args.robot.display());
    }
    let shown = Robot::new(
        robot.name(),
        links,
        robot.joints().to_vec(),
        robot.materials().to_vec(),
    )
    .with_context(|| args.robot.display().to_string())?;
    let text = match args.mujoco {
        true => for_mujoco(&shown.to_urdf()),
        false => shown.to_urdf(),
    };
    files.write()?;
    write_whole(&args.output, |out| out.write_all(text.as_bytes()))?;
    println!("{}: {}", args.output.display(), files.summary());
    if let Some(note) = lost_files(&robot, &args.robot, &args.output) {
        eprintln!("warning: {note}");
    }
    if args.mujoco && robot.links().iter().any(has_unread_visual) {
        eprintln!(
            "warning: MuJoCo reads STL and OBJ files only, and no package:// addresses: --replace leaves out the robot's own visuals"
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the robot with MuJoCo's element in it. The least mass and inertia are those below which a moving body of a
/// robot is an empty frame.
fn for_mujoco(text: &str) -> String {
    const COMPILER: &str = r#"<compiler discardvisual="false" strippath="false" fusestatic="false" balanceinertia="true" boundmass="1e-6" boundinertia="1e-12"/>"#;
    let end = text.rfind("</robot>").unwrap_or(text.len());
    let (before, after) = text.split_at(end);
    format!("{before}    <mujoco>{COMPILER}</mujoco>\n{after}")
}

/// Makes the visuals, and the files of their meshes.
struct Shown {
    files: MeshFiles,
    segments: usize,
}

impl Shown {
    /// Returns the link with a visual for each of its superovoids.
    fn link(&mut self, link: &Link, replace: bool) -> Link {
        let mut shown = link.clone();
        if replace {
            shown.visuals.retain(|visual| visual.superovoid.is_some());
        }
        for visual in &mut shown.visuals {
            if let Some(shape) = visual.superovoid.take() {
                visual.geometry = self.of(&link.name, &shape);
            }
        }
        for collision in &link.collisions {
            if let Some(shape) = &collision.superovoid {
                shown.visuals.push(Visual {
                    name: None,
                    origin: collision.origin,
                    geometry: self.of(&link.name, shape),
                    superovoid: None,
                    material: None,
                });
            }
        }
        shown
    }

    fn of(&mut self, link: &str, shape: &Superovoid) -> Geometry {
        Geometry::Mesh {
            filename: self.files.add(link, shape.tessellate(self.segments)),
            scale: [1.0; 3],
        }
    }
}

/// Whether a visual is a mesh that MuJoCo's reader of URDF does not find or read.
fn has_unread_visual(link: &Link) -> bool {
    link.visuals.iter().any(|visual| match &visual.geometry {
        Geometry::Mesh { filename, .. } => {
            let name = filename.to_ascii_lowercase();
            filename.contains("://") || !(name.ends_with(".stl") || name.ends_with(".obj"))
        }
        _ => false,
    })
}
