//! Contact of a cloth, stage 2: vertices that moved farther in a frame than was known to be free.
//!
//! The segment of such a vertex in the substep is cast in the moving frame of every body. Where it hits, that point and
//! normal are its plane; where it does not, the vertex is asked anew, for the rest of the frame.

use crate::cloth::near::Known;
use crate::cloth::vertices::{Approach, VertexContact, remember};
use crate::rigid::ContactShape;
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::{Ray, VertexOptions, vertex_contact};

impl Approach<'_> {
    /// Answers for one vertex that moved from `x0` to `x` in the substep: its contact, and how far it can move from here
    /// on without coming near.
    pub fn swept(
        &self,
        particle: usize,
        x0: &Vector3<f64>,
        x: &Vector3<f64>,
    ) -> (Option<VertexContact>, f64) {
        let ContactShape::Superovoid(shape) = &self.body.shape else {
            return (None, f64::INFINITY);
        };
        let from = self.body.pose().inverse_transform_point(&Point3::from(*x0));
        let to = self
            .body
            .moved_pose()
            .inverse_transform_point(&Point3::from(*x));
        let here = Isometry3::identity();
        let ray = Ray {
            origin: from,
            direction: to - from,
        };
        let mut known = Known::NOTHING;
        if ray.direction != Vector3::zeros()
            && let Ok(Some(hit)) = shape.ray_cast(&here, &ray, 1.0, true)
        {
            known.normal = hit.normal.into_inner();
            known.offset = known.normal.dot(&hit.point.coords);
            return (Some(self.contact(particle, &known)), 0.0);
        }
        let Ok(answer) = vertex_contact(shape, &here, &to, &VertexOptions::default()) else {
            return (None, 0.0);
        };
        remember(&mut known, to.coords, &answer);
        let margin = self.fabric.thickness + self.motion[particle] + self.body_motion;
        if known.clearance <= margin {
            (Some(self.contact(particle, &known)), 0.0)
        } else {
            (
                None,
                known.clearance - self.fabric.thickness - self.body_motion,
            )
        }
    }
}
