//! The proof that a gap stays open for a while.
//!
//! A gap s(t) is the least of many smooth functions φ, one for each pair of points, with φ″ ≤ K. Each lies above its
//! chord between two instants by at least −½ K (t − t₀)(t₁ − t), and the least of the chords of all φ is not below the
//! chord of s. So with a = s(t₀), b = s(t₁), T = t₁ − t₀ and u = (t − t₀)/T
//!
//! ```text
//! s(t) ≥ (1 − u) a + u b − κ u (1 − u),     κ = ½ K T²
//! ```
//!
//! Divided by u (1 − u), the right side is a/u + b/(1 − u) − κ, and the least value of a/u + b/(1 − u) is (√a + √b)².
//! So s stays open if
//!
//! ```text
//! a, b ≥ 0   and   √a + √b ≥ √κ
//! ```
//!
//! Otherwise, if a ≥ 0, it stays open until the first root of the parabola. One evaluation of s at t₁ proves an
//! interval in which the bodies come nearer by nearly all that is between them: the bound is exact at both ends, and its
//! loss in between is a quarter of what the Taylor polynomial about t₀ loses at t₁. (Mirtich's conservative advancement
//! bounds the speed alone; Zhang, Redon, Lee and Kim 2007 bound it along the normal.)

use super::moving_pair::MovingPair;
use nalgebra::Vector3;

/// How far a gap is proven to stay open.
pub(super) struct Advance {
    /// The instant up to which it does.
    pub until: f64,
    /// The gap is at least this until then.
    pub least: f64,
}

/// A gap that is open at t₀, with an estimate of its slope there.
#[derive(Clone, Copy)]
struct SpanStart {
    t: f64,
    gap: f64,
    slope: f64,
}

/// The number of gaps that are evaluated along one direction.
const EVALUATIONS: usize = 4;

impl MovingPair<'_> {
    /// Proves that the gap along a unit vector n stays above `floor` from `from` on, as far as possible until `end`. `gap`
    /// is its value at `from`, above the floor, and `slope` an estimate of its derivative there.
    pub(super) fn advance(
        &self,
        n: &Vector3<f64>,
        [from, end]: [f64; 2],
        [gap, slope]: [f64; 2],
        floor: f64,
    ) -> Advance {
        let rounding = self.rounding();
        let mut proven = Advance {
            until: from,
            least: gap,
        };
        let mut start = SpanStart {
            t: from,
            gap: gap - floor,
            slope,
        };
        let mut next = first_trial(&start, end, self.bend(n, [from, end]));
        for _ in 0..EVALUATIONS {
            let there = self.gap(n, &self.at(next), rounding) - floor;
            let span = next - start.t;
            let bend = self.bend(n, [start.t, next]);
            let Piece { share, least } = piece(start.gap, there, 0.5 * bend * span * span);
            let reached = if share == 1.0 {
                next
            } else {
                start.t + share * span
            };
            if reached > proven.until {
                proven.until = reached;
                proven.least = proven.least.min(floor + least);
            }
            if proven.until >= end {
                break;
            }
            let chord = (there - start.gap) / span;
            if share == 1.0 {
                // Most of the gap is closed: a new normal serves better.
                if there < 0.5 * start.gap {
                    break;
                }
                start = SpanStart {
                    t: next,
                    gap: there,
                    slope: chord,
                };
                next = first_trial(&start, end, bend);
            } else if there < 0.0 {
                let root = start.t + root_of_quadratic(start.gap, start.slope, chord, span);
                if reached - start.t > 0.9 * (root - start.t) {
                    break;
                }
                next = root;
            } else {
                let shorter = SpanStart {
                    slope: chord,
                    ..start
                };
                let trial = start.t + provable_span(&shorter, bend, span);
                if reached - start.t > 0.7 * (trial - start.t) {
                    break;
                }
                next = trial;
            }
            let within = next > start.t && next <= end;
            if !within {
                break;
            }
        }
        proven
    }
}

/// What is proven between two instants.
struct Piece {
    /// The share of the interval in which the gap is proven to be open.
    share: f64,
    /// The gap is at least this in that share.
    least: f64,
}

/// Returns what the parabola (1 − u) a + u b − κ u (1 − u) proves; a ≥ 0.
fn piece(a: f64, b: f64, kappa: f64) -> Piece {
    if b >= 0.0 && a.sqrt() + b.sqrt() >= kappa.sqrt() {
        let u = 0.5 * (kappa + a - b) / kappa;
        let inside = u > 0.0 && u < 1.0;
        let least = if inside {
            (1.0 - u) * a + u * b - kappa * u * (1.0 - u)
        } else {
            a.min(b)
        };
        return Piece {
            share: 1.0,
            least: least.max(0.0),
        };
    }
    // κ u² − (κ + a − b) u + a = 0, by the form that does not cancel.
    let half = 0.5 * (kappa + a - b);
    let discriminant = (half * half - kappa * a).max(0.0);
    let share = a / (half + discriminant.sqrt());
    // What rounding may have added is taken off.
    let share = share * (1.0 - 1e-14);
    Piece {
        share: if (0.0..1.0).contains(&share) {
            share
        } else {
            0.0
        },
        least: 0.0,
    }
}

/// Returns the instant at which the gap is evaluated first: where it closes by its slope, or the end, or as far as a gap
/// with the bend K can be proven.
fn first_trial(start: &SpanStart, end: f64, bend: f64) -> f64 {
    let rest = end - start.t;
    let closes = if start.slope < 0.0 {
        start.gap / -start.slope
    } else {
        f64::INFINITY
    };
    if closes > 0.8 * rest {
        return end;
    }
    let span = closes.min(provable_span(start, bend, closes));
    (start.t + span).min(end)
}

/// Returns about how far a gap can be proven by one more evaluation, at most `most`: √a + √b = T √(K/2) with b by the
/// slope.
fn provable_span(start: &SpanStart, bend: f64, most: f64) -> f64 {
    let per_root = (2.0 / bend).sqrt();
    let root = start.gap.sqrt();
    let first = (2.0 * root * per_root).min(most);
    let there = (start.gap + start.slope * first).max(0.0);
    ((root + there.sqrt()) * per_root).min(most)
}

/// Returns the first root of the quadratic with the value a > 0 and the slope at 0 and the `chord` to `span`, where it
/// is negative.
fn root_of_quadratic(a: f64, slope: f64, chord: f64, span: f64) -> f64 {
    let bend = (chord - slope) / span;
    let discriminant = slope * slope - 4.0 * a * bend;
    let root = 2.0 * a / (-slope + discriminant.max(0.0).sqrt());
    if root > 0.0 && root < span {
        root
    } else {
        a / -chord
    }
}
