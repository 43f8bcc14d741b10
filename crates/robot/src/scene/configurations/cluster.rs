//! The bodies of a block, the clusters of what moves together, and the groups of pairs.

use super::still::{SLACK, Still};
use crate::poses::{Column, load3, store3};
use crate::robot::{JointKind, MovingFrames, Robot};
use crate::scene::body::{Body, OwnBounds};
use crate::scene::part::Placed;
use crate::scene::scene::Slot;
use nalgebra::{Isometry3, Point3};
use std::collections::BTreeMap;
use superovoid::internals::{MAX_LANES, SoaLanes};
use superovoid::{BoundingSphere, Shape};

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
    /// The sphere around it, balls that cover it and balls inside it, if it moves.
    pub around: Balls,
    pub cover: Balls,
    pub inner: Balls,
    /// Points of it, each in a ball that rounding leaves of it.
    pub corners: Balls,
    /// Whether directions of its own follow the bounds, in place of the boxes.
    pub has_directions: bool,
    /// Whether `still` is the body itself.
    pub is_still: bool,
}

/// Balls of a body that moves.
#[derive(Default)]
pub(super) struct Balls {
    /// In its frame.
    pub own: Vec<BoundingSphere>,
    /// In the world, as of a block.
    pub world: Vec<Sphere>,
    pub block: u64,
    /// Whether they are inside the body; otherwise it is inside them.
    pub are_inside: bool,
}

impl Balls {
    fn around(own: Vec<BoundingSphere>) -> Self {
        Balls {
            world: own.iter().map(|_| Sphere::EVERYWHERE).collect(),
            own,
            block: 0,
            are_inside: false,
        }
    }

    fn inside(own: Vec<BoundingSphere>) -> Self {
        Balls {
            are_inside: true,
            ..Balls::around(own)
        }
    }
}

/// A sphere around a body or a cluster, in each lane, in the world.
#[repr(align(64))]
pub(super) struct Sphere {
    center: [Column; 3],
    radius: Column,
}

impl Sphere {
    pub const EVERYWHERE: Sphere = Sphere {
        center: [[0.0; MAX_LANES]; 3],
        radius: [f64::INFINITY; MAX_LANES],
    };

    pub fn splat(ball: &BoundingSphere) -> Self {
        Sphere {
            center: ball.center.coords.map(|x| [x; MAX_LANES]).into(),
            radius: [ball.radius; MAX_LANES],
        }
    }

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

/// A sphere around one, in single precision: twice as many numbers to a vector.
#[repr(align(32))]
pub(super) struct CoarseSphere {
    center: [[f32; MAX_LANES]; 3],
    radius: [f32; MAX_LANES],
}

impl CoarseSphere {
    /// What rounding in single precision can change of the distance of two spheres, relative to the coordinates and radii:
    /// some thirteen times 2⁻²⁴.
    const ROUNDING: f64 = 1e-6;
    /// A square beside which the rounding of the smallest numbers is nothing.
    const TINY: f32 = 1e-30;

    pub const EVERYWHERE: CoarseSphere = CoarseSphere {
        center: [[0.0; MAX_LANES]; 3],
        radius: [f32::INFINITY; MAX_LANES],
    };

    #[inline(always)]
    pub fn around(&mut self, sphere: &Sphere) {
        for lane in 0..MAX_LANES {
            let mut largest = sphere.radius[lane];
            for (coarse, center) in self.center.iter_mut().zip(&sphere.center) {
                coarse[lane] = center[lane] as f32;
                largest = largest.max(center[lane].abs());
            }
            self.radius[lane] = (sphere.radius[lane] + Self::ROUNDING * largest) as f32;
        }
    }

    /// Whether two spheres are proven to be farther apart than distances, which are not negative, in all lanes. Beyond the
    /// numbers' range they are not.
    #[inline(always)]
    pub fn are_beyond(&self, other: &CoarseSphere, within: &[f32; MAX_LANES]) -> bool {
        let mut beyond = true;
        for lane in 0..MAX_LANES {
            let d: [f32; 3] = std::array::from_fn(|k| other.center[k][lane] - self.center[k][lane]);
            let radii = self.radius[lane] + other.radius[lane] + within[lane];
            let square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
            beyond &= radii * radii + Self::TINY < square;
        }
        beyond
    }

