//! Draws `docs/reports/icub_hands.png`, the picture of the README: both iCub hands, each finger in its own
//! colour, with the closest points between the two hands joined by a line.
//!
//! Rays are cast against the tessellated shapes with parry3d; the normals are those of the exact
//! surfaces. From the root of the repository:
//!
//! ```text
//! cargo run --release -p superovoid-tools --bin render_hands -- urdf/icub_hands.urdf docs/reports/icub_hands.png
//! ```

use nalgebra::{Isometry3, Point3, Unit, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::{Capsule, TriMesh};
use rayon::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use superovoid::Superovoid;
use superovoid_robot::{ClearanceOptions, Configuration, Robot};

const WIDTH: usize = 1200;
const HEIGHT: usize = 800;
/// Rays along each side of a pixel.
const SAMPLES: usize = 4;
/// Where the camera looks from, seen from the middle of the hands: from the side of the thumbs
/// onto the right hand's palm, fingers up (x is up in the picture).
const VIEW: [f64; 3] = [0.28, 0.42, 1.0];
/// Distance of the camera, in units of the scene's radius.
const CAMERA_DISTANCE: f64 = 6.0;
/// Part of the picture's height that is left free above and below the hands together.
const MARGIN: f64 = 0.14;
const KEY_LIGHT: [f64; 3] = [0.95, 0.35, 0.85];
const LINE_RADIUS: f64 = 0.0006;
const LINE_COLOUR: [f64; 3] = [0.80, 0.05, 0.08];
/// Radius of the balls at the ends of the line, metres.
const POINT_RADIUS: f64 = 0.0016;

/// By a part of the link's name; linear red, green and blue.
const COLOURS: [(&str, [f64; 3]); 6] = [
    ("thumb", [0.90, 0.33, 0.14]),
    ("index", [0.95, 0.62, 0.12]),
    ("middle", [0.25, 0.62, 0.24]),
    ("ring", [0.10, 0.52, 0.70]),
    ("little", [0.40, 0.27, 0.68]),
    ("", [0.62, 0.63, 0.66]),
];

struct Body {
    shape: Superovoid,
    pose: Isometry3<f64>,
    mesh: TriMesh,
    colour: [f64; 3],
}

struct Scene {
    bodies: Vec<Body>,
    /// The line of the closest pair with its end points.
    line: [Capsule; 3],
    center: Point3<f64>,
    radius: f64,
}

/// Where a ray ends.
struct Hit {
    point: Point3<f64>,
    normal: Unit<Vector3<f64>>,
    colour: [f64; 3],
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [urdf, png] = arguments.as_slice() else {
        return Err("usage: render_hands ROBOT.urdf PICTURE.png".into());
    };
    let robot = Robot::from_urdf_file(urdf)?;
    let configuration = pose(&robot)?;
    let scene = Scene::new(&robot, &configuration)?;
    let camera = Camera::of(&scene);
    let rows: Vec<[u8; 3 * WIDTH]> = (0..HEIGHT)
        .into_par_iter()
        .map(|row| render_row(&scene, &camera, row))
        .collect();
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(png)?),
        WIDTH as u32,
        HEIGHT as u32,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&rows.concat())?;
    Ok(())
}

/// Hands a little apart, fingers a little bent.
fn pose(robot: &Robot) -> Result<Configuration, Box<dyn Error>> {
    let mut configuration = robot.neutral();
    for (joint, position) in [("right_hand_approach", -0.015), ("right_hand_inward", 0.12)] {
        configuration.set(joint, position)?;
    }
    for joint in robot.joints() {
        let Some([_, upper]) = joint.range() else {
            continue;
        };
        let hand = joint.name.starts_with("l_hand") || joint.name.starts_with("r_hand");
        let bends = joint.name.ends_with("_1_joint") || joint.name.ends_with("_2_joint");
        if hand && bends && joint.mimic.is_none() && !joint.name.contains("thumb") {
            configuration.set(&joint.name, 0.12 * upper)?;
        }
    }
    Ok(configuration)
}

