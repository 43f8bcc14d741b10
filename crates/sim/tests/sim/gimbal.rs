//! Joints with three ranges: against a hinge, at the ends of ranges, in a tumble; momentum and frames.

use crate::common::{body, dynamic, joint, run};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_sim::World;
use superovoid_sim::scene::{Body, Joint, JointKind, Motion, Scene, Settings};
use superovoid_sim::{BodyState, SceneError};

const FREE: [f64; 2] = [-3.0, 3.0];
const STILL: [f64; 2] = [0.0; 2];

fn gimbal(ranges: [[f64; 2]; 3], damping: f64) -> JointKind {
    JointKind::Gimbal {
        frame: [1.0, 0.0, 0.0, 0.0],
        start: [0.0; 3],
        ranges,
        damping,
    }
}

fn scene(bodies: Vec<Body>, joints: Vec<Joint>) -> Scene {
    Scene {
        bodies,
        joints,
        settings: Settings {
            sleep_speed: 0.0,
            ..Settings::default()
        },
        ..Scene::default()
    }
}

/// A rod along x from the origin, turned about itself so that the principal axes are not those of the joint.
fn rod(kind: JointKind) -> Scene {
    let mut rod = body([0.5, 0.08, 0.03], [0.5; 2], [0.5, 0.0, 0.0], dynamic());
    rod.orientation = [0.4f64.cos(), 0.4f64.sin(), 0.0, 0.0];
    scene(vec![rod], vec![joint(None, 0, [0.0; 3], kind)])
}

fn quaternion([w, x, y, z]: [f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))
}

/// The angles of Rx Ry Rz by its matrix, written down for itself.
fn angles(r: &UnitQuaternion<f64>) -> [f64; 3] {
    let r: Matrix3<f64> = r.to_rotation_matrix().into_inner();
    let alpha = (-r[(1, 2)]).atan2(r[(2, 2)]);
    let beta = r[(0, 2)].clamp(-1.0, 1.0).asin();
    let gamma = (-r[(0, 1)]).atan2(r[(0, 0)]);
    [alpha, beta, gamma]
}

/// How far angles leave ranges, for ranges within ±π/2 about y.
fn excess(found: [f64; 3], ranges: [[f64; 2]; 3]) -> f64 {
    let out = |i: usize| (found[i] - found[i].clamp(ranges[i][0], ranges[i][1])).abs();
    out(0).max(out(1)).max(out(2))
}

#[test]
fn one_free_axis_moves_as_a_hinge() {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for (free, axis) in axes.into_iter().enumerate() {
        let mut ranges = [STILL; 3];
        ranges[free] = [-7.0, 7.0].map(|x: f64| x.clamp(-6.2, 6.2));
        let hinge = JointKind::Hinge {
            axis,
            limits: None,
            drive: None,
        };
        let [mut one, mut other] = [gimbal(ranges, 0.0), hinge].map(|kind| {
            let mut scene = rod(kind);
            // A hinge holds what it does not leave free the better the shorter the substeps.
            scene.settings.substeps = 100;
            let spin = axis.map(|x| 2.0 * x);
            scene.bodies[0].motion = Motion::Dynamic {
                density: 1000.0,
                velocity: Vector3::from(spin)
                    .cross(&Vector3::new(0.5, 0.0, 0.0))
                    .into(),
                angular_velocity: spin,
            };
            World::new(&scene).unwrap()
        });
        for frame in 0..120 {
            one.step().unwrap();
            other.step().unwrap();
            let [x, y] = [&one, &other].map(|world| world.state().bodies[0]);
            let apart = (Vector3::from(x.position) - Vector3::from(y.position)).norm();
            let turned = quaternion(x.orientation).angle_to(&quaternion(y.orientation));
            assert!(
                apart < 2e-3 && turned < 4e-3,
                "{free} {frame}: {apart:e} {turned:e}"
            );
        }
    }
}

/// A rod that swings by a small angle has the period 2π √(I/(m g l)), with I about the joint.
#[test]
fn a_rod_swings_with_the_period_of_a_pendulum() {
    let ball = body([0.1; 3], [1.0; 2], [0.0, 0.0, -1.0], dynamic());
    let kind = gimbal([STILL, FREE, STILL], 0.0);
    let mut scene = scene(vec![ball], vec![joint(None, 0, [0.0; 3], kind)]);
    scene.settings.substeps = 40;
    scene.bodies[0].motion = Motion::Dynamic {
        density: 1000.0,
        velocity: [-0.1, 0.0, 0.0],
        angular_velocity: [0.0, 0.1, 0.0],
    };
    let mut world = World::new(&scene).unwrap();
    let (mut before, mut crossings) = (-1.0, Vec::new());
    for _ in 0..600 {
        world.step().unwrap();
        let x = world.state().bodies[0].position[0];
        if before < 0.0 && x >= 0.0 {
            let late = x / (x - before) / 60.0;
            crossings.push(world.state().time - late);
        }
        before = x;
    }
    let count = crossings.len() - 1;
    let period = (crossings[count] - crossings[0]) / count as f64;
    let about = 1.0 + 0.4 * 0.1 * 0.1;
    let expected = std::f64::consts::TAU * (about / 9.81f64).sqrt();
    assert!(
        (period / expected - 1.0).abs() < 2e-3,
        "{period} {expected}"
    );
}

