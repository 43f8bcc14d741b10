//! A pull at a point of a body or at a vertex of a cloth or solid: what a person does with a pointer.
//!
//! A body is pulled at its point p by a spring that is critically damped, with the mass of the whole body, by one
//! implicit Euler step of each substep, and never faster than [`MOST_ACCELERATION`]:
//!
//! ```text
//! Δv = h (ω² (t − p) − 2 ω v) / (1 + 2 ω h + ω² h²)
//! ```
//!
//! A vertex is pulled by a constraint C = |x − t| whose compliance is that of the same spring with the mass of the whole
//! cloth, which is thus carried at a few centimetres. No farther than [`REACH`] counts, so that no pull tears a cloth. A
//! vertex of a solid is pulled in the same way, by the mass of the solid.

use crate::cloth::ClothSystem;
use crate::rigid::RigidBody;
use crate::soft::SoftSystem;
use nalgebra::Vector3;

/// The angular frequency ω of the spring, 1/s.
const FREQUENCY: f64 = 12.0;
/// The largest acceleration of a body, m/s².
const MOST_ACCELERATION: f64 = 150.0;
/// The distance up to which the pull of a vertex grows, metres.
const REACH: f64 = 0.25;

/// What is pulled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pulled {
    /// A point of a body in the frame of its shape, metres.
    Body {
        /// The index of the body.
        body: usize,
        /// The point.
        point: [f64; 3],
    },
    /// A vertex of a cloth.
    Vertex {
        /// The index of the cloth.
        cloth: usize,
        /// The index of the vertex.
        vertex: usize,
    },
    /// A vertex of a solid.
    SolidVertex {
        /// The index of the solid.
        solid: usize,
        /// The index of the vertex.
        vertex: usize,
    },
}

/// A pull towards a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pull {
    /// What is pulled.
    pub what: Pulled,
    /// Where to, in the world frame, metres.
    pub target: [f64; 3],
}

/// A vertex of a cloth that is held at a place: a clothespin. What is in the way presses it off, and it comes back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hold {
    /// The index of the cloth.
    pub cloth: usize,
    /// The index of the vertex.
    pub vertex: usize,
    /// The place, metres.
    pub place: [f64; 3],
}

/// A pull that is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PullError {
    /// A number is not finite.
    #[error("the point and the target of a pull must be finite")]
    NotFinite,
    /// There is no such body, or nothing can move it.
    #[error("body {0} is none that can be pulled")]
    Body(usize),
    /// There is no such vertex, or it is held.
    #[error("vertex {vertex} of cloth {cloth} is none that can be pulled")]
    Vertex {
        /// The index of the cloth.
        cloth: usize,
        /// The index of the vertex.
        vertex: usize,
    },
    /// There is no such vertex, or it is held.
    #[error("vertex {vertex} of solid {solid} is none that can be pulled")]
    SolidVertex {
        /// The index of the solid.
        solid: usize,
        /// The index of the vertex.
        vertex: usize,
    },
}

impl Hold {
    /// Refuses what cannot be held.
    pub(crate) fn validate(&self, cloth: &ClothSystem, soft: &SoftSystem) -> Result<(), PullError> {
        let pull = Pull {
            what: Pulled::Vertex {
                cloth: self.cloth,
                vertex: self.vertex,
            },
            target: self.place,
        };
        pull.validate(&[], cloth, soft)
    }

    /// Brings the vertex to its place, by at most `most`.
    pub(crate) fn hold(&self, cloth: &mut ClothSystem, most: f64) {
        let particle = cloth.cloths[self.cloth].range.start + self.vertex;
        let x = &mut cloth.particles.x[particle];
        *x += (Vector3::from(self.place) - *x).cap_magnitude(most);
    }

    /// Gives the vertex another inverse mass, and returns the one that it had.
    pub(crate) fn weigh(&self, cloth: &mut ClothSystem, w: f64) -> f64 {
        let particle = cloth.cloths[self.cloth].range.start + self.vertex;
        std::mem::replace(&mut cloth.particles.w[particle], w)
    }
}

