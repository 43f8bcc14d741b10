//! Numbers of bodies with which pairs of links stay free.
//!
//! A robot that is fitted is compared with the robot as it is, pose by pose. Where a pair of links is lost, the two collisions
//! that meet get the fewest bodies together with which they are apart in all poses in which the pair was lost, and among
//! these numbers those that keep them farthest apart. The numbers only grow, so that this ends.

use super::convert::{Converted, Work};
use super::error::FitRobotError;
use super::kept::{KeepFree, KeptFree, LostPair, PairDistance, Raised};
use nalgebra::Isometry3;
use std::collections::btree_map::Entry::{Occupied, Vacant};
use std::collections::{BTreeMap, BTreeSet};
use superovoid::{QueryError, QueryOptions, Shape};
use superovoid_robot::scene::{Counterpart, RobotScene, RobotSceneError, SceneOptions};
use superovoid_robot::{CollisionStatus, Configuration, Robot};

/// The distance of two links and whether they are free.
#[derive(Clone, Copy)]
struct Apart {
    distance: f64,
    status: CollisionStatus,
}

/// The pairs of links that are near in a pose.
type Near = BTreeMap<[usize; 2], Apart>;

/// The collisions with the numbers of bodies that keep pairs free, with the text and the report.
pub(super) fn converted<'a>(
    keep: &KeepFree,
    work: &mut Work<'a>,
    written: impl Fn(&Converted<'a>) -> Result<(String, Robot), FitRobotError>,
) -> Result<(Converted<'a>, String, KeptFree), FitRobotError> {
    let (links, kept) = (work.robot.links(), keep.scene.robot().links());
    let same = |k: usize| {
        let [a, b] = [links.get(k), kept.get(k)];
        a.map(|link| (&link.name, link.collisions.len()))
            == b.map(|link| (&link.name, link.collisions.len()))
    };
    if let Some(k) = (0..links.len().max(kept.len())).find(|&k| !same(k)) {
        let link = links.get(k).or(kept.get(k));
        let link = link.map_or(String::new(), |link| link.name.clone());
        return Err(FitRobotError::OtherRobot { link });
    }
    let search = Search::new(keep)?;
    let as_is = search.near(keep.scene, keep.within)?;
    let mut before = None;
    let mut lost: BTreeMap<[usize; 2], Lost> = BTreeMap::new();
    loop {
        let converted = work.converted()?;
        let (urdf, robot) = written(&converted)?;
        let scene = search.scene_of(robot)?;
        let fitted = search.near(&scene, keep.within)?;
        let now = lost_pairs(&as_is, &fitted);
        for (&pair, poses) in &now {
            lost.entry(pair).or_default().poses.extend(poses);
        }
        let before = before.get_or_insert_with(|| counts(&converted));
        if now.is_empty() {
            let kept = search.report(&scene, &as_is, &fitted, raised(before, &converted))?;
            return Ok((converted, urdf, kept));
        }
        let mut grown = false;
        for pair in now.keys() {
            if let Some(lost) = lost.get_mut(pair) {
                grown |= search.raise(*pair, lost, work, &converted)?;
            }
        }
        if !grown {
            let pairs = search.lost(&scene, &lost, &now)?;
            let most = keep.most.max(work.options.parts.most);
            return Err(FitRobotError::Lost { most, pairs });
        }
    }
}

/// The pairs that are free as they are and not as they are fitted, with the poses.
fn lost_pairs(as_is: &[Near], fitted: &[Near]) -> BTreeMap<[usize; 2], BTreeSet<usize>> {
    let mut lost: BTreeMap<_, BTreeSet<usize>> = BTreeMap::new();
    for (pose, (as_is, fitted)) in as_is.iter().zip(fitted).enumerate() {
        for (pair, apart) in fitted {
            if apart.status != CollisionStatus::Free && is_free(as_is, pair) {
                lost.entry(*pair).or_default().insert(pose);
            }
        }
    }
    lost
}

/// Whether a pair is free: those that are not near are.
fn is_free(near: &Near, pair: &[usize; 2]) -> bool {
    near.get(pair)
        .is_none_or(|apart| apart.status == CollisionStatus::Free)
}

/// The numbers of bodies by link and collision.
fn counts(converted: &Converted) -> BTreeMap<[usize; 2], usize> {
    let mut counts = BTreeMap::new();
    for body in &converted.bodies {
        *counts.entry([body.link, body.collision]).or_insert(0) += 1;
    }
    counts
}

