//! Reads URDF.
//!
//! The reader turns elements and attributes into the parts of a robot and remembers where they
//! stood; what the parts may be is decided in `check` and `tree`, for files and programs alike.
//! Whatever the model does not hold becomes a [`Notice`], never nothing.
//!
//! Nothing here recurses, and no step looks at more than its own element and, for places, a fixed
//! number of bytes: time is linear in the text, and a small stack is enough.

use super::check::{Item, Refused};
use super::error::{RobotError, UrdfError, UrdfProblem, quoted};
use super::limits::{self, Exceeded, UrdfLimits};
use super::lines::Lines;
use super::model::{
    Calibration, Collision, Dynamics, Geometry, Inertial, Joint, JointKind, Limit, Link, Material,
    Mimic, Notice, Origin, OtherGeometry, Robot, SafetyController, Visual,
};
use super::xml;
use crate::Superovoid;
use std::io::Read;
use std::path::Path;

type Node<'a> = roxmltree::Node<'a, 'a>;

/// Elements that hold the parameters of a superovoid.
const SHAPES: [&str; 3] = ["superovoid", "SUPEROVOID", "superellipsoid"];

impl Robot {
    /// Reads a URDF file, within the default [`UrdfLimits`].
    ///
    /// # Errors
    /// A file that cannot be read or that [`Robot::from_urdf_str`] refuses; the error names it.
    pub fn from_urdf_file(path: impl AsRef<Path>) -> Result<Self, UrdfError> {
        Self::from_urdf_file_with(path, &UrdfLimits::default())
    }

    /// Reads a URDF file. No more of it is read than the limits allow.
    ///
    /// # Errors
    /// As [`Robot::from_urdf_file`], within these limits.
    pub fn from_urdf_file_with(
        path: impl AsRef<Path>,
        limits: &UrdfLimits,
    ) -> Result<Self, UrdfError> {
        read_file(path.as_ref(), limits, |text| {
            Self::from_urdf_str_with(text, limits)
        })
    }

    /// [`Robot::from_urdf_file_with`] together with the text that was read, for programs that edit
    /// it. The file is read once, so that it may be a pipe.
    ///
    /// # Errors
    /// As [`Robot::from_urdf_file_with`].
    pub fn from_urdf_file_with_text(
        path: impl AsRef<Path>,
        limits: &UrdfLimits,
    ) -> Result<(Self, String), UrdfError> {
        read_file(path.as_ref(), limits, |text| {
            Ok((Self::from_urdf_str_with(text, limits)?, text.to_owned()))
        })
    }

    /// Reads a robot from the text of a URDF file, within the default [`UrdfLimits`].
    ///
    /// File names in it (of meshes and textures) are kept as they are written; no file is opened.
    ///
    /// # Errors
    /// The first thing in the text that is not well-formed, not a number, missing, there twice,
    /// or not part of one tree of links and joints, with its line and column.
    pub fn from_urdf_str(text: &str) -> Result<Self, UrdfError> {
        Self::from_urdf_str_with(text, &UrdfLimits::default())
    }

    /// Reads a robot from the text of a URDF file.
    ///
    /// # Errors
    /// As [`Robot::from_urdf_str`], within these limits.
    pub fn from_urdf_str_with(text: &str, limits: &UrdfLimits) -> Result<Self, UrdfError> {
        // A byte order mark is no character of the text; columns do not count it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = Lines::new(text);
        let document = document(&lines, limits)?;
        Reader::new(lines, *limits, document.root_element()).robot()
    }
}

/// Reads a file, no more of it than the limits allow, and parses its text; errors name the file.
pub(super) fn read_file<T>(
    path: &Path,
    limits: &UrdfLimits,
    parse: impl Fn(&str) -> Result<T, UrdfError>,
) -> Result<T, UrdfError> {
    let read = || {
        let bytes = read_bytes(path, limits).map_err(|error| UrdfError {
            path: None,
            position: None,
            problem: Box::new(error.into()),
        })?;
        if is_utf16(&bytes) {
            return Err(refused(1, 1, UrdfProblem::Utf16));
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) => parse(text),
            // The limit may cut a character in two, which is then not what is wrong.
            Err(_) if bytes.len() > limits.bytes => parse(&String::from_utf8_lossy(&bytes)),
            Err(error) => Err(not_utf8(&bytes[..error.valid_up_to()])),
        }
    };
    read().map_err(|error| UrdfError {
        path: Some(path.to_owned()),
        ..error
    })
}

