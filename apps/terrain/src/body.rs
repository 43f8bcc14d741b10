//! The numbers of a body: what they are now, and what they become.

use crate::limits::HALF;
use nalgebra::{Isometry3, Translation3};
use serde::{Deserialize, Serialize};
use superovoid::Superovoid;
use superovoid::pose::rotation;

/// The semi-axes of a body that is added, metres.
pub(crate) const ADDED: [f64; 3] = [0.2, 0.2, 0.25];

/// The shape and the pose of a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// The semi-axes, metres.
    pub semi_axes: [f64; 3],
    /// The exponents `[e1, e2]`.
    pub exponents: [f64; 2],
    /// The centre, metres.
    pub position: [f64; 3],
    /// The orientation, a unit quaternion `[w, x, y, z]`.
    pub orientation: [f64; 4],
}

/// A body under the cloth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// The name of the body as a number, which no other body of the terrain has or had.
    pub id: u32,
    /// What the body is now.
    pub now: Form,
    /// What it becomes, as fast as the cloth can follow.
    pub goal: Form,
}

impl Body {
    /// A body that rises from below the ground.
    pub(crate) fn rising(id: u32, [x, y]: [f64; 2], below: f64) -> Body {
        let goal = Form {
            semi_axes: ADDED,
            exponents: [1.0; 2],
            position: [x, y, 0.0],
            orientation: [1.0, 0.0, 0.0, 0.0],
        };
        let now = Form {
            position: [x, y, -ADDED[2] - below],
            ..goal
        };
        Body { id, now, goal }
    }
}

impl Form {
    /// Returns the shape, none if its numbers are those of no superellipsoid.
    pub fn shape(&self) -> Option<Superovoid> {
        Superovoid::superellipsoid(self.semi_axes, self.exponents).ok()
    }

    /// Returns the pose.
    pub fn pose(&self) -> Isometry3<f64> {
        let [w, x, y, z] = self.orientation;
        // That of a valid body is of length 1.
        let turn = rotation([x, y, z, w]).unwrap_or_default();
        Isometry3::from_parts(Translation3::from(self.position), turn)
    }

    /// The height of the highest point.
    pub(crate) fn top(&self) -> f64 {
        let aabb = self.shape().map(|shape| shape.aabb(&self.pose()));
        aabb.map_or(self.position[2], |aabb| aabb.max.z)
    }
}

/// The nearest place on the ground.
pub(crate) fn on_ground(x: f64) -> f64 {
    x.clamp(-HALF, HALF)
}

/// The orientation that is turned about the vertical.
pub(crate) fn turned(angle: f64) -> [f64; 4] {
    let half = 0.5 * (angle % std::f64::consts::TAU);
    [half.cos(), 0.0, 0.0, half.sin()]
}
