//! All cloths of a world, and a substep of theirs in stages.

use crate::cloth::crossing::Guard;
use crate::cloth::fabric::FabricBody;
use crate::cloth::faces::{self, FaceContact, SHARE};
use crate::cloth::near::Near;
use crate::cloth::pairs::Pairs;
use crate::cloth::patches::Patches;
use crate::cloth::press::friction;
use crate::cloth::published::push_radially;
use crate::cloth::vertices::{self, Approach, Batch, VertexContact};
use crate::contacts::ClothContactPoint;
use crate::particles::Particles;
use crate::rigid::RigidBody;
use crate::rigid::surface_material::combined;
use crate::rigid::system::grown;
use crate::scene::{ClothContact, Material, Scene, Settings};
use crate::threads::Threads;
use nalgebra::{Point3, Vector3};
use superovoid::Aabb;

/// The time for which a cloth must be slow to fall asleep, seconds.
const REST: f64 = 0.5;

/// The cloths of a world with their contacts.
pub(crate) struct ClothSystem {
    pub particles: Particles,
    pub cloths: Vec<FabricBody>,
    pub(super) materials: Vec<Material>,
    /// For each cloth, what is known with each body.
    pub(super) near: Vec<Vec<Near>>,
    /// For each cloth, its contacts in this frame.
    pub(super) contacts: Vec<Vec<VertexContact>>,
    pub(super) faces: Vec<Vec<FaceContact>>,
    pub(super) patches: Patches,
    pub(super) pairs: Pairs,
    pub(super) guard: Guard,
    /// For each particle, whether it hangs taut from a pin in this substep.
    pub(super) taut: Vec<bool>,
    batch: Batch,
    /// The positions at the start of the frame, and how far each particle can move from there without coming near.
    start: Vec<Vector3<f64>>,
    free: Vec<f64>,
    /// How far each particle is expected to move in the frame.
    motion: Vec<f64>,
    /// The paths of the bodies at the start of the frame.
    paths: Vec<f64>,
    gravity: Vector3<f64>,
}

impl ClothSystem {
    /// Builds the cloths of a validated scene.
    pub fn new(scene: &Scene, bodies: &[RigidBody]) -> Self {
        let mut particles = Particles::default();
        let build = |cloth| FabricBody::new(cloth, &scene.settings, bodies, &mut particles);
        let cloths: Vec<_> = scene.cloths.iter().map(build).collect();
        let count = particles.x.len();
        let patches = Patches::new(&cloths, &particles);
        ClothSystem {
            near: cloths
                .iter()
                .map(|_| vec![Near::default(); bodies.len()])
                .collect(),
            contacts: cloths
                .iter()
                .map(|cloth| Vec::with_capacity(cloth.range.len()))
                .collect(),
            faces: cloths
                .iter()
                .map(|cloth| Vec::with_capacity(cloth.triangles.len()))
                .collect(),
            pairs: Pairs::new(&particles, &patches.all),
            patches,
            guard: Guard::default(),
            taut: vec![false; count],
            cloths,
            materials: scene.surfaces().to_vec(),
            batch: Batch::with_capacity(count),
            start: particles.x.clone(),
            free: vec![0.0; count],
            motion: vec![0.0; count],
            paths: vec![0.0; bodies.len()],
            particles,
            gravity: Vector3::from(scene.settings.gravity),
        }
    }

    /// Starts a frame: wind, and what is near.
    pub fn begin_frame(
        &mut self,
        bodies: &[RigidBody],
        time: f64,
        settings: &Settings,
        threads: &Threads,
    ) {
        let gravity = self.gravity.norm() * settings.frame * settings.frame;
        self.start.copy_from_slice(&self.particles.x);
        for (motion, v) in self.motion.iter_mut().zip(&self.particles.v) {
            *motion = 1.2 * v.norm() * settings.frame + gravity;
        }
        self.free.fill(f64::INFINITY);
        self.wake_all(bodies, time, settings);
        for c in 0..self.cloths.len() {
            if !self.cloths[c].asleep {
                self.near[c].iter_mut().for_each(Near::forget_pressed);
                self.cloths[c].blow(&mut self.particles, Vector3::from(settings.wind));
                self.find_contacts(c, bodies, time, settings, threads);
            }
        }
        self.pairs
            .find(&self.cloths, &self.particles, &self.patches, settings.frame);
        for (path, body) in self.paths.iter_mut().zip(bodies) {
            *path = body.path;
        }
    }

