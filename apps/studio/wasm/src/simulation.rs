//! A simulation of the page, and a recording of one: what is drawn, once, and what moves, at every frame.

use crate::types::{Numbers, Pose, Thrown, Vector, doubles, singles};
use js_sys::{Array, Float32Array, Float64Array, Uint32Array};
use nalgebra::Vector3;
use serde::{Deserialize, Serialize};
use superovoid_sim::recording::{Frame, Recording as Recorded};
use superovoid_sim::scene::{Body, Cloth, ClothContact, Fabric, Motion, Shape};
use superovoid_sim::{Pulled, Scene, World, judge, scenes};
use tsify::serde_wasm_bindgen::preserve;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The parts of a scene, for drawing.
#[derive(Serialize, Tsify)]
pub struct SceneParts {
    name: String,
    /// The time of a frame, seconds.
    frame: f64,
    bodies: Vec<SceneBody>,
    /// Cloths, and the surfaces of soft solids after them.
    cloths: Vec<SceneCloth>,
}

#[derive(Serialize, Tsify)]
struct SceneBody {
    moves: bool,
    /// What recordings do not hold of bodies that never move.
    pose: Pose,
    shape: SceneShape,
}

#[derive(Serialize, Tsify)]
#[serde(rename_all = "lowercase")]
enum SceneShape {
    Superovoid(Numbers),
    /// The half-space below the plane z = 0.
    HalfSpace,
    Mesh {
        /// The vertices, three numbers each.
        #[serde(with = "preserve")]
        positions: Float32Array,
        #[serde(with = "preserve")]
        triangles: Uint32Array,
    },
}

#[derive(Serialize, Tsify)]
struct SceneCloth {
    vertices: usize,
    #[serde(with = "preserve")]
    triangles: Uint32Array,
}

/// What moves in a scene, at one moment.
#[derive(Serialize, Tsify)]
pub struct Moment {
    /// The time since the start, seconds.
    time: f64,
    /// The poses of all bodies, seven numbers each.
    #[serde(with = "preserve")]
    bodies: Float64Array,
    /// Three numbers for each vertex of each cloth, and of each solid after them.
    #[serde(with = "preserve")]
    #[tsify(type = "Float64Array[]")]
    cloths: Array,
    /// Six numbers for each contact of the last frame: a point, and the normal impulse there on what moves, N·s. Of two
    /// bodies that is B where it is dynamic, and else A; of a cloth it is the vertex. A recording has none.
    #[serde(with = "preserve")]
    contacts: Float64Array,
}

/// Returns what is drawn of a scene.
fn parts(scene: &Scene) -> Result<Ts<SceneParts>, Thrown> {
    let bodies = scene.bodies.iter().map(|body| SceneBody {
        moves: body.motion != Motion::Static,
        pose: pose(body.position, body.orientation),
        shape: match &body.shape {
            Shape::Superovoid {
                semi_axes,
                exponents,
                tapers,
            } => SceneShape::Superovoid(Numbers::of(*semi_axes, *exponents, *tapers)),
            Shape::HalfSpace => SceneShape::HalfSpace,
            Shape::Mesh {
                vertices,
                triangles,
            } => SceneShape::Mesh {
                positions: singles(vertices.iter().map(|p| Vector3::from(*p))),
                triangles: triangles.as_flattened().into(),
            },
        },
    });
    let cloths = scene.cloths.iter();
    let cloths = cloths.map(|cloth| (cloth.vertices.len(), &cloth.triangles));
    let solids = scene.solids.iter();
    let solids = solids.map(|solid| (solid.vertices.len(), &solid.triangles));
    let cloths = cloths
        .chain(solids)
        .map(|(vertices, triangles)| SceneCloth {
            vertices,
            triangles: triangles.as_flattened().into(),
        });
    let parts = SceneParts {
        name: scene.name.clone(),
        frame: scene.settings.frame,
        bodies: bodies.collect(),
        cloths: cloths.collect(),
    };
    Ok(parts.into_ts()?)
}

/// Returns position and unit quaternion, whose scalar is last in JavaScript.
fn numbers_of([x, y, z]: [f64; 3], [w, i, j, k]: [f64; 4]) -> [f64; 7] {
    let turn = superovoid::pose::rotation([i, j, k, w]).unwrap_or_default();
    let [i, j, k, w] = turn.coords.into();
    [x, y, z, i, j, k, w]
}

fn pose(position: [f64; 3], orientation: [f64; 4]) -> Pose {
    let [x, y, z, turn @ ..] = numbers_of(position, orientation);
    Pose::of([x, y, z], turn)
}

/// A ready scene: its name, and a line about it.
#[derive(Serialize, Tsify)]
pub struct ReadyScene {
    name: &'static str,
    about: &'static str,
}

