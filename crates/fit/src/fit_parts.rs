//! Meshes to several superovoids.

use crate::cover::{Cover, fit_cover, fit_covers};
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
    if covers(options) {
        return fit_cover(mesh, options);
    }
    let (parts, volumes) = in_own_frame(mesh, options, |mesh, options| {
        Ok((decomposed(mesh, options)?, Vec::new()))
    })?;
    Ok(Cover { parts, volumes })
}

/// Whether the bodies are those of [`fit_cover`].
fn covers(options: &PartsOptions) -> bool {
    let fit = &options.mesh.fit;
    fit.aim == Aim::Enclosing && fit.family != Family::Any
}

/// Parts of a mesh in every number of them that was found, ascending, and the volumes of all numbers from one where
/// they are known.
pub(crate) struct Ladder {
    pub rungs: Vec<Vec<Part>>,
    pub volumes: Vec<f64>,
}

/// The parts in numbers above one up to [`most`](PartsOptions::most), whatever they save.
pub(crate) fn fit_ladder(
    mesh: &Mesh,
    options: &PartsOptions,
    above: usize,
) -> Result<Ladder, FitError> {
    if covers(options) {
        let (found, volumes) = fit_covers(mesh, options)?;
        let rungs = found.into_iter().filter(|parts| parts.len() > above);
        return Ok(Ladder {
            rungs: rungs.collect(),
            volumes,
        });
    }
    let mut rungs: Vec<Vec<Part>> = Vec::new();
    for most in 2..=options.most {
        let options = PartsOptions { most, ..*options };
        // More parts may be found where fewer were joined to one.
        let parts = fit_parts(mesh, &options)?;
        if parts.len() > rungs.last().map_or(above, Vec::len) {
            rungs.push(parts);
        }
    }
    let volumes = Vec::new();
    Ok(Ladder { rungs, volumes })
}
