//! The search for the first contact.
//!
//! A query at the instant t up to which all is proven gives the normal of the nearest points. The gap along it
//! ([`advance`](crate::motion::advance)) proves the next interval, up to the end of the motion, or to where the gap is
//! nearly closed; there the next query follows. The gap equals the distance at t and its first derivative there, so the
//! instants converge quadratically where the hit is transversal. At a distance within the tolerance the search looks
//! beyond: a query at the instant at which the bodies should overlap by a fifth of the tolerance, or if that proves
//! nothing by more of it, proves that they touch. The tolerance is never less than rounding allows
//! ([`MovingPair::attainable_tolerance`]).
//!
//! The hull of a body that is not convex can be in touch before the body is. Then the true distance divided by a bound of
//! the speed is the next step, as in conservative advancement (Mirtich 1996).

use super::advance::Advance;
use super::answer::TimeOfImpact;
use super::moving_pair::{MovingPair, PlacedPair};
use crate::query::contact::Contact;
use crate::query::error::QueryError;

/// The numbers that end a search.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The distance at which the bodies touch, metres.
    pub min_separation: f64,
    /// How far a distance may be from that, metres; greater than 0.
    pub tolerance: f64,
    /// The number of queries.
    pub max_queries: u32,
}

/// A search under way.
struct Search<'p, 'a> {
    pair: &'p mut MovingPair<'a>,
    limits: Limits,
    /// The least tolerance that rounding allows.
    attainable: f64,
    end: f64,
    queries: u32,
    /// The instant up to which the motion is proven, the bodies and their contact there.
    t: f64,
    placed: PlacedPair,
    contact: Contact,
    /// The earliest instant at which the bodies are known to touch, and the distance there.
    touching: Option<(f64, f64)>,
    /// The least gap of all that is proven.
    clearance: f64,
    /// The bodies were in touch at the start and are on their way out of it.
    leaving: bool,
}

/// Finds the first contact of a pair between two instants, or proves that there is none.
pub(crate) fn first_contact(
    pair: &mut MovingPair,
    [start, end]: [f64; 2],
    limits: &Limits,
) -> Result<TimeOfImpact, QueryError> {
    let attainable = pair.attainable_tolerance(limits.min_separation);
    // Of points that are not finite it is not either; the query refuses them by name.
    let tolerance = if attainable.is_finite() {
        limits.tolerance.max(attainable)
    } else {
        limits.tolerance
    };
    let mut search = Search {
        placed: pair.at(start),
        pair,
        limits: Limits {
            tolerance,
            ..*limits
        },
        attainable,
        end,
        queries: 0,
        t: start,
        contact: Contact::default(),
        touching: None,
        clearance: f64::INFINITY,
        leaving: false,
    };
    search.run()
}

impl Search<'_, '_> {
    fn run(&mut self) -> Result<TimeOfImpact, QueryError> {
        let Limits {
            min_separation,
            tolerance,
            ..
        } = self.limits;
        let Some((_, contact)) = self.query(self.t, tolerance)? else {
            return Ok(self.conclusion());
        };
        self.contact = contact;
        let deep = contact.distance < min_separation - tolerance;
        if deep && contact.upper <= min_separation {
            return Ok(TimeOfImpact::Overlapping { contact });
        }
        let slope = self.pair.approach(&contact, &self.placed);
        let in_touch =
            contact.lower <= min_separation && contact.lower > min_separation - tolerance;
        self.leaving = in_touch && slope * (self.end - self.t) > tolerance;
        loop {
            if !self.leaving && self.contact.upper <= min_separation {
                self.touching = Some((self.t, self.contact.distance));
                return Ok(self.conclusion());
            }
            let moved = if self.is_near() {
                self.look_beyond()?
            } else {
                // A bracket that does not close where the bodies touch leaves no step.
                self.step()? || self.may_touch() && self.look_beyond()?
            };
            if self.t >= self.end && self.touching.is_none() {
                return Ok(TimeOfImpact::Free {
                    clearance: self.clearance,
                });
            }
            if !moved || self.is_closed() {
                return Ok(self.conclusion());
            }
        }
    }

    /// Returns the contact at an instant, or `None` if there have been as many queries as there may be.
    fn query(
        &mut self,
        t: f64,
        tolerance: f64,
    ) -> Result<Option<(PlacedPair, Contact)>, QueryError> {
        if self.queries >= self.limits.max_queries {
            return Ok(None);
        }
        self.queries += 1;
        let placed = self.pair.at(t);
        let contact = self.pair.contact(&placed, 0.25 * tolerance)?;
        Ok(Some((placed, contact)))
    }

    /// Returns the answer when nothing more can be proven.
    fn conclusion(&self) -> TimeOfImpact {
        let (safe, contact) = (self.t, self.contact);
        match self.touching {
            Some((touching, _)) => TimeOfImpact::Hit {
                safe,
                touching,
                contact,
            },
            None => TimeOfImpact::Undecided { safe, contact },
        }
    }

    /// Whether the distance is within the tolerance of touching at the last proven instant.
    fn is_near(&self) -> bool {
        let Limits {
            min_separation,
            tolerance,
            ..
        } = self.limits;
        !self.leaving && self.contact.upper <= min_separation + tolerance
    }

    /// Whether the distance may be within the tolerance of touching at the last proven instant.
    fn may_touch(&self) -> bool {
        !self.leaving && self.contact.lower <= self.limits.min_separation + self.limits.tolerance
    }

