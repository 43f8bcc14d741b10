//! A rigid body: its mass and pose, and the displacement of a substep.
//!
//! In a substep of length h the unknowns are the displacement u of the centre of mass and the turn φ since the start of
//! the substep. They are predicted from the velocities, corrected by impulses, and give the pose and the velocities:
//!
//! ```text
//! v ← v + h g,   ω ← ω + h I⁻¹ (−ω × I ω) (implicit),   u = h v,   φ = h ω
//! an impulse P (times h) at r:   u += P/m,   φ += I⁻¹ (r × P)
//! x ← x + u,   q ← normalised (q + ½ φ q),   v = u/h,   ω = φ/h
//! ```
//!
//! The inverse mass that an impulse along n at r meets is w = 1/m + (r × n)ᵀ I⁻¹ (r × n). What cannot be moved by
//! impulses has w = 0. The gyroscopic term takes one Newton step of the implicit equation, which loses energy but never
//! gains it.

use crate::rigid::manifold::Placed;
use crate::rigid::vertices::vertices;
use crate::scene::{Body, BodyContact, Key, Motion, Shape};
use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};
use std::collections::HashMap;
use superovoid::bvh::TriMesh;
use superovoid::pose::rotation;
use superovoid::{Aabb, Superovoid};

/// The shape that contact works with.
#[derive(Clone)]
pub(crate) enum ContactShape {
    Superovoid(Superovoid),
    HalfSpace,
    Mesh(Box<StaticMesh>),
}

/// A mesh with its hierarchy and, for each triangle, the outward unit normal and the offset of its plane, and its edges.
#[derive(Clone)]
pub(crate) struct StaticMesh {
    pub tree: TriMesh,
    pub planes: Vec<(Vector3<f64>, f64)>,
    /// Whether the mesh bends back over an edge of a triangle, or ends there.
    pub ridges: Vec<[bool; 3]>,
    pub bounds: Aabb,
}

/// A body with its state.
#[derive(Clone)]
pub(crate) struct RigidBody {
    pub shape: ContactShape,
    /// The vertices that the published contact asks, in the frame of the shape.
    pub vertices: Vec<Point3<f64>>,
    /// The centre of mass in the frame of the shape.
    pub center: Vector3<f64>,
    /// The radius of a sphere about the centre of mass that contains the shape; infinite for half-spaces.
    pub radius: f64,
    /// The radius of the bounding sphere of a superovoid, metres; 0 for what is none.
    pub size: f64,
    pub material: usize,
    /// The poses that a kinematic body follows.
    pub keys: Vec<Key>,
    /// A bound of the speed of the surface of a body that is guided, m/s.
    pub guided: f64,
    /// The shape at the start of the substep, of a body that a person reshapes, and a bound of how far its surface changes.
    pub shape_before: Option<Superovoid>,
    pub change: f64,
    pub inverse_mass: f64,
    /// The principal moments of inertia, in the frame of the shape, and their inverses; zero where nothing moves it.
    pub inertia: Vector3<f64>,
    pub inverse_inertia: Vector3<f64>,
    pub x: Vector3<f64>,
    pub q: UnitQuaternion<f64>,
    pub v: Vector3<f64>,
    pub omega: Vector3<f64>,
    /// The rotation matrix of `q`, and the inverse inertia in the world frame.
    pub rotation: Matrix3<f64>,
    pub inverse_inertia_world: Matrix3<f64>,
    /// The displacement and turn of the substep.
    pub u: Vector3<f64>,
    pub phi: Vector3<f64>,
    pub asleep: bool,
    /// The time for which the body has been slow, seconds.
    pub rested: f64,
    /// The pose at the start of the frame.
    pub before: (Vector3<f64>, UnitQuaternion<f64>),
    /// The length of the way that the farthest point of the body can have made since the start, metres.
    pub path: f64,
}

/// Returns the rotation of a validated orientation.
pub(crate) fn quaternion(&[w, x, y, z]: &[f64; 4]) -> UnitQuaternion<f64> {
    rotation([x, y, z, w]).unwrap_or_default()
}

