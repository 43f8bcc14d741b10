//! How far the links of a posed robot are from each other.
//!
//! Bodies are sorted by the lower end of their boxes along x, so that a body is only compared
//! with those that start before it ends (sweep and prune); of these, a pair whose boxes or
//! bounding spheres are farther apart than asked is dropped; the rest is solved.

use super::error::ClearanceError;
use super::kinematics::Configuration;
use super::model::{JointKind, Robot};
use crate::{Aabb, Contact, Outcome, QueryOptions, Superovoid, contact};
use nalgebra::{Isometry3, Point3};
use std::collections::BTreeMap;

/// What clearances are asked for. The default is every pair that is not adjacent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClearanceOptions {
    /// Pairs proven to be farther apart than this (metres) are counted but not returned; most of
    /// them are not solved either. Default infinity.
    pub within: f64,
    /// Also pairs of links that are joined by one joint or rigidly fixed together.
    pub include_adjacent: bool,
    /// Options of every pair query; its `max_distance` is replaced by `within`.
    pub query: QueryOptions,
}

impl Default for ClearanceOptions {
    fn default() -> Self {
        ClearanceOptions {
            within: f64::INFINITY,
            include_adjacent: false,
            query: QueryOptions::default(),
        }
    }
}

/// What a bracket proves about a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The bodies do not touch.
    Free,
    /// They overlap or touch.
    Collision,
    /// Neither is proven: the bracket holds zero, and no common point is known.
    Undecided,
}

/// The contact of two collision shapes on different links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// Index of the link of body A; less than `link_b`.
    pub link_a: usize,
    /// Index of body A among the collisions of its link.
    pub collision_a: usize,
    /// Index of the link of body B.
    pub link_b: usize,
    /// Index of body B among the collisions of its link.
    pub collision_b: usize,
    /// Points and normal in the frame of the root link.
    pub contact: Contact,
}

impl Clearance {
    /// What the bracket proves.
    pub fn status(&self) -> Status {
        let Contact {
            distance,
            lower,
            upper,
            outcome,
            ..
        } = self.contact;
        if lower > 0.0 {
            Status::Free
        } else if upper <= 0.0 || (distance <= 0.0 && outcome == Outcome::Converged) {
            // A converged overlap was shown by a common point even if its bracket is open.
            Status::Collision
        } else {
            Status::Undecided
        }
    }
}

/// The clearances of a robot and how many pairs they were found among.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearances {
    /// Pairs not proven to be farther apart than asked, closest (or deepest) first.
    pub pairs: Vec<Clearance>,
    /// Pairs of bodies on different links, adjacent ones left out unless asked for.
    pub considered: usize,
    /// Of these, those proven to be farther apart than asked by their bounds alone.
    pub culled: usize,
    /// Of these, those that were solved: `considered − culled`.
    pub solved: usize,
}

/// A body in its place.
struct Placed {
    link: usize,
    collision: usize,
    shape: Superovoid,
    pose: Isometry3<f64>,
    aabb: Aabb,
    center: Point3<f64>,
    radius: f64,
}

impl Robot {
    /// The signed distances between the superovoids (and spheres) of different links, closest
    /// first, in the frame of the root link.
    ///
    /// Links are adjacent, and left out unless asked for, if one joint joins them or a chain of
    /// fixed joints makes them one rigid body. Shapes that are neither superovoid nor sphere take
    /// no part; [`Robot::not_in_contact`] lists them.
    ///
    /// # Errors
    /// A configuration that does not fit the robot, a `within` that is negative or NaN, or query
    /// options out of their domain.
    pub fn clearances(
        &self,
        configuration: &Configuration,
        options: &ClearanceOptions,
    ) -> Result<Clearances, ClearanceError> {
        let within = options.within;
        if within.is_nan() || within < 0.0 {
            return Err(ClearanceError::Within { value: within });
        }
        let mut bodies = self.placed(configuration)?;
        bodies.sort_by(|a, b| a.aabb.min.x.total_cmp(&b.aabb.min.x));
        let adjacency = (!options.include_adjacent).then(|| Adjacency::of(self));
        let considered = count_pairs(self, &bodies, adjacency.as_ref());
        let mut solved = 0;
        let mut pairs = Vec::new();
        for (i, first) in bodies.iter().enumerate() {
            for second in &bodies[i + 1..] {
                if second.aabb.min.x - first.aabb.max.x > within {
                    break;
                }
                let (a, b) = in_order(first, second);
                if a.link == b.link
                    || adjacency
                        .as_ref()
                        .is_some_and(|adjacent| adjacent.joins(a.link, b.link))
                    || at_least_apart(a, b) > within
                {
                    continue;
                }
                solved += 1;
                let clearance = self.solve(a, b, options)?;
                let Contact { lower, outcome, .. } = clearance.contact;
                if outcome != Outcome::Beyond && lower <= within {
                    pairs.push(clearance);
                }
            }
        }
        pairs.sort_by(|x, y| {
            let key = |c: &Clearance| (c.link_a, c.link_b, c.collision_a, c.collision_b);
            let by_distance = x.contact.distance.total_cmp(&y.contact.distance);
            by_distance.then_with(|| key(x).cmp(&key(y)))
        });
        Ok(Clearances {
            pairs,
            considered,
            culled: considered - solved,
            solved,
        })
    }

