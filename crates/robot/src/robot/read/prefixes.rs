//! Prefixes that no `xmlns:` declares, as `drake:` in files whose authors forgot it.
//!
//! XML with namespaces forbids them, and the parser refuses the file; other readers of URDF skip what they mark. The
//! colon behind such a prefix is replaced by a point, which keeps every place in the text, so that the elements and
//! attributes become unknown names, of which the reader warns. One prefix at a time is found by the parser.

use super::reader::{Node, Reader};
use crate::robot::error::{UrdfError, UrdfProblem};
use crate::robot::lines::Lines;
use crate::robot::xml;
use roxmltree::{Document, Error};

/// A text whose undeclared prefixes are parts of names.
pub(super) struct Renamed {
    text: String,
    /// Every prefix and the byte at which it is first used.
    prefixes: Vec<(String, usize)>,
}

impl Renamed {
    /// The number of prefixes above which a file is refused: every one of them takes another pass.
    const MOST: usize = 16;

    /// Returns the text without undeclared prefixes if they are the reason for the error.
    pub fn of(text: &str, error: &UrdfError) -> Option<Self> {
        // Only the parser finds such an error, so that the text is within the limits.
        let UrdfProblem::Xml(_) = *error.problem else {
            return None;
        };
        let mut renamed = Renamed {
            text: text.to_owned(),
            prefixes: Vec::new(),
        };
        while let Some(prefix) = undeclared(&renamed.text) {
            if prefix == "xacro" || renamed.prefixes.len() == Self::MOST {
                return None;
            }
            renamed.rename(prefix)?;
        }
        (!renamed.prefixes.is_empty()).then_some(renamed)
    }

    /// Returns the XML, with errors at the places of the original text.
    pub fn document<'a>(&'a self, lines: &Lines) -> Result<Document<'a>, UrdfError> {
        Document::parse(&self.text).map_err(|error| {
            let (at, problem) = xml::problem(lines, &error);
            lines.error(at, problem)
        })
    }

    /// Replaces the colons behind a prefix; `None` if there is none.
    fn rename(&mut self, prefix: String) -> Option<()> {
        let colons = uses(&self.text, &prefix);
        let first = *colons.first()? - prefix.len();
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        for colon in colons {
            bytes[colon] = b'.';
        }
        // One ASCII character took the place of another.
        self.text = String::from_utf8(bytes).ok()?;
        self.prefixes.push((prefix, first));
        Some(())
    }
}

/// Returns the prefix at which the parser stops.
fn undeclared(text: &str) -> Option<String> {
    match Document::parse(text) {
        Err(Error::UnknownNamespace(prefix, _)) => Some(prefix),
        _ => None,
    }
}

/// Returns the bytes of the colons behind a prefix in the names of elements and attributes.
fn uses(text: &str, prefix: &str) -> Vec<usize> {
    let after = |from: usize, what: &str| {
        let found = text[from..].find(what);
        found.map_or(text.len(), |distance| from + distance + what.len())
    };
    let mut colons = Vec::new();
    let mut end = 0;
    while let Some(distance) = text[end..].find('<') {
        let start = end + distance;
        let rest = &text[start..];
        end = if rest.starts_with("<!--") {
            after(start + 4, "-->")
        } else if rest.starts_with("<![CDATA[") {
            after(start + 9, "]]>")
        } else if rest.starts_with("<?") {
            after(start + 2, "?>")
        } else {
            uses_in_tag(text.as_bytes(), start, prefix.as_bytes(), &mut colons)
        };
    }
    colons
}

/// Adds the colons of the tag at a byte; returns the byte after it.
fn uses_in_tag(text: &[u8], start: usize, prefix: &[u8], colons: &mut Vec<usize>) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'>' => return at + 1,
            b'"' | b'\'' => {
                let value = text[at + 1..].iter().position(|&b| b == byte);
                at = value.map_or(text.len(), |length| at + 2 + length);
                continue;
            }
            _ => {}
        }
        let before = text[at - 1];
        let begins = before == b'<' || before == b'/' || before.is_ascii_whitespace();
        let colon = at + prefix.len();
        if begins && text[at..].starts_with(prefix) && text.get(colon) == Some(&b':') {
            colons.push(colon);
        }
        at += 1;
    }
    text.len()
}

impl<'a> Reader<'a> {
    pub(super) fn tell_undeclared(&mut self, renamed: &Renamed) {
        for (prefix, at) in &renamed.prefixes {
            let message = format!(
                "the prefix {prefix}: is not declared; what it marks is not part of the model"
            );
            self.warning(*at, message);
        }
    }

    /// Refuses a shape whose prefix is not declared: nothing says what it is.
    pub(super) fn must_be_declared(&self, node: Node<'a>) -> Result<(), UrdfError> {
        let tag = self.whole_tag(node);
        if tag.ends_with(node.tag_name().name()) {
            return Ok(());
        }
        let prefix = tag.split(':').next().unwrap_or_default();
        let message = format!(
            "the prefix {prefix}: of a shape is not declared; expected xmlns:{prefix}=\"…\" on <robot>"
        );
        Err(self.error(node.range().start, UrdfProblem::Xml(message)))
    }
}
