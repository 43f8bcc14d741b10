//! Ways to move a shape.

use nalgebra::{Point3, Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_fit::Mesh;

/// A way to move a shape: mirrored in a plane or not, turned, scaled and shifted.
pub struct Way {
    pub mirrored: bool,
    turn: UnitQuaternion<f64>,
    pub scale: f64,
    shift: Vector3<f64>,
    random: ChaCha8Rng,
}

impl Way {
    pub fn new(seed: u64) -> Way {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut x = || random.random_range(-1.0..1.0);
        let turn = UnitQuaternion::new_normalize(Quaternion::new(x(), x(), x(), x()));
        let scale = 10f64.powf(3.0 * x());
        let shift = Vector3::from_fn(|_, _| 3.0 * scale * x());
        Way {
            mirrored: seed % 2 == 1,
            turn,
            scale,
            shift,
            random,
        }
    }

    pub fn direction(&self, v: &Vector3<f64>) -> Vector3<f64> {
        let hand = if self.mirrored { -1.0 } else { 1.0 };
        self.turn * Vector3::new(hand * v.x, v.y, v.z)
    }

    pub fn point(&self, p: &Point3<f64>) -> Point3<f64> {
        Point3::from(self.direction(&p.coords) * self.scale + self.shift)
    }

    pub fn shuffled<T>(&mut self, mut list: Vec<T>) -> Vec<T> {
        for k in (1..list.len()).rev() {
            list.swap(k, self.random.random_range(0..=k));
        }
        list
    }

    /// Triangles keep their outside.
    pub fn mesh(&mut self, mesh: &Mesh) -> Mesh {
        let order = self.shuffled((0..mesh.vertices().len()).collect::<Vec<_>>());
        let vertices = order.iter().map(|&k| self.point(&mesh.vertices()[k]));
        let place = |v: u32| order.iter().position(|&k| k == v as usize).unwrap() as u32;
        let triangles = mesh.triangles().iter().map(|t| {
            let [a, b, c] = t.map(place);
            if self.mirrored { [c, b, a] } else { [b, c, a] }
        });
        let triangles: Vec<[u32; 3]> = triangles.collect();
        Mesh::new(vertices.collect(), self.shuffled(triangles)).unwrap()
    }
}
