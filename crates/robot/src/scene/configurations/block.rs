//! The bodies of a scene at the configurations of a block, and the pairs whose bounds are near.
//!
//! What moves together with one joint is a cluster, with a sphere around all of it. The pairs lie in groups, of two
//! clusters, or of a cluster and an obstacle: a group whose bounds are apart in all lanes costs one test. Obstacles, which
//! are the same in all lanes, are balls, boxes along their own axes, or half-spaces, and the distance of a point from them
//! is known in closed form. What is near is tested body by body, and then by the boxes along both bodies' own axes
//! ([`Boxes`]).

use super::boxes::Boxes;
use super::cluster::{Balls, CoarseSphere, Group, Groups, Mount, Sphere, in_frame, mounts};
use super::still::SLACK;
use crate::levels::Part;
use crate::poses::{Column, PoseLanes, PoseVectors, largest, load3, splat3, store3};
use crate::robot::{ConfigurationError, MovingFrames, States};
use crate::scene::body::{Body, OwnBounds};
use crate::scene::part::Placed;
use superovoid::BoundingSphere;
use superovoid::internals::{
    Lanes, MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, fused::dot, pieces,
};

/// A pair whose bounds are near each other.
#[derive(Clone, Copy)]
pub(super) struct Near {
    /// The place of the pair in the list.
    pub pair: u32,
    /// The lanes in which they are.
    pub lanes: [bool; MAX_LANES],
}

/// The matrix of a frame's rotation in each lane, by columns.
pub(super) struct FrameLanes {
    pub columns: [[Column; 3]; 3],
}

/// Parts of two bodies.
pub(super) struct NearParts {
    /// The ball of each; `None` of what stays and is whole.
    pub balls: [Vec<Option<Sphere>>; 2],
    /// Those that are near, by their numbers, and in which lanes.
    pub near: Vec<([usize; 2], [bool; MAX_LANES])>,
}

/// The memory of a block.
pub(super) struct Block {
    pub frames: MovingFrames,
    pub frame_poses: Vec<PoseLanes>,
    pub turned: Vec<FrameLanes>,
    pub mounts: Vec<Mount>,
    groups: Groups,
    /// The spheres around clusters, by frame, and memory for those inside bodies, by slot.
    clusters: Vec<Sphere>,
    /// The first in single precision.
    coarse: Vec<CoarseSphere>,
    insides: Vec<Sphere>,
    /// The poses of the bodies in the world, by slot: of those that move, only where bounds are near.
    pub poses: Vec<PoseLanes>,
    /// The block in which they were worked out last, and the block in hand.
    placed: Vec<u64>,
    pub now: u64,
}

impl Block {
    pub fn new(scene: &Placed, pairs: &[[u32; 2]]) -> Self {
        let frames = MovingFrames::new(scene.robot);
        let mounts = mounts(scene, &frames);
        let poses = mounts.iter().map(|mount| PoseLanes::splat(&mount.pose));
        Block {
            poses: poses.collect(),
            groups: Groups::new(scene, &mounts, pairs, &frames),
            placed: vec![0; mounts.len()],
            insides: Vec::new(),
            clusters: (0..frames.count()).map(|_| Sphere::EVERYWHERE).collect(),
            coarse: (0..frames.count())
                .map(|_| CoarseSphere::EVERYWHERE)
                .collect(),
            turned: (0..frames.count())
                .map(|_| FrameLanes {
                    columns: [[[0.0; MAX_LANES]; 3]; 3],
                })
                .collect(),
            frame_poses: Vec::with_capacity(frames.count()),
            frames,
            mounts,
            now: 0,
        }
    }

    /// Moves the robot to at most eight states.
    ///
    /// # Errors
    /// The errors are those of [`Robot::forward_kinematics`](crate::robot::Robot::forward_kinematics).
    pub fn move_to(&mut self, scene: &Placed, states: &States) -> Result<(), ConfigurationError> {
        let (robot, poses) = (scene.robot, &mut self.frame_poses);
        self.frames.move_to(robot, scene.base, states, poses)?;
        self.now += 1;
        dispatch!(simd => self.turn_all(simd));
        Ok(())
    }

