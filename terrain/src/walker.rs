//! A walker.

/// The semi-axes of the walker, metres.
pub const WALKER: [f64; 3] = [0.3, 0.3, 0.85];
/// The greatest height of a step that the walker takes, metres.
pub const STEP_HEIGHT: f64 = 0.35;

/// Where a walker is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// The centre, metres.
    pub position: [f64; 3],
    /// The angle about the vertical of where it looks, radians; 0 is along x.
    pub heading: f64,
}

/// A walker on a frozen ground.
pub struct Walker;
