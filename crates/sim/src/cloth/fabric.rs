//! A cloth built from a scene: masses, constraints, pins.

use crate::cloth::boxes::Boxes;
use crate::constraints::{
    Dihedral, Distance, Isometric, Kind, LongRange, Stiffness, angle, color_order, limit_strain,
    project,
};
use crate::particles::Particles;
use crate::rigid::RigidBody;
use crate::scene::{Cloth, ClothContact, Scheme, Settings};
use nalgebra::Vector3;
use std::collections::HashMap;
use std::ops::Range;

/// The density of air, kg/m³.
const AIR: f64 = 1.2;
/// How far from its nearest pin a vertex gets, over the length at rest of the way along the edges: a cloth that is
/// stretched to three times its length has given way as far as it does.
const GIVES: f64 = 3.0;
/// A hinge counts as flat at rest if |u₁ + u₂| is below this.
const FLAT: f64 = 1e-6;

/// A vertex that is held, with the body that carries it and the place in the frame of its centre of mass.
#[derive(Clone, Copy, Debug)]
struct Held {
    particle: u32,
    body: Option<u32>,
    local: Vector3<f64>,
}

/// A cloth with its constraints; all indices of particles are those of the world.
pub(crate) struct FabricBody {
    pub range: Range<usize>,
    pub triangles: Vec<[u32; 3]>,
    pub edges: Vec<Distance>,
    flat: Vec<Isometric>,
    folded: Vec<Dihedral>,
    long_range: Vec<LongRange>,
    /// How far from the nearest pin every particle gets at most.
    tethers: Vec<LongRange>,
    held: Vec<Held>,
    strain_limit: Option<f64>,
    pub longest: f64,
    pub thickness: f64,
    pub material: usize,
    pub contact: ClothContact,
    /// The boxes of the published contact.
    pub boxes: Boxes,
    pub self_contact: bool,
    /// The share of velocity that the still air leaves in a substep.
    keep: f64,
    drag: f64,
    pub asleep: bool,
    pub rested: f64,
}

impl FabricBody {
    /// Builds a validated cloth and adds its vertices to the particles.
    pub fn new(
        cloth: &Cloth,
        settings: &Settings,
        bodies: &[RigidBody],
        particles: &mut Particles,
    ) -> Self {
        let first = particles.x.len() as u32;
        let h = settings.frame / f64::from(settings.substeps);
        let at: Vec<Vector3<f64>> = cloth.vertices.iter().map(|&v| v.into()).collect();
        let areas: Vec<f64> = cloth
            .triangles
            .iter()
            .map(|t| area(&t.map(|v| at[v as usize])))
            .collect();
        let mut mass = vec![0.0; at.len()];
        for (triangle, area) in cloth.triangles.iter().zip(&areas) {
            triangle
                .iter()
                .for_each(|&v| mass[v as usize] += area * cloth.fabric.density / 3.0);
        }
        let mut w: Vec<f64> = mass.iter().map(|m| 1.0 / m).collect();
        cloth.pins.iter().for_each(|pin| w[pin.vertex] = 0.0);
        particles.x.extend(&at);
        particles.x0.extend(&at);
        particles.v.extend(at.iter().map(|_| Vector3::zeros()));
        particles.wind.extend(at.iter().map(|_| Vector3::zeros()));
        particles.w.extend(&w);

        let stiffness = Stiffness::new(settings.scheme, h, cloth.fabric.damping);
        let hinges = hinges(&cloth.triangles);
        let edges = edges(&hinges, &at, &w, cloth, &stiffness);
        let longest = edges.iter().map(|edge| edge.rest).fold(0.0, f64::max);
        let lengths: Vec<_> = edges.iter().map(|edge| (edge.ends, edge.rest)).collect();
        let pins: Vec<u32> = cloth.pins.iter().map(|pin| pin.vertex as u32).collect();
        let attachments = LongRange::all(at.len(), &lengths, &pins);
        let tether = |attachment: &LongRange| LongRange {
            length: GIVES * attachment.length,
            ..*attachment
        };
        let own = settings.scheme == Scheme::Xpbd && cloth.contact == ClothContact::Exact;
        let tethers = if own {
            attachments.iter().map(tether).collect()
        } else {
            Vec::new()
        };
        let long_range = if cloth.long_range {
            attachments
        } else {
            Vec::new()
        };
        let (flat, folded) = bending(&hinges, &at, &w, &areas, cloth, &stiffness, settings, h);
        let held = cloth
            .pins
            .iter()
            .map(|pin| held(pin.vertex as u32 + first, pin.body, &at[pin.vertex], bodies));
        let mut made = FabricBody {
            range: first as usize..first as usize + at.len(),
            triangles: cloth.triangles.clone(),
            edges,
            flat,
            folded,
            long_range,
            tethers,
            held: held.collect(),
            strain_limit: cloth.strain_limit,
            longest,
            thickness: cloth.thickness,
            material: cloth.material,
            contact: cloth.contact,
            boxes: Boxes::new(at.len(), &cloth.triangles),
            self_contact: cloth.self_contact,
            keep: (-cloth.fabric.air * h).exp(),
            drag: cloth.fabric.drag,
            asleep: false,
            rested: 0.0,
        };
        made.shift(first);
        made
    }