impl Scene {
    fn new(robot: &Robot, configuration: &Configuration) -> Result<Self, Box<dyn Error>> {
        let poses = robot.forward_kinematics(configuration)?;
        let mut bodies = Vec::new();
        let (mut low, mut high) = (Point3::from([f64::MAX; 3]), Point3::from([f64::MIN; 3]));
        for body in robot.superovoid_bodies() {
            let pose = poses[body.link] * body.pose;
            let aabb = body.shape.aabb(&pose);
            (low, high) = (low.inf(&aabb.min), high.sup(&aabb.max));
            let mesh = body.shape.tessellate(96);
            let vertices = mesh.vertices.iter().map(|v| vector(&(pose * v))).collect();
            let name = &robot.links()[body.link].name;
            let colour = COLOURS.iter().find(|(part, _)| name.contains(part));
            bodies.push(Body {
                shape: body.shape,
                pose,
                mesh: TriMesh::new(vertices, mesh.triangles)?,
                colour: colour.expect("the last entry fits all").1,
            });
        }
        let clearances = robot.clearances(configuration, &ClearanceOptions::default())?;
        let between_hands = clearances.pairs.iter().find(|pair| {
            let side = |link: usize| robot.links()[link].name.chars().next();
            side(pair.link_a) != side(pair.link_b)
        });
        let pair = between_hands.ok_or("the hands have no pair of links")?;
        let (a, b) = (pair.contact.point_a, pair.contact.point_b);
        let (name_a, name_b) = (&robot.links()[pair.link_a], &robot.links()[pair.link_b]);
        println!(
            "{} - {}: {} m",
            name_a.name, name_b.name, pair.contact.distance
        );
        Ok(Scene {
            bodies,
            line: [
                (a, b, LINE_RADIUS),
                (a, a, POINT_RADIUS),
                (b, b, POINT_RADIUS),
            ]
            .map(|(from, to, radius)| Capsule::new(vector(&from), vector(&to), radius)),
            center: nalgebra::center(&low, &high),
            radius: 0.5 * (high - low).norm(),
        })
    }

    /// The first thing that a ray meets.
    fn hit(&self, ray: &Ray) -> Option<Hit> {
        let mut nearest = f64::MAX;
        let mut found = None;
        for body in &self.bodies {
            if let Some(time) = body.mesh.cast_local_ray(ray, nearest, false) {
                nearest = time;
                found = Some(body);
            }
        }
        let mut on_line = None;
        for part in &self.line {
            if let Some(hit) = part.cast_local_ray_and_get_normal(ray, nearest, false) {
                nearest = hit.time_of_impact;
                on_line = Some(hit.normal);
            }
        }
        let at = ray.point_at(nearest);
        let point = Point3::new(at.x, at.y, at.z);
        if let Some(n) = on_line {
            let normal = Unit::new_normalize(Vector3::new(n.x, n.y, n.z));
            return Some(Hit {
                point,
                normal,
                colour: LINE_COLOUR,
            });
        }
        let body = found?;
        let gradient = body
            .shape
            .gradient(&body.pose.inverse_transform_point(&point));
        let normal = body.pose * Unit::new_normalize(gradient);
        Some(Hit {
            point,
            normal,
            colour: body.colour,
        })
    }

    /// Whether something stands between a point and the key light.
    fn in_shadow(&self, point: &Point3<f64>, light: &Vector3<f64>) -> bool {
        let ray = Ray::new(vector(point), vector(&Point3::from(*light)));
        let far = 4.0 * self.radius;
        let mut bodies = self.bodies.iter();
        bodies.any(|body| body.mesh.cast_local_ray(&ray, far, false).is_some())
    }

