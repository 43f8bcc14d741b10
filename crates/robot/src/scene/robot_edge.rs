//! Edges of a robot among obstacles.

use super::SceneError;
use super::body::{Body, BodyPlace};
use super::configurations::{Memory as LaneMemory, prove_in_lanes};
use super::narrow_phase::posed_contact;
use super::padding::PairPadding;
use super::part::Part;
use super::query::SceneContact;
use super::robot::{RobotContact, RobotScene, RobotSceneError, in_parts};
use super::scene::Scene;
use crate::levels::hull_contact;
use crate::robot::edge::body::{Bound, EdgeBody, EdgePairs, OwnBox, PairContact};
use crate::robot::edge::edge_options::is_late;
use crate::robot::edge::line::Line;
use crate::robot::edge::posed::Memory;
use crate::robot::edge::query::PairCaches;
use crate::robot::edge::search::{Path, Rest, prove_path};
use crate::robot::{Configuration, EdgeAnswer, EdgeOptions, EdgeStatus, States};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;
use superovoid::internals::validate_options;
use superovoid::{Outcome, QueryOptions};

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
        self.edge_free_until(from, to, options, &mut || false)
    }

    /// Judges an edge as [`RobotScene::edge_free`] does, and ends undecided as soon as `stop` returns true. It is asked before
    /// every block of eight configurations: once in some microseconds, or milliseconds where meshes are near.
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::edge_free`].
    pub fn edge_free_until(
        &mut self,
        from: &Configuration,
        to: &Configuration,
        options: &EdgeOptions,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        options.validate()?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        let deadline = options.deadline();
        let list = self.compared_pairs();
        let kept = self.memory.take();
        let mut stop = || stop() || is_late(deadline);
        let mut prover = Prover::new(self, &list, options, kept);
        let answer = prover.edge([from, to], &mut stop);
        if let Some(lanes) = prover.lanes {
            self.memory.keep(lanes);
        }
        answer
    }

    /// Judges many edges, each as [`RobotScene::edge_free`] does, to the last bit, on several threads (0: as many as the
    /// machine runs at once). Of `options` the `max_time` is that of the whole batch: where it ends, the edges that are
    /// left are undecided, at 0 states.
    ///
    /// ```
    /// # use superovoid_robot::{EdgeOptions, Robot};
    /// # use superovoid_robot::scene::RobotScene;
    /// # let robot = Robot::from_urdf_str(r#"<robot name="r"><link name="l"/></robot>"#)?;
    /// let mut scene = RobotScene::new(robot)?;
    /// let at = scene.robot().neutral();
    /// let edges = vec![[at.clone(), at]; 100];
    /// let answers = scene.edge_free_batch(&edges, &EdgeOptions::default(), 0)?;
    /// assert!(answers.iter().all(|answer| answer.is_free()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors are those of [`RobotScene::edge_free`], of the first edge that has one.
    pub fn edge_free_batch(
        &mut self,
        edges: &[[Configuration; 2]],
        options: &EdgeOptions,
        threads: usize,
    ) -> Result<Vec<EdgeAnswer<RobotContact>>, RobotSceneError> {
        options.validate()?;
        validate_options(&options.query).map_err(SceneError::Options)?;
        let deadline = options.deadline();
        let list = self.compared_pairs();
        let scene = &*self;
        let parts = in_parts(edges, EDGES_PER_PART, threads, |part| {
            let mut prover = Prover::new(scene, &list, options, None);
            let mut stop = || is_late(deadline);
            let answers = part
                .iter()
                .map(|[from, to]| prover.edge([from, to], &mut stop));
            answers.collect::<Result<Vec<_>, _>>()
        });
        let mut answers = Vec::with_capacity(edges.len());
        for part in parts {
            answers.extend(part?);
        }
        Ok(answers)
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

/// The number of edges that one thread answers in a row.
const EDGES_PER_PART: usize = 16;

/// What judges one path after the other; the memory of one serves the next.
pub(super) struct Prover<'a> {
    scene: &'a RobotScene,
    list: &'a [[u32; 2]],
    options: &'a EdgeOptions,
    /// For the search in lanes, and for that by bodies where there is one.
    lanes: Option<Box<LaneMemory>>,
    by_bodies: Option<ByBodies<'a>>,
}

struct ByBodies<'a> {
    bodies: Vec<EdgeBody>,
    pairs: ScenePairs<'a>,
    memory: Memory,
}

impl<'a> Prover<'a> {
    /// The options must be valid.
    pub fn new(
        scene: &'a RobotScene,
        list: &'a [[u32; 2]],
        options: &'a EdgeOptions,
        kept: Option<Box<LaneMemory>>,
    ) -> Self {
        Prover {
            scene,
            list,
            options,
            lanes: kept,
            by_bodies: None,
        }
    }

    fn edge(
        &mut self,
        ends: [&Configuration; 2],
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        let Prover { scene, list, .. } = *self;
        States::Of(&ends).check(&scene.robot)?;
        let options = self.options;
        let lanes = self
            .lanes
            .get_or_insert_with(|| LaneMemory::new(&scene.placed(), list));
        let rest = prove_in_lanes(scene, lanes, list, ends, options, stop)?;
        if let Some(rest) = &rest
            && rest.intervals.is_empty()
        {
            return Ok(self.with_unchecked(EdgeAnswer::free(rest.states, rest.distances)));
        }
        let mut line = Line::new(&scene.robot, scene.base, ends)?;
        self.prove(&mut line, rest.as_ref(), stop)
    }

