//! Contact of cloths with themselves and with one another: vertex against triangle and edge against edge.
//!
//! Both are two points q = Σ a_i x_i and p = Σ b_j x_j of the cloths, with n the unit vector from p to q at the start of
//! the frame, which says the side on which q is:
//!
//! ```text
//! C = n·(q − p) − t ≥ 0,      Δλ = −C / (Σ a_i² w_i + Σ b_j² w_j),      x_i += w_i a_i n Δλ,   x_j −= w_j b_j n Δλ
//! ```
//!
//! with friction as against bodies; t is the thickness, the mean of both of two cloths. Points that are nearer than 2 t at
//! rest keep half of that distance.
//!
//! A search gives every vertex a reach, and lists the features that are nearer than both their reaches: beside what its whole
//! cloth moves in the mean, a vertex that stays within its reach meets nothing else. The list serves until a vertex may leave
//! its reach in the frame that begins, or does in a substep: then what leaves is searched for anew from where the substep
//! began, with reaches that hold the ways of the substep.

use crate::cloth::fabric::FabricBody;
use crate::cloth::tree::{Box3, Stack, Tree};
use crate::particles::Particles;
use crate::scene::ClothContact;
use nalgebra::Vector3;

/// How much farther than at its speed at the start a vertex may go in a frame, and for how many frames a list is to serve.
const AHEAD: f64 = 1.2;
const FRAMES: f64 = 8.0;
/// The most of a vertex's reach that its motion makes, over the longest edge.
const MOST: f64 = 0.2;
/// How much farther than to the end of a substep a vertex that left its reach there may go by corrections.
const CORRECTED: f64 = 1.5;
/// The inverse of the share of vertices that leave their reaches from which on all are listed anew.
const MANY: usize = 2;
/// The frames after which all are listed anew: those that have come to rest need less reach.
const AGE: u32 = 20;

/// Two features that may meet: four particles, of which the first `split` are on the side of q, with the weights of the
/// nearest points, negative on the side of p.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub particles: [u32; 4],
    pub split: usize,
    pub thickness: f64,
    /// The distance at the search.
    distance: f64,
    weights: [f64; 4],
    normal: Vector3<f64>,
}

impl Pair {
    /// The nearest points of the features at positions: the weights.
    pub fn nearest(&self, x: &[Vector3<f64>]) -> Option<[f64; 4]> {
        let [a, b, c, d] = self.particles.map(|v| &x[v as usize]);
        if self.split == 1 {
            Some(on_triangle(a, [b, c, d]))
        } else {
            on_edges([a, b], [c, d])
        }
    }

    /// How far q's side is in front of p's along a direction.
    pub fn gap(&self, n: &Vector3<f64>, x: &[Vector3<f64>]) -> f64 {
        let along = self.particles.map(|v| n.dot(&x[v as usize]));
        let front = along[..self.split]
            .iter()
            .fold(f64::INFINITY, |m, h| m.min(*h));
        let back = along[self.split..]
            .iter()
            .fold(f64::NEG_INFINITY, |m, h| m.max(*h));
        front - back
    }

    /// A direction that separates the features, from p to q, with the distance: none where they touch. Of edges whose
    /// nearest points are ends the line between these is taken: it separates all the same where the edges are apart.
    pub fn direction(&self, x: &[Vector3<f64>]) -> Option<Vector3<f64>> {
        let [a, b, c, d] = self.particles.map(|v| &x[v as usize]);
        let between = match self.nearest(x) {
            Some(weights) => {
                let between = a * weights[0] + b * weights[1] + c * weights[2] + d * weights[3];
                let across = if self.split == 1 {
                    (c - b).cross(&(d - b))
                } else {
                    (b - a).cross(&(d - c))
                };
                // Of nearest points inside both features the line between is along the cross product, which is sharper.
                let along = across.dot(&between);
                if along * along > 0.998 * across.norm_squared() * between.norm_squared() {
                    across * along.signum()
                } else {
                    between
                }
            }
            None => ends_apart([a, b], [c, d]),
        };
        between.try_normalize(1e-150)
    }
}