    /// Turns indices of vertices into those of particles.
    fn shift(&mut self, first: u32) {
        self.triangles
            .iter_mut()
            .flatten()
            .for_each(|v| *v += first);
        self.edges
            .iter_mut()
            .flat_map(|edge| &mut edge.ends)
            .for_each(|v| *v += first);
        self.flat
            .iter_mut()
            .flat_map(|hinge| &mut hinge.vertices)
            .for_each(|v| *v += first);
        self.folded
            .iter_mut()
            .flat_map(|hinge| &mut hinge.vertices)
            .for_each(|v| *v += first);
        for attachment in self.long_range.iter_mut().chain(&mut self.tethers) {
            attachment.particle += first;
            attachment.pin += first;
        }
    }

    /// Predicts the positions of a substep; what is held follows its body.
    pub fn predict(
        &self,
        particles: &mut Particles,
        bodies: &[RigidBody],
        gravity: Vector3<f64>,
        h: f64,
    ) {
        particles.predict(self.range.clone(), gravity, self.keep, h);
        for held in &self.held {
            if let Some(body) = held.body {
                let body = &bodies[body as usize];
                let r = body.rotation * held.local;
                particles.x[held.particle as usize] = body.x + r + body.displacement(&r);
            }
        }
    }

    /// Corrects all constraints once.
    pub fn solve(&self, particles: &mut Particles) {
        project(&self.edges, particles);
        Isometric::project(&self.flat, particles);
        Dihedral::project(&self.folded, particles);
        if let Some(limit) = self.strain_limit {
            limit_strain(&self.edges, limit, &mut particles.x, &particles.w);
        }
        LongRange::project(&self.long_range, &mut particles.x, &particles.w);
    }

    /// Brings particles back that are too far from their pins, and says which those are.
    pub fn pull_taut(&self, x: &mut [Vector3<f64>], w: &[f64], taut: &mut [bool]) {
        for tether in &self.tethers {
            let (i, pin) = (tether.particle as usize, x[tether.pin as usize]);
            let d = x[i] - pin;
            if w[i] > 0.0 && d.norm_squared() > tether.length * tether.length {
                x[i] = pin + d * (tether.length / d.norm());
                taut[i] = true;
            }
        }
    }

    /// Sets the acceleration of the wind for a frame.
    pub fn blow(&self, particles: &mut Particles, wind: Vector3<f64>) {
        if wind == Vector3::zeros() || self.drag == 0.0 {
            return;
        }
        particles.wind[self.range.clone()].fill(Vector3::zeros());
        for triangle in &self.triangles {
            let v = triangle.map(|v| v as usize);
            let [a, b, c] = v.map(|v| particles.x[v]);
            let twice = (b - a).cross(&(c - a));
            let length = twice.norm();
            if length > 0.0 {
                let velocity = (particles.v[v[0]] + particles.v[v[1]] + particles.v[v[2]]) / 3.0;
                let normal = twice / length;
                let against = (wind - velocity).dot(&normal);
                // ½ ρ c A |u| u along the normal, with A half of the cross product's length.
                let force = normal * (0.25 * AIR * self.drag * length * against.abs() * against);
                v.iter().for_each(|&v| {
                    let w = particles.w[v];
                    particles.wind[v] += force * (w / 3.0);
                });
            }
        }
    }

    /// Whether a pin moves with a body that moves.
    pub fn is_carried(&self, bodies: &[RigidBody], frame_paths: &[f64]) -> bool {
        let moves = |body: u32| bodies[body as usize].path != frame_paths[body as usize];
        self.held.iter().filter_map(|held| held.body).any(moves)
    }

    /// The first vertex that is not finite or that an edge of 100 times its rest length ends at.
    pub fn diverged(&self, particles: &Particles) -> Option<usize> {
        let within = |v: &Vector3<f64>, most: f64| v.iter().all(|x| x.abs() < most);
        let bad = |i: &usize| !(within(&particles.x[*i], 1e6) && within(&particles.v[*i], 1e9));
        if let Some(i) = self.range.clone().find(bad) {
            return Some(i - self.range.start);
        }
        let long = |edge: &&Distance| {
            let [i, j] = edge.ends.map(|end| particles.x[end as usize]);
            (j - i).norm_squared() > (100.0 * edge.rest).powi(2)
        };
        self.edges
            .iter()
            .find(long)
            .map(|edge| edge.ends[0] as usize - self.range.start)
    }
}

