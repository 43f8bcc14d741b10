//! The reader of URDF.
//!
//! The reader turns elements and attributes into the parts of a robot and remembers their places; `check` and `tree`
//! validate the parts, for files and programs alike. Content that the model does not hold is an error where it bears on
//! collision or motion, and a [`Warning`] elsewhere (`unread`).
//!
//! Nothing here recurses, and no step examines more than its own element and, for places, a fixed number of bytes:
//! time is linear in the text, and a small stack is enough.

mod geometry;
mod joint;
mod nodes;
mod prefixes;
mod reader;
mod text;
mod unread;

pub(super) use nodes::{attribute_of, elements, is_xacro_namespace, known};
pub(super) use text::{document, read_file};

use super::check::check_visual_of;
use super::error::{UrdfError, UrdfProblem};
use super::limits::UrdfLimits;
use super::lines::Lines;
use super::model::{Collision, Inertial, Link, Material, Origin, Visual, Warning};
use super::robot::Robot;
use geometry::SHAPES;
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use prefixes::Renamed;
use reader::{Node, Reader};
use std::path::Path;
use text::without_late_declaration;

impl Robot {
    /// Reads a URDF file, within the default [`UrdfLimits`].
    ///
    /// # Errors
    /// The error names a file that cannot be read, or the place that [`Robot::from_urdf_str`] rejects.
    pub fn from_urdf_file(path: impl AsRef<Path>) -> Result<Self, UrdfError> {
        Self::from_urdf_file_with(path, &UrdfLimits::default())
    }

    /// Reads a URDF file. No more of it is read than the limits allow.
    ///
    /// # Errors
    /// The errors are those of [`Robot::from_urdf_file`], within these limits.
    pub fn from_urdf_file_with(
        path: impl AsRef<Path>,
        limits: &UrdfLimits,
    ) -> Result<Self, UrdfError> {
        read_file(path.as_ref(), limits, |text| {
            Self::from_urdf_str_with(text, limits)
        })
    }

    /// Reads as [`Robot::from_urdf_file_with`] does, and also returns the text, for programs that edit it. The file
    /// is read once, so that it may be a pipe.
    ///
    /// # Errors
    /// The errors are those of [`Robot::from_urdf_file_with`].
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
    /// The error names the first thing in the text that is not well-formed, not a number, missing, duplicated, or not
    /// part of one tree of links and joints, with its line and column.
    pub fn from_urdf_str(text: &str) -> Result<Self, UrdfError> {
        Self::from_urdf_str_with(text, &UrdfLimits::default())
    }

    /// Reads a robot from the text of a URDF file.
    ///
    /// # Errors
    /// The errors are those of [`Robot::from_urdf_str`], within these limits.
    pub fn from_urdf_str_with(text: &str, limits: &UrdfLimits) -> Result<Self, UrdfError> {
        // A byte order mark is not a character of the text; columns do not count it.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let blanked = without_late_declaration(text);
        let lines = Lines::new(blanked.as_deref().unwrap_or(text));
        let renamed;
        let document = document(&lines, limits);
        let (document, renamed) = match document {
            Ok(document) => (document, None),
            Err(error) => {
                renamed = Renamed::of(lines.text, &error).ok_or(error)?;
                (renamed.document(&lines)?, Some(&renamed))
            }
        };
        let mut reader = Reader::new(lines, *limits, document.root_element());
        if blanked.is_some() {
            let message = "white space before the XML declaration, where other programs refuse it";
            reader.warning(0, message.to_owned());
        }
        if let Some(renamed) = renamed {
            reader.tell_undeclared(renamed);
        }
        reader.robot()
    }
}

/// The attribute of `<origin>` that URDF has from version 1.1 on.
const QUATERNION: &str = "quat_xyzw";

