//! The collisions of a robot, one after the other, to superovoids.

use super::document::{Entry, Place};
use super::error::{FitProblem, FitRobotError};
use super::fitted::{Choice, RobotBody, RobotOptions, RobotProgress, Untouched};
use super::paths::Folders;
use super::primitive::Primitive;
use crate::bounding::{Side, settled_with};
use crate::reported::fit_counted;
use crate::{Aim, Fit, FitError, Report, read_robot_mesh};
use nalgebra::{Isometry3, Point3};
use std::collections::HashMap;
use std::collections::hash_map::Entry::{Occupied, Vacant};
use std::path::PathBuf;
use std::rc::Rc;
use std::time::{Duration, Instant};
use superovoid_robot::{Collision, Geometry, Origin, Robot};

/// What the collisions become.
#[derive(Default)]
pub(super) struct Converted<'a> {
    pub entries: Vec<(&'a Place, Vec<Entry>)>,
    pub bodies: Vec<RobotBody>,
    pub choices: Vec<Choice>,
    pub untouched: Vec<Untouched>,
}

/// A fit to a mesh or to a part of it, in the frame of the mesh, the scale applied.
struct Fitted {
    fit: Fit,
    report: Report,
    /// What it holds if it encloses.
    held: Vec<Point3<f64>>,
    /// How far what it holds may be from these points' hull, by rounding.
    slack: f64,
}

/// The fits to a mesh, and the volumes of other numbers of them.
struct Fits {
    bodies: Vec<Fitted>,
    volumes: Vec<f64>,
}

/// The superovoids of a mesh with what the file gets, and how many there are.
type Placed = (Vec<(Entry, RobotBody)>, Option<Choice>);

/// The work on a robot.
pub(super) struct Work<'a> {
    options: &'a RobotOptions<'a>,
    robot: &'a Robot,
    places: &'a [Vec<Option<Place>>],
    folders: Folders,
    /// By the file's real path and the bits of the scale.
    meshes: HashMap<(PathBuf, [u64; 3]), Rc<Fits>>,
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

    fn untouched(self, collision: &Collision) -> Untouched {
        Untouched {
            link: self.link,
            collision: self.collision,
            has_superovoid: collision.superovoid.is_some(),
        }
    }
}

impl<'a> Work<'a> {
    pub fn new(
        options: &'a RobotOptions<'a>,
        robot: &'a Robot,
        places: &'a [Vec<Option<Place>>],
        folders: Folders,
    ) -> Self {
        Work {
            options,
            robot,
            places,
            folders,
            meshes: HashMap::new(),
        }
    }

    pub fn converted(&mut self) -> Result<Converted<'a>, FitRobotError> {
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
                let origin = collision.origin.isometry();
                let (bodies, choice) = self.of_mesh(at, filename, *scale, &origin)?;
                converted.choices.extend(choice);
                bodies
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
        let report = primitive.report(&here);
        let report = report.map_err(|e| at.refused(&element, e))?;
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
    ) -> Result<Placed, FitRobotError> {
        let (fitted, repeated) = self.fitted(at, filename, scale)?;
        let bodies = fitted.bodies.iter().map(|body| {
            let points: Vec<Point3<f64>> = body.held.iter().map(|p| origin * p).collect();
            let placed = self.placed(body, origin, &points);
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
        let bodies: Result<Vec<(Entry, RobotBody)>, FitRobotError> = bodies.collect();
        let choice = Choice {
            link: at.link,
            collision: at.collision,
            bodies: fitted.bodies.len(),
            volumes: fitted.volumes.clone(),
        };
        Ok((bodies?, Some(choice).filter(|c| !c.volumes.is_empty())))
    }

    /// The fits to a mesh, and whether they were there before.
    fn fitted(
        &mut self,
        at: At,
        filename: &str,
        scale: [f64; 3],
    ) -> Result<(Rc<Fits>, bool), FitRobotError> {
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
                let found = fit_counted(&mesh, &self.options.parts);
                let (bodies, volumes) = found.map_err(|e| at.refused(filename, e))?;
                let bodies = bodies.into_iter().map(|body| Fitted {
                    held: body.held(&mesh, &self.options.parts).to_vec(),
                    fit: body.fit,
                    report: body.report,
                    slack: body.slack,
                });
                let bodies = bodies.collect();
                let fitted = Rc::new(Fits { bodies, volumes });
                Ok((empty.insert(fitted).clone(), false))
            }
        }
    }

    /// A body in the frame of the link, with the pose that the file's numbers give; `points` are what it holds if it
    /// encloses, in the same frame.
    fn placed(
        &self,
        body: &Fitted,
        origin: &Isometry3<f64>,
        points: &[Point3<f64>],
    ) -> Result<(Entry, Fit, Geometry), FitError> {
        let fit = &body.fit;
        let exact = Origin::from_isometry(&(origin * fit.pose));
        // Adding 0 makes one of the two zeros.
        let [xyz, rpy] = [exact.xyz, exact.rpy].map(|v| v.map(|x| x + 0.0));
        let origin = Origin { xyz, rpy };
        let pose = origin.isometry();
        let shape = match self.options.parts.mesh.fit.aim {
            Aim::Enclosing => {
                let settled = settled_with(&fit.shape, &pose, points, Side::Inside, body.slack);
                settled.ok_or(FitError::NotFound)?
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
