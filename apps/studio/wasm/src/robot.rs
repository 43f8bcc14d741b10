//! A robot of the page: its parts as JSON, the poses of its links and its closest pairs as numbers.

use crate::mesh::{drawn, limits};
use crate::numbers::{ANSWER, answer};
use crate::queries::DrawnMesh;
use nalgebra::{Isometry3, Point3};
use serde::Serialize;
use std::collections::HashMap;
use std::sync::Arc;
use superovoid::CollisionStatus;
use superovoid::Shape;
use superovoid::TriangleMesh;
use superovoid::bvh::TriMesh;
use superovoid_fit::{Mesh, read_robot_mesh_bytes};
use superovoid_robot::{ClearanceOptions, Configuration, Geometry, Robot, Srdf};

/// The numbers of a pair: the bodies of A and B, by their places in the description, whether the pair is proven free
/// (0), collides (1) or is undecided (2), and the answer.
pub const PAIR: usize = 3 + ANSWER;

/// A robot.
pub struct Model {
    robot: Robot,
    /// The links and collisions of the bodies, in the order of the description.
    bodies: Vec<(usize, usize)>,
    meshes: Vec<Arc<TriMesh>>,
    /// What is wrong with meshes that were given.
    problems: Vec<String>,
    srdf: Option<Srdf>,
}

/// Returns the mesh of three numbers for each vertex, in the unit of the file, and three for each triangle.
pub fn mesh_of(vertices: &[f64], triangles: &[u32]) -> TriangleMesh {
    let (vertices, _) = vertices.as_chunks::<3>();
    let (triangles, _) = triangles.as_chunks::<3>();
    TriangleMesh {
        vertices: vertices.iter().map(|p| Point3::from(*p)).collect(),
        triangles: triangles.to_vec(),
    }
}

/// Reads the file of a robot's mesh by the end of its name; the error tells the place of what is wrong.
pub fn read_mesh(name: &str, bytes: &[u8]) -> Result<TriangleMesh, String> {
    let mesh = read_robot_mesh_bytes(name, bytes, &limits()).map_err(|error| error.to_string())?;
    Ok(mesh.into())
}

/// The files beside a URDF, by names that may have folders: meshes, or what is wrong with them.
pub type Files = [(String, Result<TriangleMesh, String>)];

/// The parts of a robot, for drawing and for sliders.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    links: Vec<&'a str>,
    joints: Vec<JointParts<'a>>,
    bodies: Vec<BodyParts>,
    /// The shapes that no query answers.
    unchecked: Vec<String>,
    warnings: Vec<String>,
    /// The numbers of the neutral configuration.
    neutral: Vec<f64>,
}

/// A joint that can be set.
#[derive(Serialize)]
struct JointParts<'a> {
    name: &'a str,
    kind: &'a str,
    /// The place of its first number, and how many it has.
    first: usize,
    count: usize,
    range: Option<[f64; 2]>,
}

#[derive(Serialize)]
struct BodyParts {
    link: usize,
    /// The pose in the frame of the link.
    pose: [f64; 7],
    shape: ShapeParts,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ShapeParts {
    Superovoid([f64; 7]),
    /// The edge lengths.
    Box([f64; 3]),
    /// The radius, and the length along z.
    Cylinder([f64; 2]),
    /// The radius, and the length along z without the caps.
    Capsule([f64; 2]),
    /// The place among the meshes.
    Mesh(usize),
}

fn numbers_of(pose: &Isometry3<f64>) -> [f64; 7] {
    let (t, r) = (&pose.translation, &pose.rotation);
    [t.x, t.y, t.z, r.i, r.j, r.k, r.w]
}

impl Model {
    /// Reads a robot; the error tells line and column.
    pub fn read(urdf: &str, files: &Files) -> Result<Self, String> {
        let robot = Robot::from_urdf_str(urdf).map_err(|error| error.to_string())?;
        let (robot, problems) = with_meshes(robot, files);
        let bodies = robot.collision_bodies();
        let places = bodies.map(|body| (body.link, body.collision)).collect();
        let mut meshes: Vec<Arc<TriMesh>> = Vec::new();
        for body in robot.collision_bodies() {
            if let Shape::Mesh(mesh) = &body.shape
                && !meshes.iter().any(|known| Arc::ptr_eq(known, mesh))
            {
                meshes.push(mesh.clone());
            }
        }
        Ok(Model {
            robot,
            bodies: places,
            meshes,
            problems,
            srdf: None,
        })
    }

