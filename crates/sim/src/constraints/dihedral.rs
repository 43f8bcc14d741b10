//! Bending across an edge that is folded at rest: C = θ − θ₀, the dihedral angle against that at rest.
//!
//! With the edge e = x₁ − x₀, the normals n₁ = (x₀ − x₂) × (x₁ − x₂), n₂ = (x₁ − x₃) × (x₀ − x₃) and θ = 0 where flat,
//!
//! ```text
//! ∂θ/∂x₂ = −|e| n₁/|n₁|²,   ∂θ/∂x₃ = −|e| n₂/|n₂|²,
//! ∂θ/∂x₀ = −(1 − t₁) ∂θ/∂x₂ − (1 − t₂) ∂θ/∂x₃,   ∂θ/∂x₁ = −t₁ ∂θ/∂x₂ − t₂ ∂θ/∂x₃
//! ```
//!
//! with the feet t of the opposite vertices along the edge: the angle changes neither with a translation nor with a turn.

use crate::particles::Particles;
use nalgebra::Vector3;

/// A hinge with an angle at rest: four vertices, the first two its edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dihedral {
    pub vertices: [u32; 4],
    pub rest: f64,
    /// The compliance over h², or minus the stiffness k of position-based dynamics.
    pub alpha: f64,
    pub gamma: f64,
}

/// Returns the angle of a hinge, in (−π, π].
pub(crate) fn angle([x0, x1, x2, x3]: &[Vector3<f64>; 4]) -> f64 {
    let e = x1 - x0;
    let (n1, n2) = ((x0 - x2).cross(&(x1 - x2)), (x1 - x3).cross(&(x0 - x3)));
    (n1.cross(&n2).dot(&e) / e.norm()).atan2(n1.dot(&n2))
}

/// Returns the gradient of [`angle`] by the four vertices.
pub(crate) fn gradient([x0, x1, x2, x3]: &[Vector3<f64>; 4]) -> [Vector3<f64>; 4] {
    let e = x1 - x0;
    let square = e.norm_squared();
    let (n1, n2) = ((x0 - x2).cross(&(x1 - x2)), (x1 - x3).cross(&(x0 - x3)));
    let length = square.sqrt();
    let (g2, g3) = (
        n1 * (-length / n1.norm_squared()),
        n2 * (-length / n2.norm_squared()),
    );
    let (t1, t2) = ((x2 - x0).dot(&e) / square, (x3 - x0).dot(&e) / square);
    [
        g2 * (t1 - 1.0) + g3 * (t2 - 1.0),
        g2 * -t1 + g3 * -t2,
        g2,
        g3,
    ]
}

impl Dihedral {
    /// Corrects every hinge once, in order.
    pub fn project(constraints: &[Dihedral], particles: &mut Particles) {
        let Particles { x, x0, w, .. } = particles;
        for hinge in constraints {
            let v = hinge.vertices.map(|v| v as usize);
            let at = v.map(|v| x[v]);
            let gradient = gradient(&at);
            let weight: f64 = (0..4).map(|i| w[v[i]] * gradient[i].norm_squared()).sum();
            if !(weight > 0.0 && weight.is_finite()) {
                continue;
            }
            let turn = std::f64::consts::TAU;
            let mut error = angle(&at) - hinge.rest;
            error -= turn * (error / turn).round();
            let moved: f64 = (0..4).map(|i| gradient[i].dot(&(x[v[i]] - x0[v[i]]))).sum();
            let lambda = if hinge.alpha < 0.0 {
                hinge.alpha * error / weight
            } else {
                -(error + hinge.gamma * moved) / ((1.0 + hinge.gamma) * weight + hinge.alpha)
            };
            for i in 0..4 {
                x[v[i]] += gradient[i] * (w[v[i]] * lambda);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let hinge = [
            [0.0, 0.0, 0.0],
            [1.0, 0.1, 0.0],
            [0.4, 0.8, 0.3],
            [0.6, -0.7, 0.2],
        ]
        .map(Vector3::from);
        let gradient = gradient(&hinge);
        for vertex in 0..4 {
            for axis in 0..3 {
                let step = 1e-6;
                let moved = |sign: f64| {
                    let mut hinge = hinge;
                    hinge[vertex][axis] += sign * step;
                    angle(&hinge)
                };
                let difference = (moved(1.0) - moved(-1.0)) / (2.0 * step);
                assert!(
                    (difference - gradient[vertex][axis]).abs() < 1e-8,
                    "{vertex} {axis}"
                );
            }
        }
    }
}