/// The line from the second of two edges to the first between the nearest points, of which one is an end.
fn ends_apart(q: [&Vector3<f64>; 2], p: [&Vector3<f64>; 2]) -> Vector3<f64> {
    let foot = |x: &Vector3<f64>, [a, b]: [&Vector3<f64>; 2]| {
        let d = b - a;
        a + d * ((x - a).dot(&d) / d.norm_squared().max(1e-300)).clamp(0.0, 1.0)
    };
    let lines = [
        q[0] - foot(q[0], p),
        q[1] - foot(q[1], p),
        foot(p[0], q) - p[0],
        foot(p[1], q) - p[1],
    ];
    let least = lines
        .iter()
        .min_by(|a, b| a.norm_squared().total_cmp(&b.norm_squared()));
    *least.expect("there are four")
}

/// What is near in the cloths of a world.
#[derive(Default)]
pub(crate) struct Pairs {
    /// The vertices at rest, about which features are judged that were neighbours.
    rest: Vec<Vector3<f64>>,
    /// For each particle, where it was at the search, how far it may go from there, and how far it was or goes at most in
    /// this substep, beside the mean motion of its cloth.
    at: Vec<Vector3<f64>>,
    means: Vec<Vector3<f64>>,
    reach: Vec<f64>,
    left: Vec<f64>,
    moved: Vec<f64>,
    /// For each particle, whether it leaves its reach, so that it is searched for anew.
    out: Vec<bool>,
    /// For each cloth, how far its mean may drift from the mean of all cloths between two searches, and how far it was or
    /// goes at most.
    drift: Vec<f64>,
    drift_left: Vec<f64>,
    drifted: Vec<f64>,
    /// For each cloth, the trees of its vertices, edges and triangles.
    trees: Vec<[Tree; 3]>,
    stack: Stack,
    pairs: Vec<Pair>,
    /// Whether the list is that of these cloths where they are, and which of them slept.
    known: bool,
    age: u32,
    asleep: Vec<bool>,
    /// The pairs that may come within their thickness in this frame.
    active: Vec<u32>,
    frame: f64,
}

/// Whether two cloths meet, or one meets itself.
fn meet(cloths: &[FabricBody], a: usize, b: usize) -> bool {
    let (first, second) = (&cloths[a], &cloths[b]);
    if a == b {
        return first.self_contact && !first.asleep;
    }
    let exact = |cloth: &FabricBody| cloth.contact == ClothContact::Exact;
    exact(first) && exact(second) && !(first.asleep && second.asleep)
}

impl Pairs {
    pub fn new(cloths: &[FabricBody], particles: &Particles) -> Self {
        let count = particles.x.len();
        let x = &particles.x;
        let trees = |cloth: &FabricBody| {
            let edges = cloth.edges.iter().map(|edge| mean_of(x, &edge.ends));
            let triangles = cloth.triangles.iter().map(|corners| mean_of(x, corners));
            [
                Tree::new(&x[cloth.range.clone()]),
                Tree::new(&edges.collect::<Vec<_>>()),
                Tree::new(&triangles.collect::<Vec<_>>()),
            ]
        };
        Pairs {
            trees: cloths.iter().map(trees).collect(),
            rest: particles.x.clone(),
            at: particles.x.clone(),
            reach: vec![0.0; count],
            left: vec![0.0; count],
            moved: vec![0.0; count],
            out: vec![false; count],
            means: vec![Vector3::zeros(); cloths.len()],
            drift: vec![0.0; cloths.len()],
            drift_left: vec![0.0; cloths.len()],
            drifted: vec![0.0; cloths.len()],
            ..Pairs::default()
        }
    }

    /// Whether any two cloths may meet, or one itself.
    fn any(&self, cloths: &[FabricBody]) -> bool {
        (0..cloths.len()).any(|a| (0..=a).any(|b| meet(cloths, a, b)))
    }

    /// Forgets the list: a cloth has been put elsewhere.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Finds what is near at the start of a frame of the given length. What all vertices of a cloth have in common, the mean
    /// velocity and gravity, brings none nearer to another.
    pub fn find(&mut self, cloths: &[FabricBody], particles: &Particles, frame: f64) {
        if !self.any(cloths) {
            self.pairs.clear();
            self.active.clear();
            self.known = false;
            return;
        }
        let all = mean_of_all(cloths, &particles.v);
        self.age += 1;
        let mut whole = !self.known || self.age >= AGE;
        for (c, cloth) in cloths.iter().enumerate() {
            let own = mean(&particles.v[cloth.range.clone()]);
            let drift = self.drift_left[c] + AHEAD * frame * (own - all).norm();
            whole |= self.asleep.get(c) != Some(&cloth.asleep);
            whole |= cloths.len() > 1 && drift > self.drift[c];
            for v in cloth.range.clone() {
                let motion = AHEAD * frame * (particles.v[v] - own).norm();
                self.out[v] = self.left[v] + motion > self.reach[v];
            }
        }
        self.frame = frame;
        if self.begin(cloths, particles, &particles.x, whole) {
            self.list(cloths);
        }
        self.activate(&particles.x, &particles.v, frame);
    }

