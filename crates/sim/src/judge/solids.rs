//! Judges of soft solids: the volume in which two overlap, and how often two rings are linked.

use crate::scene::Scene;
use crate::state::State;
use nalgebra::Vector3;
use std::f64::consts::TAU;

/// Returns the volume in which two solids overlap, m³: of lines along z over a square grid of `lines` × `lines` places, the
/// parts inside both. A line is inside a solid where it has entered it more often than left it.
pub fn overlap_volume(scene: &Scene, state: &State, [a, b]: [usize; 2], lines: usize) -> f64 {
    let bounds = |solid: usize| {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in &state.solids[solid].positions {
            for k in 0..2 {
                low[k] = low[k].min(p[k]);
                high[k] = high[k].max(p[k]);
            }
        }
        (low, high)
    };
    let ((low_a, high_a), (low_b, high_b)) = (bounds(a), bounds(b));
    let low = [0, 1].map(|k| low_a[k].max(low_b[k]));
    let step = [0, 1].map(|k| (high_a[k].min(high_b[k]) - low[k]) / lines as f64);
    if step.iter().any(|step| *step <= 0.0) {
        return 0.0;
    }
    let mut length = 0.0;
    for i in 0..lines {
        for j in 0..lines {
            // Off the middle by shares that no mesh has, so that lines meet no vertex.
            let x = low[0] + (i as f64 + 0.5123) * step[0];
            let y = low[1] + (j as f64 + 0.4871) * step[1];
            let mut ends = crossings(scene, state, a, x, y);
            ends.extend(
                crossings(scene, state, b, x, y)
                    .iter()
                    .map(|&(z, side)| (z, [side[1], side[0]])),
            );
            ends.sort_by(|p, q| p.0.total_cmp(&q.0));
            let (mut within, mut from) = ([0, 0], 0.0);
            for (z, side) in ends {
                if within.iter().all(|&w| w > 0) {
                    length += z - from;
                }
                from = z;
                within[0] += side[0];
                within[1] += side[1];
            }
        }
    }
    length * step[0] * step[1]
}

/// Where a line along z crosses the surface of a solid upwards: into it (+1) or out of it (−1), as the first of two.
fn crossings(scene: &Scene, state: &State, solid: usize, x: f64, y: f64) -> Vec<(f64, [i32; 2])> {
    let at = &state.solids[solid].positions;
    let mut found = Vec::new();
    for t in &scene.solids[solid].triangles {
        let [a, b, c] = t.map(|v| at[v as usize]);
        let side = |p: [f64; 3], q: [f64; 3]| (p[0] - x) * (q[1] - y) - (p[1] - y) * (q[0] - x);
        let (u, v, w) = (side(b, c), side(c, a), side(a, b));
        let up = u > 0.0 && v > 0.0 && w > 0.0;
        let down = u < 0.0 && v < 0.0 && w < 0.0;
        if up || down {
            let z = (u * a[2] + v * b[2] + w * c[2]) / (u + v + w);
            // Seen from above a triangle that is counter-clockwise looks up: there the line leaves.
            found.push((z, [if up { -1 } else { 1 }, 0]));
        }
    }
    found
}

/// Returns how often two closed polygons are linked, by Gauss' integral: a sum of solid angles, which is an integer to
/// rounding, whose sign depends on their directions.
///
/// For edges (a, b) and (c, d) the directions from points of the one to points of the other fill a spherical quadrilateral
/// with the corners a − c, a − d, b − d, b − c, whose signed area is the part of the pair.
pub fn linking_number(first: &[[f64; 3]], second: &[[f64; 3]]) -> f64 {
    let edges = |points: &[[f64; 3]]| -> Vec<[Vector3<f64>; 2]> {
        let at = |i: usize| Vector3::from(points[i % points.len()]);
        (0..points.len()).map(|i| [at(i), at(i + 1)]).collect()
    };
    let (first, second) = (edges(first), edges(second));
    let mut sum = 0.0;
    for [a, b] in &first {
        for [c, d] in &second {
            let corners = [a - c, a - d, b - d, b - c];
            sum += triangle(&corners[0], &corners[1], &corners[2]);
            sum += triangle(&corners[2], &corners[3], &corners[0]);
        }
    }
    sum / (2.0 * TAU)
}

/// The signed solid angle of a triangle seen from the origin (van Oosterom, Strackee 1983).
fn triangle(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>) -> f64 {
    let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(&b.cross(c)).atan2(below)
}

/// Returns the sum of m v and of x × m v of a solid, kg m/s and kg m²/s.
pub fn momentum(scene: &Scene, state: &State, solid: usize) -> ([f64; 3], [f64; 3]) {
    let masses = vertex_masses(scene, solid);
    let at = &state.solids[solid];
    let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
    for (i, m) in masses.iter().enumerate() {
        let p = Vector3::from(at.velocities[i]) * *m;
        linear += p;
        angular += Vector3::from(at.positions[i]).cross(&p);
    }
    (linear.into(), angular.into())
}

/// The masses of the vertices of a solid: a quarter of the tetrahedra around each.
pub(crate) fn vertex_masses(scene: &Scene, solid: usize) -> Vec<f64> {
    let solid = &scene.solids[solid];
    let mut masses = vec![0.0; solid.vertices.len()];
    for t in &solid.tetrahedra {
        let [a, b, c, d] = t.map(|v| Vector3::from(solid.vertices[v as usize]));
        let quarter = (b - a).cross(&(c - a)).dot(&(d - a)) / 24.0 * solid.substance.density;
        t.iter().for_each(|&v| masses[v as usize] += quarter);
    }
    masses
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{World, scenes};

    fn circle(center: [f64; 3], axes: [[f64; 3]; 2]) -> Vec<[f64; 3]> {
        let point = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / 30.0).sin_cos();
            [0, 1, 2].map(|i| center[i] + axes[0][i] * cos + axes[1][i] * sin)
        };
        (0..30).map(point).collect()
    }

    #[test]
    fn circles_are_linked_once_or_not() {
        let (x, y, z) = ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
        let first = circle([0.0; 3], [x, y]);
        assert!(
            (linking_number(&first, &circle([1.0, 0.1, 0.0], [x, z])).abs() - 1.0).abs() < 1e-9
        );
        assert!(linking_number(&first, &circle([2.5, 0.0, 0.0], [x, z])).abs() < 1e-9);
    }

    #[test]
    fn the_overlap_of_a_solid_and_itself_is_its_volume() {
        let mut scene = scenes::rings_in_one_another(2);
        scene.solids[1] = scene.solids[0].clone();
        let world = World::new(&scene).unwrap();
        let volume = overlap_volume(&scene, world.state(), [0, 1], 200);
        let mass: f64 = vertex_masses(&scene, 0).iter().sum();
        assert!(
            (volume * 1000.0 / mass - 1.0).abs() < 0.01,
            "{volume} {mass}"
        );
    }
}
