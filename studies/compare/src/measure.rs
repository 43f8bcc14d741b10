//! All peers on one workload, in turns.
//!
//! The cases are divided into chunks of one side (apart, overlapping). In every round and for every chunk each
//! peer has its turn, in another order each time, so that what else the machine does hits all alike. A turn is:
//!
//! 1. some cases that are not timed, which bring back what the other peers have driven out of the caches;
//! 2. the chunk as a block, with one reading of the clock before and after: from this come the means;
//! 3. the chunk again, each case by itself: from this come the quantiles. What the clock costs is subtracted.
//!
//! Every second turn has 3 before 2: whichever comes second finds the bodies in the caches, which matters to meshes.
//!
//! Of each chunk's blocks, and of each case's times, the fastest of the rounds counts: interruptions only ever make
//! something slower. How much whole rounds differ tells how much of that there was.

use crate::peer::{Answer, Engines, Peer, all};
use crate::reference;
use crate::statistics::{quantile, spread};
use crate::threads;
use crate::workload::{Field, Other, Workload};
use indicatif::ProgressBar;
use std::ops::Range;
use std::time::Instant;
use superovoid::{QueryOptions, VertexOptions, contact, vertex_contact};

/// Cases that are timed as a block. Points in longer ones: a call with a slice of points should have many.
fn block_size(field: Field) -> usize {
    if field == Field::Points { 512 } else { 64 }
}
/// Peers whose mean is longer than this, nanoseconds, take part in the first and last round only: they would take
/// nearly all of the time.
const SLOW: f64 = 50_000.0;
/// Cases that are asked before, not timed.
const WARM_UP: usize = 10;

/// One peer on one workload.
pub struct Row {
    pub name: String,
    pub answers: Vec<Answer>,
    /// Fastest time of each case, nanoseconds.
    pub fastest: Vec<f64>,
    /// Fastest time of each block, nanoseconds; the chunks are those of [`chunks`].
    pub blocks: Vec<f64>,
    /// Nanoseconds of all blocks in each round that it took part in.
    pub rounds: Vec<f64>,
}

/// All peers on one workload.
pub struct Measured {
    pub workload: Workload,
    /// Signed distances of the cases; NaN where there is no reference.
    pub reference: Vec<f64>,
    /// The cases before this one are apart, the others overlap.
    pub apart: usize,
    pub rows: Vec<Row>,
    /// Peers that do not take part, with the reason.
    pub missing: Vec<String>,
}

/// Which cases a figure is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Side {
    All,
    Apart,
    Overlapping,
}

/// How a peer fared on one side.
#[derive(Clone, Debug)]
pub struct Summary {
    pub cases: usize,
    /// Nanoseconds.
    pub mean: f64,
    /// Nanoseconds: p50, p99, p99.9, slowest.
    pub quantiles: [f64; 4],
    /// Mean; 0: not counted.
    pub evaluations: f64,
    /// Metres, of the answers that are no failures and know the depth: p99 and largest; NaN: none to judge.
    pub errors: [f64; 2],
    pub failed: usize,
    /// Apart called overlapping, or the reverse, by more than 1e-6 of the size.
    pub wrong_side: usize,
    /// Overlaps found without a depth.
    pub no_depth: usize,
    /// (slowest round − fastest round) / median round, of both sides.
    pub spread: f64,
}

/// Steps of the progress bar that a workload takes.
pub fn steps(count: usize, rounds: usize) -> u64 {
    (count * rounds) as u64
}

/// How a workload is measured.
pub struct Plan {
    pub rounds: usize,
    /// What a reading of the clock takes, nanoseconds.
    pub clock: f64,
    /// Whether the oracle judges the answers.
    pub judged: bool,
    /// Beginnings of the names of the peers that take part besides ourselves; all if empty.
    pub peers: Vec<String>,
}

