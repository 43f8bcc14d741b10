//! A body or a piece of it: what has a hull.

use super::hull::Hull;
use super::levels::Levels;
use super::pieces::Piece;
use superovoid::{BoundingSphere, Shape};

/// A body, or a piece of it.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Whole(&'a Levels, &'a Shape),
    Piece(&'a Piece),
}

impl<'a> Part<'a> {
    pub fn hull(self) -> Option<&'a Hull> {
        match self {
            Part::Whole(levels, shape) => levels.hull(shape),
            Part::Piece(piece) => Some(&piece.hull),
        }
    }

    pub fn ball(self) -> Option<&'a BoundingSphere> {
        match self {
            Part::Whole(..) => None,
            Part::Piece(piece) => Some(&piece.ball),
        }
    }

    pub fn id(self) -> u32 {
        match self {
            Part::Whole(..) => 0,
            Part::Piece(piece) => piece.id,
        }
    }

    /// Returns the pieces that together hold what of the body is in this part; itself, if there are none.
    pub fn parts(self) -> Vec<Part<'a>> {
        let pieces = match self {
            Part::Whole(levels, shape) => levels.pieces(shape),
            Part::Piece(piece) => piece.pieces(),
        };
        match pieces {
            [] => vec![self],
            pieces => pieces.iter().map(Part::Piece).collect(),
        }
    }
}
