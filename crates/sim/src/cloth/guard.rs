//! The guard: at the end of a substep no cloth has passed through anything, whatever the contacts have left.
//!
//! What is apart at the start of a substep and in front of one another along one direction at its start and at its end has
//! not crossed: along that direction the gap is concave in time while everything moves on straight lines, so that it is
//! never less than at an end. Two features of cloths take their direction in the world, a triangle and a body (or one
//! triangle of a mesh) theirs in the frame of the body, in which the body rests. The planes that contact knows are tried
//! first, then directions that nearly always separate, then the exact queries.
//!
//! What no direction separates is corrected, in rounds:
//!
//! ```text
//! C = gap − min(gap at the start + ε, t_f) ≥ 0,      ε the least gap that is kept, with friction, momentum kept;      t_f a quarter of the thickness
//! ```
//!
//! What is left after the rounds is cut off: the motion of everything is scaled by shares σ in [0, 1], one for each vertex
//! and each body. A pair that crosses gets a wall that rests, across the direction that separates it at the start, in the gap
//! where the motions of both sides divide it; the shares of its vertices and its body are lowered until each stays on its
//! own side. A share that is lowered again keeps behind all its walls. So walls are added until nothing
//! crosses, and at worst everything stays where the substep began.
//!
//! What overlaps at the start of a substep has no such direction and is left to contact, which pushes it out.

use crate::cloth::ClothSystem;
use crate::cloth::crossing::{
    Crossing, Face, Guard, WHOLE, crosses, kept, mesh_crossings, ovoid_crossing,
};
use crate::cloth::fabric::FabricBody;
use crate::cloth::faces::{SHARE, least};
use crate::cloth::near::KnownFace;
use crate::cloth::pair::{FLOOR, Pair};
use crate::cloth::patches::widen;
use crate::cloth::press::{Friction, friction, rub};
use crate::cloth::tree::Box3;
use crate::particles::Particles;
use crate::rigid::system::grown;
use crate::rigid::{ContactShape, RigidBody};
use crate::scene::ClothContact;
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::HashMap;
use superovoid::Aabb;

/// The rounds of corrections before motion is cut off.
const ROUNDS: usize = 12;
/// The rounds of walls before new ones let nothing through at all, and before everything stays where it was.
const FIRM: usize = 30;
const WALLS: usize = 60;

/// What is taken from the room between a patch and a body, over the thickness, as it is summed up with rounding.
const ROUNDING: f64 = 1e-6;

impl ClothSystem {
    /// Keeps everything apart that was apart at the start of a substep. `held_back` is told of every body that goes only a
    /// share of its way. `push_out` is the most by which what is too near is pushed apart in a substep.
    pub fn keep_apart(
        &mut self,
        bodies: &mut [RigidBody],
        push_out: f64,
        mut held_back: impl FnMut(usize, f64, &mut RigidBody),
    ) {
        let exact = |cloth: &FabricBody| !cloth.asleep && cloth.contact == ClothContact::Exact;
        let folds = |cloth: &FabricBody| !cloth.asleep && cloth.self_contact;
        if !self.cloths.iter().any(|cloth| exact(cloth) || folds(cloth)) {
            self.guard.forget();
            return;
        }
        self.pull_taut();
        let mut guard = std::mem::take(&mut self.guard);
        let mut apart = false;
        for round in 0..ROUNDS {
            self.crossings(bodies, (round == 0).then_some(push_out), &mut guard);
            apart = guard.found.is_empty();
            if apart {
                break;
            }
            for k in 0..guard.found.len() {
                match guard.found[k] {
                    Crossing::Cloths { pair, normal } => self.part_cloths(&pair, &normal),
                    Crossing::Body(face) => self.part_body(bodies, &face, push_out),
                }
            }
        }
        if !apart {
            self.cut_off(bodies, &mut guard, &mut held_back);
        }
        self.patches.leave();
        guard.leave(bodies);
        self.guard = guard;
    }

