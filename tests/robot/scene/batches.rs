//! Batches of configurations, eight in lanes, say what single queries say, and what a contact of every pair says.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid::{Contact, Outcome, QueryOptions, Superovoid, contact};
use superovoid_robot::scene::{RobotContact, RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{Configuration, JointKind, JointPosition, Robot};

fn file(name: &str) -> Robot {
    Robot::from_urdf_file(format!("{}/urdf/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn options(max_distance: f64) -> SceneOptions {
    SceneOptions::default().with_max_distance(max_distance)
}

fn any_rotation(rng: &mut impl Rng) -> UnitQuaternion<f64> {
    let mut angle = || rng.random_range(-3.2..3.2);
    UnitQuaternion::from_euler_angles(angle(), angle(), angle())
}

/// A share of the way from neutral to anywhere between the limits.
fn any_configuration(rng: &mut impl Rng, robot: &Robot, share: f64) -> Configuration {
    let mut configuration = robot.neutral();
    for joint in robot.joints() {
        if joint.mimic.is_some() {
            continue;
        }
        let [lower, upper] = joint.range().unwrap_or([-3.0, 3.0]);
        let q =
            share * rng.random_range(lower..=upper) + (1.0 - share) * 0.0_f64.clamp(lower, upper);
        let position: JointPosition = match joint.kind {
            JointKind::Fixed => continue,
            JointKind::Planar => [q, 0.5 * q, 2.0 * q].into(),
            JointKind::Floating => {
                let shift = Vector3::from_fn(|_, _| rng.random_range(-0.1..0.1));
                Isometry3::from_parts(shift.into(), any_rotation(rng)).into()
            }
            _ => q.into(),
        };
        configuration.set(&joint.name, position).unwrap();
    }
    configuration
}

fn draw(robot: &Robot, count: usize, share: f64, seed: u64) -> Vec<Configuration> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|_| any_configuration(&mut rng, robot, share))
        .collect()
}

/// Whether brackets meet, and certified distances are one number.
fn agree(a: &Contact, b: &Contact) -> bool {
    let certified = a.outcome == Outcome::Certified && b.outcome == Outcome::Certified;
    let error = (a.distance - b.distance).abs();
    a.lower <= b.upper && b.lower <= a.upper && (error < 1e-9 || !certified)
}

/// Compares batches with single queries, and returns how many configurations are in collision.
fn compare(scene: &RobotScene, configurations: &[Configuration], max_distance: f64) -> usize {
    let options = options(max_distance);
    let mut batch = scene.clone();
    let collides = batch
        .in_collision_batch(configurations, &options, 1)
        .unwrap();
    let closest = batch.closest_batch(configurations, &options, 1).unwrap();
    let clearances = batch.clearance_batch(configurations, &options, 1).unwrap();
    assert_eq!(collides.len(), configurations.len());
    assert_eq!(clearances.len(), configurations.len());
    assert_eq!(closest.len(), configurations.len());
    for threads in [0, 3] {
        let again = batch.in_collision_batch(configurations, &options, threads);
        assert_eq!(again.unwrap(), collides, "{threads} threads");
        let again = batch.closest_batch(configurations, &options, threads);
        assert!(again.unwrap() == closest, "{threads} threads");
        let again = batch.clearance_batch(configurations, &options, threads);
        assert_eq!(again.unwrap(), clearances, "{threads} threads");
    }
    for (k, configuration) in configurations.iter().enumerate() {
        let mut single = scene.clone();
        let all = single.contacts(configuration, &options).unwrap();
        assert_eq!(
            collides[k],
            single.in_collision(configuration, &options).unwrap(),
            "{k}"
        );
        assert_eq!(closest[k].is_some(), !all.is_empty(), "{k}");
        let clearance = match all.first() {
            _ if collides[k] => 0.0,
            Some(first) => first.contact.distance,
            None => max_distance,
        };
        let error = (clearances[k] - clearance).abs();
        assert!(clearances[k] == clearance || error < 1e-9, "{k}: {error}");
        let proven = |found: &RobotContact| found.contact.lower.max(0.0) >= clearances[k] - 1e-9;
        assert!(all.iter().all(proven), "{k}");
        if let (Some(found), Some(first)) = (&closest[k], all.first()) {
            assert!(
                agree(&found.contact, &first.contact),
                "{k}: {found:?} {first:?}"
            );
        }
    }
    collides.iter().filter(|collides| **collides).count()
}

#[test]
fn hands_among_obstacles_of_every_kind() {
    let scene = super::robot::with_obstacles();
    for (share, range) in [(0.2, 1..87), (1.0, 1..88)] {
        let configurations = draw(scene.robot(), 87, share, 3);
        let collisions = compare(&scene, &configurations, f64::INFINITY);
        assert!(range.contains(&collisions), "{collisions}");
        compare(&scene, &configurations[..20], 0.005);
    }
}

#[test]
fn panda_among_spheres() {
    let mut scene = RobotScene::new(file("panda.urdf")).unwrap();
    scene
        .set_base(Isometry3::translation(0.1, -0.2, 0.3))
        .unwrap();
    let ball = Superovoid::sphere(0.2).unwrap();
    for angle in 0..6 {
        let (sin, cos) = f64::from(angle).sin_cos();
        let pose = Isometry3::translation(0.1 + 0.55 * cos, -0.2 + 0.55 * sin, 0.6);
        scene.add_obstacle("cage", ball, pose).unwrap();
    }
    for [a, b] in [
        ["panda_link5", "panda_link7"],
        ["panda_link5", "panda_hand"],
        ["panda_link6", "panda_hand"],
        ["panda_leftfinger", "panda_rightfinger"],
    ] {
        assert!(scene.allow(a, b));
    }
    let configurations = draw(scene.robot(), 300, 1.0, 4);
    let collisions = compare(&scene, &configurations, f64::INFINITY);
    assert!((30..270).contains(&collisions), "{collisions}");
    // Of states in any order, one that is in collision is found, or all are free.
    let collides = scene
        .in_collision_batch(&configurations, &options(0.0), 1)
        .unwrap();
    for states in 1..40 {
        let found = scene
            .find_collision(&configurations[..states], &options(0.0))
            .unwrap();
        assert_eq!(found.is_some(), collides[..states].contains(&true));
        assert!(found.is_none_or(|state| collides[state]));
    }
    assert_eq!(scene.find_collision(&[], &options(0.0)).unwrap(), None);
    assert!(
        scene
            .in_collision_batch(&[], &options(0.0), 0)
            .unwrap()
            .is_empty()
    );
}

/// A superovoid of the whole domain, some of which are not convex.
fn any_shape(rng: &mut impl Rng) -> [f64; 7] {
    let mut exponent = || match rng.random_range(0..6) {
        0 => 0.02,
        1 => 1.98,
        2 => 1.0,
        _ => rng.random_range(0.02..1.98),
    };
    let e = [exponent(), exponent()];
    let mut axis = || 0.1 * 10.0_f64.powf(rng.random_range(-0.7..0.3));
    let a = [axis(), axis(), axis()];
    let t = match rng.random_range(0..3) {
        0 => [0.0, 0.0],
        1 => [rng.random_range(-0.4..0.4); 2],
        _ => [rng.random_range(-0.4..0.4), rng.random_range(-0.4..0.4)],
    };
    [a[0], a[1], a[2], e[0], e[1], t[0], t[1]]
}

fn collision(shape: [f64; 7], xyz: [f64; 3], rpy: [f64; 3]) -> String {
    let [a1, a2, a3, e1, e2, tx, ty] = shape;
    let [x, y, z] = xyz;
    let [roll, pitch, yaw] = rpy;
    format!(
        r#"<collision><origin xyz="{x} {y} {z}" rpy="{roll} {pitch} {yaw}"/><geometry>
        <SUPEROVOID a1="{a1}" a2="{a2}" a3="{a3}" e1="{e1}" e2="{e2}" tx="{tx}" ty="{ty}"/></geometry></collision>"#
    )
}

/// A tree with a joint of every kind, whose links have one or two bodies of any shape.
fn any_robot(rng: &mut impl Rng) -> Robot {
    let kinds = [
        "revolute",
        "prismatic",
        "continuous",
        "planar",
        "floating",
        "fixed",
        "revolute",
    ];
    let mut text = String::from("<robot name=\"any\">");
    for link in 0..=kinds.len() {
        text += &format!("<link name=\"l{link}\">");
        for _ in 0..rng.random_range(1..3) {
            let mut number = || rng.random_range(-0.15..0.15);
            let xyz = [number(), number(), number()];
            let rpy = [10.0 * number(), 10.0 * number(), 10.0 * number()];
            text += &collision(any_shape(rng), xyz, rpy);
        }
        text += "</link>";
    }
    for (k, kind) in kinds.iter().enumerate() {
        let parent = rng.random_range(0..=k);
        let [x, y, z] = [0, 1, 2].map(|_| rng.random_range(-0.4..0.4));
        let mimic = if k == 6 {
            r#"<mimic joint="j0" multiplier="-0.5" offset="0.1"/>"#
        } else {
            ""
        };
        text += &format!(
            r#"<joint name="j{k}" type="{kind}"><parent link="l{parent}"/><child link="l{}"/>
            <origin xyz="{x} {y} {z}" rpy="{y} {z} {x}"/><axis xyz="{z} {x} 0.3"/>
            <limit lower="-0.7" upper="0.9" effort="1" velocity="1"/>{mimic}</joint>"#,
            k + 1
        );
    }
    text += "</robot>";
    Robot::from_urdf_str(&text).unwrap()
}

/// Of 40 robots whose bodies have the whole domain's shapes, in 17 configurations each.
#[test]
fn any_robots() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut collisions = 0;
    for robot in 0..40 {
        let scene = RobotScene::new(any_robot(&mut rng)).unwrap();
        let configurations = draw(scene.robot(), 17, 0.8, 1000 + robot);
        collisions += compare(&scene, &configurations, f64::INFINITY);
    }
    assert!((100..600).contains(&collisions), "{collisions}");
}

