//! What a fit is asked for.

use nalgebra::{Point3, Unit, Vector3};

/// Which superovoids are allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Family {
    /// Convex ones, by [`Superovoid::convexity`](superovoid::Superovoid::convexity), which is exact.
    #[default]
    Convex,
    /// Untapered ones, which are always convex.
    Superellipsoid,
    /// All. Hollow ones cost more in contact queries.
    Any,
}

/// What the body should be to the points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Aim {
    /// As near as possible.
    #[default]
    Best,
    /// Of least volume with every point inside or on it, in spite of rounding: what is clear of the body
    /// is clear of the points. The minimum is a local one, found from the best fits.
    Enclosing,
    /// Of largest volume with no point strictly inside, among the points (it reaches at most 2 % of their extent
    /// beyond them along each of its axes). It may pass between points, so they should be dense.
    Inscribed,
}

/// What counts as the error of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Loss {
    /// Outliers count little and in the end nothing: for scans. Up to a third of the points may be wrong.
    #[default]
    Robust,
    /// Least squares of all points: for exact points of a surface that no superovoid may be.
    Squares,
}

/// A given axis: the body's z axis, along which it tapers, lies on it in one of the two directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// Its direction.
    pub direction: Unit<Vector3<f64>>,
    /// A point that it goes through, metres; None leaves it free to shift sideways.
    pub through: Option<Point3<f64>>,
}

/// How far a fit is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// What is being done.
    pub stage: &'static str,
    /// Steps done.
    pub done: usize,
    /// Steps of this stage.
    pub steps: usize,
}

/// What a fit is asked for. `FitOptions::default()` is a robust best fit of a convex body.
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct FitOptions<'a> {
    /// Which bodies are allowed.
    pub family: Family,
    /// What the body should be to the points.
    pub aim: Aim,
    /// What counts as the error.
    pub loss: Loss,
    /// The axis of the body, if it is known.
    pub axis: Option<Axis>,
    /// Called now and then with how far the work is; ends the fit with
    /// [`FitError::Cancelled`](crate::FitError::Cancelled) when it returns false.
    pub progress: Option<&'a dyn Fn(Progress) -> bool>,
}

impl<'a> FitOptions<'a> {
    superovoid::setters! {
        with_family family: Family,
        with_aim aim: Aim,
        with_loss loss: Loss,
        with_axis axis: Option<Axis>,
        with_progress progress: Option<&'a dyn Fn(Progress) -> bool>,
    }
}

impl std::fmt::Debug for FitOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FitOptions")
            .field("family", &self.family)
            .field("aim", &self.aim)
            .field("loss", &self.loss)
            .field("axis", &self.axis)
            .field("progress", &self.progress.is_some())
            .finish()
    }
}
