//! Triangle meshes to be fitted.

use nalgebra::{Point3, Vector3};
use std::collections::HashMap;
use superovoid::{MeshError, TriangleMesh};

/// A triangle mesh, closed or not. Vertices at the same place are one, and triangles without area are left out.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh(TriangleMesh);

impl Mesh {
    /// From vertices (metres) and the vertex indices of the triangles, counter-clockwise seen from outside.
    ///
    /// # Errors
    /// A vertex that is not finite, an index out of range, or no triangle with an area.
    pub fn new(vertices: Vec<Point3<f64>>, triangles: Vec<[u32; 3]>) -> Result<Mesh, MeshError> {
        Mesh::try_from(TriangleMesh {
            vertices,
            triangles,
        })
    }

    /// The mesh with its coordinates multiplied by factors along x, y and z. Negative ones mirror it; its triangles
    /// then keep their outside.
    ///
    /// # Errors
    /// A vertex that leaves the number range, or no triangle that keeps an area: a factor of 0.
    pub fn scaled(&self, factors: [f64; 3]) -> Result<Mesh, MeshError> {
        Mesh::try_from(self.0.scaled(factors))
    }

    /// The vertices that triangles use, metres.
    pub fn vertices(&self) -> &[Point3<f64>] {
        &self.0.vertices
    }

    /// Vertex indices of the triangles.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.0.triangles
    }

    pub(crate) fn corners(&self, triangle: usize) -> [Point3<f64>; 3] {
        self.0.triangles[triangle].map(|v| self.0.vertices[v as usize])
    }

    fn area(&self, triangle: usize) -> f64 {
        let [a, b, c] = self.corners(triangle);
        0.5 * (b - a).cross(&(c - a)).norm()
    }

    /// Whether every edge belongs to as many triangles in one direction as in the other.
    pub fn is_closed(&self) -> bool {
        let mut edges: HashMap<[u32; 2], i64> = HashMap::new();
        for &[a, b, c] in &self.0.triangles {
            for [from, to] in [[a, b], [b, c], [c, a]] {
                let (edge, way) = if from < to {
                    ([from, to], 1)
                } else {
                    ([to, from], -1)
                };
                *edges.entry(edge).or_insert(0) += way;
            }
        }
        edges.values().all(|&balance| balance == 0)
    }

    /// Volume, cubic metres, if the mesh is closed; negative when its triangles face inwards.
    pub fn volume(&self) -> Option<f64> {
        self.is_closed().then(|| {
            let origin = self.0.vertices[0];
            let tetrahedra = (0..self.0.triangles.len()).map(|k| {
                let [a, b, c]: [Vector3<f64>; 3] = self.corners(k).map(|p| p - origin);
                a.dot(&b.cross(&c))
            });
            tetrahedra.sum::<f64>() / 6.0
        })
    }

    /// The convex hull; None where the vertices lie in a plane or too nearly so.
    pub fn hull(&self) -> Option<Mesh> {
        Mesh::hull_of(&self.0.vertices)
    }

    pub(crate) fn hull_of(points: &[Point3<f64>]) -> Option<Mesh> {
        Mesh::try_from(crate::hull::of(points)?).ok()
    }

    /// `count` points spread over the surface in proportion to its area, always the same ones: one in each of
    /// `count` equal slices of the area, within its triangle by a low-discrepancy sequence.
    pub fn sample(&self, count: usize) -> Vec<Point3<f64>> {
        // The plastic number's sequence in the unit square.
        const STEP: [f64; 2] = [0.754_877_666_246_692_7, 0.569_840_290_998_053_2];
        let mut total = 0.0;
        let sums: Vec<f64> = (0..self.0.triangles.len())
            .map(|k| {
                total += self.area(k);
                total
            })
            .collect();
        (0..count)
            .map(|i| {
                let position = (i as f64 + 0.5) / count as f64 * total;
                let k = sums.partition_point(|&s| s <= position).min(sums.len() - 1);
                let [a, b, c] = self.corners(k);
                let (u, v) = (
                    (0.5 + i as f64 * STEP[0]).fract(),
                    (0.5 + i as f64 * STEP[1]).fract(),
                );
                let (u, v) = if u + v > 1.0 {
                    (1.0 - u, 1.0 - v)
                } else {
                    (u, v)
                };
                a + (b - a) * u + (c - a) * v
            })
            .collect()
    }
}

impl TryFrom<TriangleMesh> for Mesh {
    type Error = MeshError;

