//! The gradient of the signed distance of any two shapes.

use super::shape::{Shape, ShapeRef};
use crate::derivatives::{DistanceGradient, distance_gradient, envelope_gradient};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use nalgebra::Isometry3;

impl Shape {
    /// Returns the gradient of the signed distance of two shapes at their `contact`, which [`Shape::contact`] has answered: by both
    /// poses, and by the shape of a superovoid; the numbers of other shapes are 0. See the
    /// [module](crate::derivatives) for the inputs.
    ///
    /// It is that of the nearest parts, or, of an overlap, of the deepest. `None` where the contact is not converged, beyond the
    /// maximum distance, or infinite. Whether the depth is attained along several directions is told of two superovoids only.
    ///
    /// # Errors
    /// The error names a pose that is not finite or whose quaternion is not of unit length, or a contact that no query
    /// answers.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// use superovoid::convex::ConvexShape;
    /// use superovoid::derivatives::{POSE_B, SHAPE_B};
    /// use superovoid::{QueryOptions, Shape, Superovoid};
    ///
    /// let can = Shape::from(ConvexShape::cylinder(0.1, 0.3)?);
    /// let ball = Shape::from(Superovoid::sphere(0.05)?);
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.2, 0.0, 0.0));
    /// let found = can.contact(&here, &ball, &there, &QueryOptions::default())?.expect("an answer");
    /// let found = can.distance_gradient(&here, &ball, &there, &found.contact)?.expect("it is certified");
    /// assert!((found.gradient[POSE_B.start] - 1.0).abs() < 1e-12); // the ball moves away
    /// assert!((found.gradient[SHAPE_B.start] + 1.0).abs() < 1e-12); // and grows along x
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance_gradient(
        &self,
        pose: &Isometry3<f64>,
        other: &Shape,
        pose_other: &Isometry3<f64>,
        contact: &Contact,
    ) -> Result<Option<DistanceGradient>, QueryError> {
        (self.as_ref()).distance_gradient(pose, other.as_ref(), pose_other, contact)
    }
}

impl ShapeRef<'_> {
    /// Returns the gradient of the signed distance at a contact, as [`Shape::distance_gradient`].
    ///
    /// # Errors
    /// The errors are those of [`Shape::distance_gradient`].
    pub fn distance_gradient(
        self,
        pose: &Isometry3<f64>,
        other: ShapeRef<'_>,
        pose_other: &Isometry3<f64>,
        contact: &Contact,
    ) -> Result<Option<DistanceGradient>, QueryError> {
        let shapes = [self, other].map(|shape| match shape {
            ShapeRef::Superovoid(shape) => Some(shape),
            _ => None,
        });
        if let [Some(a), Some(b)] = shapes {
            return distance_gradient(a, pose, b, pose_other, contact);
        }
        let found = envelope_gradient(shapes, [pose, pose_other], contact)?;
        let hollow = |shape| matches!(shape, ShapeRef::Superquadric(shape) if !shape.is_convex());
        Ok(found.map(|mut found| {
            found.local |= hollow(self) || hollow(other);
            found
        }))
    }
}
