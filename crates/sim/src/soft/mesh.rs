//! Solids of tetrahedra: rings and balls.
//!
//! A torus has one core vertex in each of its sections, from which the section fans out in triangles to the vertices of
//! the surface. Between two sections a triangle (p, q, r) sweeps a prism, which three tetrahedra fill:
//!
//! ```text
//! (p₀ q₀ r₀ r₁), (p₀ q₀ q₁ r₁), (p₀ p₁ q₁ r₁)      for p < q < r, with 0 and 1 for the sections
//! ```
//!
//! Every side of the prism is cut from its lower vertex at 0 to its higher vertex at 1, so that neighbours agree. With 40
//! sections of 20 vertices these are 800 vertices on the surface, 40 in the core, 1,600 triangles and 2,400 tetrahedra. A
//! ball is a refined icosahedron with shells inside, cut in the same way, and a centre.
//!
//! The triangles of the surface are the faces of one tetrahedron only.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// A solid of tetrahedra with its surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SolidMesh {
    /// The vertices, metres; those of the surface come first.
    pub vertices: Vec<[f64; 3]>,
    /// The triangles of the surface, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The tetrahedra, of positive volume (x₁ − x₀)·((x₂ − x₀) × (x₃ − x₀))/6.
    pub tetrahedra: Vec<[u32; 4]>,
}

impl SolidMesh {
    /// Orients the tetrahedra and finds their surface.
    fn of(vertices: Vec<[f64; 3]>, mut tetrahedra: Vec<[u32; 4]>) -> Self {
        for t in &mut tetrahedra {
            let [a, b, c, d] = t.map(|v| Vector3::from(vertices[v as usize]));
            if Matrix3::from_columns(&[b - a, c - a, d - a]).determinant() < 0.0 {
                t.swap(2, 3);
            }
        }
        SolidMesh {
            triangles: boundary(&tetrahedra),
            vertices,
            tetrahedra,
        }
    }

    /// Returns the solid at a pose.
    #[must_use]
    pub fn at(mut self, pose: &Isometry3<f64>) -> Self {
        for vertex in &mut self.vertices {
            *vertex = (pose * Point3::from(*vertex)).into();
        }
        self
    }
}

/// The faces that one tetrahedron has alone, outwards, in the order of the tetrahedra.
pub(crate) fn boundary(tetrahedra: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let faces = |&[a, b, c, d]: &[u32; 4]| [[a, c, b], [a, b, d], [a, d, c], [b, c, d]];
    let key = |mut face: [u32; 3]| {
        face.sort_unstable();
        face
    };
    let mut count = HashMap::new();
    for face in tetrahedra.iter().flat_map(faces) {
        *count.entry(key(face)).or_insert(0) += 1;
    }
    tetrahedra
        .iter()
        .flat_map(faces)
        .filter(|face| count[&key(*face)] == 1)
        .collect()
}

/// The three tetrahedra of the prism over a triangle, whose corners become others in the second layer.
fn prism(mut triangle: [u32; 3], over: impl Fn(u32) -> u32) -> [[u32; 4]; 3] {
    triangle.sort_unstable();
    let [p, q, r] = triangle;
    [
        [p, q, r, over(r)],
        [p, q, over(q), over(r)],
        [p, over(p), over(q), over(r)],
    ]
}

/// Returns a solid torus about the z axis with the radii of its circle and of its tube, metres. `[around, section]` are
/// the vertices along the circle and around the tube, each at least 3.
pub fn torus(radius: f64, tube: f64, [around, section]: [usize; 2]) -> SolidMesh {
    let (around, section) = (around.max(3), section.max(3));
    let at = |j: usize, height: f64, beside: f64| {
        let angle = TAU * j as f64 / around as f64;
        [
            (radius + beside) * angle.cos(),
            (radius + beside) * angle.sin(),
            height,
        ]
    };
    let mut vertices = Vec::with_capacity(around * (section + 1));
    for j in 0..around {
        for k in 0..section {
            let angle = TAU * k as f64 / section as f64;
            vertices.push(at(j, tube * angle.sin(), tube * angle.cos()));
        }
    }
    vertices.extend((0..around).map(|j| at(j, 0.0, 0.0)));
    // The number of a vertex in its section, the core last, and that in the solid.
    let vertex = |j: usize, k: u32| {
        let j = j % around;
        let core = around * section + j;
        let outer = j * section + k as usize;
        (if k as usize == section { core } else { outer }) as u32
    };
    let mut tetrahedra = Vec::with_capacity(3 * around * section);
    for j in 0..around {
        for k in 0..section as u32 {
            let triangle = [k, (k + 1) % section as u32, section as u32];
            // Numbers of the next section are those of this one and a turn more.
            let turn = section as u32 + 1;
            let layers = prism(triangle, |k| k + turn);
            let placed = layers.map(|t| {
                t.map(|k| {
                    if k < turn {
                        vertex(j, k)
                    } else {
                        vertex(j + 1, k - turn)
                    }
                })
            });
            tetrahedra.extend(placed);
        }
    }
    SolidMesh::of(vertices, tetrahedra)
}

