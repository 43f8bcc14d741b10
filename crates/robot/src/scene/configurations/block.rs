//! The bodies of a scene at the configurations of a block, and the pairs whose bounding spheres are near.

use super::boxes::Boxes;
use crate::poses::{Column, PoseLanes, PoseVectors, largest, load3, splat3, store3};
use crate::robot::{Configuration, ConfigurationError};
use crate::scene::body::{Body, OwnBounds};
use crate::scene::robot::RobotScene;
use crate::scene::scene::Slot;
use fearless_simd::Simd;
use nalgebra::Isometry3;
use superovoid::internals::{
    BOUND_ACCURACY, Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces,
};

/// The place of a body, by its slot: in the frame of a link, or in the world.
pub(super) struct Mount {
    link: Option<usize>,
    pose: Isometry3<f64>,
    /// The body's bounds, in its own frame; `None` for a half-space and an empty slot.
    bounds: Option<OwnBounds>,
}

/// A sphere around a body and its axis-aligned box, in each lane, in the world.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Outer {
    center: [Column; 3],
    radius: Column,
    /// The middle of the box, and half its edges.
    middle: [Column; 3],
    half: [Column; 3],
}

/// A sphere inside a body, in each lane, in the world.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Inner {
    center: [Column; 3],
    radius: Column,
}

/// The change of a bound that rounding can cause, relative to its terms.
const SLACK: f64 = 4.0 * BOUND_ACCURACY;

const ZERO: [Column; 3] = [[0.0; MAX_LANES]; 3];

impl Outer {
    /// The bounds that are near to all others.
    const EVERYWHERE: Outer = Outer {
        center: ZERO,
        radius: [f64::INFINITY; MAX_LANES],
        middle: ZERO,
        half: [[f64::INFINITY; MAX_LANES]; 3],
    };
}

impl Inner {
    /// The sphere from which no distance follows.
    const NOWHERE: Inner = Inner {
        center: ZERO,
        radius: [f64::NEG_INFINITY; MAX_LANES],
    };
}

/// A pair whose bounds are near each other.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// The place of the pair in the list.
    pub pair: u32,
    /// The lanes in which they are.
    pub lanes: [bool; MAX_LANES],
}

/// The memory of a block.
pub(super) struct Block {
    mounts: Vec<Mount>,
    links: Vec<PoseLanes>,
    /// The poses of the bodies in the world, by slot.
    pub poses: Vec<PoseLanes>,
    outer: Vec<Outer>,
    inner: Vec<Inner>,
}

impl Block {
    pub fn new(scene: &RobotScene) -> Self {
        let mount = |(slot, of): (u32, &Slot)| {
            let body = of.body.as_ref();
            let part = scene.part_in(slot);
            let in_world = || body.map_or_else(Isometry3::identity, |body| body.pose);
            Mount {
                link: part.map(|part| part.link),
                pose: part.map_or_else(in_world, |part| part.pose),
                bounds: body.and_then(Body::own_bounds),
            }
        };
        let mounts: Vec<Mount> = (0u32..).zip(&scene.scene.slots).map(mount).collect();
        let mut block = Block {
            poses: vec![PoseLanes::IDENTITY; mounts.len()],
            outer: vec![Outer::EVERYWHERE; mounts.len()],
            inner: vec![Inner::NOWHERE; mounts.len()],
            links: Vec::new(),
            mounts,
        };
        block.place(|mount| mount.link.is_none());
        block
    }

    /// Moves the robot's bodies to at most eight configurations.
    ///
    /// # Errors
    /// The errors are those of [`Robot::forward_kinematics`](crate::robot::Robot::forward_kinematics).
    pub fn move_to(
        &mut self,
        scene: &RobotScene,
        configurations: &[&Configuration],
    ) -> Result<(), ConfigurationError> {
        scene
            .robot
            .link_poses(&scene.base, configurations, &mut self.links)?;
        self.place(|mount| mount.link.is_some());
        Ok(())
    }

    fn place(&mut self, which: impl Fn(&Mount) -> bool) {
        dispatch!(simd => {
            for slot in 0..self.mounts.len() {
                if which(&self.mounts[slot]) {
                    for first in pieces(simd) {
                        self.place_piece(simd, slot, first);
                    }
                }
            }
        });
    }

    #[inline(always)]
    fn place_piece<S: SimdLevel>(&mut self, simd: S, slot: usize, first: usize) {
        let mount = &self.mounts[slot];
        let like = Piece::<S>::load_from(simd, &[0.0; MAX_LANES], first);
        let mut pose = PoseVectors::splat(like, &mount.pose);
        if let Some(link) = mount.link {
            let link: PoseVectors<Piece<S>> = self.links[link].load(simd, first);
            pose = link.times(&pose);
        }
        self.poses[slot].store(&pose, first);
        let Some(bounds) = &mount.bounds else {
            return;
        };
        let OwnBounds {
            sphere,
            center,
            half_extents: half,
            inside,
        } = bounds;
        let outer = &mut self.outer[slot];
        let at = pose.transform(&splat3(like, &sphere.center.coords.into()));
        store3(&at, &mut outer.center, first);
        let slack = (largest(&at) + sphere.radius) * SLACK;
        (slack + sphere.radius).store_to(&mut outer.radius, first);

        let at = pose.transform(&splat3(like, &center.coords.into()));
        let slack = (largest(&at) + half.norm()) * SLACK;
        let a = pose.rotate(&splat3(like, &[half.x, 0.0, 0.0]));
        let b = pose.rotate(&splat3(like, &[0.0, half.y, 0.0]));
        let c = pose.rotate(&splat3(like, &[0.0, 0.0, half.z]));
        let reached = [
            a[0].abs() + b[0].abs() + c[0].abs() + slack,
            a[1].abs() + b[1].abs() + c[1].abs() + slack,
            a[2].abs() + b[2].abs() + c[2].abs() + slack,
        ];
        store3(&at, &mut outer.middle, first);
        store3(&reached, &mut outer.half, first);

        let inner = &mut self.inner[slot];
        let at = pose.transform(&splat3(like, &inside.center.coords.into()));
        store3(&at, &mut inner.center, first);
        let slack = (largest(&at) + inside.radius) * SLACK;
        (-slack + inside.radius).store_to(&mut inner.radius, first);
    }

