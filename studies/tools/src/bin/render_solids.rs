//! Draws the pictures of soft solids in `docs/reports/simulation.md`: rings that begin in one another, and what rays and proximity
//! make of them; a chain that hangs, a ring on a superovoid, a ball between thumbs. From the root of the repository:
//!
//! ```text
//! cargo run --release -p superovoid-tools --bin render_solids -- docs
//! ```

use anyhow::{Context, Result};
use nalgebra::{Isometry3, Point3, Quaternion, UnitQuaternion, Vector3};
use std::path::Path;
use superovoid::Superovoid;
use superovoid_sim::scene::{Shape, SoftContact, SoftScheme};
use superovoid_sim::{BodyState, Scene, World, scenes};
use superovoid_tools::picture::{Object, View, draw};

const COLOURS: [[f64; 3]; 4] = [
    [0.10, 0.52, 0.70],
    [0.90, 0.33, 0.14],
    [0.25, 0.62, 0.24],
    [0.85, 0.62, 0.15],
];
const BODY: [f64; 3] = [0.62, 0.63, 0.66];

fn main() -> Result<()> {
    let folder = std::env::args()
        .nth(1)
        .context("usage: render_solids FOLDER")?;
    let folder = Path::new(&folder);
    let apart = |x: f64| Vector3::new(x, 0.0, 0.0);
    // Figure 10: the start, the end by rays, the end by proximity, beside each other.
    let mut scene = scenes::rings_in_one_another(2);
    scene.settings.substeps = 1;
    scene.settings.soft.scheme = SoftScheme::ImplicitEuler {
        iterations: 200,
        tolerance: 1e-4,
    };
    let rays = SoftContact::RaysAsPublished { stiffness: 200.0 };
    let proximity = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 200.0,
    };
    let mut objects = Vec::new();
    for (contact, frames, place) in [(rays, 0, -0.4), (rays, 8, 0.0), (proximity, 8, 0.4)] {
        scene.settings.soft.contact = contact;
        objects.extend(after(&scene, frames, apart(place))?);
    }
    let eye = [0.0, -1.0, 0.35];
    picture(
        &objects,
        eye,
        [0.0, 0.0, 0.02],
        0.42,
        [1200, 420],
        &folder.join("simulation_rings_in_one_another.png"),
    )?;
    let chain = after(&scenes::chain(4), 300, Vector3::zeros())?;
    picture(
        &chain,
        [0.7, -1.0, 0.25],
        [0.0, 0.0, -0.25],
        0.95,
        [480, 720],
        &folder.join("simulation_chain.png"),
    )?;
    let ring = after(&scenes::ring_on_superovoid(), 90, Vector3::zeros())?;
    picture(
        &ring,
        [0.3, -1.0, 0.5],
        [0.0, 0.0, 0.12],
        0.42,
        [600, 480],
        &folder.join("simulation_ring_on_superovoid.png"),
    )?;
    let ball = after(&scenes::squeeze(), 150, Vector3::zeros())?;
    picture(
        &ball,
        [1.0, -0.35, 0.4],
        [0.07, -0.01, 0.1],
        0.14,
        [600, 480],
        &folder.join("simulation_squeeze.png"),
    )
}

/// The objects of a scene after some frames, moved aside.
fn after(scene: &Scene, frames: usize, aside: Vector3<f64>) -> Result<Vec<Object>> {
    let mut world = World::new(scene)?;
    for _ in 0..frames {
        world.step()?;
    }
    let mut objects = Vec::new();
    for (body, at) in scene.bodies.iter().zip(&world.state().bodies) {
        if let Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } = body.shape
        {
            let mesh = Superovoid::new(semi_axes, exponents, tapers)?.tessellate(64);
            let vertices: Vec<_> = mesh.vertices.iter().map(|p| pose(at) * p + aside).collect();
            objects.push(Object::new(&vertices, &mesh.triangles, BODY, false)?);
        }
    }
    for (k, (solid, at)) in scene.solids.iter().zip(&world.state().solids).enumerate() {
        let vertices: Vec<_> = at
            .positions
            .iter()
            .map(|&p| Point3::from(p) + aside)
            .collect();
        let colour = COLOURS[k % COLOURS.len()];
        objects.push(Object::new(&vertices, &solid.triangles, colour, false)?);
    }
    Ok(objects)
}

fn pose(at: &BodyState) -> Isometry3<f64> {
    let [w, x, y, z] = at.orientation;
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    Isometry3::from_parts(Point3::from(at.position).into(), turn)
}

/// Draws objects from a direction, with a target in the middle of so many metres of height.
fn picture(
    objects: &[Object],
    direction: [f64; 3],
    target: [f64; 3],
    height: f64,
    size: [usize; 2],
    path: &Path,
) -> Result<()> {
    let target = Point3::from(target);
    let view = View {
        eye: target + Vector3::from(direction).normalize() * 3.0,
        target,
        height,
        size,
    };
    draw(objects, &view, path)
}
