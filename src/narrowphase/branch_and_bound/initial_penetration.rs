//! The penetration from which a search begins.

use crate::narrowphase::convex_pair::Penetration;

/// The penetration from which a search begins.
#[derive(Clone, Copy)]
pub(crate) enum InitialPenetration {
    /// The penetration is stationary.
    Local(Penetration),
    /// The penetration is that of any direction.
    Any(Penetration),
}

impl InitialPenetration {
    pub fn penetration(self) -> Penetration {
        match self {
            InitialPenetration::Local(p) | InitialPenetration::Any(p) => p,
        }
    }
}
