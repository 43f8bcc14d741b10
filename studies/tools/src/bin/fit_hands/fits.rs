//! The fits of a link, with the numbers that the URDF will hold.

use crate::facts::{LinkHull, Origin};
use anyhow::{Context, Result, bail};
use nalgebra::{Isometry3, Translation3, UnitQuaternion};
use superovoid::Superovoid;
use superovoid_fit::{Aim, Family, Fit, Mesh, MeshOptions, Report, fit_mesh};

/// A link with its bodies.
pub struct LinkFit {
    pub name: String,
    pub finger: String,
    pub hull: Mesh,
    pub superovoid: Rounded,
    pub superellipsoid: Rounded,
    /// Volumes of the enclosing superovoid and superellipsoid over that of the hull.
    pub enclosing: [f64; 2],
}

/// A body of rounded numbers, convex, and how well it follows the hull.
pub struct Rounded {
    pub shape: Superovoid,
    pub origin: Origin,
    pub report: Report,
}

impl LinkFit {
    pub fn new(link: &LinkHull) -> Result<LinkFit> {
        let hull = &link.hull;
        let best = |family| Rounded::new(fit(hull, family, Aim::Best)?, hull);
        let enclosing = |family| -> Result<f64> {
            let report = fit(hull, family, Aim::Enclosing)?.report(hull)?;
            report.volume_to_hull.context("the hull has no volume")
        };
        Ok(LinkFit {
            name: link.name.clone(),
            finger: link.finger.clone(),
            hull: hull.clone(),
            superovoid: best(Family::Convex)?,
            superellipsoid: best(Family::Superellipsoid)?,
            enclosing: [
                enclosing(Family::Convex)?,
                enclosing(Family::Superellipsoid)?,
            ],
        })
    }
}

fn fit(hull: &Mesh, family: Family, aim: Aim) -> Result<Fit> {
    let mut options = MeshOptions::default();
    options.fit.family = family;
    options.fit.aim = aim;
    Ok(fit_mesh(hull, &options)?)
}

/// Metres and radians; exponents and tapers.
const LENGTH: f64 = 1e6;
const NUMBER: f64 = 1e4;

fn round(x: f64, digits: f64) -> f64 {
    (x * digits).round() / digits
}

impl Rounded {
    fn new(fit: Fit, hull: &Mesh) -> Result<Rounded> {
        let (roll, pitch, yaw) = fit.pose.rotation.euler_angles();
        let origin = Origin {
            xyz: [0, 1, 2].map(|k| round(fit.pose.translation.vector[k], LENGTH)),
            rpy: [roll, pitch, yaw].map(|angle| round(angle, LENGTH)),
        };
        let shape = rounded(&fit.shape)?;
        let body = Fit::new(shape, pose(&origin), fit.time);
        Ok(Rounded {
            shape,
            origin,
            report: body.report(hull)?,
        })
    }

    /// Radius of a sphere about the origin that holds the body, rounded up to 0.1 mm. The vertices of the
    /// triangulation lie on the surface; 0.02 mm covers what lies between them.
    pub fn enclosing_radius(&self) -> f64 {
        const SEGMENTS: usize = 400;
        const BETWEEN: f64 = 2e-5;
        let vertices = self.shape.tessellate(SEGMENTS).vertices;
        let reach = vertices.iter().map(|v| v.coords.norm()).fold(0.0, f64::max);
        ((reach + BETWEEN) * 1e4).ceil() / 1e4
    }
}

fn pose(origin: &Origin) -> Isometry3<f64> {
    let ([x, y, z], [roll, pitch, yaw]) = (origin.xyz, origin.rpy);
    Isometry3::from_parts(
        Translation3::new(x, y, z),
        UnitQuaternion::from_euler_angles(roll, pitch, yaw),
    )
}

/// The shape with rounded numbers. Where rounding made it hollow, its tapers shrink until it is convex again;
/// without any it is.
fn rounded(shape: &Superovoid) -> Result<Superovoid> {
    const STEPS: u32 = 20;
    let a = shape.semi_axes().map(|a| round(a, LENGTH));
    let e = shape.exponents().map(|e| round(e, NUMBER));
    let nearest = shape.tapers().map(|t| round(t, NUMBER));
    let smaller = (0..=STEPS).map(|step| {
        let kept = 1.0 - f64::from(step) / f64::from(STEPS);
        shape.tapers().map(|t| (t * kept * NUMBER).trunc() / NUMBER)
    });
    for t in std::iter::once(nearest).chain(smaller) {
        let rounded = Superovoid::new(a, e, t)?;
        if rounded.is_convex() {
            return Ok(rounded);
        }
    }
    bail!("rounding leaves no convex body")
}