    /// Brings back what is farther from its pin than a cloth gives way. A pass over the edges tells a heavy body little of
    /// the pins: it moves vertices, which weigh a ten-thousandth of it. So what hangs taut from a pin has no inverse mass in
    /// the corrections that follow, and a body that presses it is stopped by them.
    fn pull_taut(&mut self) {
        self.taut.fill(false);
        for cloth in self.cloths.iter().filter(|cloth| !cloth.asleep) {
            cloth.pull_taut(&mut self.particles.x, &self.particles.w, &mut self.taut);
        }
    }

    /// Lists what crosses in the substep. With `push_out` also what presses on meshes, which no other contact does.
    fn crossings(&mut self, bodies: &[RigidBody], push_out: Option<f64>, guard: &mut Guard) {
        guard.found.clear();
        self.patches.measure(&self.cloths, &self.particles);
        self.pairs
            .follow(&self.cloths, &self.particles, &self.patches);
        let Particles { x, x0, .. } = &self.particles;
        self.pairs.each_close(|pair| {
            if let Some(normal) = crosses(pair, x0, x) {
                let pair = *pair;
                guard.found.push(Crossing::Cloths { pair, normal });
            }
        });
        guard.follow(bodies, &self.patches.all);
        for c in 0..self.cloths.len() {
            let cloth = &self.cloths[c];
            if !cloth.asleep && cloth.contact == ClothContact::Exact {
                for (b, body) in bodies.iter().enumerate() {
                    self.body_crossings(c, (b, body), push_out, guard);
                }
            }
        }
    }

    /// The box of particles at the start and at the end of the substep.
    fn swept(&self, vertices: &[u32]) -> Aabb {
        let Particles { x, x0, .. } = &self.particles;
        let start = x[vertices[0] as usize];
        let (mut low, mut high) = (start, start);
        for &v in vertices {
            widen(&mut low, &mut high, &x0[v as usize]);
            widen(&mut low, &mut high, &x[v as usize]);
        }
        aabb((low, high))
    }

    fn body_crossings(
        &mut self,
        c: usize,
        (b, body): (usize, &RigidBody),
        push_out: Option<f64>,
        guard: &mut Guard,
    ) {
        let poses = [body.pose(), body.moved_pose()];
        let thickness = self.cloths[c].thickness;
        let wide = if matches!(body.shape, ContactShape::Mesh(_)) {
            SHARE
        } else {
            FLOOR
        };
        let bounds = body
            .swept_aabb(&poses)
            .map(|aabb| grown(&aabb, wide * thickness));
        // How far a box is beside that of the body: zero where they meet.
        let beside = |aabb: &Aabb| match bounds {
            Some(bounds) if !bounds.intersects(aabb) => bounds.distance(aabb),
            _ => 0.0,
        };
        let turns = poses.map(|pose| pose.rotation.to_rotation_matrix().into_inner());
        let floor = FLOOR * thickness;
        // The plane that separated them last, taken into the world, nearly always does still.
        let still_apart = |last: &KnownFace, corners: &[u32; 3], particles: &Particles| {
            let gap = |k: usize, x: &[Vector3<f64>]| {
                let n = turns[k] * last.normal;
                let low = corners
                    .iter()
                    .map(|&v| n.dot(&x[v as usize]))
                    .fold(f64::INFINITY, f64::min);
                low - n.dot(&poses[k].translation.vector) - last.support
            };
            let before = gap(0, &particles.x0);
            (before > 0.0 && gap(1, &particles.x) >= kept(floor, before)).then_some(before)
        };
        for p in self.patches.of(c) {
            if guard.is_clear((p, &self.patches.all[p]), b) {
                continue;
            }
            // How far apart they are at the start of the substep, but for rounding.
            let mut room = beside(&aabb(self.patches.all[p].swept()));
            let count = self.patches.all[p].triangles.len();
            for k in 0..if room > 0.0 { 0 } else { count } {
                room = if k == 0 { f64::INFINITY } else { room };
                let t = self.patches.all[p].triangles[k] as usize;
                let corners = self.cloths[c].triangles[t];
                if let Some(Some(last)) = self.near[c][b].faces.get(t)
                    && body.shape_before.is_none()
                    && let Some(before) = still_apart(last, &corners, &self.particles)
                {
                    room = room.min(before - floor);
                    continue;
                }
                let apart = beside(&self.swept(&corners));
                if apart > 0.0 {
                    room = room.min(apart);
                    continue;
                }
                let Particles { x, x0, .. } = &self.particles;
                let local = |pose: &Isometry3<f64>, x: &[Vector3<f64>]| {
                    let turn = pose.rotation.inverse();
                    corners.map(|v| turn * (x[v as usize] - pose.translation.vector))
                };
                let at = [local(&poses[0], x0), local(&poses[1], x)];
                let face = Face {
                    cloth: c as u32,
                    triangle: t as u32,
                    body: b as u32,
                    part: WHOLE,
                    normal: Vector3::z(),
                    gap: 0.0,
                    support: [0.0; 2],
                    ball: false,
                };
                let left = match &body.shape {
                    ContactShape::HalfSpace => {
                        let gap = least(&face.normal, &at[0]);
                        if gap > 0.0 && least(&face.normal, &at[1]) < kept(floor, gap) {
                            guard.found.push(Crossing::Body(Face { gap, ..face }));
                        }
                        gap - floor
                    }
                    ContactShape::Superovoid(shape) => {
                        let before = body.shape_before.as_ref().unwrap_or(shape);
                        self.near[c][b]
                            .reserve(self.cloths[c].range.len(), self.cloths[c].triangles.len());
                        let v = corners.map(|v| v as usize - self.cloths[c].range.start);
                        let near = &mut self.near[c][b];
                        let known = v.map(|v| &near.known[v]);
                        let last = &mut near.faces[t];
                        let changes = body.shape_before.is_some();
                        if let Some(face) =
                            ovoid_crossing([before, shape], changes, &at, &known, last, floor, face)
                        {
                            guard.found.push(Crossing::Body(face));
                        }
                        let plane = last.filter(|_| !changes);
                        plane.map_or(0.0, |last| {
                            least(&last.normal, &at[0]) - last.support - floor
                        })
                    }
                    ContactShape::Mesh(mesh) => {
                        let pressed = push_out.map(|most| (SHARE * thickness, most));
                        mesh_crossings(mesh, &at, pressed, floor, face, &mut guard.found);
                        0.0
                    }
                };
                room = room.min(left);
            }
            let patch = &self.patches.all[p];
            guard.keep((p, patch), b, room - ROUNDING * thickness);
        }
    }

