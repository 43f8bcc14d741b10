//! Tables 1 to 4 of the thesis on superellipsoids and vertices: seven shapes, 10,000 points on each
//! side of the surface.
//!
//! The shapes have semi-axes of 1 m, the points are those of an even grid of surface angles on the shape
//! with semi-axes of 1.05 m (outside) or 0.985 m (inside).

use crate::fcl::Fcl;
use crate::published::{self, ITERATIVE, MESH, SHAPES};
use indicatif::ProgressBar;
use nalgebra::{Isometry3, Point3, Vector3};
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use std::f64::consts::{FRAC_PI_2, PI};
use std::fmt::Write;
use std::time::Instant;
use superovoid::TriangleMesh;
use superovoid::published::{iterative_vertex_contact, radial_vertex_contact};
use superovoid::{
    Contact, Outcome, QueryError, Superovoid, VertexOptions, vertex_contact, vertex_contact_batch,
};
use superovoid_tools::parry;
use superovoid_tools::plot::Bars;
use superovoid_tools::statistics::Summary;

/// What the thesis counts as converged, metres.
const TARGET: f64 = 1e-3;
/// Within which of the nearest point it says that its answers usually are, metres.
const CLAIM: f64 = 1e-6;
const MILLIMETRES: f64 = 1e3;
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
    /// Distance of the iterative point from the nearest one, and of its distance from the exact one, mm.
    iterative_off: Summary,
    distance_off: Summary,
    /// Iterative points and distances within [`CLAIM`].
    points_within: usize,
    distances_within: usize,
    /// Widest bracket of the exact method, metres, and how many of its answers are certified.
    bracket: f64,
    certified: usize,
    exact_not_converged: usize,
    /// Distance of the nearest point found from the nearest surface point, mm.
    radial_error: Summary,
    parry: Mesh,
    fcl: Option<Mesh>,
    /// Mean times, microseconds.
    times: Times,
}

/// What the nearest points of a mesh are worth.
#[derive(Default)]
struct Mesh {
    /// Error (7), mm, and how many reach the target.
    error: Summary,
    converged: usize,
    /// Distance from the nearest surface point, mm.
    off: Summary,
    microseconds: f64,
}

