//! Adjacent links, against paths through random trees: what lies between two links is looked at joint by joint, with the
//! places of the joints from forward kinematics.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use superovoid_robot::scene::{RobotScene, SceneOptions};
use superovoid_robot::{
    ClearanceOptions, Collision, Geometry, Joint, JointKind, Limit, Link, Origin, Robot,
};

fn ball() -> Collision {
    Collision {
        name: None,
        origin: Origin::default(),
        geometry: Geometry::Sphere { radius: 0.1 },
        superovoid: None,
    }
}

fn link(name: &str, balls: usize) -> Link {
    let mut link = Link::new(name);
    link.collisions = (0..balls).map(|_| ball()).collect();
    link
}

fn joint(kind: JointKind, parent: &str, child: &str, xyz: [f64; 3]) -> Joint {
    let mut joint = Joint::new(format!("to_{child}"), kind, parent, child);
    joint.origin.xyz = xyz;
    joint.axis = [0.6, 0.0, 0.8];
    if matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        joint.limit = Some(Limit {
            lower: -1.0,
            upper: 1.0,
            effort: Some(1.0),
            velocity: Some(1.0),
        });
    }
    joint
}

/// A tree in which about half the links are empty and about half the joints have no offset.
fn random_robot(rng: &mut ChaCha8Rng) -> Robot {
    use JointKind::{Continuous, Fixed, Planar, Prismatic, Revolute};
    let name = |k: usize| format!("l{k}");
    let count = rng.random_range(2..14);
    let some = |rng: &mut ChaCha8Rng| [0, 0, 1, 2][rng.random_range(0..4)];
    let links = (0..count).map(|k| link(&name(k), some(rng))).collect();
    let kinds = [Fixed, Revolute, Revolute, Continuous, Prismatic, Planar];
    let joints = (1..count).map(|k| {
        let near = rng.random_bool(0.6);
        let parent = if near { k - 1 } else { rng.random_range(0..k) };
        let kind = kinds[rng.random_range(0..kinds.len())];
        let xyz = [rng.random_range(0..2), 0, rng.random_range(0..2)].map(|x| f64::from(x) * 0.5);
        let xyz = if rng.random_bool(0.4) { [0.0; 3] } else { xyz };
        joint(kind, &name(parent), &name(k), xyz)
    });
    let joints = joints.collect();
    Robot::new("tree", links, joints, vec![]).unwrap()
}

/// Returns the parent and the child of a joint.
fn ends_of(robot: &Robot, joint: usize) -> [usize; 2] {
    let Joint { parent, child, .. } = &robot.joints()[joint];
    let index = |name: &String| robot.links().iter().position(|link| link.name == *name);
    [parent, child].map(|name| index(name).unwrap())
}

/// Returns the joints between two links: those from each up to where both ways meet.
fn path(robot: &Robot, a: usize, b: usize) -> Vec<usize> {
    let up = |link: usize| {
        let found = (0..robot.joints().len()).find(|&joint| ends_of(robot, joint)[1] == link);
        found.map(|joint| (joint, ends_of(robot, joint)[0]))
    };
    let way = |mut link: usize| {
        let mut way = Vec::new();
        while let Some((joint, above)) = up(link) {
            way.push(joint);
            link = above;
        }
        way
    };
    let (mut a, mut b) = (way(a), way(b));
    while a.last().is_some() && a.last() == b.last() {
        a.pop();
        b.pop();
    }
    a.extend(b);
    a
}

