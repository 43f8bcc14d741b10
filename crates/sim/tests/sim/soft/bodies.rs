//! Solids and rigid bodies.

use crate::common::{body, dynamic, run};
use crate::soft::{PUBLISHED, block};
use nalgebra::{Isometry3, Vector3};
use superovoid_sim::scene::{
    Key, Motion, Pin, Scene, Shape, SoftContact, SoftScheme, Solid, Substance,
};
use superovoid_sim::soft::{ball, torus};
use superovoid_sim::{World, judge, scenes};

/// A soft ball over bodies of each kind.
fn dropped(shape: Shape, position: [f64; 3], motion: Motion) -> Scene {
    let mesh = ball(0.1, 2, 3).at(&Isometry3::translation(0.01, 0.0, 0.12));
    let mut soft: Solid = scenes::solid("ball", mesh);
    soft.substance = Substance {
        shear: 3e4,
        lambda: 1.2e5,
        damping: 2e-3,
        air: 4.0,
        ..Substance::RUBBER
    };
    let mut under = body([1.0; 3], [1.0; 2], position, motion);
    under.shape = shape;
    Scene {
        bodies: vec![under],
        solids: vec![soft],
        ..Scene::default()
    }
}

#[test]
fn a_soft_ball_rests_on_half_spaces_superovoids_and_meshes() {
    let slab = Shape::Superovoid {
        semi_axes: [1.0, 1.0, 0.2],
        exponents: [0.1, 0.1],
        tapers: [0.0; 2],
    };
    let plank = block([-1.0, -1.0, -0.4], [1.0, 1.0, 0.0]);
    let mesh = Shape::Mesh {
        vertices: plank.vertices,
        triangles: plank.triangles,
    };
    let mut heights = Vec::new();
    for (shape, z) in [(Shape::HalfSpace, 0.0), (slab, -0.2), (mesh, 0.0)] {
        let scene = dropped(shape, [0.0, 0.0, z], Motion::Static);
        let world = run(&scene, 1.5);
        let at = &world.state().solids[0];
        let lowest = at
            .positions
            .iter()
            .map(|p| p[2])
            .fold(f64::INFINITY, f64::min);
        let fastest = at
            .velocities
            .iter()
            .map(|v| Vector3::from(*v).norm())
            .fold(0.0, f64::max);
        assert!(lowest > -0.002, "{lowest}");
        assert!(fastest < 0.05, "{fastest}");
        heights.push(at.positions.last().unwrap()[2]);
    }
    // The centre is equally high on all of them.
    for height in &heights {
        assert!((0.08..0.1).contains(height), "{heights:?}");
        assert!((height - heights[0]).abs() < 5e-4, "{heights:?}");
    }
}

/// A body that moves at a constant velocity from where it is, for 10 s.
fn moving(velocity: [f64; 3]) -> Motion {
    let key = |time: f64| Key {
        time,
        position: velocity.map(|v| v * time),
        orientation: [1.0, 0.0, 0.0, 0.0],
    };
    Motion::Kinematic {
        keys: vec![key(0.0), key(10.0)],
    }
}

#[test]
fn a_pinned_solid_that_is_carried_at_a_constant_speed_keeps_its_shape_in_both_schemes() {
    let velocity = [1.5, -0.7, 0.4];
    for scheme in [PUBLISHED, SoftScheme::Xpbd] {
        let mut soft = scenes::solid("", torus(0.1, 0.03, [16, 8]));
        soft.velocity = velocity;
        soft.substance.air = 0.0;
        soft.pins = [0, 1, 2, 40, 41]
            .map(|vertex| Pin {
                vertex,
                body: Some(0),
            })
            .to_vec();
        let mut carrier = body([0.04; 3], [1.0; 2], [0.0; 3], moving(velocity));
        carrier.name = "carrier".into();
        let mut scene = Scene {
            bodies: vec![carrier],
            solids: vec![soft],
            ..Scene::default()
        };
        scene.settings.gravity = [0.0; 3];
        scene.settings.substeps = 2;
        scene.settings.soft.scheme = scheme;
        let world = run(&scene, 1.0);
        let gone = Vector3::from(velocity) * world.state().time;
        for (x, rest) in world.state().solids[0]
            .positions
            .iter()
            .zip(&scene.solids[0].vertices)
        {
            let off = Vector3::from(*x) - Vector3::from(*rest) - gone;
            assert!(off.norm() < 1e-11, "{scheme:?} {}", off.norm());
        }
    }
}

