//! Every method on the pairs of a motion that come near each other: the counterpart of Table 4.
//!
//! As in the paper a pair is asked for only if its bounding spheres meet and then its oriented boxes, and
//! counts where the bodies overlap. A warm start goes on from the answer of the same pair at the moment
//! before; a scheme that does not get on from there makes a new guess.

use super::hands::ask;
use super::judge::Judge;
use super::{Body, Hands, Meshes, Moment, Verdict};
use crate::statistics::Summary;
use anyhow::Result;
use parry3d_f64::math::Pose;
use rayon::prelude::*;
use std::time::Instant;
use superovoid::published::{Jacobian, Scheme, SchemeOptions, scheme_contact};
use superovoid::{Contact, DepthMode, PairCache, QueryOptions};

/// A method and how it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The published scheme; `None` for the exact method.
    pub scheme: Option<Scheme>,
    /// Of the exact method; the schemes know only the fast one.
    pub depth: DepthMode,
    /// From the answer at the moment before.
    pub warm: bool,
}

const fn setting(scheme: Option<Scheme>, warm: bool) -> Setting {
    Setting {
        scheme,
        depth: DepthMode::Fast,
        warm,
    }
}

impl Setting {
    /// All that are compared.
    pub const ALL: [Setting; 11] = [
        setting(None, false),
        setting(None, true),
        Setting {
            depth: DepthMode::Certified,
            ..setting(None, false)
        },
        setting(Some(Scheme::OctImplicit), false),
        setting(Some(Scheme::OctImplicit), true),
        setting(Some(Scheme::QuadImplicit), false),
        setting(Some(Scheme::QuadImplicit), true),
        setting(Some(Scheme::QuadParametric), false),
        setting(Some(Scheme::QuadParametric), true),
        setting(Some(Scheme::NtbParametric), false),
        setting(Some(Scheme::NtbParametric), true),
    ];

    /// The exact method with its fast depth.
    pub fn exact(warm: bool) -> Setting {
        setting(None, warm)
    }

    /// Its name in the report.
    pub fn name(self) -> String {
        let proof = match self.depth {
            DepthMode::Certified => ", certified depth",
            _ => "",
        };
        format!("{}{proof}", self.scheme.map_or("exact", Scheme::name))
    }

    /// `cold` or `warm`.
    pub fn start(self) -> &'static str {
        if self.warm { "warm" } else { "cold" }
    }

    fn ask(self, pair: [&Body; 2], cache: Option<&mut PairCache>) -> Result<Contact> {
        let Some(scheme) = self.scheme else {
            let options = QueryOptions::default().with_depth(self.depth);
            return ask(pair, &options, cache);
        };
        let options = SchemeOptions {
            scheme,
            jacobian: Jacobian::ForwardDifferences,
            ..SchemeOptions::default()
        };
        let [a, b] = pair;
        let found = scheme_contact(&a.shape, &a.pose, &b.shape, &b.pose, &options, cache)?;
        Ok(found)
    }
}

/// How a setting fared on pairs apart or on pairs that overlap.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Number of pairs, over all moments.
    pub pairs: usize,
    /// Right answers.
    pub right: usize,
    /// Stationary depths that are not the least.
    pub not_least: usize,
    /// Answers labelled as not converged.
    pub not_converged: usize,
    /// Wrong answers.
    pub wrong: usize,
    /// The largest error of the distance among the right answers, metres.
    pub worst: f64,
    /// Iterations of a query.
    pub iterations: Summary,
    /// Microseconds of each query.
    pub microseconds: Vec<f64>,
}

/// A setting with its scores.
#[derive(Clone, Debug)]
pub struct Row {
    /// The setting.
    pub setting: Setting,
    /// Pairs apart (those whose boxes meet all the same), pairs that overlap.
    pub sides: [Score; 2],
}

/// What is asked of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshQuery {
    /// Whether the surfaces cross.
    Cross,
    /// The distance of the surfaces, 0 where they cross.
    Distance,
    /// The signed distance of the convex hulls.
    Depth,
}

