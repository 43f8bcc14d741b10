//! A figure that is sketched, for JavaScript; what is more than a call is told in numbers below.

use crate::numbers::exactly;
use nalgebra::Isometry3;
use serde::Serialize;
use superovoid_sketch::{
    Angles, Articulation, BoneId, Drawn, Face, Figure, HitboxId, JointId, Picked, Preset,
    SketchError, Touch, UrdfOptions, View,
};
use wasm_bindgen::prelude::*;

/// The edges around a body in the files of meshes.
const SEGMENTS: usize = 32;

/// A figure with its edits. A view is five numbers: the place of its face among [`Face::ALL`], the centre and the extent,
/// metres. Points of a pane are two numbers from 0 to 1 with y up. Joints, bones and bodies have keys.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sketch(Live);

#[wasm_bindgen]
impl Sketch {
    /// Begins an empty figure.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Sketch {
        Sketch::default()
    }

    /// Reads a figure from JSON; an exception tells the place of what is wrong.
    pub fn read(json: &str) -> Result<Sketch, JsError> {
        Live::read(json).map(Sketch).map_err(thrown)
    }

    /// Makes a ready figure: `humanoid`, `horse` or `hexapod`.
    pub fn ready(name: &str) -> Result<Sketch, JsError> {
        Live::ready(name).map(Sketch).map_err(thrown)
    }

    /// Returns the figure as JSON for drawing: see [`State`].
    pub fn state(&self) -> Result<String, JsError> {
        self.0.state().map_err(thrown)
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

    /// Takes the last step back.
    pub fn undo(&mut self) -> Result<(), JsError> {
        self.0.0.undo().map_err(refused)
    }

    /// Does the step again that was taken back last.
    pub fn redo(&mut self) -> Result<(), JsError> {
        self.0.0.redo().map_err(refused)
    }

    /// Replaces the figure by one from JSON.
    pub fn take(&mut self, json: &str) -> Result<(), JsError> {
        self.0.take(json).map_err(thrown)
    }

    /// Leaves an empty figure.
    pub fn clear(&mut self) {
        self.0.0.clear();
    }

    /// Draws a stroke, two numbers for each point; returns 0 and the bones, or 1 and the body.
    pub fn draw(&mut self, view: &[f64], points: &[f64]) -> Result<Vec<u32>, JsError> {
        self.0.draw(view, points).map_err(thrown)
    }

    /// Returns what is at a point of the pane: 0 for nothing; 1 and a joint, 2 and a bone, 3 and a body.
    pub fn pick(&self, view: &[f64], x: f64, y: f64, reach: f64) -> Result<Vec<u32>, JsError> {
        self.0.pick(view, [x, y], reach).map_err(thrown)
    }

    /// Splits the bone at a point of the pane, and returns the joint.
    pub fn tap(&mut self, view: &[f64], x: f64, y: f64) -> Result<u32, JsError> {
        self.0.tap(view, [x, y]).map_err(thrown)
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

    /// Takes back what was edited since the change began, and ends it.
    #[wasm_bindgen(js_name = cancelChange)]
    pub fn cancel_change(&mut self) {
        self.0.0.cancel_change();
    }

    /// Moves a joint in the plane of the pane.
    #[wasm_bindgen(js_name = shiftJoint)]
    pub fn shift_joint(&mut self, view: &[f64], joint: u32, x: f64, y: f64) -> Result<(), JsError> {
        self.0.shift_joint(view, joint, [x, y]).map_err(thrown)
    }

    /// Moves a joint in the plane of the pane; where another tree has a joint they become one, which is returned.
    #[wasm_bindgen(js_name = dragJoint)]
    pub fn drag_joint(&mut self, view: &[f64], joint: u32, x: f64, y: f64) -> Result<u32, JsError> {
        self.0.drag_joint(view, joint, [x, y]).map_err(thrown)
    }

    /// Moves a joint to a place, metres.
    #[wasm_bindgen(js_name = moveJoint)]
    pub fn move_joint(&mut self, joint: u32, x: f64, y: f64, z: f64) -> Result<(), JsError> {
        let moved = self.0.0.move_joint(JointId(joint), [x, y, z].into());
        moved.map_err(refused)
    }

    /// Deletes a joint with its bones.
    #[wasm_bindgen(js_name = removeJoint)]
    pub fn remove_joint(&mut self, joint: u32) -> Result<(), JsError> {
        self.0.0.delete_joint(JointId(joint)).map_err(refused)
    }

    /// Deletes a bone with its bodies.
    #[wasm_bindgen(js_name = removeBone)]
    pub fn remove_bone(&mut self, bone: u32) -> Result<(), JsError> {
        self.0.0.delete_bone(BoneId(bone)).map_err(refused)
    }

    /// Deletes a body.
    #[wasm_bindgen(js_name = removeHitbox)]
    pub fn remove_hitbox(&mut self, hitbox: u32) -> Result<(), JsError> {
        self.0.0.delete_hitbox(HitboxId(hitbox)).map_err(refused)
    }

    /// Chooses the joint from which bones are counted.
    #[wasm_bindgen(js_name = setRoot)]
    pub fn set_root(&mut self, joint: u32) -> Result<(), JsError> {
        self.0.0.set_root(JointId(joint)).map_err(refused)
    }

    /// Names a bone.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&mut self, bone: u32, name: &str) -> Result<(), JsError> {
        self.0.0.set_name(BoneId(bone), name).map_err(refused)
    }

    /// Sets the ranges of a bone about its joint: the lower and upper ends about x, y and z, radians.
    #[wasm_bindgen(js_name = setRanges)]
    pub fn set_ranges(&mut self, bone: u32, ranges: &[f64]) -> Result<(), JsError> {
        self.0.set_ranges(bone, ranges).map_err(thrown)
    }

    /// Makes the joint of a bone a ready one: `rigid`, `hinge`, `pivot`, `elbow` or `ball`.
    #[wasm_bindgen(js_name = setPreset)]
    pub fn set_preset(&mut self, bone: u32, preset: &str) -> Result<(), JsError> {
        self.0.set_preset(bone, preset).map_err(thrown)
    }

    /// Gives a body other semi-axes, exponents and tapers, seven numbers.
    #[wasm_bindgen(js_name = shapeHitbox)]
    pub fn shape_hitbox(&mut self, hitbox: u32, numbers: &[f64]) -> Result<(), JsError> {
        self.0.shape_hitbox(hitbox, numbers).map_err(thrown)
    }

    /// Shifts a body by parts of the view, turns it by an angle and scales it.
    #[wasm_bindgen(js_name = touchHitbox)]
    pub fn touch_hitbox(
        &mut self,
        view: &[f64],
        hitbox: u32,
        x: f64,
        y: f64,
        turn: f64,
        scale: f64,
    ) -> Result<(), JsError> {
        let touch = Touch {
            shift: [x, y],
            turn,
            scale,
        };
        self.0.touch_hitbox(view, hitbox, &touch).map_err(thrown)
    }

    /// Returns the figure as its own JSON.
    pub fn json(&self) -> String {
        superovoid_sketch::to_json(self.0.0.figure())
    }

    /// Returns the figure as a robot in URDF, with mass and inertia at a density, kg/m³.
    pub fn urdf(&self, name: &str, density: f64) -> Result<String, JsError> {
        self.0.urdf(name, density).map_err(thrown)
    }

    /// Returns the pairs of bones that share a joint as SRDF.
    pub fn srdf(&self, name: &str) -> String {
        superovoid_sketch::to_srdf(self.0.0.figure(), name)
    }

    /// Returns the bodies as the text of an OBJ file, as they were drawn.
    pub fn obj(&self) -> Result<String, JsError> {
        let figure = self.0.0.figure();
        superovoid_sketch::to_obj(figure, &Angles::new(), SEGMENTS).map_err(refused)
    }

    /// Returns the bodies as the text of a COLLADA file, as they were drawn.
    pub fn collada(&self) -> Result<String, JsError> {
        let figure = self.0.0.figure();
        superovoid_sketch::to_collada(figure, &Angles::new(), SEGMENTS).map_err(refused)
    }

    /// Returns the figure as a scene of the simulation, with gravity and a floor, or on a stand.
    pub fn scene(&self, gravity: bool) -> Result<String, JsError> {
        self.0.scene(gravity).map_err(thrown)
    }
}

