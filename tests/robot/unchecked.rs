//! What no query answers is never reported free.

use superovoid_robot::scene::{RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{ClearanceError, ClearanceOptions, Robot};

/// Two balls 0.3 m apart (at joint position 0.5), and a mesh whose file is not opened.
const SLIDE: &str = "<robot name='slide'>
  <link name='base'>
    <collision><origin xyz='0 0 0.5'/><geometry><sphere radius='0.1'/></geometry></collision>
    <collision><geometry><mesh filename='m.stl'/></geometry></collision>
  </link>
  <link name='cart'/>
  <link name='ball'>
    <collision><origin xyz='0 0 0.5'/><geometry><sphere radius='0.1'/></geometry></collision>
  </link>
  <joint name='rail' type='prismatic'>
    <parent link='base'/><child link='cart'/><limit lower='-1' upper='1'/>
  </joint>
  <joint name='turn' type='continuous'><parent link='cart'/><child link='ball'/></joint>
</robot>";

#[test]
fn a_robot_with_a_shape_that_is_not_checked_is_never_free() {
    let robot = Robot::from_urdf_str(SLIDE).unwrap();
    let mut configuration = robot.neutral();
    configuration.set("rail", 0.5).unwrap();
    let whole = ClearanceOptions::default();
    let named = |error: ClearanceError| {
        let ClearanceError::Unchecked(error) = error else {
            panic!("{error}");
        };
        assert_eq!(error.shapes, ["link \"base\", collision 2: mesh"]);
    };
    named(robot.in_collision(&configuration, &whole).unwrap_err());
    named(robot.clearances(&configuration, &whole).unwrap_err());
    named(robot.closest(&configuration, &whole).unwrap_err());
    named(
        robot
            .clearance_gradients(&configuration, &whole)
            .unwrap_err(),
    );

    let allow_unchecked = whole.with_allow_unchecked(true);
    assert_eq!(
        robot.in_collision(&configuration, &allow_unchecked),
        Ok(false)
    );
    let found = robot.clearances(&configuration, &allow_unchecked).unwrap();
    assert_eq!((found.pairs.len(), found.unchecked), (1, 1));
    assert!(!found.is_free());

    let mut scene = RobotScene::new(robot.clone()).unwrap();
    let options = SceneOptions::default();
    let refused = |error: RobotSceneError| {
        assert!(matches!(error, RobotSceneError::Unchecked(_)), "{error}");
    };
    refused(scene.in_collision(&configuration, &options).unwrap_err());
    refused(scene.contacts(&configuration, &options).unwrap_err());
    refused(scene.closest(&configuration, &options).unwrap_err());
    scene.set_allow_unchecked(true);
    assert_eq!(scene.in_collision(&configuration, &options), Ok(false));
    assert_eq!(scene.contacts(&configuration, &options).unwrap().len(), 1);
}

#[test]
fn a_collision_is_one_whatever_was_not_checked() {
    let robot = Robot::from_urdf_str(SLIDE).unwrap();
    let mut configuration = robot.neutral();
    configuration.set("rail", 0.15).unwrap();
    let whole = ClearanceOptions::default();
    assert_eq!(robot.in_collision(&configuration, &whole), Ok(true));
    let mut scene = RobotScene::new(robot).unwrap();
    let options = SceneOptions::default();
    assert_eq!(scene.in_collision(&configuration, &options), Ok(true));
}