/// A query of meshes on the pairs that overlap.
#[derive(Clone, Debug)]
pub struct MeshRow {
    /// Name of the meshes.
    pub meshes: String,
    /// The query.
    pub query: MeshQuery,
    /// Pairs that overlap, over all moments.
    pub pairs: usize,
    /// Of these, those that the query calls apart.
    pub missed: usize,
    /// Queries without an answer.
    pub failed: usize,
    /// How far the depths are off, metres; only of [`MeshQuery::Depth`] of meshes of the superovoids.
    pub error: Summary,
    /// Microseconds of each query.
    pub microseconds: Vec<f64>,
}

/// One version of the hands over a motion.
#[derive(Clone, Debug)]
pub struct Study {
    /// Name of the version.
    pub name: String,
    /// Pairs of bodies, over all moments.
    pub considered: usize,
    /// Of these, those that the bounding spheres and boxes leave.
    pub near: usize,
    /// One a setting.
    pub rows: Vec<Row>,
    /// The meshes of these bodies, if there were any.
    pub meshes: Vec<MeshRow>,
}

impl Study {
    /// Asks every setting for every pair of the motion that is near, in the order of time, and judges the
    /// answers. `step` is called after each moment.
    ///
    /// # Errors
    /// As [`Hands::at`].
    pub fn run(
        hands: &Hands,
        moments: &[Moment],
        meshes: Option<&Meshes>,
        mut step: impl FnMut(),
    ) -> Result<Study> {
        let judge = Judge::new(hands);
        let mut caches = vec![[PairCache::default(); Setting::ALL.len()]; hands.pairs.len()];
        let mut study = Study {
            name: hands.name.clone(),
            considered: moments.len() * hands.pairs.len(),
            near: 0,
            rows: Vec::from(Setting::ALL.map(|setting| Row {
                setting,
                sides: [Score::default(), Score::default()],
            })),
            meshes: meshes.map_or_else(Vec::new, |meshes| MeshRow::all(&meshes.name)),
        };
        for moment in moments {
            let bodies = hands.at(moment)?;
            let mut asked = Vec::new();
            for (&pair, caches) in hands.pairs.iter().zip(&mut caches) {
                let [a, b] = pair.map(|k| &bodies[k]);
                if near(a, b) {
                    asked.push((pair, answers([a, b], caches)?));
                }
            }
            let judged: Vec<(f64, Vec<Verdict>)> = asked
                .par_iter()
                .map(|(pair, answers)| {
                    let normals = answers.iter().map(|a| a.contact.normal.into_inner());
                    let truth = judge.truth(*pair, &bodies, normals);
                    let verdict = |a: &Answer| truth.verdict(&a.contact);
                    (truth.distance(), answers.iter().map(verdict).collect())
                })
                .collect();
            let poses = meshes.map(|meshes| Ok(meshes.at(&hands.links(moment)?)));
            let poses: Option<Vec<Pose>> = poses.transpose().map_err(|e: anyhow::Error| e)?;
            study.near += asked.len();
            for ((pair, answers), (truth, verdicts)) in asked.iter().zip(judged) {
                let side = usize::from(truth < 0.0);
                for ((row, answer), verdict) in study.rows.iter_mut().zip(answers).zip(verdicts) {
                    row.sides[side].add(answer, verdict, truth);
                }
                if let (Some(meshes), Some(poses), 1) = (meshes, &poses, side) {
                    for row in &mut study.meshes {
                        row.ask(meshes, *pair, poses, Some(truth));
                    }
                }
            }
            step();
        }
        Ok(study)
    }

    /// Number of pairs that overlap, over all moments.
    pub fn overlapping(&self) -> usize {
        self.rows[0].sides[1].pairs
    }
}

/// As in the paper: bounding spheres, then oriented boxes.
fn near(a: &Body, b: &Body) -> bool {
    let sphere = |body: &Body| body.shape.bounding_sphere().transformed(&body.pose);
    let boxed = |body: &Body| body.shape.obb(&body.pose);
    sphere(a).intersects(&sphere(b)) && boxed(a).intersects(&boxed(b))
}

