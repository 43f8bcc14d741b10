//! The scene: plain, versioned data that says everything about a simulation, so that the same scene gives the same bits.
//!
//! Lengths are metres, masses kilograms, times seconds, angles radians; the frame is right-handed with z up. A scene is
//! validated once, by [`World::new`](crate::World::new); see [`SceneError`](crate::SceneError).

use serde::{Deserialize, Serialize};

/// The version of the scenes that this library reads and writes.
pub const SCENE_VERSION: u32 = 1;

/// Everything about a simulation, as plain data.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// The version of the format, [`SCENE_VERSION`].
    pub version: u32,
    /// The name, for titles and file names.
    #[serde(default)]
    pub name: String,
    /// How time is advanced and what acts everywhere.
    #[serde(default)]
    pub settings: Settings,
    /// The surfaces, to which bodies, cloths and solids refer by index. A scene without any has one, [`Material::default`].
    #[serde(default)]
    pub materials: Vec<Material>,
    /// The bodies.
    #[serde(default)]
    pub bodies: Vec<Body>,
    /// The cloths.
    #[serde(default)]
    pub cloths: Vec<Cloth>,
    /// The joints between bodies.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Pairs of bodies, by their indices, that do not touch, beside those that a joint connects.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub excluded_pairs: Vec<[usize; 2]>,
    /// The soft solids. They and cloths do not meet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub solids: Vec<Solid>,
}

impl Default for Scene {
    fn default() -> Self {
        Scene {
            version: SCENE_VERSION,
            name: String::new(),
            settings: Settings::default(),
            materials: vec![Material::default()],
            bodies: Vec::new(),
            cloths: Vec::new(),
            joints: Vec::new(),
            excluded_pairs: Vec::new(),
            solids: Vec::new(),
        }
    }
}

impl Scene {
    /// The materials, or the default one where the scene has none.
    pub(crate) fn surfaces(&self) -> &[Material] {
        const DEFAULT: &[Material] = &[Material::DEFAULT];
        if self.materials.is_empty() {
            DEFAULT
        } else {
            &self.materials
        }
    }
}

/// How time is advanced and what acts everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// The time of a frame, seconds: what one [`World::step`](crate::World::step) advances.
    pub frame: f64,
    /// The substeps of a frame, 1 to 1000.
    pub substeps: u32,
    /// The acceleration of gravity, m/s².
    pub gravity: [f64; 3],
    /// The velocity of the air, m/s, in which cloths drag.
    pub wind: [f64; 3],
    /// The scheme of integration.
    pub scheme: Scheme,
    /// The contact skin of rigid bodies, metres: they rest at this distance, where queries are cheap and certified.
    pub skin: f64,
    /// The greatest speed at which what starts inside something is pushed out, m/s.
    pub push_out_speed: f64,
    /// Islands whose bodies are all slower than `sleep_speed` for 0.5 s fall asleep; 0 keeps everything awake, m/s.
    pub sleep_speed: f64,
    /// The method of contact between bodies.
    pub body_contact: BodyContact,
    /// How soft solids move and meet.
    #[serde(skip_serializing_if = "SoftSettings::is_default")]
    pub soft: SoftSettings,
}

/// The method of contact between bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum BodyContact {
    /// Exact: one query of a pair, with its manifold, and the exact query of meshes.
    #[default]
    Exact,
    /// As published in the thesis: the 506 vertices of the mesh of either body against the surface of the other, by the
    /// iterative method in every substep, from the skin on. Half-spaces stay exact.
    Iterative {
        /// The error at which the method ends, metres.
        tolerance: f64,
        /// The most iterations.
        iterations: u32,
    },
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            frame: 1.0 / 60.0,
            substeps: 10,
            gravity: [0.0, 0.0, -9.81],
            wind: [0.0; 3],
            scheme: Scheme::Xpbd,
            skin: 0.005,
            push_out_speed: 1.0,
            sleep_speed: 0.02,
            body_contact: BodyContact::Exact,
            soft: SoftSettings::default(),
        }
    }
}

/// The scheme of integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Scheme {
    /// Extended position-based dynamics: compliances in SI units and one pass over the constraints in a substep.
    #[default]
    Xpbd,
    /// Position-based dynamics as published: `iterations` passes with stiffnesses in [0, 1] instead of compliances, then
    /// `velocity_iterations` passes over the velocities of contacts.
    Pbd {
        /// The passes over the position constraints in a substep, at least 1.
        iterations: u32,
        /// The passes over the velocities of contacts in a substep.
        velocity_iterations: u32,
        /// The stiffness k of distance constraints, in [0, 1].
        stretch: f64,
        /// The stiffness k of bending constraints, in [0, 1].
        bend: f64,
        /// Whether k′ = 1 − (1 − k)^(1/n) is used, so that n passes remove the share k of an error.
        #[serde(default)]
        per_iteration: bool,
    },
}

