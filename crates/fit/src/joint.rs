//! Bodies of parts, refined together so that their union follows a closed mesh.
//!
//! Each body of [`fit_parts`](crate::fit_parts()) follows the hull of its own part. The cuts between parts are no surface of
//! the mesh, and rounded bodies leave gaps along them. Here all bodies move at once, by Levenberg-Marquardt, and what counts is
//! the union. With d_j the first-order distance of a point from body j (see [`crate::robust`]), negative inside, and
//! d = min over the bodies, the residuals are
//!
//! ```text
//! d(p)                        of points p on the mesh
//! max(0, d(q) + s c(q))       of points q inside of it, at the distance c from it
//! max(0, s c(q) − d(q))       of points q outside
//! ```
//!
//! with s < 1, because near an edge between two bodies both are farther from being left than the union is. A residual depends
//! on one body only, the nearest, so the normal equations fall apart into one small system for each body; the damping is
//! common, and a step counts only where it lowers the sum of squares of the union. Small bodies are then left out, one by one,
//! where the others do as well without them. The result is a local minimum: a cusp may come out with its section turned by 45°
//! and the exponent that goes with it.

use crate::body::{Body, NATURAL};
use crate::chart::{Chart, Tapers, made_convex};
use crate::fit::placed;
use crate::frame::Frame;
use crate::points::Cloud;
use crate::{Fit, FitError, FitOptions, Mesh};
use nalgebra::{DMatrix, DVector, Point3, SVector, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::{TriMesh, TriMeshFlags};
use std::time::Instant;

/// Points on the mesh, and points in the box about it.
const ON: usize = 2000;
const ABOUT: usize = 3000;
/// The share s.
const SHARE: f64 = 0.4;
/// Points this near to the mesh, and farther outside than that, do not count; in units of the points' spread.
const NEAR: f64 = 0.02;
const FAR: f64 = 0.5;
/// Steps of the search, and of a trial without a body.
const STEPS: usize = 100;
const TRIAL: usize = 30;
/// A relative gain of the sum of squares below this ends the search.
const GAIN: f64 = 1e-5;
/// Bodies that fewer than this share of the mesh's points are nearest to are tried without, and how much worse the sum of
/// squares may be.
const SMALL: f64 = 0.2;
const WORSE: f64 = 1.05;

/// Refines the bodies of a closed mesh together: their union follows the mesh, and gaps between them close. Bodies that are
/// not needed are left out. All bodies are convex.
///
/// # Errors
/// As [`fit`](crate::fit()), for the points of the mesh.
pub fn refine_union(mesh: &Mesh, bodies: &[Fit]) -> Result<Vec<Fit>, FitError> {
    let started = Instant::now();
    let bodies: Vec<Body> = (bodies.iter())
        .map(|fit| Body::of(&fit.shape, &fit.pose))
        .collect();
    let frame = Frame::of_mesh(mesh, &FitOptions::default(), &bodies)?;
    let mesh = frame.mesh(mesh)?;
    let cloud = Cloud::new(&mesh.sample(ON))?;
    let wanted = Wanted::new(&mesh, &cloud);
    let within = |body: &Body| {
        let shift = -cloud.center / cloud.scale;
        frame.body(body).rescaled(1.0 / cloud.scale, &shift)
    };
    let mut best = wanted.refined(bodies.iter().map(within).collect(), STEPS);
    while let Some(fewer) = wanted.with_one_fewer(&best) {
        best = wanted.refined(fewer.bodies, STEPS);
    }
    let placed = |body: &Body| {
        let (shape, pose) = placed(&made_convex(body), &cloud)?;
        let (shape, pose) = frame.body_from(&Body::of(&shape, &pose))?;
        let time = started.elapsed();
        Ok(Fit { shape, pose, time })
    };
    best.bodies.iter().map(placed).collect()
}

/// A point and what its distance from the union should be.
struct Aim {
    point: Vector3<f64>,
    side: Side,
    /// s c(q); 0 on the mesh.
    least: f64,
    weight: f64,
}

enum Side {
    On,
    Inside,
    Outside,
}

/// The points of a mesh, in the units of its cloud.
struct Wanted {
    aims: Vec<Aim>,
}

/// Bodies with the sum of squares of their union.
struct Union {
    bodies: Vec<Body>,
    sum: f64,
    /// How many points of the mesh are nearest to each.
    shares: Vec<usize>,
}

/// The normal equations of one body.
struct Normal {
    matrix: DMatrix<f64>,
    vector: DVector<f64>,
}

impl Wanted {
    fn new(mesh: &Mesh, cloud: &Cloud) -> Wanted {
        let on = cloud.points.iter().map(|&point| Aim {
            point,
            side: Side::On,
            least: 0.0,
            weight: 1.0 / (cloud.points.len() as f64).sqrt(),
        });
        let mut aims: Vec<Aim> = on.collect();
        aims.extend(about(mesh, cloud));
        Wanted { aims }
    }

    /// The best union near some bodies.
    fn refined(&self, bodies: Vec<Body>, steps: usize) -> Union {
        let mut best = self.union(bodies);
        let mut damping = 1e-2;
        for _ in 0..steps {
            let charts: Vec<Chart> = (best.bodies.iter())
                .map(|body| Chart::around(body, Tapers::ConvexEqual, None))
                .collect();
            let unknowns: Vec<Vec<f64>> = (charts.iter().zip(&best.bodies))
                .map(|(chart, body)| chart.unknowns_of(body))
                .collect();
            let normals = self.normals(&charts, &unknowns);
            let before = best.sum;
            let mut lowered = false;
            for _ in 0..8 {
                let each = charts.iter().zip(&unknowns).zip(&normals);
                let moved = each.map(|((chart, x), normal)| chart.body(&normal.step(x, damping)));
                let next = self.union(moved.collect());
                if next.sum < best.sum {
                    best = next;
                    damping *= 0.3;
                    lowered = true;
                    break;
                }
                damping *= 4.0;
            }
            if !lowered || best.sum > before * (1.0 - GAIN) {
                break;
            }
        }
        best
    }

    /// The union without one of its bodies, if it does as well; those that the fewest points are nearest to come first.
    fn with_one_fewer(&self, union: &Union) -> Option<Union> {
        let on = self.aims.iter().filter(|a| matches!(a.side, Side::On));
        let small = (SMALL * on.count() as f64) as usize;
        let mut order: Vec<usize> = (0..union.bodies.len()).collect();
        order.sort_by_key(|&j| union.shares[j]);
        order.retain(|&j| union.shares[j] <= small && union.bodies.len() > 1);
        let without = |j: usize| {
            let mut bodies = union.bodies.clone();
            bodies.remove(j);
            self.refined(bodies, TRIAL)
        };
        let mut tried = order.into_iter().map(without);
        tried.find(|fewer| fewer.sum <= WORSE * union.sum)
    }

    fn union(&self, bodies: Vec<Body>) -> Union {
        let mut union = Union {
            sum: 0.0,
            shares: vec![0; bodies.len()],
            bodies,
        };
        for aim in &self.aims {
            let (nearest, distance) = nearest(&union.bodies, &aim.point);
            if matches!(aim.side, Side::On) {
                union.shares[nearest] += 1;
            }
            union.sum += aim.residual(distance).powi(2);
        }
        union
    }

    fn normals(&self, charts: &[Chart], unknowns: &[Vec<f64>]) -> Vec<Normal> {
        let each = charts.iter().zip(unknowns);
        let (bodies, chains): (Vec<Body>, Vec<DMatrix<f64>>) =
            each.map(|(chart, x)| chart.body_and_derivatives(x)).unzip();
        // In natural parameters first: the chain rule is the same for all points of a body.
        let mut sums = vec![
            (
                nalgebra::SMatrix::<f64, NATURAL, NATURAL>::zeros(),
                SVector::<f64, NATURAL>::zeros()
            );
            bodies.len()
        ];
        for aim in &self.aims {
            let (j, distance) = nearest(&bodies, &aim.point);
            let residual = aim.residual(distance);
            if residual == 0.0 {
                continue;
            }
            let gauge = bodies[j].gauge(&aim.point);
            let way = match aim.side {
                Side::Outside => -1.0,
                Side::On | Side::Inside => 1.0,
            };
            let row = gauge.natural * (way * aim.weight / gauge.gradient.norm());
            if row.iter().all(|x| x.is_finite()) {
                sums[j].0 += row * row.transpose();
                sums[j].1 += row * residual;
            }
        }
        let normal = |((matrix, vector), chain): (&(_, SVector<f64, NATURAL>), &DMatrix<f64>)| {
            let matrix: &nalgebra::SMatrix<f64, NATURAL, NATURAL> = matrix;
            Normal {
                matrix: chain.transpose() * matrix * chain,
                vector: chain.transpose() * vector,
            }
        };
        sums.iter().zip(&chains).map(normal).collect()
    }
}

impl Aim {
    fn residual(&self, distance: f64) -> f64 {
        self.weight
            * match self.side {
                Side::On => distance,
                Side::Inside => (distance + self.least).max(0.0),
                Side::Outside => (self.least - distance).max(0.0),
            }
    }
}

impl Normal {
    /// The unknowns after a damped step.
    fn step(&self, from: &[f64], damping: f64) -> Vec<f64> {
        let n = from.len();
        let mut matrix = self.matrix.clone();
        let mean = (matrix.trace() / n as f64).max(f64::MIN_POSITIVE);
        for k in 0..n {
            matrix[(k, k)] += damping * (matrix[(k, k)] + 1e-3 * mean);
        }
        match matrix.cholesky() {
            Some(factors) => {
                let step = factors.solve(&self.vector);
                from.iter().zip(step.iter()).map(|(x, d)| x - d).collect()
            }
            None => from.to_vec(),
        }
    }
}

/// The body that a point is nearest to, or deepest in, and its distance.
fn nearest(bodies: &[Body], point: &Vector3<f64>) -> (usize, f64) {
    let distances = bodies.iter().map(|body| body.gauge(point).distance());
    let least = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
    least.unwrap_or((0, f64::INFINITY))
}

/// Points in the box about a mesh, inside of it or outside; none where the mesh does not tell them apart.
fn about(mesh: &Mesh, cloud: &Cloud) -> Vec<Aim> {
    let within = |p: &Point3<f64>| (p.coords - cloud.center) / cloud.scale;
    let vertices: Vec<Vector3<f64>> = mesh.vertices().iter().map(within).collect();
    let (low, high) =
        (vertices.iter()).fold((vertices[0], vertices[0]), |(l, h), v| (l.inf(v), h.sup(v)));
    let vector = |v: &Vector3<f64>| Vector::new(v.x, v.y, v.z);
    let corners = vertices.iter().map(vector).collect();
    let triangles = mesh.triangles().to_vec();
    let Ok(surface) = TriMesh::with_flags(corners, triangles, TriMeshFlags::ORIENTED) else {
        return Vec::new();
    };
    // The plastic number's generalisation to three dimensions (Roberts, 2018).
    const STEP: [f64; 3] = [
        0.819_172_513_396_164_4,
        0.671_043_606_703_789_2,
        0.549_700_477_901_943_8,
    ];
    let margin = Vector3::repeat(FAR);
    let (low, size) = (low - margin, high - low + 2.0 * margin);
    let aim = |k: usize| {
        let at = |i: usize| low[i] + size[i] * (0.5 + k as f64 * STEP[i]).fract();
        let point = Vector3::new(at(0), at(1), at(2));
        let found = surface.project_local_point(vector(&point), false);
        let distance = (found.point - vector(&point)).length();
        let side = if found.is_inside {
            Side::Inside
        } else {
            Side::Outside
        };
        let far = matches!(side, Side::Outside) && distance > FAR;
        (distance > NEAR && !far).then_some(Aim {
            point,
            side,
            least: SHARE * distance,
            weight: 1.0,
        })
    };
    let mut aims: Vec<Aim> = (0..ABOUT).filter_map(aim).collect();
    let weight = 1.0 / (aims.len().max(1) as f64).sqrt();
    aims.iter_mut().for_each(|aim| aim.weight = weight);
    aims
}
