//! The path in the studio.

use super::{positions, write};
use crate::studio::{Page, Server, Serving, Shown, add_robot, show};
use anyhow::{Context, Result};
use std::process::ExitCode;
use superovoid_robot::Configuration;

/// Whether the path is shown, and how the page is served.
#[derive(clap::Args)]
#[command(mut_args(of_serving_needs_studio))]
pub struct ShownArgs {
    /// Show the path in the studio, in the browser
    #[arg(long)]
    pub studio: bool,

    #[command(flatten)]
    serving: Serving,
}

fn of_serving_needs_studio(argument: clap::Arg) -> clap::Arg {
    match argument.get_id().as_str() {
        "port" | "no_open" | "page" => argument.requires("studio"),
        _ => argument,
    }
}

impl ShownArgs {
    /// Returns the page, if the path is shown in it.
    pub fn page(&self) -> Result<Option<Page>> {
        self.studio.then(|| self.serving.page()).transpose()
    }

    /// Adds the robot to the page and takes the port: what fails here would else fail when the path has been found. `start` is a row
    /// of its path, whose columns are these joints.
    pub fn prepare<'a>(
        &'a self,
        mut page: Page,
        shown: Shown,
        joints: Vec<String>,
        start: &Configuration,
    ) -> Result<Prepared<'a>> {
        positions(start, &joints).context("--studio")?;
        add_robot(&mut page, shown).context("--studio")?;
        Ok(Prepared {
            server: self.serving.bind()?,
            serving: &self.serving,
            page,
            joints,
        })
    }
}

/// A page that lacks the path only.
pub struct Prepared<'a> {
    server: Server,
    serving: &'a Serving,
    page: Page,
    joints: Vec<String>,
}

impl Prepared<'_> {
    /// Serves the page with a path.
    pub fn show(self, path: &[Configuration]) -> Result<ExitCode> {
        let rows = path.iter().map(|row| positions(row, &self.joints));
        let rows: Vec<Vec<f64>> = rows.collect::<Result<_>>().context("--studio")?;
        let mut table = Vec::new();
        write(&mut table, &self.joints, &rows)?;
        show(self.server, self.serving, self.page, table)
    }
}