    /// Moves two features of cloths apart along the direction that separated them.
    fn part_cloths(&mut self, pair: &Pair, n: &Vector3<f64>) {
        /// The most corrections of one pair in a round: each is of the two vertices that cross farthest.
        const MOST: usize = 6;
        let taut = &self.taut;
        let Particles { x, x0, w, .. } = &mut self.particles;
        let weigh = |v: usize| if taut[v] { 0.0 } else { w[v] };
        let floor = FLOOR * pair.thickness;
        let target = (pair.gap(n, x0) + floor).min(SHARE * pair.thickness);
        for _ in 0..MOST {
            let height = |v: &&u32| n.dot(&x[**v as usize]);
            let order = |a: &&u32, b: &&u32| height(a).total_cmp(&height(b));
            let (q, p) = pair.particles.split_at(pair.split);
            let (Some(&low), Some(&high)) = (q.iter().min_by(order), p.iter().max_by(order)) else {
                return;
            };
            let (low, high) = (low as usize, high as usize);
            let error = n.dot(&(x[low] - x[high])) - target;
            let weights = [weigh(low), weigh(high)];
            let weight = weights[0] + weights[1];
            if error >= 0.0 || weight == 0.0 {
                return;
            }
            let step = n * (-error / weight);
            x[low] += step * weights[0];
            x[high] -= step * weights[1];
        }
    }

