//! The growth of a box of configurations whose every face is moved outwards as far as the box is proven free.
//!
//! One face after the other takes a step; what is to be proven is the slab that the step adds, since the box within is
//! proven already. Nor is there anything to prove of pairs that the joint of the face does not move against each other: how
//! they lie in the slab, they lie somewhere in the box. A step that is proven is doubled, one that is not becomes shorter,
//! and where a configuration is known to touch no step of that face goes so far again. Steps are lengths: all faces begin
//! with steps in which their joints move the bodies equally far, two resolutions, so that the box grows evenly and leaves
//! room for every joint. A round ends when every step is shorter than the resolution. The first round gives up a slab after
//! few configurations, and so finds the shape of the box; the next ones allow more, until all are spent.

use super::body::EdgePairs;
use super::cells::{Cells, Found};
use crate::robot::ConfigurationError;

/// The box as it grows.
struct Growth {
    lower: Vec<f64>,
    upper: Vec<f64>,
    faces: Vec<Face>,
}

/// A face of the box.
struct Face {
    coordinate: usize,
    is_upper: bool,
    /// The pairs that the coordinate moves against each other.
    pairs: Vec<usize>,
    /// How far the face may go.
    limit: f64,
    /// A position beyond the face at which a configuration touches.
    stop: Option<f64>,
    /// The motion (metres) of the bodies for one unit, at most.
    weight: f64,
    /// The next step, in units of the coordinate.
    step: f64,
}

/// The number of configurations after which a slab is given up in the first round, and the factor to the next one.
const FIRST: usize = 128;
const FACTOR: usize = 8;
/// The first step of a face in its first round, in resolutions, and in the later ones as a share of the width.
const FIRST_STEP: f64 = 2.0;
const LATER_STEP: f64 = 0.25;
/// What is left of a step that was given up, but no less than a resolution: a thinner slab is hardly cheaper to prove.
const SHRINK: f64 = 0.05;

/// Returns the ends of a box around a configuration that is proven free, within limits, with at most so many configurations.
pub(crate) fn grow<P: EdgePairs>(
    cells: &mut Cells<P>,
    at: &[f64],
    limits: [&[f64]; 2],
    max_states: usize,
) -> Result<[Vec<f64>; 2], P::Error>
where
    P::Error: From<ConfigurationError>,
{
    let weights = weights(cells, at.len());
    let face = |k: usize| {
        let (coordinate, is_upper) = (k / 2, k % 2 == 1);
        Face {
            coordinate,
            is_upper,
            pairs: cells.moved_by(coordinate),
            limit: limits[usize::from(is_upper)][coordinate],
            stop: None,
            weight: weights[coordinate],
            step: FIRST_STEP * cells.resolution / weights[coordinate],
        }
    };
    let mut growth = Growth {
        lower: at.to_vec(),
        upper: at.to_vec(),
        faces: (0..2 * at.len()).map(face).collect(),
    };
    let mut budget = FIRST;
    while cells.posed.states < max_states {
        growth.round(cells, budget, max_states)?;
        if !growth.begin_round(cells.resolution) {
            break;
        }
        budget = budget.saturating_mul(FACTOR);
    }
    Ok([growth.lower, growth.upper])
}

/// Returns how far one unit of each coordinate moves a point of a body, at most: metres.
fn weights<P: EdgePairs>(cells: &Cells<P>, count: usize) -> Vec<f64> {
    let mut weights = vec![0.0_f64; count];
    for chain in cells.posed.chains() {
        let mut own = vec![0.0; count];
        for lever in &chain.links {
            let follower = &cells.followers[lever.step];
            let turns = cells.line.steps[lever.step].turns;
            let reach = if turns { lever.longest } else { 1.0 };
            own[follower.coordinate] += follower.multiplier.abs() * reach;
        }
        for (most, own) in weights.iter_mut().zip(own) {
            *most = most.max(own);
        }
    }
    weights
}

