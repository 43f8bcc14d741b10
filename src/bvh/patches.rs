//! The nodes of a hierarchy for queries that descend two at once: boxes that are cut by two parallel planes.
//!
//! A box along the axes of the frame is loose about a piece of surface that lies askew to them, as deep as it is wide. The
//! planes across the mean normal m of its triangles are as near to each other as the piece is curved. With `low ≤ m·x ≤ high`
//! and any λ, no point x of the piece is higher along a direction u than `λ·high` (`λ·low` where λ < 0) plus the height of the
//! box along `u − λ m`; `λ = u·m` leaves little of the box. That is a step of the linear program whose least value is the
//! height of the cut box.

use crate::bvh::boxes::point;
use crate::polytope::shapes::Polytope;
use nalgebra::{Point3, Vector3};
use parry3d_f64::partitioning::{Bvh, TraversalAction};

/// The nodes of a hierarchy.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Patches {
    patches: Vec<Patch>,
    root: Member,
}

/// A node, or a part, of a hierarchy.
#[derive(Clone, Copy, Debug)]
pub(super) enum Member {
    Node(u32),
    Part(u32),
}

impl Member {
    /// Returns the index of a node.
    pub fn node(self) -> Option<u32> {
        match self {
            Member::Node(node) => Some(node),
            Member::Part(_) => None,
        }
    }
}

/// A node: what its two children hold is in its box and between its planes.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    pub children: [Member; 2],
    pub middle: Vector3<f64>,
    pub half: Vector3<f64>,
    /// The distance of what it holds from the middle, rounded up.
    radius: f64,
    /// The mean normal, or zero.
    pub normal: Vector3<f64>,
    /// The least and the greatest height along the normal.
    low: f64,
    high: f64,
}

impl Patch {
    /// Returns a height along a unit vector u that nothing in the patch exceeds, but for rounding.
    #[inline]
    pub fn highest(&self, u: &Vector3<f64>) -> f64 {
        self.heights(u)[1]
    }

    /// Returns the heights along a unit vector u between which all in the patch is, but for rounding.
    #[inline]
    pub fn heights(&self, u: &Vector3<f64>) -> [f64; 2] {
        let along = u.dot(&self.normal);
        let beside = u - self.normal * along;
        let (a, b) = (along * self.low, along * self.high);
        let (of_box, half) = (beside.dot(&self.middle), beside.abs().dot(&self.half));
        let middle = u.dot(&self.middle);
        [
            (a.min(b) + of_box - half).max(middle - self.radius),
            (a.max(b) + of_box + half).min(middle + self.radius),
        ]
    }
}

