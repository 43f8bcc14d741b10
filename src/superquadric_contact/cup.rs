//! One sheet of two: a convex body, for which the queries of convex bodies answer.

use crate::convex::{ConvexShape, convex_contact};
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::superquadric::shape::Superquadric;
use crate::vertex::VertexOptions;
use nalgebra::{Isometry3, Point3};

/// Returns the contact of a cup at `pose` with a point: that with a ball of radius 0.
pub(super) fn cup_point_contact(
    cup: &Superquadric,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    let ball = ConvexShape::swept_point(0.0);
    let there = Isometry3::translation(point.x, point.y, point.z);
    let options = QueryOptions {
        tolerance: options.tolerance,
        max_distance: options.max_distance,
        depth: options.depth,
        ..QueryOptions::default()
    };
    convex_contact(&ConvexShape::hull_of(cup), pose, &ball, &there, &options)
}
