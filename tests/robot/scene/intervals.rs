//! Edges proven in lanes say what the search by bodies says, which a spline takes that is the same straight line, and what
//! states on the line say.

use super::levels::{dumb_bell, obstacles};
use nalgebra::Isometry3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::convert::Infallible;
use std::sync::Arc;
use superovoid::convex::ConvexShape;
use superovoid::{Shape, Superovoid};
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{EdgeOptions, EdgeStatus, Robot, Spline};

/// An arm of every kind of body on a rail; its last joint follows the one before.
fn arm_on_a_rail() -> Robot {
    let bodies = [
        "<mesh filename='dumb-bell'/></geometry>",
        "<box size='0.1 0.16 0.2'/></geometry>\
         <superovoid a1='0.06' a2='0.09' a3='0.12' e1='0.3' e2='0.6' tx='0.2' ty='-0.3'/>",
        "<mesh filename='dumb-bell'/></geometry>",
        "<capsule radius='0.05' length='0.2'/></geometry>",
        "<cylinder radius='0.05' length='0.2'/></geometry><superovoid a1='0.05' a2='0.05' a3='0.12' e1='0.9' e2='1.4' tx='0' ty='0'/>",
    ];
    let joints = [
        "<axis xyz='1 0.2 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/>",
        "<axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='1' velocity='1'/>",
        "<axis xyz='0 0.3 1'/>",
        "<axis xyz='0 1 0'/><limit lower='-3' upper='3' effort='1' velocity='1'/>",
        "<axis xyz='1 0 0'/><mimic joint='j3' multiplier='-0.7' offset='0.1'/>",
    ];
    let mut text = "<robot name='arm'><link name='base'><collision><geometry><cylinder radius='0.15' length='0.3'/></geometry>\
                    </collision></link>"
        .to_owned();
    let mut parent = "base".to_owned();
    for (k, (body, joint)) in bodies.iter().zip(joints).enumerate() {
        let kind = [
            "prismatic",
            "revolute",
            "continuous",
            "revolute",
            "continuous",
        ][k];
        text += &format!(
            "<link name='l{k}'><collision><origin xyz='0 0.02 0.15' rpy='0.1 0.2 0'/><geometry>{body}</collision></link>\
             <joint name='j{k}' type='{kind}'><origin xyz='0 0 0.3' rpy='0 0.1 0.2'/><parent link='{parent}'/><child link='l{k}'/>\
             {joint}</joint>"
        );
        parent = format!("l{k}");
    }
    let robot = Robot::from_urdf_str(&(text + "</robot>")).unwrap();
    let robot = robot.with_meshes(|_, _| Ok::<_, Infallible>(Some(Arc::new(dumb_bell(24, 1.0)))));
    robot.unwrap()
}