/// What a surface is made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Material {
    /// The coefficient of static friction, at least 0; that of two surfaces is the geometric mean.
    pub static_friction: f64,
    /// The coefficient of kinetic friction, at least 0 and at most the static one.
    pub kinetic_friction: f64,
    /// The coefficient of restitution, in [0, 1]; that of two surfaces is the geometric mean.
    pub restitution: f64,
    /// The rolling friction of bodies, metres: what presses with the force N resists turning by a torque of this times
    /// N; that of two surfaces is the geometric mean.
    pub rolling_friction: f64,
}

impl Material {
    const DEFAULT: Material = Material {
        static_friction: 0.4,
        kinetic_friction: 0.4,
        restitution: 0.0,
        rolling_friction: 0.0,
    };
}

impl Default for Material {
    fn default() -> Self {
        Material::DEFAULT
    }
}

/// A body: a shape, its pose, and how it moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// The name, for messages and files.
    #[serde(default)]
    pub name: String,
    /// The shape, in the frame of the body.
    pub shape: Shape,
    /// The origin of the shape's frame, metres.
    #[serde(default)]
    pub position: [f64; 3],
    /// The orientation of the shape's frame, a quaternion `[w, x, y, z]`, which is divided by its length.
    #[serde(default = "upright")]
    pub orientation: [f64; 4],
    /// How the body moves.
    #[serde(default)]
    pub motion: Motion,
    /// The index of the material.
    #[serde(default)]
    pub material: usize,
}

fn upright() -> [f64; 4] {
    [1.0, 0.0, 0.0, 0.0]
}

/// The shape of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// A superovoid.
    Superovoid {
        /// The semi-axes `[a1, a2, a3]`, metres.
        semi_axes: [f64; 3],
        /// The squareness exponents `[e1, e2]`, in (0, 2).
        exponents: [f64; 2],
        /// The tapers `[tx, ty]`, in (−1, 1).
        #[serde(default)]
        tapers: [f64; 2],
    },
    /// The half-space below the plane z = 0 of the body's frame. It cannot be dynamic.
    HalfSpace,
    /// A triangle mesh, counter-clockwise seen from outside. It cannot be dynamic.
    Mesh {
        /// The vertices, metres.
        vertices: Vec<[f64; 3]>,
        /// The vertex indices of the triangles.
        triangles: Vec<[u32; 3]>,
    },
}

/// How a body moves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Motion {
    /// The body never moves.
    #[default]
    Static,
    /// Forces and contacts move the body.
    Dynamic {
        /// The density, kg/m³.
        density: f64,
        /// The velocity of the centre of mass, m/s.
        #[serde(default)]
        velocity: [f64; 3],
        /// The angular velocity in the world frame, rad/s.
        #[serde(default)]
        angular_velocity: [f64; 3],
    },
    /// The body follows poses, linear in between (spherical for orientations), and rests before the first and after the
    /// last. Its own pose in [`Body`] is that before the first.
    Kinematic {
        /// The poses, in order of time.
        keys: Vec<Key>,
    },
}

/// A pose at a time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The time since the start, seconds.
    pub time: f64,
    /// The origin of the shape's frame, metres.
    pub position: [f64; 3],
    /// The orientation, a quaternion `[w, x, y, z]`, which is divided by its length.
    pub orientation: [f64; 4],
}

/// A cloth: a triangle mesh at rest in its first state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cloth {
    /// The name, for messages and files.
    #[serde(default)]
    pub name: String,
    /// The vertices at the start, metres.
    pub vertices: Vec<[f64; 3]>,
    /// The vertex indices of the triangles, at most two triangles to an edge.
    pub triangles: Vec<[u32; 3]>,
    /// The fabric.
    #[serde(default)]
    pub fabric: Fabric,
    /// The thickness t, metres: vertices are kept at this distance from bodies.
    pub thickness: f64,
    /// The index of the material of the surface.
    #[serde(default)]
    pub material: usize,
    /// The vertices that are held.
    #[serde(default)]
    pub pins: Vec<Pin>,
    /// Whether every vertex is kept within its geodesic distance from the nearest pin.
    #[serde(default)]
    pub long_range: bool,
    /// The largest strain of an edge, if it is limited: 0.1 is ten per cent.
    #[serde(default)]
    pub strain_limit: Option<f64>,
    /// Whether the cloth collides with itself, at its thickness: it does unless a scene says otherwise.
    #[serde(default = "yes")]
    pub self_contact: bool,
    /// The method of contact with bodies. Cloths meet each other where both are `Exact`.
    #[serde(default)]
    pub contact: ClothContact,
}

