//! Meshes to one superovoid.

use crate::fit::{Given, fit_to};
use crate::{Aim, Fit, FitError, FitOptions, Loss, Mesh};
use nalgebra::Point3;

/// What of a mesh the body follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
pub struct MeshOptions<'a> {
    /// As for points, with [`Loss::Squares`] for default.
    pub fit: FitOptions<'a>,
    /// What the body follows.
    pub target: Target,
    /// How many points are spread over it; default 2000.
    pub samples: usize,
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
/// # Errors
/// As [`fit`](crate::fit): a flat mesh, for example.
pub fn fit_mesh(mesh: &Mesh, options: &MeshOptions) -> Result<Fit, FitError> {
    let hull = match options.target {
        Target::Hull => Some(mesh.hull().ok_or(FitError::Flat)?),
        Target::Surface => None,
    };
    let target = hull.as_ref().unwrap_or(mesh);
    let surface = target.sample(options.samples);
    let mut bounds: Vec<Point3<f64>> = mesh.vertices().to_vec();
    if options.fit.aim == Aim::Inscribed {
        if options.target == Target::Hull {
            bounds = target.vertices().to_vec();
        }
        bounds.extend(&surface);
    }
    let given = Given {
        surface: &surface,
        bounds: &bounds,
        mesh: Some(target),
    };
    fit_to(&given, &options.fit)
}