/// The XML of a text within the limits.
pub(super) fn document<'a>(
    lines: &Lines<'a>,
    limits: &UrdfLimits,
) -> Result<roxmltree::Document<'a>, UrdfError> {
    if let Err(exceeded) = limits::outline(lines.text, limits) {
        return Err(lines.error(exceeded.at, UrdfProblem::from(&exceeded)));
    }
    roxmltree::Document::parse(lines.text).map_err(|error| {
        let (at, problem) = xml::problem(lines, &error);
        lines.error(at, problem)
    })
}

/// The bytes of a file, at most one more than the limit.
fn read_bytes(path: &Path, limits: &UrdfLimits) -> std::io::Result<Vec<u8>> {
    let enough = u64::try_from(limits.bytes).unwrap_or(u64::MAX);
    let file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    file.take(enough.saturating_add(1))
        .read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether the first character, a byte order mark or `<`, takes two bytes.
fn is_utf16(bytes: &[u8]) -> bool {
    let marks: [&[u8]; 4] = [b"\xff\xfe", b"\xfe\xff", b"<\0", b"\0<"];
    marks.iter().any(|mark| bytes.starts_with(mark))
}

fn not_utf8(valid: &[u8]) -> UrdfError {
    let text = String::from_utf8_lossy(valid);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    Lines::new(text).error(text.len(), UrdfProblem::Encoding)
}

fn refused(line: u32, column: u32, problem: UrdfProblem) -> UrdfError {
    UrdfError {
        path: None,
        position: Some((line, column)),
        problem: Box::new(problem),
    }
}

impl From<&Exceeded> for UrdfProblem {
    fn from(exceeded: &Exceeded) -> Self {
        UrdfProblem::Limit {
            field: exceeded.field,
            limit: exceeded.limit,
        }
    }
}

struct Reader<'a> {
    lines: Lines<'a>,
    limits: UrdfLimits,
    root: Node<'a>,
    notices: Vec<Notice>,
}

/// The geometry, the superovoid and the origin of a collision or visual.
struct Shape {
    origin: Origin,
    geometry: Geometry,
    superovoid: Option<Superovoid>,
}

impl<'a> Reader<'a> {
    fn new(lines: Lines<'a>, limits: UrdfLimits, root: Node<'a>) -> Self {
        Reader {
            lines,
            limits,
            root,
            notices: Vec::new(),
        }
    }

    fn robot(mut self) -> Result<Robot, UrdfError> {
        let root = self.root;
        if root.tag_name().name() != "robot" {
            let element = self.tag(root);
            return Err(self.error(root.range().start, UrdfProblem::RootElement { element }));
        }
        self.refuse_xacro()?;
        self.visit(root, &["name"], &["link", "joint", "material"])?;
        let name = self.required(root, "name", "the name of the robot")?;
        let mut materials = Vec::new();
        let mut links = Vec::new();
        let mut joints = Vec::new();
        for node in elements(root) {
            match self.known(node) {
                "material" => materials.push(self.material(node)?),
                "link" => {
                    self.one_more_link(links.len(), node)?;
                    links.push(self.link(node)?);
                }
                "joint" => joints.push(self.joint(node)?),
                _ => {}
            }
        }
        let robot = Robot::checked(name.to_owned(), links, joints, materials);
        let robot = robot.map_err(|refused| self.locate(refused))?;
        Ok(Robot {
            notices: self.notices,
            ..robot
        })
    }

    fn one_more_link(&self, links: usize, node: Node<'a>) -> Result<(), UrdfError> {
        let limit = self.limits.links;
        if links < limit {
            return Ok(());
        }
        let field = "links";
        Err(self.error(node.range().start, UrdfProblem::Limit { field, limit }))
    }

    fn link(&mut self, node: Node<'a>) -> Result<Link, UrdfError> {
        self.visit(node, &["name"], &["inertial", "visual", "collision"])?;
        let mut link = Link::new(self.required(node, "name", "the name of the link")?);
        if let Some(inertial) = self.one(node, "inertial")? {
            link.inertial = Some(self.inertial(inertial)?);
        }
        for child in elements(node) {
            match self.known(child) {
                "visual" => link.visuals.push(self.visual(child)?),
                "collision" => link.collisions.push(self.collision(child)?),
                _ => {}
            }
        }
        Ok(link)
    }

