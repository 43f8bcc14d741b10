//! The models `urdf/icub_hands*.urdf` are what `docs/reports/icub_hands.md` says.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_robot::{
    Clearance, ClearanceOptions, CollisionStatus, Configuration, Geometry, Robot,
};

/// Superovoids, superellipsoids, and superovoids for the fingertips only.
const VERSIONS: [&str; 3] = [
    "icub_hands",
    "icub_hands_superellipsoids",
    "icub_hands_mixed",
];

fn version(name: &str) -> Robot {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf");
    let robot = Robot::from_urdf_file(format!("{folder}/{name}.urdf")).unwrap();
    assert_eq!(robot.name(), name);
    robot
}

fn hands() -> Robot {
    version("icub_hands")
}

/// All joints at zero but both thumbs turned towards the palms, which frees the thumbs' second
/// links from their own palms; then the right hand moved and turned.
fn thumbs_out(robot: &Robot, approach: f64, inward: f64) -> Configuration {
    let mut configuration = robot.neutral();
    let joints = [
        ("l_hand_thumb_0_joint", 0.25),
        ("r_hand_thumb_0_joint", 0.25),
        ("right_hand_approach", approach),
        ("right_hand_inward", inward),
    ];
    for (joint, position) in joints {
        configuration.set(joint, position).unwrap();
    }
    configuration
}

/// Names of a pair's links, in alphabetical order.
fn names<'a>(robot: &'a Robot, pair: &Clearance) -> [&'a str; 2] {
    let mut names = [pair.link_a, pair.link_b].map(|link| robot.links()[link].name.as_str());
    names.sort_unstable();
    names
}

fn between_hands(robot: &Robot, pair: &Clearance) -> bool {
    let [first, second] = names(robot, pair);
    first.starts_with("l_hand") && second.starts_with("r_hand")
}

/// Every pair of non-adjacent links within 10 cm, closest first; each is decided.
fn pairs(robot: &Robot, configuration: &Configuration) -> Vec<Clearance> {
    let options = ClearanceOptions::default().with_max_distance(0.1);
    let pairs = robot.clearances(configuration, &options).unwrap().pairs;
    for pair in &pairs {
        assert_ne!(
            pair.status(),
            CollisionStatus::Undecided,
            "{:?}",
            names(robot, pair)
        );
    }
    pairs
}

fn colliding<'a>(robot: &'a Robot, configuration: &Configuration) -> Vec<[&'a str; 2]> {
    let pairs = pairs(robot, configuration);
    let overlapping = pairs
        .iter()
        .filter(|pair| pair.status() == CollisionStatus::Collision);
    overlapping.map(|pair| names(robot, pair)).collect()
}

fn gap_between_hands(robot: &Robot, configuration: &Configuration) -> (f64, [String; 2]) {
    let pairs = pairs(robot, configuration);
    let closest = pairs
        .iter()
        .find(|pair| between_hands(robot, pair))
        .unwrap();
    (
        closest.contact.distance,
        names(robot, closest).map(String::from),
    )
}

#[test]
fn every_collision_link_holds_one_convex_superovoid_in_its_fallback_sphere() {
    for robot in VERSIONS.map(version) {
        assert!(robot.warnings().is_empty(), "{:?}", robot.warnings());
        let bodies = robot.superovoid_bodies();
        for prefix in ["l_hand", "r_hand"] {
            let of_hand = bodies
                .iter()
                .filter(|b| robot.links()[b.link].name.starts_with(prefix));
            assert_eq!(of_hand.count(), 21);
        }
        for body in bodies {
            let link = &robot.links()[body.link];
            assert_eq!(link.collisions.len(), 1, "{}", link.name);
            assert!(
                body.shape.is_convex(),
                "{}: {}",
                link.name,
                body.shape.convexity()
            );
            let Geometry::Sphere { radius } = link.collisions[0].geometry else {
                panic!("{}: no sphere", link.name);
            };
            // Both share one origin. The largest distance of a surface point from it, on a grid.
            let reach = body
                .shape
                .tessellate(256)
                .vertices
                .iter()
                .map(|vertex| vertex.coords.norm())
                .fold(0.0, f64::max);
            assert!(reach <= radius, "{}: {reach} > {radius}", link.name);
            assert!(radius - reach < 3e-4, "{}: {reach} << {radius}", link.name);
        }
    }
}

