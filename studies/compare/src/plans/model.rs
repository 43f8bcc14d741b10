//! A robot of the problems: what superovoid and the other engines are given of it.

use super::problems::{Problem, Solid};
use super::sources::Source;
use crate::planner::foreign::{Body, HERE};
use crate::planner::workload::compared_pairs;
use anyhow::{Context, Result, bail, ensure};
use nalgebra::{Isometry3, Point3};
use std::f64::consts::PI;
use std::path::Path;
use superovoid::convex::ConvexShape;
use superovoid::{Shape, Superovoid};
use superovoid_fit::{ReadLimits, load_collision_meshes};
use superovoid_robot::scene::RobotScene;
use superovoid_robot::{Configuration, Geometry, JointKind, JointPosition, Robot, Srdf};

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
