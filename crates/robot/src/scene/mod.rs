//! Scenes: bodies that are added, moved and removed, a broad phase, and the contacts among them.
//!
//! May import: `broad_phase`, `levels`, `poses`, `robot`.
//!
//! A [`Scene`] holds two kinds of things, each in a [`Group`] (a link, an object):
//!
//! - **bodies** ([`Scene::add`]), of any [`Shape`](superovoid::Shape) but a half-space, that are compared with every other body
//!   and with every obstacle,
//! - **obstacles** ([`Scene::add_obstacle`]), of any [`Shape`](superovoid::Shape), that are compared with bodies only: two
//!   obstacles are never compared, whatever their shapes.
//!
//! Bodies of one group are never compared, nor are groups that [`AllowedCollisions`] allow to collide. All other
//! pairs are: [`Scene::compares`] tells whether two bodies are compared.
//!
//! ```
//! use nalgebra::{Isometry3, Vector3};
//! use superovoid_robot::scene::{Scene, SceneOptions};
//! use superovoid::{HalfSpace, Superovoid};
//!
//! let mut scene = Scene::new();
//! let [cup, egg, table] = ["cup", "egg", "table"].map(|name| scene.group(name));
//! let at = |x, z| Isometry3::translation(x, 0.0, z); // metres
//! let shape = Superovoid::new([0.02, 0.02, 0.03], [1.0, 1.0], [0.2, 0.2])?;
//! let egg_in_scene = scene.add(egg, shape, at(0.0, 0.035))?;
//! scene.add(cup, Superovoid::superellipsoid([0.03, 0.03, 0.04], [1.0, 0.2])?, at(0.2, 0.05))?;
//! scene.add_obstacle(table, HalfSpace::new(Vector3::z(), 0.0)?, Isometry3::identity())?;
//!
//! let options = SceneOptions::default();
//! let closest = scene.closest(&options)?.expect("the egg is above the table");
//! assert_eq!(closest.a, egg_in_scene);
//! assert!((closest.contact.distance - 0.005).abs() < 1e-9);
//! scene.move_to(egg_in_scene, at(0.0, 0.02))?;
//! assert!(scene.in_collision(&options)?);
//! scene.allowed_mut().allow(egg, table);
//! assert!(!scene.in_collision(&options)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Robots
//!
//! A [`RobotScene`] is a robot among obstacles, as MoveIt's `PlanningScene`: objects are [attached](RobotScene::attach) to
//! links and [detached](RobotScene::detach), links are [padded](RobotScene::set_padding) and
//! [scaled](RobotScene::set_scale), and collisions are [allowed](RobotScene::allow) or [forbidden](RobotScene::forbid);
//! every change takes effect with the next query. There is no type for the differences of two scenes: a clone shares the
//! robot, the shapes, the names and the hierarchy of the obstacles with its original until one of them changes, so that a
//! child is a clone, its changes are made to it, and to apply them is to take it in place of the parent. Clones on other
//! threads answer with the same bits.
//!
//! # Broad phase
//!
//! Boxes around the bodies lie in a bounding-volume hierarchy of parry3d that is extended and refitted as bodies
//! move; pairs whose axis-aligned boxes, bounding spheres or oriented boxes are farther apart than the maximum
//! distance are not solved. For pairs that stay close the scene keeps the last answer as the start of the next query
//! ([`PairCache`](superovoid::PairCache)). Neither changes the result: a pair within the maximum distance is never left
//! out, and the returned pairs and what is proven about them do not depend on earlier queries. Distances of separate
//! bodies may then differ by less than the tolerance; where flat faces are parallel the witness points may be others
//! of the many.
//!
//! Poses and contacts are in the world frame; lengths are in metres.

mod allowed;
mod attached;
mod body;
mod candidate;
mod configurations;
mod error;
mod hierarchy;
mod id;
mod narrow_phase;
mod padded;
mod padding;
mod part;
mod query;
mod robot;
mod robot_edge;
mod robot_padding;
mod robot_region;
mod robot_spline;
mod scaled;
#[allow(clippy::module_inception)]
mod scene;
mod warm;

pub use allowed::{AllowedCollisions, Group};
pub use attached::AttachedBody;
pub use configurations::StepCounts;
pub use error::SceneError;
pub use id::BodyId;
pub use query::{SceneContact, SceneOptions};
pub use robot::{Counterpart, RobotContact, RobotScene, RobotSceneError};
pub use scene::Scene;