impl Growth {
    /// Moves every face until all steps are shorter than the resolution.
    fn round<P: EdgePairs>(
        &mut self,
        cells: &mut Cells<P>,
        budget: usize,
        max_states: usize,
    ) -> Result<(), P::Error>
    where
        P::Error: From<ConfigurationError>,
    {
        let mut moving = vec![true; self.faces.len()];
        while moving.contains(&true) {
            for k in 0..self.faces.len() {
                let budget = budget.min(max_states.saturating_sub(cells.posed.states));
                if budget == 0 {
                    return Ok(());
                }
                moving[k] = moving[k] && self.step(k, cells, budget)?;
            }
        }
        Ok(())
    }

    /// Moves a face by its step if that is proven free; returns false where it can take no other step in this round.
    fn step<P: EdgePairs>(
        &mut self,
        k: usize,
        cells: &mut Cells<P>,
        budget: usize,
    ) -> Result<bool, P::Error>
    where
        P::Error: From<ConfigurationError>,
    {
        let face = &self.faces[k];
        let (c, from) = (face.coordinate, self.position(k));
        let Some(step) = face.next(from, cells.resolution) else {
            return Ok(false);
        };
        let to = if face.is_upper {
            from + step
        } else {
            from - step
        };
        // A limit that is nearer than the step, and rounding.
        let to = if step >= face.room(from) {
            face.limit
        } else {
            to
        };
        let (mut lower, mut upper) = (self.lower.clone(), self.upper.clone());
        (lower[c], upper[c]) = (from.min(to), from.max(to));
        let found = cells.judge([lower, upper], &face.pairs, budget)?;
        let face = &mut self.faces[k];
        match found {
            Found::Free if face.is_upper => (self.upper[c], face.step) = (to, 2.0 * step),
            Found::Free => (self.lower[c], face.step) = (to, 2.0 * step),
            Found::Touches(at, _) => (face.stop, face.step) = (Some(at[c]), 0.5 * step),
            Found::Open(_) => face.step = face.shorter(step, cells.resolution),
        }
        Ok(true)
    }

    fn position(&self, k: usize) -> f64 {
        let Face {
            coordinate,
            is_upper,
            ..
        } = self.faces[k];
        if is_upper {
            self.upper[coordinate]
        } else {
            self.lower[coordinate]
        }
    }

    /// Sets the steps of the next round; returns false where no face can take one.
    fn begin_round(&mut self, resolution: f64) -> bool {
        let mut any = false;
        for k in 0..self.faces.len() {
            let from = self.position(k);
            let face = &mut self.faces[k];
            let width = self.upper[face.coordinate] - self.lower[face.coordinate];
            face.step = (LATER_STEP * width).max(2.0 * resolution / face.weight);
            any |= face.next(from, resolution).is_some();
        }
        any
    }
}

impl Face {
    /// Returns the shortest step.
    fn shortest(&self, resolution: f64) -> f64 {
        resolution / self.weight
    }

    /// Returns the step after one that was given up: not shorter than the shortest, and none after that.
    fn shorter(&self, step: f64, resolution: f64) -> f64 {
        let shortest = self.shortest(resolution);
        if step > shortest {
            (SHRINK * step).max(shortest)
        } else {
            0.0
        }
    }

    /// Returns how far the limit is.
    fn room(&self, from: f64) -> f64 {
        (self.limit - from).abs()
    }

    /// Returns the next step from a position; `None` if it would be shorter than the resolution.
    fn next(&self, from: f64, resolution: f64) -> Option<f64> {
        let room = self.room(from);
        // Half of what is left before a configuration that touches: farther out it is less likely to be proven.
        let free = self
            .stop
            .map_or(f64::INFINITY, |stop| 0.5 * (stop - from).abs());
        let step = self.step.min(room).min(free);
        let is_long = step >= self.shortest(resolution) || (step >= room && step > 0.0);
        // A coordinate that moves no body is free up to its limit.
        let step = if self.weight > 0.0 { step } else { room };
        (step > 0.0 && (is_long || self.weight == 0.0)).then_some(step)
    }
}
