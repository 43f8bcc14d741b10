//! A terrain under a cloth and a walker on it, for JavaScript; what is more than a call is told in numbers below.

use crate::numbers::exactly;
use superovoid_terrain::{Form, Ground, Picked, TerrainError, Walker};
use wasm_bindgen::prelude::*;

/// The numbers of a body: its number, and seven for the shape and seven for the pose, as they are and as they become.
const BODY: usize = 29;

/// A terrain under a cloth. Points are three numbers, metres, z up; bodies have numbers that stay theirs.
#[wasm_bindgen]
#[derive(Default)]
pub struct Terrain(Live);

#[wasm_bindgen]
impl Terrain {
    /// Lays a flat cloth on the ground.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Terrain {
        Terrain::default()
    }

    /// Reads a terrain from JSON; an exception tells the place of what is wrong.
    pub fn read(json: &str) -> Result<Terrain, JsError> {
        Live::read(json).map(Terrain).map_err(thrown)
    }

    /// Returns the terrain as JSON.
    pub fn json(&mut self) -> Result<String, JsError> {
        self.0.0.to_json().map_err(refused)
    }

    /// Returns the cloth as the text of an OBJ file.
    pub fn obj(&self) -> String {
        self.0.0.to_obj()
    }

    /// Advances by one frame of 1/60 s; returns how many pins gave way and came off. An exception tells what diverged.
    pub fn step(&mut self) -> Result<u32, JsError> {
        let update = self.0.0.step().map_err(refused)?;
        Ok(update.pins_off as u32)
    }

    /// Returns the vertices of the cloth.
    pub fn cloth(&self) -> Vec<f64> {
        self.0.cloth()
    }

    /// Returns the vertices of each triangle of the cloth.
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles()
    }

    /// Returns the bodies, 29 numbers each: the number of the body, and seven of the shape and seven of the pose, as they
    /// are and as they become.
    pub fn bodies(&self) -> Vec<f64> {
        self.0.bodies()
    }

    /// Returns the pins, seven numbers each: the vertex, where it is held now and where it is moved to.
    pub fn pins(&self) -> Vec<f64> {
        self.0.pins()
    }

    /// Adds a body that rises from below the ground, and returns its number.
    #[wasm_bindgen(js_name = addBody)]
    pub fn add_body(&mut self, x: f64, y: f64) -> Result<u32, JsError> {
        self.0.0.add_body(x, y).map_err(refused)
    }

    /// Moves a body to the nearest place on the ground.
    #[wasm_bindgen(js_name = moveBody)]
    pub fn move_body(&mut self, id: u32, x: f64, y: f64) -> Result<(), JsError> {
        self.0.0.move_body(id, x, y).map_err(refused)
    }

    /// Gives a body other semi-axes, within limits.
    #[wasm_bindgen(js_name = sizeBody)]
    pub fn size_body(&mut self, id: u32, a1: f64, a2: f64, a3: f64) -> Result<(), JsError> {
        let sized = self.0.0.size_body(id, [a1, a2, a3]);
        sized.map_err(refused)
    }

    /// Gives a body other exponents, within limits.
    #[wasm_bindgen(js_name = shapeBody)]
    pub fn shape_body(&mut self, id: u32, e1: f64, e2: f64) -> Result<(), JsError> {
        self.0.0.shape_body(id, [e1, e2]).map_err(refused)
    }

    /// Turns a body about the vertical to an angle.
    #[wasm_bindgen(js_name = turnBody)]
    pub fn turn_body(&mut self, id: u32, angle: f64) -> Result<(), JsError> {
        self.0.0.turn_body(id, angle).map_err(refused)
    }

    /// Takes a body away.
    #[wasm_bindgen(js_name = removeBody)]
    pub fn remove_body(&mut self, id: u32) -> Result<(), JsError> {
        self.0.0.remove_body(id).map_err(refused)
    }

    /// Takes all bodies and pins away.
    pub fn clear(&mut self) -> Result<(), JsError> {
        self.0.0.clear().map_err(refused)
    }

    /// Lays a new flat cloth over everything.
    pub fn drape(&mut self) -> Result<(), JsError> {
        self.0.0.drape().map_err(refused)
    }

    /// Whether no vertex of the cloth is over the ground.
    #[wasm_bindgen(js_name = clothFallen)]
    pub fn cloth_fallen(&self) -> bool {
        self.0.0.cloth_fallen()
    }

    /// Grabs a vertex of the cloth.
    pub fn grab(&mut self, vertex: usize) -> Result<(), JsError> {
        self.0.0.grab(vertex).map_err(refused)
    }

    /// Pulls what is grabbed towards a point.
    #[wasm_bindgen(js_name = pullTo)]
    pub fn pull_to(&mut self, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        self.0.0.pull_to([x, y, z]).map_err(refused)
    }

    /// Lets go what is grabbed; with `pin` a clothespin stays.
    #[wasm_bindgen(js_name = letGo)]
    pub fn let_go(&mut self, pin: bool) -> Result<(), JsError> {
        self.0.0.let_go(pin).map_err(refused)
    }

    /// Takes a pin off.
    #[wasm_bindgen(js_name = removePin)]
    pub fn remove_pin(&mut self, index: usize) -> Result<(), JsError> {
        self.0.0.remove_pin(index).map_err(refused)
    }

    /// Moves a pin with its vertex.
    #[wasm_bindgen(js_name = movePin)]
    pub fn move_pin(&mut self, index: usize, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        let moved = self.0.0.move_pin(index, [x, y, z]);
        moved.map_err(refused)
    }

    /// Returns what a ray meets: 0 for nothing; 1, the number of a body and the point; 2, the vertex of the cloth and the
    /// point; 3 and the index of a pin.
    pub fn pick(&self, origin: &[f64], direction: &[f64]) -> Result<Vec<f64>, JsError> {
        self.0.pick(origin, direction).map_err(thrown)
    }

    /// Begins a change: the edits up to its end are one step of undo.
    #[wasm_bindgen(js_name = beginChange)]
    pub fn begin_change(&mut self) {
        self.0.0.begin_change();
    }

    /// Ends a change.
    #[wasm_bindgen(js_name = endChange)]
    pub fn end_change(&mut self) {
        self.0.0.end_change();
    }

    /// Whether there is something to undo.
    #[wasm_bindgen(js_name = canUndo)]
    pub fn can_undo(&self) -> bool {
        self.0.0.can_undo()
    }

    /// Whether there is something to redo.
    #[wasm_bindgen(js_name = canRedo)]
    pub fn can_redo(&self) -> bool {
        self.0.0.can_redo()
    }

    /// Undoes the last change; returns whether there was one.
    pub fn undo(&mut self) -> Result<bool, JsError> {
        self.0.0.undo().map_err(refused)
    }

    /// Redoes what was undone last; returns whether there was something.
    pub fn redo(&mut self) -> Result<bool, JsError> {
        self.0.0.redo().map_err(refused)
    }

    /// Freezes the cloth, scaled up, and puts a walker on it.
    pub fn walk(&self) -> Result<TerrainWalker, JsError> {
        self.0.walk().map(TerrainWalker).map_err(thrown)
    }
}