    fn try_from(mesh: TriangleMesh) -> Result<Mesh, MeshError> {
        let TriangleMesh {
            vertices,
            triangles,
        } = mesh;
        // A polygon without area gives no triangle.
        MeshError::check(&vertices, &triangles).map_err(|error| match error {
            MeshError::Empty => MeshError::NoArea,
            other => other,
        })?;
        let mut places: HashMap<[u64; 3], u32> = HashMap::new();
        let mut merged: Vec<Point3<f64>> = Vec::new();
        let mut place_of = |index: u32| {
            let vertex = vertices[index as usize];
            // Adding 0 makes one of the two zeros.
            let bits = [0, 1, 2].map(|k| (vertex[k] + 0.0).to_bits());
            *places.entry(bits).or_insert_with(|| {
                merged.push(vertex);
                (merged.len() - 1) as u32
            })
        };
        let triangles: Vec<_> = triangles.iter().map(|t| t.map(&mut place_of)).collect();
        let mut mesh = Mesh(TriangleMesh {
            vertices: merged,
            triangles,
        });
        let areas: Vec<f64> = (0..mesh.0.triangles.len()).map(|k| mesh.area(k)).collect();
        let mut area = areas.iter();
        let has_area = |_: &[u32; 3]| area.next().is_some_and(|a| *a > 0.0);
        mesh.0.triangles.retain(has_area);
        if mesh.0.triangles.is_empty() {
            return Err(MeshError::NoArea);
        }
        Ok(mesh)
    }
}

impl From<Mesh> for TriangleMesh {
    fn from(mesh: Mesh) -> TriangleMesh {
        mesh.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Mesh {
        let corner = |k: usize| Point3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        let quads: [[u32; 4]; 6] = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles = quads
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        Mesh::new((0..8).map(corner).collect(), triangles.collect()).unwrap()
    }

    #[test]
    fn a_cube_is_closed_and_has_its_volume() {
        assert!(cube().is_closed());
        assert!((cube().volume().unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(cube().hull().unwrap().vertices().len(), 8);
        let mut open = cube();
        open.0.triangles.pop();
        assert_eq!(open.volume(), None);
    }

    #[test]
    fn a_mirrored_mesh_keeps_its_outside() {
        for (factors, volume) in [
            ([2.0, 3.0, 0.5], 3.0),
            ([-1.0, 1.0, 1.0], 1.0),
            ([-1.0, -2.0, 1.0], 2.0),
            ([-1.0, -2.0, -3.0], 6.0),
        ] {
            let found = cube().scaled(factors).unwrap().volume().unwrap();
            assert!((found - volume).abs() < 1e-14, "{factors:?}: {found}");
        }
        assert_eq!(cube().scaled([0.0; 3]), Err(MeshError::NoArea));
        let far = cube().scaled([f64::INFINITY, 1.0, 1.0]);
        assert!(matches!(far, Err(MeshError::NonFiniteVertex { .. })));
    }

    #[test]
    fn samples_are_spread_evenly() {
        let points = cube().sample(6000);
        for k in 0..3 {
            let low = points.iter().filter(|p| p[k] == 0.0).count();
            assert!((low as i64 - 1000).abs() <= 2, "{low}");
            let half = points.iter().filter(|p| p[k] < 0.5).count();
            assert!((half as i64 - 3000).abs() < 60, "{half}");
        }
    }

    #[test]
    fn triangle_soup_becomes_one_surface() {
        let whole = cube();
        let corners = (0..12).flat_map(|k| whole.corners(k)).collect();
        let soup = (0..12).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let mesh = Mesh::new(corners, soup).unwrap();
        assert_eq!(mesh.vertices().len(), 8);
        assert!(mesh.is_closed());
    }

    #[test]
    fn bad_meshes_are_refused() {
        let p = |x: f64| Point3::new(x, 0.0, x * x);
        let nan = Mesh::new(vec![p(0.0), p(f64::NAN), p(1.0)], vec![[0, 1, 2]]);
        assert_eq!(nan, Err(MeshError::NonFiniteVertex { index: 1 }));
        let range = Mesh::new(vec![p(0.0), p(1.0)], vec![[0, 1, 2]]);
        assert!(range.unwrap_err().to_string().contains("names vertex 2"));
        let point = Mesh::new(vec![p(1.0); 3], vec![[0, 1, 2]]);
        assert_eq!(point, Err(MeshError::NoArea));
        assert_eq!(Mesh::new(vec![], vec![]), Err(MeshError::NoArea));
    }
}
