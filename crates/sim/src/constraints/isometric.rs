//! Bending across an edge that is flat at rest, in the isometric form of the dihedral angle (Bergou et al. 2006).
//!
//! Let u₁ and u₂ be the unit vectors from the edge, perpendicular to it, into its two triangles, and θ the angle by
//! which the hinge deviates from flat. While the triangles keep their shape,
//!
//! ```text
//! u₁ + u₂ = −(c₀ x₀ + c₁ x₁ + c₂ x₂ + c₃ x₃) = −s,      |s| = 2 sin(θ/2)
//! c₂ = −1/h₁,   c₃ = −1/h₂,   c₀ = (1 − t₁)/h₁ + (1 − t₂)/h₂,   c₁ = t₁/h₁ + t₂/h₂
//! ```
//!
//! with the heights h of the triangles over the edge (x₀, x₁) and the feet t of these heights along it. The energy
//! ½ k θ², k = B l²/(A₁ + A₂), becomes ½ k |s|²: three linear constraints with equal gradients c, corrected together
//! without a root or an angle. They equal the dihedral angle to second order, and bound its restoring moment beyond.

use crate::particles::Particles;
use nalgebra::Vector3;

/// A hinge that is flat at rest: four vertices, the first two its edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Isometric {
    pub vertices: [u32; 4],
    pub c: [f64; 4],
    pub s: f64,
    pub gamma: f64,
}

impl Isometric {
    /// Returns the coefficients c of a hinge at rest.
    pub fn coefficients([x0, x1, x2, x3]: &[Vector3<f64>; 4]) -> [f64; 4] {
        let edge = x1 - x0;
        let square = edge.norm_squared();
        let foot_and_height = |x: &Vector3<f64>| {
            let t = (x - x0).dot(&edge) / square;
            (t, (x - x0 - edge * t).norm())
        };
        let ((t1, h1), (t2, h2)) = (foot_and_height(x2), foot_and_height(x3));
        [
            (1.0 - t1) / h1 + (1.0 - t2) / h2,
            t1 / h1 + t2 / h2,
            -1.0 / h1,
            -1.0 / h2,
        ]
    }

    /// Corrects every hinge once, in order.
    pub fn project(constraints: &[Isometric], particles: &mut Particles) {
        let Particles { x, x0, w, .. } = particles;
        for hinge in constraints {
            let [i, j, k, l] = hinge.vertices.map(|v| v as usize);
            let c = &hinge.c;
            let mut s = x[i] * c[0] + x[j] * c[1] + x[k] * c[2] + x[l] * c[3];
            if hinge.gamma != 0.0 {
                let before = x0[i] * c[0] + x0[j] * c[1] + x0[k] * c[2] + x0[l] * c[3];
                s += (s - before) * hinge.gamma;
            }
            let step = s * -hinge.s;
            x[i] += step * (w[i] * c[0]);
            x[j] += step * (w[j] * c[1]);
            x[k] += step * (w[k] * c[2]);
            x[l] += step * (w[l] * c[3]);
        }
    }
}
