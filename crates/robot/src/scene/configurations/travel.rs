//! How far bodies move, and how much their paths bend, in eight intervals of a straight line at once.
//!
//! The bounds are those of [`edge::bounds`](crate::robot::edge::bounds), from the sphere around each body at the middle of
//! the interval in each lane. A direction n that separates the bodies there by the gap g separates them at t + τ by
//!
//! ```text
//! g + τ n·(ċ_B − ċ_A) − |τ| (|n×ω_A| r_A + |n×ω_B| r_B) − ½ τ² (A_A + A_B)
//! ```
//!
//! at least, where c and r are the centres and radii of the spheres: of a point x of A the speed along n is
//! `n·(v + ω×x) = n·ċ + (n×ω)·(x − c)`. The bound is concave on either side of t, and so is what
//! [`edge::separation`](crate::robot::edge::separation) makes of two support functions, which is sharper by what a body
//! turns about its own middle, and asks for both of them at both ends. It comes second.

use super::block::{Block, Near};
use super::cluster::{Mount, Sphere};
use super::directions::{Direction, Sides, direction_and_gap, support, two_supports};
use super::still::Still;
use crate::levels::{Hull, Outline};
use crate::poses::{Column, PoseVectors, largest, load3, splat3, store3};
use crate::robot::{Configuration, JointKind, JointPosition, MovingFrames, Robot};
use crate::scene::scene::Scene;
use nalgebra::Isometry3;
use superovoid::internals::fused::{cross, dot, mul_add3};
use superovoid::internals::{
    BOUND_ACCURACY, Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces,
};

/// The motion of a robot on a straight line.
#[derive(Default)]
pub(super) struct Travel {
    frames: Vec<Frame>,
    /// The steps of each body, by slot.
    bodies: Vec<Steps>,
    /// The pairs of the list, and whether other joints move than when they were set.
    pub pairs: Vec<MovingPair>,
    is_new: bool,
    pub half: Column,
}

/// What moves with a joint.
#[derive(Default)]
struct Frame {
    /// The rate of the joint, for the whole line, and whether it is that of a turn.
    rate: f64,
    turns: bool,
    /// The frames whose joints move on the line, from this one to the root.
    chain: Vec<usize>,
    /// How far its origin can be from the world's.
    extent: f64,
    /// In each lane the axis, and the rigid velocity: that of the world's origin, and the angular one.
    axis: [Column; 3],
    v: [Column; 3],
    w: [Column; 3],
}

/// The speed and the acceleration of a body due to the first steps of its chain, and the block of which they are.
#[derive(Default)]
struct Steps {
    block: u64,
    motions: Vec<[Column; 2]>,
}

/// A pair on the line.
#[derive(Clone, Copy)]
pub(super) struct MovingPair {
    pub slots: [usize; 2],
    frames: [Option<usize>; 2],
    /// The numbers of joints that move the one body and not the other one, and the last frame that carries both.
    own: [usize; 2],
    common: Option<usize>,
    /// Of both bodies, metres.
    pub padding: f64,
    /// How large the numbers are from which the bodies are placed in their frames, and the share of a size that rounding can
    /// be.
    size: f64,
    of_size: f64,
    /// What rounding can change of a gap, metres.
    pub rounding: f64,
}

impl MovingPair {
    /// Whether its bodies move relative to each other.
    pub fn moves(&self) -> bool {
        self.own != [0, 0]
    }
}

/// What a direction proves of a pair in each lane.
pub(super) struct Gaps {
    /// In the middle.
    pub middle: Column,
    /// At the start and at the end of the interval.
    pub ends: [Column; 2],
}

/// Covers the rounding of lengths and sums.
const ROUNDED_UP: f64 = 1.0 + 1e-12;
/// The rounding of a gap, relative to the numbers from which it is computed.
const ROUNDING: f64 = 1e-13;

/// Returns how large the numbers are from which the place of a body in its frame is worked out.
fn size(mount: &Mount) -> f64 {
    let own = match (&mount.bounds, &mount.still) {
        (Some(of), _) => of.sphere.center.coords.norm() + of.sphere.radius,
        (None, Still::HalfSpace(_, offset, _)) => offset.abs(),
        (None, _) => 0.0,
    };
    2.0 * (mount.pose.translation.vector.norm() + own)
}