fn yes() -> bool {
    true
}

/// What a fabric weighs and how it resists.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fabric {
    /// The mass of a unit area, kg/m².
    pub density: f64,
    /// The stiffness of an edge, N/m; the compliance of its constraint is the inverse.
    pub stretch: f64,
    /// The bending stiffness B, N·m.
    pub bend: f64,
    /// The damping over the stiffness of edges and of bending, seconds.
    #[serde(default)]
    pub damping: f64,
    /// The drag of the still air over the mass, 1/s.
    #[serde(default)]
    pub air: f64,
    /// The drag coefficient of a triangle in the wind.
    #[serde(default)]
    pub drag: f64,
}

impl Fabric {
    /// Silk: 0.07 kg/m², B = 3e-6 N·m.
    pub const SILK: Fabric = Fabric::of(0.07, 3e-6);
    /// Cotton: 0.15 kg/m², B = 1e-5 N·m.
    pub const COTTON: Fabric = Fabric::of(0.15, 1e-5);
    /// Denim: 0.4 kg/m², B = 7e-5 N·m.
    pub const DENIM: Fabric = Fabric::of(0.4, 7e-5);

    const fn of(density: f64, bend: f64) -> Fabric {
        Fabric {
            density,
            stretch: 2000.0,
            bend,
            damping: 0.0,
            air: 0.3,
            drag: 1.2,
        }
    }
}

impl Default for Fabric {
    fn default() -> Self {
        Fabric::COTTON
    }
}

/// A vertex that is held where it starts, or moves with a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The index of the vertex.
    pub vertex: usize,
    /// The index of the body with which it moves; without one it stays.
    #[serde(default)]
    pub body: Option<usize>,
}

/// The method of contact between a cloth and bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ClothContact {
    /// Exact: vertices by batch, swept vertices, triangles and edges by the polytope query.
    #[default]
    Exact,
    /// The first stage of `Exact` alone: vertices, without triangles and edges.
    Vertices,
    /// As published in 2015: boxes of 6 × 6 vertices of a grid (of 36 in their order, if the cloth is none) against the
    /// body's box, the inside-outside function at the vertices, a push by the radial distance along the gradient.
    RadialPush,
    /// As published in the thesis: the iterative method for vertices in every step.
    Iterative {
        /// The error at which the method ends, metres.
        tolerance: f64,
        /// The most iterations.
        iterations: u32,
    },
}

/// A joint between two bodies, or between a body and the world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// The name, for messages.
    #[serde(default)]
    pub name: String,
    /// The index of the first body; without one it is the world.
    #[serde(default)]
    pub parent: Option<usize>,
    /// The index of the second body.
    pub child: usize,
    /// The common point at the start, in the world frame, metres.
    pub anchor: [f64; 3],
    /// The compliance of the common point, m/N.
    #[serde(default)]
    pub compliance: f64,
    /// What the joint leaves free.
    pub kind: JointKind,
}

/// What a joint leaves free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum JointKind {
    /// Nothing: the bodies are fixed to each other.
    Fixed,
    /// A turn about an axis.
    Hinge {
        /// The axis at the start, in the world frame, of any length but zero.
        axis: [f64; 3],
        /// The least and the greatest angle, radians, within ±π.
        #[serde(default)]
        limits: Option<[f64; 2]>,
        /// A drive towards an angle.
        #[serde(default)]
        drive: Option<Drive>,
    },
    /// All turns, within limits of swing and twist about an axis.
    Ball {
        /// The axis of the twist at the start, in the world frame, of any length but zero.
        axis: [f64; 3],
        /// The greatest angle of the swing of the axis, radians, in [0, π].
        #[serde(default)]
        swing: Option<f64>,
        /// The least and the greatest angle of the twist, radians, within ±π.
        #[serde(default)]
        twist: Option<[f64; 2]>,
    },
    /// Turns about x, y and z of a frame one after the other, R = Rx(α) Ry(β) Rz(γ), each within a range, as by three
    /// hinges: a chain of revolute joints of URDF, three hinges of MuJoCo, Simbody's gimbal.
    Gimbal {
        /// The frame of the first body at the start, in the world frame, a quaternion `[w, x, y, z]`.
        #[serde(default = "upright")]
        frame: [f64; 4],
        /// The angles at the start, radians, within their ranges.
        #[serde(default)]
        start: [f64; 3],
        /// The least and the greatest angles about x, y and z, radians, within ±2π. An axis of which both are equal does
        /// not turn; a range of a whole turn is no limit.
        ranges: [[f64; 2]; 3],
        /// The torque against turning over the angular velocity, N·m·s.
        #[serde(default)]
        damping: f64,
    },
}