#[test]
fn the_versions_differ_in_their_shapes_only() {
    let [superovoids, superellipsoids, mixed] = VERSIONS.map(version);
    assert!(
        superellipsoids
            .superovoid_bodies()
            .iter()
            .all(|b| !b.shape.is_tapered())
    );
    for other in [&superellipsoids, &mixed] {
        assert_eq!(superovoids.joints(), other.joints());
        let names = |robot: &Robot| -> Vec<String> {
            robot.links().iter().map(|link| link.name.clone()).collect()
        };
        assert_eq!(names(&superovoids), names(other));
    }
    for (k, link) in mixed.links().iter().enumerate() {
        let tip = link.name.ends_with("_3");
        let source = if tip { &superovoids } else { &superellipsoids };
        assert_eq!(link, &source.links()[k]);
    }
}

#[test]
fn at_neutral_the_hands_are_apart_and_only_the_thumbs_touch_their_own_palms() {
    let robot = hands();
    let neutral = robot.neutral();
    let mut overlaps = colliding(&robot, &neutral);
    overlaps.sort_unstable();
    // The collision meshes of the source overlap there as well, by 3 mm.
    assert_eq!(
        overlaps,
        [["l_hand", "l_hand_thumb_1"], ["r_hand", "r_hand_thumb_1"]]
    );
    let (gap, closest) = gap_between_hands(&robot, &neutral);
    assert!((0.03..0.05).contains(&gap), "{gap} at {closest:?}");
}

#[test]
fn with_the_thumbs_out_nothing_collides_until_the_thumb_tips_meet() {
    let robot = hands();
    assert_eq!(
        colliding(&robot, &thumbs_out(&robot, 0.0, 0.0)),
        [[""; 2]; 0]
    );
    let (gap, closest) = gap_between_hands(&robot, &thumbs_out(&robot, CONTACT, 0.0));
    assert_eq!(closest, ["l_hand_thumb_3", "r_hand_thumb_3"]);
    // The value is given to 0.01 mm.
    assert!(gap.abs() < 1e-5, "{gap}");
    let beyond = thumbs_out(&robot, CONTACT + 0.001, 0.0);
    assert_eq!(
        colliding(&robot, &beyond),
        [["l_hand_thumb_3", "r_hand_thumb_3"]]
    );
}

/// Position of `right_hand_approach` at which the thumb tips touch (thumbs out, no rotation).
const CONTACT: f64 = 0.00353;

#[test]
fn rotating_inward_passes_the_right_fingers_through_the_left_ones() {
    let robot = hands();
    let overlaps = colliding(&robot, &thumbs_out(&robot, CONTACT, 0.7));
    let fingers = overlaps.iter().filter(|[a, b]| {
        let of_a_finger = |name: &str| name.len() > "l_hand".len() && !name.contains("thumb");
        a.starts_with("l_") && b.starts_with("r_") && of_a_finger(a) && of_a_finger(b)
    });
    assert!(fingers.count() >= 10, "{overlaps:?}");
}

/// The closest pair alone, and collision or not, are what all clearances say.
#[test]
fn shorter_answers_agree_with_all_clearances() {
    let robot = hands();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let options = ClearanceOptions::default();
    let mut free = 0;
    for _ in 0..40 {
        let mut numbers = Vec::new();
        for joint in robot.joints() {
            let Some([lower, upper]) = joint.range() else {
                continue;
            };
            // Thumbs out; otherwise anywhere, the hands far enough apart that many are free.
            numbers.push(match joint.name.as_str() {
                "l_hand_thumb_0_joint" | "r_hand_thumb_0_joint" => 0.8,
                "right_hand_approach" => random.random_range(-0.2..-0.05),
                _ => lower + 0.4 * random.random_range(0.0..1.0) * (upper - lower),
            });
        }
        let configuration = robot.configuration(&numbers).unwrap();
        let all = robot.clearances(&configuration, &options).unwrap();
        let collides = all
            .pairs
            .iter()
            .any(|pair| pair.status() != CollisionStatus::Free);
        free += usize::from(!collides);
        assert_eq!(
            robot.in_collision(&configuration, &options).unwrap(),
            collides
        );
        let closest = robot.closest(&configuration, &options).unwrap().unwrap();
        let first = &all.pairs[0];
        assert_eq!(names(&robot, &closest), names(&robot, first));
        assert_eq!(closest.status(), first.status());
        let error = (closest.contact.distance - first.contact.distance).abs();
        assert!(error < 1e-10, "{error}");
    }
    assert!((5..35).contains(&free), "{free}");
}
