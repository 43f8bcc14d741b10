//! Scenes of soft solids: rings in one another, a chain of rings, a ring on a superovoid.
//!
//! The paper gives a ring 1,600 triangles, here 40 × 20 quads, and neither sizes nor material, which were chosen: a radius
//! of 0.1 m, a tube of 0.035 m, rubber of 1,000 kg/m³ with μ = 20 kPa and λ = 80 kPa. The rings of the chain have 32 × 14
//! quads and are ten times as stiff, as three of them hang on the first, with twice as many substeps.

use crate::scene::{
    Body, Material, Motion, Pin, Scene, Settings, Shape, SoftContact, SoftSettings, Solid,
    Substance,
};
use crate::scenes::stack::floor;
use crate::soft::{SolidMesh, torus};
use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::f64::consts::FRAC_PI_2;

/// The radius of the circle of the paper's ring, and of its tube, metres.
pub const RING: [f64; 2] = [0.1, 0.035];
/// The rings of [`chain`], likewise.
const LINK: [f64; 2] = [0.1, 0.03];
/// The distance of neighbours in [`chain`] at the start, at which their tubes are 5 mm apart, metres.
const LINK_PITCH: f64 = 0.135;

/// Returns a solid of rubber that has the form of a mesh.
pub fn solid(name: impl Into<String>, mesh: SolidMesh) -> Solid {
    Solid {
        name: name.into(),
        vertices: mesh.vertices,
        triangles: mesh.triangles,
        tetrahedra: mesh.tetrahedra,
        substance: Substance::RUBBER,
        velocity: [0.0; 3],
        material: 0,
        pins: Vec::new(),
        self_contact: false,
    }
}

/// Rays of a stiffness, N/m³.
fn rays(stiffness: f64) -> SoftSettings {
    SoftSettings {
        contact: SoftContact::Rays { stiffness },
        ..SoftSettings::default()
    }
}

/// The ring of the paper about the z axis at a place: 1,600 triangles and 2,400 tetrahedra.
pub fn ring(name: impl Into<String>, place: [f64; 3]) -> Solid {
    let [radius, tube] = RING;
    let at = Isometry3::translation(place[0], place[1], place[2]);
    solid(name, torus(radius, tube, [40, 20]).at(&at))
}

/// Rings that begin in one another, each over the last by less than the thickness of a tube, without gravity: figures 10, 11
/// and 13 of the paper.
pub fn rings_in_one_another(count: usize) -> Scene {
    let place = |k: usize| {
        [
            0.015 * (k % 2) as f64,
            0.01 * (k % 3) as f64,
            0.045 * k as f64,
        ]
    };
    Scene {
        name: format!("{count} rings in one another"),
        settings: Settings {
            gravity: [0.0; 3],
            substeps: 20,
            soft: rays(1e6),
            ..Settings::default()
        },
        solids: (0..count)
            .map(|k| ring(format!("ring {k}"), place(k)))
            .collect(),
        ..Scene::default()
    }
}

/// Six rings that begin in one another and fall on a floor.
pub fn rings() -> Scene {
    let mut scene = rings_in_one_another(6);
    for (k, solid) in scene.solids.iter_mut().enumerate() {
        for vertex in &mut solid.vertices {
            vertex[2] += 0.06 + 0.015 * k as f64;
        }
        solid.substance.damping = 2e-3;
        solid.substance.air = 1.0;
    }
    Scene {
        name: "six rings that begin in one another".into(),
        settings: Settings {
            substeps: 20,
            soft: rays(1e6),
            ..Settings::default()
        },
        bodies: vec![floor(0.0)],
        ..scene
    }
}

/// A chain of linked rings, apart at the start, whose first one is held at its top.
pub fn chain(count: usize) -> Scene {
    let [radius, tube] = LINK;
    let link = |k: usize| {
        // The axis of a ring is horizontal, along y and along x in turn.
        let upright = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), FRAC_PI_2);
        let turned =
            UnitQuaternion::from_axis_angle(&Vector3::z_axis(), FRAC_PI_2 * (k % 2) as f64);
        let place = Vector3::new(0.0, 0.0, -LINK_PITCH * k as f64);
        let mut link = solid(
            format!("link {k}"),
            torus(radius, tube, [32, 14])
                .at(&Isometry3::from_parts(place.into(), turned * upright)),
        );
        link.substance = Substance {
            shear: 2e5,
            lambda: 8e5,
            damping: 5e-4,
            air: 0.5,
            ..Substance::RUBBER
        };
        link
    };
    let mut solids: Vec<Solid> = (0..count).map(link).collect();
    if let Some(first) = solids.first_mut() {
        let high = |(_, v): &(usize, &[f64; 3])| v[2] > radius - 0.5 * tube;
        first.pins = first
            .vertices
            .iter()
            .enumerate()
            .filter(high)
            .map(|(vertex, _)| Pin { vertex, body: None })
            .collect();
    }
    Scene {
        name: format!("chain of {count} rings"),
        settings: Settings {
            substeps: 40,
            soft: rays(2e7),
            ..Settings::default()
        },
        solids,
        ..Scene::default()
    }
}

/// A ring that falls on a superovoid, slips over its top and rests around it.
pub fn ring_on_superovoid() -> Scene {
    let mut ring = ring("ring", [0.02, 0.0, 0.3]);
    ring.substance.damping = 1e-3;
    let egg = Body {
        name: "superovoid".into(),
        shape: Shape::Superovoid {
            semi_axes: [0.11, 0.11, 0.16],
            exponents: [0.8, 0.9],
            tapers: [-0.3, -0.3],
        },
        position: [0.0, 0.0, 0.1],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    };
    Scene {
        name: "a ring on a superovoid".into(),
        materials: vec![Material {
            static_friction: 0.3,
            kinetic_friction: 0.3,
            ..Material::default()
        }],
        bodies: vec![floor(-0.05), egg],
        solids: vec![ring],
        ..Scene::default()
    }
}
