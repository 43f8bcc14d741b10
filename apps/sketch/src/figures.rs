//! A humanoid, a horse and a walker on six legs, each a script of strokes, taps and joints such as a user makes.
//!
//! Strokes are given by their corners in the plane of a view, metres to the right of the origin and upwards, and are drawn
//! as a pen would, through the recogniser.

mod hexapod;
mod horse;
mod humanoid;

pub use hexapod::hexapod;
pub use horse::horse;
pub use humanoid::humanoid;

use crate::error::SketchError;
use crate::joint::{Articulation, Preset};
use crate::key::{BoneId, HitboxId, JointId};
use crate::sketch::{Drawn, Sketch};
use crate::view::View;
use nalgebra::Point3;

/// The distance of a pen's points, in parts of the view.
const PEN: f64 = 0.004;

#[derive(Default)]
struct Script {
    sketch: Sketch,
}

impl Script {
    /// A point of the pane at a point of the view's plane, metres.
    fn pane(view: &View, [right, up]: [f64; 2]) -> [f64; 2] {
        let [r, u, _] = view.face.axes();
        let point = view.to_pane(Point3::from(r * right + u * up));
        [point.x, point.y]
    }

    /// Draws a chain of bones through corners and names them.
    fn bones(
        &mut self,
        view: &View,
        corners: &[[f64; 2]],
        names: &[&str],
    ) -> Result<(), SketchError> {
        let corners: Vec<[f64; 2]> = corners.iter().map(|&p| Self::pane(view, p)).collect();
        let mut points = vec![corners[0]];
        for pair in corners.windows(2) {
            let [a, b] = [pair[0], pair[1]];
            let steps = ((b[0] - a[0]).hypot(b[1] - a[1]) / PEN).ceil().max(1.0);
            let at = |k: usize| [0, 1].map(|i| a[i] + (b[i] - a[i]) * k as f64 / steps);
            points.extend((1..=steps as usize).map(at));
        }
        let Drawn::Bones(bones) = self.sketch.draw(view, &points)? else {
            return Err(SketchError::Name(names.join(" ")));
        };
        if bones.len() != names.len() {
            return Err(SketchError::Name(names.join(" ")));
        }
        let mut named = bones.into_iter().zip(names);
        named.try_for_each(|(bone, name)| self.sketch.set_name(bone, name))
    }

    /// Draws an ellipse and makes its exponents and tapers.
    fn body(
        &mut self,
        view: &View,
        center: [f64; 2],
        [a, b]: [f64; 2],
        angle: f64,
        form: ([f64; 2], f64),
    ) -> Result<HitboxId, SketchError> {
        let (s, c) = angle.sin_cos();
        let ring = |k: i32| {
            let (y, x) = (f64::from(k) * std::f64::consts::TAU / 120.0).sin_cos();
            let [x, y] = [a * x, b * y];
            Self::pane(view, [center[0] + c * x - s * y, center[1] + s * x + c * y])
        };
        let points: Vec<[f64; 2]> = (0..=120).map(ring).collect();
        let Drawn::Hitbox(id) = self.sketch.draw(view, &points)? else {
            return Err(SketchError::NoBones);
        };
        let axes = self.sketch.figure().hitboxes()[&id].semi_axes;
        let (exponents, taper) = form;
        self.sketch.set_shape(id, axes, exponents, [taper; 2])?;
        Ok(id)
    }

    /// Taps a bone, and names the half that is farther from the root.
    fn split(&mut self, view: &View, at: [f64; 2], name: &str) -> Result<JointId, SketchError> {
        let joint = self.sketch.tap(view, Self::pane(view, at))?;
        let branches = self.sketch.figure().branches();
        let outer = branches.iter().find(|branch| branch.near == joint);
        let bone = outer.ok_or(SketchError::NoJoint(joint))?.bone;
        self.sketch.set_name(bone, name)?;
        Ok(joint)
    }

    fn bone(&self, name: &str) -> Result<BoneId, SketchError> {
        let found = self.sketch.figure().bone_named(name);
        found.ok_or_else(|| SketchError::Name(name.to_owned()))
    }

    fn preset(&mut self, name: &str, preset: Preset) -> Result<(), SketchError> {
        let bone = self.bone(name)?;
        self.sketch.set_preset(bone, preset)
    }

    /// Sets ranges in degrees.
    fn ranges(&mut self, name: &str, degrees: [[f64; 2]; 3]) -> Result<(), SketchError> {
        let ranges = degrees.map(|range| range.map(f64::to_radians));
        let bone = self.bone(name)?;
        self.sketch
            .set_articulation(bone, Articulation { ranges })
            .map(drop)
    }

    /// Makes the joint of a bone that is nearer to the root the root.
    fn root_at(&mut self, name: &str) -> Result<(), SketchError> {
        let bone = self.bone(name)?;
        let near = self.sketch.figure().branch(bone)?.near;
        self.sketch.set_root(near)
    }
}
