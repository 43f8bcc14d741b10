//! Undo and redo.

use crate::error::TerrainError;
use crate::terrain::Terrain;

impl Terrain {
    /// Begins a change: the edits up to [`end_change`](Terrain::end_change), such as those of a drag, are one step of undo.
    /// One that is going on ends.
    pub fn begin_change(&mut self) {
        self.history.begun = Some(self.model.clone());
        self.history.open = true;
    }

    /// Ends a change.
    pub fn end_change(&mut self) {
        self.history.begun = None;
        self.history.open = false;
    }

    /// Remembers the model before an edit, unless the edit belongs to a change that is remembered.
    pub(crate) fn edited(&mut self) {
        self.history.remember(&self.model);
    }

    /// Whether there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.history.undo.is_empty()
    }

    /// Whether there is something to redo.
    pub fn can_redo(&self) -> bool {
        !self.history.redo.is_empty()
    }

    /// Undoes the last change: bodies, pins and the cloth are as they were before it. A change that is going on ends, and
    /// what is grabbed is let go. Returns whether there was one.
    ///
    /// # Errors
    /// The simulation refuses the scene, which does not happen.
    pub fn undo(&mut self) -> Result<bool, TerrainError> {
        self.drop_grab();
        self.end_change();
        let Some(model) = self.history.undo.pop() else {
            return Ok(false);
        };
        self.history
            .redo
            .push(std::mem::replace(&mut self.model, model));
        self.rebuild()?;
        Ok(true)
    }

    /// Redoes what was undone last. Returns whether there was something.
    ///
    /// # Errors
    /// The simulation refuses the scene, which does not happen.
    pub fn redo(&mut self) -> Result<bool, TerrainError> {
        self.drop_grab();
        self.end_change();
        let Some(model) = self.history.redo.pop() else {
            return Ok(false);
        };
        self.history
            .undo
            .push(std::mem::replace(&mut self.model, model));
        self.rebuild()?;
        Ok(true)
    }
}
