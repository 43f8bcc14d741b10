//! Closed triangle meshes: their checks, and the normals and areas of their vertices.
//!
//! A mesh is closed and turned outwards where every directed edge (a, b) of a triangle has exactly one partner (b, a), and
//! where its signed volume is positive:
//!
//! ```text
//! V = Σ (a − o)·((b − o) × (c − o))/6 over the triangles (a, b, c), with one of the vertices as o
//! ```
//!
//! The normal of a vertex is the sum of the unit normals of its triangles, each times the angle that the triangle has
//! there (Thürmer, Wüthrich 1998), or times its area; the first depends on the surface alone and not on how it was cut
//! into triangles. The area of a vertex is a third of those around it.

use crate::scene::VertexNormals;
use nalgebra::Vector3;
use std::collections::HashMap;
use superovoid::MeshError;

/// A mesh that is refused as the surface of a solid.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// The vertices and triangles are no mesh, or a triangle is degenerate.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The mesh ends at an edge.
    #[error("edge {}–{} of triangle {triangle} is a boundary: the mesh must be closed", edge[0], edge[1])]
    Boundary {
        /// The vertices of the edge.
        edge: [u32; 2],
        /// The triangle that has it.
        triangle: usize,
    },
    /// Two triangles run along an edge in the same direction.
    #[error("edge {}–{} has the same direction in triangles {} and {}: one of them is inverted, or more than two meet",
        edge[0], edge[1], triangles[0], triangles[1])]
    Inverted {
        /// The vertices of the edge.
        edge: [u32; 2],
        /// The triangles that have it.
        triangles: [usize; 2],
    },
    /// The whole mesh is turned inwards, or has no volume.
    #[error(
        "the signed volume is {0} m³: the triangles must be counter-clockwise seen from outside"
    )]
    Volume(f64),
    /// The normals around a vertex cancel.
    #[error("the normal of vertex {vertex} is zero")]
    Normal {
        /// The index of the vertex.
        vertex: usize,
    },
    /// Two vertices lie in one place.
    #[error("vertices {} and {} coincide", vertices[0], vertices[1])]
    Coincident {
        /// The indices of the vertices.
        vertices: [usize; 2],
    },
}

/// The triangles of a closed surface, and those around each vertex.
#[derive(Clone, Debug)]
pub struct Surface {
    triangles: Vec<[u32; 3]>,
    /// The triangles around vertex v are `around[starts[v]..starts[v + 1]]`.
    starts: Vec<u32>,
    around: Vec<u32>,
}

impl Surface {
    /// Checks a mesh and makes its surface. Vertices without triangles are allowed: a solid has them inside.
    ///
    /// # Errors
    /// The error names the first edge, triangle or vertex that is refused.
    pub fn new(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self, SurfaceError> {
        check_triangles(vertices, triangles, 1e-12)?;
        check_edges(triangles)?;
        check_coincident(vertices)?;
        let at: Vec<Vector3<f64>> = vertices.iter().map(|&v| v.into()).collect();
        let volume = volume(&at, triangles);
        if volume.is_nan() || volume <= 0.0 {
            return Err(SurfaceError::Volume(volume));
        }
        let surface = Self::around(vertices.len(), triangles);
        let mut shape = VertexShapes::default();
        shape.update(&surface, &at, VertexNormals::Angle);
        let zero =
            |v: &usize| !surface.faces_of(*v).is_empty() && shape.normals[*v] == Vector3::zeros();
        match (0..vertices.len()).find(zero) {
            Some(vertex) => Err(SurfaceError::Normal { vertex }),
            None => Ok(surface),
        }
    }

    /// The number of the vertices that have triangles.
    pub fn vertex_count(&self) -> usize {
        self.starts.windows(2).filter(|w| w[0] < w[1]).count()
    }

    fn around(count: usize, triangles: &[[u32; 3]]) -> Self {
        let mut starts = vec![0u32; count + 1];
        for &v in triangles.iter().flatten() {
            starts[v as usize + 1] += 1;
        }
        for v in 0..count {
            starts[v + 1] += starts[v];
        }
        let mut next = starts.clone();
        let mut around = vec![0; 3 * triangles.len()];
        for (t, triangle) in triangles.iter().enumerate() {
            for &v in triangle {
                around[next[v as usize] as usize] = t as u32;
                next[v as usize] += 1;
            }
        }
        Surface {
            triangles: triangles.to_vec(),
            starts,
            around,
        }
    }

    /// The vertex indices of the triangles, counter-clockwise seen from outside.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The triangles around a vertex.
    ///
    /// # Panics
    /// It panics if there is no such vertex.
    pub fn faces_of(&self, vertex: usize) -> &[u32] {
        &self.around[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// The corners of a triangle.
    #[inline]
    pub(crate) fn corners<'a>(
        &self,
        triangle: u32,
        x: &'a [Vector3<f64>],
    ) -> [&'a Vector3<f64>; 3] {
        self.triangles[triangle as usize].map(|v| &x[v as usize])
    }
}

/// Returns the signed volume that triangles enclose, m³.
pub(crate) fn volume(x: &[Vector3<f64>], triangles: &[[u32; 3]]) -> f64 {
    // About one of the vertices: far from the origin the parts would cancel but for their rounding.
    let Some(origin) = triangles.first().map(|t| x[t[0] as usize]) else {
        return 0.0;
    };
    let part = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| x[v as usize] - origin);
        a.dot(&b.cross(&c)) / 6.0
    };
    triangles.iter().map(part).sum()
}