/// Returns how far a position moves the origin of a joint's child.
fn slide(position: JointPosition) -> f64 {
    match position {
        JointPosition::Fixed => 0.0,
        JointPosition::Scalar(q) => q.abs(),
        JointPosition::Planar([x, y, _]) => x.hypot(y),
        JointPosition::Floating(pose) => pose.translation.vector.norm(),
    }
}

impl Travel {
    /// Makes it that of a line; returns whether only joints of one degree of freedom move on it.
    pub fn set(
        &mut self,
        robot: &Robot,
        base: &Isometry3<f64>,
        frames: &MovingFrames,
        [from, to]: [&Configuration; 2],
    ) -> bool {
        self.is_new |= self.frames.len() != frames.count();
        self.frames.resize_with(frames.count(), Frame::default);
        self.frames[0].extent = base.translation.vector.norm();
        for (k, moving) in frames.joints.iter().enumerate() {
            let (of_carriers, others) = self.frames.split_at_mut(k + 1);
            let (carrier, frame) = (&of_carriers[moving.carrier], &mut others[0]);
            let ends = [from, to].map(|end| end.position_at(moving.joint));
            let kind = robot.joints()[moving.joint].kind;
            frame.turns = kind != JointKind::Prismatic;
            let rate = match ends {
                [JointPosition::Scalar(q), JointPosition::Scalar(r)] => r - q,
                [a, b] if a == b => 0.0,
                _ => return false,
            };
            let slides = match kind {
                JointKind::Revolute | JointKind::Continuous | JointKind::Fixed => [0.0; 2],
                JointKind::Prismatic | JointKind::Planar | JointKind::Floating => ends.map(slide),
            };
            let offset = moving.origin.translation.vector.norm() + slides[0].max(slides[1]);
            let extent = carrier.extent + offset;
            self.is_new |= (rate != 0.0) != (frame.rate != 0.0);
            frame.rate = rate;
            frame.extent = extent;
            frame.chain.clear();
            if rate != 0.0 {
                frame.chain.push(k + 1);
            }
            frame.chain.extend_from_slice(&carrier.chain);
        }
        true
    }

    /// Sets the pairs of the list: of a list with the same joints that move only the rounding is another one.
    pub fn set_pairs(&mut self, block: &Block, scene: &Scene, list: &[[u32; 2]]) {
        let mut pairs = std::mem::take(&mut self.pairs);
        if self.is_new || pairs.len() != list.len() {
            pairs.clear();
            pairs.extend(list.iter().map(|slots| self.pair(block, scene, *slots)));
            self.is_new = false;
        }
        for pair in &mut pairs {
            let extents = pair.frames.map(|frame| self.extent(frame));
            pair.rounding = pair.of_size * (pair.size + 2.0 * (extents[0] + extents[1]));
        }
        self.pairs = pairs;
    }

    /// Returns how far from the world's origin a frame can be; what stays is told by its pose.
    fn extent(&self, frame: Option<usize>) -> f64 {
        frame.map_or(0.0, |frame| self.frames[frame].extent)
    }

    fn pair(&self, block: &Block, scene: &Scene, slots: [u32; 2]) -> MovingPair {
        let bodies = slots.map(|slot| scene.body(slot));
        let padding = match bodies {
            [Some(a), Some(b)] => scene.padding_of([a, b]).total(),
            _ => 0.0,
        };
        let slots = slots.map(|slot| slot as usize);
        let frames = slots.map(|slot| block.mounts[slot].frame);
        let [of_a, of_b] = frames.map(|frame| frame.map_or(&[][..], |k| &self.frames[k].chain[..]));
        let ends = of_a.iter().rev().zip(of_b.iter().rev());
        let shared = ends.take_while(|(a, b)| a == b).count();
        let [size_a, size_b] = slots.map(|slot| size(&block.mounts[slot]));
        // Poses are products along the chain.
        let joints = 16 + of_a.len() + of_b.len();
        MovingPair {
            slots,
            frames,
            own: [of_a.len() - shared, of_b.len() - shared],
            common: shared.checked_sub(1).map(|k| of_a[of_a.len() - 1 - k]),
            padding,
            size: size_a + size_b + padding,
            of_size: ROUNDING * joints as f64,
            rounding: 0.0,
        }
    }

