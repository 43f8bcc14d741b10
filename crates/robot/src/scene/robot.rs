//! A robot in a scene: self-collision, and the robot against obstacles.

use super::configurations::{Memory, StepCounts, Steps};
use super::part::{Part, Placed};
use super::{BodyId, Group, Scene, SceneContact, SceneError, SceneOptions};
use crate::robot::{
    Configuration, ConfigurationError, EdgeOptionError, LinkPair, Robot, SplineError, Srdf,
    Unchecked, Warning,
};
use nalgebra::Isometry3;
use std::sync::{Arc, Mutex, PoisonError};
use superovoid::{CollisionStatus, Contact, Shape};

/// The reason why a robot in a scene cannot do what was requested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotSceneError {
    /// The configuration does not fit the robot.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// The scene rejects the request.
    #[error(transparent)]
    Scene(#[from] SceneError),
    /// An option of an edge or a region is out of its domain.
    #[error(transparent)]
    Edge(#[from] EdgeOptionError),
    /// The spline is no motion of the robot.
    #[error(transparent)]
    Spline(#[from] SplineError),
    /// A region cannot be grown around a configuration that is not free.
    #[error(
        "the configuration is not free: {a:?} and {b:?} touch, or are not proven to keep the minimum separation"
    )]
    NotFree {
        /// The link, obstacle or attached object of body A.
        a: String,
        /// That of body B.
        b: String,
    },
    /// A region cannot be bounded.
    #[error("joint {joint:?} has no limits; expected a prismatic joint with limits")]
    Unlimited {
        /// The name of the joint.
        joint: String,
    },
    /// The robot has collision shapes that are not checked, so that nothing proves it free.
    #[error(transparent)]
    Unchecked(#[from] Unchecked),
    /// An obstacle has the name of a link.
    #[error("the obstacle {name:?} has the name of a link; expected another name")]
    NameOfLink {
        /// The name.
        name: String,
    },
    /// A link, an obstacle or an attached object has the name.
    #[error("the name {name:?} is taken; expected one that nothing else in the scene has")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Nothing of this kind has the name.
    #[error("the scene has no {expected} {name:?}")]
    UnknownName {
        /// The name.
        name: String,
        /// What was expected to have it.
        expected: &'static str,
    },
    /// The object has no bounds.
    #[error("the object {name:?} cannot be attached: a half-space or a plane has no bounds")]
    Unattachable {
        /// The name.
        name: String,
    },
    /// A padding is out of its domain.
    #[error("the padding of {name:?} is {value}; expected a finite number of metres, at least 0")]
    Padding {
        /// The name of the link or object, or those of a pair.
        name: String,
        /// The value that was rejected.
        value: f64,
    },
    /// A scale is out of its domain.
    #[error("the link {link:?} cannot be scaled by {value}; expected a finite factor above 0")]
    Scale {
        /// The name of the link.
        link: String,
        /// The factor that was rejected.
        value: f64,
    },
    /// The id is of a part of the robot, which only a configuration moves.
    #[error("{id} is a part of the robot; expected an obstacle")]
    NotAnObstacle {
        /// The id.
        id: BodyId,
    },
}

/// The counterpart of a link's body in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counterpart {
    /// Another link of the robot.
    Link {
        /// The index into [`Robot::links`].
        link: usize,
        /// The index into the link's collisions.
        collision: usize,
    },
    /// An obstacle.
    Obstacle(BodyId),
    /// An attached object, of which [`RobotScene::attached`] tells the link.
    Attached(BodyId),
}

/// The contact of a link, or of an object that is attached to it, with another one or with an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RobotContact {
    /// The index of the link of body A; of two links it is the one with the smaller index.
    pub link: usize,
    /// The index of body A among the collisions of its link; 0 if it is an attached object.
    pub collision: usize,
    /// The attached object that body A is, if it is one: then `link` is the link that carries it. Of a link and an
    /// attached object the link is A.
    pub attached: Option<BodyId>,
    /// The body B.
    pub with: Counterpart,
    /// The part of B with the least signed distance, if B is a mesh, a set of boxes or a height field.
    pub part: Option<u32>,
    /// The contact, with points and normal (from A to B) in the world frame.
    pub contact: Contact,
}

impl RobotContact {
    #[doc(hidden)]
    pub fn new(
        link: usize,
        collision: usize,
        with: Counterpart,
        part: Option<u32>,
        contact: Contact,
    ) -> Self {
        RobotContact {
            link,
            collision,
            attached: None,
            with,
            part,
            contact,
        }
    }

