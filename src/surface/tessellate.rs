//! Triangle meshes of the surface.

use crate::Superovoid;
use nalgebra::Point3;

/// A closed triangle mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleMesh {
    /// Vertices, metres.
    pub vertices: Vec<Point3<f64>>,
    /// Vertex indices, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// Signed volume, cubic metres (positive for a closed mesh that faces outwards): the sum of
    /// the tetrahedra over the origin.
    pub fn volume(&self) -> f64 {
        let corner = |i: u32| self.vertices[i as usize].coords;
        let tetrahedra = self.triangles.iter().map(|t| {
            let [a, b, c] = t.map(corner);
            a.dot(&b.cross(&c))
        });
        tetrahedra.sum::<f64>() / 6.0
    }
}

impl Superovoid {
    /// A watertight mesh with outward triangles and its vertices on the surface.
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

/// `count + 1` points `(u, v)` from (1, 0) to (0, 1) on the circle `|u|^(2/e) + |v|^(2/e) = 1`,
/// evenly spaced by the arc length of `(u, stretch · v)`.
fn quarter_arc(e: f64, stretch: f64, count: usize) -> Vec<(f64, f64)> {
    const FINE: usize = 1024;
    // Directions of the circle below e = 1, of its dual (whose points are raised to q − 1) above:
    // either way a circle without sharp corners.
    let point = |k: usize| {
        let turn = std::f64::consts::FRAC_PI_2 * k as f64 / FINE as f64;
        match k {
            0 => (1.0, 0.0),
            FINE => (0.0, 1.0),
            _ if e <= 1.0 => radial(turn, e),
            _ => {
                let (u_dual, v_dual) = radial(turn, 2.0 - e);
                let power = e / (2.0 - e);
                (u_dual.powf(power), v_dual.powf(power))
            }
        }
    };
    let fine: Vec<(f64, f64)> = (0..=FINE).map(point).collect();
    let mut length = vec![0.0; FINE + 1];
    for k in 1..=FINE {
        let (du, dv) = (
            fine[k].0 - fine[k - 1].0,
            stretch * (fine[k].1 - fine[k - 1].1),
        );
        length[k] = length[k - 1] + du.hypot(dv);
    }
    (0..=count)
        .map(|i| {
            let target = length[FINE] * i as f64 / count as f64;
            fine[length.partition_point(|&l| l < target).min(FINE)]
        })
        .collect()
}

/// The point of the circle in direction `turn`.
fn radial(turn: f64, e: f64) -> (f64, f64) {
    let (s, c) = turn.sin_cos();
    let r = crate::surface::circle::norm(c, s, 2.0 / e);
    (c / r, s / r)
}

/// The whole circle from its first quarter, counter-clockwise, without a repeated point.
fn full_turn(quarter: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let n = quarter.len() - 1;
    let mut points = Vec::with_capacity(4 * n);
    points.extend(&quarter[..n]);
    points.extend(quarter[1..].iter().rev().map(|&(u, v)| (-u, v)));
    points.extend(quarter[..n].iter().map(|&(u, v)| (-u, -v)));
    points.extend(quarter[1..].iter().rev().map(|&(u, v)| (u, -v)));
    points
}

/// The half circle ρ ≥ 0 from (0, −1) to (0, 1).
fn half_turn(quarter: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let lower = quarter[1..].iter().rev().map(|&(rho, zeta)| (rho, -zeta));
    lower.chain(quarter.iter().copied()).collect()
}
