//! A figure with its edits. Each is one step that is undone and done again; one that fails changes nothing.

use crate::error::SketchError;
use crate::figure::{Figure, Hitbox};
use crate::history::History;
use crate::hitbox::Touch;
use crate::joint::{Articulation, Preset};
use crate::key::{BoneId, HitboxId, JointId};
use crate::picking::Picked;
use crate::recogniser::{Recognised, recognise};
use crate::stroke::{Stroke, StrokeError, check};
use crate::view::View;
use nalgebra::{Point2, Point3};

/// What a stroke has drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// The stroke became bones.
    Bones(Vec<BoneId>),
    /// The stroke became a body.
    Hitbox(HitboxId),
}

/// A figure, and the steps that led to it.
#[derive(Clone, Debug, Default)]
pub struct Sketch {
    figure: Figure,
    history: History,
}

impl Sketch {
    /// Returns a sketch of a figure, with nothing to undo.
    pub fn of(figure: Figure) -> Self {
        Sketch {
            figure,
            ..Sketch::default()
        }
    }

    /// Returns the figure.
    pub fn figure(&self) -> &Figure {
        &self.figure
    }

    /// Replaces the figure, for one that was loaded.
    pub fn replace(&mut self, figure: Figure) {
        let old = std::mem::replace(&mut self.figure, figure);
        self.history.remember(old, &self.figure);
    }

    /// Leaves an empty figure. Keys that were used are not used again.
    pub fn clear(&mut self) {
        let next = self.figure.next;
        self.replace(Figure {
            next,
            ..Figure::default()
        });
    }

    /// Begins a change: the edits up to [`end_change`](Sketch::end_change), such as those of a drag, are one step of undo.
    /// One that goes on ends.
    pub fn begin_change(&mut self) {
        self.history.begin(&self.figure);
    }

    /// Ends the change that goes on, if one does.
    pub fn end_change(&mut self) {
        self.history.end(&self.figure);
    }

    /// Takes back what was edited since the change began, and ends it, if one goes on.
    pub fn cancel_change(&mut self) {
        self.history.cancel(&mut self.figure);
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo(&self.figure)
    }