    /// Returns distances in single precision that are not less.
    pub fn within(within: &Column) -> [f32; MAX_LANES] {
        within.map(|within| (within * (1.0 + Self::ROUNDING)) as f32)
    }
}

/// Pairs of the bodies of two clusters, or of a cluster and a body that stays.
pub(super) struct Group {
    /// The frame of the one, and that of the other; two bodies that stay have none.
    pub a: Option<usize>,
    pub b: Option<usize>,
    /// The slot of the body that stays.
    pub still: usize,
    /// The distance that they are apart, at least, wherever the joints are.
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
    pub fn new(
        scene: &Placed,
        mounts: &[Mount],
        pairs: &[[u32; 2]],
        moving: &MovingFrames,
    ) -> Self {
        let frames = moving.count();
        let clusters: Vec<Option<BoundingSphere>> =
            (0..frames).map(|frame| cluster(mounts, frame)).collect();
        let reaches = reaches(scene, moving);
        // Wherever the joints are, the cluster is in this ball.
        let reached = |frame: usize| {
            let (origin, own) = (reaches[frame], clusters[frame].as_ref()?);
            let radius = origin.radius + own.center.coords.norm() + own.radius;
            Some(BoundingSphere {
                radius: radius * (1.0 + REACHED),
                ..origin
            })
        };
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
            let entry = groups.entry([key[0], key[1], still]);
            let group = entry.or_insert_with(|| Group {
                a,
                b,
                still,
                apart: match (a, b) {
                    (Some(_), Some(_)) => 0.0,
                    (Some(a), None) => {
                        reached(a).map_or(0.0, |ball| mounts[still].still.apart(&ball))
                    }
                    _ => apart(scene, mounts, slots),
                },
                pairs: Vec::new(),
            });
            group.pairs.push(pair);
        }
        Groups {
            of_pairs: groups.into_values().collect(),
            clusters,
        }
    }
}

/// Covers the rounding of the poses of a chain.
const REACHED: f64 = 1e-9;

/// Returns a ball in which the origin of each frame is wherever the joints are: around that of the first joint of its chain,
/// as large as the offsets from joint to joint are together.
fn reaches(scene: &Placed, moving: &MovingFrames) -> Vec<BoundingSphere> {
    let mut reaches = vec![BoundingSphere {
        center: scene.base.translation.vector.into(),
        radius: 0.0,
    }];
    for of in &moving.joints {
        let carrier = reaches[of.carrier];
        let slide = greatest_slide(scene.robot, of.joint);
        let offset = of.origin.translation.vector;
        reaches.push(if of.carrier == 0 {
            let terms = carrier.center.coords.norm() + offset.norm();
            BoundingSphere {
                center: scene.base * Point3::from(offset),
                radius: slide + REACHED * terms,
            }
        } else {
            BoundingSphere {
                radius: carrier.radius + offset.norm() + slide,
                ..carrier
            }
        });
    }
    reaches
}

