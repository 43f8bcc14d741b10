//! Edges of a robot among obstacles.

use super::SceneError;
use super::body::{Body, BodyPlace};
use super::narrow_phase::posed_contact;
use super::padding::PairPadding;
use super::query::SceneContact;
use super::robot::{Part, RobotContact, RobotScene, RobotSceneError};
use super::scene::Scene;
use crate::robot::edge::body::{Bound, EdgeBody, EdgePairs, PairContact};
use crate::robot::edge::line::Line;
use crate::robot::edge::query::PairCaches;
use crate::robot::edge::search::{Path, prove_path};
use crate::robot::{Configuration, EdgeAnswer, EdgeOptions, EdgeStatus};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;
use superovoid::QueryOptions;
use superovoid::internals::validate_options;

impl RobotScene {
    /// Judges the straight line between two configurations, among the obstacles where they are and among the links: as
    /// [`Robot::edge_free`](crate::robot::Robot::edge_free), with the pairs that this scene compares.
    ///
    /// # Errors
    /// The error names a configuration of another robot, an option out of its domain, or a distance that exceeds the
    /// number range.
    pub fn edge_free(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        options: &EdgeOptions,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        options.validate()?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        let list = self.compared_pairs();
        let mut line = Line::new(&self.robot, self.base, [from, to])?;
        self.prove(&mut line, &list, options)
    }

    /// Judges a path, with options that are valid.
    pub(super) fn prove(
        &self,
        path: &mut impl Path,
        list: &[[u32; 2]],
        options: &EdgeOptions,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        let bodies = self.edge_bodies();
        let mut pairs = ScenePairs::new(&self.scene, list, options.query);
        let answer = prove_path(path, &bodies, list, &mut pairs, options)?;
        let mut answer = answer.map(|(pair, found)| {
            let [a, b] = list[pair].map(|slot| self.scene.id(slot));
            let PairContact { contact, part } = found?;
            let contact = pair_padding(&self.scene, list[pair]).shifted(contact);
            self.of_robot(&SceneContact {
                a,
                b,
                part,
                contact,
            })
        });
        answer.unchecked = self.robot.unchecked().len();
        if answer.unchecked > 0 && answer.status == EdgeStatus::Free {
            answer.status = EdgeStatus::Undecided;
        }
        Ok(answer)
    }

    /// Returns the body of every slot.
    pub(super) fn edge_bodies(&self) -> Vec<EdgeBody> {
        let slots = (0u32..).zip(&self.scene.slots);
        let bodies = slots.map(|(slot, of)| {
            let body = of.body.as_ref();
            body.map_or(NOWHERE, |body| edge_body(self.part_in(slot), body))
        });
        bodies.collect()
    }

    /// Returns the pairs that are compared, by their slots: those of the links first.
    pub(super) fn compared_pairs(&mut self) -> Arc<[[u32; 2]]> {
        if let Some(list) = &self.compared_pairs {
            return Arc::clone(list);
        }
        let bodies = || {
            let slots = (0u32..).zip(&self.scene.slots);
            slots.filter_map(|(slot, of)| Some((slot, of.body.as_ref()?)))
        };
        let mut list = Vec::new();
        for (a, body_a) in bodies().filter(|(_, body)| !body.is_obstacle) {
            let others = bodies().filter(|(b, body)| body.is_obstacle || *b > a);
            for (b, body_b) in others {
                if !self.scene.is_skipped(body_a, body_b) {
                    list.push([a, b]);
                }
            }
        }
        let list: Arc<[[u32; 2]]> = list.into();
        self.compared_pairs = Some(Arc::clone(&list));
        list
    }
}

/// A slot without a body, which is in no pair.
const NOWHERE: EdgeBody = EdgeBody {
    link: None,
    pose: Isometry3 {
        rotation: nalgebra::Unit::new_unchecked(nalgebra::Quaternion::new(1.0, 0.0, 0.0, 0.0)),
        translation: nalgebra::Translation3::new(0.0, 0.0, 0.0),
    },
    bound: Bound::Sphere {
        centre: nalgebra::Point3::new(0.0, 0.0, 0.0),
        radius: 0.0,
    },
};

/// Returns a body, without its padding: a part of the robot, or an obstacle.
fn edge_body(part: Option<&Part>, body: &Body) -> EdgeBody {
    let bound = match (&body.place, body.bare_sphere()) {
        (BodyPlace::HalfSpace(half_space, _), _) => Bound::HalfSpace(*half_space),
        (BodyPlace::Bounded { .. }, Some(sphere)) => Bound::Sphere {
            centre: sphere.center,
            radius: sphere.radius,
        },
        (BodyPlace::Bounded { .. }, None) => return NOWHERE,
    };
    EdgeBody {
        link: part.map(|part| part.link),
        pose: part.map_or(body.pose, |part| part.pose),
        bound,
    }
}

/// Returns the padding of the bodies in two slots.
fn pair_padding(scene: &Scene, slots: [u32; 2]) -> PairPadding {
    let [a, b] = slots.map(|slot| scene.body(slot));
    let bodies = a.zip(b);
    bodies.map_or(PairPadding::NONE, |(a, b)| scene.padding_of([a, b]))
}

/// The pairs of a robot in its scene.
pub(super) struct ScenePairs<'a> {
    scene: &'a Scene,
    list: &'a [[u32; 2]],
    caches: PairCaches,
    query: QueryOptions,
}

impl<'a> ScenePairs<'a> {
    pub fn new(scene: &'a Scene, list: &'a [[u32; 2]], query: QueryOptions) -> Self {
        ScenePairs {
            scene,
            list,
            caches: PairCaches::new(list.len()),
            query,
        }
    }
}

impl EdgePairs for ScenePairs<'_> {
    type Error = RobotSceneError;

    fn contact(
        &mut self,
        pair: usize,
        [pose_a, pose_b]: [&Isometry3<f64>; 2],
        max_distance: f64,
    ) -> Result<Option<PairContact>, RobotSceneError> {
        let query = self.query.with_max_distance(max_distance);
        let [Some(a), Some(b)] = self.list[pair].map(|slot| self.scene.body(slot)) else {
            return Ok(None);
        };
        let cache = self.caches.of(pair);
        let near = posed_contact([a, b], [pose_a, pose_b], &query, |x, y| {
            superovoid::contact(x, pose_a, y, pose_b, &query, Some(cache))
        });
        let near = near.map_err(|error| self.scene.query_error([a, b], error))?;
        Ok(near.map(|(part, contact)| PairContact { contact, part }))
    }

    fn padding(&self, pair: usize) -> f64 {
        pair_padding(self.scene, self.list[pair]).total()
    }

    fn support(&self, body: usize, pose: &Isometry3<f64>, m: &Vector3<f64>) -> Option<f64> {
        let own = pose.rotation.inverse_transform_vector(m);
        let body = self.scene.slots[body].body.as_ref()?;
        let value = body.shape.as_ref().support(&own)?;
        Some(value + m.dot(&pose.translation.vector))
    }
}
