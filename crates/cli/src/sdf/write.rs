//! The text of SDF.
//!
//! URDF places a joint in its parent's frame, and the child's frame is that of the joint at zero. In SDF the pose of a
//! joint is `relative_to` its parent and that of the child `relative_to` the joint, so that no pose is computed. Roll,
//! pitch and yaw mean the same in both.

use super::Format;
use super::frames::{Frames, Place};
use super::names::Names;
use crate::export::options::Base;
use crate::export::xml::{Xml, numbers};
use crate::export::{Mass, Model, Part, Solid};
use anyhow::{Result, bail};
use std::collections::HashSet;
use superovoid_robot::{Joint, JointKind, Origin};

/// Returns the document; what SDF cannot say is among the notes.
///
/// # Errors
/// The error names a planar joint.
pub fn text(
    model: &mut Model,
    frames: &Frames,
    names: &Names,
    format: Format,
    friction: f64,
) -> Result<String> {
    let mut notes = Vec::new();
    let mut writer = Writer {
        model,
        frames,
        names,
        format,
        friction,
        xml: Xml::new(),
        notes: &mut notes,
    };
    writer.xml.open("sdf", &[("version", format.version())]);
    writer.xml.open("model", &[("name", model.robot.name())]);
    for link in 0..model.links.len() {
        writer.link(link);
    }
    writer.base();
    for joint in 0..model.robot.joints().len() {
        writer.joint(joint)?;
    }
    let text = writer.xml.finish();
    model.notes.append(&mut notes);
    Ok(text)
}

struct Writer<'w> {
    model: &'w Model<'w>,
    frames: &'w Frames,
    names: &'w Names,
    format: Format,
    friction: f64,
    xml: Xml,
    notes: &'w mut Vec<String>,
}

