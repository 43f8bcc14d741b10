//! The numbers of a terrain, and the scene that the simulation advances: the ground as a half-space, then the bodies.

use crate::body::Body;
use crate::error::TerrainError;
use crate::limits::{HALF, THICKNESS};
use serde::{Deserialize, Serialize};
use superovoid_sim::scene::{self, Cloth, ClothContact, Fabric, Material, Motion, Scene, Shape};
use superovoid_sim::scenes::grid;
use superovoid_sim::{World, scene::Settings};

/// The fabric: heavy enough to lie close, with much drag, so that it comes to rest, and so stiff that it bends over a length
/// of (B/(ρ g))^(1/3) = 0.07 m, more than an edge: it lies over hills in waves and does not crumple.
const FABRIC: Fabric = Fabric {
    density: 0.3,
    stretch: 2000.0,
    bend: 1e-3,
    damping: 0.0,
    air: 2.0,
    drag: 0.0,
};
const FRICTION: f64 = 0.4;

/// A clothespin: a vertex that is held at a place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The vertex.
    pub vertex: usize,
    /// Where it is held now, metres.
    pub place: [f64; 3],
    /// Where it is moved to, metres.
    pub goal: [f64; 3],
}

/// Everything that says what a terrain is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Model {
    /// The vertices along a side.
    pub side: usize,
    pub positions: Vec<[f64; 3]>,
    pub velocities: Vec<[f64; 3]>,
    pub bodies: Vec<Body>,
    pub pins: Vec<Pin>,
    /// The number of the next body.
    pub next_id: u32,
}

impl Model {
    /// A cloth that lies flat on the ground.
    pub fn flat(side: usize) -> Model {
        let mut model = Model {
            side,
            positions: Vec::new(),
            velocities: Vec::new(),
            bodies: Vec::new(),
            pins: Vec::new(),
            next_id: 0,
        };
        model.lay(THICKNESS);
        model
    }

    /// Lays the cloth flat at a height, without pins.
    pub fn lay(&mut self, z: f64) {
        self.positions = grid(self.side, self.side, [2.0 * HALF; 2], z).0;
        self.velocities = vec![[0.0; 3]; self.positions.len()];
        self.pins.clear();
    }

    /// Takes over what the simulation has moved.
    pub fn take(&mut self, world: &World) {
        let state = world.state();
        self.positions.copy_from_slice(&state.cloths[0].positions);
        self.velocities.copy_from_slice(&state.cloths[0].velocities);
        for (k, body) in self.bodies.iter_mut().enumerate() {
            let at = &state.bodies[k + 1];
            (body.now.position, body.now.orientation) = (at.position, at.orientation);
            if let Some((semi_axes, exponents)) = world.form(k + 1) {
                (body.now.semi_axes, body.now.exponents) = (semi_axes, exponents);
            }
        }
    }

    fn scene(&self) -> Scene {
        let (vertices, triangles) = grid(self.side, self.side, [2.0 * HALF; 2], THICKNESS);
        let ground = scene::Body {
            name: "ground".into(),
            shape: Shape::HalfSpace,
            position: [0.0; 3],
            orientation: [1.0, 0.0, 0.0, 0.0],
            motion: Motion::Static,
            material: 0,
        };
        let bodies = self.bodies.iter().map(|body| scene::Body {
            name: body.id.to_string(),
            shape: Shape::Superovoid {
                semi_axes: body.now.semi_axes,
                exponents: body.now.exponents,
                tapers: [0.0; 2],
            },
            position: body.now.position,
            orientation: body.now.orientation,
            motion: Motion::Kinematic { keys: Vec::new() },
            material: 0,
        });
        let cloth = Cloth {
            name: "cloth".into(),
            vertices,
            triangles,
            fabric: FABRIC,
            thickness: THICKNESS,
            material: 0,
            pins: Vec::new(),
            long_range: false,
            strain_limit: None,
            self_contact: true,
            contact: ClothContact::Exact,
        };
        Scene {
            name: "terrain".into(),
            settings: Settings::default(),
            materials: vec![Material {
                static_friction: FRICTION,
                kinetic_friction: FRICTION,
                ..Material::default()
            }],
            bodies: std::iter::once(ground).chain(bodies).collect(),
            cloths: vec![cloth],
            ..Scene::default()
        }
    }
}

/// Builds the simulation of a model.
pub(crate) fn build(model: &Model) -> Result<World, TerrainError> {
    let refused = |error: superovoid_sim::SceneError| TerrainError::Scene(error.to_string());
    let mut world = World::new(&model.scene()).map_err(refused)?;
    let set = world.set_cloth(0, &model.positions, &model.velocities);
    set.map_err(refused)?;
    Ok(world)
}