    /// Wakes cloths, and what is near those that are awake.
    fn wake_all(&mut self, bodies: &[RigidBody], time: f64, settings: &Settings) {
        for c in 0..self.cloths.len() {
            self.wake(c, bodies, time, settings);
        }
        let asleep = |cloth: &FabricBody| cloth.asleep;
        if self.cloths.iter().any(asleep) && !self.cloths.iter().all(asleep) {
            let mut awake: Vec<usize> = (0..self.cloths.len())
                .filter(|&c| !self.cloths[c].asleep)
                .collect();
            while let Some(c) = awake.pop() {
                let bounds = self.bounds(c);
                for other in 0..self.cloths.len() {
                    if self.cloths[other].asleep && self.bounds(other).intersects(&bounds) {
                        self.stir(other);
                        awake.push(other);
                    }
                }
            }
        }
    }

    /// The box in which a cloth stays in the frame, with its thickness.
    fn bounds(&self, c: usize) -> Aabb {
        let cloth = &self.cloths[c];
        let motion = &self.motion[cloth.range.clone()];
        let fastest = motion.iter().fold(0.0, |m: f64, x| m.max(*x));
        let fastest = if cloth.asleep { 0.0 } else { fastest };
        bounds(
            &self.particles.x[cloth.range.clone()],
            cloth.thickness + fastest,
        )
    }

    /// Wakes a cloth whose pins move or that something moving may reach.
    fn wake(&mut self, c: usize, bodies: &[RigidBody], time: f64, settings: &Settings) {
        let cloth = &mut self.cloths[c];
        if !cloth.asleep {
            return;
        }
        let bounds = bounds(&self.particles.x[cloth.range.clone()], cloth.thickness);
        let disturbs = |(body, path): (&RigidBody, &f64)| {
            let motion = motion(body, time, settings);
            let moves = body.path != *path || body.driven_speed(time, settings.frame) > 0.0;
            moves
                && body
                    .aabb()
                    .is_none_or(|aabb| grown(&aabb, motion).intersects(&bounds))
        };
        if cloth.is_carried(bodies, &self.paths) || bodies.iter().zip(&self.paths).any(disturbs) {
            cloth.asleep = false;
            cloth.rested = 0.0;
        }
    }

    fn find_contacts(
        &mut self,
        c: usize,
        bodies: &[RigidBody],
        time: f64,
        settings: &Settings,
        threads: &Threads,
    ) {
        self.contacts[c].clear();
        self.faces[c].clear();
        let cloth = &self.cloths[c];
        if cloth.contact == ClothContact::RadialPush {
            return;
        }
        let fastest = self.motion[cloth.range.clone()]
            .iter()
            .fold(0.0, |m: f64, x| m.max(*x));
        let bounds = bounds(
            &self.particles.x[cloth.range.clone()],
            cloth.thickness + fastest + cloth.longest,
        );
        for (index, body) in bodies.iter().enumerate() {
            let body_motion = motion(body, time, settings);
            let apart = body
                .aabb()
                .map_or(0.0, |aabb| aabb.distance(&grown(&bounds, body_motion)));
            if apart > 0.0 {
                let free = &mut self.free[cloth.range.clone()];
                free.iter_mut()
                    .for_each(|free| *free = free.min(apart + fastest));
                continue;
            }
            let approach = Approach {
                fabric: cloth,
                body,
                body_index: index as u32,
                friction: friction(&self.materials, cloth, body),
                body_motion,
                motion: &self.motion,
                per_substep: 1.0 / f64::from(settings.substeps),
                threads,
            };
            let near = &mut self.near[c][index];
            near.reserve(cloth.range.len(), cloth.triangles.len());
            approach.vertices(
                near,
                &self.particles,
                &mut self.free,
                &mut self.batch,
                &mut self.contacts[c],
            );
            if cloth.contact == ClothContact::Exact {
                approach.faces(near, &mut self.faces[c]);
            }
        }
    }

