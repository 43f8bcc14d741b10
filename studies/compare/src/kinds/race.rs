//! Engines that answer the same poses in turn.

use crate::statistics::median;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Answers some poses: a distance, or 1 for an overlap and 0 for none; NaN: no answer.
pub type Ask<'a> = Box<dyn FnMut(Range<usize>, &mut [f64]) + 'a>;

/// Passes in which every engine answers its poses, after one that is not timed.
const PASSES: usize = 3;

/// A batch takes the fastest engine at least this long, nanoseconds, so that the clock does not count.
const BATCH: f64 = 2_000.0;

/// An engine with this many slow answers is not asked more of.
const FEWEST: usize = 3;

/// What an engine has answered, from the first pose on.
pub struct Timed {
    pub answers: Vec<f64>,
    /// Of a pose: the median of the passes, for each batch.
    nanoseconds: Vec<f64>,
}

impl Timed {
    /// The time of a pose: the median of the batches that another one has answered as well.
    pub fn beside(&self, other: &Timed) -> f64 {
        let common = self.nanoseconds.len().min(other.nanoseconds.len());
        median(&self.nanoseconds[..common])
    }
}

/// Asks everyone, for about so long a pass each. Who has no answer to the first pose has none.
pub fn race(
    engines: &mut [Option<Ask>],
    count: usize,
    pass: Duration,
    clock: f64,
) -> Vec<Option<Timed>> {
    // Without the clock: how many each can answer, and how long the fastest takes.
    let mut fastest = f64::INFINITY;
    let mut answers = Vec::new();
    let mut slow = Vec::new();
    for engine in &mut *engines {
        let mut found = vec![f64::NAN; count];
        let mut known = 0;
        if let Some(ask) = engine {
            let start = Instant::now();
            while known < count && (known < FEWEST || start.elapsed() < pass) {
                ask(known..known + 1, &mut found[known..=known]);
                known += 1;
                if start.elapsed() > 20 * pass {
                    break;
                }
            }
            if found[0].is_nan() {
                known = 0;
            } else {
                fastest = fastest.min(start.elapsed().as_nanos() as f64 / known as f64);
            }
        }
        found.truncate(known);
        slow.push(known < FEWEST);
        answers.push(found);
    }
    let batch = ((BATCH / fastest).ceil() as usize).clamp(1, (count / 20).max(1));
    let mut times: Vec<Vec<Vec<f64>>> = answers
        .iter()
        .map(|found| vec![Vec::new(); found.len().div_ceil(batch).min(count / batch)])
        .collect();
    for k in 0..PASSES * engines.len() {
        let engine = (k + k / engines.len()) % engines.len();
        // Of seconds an answer: one pass.
        if slow[engine] && k >= engines.len() {
            continue;
        }
        let Some(ask) = &mut engines[engine] else {
            continue;
        };
        let found = &mut answers[engine];
        found.resize(times[engine].len() * batch, f64::NAN);
        for (b, times) in times[engine].iter_mut().enumerate() {
            let poses = b * batch..(b + 1) * batch;
            let start = Instant::now();
            ask(poses.clone(), &mut found[poses]);
            times.push((start.elapsed().as_nanos() as f64 - clock).max(0.0) / batch as f64);
        }
    }
    let timed = |(answers, times): (Vec<f64>, Vec<Vec<f64>>)| Timed {
        answers,
        nanoseconds: times.iter().map(|passes| median(passes)).collect(),
    };
    let all = answers.into_iter().zip(times).map(timed);
    all.map(|timed| (!timed.answers.is_empty()).then_some(timed))
        .collect()
}
