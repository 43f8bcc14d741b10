//! Pairs of links that take no part in contact.

use crate::export::Model;
use std::collections::BTreeSet;
use superovoid_robot::Srdf;

/// Returns the pairs of adjacent links, and those that the SRDF disables, as indices of links with collision shapes, the
/// smaller one first.
pub fn pairs(model: &Model, srdf: Option<&Srdf>) -> BTreeSet<[usize; 2]> {
    let robot = model.robot;
    let shaped: Vec<usize> = (0..model.links.len())
        .filter(|link| !model.links[*link].collisions.is_empty())
        .collect();
    let by_srdf = srdf.map(|srdf| Disabled::new(model, srdf));
    let mut pairs = BTreeSet::new();
    for (k, &a) in shaped.iter().enumerate() {
        for &b in &shaped[k + 1..] {
            let disabled = by_srdf.as_ref().is_some_and(|srdf| srdf.contains([a, b]));
            if disabled || robot.are_adjacent(a, b) {
                pairs.insert([a, b]);
            }
        }
    }
    pairs
}

/// What an SRDF says, in indices of links.
struct Disabled {
    pairs: BTreeSet<[usize; 2]>,
    enabled: BTreeSet<[usize; 2]>,
    by_default: BTreeSet<usize>,
}

impl Disabled {
    fn new(model: &Model, srdf: &Srdf) -> Self {
        let index = |name: &String| model.robot.link_index(name);
        let of = |pairs: &[superovoid_robot::LinkPair]| {
            let pairs = pairs.iter().filter_map(|pair| {
                let [a, b] = [index(&pair.links[0])?, index(&pair.links[1])?];
                Some([a.min(b), a.max(b)])
            });
            pairs.collect()
        };
        Disabled {
            pairs: of(&srdf.disabled),
            enabled: of(&srdf.enabled),
            by_default: srdf
                .disabled_by_default
                .iter()
                .filter_map(|(name, _)| index(name))
                .collect(),
        }
    }

    fn contains(&self, pair: [usize; 2]) -> bool {
        let by_default = pair.iter().any(|link| self.by_default.contains(link));
        self.pairs.contains(&pair) || (by_default && !self.enabled.contains(&pair))
    }
}
