//! What a search in a tree needs of a body that is not convex: even parts that cover it, and a ball inside.

use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::superquadric::support::Part;
use crate::surface::bounds::{Aabb, BoundingSphere};
use crate::surface::support_map::SupportMap;
use nalgebra::{Point3, Vector3};
use std::f64::consts::TAU;

/// A part of a body.
pub(crate) struct Piece<'a> {
    shape: &'a Superquadric,
    part: Part,
}

impl Piece<'_> {
    /// Returns the box along the axes of the body's frame.
    pub(crate) fn aabb(&self) -> Aabb {
        let end = |sign: f64| {
            Vector3::from_fn(|i, _| sign * self.local_support(&Vector3::ith(i, sign)).0)
        };
        Aabb {
            min: end(-1.0).into(),
            max: end(1.0).into(),
        }
    }
}

impl SupportMap for Piece<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        self.shape.part_support(&self.part, n)
    }
}

impl Superquadric {
    /// Returns N even parts that make up the whole body, at least 4; `None` of the bodies that are not cut.
    pub(crate) fn pieces<const N: usize>(&self) -> Option<[Piece<'_>; N]> {
        let [from, to] = match self.family {
            Family::Toroid => [0.0, TAU],
            Family::OneSheet => [-self.extent, self.extent],
            Family::TwoSheets(_) => return None,
        };
        let at = |k: usize| from + (to - from) * (k as f64 / N as f64);
        Some(std::array::from_fn(|k| Piece {
            shape: self,
            part: self.part([at(k), at(k + 1)]),
        }))
    }

    /// Returns a ball inside the body itself; of two sheets, inside the upper one.
    pub(crate) fn ball_inside(&self) -> BoundingSphere {
        let [x, zeta] = match self.family {
            Family::Toroid => [self.extent, 0.0],
            Family::OneSheet => [0.0; 2],
            Family::TwoSheets(Sheets::Lower) => [0.0, -0.5 * (1.0 + self.extent)],
            Family::TwoSheets(_) => [0.0, 0.5 * (1.0 + self.extent)],
        };
        BoundingSphere {
            center: Point3::new(self.a[0] * x, 0.0, self.a[2] * zeta),
            radius: (1.0 - 1e-12) * -self.implicit(x, zeta) / self.steepest_slope(),
        }
    }
}