    /// Takes the block, in the middles of intervals of these half-widths.
    pub fn at(&mut self, block: &Block, half: &Column) {
        self.half = *half;
        self.bodies.resize_with(block.mounts.len(), Steps::default);
        dispatch!(simd => self.twists(simd, block));
    }

    #[inline(always)]
    fn twists<S: SimdLevel>(&mut self, simd: S, block: &Block) {
        for (k, moving) in block.frames.joints.iter().enumerate() {
            let (of_carriers, others) = self.frames.split_at_mut(k + 1);
            let (carrier, frame) = (&of_carriers[moving.carrier], &mut others[0]);
            if frame.rate == 0.0 {
                (frame.v, frame.w) = (carrier.v, carrier.w);
                continue;
            }
            for first in pieces(simd) {
                let mut v: [Piece<S>; 3] = load3(simd, &carrier.v, first);
                let mut w: [Piece<S>; 3] = load3(simd, &carrier.w, first);
                let mut axis = [v[0].splat(0.0); 3];
                for (column, along) in block.turned[k + 1].columns.iter().zip(moving.axis) {
                    let column = load3(simd, column, first);
                    axis = mul_add3(v[0].splat(along), &column, &axis);
                }
                let rate = v[0].splat(frame.rate);
                if frame.turns {
                    let turn = [axis[0] * rate, axis[1] * rate, axis[2] * rate];
                    let origin = block.frame_poses[k + 1].load(simd, first).translation;
                    let moved = cross(&origin, &turn);
                    for k in 0..3 {
                        w[k] = w[k] + turn[k];
                        v[k] = v[k] + moved[k];
                    }
                } else {
                    v = mul_add3(rate, &axis, &v);
                }
                store3(&axis, &mut frame.axis, first);
                store3(&v, &mut frame.v, first);
                store3(&w, &mut frame.w, first);
            }
        }
    }

    /// Fills a list with the pairs that are not apart by more than they can move and a separation, of those with the
    /// lanes in which they are asked, as bits.
    pub fn near(
        &mut self,
        block: &mut Block,
        separation: f64,
        asked: &[(u32, u8)],
        found: &mut Vec<Near>,
    ) {
        found.clear();
        dispatch!(simd => {
            for &(pair, bits) in asked {
                self.near_pair(simd, block, separation, (pair, bits), found);
            }
        });
    }

    #[inline(always)]
    fn near_pair<S: SimdLevel>(
        &mut self,
        simd: S,
        block: &mut Block,
        separation: f64,
        (pair, bits): (u32, u8),
        found: &mut Vec<Near>,
    ) {
        let MovingPair {
            slots,
            own,
            rounding,
            ..
        } = self.pairs[pair as usize];
        let mut within = [separation + rounding; MAX_LANES];
        for (slot, own) in slots.into_iter().zip(own) {
            let Some(last) = own.checked_sub(1) else {
                continue;
            };
            if self.bodies[slot].block != block.now {
                self.bodies[slot].block = block.now;
                self.move_body(simd, block, slot);
            }
            for first in pieces(simd) {
                let half = Piece::<S>::load_from(simd, &self.half, first);
                let [speed, _] = &self.bodies[slot].motions[last];
                let speed = Piece::<S>::load_from(simd, speed, first);
                let more = Piece::<S>::load_from(simd, &within, first);
                half.mul_add(speed, more).store_to(&mut within, first);
            }
        }
        let mut near = [0.0; MAX_LANES];
        if block.near_in_lanes(simd, slots, &within, &mut near) {
            let lanes = std::array::from_fn(|lane| near[lane] > 0.0 && bits >> lane & 1 == 1);
            if lanes.contains(&true) {
                found.push(Near { pair, lanes });
            }
        }
    }

