//! The CSV file of pairs.

use crate::body_columns::{BODY_COLUMNS, body};
use crate::table::{self, Columns};
use anyhow::Result;
use nalgebra::Isometry3;
use std::path::Path;
use superovoid::Superovoid;

/// Two bodies and their poses.
pub struct Pair {
    pub a: Superovoid,
    pub pose_a: Isometry3<f64>,
    pub b: Superovoid,
    pub pose_b: Isometry3<f64>,
}

impl Pair {
    pub fn borrowed(&self) -> superovoid::Pair<'_> {
        superovoid::Pair {
            a: &self.a,
            pose_a: &self.pose_a,
            b: &self.b,
            pose_b: &self.pose_b,
        }
    }
}

const PREFIXES: [&str; 2] = ["a_", "b_"];
const COLUMNS: usize = PREFIXES.len() * BODY_COLUMNS.len();

/// Reads and checks all pairs of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<Pair>> {
    let columns = Columns {
        names: std::array::from_fn(|k| {
            let (body, column) = (k / BODY_COLUMNS.len(), k % BODY_COLUMNS.len());
            format!("{}{}", PREFIXES[body], BODY_COLUMNS[column])
        }),
        described: format!(
            "{} after a_ for body A and after b_ for body B",
            BODY_COLUMNS.join(" ")
        ),
        ignored: &[],
    };
    table::read(path, &columns, pair)
}

fn pair(numbers: &[f64; COLUMNS]) -> Result<Pair> {
    let of_body = |k: usize| std::array::from_fn(|column| numbers[k * BODY_COLUMNS.len() + column]);
    let (a, pose_a) = body(of_body(0), PREFIXES[0])?;
    let (b, pose_b) = body(of_body(1), PREFIXES[1])?;
    Ok(Pair {
        a,
        pose_a,
        b,
        pose_b,
    })
}
