//! Meshes to several superovoids.

use crate::cover::{Cover, fit_cover};
use crate::parts::{Part, PartsOptions, decomposed, in_own_frame};
use crate::{Aim, Family, FitError, Mesh};

/// Fits several superovoids to a mesh.
///
/// A concave mesh is cut into nearly convex parts, each with a body of its own. With [`Aim::Enclosing`] and a convex
/// family the bodies are those of [`fit_cover`], which cuts hulls too where one body encloses badly.
///
/// # Errors
/// As [`fit_mesh`](crate::fit_mesh). Parts that are flat join their nearest neighbour.
pub fn fit_parts(mesh: &Mesh, options: &PartsOptions) -> Result<Vec<Part>, FitError> {
    Ok(fit_parts_counted(mesh, options)?.parts)
}

/// The parts, and the volumes of other numbers of them where they were tried.
pub(crate) fn fit_parts_counted(mesh: &Mesh, options: &PartsOptions) -> Result<Cover, FitError> {
    let fit = &options.mesh.fit;
    if fit.aim == Aim::Enclosing && fit.family != Family::Any {
        return fit_cover(mesh, options);
    }
    let (parts, volumes) = in_own_frame(mesh, options, |mesh, options| {
        Ok((decomposed(mesh, options)?, Vec::new()))
    })?;
    Ok(Cover { parts, volumes })
}