impl RigidBody {
    /// Builds a body of a validated scene.
    pub fn new(body: &Body, contact: BodyContact) -> Self {
        let shape = contact_shape(&body.shape);
        let vertices = vertices(&body.shape, contact);
        let mut center = Vector3::zeros();
        let (mut inverse_mass, mut inertia, mut inverse_inertia) =
            (0.0, Vector3::zeros(), Vector3::zeros());
        let (mut v, mut omega) = (Vector3::zeros(), Vector3::zeros());
        if let (
            ContactShape::Superovoid(shape),
            Motion::Dynamic {
                density,
                velocity,
                angular_velocity,
            },
        ) = (&shape, &body.motion)
        {
            let mass = shape.mass_properties();
            center = mass.center_of_mass.coords;
            inverse_mass = 1.0 / (mass.volume * density);
            inertia = mass.inertia.diagonal() * *density;
            inverse_inertia = inertia.map(|i| 1.0 / i);
            (v, omega) = (Vector3::from(*velocity), Vector3::from(*angular_velocity));
        }
        let size = match &shape {
            ContactShape::Superovoid(shape) => shape.bounding_sphere().radius,
            _ => 0.0,
        };
        let radius = match &shape {
            ContactShape::Superovoid(_) => size + center.norm(),
            ContactShape::HalfSpace => f64::INFINITY,
            ContactShape::Mesh(mesh) => mesh
                .bounds
                .min
                .coords
                .norm()
                .max(mesh.bounds.max.coords.norm()),
        };
        let q = quaternion(&body.orientation);
        let keys = match &body.motion {
            Motion::Kinematic { keys } => keys.clone(),
            _ => Vec::new(),
        };
        let mut made = RigidBody {
            shape,
            vertices,
            center,
            radius,
            size,
            material: body.material,
            keys,
            guided: 0.0,
            shape_before: None,
            change: 0.0,
            inverse_mass,
            inertia,
            inverse_inertia,
            x: Vector3::from(body.position) + q * center,
            q,
            v,
            omega,
            rotation: Matrix3::identity(),
            inverse_inertia_world: Matrix3::zeros(),
            u: Vector3::zeros(),
            phi: Vector3::zeros(),
            asleep: false,
            rested: 0.0,
            before: (Vector3::zeros(), q),
            path: 0.0,
        };
        made.before = (made.x, made.q);
        made.refresh();
        made
    }

    /// Whether forces and contacts move the body.
    pub fn is_dynamic(&self) -> bool {
        self.inverse_mass > 0.0
    }

    /// Whether impulses move the body now: it is dynamic and awake.
    pub fn is_movable(&self) -> bool {
        self.inverse_mass > 0.0 && !self.asleep
    }

    /// Whether nothing moves the body now: it is static or asleep.
    pub fn rests(&self) -> bool {
        !self.is_movable() && self.keys.is_empty()
    }

    /// The pose of the shape.
    pub fn pose(&self) -> Isometry3<f64> {
        let origin = self.x - self.rotation * self.center;
        Isometry3::from_parts(Translation3::from(origin), self.q)
    }

    /// The shape of this body, a superovoid, at a pose.
    pub fn placed<'a>(&self, shape: &'a Superovoid, pose: &'a Isometry3<f64>) -> Placed<'a> {
        let size = self.size;
        Placed { shape, pose, size }
    }

    /// The pose of the shape at the end of the substep.
    pub fn moved_pose(&self) -> Isometry3<f64> {
        let q = UnitQuaternion::from_scaled_axis(self.phi) * self.q;
        let origin = self.x + self.u - q * self.center;
        Isometry3::from_parts(Translation3::from(origin), q)
    }

    /// The box of the shape at the start and at the end of the substep, at their poses; none for a half-space.
    pub fn swept_aabb(&self, poses: &[Isometry3<f64>; 2]) -> Option<Aabb> {
        let boxes = match &self.shape {
            ContactShape::Superovoid(shape) => {
                let before = self.shape_before.as_ref().unwrap_or(shape);
                [before.aabb(&poses[0]), shape.aabb(&poses[1])]
            }
            ContactShape::HalfSpace => return None,
            ContactShape::Mesh(mesh) => poses.map(|pose| transformed(&mesh.bounds, &pose)),
        };
        Some(Aabb {
            min: boxes[0].min.inf(&boxes[1].min),
            max: boxes[0].max.sup(&boxes[1].max),
        })
    }

    /// The axis-aligned box of the shape, or none for a half-space.
    pub fn aabb(&self) -> Option<Aabb> {
        match &self.shape {
            ContactShape::Superovoid(shape) => Some(shape.aabb(&self.pose())),
            ContactShape::HalfSpace => None,
            ContactShape::Mesh(mesh) => Some(transformed(&mesh.bounds, &self.pose())),
        }
    }