/// Returns the ready scenes.
#[wasm_bindgen(js_name = readyScenes)]
pub fn ready_scenes() -> Result<Vec<Ts<ReadyScene>>, Thrown> {
    let bumps = (
        "bumps",
        "A cloth of 41 × 41 vertices falls on 25 superellipsoids",
    );
    let scenes = [bumps].into_iter().chain(scenes::READY.iter().copied());
    let told = |(name, about)| Ok(ReadyScene { name, about }.into_ts()?);
    scenes.map(told).collect()
}

/// Returns a cloth of 41 × 41 vertices above 25 superellipsoids, from boxes to octahedra.
pub fn bumps() -> Scene {
    let (vertices, triangles) = scenes::grid(41, 41, [5.0, 5.0], 0.9);
    let bodies = (0..25_u32).map(|k| {
        let [i, j] = [k % 5, k / 5].map(f64::from);
        Body {
            name: format!("bump {k}"),
            shape: Shape::Superovoid {
                semi_axes: [0.4, 0.4, 0.3 + 0.02 * f64::from(k % 7)],
                exponents: [0.3 + 0.3 * i, 0.3 + 0.3 * j],
                tapers: [0.0; 2],
            },
            position: [i - 2.0, j - 2.0, 0.0],
            orientation: [1.0, 0.0, 0.0, 0.0],
            motion: Motion::Static,
            material: 0,
        }
    });
    let floor = Body {
        name: "floor".into(),
        shape: Shape::HalfSpace,
        position: [0.0, 0.0, -0.2],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    };
    let cloth = Cloth {
        name: "cloth".into(),
        vertices,
        triangles,
        fabric: Fabric::COTTON,
        thickness: 0.02,
        material: 0,
        pins: Vec::new(),
        long_range: false,
        strain_limit: None,
        self_contact: true,
        contact: ClothContact::Exact,
    };
    Scene {
        name: "25 superellipsoids under a cloth of 1,681 vertices".into(),
        bodies: bodies.chain([floor]).collect(),
        cloths: vec![cloth],
        ..Scene::default()
    }
}

/// Where a simulation begins: the name of a ready scene, or the JSON of a scene.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum SceneSource {
    Ready(String),
    Json(String),
}

/// What is pulled, and where to: a point in the frame of a body's shape, or a vertex of a cloth, or of a solid, which come
/// after the cloths.
#[derive(Deserialize, Tsify)]
#[serde(untagged)]
pub enum Pull {
    Body {
        body: usize,
        point: Vector,
        target: Vector,
    },
    Vertex {
        cloth: usize,
        vertex: usize,
        target: Vector,
    },
}

/// Joules, without the elastic energy of cloths.
#[derive(Serialize, Tsify)]
pub struct Energy {
    kinetic: f64,
    potential: f64,
}

/// A simulation that is advanced frame by frame.
#[wasm_bindgen]
pub struct Simulation {
    scene: Scene,
    world: World,
}

impl Simulation {
    /// Builds the world of a scene.
    pub fn of(scene: Scene) -> Result<Self, Thrown> {
        let world = World::new(&scene)?;
        Ok(Simulation { scene, world })
    }

    /// Returns the points and impulses of the contacts of the last frame.
    fn contacts(&self) -> Vec<[f64; 3]> {
        let dynamic = |k: usize| matches!(self.scene.bodies[k].motion, Motion::Dynamic { .. });
        let bodies = self.world.contacts().map(|contact| {
            let (point, sign) = if dynamic(contact.bodies[1]) {
                (contact.point_b, 1.0)
            } else {
                (contact.point_a, -1.0)
            };
            let along = sign * contact.normal_impulse();
            (point, contact.normal.map(|n| n * along))
        });
        let cloths = self.world.cloth_contacts().map(|contact| {
            let along = contact.normal_impulse();
            (contact.point, contact.normal.map(|n| n * along))
        });
        bodies
            .chain(cloths)
            .flat_map(|(point, impulse)| [point, impulse])
            .collect()
    }
}

#[wasm_bindgen]
impl Simulation {
    /// Builds the world of a scene; an exception tells the field that is wrong, with line and column or indices.
    #[wasm_bindgen(constructor)]
    pub fn new(from: Ts<SceneSource>) -> Result<Simulation, Thrown> {
        Simulation::of(match from.to_rust()? {
            SceneSource::Json(json) => Scene::from_json(&json)?,
            SceneSource::Ready(name) if name == "bumps" => bumps(),
            SceneSource::Ready(name) => {
                scenes::ready(&name).ok_or_else(|| Thrown(format!("{name:?} is no ready scene")))?
            }
        })
    }

    /// Returns what is drawn.
    pub fn parts(&self) -> Result<Ts<SceneParts>, Thrown> {
        parts(&self.scene)
    }

    /// Advances by one frame; an exception tells what diverged.
    pub fn step(&mut self) -> Result<(), Thrown> {
        Ok(self.world.step()?)
    }