    #[inline(always)]
    fn turn_all<S: SimdLevel>(&mut self, simd: S) {
        for frame in 0..self.turned.len() {
            for first in pieces(simd) {
                self.turn(simd, frame, first);
                if let Some(ball) = &self.groups.clusters[frame] {
                    let (pose, turned) = (&self.frame_poses[frame], &self.turned[frame]);
                    let (center, slack) = moved::<S, Piece<S>>(simd, pose, turned, ball, first);
                    self.clusters[frame].store(&(center, slack + ball.radius), first);
                }
            }
            self.coarse[frame].around(&self.clusters[frame]);
        }
    }

    #[inline(always)]
    fn turn<S: SimdLevel>(&mut self, simd: S, frame: usize, first: usize) {
        let pose: PoseVectors<Piece<S>> = self.frame_poses[frame].load(simd, first);
        let columns = pose.columns();
        for (column, of) in columns.iter().zip(&mut self.turned[frame].columns) {
            store3(column, of, first);
        }
    }

    /// Works out the balls of a body that moves, those that `which` returns.
    #[inline(always)]
    pub fn refresh<S: SimdLevel>(
        &mut self,
        simd: S,
        slot: usize,
        which: impl Fn(&mut Mount) -> &mut Balls,
    ) {
        let mount = &mut self.mounts[slot];
        let Some(frame) = mount.frame else {
            return;
        };
        let balls = which(mount);
        if balls.block == self.now {
            return;
        }
        balls.block = self.now;
        let (pose, turned) = (&self.frame_poses[frame], &self.turned[frame]);
        for (ball, sphere) in balls.own.iter().zip(&mut balls.world) {
            for first in pieces(simd) {
                let (center, slack) = moved::<S, Piece<S>>(simd, pose, turned, ball, first);
                let slack = if balls.are_inside { -slack } else { slack };
                sphere.store(&(center, slack + ball.radius), first);
            }
        }
    }

    /// Returns the lanes in which a ball inside the one body of a pair is proven to overlap the other, or one inside that.
    pub fn overlap(&mut self, slots: [u32; 2]) -> [bool; MAX_LANES] {
        let slots = slots.map(|slot| slot as usize);
        let mut found = [0.0; MAX_LANES];
        dispatch!(simd => self.overlap_in_lanes(simd, slots, &mut found));
        found.map(|found| found > 0.0)
    }

    #[inline(always)]
    fn overlap_in_lanes<S: SimdLevel>(&mut self, simd: S, slots: [usize; 2], found: &mut Column) {
        let moves = [self.moves(slots[0]), self.moves(slots[1])];
        let [a, b] = match moves {
            [false, true] => [slots[1], slots[0]],
            [false, false] => return,
            _ => slots,
        };
        if moves != [true, true] && !self.mounts[b].is_still {
            return;
        }
        for slot in [a, b] {
            self.refresh(simd, slot, |mount| &mut mount.inner);
        }
        for first in pieces(simd) {
            let one = Piece::<S>::load_from(simd, &[1.0; MAX_LANES], first);
            let mut overlap = one.lt(one);
            for ball in &self.mounts[a].inner.world {
                let ball: ([Piece<S>; 3], Piece<S>) = ball.load(simd, first);
                if moves != [true, true] {
                    overlap = overlap | self.mounts[b].still.overlaps(&ball);
                    continue;
                }
                for other in &self.mounts[b].inner.world {
                    overlap = overlap | overlap_of_balls(&ball, &other.load(simd, first));
                }
            }
            Piece::<S>::select(overlap, one, one.splat(0.0)).store_to(found, first);
        }
    }

    /// Returns the lanes in which a corner of the body that moves is proven to be in the one that stays, if that is known as it is.
    pub fn has_corner_inside(&mut self, slots: [u32; 2]) -> [bool; MAX_LANES] {
        let slots = slots.map(|slot| slot as usize);
        let [a, b] = match slots.map(|slot| self.moves(slot)) {
            [true, false] => slots,
            [false, true] => [slots[1], slots[0]],
            _ => return [false; MAX_LANES],
        };
        let mut found = [0.0; MAX_LANES];
        if self.mounts[b].is_still {
            dispatch!(simd => self.corners_inside(simd, [a, b], &mut found));
        }
        found.map(|found| found > 0.0)
    }