fn refused(error: SketchError) -> JsError {
    thrown(said(error))
}

fn thrown(error: String) -> JsError {
    JsError::new(&error)
}

/// The message of an error.
fn said(error: SketchError) -> String {
    error.to_string()
}

/// A figure for drawing.
#[derive(Serialize)]
struct State<'a> {
    /// The joint from which bones are counted: that which was chosen, or the one of least key.
    root: Option<u32>,
    joints: Vec<Joint>,
    bones: Vec<Bone<'a>>,
    hitboxes: Vec<Hitbox>,
}

#[derive(Serialize)]
struct Joint {
    id: u32,
    place: [f64; 3],
}

#[derive(Serialize)]
struct Bone<'a> {
    id: u32,
    name: &'a str,
    /// The joint at its end that is nearer to the root, and the other one.
    near: u32,
    far: u32,
    parent: Option<u32>,
    ranges: [[f64; 2]; 3],
    /// Its frame at rest.
    frame: [f64; 7],
    warning: Option<String>,
}

#[derive(Serialize)]
struct Hitbox {
    id: u32,
    bone: u32,
    numbers: [f64; 7],
    pose: [f64; 7],
}

/// A figure that is sketched.
#[derive(Default)]
struct Live(superovoid_sketch::Sketch);

impl Live {
    /// Reads a figure; the error tells the place.
    fn read(json: &str) -> Result<Self, String> {
        Ok(Live(superovoid_sketch::Sketch::of(figure(json)?)))
    }