#[test]
fn a_rod_rests_at_the_end_of_its_range() {
    // It turns downwards, which is positive about +y, and is heavier on no side.
    for end in [0.4, 1.2] {
        let kind = gimbal([STILL, [-0.3, end], STILL], 2.0);
        let state = run(&rod(kind), 6.0).state().bodies[0];
        let start = quaternion(rod(kind).bodies[0].orientation);
        let found = angles(&(quaternion(state.orientation) * start.inverse()));
        assert!((found[1] - end).abs() < 1e-3, "{found:?}");
        assert!(found[0].abs() < 1e-3 && found[2].abs() < 1e-3, "{found:?}");
    }
}

/// A joint that bends to 2.5 rad and twists goes past 90°, where the angles are not told apart, slowly and at speed.
#[test]
fn an_elbow_bends_beyond_90_degrees_and_keeps_its_locked_axis() {
    for speed in [0.02, 0.3, 4.0] {
        // It is as broad as high, so that its turning does not twist it.
        let round = body([0.5, 0.05, 0.05], [0.5; 2], [0.5, 0.0, 0.0], dynamic());
        let kind = gimbal([[-0.2, 0.2], [0.0, 2.5], STILL], 0.0);
        let mut scene = scene(vec![round], vec![joint(None, 0, [0.0; 3], kind)]);
        scene.settings.gravity = [0.0; 3];
        let beta = std::f64::consts::FRAC_PI_2 - 0.3 * speed;
        let bent = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), beta);
        scene.bodies[0].position = (bent * Vector3::new(0.5, 0.0, 0.0)).into();
        scene.bodies[0].orientation = [bent.w, bent.i, bent.j, bent.k];
        scene.joints[0].kind = JointKind::Gimbal {
            frame: [1.0, 0.0, 0.0, 0.0],
            start: [0.0, beta, 0.0],
            ranges: [[-0.2, 0.2], [0.0, 2.5], STILL],
            damping: 0.0,
        };
        let spin = Vector3::new(0.0, speed, 0.0);
        scene.bodies[0].motion = Motion::Dynamic {
            density: 1000.0,
            velocity: spin.cross(&Vector3::from(scene.bodies[0].position)).into(),
            angular_velocity: spin.into(),
        };
        let mut world = World::new(&scene).unwrap();
        for _ in 0..24 {
            world.step().unwrap();
            let state = world.state().bodies[0];
            let r = quaternion(state.orientation);
            // The child's y stays across the parent's x: γ = 0 at every β.
            let lean = (r * Vector3::y()).x;
            assert!(lean.abs() < 2e-3, "{speed}: {lean:e}");
            assert!(
                Vector3::from(state.angular_velocity).norm() < 1.2 * speed,
                "{state:?}"
            );
        }
        let x = quaternion(world.state().bodies[0].orientation) * Vector3::x();
        let bend = (-x.z).atan2(x.x);
        assert!(
            (bend - beta - 0.4 * speed).abs() < 0.02 * speed,
            "{bend} {beta}"
        );
    }
}

#[test]
fn angles_stay_in_their_ranges_in_a_tumble() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut worst: f64 = 0.0;
    for _ in 0..12 {
        let ranges = [(); 3].map(|()| [-rng.random_range(0.1..1.2), rng.random_range(0.1..1.2)]);
        let mut scene = rod(gimbal(ranges, 0.0));
        let mut vector = |size: f64| [(); 3].map(|()| rng.random_range(-size..size));
        scene.settings.gravity = vector(10.0);
        let spin = Vector3::from(vector(6.0));
        scene.bodies[0].motion = Motion::Dynamic {
            density: 1000.0,
            velocity: spin.cross(&Vector3::new(0.5, 0.0, 0.0)).into(),
            angular_velocity: spin.into(),
        };
        let start = quaternion(scene.bodies[0].orientation);
        let mut world = World::new(&scene).unwrap();
        for _ in 0..240 {
            world.step().unwrap();
            let r = quaternion(world.state().bodies[0].orientation) * start.inverse();
            worst = worst.max(excess(angles(&r), ranges));
        }
    }
    println!("the most by which an angle left its range: {worst:.1e} rad");
    assert!(worst < 2e-3, "{worst}");
}

