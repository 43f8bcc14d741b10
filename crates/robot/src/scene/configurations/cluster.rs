//! The clusters of a robot, the groups of its pairs, and the bounds of what stays where it is.

use crate::poses::{Column, largest, load3, store3};
use crate::robot::MovingFrames;
use crate::scene::body::{Body, BodyPlace, OwnBounds};
use crate::scene::part::Placed;
use crate::scene::scene::Slot;
use nalgebra::{Isometry3, Point3};
use std::collections::BTreeMap;
use superovoid::convex::ConvexKind;
use superovoid::internals::fused::dot;
use superovoid::internals::{BOUND_ACCURACY, Lanes, MAX_LANES, SoaLanes};
use superovoid::{BoundingSphere, Shape};

/// The change of a bound that rounding can cause, relative to its terms.
pub(super) const SLACK: f64 = 4.0 * BOUND_ACCURACY;

/// A body, by its slot.
pub(super) struct Mount {
    /// The frame that moves it; `None` if it stays where it is.
    pub frame: Option<usize>,
    /// Its pose in that frame, or in the world.
    pub pose: Isometry3<f64>,
    /// The body's bounds, in its own frame; `None` for a half-space and an empty slot.
    pub bounds: Option<OwnBounds>,
    /// The bounds of a body that stays.
    pub still: Still,
    /// The balls that cover it, in its frame, if it moves.
    pub balls: Vec<BoundingSphere>,
    /// Whether directions of its own follow the bounds, in place of the boxes.
    pub has_directions: bool,
    /// The balls inside it, in its frame, if it moves.
    pub inner: Vec<BoundingSphere>,
    /// Whether `still` is the body itself.
    pub is_still: bool,
}

/// A sphere around a body or a cluster, in each lane, in the world.
#[repr(align(64))]
pub(super) struct Sphere {
    center: [Column; 3],
    radius: Column,
}

impl Sphere {
    pub const NOWHERE: Sphere = Sphere {
        center: [[0.0; MAX_LANES]; 3],
        radius: [f64::INFINITY; MAX_LANES],
    };

    #[inline(always)]
    pub fn load<S: fearless_simd::Simd, V: SoaLanes<S>>(
        &self,
        simd: S,
        first: usize,
    ) -> ([V; 3], V) {
        (
            load3(simd, &self.center, first),
            V::load_from(simd, &self.radius, first),
        )
    }

    #[inline(always)]
    pub fn store<S: fearless_simd::Simd, V: SoaLanes<S>>(
        &mut self,
        (center, radius): &([V; 3], V),
        first: usize,
    ) {
        store3(center, &mut self.center, first);
        radius.store_to(&mut self.radius, first);
    }
}

/// The bounds of a body that stays where it is, in the world.
pub(super) enum Still {
    /// Nothing is known.
    Everywhere,
    /// A ball: its middle and radius, and what rounding can change of a distance from it.
    Ball(Point3<f64>, f64, f64),
    /// A box: its middle, its axes, half its edges, and what rounding can change of a distance from it.
    Box(Point3<f64>, [[f64; 3]; 3], [f64; 3], f64),
    /// A cylinder: its middle, its axes, of which the last is that of the cylinder, its radius, half its length, and the
    /// rounding.
    Cylinder(Point3<f64>, [[f64; 3]; 3], [f64; 2], f64),
    /// All points x with n·x at most the offset, and the rounding.
    HalfSpace([f64; 3], f64, f64),
}

