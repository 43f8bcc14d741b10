//! A simulation of the page, and a recording of one: what is drawn as JSON once, and poses and vertices as numbers for
//! every frame.

use crate::numbers::exactly;
use serde::Serialize;
use superovoid_sim::recording::Recording;
use superovoid_sim::scene::{Body, Cloth, ClothContact, Fabric, Motion, Shape};
use superovoid_sim::{Pull, Pulled, Scene, World, judge, scenes};

/// The parts of a scene, for drawing.
#[derive(Serialize)]
struct Description<'a> {
    name: &'a str,
    /// The time of a frame, seconds.
    frame: f64,
    bodies: Vec<BodyParts<'a>>,
    /// Cloths, and the surfaces of soft solids after them.
    cloths: Vec<ClothParts<'a>>,
}

#[derive(Serialize)]
struct BodyParts<'a> {
    moves: bool,
    /// What recordings do not hold of bodies that never move: position and quaternion x y z w.
    pose: [f64; 7],
    shape: ShapeParts<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum ShapeParts<'a> {
    Superovoid([f64; 7]),
    /// The half-space below the plane z = 0.
    HalfSpace([f64; 0]),
    Mesh {
        vertices: &'a [[f64; 3]],
        triangles: &'a [[u32; 3]],
    },
}

#[derive(Serialize)]
struct ClothParts<'a> {
    vertices: usize,
    triangles: &'a [[u32; 3]],
}

/// Returns what is drawn of a scene, as JSON.
fn description(scene: &Scene) -> Result<String, String> {
    let bodies = scene.bodies.iter().map(|body| BodyParts {
        moves: body.motion != Motion::Static,
        pose: numbers_of(body.position, body.orientation),
        shape: match &body.shape {
            Shape::Superovoid {
                semi_axes: [a1, a2, a3],
                exponents: [e1, e2],
                tapers: [tx, ty],
            } => ShapeParts::Superovoid([*a1, *a2, *a3, *e1, *e2, *tx, *ty]),
            Shape::HalfSpace => ShapeParts::HalfSpace([]),
            Shape::Mesh {
                vertices,
                triangles,
            } => ShapeParts::Mesh {
                vertices,
                triangles,
            },
        },
    });
    let cloths = scene.cloths.iter().map(|cloth| ClothParts {
        vertices: cloth.vertices.len(),
        triangles: &cloth.triangles,
    });
    let solids = scene.solids.iter().map(|solid| ClothParts {
        vertices: solid.vertices.len(),
        triangles: &solid.triangles,
    });
    let parts = Description {
        name: &scene.name,
        frame: scene.settings.frame,
        bodies: bodies.collect(),
        cloths: cloths.chain(solids).collect(),
    };
    serde_json::to_string(&parts).map_err(|error| error.to_string())
}

/// Returns position and unit quaternion, whose scalar the simulation has first.
fn numbers_of([x, y, z]: [f64; 3], [w, i, j, k]: [f64; 4]) -> [f64; 7] {
    let turn = superovoid::pose::rotation([i, j, k, w]).unwrap_or_default();
    let [i, j, k, w] = turn.coords.into();
    [x, y, z, i, j, k, w]
}

