//! Paddings and scales of links.

use super::Group;
use super::robot::{RobotScene, RobotSceneError};
use super::scaled::scaled;

impl RobotScene {
    /// Pads a link or an attached object: its bodies are taken to be larger by so many metres on all sides, round at
    /// corners and edges. All pairs of the link count it, those with other links too: their distance is less by the
    /// paddings of both, they collide where it is at most 0, the witnesses are on the padded surfaces, and
    /// [`RobotScene::edge_free`] keeps the minimum separation from there. 0 ends it. An attached object has its own
    /// padding, and not that of its link. MoveIt's `setLinkPadding` makes boxes, cylinders and meshes larger ones of
    /// their kind, and counts against obstacles only.
    ///
    /// Between bodies that overlap, the distance less the padding is that of the padded bodies where both are convex.
    ///
    /// ```
    /// # use nalgebra::Isometry3;
    /// # use superovoid::Superovoid;
    /// # use superovoid_robot::Robot;
    /// # use superovoid_robot::scene::{RobotScene, SceneOptions};
    /// # let robot = Robot::from_urdf_str(
    /// #     r#"<robot name="r"><link name="ball"><collision><geometry><sphere radius="1"/></geometry></collision></link></robot>"#,
    /// # )?;
    /// # let (mut scene, options) = (RobotScene::new(robot)?, SceneOptions::default());
    /// # let configuration = scene.robot().neutral();
    /// scene.add_obstacle("marble", Superovoid::sphere(0.5)?, Isometry3::translation(2.0, 0.0, 0.0))?;
    /// scene.set_padding("ball", 0.1)?;
    /// scene.set_pair_padding("ball", "marble", 0.05)?;
    /// let closest = scene.closest(&configuration, &options)?.expect("there is a marble");
    /// assert!((closest.contact.distance - 0.35).abs() < 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names a padding that is negative or not finite, or a name that no link and no attached object has.
    pub fn set_padding(&mut self, name: &str, metres: f64) -> Result<(), RobotSceneError> {
        check_padding(name, metres)?;
        let group = self.part_of_robot(name)?;
        self.memory.take();
        self.scene.set_padding(group, metres);
        Ok(())
    }

    /// Returns the padding of a link or an attached object, metres; `None` if nothing has the name.
    pub fn padding(&self, name: &str) -> Option<f64> {
        let group = self.scene.find_group(name)?;
        Some(self.scene.padding.of(group))
    }

    /// Pads a pair in addition to [both paddings](Self::set_padding): of two links or attached objects, or one of them and
    /// an obstacle. The witnesses move by half of it each. 0 ends it.
    ///
    /// # Errors
    /// The error names a padding that is negative or not finite, a name that nothing in the scene has, or two obstacles.
    pub fn set_pair_padding(
        &mut self,
        a: &str,
        b: &str,
        metres: f64,
    ) -> Result<(), RobotSceneError> {
        check_padding(&format!("{a}, {b}"), metres)?;
        let of_robot = self.part_of_robot(a).or_else(|_| self.part_of_robot(b));
        of_robot?;
        let [a, b] = [a, b].map(|name| {
            let group = self.scene.find_group(name);
            group.ok_or_else(|| unknown(name, "link or object"))
        });
        self.memory.take();
        self.scene.set_pair_padding(a?, b?, metres);
        Ok(())
    }

    /// Returns the padding of a pair in addition to both paddings, metres; `None` if nothing has one of the names.
    pub fn pair_padding(&self, a: &str, b: &str) -> Option<f64> {
        let [a, b] = [a, b].map(|name| self.scene.find_group(name));
        Some(self.scene.padding.of_pair(a?, b?))
    }

    /// Multiplies the collision shapes of a link, each about the origin of its own frame, as MoveIt's `setLinkScale`; 1 are
    /// the shapes of the robot again. Objects that are attached to the link are not scaled.
    ///
    /// # Errors
    /// The error names a factor that is not finite or not above 0, one that leaves no valid shape, or a name that no link
    /// has. The link is then as it was.
    pub fn set_scale(&mut self, link: &str, factor: f64) -> Result<(), RobotSceneError> {
        let index = self.robot.link_index(link);
        let index = index.ok_or_else(|| unknown(link, "link"))?;
        let refused = || RobotSceneError::Scale {
            link: link.to_owned(),
            value: factor,
        };
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(refused());
        }
        let mut shapes = Vec::new();
        for (part, body) in self.parts.iter().zip(self.robot.collision_bodies()) {
            if part.link == index {
                let shape = if factor == 1.0 {
                    body.shape.clone()
                } else {
                    scaled(&body.shape, factor).ok_or_else(refused)?
                };
                shapes.push((part.id, shape));
            }
        }
        self.memory.take();
        for (id, shape) in shapes {
            self.scene.set_shape(id, shape)?;
        }
        Ok(())
    }

    /// Returns the group of a link or an attached object.
    pub(super) fn part_of_robot(&self, name: &str) -> Result<Group, RobotSceneError> {
        let found = self.link(name).or_else(|| self.attached_group(name));
        found.ok_or_else(|| unknown(name, "link or attached object"))
    }
}

fn check_padding(name: &str, metres: f64) -> Result<(), RobotSceneError> {
    if metres >= 0.0 && metres.is_finite() {
        return Ok(());
    }
    Err(RobotSceneError::Padding {
        name: name.to_owned(),
        value: metres,
    })
}

pub(super) fn unknown(name: &str, expected: &'static str) -> RobotSceneError {
    RobotSceneError::UnknownName {
        name: name.to_owned(),
        expected,
    }
}
