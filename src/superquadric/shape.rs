//! The parameters of a superhyperboloid or supertoroid, validated once, and the constants that follow from them.

use crate::shape::circle::norm;
use crate::superquadric::sheet::sheet_radius;

/// The sheets of a superhyperboloid of two sheets that belong to the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheets {
    /// Both sheets: two bodies that move as one.
    Both,
    /// The sheet above the xy plane, a cup that opens upwards.
    Upper,
    /// The sheet below the xy plane, a cup that opens downwards.
    Lower,
}

/// The family that a superquadric belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A superhyperboloid of one sheet: a solid neck between two flat caps.
    OneSheet,
    /// A superhyperboloid of two sheets, or one of the two: solid cups, each with a flat cap.
    TwoSheets(Sheets),
    /// A supertoroid: a ring.
    Toroid,
}

/// An error of a parameter that no superhyperboloid or supertoroid can have.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{field} = {value}: {requirement}")]
#[non_exhaustive]
pub struct SuperquadricError {
    /// The name of the parameter: `a1`, `a2`, `a3`, `e1`, `e2`, `height` or `ring`.
    pub field: &'static str,
    /// The value that was rejected.
    pub value: f64,
    /// The requirement that the value does not meet.
    pub requirement: &'static str,
}

/// A superhyperboloid of one or two sheets, or a supertoroid, in its own frame with the origin at the centre.
///
/// The section circle `|ξ|^p1 + |η|^p1 = 1`, p1 = 2/e1, is that of a superovoid; the profile (ρ, ζ), p2 = 2/e2, is
/// another curve. A point of the surface is `(a1 ρ ξ, a2 ρ η, a3 ζ)`, with the semi-axes `a1 a2 a3` in metres:
///
/// | family | profile | ends |
/// | --- | --- | --- |
/// | one sheet | `ρ^p2 − \|ζ\|^p2 = 1` | flat caps at \|ζ\| = `height` > 0 |
/// | two sheets | `\|ζ\|^p2 − ρ^p2 = 1` | flat caps at \|ζ\| = `height` > 1 |
/// | toroid | `\|ρ − b\|^p2 + \|ζ\|^p2 = 1`, b = `ring` > 1 | none |
///
/// The exponent `e1` squares the section parallel to the xy plane and `e2` the profile, both strictly between 0 and 2
/// (1 is round). The cap of a hyperboloid is at `z = ±a3 · height`; the ring's centre line has the half-widths `a1 b`
/// and `a2 b`, its tube `a1`, `a2` and `a3`. A toroid with b ≤ 1 would touch itself, and is refused.
///
/// One sheet of two is convex, see [`Superquadric::is_convex`]; the other bodies never are.
///
/// ```
/// use superovoid::superquadric::Superquadric;
/// let washer = Superquadric::toroid([0.01, 0.01, 0.002], [1.0, 0.2], 2.0)?; // metres
/// assert!((washer.aabb().max.x - 0.03).abs() < 1e-15);
/// let error = Superquadric::toroid([0.01, 0.01, 0.002], [1.0, 0.2], 1.0).unwrap_err();
/// assert!(error.to_string().starts_with("ring = 1:"));
/// # Ok::<(), superovoid::superquadric::SuperquadricError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superquadric {
    pub(crate) family: Family,
    pub(crate) a: [f64; 3],
    pub(crate) e: [f64; 2],
    /// The exponents of the circles, p = 2/e.
    pub(crate) p: [f64; 2],
    /// The conjugates of these, q = 2/(2 − e).
    pub(crate) q: [f64; 2],
    /// The largest |ζ|, or b of a toroid.
    pub(crate) extent: f64,
    /// The largest ρ.
    pub(crate) rim: f64,
}

impl Superquadric {
    /// Makes the solid superhyperboloid of one sheet between the heights `z = ±a3 · height`: `semi_axes = [a1, a2, a3]`
    /// in metres, `exponents = [e1, e2]`.
    ///
    /// # Errors
    /// The error names the first parameter that is out of its domain, with its value.
    pub fn one_sheet(
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        height: f64,
    ) -> Result<Self, SuperquadricError> {
        let shape = Self::checked(Family::OneSheet, semi_axes, exponents, height)?;
        shape.ending("height", height > 0.0, "must be finite and greater than 0")
    }

    /// Makes one or both sheets of the superhyperboloid of two sheets, solid up to the heights `z = ±a3 · height`.
    ///
    /// # Errors
    /// The error names the first parameter that is out of its domain, with its value.
    pub fn two_sheets(
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        height: f64,
        sheets: Sheets,
    ) -> Result<Self, SuperquadricError> {
        let shape = Self::checked(Family::TwoSheets(sheets), semi_axes, exponents, height)?;
        let requirement = "must be finite and greater than 1, where the sheets begin";
        shape.ending("height", height > 1.0, requirement)
    }

