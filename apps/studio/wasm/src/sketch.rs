//! A figure that is sketched, for JavaScript.

use crate::types::{Numbers, Pose, Thrown, Vector};
use serde::{Deserialize, Serialize};
use superovoid_sketch::{
    Angles, Articulation, BoneId, Drawn, Figure, HitboxId, JointId, Picked, Touch, UrdfOptions,
    View,
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

/// The edges around a body in the files of meshes.
const SEGMENTS: usize = 32;

/// A figure with its edits: an edit that fails throws and changes nothing. Joints, bones and bodies have keys.
#[wasm_bindgen]
#[derive(Default)]
pub struct Sketch(superovoid_sketch::Sketch);

/// The side from which a figure is seen: it looks along x, its left is y, and up is z.
#[derive(Deserialize, Tsify)]
#[serde(remote = "superovoid_sketch::Face", rename_all = "lowercase")]
pub enum Face {
    Front,
    Back,
    Top,
    Bottom,
    Left,
    Right,
}

/// A square pane: the side, the point in its middle and the metres that its edge spans.
#[derive(Deserialize, Tsify)]
pub struct SketchView {
    #[serde(with = "Face")]
    #[tsify(type = "Face")]
    face: superovoid_sketch::Face,
    center: Vector,
    extent: f64,
}

/// A point of a pane, from 0 to 1 with y up.
#[derive(Deserialize, Tsify)]
pub struct PanePoint([f64; 2]);

/// A figure for drawing.
#[derive(Serialize, Tsify)]
pub struct SketchState {
    /// The joint from which bones are counted, that which was chosen or the one of least key; nothing in an empty figure.
    root: Option<u32>,
    joints: Vec<SketchJoint>,
    bones: Vec<SketchBone>,
    hitboxes: Vec<SketchHitbox>,
}

#[derive(Serialize, Tsify)]
struct SketchJoint {
    id: u32,
    /// The position at rest, metres.
    place: Vector,
}

#[derive(Serialize, Tsify)]
struct SketchBone {
    id: u32,
    name: String,
    /// The joint at its end that is nearer to the root, and the other one.
    near: u32,
    far: u32,
    parent: Option<u32>,
    /// What it may turn about x, y and z of its frame at its near joint, radians.
    ranges: [[f64; 2]; 3],
    /// Its frame at rest, at the near joint: x along it, away from the root.
    frame: Pose,
    /// What is doubtful about the ranges.
    warning: Option<String>,
}

#[derive(Serialize, Tsify)]
struct SketchHitbox {
    id: u32,
    bone: u32,
    numbers: Numbers,
    pose: Pose,
}

/// What a stroke has become.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SketchDrawn {
    Bones { ids: Vec<u32> },
    Hitbox { id: u32 },
}

/// What is at a point of a pane.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SketchPick {
    Nothing,
    Joint { id: u32 },
    Bone { id: u32 },
    Hitbox { id: u32 },
}

/// A ready figure.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum SketchFigure {
    Humanoid,
    Horse,
    Hexapod,
}

/// The ends of the ranges about x, y and z, radians.
#[derive(Deserialize, Tsify)]
pub struct SketchRanges([[f64; 2]; 3]);

/// A ready joint.
#[derive(Deserialize, Tsify)]
#[serde(rename_all = "lowercase")]
pub enum SketchPreset {
    Rigid,
    Hinge,
    Pivot,
    Elbow,
    Ball,
}

/// What is done to a body: it is shifted by parts of the view, turned in the view, radians, and scaled.
#[derive(Deserialize, Tsify)]
pub struct SketchTouch {
    shift: [f64; 2],
    turn: f64,
    scale: f64,
}

impl From<SketchView> for View {
    fn from(view: SketchView) -> Self {
        View {
            face: view.face,
            center: view.center.into(),
            extent: view.extent,
        }
    }
}

