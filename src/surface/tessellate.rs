//! Closed triangle meshes of the surface, with vertices evenly spaced by arc length.

use crate::Superovoid;
use crate::surface::triangle_mesh::TriangleMesh;
use nalgebra::Point3;

impl Superovoid {
    /// Returns a watertight mesh with outward triangles and its vertices on the surface.
    ///
    /// `segments` edges go around each ring (rounded up to a multiple of 4, at least 8) and half as
    /// many bands from pole to pole. Both circles are divided evenly by arc length, so that boxes
    /// keep their flat faces and sharp edges; each pole is one vertex.
    pub fn tessellate(&self, segments: usize) -> TriangleMesh {
        let quarter = segments.div_ceil(4).max(2);
        let around = 4 * quarter;
        let section = full_turn(&quarter_arc(self.e[0], self.a[1] / self.a[0], quarter));
        let half_width = 0.5 * (self.a[0] + self.a[1]);
        let profile = half_turn(&quarter_arc(self.e[1], self.a[2] / half_width, quarter));

        let pole = |zeta: f64| Point3::new(0.0, 0.0, self.a[2] * zeta);
        let mut vertices = vec![pole(-1.0)];
        for &(rho, zeta) in &profile[1..profile.len() - 1] {
            let [tau_x, tau_y] = self.taper_factors(zeta);
            vertices.extend(section.iter().map(|&(xi, eta)| {
                Point3::new(
                    self.a[0] * tau_x * rho * xi,
                    self.a[1] * tau_y * rho * eta,
                    self.a[2] * zeta,
                )
            }));
        }
        let top = vertices.len();
        vertices.push(pole(1.0));

        let rings = profile.len() - 2;
        let at = |ring: usize, k: usize| (1 + ring * around + k % around) as u32;
        let mut triangles = Vec::with_capacity(2 * around * rings);
        for k in 0..around {
            triangles.push([0, at(0, k + 1), at(0, k)]);
            for ring in 1..rings {
                let (below, above) = (ring - 1, ring);
                triangles.push([at(below, k), at(below, k + 1), at(above, k + 1)]);
                triangles.push([at(below, k), at(above, k + 1), at(above, k)]);
            }
            triangles.push([top as u32, at(rings - 1, k), at(rings - 1, k + 1)]);
        }
        TriangleMesh {
            vertices,
            triangles,
        }
    }
}

/// Returns `count + 1` points `(u, v)` from (1, 0) to (0, 1) on the circle `|u|^(2/e) + |v|^(2/e) = 1`, evenly spaced
/// by the arc length of `(u, stretch · v)`.
pub(crate) fn quarter_arc(e: f64, stretch: f64, count: usize) -> Vec<(f64, f64)> {
    // The angles are those of directions about the centre: the radius of any such circle varies by less than a factor
    // of 2.
    let fine = 16 * count.max(64);
    let point = |step: f64| {
        if step <= 0.0 {
            (1.0, 0.0)
        } else if step >= fine as f64 {
            (0.0, 1.0)
        } else {
            radial(std::f64::consts::FRAC_PI_2 * step / fine as f64, e)
        }
    };
    let mut length = vec![0.0; fine + 1];
    for k in 1..=fine {
        let ((u0, v0), (u1, v1)) = (point((k - 1) as f64), point(k as f64));
        length[k] = length[k - 1] + (u1 - u0).hypot(stretch * (v1 - v0));
    }
    (0..=count)
        .map(|i| {
            let target = length[fine] * i as f64 / count as f64;
            let k = length.partition_point(|&l| l < target).clamp(1, fine);
            let part = (target - length[k - 1]) / (length[k] - length[k - 1]);
            point((k - 1) as f64 + part)
        })
        .collect()
}

/// Returns the point of the circle in direction `turn`.
fn radial(turn: f64, e: f64) -> (f64, f64) {
    let (s, c) = turn.sin_cos();
    let r = crate::shape::circle::norm(c, s, 2.0 / e);
    (c / r, s / r)
}

/// Returns the whole circle from its first quarter, counter-clockwise, without a repeated point.
pub(crate) fn full_turn(quarter: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let n = quarter.len() - 1;
    let mut points = Vec::with_capacity(4 * n);
    points.extend(&quarter[..n]);
    points.extend(quarter[1..].iter().rev().map(|&(u, v)| (-u, v)));
    points.extend(quarter[..n].iter().map(|&(u, v)| (-u, -v)));
    points.extend(quarter[1..].iter().rev().map(|&(u, v)| (u, -v)));
    points
}

/// Returns the half circle ρ ≥ 0 from (0, −1) to (0, 1).
fn half_turn(quarter: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let lower = quarter[1..].iter().rev().map(|&(rho, zeta)| (rho, -zeta));
    lower.chain(quarter.iter().copied()).collect()
}
