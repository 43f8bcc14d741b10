//! Concave meshes to several superovoids.
//!
//! A concave mesh is cut into parts that are convex or nearly so (VHACD, by parry3d); each part is fitted to the
//! hull of what it holds of the surface. Parts whose common hull is no larger than both of theirs, to within the
//! concavity, are one from the start; others whose hull is hardly larger are tried as one after the fit, and
//! stay so where one body serves as well as two.

use crate::body::Body;
use crate::fit_mesh::fit_mesh;
use crate::frame::Frame;
use crate::robust::{Scale, distances};
use crate::{Aim, Fit, FitError, Mesh, MeshOptions, Target};
use nalgebra::{Matrix3, Point3, Vector3};
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

/// What a fit of several bodies is asked for.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct PartsOptions<'a> {
    /// As for one body. Each part is convex, so that [`Target`] does not matter.
    pub mesh: MeshOptions<'a>,
    /// Most parts; default 16.
    pub most: u32,
    /// Of enclosing bodies: the volume of their union over that of the hull that is small enough; default None.
    pub budget: Option<f64>,
    /// Of enclosing bodies: what a further one must save, as a share of the hull's volume; default 0.03.
    pub gain: f64,
    /// How hollow a part may be, as a share of the mesh's volume that its hull adds; default 0.01.
    pub concavity: f64,
    /// Voxels along the longest side of the mesh; default 64, at most 256.
    pub resolution: u32,
    /// How much worse one body may be than the two that it replaces: their volume, or their error; default
    /// 0.1.
    pub merge: f64,
}

impl<'a> PartsOptions<'a> {
    superovoid::setters! {
        with_mesh mesh: MeshOptions<'a>,
        with_most most: u32,
        with_budget budget: Option<f64>,
        with_gain gain: f64,
        with_concavity concavity: f64,
        with_resolution resolution: u32,
        with_merge merge: f64,
    }
}

impl Default for PartsOptions<'_> {
    fn default() -> Self {
        PartsOptions {
            mesh: MeshOptions::default(),
            most: 16,
            budget: None,
            gain: 0.03,
            concavity: 0.01,
            resolution: 64,
            merge: 0.1,
        }
    }
}

/// A part of a mesh with its body.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Part {
    /// The convex hull of the part.
    pub hull: Mesh,
    /// The body.
    pub fit: Fit,
    /// How far a point of what the part stands for may be from the hull, by rounding; an enclosing body allows for it.
    pub(crate) slack: f64,
}

/// What some work finds of a mesh in the mesh's own frame, back from there; the parts with `T`.
pub(crate) fn in_own_frame<T>(
    mesh: &Mesh,
    options: &PartsOptions,
    work: impl FnOnce(&Mesh, &PartsOptions) -> Result<(Vec<Part>, T), FitError>,
) -> Result<(Vec<Part>, T), FitError> {
    let given = &options.mesh.fit;
    let frame = Frame::of_mesh(mesh, given, &[])?;
    let mut within = *options;
    within.mesh.fit.axis = frame.axis(given)?;
    let (parts, rest) = work(&frame.mesh(mesh)?, &within)?;
    let parts = parts.into_iter().map(|part| {
        let hull = frame.mesh_from(&part.hull)?;
        let slack = frame.slack(part.slack);
        let Fit { shape, pose, time } = part.fit;
        let (shape, pose) = frame.kept_from(&shape, &pose, given, hull.vertices(), slack)?;
        let fit = Fit { shape, pose, time };
        Ok(Part { hull, fit, slack })
    });
    Ok((parts.collect::<Result<_, FitError>>()?, rest))
}

