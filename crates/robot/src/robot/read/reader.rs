//! The state of the URDF reader.

use crate::robot::limits::UrdfLimits;
use crate::robot::lines::Lines;
use crate::robot::model::Warning;

/// An element of the document.
pub(super) type Node<'a> = roxmltree::Node<'a, 'a>;

/// Turns the elements of a document into the parts of a robot.
pub(super) struct Reader<'a> {
    pub(super) lines: Lines<'a>,
    pub(super) limits: UrdfLimits,
    pub(super) root: Node<'a>,
    /// The version of URDF, major and minor.
    pub(super) version: [u32; 2],
    pub(super) warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lines: Lines<'a>, limits: UrdfLimits, root: Node<'a>) -> Self {
        Reader {
            lines,
            limits,
            root,
            version: [1, 0],
            warnings: Vec::new(),
        }
    }
}
