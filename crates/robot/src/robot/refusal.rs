//! An error of the validation of a robot, with the part to which it belongs.

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

/// An error with its element, and its attribute if it belongs to one.
#[derive(Debug)]
pub(super) struct Refused {
    pub item: Item,
    pub element: String,
    pub attribute: Option<String>,
    pub error: Box<RobotError>,
}