fn raised(before: &BTreeMap<[usize; 2], usize>, converted: &Converted) -> Vec<Raised> {
    let now = counts(converted).into_iter();
    let raised = now.filter_map(|(at, bodies)| {
        let from = before.get(&at).copied().unwrap_or(0);
        let [link, collision] = at;
        (bodies != from).then_some(Raised {
            link,
            collision,
            from,
            bodies,
        })
    });
    raised.collect()
}

/// A pair that was lost.
#[derive(Default)]
struct Lost {
    /// The poses in which it was at some time.
    poses: BTreeSet<usize>,
    /// Where no number of bodies keeps it, the largest distance that was found in all of these poses.
    best: Option<f64>,
}

/// A shape in the frame of its link.
type Placed = (Shape, Isometry3<f64>);

/// A number of bodies of a collision, and these.
type Rung = (usize, Vec<Placed>);

struct Search<'a> {
    keep: &'a KeepFree<'a>,
    configurations: Vec<Configuration>,
    /// The poses of the links.
    links: Vec<Vec<Isometry3<f64>>>,
}

impl<'a> Search<'a> {
    fn new(keep: &'a KeepFree<'a>) -> Result<Self, FitRobotError> {
        let links = keep.poses.iter().map(|(name, configuration)| {
            let posed = keep.scene.robot().forward_kinematics(configuration);
            posed.map_err(|problem| FitRobotError::Pose {
                pose: name.clone(),
                problem,
            })
        });
        Ok(Search {
            keep,
            configurations: keep.poses.iter().map(|(_, c)| c.clone()).collect(),
            links: links.collect::<Result<_, _>>()?,
        })
    }

    fn name(&self, link: usize) -> &str {
        &self.keep.scene.robot().links()[link].name
    }

    /// The fitted robot, with the same pairs compared.
    fn scene_of(&self, robot: Robot) -> Result<RobotScene, FitRobotError> {
        let mut scene = RobotScene::new(robot)?;
        // The robot as it is has been asked with its own setting.
        scene.set_allow_unchecked(true);
        for a in 0..self.keep.scene.robot().links().len() {
            for b in 0..a {
                let [a, b] = [a, b].map(|link| self.name(link));
                match self.keep.scene.is_allowed(a, b) {
                    Some(true) => scene.allow(a, b),
                    _ => scene.forbid(a, b),
                };
                if let Some(padding) = self.keep.scene.pair_padding(a, b) {
                    scene.set_pair_padding(a, b, padding)?;
                }
            }
            let a = self.name(a);
            if let Some(padding) = self.keep.scene.padding(a) {
                scene.set_padding(a, padding)?;
            }
        }
        Ok(scene)
    }

    /// The pairs of links that are near, in each pose.
    fn near(&self, scene: &RobotScene, within: f64) -> Result<Vec<Near>, RobotSceneError> {
        let near = scene.map(&self.configurations, 0, |scene, configuration| {
            near(scene, configuration, within)
        });
        near.into_iter().collect()
    }

    /// Gives the collisions of a pair more bodies; returns whether some have.
    fn raise(
        &self,
        pair: [usize; 2],
        lost: &mut Lost,
        work: &mut Work,
        converted: &Converted,
    ) -> Result<bool, FitRobotError> {
        let poses: Vec<[Isometry3<f64>; 2]> = lost
            .poses
            .iter()
            .map(|&pose| pair.map(|link| self.links[pose][link]))
            .collect();
        let failed = |problem| FitRobotError::Distance {
            links: pair.map(|link| self.name(link).to_owned()),
            problem,
        };
        let sides = pair.map(|link| self.collisions(link, converted));
        let (mut grown, mut best) = (false, f64::INFINITY);
        for (at_a, a) in &sides[0] {
            for (at_b, b) in &sides[1] {
                if apart(&a.1, &b.1, &poses).map_err(failed)?.is_free() {
                    continue;
                }
                let rungs = [(at_a, a), (at_b, b)];
                let [a, b] = rungs.map(|(at, now)| self.rungs(*at, now, work));
                let (a, b) = (a?, b?);
                let found = fewest(&a, &b, &poses).map_err(failed)?;
                best = best.min(found.apart.distance);
                if !found.apart.is_free() {
                    continue;
                }
                for (at, bodies, now) in [
                    (at_a, a[found.rungs[0]].0, a[0].0),
                    (at_b, b[found.rungs[1]].0, b[0].0),
                ] {
                    if bodies > now {
                        let chosen = work.chosen.entry(*at).or_insert(bodies);
                        *chosen = bodies.max(*chosen);
                        grown = true;
                    }
                }
            }
        }
        lost.best = Some(best).filter(|best| best.is_finite());
        Ok(grown)
    }

