//! What the peers have in common: the form of the bodies, the outcome of a run, and MuJoCo in Python.
//!
//! MuJoCo makes every mesh convex, so that the bowl is handed to it as 2,500 convex cells between its outer and its inner
//! side: the four corners of either side of a cell lie in a plane by symmetry, and the cells fill the wall exactly.

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use serde_json::json;
use std::path::Path;
use std::process::Command;
use superovoid::{Superovoid, TriangleMesh};
use superovoid_sim::scene::{Body, Motion, Scene, Shape};
use superovoid_sim::{BodyState, State};

/// What a peer takes a superellipsoid for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// An ellipsoid, which it is.
    Ellipsoid,
    /// The convex hull of its mesh.
    Hull,
    /// A box with the same semi-axes.
    Box,
}

/// A run of a peer.
pub struct Peer {
    /// The times of the frames, milliseconds.
    pub times: Vec<f64>,
    /// The last state.
    pub state: State,
}

/// The edges around the mesh of a body: 482 vertices, where the thesis has 506.
const SEGMENTS: usize = 32;

/// The mesh of a superovoid.
pub fn body_mesh(body: &Body) -> Option<TriangleMesh> {
    let Shape::Superovoid {
        semi_axes,
        exponents,
        tapers,
    } = body.shape
    else {
        return None;
    };
    let shape = Superovoid::new(semi_axes, exponents, tapers).ok()?;
    Some(shape.tessellate(SEGMENTS))
}

#[derive(Deserialize)]
struct Answer {
    times: Vec<f64>,
    /// For each second, the position, orientation, velocity and angular velocity of each moving body.
    states: Vec<Vec<[f64; 13]>>,
}

/// Runs a scene in MuJoCo by the script, and calls `judge` with its state once a second.
///
/// # Errors
/// A script that does not end well.
pub fn mujoco(
    python: &Path,
    scene: &Scene,
    form: Form,
    [frames, substeps]: [usize; 2],
    judge: &mut dyn FnMut(&State),
) -> Result<Peer> {
    let folder = tempfile::tempdir()?;
    let [problem, answer] = ["problem.json", "answer.json"].map(|name| folder.path().join(name));
    let material = scene.materials.first().copied().unwrap_or_default();
    let text = json!({
        "step": scene.settings.frame / substeps as f64,
        "substeps": substeps,
        "frames": frames,
        "gravity": scene.settings.gravity,
        "friction": material.static_friction,
        "bodies": scene.bodies.iter().map(|b| described(b, form)).collect::<Vec<_>>(),
    });
    std::fs::write(&problem, text.to_string())?;
    let status = Command::new(python)
        .arg("studies/compare/simulation_mujoco.py")
        .args([&problem, &answer])
        .status()
        .with_context(|| python.display().to_string())?;
    ensure!(
        status.success(),
        "studies/compare/simulation_mujoco.py: {status}"
    );
    let answer: Answer = serde_json::from_str(&std::fs::read_to_string(&answer)?)?;
    let mut state = State::default();
    for (second, moving) in answer.states.iter().enumerate() {
        state.frame = 60 * (second as u64 + 1);
        let mut moving = moving.iter();
        state.bodies = scene.bodies.iter().map(|b| at(b, &mut moving)).collect();
        judge(&state);
    }
    Ok(Peer {
        times: answer.times,
        state,
    })
}

fn at<'a>(body: &Body, moving: &mut impl Iterator<Item = &'a [f64; 13]>) -> BodyState {
    let still = || {
        let mut numbers = [0.0; 13];
        numbers[..3].copy_from_slice(&body.position);
        numbers[3..7].copy_from_slice(&body.orientation);
        numbers
    };
    let dynamic = matches!(body.motion, Motion::Dynamic { .. });
    let numbers = if dynamic {
        moving.next().copied()
    } else {
        None
    };
    let n = numbers.unwrap_or_else(still);
    BodyState {
        position: [n[0], n[1], n[2]],
        orientation: [n[3], n[4], n[5], n[6]],
        velocity: [n[7], n[8], n[9]],
        angular_velocity: [n[10], n[11], n[12]],
        asleep: false,
    }
}

fn described(body: &Body, form: Form) -> serde_json::Value {
    let density = match body.motion {
        Motion::Dynamic { density, .. } => Some(density),
        _ => None,
    };
    let geometry = match &body.shape {
        Shape::HalfSpace => json!({"plane": true}),
        Shape::Mesh { vertices, .. } => json!({"cells": cells(vertices)}),
        Shape::Superovoid { semi_axes, .. } => match form {
            Form::Ellipsoid => json!({"ellipsoid": semi_axes}),
            Form::Box => json!({"box": semi_axes}),
            Form::Hull => {
                let mesh = body_mesh(body).expect("a superovoid has a mesh");
                let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(|&v| v.into()).collect();
                json!({"hull": vertices})
            }
        },
    };
    json!({
        "position": body.position,
        "orientation": body.orientation,
        "density": density,
        "geometry": geometry,
    })
}

/// The convex cells of the ready bowl, whose vertices are the outer pole, 50 rings of 100 from there over the rim to the
/// inside, and the inner pole.
fn cells(vertices: &[[f64; 3]]) -> Vec<Vec<[f64; 3]>> {
    const RINGS: usize = 50;
    const AROUND: usize = 100;
    let at = |ring: usize, j: usize| vertices[1 + ring * AROUND + j % AROUND];
    let mut cells = Vec::new();
    for j in 0..AROUND {
        let [outer, inner] = [vertices[0], vertices[vertices.len() - 1]];
        let sides = [(0, j), (0, j + 1), (RINGS - 1, j), (RINGS - 1, j + 1)];
        let mut wedge = vec![outer, inner];
        wedge.extend(sides.map(|(ring, j)| at(ring, j)));
        cells.push(wedge);
        for k in 0..RINGS / 2 - 1 {
            let rings = [k, k + 1, RINGS - 1 - k, RINGS - 2 - k];
            cells.push(
                rings
                    .iter()
                    .flat_map(|&r| [at(r, j), at(r, j + 1)])
                    .collect(),
            );
        }
    }
    cells
}
