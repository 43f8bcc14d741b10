//! Reading a file and parsing its XML.

use crate::robot::error::{UrdfError, UrdfProblem};
use crate::robot::limits::{self, Exceeded, UrdfLimits};
use crate::robot::lines::Lines;
use crate::robot::xml;
use std::io::Read;
use std::path::Path;

/// Reads a file, no more of it than the limits allow, and parses its text; errors name the file.
pub(in crate::robot) fn read_file<T>(
    path: &Path,
    limits: &UrdfLimits,
    parse: impl Fn(&str) -> Result<T, UrdfError>,
) -> Result<T, UrdfError> {
    let read = || {
        let bytes = read_bytes(path, limits).map_err(|error| UrdfError {
            path: None,
            position: None,
            problem: Box::new(error.into()),
        })?;
        if is_utf16(&bytes) {
            return Err(refused(1, 1, UrdfProblem::Utf16));
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => parse(text),
            // The limit may cut a character in two, which is then not the error.
            Err(_) if bytes.len() > limits.bytes => parse(&String::from_utf8_lossy(&bytes)),
            Err(error) => Err(not_utf8(&bytes[..error.valid_up_to()])),
        }
    };
    read().map_err(|error| UrdfError {
        path: Some(path.to_owned()),
        ..error
    })
}

/// Returns the XML of a text within the limits.
pub(in crate::robot) fn document<'a>(
    lines: &Lines<'a>,
    limits: &UrdfLimits,
) -> Result<roxmltree::Document<'a>, UrdfError> {
    if let Err(exceeded) = limits::outline(lines.text, limits) {
        return Err(lines.error(exceeded.at, UrdfProblem::from(&exceeded)));
    }
    roxmltree::Document::parse(lines.text).map_err(|error| {
        let (at, problem) = xml::problem(lines, &error);
        lines.error(at, problem)
    })
}

/// Returns the text with blanks in place of an XML declaration behind white space, which XML forbids and other readers
/// of URDF accept; `None` where there is none. All places remain.
pub(super) fn without_late_declaration(text: &str) -> Option<String> {
    let start = text.len() - text.trim_ascii_start().len();
    let declaration = &text[start..];
    if start == 0 || !declaration.starts_with("<?xml ") {
        return None;
    }
    let length = declaration.find("?>")? + 2;
    let blanks = declaration[..length].chars().map(|c| match c {
        '\r' | '\n' => c.to_string(),
        _ => " ".repeat(c.len_utf8()),
    });
    let blanks: String = blanks.collect();
    Some(format!(
        "{}{blanks}{}",
        &text[..start],
        &declaration[length..]
    ))
}

/// Returns the bytes of a file, at most one more than the limit.
fn read_bytes(path: &Path, limits: &UrdfLimits) -> std::io::Result<Vec<u8>> {
    let enough = u64::try_from(limits.bytes).unwrap_or(u64::MAX);
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.take(enough.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the first character, a byte order mark or `<`, takes two bytes.
fn is_utf16(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 4] = [b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

fn not_utf8(valid: &[u8]) -> UrdfError {
    let text = String::from_utf8_lossy(valid);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Lines::new(text).error(text.len(), UrdfProblem::Encoding)
}

fn refused(line: u32, column: u32, problem: UrdfProblem) -> UrdfError {
    UrdfError {
        path: None,
        position: Some((line, column)),
        problem: Box::new(problem),
    }
}

impl From<&Exceeded> for UrdfProblem {
    fn from(exceeded: &Exceeded) -> Self {
        UrdfProblem::Limit {
            field: exceeded.field,
            limit: exceeded.limit,
        }
    }
}