/// Checks vertices and triangles, of which none may be as thin as a share of its longest side.
pub(crate) fn check_triangles(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
    needle: f64,
) -> Result<(), MeshError> {
    MeshError::check(vertices, triangles)?;
    let is_thin = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| Vector3::from(vertices[v as usize]));
        let longest = (b - a).norm().max((c - b).norm()).max((a - c).norm());
        (b - a).cross(&(c - a)).norm() <= needle * longest * longest
    };
    match triangles.iter().position(is_thin) {
        Some(triangle) => Err(MeshError::Degenerate { triangle }),
        None => Ok(()),
    }
}

/// An edge along which two triangles run in the same direction, and these.
type SameDirection = ([u32; 2], [usize; 2]);

/// Returns the triangle of each directed edge, or an edge along which two run in the same direction.
pub(crate) fn directed_edges(
    triangles: &[[u32; 3]],
) -> Result<HashMap<[u32; 2], usize>, SameDirection> {
    let mut directed = HashMap::with_capacity(3 * triangles.len());
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for edge in [[a, b], [b, c], [c, a]] {
            if let Some(other) = directed.insert(edge, triangle) {
                return Err((edge, [other, triangle]));
            }
        }
    }
    Ok(directed)
}

fn check_edges(triangles: &[[u32; 3]]) -> Result<(), SurfaceError> {
    let directed = directed_edges(triangles)
        .map_err(|(edge, triangles)| SurfaceError::Inverted { edge, triangles })?;
    for (triangle, &[a, b, c]) in triangles.iter().enumerate() {
        for edge in [[a, b], [b, c], [c, a]] {
            if !directed.contains_key(&[edge[1], edge[0]]) {
                return Err(SurfaceError::Boundary { edge, triangle });
            }
        }
    }
    Ok(())
}

fn check_coincident(vertices: &[[f64; 3]]) -> Result<(), SurfaceError> {
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    // Zero has two signs and one place.
    let key = |i: usize| vertices[i].map(|x| x + 0.0);
    order.sort_by(|&i, &j| {
        let (a, b) = (key(i), key(j));
        let by = |k: usize| a[k].total_cmp(&b[k]);
        by(0).then(by(1)).then(by(2)).then(i.cmp(&j))
    });
    match order.windows(2).find(|pair| key(pair[0]) == key(pair[1])) {
        Some(pair) => Err(SurfaceError::Coincident {
            vertices: [pair[0], pair[1]],
        }),
        None => Ok(()),
    }
}

/// The unit normals and the areas of the vertices of a surface, and the unit normals of its triangles.
#[derive(Clone, Debug, Default)]
pub struct VertexShapes {
    /// The outward unit normals of the vertices; zero where those around cancel, and inside.
    pub normals: Vec<Vector3<f64>>,
    /// A third of the areas around each vertex, m².
    pub areas: Vec<f64>,
    /// The outward unit normals of the triangles; zero where one has no area.
    pub faces: Vec<Vector3<f64>>,
}

/// A sum of unit normals that is shorter than this counts as zero.
const CANCELS: f64 = 1e-9;

