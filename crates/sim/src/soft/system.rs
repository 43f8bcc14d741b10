//! All solids of a world, and a substep of theirs in stages.

use crate::broad_phase::BroadPhase;
use crate::rigid::RigidBody;
use crate::rigid::surface_material::combined;
use crate::scene::{Material, Scene, Settings, SoftContact, SoftScheme};
use crate::soft::body_contact::{self, BodyContact};
use crate::soft::constraint::Contact;
use crate::soft::implicit::{Implicit, Presses};
use crate::soft::proximity;
use crate::soft::ray_contact::{self, PairReport, RayContact, RayCounts};
use crate::soft::self_contact;
use crate::soft::solid::SolidBody;
use crate::soft::still::StillMesh;
use crate::threads::Threads;
use nalgebra::{Point3, Vector3};
use std::ops::Range;
use superovoid::Aabb;

/// The vertices or edges that one task asks.
const CHUNK: usize = 128;

/// A part of the search for contacts.
#[derive(Clone, Debug)]
struct Task {
    what: What,
    range: Range<usize>,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// Vertices of the first solid against the second; the pair, and which of its ways this is.
    Vertices {
        solids: [u32; 2],
        pair: u32,
        way: usize,
    },
    /// Edges of the first solid against the second, for proximity.
    Edges { solids: [u32; 2] },
    /// Vertices of a solid against itself.
    Own { solid: u32 },
}

/// What a task found.
#[derive(Clone, Debug, Default)]
struct Found {
    contacts: Vec<Contact>,
    counts: RayCounts,
}

/// The solids of a world with their contacts.
pub(crate) struct SoftSystem {
    pub solids: Vec<SolidBody>,
    materials: Vec<Material>,
    /// The meshes of the bodies that are meshes.
    meshes: Vec<Option<StillMesh>>,
    /// The vertices on the surface of each solid.
    on_surface: Vec<usize>,
    pub reports: Vec<PairReport>,
    contacts: Vec<Contact>,
    on_bodies: Vec<BodyContact>,
    tasks: Vec<Task>,
    found: Vec<Found>,
    broad_phase: BroadPhase,
    boxes: Vec<Aabb>,
    pairs: Vec<[u32; 2]>,
    implicit: Implicit,
    gravity: Vector3<f64>,
}

impl SoftSystem {
    /// Builds the solids of a validated scene.
    pub fn new(scene: &Scene, bodies: &[RigidBody]) -> Self {
        let build = |solid| SolidBody::new(solid, &scene.settings, bodies);
        let solids: Vec<_> = scene.solids.iter().map(build).collect();
        let mesh = |body: &crate::scene::Body| {
            if solids.is_empty() {
                None
            } else {
                body_contact::still_mesh(&body.shape)
            }
        };
        SoftSystem {
            materials: scene.surfaces().to_vec(),
            meshes: scene.bodies.iter().map(mesh).collect(),
            on_surface: solids
                .iter()
                .map(|solid| solid.surface.vertex_count())
                .collect(),
            solids,
            reports: Vec::new(),
            contacts: Vec::new(),
            on_bodies: Vec::new(),
            tasks: Vec::new(),
            found: Vec::new(),
            broad_phase: BroadPhase::default(),
            boxes: Vec::new(),
            pairs: Vec::new(),
            implicit: Implicit::default(),
            gravity: Vector3::from(scene.settings.gravity),
        }
    }

    /// The contacts between solids, and those with bodies, of the last substep.
    pub fn contact_counts(&self) -> [usize; 2] {
        [self.contacts.len(), self.on_bodies.len()]
    }

    /// Finds the contacts of a substep at its start.
    pub fn find_contacts(
        &mut self,
        bodies: &mut [RigidBody],
        settings: &Settings,
        threads: &Threads,
    ) {
        if self.solids.is_empty() {
            return;
        }
        let normals = settings.soft.normals;
        threads.each_large(&mut self.solids, |solid| solid.update_surface(normals));
        self.find_pairs(settings);
        let solids = &self.solids;
        self.found.resize_with(self.tasks.len(), Found::default);
        threads.pieces(&self.tasks, &mut self.found, 1, |tasks, found| {
            for (task, found) in tasks.iter().zip(found) {
                found.contacts.clear();
                found.counts = RayCounts::default();
                ask(solids, task, found, settings.soft.contact);
            }
        });
        self.contacts.clear();
        for (task, found) in self.tasks.iter().zip(&self.found) {
            self.contacts.extend_from_slice(&found.contacts);
            if let What::Vertices { pair, way, .. } = task.what
                && let Some(report) = self.reports.get_mut(pair as usize)
            {
                report.rays[way].add(&found.counts);
            }
        }
        self.find_bodies(bodies, settings);
    }

