//! The test bed of the force (figures 7 and 8): a cylinder that turns through a plane, against its closed form.

use crate::soft::{block, still};
use superovoid_sim::soft::SolidMesh;
use superovoid_sim::soft::internals::{RayEnd, Surface, cast};

/// A prism of n sides and radius 1 about the y axis, with a ring of vertices in its middle, turned by an angle.
fn prism(n: usize, turn: f64) -> SolidMesh {
    let mut vertices = Vec::new();
    for y in [-50.0, 0.0, 50.0] {
        for k in 0..n {
            let angle = turn + std::f64::consts::TAU * k as f64 / n as f64;
            vertices.push([angle.sin(), y, -angle.cos()]);
        }
    }
    vertices.extend([[0.0, -50.0, 0.0], [0.0, 50.0, 0.0]]);
    let at = |ring: usize, k: usize| (ring * n + k % n) as u32;
    let mut triangles = Vec::new();
    for k in 0..n {
        for ring in 0..2 {
            let [a, b, c, d] = [
                at(ring, k),
                at(ring, k + 1),
                at(ring + 1, k + 1),
                at(ring + 1, k),
            ];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([at(0, k + 1), at(0, k), 3 * n as u32]);
        triangles.push([at(2, k), at(2, k + 1), 3 * n as u32 + 1]);
    }
    let mut mesh = SolidMesh {
        vertices,
        triangles,
        tetrahedra: Vec::new(),
    };
    if Surface::new(&mesh.vertices, &mesh.triangles).is_err() {
        mesh.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    }
    mesh
}

/// The tangential and the normal force of the middle ring's rays into a plane at the height −c, without and with the
/// weight cos α.
fn forces(n: usize, turn: f64, c: f64) -> [[f64; 2]; 2] {
    let cylinder = still(&prism(n, turn));
    let ground = still(&block([-90.0, -90.0, -90.0], [90.0, 90.0, -c]));
    let mut sums = [[0.0; 2]; 2];
    for v in n..2 * n {
        if let RayEnd::Kept(ray) = cast(&cylinder.at(), v as u32, &ground.at()) {
            for (sum, weight) in sums.iter_mut().zip([1.0, ray.cosine]) {
                let force = ray.direction * (ray.depth * weight);
                sum[0] += force.x;
                sum[1] += force.z;
            }
        }
    }
    sums
}

/// The closed form: vertices at angles φ from the bottom with cos φ > c, ℓ = 1 − c/cos φ along the ray.
fn closed_form(n: usize, turn: f64, c: f64) -> [[f64; 2]; 2] {
    let mut sums = [[0.0; 2]; 2];
    for k in 0..n {
        let phi = turn + std::f64::consts::TAU * k as f64 / n as f64;
        let (sin, cos) = phi.sin_cos();
        if cos > c {
            let length = 1.0 - c / cos;
            for (sum, weight) in sums.iter_mut().zip([1.0, cos]) {
                sum[0] -= length * sin * weight;
                sum[1] += length * cos * weight;
            }
        }
    }
    sums
}

/// Figures 7 and 8: the worst ratio of tangential to normal force over 100 turns.
fn worst(n: usize, c: f64, of: impl Fn(usize, f64, f64) -> [[f64; 2]; 2]) -> [f64; 2] {
    let mut worst = [0.0f64; 2];
    for turn in 0..100 {
        // Just beyond the turns at which a vertex is in the plane itself, and rounding decides whether it counts.
        let turn = (f64::from(turn) + 0.01) * std::f64::consts::TAU / n as f64 / 100.0;
        for (worst, [tangential, normal]) in worst.iter_mut().zip(of(n, turn, c)) {
            *worst = worst.max((tangential / normal).abs());
        }
    }
    worst
}

#[test]
fn the_friction_bed_is_its_closed_form() {
    for n in [10, 12, 20, 31, 50, 75, 100, 150] {
        for c in [0.0, 0.1, 0.5] {
            for turn in 0..5 {
                let turn = (f64::from(turn) + 0.37) * std::f64::consts::TAU / n as f64 / 5.0;
                let (ours, exact) = (forces(n, turn, c), closed_form(n, turn, c));
                for (ours, exact) in ours.as_flattened().iter().zip(exact.as_flattened()) {
                    assert!((ours - exact).abs() < 1e-10, "{n} {c} {ours} {exact}");
                }
            }
        }
    }
}

#[test]
fn the_worst_ratios_are_those_of_the_design_and_weighted_rays_push_straight_at_half_immersion() {
    let near = |value: f64, wanted: f64, digit: f64| {
        assert!((value - wanted).abs() < digit, "{value} {wanted}");
    };
    let [plain, weighted] = worst(10, 0.1, forces);
    near(plain, 0.084, 5e-4);
    near(weighted, 0.031, 5e-4);
    let [plain, weighted] = worst(150, 0.1, forces);
    near(plain, 0.001, 5e-4);
    near(weighted, 0.0001, 5e-5);
    near(worst(10, 0.0, forces)[0], 0.32, 5e-3);
    near(worst(150, 0.0, forces)[0], 0.021, 5e-4);
    // Even numbers of sides: with odd ones, one vertex more or less is below the plane, and 1/n³ is left.
    for n in (10..=150).step_by(20) {
        near(worst(n, 0.0, forces)[1], 0.0, 1e-12);
    }
}
