//! The errors of files, robots, configurations and clearance queries.

use super::edge::edge_options::EdgeOptionError;
use std::path::PathBuf;
use superovoid::{QueryError, ShapeError};

/// An error in the definition of a robot. `owner` names the part, for example `joint "elbow"`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// A value is out of its domain.
    #[error(
        "{owner}: <{element}> has {attribute}={}; expected {expected}",
        quoted(value)
    )]
    Value {
        /// The part of the robot.
        owner: String,
        /// The element that holds the value.
        element: String,
        /// The attribute that holds the value.
        attribute: String,
        /// The value as written.
        value: String,
        /// The requirement that the value does not meet.
        expected: String,
    },
    /// A required element is missing.
    #[error("{owner}: <{element}> is missing; expected {expected}")]
    MissingElement {
        /// The part of the robot.
        owner: String,
        /// The missing element.
        element: String,
        /// The content that it should have.
        expected: String,
    },
    /// The parameters are not those of a superovoid.
    #[error("{owner}: <{element}> is not a superovoid: {error}")]
    Shape {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
        /// The error of the parameters.
        #[source]
        error: ShapeError,
    },
    /// The robot has no links.
    #[error("robot {} has no <link>; expected at least one", quoted(robot))]
    NoLinks {
        /// The name of the robot.
        robot: String,
    },
    /// A name is used twice.
    #[error(
        "a second <{element}> has name={}; expected a name of its own",
        quoted(name)
    )]
    DuplicateName {
        /// The kind of part: `link`, `joint` or `material`.
        element: &'static str,
        /// The name.
        name: String,
    },
    /// A joint refers to a link that does not exist.
    #[error(
        "joint {}: <{element}> has link={}; expected the name of a link of this robot",
        quoted(joint),
        quoted(link)
    )]
    UnknownLink {
        /// The joint.
        joint: String,
        /// The role of the link: `parent` or `child`.
        element: &'static str,
        /// The name that no link has.
        link: String,
    },
    /// A link is the child of two joints.
    #[error(
        "link {} is the child of joints {} and {}; expected one (a URDF is a tree)",
        quoted(link), quoted(&joints[0]), quoted(&joints[1])
    )]
    TwoParents {
        /// The link.
        link: String,
        /// The first two joints that move it.
        joints: [String; 2],
    },
    /// More than one link is the child of no joint.
    #[error(
        "links {} are all roots; expected one link that is no joint's child (is a joint missing?)",
        list(links)
    )]
    SeveralRoots {
        /// The names of these links.
        links: Vec<String>,
    },
    /// Joints form a cycle.
    #[error("links {} form a cycle; expected a tree", list(links))]
    Cycle {
        /// The names of these joints, from parent to child.
        links: Vec<String>,
    },
    /// A joint mimics one that does not exist or does not have one degree of freedom.
    #[error(
        "joint {}: <mimic> has joint={}; expected the name of a revolute, continuous or \
         prismatic joint of this robot",
        quoted(joint),
        quoted(target)
    )]
    MimicTarget {
        /// The joint that mimics.
        joint: String,
        /// The name of the other joint.
        target: String,
    },
    /// Joints mimic each other in a cycle.
    #[error(
        "joints {} mimic each other in a circle; expected one that moves freely",
        list(joints)
    )]
    MimicCycle {
        /// The names of these joints, each mimicking the next.
        joints: Vec<String>,
    },
}

/// Returns a name or value in quotes, shortened if it is too long to be read: a message stays short, also when the
/// file has a name of a million letters.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

/// The largest number of characters of a name or value in a message.
const LETTERS: usize = 100;

/// Returns the first names, quoted, and the number of the others.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The reason why a URDF file was rejected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UrdfProblem {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Io(#[from] std::io::Error),
    /// The file is not UTF-8.
    #[error("a byte that is not UTF-8; expected a file in UTF-8")]
    Encoding,
    /// The file is UTF-16.
    #[error("the file is UTF-16; expected UTF-8 (save it again with that encoding)")]
    Utf16,
    /// The file exceeds one of the [`UrdfLimits`](super::UrdfLimits).
    #[error(
        "more than {limit} {}; the limit is UrdfLimits::{field}",
        counted(field)
    )]
    Limit {
        /// The field of the limits.
        field: &'static str,
        /// The value of that field.
        limit: usize,
    },
    /// The file is not well-formed XML.
    #[error("not well-formed XML: {0}")]
    Xml(String),
    /// The file has a document type declaration.
    #[error("a <!DOCTYPE>; expected none (URDF and SRDF need none, and entities are not expanded)")]
    Doctype,
    /// The file is XML of another kind.
    #[error("the root element is <{element}>; expected <robot>")]
    RootElement {
        /// The kind of the file.
        element: String,
    },
    /// The file still contains xacro macros.
    #[error("<{element}> is a xacro macro; expected none (expand the file with xacro first)")]
    Xacro {
        /// The element with its prefix.
        element: String,
    },
    /// A number is still a xacro expression.
    #[error(
        "{owner}: <{element}> has {attribute}={}, a xacro expression; expected a URDF (expand the \
         file with xacro first)",
        quoted(value)
    )]
    XacroExpression {
        /// The part of the robot.
        owner: String,
        /// The element that holds the expression.
        element: String,
        /// The attribute that holds the expression.
        attribute: String,
        /// The expression.
        value: String,
    },
    /// A required attribute is missing.
    #[error("{owner}: <{element}> lacks the attribute {attribute}; expected {expected}")]
    MissingAttribute {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
        /// The missing attribute.
        attribute: &'static str,
        /// The content that it should have.
        expected: &'static str,
    },
    /// An element that may occur once occurs again.
    #[error("{owner}: a second <{element}>; expected one at most")]
    RepeatedElement {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
    },
    /// Something that may bear on collision or motion is not read, such as a misspelt attribute of a shape.
    #[error(
        "{owner}: {what} is not read, and may bear on collision or motion; expected {expected}"
    )]
    Unread {
        /// The part of the robot.
        owner: String,
        /// The attribute, element or text.
        what: String,
        /// The names that are read there.
        expected: String,
    },
    /// A `<collision>` or `<visual>` has two shapes of one kind.
    #[error("{owner}: <{element}> is a second shape; expected one, and one superovoid beside it")]
    SecondShape {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
    },
    /// The content of the file is not a robot.
    #[error("{0}")]
    Robot(#[from] RobotError),
}