    /// The collisions of a link with what is compared of them.
    fn collisions(&self, link: usize, converted: &Converted) -> Vec<([usize; 2], Rung)> {
        let mut collisions: BTreeMap<[usize; 2], Rung> = BTreeMap::new();
        for body in converted.bodies.iter().filter(|body| body.link == link) {
            let rung = collisions.entry([link, body.collision]).or_default();
            rung.0 += 1;
            rung.1.push((body.fit.shape.into(), body.fit.pose));
        }
        let robot = self.keep.scene.robot();
        for body in robot.collision_bodies().filter(|body| body.link == link) {
            collisions
                .entry([link, body.collision])
                .or_insert_with(|| (1, vec![(body.shape.clone(), body.pose)]));
        }
        collisions.into_iter().collect()
    }

    /// The bodies of a collision as they are, and in larger numbers.
    fn rungs(
        &self,
        at: [usize; 2],
        now: &Rung,
        work: &mut Work,
    ) -> Result<Vec<Rung>, FitRobotError> {
        let mut rungs = vec![now.clone()];
        if let Some(ladder) = work.ladder(at, now.0, self.keep.most)? {
            let [link, collision] = at;
            let origin = work.robot.links()[link].collisions[collision]
                .origin
                .isometry();
            let more = ladder.rungs.iter().filter(|parts| parts.len() > now.0);
            rungs.extend(more.map(|parts| {
                let bodies = parts
                    .iter()
                    .map(|part| (part.fit.shape.into(), origin * part.fit.pose));
                (parts.len(), bodies.collect())
            }));
        }
        Ok(rungs)
    }

    /// The pairs that no number of bodies keeps, each in its worst pose.
    fn lost(
        &self,
        scene: &RobotScene,
        lost: &BTreeMap<[usize; 2], Lost>,
        now: &BTreeMap<[usize; 2], BTreeSet<usize>>,
    ) -> Result<Vec<LostPair>, FitRobotError> {
        let pairs = now.iter().map(|(&links, poses)| {
            let found = self.distances(scene, poses.iter().map(|&pose| (links, pose)))?;
            let worst = found.iter().min_by(|p, q| p.fitted.total_cmp(&q.fitted));
            let best = lost.get(&links).and_then(|lost| lost.best);
            Ok(worst.map(|worst| LostPair {
                links: links.map(|link| self.name(link).to_owned()),
                pose: self.keep.poses[worst.pose].0.clone(),
                as_is: worst.as_is,
                fitted: best.map_or(worst.fitted, |best| best.max(worst.fitted)),
            }))
        });
        let pairs: Result<Vec<Option<LostPair>>, FitRobotError> = pairs.collect();
        Ok(pairs?.into_iter().flatten().collect())
    }

    /// Both distances of pairs in poses, however far apart.
    fn distances(
        &self,
        fitted: &RobotScene,
        wanted: impl Iterator<Item = ([usize; 2], usize)>,
    ) -> Result<Vec<PairDistance>, RobotSceneError> {
        let mut scenes = [self.keep.scene.clone(), fitted.clone()];
        let mut known: BTreeMap<usize, [Near; 2]> = BTreeMap::new();
        let mut found = Vec::new();
        for (links, pose) in wanted {
            let all = match known.entry(pose) {
                Occupied(all) => all.into_mut(),
                Vacant(empty) => {
                    let mut all = [Near::new(), Near::new()];
                    for (scene, all) in scenes.iter_mut().zip(&mut all) {
                        *all = near(scene, &self.configurations[pose], f64::INFINITY)?;
                    }
                    empty.insert(all)
                }
            };
            let [as_is, fitted] = all
                .each_ref()
                .map(|all| all.get(&links).map_or(f64::INFINITY, |of| of.distance));
            found.push(PairDistance {
                links,
                pose,
                as_is,
                fitted,
            });
        }
        Ok(found)
    }

