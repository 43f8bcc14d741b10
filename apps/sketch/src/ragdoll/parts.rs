//! The bodies of a figure that moves: its hitboxes, and a body along a bone without.

use crate::error::SketchError;
use crate::export::urdf::UrdfOptions;
use crate::figure::Figure;
use crate::key::{BoneId, HitboxId};
use crate::kinematics::Angles;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;
use superovoid::Superovoid;
use superovoid_sim::scene::{Body, Motion, Shape};

/// The half width of a bone without hitboxes, in parts of its length.
const HALF_WIDTH: f64 = 0.25;

/// A body of a bone.
pub(super) struct Part {
    pub name: String,
    pub bone: BoneId,
    pub shape: Superovoid,
    pub pose: Isometry3<f64>,
    /// Whether it was drawn.
    pub drawn: bool,
    /// The density, kg/m³, and the mass.
    pub density: f64,
    pub mass: f64,
}

impl Part {
    fn new(
        bone: BoneId,
        hitbox: Option<HitboxId>,
        shape: Superovoid,
        pose: Isometry3<f64>,
    ) -> Part {
        let density = UrdfOptions::default().density;
        let name = match hitbox {
            Some(id) => format!("hitbox {}", id.0),
            None => format!("bone {}", bone.0),
        };
        Part {
            name,
            bone,
            shape,
            pose,
            drawn: hitbox.is_some(),
            density,
            mass: density * shape.mass_properties().volume,
        }
    }

    pub fn body(&self) -> Body {
        let q = self.pose.rotation.quaternion();
        Body {
            name: self.name.clone(),
            shape: Shape::Superovoid {
                semi_axes: self.shape.semi_axes(),
                exponents: self.shape.exponents(),
                tapers: self.shape.tapers(),
            },
            position: self.pose.translation.vector.into(),
            orientation: [q.w, q.i, q.j, q.k],
            motion: Motion::Dynamic {
                density: self.density,
                velocity: [0.0; 3],
                angular_velocity: [0.0; 3],
            },
            material: 0,
        }
    }

    pub fn lowest(&self) -> f64 {
        self.shape.aabb(&self.pose).min.z
    }
}

/// The bodies in the order of their bones, at the given angles.
pub(super) fn parts(figure: &Figure, angles: &Angles) -> Result<Vec<Part>, SketchError> {
    let poses = figure.forward_kinematics(angles)?;
    let motions = figure.motions(angles)?;
    let mut parts = Vec::new();
    for &bone in figure.bones().keys() {
        let own = figure.hitboxes().iter();
        let before = parts.len();
        for (id, hitbox) in own.filter(|(_, hitbox)| hitbox.bone == bone) {
            let pose = motions[&bone] * hitbox.pose();
            parts.push(Part::new(bone, Some(*id), hitbox.shape()?, pose));
        }
        if parts.len() == before {
            let [from, to] = figure.ends(bone)?;
            let half = 0.5 * (to - from).norm();
            let wide = 2.0 * HALF_WIDTH * half;
            let shape = Superovoid::new([wide, wide, half], [1.0; 2], [0.0; 2])?;
            // The bone runs along x of its frame, and the body along z of its own.
            let along = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), FRAC_PI_2);
            let at = Isometry3::from_parts(Translation3::new(half, 0.0, 0.0), along);
            parts.push(Part::new(bone, None, shape, poses[&bone] * at));
        }
    }
    Ok(parts)
}

/// The edges of the box of all bodies.
pub(super) fn size(parts: &[Part]) -> Vector3<f64> {
    let far = Point3::from([f64::INFINITY; 3]);
    let boxes = parts.iter().map(|part| part.shape.aabb(&part.pose));
    let (min, max) = boxes.fold((far, -far), |(min, max), found| {
        (min.inf(&found.min), max.sup(&found.max))
    });
    max - min
}