impl Patches {
    /// Makes the nodes of a hierarchy over parts.
    pub(super) fn of<P: Polytope>(bvh: &Bvh, part_of: impl Fn(u32) -> P) -> Self {
        /// The planes of a patch of more parts are those of its children's.
        const EXACT: usize = 64;
        /// A patch of fewer than this share of all has no ball but that about its box.
        const SHARE: usize = 32;
        let mut patches: Vec<Patch> = Vec::new();
        // The parts in the order of the patches, and how many are before those of a patch.
        let (mut parts, mut before) = (Vec::new(), Vec::new());
        // The children whose patches are still to come; the hierarchy is visited two siblings at a time, left ones first.
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        bvh.traverse_indexed(None, |node, index| {
            let side = usize::from(index.decompose().1);
            let (min, max) = (point(node.mins()), point(node.maxs()));
            if side == 0 {
                if let Some((parent, side)) = waiting.pop() {
                    patches[parent].children[side] = Member::Node(patches.len() as u32);
                }
                before.push(parts.len());
                patches.push(Patch {
                    children: [Member::Part(0); 2],
                    middle: min.coords,
                    half: max.coords,
                    radius: 0.0,
                    normal: Vector3::zeros(),
                    low: 0.0,
                    high: 0.0,
                });
            }
            let last = patches.len() - 1;
            let patch = &mut patches[last];
            if let Some(part) = node.leaf_data() {
                patch.children[side] = Member::Part(part);
                parts.push(part);
            } else {
                patch.children[side] = Member::Node(u32::MAX);
            }
            if side == 1 {
                let (min, max) = (patch.middle.inf(&min.coords), patch.half.sup(&max.coords));
                (patch.middle, patch.half) = (0.5 * min + 0.5 * max, 0.5 * max - 0.5 * min);
                let inner = |side: &usize| matches!(patch.children[*side], Member::Node(_));
                waiting.extend([1, 0].into_iter().filter(inner).map(|side| (last, side)));
            }
            TraversalAction::Continue
        });
        if let [part] = parts[..] {
            return Patches {
                patches: Vec::new(),
                root: Member::Part(part),
            };
        }
        let count = patches.len();
        // The areas of what is below a patch, and the patch behind it.
        let mut areas = vec![Vector3::<f64>::zeros(); count];
        let mut behind = vec![0; count];
        for k in (0..count).rev() {
            behind[k] = k + 1;
            for child in patches[k].children {
                match child {
                    Member::Part(part) => areas[k] += area(part_of(part).vertices()),
                    Member::Node(node) => {
                        let below = areas[node as usize];
                        areas[k] += below;
                        behind[k] = behind[k].max(behind[node as usize]);
                    }
                }
            }
            // Squares that underflow leave no direction.
            let unit = |n: &Vector3<f64>| (n.norm() - 1.0).abs() < 1e-12;
            let normal = areas[k].try_normalize(0.0).filter(unit);
            let (normal, middle) = (normal.unwrap_or_default(), patches[k].middle);
            let of_part = |part: &u32| {
                let part = part_of(*part);
                let heights = part.vertices().iter().map(|p| p.coords.dot(&normal));
                heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], h| {
                    [low.min(h), high.max(h)]
                })
            };
            let of_child = |child: &Member| match child {
                Member::Part(part) => of_part(part),
                Member::Node(node) => {
                    let child = &patches[*node as usize];
                    [-child.highest(&-normal), child.highest(&normal)]
                }
            };
            let both = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
            let end = before.get(behind[k]).copied().unwrap_or(parts.len());
            let within = &parts[before[k]..end];
            let ends = if within.len() <= EXACT {
                within.iter().map(of_part).reduce(both)
            } else {
                patches[k].children.iter().map(of_child).reduce(both)
            };
            let patch = &mut patches[k];
            // Products beyond the number range leave the box alone.
            if let Some([low, high]) = ends.filter(|ends| ends.iter().all(|x| x.is_finite())) {
                (patch.normal, patch.low, patch.high) = (normal, low, high);
            }
            patch.radius = patch.half.norm();
            if within.len() * SHARE >= parts.len() {
                let mut square = 0.0_f64;
                for part in within {
                    for p in part_of(*part).vertices() {
                        square = square.max((p.coords - middle).norm_squared());
                    }
                }
                // Squares that underflow, or overflow, say nothing.
                if square.is_normal() {
                    patch.radius = patch.radius.min(square.sqrt());
                }
            }
        }
        Patches {
            patches: in_blocks(patches),
            root: Member::Node(0),
        }
    }

    pub(super) fn root(&self) -> Member {
        self.root
    }

    pub(super) fn node(&self, index: u32) -> &Patch {
        &self.patches[index as usize]
    }
}

/// Returns the normal of a triangle, or of the top of a prism, as long as it is large; zero for others.
fn area(vertices: &[Point3<f64>]) -> Vector3<f64> {
    match vertices {
        [p, q, r] | [p, q, r, _, _, _] => {
            let area = (q - p).cross(&(r - p));
            if area.iter().all(|x| x.is_finite()) {
                area
            } else {
                Vector3::zeros()
            }
        }
        _ => Vector3::zeros(),
    }
}

/// Returns nodes in another order: a few generations below one are together, siblings beside each other, so that the way down
/// reads few pages of memory.
fn in_blocks(mut patches: Vec<Patch>) -> Vec<Patch> {
    /// A block of so many nodes fills a page, about.
    const GENERATIONS: usize = 5;
    let mut order = Vec::with_capacity(patches.len());
    let mut tops = vec![0_u32];
    while let Some(top) = tops.pop() {
        let mut first = order.len();
        order.push(top);
        for _ in 1..GENERATIONS {
            let last = order.len();
            for k in first..last {
                let children = patches[order[k] as usize].children;
                order.extend(children.iter().filter_map(|child| child.node()));
            }
            first = last;
        }
        for k in order[first..].iter().rev() {
            let children = patches[*k as usize].children;
            tops.extend(children.iter().rev().filter_map(|child| child.node()));
        }
    }
    let mut places = vec![0_u32; patches.len()];
    for (place, &node) in order.iter().enumerate() {
        places[node as usize] = place as u32;
    }
    for patch in &mut patches {
        patch.children = patch.children.map(|child| match child {
            Member::Node(node) => Member::Node(places[node as usize]),
            part => part,
        });
    }
    for k in 0..patches.len() {
        while places[k] as usize != k {
            let place = places[k] as usize;
            patches.swap(k, place);
            places.swap(k, place);
        }
    }
    patches
}
