//! `superovoid simulate`: a scene in motion, recorded.

use crate::output::progress_bar;
use anyhow::{Context, Result, bail, ensure};
use clap::ArgGroup;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_sim::recording::{ObjFrames, RecordingWriter, moving_bodies};
use superovoid_sim::{Scene, State, StepError, World, scenes};

/// Simulate cloth, soft solids and rigid bodies of a scene, and record them.
///
/// The scene is a JSON file or a ready scene, which --list names. The folder gets recording.sovorec
/// (the scene and all frames, for a viewer), scene.json (the scene, to be changed and run again) and
/// last.json (the last state, with full precision). --format adds an OBJ file for each frame, with
/// still.obj for what never moves, or bodies.csv, cloths.csv and, with solids, solids.csv. Lengths are
/// metres, times seconds.
///
/// The folder is there whole or not at all, and an existing one must be empty. A simulation that
/// diverges ends with an error; then the folder holds the frames up to the last good state.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("what").args(["scene", "list"]).required(true)))]
#[command(after_help = "\
Examples:
  superovoid simulate --list
  superovoid simulate bowl -o bowl --seconds 15
  superovoid simulate my_scene.json -o out --format obj --every 6")]
pub struct Args {
    /// A scene file, or the name of a ready scene
    #[arg(value_name = "SCENE.json|NAME", requires = "output")]
    scene: Option<String>,

    /// List the ready scenes
    #[arg(long)]
    list: bool,

    /// The folder to write
    #[arg(long, short, value_name = "DIR", conflicts_with = "list")]
    output: Option<PathBuf>,

    /// The time to simulate
    #[arg(long, value_name = "T", default_value = "10", value_parser = seconds, allow_hyphen_values = true)]
    seconds: f64,

    /// Record also in this format
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Record every K-th frame, and the start and the end
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
enum Format {
    /// An OBJ file for each frame
    Obj,
    /// Tables of the poses and vertices of each frame
    Csv,
}

/// The edges around a superovoid in OBJ files.
const SEGMENTS: usize = 48;
/// Longer simulations are refused: some ten days.
const LONGEST: f64 = 1e6;

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=LONGEST).contains(&value) => Ok(value),
        _ => Err(format!("expected seconds, 0 to {LONGEST}")),
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let (Some(name), Some(output)) = (&args.scene, &args.output) else {
        let mut out = io::stdout().lock();
        for (name, about) in scenes::READY {
            writeln!(out, "{name:<16} {about}").context("standard output")?;
        }
        return Ok(ExitCode::SUCCESS);
    };
    let scene = load(name)?;
    let mut world = World::new(&scene).with_context(|| name.clone())?;
    let part = begin(output)?;
    let ended = record(&scene, &mut world, args, part.path())
        .with_context(|| output.display().to_string())?;
    publish(part, output)?;
    let State { frame, time, .. } = world.state();
    let shown = output.display();
    if let Some(error) = ended {
        bail!("{name}: {error}; {shown} holds what was before, up to {time:.3} s");
    }
    println!("{frame} frames, {time:.3} s, in {shown}");
    Ok(ExitCode::SUCCESS)
}

fn load(name: &str) -> Result<Scene> {
    let path = Path::new(name);
    let file = path.extension().is_some_and(|e| e == "json") || path.exists();
    if !file {
        return scenes::ready(name).with_context(|| {
            let names: Vec<_> = scenes::READY.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            format!("{name:?} is neither a file nor a ready scene; those are {names}")
        });
    }
    let text = fs::read_to_string(path).with_context(|| name.to_owned())?;
    Scene::from_json(&text).with_context(|| name.to_owned())
}

/// Makes a folder with a temporary name next to the one to write.
fn begin(output: &Path) -> Result<tempfile::TempDir> {
    let shown = output.display();
    if output.exists() {
        ensure!(output.is_dir(), "{shown}: is a file; name a folder");
        let mut entries = fs::read_dir(output).with_context(|| shown.to_string())?;
        let free = entries.next().is_none();
        ensure!(free, "{shown}: is not empty; name another folder");
    }
    let parent = match output.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent_shown = parent.display();
    ensure!(
        parent.is_dir(),
        "{shown}: there is no folder {parent_shown}; create it"
    );
    let mut builder = tempfile::Builder::new();
    builder.prefix(".superovoid-");
    #[cfg(unix)]
    {
        // What other folders get; the umask narrows it.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder
        .tempdir_in(parent)
        .with_context(|| parent_shown.to_string())
}

/// Gives the folder its name.
fn publish(part: tempfile::TempDir, output: &Path) -> Result<()> {
    let shown = || output.display().to_string();
    if output.exists() {
        fs::remove_dir(output).with_context(shown)?;
    }
    fs::rename(part.path(), output).with_context(shown)?;
    // It has another name now, and is not to be removed.
    let _ = part.keep();
    Ok(())
}

/// Steps through the time and writes everything; the answer is how a simulation that diverged ended.
fn record(
    scene: &Scene,
    world: &mut World,
    args: &Args,
    folder: &Path,
) -> Result<Option<StepError>> {
    let frames = (args.seconds / scene.settings.frame).round() as u64;
    let mut recorders = Recorders::new(scene, args.format, folder)?;
    recorders.frame(world.state())?;
    let progress = progress_bar(frames as usize, "frames")?;
    let mut ended = None;
    for frame in 1..=frames {
        if let Err(error) = world.step() {
            ended = Some(error);
            break;
        }
        progress.inc(1);
        if frame.is_multiple_of(args.every) || frame == frames {
            recorders.frame(world.state())?;
        }
    }
    progress.finish_and_clear();
    if ended.is_some() && !world.state().frame.is_multiple_of(args.every) {
        recorders.frame(world.state())?;
    }
    recorders.finish()?;
    fs::write(folder.join("scene.json"), scene.to_json())?;
    fs::write(folder.join("last.json"), world.state().to_json())?;
    Ok(ended)
}

/// What writes the frames.
struct Recorders<'a> {
    folder: &'a Path,
    scene: &'a Scene,
    compact: RecordingWriter<BufWriter<File>>,
    obj: Option<ObjFrames>,
    tables: Option<Tables>,
}