impl<'a> Reader<'a> {
    fn robot(mut self) -> Result<Robot, UrdfError> {
        let root = self.root;
        if root.tag_name().name() != "robot" {
            let element = self.tag(root);
            return Err(self.error(root.range().start, UrdfProblem::RootElement { element }));
        }
        self.refuse_xacro()?;
        self.visit(root, &["name", "version"], &["link", "joint", "material"])?;
        self.version = self.version()?;
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
            warnings: self.warnings,
            ..robot
        })
    }

    /// Returns the version of URDF, 1.0 where none is written, as urdfdom has it.
    fn version(&self) -> Result<[u32; 2], UrdfError> {
        match attribute_of(self.root, "version") {
            None | Some("1.0") => Ok([1, 0]),
            Some("1.1") => Ok([1, 1]),
            Some("1.2") => Ok([1, 2]),
            Some(_) => Err(self.value(self.root, "version", "1.0, 1.1 or 1.2")),
        }
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
            let read = self.inertial(inertial);
            link.inertial = self.or_left_out("inertial", read)?;
        }
        for child in elements(node) {
            match self.known(child) {
                "visual" => {
                    let read = self.checked_visual(child, &link);
                    link.visuals.extend(self.or_left_out("visual", read)?);
                }
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

    /// Reads the next visual of a link and validates its numbers.
    fn checked_visual(&mut self, node: Node<'a>, link: &Link) -> Result<Visual, UrdfError> {
        let visual = self.visual(node)?;
        check_visual_of(link, &visual).map_err(|refused| self.locate_in(node, refused))?;
        Ok(visual)
    }

    /// Turns an error in what bears on neither motion nor collision into a warning: the element is left out. Xacro
    /// that is not expanded stays an error.
    fn or_left_out<T>(
        &mut self,
        element: &str,
        read: Result<T, UrdfError>,
    ) -> Result<Option<T>, UrdfError> {
        let error = match read {
            Ok(part) => return Ok(Some(part)),
            Err(error) => error,
        };
        if let UrdfProblem::Xacro { .. } | UrdfProblem::XacroExpression { .. } = *error.problem {
            return Err(error);
        }
        let (line, column) = error.position.unwrap_or((1, 1));
        let message = format!("the <{element}> is left out: {}", error.problem);
        self.warnings.push(Warning {
            line,
            column,
            message,
        });
        Ok(None)
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

    /// Returns the file of a texture. Some exporters write the element without one.
    fn texture(&mut self, node: Node<'a>) -> Result<Option<String>, UrdfError> {
        self.visit(node, &["filename"], &[])?;
        let filename = attribute_of(node, "filename").filter(|name| !name.is_empty());
        if filename.is_none() {
            let message = "<texture> without filename is left out".to_owned();
            self.warning(node.range().start, message);
        }
        Ok(filename.map(str::to_owned))
    }

    /// Returns the `<origin>` in `node`, or the identity when there is none.
    fn origin(&mut self, node: Node<'a>) -> Result<Origin, UrdfError> {
        let Some(origin) = self.one(node, "origin")? else {
            return Ok(Origin::default());
        };
        self.visit(origin, &["xyz", "rpy", QUATERNION], &[])?;
        let xyz = self.numbers(origin, "xyz")?.unwrap_or_default();
        let rpy = self.numbers(origin, "rpy")?;
        Ok(match attribute_of(origin, QUATERNION) {
            None => Origin {
                xyz,
                rpy: rpy.unwrap_or_default(),
            },
            Some(_) if rpy.is_some() => {
                return Err(self.value(origin, QUATERNION, "no rpy beside it"));
            }
            Some(_) => Origin::from_isometry(&Isometry3::from_parts(
                Translation3::from(xyz),
                self.quaternion(origin)?,
            )),
        })
    }

    /// Returns the rotation of a quaternion, which is divided by its length.
    fn quaternion(&self, origin: Node<'a>) -> Result<UnitQuaternion<f64>, UrdfError> {
        // urdfdom reads no rotation at all where the version is older.
        if self.version < [1, 1] {
            let expected = "version=\"1.1\" on <robot>, the version of URDF that has quaternions";
            return Err(self.value(origin, QUATERNION, expected));
        }
        let numbers: [f64; 4] = self.numbers(origin, QUATERNION)?.unwrap_or_default();
        let expected = "a quaternion that is finite and not zero";
        superovoid::pose::rotation(numbers).map_err(|_| self.value(origin, QUATERNION, expected))
    }
}