fn held(particle: u32, body: Option<usize>, at: &Vector3<f64>, bodies: &[RigidBody]) -> Held {
    let local = body.map_or(*at, |body| {
        let body = &bodies[body];
        body.rotation.tr_mul(&(at - body.x))
    });
    Held {
        particle,
        body: body.map(|body| body as u32),
        local,
    }
}

fn area([a, b, c]: &[Vector3<f64>; 3]) -> f64 {
    0.5 * (b - a).cross(&(c - a)).norm()
}

/// An edge with the vertices opposite to it and its triangles, in the order of the triangles.
struct Hinge {
    edge: [u32; 2],
    /// One side or two: the opposite vertex and the index of the triangle.
    sides: [Option<(u32, usize)>; 2],
}

fn hinges(triangles: &[[u32; 3]]) -> Vec<Hinge> {
    let mut index = HashMap::new();
    let mut hinges: Vec<Hinge> = Vec::new();
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        for (i, j, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            let key = [i.min(j), i.max(j)];
            let side = Some((opposite, t));
            match index.get(&key) {
                Some(&known) => {
                    let hinge: &mut Hinge = &mut hinges[known];
                    hinge.sides[1] = side;
                }
                None => {
                    index.insert(key, hinges.len());
                    hinges.push(Hinge {
                        edge: [i, j],
                        sides: [side, None],
                    });
                }
            }
        }
    }
    hinges
}

fn edges(
    hinges: &[Hinge],
    at: &[Vector3<f64>],
    w: &[f64],
    cloth: &Cloth,
    stiffness: &Stiffness,
) -> Vec<Distance> {
    let ends: Vec<_> = hinges.iter().map(|hinge| hinge.edge).collect();
    let made = color_order(at.len(), &ends).into_iter().map(|k| {
        let [i, j] = ends[k].map(|end| end as usize);
        let (s, gamma) = stiffness.factor(Kind::Stretch, 1.0 / cloth.fabric.stretch, w[i] + w[j]);
        Distance {
            ends: ends[k],
            rest: (at[j] - at[i]).norm(),
            s,
            gamma,
        }
    });
    made.collect()
}

#[allow(clippy::too_many_arguments)]
fn bending(
    hinges: &[Hinge],
    at: &[Vector3<f64>],
    w: &[f64],
    areas: &[f64],
    cloth: &Cloth,
    stiffness: &Stiffness,
    settings: &Settings,
    h: f64,
) -> (Vec<Isometric>, Vec<Dihedral>) {
    let (mut flat, mut folded) = (Vec::new(), Vec::new());
    if cloth.fabric.bend == 0.0 && settings.scheme == Scheme::Xpbd {
        return (flat, folded);
    }
    let inner = hinges.iter().filter_map(|hinge| match hinge.sides {
        [Some((k, s)), Some((l, t))] => {
            Some(([hinge.edge[0], hinge.edge[1], k, l], areas[s] + areas[t]))
        }
        _ => None,
    });
    let inner: Vec<_> = inner.collect();
    let vertices: Vec<_> = inner.iter().map(|(vertices, _)| *vertices).collect();
    for k in color_order(at.len(), &vertices) {
        let (vertices, area) = inner[k];
        let corners = vertices.map(|v| at[v as usize]);
        let length = (corners[1] - corners[0]).norm();
        let compliance = area / (cloth.fabric.bend.max(1e-300) * length * length);
        let c = Isometric::coefficients(&corners);
        let sum: Vector3<f64> = (0..4).map(|i| corners[i] * c[i]).sum();
        if sum.norm() < FLAT {
            let weight: f64 = (0..4).map(|i| w[vertices[i] as usize] * c[i] * c[i]).sum();
            let (s, gamma) = stiffness.factor(Kind::Bend, compliance, weight);
            flat.push(Isometric {
                vertices,
                c,
                s,
                gamma,
            });
        } else {
            // The weight of a dihedral angle changes with the angle, so the constraint keeps α̃ or −k.
            let (s, gamma) = stiffness.factor(Kind::Bend, compliance, 1.0);
            let alpha = if settings.scheme == Scheme::Xpbd {
                compliance / (h * h)
            } else {
                -s
            };
            folded.push(Dihedral {
                vertices,
                rest: angle(&corners),
                alpha,
                gamma,
            });
        }
    }
    (flat, folded)
}
