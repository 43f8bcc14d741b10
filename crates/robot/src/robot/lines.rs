//! Lines and columns of a text.

use super::error::{UrdfError, UrdfProblem};

/// A text with an index that finds the line and column of any byte in the same short time, however long its lines
/// are.
pub(super) struct Lines<'a> {
    pub text: &'a str,
    /// The bytes at which lines start.
    starts: Vec<usize>,
    /// The number of characters that start before every multiple of [`BLOCK`] bytes.
    characters: Vec<usize>,
}

const BLOCK: usize = 1024;

impl<'a> Lines<'a> {
    pub fn new(text: &'a str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        let mut characters = vec![0];
        let mut before = 0;
        for block in text.as_bytes().chunks(BLOCK) {
            before += starts_of_characters(block);
            characters.push(before);
        }
        Lines {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
            characters,
        }
    }

    /// Returns the line and column, from 1, of a byte of the text.
    pub fn position(&self, byte: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|&start| start <= byte);
        let column = self.characters_before(byte) - self.characters_before(self.starts[line - 1]);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        (number(line), number(column + 1))
    }

    fn characters_before(&self, byte: usize) -> usize {
        let block = byte / BLOCK;
        let rest = &self.text.as_bytes()[block * BLOCK..byte];
        self.characters[block] + starts_of_characters(rest)
    }

    /// Returns the byte at a line and column, or the end of the text if there is no such place.
    pub fn byte(&self, line: u32, column: u32) -> usize {
        let index = |n: u32| usize::try_from(n).unwrap_or(usize::MAX).saturating_sub(1);
        let Some(&start) = self.starts.get(index(line)) else {
            return self.text.len();
        };
        let found = self.text[start..].char_indices().nth(index(column));
        found.map_or(self.text.len(), |(distance, _)| start + distance)
    }

    /// A problem at a byte of the text.
    pub fn error(&self, byte: usize, problem: UrdfProblem) -> UrdfError {
        UrdfError {
            path: None,
            position: Some(self.position(byte)),
            problem: Box::new(problem),
        }
    }
}

/// Returns the number of bytes that do not continue a character of UTF-8.
fn starts_of_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}
