//! The numbers of outcomes: those of the C interface and of the enumerations in `superovoid/__init__.py`.

use superovoid::derivatives::DerivativeStatus;
use superovoid::motion::TimeOfImpact;
use superovoid::{CollisionStatus, Outcome};
use superovoid_robot::EdgeStatus;

pub fn of_outcome(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Certified => 1,
        Outcome::Converged => 2,
        Outcome::Beyond => 4,
        _ => 3,
    }
}

/// Returns the outcome of its number.
pub fn outcome(code: f64) -> Option<Outcome> {
    [
        Outcome::Certified,
        Outcome::Converged,
        Outcome::NotConverged,
        Outcome::Beyond,
    ]
    .into_iter()
    .find(|outcome| f64::from(of_outcome(*outcome)) == code)
}

/// Returns the status of its number; of derivatives that do not exist it is `None`.
pub fn derivatives(code: f64) -> Option<Option<DerivativeStatus>> {
    [
        None,
        Some(DerivativeStatus::Exact),
        Some(DerivativeStatus::PointsSingular),
        Some(DerivativeStatus::Tie),
    ]
    .into_iter()
    .find(|status| f64::from(of_derivatives(*status)) == code)
}

/// Returns the status of its number.
pub fn edge(code: f64) -> Option<EdgeStatus> {
    [EdgeStatus::Free, EdgeStatus::Hit, EdgeStatus::Undecided]
        .into_iter()
        .find(|status| f64::from(of_edge(*status)) == code)
}

pub fn of_collision(status: CollisionStatus) -> u8 {
    match status {
        CollisionStatus::Free => 1,
        CollisionStatus::Collision => 2,
        CollisionStatus::Undecided => 3,
    }
}

/// `None` stands for derivatives that do not exist.
pub fn of_derivatives(status: Option<DerivativeStatus>) -> u8 {
    match status {
        None => 0,
        Some(DerivativeStatus::Exact) => 1,
        Some(DerivativeStatus::PointsSingular) => 2,
        Some(_) => 3,
    }
}

pub fn of_impact(impact: &TimeOfImpact) -> u8 {
    match impact {
        TimeOfImpact::Free { .. } => 1,
        TimeOfImpact::Hit { .. } => 2,
        TimeOfImpact::Overlapping { .. } => 3,
        TimeOfImpact::Undecided { .. } => 4,
    }
}

pub fn of_edge(status: EdgeStatus) -> u8 {
    match status {
        EdgeStatus::Free => 1,
        EdgeStatus::Hit => 2,
        EdgeStatus::Undecided => 3,
    }
}
