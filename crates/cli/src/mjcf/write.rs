//! The text of MJCF.
//!
//! A body stands in its parent where URDF has the joint's origin, and its joints are at its origin, so that the numbers
//! are those of URDF; orientations are quaternions. A rotation is written as w, x, y, z.

use crate::export::options::Base;
use crate::export::xml::{Xml, numbers};
use crate::export::{Mass, Model, Part, Solid};
use nalgebra::{UnitQuaternion, Vector3};
use std::collections::{BTreeMap, BTreeSet};
use superovoid_robot::{Joint, JointKind, Origin};

/// Returns the document.
pub fn text(model: &Model, excluded: &BTreeSet<[usize; 2]>, friction: f64) -> String {
    let mut xml = Xml::new();
    xml.open("mujoco", &[("model", model.robot.name())]);
    xml.leaf(
        "compiler",
        &[
            ("angle", "radian"),
            ("autolimits", "true"),
            ("inertiafromgeom", "false"),
        ],
    );
    defaults(&mut xml, friction);
    let meshes = assets(&mut xml, model);
    xml.open("worldbody", &[]);
    Bodies::new(model, &meshes).write(&mut xml);
    xml.close();
    contacts(&mut xml, model, excluded);
    equalities(&mut xml, model);
    xml.finish()
}

fn defaults(xml: &mut Xml, friction: f64) {
    xml.open("default", &[]);
    xml.open("default", &[("class", "visual")]);
    xml.leaf(
        "geom",
        &[("group", "2"), ("contype", "0"), ("conaffinity", "0")],
    );
    xml.close();
    xml.open("default", &[("class", "collision")]);
    // Sliding; MuJoCo's own values for torsion and rolling.
    let friction = numbers(&[friction, 0.005, 0.0001]);
    xml.leaf("geom", &[("group", "3"), ("friction", &friction)]);
    xml.close();
    xml.close();
}

/// Writes the meshes, and returns their names by address.
fn assets<'m>(xml: &mut Xml, model: &'m Model) -> BTreeMap<&'m str, String> {
    let links = model.links.iter();
    let parts = links.flat_map(|link| link.visuals.iter().chain(&link.collisions));
    let mut names = BTreeMap::new();
    for part in parts {
        if let Solid::Mesh { address, .. } = &part.solid {
            let file = address.rsplit('/').next().unwrap_or(address);
            let name = file.rsplit_once('.').map_or(file, |(name, _)| name);
            names.insert(&**address, name.to_owned());
        }
    }
    if names.is_empty() {
        return names;
    }
    xml.open("asset", &[]);
    for (address, name) in &names {
        // The mesh's own inertia is not used; that of its hull exists for open meshes too.
        let attributes = [("name", &**name), ("file", address), ("inertia", "convex")];
        xml.leaf("mesh", &attributes);
    }
    xml.close();
    names
}

struct Bodies<'b> {
    model: &'b Model<'b>,
    meshes: &'b BTreeMap<&'b str, String>,
    /// The joints that lead away from each link.
    below: Vec<Vec<usize>>,
}

/// What is to be written next: depth without recursion.
enum Step {
    Open(usize),
    Close,
}

impl<'b> Bodies<'b> {
    fn new(model: &'b Model<'b>, meshes: &'b BTreeMap<&'b str, String>) -> Self {
        let robot = model.robot;
        let mut below = vec![Vec::new(); model.links.len()];
        for (index, joint) in robot.joints().iter().enumerate() {
            if let Some(parent) = robot.link_index(&joint.parent) {
                below[parent].push(index);
            }
        }
        Bodies {
            model,
            meshes,
            below,
        }
    }

    fn write(&self, xml: &mut Xml) {
        let root = self.model.robot.root();
        let mut steps = Vec::new();
        if self.model.root_is_world() {
            self.children(root, &mut steps);
        } else {
            steps.push(Step::Open(root));
        }
        while let Some(step) = steps.pop() {
            match step {
                Step::Close => xml.close(),
                Step::Open(link) => {
                    self.open(xml, link);
                    steps.push(Step::Close);
                    self.children(link, &mut steps);
                }
            }
        }
    }

