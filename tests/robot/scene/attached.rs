//! Objects on links, paddings, scales and changes between queries.

use nalgebra::{Isometry3, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::convex::ConvexShape;
use superovoid::{HalfSpace, Outcome, Shape, Superovoid};
use superovoid_robot::scene::{
    Counterpart, RobotContact, RobotScene, RobotSceneError, SceneOptions,
};
use superovoid_robot::{Configuration, EdgeOptions, EdgeStatus, Robot};

/// The body that is attached, as `<collision>` and as a shape, and its pose in the link.
const HELD: &str = r#"<collision><origin xyz="0.1 0.05 0.3" rpy="0 0 0"/><geometry>
  <cylinder radius="0.06" length="0.3"/></geometry></collision>"#;

fn held() -> (ConvexShape, Isometry3<f64>) {
    let can = ConvexShape::cylinder(0.06, 0.3).unwrap();
    (can, Isometry3::translation(0.1, 0.05, 0.3))
}

/// An arm of three links after a base, with `more` on the last one.
fn arm(more: &str) -> Robot {
    let link = |name: &str, geometry: &str, more: &str| {
        format!(
            r#"<link name="{name}"><collision><origin xyz="0 0 0.25"/><geometry>{geometry}</geometry>
            </collision>{more}</link>"#
        )
    };
    let joint = |parent: &str, child: &str, axis: &str| {
        format!(
            r#"<joint name="{child}_joint" type="revolute"><origin xyz="0 0 0.5"/><parent link="{parent}"/>
            <child link="{child}"/><axis xyz="{axis}"/>
            <limit lower="-2.8" upper="2.8" effort="1" velocity="1"/></joint>"#
        )
    };
    let capsule = r#"<capsule radius="0.07" length="0.3"/>"#;
    let urdf = format!(
        r#"<robot name="arm">{}{}{}{}{}{}{}</robot>"#,
        link("base", r#"<box size="0.2 0.2 0.4"/>"#, ""),
        link("upper", capsule, ""),
        link("fore", r#"<sphere radius="0.15"/>"#, ""),
        link("hand", capsule, more),
        joint("base", "upper", "0 1 0"),
        joint("upper", "fore", "1 0.2 0"),
        joint("fore", "hand", "0.3 1 0"),
    );
    Robot::from_urdf_str(&urdf).unwrap()
}

fn any_pose(rng: &mut impl Rng) -> Isometry3<f64> {
    let mut vector = |most: f64| Vector3::from_fn(|_, _| rng.random_range(-most..most));
    Isometry3::new(vector(1.2), vector(2.0))
}

/// A ball, a box, a superovoid and a floor, as they are drawn.
fn furnish(scene: &mut RobotScene, rng: &mut impl Rng) {
    let shapes: [Shape; 3] = [
        Superovoid::sphere(0.2).unwrap().into(),
        ConvexShape::cuboid([0.1, 0.2, 0.15]).unwrap().into(),
        Superovoid::new([0.2, 0.15, 0.3], [0.6, 0.8], [0.2, 0.1])
            .unwrap()
            .into(),
    ];
    for (name, shape) in ["ball", "box", "egg"].into_iter().zip(shapes) {
        scene.add_obstacle(name, shape, any_pose(rng)).unwrap();
    }
    let floor = HalfSpace::new(Vector3::z(), -0.9).unwrap();
    scene
        .add_obstacle("floor", floor, Isometry3::identity())
        .unwrap();
}

fn any_configuration(rng: &mut impl Rng, robot: &Robot) -> Configuration {
    let mut configuration = robot.neutral();
    for name in ["upper_joint", "fore_joint", "hand_joint"] {
        let angle = rng.random_range(-2.8..2.8);
        configuration.set(name, angle).unwrap();
    }
    configuration
}

/// The configuration at a share of the way between two.
fn mixed(robot: &Robot, ends: [&Configuration; 2], t: f64) -> Configuration {
    let [from, to] = ends.map(Configuration::to_vec);
    let mix = |(a, b): (&f64, &f64)| (1.0 - t) * a + t * b;
    let numbers: Vec<f64> = from.iter().zip(&to).map(mix).collect();
    robot.configuration(&numbers).unwrap()
}

fn within(max_distance: f64) -> SceneOptions {
    SceneOptions::default().with_max_distance(max_distance)
}

/// The link and body of both sides and the distance, attached bodies as the second collision of their link.
fn keyed(scene: &RobotScene, contact: &RobotContact) -> ([usize; 4], f64) {
    let link_of = |id| scene.attached().find(|body| body.id == id).unwrap().link;
    let collision = match contact.attached {
        Some(id) => {
            assert_eq!(link_of(id), contact.link);
            1
        }
        None => contact.collision,
    };
    let mut sides = [[contact.link, collision], [usize::MAX, 0]];
    match contact.with {
        Counterpart::Link { link, collision } => {
            sides[1] = [link, collision];
            sides.sort_unstable();
        }
        Counterpart::Attached(id) => {
            sides[1] = [link_of(id), 1];
            sides.sort_unstable();
        }
        Counterpart::Obstacle(id) => {
            let group = scene.scene().group_of(id).unwrap();
            sides[1][1] = group.index() % 100;
        }
    }
    let [[a, b], [c, d]] = sides;
    ([a, b, c, d], contact.contact.distance)
}

fn sorted(scene: &RobotScene, contacts: &[RobotContact]) -> Vec<([usize; 4], f64)> {
    let mut all: Vec<_> = contacts.iter().map(|c| keyed(scene, c)).collect();
    all.sort_by_key(|a| a.0);
    all
}

const CONFIGURATIONS: usize = 8;

/// Compares an object on the hand with a hand that has the same collision.
fn attached_is_the_union(draws: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (bare, whole) = (arm(""), arm(HELD));
    let (shape, pose) = held();
    for round in 0..draws / CONFIGURATIONS {
        let mut other = rng.clone();
        let mut union = RobotScene::new(whole.clone()).unwrap();
        furnish(&mut union, &mut rng);
        let mut scene = RobotScene::new(bare.clone()).unwrap();
        if round % 2 == 0 {
            scene
                .attach("can", "hand", shape.clone(), pose, &["fore"])
                .unwrap();
            furnish(&mut scene, &mut other);
        } else {
            furnish(&mut scene, &mut other);
            let neutral = scene.robot().neutral();
            let hand = scene.robot().link_index("hand").unwrap();
            let at = scene.robot().forward_kinematics(&neutral).unwrap()[hand] * pose;
            scene.add_obstacle("can", shape.clone(), at).unwrap();
            scene
                .attach_obstacle("can", "hand", &["fore"], &neutral)
                .unwrap();
        }
        let states: Vec<_> = (0..CONFIGURATIONS)
            .map(|_| any_configuration(&mut rng, &bare))
            .collect();
        let options = within([f64::INFINITY, 0.3][round % 2]);
        let collides = scene.in_collision_batch(&states, &options, 1).unwrap();
        let closest = scene.closest_batch(&states, &options, 1).unwrap();
        for (k, state) in states.iter().enumerate() {
            let all = scene.contacts(state, &options).unwrap();
            let expected = union.contacts(state, &options).unwrap();
            // The group of the can is before those of the obstacles, or after them.
            let shift = |found: Vec<([usize; 4], f64)>| {
                let first = found
                    .iter()
                    .filter(|(key, _)| key[2] == usize::MAX)
                    .map(|(key, _)| key[3])
                    .min()
                    .unwrap_or(0);
                found
                    .into_iter()
                    .map(|(mut key, d)| {
                        if key[2] == usize::MAX {
                            key[3] -= first;
                        }
                        (key, d)
                    })
                    .collect::<Vec<_>>()
            };
            let (all_sorted, expected_sorted) = (
                shift(sorted(&scene, &all)),
                shift(sorted(&union, &expected)),
            );
            assert_eq!(all_sorted.len(), expected_sorted.len(), "{round} {k}");
            for (a, b) in all_sorted.iter().zip(&expected_sorted) {
                assert_eq!(a.0, b.0, "{round} {k}");
                assert!((a.1 - b.1).abs() < 1e-8, "{round} {k}: {a:?} {b:?}");
            }
            let hits = union.in_collision(state, &options).unwrap();
            assert_eq!(scene.in_collision(state, &options).unwrap(), hits);
            assert_eq!(collides[k], hits, "{round} {k}");
            let single = scene.closest(state, &options).unwrap();
            for found in [closest[k], single] {
                assert_eq!(found.is_some(), !expected.is_empty());
                for (found, least) in found.iter().zip(&expected) {
                    let error = (found.contact.distance - least.contact.distance).abs();
                    assert!(error < 1e-8, "{round} {k}: {found:?} {least:?}");
                }
            }
        }
    }
}

#[test]
fn an_attached_object_is_as_a_collision_of_its_link() {
    attached_is_the_union(10_000, 1);
}

#[test]
#[ignore = "100,000 draws"]
fn attached_objects_of_long_draws_are_as_collisions_of_their_link() {
    attached_is_the_union(100_000, 2);
}

/// Compares padded links with the distances less the paddings.
fn padded_is_less_the_padding(draws: usize, seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let robot = arm("");
    let (shape, pose) = held();
    let mut near = 0;
    for round in 0..draws / CONFIGURATIONS {
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        furnish(&mut scene, &mut rng);
        scene
            .attach("can", "hand", shape.clone(), pose, &["fore"])
            .unwrap();
        let mut padded = scene.clone();
        let names = ["base", "upper", "fore", "hand", "can"];
        let paddings = names.map(|_| rng.random_range(0.0..0.1));
        for (name, padding) in names.iter().zip(paddings) {
            padded.set_padding(name, padding).unwrap();
            assert_eq!(padded.padding(name), Some(padding));
        }
        let pair = rng.random_range(0.0..0.1);
        padded.set_pair_padding("floor", "can", pair).unwrap();
        padded.set_pair_padding("hand", "base", pair).unwrap();
        let label = |scene: &RobotScene, id| {
            let group = scene.scene().group_of(id).unwrap();
            scene.scene().group_name(group).unwrap().to_owned()
        };
        let total = |found: &RobotContact| {
            let link = |link: usize| scene.robot().links()[link].name.clone();
            let a = match found.attached {
                Some(id) => label(&scene, id),
                None => link(found.link),
            };
            let b = match found.with {
                Counterpart::Link { link: b, .. } => link(b),
                Counterpart::Attached(id) | Counterpart::Obstacle(id) => label(&scene, id),
            };
            let of = |name: &str| {
                names
                    .iter()
                    .position(|n| *n == name)
                    .map_or(0.0, |k| paddings[k])
            };
            let pairs = [["can", "floor"], ["base", "hand"]];
            let is_pair = pairs.contains(&[a.as_str(), b.as_str()]);
            of(&a) + of(&b) + if is_pair { pair } else { 0.0 }
        };
        let max_distance = [f64::INFINITY, 0.2][round % 2];
        let states: Vec<_> = (0..CONFIGURATIONS)
            .map(|_| any_configuration(&mut rng, &robot))
            .collect();
        let collides = padded
            .in_collision_batch(&states, &within(max_distance), 1)
            .unwrap();
        let closest = padded
            .closest_batch(&states, &within(max_distance), 1)
            .unwrap();
        for (k, state) in states.iter().enumerate() {
            let bare = scene
                .clone()
                .contacts(state, &within(f64::INFINITY))
                .unwrap();
            let found = padded.contacts(state, &within(max_distance)).unwrap();
            let least = bare.iter().map(|c| c.contact.distance - total(c));
            let least = least.fold(f64::INFINITY, f64::min);
            near += usize::from(least > -0.1 && least < 0.0);
            for c in &found {
                let same = |b: &&RobotContact| {
                    (b.link, b.attached, b.with) == (c.link, c.attached, c.with)
                };
                let b = bare.iter().find(same).unwrap();
                let (now, before) = (&c.contact, &b.contact);
                let expected = before.distance - total(b);
                assert!((now.distance - expected).abs() < 1e-8, "{now:?} {before:?}");
                assert!(now.lower <= now.distance && now.distance <= now.upper);
                let across = now.point_a + now.normal.into_inner() * now.distance;
                assert!((across - now.point_b).norm() < 1e-8, "{now:?}");
            }
            let expected = bare
                .iter()
                .filter(|c| c.contact.upper - total(c) < max_distance);
            assert_eq!(found.len(), expected.count());
            let hits = least <= 0.0;
            assert_eq!(
                padded.in_collision(state, &within(max_distance)).unwrap(),
                hits
            );
            assert_eq!(collides[k], hits, "{round} {k}");
            for one in [
                closest[k],
                padded.closest(state, &within(max_distance)).unwrap(),
            ] {
                assert_eq!(one.is_some(), least <= max_distance);
                if let Some(one) = one {
                    assert!(
                        (one.contact.distance - least).abs() < 1e-8,
                        "{one:?} {least}"
                    );
                }
            }
        }
    }
    assert!(near > draws / 50, "{near}");
}

#[test]
fn padded_bodies_are_nearer_by_their_paddings() {
    padded_is_less_the_padding(10_000, 3);
}

#[test]
#[ignore = "100,000 draws"]
fn padded_bodies_of_long_draws_are_nearer_by_their_paddings() {
    padded_is_less_the_padding(100_000, 4);
}

/// A padded ball and a padded capsule are the larger ball and capsule, and a scaled one is that of the larger robot.
#[test]
fn padded_and_scaled_balls_are_larger_balls() {
    let ball = |radius: f64| {
        let urdf = format!(
            r#"<robot name="r"><link name="l"><collision><origin xyz="0.1 0 0"/><geometry>
            <sphere radius="{radius}"/></geometry></collision></link></robot>"#
        );
        let mut scene = RobotScene::new(Robot::from_urdf_str(&urdf).unwrap()).unwrap();
        furnish(&mut scene, &mut ChaCha8Rng::seed_from_u64(5));
        scene
    };
    let (mut padded, mut scaled, mut larger) = (ball(0.2), ball(0.2), ball(0.3));
    padded.set_padding("l", 0.1).unwrap();
    scaled.set_scale("l", 1.5).unwrap();
    let state = larger.robot().neutral();
    let expected = larger.contacts(&state, &SceneOptions::default()).unwrap();
    assert_eq!(expected.len(), 4);
    for scene in [&mut padded, &mut scaled] {
        let found = scene.contacts(&state, &SceneOptions::default()).unwrap();
        for (found, expected) in found.iter().zip(&expected) {
            assert_eq!(found.with, expected.with);
            let (found, expected) = (&found.contact, &expected.contact);
            assert!((found.distance - expected.distance).abs() < 1e-8);
            assert!((found.point_a - expected.point_a).norm() < 1e-6);
        }
    }
    padded.set_padding("l", 0.0).unwrap();
    scaled.set_scale("l", 1.0).unwrap();
    padded.clear_warm_starts();
    scaled.clear_warm_starts();
    let before = ball(0.2).contacts(&state, &SceneOptions::default());
    assert_eq!(padded.contacts(&state, &SceneOptions::default()), before);
    assert_eq!(scaled.contacts(&state, &SceneOptions::default()), before);
}

/// What is proven of an edge holds at every sample, and a hit is one.
#[test]
fn edges_with_attached_and_padded_bodies_hold_at_samples() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let robot = arm("");
    let (shape, pose) = held();
    let mut counts = [0; 2];
    for _ in 0..150 {
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        scene
            .attach("can", "hand", shape.clone(), pose, &["fore"])
            .unwrap();
        furnish(&mut scene, &mut rng);
        scene.set_padding("can", 0.03).unwrap();
        scene.set_padding("fore", 0.02).unwrap();
        scene.set_pair_padding("hand", "egg", 0.05).unwrap();
        let from = any_configuration(&mut rng, &robot);
        let target = any_configuration(&mut rng, &robot);
        let to = mixed(&robot, [&from, &target], 0.2);
        let edge = scene
            .edge_free(&from, &to, &EdgeOptions::default())
            .unwrap();
        let collides = |scene: &mut RobotScene, t: f64| {
            let state = mixed(&robot, [&from, &to], t);
            scene
                .in_collision(&state, &SceneOptions::default())
                .unwrap()
        };
        match edge.status {
            EdgeStatus::Free => {
                counts[0] += 1;
                for k in 0..=200 {
                    assert!(!collides(&mut scene, f64::from(k) / 200.0));
                }
            }
            EdgeStatus::Hit => {
                counts[1] += 1;
                assert!(collides(&mut scene, edge.touching.unwrap()));
                assert!(edge.contact.unwrap().contact.upper <= 1e-9);
            }
            EdgeStatus::Undecided => {}
        }
    }
    assert!(counts.iter().all(|count| *count > 15), "{counts:?}");
}

/// Every change counts in the next query, single or in batches.
#[test]
fn changes_take_effect_at_once() {
    let robot = arm("");
    let mut scene = RobotScene::new(robot).unwrap();
    let state = scene.robot().neutral();
    let hits = |scene: &mut RobotScene| {
        let options = SceneOptions::default();
        let single = scene.in_collision(&state, &options).unwrap();
        let batch = scene.in_collision_batch(std::slice::from_ref(&state), &options, 1);
        assert_eq!(batch.unwrap(), [single]);
        let edge = scene.edge_free(&state, &state, &EdgeOptions::default());
        assert_eq!(edge.unwrap().status == EdgeStatus::Hit, single);
        single
    };
    assert!(!hits(&mut scene));
    let ball = Superovoid::sphere(0.1).unwrap();
    let at = Isometry3::translation(0.0, 0.0, 2.15);
    let id = scene.add_obstacle("ball", ball, at).unwrap();
    assert!(!hits(&mut scene));
    scene.set_padding("hand", 0.31).unwrap();
    assert_eq!(scene.is_allowed("hand", "fore"), Some(true));
    assert!(hits(&mut scene));
    scene.set_padding("hand", 0.0).unwrap();
    scene.attach_obstacle("ball", "hand", &[], &state).unwrap();
    assert!(!hits(&mut scene));
    let held: Vec<_> = scene
        .attached()
        .map(|body| (body.id, body.name.to_owned()))
        .collect();
    assert_eq!(held, [(id, "ball".to_owned())]);
    // An obstacle where the ball is; the hand is not near.
    scene.add_obstacle("wall", ball, at).unwrap();
    assert!(hits(&mut scene));
    assert_eq!(scene.is_allowed("wall", "ball"), Some(false));
    assert!(scene.allow("wall", "ball"));
    assert_eq!(scene.is_allowed("wall", "ball"), Some(true));
    assert!(!hits(&mut scene));
    assert!(scene.forbid("wall", "ball"));
    assert!(hits(&mut scene));
    scene.detach("ball", Some(&state)).unwrap();
    assert!(!hits(&mut scene));
    assert_eq!(scene.scene().is_obstacle(id), Ok(true));
    scene
        .move_obstacle(id, Isometry3::translation(0.0, 0.0, 1.75))
        .unwrap();
    assert!(hits(&mut scene));
    scene.attach_obstacle("ball", "hand", &[], &state).unwrap();
    assert!(!hits(&mut scene), "its own link is left out");
    assert_eq!(scene.is_allowed("ball", "hand"), Some(true));
    assert!(scene.forbid("ball", "hand"));
    assert!(hits(&mut scene));
    scene.detach("ball", None).unwrap();
    assert!(!hits(&mut scene));
    assert!(scene.set_default("wall", Some(true)));
    assert_eq!(scene.is_allowed("wall", "hand"), Some(true));
    assert_eq!(scene.is_allowed("wall", "no such"), None);
}

#[test]
fn paddings_whose_sum_exceeds_the_number_range_are_an_overflow() {
    let mut scene = RobotScene::new(arm("")).unwrap();
    let ball = Superovoid::sphere(0.1).unwrap();
    let at = Isometry3::translation(3.0, 0.0, 0.0);
    scene.add_obstacle("ball", ball, at).unwrap();
    let (neutral, options) = (scene.robot().neutral(), SceneOptions::default());
    scene.set_padding("hand", 1e308).unwrap();
    assert!(scene.in_collision(&neutral, &options).unwrap());
    scene.set_pair_padding("hand", "ball", 1e308).unwrap();
    for error in [
        scene.closest(&neutral, &options).unwrap_err(),
        scene.contacts(&neutral, &options).unwrap_err(),
    ] {
        let text = error.to_string();
        assert!(
            text.contains("hand") && text.contains("finite number of metres"),
            "{text}"
        );
    }
    // An edge is not free, whatever is told of the pair.
    let [mut from, mut to] = [neutral.clone(), neutral];
    from.set("hand_joint", -0.1).unwrap();
    to.set("hand_joint", 0.1).unwrap();
    let edge = scene.edge_free(&from, &to, &EdgeOptions::default());
    assert!(!edge.is_ok_and(|edge| edge.is_free()));
}

#[test]
fn what_cannot_be_attached_or_padded_is_named() {
    let mut scene = RobotScene::new(arm("")).unwrap();
    furnish(&mut scene, &mut ChaCha8Rng::seed_from_u64(7));
    let state = scene.robot().neutral();
    let ball = || Superovoid::sphere(0.1).unwrap();
    let at = Isometry3::identity();
    let message = |error: RobotSceneError| error.to_string();
    let mut refuse = |name: &str, link: &str, touch: &[&str], expected: &str| {
        let error = scene.attach(name, link, ball(), at, touch).unwrap_err();
        assert_eq!(message(error), expected);
    };
    let taken = |name| {
        format!("the name {name:?} is taken; expected one that nothing else in the scene has")
    };
    refuse("hand", "hand", &[], &taken("hand"));
    refuse("egg", "hand", &[], &taken("egg"));
    refuse("can", "foot", &[], "the scene has no link \"foot\"");
    let touch = "the scene has no link or attached object \"foot\"";
    refuse("can", "hand", &["foot"], touch);
    let floor = HalfSpace::new(Vector3::z(), 0.0).unwrap();
    let unattachable = |name| {
        format!("the object {name:?} cannot be attached: a half-space or a plane has no bounds")
    };
    let error = scene.attach("can", "hand", floor, at, &[]).unwrap_err();
    assert_eq!(message(error), unattachable("can"));
    let error = scene
        .attach_obstacle("floor", "hand", &[], &state)
        .unwrap_err();
    assert_eq!(message(error), unattachable("floor"));
    let error = scene
        .attach_obstacle("can", "hand", &[], &state)
        .unwrap_err();
    assert_eq!(message(error), "the scene has no obstacle \"can\"");
    let error = scene.detach("egg", None).unwrap_err();
    assert_eq!(message(error), "the scene has no attached object \"egg\"");
    let id = scene.attach("can", "hand", ball(), at, &[]).unwrap();
    let error = scene.add_obstacle("can", ball(), at).unwrap_err();
    assert_eq!(message(error), taken("can"));
    assert!(scene.move_obstacle(id, at).is_err() && scene.remove_obstacle(id).is_err());
    for value in [-0.01, f64::NAN, f64::INFINITY] {
        let refused = |result: Result<(), RobotSceneError>| {
            matches!(result, Err(RobotSceneError::Padding { .. }))
        };
        assert!(refused(scene.set_padding("hand", value)));
        assert!(refused(scene.set_pair_padding("hand", "egg", value)));
        let scaled = scene.set_scale("hand", value);
        assert!(matches!(scaled, Err(RobotSceneError::Scale { .. })));
    }
    let unknown = |result: Result<(), RobotSceneError>| {
        matches!(result, Err(RobotSceneError::UnknownName { .. }))
    };
    assert!(unknown(scene.set_padding("egg", 0.1)));
    assert!(unknown(scene.set_pair_padding("egg", "box", 0.1)));
    assert!(unknown(scene.set_pair_padding("hand", "foot", 0.1)));
    assert!(unknown(scene.set_scale("can", 2.0)));
}

/// Clones on threads, and their changes, give the same bits as one after the other.
#[test]
fn clones_on_threads_are_as_the_original_to_the_bit() {
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut scene = RobotScene::new(arm("")).unwrap();
    let (shape, pose) = held();
    scene.attach("can", "hand", shape, pose, &["fore"]).unwrap();
    for k in 0..1000 {
        let ball = Superovoid::sphere(0.02).unwrap();
        scene
            .add_obstacle(&format!("ball {k}"), ball, any_pose(&mut rng))
            .unwrap();
    }
    scene.set_padding("can", 0.01).unwrap();
    let states: Vec<_> = (0..40)
        .map(|_| any_configuration(&mut rng, scene.robot()))
        .collect();
    let _ = scene.closest(&states[0], &SceneOptions::default()).unwrap();
    let ask = |mut scene: RobotScene| {
        scene.set_padding("hand", 0.02).unwrap();
        scene.detach("can", Some(&states[0])).unwrap();
        let answers = states.iter().map(|state| {
            let all = scene.contacts(state, &within(0.05)).unwrap();
            (all, scene.closest(state, &within(0.5)).unwrap())
        });
        answers.collect::<Vec<_>>()
    };
    let before = scene.clone().contacts(&states[1], &within(0.05)).unwrap();
    let alone = ask(scene.clone());
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3).map(|_| scope.spawn(|| ask(scene.clone()))).collect();
        for thread in threads {
            assert!(thread.join().unwrap() == alone);
        }
    });
    // The changes of clones are theirs.
    assert!(scene.clone().contacts(&states[1], &within(0.05)).unwrap() == before);
    assert!(
        before
            .iter()
            .all(|found| found.contact.outcome != Outcome::Beyond)
    );
}

/// Prints the time of a clone among 1,000 obstacles.
#[test]
#[ignore = "a measurement"]
fn time_of_a_clone() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut scene = RobotScene::new(arm("")).unwrap();
    for k in 0..1000 {
        let ball = Superovoid::sphere(0.02).unwrap();
        scene
            .add_obstacle(&format!("ball {k}"), ball, any_pose(&mut rng))
            .unwrap();
    }
    let state = any_configuration(&mut rng, scene.robot());
    let _ = scene.closest(&state, &SceneOptions::default()).unwrap();
    let start = std::time::Instant::now();
    for _ in 0..1000 {
        std::hint::black_box(scene.clone());
    }
    println!("{} µs for a clone", start.elapsed().as_secs_f64() * 1e3);
}
