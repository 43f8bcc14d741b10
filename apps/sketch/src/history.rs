//! What can be undone and done again: the whole figure before each step. The edits of a change, such as those of a drag, are
//! one step, and can be taken back together while it goes on.

use crate::error::SketchError;
use crate::figure::Figure;

/// The steps that are kept.
const MOST_STEPS: usize = 1000;

/// The figures before and after the one that is there.
#[derive(Clone, Debug, Default)]
pub(crate) struct History {
    past: Vec<Figure>,
    future: Vec<Figure>,
    /// The figure at the beginning of the change that goes on.
    begun: Option<Figure>,
}

impl History {
    /// Remembers the figure before an edit, unless nothing changed or the edit belongs to a change that goes on.
    pub fn remember(&mut self, old: Figure, now: &Figure) {
        if old == *now || self.begun.is_some() {
            return;
        }
        self.past.push(old);
        if self.past.len() > MOST_STEPS {
            self.past.remove(0);
        }
        self.future.clear();
    }

    /// Begins a change. One that goes on ends.
    pub fn begin(&mut self, now: &Figure) {
        self.end(now);
        self.begun = Some(now.clone());
    }

    /// Ends the change that goes on, if one does.
    pub fn end(&mut self, now: &Figure) {
        if let Some(begun) = self.begun.take() {
            self.remember(begun, now);
        }
    }

    /// Takes back what was edited since the change began, if one goes on.
    pub fn cancel(&mut self, now: &mut Figure) {
        if let Some(begun) = self.begun.take() {
            *now = begun;
        }
    }

    /// Whether there is a step to undo.
    pub fn can_undo(&self, now: &Figure) -> bool {
        !self.past.is_empty() || self.is_changed(now)
    }

    /// Whether there is a step to do again.
    pub fn can_redo(&self, now: &Figure) -> bool {
        !self.future.is_empty() && !self.is_changed(now)
    }

    /// Whether a change goes on and has changed something.
    fn is_changed(&self, now: &Figure) -> bool {
        self.begun.as_ref().is_some_and(|begun| begun != now)
    }

    /// Ends the change that goes on and takes the last step back.
    pub fn undo(&mut self, now: &mut Figure) -> Result<(), SketchError> {
        self.end(now);
        let before = self.past.pop().ok_or(SketchError::Nothing("undo"))?;
        self.future.push(std::mem::replace(now, before));
        Ok(())
    }

    /// Ends the change that goes on and does the step again that was taken back last.
    pub fn redo(&mut self, now: &mut Figure) -> Result<(), SketchError> {
        self.end(now);
        let after = self.future.pop().ok_or(SketchError::Nothing("do again"))?;
        self.past.push(std::mem::replace(now, after));
        Ok(())
    }
}
