//! The changes that each of the inputs makes at fixed surface coordinates, as rows of one number for each input.

use super::answer::{INPUTS, POSE_A, POSE_B, SHAPE_A, SHAPE_B};
use super::axes::{in_plane, to_common};
use super::stationary::{PolishedPair, Problem};
use super::surface_point::{ByShape, PARAMETERS};
use fearless_simd::Simd;
use nalgebra::Vector3;

/// A number for each input.
pub(super) type Row = [f64; INPUTS];
/// The three components of a vector for each input.
pub(super) type Rows3 = [Row; 3];

/// The changes that the inputs make at fixed surface coordinates.
pub(super) struct Inputs {
    /// In the tangent plane: of A's normal (c_A), and of the opposite of B's (c_B).
    pub normal: [[Row; 2]; 2],
    /// In the tangent plane: of the witness points of A (g_A) and B (g_B).
    pub point: [[Row; 2]; 2],
    /// In space: of the witness points, where the input is one of the body itself, otherwise 0.
    displacement: [Rows3; 2],
    /// The shape derivatives of both bodies; `None` for what is no superovoid.
    pub shapes: [Option<ByShape>; 2],
}

impl Inputs {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, problem: &Problem, at: &PolishedPair) -> Self {
        let shapes = ByShape::of_pair(simd, &problem.shapes, &at.points, problem.feature.is_none());
        let mut inputs = Inputs {
            normal: [[[0.0; INPUTS]; 2]; 2],
            point: [[[0.0; INPUTS]; 2]; 2],
            displacement: [[[0.0; INPUTS]; 3]; 2],
            shapes,
        };
        inputs.add_pose(problem, at, 0);
        inputs.add_shape(problem, at, 0);
        inputs.add_pose(problem, at, 1);
        inputs.add_shape(problem, at, 1);
        inputs
    }

    #[inline(always)]
    fn add_pose(&mut self, problem: &Problem, at: &PolishedPair, body: usize) {
        let start = [POSE_A, POSE_B][body].start;
        let lever = problem.lever(body, &at.sides[body].x);
        for k in 0..3 {
            let axis = Vector3::ith(k, 1.0);
            self.displace(at, body, start + k, &axis);
            self.displace(at, body, start + 3 + k, &axis.cross(&lever));
            let turned = in_plane(&at.tangents, &axis.cross(&at.normal));
            self.normal[body][0][start + 3 + k] = turned.x;
            self.normal[body][1][start + 3 + k] = turned.y;
        }
    }

    #[inline(always)]
    fn add_shape(&mut self, problem: &Problem, at: &PolishedPair, body: usize) {
        let start = [SHAPE_A, SHAPE_B][body].start;
        let rotation = &problem.rotations[body];
        // B's outward normal is opposite.
        let per_length = if body == 0 { 1.0 } else { -1.0 } / at.points[body].length;
        let Some(by_shape) = self.shapes[body] else {
            return;
        };
        for k in 0..PARAMETERS {
            let (x, n) = (
                to_common(rotation, &by_shape.x[k]),
                to_common(rotation, &by_shape.n[k]),
            );
            self.displace(at, body, start + k, &x);
            let turned = in_plane(&at.tangents, &n) * per_length;
            self.normal[body][0][start + k] = turned.x;
            self.normal[body][1][start + k] = turned.y;
        }
    }

    #[inline(always)]
    fn displace(&mut self, at: &PolishedPair, body: usize, j: usize, by: &Vector3<f64>) {
        let across = in_plane(&at.tangents, by);
        self.point[body][0][j] = across.x;
        self.point[body][1][j] = across.y;
        for k in 0..3 {
            self.displacement[body][k][j] = by[k];
        }
    }

    /// Adds the displacement of the body's witness point at fixed surface coordinates.
    #[inline(always)]
    pub fn add_displacement(&self, body: usize, to: &mut Rows3) {
        for k in 0..3 {
            for j in 0..INPUTS {
                to[k][j] += self.displacement[body][k][j];
            }
        }
    }

    /// The right sides of the system at a signed distance, see [`system`](super::system).
    #[inline(always)]
    pub fn right_sides(&self, distance: f64) -> [Row; 4] {
        let ([c_a, c_b], [g_a, g_b]) = (&self.normal, &self.point);
        let mut right = [[0.0; INPUTS]; 4];
        for i in 0..2 {
            for j in 0..INPUTS {
                right[i][j] = c_b[i][j] - c_a[i][j];
                right[2 + i][j] = distance * c_a[i][j] + g_a[i][j] - g_b[i][j];
            }
        }
        right
    }
}

/// Returns the sum of four rows, each times its factor.
///
/// Closures that are called more than once are not inlined into functions of one level of instructions, so that these
/// loops have none.
#[inline(always)]
pub(super) fn scaled_sum(f: [f64; 4], rows: &[Row; 4]) -> Row {
    let mut sum = [0.0; INPUTS];
    for j in 0..INPUTS {
        sum[j] = f[0] * rows[0][j] + f[1] * rows[1][j] + (f[2] * rows[2][j] + f[3] * rows[3][j]);
    }
    sum
}
