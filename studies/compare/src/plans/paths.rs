//! Paths of any planner, to be judged: `P scenario index`, then a line with the positions of each of its points.

use super::problems::{lines, numbers};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::path::Path;

pub struct GivenPath {
    pub scenario: String,
    pub index: u32,
    pub points: Vec<Vec<f64>>,
}

/// Reads the paths of a file.
///
/// # Errors
/// What is wrong, with file and line.
pub fn read(path: &Path) -> Result<Vec<GivenPath>> {
    let mut paths: Vec<GivenPath> = Vec::new();
    lines(path, |words| {
        if let ["P", rest @ ..] = words {
            let [scenario, index] = rest else {
                bail!("expected P scenario index");
            };
            let index = index.parse();
            paths.push(GivenPath {
                scenario: (*scenario).to_owned(),
                index: index.map_err(|_| anyhow!("{:?}: not an index", rest[1]))?,
                points: Vec::new(),
            });
            return Ok(());
        }
        let points = &mut paths
            .last_mut()
            .context("expected P, the first of a path")?
            .points;
        let point = numbers(words)?;
        if let Some(first) = points.first() {
            let (count, expected) = (point.len(), first.len());
            ensure!(count == expected, "{count} positions; expected {expected}");
        }
        points.push(point);
        Ok(())
    })?;
    ensure!(!paths.is_empty(), "{}: no paths", path.display());
    Ok(paths)
}