    /// Returns what the bracket proves.
    pub fn status(&self) -> CollisionStatus {
        self.contact.status()
    }
}

/// A robot and obstacles. Queries take a configuration; every link's bodies are compared with those
/// of every other link and with every obstacle, except for the pairs that the [allowed-collision matrix](Self::allow)
/// leaves out. Initially these are adjacent links ([`Robot::are_adjacent`]). A robot with collision shapes that are not checked ([`Robot::unchecked`]) is never reported free: its
/// queries end with an error unless [unchecked shapes are allowed](Self::set_allow_unchecked).
///
/// Queries of one value keep warm starts of close pairs from one configuration to the next; [`scene`](crate::scene)
/// tells what that may change. For several threads, clone it, or use [`RobotScene::map`], which clones.
///
/// ```
/// use nalgebra::{Isometry3, Vector3};
/// use superovoid::HalfSpace;
/// use superovoid_robot::Robot;
/// use superovoid_robot::scene::{RobotScene, SceneOptions};
///
/// let robot = Robot::from_urdf_str(
///     r#"<robot name="pendulum">
///          <link name="hook"/>
///          <link name="bob">
///            <collision>
///              <origin xyz="0 0 -1"/>
///              <geometry><sphere radius="0.1"/></geometry>
///            </collision>
///          </link>
///          <joint name="swing" type="continuous">
///            <parent link="hook"/> <child link="bob"/> <axis xyz="0 1 0"/>
///          </joint>
///        </robot>"#,
/// )?;
/// let mut scene = RobotScene::new(robot)?;
/// // A wall at x = 0.9 m that fills all beyond.
/// let wall = HalfSpace::new(-Vector3::x(), -0.9)?;
/// scene.add_obstacle("wall", wall, Isometry3::identity())?;
/// let options = SceneOptions::default();
/// let mut configuration = scene.robot().neutral();
/// let closest = scene.closest(&configuration, &options)?.expect("there is a wall");
/// assert!((closest.contact.distance - 0.8).abs() < 1e-9); // metres
/// configuration.set("swing", -1.2)?; // radians
/// assert!(scene.in_collision(&configuration, &options)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct RobotScene {
    pub(super) robot: Arc<Robot>,
    pub(super) base: Isometry3<f64>,
    pub(super) allow_unchecked: bool,
    pub(super) scene: Scene,
    /// The robot's bodies in the order of their slots, which are the first of the scene.
    pub(super) parts: Arc<[Part]>,
    /// The attached bodies.
    pub(super) attached: Vec<Part>,
    /// The groups of the links, in their order.
    pub(super) links: Arc<[Group]>,
    /// The poses of the links in the last query, in the frame of the root.
    link_poses: Vec<Isometry3<f64>>,
    /// The pairs that edges and batches compare; `None` after a change.
    pub(super) compared_pairs: Option<Arc<[[u32; 2]]>>,
    /// What blocks of configurations leave to the next.
    pub(super) memory: Kept,
    /// How many configurations each step of blocks has decided.
    pub(super) steps: Steps,
}

/// Memory that a clone begins without.
#[derive(Default)]
pub(super) struct Kept(Option<Box<Memory>>);

impl Clone for Kept {
    fn clone(&self) -> Self {
        Kept(None)
    }
}

impl Kept {
    pub fn take(&mut self) -> Option<Box<Memory>> {
        self.0.take()
    }

    pub fn keep(&mut self, memory: Box<Memory>) {
        self.0 = Some(memory);
    }
}

/// The number of configurations that share their warm starts in [`RobotScene::map`].
const CONFIGURATIONS_PER_CLONE: usize = 64;