    fn inertial(&mut self, node: Node<'a>) -> Result<Inertial, UrdfError> {
        self.visit(node, &[], &["origin", "mass", "inertia"])?;
        let mass = self.must(node, "mass", "the mass in kilograms")?;
        self.visit(mass, &["value"], &[])?;
        let inertia = self.must(node, "inertia", "the moments of inertia")?;
        self.visit(inertia, &Inertial::MOMENTS, &[])?;
        let mut moments = [0.0; 6];
        for (moment, attribute) in moments.iter_mut().zip(Inertial::MOMENTS) {
            *moment = self.number(inertia, attribute)?;
        }
        Ok(Inertial {
            origin: self.origin(node)?,
            mass: self.number(mass, "value")?,
            inertia: moments,
        })
    }

    fn visual(&mut self, node: Node<'a>) -> Result<Visual, UrdfError> {
        let [ovoid, upper, ellipsoid] = SHAPES;
        let known = ["origin", "geometry", "material", ovoid, upper, ellipsoid];
        self.visit(node, &["name"], &known)?;
        let shape = self.shape(node)?;
        let material = self.one(node, "material")?;
        Ok(Visual {
            name: attribute_of(node, "name").map(str::to_owned),
            origin: shape.origin,
            geometry: shape.geometry,
            superovoid: shape.superovoid,
            material: material.map(|node| self.material(node)).transpose()?,
        })
    }

    fn collision(&mut self, node: Node<'a>) -> Result<Collision, UrdfError> {
        let [ovoid, upper, ellipsoid] = SHAPES;
        let known = ["origin", "geometry", ovoid, upper, ellipsoid];
        self.visit(node, &["name"], &known)?;
        let shape = self.shape(node)?;
        Ok(Collision {
            name: attribute_of(node, "name").map(str::to_owned),
            origin: shape.origin,
            geometry: shape.geometry,
            superovoid: shape.superovoid,
        })
    }

    fn material(&mut self, node: Node<'a>) -> Result<Material, UrdfError> {
        self.visit(node, &["name"], &["color", "texture"])?;
        let name = self.required(node, "name", "the name of the material")?;
        let color = self.one(node, "color")?;
        let texture = self.one(node, "texture")?;
        let color = color.map(|node| {
            self.visit(node, &["rgba"], &[])?;
            self.numbers(node, "rgba")
        });
        Ok(Material {
            name: name.to_owned(),
            color: color.transpose()?.flatten(),
            texture: texture
                .map(|node| self.texture(node))
                .transpose()?
                .flatten(),
        })
    }

    /// The file of a texture. Some exporters write the element without one.
    fn texture(&mut self, node: Node<'a>) -> Result<Option<String>, UrdfError> {
        self.visit(node, &["filename"], &[])?;
        let filename = attribute_of(node, "filename").filter(|name| !name.is_empty());
        if filename.is_none() {
            let message = "<texture> without filename is left out".to_owned();
            self.notice(node.range().start, message);
        }
        Ok(filename.map(str::to_owned))
    }

    /// The `<origin>` in `node`; identity when there is none.
    fn origin(&mut self, node: Node<'a>) -> Result<Origin, UrdfError> {
        let Some(origin) = self.one(node, "origin")? else {
            return Ok(Origin::default());
        };
        self.visit(origin, &["xyz", "rpy"], &[])?;
        Ok(Origin {
            xyz: self.numbers(origin, "xyz")?.unwrap_or_default(),
            rpy: self.numbers(origin, "rpy")?.unwrap_or_default(),
        })
    }

    /// What a collision and a visual have in common: a superovoid, at most one, beside
    /// `<geometry>` or in it, and a standard shape in `<geometry>`.
    fn shape(&mut self, node: Node<'a>) -> Result<Shape, UrdfError> {
        let origin = self.origin(node)?;
        let geometry = self.one(node, "geometry")?;
        let mut parameters = None;
        let mut standard = None;
        for child in elements(node).filter(|child| SHAPES.contains(&self.known(*child))) {
            self.only(&mut parameters, child)?;
        }
        for child in geometry.into_iter().flat_map(elements) {
            let is_superovoid = SHAPES.contains(&self.known(child));
            let slot = if is_superovoid {
                &mut parameters
            } else {
                &mut standard
            };
            self.only(slot, child)?;
        }
        let superovoid = parameters.map(|node| self.superovoid(node)).transpose()?;
        let geometry = match (standard, superovoid, geometry) {
            (Some(shape), _, _) => self.standard_geometry(shape)?,
            (None, Some(shape), Some(geometry))
                if parameters.is_some_and(|p| p.parent() == Some(geometry)) =>
            {
                self.fallback(geometry, &shape)
            }
            _ => return Err(self.no_shape(node, superovoid)),
        };
        Ok(Shape {
            origin,
            geometry,
            superovoid,
        })
    }

