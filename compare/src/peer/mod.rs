//! Who is asked. A [`Peer`] answers the cases of one workload; each is timed in the same way.

pub mod foreign;
mod ours;
mod parry;

use crate::workload::{Field, Workload};
use std::ops::Range;
use std::time::Instant;

pub use foreign::Engines;

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
struct Native<F> {
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
fn native<'a>(
    name: impl Into<String>,
    ask: impl FnMut(usize) -> Answer + 'a,
) -> Box<dyn Peer + 'a> {
    let name = name.into();
    Box::new(Native { name, ask })
}

/// Everyone who takes part in a workload, ourselves first; and who would but does not, with the reason. With names,
/// only ourselves and those whose name begins with one of them.
pub fn all<'a>(
    workload: &'a Workload,
    engines: &'a Engines,
    names: &[String],
) -> (Vec<Box<dyn Peer + 'a>>, Vec<String>) {
    let wanted =
        |name: &str| names.is_empty() || names.iter().any(|wanted| name.starts_with(wanted));
    let mut peers = ours::peers(workload);
    let mut missing = Vec::new();
    if workload.field != Field::NonConvex {
        peers.extend(parry::peers(workload, wanted));
        for (peer, name) in engines.peers(workload, wanted) {
            match peer {
                Ok(peer) => peers.push(peer),
                Err(why) => missing.push(format!("{name}: {why}")),
            }
        }
    }
    peers.retain(|peer| peer.name().starts_with("superovoid") || wanted(peer.name()));
    (peers, missing)
}

/// Who takes part in the full check of the hands, besides the library's own scene.
pub fn full_check_peers<'a>(
    workload: &'a Workload,
    engines: &'a Engines,
) -> Vec<(anyhow::Result<Box<dyn Peer + 'a>>, &'static str)> {
    let mut peers = vec![
        (
            Ok(parry::meshes(workload, "parry, meshes")),
            "parry, meshes",
        ),
        (Ok(parry::hulls(workload, "parry, hulls")), "parry, hulls"),
    ];
    peers.extend(engines.full_check(workload));
    peers
}