    /// Recomputes what depends on the orientation.
    pub fn refresh(&mut self) {
        self.rotation = self.q.to_rotation_matrix().into_inner();
        let r = &self.rotation;
        self.inverse_inertia_world =
            r * Matrix3::from_diagonal(&self.inverse_inertia) * r.transpose();
    }

    /// Predicts the displacement of a substep that ends at `time`.
    pub fn predict(&mut self, gravity: Vector3<f64>, time: f64, h: f64) {
        (self.u, self.phi) = (Vector3::zeros(), Vector3::zeros());
        if self.is_movable() {
            self.v += gravity * h;
            self.omega = self.with_gyroscopic_term(h);
            (self.u, self.phi) = (self.v * h, self.omega * h);
        } else if !self.keys.is_empty() {
            let (x, q) = along(&self.keys, time).unwrap_or(self.before);
            self.u = x - self.x;
            self.phi = (q * self.q.inverse()).scaled_axis();
            (self.v, self.omega) = (self.u / h, self.phi / h);
        }
    }

    /// One Newton step of I (ω' − ω) + h ω' × I ω' = 0, in the frame of the body.
    fn with_gyroscopic_term(&self, h: f64) -> Vector3<f64> {
        let i = &self.inertia;
        if i.x == i.y && i.y == i.z {
            return self.omega;
        }
        let omega = self.rotation.tr_mul(&self.omega);
        let momentum = i.component_mul(&omega);
        let f = omega.cross(&momentum) * h;
        let inertia = Matrix3::from_diagonal(i);
        let jacobian = inertia + (omega.cross_matrix() * inertia - momentum.cross_matrix()) * h;
        match jacobian.try_inverse() {
            Some(inverse) => self.rotation * (omega - inverse * f),
            None => self.omega,
        }
    }

    /// Returns the inverse mass that an impulse along the unit vector n at r meets.
    pub fn weight(&self, r: &Vector3<f64>, n: &Vector3<f64>) -> f64 {
        if !self.is_movable() {
            return 0.0;
        }
        let lever = r.cross(n);
        self.inverse_mass + lever.dot(&(self.inverse_inertia_world * lever))
    }

    /// Changes the displacement by an impulse (times h) at r.
    pub fn push(&mut self, r: &Vector3<f64>, impulse: &Vector3<f64>) {
        if self.is_movable() {
            self.u += impulse * self.inverse_mass;
            self.phi += self.inverse_inertia_world * r.cross(impulse);
        }
    }

    /// Returns the inverse inertia about an axis.
    pub fn turning_weight(&self, axis: &Vector3<f64>) -> f64 {
        if self.is_movable() {
            axis.dot(&(self.inverse_inertia_world * axis))
        } else {
            0.0
        }
    }

    /// Changes the turn by a torque (times h²).
    pub fn turn(&mut self, torque: &Vector3<f64>) {
        if self.is_movable() {
            self.phi += self.inverse_inertia_world * torque;
        }
    }

    /// Changes the velocity by an impulse at r.
    pub fn kick(&mut self, r: &Vector3<f64>, impulse: &Vector3<f64>) {
        if self.is_movable() {
            self.v += impulse * self.inverse_mass;
            self.omega += self.inverse_inertia_world * r.cross(impulse);
        }
    }

    /// The displacement of the point at r, to first order in the turn.
    pub fn displacement(&self, r: &Vector3<f64>) -> Vector3<f64> {
        self.u + self.phi.cross(r)
    }

    /// The velocity of the point at r.
    pub fn velocity(&self, r: &Vector3<f64>) -> Vector3<f64> {
        self.v + self.omega.cross(r)
    }

    /// Moves the body by its displacement, and takes the velocities from it.
    pub fn finish(&mut self, h: f64) {
        let moving = self.is_movable() || !self.keys.is_empty();
        if !moving || (self.u == Vector3::zeros() && self.phi == Vector3::zeros()) {
            if self.is_movable() || !self.keys.is_empty() {
                (self.v, self.omega) = (Vector3::zeros(), Vector3::zeros());
            }
            return;
        }
        self.x += self.u;
        self.q = UnitQuaternion::from_scaled_axis(self.phi) * self.q;
        self.q.renormalize_fast();
        (self.v, self.omega) = (self.u / h, self.phi / h);
        self.path += self.u.norm()
            + self.phi.norm()
                * if self.radius.is_finite() {
                    self.radius
                } else {
                    0.0
                };
        self.refresh();
    }
}