/// A drive of a hinge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drive {
    /// The angle towards which it drives, radians.
    pub angle: f64,
    /// The compliance, rad/(N·m); 0 is stiff.
    pub compliance: f64,
    /// The damping over the stiffness, seconds.
    #[serde(default)]
    pub damping: f64,
}

/// How soft solids move and meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SoftSettings {
    /// How contacts of solids are found, and what they press with.
    pub contact: SoftContact,
    /// How solids are integrated.
    pub scheme: SoftScheme,
    /// The normals along which vertices cast their rays.
    pub normals: VertexNormals,
    /// What finds the triangles along a ray.
    pub tree: RayTree,
}

impl SoftSettings {
    fn is_default(&self) -> bool {
        *self == SoftSettings::default()
    }
}

/// How contacts of solids are found, and what they press with.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SoftContact {
    /// Inward rays, with a stiffness for the area of a vertex: the pressure does not depend on how fine a mesh is.
    Rays {
        /// The pressure for a depth, N/m³.
        stiffness: f64,
    },
    /// Inward rays as published: every vertex presses alike.
    RaysAsPublished {
        /// The force for a depth, N/m.
        stiffness: f64,
    },
    /// Pairs of features below a threshold, for comparison. Rigid bodies are still met by rays.
    Proximity {
        /// The distance below which features push each other apart, metres.
        threshold: f64,
        /// The force of a pair for a lack of distance, N/m.
        stiffness: f64,
    },
}

impl Default for SoftContact {
    fn default() -> Self {
        SoftContact::Rays { stiffness: 1e7 }
    }
}

/// How solids are integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum SoftScheme {
    /// Extended position-based dynamics.
    #[default]
    Xpbd,
    /// As published: penalties, implicit Euler and one linear solve by conjugate gradients a substep. Bodies that are
    /// dynamic, and friction, are not covered.
    ImplicitEuler {
        /// The most iterations of a solve.
        iterations: u32,
        /// The share of the first residual at which a solve ends.
        tolerance: f64,
    },
}

/// The weights of the triangles around a vertex in its normal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VertexNormals {
    /// The angle of the triangle at the vertex.
    #[default]
    Angle,
    /// The area of the triangle.
    Area,
}

/// What finds the triangles along a ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RayTree {
    /// A hierarchy of boxes, built once and refitted.
    #[default]
    Hierarchy,
    /// The octree of the paper, rebuilt in every substep.
    Octree,
}

/// A soft solid: tetrahedra and their closed surface, at rest in their first state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Solid {
    /// The name, for messages and files.
    #[serde(default)]
    pub name: String,
    /// The vertices at the start, metres.
    pub vertices: Vec<[f64; 3]>,
    /// The vertex indices of the triangles of the closed surface, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    /// The vertex indices of the tetrahedra, of positive volume (x₁ − x₀)·((x₂ − x₀) × (x₃ − x₀))/6.
    pub tetrahedra: Vec<[u32; 4]>,
    /// What the solid is made of.
    #[serde(default)]
    pub substance: Substance,
    /// The velocity at the start, m/s.
    #[serde(default)]
    pub velocity: [f64; 3],
    /// The index of the material of the surface, for friction with bodies.
    #[serde(default)]
    pub material: usize,
    /// The vertices that are held, where they start or by bodies that are not dynamic.
    #[serde(default)]
    pub pins: Vec<Pin>,
    /// Whether the solid meets itself.
    #[serde(default)]
    pub self_contact: bool,
}

/// What a solid weighs and how it resists.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Substance {
    /// The density, kg/m³.
    pub density: f64,
    /// The Lamé parameter μ, the shear modulus, Pa.
    pub shear: f64,
    /// The parameter λ, Pa: Lamé's with implicit Euler, Lamé's and μ more with XPBD, whose solid is a stable neo-Hookean one.
    pub lambda: f64,
    /// The damping over the stiffness, seconds; the published scheme damps by itself and leaves it out.
    #[serde(default)]
    pub damping: f64,
    /// The drag of the still air over the mass, 1/s.
    #[serde(default)]
    pub air: f64,
}

impl Substance {
    /// Soft rubber: 1,000 kg/m³, μ = 2e4 Pa, λ = 8e4 Pa (Poisson's ratio 0.4 with implicit Euler, 0.375 with XPBD).
    pub const RUBBER: Substance = Substance {
        density: 1000.0,
        shear: 2e4,
        lambda: 8e4,
        damping: 0.0,
        air: 0.3,
    };
}

impl Default for Substance {
    fn default() -> Self {
        Substance::RUBBER
    }
}
