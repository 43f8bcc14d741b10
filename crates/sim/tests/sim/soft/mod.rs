//! Soft solids: contact by inward rays, its momentum, its limits, and the opponent.

mod bodies;
mod friction_bed;
mod limits;
mod material;
mod momentum;
mod ready;
mod refused;
mod same_bits;
mod self_contact;
mod separation;

use nalgebra::{Isometry3, UnitQuaternion, Vector3};
use std::collections::HashMap;
use superovoid_sim::scene::{Scene, Settings, SoftContact, SoftScheme};
use superovoid_sim::scenes;
use superovoid_sim::soft::internals::StillMesh;
use superovoid_sim::soft::{SolidMesh, ball, torus};

/// A closed mesh with what rays need.
pub fn still(mesh: &SolidMesh) -> StillMesh {
    StillMesh::new(&mesh.vertices, &mesh.triangles).unwrap()
}

/// A box of given corners, each side in two triangles.
pub fn block(low: [f64; 3], high: [f64; 3]) -> SolidMesh {
    let corner = |i: usize| [0, 1, 2].map(|k| if i >> k & 1 == 1 { high[k] } else { low[k] });
    let sides = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
    ];
    SolidMesh {
        vertices: (0..8).map(corner).collect(),
        triangles: sides
            .iter()
            .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
            .collect(),
        tetrahedra: Vec::new(),
    }
}

/// The six tetrahedra of a block about its diagonal.
pub fn filled(mut mesh: SolidMesh) -> SolidMesh {
    for [i, j] in [[1, 3], [3, 2], [2, 6], [6, 4], [4, 5], [5, 1]] {
        let mut t = [0, i, j, 7];
        let [a, b, c, d] = t.map(|v| Vector3::from(mesh.vertices[v as usize]));
        if (b - a).cross(&(c - a)).dot(&(d - a)) < 0.0 {
            t.swap(2, 3);
        }
        mesh.tetrahedra.push(t);
    }
    mesh
}

/// Two solids with different materials that overlap, move and turn, without gravity.
pub fn collision(fine: usize) -> Scene {
    let turn = UnitQuaternion::from_euler_angles(0.5, 0.3, 0.2);
    let first = torus(0.1, 0.035, [12 * fine, 8 * fine]);
    let second = ball(0.06, 2, 2).at(&Isometry3::from_parts(
        Vector3::new(0.1, 0.02, 0.06).into(),
        turn,
    ));
    let mut scene = Scene {
        settings: Settings {
            gravity: [0.0; 3],
            ..Settings::default()
        },
        solids: vec![scenes::solid("ring", first), scenes::solid("ball", second)],
        ..Scene::default()
    };
    scene.settings.soft.contact = SoftContact::Rays { stiffness: 1e7 };
    for (solid, velocity) in scene
        .solids
        .iter_mut()
        .zip([[0.1, 0.0, 0.5], [0.0, 0.3, -2.0]])
    {
        solid.velocity = velocity;
        solid.substance.air = 0.0;
    }
    scene
}

/// The published scheme.
pub const PUBLISHED: SoftScheme = SoftScheme::ImplicitEuler {
    iterations: 100,
    tolerance: 1e-3,
};

/// A solid of the cells between lines along the axes that are to be kept, six tetrahedra in each.
pub fn cells(lines: [&[f64]; 3], keep: impl Fn([usize; 3]) -> bool) -> SolidMesh {
    let mut mesh = SolidMesh::default();
    let mut known = HashMap::new();
    let counts = lines.map(|line| line.len() - 1);
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            for k in (0..counts[2]).filter(|&k| keep([i, j, k])) {
                let corners: Vec<u32> = (0..8)
                    .map(|c| {
                        let place = [i + (c & 1), j + (c >> 1 & 1), k + (c >> 2 & 1)];
                        *known.entry(place).or_insert_with(|| {
                            mesh.vertices.push([0, 1, 2].map(|a| lines[a][place[a]]));
                            mesh.vertices.len() as u32 - 1
                        })
                    })
                    .collect();
                let at = [0, 1, 2].map(|a| lines[a][[i, j, k][a]]);
                let end = [0, 1, 2].map(|a| lines[a][[i, j, k][a] + 1]);
                let cell = filled(block(at, end)).tetrahedra;
                mesh.tetrahedra
                    .extend(cell.iter().map(|t| t.map(|c| corners[c as usize])));
            }
        }
    }
    let mut outer = HashMap::new();
    for &[a, b, c, d] in &mesh.tetrahedra {
        for face in [[a, c, b], [a, b, d], [a, d, c], [b, c, d]] {
            let mut key = face;
            key.sort_unstable();
            if outer.remove(&key).is_none() {
                outer.insert(key, face);
            }
        }
    }
    mesh.triangles = outer.into_values().collect();
    mesh.triangles.sort_unstable();
    mesh
}