fn seen(view: &Ts<SketchView>) -> Result<View, Thrown> {
    Ok(view.to_rust()?.into())
}

#[wasm_bindgen]
impl Sketch {
    /// Begins an empty figure.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Sketch {
        Sketch::default()
    }

    /// Reads a figure from JSON; an exception tells the place of what is wrong.
    pub fn read(json: &str) -> Result<Sketch, Thrown> {
        let figure = superovoid_sketch::from_json(json)?;
        Ok(Sketch(superovoid_sketch::Sketch::of(figure)))
    }

    /// Makes a ready figure, with nothing to undo.
    pub fn ready(figure: Ts<SketchFigure>) -> Result<Sketch, Thrown> {
        let made = match figure.to_rust()? {
            SketchFigure::Humanoid => superovoid_sketch::humanoid(),
            SketchFigure::Horse => superovoid_sketch::horse(),
            SketchFigure::Hexapod => superovoid_sketch::hexapod(),
        };
        let figure = made?.figure().clone();
        Ok(Sketch(superovoid_sketch::Sketch::of(figure)))
    }

    /// Returns the figure for drawing.
    pub fn state(&self) -> Result<Ts<SketchState>, Thrown> {
        let figure = self.0.figure();
        let joints = figure.joints().iter().map(|(id, &place)| SketchJoint {
            id: id.0,
            place: Vector(place),
        });
        let hitboxes = figure.hitboxes().iter().map(|(id, hitbox)| SketchHitbox {
            id: id.0,
            bone: hitbox.bone.0,
            numbers: Numbers::of(hitbox.semi_axes, hitbox.exponents, hitbox.tapers),
            pose: (&hitbox.pose()).into(),
        });
        let state = SketchState {
            root: figure.roots().first().map(|root| root.0),
            joints: joints.collect(),
            bones: bones(figure)?,
            hitboxes: hitboxes.collect(),
        };
        Ok(state.into_ts()?)
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

    /// Takes the last step back.
    pub fn undo(&mut self) -> Result<(), Thrown> {
        Ok(self.0.undo()?)
    }

    /// Does the step again that was taken back last.
    pub fn redo(&mut self) -> Result<(), Thrown> {
        Ok(self.0.redo()?)
    }

    /// Replaces the figure by one from JSON.
    pub fn take(&mut self, json: &str) -> Result<(), Thrown> {
        self.0.replace(superovoid_sketch::from_json(json)?);
        Ok(())
    }

    /// Leaves an empty figure.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Draws a stroke, two numbers for each point: an ellipse becomes a body, another stroke bones.
    pub fn draw(
        &mut self,
        view: Ts<SketchView>,
        #[wasm_bindgen(unchecked_param_type = "number[]")] points: &[f64],
    ) -> Result<Ts<SketchDrawn>, Thrown> {
        let (pairs, rest) = points.as_chunks::<2>();
        if !rest.is_empty() {
            return Err(Thrown("points: two numbers are needed for each".to_owned()));
        }
        let drawn = match self.0.draw(&seen(&view)?, pairs)? {
            Drawn::Bones(bones) => SketchDrawn::Bones {
                ids: bones.iter().map(|bone| bone.0).collect(),
            },
            Drawn::Hitbox(id) => SketchDrawn::Hitbox { id: id.0 },
        };
        Ok(drawn.into_ts()?)
    }

    /// Returns what is at a point: a joint before a bone, within a reach in parts of the view, before a body in its
    /// silhouette.
    pub fn pick(
        &self,
        view: Ts<SketchView>,
        point: Ts<PanePoint>,
        reach: f64,
    ) -> Result<Ts<SketchPick>, Thrown> {
        let picked = match self.0.pick(&seen(&view)?, point.to_rust()?.0, reach)? {
            Picked::Nothing => SketchPick::Nothing,
            Picked::Joint(id) => SketchPick::Joint { id: id.0 },
            Picked::Bone(id) => SketchPick::Bone { id: id.0 },
            Picked::Hitbox(id) => SketchPick::Hitbox { id: id.0 },
        };
        Ok(picked.into_ts()?)
    }

    /// Splits the bone at a point, and returns the new joint.
    pub fn tap(&mut self, view: Ts<SketchView>, point: Ts<PanePoint>) -> Result<u32, Thrown> {
        Ok(self.0.tap(&seen(&view)?, point.to_rust()?.0)?.0)
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

    /// Takes back what was edited since the change began, and ends it.
    #[wasm_bindgen(js_name = cancelChange)]
    pub fn cancel_change(&mut self) {
        self.0.cancel_change();
    }

    /// Moves a joint in the plane of the pane; it stays the joint that it is.
    #[wasm_bindgen(js_name = shiftJoint)]
    pub fn shift_joint(
        &mut self,
        view: Ts<SketchView>,
        joint: u32,
        point: Ts<PanePoint>,
    ) -> Result<(), Thrown> {
        let point = point.to_rust()?.0;
        Ok(self.0.shift_joint(&seen(&view)?, JointId(joint), point)?)
    }

    /// Moves a joint in the plane of the pane; where another tree has a joint they become one, which is returned.
    #[wasm_bindgen(js_name = dragJoint)]
    pub fn drag_joint(
        &mut self,
        view: Ts<SketchView>,
        joint: u32,
        point: Ts<PanePoint>,
    ) -> Result<u32, Thrown> {
        let point = point.to_rust()?.0;
        Ok(self.0.drag(&seen(&view)?, JointId(joint), point)?.0)
    }

    /// Moves a joint to a place, metres.
    #[wasm_bindgen(js_name = moveJoint)]
    pub fn move_joint(&mut self, joint: u32, to: Ts<Vector>) -> Result<(), Thrown> {
        Ok(self.0.move_joint(JointId(joint), to.to_rust()?.into())?)
    }

    /// Deletes a joint with its bones.
    #[wasm_bindgen(js_name = removeJoint)]
    pub fn remove_joint(&mut self, joint: u32) -> Result<(), Thrown> {
        Ok(self.0.delete_joint(JointId(joint))?)
    }

    /// Deletes a bone with its bodies.
    #[wasm_bindgen(js_name = removeBone)]
    pub fn remove_bone(&mut self, bone: u32) -> Result<(), Thrown> {
        Ok(self.0.delete_bone(BoneId(bone))?)
    }

    /// Deletes a body.
    #[wasm_bindgen(js_name = removeHitbox)]
    pub fn remove_hitbox(&mut self, hitbox: u32) -> Result<(), Thrown> {
        Ok(self.0.delete_hitbox(HitboxId(hitbox))?)
    }

    /// Chooses the joint from which bones are counted.
    #[wasm_bindgen(js_name = setRoot)]
    pub fn set_root(&mut self, joint: u32) -> Result<(), Thrown> {
        Ok(self.0.set_root(JointId(joint))?)
    }

    /// Names a bone.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&mut self, bone: u32, name: &str) -> Result<(), Thrown> {
        Ok(self.0.set_name(BoneId(bone), name)?)
    }

    /// Sets what a bone may turn about x, y and z.
    #[wasm_bindgen(js_name = setRanges)]
    pub fn set_ranges(&mut self, bone: u32, ranges: Ts<SketchRanges>) -> Result<(), Thrown> {
        let SketchRanges(ranges) = ranges.to_rust()?;
        self.0
            .set_articulation(BoneId(bone), Articulation { ranges })?;
        Ok(())
    }

    /// Makes the joint of a bone a ready one.
    #[wasm_bindgen(js_name = setPreset)]
    pub fn set_preset(&mut self, bone: u32, preset: Ts<SketchPreset>) -> Result<(), Thrown> {
        let preset = match preset.to_rust()? {
            SketchPreset::Rigid => superovoid_sketch::Preset::Rigid,
            SketchPreset::Hinge => superovoid_sketch::Preset::Hinge,
            SketchPreset::Pivot => superovoid_sketch::Preset::Pivot,
            SketchPreset::Elbow => superovoid_sketch::Preset::Elbow,
            SketchPreset::Ball => superovoid_sketch::Preset::Ball,
        };
        Ok(self.0.set_preset(BoneId(bone), preset)?)
    }

    /// Gives a body another shape.
    #[wasm_bindgen(js_name = shapeHitbox)]
    pub fn shape_hitbox(&mut self, hitbox: u32, numbers: Ts<Numbers>) -> Result<(), Thrown> {
        let (semi_axes, exponents, tapers) = numbers.to_rust()?.parts("shape")?;
        let id = HitboxId(hitbox);
        Ok(self.0.set_shape(id, semi_axes, exponents, tapers)?)
    }

    /// Shifts, turns and scales a body.
    #[wasm_bindgen(js_name = touchHitbox)]
    pub fn touch_hitbox(
        &mut self,
        view: Ts<SketchView>,
        hitbox: u32,
        touch: Ts<SketchTouch>,
    ) -> Result<(), Thrown> {
        let SketchTouch { shift, turn, scale } = touch.to_rust()?;
        let touch = Touch { shift, turn, scale };
        Ok(self.0.touch(&seen(&view)?, HitboxId(hitbox), &touch)?)
    }

    /// Returns the figure as its own JSON.
    pub fn json(&self) -> String {
        superovoid_sketch::to_json(self.0.figure())
    }

    /// Returns the figure as a robot in URDF, with mass and inertia of water.
    pub fn urdf(&self, name: String) -> Result<String, Thrown> {
        let options = UrdfOptions {
            name,
            ..UrdfOptions::default()
        };
        Ok(superovoid_sketch::to_urdf(self.0.figure(), &options)?.to_urdf())
    }

    /// Returns the pairs of bones that share a joint as SRDF.
    pub fn srdf(&self, name: &str) -> String {
        superovoid_sketch::to_srdf(self.0.figure(), name)
    }

    /// Returns the bodies as the text of an OBJ file, as they were drawn.
    pub fn obj(&self) -> Result<String, Thrown> {
        let figure = self.0.figure();
        Ok(superovoid_sketch::to_obj(figure, &Angles::new(), SEGMENTS)?)
    }

    /// Returns the bodies as the text of a COLLADA file, as they were drawn.
    pub fn collada(&self) -> Result<String, Thrown> {
        let figure = self.0.figure();
        Ok(superovoid_sketch::to_collada(
            figure,
            &Angles::new(),
            SEGMENTS,
        )?)
    }

    /// Returns the figure as a scene of the simulation, with gravity and a floor, or on a stand: the bodies are named
    /// `hitbox N`, and `bone N` for a bone without.
    pub fn scene(&self, gravity: bool) -> Result<String, Thrown> {
        Ok(superovoid_sketch::to_scene(self.0.figure(), gravity)?.to_json())
    }
}

/// The bones in the order of their keys.
fn bones(figure: &Figure) -> Result<Vec<SketchBone>, Thrown> {
    let bone = |branch: superovoid_sketch::Branch| {
        let bone = figure.bone(branch.bone)?;
        Ok(SketchBone {
            id: branch.bone.0,
            name: bone.name.clone(),
            near: branch.near.0,
            far: branch.far.0,
            parent: branch.parent.map(|parent| parent.0),
            ranges: bone.articulation.ranges,
            frame: (&figure.rest(&branch)?).into(),
            warning: bone.articulation.warning(),
        })
    };
    let made: Result<Vec<SketchBone>, Thrown> = figure.branches().into_iter().map(bone).collect();
    let mut bones = made?;
    bones.sort_by_key(|bone| bone.id);
    Ok(bones)
}
