//! Solids that begin in one another: rays and proximity in both schemes.

use crate::soft::PUBLISHED;
use nalgebra::Isometry3;
use superovoid_sim::scene::{RayTree, SoftContact, SoftScheme};
use superovoid_sim::soft::torus;
use superovoid_sim::{World, judge, scenes};

/// The overlap of two rings that begin in one another, at the start and after a second.
fn separated(contact: SoftContact, scheme: SoftScheme, tree: RayTree) -> [f64; 2] {
    let mut scene = scenes::rings_in_one_another(2);
    for (solid, z) in scene.solids.iter_mut().zip([0.0, 0.045]) {
        let mesh = torus(0.1, 0.035, [24, 12]).at(&Isometry3::translation(0.1 * z, 0.0, z));
        *solid = scenes::solid("", mesh);
    }
    scene.settings.soft.contact = contact;
    scene.settings.soft.scheme = scheme;
    scene.settings.soft.tree = tree;
    if scheme != SoftScheme::Xpbd {
        scene.settings.substeps = 1;
    }
    let overlap = |world: &World| judge::overlap_volume(&scene, world.state(), [0, 1], 40);
    let mut world = World::new(&scene).unwrap();
    let start = overlap(&world);
    world.step().unwrap();
    // Without rays there is nothing to report: least of all that the two are apart.
    if matches!(contact, SoftContact::Proximity { .. }) {
        assert!(world.solid_contacts()[0] > 0 && world.solid_pairs().is_empty());
    }
    for _ in 1..60 {
        world.step().unwrap();
    }
    [start, overlap(&world)]
}

#[test]
fn rays_separate_rings_that_begin_in_one_another() {
    let rays = SoftContact::Rays { stiffness: 1e6 };
    for tree in [RayTree::Hierarchy, RayTree::Octree] {
        let [start, end] = separated(rays, SoftScheme::Xpbd, tree);
        assert!(start > 1e-4 && end == 0.0, "{start} {end}");
    }
    let rays = SoftContact::RaysAsPublished { stiffness: 300.0 };
    let [_, end] = separated(rays, PUBLISHED, RayTree::Octree);
    assert_eq!(end, 0.0);
}

#[test]
fn proximity_does_not_separate_them() {
    let proximity = SoftContact::Proximity {
        threshold: 0.01,
        stiffness: 300.0,
    };
    let [start, end] = separated(proximity, PUBLISHED, RayTree::Hierarchy);
    assert!(end > 0.5 * start, "{start} {end}");
}