impl VertexShapes {
    /// Computes all of them for vertices at x.
    ///
    /// # Panics
    /// It panics if there are fewer positions than the surface has vertices.
    pub fn update(&mut self, surface: &Surface, x: &[Vector3<f64>], normals: VertexNormals) {
        self.normals.clear();
        self.normals.resize(x.len(), Vector3::zeros());
        self.areas.clear();
        self.areas.resize(x.len(), 0.0);
        self.faces.clear();
        for t in &surface.triangles {
            let [a, b, c] = t.map(|v| x[v as usize]);
            let cross = (b - a).cross(&(c - a));
            let twice = cross.norm();
            let normal = if twice > 0.0 { cross / twice } else { cross };
            self.faces.push(normal);
            let angles = [(a, b, c), (b, c, a), (c, a, b)];
            for (&v, (at, next, last)) in t.iter().zip(angles) {
                let weight = match normals {
                    VertexNormals::Angle => {
                        let (p, q) = (next - at, last - at);
                        p.cross(&q).norm().atan2(p.dot(&q))
                    }
                    VertexNormals::Area => twice,
                };
                self.normals[v as usize] += normal * weight;
                self.areas[v as usize] += twice / 6.0;
            }
        }
        for (normal, &area) in self.normals.iter_mut().zip(&self.areas) {
            let least = match normals {
                VertexNormals::Angle => CANCELS,
                VertexNormals::Area => CANCELS * area,
            };
            let length = normal.norm();
            *normal = if length > least {
                *normal / length
            } else {
                Vector3::zeros()
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soft::mesh::{SolidMesh, torus};

    fn ring() -> SolidMesh {
        torus(0.2, 0.05, [12, 8])
    }

    fn refused(change: impl FnOnce(&mut SolidMesh)) -> SurfaceError {
        let mut mesh = ring();
        assert!(Surface::new(&mesh.vertices, &mesh.triangles).is_ok());
        change(&mut mesh);
        Surface::new(&mesh.vertices, &mesh.triangles).expect_err("the mesh is refused")
    }

    #[test]
    fn open_and_inverted_meshes_are_refused_with_the_edge_named() {
        let [a, b, c] = ring().triangles[5];
        match refused(|mesh| {
            mesh.triangles.remove(5);
        }) {
            SurfaceError::Boundary { edge, .. } => {
                assert!([[b, a], [c, b], [a, c]].contains(&edge), "{edge:?}");
            }
            error => panic!("{error}"),
        }
        match refused(|mesh| mesh.triangles[5].swap(0, 1)) {
            SurfaceError::Inverted { edge, triangles } => {
                assert!([[b, a], [a, c], [c, b]].contains(&edge), "{edge:?}");
                assert!(triangles.contains(&5));
            }
            error => panic!("{error}"),
        }
        let said = refused(|mesh| mesh.triangles[5].swap(0, 1)).to_string();
        assert!(
            said.starts_with("edge ") && said.contains("inverted"),
            "{said}"
        );
    }

    #[test]
    fn a_mesh_that_is_turned_inwards_or_that_folds_onto_itself_is_refused() {
        let error = refused(|mesh| mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2)));
        assert!(
            matches!(error, SurfaceError::Volume(v) if v < 0.0),
            "{error}"
        );
        let error = refused(|mesh| mesh.vertices[3] = mesh.vertices[40]);
        assert!(
            matches!(
                error,
                SurfaceError::Coincident { .. } | SurfaceError::Mesh(MeshError::Degenerate { .. })
            ),
            "{error}"
        );
        let error = refused(|mesh| mesh.vertices.push(mesh.vertices[7]));
        assert!(
            matches!(error, SurfaceError::Coincident { vertices: [7, _] }),
            "{error}"
        );
        let error = refused(|mesh| mesh.vertices[3][1] = f64::NAN);
        assert_eq!(
            error,
            SurfaceError::Mesh(MeshError::NonFiniteVertex { index: 3 })
        );
        let error = refused(|mesh| mesh.triangles[3][1] = 4000);
        assert!(matches!(
            error,
            SurfaceError::Mesh(MeshError::VertexOutOfRange {
                triangle: 3,
                vertex: 4000,
                ..
            })
        ));
    }

    #[test]
    fn a_zero_normal_is_refused() {
        // Two tetrahedra that meet at one vertex: the cones around it are opposite, and their normals cancel.
        let up = [[1.0, 0.0, 1.0], [-0.5, 0.8, 1.0], [-0.5, -0.8, 1.0]];
        let down = up.map(|[x, y, z]| [-x, -y, -z]);
        let vertices = [vec![[0.0; 3]], up.to_vec(), down.to_vec()].concat();
        let cone = |a: u32, b: u32, c: u32| [[0, b, a], [0, c, b], [0, a, c], [a, b, c]];
        let triangles = [cone(1, 2, 3), cone(4, 6, 5)].concat();
        assert_eq!(
            Surface::new(&vertices, &triangles).unwrap_err(),
            SurfaceError::Normal { vertex: 0 }
        );
    }

    #[test]
    fn normals_by_angle_do_not_depend_on_the_diagonals_of_a_box() {
        let corner = |i: u32| [0, 1, 2].map(|k| f64::from(i >> k & 1));
        let vertices: Vec<_> = (0..8).map(corner).collect();
        // Each side as its four corners, counter-clockwise from outside.
        let sides = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
        ];
        let triangles: Vec<_> = sides
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect();
        let surface = Surface::new(&vertices, &triangles).unwrap();
        let x: Vec<Vector3<f64>> = vertices.iter().map(|&v| v.into()).collect();
        let mut shape = VertexShapes::default();
        shape.update(&surface, &x, VertexNormals::Angle);
        for (x, n) in x.iter().zip(&shape.normals) {
            let out = (x - Vector3::repeat(0.5)).normalize();
            assert!((n - out).norm() < 1e-14);
        }
        assert!((shape.areas.iter().sum::<f64>() - 6.0).abs() < 1e-14);
        shape.update(&surface, &x, VertexNormals::Area);
        let worst = x
            .iter()
            .zip(&shape.normals)
            .map(|(x, n)| (n - (x - Vector3::repeat(0.5)).normalize()).norm());
        // Corners with one triangle on a side and two on another lean.
        assert!(worst.fold(0.0, f64::max) > 0.1);
    }
}