    fn children(&self, link: usize, steps: &mut Vec<Step>) {
        let robot = self.model.robot;
        let children = self.below[link].iter().rev();
        let children = children.filter_map(|joint| robot.link_index(&robot.joints()[*joint].child));
        steps.extend(children.map(Step::Open));
    }

    fn open(&self, xml: &mut Xml, index: usize) {
        let robot = self.model.robot;
        let joint = robot
            .parent_joint(index)
            .map(|joint| &robot.joints()[joint]);
        let name = &*robot.links()[index].name;
        let origin = joint.map_or_else(Origin::default, |joint| joint.origin);
        let [position, rotation] = place(&origin);
        xml.open(
            "body",
            &[("name", name), ("pos", &position), ("quat", &rotation)],
        );
        let link = &self.model.links[index];
        if let Some(mass) = &link.mass {
            inertial(xml, mass);
        }
        match joint {
            Some(joint) => self.joints(xml, joint),
            None if self.model.base == Base::Free => xml.leaf("freejoint", &[]),
            None => {}
        }
        for part in &link.visuals {
            self.geom(xml, part, "visual");
        }
        for part in &link.collisions {
            self.geom(xml, part, "collision");
        }
    }

    fn joints(&self, xml: &mut Xml, joint: &Joint) {
        // A joint of its own has its name before the parts of another one.
        let named = |suffix: &str| {
            let mut name = format!("{}{suffix}", joint.name);
            while self.model.robot.joint_index(&name).is_some() {
                name.push('_');
            }
            name
        };
        let turn = joint
            .unit_axis()
            .map_or(UnitQuaternion::identity(), |axis| across(&axis));
        match joint.kind {
            JointKind::Fixed => {}
            JointKind::Revolute | JointKind::Continuous => {
                one_freedom(xml, joint, &joint.name, "hinge", &joint.axis.into());
            }
            JointKind::Prismatic => {
                one_freedom(xml, joint, &joint.name, "slide", &joint.axis.into());
            }
            JointKind::Planar => {
                one_freedom(xml, joint, &named("_x"), "slide", &(turn * Vector3::x()));
                one_freedom(xml, joint, &named("_y"), "slide", &(turn * Vector3::y()));
                one_freedom(xml, joint, &named("_yaw"), "hinge", &joint.axis.into());
            }
            JointKind::Floating if self.is_in_world(joint) => {
                xml.leaf("freejoint", &[("name", &joint.name)]);
            }
            JointKind::Floating => {
                for (suffix, axis) in [
                    ("_x", Vector3::x()),
                    ("_y", Vector3::y()),
                    ("_z", Vector3::z()),
                ] {
                    one_freedom(xml, joint, &named(suffix), "slide", &axis);
                }
                xml.leaf("joint", &[("name", &joint.name), ("type", "ball")]);
            }
        }
    }

    fn is_in_world(&self, joint: &Joint) -> bool {
        let parent = self.model.robot.link_index(&joint.parent);
        self.model.root_is_world() && parent == Some(self.model.robot.root())
    }

    fn geom(&self, xml: &mut Xml, part: &Part, class: &str) {
        let mut attributes = vec![("class", class.to_owned())];
        let mut add = |name, value| attributes.push((name, value));
        match &part.solid {
            Solid::Sphere { radius } => {
                add("type", "sphere".to_owned());
                add("size", numbers(&[*radius]));
            }
            Solid::Ellipsoid { radii } => {
                add("type", "ellipsoid".to_owned());
                add("size", numbers(radii));
            }
            Solid::Box { size } => {
                add("type", "box".to_owned());
                add("size", numbers(&size.map(|length| 0.5 * length)));
            }
            Solid::Cylinder { radius, length } => {
                add("type", "cylinder".to_owned());
                add("size", numbers(&[*radius, 0.5 * length]));
            }
            Solid::Capsule { radius, length } => {
                add("type", "capsule".to_owned());
                add("size", numbers(&[*radius, 0.5 * length]));
            }
            Solid::Mesh { address, .. } => {
                add("type", "mesh".to_owned());
                add("mesh", self.meshes[&**address].clone());
            }
        }
        let [position, rotation] = place(&part.origin);
        add("pos", position);
        add("quat", rotation);
        if let Some(color) = part.color {
            add("rgba", numbers(&color));
        }
        let attributes: Vec<(&str, &str)> = attributes
            .iter()
            .map(|(name, value)| (*name, &**value))
            .collect();
        xml.leaf("geom", &attributes);
    }
}

