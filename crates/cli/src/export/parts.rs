//! The shapes of a link in terms that simulators know.

use super::Mass;
use super::mesh_files::MeshFiles;
use superovoid::Superovoid;
use superovoid_robot::{Geometry, Origin};

/// A link: its mass and its shapes.
pub struct Link {
    /// The mass; `None` where it has none and needs none.
    pub mass: Option<Mass>,
    pub visuals: Vec<Part>,
    pub collisions: Vec<Part>,
}

impl Link {
    /// Whether it is a frame only.
    pub fn is_frame(&self) -> bool {
        self.mass.is_none() && self.visuals.is_empty() && self.collisions.is_empty()
    }
}

/// A shape at its place in the link.
#[derive(Clone)]
pub struct Part {
    pub name: Option<String>,
    pub origin: Origin,
    pub solid: Solid,
    pub color: Option<[f64; 4]>,
}

/// A shape; lengths in metres, those with an axis stand along z.
#[derive(Clone)]
pub enum Solid {
    Sphere { radius: f64 },
    Ellipsoid { radii: [f64; 3] },
    Box { size: [f64; 3] },
    Cylinder { radius: f64, length: f64 },
    Capsule { radius: f64, length: f64 },
    Mesh { address: String, scale: [f64; 3] },
}

impl Solid {
    /// Returns a superovoid: a sphere or an ellipsoid as it is, everything else as a mesh.
    pub fn of_superovoid(
        link: &str,
        shape: &Superovoid,
        files: &mut MeshFiles,
        segments: u32,
    ) -> Self {
        let [a1, a2, a3] = shape.semi_axes();
        if shape.exponents() != [1.0; 2] || shape.tapers() != [0.0; 2] {
            Solid::mesh(files.add(link, shape.tessellate(segments as usize)))
        } else if a1 == a2 && a2 == a3 {
            Solid::Sphere { radius: a1 }
        } else {
            Solid::Ellipsoid {
                radii: [a1, a2, a3],
            }
        }
    }

    /// Returns a mesh as it is in its file.
    pub fn mesh(address: String) -> Self {
        Solid::Mesh {
            address,
            scale: [1.0; 3],
        }
    }

    /// Returns a solid of URDF; `None` for a mesh, for what URDF does not define, and for a size of 0.
    pub fn of_geometry(geometry: &Geometry) -> Option<Self> {
        let (solid, lengths) = match *geometry {
            Geometry::Sphere { radius } => (Solid::Sphere { radius }, [radius; 3]),
            Geometry::Box { size } => (Solid::Box { size }, size),
            Geometry::Cylinder { radius, length } => {
                (Solid::Cylinder { radius, length }, [radius, radius, length])
            }
            // A capsule of length 0 is a ball, and simulators want a length.
            Geometry::Capsule {
                radius,
                length: 0.0,
            } => (Solid::Sphere { radius }, [radius; 3]),
            Geometry::Capsule { radius, length } => {
                (Solid::Capsule { radius, length }, [radius, radius, length])
            }
            Geometry::Mesh { .. } | Geometry::Other(_) => return None,
        };
        lengths.iter().all(|length| *length > 0.0).then_some(solid)
    }
}