    /// Returns the largest speed and acceleration of a point of one body of a pair plus those of the other one.
    pub fn motion(&self, pair: &MovingPair) -> [Column; 2] {
        let mut sums = [[0.0; MAX_LANES]; 2];
        for (slot, own) in pair.slots.into_iter().zip(pair.own) {
            let Some(last) = own.checked_sub(1) else {
                continue;
            };
            for (sum, of_body) in sums.iter_mut().zip(&self.bodies[slot].motions[last]) {
                for (sum, x) in sum.iter_mut().zip(of_body) {
                    *sum += x;
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn move_body<S: SimdLevel>(&mut self, simd: S, block: &mut Block, slot: usize) {
        block.refresh(simd, slot, |mount| &mut mount.around);
        let Some(frame) = block.mounts[slot].frame else {
            return;
        };
        let chain = &self.frames[frame].chain;
        let motions = &mut self.bodies[slot].motions;
        motions.resize(chain.len(), [[0.0; MAX_LANES]; 2]);
        for first in pieces(simd) {
            let (center, radius): ([Piece<S>; 3], Piece<S>) = block.around(simd, slot, first);
            let half = Piece::<S>::load_from(simd, &self.half, first);
            let (mut turned, mut speed, mut bent) = (0.0, half.splat(0.0), half.splat(0.0));
            for (&step, motion) in chain.iter().zip(motions.iter_mut()) {
                let frame = &self.frames[step];
                let (s, longest) = if frame.turns {
                    let axis = load3(simd, &frame.axis, first);
                    let origin: [Piece<S>; 3] =
                        block.frame_poses[step].load(simd, first).translation;
                    let arm = [0, 1, 2].map(|k| center[k] - origin[k]);
                    let across = cross(&axis, &arm);
                    let distance = dot(&across, &across).sqrt() + radius;
                    (frame.rate.abs(), half.mul_add(speed, distance))
                } else {
                    (0.0, half.splat(1.0))
                };
                let u = longest * frame.rate.abs();
                turned += s;
                speed = u.mul_add(u.splat(ROUNDED_UP), speed);
                bent = u.mul_add(u.splat(s - 2.0 * turned), bent);
                let acceleration = speed.mul_add(speed.splat(2.0 * turned * ROUNDED_UP), bent);
                speed.store_to(&mut motion[0], first);
                acceleration.store_to(&mut motion[1], first);
            }
        }
    }

    /// Returns what a direction proves of a pair, whose bodies are placed, or of parts of it in balls.
    pub fn gaps(
        &self,
        block: &Block,
        pair: &MovingPair,
        acceleration: &Column,
        sides: (&Sides, [Option<&Sphere>; 2]),
        direction: &Direction,
    ) -> Gaps {
        let mut gaps = Gaps {
            middle: [0.0; MAX_LANES],
            ends: [[0.0; MAX_LANES]; 2],
        };
        dispatch!(simd => self.gaps_in_lanes(simd, block, pair, acceleration, sides, direction, &mut gaps));
        gaps
    }

    /// Returns lower bounds of the gap of two hulls along a direction at the ends of the interval by the support functions of both:
    /// what [`edge::separation`](crate::robot::edge::separation) makes of them; `None` where one's does not fit lanes.
    pub fn sharper_ends(
        &self,
        block: &Block,
        pair: &MovingPair,
        acceleration: &Column,
        sides: &Sides,
        direction: &Direction,
    ) -> Option<[Column; 2]> {
        let fits = |hull: &&Hull| !matches!(hull.outline, Outline::Powers);
        let hard = sides.hard.filter(fits)?;
        let mut ends = [[0.0; MAX_LANES]; 2];
        dispatch!(simd => self.sharper_in_lanes(simd, block, pair, acceleration, (sides, hard), direction, &mut ends));
        Some(ends)
    }

    /// Returns the velocity of a body relative to what carries both, if it moves there: that of the world's origin, and the
    /// angular one.
    #[inline(always)]
    fn twist<S: SimdLevel>(
        &self,
        simd: S,
        pair: &MovingPair,
        k: usize,
        first: usize,
    ) -> Option<[[Piece<S>; 3]; 2]> {
        let frame = pair.frames[k].filter(|frame| Some(*frame) != pair.common)?;
        let mut v: [Piece<S>; 3] = load3(simd, &self.frames[frame].v, first);
        let mut w: [Piece<S>; 3] = load3(simd, &self.frames[frame].w, first);
        if let Some(common) = pair.common {
            let of: [Piece<S>; 3] = load3(simd, &self.frames[common].v, first);
            v = [0, 1, 2].map(|k| v[k] - of[k]);
            let of: [Piece<S>; 3] = load3(simd, &self.frames[common].w, first);
            w = [0, 1, 2].map(|k| w[k] - of[k]);
        }
        Some([v, w])
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "inlined into the one above")]
    fn sharper_in_lanes<S: SimdLevel>(
        &self,
        simd: S,
        block: &Block,
        pair: &MovingPair,
        acceleration: &Column,
        (sides, hard): (&Sides, &Hull),
        direction: &Direction,
        found: &mut [Column; 2],
    ) {
        for first in pieces(simd) {
            let pose: PoseVectors<Piece<S>> = block.poses[sides.slots[0]].load(simd, first);
            let half = Piece::<S>::load_from(simd, &self.half, first);
            let n = pose.rotate(&splat3(half, &direction.n.into()));
            let bend = Piece::<S>::load_from(simd, acceleration, first);
            let bent = half * half * bend * (0.5 * ROUNDED_UP);
            // What rounding can change of the heights, relative to the coordinates there.
            let mut rounding = half.splat(0.0);
            let mut ends = [half.splat(0.0) - bent; 2];
            for k in 0..2 {
                let slot = pair.slots[k];
                let is_hard = slot == sides.slots[0];
                let hull = if is_hard { hard } else { sides.easy };
                let pose: PoseVectors<Piece<S>> = block.poses[slot].load(simd, first);
                // Away from the body: n from H, and -n from E.
                let away = if is_hard { n } else { n.map(|x| -x) };
                let at = dot(&away, &pose.translation);
                let far = largest(&pose.translation) + hull.reach;
                let Some([v, w]) = self.twist(simd, pair, k, first) else {
                    let own = if is_hard {
                        half.splat(direction.height)
                    } else {
                        let down = pose.rotate_back(&away);
                        support(&hull.outline, &down, half.splat(1.0))
                    };
                    ends = ends.map(|end| end - own - at);
                    rounding = rounding + far;
                    continue;
                };
                let (turn, speed) = (cross(&away, &w), dot(&away, &v));
                let turned = half * dot(&turn, &turn).sqrt();
                let length = (turned * turned + 1.0).sqrt() * ROUNDED_UP;
                let tilted = [-half, half].map(|tau| {
                    let m = [0, 1, 2].map(|i| tau.mul_add(turn[i], away[i]));
                    pose.rotate_back(&m)
                });
                let own = two_supports(&hull.outline, tilted, length);
                let moved = half * (dot(&turn, &pose.translation) + speed);
                ends = [ends[0] - own[0] - at + moved, ends[1] - own[1] - at - moved];
                rounding = rounding + length * (half * largest(&v) + far);
            }
            let lost = rounding * (16.0 * BOUND_ACCURACY);
            for (end, column) in ends.into_iter().zip(&mut *found) {
                (end - lost).store_to(column, first);
            }
        }
    }

    #[inline(always)]
    #[expect(clippy::too_many_arguments, reason = "inlined into the one above")]
    fn gaps_in_lanes<S: SimdLevel>(
        &self,
        simd: S,
        block: &Block,
        pair: &MovingPair,
        acceleration: &Column,
        (sides, balls): (&Sides, [Option<&Sphere>; 2]),
        direction: &Direction,
        gaps: &mut Gaps,
    ) {
        for first in pieces(simd) {
            let (n, gap) = direction_and_gap(simd, block, sides, direction, first);
            let half = Piece::<S>::load_from(simd, &self.half, first);
            let (mut drift, mut spread) = (half.splat(0.0), half.splat(0.0));
            for k in 0..2 {
                let slot = pair.slots[k];
                let Some([v, w]) = self.twist(simd, pair, k, first) else {
                    continue;
                };
                let (center, radius): ([Piece<S>; 3], Piece<S>) = match balls[k] {
                    Some(ball) => ball.load(simd, first),
                    None => block.around(simd, slot, first),
                };
                let turned = cross(&w, &center);
                let along = dot(&n, &[0, 1, 2].map(|k| v[k] + turned[k]));
                drift = if slot == sides.slots[1] {
                    drift + along
                } else {
                    drift - along
                };
                let bend = cross(&n, &w);
                spread = dot(&bend, &bend).sqrt().mul_add(radius, spread);
            }
            let acceleration = Piece::<S>::load_from(simd, acceleration, first);
            let lost = half * (spread + half * acceleration * 0.5) * ROUNDED_UP;
            gap.store_to(&mut gaps.middle, first);
            (gap - half * drift - lost).store_to(&mut gaps.ends[0], first);
            (gap + half * drift - lost).store_to(&mut gaps.ends[1], first);
        }
    }
}
