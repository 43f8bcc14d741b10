//! A triangle mesh of the page: what is drawn of it, and its contact with a body.

use crate::numbers::{ANSWER, answer, pose, shape};
use crate::queries::DrawnMesh;
use nalgebra::Vector3;
use superovoid::bvh::{TriMesh, tree_contact};
use superovoid::{QueryOptions, TriangleMesh};
use superovoid_fit::{ReadLimits, read_mesh_bytes};

/// A mesh with its hierarchy.
pub struct Model {
    tree: TriMesh,
    /// By what the lengths of the file were multiplied.
    pub scale: f64,
}

/// The most triangles of a mesh: browsers give a page a few gigabytes.
const MOST_TRIANGLES: usize = 4_000_000;

/// Returns the limits on the files of meshes.
pub fn limits() -> ReadLimits {
    ReadLimits::default().with_triangles(MOST_TRIANGLES)
}

impl Model {
    /// Reads an STL, OBJ or COLLADA file by the end of its name; the error tells the place. The mesh is moved so that the
    /// middle of its box is the origin, and scaled so that the largest edge of the box is `size`, if that is not 0.
    pub fn read(name: &str, bytes: &[u8], size: f64) -> Result<Self, String> {
        let mesh = read_mesh_bytes(name, bytes, &limits()).map_err(|error| error.to_string())?;
        let mut mesh = TriangleMesh::from(mesh);
        let Some(&first) = mesh.vertices.first() else {
            return Err(format!("{name}: the mesh has no triangles"));
        };
        let (low, high) = mesh
            .vertices
            .iter()
            .fold((first, first), |(low, high), p| (low.inf(p), high.sup(p)));
        let middle = nalgebra::center(&low, &high);
        let longest = (high - low).amax();
        let scale = if size > 0.0 && longest > 0.0 {
            size / longest
        } else {
            1.0
        };
        for p in &mut mesh.vertices {
            *p = ((*p - middle) * scale).into();
        }
        let tree = TriMesh::try_from(mesh);
        let tree = tree.map_err(|error| format!("{name}: {error}"))?;
        Ok(Model { tree, scale })
    }

    /// Returns what is drawn.
    pub fn drawn(&self) -> DrawnMesh {
        drawn(&self.tree)
    }

    /// Answers a body and the mesh, a solid where it is closed. The number after the answer is the nearest triangle.
    pub fn contact(
        &self,
        body: &[f64],
        at: &[f64],
        mesh_at: &[f64],
    ) -> Result<[f64; ANSWER + 1], String> {
        let (body, at) = (shape("body A", body)?, pose("pose of A", at)?);
        let mesh_at = pose("pose of the mesh", mesh_at)?;
        let found = tree_contact(&body, &at, &self.tree, &mesh_at, &QueryOptions::default());
        let found = found.map_err(|error| error.to_string())?;
        let found = found.ok_or_else(|| "the mesh has no triangles".to_owned())?;
        let mut numbers = [0.0; ANSWER + 1];
        numbers[..ANSWER].copy_from_slice(&answer(&found.contact));
        numbers[ANSWER] = f64::from(found.part);
        Ok(numbers)
    }
}

/// Returns what is drawn, with the normals of the triangles about each vertex, weighted by area.
pub fn drawn(tree: &TriMesh) -> DrawnMesh {
    let vertices = tree.vertices();
    let mut normals = vec![Vector3::zeros(); vertices.len()];
    for triangle in tree.triangles() {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| normals[v as usize] += normal);
    }
    let singles = |v: [f64; 3]| v.map(|x| x as f32);
    DrawnMesh {
        positions: vertices
            .iter()
            .flat_map(|p| singles([p.x, p.y, p.z]))
            .collect(),
        normals: normals
            .iter()
            .map(|n| n.try_normalize(0.0).unwrap_or_else(Vector3::z))
            .flat_map(|n| singles([n.x, n.y, n.z]))
            .collect(),
        triangles: tree.triangles().concat(),
    }
}