    /// Whether the distance is within the tolerance of touching at both ends of the bracket.
    fn is_closed(&self) -> bool {
        let deepest = self.limits.min_separation - self.limits.tolerance;
        self.is_near()
            && self
                .touching
                .is_some_and(|(_, distance)| distance >= deepest)
    }

    /// Returns the gap along the normal of the contact at the proven instant, and its slope.
    fn gap(&self) -> [f64; 2] {
        let rounding = self.pair.rounding();
        [
            self.pair.gap(&self.contact.normal, &self.placed, rounding),
            self.pair.approach(&self.contact, &self.placed),
        ]
    }

    /// Returns the last instant that is left to prove.
    fn horizon(&self) -> f64 {
        self.touching.map_or(self.end, |(t, _)| t)
    }

    /// Proves the next interval and asks for the contact at its end. Returns false if there is no progress.
    fn step(&mut self) -> Result<bool, QueryError> {
        let gap = self.gap();
        let floor = self.floor(gap[0]);
        let advance = self.advance(gap, floor, self.horizon());
        self.take(&advance)
    }

    /// Returns the height above which the next gap shall stay.
    fn floor(&self, gap: f64) -> f64 {
        let Limits {
            min_separation,
            tolerance,
            ..
        } = self.limits;
        if self.leaving {
            min_separation - tolerance
        } else if gap > min_separation + 0.5 * tolerance {
            // Then the next distance is on the safe side in spite of rounding.
            min_separation + 0.25 * tolerance
        } else {
            min_separation
        }
    }

    /// Proves as much as it can of the interval up to `end`.
    fn advance(&self, gap: [f64; 2], floor: f64, end: f64) -> Advance {
        let t = self.t;
        let directed = if gap[0] >= floor {
            self.pair
                .advance(&self.contact.normal, [t, end], gap, floor)
        } else {
            Advance {
                until: t,
                least: f64::INFINITY,
            }
        };
        if directed.until > t && self.pair.are_convex() {
            return directed;
        }
        let speed = self.pair.speed();
        let room = self.contact.lower - floor;
        let until = if room > speed * (end - t) {
            end
        } else {
            t + room / speed
        };
        // NaN is no progress either.
        if until > directed.until {
            Advance {
                until: until.min(end),
                least: floor,
            }
        } else {
            directed
        }
    }

    /// Moves on to where an interval is proven.
    fn take(&mut self, advance: &Advance) -> Result<bool, QueryError> {
        if advance.until <= self.t {
            return Ok(false);
        }
        if self.touching.is_some_and(|(t, _)| advance.until >= t) {
            // This happens to rounding only.
            return Ok(false);
        }
        self.clearance = self.clearance.min(advance.least);
        if advance.until >= self.end {
            self.t = self.end;
            return Ok(true);
        }
        match self.query(advance.until, self.limits.tolerance)? {
            Some((placed, contact)) => {
                self.arrive(placed, contact);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    fn arrive(&mut self, placed: PlacedPair, contact: Contact) {
        (self.t, self.placed, self.contact) = (placed.t, placed, contact);
        self.leaving &= contact.lower <= self.limits.min_separation;
    }

    /// Asks for the contact at an instant at which the bodies should touch. Returns false if there is no progress.
    ///
    /// An overlap within the query's tolerance is proven by the points that it leads to. Where it is not, and nothing is
    /// proven on the way to it, deeper ones are tried; at last beyond the tolerance, up to 64 times what rounding allows:
    /// corners that touch a face askew have little room.
    fn look_beyond(&mut self) -> Result<bool, QueryError> {
        let within = [0.2, 0.4, 0.8].map(|share| share * self.limits.tolerance);
        let beyond = [4.0, 16.0, 64.0].map(|times| times * self.attainable);
        let deeper = |depth: &f64| *depth > within[2];
        for depth in within.into_iter().chain(beyond.into_iter().filter(deeper)) {
            if self.probe(depth)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Asks for the contact at an instant at which the bodies should overlap by a depth. Returns false if there is no
    /// progress.
    fn probe(&mut self, depth: f64) -> Result<bool, QueryError> {
        let min_separation = self.limits.min_separation;
        let slope = self.pair.approach(&self.contact, &self.placed);
        let room = (self.contact.lower - min_separation).max(0.0);
        let wanted = room + depth;
        let span = match self.touching {
            // The line between the distances at both ends.
            Some((t, distance)) => {
                let share = wanted / (room + min_separation - distance);
                (t - self.t) * share.clamp(0.05, 0.95)
            }
            None if slope < 0.0 => wanted / -slope,
            None => return self.step(),
        };
        let probe = (self.t + span).max(self.t.next_up());
        if probe >= self.horizon() && self.touching.is_some() {
            return Ok(false);
        }
        let probe = probe.min(self.end);
        let tolerance = self.limits.tolerance.max(depth);
        let Some((placed, there)) = self.query(probe, tolerance)? else {
            return Ok(false);
        };
        if there.upper <= min_separation {
            self.touching = Some((probe, there.distance));
            return Ok(true);
        }
        let advance = self.advance(self.gap(), min_separation, probe);
        if advance.until < probe {
            return self.take(&advance);
        }
        self.clearance = self.clearance.min(advance.least);
        self.arrive(placed, there);
        Ok(true)
    }
}