    /// Fills a slot that holds one shape.
    fn only(&self, slot: &mut Option<Node<'a>>, node: Node<'a>) -> Result<(), UrdfError> {
        if slot.replace(node).is_none() {
            return Ok(());
        }
        let problem = UrdfProblem::SecondShape {
            owner: self.owner(node),
            element: self.tag(node),
        };
        Err(self.error(node.range().start, problem))
    }

    /// A superovoid alone in `<geometry>` gets the standard shape that it is written beside.
    fn fallback(&mut self, geometry: Node<'a>, shape: &Superovoid) -> Geometry {
        let sphere = Geometry::enclosing_sphere(shape);
        let message = format!(
            "a superovoid inside <geometry>, where other programs refuse or drop it, is taken as \
             one beside <geometry> with an enclosing sphere of radius {}",
            shape.outer_radius
        );
        self.notice(geometry.range().start, message);
        sphere
    }

    fn no_shape(&self, node: Node<'a>, superovoid: Option<Superovoid>) -> UrdfError {
        let expected = match superovoid {
            Some(shape) => format!(
                "a standard shape for programs that do not know superovoids, such as \
                 <geometry><sphere radius=\"{}\"/></geometry>",
                shape.outer_radius
            ),
            None => "a <geometry> with one shape, such as <sphere radius=\"0.1\"/>".to_owned(),
        };
        let problem = RobotError::MissingElement {
            owner: self.owner(node),
            element: "geometry".to_owned(),
            expected,
        };
        self.error(node.range().start, problem)
    }

    fn superovoid(&mut self, node: Node<'a>) -> Result<Superovoid, UrdfError> {
        self.visit(node, &["a1", "a2", "a3", "e1", "e2", "tx", "ty"], &[])?;
        let number = |attribute| self.number(node, attribute);
        let semi_axes = [number("a1")?, number("a2")?, number("a3")?];
        let exponents = [number("e1")?, number("e2")?];
        let mut tapers = [0.0; 2];
        for (taper, attribute) in tapers.iter_mut().zip(["tx", "ty"]) {
            if self.known(node) == "superellipsoid" && node.has_attribute(attribute) {
                let expected = "no taper (write <superovoid> for a tapered shape)";
                return Err(self.value(node, attribute, expected));
            }
            *taper = self.number_or(node, attribute, 0.0)?;
        }
        Superovoid::new(semi_axes, exponents, tapers).map_err(|error| {
            let problem = RobotError::Shape {
                owner: self.owner(node),
                element: self.tag(node),
                error,
            };
            self.error(place(node, error.parameter.name()), problem)
        })
    }

    fn standard_geometry(&mut self, node: Node<'a>) -> Result<Geometry, UrdfError> {
        let element = self.known(node);
        let known: &[&str] = match element {
            "sphere" => &["radius"],
            "box" => &["size"],
            "cylinder" | "capsule" => &["radius", "length"],
            "mesh" => &["filename", "scale"],
            _ => return self.other_geometry(node),
        };
        self.visit(node, known, &[])?;
        Ok(match element {
            "sphere" => Geometry::Sphere {
                radius: self.number(node, "radius")?,
            },
            "box" => {
                let expected = "the edge lengths along x, y and z in metres";
                self.required(node, "size", expected)?;
                Geometry::Box {
                    size: self.numbers(node, "size")?.unwrap_or_default(),
                }
            }
            "mesh" => Geometry::Mesh {
                filename: self.required(node, "filename", "a mesh file")?.to_owned(),
                scale: self.numbers(node, "scale")?.unwrap_or([1.0; 3]),
            },
            _ => {
                let radius = self.number(node, "radius")?;
                let length = self.number(node, "length")?;
                match element {
                    "cylinder" => Geometry::Cylinder { radius, length },
                    _ => Geometry::Capsule { radius, length },
                }
            }
        })
    }

