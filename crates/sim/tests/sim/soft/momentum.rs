//! Linear and angular momentum in every kind of contact.

use crate::soft::{PUBLISHED, cells, collision};
use nalgebra::{Isometry3, Vector3};
use superovoid_sim::scene::{Scene, SoftContact};
use superovoid_sim::soft::ball;
use superovoid_sim::{World, judge, scenes};

/// The linear and the angular momentum of the first solids of a world.
fn momentum(scene: &Scene, world: &World) -> [Vector3<f64>; 2] {
    let mut sums = [Vector3::zeros(); 2];
    for solid in 0..scene.solids.len() {
        let (linear, angular) = judge::momentum(scene, world.state(), solid);
        sums[0] += Vector3::from(linear);
        sums[1] += Vector3::from(angular);
    }
    sums
}

/// The changes of momentum in half a second, as shares of what there was, for a scene that presses.
fn changes(scene: &Scene) -> [f64; 2] {
    let mut world = World::new(scene).unwrap();
    let before = momentum(scene, &world);
    let mut pressed = 0;
    for _ in 0..30 {
        world.step().unwrap();
        pressed += world.solid_contacts()[0];
    }
    assert!(pressed > 0);
    let after = momentum(scene, &world);
    [0, 1].map(|k| (after[k] - before[k]).norm() / before[k].norm())
}

/// A clamp of two arms, whose upper one a ball presses onto the lower one.
fn clamp() -> Scene {
    let long: Vec<f64> = (0..=10).map(|i| 0.02 * f64::from(i)).collect();
    let wide = [0.0, 0.02, 0.04];
    let high = [0.0, 0.015, 0.03, 0.036, 0.051, 0.066];
    let arms = cells([&long, &wide, &high], |[i, _, k]| i == 0 || k != 2);
    let mut bar = scenes::solid("clamp", arms);
    bar.self_contact = true;
    let pose = Isometry3::translation(0.17, 0.02, 0.095);
    let mut scene = Scene {
        solids: vec![bar, scenes::solid("ball", ball(0.025, 2, 2).at(&pose))],
        ..Scene::default()
    };
    scene.solids[1].velocity = [0.0, 0.1, -3.0];
    for solid in &mut scene.solids {
        solid.substance.air = 0.0;
    }
    scene.settings.gravity = [0.0; 3];
    scene
}

#[test]
fn momentum_is_kept_in_contact_of_a_solid_with_itself() {
    let scene = clamp();
    let mut world = World::new(&scene).unwrap();
    let before = momentum(&scene, &world);
    let mut own = 0;
    for _ in 0..12 {
        world.step().unwrap();
        let kept = |pair: &superovoid_sim::soft::PairReport| pair.rays[0].kept + pair.rays[1].kept;
        let others: usize = world.solid_pairs().iter().map(kept).sum();
        own += world.solid_contacts()[0] - others;
    }
    assert!(own > 0);
    for (after, before) in momentum(&scene, &world).iter().zip(before) {
        let change = (after - before).norm() / before.norm();
        assert!(change < 1e-11, "{change}");
    }
}

#[test]
fn linear_and_angular_momentum_are_kept_in_every_contact_of_solids() {
    let proximity = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 3e3,
    };
    let published = SoftContact::RaysAsPublished { stiffness: 3e3 };
    for contact in [SoftContact::Rays { stiffness: 1e7 }, published, proximity] {
        let mut scene = collision(1);
        scene.settings.soft.contact = contact;
        let [linear, angular] = changes(&scene);
        assert!(linear < 1e-12, "{contact:?} {linear}");
        assert!(angular < 1e-11, "{contact:?} {angular}");
        // The published scheme holds the turns of the tetrahedra fast while K acts on Δv + v, so that a body that turns
        // feels forces with a moment: only linear momentum is kept.
        scene.settings.soft.scheme = PUBLISHED;
        scene.settings.substeps = 2;
        let [linear, angular] = changes(&scene);
        assert!(linear < 1e-12, "{contact:?} {linear}");
        assert!(
            angular > 1e-6,
            "{contact:?} {angular}: it is kept after all"
        );
    }
}