    /// Makes a ready figure, with nothing to undo.
    fn ready(name: &str) -> Result<Self, String> {
        let made = match name {
            "humanoid" => superovoid_sketch::humanoid(),
            "horse" => superovoid_sketch::horse(),
            "hexapod" => superovoid_sketch::hexapod(),
            _ => {
                return Err(format!(
                    "figure {name:?}: must be humanoid, horse or hexapod"
                ));
            }
        };
        let figure = made.map_err(said)?.figure().clone();
        Ok(Live(superovoid_sketch::Sketch::of(figure)))
    }

    /// Returns the figure for drawing.
    fn state(&self) -> Result<String, String> {
        let figure = self.0.figure();
        let joints = figure
            .joints()
            .iter()
            .map(|(id, &place)| Joint { id: id.0, place });
        let state = State {
            root: figure.roots().first().map(|root| root.0),
            joints: joints.collect(),
            bones: bones(figure)?,
            hitboxes: figure.hitboxes().iter().map(hitbox).collect(),
        };
        serde_json::to_string(&state).map_err(|error| error.to_string())
    }

    /// Replaces the figure.
    fn take(&mut self, json: &str) -> Result<(), String> {
        self.0.replace(figure(json)?);
        Ok(())
    }

    /// Draws a stroke.
    fn draw(&mut self, view: &[f64], points: &[f64]) -> Result<Vec<u32>, String> {
        let (pairs, rest) = points.as_chunks::<2>();
        if !rest.is_empty() {
            return Err("points: two numbers are needed for each".to_owned());
        }
        let drawn = self.0.draw(&seen(view)?, pairs).map_err(said)?;
        Ok(match drawn {
            Drawn::Bones(bones) => [0].into_iter().chain(bones.iter().map(|b| b.0)).collect(),
            Drawn::Hitbox(id) => vec![1, id.0],
        })
    }

    /// Returns what is at a point.
    fn pick(&self, view: &[f64], point: [f64; 2], reach: f64) -> Result<Vec<u32>, String> {
        let picked = self.0.pick(&seen(view)?, point, reach).map_err(said)?;
        Ok(match picked {
            Picked::Nothing => vec![0],
            Picked::Joint(id) => vec![1, id.0],
            Picked::Bone(id) => vec![2, id.0],
            Picked::Hitbox(id) => vec![3, id.0],
        })
    }

    /// Splits a bone.
    fn tap(&mut self, view: &[f64], point: [f64; 2]) -> Result<u32, String> {
        let joint = self.0.tap(&seen(view)?, point).map_err(said)?;
        Ok(joint.0)
    }

    /// Moves a joint in the plane of the pane.
    fn shift_joint(&mut self, view: &[f64], joint: u32, point: [f64; 2]) -> Result<(), String> {
        let shifted = self.0.shift_joint(&seen(view)?, JointId(joint), point);
        shifted.map_err(said)
    }

    /// Moves a joint in the plane of the pane, and welds.
    fn drag_joint(&mut self, view: &[f64], joint: u32, point: [f64; 2]) -> Result<u32, String> {
        let dragged = self.0.drag(&seen(view)?, JointId(joint), point);
        Ok(dragged.map_err(said)?.0)
    }

    /// Sets the ranges of a bone.
    fn set_ranges(&mut self, bone: u32, ranges: &[f64]) -> Result<(), String> {
        let &[a, b, c, d, e, f] = exactly("ranges", ranges)?;
        let articulation = Articulation {
            ranges: [[a, b], [c, d], [e, f]],
        };
        let set = self.0.set_articulation(BoneId(bone), articulation);
        set.map(drop).map_err(said)
    }