    /// Linear colour along a ray; `light` points to the key light.
    fn colour(&self, ray: &Ray, light: &Vector3<f64>, background: [f64; 3]) -> [f64; 3] {
        let Some(Hit {
            point,
            normal,
            colour,
        }) = self.hit(ray)
        else {
            return background;
        };
        let to_eye = -Vector3::new(ray.dir.x, ray.dir.y, ray.dir.z);
        // Off the facets of the mesh, which lie a little inside the exact surface.
        let start = point + normal.into_inner() * (4e-3 * self.radius);
        let mut key = normal.dot(light).max(0.0);
        let mut gloss = normal.dot(&(light + to_eye).normalize()).max(0.0).powi(60);
        if key > 0.0 && self.in_shadow(&start, light) {
            key = 0.0;
            gloss = 0.0;
        }
        let sky = 0.5 + 0.5 * normal.x;
        let eye = normal.dot(&to_eye).max(0.0);
        colour.map(|c| c * (0.16 + 0.22 * sky + 0.18 * eye + 0.72 * key) + 0.16 * gloss)
    }
}

struct Camera {
    eye: Point3<f64>,
    corner: Vector3<f64>,
    right: Vector3<f64>,
    down: Vector3<f64>,
}

impl Camera {
    fn of(scene: &Scene) -> Self {
        let back = Vector3::from(VIEW).normalize();
        let across = Vector3::x().cross(&back).normalize();
        let up = back.cross(&across);
        // The middle and the size of the hands as they are seen.
        let [mut low, mut high] = [[f64::MAX; 2], [f64::MIN; 2]];
        for vertex in scene.bodies.iter().flat_map(|body| body.mesh.vertices()) {
            let offset = Point3::new(vertex.x, vertex.y, vertex.z) - scene.center;
            for (k, seen) in [offset.dot(&across), offset.dot(&up)]
                .into_iter()
                .enumerate()
            {
                low[k] = low[k].min(seen);
                high[k] = high[k].max(seen);
            }
        }
        let middle = [0, 1].map(|k| 0.5 * (low[k] + high[k]));
        let target = scene.center + across * middle[0] + up * middle[1];
        let wide = (high[0] - low[0]) / WIDTH as f64;
        let tall = (high[1] - low[1]) / HEIGHT as f64;
        let pixel = f64::max(wide, tall) / (1.0 - MARGIN);
        let (right, down) = (across * pixel, -up * pixel);
        Camera {
            eye: target + back * (CAMERA_DISTANCE * scene.radius),
            corner: -back * (CAMERA_DISTANCE * scene.radius)
                - right * (0.5 * WIDTH as f64)
                - down * (0.5 * HEIGHT as f64),
            right,
            down,
        }
    }

    fn ray(&self, x: f64, y: f64) -> Ray {
        let direction = (self.corner + self.right * x + self.down * y).normalize();
        Ray::new(vector(&self.eye), vector(&Point3::from(direction)))
    }
}

fn render_row(scene: &Scene, camera: &Camera, row: usize) -> [u8; 3 * WIDTH] {
    let light = Vector3::from(KEY_LIGHT).normalize();
    let height = row as f64 / HEIGHT as f64;
    let background = [
        0.97 - 0.12 * height,
        0.975 - 0.10 * height,
        0.985 - 0.07 * height,
    ];
    let mut pixels = [0; 3 * WIDTH];
    for (column, pixel) in pixels.chunks_exact_mut(3).enumerate() {
        let mut sum = [0.0; 3];
        for sample in 0..SAMPLES * SAMPLES {
            let offset = |k: usize| (k as f64 + 0.5) / SAMPLES as f64;
            let x = column as f64 + offset(sample % SAMPLES);
            let y = row as f64 + offset(sample / SAMPLES);
            let colour = scene.colour(&camera.ray(x, y), &light, background);
            for k in 0..3 {
                sum[k] += colour[k].min(1.0);
            }
        }
        for k in 0..3 {
            // From linear light to the display's.
            let mean = sum[k] / (SAMPLES * SAMPLES) as f64;
            pixel[k] = (255.0 * mean.powf(1.0 / 2.2)).round() as u8;
        }
    }
    pixels
}

fn vector(p: &Point3<f64>) -> Vector {
    Vector::new(p.x, p.y, p.z)
}
