//! A figure as a scene of the simulation: a ragdoll that falls, or a doll on a stand.
//!
//! Every hitbox is a body of water's density, at the angles nearest to zero that the ranges allow; a bone without hitboxes is a
//! body along it, half as wide as long. A bone that does not turn and the bone before it are one limb. The heaviest body of a limb carries it:
//! the others are fixed to that one, so that no light body has to hold heavy ones, and the limb is joined to the one before it by
//! a gimbal with the ranges of its bone. In the robot the bones at a root hang on a base without mass; here those of them
//! that do not turn are the base, and where all turn the heaviest one.
//!
//! A limb between heavier ones weighs at least a tenth of the heaviest, and one in which no body was drawn, such as a pelvis of
//! two bones, half as much again as it: it stands for what was not drawn, and joints of light bodies between heavy ones give
//! way.
//!
//! With gravity the figure is free, above a floor at its lowest point. Without gravity there is no floor, and the base is
//! fixed to the world, so that what is pulled bends and the figure does not drift away.
//!
//! Bodies of one limb, of bones with a common joint, and those that overlap at the start do not touch.

mod limbs;
mod parts;

use crate::error::SketchError;
use crate::figure::Figure;
use crate::key::{BoneId, JointId};
use crate::kinematics::Angles;
use crate::ragdoll::limbs::Limbs;
use crate::ragdoll::parts::{Part, parts, size};
use nalgebra::{Isometry3, Vector3};
use std::collections::{BTreeMap, BTreeSet};
use superovoid::{QueryOptions, contact};
use superovoid_sim::scene::{Body, Joint, JointKind, Material, Motion, Scene, Settings, Shape};

/// The skin of contact, in parts of the figure's size; at most that of other scenes.
const SKIN: f64 = 3e-3;
/// The time in which a joint loses its speed, seconds.
const SLOWING: f64 = 0.15;
/// The substeps of a frame.
const SUBSTEPS: u32 = 30;

/// Returns the scene of a figure, with gravity or without. Its bodies are named `hitbox N`, `bone N` for a bone without
/// hitboxes, and `floor`; its joints have the names of their bones.
///
/// # Errors
/// The error says that the figure has no bones.
pub fn to_scene(figure: &Figure, gravity: bool) -> Result<Scene, SketchError> {
    if figure.bones().is_empty() {
        return Err(SketchError::NoBonesToMove);
    }
    let angles = figure.neutral();
    let mut parts = parts(figure, &angles)?;
    let limbs = Limbs::new(figure, &parts)?;
    limbs.weigh(figure, &mut parts);
    let size = size(&parts);
    let mut settings = Settings {
        substeps: SUBSTEPS,
        ..Settings::default()
    };
    settings.skin = settings.skin.min(SKIN * size.norm());
    if !gravity {
        settings.gravity = [0.0; 3];
    }
    let mut bodies: Vec<Body> = parts.iter().map(Part::body).collect();
    if gravity {
        let lowest = parts.iter().map(|part| part.lowest());
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        bodies.push(floor(lowest - settings.skin));
    }
    Ok(Scene {
        name: "figure".to_owned(),
        materials: vec![Material {
            static_friction: 0.6,
            kinetic_friction: 0.5,
            ..Material::default()
        }],
        bodies,
        joints: joints(figure, &angles, &parts, &limbs, gravity)?,
        excluded_pairs: excluded(figure, &parts, &limbs, settings.skin),
        settings,
        ..Scene::default()
    })
}

fn floor(z: f64) -> Body {
    Body {
        name: "floor".to_owned(),
        shape: Shape::HalfSpace,
        position: [0.0, 0.0, z],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    }
}

fn joints(
    figure: &Figure,
    angles: &Angles,
    parts: &[Part],
    limbs: &Limbs,
    gravity: bool,
) -> Result<Vec<Joint>, SketchError> {
    let poses = figure.forward_kinematics(angles)?;
    let mut joints = Vec::new();
    for branch in &figure.branches() {
        let bone = figure.bone(branch.bone)?;
        let at = poses[&branch.bone];
        let before = branch.parent.unwrap_or_else(|| limbs.bases[&branch.near]);
        let child = limbs.carrier(branch.bone);
        let joint = |parent, child, anchor: Vector3<f64>, kind| Joint {
            name: bone.name.clone(),
            parent,
            child,
            anchor: anchor.into(),
            compliance: 0.0,
            kind,
        };
        let place = at.translation.vector;
        if limbs.limb[&before] != limbs.limb[&branch.bone] {
            let [from, to] = figure.ends(branch.bone)?;
            let moment = limbs.mass(branch.bone) * (to - from).norm_squared() / 3.0;
            let kind = turning(bone.articulation.ranges, angles[&branch.bone], &at, moment);
            joints.push(joint(Some(limbs.carrier(before)), child, place, kind));
        } else if branch.parent.is_none() && before == branch.bone && !gravity {
            joints.push(joint(None, child, place, still()));
        }
        for (k, part) in parts.iter().enumerate() {
            if part.bone == branch.bone && k != child {
                let place = part.pose.translation.vector;
                joints.push(joint(Some(child), k, place, still()));
            }
        }
    }
    Ok(joints)
}

/// The joint of a bone at a pose, whose moment of inertia about the joint is roughly as given.
fn turning(ranges: [[f64; 2]; 3], angles: [f64; 3], at: &Isometry3<f64>, moment: f64) -> JointKind {
    let frame = at.rotation * crate::joint::rotation(angles).inverse();
    let q = frame.quaternion();
    JointKind::Gimbal {
        frame: [q.w, q.i, q.j, q.k],
        start: angles,
        ranges,
        damping: moment / SLOWING,
    }
}

/// A joint that does not turn. As a gimbal its point and turn are corrected together, which holds better than one after the
/// other.
fn still() -> JointKind {
    JointKind::Gimbal {
        frame: [1.0, 0.0, 0.0, 0.0],
        start: [0.0; 3],
        ranges: [[0.0; 2]; 3],
        damping: 0.0,
    }
}

/// The pairs that do not touch.
fn excluded(figure: &Figure, parts: &[Part], limbs: &Limbs, skin: f64) -> Vec<[usize; 2]> {
    let mut ends: BTreeMap<BoneId, BTreeSet<JointId>> = BTreeMap::new();
    for (&id, bone) in figure.bones() {
        ends.insert(id, bone.joints.into_iter().collect());
    }
    let boxes: Vec<_> = parts
        .iter()
        .map(|part| part.shape.aabb(&part.pose))
        .collect();
    let mut pairs = Vec::new();
    for (k, a) in parts.iter().enumerate() {
        for (l, b) in parts.iter().enumerate().skip(k + 1) {
            let joined = limbs.limb[&a.bone] == limbs.limb[&b.bone]
                || !ends[&a.bone].is_disjoint(&ends[&b.bone]);
            if joined || (boxes[k].distance(&boxes[l]) < skin && overlap(a, b, skin)) {
                pairs.push([k, l]);
            }
        }
    }
    pairs
}

/// Whether two bodies overlap, or would be pushed apart from the start: contacts push below half the skin.
fn overlap(a: &Part, b: &Part, skin: f64) -> bool {
    let found = contact(
        &a.shape,
        &a.pose,
        &b.shape,
        &b.pose,
        &QueryOptions::default(),
        None,
    );
    // What cannot be told does not push either.
    found.map_or(true, |found| found.distance < 0.5 * skin)
}