    /// Fills a list with those of the pairs whose bounds are not proven to be farther apart than the distance in some
    /// lane.
    pub fn near(
        &self,
        pairs: impl Iterator<Item = (u32, [u32; 2])>,
        within: &Column,
        found: &mut Vec<Near>,
    ) {
        found.clear();
        dispatch!(simd => {
            for (pair, slots) in pairs {
                let mut lanes = [false; MAX_LANES];
                for first in pieces(simd) {
                    self.near_piece(simd, slots, within, first, &mut lanes);
                }
                if lanes.contains(&true) {
                    found.push(Near { pair, lanes });
                }
            }
        });
    }

    #[inline(always)]
    fn near_piece<S: SimdLevel>(
        &self,
        simd: S,
        slots: [u32; 2],
        within: &Column,
        first: usize,
        lanes: &mut [bool; MAX_LANES],
    ) {
        let [slot_a, slot_b] = slots.map(|slot| slot as usize);
        let (a, b) = (&self.outer[slot_a], &self.outer[slot_b]);
        let within = Piece::<S>::load_from(simd, within, first);
        let [x, y, z] = apart3::<S, Piece<S>>(simd, &a.center, &b.center, first);
        let square = x.mul_add(x, y.mul_add(y, z * z));
        let radius_a = Piece::<S>::load_from(simd, &a.radius, first);
        let radii = radius_a + Piece::<S>::load_from(simd, &b.radius, first) + within;
        let mut apart = (radii * radii).lt(square);
        if Piece::<S>::all(apart) {
            return;
        }
        let between: [Piece<S>; 3] = apart3(simd, &a.middle, &b.middle, first);
        let half_a: [Piece<S>; 3] = load3(simd, &a.half, first);
        let half_b: [Piece<S>; 3] = load3(simd, &b.half, first);
        for k in 0..3 {
            apart = apart | (half_a[k] + half_b[k] + within).lt(between[k].abs());
        }
        if Piece::<S>::all(apart) {
            return;
        }
        let (bounds_a, bounds_b) = (&self.mounts[slot_a].bounds, &self.mounts[slot_b].bounds);
        if let (Some(bounds_a), Some(bounds_b)) = (bounds_a, bounds_b) {
            let boxes = Boxes {
                half: [
                    splat3(x, &bounds_a.half_extents.into()),
                    splat3(x, &bounds_b.half_extents.into()),
                ],
                poses: [
                    self.poses[slot_a].load(simd, first),
                    self.poses[slot_b].load(simd, first),
                ],
                between,
            };
            // The rounding of the middles, as it is in the radii.
            let sizes = bounds_a.sphere.radius + bounds_b.sphere.radius;
            let middle_a: [Piece<S>; 3] = load3(simd, &a.middle, first);
            let middle_b: [Piece<S>; 3] = load3(simd, &b.middle, first);
            let terms = largest(&middle_a) + largest(&middle_b);
            apart = apart | boxes.are_beyond((terms + sizes).mul_add(x.splat(SLACK), within));
        }
        let mut near = [0.0; MAX_LANES];
        Piece::<S>::select(apart, x.splat(0.0), x.splat(1.0)).store_to(&mut near, first);
        for lane in first..first + Piece::<S>::WIDTH {
            lanes[lane] = near[lane] > 0.0;
        }
    }

    /// Decreases each lane's number to the least distance of the inner spheres of the pairs, but not below 0.
    pub fn at_most(&self, pairs: &[[u32; 2]], least: &mut Column) {
        dispatch!(simd => {
            for first in pieces(simd) {
                at_most_piece(simd, &self.inner, pairs, first, least);
            }
        });
    }
}

#[inline(always)]
fn at_most_piece<S: SimdLevel>(
    simd: S,
    inner: &[Inner],
    pairs: &[[u32; 2]],
    first: usize,
    least: &mut Column,
) {
    let mut smallest = Piece::<S>::load_from(simd, least, first);
    let zero = smallest.splat(0.0);
    for [a, b] in pairs {
        let (a, b) = (&inner[*a as usize], &inner[*b as usize]);
        let [x, y, z] = apart3::<S, Piece<S>>(simd, &a.center, &b.center, first);
        let square = x.mul_add(x, y.mul_add(y, z * z));
        let radius_a = Piece::<S>::load_from(simd, &a.radius, first);
        let radius_b = Piece::<S>::load_from(simd, &b.radius, first);
        let distance = square.sqrt() - radius_a - radius_b;
        smallest = smallest.min(distance.max(zero));
    }
    smallest.store_to(least, first);
}

/// Returns the difference of B's columns and A's.
#[inline(always)]
fn apart3<S: Simd, V: SoaLanes<S>>(
    simd: S,
    a: &[Column; 3],
    b: &[Column; 3],
    first: usize,
) -> [V; 3] {
    let (a, b): ([V; 3], [V; 3]) = (load3(simd, a, first), load3(simd, b, first));
    [b[0] - a[0], b[1] - a[1], b[2] - a[2]]
}
