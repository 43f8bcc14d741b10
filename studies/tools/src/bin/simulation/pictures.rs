//! A picture of each scene.

use anyhow::{Result, ensure};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion};
use std::path::Path;
use superovoid::Superovoid;
use superovoid_sim::scene::{Body, Scene, Shape};
use superovoid_sim::{BodyState, State};
use superovoid_tools::picture::{Object, View, draw};

const COLOURS: [[f64; 3]; 6] = [
    [0.80, 0.36, 0.16],
    [0.85, 0.62, 0.15],
    [0.25, 0.55, 0.27],
    [0.13, 0.48, 0.68],
    [0.42, 0.30, 0.66],
    [0.70, 0.24, 0.34],
];
const BOWL: [f64; 3] = [0.62, 0.63, 0.66];
const CLOTH: [f64; 3] = [0.75, 0.78, 0.85];
const FLOOR: [f64; 3] = [0.55, 0.56, 0.55];

/// Draws a state of a scene. Half-spaces are drawn as squares of the given size, and meshes without what lies in front of
/// the plane y = cut, so that one sees into a bowl.
pub fn picture(
    scene: &Scene,
    state: &State,
    view: &View,
    floor: f64,
    cut: Option<f64>,
    path: &Path,
) -> Result<()> {
    let mut objects = Vec::new();
    for (i, (body, at)) in scene.bodies.iter().zip(&state.bodies).enumerate() {
        objects.extend(object(i, body, at, floor, cut)?);
    }
    for (cloth, at) in scene.cloths.iter().zip(&state.cloths) {
        let vertices: Vec<Point3<f64>> = at.positions.iter().map(|&p| p.into()).collect();
        ensure!(vertices.len() == cloth.vertices.len());
        objects.push(Object::new(&vertices, &cloth.triangles, CLOTH, true)?);
    }
    draw(&objects, view, path)
}

fn object(
    i: usize,
    body: &Body,
    at: &BodyState,
    floor: f64,
    cut: Option<f64>,
) -> Result<Option<Object>> {
    let [w, x, y, z] = at.orientation;
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    let pose = Isometry3::from_parts(Point3::from(at.position).into(), turn);
    let (vertices, triangles, colour): (Vec<Point3<f64>>, _, _) = match &body.shape {
        Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } => {
            let mesh = Superovoid::new(*semi_axes, *exponents, *tapers)?.tessellate(64);
            (mesh.vertices, mesh.triangles, COLOURS[i % COLOURS.len()])
        }
        Shape::HalfSpace => {
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let corner = |[x, y]: [f64; 2]| Point3::new(floor * x, floor * y, 0.0);
            let square = vec![[0, 1, 2], [0, 2, 3]];
            (corners.map(corner).to_vec(), square, FLOOR)
        }
        Shape::Mesh {
            vertices,
            triangles,
        } => {
            let behind = |t: &&[u32; 3]| {
                cut.is_none_or(|cut| t.iter().any(|&v| vertices[v as usize][1] > cut))
            };
            let kept = triangles.iter().filter(behind).copied().collect();
            (vertices.iter().map(|&v| v.into()).collect(), kept, BOWL)
        }
    };
    let vertices: Vec<Point3<f64>> = vertices.iter().map(|v| pose * v).collect();
    Object::new(&vertices, &triangles, colour, true).map(Some)
}

/// A view from a direction at a target.
pub fn view(eye: [f64; 3], target: [f64; 3], height: f64) -> View {
    View {
        eye: eye.into(),
        target: target.into(),
        height,
        size: [720, 540],
    }
}
