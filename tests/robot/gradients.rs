//! The gradients of clearances, compared with differences of clearances along each joint.

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use superovoid_robot::{
    ClearanceGradient, ClearanceOptions, Configuration, JointKind, JointPosition, Robot,
    smooth_minimum,
};

/// Every type of joint, a chain of mimicking ones among them, with an ellipsoid or a box on every moving link.
pub const ROBOT: &str = r#"<robot name="all">
  <link name="base"><collision><origin xyz="0 0 -0.4"/><geometry><sphere radius="0.2"/></geometry></collision></link>
  <link name="turn"><collision><origin xyz="0.5 0.1 0"/><geometry><sphere radius="0.1"/></geometry>
    <superovoid a1="0.2" a2="0.1" a3="0.15" e1="0.6" e2="0.8" tx="0" ty="0"/></collision></link>
  <link name="slide"><collision><origin xyz="0.4 0.7 0.1"/><geometry><sphere radius="0.1"/></geometry>
    <superovoid a1="0.1" a2="0.2" a3="0.1" e1="1" e2="1.2" tx="0.1" ty="0.1"/></collision></link>
  <link name="follower"><collision><origin xyz="0 0.6 0.5"/><geometry><sphere radius="0.1"/></geometry>
    <superovoid a1="0.1" a2="0.1" a3="0.2" e1="0.5" e2="0.9" tx="0" ty="0"/></collision></link>
  <link name="plane"><collision><origin xyz="0 -0.8 0.2"/><geometry><sphere radius="0.15"/></geometry></collision></link>
  <link name="float"><collision><origin xyz="-0.7 0.2 0.3"/><geometry><sphere radius="0.1"/></geometry>
    <superovoid a1="0.1" a2="0.2" a3="0.15" e1="0.7" e2="1" tx="0" ty="0"/></collision></link>
  <joint name="revolute" type="revolute"><origin xyz="0.1 0 0.2" rpy="0.2 -0.1 0.3"/><parent link="base"/>
    <child link="turn"/><axis xyz="0.3 0.2 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
  <joint name="prismatic" type="prismatic"><origin xyz="0.1 0.2 0" rpy="-0.2 0.4 0"/><parent link="turn"/>
    <child link="slide"/><axis xyz="1 -0.5 0.2"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
  <joint name="mimic" type="continuous"><origin xyz="0 0.1 0.3"/><parent link="slide"/><child link="follower"/>
    <axis xyz="0 1 1"/><mimic joint="revolute" multiplier="-1.5" offset="0.2"/></joint>
  <joint name="planar" type="planar"><origin xyz="0 -0.1 0" rpy="0.3 0 0"/><parent link="base"/><child link="plane"/>
    <axis xyz="0.2 0.1 1"/></joint>
  <joint name="floating" type="floating"><origin xyz="0 0 0.1" rpy="0 0.5 0"/><parent link="turn"/><child link="float"/></joint>
</robot>"#;

/// The configuration with one velocity for a time; `None` beyond the limits.
fn moved(robot: &Robot, from: &Configuration, index: usize, by: f64) -> Option<Configuration> {
    let joint = (0..robot.joints().len())
        .find(|&j| robot.velocity_range(j).expect("a joint").contains(&index))
        .expect("a velocity");
    let k = index - robot.velocity_range(joint).expect("a joint").start;
    let name = &robot.joints()[joint].name;
    let mut moved = from.clone();
    let position = match from.position(name).expect("a joint") {
        JointPosition::Scalar(q) => JointPosition::Scalar(q + by),
        JointPosition::Planar(mut q) => {
            q[k] += by;
            JointPosition::Planar(q)
        }
        JointPosition::Floating(pose) => {
            let step = Vector3::ith(k % 3, by);
            JointPosition::Floating(if k < 3 {
                Translation3::from(step) * pose
            } else {
                let turned = UnitQuaternion::from_scaled_axis(step) * pose.rotation;
                Isometry3::from_parts(pose.translation, turned)
            })
        }
        JointPosition::Fixed => unreachable!("it has no velocity"),
    };
    moved.set(name, position).ok().map(|()| moved)
}