impl Writer<'_> {
    fn link(&mut self, index: usize) {
        let robot = self.model.robot;
        let name = &*robot.links()[index].name;
        match self.frames.places[index] {
            Place::World => {}
            Place::Frame(of) => {
                let of = &*robot.links()[of].name;
                self.xml
                    .open("frame", &[("name", name), ("attached_to", of)]);
                self.place(index);
                self.xml.close();
            }
            Place::Link => {
                self.xml.open("link", &[("name", name)]);
                self.place(index);
                let link = &self.model.links[index];
                if let Some(mass) = &link.mass {
                    inertial(&mut self.xml, mass);
                }
                let mut taken = HashSet::new();
                for part in &link.visuals {
                    self.part("visual", part, &mut taken);
                }
                for part in &link.collisions {
                    self.part("collision", part, &mut taken);
                }
                self.xml.close();
            }
        }
    }

    /// Writes where a link is: at the joint that moves it, or, where SDF has no such joint, in the frame of its parent.
    fn place(&mut self, index: usize) {
        let robot = self.model.robot;
        let Some(joint) = robot.parent_joint(index) else {
            pose(&mut self.xml, Some("__model__"), &Origin::default());
            return;
        };
        if self.is_written(joint) {
            let to = &self.names.joints[joint];
            pose(&mut self.xml, Some(to), &Origin::default());
        } else {
            let joint = &robot.joints()[joint];
            let parent = self.parent_frame(joint);
            pose(&mut self.xml, Some(parent), &joint.origin);
        }
    }

    /// Returns the frame of the parent. No pose of a model is relative to the world, where the model stands.
    fn parent_frame<'a>(&self, joint: &'a Joint) -> &'a str {
        match self.place_of(&joint.parent) {
            Place::World => "__model__",
            _ => &joint.parent,
        }
    }

    fn place_of(&self, link: &str) -> Place {
        let index = self.model.robot.link_index(link);
        index.map_or(Place::Link, |index| self.frames.places[index])
    }

    /// Whether a joint is there: none leads to a frame or from a frame to the link of that frame, and none is free.
    fn is_written(&self, index: usize) -> bool {
        let joint = &self.model.robot.joints()[index];
        let child = self.model.robot.link_index(&joint.child);
        match (joint.kind, self.place_of(&joint.parent)) {
            (JointKind::Floating, _) => false,
            (JointKind::Fixed, Place::Frame(of)) if Some(of) == child => false,
            (JointKind::Fixed, _) => self.place_of(&joint.child) == Place::Link,
            _ => true,
        }
    }

    /// Fixes the root to the world, where it is to be.
    fn base(&mut self) {
        let root = self.model.robot.root();
        if self.model.base == Base::Free || self.frames.places[root] == Place::World {
            return;
        }
        let child = &*self.model.robot.links()[root].name;
        let mut name = "fixed_to_world".to_owned();
        let is_taken = |name: &String| {
            self.names.joints.contains(name) || self.model.robot.link_index(name).is_some()
        };
        while is_taken(&name) {
            name.push('_');
        }
        let xml = &mut self.xml;
        xml.open("joint", &[("name", &name), ("type", "fixed")]);
        xml.value("parent", &[], "world");
        xml.value("child", &[], child);
        xml.close();
    }

    fn joint(&mut self, index: usize) -> Result<()> {
        let joint = &self.model.robot.joints()[index];
        let name = &*self.names.joints[index];
        let kind = match joint.kind {
            JointKind::Fixed => "fixed",
            JointKind::Revolute | JointKind::Continuous => "revolute",
            JointKind::Prismatic => "prismatic",
            JointKind::Floating => {
                let [name, child] = [&joint.name, &joint.child];
                self.notes.push(format!(
                    "joint {name:?}: SDF has no floating joint: link {child:?} is free"
                ));
                return Ok(());
            }
            JointKind::Planar => bail!("joint {:?}: SDF has no planar joint", joint.name),
        };
        if !self.is_written(index) {
            return Ok(());
        }
        self.xml.open("joint", &[("name", name), ("type", kind)]);
        let parent = self.parent_frame(joint);
        pose(&mut self.xml, Some(parent), &joint.origin);
        self.xml.value("parent", &[], &joint.parent);
        self.xml.value("child", &[], &joint.child);
        if joint.kind.has_one_freedom() {
            self.axis(index, joint);
        }
        self.xml.close();
        Ok(())
    }

    fn axis(&mut self, index: usize, joint: &Joint) {
        self.xml.open("axis", &[]);
        let axis = joint
            .unit_axis()
            .map_or(joint.axis, |axis| axis.into_inner().into());
        self.xml.value("xyz", &[], &numbers(&axis));
        self.mimic(index);
        self.xml.open("limit", &[]);
        // Without them there is no limit.
        if let Some([lower, upper]) = joint.range() {
            self.xml.value("lower", &[], &numbers(&[lower]));
            self.xml.value("upper", &[], &numbers(&[upper]));
        }
        let limit = joint.limit.unwrap_or_default();
        for (element, value) in [("effort", limit.effort), ("velocity", limit.velocity)] {
            if let Some(value) = value {
                self.xml.value(element, &[], &numbers(&[value]));
            }
        }
        self.xml.close();
        if let Some(dynamics) = &joint.dynamics {
            self.xml.open("dynamics", &[]);
            self.xml
                .value("damping", &[], &numbers(&[dynamics.damping]));
            self.xml
                .value("friction", &[], &numbers(&[dynamics.friction]));
            self.xml.close();
        }
        self.xml.close();
    }

    /// In SDF `position = multiplier (position of the other − reference) + offset`.
    fn mimic(&mut self, index: usize) {
        let Some((source, multiplier, offset)) = self.model.robot.follows(index) else {
            return;
        };
        if self.format == Format::V1_9 {
            let name = &self.model.robot.joints()[index].name;
            self.notes.push(format!(
                "joint {name:?} follows no other: SDF 1.9 has no joints that mimic"
            ));
            return;
        }
        let source = &*self.names.joints[source];
        self.xml.open("mimic", &[("joint", source)]);
        self.xml.value("multiplier", &[], &numbers(&[multiplier]));
        self.xml.value("offset", &[], &numbers(&[offset]));
        self.xml.value("reference", &[], "0");
        self.xml.close();
    }

    /// Writes a visual or a collision. Its name is its own where it can be, because no two parts of a link share one.
    fn part(&mut self, element: &'static str, part: &Part, taken: &mut HashSet<String>) {
        let usable = |name: &&String| {
            !name.trim().is_empty()
                && !name.contains("::")
                && !name.starts_with("__")
                && *name != "world"
                && !taken.contains(*name)
        };
        let numbered = || {
            let mut names = (1..).map(|k| format!("{element}_{k}"));
            names.find(|name| !taken.contains(name)).unwrap_or_default()
        };
        let name = part.name.as_ref().filter(usable).cloned();
        let name = name.unwrap_or_else(numbered);
        let xml = &mut self.xml;
        xml.open(element, &[("name", &name)]);
        taken.insert(name);
        pose(xml, None, &part.origin);
        xml.open("geometry", &[]);
        geometry(xml, &part.solid);
        xml.close();
        if element == "collision" {
            surface(xml, self.friction);
        }
        if let Some(color) = part.color {
            let color = numbers(&color);
            xml.open("material", &[]);
            xml.value("ambient", &[], &color);
            xml.value("diffuse", &[], &color);
            xml.close();
        }
        xml.close();
    }
}

