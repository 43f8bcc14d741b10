//! The robots of the problems: their files, and what superovoid and the other engines are given of them.

use super::problems::{Problem, Solid};
use crate::planner::foreign::{Body, HERE};
use crate::planner::workload::compared_pairs;
use anyhow::{Context, Result, bail, ensure};
use nalgebra::{Isometry3, Point3};
use std::f64::consts::PI;
use std::path::{Path, PathBuf};
use superovoid::convex::ConvexShape;
use superovoid::{Shape, Superovoid};
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Configuration, Geometry, JointKind, JointPosition, Robot, Srdf};

/// Where the files of a robot are, and how it stands in the problems.
pub struct Source {
    /// The file of its problems is `robot.txt` or `robot.txt.gz`.
    pub robot: &'static str,
    pub title: &'static str,
    pub urdf: &'static str,
    pub srdf: &'static str,
    /// In the order of the problems.
    pub joints: &'static [&'static str],
    /// The joints that do not move.
    others: &'static [(&'static str, f64)],
    /// Height and yaw of the root link in the problems.
    base: [f64; 2],
}

const PANDA: [&str; 7] = [
    "panda_joint1",
    "panda_joint2",
    "panda_joint3",
    "panda_joint4",
    "panda_joint5",
    "panda_joint6",
    "panda_joint7",
];
const UR5: [&str; 6] = [
    "shoulder_pan_joint",
    "shoulder_lift_joint",
    "elbow_joint",
    "wrist_1_joint",
    "wrist_2_joint",
    "wrist_3_joint",
];
const FETCH: [&str; 8] = [
    "torso_lift_joint",
    "shoulder_pan_joint",
    "shoulder_lift_joint",
    "upperarm_roll_joint",
    "elbow_flex_joint",
    "forearm_roll_joint",
    "wrist_flex_joint",
    "wrist_roll_joint",
];
/// Open, metres: with 0.0325, as the problems say, the fingers of example-robot-data touch what they are about to grasp in
/// many goals. Those of vamp are fixed, 0.065 m from the middle.
const FINGER: f64 = 0.04;

/// The robots of example-robot-data, and those in `resources` of github.com/KavrakiLab/vamp, for which the problems were made.
pub const SOURCES: [Source; 5] = [
    Source {
        robot: "panda",
        title: "Panda (example-robot-data)",
        urdf: "panda_description/urdf/panda.urdf",
        srdf: "panda_description/srdf/panda.srdf",
        joints: &PANDA,
        others: &[
            ("panda_finger_joint1", FINGER),
            ("panda_finger_joint2", FINGER),
        ],
        base: [0.0, 0.0],
    },
    Source {
        robot: "panda",
        title: "Panda (vamp)",
        urdf: "panda/panda.urdf",
        srdf: "panda/panda.srdf",
        joints: &PANDA,
        others: &[
            ("panda_finger_joint1", FINGER),
            ("panda_finger_joint2", FINGER),
        ],
        base: [0.0, 0.0],
    },
    Source {
        robot: "ur5",
        title: "UR5 (example-robot-data)",
        urdf: "ur_description/urdf/ur5_robot.urdf",
        srdf: "ur_description/srdf/ur5.srdf",
        joints: &UR5,
        others: &[],
        base: [0.9144, 1.57],
    },
    Source {
        robot: "ur5",
        title: "UR5 (vamp)",
        urdf: "ur5/ur5.urdf",
        srdf: "ur5/ur5.srdf",
        joints: &UR5,
        others: &[],
        base: [0.0, 0.0],
    },
    Source {
        robot: "fetch",
        title: "Fetch (vamp)",
        urdf: "fetch/fetch.urdf",
        srdf: "fetch/fetch.srdf",
        joints: &FETCH,
        others: &[],
        base: [0.0, 0.0],
    },
];

/// The positions of the problems have been rounded to single precision and to the digits of limits in other files, radians.
const ROUNDING: f64 = 1e-5;

