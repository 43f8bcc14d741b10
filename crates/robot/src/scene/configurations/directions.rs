//! Directions that have separated a pair, tried again at eight configurations at once.
//!
//! A direction n is kept in the frame of one body of the pair, H, with the height h of H's hull along it: the greatest n·x.
//! The other body, E, is above it by the gap `n·(origin of E − origin of H) − s(−n) − h`, where s is the support function
//! of E's hull. Where that is positive n separates the bodies. It takes the support function of one body, in a form that
//! fits lanes, and nothing of the other one but two numbers. Neighbours of a configuration, and what returns to the same
//! place, have directions in common.

use super::block::Block;
use super::separation::OUT_OF_REACH;
use crate::levels::{Hull, Outline};
use crate::poses::{Column, PoseVectors, largest, splat3};
use nalgebra::{Isometry3, Vector3};
use superovoid::Contact;
use superovoid::internals::{
    BOUND_ACCURACY, Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, Supports, Two, dispatch,
    fused::dot, pieces,
};

/// A direction, away from H, and the height of H along it.
#[derive(Clone, Copy)]
pub(super) struct Direction {
    pub n: Vector3<f64>,
    pub height: f64,
}

/// The number of directions that are kept of a pair.
pub(super) const KEPT: usize = 4;

/// The directions of a pair, the one that separated last first.
#[derive(Clone, Default)]
pub(super) struct Directions {
    pub kept: Vec<Direction>,
}

/// A pair, and the ids of parts of its bodies.
pub(super) type Parts = (u32, [u32; 2]);

/// The bodies of a pair for its directions.
#[derive(Clone, Copy)]
pub(super) struct Sides<'a> {
    /// The slots of H and E.
    pub slots: [usize; 2],
    /// The hull of H, unless it is a half-space.
    pub hard: Option<&'a Hull>,
    pub easy: &'a Hull,
    /// The sizes of both, and their largest coordinates, metres.
    pub size: f64,
    pub reach: f64,
}

impl Directions {
    /// Adds a direction before all others.
    pub fn add(&mut self, direction: Direction) {
        self.kept.truncate(KEPT - 1);
        self.kept.insert(0, direction);
    }

    pub fn extend(&mut self, direction: Option<Direction>) {
        if let Some(direction) = direction {
            self.add(direction);
        }
    }

    /// Ends the lanes in which a direction proves the bodies to be farther apart than a distance.
    pub fn separate(
        &mut self,
        block: &Block,
        sides: &Sides,
        within: f64,
        near: &mut [bool; MAX_LANES],
    ) {
        for k in 0..self.kept.len() {
            let helped = separates(block, sides, &self.kept[k], within, near);
            if helped && k > 0 {
                self.kept[..=k].rotate_right(1);
            }
            if !near.contains(&true) {
                return;
            }
        }
    }

    /// Does so with the direction that is likely in a lane, and keeps it if it separates the bodies in any.
    pub fn guess(
        &mut self,
        block: &Block,
        sides: &Sides,
        within: f64,
        near: &mut [bool; MAX_LANES],
        lane: usize,
    ) {
        let poses = sides.slots.map(|slot| block.poses[slot].get(lane));
        let Some(direction) = sides.likely_direction(poses.each_ref()) else {
            return;
        };
        let is_known = self.kept.iter().any(|kept| kept.n == direction.n);
        if !is_known && separates(block, sides, &direction, within, near) {
            self.add(direction);
        }
    }
}

/// Ends the lanes in which a direction proves the bodies to be farther apart than a distance; returns whether there are any.
fn separates(
    block: &Block,
    sides: &Sides,
    direction: &Direction,
    within: f64,
    near: &mut [bool; MAX_LANES],
) -> bool {
    let gaps = gaps(block, sides, direction);
    let mut any = false;
    for lane in 0..MAX_LANES {
        if near[lane] && gaps[lane] > within {
            near[lane] = false;
            any = true;
        }
    }
    any
}

impl Sides<'_> {
    /// Returns a direction that is likely to separate two hulls, without a search: that of the face of a box or cylinder which the
    /// middle of the other hull is over, or from middle to middle.
    pub fn likely_direction(&self, [pose_h, pose_e]: [&Isometry3<f64>; 2]) -> Option<Direction> {
        let hard = self.hard?;
        let middle = pose_e * self.easy.center;
        let d = pose_h.inverse_transform_point(&middle) - hard.center;
        let n = match &hard.outline {
            Outline::Cuboid(half) => {
                let over = |k: usize| d[k].abs() - half[k];
                let axis = (1..3).fold(0, |best, k| if over(k) > over(best) { k } else { best });
                Vector3::ith(axis, 1.0_f64.copysign(d[axis]))
            }
            Outline::Cylinder(radius, half) => {
                let across = Vector3::new(d.x, d.y, 0.0);
                let off = across.norm();
                if d.z.abs() - half > off - radius {
                    Vector3::z() * 1.0_f64.copysign(d.z)
                } else {
                    across / off
                }
            }
            _ => d / d.norm(),
        };
        // Middles that are all but the same have no direction.
        let is_unit = (n.norm_squared() - 1.0).abs() < 1e-12;
        let height = height(hard, is_unit.then_some(&n)?)?;
        height.is_finite().then_some(Direction { n, height })
    }

    /// Returns the direction in which two hulls of a pair are apart, by their contact.
    pub fn direction(
        &self,
        slots: [u32; 2],
        [pose_a, pose_b]: [&Isometry3<f64>; 2],
        contact: &Contact,
    ) -> Option<Direction> {
        let (pose, normal) = if self.slots[0] == slots[0] as usize {
            (pose_a, contact.normal.into_inner())
        } else {
            (pose_b, -contact.normal.into_inner())
        };
        let n = pose.rotation.inverse_transform_vector(&normal);
        let height = height(self.hard?, &n)?;
        Some(Direction { n, height })
    }
}

