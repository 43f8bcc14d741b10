//! The state of a world at the end of a frame.

use serde::{Deserialize, Serialize};

/// The state at the end of a frame: what recordings hold and judges read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The frames made since the start.
    pub frame: u64,
    /// The time since the start, seconds.
    pub time: f64,
    /// The bodies, in the order of the scene.
    pub bodies: Vec<BodyState>,
    /// The cloths, in the order of the scene.
    pub cloths: Vec<ClothState>,
    /// The soft solids, in the order of the scene.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solids: Vec<SolidState>,
}

impl State {
    /// Writes the state as JSON, with every number to its last bit.
    pub fn to_json(&self) -> String {
        crate::json::to_text(self)
    }
}

/// The state of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct BodyState {
    /// The origin of the shape's frame, metres.
    pub position: [f64; 3],
    /// The orientation of the shape's frame, a unit quaternion `[w, x, y, z]`.
    pub orientation: [f64; 4],
    /// The velocity of the centre of mass, m/s.
    pub velocity: [f64; 3],
    /// The angular velocity in the world frame, rad/s.
    pub angular_velocity: [f64; 3],
    /// Whether the body sleeps.
    pub asleep: bool,
}

/// The state of a cloth.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClothState {
    /// The vertices, metres.
    pub positions: Vec<[f64; 3]>,
    /// Their velocities, m/s.
    pub velocities: Vec<[f64; 3]>,
    /// Whether the cloth sleeps.
    pub asleep: bool,
}

/// The state of a soft solid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SolidState {
    /// The vertices, metres.
    pub positions: Vec<[f64; 3]>,
    /// Their velocities, m/s.
    pub velocities: Vec<[f64; 3]>,
}
