//! The areas of the vertices of a mesh.

use superovoid::TriangleMesh;

/// A third of the area of the triangles around each vertex.
pub(crate) fn areas(mesh: &TriangleMesh) -> Vec<f64> {
    let mut areas = vec![0.0; mesh.vertices.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
        let third = (b - a).cross(&(c - a)).norm() / 6.0;
        triangle.iter().for_each(|&v| areas[v as usize] += third);
    }
    areas
}
