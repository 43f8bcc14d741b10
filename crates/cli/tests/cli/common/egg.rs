//! A tapered body as a mesh, to be fitted.

use superovoid::{Superovoid, TriangleMesh};

pub fn mesh() -> TriangleMesh {
    let egg = Superovoid::new([0.05, 0.03, 0.08], [0.6, 0.9], [0.2, 0.2]).unwrap();
    egg.tessellate(24)
}

/// An OBJ file of it, lengths multiplied by `scale`.
pub fn obj(scale: f64) -> String {
    let mesh = mesh();
    let corners = mesh.vertices.iter().map(|v| {
        let [x, y, z] = [v.x, v.y, v.z].map(|x| scale * x);
        format!("v {x} {y} {z}\n")
    });
    let sides = mesh.triangles.iter().map(|t| {
        let [a, b, c] = t.map(|k| k + 1);
        format!("f {a} {b} {c}\n")
    });
    corners.chain(sides).collect()
}
