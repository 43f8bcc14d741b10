//! What a peer answers, and the trait of peers.

use std::ops::Range;
use std::time::Instant;

/// What a peer says of a case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Answer {
    /// Signed; −∞ for an overlap whose depth it does not know, NaN for no answer.
    pub distance: f64,
    /// 0 if it says itself that this is no answer.
    pub converged: u32,
    /// Evaluations of the support function of body A; our own queries and the schemes: iterations. 0: not
    /// counted.
    pub evaluations: u32,
}

impl Answer {
    pub const NONE: Answer = Answer {
        distance: f64::NAN,
        converged: 0,
        evaluations: 0,
    };

    pub fn of(distance: f64) -> Answer {
        Answer {
            distance,
            converged: 1,
            evaluations: 0,
        }
    }

    pub fn failed(&self) -> bool {
        self.converged == 0 || self.distance.is_nan()
    }
}

/// Answers the cases of a workload by their place.
pub trait Peer {
    fn name(&self) -> &str;
    /// Answers without a clock in between.
    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]);
    /// The same, each timed by itself, nanoseconds.
    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]);

    /// Of so many cases that are timed, how many share one reading of the clock.
    fn cases_a_reading(&self, _timed: usize) -> usize {
        1
    }
}

/// A peer in Rust: a function of the case's place.
pub struct Native<F> {
    name: String,
    ask: F,
}

impl<F: FnMut(usize) -> Answer> Peer for Native<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn run(&mut self, cases: Range<usize>, answers: &mut [Answer]) {
        for (answer, case) in answers.iter_mut().zip(cases) {
            *answer = (self.ask)(case);
        }
    }

    fn time(&mut self, cases: Range<usize>, nanoseconds: &mut [f64]) {
        for (nanoseconds, case) in nanoseconds.iter_mut().zip(cases) {
            let start = Instant::now();
            std::hint::black_box((self.ask)(case));
            *nanoseconds = start.elapsed().as_nanos() as f64;
        }
    }
}

/// A boxed peer in Rust.
pub fn native<'a>(
    name: impl Into<String>,
    ask: impl FnMut(usize) -> Answer + 'a,
) -> Box<dyn Peer + 'a> {
    let name = name.into();
    Box::new(Native { name, ask })
}
