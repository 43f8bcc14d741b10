//! The text of a URDF file, edited where collision shapes stand and nowhere else.

use roxmltree::{Document, Node};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;
use superovoid::Superovoid;
use superovoid_robot::{Geometry, Origin};

/// Where a `<collision>` stands in the text, in bytes.
#[derive(Clone, Debug)]
pub(super) struct Place {
    whole: Range<usize>,
    /// The value of its name.
    name: Option<Range<usize>>,
    origin: Option<Range<usize>>,
    geometry: Range<usize>,
    /// The shape in the geometry.
    shape: Range<usize>,
}

/// A superovoid for the file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub shape: Superovoid,
    /// Its origin and the shape for programs that do not know superovoids; None where those of the file stay.
    pub placed: Option<(Origin, Geometry)>,
}

/// The collisions of each link, in the order of the file: those that a [`Robot`](superovoid_robot::Robot) read from
/// the same text has. A place is None where the geometry holds no shape of its own.
pub(super) fn places(text: &str) -> Result<Vec<Vec<Option<Place>>>, roxmltree::Error> {
    let document = Document::parse(text)?;
    let root = document.root_element();
    let finder = Finder {
        own: root.tag_name().namespace(),
    };
    let links = finder.named(root, "link");
    let places = links.map(|link| {
        let collisions = finder.named(link, "collision");
        collisions.map(|node| finder.place(node)).collect()
    });
    Ok(places.collect())
}

struct Finder<'a> {
    /// The namespace of the root.
    own: Option<&'a str>,
}

impl<'a> Finder<'a> {
    /// The child elements of this name that belong to URDF: of no namespace, or of the root's.
    fn named(&self, node: Node<'a, 'a>, name: &'static str) -> impl Iterator<Item = Node<'a, 'a>> {
        let own = self.own;
        node.children().filter(move |child| {
            let namespace = child.tag_name().namespace();
            let is_own = namespace.is_none_or(str::is_empty) || namespace == own;
            child.is_element() && is_own && child.tag_name().name() == name
        })
    }

    fn place(&self, collision: Node<'a, 'a>) -> Option<Place> {
        let geometry = self.named(collision, "geometry").next()?;
        let shape = geometry.children().find(Node::is_element)?;
        let origin = self.named(collision, "origin").next();
        Some(Place {
            whole: collision.range(),
            name: collision.attribute_node("name").map(|a| a.range_value()),
            origin: origin.map(|o| o.range()),
            geometry: geometry.range(),
            shape: shape.range(),
        })
    }
}

/// A new text for a part of the old one.
type Edit = (Range<usize>, String);

/// The text with superovoids at these places, which follow each other; of several at one place the collision is
/// repeated.
pub(super) fn edited(
    text: &str,
    places: &[Vec<Option<Place>>],
    entries: &[(&Place, Vec<Entry>)],
) -> String {
    let mut names = Names::of(text, places);
    let edits = entries.iter().map(|(place, bodies)| {
        let copies = bodies.iter().enumerate().map(|(k, body)| {
            let name = place.name.clone().filter(|_| k > 0);
            let name = name.map(|range| (range.clone(), names.another(&text[range])));
            collision(text, place, body, name)
        });
        let copies: Vec<String> = copies.collect();
        (
            place.whole.clone(),
            copies.join(gap_before(text, place.whole.start)),
        )
    });
    replaced(text, &(0..text.len()), edits.collect())
}

/// The names of all collisions, as the text has them.
struct Names {
    taken: HashSet<String>,
    /// The last number given to copies of a name.
    last: HashMap<String, usize>,
}

impl Names {
    fn of(text: &str, places: &[Vec<Option<Place>>]) -> Names {
        let named = places.iter().flatten().flatten();
        let named = named.filter_map(|place| place.name.clone());
        Names {
            taken: named.map(|range| text[range].to_owned()).collect(),
            last: HashMap::new(),
        }
    }

