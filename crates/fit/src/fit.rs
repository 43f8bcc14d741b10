//! Points to one superovoid.

use crate::body::Body;
use crate::both_ways::Followed;
use crate::bounding::{FEW_ROUNDS, ROUNDS, Side, minimised, settled};
use crate::chart::{Line, Tapers, made_convex};
use crate::fit_options::{Aim, Axis, Family, FitOptions, Loss};
use crate::frame::Frame;
use crate::points::{Cloud, checked};
use crate::search::{Candidate, Search};
use crate::{FitError, Mesh, hull};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Vector3};
use std::f64::consts::FRAC_PI_4;
use std::time::{Duration, Instant};
use superovoid::Superovoid;

/// A superovoid with its pose, fitted to points.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fit {
    /// The body.
    pub shape: Superovoid,
    /// Its pose in the frame of the points.
    pub pose: Isometry3<f64>,
    /// How long the fit took.
    pub time: Duration,
}

impl Fit {
    /// Makes a fit of a known body, for [`Fit::report`] or [`refine_union`](crate::refine_union).
    pub fn new(shape: Superovoid, pose: Isometry3<f64>, time: Duration) -> Self {
        Fit { shape, pose, time }
    }
}

/// Fits a superovoid to points on or near its surface (metres).
///
/// Minimises first-order distances by Levenberg-Marquardt from many starts. The result is
/// deterministic, and that of points turned, mirrored, scaled or put in another order is the same body turned, mirrored and
/// scaled with them. It is the best of the local minima that the starts lead to; for points of a superovoid's
/// whole surface that is all but always the body itself.
///
/// # Errors
/// Fewer than 13 points, coordinates that are not finite, points in a plane, on a line or at one place, an
/// axis without direction, and a progress callback that returned false.
///
/// ```
/// use nalgebra::Point3;
/// use superovoid::Superovoid;
/// use superovoid_fit::{FitOptions, fit};
///
/// let egg = Superovoid::new([0.02, 0.025, 0.03], [1.0, 0.8], [0.2, 0.2])?;
/// let points: Vec<Point3<f64>> = egg.tessellate(24).vertices;
/// let found = fit(&points, &FitOptions::default())?;
/// assert!((found.shape.volume() / egg.volume() - 1.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn fit(points: &[Point3<f64>], options: &FitOptions) -> Result<Fit, FitError> {
    checked(points)?;
    let frame = Frame::of_points(points, options)?;
    let within = frame.points(points);
    let given = Given {
        frame: &frame,
        surface: &within,
        bounds: &within,
        kept: points,
        mesh: None,
    };
    fit_to(&given, options)
}

/// What a body is fitted to.
pub(crate) struct Given<'a> {
    /// The shape's own, of all that follows but `kept`.
    pub frame: &'a Frame,
    /// The error is that of these points.
    pub surface: &'a [Point3<f64>],
    /// What an enclosing or inscribed body keeps inside or outside.
    pub bounds: &'a [Point3<f64>],
    /// The same as it was given.
    pub kept: &'a [Point3<f64>],
    /// The mesh that a best fit by least squares follows both ways.
    pub mesh: Option<&'a Mesh>,
}

pub(crate) fn fit_to(given: &Given, options: &FitOptions) -> Result<Fit, FitError> {
    let started = Instant::now();
    let bounds = given.bounds;
    let cloud = Cloud::new(given.surface)?;
    let line = given.frame.axis(options)?;
    let search = Search {
        family: options.family,
        loss: options.loss,
        line: line.map(|axis| line_of(&axis, &cloud)),
        progress: options.progress,
    };
    let candidates = search.run(&cloud)?;
    let (shape, pose) = match options.aim {
        Aim::Best => {
            let first = candidates.first().ok_or(FitError::NotFound)?;
            let mesh = given.mesh.filter(|_| options.loss == Loss::Squares);
            let followed = mesh.and_then(|mesh| Followed::new(mesh, &cloud));
            let best = match followed {
                Some(mesh) => following(&search, &mesh, &candidates)?.unwrap_or(*first),
                None => *first,
            };
            placed(&best.body, &cloud)?
        }
        Aim::Enclosing => bounding(&search, &cloud, &candidates, bounds, Side::Inside)?,
        Aim::Inscribed => bounding(&search, &cloud, &candidates, bounds, Side::Outside)?,
    };
    let (shape, pose) = (given.frame).kept_from(&shape, &pose, options, given.kept, 0.0)?;
    Ok(Fit {
        shape,
        pose,
        time: started.elapsed(),
    })
}

/// An axis in the units of the cloud.
fn line_of(axis: &Axis, cloud: &Cloud) -> Line {
    let within = |p: Point3<f64>| (p.coords - cloud.center) / cloud.scale;
    Line {
        direction: axis.direction,
        through: axis.through.map(within),
    }
}

/// The body in the frame and units of the points.
pub(crate) fn placed(body: &Body, cloud: &Cloud) -> Result<(Superovoid, Isometry3<f64>), FitError> {
    let body = body.rescaled(cloud.scale, &cloud.center);
    let shape = body.shape().map_err(|_| FitError::NotFound)?;
    Ok((shape, body.pose()))
}

/// Bodies that are refined to follow a mesh.
const FOLLOWING: usize = 4;

/// The candidate that follows the mesh best, once refined.
fn following(
    search: &Search,
    mesh: &Followed,
    candidates: &[Candidate],
) -> Result<Option<Candidate>, FitError> {
    let mut best: Option<Candidate> = None;
    let steps = candidates.len().min(FOLLOWING);
    for (done, candidate) in candidates.iter().take(steps).enumerate() {
        search.report("distances both ways", done, steps)?;
        for tapers in tapers_of(search.family, &candidate.body) {
            let refined = mesh.refined(&candidate.body, tapers, search.line);
            best = best
                .into_iter()
                .chain(refined)
                .min_by(|p, q| p.loss.total_cmp(&q.loss));
        }
    }
    Ok(best)
}

