//! What a file holds and the reader does not read: an error where it bears on collision or motion, a warning elsewhere.
//!
//! A shape, its place, an axis and what else says where bodies are may hold nothing that is not read: there a word that
//! is not known is a misspelt one, or one whose meaning would be lost. Around them (in a link, a joint or the robot)
//! unknown elements are those of other programs, which are refused only if they hold what a shape or a joint is made of.
//! Whatever stands in a namespace of its own, or behind a prefix, belongs to other programs too, but for shapes.

use super::nodes::{attribute_of, elements, is_xacro, short};
use super::reader::{Node, Reader};
use crate::robot::error::{UrdfError, UrdfProblem};

/// Elements that hold only what is seen or weighed.
const SEEN: [&str; 3] = ["visual", "inertial", "material"];

/// Elements of the robot, of a link, a joint or a collision that other programs read and that bear on neither collision
/// nor motion. Pinocchio's `<collision_checking>` says which shapes it replaces by larger ones.
const OTHERS: [&str; 16] = [
    "collision_checking",
    "contact",
    "contact_coefficients",
    "gazebo",
    "gravity",
    "joint_properties",
    "kinematic",
    "laser_retro",
    "material",
    "max_contacts",
    "ros2_control",
    "self_filter",
    "sensor",
    "surface",
    "transmission",
    "verbose",
];

/// Elements that say what shapes there are and how they move.
const PARTS: [&str; 16] = [
    "axis",
    "box",
    "capsule",
    "child",
    "collision",
    "cylinder",
    "geometry",
    "limit",
    "mesh",
    "mimic",
    "origin",
    "parent",
    "sphere",
    "superellipsoid",
    "SUPEROVOID",
    "superovoid",
];

/// Attributes by which such an element is known when its name is misspelt.
const NUMBERS: [&str; 8] = [
    "joint",
    "link",
    "lower",
    "multiplier",
    "quat_xyzw",
    "rpy",
    "upper",
    "xyz",
];

/// Parts of the names of attributes of `<limit>` that limit no position.
const FORCES_AND_SPEEDS: [&str; 9] = [
    "acceleration",
    "current",
    "deceleration",
    "effort",
    "force",
    "jerk",
    "speed",
    "torque",
    "velocity",
];

impl<'a> Reader<'a> {
    /// Requires that everything directly in `node` that bears on collision or motion is among the known names, and adds
    /// a warning for the rest.
    pub(super) fn visit(
        &mut self,
        node: Node<'a>,
        attributes: &[&str],
        children: &[&str],
    ) -> Result<(), UrdfError> {
        let inside = self.tag(node);
        let seen = self.is_only_seen(node);
        for attribute in node.attributes() {
            let at = attribute.range().start;
            let name = self.attribute_name(&attribute);
            if is_xacro(attribute.value()) {
                let problem = UrdfProblem::XacroExpression {
                    owner: self.owner(node),
                    element: inside,
                    attribute: name,
                    value: attribute.value().to_owned(),
                };
                return Err(self.error(at, problem));
            }
            let foreign = match attribute.namespace() {
                None => name.contains(':'),
                namespace => namespace != self.root.tag_name().namespace(),
            };
            let plain = attribute.namespace().is_none();
            if plain && attributes.contains(&attribute.name()) {
                continue;
            }
            let what = format!("{name} of <{inside}>");
            if !seen && !foreign && self.attribute_bears(node, attribute.name()) {
                return Err(self.unread(node, at, what, attributes));
            }
            self.warning(at, format!("{what} is not part of the model"));
        }
        for child in node.children() {
            let at = child.range().start;
            if child.is_element() {
                if children.contains(&self.known(child)) {
                    continue;
                }
                let what = format!("<{}> in <{inside}>", self.tag(child));
                if !seen && !self.is_marked(child) && self.child_bears(node, child) {
                    return Err(self.unread(node, at, what, children));
                }
                self.warning(at, format!("{what} is not part of the model"));
            } else if let Some(text) = child.text().filter(|_| child.is_text())
                && !text.trim().is_empty()
            {
                let what = format!("text in <{inside}>");
                if !seen && self.text_bears(node, text) {
                    let known = if children.is_empty() {
                        attributes
                    } else {
                        children
                    };
                    return Err(self.unread(node, at, what, known));
                }
                self.warning(at, format!("{what} is not part of the model"));
            }
        }
        Ok(())
    }

