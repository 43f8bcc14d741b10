//! Bodies added, moved and removed.

use crate::scene::brute_force::{List, Listed, any_pose, any_shape, check};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::Superovoid;
use superovoid_robot::scene::{Group, Scene, SceneOptions};

const TOLERANCE: f64 = 1e-9;
const GROUPS: usize = 60;

fn groups(scene: &mut Scene) -> Vec<Group> {
    (0..GROUPS)
        .map(|i| scene.group(&format!("group {i}")))
        .collect()
}

fn add(rng: &mut impl Rng, scene: &mut Scene, list: &mut List, groups: &[Group], reach: f64) {
    let group = rng.random_range(0..groups.len());
    let (shape, pose) = (any_shape(rng), any_pose(rng, reach));
    let obstacle = rng.random_range(0..4) == 0;
    let id = if obstacle {
        scene.add_obstacle(groups[group], shape, pose)
    } else {
        scene.add(groups[group], shape, pose)
    };
    list.bodies.push(Listed {
        id: id.unwrap(),
        group,
        shape: shape.into(),
        obstacle,
        pose,
    });
}

/// By a small step, mostly; sometimes anywhere.
fn move_one(rng: &mut impl Rng, scene: &mut Scene, body: &mut Listed, reach: f64) {
    body.pose = if rng.random_range(0..20) == 0 {
        any_pose(rng, reach)
    } else {
        let step = any_pose(rng, 0.01);
        let turn = UnitQuaternion::identity().slerp(&step.rotation, 0.02);
        Isometry3::from_parts(
            Translation3::from(body.pose.translation.vector + step.translation.vector),
            turn * body.pose.rotation,
        )
    };
    scene.move_to(body.id, body.pose).unwrap();
}

fn check_bodies_that_come_and_go(count: usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let reach = 1.0;
    let (mut scene, mut list) = (Scene::new(), List::default());
    let groups = groups(&mut scene);
    for _ in 0..count {
        add(&mut rng, &mut scene, &mut list, &groups, reach);
    }
    let (mut close, mut colliding) = (0, 0);
    for round in 0..16 {
        let margins: &[f64] = match round % 4 {
            0 => &[0.0],
            1 => &[0.05, 0.0],
            2 => &[1e-3, 0.2],
            _ => &[0.02],
        };
        let found = check(&mut scene, &list, margins, TOLERANCE);
        close += found.len();
        colliding += usize::from(scene.in_collision(&SceneOptions::default()).unwrap());
        for body in &mut list.bodies {
            move_one(&mut rng, &mut scene, body, reach);
        }
        for _ in 0..rng.random_range(0..20) {
            let gone = list
                .bodies
                .swap_remove(rng.random_range(0..list.bodies.len()));
            scene.remove(gone.id).unwrap();
        }
        for _ in 0..rng.random_range(0..20) {
            add(&mut rng, &mut scene, &mut list, &groups, reach);
        }
        let [a, b] = [0; 2].map(|_| rng.random_range(0..GROUPS));
        scene.allowed_mut().allow(groups[a], groups[b]);
        list.allowed.push([a.min(b), a.max(b)]);
        assert_eq!(scene.len(), list.bodies.len());
    }
    assert!(close > 4 * count && colliding > 0, "{close} {colliding}");
    assert!(2 * scene.warm_starts() > count);
    check(&mut scene, &list, &[f64::INFINITY], TOLERANCE);
}

#[test]
fn a_hundred_bodies_that_come_and_go_are_as_pair_by_pair() {
    check_bodies_that_come_and_go(100);
}

#[test]
#[ignore = "six times the pairs"]
fn a_few_hundred_bodies_that_come_and_go_are_as_pair_by_pair_long() {
    check_bodies_that_come_and_go(250);
}

/// Few bodies with room between them, so that `closest` and `in_collision` see both answers.
#[test]
fn sparse_scenes_are_as_pair_by_pair() {
    let free = sparse_scenes(2, 15);
    assert!((15..75).contains(&free), "{free}");
}

#[test]
#[ignore = "long: cargo test --release -- --ignored"]
fn many_sparse_scenes_are_as_pair_by_pair() {
    sparse_scenes(4, 2000);
}

/// How often nothing collides.
fn sparse_scenes(seed: u64, count: usize) -> usize {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut free = 0;
    for _ in 0..count {
        let reach = rng.random_range(0.2..1.0);
        let (mut scene, mut list) = (Scene::new(), List::default());
        let groups = groups(&mut scene);
        for _ in 0..rng.random_range(0..16) {
            add(&mut rng, &mut scene, &mut list, &groups, reach);
        }
        for _ in 0..6 {
            check(&mut scene, &list, &[f64::INFINITY, 0.1, 0.0], TOLERANCE);
            free += usize::from(!scene.in_collision(&SceneOptions::default()).unwrap());
            for body in &mut list.bodies {
                move_one(&mut rng, &mut scene, body, reach);
            }
        }
    }
    free
}