/// Two free bodies and their joint: what turns one turns the other back. Balls have no axes along which momentum is lost by
/// the integration of the gyroscopic term.
#[test]
fn momentum_is_kept_by_two_free_bodies() {
    let spin = |density, velocity, angular_velocity| Motion::Dynamic {
        density,
        velocity,
        angular_velocity,
    };
    let bodies = vec![
        body(
            [0.2; 3],
            [1.0; 2],
            [-0.25, 0.0, 0.0],
            spin(500.0, [0.1, -0.2, 0.3], [3.0, 1.0, -2.0]),
        ),
        body(
            [0.15; 3],
            [1.0; 2],
            [0.2, 0.0, 0.0],
            spin(1500.0, [-0.2, 0.4, 0.1], [-4.0, 2.0, 1.0]),
        ),
    ];
    let ranges = [[-0.5, 0.6], [-0.4, 0.3], [-0.2, 0.2]];
    let kind = gimbal(ranges, 0.05);
    let mut scene = scene(bodies, vec![joint(Some(0), 1, [0.0; 3], kind)]);
    scene.settings.gravity = [0.0; 3];
    let volume = |r: f64| 4.0 / 3.0 * std::f64::consts::PI * r.powi(3);
    let masses = [500.0 * volume(0.2), 1500.0 * volume(0.15)];
    let radii = [0.2, 0.15];
    let momentum = |bodies: &[BodyState]| {
        let (mut linear, mut angular) = (Vector3::zeros(), Vector3::zeros());
        for ((body, m), r) in bodies.iter().zip(masses).zip(radii) {
            let [x, v, w] = [body.position, body.velocity, body.angular_velocity];
            let v = Vector3::from(v) * m;
            linear += v;
            angular += Vector3::from(x).cross(&v) + Vector3::from(w) * (0.4 * m * r * r);
        }
        (linear, angular)
    };
    let mut world = World::new(&scene).unwrap();
    let (linear, angular) = momentum(&world.state().bodies);
    let mut worst: f64 = 0.0;
    for _ in 0..180 {
        world.step().unwrap();
        let now = momentum(&world.state().bodies);
        assert!((now.0 - linear).norm() < 1e-9 * linear.norm(), "{}", now.0);
        worst = worst.max((now.1 - angular).norm() / angular.norm());
    }
    println!("the most by which the angular momentum changed: {worst:.1e} of it");
    assert!(worst < 0.01, "{worst}");
    let [a, b] = [0, 1].map(|k| quaternion(world.state().bodies[k].orientation));
    assert!(excess(angles(&(a.inverse() * b)), ranges) < 0.01);
}

/// The motion does not depend on the frame in which a scene is written down.
#[test]
fn a_turned_scene_moves_as_the_scene() {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.7, -1.1, 0.4));
    let turned = |v: [f64; 3]| <[f64; 3]>::from(turn * Vector3::from(v));
    let whirled = |q: [f64; 4]| {
        let q = turn * quaternion(q);
        [q.w, q.i, q.j, q.k]
    };
    let ranges = [[-0.3, 0.6], [-0.5, 0.4], [-0.2, 0.3]];
    let mut one = rod(gimbal(ranges, 0.1));
    one.bodies
        .push(body([0.3, 0.1, 0.05], [0.6; 2], [1.3, 0.0, 0.0], dynamic()));
    one.joints
        .push(joint(Some(0), 1, [1.0, 0.0, 0.0], gimbal(ranges, 0.1)));
    let mut other = one.clone();
    other.settings.gravity = turned(one.settings.gravity);
    for body in &mut other.bodies {
        body.position = turned(body.position);
        body.orientation = whirled(body.orientation);
    }
    for joint in &mut other.joints {
        joint.anchor = turned(joint.anchor);
        if let JointKind::Gimbal { frame, .. } = &mut joint.kind {
            *frame = whirled(*frame);
        }
    }
    let [mut one, mut other] = [one, other].map(|scene| World::new(&scene).unwrap());
    for _ in 0..60 {
        one.step().unwrap();
        other.step().unwrap();
        for (x, y) in one.state().bodies.iter().zip(&other.state().bodies) {
            let apart = (turn * Vector3::from(x.position) - Vector3::from(y.position)).norm();
            assert!(apart < 1e-7, "{apart:e}");
        }
    }
}