/// Returns how far a joint moves the origin of its frame at most.
fn greatest_slide(robot: &Robot, joint: usize) -> f64 {
    let of = &robot.joints()[joint];
    match of.kind {
        JointKind::Fixed | JointKind::Revolute | JointKind::Continuous => 0.0,
        JointKind::Prismatic => {
            let followed = robot.follows(joint).unwrap_or((joint, 1.0, 0.0));
            let (source, multiplier, offset) = followed;
            robot.joints()[source]
                .range()
                .map_or(f64::INFINITY, |range| {
                    let slides = range.map(|q| (multiplier * q + offset).abs());
                    slides[0].max(slides[1])
                })
        }
        JointKind::Planar | JointKind::Floating => f64::INFINITY,
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
    let spheres = of_frame.filter_map(|mount| mount.around.own.first().copied());
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
pub(super) fn in_frame(pose: Isometry3<f64>, sphere: &BoundingSphere) -> BoundingSphere {
    BoundingSphere {
        center: pose * sphere.center,
        radius: sphere.radius + rounding(&pose, sphere),
    }
}

/// Returns what rounding can change of the place of a sphere in its frame: far from its own frame a body is at the
/// difference of larger numbers.
fn rounding(pose: &Isometry3<f64>, sphere: &BoundingSphere) -> f64 {
    SLACK * (pose.translation.vector.amax() + sphere.center.coords.amax())
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
        let has_directions = body.is_some_and(|body| !matches!(body.shape, Shape::Superovoid(_)));
        let mut mount = Mount {
            frame,
            pose,
            bounds,
            still,
            around: Balls::default(),
            cover: Balls::default(),
            inner: Balls::default(),
            corners: Balls::default(),
            has_directions,
            is_still,
        };
        let (Some(body), Some(_)) = (body, frame) else {
            return mount;
        };
        let around = mount.bounds.iter().map(|of| in_frame(pose, &of.sphere));
        mount.around = Balls::around(around.collect());
        let Some(hull) = body.hull() else {
            return mount;
        };
        let outer = body.reach().outer;
        let padded = |mut ball: BoundingSphere| {
            ball.radius += outer;
            ball
        };
        let cover = hull.balls().iter().map(|ball| padded(in_frame(pose, ball)));
        mount.cover = Balls::around(cover.collect());
        let inner = body.inner_balls().iter().map(|ball| BoundingSphere {
            radius: ball.radius - rounding(&pose, ball),
            ..in_frame(pose, ball)
        });
        mount.inner = Balls::inside(inner.collect());
        if has_directions {
            let corners = body.corners().iter().map(|&center| {
                let radius = 0.0;
                in_frame(pose, &BoundingSphere { center, radius })
            });
            mount.corners = Balls::around(corners.collect());
        }
        mount
    };
    (0u32..).zip(&scene.scene.slots).map(mount).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn coarse(center: [f64; 3], radius: f64) -> CoarseSphere {
        let mut coarse = CoarseSphere::EVERYWHERE;
        let center = center.into();
        coarse.around(&Sphere::splat(&BoundingSphere { center, radius }));
        coarse
    }

    fn are_beyond(centers: [[f64; 3]; 2], radii: [f64; 2], within: f64) -> bool {
        let [a, b] = [0, 1].map(|k| coarse(centers[k], radii[k]));
        a.are_beyond(&b, &CoarseSphere::within(&[within; MAX_LANES]))
    }

    /// At every scale, single precision says of no spheres that they are farther apart than they are.
    #[test]
    fn spheres_in_single_precision_are_beyond_what_they_are_beyond() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut beyond = [0, 0];
        for _ in 0..200_000 {
            let scale = 10.0_f64.powf(rng.random_range(-45.0..45.0));
            let mut number = || scale * rng.random_range(-1.0..1.0);
            let a = [number(), number(), number()];
            let far = 10.0_f64.powf(rng.random_range(-9.0..1.0));
            let mut number = || far * scale * rng.random_range(-1.0..1.0);
            let d = [number(), number(), number()];
            let b = [a[0] + d[0], a[1] + d[1], a[2] + d[2]];
            let largest = (0..3).fold(0.0, |most: f64, k| most.max((b[k] - a[k]).abs()));
            let unit = |k: usize| (b[k] - a[k]) / largest.max(f64::MIN_POSITIVE);
            let distance = largest * unit(0).hypot(unit(1)).hypot(unit(2));
            let gap = 10.0_f64.powf(rng.random_range(-9.0..0.0)) * distance;
            let share = rng.random_range(0.0..1.0);
            // A hair too large to be beyond, and by the gap too small.
            let sum = distance * (1.0 + 1e-12);
            assert!(!are_beyond([a, b], [share * sum, (1.0 - share) * sum], 0.0));
            assert!(!are_beyond([a, b], [share * sum, 0.0], (1.0 - share) * sum));
            let sum = distance - gap;
            let ends = are_beyond([a, b], [share * sum, 0.0], (1.0 - share) * sum);
            // Whether that is seen, where numbers are neither too large nor too small.
            if (1e-6..1e6).contains(&scale) && gap > 1e-5 * (scale + distance) {
                beyond[usize::from(ends)] += 1;
            }
        }
        assert_eq!(beyond[0], 0);
        assert!(beyond[1] > 1000, "{beyond:?}");
        for odd in [f64::NAN, f64::INFINITY, 1e300] {
            assert!(!are_beyond([[odd, 0.0, 0.0], [0.0; 3]], [1.0, 1.0], 0.0));
            assert!(!are_beyond([[1e9, 0.0, 0.0], [0.0; 3]], [odd, 1.0], 0.0));
            assert!(!are_beyond([[1e9, 0.0, 0.0], [0.0; 3]], [1.0, 1.0], odd));
        }
    }
}
