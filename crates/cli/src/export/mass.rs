//! The mass and inertia of links.
//!
//! Simulators need a mass for everything that moves. A link without `<inertial>` gets that of its collision shapes at one
//! density: superovoids by the closed forms of `Superovoid::mass_properties`, the solids of URDF by the textbook's, and
//! meshes as polyhedra. With vertices a, b, c of its triangles and the origin the tetrahedra have
//!
//! ```text
//! V = a·(b × c) / 6,   ∫ x dV = V s / 4,   ∫ x xᵀ dV = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20,   s = a + b + c
//! ```
//!
//! whose signed sums are those of a closed mesh; a mesh that is not closed counts as its convex hull.

use nalgebra::{Isometry3, Matrix3, Point3, Vector3};
use std::f64::consts::PI;
use superovoid::bvh::TriMesh;
use superovoid_fit::Mesh;
use superovoid_robot::{Collision, Geometry, Inertial};

/// The mass, centre and inertia of a body.
#[derive(Clone, Copy, Debug)]
pub struct Mass {
    /// The mass, kg.
    pub mass: f64,
    /// The centre of mass, metres.
    pub center: Vector3<f64>,
    /// The inertia about the centre, along the axes of the frame, kg m².
    pub inertia: Matrix3<f64>,
}

impl Mass {
    /// The mass and inertia of an empty body that has to move: a gram, and 10⁻⁶ kg m².
    pub fn least() -> Self {
        Mass {
            mass: 1e-3,
            center: Vector3::zeros(),
            inertia: Matrix3::identity() * 1e-6,
        }
    }

    /// Returns what the `<inertial>` says, in the frame of the link.
    pub fn of_inertial(inertial: &Inertial) -> Self {
        let [xx, xy, xz, yy, yz, zz] = inertial.inertia;
        Mass {
            mass: inertial.mass,
            center: Vector3::zeros(),
            inertia: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
        }
        .moved(&inertial.origin.isometry())
    }

    /// Returns that of a collision shape of unit density, in the frame of the link; `None` for a mesh without volume and
    /// what is no solid.
    pub fn of_collision(collision: &Collision, mesh: Option<&TriMesh>) -> Option<Self> {
        let own = match (collision.contact_shape(), &collision.geometry) {
            (Some(shape), _) => {
                let of = shape.mass_properties();
                Mass {
                    mass: of.volume,
                    center: of.center_of_mass.coords,
                    inertia: of.inertia,
                }
            }
            (None, Geometry::Box { size }) => {
                let [x, y, z] = size.map(|length| length * length / 12.0);
                Mass::centred(size.iter().product(), [y + z, x + z, x + y])
            }
            (None, &Geometry::Cylinder { radius, length }) => cylinder(radius, length),
            (None, &Geometry::Capsule { radius, length }) => capsule(radius, length),
            (None, _) => polyhedron(mesh?)?,
        };
        Some(own.moved(&collision.origin.isometry()))
    }

    /// Returns the sum of bodies in one frame; `None` if they have no mass.
    pub fn sum(parts: &[Mass]) -> Option<Self> {
        let mass: f64 = parts.iter().map(|part| part.mass).sum();
        if mass.is_nan() || mass <= 0.0 {
            return None;
        }
        let first: Vector3<f64> = parts.iter().map(|part| part.center * part.mass).sum();
        let center = first / mass;
        let about = |part: &Mass| part.inertia + steiner(&(part.center - center)) * part.mass;
        Some(Mass {
            mass,
            center,
            inertia: parts.iter().map(about).sum(),
        })
    }

    /// Returns that of the same body with another mass.
    pub fn with_mass(self, mass: f64) -> Self {
        Mass {
            mass,
            inertia: self.inertia * (mass / self.mass),
            ..self
        }
    }

    /// Whether a body can have this inertia: the moments about the main axes are positive, and none is greater than the
    /// sum of the others. A flat body, whose greatest is that sum, is made thicker by 10⁻⁹, so that rounding does not
    /// make it impossible.
    pub fn possible(mut self) -> Option<Self> {
        let mut moments: [f64; 3] = self.inertia.symmetric_eigenvalues().into();
        moments.sort_by(f64::total_cmp);
        let [least, middle, most] = moments;
        let spare = least + middle - most;
        if self.mass > 0.0 && self.mass.is_finite() && least > 0.0 && spare >= -1e-9 * most {
            if spare < 1e-9 * most {
                self.inertia += Matrix3::identity() * (2e-9 * most);
            }
            Some(self)
        } else {
            None
        }
    }

    fn centred(mass: f64, moments: [f64; 3]) -> Self {
        Mass {
            mass,
            center: Vector3::zeros(),
            inertia: Matrix3::from_diagonal(&(Vector3::from(moments) * mass)),
        }
    }

    fn moved(self, pose: &Isometry3<f64>) -> Self {
        let turn = pose.rotation.to_rotation_matrix();
        Mass {
            mass: self.mass,
            center: (pose * Point3::from(self.center)).coords,
            inertia: turn * self.inertia * turn.inverse(),
        }
    }
}

/// Returns the inertia of a unit mass at `d` about the origin.
fn steiner(d: &Vector3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * d.norm_squared() - d * d.transpose()
}

fn cylinder(radius: f64, length: f64) -> Mass {
    let across = radius * radius / 4.0 + length * length / 12.0;
    let volume = PI * radius * radius * length;
    Mass::centred(volume, [across, across, radius * radius / 2.0])
}

/// A cylinder and two half-balls, whose centres of mass are 3/8 of the radius from their flat sides.
fn capsule(radius: f64, length: f64) -> Mass {
    let half = 2.0 / 3.0 * PI * radius.powi(3);
    let along = 0.4 * radius * radius;
    let offset = 3.0 / 8.0 * radius;
    let cap = |side: f64| Mass {
        center: Vector3::z() * side * (0.5 * length + offset),
        ..Mass::centred(
            half,
            [along - offset * offset, along - offset * offset, along],
        )
    };
    let parts = [cylinder(radius, length), cap(1.0), cap(-1.0)];
    Mass::sum(&parts).unwrap_or(parts[0])
}

fn polyhedron(mesh: &TriMesh) -> Option<Mass> {
    let solid = Mesh::try_from(mesh.mesh().clone()).ok()?;
    let solid = match solid.volume() {
        Some(volume) if volume > 0.0 => solid,
        _ => solid.hull()?,
    };
    let corners = solid.vertices();
    let origin = corners.first()?.coords;
    let (mut volume, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
    for triangle in solid.triangles() {
        let [a, b, c] = triangle.map(|k| corners[k as usize].coords - origin);
        let (part, s) = (a.dot(&b.cross(&c)) / 6.0, a + b + c);
        volume += part;
        first += s * (part / 4.0);
        let squares = [a, b, c, s].map(|v| v * v.transpose());
        second += squares.iter().sum::<Matrix3<f64>>() * (part / 20.0);
    }
    let center = first / volume;
    let about = second - center * center.transpose() * volume;
    Some(Mass {
        mass: volume,
        center: center + origin,
        inertia: Matrix3::identity() * about.trace() - about,
    })
    .filter(|mass| mass.mass > 0.0)
}