    fn placed(&self, configuration: &Configuration) -> Result<Vec<Placed>, ClearanceError> {
        let links = self.forward_kinematics(configuration)?;
        let place = |body: super::ContactBody| {
            let pose = links[body.link] * body.pose;
            let sphere = body.shape.bounding_sphere();
            Placed {
                link: body.link,
                collision: body.collision,
                shape: body.shape,
                pose,
                aabb: body.shape.aabb(&pose),
                center: pose * sphere.center,
                radius: sphere.radius,
            }
        };
        Ok(self.contact_bodies().into_iter().map(place).collect())
    }

    fn solve(
        &self,
        a: &Placed,
        b: &Placed,
        options: &ClearanceOptions,
    ) -> Result<Clearance, ClearanceError> {
        let query = QueryOptions {
            max_distance: options.within,
            ..options.query
        };
        let found = contact(&a.shape, &a.pose, &b.shape, &b.pose, &query, None);
        let contact = found.map_err(|error| ClearanceError::Query {
            link_a: self.links[a.link].name.clone(),
            link_b: self.links[b.link].name.clone(),
            error,
        })?;
        Ok(Clearance {
            link_a: a.link,
            collision_a: a.collision,
            link_b: b.link,
            collision_b: b.collision,
            contact,
        })
    }
}

/// A pair in the order of the links, whatever the order of the sweep.
fn in_order<'a>(first: &'a Placed, second: &'a Placed) -> (&'a Placed, &'a Placed) {
    if first.link <= second.link {
        (first, second)
    } else {
        (second, first)
    }
}

/// A lower bound of the distance of two bodies: that of their boxes or of their bounding spheres,
/// whichever says more. Negative or zero if neither keeps them apart.
fn at_least_apart(a: &Placed, b: &Placed) -> f64 {
    let after = b.aabb.min - a.aabb.max;
    let before = a.aabb.min - b.aabb.max;
    let boxes = after.sup(&before).sup(&nalgebra::Vector3::zeros()).norm();
    let spheres = (b.center - a.center).norm() - a.radius - b.radius;
    boxes.max(spheres)
}

/// Which links are adjacent: joined by one joint, or fixed to each other.
struct Adjacency<'a> {
    robot: &'a Robot,
    /// For every link the topmost link of the rigid body that it belongs to.
    rigid: Vec<usize>,
}

impl<'a> Adjacency<'a> {
    fn of(robot: &'a Robot) -> Self {
        let tree = &robot.tree;
        let mut rigid: Vec<usize> = (0..robot.links.len()).collect();
        for &joint in &tree.order {
            let [parent, child] = tree.ends[joint];
            if tree.joints[joint].kind == JointKind::Fixed {
                rigid[child] = rigid[parent];
            }
        }
        Adjacency { robot, rigid }
    }

    fn joins(&self, a: usize, b: usize) -> bool {
        let above = |link: usize| {
            let joint = self.robot.tree.parent_joint[link]?;
            Some(self.robot.tree.ends[joint][0])
        };
        self.rigid[a] == self.rigid[b] || above(a) == Some(b) || above(b) == Some(a)
    }
}

/// How many pairs of bodies are on different links that are not adjacent, without listing them.
fn count_pairs(robot: &Robot, bodies: &[Placed], adjacency: Option<&Adjacency>) -> usize {
    let pairs = |n: usize| n * n.saturating_sub(1) / 2;
    let mut on_link = vec![0; robot.links.len()];
    for body in bodies {
        on_link[body.link] += 1;
    }
    let all = pairs(bodies.len());
    let Some(adjacency) = adjacency else {
        return all - on_link.iter().map(|&n| pairs(n)).sum::<usize>();
    };
    let mut on_rigid = BTreeMap::new();
    for body in bodies {
        *on_rigid.entry(adjacency.rigid[body.link]).or_insert(0) += 1;
    }
    let rigid: usize = on_rigid.values().map(|&n| pairs(n)).sum();
    let ends = robot.joints().iter().zip(&robot.tree.ends);
    let moving = ends.filter(|(joint, _)| joint.kind != JointKind::Fixed);
    let joined: usize = moving.map(|(_, &[a, b])| on_link[a] * on_link[b]).sum();
    all - rigid - joined
}
