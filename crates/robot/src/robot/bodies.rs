//! The bodies of a robot, and the broad phase over those of a posed one.
//!
//! Everything that does not depend on the configuration (the bodies, their bounding spheres, which links are
//! adjacent) is computed once and kept with the robot. Of the pairs that the [sweep](crate::broad_phase) leaves, those
//! whose boxes or bounding spheres are farther apart than the maximum distance are dropped.

use super::adjacency::Adjacency;
use super::model::{Collision, JointKind, Link, SuperovoidBody};
use super::tree::Tree;
use crate::broad_phase::sweep;
use crate::levels::Levels;
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use superovoid::internals::{Enclosure, PlacedEnclosure};
use superovoid::{BoundingSphere, Shape};

/// The collision shapes that take part in contact, with everything that is the same in every configuration.
#[derive(Debug)]
pub(super) struct Bodies {
    bodies: Vec<CollisionBody>,
    /// The links and collisions that no query answers.
    unchecked: Vec<(usize, usize)>,
    adjacency: Adjacency,
    /// The number of pairs on different links, and the number of those on links that are not adjacent.
    pairs: [usize; 2],
}

/// A collision shape that is compared with those of other links.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CollisionBody {
    /// The index into [`Robot::links`](super::Robot::links).
    pub link: usize,
    /// The index into the link's collisions.
    pub collision: usize,
    /// The shape.
    pub shape: Shape,
    /// The pose in the frame of the link.
    pub pose: Isometry3<f64>,
    /// The bounding volumes, in the body's own frame.
    enclosure: Enclosure,
    /// Those of the shape, for all scenes, once there is one.
    pub(crate) levels: OnceLock<Arc<Levels>>,
}

/// A posed body with its bounding volumes.
pub(super) struct Placed<'a> {
    pub body: &'a CollisionBody,
    pub pose: Isometry3<f64>,
    bounds: PlacedEnclosure,
}

/// Two bodies that may be close; the link of `a` comes before that of `b`.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub a: &'a Placed<'a>,
    pub b: &'a Placed<'a>,
    /// A lower bound of their distance, metres: that of their axis-aligned boxes or that of their bounding spheres,
    /// whichever is greater; 0 if neither separates them.
    pub apart: f64,
}

impl Bodies {
    pub fn of(links: &[Link], tree: &Tree) -> Self {
        Self::with(links, tree, |_, _, on| on.collision_shape())
    }

    /// Collects the bodies, each with the shape that `find` returns for a link and a collision.
    pub fn with(
        links: &[Link],
        tree: &Tree,
        mut find: impl FnMut(usize, usize, &Collision) -> Option<Shape>,
    ) -> Self {
        let mut found = Vec::new();
        let mut unchecked = Vec::new();
        for (link, collision, on) in collisions(links) {
            let bounded = find(link, collision, on).and_then(|shape| {
                let (enclosure, _) = shape.as_ref().enclosure().ok()??;
                Some((shape, enclosure))
            });
            let Some((shape, enclosure)) = bounded else {
                unchecked.push((link, collision));
                continue;
            };
            found.push(CollisionBody {
                link,
                collision,
                enclosure,
                levels: OnceLock::new(),
                shape,
                pose: on.origin.isometry(),
            });
        }
        let mut bodies = Bodies {
            bodies: found,
            unchecked,
            adjacency: Adjacency::of(links, tree),
            pairs: [0; 2],
        };
        bodies.pairs = bodies.count_pairs(tree);
        bodies
    }

    pub fn iter(&self) -> impl Iterator<Item = &CollisionBody> {
        self.bodies.iter()
    }

    /// Returns the bodies that are superovoids or spheres.
    pub fn superovoids(&self) -> impl Iterator<Item = SuperovoidBody> {
        self.bodies.iter().filter_map(|body| {
            let Shape::Superovoid(shape) = body.shape else {
                return None;
            };
            Some(SuperovoidBody {
                link: body.link,
                collision: body.collision,
                shape,
                pose: body.pose,
            })
        })
    }

    /// Returns the links and collisions that no query answers.
    pub fn unchecked(&self) -> &[(usize, usize)] {
        &self.unchecked
    }

    /// Returns the number of pairs of bodies on different links, without adjacent ones unless these are included.
    pub fn pair_count(&self, include_adjacent: bool) -> usize {
        self.pairs[usize::from(!include_adjacent)]
    }