    /// Lists anew from positions what leaves its reach, or all if many do. A vertex stands where it would have been when
    /// all were listed, but for what its cloth has moved in the mean since. Says whether there is anything.
    fn begin(
        &mut self,
        cloths: &[FabricBody],
        particles: &Particles,
        x: &[Vector3<f64>],
        whole: bool,
    ) -> bool {
        let out = self.out.iter().filter(|out| **out).count();
        if out == 0 && !whole {
            return false;
        }
        let whole = whole || MANY * out > self.out.len();
        let all = mean_of_all(cloths, &particles.v);
        if whole {
            self.out.fill(true);
            (self.known, self.age) = (true, 0);
            self.asleep.clear();
            self.drift_left.fill(0.0);
        }
        for (c, cloth) in cloths.iter().enumerate() {
            let own = mean(&particles.v[cloth.range.clone()]);
            // Neighbours, which move with a vertex, are to be no pairs of it: the list is rather made anew.
            let most = MOST * cloth.longest;
            if whole {
                self.asleep.push(cloth.asleep);
                self.means[c] = mean(&x[cloth.range.clone()]);
                self.drift[c] = (FRAMES * self.frame * (own - all).norm()).min(4.0 * most)
                    + 0.25 * cloth.thickness;
            }
            let way = self.way(c, cloth, x);
            for v in cloth.range.clone().filter(|&v| self.out[v]) {
                self.at[v] = x[v] - way;
                self.left[v] = 0.0;
                let motion = FRAMES * self.frame * (particles.v[v] - own).norm();
                self.reach[v] = 0.5 * cloth.thickness
                    + motion.clamp(0.5 * cloth.thickness, most.max(0.5 * cloth.thickness));
            }
        }
        true
    }

    /// Lists what is near of what is listed anew.
    fn list(&mut self, cloths: &[FabricBody]) {
        let Pairs { pairs, out, .. } = self;
        pairs.retain(|pair| !pair.particles.iter().any(|&v| out[v as usize]));
        self.refit(cloths);
        for a in 0..cloths.len() {
            for b in 0..=a {
                if meet(cloths, a, b) {
                    self.search(cloths, [a, b]);
                }
            }
        }
    }

    /// Takes the nearest points of the pairs that may come within their thickness in the frame.
    fn activate(&mut self, x: &[Vector3<f64>], v: &[Vector3<f64>], frame: f64) {
        self.active.clear();
        for (k, pair) in self.pairs.iter_mut().enumerate() {
            let ways = |i: u32| x[i as usize] - self.at[i as usize];
            let (p, q) = pair.particles.split_at(pair.split);
            let most = |of: &dyn Fn(u32) -> Vector3<f64>| {
                let each = p
                    .iter()
                    .flat_map(|&i| q.iter().map(move |&j| (of(i) - of(j)).norm_squared()));
                each.fold(0.0, f64::max).sqrt()
            };
            let reach = pair.thickness + most(&ways);
            if pair.distance > reach
                && pair.distance > reach + 2.0 * frame * most(&|i| v[i as usize])
            {
                continue;
            }
            let Some(weights) = pair.nearest(x) else {
                continue;
            };
            let between = (0..4)
                .map(|i| x[pair.particles[i] as usize] * weights[i])
                .sum::<Vector3<f64>>();
            if let Some(normal) = between.try_normalize(1e-12) {
                (pair.weights, pair.normal) = (weights, normal);
                self.active.push(k as u32);
            }
        }
    }

    /// Takes what the particles move in the substep, from x₀ to x: the list is made anew where one leaves its reach.
    pub fn follow(&mut self, cloths: &[FabricBody], particles: &Particles) {
        if !self.any(cloths) {
            return;
        }
        self.measure(cloths, particles);
        let lost = |c: usize| self.drifted[c] > self.drift[c];
        let whole = cloths.len() > 1 && (0..cloths.len()).any(lost);
        for ((out, moved), reach) in self.out.iter_mut().zip(&self.moved).zip(&self.reach) {
            *out = moved > reach;
        }
        if !self.begin(cloths, particles, &particles.x0, whole) {
            return;
        }
        self.measure(cloths, particles);
        for (c, cloth) in cloths.iter().enumerate() {
            if self.drifted[c] > self.drift[c] {
                self.drift[c] = CORRECTED * self.drifted[c];
            }
            for v in cloth.range.clone().filter(|&v| self.out[v]) {
                self.reach[v] = self.reach[v].max(CORRECTED * self.moved[v]);
            }
        }
        self.list(cloths);
        self.activate(&particles.x0, &particles.v, self.frame);
    }