/// The best enclosing or inscribed body that the candidates lead to.
fn bounding(
    search: &Search,
    cloud: &Cloud,
    candidates: &[Candidate],
    bounds: &[Point3<f64>],
    side: Side,
) -> Result<(Superovoid, Isometry3<f64>), FitError> {
    let within = |p: &Point3<f64>| (p.coords - cloud.center) / cloud.scale;
    let mut points: Vec<Vector3<f64>> = bounds.iter().map(within).collect();
    if side == Side::Inside && search.family != Family::Any {
        // A convex body that holds the hull's corners holds all points.
        points = hull::corners(&points).unwrap_or(points);
    }
    let back = |p: &Vector3<f64>| Point3::from(p * cloud.scale + cloud.center);
    let bounds: Vec<Point3<f64>> = points.iter().map(back).collect();
    // Between points or outside of them an inscribed body could grow without end.
    let within = |shape: &Superovoid, pose: &Isometry3<f64>| {
        side == Side::Inside || is_among(shape, pose, &bounds)
    };
    let improved = |start: &Body, tapers: Tapers, rounds: usize| -> Option<Bounding> {
        let mut body = minimised(start, &points, tapers, search.line, side, rounds);
        if search.family == Family::Convex {
            body = made_convex(&body);
        }
        let (shape, pose) = placed(&body, cloud).ok()?;
        let shape = settled(&shape, &pose, &bounds, side).filter(|s| within(s, &pose))?;
        Some(Bounding {
            body,
            tapers,
            shape,
            pose,
        })
    };
    let mut found: Vec<Bounding> = Vec::new();
    let starts = bounding_starts(search, candidates);
    for (done, start) in starts.iter().enumerate() {
        search.report("bounding bodies", done, starts.len())?;
        for tapers in tapers_of(search.family, start) {
            found.extend(improved(start, tapers, FEW_ROUNDS));
        }
    }
    let rank = |found: &mut Vec<Bounding>| match side {
        Side::Inside => found.sort_by(|p, q| p.volume().total_cmp(&q.volume())),
        Side::Outside => found.sort_by(|p, q| q.volume().total_cmp(&p.volume())),
    };
    rank(&mut found);
    found.truncate(REFINED);
    let refined = found
        .iter()
        .filter_map(|b| improved(&b.body, b.tapers, ROUNDS));
    let refined: Vec<Bounding> = refined.collect();
    found.extend(refined);
    rank(&mut found);
    let best = found.first().ok_or(FitError::NotFound)?;
    Ok((best.shape, best.pose))
}

/// Whether the body reaches hardly farther than the points, along each of its axes.
fn is_among(shape: &Superovoid, pose: &Isometry3<f64>, points: &[Point3<f64>]) -> bool {
    /// Part of the points' extent.
    const FARTHER: f64 = 0.02;
    let identity = Isometry3::identity();
    let body = shape.aabb(&identity);
    let local = |p| pose.inverse_transform_point(p);
    (0..3).all(|k| {
        let along = || points.iter().map(|p| local(p)[k]);
        let low = along().fold(f64::INFINITY, f64::min);
        let high = along().fold(f64::NEG_INFINITY, f64::max);
        let slack = FARTHER * (high - low);
        body.min[k] >= low - slack && body.max[k] <= high + slack
    })
}

/// Bounding bodies that get all rounds.
const REFINED: usize = 3;

/// A body that keeps its side of all points.
struct Bounding {
    body: Body,
    tapers: Tapers,
    shape: Superovoid,
    pose: Isometry3<f64>,
}

impl Bounding {
    fn volume(&self) -> f64 {
        self.shape.volume()
    }
}

/// The candidates, and the best of them with each axis as z, rounder or sharper edges, and turned about z by 45°
/// where the section is not round: the body of least error need not be near the one of least volume.
fn bounding_starts(search: &Search, candidates: &[Candidate]) -> Vec<Body> {
    let mut starts: Vec<Body> = candidates.iter().map(|c| c.body).collect();
    let Some(best) = starts.first().copied() else {
        return starts;
    };
    let axes = if search.line.is_some() { 1 } else { 3 };
    let diagonal = Rotation3::from_axis_angle(&Vector3::z_axis(), FRAC_PI_4);
    for turn in 0..axes {
        // Axes x, y, z become y, z, x.
        let axis = |k: usize| (k + turn) % 3;
        let columns = [0, 1, 2].map(|k| best.rotation.column(axis(k)).into_owned());
        let straight = Body {
            a: [0, 1, 2].map(|k| best.a[axis(k)]),
            t: [0.0; 2],
            rotation: Matrix3::from_columns(&columns),
            ..best
        };
        let turned = Body {
            rotation: straight.rotation * diagonal.matrix(),
            ..straight
        };
        for e in [[0.4, 0.4], [0.8, 0.8], [1.0, 0.3], [0.1, 0.5], [1.2, 0.1]] {
            starts.push(Body { e, ..straight });
        }
        for e in [[0.4, 0.4], [0.1, 0.5]] {
            starts.push(Body { e, ..turned });
        }
    }
    starts
}

/// The tapers that a body of the family may have, and that are worth a trial.
fn tapers_of(family: Family, body: &Body) -> Vec<Tapers> {
    match family {
        Family::Any => vec![Tapers::Free],
        Family::Superellipsoid => vec![Tapers::Zero],
        Family::Convex if body.e[1] > 1.0 => vec![Tapers::ConvexEqual, Tapers::ConvexUnequal],
        Family::Convex => vec![Tapers::ConvexEqual],
    }
}
