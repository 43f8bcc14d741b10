//! Where a hanging cloth rests: Newton's method on the forces of its edges, k (|d| − l) d/|d|, and the weights.

use crate::scene::Scene;
use nalgebra::{DMatrix, DVector, Vector3};

/// Returns the vertices of the scene's cloth `cloth` where its edges and weights are in balance, for a cloth that hangs
/// stretched in a plane z = constant, in which gravity lies; none if the iteration does not converge. Bending, pins that
/// move and contacts are left out.
pub fn hanging_balance(scene: &Scene, cloth: usize) -> Option<Vec<[f64; 3]>> {
    let cloth = &scene.cloths[cloth];
    let rest: Vec<Vector3<f64>> = cloth.vertices.iter().map(|&v| v.into()).collect();
    let mut edges: Vec<[u32; 2]> = cloth
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
        .map(|[i, j]| [i.min(j), i.max(j)])
        .collect();
    edges.sort_unstable();
    edges.dedup();
    let mut weight = vec![Vector3::zeros(); rest.len()];
    for t in &cloth.triangles {
        let [a, b, c] = t.map(|v| rest[v as usize]);
        let third = 0.5 * (b - a).cross(&(c - a)).norm() * cloth.fabric.density / 3.0;
        let g = Vector3::from(scene.settings.gravity);
        t.iter().for_each(|&v| weight[v as usize] += g * third);
    }
    // The place of each free vertex among the unknowns.
    let mut place = vec![Some(0); rest.len()];
    cloth.pins.iter().for_each(|pin| place[pin.vertex] = None);
    let mut free = 0;
    for slot in place.iter_mut().flatten() {
        *slot = free;
        free += 2;
    }
    let mut x = rest.clone();
    for _ in 0..50 {
        let mut force = DVector::<f64>::zeros(free);
        let mut tangent = DMatrix::<f64>::zeros(free, free);
        for (slot, weight) in place.iter().zip(&weight) {
            if let Some(at) = slot {
                force[*at] += weight.x;
                force[at + 1] += weight.y;
            }
        }
        for &[i, j] in &edges {
            let ends = [i as usize, j as usize];
            let [i, j] = ends;
            let (d, length) = (x[j] - x[i], (rest[j] - rest[i]).norm());
            spring(d, length, cloth.fabric.stretch, &mut |r, s, pull, k| {
                for (v, sign) in [(i, 1.0), (j, -1.0)] {
                    let Some(row) = place[v] else { continue };
                    if s == 0 {
                        force[row + r] += sign * pull;
                    }
                    for (w, other) in [(i, 1.0), (j, -1.0)] {
                        if let Some(column) = place[w] {
                            tangent[(row + r, column + s)] += sign * other * k;
                        }
                    }
                }
            });
        }
        let step = tangent.lu().solve(&force)?;
        for (slot, x) in place.iter().zip(&mut x) {
            if let Some(at) = slot {
                x.x += step[*at];
                x.y += step[at + 1];
            }
        }
        if step.amax() < 1e-13 {
            return Some(x.iter().map(|&p| p.into()).collect());
        }
    }
    None
}

/// Calls `each` with row r, column s, the pull of an edge along r, and the entry of its tangent stiffness
/// k n nᵀ + (tension/|d|) (1 − n nᵀ).
fn spring(
    d: Vector3<f64>,
    length: f64,
    stiffness: f64,
    each: &mut dyn FnMut(usize, usize, f64, f64),
) {
    let n = d.normalize();
    let tension = stiffness * (d.norm() - length);
    for r in 0..2 {
        for s in 0..2 {
            let across = if r == s { 1.0 } else { 0.0 } - n[r] * n[s];
            let k = stiffness * n[r] * n[s] + tension / d.norm() * across;
            each(r, s, tension * n[r], k);
        }
    }
}