    /// A new name for a copy of a collision: `name_2`, or the first after it that is free.
    fn another(&mut self, name: &str) -> String {
        let number = self.last.entry(name.to_owned()).or_insert(1);
        loop {
            *number += 1;
            let new = format!("{name}_{number}");
            if self.taken.insert(new.clone()) {
                return new;
            }
        }
    }
}

/// The text of a collision with a superovoid in it, and with another name if one is given.
fn collision(text: &str, place: &Place, body: &Entry, name: Option<Edit>) -> String {
    let gap = gap_before(text, place.geometry.start);
    // `<urdf:geometry>` has siblings with the prefix.
    let tag = &text[place.geometry.start + 1..place.geometry.end];
    let prefix = &tag[..tag.find("geometry").unwrap_or(0)];
    let mut edits = Vec::from_iter(name);
    if let Some((origin, fallback)) = &body.placed {
        let origin = origin_text(origin, prefix);
        match &place.origin {
            Some(range) => edits.push((range.clone(), origin)),
            None => {
                let before = place.geometry.start;
                edits.push((before..before, format!("{origin}{gap}")));
            }
        }
        edits.push((place.shape.clone(), fallback_text(fallback, prefix)));
    }
    let after = place.geometry.end;
    let superovoid = superovoid_text(&body.shape, prefix);
    edits.push((after..after, format!("{gap}{superovoid}")));
    // An origin may follow the geometry, right where the superovoid is put in.
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    replaced(text, &place.whole, edits)
}

/// A part of the text with edits in it, which follow each other.
fn replaced(text: &str, part: &Range<usize>, edits: Vec<Edit>) -> String {
    let mut result = String::new();
    let mut done = part.start;
    for (range, new) in edits {
        result.push_str(&text[done..range.start]);
        result.push_str(&new);
        done = range.end;
    }
    result + &text[done..part.end]
}

/// The line break and the white space that stand before a place, as far as there is nothing else.
fn gap_before(text: &str, at: usize) -> &str {
    let before = &text[..at];
    let words = before.trim_end_matches([' ', '\t', '\r', '\n']).len();
    let start = match before[words..].rfind('\n') {
        Some(end) if before[words..words + end].ends_with('\r') => words + end - 1,
        Some(end) => words + end,
        None => words,
    };
    &before[start..]
}

fn origin_text(origin: &Origin, prefix: &str) -> String {
    let [xyz, rpy] = [numbers(&origin.xyz), numbers(&origin.rpy)];
    format!("<{prefix}origin xyz=\"{xyz}\" rpy=\"{rpy}\"/>")
}

fn fallback_text(geometry: &Geometry, prefix: &str) -> String {
    match geometry {
        Geometry::Sphere { radius } => {
            format!("<{prefix}sphere radius=\"{}\"/>", shortest(*radius))
        }
        Geometry::Cylinder { radius, length } => {
            let [radius, length] = [radius, length].map(|x| shortest(*x));
            format!("<{prefix}cylinder radius=\"{radius}\" length=\"{length}\"/>")
        }
        Geometry::Box { size } => format!("<{prefix}box size=\"{}\"/>", numbers(size)),
        // No other is a fallback.
        _ => String::new(),
    }
}

fn superovoid_text(shape: &Superovoid, prefix: &str) -> String {
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (shape.semi_axes(), shape.exponents(), shape.tapers());
    let mut text = format!("<{prefix}superovoid");
    for (name, value) in ["a1", "a2", "a3", "e1", "e2", "tx", "ty"]
        .into_iter()
        .zip([a1, a2, a3, e1, e2, tx, ty])
    {
        let _ = write!(text, " {name}=\"{}\"", shortest(value));
    }
    text + "/>"
}

fn numbers(values: &[f64; 3]) -> String {
    values.map(shortest).join(" ")
}

/// The shortest decimal that reads back as `x`, with an exponent where that saves digits.
fn shortest(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}