/// The rotation of the joint's z axis onto the normal of a planar joint, the smallest one, as forward kinematics has it.
fn across(axis: &nalgebra::Unit<Vector3<f64>>) -> UnitQuaternion<f64> {
    let half_turn = || UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    UnitQuaternion::rotation_between_axis(&Vector3::z_axis(), axis).unwrap_or_else(half_turn)
}

fn one_freedom(xml: &mut Xml, joint: &Joint, name: &str, kind: &str, axis: &Vector3<f64>) {
    let axis = axis / axis.amax();
    let mut attributes = vec![
        ("name", name.to_owned()),
        ("type", kind.to_owned()),
        ("axis", numbers(axis.as_slice())),
    ];
    if let Some([lower, upper]) = joint.range() {
        // A joint that is held in one place: MuJoCo wants a range that is not empty.
        let upper = upper.max(lower + 1e-9 * lower.abs().max(1.0));
        attributes.push(("range", numbers(&[lower, upper])));
    }
    let effort = joint.limit.and_then(|limit| limit.effort);
    if let Some(effort) = effort.filter(|effort| *effort > 0.0) {
        attributes.push(("actuatorfrcrange", numbers(&[-effort, effort])));
    }
    if let Some(dynamics) = &joint.dynamics {
        for (attribute, value) in [
            ("damping", dynamics.damping),
            ("frictionloss", dynamics.friction),
        ] {
            if value != 0.0 {
                attributes.push((attribute, numbers(&[value])));
            }
        }
    }
    let attributes: Vec<(&str, &str)> = attributes
        .iter()
        .map(|(name, value)| (*name, &**value))
        .collect();
    xml.leaf("joint", &attributes);
}

fn place(origin: &Origin) -> [String; 2] {
    let rotation = origin.isometry().rotation;
    let rotation = [rotation.w, rotation.i, rotation.j, rotation.k];
    [numbers(&origin.xyz), numbers(&rotation)]
}

fn inertial(xml: &mut Xml, mass: &Mass) {
    let of = |i, j| mass.inertia[(i, j)];
    let moments = [of(0, 0), of(1, 1), of(2, 2), of(0, 1), of(0, 2), of(1, 2)];
    xml.leaf(
        "inertial",
        &[
            ("pos", &numbers(mass.center.as_slice())),
            ("mass", &numbers(&[mass.mass])),
            ("fullinertia", &numbers(&moments)),
        ],
    );
}

fn contacts(xml: &mut Xml, model: &Model, excluded: &BTreeSet<[usize; 2]>) {
    if excluded.is_empty() {
        return;
    }
    xml.open("contact", &[]);
    for pair in excluded {
        let [a, b] = pair.map(|link| &*model.robot.links()[link].name);
        xml.leaf("exclude", &[("body1", a), ("body2", b)]);
    }
    xml.close();
}

/// In MuJoCo the position of the first joint is a polynomial of that of the second.
fn equalities(xml: &mut Xml, model: &Model) {
    let joints = model.robot.joints();
    let follows = (0..joints.len()).filter_map(|k| Some((k, model.robot.follows(k)?)));
    let follows: Vec<_> = follows.collect();
    if follows.is_empty() {
        return;
    }
    xml.open("equality", &[]);
    for (joint, (source, multiplier, offset)) in follows {
        let polynomial = numbers(&[offset, multiplier, 0.0, 0.0, 0.0]);
        xml.leaf(
            "joint",
            &[
                ("joint1", &joints[joint].name),
                ("joint2", &joints[source].name),
                ("polycoef", &polynomial),
            ],
        );
    }
    xml.close();
}
