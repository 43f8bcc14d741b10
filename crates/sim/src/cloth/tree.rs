//! A tree of boxes, over the patches of cloths or the triangles of a surface.
//!
//! It is built once, by halves along the longest side, where a cloth is at rest: neighbours stay neighbours however it
//! moves. For positions the boxes alone are made anew, from the leaves up. Two trees are walked together from their roots,
//! as far as boxes meet; a tree and itself gives each pair once.

use nalgebra::Vector3;

/// A box by its lower and upper corner.
pub(crate) type Box3 = (Vector3<f64>, Vector3<f64>);

/// Nodes of two trees that are still to be walked: its memory is kept.
pub(crate) type Stack = Vec<(usize, usize)>;

/// The items of a leaf that serves well.
pub(crate) const LEAF: usize = 4;

/// A complete binary tree: node i has the children 2 i and 2 i + 1, the root is 1, the leaves are the last half.
#[derive(Default)]
pub(crate) struct Tree {
    /// The items in the order of the leaves.
    items: Vec<(u32, Node)>,
    nodes: Vec<Node>,
}

/// A box.
#[derive(Clone, Copy)]
struct Node {
    low: Vector3<f64>,
    high: Vector3<f64>,
}

impl Node {
    fn nothing() -> Self {
        Node {
            low: Vector3::repeat(f64::INFINITY),
            high: Vector3::repeat(f64::NEG_INFINITY),
        }
    }

    fn with(&self, other: &Node) -> Self {
        Node {
            low: self.low.inf(&other.low),
            high: self.high.sup(&other.high),
        }
    }

    /// Whether two meet.
    fn meets(&self, other: &Node) -> bool {
        // Without branches, which cost more than the comparisons that they save.
        let along = |k: usize| (self.low[k] <= other.high[k]) & (other.low[k] <= self.high[k]);
        along(0) & along(1) & along(2)
    }
}

impl Tree {
    /// Builds the tree of items at the given places, with at most `most` in a leaf.
    pub fn new(places: &[Vector3<f64>], most: usize) -> Self {
        let leaves = places.len().div_ceil(most).max(1).next_power_of_two();
        let nothing = Node::nothing();
        let mut items: Vec<_> = (0..places.len() as u32).map(|i| (i, nothing)).collect();
        halve(places, &mut items, leaves);
        Tree {
            items,
            nodes: vec![nothing; 2 * leaves],
        }
    }

    /// The items of every leaf.
    pub fn leaves(&self) -> impl Iterator<Item = Vec<u32>> {
        let items = |leaf: usize| self.items[self.range(leaf)].iter().map(|(i, _)| *i);
        (0..self.nodes.len() / 2).map(move |leaf| items(leaf).collect())
    }

    /// Takes the boxes of the items.
    pub fn refit(&mut self, boxed: impl Fn(u32) -> Box3) {
        let leaves = self.nodes.len() / 2;
        for (item, node) in &mut self.items {
            let (low, high) = boxed(*item);
            *node = Node { low, high };
        }
        for leaf in 0..leaves {
            let all = self.items[self.range(leaf)].iter();
            self.nodes[leaves + leaf] = all.fold(Node::nothing(), |all, (_, b)| all.with(b));
        }
        for node in (1..leaves).rev() {
            self.nodes[node] = self.nodes[2 * node].with(&self.nodes[2 * node + 1]);
        }
    }

    fn range(&self, leaf: usize) -> std::ops::Range<usize> {
        let (count, leaves) = (self.items.len(), self.nodes.len() / 2);
        leaf * count / leaves..(leaf + 1) * count / leaves
    }

    /// The items of a node that is a leaf.
    fn leaf(&self, node: usize) -> Option<&[(u32, Node)]> {
        let leaf = node.checked_sub(self.nodes.len() / 2)?;
        Some(&self.items[self.range(leaf)])
    }

    /// Calls `found` with every item of this tree and every one of another whose boxes meet.
    pub fn meeting(&self, other: &Tree, stack: &mut Stack, mut found: impl FnMut(u32, u32)) {
        stack.push((1, 1));
        self.walk(other, stack, &mut found);
    }

