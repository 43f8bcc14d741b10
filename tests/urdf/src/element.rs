//! XML as a tree, and its text.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::fmt::Write as _;

/// An element. Nothing keeps it from having an attribute twice or a name that XML has not.
#[derive(Clone, Debug, Default)]
pub struct Element {
    /// Its name, with a prefix if it has one.
    pub name: String,
    /// Names and values.
    pub attributes: Vec<(String, String)>,
    /// What is in it.
    pub children: Vec<Node>,
}

/// What an element may hold.
#[derive(Clone, Debug)]
pub enum Node {
    /// An element.
    Element(Element),
    /// Anything else, as it stands in the text: words, a comment, a processing instruction.
    Verbatim(String),
}

impl Element {
    /// An element without children.
    pub fn new(name: &str, attributes: &[(&str, &str)]) -> Self {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        Element {
            name: name.to_owned(),
            attributes: attributes.iter().map(owned).collect(),
            children: Vec::new(),
        }
    }

    /// The element with one more child.
    #[must_use]
    pub fn with(mut self, child: Element) -> Self {
        self.children.push(Node::Element(child));
        self
    }
}

/// The text of a file, with a declaration and a byte order mark or not, and any white space.
pub(crate) fn document(root: &Element, rng: &mut ChaCha8Rng) -> String {
    let mut text = String::new();
    if rng.random_bool(0.1) {
        text.push('\u{feff}');
    }
    if rng.random_bool(0.5) {
        text.push_str("<?xml version=\"1.0\" encoding=\"utf-8\"?>");
        text.push_str(space(rng));
    }
    let line_break = ["\n", "\r\n", "", " "][rng.random_range(0..4)];
    write(root, &mut text, line_break, rng);
    text.push_str(line_break);
    text
}

fn write(element: &Element, text: &mut String, line_break: &str, rng: &mut ChaCha8Rng) {
    let _ = write!(text, "<{}", element.name);
    for (name, value) in &element.attributes {
        let gap = [" ", " ", "\n ", "\t"][rng.random_range(0..4)];
        let equals = ["=", "=", " = ", "=\n"][rng.random_range(0..4)];
        let quote = if rng.random_bool(0.5) { '"' } else { '\'' };
        let _ = write!(text, "{gap}{name}{equals}{quote}{}{quote}", escaped(value));
    }
    if element.children.is_empty() && rng.random_bool(0.8) {
        text.push_str("/>");
        return;
    }
    text.push('>');
    for child in &element.children {
        text.push_str(line_break);
        match child {
            Node::Element(child) => write(child, text, line_break, rng),
            Node::Verbatim(words) => text.push_str(words),
        }
    }
    let _ = write!(text, "{line_break}</{}>", element.name);
}

fn escaped(value: &str) -> String {
    let mut text = String::new();
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '"' => text.push_str("&quot;"),
            '\'' => text.push_str("&#39;"),
            '\n' | '\t' | '\r' => {
                let _ = write!(text, "&#x{:x};", u32::from(c));
            }
            _ => text.push(c),
        }
    }
    text
}

fn space(rng: &mut ChaCha8Rng) -> &'static str {
    ["", "\n", "\r\n", "\n<!-- made by chance -->\n", "<?more?>"][rng.random_range(0..5)]
}
