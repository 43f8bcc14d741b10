//! Mean times of the paths that a program is judged by, on one line: for programs built for other processors, which
//! `studies/compare/levels.sh` builds and compares.

use crate::measure::{Plan, Side, measure};
use crate::peer::Engines;
use crate::{machine, workload};
use anyhow::{Context, Result};
use indicatif::ProgressBar;

/// Workload, and the name of our row in it.
const MEANS: [[&str; 2]; 5] = [
    ["battery", "superovoid"],
    ["warm", "superovoid, warm"],
    ["battery", "superovoid, batch"],
    ["points", "superovoid"],
    ["points", "superovoid, slices of points"],
];

/// The means in nanoseconds, separated by spaces.
///
/// # Errors
/// A workload without one of the rows.
pub fn means(count: usize, rounds: usize) -> Result<String> {
    let engines = Engines::load();
    let plan = Plan {
        rounds,
        clock: machine::clock_overhead(),
        judged: false,
        peers: vec!["superovoid".to_owned()],
    };
    let measured = ["battery", "warm", "points"].map(|name| -> Result<_> {
        let workload = workload::make(name, count, 2017)?.context("there is no such workload")?;
        Ok(measure(workload, &engines, &plan, &ProgressBar::hidden()))
    });
    let measured: Vec<_> = measured.into_iter().collect::<Result<_>>()?;
    let mean = |[workload, name]: [&str; 2]| {
        let measured = measured.iter().find(|m| m.workload.name == workload)?;
        let row = measured.rows.iter().find(|row| row.name == name)?;
        Some(format!("{:.1}", measured.summary(row, Side::All)?.mean))
    };
    let means = MEANS.map(|which| mean(which).with_context(|| format!("no row {which:?}")));
    let means: Vec<String> = means.into_iter().collect::<Result<_>>()?;
    Ok(means.join(" "))
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_mean_is_a_time() {
        let line = super::means(20, 1).expect("means");
        let means: Vec<f64> = line
            .split(' ')
            .map(|x| x.parse().expect("a number"))
            .collect();
        assert_eq!(means.len(), 5);
        assert!(means.iter().all(|&mean| mean > 1.0), "{line}");
    }
}
