//! What several tests build.

use superovoid_sim::scene::{
    Body, Cloth, ClothContact, Fabric, Joint, JointKind, Material, Motion, Scene, Shape,
};
use superovoid_sim::{World, scenes};

/// A superovoid at a position.
pub fn body(semi_axes: [f64; 3], exponents: [f64; 2], position: [f64; 3], motion: Motion) -> Body {
    Body {
        name: String::new(),
        shape: Shape::Superovoid {
            semi_axes,
            exponents,
            tapers: [0.0; 2],
        },
        position,
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion,
        material: 0,
    }
}

pub fn dynamic() -> Motion {
    Motion::Dynamic {
        density: 1000.0,
        velocity: [0.0; 3],
        angular_velocity: [0.0; 3],
    }
}

/// A half-space whose normal leans towards x by an angle.
pub fn slope(angle: f64) -> Body {
    Body {
        name: "slope".into(),
        shape: Shape::HalfSpace,
        position: [0.0; 3],
        orientation: [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0],
        motion: Motion::Static,
        material: 0,
    }
}

pub fn material(friction: f64, restitution: f64) -> Vec<Material> {
    vec![Material {
        static_friction: friction,
        kinetic_friction: friction,
        restitution,
        ..Material::default()
    }]
}

/// A flat square cloth of n × n vertices.
pub fn square(n: usize, size: f64, z: f64, thickness: f64) -> Cloth {
    let (vertices, triangles) = scenes::grid(n, n, [size; 2], z);
    Cloth {
        name: String::new(),
        vertices,
        triangles,
        fabric: Fabric::COTTON,
        thickness,
        material: 0,
        pins: Vec::new(),
        long_range: false,
        strain_limit: None,
        self_contact: true,
        contact: ClothContact::Exact,
    }
}

pub fn run(scene: &Scene, seconds: f64) -> World {
    let mut world = World::new(scene).expect("the scene is valid");
    for _ in 0..(seconds / scene.settings.frame).round() as usize {
        world.step().expect("nothing diverges");
    }
    world
}

/// A stiff joint without a name.
pub fn joint(parent: Option<usize>, child: usize, anchor: [f64; 3], kind: JointKind) -> Joint {
    Joint {
        name: String::new(),
        parent,
        child,
        anchor,
        compliance: 0.0,
        kind,
    }
}