/// Whether two links are adjacent, by the definition.
fn expected(robot: &Robot, a: usize, b: usize) -> bool {
    let path = path(robot, a, b);
    let kind = |&joint: &usize| robot.joints()[joint].kind;
    if path.len() == 1 || path.iter().all(|joint| kind(joint) == JointKind::Fixed) {
        return true;
    }
    let turns = |joint: &usize| {
        use JointKind::{Continuous, Fixed, Revolute};
        matches!(kind(joint), Fixed | Revolute | Continuous)
    };
    let mut between: Vec<usize> = path.iter().flat_map(|&j| ends_of(robot, j)).collect();
    between.retain(|&link| link != a && link != b);
    let empty = |link: &usize| robot.links()[*link].collisions.is_empty();
    // One of both hangs from the other: every link between has one joint above and one below.
    let passes = |link: &usize| {
        let all = 0..robot.joints().len();
        let of = |k: usize| {
            all.clone()
                .filter(move |&joint| ends_of(robot, joint)[k] == *link)
        };
        of(0).count() == 1 && of(1).count() == 1
    };
    let mut moved = robot.neutral();
    for joint in robot.joints().iter().filter(|joint| joint.limit.is_some()) {
        moved.set(&joint.name, 0.7).unwrap();
    }
    let poses = robot.forward_kinematics(&moved).unwrap();
    // Every joint of the path and every link between is at one place.
    let children = path.iter().map(|&joint| ends_of(robot, joint)[1]);
    let places: Vec<_> = children
        .chain(between.iter().copied())
        .map(|link| poses[link].translation.vector)
        .collect();
    let one = places.iter().all(|place| (place - places[0]).norm() < 1e-9);
    path.iter().all(turns) && between.iter().all(empty) && between.iter().all(passes) && one
}

#[test]
fn adjacent_links_and_counts_of_pairs_are_those_of_random_trees() {
    let mut rng = ChaCha8Rng::seed_from_u64(30);
    let mut through = 0;
    for _ in 0..3000 {
        let robot = random_robot(&mut rng);
        let bodies = |link: usize| robot.links()[link].collisions.len();
        let with = |&link: &usize| bodies(link) > 0;
        let shaped: Vec<usize> = (0..robot.links().len()).filter(with).collect();
        let mut compared = 0;
        for (i, &a) in shaped.iter().enumerate() {
            for &b in &shaped[i + 1..] {
                let adjacent = expected(&robot, a, b);
                assert_eq!(robot.are_adjacent(a, b), adjacent, "{a} {b} {robot:?}");
                assert_eq!(robot.are_adjacent(b, a), adjacent);
                let fixed = |joint: &usize| robot.joints()[*joint].kind == JointKind::Fixed;
                let path = path(&robot, a, b);
                through += usize::from(adjacent && path.len() > 1 && !path.iter().all(fixed));
                compared += if adjacent { 0 } else { bodies(a) * bodies(b) };
            }
        }
        let found = robot.clearances(&robot.neutral(), &ClearanceOptions::default());
        assert_eq!(found.unwrap().considered, compared);
        let mut scene = RobotScene::new(robot.clone()).unwrap();
        let far = SceneOptions::default().with_max_distance(f64::INFINITY);
        let contacts = scene.contacts(&robot.neutral(), &far).unwrap();
        assert_eq!(contacts.len(), compared, "{robot:?}");
    }
    assert!(through > 100, "{through}");
}

/// Three revolute joints with empty links between are a ball joint.
#[test]
fn a_ball_joint_of_three_joints_joins_its_links() {
    use JointKind::Revolute;
    let names = ["arm", "x", "y", "hand"];
    let links = names.map(|name| link(name, usize::from(name.len() > 1)));
    let joints = |last: [f64; 3]| {
        vec![
            joint(Revolute, "arm", "x", [0.1, 0.0, 0.0]),
            joint(Revolute, "x", "y", [0.0; 3]),
            joint(Revolute, "y", "hand", last),
        ]
    };
    let robot = |last| Robot::new("arm", links.to_vec(), joints(last), vec![]).unwrap();
    let hits = |robot: &Robot| {
        let options = ClearanceOptions::default();
        robot.in_collision(&robot.neutral(), &options).unwrap()
    };
    let [ball, apart] = [[0.0; 3], [0.05, 0.0, 0.0]].map(robot);
    assert!(ball.are_adjacent(0, 3) && !hits(&ball));
    assert!(!apart.are_adjacent(0, 3) && hits(&apart));
}

/// The fingers of an empty palm may collide.
#[test]
fn an_empty_palm_joins_no_fingers() {
    use JointKind::{Prismatic, Revolute};
    let links = || vec![link("palm", 0), link("left", 1), link("right", 1)];
    for (kind, at) in [(Revolute, 0.05), (Revolute, 0.0), (Prismatic, 0.0)] {
        let joints = vec![
            joint(kind, "palm", "left", [at, 0.0, 0.0]),
            joint(kind, "palm", "right", [-at, 0.0, 0.0]),
        ];
        let robot = Robot::new("gripper", links(), joints, vec![]).unwrap();
        assert!(!robot.are_adjacent(1, 2));
    }
}