    /// Measures how far the particles go in the substep from where they were listed.
    fn measure(&mut self, cloths: &[FabricBody], particles: &Particles) {
        let x = &particles.x;
        let ways = cloths.iter().enumerate();
        let all = ways.map(|(c, cloth)| self.way(c, cloth, x));
        let all = all.sum::<Vector3<f64>>() / cloths.len() as f64;
        for (c, cloth) in cloths.iter().enumerate() {
            let way = self.way(c, cloth, x);
            self.drifted[c] = (way - all).norm().max(self.drift_left[c]);
            for v in cloth.range.clone() {
                let moved = (x[v] - self.at[v] - way).norm();
                self.moved[v] = moved.max(self.left[v]);
            }
        }
    }

    /// How far the mean of a cloth is from where all were listed.
    fn way(&self, c: usize, cloth: &FabricBody, x: &[Vector3<f64>]) -> Vector3<f64> {
        mean(&x[cloth.range.clone()]) - self.means[c]
    }

    /// Ends a substep: where the particles are is where the next one begins.
    pub fn leave(&mut self, cloths: &[FabricBody], particles: &Particles) {
        if !self.any(cloths) {
            return;
        }
        self.left.fill(0.0);
        self.drift_left.fill(0.0);
        self.measure(cloths, particles);
        self.left.copy_from_slice(&self.moved);
        self.drift_left.copy_from_slice(&self.drifted);
    }

