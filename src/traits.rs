//! Properties of a shape that select its solver, determined once, when the shape is made.

use crate::convexity::Convexity;

/// The properties of a shape, a bit for each.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Traits(u64);

impl Traits {
    const CONVEX: u64 = 1;
    const PROVABLE: u64 = 2;
    const TAPERED: u64 = 4;
    const ROUND: u64 = 8;
    const SPHERE: u64 = 16;

    pub const NONE: Traits = Traits(0);
    pub const ALL: Traits = Traits(u64::MAX);
    pub const OF_SPHERE: Traits =
        Traits(Self::CONVEX | Self::PROVABLE | Self::ROUND | Self::SPHERE);

    pub fn of(a: [f64; 3], e: [f64; 2], t: [f64; 2], convexity: Convexity) -> Self {
        let (tapered, round) = (t != [0.0; 2], e == [1.0; 2]);
        let sphere = round && !tapered && a[0] == a[1] && a[1] == a[2];
        let bits = [
            (Self::CONVEX, convexity == Convexity::Convex),
            (Self::PROVABLE, e.into_iter().all(exponent_can_prove)),
            (Self::TAPERED, tapered),
            (Self::ROUND, round),
            (Self::SPHERE, sphere),
        ];
        let set = bits.into_iter().filter(|(_, has)| *has);
        Traits(set.fold(0, |all, (bit, _)| all | bit))
    }

    pub fn bits(self) -> u64 {
        self.0
    }

    #[inline]
    fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    #[inline]
    pub fn convex(self) -> bool {
        self.has(Self::CONVEX)
    }

    /// Whether rounding leaves the support function accurate enough to certify anything.
    #[inline]
    pub fn provable(self) -> bool {
        self.has(Self::PROVABLE)
    }

    #[inline]
    pub fn tapered(self) -> bool {
        self.has(Self::TAPERED)
    }

    /// Whether both circles are round: e1 = e2 = 1.
    #[inline]
    pub fn round(self) -> bool {
        self.has(Self::ROUND)
    }

    #[inline]
    pub fn sphere(self) -> bool {
        self.has(Self::SPHERE)
    }

    /// Returns the properties that both shapes have.
    #[inline]
    pub fn both(self, other: Traits) -> Traits {
        Traits(self.0 & other.0)
    }

    /// Returns the properties that either shape has.
    #[inline]
    pub fn either(self, other: Traits) -> Traits {
        Traits(self.0 | other.0)
    }
}

/// Whether rounding leaves a support function with this exponent accurate enough to certify anything: the powers of
/// the circles lose 2/e, or 2/(2 − e), units in the last place.
pub(crate) fn exponent_can_prove(e: f64) -> bool {
    const MARGIN: f64 = 1e-6;
    (MARGIN..=2.0 - MARGIN).contains(&e)
}