fn pose(xml: &mut Xml, relative_to: Option<&str>, origin: &Origin) {
    let [[x, y, z], [roll, pitch, yaw]] = [origin.xyz, origin.rpy];
    let values = numbers(&[x, y, z, roll, pitch, yaw]);
    match relative_to {
        Some(frame) => xml.value("pose", &[("relative_to", frame)], &values),
        None => xml.value("pose", &[], &values),
    }
}

fn inertial(xml: &mut Xml, mass: &Mass) {
    xml.open("inertial", &[]);
    let origin = Origin {
        xyz: mass.center.into(),
        rpy: [0.0; 3],
    };
    pose(xml, None, &origin);
    xml.value("mass", &[], &numbers(&[mass.mass]));
    xml.open("inertia", &[]);
    let moments = [
        ("ixx", 0, 0),
        ("ixy", 0, 1),
        ("ixz", 0, 2),
        ("iyy", 1, 1),
        ("iyz", 1, 2),
        ("izz", 2, 2),
    ];
    for (element, i, j) in moments {
        xml.value(element, &[], &numbers(&[mass.inertia[(i, j)]]));
    }
    xml.close();
    xml.close();
}

fn geometry(xml: &mut Xml, solid: &Solid) {
    let round = |xml: &mut Xml, element, radius, length| {
        xml.open(element, &[]);
        xml.value("radius", &[], &numbers(&[radius]));
        xml.value("length", &[], &numbers(&[length]));
        xml.close();
    };
    match solid {
        Solid::Sphere { radius } => {
            xml.open("sphere", &[]);
            xml.value("radius", &[], &numbers(&[*radius]));
            xml.close();
        }
        Solid::Ellipsoid { radii } => {
            xml.open("ellipsoid", &[]);
            xml.value("radii", &[], &numbers(radii));
            xml.close();
        }
        Solid::Box { size } => {
            xml.open("box", &[]);
            xml.value("size", &[], &numbers(size));
            xml.close();
        }
        Solid::Cylinder { radius, length } => round(xml, "cylinder", *radius, *length),
        Solid::Capsule { radius, length } => round(xml, "capsule", *radius, *length),
        Solid::Mesh { address, scale } => {
            xml.open("mesh", &[]);
            xml.value("uri", &[], address);
            if *scale != [1.0; 3] {
                xml.value("scale", &[], &numbers(scale));
            }
            xml.close();
        }
    }
}

/// Writes the friction, in the words of ODE, which Gazebo's other engines read too.
fn surface(xml: &mut Xml, friction: f64) {
    xml.open("surface", &[]);
    xml.open("friction", &[]);
    xml.open("ode", &[]);
    xml.value("mu", &[], &numbers(&[friction]));
    xml.value("mu2", &[], &numbers(&[friction]));
    xml.close();
    xml.close();
    xml.close();
}