/// What a body of the robot is to the other engines.
enum Part {
    Mesh(Vec<[f64; 3]>, Vec<[u32; 3]>),
    Solid(Solid),
}

/// A robot with its meshes, without obstacles.
pub struct Model {
    pub source: &'static Source,
    pub scene: RobotScene,
    /// Of the joints of the problems; those of a joint without limits are a turn.
    pub limits: Vec<[f64; 2]>,
    rest: Configuration,
    parts: Vec<Part>,
    /// That are compared with each other.
    pub pairs: Vec<[u32; 2]>,
}

impl Model {
    /// Loads a robot from the folder in which `source.urdf` is found.
    ///
    /// # Errors
    /// What is missing or cannot be read, a mesh as well.
    pub fn load(source: &'static Source, folder: &Path) -> Result<Model> {
        let file = folder.join(source.urdf);
        let mut packages = vec![folder.to_owned()];
        packages.extend(folder.parent().map(Path::to_owned));
        let robot = Robot::from_urdf_file(&file)?;
        let loaded = load_collision_meshes(robot, &file, &packages, &ReadLimits::default())?;
        if let Some(problem) = loaded.problems.first() {
            bail!("the mesh {:?} {}", problem.filename, problem.problem);
        }
        let robot = loaded.robot;
        let unchecked = robot.unchecked().len();
        ensure!(
            unchecked == 0,
            "{unchecked} collision shapes cannot be checked"
        );
        let mut rest = robot.neutral();
        for &(joint, position) in source.others {
            // The second finger follows the first one in some files, and in others both are fixed.
            let moves = robot.joints().iter().find(|found| found.name == joint);
            if moves.is_some_and(|j| j.mimic.is_none() && j.kind != JointKind::Fixed) {
                rest.set(joint, position)?;
            }
        }
        let limit = |name: &&str| {
            let joint = robot.joint_index(name).map(|joint| &robot.joints()[joint]);
            let joint = joint.with_context(|| format!("no joint {name}"))?;
            Ok(joint.range().unwrap_or([-PI, PI]))
        };
        let limits = source.joints.iter().map(limit).collect::<Result<_>>()?;
        let parts = robot.collision_bodies().map(|body| {
            let geometry = &robot.links()[body.link].collisions[body.collision].geometry;
            part(&body.shape, geometry)
        });
        let parts = parts.collect::<Result<_>>()?;
        let mut scene = RobotScene::new(robot)?;
        let [z, yaw] = source.base;
        let turn = nalgebra::Vector3::new(0.0, 0.0, yaw);
        scene.set_base(Isometry3::new(nalgebra::Vector3::new(0.0, 0.0, z), turn))?;
        // What names links that are not in this robot has no effect.
        scene.apply_srdf(&Srdf::from_srdf_file(folder.join(source.srdf))?);
        let pairs = compared_pairs(&scene)?;
        Ok(Model {
            source,
            scene,
            rest,
            parts,
            pairs,
            limits,
        })
    }

    pub fn triangles(&self) -> usize {
        let triangles = self.parts.iter().map(|part| match part {
            Part::Mesh(_, triangles) => triangles.len(),
            Part::Solid(_) => 0,
        });
        triangles.sum()
    }

    pub fn body_count(&self) -> usize {
        self.parts.len()
    }

    /// The configuration of these positions; one that rounding has put past a limit is at the limit.
    ///
    /// # Errors
    /// A position outside of the limits.
    pub fn configuration(&self, positions: &[f64]) -> Result<Configuration> {
        let mut configuration = self.rest.clone();
        for ((joint, &position), [lower, upper]) in
            self.source.joints.iter().zip(positions).zip(&self.limits)
        {
            let inside = position.clamp(*lower, *upper);
            let rounded = (inside - position).abs() <= ROUNDING;
            configuration.set(joint, if rounded { inside } else { position })?;
        }
        Ok(configuration)
    }

