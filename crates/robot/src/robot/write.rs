//! The writer of URDF: reading, writing and reading again gives the same robot.
//!
//! Numbers are written with the fewest digits that read back to the same double. An attribute or
//! element that has its default value is left out where URDF defines that default.

use super::model::{Collision, Geometry, Inertial, Joint, Link, Material, Origin, Visual};
use super::robot::Robot;
use superovoid::Superovoid;
use xmlwriter::{Indent, Options, XmlWriter};

impl Robot {
    /// Returns the robot as a URDF document; superovoids stand next to their `<geometry>`.
    ///
    /// Comments and the content that [`Robot::warnings`] lists are not part of the model and not written.
    pub fn to_urdf(&self) -> String {
        let mut xml = XmlWriter::new(Options {
            indent: Indent::Spaces(2),
            ..Options::default()
        });
        xml.write_declaration();
        xml.start_element("robot");
        attribute(&mut xml, "name", &self.name);
        for material in &self.materials {
            write_material(&mut xml, material);
        }
        for link in &self.links {
            write_link(&mut xml, link);
        }
        for joint in self.joints() {
            write_joint(&mut xml, joint);
        }
        xml.end_element();
        xml.end_document()
    }
}

/// Writes an attribute. The writer itself escapes quotes only; a literal tab or line break would
/// be read back as a space.
fn attribute(xml: &mut XmlWriter, name: &str, value: &str) {
    let mut escaped = String::with_capacity(value.len());
    for c in value.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\t' => escaped.push_str("&#9;"),
            '\n' => escaped.push_str("&#10;"),
            '\r' => escaped.push_str("&#13;"),
            _ => escaped.push(c),
        }
    }
    xml.write_attribute(name, &escaped);
}

fn numbers(xml: &mut XmlWriter, name: &str, values: &[f64]) {
    let words: Vec<String> = values.iter().map(|x| shortest(*x)).collect();
    xml.write_attribute(name, &words.join(" "));
}

/// Whether numbers are their defaults to the bit: −0 is not 0.
fn same(values: &[f64], defaults: &[f64]) -> bool {
    let mut pairs = values.iter().zip(defaults);
    pairs.all(|(value, default)| value.to_bits() == default.to_bits())
}

