//! A robot of the page: its parts, the poses of its links and its closest pairs.

use crate::mesh::{drawn, limits};
use crate::types::{Contact, Mesh, Numbers, Pose, Thrown};
use js_sys::{Float64Array, Uint32Array};
use nalgebra::Point3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use superovoid::CollisionStatus;
use superovoid::Shape;
use superovoid::TriangleMesh;
use superovoid::bvh::TriMesh;
use superovoid_fit::{Mesh as FileMesh, read_robot_mesh_bytes};
use superovoid_robot::{ClearanceOptions, Geometry, Robot, Srdf};
use tsify::serde_wasm_bindgen::preserve;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A robot, read from the text of a URDF file.
#[wasm_bindgen]
pub struct RobotModel {
    robot: Robot,
    /// The links and collisions of the bodies, in the order of the description.
    bodies: Vec<(usize, usize)>,
    meshes: Vec<Arc<TriMesh>>,
    /// What is wrong with meshes that were given.
    problems: Vec<String>,
    srdf: Option<Srdf>,
}

/// A file beside a URDF, by its name, which may have folders. It is read before the robot is, in a worker.
#[derive(Serialize, Deserialize, Tsify)]
pub struct MeshFile {
    name: String,
    content: MeshContent,
}

/// The triangles of a robot's mesh, as its file has them, or what is wrong with it.
#[derive(Serialize, Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum MeshContent {
    Mesh {
        /// The vertices, three numbers each, in the unit of the file.
        #[serde(with = "preserve")]
        vertices: Float64Array,
        /// The vertices of each triangle.
        #[serde(with = "preserve")]
        triangles: Uint32Array,
    },
    Problem(String),
}

/// Reads an STL, OBJ or COLLADA file by the end of its name.
#[wasm_bindgen(js_name = readMesh)]
pub fn read_mesh(name: String, bytes: &[u8]) -> Result<Ts<MeshFile>, Thrown> {
    let content = match read_robot_mesh_bytes(&name, bytes, &limits()) {
        Ok(mesh) => {
            let vertices: Vec<f64> = mesh
                .vertices()
                .iter()
                .flat_map(|p| [p.x, p.y, p.z])
                .collect();
            MeshContent::Mesh {
                vertices: vertices.as_slice().into(),
                triangles: mesh.triangles().as_flattened().into(),
            }
        }
        Err(error) => MeshContent::Problem(error.to_string()),
    };
    Ok(MeshFile { name, content }.into_ts()?)
}

/// The parts of a robot, for drawing and for sliders.
#[derive(Serialize, Tsify)]
pub struct RobotParts {
    name: String,
    links: Vec<String>,
    joints: Vec<JointParts>,
    bodies: Vec<BodyParts>,
    /// The shapes that no query answers.
    unchecked: Vec<String>,
    warnings: Vec<String>,
    /// The numbers of the neutral configuration.
    neutral: Vec<f64>,
}

/// A joint that can be set.
#[derive(Serialize, Tsify)]
struct JointParts {
    name: String,
    kind: String,
    /// The place of its first number, and how many it has.
    first: usize,
    count: usize,
    range: Option<[f64; 2]>,
}

#[derive(Serialize, Tsify)]
struct BodyParts {
    link: usize,
    /// The pose in the frame of the link.
    pose: Pose,
    shape: ShapeParts,
}

#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum ShapeParts {
    Superovoid(Numbers),
    /// The edge lengths.
    Box([f64; 3]),
    /// The length is along z.
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// The length is along z, without the caps.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// The place among the meshes.
    Mesh(usize),
}

/// What the bracket of a pair proves.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum Status {
    Free,
    Collision,
    Undecided,
}

/// A pair of bodies, by their places in the description.
#[derive(Serialize, Tsify)]
pub struct PairOfBodies {
    a: usize,
    b: usize,
    status: Status,
    contact: Contact,
}