/// Returns the unit that a field of the limits counts.
fn counted(field: &str) -> &'static str {
    match field {
        "bytes" => "bytes of text",
        "nodes" => "elements, comments and pieces of text",
        "signs" => "signs < and = in the text",
        "depth" => "elements within each other",
        "attributes" => "attributes on one element",
        "namespaces" => "declarations of namespaces",
        _ => "links",
    }
}

/// A URDF file that was rejected, and the place of the error.
#[derive(Debug)]
#[non_exhaustive]
pub struct UrdfError {
    /// The file, if one was named.
    pub path: Option<PathBuf>,
    /// The line and column, both from 1, the column in characters; `None` only when the file cannot be read at all.
    pub position: Option<(u32, u32)>,
    /// The error at that place.
    pub problem: Box<UrdfProblem>,
}

impl std::fmt::Display for UrdfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        if let Some((line, column)) = self.position {
            write!(f, "line {line}, column {column}: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl std::error::Error for UrdfError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The problem itself is part of the message above.
        std::error::Error::source(&self.problem)
    }
}

/// A joint position that a robot cannot take.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigurationError {
    /// No joint has this name.
    #[error("the robot has no joint {joint:?}; expected one of {}", list(joints))]
    UnknownJoint {
        /// The name.
        joint: String,
        /// The joints that can be set.
        joints: Vec<String>,
    },
    /// The joint mimics another one.
    #[error("joint {joint:?} mimics {source_joint:?}; set that one")]
    Mimics {
        /// The joint.
        joint: String,
        /// The joint that moves it.
        source_joint: String,
    },
    /// The position is of another type than the joint.
    #[error("joint {joint:?} is {}; expected {expected}", kind.name())]
    Kind {
        /// The joint.
        joint: String,
        /// Its type.
        kind: super::JointKind,
        /// The content that its position must have.
        expected: &'static str,
    },
    /// A position is not finite.
    #[error("joint {joint:?}: the position is not finite")]
    NonFinite {
        /// The joint.
        joint: String,
    },
    /// A position is beyond the limits of its joint.
    #[error("joint {joint:?} = {value}: outside its limits, {lower} to {upper}")]
    OutsideLimits {
        /// The joint.
        joint: String,
        /// The position.
        value: f64,
        /// The lower limit.
        lower: f64,
        /// The upper limit.
        upper: f64,
    },
    /// A vector of positions does not have the length that the robot needs.
    #[error("{count} positions; the robot's joints take {expected}")]
    Count {
        /// The length that was given.
        count: usize,
        /// The length that is needed.
        expected: usize,
    },
    /// A quaternion is zero.
    #[error("joint {joint:?}: the quaternion is zero, which is no rotation")]
    Rotation {
        /// The joint.
        joint: String,
    },
    /// The configuration belongs to a robot with other joints.
    #[error("the configuration was made for a robot with other joints")]
    OtherRobot,
    /// Positions are so large that a pose overflows.
    #[error("the pose of link {link:?} is not finite")]
    NonFinitePose {
        /// The link.
        link: String,
    },
}

/// An error of a clearance query.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClearanceError {
    /// The configuration does not fit the robot.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// The maximum distance is out of its domain.
    #[error("max_distance = {value}: the distance must be at least 0 (infinity is allowed)")]
    MaxDistance {
        /// The value that was rejected.
        value: f64,
    },
    /// The options of the pair queries are out of their domain.
    #[error(transparent)]
    Options(QueryError),
    /// An option of an edge is out of its domain.
    #[error(transparent)]
    Edge(EdgeOptionError),
    /// A pair query rejected its input.
    #[error("links {link_a:?} and {link_b:?}: {error}")]
    Query {
        /// The link of body A.
        link_a: String,
        /// The link of body B.
        link_b: String,
        /// The error of the pair query.
        #[source]
        error: QueryError,
    },
    /// The robot has collision shapes that are not checked, so that nothing proves it free.
    #[error(transparent)]
    Unchecked(#[from] Unchecked),
}

/// The robot has collision shapes that no query answers, so that nothing proves it free;
/// [`Robot::unchecked`](super::Robot::unchecked) lists them.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not checked: {}; allow_unchecked has to be set for an answer without them", .shapes.join("; "))]
#[non_exhaustive]
pub struct Unchecked {
    /// The shapes, for example `link "base", collision 1: mesh`, where collisions are counted from 1.
    pub shapes: Vec<String>,
}
