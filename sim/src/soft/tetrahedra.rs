//! Tetrahedra that resist shear and compression (Macklin, Müller 2021).
//!
//! With the edges D = (x₁ − x₀, x₂ − x₀, x₃ − x₀), those at rest D₀, and F = D D₀⁻¹, a tetrahedron of the volume V has two
//! constraints, the deviatoric and the hydrostatic one,
//!
//! ```text
//! C_D = √tr(FᵀF),           α_D = 1/(μ V),      ∂C_D/∂F = F/C_D
//! C_H = det F − 1 − μ/λ,    α_H = 1/(λ V),      ∂C_H/∂F = (f₂×f₃, f₃×f₁, f₁×f₂)
//! (∇₁ C, ∇₂ C, ∇₃ C) = (∂C/∂F) D₀⁻ᵀ,      ∇₀ C = −(∇₁ C + ∇₂ C + ∇₃ C)
//! ```
//!
//! whose energies ½ C²/α are those of a stable neo-Hookean solid of the Lamé parameters μ and λ (pascals). At rest both
//! constraints pull, μ V F and −μ V F, and hold each other: hence μ/λ in C_H. The energy is finite and has a gradient where
//! a tetrahedron is turned inside out, so that it turns back.
//!
//! Both are corrected together once a substep, by one system of two equations:
//!
//! ```text
//! ((1 + γ) A + diag(α̃_D, α̃_H)) Δλ = −C − γ ∇C·(x − x₀),      A_ij = ∇C_i M⁻¹ ∇C_jᵀ
//! ```
//!
//! At rest, where ∇C_D = ∇C_H/√3, its solution is Δλ = (−√3 μ V h², μ V h²), which moves nothing, whatever the step is. One
//! after the other they would leave a solid the smaller the longer the step is.

use nalgebra::{Matrix3, Vector3};

/// A tetrahedron with what it is at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tetrahedron {
    pub vertices: [u32; 4],
    /// D₀⁻¹.
    pub inverse: Matrix3<f64>,
    pub volume: f64,
}

/// The Lamé parameters and the damping over the stiffness (seconds).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elasticity {
    pub mu: f64,
    pub lambda: f64,
    pub damping: f64,
}

impl Tetrahedron {
    /// Makes the tetrahedron of vertices at rest at x; none if its volume is not positive.
    pub fn new(vertices: [u32; 4], x: &[Vector3<f64>]) -> Option<Self> {
        let rest = edges(&vertices, x);
        let volume = rest.determinant() / 6.0;
        // NaN makes none either.
        if !(volume > 0.0) {
            return None;
        }
        Some(Tetrahedron {
            vertices,
            inverse: rest.try_inverse()?,
            volume,
        })
    }

    /// The deformation F of vertices at x.
    #[inline]
    pub fn deformation(&self, x: &[Vector3<f64>]) -> Matrix3<f64> {
        edges(&self.vertices, x) * self.inverse
    }

    /// The gradients by the four vertices of a function whose derivative by F is given.
    #[inline]
    pub fn gradients(&self, by_f: &Matrix3<f64>) -> [Vector3<f64>; 4] {
        let g = by_f * self.inverse.transpose();
        let [a, b, c] = [0, 1, 2].map(|k| Vector3::from(g.column(k)));
        [-(a + b + c), a, b, c]
    }

    /// Corrects both constraints once in a substep of length h that began at x0.
    #[inline]
    pub fn solve(
        &self,
        [x, x0]: [&mut [Vector3<f64>]; 2],
        w: &[f64],
        elasticity: &Elasticity,
        h: f64,
    ) {
        let Elasticity {
            mu,
            lambda,
            damping,
        } = *elasticity;
        let v = self.vertices.map(|v| v as usize);
        let f = self.deformation(x);
        let ratio = mu / lambda;
        let constraints = [deviatoric(&f), hydrostatic(&f, ratio)];
        let gradients = [0, 1].map(|k| self.gradients(&constraints[k].1));
        let product = |k: usize, l: usize| -> f64 {
            (0..4)
                .map(|i| w[v[i]] * gradients[k][i].dot(&gradients[l][i]))
                .sum()
        };
        let gamma = damping / h;
        let mut error = [0, 1].map(|k| constraints[k].0);
        if gamma != 0.0 {
            for k in 0..2 {
                let moved = |i: usize| gradients[k][i].dot(&(x[v[i]] - x0[v[i]]));
                error[k] += gamma * (0..4).map(moved).sum::<f64>();
            }
        }
        let soft = 1.0 / (self.volume * h * h);
        let a = (1.0 + gamma) * product(0, 0) + soft / mu;
        let b = (1.0 + gamma) * product(0, 1);
        let c = (1.0 + gamma) * product(1, 1) + soft / lambda;
        let determinant = a * c - b * b;
        let steps = [
            (b * error[1] - c * error[0]) / determinant,
            (b * error[0] - a * error[1]) / determinant,
        ];
        if steps[0].is_finite() && steps[1].is_finite() {
            for i in 0..4 {
                let step = gradients[0][i] * steps[0] + gradients[1][i] * steps[1];
                x[v[i]] += step * w[v[i]];
            }
        }
    }
}

#[inline]
fn edges(vertices: &[u32; 4], x: &[Vector3<f64>]) -> Matrix3<f64> {
    let [a, b, c, d] = vertices.map(|v| x[v as usize]);
    Matrix3::from_columns(&[b - a, c - a, d - a])
}

