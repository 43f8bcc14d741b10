//! Edges of a robot alone: its links among each other.

use super::body::{Bound, EdgeBody, EdgePairs, OwnBox, PairContact};
use super::edge_options::{EdgeAnswer, EdgeOptions, EdgeStatus, is_late};
use super::line::Line;
use super::posed::Memory;
use super::search::prove_path;
use crate::robot::bodies::CollisionBody;
use crate::robot::clearance::Clearance;
use crate::robot::error::ClearanceError;
use crate::robot::kinematics::Configuration;
use crate::robot::robot::Robot;
use nalgebra::{Isometry3, Vector3};
use superovoid::internals::validate_options;
use superovoid::{PairCache, QueryOptions, Shape, contact};

impl Robot {
    /// Judges the straight line between two configurations: whether every pair of bodies on different links, adjacent
    /// links left out, keeps more than `options.min_separation` on the whole of it, the first contact if not, or that
    /// neither could be proven.
    ///
    /// Every joint moves at a constant rate, from its first position to its second one by the numbers: a continuous joint
    /// from 0 to 6 turns by 6 radians, and the shorter way round is that to 6 − 2π. A floating joint moves its origin on
    /// a straight line and turns the shorter way about a fixed axis. Joints that mimic follow. The proof holds for this
    /// motion, and not for another one through the same configurations.
    ///
    /// # Errors
    /// The error names a configuration that does not fit the robot, or an option out of its domain.
    ///
    /// ```
    /// use superovoid_robot::{EdgeOptions, EdgeStatus, Robot};
    ///
    /// let arm = |lower: f64| {
    ///     Robot::from_urdf_str(&format!(
    ///         r#"<robot name="arm">
    ///              <link name="base"/> <link name="upper"/>
    ///              <link name="post"><collision><origin xyz="0.4 0.5 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
    ///              <link name="tip"><collision><origin xyz="0.6 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
    ///              <joint name="to_post" type="fixed"><parent link="base"/><child link="post"/></joint>
    ///              <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><axis xyz="0 0 1"/>
    ///                <limit lower="-2" upper="2" effort="1" velocity="1"/></joint>
    ///              <joint name="wrist" type="fixed"><origin xyz="0 0 {lower}"/><parent link="upper"/><child link="tip"/></joint>
    ///            </robot>"#
    ///     ))
    /// };
    /// // The tip passes over the post, and it hits the post.
    /// for (height, status) in [(0.3, EdgeStatus::Free), (0.1, EdgeStatus::Hit)] {
    ///     let robot = arm(height)?;
    ///     let (mut from, mut to) = (robot.neutral(), robot.neutral());
    ///     from.set("shoulder", -1.0)?;
    ///     to.set("shoulder", 1.5)?;
    ///     let edge = robot.edge_free(&from, &to, &EdgeOptions::default())?;
    ///     assert_eq!(edge.status, status);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edge_free(
        &self,
        from: &Configuration,
        to: &Configuration,
        options: &EdgeOptions,
    ) -> Result<EdgeAnswer<Clearance>, ClearanceError> {
        options.validate().map_err(ClearanceError::Edge)?;
        validate_options(&options.query).map_err(ClearanceError::Options)?;
        let mut line = Line::new(self, Isometry3::identity(), [from, to])?;
        let of: Vec<&CollisionBody> = self.bodies.iter().collect();
        let bodies: Vec<EdgeBody> = of.iter().copied().map(edge_body).collect();
        let list = self.edge_pairs(&of);
        let mut pairs = LinkPairs {
            robot: self,
            bodies: &of,
            list: &list,
            caches: PairCaches::new(list.len()),
            query: options.query,
        };
        let (deadline, mut memory) = (options.deadline(), Memory::default());
        let mut stop = || is_late(deadline);
        let answer = prove_path(
            &mut line,
            &bodies,
            &list,
            &mut pairs,
            options,
            &mut stop,
            &mut memory,
            None,
        )?;
        let mut answer = answer.map(|(pair, found)| {
            let [a, b] = list[pair].map(|body| of[body as usize]);
            Some(Clearance {
                link_a: a.link,
                collision_a: a.collision,
                link_b: b.link,
                collision_b: b.collision,
                contact: found?.contact,
            })
        });
        answer.unchecked = self.unchecked().len();
        if answer.unchecked > 0 && answer.status == EdgeStatus::Free {
            answer.status = EdgeStatus::Undecided;
        }
        Ok(answer)
    }

    /// Returns the pairs that are compared, that of the smaller link first.
    fn edge_pairs(&self, bodies: &[&CollisionBody]) -> Vec<[u32; 2]> {
        let numbered = || (0u32..).zip(bodies);
        let mut list = Vec::new();
        for (i, a) in numbered() {
            for (k, b) in numbered().skip(i as usize + 1) {
                if a.link != b.link && !self.bodies.adjacent(a.link, b.link) {
                    list.push(if a.link < b.link { [i, k] } else { [k, i] });
                }
            }
        }
        list
    }
}

