//! Cloth: hanging, draping, friction, pins, the published modes.

use crate::common::{body, dynamic, material, run, slope, square};
use nalgebra::Vector3;
use superovoid_sim::scene::{
    Body, Cloth, ClothContact, Fabric, Motion, Pin, Scene, Settings, Shape,
};
use superovoid_sim::scenes::Random;
use superovoid_sim::{Scheme, World, judge, scenes};

/// How much longer the strip is in the end.
fn stretch(scheme: Scheme, substeps: u32) -> f64 {
    let world = run(&scenes::hanging_strip(scheme, substeps), 4.0);
    world.state().cloths[0].positions[40][1] - 0.5
}

/// One pass leaves a spring corrected for what its neighbours did before it, and not for what they do after it: at rest
/// they move its ends by at most w λ each, with λ = k h² C its own multiplier where loads are alike. So the length is wrong
/// by a share of at most about (w_i + w_j) k h², here 0.58 with 20 substeps and 0.065 with 60: with 20 substeps the strip
/// cannot be within 5 % of its balance, and what holds is that, and that the error falls with h².
#[test]
fn the_stretch_of_a_hanging_strip_tends_to_that_of_its_springs() {
    let balance = judge::hanging_balance(&scenes::hanging_strip(Scheme::Xpbd, 1), 0).unwrap();
    let exact = balance[40][1] - 0.5;
    let [few, some, many] = [20, 60, 120].map(|n| stretch(Scheme::Xpbd, n) / exact - 1.0);
    assert!(few.abs() < 0.58, "{few}");
    assert!(some.abs() < 0.05, "{some}");
    assert!((some / many / 4.0 - 1.0).abs() < 0.2, "{some} {many}");
    let pbd = |iterations| Scheme::Pbd {
        iterations,
        velocity_iterations: 0,
        stretch: 0.2,
        bend: 0.0,
        per_iteration: false,
    };
    let [few, many] = [2, 20].map(|n| stretch(pbd(n), 1));
    // The published scheme: the material is stiffer with more iterations.
    assert!(few > 2.0 * many, "{few} {many}");
}

#[test]
fn a_small_tablecloth_rests_outside_its_table() {
    let scene = scenes::tablecloth(30, 27);
    let mut world = World::new(&scene).unwrap();
    let mut deepest = judge::ClothDepth::default();
    for _ in 0..240 {
        world.step().unwrap();
        let depth = judge::cloth_depth(&scene, world.state(), 0, 4);
        deepest.vertices = deepest.vertices.max(depth.vertices);
        deepest.triangles = deepest.triangles.max(depth.triangles);
    }
    assert!(deepest.vertices == 0.0, "{deepest:?}");
    assert!(deepest.triangles == 0.0, "{deepest:?}");
    assert!(judge::largest_strain(&scene, world.state(), 0) < 0.1);
}

#[test]
fn triangles_do_not_pierce_a_body_that_is_smaller_than_an_edge() {
    for (contact, pierces) in [(ClothContact::Vertices, true), (ClothContact::Exact, false)] {
        let mut cloth = square(6, 2.0, 0.45, 0.01);
        cloth.contact = contact;
        cloth.pins = [0, 5, 30, 35]
            .map(|vertex| Pin { vertex, body: None })
            .into();
        // Under the middle of a square of 0.4 m.
        let ball = body([0.12; 3], [1.0; 2], [0.0, 0.0, 0.3], Motion::Static);
        let scene = Scene {
            bodies: vec![ball],
            cloths: vec![cloth],
            ..Scene::default()
        };
        let mut world = World::new(&scene).unwrap();
        let mut deepest = 0.0f64;
        for frame in 0..120 {
            world.step().unwrap();
            if frame % 6 == 5 {
                deepest = deepest.max(judge::cloth_depth(&scene, world.state(), 0, 12).triangles);
            }
        }
        assert_eq!(deepest > 1e-3, pierces, "{contact:?}: {deepest}");
    }
}

