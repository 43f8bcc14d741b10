//! `superovoid studio`: the page of the studio, served to the browser of this machine.

mod obstacles;
mod page;
mod server;

use anyhow::{Context, Result, ensure};
use page::FILES;
pub use page::Page;
pub use server::Server;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use superovoid_robot::scene::RobotScene;

/// Open the studio in the browser: two bodies to drag, robots to move, simulations to run.
///
/// The page is served on an address that this machine alone can reach (127.0.0.1) until the command is interrupted
/// (Control-C). A robot (URDF), a trajectory for it (CSV), a scene (JSON) or a recording (.sovorec) that is given is
/// opened in it.
///
/// The page is part of this program where it was built before the program was. Otherwise --page names the folder that
/// `npm run build` in apps/studio/ writes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  superovoid studio
  superovoid studio urdf/icub_hands.urdf path.csv
  superovoid studio cloth/recording.sovorec
  superovoid studio --page apps/studio/dist --port 8000 --no-open")]
pub struct Args {
    /// Files to open: a robot, a trajectory, a scene or a recording
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    serving: Serving,
}

/// How the page is served.
#[derive(clap::Args)]
pub struct Serving {
    /// The port [default: a free one]
    #[arg(
        long,
        value_name = "PORT",
        default_value_t = 0,
        hide_default_value = true
    )]
    port: u16,

    /// Print the address and open no browser
    #[arg(long)]
    no_open: bool,

    /// Serve the page of this folder
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

/// Larger files are refused, as by the page.
const MOST_BYTES: u64 = 256 << 20;

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut page = args.serving.page()?;
    let mut query = String::new();
    for path in &args.files {
        let name = file_name(path)?;
        add(&mut page, name, path)?;
        query.push(if query.is_empty() { '?' } else { '&' });
        query += &format!("open={}", escaped(name));
    }
    args.serving.serve(&args.serving.bind()?, &page, &query)
}

/// A robot among obstacles, for the page.
pub struct Shown<'a> {
    pub robot: &'a Path,
    /// The files of its meshes, by the names that it has for them.
    pub meshes: &'a BTreeMap<String, PathBuf>,
    pub srdf: Option<&'a Path>,
    pub scene: &'a RobotScene,
}

/// Adds a robot among obstacles to the page, in which they are opened.
pub fn add_robot(page: &mut Page, shown: Shown) -> Result<()> {
    add(page, file_name(shown.robot)?, shown.robot)?;
    if let Some(file) = shown.srdf {
        // The page knows it by its ending, which the file itself may not have.
        add(page, "robot.srdf", file)?;
    }
    for (name, file) in shown.meshes {
        add(page, name, file)?;
    }
    put(page, "obstacles.json", obstacles::document(shown.scene)?)
}

/// Serves the page with what was added to it and the table of a path, which are opened in it.
pub fn show(server: Server, serving: &Serving, mut page: Page, path: Vec<u8>) -> Result<ExitCode> {
    put(&mut page, "path.csv", path)?;
    page.list_files();
    serving.serve(&server, &page, "?open")
}

impl Serving {
    /// Returns the page, which is read before anything else is done: it may not be there.
    pub fn page(&self) -> Result<Page> {
        match &self.page {
            Some(folder) => Page::read(folder),
            None => Page::embedded(),
        }
    }

    /// Takes the port.
    pub fn bind(&self) -> Result<Server> {
        Server::bind(self.port)
    }

    fn serve(&self, server: &Server, page: &Page, query: &str) -> Result<ExitCode> {
        let address = format!("{}/{query}", server.origin());
        writeln!(io::stdout(), "{address}").context("standard output")?;
        if !self.no_open
            && let Err(error) = open::that_detached(&address)
        {
            eprintln!("no browser could be started ({error}); open the address in one");
        }
        eprintln!("Control-C ends the studio.");
        server.run(page)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn file_name(path: &Path) -> Result<&str> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.with_context(|| format!("{}: the name is not UTF-8", path.display()))
}

/// Adds a file to what is served.
fn add(page: &mut Page, name: &str, path: &Path) -> Result<()> {
    let shown = || path.display().to_string();
    let found = fs::metadata(path).with_context(shown)?;
    ensure!(found.is_file(), "{}: is no file", shown());
    let most = MOST_BYTES >> 20;
    ensure!(
        found.len() <= MOST_BYTES,
        "{}: has more than {most} MiB",
        shown()
    );
    let content = fs::read(path).with_context(shown)?;
    put(page, name, content).with_context(shown)
}

fn put(page: &mut Page, name: &str, content: Vec<u8>) -> Result<()> {
    let most = MOST_BYTES >> 20;
    ensure!(
        content.len() as u64 <= MOST_BYTES,
        "{name}: has more than {most} MiB"
    );
    ensure!(
        page.add(format!("{FILES}{name}"), content),
        "two files have the name {name}"
    );
    Ok(())
}

/// Writes a name for an address: every byte but letters, digits and `-._~` as its number.
fn escaped(name: &str) -> String {
    let byte = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
            char::from(byte).to_string()
        }
        other => format!("%{other:02X}"),
    };
    name.bytes().map(byte).collect()
}