    /// The pairs that may come nearer than a share of their thickness in this substep: of neighbours, that move far with their
    /// cloth, the motion against one another says that they do not.
    pub fn close<'a>(
        &'a self,
        cloths: &'a [FabricBody],
        particles: &'a Particles,
        share: f64,
    ) -> impl Iterator<Item = &'a Pair> {
        let several = cloths.len() > 1;
        let near = move |pair: &&Pair| {
            let most = |v: &[u32]| {
                v.iter()
                    .map(|&v| self.moved[v as usize])
                    .fold(0.0, f64::max)
            };
            let (q, p) = pair.particles.split_at(pair.split);
            let mut moved = most(q) + most(p);
            if several {
                let of = |v: u32| cloths.partition_point(|cloth| cloth.range.end <= v as usize);
                let [a, b] = [pair.particles[0], pair.particles[3]].map(of);
                if a != b {
                    moved += self.drifted[a] + self.drifted[b];
                }
            }
            let room = pair.distance - share * pair.thickness;
            if room > moved {
                return false;
            }
            if room <= 0.0 {
                return true;
            }
            let square = room * room;
            [&particles.x, &particles.x0].iter().any(|x| {
                let ways = pair.particles.map(|v| x[v as usize] - self.at[v as usize]);
                let (q, p) = ways.split_at(pair.split);
                q.iter()
                    .any(|i| p.iter().any(|j| (i - j).norm_squared() >= square))
            })
        };
        self.pairs.iter().filter(near)
    }

    /// Makes the boxes of the trees: of what is as near as a list holds they meet.
    fn refit(&mut self, cloths: &[FabricBody]) {
        let Pairs {
            at,
            reach,
            drift,
            trees,
            out,
            ..
        } = self;
        let several = cloths.len() > 1;
        for (c, (cloth, trees)) in cloths.iter().zip(trees).enumerate() {
            let [vertices, edges, triangles] = trees;
            let drift = if several { drift[c] } else { 0.0 };
            let boxed = |v: &[u32]| -> (Box3, bool) {
                let start = at[v[0] as usize];
                let (mut low, mut high, mut most) = (start, start, 0.0);
                for &v in v {
                    let v = v as usize;
                    (low, high) = (low.inf(&at[v]), high.sup(&at[v]));
                    most = reach[v].max(most);
                }
                let reach = Vector3::repeat(most + drift);
                let new = v.iter().any(|&v| out[v as usize]);
                ((low - reach, high + reach), new)
            };
            let first = cloth.range.start as u32;
            vertices.refit(|i| boxed(&[first + i]));
            edges.refit(|i| boxed(&cloth.edges[i as usize].ends));
            triangles.refit(|i| boxed(&cloth.triangles[i as usize]));
        }
    }

    /// Searches the features of cloth b among those of cloth a.
    fn search(&mut self, cloths: &[FabricBody], [a, b]: [usize; 2]) {
        let (first, second) = (&cloths[a], &cloths[b]);
        let same = a == b;
        let thickness = 0.5 * (first.thickness + second.thickness);
        let Pairs {
            rest,
            at,
            reach,
            drift,
            trees,
            stack,
            pairs,
            ..
        } = self;
        let drift = if same { 0.0 } else { drift[a] + drift[b] };
        let mut add = |particles: [u32; 4], split: usize, weights: Option<[f64; 4]>| {
            let mut pair = Pair {
                particles,
                split,
                thickness,
                distance: 0.0,
                weights: [0.0; 4],
                normal: Vector3::zeros(),
            };
            let sum = |weights: &[f64; 4], of: &[Vector3<f64>]| {
                (0..4)
                    .map(|i| of[particles[i] as usize] * weights[i])
                    .sum::<Vector3<f64>>()
            };
            // Ends of edges are the business of vertices and triangles, but that neither edge crosses the other.
            let between = match &weights {
                Some(weights) => sum(weights, at),
                None => {
                    let [a, b, c, d] = particles.map(|v| &at[v as usize]);
                    ends_apart([a, b], [c, d])
                }
            };
            pair.distance = between.norm();
            let most = |v: &[u32], of: &dyn Fn(usize) -> f64| {
                v.iter().map(|&v| of(v as usize)).fold(0.0, f64::max)
            };
            let (q, p) = particles.split_at(split);
            let within = most(q, &|v| reach[v]) + most(p, &|v| reach[v]) + drift;
            if pair.distance > within {
                return;
            }
            // Neighbours keep half of their distance at rest.
            if same {
                let [a, b, c, d] = particles.map(|v| &rest[v as usize]);
                let apart = match &weights {
                    Some(weights) => sum(weights, rest),
                    None => ends_apart([a, b], [c, d]),
                };
                pair.thickness = thickness.min(0.5 * apart.norm());
            }
            pairs.push(pair);
        };

        let mut list = |vertices: usize, triangles: usize| {
            let start = cloths[vertices].range.start as u32;
            trees[vertices][0].meeting(&trees[triangles][2], stack, |v, t| {
                let v = start + v;
                let [a, b, c] = cloths[triangles].triangles[t as usize];
                if v != a && v != b && v != c {
                    let corners = [a, b, c].map(|v| &at[v as usize]);
                    add([v, a, b, c], 1, Some(on_triangle(&at[v as usize], corners)));
                }
            });
        };
        list(b, a);
        if !same {
            list(a, b);
        }
        let mut look = |j: u32, k: u32| {
            let [p, q] = second.edges[j as usize].ends;
            let [r, s] = first.edges[k as usize].ends;
            if p != r && p != s && q != r && q != s {
                let [a, b, c, d] = [p, q, r, s].map(|v| &at[v as usize]);
                add([p, q, r, s], 2, on_edges([a, b], [c, d]));
            }
        };
        if same {
            trees[a][1].meeting_itself(stack, look);
        } else {
            trees[b][1].meeting(&trees[a][1], stack, &mut look);
        }
    }

    /// Corrects the contacts of the frame once. `friction` is that of two cloths, by their particles.
    pub fn solve(
        &self,
        particles: &mut Particles,
        friction: impl Fn(u32, u32) -> [f64; 2],
        push_out: f64,
    ) {
        let Particles { x, x0, w, .. } = particles;
        for contact in self.active.iter().map(|&k| &self.pairs[k as usize]) {
            let v = contact.particles.map(|v| v as usize);
            let between = |x: &[Vector3<f64>]| {
                (0..4)
                    .map(|i| x[v[i]] * contact.weights[i])
                    .sum::<Vector3<f64>>()
            };
            let n = &contact.normal;
            let (now, before) = (between(x), between(x0));
            let error = n.dot(&now) - contact.thickness.min(n.dot(&before) + push_out);
            if error >= 0.0 {
                continue;
            }
            let weight: f64 = (0..4)
                .map(|i| w[v[i]] * contact.weights[i] * contact.weights[i])
                .sum();
            if weight == 0.0 {
                continue;
            }
            let friction = friction(contact.particles[0], contact.particles[3]);
            let slip = now - before;
            let slip = slip - n * n.dot(&slip);
            let length = slip.norm();
            let normal = -error / weight;
            let holding = length / weight;
            let tangential = if holding <= friction[0] * normal {
                holding
            } else {
                friction[1] * normal
            };
            let mut step = n * normal;
            if length > 1e-15 {
                step -= slip * (tangential / length);
            }
            for i in 0..4 {
                x[v[i]] += step * (w[v[i]] * contact.weights[i]);
            }
        }
    }
}

