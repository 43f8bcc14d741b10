//! `superovoid studio`: the page of the studio, served to the browser of this machine.

mod page;
mod server;

use anyhow::{Context, Result, bail, ensure};
use page::Page;
use server::Server;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

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
    let mut page = match &args.page {
        Some(folder) => Page::read(folder)?,
        None => Page::embedded()?,
    };
    let mut query = String::new();
    for path in &args.files {
        let name = add(&mut page, path)?;
        query.push(if query.is_empty() { '?' } else { '&' });
        query += &format!("open={}", escaped(&name));
    }
    let server = Server::bind(args.port)?;
    let address = format!("{}/{query}", server.origin());
    writeln!(io::stdout(), "{address}").context("standard output")?;
    if !args.no_open
        && let Err(error) = open::that_detached(&address)
    {
        eprintln!("no browser could be started ({error}); open the address in one");
    }
    eprintln!("Control-C ends the studio.");
    server.run(&page)?;
    Ok(ExitCode::SUCCESS)
}

/// Adds a file to what is served; returns its name.
fn add(page: &mut Page, path: &Path) -> Result<String> {
    let shown = || path.display().to_string();
    let found = fs::metadata(path).with_context(shown)?;
    ensure!(found.is_file(), "{}: is no file", shown());
    let most = MOST_BYTES >> 20;
    ensure!(
        found.len() <= MOST_BYTES,
        "{}: has more than {most} MiB",
        shown()
    );
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        bail!("{}: the name is not UTF-8", shown());
    };
    let content = fs::read(path).with_context(shown)?;
    ensure!(
        page.add(format!("files/{name}"), content),
        "{}: two files have the name {name}",
        shown()
    );
    Ok(name.to_owned())
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
