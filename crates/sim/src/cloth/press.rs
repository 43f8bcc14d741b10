//! A point of a cloth that a body presses: the correction along the normal, and friction.
//!
//! The point x = Σ a_i x_i of one, two or three particles is kept in front of the plane n·y = o of a body, which moves in
//! the substep by u + φ × r at r = x − X. With x₀ the same point at the start of the substep and t the height to keep,
//!
//! ```text
//! C = n·(r − u − φ × r) − o − t ≥ 0,      λ = −C/(Σ a_i² w_i + w_B(n)),      P = λ n
//! s = (x − x₀ − u − φ × r) without its part along n;   f = |s|/(Σ a_i² w_i + w_B(s/|s|))
//! P ← P − f s/|s|  if f ≤ μ_s λ (static),      P ← P − μ_k λ s/|s|  otherwise (kinetic)
//! x_i += a_i w_i P,      the body takes −P at r
//! ```
//!
//! so that linear and angular momentum are kept, and a body that moves takes the cloth along. Every pass adds its own P:
//! the sum of friction is within what the sum of normal impulses allows.

use crate::cloth::fabric::FabricBody;
use crate::particles::Particles;
use crate::rigid::RigidBody;
use crate::rigid::surface_material::combined;
use crate::scene::Material;
use nalgebra::Vector3;

/// The coefficients of static and of kinetic friction of a cloth and a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    pub stick: f64,
    pub slide: f64,
}

/// The friction of a cloth and a body.
pub(super) fn friction(materials: &[Material], fabric: &FabricBody, body: &RigidBody) -> Friction {
    let surface = combined(&materials[fabric.material], &materials[body.material]);
    Friction {
        stick: surface.static_friction,
        slide: surface.kinetic_friction,
    }
}

/// The plane of a body: the unit normal in the world frame and the offset about the centre of mass.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plane {
    pub normal: Vector3<f64>,
    pub offset: f64,
}

impl Plane {
    /// The height of a point about the centre of mass.
    pub fn height(&self, r: &Vector3<f64>) -> f64 {
        self.normal.dot(r) - self.offset
    }
}

/// Corrects a point, given by particles with weights whose sum is 1, and returns by how much along the normal, and the
/// impulse (times h) on the point. `target` says how high it must be, for its height at the start of the substep.
#[inline]
pub(crate) fn press<const N: usize>(
    (v, weights): ([usize; N], [f64; N]),
    particles: &mut Particles,
    body: &mut RigidBody,
    plane: &Plane,
    friction: &Friction,
    target: impl Fn(f64) -> f64,
) -> Option<(f64, Vector3<f64>)> {
    let Particles { x, x0, w, .. } = particles;
    let point = |x: &[Vector3<f64>]| {
        let sum = |sum: Vector3<f64>, i: usize| sum + x[v[i]] * weights[i];
        (1..N).fold(x[v[0]] * weights[0], sum)
    };
    let n = &plane.normal;
    let (now, before) = (point(x), point(x0));
    let r = now - body.x;
    let carried = body.displacement(&r);
    let error = plane.height(&(r - carried)) - target(plane.height(&(before - body.x)));
    if error >= 0.0 {
        return None;
    }
    let own: f64 = (0..N).map(|i| w[v[i]] * weights[i] * weights[i]).sum();
    let weight = own + body.weight(&r, n);
    if weight == 0.0 {
        return None;
    }
    let impulse = rub(
        n,
        -error / weight,
        &(now - before - carried),
        own,
        body,
        &r,
        friction,
    );
    for i in 0..N {
        x[v[i]] += impulse * (w[v[i]] * weights[i]);
    }
    body.push(&r, &-impulse);
    Some((-error, impulse))
}

/// The impulse of a load along n with its friction, for a point of the inverse mass `own` that slipped on the body at r.
#[inline]
pub(crate) fn rub(
    n: &Vector3<f64>,
    load: f64,
    slip: &Vector3<f64>,
    own: f64,
    body: &RigidBody,
    r: &Vector3<f64>,
    friction: &Friction,
) -> Vector3<f64> {
    let slip = slip - n * n.dot(slip);
    let length = slip.norm();
    if length <= 1e-15 {
        return n * load;
    }
    let along = slip / length;
    let holding = length / (own + body.weight(r, &along));
    let grip = if holding <= friction.stick * load {
        holding
    } else {
        friction.slide * load
    };
    n * load - along * grip
}
