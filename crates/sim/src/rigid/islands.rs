//! Islands: bodies that press on each other sleep and wake together.
//!
//! A body is slow in a frame if no point of it moved faster than the sleep speed, from its pose at the start of the
//! frame to that at its end. An island whose bodies have all been slow for 0.5 s falls asleep: nothing of it moves or is
//! asked for. It wakes when something that presses on it moves at more than twice that speed.

use crate::rigid::body::RigidBody;
use crate::rigid::pair::Pair;

/// The time for which an island must be slow, seconds.
const REST: f64 = 0.5;

/// The union-find structure of islands, kept between frames for its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct Islands {
    parent: Vec<u32>,
    /// For each root: whether all bodies have rested, and whether one is fast.
    rested: Vec<bool>,
    fast: Vec<bool>,
}

impl Islands {
    /// Puts islands to sleep and wakes others, at the end of a frame.
    pub fn update<'a>(
        &mut self,
        bodies: &mut [RigidBody],
        links: impl Iterator<Item = [u32; 2]>,
        pairs: impl Iterator<Item = &'a Pair>,
        frame: f64,
        sleep_speed: f64,
    ) {
        let count = bodies.len();
        self.parent.clear();
        self.parent.extend(0..count as u32);
        self.rested.clear();
        self.rested.resize(count, true);
        self.fast.clear();
        self.fast.resize(count, false);
        for body in bodies.iter_mut() {
            let slow = speed(body, frame) < sleep_speed;
            body.rested = if slow { body.rested + frame } else { 0.0 };
        }
        let touching = pairs
            .filter(|pair| pair.touching)
            .map(|pair| [pair.a, pair.b]);
        for [a, b] in links.chain(touching) {
            let (first, second) = (&bodies[a as usize], &bodies[b as usize]);
            if first.is_dynamic() && second.is_dynamic() {
                let (first, second) = (self.root(a), self.root(b));
                self.parent[first.max(second) as usize] = first.min(second);
            } else {
                // What is driven keeps what it touches awake.
                for (driven, other) in [(first, b), (second, a)] {
                    if !driven.keys.is_empty() && speed(driven, frame) > 2.0 * sleep_speed {
                        let root = self.root(other) as usize;
                        self.fast[root] = true;
                    }
                }
            }
        }
        for i in 0..count {
            let root = self.root(i as u32) as usize;
            let body = &bodies[i];
            if body.is_dynamic() {
                self.rested[root] &= body.rested >= REST;
            }
            self.fast[root] |= self.fast[i] || speed(body, frame) > 2.0 * sleep_speed;
        }
        for i in 0..count {
            let root = self.root(i as u32) as usize;
            let body = &mut bodies[i];
            if !body.is_dynamic() {
                continue;
            }
            if body.asleep && self.fast[root] {
                body.asleep = false;
                body.rested = 0.0;
            } else if !body.asleep && self.rested[root] && !self.fast[root] {
                body.asleep = true;
                body.v.fill(0.0);
                body.omega.fill(0.0);
                body.u.fill(0.0);
                body.phi.fill(0.0);
            }
        }
    }

    fn root(&mut self, mut i: u32) -> u32 {
        while self.parent[i as usize] != i {
            self.parent[i as usize] = self.parent[self.parent[i as usize] as usize];
            i = self.parent[i as usize];
        }
        i
    }
}

/// The greatest speed of a point of the body in the frame, m/s.
pub(crate) fn speed(body: &RigidBody, frame: f64) -> f64 {
    if body.asleep {
        return 0.0;
    }
    let (x, q) = &body.before;
    let radius = if body.radius.is_finite() {
        body.radius
    } else {
        1.0
    };
    ((body.x - x).norm() + radius * body.q.angle_to(q)) / frame
}
