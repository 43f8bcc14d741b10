//! What can be undone and redone: the whole model before each edit.

use crate::model::Model;

/// The most steps that are kept; each is some 100 kB.
const MOST: usize = 100;

/// What can be undone and redone.
#[derive(Default)]
pub(crate) struct History {
    pub undo: Vec<Model>,
    pub redo: Vec<Model>,
    /// The model at the beginning of a change of several edits, until its first edit.
    pub begun: Option<Model>,
    /// Whether a change of several edits is going on.
    pub open: bool,
}

impl History {
    /// Remembers the model before an edit, unless the edit belongs to a change that is remembered.
    pub fn remember(&mut self, now: &Model) {
        let before = match self.begun.take() {
            Some(begun) => begun,
            None if self.open => return,
            None => now.clone(),
        };
        self.redo.clear();
        if self.undo.len() == MOST {
            self.undo.remove(0);
        }
        self.undo.push(before);
    }
}
