//! Balls inside a body, for collisions that are plain to see.
//!
//! In the cell of each ball that [covers](super::cover) the hull, points of a grid are asked how deep they are in the body,
//! then those of a finer grid around the deepest one. The upper end of the bracket of that point's signed distance is
//! minus the radius of a ball that is inside the body.

use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::convex::ConvexShape;
use superovoid::{BoundingSphere, QueryOptions, Shape, ShapeRef};

/// The points along each edge of the grid.
const POINTS: i32 = 3;
/// A ball that is smaller than this share of its cell's shows nothing.
const SHARE: f64 = 0.1;

/// Returns balls inside a body, at most one in each of the balls that cover it.
pub(super) fn inner_balls(shape: &Shape, cover: &[BoundingSphere]) -> Vec<BoundingSphere> {
    let of_cell = |cell: &BoundingSphere| {
        let mut best = BoundingSphere {
            center: cell.center,
            radius: 0.0,
        };
        let mut step = cell.radius / f64::from(POINTS);
        for _ in 0..3 {
            let around = best.center;
            for k in 0..POINTS.pow(3) {
                let offset = [k % 3, k / 3 % 3, k / 9].map(|i| f64::from(i - 1) * step);
                let center = around + Vector3::from(offset);
                let radius = depth(shape, &center);
                if radius > best.radius {
                    best = BoundingSphere { center, radius };
                }
            }
            step /= f64::from(POINTS);
        }
        (best.radius > SHARE * cell.radius).then_some(best)
    };
    cover.iter().filter_map(of_cell).collect()
}

/// Returns a lower bound of the depth of a point in a body; 0 outside, and where none is known.
fn depth(shape: &Shape, point: &Point3<f64>) -> f64 {
    let here = Isometry3::identity();
    let point = ConvexShape::of_points(&[*point]);
    let options = QueryOptions::DEFAULT.with_max_distance(0.0);
    let found = ShapeRef::Convex(&point).contact(&here, shape.as_ref(), &here, &options);
    let upper = found
        .ok()
        .flatten()
        .map_or(0.0, |found| found.contact.upper);
    // NaN is no depth.
    (-upper).max(0.0)
}