impl<'a> Recorders<'a> {
    fn new(scene: &'a Scene, format: Option<Format>, folder: &'a Path) -> Result<Self> {
        let create = |name: &str| File::create(folder.join(name)).map(BufWriter::new);
        let compact = RecordingWriter::new(create("recording.sovorec")?, scene)?;
        let obj = (format == Some(Format::Obj)).then(|| ObjFrames::new(scene, SEGMENTS));
        let tables = match format {
            Some(Format::Csv) => Some(Tables::new(folder, scene)?),
            _ => None,
        };
        Ok(Recorders {
            folder,
            scene,
            compact,
            obj,
            tables,
        })
    }

    fn frame(&mut self, state: &State) -> Result<()> {
        self.compact.frame(state)?;
        if let Some(obj) = &self.obj {
            let create = |name: &str| File::create(self.folder.join(name)).map(BufWriter::new);
            if state.frame == 0 {
                obj.still(state, create("still.obj")?)?;
            }
            let name = format!("frame_{:06}.obj", state.frame);
            obj.moving(state, create(&name)?)?;
        }
        if let Some(tables) = &mut self.tables {
            tables.frame(self.scene, state)?;
        }
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        self.compact.finish()?;
        if let Some(mut tables) = self.tables {
            tables.bodies.flush()?;
            tables.cloths.flush()?;
            if let Some(mut solids) = tables.solids {
                solids.flush()?;
            }
        }
        Ok(())
    }
}

/// `bodies.csv`, `cloths.csv` and, where there are solids, `solids.csv`.
struct Tables {
    bodies: csv::Writer<File>,
    cloths: csv::Writer<File>,
    solids: Option<csv::Writer<File>>,
}

const BODIES: &str = "frame,time,body,name,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz,asleep";
const CLOTHS: &str = "frame,time,cloth,vertex,x,y,z,vx,vy,vz";
const SOLIDS: &str = "frame,time,solid,vertex,x,y,z,vx,vy,vz";

impl Tables {
    fn new(folder: &Path, scene: &Scene) -> Result<Self> {
        let table = |name: &str, head: &str| -> Result<csv::Writer<File>> {
            let mut table = csv::Writer::from_path(folder.join(name))?;
            table.write_record(head.split(','))?;
            Ok(table)
        };
        Ok(Tables {
            bodies: table("bodies.csv", BODIES)?,
            cloths: table("cloths.csv", CLOTHS)?,
            solids: match scene.solids.is_empty() {
                true => None,
                false => Some(table("solids.csv", SOLIDS)?),
            },
        })
    }

    fn frame(&mut self, scene: &Scene, state: &State) -> Result<()> {
        let when = [state.frame.to_string(), number(&state.time)];
        for i in moving_bodies(scene) {
            let body = &state.bodies[i];
            let whose = [i.to_string(), scene.bodies[i].name.clone()];
            let (pose, turn) = (body.position.iter(), body.orientation.iter());
            let speeds = body.velocity.iter().chain(&body.angular_velocity);
            let numbers = pose.chain(turn).chain(speeds).map(number);
            let asleep = [u8::from(body.asleep).to_string()];
            let row = when
                .iter()
                .cloned()
                .chain(whose)
                .chain(numbers)
                .chain(asleep);
            self.bodies.write_record(row.map(String::into_bytes))?;
        }
        for (c, cloth) in state.cloths.iter().enumerate() {
            vertices(
                &mut self.cloths,
                &when,
                c,
                &cloth.positions,
                &cloth.velocities,
            )?;
        }
        if let Some(table) = &mut self.solids {
            for (s, solid) in state.solids.iter().enumerate() {
                vertices(table, &when, s, &solid.positions, &solid.velocities)?;
            }
        }
        Ok(())
    }
}

/// Writes a row for each vertex.
fn vertices(
    table: &mut csv::Writer<File>,
    when: &[String; 2],
    index: usize,
    positions: &[[f64; 3]],
    velocities: &[[f64; 3]],
) -> Result<()> {
    for (vertex, (x, v)) in positions.iter().zip(velocities).enumerate() {
        let whose = [index.to_string(), vertex.to_string()];
        let numbers = x.iter().chain(v).map(number);
        let row = when.iter().cloned().chain(whose).chain(numbers);
        table.write_record(row.map(String::into_bytes))?;
    }
    Ok(())
}

/// 17 significant digits, enough to read the same double back.
fn number(x: &f64) -> String {
    format!("{x:.16e}")
}
