//! What can be wrong with a file, a robot, a configuration or a clearance query.

use crate::{QueryError, ShapeError};
use std::path::PathBuf;

/// Something that no robot can have. `owner` names the part, for example `joint "elbow"`.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RobotError {
    /// A value out of its domain.
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
        /// What it should be.
        expected: String,
    },
    /// An element that must be there is not.
    #[error("{owner}: <{element}> is missing; expected {expected}")]
    MissingElement {
        /// The part of the robot.
        owner: String,
        /// The missing element.
        element: String,
        /// What it should be.
        expected: String,
    },
    /// Parameters that no superovoid can have.
    #[error("{owner}: <{element}> is not a superovoid: {error}")]
    Shape {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
        /// What is wrong.
        #[source]
        error: ShapeError,
    },
    /// A robot without links.
    #[error("robot {} has no <link>; expected at least one", quoted(robot))]
    NoLinks {
        /// Its name.
        robot: String,
    },
    /// A name is used twice.
    #[error(
        "a second <{element}> has name={}; expected a name of its own",
        quoted(name)
    )]
    DuplicateName {
        /// `link`, `joint` or `material`.
        element: &'static str,
        /// The name.
        name: String,
    },
    /// A joint refers to a link that is not there.
    #[error(
        "joint {}: <{element}> has link={}; expected the name of a link of this robot",
        quoted(joint),
        quoted(link)
    )]
    UnknownLink {
        /// The joint.
        joint: String,
        /// `parent` or `child`.
        element: &'static str,
        /// The name that no link has.
        link: String,
    },
    /// A link hangs on two joints.
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
    /// More than one link hangs on no joint.
    #[error(
        "links {} are all roots; expected one link that is no joint's child (is a joint missing?)",
        list(links)
    )]
    SeveralRoots {
        /// Their names.
        links: Vec<String>,
    },
    /// Joints lead round in a circle.
    #[error("links {} form a cycle; expected a tree", list(links))]
    Cycle {
        /// Their names, from parent to child.
        links: Vec<String>,
    },
    /// A joint mimics one that is not there or has not one degree of freedom.
    #[error(
        "joint {}: <mimic> has joint={}; expected the name of a revolute, continuous or \
         prismatic joint of this robot",
        quoted(joint),
        quoted(target)
    )]
    MimicTarget {
        /// The joint that mimics.
        joint: String,
        /// The name.
        target: String,
    },
    /// Joints mimic each other in a circle.
    #[error(
        "joints {} mimic each other in a circle; expected one that moves freely",
        list(joints)
    )]
    MimicCycle {
        /// Their names, each mimicking the next.
        joints: Vec<String>,
    },
}

/// A name or value in quotes, shortened if it is too long to be read: a message stays one, also
/// when the file has a name of a million letters.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(LETTERS) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}

/// Characters of a name or value in a message.
const LETTERS: usize = 100;

/// The first names, quoted, and how many more.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 10;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = names.len().saturating_sub(SHOWN);
    match more {
        0 => shown.join(", "),
        _ => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Why a URDF file was refused.
#[derive(Debug, thiserror::Error)]
pub enum UrdfProblem {
    /// The file cannot be read.
    #[error("cannot read the file: {0}")]
    Io(#[from] std::io::Error),
    /// It is not UTF-8.
    #[error("a byte that is not UTF-8; expected a file in UTF-8")]
    Encoding,
    /// It is UTF-16.
    #[error("the file is UTF-16; expected UTF-8 (save it again with that encoding)")]
    Utf16,
    /// It holds more than [`UrdfLimits`](super::UrdfLimits) allow.
    #[error(
        "more than {limit} {}; the limit is UrdfLimits::{field}",
        counted(field)
    )]
    Limit {
        /// The field of the limits.
        field: &'static str,
        /// Its value.
        limit: usize,
    },
    /// It is not well-formed XML.
    #[error("not well-formed XML: {0}")]
    Xml(String),
    /// It has a document type declaration.
    #[error("a <!DOCTYPE>; expected none (URDF and SRDF need none, and entities are not expanded)")]
    Doctype,
    /// It is some other XML file.
    #[error("the root element is <{element}>; expected <robot>")]
    RootElement {
        /// What it is instead.
        element: String,
    },
    /// It still holds xacro macros.
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
    /// An attribute that must be there is not.
    #[error("{owner}: <{element}> lacks the attribute {attribute}; expected {expected}")]
    MissingAttribute {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
        /// The missing attribute.
        attribute: &'static str,
        /// What it should be.
        expected: &'static str,
    },
    /// An element that may be there once is there again.
    #[error("{owner}: a second <{element}>; expected one at most")]
    RepeatedElement {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
    },
    /// A `<collision>` or `<visual>` with two shapes of one sort.
    #[error("{owner}: <{element}> is a second shape; expected one, and one superovoid beside it")]
    SecondShape {
        /// The part of the robot.
        owner: String,
        /// The element.
        element: String,
    },
    /// What the file says is not a robot.
    #[error("{0}")]
    Robot(#[from] RobotError),
}

/// What a field of the limits counts.
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

/// A URDF file that was refused, and where.
#[derive(Debug)]
pub struct UrdfError {
    /// The file, when one was named.
    pub path: Option<PathBuf>,
    /// Line and column, both from 1, the column in characters; `None` only when the file cannot
    /// be read at all.
    pub position: Option<(u32, u32)>,
    /// What is wrong there.
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
pub enum ConfigurationError {
    /// No joint has this name.
    #[error("the robot has no joint {joint:?}; expected one of {}", list(joints))]
    UnknownJoint {
        /// The name.
        joint: String,
        /// The joints that can be set.
        joints: Vec<String>,
    },
    /// The joint follows another one.
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
        /// What its position is.
        expected: &'static str,
    },
    /// A position that is not finite.
    #[error("joint {joint:?}: the position is not finite")]
    NonFinite {
        /// The joint.
        joint: String,
    },
    /// A position beyond the joint's limits.
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
    /// A vector of positions of another length than the robot's.
    #[error("{count} positions; the robot's joints take {expected}")]
    Count {
        /// How many there are.
        count: usize,
        /// How many there must be.
        expected: usize,
    },
    /// A quaternion that is no rotation.
    #[error("joint {joint:?}: the quaternion has length {length}, it must be 1")]
    Rotation {
        /// The joint.
        joint: String,
        /// The length.
        length: f64,
    },
    /// The configuration belongs to a robot with other joints.
    #[error("the configuration was made for a robot with other joints")]
    OtherRobot,
    /// Positions so large that a pose overflows.
    #[error("the pose of link {link:?} is not finite")]
    NonFinitePose {
        /// The link.
        link: String,
    },
}

/// Why clearances cannot be found.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ClearanceError {
    /// The configuration does not fit.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// The distance of interest is out of its domain.
    #[error("max_distance = {value}: the distance must be at least 0 (infinity is allowed)")]
    MaxDistance {
        /// The value that was refused.
        value: f64,
    },
    /// The options of the pair queries are out of their domain.
    #[error(transparent)]
    Options(QueryError),
    /// A pair query refused its input.
    #[error("links {link_a:?} and {link_b:?}: {error}")]
    Query {
        /// Link of body A.
        link_a: String,
        /// Link of body B.
        link_b: String,
        /// Why.
        #[source]
        error: QueryError,
    },
}