    /// Moves a triangle of a cloth and a body apart along the plane that separated them.
    fn part_body(&mut self, bodies: &mut [RigidBody], face: &Face, push_out: f64) {
        if face.ball {
            return;
        }
        let cloth = &self.cloths[face.cloth as usize];
        let thickness = SHARE * cloth.thickness;
        let target = if face.part == WHOLE {
            (face.gap + FLOOR * cloth.thickness).min(thickness)
        } else {
            (face.gap + push_out).min(thickness)
        };
        let body = &mut bodies[face.body as usize];
        let surface = friction(&self.materials, cloth, body);
        let particles = &mut self.particles;
        let near = &mut self.near[face.cloth as usize][face.body as usize];
        near.reserve(cloth.range.len(), cloth.triangles.len());
        for v in cloth.triangles[face.triangle as usize].map(|v| v as usize) {
            let weight = if self.taut[v] { 0.0 } else { particles.w[v] };
            let corner = (v, weight);
            let pushed = push_corner(corner, particles, body, face, target, &surface);
            if let Some((normal, impulse)) = pushed {
                near.tell(v - cloth.range.start, &normal, &impulse);
            }
        }
    }

    /// Cuts off what crosses: walls are added until nothing does.
    fn cut_off(
        &mut self,
        bodies: &mut [RigidBody],
        guard: &mut Guard,
        held_back: &mut impl FnMut(usize, f64, &mut RigidBody),
    ) {
        guard.full.clone_from(&self.particles.x);
        guard.ways.clear();
        guard
            .ways
            .extend(bodies.iter().map(|body| [body.u, body.phi]));
        guard.shares.clear();
        guard.shares.resize(self.particles.x.len(), 1.0);
        guard.body_shares.clear();
        guard.body_shares.resize(bodies.len(), 1.0);
        let mut walls: HashMap<[u32; 5], u32> = HashMap::new();
        for round in 0..=WALLS {
            self.crossings(bodies, None, guard);
            if guard.found.is_empty() {
                return;
            }
            if round == WALLS {
                guard.shares.fill(0.0);
                guard.body_shares.fill(0.0);
            }
            for k in 0..guard.found.len() {
                let crossing = guard.found[k];
                let count = walls.entry(crossing.key()).or_insert(0);
                *count += 1;
                // A wall that rounding has passed stands firm.
                let firm = *count > 1 || round > FIRM;
                match crossing {
                    Crossing::Cloths { pair, normal } => {
                        wall_of_cloths(&pair, &normal, firm, &self.particles, guard)
                    }
                    Crossing::Body(face) => {
                        let cloth = &self.cloths[face.cloth as usize];
                        let corners = cloth.triangles[face.triangle as usize];
                        let floor = FLOOR * cloth.thickness;
                        let body = &bodies[face.body as usize];
                        wall_of_body(&face, corners, floor, firm, body, &self.particles, guard);
                    }
                }
            }
            let Particles { x, x0, .. } = &mut self.particles;
            for (v, share) in guard.shares.iter().enumerate() {
                if *share < 1.0 {
                    x[v] = x0[v] + (guard.full[v] - x0[v]) * *share;
                }
            }
            for (b, body) in bodies.iter_mut().enumerate() {
                let share = guard.body_shares[b];
                if share < 1.0 {
                    let [u, phi] = guard.ways[b];
                    (body.u, body.phi) = (u * share, phi * share);
                    held_back(b, share, body);
                }
            }
        }
    }
}

fn aabb((low, high): Box3) -> Aabb {
    Aabb {
        min: Point3::from(low),
        max: Point3::from(high),
    }
}

/// Pushes a corner of a triangle in front of the plane of a body, and the body back. Where it does, returns the normal and
/// the impulse (times h) on the corner.
fn push_corner(
    (v, own): (usize, f64),
    particles: &mut Particles,
    body: &mut RigidBody,
    face: &Face,
    target: f64,
    surface: &Friction,
) -> Option<(Vector3<f64>, Vector3<f64>)> {
    let pose = body.moved_pose();
    let n = pose.rotation * face.normal;
    let height = n.dot(&(particles.x[v] - pose.translation.vector)) - face.support[1];
    let r = particles.x[v] - body.x - body.u;
    let weight = own + body.weight(&r, &n);
    if height >= target || weight == 0.0 {
        return None;
    }
    let load = (target - height) / weight;
    let slip = particles.x[v] - particles.x0[v] - body.displacement(&r);
    let impulse = rub(&n, load, &slip, own, body, &r, surface);
    particles.x[v] += impulse * own;
    body.push(&r, &-impulse);
    Some((n, impulse))
}