fn compare(robot: &Robot, configuration: &Configuration, options: &ClearanceOptions) -> usize {
    const STEP: f64 = 1e-5;
    let rows = robot
        .clearance_gradients(configuration, options)
        .expect("valid");
    let everywhere = options.with_max_distance(f64::INFINITY);
    let count = robot.velocity_count();
    let mut compared = 0;
    for index in 0..count {
        let distances = |by: f64| {
            let at = moved(robot, configuration, index, by)?;
            Some(robot.clearances(&at, &everywhere).expect("valid").pairs)
        };
        // A joint without a range cannot move.
        let (Some(more), Some(less)) = (distances(STEP), distances(-STEP)) else {
            continue;
        };
        for row in &rows {
            let key = |c: &superovoid_robot::Clearance| {
                (c.link_a, c.collision_a, c.link_b, c.collision_b)
            };
            let of = |pairs: &[superovoid_robot::Clearance]| {
                let found = pairs.iter().find(|c| key(c) == key(&row.clearance));
                found.expect("every pair is there").contact.distance
            };
            let difference = (of(&more) - of(&less)) / (2.0 * STEP);
            let derivative = row.dense(count).expect("converged")[index];
            assert!(
                (derivative - difference).abs() < 1e-6,
                "{index}: {derivative} {difference} {:?}",
                row.clearance
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn gradients_agree_with_differences_for_every_type_of_joint() {
    let robot = Robot::from_urdf_str(ROBOT).expect("valid");
    assert_eq!((robot.position_count(), robot.velocity_count()), (12, 11));
    let floating = robot
        .joints()
        .iter()
        .position(|j| j.kind == JointKind::Floating)
        .expect("one");
    assert_eq!(robot.velocity_range(floating), Some(5..11));
    let mut configuration = robot.neutral();
    configuration.set("revolute", 0.4).expect("within");
    configuration.set("prismatic", -0.2).expect("within");
    configuration
        .set("planar", [0.1, -0.3, 0.7])
        .expect("valid");
    let pose = Isometry3::new(Vector3::new(0.2, 0.1, -0.3), Vector3::new(0.4, 0.2, 0.9));
    configuration.set("floating", pose).expect("valid");
    let options = ClearanceOptions::default().with_include_adjacent(true);
    assert_eq!(compare(&robot, &configuration, &options), 11 * 15);
}

#[test]
fn gradients_agree_with_differences_on_the_hands() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/urdf/icub_hands.urdf");
    let robot = Robot::from_urdf_file(path).expect("valid");
    let options = ClearanceOptions::default().with_max_distance(0.02);
    let mut configuration = robot.neutral();
    for joint in robot.joints().iter().filter(|joint| joint.mimic.is_none()) {
        if let Some([lower, upper]) = joint.range() {
            let inside = lower + 0.1 * (upper - lower);
            configuration.set(&joint.name, inside).expect("within");
        }
    }
    let compared = compare(&robot, &configuration, &options);
    assert!(compared > 200, "{compared}");
}

/// Joints above both links change nothing, and joints that move neither either.
#[test]
fn rows_hold_the_joints_between_the_links() {
    let robot = Robot::from_urdf_str(ROBOT).expect("valid");
    let options = ClearanceOptions::default().with_include_adjacent(true);
    let rows = robot
        .clearance_gradients(&robot.neutral(), &options)
        .expect("valid");
    let row = |a: &str, b: &str| -> Vec<usize> {
        let link = |name| robot.link_index(name).expect("a link");
        let found = rows.iter().find(|r: &&ClearanceGradient| {
            (r.clearance.link_a, r.clearance.link_b) == (link(a), link(b))
        });
        let row = found.and_then(|r| r.row.as_ref()).expect("converged");
        row.iter().map(|&(index, _)| index).collect()
    };
    assert_eq!(row("base", "turn"), [0]);
    assert_eq!(row("turn", "slide"), [1]);
    // The joint that mimics moves with the first one, which is above both.
    assert_eq!(row("slide", "follower"), [0]);
    assert_eq!(row("slide", "float"), [1, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn the_smooth_minimum_is_a_lower_bound_with_a_gradient() {
    let robot = Robot::from_urdf_str(ROBOT).expect("valid");
    let (options, count) = (ClearanceOptions::default(), robot.velocity_count());
    let rows = |at: &Configuration| robot.clearance_gradients(at, &options).expect("valid");
    let smooth = |at: &Configuration, t: f64| smooth_minimum(&rows(at), count, t).expect("pairs");
    let here = robot.neutral();
    let least = rows(&here)[0].clearance.contact.distance;
    for t in [1e-3, 0.05] {
        let found = smooth(&here, t);
        let loss = t * (rows(&here).len() as f64).ln();
        assert!(
            found.value <= least && found.value >= least - loss,
            "{} {least}",
            found.value
        );
        for index in 0..count {
            let at = |by| smooth(&moved(&robot, &here, index, by).expect("within"), t).value;
            let difference = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((found.gradient[index] - difference).abs() < 1e-5, "{index}");
        }
    }
    assert_eq!(smooth_minimum(&rows(&here), count, 0.0), None);
    assert_eq!(smooth_minimum(&rows(&here), count, f64::NAN), None);
    assert_eq!(smooth_minimum(&[], count, 0.1), None);
    // A pair without a gradient is not left out.
    let mut open = rows(&here);
    open[2].row = None;
    assert_eq!(smooth_minimum(&open, count, 0.1), None);
}
