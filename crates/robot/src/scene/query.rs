//! The queries of a scene: candidates from the hierarchies, solved by the narrow phase.

use super::body::Body;
use super::candidate::Candidate;
use super::error::SceneError;
use super::id::BodyId;
use super::narrow_phase::posed_contact;
use super::scene::Scene;
use crate::broad_phase;
use std::cell::Cell;
use std::cmp::Ordering;
use std::sync::Arc;
use superovoid::internals::validate_options;
use superovoid::{CollisionStatus, Contact, DepthMode, QueryError, QueryOptions};

/// The options of a scene query.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneOptions {
    /// The distance (metres) beyond which pairs are not returned. The default is infinity.
    pub max_distance: f64,
    /// The options of every pair query; the field `max_distance` in them is replaced by the one above.
    pub query: QueryOptions,
}

impl SceneOptions {
    superovoid::setters! {
        with_max_distance max_distance: f64,
        with_query query: QueryOptions,
    }
}

impl Default for SceneOptions {
    fn default() -> Self {
        SceneOptions {
            max_distance: f64::INFINITY,
            query: QueryOptions::default(),
        }
    }
}

/// The contact of two bodies of a scene, or of a body and an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SceneContact {
    /// The body A; of two bodies it is the one with the smaller id.
    pub a: BodyId,
    /// The body B, which may be an obstacle.
    pub b: BodyId,
    /// The part of B with the least signed distance, if B is a mesh, a set of boxes or a height field; the contact is with it,
    /// and its bracket is of all parts.
    pub part: Option<u32>,
    /// The contact, with points and normal (from A to B) in the world frame.
    pub contact: Contact,
}

impl SceneContact {
    #[doc(hidden)]
    pub fn new(a: BodyId, b: BodyId, part: Option<u32>, contact: Contact) -> Self {
        SceneContact {
            a,
            b,
            part,
            contact,
        }
    }

    /// Returns what the bracket proves.
    pub fn status(&self) -> CollisionStatus {
        self.contact.status()
    }

    /// Orders contacts by distance, and equal ones by their ids.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let by_distance = self.contact.distance.total_cmp(&other.contact.distance);
        by_distance.then_with(|| (self.a, self.b).cmp(&(other.a, other.b)))
    }
}

/// The purpose for which candidates are gathered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    All,
    Closest,
}

impl Scene {
    /// Returns every pair that is compared and not proven to be farther apart than `options.max_distance`, closest
    /// (or deepest) first. For a tree of triangles or boxes it is the nearest part.
    ///
    /// # Errors
    /// The error names a `max_distance` that is negative or NaN, a query option out of its domain, or a distance that
    /// exceeds the number range.
    pub fn contacts(&mut self, options: &SceneOptions) -> Result<Vec<SceneContact>, SceneError> {
        let mut contacts = Vec::new();
        self.begin(options)?;
        self.gather(options.max_distance, Aim::All);
        self.for_candidates(|scene, pair| {
            contacts.extend(scene.solve(pair, options.max_distance, options)?);
            Ok(true)
        })?;
        contacts.sort_by(SceneContact::order);
        Ok(contacts)
    }

    /// Returns the first of [`Scene::contacts`], faster: pairs that are proven to be farther apart than another one
    /// are not solved to the end. The result is `None` if no pair is within `options.max_distance`. If several are
    /// equally close, to the tolerance, it is one of them.
    ///
    /// # Errors
    /// The errors are those of [`Scene::contacts`].
    pub fn closest(&mut self, options: &SceneOptions) -> Result<Option<SceneContact>, SceneError> {
        self.begin(options)?;
        let least = self.gather(options.max_distance, Aim::Closest);
        let candidates = std::mem::take(&mut self.candidates);
        let closest = broad_phase::closest(
            &candidates,
            least,
            |pair| pair.apart,
            SceneContact::order,
            |pair, limit| {
                let found = self.solve(pair, limit, options)?;
                Ok(found.map(|found| (found.contact.distance, found)))
            },
        );
        self.candidates = candidates;
        closest
    }

    /// Whether any pair that is compared touches or overlaps. The answer `false` is proven for every pair; one that
    /// is [`CollisionStatus::Undecided`] counts as a collision. The query ends at the first pair that is not free.
    ///
    /// The option `max_distance` is ignored.
    ///
    /// # Errors
    /// The errors are those of [`Scene::contacts`].
    pub fn in_collision(&mut self, options: &SceneOptions) -> Result<bool, SceneError> {
        self.begin(options)?;
        // A distance is solved only until it is proven to be positive, or not to be.
        let touching = 0.0;
        let query = options.query.with_depth(DepthMode::Any);
        let options = SceneOptions { query, ..*options };
        self.gather(touching, Aim::All);
        let mut found = false;
        self.for_candidates(|scene, pair| {
            found = scene.solve(pair, touching, &options)?.is_some();
            Ok(!found)
        })?;
        Ok(found)
    }

