//! Pictures of triangle meshes: rays are cast with parry3d, lit by one lamp with shadows and by the sky.
//!
//! Colour = albedo (0.25 + 0.35 sky + 0.6 max(n·l, 0) unless something is in the way), with n the mean of the normals at
//! the corners of a triangle by the barycentric coordinates of the hit, so that facets do not show.

use anyhow::{Context, Result};
use nalgebra::{Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::TriMesh;
use rayon::prelude::*;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// Rays along each side of a pixel.
const SAMPLES: usize = 2;
const LIGHT: [f64; 3] = [0.5, -0.6, 1.0];

/// A mesh with its colour.
pub struct Object {
    mesh: TriMesh,
    normals: Vec<Vector3<f64>>,
    colour: [f64; 3],
    two_sided: bool,
}

impl Object {
    /// Makes an object of world coordinates. A two-sided one is lit on the side that is seen. Sharp edges between
    /// triangles stay sharp.
    ///
    /// # Errors
    /// A mesh without triangles.
    pub fn new(
        vertices: &[Point3<f64>],
        triangles: &[[u32; 3]],
        colour: [f64; 3],
        two_sided: bool,
    ) -> Result<Self> {
        let normal = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|v| vertices[v as usize]);
            (b - a).cross(&(c - a))
        };
        let mut around = vec![Vector3::zeros(); vertices.len()];
        for triangle in triangles {
            let n = normal(triangle);
            triangle.iter().for_each(|&v| around[v as usize] += n);
        }
        let corner = |t: &[u32; 3], v: u32| {
            let (own, mean) = (normal(t).normalize(), around[v as usize].normalize());
            if own.dot(&mean) > 0.8 { mean } else { own }
        };
        let normals = triangles
            .iter()
            .flat_map(|t| t.map(|v| corner(t, v)))
            .collect();
        let points = vertices
            .iter()
            .map(|p| Vector::new(p.x, p.y, p.z))
            .collect();
        Ok(Object {
            mesh: TriMesh::new(points, triangles.to_vec())?,
            normals,
            colour,
            two_sided,
        })
    }

    /// Where a ray meets the object before `nearest`: the time and the normal there, towards the eye.
    fn hit(&self, ray: &Ray, nearest: f64) -> Option<(f64, Vector3<f64>)> {
        let hit = self
            .mesh
            .cast_local_ray_and_get_normal(ray, nearest, false)?;
        let face = hit.subshape as usize;
        let [a, b, c] = self.mesh.indices()[face].map(|v| self.mesh.vertices()[v as usize]);
        let p = ray.point_at(hit.time_of_impact);
        let area = |u: Vector, v: Vector| (u - p).cross(v - p).length();
        let shares = [area(b, c), area(c, a), area(a, b)];
        let n = (0..3)
            .map(|k| self.normals[3 * face + k] * shares[k])
            .sum::<Vector3<f64>>()
            .try_normalize(1e-30)?;
        let to_eye = -Vector3::new(ray.dir.x, ray.dir.y, ray.dir.z);
        let away = n.dot(&to_eye) < 0.0;
        let n = if away && self.two_sided { -n } else { n };
        Some((hit.time_of_impact, n))
    }
}

/// From where to where it is looked, and how much is seen.
pub struct View {
    /// The place of the camera.
    pub eye: Point3<f64>,
    /// The point in the middle of the picture.
    pub target: Point3<f64>,
    /// The height of what is seen at the target.
    pub height: f64,
    /// Width and height of the picture, pixels.
    pub size: [usize; 2],
}

/// Draws objects into a PNG file.
///
/// # Errors
/// A file that cannot be written.
pub fn draw(objects: &[Object], view: &View, path: &Path) -> Result<()> {
    let forward = (view.target - view.eye).normalize();
    let right = forward.cross(&Vector3::z()).normalize();
    let up = right.cross(&forward);
    let distance = (view.target - view.eye).norm();
    let pixel = view.height / view.size[1] as f64;
    let ray = |x: f64, y: f64| {
        let (x, y) = (x - 0.5 * view.size[0] as f64, 0.5 * view.size[1] as f64 - y);
        let d = (forward * distance + right * (x * pixel) + up * (y * pixel)).normalize();
        let eye = view.eye;
        Ray::new(Vector::new(eye.x, eye.y, eye.z), Vector::new(d.x, d.y, d.z))
    };
    let row = |j: usize| -> Vec<u8> {
        let mut pixels = Vec::with_capacity(3 * view.size[0]);
        for i in 0..view.size[0] {
            let mut sum = Vector3::zeros();
            for s in 0..SAMPLES * SAMPLES {
                let offset = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
                let (x, y) = (
                    i as f64 + offset(s % SAMPLES),
                    j as f64 + offset(s / SAMPLES),
                );
                sum += colour(objects, &ray(x, y));
            }
            let mean = sum / (SAMPLES * SAMPLES) as f64;
            // From linear light to the display's.
            pixels.extend(
                mean.iter()
                    .map(|x| (255.0 * x.min(1.0).powf(1.0 / 2.2)).round() as u8),
            );
        }
        pixels
    };
    let rows: Vec<Vec<u8>> = (0..view.size[1]).into_par_iter().map(row).collect();
    let shown = || path.display().to_string();
    let file = BufWriter::new(File::create(path).with_context(shown)?);
    let mut encoder = png::Encoder::new(file, view.size[0] as u32, view.size[1] as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&rows.concat())?;
    Ok(())
}

fn colour(objects: &[Object], ray: &Ray) -> Vector3<f64> {
    let mut nearest = f64::MAX;
    let mut seen = None;
    for object in objects {
        if let Some((time, normal)) = object.hit(ray, nearest) {
            nearest = time;
            seen = Some((object, normal));
        }
    }
    let Some((object, normal)) = seen else {
        return Vector3::new(0.93, 0.94, 0.96);
    };
    let light = Vector3::from(LIGHT).normalize();
    let p = ray.point_at(nearest);
    let lifted = Vector3::new(p.x, p.y, p.z) + normal * (2e-3 * nearest);
    let to_light = Ray::new(
        Vector::new(lifted.x, lifted.y, lifted.z),
        Vector::new(light.x, light.y, light.z),
    );
    let shadow = |object: &Object| object.mesh.cast_local_ray(&to_light, 1e9, false).is_some();
    let key = normal.dot(&light).max(0.0);
    let key = if key > 0.0 && objects.iter().any(shadow) {
        0.0
    } else {
        key
    };
    let sky = 0.5 + 0.5 * normal.z;
    Vector3::from(object.colour) * (0.22 + 0.3 * sky + 0.6 * key)
}
