//! Measures long bodies over a terrain of 203,522 triangles: the time of a distance query for each kind of body, and
//! of building the mesh.
//!
//! ```sh
//! cargo run --release -p superovoid-compare --example mesh_times            # prints the times
//! cargo run --release -p superovoid-compare --example mesh_times -- FOLDER  # writes terrain.obj and poses.csv there as well
//! ```
//!
//! `studies/compare/large_mesh.py` runs it beside coal.

use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::error::Error;
use std::f64::consts::FRAC_PI_2;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use superovoid::bvh::{BoxSet, TriMesh, convex_tree_contact, tree_contact};
use superovoid::convex::ConvexShape;
use superovoid::{Aabb, QueryOptions, Superovoid};

const SIDE: u32 = 320;
const POSES: usize = 50;
const ROUNDS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let (vertices, triangles) = terrain();
    let poses = poses();
    if let Some(folder) = std::env::args().nth(1).map(PathBuf::from) {
        let mut text = String::new();
        for v in &vertices {
            writeln!(text, "v {} {} {}", v.x, v.y, v.z)?;
        }
        for [a, b, c] in &triangles {
            writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1)?;
        }
        std::fs::write(folder.join("terrain.obj"), text)?;
        let mut text = "x,y,z\n".to_owned();
        for pose in &poses {
            let t = pose.translation;
            writeln!(text, "{},{},{}", t.x, t.y, t.z)?;
        }
        std::fs::write(folder.join("poses.csv"), text)?;
    }
    let mut building = [Duration::MAX; 2];
    let mut mesh = TriMesh::new(vertices.clone(), triangles.clone())?;
    for _ in 0..ROUNDS {
        let parts = (vertices.clone(), triangles.clone());
        let boxes: Vec<Aabb> = triangles.iter().map(|t| around(t, &vertices)).collect();
        let begin = Instant::now();
        mesh = TriMesh::new(parts.0, parts.1)?;
        building[0] = building[0].min(begin.elapsed());
        let begin = Instant::now();
        BoxSet::new(boxes)?;
        building[1] = building[1].min(begin.elapsed());
    }
    let [mesh_time, tree_time] = building.map(|time| time.as_secs_f64() * 1e3);
    println!("build: {mesh_time:.1} ms, {tree_time:.1} ms of boxes alone");
    let here = Isometry3::identity();
    let options = QueryOptions::default();
    let only = std::env::var("BODY").ok();
    for (name, shape) in bodies()? {
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let mut least = vec![Duration::MAX; poses.len()];
        let (mut sum, mut apart) = (0.0, 0);
        for round in 0..ROUNDS {
            for (pose, least) in poses.iter().zip(&mut least) {
                let pose = &(pose * turned(name));
                let begin = Instant::now();
                let found = match &shape {
                    Body::Superovoid(shape) => tree_contact(shape, pose, &mesh, &here, &options),
                    Body::Convex(shape) => convex_tree_contact(shape, pose, &mesh, &here, &options),
                };
                *least = (*least).min(begin.elapsed());
                let distance = found?.map_or(f64::NAN, |found| found.contact.distance);
                if round == 0 && distance > 0.0 {
                    (sum, apart) = (sum + distance, apart + 1);
                }
            }
        }
        let times = least.iter().map(Duration::as_secs_f64);
        let mean = times.sum::<f64>() * 1e3 / poses.len() as f64;
        println!("{name}: {mean:.4} ms, {apart} of {POSES} apart, by {sum:.9} m together");
    }
    Ok(())
}

/// Bodies about z are laid along x.
fn turned(name: &str) -> UnitQuaternion<f64> {
    let about_z = ["capsule", "cylinder", "cone"].contains(&name);
    UnitQuaternion::from_scaled_axis(Vector3::y() * if about_z { FRAC_PI_2 } else { 0.0 })
}

