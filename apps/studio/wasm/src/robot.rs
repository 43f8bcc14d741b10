//! A robot of the page: its parts, the poses of its links and its closest pairs.

use crate::mesh::{drawn, limits};
use crate::obstacles::{self, ObstacleParts, ShapeParts};
use crate::types::{Contact, Mesh, Numbers, Pose, Thrown};
use js_sys::{Date, Float64Array, Uint32Array};
use nalgebra::Point3;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use superovoid::CollisionStatus;
use superovoid::Shape;
use superovoid::TriangleMesh;
use superovoid::bvh::TriMesh;
use superovoid_fit::{Mesh as FileMesh, read_robot_mesh_bytes};
use superovoid_robot::scene::{BodyId, Counterpart, RobotContact, RobotScene, SceneOptions};
use superovoid_robot::{EdgeOptions, EdgeStatus as Judged, Geometry, Robot, Srdf};
use tsify::serde_wasm_bindgen::preserve;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A robot, read from the text of a URDF file.
#[wasm_bindgen]
pub struct RobotModel {
    scene: RobotScene,
    /// The links and collisions of the bodies, in the order of the description.
    bodies: Vec<(usize, usize)>,
    obstacles: Vec<BodyId>,
    meshes: Vec<Arc<TriMesh>>,
    /// What is wrong with meshes that were given.
    problems: Vec<String>,
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

/// What the bracket of a pair proves.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum Status {
    Free,
    Collision,
    Undecided,
}

/// A pair of bodies, by their places in the description; the obstacles come after the bodies of the robot.
#[derive(Serialize, Tsify)]
pub struct PairOfBodies {
    a: usize,
    b: usize,
    status: Status,
    contact: Contact,
}

/// What is proven of a straight line between two configurations.
#[derive(Serialize, Tsify)]
pub struct EdgeProof {
    status: EdgeStatus,
    /// The share of the line, from its beginning, that is proven free; none where its beginning is not.
    safe: Option<f64>,
    /// The bodies that touch, or of which that is not decided.
    pair: Option<[usize; 2]>,
}