fn draw(scenes: usize, samples: usize, seed: u64) {
    let robot = arm_on_a_rail();
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let state_options = SceneOptions::default();
    let (mut free, mut hit, mut undecided) = (0, 0, 0);
    for round in 0..scenes {
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        scene
            .set_base(Isometry3::translation(0.1, -0.2, 0.05))
            .unwrap();
        let all = obstacles(rng);
        for (k, (shape, pose)) in all[round % 5 * 2..].iter().enumerate() {
            let name = format!("o{k}");
            scene.add_obstacle(&name, shape.clone(), *pose).unwrap();
        }
        let padding = [0.0, 0.01, 0.0][round % 3];
        scene.set_padding("l2", padding).unwrap();
        let separation = [0.0, 0.0, 0.02, 0.005][round % 4];
        let mut edges = Vec::new();
        let middle = [0.5, 2.0, 3.0, 2.0].map(|most: f64| rng.random_range(-most..most));
        for k in 0..6 {
            let spread = [0.02, 0.1, 0.3][k % 3];
            let ends = [0, 1].map(|_| {
                let numbers: Vec<f64> = middle
                    .iter()
                    .map(|q| {
                        // Some joints rest.
                        let moves = rng.random_range(0..4) > 0;
                        if moves {
                            q + spread * rng.random_range(-1.0..1.0)
                        } else {
                            *q
                        }
                    })
                    .collect();
                robot.configuration(&numbers).unwrap()
            });
            edges.push(ends);
        }
        let options = EdgeOptions::default()
            .with_min_separation(separation)
            .with_resolution(1e-4);
        let batch = scene.edge_free_batch(&edges, &options, 1).unwrap();
        for ([from, to], of_batch) in edges.iter().zip(batch) {
            let answer = scene.edge_free(from, to, &options).unwrap();
            assert_eq!(answer, of_batch, "{round}");
            // A clone begins without memory.
            let fresh = scene.clone().edge_free(from, to, &options).unwrap();
            assert_eq!(answer, fresh, "{round}");
            let ends = [from.to_vec(), to.to_vec()];
            let rates: Vec<f64> = ends[1].iter().zip(&ends[0]).map(|(b, a)| b - a).collect();
            let line = Spline::cubic(&[0.0, 1.0], &ends, &[rates.clone(), rates]).unwrap();
            let by_bodies = scene.spline_free(&line, &options).unwrap();
            match (answer.status, by_bodies.status) {
                (a, b) if a == b => {}
                (EdgeStatus::Undecided, _) | (_, EdgeStatus::Undecided) => undecided += 1,
                (a, b) => panic!("{round}: {a:?} in lanes, {b:?} by bodies"),
            }
            free += usize::from(answer.is_free());
            hit += usize::from(answer.status == EdgeStatus::Hit);
            if let (Some(t), Some(found)) = (answer.touching, answer.contact) {
                // The contact of a hit is as exact as that of its state.
                let state = robot.configuration(&line.position(t)).unwrap();
                let of_state = scene.contacts(&state, &state_options).unwrap();
                let same = of_state
                    .iter()
                    .find(|other| (other.link, other.with) == (found.link, found.with));
                let distance = same.expect("the pair").contact.distance;
                let error = (distance - found.contact.distance).abs();
                assert!(error < 1e-7, "{round}: {error}");
            }
            let safe = answer.safe.unwrap_or(-1.0);
            for k in (0..=samples).filter(|k| *k as f64 <= safe * samples as f64) {
                let state = robot.configuration(&line.position(k as f64 / samples as f64));
                let state = state.unwrap();
                let closest = scene.closest(&state, &state_options).unwrap();
                let distance = closest.map_or(f64::INFINITY, |found| found.contact.distance);
                assert!(distance > separation - 1e-8, "{round} {k}: {distance}");
            }
        }
    }
    let edges = 6 * scenes;
    assert!(
        free > edges / 5 && hit > edges / 5,
        "{free}, {hit} of {edges}"
    );
    assert!(undecided * 50 <= edges, "{undecided} of {edges}");
}

