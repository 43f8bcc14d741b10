//! A triangle mesh of the page: what is drawn of it, and its contact with a body.

use crate::types::{Contact, Mesh, Placed, Pose, Thrown};
use nalgebra::Vector3;
use superovoid::bvh::{TriMesh, tree_contact};
use superovoid::{QueryOptions, TriangleMesh};
use superovoid_fit::{ReadLimits, read_mesh_bytes};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A triangle mesh as a body, with its hierarchy.
#[wasm_bindgen]
pub struct MeshBody {
    tree: TriMesh,
    /// By what the lengths of the file were multiplied.
    #[wasm_bindgen(readonly)]
    pub scale: f64,
}

/// The most triangles of a mesh: browsers give a page a few gigabytes.
const MOST_TRIANGLES: usize = 4_000_000;

/// Returns the limits on the files of meshes.
pub fn limits() -> ReadLimits {
    ReadLimits::default().with_triangles(MOST_TRIANGLES)
}

#[wasm_bindgen]
impl MeshBody {
    /// Reads an STL, OBJ or COLLADA file by the end of its name; an exception tells the place of what is wrong. The mesh
    /// is moved so that the middle of its box is the origin, and scaled so that the largest edge of the box is `size`, if
    /// that is not 0.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, bytes: &[u8], size: f64) -> Result<MeshBody, Thrown> {
        let mut mesh = TriangleMesh::from(read_mesh_bytes(name, bytes, &limits())?);
        let Some(&first) = mesh.vertices.first() else {
            return Err(Thrown(format!("{name}: the mesh has no triangles")));
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
        let tree = TriMesh::try_from(mesh).map_err(Thrown::of(name))?;
        Ok(MeshBody { tree, scale })
    }

    /// Returns what is drawn.
    pub fn drawn(&self) -> Result<Ts<Mesh>, Thrown> {
        drawn(&self.tree)
    }

    /// Answers a body and the mesh, a solid where it is closed.
    pub fn contact(&self, body: Ts<Placed>, pose: Ts<Pose>) -> Result<Ts<Contact>, Thrown> {
        let (body, at) = body.to_rust()?.body("A")?;
        let pose = pose.to_rust()?.isometry("pose of the mesh")?;
        let found = tree_contact(&body, &at, &self.tree, &pose, &QueryOptions::default())?;
        let found = found.ok_or_else(|| Thrown("the mesh has no triangles".to_owned()))?;
        Ok(Contact::from(&found.contact).into_ts()?)
    }
}

/// Returns what is drawn, with the normals of the triangles about each vertex, weighted by area.
pub fn drawn(tree: &TriMesh) -> Result<Ts<Mesh>, Thrown> {
    let vertices = tree.vertices();
    let mut normals = vec![Vector3::zeros(); vertices.len()];
    for triangle in tree.triangles() {
        let [a, b, c] = triangle.map(|v| vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| normals[v as usize] += normal);
    }
    let normals = normals.iter();
    let normals = normals.map(|n| n.try_normalize(0.0).unwrap_or_else(Vector3::z));
    Mesh::drawn(vertices, normals, tree.triangles())
}