/// Returns a solid ball about the origin: an icosahedron whose triangles are quartered `refined` times, and `shells`
/// layers from there to the centre, at least 1.
pub fn ball(radius: f64, refined: usize, shells: usize) -> SolidMesh {
    let shells = shells.max(1);
    let (directions, triangles) = icosphere(refined);
    let count = directions.len() as u32;
    let mut vertices = Vec::with_capacity(directions.len() * shells + 1);
    for shell in 0..shells {
        let size = radius * (1.0 - shell as f64 / shells as f64);
        vertices.extend(directions.iter().map(|d| <[f64; 3]>::from(d * size)));
    }
    vertices.push([0.0; 3]);
    let center = vertices.len() as u32 - 1;
    let mut tetrahedra = Vec::new();
    for triangle in &triangles {
        for shell in 0..shells as u32 {
            let here = triangle.map(|v| v + shell * count);
            if shell + 1 == shells as u32 {
                tetrahedra.push([here[0], here[1], here[2], center]);
            } else {
                tetrahedra.extend(prism(here, |v| v + count));
            }
        }
    }
    SolidMesh::of(vertices, tetrahedra)
}

/// A refined icosahedron on the unit sphere.
fn icosphere(refined: usize) -> (Vec<Vector3<f64>>, Vec<[u32; 3]>) {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    let mut vertices: Vec<Vector3<f64>> = Vec::new();
    for (a, b) in [(1.0, g), (-1.0, g), (1.0, -g), (-1.0, -g)] {
        vertices
            .extend([[0.0, a, b], [a, b, 0.0], [b, 0.0, a]].map(|v| Vector3::from(v).normalize()));
    }
    let edge = 2.0 / (1.0 + g * g).sqrt();
    let near = |i: usize, j: usize, vertices: &[Vector3<f64>]| {
        ((vertices[i] - vertices[j]).norm() - edge).abs() < 1e-9
    };
    let mut triangles = Vec::new();
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j, &vertices) && near(j, k, &vertices) && near(k, i, &vertices) {
                    triangles.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    for _ in 0..refined {
        let mut middle = HashMap::new();
        let mut finer = Vec::with_capacity(4 * triangles.len());
        for &[a, b, c] in &triangles {
            let [ab, bc, ca] = [[a, b], [b, c], [c, a]].map(|[i, j]| {
                *middle.entry([i.min(j), i.max(j)]).or_insert_with(|| {
                    let sum = vertices[i as usize] + vertices[j as usize];
                    vertices.push(sum.normalize());
                    vertices.len() as u32 - 1
                })
            });
            finer.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = finer;
    }
    (vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soft::surface::{Surface, volume};
    use std::f64::consts::PI;

    fn volumes(mesh: &SolidMesh) -> (f64, f64, f64) {
        let x: Vec<Vector3<f64>> = mesh.vertices.iter().map(|&v| v.into()).collect();
        let of = |t: &[u32; 4]| {
            let [a, b, c, d] = t.map(|v| x[v as usize]);
            (b - a).cross(&(c - a)).dot(&(d - a)) / 6.0
        };
        let least = mesh.tetrahedra.iter().map(of).fold(f64::INFINITY, f64::min);
        let sum = mesh.tetrahedra.iter().map(of).sum();
        (volume(&x, &mesh.triangles), sum, least)
    }

    #[test]
    fn the_torus_of_the_paper_has_1600_triangles_and_2400_tetrahedra_that_fill_it() {
        let mesh = torus(0.1, 0.03, [40, 20]);
        assert_eq!(mesh.triangles.len(), 1600);
        assert_eq!(mesh.tetrahedra.len(), 2400);
        assert_eq!(mesh.vertices.len(), 840);
        assert!(mesh.triangles.iter().flatten().all(|&v| v < 800));
        let surface = Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
        assert!((800..840).all(|v| surface.faces_of(v).is_empty()));
        let (enclosed, filled, least) = volumes(&mesh);
        assert!((enclosed - filled).abs() < 1e-12 * filled);
        assert!(least > 0.0);
        let exact = 2.0 * PI * PI * 0.1 * 0.03 * 0.03;
        assert!((filled / exact - 1.0).abs() < 0.03, "{}", filled / exact);
    }

    #[test]
    fn balls_are_closed_and_filled() {
        for (refined, shells) in [(0, 1), (1, 2), (2, 3)] {
            let mesh = ball(0.5, refined, shells);
            assert_eq!(mesh.triangles.len(), 20 << (2 * refined));
            Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
            let (enclosed, filled, least) = volumes(&mesh);
            assert!((enclosed - filled).abs() < 1e-12 * filled);
            assert!(least > 0.0);
        }
        let (enclosed, _, _) = volumes(&ball(0.5, 3, 1));
        assert!((enclosed / (PI / 6.0) - 1.0).abs() < 0.02);
    }

    #[test]
    fn rings_of_other_sizes_are_closed() {
        for cut in [[3, 3], [5, 4], [17, 9]] {
            let mesh = torus(1.0, 0.3, cut);
            Surface::new(&mesh.vertices, &mesh.triangles).unwrap();
            assert_eq!(mesh.tetrahedra.len(), 3 * cut[0] * cut[1]);
            assert!(volumes(&mesh).2 > 0.0);
        }
    }
}
