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
//! whose energies ½ C²/α are those of a stable neo-Hookean solid of the parameters μ and λ (pascals). At rest both
//! constraints pull, μ V F and −μ V F, and hold each other: hence μ/λ in C_H. Near rest the sum is
//! V (μ ε:ε + ½ (λ − μ) tr² ε), so that λ is Lamé's and μ more, and Young's modulus is μ (3 λ − μ)/λ. The energy is finite and has a gradient where
//! a tetrahedron is turned inside out, so that it turns back.
//!
//! Corrected one after the other, the two would rest where their steps cancel, which is at rest only for short steps, and
//! their gradients, which are parallel at rest, do not see shear at all: it is resisted by how they turn. So both are
//! corrected together, ½ C_D²/α_D, which is quadratic in x, with a bound of the whole second derivative. With the gradients
//! b_i of the four shape functions (the rows of D₀⁻¹, and b₀ = −b₁ − b₂ − b₃) and L_ij = b_i·b_j
//!
//! ```text
//! S = (M + h² V (2 μ + λ + 2 μ β/h) L)⁻¹,      g_i = h² V (μ F + P_β) b_i,      q_i = (∂C_H/∂F) b_i
//! Δλ = (q S g − C_H)/(q S q + α_H/h²),      Δx = S (q Δλ − g)
//! ```
//!
//! At F = R that is Δx = 0 for every step. The gradient of C_H turns with F, by (C_H/α_H) ∂²det/∂F², which has both signs and
//! is left out but for a bound: near F = R its eigenvalues are within ±λ V |C_H|, and μ + λ |C_H| ≤ 2 μ + λ for
//! 0 ≤ det F ≤ 2. With 2 μ alone, rings that were pressed gained energy. The price: where a substep is too long for the
//! stiffness, h² (2 μ + λ) V |b|² w > 1, a solid is softer than its parameters say.
//!
//! Damping is P_β = μ β/h (G + Gᵀ) cof F, G = F F₀⁻¹ − 1 with F₀ at the start of the substep: a stress that is symmetric in
//! space and, to first order in G, zero where the solid only turns. It is left out where a substep deforms by more than a
//! half, and where det F ≤ 0: its work has the sign of det F, so that there it would feed a tetrahedron.

use nalgebra::{Matrix3, Matrix4, Vector3};

/// A tetrahedron with what it is at rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tetrahedron {
    pub vertices: [u32; 4],
    /// D₀⁻¹.
    pub inverse: Matrix3<f64>,
    pub volume: f64,
    /// S, for the masses and the substep of the solid.
    metric: Matrix4<f64>,
}

/// The Lamé parameters and the damping over the stiffness (seconds).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Elasticity {
    pub mu: f64,
    pub lambda: f64,
    pub damping: f64,
}

/// The most that a substep may deform where damping acts.
const MOST_STRAIN: f64 = 0.5;

