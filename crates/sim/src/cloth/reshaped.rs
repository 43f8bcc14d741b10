//! What is known of a body whose shape changes.

use crate::cloth::ClothSystem;
use crate::rigid::{ContactShape, RigidBody};

impl ClothSystem {
    /// Follows the shape of a body within a frame: the planes of its contacts have it behind them.
    pub fn reshaped(&mut self, b: usize, body: &RigidBody) {
        let ContactShape::Superovoid(shape) = &body.shape else {
            return;
        };
        for c in 0..self.cloths.len() {
            let of = |index: u32| index as usize == b;
            for contact in self.contacts[c].iter_mut().filter(|k| of(k.body)) {
                contact.offset =
                    shape.support(&contact.normal).value - contact.normal.dot(&body.center);
            }
            let faces = &mut self.near[c][b].faces;
            for contact in self.faces[c].iter_mut().filter(|k| of(k.body)) {
                contact.offset =
                    shape.support(&contact.normal).value - contact.normal.dot(&body.center);
                if let Some(face) = &mut faces[contact.triangle as usize] {
                    face.support = shape.support(&face.normal).value;
                }
            }
        }
    }

    /// Follows the shape of a body whose surface has changed by at most `change` in a frame.
    pub fn grown(&mut self, b: usize, body: &RigidBody, change: f64) {
        let ContactShape::Superovoid(shape) = &body.shape else {
            return;
        };
        for near in self.near.iter_mut().map(|near| &mut near[b]) {
            for known in &mut near.known {
                known.clearance -= change;
                if known.has_plane() {
                    known.offset = shape.support(&known.normal).value;
                }
            }
            for face in near.faces.iter_mut().flatten() {
                face.support = shape.support(&face.normal).value;
                face.rough = true;
            }
        }
    }
}