    /// Renews the contacts of triangles at `time`, before a substep of length h that is not the first of a frame.
    pub fn renew_faces(&mut self, bodies: &[RigidBody], [time, h]: [f64; 2], settings: &Settings) {
        let moves = |body: &RigidBody| motion(body, time, settings) * (h / settings.frame);
        for (c, cloth) in self.cloths.iter().enumerate() {
            if !cloth.asleep {
                let (contacts, near) = (&mut self.faces[c], &mut self.near[c]);
                let lengths = [cloth.thickness, h];
                faces::renew(contacts, near, &self.particles, bodies, lengths, moves);
            }
        }
    }

    /// Predicts the positions of a substep.
    pub fn predict(&mut self, bodies: &[RigidBody], h: f64) {
        for cloth in self.cloths.iter().filter(|cloth| !cloth.asleep) {
            cloth.predict(&mut self.particles, bodies, self.gravity, h);
        }
    }

    /// Corrects the constraints of the fabrics once.
    pub fn solve_fabrics(&mut self) {
        for cloth in self.cloths.iter().filter(|cloth| !cloth.asleep) {
            cloth.solve(&mut self.particles);
        }
    }

    /// Corrects the contacts: once, and up to `sweeps` times between bodies that pinch a cloth, until nothing is corrected
    /// by more than `enough`.
    pub fn solve_contacts(
        &mut self,
        bodies: &mut [RigidBody],
        push_out: f64,
        sweeps: u32,
        enough: f64,
    ) {
        self.solve_pairs(push_out);
        for c in 0..self.cloths.len() {
            if self.cloths[c].asleep {
                continue;
            }
            let sweeps = if self.is_shared(c) { sweeps } else { 1 };
            for _ in 0..sweeps {
                if self.solve_contacts_once(c, bodies, push_out) <= enough {
                    break;
                }
            }
        }
    }

    /// Whether a cloth has contacts with two bodies or more. Two that pinch a vertex push it to and fro: each push is a
    /// load that holds by friction, and one push of each tells little of the load.
    fn is_shared(&self, c: usize) -> bool {
        let vertices = self.contacts[c].iter().map(|contact| contact.body);
        let faces = self.faces[c].iter().map(|contact| contact.body);
        let mut bodies = vertices.chain(faces);
        bodies
            .next()
            .is_some_and(|first| bodies.any(|body| body != first))
    }

    fn solve_pairs(&mut self, push_out: f64) {
        let material = |v: u32| {
            let cloth = self
                .cloths
                .partition_point(|cloth| cloth.range.end <= v as usize);
            &self.materials[self.cloths[cloth].material]
        };
        let friction = |a: u32, b: u32| {
            let surface = combined(material(a), material(b));
            [surface.static_friction, surface.kinetic_friction]
        };
        self.pairs.solve(&mut self.particles, friction, push_out);
    }

    fn solve_contacts_once(&mut self, c: usize, bodies: &mut [RigidBody], push_out: f64) -> f64 {
        let (particles, thickness) = (&mut self.particles, self.cloths[c].thickness);
        let (near, first) = (&mut self.near[c], self.cloths[c].range.start);
        let (faces, vertices) = (&self.faces[c], &self.contacts[c]);
        let told = (near.as_mut_slice(), first);
        let faces = faces::solve(faces, particles, bodies, told, thickness, push_out);
        let told = (near.as_mut_slice(), first);
        faces.max(vertices::solve(
            vertices, particles, bodies, told, thickness, push_out,
        ))
    }