    /// Makes a supertoroid whose centre line has the half-widths `a1 · ring` and `a2 · ring`.
    ///
    /// # Errors
    /// The error names the first parameter that is out of its domain, with its value.
    pub fn toroid(
        semi_axes: [f64; 3],
        exponents: [f64; 2],
        ring: f64,
    ) -> Result<Self, SuperquadricError> {
        let shape = Self::checked(Family::Toroid, semi_axes, exponents, ring)?;
        let requirement = "must be finite and greater than 1: a thinner ring touches itself";
        shape.ending("ring", ring > 1.0, requirement)
    }

    fn checked(
        family: Family,
        a: [f64; 3],
        e: [f64; 2],
        extent: f64,
    ) -> Result<Self, SuperquadricError> {
        for (field, value) in ["a1", "a2", "a3"].into_iter().zip(a) {
            if !(value > 0.0 && value.is_finite()) {
                let requirement = "a semi-axis must be finite and greater than 0";
                return Err(SuperquadricError {
                    field,
                    value,
                    requirement,
                });
            }
        }
        for (field, value) in ["e1", "e2"].into_iter().zip(e) {
            if !(value > 0.0 && value < 2.0) {
                let requirement = "an exponent must lie strictly between 0 and 2";
                return Err(SuperquadricError {
                    field,
                    value,
                    requirement,
                });
            }
        }
        let p = e.map(|e| 2.0 / e);
        let rim = match family {
            Family::OneSheet => norm(1.0, extent, p[1]),
            Family::TwoSheets(_) => sheet_radius(extent, p[1]),
            Family::Toroid => extent + 1.0,
        };
        Ok(Superquadric {
            family,
            a,
            e,
            p,
            q: e.map(|e| 2.0 / (2.0 - e)),
            extent,
            rim,
        })
    }

    /// Accepts the shape if its last parameter is in its domain and no coordinate exceeds the number range.
    fn ending(
        self,
        field: &'static str,
        valid: bool,
        requirement: &'static str,
    ) -> Result<Self, SuperquadricError> {
        let value = self.extent;
        if !(valid && value.is_finite()) {
            return Err(SuperquadricError {
                field,
                value,
                requirement,
            });
        }
        if !(self.size().is_finite() && self.rim > 0.0) {
            let requirement = "the body must not exceed the number range";
            return Err(SuperquadricError {
                field,
                value,
                requirement,
            });
        }
        Ok(self)
    }

    /// Returns the family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// Returns the semi-axes `[a1, a2, a3]`, metres.
    pub fn semi_axes(&self) -> [f64; 3] {
        self.a
    }

    /// Returns the squareness exponents `[e1, e2]`.
    pub fn exponents(&self) -> [f64; 2] {
        self.e
    }

    /// Returns the height |ζ| of the caps of a hyperboloid; `None` for a toroid, which has no caps.
    pub fn height(&self) -> Option<f64> {
        (self.family != Family::Toroid).then_some(self.extent)
    }

    /// Returns the ring radius b of a toroid, in units of its tube.
    pub fn ring(&self) -> Option<f64> {
        (self.family == Family::Toroid).then_some(self.extent)
    }

    /// Whether the body is convex: it is one sheet of two.
    pub fn is_convex(&self) -> bool {
        matches!(
            self.family,
            Family::TwoSheets(Sheets::Upper | Sheets::Lower)
        )
    }

    /// Returns the largest |ζ|.
    pub(crate) fn top(&self) -> f64 {
        match self.family {
            Family::Toroid => 1.0,
            _ => self.extent,
        }
    }

    /// Returns the half-widths of the box about the origin that holds the body (and its mirror images).
    pub(crate) fn half_widths(&self) -> [f64; 3] {
        [
            self.a[0] * self.rim,
            self.a[1] * self.rim,
            self.a[2] * self.top(),
        ]
    }

    /// Returns the largest half-width, the length to which relative tolerances refer.
    pub(crate) fn size(&self) -> f64 {
        let [x, y, z] = self.half_widths();
        // No half-width is NaN, and an infinite one must not be lost.
        x.max(y).max(z)
    }

    /// Returns the same shape with every length multiplied by `k`.
    pub(crate) fn scaled(&self, k: f64) -> Self {
        Superquadric {
            a: self.a.map(|x| x * k),
            ..*self
        }
    }

    /// Returns one sheet of two.
    pub(crate) fn sheet(&self, sheets: Sheets) -> Self {
        Superquadric {
            family: Family::TwoSheets(sheets),
            ..*self
        }
    }

    /// Whether rounding leaves the support function accurate enough to certify anything.
    pub(crate) fn is_provable(&self) -> bool {
        self.e.into_iter().all(crate::traits::exponent_can_prove)
    }

    /// Returns the largest exponent of a circle.
    pub(crate) fn steepest(&self) -> f64 {
        let [p1, p2] = self.p;
        let [q1, q2] = self.q;
        p1.max(p2).max(q1.max(q2))
    }
}