    /// Returns the bodies at the poses of their links, in the order that [`Bodies::candidates`] needs.
    pub fn placed<'a>(&'a self, links: &[Isometry3<f64>]) -> Vec<Placed<'a>> {
        let place = |body: &'a CollisionBody| {
            let pose = links[body.link] * body.pose;
            let bounds = body.enclosure.at(&pose);
            Placed { body, pose, bounds }
        };
        let mut placed: Vec<Placed> = self.bodies.iter().map(place).collect();
        placed.sort_by(|a, b| a.bounds.aabb.min.x.total_cmp(&b.bounds.aabb.min.x));
        placed
    }

    /// Returns the pairs on different links that are not proven here to be farther apart than `max_distance`.
    pub fn candidates<'a>(
        &'a self,
        placed: &'a [Placed<'a>],
        max_distance: f64,
        include_adjacent: bool,
    ) -> impl Iterator<Item = Candidate<'a>> {
        let skipped = move |a: &Placed, b: &Placed| {
            let (a, b) = (a.body.link, b.body.link);
            a == b || (!include_adjacent && self.adjacent(a, b))
        };
        sweep(placed, Placed::range, move || max_distance)
            .filter(move |(first, second)| !skipped(first, second))
            .map(|(first, second)| Candidate::new(first, second))
            .filter(move |pair| !pair.farther_than(max_distance))
    }

    /// Returns which links are adjacent.
    pub fn adjacency(&self) -> &Adjacency {
        &self.adjacency
    }

    /// Whether two links are adjacent.
    pub fn adjacent(&self, a: usize, b: usize) -> bool {
        self.adjacency.adjacent(a, b)
    }

    /// Returns the two numbers of [`Bodies::pairs`], without listing the pairs.
    fn count_pairs(&self, tree: &Tree) -> [usize; 2] {
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        let links = tree.parent_joint.len();
        let mut on_link = vec![0; links];
        let mut on_rigid = BTreeMap::new();
        for body in self.iter() {
            on_link[body.link] += 1;
            *on_rigid.entry(self.adjacency.rigid(body.link)).or_insert(0) += 1;
        }
        let all = pairs(self.bodies.len());
        let same_link: usize = on_link.iter().map(|&n| pairs(n)).sum();
        let same_rigid: usize = on_rigid.values().map(|&n| pairs(n)).sum();
        let ends = tree.joints.iter().zip(&tree.ends);
        let moving = ends.filter(|(joint, _)| joint.kind != JointKind::Fixed);
        let joined: usize = moving.map(|(_, &[a, b])| on_link[a] * on_link[b]).sum();
        let through: usize = (0..links)
            .filter_map(|link| Some((link, self.adjacency.carrier(link)?)))
            .filter(|&(a, b)| self.adjacency.rigid(a) != self.adjacency.rigid(b))
            .map(|(a, b)| on_link[a] * on_link[b])
            .sum();
        [all - same_link, all - same_rigid - joined - through]
    }
}

impl Placed<'_> {
    /// Returns the ends of its box along x.
    fn range(&self) -> [f64; 2] {
        let bounds = &self.bounds.aabb;
        [bounds.min.x, bounds.max.x]
    }
}

impl CollisionBody {
    /// Returns the sphere that encloses the body, in its own frame.
    pub(crate) fn bounding_sphere(&self) -> BoundingSphere {
        self.enclosure.sphere()
    }

    /// Returns the middle and half the edges of the box that encloses the body, in its own frame.
    pub(crate) fn own_box(&self) -> (Point3<f64>, Vector3<f64>) {
        self.enclosure.own_box()
    }
}

/// Returns every collision with the index of its link and its own.
fn collisions(links: &[Link]) -> impl Iterator<Item = (usize, usize, &Collision)> {
    links.iter().enumerate().flat_map(|(link, on)| {
        let numbered = on.collisions.iter().enumerate();
        numbered.map(move |(collision, body)| (link, collision, body))
    })
}

impl<'a> Candidate<'a> {
    /// Returns a pair in the order of the links, whatever the order of the sweep.
    fn new(first: &'a Placed<'a>, second: &'a Placed<'a>) -> Self {
        let (a, b) = if first.body.link <= second.body.link {
            (first, second)
        } else {
            (second, first)
        };
        let apart = a.bounds.apart(&b.bounds);
        Candidate { a, b, apart }
    }

    /// Whether the bounds prove that the pair is beyond the distance; the boxes along the bodies' own axes are among
    /// them.
    pub fn farther_than(&self, max_distance: f64) -> bool {
        self.apart > max_distance
            || self
                .a
                .bounds
                .boxes_farther_than(&self.b.bounds, max_distance)
    }
}