#[wasm_bindgen]
impl RobotModel {
    /// Reads a robot; an exception tells line and column. Its meshes are found among the files.
    #[wasm_bindgen(constructor)]
    pub fn new(urdf: &str, files: Vec<Ts<MeshFile>>) -> Result<RobotModel, Thrown> {
        let files = files
            .iter()
            .map(Ts::to_rust)
            .collect::<Result<Vec<_>, _>>()?;
        let (robot, problems) = with_meshes(Robot::from_urdf_str(urdf)?, &files);
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
        Ok(RobotModel {
            robot,
            bodies: places,
            meshes,
            problems,
            srdf: None,
        })
    }

    /// Leaves out the pairs of links that the text of an SRDF file disables; an exception tells line and column. Returns
    /// what of the file does not fit the robot.
    #[wasm_bindgen(js_name = applySrdf)]
    pub fn apply_srdf(&mut self, text: &str) -> Result<Vec<String>, Thrown> {
        let srdf = Srdf::from_srdf_str(text)?;
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
    pub fn mesh(&self, index: usize) -> Result<Ts<Mesh>, Thrown> {
        let mesh = self.meshes.get(index);
        drawn(mesh.ok_or_else(|| Thrown(format!("there is no mesh {index}")))?)
    }

    /// Returns its parts.
    pub fn description(&self) -> Result<Ts<RobotParts>, Thrown> {
        let robot = &self.robot;
        let bodies = robot.collision_bodies().map(|body| {
            let collision = &robot.links()[body.link].collisions[body.collision];
            let shape = match (collision.contact_shape(), &collision.geometry) {
                (Some(shape), _) => ShapeParts::Superovoid(Numbers::of_shape(&shape)),
                (None, Geometry::Box { size }) => ShapeParts::Box(*size),
                (None, &Geometry::Cylinder { radius, length }) => {
                    ShapeParts::Cylinder { radius, length }
                }
                (None, &Geometry::Capsule { radius, length }) => {
                    ShapeParts::Capsule { radius, length }
                }
                (None, other) => match &body.shape {
                    Shape::Mesh(mesh) => {
                        let mut known = self.meshes.iter();
                        let place = known.position(|known| Arc::ptr_eq(known, mesh));
                        ShapeParts::Mesh(place.unwrap_or_default())
                    }
                    _ => return Err(Thrown(format!("a <{}> is not drawn", other.element()))),
                },
            };
            Ok(BodyParts {
                link: body.link,
                pose: (&body.pose).into(),
                shape,
            })
        });
        let unchecked = robot.unchecked().into_iter().map(|shape| {
            let (link, element) = (&robot.links()[shape.link].name, shape.geometry.element());
            format!("{link}: {element}")
        });
        let parts = RobotParts {
            name: robot.name().to_owned(),
            links: robot.links().iter().map(|link| link.name.clone()).collect(),
            joints: self.joints(),
            bodies: bodies.collect::<Result<_, Thrown>>()?,
            unchecked: unchecked.collect(),
            warnings: self.warnings(),
            neutral: robot.neutral().to_vec(),
        };
        Ok(parts.into_ts()?)
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.robot.warnings().iter().map(ToString::to_string);
        self.problems.iter().cloned().chain(warnings).collect()
    }

    /// Returns the joints that can be set.
    fn joints(&self) -> Vec<JointParts> {
        let joints = self.robot.joints().iter().enumerate();
        joints
            .filter_map(|(index, joint)| {
                let numbers = self.robot.position_range(index)?;
                (!numbers.is_empty()).then(|| JointParts {
                    name: joint.name.clone(),
                    kind: joint.kind.name().to_owned(),
                    first: numbers.start,
                    count: numbers.len(),
                    range: joint.range(),
                })
            })
            .collect()
    }

    /// Returns the poses of the links in the frame of the root.
    pub fn poses(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number[]")] positions: &[f64],
    ) -> Result<Vec<Ts<Pose>>, Thrown> {
        let configuration = self.robot.configuration(positions)?;
        let poses = self.robot.forward_kinematics(&configuration)?;
        let told = |pose| Ok(Pose::from(pose).into_ts()?);
        poses.iter().map(told).collect()
    }

    /// Returns the pairs of bodies that are not proven to be farther apart than `max_distance`, closest first.
    pub fn clearances(
        &self,
        #[wasm_bindgen(unchecked_param_type = "number[]")] positions: &[f64],
        max_distance: f64,
    ) -> Result<Vec<Ts<PairOfBodies>>, Thrown> {
        let options = ClearanceOptions::default()
            .with_max_distance(max_distance)
            .with_allow_unchecked(true);
        let configuration = self.robot.configuration(positions)?;
        let found = self.robot.clearances(&configuration, &options)?;
        let place = |link, collision| {
            let mut bodies = self.bodies.iter();
            bodies
                .position(|body| *body == (link, collision))
                .ok_or_else(|| Thrown(format!("link {link} has no body {collision}")))
        };
        let pairs = found.pairs.iter();
        let pairs = pairs.filter(|pair| !self.is_disabled(pair.link_a, pair.link_b));
        let told = |pair: &superovoid_robot::Clearance| {
            let told = PairOfBodies {
                a: place(pair.link_a, pair.collision_a)?,
                b: place(pair.link_b, pair.collision_b)?,
                status: match pair.status() {
                    CollisionStatus::Free => Status::Free,
                    CollisionStatus::Collision => Status::Collision,
                    CollisionStatus::Undecided => Status::Undecided,
                },
                contact: (&pair.contact).into(),
            };
            Ok(told.into_ts()?)
        };
        pairs.map(told).collect()
    }
}

/// Gives a robot the meshes that are among the files; returns what is wrong with those that are.
fn with_meshes(robot: Robot, files: &[MeshFile]) -> (Robot, Vec<String>) {
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

fn load(files: &[MeshFile], filename: &str, scale: [f64; 3]) -> Result<Arc<TriMesh>, String> {
    let (vertices, triangles) = match find(files, filename)? {
        MeshContent::Problem(problem) => return Err(problem.clone()),
        MeshContent::Mesh {
            vertices,
            triangles,
        } => (vertices.to_vec(), triangles.to_vec()),
    };
    let ((vertices, _), (triangles, _)) = (vertices.as_chunks::<3>(), triangles.as_chunks::<3>());
    let mesh = FileMesh::try_from(TriangleMesh {
        vertices: vertices.iter().map(|p| Point3::from(*p)).collect(),
        triangles: triangles.to_vec(),
    });
    let mesh = mesh.and_then(|mesh| mesh.scaled(scale));
    let mesh = mesh.map_err(|error| format!("{filename}: {error}"))?;
    let tree = TriMesh::try_from(TriangleMesh::from(mesh));
    tree.map(Arc::new)
        .map_err(|error| format!("{filename}: {error}"))
}

/// Returns the file that a URDF names: the one with the same name and the most folders before it in common.
fn find<'a>(files: &'a [MeshFile], filename: &str) -> Result<&'a MeshContent, String> {
    let parts = |name: &str| -> Vec<String> {
        let parts = name.split(['/', '\\']).rev();
        parts.map(str::to_owned).collect()
    };
    let wanted = parts(filename);
    let common = |name: &str| {
        let pairs = parts(name).into_iter().zip(&wanted);
        pairs.take_while(|(a, b)| a == *b).count()
    };
    let most = files.iter().map(|file| common(&file.name)).max();
    let most = most.filter(|most| *most > 0);
    let most = most.ok_or_else(|| format!("{filename}: the file was not given"))?;
    let mut best = files.iter().filter(|file| common(&file.name) == most);
    match (best.next(), best.next()) {
        (Some(file), None) => Ok(&file.content),
        _ => Err(format!("{filename}: several files have this name")),
    }
}