    /// Leaves out the pairs of links that the text of an SRDF file disables; the error tells line and column. Returns
    /// what of the file does not fit the robot.
    pub fn apply_srdf(&mut self, text: &str) -> Result<Vec<String>, String> {
        let srdf = Srdf::from_srdf_str(text).map_err(|error| error.to_string())?;
        let warnings = srdf.warnings(&self.robot);
        self.srdf = Some(srdf);
        Ok(warnings.iter().map(ToString::to_string).collect())
    }

    /// Whether the SRDF file leaves a pair of links out.
    fn is_disabled(&self, a: usize, b: usize) -> bool {
        let Some(srdf) = &self.srdf else {
            return false;
        };
        let [a, b] = [a, b].map(|link| self.robot.links()[link].name.as_str());
        let has = |pairs: &[superovoid_robot::LinkPair]| {
            pairs.iter().any(|pair| {
                let [first, second] = pair.links.each_ref().map(String::as_str);
                [first, second] == [a, b] || [first, second] == [b, a]
            })
        };
        let by_default = srdf.disabled_by_default.iter();
        let by_default = by_default
            .map(|(link, _)| link)
            .any(|link| link == a || link == b);
        has(&srdf.disabled) || by_default && !has(&srdf.enabled)
    }

    /// Returns a mesh of the description, for drawing.
    pub fn mesh(&self, index: usize) -> Result<DrawnMesh, String> {
        let mesh = self.meshes.get(index);
        mesh.map(|mesh| drawn(mesh))
            .ok_or_else(|| format!("there is no mesh {index}"))
    }

    /// Returns the parts as JSON.
    pub fn description(&self) -> Result<String, String> {
        let robot = &self.robot;
        let bodies = robot.collision_bodies().map(|body| {
            let collision = &robot.links()[body.link].collisions[body.collision];
            let shape = match (collision.contact_shape(), &collision.geometry) {
                (Some(shape), _) => {
                    let ([a1, a2, a3], [e1, e2]) = (shape.semi_axes(), shape.exponents());
                    let [tx, ty] = shape.tapers();
                    ShapeParts::Superovoid([a1, a2, a3, e1, e2, tx, ty])
                }
                (None, Geometry::Box { size }) => ShapeParts::Box(*size),
                (None, Geometry::Cylinder { radius, length }) => {
                    ShapeParts::Cylinder([*radius, *length])
                }
                (None, Geometry::Capsule { radius, length }) => {
                    ShapeParts::Capsule([*radius, *length])
                }
                (None, other) => match &body.shape {
                    Shape::Mesh(mesh) => {
                        let place = self
                            .meshes
                            .iter()
                            .position(|known| Arc::ptr_eq(known, mesh));
                        ShapeParts::Mesh(place.unwrap_or_default())
                    }
                    _ => return Err(format!("a <{}> is not drawn", other.element())),
                },
            };
            Ok(BodyParts {
                link: body.link,
                pose: numbers_of(&body.pose),
                shape,
            })
        });
        let unchecked = robot.unchecked().into_iter().map(|shape| {
            let (link, element) = (&robot.links()[shape.link].name, shape.geometry.element());
            format!("{link}: {element}")
        });
        let description = Description {
            name: robot.name(),
            links: robot
                .links()
                .iter()
                .map(|link| link.name.as_str())
                .collect(),
            joints: self.joints(),
            bodies: bodies.collect::<Result<_, String>>()?,
            unchecked: unchecked.collect(),
            warnings: self.warnings(),
            neutral: robot.neutral().to_vec(),
        };
        serde_json::to_string(&description).map_err(|error| error.to_string())
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.robot.warnings().iter().map(ToString::to_string);
        self.problems.iter().cloned().chain(warnings).collect()
    }

    /// Returns the joints that can be set.
    fn joints(&self) -> Vec<JointParts<'_>> {
        let joints = self.robot.joints().iter().enumerate();
        joints
            .filter_map(|(index, joint)| {
                let numbers = self.robot.position_range(index)?;
                (!numbers.is_empty()).then(|| JointParts {
                    name: &joint.name,
                    kind: joint.kind.name(),
                    first: numbers.start,
                    count: numbers.len(),
                    range: joint.range(),
                })
            })
            .collect()
    }