impl RobotScene {
    /// Makes the scene of a robot without obstacles, its root link at the origin of the world.
    ///
    /// # Errors
    /// The error says that there are more bodies than a scene can hold.
    pub fn new(robot: impl Into<Arc<Robot>>) -> Result<Self, RobotSceneError> {
        let robot = robot.into();
        let mut scene = Scene::new();
        let names = robot.links().iter().map(|link| &link.name);
        let links: Vec<Group> = names.map(|name| scene.group(name)).collect();
        let mut parts = Vec::new();
        for body in robot.collision_bodies() {
            let group = links[body.link];
            let id = scene.add(group, body.shape.clone(), body.pose)?;
            scene.share_levels(id, body.levels.get_or_init(Arc::default));
            parts.push(Part {
                id,
                link: body.link,
                collision: Some(body.collision),
                pose: body.pose,
            });
        }
        for (link, &group) in links.iter().enumerate() {
            scene
                .allowed
                .set_rigid(group, robot.adjacency().rigid(link));
            if let Some(carrier) = robot.adjacency().carrier(link) {
                scene.allowed.allow(group, links[carrier]);
            }
        }
        for joint in 0..robot.joints().len() {
            let [parent, child] = robot.ends_of(joint);
            scene.allowed.allow(links[parent], links[child]);
        }
        Ok(RobotScene {
            robot,
            base: Isometry3::identity(),
            allow_unchecked: false,
            scene,
            parts: parts.into(),
            attached: Vec::new(),
            links: links.into(),
            link_poses: Vec::new(),
            compared_pairs: None,
            memory: Kept::default(),
            steps: Steps::default(),
        })
    }

    /// Returns the robot.
    pub fn robot(&self) -> &Robot {
        &self.robot
    }

    /// Returns how many configurations each step of the queries of many configurations has decided since the scene was made
    /// or cloned.
    pub fn step_counts(&self) -> StepCounts {
        self.steps.counts()
    }

    /// Sets whether answers may leave out the collision shapes of [`Robot::unchecked`]. By default they may not:
    /// a query on a robot that has one ends with [`RobotSceneError::Unchecked`].
    pub fn set_allow_unchecked(&mut self, allow_unchecked: bool) {
        self.allow_unchecked = allow_unchecked;
    }

    /// Returns the pose of the root link in the world.
    pub fn base(&self) -> Isometry3<f64> {
        self.base
    }

    /// Sets the pose of the root link.
    ///
    /// # Errors
    /// The error names a pose that is not finite or whose quaternion is not of unit length.
    pub fn set_base(&mut self, base: Isometry3<f64>) -> Result<(), RobotSceneError> {
        let valid = superovoid::internals::validate_pose('A', &base);
        let straight = valid.map_err(|error| SceneError::Pose {
            group: self.robot.links()[self.robot.root()].name.clone(),
            error,
        })?;
        self.base = straight.unwrap_or(base);
        self.changed();
        Ok(())
    }

    /// Adds an obstacle to the group of this name, which may hold others. Obstacles are compared with
    /// the robot and not with each other.
    ///
    /// # Errors
    /// The errors are those of [`Scene::add_obstacle`], and the name of a link or an attached object.
    pub fn add_obstacle(
        &mut self,
        group: &str,
        shape: impl Into<Shape>,
        pose: Isometry3<f64>,
    ) -> Result<BodyId, RobotSceneError> {
        if self.robot.link_index(group).is_some() {
            let name = group.to_owned();
            return Err(RobotSceneError::NameOfLink { name });
        }
        self.must_not_be_attached(group)?;
        self.changed();
        let group = self.scene.group(group);
        Ok(self.scene.add_obstacle(group, shape, pose)?)
    }

    /// Moves an obstacle.
    ///
    /// # Errors
    /// The errors are those of [`Scene::move_to`], and the id of a part of the robot.
    pub fn move_obstacle(
        &mut self,
        id: BodyId,
        pose: Isometry3<f64>,
    ) -> Result<(), RobotSceneError> {
        self.must_be_obstacle(id)?;
        self.memory.take();
        Ok(self.scene.move_to(id, pose)?)
    }

    /// Removes an obstacle.
    ///
    /// # Errors
    /// The errors are those of [`Scene::remove`], and the id of a part of the robot.
    pub fn remove_obstacle(&mut self, id: BodyId) -> Result<(), RobotSceneError> {
        self.must_be_obstacle(id)?;
        self.changed();
        Ok(self.scene.remove(id)?)
    }

    /// Returns robot and obstacles as one scene, with the robot at the configuration of the last query of one; batches do
    /// not move it.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Allows collisions of these two, by the names of links, obstacles or attached objects: they are not compared. Returns false,
    /// without effect, if one of them does not exist.
    pub fn allow(&mut self, a: &str, b: &str) -> bool {
        self.with_groups(a, b, super::AllowedCollisions::allow)
    }

    /// Forbids collisions of these two: they are compared, also if they are adjacent links, or an object and one of its
    /// touch links. Returns false, without effect, if one of them does not exist.
    pub fn forbid(&mut self, a: &str, b: &str) -> bool {
        self.with_groups(a, b, super::AllowedCollisions::forbid)
    }

