//! What a search begins with.

use crate::narrowphase::convex_pair::Penetration;

/// A penetration to begin with.
#[derive(Clone, Copy)]
pub(crate) enum InitialPenetration {
    /// A stationary one.
    Local(Penetration),
    /// Any direction's.
    Any(Penetration),
}

impl InitialPenetration {
    pub fn penetration(self) -> Penetration {
        match self {
            InitialPenetration::Local(p) | InitialPenetration::Any(p) => p,
        }
    }
}