    #[inline(always)]
    fn corners_inside<S: SimdLevel>(&mut self, simd: S, [a, b]: [usize; 2], found: &mut Column) {
        self.refresh(simd, a, |mount| &mut mount.corners);
        for first in pieces(simd) {
            let one = Piece::<S>::load_from(simd, &[1.0; MAX_LANES], first);
            let mut inside = one.lt(one);
            for corner in &self.mounts[a].corners.world {
                let corner: ([Piece<S>; 3], Piece<S>) = corner.load(simd, first);
                inside = inside | self.mounts[b].still.holds(&corner);
            }
            Piece::<S>::select(inside, one, one.splat(0.0)).store_to(found, first);
        }
    }

    /// Works out the pose of a body that moves.
    #[inline(always)]
    fn place<S: SimdLevel>(&mut self, simd: S, slot: usize) {
        let mount = &self.mounts[slot];
        let Some(frame) = mount.frame.filter(|_| self.placed[slot] != self.now) else {
            return;
        };
        self.placed[slot] = self.now;
        for first in pieces(simd) {
            let pose: PoseVectors<Piece<S>> = self.frame_poses[frame].load(simd, first);
            let own = PoseVectors::splat(pose.translation[0], &mount.pose);
            self.poses[slot].store(&pose.times(&own), first);
        }
    }

    /// Returns the lanes in which the bounds of a pair are not proven to be farther apart than the distance, if there are any.
    pub fn near(&mut self, pair: u32, slots: [u32; 2], within: &Column) -> Option<Near> {
        let mut found = None;
        dispatch!(simd => found = self.near_pair(simd, pair, slots, within));
        found
    }

    /// Returns the balls around parts of two bodies, in the world, with the padding of the bodies, and those of which they
    /// are not proven to be farther apart than a distance.
    pub fn parts_near(
        &self,
        slots: [usize; 2],
        bodies: [&Body; 2],
        parts: [&[Part]; 2],
        within: &Column,
    ) -> NearParts {
        let [of_a, of_b] = [0, 1].map(|k| self.balls_of_parts(slots[k], bodies[k], parts[k]));
        let mut found = Vec::new();
        for (i, a) in of_a.iter().enumerate() {
            for (j, b) in of_b.iter().enumerate() {
                let mut near = [0.0; MAX_LANES];
                dispatch!(simd => self.parts_apart(simd, slots, [a, b], within, &mut near));
                let near = near.map(|near| near > 0.0);
                if near.contains(&true) {
                    found.push(([i, j], near));
                }
            }
        }
        NearParts {
            balls: [of_a, of_b],
            near: found,
        }
    }

    /// Returns the balls around parts, in the world; `None` of what stays and is whole.
    fn balls_of_parts(&self, slot: usize, body: &Body, parts: &[Part]) -> Vec<Option<Sphere>> {
        let mount = &self.mounts[slot];
        let outer = body.reach().outer;
        let of_part = |part: &Part| {
            let own = match (part.ball(), mount.around.own.first()) {
                (Some(ball), _) => {
                    let mut ball = in_frame(mount.pose, ball);
                    ball.radius += outer;
                    ball
                }
                (None, around) => *around?,
            };
            let mut sphere = Sphere::splat(&own);
            if let Some(frame) = mount.frame {
                let (pose, turned) = (&self.frame_poses[frame], &self.turned[frame]);
                dispatch!(simd => {
                    for first in pieces(simd) {
                        move_ball(simd, pose, turned, &own, &mut sphere, first);
                    }
                });
            }
            Some(sphere)
        };
        parts.iter().map(of_part).collect()
    }

    #[inline(always)]
    fn parts_apart<S: SimdLevel>(
        &self,
        simd: S,
        slots: [usize; 2],
        balls: [&Option<Sphere>; 2],
        within: &Column,
        near: &mut Column,
    ) {
        for first in pieces(simd) {
            let within = Piece::<S>::load_from(simd, within, first);
            let load = |ball: &Option<Sphere>| {
                ball.as_ref()
                    .map(|ball| ball.load::<S, Piece<S>>(simd, first))
            };
            let apart = match balls.map(load) {
                [Some(a), Some(b)] => beyond_sphere(&a, &b, within),
                [Some(ball), None] => self.mounts[slots[1]].still.is_beyond(&ball, within),
                [None, Some(ball)] => self.mounts[slots[0]].still.is_beyond(&ball, within),
                [None, None] => within.lt(within),
            };
            Piece::<S>::select(apart, within.splat(0.0), within.splat(1.0)).store_to(near, first);
        }
    }

