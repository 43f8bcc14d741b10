//! A figure as COLLADA 1.4.1: a node for every bone within that of its parent, and in it the bodies, a geometry each.
//! Numbers have the fewest digits that read back to the same double.

use crate::error::SketchError;
use crate::export::meshes::segments_of;
use crate::figure::Figure;
use crate::key::HitboxId;
use crate::kinematics::{Angles, Branch};
use nalgebra::Isometry3;
use std::collections::BTreeMap;
use std::fmt::Write;
use superovoid::TriangleMesh;

/// Returns the bodies of a figure in a pose as a COLLADA document, in metres with z up.
///
/// # Errors
/// The error names a number of segments that is 0 or too large, a bone that does not exist, or angles that are not finite.
pub fn to_collada(
    figure: &Figure,
    angles: &Angles,
    segments: usize,
) -> Result<String, SketchError> {
    let segments = segments_of(segments)?;
    let mut text = String::from(HEAD);
    text.push_str("  <library_geometries>\n");
    for (&id, hitbox) in figure.hitboxes() {
        geometry(&mut text, id, &hitbox.shape()?.tessellate(segments));
    }
    text.push_str("  </library_geometries>\n  <library_visual_scenes>\n");
    text.push_str("    <visual_scene id=\"scene\" name=\"figure\">\n");
    let branches = figure.branches();
    let poses = figure.forward_kinematics(angles)?;
    // A branch ends where the next one's parent is not it; the open ones are a stack.
    let mut open: Vec<Branch> = Vec::new();
    for branch in in_depth(&branches) {
        while open.last().map(|last| last.bone) != branch.parent && open.pop().is_some() {
            text.push_str("</node>\n");
        }
        let pose = match branch.parent {
            Some(parent) => poses[&parent].inverse() * poses[&branch.bone],
            None => poses[&branch.bone],
        };
        let name = &figure.bone(branch.bone)?.name;
        let _ = writeln!(text, "<node id=\"bone-{}\" name=\"{name}\">", branch.bone.0);
        matrix(&mut text, &pose);
        let rest = figure.rest(&branch)?;
        let own = figure.hitboxes().iter();
        for (id, hitbox) in own.filter(|(_, hitbox)| hitbox.bone == branch.bone) {
            let _ = writeln!(text, "<node id=\"body-{}\">", id.0);
            matrix(&mut text, &(rest.inverse() * hitbox.pose()));
            let _ = writeln!(text, "<instance_geometry url=\"#mesh-{}\"/>\n</node>", id.0);
        }
        open.push(branch);
    }
    open.iter().for_each(|_| text.push_str("</node>\n"));
    text.push_str("    </visual_scene>\n  </library_visual_scenes>\n");
    text.push_str("  <scene><instance_visual_scene url=\"#scene\"/></scene>\n</COLLADA>\n");
    Ok(text)
}

const HEAD: &str = r#"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset>
    <created>1970-01-01T00:00:00Z</created>
    <modified>1970-01-01T00:00:00Z</modified>
    <unit name="meter" meter="1"/>
    <up_axis>Z_UP</up_axis>
  </asset>
"#;

/// Returns the branches with all that hangs on one right behind it.
fn in_depth(branches: &[Branch]) -> Vec<Branch> {
    let mut children: BTreeMap<_, Vec<Branch>> = BTreeMap::new();
    for &branch in branches {
        children.entry(branch.parent).or_default().push(branch);
    }
    let mut open: Vec<Branch> = children.remove(&None).unwrap_or_default();
    open.reverse();
    let mut ordered = Vec::new();
    while let Some(branch) = open.pop() {
        ordered.push(branch);
        let next = children.remove(&Some(branch.bone)).unwrap_or_default();
        open.extend(next.into_iter().rev());
    }
    ordered
}

fn matrix(text: &mut String, pose: &Isometry3<f64>) {
    let m = pose.to_homogeneous();
    // By rows.
    let words: Vec<String> = m.transpose().iter().map(|x| format!("{x:?}")).collect();
    let _ = writeln!(text, "<matrix>{}</matrix>", words.join(" "));
}

fn geometry(text: &mut String, id: HitboxId, mesh: &TriangleMesh) {
    let id = id.0;
    let coordinates: Vec<String> = mesh
        .vertices
        .iter()
        .flat_map(|v| v.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>())
        .collect();
    let corners: Vec<String> = mesh
        .triangles
        .iter()
        .flatten()
        .map(u32::to_string)
        .collect();
    let _ = write!(
        text,
        r##"    <geometry id="mesh-{id}"><mesh>
      <source id="mesh-{id}-positions">
        <float_array id="mesh-{id}-array" count="{}">{}</float_array>
        <technique_common><accessor source="#mesh-{id}-array" count="{}" stride="3">
          <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/>
        </accessor></technique_common>
      </source>
      <vertices id="mesh-{id}-vertices"><input semantic="POSITION" source="#mesh-{id}-positions"/></vertices>
      <triangles count="{}"><input semantic="VERTEX" source="#mesh-{id}-vertices" offset="0"/><p>{}</p></triangles>
    </mesh></geometry>
"##,
        coordinates.len(),
        coordinates.join(" "),
        mesh.vertices.len(),
        mesh.triangles.len(),
        corners.join(" "),
    );
}
