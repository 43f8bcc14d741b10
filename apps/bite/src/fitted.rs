//! A mesh to a tooth: [`fit_parts`], then [`refine_union`], and how well the union of the bodies follows the mesh.

use crate::{BiteError, Body, Surfaces, Tooth, union_mesh_of};
use nalgebra::Point3;
use superovoid::{VertexOptions, vertex_contact};
use superovoid_fit::{
    Distances, Family, Fit, FitError, Loss, Mesh, MeshError, PartsOptions, fit_parts, refine_union,
};

/// What a fit of a tooth is asked for.
#[derive(Clone, Copy, Debug)]
pub struct ToothOptions<'a> {
    /// The fit of the parts.
    pub parts: PartsOptions<'a>,
    /// How far points of the mesh may be outside of the bodies, and points of the union from the mesh, metres;
    /// 0, the default, means 8 % of the mesh's longest side.
    pub allowed: f64,
}

impl Default for ToothOptions<'_> {
    /// The parts are only where the refinement of the union starts: few points suffice.
    fn default() -> Self {
        let standard = PartsOptions::default();
        ToothOptions {
            parts: standard
                .with_mesh(
                    standard
                        .mesh
                        .with_fit(standard.mesh.fit.with_loss(Loss::Robust))
                        .with_samples(400),
                )
                .with_most(8)
                .with_concavity(0.003)
                .with_resolution(40)
                .with_merge(0.0),
            allowed: 0.0,
        }
    }
}

/// How well a tooth follows its mesh; metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitReport {
    /// From points spread evenly over the mesh to the surface of the union.
    pub mesh_to_union: Distances,
    /// From points spread evenly over the union's surface to the mesh.
    pub union_to_mesh: Distances,
    /// How far a point of the mesh is outside of all bodies at most.
    pub hole: f64,
    /// That point.
    pub hole_at: Point3<f64>,
    /// What the options allow.
    pub allowed: f64,
}

/// A tooth with the errors of its fit.
#[derive(Clone, Debug)]
pub struct FittedTooth {
    /// The tooth.
    pub tooth: Tooth,
    /// How well it follows the mesh.
    pub report: FitReport,
}

/// The share of the mesh's longest side that errors may have by default.
const ALLOWED: f64 = 0.08;
/// Points on each side, and the triangles of the union that is compared.
const SAMPLES: usize = 2000;
const TRIANGLES: usize = 6200;

/// Fits a tooth to a closed mesh: its nearly convex parts become bodies, which are then moved together so that their union
/// follows the mesh. Each body is called `name` and a number.
///
/// # Errors
/// A mesh that is not closed, a fit that fails, and one whose bodies leave a hole or bulge by more than is allowed: the
/// error names the point.
pub fn fit_tooth(
    name: &str,
    mesh: &Mesh,
    options: &ToothOptions,
) -> Result<FittedTooth, BiteError> {
    let allowed = allowed(mesh, options.allowed)?;
    if !mesh.is_closed() {
        return Err(BiteError::OpenMesh);
    }
    let mut parts = options.parts;
    if parts.mesh.fit.family == Family::Any {
        parts.mesh.fit.family = Family::Convex;
    }
    let parts = fit_parts(mesh, &parts)?;
    let fits: Vec<Fit> = parts.iter().map(|part| part.fit).collect();
    let fits = refine_union(mesh, &fits)?;
    let bodies = fits.iter().enumerate().map(|(k, fit)| Body {
        name: format!("{name} {}", k + 1),
        shape: fit.shape,
        pose: fit.pose,
    });
    let tooth = Tooth::new(bodies.collect())?;
    let report = report(&tooth, mesh, allowed)?;
    Ok(FittedTooth { tooth, report })
}

fn allowed(mesh: &Mesh, asked: f64) -> Result<f64, BiteError> {
    if asked == 0.0 {
        let first = mesh.vertices()[0].coords;
        let vertices = mesh.vertices().iter().map(|v| v.coords);
        let (low, high) = vertices.fold((first, first), |(l, h), v| (l.inf(&v), h.sup(&v)));
        return Ok(ALLOWED * (high - low).amax());
    }
    if asked > 0.0 && asked.is_finite() {
        return Ok(asked);
    }
    Err(BiteError::Setting {
        name: "allowed",
        value: asked,
        requirement: "metres, finite, at least 0 (0: the default)",
    })
}

/// Compares a tooth with a mesh both ways.
fn report(tooth: &Tooth, mesh: &Mesh, allowed: f64) -> Result<FitReport, BiteError> {
    let union = union_mesh_of(tooth, TRIANGLES)?;
    let flat = |_: MeshError| BiteError::Fit(FitError::Flat);
    let union = Mesh::new(union.vertices, union.triangles).map_err(flat)?;
    let surface = |mesh: &Mesh| {
        Surfaces::new(mesh.vertices(), mesh.triangles()).ok_or(BiteError::Fit(FitError::Flat))
    };
    let (of_mesh, of_union) = (surface(mesh)?, surface(&union)?);
    let points = mesh.sample(SAMPLES);
    let (mut hole, mut hole_at) = (0.0, points[0]);
    for point in &points {
        let outside = outside(tooth, point, hole)?;
        if outside > hole {
            (hole, hole_at) = (outside, *point);
        }
    }
    if hole > allowed {
        return Err(BiteError::Hole {
            point: hole_at,
            distance: hole,
            allowed,
            bodies: tooth.bodies().len(),
        });
    }
    let on_union = union.sample(SAMPLES);
    let bulges: Vec<f64> = on_union.iter().map(|p| of_mesh.point_distance(p)).collect();
    if let Some((worst, distance)) = (0..bulges.len())
        .map(|k| (k, bulges[k]))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, distance)| *distance > allowed)
    {
        return Err(BiteError::Bulge {
            point: on_union[worst],
            distance,
            allowed,
        });
    }
    let to_union = points.iter().map(|p| of_union.point_distance(p)).collect();
    Ok(FitReport {
        mesh_to_union: summary(to_union),
        union_to_mesh: summary(bulges),
        hole,
        hole_at,
        allowed,
    })
}

/// How far a point is outside of all bodies: the least of its distances, or anything up to `enough` where that is less.
fn outside(tooth: &Tooth, point: &Point3<f64>, enough: f64) -> Result<f64, BiteError> {
    let mut least = f64::INFINITY;
    for body in tooth.bodies() {
        let options = VertexOptions::default();
        let contact = vertex_contact(&body.shape, &body.pose, point, &options)?;
        least = least.min(contact.distance);
        if least <= enough {
            break;
        }
    }
    Ok(least)
}

/// Of points that stand for equal areas.
fn summary(mut distances: Vec<f64>) -> Distances {
    distances.sort_by(f64::total_cmp);
    let count = distances.len().max(1) as f64;
    let squares: f64 = distances.iter().map(|d| d * d).sum();
    Distances {
        rms: (squares / count).sqrt(),
        p95: distances
            .get((0.95 * count) as usize)
            .copied()
            .unwrap_or(0.0),
        max: distances.last().copied().unwrap_or(0.0),
    }
}
