//! What a solid is made of: its stiffness, its volume at rest.

use crate::common::run;
use crate::soft::{PUBLISHED, cells};
use nalgebra::Vector3;
use superovoid_sim::scene::{Pin, Scene, Settings, SoftScheme, Substance};
use superovoid_sim::scenes;
use superovoid_sim::soft::ball;

/// A bar that hangs: under its own weight its length changes by ρ g/E (L − x) at x, away from where it is held.
#[test]
fn a_bar_under_its_weight_stretches_by_youngs_modulus() {
    let line = |count: usize, side: f64| -> Vec<f64> {
        (0..=count)
            .map(|i| side * i as f64 / count as f64)
            .collect()
    };
    let (long, wide) = (line(20, 0.5), line(4, 0.1));
    let mesh = cells([&long, &wide, &wide], |_| true);
    let (mu, lambda, density, pull) = (2e4, 8e4, 1000.0, 1.0);
    // Near rest the neo-Hookean solid has Lamé's λ − μ, the corotational one λ.
    let young = |lambda: f64| mu * (3.0 * lambda + 2.0 * mu) / (lambda + mu);
    for (scheme, substeps, young) in [
        (SoftScheme::Xpbd, 60, young(lambda - mu)),
        (PUBLISHED, 5, young(lambda)),
    ] {
        let mut bar = scenes::solid("bar", mesh.clone());
        bar.substance = Substance {
            density,
            shear: mu,
            lambda,
            damping: 0.0,
            air: 20.0,
        };
        let held = (0..mesh.vertices.len()).filter(|&v| mesh.vertices[v][0] == 0.0);
        bar.pins = held.map(|vertex| Pin { vertex, body: None }).collect();
        let mut scene = Scene {
            solids: vec![bar],
            ..Scene::default()
        };
        scene.settings.gravity = [pull, 0.0, 0.0];
        scene.settings.substeps = substeps;
        scene.settings.soft.scheme = scheme;
        let world = run(&scene, 0.5);
        // The mean displacement of a section of the bar.
        let moved = |x: f64| {
            let on = |rest: &&[f64; 3]| (rest[0] - x).abs() < 1e-9;
            let all = mesh.vertices.iter().zip(&world.state().solids[0].positions);
            let section: Vec<f64> = all
                .filter(|(rest, _)| on(rest))
                .map(|(rest, at)| at[0] - rest[0])
                .collect();
            section.iter().sum::<f64>() / section.len() as f64
        };
        let (from, to, length) = (0.1, 0.4, 0.5);
        let share = length * (to - from) - 0.5 * (to * to - from * from);
        let measured = density * pull * share / (moved(to) - moved(from));
        assert!(
            (measured / young - 1.0).abs() < 0.03,
            "{scheme:?} {measured} {young}"
        );
    }
}

#[test]
fn a_solid_at_rest_keeps_its_volume_and_place() {
    let scene = Scene {
        solids: vec![scenes::solid("ball", ball(0.1, 2, 3))],
        settings: Settings {
            gravity: [0.0; 3],
            ..Settings::default()
        },
        ..Scene::default()
    };
    let world = run(&scene, 0.5);
    let moved: Vec<f64> = world.state().solids[0]
        .positions
        .iter()
        .zip(&scene.solids[0].vertices)
        .map(|(x, rest)| (Vector3::from(*x) - Vector3::from(*rest)).norm())
        .collect();
    let farthest = moved.into_iter().fold(0.0, f64::max);
    assert!(farthest < 1e-10, "{farthest}");
}
