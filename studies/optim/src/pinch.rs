//! Both iCub hands from open to pinch, as an optimisation with the clearances of all pairs as constraints: what gradients
//! of clearances save against differences.
//!
//! The unknowns are the positions q of the fingers' joints. The sum of the distances from the thumb's tip to the index'
//! tip of each hand is to be least, while no pair of bodies comes nearer than a margin: 5 mm, or its clearance in the
//! open hands where that is less (fingers side by side are nearer). Sequential convex programming (Schulman et al.,
//! *Motion planning with sequential convex optimization and convex collision checking*, 2014): with the
//! distances d and their gradients J at q, the step Δ is that of the quadratic program
//!
//! ```text
//! minimise  gᵀΔ + ½ r |Δ|² + μ Σ s      with  d + J Δ + s ≥ margin,  s ≥ 0,  |Δ_j| ≤ trust,  q + Δ within the limits
//! ```
//!
//! which Clarabel (interior point) solves. A step counts if the merit, objective + μ · violations, falls by a tenth of
//! what the program foretells; the trust region grows and shrinks with that share.

use anyhow::{Context, Result, ensure};
use clarabel::algebra::CscMatrix;
use clarabel::solver::SupportedConeT::NonnegativeConeT;
use clarabel::solver::{DefaultSettings, DefaultSolver, IPSolver, SolverStatus};
use std::collections::HashMap;
use std::time::{Duration, Instant};
use superovoid_robot::{Clearance, ClearanceOptions, Configuration, Robot};

/// The clearance to be kept, metres.
pub const MARGIN: f64 = 5e-3;
/// Pairs farther apart are no constraints, metres.
const NEAR: f64 = 0.03;
/// The tips are within this distance, metres.
const FAR: f64 = 0.25;
/// The weight μ of violations, and the weight r of the step's square, metres per radian².
const PENALTY: f64 = 20.0;
const DAMPING: f64 = 1e-4;
/// The first trust region, radians, and the least, which ends the search.
const TRUST: f64 = 0.2;
const LEAST_TRUST: f64 = 1e-7;
/// The foretold gain, metres, that ends the search.
const CONVERGED: f64 = 1e-8;
const MAX_ITERATIONS: usize = 300;
/// The step of forward differences, radians: about the square root of the answers' accuracy.
const DIFFERENCE: f64 = 1e-5;

/// Where the gradients come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// [`Robot::clearance_gradients`].
    Gradients,
    /// Forward differences of [`Robot::clearances`], a configuration more for each joint.
    Differences,
}

/// What a run took and where it ended.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The number of quadratic programs.
    pub iterations: usize,
    /// The number of configurations of which the clearances were asked.
    pub configurations: usize,
    /// The number of pairs that were answered for that.
    pub pairs: usize,
    /// The time of the clearances and their gradients.
    pub query_time: Duration,
    /// The time of the quadratic programs.
    pub program_time: Duration,
    /// The distances of the tips, left and right, metres.
    pub tips: [f64; 2],
    /// By how much a pair is nearer than its margin, metres, at worst.
    pub violation: f64,
    /// The positions of the joints, radians.
    pub positions: Vec<f64>,
}

/// The bodies of a pair: link and collision element of each.
type Key = [usize; 4];

fn key(c: &Clearance) -> Key {
    [c.link_a, c.collision_a, c.link_b, c.collision_b]
}

/// A joint that moves, and the index of its velocity.
struct Joint {
    name: String,
    velocity: usize,
    limits: [f64; 2],
}

/// The hands and their margins.
pub struct Pinch {
    robot: Robot,
    joints: Vec<Joint>,
    /// The links of thumb's and index' tips, left and right.
    tips: [[usize; 2]; 2],
    margins: HashMap<Key, f64>,
    open: Vec<f64>,
}

/// A pair's distance and its derivatives by the joints.
struct Row {
    key: Key,
    distance: f64,
    gradient: Vec<f64>,
}

/// A step of a quadratic program, and the gain of merit that it foretells.
struct Step {
    by: Vec<f64>,
    gain: f64,
}

#[derive(Default)]
struct Count {
    configurations: usize,
    pairs: usize,
    query_time: Duration,
}

