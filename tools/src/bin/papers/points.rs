//! Tables 1 to 4 of the thesis on superellipsoids and vertices: seven shapes, 10,000 points on each
//! side of the surface.
//!
//! The shapes have semi-axes of 1 m, the points are those of an even grid of surface angles on the shape
//! with semi-axes of 1.05 m (outside) or 0.985 m (inside).

use crate::published::{self, ITERATIVE, MESH, SHAPES};
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt::Write;
use std::time::Instant;
use superovoid::published::{iterative_vertex_contact, radial_vertex_contact};
use superovoid::{
    Contact, Outcome, QueryError, Superovoid, VertexOptions, vertex_contact, vertex_contact_batch,
};
use superovoid_tools::plot::Bars;
use superovoid_tools::statistics::Summary;

/// What the thesis counts as converged, metres.
const TARGET: f64 = 1e-3;
/// Offsets of the semi-axes, metres: outside, inside.
pub const OFFSETS: [f64; 2] = [0.05, -0.015];
/// Edges around a ring of the mesh: 266 vertices.
const SEGMENTS: usize = 24;

/// One shape on one side of its surface.
pub struct Row {
    shape: [f64; 2],
    points: usize,
    /// Error (7) of the thesis, mm: how far the point is from its distance along the normal.
    iterative_error: Summary,
    /// The same of the queries that missed the target.
    missed_error: Summary,
    iterative_steps: Summary,
    /// Iterative answers that say that they converged but are farther than the target from it.
    iterative_wrong: usize,
    /// Widest bracket of the exact method, metres, and how many of its answers are certified.
    bracket: f64,
    certified: usize,
    exact_not_converged: usize,
    /// Distance of the nearest point found from the nearest surface point, mm.
    radial_error: Summary,
    mesh_error: Summary,
    mesh_converged: usize,
    /// Mean times, microseconds.
    times: Times,
}

#[derive(Default)]
struct Times {
    iterative: f64,
    exact: f64,
    batch: f64,
    radial: f64,
    mesh: f64,
}

/// `side × side` points of the parametric surface with these semi-axes.
fn grid(side: usize, semi_axis: f64, [e1, e2]: [f64; 2]) -> Vec<Point3<f64>> {
    let power = |x: f64, e: f64| x.abs().powf(e).copysign(x);
    let mut points = Vec::with_capacity(side * side);
    for i in 0..side {
        for j in 0..side {
            let middle = |k: usize| (k as f64 + 0.5) / side as f64;
            let (phi1, phi2) = (
                PI * (2.0 * middle(i) - 1.0),
                FRAC_PI_2 * (2.0 * middle(j) - 1.0),
            );
            let rho = power(phi2.cos(), e2);
            let x = Vector3::new(
                rho * power(phi1.cos(), e1),
                rho * power(phi1.sin(), e1),
                power(phi2.sin(), e2),
            );
            points.push(Point3::from(x * semi_axis));
        }
    }
    points
}

type VertexQuery =
    fn(&Superovoid, &Isometry3<f64>, &Point3<f64>, &VertexOptions) -> Result<Contact, QueryError>;

/// Answers, and the mean time of one, microseconds.
fn timed(shape: &Superovoid, points: &[Point3<f64>], query: VertexQuery) -> (Vec<Contact>, f64) {
    let options = VertexOptions {
        max_iterations: 30, // as in the thesis
        ..VertexOptions::default()
    };
    let pose = Isometry3::identity();
    let start = Instant::now();
    let ask = |x| query(shape, &pose, x, &options).expect("the points are finite");
    let answers = points.iter().map(ask).collect();
    (
        answers,
        start.elapsed().as_secs_f64() * 1e6 / points.len() as f64,
    )
}

fn batch_time(shape: &Superovoid, points: &[Point3<f64>]) -> f64 {
    let mut answers = vec![Contact::default(); points.len()];
    let options = VertexOptions::default();
    let start = Instant::now();
    vertex_contact_batch(
        shape,
        &Isometry3::identity(),
        points,
        &mut answers,
        &options,
    )
    .expect("the points are finite");
    start.elapsed().as_secs_f64() * 1e6 / points.len() as f64
}