    /// Lists the pairs whose boxes meet, and the tasks that they make.
    fn find_pairs(&mut self, settings: &Settings) {
        let proximity = match settings.soft.contact {
            SoftContact::Proximity { threshold, .. } => Some(threshold),
            _ => None,
        };
        let margin = Vector3::repeat(proximity.unwrap_or(0.0));
        self.boxes.clear();
        self.boxes.extend(self.solids.iter().map(|solid| {
            let [low, high] = solid.trees.hierarchy.bounds();
            Aabb {
                min: Point3::from(low - margin),
                max: Point3::from(high + margin),
            }
        }));
        let pairs = &mut self.pairs;
        pairs.clear();
        self.broad_phase
            .sweep(&self.boxes, |_, _| true, |i, j| pairs.push([i, j]));
        pairs.sort_unstable();
        self.reports.clear();
        self.tasks.clear();
        let cut = |count: usize| {
            (0..count)
                .step_by(CHUNK)
                .map(move |first| first..(first + CHUNK).min(count))
        };
        for (pair, &[i, j]) in pairs.iter().enumerate() {
            // Proximity casts no rays, and can say nothing of who is inside.
            if proximity.is_none() {
                self.reports.push(PairReport {
                    solids: [i as usize, j as usize],
                    rays: [RayCounts::default(); 2],
                    vertices: [i, j].map(|solid| self.on_surface[solid as usize]),
                });
            }
            for (way, solids) in [[i, j], [j, i]].into_iter().enumerate() {
                let what = What::Vertices {
                    solids,
                    pair: pair as u32,
                    way,
                };
                let count = self.solids[solids[0] as usize].x.len();
                self.tasks
                    .extend(cut(count).map(|range| Task { what, range }));
            }
            if proximity.is_some() {
                let what = What::Edges { solids: [i, j] };
                let count = self.solids[i as usize].edges.ends.len();
                self.tasks
                    .extend(cut(count).map(|range| Task { what, range }));
            }
        }
        for (i, solid) in self.solids.iter().enumerate() {
            if solid.own_sides.is_some() && proximity.is_none() {
                let what = What::Own { solid: i as u32 };
                self.tasks
                    .extend(cut(solid.x.len()).map(|range| Task { what, range }));
            }
        }
    }

    fn find_bodies(&mut self, bodies: &mut [RigidBody], settings: &Settings) {
        self.on_bodies.clear();
        for (b, body) in bodies.iter_mut().enumerate() {
            let before = self.on_bodies.len();
            let bounds = body.aabb();
            for (s, solid) in self.solids.iter().enumerate() {
                let surface = combined(
                    &self.materials[solid.material],
                    &self.materials[body.material],
                );
                let mesh = self.meshes[b].as_ref();
                let body = (&*body, bounds.as_ref(), mesh);
                body_contact::cast_all(solid, body, |vertex, direction, point, cosine| {
                    self.on_bodies.push(BodyContact {
                        solid: s as u32,
                        vertex,
                        body: b as u32,
                        direction,
                        point,
                        stiffness: stiffness(
                            settings.soft.contact,
                            solid.shapes.areas[vertex as usize],
                            cosine,
                        ),
                        friction: [surface.static_friction, surface.kinetic_friction],
                    });
                });
            }
            if self.on_bodies.len() > before && body.asleep {
                (body.asleep, body.rested) = (false, 0.0);
            }
        }
    }

    /// Begins a substep, for bodies whose displacements are predicted: with XPBD the positions are predicted, the published
    /// scheme makes its step.
    pub fn predict(&mut self, bodies: &[RigidBody], settings: &Settings, h: f64) {
        for solid in &mut self.solids {
            solid.carry(bodies);
        }
        match settings.soft.scheme {
            SoftScheme::Xpbd => {
                for solid in &mut self.solids {
                    solid.predict(self.gravity, h);
                }
            }
            SoftScheme::ImplicitEuler {
                iterations,
                tolerance,
            } => {
                if self.solids.is_empty() {
                    return;
                }
                // A spring that the end of the step would find stretched pulls: a body that recedes is left instead.
                let solids = &self.solids;
                self.on_bodies.retain(|contact| {
                    let (solid, body) = (contact.solid as usize, contact.body as usize);
                    contact.foreseen(&solids[solid], &bodies[body], h) < 0.0
                });
                let presses = Presses {
                    contacts: &self.contacts,
                    on_bodies: &self.on_bodies,
                    bodies,
                };
                self.implicit.step(
                    &mut self.solids,
                    &presses,
                    self.gravity,
                    h,
                    (iterations, tolerance),
                );
            }
        }
    }