/// A walker on a frozen terrain.
#[wasm_bindgen]
pub struct TerrainWalker(OnGround);

#[wasm_bindgen]
impl TerrainWalker {
    /// Puts the walker somewhere else; an exception tells that it does not fit there.
    pub fn place(&mut self, position: &[f64], heading: f64) -> Result<(), JsError> {
        self.0.place(position, heading).map_err(thrown)
    }

    /// Advances by a time of at most 0.1 s at a speed, m/s, and a speed of turning, rad/s.
    pub fn step(&mut self, time: f64, forward: f64, turn: f64) -> Result<(), JsError> {
        self.0.step(time, forward, turn).map_err(thrown)
    }

    /// Returns the centre, the heading, and 1 on the ground or 0 in the air.
    pub fn pose(&self) -> Vec<f64> {
        self.0.pose()
    }

    /// Returns the seven numbers of the walker's shape.
    pub fn shape(&self) -> Vec<f64> {
        self.0.shape()
    }

    /// Returns the vertices of the ground, which does not move.
    pub fn vertices(&self) -> Vec<f64> {
        self.0.vertices()
    }

    /// Returns the vertices of each triangle of the ground.
    pub fn triangles(&self) -> Vec<u32> {
        self.0.triangles()
    }
}

fn refused(error: TerrainError) -> JsError {
    thrown(said(error))
}

fn thrown(error: String) -> JsError {
    JsError::new(&error)
}

/// A terrain that is modelled.
#[derive(Default)]
struct Live(superovoid_terrain::Terrain);