/// C_D and its derivative by F, zero at F = 0.
#[inline]
pub(crate) fn deviatoric(f: &Matrix3<f64>) -> (f64, Matrix3<f64>) {
    let c = f.norm();
    (c, if c > 0.0 { f / c } else { Matrix3::zeros() })
}

/// C_H and its derivative by F.
#[inline]
pub(crate) fn hydrostatic(f: &Matrix3<f64>, ratio: f64) -> (f64, Matrix3<f64>) {
    let [a, b, c] = [0, 1, 2].map(|k| Vector3::from(f.column(k)));
    let by_f = Matrix3::from_columns(&[b.cross(&c), c.cross(&a), a.cross(&b)]);
    (a.dot(&by_f.column(0)) - 1.0 - ratio, by_f)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron, and its vertices deformed: stretched, and turned inside out.
    fn cases() -> (Tetrahedron, Vec<Vec<Vector3<f64>>>) {
        let rest = [
            [0.1, 0.0, 0.0],
            [1.0, 0.1, 0.0],
            [0.3, 0.9, 0.1],
            [0.2, 0.3, 0.8],
        ]
        .map(Vector3::from);
        let t = Tetrahedron::new([0, 1, 2, 3], &rest).unwrap();
        let shear = Matrix3::new(1.3, 0.2, -0.1, 0.4, 0.7, 0.3, 0.1, -0.2, 1.1);
        let inverted = Matrix3::new(1.0, 0.1, 0.0, 0.0, 0.9, 0.2, 0.1, 0.0, -0.6);
        let by = |m: &Matrix3<f64>| rest.iter().map(|x| m * x).collect();
        (t, vec![rest.to_vec(), by(&shear), by(&inverted)])
    }

    #[test]
    fn the_gradients_are_those_of_finite_differences() {
        let (t, cases) = cases();
        let values = |x: &[Vector3<f64>]| {
            let f = t.deformation(x);
            [deviatoric(&f), hydrostatic(&f, 0.25)]
        };
        for x in &cases {
            for k in 0..2 {
                let gradients = t.gradients(&values(x)[k].1);
                for vertex in 0..4 {
                    for axis in 0..3 {
                        let moved = |sign: f64| {
                            let mut x = x.clone();
                            x[vertex][axis] += sign * 1e-6;
                            values(&x)[k].0
                        };
                        let difference = (moved(1.0) - moved(-1.0)) / 2e-6;
                        assert!((difference - gradients[vertex][axis]).abs() < 1e-8);
                    }
                }
            }
        }
    }

    #[test]
    fn at_rest_the_two_constraints_hold_each_other() {
        let (t, cases) = cases();
        let (mu, lambda) = (3e4, 1.1e5);
        let f = t.deformation(&cases[0]);
        let force = |(c, by_f): (f64, Matrix3<f64>), stiffness: f64| by_f * (c * stiffness);
        let sum = force(deviatoric(&f), mu) + force(hydrostatic(&f, mu / lambda), lambda);
        assert!(sum.norm() < 1e-9 * mu);
    }

    #[test]
    fn a_correction_keeps_linear_and_angular_momentum() {
        let (t, cases) = cases();
        let w = [1.0, 0.5, 2.0, 0.8];
        let elasticity = Elasticity {
            mu: 1e3,
            lambda: 4e3,
            damping: 0.01,
        };
        for start in &cases[1..] {
            let (mut x, mut x0) = (start.clone(), start.clone());
            t.solve([&mut x, &mut x0], &w, &elasticity, 0.02);
            let (mut linear, mut angular) = (Vector3::zeros(), Vector3::<f64>::zeros());
            for i in 0..4 {
                let impulse = (x[i] - start[i]) / w[i];
                linear += impulse;
                angular += start[i].cross(&impulse);
            }
            assert!((x[1] - start[1]).norm() > 1e-3);
            assert!(linear.norm() < 1e-14 && angular.norm() < 1e-14);
        }
    }

    #[test]
    fn a_correction_leaves_what_is_at_rest_whatever_the_step() {
        let (t, cases) = cases();
        let elasticity = Elasticity {
            mu: 1e5,
            lambda: 4e5,
            damping: 0.0,
        };
        for h in [1e-4, 1e-2, 0.45] {
            let (mut x, mut x0) = (cases[0].clone(), cases[0].clone());
            t.solve([&mut x, &mut x0], &[0.1, 1.0, 3.0, 0.7], &elasticity, h);
            let moved = x.iter().zip(&x0).map(|(x, x0)| (x - x0).norm());
            // The longest step leaves the system with a condition of some 1e5.
            assert!(moved.fold(0.0, f64::max) < 1e-10, "{h}");
        }
    }

    #[test]
    fn a_tetrahedron_turned_inside_out_turns_back() {
        let (t, cases) = cases();
        let mut x = cases[2].clone();
        let w = [1.0; 4];
        let elasticity = Elasticity {
            mu: 1e3,
            lambda: 4e3,
            damping: 0.0,
        };
        assert!(t.deformation(&x).determinant() < 0.0);
        for _ in 0..5000 {
            let mut x0 = x.clone();
            t.solve([&mut x, &mut x0], &w, &elasticity, 0.1);
        }
        let determinant = t.deformation(&x).determinant();
        assert!((determinant - 1.0).abs() < 1e-6, "{determinant}");
    }

    #[test]
    fn a_flat_or_inverted_tetrahedron_is_none() {
        let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(Vector3::from);
        assert!(Tetrahedron::new([0, 1, 2, 3], &x).is_none());
        let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]].map(Vector3::from);
        assert!(Tetrahedron::new([0, 1, 2, 3], &x).is_none());
    }
}