    /// Judges a path, or the rest of it, until `stop` says that it has to end undecided.
    pub fn prove(
        &mut self,
        path: &mut impl Path,
        rest: Option<&Rest>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<EdgeAnswer<RobotContact>, RobotSceneError> {
        let Prover { scene, list, .. } = *self;
        let query = self.options.query;
        let by_bodies = self.by_bodies.get_or_insert_with(|| ByBodies {
            bodies: scene.edge_bodies(),
            pairs: ScenePairs::new(&scene.scene, list, query),
            memory: Memory::default(),
        });
        by_bodies.pairs.caches.clear();
        let answer = prove_path(
            path,
            &by_bodies.bodies,
            list,
            &mut by_bodies.pairs,
            self.options,
            stop,
            &mut by_bodies.memory,
            rest,
        )?;
        let answer = answer.map(|(pair, found)| {
            let [a, b] = list[pair].map(|slot| scene.scene.id(slot));
            let PairContact { contact, part } = found?;
            let contact = pair_padding(&scene.scene, list[pair])
                .shifted(contact)
                .ok()?;
            scene.of_robot(&SceneContact {
                a,
                b,
                part,
                contact,
            })
        });
        Ok(self.with_unchecked(answer))
    }

    fn with_unchecked(&self, mut answer: EdgeAnswer<RobotContact>) -> EdgeAnswer<RobotContact> {
        answer.unchecked = self.scene.robot.unchecked().len();
        if answer.unchecked > 0 && answer.status == EdgeStatus::Free {
            answer.status = EdgeStatus::Undecided;
        }
        answer
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
    own_box: OwnBox::ALL,
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
        own_box: match body.bare_box() {
            Some((centre, half)) => OwnBox { centre, half },
            None => OwnBox::ALL,
        },
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
    is_padded: bool,
}

impl<'a> ScenePairs<'a> {
    pub fn new(scene: &'a Scene, list: &'a [[u32; 2]], query: QueryOptions) -> Self {
        ScenePairs {
            scene,
            list,
            caches: PairCaches::new(list.len()),
            query,
            is_padded: !scene.padding.is_empty(),
        }
    }
}

impl EdgePairs for ScenePairs<'_> {
    type Error = RobotSceneError;

    fn contact(
        &mut self,
        pair: usize,
        [pose_a, pose_b]: [&Isometry3<f64>; 2],
        keep: f64,
        max_distance: f64,
    ) -> Result<Option<PairContact>, RobotSceneError> {
        let query = self.query.with_max_distance(max_distance);
        let [Some(a), Some(b)] = self.list[pair].map(|slot| self.scene.body(slot)) else {
            return Ok(None);
        };
        // The hulls of meshes are known to be apart in less time than the meshes.
        const ENOUGH: f64 = 0.25;
        let enough = keep + ENOUGH * (max_distance - keep).max(0.0);
        let has_parts = a.shape.as_ref().has_parts() || b.shape.as_ref().has_parts();
        if has_parts && let (Some(hull_a), Some(hull_b)) = (a.hull(), b.hull()) {
            let found = hull_contact([hull_a, hull_b], [pose_a, pose_b], &query);
            let found = found.map_err(|error| self.scene.query_error([a, b], error))?;
            match found {
                Some(contact) if contact.lower > max_distance => return Ok(None),
                Some(mut contact) if contact.lower > enough => {
                    contact.upper = f64::INFINITY;
                    contact.outcome = Outcome::NotConverged;
                    return Ok(Some(PairContact {
                        contact,
                        part: None,
                    }));
                }
                _ => {}
            }
        }
        // What is not proven by a coarse bracket goes to the halves, where it is finer; a touch is told exactly.
        const COARSE: f64 = 0.25;
        let tolerance = query.tolerance.max(COARSE * (max_distance - keep));
        let cache = self.caches.of(pair);
        let mut ask = |query: &QueryOptions| {
            let near = posed_contact([a, b], [pose_a, pose_b], query, |x, y| {
                superovoid::contact(x, pose_a, y, pose_b, query, Some(cache))
            });
            near.map_err(|error| self.scene.query_error([a, b], error))
        };
        let mut near = ask(&match has_parts {
            true => query.with_tolerance(tolerance),
            false => query,
        })?;
        if has_parts && near.is_some_and(|(_, contact)| contact.upper <= keep) {
            near = ask(&query)?;
        }
        Ok(near.map(|(part, contact)| PairContact { contact, part }))
    }

    fn padding(&self, pair: usize) -> f64 {
        if !self.is_padded {
            return 0.0;
        }
        pair_padding(self.scene, self.list[pair]).total()
    }

    fn support(&self, body: usize, pose: &Isometry3<f64>, m: &Vector3<f64>) -> Option<f64> {
        let own = pose.rotation.inverse_transform_vector(m);
        let body = self.scene.slots[body].body.as_ref()?;
        let value = match body.shape.as_ref().support(&own) {
            Some(value) => value,
            None => body.hull()?.support(&own)?,
        };
        Some(value + m.dot(&pose.translation.vector))
    }
}
