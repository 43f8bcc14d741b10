//! The pairs of bones that share a joint, as an SRDF file.
//!
//! Bodies overlap about the joint that two bones share. Of a parent and its child a reader of URDF knows that they are
//! joined; of two children of one bone, or two bones at the root, it does not.

use crate::figure::Figure;
use crate::key::{BoneId, JointId};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Returns the SRDF text of a robot of this name: of every two bones with bodies that share a joint no collision counts.
/// The name has to be that of the URDF.
pub fn to_srdf(figure: &Figure, name: &str) -> String {
    let with_bodies: BTreeSet<BoneId> = figure.hitboxes().values().map(|b| b.bone).collect();
    let at = |joint: JointId| {
        let bones = figure.bones_at(joint).map(|(bone, _)| bone);
        bones.filter(|bone| with_bodies.contains(bone))
    };
    let mut text = format!("<robot name=\"{}\">\n", escaped(name));
    for &joint in figure.joints().keys() {
        let bones: Vec<&str> = at(joint).map(|bone| &*figure.bones()[&bone].name).collect();
        for (k, a) in bones.iter().enumerate() {
            for b in &bones[k + 1..] {
                // Writing to a string does not fail.
                let _ = writeln!(
                    text,
                    "  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"Adjacent\"/>"
                );
            }
        }
    }
    text + "</robot>\n"
}

/// Names of bones have no such characters; that of the robot may.
fn escaped(name: &str) -> String {
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    name.replace('"', "&quot;")
}
