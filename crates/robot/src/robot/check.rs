//! Validation of the numbers and names of a robot, in one place.
//!
//! The reader uses the same validation as a program that builds a robot by hand; an error therefore carries, next to
//! its message, the element of the file to which it belongs.

use super::bodies::Bodies;
use super::error::{RobotError, quoted};
use super::model::{Collision, Geometry, Inertial, Joint, Link, Material, Origin, Visual};
use super::refusal::{Item, Refused};
use super::robot::Robot;
use super::tree::Tree;
use std::collections::HashSet;
use std::sync::Arc;

/// The part that is validated; `name` is that of the robot, material, link or joint.
#[derive(Clone, Copy)]
struct Part<'a> {
    item: Item,
    name: &'a str,
}

impl Part<'_> {
    fn owner(&self) -> String {
        let name = quoted(self.name);
        match self.item {
            Item::Robot => format!("robot {name}"),
            Item::Material(_) => format!("material {name}"),
            Item::Link(_) => format!("link {name}"),
            Item::Visual(_, k) => format!("link {name}, visual {}", k + 1),
            Item::Collision(_, k) => format!("link {name}, collision {}", k + 1),
            Item::Joint(_) => format!("joint {name}"),
        }
    }

    fn value(&self, element: &str, attribute: &str, value: String, expected: &str) -> Refused {
        Refused {
            item: self.item,
            element: element.to_owned(),
            attribute: Some(attribute.to_owned()),
            error: Box::new(RobotError::Value {
                owner: self.owner(),
                element: element.to_owned(),
                attribute: attribute.to_owned(),
                value,
                expected: expected.to_owned(),
            }),
        }
    }

    /// Requires that all numbers satisfy `valid`.
    fn numbers(
        &self,
        element: &str,
        attribute: &str,
        values: &[f64],
        valid: impl Fn(f64) -> bool,
        expected: &str,
    ) -> Result<(), Refused> {
        if values.iter().all(|x| valid(*x)) {
            return Ok(());
        }
        Err(self.value(element, attribute, spaced(values), expected))
    }

    fn finite(&self, element: &str, attribute: &str, values: &[f64]) -> Result<(), Refused> {
        self.numbers(element, attribute, values, f64::is_finite, "finite numbers")
    }

    fn positive(&self, element: &str, attribute: &str, values: &[f64]) -> Result<(), Refused> {
        let positive = |x: f64| x.is_finite() && x > 0.0;
        self.numbers(element, attribute, values, positive, "more than 0")
    }

    /// Requires text that XML can represent.
    fn text(&self, element: &str, attribute: &str, text: &str) -> Result<(), Refused> {
        let allowed = |c: char| match c {
            '\t' | '\n' | '\r' => true,
            '\u{fffe}' | '\u{ffff}' => false,
            _ => c >= ' ',
        };
        if text.chars().all(allowed) {
            return Ok(());
        }
        let expected = "text without control characters";
        Err(self.value(element, attribute, text.to_owned(), expected))
    }

    /// Requires text that can be a name.
    fn name(&self, element: &str, attribute: &str, text: &str) -> Result<(), Refused> {
        if text.is_empty() {
            return Err(self.value(element, attribute, String::new(), "a name"));
        }
        self.text(element, attribute, text)
    }

    fn origin(&self, origin: &Origin) -> Result<(), Refused> {
        self.finite("origin", "xyz", &origin.xyz)?;
        self.finite("origin", "rpy", &origin.rpy)
    }

    fn geometry(&self, geometry: &Geometry) -> Result<(), Refused> {
        match geometry {
            Geometry::Sphere { radius } => self.positive("sphere", "radius", &[*radius]),
            Geometry::Box { size } => self.positive("box", "size", size),
            Geometry::Cylinder { radius, length } => {
                self.positive("cylinder", "radius", &[*radius])?;
                self.positive("cylinder", "length", &[*length])
            }
            Geometry::Capsule { radius, length } => {
                self.positive("capsule", "radius", &[*radius])?;
                let valid = |x: f64| x.is_finite() && x >= 0.0;
                self.numbers("capsule", "length", &[*length], valid, "at least 0")
            }
            Geometry::Mesh { filename, scale } => {
                self.name("mesh", "filename", filename)?;
                // A negative factor mirrors the mesh.
                let valid = |x: f64| x.is_finite() && x != 0.0;
                self.numbers("mesh", "scale", scale, valid, "finite numbers other than 0")
            }
            // Only the reader makes such a geometry, from XML that was well-formed.
            Geometry::Other(_) => Ok(()),
        }
    }

    /// The name may be empty: some exporters write no other name.
    fn material(&self, material: &Material) -> Result<(), Refused> {
        self.text("material", "name", &material.name)?;
        if let Some(color) = &material.color {
            self.finite("color", "rgba", color)?;
        }
        if let Some(texture) = &material.texture {
            self.name("texture", "filename", texture)?;
        }
        Ok(())
    }
}

impl Robot {
    /// Makes the robot as [`Robot::new`] does; an error also says to which element it belongs.
    pub(super) fn checked(
        name: String,
        links: Vec<Link>,
        joints: Vec<Joint>,
        materials: Vec<Material>,
    ) -> Result<Self, Refused> {
        let part = Part {
            item: Item::Robot,
            name: &name,
        };
        part.name("robot", "name", &name)?;
        check_materials(&materials)?;
        for (i, link) in links.iter().enumerate() {
            check_link(i, link)?;
        }
        for (i, joint) in joints.iter().enumerate() {
            check_joint(i, joint)?;
        }
        let tree = Arc::new(Tree::build(&name, &links, joints)?);
        let bodies = Arc::new(Bodies::of(&links, &tree));
        Ok(Robot {
            name,
            links,
            materials,
            tree,
            bodies,
            warnings: Vec::new(),
        })
    }
}

