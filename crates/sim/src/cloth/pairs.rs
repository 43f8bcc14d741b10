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
//! Lists are kept for patches whose boxes meet (see `patches`): of two, everything that was nearer than a margin when it was
//! listed. What their vertices can have moved against one another since says from which distance on nothing has come near,
//! and when the list is to be made anew, from where a substep began. A fold moves little against the fold that it lies on,
//! and a cloth that falls does not move against itself: lists of such patches serve long.

use crate::cloth::fabric::FabricBody;
use crate::cloth::pair::{FLOOR, Pair, ends_apart, on_edges, on_triangle};
use crate::cloth::patches::widen;
use crate::cloth::patches::{Mark, Patch, Patches};
use crate::cloth::tree::{Box3, LEAF, Stack, Tree};
use crate::particles::Particles;
use crate::scene::ClothContact;
use nalgebra::Vector3;

/// How much farther than at its speed at the start a vertex may go in a frame, and for how many frames a list is to serve.
const AHEAD: f64 = 1.2;
const FRAMES: f64 = 8.0;
/// The most of the margin of a list that motion makes, over the sum of the longest edges.
const MOST: f64 = 0.12;
/// The most of that which is to be left for a frame that begins.
const SPARE: f64 = 0.25;
/// How much farther than to the end of a substep patches may go by corrections.
const CORRECTED: f64 = 1.5;

/// A vertex, edge or triangle of a patch with its box, and the box that reaches as far as a list.
#[derive(Clone, Copy, Debug)]
struct Feature {
    index: u32,
    whole: Box3,
    reached: Box3,
}

impl Feature {
    fn new(index: u32, whole: Box3, margin: f64) -> Self {
        let margin = Vector3::repeat(margin);
        Feature {
            index,
            whole,
            reached: (whole.0 - margin, whole.1 + margin),
        }
    }

    /// Lists features that are nearer to a box than a margin.
    fn find(
        found: &mut Vec<Feature>,
        indices: &[u32],
        within: Box3,
        margin: f64,
        bounds: impl Fn(u32) -> Box3,
    ) {
        found.clear();
        let within = Feature::new(0, within, margin);
        for &index in indices {
            let whole = bounds(index);
            if within.reaches(&whole) {
                found.push(Feature::new(index, whole, margin));
            }
        }
    }

    /// Whether a box is nearer than the margin along each axis.
    fn reaches(&self, (low, high): &Box3) -> bool {
        // Without branches, which cost more than the comparisons that they save.
        let along = |k: usize| (self.reached.0[k] <= high[k]) & (low[k] <= self.reached.1[k]);
        along(0) & along(1) & along(2)
    }
}

fn bounds<const N: usize>(particles: [u32; N], x: &[Vector3<f64>]) -> Box3 {
    let start = x[particles[0] as usize];
    let (mut low, mut high) = (start, start);
    for v in &particles[1..] {
        widen(&mut low, &mut high, &x[*v as usize]);
    }
    (low, high)
}

/// What is near in two patches, or in one: everything that was nearer than `margin` at the mark.
#[derive(Clone, Copy, Debug)]
struct Near {
    patches: [u32; 2],
    mark: Mark,
    margin: f64,
    /// Its pairs in the list of all, by their distances.
    first: usize,
    count: usize,
}

impl Near {
    fn new(patches: [u32; 2], all: &[Patch]) -> Self {
        let [a, b] = patches.map(|p| &all[p as usize]);
        Near {
            patches,
            mark: a.mark_with(b),
            margin: f64::NEG_INFINITY,
            first: 0,
            count: 0,
        }
    }

    fn range(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.count
    }
}

/// How a patch moves in a frame.
#[derive(Clone, Copy, Debug)]
struct Motion {
    /// The mean velocity of its vertices, and the most by which one differs from that.
    mean: Vector3<f64>,
    spread: f64,
}

impl Motion {
    fn of(patch: &Patch, v: &[Vector3<f64>]) -> Self {
        let mean = mean_of(v, &patch.vertices);
        let each = patch.vertices.iter();
        let each = each.map(|&i| (v[i as usize] - mean).norm_squared());
        let spread = each.fold(0.0, f64::max).sqrt();
        Motion { mean, spread }
    }

    /// The most by which a vertex of one patch and one of another move against one another, m/s.
    fn against(&self, other: &Motion) -> f64 {
        (self.mean - other.mean).norm() + self.spread + other.spread
    }
}

