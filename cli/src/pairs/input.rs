//! The CSV file of pairs: columns by name, every value checked, every error with its place.

use anyhow::{Context, Result, bail, ensure};
use csv::StringRecord;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use superovoid::Superovoid;

/// Two bodies and their poses.
pub struct Pair {
    pub a: Superovoid,
    pub pose_a: Isometry3<f64>,
    pub b: Superovoid,
    pub pose_b: Isometry3<f64>,
}

/// Columns of one body, after its prefix.
const BODY_COLUMNS: [&str; 14] = [
    "a1", "a2", "a3", "e1", "e2", "tx", "ty", "qw", "qx", "qy", "qz", "px", "py", "pz",
];
const PREFIXES: [&str; 2] = ["a_", "b_"];
const COLUMNS: usize = PREFIXES.len() * BODY_COLUMNS.len();

/// Farthest that the length of a quaternion may be from 1: six decimals or single precision stay
/// within it; anything farther is more likely a mistake than rounding, and is not normalised.
const UNIT_TOLERANCE: f64 = 1e-5;

/// Reads and checks all pairs of a file, or of standard input for `-`.
pub fn read(path: &Path) -> Result<Vec<Pair>> {
    if path == Path::new("-") {
        return read_from(io::stdin().lock(), "standard input");
    }
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| name.clone())?;
    read_from(file, &name)
}

fn read_from(source: impl Read, file: &str) -> Result<Vec<Pair>> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        // Rows of the wrong length are found here, where the missing column can be named.
        .flexible(true)
        .has_headers(false)
        .from_reader(source);
    let mut row = StringRecord::new();
    if !next_row(&mut reader, &mut row, file)? {
        bail!("{file}: the file is empty; expected a header that names the columns");
    }
    let header = Header::new(&row, file)?;
    let mut pairs = Vec::new();
    while next_row(&mut reader, &mut row, file)? {
        pairs.push(header.pair(&row, file)?);
    }
    Ok(pairs)
}

fn next_row(
    reader: &mut csv::Reader<impl Read>,
    row: &mut StringRecord,
    file: &str,
) -> Result<bool> {
    let start = reader.position().line();
    match reader.read_record(row) {
        Ok(more) => Ok(more),
        Err(error) => match error.kind() {
            csv::ErrorKind::Utf8 { pos, err } => {
                let line = pos.as_ref().map_or(start, csv::Position::line);
                let column = err.field() + 1;
                bail!("{file}:{line}: value {column} is not UTF-8 text; save the file as UTF-8")
            }
            _ => Err(error).with_context(|| file.to_owned()),
        },
    }
}

/// Where in a row each column stands.
struct Header {
    /// Names as in the file.
    names: Vec<String>,
    /// For each body, the field that holds each of `BODY_COLUMNS`.
    fields: [[usize; BODY_COLUMNS.len()]; PREFIXES.len()],
}

impl Header {
    fn new(row: &StringRecord, file: &str) -> Result<Self> {
        let line = line_of(row);
        let names: Vec<String> = row.iter().map(str::to_owned).collect();
        for (field, name) in names.iter().enumerate() {
            let known = PREFIXES.iter().any(|prefix| {
                name.strip_prefix(prefix)
                    .is_some_and(|n| BODY_COLUMNS.contains(&n))
            });
            // Not skipped: a misspelt column must not turn into a missing one.
            ensure!(
                known,
                "{file}:{line}: unknown column {name:?}; the columns, separated by commas, are \
                 {} after a_ for body A and after b_ for body B",
                BODY_COLUMNS.join(" "),
            );
            ensure!(
                !names[..field].contains(name),
                "{file}:{line}: column {name:?} is there twice; keep one"
            );
        }
        let mut missing = Vec::new();
        let fields = PREFIXES.map(|prefix| {
            BODY_COLUMNS.map(|column| {
                let name = format!("{prefix}{column}");
                let field = names.iter().position(|n| *n == name);
                field.unwrap_or_else(|| {
                    missing.push(name);
                    usize::MAX
                })
            })
        });
        ensure!(
            missing.is_empty(),
            "{file}:{line}: missing column{} {}; the header must name all {COLUMNS} columns",
            if missing.len() == 1 { "" } else { "s" },
            missing.join(", "),
        );
        Ok(Header { names, fields })
    }

    fn pair(&self, row: &StringRecord, file: &str) -> Result<Pair> {
        let line = line_of(row);
        if row.len() < COLUMNS {
            let missing = &self.names[row.len()];
            let count = row.len();
            bail!("{file}:{line}:{missing}: missing; the row has {count} of {COLUMNS} values");
        }
        if row.len() > COLUMNS {
            let count = row.len();
            let extra = &row[COLUMNS];
            let last = &self.names[COLUMNS - 1];
            bail!(
                "{file}:{line}: extra value {extra:?} after column {last}; the row has {count} \
                 values for {COLUMNS} columns"
            );
        }
        let (a, pose_a) = self.body(row, 0, file, line)?;
        let (b, pose_b) = self.body(row, 1, file, line)?;
        Ok(Pair {
            a,
            pose_a,
            b,
            pose_b,
        })
    }

    fn body(
        &self,
        row: &StringRecord,
        body: usize,
        file: &str,
        line: u64,
    ) -> Result<(Superovoid, Isometry3<f64>)> {
        let prefix = PREFIXES[body];
        let mut numbers = [0.0; BODY_COLUMNS.len()];
        for (k, &field) in self.fields[body].iter().enumerate() {
            let place = || format!("{file}:{line}:{}", self.names[field]);
            numbers[k] = number(&row[field]).with_context(place)?;
        }
        let [a1, a2, a3, e1, e2, tx, ty, qw, qx, qy, qz, px, py, pz] = numbers;
        let shape = Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty])
            .map_err(|e| anyhow::anyhow!("{file}:{line}:{prefix}{}: {e}", e.parameter.name()))?;
        let quaternion = Quaternion::new(qw, qx, qy, qz);
        let length = quaternion.norm();
        // Written so that a length of infinity is refused as well.
        ensure!(
            (length - 1.0).abs() <= UNIT_TOLERANCE,
            "{file}:{line}:{prefix}qw: the quaternion ({qw}, {qx}, {qy}, {qz}) has length \
             {length}; expected 1 within {UNIT_TOLERANCE:e}, divide it by its length"
        );
        let rotation = UnitQuaternion::new_normalize(quaternion);
        let pose = Isometry3::from_parts(Translation3::new(px, py, pz), rotation);
        Ok((shape, pose))
    }
}

fn number(text: &str) -> Result<f64> {
    ensure!(!text.is_empty(), "the value is empty; expected a number");
    let Ok(value) = text.parse::<f64>() else {
        bail!("{text:?} is not a number");
    };
    ensure!(value.is_finite(), "{text:?} is not a finite number");
    Ok(value)
}

/// Line of the file, from 1, where the row starts.
fn line_of(row: &StringRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}
