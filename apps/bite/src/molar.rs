//! Procedural first molars of textbook size, which stand in for the scanned ones of the paper.
//!
//! A molar is a box-like body and tapered cusps on it. x runs along the jaw (mesial is −x), y from the tongue to the
//! cheek, z up; the crown of the lower molar stands on z = 0. The upper molar hangs: its cusps point down. Both are given
//! in the frame in which they bite, so that the inner (palatal) front cusp of the upper molar is over the central fossa
//! of the lower one, and the lower outer cusps are under the upper fossa.

use crate::BiteError;
use crate::tooth::{Body, Tooth};
use nalgebra::{Isometry3, Vector3};
use superovoid::Superovoid;

/// A part of a molar: a superovoid whose axes are those of the molar, z towards the cusps' tips.
#[derive(Clone, Debug, PartialEq)]
pub struct Cusp {
    /// The name, as in anatomy.
    pub name: &'static str,
    /// The centre, millimetres; z from the foot of the crown towards the tips.
    pub center: [f64; 3],
    /// The semi-axes, millimetres.
    pub semi_axes: [f64; 3],
    /// The exponents e1 and e2.
    pub exponents: [f64; 2],
    /// The taper along x and along y, negative for a cusp that is narrower at its tip.
    pub taper: f64,
}

/// The parameters of a molar.
#[derive(Clone, Debug, PartialEq)]
pub struct Molar {
    /// Whether it hangs, as upper ones do.
    pub upper: bool,
    /// The body of the crown, then its cusps.
    pub parts: Vec<Cusp>,
    /// Where the centre of the foot stands in the frame of the bite, millimetres.
    pub place: [f64; 3],
}

const MILLIMETRE: f64 = 1e-3;

/// A box-like body that stands on z = 0.
fn crown(semi_axes: [f64; 3]) -> Cusp {
    Cusp {
        name: "crown",
        center: [0.0, 0.0, semi_axes[2]],
        semi_axes,
        exponents: [0.6, 0.6],
        taper: 0.0,
    }
}

/// A cusp at a place, with its tip at a height.
fn cusp(name: &'static str, [x, y]: [f64; 2], tip: f64, semi_axes: [f64; 3]) -> Cusp {
    Cusp {
        name,
        center: [x, y, tip - semi_axes[2]],
        semi_axes,
        exponents: [0.9, 1.0],
        taper: -0.4,
    }
}

impl Molar {
    /// Returns a lower first molar with five cusps; its crown is 11.0 mm long, 10.5 mm wide and 7.5 mm high.
    pub fn lower() -> Self {
        Molar {
            upper: false,
            parts: vec![
                crown([5.5, 5.25, 2.3]),
                cusp("mesiobuccal", [-2.8, 2.55], 7.1, [2.5, 2.5, 3.1]),
                cusp("distobuccal", [0.6, 2.65], 6.9, [2.2, 2.4, 3.0]),
                cusp("distal", [3.4, 1.5], 6.4, [1.9, 2.2, 2.7]),
                cusp("mesiolingual", [-2.6, -2.55], 7.5, [2.7, 2.5, 3.3]),
                cusp("distolingual", [2.4, -2.55], 7.3, [2.6, 2.5, 3.2]),
            ],
            place: [0.0; 3],
        }
    }

    /// Returns an upper first molar with four cusps; its crown is 10.0 mm long, 11.0 mm wide and 7.5 mm high.
    pub fn upper() -> Self {
        Molar {
            upper: true,
            parts: vec![
                crown([5.0, 5.5, 2.3]),
                cusp("mesiobuccal", [-2.4, 2.9], 7.2, [2.4, 2.4, 3.1]),
                cusp("distobuccal", [2.3, 2.9], 7.0, [2.3, 2.4, 3.0]),
                cusp("mesiopalatal", [-1.7, -2.6], 7.5, [2.8, 2.7, 3.3]),
                cusp("distopalatal", [2.7, -3.1], 6.7, [2.1, 2.2, 2.8]),
            ],
            place: [1.6, 2.7, 16.0],
        }
    }

    /// Returns the molar as bodies, metres.
    ///
    /// # Errors
    /// A cusp that is not convex, or numbers that make no body: the error names it.
    pub fn tooth(&self) -> Result<Tooth, BiteError> {
        let bodies = self
            .parts
            .iter()
            .map(|part| self.body(part))
            .collect::<Result<Vec<Body>, BiteError>>()?;
        Tooth::new(bodies)
    }

    /// A superovoid is its own mirror image in x and y; that in z has the opposite taper.
    fn body(&self, part: &Cusp) -> Result<Body, BiteError> {
        let way = if self.upper { -1.0 } else { 1.0 };
        let name = part.name.to_owned();
        let semi_axes = part.semi_axes.map(|a| a * MILLIMETRE);
        let shape = Superovoid::new(semi_axes, part.exponents, [way * part.taper; 2]);
        let shape = shape.map_err(|source| BiteError::Shape {
            name: name.clone(),
            source,
        })?;
        let [x, y, z] = part.center;
        let center = Vector3::from(self.place) + Vector3::new(x, y, way * z);
        let center = center * MILLIMETRE;
        Ok(Body {
            name,
            shape,
            pose: Isometry3::translation(center.x, center.y, center.z),
        })
    }
}
