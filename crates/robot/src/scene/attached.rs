//! Objects that are attached to links: what a gripper holds, a tool, a load.

use super::part::Part;
use super::robot::{RobotScene, RobotSceneError};
use super::robot_padding::unknown;
use super::{BodyId, Group};
use crate::robot::Configuration;
use nalgebra::Isometry3;
use superovoid::Shape;

/// A body that is attached to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AttachedBody<'a> {
    /// The id of the body.
    pub id: BodyId,
    /// The name of the object, which may have several bodies.
    pub name: &'a str,
    /// The index of the link that carries it, into [`Robot::links`](crate::robot::Robot::links).
    pub link: usize,
    /// The pose in the frame of the link.
    pub pose: Isometry3<f64>,
}

impl RobotScene {
    /// Attaches an object to a link, at a pose in the frame of the link: it moves with it in all queries. It is compared
    /// with all obstacles and all links and attached objects, but for the link that carries it, what else is attached
    /// to that, and its touch links, which may be links or attached objects. [`RobotScene::forbid`] compares also
    /// these. An object of several shapes is [added as an obstacle](RobotScene::add_obstacle) first, then
    /// [attached](RobotScene::attach_obstacle).
    ///
    /// In contacts with an obstacle the object is [`attached`](super::RobotContact::attached), in those with a link it is
    /// [`Counterpart::Attached`](super::Counterpart::Attached).
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// use superovoid::{HalfSpace, Superovoid};
    /// use superovoid_robot::Robot;
    /// use superovoid_robot::scene::{RobotScene, SceneOptions};
    ///
    /// let robot = Robot::from_urdf_str(
    ///     r#"<robot name="crane"> <link name="mast"/> <link name="hook"/>
    ///          <joint name="lift" type="prismatic"> <parent link="mast"/> <child link="hook"/> <axis xyz="0 0 1"/>
    ///            <limit lower="0" upper="9" effort="1" velocity="1"/> </joint> </robot>"#,
    /// )?;
    /// let mut scene = RobotScene::new(robot)?;
    /// scene.add_obstacle("floor", HalfSpace::new(Vector3::z(), 0.0)?, Isometry3::identity())?;
    /// let ball = scene.attach("ball", "hook", Superovoid::sphere(0.5)?, Isometry3::identity(), &[])?;
    /// let mut configuration = scene.robot().neutral();
    /// assert!(scene.in_collision(&configuration, &SceneOptions::default())?);
    /// configuration.set("lift", 2.0)?; // metres
    /// let closest = scene.closest(&configuration, &SceneOptions::default())?.expect("there is a floor");
    /// assert_eq!(closest.attached, Some(ball));
    /// assert!((closest.contact.distance - 1.5).abs() < 1e-9);
    /// scene.detach("ball", Some(&configuration))?; // It is an obstacle now, above the floor.
    /// assert_eq!(scene.closest(&configuration, &SceneOptions::default())?, None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error names a name that a link, an obstacle or an attached object has, a link or a touch link that there is
    /// not, a half-space or a plane, which cannot be attached, or what [`Scene::add`](super::Scene::add) refuses.
    pub fn attach(
        &mut self,
        name: &str,
        link: &str,
        shape: impl Into<Shape>,
        pose_in_link: Isometry3<f64>,
        touch_links: &[&str],
    ) -> Result<BodyId, RobotSceneError> {
        let shape = shape.into();
        if !is_attachable(&shape) {
            return Err(unattachable(name));
        }
        self.must_be_free(name)?;
        let (link, touching) = self.link_and_touching(link, touch_links)?;
        let group = self.scene.group(name);
        let id = self.scene.add(group, shape, pose_in_link)?;
        // Its quaternion is of unit length now.
        let pose_in_link = self.scene.pose(id)?;
        self.hold(group, link, touching, vec![(id, pose_in_link)]);
        Ok(id)
    }

    /// Attaches all obstacles of a name to a link, as [`RobotScene::attach`] does, at the poses relative to the link that
    /// they have at a configuration. Their ids stay.
    ///
    /// # Errors
    /// The error names a name that no obstacle has, a link or a touch link that there is not, a half-space, which cannot
    /// be attached, or a configuration of another robot. The scene is then as it was.
    pub fn attach_obstacle(
        &mut self,
        name: &str,
        link: &str,
        touch_links: &[&str],
        configuration: &Configuration,
    ) -> Result<(), RobotSceneError> {
        let (group, ids) = self.obstacles_of(name)?;
        let (link, touching) = self.link_and_touching(link, touch_links)?;
        let in_world = self.pose_of_link(link, configuration)?;
        let mut bodies = Vec::with_capacity(ids.len());
        for id in ids {
            if !is_attachable(self.scene.shape(id)?) {
                return Err(unattachable(name));
            }
            bodies.push((id, in_world.inv_mul(&self.scene.pose(id)?)));
        }
        for (id, _) in &bodies {
            self.scene.set_obstacle(*id, false)?;
        }
        self.hold(group, link, touching, bodies);
        Ok(())
    }

