//! What a scheme goes through on its way to an answer: the cells of its guesses and the iterates, for pictures.
//!
//! A scheme tells a [`Watch`] what it does. The one that watches nothing, `()`, leaves no instruction behind.

use crate::Contact;
use nalgebra::{Isometry3, Point3, Vector3};

/// The way of a scheme to its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemeTrace {
    /// The answer, to the bit that of [`scheme_contact`](super::scheme_contact).
    pub contact: Contact,
    /// The guesses that were made, in turn; none where bounds decided the query.
    pub attempts: Vec<Attempt>,
}

/// A guess, and the iterates from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attempt {
    /// Whether the guess looked for the largest gap between opposed normals, instead of the nearest cells.
    pub opposed: bool,
    /// For each level of the two trees the pairs of cells that were kept, the best first.
    pub levels: Vec<Vec<[GuessCell; 2]>>,
    /// The iterates, the first of which is the guess; none where a guessed point lay in the other body.
    pub iterates: Vec<Iterate>,
}

/// A cell of a tree.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GuessCell {
    /// What the cell covers.
    pub extent: CellExtent,
    /// The point by which the search ranks the cell, in the world frame, metres: on the surface for quadtrees, the
    /// centre of the box for octrees and nearest cells.
    pub point: Point3<f64>,
}

/// What a cell covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CellExtent {
    /// A box of an octree in the body's frame, metres.
    Box {
        /// The centre.
        center: Point3<f64>,
        /// Half the edge lengths.
        half_widths: Vector3<f64>,
    },
    /// A range of the surface angles of a quadtree, radians.
    Angles {
        /// The range of the angle around z.
        phi1: [f64; 2],
        /// The range of the angle of latitude.
        phi2: [f64; 2],
    },
}

/// A pair of points on the way to the answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iterate {
    /// The point of A, in the world frame, metres. Those of the implicit schemes need not be on the surface.
    pub point_a: Point3<f64>,
    /// The point of B.
    pub point_b: Point3<f64>,
    /// The deviation from a common normal and from the surfaces, without a unit; 0 at the answer.
    pub residual: f64,
    /// The share of Newton's step that led here; 1 at the guess.
    pub step: f64,
}

/// What is told of a scheme at work, in A's frame and the units of the problem.
pub(super) trait Watch {
    fn attempt(&mut self, _opposed: bool) {}
    /// What the cells cover is worked out only where somebody looks at it.
    fn kept(
        &mut self,
        _level: usize,
        _extents: impl FnOnce() -> [CellExtent; 2],
        _points: [Vector3<f64>; 2],
    ) {
    }
    fn iterate(&mut self, _points: [Vector3<f64>; 2], _residual: f64, _step: f64) {}
}

impl Watch for () {}

/// Keeps everything, in metres and the world frame.
pub(super) struct Recorder<'a> {
    pub unit: f64,
    pub pose_a: &'a Isometry3<f64>,
    pub attempts: Vec<Attempt>,
}

impl Recorder<'_> {
    fn world(&self, x: &Vector3<f64>) -> Point3<f64> {
        self.pose_a * Point3::from(x * self.unit)
    }
}

impl Watch for Recorder<'_> {
    fn attempt(&mut self, opposed: bool) {
        self.attempts.push(Attempt {
            opposed,
            ..Attempt::default()
        });
    }

    fn kept(
        &mut self,
        level: usize,
        extents: impl FnOnce() -> [CellExtent; 2],
        points: [Vector3<f64>; 2],
    ) {
        let extents = extents();
        let cell = |body: usize| GuessCell {
            extent: extents[body].scaled(self.unit),
            point: self.world(&points[body]),
        };
        let pair = [cell(0), cell(1)];
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.levels.resize_with(level, Vec::new);
            attempt.levels[level - 1].push(pair);
        }
    }

    fn iterate(&mut self, points: [Vector3<f64>; 2], residual: f64, step: f64) {
        let [point_a, point_b] = points.each_ref().map(|x| self.world(x));
        let iterate = Iterate {
            point_a,
            point_b,
            residual,
            step,
        };
        if let Some(attempt) = self.attempts.last_mut() {
            attempt.iterates.push(iterate);
        }
    }
}

impl CellExtent {
    fn scaled(self, unit: f64) -> Self {
        match self {
            CellExtent::Box {
                center,
                half_widths,
            } => CellExtent::Box {
                center: center * unit,
                half_widths: half_widths * unit,
            },
            angles @ CellExtent::Angles { .. } => angles,
        }
    }
}