/// Returns a body of a link as an edge query needs it.
pub(crate) fn edge_body(body: &CollisionBody) -> EdgeBody {
    let sphere = body.bounding_sphere();
    let (centre, half) = body.own_box();
    EdgeBody {
        link: Some(body.link),
        pose: body.pose,
        bound: Bound::Sphere {
            centre: sphere.center,
            radius: sphere.radius,
        },
        own_box: OwnBox { centre, half },
    }
}

struct LinkPairs<'a> {
    robot: &'a Robot,
    bodies: &'a [&'a CollisionBody],
    list: &'a [[u32; 2]],
    caches: PairCaches,
    query: QueryOptions,
}

impl EdgePairs for LinkPairs<'_> {
    type Error = ClearanceError;

    fn contact(
        &mut self,
        pair: usize,
        [pose_a, pose_b]: [&Isometry3<f64>; 2],
        _keep: f64,
        max_distance: f64,
    ) -> Result<Option<PairContact>, ClearanceError> {
        let [a, b] = self.list[pair].map(|body| self.bodies[body as usize]);
        let query = self.query.with_max_distance(max_distance);
        let found = match (&a.shape, &b.shape) {
            (Shape::Superovoid(x), Shape::Superovoid(y)) => {
                let cache = Some(self.caches.of(pair));
                contact(x, pose_a, y, pose_b, &query, cache).map(Some)
            }
            (x, y) => {
                let found = x.contact(pose_a, y, pose_b, &query);
                found.map(|found| found.map(|found| found.contact))
            }
        };
        let found = found.map_err(|error| ClearanceError::Query {
            link_a: self.robot.links[a.link].name.clone(),
            link_b: self.robot.links[b.link].name.clone(),
            error,
        })?;
        let near = found.filter(|contact| !contact.is_beyond(max_distance));
        Ok(near.map(|contact| PairContact {
            contact,
            part: None,
        }))
    }

    fn support(&self, body: usize, pose: &Isometry3<f64>, m: &Vector3<f64>) -> Option<f64> {
        let shape = &self.bodies[body].shape;
        let own = pose.rotation.inverse_transform_vector(m);
        Some(shape.as_ref().support(&own)? + m.dot(&pose.translation.vector))
    }
}

/// The warm starts of the pairs that came to a query.
pub(crate) struct PairCaches {
    index: Vec<u32>,
    caches: Vec<PairCache>,
}

impl PairCaches {
    pub fn new(pairs: usize) -> Self {
        PairCaches {
            index: vec![u32::MAX; pairs],
            caches: Vec::new(),
        }
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.index.fill(u32::MAX);
        self.caches.clear();
    }

    pub fn of(&mut self, pair: usize) -> &mut PairCache {
        if self.index[pair] == u32::MAX {
            self.index[pair] = self.caches.len() as u32;
            self.caches.push(PairCache::default());
        }
        &mut self.caches[self.index[pair] as usize]
    }
}