fn check_materials(materials: &[Material]) -> Result<(), Refused> {
    let mut seen = HashSet::new();
    for (i, material) in materials.iter().enumerate() {
        let (item, name) = (Item::Material(i), &material.name);
        Part { item, name }.material(material)?;
        if !seen.insert(name) {
            return Err(Refused {
                item,
                element: "material".to_owned(),
                attribute: Some("name".to_owned()),
                error: Box::new(RobotError::DuplicateName {
                    element: "material",
                    name: name.clone(),
                }),
            });
        }
    }
    Ok(())
}

fn check_link(i: usize, link: &Link) -> Result<(), Refused> {
    let name = &link.name;
    let part = |item| Part { item, name };
    part(Item::Link(i)).name("link", "name", name)?;
    if let Some(inertial) = &link.inertial {
        check_inertial(part(Item::Link(i)), inertial)?;
    }
    for (k, visual) in link.visuals.iter().enumerate() {
        check_visual(part(Item::Visual(i, k)), visual)?;
    }
    for (k, collision) in link.collisions.iter().enumerate() {
        check_collision(part(Item::Collision(i, k)), collision)?;
    }
    Ok(())
}

/// Validates the next visual of a link.
pub(super) fn check_visual_of(link: &Link, visual: &Visual) -> Result<(), Refused> {
    let part = Part {
        item: Item::Visual(0, link.visuals.len()),
        name: &link.name,
    };
    check_visual(part, visual)
}

fn check_inertial(part: Part, inertial: &Inertial) -> Result<(), Refused> {
    part.origin(&inertial.origin)?;
    part.finite("mass", "value", &[inertial.mass])?;
    for (attribute, value) in Inertial::MOMENTS.iter().zip(inertial.inertia) {
        part.finite("inertia", attribute, &[value])?;
    }
    Ok(())
}

fn check_visual(part: Part, visual: &Visual) -> Result<(), Refused> {
    part.text("visual", "name", visual.name.as_deref().unwrap_or_default())?;
    part.origin(&visual.origin)?;
    part.geometry(&visual.geometry)?;
    visual
        .material
        .as_ref()
        .map_or(Ok(()), |m| part.material(m))
}

fn check_collision(part: Part, collision: &Collision) -> Result<(), Refused> {
    let name = collision.name.as_deref().unwrap_or_default();
    part.text("collision", "name", name)?;
    part.origin(&collision.origin)?;
    part.geometry(&collision.geometry)
}

fn check_joint(i: usize, joint: &Joint) -> Result<(), Refused> {
    let part = Part {
        item: Item::Joint(i),
        name: &joint.name,
    };
    part.name("joint", "name", &joint.name)?;
    part.origin(&joint.origin)?;
    part.finite("axis", "xyz", &joint.axis)?;
    if joint.kind.uses_axis() && joint.unit_axis().is_none() {
        let expected = "an axis that is not zero";
        return Err(part.value("axis", "xyz", spaced(&joint.axis), expected));
    }
    check_limit(part, joint)?;
    check_mimic(part, joint)?;
    if let Some(dynamics) = &joint.dynamics {
        part.finite("dynamics", "damping", &[dynamics.damping])?;
        part.finite("dynamics", "friction", &[dynamics.friction])?;
    }
    if let Some(safety) = &joint.safety_controller {
        let element = "safety_controller";
        part.finite(element, "soft_lower_limit", &[safety.soft_lower_limit])?;
        part.finite(element, "soft_upper_limit", &[safety.soft_upper_limit])?;
        part.finite(element, "k_position", &[safety.k_position])?;
        part.finite(element, "k_velocity", &[safety.k_velocity])?;
    }
    if let Some(calibration) = &joint.calibration {
        part.finite("calibration", "rising", calibration.rising.as_slice())?;
        part.finite("calibration", "falling", calibration.falling.as_slice())?;
    }
    Ok(())
}

fn check_limit(part: Part, joint: &Joint) -> Result<(), Refused> {
    let Some(limit) = &joint.limit else {
        if !joint.kind.has_range() {
            return Ok(());
        }
        let kind = joint.kind.name();
        return Err(Refused {
            item: part.item,
            element: "joint".to_owned(),
            attribute: None,
            error: Box::new(RobotError::MissingElement {
                owner: part.owner(),
                element: "limit".to_owned(),
                expected: format!("the lower and upper limits of a {kind} joint"),
            }),
        });
    };
    part.finite("limit", "lower", &[limit.lower])?;
    part.finite("limit", "upper", &[limit.upper])?;
    part.finite("limit", "effort", limit.effort.as_slice())?;
    part.finite("limit", "velocity", limit.velocity.as_slice())
}

/// The joint that is mimicked is looked up when the tree is built.
fn check_mimic(part: Part, joint: &Joint) -> Result<(), Refused> {
    let Some(mimic) = &joint.mimic else {
        return Ok(());
    };
    part.finite("mimic", "multiplier", &[mimic.multiplier])?;
    part.finite("mimic", "offset", &[mimic.offset])?;
    if !joint.kind.has_one_freedom() {
        let expected = "revolute, continuous or prismatic, because it has a <mimic>";
        return Err(part.value("joint", "type", joint.kind.name().to_owned(), expected));
    }
    Ok(())
}

fn spaced(values: &[f64]) -> String {
    let words: Vec<String> = values.iter().map(f64::to_string).collect();
    words.join(" ")
}
