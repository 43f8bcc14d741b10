//! Terrains as text: JSON with a version. Numbers are written and read to the last bit.

use crate::body::Form;
use crate::error::TerrainError;
use crate::limits::{EXPONENTS, HALF, LIFT, MOST_BODIES, SEMI_AXES, VERSION, within_reach};
use crate::model::Model;
use crate::terrain::Terrain;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use superovoid::pose::rotation;
use superovoid_json::{JsonError, from_json};

/// The most vertices along a side.
const MOST_SIDE: usize = 101;
/// The greatest coordinate of a vertex, metres, and speed, m/s.
const LARGEST: f64 = 1e3;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<M> {
    version: u32,
    terrain: M,
}

impl Terrain {
    /// Returns the terrain as JSON, without undo and without what is grabbed. What the simulation remembers of contacts is
    /// found anew from here on, so that this terrain and the one that is read from the text go on alike to the bit.
    ///
    /// # Errors
    /// The simulation refuses the scene, which does not happen.
    pub fn to_json(&mut self) -> Result<String, TerrainError> {
        self.rebuild()?;
        let document = Document {
            version: VERSION,
            terrain: &self.model,
        };
        serde_json::to_string(&document).map_err(|error| TerrainError::Scene(error.to_string()))
    }

    /// Reads a terrain.
    ///
    /// # Errors
    /// A text that is no terrain, with its place.
    pub fn from_json(text: &str) -> Result<Terrain, TerrainError> {
        let mut document: Document<Model> = from_json(text, VERSION)?;
        validate(&mut document.terrain)?;
        Terrain::of(document.terrain)
    }
}

fn validate(model: &mut Model) -> Result<(), JsonError> {
    let side = model.side;
    if !(2..=MOST_SIDE).contains(&side) {
        return Err(JsonError::value(
            "terrain.side",
            format!("must be 2 to {MOST_SIDE}"),
        ));
    }
    let lists = [
        ("positions", &model.positions),
        ("velocities", &model.velocities),
    ];
    for (name, list) in lists {
        let name = format!("terrain.{name}");
        if list.len() != side * side {
            let wanted = format!("must be {} in number, and are {}", side * side, list.len());
            return Err(JsonError::value(name, wanted));
        }
        for (k, x) in list.iter().enumerate() {
            within(&format!("{name}[{k}]"), x, [-LARGEST, LARGEST])?;
        }
    }
    bodies(model)?;
    pins(model)
}

fn bodies(model: &mut Model) -> Result<(), JsonError> {
    if model.bodies.len() > MOST_BODIES {
        let wanted = format!("must be at most {MOST_BODIES} in number");
        return Err(JsonError::value("terrain.bodies", wanted));
    }
    let mut ids = HashSet::new();
    for (k, body) in model.bodies.iter_mut().enumerate() {
        let at = format!("terrain.bodies[{k}]");
        if body.id >= model.next_id || !ids.insert(body.id) {
            let wanted = "must be below next_id and that of no other body";
            return Err(JsonError::value(format!("{at}.id"), wanted));
        }
        form(&format!("{at}.now"), &mut body.now)?;
        form(&format!("{at}.goal"), &mut body.goal)?;
    }
    Ok(())
}

fn form(at: &str, form: &mut Form) -> Result<(), JsonError> {
    within(&format!("{at}.semi_axes"), &form.semi_axes, SEMI_AXES)?;
    within(&format!("{at}.exponents"), &form.exponents, EXPONENTS)?;
    let [x, y, z] = form.position;
    within(&format!("{at}.position"), &[x, y], [-HALF, HALF])?;
    within(&format!("{at}.position"), &[z], [-2.0 * LIFT, 2.0 * LIFT])?;
    let [w, x, y, z] = form.orientation;
    let turn = rotation([x, y, z, w])
        .map_err(|error| JsonError::value(format!("{at}.orientation"), error))?;
    form.orientation = [turn.w, turn.i, turn.j, turn.k];
    Ok(())
}

fn pins(model: &Model) -> Result<(), JsonError> {
    let mut vertices = HashSet::new();
    for (k, pin) in model.pins.iter().enumerate() {
        let at = format!("terrain.pins[{k}]");
        if pin.vertex >= model.positions.len() || !vertices.insert(pin.vertex) {
            let wanted = "must be a vertex that no other pin holds";
            return Err(JsonError::value(format!("{at}.vertex"), wanted));
        }
        within(&format!("{at}.place"), &pin.place, [-LARGEST, LARGEST])?;
        if within_reach(pin.goal) != pin.goal && pin.goal != pin.place {
            return Err(JsonError::value(
                format!("{at}.goal"),
                "must be within reach",
            ));
        }
    }
    Ok(())
}

fn within(at: &str, numbers: &[f64], [least, most]: [f64; 2]) -> Result<(), JsonError> {
    if numbers.iter().all(|x| (least..=most).contains(x)) {
        Ok(())
    } else {
        Err(JsonError::value(
            at,
            format!("must be within {least} and {most}"),
        ))
    }
}
