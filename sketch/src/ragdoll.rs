//! A figure as a scene of the simulation: a ragdoll that falls, or a doll on a stand.
//!
//! Every hitbox is a body of water's density, at the angles nearest to zero that the ranges allow; a bone without hitboxes is a
//! thin body along it. A bone that does not turn and the bone before it are one limb. The heaviest body of a limb carries it:
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

use crate::error::SketchError;
use crate::export::urdf::UrdfOptions;
use crate::figure::Figure;
use crate::key::{BoneId, HitboxId, JointId};
use crate::kinematics::{Angles, Branch};
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::FRAC_PI_2;
use superovoid::{QueryOptions, Superovoid, contact};
use superovoid_sim::scene::{Body, Joint, JointKind, Material, Motion, Scene, Settings, Shape};

/// The half width of a bone without hitboxes, in parts of its length.
const THIN: f64 = 0.25;
/// The skin of contact, in parts of the figure's size; at most that of other scenes.
const SKIN: f64 = 3e-3;
/// The time in which a joint loses its speed, seconds.
const SLOWING: f64 = 0.15;
/// The least mass of a limb between others, in parts of the heaviest of them: where bodies were drawn, and where none were.
/// Joints of bodies that are lighter by far do not hold.
const LEAST_MASS: [f64; 2] = [0.1, 1.5];
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

/// A body of a bone.
struct Part {
    name: String,
    bone: BoneId,
    shape: Superovoid,
    pose: Isometry3<f64>,
    /// Whether it was drawn.
    drawn: bool,
    /// The density, kg/m³, and the mass.
    density: f64,
    mass: f64,
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

    fn body(&self) -> Body {
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

    fn lowest(&self) -> f64 {
        self.shape.aabb(&self.pose).min.z
    }
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

/// The bodies in the order of their bones, at the given angles.
fn parts(figure: &Figure, angles: &Angles) -> Result<Vec<Part>, SketchError> {
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
            let thin = 2.0 * THIN * half;
            let shape = Superovoid::new([thin, thin, half], [1.0; 2], [0.0; 2])?;
            // The bone runs along x of its frame, and the body along z of its own.
            let along = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), FRAC_PI_2);
            let at = Isometry3::from_parts(Translation3::new(half, 0.0, 0.0), along);
            parts.push(Part::new(bone, None, shape, poses[&bone] * at));
        }
    }
    Ok(parts)
}

/// The edges of the box of all bodies.
fn size(parts: &[Part]) -> Vector3<f64> {
    let far = Point3::from([f64::INFINITY; 3]);
    let boxes = parts.iter().map(|part| part.shape.aabb(&part.pose));
    let (min, max) = boxes.fold((far, -far), |(min, max), found| {
        (min.inf(&found.min), max.sup(&found.max))
    });
    max - min
}

/// The bones that move as one, and the body that carries each.
struct Limbs {
    /// For each bone, the one by which its limb is known.
    limb: BTreeMap<BoneId, BoneId>,
    /// For each limb, its heaviest body, and the mass of all.
    carriers: BTreeMap<BoneId, (usize, f64)>,
    /// For each root, the limb that is its base.
    bases: BTreeMap<JointId, BoneId>,
}

impl Limbs {
    fn new(figure: &Figure, parts: &[Part]) -> Result<Limbs, SketchError> {
        let branches = figure.branches();
        let bases = bases(figure, &branches, parts)?;
        let mut limb = BTreeMap::new();
        for branch in &branches {
            let before = branch.parent.unwrap_or_else(|| bases[&branch.near]);
            // A base comes before the other rigid bones of its root.
            let joined = before != branch.bone && is_rigid(figure, branch.bone)?;
            let own = if joined {
                limb.get(&before).copied()
            } else {
                None
            };
            limb.insert(branch.bone, own.unwrap_or(branch.bone));
        }
        let mut carriers = BTreeMap::new();
        for (k, part) in parts.iter().enumerate() {
            let (carrier, mass) = carriers.entry(limb[&part.bone]).or_insert((k, 0.0));
            if part.mass > parts[*carrier].mass {
                *carrier = k;
            }
            *mass += part.mass;
        }
        Ok(Limbs {
            limb,
            carriers,
            bases,
        })
    }

    /// The body that carries a bone.
    fn carrier(&self, bone: BoneId) -> usize {
        self.carriers[&self.limb[&bone]].0
    }

    /// Makes limbs heavier that would be too light between others.
    fn weigh(&self, figure: &Figure, parts: &mut [Part]) {
        let mut beside: BTreeMap<BoneId, Vec<f64>> = BTreeMap::new();
        for branch in figure.branches() {
            let before = branch.parent.unwrap_or_else(|| self.bases[&branch.near]);
            let [one, other] = [self.limb[&before], self.limb[&branch.bone]];
            if one != other {
                beside.entry(one).or_default().push(self.mass(other));
                beside.entry(other).or_default().push(self.mass(one));
            }
        }
        for (limb, others) in beside.iter().filter(|(_, others)| others.len() > 1) {
            let own = |part: &&mut Part| self.limb[&part.bone] == *limb;
            let drawn = parts.iter_mut().filter(own).any(|part| part.drawn);
            let least =
                LEAST_MASS[usize::from(!drawn)] * others.iter().fold(0.0, |m: f64, x| m.max(*x));
            let factor = (least / self.mass(*limb)).max(1.0);
            for part in parts.iter_mut().filter(own) {
                part.density *= factor;
                part.mass *= factor;
            }
        }
    }

    /// The mass of all that moves with a bone, as drawn.
    fn mass(&self, bone: BoneId) -> f64 {
        self.carriers[&self.limb[&bone]].1
    }
}

fn is_rigid(figure: &Figure, bone: BoneId) -> Result<bool, SketchError> {
    let ranges = figure.bone(bone)?.articulation.ranges;
    Ok(ranges.iter().all(|[low, high]| low == high))
}

/// For each root, the first of its bones that does not turn, and where all turn the heaviest.
fn bases(
    figure: &Figure,
    branches: &[Branch],
    parts: &[Part],
) -> Result<BTreeMap<JointId, BoneId>, SketchError> {
    let mut found: BTreeMap<JointId, (bool, f64, BoneId)> = BTreeMap::new();
    for branch in branches.iter().filter(|branch| branch.parent.is_none()) {
        let own = parts.iter().filter(|part| part.bone == branch.bone);
        let rigid = is_rigid(figure, branch.bone)?;
        let tried = (rigid, own.map(|part| part.mass).sum(), branch.bone);
        let best = found.entry(branch.near).or_insert(tried);
        if !best.0 && (rigid || tried.1 > best.1) {
            *best = tried;
        }
    }
    Ok(found
        .into_iter()
        .map(|(root, (_, _, bone))| (root, bone))
        .collect())
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