    /// Corrects tetrahedra and contacts once.
    pub fn solve(
        &mut self,
        bodies: &mut [RigidBody],
        settings: &Settings,
        h: f64,
        threads: &Threads,
    ) {
        if settings.soft.scheme != SoftScheme::Xpbd {
            return;
        }
        threads.each_large(&mut self.solids, |solid| solid.solve(h));
        let solids = &mut self.solids;
        for contact in &self.contacts {
            let along = contact.along(|s, v| &solids[s as usize].x[v as usize]);
            let step = contact.multiplier(along, h, |s, v| solids[s as usize].w[v as usize]);
            if step > 0.0 {
                contact.gradient(|s, v, g| {
                    let solid = &mut solids[s as usize];
                    let v = v as usize;
                    solid.x[v] += g * (solid.w[v] * step);
                });
            }
        }
        for contact in &self.on_bodies {
            let body = &mut bodies[contact.body as usize];
            contact.solve(&mut solids[contact.solid as usize], body, h);
        }
    }

    /// Takes the velocities from the positions.
    pub fn finish(&mut self, h: f64) {
        for solid in &mut self.solids {
            solid.update_velocities(h);
        }
    }

    /// The first solid and vertex that diverged.
    pub fn diverged(&self) -> Option<(usize, usize)> {
        let find = |(s, solid): (usize, &SolidBody)| solid.diverged().map(|vertex| (s, vertex));
        self.solids.iter().enumerate().find_map(find)
    }
}

/// The stiffness of a ray's contact, N/m.
fn stiffness(contact: SoftContact, area: f64, cosine: f64) -> f64 {
    match contact {
        SoftContact::Rays { stiffness } => stiffness * area * cosine,
        SoftContact::RaysAsPublished { stiffness } => stiffness * cosine,
        SoftContact::Proximity { stiffness, .. } => stiffness,
    }
}

/// Finds the contacts of one task.
fn ask(solids: &[SolidBody], task: &Task, found: &mut Found, contact: SoftContact) {
    let solid = |i: u32| &solids[i as usize];
    let range = task.range.clone();
    let made = |[a, b]: [u32; 2], ray: &RayContact| Contact {
        solids: [a, b],
        vertices: [
            [ray.vertex; 3],
            solid(b).surface.triangles()[ray.triangle as usize],
        ],
        weights: [[1.0, 0.0, 0.0], ray.weights],
        direction: ray.direction,
        offset: 0.0,
        stiffness: stiffness(
            contact,
            solid(a).shapes.areas[ray.vertex as usize],
            ray.cosine,
        ),
    };
    match (task.what, contact) {
        (
            What::Vertices { solids: [a, b], .. },
            SoftContact::Proximity {
                threshold,
                stiffness,
            },
        ) => {
            let sides = [(a, &solid(a).at()), (b, &solid(b).at())];
            proximity::vertices_and_triangles(
                sides,
                range,
                threshold,
                stiffness,
                &mut found.contacts,
            );
        }
        (
            What::Edges { solids: [a, b] },
            SoftContact::Proximity {
                threshold,
                stiffness,
            },
        ) => {
            let sides = [
                (a, &solid(a).at(), &solid(a).edges),
                (b, &solid(b).at(), &solid(b).edges),
            ];
            proximity::edges_and_edges(sides, range, threshold, stiffness, &mut found.contacts);
        }
        (What::Vertices { solids: [a, b], .. }, _) => {
            let contacts = &mut found.contacts;
            found.counts = ray_contact::cast_all(&solid(a).at(), range, &solid(b).at(), |ray| {
                contacts.push(made([a, b], &ray));
            });
        }
        (What::Own { solid: a }, _) => {
            let (body, mut hits) = (solid(a), Vec::new());
            let Some(sides) = &body.own_sides else {
                return;
            };
            let cast =
                |v: usize| self_contact::cast_inwards(&body.at(), sides, v as u32, &mut hits);
            let rays = range.filter_map(cast);
            found.contacts.extend(rays.map(|ray| made([a, a], &ray)));
        }
        (What::Edges { .. }, _) => {}
    }
}
