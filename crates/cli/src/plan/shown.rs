//! The path in the studio.

use super::{positions, write};
use crate::studio::{Page, Serving, Shown, show};
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

    /// Serves the page with a path of some joints.
    pub fn show(
        &self,
        page: Page,
        shown: Shown,
        joints: &[String],
        path: &[Configuration],
    ) -> Result<ExitCode> {
        let rows = path.iter().map(|row| positions(row, joints));
        let rows: Vec<Vec<f64>> = rows.collect::<Result<_>>().context("--studio")?;
        let mut table = Vec::new();
        write(&mut table, joints, &rows)?;
        show(&self.serving, page, shown, table)
    }
}
