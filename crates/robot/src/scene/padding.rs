//! Paddings: how much larger the bodies of groups, and those of pairs of groups, are taken to be.
//!
//! A padded body is the body with all points within the padding: the signed distance of two padded bodies is that of the
//! bodies less both paddings. So queries ask for a distance that is greater by them, and what they find is shifted. The
//! bounds of the bodies are extended, so that nothing in the broad phase knows of paddings.

use super::allowed::Group;
use super::body::Reach;
use std::collections::BTreeMap;
use superovoid::{Contact, QueryError};

/// The paddings that are not zero, metres.
#[derive(Clone, Debug, Default)]
pub(super) struct Padding {
    groups: BTreeMap<Group, f64>,
    /// The smaller group comes first.
    pairs: BTreeMap<[Group; 2], f64>,
}

/// The padding of body A and of body B of a pair, metres: that of the pair is divided between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PairPadding {
    a: f64,
    b: f64,
}

impl Padding {
    /// Returns the padding of a group.
    pub fn of(&self, group: Group) -> f64 {
        self.groups.get(&group).copied().unwrap_or(0.0)
    }

    /// Returns what a pair of groups has in addition to their own paddings.
    pub fn of_pair(&self, a: Group, b: Group) -> f64 {
        let pair = [a.min(b), a.max(b)];
        self.pairs.get(&pair).copied().unwrap_or(0.0)
    }

    /// Returns the padding of both bodies of a pair.
    pub fn between(&self, a: Group, b: Group) -> PairPadding {
        if self.is_empty() {
            return PairPadding::NONE;
        }
        let half = 0.5 * self.of_pair(a, b);
        PairPadding {
            a: self.of(a) + half,
            b: self.of(b) + half,
        }
    }

    /// Sets the padding of a group.
    pub fn set(&mut self, group: Group, metres: f64) {
        set(&mut self.groups, group, metres);
    }

    /// Sets what a pair of groups has in addition.
    pub fn set_pair(&mut self, a: Group, b: Group, metres: f64) {
        set(&mut self.pairs, [a.min(b), a.max(b)], metres);
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.pairs.is_empty()
    }

    /// Returns how far the bounds of a group's bodies must reach. A pair may be with an obstacle, whose bounds are not
    /// extended, so that they reach as far as the whole padding of a pair.
    pub fn reach(&self, group: Group) -> Reach {
        let of_group =
            |(pair, padding): (&[Group; 2], &f64)| pair.contains(&group).then_some(*padding);
        let most = self.pairs.iter().filter_map(of_group).fold(0.0, f64::max);
        let inner = self.of(group);
        Reach {
            outer: inner + most,
            inner,
        }
    }
}

impl PairPadding {
    pub const NONE: PairPadding = PairPadding { a: 0.0, b: 0.0 };

    /// Returns the distance of the bodies at which the padded ones touch.
    pub fn total(&self) -> f64 {
        self.a + self.b
    }

    /// Returns the distance of the bodies within which the padded ones are within a distance.
    pub fn within(&self, max_distance: f64) -> f64 {
        match self.total() {
            total if total > 0.0 => (max_distance + total) * (1.0 + 4.0 * f64::EPSILON),
            _ => max_distance,
        }
    }

    /// Returns the contact of the padded bodies: the witnesses move along the normal, and the bracket is wider by what
    /// rounding can change of it. The error is that of a distance that exceeds the number range.
    pub fn shifted(&self, mut contact: Contact) -> Result<Contact, QueryError> {
        let total = self.total();
        if total > 0.0 {
            // The total has three terms, and the difference is rounded as well.
            let rounding = |bound: f64| 4.0 * f64::EPSILON * (bound.abs() + total);
            let (lower, upper) = (contact.lower, contact.upper);
            contact.distance -= total;
            contact.lower = lower - total - rounding(lower);
            contact.upper = upper - total + rounding(upper);
            contact.point_a += contact.normal.into_inner() * self.a;
            contact.point_b -= contact.normal.into_inner() * self.b;
            return contact.within_number_range();
        }
        Ok(contact)
    }

    /// Returns what a query found, for the padded bodies.
    pub fn shifted_found<P>(
        &self,
        found: Option<(P, Contact)>,
    ) -> Result<Option<(P, Contact)>, QueryError> {
        let shifted = |(part, contact)| Ok((part, self.shifted(contact)?));
        found.map(shifted).transpose()
    }
}

/// Sets a padding; zeros are left out.
fn set<K: Ord>(paddings: &mut BTreeMap<K, f64>, of: K, metres: f64) {
    if metres > 0.0 {
        paddings.insert(of, metres);
    } else {
        paddings.remove(&of);
    }
}