/// The bodies of the nearly convex parts of a mesh in its own frame, one to each.
///
/// With [`Aim::Enclosing`] and a convex family the bodies together hold the mesh's whole surface: the parts
/// hold pieces of all triangles, and each body holds its part.
pub(crate) fn decomposed(mesh: &Mesh, options: &PartsOptions) -> Result<Vec<Part>, FitError> {
    let of_hull = MeshOptions {
        target: Target::Hull,
        ..options.mesh
    };
    let fitted = |hull: Mesh| {
        let fit = fit_mesh(&hull, &of_hull)?;
        Ok(Part {
            hull,
            fit,
            slack: 0.0,
        })
    };
    let hulls = decompose(mesh, options)?;
    let parts: Result<Vec<Part>, FitError> = hulls.into_iter().map(fitted).collect();
    let mut parts = parts?;
    while let Some((i, j, merged)) = best_merge(&parts, options, &fitted)? {
        parts.swap_remove(j);
        parts[i] = merged;
    }
    Ok(parts)
}

/// The hulls of the parts.
fn decompose(mesh: &Mesh, options: &PartsOptions) -> Result<Vec<Mesh>, FitError> {
    let whole = mesh.hull().ok_or(FitError::Flat)?;
    let parameters = VHACDParameters {
        resolution: options.resolution.clamp(8, 256),
        concavity: options.concavity.clamp(0.0, 1.0),
        max_convex_hulls: options.most.max(1),
        ..VHACDParameters::default()
    };
    // The library cuts across the coordinate axes. Which of them comes first, and where faces lie in its voxels, makes a
    // difference to it: of several answers the smallest counts, where a further part must save as much as it may be hollow.
    const MARGINS: [f64; 3] = [1.0, 1.07, 1.15];
    /// Points of the surface that the hulls must hold.
    const SURFACE: usize = 500;
    let along = along_faces(mesh);
    let turned = [0, 1, 2].map(|turn| {
        let column = |k: usize| along.column((k + turn) % 3).into_owned();
        Matrix3::from_columns(&[column(0), column(1), column(2)])
    });
    let all = whole.volume().unwrap_or(f64::MAX);
    let cost = |hulls: &[Mesh]| {
        let volume: f64 = hulls.iter().filter_map(Mesh::volume).sum();
        volume + options.concavity * all * hulls.len() as f64
    };
    let tried = turned.iter().flat_map(|axes| {
        let cut = |margin| joined(cut(mesh, axes, margin, &parameters), options);
        MARGINS.map(cut)
    });
    // A cut may lose a piece of the mesh, and would then be the smallest.
    let far = Vector3::repeat(f64::INFINITY);
    let ends = |(low, high): (Vector3<f64>, Vector3<f64>), p: &Point3<f64>| {
        (low.inf(&p.coords), high.sup(&p.coords))
    };
    let (low, high) = mesh.vertices().iter().fold((far, -far), ends);
    let voxel = (high - low).amax() / f64::from(parameters.resolution);
    let mut surface = mesh.sample(SURFACE);
    let vertices = mesh.vertices();
    surface.extend(vertices.iter().step_by(1 + vertices.len() / SURFACE));
    let least = tried
        .filter(|hulls| hold(hulls, &surface, voxel))
        .min_by(|p, q| cost(p).total_cmp(&cost(q)));
    Ok(least.unwrap_or_else(|| vec![whole]))
}

/// Whether every point is in a hull, or outside of it by less than the slack.
fn hold(hulls: &[Mesh], points: &[Point3<f64>], slack: f64) -> bool {
    let is_in = |p: &Point3<f64>, hull: &Mesh| {
        (0..hull.triangles().len()).all(|k| {
            let [a, b, c] = hull.corners(k);
            let normal = (b - a).cross(&(c - a));
            normal.dot(&(p - a)) <= slack * normal.norm()
        })
    };
    points
        .iter()
        .all(|p| hulls.iter().any(|hull| is_in(p, hull)))
}

