//! What a person does to bodies and pins. Every edit is one step of undo, or all between
//! [`begin_change`](Terrain::begin_change) and [`end_change`](Terrain::end_change) are.

use crate::body::{Body, on_ground, turned};
use crate::error::{TerrainError, finite};
use crate::limits::{EXPONENTS, HALF, LIFT, MOST_BODIES, SEMI_AXES, THICKNESS, within_reach};
use crate::terrain::Terrain;

/// How far above everything a new cloth is laid, metres.
const ABOVE: f64 = 0.02;

impl Terrain {
    /// Adds a body that rises from below the ground at a place, and returns its number.
    ///
    /// # Errors
    /// The place is not on the ground, or there are [`MOST_BODIES`].
    pub fn add_body(&mut self, x: f64, y: f64) -> Result<u32, TerrainError> {
        finite("the place of a body", &[x, y])?;
        if x.abs() > HALF || y.abs() > HALF {
            return Err(TerrainError::Outside(x, y));
        }
        if self.model.bodies.len() >= MOST_BODIES {
            return Err(TerrainError::TooMany);
        }
        self.edited();
        let id = self.model.next_id;
        self.model.next_id += 1;
        self.model.bodies.push(Body::rising(id, [x, y], THICKNESS));
        self.rebuild()?;
        Ok(id)
    }

    /// Moves a body to a place, the nearest on the ground.
    ///
    /// # Errors
    /// There is no such body, or a number is not finite.
    pub fn move_body(&mut self, id: u32, x: f64, y: f64) -> Result<(), TerrainError> {
        finite("the place of a body", &[x, y])?;
        self.change(id, |body| {
            [body.goal.position[0], body.goal.position[1]] = [on_ground(x), on_ground(y)];
        })
    }

    /// Lifts the centre of a body to a height over the ground, within ±1.5 m; it starts at 0.
    ///
    /// # Errors
    /// There is no such body, or the number is not finite.
    pub fn lift_body(&mut self, id: u32, z: f64) -> Result<(), TerrainError> {
        finite("the height of a body", &[z])?;
        self.change(id, |body| body.goal.position[2] = z.clamp(-LIFT, LIFT))
    }

    /// Gives a body other semi-axes, the nearest within [`SEMI_AXES`].
    ///
    /// # Errors
    /// There is no such body, or a number is not finite.
    pub fn size_body(&mut self, id: u32, semi_axes: [f64; 3]) -> Result<(), TerrainError> {
        finite("a semi-axis", &semi_axes)?;
        let [least, most] = SEMI_AXES;
        self.change(id, |body| {
            body.goal.semi_axes = semi_axes.map(|a| a.clamp(least, most));
        })
    }

    /// Gives a body other exponents, the nearest within [`EXPONENTS`].
    ///
    /// # Errors
    /// There is no such body, or a number is not finite.
    pub fn shape_body(&mut self, id: u32, exponents: [f64; 2]) -> Result<(), TerrainError> {
        finite("an exponent", &exponents)?;
        let [least, most] = EXPONENTS;
        self.change(id, |body| {
            body.goal.exponents = exponents.map(|e| e.clamp(least, most));
        })
    }

    /// Turns a body about the vertical to an angle; it takes the shorter way.
    ///
    /// # Errors
    /// There is no such body, or the number is not finite.
    pub fn turn_body(&mut self, id: u32, angle: f64) -> Result<(), TerrainError> {
        finite("an angle", &[angle])?;
        self.change(id, |body| body.goal.orientation = turned(angle))
    }

    fn change(&mut self, id: u32, change: impl FnOnce(&mut Body)) -> Result<(), TerrainError> {
        let k = self.place_of(id)?;
        let mut changed = self.model.bodies[k];
        change(&mut changed);
        if changed != self.model.bodies[k] {
            self.edited();
            self.model.bodies[k] = changed;
        }
        Ok(())
    }

    fn place_of(&self, id: u32) -> Result<usize, TerrainError> {
        let found = self.model.bodies.iter().position(|body| body.id == id);
        found.ok_or(TerrainError::NoBody(id))
    }

    /// Takes a body away; the cloth falls.
    ///
    /// # Errors
    /// There is no such body.
    pub fn remove_body(&mut self, id: u32) -> Result<(), TerrainError> {
        let k = self.place_of(id)?;
        self.edited();
        self.model.bodies.remove(k);
        self.rebuild()
    }

    /// Takes all bodies and pins away; the cloth falls. This can be undone.
    ///
    /// # Errors
    /// The simulation refuses the scene, which does not happen.
    pub fn clear(&mut self) -> Result<(), TerrainError> {
        self.drop_grab();
        self.edited();
        self.model.bodies.clear();
        self.model.pins.clear();
        self.rebuild()
    }

    /// Lays a new flat cloth over everything, without pins.
    ///
    /// # Errors
    /// The simulation refuses the scene, which does not happen.
    pub fn drape(&mut self) -> Result<(), TerrainError> {
        self.drop_grab();
        self.edited();
        let tops = self.model.bodies.iter().map(|body| body.now.top() + ABOVE);
        let highest = tops.fold(0.0, f64::max);
        self.model.lay(highest + THICKNESS);
        self.rebuild()
    }

    /// Takes a pin off.
    ///
    /// # Errors
    /// There is no such pin.
    pub fn remove_pin(&mut self, index: usize) -> Result<(), TerrainError> {
        self.pin_at(index)?;
        self.edited();
        self.model.pins.remove(index);
        Ok(())
    }

    /// Moves a pin with its vertex to a point, the nearest within reach. A pin comes off where a body, or a cloth that is stretched
    /// too far, keeps its vertex from its place.
    ///
    /// # Errors
    /// There is no such pin, or a number is not finite.
    pub fn move_pin(&mut self, index: usize, point: [f64; 3]) -> Result<(), TerrainError> {
        finite("the place of a pin", &point)?;
        self.pin_at(index)?;
        let goal = within_reach(point);
        if self.model.pins[index].goal != goal {
            self.edited();
            self.model.pins[index].goal = goal;
        }
        Ok(())
    }

    fn pin_at(&self, index: usize) -> Result<(), TerrainError> {
        let there = index < self.model.pins.len();
        there.then_some(()).ok_or(TerrainError::NoPin(index))
    }
}
