//! When a plan has to end: its time is used up, or whoever asked for it says so.

use super::answer::PlanStatistics;
use std::time::{Duration, Instant};

/// Told the work so far; returns whether the plan goes on.
pub(crate) type Progress<'a> = &'a mut dyn FnMut(&PlanStatistics) -> bool;

pub(crate) struct Watch<'a> {
    began: Instant,
    max_time: Option<Duration>,
    progress: Option<Progress<'a>>,
    /// When the progress was told last.
    told: Option<Instant>,
    pub cancelled: bool,
}

/// The time from one call of the progress to the next.
const TOLD_EVERY: Duration = Duration::from_millis(10);

impl<'a> Watch<'a> {
    pub fn new(max_time: Option<Duration>, progress: Option<Progress<'a>>) -> Self {
        Watch {
            began: Instant::now(),
            max_time,
            progress,
            told: None,
            cancelled: false,
        }
    }

    /// Whether the plan has to end.
    pub fn is_over(&mut self, statistics: &PlanStatistics) -> bool {
        if let Some(progress) = &mut self.progress
            && !self.cancelled
            && self.told.is_none_or(|told| told.elapsed() >= TOLD_EVERY)
        {
            self.cancelled = !progress(statistics);
            self.told = Some(Instant::now());
        }
        self.cancelled
            || self
                .max_time
                .is_some_and(|limit| self.began.elapsed() >= limit)
    }
}
