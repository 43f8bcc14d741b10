//! Ten box-like bodies on top of each other.

use crate::scene::{Body, Material, Motion, Scene, Settings, Shape};

/// Returns a stack of box-like bodies (e = 0.1, edges of 0.4 m) on a floor, each at the contact skin over the last.
pub fn stack(count: usize) -> Scene {
    let settings = Settings::default();
    let half = 0.2;
    let mut bodies = vec![floor(0.0)];
    for k in 0..count {
        let z = settings.skin + half + k as f64 * (2.0 * half + settings.skin);
        bodies.push(Body {
            name: format!("box {k}"),
            shape: Shape::Superovoid {
                semi_axes: [half; 3],
                exponents: [0.1; 2],
                tapers: [0.0; 2],
            },
            position: [0.0, 0.0, z],
            orientation: [1.0, 0.0, 0.0, 0.0],
            motion: Motion::Dynamic {
                density: 1000.0,
                velocity: [0.0; 3],
                angular_velocity: [0.0; 3],
            },
            material: 0,
        });
    }
    let materials = vec![Material {
        static_friction: 0.5,
        kinetic_friction: 0.5,
        restitution: 0.0,
        ..Material::default()
    }];
    Scene {
        name: format!("stack of {count}"),
        settings,
        materials,
        bodies,
        ..Scene::default()
    }
}

/// A static half-space below the given height.
pub(crate) fn floor(z: f64) -> Body {
    Body {
        name: "floor".into(),
        shape: Shape::HalfSpace,
        position: [0.0, 0.0, z],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    }
}
