//! Scenes that are refused: the error names field and index, and nothing panics.

use crate::common::{body, dynamic, square};
use rand::{RngExt, SeedableRng};
use superovoid_sim::scene::{BodyContact, Motion, Scene};
use superovoid_sim::{StepError, World, scenes};

fn refused(change: impl FnOnce(&mut Scene)) -> String {
    let mut scene = Scene {
        bodies: vec![
            body([0.1; 3], [1.0; 2], [0.0; 3], dynamic()),
            body([0.1; 3], [1.0; 2], [1.0; 3], dynamic()),
        ],
        cloths: vec![square(4, 1.0, 2.0, 0.01)],
        ..Scene::default()
    };
    assert!(World::new(&scene).is_ok());
    change(&mut scene);
    World::new(&scene)
        .err()
        .expect("the scene is refused")
        .to_string()
}

#[test]
fn errors_name_field_and_index() {
    let said = refused(|scene| scene.version = 7);
    assert!(said.starts_with("version: is 7"), "{said}");
    let said = refused(|scene| scene.settings.substeps = 0);
    assert!(said.starts_with("settings.substeps"), "{said}");
    let said = refused(|scene| {
        scene.settings.body_contact = BodyContact::Iterative {
            tolerance: 1e-3,
            iterations: 0,
        }
    });
    assert!(
        said.starts_with("settings.body_contact.iterations"),
        "{said}"
    );
    let said = refused(|scene| scene.bodies[1].position[2] = f64::NAN);
    assert!(said.starts_with("bodies[1].position.z"), "{said}");
    let said = refused(|scene| scene.bodies[1].orientation = [0.0; 4]);
    assert!(said.starts_with("bodies[1].orientation"), "{said}");
    let said = refused(|scene| {
        scene.bodies[0].motion = Motion::Dynamic {
            density: 0.0,
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
        }
    });
    assert!(said.starts_with("bodies[0].motion.density"), "{said}");
    let said = refused(|scene| scene.materials[0].restitution = 1.5);
    assert!(said.starts_with("materials[0].restitution"), "{said}");
    let said = refused(|scene| scene.cloths[0].triangles[3][1] = 16);
    assert!(said.starts_with("cloths[0].triangles[3]"), "{said}");
    let said = refused(|scene| scene.cloths[0].triangles[2] = scene.cloths[0].triangles[1]);
    assert!(
        said.contains("triangles[2]") && said.contains("manifold"),
        "{said}"
    );
    let said = refused(|scene| scene.cloths[0].vertices[5] = scene.cloths[0].vertices[4]);
    assert!(said.contains("degenerate"), "{said}");
    let said = refused(|scene| scene.cloths[0].thickness = -1.0);
    assert!(said.starts_with("cloths[0].thickness"), "{said}");
}

#[test]
fn a_scene_survives_json() {
    for (name, _) in scenes::READY
        .iter()
        .filter(|(name, _)| !name.starts_with("bowl-"))
    {
        let scene = scenes::ready(name).unwrap();
        let back = Scene::from_json(&scene.to_json()).unwrap();
        assert_eq!(back, scene, "{name}");
    }
}

/// Changes characters of a scene file: it is refused by the reader, refused with an error, or runs.
fn fuzz(cases: u64) {
    let mut scene = scenes::stack(2);
    scene.cloths.push(square(3, 0.5, 1.2, 0.01));
    let text = scene.to_json();
    let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(31);
    let mut ran = 0;
    for case in 0..cases {
        let mut bytes = text.clone().into_bytes();
        for _ in 0..random.random_range(1..4) {
            let at = random.random_range(0..bytes.len());
            let new = b"0123456789-e.[]{},\":ntf"[random.random_range(0..23)];
            match random.random_range(0..3) {
                0 => bytes[at] = new,
                1 => bytes.insert(at, new),
                _ => drop(bytes.remove(at)),
            }
        }
        let changed = String::from_utf8(bytes).expect("all of these are ASCII");
        let Ok(scene) = Scene::from_json(&changed) else {
            continue;
        };
        let Ok(mut world) = World::new(&scene) else {
            continue;
        };
        ran += 1;
        for _ in 0..3 {
            let before = world.state().clone();
            if world.step().is_err() {
                assert_eq!(&before, world.state(), "case {case}");
            }
        }
    }
    assert!(ran > 0);
}

#[test]
fn hostile_scene_files_never_panic() {
    fuzz(1500);
}

#[test]
#[ignore = "long: 100,000 files"]
fn hostile_scene_files_never_panic_long() {
    fuzz(100_000);
}

#[test]
fn a_state_that_diverges_ends_with_an_error_and_the_last_good_state() {
    let fast = Motion::Dynamic {
        density: 1000.0,
        velocity: [9e5, 0.0, 0.0],
        angular_velocity: [0.0; 3],
    };
    let scene = Scene {
        bodies: vec![body([0.1; 3], [1.0; 2], [9e5, 0.0, 0.0], fast)],
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    let mut steps = 0;
    let error = loop {
        let before = world.state().clone();
        match world.step() {
            Ok(()) => steps += 1,
            Err(error) => {
                assert_eq!(&before, world.state());
                break error;
            }
        }
        assert!(steps < 100);
    };
    assert_eq!(
        error,
        StepError::Body {
            frame: steps,
            body: 0
        }
    );
    assert_eq!(world.step(), Err(error));
}
