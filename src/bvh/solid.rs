//! Whether a triangle mesh bounds a solid, and which points are inside.
//!
//! A mesh is closed if its boundary vanishes: every edge is passed as often in one direction as in the other, by triangles
//! whose corners may be different vertices at one place. Then the winding number, the number of times that the surface turns
//! about a point, is a whole number off the surface, and the solid is where it is at least 1. That makes a shell that is
//! turned inside out inside another one a cavity, and shells of one sense inside one another, or overlapping, one solid.
//!
//! The sums over all edges of two hashes of their ends, with the sign of the direction, are zero for a closed mesh, and for
//! one that is not with a probability of 2⁻¹²⁸.
//!
//! A shell with a negative volume is a cavity only if the others wind about it; otherwise the mesh is inside out, and bounds
//! nothing.
//!
//! The winding number is counted along a ray, as the sum of the signs of the triangles that it passes. Each triangle counts
//! how often the projections of its edges wind about the ray's. The sign of an edge depends on its two ends only, in an order
//! of their own, so that both triangles of an edge agree about it and none is lost or counted twice, whatever is rounded. Only
//! whether a triangle is before or behind the point is left to rounding; where that is not clear another ray is asked.

use crate::bvh::boxes::{bounds, point};
use crate::surface::bounds::Aabb;
use nalgebra::{Point3, Vector3};
use parry3d_f64::partitioning::{Bvh, BvhNode, TraversalAction};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// What is found of a mesh when it is made.
pub(super) struct Surface {
    /// Whether the mesh bounds a solid: closed, and with its outer side outside.
    pub closed: bool,
    /// A vertex of each of the pieces that hang together.
    pub pieces: Vec<u32>,
}

/// A volume that is less than this share of the sum of its terms is none.
const FLAT: f64 = 1e-12;

impl Surface {
    /// Examines a mesh whose indices are valid.
    pub fn of(vertices: &[Point3<f64>], triangles: &[[u32; 3]], bvh: &Bvh) -> Self {
        let places = places(vertices);
        let mut shells = Shells::new(vertices.len());
        let mut boundary = [0_u64; 2];
        for triangle in triangles {
            let [a, b, c] = triangle.map(|v| places[v as usize]);
            shells.join(a, b);
            shells.join(b, c);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let edge = u64::from(from.min(to)) << 32 | u64::from(from.max(to));
                for (sum, seed) in boundary.iter_mut().zip([0, 0x5851_f42d_4c95_7f2d]) {
                    let hash = mixed(edge ^ seed);
                    *sum = match from.cmp(&to) {
                        std::cmp::Ordering::Less => sum.wrapping_add(hash),
                        std::cmp::Ordering::Equal => *sum,
                        std::cmp::Ordering::Greater => sum.wrapping_sub(hash),
                    };
                }
            }
        }
        let shell_of: Vec<u32> = triangles
            .iter()
            .map(|[a, ..]| shells.first(places[*a as usize]))
            .collect();
        let mut pieces = shell_of.clone();
        pieces.sort_unstable();
        pieces.dedup();
        let closed = boundary == [0, 0] && outside_is_out(vertices, triangles, bvh, &shell_of);
        Surface { closed, pieces }
    }
}

/// Whether there is a volume, and no shell is inside out unless it is a cavity.
fn outside_is_out(
    vertices: &[Point3<f64>],
    triangles: &[[u32; 3]],
    bvh: &Bvh,
    shell_of: &[u32],
) -> bool {
    // The volume and the sum of what was added up, by the shell's first vertex.
    let mut volumes = vec![[0.0; 2]; vertices.len()];
    for (triangle, &shell) in triangles.iter().zip(shell_of) {
        let from = vertices[shell as usize];
        let [a, b, c] = triangle.map(|v| vertices[v as usize] - from);
        let volume = a.dot(&b.cross(&c));
        let [sum, terms] = &mut volumes[shell as usize];
        *sum += volume;
        *terms += volume.abs();
    }
    let has_volume = |&[sum, terms]: &[f64; 2]| sum > FLAT * terms;
    let shells = (0..).zip(&volumes);
    let is_cavity = |shell: u32| {
        let others = |t: u32| {
            let other = shell_of[t as usize] != shell;
            other.then(|| triangles[t as usize].map(|v| vertices[v as usize]))
        };
        winding(bvh, others, &vertices[shell as usize]).0 >= 1
    };
    volumes.iter().any(has_volume)
        && shells
            .filter(|(_, [sum, terms])| *sum < -FLAT * terms)
            .all(|(shell, _)| is_cavity(shell))
}