/// Returns the value of the support function of a hull in a direction of unit length; of an ovoid the bound of lanes, which
/// needs no iterations where the body is tapered.
fn height(hull: &Hull, n: &Vector3<f64>) -> Option<f64> {
    if !matches!(hull.outline, Outline::Superovoid(_)) {
        return hull.support(n);
    }
    let mut heights = [0.0; MAX_LANES];
    dispatch!(simd => height_in_lanes(simd, &hull.outline, n, &mut heights));
    Some(heights[0])
}

#[inline(always)]
fn height_in_lanes<S: SimdLevel>(
    simd: S,
    outline: &Outline,
    n: &Vector3<f64>,
    heights: &mut Column,
) {
    let one = Piece::<S>::load_from(simd, &[1.0; MAX_LANES], 0);
    support(outline, &splat3(one, &(*n).into()), one).store_to(heights, 0);
}

/// Returns a lower bound of the gap along a direction in each lane.
fn gaps(block: &Block, sides: &Sides, direction: &Direction) -> Column {
    let mut gaps = [0.0; MAX_LANES];
    dispatch!(simd => {
        for first in pieces(simd) {
            let (_, gap) = direction_and_gap(simd, block, sides, direction, first);
            gap.store_to(&mut gaps, first);
        }
    });
    gaps
}

/// Returns the direction in the world, and a lower bound of the gap along it.
#[inline(always)]
pub(super) fn direction_and_gap<S: SimdLevel>(
    simd: S,
    block: &Block,
    sides: &Sides,
    Direction { n, height }: &Direction,
    first: usize,
) -> ([Piece<S>; 3], Piece<S>) {
    let [hard, easy] = sides.slots;
    let hard: PoseVectors<Piece<S>> = block.poses[hard].load(simd, first);
    let easy: PoseVectors<Piece<S>> = block.poses[easy].load(simd, first);
    let like = hard.translation[0];
    let n = hard.rotate(&splat3(like, &(*n).into()));
    let down = easy.rotate_back(&[-n[0], -n[1], -n[2]]);
    let (h, e) = (hard.translation, easy.translation);
    let between = [e[0] - h[0], e[1] - h[1], e[2] - h[2]];
    let terms = largest(&h) + largest(&e) + sides.reach;
    let one = like.splat(1.0);
    let gap = dot(&n, &between) - support(&sides.easy.outline, &down, one) - *height;
    (n, gap - terms * (8.0 * BOUND_ACCURACY))
}

/// Returns the value of the support function in a direction of this length. Rounding makes the direction longer or shorter
/// by a few units in the last place, which the caller's margin allows for.
#[inline(always)]
pub(super) fn support<V: Lanes>(outline: &Outline, d: &[V; 3], length: V) -> V {
    match outline {
        Outline::Points(points, radius) => {
            let mut highest = d[0].splat(f64::NEG_INFINITY);
            for [x, y, z] in points {
                let along = d[0] * *x;
                let along = d[1].mul_add(d[1].splat(*y), along);
                highest = highest.max(d[2].mul_add(d[2].splat(*z), along));
            }
            highest + length * *radius
        }
        Outline::Cuboid(half) => d[0].abs() * half[0] + d[1].abs() * half[1] + d[2].abs() * half[2],
        Outline::Cylinder(radius, half) => {
            d[0].mul_add(d[0], d[1] * d[1]).sqrt() * *radius + d[2].abs() * *half
        }
        Outline::Cone(radius, half) => {
            let tip = d[2] * *half;
            (d[0].mul_add(d[0], d[1] * d[1]).sqrt() * *radius - tip).max(tip)
        }
        Outline::Superovoid(ovoid) => {
            let found = Supports::of_body(d[0], ovoid).support(d);
            found.value + length * (OUT_OF_REACH * ovoid.outer_radius())
        }
        Outline::Powers => d[0].splat(f64::INFINITY),
    }
}

/// Returns the same for two directions of the same length.
#[inline(always)]
pub(super) fn two_supports<V: Lanes>(outline: &Outline, [c, d]: [[V; 3]; 2], length: V) -> [V; 2] {
    if let Outline::Superovoid(ovoid) = outline {
        // Side by side neither waits for its own powers.
        let both = [0, 1, 2].map(|k| Two(c[k], d[k]));
        let found = Supports::of_soa(length, ovoid, ovoid).support(&both);
        let doubt = length * (OUT_OF_REACH * ovoid.outer_radius());
        return [found.value.0 + doubt, found.value.1 + doubt];
    }
    [support(outline, &c, length), support(outline, &d, length)]
}
