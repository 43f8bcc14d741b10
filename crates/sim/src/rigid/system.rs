//! All bodies of a world, and a substep of theirs in stages.

use crate::broad_phase::BroadPhase;
use crate::contacts::ContactPoint;
use crate::rigid::body::RigidBody;
use crate::rigid::islands::Islands;
use crate::rigid::joints::JointConstraint;
use crate::rigid::pair::Pair;
use crate::rigid::published;
use crate::rigid::solve::{prepare, solve_positions, solve_velocities, warm_start};
use crate::rigid::surface_material::combined;
use crate::rigid::told::Told;
use crate::scene::{Material, Scene, Settings};
use crate::threads::Threads;
use nalgebra::{Point3, Vector3};
use superovoid::Aabb;

/// The most rounds over joints and contacts in a substep where there are gimbals, and the correction, in skins, that ends them.
const ROUNDS: u32 = 10;
const HOLDS: f64 = 8e-3;

/// The bodies of a world with their pairs.
pub(crate) struct RigidSystem {
    pub bodies: Vec<RigidBody>,
    materials: Vec<Material>,
    joints: Vec<JointConstraint>,
    /// Pairs that a joint connects or that are excluded, sorted: they do not touch.
    excluded: Vec<(u32, u32)>,
    /// The pairs whose boxes met, by their bodies; the slots of the others are free.
    pairs: Vec<((u32, u32), u32)>,
    found: Vec<(u32, u32)>,
    next: Vec<((u32, u32), u32)>,
    slots: Vec<Pair>,
    free: Vec<u32>,
    /// What is told of pairs whose boxes parted within the frame.
    parted: Vec<([u32; 2], Told)>,
    /// The slots of the pairs that have points in this substep, in the order of the pairs.
    active: Vec<u32>,
    /// For each body, the last sweep that corrected it.
    corrected: Vec<u32>,
    broad_phase: BroadPhase,
    boxes: Vec<Aabb>,
    /// For each body, the path up to which its box is good.
    good_until: Vec<f64>,
    islands: Islands,
    gravity: Vector3<f64>,
}

impl RigidSystem {
    /// Builds the bodies of a validated scene.
    pub fn new(scene: &Scene) -> Self {
        let contact = scene.settings.body_contact;
        let made = scene.bodies.iter().map(|b| RigidBody::new(b, contact));
        let bodies: Vec<RigidBody> = made.collect();
        let joints: Vec<_> = scene
            .joints
            .iter()
            .map(|joint| JointConstraint::new(joint, &bodies))
            .collect();
        let joined = scene.joints.iter();
        let joined = joined.filter_map(|joint| joint.parent.map(|parent| [parent, joint.child]));
        let mut excluded: Vec<_> = joined
            .chain(scene.excluded_pairs.iter().copied())
            .map(|[a, b]| (a.min(b) as u32, a.max(b) as u32))
            .collect();
        excluded.sort_unstable();
        // More pairs than a heap of bodies has.
        let room = (8 * bodies.len()).min(bodies.len() * bodies.len() / 2 + 1);
        RigidSystem {
            boxes: Vec::with_capacity(bodies.len()),
            good_until: vec![f64::NEG_INFINITY; bodies.len()],
            corrected: Vec::with_capacity(bodies.len()),
            bodies,
            materials: scene.surfaces().to_vec(),
            joints,
            excluded,
            pairs: Vec::with_capacity(room),
            found: Vec::with_capacity(room),
            next: Vec::with_capacity(room),
            slots: Vec::with_capacity(room),
            free: Vec::with_capacity(room),
            parted: Vec::with_capacity(room),
            active: Vec::with_capacity(room),
            broad_phase: BroadPhase::default(),
            islands: Islands::default(),
            gravity: Vector3::from(scene.settings.gravity),
        }
    }

    /// Starts a frame: remembers the poses and finds the pairs.
    pub fn begin_frame(&mut self, time: f64, settings: &Settings) {
        for body in &mut self.bodies {
            body.before = (body.x, body.q);
        }
        self.parted.clear();
        for (_, slot) in &self.pairs {
            let pair = &mut self.slots[*slot as usize];
            if self.bodies[pair.a as usize].is_movable()
                || self.bodies[pair.b as usize].is_movable()
            {
                pair.touching = false;
                pair.forget_told();
            }
        }
        self.find_pairs(time, settings);
    }

    /// Finds the pairs whose boxes meet within the motion of a frame, and keeps what is known of them.
    fn find_pairs(&mut self, time: f64, settings: &Settings) {
        self.find_boxes(time, settings);
        self.found.clear();
        let (bodies, excluded) = (&self.bodies, &self.excluded);
        let wanted = |i: u32, j: u32| {
            let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
            (a.is_dynamic() || b.is_dynamic()) && excluded.binary_search(&(i, j)).is_err()
        };
        let found = &mut self.found;
        self.broad_phase
            .sweep(&self.boxes, wanted, |i, j| found.push((i, j)));
        self.found.sort_unstable();
        self.keep_pairs();
    }

