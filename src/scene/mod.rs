//! Scenes: bodies added, moved and removed, and what is close in them.
//!
//! A [`Scene`] holds two sorts of things, each in a [`Group`] (a link, an object):
//!
//! - **bodies** ([`Scene::add`]), superovoids that are compared with every other body and with every
//!   obstacle,
//! - **obstacles** ([`Scene::add_obstacle`]), of any [`ObstacleShape`], that are compared with bodies
//!   only: nothing is ever said of two obstacles, whatever their shapes.
//!
//! Bodies of one group are never compared, and groups that [`AllowedCollisions`] allow to collide are
//! not either. All else is: [`Scene::compares`] tells of any two.
//!
//! ```
//! use nalgebra::{Isometry3, Vector3};
//! use superovoid::scene::{Scene, SceneOptions};
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
//! # How
//!
//! Boxes around the bodies lie in a bounding-volume hierarchy of parry3d that is widened and fitted as
//! bodies move; pairs whose boxes, balls or turned boxes are farther apart than asked are not solved.
//! Of pairs that stay close the scene keeps the last answer to start the next one from
//! ([`PairCache`](crate::PairCache)). Neither changes what is found: a pair within the distance of
//! interest is never left out, and which pairs are returned and what is proven of them does not
//! depend on what was asked before. Distances of bodies apart may then differ by less than the
//! tolerance; where flat faces are parallel the witness points can be others of the many.
//!
//! Poses and contacts are in the world frame; metres.

mod allowed;
mod body;
mod candidate;
mod error;
mod hierarchy;
mod id;
mod query;
#[cfg(feature = "urdf")]
mod robot;
#[allow(clippy::module_inception)]
mod scene;
mod warm;

pub use allowed::{AllowedCollisions, Group};
pub use body::ObstacleShape;
pub use error::SceneError;
pub use id::BodyId;
pub use query::{SceneContact, SceneOptions};
#[cfg(feature = "urdf")]
pub use robot::{Counterpart, RobotContact, RobotScene, RobotSceneError};
pub use scene::Scene;
