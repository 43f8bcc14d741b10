//! A robot in the terms of simulators.

use super::mesh_files::MeshFiles;
use super::meshes::Meshes;
use super::options::{Base, Options};
use super::{Link, Mass, Part, Solid};
use anyhow::{Result, ensure};
use superovoid_robot::{Collision, Geometry, JointKind, Robot, Visual};

/// A robot's links with their masses and shapes, in the order of [`Robot::links`].
pub struct Model<'a> {
    pub robot: &'a Robot,
    pub links: Vec<Link>,
    pub base: Base,
    /// What a reader of the result should know.
    pub notes: Vec<String>,
}

/// Makes the shape of a mesh that the robot names, in the format of the result; `None` where it has none.
pub trait OwnMeshes {
    fn shape(
        &mut self,
        link: &str,
        geometry: &Geometry,
        meshes: &Meshes,
        files: &mut MeshFiles,
    ) -> Option<Solid>;
}

impl<'a> Model<'a> {
    /// Returns the model.
    ///
    /// # Errors
    /// The error names every collision shape that the format has not, or whose mesh cannot be read.
    pub fn new(
        robot: &'a Robot,
        base: Base,
        options: &Options,
        meshes: &Meshes,
        files: &mut MeshFiles,
        own: &mut impl OwnMeshes,
        notes: Vec<String>,
    ) -> Result<Self> {
        let mut builder = Builder {
            robot,
            options,
            meshes,
            files,
            own,
            notes,
            without_mass: Vec::new(),
            lost: Vec::new(),
        };
        let links = robot.links().iter().map(|link| builder.link(link));
        let links = links.collect();
        let lost = builder.lost;
        ensure!(
            lost.is_empty(),
            "nothing is written, because these collision shapes cannot be:\n  {}",
            lost.join("\n  ")
        );
        let mut notes = builder.notes;
        if let Some(note) = by_density(&builder.without_mass, options.density) {
            notes.push(note);
        }
        Ok(Model {
            robot,
            links,
            base,
            notes,
        })
    }

    /// Whether the root is URDF's name for the world, and nothing else.
    pub fn root_is_world(&self) -> bool {
        let root = self.robot.root();
        self.robot.links()[root].name == "world" && self.links[root].is_frame()
    }

    /// Returns the link to which a fixed joint fixes a link.
    pub fn fixed_to(&self, link: usize) -> Option<usize> {
        let joint = &self.robot.joints()[self.robot.parent_joint(link)?];
        let parent = self.robot.link_index(&joint.parent);
        parent.filter(|_| joint.kind == JointKind::Fixed)
    }

    /// Returns for each link the topmost one of its rigid body: fixed joints lead to it.
    pub fn tops(&self) -> Vec<usize> {
        let mut tops = vec![None; self.links.len()];
        for link in 0..tops.len() {
            let (mut way, mut at) = (vec![link], link);
            let top = loop {
                match (tops[at], self.fixed_to(at)) {
                    (Some(top), _) => break top,
                    (None, None) => break at,
                    (None, Some(above)) => at = above,
                }
                way.push(at);
            };
            // Whatever lies on a way is known from here on, so that long chains take no longer than short ones.
            for link in way {
                tops[link] = Some(top);
            }
        }
        tops.into_iter().flatten().collect()
    }

    /// Gives the least mass to a link, and tells.
    pub fn give_least_mass(&mut self, link: usize) {
        let name = &self.robot.links()[link].name;
        self.notes.push(format!(
            "link {name:?} has no mass where the simulator needs one: it gets 0.001 kg and 1e-6 kg m²"
        ));
        self.links[link].mass = Some(Mass::least());
    }
}

fn by_density(links: &[String], density: f64) -> Option<String> {
    let first = links.first()?;
    let which = match links.len() {
        1 => format!("link {first:?} has"),
        count => format!("{count} links, the first of them {first:?}, have"),
    };
    Some(format!(
        "{which} no mass: that of the collision shapes at {density} kg/m³ is written"
    ))
}

struct Builder<'b, O> {
    robot: &'b Robot,
    options: &'b Options,
    meshes: &'b Meshes,
    files: &'b mut MeshFiles,
    own: &'b mut O,
    notes: Vec<String>,
    /// The links whose mass is that of their shapes.
    without_mass: Vec<String>,
    /// The collision shapes that cannot be written.
    lost: Vec<String>,
}