impl Still {
    /// Returns the bounds of a body with its padding, and whether they are the body itself.
    fn of(body: &Body, bounds: Option<&OwnBounds>, pose: &Isometry3<f64>) -> (Self, bool) {
        if let BodyPlace::HalfSpace(half_space, flat) = &body.place {
            let (normal, offset) = (half_space.normal().into_inner(), half_space.offset());
            return (
                Still::HalfSpace(normal.into(), offset, flat.rounding()),
                true,
            );
        }
        let Some(bounds) = bounds else {
            return (Still::Everywhere, false);
        };
        let outer = body.reach().outer;
        let is_bare = outer == 0.0;
        let (center, half) = (bounds.center, bounds.half_extents);
        let at = pose * center;
        let axes = pose.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|k| axes.matrix().column(k).into_owned().into());
        let terms = center.coords.amax() + pose.translation.vector.amax();
        let slack = SLACK * (at.coords.amax() + terms + half.norm());
        let kind = match &body.shape {
            Shape::Convex(convex) => Some(convex.kind()),
            _ => None,
        };
        match (kind, &body.shape) {
            (Some(ConvexKind::Ball(radius)), _) => {
                (Still::Ball(at, radius + outer, slack), is_bare)
            }
            (_, Shape::Superovoid(ovoid)) if ovoid.inner_radius() == ovoid.outer_radius() => (
                Still::Ball(at, ovoid.outer_radius() + outer, slack),
                is_bare,
            ),
            (Some(ConvexKind::Cylinder(radius, length)), _) => {
                let sizes = [radius + outer, 0.5 * length + outer];
                (Still::Cylinder(at, axes, sizes, slack), is_bare)
            }
            (kind, _) => {
                let is_box = matches!(kind, Some(ConvexKind::Cuboid(_)));
                (Still::Box(at, axes, half.into(), slack), is_bare && is_box)
            }
        }
    }

    /// Returns where a sphere is farther from the body than a distance.
    #[inline(always)]
    pub fn is_beyond<V: Lanes>(&self, (center, radius): &([V; 3], V), within: V) -> V::Mask {
        let reach = *radius + within;
        match self.distance(center) {
            Some((square, rounding)) => {
                let reach = reach + rounding;
                (reach * reach).lt(square)
            }
            None => self.height(center).map_or_else(
                || within.lt(within),
                |(height, rounding)| (reach + rounding).lt(height),
            ),
        }
    }

    /// Returns where a ball is proven to overlap the body, of which this must be the exact shape.
    #[inline(always)]
    pub fn overlaps<V: Lanes>(&self, (center, radius): &([V; 3], V)) -> V::Mask {
        match self.distance(center) {
            Some((square, rounding)) => {
                let reach = (*radius - rounding).max(radius.splat(0.0));
                square.lt(reach * reach)
            }
            None => self.height(center).map_or_else(
                || radius.lt(*radius),
                |(height, rounding)| height.lt(*radius - rounding),
            ),
        }
    }

    /// Returns the square of the distance of a point, and what rounding can change of the distance.
    #[inline(always)]
    fn distance<V: Lanes>(&self, center: &[V; 3]) -> Option<(V, V)> {
        let zero = center[0].splat(0.0);
        let from = |p: &Point3<f64>| [center[0] - p.x, center[1] - p.y, center[2] - p.z];
        let terms = largest(center) * SLACK;
        let along = |d: &[V; 3], [x, y, z]: [f64; 3]| {
            d[2].mul_add(zero.splat(z), d[1].mul_add(zero.splat(y), d[0] * x))
        };
        match self {
            Still::Everywhere | Still::HalfSpace(..) => None,
            Still::Ball(at, own, slack) => {
                let d = from(at);
                let outside = (dot(&d, &d).sqrt() - *own).max(zero);
                Some((outside * outside, terms + *slack))
            }
            Still::Box(at, axes, half, slack) => {
                let d = from(at);
                let d = [
                    (along(&d, axes[0]).abs() - half[0]).max(zero),
                    (along(&d, axes[1]).abs() - half[1]).max(zero),
                    (along(&d, axes[2]).abs() - half[2]).max(zero),
                ];
                Some((dot(&d, &d), terms + *slack))
            }
            Still::Cylinder(at, axes, [radius, half], slack) => {
                let d = from(at);
                let (x, y) = (along(&d, axes[0]), along(&d, axes[1]));
                let side = (x.mul_add(x, y * y).sqrt() - *radius).max(zero);
                let end = (along(&d, axes[2]).abs() - *half).max(zero);
                Some((side.mul_add(side, end * end), terms + *slack))
            }
        }
    }

    /// Returns the height of a point above a half-space, and its rounding.
    #[inline(always)]
    fn height<V: Lanes>(&self, center: &[V; 3]) -> Option<(V, V)> {
        let Still::HalfSpace([x, y, z], offset, slack) = self else {
            return None;
        };
        let along = center[0] * *x;
        let along = center[1].mul_add(along.splat(*y), along);
        let along = center[2].mul_add(along.splat(*z), along);
        Some((along - *offset, largest(center) * SLACK + *slack))
    }
}

/// Pairs of the bodies of two clusters, or of a cluster and a body that stays.
pub(super) struct Group {
    /// The frame of the one, and that of the other; two bodies that stay have none.
    pub a: Option<usize>,
    pub b: Option<usize>,
    /// The slot of the body that stays.
    pub still: usize,
    /// The distance that two bodies that stay are apart, at least.
    pub apart: f64,
    pub pairs: Vec<u32>,
}

/// The pairs of a scene in groups.
pub(super) struct Groups {
    pub of_pairs: Vec<Group>,
    /// The spheres around what moves with each frame, in that frame; `None` where nothing does.
    pub clusters: Vec<Option<BoundingSphere>>,
}

