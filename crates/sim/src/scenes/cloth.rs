//! Cloths on bodies: the tablecloth of the thesis (section 4.2).
//!
//! Given there: 3,240 vertices and 6,254 triangles (a grid of 60 × 54), or 6,460 and 12,600 (85 × 76); a body with
//! semi-axes (3.5, 3.0, 2.0) m, e1 = 0.4, e2 = 0.3; the tolerance of 0.025 m; 10 s. Chosen here: a cloth of 10 × 9 m,
//! dropped from 1 m, of cotton.

use crate::scene::{
    Body, Cloth, ClothContact, Fabric, Material, Motion, Pin, Scene, Scheme, Settings, Shape,
};

/// A flat grid of vertices and triangles, centred at a height: columns × rows vertices over width × depth metres. The
/// diagonals alternate.
pub fn grid(columns: usize, rows: usize, size: [f64; 2], z: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut vertices = Vec::new();
    for j in 0..rows {
        for i in 0..columns {
            let x = size[0] * (i as f64 / (columns - 1) as f64 - 0.5);
            let y = size[1] * (j as f64 / (rows - 1) as f64 - 0.5);
            vertices.push([x, y, z]);
        }
    }
    let at = |i: usize, j: usize| (j * columns + i) as u32;
    let mut triangles = Vec::new();
    for j in 0..rows - 1 {
        for i in 0..columns - 1 {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            if (i + j) % 2 == 0 {
                triangles.extend([[a, b, c], [a, c, d]]);
            } else {
                triangles.extend([[a, b, d], [b, c, d]]);
            }
        }
    }
    (vertices, triangles)
}

/// Returns the tablecloth with a grid of columns × rows vertices.
pub fn tablecloth(columns: usize, rows: usize) -> Scene {
    let (vertices, triangles) = grid(columns, rows, [10.0, 9.0], 3.0);
    let table = Body {
        name: "table".into(),
        shape: Shape::Superovoid {
            semi_axes: [3.5, 3.0, 2.0],
            exponents: [0.4, 0.3],
            tapers: [0.0; 2],
        },
        position: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    };
    let cloth = Cloth {
        name: "tablecloth".into(),
        vertices,
        triangles,
        fabric: Fabric::COTTON,
        thickness: 0.025,
        material: 0,
        pins: Vec::new(),
        long_range: false,
        strain_limit: None,
        self_contact: true,
        contact: ClothContact::Exact,
    };
    Scene {
        name: format!("tablecloth of {} vertices", columns * rows),
        materials: vec![Material {
            static_friction: 0.5,
            kinetic_friction: 0.4,
            restitution: 0.0,
            ..Material::default()
        }],
        bodies: vec![table],
        cloths: vec![cloth],
        ..Scene::default()
    }
}

/// Returns the strip of the stretch study: 0.05 × 1 m of denim, 1 × 20 squares with edges of 200 N/m, that hangs from its
/// first row in its own plane.
pub fn hanging_strip(scheme: Scheme, substeps: u32) -> Scene {
    let (vertices, triangles) = grid(2, 21, [0.05, 1.0], 0.0);
    let cloth = Cloth {
        name: "strip".into(),
        vertices,
        triangles,
        fabric: Fabric {
            stretch: 200.0,
            bend: 0.0,
            air: 3.0,
            ..Fabric::DENIM
        },
        thickness: 0.01,
        material: 0,
        pins: [0, 1].map(|vertex| Pin { vertex, body: None }).into(),
        long_range: false,
        strain_limit: None,
        self_contact: true,
        contact: ClothContact::Exact,
    };
    Scene {
        cloths: vec![cloth],
        settings: Settings {
            // The strip lies along y.
            gravity: [0.0, 9.81, 0.0],
            scheme,
            substeps,
            sleep_speed: 0.0,
            ..Settings::default()
        },
        ..Scene::default()
    }
}
