//! The reader of the collision settings of SRDF (MoveIt's semantic robot description).
//!
//! As in `read`, nothing recurses, and time is linear in the text.

use super::error::{UrdfError, UrdfProblem, quoted};
use super::limits::UrdfLimits;
use super::lines::Lines;
use super::model::Warning;
use super::read::{attribute_of, document, elements, is_xacro_namespace, known, read_file};
use super::robot::Robot;
use super::xml;
use std::path::Path;

/// Two links in an SRDF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPair {
    /// The names `link1` and `link2`.
    pub links: [String; 2],
    /// The `reason`, for people to read: `Adjacent`, `Never`, …
    pub reason: Option<String>,
    /// The line and column of the element, from 1.
    pub position: (u32, u32),
}

/// The collision settings of an SRDF file, in the order of the file. Only direct children of `<robot>` count. Groups,
/// states, end effectors, elements of foreign namespaces and everything else that does not concern collisions is
/// ignored; names are taken as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Srdf {
    /// The name of the robot for which the file was written.
    pub robot: String,
    /// The pairs `<disable_collisions link1="…" link2="…" reason="…"/>`, which are not compared.
    pub disabled: Vec<LinkPair>,
    /// The pairs `<enable_collisions link1="…" link2="…"/>`, which are compared although a link of theirs is among
    /// [`Srdf::disabled_by_default`]. A pair that is also disabled is disabled.
    pub enabled: Vec<LinkPair>,
    /// The links `<disable_default_collisions link="…"/>`, which are compared only with those with which they are
    /// enabled; with line and column.
    pub disabled_by_default: Vec<(String, (u32, u32))>,
}

impl Srdf {
    /// Reads an SRDF file, within the default [`UrdfLimits`].
    ///
    /// # Errors
    /// The error names a file that cannot be read, or the place that [`Srdf::from_srdf_str`] rejects.
    pub fn from_srdf_file(path: impl AsRef<Path>) -> Result<Self, UrdfError> {
        Self::from_srdf_file_with(path, &UrdfLimits::default())
    }

    /// Reads an SRDF file. No more of it is read than the limits allow.
    ///
    /// # Errors
    /// The errors are those of [`Srdf::from_srdf_file`], within these limits.
    pub fn from_srdf_file_with(
        path: impl AsRef<Path>,
        limits: &UrdfLimits,
    ) -> Result<Self, UrdfError> {
        read_file(path.as_ref(), limits, |text| {
            Self::from_srdf_str_with(text, limits)
        })
    }

    /// Reads the text of an SRDF file, within the default [`UrdfLimits`].
    ///
    /// Names of links are not looked up here but where the file is applied to a robot, see
    /// [`Srdf::warnings`].
    ///
    /// # Errors
    /// The error names a text that is not well-formed XML or beyond the limits, another root element than `<robot>`,
    /// xacro that is not expanded, or an attribute that is missing, with line and column. (MoveIt ignores a pair that
    /// lacks a link; here it is an error, because a pair that was meant to be left out would silently be compared.)
    ///
    /// ```
    /// use superovoid_robot::Srdf;
    ///
    /// let srdf = Srdf::from_srdf_str(
    ///     r#"<robot name="arm">
    ///          <disable_collisions link1="base" link2="elbow" reason="Never"/>
    ///        </robot>"#,
    /// )?;
    /// assert_eq!(srdf.disabled[0].links, ["base", "elbow"]);
    /// # Ok::<(), superovoid_robot::UrdfError>(())
    /// ```
    pub fn from_srdf_str(text: &str) -> Result<Self, UrdfError> {
        Self::from_srdf_str_with(text, &UrdfLimits::default())
    }

    /// Reads the text of an SRDF file. The limit on links has no effect here.
    ///
    /// # Errors
    /// The errors are those of [`Srdf::from_srdf_str`], within these limits.
    pub fn from_srdf_str_with(text: &str, limits: &UrdfLimits) -> Result<Self, UrdfError> {
        read(text, limits, |reader| reader.srdf())
    }