    /// Fills a list with all pairs whose bounds are not proven to be farther apart.
    pub fn all_near(&mut self, pairs: &[[u32; 2]], within: &Column, found: &mut Vec<Near>) {
        found.clear();
        let groups = std::mem::take(&mut self.groups.of_pairs);
        let coarse = CoarseSphere::within(within);
        dispatch!(simd => {
            for group in &groups {
                if self.is_near(simd, group, within, &coarse) {
                    for &pair in &group.pairs {
                        found.extend(self.near_pair(simd, pair, pairs[pair as usize], within));
                    }
                }
            }
        });
        self.groups.of_pairs = groups;
    }

    /// Whether the bounds of a group are near in some lane.
    #[inline(always)]
    fn is_near<S: SimdLevel>(
        &self,
        simd: S,
        group: &Group,
        within: &Column,
        coarse: &[f32; MAX_LANES],
    ) -> bool {
        if let (Some(a), Some(b)) = (group.a, group.b) {
            return !self.coarse[a].are_beyond(&self.coarse[b], coarse);
        }
        if within.iter().all(|within| group.apart > *within) {
            return false;
        }
        let Some(a) = group.a else {
            return true;
        };
        for first in pieces(simd) {
            let within = Piece::<S>::load_from(simd, within, first);
            let a = self.clusters[a].load(simd, first);
            let apart = self.mounts[group.still].still.is_beyond(&a, within);
            if !Piece::<S>::all(apart) {
                return true;
            }
        }
        false
    }

    #[inline(always)]
    fn near_pair<S: SimdLevel>(
        &mut self,
        simd: S,
        pair: u32,
        slots: [u32; 2],
        within: &Column,
    ) -> Option<Near> {
        let mut near = [0.0; MAX_LANES];
        let slots = slots.map(|slot| slot as usize);
        let any = self.near_in_lanes(simd, slots, within, &mut near);
        any.then(|| Near {
            pair,
            lanes: near.map(|near| near > 0.0),
        })
    }

    /// Writes 1 for the lanes in which a pair is near, and returns whether there are any.
    #[inline(always)]
    pub fn near_in_lanes<S: SimdLevel>(
        &mut self,
        simd: S,
        slots: [usize; 2],
        within: &Column,
        near: &mut Column,
    ) -> bool {
        for slot in slots {
            self.refresh(simd, slot, |mount| &mut mount.around);
        }
        let mut any = false;
        for first in pieces(simd) {
            let within = Piece::<S>::load_from(simd, within, first);
            let apart = self.spheres_apart(simd, slots, within, first);
            if Piece::<S>::all(apart) {
                continue;
            }
            for slot in slots {
                self.place(simd, slot);
            }
            let by_directions = slots.iter().any(|&slot| self.mounts[slot].has_directions);
            let apart = if by_directions {
                for slot in slots {
                    self.refresh(simd, slot, |mount| &mut mount.cover);
                }
                apart | self.covers_apart(simd, slots, within, first)
            } else {
                apart | self.boxes_apart(simd, slots, within, first)
            };
            if !Piece::<S>::all(apart) {
                any = true;
                Piece::<S>::select(apart, within.splat(0.0), within.splat(1.0))
                    .store_to(near, first);
            }
        }
        any
    }

    fn moves(&self, slot: usize) -> bool {
        self.mounts[slot].frame.is_some()
    }

    /// Returns the sphere around a body; without bounds it is everywhere.
    #[inline(always)]
    pub fn around<S: SimdLevel>(
        &self,
        simd: S,
        slot: usize,
        first: usize,
    ) -> ([Piece<S>; 3], Piece<S>) {
        let spheres = &self.mounts[slot].around.world;
        spheres
            .first()
            .unwrap_or(&Sphere::EVERYWHERE)
            .load(simd, first)
    }

    #[inline(always)]
    fn spheres_apart<S: SimdLevel>(
        &self,
        simd: S,
        [a, b]: [usize; 2],
        within: Piece<S>,
        first: usize,
    ) -> <Piece<S> as Lanes>::Mask {
        let never = within.lt(within);
        let moves = [self.moves(a), self.moves(b)];
        let load = |slot: usize| self.around(simd, slot, first);
        match moves {
            [true, true] => beyond_sphere(&load(a), &load(b), within),
            [true, false] => self.mounts[b].still.is_beyond(&load(a), within),
            [false, true] => self.mounts[a].still.is_beyond(&load(b), within),
            [false, false] => never,
        }
    }

