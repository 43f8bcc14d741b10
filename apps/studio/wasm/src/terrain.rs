//! A terrain under a cloth and a walker on it, for JavaScript.

use crate::types::{Numbers, Placed, Pose, Thrown, Vector};
use serde::Serialize;
use superovoid_terrain::{Form, Ground, Picked, Walker};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// A terrain under a cloth: metres, z up, the ground is |x|, |y| ≤ 1. Bodies have numbers that stay theirs.
#[wasm_bindgen]
#[derive(Default)]
pub struct Terrain(superovoid_terrain::Terrain);

/// A body under the cloth: what it is now, and what it becomes.
#[derive(Serialize, Tsify)]
pub struct TerrainBody {
    /// Its own number, which stays.
    id: u32,
    numbers: Numbers,
    pose: Pose,
    goal: Placed,
}

/// A clothespin: where its vertex is held now, and where it is moved to.
#[derive(Serialize, Tsify)]
pub struct TerrainPin {
    vertex: usize,
    place: Vector,
    goal: Vector,
}

/// What a ray meets.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum TerrainPick {
    Nothing,
    Body { id: u32, point: Vector },
    Cloth { vertex: usize, point: Vector },
    Pin { index: usize },
}

#[wasm_bindgen]
impl Terrain {
    /// Lays a flat cloth on the ground.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Terrain {
        Terrain::default()
    }

    /// Reads a terrain from JSON; an exception tells the place of what is wrong.
    pub fn read(json: &str) -> Result<Terrain, Thrown> {
        Ok(Terrain(superovoid_terrain::Terrain::from_json(json)?))
    }

    /// Returns the terrain as JSON.
    pub fn json(&mut self) -> Result<String, Thrown> {
        Ok(self.0.to_json()?)
    }

    /// Returns the cloth as the text of an OBJ file.
    pub fn obj(&self) -> String {
        self.0.to_obj()
    }

    /// Advances by one frame of 1/60 s; returns how many pins gave way to bodies. An exception tells what diverged; then
    /// undo or drape.
    pub fn step(&mut self) -> Result<u32, Thrown> {
        Ok(self.0.step()?.pins_off as u32)
    }

    /// Returns the vertices of the cloth, three numbers each, row by row.
    pub fn cloth(&self) -> Vec<f64> {
        self.0.cloth().as_flattened().to_vec()
    }

    /// Returns the vertices of each triangle of the cloth.
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles().as_flattened().to_vec()
    }

    /// Returns the bodies.
    pub fn bodies(&self) -> Result<Vec<Ts<TerrainBody>>, Thrown> {
        let bodies = self.0.bodies().iter().map(|body| {
            let Placed { numbers, pose } = placed(&body.now);
            let goal = placed(&body.goal);
            let id = body.id;
            Ok(TerrainBody {
                id,
                numbers,
                pose,
                goal,
            }
            .into_ts()?)
        });
        bodies.collect()
    }

    /// Whether a body is not yet what it becomes: only then a step changes bodies.
    pub fn moving(&self) -> bool {
        self.0.bodies().iter().any(|body| body.now != body.goal)
    }

    /// Returns the pins.
    pub fn pins(&self) -> Result<Vec<Ts<TerrainPin>>, Thrown> {
        let pins = self.0.pins().iter().map(|pin| {
            let (place, goal) = (Vector(pin.place), Vector(pin.goal));
            let vertex = pin.vertex;
            Ok(TerrainPin {
                vertex,
                place,
                goal,
            }
            .into_ts()?)
        });
        pins.collect()
    }

    /// Adds a body that rises from below the ground, and returns its number; refused outside of the ground and above 128.
    #[wasm_bindgen(js_name = addBody)]
    pub fn add_body(&mut self, x: f64, y: f64) -> Result<u32, Thrown> {
        Ok(self.0.add_body(x, y)?)
    }

    /// Moves a body to the nearest place on the ground, as fast as the cloth can follow.
    #[wasm_bindgen(js_name = moveBody)]
    pub fn move_body(&mut self, id: u32, x: f64, y: f64) -> Result<(), Thrown> {
        Ok(self.0.move_body(id, x, y)?)
    }

    /// Gives a body other semi-axes, within limits.
    #[wasm_bindgen(js_name = sizeBody)]
    pub fn size_body(&mut self, id: u32, semi_axes: Ts<Vector>) -> Result<(), Thrown> {
        Ok(self.0.size_body(id, semi_axes.to_rust()?.0)?)
    }

    /// Gives a body other exponents, within limits.
    #[wasm_bindgen(js_name = shapeBody)]
    pub fn shape_body(&mut self, id: u32, e1: f64, e2: f64) -> Result<(), Thrown> {
        Ok(self.0.shape_body(id, [e1, e2])?)
    }

    /// Turns a body about the vertical to an angle.
    #[wasm_bindgen(js_name = turnBody)]
    pub fn turn_body(&mut self, id: u32, angle: f64) -> Result<(), Thrown> {
        Ok(self.0.turn_body(id, angle)?)
    }

    /// Takes a body away.
    #[wasm_bindgen(js_name = removeBody)]
    pub fn remove_body(&mut self, id: u32) -> Result<(), Thrown> {
        Ok(self.0.remove_body(id)?)
    }

    /// Takes all bodies and pins away.
    pub fn clear(&mut self) -> Result<(), Thrown> {
        Ok(self.0.clear()?)
    }

    /// Lays a new flat cloth over everything.
    pub fn drape(&mut self) -> Result<(), Thrown> {
        Ok(self.0.drape()?)
    }

    /// Whether no vertex of the cloth is over the ground.
    #[wasm_bindgen(js_name = clothFallen)]
    pub fn cloth_fallen(&self) -> bool {
        self.0.cloth_fallen()
    }

    /// Grabs a vertex of the cloth; from here to `letGo` everything is one step of undo.
    pub fn grab(&mut self, vertex: usize) -> Result<(), Thrown> {
        Ok(self.0.grab(vertex)?)
    }

    /// Pulls what is grabbed towards a point.
    #[wasm_bindgen(js_name = pullTo)]
    pub fn pull_to(&mut self, target: Ts<Vector>) -> Result<(), Thrown> {
        Ok(self.0.pull_to(target.to_rust()?.0)?)
    }

    /// Lets go what is grabbed; with `pin` a clothespin stays.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&mut self, pin: bool) -> Result<(), Thrown> {
        Ok(self.0.let_go(pin)?)
    }

    /// Takes a pin off.
    #[wasm_bindgen(js_name = removePin)]
    pub fn remove_pin(&mut self, index: usize) -> Result<(), Thrown> {
        Ok(self.0.remove_pin(index)?)
    }

    /// Moves a pin with its vertex.
    #[wasm_bindgen(js_name = movePin)]
    pub fn move_pin(&mut self, index: usize, to: Ts<Vector>) -> Result<(), Thrown> {
        Ok(self.0.move_pin(index, to.to_rust()?.0)?)
    }

    /// Returns what a ray meets.
    pub fn pick(
        &self,
        origin: Ts<Vector>,
        direction: Ts<Vector>,
    ) -> Result<Ts<TerrainPick>, Thrown> {
        let (Vector(origin), Vector(direction)) = (origin.to_rust()?, direction.to_rust()?);
        let met = match self.0.pick(origin, direction)? {
            Picked::Nothing => TerrainPick::Nothing,
            Picked::Body { id, point } => TerrainPick::Body {
                id,
                point: Vector(point),
            },
            Picked::Cloth { vertex, point } => TerrainPick::Cloth {
                vertex,
                point: Vector(point),
            },
            Picked::Pin(index) => TerrainPick::Pin { index },
        };
        Ok(met.into_ts()?)
    }

    /// Begins a change: the edits up to its end are one step of undo.
    #[wasm_bindgen(js_name = beginChange)]
    pub fn begin_change(&mut self) {
        self.0.begin_change();
    }

    /// Ends a change.
    #[wasm_bindgen(js_name = endChange)]
    pub fn end_change(&mut self) {
        self.0.end_change();
    }

    /// Whether there is something to undo.
    #[wasm_bindgen(js_name = canUndo)]
    pub fn can_undo(&self) -> bool {
        self.0.can_undo()
    }

    /// Whether there is something to redo.
    #[wasm_bindgen(js_name = canRedo)]
    pub fn can_redo(&self) -> bool {
        self.0.can_redo()
    }

    /// Undoes the last change; returns whether there was one.
    pub fn undo(&mut self) -> Result<bool, Thrown> {
        Ok(self.0.undo()?)
    }

    /// Redoes what was undone last; returns whether there was something.
    pub fn redo(&mut self) -> Result<bool, Thrown> {
        Ok(self.0.redo()?)
    }

    /// Freezes the cloth, eight times as large, and puts a walker on its middle.
    pub fn walk(&self) -> Result<TerrainWalker, Thrown> {
        let ground = self.0.freeze()?;
        let walker = Walker::new(&ground)?;
        Ok(TerrainWalker { ground, walker })
    }
}