/// Nearest points of the tessellated surface, and the mean time of one, microseconds.
fn mesh_points(shape: &Superovoid, points: &[Point3<f64>]) -> (Vec<Point3<f64>>, f64) {
    let mesh = shape.tessellate(SEGMENTS);
    let vector = |p: &Point3<f64>| Vector::new(p.x, p.y, p.z);
    let vertices = mesh.vertices.iter().map(vector).collect();
    let mesh = TriMesh::new(vertices, mesh.triangles).expect("a tessellation is a mesh");
    let start = Instant::now();
    let nearest = points
        .iter()
        .map(|x| {
            let p = mesh.project_local_point(vector(x), false).point;
            Point3::new(p.x, p.y, p.z)
        })
        .collect();
    (
        nearest,
        start.elapsed().as_secs_f64() * 1e6 / points.len() as f64,
    )
}

fn row(side: usize, offset: f64, e: [f64; 2]) -> Row {
    const MILLIMETRES: f64 = 1e3;
    let shape = Superovoid::superellipsoid([1.0; 3], e).expect("the shapes are valid");
    let points = grid(side, 1.0 + offset, e);
    let (exact, exact_time) = timed(&shape, &points, vertex_contact);
    let (iterative, iterative_time) = timed(&shape, &points, iterative_vertex_contact);
    let (radial, radial_time) = timed(&shape, &points, radial_vertex_contact);
    let (mesh, mesh_time) = mesh_points(&shape, &points);
    let mut row = Row {
        shape: e,
        points: points.len(),
        iterative_error: Summary::default(),
        missed_error: Summary::default(),
        iterative_steps: Summary::default(),
        iterative_wrong: 0,
        bracket: 0.0,
        certified: 0,
        exact_not_converged: 0,
        radial_error: Summary::default(),
        mesh_error: Summary::default(),
        mesh_converged: 0,
        times: Times {
            iterative: iterative_time,
            exact: exact_time,
            batch: batch_time(&shape, &points),
            radial: radial_time,
            mesh: mesh_time,
        },
    };
    for (k, x) in points.iter().enumerate() {
        let nearest = exact[k].point_a;
        row.bracket = row.bracket.max(exact[k].upper - exact[k].lower);
        row.certified += usize::from(exact[k].outcome == Outcome::Certified);
        row.exact_not_converged += usize::from(exact[k].outcome == Outcome::NotConverged);
        let found = &iterative[k];
        let normal = shape.gradient(&found.point_a).normalize();
        let length = (x - found.point_a).norm().copysign(found.distance);
        let error = (found.point_a + normal * length - x).norm();
        row.iterative_error.add(error * MILLIMETRES);
        if error > TARGET {
            row.missed_error.add(error * MILLIMETRES);
            row.iterative_wrong += usize::from(found.outcome != Outcome::NotConverged);
        }
        row.iterative_steps.add(f64::from(found.iterations));
        row.radial_error
            .add((radial[k].point_a - nearest).norm() * MILLIMETRES);
        let mesh_error = (mesh[k] - nearest).norm();
        row.mesh_error.add(mesh_error * MILLIMETRES);
        row.mesh_converged += usize::from(mesh_error <= TARGET);
    }
    row
}

/// Rows of both sides, outside first; `side²` points each.
pub fn run(side: usize, progress: &ProgressBar) -> [Vec<Row>; 2] {
    OFFSETS.map(|offset| {
        SHAPES
            .iter()
            .map(|&e| {
                let row = row(side, offset, e);
                progress.inc((side * side) as u64);
                row
            })
            .collect()
    })
}

