//! Pictures of the teeth.

use crate::study::{Made, Study};
use anyhow::Result;
use nalgebra::{Isometry3, Point3};
use std::path::Path;
use superovoid::TriangleMesh;
use superovoid_bite::Tooth;
use superovoid_tools::picture::{Object, View, draw};

const COLOURS: [[f64; 3]; 8] = [
    [0.80, 0.74, 0.62],
    [0.80, 0.36, 0.16],
    [0.85, 0.62, 0.15],
    [0.25, 0.55, 0.27],
    [0.13, 0.48, 0.68],
    [0.42, 0.30, 0.66],
    [0.70, 0.24, 0.34],
    [0.35, 0.62, 0.62],
];
const ENAMEL: [f64; 3] = [0.86, 0.83, 0.76];
/// Edges around a body.
const SEGMENTS: usize = 64;
/// Pictures are drawn in millimetres: the lamp's shadow is lifted by a share of the distance.
const MILLIMETRES: f64 = 1e3;

/// Draws all of them, at once.
pub fn draw_all(study: &Study, folder: &Path) -> Result<()> {
    let at = |name: &str| folder.join(format!("dental_bite_{name}.png"));
    let ((lower, upper), closed) = rayon::join(
        || {
            rayon::join(
                || tooth(&study.lower, 1.0, &at("lower")),
                || tooth(&study.upper, -1.0, &at("upper")),
            )
        },
        || bite(study, &at("closed")),
    );
    lower.and(upper).and(closed)
}

/// The scan, the mesh of the bodies and the bodies, side by side, seen from the side of the cusps.
fn tooth(made: &Made, up: f64, path: &Path) -> Result<()> {
    let bounds = made.fitted.tooth.aabb(&Isometry3::identity());
    let middle = Point3::from(0.5 * (bounds.min.coords + bounds.max.coords)) * MILLIMETRES;
    // Upper teeth are turned over, about the long axis.
    let turn = if up > 0.0 {
        Isometry3::identity()
    } else {
        Isometry3::rotation(nalgebra::Vector3::x() * std::f64::consts::PI)
    };
    let placed = |x: f64| {
        let back = Isometry3::translation(-middle.x, -middle.y, -middle.z);
        Isometry3::translation(x, 0.0, 0.0) * turn * back
    };
    const APART: f64 = 13.5;
    let mut objects = vec![
        object(&made.scan, &placed(-APART), ENAMEL)?,
        object(&made.meshes[0], &placed(0.0), [0.62, 0.70, 0.80])?,
    ];
    objects.extend(bodies(
        &made.fitted.tooth,
        &placed(APART),
        &Isometry3::identity(),
    )?);
    let view = View {
        eye: Point3::new(0.0, -55.0, 70.0),
        target: Point3::origin(),
        height: 15.0,
        size: [1000, 360],
    };
    draw(&objects, &view, path)
}

/// Both teeth at the turn, the upper one as it is seen from the cheek, cut open by leaving it out on the near side.
fn bite(study: &Study, path: &Path) -> Result<()> {
    let frames = [0, study.closing.contact, study.closing.turn];
    let mut objects = Vec::new();
    const APART: f64 = 16.0;
    for (k, frame) in frames.into_iter().enumerate() {
        let aside = Isometry3::translation(APART * (k as f64 - 1.0), 0.0, -7.5);
        objects.extend(bodies(
            &study.lower.fitted.tooth,
            &aside,
            &Isometry3::identity(),
        )?);
        let pose = study.path.poses()[frame];
        objects.extend(bodies(&study.upper.fitted.tooth, &aside, &pose)?);
    }
    let view = View {
        eye: Point3::new(0.0, -100.0, 12.0),
        target: Point3::origin(),
        height: 19.0,
        size: [1000, 400],
    };
    draw(&objects, &view, path)
}

fn bodies(tooth: &Tooth, aside: &Isometry3<f64>, pose: &Isometry3<f64>) -> Result<Vec<Object>> {
    let bodies = tooth.bodies().iter().enumerate();
    let object = |(k, body): (usize, &superovoid_bite::Body)| {
        let mesh = body.shape.tessellate(SEGMENTS);
        let at = pose * body.pose;
        let vertices = mesh.vertices.iter().map(|v| at * v).collect();
        let mesh = TriangleMesh { vertices, ..mesh };
        object(&mesh, aside, COLOURS[k % COLOURS.len()])
    };
    bodies.map(object).collect()
}

/// A mesh in metres that is placed in millimetres.
fn object(mesh: &TriangleMesh, place: &Isometry3<f64>, colour: [f64; 3]) -> Result<Object> {
    let vertices: Vec<Point3<f64>> = mesh
        .vertices
        .iter()
        .map(|v| place * (v * MILLIMETRES))
        .collect();
    Object::new(&vertices, &mesh.triangles, colour, true)
}