/// A planar joint that moves is not for lanes; what it leaves there says nothing of the next edge.
#[test]
fn an_edge_after_one_that_lanes_do_not_take_is_judged_anew() {
    let ball =
        "<collision><origin xyz='0.5 0 0'/><geometry><sphere radius='0.1'/></geometry></collision>";
    let limit = "<limit lower='-3' upper='3' effort='1' velocity='1'/>";
    let text = format!(
        "<robot name='r'><link name='base'/><link name='a'>{ball}</link><link name='b'>{ball}</link><link name='c'>{ball}</link>\
         <joint name='turn' type='revolute'><parent link='base'/><child link='a'/><axis xyz='0 0 1'/>{limit}</joint>\
         <joint name='plane' type='planar'><origin xyz='0 0 1'/><parent link='a'/><child link='b'/><axis xyz='0 0 1'/></joint>\
         <joint name='last' type='revolute'><origin xyz='0 0 1'/><parent link='b'/><child link='c'/><axis xyz='0 0 1'/>{limit}</joint>\
         </robot>"
    );
    let robot = Robot::from_urdf_str(&text).unwrap();
    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let wall = superovoid::convex::ConvexShape::cuboid([0.1, 0.1, 0.1]).unwrap();
    let at = Isometry3::translation(0.0, 0.5, 0.0);
    scene.add_obstacle("post", wall, at).unwrap();
    let state = |numbers: [f64; 5]| robot.configuration(&numbers).unwrap();
    let rest = state([0.0; 5]);
    let both = state([3.0, 0.0, 0.0, 0.0, 1.0]);
    let last = state([0.0, 0.0, 0.0, 0.0, 1.0]);
    let planar = [
        state([3.0, 1.0, 0.0, 0.0, 0.0]),
        state([0.0, 1.0, 0.0, 0.0, 0.0]),
    ];
    let options = EdgeOptions::default();
    for (first, second, third, status) in [
        (&last, &planar[0], &both, EdgeStatus::Hit),
        (&both, &planar[1], &last, EdgeStatus::Free),
    ] {
        for end in [first, second] {
            scene.edge_free(&rest, end, &options).unwrap();
        }
        let answer = scene.edge_free(&rest, third, &options).unwrap();
        assert_eq!(answer.status, status);
        assert_eq!(
            answer,
            scene.clone().edge_free(&rest, third, &options).unwrap()
        );
    }
}

/// A wheel of a mesh that turns 4 µm beside a wall, or of a superovoid at 0.1 mm: it was proven in steps of that way, thousands of them.
#[test]
fn a_wheel_beside_a_wall_takes_few_states() {
    let egg = Superovoid::new([0.08, 0.08, 0.15], [1.0, 0.2], [0.0; 2]).unwrap();
    let turn = |body: &str, radius: f64, half: [f64; 3], gap: f64| {
        let text = format!(
            "<robot name='r'><link name='base'/><link name='wheel'><collision><geometry>{body}</collision></link>\
             <joint name='turn' type='continuous'><parent link='base'/><child link='wheel'/><axis xyz='0 0 1'/></joint></robot>"
        );
        let robot = Robot::from_urdf_str(&text).unwrap();
        let robot =
            robot.with_meshes(|_, _| Ok::<_, Infallible>(Some(Arc::new(dumb_bell(48, 1.0)))));
        let robot = robot.unwrap();
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        let wall = match half {
            [0.08, ..] => Shape::from(egg),
            _ => ConvexShape::cuboid(half).unwrap().into(),
        };
        let at = Isometry3::translation(radius + half[0] + gap, 0.0, 0.0);
        scene.add_obstacle("wall", wall, at).unwrap();
        let [from, to] = [0.0, 2.0].map(|q| robot.configuration(&[q]).unwrap());
        scene
            .edge_free(&from, &to, &EdgeOptions::default())
            .unwrap()
    };
    let mesh = "<mesh filename='dumb-bell'/></geometry>";
    let ovoid = "<sphere radius='0.1'/></geometry><superovoid a1='0.08' a2='0.08' a3='0.15' e1='1' e2='0.2' tx='0' ty='0'/>";
    for (body, radius, half, gap, most) in [
        (mesh, 0.08, [0.1, 0.3, 0.3], 4e-6, 600),
        // Between the rims, where the hull has no gap.
        (mesh, 0.02, [0.1, 0.005, 0.05], 4e-6, 600),
        (ovoid, 0.08, [0.1, 0.3, 0.3], 1e-4, 600),
        // Nearer than the support functions in lanes are exact.
        (ovoid, 0.08, [0.08; 3], 1e-6, 1100),
    ] {
        let found = turn(body, radius, half, gap);
        assert!(
            found.is_free() && found.states < most,
            "{body} {radius} {found:?}"
        );
    }
}

#[test]
fn edges_in_lanes_are_those_by_bodies_and_by_samples() {
    draw(24, 40, 7);
}

#[test]
#[ignore = "a long draw"]
fn edges_in_lanes_are_those_by_bodies_and_by_samples_long() {
    draw(2000, 300, 8);
}
