//! Access to elements and attributes of a document, required and optional ones, and places.

use super::reader::{Node, Reader};
use crate::robot::error::{RobotError, UrdfError, UrdfProblem, quoted};
use crate::robot::model::Warning;
use crate::robot::refusal::{Item, Refused};

impl<'a> Reader<'a> {
    /// Returns the only child element of this name, whose content is read in turn.
    pub(super) fn part(
        &mut self,
        node: Node<'a>,
        name: &str,
        attributes: &[&str],
    ) -> Result<Option<Node<'a>>, UrdfError> {
        let part = self.one(node, name)?;
        if let Some(part) = part {
            self.visit(part, attributes, &[])?;
        }
        Ok(part)
    }

    /// Returns the only child element of this name. Others that say the same are left out with a warning.
    pub(super) fn one(
        &mut self,
        node: Node<'a>,
        name: &str,
    ) -> Result<Option<Node<'a>>, UrdfError> {
        let mut all = elements(node).filter(|child| known(*child, self.root) == name);
        let Some(first) = all.next() else {
            return Ok(None);
        };
        let others: Vec<Node<'a>> = all.collect();
        for other in others {
            let at = other.range().start;
            if !says_the_same(first, other) {
                let problem = UrdfProblem::RepeatedElement {
                    owner: self.owner(node),
                    element: name.to_owned(),
                };
                return Err(self.error(at, problem));
            }
            self.warning(
                at,
                format!("a second <{name}> that says the same is left out"),
            );
        }
        Ok(Some(first))
    }

    /// Returns the only child element of this name, which is required.
    pub(super) fn must(
        &mut self,
        node: Node<'a>,
        name: &str,
        expected: &'static str,
    ) -> Result<Node<'a>, UrdfError> {
        let found = self.one(node, name)?;
        found.ok_or_else(|| {
            let problem = RobotError::MissingElement {
                owner: self.owner(node),
                element: name.to_owned(),
                expected: expected.to_owned(),
            };
            self.error(node.range().start, problem)
        })
    }

    /// Returns an error for a file that contains an element of xacro, anywhere.
    pub(super) fn refuse_xacro(&self) -> Result<(), UrdfError> {
        let mut all = self.root.descendants().filter(|node| node.is_element());
        let is_macro = |node: &Node| node.tag_name().namespace().is_some_and(is_xacro_namespace);
        let Some(node) = all.find(is_macro) else {
            return Ok(());
        };
        let element = self.tag(node);
        Err(self.error(node.range().start, UrdfProblem::Xacro { element }))
    }

    pub(super) fn required(
        &self,
        node: Node<'a>,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<&'a str, UrdfError> {
        attribute_of(node, attribute).ok_or_else(|| {
            let problem = UrdfProblem::MissingAttribute {
                owner: self.owner(node),
                element: self.tag(node),
                attribute,
                expected,
            };
            self.error(node.range().start, problem)
        })
    }

    pub(super) fn number(&self, node: Node<'a>, attribute: &'static str) -> Result<f64, UrdfError> {
        self.required(node, attribute, "a number")?;
        self.number_or(node, attribute, 0.0)
    }

    pub(super) fn number_or(
        &self,
        node: Node<'a>,
        name: &str,
        default: f64,
    ) -> Result<f64, UrdfError> {
        Ok(self.optional_number(node, name)?.unwrap_or(default))
    }

    pub(super) fn optional_number(
        &self,
        node: Node<'a>,
        name: &str,
    ) -> Result<Option<f64>, UrdfError> {
        Ok(self.numbers(node, name)?.map(|[number]| number))
    }

    /// Returns `N` finite numbers separated by white space; `None` when the attribute is missing.
    pub(super) fn numbers<const N: usize>(
        &self,
        node: Node<'a>,
        attribute: &str,
    ) -> Result<Option<[f64; N]>, UrdfError> {
        let Some(text) = attribute_of(node, attribute) else {
            return Ok(None);
        };
        let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(finite).collect();
        match numbers.map(<[f64; N]>::try_from) {
            Some(Ok(numbers)) => Ok(Some(numbers)),
            _ if N == 1 => Err(self.value(
                node,
                attribute,
                "one finite number with a point for decimals",
            )),
            _ => {
                let expected =
                    format!("{N} finite numbers separated by spaces, with a point for decimals");
                Err(self.value(node, attribute, &expected))
            }
        }
    }

    pub(super) fn value(&self, node: Node<'a>, attribute: &str, expected: &str) -> UrdfError {
        let value = attribute_of(node, attribute).unwrap_or_default();
        if is_xacro(value) {
            let problem = UrdfProblem::XacroExpression {
                owner: self.owner(node),
                element: self.tag(node),
                attribute: attribute.to_owned(),
                value: value.to_owned(),
            };
            return self.error(place(node, attribute), problem);
        }
        let problem = RobotError::Value {
            owner: self.owner(node),
            element: self.tag(node),
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        self.error(place(node, attribute), problem)
    }

    pub(super) fn error(&self, at: usize, problem: impl Into<UrdfProblem>) -> UrdfError {
        self.lines.error(at, problem.into())
    }

    pub(super) fn warning(&mut self, at: usize, message: String) {
        let (line, column) = self.lines.position(at);
        self.warnings.push(Warning {
            line,
            column,
            message,
        });
    }

    /// Returns the name of an element as the file has it, with its prefix, for messages.
    pub(super) fn tag(&self, node: Node<'a>) -> String {
        short(self.whole_tag(node))
    }

    pub(super) fn whole_tag(&self, node: Node<'a>) -> &'a str {
        let start = &self.lines.text[node.range().start + 1..];
        let ends = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
        start.split(ends).next().unwrap_or_default()
    }

    /// Returns the name of an element, see [`known`].
    pub(super) fn known(&self, node: Node<'a>) -> &'a str {
        known(node, self.root)
    }

    /// Returns the namespace of an element, see [`foreign_namespace`].
    pub(super) fn foreign_namespace(&self, node: Node<'a>) -> Option<&'a str> {
        foreign_namespace(node, self.root)
    }

    /// Returns the part of the robot to which a node belongs, for messages.
    pub(super) fn owner(&self, node: Node<'a>) -> String {
        let mut body = String::new();
        let mut owner = node;
        for ancestor in node.ancestors().filter(|node| node.is_element()) {
            let element = ancestor.tag_name().name();
            if element == "collision" || element == "visual" {
                let earlier = ancestor.prev_siblings();
                let count = earlier.filter(|node| node.has_tag_name(ancestor.tag_name()));
                // These are the siblings before it, itself included.
                body = format!(", {element} {}", count.count());
            }
            owner = ancestor;
            if ancestor.parent() == Some(self.root) {
                break;
            }
        }
        let element = self.tag(owner);
        match attribute_of(owner, "name") {
            Some(name) => format!("{element} {}{body}", quoted(name)),
            None => format!("{element} without a name{body}"),
        }
    }

    /// Returns the place of an error of the validation: its attribute, or its element.
    pub(super) fn locate(&self, refused: Refused) -> UrdfError {
        let root = self.root;
        let nth = |node: Node<'a>, name: &str, n: usize| {
            let mut all = elements(node).filter(|child| self.known(*child) == name);
            all.nth(n).unwrap_or(node)
        };
        let node = match refused.item {
            Item::Robot => root,
            Item::Material(i) => nth(root, "material", i),
            Item::Link(i) => nth(root, "link", i),
            Item::Visual(i, k) => nth(nth(root, "link", i), "visual", k),
            Item::Collision(i, k) => nth(nth(root, "link", i), "collision", k),
            Item::Joint(i) => nth(root, "joint", i),
        };
        self.locate_in(node, refused)
    }

    /// Returns the error of a part that was read from `node`.
    pub(super) fn locate_in(&self, node: Node<'a>, refused: Refused) -> UrdfError {
        let mut inside = node.descendants().filter(|node| node.is_element());
        let element = inside.find(|node| self.known(*node) == refused.element);
        let element = element.unwrap_or(node);
        let at = match &refused.attribute {
            Some(attribute) => place(element, attribute),
            None => element.range().start,
        };
        self.error(at, *refused.error)
    }
}

/// Whether two elements have the same attributes and no content.
fn says_the_same(a: Node, b: Node) -> bool {
    fn said<'a>(node: Node<'a>) -> impl Iterator<Item = (Option<&'a str>, &'a str, &'a str)> {
        let attributes = node.attributes();
        attributes.map(|a| (a.namespace(), a.name(), a.value()))
    }
    !a.has_children() && !b.has_children() && said(a).eq(said(b))
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Returns the name of an element of URDF or SRDF, or an empty one for an element of a foreign namespace
/// (`<sensor:link>` is not a `<link>`).
pub(in crate::robot) fn known<'a>(node: Node<'a>, root: Node<'a>) -> &'a str {
    match foreign_namespace(node, root) {
        None => node.tag_name().name(),
        Some(_) => "",
    }
}

/// Returns the namespace of an element unless it is that of the root or none.
fn foreign_namespace<'a>(node: Node<'a>, root: Node<'a>) -> Option<&'a str> {
    let namespace = node.tag_name().namespace();
    let own = root.tag_name().namespace();
    namespace.filter(|&name| !name.is_empty() && Some(name) != own)
}

pub(in crate::robot) fn elements<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    node.children().filter(|child| child.is_element())
}

/// Whether a namespace is that of xacro; it has had several addresses.
pub(in crate::robot) fn is_xacro_namespace(namespace: &str) -> bool {
    namespace.contains("xacro")
}

/// Whether a value contains an expression that xacro would replace.
pub(super) fn is_xacro(value: &str) -> bool {
    value.contains("${") || value.contains("$(")
}

/// Returns a name, shortened if it is too long to be read.
pub(super) fn short(name: &str) -> String {
    const LETTERS: usize = 100;
    match name.char_indices().nth(LETTERS) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// Returns the value of an attribute of URDF or SRDF; an attribute of a foreign namespace (`x:name`) is ignored,
/// whereas the parser's own search takes the first of either.
pub(in crate::robot) fn attribute_of<'a>(node: Node<'a>, name: &str) -> Option<&'a str> {
    attribute_node(node, name).map(|attribute| attribute.value())
}

fn attribute_node<'a>(node: Node<'a>, name: &str) -> Option<roxmltree::Attribute<'a, 'a>> {
    let mut plain = node.attributes().filter(|a| a.namespace().is_none());
    plain.find(|a| a.name() == name)
}

/// Returns the place of an attribute, or that of its element if it has no such attribute.
pub(super) fn place(node: Node<'_>, attribute: &str) -> usize {
    let found = attribute_node(node, attribute);
    found.map_or(node.range().start, |attribute| attribute.range().start)
}
