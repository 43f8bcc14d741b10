//! The text of a mesh file: its characters, lines, words and numbers.

use super::soup::{Problem, problem};
use std::borrow::Cow;

/// Returns the text of a file without its byte order mark: UTF-16 where the mark or an XML file's first character says
/// so, UTF-8 where the bytes are that, and else Latin-1, in which every byte is a character. Mesh formats name nothing
/// but comments and names in letters beyond ASCII, so what is read does not depend on it.
pub(super) fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        // Half a unit at the end is no character.
        let units = bytes.chunks(2).map(|c| c.try_into().map_or(0xd800, unit));
        let characters = char::decode_utf16(units);
        Cow::Owned(
            characters
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
        )
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [b'<', 0, ..] => utf16(bytes, u16::from_le_bytes),
        [0, b'<', ..] => utf16(bytes, u16::from_be_bytes),
        _ => {
            let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
            match std::str::from_utf8(bytes) {
                Ok(text) => Cow::Borrowed(text),
                Err(_) => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
            }
        }
    }
}

/// Returns the lines with their numbers, from 1; LF, CR and CR LF end them.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> + Clone {
    let mut rest = Some(text);
    let texts = std::iter::from_fn(move || {
        let text = rest?;
        let Some(end) = text.bytes().position(|b| b == b'\n' || b == b'\r') else {
            rest = None;
            return Some(text);
        };
        let (line, after) = text.split_at(end);
        rest = Some(after.strip_prefix("\r\n").unwrap_or(&after[1..]));
        Some(line)
    });
    (1..).zip(texts)
}

/// Returns the words of a line. A byte order mark within the text, of files that were put together, is a blank.
pub(super) fn words(line: &str) -> impl Iterator<Item = &str> + Clone {
    let is_blank = |c: char| c.is_ascii_whitespace() || c == '\x0b' || c == '\u{feff}';
    line.split(is_blank).filter(|word| !word.is_empty())
}

/// Returns the finite number that a word is.
pub(super) fn number(line: usize, word: &str) -> Result<f64, Problem> {
    match word.parse() {
        Ok(x) if f64::is_finite(x) => Ok(x),
        Ok(_) => Err(at(line, format!("{word} is not finite"))),
        Err(_) => Err(at(line, format!("{} is not a number", shown(word)))),
    }
}

/// Returns a word in quotation marks, cut off where it is long.
pub(super) fn shown(word: &str) -> String {
    let start: String = word.chars().take(30).collect();
    format!("{start:?}")
}

/// Returns what is wrong in a line.
pub(super) fn at(line: usize, reason: impl Into<String>) -> Problem {
    problem(format!("line {line}"), reason)
}