    /// Makes a joint a ready one.
    fn set_preset(&mut self, bone: u32, preset: &str) -> Result<(), String> {
        let preset = match preset {
            "rigid" => Preset::Rigid,
            "hinge" => Preset::Hinge,
            "pivot" => Preset::Pivot,
            "elbow" => Preset::Elbow,
            "ball" => Preset::Ball,
            _ => {
                return Err(format!(
                    "preset {preset:?}: must be rigid, hinge, pivot, elbow or ball"
                ));
            }
        };
        self.0.set_preset(BoneId(bone), preset).map_err(said)
    }

    /// Gives a body another shape.
    fn shape_hitbox(&mut self, hitbox: u32, numbers: &[f64]) -> Result<(), String> {
        let &[a1, a2, a3, e1, e2, tx, ty] = exactly("shape", numbers)?;
        let shaped = self
            .0
            .set_shape(HitboxId(hitbox), [a1, a2, a3], [e1, e2], [tx, ty]);
        shaped.map_err(said)
    }

    /// Shifts, turns and scales a body.
    fn touch_hitbox(&mut self, view: &[f64], hitbox: u32, touch: &Touch) -> Result<(), String> {
        let touched = self.0.touch(&seen(view)?, HitboxId(hitbox), touch);
        touched.map_err(said)
    }

    /// Returns the figure as a robot.
    fn urdf(&self, name: &str, density: f64) -> Result<String, String> {
        let options = UrdfOptions {
            name: name.to_owned(),
            density,
            ..UrdfOptions::default()
        };
        let robot = superovoid_sketch::to_urdf(self.0.figure(), &options).map_err(said)?;
        Ok(robot.to_urdf())
    }

    /// Returns the figure as a scene.
    fn scene(&self, gravity: bool) -> Result<String, String> {
        let scene = superovoid_sketch::to_scene(self.0.figure(), gravity).map_err(said)?;
        Ok(scene.to_json())
    }
}

/// Reads a figure; the error tells the place.
fn figure(json: &str) -> Result<Figure, String> {
    superovoid_sketch::from_json(json).map_err(|error| error.to_string())
}

/// Makes a view of five numbers: the place of the face, the centre and the extent.
fn seen(numbers: &[f64]) -> Result<View, String> {
    let &[face, x, y, z, extent] = exactly("view", numbers)?;
    let place = (0..Face::ALL.len()).find(|&k| k as f64 == face);
    let place = place.ok_or("view: its face must be front, back, top, bottom, left or right")?;
    Ok(View {
        face: Face::ALL[place],
        center: [x, y, z].into(),
        extent,
    })
}

/// The bones in the order of their keys.
fn bones(figure: &Figure) -> Result<Vec<Bone<'_>>, String> {
    let bone = |branch: superovoid_sketch::Branch| {
        let bone = figure.bone(branch.bone).map_err(said)?;
        Ok(Bone {
            id: branch.bone.0,
            name: &bone.name,
            near: branch.near.0,
            far: branch.far.0,
            parent: branch.parent.map(|parent| parent.0),
            ranges: bone.articulation.ranges,
            frame: pose(&figure.rest(&branch).map_err(said)?),
            warning: bone.articulation.warning(),
        })
    };
    let made: Result<Vec<Bone<'_>>, String> = figure.branches().into_iter().map(bone).collect();
    let mut bones = made?;
    bones.sort_by_key(|bone| bone.id);
    Ok(bones)
}

fn hitbox((id, hitbox): (&HitboxId, &superovoid_sketch::Hitbox)) -> Hitbox {
    let ([a1, a2, a3], [e1, e2]) = (hitbox.semi_axes, hitbox.exponents);
    let [tx, ty] = hitbox.tapers;
    Hitbox {
        id: id.0,
        bone: hitbox.bone.0,
        numbers: [a1, a2, a3, e1, e2, tx, ty],
        pose: pose(&hitbox.pose()),
    }
}