/// Asks and times all peers.
pub fn measure(
    workload: Workload,
    engines: &Engines,
    plan: &Plan,
    progress: &ProgressBar,
) -> Measured {
    let (rounds, clock) = (plan.rounds, plan.clock);
    let (workload, reference, apart) = sorted(workload, plan.judged);
    let (mut peers, missing) = all(&workload, engines, &plan.peers);
    let count = workload.cases.len();
    let chunks = chunks(apart, count, block_size(workload.field));
    let mut rows: Vec<Row> = peers
        .iter()
        .map(|peer| Row {
            name: peer.name().to_owned(),
            answers: vec![Answer::NONE; count],
            fastest: vec![f64::INFINITY; count],
            blocks: vec![f64::INFINITY; chunks.len()],
            rounds: Vec::new(),
        })
        .collect();
    for round in 0..rounds {
        let first_or_last = round == 0 || round + 1 == rounds;
        let slow = |row: &Row| row.blocks.iter().sum::<f64>() > SLOW * count as f64;
        let takes_part: Vec<bool> = rows.iter().map(|row| first_or_last || !slow(row)).collect();
        for (row, takes_part) in rows.iter_mut().zip(&takes_part) {
            row.rounds.extend(takes_part.then_some(0.0));
        }
        for (k, chunk) in chunks.iter().enumerate() {
            for turn in 0..peers.len() {
                let turn = (turn + round + k) % peers.len();
                if !takes_part[turn] {
                    continue;
                }
                let row = &mut rows[turn];
                let block = take_turn(&mut *peers[turn], row, chunk.clone(), clock);
                row.blocks[k] = row.blocks[k].min(block);
                if let Some(sum) = row.rounds.last_mut() {
                    *sum += block;
                }
            }
            progress.inc(chunk.len() as u64);
        }
    }
    drop(peers);
    Measured {
        workload,
        reference,
        apart,
        rows,
        missing,
    }
}

/// Nanoseconds of the block.
fn take_turn(peer: &mut dyn Peer, row: &mut Row, chunk: Range<usize>, clock: f64) -> f64 {
    let warm_up = chunk.start..chunk.end.min(chunk.start + WARM_UP);
    peer.run(warm_up.clone(), &mut row.answers[warm_up]);
    let mut times = vec![0.0; chunk.len()];
    let block_first = row.rounds.len() % 2 == 1;
    if !block_first {
        peer.time(chunk.clone(), &mut times);
    }
    let answers = &mut row.answers[chunk.clone()];
    let start = Instant::now();
    peer.run(chunk.clone(), answers);
    let block = start.elapsed().as_nanos() as f64 - clock;
    if block_first {
        peer.time(chunk.clone(), &mut times);
    }
    let clock = clock / peer.cases_a_reading(chunk.len()) as f64;
    for (fastest, time) in row.fastest[chunk].iter_mut().zip(times) {
        *fastest = fastest.min((time - clock).max(0.0));
    }
    block
}

/// Ranges of at most that many cases of one side.
fn chunks(apart: usize, count: usize, size: usize) -> Vec<Range<usize>> {
    let of = |side: Range<usize>| {
        let end = side.end;
        side.step_by(size)
            .map(move |first| first..end.min(first + size))
    };
    of(0..apart).chain(of(apart..count)).collect()
}

fn own_distance(workload: &Workload, k: usize) -> f64 {
    let case = &workload.cases[k];
    let [pose_a, pose_b] = &case.poses;
    let a = &workload.shapes[case.a];
    let found = match case.b {
        Other::Shape(b) => {
            let options = QueryOptions::default();
            contact(a, pose_a, &workload.shapes[b], pose_b, &options, None)
        }
        Other::Point => {
            let point = pose_b.translation.vector.into();
            vertex_contact(a, pose_a, &point, &VertexOptions::default())
        }
    };
    found.map_or(f64::NAN, |found| found.distance)
}

impl Measured {
    /// The cases of a side.
    pub fn cases(&self, side: Side) -> Range<usize> {
        match side {
            Side::All => 0..self.reference.len(),
            Side::Apart => 0..self.apart,
            Side::Overlapping => self.apart..self.reference.len(),
        }
    }

    /// `None` of a side without cases.
    pub fn summary(&self, row: &Row, side: Side) -> Option<Summary> {
        let cases = self.cases(side);
        if cases.is_empty() {
            return None;
        }
        let count = cases.len();
        let size = block_size(self.workload.field);
        let of_side = chunks(self.apart, self.reference.len(), size)
            .into_iter()
            .zip(&row.blocks)
            .filter(|(chunk, _)| cases.contains(&chunk.start));
        let total: f64 = of_side.map(|(_, time)| time).sum();
        let mut times = row.fastest[cases.clone()].to_vec();
        times.sort_by(f64::total_cmp);
        let answers = &row.answers[cases.clone()];
        let reference = &self.reference[cases];
        let (mut errors, mut wrong_side, mut no_depth) = (Vec::new(), 0, 0);
        let negligible = 1e-6 * self.workload.size();
        for (answer, exact) in answers.iter().zip(reference) {
            if answer.failed() || exact.is_nan() {
                continue;
            }
            let free = answer.distance > 0.0;
            let sure = exact.abs() > negligible;
            let same_side = free == (*exact > 0.0) || (answer.distance - exact).abs() <= negligible;
            wrong_side += usize::from(sure && !same_side);
            if answer.distance == f64::NEG_INFINITY {
                no_depth += 1;
            } else {
                errors.push((answer.distance - exact).abs());
            }
        }
        errors.sort_by(f64::total_cmp);
        let evaluations: f64 = answers.iter().map(|a| f64::from(a.evaluations)).sum();
        Some(Summary {
            cases: count,
            mean: total / count as f64,
            quantiles: [0.5, 0.99, 0.999, 1.0].map(|p| quantile(&times, p)),
            evaluations: evaluations / count as f64,
            errors: [0.99, 1.0].map(|p| quantile(&errors, p)),
            failed: answers.iter().filter(|answer| answer.failed()).count(),
            wrong_side,
            no_depth,
            spread: spread(&row.rounds),
        })
    }

