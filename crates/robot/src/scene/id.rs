//! The ids of bodies and obstacles.

/// The id of a body or an obstacle of one scene. An id is never used again, even after its body was removed. The ids
/// of another scene have no meaning in this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) slot: u32,
    /// The number of bodies that this slot held before.
    pub(super) generation: u32,
}

impl BodyId {
    /// Returns the id as one number, for a foreign interface.
    pub fn number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// Returns the id of a number, which may belong to no body.
    pub fn from_number(number: u64) -> Self {
        BodyId {
            slot: number as u32,
            generation: (number >> 32) as u32,
        }
    }
}

impl std::fmt::Display for BodyId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.slot, self.generation)
    }
}