    /// Finds the boxes in which the bodies stay in a frame; those of bodies that rest are kept.
    fn find_boxes(&mut self, time: f64, settings: &Settings) {
        let gravity = self.gravity.norm() * settings.frame;
        let everywhere = Aabb {
            min: Point3::from([-1e9; 3]),
            max: Point3::from([1e9; 3]),
        };
        self.boxes.resize(self.bodies.len(), everywhere);
        let kept = self.boxes.iter_mut().zip(&mut self.good_until);
        for (body, (bounds, good_until)) in self.bodies.iter().zip(kept) {
            if body.rests() && *good_until == body.path {
                continue;
            }
            let speed = if body.is_movable() {
                body.v.norm() + body.omega.norm() * body.radius + gravity
            } else {
                body.driven_speed(time, settings.frame)
            };
            let margin = speed * settings.frame;
            *good_until = body.path + margin;
            *bounds = body
                .aabb()
                .map_or(everywhere, |b| grown(&b, margin + settings.skin));
        }
    }

    /// Gives every found pair a slot, its old one if it had one.
    fn keep_pairs(&mut self) {
        self.next.clear();
        let mut old = self.pairs.iter().peekable();
        for &key in &self.found {
            while let Some((_, slot)) = old.next_if(|(other, _)| *other < key) {
                part(&mut self.slots[*slot as usize], &mut self.parted);
                self.free.push(*slot);
            }
            let slot = match old.next_if(|(other, _)| *other == key) {
                Some((_, slot)) => *slot,
                None => {
                    let [a, b] = [key.0, key.1].map(|i| self.bodies[i as usize].material);
                    let surface = combined(&self.materials[a], &self.materials[b]);
                    let pair = Pair::new(key.0, key.1, surface);
                    match self.free.pop() {
                        Some(slot) => {
                            self.slots[slot as usize] = pair;
                            slot
                        }
                        None => {
                            self.slots.push(pair);
                            self.slots.len() as u32 - 1
                        }
                    }
                }
            };
            self.next.push((key, slot));
        }
        for (_, slot) in old {
            part(&mut self.slots[*slot as usize], &mut self.parted);
            self.free.push(*slot);
        }
        std::mem::swap(&mut self.pairs, &mut self.next);
    }

    /// Asks the pairs that need it before a substep of length h that ends at `time`; the first of a frame renews more.
    pub fn find_contacts(
        &mut self,
        first: bool,
        [time, h]: [f64; 2],
        settings: &Settings,
        threads: &Threads,
    ) {
        let outgrown = |(body, good): (&RigidBody, &f64)| body.path > *good;
        if !first && self.bodies.iter().zip(&self.good_until).any(outgrown) {
            self.find_pairs(time, settings);
        }
        if self.bodies.iter().all(RigidBody::rests) {
            return;
        }
        let allowed = settings.skin * if first { 0.25 } else { 2.0 };
        let gravity = self.gravity.norm() * h;
        let bodies = &self.bodies;
        let ahead = |body: &RigidBody| {
            let speed = if body.is_movable() {
                body.v.norm() + body.omega.norm() * body.radius + gravity
            } else {
                body.driven_speed(time - h, h)
            };
            speed * h
        };
        let published = published::options(settings.body_contact);
        let ask = |pair: &mut Pair| {
            let ahead = ahead(&bodies[pair.a as usize]) + ahead(&bodies[pair.b as usize]);
            match &published {
                None => pair.update(bodies, settings.skin, ahead, allowed),
                Some(options) => pair.update_as_published(bodies, settings.skin, ahead, options),
            }
        };
        threads.each(&mut self.slots, |pair| {
            if pair.live {
                ask(pair);
            }
        });
    }

    /// Takes the contacts at the start of a substep and predicts the displacements.
    pub fn predict(&mut self, time: f64, h: f64, settings: &Settings) {
        let (slots, bodies) = (&self.slots, &self.bodies);
        let presses = |&(key, slot): &((u32, u32), u32)| {
            let moves = |i: u32| bodies[i as usize].is_movable();
            (moves(key.0) || moves(key.1)) && slots[slot as usize].count > 0
        };
        let pressing = self.pairs.iter().filter(|pair| presses(pair));
        self.active.clear();
        self.active.extend(pressing.map(|(_, slot)| *slot));
        for slot in &self.active {
            prepare(
                &mut self.slots[*slot as usize],
                &self.bodies,
                settings.skin,
                settings.push_out_speed * h,
            );
        }
        for body in &mut self.bodies {
            body.predict(self.gravity, time, h);
        }
        for slot in &self.active {
            warm_start(&self.slots[*slot as usize], &mut self.bodies);
        }
    }