    /// Mean time of a row relative to ours, the first.
    pub fn ratio(&self, row: &Row, side: Side) -> f64 {
        let mean = |row| {
            self.summary(row, side)
                .map_or(f64::NAN, |summary| summary.mean)
        };
        mean(row) / mean(&self.rows[0])
    }

    /// Rows whose rounds differ by more than what is noise, with the spread.
    pub fn noisy(&self) -> Vec<(&str, f64)> {
        let spread = |row| {
            self.summary(row, Side::All)
                .map_or(0.0, |summary| summary.spread)
        };
        let rows = self.rows.iter().map(|row| (row.name.as_str(), spread(row)));
        rows.filter(|(_, spread)| *spread > crate::machine::NOISE)
            .collect()
    }
}

/// The workload with the cases that are apart first, the references, and how many those are. Where there is no
/// reference, our own answer tells the side.
fn sorted(workload: Workload, judged: bool) -> (Workload, Vec<f64>, usize) {
    let reference = if judged {
        threads::on_all(|| reference::distances(&workload))
    } else {
        vec![f64::NAN; workload.cases.len()]
    };
    let side = |k: usize| {
        if reference[k].is_nan() {
            own_distance(&workload, k)
        } else {
            reference[k]
        }
    };
    let (mut order, overlapping): (Vec<usize>, Vec<usize>) =
        (0..workload.cases.len()).partition(|&k| side(k) > 0.0);
    let apart = order.len();
    order.extend(overlapping);
    let reference = order.iter().map(|&k| reference[k]).collect();
    (workload.reordered(&order), reference, apart)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::median;

    #[test]
    fn chunks_cover_every_case_once_and_keep_to_one_side() {
        for (apart, count) in [(0, 0), (0, 250), (250, 250), (130, 250), (1, 2)] {
            let mut next = 0;
            for chunk in chunks(apart, count, 50) {
                assert_eq!(chunk.start, next);
                assert!(chunk.end > chunk.start && chunk.len() <= 50);
                assert!(chunk.end <= apart || chunk.start >= apart);
                next = chunk.end;
            }
            assert_eq!(next, count);
        }
    }

    #[test]
    fn quantiles_are_values_and_the_last_is_the_largest() {
        let sorted: Vec<f64> = (1..=1000).map(f64::from).collect();
        assert_eq!(quantile(&sorted, 0.5), 500.0);
        assert_eq!(quantile(&sorted, 0.999), 999.0);
        assert_eq!(quantile(&sorted, 1.0), 1000.0);
        assert_eq!(quantile(&sorted[..1], 0.5), 1.0);
        assert!(quantile(&[], 0.5).is_nan());
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(spread(&[2.0, 1.0, 3.0]), 1.0);
    }

    /// Answers that are wrong in each way, against two cases 1 apart and two 1 deep.
    #[test]
    fn every_kind_of_wrong_answer_is_counted() {
        let answers = [
            Answer::of(1.5),
            Answer::of(-1.0),
            Answer::of(f64::NEG_INFINITY),
            Answer {
                converged: 0,
                ..Answer::of(-1.0)
            },
        ];
        let measured = Measured {
            workload: crate::workload::make("battery", 4, 1)
                .expect("a workload")
                .expect("of that name"),
            reference: vec![1.0, 1.0, -1.0, -1.0],
            apart: 2,
            rows: vec![Row {
                name: "wrong".to_owned(),
                answers: answers.into(),
                fastest: vec![1.0; 4],
                blocks: vec![2.0, 6.0],
                rounds: vec![8.0],
            }],
            missing: Vec::new(),
        };
        let summary = |side| measured.summary(&measured.rows[0], side).expect("cases");
        let all = summary(Side::All);
        assert_eq!((all.failed, all.wrong_side, all.no_depth), (1, 1, 1));
        assert_eq!((all.errors[1], all.mean), (2.0, 2.0));
        let overlapping = summary(Side::Overlapping);
        assert_eq!((overlapping.wrong_side, overlapping.mean), (0, 3.0));
        assert!(overlapping.errors[1].is_nan());
    }
}
