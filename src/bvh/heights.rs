//! The lowest point of a tree along a direction, and the part that is nearest to a plane.
//!
//! From a patch the search goes down to a part, to the lower child of each, and goes on from the lowest patch that is left,
//! as long as that may hold something lower than the lowest vertex so far. About that vertex a surface rises with the square
//! of the way, and so do the planes of its patches, so that of every size a few are visited. Boxes along the axes are as deep
//! as they are wide: of the smallest ones of n parts √n would be.

use crate::bvh::boxes::bounds;
use crate::bvh::patches::Member;
use crate::bvh::tree::PolytopeTree;
use crate::polytope::shapes::Polytope;
use nalgebra::{Point3, Vector3};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Returns what rounding can change of a height along a unit vector, also of the bounds of a patch.
pub(crate) fn rounding_of_heights(tree: &impl PolytopeTree) -> f64 {
    let around = bounds(tree.bvh());
    2e-14 * around.min.coords.amax() + 2e-14 * around.max.coords.amax()
}

/// Returns the least and the greatest height of the box of a tree along a direction.
pub(crate) fn heights_of_box(tree: &impl PolytopeTree, n: &Vector3<f64>) -> [f64; 2] {
    let around = bounds(tree.bvh());
    let (min, max) = (around.min.coords, around.max.coords);
    let (a, b) = (n.component_mul(&min), n.component_mul(&max));
    [a.inf(&b).sum(), a.sup(&b).sum()]
}

/// Returns the point of the parts that is farthest along a direction, but for rounding, and a part that has it. Vertices that no
/// part has do not count.
pub(crate) fn farthest_part(
    tree: &impl PolytopeTree,
    direction: &Vector3<f64>,
) -> Option<(u32, Point3<f64>)> {
    // Its squares might leave the number range.
    let down = -(direction / direction.amax()).normalize();
    let part = lowest_part(tree, &down, f64::INFINITY, f64::NEG_INFINITY)?;
    Some((part.index, part.low.1))
}

/// A part with its lowest and its highest vertex along a direction.
pub(crate) struct Heights {
    pub index: u32,
    pub low: (f64, Point3<f64>),
    pub high: (f64, Point3<f64>),
}

/// Returns the part with the lowest vertex along a direction, or one that is as low as `enough`; `None` if there is none below
/// `limit`.
pub(crate) fn lowest_part(
    tree: &impl PolytopeTree,
    n: &Vector3<f64>,
    limit: f64,
    enough: f64,
) -> Option<Heights> {
    least_part(tree, n, |[low, _]| low, limit, enough)
}

/// Returns the part that is nearest to the plane `n·x = height`, or one that crosses it by `-enough`; `None` if there is none
/// nearer than `limit`.
pub(crate) fn part_nearest_to_plane(
    tree: &impl PolytopeTree,
    n: &Vector3<f64>,
    height: f64,
    limit: f64,
    enough: f64,
) -> Option<Heights> {
    let clearance = |[low, high]: [f64; 2]| (low - height).max(height - high);
    least_part(tree, n, clearance, limit, enough)
}

/// Returns the part with the least cost, or one of at most `enough`; `None` if there is none below `limit`. The cost depends on
/// the least and the greatest height, and is no less for those of what is inside.
fn least_part(
    tree: &impl PolytopeTree,
    n: &Vector3<f64>,
    cost: impl Fn([f64; 2]) -> f64,
    limit: f64,
    enough: f64,
) -> Option<Heights> {
    // Of parts that are at the same height but for rounding one is visited.
    let tie = rounding_of_heights(tree);
    let patches = tree.patches();
    let (mut least, mut best) = (limit, None);
    let mut ask = |index: u32, least: &mut f64| {
        let part = tree.part(index);
        let mut ends = part.vertices().iter().map(|p| (n.dot(&p.coords), *p));
        let Some(first) = ends.next() else {
            return;
        };
        let (low, high) = ends.fold((first, first), |(low, high), it| {
            (
                if it.0 < low.0 { it } else { low },
                if it.0 > high.0 { it } else { high },
            )
        });
        let found = cost([low.0, high.0]);
        if found < *least {
            *least = found;
            best = Some(Heights { index, low, high });
        }
    };
    // What leaves the number range tells nothing.
    let bound = |node: u32| cost(patches.node(node).heights(n)).max(f64::NEG_INFINITY);
    let mut next = match patches.root() {
        Member::Part(part) => {
            ask(part, &mut least);
            None
        }
        Member::Node(node) => Some(Waiting {
            bound: bound(node),
            node,
        }),
    };
    let mut waiting = BinaryHeap::with_capacity(64);
    while let Some(at) = (next.take())
        .filter(|at: &Waiting| at.bound < least - tie)
        .or_else(|| waiting.pop())
    {
        // So have those that are left.
        if at.bound >= least - tie {
            break;
        }
        for child in patches.node(at.node).children {
            match child {
                Member::Part(part) => ask(part, &mut least),
                Member::Node(node) => {
                    let child = Waiting {
                        bound: bound(node),
                        node,
                    };
                    let (nearer, other) = match next {
                        Some(known) if known > child => (known, Some(child)),
                        known => (child, known),
                    };
                    next = Some(nearer);
                    waiting.extend(other.filter(|other| other.bound < least - tie));
                }
            }
        }
        if least <= enough {
            break;
        }
    }
    best
}

/// A node that is still to be visited: the greatest is the one with the least bound.
#[derive(Clone, Copy)]
struct Waiting {
    bound: f64,
    node: u32,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.bound.total_cmp(&self.bound)
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Eq for Waiting {}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
