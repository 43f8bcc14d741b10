//! What is known of a pose, and whether an answer agrees with it.

use super::body::{Body, Kind};
use superovoid::Contact;

/// Distances that differ by more than this are wrong, metres.
pub const TOLERANCE: f64 = 1e-6;

/// The columns after the library's own.
pub const COLUMNS: [&str; 5] = ["C", "FCL", "coal", "coal 1e-9", "parry"];
pub const FCL: usize = 1;
pub const COAL: usize = 2;
pub const TIGHT: usize = 3;
pub const PARRY: usize = 4;

/// What is known of every pose.
#[derive(Clone, Copy)]
pub enum Truth {
    Verdict(bool),
    /// The bracket and the distance in it.
    Distance(Contact),
    /// The depth of bodies with parts as this peer defines it.
    Another,
}

impl Truth {
    pub fn wrong(&self, answer: f64) -> bool {
        match self {
            // Also of NaN.
            Truth::Verdict(true) => answer != 1.0,
            Truth::Verdict(false) => answer != 0.0,
            // Also of NaN: as these are defined they are no gap either.
            Truth::Another => answer.is_nan() || answer > TOLERANCE,
            Truth::Distance(known) => {
                !(known.lower - TOLERANCE..=known.upper + TOLERANCE).contains(&answer)
            }
        }
    }

    pub fn differs(&self, answer: f64) -> bool {
        matches!(self, Truth::Distance(known) if (answer - known.distance).abs() > TOLERANCE)
    }
}

/// Whether a peer's depth of two bodies is that of ours: the least way that separates one part, of the part where it is greatest.
/// FCL's and parry's are not where bodies have parts. Coal goes along the normal of the first of two triangles, and along that of
/// a triangle of a height field; and a plane is left by a triangle, for us by the whole body.
pub fn same_depth(a: &Body, b: &Body, peer: usize) -> bool {
    let kinds = [a.kind, b.kind];
    let parts = kinds.iter().filter(|kind| **kind >= Kind::Mesh).count();
    let coal = kinds != [Kind::Mesh; 2]
        && !kinds.contains(&Kind::Plane)
        && !kinds.contains(&Kind::HeightField);
    match peer {
        FCL | PARRY => parts == 0,
        COAL | TIGHT => parts == 0 || coal,
        _ => true,
    }
}
