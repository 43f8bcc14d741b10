//! A robot's collision shapes to superovoids, in the text of its URDF.
//!
//! The text is edited at the collisions and nowhere else. A mesh becomes one superovoid or several, each in a
//! collision of its own, whose origin is that of the body and whose standard shape is a [`Fallback`]. A sphere,
//! box or cylinder gets its superovoid at its side: the origins are the same, so that it remains what other
//! programs see.

mod document;
mod error;
mod fallback;
mod paths;
mod primitive;

pub use error::{FitProblem, FitRobotError};
pub use fallback::Fallback;
pub use paths::PathProblem;

use crate::bounding::{Side, settled};
use crate::{
    Aim, Distances, Fit, FitError, PartsOptions, ReadLimits, Report, fit_reported, read_robot_mesh,
};
use document::{Entry, Place};
use nalgebra::{Isometry3, Point3};
use paths::Folders;
use primitive::Primitive;
use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};
use superovoid::robot::{Collision, Geometry, Origin, Robot, UrdfLimits};

/// What [`fit_robot`] is asked for.
#[derive(Clone)]
pub struct RobotOptions<'a> {
    /// How meshes are fitted. By default a mesh becomes one body (`most` is 1). The aim is that of boxes and
    /// cylinders too.
    pub parts: PartsOptions<'a>,
    /// Exponent of the edges of boxes and cylinders, from 0.004 (sharp) to 1; default 0.02, with
    /// which contact queries take hardly longer than with rounder edges.
    pub edge_exponent: f64,
    /// What other programs see in place of a mesh.
    pub fallback: Fallback,
    /// Folders that are packages or hold packages; with the folder of the URDF, all from which files are read.
    pub package_paths: Vec<PathBuf>,
    /// Limits on each mesh file.
    pub mesh_limits: ReadLimits,
    /// Limits on the URDF file.
    pub urdf_limits: UrdfLimits,
    /// Called before each collision; ends the work with [`FitRobotError::Cancelled`] when it returns false.
    pub progress: Option<&'a dyn Fn(RobotProgress) -> bool>,
}

impl Default for RobotOptions<'_> {
    fn default() -> Self {
        RobotOptions {
            parts: PartsOptions {
                most: 1,
                ..PartsOptions::default()
            },
            edge_exponent: 0.02,
            fallback: Fallback::default(),
            package_paths: Vec::new(),
            mesh_limits: ReadLimits::default(),
            urdf_limits: UrdfLimits::default(),
            progress: None,
        }
    }
}

/// How far a robot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobotProgress<'a> {
    /// The link whose collision is next.
    pub link: &'a str,
    /// Collisions done.
    pub done: usize,
    /// All of them.
    pub steps: usize,
}

/// A robot with superovoids.
#[derive(Clone, Debug)]
pub struct FittedRobot {
    /// The model as it was read.
    pub robot: Robot,
    /// The text with superovoids in it.
    pub urdf: String,
    /// The superovoids, in the order of the text.
    pub bodies: Vec<RobotBody>,
    /// Collisions that stay as they are.
    pub untouched: Vec<Untouched>,
}

/// A superovoid of a robot.
#[derive(Clone, Debug)]
pub struct RobotBody {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions, as they were read.
    pub collision: usize,
    /// The body and its pose in the frame of the link, to the bit as the text has them.
    pub fit: Fit,
    /// How well it follows what it stands for: the hull of the mesh, or of the part of it, or the standard shape.
    pub report: Report,
    /// What other programs see.
    pub fallback: Geometry,
    /// Whether an earlier collision has the same mesh and scale, so that its fit was taken; its time is then 0.
    pub repeated: bool,
}

/// A collision that stays as it is: it has a superovoid, or its geometry is of a kind that is not converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untouched {
    /// Index into [`Robot::links`].
    pub link: usize,
    /// Index into the link's collisions.
    pub collision: usize,
    /// Whether it has a superovoid already.
    pub has_superovoid: bool,
}

