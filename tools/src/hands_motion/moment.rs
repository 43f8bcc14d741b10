//! A moment of the motion.

/// Where the right hand is at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Seconds from the beginning.
    pub time: f64,
    /// Position of the joint `right_hand_approach`, metres.
    pub approach: f64,
    /// Position of the joint `right_hand_inward`, radians.
    pub inward: f64,
}