#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum EdgeStatus {
    Free,
    Hit,
    Undecided,
    /// Every pair that is checked is free, but some shapes are not.
    Unchecked,
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
        let mut scene = RobotScene::new(robot)?;
        // The page tells what is not checked.
        scene.set_allow_unchecked(true);
        Ok(RobotModel {
            scene,
            bodies: places,
            obstacles: Vec::new(),
            meshes,
            problems,
        })
    }

    /// Leaves out the pairs of links that the text of an SRDF file disables; an exception tells line and column. Returns
    /// what of the file does not fit the robot.
    #[wasm_bindgen(js_name = applySrdf)]
    pub fn apply_srdf(&mut self, text: &str) -> Result<Vec<String>, Thrown> {
        let warnings = self.scene.apply_srdf(&Srdf::from_srdf_str(text)?);
        Ok(warnings.iter().map(ToString::to_string).collect())
    }

    /// Adds the obstacles of a document in JSON, and returns them for drawing; an exception tells what is wrong with it,
    /// and where.
    #[wasm_bindgen(js_name = addObstacles)]
    pub fn add_obstacles(&mut self, text: &str) -> Result<Vec<Ts<ObstacleParts>>, Thrown> {
        let (obstacles, meshes) = obstacles::read(text)?;
        let first = self.meshes.len();
        self.meshes.extend(meshes);
        let added = obstacles.into_iter().map(|obstacle| {
            let mut parts = obstacle.parts;
            let name = &parts.name;
            let id = self.scene.add_obstacle(name, obstacle.shape, obstacle.pose);
            self.obstacles.push(id.map_err(Thrown::of(name))?);
            if let ShapeParts::Mesh(place) = &mut parts.shape {
                *place += first;
            }
            Ok(parts.into_ts()?)
        });
        added.collect()
    }

    /// Returns a mesh of the description, for drawing.
    pub fn mesh(&self, index: usize) -> Result<Ts<Mesh>, Thrown> {
        let mesh = self.meshes.get(index);
        drawn(mesh.ok_or_else(|| Thrown(format!("there is no mesh {index}")))?)
    }

    /// Returns its parts.
    pub fn description(&self) -> Result<Ts<RobotParts>, Thrown> {
        let robot = self.robot();
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

    fn robot(&self) -> &Robot {
        self.scene.robot()
    }

    fn warnings(&self) -> Vec<String> {
        let warnings = self.robot().warnings().iter().map(ToString::to_string);
        self.problems.iter().cloned().chain(warnings).collect()
    }

    /// Returns the joints that can be set.
    fn joints(&self) -> Vec<JointParts> {
        let joints = self.robot().joints().iter().enumerate();
        joints
            .filter_map(|(index, joint)| {
                let numbers = self.robot().position_range(index)?;
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
        let configuration = self.robot().configuration(positions)?;
        let poses = self.robot().forward_kinematics(&configuration)?;
        let told = |pose| Ok(Pose::from(pose).into_ts()?);
        poses.iter().map(told).collect()
    }

    /// Returns the pairs of bodies that are not proven to be farther apart than `max_distance`, closest first.
    pub fn clearances(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number[]")] positions: &[f64],
        max_distance: f64,
    ) -> Result<Vec<Ts<PairOfBodies>>, Thrown> {
        let options = SceneOptions::default().with_max_distance(max_distance);
        let configuration = self.robot().configuration(positions)?;
        // The answer is that of this configuration, whichever was asked before.
        self.scene.clear_warm_starts();
        let found = self.scene.contacts(&configuration, &options)?;
        let told = |pair: &RobotContact| {
            let [a, b] = self.places(pair)?;
            let told = PairOfBodies {
                a,
                b,
                status: match pair.status() {
                    CollisionStatus::Free => Status::Free,
                    CollisionStatus::Collision => Status::Collision,
                    CollisionStatus::Undecided => Status::Undecided,
                },
                contact: (&pair.contact).into(),
            };
            Ok(told.into_ts()?)
        };
        found.iter().map(told).collect()
    }

    /// Judges the straight line between two configurations; it is undecided after some milliseconds.
    pub fn edge(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number[]")] from: &[f64],
        #[wasm_bindgen(unchecked_param_type = "number[]")] to: &[f64],
        milliseconds: f64,
    ) -> Result<Ts<EdgeProof>, Thrown> {
        let [from, to] = [from, to].map(|positions| self.robot().configuration(positions));
        let end = Date::now() + milliseconds;
        let options = EdgeOptions::default();
        let mut late = || Date::now() > end;
        let answer = (self.scene).edge_free_until(&from?, &to?, &options, &mut late)?;
        let pair = answer.contact.as_ref().map(|pair| self.places(pair));
        let proof = EdgeProof {
            status: match answer.status {
                Judged::Free => EdgeStatus::Free,
                Judged::Hit => EdgeStatus::Hit,
                Judged::Undecided if answer.unchecked > 0 && answer.safe == Some(1.0) => {
                    EdgeStatus::Unchecked
                }
                Judged::Undecided => EdgeStatus::Undecided,
            },
            safe: answer.safe,
            pair: pair.transpose()?,
        };
        Ok(proof.into_ts()?)
    }

    /// Returns the places of the bodies of a pair.
    fn places(&self, pair: &RobotContact) -> Result<[usize; 2], Thrown> {
        let body = |link, collision| {
            let mut bodies = self.bodies.iter();
            let place = bodies.position(|body| *body == (link, collision));
            place.ok_or_else(|| Thrown(format!("link {link} has no body {collision}")))
        };
        let other = match pair.with {
            Counterpart::Link { link, collision } => body(link, collision)?,
            Counterpart::Obstacle(id) | Counterpart::Attached(id) => {
                let place = self.obstacles.iter().position(|known| *known == id);
                let place = place.ok_or_else(|| Thrown(format!("there is no obstacle {id}")))?;
                self.bodies.len() + place
            }
        };
        Ok([body(pair.link, pair.collision)?, other])
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
