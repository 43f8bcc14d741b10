//! The cloth with its bodies and pins, and a frame of time.

use crate::body::Body;
use crate::error::TerrainError;
use crate::history::History;
use crate::limits::{FRAME, HALF, SIDE};
use crate::model::{Model, Pin, build};
use nalgebra::Vector3;
use superovoid_sim::scenes::grid;
use superovoid_sim::{Goal, Hold, Pull, Pulled, World};

/// The greatest speed of the surfaces of bodies and of pins that are moved, m/s. It is below the 3 m/s that the simulation
/// allows with this thickness and its ten substeps, a quarter of the thickness in each, and a cloth is not thrown by it.
const SPEED: f64 = 1.5;
/// A pin comes off when a body, or a stretched cloth, holds its vertex at this distance from its place, metres.
const GIVES: f64 = 0.1;
/// How far ahead of a vertex its pull is, metres: a pull across the ground is no stronger than one by a finger's breadth.
const AHEAD: f64 = 0.05;

/// What is grabbed and where it is pulled to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grab {
    pub vertex: usize,
    pub target: [f64; 3],
}

/// What a frame changed beside positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The pins that gave way to bodies, or to a cloth that is stretched too far, and came off.
    pub pins_off: usize,
}

/// A terrain: a cloth over a square ground, with bodies below it.
pub struct Terrain {
    pub(crate) model: Model,
    pub(crate) world: World,
    pub(crate) grab: Option<Grab>,
    pub(crate) history: History,
    triangles: Vec<[u32; 3]>,
}

impl Default for Terrain {
    fn default() -> Self {
        Terrain::new()
    }
}

impl Terrain {
    /// A flat cloth of [`SIDE`] × [`SIDE`] vertices on the ground.
    pub fn new() -> Self {
        Terrain::with_side(SIDE)
    }

    /// A flat cloth with another number of vertices along a side, 2 to 101, for measurements.
    ///
    /// # Panics
    /// The function panics if the number is another one.
    pub fn with_side(side: usize) -> Self {
        let model = Model::flat(side);
        Terrain::of(model).expect("a flat cloth without bodies is a scene")
    }

    pub(crate) fn of(model: Model) -> Result<Self, TerrainError> {
        let world = build(&model)?;
        let triangles = grid(model.side, model.side, [2.0 * HALF; 2], 0.0).1;
        Ok(Terrain {
            model,
            world,
            grab: None,
            history: History::default(),
            triangles,
        })
    }

    /// Advances by one frame of [`FRAME`] seconds.
    ///
    /// # Errors
    /// The error says what diverged; then the last good state is kept.
    pub fn step(&mut self) -> Result<Update, TerrainError> {
        self.move_pins();
        self.tell_world()?;
        self.world.step()?;
        self.model.take(&self.world);
        Ok(Update {
            pins_off: self.drop_pins(),
        })
    }

    /// Tells the simulation what is held, pulled and guided.
    pub(crate) fn tell_world(&mut self) -> Result<(), TerrainError> {
        let scene = |error: String| TerrainError::Scene(error);
        let hold = |pin: &Pin| Hold {
            cloth: 0,
            vertex: pin.vertex,
            place: pin.place,
        };
        let holds: Vec<Hold> = self.model.pins.iter().map(hold).collect();
        self.world.hold(&holds).map_err(|e| scene(e.to_string()))?;
        let pull = self.grab.map(|grab| self.pull(&grab));
        self.world.pull(pull).map_err(|e| scene(e.to_string()))?;
        for (k, body) in self.model.bodies.iter().enumerate() {
            let goal = Goal {
                position: body.goal.position,
                orientation: body.goal.orientation,
                semi_axes: body.goal.semi_axes,
                exponents: body.goal.exponents,
                speed: SPEED,
            };
            let told = self.world.guide(k + 1, goal);
            told.map_err(|e| scene(e.to_string()))?;
        }
        Ok(())
    }

    fn pull(&self, grab: &Grab) -> Pull {
        let x = Vector3::from(self.model.positions[grab.vertex]);
        let way = Vector3::from(grab.target) - x;
        Pull {
            what: Pulled::Vertex {
                cloth: 0,
                vertex: grab.vertex,
            },
            target: (x + way.cap_magnitude(AHEAD)).into(),
        }
    }

    /// Moves the places of pins towards where they are moved to.
    fn move_pins(&mut self) {
        for pin in self
            .model
            .pins
            .iter_mut()
            .filter(|pin| pin.place != pin.goal)
        {
            let way = Vector3::from(pin.goal) - Vector3::from(pin.place);
            pin.place = if way.norm() <= SPEED * FRAME {
                pin.goal
            } else {
                (Vector3::from(pin.place) + way.cap_magnitude(SPEED * FRAME)).into()
            };
        }
    }

    /// Takes off the pins whose vertices a body or a stretched cloth holds away from their places.
    fn drop_pins(&mut self) -> usize {
        let before = self.model.pins.len();
        let positions = &self.model.positions;
        self.model.pins.retain(|pin| {
            let apart = Vector3::from(positions[pin.vertex]) - Vector3::from(pin.place);
            apart.norm() <= GIVES
        });
        before - self.model.pins.len()
    }

    /// Returns the vertices of the cloth, row by row, metres.
    pub fn cloth(&self) -> &[[f64; 3]] {
        &self.model.positions
    }

    /// Returns the vertices of each triangle of the cloth, counter-clockwise seen from above where it lies flat.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Returns the bodies.
    pub fn bodies(&self) -> &[Body] {
        &self.model.bodies
    }

    /// Returns the pins.
    pub fn pins(&self) -> &[Pin] {
        &self.model.pins
    }

    /// Whether no vertex of the cloth is over the ground.
    pub fn cloth_fallen(&self) -> bool {
        let off = |x: &[f64; 3]| x[0].abs() > HALF || x[1].abs() > HALF;
        self.model.positions.iter().all(off)
    }

    /// Builds the simulation anew from the model.
    pub(crate) fn rebuild(&mut self) -> Result<(), TerrainError> {
        self.world = build(&self.model)?;
        Ok(())
    }
}