    fn other_geometry(&mut self, node: Node<'a>) -> Result<Geometry, UrdfError> {
        let plain = node.attributes().filter(|a| a.namespace().is_none());
        let known: Vec<&str> = plain.clone().map(|a| a.name()).collect();
        self.visit(node, &known, &[])?;
        let attributes = plain.map(|a| (a.name().to_owned(), a.value().to_owned()));
        let namespace = self.foreign_namespace(node);
        let element = match namespace {
            Some(_) => self.whole_tag(node),
            None => node.tag_name().name(),
        };
        Ok(Geometry::Other(OtherGeometry {
            element: element.to_owned(),
            namespace: namespace.map(str::to_owned),
            attributes: attributes.collect(),
        }))
    }

    fn joint(&mut self, node: Node<'a>) -> Result<Joint, UrdfError> {
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
            joint.axis = self.numbers(axis, "xyz")?.unwrap_or(joint.axis);
        }
        if let Some(limit) = self.part(node, "limit", &["lower", "upper", "effort", "velocity"])? {
            joint.limit = Some(Limit {
                lower: self.number_or(limit, "lower", 0.0)?,
                upper: self.number_or(limit, "upper", 0.0)?,
                effort: self.optional_number(limit, "effort")?,
                velocity: self.optional_number(limit, "velocity")?,
            });
        }
        if let Some(mimic) = self.part(node, "mimic", &["joint", "multiplier", "offset"])? {
            let target = self.required(mimic, "joint", "the name of the joint to follow")?;
            let followed = Mimic {
                joint: target.to_owned(),
                multiplier: self.number_or(mimic, "multiplier", 1.0)?,
                offset: self.number_or(mimic, "offset", 0.0)?,
            };
            // Left over where somebody made a joint fixed to reduce a robot.
            if kind == JointKind::Fixed {
                let message = "<mimic> in a fixed <joint> is left out".to_owned();
                self.notice(mimic.range().start, message);
            } else {
                joint.mimic = Some(followed);
            }
        }
        self.joint_extras(node, &mut joint)?;
        Ok(joint)
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

    /// The link that `<parent>` or `<child>` names.
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

    // ---- elements ----

