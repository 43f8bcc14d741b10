//! Scenes as JSON text: numbers are read to the last bit, and errors name line, column and field.

use crate::scene::{SCENE_VERSION, Scene};
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};
use superovoid_json::{JsonError, from_json};

impl Scene {
    /// Reads a scene from JSON. It is not validated: [`World::new`](crate::World::new) does that.
    ///
    /// # Errors
    /// The error names another version, or the line, the column and the field at which the text is not that of a scene.
    pub fn from_json(text: &str) -> Result<Scene, JsonError> {
        from_json(text, SCENE_VERSION)
    }

    /// Writes the scene as JSON, from which [`Scene::from_json`] reads the same bits. Lists of numbers stand on a line.
    pub fn to_json(&self) -> String {
        to_text(self)
    }
}

/// Writes any of the data of this library as JSON for people to read.
pub(crate) fn to_text(value: &impl Serialize) -> String {
    let mut out = Vec::new();
    let mut writer = serde_json::Serializer::with_formatter(&mut out, Lines::default());
    value
        .serialize(&mut writer)
        .expect("plain data is written to memory without errors");
    out.push(b'\n');
    String::from_utf8(out).expect("JSON is UTF-8")
}

/// Lists of numbers on one line, everything else on lines of its own.
#[derive(Default)]
struct Lines {
    /// For each open list or object, whether something in it began a line.
    broken: Vec<bool>,
    /// Whether the value that comes is one of a list, and has nothing before it yet.
    pending: bool,
}

impl Lines {
    fn line(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        if let Some(broken) = self.broken.last_mut() {
            *broken = true;
        }
        writeln!(out)?;
        (0..self.broken.len()).try_for_each(|_| out.write_all(b"  "))
    }

    /// Before a list or an object in a list.
    fn open(&mut self, out: &mut (impl Write + ?Sized)) -> io::Result<()> {
        if std::mem::take(&mut self.pending) {
            self.line(out)?;
        }
        self.broken.push(false);
        Ok(())
    }

    fn close(&mut self, out: &mut (impl Write + ?Sized), end: &[u8]) -> io::Result<()> {
        if self.broken.pop() == Some(true) {
            writeln!(out)?;
            (0..self.broken.len()).try_for_each(|_| out.write_all(b"  "))?;
        }
        out.write_all(end)
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out)?;
        out.write_all(b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.pending = true;
        if first { Ok(()) } else { out.write_all(b",") }
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.pending = false;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.open(out)?;
        out.write_all(b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.close(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        if !first {
            out.write_all(b",")?;
        }
        self.line(out)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.pending = false;
        out.write_all(b": ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes;

    #[test]
    fn lists_of_numbers_stand_on_a_line() {
        let text = scenes::tablecloth(2, 2).to_json();
        assert!(text.contains("\"position\": [0.0,0.0,0.0]"), "{text}");
        assert!(text.contains("\n      \"pins\": [],\n"), "{text}");
        assert!(
            text.contains("\n        [-5.0,-4.5,3.0],\n        [5.0,-4.5,3.0]"),
            "{text}"
        );
    }

    #[test]
    fn errors_name_line_column_and_field() {
        let said = |text: &str| Scene::from_json(text).unwrap_err().to_string();
        assert_eq!(
            said("{\"version\": 1,\n \"bodies\": [{\"shape\": \"Cube\"}]}"),
            "line 2, column 28, bodies[0].shape: unknown variant `Cube`, expected one of `Superovoid`, `HalfSpace`, `Mesh`"
        );
        assert_eq!(
            said("{\"version\": 1} x"),
            "line 1, column 16: trailing characters"
        );
        assert_eq!(
            said("{\"version\": 1,"),
            "line 1, column 14: EOF while parsing a value"
        );
        assert_eq!(
            said("{\"version\": 5000000000, \"boddies\": []}"),
            "version = 5000000000: this program reads version 1"
        );
        assert_eq!(
            said("{\"version\": 1.5}"),
            "line 1, column 15, version: invalid type: floating point `1.5`, expected u32"
        );
        assert_eq!(
            said("{\"bodies\": []}"),
            "line 1, column 14: missing field `version`"
        );
    }
}
