//! The options and the answer of an edge.

use std::time::{Duration, Instant};
use superovoid::QueryOptions;

/// The options of an edge query.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EdgeOptions {
    /// The distance (metres) that every pair must keep; a pair at this distance or closer counts as a hit. The default
    /// is 0: no pair may touch.
    pub min_separation: f64,
    /// The motion (metres) below which an interval is not halved again: a pair that is neither proven free nor proven to
    /// touch while no point of it moves farther than this is undecided. It bounds the width of the bracket of a hit too.
    /// The default is 1e-6.
    pub resolution: f64,
    /// Whether the first contact on the edge is bracketed. If not, the query ends as soon as the edge is known to touch
    /// or to have an undecided interval, which is faster. The default is true.
    pub first_contact: bool,
    /// The number of configurations after which the query ends undecided; as eight are asked at once, it may be up to eight
    /// more. The default is 10,000.
    pub max_states: usize,
    /// The time after which the query, of one edge or of a batch, ends undecided. There is none by default: then the answer
    /// is the same on every machine.
    pub max_time: Option<Duration>,
    /// The options of every pair query; the field `max_distance` in them is replaced by what the proof needs.
    pub query: QueryOptions,
}

impl Default for EdgeOptions {
    fn default() -> Self {
        EdgeOptions {
            min_separation: 0.0,
            resolution: 1e-6,
            first_contact: true,
            max_states: 10_000,
            max_time: None,
            query: QueryOptions::default(),
        }
    }
}

/// What is proven about an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeStatus {
    /// Every pair keeps more than the minimum separation on the whole edge, both ends included.
    Free,
    /// A pair is proven to touch, or to be no farther apart than the minimum separation, at [`EdgeAnswer::touching`].
    Hit,
    /// Neither is proven. Treat it as a hit.
    Undecided,
}

/// The answer of an edge query. The parameter t runs from 0 at the first configuration to 1 at the second one; of a spline
/// it is the time.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct EdgeAnswer<C> {
    /// What is proven.
    pub status: EdgeStatus,
    /// Every configuration with t from the start to `safe` is proven free; `None` where not even the first one is. It is the
    /// end, 1, on an edge that is free. With [`EdgeOptions::first_contact`] the first contact of a hit lies between this and
    /// `touching`, except that an undecided interval may make the bracket wider.
    pub safe: Option<f64>,
    /// The least t at which a pair is proven to touch; `None` unless the edge is a hit.
    pub touching: Option<f64>,
    /// The pair that touches there, or one that is undecided, with its contact; of an undecided pair it may be missing.
    pub contact: Option<C>,
    /// The share of the edge that is proven free, from 0 to 1. A query that ends early has not looked at all of it.
    pub proven: f64,
    /// The number of bodies of the robot that are not checked. An edge is not free, but undecided, if there are any;
    /// the other fields then tell about the bodies that are checked.
    pub unchecked: usize,
    /// The number of configurations at which the robot was posed.
    pub states: usize,
    /// The number of distances that were computed.
    pub distances: usize,
}

impl<C> EdgeAnswer<C> {
    /// The answer that a straight edge is free.
    pub(crate) fn free(states: usize, distances: usize) -> Self {
        EdgeAnswer {
            status: EdgeStatus::Free,
            safe: Some(1.0),
            touching: None,
            contact: None,
            proven: 1.0,
            unchecked: 0,
            states,
            distances,
        }
    }

    /// Whether the whole edge is proven free.
    pub fn is_free(&self) -> bool {
        self.status == EdgeStatus::Free
    }

    /// Returns the same answer with another description of the pair.
    pub(crate) fn map<D>(self, contact: impl FnOnce(C) -> Option<D>) -> EdgeAnswer<D> {
        EdgeAnswer {
            status: self.status,
            safe: self.safe,
            touching: self.touching,
            contact: self.contact.and_then(contact),
            proven: self.proven,
            unchecked: self.unchecked,
            states: self.states,
            distances: self.distances,
        }
    }
}

/// An option of an edge or a region that is out of its domain.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{option} = {value}: it must be finite and at least {least}")]
#[non_exhaustive]
pub struct EdgeOptionError {
    /// The field of the options.
    pub option: &'static str,
    /// The value that was rejected.
    pub value: f64,
    /// The least value that is allowed.
    pub least: f64,
}

impl EdgeOptions {
    superovoid::setters! {
        with_min_separation min_separation: f64,
        with_resolution resolution: f64,
        with_first_contact first_contact: bool,
        with_max_states max_states: usize,
        with_max_time max_time: Option<Duration>,
        with_query query: QueryOptions,
    }

    /// Returns when a query that begins now has to end.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        // A time that no clock reaches is none.
        self.max_time
            .and_then(|time| Instant::now().checked_add(time))
    }

    pub(crate) fn validate(&self) -> Result<(), EdgeOptionError> {
        check_lengths(self.min_separation, self.resolution)
    }
}

/// Whether a query that has to end then is over.
pub(crate) fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|end| Instant::now() >= end)
}

pub(super) fn check_lengths(min_separation: f64, resolution: f64) -> Result<(), EdgeOptionError> {
    let lengths = [
        ("min_separation", min_separation, 0.0),
        ("resolution", resolution, FINEST),
    ];
    for (option, value, least) in lengths {
        if !(value >= least && value.is_finite()) {
            return Err(EdgeOptionError {
                option,
                value,
                least,
            });
        }
    }
    Ok(())
}

/// The finest resolution, metres: below it rounding decides.
const FINEST: f64 = 1e-12;