/// A scene of two bodies of any shape, of which the second one floats, and their shapes.
fn two_bodies(rng: &mut impl Rng) -> (RobotScene, [Superovoid; 2]) {
    let shapes = [any_shape(rng), any_shape(rng)];
    let text = format!(
        r#"<robot name="two"><link name="a">{}</link><link name="between"/><link name="b">{}</link>
        <joint name="j" type="fixed"><parent link="a"/><child link="between"/></joint>
        <joint name="k" type="floating"><parent link="between"/><child link="b"/></joint></robot>"#,
        collision(shapes[0], [0.0; 3], [0.0; 3]),
        collision(shapes[1], [0.0; 3], [0.0; 3]),
    );
    let mut scene = RobotScene::new(Robot::from_urdf_str(&text).unwrap()).unwrap();
    assert!(scene.forbid("a", "b"));
    let shapes = shapes.map(|[a1, a2, a3, e1, e2, tx, ty]| {
        Superovoid::new([a1, a2, a3], [e1, e2], [tx, ty]).unwrap()
    });
    (scene, shapes)
}

/// Two bodies that nearly touch: the second one floats, and is moved along the normal to every gap, so that what the
/// lanes prove must be what the contact proves.
fn nearly_touching(rng: &mut impl Rng) -> usize {
    let (mut scene, shapes) = two_bodies(rng);
    let [a, b] = shapes;
    let direction = any_rotation(rng) * Vector3::z();
    let rotation = any_rotation(rng);
    let far = Isometry3::from_parts((direction * 0.8).into(), rotation);
    let here = Isometry3::identity();
    let ask = |pose: &Isometry3<f64>| contact(&a, &here, &b, pose, &QueryOptions::default(), None);
    let found = ask(&far).unwrap();
    let gaps = [
        -3e-2, -1e-3, -1e-6, -1e-9, -1e-12, 0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3, 1e-2,
    ];
    let poses = gaps.map(|gap| {
        let shift = found.normal.into_inner() * (gap - found.distance);
        Isometry3::from_parts(Translation3::from(far.translation.vector + shift), rotation)
    });
    let configurations: Vec<Configuration> = (poses.iter())
        .map(|pose| {
            let mut configuration = scene.robot().neutral();
            configuration.set("k", *pose).unwrap();
            configuration
        })
        .collect();
    let collides = scene
        .in_collision_batch(&configurations, &options(0.0), 1)
        .unwrap();
    let closest = scene
        .closest_batch(&configurations, &options(f64::INFINITY), 1)
        .unwrap();
    let clearances = scene
        .clearance_batch(&configurations, &options(f64::INFINITY), 1)
        .unwrap();
    for (k, (((pose, collides), closest), gap)) in
        (poses.iter().zip(&collides).zip(&closest).zip(gaps)).enumerate()
    {
        let exact = ask(pose).unwrap();
        let certified = exact.outcome == Outcome::Certified;
        // A clearance is the lower end of a bracket, which need not be closed where no contact is certified.
        let error = (clearances[k] - exact.distance.max(0.0)).abs();
        assert!(
            error < 1e-9 || !certified,
            "{shapes:?} {pose:?} {gap} {error} {exact:?}"
        );
        assert!(clearances[k] <= exact.upper.max(0.0), "{shapes:?} {pose:?}");
        // What touches within the rounding may be told either way, and what is not proven free is a collision.
        if exact.upper < -1e-11 || (certified && exact.lower > 1e-11) {
            let right = exact.distance < 0.0;
            assert_eq!(*collides, right, "{shapes:?} {pose:?} {gap} {exact:?}");
        }
        let found = closest.unwrap().contact;
        assert!(
            agree(&found, &exact),
            "{shapes:?} {pose:?} {found:?} {exact:?}"
        );
    }
    collides.iter().filter(|collides| **collides).count()
}