    /// Pushes vertices radially out of the bodies where the cloth asks for that.
    pub fn push_radially(&mut self, bodies: &[RigidBody]) {
        for cloth in self
            .cloths
            .iter()
            .filter(|cloth| !cloth.asleep && cloth.contact == ClothContact::RadialPush)
        {
            push_radially(cloth, &mut self.particles, bodies);
        }
    }

    /// Finds contacts of vertices that moved farther than was free, and corrects them at once.
    pub fn sweep(
        &mut self,
        bodies: &mut [RigidBody],
        time: f64,
        settings: &Settings,
        push_out: f64,
    ) {
        for c in 0..self.cloths.len() {
            let cloth = &self.cloths[c];
            if cloth.asleep || cloth.contact == ClothContact::RadialPush {
                continue;
            }
            let before = self.contacts[c].len();
            for i in cloth.range.clone() {
                let x = self.particles.x[i];
                let free = self.free[i];
                if (x - self.start[i]).norm_squared() < free * free && free > 0.0 {
                    continue;
                }
                self.sweep_vertex(c, i, bodies, time, settings);
            }
            let (thickness, first) = (self.cloths[c].thickness, self.cloths[c].range.start);
            vertices::solve(
                &self.contacts[c][before..],
                &mut self.particles,
                bodies,
                (&mut self.near[c], first),
                thickness,
                push_out,
            );
        }
    }

    fn sweep_vertex(
        &mut self,
        c: usize,
        i: usize,
        bodies: &[RigidBody],
        time: f64,
        settings: &Settings,
    ) {
        let x = self.particles.x[i];
        let mut free = f64::INFINITY;
        for (index, body) in bodies.iter().enumerate() {
            let known = self.contacts[c]
                .iter()
                .any(|k| k.particle as usize == i && k.body as usize == index);
            if known {
                continue;
            }
            let fabric = &self.cloths[c];
            let approach = Approach {
                fabric,
                body,
                body_index: index as u32,
                friction: friction(&self.materials, fabric, body),
                body_motion: motion(body, time, settings),
                motion: &self.motion,
                per_substep: 1.0 / f64::from(settings.substeps),
                threads: &Threads::default(),
            };
            let (contact, left) = approach.swept(i, &self.particles.x0[i], &x);
            match contact {
                Some(contact) => {
                    let (vertices, triangles) = (fabric.range.len(), fabric.triangles.len());
                    self.near[c][index].reserve(vertices, triangles);
                    self.contacts[c].push(contact);
                }
                None => free = free.min(left),
            }
        }
        self.start[i] = x;
        self.free[i] = free;
    }

