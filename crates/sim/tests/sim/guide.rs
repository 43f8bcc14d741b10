//! Guided bodies, what is held, and the guard.

use crate::common::{body, square};
use superovoid_sim::scene::{Cloth, Motion, Scene, Shape};
use superovoid_sim::{Goal, GuideError, Hold, World, judge};

fn guided() -> Motion {
    Motion::Kinematic { keys: Vec::new() }
}

fn scene(thickness: f64) -> Scene {
    scene_with(square(21, 1.0, 0.3, thickness))
}

fn scene_with(cloth: Cloth) -> Scene {
    Scene {
        bodies: vec![body([0.2; 3], [1.0; 2], [0.0; 3], guided())],
        cloths: vec![cloth],
        ..Scene::default()
    }
}

const GOAL: Goal = Goal {
    position: [0.3, 0.1, 0.2],
    orientation: [0.0, 0.0, 0.0, 1.0],
    semi_axes: [0.3, 0.1, 0.25],
    exponents: [0.2, 1.7],
    speed: 100.0,
};

#[test]
fn a_guided_body_arrives_and_rests() {
    let mut world = World::new(&scene(0.02)).unwrap();
    world.guide(0, GOAL).unwrap();
    for _ in 0..120 {
        world.step().unwrap();
    }
    let at = world.state().bodies[0];
    assert_eq!(at.position, GOAL.position);
    assert_eq!(at.velocity, [0.0; 3]);
    assert!((at.orientation[3].abs() - 1.0).abs() < 1e-12);
    assert_eq!(world.form(0), Some((GOAL.semi_axes, GOAL.exponents)));
    assert_eq!(world.form(1), None);
}

/// A quarter of the thickness in each substep, by the support function of the judge's kind: the farthest points along
/// axes, of a body that only grows and of one that only moves.
#[test]
fn no_surface_is_faster_than_a_cloth_can_follow() {
    let mut world = World::new(&scene(0.02)).unwrap();
    world
        .guide(
            0,
            Goal {
                position: [9.0, 0.0, 0.0],
                ..GOAL
            },
        )
        .unwrap();
    let most = 0.25 * 0.02 * 10.0;
    for _ in 0..20 {
        let before = (world.state().bodies[0].position, world.form(0));
        world.step().unwrap();
        let after = (world.state().bodies[0].position, world.form(0));
        let (Some((a, _)), Some((b, _))) = (before.1, after.1) else {
            panic!("it is guided");
        };
        for k in 0..3 {
            let along = (after.0[k] - before.0[k]).abs() + (b[k] - a[k]).abs();
            assert!(along <= most * (1.0 + 1e-9), "{along}");
        }
    }
    assert!(world.state().bodies[0].position[0] > 0.1);
}

#[test]
fn a_growing_body_presses_the_cloth_and_is_not_pierced() {
    let mut scene = scene(0.02);
    let mut world = World::new(&scene).unwrap();
    world
        .guide(
            0,
            Goal {
                position: [0.0; 3],
                ..GOAL
            },
        )
        .unwrap();
    for frame in 0..120 {
        world.step().unwrap();
        let (semi_axes, exponents) = world.form(0).unwrap();
        scene.bodies[0].shape = Shape::Superovoid {
            semi_axes,
            exponents,
            tapers: [0.0; 2],
        };
        let depth = judge::cloth_depth(&scene, world.state(), 0, 4);
        assert!(
            depth.vertices == 0.0 && depth.triangles == 0.0,
            "{frame}: {depth:?}"
        );
    }
}

/// A cloth of `side` vertices a side, every one of them held.
fn check_a_cloth_that_is_held_all_round(side: usize, frames: usize) {
    let mut scene = scene_with(square(side, 1.0, 0.3, 0.02));
    scene.cloths[0].pins = (0..side * side)
        .map(|vertex| superovoid_sim::scene::Pin { vertex, body: None })
        .collect();
    let mut world = World::new(&scene).unwrap();
    let goal = Goal {
        position: [0.0, 0.0, 0.4],
        ..GOAL
    };
    world.guide(0, goal).unwrap();
    for _ in 0..frames {
        world.step().unwrap();
    }
    let (semi_axes, exponents) = world.form(0).unwrap();
    scene.bodies[0].shape = Shape::Superovoid {
        semi_axes,
        exponents,
        tapers: [0.0; 2],
    };
    assert!(judge::cloth_depth(&scene, world.state(), 0, 4).triangles == 0.0);
    // It went as far as it could.
    let z = world.state().bodies[0].position[2];
    assert!((0.01..0.3).contains(&z), "{z}");
}

