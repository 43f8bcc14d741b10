//! The pairs of a posed robot: how far apart their enclosing volumes are, how far they move, and their contacts.

use super::body::{Bound, EdgeBody, EdgePairs, PairContact};
use super::bounds::{Chain, Motion, Moving};
use super::line::{Line, State, Twist};
use nalgebra::{Point3, Vector3};

/// The bodies of a robot at one configuration after the other.
pub(crate) struct Posed<'a, P> {
    bodies: &'a [EdgeBody],
    pairs: &'a mut P,
    min_separation: f64,
    memory: &'a mut Memory,
    pub states: usize,
    pub distances: usize,
}

/// The memory of a query, which serves the next one.
#[derive(Default)]
pub(crate) struct Memory {
    chains: Vec<Chain>,
    pair_list: Vec<Pair>,
    /// The robot in the middle of what is judged, and the bodies that were moved there.
    state: State,
    moving: Vec<Moving>,
    updated: Vec<usize>,
}

/// A pair that is compared.
pub(crate) struct Pair {
    pub bodies: [usize; 2],
    /// The number of steps, from the tip, that move one body and not the other.
    pub own: [usize; 2],
}

/// The rounding of a gap, relative to the coordinates from which it is computed.
const ROUNDING: f64 = 1e-13;

impl<'a, P: EdgePairs> Posed<'a, P> {
    /// The line has all steps that move.
    pub fn new(
        line: &Line,
        bodies: &'a [EdgeBody],
        pair_list: &[[u32; 2]],
        pairs: &'a mut P,
        min_separation: f64,
        memory: &'a mut Memory,
    ) -> Self {
        let chains = &mut memory.chains;
        chains.resize_with(bodies.len(), Chain::default);
        for (chain, body) in chains.iter_mut().zip(bodies) {
            chain.set(line, body);
        }
        memory.pair_list.clear();
        memory.pair_list.extend(pair_list.iter().map(|&[a, b]| {
            let [chain_a, chain_b] = [a, b].map(|body| &chains[body as usize]);
            Pair {
                bodies: [a as usize, b as usize],
                own: [chain_a.own(chain_b), chain_b.own(chain_a)],
            }
        }));
        memory.moving.resize_with(bodies.len(), Moving::default);
        memory.updated.clear();
        memory.updated.resize(bodies.len(), 0);
        Posed {
            bodies,
            pairs,
            min_separation,
            memory,
            states: 0,
            distances: 0,
        }
    }

    pub fn pair_count(&self) -> usize {
        self.memory.pair_list.len()
    }

    pub fn pair(&self, pair: usize) -> &Pair {
        &self.memory.pair_list[pair]
    }

    pub fn chains(&self) -> &[Chain] {
        &self.memory.chains
    }

    pub fn chain(&self, body: usize) -> &Chain {
        &self.memory.chains[body]
    }

    pub fn moving(&self, body: usize) -> &Moving {
        &self.memory.moving[body]
    }

    pub fn state(&self) -> &State {
        &self.memory.state
    }

    /// Returns the state, for another configuration to be written there.
    pub fn advance(&mut self) -> &mut State {
        self.states += 1;
        &mut self.memory.state
    }

    /// Moves the bodies of a pair to the configuration in hand, unless they are there.
    pub fn update(&mut self, pair: usize) {
        for body in self.memory.pair_list[pair].bodies {
            let memory = &mut *self.memory;
            if memory.updated[body] != self.states {
                let chain = &memory.chains[body];
                memory.moving[body].update(&memory.state, chain, &self.bodies[body]);
                memory.updated[body] = self.states;
            }
        }
    }

    /// Returns the relative motion of a pair.
    pub fn motion(&self, pair: usize) -> Motion {
        let Pair { bodies, own } = &self.memory.pair_list[pair];
        let [a, b] = [0, 1].map(|k| self.memory.moving[bodies[k]].motion(own[k]));
        Motion {
            speed: a.speed + b.speed,
            acceleration: a.acceleration + b.acceleration,
        }
    }

