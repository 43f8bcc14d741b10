//! The collisions of a robot, one after the other, to superovoids.

use super::document::{Entry, Place};
use super::error::{FitProblem, FitRobotError};
use super::fitted::{Choice, RobotBody, RobotOptions, RobotProgress, Untouched};
use super::paths::Folders;
use super::primitive::Primitive;
use crate::bounding::{Side, settled_with};
use crate::fit_parts::{Ladder, fit_ladder};
use crate::reported::fit_counted;
use crate::{Aim, Fit, FitError, Mesh, PartsOptions, Report, Reported, read_robot_mesh};
use nalgebra::{Isometry3, Point3};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
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

/// A mesh: the file's real path and the bits of the scale.
type MeshKey = (PathBuf, [u64; 3]);

/// The work on a robot.
pub(super) struct Work<'a> {
    pub options: &'a RobotOptions<'a>,
    pub robot: &'a Robot,
    places: &'a [Vec<Option<Place>>],
    folders: Folders,
    /// The numbers of bodies of collisions, by link and collision, where they are not those of the options.
    pub chosen: HashMap<[usize; 2], usize>,
    /// With the chosen number of bodies.
    meshes: HashMap<(MeshKey, Option<usize>), Rc<Fits>>,
    /// Those that a collision of this conversion has.
    taken: HashSet<(MeshKey, Option<usize>)>,
    ladders: HashMap<MeshKey, Rc<Ladder>>,
    done: usize,
    steps: usize,
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
            chosen: HashMap::new(),
            meshes: HashMap::new(),
            taken: HashSet::new(),
            ladders: HashMap::new(),
            done: 0,
            steps: 0,
        }
    }

    /// Tells what is next.
    fn tell(&self, link: &str) -> Result<(), FitRobotError> {
        let progress = RobotProgress {
            link,
            done: self.done,
            steps: self.steps,
        };
        if self.options.progress.is_some_and(|tell| !tell(progress)) {
            return Err(FitRobotError::Cancelled);
        }
        Ok(())
    }

    pub fn converted(&mut self) -> Result<Converted<'a>, FitRobotError> {
        let links = self.robot.links();
        // When some collisions get more bodies, the others are there already.
        let first = self.done == 0;
        if first {
            self.steps = links.iter().map(|link| link.collisions.len()).sum();
        }
        self.taken.clear();
        let mut converted = Converted::default();
        for (i, (link, places)) in links.iter().zip(self.places).enumerate() {
            for (k, (collision, place)) in link.collisions.iter().zip(places).enumerate() {
                if first {
                    self.tell(&link.name)?;
                    self.done += 1;
                }
                let at = At {
                    link: i,
                    collision: k,
                    name: &link.name,
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
        let path = self.path(at, filename)?;
        let chosen = self.chosen.get(&[at.link, at.collision]).copied();
        let key = ((path, scale.map(f64::to_bits)), chosen);
        let repeated = !self.taken.insert(key.clone());
        if let Some(known) = self.meshes.get(&key) {
            return Ok((known.clone(), repeated));
        }
        let mut options = self.options.parts;
        let mesh = self.mesh(at, filename, &key.0.0, scale)?;
        let ladder = self.ladders.get(&key.0);
        let rung = ladder.zip(chosen).and_then(|(ladder, count)| {
            let rung = ladder.rungs.iter().find(|parts| parts.len() == count)?;
            Some((rung.clone(), ladder.volumes.clone()))
        });
        let found = match rung {
            None => fit_counted(&mesh, &options),
            Some((parts, volumes)) => {
                options.most = parts.len() as u32;
                let reported = parts.into_iter().map(Reported::of_part);
                reported.collect::<Result<_, _>>().map(|r| (r, volumes))
            }
        };
        let (bodies, volumes) = found.map_err(|e| at.refused(filename, e))?;
        let bodies = bodies.into_iter().map(|body| Fitted {
            held: body.held(&mesh, &options).to_vec(),
            fit: body.fit,
            report: body.report,
            slack: body.slack,
        });
        let bodies = bodies.collect();
        let fitted = Rc::new(Fits { bodies, volumes });
        self.meshes.insert(key, fitted.clone());
        Ok((fitted, repeated))
    }

    /// The fits to the mesh of a collision by more than `above` bodies, up to a number of them; None where it is no mesh
    /// that is fitted.
    pub fn ladder(
        &mut self,
        [link, collision]: [usize; 2],
        above: usize,
        most: u32,
    ) -> Result<Option<Rc<Ladder>>, FitRobotError> {
        let of = &self.robot.links()[link];
        let on = &of.collisions[collision];
        let at = At {
            link,
            collision,
            name: &of.name,
        };
        let (Geometry::Mesh { filename, scale }, None, Some(_)) =
            (&on.geometry, &on.superovoid, &self.places[link][collision])
        else {
            return Ok(None);
        };
        let key = (self.path(at, filename)?, scale.map(f64::to_bits));
        if let Some(known) = self.ladders.get(&key) {
            return Ok(Some(known.clone()));
        }
        self.steps += 1;
        self.tell(at.name)?;
        let mesh = self.mesh(at, filename, &key.0, *scale)?;
        let options = PartsOptions {
            most,
            ..self.options.parts
        };
        let ladder = fit_ladder(&mesh, &options, above).map_err(|e| at.refused(filename, e))?;
        let ladder = Rc::new(ladder);
        self.ladders.insert(key, ladder.clone());
        self.done += 1;
        Ok(Some(ladder))
    }

    fn path(&self, at: At, filename: &str) -> Result<PathBuf, FitRobotError> {
        let found = self.folders.find(filename);
        found.map_err(|problem| FitRobotError::Path {
            link: at.name.to_owned(),
            collision: at.collision + 1,
            filename: filename.to_owned(),
            problem,
        })
    }

    /// The mesh of a file, scaled.
    fn mesh(
        &self,
        at: At,
        filename: &str,
        path: &Path,
        scale: [f64; 3],
    ) -> Result<Mesh, FitRobotError> {
        let mesh = read_robot_mesh(path, &self.options.mesh_limits);
        let mesh = mesh.map_err(|problem| FitRobotError::Read {
            link: at.name.to_owned(),
            collision: at.collision + 1,
            problem,
        })?;
        mesh.scaled(scale).map_err(|e| at.refused(filename, e))
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