/// Drops a cloth on a random body and returns the deepest vertex.
fn drop(seed: u64) -> f64 {
    let mut random = Random::new(seed);
    let semi_axes = [0; 3].map(|_| random.within(0.15, 0.5));
    let exponents = [0; 2].map(|_| random.within(0.1, 1.9));
    let mut below = body(semi_axes, exponents, [0.0; 3], Motion::Static);
    below.orientation = random.orientation();
    let cloth = square(21, 2.0, random.within(0.9, 2.0), 0.01);
    let scene = Scene {
        bodies: vec![below],
        cloths: vec![cloth],
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    let mut deepest = 0.0f64;
    for frame in 0..120 {
        world.step().unwrap();
        if frame % 4 == 0 {
            deepest = deepest.max(judge::cloth_depth(&scene, world.state(), 0, 2).vertices);
        }
    }
    deepest
}

#[test]
fn no_vertex_gets_through_in_random_drops() {
    drops(0..3);
}

#[test]
#[ignore = "long: a thousand drops"]
fn no_vertex_gets_through_in_random_drops_long() {
    drops(0..1000);
}

fn drops(seeds: std::ops::Range<u64>) {
    let worst = seeds
        .map(|seed| (drop(seed), seed))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .unwrap();
    assert!(worst.0 == 0.0, "seed {}: {}", worst.1, worst.0);
}

#[test]
fn a_cloth_at_rest_does_not_creep() {
    creep(4.0, 4.0);
}

#[test]
#[ignore = "long: 60 s at rest"]
fn a_cloth_at_rest_does_not_creep_long() {
    creep(10.0, 60.0);
}

/// A cloth on a ball: after `settle` seconds its mean place moves by less than 1 mm in `rest` seconds.
fn creep(settle: f64, rest: f64) {
    let table = body([0.5, 0.5, 0.3], [0.3, 0.3], [0.0; 3], Motion::Static);
    let cloth = Cloth {
        fabric: Fabric {
            air: 2.0,
            ..Fabric::COTTON
        },
        ..square(21, 1.4, 0.35, 0.01)
    };
    let scene = Scene {
        bodies: vec![table],
        cloths: vec![cloth],
        materials: material(0.5, 0.0),
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    let frames = |seconds: f64| (seconds * 60.0) as usize;
    let mean = |world: &World| {
        let x = &world.state().cloths[0].positions;
        x.iter().map(|&p| Vector3::from(p)).sum::<Vector3<f64>>() / x.len() as f64
    };
    for _ in 0..frames(settle) {
        world.step().unwrap();
    }
    let before = mean(&world);
    for _ in 0..frames(rest) {
        world.step().unwrap();
    }
    let moved = (mean(&world) - before).norm();
    assert!(moved < 1e-3, "{moved}");
}

/// The load of a column on its first edge is m g/15 = 0.098 N, so that the edge, of 1/14 m, is stretched by at most 0.098/k
/// 14 without the diagonals: by 0.27 for k = 5 N/m, which can not exceed 0.5, and by 1.4 for 1 N/m. The cloth hangs in its
/// plane and at rest: in a cloth that swings the load depends on the moment.
#[test]
fn long_range_attachments_and_the_strain_limit_hold() {
    let mut cloth = square(15, 1.0, 0.0, 0.01);
    cloth.fabric.stretch = 1.0;
    cloth.fabric.air = 3.0;
    cloth.pins = (0..15).map(|vertex| Pin { vertex, body: None }).collect();
    let strain = |long_range: bool, strain_limit: Option<f64>| {
        let cloth = Cloth {
            long_range,
            strain_limit,
            ..cloth.clone()
        };
        let scene = Scene {
            cloths: vec![cloth],
            settings: Settings {
                gravity: [0.0, 9.81, 0.0],
                sleep_speed: 0.0,
                ..Settings::default()
            },
            ..Scene::default()
        };
        let world = run(&scene, 4.0);
        judge::largest_strain(&scene, world.state(), 0)
    };
    let (free, attached, limited) = (
        strain(false, None),
        strain(true, None),
        strain(false, Some(0.05)),
    );
    assert!(free > 0.5, "{free}");
    assert!(attached < 0.2 * free, "{attached} {free}");
    assert!(limited < 0.3 * free, "{limited} {free}");
}

#[test]
fn the_published_modes_run() {
    let iterative = ClothContact::Iterative {
        tolerance: 1e-3,
        iterations: 10,
    };
    for contact in [ClothContact::RadialPush, iterative] {
        let mut scene = scenes::tablecloth(20, 18);
        scene.cloths[0].contact = contact;
        scene.cloths[0].self_contact = false;
        scene.settings.scheme = Scheme::Pbd {
            iterations: 5,
            velocity_iterations: 1,
            stretch: 0.8,
            bend: 0.1,
            per_iteration: true,
        };
        scene.settings.substeps = 2;
        let world = run(&scene, 2.0);
        // It lies on the table: a cloth that slides off, as that of the radial push does in the end, is not run.
        let positions = &world.state().cloths[0].positions;
        let on = |p: &&[f64; 3]| p[0].abs() < 3.5 && p[1].abs() < 3.0 && p[2] > 1.5;
        let share = positions.iter().filter(on).count() as f64 / positions.len() as f64;
        assert!(share > 0.35, "{contact:?}: {share} of it lies on the table");
        let mean = |k: usize| positions.iter().map(|p| p[k]).sum::<f64>() / positions.len() as f64;
        let aside = mean(0).hypot(mean(1));
        assert!(aside < 0.3, "{contact:?}: it has slid by {aside} m");
        assert!(positions.iter().all(|p| p[2] > -4.0), "{contact:?}");
    }
}

#[test]
fn a_cloth_rests_on_a_mesh_and_on_a_plane() {
    let ball = superovoid::Superovoid::sphere(0.4).unwrap().tessellate(24);
    let shape = Shape::Mesh {
        vertices: ball.vertices.iter().map(|&v| v.into()).collect(),
        triangles: ball.triangles,
    };
    let mesh = Body {
        shape,
        position: [0.0, 0.0, 0.4],
        ..slope(0.0)
    };
    let cloth = square(15, 1.2, 0.9, 0.02);
    let scene = Scene {
        bodies: vec![slope(0.0), mesh],
        cloths: vec![cloth],
        ..Scene::default()
    };
    let world = run(&scene, 3.0);
    for p in &world.state().cloths[0].positions {
        let p = Vector3::from(*p);
        assert!(p.z > 0.015, "{p}");
        // The faces of the mesh lie up to 4 mm under the sphere.
        assert!((p - Vector3::new(0.0, 0.0, 0.4)).norm() > 0.41, "{p}");
    }
}

/// A strip of coarse cloth on two inclined rails that lie between its columns of vertices, so that triangles alone carry
/// it, at `share` of the tangent of its angle of friction: how far its mean place slid in two seconds.
fn strip_slide(share: f64) -> f64 {
    let mu: f64 = 0.5;
    let angle = (share * mu).atan();
    let turn = [(0.5 * angle).cos(), 0.0, (0.5 * angle).sin(), 0.0];
    let tilt = nalgebra::UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
    let rail = |y: f64| Body {
        orientation: turn,
        ..body([1.5, 0.04, 0.05], [0.1; 2], [0.0, y, 0.0], Motion::Static)
    };
    let thickness = 0.02;
    let (vertices, triangles) = scenes::grid(6, 2, [1.0, 0.4], 0.05 + 0.25 * thickness);
    let tilted = |p: [f64; 3]| (tilt * Vector3::from(p)).into();
    let cloth = Cloth {
        vertices: vertices.into_iter().map(tilted).collect(),
        triangles,
        fabric: Fabric {
            air: 0.0,
            ..Fabric::DENIM
        },
        ..square(2, 1.0, 0.0, thickness)
    };
    let scene = Scene {
        bodies: vec![rail(-0.1), rail(0.1)],
        cloths: vec![cloth],
        materials: material(mu, 0.0),
        settings: Settings {
            sleep_speed: 0.0,
            ..Settings::default()
        },
        ..Scene::default()
    };
    let mean = |points: &[[f64; 3]]| {
        points
            .iter()
            .map(|&p| Vector3::from(p))
            .sum::<Vector3<f64>>()
            / points.len() as f64
    };
    let end = run(&scene, 2.0);
    let end = &end.state().cloths[0].positions;
    (mean(end) - mean(&scene.cloths[0].vertices)).norm()
}

#[test]
fn a_strip_held_by_triangles_sticks_below_the_angle_of_its_friction_and_slips_above() {
    let (below, above) = (strip_slide(0.99), strip_slide(1.01));
    // Above, it slides with g (sin − μ cos), some 0.09 m in two seconds, as the box does.
    assert!(below < 1e-3, "{below}");
    assert!(above > 0.05 && above < 0.15, "{above}");
}

/// In the middle of a cloth of one square a ball hits the diagonal, at a slant and with a spin: what it loses the cloth has,
/// about any point.
#[test]
fn a_triangle_that_a_body_rubs_keeps_momentum() {
    let mut ball = body([0.1; 3], [1.0; 2], [0.05, 0.02, 0.13], dynamic());
    ball.motion = Motion::Dynamic {
        density: 10.0,
        velocity: [1.0, 0.3, -2.0],
        angular_velocity: [3.0, -2.0, 1.0],
    };
    let mut cloth = square(2, 1.0, 0.0, 0.01);
    cloth.fabric.air = 0.0;
    let scene = Scene {
        bodies: vec![ball],
        cloths: vec![cloth],
        materials: material(0.5, 0.0),
        settings: Settings {
            gravity: [0.0; 3],
            substeps: 100,
            ..Settings::default()
        },
        ..Scene::default()
    };
    let [linear, angular] = momentum(&scene, World::new(&scene).unwrap().state());
    let world = run(&scene, 0.2);
    let end = momentum(&scene, world.state());
    // The ball was slowed along the cloth, and its spin changed.
    let ball = &world.state().bodies[0];
    assert!(ball.velocity[0] < 0.8, "{ball:?}");
    assert!((end[0] - linear).norm() < 1e-11, "{end:?} {linear}");
    // Turns are taken to first order in a substep: the error is some 4e-5 with 100 substeps.
    let error = (end[1] - angular).norm() / angular.norm();
    assert!(error < 1e-4, "{error}");
}

/// The linear momentum of a ball of 0.1 m and a square of 1 m of two triangles, and the angular one about the origin.
fn momentum(scene: &Scene, state: &superovoid_sim::State) -> [Vector3<f64>; 2] {
    let ball = &state.bodies[0];
    let mass = 10.0 * 4.0 / 3.0 * std::f64::consts::PI * 1e-3;
    let (x, v) = (Vector3::from(ball.position), Vector3::from(ball.velocity));
    let spin = Vector3::from(ball.angular_velocity) * (0.4 * mass * 0.01);
    let (mut linear, mut angular) = (v * mass, x.cross(&v) * mass + spin);
    let cloth = &state.cloths[0];
    for triangle in &scene.cloths[0].triangles {
        for v in triangle.map(|v| v as usize) {
            let p = Vector3::from(cloth.velocities[v]) * (scene.cloths[0].fabric.density / 6.0);
            linear += p;
            angular += Vector3::from(cloth.positions[v]).cross(&p);
        }
    }
    [linear, angular]
}

/// Lifted from the second second to the end of a later one, and let go by the fifth if that is asked for.
fn check_the_cloth_between_the_thumbs(end: u64, least: f64, let_go: bool) {
    let scene = scenes::hands_and_cloth();
    let mut world = World::new(&scene).unwrap();
    let mut advance = |seconds: u64| {
        while world.state().frame < 60 * seconds {
            world.step().unwrap();
        }
        let state = world.state();
        let thumb = scene.bodies.iter().position(|b| b.name.contains("thumb"));
        let thumb = Vector3::from(state.bodies[thumb.unwrap()].position);
        (
            thumb,
            Vector3::from(state.cloths[0].positions[scenes::PINCHED]),
        )
    };
    let (thumb, vertex) = advance(2);
    let (end, held) = advance(end);
    let (way, slip) = ((end - thumb).norm(), (held - vertex - (end - thumb)).norm());
    assert!(way > least, "{way}");
    assert!(slip < 1e-4, "{slip}");
    if let_go {
        // They open, and the cloth falls back.
        let (_, free) = advance(5);
        assert!((free - vertex).norm() < 0.01, "{free} {vertex}");
    }
}

#[test]
fn the_hands_hold_the_cloth_between_their_thumbs() {
    check_the_cloth_between_the_thumbs(3, 0.02, false);
}

#[test]
#[ignore = "ten seconds"]
fn the_hands_hold_the_cloth_between_their_thumbs_long() {
    check_the_cloth_between_the_thumbs(4, 0.05, true);
}