/// Hulls of which those that are no worse as one are one, and so few as are allowed.
fn joined(mut hulls: Vec<Mesh>, options: &PartsOptions) -> Vec<Mesh> {
    // The library cuts in halves, so that there may be more parts than asked for.
    let allowed = |parts: usize| {
        if parts > options.most.max(1) as usize {
            f64::INFINITY
        } else {
            options.concavity
        }
    };
    while let Some(joint) = joints(&hulls, allowed(hulls.len())).into_iter().next() {
        hulls.swap_remove(joint.second);
        hulls[joint.first] = joint.hull;
    }
    hulls
}

/// The hulls of the parts that cuts across some axes leave.
fn cut(mesh: &Mesh, axes: &Matrix3<f64>, margin: f64, parameters: &VHACDParameters) -> Vec<Mesh> {
    // The library's tolerances are those of bodies of sizes about 1.
    let turned = || mesh.vertices().iter().map(|p| axes.tr_mul(&p.coords));
    let far = Vector3::repeat(f64::INFINITY);
    let (low, high) = turned().fold((far, -far), |(low, high), v| (low.inf(&v), high.sup(&v)));
    let scale = (high - low).amax() * margin;
    let to_unit = |v: Vector3<f64>| {
        let v = (v - low) / scale;
        Vector::new(v.x, v.y, v.z)
    };
    let from_unit = |v: &Vector| Point3::from(axes * (low + Vector3::new(v.x, v.y, v.z) * scale));
    let vertices: Vec<Vector> = turned().map(to_unit).collect();
    let cut = VHACD::decompose(parameters, &vertices, mesh.triangles(), true);
    let pieces = cut.voxel_parts().iter().map(|part| {
        let points = part.compute_primitive_intersections(&vertices, mesh.triangles());
        points.iter().map(from_unit).collect::<Vec<_>>()
    });
    let pieces: Vec<Vec<Point3<f64>>> = pieces.filter(|p| !p.is_empty()).collect();
    hulls_of(pieces)
}

/// Axes along the normals of faces, those of which Σ area (nx⁴ + ny⁴ + nz⁴) is largest: the axes of the blocks that a mesh
/// may consist of, where those of its moments are slanted.
fn along_faces(mesh: &Mesh) -> Matrix3<f64> {
    /// Normals that are tried, those of the largest areas.
    const TRIED: usize = 8;
    const PARALLEL: f64 = 0.999;
    let corners = (0..mesh.triangles().len()).map(|k| mesh.corners(k));
    let crosses = corners.map(|[a, b, c]| (b - a).cross(&(c - a)));
    let mut faces: Vec<(f64, Vector3<f64>)> = crosses.map(|n| (n.norm(), n.normalize())).collect();
    faces.sort_by(|p, q| q.0.total_cmp(&p.0));
    let mut normals: Vec<(f64, Vector3<f64>)> = Vec::new();
    for (area, normal) in &faces {
        let parallel = |n: &Vector3<f64>| n.dot(normal).abs() > PARALLEL;
        if let Some((sum, _)) = normals.iter_mut().find(|(_, n)| parallel(n)) {
            *sum += area;
        } else if normals.len() < 8 * TRIED {
            normals.push((*area, *normal));
        }
    }
    normals.sort_by(|p, q| q.0.total_cmp(&p.0));
    normals.truncate(TRIED);
    let value = |axes: &Matrix3<f64>| -> f64 {
        let fourth = |(area, n): &(f64, Vector3<f64>)| {
            area * axes.tr_mul(n).iter().map(|x| x.powi(4)).sum::<f64>()
        };
        faces.iter().map(fourth).sum()
    };
    let mut best = Matrix3::identity();
    let mut most = value(&best);
    for (_, z) in &normals {
        for (_, x) in &normals {
            let Some(x) = (x - z * z.dot(x)).try_normalize(0.1) else {
                continue;
            };
            let axes = Matrix3::from_columns(&[x, z.cross(&x), *z]);
            let value = value(&axes);
            if value > most {
                (best, most) = (axes, value);
            }
        }
    }
    best
}