/// The mean of the means of the cloths.
fn mean_of_all(cloths: &[FabricBody], of: &[Vector3<f64>]) -> Vector3<f64> {
    let means = cloths.iter().map(|cloth| mean(&of[cloth.range.clone()]));
    means.sum::<Vector3<f64>>() / cloths.len() as f64
}

fn mean(of: &[Vector3<f64>]) -> Vector3<f64> {
    of.iter().sum::<Vector3<f64>>() / of.len() as f64
}

fn mean_of(x: &[Vector3<f64>], vertices: &[u32]) -> Vector3<f64> {
    let all = vertices.iter().map(|&v| x[v as usize]);
    all.sum::<Vector3<f64>>() / vertices.len() as f64
}

/// The weights of a vertex and of the nearest point of a triangle to it.
pub(super) fn on_triangle(p: &Vector3<f64>, [a, b, c]: [&Vector3<f64>; 3]) -> [f64; 4] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let normal = ab.cross(&ac);
    let square = normal.norm_squared();
    let u = ap.cross(&ac).dot(&normal) / square;
    let v = ab.cross(&ap).dot(&normal) / square;
    if u >= 0.0 && v >= 0.0 && u + v <= 1.0 {
        return [1.0, u + v - 1.0, -u, -v];
    }
    let along = |from: &Vector3<f64>, to: &Vector3<f64>| {
        let d = to - from;
        let s = ((p - from).dot(&d) / d.norm_squared()).clamp(0.0, 1.0);
        ((p - from - d * s).norm_squared(), s)
    };
    let sides = [along(a, b), along(b, c), along(c, a)];
    let k = (0..3)
        .min_by(|&i, &j| sides[i].0.total_cmp(&sides[j].0))
        .unwrap_or(0);
    let s = sides[k].1;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    weights[1 + k] = s - 1.0;
    weights[1 + (k + 1) % 3] = -s;
    weights
}

/// The weights of the nearest points of two edges, if both are inside the edges.
pub(super) fn on_edges([a, b]: [&Vector3<f64>; 2], [c, d]: [&Vector3<f64>; 2]) -> Option<[f64; 4]> {
    let (u, v, between) = (b - a, d - c, a - c);
    let (uu, uv, vv) = (u.norm_squared(), u.dot(&v), v.norm_squared());
    let (up, vp) = (u.dot(&between), v.dot(&between));
    let determinant = uu * vv - uv * uv;
    if determinant <= 1e-8 * uu * vv {
        return None;
    }
    let s = (uv * vp - vv * up) / determinant;
    let t = (uu * vp - uv * up) / determinant;
    let inside = |s: f64| s > 0.0 && s < 1.0;
    (inside(s) && inside(t)).then_some([1.0 - s, s, t - 1.0, -t])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    #[test]
    fn nearest_points_are_those_of_dense_samples() {
        let mut random = Random::new(8);
        let mut point = || Vector3::from([0; 3].map(|_| random.within(-1.0, 1.0)));
        for _ in 0..100 {
            let x = [point(), point(), point(), point()];
            let length = |weights: [f64; 4]| {
                (0..4)
                    .map(|i| x[i] * weights[i])
                    .sum::<Vector3<f64>>()
                    .norm()
            };
            let found = length(on_triangle(&x[0], [&x[1], &x[2], &x[3]]));
            let n = 40;
            let mut least = f64::INFINITY;
            for i in 0..=n {
                for j in 0..=n - i {
                    let (u, v) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                    least = least.min(length([1.0, u + v - 1.0, -u, -v]));
                }
            }
            assert!(
                found <= least + 1e-12 && found > least - 0.05,
                "{found} {least}"
            );
            if let Some(weights) = on_edges([&x[0], &x[1]], [&x[2], &x[3]]) {
                for i in 0..=n {
                    for j in 0..=n {
                        let (s, t) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
                        assert!(length(weights) <= length([1.0 - s, s, t - 1.0, -t]) + 1e-12);
                    }
                }
            }
        }
    }
}