    /// The vertices that pressed on bodies in the frame, whose substeps have the length h.
    pub fn contacts(&self, h: f64) -> impl Iterator<Item = ClothContactPoint> + '_ {
        self.near.iter().enumerate().flat_map(move |(cloth, near)| {
            let first = self.cloths[cloth].range.start;
            near.iter().enumerate().flat_map(move |(body, near)| {
                near.pressed()
                    .map(move |(vertex, pressed)| ClothContactPoint {
                        cloth,
                        vertex,
                        body,
                        point: self.particles.x[first + vertex].into(),
                        normal: pressed.normal.into(),
                        impulse: (pressed.impulse / h).into(),
                    })
            })
        })
    }

    /// Takes the velocities from the positions.
    pub fn finish(&mut self, h: f64) {
        for cloth in self.cloths.iter().filter(|cloth| !cloth.asleep) {
            self.particles.update_velocities(cloth.range.clone(), h);
        }
    }

    /// Ends a frame: cloths that were slow for long enough fall asleep, those that are near each other together.
    pub fn end_frame(&mut self, settings: &Settings, begin: &[Vector3<f64>]) {
        if settings.sleep_speed == 0.0 {
            return;
        }
        let most = settings.sleep_speed * settings.frame;
        for cloth in self.cloths.iter_mut().filter(|cloth| !cloth.asleep) {
            let range = cloth.range.clone();
            let moved = |(x, before): (&Vector3<f64>, &Vector3<f64>)| {
                (x - before).norm_squared() > most * most
            };
            let fast = self.particles.x[range.clone()]
                .iter()
                .zip(&begin[range.clone()])
                .any(moved);
            cloth.rested = if fast {
                0.0
            } else {
                cloth.rested + settings.frame
            };
        }
        let rested = |c: usize| self.cloths[c].asleep || self.cloths[c].rested >= REST;
        if !(0..self.cloths.len()).any(|c| !self.cloths[c].asleep && rested(c)) {
            return;
        }
        let boxes: Vec<Aabb> = (0..self.cloths.len()).map(|c| self.bounds(c)).collect();
        let mut keeps: Vec<usize> = (0..self.cloths.len()).filter(|&c| !rested(c)).collect();
        let mut awake: Vec<bool> = (0..self.cloths.len()).map(|c| !rested(c)).collect();
        while let Some(c) = keeps.pop() {
            for other in 0..awake.len() {
                if !awake[other] && boxes[other].intersects(&boxes[c]) {
                    awake[other] = true;
                    keeps.push(other);
                }
            }
        }
        for (c, awake) in awake.into_iter().enumerate() {
            if !awake && !self.cloths[c].asleep {
                self.cloths[c].asleep = true;
                let range = self.cloths[c].range.clone();
                let particles = &mut self.particles;
                particles.v[range.clone()].fill(Vector3::zeros());
                particles.x0[range.clone()].copy_from_slice(&particles.x[range]);
            }
        }
    }

    /// Gives a cloth other positions and velocities, and forgets what was known of it.
    pub fn set(&mut self, c: usize, positions: &[[f64; 3]], velocities: &[[f64; 3]]) {
        let range = self.cloths[c].range.clone();
        for (i, (x, v)) in range.zip(positions.iter().zip(velocities)) {
            (self.particles.x[i], self.particles.x0[i]) = ((*x).into(), (*x).into());
            self.particles.v[i] = (*v).into();
        }
        self.near[c].fill(Near::default());
        self.patches.put(c, &self.particles.x);
        self.pairs.forget();
        self.guard.forget();
        self.stir(c);
    }

    /// Wakes a cloth.
    pub fn stir(&mut self, c: usize) {
        self.cloths[c].asleep = false;
        self.cloths[c].rested = 0.0;
    }

    /// How far the surface of a guided body may go in a substep: the least height that triangles keep.
    pub fn followed(&self) -> f64 {
        let heights = self.cloths.iter().map(|cloth| SHARE * cloth.thickness);
        heights.fold(f64::INFINITY, f64::min)
    }

    /// The first cloth and vertex that diverged.
    pub fn diverged(&self) -> Option<(usize, usize)> {
        let find = |(c, cloth): (usize, &FabricBody)| {
            cloth.diverged(&self.particles).map(|vertex| (c, vertex))
        };
        self.cloths.iter().enumerate().find_map(find)
    }
}

/// How far the points of a body can move in a frame.
fn motion(body: &RigidBody, time: f64, settings: &Settings) -> f64 {
    let radius = if body.radius.is_finite() {
        body.radius
    } else {
        0.0
    };
    let speed = if body.is_movable() {
        1.2 * (body.v.norm() + body.omega.norm() * radius) + 10.0 * settings.frame
    } else {
        body.driven_speed(time, settings.frame)
    };
    speed * settings.frame
}

fn bounds(points: &[Vector3<f64>], margin: f64) -> Aabb {
    let (low, high) = points
        .iter()
        .fold((points[0], points[0]), |(low, high), p| {
            (low.inf(p), high.sup(p))
        });
    grown(
        &Aabb {
            min: Point3::from(low),
            max: Point3::from(high),
        },
        margin,
    )
}
