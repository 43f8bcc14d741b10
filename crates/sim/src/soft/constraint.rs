//! A contact as a constraint between a point of one solid and a point of another.
//!
//! ```text
//! C = u·(P_a − P_b) − o ≥ 0,    P = Σ weights x,    stiffness k (N/m), compliance α = 1/k
//! XPBD:      Δλ = −C/(Σ w weights² + 1/(k h²)),   x_i += w_i (± weights_i) u Δλ,   only where C < 0
//! implicit:  force −k C u on P_a, its opposite on P_b;   stiffness matrix k g gᵀ, g = (weights_a u, −weights_b u)
//! ```
//!
//! For a ray, P_a is the vertex, P_b its end and o = 0, so that C = −s. For a pair that is near, u is the unit vector from
//! P_b to P_a and o the threshold. The line from P_b to P_a is along u at x₀, the start of the substep, in both cases.
//! That is where position-based dynamics has its levers: what Δx changes of Σ m x × (x − x₀)/h is Σ m x₀ × Δx/h exactly.
//! So each correction keeps angular momentum to rounding, however far the other constraints have moved the points since.

use nalgebra::Vector3;

/// A contact between two points of solids.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Contact {
    pub solids: [u32; 2],
    /// For each of the two points three vertices with their weights; those with weight 0 do not count.
    pub vertices: [[u32; 3]; 2],
    pub weights: [[f64; 3]; 2],
    /// The unit vector u along which the first point is pushed.
    pub direction: Vector3<f64>,
    pub offset: f64,
    pub stiffness: f64,
}

impl Contact {
    /// u·(P_a − P_b) of vectors at the vertices of the solids, which `at` returns.
    #[inline]
    pub fn along<'x>(&self, at: impl Fn(u32, u32) -> &'x Vector3<f64>) -> f64 {
        let mut apart = Vector3::zeros();
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for k in 0..3 {
                let weight = self.weights[side][k];
                if weight != 0.0 {
                    apart += at(self.solids[side], self.vertices[side][k]) * (sign * weight);
                }
            }
        }
        self.direction.dot(&apart)
    }

    /// Calls `each` with the solid, the vertex and the vector of g there.
    #[inline]
    pub fn gradient(&self, mut each: impl FnMut(u32, u32, Vector3<f64>)) {
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            for k in 0..3 {
                let weight = self.weights[side][k];
                if weight != 0.0 {
                    each(
                        self.solids[side],
                        self.vertices[side][k],
                        self.direction * (sign * weight),
                    );
                }
            }
        }
    }

    /// The multiplier Δλ of a correction in a substep of length h, for the value of u·(P_a − P_b) and the inverse masses;
    /// 0 where the points are apart.
    #[inline]
    pub fn multiplier(&self, along: f64, h: f64, w: impl Fn(u32, u32) -> f64) -> f64 {
        let error = along - self.offset;
        if error >= 0.0 {
            return 0.0;
        }
        let mut weight = 0.0;
        self.gradient(|solid, vertex, g| weight += w(solid, vertex) * g.norm_squared());
        let step = -error / (weight + 1.0 / (self.stiffness * h * h));
        if step.is_finite() { step } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    #[test]
    fn a_correction_keeps_linear_and_angular_momentum_to_rounding() {
        let mut random = Random::new(17);
        for case in 0..1000 {
            let mut vector = || Vector3::from([0; 3].map(|_| random.within(-1.0, 1.0)));
            // Three vertices of each solid at the start of a substep, and moved by anything since.
            let mut x0 = [[0; 3].map(|_| vector()), [0; 3].map(|_| vector())];
            let moved = [[0; 3].map(|_| vector()), [0; 3].map(|_| vector())];
            let first = if case % 2 == 0 {
                [1.0, 0.0, 0.0]
            } else {
                [0.3, 0.7, 0.0]
            };
            let weights = [first, [0.2, 0.5, 0.3]];
            let point =
                |x: &[Vector3<f64>; 3], w: &[f64; 3]| x[0] * w[0] + x[1] * w[1] + x[2] * w[2];
            let direction = vector().normalize();
            // P_b lies on the line from P_a along u.
            let shift = point(&x0[0], &weights[0]) + direction * 0.4 - point(&x0[1], &weights[1]);
            x0[1].iter_mut().for_each(|x| *x += shift);
            let contact = Contact {
                solids: [0, 1],
                vertices: [[0, 1, 2]; 2],
                weights,
                direction,
                offset: 0.0,
                stiffness: 1e4,
            };
            let w = |s: u32, v: u32| 0.5 + f64::from(3 * s + v);
            let at = [0, 1].map(|s| [0, 1, 2].map(|v| x0[s][v] + moved[s][v] * 0.1));
            let along = contact.along(|s, v| &at[s as usize][v as usize]);
            let step = contact.multiplier(along, 0.01, w);
            let (mut linear, mut angular, mut size) = (Vector3::zeros(), Vector3::zeros(), 0.0f64);
            contact.gradient(|s, v, g| {
                // m Δx = g Δλ.
                let impulse = g * step;
                linear += impulse;
                angular += x0[s as usize][v as usize].cross(&impulse);
                size = size.max(impulse.norm());
            });
            assert!(step > 0.0);
            assert!(linear.norm() < 1e-15 * size.max(1.0) && angular.norm() < 1e-14 * size);
        }
    }
}
