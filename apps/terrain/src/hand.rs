//! What a person grabs of the cloth, pulls and lets go.

use crate::error::{TerrainError, finite};
use crate::limits::within_reach;
use crate::model::Pin;
use crate::terrain::{Grab, Terrain};

impl Terrain {
    /// Grabs a vertex of the cloth, where it is; what was grabbed before is let go, and a pin at the vertex comes off. From
    /// here to [`let_go`](Terrain::let_go) everything is one step of undo.
    ///
    /// # Errors
    /// There is no such vertex.
    pub fn grab(&mut self, vertex: usize) -> Result<(), TerrainError> {
        let place = self.model.positions.get(vertex);
        let target = *place.ok_or(TerrainError::NoVertex(vertex))?;
        self.drop_grab();
        self.begin_change();
        if self.model.pins.iter().any(|pin| pin.vertex == vertex) {
            self.edited();
            self.model.pins.retain(|pin| pin.vertex != vertex);
        }
        self.grab = Some(Grab { vertex, target });
        Ok(())
    }

    /// Pulls what is grabbed towards a point, the nearest within reach, by a spring.
    ///
    /// # Errors
    /// Nothing is grabbed, or a number is not finite.
    pub fn pull_to(&mut self, point: [f64; 3]) -> Result<(), TerrainError> {
        finite("the point of a pull", &point)?;
        let Some(grab) = self.grab else {
            return Err(TerrainError::NothingGrabbed);
        };
        self.edited();
        self.grab = Some(Grab {
            target: within_reach(point),
            ..grab
        });
        Ok(())
    }

    /// Lets go what is grabbed. With `pin` a clothespin stays at the vertex where it is now, which is outside of all bodies.
    ///
    /// # Errors
    /// Nothing is grabbed.
    pub fn let_go(&mut self, pin: bool) -> Result<(), TerrainError> {
        let Some(grab) = self.grab.take() else {
            return Err(TerrainError::NothingGrabbed);
        };
        if pin {
            self.edited();
            let place = self.model.positions[grab.vertex];
            self.model.pins.push(Pin {
                vertex: grab.vertex,
                place,
                goal: place,
            });
        }
        self.end_change();
        Ok(())
    }

    /// Returns the vertex that is grabbed and the point towards which it is pulled.
    pub fn grabbed(&self) -> Option<(usize, [f64; 3])> {
        self.grab.map(|grab| (grab.vertex, grab.target))
    }

    pub(crate) fn drop_grab(&mut self) {
        if self.grab.take().is_some() {
            self.end_change();
        }
    }
}