    /// Returns what moves.
    pub fn moment(&self) -> Result<Ts<Moment>, Thrown> {
        let state = self.world.state();
        let bodies = state.bodies.iter();
        let bodies: Vec<f64> = bodies
            .flat_map(|body| numbers_of(body.position, body.orientation))
            .collect();
        let cloths = state.cloths.iter().map(|cloth| &cloth.positions);
        let solids = state.solids.iter().map(|solid| &solid.positions);
        let moment = Moment {
            time: state.time,
            bodies: bodies.as_slice().into(),
            cloths: cloths.chain(solids).map(|p| doubles(p)).collect(),
            contacts: doubles(&self.contacts()),
        };
        Ok(moment.into_ts()?)
    }

    /// Returns the deepest penetration of cloths and bodies, metres, by code that the simulation does not share: of the
    /// vertices and the middles of the edges of cloths, and of some points of each body.
    pub fn penetration(&self) -> f64 {
        const POINTS: usize = 60;
        let state = self.world.state();
        let cloths = (0..state.cloths.len()).map(|cloth| {
            let depth = judge::cloth_depth(&self.scene, state, cloth, 3);
            depth.vertices.max(depth.triangles)
        });
        let mut bodies = self.scene.bodies.iter();
        // Bodies that stand still may stand in one another.
        let bodies = if bodies.any(|body| matches!(body.motion, Motion::Dynamic { .. })) {
            judge::body_depth(&self.scene, state, POINTS)
        } else {
            0.0
        };
        cloths.fold(bodies, f64::max)
    }

    /// Pulls something, or lets it go.
    pub fn pull(&mut self, pull: Option<Ts<Pull>>) -> Result<(), Thrown> {
        let pull = pull.map(|pull| pull.to_rust()).transpose()?;
        let pull = pull.map(|pull| {
            let (what, Vector(target)) = match pull {
                Pull::Body {
                    body,
                    point: Vector(point),
                    target,
                } => (Pulled::Body { body, point }, target),
                Pull::Vertex {
                    cloth,
                    vertex,
                    target,
                } => match cloth.checked_sub(self.scene.cloths.len()) {
                    None => (Pulled::Vertex { cloth, vertex }, target),
                    Some(solid) => (Pulled::SolidVertex { solid, vertex }, target),
                },
            };
            superovoid_sim::Pull { what, target }
        });
        Ok(self.world.pull(pull)?)
    }

    /// Returns the energy.
    pub fn energy(&self) -> Result<Ts<Energy>, Thrown> {
        let found = judge::energy(&self.scene, self.world.state());
        let energy = Energy {
            kinetic: found.kinetic,
            potential: found.potential,
        };
        Ok(energy.into_ts()?)
    }
}

/// A recording that was read.
#[wasm_bindgen]
pub struct Recording(Recorded);

#[wasm_bindgen]
impl Recording {
    /// Reads a whole recording; an exception tells what is wrong.
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: &[u8]) -> Result<Recording, Thrown> {
        let read = Recorded::read(bytes)?;
        if read.frames.is_empty() {
            return Err(Thrown("the recording has no frames".to_owned()));
        }
        Ok(Recording(read))
    }

    /// Returns what is drawn.
    pub fn parts(&self) -> Result<Ts<SceneParts>, Thrown> {
        parts(&self.0.scene)
    }

    /// Returns the number of frames.
    pub fn count(&self) -> usize {
        self.0.frames.len()
    }

    /// Returns what moves in a frame.
    pub fn moment(&self, frame: usize) -> Result<Ts<Moment>, Thrown> {
        let found = self.0.frames.get(frame);
        let found = found.ok_or_else(|| Thrown(format!("there is no frame {frame}")))?;
        let cloths = found.cloths.iter().map(|cloth| &cloth.positions);
        let cloths = cloths.chain(&found.solids).map(|positions| {
            let numbers = positions.as_flattened().iter();
            let numbers: Vec<f64> = numbers.map(|x| f64::from(*x)).collect();
            Float64Array::from(numbers.as_slice())
        });
        let moment = Moment {
            time: found.time,
            bodies: self.poses(found).as_flattened().into(),
            cloths: cloths.collect(),
            contacts: doubles(&[]),
        };
        Ok(moment.into_ts()?)
    }

    /// Returns the poses of all bodies in a frame.
    fn poses(&self, frame: &Frame) -> Vec<[f64; 7]> {
        let scene = self.0.scene.bodies.iter();
        let mut poses: Vec<_> = scene
            .map(|body| numbers_of(body.position, body.orientation))
            .collect();
        for (&index, pose) in self.0.moving.iter().zip(&frame.bodies) {
            let orientation = pose.orientation.map(f64::from);
            poses[index] = numbers_of(pose.position.map(f64::from), orientation);
        }
        poses
    }
}
