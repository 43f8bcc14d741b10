//! The published scheme: penalties, implicit Euler, and one linear solve by conjugate gradients a step.
//!
//! ```text
//! (M + h² K) Δv = h (f − h K v),      v += Δv,   x += h v
//! ```
//!
//! f are the forces where the step starts, K = −∂f/∂x in a form that has no negative eigenvalue: k g gᵀ for a contact with
//! g = ∂C/∂x, and for a tetrahedron the corotational stiffness, which the authors' framework (SOFA) had: with the rotation R
//! of F = R S and the strain ε = S − 1,
//!
//! ```text
//! P = R (2 μ ε + λ tr ε 1),    f = −V P D₀⁻ᵀ,    δP = R (2 μ sym(Rᵀ δF) + λ tr(Rᵀ δF) 1)   (R held fixed)
//! ```
//!
//! The paper leaves the parameters of its material and of its solver open; here conjugate gradients end when the residual
//! has fallen to a share of the first one. Held vertices are no unknowns: their v, which is part of K v, is what carries
//! them in the step. R is found by turning the last one towards F (Müller and others 2016), so that it is a rotation where
//! a tetrahedron is turned inside out.
//!
//! Linear momentum is kept to rounding, as f and K (Δv + v) sum to zero. Angular momentum is not: K with R held fixed sees
//! a strain in a turn, and its forces then have a moment.

use crate::rigid::RigidBody;
use crate::soft::body_contact::BodyContact;
use crate::soft::constraint::Contact;
use crate::soft::solid::SolidBody;
use crate::soft::tetrahedra::Tetrahedron;
use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

/// The vectors of one step, for all solids one after the other.
#[derive(Default)]
pub(crate) struct Implicit {
    /// Where the vertices of each solid begin.
    starts: Vec<usize>,
    /// The rotation of each tetrahedron of each solid.
    turns: Vec<Vec<UnitQuaternion<f64>>>,
    rotations: Vec<Vec<Matrix3<f64>>>,
    change: Vec<Vector3<f64>>,
    residual: Vec<Vector3<f64>>,
    search: Vec<Vector3<f64>>,
    product: Vec<Vector3<f64>>,
}

/// What presses in a step.
pub(crate) struct Presses<'a> {
    pub contacts: &'a [Contact],
    pub on_bodies: &'a [BodyContact],
    pub bodies: &'a [RigidBody],
}

/// Turns towards F until a turn is smaller than this, at most so often.
const TURN: f64 = 1e-9;
const TURNS: u32 = 200;

/// The rotation nearest to F from a start: turns ω = Σ rᵢ × fᵢ/|Σ rᵢ·fᵢ| about the axes r of the rotation.
fn rotation(f: &Matrix3<f64>, start: UnitQuaternion<f64>) -> UnitQuaternion<f64> {
    let mut q = start;
    for _ in 0..TURNS {
        let r = q.to_rotation_matrix().into_inner();
        let column = |m: &Matrix3<f64>, k: usize| Vector3::from(m.column(k));
        let (mut turn, mut along) = (Vector3::zeros(), 0.0);
        for k in 0..3 {
            turn += column(&r, k).cross(&column(f, k));
            along += column(&r, k).dot(&column(f, k));
        }
        let omega: Vector3<f64> = turn / (along.abs() + 1e-9);
        let size = omega.norm();
        if size.is_nan() || size <= TURN {
            break;
        }
        q = UnitQuaternion::from_scaled_axis(omega) * q;
        q.renormalize();
    }
    q
}

fn stress(strain: &Matrix3<f64>, mu: f64, lambda: f64) -> Matrix3<f64> {
    strain * (2.0 * mu) + Matrix3::identity() * (lambda * strain.trace())
}

/// The forces −V P D₀⁻ᵀ on the four vertices.
fn forces(t: &Tetrahedron, p: &Matrix3<f64>) -> [Vector3<f64>; 4] {
    t.gradients(p).map(|g| g * -t.volume)
}