/// Lowers a share so that what goes `ahead` on its whole way goes no farther than `room`.
fn lower(share: &mut f64, room: f64, ahead: f64) {
    if ahead * *share > room {
        *share = (room.max(0.0) / ahead).min(*share);
    }
}

/// How two sides with room between them share it: as their ways do.
fn shared(room: f64, ahead: [f64; 2]) -> [f64; 2] {
    let all = ahead[0] + ahead[1];
    let part = if all > 0.0 { ahead[0] / all } else { 0.5 };
    [room * part, room * (1.0 - part)]
}

fn wall_of_cloths(
    pair: &Pair,
    n: &Vector3<f64>,
    firm: bool,
    particles: &Particles,
    guard: &mut Guard,
) {
    if firm {
        pair.particles
            .iter()
            .for_each(|&v| guard.shares[v as usize] = 0.0);
        return;
    }
    let x0 = &particles.x0;
    let gap = pair.gap(n, x0);
    let room = gap - kept(FLOOR * pair.thickness, gap);
    let (q, p) = pair.particles.split_at(pair.split);
    let height = |v: &u32| n.dot(&x0[*v as usize]);
    let low = q.iter().map(height).fold(f64::INFINITY, f64::min);
    let high = p.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
    // What each vertex goes towards the other side on its whole way, and how far in front of its side it is.
    let ahead = |v: u32, sign: f64| sign * n.dot(&(guard.full[v as usize] - x0[v as usize]));
    let beyond = |v: u32, sign: f64, side: f64| {
        guard.shares[v as usize] * ahead(v, sign) - sign * (side - n.dot(&x0[v as usize]))
    };
    let most_p = p.iter().map(|&v| beyond(v, 1.0, high)).fold(0.0, f64::max);
    let most_q = q.iter().map(|&v| beyond(v, -1.0, low)).fold(0.0, f64::max);
    let [room_p, room_q] = shared(room, [most_p, most_q]);
    for (side, sign, edge, room) in [(p, 1.0, high, room_p), (q, -1.0, low, room_q)] {
        for &v in side {
            let own = room + sign * (edge - n.dot(&x0[v as usize]));
            let way = sign * n.dot(&(guard.full[v as usize] - x0[v as usize]));
            lower(&mut guard.shares[v as usize], own, way);
        }
    }
}

fn wall_of_body(
    face: &Face,
    corners: [u32; 3],
    floor: f64,
    firm: bool,
    body: &RigidBody,
    particles: &Particles,
    guard: &mut Guard,
) {
    let b = face.body as usize;
    if firm {
        corners.iter().for_each(|&v| guard.shares[v as usize] = 0.0);
        guard.body_shares[b] = 0.0;
        return;
    }
    let n = body.rotation * face.normal;
    let x0 = &particles.x0;
    let room = face.gap - kept(floor, face.gap);
    let [u, phi] = &guard.ways[b];
    let turn = if body.radius.is_finite() {
        phi.norm() * body.radius
    } else {
        phi.norm() * 1e6
    };
    let along = if face.ball {
        u.norm()
    } else {
        n.dot(u).max(0.0)
    };
    let of_body = along + turn + body.change;
    let least = corners
        .iter()
        .map(|&v| n.dot(&x0[v as usize]))
        .fold(f64::INFINITY, f64::min);
    let way = |v: u32| {
        let way = guard.full[v as usize] - x0[v as usize];
        if face.ball { way.norm() } else { -n.dot(&way) }
    };
    let in_front = |v: u32| {
        if face.ball {
            0.0
        } else {
            n.dot(&x0[v as usize]) - least
        }
    };
    let beyond = |v: u32| guard.shares[v as usize] * way(v) - in_front(v);
    let of_cloth = corners.iter().map(|&v| beyond(v)).fold(0.0, f64::max);
    let [own, its] = shared(room, [of_cloth, of_body * guard.body_shares[b]]);
    for v in corners {
        let (room, ahead) = (own + in_front(v), way(v));
        lower(&mut guard.shares[v as usize], room, ahead);
    }
    lower(&mut guard.body_shares[b], its, of_body);
}
