//! The CSV file of pairs: columns by name, every value checked, every error with its place.

use anyhow::{Context, Result, anyhow, bail, ensure};
use csv::StringRecord;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};
use std::fs;
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
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        let name = "standard input";
        io::stdin().read_to_end(&mut bytes).context(name)?;
        return Source::new(name, &bytes).pairs();
    }
    let name = path.display().to_string();
    let bytes = fs::read(path).with_context(|| name.clone())?;
    Source::new(&name, &bytes).pairs()
}

/// The text of a file and its name.
struct Source<'a> {
    file: &'a str,
    text: &'a [u8],
}

impl<'a> Source<'a> {
    fn new(file: &'a str, bytes: &'a [u8]) -> Self {
        let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
        Source { file, text }
    }

    fn pairs(&self) -> Result<Vec<Pair>> {
        let mut rows = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            // Rows of the wrong length are found here, where the missing column can be named.
            .flexible(true)
            .has_headers(false)
            .from_reader(self.text);
        let mut row = StringRecord::new();
        if !self.next_row(&mut rows, &mut row)? {
            let file = self.file;
            bail!("{file}: the file is empty; expected a header that names the columns");
        }
        let header = Header::new(&row, &self.place(&row))?;
        let mut pairs = Vec::new();
        while self.next_row(&mut rows, &mut row)? {
            let pair = header.pair(&row);
            pairs.push(pair.map_err(|problem| anyhow!("{}{problem:#}", self.place(&row)))?);
        }
        Ok(pairs)
    }

    fn next_row(&self, rows: &mut csv::Reader<&[u8]>, row: &mut StringRecord) -> Result<bool> {
        let start = rows.position().byte();
        rows.read_record(row).map_err(|error| match error.kind() {
            csv::ErrorKind::Utf8 { err, .. } => anyhow!(
                "{}:{}: value {} is not UTF-8 text; save the file as UTF-8",
                self.file,
                self.line(start),
                err.field() + 1
            ),
            _ => anyhow!("{}: {error}", self.file),
        })
    }

    /// `file:line` of a row.
    fn place(&self, row: &StringRecord) -> String {
        let start = row.position().map_or(0, csv::Position::byte);
        format!("{}:{}", self.file, self.line(start))
    }

    /// Line, from 1, of the row that starts at a byte or after the line ends there. (The line that
    /// the csv reader gives is that of the first blank line before the row.)
    fn line(&self, byte: u64) -> usize {
        let blank = self.text[byte as usize..].iter();
        let blank = blank.take_while(|b| matches!(b, b'\r' | b'\n')).count();
        let before = &self.text[..byte as usize + blank];
        1 + before.iter().filter(|&&b| b == b'\n').count()
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
    fn new(row: &StringRecord, place: &str) -> Result<Self> {
        let names: Vec<String> = row.iter().map(str::to_owned).collect();
        for (field, name) in names.iter().enumerate() {
            let known = PREFIXES.iter().any(|prefix| {
                name.strip_prefix(prefix)
                    .is_some_and(|n| BODY_COLUMNS.contains(&n))
            });
            // Not skipped: a misspelt column must not turn into a missing one.
            ensure!(
                known,
                "{place}: unknown column {name:?}; the columns, separated by commas, are \
                 {} after a_ for body A and after b_ for body B",
                BODY_COLUMNS.join(" "),
            );
            ensure!(
                !names[..field].contains(name),
                "{place}: column {name:?} is there twice; keep one"
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
            "{place}: missing column{} {}; the header must name all {COLUMNS} columns",
            if missing.len() == 1 { "" } else { "s" },
            missing.join(", "),
        );
        Ok(Header { names, fields })
    }

    /// The pair of a row. The error goes on from the row's `file:line`, with the column if it
    /// has one.
    fn pair(&self, row: &StringRecord) -> Result<Pair> {
        if row.len() < COLUMNS {
            let missing = &self.names[row.len()];
            let count = row.len();
            bail!(":{missing}: missing; the row has {count} of {COLUMNS} values");
        }
        if row.len() > COLUMNS {
            let count = row.len();
            let extra = &row[COLUMNS];
            let last = &self.names[COLUMNS - 1];
            bail!(
                ": extra value {extra:?} after column {last}; the row has {count} \
                 values for {COLUMNS} columns"
            );
        }
        let (a, pose_a) = self.body(row, 0)?;
        let (b, pose_b) = self.body(row, 1)?;
        Ok(Pair {
            a,
            pose_a,
            b,
            pose_b,
        })
    }

    fn body(&self, row: &StringRecord, body: usize) -> Result<(Superovoid, Isometry3<f64>)> {
        let prefix = PREFIXES[body];
        let mut numbers = [0.0; BODY_COLUMNS.len()];
        for (k, &field) in self.fields[body].iter().enumerate() {
            let place = || format!(":{}", self.names[field]);
            numbers[k] = number(&row[field]).with_context(place)?;
        }
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
}

fn number(text: &str) -> Result<f64> {
    ensure!(!text.is_empty(), "the value is empty; expected a number");
    let Ok(value) = text.parse::<f64>() else {
        bail!("{text:?} is not a number");
    };
    ensure!(value.is_finite(), "{text:?} is not a finite number");
    Ok(value)
}