    /// Whether there is a step to do again.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo(&self.figure)
    }

    fn edit<T>(
        &mut self,
        change: impl FnOnce(&mut Figure) -> Result<T, SketchError>,
    ) -> Result<T, SketchError> {
        let mut next = self.figure.clone();
        let answer = change(&mut next)?;
        self.replace(next);
        Ok(answer)
    }

    /// Takes the last step back. A change that goes on ends and is that step.
    ///
    /// # Errors
    /// The error says that there is none.
    pub fn undo(&mut self) -> Result<(), SketchError> {
        self.history.undo(&mut self.figure)
    }

    /// Does the step again that was taken back last. A change that goes on ends.
    ///
    /// # Errors
    /// The error says that there is none.
    pub fn redo(&mut self) -> Result<(), SketchError> {
        self.history.redo(&mut self.figure)
    }

    /// Returns what is seen at a point of the pane: a joint or a bone nearer than `reach`, in parts of the view, or the body
    /// in front whose silhouette contains the point.
    ///
    /// # Errors
    /// The error names a bad view, point or reach.
    pub fn pick(&self, view: &View, point: [f64; 2], reach: f64) -> Result<Picked, SketchError> {
        let point = checked(view, point)?;
        if !(0.0..=1.0).contains(&reach) {
            return Err(SketchError::Reach(reach));
        }
        self.figure.pick(view, point, reach)
    }

    /// Draws a stroke, points of the pane: an ellipse becomes a body, another stroke bones.
    ///
    /// # Errors
    /// The error names a bad point, why the stroke means nothing, a cycle, or the bone nearest to an ellipse that meets
    /// none.
    pub fn draw(&mut self, view: &View, points: &[[f64; 2]]) -> Result<Drawn, SketchError> {
        if !view.is_valid() {
            return Err(SketchError::View);
        }
        let stroke = Stroke::new(points)?;
        match recognise(&stroke) {
            Recognised::Refused(why) => Err(why.into()),
            Recognised::Bones(chain) => {
                self.edit(|figure| figure.add_chain(view, &chain).map(Drawn::Bones))
            }
            Recognised::Ellipse(ellipse) => {
                self.edit(|figure| figure.add_ellipse(view, &ellipse).map(Drawn::Hitbox))
            }
        }
    }

    /// Splits the bone at a point of the pane and returns the new joint.
    ///
    /// # Errors
    /// The error says that no bone is near.
    pub fn tap(&mut self, view: &View, point: [f64; 2]) -> Result<JointId, SketchError> {
        let point = checked(view, point)?;
        self.edit(|figure| figure.tap(view, point))
    }

    /// Moves a joint to a point of the pane, keeping its depth, without becoming another joint.
    ///
    /// # Errors
    /// The error names a bone without length, or a joint that does not exist.
    pub fn shift_joint(
        &mut self,
        view: &View,
        joint: JointId,
        point: [f64; 2],
    ) -> Result<(), SketchError> {
        let point = checked(view, point)?;
        self.edit(|figure| figure.shift(view, joint, point))
    }

    /// Moves a joint to a point of the pane, keeping its depth. Where another tree has a joint they become one, which is
    /// returned.
    ///
    /// # Errors
    /// The error names a cycle, a bone without length, or a joint that does not exist.
    pub fn drag(
        &mut self,
        view: &View,
        joint: JointId,
        point: [f64; 2],
    ) -> Result<JointId, SketchError> {
        let point = checked(view, point)?;
        self.edit(|figure| figure.drag(view, joint, point))
    }

    /// Moves a joint to a point of space, metres.
    ///
    /// # Errors
    /// The error names a bone without length, a position that is not finite, or a joint that does not exist.
    pub fn move_joint(&mut self, joint: JointId, to: Point3<f64>) -> Result<(), SketchError> {
        self.edit(|figure| figure.move_joint(joint, to))
    }

    /// Deletes a joint with its bones.
    ///
    /// # Errors
    /// The error names a joint that does not exist.
    pub fn delete_joint(&mut self, joint: JointId) -> Result<(), SketchError> {
        self.edit(|figure| figure.delete_joint(joint))
    }

    /// Deletes a bone with its bodies.
    ///
    /// # Errors
    /// The error names a bone that does not exist.
    pub fn delete_bone(&mut self, bone: BoneId) -> Result<(), SketchError> {
        self.edit(|figure| figure.delete_bone(bone))
    }

    /// Deletes a body.
    ///
    /// # Errors
    /// The error names a hitbox that does not exist.
    pub fn delete_hitbox(&mut self, hitbox: HitboxId) -> Result<(), SketchError> {
        self.edit(|figure| {
            let removed = figure.hitboxes.remove(&hitbox);
            removed.map(drop).ok_or(SketchError::NoHitbox(hitbox))
        })
    }

    /// Chooses the joint from which bones are counted.
    ///
    /// # Errors
    /// The error names a joint that does not exist.
    pub fn set_root(&mut self, joint: JointId) -> Result<(), SketchError> {
        self.edit(|figure| {
            figure.position(joint)?;
            figure.root = Some(joint);
            Ok(())
        })
    }

    /// Names a bone.
    ///
    /// # Errors
    /// The error names a bone that does not exist, or a name that is taken or cannot be that of a link.
    pub fn set_name(&mut self, bone: BoneId, name: &str) -> Result<(), SketchError> {
        self.edit(|figure| {
            figure.check_name(bone, name)?;
            let found = figure.bones.get_mut(&bone);
            found.ok_or(SketchError::NoBone(bone))?.name = name.to_owned();
            Ok(())
        })
    }

    /// Sets the ranges of a bone about its joint that is nearer to the root, and returns a warning where the middle one
    /// leaves ±85°.
    ///
    /// # Errors
    /// The error names a bone that does not exist, or a range that is reversed.
    pub fn set_articulation(
        &mut self,
        bone: BoneId,
        articulation: Articulation,
    ) -> Result<Option<String>, SketchError> {
        self.edit(|figure| {
            articulation.check()?;
            let found = figure.bones.get_mut(&bone);
            found.ok_or(SketchError::NoBone(bone))?.articulation = articulation;
            Ok(articulation.warning())
        })
    }

    /// Makes the joint of a bone a ready one.
    ///
    /// # Errors
    /// The error names a bone that does not exist.
    pub fn set_preset(&mut self, bone: BoneId, preset: Preset) -> Result<(), SketchError> {
        self.set_articulation(bone, preset.articulation()).map(drop)
    }

    /// Sets the semi-axes (metres), exponents and tapers of a body.
    ///
    /// # Errors
    /// The error names a hitbox that does not exist, or the number that is out of its domain.
    pub fn set_shape(
        &mut self,
        hitbox: HitboxId,
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        tapers: [f64; 2],
    ) -> Result<(), SketchError> {
        self.edit(|figure| {
            let found = figure.hitbox_mut(hitbox)?;
            *found = Hitbox {
                semi_axes,
                exponents,
                tapers,
                ..*found
            };
            Ok(found.shape().map(drop)?)
        })
    }

    /// Turns, scales and shifts a body in a view.
    ///
    /// # Errors
    /// The error names a hitbox that does not exist, or a number that is not finite.
    pub fn touch(
        &mut self,
        view: &View,
        hitbox: HitboxId,
        touch: &Touch,
    ) -> Result<(), SketchError> {
        if !view.is_valid() {
            return Err(SketchError::View);
        }
        self.edit(|figure| figure.touch_hitbox(view, hitbox, touch))
    }
}

fn checked(view: &View, point: [f64; 2]) -> Result<Point2<f64>, SketchError> {
    if !view.is_valid() {
        return Err(SketchError::View);
    }
    check(point, 0).map_err(|error: StrokeError| SketchError::from(error))?;
    Ok(Point2::from(point))
}
