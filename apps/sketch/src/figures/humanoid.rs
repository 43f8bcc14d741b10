//! A person of 1.8 m.

use super::Script;
use crate::error::SketchError;
use crate::joint::Preset;
use crate::sketch::Sketch;
use crate::view::{Face, View};

const ROUND: ([f64; 2], f64) = ([1.0, 1.0], 0.0);

/// Returns a person of 1.8 m, 19 bones, from strokes.
///
/// # Errors
/// There is none, unless the recogniser fails.
pub fn humanoid() -> Result<Sketch, SketchError> {
    let mut script = Script::default();
    let view = |face| View {
        face,
        center: [0.0, 0.0, 1.0].into(),
        extent: 2.0,
    };
    let front = view(Face::Front);
    script.bones(&front, &[[0.0, 1.0], [0.0, 1.45]], &["belly"])?;
    script.root_at("belly")?;
    script.split(&front, [0.0, 1.2], "chest")?;
    script.bones(&front, &[[0.0, 1.45], [0.0, 1.75]], &["head"])?;
    script.ranges("belly", [[-30.0, 30.0], [-20.0, 60.0], [-25.0, 25.0]])?;
    script.ranges("chest", [[-30.0, 30.0], [-15.0, 30.0], [-20.0, 20.0]])?;
    script.ranges("head", [[-70.0, 70.0], [-45.0, 45.0], [-35.0, 35.0]])?;
    script.body(&front, [0.0, 1.06], [0.17, 0.1], 0.0, ([0.8, 0.8], 0.0))?;
    script.body(&front, [0.0, 1.33], [0.17, 0.13], 1.5, ([0.8, 0.7], 0.15))?;
    script.body(&front, [0.0, 1.66], [0.12, 0.09], 1.5, ROUND)?;
    for (side, sign, face) in [("left", 1.0, Face::Left), ("right", -1.0, Face::Right)] {
        let names = |parts: [&str; 2]| parts.map(|part| format!("{side}_{part}"));
        arm(&mut script, &front, sign, &names)?;
        leg(&mut script, &front, sign, &names)?;
        // In either view from the side x is forward: to the left at the figure's left.
        foot(&mut script, &view(face), -sign, side)?;
    }
    Ok(script.sketch)
}

type Names<'a> = &'a dyn Fn([&str; 2]) -> [String; 2];

fn arm(script: &mut Script, front: &View, sign: f64, names: Names) -> Result<(), SketchError> {
    let at = |y: f64, z: f64| [sign * y, z];
    let [shoulder, upper] = names(["shoulder", "upper_arm"]);
    let [forearm, hand] = names(["forearm", "hand"]);
    let path = [at(0.0, 1.45), at(0.2, 1.42), at(0.52, 0.9)];
    script.bones(front, &path, &[&shoulder, &upper])?;
    script.split(front, at(0.355, 1.168), &forearm)?;
    script.split(front, at(0.475, 0.973), &hand)?;
    script.preset(&shoulder, Preset::Rigid)?;
    script.preset(&upper, Preset::Ball)?;
    script.preset(&forearm, Preset::Elbow)?;
    script.ranges(&hand, [[0.0, 0.0], [-70.0, 70.0], [-20.0, 30.0]])?;
    // The way of the arm, down and outwards.
    let angle = (-0.52_f64).atan2(0.32 * sign);
    script.body(
        front,
        at(0.275, 1.295),
        [0.15, 0.05],
        angle,
        ([0.9, 0.7], 0.0),
    )?;
    script.body(
        front,
        at(0.415, 1.07),
        [0.12, 0.04],
        angle,
        ([0.9, 0.7], 0.0),
    )?;
    script.body(front, at(0.5, 0.93), [0.07, 0.04], angle, ROUND)?;
    Ok(())
}

fn leg(script: &mut Script, front: &View, sign: f64, names: Names) -> Result<(), SketchError> {
    let at = |y: f64, z: f64| [sign * y, z];
    let [hip, thigh] = names(["hip", "thigh"]);
    let [shin, _] = names(["shin", ""]);
    let path = [at(0.0, 1.0), at(0.15, 0.94), at(0.15, 0.08)];
    script.bones(front, &path, &[&hip, &thigh])?;
    script.split(front, at(0.15, 0.5), &shin)?;
    script.preset(&hip, Preset::Rigid)?;
    script.ranges(&thigh, [[-40.0, 40.0], [-80.0, 30.0], [-30.0, 45.0]])?;
    script.ranges(&shin, [[0.0, 0.0], [0.0, 140.0], [0.0, 0.0]])?;
    let half = std::f64::consts::FRAC_PI_2;
    script.body(front, at(0.15, 0.71), [0.22, 0.08], half, ([0.9, 0.7], 0.0))?;
    script.body(front, at(0.15, 0.28), [0.2, 0.055], half, ([0.9, 0.7], 0.0))?;
    Ok(())
}

fn foot(script: &mut Script, side: &View, ahead: f64, name: &str) -> Result<(), SketchError> {
    let foot = format!("{name}_foot");
    let path = [[0.0, 0.08], [0.2 * ahead, 0.04]];
    script.bones(side, &path, &[&foot])?;
    script.ranges(&foot, [[-20.0, 20.0], [-40.0, 30.0], [0.0, 0.0]])?;
    script.body(
        side,
        [0.08 * ahead, 0.05],
        [0.13, 0.04],
        0.0,
        ([0.6, 0.6], 0.0),
    )?;
    Ok(())
}