/// A pair that passes the distance of interest, or contact, by steps below the tolerance and of the last bits: where it
/// came from must not decide what is said of it.
#[test]
fn a_pair_on_the_edge_of_a_margin_is_as_if_never_seen() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut both = [0; 2];
    for _ in 0..20 {
        let (mut scene, mut list) = (Scene::new(), List::default());
        for group in 0..2 {
            let name = scene.group(&group.to_string());
            let shape = any_shape(&mut rng);
            let mut pose = any_pose(&mut rng, 0.02);
            pose.translation.vector.x += group as f64;
            let id = scene.add(name, shape, pose).unwrap();
            list.bodies.push(Listed {
                id,
                group,
                shape: shape.into(),
                obstacle: false,
                pose,
            });
        }
        let gap = list.contacts(f64::INFINITY)[0].contact;
        for (margin, size) in [(0.0, 1e-10), (0.1, 1e-10), (0.0, 2e-16), (0.1, 2e-16)] {
            let start = list.bodies[1].pose;
            for step in -20..20 {
                let closer = gap.normal.into_inner() * (margin - gap.distance);
                let body = &mut list.bodies[1];
                let along = gap.normal.into_inner() * (size * f64::from(step));
                body.pose.translation.vector = start.translation.vector + closer + along;
                scene.move_to(body.id, body.pose).unwrap();
                let found = check(&mut scene, &list, &[f64::INFINITY, margin], TOLERANCE);
                both[found.len()] += 1;
            }
            list.bodies[1].pose = start;
        }
    }
    assert!(both[0] > 100 && both[1] > 100, "{both:?}");
}

#[test]
fn sizes_from_a_micron_to_a_thousand_kilometres() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for scale in [1e-6, 1e-3, 1e3, 1e6] {
        let (mut scene, mut list) = (Scene::new(), List::default());
        let groups = groups(&mut scene);
        for group in 0..groups.len() {
            let shape = any_shape(&mut rng);
            let axes = shape.semi_axes().map(|a| a * scale);
            let shape = Superovoid::new(axes, shape.exponents(), shape.tapers()).unwrap();
            let mut pose = any_pose(&mut rng, 0.5);
            pose.translation.vector *= scale;
            let id = scene.add(groups[group], shape, pose).unwrap();
            list.bodies.push(Listed {
                id,
                group,
                shape: shape.into(),
                obstacle: false,
                pose,
            });
        }
        let margins = [0.0, 0.02 * scale, f64::INFINITY];
        check(&mut scene, &list, &margins, TOLERANCE * scale);
    }
}

/// Bodies that touch, at the origin and far from it: none is left out at a margin of zero, and the
/// status does not change when the question is repeated.
#[test]
fn touching_bodies_are_found_also_far_from_the_origin() {
    let ball = Superovoid::sphere(0.5).unwrap();
    let brick = Superovoid::superellipsoid([0.5; 3], [0.02; 2]).unwrap();
    for far in [0.0, 1.0, 1e3, 1e6, 1e9] {
        for shape in [ball, brick] {
            let (mut scene, mut list) = (Scene::new(), List::default());
            for (group, x) in [0.0, 1.0, 2.0, 3.0, 5.0].into_iter().enumerate() {
                let name = scene.group(&group.to_string());
                let pose = Isometry3::translation(far + x, far, -far);
                let id = scene.add(name, shape, pose).unwrap();
                list.bodies.push(Listed {
                    id,
                    group,
                    shape: shape.into(),
                    obstacle: false,
                    pose,
                });
            }
            for _ in 0..3 {
                // One metre is also a distance between bodies.
                let found = check(&mut scene, &list, &[f64::INFINITY, 1.0, 0.0], 1e-6);
                assert_eq!(found.len(), 3);
            }
        }
    }
}

