//! Bodies from ellipses, and what two fingers do to them.
//!
//! An ellipse that is drawn over a bone becomes a superellipsoid whose z axis, along which tapers act, is the ellipse's
//! longer axis; x is the shorter one and y points at the viewer, with the shorter semi-axis as well. Over a bone means that
//! the bone, as seen in the view, meets the ellipse. Of several bones the nearest counts, by the distance in which the
//! ellipse is the unit circle, and of nearly equally near ones the one in front; the centre takes the depth of the bone's nearest point.

use crate::ellipse::Ellipse;
use crate::error::SketchError;
use crate::figure::{Figure, Hitbox};
use crate::key::{BoneId, HitboxId};
use crate::view::{View, pick};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Translation3, Unit, UnitQuaternion};

/// The difference of distances that a hand does not mean; the ellipse's radius is 1.
const SLACK: f64 = 0.1;

/// What two fingers do to a body in a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The shift to the right and upwards, in parts of the view.
    pub shift: [f64; 2],
    /// The turn, counter-clockwise, radians.
    pub turn: f64,
    /// The factor of all semi-axes.
    pub scale: f64,
}

impl Default for Touch {
    fn default() -> Self {
        Touch {
            shift: [0.0; 2],
            turn: 0.0,
            scale: 1.0,
        }
    }
}

impl Figure {
    pub(crate) fn add_ellipse(
        &mut self,
        view: &View,
        ellipse: &Ellipse,
    ) -> Result<HitboxId, SketchError> {
        let (bone, depth) = self.bone_under(view, ellipse)?;
        let [right, up, toward] = view.face.axes();
        let (s, c) = ellipse.angle.sin_cos();
        let long = right * c + up * s;
        let short = up * c - right * s;
        // Right-handed: long × short = towards the viewer, so short × towards = long.
        let axes = Matrix3::from_columns(&[short, toward, long]);
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
        let center = view.to_space(ellipse.center, depth);
        Self::check_position(center)?;
        let [long, short] = ellipse.semi_axes.map(|a| a * view.extent);
        let mut hitbox = Hitbox {
            bone,
            center: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
            semi_axes: [short, short, long],
            exponents: [1.0; 2],
            tapers: [0.0; 2],
        };
        hitbox.set_pose(&Isometry3::from_parts(center.into(), rotation));
        hitbox.shape()?;
        let id = HitboxId(self.key()?);
        self.hitboxes.insert(id, hitbox);
        Ok(id)
    }

    /// The bone that an ellipse is drawn over, and the depth of its nearest point.
    fn bone_under(&self, view: &View, ellipse: &Ellipse) -> Result<(BoneId, f64), SketchError> {
        let mut found = Vec::new();
        for &bone in self.bones.keys() {
            let [from, to] = self.ends(bone)?;
            let [a, b] = [from, to].map(|end| ellipse.local(view.to_pane(end)));
            let along = b - a;
            let t = if along.norm_squared() > 0.0 {
                (-a.dot(&along) / along.norm_squared()).clamp(0.0, 1.0)
            } else {
                0.5
            };
            let point = from + (to - from) * t;
            found.push(((a + along * t).norm(), view.depth(point), (bone, point)));
        }
        let picked = pick(&found, SLACK, view.level());
        let (distance, (bone, point)) = picked.ok_or(SketchError::NoBones)?;
        if distance > 1.0 {
            let apart = (view.to_pane(point) - ellipse.center).norm() * view.extent;
            return Err(SketchError::FarFromBones {
                name: self.bone(bone)?.name.clone(),
                distance: apart,
            });
        }
        Ok((bone, view.depth(point)))
    }

    pub(crate) fn touch_hitbox(
        &mut self,
        view: &View,
        hitbox: HitboxId,
        touch: &Touch,
    ) -> Result<(), SketchError> {
        let numbers = [touch.shift[0], touch.shift[1], touch.turn, touch.scale];
        if numbers.iter().any(|x| !x.is_finite()) || touch.scale <= 0.0 {
            return Err(SketchError::Number("touch: shift, turn and scale"));
        }
        let [right, up, toward] = view.face.axes();
        let hitbox = self.hitbox_mut(hitbox)?;
        let pose = hitbox.pose();
        let [x, y] = touch.shift.map(|s| s * view.extent);
        let center = Point3::from(pose.translation.vector + right * x + up * y);
        Self::check_position(center)?;
        let turn = UnitQuaternion::from_axis_angle(&Unit::new_unchecked(toward), touch.turn);
        hitbox.set_pose(&Isometry3::from_parts(
            Translation3::from(center),
            turn * pose.rotation,
        ));
        hitbox.semi_axes = hitbox.semi_axes.map(|a| a * touch.scale);
        hitbox.shape()?;
        Ok(())
    }
}