impl<O: OwnMeshes> Builder<'_, O> {
    fn link(&mut self, link: &superovoid_robot::Link) -> Link {
        let mut made = Link {
            mass: self.mass(link),
            visuals: Vec::new(),
            collisions: Vec::new(),
        };
        // A superovoid that is shown and compared has one mesh.
        for visual in &link.visuals {
            made.visuals.extend(self.visual(&link.name, visual));
        }
        for (number, collision) in (1..).zip(&link.collisions) {
            let Some(part) = self.collision(&link.name, collision) else {
                let what = match &collision.geometry {
                    Geometry::Mesh { filename, .. } => {
                        let problem = self.meshes.problem(filename).unwrap_or("is not read");
                        format!("the mesh {filename:?}: {problem}")
                    }
                    other => format!("<{}>", other.element()),
                };
                let name = &link.name;
                self.lost
                    .push(format!("link {name:?}, collision {number}: {what}"));
                continue;
            };
            if collision.superovoid.is_some() {
                made.visuals.push(Part {
                    name: None,
                    ..part.clone()
                });
            }
            made.collisions.push(part);
        }
        made
    }

    fn visual(&mut self, link: &str, visual: &Visual) -> Option<Part> {
        let solid = match &visual.superovoid {
            Some(shape) => Solid::of_superovoid(link, shape, self.files, self.options.segments),
            None => self.shown_solid(link, &visual.geometry)?,
        };
        Some(Part {
            name: visual.name.clone(),
            origin: visual.origin,
            solid,
            color: self.color(visual),
        })
    }

    /// Returns the colour of a visual, its own or that of the robot's material of its name.
    fn color(&self, visual: &Visual) -> Option<[f64; 4]> {
        let material = visual.material.as_ref()?;
        let of_robot = || {
            let mut materials = self.robot.materials().iter();
            materials.find(|one| one.name == material.name)?.color
        };
        material.color.or_else(of_robot)
    }

    fn collision(&mut self, link: &str, collision: &Collision) -> Option<Part> {
        let solid = match &collision.superovoid {
            Some(shape) => Solid::of_superovoid(link, shape, self.files, self.options.segments),
            None => self.solid(link, &collision.geometry)?,
        };
        Some(Part {
            name: collision.name.clone(),
            origin: collision.origin,
            solid,
            color: None,
        })
    }

    fn solid(&mut self, link: &str, geometry: &Geometry) -> Option<Solid> {
        match geometry {
            Geometry::Mesh { .. } => self.own.shape(link, geometry, self.meshes, self.files),
            _ => Solid::of_geometry(geometry),
        }
    }

    /// Returns the solid of a visual, which may be left out.
    fn shown_solid(&mut self, link: &str, geometry: &Geometry) -> Option<Solid> {
        let solid = self.solid(link, geometry);
        if solid.is_none() {
            let element = geometry.element();
            self.notes.push(format!(
                "link {link:?}: a visual that is a {element} is left out"
            ));
        }
        solid
    }

    fn mass(&mut self, link: &superovoid_robot::Link) -> Option<Mass> {
        let own = link.inertial.as_ref().filter(|own| own.mass > 0.0);
        if let Some(mass) = own.and_then(|own| Mass::of_inertial(own).possible()) {
            return Some(mass);
        }
        let shapes = link.collisions.iter().filter_map(|collision| {
            let mesh = self.meshes.get(&collision.geometry).map(|mesh| &**mesh);
            Mass::of_collision(collision, mesh)
        });
        let shapes: Vec<Mass> = shapes.collect();
        let of_shapes = Mass::sum(&shapes).and_then(Mass::possible);
        let Some(own) = own else {
            let found = of_shapes?;
            self.without_mass.push(link.name.clone());
            return Some(found.with_mass(found.mass * self.options.density));
        };
        let said = Mass::of_inertial(own);
        let name = &link.name;
        let (found, of) = match of_shapes {
            Some(shapes) => (shapes.with_mass(own.mass).inertia, "its collision shapes"),
            // (m / ρ) = 4/3 π r³, I = 2/5 m r².
            None => (
                ball(own.mass, self.options.density),
                "a ball of the same mass",
            ),
        };
        self.notes.push(format!(
            "link {name:?}: no body has the inertia that is given, which is not positive or breaks the triangle inequality: \
             that of {of} is written"
        ));
        Some(Mass {
            inertia: found,
            ..said
        })
    }
}

fn ball(mass: f64, density: f64) -> nalgebra::Matrix3<f64> {
    let radius = (mass / density * 0.75 / std::f64::consts::PI).cbrt();
    nalgebra::Matrix3::identity() * (0.4 * mass * radius * radius)
}