/// What is near in the cloths of a world.
#[derive(Default)]
pub(crate) struct Pairs {
    /// The vertices at rest, about which features are judged that were neighbours.
    rest: Vec<Vector3<f64>>,
    /// The tree of the patches, the boxes in which they stay, about the middle of all, and how they move.
    tree: Tree,
    stack: Stack,
    boxes: Vec<Box3>,
    motions: Vec<Motion>,
    /// The patches that are near one another, in order, and their pairs one after the other, with gaps.
    nears: Vec<Near>,
    keys: Vec<[u32; 2]>,
    pairs: Vec<Pair>,
    /// What the lists are packed into.
    other_nears: Vec<Near>,
    other_pairs: Vec<Pair>,
    /// Features in the box of another patch.
    inside: [Vec<Feature>; 2],
    /// Whether anything is known, and which cloths slept then.
    known: bool,
    asleep: Vec<bool>,
    /// The pairs that may come within their thickness in this frame, and those that may cross in this substep.
    active: Vec<u32>,
    close: Vec<u32>,
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
    pub fn new(particles: &Particles, patches: &[Patch]) -> Self {
        let means: Vec<_> = patches.iter().map(|patch| patch.at[0].mean).collect();
        Pairs {
            tree: Tree::new(&means, LEAF),
            rest: particles.x.clone(),
            ..Pairs::default()
        }
    }

    /// Whether any two cloths may meet, or one itself.
    fn any(&self, cloths: &[FabricBody]) -> bool {
        (0..cloths.len()).any(|a| (0..=a).any(|b| meet(cloths, a, b)))
    }

    /// Forgets the lists: a cloth has been put elsewhere.
    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Finds what is near at the start of a frame of the given length. What all patches have in common brings none nearer to
    /// another.
    pub fn find(
        &mut self,
        cloths: &[FabricBody],
        particles: &Particles,
        patches: &Patches,
        frame: f64,
    ) {
        self.active.clear();
        self.close.clear();
        if !self.any(cloths) {
            self.known = false;
            return;
        }
        if !self.known {
            self.nears.clear();
            self.pairs.clear();
            self.known = true;
        }
        self.frame = frame;
        let each = patches.all.iter();
        self.motions.clear();
        self.motions
            .extend(each.map(|patch| Motion::of(patch, &particles.v)));
        let means = self.motions.iter().map(|motion| motion.mean);
        let all = means.sum::<Vector3<f64>>() / self.motions.len().max(1) as f64;
        self.boxes.clear();
        for (patch, motion) in patches.all.iter().zip(&self.motions) {
            let (low, high) = patch.swept_about(&patches.middle);
            let way = (motion.mean - all) * (AHEAD * frame);
            let more = AHEAD * frame * motion.spread + 0.5 * cloths[patch.cloth].thickness;
            let more = Vector3::repeat(more);
            let swept = (low.inf(&(low + way)) - more, high.sup(&(high + way)) + more);
            self.boxes.push(swept);
        }
        self.relate(cloths, patches);
        self.pack();
        for k in 0..self.nears.len() {
            let near = &self.nears[k];
            let [a, b] = near.patches.map(|p| p as usize);
            let used = patches.all[a].since_with(&patches.all[b], &near.mark);
            let (usual, most) = self.reaches(cloths, patches, k);
            let ahead = AHEAD * frame * self.motions[a].against(&self.motions[b]);
            if used + usual + ahead.min(SPARE * (most - usual)) > near.margin {
                self.list(cloths, patches, &particles.x, k, 0.0);
            }
            self.activate(k, patches, particles, &particles.x);
        }
        self.collect();
    }

    /// The thickness of the cloths of two patches, and the farthest that a list of theirs reaches.
    fn reaches(&self, cloths: &[FabricBody], patches: &Patches, k: usize) -> (f64, f64) {
        let of = self.nears[k]
            .patches
            .map(|p| &cloths[patches.all[p as usize].cloth]);
        let thickness = 0.5 * (of[0].thickness + of[1].thickness);
        // Neighbours, which move with a vertex, are to be no pairs of it: the list is rather made anew.
        let most = MOST * (of[0].longest + of[1].longest);
        (thickness, thickness + most.max(thickness))
    }

    /// Finds the patches whose boxes meet. What is known of two that still do is kept.
    fn relate(&mut self, cloths: &[FabricBody], patches: &Patches) {
        let all = &patches.all;
        let Pairs {
            tree,
            stack,
            boxes,
            keys,
            ..
        } = self;
        self.asleep.clear();
        self.asleep.extend(cloths.iter().map(|cloth| cloth.asleep));
        keys.clear();
        for (p, patch) in all.iter().enumerate() {
            if meet(cloths, patch.cloth, patch.cloth) {
                keys.push([p as u32; 2]);
            }
        }
        tree.refit(|p| boxes[p as usize]);
        tree.meeting_itself(stack, |p, q| {
            let (p, q) = (p.min(q), p.max(q));
            if meet(cloths, all[p as usize].cloth, all[q as usize].cloth) {
                keys.push([p, q]);
            }
        });
        keys.sort_unstable();
        std::mem::swap(&mut self.nears, &mut self.other_nears);
        self.nears.clear();
        let mut old = self.other_nears.iter().peekable();
        for key in &self.keys {
            while old.next_if(|near| near.patches < *key).is_some() {}
            self.nears
                .push(match old.next_if(|near| near.patches == *key) {
                    Some(near) => *near,
                    None => Near::new(*key, all),
                });
        }
    }

