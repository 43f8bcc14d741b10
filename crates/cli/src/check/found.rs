//! The contacts of one configuration.

use serde::Serialize;
use superovoid::Contact;
use superovoid_robot::scene::{Counterpart, RobotContact, RobotScene};
use superovoid_robot::{Clearances, CollisionStatus, Robot};

/// The pairs of a configuration, closest first.
pub struct Found {
    pub pairs: Vec<FoundPair>,
    /// How many pairs there were, where that is counted: without obstacles and settings of pairs.
    pub counts: Option<Counts>,
}

#[derive(Clone, Copy, Serialize)]
pub struct Counts {
    pub considered: usize,
    pub culled: usize,
    pub solved: usize,
}

pub struct FoundPair {
    /// The link of body A and the index among its collisions.
    pub a: (usize, usize),
    pub b: Side,
    pub contact: Contact,
}

/// A body of a pair.
pub enum Side {
    /// A link and the index among its collisions.
    Link(usize, usize),
    /// The name of an obstacle.
    Obstacle(String),
}

impl FoundPair {
    /// Returns the contact of a scene with the names of its bodies.
    pub fn of(scene: &RobotScene, found: &RobotContact) -> Self {
        let b = match found.with {
            Counterpart::Link { link, collision } => Side::Link(link, collision),
            Counterpart::Obstacle(id) | Counterpart::Attached(id) => {
                let group = scene.scene().group_of(id).ok();
                let name = group.and_then(|group| scene.scene().group_name(group));
                Side::Obstacle(name.unwrap_or("obstacle").to_owned())
            }
        };
        FoundPair {
            a: (found.link, found.collision),
            b,
            contact: found.contact,
        }
    }

    pub fn status(&self) -> CollisionStatus {
        self.contact.status()
    }
}

impl Side {
    /// Returns the name of the link, and where it has several collisions, the name or number of the collision; or that
    /// of the obstacle.
    pub fn label(&self, robot: &Robot) -> String {
        let &Side::Link(link, collision) = self else {
            return self.obstacle().unwrap_or_default().to_owned();
        };
        let link = &robot.links()[link];
        match (&link.collisions[..], &link.collisions[collision].name) {
            ([_], _) => link.name.clone(),
            (_, Some(name)) => format!("{} [{name}]", link.name),
            (_, None) => format!("{} [{}]", link.name, collision + 1),
        }
    }

    /// Returns the name of the obstacle, if it is one.
    pub fn obstacle(&self) -> Option<&str> {
        match self {
            Side::Link(..) => None,
            Side::Obstacle(name) => Some(name),
        }
    }
}

impl Found {
    /// Whether every collision shape was checked and every pair is proven to be free.
    pub fn is_free(&self, robot: &Robot) -> bool {
        robot.unchecked().is_empty() && self.all_free()
    }

    pub fn all_free(&self) -> bool {
        let free = |pair: &FoundPair| pair.status() == CollisionStatus::Free;
        self.pairs.iter().all(free)
    }
}

impl From<Clearances> for Found {
    fn from(found: Clearances) -> Self {
        let pairs = found.pairs.iter().map(|pair| FoundPair {
            a: (pair.link_a, pair.collision_a),
            b: Side::Link(pair.link_b, pair.collision_b),
            contact: pair.contact,
        });
        Found {
            pairs: pairs.collect(),
            counts: Some(Counts {
                considered: found.considered,
                culled: found.culled,
                solved: found.solved,
            }),
        }
    }
}

/// Returns the name of a status in the output.
pub fn status_name(status: CollisionStatus) -> &'static str {
    match status {
        CollisionStatus::Free => "free",
        CollisionStatus::Collision => "collision",
        CollisionStatus::Undecided => "undecided",
    }
}
