//! A solid built from a scene: masses, tetrahedra, pins, and its surface in a substep.

use crate::constraints::color_order;
use crate::rigid::RigidBody;
use crate::scene::{Settings, Solid};
use crate::soft::proximity::Edges;
use crate::soft::ray_contact::SurfaceAt;
use crate::soft::self_contact::OwnSides;
use crate::soft::surface::{Surface, VertexShapes};
use crate::soft::tetrahedra::{Elasticity, Tetrahedron};
use crate::soft::tree::Trees;
use nalgebra::{Matrix3, UnitQuaternion, Vector3};

/// A vertex that is held, with the body that carries it and the place in the frame of its centre of mass.
#[derive(Clone, Copy, Debug)]
struct Held {
    vertex: u32,
    body: Option<u32>,
    local: Vector3<f64>,
}

/// A solid with its state.
pub(crate) struct SolidBody {
    pub x: Vec<Vector3<f64>>,
    /// The positions at the start of the substep.
    pub x0: Vec<Vector3<f64>>,
    pub v: Vec<Vector3<f64>>,
    /// The inverse masses, 0 for what is held.
    pub w: Vec<f64>,
    pub mass: Vec<f64>,
    /// In the order of their colours.
    pub tetrahedra: Vec<Tetrahedron>,
    pub elasticity: Elasticity,
    pub surface: Surface,
    pub shapes: VertexShapes,
    pub trees: Trees,
    pub edges: Edges,
    /// Where contact with itself is asked for.
    pub own_sides: Option<OwnSides>,
    pub material: usize,
    held: Vec<Held>,
    /// The positions before the tetrahedra are corrected.
    predicted: Vec<Vector3<f64>>,
    /// The share of velocity that the still air leaves in a substep.
    keep: f64,
    /// The square of 100 times the longest edge at rest.
    most: f64,
}

impl SolidBody {
    /// Builds a validated solid.
    ///
    /// # Panics
    /// It does not, as the scene was validated.
    pub fn new(solid: &Solid, settings: &Settings, bodies: &[RigidBody]) -> Self {
        let x: Vec<Vector3<f64>> = solid.vertices.iter().map(|&v| v.into()).collect();
        let order = color_order(x.len(), &solid.tetrahedra);
        let made = |i: usize| Tetrahedron::new(solid.tetrahedra[i], &x);
        let mut tetrahedra: Vec<_> = order.into_iter().filter_map(made).collect();
        let substance = &solid.substance;
        let mut mass = vec![0.0; x.len()];
        for t in &tetrahedra {
            for v in t.vertices {
                mass[v as usize] += 0.25 * substance.density * t.volume;
            }
        }
        let mut w: Vec<f64> = mass.iter().map(|m| 1.0 / m).collect();
        solid.pins.iter().for_each(|pin| w[pin.vertex] = 0.0);
        let held = solid.pins.iter().map(|pin| {
            let at = x[pin.vertex];
            let local = pin
                .body
                .map_or(at, |b| bodies[b].q.inverse() * (at - bodies[b].x));
            Held {
                vertex: pin.vertex as u32,
                body: pin.body.map(|b| b as u32),
                local,
            }
        });
        let surface =
            Surface::new(&solid.vertices, &solid.triangles).expect("the scene was validated");
        let mut shapes = VertexShapes::default();
        shapes.update(&surface, &x, settings.soft.normals);
        let longest: f64 = tetrahedra
            .iter()
            .flat_map(|t| {
                let [a, b, c, d] = t.vertices.map(|v| x[v as usize]);
                [b - a, c - a, d - a, c - b, d - b, d - c].map(|e| e.norm_squared())
            })
            .fold(0.0, f64::max);
        let v = w.iter().map(|w| {
            if *w > 0.0 {
                solid.velocity.into()
            } else {
                Vector3::zeros()
            }
        });
        let h = settings.frame / f64::from(settings.substeps);
        let elasticity = Elasticity {
            mu: substance.shear,
            lambda: substance.lambda,
            damping: substance.damping,
        };
        tetrahedra
            .iter_mut()
            .for_each(|t| t.prepare(&w, &elasticity, h));
        SolidBody {
            x0: x.clone(),
            predicted: x.clone(),
            v: v.collect(),
            mass,
            elasticity,
            trees: Trees::new(&surface, &x, settings.soft.tree),
            edges: Edges::new(&solid.triangles),
            own_sides: solid
                .self_contact
                .then(|| OwnSides::new(&surface, &x, settings.soft.normals)),
            material: solid.material,
            held: held.collect(),
            keep: (-substance.air * h).exp(),
            most: 1e4 * longest,
            x,
            w,
            tetrahedra,
            surface,
            shapes,
        }
    }

