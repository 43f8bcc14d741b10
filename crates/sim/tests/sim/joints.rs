//! Joints: a pendulum, a limit, a drive, a chain.

use crate::common::{body, dynamic, joint, run};
use nalgebra::Vector3;
use superovoid_sim::World;
use superovoid_sim::scene::{Drive, JointKind, Scene, Settings};

fn hinge(limits: Option<[f64; 2]>, drive: Option<Drive>) -> JointKind {
    JointKind::Hinge {
        axis: [0.0, 1.0, 0.0],
        limits,
        drive,
    }
}

fn rod(kind: JointKind) -> Scene {
    let bodies = vec![body(
        [0.5, 0.05, 0.05],
        [0.5; 2],
        [0.5, 0.0, 0.0],
        dynamic(),
    )];
    let settings = Settings {
        sleep_speed: 0.0,
        ..Settings::default()
    };
    Scene {
        bodies,
        joints: vec![joint(None, 0, [0.0; 3], kind)],
        settings,
        ..Scene::default()
    }
}

#[test]
fn a_hinged_rod_swings_in_its_plane_about_its_anchor() {
    let mut world = World::new(&rod(hinge(None, None))).unwrap();
    let mut lowest = 0.0f64;
    for _ in 0..300 {
        world.step().unwrap();
        let x = Vector3::from(world.state().bodies[0].position);
        assert!((x.norm() - 0.5).abs() < 2e-3, "{x}");
        assert!(x.y.abs() < 1e-6);
        lowest = lowest.min(x.z);
    }
    assert!(lowest < -0.49, "{lowest}");
}

#[test]
fn a_hinge_stops_at_its_limit_and_a_drive_holds_its_angle() {
    let end = |kind| run(&rod(kind), 4.0).state().bodies[0].position;
    // The rod turns downwards, which is positive about +y.
    let x = end(hinge(Some([-0.4, 0.4]), None));
    assert!((x[2] + 0.5 * 0.4f64.sin()).abs() < 5e-3, "{x:?}");
    let x = end(hinge(
        None,
        Some(Drive {
            angle: -0.7,
            compliance: 0.0,
            damping: 0.0,
        }),
    ));
    assert!((x[2] - 0.5 * 0.7f64.sin()).abs() < 5e-3, "{x:?}");
}

#[test]
fn a_ball_keeps_its_swing_and_a_fixed_joint_everything() {
    let ball = JointKind::Ball {
        axis: [1.0, 0.0, 0.0],
        swing: Some(0.3),
        twist: Some([-0.1, 0.1]),
    };
    let x = run(&rod(ball), 4.0).state().bodies[0].position;
    assert!((x[2] + 0.5 * 0.3f64.sin()).abs() < 5e-3, "{x:?}");
    let state = run(&rod(JointKind::Fixed), 2.0).state().bodies[0];
    assert!(
        (Vector3::from(state.position) - Vector3::new(0.5, 0.0, 0.0)).norm() < 5e-3,
        "{state:?}"
    );
}

#[test]
fn a_chain_of_bodies_hangs_together() {
    let count = 6usize;
    let link = |k: usize| {
        body(
            [0.12, 0.05, 0.05],
            [1.0; 2],
            [0.12 + 0.24 * k as f64, 0.0, 0.0],
            dynamic(),
        )
    };
    let ball = JointKind::Ball {
        axis: [1.0, 0.0, 0.0],
        swing: None,
        twist: None,
    };
    let joints = (0..count)
        .map(|k| joint(k.checked_sub(1), k, [0.24 * k as f64, 0.0, 0.0], ball))
        .collect();
    let scene = Scene {
        bodies: (0..count).map(link).collect(),
        joints,
        ..Scene::default()
    };
    let mut world = World::new(&scene).unwrap();
    for _ in 0..240 {
        world.step().unwrap();
        for pair in world.state().bodies.windows(2) {
            let apart = (Vector3::from(pair[1].position) - Vector3::from(pair[0].position)).norm();
            assert!(apart < 0.25, "{apart}");
        }
    }
}
