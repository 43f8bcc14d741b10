//! The vertices of bodies that the published contact asks.
//!
//! A superovoid has the 506 vertices of the thesis: two poles and 21 rings of 24, even in the angles φ₁ around z and φ₂
//! from pole to pole; a mesh has its own.

use crate::scene::{BodyContact, Shape};
use nalgebra::Point3;
use std::f64::consts::{PI, TAU};
use superovoid::Superovoid;
use superovoid::surface::SurfaceAngles;

const RINGS: usize = 21;
const AROUND: usize = 24;

/// Returns the vertices of a shape in a validated scene: none where contact is exact.
pub(crate) fn vertices(shape: &Shape, contact: BodyContact) -> Vec<Point3<f64>> {
    match (contact, shape) {
        (BodyContact::Exact, _) | (_, Shape::HalfSpace) => Vec::new(),
        (_, Shape::Mesh { vertices, .. }) => vertices.iter().map(|&v| v.into()).collect(),
        (
            _,
            Shape::Superovoid {
                semi_axes,
                exponents,
                tapers,
            },
        ) => Superovoid::new(*semi_axes, *exponents, *tapers).map_or(Vec::new(), |s| rings(&s)),
    }
}

fn rings(shape: &Superovoid) -> Vec<Point3<f64>> {
    let at = |phi1: f64, phi2: f64| shape.point_at(SurfaceAngles { phi1, phi2 });
    let mut vertices = vec![at(0.0, -0.5 * PI), at(0.0, 0.5 * PI)];
    for ring in 1..=RINGS {
        let phi2 = PI * (ring as f64 / (RINGS + 1) as f64 - 0.5);
        let angles = (0..AROUND).map(|k| TAU * k as f64 / AROUND as f64 - PI);
        vertices.extend(angles.map(|phi1| at(phi1, phi2)));
    }
    vertices
}
