//! A scan of a tooth: its mesh with noise.

use nalgebra::Vector3;
use superovoid::TriangleMesh;

/// Moves every vertex of a closed mesh along its normal by a random length, evenly spread over ±`amplitude` (metres);
/// the same seed gives the same scan.
pub fn scan(mesh: &TriangleMesh, amplitude: f64, seed: u64) -> TriangleMesh {
    let mut normals = vec![Vector3::zeros(); mesh.vertices.len()];
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|v| mesh.vertices[v as usize]);
        let normal = (b - a).cross(&(c - a));
        triangle.iter().for_each(|&v| normals[v as usize] += normal);
    }
    let mut random = SplitMix(seed);
    let moved = mesh.vertices.iter().zip(&normals).map(|(vertex, normal)| {
        let by = amplitude * (2.0 * random.unit() - 1.0);
        let direction = normal.try_normalize(0.0).unwrap_or_default();
        vertex + direction * by
    });
    TriangleMesh {
        vertices: moved.collect(),
        triangles: mesh.triangles.clone(),
    }
}

/// Steele, Lea and Flood's SplitMix64 (2014).
struct SplitMix(u64);

impl SplitMix {
    /// A number in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 53) as f64
    }
}