impl Tetrahedron {
    /// Makes the tetrahedron of vertices at rest at x; none if its volume is not positive.
    pub fn new(vertices: [u32; 4], x: &[Vector3<f64>]) -> Option<Self> {
        let rest = edges(&vertices, x);
        let volume = rest.determinant() / 6.0;
        if volume.is_nan() || volume <= 0.0 {
            return None;
        }
        Some(Tetrahedron {
            vertices,
            inverse: rest.try_inverse()?,
            volume,
            metric: Matrix4::zeros(),
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

    /// The gradients b of the shape functions.
    fn shape_gradients(&self) -> [Vector3<f64>; 4] {
        self.gradients(&Matrix3::identity())
    }

    /// Makes S = (1 + W K)⁻¹ W of the inverse masses, which may be 0, for substeps of length h.
    pub fn prepare(&mut self, w: &[f64], elasticity: &Elasticity, h: f64) {
        let b = self.shape_gradients();
        let Elasticity {
            mu,
            lambda,
            damping,
        } = *elasticity;
        let stiffness = h * (h * (2.0 * mu + lambda) + 2.0 * damping * mu) * self.volume;
        let w = self.vertices.map(|v| w[v as usize]);
        let system = Matrix4::from_fn(|i, j| {
            f64::from(u8::from(i == j)) + w[i] * stiffness * b[i].dot(&b[j])
        });
        if let Some(inverse) = system.try_inverse() {
            self.metric = inverse * Matrix4::from_diagonal(&w.into());
        }
    }

    /// Corrects both constraints once in a substep of length h that began at x0.
    #[inline]
    pub fn solve(
        &self,
        x: &mut [Vector3<f64>],
        x0: &[Vector3<f64>],
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
        let (c, cofactor) = hydrostatic(&f, mu / lambda);
        let mut stress = f * mu;
        if damping > 0.0
            && let Some(back) = self.deformation(x0).try_inverse()
        {
            stress += damping_stress(&f, &back, &cofactor) * (mu * damping / h);
        }
        let scale = h * h * self.volume;
        let (g, q) = (self.gradients(&(stress * scale)), self.gradients(&cofactor));
        let by_metric = |u: &[Vector3<f64>; 4], i: usize| {
            let s = &self.metric;
            u[0] * s[(i, 0)] + u[1] * s[(i, 1)] + u[2] * s[(i, 2)] + u[3] * s[(i, 3)]
        };
        let (sg, sq) = (
            [0, 1, 2, 3].map(|i| by_metric(&g, i)),
            [0, 1, 2, 3].map(|i| by_metric(&q, i)),
        );
        let dot = |u: &[Vector3<f64>; 4]| (0..4).map(|i| q[i].dot(&u[i])).sum::<f64>();
        let step = (dot(&sg) - c) / (dot(&sq) + 1.0 / (lambda * scale));
        if step.is_finite() {
            for i in 0..4 {
                x[v[i]] += sq[i] * step - sg[i];
            }
        }
    }
}

/// (G + Gᵀ) cof F, which does the work det F (G + Gᵀ):G on G F, for F₀⁻¹; zero where that would be less than none.
#[inline]
fn damping_stress(f: &Matrix3<f64>, back: &Matrix3<f64>, cofactor: &Matrix3<f64>) -> Matrix3<f64> {
    let strain = f * back - Matrix3::identity();
    let upright = f.column(0).dot(&cofactor.column(0)) > 0.0;
    if upright && strain.norm_squared() < MOST_STRAIN * MOST_STRAIN {
        (strain + strain.transpose()) * cofactor
    } else {
        Matrix3::zeros()
    }
}

#[inline]
fn edges(vertices: &[u32; 4], x: &[Vector3<f64>]) -> Matrix3<f64> {
    let [a, b, c, d] = vertices.map(|v| x[v as usize]);
    Matrix3::from_columns(&[b - a, c - a, d - a])
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

    /// In a short substep the correction is −h² w ∂E/∂x of E = V (½ μ tr FᵀF + ½ λ (det F − 1 − μ/λ)²).
    #[test]
    fn a_short_correction_is_the_force_of_the_energy_by_finite_differences() {
        let (mut t, cases) = cases();
        let (w, h) = ([1.0, 0.5, 2.0, 0.8], 1e-5);
        let elasticity = Elasticity {
            mu: 1e3,
            lambda: 4e3,
            damping: 0.0,
        };
        t.prepare(&w, &elasticity, h);
        let energy = |x: &[Vector3<f64>]| {
            let f = t.deformation(x);
            let by_volume = f.determinant() - 1.0 - 0.25;
            t.volume * (500.0 * (f.transpose() * f).trace() + 2000.0 * by_volume * by_volume)
        };
        for start in &cases {
            let mut x = start.clone();
            t.solve(&mut x, start, &elasticity, h);
            for vertex in 0..4 {
                for axis in 0..3 {
                    let moved = |sign: f64| {
                        let mut x = start.clone();
                        x[vertex][axis] += sign * 1e-5;
                        energy(&x)
                    };
                    let force = (moved(-1.0) - moved(1.0)) / 2e-5;
                    let found = (x[vertex] - start[vertex])[axis] / (h * h * w[vertex]);
                    assert!((found - force).abs() < 2e-2, "{found} {force}");
                }
            }
        }
    }

    #[test]
    fn a_correction_keeps_linear_momentum() {
        let (mut t, cases) = cases();
        let w = [1.0, 0.5, 2.0, 0.8];
        let elasticity = Elasticity {
            mu: 1e3,
            lambda: 4e3,
            damping: 0.01,
        };
        t.prepare(&w, &elasticity, 0.02);
        for start in &cases[1..] {
            let mut x = start.clone();
            t.solve(&mut x, &cases[0], &elasticity, 0.02);
            let impulses = (0..4).map(|i| (x[i] - start[i]) / w[i]);
            assert!((x[1] - start[1]).norm() > 1e-3);
            assert!(impulses.sum::<Vector3<f64>>().norm() < 1e-14);
        }
    }

    #[test]
    fn a_correction_leaves_what_is_at_rest_or_only_turned_whatever_the_step() {
        let (mut t, cases) = cases();
        let elasticity = Elasticity {
            mu: 1e5,
            lambda: 4e5,
            damping: 0.01,
        };
        let turn = nalgebra::Rotation3::new(Vector3::new(0.3, -0.8, 0.5));
        for h in [1e-4, 1e-2, 0.45] {
            t.prepare(&[0.1, 1.0, 3.0, 0.7], &elasticity, h);
            let turned: Vec<_> = cases[0].iter().map(|x| turn * x).collect();
            for start in [&cases[0], &turned] {
                let mut x = start.clone();
                t.solve(&mut x, start, &elasticity, h);
                let moved = x.iter().zip(start).map(|(x, x0)| (x - x0).norm());
                assert!(moved.fold(0.0, f64::max) < 1e-12, "{h}");
            }
        }
    }

    #[test]
    fn a_tetrahedron_is_sheared_back_without_overshooting_whatever_the_step() {
        let (mut t, cases) = cases();
        let elasticity = Elasticity {
            mu: 1e5,
            lambda: 4e5,
            damping: 0.0,
        };
        for h in [1e-4, 1e-2, 0.45] {
            t.prepare(&[0.1, 1.0, 3.0, 0.7], &elasticity, h);
            let shear = Matrix3::new(1.0, 0.05, 0.0, 0.05, 1.0, 0.0, 0.0, 0.0, 1.0);
            let mut x: Vec<_> = cases[0].iter().map(|x| shear * x).collect();
            let strain = |x: &[Vector3<f64>]| {
                let f = t.deformation(x);
                (f.transpose() * f - Matrix3::identity()).norm()
            };
            let mut before = strain(&x);
            for _ in 0..20 {
                let x0 = x.clone();
                t.solve(&mut x, &x0, &elasticity, h);
                let after = strain(&x);
                assert!(after < before || after < 1e-12, "{h} {before} {after}");
                before = after;
            }
        }
    }

    #[test]
    fn a_tetrahedron_turned_inside_out_turns_back() {
        let (mut t, cases) = cases();
        for damping in [0.0, 0.01] {
            let elasticity = Elasticity {
                mu: 1e3,
                lambda: 4e3,
                damping,
            };
            t.prepare(&[1.0; 4], &elasticity, 0.1);
            let mut x = cases[2].clone();
            assert!(t.deformation(&x).determinant() < 0.0);
            for _ in 0..500 {
                let x0 = x.clone();
                t.solve(&mut x, &x0, &elasticity, 0.1);
            }
            let determinant = t.deformation(&x).determinant();
            assert!((determinant - 1.0).abs() < 1e-6, "{determinant}");
        }
    }

    #[test]
    fn damping_takes_energy_upright_and_inside_out() {
        let (t, cases) = cases();
        let small = Matrix3::new(0.3, -0.1, 0.2, 0.5, -0.4, 0.1, 0.2, 0.6, 0.2) * 1e-3;
        let mut acts = 0;
        for x in &cases {
            for g in [small, -small, small.transpose()] {
                let before = t.deformation(x);
                let f = (Matrix3::identity() + g) * before;
                let (_, cofactor) = hydrostatic(&f, 0.25);
                let stress = damping_stress(&f, &before.try_inverse().unwrap(), &cofactor);
                let work = stress.dot(&(f - before));
                assert!(work >= 0.0, "{work}");
                acts += usize::from(work > 0.0);
            }
        }
        assert_eq!(acts, 6);
    }

    #[test]
    fn a_damped_tetrahedron_that_turns_over_comes_to_rest() {
        let (mut t, cases) = cases();
        let (h, elasticity) = (
            0.01,
            Elasticity {
                mu: 1e3,
                lambda: 4e3,
                damping: 0.02,
            },
        );
        t.prepare(&[1.0; 4], &elasticity, h);
        let (mut x, mut v) = (cases[2].clone(), [Vector3::zeros(); 4]);
        let mut fastest = 0.0f64;
        for _ in 0..3000 {
            let x0 = x.clone();
            (0..4).for_each(|i| x[i] += v[i] * h);
            t.solve(&mut x, &x0, &elasticity, h);
            (0..4).for_each(|i| v[i] = (x[i] - x0[i]) / h);
            fastest = v.iter().map(Vector3::norm).fold(0.0, f64::max);
        }
        let determinant = t.deformation(&x).determinant();
        assert!((determinant - 1.0).abs() < 1e-3, "{determinant}");
        // What is left is a turn of the whole.
        let f = t.deformation(&x);
        let strain = f.transpose() * f - Matrix3::identity();
        assert!(strain.norm() < 0.05, "{strain} {fastest}");
    }

    #[test]
    fn a_flat_or_inverted_tetrahedron_is_none() {
        let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]].map(Vector3::from);
        assert!(Tetrahedron::new([0, 1, 2, 3], &x).is_none());
        let x = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]].map(Vector3::from);
        assert!(Tetrahedron::new([0, 1, 2, 3], &x).is_none());
    }
}