    /// Returns where every ball of the one body is far from the other, or from every ball of that.
    #[inline(always)]
    fn covers_apart<S: SimdLevel>(
        &self,
        simd: S,
        [a, b]: [usize; 2],
        within: Piece<S>,
        first: usize,
    ) -> <Piece<S> as Lanes>::Mask {
        let moves = [self.moves(a), self.moves(b)];
        let (a, b) = match moves {
            [false, false] => return self.boxes_apart(simd, [a, b], within, first),
            [false, true] => (b, a),
            _ => (a, b),
        };
        let never = within.lt(within);
        let mut apart = !never;
        if self.mounts[a].cover.world.is_empty() {
            return never;
        }
        for ball in &self.mounts[a].cover.world {
            let ball = ball.load(simd, first);
            let far = if moves == [true, true] {
                self.far_from_cover(simd, &ball, b, within, first)
            } else {
                self.mounts[b].still.is_beyond(&ball, within)
            };
            apart = apart & far;
            if Piece::<S>::all(!apart) {
                break;
            }
        }
        apart
    }

    #[inline(always)]
    fn far_from_cover<S: SimdLevel>(
        &self,
        simd: S,
        ball: &([Piece<S>; 3], Piece<S>),
        slot: usize,
        within: Piece<S>,
        first: usize,
    ) -> <Piece<S> as Lanes>::Mask {
        let mut far = beyond_sphere(ball, &self.around(simd, slot, first), within);
        if Piece::<S>::all(far) || self.mounts[slot].cover.world.len() < 2 {
            return far;
        }
        let mut from_balls = !within.lt(within);
        for other in &self.mounts[slot].cover.world {
            from_balls = from_balls & beyond_sphere(ball, &other.load(simd, first), within);
        }
        far = far | from_balls;
        far
    }

    #[inline(always)]
    fn boxes_apart<S: SimdLevel>(
        &self,
        simd: S,
        [a, b]: [usize; 2],
        within: Piece<S>,
        first: usize,
    ) -> <Piece<S> as Lanes>::Mask {
        let (Some(of_a), Some(of_b)) = (&self.mounts[a].bounds, &self.mounts[b].bounds) else {
            return within.lt(within);
        };
        let load = |slot: usize| self.poses[slot].load(simd, first);
        let poses: [PoseVectors<Piece<S>>; 2] = [load(a), load(b)];
        let [pose_a, pose_b] = &poses;
        let middle_a = pose_a.transform(&splat3(within, &of_a.center.coords.into()));
        let middle_b = pose_b.transform(&splat3(within, &of_b.center.coords.into()));
        let between = [
            middle_b[0] - middle_a[0],
            middle_b[1] - middle_a[1],
            middle_b[2] - middle_a[2],
        ];
        // The rounding of the middles.
        let own = |of: &OwnBounds| of.sphere.radius + of.center.coords.amax();
        let terms = largest(&middle_a) + largest(&middle_b) + own(of_a) + own(of_b);
        let terms = terms + largest(&pose_a.translation) + largest(&pose_b.translation);
        let boxes = Boxes {
            half: [
                splat3(within, &of_a.half_extents.into()),
                splat3(within, &of_b.half_extents.into()),
            ],
            poses,
            between,
        };
        boxes.are_beyond(terms.mul_add(within.splat(SLACK), within))
    }

    /// Decreases each lane's number to the least distance of the inner spheres of the pairs, but not below 0.
    pub fn at_most(&mut self, pairs: &[[u32; 2]], least: &mut Column) {
        let mut insides = std::mem::take(&mut self.insides);
        insides.resize_with(self.mounts.len(), || Sphere::EVERYWHERE);
        dispatch!(simd => {
            for first in pieces(simd) {
                self.at_most_piece(simd, pairs, first, &mut insides, least);
            }
        });
        self.insides = insides;
    }

