//! The same scene gives the same bits.

use crate::common::{body, dynamic, square};
use superovoid_sim::scene::{Motion, Scene};
use superovoid_sim::{State, World, scenes};

/// Bodies, a mesh, a cloth and a body that moves it, in one scene.
fn mixed() -> Scene {
    let mut scene = scenes::bowl(5, 9);
    for body in &mut scene.bodies[2..] {
        body.position[2] -= 16.0;
    }
    let mut cloth = square(15, 2.0, 4.6, 0.01);
    cloth.self_contact = true;
    scene.cloths.push(cloth);
    scene
        .bodies
        .push(body([0.3; 3], [0.4; 2], [0.0, 0.0, 4.2], Motion::Static));
    scene
        .bodies
        .push(body([0.1; 3], [1.0; 2], [0.2, 0.0, 5.2], dynamic()));
    scene
}

fn end(threads: usize) -> State {
    let mut world = World::new(&mixed()).unwrap();
    world.set_threads(threads);
    for _ in 0..100 {
        world.step().unwrap();
    }
    world.state().clone()
}

#[test]
fn one_two_and_four_threads_give_the_same_bits() {
    let one = end(1);
    assert_eq!(one, end(1));
    assert_eq!(one, end(2));
    assert_eq!(one, end(4));
}