pub fn accuracy(rows: &[Row], side: usize) -> String {
    let mut text = String::from(
        "| (e1; e2) | iterative: error mm | σ | converged | missed: error mm | labelled wrongly | \
         iterations | published: error mm | published: converged | exact: certified | not converged | \
         widest bracket m | radial: off by mm | mesh 266: off by mm | mesh: within 1 mm | published mesh: \
         error mm | published mesh: converged |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | \
         ---: | ---: | ---: |\n",
    );
    for (k, row) in rows.iter().enumerate() {
        let share = |n: usize| 100.0 * n as f64 / row.points as f64;
        let converged = share(row.points - row.missed_error.count());
        let (theirs, mesh) = (&ITERATIVE[side][k], &MESH[side][k]);
        let number = |x: f64| {
            if x < 1e-3 {
                format!("{x:.0e}")
            } else {
                format!("{x:.2}")
            }
        };
        let _ = writeln!(
            text,
            "| ({}; {}) | {} | {} | {converged:.2} % | {} | {} | {} | {} | {} % | {:.2} % | {} | {:.0e} | {} | \
             {} | {:.1} % | {} | {} % |",
            row.shape[0],
            row.shape[1],
            number(row.iterative_error.mean()),
            number(row.iterative_error.deviation()),
            row.missed_error.cell(2),
            row.iterative_wrong,
            row.iterative_steps.cell(1),
            number(theirs.error),
            theirs.converged,
            share(row.certified),
            row.exact_not_converged,
            row.bracket,
            number(row.radial_error.mean()),
            number(row.mesh_error.mean()),
            share(row.mesh_converged),
            mesh.error,
            mesh.converged,
        );
    }
    text
}

pub fn times(rows: &[Row], side: usize) -> String {
    let mut text = String::from(
        "| (e1; e2) | mesh 266 µs | iterative µs | exact µs | exact, slice µs | radial µs | mesh / exact | \
         published: mesh µs | published: iterative µs |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (k, row) in rows.iter().enumerate() {
        let t = &row.times;
        let _ = writeln!(
            text,
            "| ({}; {}) | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} |",
            row.shape[0],
            row.shape[1],
            t.mesh,
            t.iterative,
            t.exact,
            t.batch,
            t.radial,
            t.mesh / t.exact,
            MESH[side][k].microseconds,
            ITERATIVE[side][k].microseconds,
        );
    }
    text
}

/// Times outside, and shares of the queries within 1 mm on both sides.
pub fn bars(sides: &[Vec<Row>; 2]) -> [Bars<'static>; 2] {
    let groups: Vec<String> = SHAPES
        .iter()
        .map(|[e1, e2]| format!("({e1}; {e2})"))
        .collect();
    let outside = |f: fn(&Row) -> f64| sides[0].iter().map(f).collect::<Vec<f64>>();
    let published = |rows: &[published::PublishedPoints; 7],
                     f: fn(&published::PublishedPoints) -> f64| {
        rows.iter().map(f).collect::<Vec<f64>>()
    };
    let within = |side: usize| {
        let share =
            |row: &Row| 100.0 * (row.points - row.missed_error.count()) as f64 / row.points as f64;
        sides[side].iter().map(share).collect::<Vec<f64>>()
    };
    let series = |name: &str, values: Vec<f64>| (name.to_owned(), values);
    [
        Bars {
            title: "Time a point, outside",
            axis: "µs",
            groups: groups.clone(),
            series: vec![
                series("exact", outside(|r| r.times.exact)),
                series("iterative", outside(|r| r.times.iterative)),
                series("mesh, 266 vertices", outside(|r| r.times.mesh)),
                series(
                    "iterative, published",
                    published(&ITERATIVE[0], |p| p.microseconds),
                ),
                series("mesh, published", published(&MESH[0], |p| p.microseconds)),
            ],
            logarithmic_from: Some(0.01),
        },
        Bars {
            title: "Iterative answers within 1 mm",
            axis: "% of the points",
            groups,
            series: vec![
                series("outside", within(0)),
                series(
                    "outside, published",
                    published(&ITERATIVE[0], |p| p.converged),
                ),
                series("inside", within(1)),
                series(
                    "inside, published",
                    published(&ITERATIVE[1], |p| p.converged),
                ),
            ],
            logarithmic_from: None,
        },
    ]
}
