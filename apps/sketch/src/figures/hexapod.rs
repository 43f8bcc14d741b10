//! A walker on six legs, 0.6 m long.

use super::Script;
use crate::error::SketchError;
use crate::joint::Preset;
use crate::sketch::Sketch;
use crate::view::{Face, View};
use nalgebra::Point3;

/// The height of the body, metres.
const HEIGHT: f64 = 0.2;

/// Returns a walker on six legs, 20 bones, from strokes.
///
/// # Errors
/// There is none, unless the recogniser fails.
pub fn hexapod() -> Result<Sketch, SketchError> {
    let mut script = Script::default();
    let top = View {
        face: Face::Top,
        center: [0.0, 0.0, HEIGHT].into(),
        extent: 1.4,
    };
    script.bones(&top, &[[0.0, -0.3], [0.0, 0.3]], &["abdomen"])?;
    script.split(&top, [0.0, 0.0], "thorax")?;
    script.root_at("thorax")?;
    script.preset("abdomen", Preset::Rigid)?;
    script.preset("thorax", Preset::Rigid)?;
    let across = std::f64::consts::FRAC_PI_2;
    let box_like = ([0.5, 0.5], 0.0);
    script.body(&top, [0.0, -0.15], [0.15, 0.07], across, box_like)?;
    script.body(&top, [0.0, 0.15], [0.15, 0.07], across, box_like)?;
    for (place, x) in [("front", 0.3), ("middle", 0.0), ("hind", -0.3)] {
        // In the view from above the left side is to the left.
        leg(&mut script, &top, x, -1.0, &format!("left_{place}"))?;
        leg(&mut script, &top, x, 1.0, &format!("right_{place}"))?;
    }
    Ok(script.sketch)
}

fn leg(script: &mut Script, top: &View, x: f64, right: f64, name: &str) -> Result<(), SketchError> {
    let at = |out: f64| [right * out, x];
    let [coxa, femur, tibia] = ["coxa", "femur", "tibia"].map(|s| format!("{name}_{s}"));
    script.bones(top, &[at(0.0), at(0.5)], &[&coxa])?;
    script.split(top, at(0.14), &femur)?;
    let knee = script.split(top, at(0.3), &tibia)?;
    script.ranges(&coxa, [[0.0, 0.0], [0.0, 0.0], [-40.0, 40.0]])?;
    script.ranges(&femur, [[0.0, 0.0], [-60.0, 60.0], [0.0, 0.0]])?;
    script.ranges(&tibia, [[0.0, 0.0], [-60.0, 70.0], [0.0, 0.0]])?;
    let round = ([1.0, 0.8], 0.0);
    script.body(top, at(0.1), [0.035, 0.028], 0.0, round)?;
    script.body(top, at(0.22), [0.08, 0.028], 0.0, round)?;
    script.body(top, at(0.4), [0.1, 0.022], 0.0, round)?;
    // The knee is lifted, the foot stands on the ground.
    let figure = script.sketch.figure();
    let foot = figure.branch(script.bone(&tibia)?)?.far;
    let [bend, toe] = [figure.position(knee)?, figure.position(foot)?];
    script
        .sketch
        .move_joint(knee, Point3::new(bend.x, bend.y, HEIGHT + 0.1))?;
    script
        .sketch
        .move_joint(foot, Point3::new(toe.x, toe.y * 0.85, 0.02))
}