/// Returns the shortest decimal that reads back as `x`, with an exponent where that saves digits.
fn shortest(x: f64) -> String {
    let text = format!("{x:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Writes an element that has attributes only.
fn leaf(xml: &mut XmlWriter, element: &str, attributes: impl FnOnce(&mut XmlWriter)) {
    xml.start_element(element);
    attributes(xml);
    xml.end_element();
}

fn write_link(xml: &mut XmlWriter, link: &Link) {
    xml.start_element("link");
    attribute(xml, "name", &link.name);
    if let Some(inertial) = &link.inertial {
        write_inertial(xml, inertial);
    }
    for visual in &link.visuals {
        write_visual(xml, visual);
    }
    for collision in &link.collisions {
        write_collision(xml, collision);
    }
    xml.end_element();
}

fn write_inertial(xml: &mut XmlWriter, inertial: &Inertial) {
    xml.start_element("inertial");
    write_origin(xml, &inertial.origin);
    leaf(xml, "mass", |xml| numbers(xml, "value", &[inertial.mass]));
    leaf(xml, "inertia", |xml| {
        for (name, value) in Inertial::MOMENTS.iter().zip(inertial.inertia) {
            numbers(xml, name, &[value]);
        }
    });
    xml.end_element();
}

fn write_visual(xml: &mut XmlWriter, visual: &Visual) {
    xml.start_element("visual");
    if let Some(name) = &visual.name {
        attribute(xml, "name", name);
    }
    write_shape(xml, &visual.origin, &visual.geometry, visual.superovoid);
    if let Some(material) = &visual.material {
        write_material(xml, material);
    }
    xml.end_element();
}

fn write_collision(xml: &mut XmlWriter, collision: &Collision) {
    xml.start_element("collision");
    if let Some(name) = &collision.name {
        attribute(xml, "name", name);
    }
    let Collision {
        origin,
        geometry,
        superovoid,
        ..
    } = collision;
    write_shape(xml, origin, geometry, *superovoid);
    xml.end_element();
}

fn write_shape(
    xml: &mut XmlWriter,
    origin: &Origin,
    geometry: &Geometry,
    superovoid: Option<Superovoid>,
) {
    write_origin(xml, origin);
    xml.start_element("geometry");
    write_geometry(xml, geometry);
    xml.end_element();
    if let Some(shape) = superovoid {
        let ([a1, a2, a3], [e1, e2], [tx, ty]) =
            (shape.semi_axes(), shape.exponents(), shape.tapers());
        let named = [
            ("a1", a1),
            ("a2", a2),
            ("a3", a3),
            ("e1", e1),
            ("e2", e2),
            ("tx", tx),
            ("ty", ty),
        ];
        leaf(xml, "superovoid", |xml| {
            for (name, value) in named {
                numbers(xml, name, &[value]);
            }
        });
    }
}

fn write_origin(xml: &mut XmlWriter, origin: &Origin) {
    if !same(&origin.xyz, &[0.0; 3]) || !same(&origin.rpy, &[0.0; 3]) {
        leaf(xml, "origin", |xml| {
            numbers(xml, "xyz", &origin.xyz);
            numbers(xml, "rpy", &origin.rpy);
        });
    }
}

fn write_geometry(xml: &mut XmlWriter, geometry: &Geometry) {
    leaf(xml, geometry.element(), |xml| match geometry {
        Geometry::Sphere { radius } => numbers(xml, "radius", &[*radius]),
        Geometry::Box { size } => numbers(xml, "size", size),
        Geometry::Cylinder { radius, length } | Geometry::Capsule { radius, length } => {
            numbers(xml, "radius", &[*radius]);
            numbers(xml, "length", &[*length]);
        }
        Geometry::Mesh { filename, scale } => {
            attribute(xml, "filename", filename);
            if *scale != [1.0; 3] {
                numbers(xml, "scale", scale);
            }
        }
        Geometry::Other(other) => {
            if let Some(namespace) = other.namespace() {
                let prefix = other.element().split_once(':');
                let declared =
                    prefix.map_or("xmlns".to_owned(), |(name, _)| format!("xmlns:{name}"));
                attribute(xml, &declared, namespace);
            }
            for (name, value) in other.attributes() {
                attribute(xml, name, value);
            }
        }
    });
}

fn write_material(xml: &mut XmlWriter, material: &Material) {
    xml.start_element("material");
    attribute(xml, "name", &material.name);
    if let Some(color) = &material.color {
        leaf(xml, "color", |xml| numbers(xml, "rgba", color));
    }
    if let Some(texture) = &material.texture {
        leaf(xml, "texture", |xml| attribute(xml, "filename", texture));
    }
    xml.end_element();
}

fn write_joint(xml: &mut XmlWriter, joint: &Joint) {
    xml.start_element("joint");
    attribute(xml, "name", &joint.name);
    attribute(xml, "type", joint.kind.name());
    write_origin(xml, &joint.origin);
    leaf(xml, "parent", |xml| attribute(xml, "link", &joint.parent));
    leaf(xml, "child", |xml| attribute(xml, "link", &joint.child));
    if joint.kind.uses_axis() || !same(&joint.axis, &[1.0, 0.0, 0.0]) {
        leaf(xml, "axis", |xml| numbers(xml, "xyz", &joint.axis));
    }
    if let Some(limit) = &joint.limit {
        leaf(xml, "limit", |xml| {
            // Written as 0 they would stop a continuous joint in parsers that respect them.
            if joint.kind.has_range() || !same(&[limit.lower, limit.upper], &[0.0; 2]) {
                numbers(xml, "lower", &[limit.lower]);
                numbers(xml, "upper", &[limit.upper]);
            }
            optional(xml, "effort", limit.effort);
            optional(xml, "velocity", limit.velocity);
        });
    }
    if let Some(mimic) = &joint.mimic {
        leaf(xml, "mimic", |xml| {
            attribute(xml, "joint", &mimic.joint);
            numbers(xml, "multiplier", &[mimic.multiplier]);
            numbers(xml, "offset", &[mimic.offset]);
        });
    }
    write_joint_extras(xml, joint);
    xml.end_element();
}

fn write_joint_extras(xml: &mut XmlWriter, joint: &Joint) {
    if let Some(dynamics) = &joint.dynamics {
        leaf(xml, "dynamics", |xml| {
            numbers(xml, "damping", &[dynamics.damping]);
            numbers(xml, "friction", &[dynamics.friction]);
        });
    }
    if let Some(safety) = &joint.safety_controller {
        leaf(xml, "safety_controller", |xml| {
            numbers(xml, "soft_lower_limit", &[safety.soft_lower_limit]);
            numbers(xml, "soft_upper_limit", &[safety.soft_upper_limit]);
            numbers(xml, "k_position", &[safety.k_position]);
            numbers(xml, "k_velocity", &[safety.k_velocity]);
        });
    }
    if let Some(calibration) = &joint.calibration {
        leaf(xml, "calibration", |xml| {
            optional(xml, "rising", calibration.rising);
            optional(xml, "falling", calibration.falling);
        });
    }
}

fn optional(xml: &mut XmlWriter, name: &str, value: Option<f64>) {
    if let Some(value) = value {
        numbers(xml, name, &[value]);
    }
}