impl Pull {
    /// Refuses what cannot be pulled.
    pub(crate) fn validate(
        &self,
        bodies: &[RigidBody],
        cloth: &ClothSystem,
        soft: &SoftSystem,
    ) -> Result<(), PullError> {
        let finite = |x: &[f64; 3]| x.iter().all(|x| x.abs() < 1e6);
        let good = match self.what {
            Pulled::Body { body, point } => {
                if !finite(&point) {
                    return Err(PullError::NotFinite);
                }
                bodies
                    .get(body)
                    .is_some_and(RigidBody::is_dynamic)
                    .then_some(())
                    .ok_or(PullError::Body(body))
            }
            Pulled::Vertex { cloth: c, vertex } => {
                let particle = cloth
                    .cloths
                    .get(c)
                    .and_then(|fabric| fabric.range.clone().nth(vertex));
                let free = particle.is_some_and(|particle| cloth.particles.w[particle] > 0.0);
                free.then_some(())
                    .ok_or(PullError::Vertex { cloth: c, vertex })
            }
            Pulled::SolidVertex { solid, vertex } => soft
                .solids
                .get(solid)
                .and_then(|solid| solid.w.get(vertex))
                .is_some_and(|w| *w > 0.0)
                .then_some(())
                .ok_or(PullError::SolidVertex { solid, vertex }),
        };
        if finite(&self.target) {
            good
        } else {
            Err(PullError::NotFinite)
        }
    }

    /// Wakes what is pulled.
    pub(crate) fn wake(&self, bodies: &mut [RigidBody], cloth: &mut ClothSystem) {
        match self.what {
            Pulled::Body { body, .. } => {
                bodies[body].asleep = false;
                bodies[body].rested = 0.0;
            }
            Pulled::Vertex { cloth: c, .. } => {
                cloth.cloths[c].asleep = false;
                cloth.cloths[c].rested = 0.0;
            }
            Pulled::SolidVertex { .. } => {}
        }
    }

    /// Changes the velocity of a body that is pulled, for a substep of length h.
    pub(crate) fn accelerate(&self, bodies: &mut [RigidBody], h: f64) {
        let Pulled::Body { body, point } = self.what else {
            return;
        };
        let body = &mut bodies[body];
        let r = body.rotation * (Vector3::from(point) - body.center);
        let apart = Vector3::from(self.target) - (body.x + r);
        let wanted = FREQUENCY * (FREQUENCY * apart - 2.0 * body.velocity(&r));
        let damped = wanted / (1.0 + FREQUENCY * h * (2.0 + FREQUENCY * h));
        let acceleration = damped.cap_magnitude(MOST_ACCELERATION);
        body.kick(&r, &(acceleration * (h / body.inverse_mass)));
    }

    /// Corrects a vertex that is pulled, in a substep of length h.
    pub(crate) fn hold(&self, cloth: &mut ClothSystem, h: f64) {
        let Pulled::Vertex { cloth: c, vertex } = self.what else {
            return;
        };
        let range = cloth.cloths[c].range.clone();
        let masses = cloth.particles.w[range.clone()]
            .iter()
            .filter(|w| **w > 0.0);
        let mass: f64 = masses.map(|w| 1.0 / w).sum();
        let particle = range.start + vertex;
        let w = cloth.particles.w[particle];
        correct(&mut cloth.particles.x[particle], w, mass, &self.target, h);
    }

    /// Corrects a vertex of a solid that is pulled, in a substep of length h.
    pub(crate) fn hold_solid(&self, soft: &mut SoftSystem, h: f64) {
        let Pulled::SolidVertex { solid, vertex } = self.what else {
            return;
        };
        let solid = &mut soft.solids[solid];
        let mass = solid.mass.iter().sum();
        correct(&mut solid.x[vertex], solid.w[vertex], mass, &self.target, h);
    }
}

/// Corrects a vertex of the inverse mass w by a pull that carries a mass.
fn correct(x: &mut Vector3<f64>, w: f64, mass: f64, target: &[f64; 3], h: f64) {
    let apart = Vector3::from(*target) - *x;
    let softness = 1.0 / (mass * FREQUENCY * FREQUENCY * h * h);
    *x += apart.cap_magnitude(REACH) * (w / (w + softness));
}