fn pose(pose: &Isometry3<f64>) -> [f64; 7] {
    let (p, q) = (&pose.translation, &pose.rotation);
    [p.x, p.y, p.z, q.i, q.j, q.k, q.w]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The front view, two metres wide about a metre above the ground.
    const FRONT: [f64; 5] = [0.0, 0.0, 0.0, 1.0, 2.0];

    fn line() -> Vec<f64> {
        (0..=60)
            .flat_map(|k| [0.5, 0.3 + 0.4 * f64::from(k) / 60.0])
            .collect()
    }

    fn state(live: &Live) -> serde_json::Value {
        serde_json::from_str(&live.state().unwrap()).unwrap()
    }

    #[test]
    fn what_is_drawn_is_told_and_picked() {
        let mut live = Live::default();
        assert!(state(&live)["root"].is_null());
        assert_eq!(live.draw(&FRONT, &line()).unwrap(), [0, 2]);
        let ring = (0..=90).flat_map(|k| {
            let (s, c) = (f64::from(k) * std::f64::consts::TAU / 90.0).sin_cos();
            [0.5 + 0.05 * c, 0.5 + 0.1 * s]
        });
        let drawn = live.draw(&FRONT, &ring.collect::<Vec<f64>>()).unwrap();
        assert_eq!(drawn, [1, 3]);
        let told = state(&live);
        assert_eq!(told["root"], 0);
        assert_eq!(told["joints"].as_array().unwrap().len(), 2);
        let bone = &told["bones"][0];
        assert_eq!(
            (&bone["id"], &bone["near"], &bone["far"]),
            (&2.into(), &0.into(), &1.into())
        );
        assert!(bone["parent"].is_null() && bone["warning"].is_null());
        // The bone stands: x of its frame points up, y is the world's.
        let frame: Vec<f64> = serde_json::from_value(bone["frame"].clone()).unwrap();
        let made = crate::numbers::pose("frame", &frame).unwrap();
        let x = made.rotation * nalgebra::Vector3::x();
        assert!((x - nalgebra::Vector3::z()).norm() < 1e-9, "{x}");
        let numbers: Vec<f64> =
            serde_json::from_value(told["hitboxes"][0]["numbers"].clone()).unwrap();
        assert!(
            (numbers[2] - 0.2).abs() < 1e-3 && numbers[3] == 1.0,
            "{numbers:?}"
        );
        assert_eq!(live.pick(&FRONT, [0.5, 0.3], 0.02).unwrap(), [1, 0]);
        assert_eq!(live.pick(&FRONT, [0.5, 0.5], 0.02).unwrap(), [2, 2]);
        assert_eq!(live.pick(&FRONT, [0.53, 0.5], 0.02).unwrap(), [3, 3]);
        assert_eq!(live.pick(&FRONT, [0.9, 0.5], 0.02).unwrap(), [0]);
    }

    #[test]
    fn ready_figures_are_the_librarys_with_nothing_to_undo() {
        for name in ["humanoid", "horse", "hexapod"] {
            let live = Live::ready(name).unwrap();
            assert!(!live.0.can_undo());
            let told = state(&live);
            assert_eq!(
                told["bones"].as_array().unwrap().len(),
                live.0.figure().bones().len()
            );
            let again = Live::read(&superovoid_sketch::to_json(live.0.figure())).unwrap();
            assert_eq!(again.0.figure(), live.0.figure());
            assert!(
                live.urdf("it", 500.0)
                    .unwrap()
                    .contains("<robot name=\"it\"")
            );
            for gravity in [false, true] {
                let scene = live.scene(gravity).unwrap();
                crate::simulation::Live::read(&scene)
                    .unwrap()
                    .step()
                    .unwrap();
            }
        }
    }

    #[test]
    fn bad_numbers_are_refused_by_their_names() {
        let mut live = Live::ready("horse").unwrap();
        let before = live.0.figure().clone();
        let refused = [
            Live::ready("cow").map(drop),
            live.draw(&FRONT[..4], &line()).map(drop),
            live.draw(&[6.0, 0.0, 0.0, 0.0, 1.0], &line()).map(drop),
            live.draw(&[f64::NAN, 0.0, 0.0, 0.0, 1.0], &line())
                .map(drop),
            live.draw(&[0.0, 0.0, 0.0, 0.0, 0.0], &line()).map(drop),
            live.draw(&FRONT, &line()[1..]).map(drop),
            live.pick(&FRONT, [0.5, 0.5], -1.0).map(drop),
            live.tap(&FRONT, [0.5, 1.5]).map(drop),
            live.shift_joint(&FRONT, 4_000_000_000, [0.5, 0.5]),
            live.set_ranges(2, &[0.0; 5]),
            live.set_preset(2, "knee"),
            live.shape_hitbox(0, &[1.0; 6]),
            live.urdf("it", 0.0).map(drop),
            live.take("{}"),
            Live::default().scene(true).map(drop),
        ];
        let told = [
            "figure",
            "view: 5",
            "view: its face",
            "view: its face",
            "view: its numbers",
            "points",
            "reach",
            "points[0]",
            "there is no joint",
            "ranges: 6",
            "preset",
            "shape: 7",
            "density",
            "missing field",
            "the figure has no bones",
        ];
        for (refused, told) in refused.into_iter().zip(told) {
            let error = refused.unwrap_err();
            assert!(error.starts_with(told), "{error} and not {told}");
        }
        assert_eq!(*live.0.figure(), before);
        assert!(!live.0.can_undo());
    }
}
