//! What pressed in the last frame: contacts of bodies with each other, and of the vertices of cloths with bodies.
//!
//! The impulse of a contact is the sum over the substeps of the frame of what the solver moved the bodies by. In a substep
//! of length h it corrects displacements by λ n + G (times h) and then velocities by k n, so that
//!
//! ```text
//! P = Σ ((λ n + G)/h + k n),      m (v₁ − v₀) = m g Δt + Σ P       over the contacts of a body, −P where it is their A
//! ```
//!
//! to rounding, where no joint, pull or soft solid acts on the body, and no guard of a cloth cuts its motion off. MuJoCo's
//! `mj_contactForce` is P/Δt in the frame of the contact, and the `appliedImpulse` of Bullet the normal part of P.

/// A point at which two bodies pressed on each other in the last frame; all vectors are in the world frame.
///
/// The points are fixed to their bodies and told at the poses of the end of the frame. Bodies rest at the skin of
/// [`Settings`](crate::scene::Settings) from each other, so that `distance` is about the skin where they rest. A contact that
/// ended within the frame is told too, with the impulse that it had.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ContactPoint {
    /// The indices of the bodies A and B in the scene; that of A is the smaller one.
    pub bodies: [usize; 2],
    /// The point on the surface of A, metres.
    pub point_a: [f64; 3],
    /// The point on the surface of B, metres.
    pub point_b: [f64; 3],
    /// The unit normal from A to B.
    pub normal: [f64; 3],
    /// The distance from A to B along the normal, metres; it is negative in overlap.
    pub distance: f64,
    /// The impulse on B in the frame, N·s, normal part and friction together; A has the opposite.
    pub impulse: [f64; 3],
    /// The angular impulse on B in the frame, N·m·s, which is that of rolling friction; A has the opposite.
    pub angular_impulse: [f64; 3],
}

impl ContactPoint {
    /// Returns the part of the impulse along the normal, N·s.
    pub fn normal_impulse(&self) -> f64 {
        dot(&self.impulse, &self.normal)
    }
}

/// A vertex of a cloth that pressed on a body in the last frame; all vectors are in the world frame.
///
/// What presses on a triangle is shared by its three vertices as the weights of the point are, which keeps its sum and its
/// moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ClothContactPoint {
    /// The index of the cloth in the scene.
    pub cloth: usize,
    /// The index of the vertex in the cloth.
    pub vertex: usize,
    /// The index of the body in the scene.
    pub body: usize,
    /// The vertex at the end of the frame, metres.
    pub point: [f64; 3],
    /// The unit normal out of the body, of what pressed last.
    pub normal: [f64; 3],
    /// The impulse on the vertex in the frame, N·s, normal part and friction together; the body has the opposite.
    pub impulse: [f64; 3],
}

impl ClothContactPoint {
    /// Returns the part of the impulse along the normal, N·s.
    pub fn normal_impulse(&self) -> f64 {
        dot(&self.impulse, &self.normal)
    }
}

fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