    /// The only child element of this name, its own content visited.
    fn part(
        &mut self,
        node: Node<'a>,
        name: &str,
        attributes: &[&str],
    ) -> Result<Option<Node<'a>>, UrdfError> {
        let part = self.one(node, name)?;
        if let Some(part) = part {
            self.visit(part, attributes, &[])?;
        }
        Ok(part)
    }

    /// The only child element of this name.
    fn one(&self, node: Node<'a>, name: &str) -> Result<Option<Node<'a>>, UrdfError> {
        let mut all = elements(node).filter(|child| self.known(*child) == name);
        let first = all.next();
        match all.next() {
            None => Ok(first),
            Some(second) => {
                let problem = UrdfProblem::RepeatedElement {
                    owner: self.owner(node),
                    element: name.to_owned(),
                };
                Err(self.error(second.range().start, problem))
            }
        }
    }

    /// The only child element of this name, which must be there.
    fn must(
        &self,
        node: Node<'a>,
        name: &str,
        expected: &'static str,
    ) -> Result<Node<'a>, UrdfError> {
        self.one(node, name)?.ok_or_else(|| {
            let problem = RobotError::MissingElement {
                owner: self.owner(node),
                element: name.to_owned(),
                expected: expected.to_owned(),
            };
            self.error(node.range().start, problem)
        })
    }

    /// Gives notice of everything directly in `node` that is not among the known names.
    fn visit(
        &mut self,
        node: Node<'a>,
        attributes: &[&str],
        children: &[&str],
    ) -> Result<(), UrdfError> {
        let inside = self.tag(node);
        for attribute in node.attributes() {
            if attribute.namespace().is_some() || !attributes.contains(&attribute.name()) {
                let name = short(attribute.name());
                let message = format!("{name} of <{inside}> is not part of the model");
                self.notice(attribute.range().start, message);
            } else if is_xacro(attribute.value()) {
                let name = short(attribute.name());
                let message = format!("{name} of <{inside}> holds a xacro expression as it is");
                self.notice(attribute.range().start, message);
            }
        }
        for child in node.children() {
            let at = child.range().start;
            if child.is_element() && !children.contains(&self.known(child)) {
                let element = self.tag(child);
                let message = format!("<{element}> in <{inside}> is not part of the model");
                self.notice(at, message);
            } else if let Some(text) = child.text().filter(|_| child.is_text())
                && !text.trim().is_empty()
            {
                self.notice(at, format!("text in <{inside}> is not part of the model"));
            }
        }
        Ok(())
    }

    /// Refuses a file in which an element of xacro is left, anywhere.
    fn refuse_xacro(&self) -> Result<(), UrdfError> {
        let mut all = self.root.descendants().filter(|node| node.is_element());
        let is_macro = |node: &Node| node.tag_name().namespace().is_some_and(is_xacro_namespace);
        let Some(node) = all.find(is_macro) else {
            return Ok(());
        };
        let element = self.tag(node);
        Err(self.error(node.range().start, UrdfProblem::Xacro { element }))
    }

    // ---- attributes ----

    fn required(
        &self,
        node: Node<'a>,
        attribute: &'static str,
        expected: &'static str,
    ) -> Result<&'a str, UrdfError> {
        attribute_of(node, attribute).ok_or_else(|| {
            let problem = UrdfProblem::MissingAttribute {
                owner: self.owner(node),
                element: self.tag(node),
                attribute,
                expected,
            };
            self.error(node.range().start, problem)
        })
    }

    fn number(&self, node: Node<'a>, attribute: &'static str) -> Result<f64, UrdfError> {
        self.required(node, attribute, "a number")?;
        self.number_or(node, attribute, 0.0)
    }

    fn number_or(&self, node: Node<'a>, name: &str, default: f64) -> Result<f64, UrdfError> {
        Ok(self.optional_number(node, name)?.unwrap_or(default))
    }

    fn optional_number(&self, node: Node<'a>, name: &str) -> Result<Option<f64>, UrdfError> {
        Ok(self.numbers(node, name)?.map(|[number]| number))
    }

    /// `N` finite numbers separated by white space; `None` when the attribute is not there.
    fn numbers<const N: usize>(
        &self,
        node: Node<'a>,
        attribute: &str,
    ) -> Result<Option<[f64; N]>, UrdfError> {
        let Some(text) = attribute_of(node, attribute) else {
            return Ok(None);
        };
        let numbers: Option<Vec<f64>> = text.split_ascii_whitespace().map(finite).collect();
        match numbers.map(<[f64; N]>::try_from) {
            Some(Ok(numbers)) => Ok(Some(numbers)),
            _ if N == 1 => Err(self.value(
                node,
                attribute,
                "one finite number with a point for decimals",
            )),
            _ => {
                let expected =
                    format!("{N} finite numbers separated by spaces, with a point for decimals");
                Err(self.value(node, attribute, &expected))
            }
        }
    }

    // ---- errors and notices ----

    fn value(&self, node: Node<'a>, attribute: &str, expected: &str) -> UrdfError {
        let value = attribute_of(node, attribute).unwrap_or_default();
        if is_xacro(value) {
            let problem = UrdfProblem::XacroExpression {
                owner: self.owner(node),
                element: self.tag(node),
                attribute: attribute.to_owned(),
                value: value.to_owned(),
            };
            return self.error(place(node, attribute), problem);
        }
        let problem = RobotError::Value {
            owner: self.owner(node),
            element: self.tag(node),
            attribute: attribute.to_owned(),
            value: value.to_owned(),
            expected: expected.to_owned(),
        };
        self.error(place(node, attribute), problem)
    }

    fn error(&self, at: usize, problem: impl Into<UrdfProblem>) -> UrdfError {
        self.lines.error(at, problem.into())
    }

    fn notice(&mut self, at: usize, message: String) {
        let (line, column) = self.lines.position(at);
        self.notices.push(Notice {
            line,
            column,
            message,
        });
    }

    /// The name of an element as the file has it, with its prefix, for messages.
    fn tag(&self, node: Node<'a>) -> String {
        short(self.whole_tag(node))
    }

    fn whole_tag(&self, node: Node<'a>) -> &'a str {
        let start = &self.lines.text[node.range().start + 1..];
        let ends = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
        start.split(ends).next().unwrap_or_default()
    }

    /// See [`known`].
    fn known(&self, node: Node<'a>) -> &'a str {
        known(node, self.root)
    }

    /// See [`foreign_namespace`].
    fn foreign_namespace(&self, node: Node<'a>) -> Option<&'a str> {
        foreign_namespace(node, self.root)
    }

    /// The part of the robot that a node belongs to, for messages.
    fn owner(&self, node: Node<'a>) -> String {
        let mut body = String::new();
        let mut owner = node;
        for ancestor in node.ancestors().filter(|node| node.is_element()) {
            let element = ancestor.tag_name().name();
            if element == "collision" || element == "visual" {
                let earlier = ancestor.prev_siblings();
                let count = earlier.filter(|node| node.has_tag_name(ancestor.tag_name()));
                // The siblings before it, itself included.
                body = format!(", {element} {}", count.count());
            }
            owner = ancestor;
            if ancestor.parent() == Some(self.root) {
                break;
            }
        }
        let element = self.tag(owner);
        match attribute_of(owner, "name") {
            Some(name) => format!("{element} {}{body}", quoted(name)),
            None => format!("{element} without a name{body}"),
        }
    }

    /// The place of something that the checks refused: its attribute, or its element.
    fn locate(&self, refused: Refused) -> UrdfError {
        let root = self.root;
        let nth = |node: Node<'a>, name: &str, n: usize| {
            let mut all = elements(node).filter(|child| self.known(*child) == name);
            all.nth(n).unwrap_or(node)
        };
        let node = match refused.item {
            Item::Robot => root,
            Item::Material(i) => nth(root, "material", i),
            Item::Link(i) => nth(root, "link", i),
            Item::Visual(i, k) => nth(nth(root, "link", i), "visual", k),
            Item::Collision(i, k) => nth(nth(root, "link", i), "collision", k),
            Item::Joint(i) => nth(root, "joint", i),
        };
        let mut inside = node.descendants().filter(|node| node.is_element());
        let element = inside.find(|node| self.known(*node) == refused.element);
        let element = element.unwrap_or(node);
        let at = match &refused.attribute {
            Some(attribute) => place(element, attribute),
            None => element.range().start,
        };
        self.error(at, *refused.error)
    }
}

fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The name of an element of URDF or SRDF; empty for one of a foreign namespace (`<sensor:link>` is
/// not a `<link>`).
pub(super) fn known<'a>(node: Node<'a>, root: Node<'a>) -> &'a str {
    match foreign_namespace(node, root) {
        None => node.tag_name().name(),
        Some(_) => "",
    }
}

/// The namespace of an element unless it is that of the root or none.
fn foreign_namespace<'a>(node: Node<'a>, root: Node<'a>) -> Option<&'a str> {
    let namespace = node.tag_name().namespace();
    let own = root.tag_name().namespace();
    namespace.filter(|&name| !name.is_empty() && Some(name) != own)
}

pub(super) fn elements<'a>(node: Node<'a>) -> impl Iterator<Item = Node<'a>> {
    node.children().filter(|child| child.is_element())
}