    /// Calls `found` with every two items whose boxes meet, once.
    pub fn meeting_itself(&self, stack: &mut Stack, mut found: impl FnMut(u32, u32)) {
        for node in 1..self.nodes.len() {
            match self.leaf(node) {
                Some(items) => {
                    for (k, (i, a)) in items.iter().enumerate() {
                        for (j, b) in &items[..k] {
                            if a.meets(b) {
                                found(*i, *j);
                            }
                        }
                    }
                }
                None => {
                    stack.push((2 * node, 2 * node + 1));
                    self.walk(self, stack, &mut found);
                }
            }
        }
    }

    fn walk(&self, other: &Tree, stack: &mut Stack, found: &mut impl FnMut(u32, u32)) {
        while let Some((p, q)) = stack.pop() {
            if !self.nodes[p].meets(&other.nodes[q]) {
                continue;
            }
            match (self.leaf(p), other.leaf(q)) {
                (Some(first), Some(second)) => {
                    for (i, a) in first.iter().filter(|(_, a)| a.meets(&other.nodes[q])) {
                        for (j, b) in second {
                            if a.meets(b) {
                                found(*i, *j);
                            }
                        }
                    }
                }
                (Some(_), None) => stack.extend([(p, 2 * q + 1), (p, 2 * q)]),
                (None, Some(_)) => stack.extend([(2 * p + 1, q), (2 * p, q)]),
                (None, None) => {
                    for p in [2 * p + 1, 2 * p] {
                        stack.extend([(p, 2 * q + 1), (p, 2 * q)]);
                    }
                }
            }
        }
    }
}

/// Orders items so that each half of the leaves holds one side of them.
fn halve(places: &[Vector3<f64>], items: &mut [(u32, Node)], leaves: usize) {
    let count = items.len();
    // The first leaf of a part, and how many it has: the bounds between leaves are those of `Tree::range`.
    let mut parts = vec![(0, leaves)];
    while let Some((first, some)) = parts.pop() {
        if some == 1 {
            continue;
        }
        let [from, middle, to] = [0, some / 2, some].map(|k| (first + k) * count / leaves);
        let part = &mut items[from..to];
        let start = part
            .first()
            .map_or(Vector3::zeros(), |(i, _)| places[*i as usize]);
        let (low, high) = part.iter().fold((start, start), |(low, high), (i, _)| {
            let place = &places[*i as usize];
            (low.inf(place), high.sup(place))
        });
        let axis = (high - low).imax();
        if middle > from && middle < to {
            part.select_nth_unstable_by(middle - from, |(i, _), (j, _)| {
                let along = |i: &u32| places[*i as usize][axis];
                along(i).total_cmp(&along(j)).then(i.cmp(j))
            });
        }
        parts.extend([(first, some / 2), (first + some / 2, some / 2)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    #[test]
    fn trees_find_what_brute_force_finds() {
        let mut random = Random::new(5);
        let mut point = |size: f64| Vector3::from([0; 3].map(|_| random.within(-size, size)));
        for count in [0, 1, 3, 4, 5, 9, 100, 301] {
            // The places of the build are others than those of the boxes, as of a cloth that has moved.
            let mut tree_of = |count: usize| {
                let places: Vec<_> = (0..count).map(|_| point(2.0)).collect();
                let boxes: Vec<Box3> = (0..count)
                    .map(|_| {
                        let (center, half) = (point(2.0), point(0.4).abs());
                        (center - half, center + half)
                    })
                    .collect();
                let mut tree = Tree::new(&places, LEAF);
                tree.refit(|i| boxes[i as usize]);
                (tree, boxes)
            };
            let ((tree, boxes), (other, others)) = (tree_of(count), tree_of(50));
            let overlap = |a: &Box3, b: &Box3| (0..3).all(|k| a.0[k] <= b.1[k] && b.0[k] <= a.1[k]);
            let mut found = Vec::new();
            tree.meeting(&other, &mut Stack::new(), |i, j| found.push((i, j)));
            found.sort_unstable();
            let mut expected = Vec::new();
            for (i, a) in boxes.iter().enumerate() {
                for (j, b) in others.iter().enumerate() {
                    if overlap(a, b) {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            assert_eq!(found, expected);
            let mut found = Vec::new();
            tree.meeting_itself(&mut Stack::new(), |i, j| found.push((i.min(j), i.max(j))));
            found.sort_unstable();
            let mut expected = Vec::new();
            for i in 0..count {
                for j in i + 1..count {
                    if overlap(&boxes[i], &boxes[j]) {
                        expected.push((i as u32, j as u32));
                    }
                }
            }
            assert_eq!(found, expected);
            assert!(count < 100 || expected.len() > 10, "{}", expected.len());
        }
    }
}