    /// Returns a lower bound of the distance of a pair, from the enclosing volumes: that of the spheres if it exceeds what is
    /// asked for, otherwise the greatest of that and those of one body's sphere and the other one's box.
    pub fn apart(&self, pair: usize, asked: f64) -> f64 {
        let [a, b] = self.memory.pair_list[pair].bodies;
        let (at, radius) = (self.memory.moving[a].centre, self.memory.moving[a].radius);
        match &self.bodies[b].bound {
            Bound::Sphere { .. } => {
                let spheres = (self.memory.moving[b].centre - at).norm()
                    - radius
                    - self.memory.moving[b].radius;
                if spheres > asked {
                    return spheres;
                }
                let boxed = self.beyond_box(a, b);
                if boxed > asked {
                    return boxed;
                }
                spheres.max(boxed).max(self.beyond_box(b, a))
            }
            Bound::HalfSpace(half_space) => {
                half_space.normal().dot(&at) - half_space.offset() - radius
            }
        }
    }

    /// Returns how far the sphere of one body is from the box of another one.
    fn beyond_box(&self, sphere: usize, other: usize) -> f64 {
        let own_box = &self.bodies[other].own_box;
        let Moving { centre, radius, .. } = &self.memory.moving[sphere];
        let pose = &self.memory.moving[other].pose;
        own_box.distance(&pose.inverse_transform_point(&Point3::from(*centre))) - radius
    }

    /// Returns an upper bound of the distance of a pair whose bodies contain their centres.
    pub fn between_centres(&self, pair: usize) -> f64 {
        let [a, b] = self.memory.pair_list[pair].bodies;
        match &self.bodies[b].bound {
            Bound::Sphere { .. } => {
                (self.memory.moving[b].centre - self.memory.moving[a].centre).norm()
            }
            Bound::HalfSpace(_) => self.apart(pair, 0.0) + self.memory.moving[a].radius,
        }
    }

    /// Returns the distance that a pair must keep.
    pub fn separation(&self, pair: usize) -> f64 {
        self.min_separation + self.pairs.padding(pair)
    }

    /// Returns that distance, with a margin for rounding.
    pub fn margin(&self, pair: usize) -> f64 {
        let size = |body: usize| match &self.bodies[body].bound {
            Bound::Sphere { .. } => self.memory.moving[body].size,
            Bound::HalfSpace(half_space) => half_space.offset().abs(),
        };
        let [a, b] = self.memory.pair_list[pair].bodies;
        // Poses are products along the chain.
        let joints = 16.0
            + self.memory.chains[a].links.len() as f64
            + self.memory.chains[b].links.len() as f64;
        let padding = self.pairs.padding(pair);
        self.min_separation + padding + ROUNDING * joints * (size(a) + size(b) + padding)
    }

    pub fn contact(
        &mut self,
        pair: usize,
        max_distance: f64,
    ) -> Result<Option<PairContact>, P::Error> {
        self.distances += 1;
        let keep = self.margin(pair);
        let poses = self.memory.pair_list[pair]
            .bodies
            .map(|body| &self.memory.moving[body].pose);
        self.pairs.contact(pair, poses, keep, max_distance)
    }

    /// Returns an upper bound of `m · x` over one body of a pair (0 or 1). A half-space must be asked for its own normal.
    pub fn support(&self, pair: usize, side: usize, m: &Vector3<f64>) -> Option<f64> {
        let body = self.memory.pair_list[pair].bodies[side];
        match &self.bodies[body].bound {
            Bound::HalfSpace(half_space) => Some(half_space.offset()),
            Bound::Sphere { .. } => self.pairs.support(body, &self.memory.moving[body].pose, m),
        }
    }

    /// Returns the direction to separate a pair by: the one in hand, or that of its half-space.
    pub fn direction(&self, pair: usize, normal: &Vector3<f64>) -> Vector3<f64> {
        match &self.bodies[self.memory.pair_list[pair].bodies[1]].bound {
            Bound::HalfSpace(half_space) => -half_space.normal().into_inner(),
            Bound::Sphere { .. } => *normal,
        }
    }

    /// Returns the rigid velocity of one body of a pair relative to the last link that both hang on.
    pub fn twist(&self, pair: usize, side: usize) -> Twist {
        let Pair { bodies, own } = &self.memory.pair_list[pair];
        let (links, own) = (&self.memory.chains[bodies[side]].links, own[side]);
        let of = |k: usize| {
            links
                .get(k)
                .map(|lever| self.memory.state.steps[lever.step].twist)
        };
        match own {
            0 => Twist::default(),
            _ => of(0).unwrap_or_default().minus(of(own).unwrap_or_default()),
        }
    }
}
