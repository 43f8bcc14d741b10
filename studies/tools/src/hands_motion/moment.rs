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

impl Moment {
    /// Returns the joints that are not where the neutral configuration has them, with their positions: thumbs a little in
    /// front of the palms, which frees them, the other fingers straight.
    pub fn positions(&self) -> [(&'static str, f64); 4] {
        /// Radians.
        const THUMB: f64 = 0.25;
        [
            ("l_hand_thumb_0_joint", THUMB),
            ("r_hand_thumb_0_joint", THUMB),
            ("right_hand_approach", self.approach),
            ("right_hand_inward", self.inward),
        ]
    }
}