impl Implicit {
    /// Advances the solids by one step of length h.
    pub fn step(
        &mut self,
        solids: &mut [SolidBody],
        presses: &Presses,
        gravity: Vector3<f64>,
        h: f64,
        (iterations, tolerance): (u32, f64),
    ) {
        self.prepare(solids);
        self.right_side(solids, presses, gravity, h);
        self.solve(solids, presses, h, iterations, tolerance);
        for (solid, &start) in solids.iter_mut().zip(&self.starts) {
            let keep = solid.keep();
            for i in 0..solid.x.len() {
                if solid.w[i] > 0.0 {
                    solid.v[i] = (solid.v[i] + self.change[start + i]) * keep;
                    solid.x[i] += solid.v[i] * h;
                }
            }
        }
    }

    fn prepare(&mut self, solids: &[SolidBody]) {
        self.starts.clear();
        let mut count = 0;
        for solid in solids {
            self.starts.push(count);
            count += solid.x.len();
        }
        for vector in [
            &mut self.change,
            &mut self.residual,
            &mut self.search,
            &mut self.product,
        ] {
            vector.clear();
            vector.resize(count, Vector3::zeros());
        }
        self.turns.resize(solids.len(), Vec::new());
        self.rotations.resize(solids.len(), Vec::new());
        for ((solid, turns), rotations) in
            solids.iter().zip(&mut self.turns).zip(&mut self.rotations)
        {
            turns.resize(solid.tetrahedra.len(), UnitQuaternion::identity());
            rotations.clear();
            for (t, turn) in solid.tetrahedra.iter().zip(turns) {
                *turn = rotation(&t.deformation(&solid.x0), *turn);
                rotations.push(Rotation3::from(*turn).into_inner());
            }
        }
    }

    /// The residual h (f − h K v), where the change is 0.
    fn right_side(
        &mut self,
        solids: &[SolidBody],
        presses: &Presses,
        gravity: Vector3<f64>,
        h: f64,
    ) {
        // K v first. What is held has been carried, and counts here alone: f is that of the start, x₀.
        for (solid, &start) in solids.iter().zip(&self.starts) {
            for i in 0..solid.x.len() {
                self.search[start + i] = if solid.w[i] > 0.0 {
                    solid.v[i]
                } else {
                    (solid.x[i] - solid.x0[i]) / h
                };
            }
        }
        self.stiffness(solids, presses);
        for (s, solid) in solids.iter().enumerate() {
            let start = self.starts[s];
            let (residual, product) = (&mut self.residual, &self.product);
            for i in 0..solid.x.len() {
                residual[start + i] = gravity * (h * solid.mass[i]) - product[start + i] * (h * h);
            }
            for (t, r) in solid.tetrahedra.iter().zip(&self.rotations[s]) {
                let strain = r.transpose() * t.deformation(&solid.x0) - Matrix3::identity();
                let p = r * stress(
                    &(0.5 * (strain + strain.transpose())),
                    solid.elasticity.mu,
                    solid.elasticity.lambda,
                );
                for (v, f) in t.vertices.iter().zip(forces(t, &p)) {
                    residual[start + *v as usize] += f * h;
                }
            }
        }
        let (starts, residual) = (&self.starts, &mut self.residual);
        for contact in presses.contacts {
            let along = contact.along(|s, v| &solids[s as usize].x0[v as usize]);
            let push = -h * contact.stiffness * (along - contact.offset).min(0.0);
            contact.gradient(|s, v, g| residual[starts[s as usize] + v as usize] += g * push);
        }
        for contact in presses.on_bodies {
            let (solid, v) = (&solids[contact.solid as usize], contact.vertex as usize);
            let body = &presses.bodies[contact.body as usize];
            let along = contact.direction.dot(&(solid.x0[v] - contact.point));
            // The body goes on while the step lasts.
            let carried = contact
                .direction
                .dot(&body.displacement(&(contact.point - body.x)));
            let push = -h * contact.stiffness * (along - carried);
            residual[starts[contact.solid as usize] + v] += contact.direction * push;
        }
        self.leave_out_held(solids);
    }