    /// Whether collisions of these two are allowed, by the names of links, obstacles or attached objects; `None` if one
    /// of them does not exist. Obstacles are never compared with each other, whatever is allowed.
    pub fn is_allowed(&self, a: &str, b: &str) -> Option<bool> {
        let [a, b] = [a, b].map(|name| self.scene.find_group(name));
        Some(self.scene.allowed.is_allowed(a?, b?))
    }

    /// Sets the default of a link, an obstacle or an attached object for pairs without a setting; see
    /// [`AllowedCollisions::set_default`](super::AllowedCollisions::set_default). Returns false, without effect, if
    /// it does not exist.
    pub fn set_default(&mut self, name: &str, allowed: Option<bool>) -> bool {
        self.changed();
        let group = self.scene.find_group(name);
        group.is_some_and(|group| {
            self.scene.allowed.set_default(group, allowed);
            true
        })
    }

    /// Leaves out the pairs that an SRDF file disables, in addition to adjacent links. As in MoveIt, links that are
    /// disabled by default come first, then pairs that are enabled, then pairs that are disabled; an element with a
    /// link that the robot does not have is without effect, and the warnings name it.
    pub fn apply_srdf(&mut self, srdf: &Srdf) -> Vec<Warning> {
        self.changed();
        for (link, _) in &srdf.disabled_by_default {
            if let Some(group) = self.link(link) {
                self.scene.allowed.set_default(group, Some(true));
            }
        }
        let enabled = srdf.enabled.iter().map(|pair| (pair, false));
        let disabled = srdf.disabled.iter().map(|pair| (pair, true));
        for (LinkPair { links: [a, b], .. }, allowed) in enabled.chain(disabled) {
            let (Some(a), Some(b)) = (self.link(a), self.link(b)) else {
                continue;
            };
            if allowed {
                self.scene.allowed.allow(a, b);
            } else {
                self.scene.allowed.forbid(a, b);
            }
        }
        srdf.warnings(&self.robot)
    }

    /// Returns every pair that is compared and not proven to be farther apart than `options.max_distance`, closest
    /// (or deepest) first.
    ///
    /// # Errors
    /// The errors are those of [`Scene::contacts`], a configuration of another robot, and collision shapes that are not
    /// checked, unless [unchecked shapes are allowed](Self::set_allow_unchecked).
    pub fn contacts(
        &mut self,
        configuration: &Configuration,
        options: &SceneOptions,
    ) -> Result<Vec<RobotContact>, RobotSceneError> {
        self.pose(configuration)?;
        self.robot.refuse_unchecked(self.allow_unchecked)?;
        let contacts = self.scene.contacts(options)?;
        Ok(contacts.iter().filter_map(|c| self.of_robot(c)).collect())
    }