/// Puts superovoids beside the collision shapes of a robot, in the text of its URDF file.
///
/// The rest of the text stays as it is, byte for byte. Meshes of the same file and scale are fitted once. With
/// [`Aim::Enclosing`] and a convex family the written superovoids hold every vertex of the meshes and the whole
/// standard shapes, in spite of the rounding of their poses.
///
/// Mesh files are read as [`read_robot_mesh`] does, and only from the folder of the URDF, the package paths, and
/// what is in them; a name that leads elsewhere is an error.
///
/// # Errors
/// A URDF that [`Robot::from_urdf_file`] refuses, a mesh that may not or cannot be read, and one that nothing can be
/// fitted to. The first of them ends the work.
pub fn fit_robot(
    path: impl AsRef<Path>,
    options: &RobotOptions,
) -> Result<FittedRobot, FitRobotError> {
    let path = path.as_ref();
    let value = options.edge_exponent;
    if !(0.004..=1.0).contains(&value) {
        return Err(FitRobotError::Exponent { value });
    }
    let (robot, text) = Robot::from_urdf_file_with_text(path, &options.urdf_limits)?;
    // A byte order mark is no part of what the parser takes.
    let (mark, text) = match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(rest) => (BYTE_ORDER_MARK, rest),
        None => ("", &text[..]),
    };
    // The same text has just been read as a robot.
    let places = document::places(text).unwrap_or_default();
    let mut work = Work {
        options,
        robot: &robot,
        places: &places,
        folders: Folders::new(path, &options.package_paths)?,
        meshes: HashMap::new(),
    };
    let converted = work.converted()?;
    let urdf = mark.to_owned() + &document::edited(text, &places, &converted.entries);
    let read_back = Robot::from_urdf_str_with(&urdf, &options.urdf_limits);
    read_back.map_err(FitRobotError::Edited)?;
    Ok(FittedRobot {
        urdf,
        bodies: converted.bodies,
        untouched: converted.untouched,
        robot,
    })
}

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What the collisions become.
#[derive(Default)]
struct Converted<'a> {
    entries: Vec<(&'a Place, Vec<Entry>)>,
    bodies: Vec<RobotBody>,
    untouched: Vec<Untouched>,
}

/// A fit to a mesh or to a part of it, in the frame of the mesh, the scale applied.
struct Fitted {
    fit: Fit,
    report: Report,
    /// What it holds if it encloses.
    held: Vec<Point3<f64>>,
}

struct Work<'a> {
    options: &'a RobotOptions<'a>,
    robot: &'a Robot,
    places: &'a [Vec<Option<Place>>],
    folders: Folders,
    /// By the file's real path and the bits of the scale.
    meshes: HashMap<(PathBuf, [u64; 3]), Rc<[Fitted]>>,
}

/// A collision, for messages and results.
#[derive(Clone, Copy)]
struct At<'a> {
    link: usize,
    collision: usize,
    name: &'a str,
}

impl At<'_> {
    /// The error with the collision's name; `what` is the file or the element.
    fn refused(self, what: &str, problem: impl Into<FitProblem>) -> FitRobotError {
        FitRobotError::Fit {
            link: self.name.to_owned(),
            collision: self.collision + 1,
            what: what.to_owned(),
            problem: problem.into(),
        }
    }
}