#[test]
fn pairs_that_nearly_touch() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let collisions: usize = (0..300).map(|_| nearly_touching(&mut rng)).sum();
    assert!((1000..3000).contains(&collisions), "{collisions}");
}

#[test]
#[ignore = "takes minutes"]
fn many_pairs_that_nearly_touch() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    for _ in 0..30_000 {
        nearly_touching(&mut rng);
    }
}

/// What a scene remembers of other configurations decides about none, however wide the tolerance.
#[test]
fn verdicts_within_a_wide_tolerance_are_those_of_a_scene_that_has_seen_nothing() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let mut collisions = 0;
    for _ in 0..100 {
        let (mut scene, shapes) = two_bodies(&mut rng);
        let [a, b] = shapes;
        let wide = options(f64::INFINITY).with_query(QueryOptions::default().with_tolerance(2e-3));
        let here = Isometry3::identity();
        let rotation = any_rotation(&mut rng);
        let configurations: Vec<Configuration> = (0..60)
            .map(|_| {
                let direction = any_rotation(&mut rng) * Vector3::z();
                let turn = Vector3::from_fn(|_, _| rng.random_range(-0.05..0.05));
                let rotation = rotation * UnitQuaternion::from_scaled_axis(turn);
                let far = Isometry3::from_parts((direction * 0.8).into(), rotation);
                let found = contact(&a, &here, &b, &far, &QueryOptions::default(), None).unwrap();
                let gap = rng.random_range(-2e-4..8e-4);
                let shift = found.normal.into_inner() * (gap - found.distance);
                let pose = Translation3::from(shift) * far;
                let mut configuration = scene.robot().neutral();
                configuration.set("k", pose).unwrap();
                configuration
            })
            .collect();
        let fresh = scene.clone();
        // Alone, in a scene that has seen those before it, and together.
        let together = scene.in_collision_batch(&configurations, &wide, 1).unwrap();
        let threads = scene.clearance_batch(&configurations, &wide, 3).unwrap();
        assert_eq!(
            scene.clearance_batch(&configurations, &wide, 1).unwrap(),
            threads
        );
        for (k, configuration) in configurations.iter().enumerate() {
            let one = std::slice::from_ref(configuration);
            let alone = fresh.clone().in_collision_batch(one, &wide, 1).unwrap();
            assert_eq!(together[k], alone[0], "{shapes:?} {k}");
            assert_eq!(scene.in_collision_batch(one, &wide, 1).unwrap(), alone);
            collisions += usize::from(alone[0]);
        }
    }
    assert!((500..5500).contains(&collisions), "{collisions}");
}