#[allow(clippy::large_enum_variant)]
enum Body {
    Superovoid(Superovoid),
    Convex(ConvexShape),
}

fn bodies() -> Result<Vec<(&'static str, Body)>, Box<dyn Error>> {
    let ovoid =
        |e: [f64; 2], t: [f64; 2]| Superovoid::new([7.0, 1.0, 1.0], e, t).map(Body::Superovoid);
    let hull = |shape: &Superovoid, segments| {
        let points = shape.tessellate(segments).vertices;
        ConvexShape::hull(&points).map(Body::Convex)
    };
    let long = Superovoid::new([7.0, 1.0, 1.0], [0.5, 0.5], [0.0, 0.0])?;
    Ok(vec![
        ("box", Body::Convex(ConvexShape::cuboid([7.0, 1.0, 1.0])?)),
        ("superovoid 0.1", ovoid([0.1, 0.1], [0.0, 0.0])?),
        ("superovoid 0.5", ovoid([0.5, 0.5], [0.0, 0.0])?),
        ("ellipsoid", ovoid([1.0, 1.0], [0.0, 0.0])?),
        ("tapered", ovoid([0.8, 0.8], [0.2, -0.1])?),
        ("not convex", ovoid([1.6, 1.6], [0.5, 0.4])?),
        ("capsule", Body::Convex(ConvexShape::capsule(1.0, 12.0)?)),
        ("cylinder", Body::Convex(ConvexShape::cylinder(1.0, 14.0)?)),
        ("cone", Body::Convex(ConvexShape::cone(1.0, 14.0)?)),
        ("hull of 8", Body::Convex(ConvexShape::hull(&corners())?)),
        ("hull of 266", hull(&long, 24)?),
        ("hull of 1000", hull(&long, 46)?),
        ("ball", Body::Convex(ConvexShape::ball(1.0)?)),
        ("sphere", Body::Superovoid(Superovoid::sphere(1.0)?)),
    ])
}

fn around(triangle: &[u32; 3], vertices: &[Point3<f64>]) -> Aabb {
    let [a, b, c] = triangle.map(|v| vertices[v as usize]);
    Aabb {
        min: a.inf(&b).inf(&c),
        max: a.sup(&b).sup(&c),
    }
}

fn corners() -> Vec<Point3<f64>> {
    let sign = |k: u32, axis: u32| if k >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let corner = |k| Point3::new(7.0 * sign(k, 0), sign(k, 1), sign(k, 2));
    (0..8).map(corner).collect()
}

fn terrain() -> (Vec<Point3<f64>>, Vec<[u32; 3]>) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut vertices = Vec::new();
    for i in 0..SIDE {
        for j in 0..SIDE {
            let (x, y) = (f64::from(i), f64::from(j));
            let noise: f64 = rng.random_range(0.0..0.02);
            let height = 0.3 * (0.05 * x).sin() * (0.07 * y).cos() + noise;
            vertices.push(Point3::new(0.05 * x - 8.0, 0.05 * y - 8.0, height));
        }
    }
    let mut triangles = Vec::new();
    for i in 0..SIDE - 1 {
        for j in 0..SIDE - 1 {
            let a = i * SIDE + j;
            triangles.push([a, a + SIDE, a + 1]);
            triangles.push([a + 1, a + SIDE, a + SIDE + 1]);
        }
    }
    (vertices, triangles)
}

/// Poses 2 to 6 m above the terrain, turned as in the case that was reported.
fn poses() -> Vec<Isometry3<f64>> {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let turn = UnitQuaternion::from_euler_angles(0.3, 0.2, 0.1);
    let mut draw = || {
        let [x, y] = [0; 2].map(|_| rng.random_range(-3.0..3.0));
        let place = Vector3::new(x, y, rng.random_range(2.0..6.0));
        Isometry3::from_parts(Translation3::from(place), turn)
    };
    (0..POSES).map(|_| draw()).collect()
}