/// The names of the ready scenes with a line about each, as JSON.
pub fn ready_scenes() -> Result<String, String> {
    let mut names = vec![(
        "bumps",
        "A cloth of 41 × 41 vertices falls on 25 superellipsoids",
    )];
    names.extend(scenes::READY);
    serde_json::to_string(&names).map_err(|error| error.to_string())
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

/// A world that is advanced frame by frame.
pub struct Live {
    scene: Scene,
    world: World,
}

impl Live {
    /// Builds the world of a ready scene.
    pub fn ready(name: &str) -> Result<Self, String> {
        let scene = if name == "bumps" {
            Some(bumps())
        } else {
            scenes::ready(name)
        };
        Self::of(scene.ok_or_else(|| format!("{name:?} is no ready scene"))?)
    }

    /// Builds the world of a scene's JSON; the error tells the field, with line and column or indices.
    pub fn read(json: &str) -> Result<Self, String> {
        Self::of(Scene::from_json(json).map_err(|error| error.to_string())?)
    }

    fn of(scene: Scene) -> Result<Self, String> {
        let world = World::new(&scene).map_err(|error| error.to_string())?;
        Ok(Live { scene, world })
    }

    /// Returns what is drawn, as JSON.
    pub fn description(&self) -> Result<String, String> {
        description(&self.scene)
    }

    /// Advances by one frame; the error says what diverged.
    pub fn step(&mut self) -> Result<(), String> {
        self.world.step().map_err(|error| error.to_string())
    }

    /// Returns the time since the start, seconds.
    pub fn time(&self) -> f64 {
        self.world.state().time
    }

    /// Returns the poses of all bodies, seven numbers each.
    pub fn bodies(&self) -> Vec<f64> {
        let bodies = self.world.state().bodies.iter();
        bodies
            .flat_map(|body| numbers_of(body.position, body.orientation))
            .collect()
    }

    /// Returns the vertices of a cloth, or of a solid, which come after the cloths.
    pub fn cloth(&self, index: usize) -> Result<Vec<f64>, String> {
        let state = self.world.state();
        let cloths = state.cloths.iter().map(|cloth| &cloth.positions);
        let solids = state.solids.iter().map(|solid| &solid.positions);
        let positions = cloths.chain(solids).nth(index);
        let positions = positions.ok_or_else(|| format!("there is no cloth {index}"))?;
        Ok(positions.as_flattened().to_vec())
    }

    /// Returns what pressed in the last frame, six numbers each: a point, and the normal impulse there on what moves, N·s. Of
    /// two bodies that is B where it is dynamic, and else A; of a cloth it is the vertex.
    pub fn contacts(&self) -> Vec<f64> {
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
        let all = bodies.chain(cloths);
        all.flat_map(|(point, impulse)| point.into_iter().chain(impulse))
            .collect()
    }

    /// Returns the deepest penetration of cloths and bodies, metres: of the vertices and the middles of the edges of
    /// cloths, and of some points of each body.
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

    /// Pulls a point of a body, in the frame of its shape.
    pub fn pull_body(&mut self, body: usize, point: &[f64], target: &[f64]) -> Result<(), String> {
        let (point, target) = (*exactly("point", point)?, *exactly("target", target)?);
        let what = Pulled::Body { body, point };
        self.pull(Some(Pull { what, target }))
    }

    /// Pulls a vertex of a cloth, or of a solid, which come after the cloths.
    pub fn pull_vertex(
        &mut self,
        cloth: usize,
        vertex: usize,
        target: &[f64],
    ) -> Result<(), String> {
        let target = *exactly("target", target)?;
        let what = match cloth.checked_sub(self.scene.cloths.len()) {
            None => Pulled::Vertex { cloth, vertex },
            Some(solid) => Pulled::SolidVertex { solid, vertex },
        };
        self.pull(Some(Pull { what, target }))
    }

    /// Pulls something, or lets it go.
    pub fn pull(&mut self, pull: Option<Pull>) -> Result<(), String> {
        self.world.pull(pull).map_err(|error| error.to_string())
    }

    /// Returns the kinetic and the potential energy, joules, without the elastic energy of cloths.
    pub fn energy(&self) -> [f64; 2] {
        let energy = judge::energy(&self.scene, self.world.state());
        [energy.kinetic, energy.potential]
    }
}

/// A recording that was read.
pub struct Recorded(Recording);

impl Recorded {
    /// Reads a whole recording.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let read = Recording::read(bytes).map_err(|error| error.to_string())?;
        if read.frames.is_empty() {
            return Err("the recording has no frames".to_owned());
        }
        Ok(Recorded(read))
    }

    /// Returns what is drawn, as JSON.
    pub fn description(&self) -> Result<String, String> {
        description(&self.0.scene)
    }

    /// Returns the number of frames.
    pub fn count(&self) -> usize {
        self.0.frames.len()
    }

    fn frame(&self, frame: usize) -> Result<&superovoid_sim::recording::Frame, String> {
        let found = self.0.frames.get(frame);
        found.ok_or_else(|| format!("there is no frame {frame}"))
    }

    /// Returns the time of a frame, seconds.
    pub fn time(&self, frame: usize) -> Result<f64, String> {
        Ok(self.frame(frame)?.time)
    }

    /// Returns the poses of all bodies in a frame, seven numbers each.
    pub fn bodies(&self, frame: usize) -> Result<Vec<f64>, String> {
        let scene = self.0.scene.bodies.iter();
        let mut poses: Vec<_> = scene
            .map(|body| numbers_of(body.position, body.orientation))
            .collect();
        for (&index, pose) in self.0.moving.iter().zip(&self.frame(frame)?.bodies) {
            let orientation = pose.orientation.map(f64::from);
            poses[index] = numbers_of(pose.position.map(f64::from), orientation);
        }
        Ok(poses.concat())
    }

    /// Returns the vertices of a cloth, or of a solid, which come after the cloths, in a frame.
    pub fn cloth(&self, frame: usize, index: usize) -> Result<Vec<f64>, String> {
        let frame = self.frame(frame)?;
        let cloths = frame.cloths.iter().map(|cloth| &cloth.positions);
        let positions = cloths.chain(&frame.solids).nth(index);
        let positions = positions.ok_or_else(|| format!("there is no cloth {index}"))?;
        let numbers = positions.as_flattened().iter();
        Ok(numbers.map(|x| f64::from(*x)).collect())
    }
}
