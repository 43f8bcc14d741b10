//! Superellipsoids that fall into a bowl (section 4.3 of the thesis).
//!
//! Given there: 50 bodies with e1 and e2 in [0.1, 1.9] and semi-axes in [0.5, 0.6] m, a bowl of 5,002 vertices and 10,000
//! triangles, the tolerance of 0.015 m, first contacts between seconds 2 and 3. Chosen here: the inner radius of 5 m and
//! the wall of 0.2 m, drawn in above, so that it ends 130° from the pole; six columns of starts in layers 2 m apart with
//! random turns, density 1,000 kg/m³, friction 0.4, rolling friction of 10 mm (without it a round body rocks on for
//! minutes) and restitution 0.1. With more bodies the bowl grows in volume, and the layers likewise.
//!
//! Bodies arrive at up to 27 m/s. One that meets the heap off its centre spins at 30 rad/s, and where its edge rolls over a
//! neighbour that spin throws one of the two up again, in about one bowl of a hundred to 3 m over its middle: over the rim
//! of a hemisphere. So it does with four times the substeps, and the energy falls all the while.

use crate::scene::{Body, Material, Motion, Scene, Settings, Shape};
use crate::scenes::random::Random;
use crate::scenes::stack::floor;

const INNER_RADIUS: f64 = 5.0;
const WALL: f64 = 0.2;
/// The angle between the pole and the rim, seen from the middle.
const RIM: f64 = 130.0 * std::f64::consts::PI / 180.0;
/// The columns in which fifty bodies start.
const COLUMNS: f64 = 6.0;
/// The rings of the mesh, and the vertices of a ring: with two poles 5,002 vertices.
const RINGS: usize = 50;
const AROUND: usize = 100;
/// The height of the lowest bodies over the middle of the bowl: they arrive after two seconds.
const DROP: f64 = 18.0;

/// Returns the bowl with a number of bodies; the seed decides about their shapes, offsets and turns.
pub fn bowl(count: usize, seed: u64) -> Scene {
    let mut random = Random::new(seed);
    let scale = (count as f64 / 50.0).cbrt().max(1.0);
    let radius = INNER_RADIUS * scale;
    let columns = (COLUMNS * scale * scale).round() as usize;
    let mut bodies = vec![floor(-radius - WALL - 0.05), bowl_body(radius)];
    for k in 0..count {
        let (column, row) = (k % columns, k / columns);
        let [x, y] = column_place(column, columns, radius);
        let semi_axes = [0; 3].map(|_| random.within(0.5, 0.6));
        let exponents = [0; 2].map(|_| random.within(0.1, 1.9));
        let offset = [0; 2].map(|_| random.within(-0.05, 0.05));
        bodies.push(Body {
            name: format!("body {k}"),
            shape: Shape::Superovoid {
                semi_axes,
                exponents,
                tapers: [0.0; 2],
            },
            position: [x + offset[0], y + offset[1], DROP + 2.0 * row as f64],
            orientation: random.orientation(),
            motion: Motion::Dynamic {
                density: 1000.0,
                velocity: [0.0; 3],
                angular_velocity: [0.0; 3],
            },
            material: 0,
        });
    }
    let materials = vec![Material {
        static_friction: 0.4,
        kinetic_friction: 0.4,
        restitution: 0.1,
        rolling_friction: 0.01,
    }];
    let settings = Settings {
        skin: 0.01,
        ..Settings::default()
    };
    Scene {
        name: format!("bowl with {count}"),
        settings,
        materials,
        bodies,
        ..Scene::default()
    }
}

/// Where a column stands: on a sunflower's spiral.
fn column_place(column: usize, columns: usize, radius: f64) -> [f64; 2] {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let distance = 0.55 * radius * ((column as f64 + 0.5) / columns as f64).sqrt();
    let angle = golden * column as f64;
    [distance * angle.cos(), distance * angle.sin()]
}

fn bowl_body(radius: f64) -> Body {
    let (vertices, triangles) = bowl_mesh(radius, WALL);
    Body {
        name: "bowl".into(),
        shape: Shape::Mesh {
            vertices,
            triangles,
        },
        position: [0.0; 3],
        orientation: [1.0, 0.0, 0.0, 0.0],
        motion: Motion::Static,
        material: 0,
    }
}

/// A closed surface of the type of a sphere: from the outer pole up to the rim in 25 rings, and down to the inner pole in
/// 25 rings.
fn bowl_mesh(radius: f64, wall: f64) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let half = RINGS / 2;
    let ring = |k: usize| {
        let step = RIM / half as f64;
        if k < half {
            (radius + wall, step * (k + 1) as f64)
        } else {
            (radius, step * (2 * half - k) as f64)
        }
    };
    let mut vertices = vec![[0.0, 0.0, -radius - wall]];
    for k in 0..RINGS {
        let (radius, angle) = ring(k);
        for j in 0..AROUND {
            let turn = std::f64::consts::TAU * j as f64 / AROUND as f64;
            vertices.push([
                radius * angle.sin() * turn.cos(),
                radius * angle.sin() * turn.sin(),
                -radius * angle.cos(),
            ]);
        }
    }
    vertices.push([0.0, 0.0, -radius]);
    let last = vertices.len() as u32 - 1;
    let at = |k: usize, j: usize| (1 + k * AROUND + j % AROUND) as u32;
    let mut triangles = Vec::new();
    for j in 0..AROUND {
        triangles.push([0, at(0, j + 1), at(0, j)]);
        for k in 0..RINGS - 1 {
            triangles.push([at(k, j), at(k, j + 1), at(k + 1, j)]);
            triangles.push([at(k + 1, j), at(k, j + 1), at(k + 1, j + 1)]);
        }
        triangles.push([last, at(RINGS - 1, j), at(RINGS - 1, j + 1)]);
    }
    (vertices, triangles)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;

    #[test]
    fn the_bowl_has_the_counts_of_the_thesis_and_faces_outwards() {
        let (vertices, triangles) = bowl_mesh(3.5, 0.2);
        assert_eq!((vertices.len(), triangles.len()), (5002, 10000));
        let volume: f64 = triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| Vector3::from(vertices[v as usize]));
                a.dot(&b.cross(&c)) / 6.0
            })
            .sum();
        let angle = 2.0 * std::f64::consts::PI * (1.0 - RIM.cos());
        let shell = angle / 3.0 * (3.7f64.powi(3) - 3.5f64.powi(3));
        assert!((volume / shell - 1.0).abs() < 0.01, "{volume} {shell}");
    }
}
