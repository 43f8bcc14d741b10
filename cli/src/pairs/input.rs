//! The CSV file of pairs.

use crate::table::{self, Columns};
use anyhow::{Result, anyhow, ensure};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
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

/// The columns of one body, after its prefix.
const BODY_COLUMNS: [&str; 14] = [
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz",
];
const PREFIXES: [&str; 2] = ["a_", "b_"];
const COLUMNS: usize = PREFIXES.len() * BODY_COLUMNS.len();

/// The largest deviation of a quaternion's length from 1: six decimals or single precision stay
/// within it; a larger one is more likely a mistake than rounding, and is not normalised.
const UNIT_TOLERANCE: f64 = 1e-5;

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

fn body(numbers: [f64; BODY_COLUMNS.len()], prefix: &str) -> Result<(Superovoid, Isometry3<f64>)> {
    let [a1, a2, a3, e1, e2, tx, ty, qw, qx, qy, qz, px, py, pz] = numbers;
    let shape = Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])
        .map_err(|e| anyhow!(":{prefix}{}: {e}", e.parameter.name()))?;
    let quaternion = Quaternion::new(qw, qx, qy, qz);
    let length = quaternion.norm();
    // Written so that a length of infinity is refused as well.
    ensure!(
        (length - 1.0).abs() <= UNIT_TOLERANCE,
        ":{prefix}qw: the quaternion ({qw}, {qx}, {qy}, {qz}) has length \
         {length}; expected 1 within {UNIT_TOLERANCE:e}, divide it by its length"
    );
    let rotation = UnitQuaternion::new_normalize(quaternion);
    let pose = Isometry3::from_parts(Translation3::new(px, py, pz), rotation);
    Ok((shape, pose))
}
