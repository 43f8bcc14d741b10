//! The six orthographic views of a figure, and the way from a pane to space.
//!
//! A figure looks along x, its left side is y, and up is z. With r to the right and u up in a pane, r × u points at the
//! viewer; the coordinate in that direction is the depth.

use nalgebra::{Point2, Point3, Vector3};
use serde::{Deserialize, Serialize};

/// The side from which a figure is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Face {
    /// The figure looks at the viewer: y to the right, z up.
    Front,
    /// The figure looks away: −y to the right, z up.
    Back,
    /// The viewer looks down: −y to the right, x up.
    Top,
    /// The viewer looks up: y to the right, x up.
    Bottom,
    /// The viewer stands at the figure's left: −x to the right, z up.
    Left,
    /// The viewer stands at the figure's right: x to the right, z up.
    Right,
}

impl Face {
    /// The six views.
    pub const ALL: [Face; 6] = [
        Face::Front,
        Face::Back,
        Face::Top,
        Face::Bottom,
        Face::Left,
        Face::Right,
    ];

    /// Returns the directions to the right, upwards and towards the viewer, a right-handed frame.
    pub fn axes(self) -> [Vector3<f64>; 3] {
        let [x, y, z] = [Vector3::x(), Vector3::y(), Vector3::z()];
        let [right, up] = match self {
            Face::Front => [y, z],
            Face::Back => [-y, z],
            Face::Top => [-y, x],
            Face::Bottom => [y, x],
            Face::Left => [-x, z],
            Face::Right => [x, z],
        };
        [right, up, right.cross(&up)]
    }
}

/// A pane that shows a square of space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The side.
    pub face: Face,
    /// The point in the middle of the pane, metres.
    pub center: Point3<f64>,
    /// The metres that the pane's edge spans.
    pub extent: f64,
}

impl View {
    /// Returns the point of space at a point of the pane and a depth in metres.
    pub fn to_space(&self, point: Point2<f64>, depth: f64) -> Point3<f64> {
        let [right, up, toward] = self.face.axes();
        let own = self.center.coords.dot(&toward);
        let [x, y] = [point.x - 0.5, point.y - 0.5].map(|t| t * self.extent);
        self.center + right * x + up * y + toward * (depth - own)
    }

    /// Returns the point of the pane at which a point of space is seen.
    pub fn to_pane(&self, point: Point3<f64>) -> Point2<f64> {
        let [right, up, _] = self.face.axes();
        let r = (point - self.center) / self.extent;
        Point2::new(0.5 + r.dot(&right), 0.5 + r.dot(&up))
    }

    /// Returns the depth of a point of space, metres.
    pub fn depth(&self, point: Point3<f64>) -> f64 {
        point.coords.dot(&self.face.axes()[2])
    }

    /// Returns the depths that count as equal, metres.
    pub(crate) fn level(&self) -> f64 {
        1e-3 * self.extent
    }

    /// Whether its numbers are finite and its extent is a positive number of metres up to 1e6.
    pub(crate) fn is_valid(&self) -> bool {
        let near = self.center.iter().all(|x| x.abs() <= 1e6);
        near && self.extent >= 1e-6 && self.extent <= 1e6
    }
}

/// Of things at a distance in a pane and a depth, returns the one that is meant: of those that are less than `slack` farther than
/// the nearest, the ones in front, and of these the nearest.
pub(crate) fn pick<T: Copy>(found: &[(f64, f64, T)], slack: f64, level: f64) -> Option<(f64, T)> {
    let nearest = found.iter().map(|f| f.0).fold(f64::INFINITY, f64::min);
    let near = || found.iter().filter(|f| f.0 <= nearest + slack);
    let front = near().map(|f| f.1).fold(f64::NEG_INFINITY, f64::max);
    let before = near().filter(|f| f.1 >= front - level);
    let best = before.min_by(|a, b| a.0.total_cmp(&b.0));
    best.map(|f| (f.0, f.2))
}
