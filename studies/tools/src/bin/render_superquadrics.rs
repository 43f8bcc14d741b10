//! Draws the pictures of `docs/guides/superquadrics.md`: the four families of superquadrics, and each over a matrix of its
//! exponents. From the root of the repository:
//!
//! ```text
//! cargo run --release -p superovoid-tools --bin render_superquadrics -- docs
//! ```

use anyhow::{Context, Result};
use nalgebra::{Point3, Vector3};
use std::path::Path;
use superovoid::superquadric::{Sheets, Superquadric};
use superovoid::{Superovoid, TriangleMesh};
use superovoid_tools::picture::{Object, View, draw};

/// The exponents of the matrices, of e1 from left to right and of e2 from top to bottom.
const EXPONENTS: [f64; 5] = [0.1, 0.5, 1.0, 1.5, 1.9];
const SEGMENTS: usize = 96;
/// The distance of two bodies of a matrix, and the direction in which the camera looks at them.
const STEP: f64 = 3.0;
const EYE: [f64; 3] = [0.0, -1.0, 0.75];
const COLOURS: [[f64; 3]; 4] = [
    [0.62, 0.63, 0.66],
    [0.10, 0.52, 0.70],
    [0.90, 0.33, 0.14],
    [0.25, 0.62, 0.24],
];
const FAMILIES: [&str; 4] = ["superellipsoid", "one_sheet", "two_sheets", "toroid"];

fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .context("usage: render_superquadrics FOLDER")?;
    let folder = Path::new(&folder);
    let row: Vec<Object> = (0..4)
        .map(|family| {
            let right = STEP * (family as f64 - 1.5);
            object(family, [0.8, 0.8], [right, 0.0])
        })
        .collect::<Result<_>>()?;
    view(
        &row,
        [4.0, 1.15],
        225.0,
        &folder.join("superquadrics_families.png"),
    )?;
    for (family, name) in FAMILIES.iter().enumerate() {
        let mut matrix = Vec::new();
        for (j, e2) in EXPONENTS.into_iter().enumerate() {
            for (i, e1) in EXPONENTS.into_iter().enumerate() {
                let place = [i as f64 - 2.0, 2.0 - j as f64].map(|k| k * STEP);
                matrix.push(object(family, [e1, e2], place)?);
            }
        }
        let path = folder.join(format!("superquadrics_exponents_{name}.png"));
        view(&matrix, [5.0, 5.0], 150.0, &path)?;
    }
    Ok(())
}

/// Returns the mesh of a family's body, which about fills a cube of edge 2.
fn mesh(family: usize, e: [f64; 2]) -> Result<TriangleMesh> {
    Ok(match family {
        0 => Superovoid::superellipsoid([1.0; 3], e)?.tessellate(SEGMENTS),
        1 => Superquadric::one_sheet([0.38, 0.38, 0.5], e, 1.7)?.tessellate(SEGMENTS),
        2 => {
            Superquadric::two_sheets([0.48, 0.48, 0.42], e, 2.0, Sheets::Both)?.tessellate(SEGMENTS)
        }
        _ => Superquadric::toroid([0.35, 0.35, 0.4], e, 2.0)?.tessellate(SEGMENTS),
    })
}

/// Returns a body at a place of the picture, to the right and up, turned towards the camera.
fn object(family: usize, e: [f64; 2], [right, up]: [f64; 2]) -> Result<Object> {
    let (_, screen_up) = frame();
    let shift = Vector3::x() * right + screen_up * up;
    let mesh = mesh(family, e)?;
    let (sin, cos) = 0.35_f64.sin_cos();
    let turned = |p: &Point3<f64>| Point3::new(cos * p.x - sin * p.y, sin * p.x + cos * p.y, p.z);
    let vertices: Vec<_> = mesh.vertices.iter().map(|p| turned(p) + shift).collect();
    Object::new(&vertices, &mesh.triangles, COLOURS[family], false)
}

/// Returns the direction to the camera, and what is up in the picture.
fn frame() -> (Vector3<f64>, Vector3<f64>) {
    let eye = Vector3::from(EYE).normalize();
    (eye, eye.cross(&Vector3::x()))
}

/// Draws objects that are `across` and `down` steps wide and high, with so many pixels to a step.
fn view(objects: &[Object], [across, down]: [f64; 2], pixels: f64, path: &Path) -> Result<()> {
    let (eye, _) = frame();
    // From far away, so that all of a matrix are seen from the same side.
    let view = View {
        eye: Point3::from(eye * 200.0),
        target: Point3::origin(),
        height: STEP * down,
        size: [across, down].map(|k| (k * pixels) as usize),
    };
    draw(objects, &view, path)
}