/// A ball in the published scheme, 5 mm in a floor that moves up or down.
fn in_a_floor(speed: f64, own: f64, gravity: f64) -> Scene {
    let mut floor = body([1.0; 3], [1.0; 2], [0.0; 3], moving([0.0, 0.0, speed]));
    floor.shape = Shape::HalfSpace;
    let mut soft = scenes::solid(
        "",
        ball(0.1, 2, 2).at(&Isometry3::translation(0.0, 0.0, 0.095)),
    );
    soft.velocity = [0.0, 0.0, own];
    soft.substance.air = 0.0;
    let mut scene = Scene {
        bodies: vec![floor],
        solids: vec![soft],
        ..Scene::default()
    };
    scene.settings.gravity = [0.0, 0.0, gravity];
    scene.settings.substeps = 1;
    scene.settings.soft.scheme = PUBLISHED;
    scene.settings.soft.contact = SoftContact::RaysAsPublished { stiffness: 300.0 };
    scene
}

#[test]
fn a_floor_that_recedes_does_not_pull_in_the_published_scheme() {
    let scene = in_a_floor(-2.0, 0.0, 0.0);
    let mut world = World::new(&scene).unwrap();
    for _ in 0..5 {
        world.step().unwrap();
        let (momentum, _) = judge::momentum(&scene, world.state(), 0);
        assert!(momentum[2] > -1e-12, "{momentum:?}");
    }
}

#[test]
fn the_published_scheme_is_the_same_on_a_floor_that_moves_along() {
    let speed = -0.4;
    let [still, along] = [0.0, speed].map(|speed| run(&in_a_floor(speed, speed, -9.81), 0.5));
    assert!(still.solid_contacts()[1] > 0);
    let gone = speed * still.state().time;
    for (a, b) in still.state().solids[0]
        .positions
        .iter()
        .zip(&along.state().solids[0].positions)
    {
        let off = Vector3::from(*b) - Vector3::from(*a) - Vector3::z() * gone;
        assert!(off.norm() < 1e-7, "{}", off.norm());
    }
}

#[test]
fn a_soft_ball_and_a_rigid_one_exchange_momentum_only() {
    let shape = Shape::Superovoid {
        semi_axes: [0.1; 3],
        exponents: [1.0; 2],
        tapers: [0.0; 2],
    };
    let mut scene = dropped(shape, [0.0, 0.0, -0.1], dynamic());
    scene.settings.gravity = [0.0; 3];
    scene.solids[0].velocity = [0.0, 0.0, -1.0];
    scene.solids[0].substance.air = 0.0;
    let momentum = |world: &World| {
        let (linear, angular) = judge::momentum(&scene, world.state(), 0);
        let ball = &world.state().bodies[0];
        let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * 0.001;
        let (x, v) = (Vector3::from(ball.position), Vector3::from(ball.velocity));
        let spin = Vector3::from(ball.angular_velocity) * (0.4 * mass * 0.01);
        [
            Vector3::from(linear) + v * mass,
            Vector3::from(angular) + x.cross(&v) * mass + spin,
        ]
    };
    let before = momentum(&World::new(&scene).unwrap());
    let world = run(&scene, 0.5);
    assert!(world.state().bodies[0].velocity[2] < -0.3);
    let after = momentum(&world);
    assert!((after[0] - before[0]).norm() < 1e-9 * before[0].norm());
    assert!((after[1] - before[1]).norm() < 1e-11 * before[1].norm());
}