impl Pinch {
    /// Reads the hands, open with the thumbs a little in front of the palms.
    ///
    /// # Errors
    /// A file that is refused or that has other links.
    pub fn new(urdf: &std::path::Path) -> Result<Self> {
        let robot = Robot::from_urdf_file(urdf)?;
        let link = |name: String| robot.link_index(&name).context(name);
        let tips = |side: &str| -> Result<[usize; 2]> {
            Ok([
                link(format!("{side}_hand_thumb_3"))?,
                link(format!("{side}_hand_index_3"))?,
            ])
        };
        let tips = [tips("l")?, tips("r")?];
        let fingers = robot.joints().iter().enumerate().filter_map(|(k, joint)| {
            let velocity = robot.velocity_range(k)?;
            let of_hand = joint.name.starts_with("l_hand") || joint.name.starts_with("r_hand");
            (of_hand && velocity.len() == 1).then_some(Joint {
                name: joint.name.clone(),
                velocity: velocity.start,
                limits: joint.range()?,
            })
        });
        let joints: Vec<Joint> = fingers.collect();
        let open = joints.iter().map(|joint| {
            let thumb = joint.name.ends_with("thumb_0_joint");
            let position = if thumb { 0.25 } else { 0.0 };
            f64::clamp(position, joint.limits[0], joint.limits[1])
        });
        let open = open.collect();
        let mut pinch = Pinch {
            robot,
            joints,
            tips,
            margins: HashMap::new(),
            open,
        };
        let here = pinch.configuration(&pinch.open)?;
        let all = pinch.robot.clearances(&here, &options(f64::INFINITY))?;
        let margin = |c: &Clearance| (key(c), c.contact.distance.min(MARGIN));
        pinch.margins = all.pairs.iter().map(margin).collect();
        Ok(pinch)
    }