#[test]
fn a_body_that_grows_into_a_cloth_that_is_held_all_round_stops() {
    check_a_cloth_that_is_held_all_round(11, 25);
}

#[test]
#[ignore = "four times the vertices"]
fn a_body_that_grows_into_a_cloth_that_is_held_all_round_stops_long() {
    check_a_cloth_that_is_held_all_round(21, 60);
}

#[test]
fn what_is_held_stays_and_what_is_let_go_falls() {
    let mut world = World::new(&scene(0.02)).unwrap();
    let corners = [0, 20, 420, 440];
    let place = world.state().cloths[0].positions.clone();
    let holds = corners.map(|vertex| Hold {
        cloth: 0,
        vertex,
        place: place[vertex],
    });
    world.hold(&holds).unwrap();
    for _ in 0..60 {
        world.step().unwrap();
    }
    for vertex in corners {
        let z = world.state().cloths[0].positions[vertex][2];
        assert!((z - 0.3).abs() < 0.01, "{z}");
    }
    world.hold(&[]).unwrap();
    for _ in 0..30 {
        world.step().unwrap();
    }
    assert!(world.state().cloths[0].positions[0][2] < 0.0);
}

#[test]
fn what_is_refused_changes_nothing() {
    let mut scene = scene(0.02);
    scene
        .bodies
        .push(body([0.1; 3], [1.0; 2], [0.0, 0.0, -9.0], Motion::Static));
    let mut world = World::new(&scene).unwrap();
    let mut same = World::new(&scene).unwrap();
    assert_eq!(world.guide(1, GOAL), Err(GuideError::Body(1)));
    assert_eq!(world.guide(2, GOAL), Err(GuideError::Body(2)));
    let nan = f64::NAN;
    for goal in [
        Goal {
            position: [nan, 0.0, 0.0],
            ..GOAL
        },
        Goal {
            position: [0.0, f64::INFINITY, 0.0],
            ..GOAL
        },
        Goal {
            orientation: [0.0; 4],
            ..GOAL
        },
        Goal {
            orientation: [nan; 4],
            ..GOAL
        },
        Goal {
            semi_axes: [0.0, 1.0, 1.0],
            ..GOAL
        },
        Goal {
            semi_axes: [nan, 1.0, 1.0],
            ..GOAL
        },
        Goal {
            exponents: [2.0, 1.0],
            ..GOAL
        },
        Goal {
            exponents: [1.0, nan],
            ..GOAL
        },
        Goal { speed: 0.0, ..GOAL },
        Goal { speed: nan, ..GOAL },
    ] {
        assert!(world.guide(0, goal).is_err(), "{goal:?}");
    }
    let held = Hold {
        cloth: 0,
        vertex: 0,
        place: [0.0; 3],
    };
    for hold in [
        Hold { cloth: 1, ..held },
        Hold {
            vertex: 441,
            ..held
        },
        Hold {
            place: [0.0, nan, 0.0],
            ..held
        },
    ] {
        assert!(world.hold(&[held, hold]).is_err(), "{hold:?}");
    }
    let good = vec![[0.0; 3]; 441];
    let mut bad = good.clone();
    bad[7][1] = nan;
    for (x, v, said) in [
        (&bad, &good, "positions[7]: must be finite"),
        (&good, &bad, "velocities[7]: must be finite"),
        (
            &good[..440].to_vec(),
            &good,
            "positions: must be 441 in number, and are 440",
        ),
    ] {
        assert_eq!(world.set_cloth(0, x, v).unwrap_err().to_string(), said);
    }
    assert!(world.set_cloth(1, &good, &good).is_err());
    for _ in 0..5 {
        world.step().unwrap();
        same.step().unwrap();
    }
    assert_eq!(world.state(), same.state());
}
