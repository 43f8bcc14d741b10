//! Fits together with what they were fitted to and how well they follow it.

use crate::fit_parts::fit_parts_counted;
use crate::{Family, Fit, FitError, Mesh, Part, PartsOptions, Report, Target, fit_mesh};
use nalgebra::Point3;
use superovoid::QueryError;

/// A fit to a mesh or to a part of it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reported {
    /// The body.
    pub fit: Fit,
    /// What it was meant to follow: the hull of the mesh, of a part of it, or the mesh as it is.
    pub target: Mesh,
    /// How well it does. The volume of a single body is compared with that of the mesh itself too.
    pub report: Report,
    /// As that of a [`Part`](crate::Part).
    pub(crate) slack: f64,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportedError {
    /// There is no fit.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// Distances leave the number range.
    #[error(transparent)]
    Query(#[from] QueryError),
}

impl Reported {
    pub(crate) fn of_part(part: Part) -> Result<Reported, ReportedError> {
        Ok(Reported {
            report: part.fit.report(&part.hull)?,
            fit: part.fit,
            target: part.hull,
            slack: part.slack,
        })
    }

    /// The points that an enclosing body holds, of the mesh that was fitted: the corners of a hull suffice for a
    /// convex one.
    pub(crate) fn held<'a>(&'a self, mesh: &'a Mesh, options: &PartsOptions) -> &'a [Point3<f64>] {
        if options.most <= 1 && options.mesh.fit.family == Family::Any {
            return mesh.vertices();
        }
        self.target.vertices()
    }
}

/// Fits a mesh by [`fit_parts`](crate::fit_parts()), or by [`fit_mesh`] where `most` is 1, and reports on every body.
///
/// # Errors
/// As they do, and distances that exceed the number range.
pub fn fit_reported(mesh: &Mesh, options: &PartsOptions) -> Result<Vec<Reported>, ReportedError> {
    Ok(fit_counted(mesh, options)?.0)
}

/// The fits with reports, and [`Cover::volumes`](crate::Cover::volumes) where several numbers of bodies were tried.
pub(crate) fn fit_counted(
    mesh: &Mesh,
    options: &PartsOptions,
) -> Result<(Vec<Reported>, Vec<f64>), ReportedError> {
    if options.most > 1 {
        let cover = fit_parts_counted(mesh, options)?;
        let reported = cover.parts.into_iter().map(Reported::of_part);
        let reported: Result<Vec<Reported>, ReportedError> = reported.collect();
        return Ok((reported?, cover.volumes));
    }
    Ok((vec![fit_one(mesh, options)?], Vec::new()))
}

fn fit_one(mesh: &Mesh, options: &PartsOptions) -> Result<Reported, ReportedError> {
    let fit = fit_mesh(mesh, &options.mesh)?;
    let target = match options.mesh.target {
        Target::Hull => mesh.hull().ok_or(FitError::Flat)?,
        Target::Surface => mesh.clone(),
    };
    let report = Report {
        volume_to_mesh: mesh
            .volume()
            .filter(|v| *v > 0.0)
            .map(|v| fit.shape.volume() / v),
        ..fit.report(&target)?
    };
    Ok(Reported {
        fit,
        target,
        report,
        slack: 0.0,
    })
}
