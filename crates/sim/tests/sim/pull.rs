//! What is pulled comes, wakes, keeps to the contacts, and falls when it is let go.

use nalgebra::Vector3;
use superovoid_sim::scene::SoftScheme;
use superovoid_sim::soft::{SolidMesh, ball};
use superovoid_sim::{Pull, PullError, Pulled, Scene, World, judge, scenes};

fn body(body: usize, target: [f64; 3]) -> Option<Pull> {
    let point = [0.0; 3];
    Some(Pull {
        what: Pulled::Body { body, point },
        target,
    })
}

fn apart(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn a_pulled_body_hangs_near_its_target_and_falls_when_it_is_let_go() {
    let scene = scenes::stack(3);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..120 {
        world.step().unwrap();
    }
    let top = world.state().bodies[3].position;
    let target = [top[0] + 0.3, top[1] - 0.2, top[2] + 0.5];
    world.pull(body(3, target)).unwrap();
    for _ in 0..180 {
        world.step().unwrap();
        // The others are not pulled through each other.
        assert!(judge::body_depth(&scene, world.state(), 200) < 0.005);
    }
    let hanging = world.state().bodies[3];
    // Gravity stretches the spring: g/ω² = 7 cm.
    let below = [target[0], target[1], target[2] - 9.81 / 144.0];
    assert!(
        apart(hanging.position, below) < 0.01,
        "{:?} {below:?}",
        hanging.position
    );
    assert!(hanging.velocity.iter().all(|v| v.abs() < 0.02));
    world.pull(None).unwrap();
    for _ in 0..20 {
        world.step().unwrap();
    }
    assert!(world.state().bodies[3].position[2] < below[2] - 0.3);
}

/// A cloth of about `side` vertices a side.
fn check_a_pulled_cloth(side: usize) {
    let scene = scenes::tablecloth(side, side - 2);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..90 {
        world.step().unwrap();
    }
    let vertex = side * (side / 2 - 1) + side / 2;
    let start = world.state().cloths[0].positions[vertex];
    let pull = |target| {
        Some(Pull {
            what: Pulled::Vertex { cloth: 0, vertex },
            target,
        })
    };
    // Far down through the table, then up.
    world
        .pull(pull([start[0], start[1], start[2] - 3.0]))
        .unwrap();
    for _ in 0..60 {
        world.step().unwrap();
        assert!(judge::cloth_depth(&scene, world.state(), 0, 3).vertices < 0.01);
    }
    let up = [start[0], start[1], start[2] + 0.6];
    world.pull(pull(up)).unwrap();
    for _ in 0..180 {
        world.step().unwrap();
    }
    let held = world.state().cloths[0].positions[vertex];
    assert!(apart(held, up) < 0.15, "{held:?} {up:?}");
    assert!(judge::largest_strain(&scene, world.state(), 0) < 0.5);
    world.pull(None).unwrap();
    for _ in 0..60 {
        world.step().unwrap();
    }
    assert!(world.state().cloths[0].positions[vertex][2] < up[2] - 0.3);
}

#[test]
fn a_pulled_vertex_lifts_its_cloth_and_stays_outside_of_the_bodies() {
    check_a_pulled_cloth(12);
}

#[test]
#[ignore = "three times the vertices"]
fn a_pulled_vertex_lifts_its_cloth_and_stays_outside_of_the_bodies_long() {
    check_a_pulled_cloth(20);
}

fn check_a_pulled_solid(solid: &SolidMesh) {
    for scheme in [
        SoftScheme::Xpbd,
        SoftScheme::ImplicitEuler {
            iterations: 100,
            tolerance: 1e-3,
        },
    ] {
        let mut scene = Scene {
            solids: vec![scenes::solid("ball", solid.clone())],
            ..Scene::default()
        };
        scene.settings.gravity = [0.0; 3];
        scene.settings.soft.scheme = scheme;
        let mut world = World::new(&scene).unwrap();
        let what = |vertex| Pulled::SolidVertex { solid: 0, vertex };
        let pull = |vertex| Pull {
            what: what(vertex),
            target: [0.6, 0.0, 0.3],
        };
        world.pull(Some(pull(7))).unwrap();
        for _ in 0..180 {
            world.step().unwrap();
        }
        let at = world.state().solids[0].positions.last().unwrap();
        let off = Vector3::from(*at) - Vector3::from(pull(7).target);
        // It began 0.67 m away; without air it still swings.
        assert!((0.05..0.3).contains(&off.norm()), "{scheme:?} {at:?}");
        assert!(world.pull(Some(pull(999))).is_err());
    }
}

#[test]
fn a_solid_is_pulled_at_a_vertex_in_both_schemes() {
    check_a_pulled_solid(&ball(0.1, 1, 2));
}

#[test]
#[ignore = "eight times the tetrahedra"]
fn a_solid_is_pulled_at_a_vertex_in_both_schemes_long() {
    check_a_pulled_solid(&ball(0.1, 2, 3));
}

#[test]
fn what_cannot_be_pulled_is_refused_and_the_world_goes_on_as_before() {
    let scene = scenes::stack(2);
    let [mut pulled, mut plain] = [(); 2].map(|()| World::new(&scene).unwrap());
    let vertex = Some(Pull {
        what: Pulled::Vertex {
            cloth: 0,
            vertex: 0,
        },
        target: [0.0; 3],
    });
    for (pull, error) in [
        (body(0, [0.0; 3]), PullError::Body(0)),
        (body(9, [0.0; 3]), PullError::Body(9)),
        (body(1, [f64::NAN, 0.0, 0.0]), PullError::NotFinite),
        (body(1, [1e9, 0.0, 0.0]), PullError::NotFinite),
        (
            vertex,
            PullError::Vertex {
                cloth: 0,
                vertex: 0,
            },
        ),
    ] {
        assert_eq!(pulled.pull(pull), Err(error));
    }
    for _ in 0..30 {
        pulled.step().unwrap();
        plain.step().unwrap();
    }
    assert_eq!(pulled.state(), plain.state());
}
