//! Regions of configurations of a robot among obstacles.

use super::SceneError;
use super::robot::{RobotScene, RobotSceneError};
use super::robot_edge::ScenePairs;
use crate::robot::edge::cells::{Cells, Follower, Found};
use crate::robot::edge::grow::grow;
use crate::robot::edge::line::Line;
use crate::robot::edge::posed::{Memory, Posed};
use crate::robot::{
    Configuration, ConfigurationError, FreeRegion, Joint, JointKind, RegionJoint, RegionOptions,
    Robot,
};
use std::f64::consts::PI;
use superovoid::internals::validate_options;

impl RobotScene {
    /// Returns a box of configurations around a free one, in the positions of the joints, that is proven free: no pair that
    /// this scene compares touches, or comes closer than `options.min_separation`, in any configuration of the box. It is
    /// as large as was found: every face is moved outwards in turn until no step of the `resolution` can be proven, or
    /// `max_states` configurations were asked. The limits of the joints bound it, and a joint that turns without limits goes at
    /// most half a turn each way. For planners with convex sets of configurations, such as Drake's, [`FreeRegion::half_spaces`]
    /// returns it as a polyhedron.
    ///
    /// The range is that of every joint of one degree of freedom; joints that mimic follow, and planar and floating joints stay
    /// where they are.
    ///
    /// # Errors
    /// The error names the pair that keeps the configuration from being free, a prismatic joint without limits, a
    /// configuration of another robot, an option out of its domain, or collision shapes that are not checked, unless
    /// [unchecked shapes are allowed](Self::set_allow_unchecked).
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// use superovoid::HalfSpace;
    /// use superovoid_robot::scene::RobotScene;
    /// use superovoid_robot::{RegionOptions, Robot};
    ///
    /// let robot = Robot::from_urdf_str(
    ///     r#"<robot name="pendulum">
    ///          <link name="hook"/>
    ///          <link name="bob">
    ///            <collision><origin xyz="0 0 -1"/><geometry><sphere radius="0.1"/></geometry></collision>
    ///          </link>
    ///          <joint name="swing" type="continuous">
    ///            <parent link="hook"/> <child link="bob"/> <axis xyz="0 -1 0"/>
    ///          </joint>
    ///        </robot>"#,
    /// )?;
    /// let mut scene = RobotScene::new(robot)?;
    /// // The bob meets the wall at x = 0.6 m where it is at 0.5 m: at sin q = 0.5.
    /// scene.add_obstacle("wall", HalfSpace::new(-Vector3::x(), -0.6)?, Isometry3::identity())?;
    /// let region = scene.free_region(&scene.robot().neutral(), &RegionOptions::default())?;
    /// let swing = &region.joints[0];
    /// let touching = 0.5_f64.asin();
    /// assert!(swing.upper < touching && swing.upper > touching - 0.01);
    /// assert!(swing.lower < -3.1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn free_region(
        &mut self,
        configuration: &Configuration,
        options: &RegionOptions,
    ) -> Result<FreeRegion, RobotSceneError> {
        options.validate()?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        if !self.robot.fits(configuration) {
            return Err(ConfigurationError::OtherRobot.into());
        }
        self.robot.refuse_unchecked(self.allow_unchecked)?;
        let at = configuration.to_vec();
        let mut joints = region_joints(&self.robot, &at)?;
        let end = |of: fn(&RegionJoint) -> f64| -> Result<Configuration, ConfigurationError> {
            let mut numbers = at.clone();
            for joint in &joints {
                numbers[joint.number] = of(joint);
            }
            self.robot.configuration(&numbers)
        };
        let [lowest, highest] = [end(|joint| joint.lower)?, end(|joint| joint.upper)?];
        let list = self.compared_pairs();
        let line = Line::new(&self.robot, self.base, [&lowest, &highest])?;
        let bodies = self.edge_bodies();
        let mut pairs = ScenePairs::new(&self.scene, &list, options.query);
        let mut memory = Memory::default();
        let least = options.min_separation;
        let posed = Posed::new(&line, &bodies, &list, &mut pairs, least, &mut memory);
        let mut cells = Cells {
            posed,
            followers: followers(&self.robot, &line, &joints),
            line,
            resolution: options.resolution,
        };
        let start: Vec<f64> = joints.iter().map(|joint| at[joint.number]).collect();
        let all: Vec<usize> = (0..list.len()).collect();
        let is_free = cells.judge([start.clone(), start.clone()], &all, 1)?;
        if let Found::Open(pair) | Found::Touches(_, pair) = is_free {
            let [a, b] = list[pair].map(|slot| self.scene.body(slot));
            let [a, b] = [a, b]
                .map(|body| body.map_or_else(String::new, |body| self.scene.name(body.group)));
            return Err(RobotSceneError::NotFree { a, b });
        }
        let lower: Vec<f64> = joints.iter().map(|joint| joint.lower).collect();
        let upper: Vec<f64> = joints.iter().map(|joint| joint.upper).collect();
        let [lower, upper] = grow(&mut cells, &start, [&lower, &upper], options.max_states)?;
        let (states, distances) = (cells.posed.states, cells.posed.distances);
        for (joint, (lower, upper)) in joints.iter_mut().zip(lower.into_iter().zip(upper)) {
            (joint.lower, joint.upper) = (lower, upper);
        }
        Ok(FreeRegion {
            joints,
            at,
            states,
            distances,
        })
    }
}

/// Returns the joints of a region around a configuration, each in its limits.
fn region_joints(robot: &Robot, at: &[f64]) -> Result<Vec<RegionJoint>, RobotSceneError> {
    let mut joints = Vec::new();
    for (index, joint) in robot.joints().iter().enumerate() {
        let number = robot.position_range(index).filter(|range| range.len() == 1);
        let Some(number) = number.map(|range| range.start) else {
            continue;
        };
        let [lower, upper] = range(joint, at[number])?;
        let slides = joint.kind == JointKind::Prismatic;
        joints.push(RegionJoint {
            joint: index,
            name: joint.name.clone(),
            unit: if slides { "m" } else { "rad" },
            number,
            lower,
            upper,
        });
    }
    Ok(joints)
}

/// Returns the positions of a joint that a region may hold.
fn range(joint: &Joint, at: f64) -> Result<[f64; 2], RobotSceneError> {
    match joint.range() {
        Some(range) => Ok(range),
        None if joint.kind == JointKind::Prismatic => Err(RobotSceneError::Unlimited {
            joint: joint.name.clone(),
        }),
        None => Ok([at - PI, at + PI]),
    }
}

/// Returns, for every step of the line, the joint of the region that moves it.
fn followers(robot: &Robot, line: &Line, joints: &[RegionJoint]) -> Vec<Follower> {
    let follower = |step: usize, joint: usize| {
        let (source, multiplier, offset) = robot.follows(joint).unwrap_or((joint, 1.0, 0.0));
        let coordinate = joints.iter().position(|of| of.joint == source)?;
        Some(Follower {
            step,
            coordinate,
            multiplier,
            offset,
        })
    };
    let steps = line.steps.iter().enumerate();
    // Only joints of the region move on the line, so that none is left out.
    steps
        .filter_map(|(step, of)| follower(step, of.joint))
        .collect()
}