/// Returns the first vertex at the place of each.
fn places(vertices: &[Point3<f64>]) -> Vec<u32> {
    let mut known =
        HashMap::<(u64, u64, u64), u32, BuildHasherDefault<PlaceHasher>>::with_capacity_and_hasher(
            vertices.len(),
            BuildHasherDefault::default(),
        );
    (0..)
        .zip(vertices)
        .map(|(index, v)| {
            // Zero has two signs.
            let [x, y, z] = [v.x, v.y, v.z].map(|x| (x + 0.0).to_bits());
            *known.entry((x, y, z)).or_insert(index)
        })
        .collect()
}

/// A hash of numbers of 64 bits, ten times as fast as the standard one.
#[derive(Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(number));
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = mixed(self.0 ^ number);
    }
}

/// Mixes the bits of a number: the finalizer of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood 2014).
fn mixed(number: u64) -> u64 {
    let x = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// The vertices that hang together, as a forest in which a parent has the lesser index (R. E. Tarjan 1975).
struct Shells(Vec<u32>);

impl Shells {
    fn new(count: usize) -> Self {
        Shells((0..).take(count).collect())
    }

    fn first(&mut self, vertex: u32) -> u32 {
        let parents = &mut self.0;
        let mut at = vertex;
        while parents[at as usize] != at {
            let above = parents[parents[at as usize] as usize];
            parents[at as usize] = above;
            at = above;
        }
        at
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// Other rays, each by two directions across it. Few models have faces along one.
const RAYS: [[[f64; 3]; 2]; 3] = [
    [
        [0.617_283, -0.540_319, 0.571_447],
        [0.213_907, 0.826_131, 0.521_393],
    ],
    [
        [0.790_123, 0.310_447, -0.529_871],
        [-0.130_993, 0.917_771, 0.375_127],
    ],
    [
        [-0.271_183, 0.401_939, 0.874_513],
        [0.911_371, 0.390_107, 0.130_349],
    ],
];

/// Returns how often the closed surface of the triangles that have corners here winds about a point, and one of those that the ray
/// passes outwards.
///
/// The first ray is the one along an axis that leaves the box of the tree soonest. Such a ray is a box itself, so that
/// comparisons without rounding tell whether it passes another one by. A face that it lies in has a projection without area,
/// whose edges are as consistent as any others.
pub(super) fn winding(
    bvh: &Bvh,
    corners: impl Fn(u32) -> Option<[Point3<f64>; 3]>,
    about: &Point3<f64>,
) -> (i32, Option<u32>) {
    let (ray, Aabb { min, max }) = Ray::leaving(&bounds(bvh), about);
    let mut found = ray.turns(bvh, &corners, |node| {
        let (low, high) = (node.mins(), node.maxs());
        let beside = |k: usize| (high[k] < min[k]) | (max[k] < low[k]);
        beside(0) | beside(1) | beside(2)
    });
    for across in RAYS {
        if found.clear {
            break;
        }
        let ray = Ray::new(across, about);
        found = ray.turns(bvh, &corners, |node| ray.passes_by(node));
    }
    (found.turns, found.outwards)
}

/// What a ray passes.
struct Turns {
    /// How often the triangles before the point wind about the ray.
    turns: i32,
    /// One of them that the ray passes outwards.
    outwards: Option<u32>,
    /// Whether it is clear which triangles are before the point.
    clear: bool,
}

struct Ray {
    from: Point3<f64>,
    across: [Vector3<f64>; 2],
    along: Vector3<f64>,
}

impl Ray {
    fn new(across: [[f64; 3]; 2], from: &Point3<f64>) -> Self {
        let across = across.map(Vector3::from);
        Ray {
            from: *from,
            across,
            along: across[0].cross(&across[1]),
        }
    }

    /// Returns the ray along an axis that leaves a box soonest, and the box that it is.
    fn leaving(around: &Aabb, from: &Point3<f64>) -> (Self, Aabb) {
        let ways = (0..3).flat_map(|axis| {
            let down = (from[axis] - around.min[axis], axis, false);
            [down, (around.max[axis] - from[axis], axis, true)]
        });
        let soonest = ways.min_by(|p, q| p.0.total_cmp(&q.0));
        let (_, axis, upwards) = soonest.unwrap_or((0.0, 0, true));
        let (mut min, mut max) = (*from, *from);
        let [mut u, mut v] = [(axis + 1) % 3, (axis + 2) % 3];
        if upwards {
            max[axis] = f64::INFINITY;
        } else {
            min[axis] = f64::NEG_INFINITY;
            (u, v) = (v, u);
        }
        let across = [u, v].map(|k| Vector3::ith(k, 1.0).into());
        (Ray::new(across, from), Aabb { min, max })
    }

    /// Returns what the ray passes.
    #[inline(always)]
    fn turns(
        &self,
        bvh: &Bvh,
        corners: impl Fn(u32) -> Option<[Point3<f64>; 3]>,
        passes_by: impl Fn(&BvhNode) -> bool,
    ) -> Turns {
        let (mut turns, mut outwards, mut clear) = (0, None, true);
        bvh.traverse(|node| {
            if passes_by(node) {
                return TraversalAction::Prune;
            }
            if let Some(part) = node.leaf_data()
                && let Some(corners) = corners(part)
            {
                let (crossing, sure) = self.crossing(&corners);
                turns += crossing;
                clear &= sure;
                if crossing > 0 {
                    outwards = Some(part);
                }
            }
            TraversalAction::Continue
        });
        Turns {
            turns,
            outwards,
            clear,
        }
    }

    /// Whether the ray does not touch a node's box, by more than rounding.
    fn passes_by(&self, node: &BvhNode) -> bool {
        let (min, max) = (point(node.mins()), point(node.maxs()));
        let middle = nalgebra::center(&min, &max) - self.from;
        let half = 0.5 * (max - min);
        let slack = 2e-14 * (min.coords.amax() + max.coords.amax() + self.from.coords.amax());
        let beside = |n: &Vector3<f64>| n.dot(&middle).abs() > n.abs().dot(&half) + slack;
        self.across.iter().any(beside)
            || self.along.dot(&middle) + self.along.abs().dot(&half) + slack < 0.0
    }

    /// Returns how often the border of a triangle before the point winds about the ray, and whether it is clear that the
    /// triangle is before it or behind.
    fn crossing(&self, corners: &[Point3<f64>; 3]) -> (i32, bool) {
        let relative = corners.map(|corner| corner - self.from);
        let turns = turns_about(&self.across, &relative);
        if turns == 0 {
            return (0, true);
        }
        let heights = relative.map(|r| self.along.dot(&r));
        if heights.iter().all(|h| *h > 0.0) {
            return (turns, true);
        }
        if heights.iter().all(|h| *h < 0.0) {
            return (0, true);
        }
        let [a, b, c] = relative;
        let (e, f) = (b - a, c - a);
        let height = e.cross(&f).dot(&a);
        let digits = corners.iter().map(|corner| corner.coords.norm());
        let size = digits.fold(self.from.coords.norm() + a.norm(), f64::max);
        let clear = height.abs() > 1e-14 * e.norm() * f.norm() * size;
        let ahead = (height > 0.0) == (turns > 0);
        (if ahead { turns } else { 0 }, clear)
    }
}

/// Returns how often the border of a triangle, relative to a point, winds about the line through that point across two
/// directions: once, or not at all. Two triangles of an edge agree about it to the bit.
pub(super) fn turns_about(across: &[Vector3<f64>; 2], corners: &[Vector3<f64>; 3]) -> i32 {
    let flat = corners.map(|r| [across[0].dot(&r), across[1].dot(&r)]);
    (0..3)
        .map(|i| crossing_of_edge(flat[i], flat[(i + 1) % 3]))
        .sum()
}

/// Returns 1 if an edge crosses the positive first axis upwards, −1 if it does so downwards; the axis belongs to what is
/// below.
fn crossing_of_edge(from: [f64; 2], to: [f64; 2]) -> i32 {
    let is_above = |p: [f64; 2]| p[1] > 0.0;
    let right =
        |low: [f64; 2], high: [f64; 2]| i32::from(low[0] * high[1] - low[1] * high[0] > 0.0);
    match (is_above(from), is_above(to)) {
        (false, true) => right(from, to),
        (true, false) => -right(to, from),
        _ => 0,
    }
}