    /// Returns the warnings about content of this file that does not fit a robot: links that it does not have, whose
    /// elements have no effect, and another name of the robot. MoveIt logs the same and continues.
    pub fn warnings(&self, robot: &Robot) -> Vec<Warning> {
        let mut warnings = Vec::new();
        let mut warning = |(line, column): (u32, u32), message: String| {
            warnings.push(Warning {
                line,
                column,
                message,
            });
        };
        if self.robot != robot.name() {
            let message = format!(
                "written for robot {}, applied to {}",
                quoted(&self.robot),
                quoted(robot.name())
            );
            warning((1, 1), message);
        }
        let of_pairs = |(element, pairs): (&'static str, &'_ [LinkPair])| {
            let links = pairs.iter().flat_map(|pair| {
                let position = pair.position;
                pair.links.iter().map(move |link| (link.clone(), position))
            });
            links.map(|link| (element, link)).collect::<Vec<_>>()
        };
        let defaults = self.disabled_by_default.iter().cloned();
        let all = of_pairs(("disable_collisions", &self.disabled))
            .into_iter()
            .chain(of_pairs(("enable_collisions", &self.enabled)))
            .chain(defaults.map(|link| ("disable_default_collisions", link)));
        for (element, (link, position)) in all {
            if robot.link_index(&link).is_none() {
                let link = quoted(&link);
                let message = format!("<{element}>: the robot has no link {link}; no effect");
                warning(position, message);
            }
        }
        warnings.sort_by_key(|warning| (warning.line, warning.column));
        warnings
    }
}

pub(super) type Node<'a> = roxmltree::Node<'a, 'a>;

pub(super) struct Reader<'a> {
    lines: Lines<'a>,
    pub root: Node<'a>,
}

/// Returns what `read` makes of a text whose root is `<robot>`, without xacro.
pub(super) fn read<T>(
    text: &str,
    limits: &UrdfLimits,
    read: impl FnOnce(&Reader) -> Result<T, UrdfError>,
) -> Result<T, UrdfError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::new(text);
    let document = document(&lines, limits)?;
    let root = document.root_element();
    let reader = Reader { lines, root };
    if root.tag_name().name() != "robot" {
        let element = reader.tag(root);
        return Err(reader.error(root, UrdfProblem::RootElement { element }));
    }
    reader.refuse_xacro()?;
    read(&reader)
}

impl<'a> Reader<'a> {
    fn srdf(&self) -> Result<Srdf, UrdfError> {
        let root = self.root;
        let mut srdf = Srdf {
            robot: self.attribute(root, "name", "the name of the robot")?,
            disabled: Vec::new(),
            enabled: Vec::new(),
            disabled_by_default: Vec::new(),
        };
        for node in elements(root) {
            match known(node, root) {
                "disable_collisions" => srdf.disabled.push(self.pair(node)?),
                "enable_collisions" => srdf.enabled.push(self.pair(node)?),
                "disable_default_collisions" => {
                    let link = self.attribute(node, "link", "the name of a link")?;
                    srdf.disabled_by_default.push((link, self.position(node)));
                }
                _ => {}
            }
        }
        Ok(srdf)
    }

    /// Returns an error for a file that contains an element of xacro, anywhere: its expansion is not known here.
    fn refuse_xacro(&self) -> Result<(), UrdfError> {
        let is_macro = |node: &Node| node.tag_name().namespace().is_some_and(is_xacro_namespace);
        let mut all = self.root.descendants().filter(Node::is_element);
        match all.find(is_macro) {
            None => Ok(()),
            Some(node) => {
                let element = self.tag(node);
                Err(self.error(node, UrdfProblem::Xacro { element }))
            }
        }
    }

    fn pair(&self, node: Node<'a>) -> Result<LinkPair, UrdfError> {
        let link = |attribute| self.attribute(node, attribute, "the name of a link");
        Ok(LinkPair {
            links: [link("link1")?, link("link2")?],
            reason: attribute_of(node, "reason").map(str::to_owned),
            position: self.position(node),
        })
    }

    pub fn attribute(
        &self,
        node: Node<'a>,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<String, UrdfError> {
        match attribute_of(node, attribute) {
            Some(value) => Ok(value.to_owned()),
            None => {
                let problem = UrdfProblem::MissingAttribute {
                    owner: "SRDF".to_owned(),
                    element: self.tag(node),
                    attribute,
                    expected,
                };
                Err(self.error(node, problem))
            }
        }
    }

    /// Returns the name of an element as the file has it, with its prefix, for messages.
    pub fn tag(&self, node: Node<'a>) -> String {
        xml::tag(self.lines.text, node.range().start)
    }

    pub fn error(&self, node: Node<'a>, problem: UrdfProblem) -> UrdfError {
        self.lines.error(node.range().start, problem)
    }

    pub fn position(&self, node: Node<'a>) -> (u32, u32) {
        self.lines.position(node.range().start)
    }
}