    #[inline(always)]
    fn at_most_piece<S: SimdLevel>(
        &self,
        simd: S,
        pairs: &[[u32; 2]],
        first: usize,
        insides: &mut [Sphere],
        least: &mut Column,
    ) {
        let mut smallest = Piece::<S>::load_from(simd, least, first);
        let zero = smallest.splat(0.0);
        for (slot, place) in insides.iter_mut().enumerate() {
            let nowhere = ([zero; 3], zero.splat(f64::NEG_INFINITY));
            let inside = self.inside::<S, Piece<S>>(simd, slot, first);
            place.store(&inside.unwrap_or(nowhere), first);
        }
        for slots in pairs {
            let load = |slot: u32| insides[slot as usize].load::<S, Piece<S>>(simd, first);
            let (a, b) = (load(slots[0]), load(slots[1]));
            let (radii, a, b) = (a.1 + b.1, a.0, b.0);
            let d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
            let distance = dot(&d, &d).sqrt() - radii;
            smallest = smallest.min(distance.max(zero));
        }
        smallest.store_to(least, first);
    }

    /// Returns the sphere inside a body, in the world, its radius made smaller by what rounding can change.
    #[inline(always)]
    fn inside<S: SimdLevel, V: SoaLanes<S>>(
        &self,
        simd: S,
        slot: usize,
        first: usize,
    ) -> Option<([V; 3], V)> {
        let mount = &self.mounts[slot];
        let inside = &mount.bounds.as_ref()?.inside;
        let Some(frame) = mount.frame else {
            let center = mount.pose * inside.center;
            let terms = inside.center.coords.amax() + mount.pose.translation.vector.amax();
            let radius = inside.radius - SLACK * (center.coords.amax() + terms + inside.radius);
            let like = V::load_from(simd, &[0.0; MAX_LANES], first);
            return Some((splat3(like, &center.coords.into()), like.splat(radius)));
        };
        let (pose, turned) = (&self.frame_poses[frame], &self.turned[frame]);
        let ball = in_frame(mount.pose, inside);
        let (center, slack) = moved::<S, V>(simd, pose, turned, &ball, first);
        // What rounding adds to the radius of a sphere around is taken from that of one inside.
        Some((center, -slack + (2.0 * inside.radius - ball.radius)))
    }
}

/// Returns the centre of a sphere of a frame, in the world, and what rounding can change of its distances.
#[inline(always)]
fn moved<S: SimdLevel, V: SoaLanes<S>>(
    simd: S,
    pose: &PoseLanes,
    turned: &FrameLanes,
    ball: &BoundingSphere,
    first: usize,
) -> ([V; 3], V) {
    let PoseVectors { translation, .. } = pose.load(simd, first);
    let mut center: [V; 3] = translation;
    for (column, x) in turned.columns.iter().zip(ball.center.coords.iter()) {
        let column: [V; 3] = load3(simd, column, first);
        for k in 0..3 {
            center[k] = column[k].mul_add(column[k].splat(*x), center[k]);
        }
    }
    let terms = largest(&center) + largest(&translation) + ball.radius;
    (center, terms * SLACK)
}

/// Writes a ball of a frame, in the world.
#[inline(always)]
fn move_ball<S: SimdLevel>(
    simd: S,
    pose: &PoseLanes,
    turned: &FrameLanes,
    ball: &BoundingSphere,
    sphere: &mut Sphere,
    first: usize,
) {
    let (center, slack) = moved::<S, Piece<S>>(simd, pose, turned, ball, first);
    sphere.store(&(center, slack + ball.radius), first);
}

/// Returns where two balls overlap.
#[inline(always)]
fn overlap_of_balls<V: Lanes>(a: &([V; 3], V), b: &([V; 3], V)) -> V::Mask {
    let d = [b.0[0] - a.0[0], b.0[1] - a.0[1], b.0[2] - a.0[2]];
    let radii = (a.1 + b.1).max(a.1.splat(0.0));
    dot(&d, &d).lt(radii * radii)
}

/// Returns where two spheres are farther apart than a distance.
#[inline(always)]
fn beyond_sphere<V: Lanes>(a: &([V; 3], V), b: &([V; 3], V), within: V) -> V::Mask {
    let d = [b.0[0] - a.0[0], b.0[1] - a.0[1], b.0[2] - a.0[2]];
    let radii = a.1 + b.1 + within;
    (radii * radii).lt(dot(&d, &d))
}
