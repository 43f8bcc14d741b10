//! Reads what SRDF (MoveIt's semantic robot description) says about collisions.

use super::error::{UrdfError, UrdfProblem};
use super::limits::UrdfLimits;
use super::lines::Lines;
use super::model::{Notice, Robot};
use super::read::{document, read_file};
use std::path::Path;

/// Two links in an SRDF file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPair {
    /// `link1` and `link2`.
    pub links: [String; 2],
    /// `reason`, for people to read: `Adjacent`, `Never`, …
    pub reason: Option<String>,
    /// Line and column of the element, from 1.
    pub position: (u32, u32),
}

/// What an SRDF file says about collisions. Groups, states, end effectors and all else that has no
/// part in collisions is passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Srdf {
    /// The name of the robot that it was written for.
    pub robot: String,
    /// `<disable_collisions link1="…" link2="…" reason="…"/>`: pairs that are not compared.
    pub disabled: Vec<LinkPair>,
    /// `<enable_collisions link1="…" link2="…"/>`: pairs that are compared although a link of theirs
    /// is among [`Srdf::disabled_by_default`]. A pair that is also disabled is disabled.
    pub enabled: Vec<LinkPair>,
    /// `<disable_default_collisions link="…"/>`: links that are compared with those only with which
    /// they are enabled; with line and column.
    pub disabled_by_default: Vec<(String, (u32, u32))>,
}

impl Srdf {
    /// Reads an SRDF file.
    ///
    /// # Errors
    /// A file that cannot be read or that [`Srdf::from_srdf_str`] refuses; the error names it.
    pub fn from_srdf_file(path: impl AsRef<Path>) -> Result<Self, UrdfError> {
        read_file(path.as_ref(), &UrdfLimits::default(), Self::from_srdf_str)
    }

    /// Reads the text of an SRDF file.
    ///
    /// Names of links are not looked up here but where the file is applied to a robot, see
    /// [`Srdf::notices`].
    ///
    /// # Errors
    /// A text that is not well-formed XML, another root element than `<robot>`, or an attribute that
    /// is missing, with line and column. (MoveIt passes over a pair that lacks a link; here it is
    /// an error, because a pair that was meant to be left out would silently be compared.)
    ///
    /// ```
    /// use superovoid::robot::Srdf;
    ///
    /// let srdf = Srdf::from_srdf_str(
    ///     r#"<robot name="arm">
    ///          <disable_collisions link1="base" link2="elbow" reason="Never"/>
    ///        </robot>"#,
    /// )?;
    /// assert_eq!(srdf.disabled[0].links, ["base", "elbow"]);
    /// # Ok::<(), superovoid::robot::UrdfError>(())
    /// ```
    pub fn from_srdf_str(text: &str) -> Result<Self, UrdfError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = Lines::new(text);
        let document = document(&lines, &UrdfLimits::default())?;
        Reader { lines }.srdf(document.root_element())
    }

    /// What in this file does not fit a robot: links that it does not have, whose elements have no
    /// effect, and another name of the robot. MoveIt logs the same and goes on.
    pub fn notices(&self, robot: &Robot) -> Vec<Notice> {
        let mut notices = Vec::new();
        let mut notice = |(line, column): (u32, u32), message: String| {
            notices.push(Notice {
                line,
                column,
                message,
            });
        };
        if self.robot != robot.name() {
            let message = format!(
                "written for robot {:?}, applied to {:?}",
                self.robot,
                robot.name()
            );
            notice((1, 1), message);
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
                let message = format!("<{element}>: the robot has no link {link:?}; no effect");
                notice(position, message);
            }
        }
        notices.sort_by_key(|notice| (notice.line, notice.column));
        notices
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
}

type Node<'a> = roxmltree::Node<'a, 'a>;

impl Reader<'_> {
    fn srdf(&self, root: Node) -> Result<Srdf, UrdfError> {
        if root.tag_name().name() != "robot" {
            let element = root.tag_name().name().to_owned();
            return Err(self.error(root, UrdfProblem::RootElement { element }));
        }
        let mut srdf = Srdf {
            robot: self.attribute(root, "name", "the name of the robot")?,
            disabled: Vec::new(),
            enabled: Vec::new(),
            disabled_by_default: Vec::new(),
        };
        for node in root.children().filter(Node::is_element) {
            match node.tag_name().name() {
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

    fn pair(&self, node: Node) -> Result<LinkPair, UrdfError> {
        let link = |attribute| self.attribute(node, attribute, "the name of a link");
        Ok(LinkPair {
            links: [link("link1")?, link("link2")?],
            reason: node.attribute("reason").map(str::to_owned),
            position: self.position(node),
        })
    }

    fn attribute(
        &self,
        node: Node,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<String, UrdfError> {
        match node.attribute(attribute) {
            Some(value) => Ok(value.to_owned()),
            None => {
                let problem = UrdfProblem::MissingAttribute {
                    owner: "SRDF".to_owned(),
                    element: node.tag_name().name().to_owned(),
                    attribute,
                    expected,
                };
                Err(self.error(node, problem))
            }
        }
    }

    fn error(&self, node: Node, problem: UrdfProblem) -> UrdfError {
        self.lines.error(node.range().start, problem)
    }

    fn position(&self, node: Node) -> (u32, u32) {
        self.lines.position(node.range().start)
    }
}