    fn configuration(&self, numbers: &[f64]) -> Result<Configuration, String> {
        let made = self.robot.configuration(numbers);
        made.map_err(|error| error.to_string())
    }

    /// Returns the poses of the links, seven numbers each, in the frame of the root.
    pub fn poses(&self, numbers: &[f64]) -> Result<Vec<f64>, String> {
        let configuration = self.configuration(numbers)?;
        let poses = self.robot.forward_kinematics(&configuration);
        let poses = poses.map_err(|error| error.to_string())?;
        Ok(poses.iter().flat_map(numbers_of).collect())
    }

    /// Returns the pairs of bodies that are not proven to be farther apart than `max_distance`, closest first, with
    /// [`PAIR`] numbers each.
    pub fn clearances(&self, numbers: &[f64], max_distance: f64) -> Result<Vec<f64>, String> {
        let options = ClearanceOptions::default()
            .with_max_distance(max_distance)
            .with_allow_unchecked(true);
        let configuration = self.configuration(numbers)?;
        let found = self.robot.clearances(&configuration, &options);
        let found = found.map_err(|error| error.to_string())?;
        let place = |link, collision| {
            let place = self
                .bodies
                .iter()
                .position(|body| *body == (link, collision));
            place.map_or(f64::NAN, |place| place as f64)
        };
        let pairs = found.pairs.iter();
        let pairs = pairs.filter(|pair| !self.is_disabled(pair.link_a, pair.link_b));
        let pairs = pairs.flat_map(|pair| {
            let status = match pair.status() {
                CollisionStatus::Free => 0.0,
                CollisionStatus::Collision => 1.0,
                CollisionStatus::Undecided => 2.0,
            };
            let a = place(pair.link_a, pair.collision_a);
            let b = place(pair.link_b, pair.collision_b);
            let mut numbers = vec![a, b, status];
            numbers.extend(answer(&pair.contact));
            numbers
        });
        Ok(pairs.collect())
    }
}

/// Gives a robot the meshes that are among the files; returns what is wrong with those that are.
fn with_meshes(robot: Robot, files: &Files) -> (Robot, Vec<String>) {
    let mut problems = Vec::new();
    if files.is_empty() {
        return (robot, problems);
    }
    let mut known: HashMap<(String, [u64; 3]), Option<Arc<TriMesh>>> = HashMap::new();
    let spare = robot.clone();
    let loaded = robot.with_meshes(|filename, scale| {
        let key = (filename.to_owned(), scale.map(f64::to_bits));
        let mesh = known.entry(key).or_insert_with(|| {
            let found = load(files, filename, scale);
            found.map_err(|problem| problems.push(problem)).ok()
        });
        Ok::<_, std::convert::Infallible>(mesh.clone())
    });
    (loaded.unwrap_or(spare), problems)
}

fn load(files: &Files, filename: &str, scale: [f64; 3]) -> Result<Arc<TriMesh>, String> {
    let mesh = Mesh::try_from(find(files, filename)?.clone()?);
    let mesh = mesh.and_then(|mesh| mesh.scaled(scale));
    let mesh = mesh.map_err(|error| format!("{filename}: {error}"))?;
    let tree = TriMesh::try_from(TriangleMesh::from(mesh));
    tree.map(Arc::new)
        .map_err(|error| format!("{filename}: {error}"))
}

/// Returns the file that a URDF names: the one with the same name and the most folders before it in common.
fn find<'a>(files: &'a Files, filename: &str) -> Result<&'a Result<TriangleMesh, String>, String> {
    let parts = |name: &str| -> Vec<String> {
        let parts = name.split(['/', '\\']).rev();
        parts.map(str::to_owned).collect()
    };
    let wanted = parts(filename);
    let common = |name: &str| {
        let pairs = parts(name).into_iter().zip(&wanted);
        pairs.take_while(|(a, b)| a == *b).count()
    };
    let most = files.iter().map(|(name, _)| common(name)).max();
    let most = most.filter(|most| *most > 0);
    let most = most.ok_or_else(|| format!("{filename}: the file was not given"))?;
    let mut best = files.iter().filter(|(name, _)| common(name) == most);
    match (best.next(), best.next()) {
        (Some((_, mesh)), None) => Ok(mesh),
        _ => Err(format!("{filename}: several files have this name")),
    }
}
