//! The same bits with either tree and any number of threads.

use crate::soft::collision;
use superovoid_sim::World;
use superovoid_sim::scene::RayTree;

#[test]
fn both_trees_give_the_same_bits_near_the_origin_and_far_away() {
    let end = |tree: RayTree, shift: f64| {
        let mut scene = collision(1);
        for vertex in scene.solids.iter_mut().flat_map(|s| &mut s.vertices) {
            *vertex = vertex.map(|x| x + shift);
        }
        scene.settings.soft.tree = tree;
        let mut world = World::new(&scene).unwrap();
        let mut pressed = 0;
        for _ in 0..12 {
            world.step().unwrap();
            pressed += world.solid_contacts()[0];
        }
        assert!(pressed > 0);
        world.state().clone()
    };
    for shift in [0.0, 1e5] {
        assert_eq!(end(RayTree::Hierarchy, shift), end(RayTree::Octree, shift));
    }
}

#[test]
fn one_and_two_threads_give_the_same_bits() {
    let end = |threads: usize| {
        let mut scene = collision(2);
        scene.solids[0].self_contact = true;
        let mut world = World::new(&scene).unwrap();
        world.set_threads(threads);
        let mut pressed = 0;
        for _ in 0..10 {
            world.step().unwrap();
            pressed += world.solid_contacts()[0];
        }
        assert!(pressed > 0);
        world.state().clone()
    };
    let one = end(1);
    assert_eq!(one, end(2));
    assert_eq!(one, end(3));
}