    /// Packs the pairs where many of them are in no list any more.
    fn pack(&mut self) {
        let used: usize = self.nears.iter().map(|near| near.count).sum();
        if self.pairs.len() <= 2 * used + 256 {
            return;
        }
        self.other_pairs.clear();
        for near in &mut self.nears {
            let first = self.other_pairs.len();
            self.other_pairs
                .extend_from_slice(&self.pairs[near.range()]);
            near.first = first;
        }
        std::mem::swap(&mut self.pairs, &mut self.other_pairs);
    }

    /// Takes what the patches move in the substep, and lists anew from where it began what moves farther than its list says.
    pub fn follow(&mut self, cloths: &[FabricBody], particles: &Particles, patches: &Patches) {
        self.close.clear();
        if !self.any(cloths) {
            return;
        }
        let mut out = !self
            .asleep
            .iter()
            .eq(cloths.iter().map(|cloth| &cloth.asleep));
        for (patch, (low, high)) in patches.all.iter().zip(&mut self.boxes) {
            let thickness = cloths[patch.cloth].thickness;
            let (from, to) = patch.swept_about(&patches.middle);
            let floor = FLOOR * thickness;
            if (0..3).any(|i| from[i] - floor < low[i] || to[i] + floor > high[i]) {
                let more = Vector3::repeat(0.5 * thickness + patch.since(&patch.mark()));
                (*low, *high) = (low.inf(&(from - more)), high.sup(&(to + more)));
                out = true;
            }
        }
        if out {
            self.relate(cloths, patches);
        }
        let mut listed = out;
        for k in 0..self.nears.len() {
            let near = &self.nears[k];
            let [a, b] = near.patches.map(|p| &patches.all[p as usize]);
            let mut used = a.since_with(b, &near.mark);
            let floor = FLOOR * cloths[a.cloth].thickness.max(cloths[b.cloth].thickness);
            if used + floor > near.margin {
                let [p, q] = [a, b].map(|patch| patch.swept_about(&patches.middle));
                let apart = |i: usize| p.0[i] > q.1[i] + floor || q.0[i] > p.1[i] + floor;
                // Nothing crosses in it where the boxes are apart.
                if (0..3).any(apart) {
                    continue;
                }
                used = a.since_with(b, &a.mark_with(b));
                self.list(cloths, patches, &particles.x0, k, CORRECTED * used + floor);
                self.activate(k, patches, particles, &particles.x0);
                listed = true;
            }
            let range = self.nears[k].range();
            let near = self.pairs[range.clone()].partition_point(|p| p.distance <= used + floor);
            self.close
                .extend((range.start..range.start + near).map(|k| k as u32));
        }
        if listed {
            self.collect();
        }
    }

    /// Calls `each` with the pairs that may cross in the substep that was followed.
    pub fn each_close(&mut self, mut each: impl FnMut(&mut Pair)) {
        for &k in &self.close {
            each(&mut self.pairs[k as usize]);
        }
    }