    /// The number of joints.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    fn configuration(&self, positions: &[f64]) -> Result<Configuration> {
        let mut configuration = self.robot.neutral();
        for (joint, &position) in self.joints.iter().zip(positions) {
            let within = position.clamp(joint.limits[0], joint.limits[1]);
            configuration.set(&joint.name, within)?;
        }
        Ok(configuration)
    }

    /// Closes the hands.
    ///
    /// # Errors
    /// A query or a quadratic program that fails.
    pub fn close(&self, source: Source) -> Result<Outcome> {
        let (mut count, mut program_time) = (Count::default(), Duration::ZERO);
        let (mut positions, mut trust, mut iterations) = (self.open.clone(), TRUST, 0);
        let mut rows = self.rows(&positions, source, &mut count)?;
        let mut merit = self.merit(&rows);
        while iterations < MAX_ITERATIONS && trust > LEAST_TRUST {
            let start = Instant::now();
            let step = self.program(&rows, &positions, trust)?;
            program_time += start.elapsed();
            iterations += 1;
            if step.gain < CONVERGED {
                break;
            }
            let next: Vec<f64> = positions.iter().zip(&step.by).map(|(q, s)| q + s).collect();
            let (next_rows, next_merit) = match source {
                Source::Gradients => {
                    let rows = self.rows(&next, source, &mut count)?;
                    let merit = self.merit(&rows);
                    (Some(rows), merit)
                }
                // Differences are made where a step counts only.
                Source::Differences => (None, self.merit(&self.distances(&next, &mut count)?)),
            };
            let share = (merit - next_merit) / step.gain;
            if share > 0.1 {
                rows = match next_rows {
                    Some(rows) => rows,
                    None => self.rows(&next, source, &mut count)?,
                };
                (positions, merit) = (next, next_merit);
                if share > 0.7 {
                    trust = (2.0 * trust).min(1.0);
                }
            } else {
                trust *= 0.3;
            }
        }
        let violations = rows.iter().map(|row| self.violation(row));
        Ok(Outcome {
            iterations,
            configurations: count.configurations,
            pairs: count.pairs,
            query_time: count.query_time,
            program_time,
            tips: self.tips.map(|tips| tip_distance(&rows, tips)),
            violation: violations.fold(0.0, f64::max),
            positions,
        })
    }

    fn violation(&self, row: &Row) -> f64 {
        self.margins[&row.key] - row.distance
    }

    fn merit(&self, rows: &[Row]) -> f64 {
        let objective: f64 = self.tips.iter().map(|&tips| tip_distance(rows, tips)).sum();
        let violations: f64 = rows.iter().map(|row| self.violation(row).max(0.0)).sum();
        objective + PENALTY * violations
    }

    /// The pairs within reach, without gradients.
    fn distances(&self, positions: &[f64], count: &mut Count) -> Result<Vec<Row>> {
        let start = Instant::now();
        let found = self
            .robot
            .clearances(&self.configuration(positions)?, &options(FAR))?;
        count.query_time += start.elapsed();
        count.configurations += 1;
        count.pairs += found.solved;
        let row = |c: &Clearance| Row {
            key: key(c),
            distance: c.contact.distance,
            gradient: Vec::new(),
        };
        Ok(found.pairs.iter().map(row).collect())
    }

    fn rows(&self, positions: &[f64], source: Source, count: &mut Count) -> Result<Vec<Row>> {
        match source {
            Source::Gradients => self.by_gradients(positions, count),
            Source::Differences => self.by_differences(positions, count),
        }
    }

    fn by_gradients(&self, positions: &[f64], count: &mut Count) -> Result<Vec<Row>> {
        let configuration = self.configuration(positions)?;
        let start = Instant::now();
        let found = self
            .robot
            .clearance_gradients(&configuration, &options(FAR))?;
        count.query_time += start.elapsed();
        count.configurations += 1;
        // What the same query says of its work, outside the time.
        count.pairs += self.robot.clearances(&configuration, &options(FAR))?.solved;
        let velocities = self.robot.velocity_count();
        found
            .iter()
            .map(|found| {
                let dense = found.dense(velocities).context("a pair is not converged")?;
                Ok(Row {
                    key: key(&found.clearance),
                    distance: found.clearance.contact.distance,
                    gradient: self.joints.iter().map(|j| dense[j.velocity]).collect(),
                })
            })
            .collect()
    }

    fn by_differences(&self, positions: &[f64], count: &mut Count) -> Result<Vec<Row>> {
        let mut rows = self.distances(positions, count)?;
        for row in &mut rows {
            row.gradient = vec![0.0; self.joints.len()];
        }
        for (k, joint) in self.joints.iter().enumerate() {
            let mut moved = positions.to_vec();
            let inwards = if moved[k] + DIFFERENCE <= joint.limits[1] {
                DIFFERENCE
            } else {
                -DIFFERENCE
            };
            moved[k] += inwards;
            let there = self.distances(&moved, count)?;
            let there: HashMap<Key, f64> =
                there.iter().map(|row| (row.key, row.distance)).collect();
            for row in &mut rows {
                // A pair that has just left the reach is no constraint.
                if let Some(distance) = there.get(&row.key) {
                    row.gradient[k] = (distance - row.distance) / inwards;
                }
            }
        }
        Ok(rows)
    }

    /// Solves the quadratic program at `positions`: the unknowns are the step, then the slacks of the near pairs.
    fn program(&self, rows: &[Row], positions: &[f64], trust: f64) -> Result<Step> {
        let joints = self.joints.len();
        let near: Vec<&Row> = rows.iter().filter(|row| row.distance < NEAR).collect();
        let unknowns = joints + near.len();
        let mut linear = vec![0.0; unknowns];
        for tips in self.tips {
            let row = tip_row(rows, tips).context("the tips are out of reach")?;
            for (to, from) in linear.iter_mut().zip(&row.gradient) {
                *to += from;
            }
        }
        linear[joints..].fill(PENALTY);
        let diagonal: Vec<f64> = (0..unknowns)
            .map(|k| if k < joints { DAMPING } else { 0.0 })
            .collect();
        let indices: Vec<usize> = (0..unknowns).collect();
        let quadratic =
            CscMatrix::new_from_triplets(unknowns, unknowns, indices.clone(), indices, diagonal);
        // Rows of A with b − A y ≥ 0.
        let (mut entries, mut bounds) = (Vec::new(), Vec::new());
        for (k, row) in near.iter().enumerate() {
            for (j, &slope) in row.gradient.iter().enumerate().filter(|(_, s)| **s != 0.0) {
                entries.push((bounds.len(), j, -slope));
            }
            entries.push((bounds.len(), joints + k, -1.0));
            bounds.push(-self.violation(row));
            entries.push((bounds.len(), joints + k, -1.0));
            bounds.push(0.0);
        }
        for (j, (joint, &position)) in self.joints.iter().zip(positions).enumerate() {
            let [lower, upper] = joint.limits;
            entries.push((bounds.len(), j, 1.0));
            bounds.push((upper - position).clamp(0.0, trust));
            entries.push((bounds.len(), j, -1.0));
            bounds.push((position - lower).clamp(0.0, trust));
        }
        let count = bounds.len();
        let matrix = CscMatrix::new_from_triplets(
            count,
            unknowns,
            entries.iter().map(|e| e.0).collect(),
            entries.iter().map(|e| e.1).collect(),
            entries.iter().map(|e| e.2).collect(),
        );
        let settings = DefaultSettings::<f64> {
            verbose: false,
            ..DefaultSettings::default()
        };
        let cones = [NonnegativeConeT(count)];
        let mut solver =
            DefaultSolver::new(&quadratic, &linear, &matrix, &bounds, &cones, settings)?;
        solver.solve();
        let solution = &solver.solution;
        let solved = matches!(
            solution.status,
            SolverStatus::Solved | SolverStatus::AlmostSolved
        );
        ensure!(
            solved,
            "the quadratic program ended as {:?}",
            solution.status
        );
        let by = solution.x[..joints].to_vec();
        // The gain by the linear model, which the merit is compared with.
        let along = |row: &Row| -> f64 { row.gradient.iter().zip(&by).map(|(g, s)| g * s).sum() };
        let objective: f64 = linear[..joints].iter().zip(&by).map(|(g, s)| g * s).sum();
        let violations = near.iter().map(|row| {
            let violation = self.violation(row);
            violation.max(0.0) - (violation - along(row)).max(0.0)
        });
        let gain = PENALTY * violations.sum::<f64>() - objective;
        Ok(Step { by, gain })
    }
}

fn options(max_distance: f64) -> ClearanceOptions {
    ClearanceOptions::default().with_max_distance(max_distance)
}

fn tip_row(rows: &[Row], [thumb, index]: [usize; 2]) -> Option<&Row> {
    rows.iter()
        .find(|row| [row.key[0], row.key[2]] == [thumb.min(index), thumb.max(index)])
}

fn tip_distance(rows: &[Row], tips: [usize; 2]) -> f64 {
    tip_row(rows, tips).map_or(FAR, |row| row.distance)
}