    /// States on the straight line between two configurations, at most `spacing` apart, both ends included.
    ///
    /// # Errors
    /// A position outside of the limits.
    pub fn line(&self, [from, to]: [&[f64]; 2], spacing: f64) -> Result<Vec<Configuration>> {
        let count = (distance([from, to]) / spacing).ceil().max(1.0) as usize;
        let at = |k: usize| {
            let t = k as f64 / count as f64;
            let between = from.iter().zip(to).map(|(a, b)| (1.0 - t) * a + t * b);
            self.configuration(&between.collect::<Vec<f64>>())
        };
        (0..=count).map(at).collect()
    }

    /// The positions of the joints of the problems.
    ///
    /// # Errors
    /// A configuration of another robot.
    pub fn positions(&self, configuration: &Configuration) -> Result<Vec<f64>> {
        let positions =
            self.source
                .joints
                .iter()
                .map(|joint| match configuration.position(joint)? {
                    JointPosition::Scalar(position) => Ok(position),
                    _ => bail!("{joint} has no single position"),
                });
        positions.collect()
    }

    /// The robot among the obstacles of a problem.
    ///
    /// # Errors
    /// An obstacle that the scene refuses.
    pub fn among(&self, problem: &Problem) -> Result<RobotScene> {
        let mut scene = self.scene.clone();
        for obstacle in &problem.obstacles {
            let shape: Shape = match obstacle.solid {
                Solid::Sphere { radius } => Superovoid::sphere(radius)?.into(),
                Solid::Box { half } => ConvexShape::cuboid(half)?.into(),
                Solid::Cylinder { radius, length } => ConvexShape::cylinder(radius, length)?.into(),
            };
            // Some have the names of links.
            scene.add_obstacle(&format!("obstacle {}", obstacle.name), shape, obstacle.pose)?;
        }
        Ok(scene)
    }

    /// The bodies of the robot for other engines.
    pub fn bodies(&self) -> Vec<Body<'_>> {
        let body = |part| match part {
            &Part::Solid(solid) => of_solid(solid, HERE),
            Part::Mesh(vertices, triangles) => Body::mesh(vertices, triangles),
        };
        self.parts.iter().map(body).collect()
    }

    /// The poses of these bodies in configurations, one after the other.
    ///
    /// # Errors
    /// A configuration of another robot.
    pub fn poses(&self, configurations: &[Configuration]) -> Result<Vec<f64>> {
        let robot = self.scene.robot();
        let mut poses = Vec::with_capacity(12 * self.parts.len() * configurations.len());
        for configuration in configurations {
            let links = robot.forward_kinematics(configuration)?;
            for body in robot.collision_bodies() {
                poses.extend(numbers(&(self.scene.base() * links[body.link] * body.pose)));
            }
        }
        Ok(poses)
    }
}

impl Model {
    /// Whether a vertex or the middle of a body or an obstacle is in a mesh with which it is compared.
    ///
    /// # Errors
    /// A configuration of another robot.
    pub fn encloses(&self, problem: &Problem, configuration: &Configuration) -> Result<bool> {
        let robot = self.scene.robot();
        let links = robot.forward_kinematics(configuration)?;
        let bodies = robot.collision_bodies();
        let poses = bodies.map(|body| self.scene.base() * links[body.link] * body.pose);
        let poses: Vec<Isometry3<f64>> = poses.collect();
        let point = |k: usize| match &self.parts[k] {
            Part::Mesh(vertices, _) => poses[k] * Point3::from(vertices[0]),
            Part::Solid(_) => Point3::from(poses[k].translation.vector),
        };
        let is_in = |point: Point3<f64>, k: usize| match &self.parts[k] {
            Part::Mesh(vertices, triangles) => {
                let point = poses[k].inverse_transform_point(&point);
                winding(&point, vertices, triangles).abs() > 0.5
            }
            Part::Solid(_) => false,
        };
        let in_link = |&[a, b]: &[u32; 2]| {
            let [a, b] = [a as usize, b as usize];
            is_in(point(a), b) || is_in(point(b), a)
        };
        let middles = problem.obstacles.iter().map(|o| o.pose.translation.vector);
        let mut all = middles.flat_map(|middle| (0..poses.len()).map(move |k| (middle, k)));
        Ok(self.pairs.iter().any(in_link) || all.any(|(middle, k)| is_in(middle.into(), k)))
    }
}

