//! The shapes of collisions and visuals.

use super::nodes::{elements, place};
use super::reader::{Node, Reader};
use crate::robot::error::{RobotError, UrdfError, UrdfProblem};
use crate::robot::model::{Geometry, Origin, OtherGeometry};
use superovoid::Superovoid;

/// The elements that hold the parameters of a superovoid.
pub(super) const SHAPES: [&str; 3] = ["superovoid", "SUPEROVOID", "superellipsoid"];

/// All shapes of a collision.
const KNOWN: [&str; 8] = [
    "sphere",
    "box",
    "cylinder",
    "capsule",
    "mesh",
    "superovoid",
    "SUPEROVOID",
    "superellipsoid",
];

/// The geometry, the superovoid and the origin of a collision or visual.
pub(super) struct Shape {
    pub origin: Origin,
    pub geometry: Geometry,
    pub superovoid: Option<Superovoid>,
}

impl<'a> Reader<'a> {
    /// Reads the common part of a collision and a visual: a superovoid, at most one, next to `<geometry>` or in it,
    /// and a standard shape in `<geometry>`.
    pub(super) fn shape(&mut self, node: Node<'a>) -> Result<Shape, UrdfError> {
        let origin = self.origin(node)?;
        let geometry = self.one(node, "geometry")?;
        if let Some(geometry) = geometry.filter(|geometry| !self.is_only_seen(*geometry)) {
            self.visit(geometry, &[], &KNOWN)?;
        }
        let mut parameters = None;
        let mut standard = None;
        for child in elements(node).filter(|child| SHAPES.contains(&self.known(*child))) {
            self.only(&mut parameters, child)?;
        }
        for child in geometry.into_iter().flat_map(elements) {
            if self.known(child) == "material" && self.known(node) == "visual" {
                let message = "<material> in <geometry> is not part of the model".to_owned();
                self.warning(child.range().start, message);
                continue;
            }
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

    /// A superovoid alone in `<geometry>` gets the standard shape that would be written next to it.
    fn fallback(&mut self, geometry: Node<'a>, shape: &Superovoid) -> Geometry {
        let sphere = Geometry::enclosing_sphere(shape);
        let message = format!(
            "a superovoid inside <geometry>, where other programs refuse or drop it, is taken as \
             one beside <geometry> with an enclosing sphere of radius {}",
            shape.outer_radius()
        );
        self.warning(geometry.range().start, message);
        sphere
    }

    fn no_shape(&self, node: Node<'a>, superovoid: Option<Superovoid>) -> UrdfError {
        let expected = match superovoid {
            Some(shape) => format!(
                "a standard shape for programs that do not know superovoids, such as \
                 <geometry><sphere radius=\"{}\"/></geometry>",
                shape.outer_radius()
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
                scale: self.scale(node)?,
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

    /// Returns the scale of a mesh. Four equal numbers say the same as three of them.
    fn scale(&mut self, node: Node<'a>) -> Result<[f64; 3], UrdfError> {
        if let Ok(Some([x, y, z, w])) = self.numbers::<4>(node, "scale")
            && [y, z, w] == [x; 3]
        {
            let message = "scale of <mesh> has four equal numbers; three are read".to_owned();
            self.warning(place(node, "scale"), message);
            return Ok([x; 3]);
        }
        Ok(self.numbers(node, "scale")?.unwrap_or([1.0; 3]))
    }

    fn other_geometry(&mut self, node: Node<'a>) -> Result<Geometry, UrdfError> {
        self.must_be_declared(node)?;
        if !self.is_only_seen(node) {
            let what = format!("<{}> in <geometry>", self.tag(node));
            return Err(self.unread(node, node.range().start, what, &KNOWN));
        }
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
}