impl Live {
    /// Reads a terrain; the error tells the place.
    fn read(json: &str) -> Result<Self, String> {
        superovoid_terrain::Terrain::from_json(json)
            .map(Live)
            .map_err(said)
    }

    /// Returns the vertices of the cloth.
    fn cloth(&self) -> Vec<f64> {
        self.0.cloth().as_flattened().to_vec()
    }

    /// Returns the vertices of each triangle.
    fn triangles(&self) -> Vec<u32> {
        self.0.triangles().as_flattened().to_vec()
    }

    /// Returns the bodies, [`BODY`] numbers each.
    fn bodies(&self) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(BODY * self.0.bodies().len());
        for body in self.0.bodies() {
            numbers.push(f64::from(body.id));
            numbers.extend(placed(&body.now));
            numbers.extend(placed(&body.goal));
        }
        numbers
    }

    /// Returns the pins: the vertex, the place where it is held now and the one to which it is moved, seven numbers each.
    fn pins(&self) -> Vec<f64> {
        let pins = self.0.pins().iter();
        pins.flat_map(|pin| {
            let [[x, y, z], [u, v, w]] = [pin.place, pin.goal];
            [pin.vertex as f64, x, y, z, u, v, w]
        })
        .collect()
    }

    /// Returns what a ray meets: 0 for nothing; 1, the number of the body and the point; 2, the vertex of the cloth and the
    /// point; 3 and the index of the pin.
    fn pick(&self, origin: &[f64], direction: &[f64]) -> Result<Vec<f64>, String> {
        let (origin, direction) = (
            *exactly("origin", origin)?,
            *exactly("direction", direction)?,
        );
        let met = self.0.pick(origin, direction).map_err(said)?;
        let with = |kind: f64, index: f64, [x, y, z]: [f64; 3]| vec![kind, index, x, y, z];
        Ok(match met {
            Picked::Nothing => vec![0.0],
            Picked::Body { id, point } => with(1.0, f64::from(id), point),
            Picked::Cloth { vertex, point } => with(2.0, vertex as f64, point),
            Picked::Pin(index) => vec![3.0, index as f64],
        })
    }

    /// Freezes the cloth and puts a walker on it.
    fn walk(&self) -> Result<OnGround, String> {
        let ground = self.0.freeze().map_err(said)?;
        let walker = Walker::new(&ground).map_err(said)?;
        Ok(OnGround { ground, walker })
    }
}

/// A walker on a frozen terrain.
struct OnGround {
    ground: Ground,
    walker: Walker,
}

impl OnGround {
    /// Puts the walker somewhere else.
    fn place(&mut self, position: &[f64], heading: f64) -> Result<(), String> {
        let position = *exactly("position", position)?;
        self.walker = Walker::at(&self.ground, position, heading).map_err(said)?;
        Ok(())
    }

    /// Advances by a time.
    fn step(&mut self, time: f64, forward: f64, turn: f64) -> Result<(), String> {
        self.walker.step(time, forward, turn).map_err(said)
    }

    /// Returns the centre, the heading and 1 on the ground, 0 in the air.
    fn pose(&self) -> Vec<f64> {
        let pose = self.walker.pose();
        let [x, y, z] = pose.position;
        let on_ground = f64::from(u8::from(self.walker.on_ground()));
        vec![x, y, z, pose.heading, on_ground]
    }

    /// Returns the seven numbers of the walker's shape.
    fn shape(&self) -> Vec<f64> {
        let shape = self.walker.shape();
        let ([a1, a2, a3], [e1, e2]) = (shape.semi_axes(), shape.exponents());
        vec![a1, a2, a3, e1, e2, 0.0, 0.0]
    }

    /// Returns the vertices of the ground.
    fn vertices(&self) -> Vec<f64> {
        let vertices = self.ground.vertices().iter();
        vertices.flat_map(|p| [p.x, p.y, p.z]).collect()
    }

    /// Returns the vertices of each triangle of the ground.
    fn triangles(&self) -> Vec<u32> {
        self.ground.triangles().as_flattened().to_vec()
    }
}

/// The message of an error.
fn said(error: TerrainError) -> String {
    error.to_string()
}

fn placed(form: &Form) -> [f64; 14] {
    let ([a1, a2, a3], [e1, e2]) = (form.semi_axes, form.exponents);
    let ([x, y, z], [w, i, j, k]) = (form.position, form.orientation);
    [a1, a2, a3, e1, e2, 0.0, 0.0, x, y, z, i, j, k, w]
}