    /// The surface as contact sees it.
    pub fn at(&self) -> SurfaceAt<'_> {
        SurfaceAt {
            surface: &self.surface,
            x: &self.x,
            shapes: &self.shapes,
            trees: &self.trees,
        }
    }

    /// Makes normals and trees those of the positions.
    pub fn update_surface(&mut self, normals: crate::scene::VertexNormals) {
        self.shapes.update(&self.surface, &self.x, normals);
        self.trees.update(&self.surface, &self.x);
    }

    /// Begins a substep: what is held goes with its bodies, whose displacements are predicted.
    pub fn carry(&mut self, bodies: &[RigidBody]) {
        self.x0.copy_from_slice(&self.x);
        for held in &self.held {
            let Some(body) = held.body.map(|b| &bodies[b as usize]) else {
                continue;
            };
            let turned = UnitQuaternion::from_scaled_axis(body.phi) * body.q;
            self.x[held.vertex as usize] = body.x + body.u + turned * held.local;
        }
    }

    /// Predicts the positions of a substep of length h.
    pub fn predict(&mut self, gravity: Vector3<f64>, h: f64) {
        for ((x, v), &w) in self.x.iter_mut().zip(&mut self.v).zip(&self.w) {
            if w > 0.0 {
                *v = (*v + gravity * h) * self.keep;
                *x += *v * h;
            }
        }
    }

    /// The share of velocity that the still air leaves in a substep.
    pub fn keep(&self) -> f64 {
        self.keep
    }

    /// Corrects all tetrahedra once, and gives back the angular momentum that this took where nothing is held.
    pub fn solve(&mut self, h: f64) {
        self.predicted.copy_from_slice(&self.x);
        for t in &self.tetrahedra {
            t.solve(&mut self.x, &self.x0, &self.elasticity, h);
        }
        if self.held.is_empty() {
            self.turn_back();
        }
    }

    /// The corrections Δx so far have kept Σ m Δx, but each only nearly Σ m x₀ × Δx, which is what they change of the
    /// angular momentum times h. A turn ω of the corrected positions takes the rest away:
    ///
    /// ```text
    /// A ω = Σ m x₀ × Δx,    A ω = Σ m (x₀ − c) × (ω × (x − c)),    c = Σ m x / Σ m,    x ← x − ω × (x − c)
    /// ```
    fn turn_back(&mut self) {
        let total: f64 = self.mass.iter().sum();
        let sum = |x: &[Vector3<f64>]| {
            x.iter()
                .zip(&self.mass)
                .map(|(x, m)| x * *m)
                .sum::<Vector3<f64>>()
        };
        let center = sum(&self.x) / total;
        let (mut gained, mut turns) = (Vector3::zeros(), Matrix3::zeros());
        for i in 0..self.x.len() {
            let (m, lever, arm) = (self.mass[i], self.x0[i] - center, self.x[i] - center);
            gained += self.x0[i].cross(&(self.x[i] - self.predicted[i])) * m;
            // p × (ω × r) = ω (p·r) − r (p·ω)
            turns += (Matrix3::identity() * lever.dot(&arm) - arm * lever.transpose()) * m;
        }
        let Some(omega) = turns.try_inverse().map(|inverse| inverse * gained) else {
            return;
        };
        for x in &mut self.x {
            *x -= omega.cross(&(*x - center));
        }
    }

    /// Takes the velocities from the positions.
    pub fn update_velocities(&mut self, h: f64) {
        let per_h = 1.0 / h;
        for ((x, x0), v) in self.x.iter().zip(&self.x0).zip(&mut self.v) {
            *v = (x - x0) * per_h;
        }
    }

    /// The first vertex that is not finite, left the world, or is at a far end of an edge.
    pub fn diverged(&self) -> Option<usize> {
        let bad = |v: &Vector3<f64>| !v.iter().all(|x| x.abs() < 1e6);
        let lost = (0..self.x.len()).find(|&i| bad(&self.x[i]) || bad(&self.v[i]));
        let torn = |t: &Tetrahedron| {
            let [a, b, c, d] = t.vertices.map(|v| self.x[v as usize]);
            [b - a, c - a, d - a]
                .iter()
                .any(|e| e.norm_squared() > self.most)
        };
        let far = || {
            self.tetrahedra
                .iter()
                .find(|t| torn(t))
                .map(|t| t.vertices[0] as usize)
        };
        lost.or_else(far)
    }
}