    fn leave_out_held(&mut self, solids: &[SolidBody]) {
        for (solid, &start) in solids.iter().zip(&self.starts) {
            for i in 0..solid.x.len() {
                if solid.w[i] == 0.0 {
                    self.residual[start + i] = Vector3::zeros();
                }
            }
        }
    }

    /// The product of K and the search direction.
    fn stiffness(&mut self, solids: &[SolidBody], presses: &Presses) {
        self.product.fill(Vector3::zeros());
        let (starts, search, product) = (&self.starts, &self.search, &mut self.product);
        for (s, solid) in solids.iter().enumerate() {
            let range = starts[s]..starts[s] + solid.x.len();
            let (search, product) = (&search[range.clone()], &mut product[range]);
            for (t, r) in solid.tetrahedra.iter().zip(&self.rotations[s]) {
                let turned = r.transpose() * t.deformation(search);
                let p = r * stress(
                    &(0.5 * (turned + turned.transpose())),
                    solid.elasticity.mu,
                    solid.elasticity.lambda,
                );
                for (v, f) in t.vertices.iter().zip(forces(t, &p)) {
                    product[*v as usize] -= f;
                }
            }
        }
        for contact in presses.contacts {
            let along = contact.along(|s, v| &search[starts[s as usize] + v as usize]);
            let push = contact.stiffness * along;
            contact.gradient(|s, v, g| product[starts[s as usize] + v as usize] += g * push);
        }
        for contact in presses.on_bodies {
            let at = starts[contact.solid as usize] + contact.vertex as usize;
            let push = contact.stiffness * contact.direction.dot(&search[at]);
            product[at] += contact.direction * push;
        }
    }

    /// Conjugate gradients, with the masses as the preconditioner.
    fn solve(
        &mut self,
        solids: &[SolidBody],
        presses: &Presses,
        h: f64,
        iterations: u32,
        tolerance: f64,
    ) {
        let weights: Vec<f64> = solids
            .iter()
            .flat_map(|solid| solid.w.iter().copied())
            .collect();
        let masses: Vec<f64> = solids
            .iter()
            .flat_map(|solid| solid.mass.iter().copied())
            .collect();
        let square = |r: &[Vector3<f64>]| {
            r.iter()
                .zip(&weights)
                .map(|(r, w)| w * r.norm_squared())
                .sum::<f64>()
        };
        let mut rho = square(&self.residual);
        let enough = rho * tolerance * tolerance;
        let mut left = iterations;
        for (search, (r, w)) in self
            .search
            .iter_mut()
            .zip(self.residual.iter().zip(&weights))
        {
            *search = r * *w;
        }
        while left > 0 && rho > enough && rho > 0.0 {
            left -= 1;
            self.stiffness(solids, presses);
            let mut bend = 0.0;
            for i in 0..self.product.len() {
                self.product[i] = if weights[i] > 0.0 {
                    self.search[i] * masses[i] + self.product[i] * (h * h)
                } else {
                    Vector3::zeros()
                };
                bend += self.product[i].dot(&self.search[i]);
            }
            let step = rho / bend;
            if !step.is_finite() {
                return;
            }
            for i in 0..self.product.len() {
                self.change[i] += self.search[i] * step;
                self.residual[i] -= self.product[i] * step;
            }
            let next = square(&self.residual);
            let share = next / rho;
            rho = next;
            for i in 0..self.search.len() {
                self.search[i] = self.residual[i] * weights[i] + self.search[i] * share;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rotation_is_that_of_the_polar_decomposition_also_inside_out() {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.4, -1.1, 0.7));
        let stretch = Matrix3::new(1.2, 0.1, 0.0, 0.1, 0.8, -0.1, 0.0, -0.1, 1.1);
        let f = turn.to_rotation_matrix().into_inner() * stretch;
        assert!(rotation(&f, UnitQuaternion::identity()).angle_to(&turn) < 1e-8);
        let inverted = f * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -0.2));
        let r = rotation(&inverted, turn).to_rotation_matrix().into_inner();
        assert!((r.determinant() - 1.0).abs() < 1e-12);
        // RᵀF is symmetric.
        let s = r.transpose() * inverted;
        assert!((s - s.transpose()).norm() < 1e-6);
    }
}