#[test]
fn a_start_within_the_ranges_is_kept_without_gravity() {
    let start = [0.3, -0.4, 0.5];
    let about = |axis: Vector3<f64>, angle: f64| UnitQuaternion::from_scaled_axis(axis * angle);
    let r = about(Vector3::x(), 0.3) * about(Vector3::y(), -0.4) * about(Vector3::z(), 0.5);
    let mut scene = rod(JointKind::Gimbal {
        frame: [1.0, 0.0, 0.0, 0.0],
        start,
        ranges: [[0.3, 0.6], [-0.6, -0.4], [0.5, 0.5]],
        damping: 0.0,
    });
    scene.settings.gravity = [0.0; 3];
    let state = run(&scene, 1.0).state().bodies[0];
    assert!((Vector3::from(state.position) - Vector3::new(0.5, 0.0, 0.0)).norm() < 1e-9);
    // At zero the body would be turned by R⁻¹.
    scene.settings.gravity = [0.0; 3];
    scene.joints[0].kind = gimbal([STILL; 3], 0.0);
    let q = r * quaternion(scene.bodies[0].orientation);
    scene.bodies[0].orientation = [q.w, q.i, q.j, q.k];
    let state = run(&scene, 1.0).state().bodies[0];
    assert!(quaternion(state.orientation).angle_to(&q) < 1e-9);
}

#[test]
fn excluded_pairs_pass_through_each_other() {
    let bodies = || {
        vec![
            body([0.1; 3], [1.0; 2], [0.0, 0.0, 0.5], dynamic()),
            body([0.1; 3], [1.0; 2], [0.0; 3], Motion::Static),
        ]
    };
    let mut scene = scene(bodies(), Vec::new());
    let height = |scene: &Scene| run(scene, 1.0).state().bodies[0].position[2];
    assert!(height(&scene) > 0.1);
    // In any order.
    scene.excluded_pairs = vec![[1, 0]];
    assert!(height(&scene) < -1.0);
    let back = Scene::from_json(&scene.to_json()).unwrap();
    assert_eq!(back, scene);
}

#[test]
fn bad_gimbals_and_pairs_are_refused_with_their_place() {
    let said = |change: &dyn Fn(&mut Scene)| {
        let mut scene = rod(gimbal([STILL, FREE, STILL], 0.0));
        scene
            .bodies
            .push(body([0.1; 3], [1.0; 2], [5.0; 3], dynamic()));
        assert!(World::new(&scene).is_ok());
        change(&mut scene);
        let error: SceneError = World::new(&scene).err().unwrap();
        error.to_string()
    };
    type Parts<'a> = (
        &'a mut [f64; 4],
        &'a mut [f64; 3],
        &'a mut [[f64; 2]; 3],
        &'a mut f64,
    );
    let with = |change: &dyn Fn(Parts)| {
        said(&|scene| {
            if let JointKind::Gimbal {
                frame,
                start,
                ranges,
                damping,
            } = &mut scene.joints[0].kind
            {
                change((frame, start, ranges, damping));
            }
        })
    };
    for (told, place) in [
        (with(&|p| *p.0 = [0.0; 4]), "joints[0].kind.frame"),
        (with(&|p| p.0[0] = f64::NAN), "joints[0].kind.frame"),
        (with(&|p| p.1[1] = 3.5), "joints[0].kind.start[1]"),
        (with(&|p| p.1[0] = f64::NAN), "joints[0].kind.start[0]"),
        (
            with(&|p| p.2[1] = [1.0, 0.5]),
            "joints[0].kind.ranges[1][1]",
        ),
        (
            with(&|p| p.2[2] = [-7.0, 0.0]),
            "joints[0].kind.ranges[2][0]",
        ),
        (
            with(&|p| p.2[2] = [f64::NAN, 0.0]),
            "joints[0].kind.ranges[2][0]",
        ),
        (with(&|p| *p.3 = -1.0), "joints[0].kind.damping"),
        (with(&|p| *p.3 = f64::INFINITY), "joints[0].kind.damping"),
        (
            said(&|s| s.excluded_pairs = vec![[0, 1], [0, 2]]),
            "excluded_pairs[1][1]",
        ),
        (
            said(&|s| s.excluded_pairs = vec![[1, 1]]),
            "excluded_pairs[0]",
        ),
    ] {
        assert!(told.starts_with(place), "{told} and not {place}");
    }
    let text = rod(gimbal([STILL, FREE, STILL], 0.0)).to_json();
    let told = Scene::from_json(&text.replace("\"damping\"", "\"dampin\"")).unwrap_err();
    assert!(told.to_string().contains("dampin"), "{told}");
}
