//! Contact of a cloth as published in 2015, for comparison: boxes of 36 vertices and the radial push.
//!
//! The box of every 6 × 6 vertices of a grid is compared with the box of the body; of a cloth that is no grid, the box of
//! every 36 vertices in their order. In boxes that meet, vertices with a negative inside-outside function are pushed by
//! their radial distance (never less than their depth) along the gradient. There is no friction, and nothing is known of
//! triangles.

use crate::cloth::fabric::FabricBody;
use crate::particles::Particles;
use crate::rigid::{ContactShape, RigidBody};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::published::radial_vertex_contact;
use superovoid::{Superovoid, VertexOptions};

/// Pushes every vertex out of every superovoid, and returns how many vertices were asked for.
pub(crate) fn push_radially(
    fabric: &FabricBody,
    particles: &mut Particles,
    bodies: &[RigidBody],
) -> usize {
    let mut asked = 0;
    for body in bodies {
        let ContactShape::Superovoid(shape) = &body.shape else {
            continue;
        };
        let pose = body.pose();
        let bounds = shape.aabb(&pose);
        for vertices in fabric.boxes.each() {
            let points = vertices.map(|v| fabric.range.start + v);
            let (low, high) = limits(points.clone().map(|i| particles.x[i]));
            if (0..3).any(|axis| low[axis] > bounds.max[axis] || high[axis] < bounds.min[axis]) {
                continue;
            }
            for i in points {
                asked += 1;
                if particles.w[i] > 0.0 {
                    let x = particles.x[i];
                    particles.x[i] += push(shape, &pose, x);
                }
            }
        }
    }
    asked
}

/// The least and the greatest coordinates of points.
fn limits(points: impl Iterator<Item = Vector3<f64>>) -> (Vector3<f64>, Vector3<f64>) {
    let everything = Vector3::repeat(f64::INFINITY);
    points.fold((everything, -everything), |(low, high), p| {
        (low.inf(&p), high.sup(&p))
    })
}

/// The push of a point, zero if it is not inside.
fn push(shape: &Superovoid, pose: &Isometry3<f64>, x: Vector3<f64>) -> Vector3<f64> {
    let local = pose.inverse_transform_point(&Point3::from(x));
    if shape.inside_outside(&local) >= 0.0 {
        return Vector3::zeros();
    }
    let gradient = shape.gradient(&local);
    let here = Isometry3::identity();
    match radial_vertex_contact(shape, &here, &local, &VertexOptions::default()) {
        Ok(radial) if gradient.norm() > 0.0 => {
            pose.rotation * gradient.normalize() * radial.distance.abs()
        }
        _ => Vector3::zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloth::boxes::Boxes;
    use crate::scene::{BodyContact, Settings};
    use crate::scenes;

    /// Figure 3.4 of Gonçalves 2015: of 41 × 41 vertices 144 are asked for, those of the four boxes that meet the body's.
    #[test]
    fn four_boxes_of_a_grid_are_144_vertices() {
        let mut scene = scenes::tablecloth(41, 41);
        scene.bodies[0].position = [10.0 * (17.5 / 40.0 - 0.5), 9.0 * (17.5 / 40.0 - 0.5), 3.0];
        let body = &mut scene.bodies[0];
        if let crate::scene::Shape::Superovoid { semi_axes, .. } = &mut body.shape {
            *semi_axes = [0.8; 3];
        }
        let bodies = [RigidBody::new(body, BodyContact::Exact)];
        let mut particles = Particles::default();
        let cloth = &scene.cloths[0];
        let mut fabric = FabricBody::new(cloth, &Settings::default(), &bodies, &mut particles);
        assert_eq!(fabric.boxes.each().count(), 49);
        let last = fabric.boxes.each().last().map(Iterator::count);
        assert_eq!(last, Some(25));
        assert_eq!(push_radially(&fabric, &mut particles, &bodies), 144);

        // In their order, the vertices of a box are most of a row, and more boxes meet.
        fabric.boxes = Boxes::new(41 * 41, &[[0, 1, 41], [0, 41, 1680]]);
        assert!(push_radially(&fabric, &mut particles, &bodies) > 300);
    }
}