    /// Lists what is near in two patches where they are at the start of the substep, with particles at x.
    fn list(
        &mut self,
        cloths: &[FabricBody],
        patches: &Patches,
        x: &[Vector3<f64>],
        k: usize,
        least: f64,
    ) {
        let (thickness, most) = self.reaches(cloths, patches, k);
        let indices = self.nears[k].patches.map(|p| p as usize);
        let [a, b] = indices.map(|p| &patches.all[p]);
        let [first, second] = [a, b].map(|patch| &cloths[patch.cloth]);
        let [m, n] = indices.map(|p| &self.motions[p]);
        let ahead = FRAMES * self.frame * m.against(n);
        let margin = (thickness + ahead.clamp(thickness, most - thickness)).max(least);
        let start = self.pairs.len();
        let Pairs {
            rest,
            pairs,
            inside,
            nears,
            ..
        } = self;
        let mut add = |particles: [u32; 4], split: usize, weights: Option<[f64; 4]>| {
            let between = |of: &[Vector3<f64>]| match &weights {
                Some(weights) => (0..4)
                    .map(|i| of[particles[i] as usize] * weights[i])
                    .sum::<Vector3<f64>>(),
                // Ends of edges are the business of vertices and triangles, but that neither edge crosses the other.
                None => {
                    let [a, b, c, d] = particles.map(|v| &of[v as usize]);
                    ends_apart([a, b], [c, d])
                }
            };
            let distance = between(x).norm();
            if distance > margin {
                return;
            }
            // Neighbours keep half of their distance at rest.
            let thickness = if a.cloth == b.cloth {
                thickness.min(0.5 * between(rest).norm())
            } else {
                thickness
            };
            pairs.push(Pair {
                particles,
                split,
                thickness,
                distance,
                weights: [0.0; 4],
                normal: Vector3::zeros(),
                apart: Vector3::zeros(),
                active: false,
            });
        };
        let same = indices[0] == indices[1];
        let both = [(a, b, second), (b, a, first)];
        for (a, b, second) in &both[..if same { 1 } else { 2 }] {
            let [vertices, triangles] = inside;
            Feature::find(vertices, &a.corners, b.start_box(), margin, |v| {
                bounds([v], x)
            });
            Feature::find(triangles, &b.triangles, a.start_box(), margin, |t| {
                bounds(second.triangles[t as usize], x)
            });
            for vertex in &*vertices {
                for triangle in triangles.iter().filter(|t| vertex.reaches(&t.whole)) {
                    let v = vertex.index;
                    let [a, b, c] = second.triangles[triangle.index as usize];
                    if v != a && v != b && v != c {
                        let corners = [a, b, c].map(|v| &x[v as usize]);
                        let weights = on_triangle(&x[v as usize], corners);
                        add([v, a, b, c], 1, Some(weights));
                    }
                }
            }
        }
        let [firsts, seconds] = inside;
        Feature::find(firsts, &a.edges, b.start_box(), margin, |e| {
            bounds(first.edges[e as usize].ends, x)
        });
        Feature::find(seconds, &b.edges, a.start_box(), margin, |e| {
            bounds(second.edges[e as usize].ends, x)
        });
        for (i, one) in firsts.iter().enumerate() {
            let others = if same { &seconds[..i] } else { &seconds[..] };
            for other in others.iter().filter(|other| one.reaches(&other.whole)) {
                let [p, q] = first.edges[one.index as usize].ends;
                let [r, s] = second.edges[other.index as usize].ends;
                if p != r && p != s && q != r && q != s {
                    let [a, b, c, d] = [p, q, r, s].map(|v| &x[v as usize]);
                    add([p, q, r, s], 2, on_edges([a, b], [c, d]));
                }
            }
        }
        pairs[start..].sort_unstable_by(|p, q| {
            p.distance
                .total_cmp(&q.distance)
                .then(p.particles.cmp(&q.particles))
        });
        let count = pairs.len() - start;
        nears[k] = Near {
            mark: a.mark_with(b),
            margin,
            first: start,
            count,
            ..nears[k]
        };
    }

    /// Takes the nearest points of the pairs of two patches that may come within their thickness in the frame.
    fn activate(
        &mut self,
        k: usize,
        patches: &Patches,
        Particles { v, .. }: &Particles,
        x: &[Vector3<f64>],
    ) {
        let near = &self.nears[k];
        let indices = near.patches.map(|p| p as usize);
        let [a, b] = indices.map(|p| &patches.all[p]);
        let [m, n] = indices.map(|p| &self.motions[p]);
        let used = a.since_with(b, &near.mark);
        let farthest = used + 2.0 * self.frame * m.against(n);
        for pair in &mut self.pairs[near.range()] {
            pair.active = false;
            if pair.distance > farthest + pair.thickness {
                continue;
            }
            let (q, p) = pair.particles.split_at(pair.split);
            let ways = q.iter().flat_map(|&i| {
                p.iter()
                    .map(move |&j| (v[i as usize] - v[j as usize]).norm_squared())
            });
            let margin = pair.thickness + 2.0 * self.frame * ways.fold(0.0, f64::max).sqrt();
            if pair.distance > used + margin {
                continue;
            }
            let Some(weights) = pair.nearest(x) else {
                continue;
            };
            let between = (0..4)
                .map(|i| x[pair.particles[i] as usize] * weights[i])
                .sum::<Vector3<f64>>();
            if between.norm() <= margin
                && let Some(normal) = between.try_normalize(1e-12)
            {
                (pair.weights, pair.normal) = (weights, normal);
                pair.active = true;
            }
        }
    }

    /// Lists the pairs that are corrected, in order.
    fn collect(&mut self) {
        let Pairs {
            active,
            nears,
            pairs,
            ..
        } = self;
        active.clear();
        for near in nears {
            active.extend(near.range().filter(|&k| pairs[k].active).map(|k| k as u32));
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

fn mean_of(x: &[Vector3<f64>], vertices: &[u32]) -> Vector3<f64> {
    let all = vertices.iter().map(|&v| x[v as usize]);
    all.sum::<Vector3<f64>>() / vertices.len() as f64
}
