//! The allowed-collision matrix, sparse.

use std::collections::{BTreeMap, BTreeSet};

/// A group of bodies in a scene, by its index; bodies of one group are never compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Group(pub(super) u32);

impl Group {
    /// Returns its index, from 0, in the order in which the scene met its groups.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The pairs of groups that may collide and are therefore not compared.
///
/// For two groups, the first of these rules that applies decides:
///
/// 1. the setting of the pair by [`allow`](Self::allow) or [`forbid`](Self::forbid),
/// 2. allowed if both are links of one rigid body, or an attached object and one of its touch links,
/// 3. the defaults of the two groups: allowed if every default that is set allows,
/// 4. forbidden: the pair is compared.
///
/// These are the rules of MoveIt's `AllowedCollisionMatrix`, with the second in addition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AllowedCollisions {
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Row {
    default: Option<bool>,
    /// The groups of one rigid body; they may collide with each other unless forbidden.
    rigid: Option<usize>,
    /// The groups that may touch this one, which is an attached object, unless forbidden.
    touching: BTreeSet<u32>,
    /// The settings of pairs with a later group: its index, and whether collisions are allowed. A file may list one
    /// group with every other one in any order, for which a sorted list would take quadratic time.
    pairs: BTreeMap<u32, bool>,
}

impl AllowedCollisions {
    /// Allows collisions of these two groups: they are not compared.
    pub fn allow(&mut self, a: Group, b: Group) {
        self.set(a, b, Some(true));
    }

    /// Forbids collisions of these two groups: they are compared, whatever their defaults.
    pub fn forbid(&mut self, a: Group, b: Group) {
        self.set(a, b, Some(false));
    }

    /// Removes the setting of this pair, so that the defaults decide.
    pub fn clear(&mut self, a: Group, b: Group) {
        self.set(a, b, None);
    }

    /// Sets whether collisions of this group are allowed for pairs without a setting; `None`, the initial value, is
    /// no default.
    pub fn set_default(&mut self, group: Group, allowed: Option<bool>) {
        self.row(group.0).default = allowed;
    }

    /// Whether collisions of these two groups are allowed.
    pub fn is_allowed(&self, a: Group, b: Group) -> bool {
        let (first, second) = (a.0.min(b.0), a.0.max(b.0));
        let [x, y] = [first, second].map(|group| self.rows.get(group as usize));
        let said = x.and_then(|row| row.pairs.get(&second).copied());
        said.unwrap_or_else(|| {
            let rigid = |row: Option<&Row>| row.and_then(|row| row.rigid);
            if rigid(x).is_some() && rigid(x) == rigid(y) {
                return true;
            }
            let touches =
                |row: Option<&Row>, other| row.is_some_and(|row| row.touching.contains(&other));
            if touches(x, second) || touches(y, first) {
                return true;
            }
            let defaults = [x, y].map(|row| row.and_then(|row| row.default));
            defaults.contains(&Some(true)) && !defaults.contains(&Some(false))
        })
    }

    /// Returns the settings of pairs: the groups, and whether their collisions are allowed.
    pub fn pairs(&self) -> impl Iterator<Item = (Group, Group, bool)> {
        (0u32..).zip(&self.rows).flat_map(|(first, row)| {
            let pairs = row.pairs.iter();
            pairs.map(move |(&second, &allowed)| (Group(first), Group(second), allowed))
        })
    }

    /// Makes a group a part of a rigid body.
    pub(super) fn set_rigid(&mut self, group: Group, body: usize) {
        self.row(group.0).rigid = Some(body);
    }

    /// Lets groups touch an attached object.
    pub(super) fn set_touching(&mut self, object: Group, groups: impl Iterator<Item = Group>) {
        self.row(object.0).touching = groups.map(|group| group.0).collect();
    }

    /// Forgets what may touch an object, and what it may touch.
    pub(super) fn clear_touching(&mut self, object: Group) {
        for row in &mut self.rows {
            row.touching.remove(&object.0);
        }
        self.row(object.0).touching.clear();
    }

    fn set(&mut self, a: Group, b: Group, allowed: Option<bool>) {
        let (first, second) = (a.0.min(b.0), a.0.max(b.0));
        let pairs = &mut self.row(first).pairs;
        match allowed {
            Some(allowed) => pairs.insert(second, allowed),
            None => pairs.remove(&second),
        };
    }

    fn row(&mut self, group: u32) -> &mut Row {
        let index = group as usize;
        if index >= self.rows.len() {
            self.rows.resize_with(index + 1, Row::default);
        }
        &mut self.rows[index]
    }
}
