//! Whether two moving bodies touch, by the library's certified distances at many instants. (An oracle that shares no code
//! with the library judges a million motions in `tests/contact/time_of_impact.rs`.)

use super::course::{Course, MARGIN};
use anyhow::Result;
use superovoid::{QueryOptions, contact};

/// The number of intervals between the instants.
const INSTANTS: usize = 2000;

/// What a motion is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// The bodies are deeper than [`MARGIN`], first at the instant `clear`.
    Hit { clear: f64 },
    /// The bodies are farther apart than [`MARGIN`] at all instants.
    Free,
    /// Neither.
    Unclear,
}

/// Judges a motion. No drawn motion changes a distance by more than 38 m, so that between an instant and the nearest one
/// that is asked it changes by less than 10 mm, a tenth of the margin: what is free at these instants is free between them.
///
/// # Errors
/// A pose that is refused.
pub fn judge(courses: &[Course; 2]) -> Result<Truth> {
    let [a, b] = courses;
    let reach: f64 = [a, b]
        .map(|c| c.linear.norm() + c.angular.norm() * c.shape.semi_axes().iter().sum::<f64>())
        .iter()
        .sum();
    let mut least = f64::INFINITY;
    let mut k = 0;
    while k <= INSTANTS {
        let t = k as f64 / INSTANTS as f64;
        let options = QueryOptions::default();
        let found = contact(&a.shape, &a.at(t), &b.shape, &b.at(t), &options, None)?;
        if found.distance < -MARGIN {
            return Ok(Truth::Hit { clear: t });
        }
        least = least.min(found.distance);
        // Instants are skipped at which the bodies cannot be nearer than the margin.
        let skipped = (found.lower - MARGIN) / reach * INSTANTS as f64;
        k += (skipped as usize).max(1);
    }
    Ok(if least > MARGIN {
        Truth::Free
    } else {
        Truth::Unclear
    })
}