    /// Whether an element holds, or is part of, what is only seen or weighed.
    pub(super) fn is_only_seen(&self, node: Node<'a>) -> bool {
        let mut around = node.ancestors();
        around.any(|node| SEEN.contains(&self.known(node)))
    }

    pub(super) fn unread(
        &self,
        node: Node<'a>,
        at: usize,
        what: String,
        known: &[&str],
    ) -> UrdfError {
        let expected = match known {
            [] => "nothing here".to_owned(),
            known => known.join(", "),
        };
        let problem = UrdfProblem::Unread {
            owner: self.owner(node),
            what,
            expected,
        };
        self.error(at, problem)
    }

    /// Returns the name of an attribute as the file has it, with its prefix, for messages.
    fn attribute_name(&self, attribute: &roxmltree::Attribute) -> String {
        let text = &self.lines.text[attribute.range()];
        let name = text.split('=').next().unwrap_or_default();
        short(name.trim_ascii_end())
    }

    /// Whether an element has a namespace that is not URDF's, or a prefix that is not declared.
    fn is_marked(&self, node: Node<'a>) -> bool {
        let undeclared = !self.whole_tag(node).ends_with(node.tag_name().name());
        undeclared || self.foreign_namespace(node).is_some()
    }

    fn attribute_bears(&self, node: Node<'a>, name: &str) -> bool {
        match self.known(node) {
            "robot" | "link" | "joint" => PARTS.contains(&name) || NUMBERS.contains(&name),
            "dynamics" | "safety_controller" | "calibration" => false,
            "limit" => !FORCES_AND_SPEEDS.iter().any(|word| name.contains(word)),
            // Meshes are compared as they are, for which Bullet has to be asked.
            "collision" => name != "concave",
            // No reader turns an axis, and exporters write that it is not turned.
            "axis" => name != "rpy" || !self.is_zero(node, name),
            _ => name != "name",
        }
    }

    fn child_bears(&self, node: Node<'a>, child: Node<'a>) -> bool {
        let name = self.known(child);
        if OTHERS.contains(&name) {
            return false;
        }
        match self.known(node) {
            "robot" => {
                let holds = |name| elements(child).any(|inside| self.known(inside) == name);
                PARTS.contains(&name)
                    || ["inertial", "visual", "collision"].into_iter().any(holds)
                    || holds("parent") && holds("child")
            }
            // No reader moves a link within itself, and exporters write that it is not moved.
            "link" if name == "origin" => !self.is_identity(child),
            "link" | "joint" => child.descendants().any(|inside| {
                PARTS.contains(&self.known(inside))
                    || inside.attributes().any(|a| NUMBERS.contains(&a.name()))
            }),
            "dynamics" | "safety_controller" | "calibration" => false,
            _ => true,
        }
    }

    /// Whether text stands where it has a meaning in other formats (`<axis>0 0 1</axis>`), or looks like the rest of an
    /// element whose `<` is missing.
    fn text_bears(&self, node: Node<'a>, text: &str) -> bool {
        match self.known(node) {
            "robot" | "link" | "dynamics" | "safety_controller" | "calibration" => false,
            "joint" | "collision" | "geometry" => text.contains(['<', '>', '=']),
            _ => true,
        }
    }

    fn is_identity(&self, origin: Node<'a>) -> bool {
        let known = ["xyz", "rpy"];
        let all_known = origin.attributes().all(|a| known.contains(&a.name()));
        let zero = |name| attribute_of(origin, name).is_none() || self.is_zero(origin, name);
        all_known && known.into_iter().all(zero)
    }

    fn is_zero(&self, node: Node<'a>, attribute: &str) -> bool {
        let numbers = self.numbers(node, attribute);
        numbers.is_ok_and(|numbers| numbers == Some([0.0; 3]))
    }
}