/// Hulls of sets of points; flat sets join the set whose middle is nearest.
fn hulls_of(pieces: Vec<Vec<Point3<f64>>>) -> Vec<Mesh> {
    let mut hulls: Vec<Mesh> = Vec::new();
    let mut flat: Vec<Vec<Point3<f64>>> = Vec::new();
    for piece in pieces {
        match closed_hull(&piece) {
            Some(mesh) => hulls.push(mesh),
            None => flat.push(piece),
        }
    }
    for piece in flat {
        let middle = middle(&piece);
        let far = |mesh: &Mesh| (self::middle(mesh.vertices()) - middle).norm();
        let nearest = (0..hulls.len()).min_by(|&i, &j| far(&hulls[i]).total_cmp(&far(&hulls[j])));
        let Some(nearest) = nearest else { continue };
        let points = [hulls[nearest].vertices(), &piece].concat();
        if let Some(joined) = closed_hull(&points) {
            hulls[nearest] = joined;
        }
    }
    hulls
}

fn middle(points: &[Point3<f64>]) -> Vector3<f64> {
    points.iter().map(|p| p.coords).sum::<Vector3<f64>>() / points.len().max(1) as f64
}

/// Two parts and the hull of both.
struct Joint {
    growth: f64,
    first: usize,
    second: usize,
    hull: Mesh,
}

/// The pairs, `first < second`, whose common hull is at most by the part `allowed` larger than both of theirs;
/// the one that grows least first.
fn joints(hulls: &[Mesh], allowed: f64) -> Vec<Joint> {
    let volume = |mesh: &Mesh| mesh.volume().unwrap_or(0.0);
    let mut joints = Vec::new();
    for second in 1..hulls.len() {
        for first in 0..second {
            let (a, b) = (&hulls[first], &hulls[second]);
            let Some(hull) = closed_hull(&[a.vertices(), b.vertices()].concat()) else {
                continue;
            };
            let growth = volume(&hull) / (volume(a) + volume(b));
            if growth <= 1.0 + allowed {
                joints.push(Joint {
                    growth,
                    first,
                    second,
                    hull,
                });
            }
        }
    }
    joints.sort_by(|p, q| p.growth.total_cmp(&q.growth));
    joints
}

fn closed_hull(points: &[Point3<f64>]) -> Option<Mesh> {
    Mesh::hull_of(points).filter(Mesh::is_closed)
}

/// The pair that one body serves best, with that body.
fn best_merge(
    parts: &[Part],
    options: &PartsOptions,
    fitted: &impl Fn(Mesh) -> Result<Part, FitError>,
) -> Result<Option<(usize, usize, Part)>, FitError> {
    let hulls: Vec<Mesh> = parts.iter().map(|p| p.hull.clone()).collect();
    for joint in joints(&hulls, options.merge) {
        let (i, j) = (joint.first, joint.second);
        let merged = fitted(joint.hull)?;
        if serves(&merged, [&parts[i], &parts[j]], options) {
            return Ok(Some((i, j, merged)));
        }
    }
    Ok(None)
}

/// Whether one body is hardly worse than two.
fn serves(merged: &Part, two: [&Part; 2], options: &PartsOptions) -> bool {
    let allowed = 1.0 + options.merge;
    let volumes: f64 = two.iter().map(|p| p.fit.shape.volume()).sum();
    match options.mesh.fit.aim {
        Aim::Best => error(merged) <= allowed * error(two[0]).max(error(two[1])),
        Aim::Enclosing => merged.fit.shape.volume() <= allowed * volumes,
        Aim::Inscribed => merged.fit.shape.volume() * allowed >= volumes,
    }
}

/// Root mean square first-order distance of the hull from the body.
fn error(part: &Part) -> f64 {
    const SAMPLES: usize = 500;
    let body = Body::of(&part.fit.shape, &part.fit.pose);
    let points: Vec<Vector3<f64>> = part.hull.sample(SAMPLES).iter().map(|p| p.coords).collect();
    Scale::Infinite.loss(&distances(&body, &points)).sqrt()
}