fn placed(form: &Form) -> Placed {
    let [w, i, j, k] = form.orientation;
    Placed {
        numbers: Numbers::of(form.semi_axes, form.exponents, [0.0; 2]),
        pose: Pose::of(form.position, [i, j, k, w]),
    }
}

/// A walker on a frozen terrain.
#[wasm_bindgen]
pub struct TerrainWalker {
    ground: Ground,
    walker: Walker,
}

/// Where a walker is.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct WalkerPose {
    /// The centre, metres.
    position: Vector,
    /// Where it looks: the angle about the vertical, 0 along x.
    heading: f64,
    on_ground: bool,
}

#[wasm_bindgen]
impl TerrainWalker {
    /// Puts the walker somewhere else; an exception tells that it does not fit there.
    pub fn place(&mut self, position: Ts<Vector>, heading: f64) -> Result<(), Thrown> {
        let Vector(position) = position.to_rust()?;
        self.walker = Walker::at(&self.ground, position, heading)?;
        Ok(())
    }

    /// Advances by a time of at most 0.1 s at a speed, m/s, and a speed of turning, rad/s.
    pub fn step(&mut self, time: f64, forward: f64, turn: f64) -> Result<(), Thrown> {
        Ok(self.walker.step(time, forward, turn)?)
    }

    /// Returns where the walker is.
    pub fn pose(&self) -> Result<Ts<WalkerPose>, Thrown> {
        let pose = self.walker.pose();
        let pose = WalkerPose {
            position: Vector(pose.position),
            heading: pose.heading,
            on_ground: self.walker.on_ground(),
        };
        Ok(pose.into_ts()?)
    }

    /// Returns the walker's shape.
    pub fn shape(&self) -> Result<Ts<Numbers>, Thrown> {
        Ok(Numbers::of_shape(self.walker.shape()).into_ts()?)
    }

    /// Returns the vertices of the ground, which does not move, three numbers each.
    pub fn vertices(&self) -> Vec<f64> {
        let vertices = self.ground.vertices().iter();
        vertices.flat_map(|p| [p.x, p.y, p.z]).collect()
    }

    /// Returns the vertices of each triangle of the ground.
    pub fn triangles(&self) -> Vec<u32> {
        self.ground.triangles().as_flattened().to_vec()
    }
}
