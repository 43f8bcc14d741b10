//! The vertices of all cloths as particles.
//!
//! A substep of length h predicts, corrects and takes the velocities from the positions:
//!
//! ```text
//! v ← v + h a,   x₀ ← x,   x ← x + h v;      constraints move x;      v ← (x − x₀)/h
//! ```

use nalgebra::Vector3;

/// Particles as arrays; `w` is the inverse mass, 0 for what is held.
#[derive(Clone, Debug, Default)]
pub(crate) struct Particles {
    pub x: Vec<Vector3<f64>>,
    /// The positions at the start of the substep.
    pub x0: Vec<Vector3<f64>>,
    pub v: Vec<Vector3<f64>>,
    pub w: Vec<f64>,
    /// The acceleration of wind during a frame.
    pub wind: Vec<Vector3<f64>>,
}

impl Particles {
    /// Predicts the positions of the particles in a range. `keep` is the share of velocity that the still air leaves.
    pub fn predict(
        &mut self,
        range: std::ops::Range<usize>,
        gravity: Vector3<f64>,
        keep: f64,
        h: f64,
    ) {
        let slices = (
            &mut self.x[range.clone()],
            &mut self.x0[range.clone()],
            &mut self.v[range.clone()],
        );
        let others = (&self.w[range.clone()], &self.wind[range]);
        for ((((x, x0), v), &w), wind) in slices
            .0
            .iter_mut()
            .zip(slices.1)
            .zip(slices.2)
            .zip(others.0)
            .zip(others.1)
        {
            *x0 = *x;
            if w > 0.0 {
                *v = (*v + (gravity + wind) * h) * keep;
                *x += *v * h;
            }
        }
    }

    /// Takes the velocities from the positions.
    pub fn update_velocities(&mut self, range: std::ops::Range<usize>, h: f64) {
        let per_h = 1.0 / h;
        for i in range {
            self.v[i] = (self.x[i] - self.x0[i]) * per_h;
        }
    }
}