    /// Returns the first of [`RobotScene::contacts`], faster; see [`Scene::closest`].
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::contacts`].
    pub fn closest(
        &mut self,
        configuration: &Configuration,
        options: &SceneOptions,
    ) -> Result<Option<RobotContact>, RobotSceneError> {
        self.pose(configuration)?;
        self.robot.refuse_unchecked(self.allow_unchecked)?;
        let closest = self.scene.closest(options)?;
        Ok(closest.and_then(|contact| self.of_robot(&contact)))
    }

    /// Whether any pair that is compared touches or overlaps; a pair that is [`CollisionStatus::Undecided`] counts as
    /// a collision. The query ends at the first pair that is not free.
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::contacts`]. Where some collision shapes are not checked, a collision of the
    /// others is still the answer `true`.
    pub fn in_collision(
        &mut self,
        configuration: &Configuration,
        options: &SceneOptions,
    ) -> Result<bool, RobotSceneError> {
        self.pose(configuration)?;
        let collides = self.scene.in_collision(options)?;
        if !collides {
            self.robot.refuse_unchecked(self.allow_unchecked)?;
        }
        Ok(collides)
    }

    /// Returns the answers for many configurations, on several threads (0: as many as the machine runs at once), in
    /// the order of the configurations.
    ///
    /// `query` is called with a clone of this scene for every 64 configurations in a row, whatever
    /// the number of threads: the answers are the same, to the last bit, on one thread or many.
    /// Neighbouring configurations of a path are best next to each other.
    ///
    /// ```
    /// # use superovoid_robot::Robot;
    /// # use superovoid_robot::scene::{RobotScene, SceneOptions};
    /// # let robot = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#)?;
    /// let scene = RobotScene::new(robot)?;
    /// let configurations = vec![scene.robot().neutral(); 1000];
    /// let options = SceneOptions::default();
    /// let collides = scene.map(&configurations, 0, |scene, configuration| {
    ///     scene.in_collision(configuration, &options)
    /// });
    /// assert!(collides.iter().all(|collides| *collides == Ok(false)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn map<T: Send>(
        &self,
        configurations: &[Configuration],
        threads: usize,
        query: impl Fn(&mut RobotScene, &Configuration) -> T + Sync,
    ) -> Vec<T> {
        let parts = in_parts(configurations, CONFIGURATIONS_PER_CLONE, threads, |part| {
            let mut scene = self.clone();
            let answers = part
                .iter()
                .map(|configuration| query(&mut scene, configuration));
            answers.collect::<Vec<T>>()
        });
        parts.into_iter().flatten().collect()
    }

    /// Clears the warm starts: the next queries start as in a new scene.
    pub fn clear_warm_starts(&mut self) {
        self.scene.clear_warm_starts();
    }

    /// Forgets what follows from the bodies, their pairs and their bounds.
    pub(super) fn changed(&mut self) {
        self.compared_pairs = None;
        self.memory.take();
    }

    /// Moves the robot's bodies to a configuration.
    fn pose(&mut self, configuration: &Configuration) -> Result<(), RobotSceneError> {
        let poses = &mut self.link_poses;
        self.robot.forward_kinematics_into(configuration, poses)?;
        for part in self.parts.iter().chain(&self.attached) {
            let pose = self.base * self.link_poses[part.link] * part.pose;
            self.scene.move_to(part.id, pose)?;
        }
        Ok(())
    }

    /// Converts a contact of the scene to links and collisions.
    pub(super) fn of_robot(&self, found: &SceneContact) -> Option<RobotContact> {
        let &a = self.part(found.a)?;
        let with = match self.part(found.b) {
            Some(&Part {
                link,
                collision: Some(collision),
                ..
            }) => Counterpart::Link { link, collision },
            Some(_) => Counterpart::Attached(found.b),
            None => Counterpart::Obstacle(found.b),
        };
        Some(RobotContact {
            link: a.link,
            collision: a.collision.unwrap_or(0),
            attached: a.collision.is_none().then_some(found.a),
            with,
            part: found.part,
            contact: found.contact,
        })
    }

    fn part(&self, id: BodyId) -> Option<&Part> {
        self.part_in(id.slot).filter(|part| part.id == id)
    }

    /// Returns the body of a link, or the attached one, in a slot.
    pub(super) fn part_in(&self, slot: u32) -> Option<&Part> {
        self.placed().part_in(slot)
    }

    /// Returns the robot and its bodies.
    pub(super) fn placed(&self) -> Placed<'_> {
        Placed {
            robot: &self.robot,
            base: &self.base,
            scene: &self.scene,
            of_links: &self.parts,
            attached: &self.attached,
        }
    }

    fn must_be_obstacle(&self, id: BodyId) -> Result<(), RobotSceneError> {
        match self.part(id) {
            Some(_) => Err(RobotSceneError::NotAnObstacle { id }),
            None => Ok(()),
        }
    }

    pub(super) fn link(&self, name: &str) -> Option<Group> {
        let index = self.robot.link_index(name)?;
        Some(self.links[index])
    }

    fn with_groups(
        &mut self,
        a: &str,
        b: &str,
        set: impl Fn(&mut super::AllowedCollisions, Group, Group),
    ) -> bool {
        self.changed();
        let groups = [a, b].map(|name| self.scene.find_group(name));
        let [Some(a), Some(b)] = groups else {
            return false;
        };
        set(&mut self.scene.allowed, a, b);
        true
    }
}

/// Returns the answers for parts of so many configurations or edges, in their order, on several threads (0: as many as
/// the machine runs at once).
pub(super) fn in_parts<C: Sync, T: Send>(
    configurations: &[C],
    size: usize,
    threads: usize,
    answer: impl Fn(&[C]) -> T + Sync,
) -> Vec<T> {
    let parts = configurations.chunks(size);
    let count = parts.len();
    let mut answers: Vec<Option<T>> = parts.clone().map(|_| None).collect();
    let work = Mutex::new(parts.zip(&mut answers));
    let next = || work.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || {
        while let Some((part, place)) = next() {
            *place = Some(answer(part));
        }
    };
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if threads == 0 { available() } else { threads };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(count) {
            // A thread that cannot be started leaves its work to the others.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    // No answer is missing: a panic of `answer` has ended the scope.
    answers.into_iter().flatten().collect()
}