fn contact_shape(shape: &Shape) -> ContactShape {
    match shape {
        Shape::Superovoid {
            semi_axes,
            exponents,
            tapers,
        } => {
            let shape =
                Superovoid::new(*semi_axes, *exponents, *tapers).expect("the scene was validated");
            ContactShape::Superovoid(shape)
        }
        Shape::HalfSpace => ContactShape::HalfSpace,
        Shape::Mesh {
            vertices,
            triangles,
        } => {
            let vertices: Vec<Point3<f64>> = vertices.iter().map(|&v| v.into()).collect();
            let plane = |t: &[u32; 3]| {
                let [a, b, c] = t.map(|v| vertices[v as usize]);
                let normal = (b - a).cross(&(c - a)).normalize();
                (normal, normal.dot(&a.coords))
            };
            let planes: Vec<_> = triangles.iter().map(plane).collect();
            let ridges = ridges(&vertices, triangles, &planes);
            let (min, max) = vertices
                .iter()
                .fold((vertices[0], vertices[0]), |(min, max), v| {
                    (min.inf(v), max.sup(v))
                });
            let bounds = Aabb { min, max };
            // A surface: what is inside is held by the outward sides of the triangles.
            let tree = TriMesh::new(vertices, triangles.clone());
            let tree = tree.expect("the scene was validated").surface();
            ContactShape::Mesh(Box::new(StaticMesh {
                tree,
                planes,
                ridges,
                bounds,
            }))
        }
    }
}

/// Whether the neighbour over an edge, from corner k to the next, lies below the plane of the triangle, or is missing.
fn ridges(
    vertices: &[Point3<f64>],
    triangles: &[[u32; 3]],
    planes: &[(Vector3<f64>, f64)],
) -> Vec<[bool; 3]> {
    let mut opposite = HashMap::new();
    for &[a, b, c] in triangles {
        opposite.extend([((a, b), c), ((b, c), a), ((c, a), b)]);
    }
    let ridge = |(triangle, (normal, offset)): (&[u32; 3], &(Vector3<f64>, f64))| {
        [0, 1, 2].map(|k| {
            let (from, to) = (triangle[k], triangle[(k + 1) % 3]);
            let size = (vertices[to as usize] - vertices[from as usize]).norm();
            let height = |v: &u32| normal.dot(&vertices[*v as usize].coords) - offset;
            opposite
                .get(&(to, from))
                .is_none_or(|v| height(v) < -1e-9 * size)
        })
    };
    triangles.iter().zip(planes).map(ridge).collect()
}

/// The box of a box at a pose.
pub(crate) fn transformed(bounds: &Aabb, pose: &Isometry3<f64>) -> Aabb {
    let center = nalgebra::center(&bounds.min, &bounds.max);
    let half = (bounds.max - bounds.min) * 0.5;
    let rotation = pose.rotation.to_rotation_matrix().into_inner().abs();
    let (center, half) = (pose * center, rotation * half);
    Aabb {
        min: center - half,
        max: center + half,
    }
}

/// The pose of a kinematic body at a time; none before the first key.
fn along(keys: &[Key], time: f64) -> Option<(Vector3<f64>, UnitQuaternion<f64>)> {
    let after = keys.partition_point(|key| key.time <= time);
    let pose = |key: &Key| (Vector3::from(key.position), quaternion(&key.orientation));
    if after == 0 {
        return None;
    }
    let (x, q) = pose(&keys[after - 1]);
    let Some(next) = keys.get(after) else {
        return Some((x, q));
    };
    let share = (time - keys[after - 1].time) / (next.time - keys[after - 1].time);
    let (x1, q1) = pose(next);
    Some((
        x.lerp(&x1, share),
        q.try_slerp(&q1, share, 1e-9).unwrap_or(q1),
    ))
}

impl RigidBody {
    /// A bound of the speed of any point of a driven body in the time from `time` on.
    pub fn driven_speed(&self, time: f64, span: f64) -> f64 {
        if self.keys.is_empty() {
            return 0.0;
        }
        let (x, q) = along(&self.keys, time + span).unwrap_or((self.x, self.q));
        let radius = if self.radius.is_finite() {
            self.radius
        } else {
            0.0
        };
        let speed = 1.5 * ((x - self.x).norm() + radius * self.q.angle_to(&q)) / span;
        speed.max(self.guided)
    }
}
