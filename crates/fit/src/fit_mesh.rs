//! Meshes to one superovoid.

use crate::fit::{Given, fit_to};
use crate::frame::Frame;
use crate::{Aim, Fit, FitError, FitOptions, Loss, Mesh};

/// What of a mesh the body follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// Its convex hull: a convex body cannot follow hollows, and what lies inside does not matter.
    #[default]
    Hull,
    /// Its surface as it is, with all that lies inside.
    Surface,
}

/// What a fit to a mesh is asked for. By default a convex body follows the mesh's hull by least
/// squares.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct MeshOptions<'a> {
    /// As for points, with [`Loss::Squares`] for default.
    pub fit: FitOptions<'a>,
    /// What the body follows.
    pub target: Target,
    /// How many points are spread over it; default 2000.
    pub samples: usize,
}

impl<'a> MeshOptions<'a> {
    superovoid::setters! {
        with_fit fit: FitOptions<'a>,
        with_target target: Target,
        with_samples samples: usize,
    }
}

impl Default for MeshOptions<'_> {
    fn default() -> Self {
        MeshOptions {
            fit: FitOptions {
                loss: Loss::Squares,
                ..FitOptions::default()
            },
            target: Target::Hull,
            samples: 2000,
        }
    }
}

/// Fits a superovoid to a mesh, by points spread evenly over its surface or hull.
///
/// With [`Aim::Best`] and [`Loss::Squares`] the best bodies are then refined by exact distances both ways, from the
/// mesh to the body and from the body to the mesh: the sum of both mean squares is least.
///
/// An enclosing body holds every vertex of the mesh, and so, if it is convex, the whole mesh. An inscribed one
/// has no vertex and none of the points strictly inside.
///
/// The mesh turned, mirrored, scaled or with its vertices and triangles in another order gets the same body, turned, mirrored
/// and scaled with it.
///
/// # Errors
/// As [`fit`](crate::fit()): a flat mesh, for example.
pub fn fit_mesh(mesh: &Mesh, options: &MeshOptions) -> Result<Fit, FitError> {
    let hull = match options.target {
        Target::Hull => Some(mesh.hull().ok_or(FitError::Flat)?),
        Target::Surface => None,
    };
    let frame = match &hull {
        Some(hull) => Frame::of_hull(hull, mesh, &options.fit)?,
        None => Frame::of_mesh(mesh, &options.fit, &[])?,
    };
    let within = frame.mesh(mesh)?;
    let target = match options.target {
        Target::Hull => within.hull().ok_or(FitError::Flat)?,
        Target::Surface => within.clone(),
    };
    let surface = target.sample(options.samples);
    let (mut bounds, mut kept) = (within.vertices().to_vec(), mesh.vertices().to_vec());
    if options.fit.aim == Aim::Inscribed {
        if let Some(hull) = &hull {
            (bounds, kept) = (target.vertices().to_vec(), hull.vertices().to_vec());
        }
        bounds.extend(&surface);
        kept.extend(surface.iter().map(|p| frame.point_from(p)));
    }
    let given = Given {
        frame: &frame,
        surface: &surface,
        bounds: &bounds,
        kept: &kept,
        mesh: Some(&target),
    };
    fit_to(&given, &options.fit)
}
