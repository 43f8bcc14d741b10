//! Splines of a robot among obstacles.

use super::SceneError;
use super::robot::{RobotContact, RobotScene, RobotSceneError};
use super::robot_edge::Prover;
use crate::robot::edge::edge_options::is_late;
use crate::robot::edge::spline_path::SplinePath;
use crate::robot::{EdgeAnswer, EdgeOptions, Spline};
use superovoid::internals::validate_options;

impl RobotScene {
    /// Judges the motion along a spline, as [`RobotScene::edge_free`] judges a straight line: the same proof holds at every
    /// time, and in the answer t is the time of the spline. Planar and floating joints must rest.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// use superovoid::HalfSpace;
    /// use superovoid_robot::scene::RobotScene;
    /// use superovoid_robot::{EdgeOptions, EdgeStatus, Robot, Spline};
    ///
    /// let robot = Robot::from_urdf_str(
    ///     r#"<robot name="slide">
    ///          <link name="rail"/>
    ///          <link name="ball"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
    ///          <joint name="slide" type="prismatic">
    ///            <parent link="rail"/> <child link="ball"/> <axis xyz="1 0 0"/>
    ///            <limit lower="0" upper="2" effort="1" velocity="1"/>
    ///          </joint>
    ///        </robot>"#,
    /// )?;
    /// let mut scene = RobotScene::new(robot)?;
    /// scene.add_obstacle("wall", HalfSpace::new(-Vector3::x(), -1.2)?, Isometry3::identity())?;
    /// // From 0 to 1 in a second: at rest in the end the ball stays before the wall, with 2 m/s it swings over.
    /// for (speed, status) in [(0.0, EdgeStatus::Free), (-2.0, EdgeStatus::Hit)] {
    ///     let spline = Spline::cubic(&[0.0, 1.0], &[[0.0], [1.0]], &[[1.0], [speed]])?;
    ///     let answer = scene.spline_free(&spline, &EdgeOptions::default())?;
    ///     assert_eq!(answer.status, status);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names a joint that leaves its limits, and when; a planar or floating joint that moves; a spline of another
    /// number of numbers than the robot's configurations have; and what [`RobotScene::edge_free`] refuses.
    pub fn spline_free(
        &mut self,
        spline: &Spline,
        options: &EdgeOptions,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        options.validate()?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        let list = self.compared_pairs();
        let mut path = SplinePath::new::<RobotSceneError>(&self.robot, self.base, spline)?;
        let deadline = options.deadline();
        let mut stop = || is_late(deadline);
        Prover::new(self, &list, options, None).prove(&mut path, None, &mut stop)
    }
}