#[test]
fn bodies_of_one_group_are_not_compared_and_groups_as_the_matrix_says() {
    let ball = Superovoid::sphere(1.0).unwrap();
    let mut scene = Scene::new();
    let [hand, cup, table] = ["hand", "cup", "table"].map(|name| scene.group(name));
    assert_eq!(scene.group("hand"), hand);
    assert_eq!(scene.find_group("hand"), Some(hand));
    assert_eq!(scene.find_group("foot"), None);
    assert_eq!(scene.group_name(cup), Some("cup"));
    let here = Isometry3::identity();
    let in_hand = scene.add(hand, ball, here).unwrap();
    let also_in_hand = scene.add(hand, ball, here).unwrap();
    let a_cup = scene.add(cup, ball, here).unwrap();
    let a_table = scene.add_obstacle(table, ball, here).unwrap();
    let other_table = scene.add_obstacle(cup, ball, here).unwrap();
    let options = SceneOptions::default();
    let pairs = |scene: &mut Scene| -> Vec<_> {
        let found = scene.contacts(&options).unwrap();
        for pair in &found {
            assert!(scene.compares(pair.a, pair.b).unwrap());
        }
        assert_eq!(scene.in_collision(&options).unwrap(), !found.is_empty());
        let mut pairs: Vec<_> = found.iter().map(|c| (c.a, c.b)).collect();
        pairs.sort_unstable();
        pairs
    };
    let all = [
        (in_hand, a_cup),
        (in_hand, a_table),
        (in_hand, other_table),
        (also_in_hand, a_cup),
        (also_in_hand, a_table),
        (also_in_hand, other_table),
        (a_cup, a_table),
    ];
    assert_eq!(pairs(&mut scene), all);
    assert!(!scene.compares(a_table, other_table).unwrap());
    assert!(!scene.compares(in_hand, also_in_hand).unwrap());
    assert!(!scene.compares(in_hand, in_hand).unwrap());

    let matrix = scene.allowed_mut();
    matrix.allow(cup, hand);
    assert_eq!(pairs(&mut scene), [all[1], all[4], all[6]]);
    // A pair that was named counts more than a default, one that forbids more than one that allows.
    scene.allowed_mut().set_default(table, Some(true));
    assert_eq!(pairs(&mut scene), []);
    scene.allowed_mut().forbid(table, cup);
    assert_eq!(pairs(&mut scene), [all[6]]);
    scene.allowed_mut().set_default(hand, Some(false));
    assert_eq!(pairs(&mut scene), [all[1], all[4], all[6]]);
    scene.allowed_mut().clear(cup, hand);
    assert_eq!(pairs(&mut scene), all);
    scene.allowed_mut().clear(table, cup);
    assert_eq!(pairs(&mut scene).len(), 6);
}

/// Warm starts are dropped when pairs part, and when they are asked for no longer.
#[test]
fn only_close_pairs_are_remembered() {
    let ball = Superovoid::superellipsoid([0.1, 0.1, 0.2], [0.5, 0.7]).unwrap();
    let mut scene = Scene::new();
    let mut ids = Vec::new();
    for i in 0..100 {
        let group = scene.group(&i.to_string());
        let pose = Isometry3::translation(0.21 * f64::from(i), 0.0, 0.0);
        ids.push(scene.add(group, ball, pose).unwrap());
    }
    let options = SceneOptions::default().with_max_distance(0.05);
    assert_eq!(scene.contacts(&options).unwrap().len(), 99);
    assert_eq!(scene.warm_starts(), 99);
    for &id in &ids[1..] {
        let mut pose = scene.pose(id).unwrap();
        pose.translation.vector += Vector3::x() * pose.translation.vector.x;
        scene.move_to(id, pose).unwrap();
    }
    for i in 0..100 {
        assert!(scene.contacts(&options).unwrap().is_empty());
        // New pairs come and go, which makes the scene look through the old ones.
        let near = Isometry3::translation(0.42 * f64::from(i) + 0.21, 0.0, 0.0);
        let group = scene.group("guest");
        let guest = scene.add(group, ball, near).unwrap();
        scene.contacts(&options).unwrap();
        scene.remove(guest).unwrap();
    }
    assert!(scene.warm_starts() < 200, "{}", scene.warm_starts());
    scene.clear_warm_starts();
    assert_eq!(scene.warm_starts(), 0);
}

#[test]
fn a_scene_with_the_ids_of_another_gives_the_ids_that_it_would() {
    let ball = Superovoid::sphere(0.1).expect("valid");
    let mut scene = Scene::new();
    let group = scene.group("balls");
    let ids: Vec<_> = (0..6)
        .map(|_| {
            scene
                .add(group, ball, Isometry3::identity())
                .expect("valid")
        })
        .collect();
    for k in [4, 1, 2] {
        scene.remove(ids[k]).expect("is there");
    }
    let (taken, free): (Vec<_>, Vec<_>) = (scene.ids().collect(), scene.free_ids().collect());
    let mut other = Scene::with_ids(&taken, &free).expect("ids of a scene");
    let group_there = other.group("balls");
    for &id in &taken {
        let found = other.add(group_there, ball, Isometry3::identity());
        assert_eq!(found.expect("valid"), id);
    }
    for _ in 0..5 {
        let next = scene
            .add(group, ball, Isometry3::identity())
            .expect("valid");
        let there = other.add(group_there, ball, Isometry3::identity());
        assert_eq!(there.expect("valid"), next);
    }
    assert!(
        Scene::with_ids(&taken, &[]).is_none() && Scene::with_ids(&[ids[0], ids[0]], &[]).is_none()
    );
}
