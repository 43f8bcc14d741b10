//! A horse of 1.2 m at its withers.

use super::Script;
use crate::error::SketchError;
use crate::joint::Preset;
use crate::sketch::Sketch;
use crate::view::{Face, View};
use std::f64::consts::FRAC_PI_2;

/// Returns a horse, 16 bones, from strokes.
///
/// # Errors
/// There is none, unless the recogniser fails.
pub fn horse() -> Result<Sketch, SketchError> {
    let mut script = Script::default();
    let view = |face| View {
        face,
        center: [0.1, 0.0, 0.95].into(),
        extent: 2.6,
    };
    let side = view(Face::Right);
    let spine = [[-0.6, 1.15], [0.5, 1.25], [0.85, 1.7], [1.15, 1.5]];
    script.bones(&side, &spine, &["back", "neck", "head"])?;
    script.root_at("back")?;
    script.bones(&side, &[[-0.6, 1.15], [-0.85, 0.6]], &["tail"])?;
    script.preset("back", Preset::Rigid)?;
    script.ranges("neck", [[-20.0, 20.0], [-30.0, 60.0], [-40.0, 40.0]])?;
    script.ranges("head", [[-20.0, 20.0], [-30.0, 40.0], [-20.0, 20.0]])?;
    script.body(&side, [-0.05, 1.15], [0.62, 0.26], 0.05, ([0.9, 0.8], 0.0))?;
    script.body(&side, [0.67, 1.47], [0.3, 0.12], 0.9, ([1.0, 0.8], -0.2))?;
    script.body(&side, [1.0, 1.6], [0.25, 0.1], -0.59, ([0.8, 0.8], -0.2))?;
    script.body(&side, [-0.73, 0.87], [0.28, 0.05], 1.14, ([1.0, 1.0], 0.2))?;
    // Front legs are nearest to the viewer from the front, hind legs from the back.
    for (end, face, top) in [("front", Face::Front, 1.25), ("hind", Face::Back, 1.15)] {
        for (name, right) in [("left", 1.0), ("right", -1.0)] {
            let right = if face == Face::Back { -right } else { right };
            leg(
                &mut script,
                &view(face),
                top,
                right,
                &format!("{end}_{name}"),
            )?;
        }
    }
    Ok(script.sketch)
}

fn leg(
    script: &mut Script,
    view: &View,
    top: f64,
    right: f64,
    name: &str,
) -> Result<(), SketchError> {
    let at = |y: f64, z: f64| [right * y, z];
    let [hip, upper, lower] = ["hip", "upper_leg", "lower_leg"].map(|s| format!("{name}_{s}"));
    let path = [at(0.0, top), at(0.2, top - 0.15), at(0.2, 0.05)];
    script.bones(view, &path, &[&hip, &upper])?;
    script.split(view, at(0.2, 0.55), &lower)?;
    script.preset(&hip, Preset::Rigid)?;
    script.ranges(&upper, [[-10.0, 10.0], [-50.0, 50.0], [-15.0, 15.0]])?;
    script.ranges(&lower, [[0.0, 0.0], [-10.0, 110.0], [0.0, 0.0]])?;
    let round = ([0.9, 0.8], 0.0);
    script.body(view, at(0.2, 0.76), [0.24, 0.09], FRAC_PI_2, round)?;
    script.body(view, at(0.2, 0.29), [0.24, 0.055], FRAC_PI_2, round)?;
    Ok(())
}
