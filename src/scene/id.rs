//! The names of bodies and obstacles.

/// Names a body or an obstacle of one scene. It is never used again, also not when what it named was
/// removed. The ids of another scene mean nothing in this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) slot: u32,
    /// How many bodies this slot held before.
    pub(super) generation: u32,
}

#[cfg(feature = "capi")]
impl BodyId {
    /// As one number, for a foreign interface.
    pub(crate) fn number(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The id of a number, which may name nothing.
    pub(crate) fn from_number(number: u64) -> Self {
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