    /// Corrects joints, and contacts up to `sweeps` times, until no point is corrected by more than `enough`. Where there are
    /// gimbals, of which many may hang on each other, the joints follow again up to [`ROUNDS`] times, from their ends back and
    /// forth, until none is corrected by more than [`HOLDS`] skins.
    pub fn solve_positions(&mut self, h: f64, sweeps: u32, enough: f64, skin: f64) {
        let rounds = if self.joints.iter().any(JointConstraint::is_gimbal) {
            ROUNDS
        } else {
            1
        };
        for round in 0..rounds {
            let mut largest: f64 = 0.0;
            let count = self.joints.len();
            for k in 0..count {
                let k = if round % 2 == 0 { k } else { count - 1 - k };
                largest = largest.max(self.joints[k].solve(&mut self.bodies, h, round));
            }
            if round > 0 && largest < HOLDS * skin {
                return;
            }
            self.solve_contacts(sweeps, enough);
        }
    }

    /// Corrects contacts up to `sweeps` times, until no point is corrected by more than `enough`. A pair is left out whose
    /// bodies no pair has corrected by more since the sweep before: one body that rolls in a heap of a thousand makes its
    /// neighbours' loads wrong and not those of all.
    fn solve_contacts(&mut self, sweeps: u32, enough: f64) {
        self.corrected.clear();
        self.corrected.resize(self.bodies.len(), 0);
        for sweep in 1..=sweeps {
            let mut settled = true;
            for slot in &self.active {
                let pair = &mut self.slots[*slot as usize];
                let ends = [pair.a as usize, pair.b as usize];
                if ends.iter().all(|&i| self.corrected[i] + 1 < sweep) {
                    continue;
                }
                if solve_positions(pair, &mut self.bodies) > enough {
                    settled = false;
                    let moved = ends.iter().filter(|&&i| self.bodies[i].is_movable());
                    moved.for_each(|&i| self.corrected[i] = sweep);
                }
            }
            if settled {
                break;
            }
        }
    }

    /// Moves the bodies and takes their velocities.
    pub fn finish(&mut self, h: f64) {
        for body in &mut self.bodies {
            body.finish(h);
        }
    }

    /// Corrects the velocities of what pressed.
    pub fn solve_velocities(&mut self, h: f64) {
        let slow = 2.0 * self.gravity.norm() * h;
        for slot in &self.active {
            solve_velocities(&mut self.slots[*slot as usize], &mut self.bodies, slow);
        }
    }

    /// Tells the impulses of a substep of length h, after its velocities.
    pub fn tell(&mut self, h: f64) {
        for slot in &self.active {
            self.slots[*slot as usize].tell(h);
        }
    }

    /// The contacts that pressed in the frame, in the order of their pairs, and then those of pairs that parted.
    pub fn contacts(&self) -> impl Iterator<Item = ContactPoint> + '_ {
        let told = |&(key, slot): &((u32, u32), u32)| {
            let tale = &self.slots[slot as usize].tale;
            tale.as_slice()
                .iter()
                .map(move |told| ([key.0, key.1], told))
        };
        let parted = self.parted.iter().map(|(pair, told)| (*pair, told));
        let all = self.pairs.iter().flat_map(told).chain(parted);
        all.map(|(pair, told)| told.contact(&self.bodies, pair))
    }

    /// Ends a frame: islands sleep and wake.
    pub fn end_frame(&mut self, settings: &Settings) {
        if settings.sleep_speed > 0.0 {
            let links = self.joints.iter().filter_map(JointConstraint::link);
            let pairs = self
                .pairs
                .iter()
                .map(|(_, slot)| &self.slots[*slot as usize]);
            self.islands.update(
                &mut self.bodies,
                links,
                pairs,
                settings.frame,
                settings.sleep_speed,
            );
        }
    }

    /// The first body that is not finite or left the world.
    pub fn diverged(&self) -> Option<usize> {
        let bad = |v: &Vector3<f64>| !v.iter().all(|x| x.abs() < 1e6);
        self.bodies.iter().position(|body| {
            bad(&body.x) || bad(&body.v) || bad(&body.omega) || !body.q.w.is_finite()
        })
    }
}

/// Frees the slot of a pair, and keeps what is told of it.
fn part(pair: &mut Pair, parted: &mut Vec<([u32; 2], Told)>) {
    pair.live = false;
    let told = pair.tale.as_slice().iter();
    parted.extend(told.map(|told| ([pair.a, pair.b], *told)));
}

/// A box that is larger by `margin` on all sides.
pub(crate) fn grown(bounds: &Aabb, margin: f64) -> Aabb {
    let margin = Vector3::repeat(margin);
    Aabb {
        min: bounds.min - margin,
        max: bounds.max + margin,
    }
}
