//! Contact of a cloth as published in 2015, for comparison: boxes of 36 vertices and the radial push.
//!
//! The box of every 36 vertices is compared with the box of the body. In boxes that meet, vertices with a negative
//! inside-outside function are pushed by their radial distance (never less than their depth) along the gradient. There
//! is no friction, and nothing is known of triangles.

use crate::cloth::fabric::FabricBody;
use crate::particles::Particles;
use crate::rigid::{ContactShape, RigidBody};
use nalgebra::{Isometry3, Point3};
use superovoid::VertexOptions;
use superovoid::published::radial_vertex_contact;

/// The vertices of a box.
const BOX: usize = 36;

/// Pushes every vertex out of every superovoid.
pub(crate) fn push_radially(fabric: &FabricBody, particles: &mut Particles, bodies: &[RigidBody]) {
    for body in bodies {
        let ContactShape::Superovoid(shape) = &body.shape else {
            continue;
        };
        let pose = body.pose();
        let bounds = shape.aabb(&pose);
        for start in fabric.range.clone().step_by(BOX) {
            let points = start..(start + BOX).min(fabric.range.end);
            let x = &particles.x[points.clone()];
            let (low, high) = x
                .iter()
                .fold((x[0], x[0]), |(low, high), p| (low.inf(p), high.sup(p)));
            if (0..3).any(|axis| low[axis] > bounds.max[axis] || high[axis] < bounds.min[axis]) {
                continue;
            }
            for i in points.filter(|&i| particles.w[i] > 0.0) {
                let local = pose.inverse_transform_point(&Point3::from(particles.x[i]));
                if shape.inside_outside(&local) >= 0.0 {
                    continue;
                }
                let gradient = shape.gradient(&local);
                let here = Isometry3::identity();
                if let Ok(radial) =
                    radial_vertex_contact(shape, &here, &local, &VertexOptions::default())
                    && gradient.norm() > 0.0
                {
                    particles.x[i] += pose.rotation * gradient.normalize() * radial.distance.abs();
                }
            }
        }
    }
}