    /// Detaches an object: with a configuration it is an obstacle from then on, where it is at that, with the same ids;
    /// without one it is removed. Its touch links and its [padding](RobotScene::set_padding) end; what was
    /// [allowed](RobotScene::allow) or [forbidden](RobotScene::forbid) stays with the name.
    ///
    /// # Errors
    /// The error names a name that no attached object has, or a configuration of another robot. The scene is then as it
    /// was.
    pub fn detach(
        &mut self,
        name: &str,
        left_at: Option<&Configuration>,
    ) -> Result<(), RobotSceneError> {
        let group = self.attached_group(name);
        let group = group.ok_or_else(|| unknown(name, "attached object"))?;
        let ids = self.scene.ids_of(group);
        let mut placed = Vec::with_capacity(ids.len());
        for part in self.attached.iter().filter(|part| ids.contains(&part.id)) {
            let at = left_at.map(|at| self.pose_of_link(part.link, at));
            placed.push((part.id, at.transpose()?.map(|link| link * part.pose)));
        }
        self.changed();
        self.attached.retain(|part| !ids.contains(&part.id));
        self.scene.allowed.clear_touching(group);
        self.scene.set_padding(group, 0.0);
        for (id, pose) in placed {
            match pose {
                Some(pose) => {
                    self.scene.set_obstacle(id, true)?;
                    self.scene.move_to(id, pose)?;
                }
                None => self.scene.remove(id)?,
            }
        }
        Ok(())
    }

    /// Returns the attached bodies, those that were attached first first.
    pub fn attached(&self) -> impl Iterator<Item = AttachedBody<'_>> {
        self.attached.iter().map(|part| {
            let group = self.scene.body(part.id.slot).map(|body| body.group);
            AttachedBody {
                id: part.id,
                name: group
                    .and_then(|group| self.scene.group_name(group))
                    .unwrap_or_default(),
                link: part.link,
                pose: part.pose,
            }
        })
    }

    /// Makes bodies of a group parts of the robot.
    fn hold(
        &mut self,
        group: Group,
        link: usize,
        touching: Vec<Group>,
        bodies: Vec<(BodyId, Isometry3<f64>)>,
    ) {
        let neighbours: Vec<Group> = self.groups_on(link).collect();
        let touching = touching.into_iter().chain(neighbours);
        self.scene.allowed.set_touching(group, touching);
        self.attached
            .extend(bodies.into_iter().map(|(id, pose)| Part {
                id,
                link,
                collision: None,
                pose,
            }));
        self.scene.extend_bounds(group);
        self.changed();
    }

    /// Returns the groups of a link and of what is attached to it.
    fn groups_on(&self, link: usize) -> impl Iterator<Item = Group> {
        let held = self.attached.iter().filter(move |part| part.link == link);
        let groups = held.filter_map(|part| Some(self.scene.body(part.id.slot)?.group));
        std::iter::once(self.links[link]).chain(groups)
    }

    /// Returns the index of a link, and the groups of touch links.
    fn link_and_touching(
        &self,
        link: &str,
        touch_links: &[&str],
    ) -> Result<(usize, Vec<Group>), RobotSceneError> {
        let index = self.robot.link_index(link);
        let index = index.ok_or_else(|| unknown(link, "link"))?;
        let touching = touch_links.iter().map(|name| self.part_of_robot(name));
        Ok((index, touching.collect::<Result<_, _>>()?))
    }

    fn pose_of_link(
        &self,
        link: usize,
        configuration: &Configuration,
    ) -> Result<Isometry3<f64>, RobotSceneError> {
        Ok(self.base * self.robot.forward_kinematics(configuration)?[link])
    }

    /// Returns the group of an attached object.
    pub(super) fn attached_group(&self, name: &str) -> Option<Group> {
        let group = self.scene.find_group(name)?;
        let of_group = |part: &Part| self.scene.body(part.id.slot).map(|body| body.group);
        let mut held = self.attached.iter();
        held.any(|part| of_group(part) == Some(group))
            .then_some(group)
    }

    /// Returns the group and the ids of the obstacles of a name.
    fn obstacles_of(&self, name: &str) -> Result<(Group, Vec<BodyId>), RobotSceneError> {
        if self.link(name).is_some() || self.attached_group(name).is_some() {
            return Err(taken(name));
        }
        let group = self.scene.find_group(name);
        let ids = group.map(|group| (group, self.scene.ids_of(group)));
        let found = ids.filter(|(_, ids)| !ids.is_empty());
        found.ok_or_else(|| unknown(name, "obstacle"))
    }

    fn must_be_free(&self, name: &str) -> Result<(), RobotSceneError> {
        match self.obstacles_of(name) {
            Ok(_) => Err(taken(name)),
            Err(RobotSceneError::UnknownName { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) fn must_not_be_attached(&self, name: &str) -> Result<(), RobotSceneError> {
        match self.attached_group(name) {
            Some(_) => Err(taken(name)),
            None => Ok(()),
        }
    }
}

fn is_attachable(shape: &Shape) -> bool {
    !matches!(shape, Shape::HalfSpace(_) | Shape::Plane(_))
}

fn unattachable(name: &str) -> RobotSceneError {
    let name = name.to_owned();
    RobotSceneError::Unattachable { name }
}

fn taken(name: &str) -> RobotSceneError {
    let name = name.to_owned();
    RobotSceneError::NameTaken { name }
}