/// Whether a namespace is that of xacro; it has had several addresses.
pub(super) fn is_xacro_namespace(namespace: &str) -> bool {
    namespace.contains("xacro")
}

/// Whether a value holds what xacro would replace.
fn is_xacro(value: &str) -> bool {
    value.contains("${") || value.contains("$(")
}

/// A name, shortened if it is too long to be read.
fn short(name: &str) -> String {
    const LETTERS: usize = 100;
    match name.char_indices().nth(LETTERS) {
        None => name.to_owned(),
        Some((end, _)) => format!("{}…", &name[..end]),
    }
}

/// The value of an attribute of URDF or SRDF; one of a foreign namespace (`x:name`) is none, whereas the
/// parser's own search takes the first of either.
pub(super) fn attribute_of<'a>(node: Node<'a>, name: &str) -> Option<&'a str> {
    attribute_node(node, name).map(|attribute| attribute.value())
}

fn attribute_node<'a>(node: Node<'a>, name: &str) -> Option<roxmltree::Attribute<'a, 'a>> {
    let mut plain = node.attributes().filter(|a| a.namespace().is_none());
    plain.find(|a| a.name() == name)
}

/// Where an attribute stands, or its element if it has no such attribute.
fn place(node: Node<'_>, attribute: &str) -> usize {
    let found = attribute_node(node, attribute);
    found.map_or(node.range().start, |attribute| attribute.range().start)
}
