//! Limbs: bones that move as one, the bodies that carry them, and what they weigh.

use crate::error::SketchError;
use crate::figure::Figure;
use crate::key::{BoneId, JointId};
use crate::kinematics::Branch;
use crate::ragdoll::parts::Part;
use std::collections::BTreeMap;

/// The least mass of a limb between others, in parts of the heaviest of them: where bodies were drawn, and where none were.
/// Joints of bodies that are lighter by far do not hold.
const LEAST_MASS: [f64; 2] = [0.1, 1.5];

/// The bones that move as one, and the body that carries each.
pub(super) struct Limbs {
    /// For each bone, the one by which its limb is known.
    pub limb: BTreeMap<BoneId, BoneId>,
    /// For each limb, its heaviest body, and the mass of all.
    carriers: BTreeMap<BoneId, (usize, f64)>,
    /// For each root, the limb that is its base.
    pub bases: BTreeMap<JointId, BoneId>,
}

impl Limbs {
    pub fn new(figure: &Figure, parts: &[Part]) -> Result<Limbs, SketchError> {
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
    pub fn carrier(&self, bone: BoneId) -> usize {
        self.carriers[&self.limb[&bone]].0
    }

    /// Makes limbs heavier that would be too light between others.
    pub fn weigh(&self, figure: &Figure, parts: &mut [Part]) {
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
    pub fn mass(&self, bone: BoneId) -> f64 {
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