#[derive(Default)]
struct Times {
    iterative: f64,
    exact: f64,
    batch: f64,
    radial: f64,
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
    let options = VertexOptions::default().with_max_iterations(30); // as in the thesis
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

/// Nearest points of the tessellated surface by parry3d, and the mean time of one, microseconds.
fn parry_points(mesh: TriangleMesh, points: &[Point3<f64>]) -> (Vec<Point3<f64>>, f64) {
    let vertices = mesh.vertices.iter().map(parry::vector).collect();
    let mesh = TriMesh::new(vertices, mesh.triangles).expect("a tessellation is a mesh");
    let mut best = f64::INFINITY;
    let mut nearest = Vec::new();
    for _ in 0..3 {
        let start = Instant::now();
        nearest = points
            .iter()
            .map(|x| {
                let p = mesh.project_local_point(parry::vector(x), false).point;
                Point3::new(p.x, p.y, p.z)
            })
            .collect();
        best = best.min(start.elapsed().as_secs_f64());
    }
    (nearest, best * 1e6 / points.len() as f64)
}

/// Error (7) of the thesis, metres, of a point of a method: how far it is from its distance along the normal of the
/// implicit function there. Inside the distance is negative.
fn error_7(shape: &Superovoid, x: &Point3<f64>, found: &Point3<f64>, inside: bool) -> f64 {
    let normal = shape.gradient(found).normalize();
    let length = (x - found).norm() * if inside { -1.0 } else { 1.0 };
    (found + normal * length - x).norm()
}

impl Mesh {
    fn of(
        (found, microseconds): (Vec<Point3<f64>>, f64),
        shape: &Superovoid,
        points: &[Point3<f64>],
        exact: &[Contact],
        inside: bool,
    ) -> Mesh {
        let mut mesh = Mesh {
            microseconds,
            ..Mesh::default()
        };
        for ((x, p), exact) in points.iter().zip(&found).zip(exact) {
            let error = error_7(shape, x, p, inside);
            mesh.error.add(error * MILLIMETRES);
            mesh.converged += usize::from(error <= TARGET);
            mesh.off.add((p - exact.point_a).norm() * MILLIMETRES);
        }
        mesh
    }
}

fn row(side: usize, offset: f64, e: [f64; 2], fcl: Option<&Fcl>) -> Row {
    let shape = Superovoid::superellipsoid([1.0; 3], e).expect("the shapes are valid");
    let points = grid(side, 1.0 + offset, e);
    let inside = offset < 0.0;
    let (exact, exact_time) = timed(&shape, &points, vertex_contact);
    let (iterative, iterative_time) = timed(&shape, &points, iterative_vertex_contact);
    let (radial, radial_time) = timed(&shape, &points, radial_vertex_contact);
    let mesh = shape.tessellate(SEGMENTS);
    let judged = |found| Mesh::of(found, &shape, &points, &exact, inside);
    let mut row = Row {
        shape: e,
        points: points.len(),
        iterative_error: Summary::default(),
        missed_error: Summary::default(),
        iterative_steps: Summary::default(),
        iterative_wrong: 0,
        iterative_off: Summary::default(),
        distance_off: Summary::default(),
        points_within: 0,
        distances_within: 0,
        bracket: 0.0,
        certified: 0,
        exact_not_converged: 0,
        radial_error: Summary::default(),
        fcl: fcl.map(|fcl| judged(fcl.nearest(&mesh, &points))),
        parry: judged(parry_points(mesh, &points)),
        times: Times {
            iterative: iterative_time,
            exact: exact_time,
            batch: batch_time(&shape, &points),
            radial: radial_time,
        },
    };
    for (k, x) in points.iter().enumerate() {
        let nearest = exact[k].point_a;
        row.bracket = row.bracket.max(exact[k].upper - exact[k].lower);
        row.certified += usize::from(exact[k].outcome == Outcome::Certified);
        row.exact_not_converged += usize::from(exact[k].outcome == Outcome::NotConverged);
        let found = &iterative[k];
        let error = error_7(&shape, x, &found.point_a, inside);
        row.iterative_error.add(error * MILLIMETRES);
        if error > TARGET {
            row.missed_error.add(error * MILLIMETRES);
            row.iterative_wrong += usize::from(found.outcome != Outcome::NotConverged);
        }
        row.iterative_steps.add(f64::from(found.iterations));
        let off = (found.point_a - nearest).norm();
        let length = (x - found.point_a).norm() - (x - nearest).norm();
        row.iterative_off.add(off * MILLIMETRES);
        row.distance_off.add(length.abs() * MILLIMETRES);
        row.points_within += usize::from(off <= CLAIM);
        row.distances_within += usize::from(length.abs() <= CLAIM);
        row.radial_error
            .add((radial[k].point_a - nearest).norm() * MILLIMETRES);
    }
    row
}

/// Rows of both sides, outside first; `side²` points each.
pub fn run(side: usize, fcl: Option<&Fcl>, progress: &ProgressBar) -> [Vec<Row>; 2] {
    OFFSETS.map(|offset| {
        SHAPES
            .iter()
            .map(|&e| {
                let row = row(side, offset, e, fcl);
                progress.inc((side * side) as u64);
                row
            })
            .collect()
    })
}

/// Millimetres, with few digits where there are few.
fn number(x: f64) -> String {
    if x < 1e-3 {
        format!("{x:.0e}")
    } else {
        format!("{x:.2}")
    }
}

fn of_mesh(mesh: Option<&Mesh>, cell: impl Fn(&Mesh) -> String) -> String {
    mesh.map_or_else(String::new, cell)
}

/// Error (7) of every method.
pub fn accuracy(rows: &[Row], side: usize) -> String {
    let mut text = String::from(
        "| (e1; e2) | iterative: error mm | σ | converged | missed: error mm | labelled wrongly | \
         iterations | published: error mm | converged | mesh 266, parry: error mm | converged | \
         mesh 266, FCL: error mm | converged | published mesh: error mm | converged |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | \
         ---: |\n",
    );
    for (k, row) in rows.iter().enumerate() {
        let share = |n: usize| format!("{:.2} %", 100.0 * n as f64 / row.points as f64);
        let (theirs, mesh) = (&ITERATIVE[side][k], &MESH[side][k]);
        let _ = writeln!(
            text,
            "| ({}; {}) | {} | {} | {} | {} | {} | {} | {} | {} % | {} | {} | {} | {} | {} | {} % |",
            row.shape[0],
            row.shape[1],
            number(row.iterative_error.mean()),
            number(row.iterative_error.deviation()),
            share(row.points - row.missed_error.count()),
            row.missed_error.cell(2),
            row.iterative_wrong,
            row.iterative_steps.cell(1),
            number(theirs.error),
            theirs.converged,
            number(row.parry.error.mean()),
            share(row.parry.converged),
            of_mesh(row.fcl.as_ref(), |mesh| number(mesh.error.mean())),
            of_mesh(row.fcl.as_ref(), |mesh| share(mesh.converged)),
            mesh.error,
            mesh.converged,
        );
    }
    text
}

/// How far every method's point is from the nearest one.
pub fn off(rows: &[Row]) -> String {
    let mut text = String::from(
        "| (e1; e2) | iterative: off by mm | its distance by mm | points within 1e-6 m | distances within 1e-6 m | \
         radial: off by mm | mesh 266, parry: off by mm | mesh 266, FCL: off by mm | exact: certified | not converged | \
         widest bracket m |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for row in rows {
        let share = |n: usize| format!("{:.2} %", 100.0 * n as f64 / row.points as f64);
        let _ = writeln!(
            text,
            "| ({}; {}) | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.0e} |",
            row.shape[0],
            row.shape[1],
            number(row.iterative_off.mean()),
            number(row.distance_off.mean()),
            share(row.points_within),
            share(row.distances_within),
            number(row.radial_error.mean()),
            number(row.parry.off.mean()),
            of_mesh(row.fcl.as_ref(), |mesh| number(mesh.off.mean())),
            share(row.certified),
            row.exact_not_converged,
            row.bracket,
        );
    }
    text
}

/// The least and the largest of numbers, as text.
fn range(numbers: impl Iterator<Item = f64>, digits: usize) -> String {
    let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
        (a.min(x), b.max(x))
    });
    format!("{least:.digits$} to {most:.digits$}")
}

