//! Scenes that are refused: the error names field and index, and nothing panics.

use crate::common::{body, dynamic, square};
use rand::{RngExt, SeedableRng};
use superovoid_sim::scene::{BodyContact, Cloth, Motion, Scene, Shape};
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
fn a_scene_without_materials_has_the_default_one_alone() {
    let (vertices, triangles) = scenes::grid(4, 4, [0.5; 2], 0.5);
    let text = |materials: &str| {
        format!(
            r#"{{"version": 1, {materials}
            "bodies": [{{"shape": "HalfSpace", "orientation": [0.98, 0, 0.2, 0]}},
                {{"shape": {{"Superovoid": {{"semi_axes": [0.1, 0.1, 0.1], "exponents": [0.5, 0.5]}}}},
                  "position": [0, 0, 0.2], "motion": {{"Dynamic": {{"density": 1000}}}}}}],
            "cloths": [{{"vertices": {vertices:?}, "triangles": {triangles:?}, "thickness": 0.01}}]}}"#
        )
    };
    let ended = |materials: &str| {
        let mut world = World::new(&Scene::from_json(&text(materials)).unwrap()).unwrap();
        (0..60).for_each(|_| world.step().unwrap());
        world.state().clone()
    };
    let default = ended(r#""materials": [{}],"#);
    assert_eq!(ended(""), default);
    assert_eq!(ended(r#""materials": [],"#), default);
    assert_ne!(
        ended(r#""materials": [{"static_friction": 0, "kinetic_friction": 0}],"#),
        default
    );
    // What the file says is written again, not what is taken in its place.
    let scene = Scene::from_json(&text("")).unwrap();
    assert!(scene.materials.is_empty());
    assert_eq!(Scene::from_json(&scene.to_json()).unwrap(), scene);
    // A solid takes it too.
    let mut soft = scenes::ready("rings").unwrap();
    soft.materials.clear();
    World::new(&soft).unwrap().step().unwrap();
    soft.solids[0].material = 1;
    let said = World::new(&soft).err().unwrap().to_string();
    assert!(said.starts_with("solids[0].material: is 1"), "{said}");
}

#[test]
fn a_material_that_is_not_there_is_named_with_its_place() {
    let none = "is 1; a scene without materials has the default one alone, 0";
    for (clear, wanted) in [
        (false, "is 1; there are 1 materials (from 0)"),
        (true, none),
    ] {
        let said = refused(|scene| {
            if clear {
                scene.materials.clear();
            }
            scene.bodies[1].material = 1;
        });
        assert_eq!(said, format!("bodies[1].material: {wanted}"));
        let said = refused(|scene| {
            if clear {
                scene.materials.clear();
            }
            scene.cloths[0].material = 1;
        });
        assert_eq!(said, format!("cloths[0].material: {wanted}"));
    }
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

/// What of cloths crosses where a scene begins is refused with both triangles; what only comes near is not.
#[test]
fn cloths_that_cross_where_the_scene_begins_are_refused() {
    let said = |scene: &Scene| match World::new(scene) {
        Ok(_) => String::new(),
        Err(error) => error.to_string(),
    };
    let crosses = |said: &str, a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| format!("{name}.triangles["));
        assert!(
            said.starts_with(&a) && said.contains(&format!("crosses {b}")),
            "{said}"
        );
    };
    let turned = |cloth: &mut Cloth, shift: f64| {
        for v in &mut cloth.vertices {
            *v = [v[2] - 2.0 + 0.013, v[1] + 0.017, 2.0 + v[0] + shift];
        }
    };
    // Through another cloth, and beside it.
    let mut other = square(4, 1.0, 2.0, 0.01);
    turned(&mut other, 0.03);
    let mut scene = Scene {
        cloths: vec![square(4, 1.0, 2.0, 0.01), other],
        ..Scene::default()
    };
    crosses(&said(&scene), "cloths[1]", "cloths[0]");
    turned(&mut scene.cloths[1], 0.0);
    scene.cloths[1] = square(4, 1.0, 2.001, 0.01);
    assert_eq!(said(&scene), "");
    // Through itself: two pieces of one cloth.
    let mut own = square(4, 1.0, 2.0, 0.01);
    let mut piece = square(4, 1.0, 2.0, 0.01);
    turned(&mut piece, 0.03);
    let count = own.vertices.len() as u32;
    own.vertices.extend(piece.vertices);
    own.triangles
        .extend(piece.triangles.iter().map(|t| t.map(|v| v + count)));
    let mut scene = Scene {
        cloths: vec![own],
        ..Scene::default()
    };
    crosses(&said(&scene), "cloths[0]", "cloths[0]");
    scene.cloths[0].self_contact = false;
    assert_eq!(said(&scene), "");
    // Through a mesh that is turned and moved, and beside it.
    let mut tetrahedron = body([1.0; 3], [1.0; 2], [0.1, 0.05, 1.9], Motion::Static);
    tetrahedron.orientation = [0.6, 0.8, 0.0, 0.0];
    tetrahedron.shape = Shape::Mesh {
        vertices: vec![[0.0; 3], [0.3, 0.0, 0.0], [0.0, 0.3, 0.0], [0.0, 0.0, 0.3]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let mut scene = Scene {
        bodies: vec![tetrahedron],
        cloths: vec![square(4, 1.0, 2.0, 0.01)],
        ..Scene::default()
    };
    let found = said(&scene);
    assert!(
        found.contains("cloths[0].triangles[") && found.contains("bodies[0].shape.triangles["),
        "{found}"
    );
    scene.bodies[0].position[2] = 1.4;
    assert_eq!(said(&scene), "");
}

/// What would pass through soft solids is refused: cloths, and bodies that fit between the vertices of a triangle.
#[test]
fn what_would_pass_through_soft_solids_is_refused() {
    let refused = |change: &dyn Fn(&mut Scene)| {
        let mut scene = scenes::rings_in_one_another(2);
        assert!(World::new(&scene).is_ok());
        change(&mut scene);
        World::new(&scene)
            .err()
            .expect("the scene is refused")
            .to_string()
    };
    let said = refused(&|scene| scene.cloths.push(square(4, 1.0, 9.0, 0.01)));
    assert!(
        said.starts_with("cloths") && said.contains("soft solids"),
        "{said}"
    );
    let needle = |axis: usize| {
        let mut axes = [0.2; 3];
        axes[axis] = 1e-3;
        body(axes, [1.0; 2], [0.0, 0.0, 9.0], dynamic())
    };
    for axis in 0..3 {
        let said = refused(&|scene| scene.bodies.push(needle(axis)));
        assert!(
            said.starts_with("bodies[") && said.contains("would pass through solids["),
            "{said}"
        );
    }
}

/// Every ready scene is built.
#[test]
fn the_ready_scenes_are_valid() {
    for (name, _) in scenes::READY {
        let built = World::new(&scenes::ready(name).unwrap());
        assert!(built.is_ok(), "{name}: {:?}", built.err());
    }
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