struct Answer {
    contact: Contact,
    microseconds: f64,
}

/// One answer a setting.
fn answers(pair: [&Body; 2], caches: &mut [PairCache]) -> Result<Vec<Answer>> {
    let answer = |(setting, cache): (&Setting, &mut PairCache)| {
        let before = *cache;
        let (contact, microseconds) = timed(|| {
            *cache = before;
            setting.ask(pair, setting.warm.then_some(&mut *cache))
        });
        Ok(Answer {
            contact: contact?,
            microseconds,
        })
    };
    Setting::ALL.iter().zip(caches).map(answer).collect()
}

/// The answer and the microseconds of the fastest of three calls: other work on the machine only adds to
/// them.
fn timed<T>(mut call: impl FnMut() -> T) -> (T, f64) {
    let mut once = || {
        let start = Instant::now();
        let answer = std::hint::black_box(call());
        (answer, start.elapsed().as_secs_f64() * 1e6)
    };
    let [first, second, (answer, third)] = [once(), once(), once()];
    (answer, third.min(first.1).min(second.1))
}

impl Score {
    fn add(&mut self, answer: &Answer, verdict: Verdict, truth: f64) {
        self.pairs += 1;
        match verdict {
            Verdict::Right => {
                self.right += 1;
                let error = (answer.contact.distance - truth).abs();
                self.worst = self.worst.max(error);
            }
            Verdict::NotLeast => self.not_least += 1,
            Verdict::NotConverged => self.not_converged += 1,
            Verdict::Wrong => self.wrong += 1,
        }
        self.iterations.add(f64::from(answer.contact.iterations));
        self.microseconds.push(answer.microseconds);
    }
}

impl MeshRow {
    fn all(meshes: &str) -> Vec<MeshRow> {
        let row = |query| MeshRow {
            meshes: meshes.to_owned(),
            query,
            pairs: 0,
            missed: 0,
            failed: 0,
            error: Summary::default(),
            microseconds: Vec::new(),
        };
        Vec::from([MeshQuery::Cross, MeshQuery::Distance, MeshQuery::Depth].map(row))
    }

    /// The same queries of meshes that are no superovoids, on the pairs whose hulls overlap by GJK and EPA.
    ///
    /// # Errors
    /// As [`Hands::links`].
    pub fn of_meshes_alone(
        meshes: &Meshes,
        hands: &Hands,
        moments: &[Moment],
        mut step: impl FnMut(),
    ) -> Result<Vec<MeshRow>> {
        let mut rows = MeshRow::all(&meshes.name);
        for moment in moments {
            let poses = meshes.at(&hands.links(moment)?);
            for &pair in hands.pairs.iter().filter(|p| meshes.near(**p, &poses)) {
                if meshes.hull_distance(pair, &poses).is_none_or(|d| d < 0.0) {
                    for row in &mut rows {
                        row.ask(meshes, pair, &poses, None);
                    }
                }
            }
            step();
        }
        Ok(rows)
    }

    fn ask(&mut self, meshes: &Meshes, pair: [usize; 2], poses: &[Pose], truth: Option<f64>) {
        self.pairs += 1;
        // Positive: called apart.
        let (distance, microseconds) = timed(|| match self.query {
            MeshQuery::Cross => meshes
                .surfaces_cross(pair, poses)
                .map(|cross| if cross { 0.0 } else { 1.0 }),
            MeshQuery::Distance => meshes.surface_distance(pair, poses),
            MeshQuery::Depth => meshes.hull_distance(pair, poses),
        });
        self.microseconds.push(microseconds);
        match distance {
            None => self.failed += 1,
            Some(distance) => {
                self.missed += usize::from(distance > 0.0);
                if let (MeshQuery::Depth, Some(truth)) = (self.query, truth) {
                    self.error.add((distance - truth).abs());
                }
            }
        }
    }
}
