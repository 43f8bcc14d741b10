//! Joints.

use super::reader::{Node, Reader};
use crate::robot::error::UrdfError;
use crate::robot::model::{
    Calibration, Dynamics, Joint, JointKind, Limit, Mimic, SafetyController,
};

impl<'a> Reader<'a> {
    pub(super) fn joint(&mut self, node: Node<'a>) -> Result<Joint, UrdfError> {
        let known = [
            "origin",
            "parent",
            "child",
            "axis",
            "limit",
            "mimic",
            "dynamics",
            "safety_controller",
            "calibration",
        ];
        self.visit(node, &["name", "type"], &known)?;
        let name = self.required(node, "name", "the name of the joint")?;
        let kind = self.joint_kind(node)?;
        let parent = self.linked(node, "parent", "the link that the joint stands on")?;
        let child = self.linked(node, "child", "the link that the joint moves")?;
        let mut joint = Joint::new(name, kind, parent, child);
        joint.origin = self.origin(node)?;
        if let Some(axis) = self.part(node, "axis", &["xyz"])? {
            if kind.uses_axis() {
                self.required(axis, "xyz", "the axis of the joint")?;
            }
            joint.axis = self.numbers(axis, "xyz")?.unwrap_or(joint.axis);
        }
        if let Some(limit) = self.part(node, "limit", &["lower", "upper", "effort", "velocity"])? {
            // Version 1.2 has other defaults.
            if kind.has_range() && self.version >= [1, 2] {
                self.required(limit, "lower", "the least position")?;
                self.required(limit, "upper", "the greatest position")?;
            }
            joint.limit = Some(Limit {
                lower: self.number_or(limit, "lower", 0.0)?,
                upper: self.number_or(limit, "upper", 0.0)?,
                effort: self.optional_number(limit, "effort")?,
                velocity: self.optional_number(limit, "velocity")?,
            });
            self.tell_reversed(limit, &joint);
        }
        if let Some(mimic) = self.part(node, "mimic", &["joint", "multiplier", "offset"])? {
            let target = self.required(mimic, "joint", "the name of the joint to follow")?;
            let followed = Mimic {
                joint: target.to_owned(),
                multiplier: self.number_or(mimic, "multiplier", 1.0)?,
                offset: self.number_or(mimic, "offset", 0.0)?,
            };
            // This is left over where somebody made a joint fixed to reduce a robot.
            if kind == JointKind::Fixed {
                let message = "<mimic> in a fixed <joint> is left out".to_owned();
                self.warning(mimic.range().start, message);
            } else {
                joint.mimic = Some(followed);
            }
        }
        self.joint_extras(node, &mut joint)?;
        Ok(joint)
    }

    /// Warns of a lower limit above the upper one, which Bullet reads as none.
    fn tell_reversed(&mut self, node: Node<'a>, joint: &Joint) {
        let Some(limit) = joint.limit.filter(|limit| limit.lower > limit.upper) else {
            return;
        };
        if joint.kind.has_range() {
            let (lower, upper) = (limit.lower, limit.upper);
            let message =
                format!("limits from {lower} to {upper} are reversed and left out, as Bullet does");
            self.warning(node.range().start, message);
        }
    }

    fn joint_extras(&mut self, node: Node<'a>, joint: &mut Joint) -> Result<(), UrdfError> {
        if let Some(dynamics) = self.part(node, "dynamics", &["damping", "friction"])? {
            joint.dynamics = Some(Dynamics {
                damping: self.number_or(dynamics, "damping", 0.0)?,
                friction: self.number_or(dynamics, "friction", 0.0)?,
            });
        }
        let known = [
            "soft_lower_limit",
            "soft_upper_limit",
            "k_position",
            "k_velocity",
        ];
        if let Some(safety) = self.part(node, "safety_controller", &known)? {
            joint.safety_controller = Some(SafetyController {
                soft_lower_limit: self.number_or(safety, "soft_lower_limit", 0.0)?,
                soft_upper_limit: self.number_or(safety, "soft_upper_limit", 0.0)?,
                k_position: self.number_or(safety, "k_position", 0.0)?,
                k_velocity: self.number(safety, "k_velocity")?,
            });
        }
        if let Some(calibration) = self.part(node, "calibration", &["rising", "falling"])? {
            joint.calibration = Some(Calibration {
                rising: self.optional_number(calibration, "rising")?,
                falling: self.optional_number(calibration, "falling")?,
            });
        }
        Ok(())
    }

    fn joint_kind(&self, node: Node<'a>) -> Result<JointKind, UrdfError> {
        const EXPECTED: &str = "fixed, revolute, continuous, prismatic, floating or planar";
        let name = self.required(node, "type", EXPECTED)?;
        let kind = JointKind::ALL.into_iter().find(|kind| kind.name() == name);
        kind.ok_or_else(|| self.value(node, "type", EXPECTED))
    }

    /// Returns the link that `<parent>` or `<child>` names.
    fn linked(
        &mut self,
        joint: Node<'a>,
        element: &'static str,
        expected: &'static str,
    ) -> Result<&'a str, UrdfError> {
        let node = self.must(joint, element, expected)?;
        self.visit(node, &["link"], &[])?;
        self.required(node, "link", expected)
    }
}