/// With so many obstacles the hierarchy finds the near ones.
#[test]
fn many_obstacles() {
    let mut scene = RobotScene::new(file("icub_hands.urdf")).unwrap();
    let ball = Superovoid::sphere(0.004).unwrap();
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    for _ in 0..1500 {
        let [x, y, z] = [0, 1, 2].map(|_| rng.random_range(-0.5..0.5));
        let pose = Isometry3::translation(x, y, z);
        scene.add_obstacle("dust", ball, pose).unwrap();
    }
    let configurations = draw(scene.robot(), 9, 0.2, 9);
    compare(&scene, &configurations, f64::INFINITY);
}

#[test]
fn errors_are_those_of_single_queries() {
    let mut scene = RobotScene::new(file("icub_hands.urdf")).unwrap();
    let other = file("panda.urdf").neutral();
    let own = scene.robot().neutral();
    let mixed = [own.clone(), other];
    let error = scene
        .in_collision_batch(&mixed, &options(0.0), 1)
        .unwrap_err();
    assert!(
        matches!(error, RobotSceneError::Configuration(_)),
        "{error}"
    );
    assert!(scene.closest_batch(&mixed, &options(0.0), 1).is_err());
    assert!(scene.clearance_batch(&mixed, &options(0.0), 1).is_err());
    assert!(scene.find_collision(&mixed, &options(0.0)).is_err());
    let own = [own];
    let error = scene
        .closest_batch(&own, &options(f64::NAN), 1)
        .unwrap_err();
    assert!(error.to_string().contains("max_distance"), "{error}");
    let error = scene.clearance_batch(&own, &options(-1.0), 1).unwrap_err();
    assert!(error.to_string().contains("max_distance"), "{error}");

    let unchecked = r#"<robot name="r"><link name="a"><collision><geometry><mesh filename="none.stl"/></geometry>
        </collision></link></robot>"#;
    let mut scene = RobotScene::new(Robot::from_urdf_str(unchecked).unwrap()).unwrap();
    let own = [scene.robot().neutral()];
    let error = scene
        .in_collision_batch(&own, &options(0.0), 1)
        .unwrap_err();
    assert!(matches!(error, RobotSceneError::Unchecked(_)), "{error}");
    assert!(scene.closest_batch(&own, &options(0.0), 1).is_err());
    assert!(scene.clearance_batch(&own, &options(0.0), 1).is_err());
    assert!(scene.find_collision(&own, &options(0.0)).is_err());
    scene.set_allow_unchecked(true);
    assert_eq!(
        scene.in_collision_batch(&own, &options(0.0), 1).unwrap(),
        [false]
    );
}

/// A pose that overflows is the error of its configuration, as in single queries.
#[test]
fn poses_beyond_the_number_range_are_refused() {
    let text = r#"<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
        <joint name="j" type="floating"><parent link="a"/><child link="b"/></joint>
        <joint name="k" type="floating"><parent link="b"/><child link="c"/></joint></robot>"#;
    let mut scene = RobotScene::new(Robot::from_urdf_str(text).unwrap()).unwrap();
    let mut far = scene.robot().neutral();
    for joint in ["j", "k"] {
        far.set(joint, Isometry3::translation(1.7e308, 0.0, 0.0))
            .unwrap();
    }
    let error = scene.in_collision_batch(&[scene.robot().neutral(), far], &options(0.0), 1);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("\"c\""), "{error}");
}