    /// Returns the result of the broad phase alone: the pairs that are compared and that bounding volumes do not
    /// prove to be farther apart than `max_distance` (metres), those with the least bound first. Every pair within
    /// that distance is among them.
    ///
    /// # Errors
    /// The error names a `max_distance` that is negative or NaN.
    pub fn candidates(&mut self, max_distance: f64) -> Result<Vec<[BodyId; 2]>, SceneError> {
        check_max_distance(max_distance)?;
        self.gather(max_distance, Aim::All);
        let near = |pair: &&Candidate| {
            let bodies = self.body(pair.a).zip(self.body(pair.b));
            bodies.is_some_and(|(a, b)| !a.boxes_farther_than(b, max_distance))
        };
        let ids = |pair: &Candidate| [pair.a, pair.b].map(|slot| self.id(slot));
        Ok(self.candidates.iter().filter(near).map(ids).collect())
    }

    fn begin(&mut self, options: &SceneOptions) -> Result<(), SceneError> {
        check_max_distance(options.max_distance)?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        self.warm.next_query();
        Ok(())
    }

    /// Fills the list of candidates, those with the least bound first, with the pairs that are not proven to be
    /// farther apart than a distance, and returns that distance: `max_distance`, or less if only the closest pair is
    /// needed and some pair certainly is closer.
    fn gather(&mut self, max_distance: f64, aim: Aim) -> f64 {
        self.bodies.fit();
        if self.obstacles.has_moved() {
            Arc::make_mut(&mut self.obstacles).fit();
        }
        let limit = Cell::new(max_distance);
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        self.for_near(&limit, |a, b, body_a, body_b| {
            let apart = body_a.apart(body_b);
            if apart > limit.get() {
                return;
            }
            candidates.push(Candidate { a, b, apart });
            if aim == Aim::Closest {
                limit.set(limit.get().min(body_a.at_most(body_b).max(0.0)));
            }
        });
        let limit = limit.get();
        candidates.retain(|pair| pair.apart <= limit);
        candidates.sort_unstable_by(Candidate::order);
        self.candidates = candidates;
        limit
    }

    /// Calls `visit` with the candidates until it returns false.
    fn for_candidates(
        &mut self,
        mut visit: impl FnMut(&mut Self, &Candidate) -> Result<bool, SceneError>,
    ) -> Result<(), SceneError> {
        let candidates = std::mem::take(&mut self.candidates);
        let mut result = Ok(true);
        for pair in &candidates {
            result = visit(self, pair);
            if !matches!(result, Ok(true)) {
                break;
            }
        }
        self.candidates = candidates;
        result.map(|_| ())
    }

    /// Visits every pair that is compared and that the hierarchies do not prove to be farther apart than
    /// `max_distance`: slots and bodies, A's first.
    fn for_near(&self, max_distance: &Cell<f64>, mut visit: impl FnMut(u32, u32, &Body, &Body)) {
        let mut meet = |a: u32, b: u32| {
            if let (Some(body_a), Some(body_b)) = (self.body(a), self.body(b))
                && !self.is_skipped(body_a, body_b)
            {
                visit(a, b, body_a, body_b);
            }
        };
        self.bodies.pairs(max_distance, &mut meet);
        self.bodies
            .pairs_with(&self.obstacles, max_distance, &mut meet);
        for &half_space in &self.half_spaces {
            for (body, _) in self.bodies.leaves() {
                meet(body, half_space);
            }
        }
    }

    /// Returns the contact of a pair, unless it is proven to be farther apart than `max_distance`; the boxes along the
    /// bodies' own axes are tried first.
    fn solve(
        &mut self,
        pair: &Candidate,
        max_distance: f64,
        options: &SceneOptions,
    ) -> Result<Option<SceneContact>, SceneError> {
        let ids = [pair.a, pair.b].map(|slot| self.id(slot));
        let [Some(a), Some(b)] =
            [pair.a, pair.b].map(|slot| self.slots[slot as usize].body.as_ref())
        else {
            return Ok(None);
        };
        if a.boxes_farther_than(b, max_distance) {
            return Ok(None);
        }
        let padding = self.padding_of([a, b]);
        let query = options
            .query
            .with_max_distance(padding.within(max_distance));
        let poses = [&a.pose, &b.pose];
        let found = posed_contact([a, b], poses, &query, |x, y| {
            self.warm.contact(ids, (x, &a.pose), (y, &b.pose), &query)
        });
        let padded = found.and_then(|found| padding.shifted_found(found));
        let padded = padded.map_err(|error| self.query_error([a, b], error))?;
        Ok(padded.map(|(part, contact)| SceneContact {
            a: ids[0],
            b: ids[1],
            part,
            contact,
        }))
    }
}

impl Scene {
    /// Returns the error of a query, with the names of the bodies' groups.
    pub(super) fn query_error(&self, [a, b]: [&Body; 2], error: QueryError) -> SceneError {
        SceneError::Query {
            group_a: self.name(a.group),
            group_b: self.name(b.group),
            error,
        }
    }
}

pub(super) fn check_max_distance(max_distance: f64) -> Result<(), SceneError> {
    if max_distance.is_nan() || max_distance < 0.0 {
        return Err(SceneError::MaxDistance {
            value: max_distance,
        });
    }
    Ok(())
}