/// What the tables of one side say of meshes and of the thesis' claim.
pub fn sentences(rows: &[Row]) -> String {
    let faster: Vec<&Row> = rows
        .iter()
        .filter(|row| row.parry.microseconds < row.times.exact)
        .collect();
    let mut text = format!(
        "\nMeshes as small as these are under parry faster than the exact query on {} of the {} shapes, and their points \
         are {} mm off.",
        faster.len(),
        rows.len(),
        range(rows.iter().map(|row| row.parry.off.mean()), 0),
    );
    if rows.iter().all(|row| row.fcl.is_some()) {
        let ratio = |row: &Row| {
            let fcl = row.fcl.as_ref().map_or(f64::NAN, |fcl| fcl.microseconds);
            [fcl / row.times.exact, fcl / row.times.iterative]
        };
        let _ = write!(
            text,
            " FCL, which the thesis asks, takes {} times as long as the exact query and {} times as long as the iterative \
             method here.",
            range(rows.iter().map(|row| ratio(row)[0]), 0),
            range(rows.iter().map(|row| ratio(row)[1]), 0),
        );
    }
    // The sphere's radial point is exact.
    let others = || rows.iter().filter(|row| row.shape != [1.0, 1.0]);
    let share = |n: usize, row: &Row| 100.0 * n as f64 / row.points as f64;
    let _ = writeln!(
        text,
        " The thesis says of answers that reach its target that they are usually within 1e-6 m of the nearest point: apart \
         from the sphere {} % of the points are, and {} % of the distances.",
        range(others().map(|row| share(row.points_within, row)), 0),
        range(others().map(|row| share(row.distances_within, row)), 0),
    );
    text
}

pub fn times(rows: &[Row], side: usize) -> String {
    let mut text = String::from(
        "| (e1; e2) | mesh 266, parry µs | mesh 266, FCL µs | iterative µs | exact µs | exact, slice µs | radial µs | \
         parry / exact | FCL / exact | published: mesh µs | iterative µs |\n\
         | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (k, row) in rows.iter().enumerate() {
        let t = &row.times;
        let _ = writeln!(
            text,
            "| ({}; {}) | {:.2} | {} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} | {} | {} | {} |",
            row.shape[0],
            row.shape[1],
            row.parry.microseconds,
            of_mesh(row.fcl.as_ref(), |mesh| format!("{:.2}", mesh.microseconds)),
            t.iterative,
            t.exact,
            t.batch,
            t.radial,
            row.parry.microseconds / t.exact,
            of_mesh(row.fcl.as_ref(), |mesh| format!(
                "{:.1}",
                mesh.microseconds / t.exact
            )),
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
                series("mesh, parry", outside(|r| r.parry.microseconds)),
                series(
                    "mesh, FCL",
                    outside(|r| r.fcl.as_ref().map_or(f64::NAN, |mesh| mesh.microseconds)),
                ),
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
