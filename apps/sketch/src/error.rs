//! The errors of edits. An edit that fails changes nothing.

use crate::key::{BoneId, HitboxId, JointId};
use crate::recogniser::Refusal;
use crate::stroke::StrokeError;

/// An error of an edit of a figure.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SketchError {
    /// The stroke has bad points.
    #[error(transparent)]
    Stroke(#[from] StrokeError),
    /// The stroke means nothing.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The view has no extent, or lies out of the world.
    #[error("view: its numbers must be finite and its extent from 1e-6 m to 1e6 m")]
    View,
    /// A point of space is not finite or too far away.
    #[error("position: every coordinate must be finite and at most 1e6 m")]
    Position,
    /// The figure has no such joint.
    #[error("there is no joint {}", .0.0)]
    NoJoint(JointId),
    /// The figure has no such bone.
    #[error("there is no bone {}", .0.0)]
    NoBone(BoneId),
    /// The figure has no such hitbox.
    #[error("there is no hitbox {}", .0.0)]
    NoHitbox(HitboxId),
    /// The reach of a pick is no part of the view.
    #[error("reach = {0}: must be from 0 to 1, in parts of the view")]
    Reach(f64),
    /// No bone lies where the pane was tapped.
    #[error("there is no bone within {0} of the view of the tap")]
    NothingTapped(f64),
    /// The bones would form a cycle.
    #[error("joints {} and {} are connected already: a figure has no cycles", .0.0, .1.0)]
    Cycle(JointId, JointId),
    /// A bone would have no length.
    #[error("a bone would be shorter than {0} m")]
    ShortBone(f64),
    /// The figure is as large as a figure may be.
    #[error("a figure has at most {0} bones and hitboxes")]
    TooMany(usize),
    /// An ellipse was drawn and there is no bone to carry it.
    #[error("the ellipse has no bone to be fixed to: draw bones first")]
    NoBones,
    /// A figure without bones was to move.
    #[error("the figure has no bones: draw some before it can move")]
    NoBonesToMove,
    /// The ellipse meets no bone.
    #[error(
        "the ellipse meets no bone: the nearest one, {name}, is {distance:.3} m from its centre; draw it over a bone"
    )]
    FarFromBones {
        /// The name of the nearest bone.
        name: String,
        /// The distance from the ellipse's centre as seen in the view, metres.
        distance: f64,
    },
    /// A range is reversed, not finite, or beyond a full turn.
    #[error(
        "ranges[{axis}] = [{lower}, {upper}]: must be finite, in order, and within ±2π, radians"
    )]
    Range {
        /// The axis, 0 to 2 for x, y and z.
        axis: usize,
        /// The lower end, radians.
        lower: f64,
        /// The upper end, radians.
        upper: f64,
    },
    /// The shape is no superovoid.
    #[error("shape: {0}")]
    Shape(#[from] superovoid::ShapeError),
    /// The pose of a hitbox is not one.
    #[error("{0} must be finite, and a factor positive")]
    Number(&'static str),
    /// The name cannot be that of a link.
    #[error(
        "name {0:?}: must be 1 to 64 letters, digits, `_` or `-`, of one bone alone, and not `base`"
    )]
    Name(String),
    /// There is nothing to undo or to do again.
    #[error("there is nothing to {0}")]
    Nothing(&'static str),
    /// The figure is not one tree.
    #[error(
        "the figure has {0} trees and a robot is one: weld them, or delete what does not belong to it"
    )]
    Trees(usize),
    /// The density makes no mass.
    #[error("density = {0}: must be finite and positive, kg/m³")]
    Density(f64),
    /// The mass of a bone leaves the number range.
    #[error("bone {0}: its mass or inertia is not a finite positive number")]
    Mass(String),
    /// The mesh would have no segments or too many.
    #[error("segments = {0}: must be from 1 to {1}")]
    Segments(usize, usize),
    /// The file cannot be written.
    #[error("file: {0}")]
    File(String),
    /// The robot is refused by the library.
    #[error("robot: {0}")]
    Robot(String),
}
