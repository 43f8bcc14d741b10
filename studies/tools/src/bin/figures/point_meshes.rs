//! Figure 31 of the thesis: the error and the time of points against meshes of growing resolution.

use crate::grid::{Errors, MILLIMETRES, TARGET, best_of_rounds, points, shape, timed};
use anyhow::Result;
use indicatif::ProgressBar;
use nalgebra::Point3;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::TriMesh;
use std::fmt::Write;
use std::path::Path;
use superovoid::published::iterative_vertex_contact;
use superovoid::{VertexOptions, vertex_contact};
use superovoid_tools::parry::vector;
use superovoid_tools::plot::{Curves, Panel};
use superovoid_tools::statistics::Summary;

const EXPONENTS: [f64; 5] = [0.3, 0.65, 1.0, 1.35, 1.7];
/// Edges around a ring of the mesh: 26 to 4,422 vertices.
const SEGMENTS: [usize; 8] = [8, 12, 16, 24, 36, 48, 68, 96];
const OUTSIDE: f64 = 0.05;
pub const STEPS: usize = EXPONENTS.len() * SEGMENTS.len();

struct MeshRow {
    vertices: usize,
    off: Summary,
    within: usize,
    microseconds: f64,
}

fn mesh_row(
    body: &superovoid::Superovoid,
    segments: usize,
    points: &[Point3<f64>],
    nearest: &[superovoid::Contact],
) -> MeshRow {
    let mesh = body.tessellate(segments);
    let vertices: Vec<_> = mesh.vertices.iter().map(vector).collect();
    let count = vertices.len();
    let mesh = TriMesh::new(vertices, mesh.triangles).expect("a tessellation is a mesh");
    let (found, microseconds) =
        best_of_rounds(points, |x| mesh.project_local_point(vector(x), false).point);
    let mut row = MeshRow {
        vertices: count,
        off: Summary::default(),
        within: 0,
        microseconds,
    };
    for (found, nearest) in found.iter().zip(nearest) {
        let off = (Point3::new(found.x, found.y, found.z) - nearest.point_a).norm();
        row.off.add(off * MILLIMETRES);
        row.within += usize::from(off <= TARGET);
    }
    row
}

/// Returns the section, and writes its plot.
pub fn section(side: usize, output: &Path, progress: &ProgressBar) -> Result<String> {
    let mut text = String::from(TEXT);
    let options = VertexOptions::default().with_max_iterations(30); // as in the thesis
    let mut errors = Vec::new();
    let mut times = Vec::new();
    for e in EXPONENTS {
        let body = shape([e; 2]);
        let points = points(side, 1.0 + OUTSIDE, [e; 2]);
        let (nearest, exact) = timed(&body, &points, vertex_contact, &options);
        let iterative = Errors::of(&body, &points, iterative_vertex_contact, &options);
        let (mut off, mut time) = (Vec::new(), Vec::new());
        for segments in SEGMENTS {
            let row = mesh_row(&body, segments, &points, &nearest);
            let _ = writeln!(
                text,
                "| {e} | {} | {:.3} | {:.1} % | {:.2} | {:.2} | {:.2} | {:.2} |",
                row.vertices,
                row.off.mean(),
                100.0 * row.within as f64 / points.len() as f64,
                row.microseconds,
                iterative.microseconds,
                iterative.error.mean(),
                exact,
            );
            let decades = (row.vertices as f64).log10();
            off.push((decades, row.off.mean().log10()));
            time.push((decades, row.microseconds));
            progress.inc(1);
        }
        errors.push(off);
        times.push(time);
    }
    let panel = |axis, curves, zero| Panel {
        axis,
        curves,
        height: 300,
        zero,
    };
    Curves {
        title: "Points 0.05 m outside, against meshes",
        axis: "vertices of the mesh, decimal logarithm",
        marks: Vec::new(),
        names: EXPONENTS.iter().map(|e| format!("e1 = e2 = {e}")).collect(),
        panels: vec![
            panel("off by mm, decimal logarithm", errors, true),
            panel("µs", times, false),
        ],
    }
    .draw(&output.join("papers_point_meshes.svg"))?;
    text += "\n![Errors and times of meshes](papers_point_meshes.svg)\n";
    Ok(text)
}

const TEXT: &str = "
## Points against meshes of growing resolution

Figure 31 of the thesis: points 0.05 m outside shapes with semi-axes of 1 m and e1 = e2. Meshes with vertices evenly
spaced by arc length, asked by parry3d's hierarchy; the thesis asks FCL. *Off by* is the distance of the point found
from the nearest point of the surface, in the mean. Theirs: with up to 4,160 vertices the target of 1 mm is never
reached, and the time grows.

| e1 = e2 | vertices | mesh: off by mm | within 1 mm | mesh µs | iterative µs | iterative: error mm | exact µs |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
";