    fn report(
        &self,
        scene: &RobotScene,
        as_is: &[Near],
        fitted: &[Near],
        raised: Vec<Raised>,
    ) -> Result<KeptFree, FitRobotError> {
        let mut worst: BTreeMap<[usize; 2], (f64, usize)> = BTreeMap::new();
        let mut colliding: BTreeMap<[usize; 2], (f64, usize)> = BTreeMap::new();
        for (pose, (as_is, fitted)) in as_is.iter().zip(fitted).enumerate() {
            for (pair, apart) in fitted.iter().chain(as_is) {
                let (at, distance) = if is_free(as_is, pair) {
                    (&mut worst, apart.distance)
                } else {
                    (&mut colliding, as_is[pair].distance)
                };
                let found = at.entry(*pair).or_insert((f64::INFINITY, pose));
                if distance < found.0 {
                    *found = (distance, pose);
                }
            }
        }
        let distances = |of: BTreeMap<[usize; 2], (f64, usize)>| {
            let of = of.into_iter().map(|(pair, (_, pose))| (pair, pose));
            let mut found = self.distances(scene, of)?;
            found.sort_by(|p, q| p.fitted.total_cmp(&q.fitted));
            Ok::<_, RobotSceneError>(found)
        };
        Ok(KeptFree {
            pairs: distances(worst)?,
            colliding: distances(colliding)?,
            raised,
        })
    }
}

/// The pairs of links that are near in a configuration.
fn near(
    scene: &mut RobotScene,
    configuration: &Configuration,
    within: f64,
) -> Result<Near, RobotSceneError> {
    let options = SceneOptions::default().with_max_distance(within);
    let mut near = Near::new();
    for found in scene.contacts(configuration, &options)? {
        let Counterpart::Link { link, .. } = found.with else {
            continue;
        };
        let pair = [link.min(found.link), link.max(found.link)];
        let apart = Apart {
            distance: found.contact.distance,
            status: found.status(),
        };
        near.entry(pair)
            .and_modify(|known| *known = known.and(apart))
            .or_insert(apart);
    }
    Ok(near)
}

impl Apart {
    const FAR: Apart = Apart {
        distance: f64::INFINITY,
        status: CollisionStatus::Free,
    };

    fn is_free(&self) -> bool {
        self.status == CollisionStatus::Free
    }

    /// That of both: the smaller distance, and free if both are.
    fn and(self, other: Apart) -> Apart {
        let status = match (self.status, other.status) {
            (CollisionStatus::Free, status) => status,
            (status, _) => status,
        };
        Apart {
            distance: self.distance.min(other.distance),
            status,
        }
    }
}

/// The distance of two sets of shapes, the least over the poses of their links.
fn apart(a: &[Placed], b: &[Placed], poses: &[[Isometry3<f64>; 2]]) -> Result<Apart, QueryError> {
    let options = QueryOptions::default();
    let mut least = Apart::FAR;
    for [of_a, of_b] in poses {
        for (x, at_x) in a {
            for (y, at_y) in b {
                let found = x.contact(&(of_a * at_x), y, &(of_b * at_y), &options)?;
                if let Some(found) = found {
                    least = least.and(Apart {
                        distance: found.contact.distance,
                        status: found.contact.status(),
                    });
                }
            }
        }
    }
    Ok(least)
}

/// The indices of two rungs, and how far apart they are.
struct Found {
    rungs: [usize; 2],
    apart: Apart,
}

/// The rungs with the fewest bodies together that are free, and of these the farthest apart; or of all the farthest apart.
fn fewest(a: &[Rung], b: &[Rung], poses: &[[Isometry3<f64>; 2]]) -> Result<Found, QueryError> {
    let mut all: Vec<[usize; 2]> = Vec::new();
    for i in 0..a.len() {
        all.extend((0..b.len()).map(|j| [i, j]));
    }
    let together = |[i, j]: [usize; 2]| a[i].0 + b[j].0;
    all.sort_by_key(|rungs| together(*rungs));
    let mut best = Found {
        rungs: [0, 0],
        apart: Apart {
            distance: f64::NEG_INFINITY,
            status: CollisionStatus::Collision,
        },
    };
    for rungs in all {
        if best.apart.is_free() && together(rungs) > together(best.rungs) {
            break;
        }
        let apart = apart(&a[rungs[0]].1, &b[rungs[1]].1, poses)?;
        let better =
            (apart.is_free(), apart.distance) > (best.apart.is_free(), best.apart.distance);
        if better {
            best = Found { rungs, apart };
        }
    }
    Ok(best)
}
