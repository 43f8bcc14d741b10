//! Contact of rigid bodies as published in the thesis (section 4.3), for comparison: the vertices of the mesh of either
//! body against the surface of the other, by the iterative method.
//!
//! Every pair is asked twice: vertices of A in the box of B, then vertices of B in the box of A. A vertex that is nearer
//! than the tolerance is a point of contact, with the normal n of the nearest point of the other surface:
//!
//! ```text
//! vertices of A on B:   a = x, b = p, normal −n;      vertices of B on A:   a = p, b = x, normal n;      gap = n·(x − p)
//! ```
//!
//! Nothing is known of what lies between vertices, and nothing before a vertex is within the tolerance. A mesh has no
//! inside-outside function, so that of a pair with one only the vertices of the mesh are asked.

use crate::rigid::body::{ContactShape, RigidBody};
use crate::rigid::manifold::{MOST_POINTS, Touch, Touches};
use crate::scene::BodyContact;
use superovoid::published::iterative_vertex_contact;
use superovoid::{Superovoid, VertexOptions};

/// Returns the options of the iterative method, or none where contact is exact.
pub(crate) fn options(contact: BodyContact) -> Option<VertexOptions> {
    match contact {
        BodyContact::Exact => None,
        BodyContact::Iterative {
            tolerance,
            iterations,
        } => Some(
            VertexOptions::default()
                .with_tolerance(tolerance)
                .with_max_iterations(iterations),
        ),
    }
}

/// Collects the touches of a pair: vertices of A on B, then of B on A.
pub(crate) fn touches(
    a: &RigidBody,
    b: &RigidBody,
    options: &VertexOptions,
    margin: f64,
) -> Touches<MOST_POINTS> {
    let mut found = Touches::new();
    if let ContactShape::Superovoid(shape) = &b.shape {
        one_way(a, (b, shape), options, margin, |touch| found.push(touch));
    }
    if let ContactShape::Superovoid(shape) = &a.shape {
        one_way(b, (a, shape), options, margin, |touch| {
            found.push(Touch {
                a: touch.b,
                b: touch.a,
                normal: -touch.normal,
                gap: touch.gap,
            });
        });
    }
    found
}

/// Finds the vertices of the first body, its A, that touch the surface of the other.
fn one_way(
    first: &RigidBody,
    (other, shape): (&RigidBody, &Superovoid),
    options: &VertexOptions,
    margin: f64,
    mut found: impl FnMut(Touch),
) {
    let pose = first.pose();
    let surface = pose.inv_mul(&other.pose());
    let bounds = shape.aabb(&surface);
    for x in &first.vertices {
        let apart = |axis: usize| (bounds.min[axis] - x[axis]).max(x[axis] - bounds.max[axis]);
        if (0..3).any(|axis| apart(axis) > margin) {
            continue;
        }
        let Ok(answer) = iterative_vertex_contact(shape, &surface, x, options) else {
            continue;
        };
        if answer.distance <= margin {
            found(Touch {
                a: (pose * x).coords,
                b: (pose * answer.point_a).coords,
                normal: pose.rotation * -answer.normal.into_inner(),
                gap: answer.distance,
            });
        }
    }
}