impl Groups {
    pub fn new(scene: &Placed, mounts: &[Mount], pairs: &[[u32; 2]], frames: usize) -> Self {
        let mut groups: BTreeMap<[usize; 3], Group> = BTreeMap::new();
        for (pair, slots) in (0u32..).zip(pairs) {
            let slots = slots.map(|slot| slot as usize);
            let [a, b] = slots.map(|slot| mounts[slot].frame);
            let (a, b, still) = match (a, b) {
                (Some(a), Some(b)) => (Some(a), Some(b), 0),
                (Some(a), None) => (Some(a), None, slots[1]),
                (None, Some(b)) => (Some(b), None, slots[0]),
                // Each is a group of its own.
                (None, None) => (None, None, mounts.len() + pair as usize),
            };
            let key = [a, b].map(|frame| frame.unwrap_or(frames));
            let group = groups.entry([key[0], key[1], still]).or_insert(Group {
                a,
                b,
                still,
                apart: apart(scene, mounts, slots),
                pairs: Vec::new(),
            });
            group.pairs.push(pair);
        }
        Groups {
            of_pairs: groups.into_values().collect(),
            clusters: (0..frames).map(|frame| cluster(mounts, frame)).collect(),
        }
    }
}

/// Returns a lower bound of the distance of two bodies that stay where they are; 0 of others.
fn apart(scene: &Placed, mounts: &[Mount], slots: [usize; 2]) -> f64 {
    let placed = slots.map(|slot| {
        let mount = &mounts[slot];
        let body = scene.scene.slots[slot].body.as_ref();
        body.filter(|_| mount.frame.is_none())?
            .bounds_at(&mount.pose)
    });
    match placed {
        [Some(a), Some(b)] => a.apart(&b),
        _ => 0.0,
    }
}

/// Returns a sphere around the bodies of a frame.
fn cluster(mounts: &[Mount], frame: usize) -> Option<BoundingSphere> {
    let of_frame = mounts.iter().filter(|mount| mount.frame == Some(frame));
    let spheres =
        of_frame.filter_map(|mount| Some(in_frame(mount, &mount.bounds.as_ref()?.sphere)));
    let spheres: Vec<BoundingSphere> = spheres.collect();
    let first = spheres.first()?;
    let ends = spheres
        .iter()
        .fold([first.center; 2], |[low, high], sphere| {
            let reach = nalgebra::Vector3::repeat(sphere.radius);
            [
                low.inf(&(sphere.center - reach)),
                high.sup(&(sphere.center + reach)),
            ]
        });
    let center = match spheres.len() {
        1 => first.center,
        _ => nalgebra::center(&ends[0], &ends[1]),
    };
    let reaches = spheres
        .iter()
        .map(|sphere| (sphere.center - center).norm() + sphere.radius);
    let radius = reaches.fold(0.0, f64::max) * (1.0 + SLACK);
    Some(BoundingSphere { center, radius })
}

/// Returns a sphere around what is in one of a body, in the frame that carries the body.
pub(super) fn in_frame(mount: &Mount, sphere: &BoundingSphere) -> BoundingSphere {
    BoundingSphere {
        center: Point3::from((mount.pose * sphere.center).coords),
        radius: sphere.radius + rounding(mount, sphere),
    }
}

/// Returns what rounding can change of the place of a sphere in its frame: far from its own frame a body is at the
/// difference of larger numbers.
fn rounding(mount: &Mount, sphere: &BoundingSphere) -> f64 {
    SLACK * (mount.pose.translation.vector.amax() + sphere.center.coords.amax())
}

/// Returns the mounts of all bodies, by slot.
pub(super) fn mounts(scene: &Placed, frames: &MovingFrames) -> Vec<Mount> {
    let mount = |(slot, of): (u32, &Slot)| {
        let body = of.body.as_ref();
        let part = scene.part_in(slot);
        let bounds = body.and_then(Body::own_bounds);
        let (frame, pose) = match part {
            Some(part) => {
                let (frame, in_frame) = frames.links[part.link];
                let pose = in_frame * part.pose;
                match frame {
                    0 => (None, *scene.base * pose),
                    _ => (Some(frame), pose),
                }
            }
            None => (
                None,
                body.map_or_else(Isometry3::identity, |body| body.pose),
            ),
        };
        let (still, is_still) = match body {
            Some(body) if frame.is_none() => Still::of(body, bounds.as_ref(), &pose),
            _ => (Still::Everywhere, false),
        };
        let mut mount = Mount {
            frame,
            pose,
            bounds,
            still,
            balls: Vec::new(),
            has_directions: false,
            inner: Vec::new(),
            is_still,
        };
        if let Some(body) = body {
            mount.has_directions = !matches!(body.shape, Shape::Superovoid(_));
            if let Some(hull) = body.hull().filter(|_| frame.is_some()) {
                let outer = body.reach().outer;
                mount.balls = hull
                    .balls()
                    .iter()
                    .map(|ball| in_frame(&mount, ball))
                    .collect();
                for ball in &mut mount.balls {
                    ball.radius += outer;
                }
                if mount.has_directions {
                    let inner = body.inner_balls().iter();
                    mount.inner = inner
                        .map(|ball| BoundingSphere {
                            radius: ball.radius - rounding(&mount, ball),
                            ..in_frame(&mount, ball)
                        })
                        .collect();
                }
            }
        }
        mount
    };
    (0u32..).zip(&scene.scene.slots).map(mount).collect()
}
