//! Splines of configurations: polynomials, Hermite data and B-splines, all kept as Bézier points.
//!
//! Data flows one way: [`bezier`], what the points of a polynomial bound → [`curve`], the [`Spline`](curve::Spline) and
//! how it is made.

pub(crate) mod bezier;
pub(crate) mod curve;
mod make;
