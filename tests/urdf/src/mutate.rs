//! What can go wrong with a file: in its tree of elements, or in its text.

use crate::element::{Element, Node};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// What the spoilers draw from.
pub(crate) struct Vocabulary {
    /// Names of elements that have a meaning, and some that have none.
    pub names: &'static [&'static str],
    /// Names of attributes.
    pub attributes: &'static [&'static str],
    /// Values that a number, three numbers or a name may be mistaken for, or not.
    pub values: &'static [&'static str],
}

/// Of URDF.
pub(crate) const URDF: Vocabulary = Vocabulary {
    names: &NAMES,
    attributes: &ATTRIBUTES,
    values: &VALUES,
};

const NAMES: [&str; 30] = [
    "robot",
    "link",
    "joint",
    "material",
    "visual",
    "collision",
    "geometry",
    "origin",
    "inertial",
    "mass",
    "inertia",
    "sphere",
    "box",
    "cylinder",
    "mesh",
    "superovoid",
    "SUPEROVOID",
    "superellipsoid",
    "axis",
    "limit",
    "mimic",
    "parent",
    "child",
    "color",
    "texture",
    "xacro:macro",
    "xml:link",
    "",
    "1",
    "näme",
];

const ATTRIBUTES: [&str; 18] = [
    "name",
    "type",
    "link",
    "joint",
    "xyz",
    "rpy",
    "radius",
    "size",
    "length",
    "filename",
    "lower",
    "upper",
    "multiplier",
    "offset",
    "a1",
    "xmlns",
    "xmlns:a",
    "a:b",
];

const VALUES: [&str; 30] = [
    "",
    " ",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "-1e999",
    "1e308 1e308 1e308",
    "1e-400",
    "0",
    "0 0 0",
    "-1",
    "1 2 3 4",
    "0,5",
    "0x10",
    "1f",
    "٣",
    "1\u{a0}2 3",
    "${x}",
    "$(find a)/b",
    "link_0",
    "link_1",
    "joint_1",
    "joint_2",
    "fixed",
    "revolute",
    "\u{1}",
    "\u{ffff}",
    "http://example.org/x",
    "../../../etc/passwd",
];

/// Pieces of XML.
const TOKENS: [&str; 24] = [
    "<",
    ">",
    "/>",
    "</",
    "</link>",
    "<link name=\"new\"/>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<!DOCTYPE robot [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]>",
    "&a;",
    "&",
    "&#0;",
    "&#xd800;",
    "&#x41;",
    "\"",
    "'",
    "\0",
    "\u{feff}",
    "\r",
    "é\u{1F916}",
];

fn pick<'a>(from: &[&'a str], rng: &mut ChaCha8Rng) -> &'a str {
    from[rng.random_range(0..from.len())]
}

/// Spoils one thing somewhere in the tree.
pub(crate) fn tree(root: &mut Element, words: &Vocabulary, rng: &mut ChaCha8Rng) {
    let place = rng.random_range(0..count(root));
    let copied = nth(root, rng.random_range(0..count(root))).clone();
    let element = nth(root, place);
    match rng.random_range(0..12) {
        0 => element.name = pick(words.names, rng).to_owned(),
        1 | 2 => set_value(element, pick(words.values, rng), rng),
        3 => drop(take(&mut element.attributes, rng)),
        4 => {
            if let Some(attribute) = take(&mut element.attributes, rng) {
                element.attributes.extend([attribute.clone(), attribute]);
            }
        }
        5 => {
            let [name, value] = [pick(words.attributes, rng), pick(words.values, rng)];
            element.attributes.push((name.to_owned(), value.to_owned()));
        }
        6 => drop(take(&mut element.children, rng)),
        7 => {
            if let Some(child) = take(&mut element.children, rng) {
                element.children.extend([child.clone(), child]);
            }
        }
        // Something from elsewhere, which may hold this very element.
        8 | 9 => element.children.push(Node::Element(copied)),
        10 => {
            let token = pick(&TOKENS, rng).to_owned();
            element.children.push(Node::Verbatim(token));
        }
        _ => {
            let depth = rng.random_range(1..200);
            let name = pick(words.names, rng);
            let wrap = |inner, _| Element::new(name, &[]).with(inner);
            *element = (0..depth).fold(std::mem::take(element), wrap);
        }
    }
}

fn set_value(element: &mut Element, value: &str, rng: &mut ChaCha8Rng) {
    let count = element.attributes.len();
    if count > 0 {
        value.clone_into(&mut element.attributes[rng.random_range(0..count)].1);
    }
}

fn take<T>(items: &mut Vec<T>, rng: &mut ChaCha8Rng) -> Option<T> {
    (!items.is_empty()).then(|| items.remove(rng.random_range(0..items.len())))
}

fn count(element: &Element) -> usize {
    let children = element.children.iter();
    let inside = children.map(|child| match child {
        Node::Element(child) => count(child),
        Node::Verbatim(_) => 0,
    });
    1 + inside.sum::<usize>()
}

/// The n-th element, from 0, in the order of the text; the root if there are fewer.
fn nth(root: &mut Element, n: usize) -> &mut Element {
    let mut before = 1;
    let mut inside = None;
    for (i, child) in root.children.iter().enumerate() {
        let Node::Element(child) = child else {
            continue;
        };
        let elements = count(child);
        if n >= before && n < before + elements {
            inside = Some((i, n - before));
        }
        before += elements;
    }
    let Some((i, rest)) = inside else { return root };
    match &mut root.children[i] {
        Node::Element(child) => nth(child, rest),
        // Not reached: only elements were looked at.
        Node::Verbatim(_) => unreachable!(),
    }
}

/// Spoils one thing somewhere in the text.
pub(crate) fn text(text: &mut String, words: &Vocabulary, rng: &mut ChaCha8Rng) {
    let [from, to] = range(text, rng);
    match rng.random_range(0..7) {
        0 => text.truncate(from),
        1 => text.replace_range(from..to, ""),
        2 => {
            let piece = text[from..to].to_owned();
            text.insert_str(to, &piece);
        }
        3 | 4 => text.insert_str(from, pick(&TOKENS, rng)),
        5 => text.replace_range(from..to, pick(words.values, rng)),
        _ => {
            let piece = text[from..to].to_owned();
            let [at, _] = range(text, rng);
            text.insert_str(at, &piece);
        }
    }
}

/// A short range of the text at boundaries of characters.
fn range(text: &str, rng: &mut ChaCha8Rng) -> [usize; 2] {
    let boundary = |at: usize| {
        let mut before = (0..=at.min(text.len())).rev();
        before.find(|&at| text.is_char_boundary(at)).unwrap_or(0)
    };
    let from = rng.random_range(0..=text.len());
    let length = if rng.random_bool(0.5) { 4 } else { 100 };
    [from, from + rng.random_range(0..=length)].map(boundary)
}
