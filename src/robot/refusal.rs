//! What is refused of a robot, and which part of it that is about.

use super::error::RobotError;

/// A part of a robot, by index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Robot,
    Material(usize),
    Link(usize),
    Visual(usize, usize),
    Collision(usize, usize),
    Joint(usize),
}

/// An error and the element, and attribute if it is about one, that it is about.
#[derive(Debug)]
pub(super) struct Refused {
    pub item: Item,
    pub element: String,
    pub attribute: Option<String>,
    pub error: Box<RobotError>,
}