/// The Euclidean distance of two configurations.
pub fn distance([from, to]: [&[f64]; 2]) -> f64 {
    let squares = from.iter().zip(to).map(|(a, b)| (b - a).powi(2));
    squares.sum::<f64>().sqrt()
}

/// The winding number of a mesh about a point: the sum of the solid angles of its triangles, over 4π.
fn winding(point: &Point3<f64>, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
    let angle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|k| Point3::from(vertices[k as usize]) - point);
        let [la, lb, lc] = [a.norm(), b.norm(), c.norm()];
        let under = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.dot(&b.cross(&c)).atan2(under)
    };
    triangles.iter().map(angle).sum::<f64>() / (4.0 * PI)
}

/// The obstacles of a problem for other engines.
pub fn obstacles(problem: &Problem) -> Vec<Body<'static>> {
    let obstacles = problem.obstacles.iter();
    obstacles
        .map(|obstacle| of_solid(obstacle.solid, numbers(&obstacle.pose)))
        .collect()
}

fn of_solid(solid: Solid, pose: [f64; 12]) -> Body<'static> {
    match solid {
        Solid::Sphere { radius } => Body::sphere(radius, pose),
        Solid::Box { half } => Body::cuboid(half, pose),
        Solid::Cylinder { radius, length } => Body::cylinder(radius, length, pose),
    }
}

/// Rotation column by column, translation.
fn numbers(pose: &Isometry3<f64>) -> [f64; 12] {
    let mut numbers = [0.0; 12];
    numbers[..9].copy_from_slice(pose.rotation.to_rotation_matrix().matrix().as_slice());
    numbers[9..].copy_from_slice(pose.translation.vector.as_slice());
    numbers
}

fn part(shape: &Shape, geometry: &Geometry) -> Result<Part> {
    Ok(match (shape, geometry) {
        (Shape::Mesh(mesh), _) => Part::Mesh(
            mesh.vertices().iter().map(|v| [v.x, v.y, v.z]).collect(),
            mesh.triangles().to_vec(),
        ),
        (_, &Geometry::Sphere { radius }) => Part::Solid(Solid::Sphere { radius }),
        (_, &Geometry::Box { size }) => Part::Solid(Solid::Box {
            half: size.map(|length| 0.5 * length),
        }),
        (_, &Geometry::Cylinder { radius, length }) => {
            Part::Solid(Solid::Cylinder { radius, length })
        }
        (_, geometry) => bail!("no engine is given a {}", geometry.element()),
    })
}

/// The folder below `folder` in which a file has this path.
pub fn find(folder: &Path, file: &str) -> Option<PathBuf> {
    if folder.join(file).is_file() {
        return Some(folder.to_owned());
    }
    let entries = std::fs::read_dir(folder).ok()?.flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    folders.iter().find_map(|folder| find(folder, file))
}

/// The problems of a robot in a folder: packed or not.
///
/// # Errors
/// That there is no such file.
pub fn problem_file(folder: &Path, robot: &str) -> Result<PathBuf> {
    let names = [format!("{robot}.txt"), format!("{robot}.txt.gz")];
    let mut paths = names.iter().map(|name| folder.join(name));
    let found = paths.find(|path| path.is_file());
    found.with_context(|| format!("no {} in {}", names[1], folder.display()))
}