impl<'a> Work<'a> {
    fn converted(&mut self) -> Result<Converted<'a>, FitRobotError> {
        let links = self.robot.links();
        let steps = links.iter().map(|link| link.collisions.len()).sum();
        let mut done = 0;
        let mut converted = Converted::default();
        for (i, (link, places)) in links.iter().zip(self.places).enumerate() {
            for (k, (collision, place)) in link.collisions.iter().zip(places).enumerate() {
                let (link, name) = (&link.name, &link.name);
                let progress = RobotProgress { link, done, steps };
                if self.options.progress.is_some_and(|tell| !tell(progress)) {
                    return Err(FitRobotError::Cancelled);
                }
                done += 1;
                let at = At {
                    link: i,
                    collision: k,
                    name,
                };
                match place {
                    Some(place) if collision.superovoid.is_none() => {
                        self.convert(at, collision, place, &mut converted)?;
                    }
                    _ => converted.untouched.push(at.untouched(collision)),
                }
            }
        }
        Ok(converted)
    }

    fn convert(
        &mut self,
        at: At,
        collision: &Collision,
        place: &'a Place,
        converted: &mut Converted<'a>,
    ) -> Result<(), FitRobotError> {
        let bodies = match &collision.geometry {
            Geometry::Mesh { filename, scale } => {
                if let Some(attribute) = &place.foreign {
                    return Err(FitRobotError::Origin {
                        link: at.name.to_owned(),
                        collision: at.collision + 1,
                        attribute: attribute.clone(),
                    });
                }
                self.of_mesh(at, filename, *scale, &collision.origin.isometry())?
            }
            geometry => match Primitive::of(geometry, self.options.edge_exponent) {
                Some(primitive) => vec![self.of_primitive(at, collision, &primitive)?],
                None => {
                    converted.untouched.push(at.untouched(collision));
                    return Ok(());
                }
            },
        };
        let entries = bodies.iter().map(|(entry, _)| entry.clone()).collect();
        converted.entries.push((place, entries));
        converted
            .bodies
            .extend(bodies.into_iter().map(|(_, body)| body));
        Ok(())
    }

    /// The superovoid at the side of a standard shape.
    fn of_primitive(
        &self,
        at: At,
        collision: &Collision,
        primitive: &Primitive,
    ) -> Result<(Entry, RobotBody), FitRobotError> {
        let started = Instant::now();
        let geometry = &collision.geometry;
        let element = format!("<{}>", geometry.element());
        let shape = primitive.superovoid(self.options.parts.mesh.fit.aim);
        let shape = shape.map_err(|e| at.refused(&element, e))?;
        let time = started.elapsed();
        let here = Fit {
            shape,
            pose: Isometry3::identity(),
            time,
        };
        let report = if primitive.is_sphere() {
            Report {
                mesh_to_body: Distances::default(),
                body_to_mesh: Distances::default(),
                volume_to_mesh: Some(1.0),
                volume_to_hull: Some(1.0),
                time,
            }
        } else {
            let mesh = primitive.mesh().map_err(|e| at.refused(&element, e))?;
            let ratio = Some(shape.volume() / primitive.volume());
            Report {
                volume_to_mesh: ratio,
                volume_to_hull: ratio,
                ..here.report(&mesh).map_err(|e| at.refused(&element, e))?
            }
        };
        let body = RobotBody {
            link: at.link,
            collision: at.collision,
            fit: Fit {
                pose: collision.origin.isometry(),
                ..here
            },
            report,
            fallback: geometry.clone(),
            repeated: false,
        };
        Ok((
            Entry {
                shape,
                placed: None,
            },
            body,
        ))
    }

    /// The superovoids in place of a mesh.
    fn of_mesh(
        &mut self,
        at: At,
        filename: &str,
        scale: [f64; 3],
        origin: &Isometry3<f64>,
    ) -> Result<Vec<(Entry, RobotBody)>, FitRobotError> {
        let (fitted, repeated) = self.fitted(at, filename, scale)?;
        let bodies = fitted.iter().map(|body| {
            let points: Vec<Point3<f64>> = body.held.iter().map(|p| origin * p).collect();
            let placed = self.placed(&body.fit, origin, &points);
            let (entry, fit, fallback) = placed.map_err(|e| at.refused(filename, e))?;
            let time = if repeated { Duration::ZERO } else { fit.time };
            let body = RobotBody {
                link: at.link,
                collision: at.collision,
                fit: Fit { time, ..fit },
                report: Report {
                    time,
                    ..body.report
                },
                fallback,
                repeated,
            };
            Ok((entry, body))
        });
        bodies.collect()
    }

    /// The fits to a mesh, and whether they were there before.
    fn fitted(
        &mut self,
        at: At,
        filename: &str,
        scale: [f64; 3],
    ) -> Result<(Rc<[Fitted]>, bool), FitRobotError> {
        let (link, collision) = (at.name.to_owned(), at.collision + 1);
        let path = match self.folders.find(filename) {
            Ok(path) => path,
            Err(problem) => {
                let filename = filename.to_owned();
                return Err(FitRobotError::Path {
                    link,
                    collision,
                    filename,
                    problem,
                });
            }
        };
        match self.meshes.entry((path, scale.map(f64::to_bits))) {
            Occupied(known) => Ok((known.get().clone(), true)),
            Vacant(empty) => {
                let mesh = read_robot_mesh(&empty.key().0, &self.options.mesh_limits);
                let mesh = mesh.map_err(|problem| FitRobotError::Read {
                    link,
                    collision,
                    problem,
                })?;
                let mesh = mesh.scaled(scale).map_err(|e| at.refused(filename, e))?;
                let bodies = fit_reported(&mesh, &self.options.parts);
                let bodies = bodies.map_err(|e| at.refused(filename, e))?;
                let fitted = bodies.into_iter().map(|body| Fitted {
                    held: body.held(&mesh, &self.options.parts).to_vec(),
                    fit: body.fit,
                    report: body.report,
                });
                let fitted: Rc<[Fitted]> = fitted.collect();
                Ok((empty.insert(fitted).clone(), false))
            }
        }
    }

    /// A body in the frame of the link, with the pose that the file's numbers give; `points` are what it holds if it
    /// encloses, in the same frame.
    fn placed(
        &self,
        fit: &Fit,
        origin: &Isometry3<f64>,
        points: &[Point3<f64>],
    ) -> Result<(Entry, Fit, Geometry), FitError> {
        let exact = Origin::from_isometry(&(origin * fit.pose));
        // Adding 0 makes one of the two zeros.
        let [xyz, rpy] = [exact.xyz, exact.rpy].map(|v| v.map(|x| x + 0.0));
        let origin = Origin { xyz, rpy };
        let pose = origin.isometry();
        let shape = match self.options.parts.mesh.fit.aim {
            Aim::Enclosing => {
                settled(&fit.shape, &pose, points, Side::Inside).ok_or(FitError::NotFound)?
            }
            _ => fit.shape,
        };
        let local: Vec<Point3<f64>> = points
            .iter()
            .map(|p| pose.inverse_transform_point(p))
            .collect();
        let fallback = self.options.fallback.around(&shape, &local);
        let entry = Entry {
            shape,
            placed: Some((origin, fallback.clone())),
        };
        let fit = Fit {
            shape,
            pose,
            time: fit.time,
        };
        Ok((entry, fit, fallback))
    }
}

impl At<'_> {
    fn untouched(self, collision: &Collision) -> Untouched {
        Untouched {
            link: self.link,
            collision: self.collision,
            has_superovoid: collision.superovoid.is_some(),
        }
    }
}
