//! Convex hulls of points, with a ball inside: the least depth of their centroid, by an expanding polytope.

use crate::convex::core::Core;
use crate::convex::problem::ConvexProblem;
use crate::convex::shape::{ConvexShape, ConvexShapeError};
use crate::narrowphase::expansion::expand;
use crate::narrowphase::gjk::{self, Nearest};
use crate::narrowphase::newton::NoPieces;
use crate::narrowphase::simplex::Simplex;
use crate::polytope::shapes::validate_vertices;
use nalgebra::{Isometry3, Point3, Vector3};

impl ConvexShape {
    /// Makes the convex hull of points, metres. Points inside the hull, duplicates and flat sets are allowed.
    ///
    /// # Errors
    /// The error names a point that is not finite, or says that there is no point.
    pub fn hull(points: &[Point3<f64>]) -> Result<Self, ConvexShapeError> {
        validate_vertices(points)?;
        let share = 1.0 / points.len() as f64;
        let center = points.iter().map(|p| p.coords * share).sum();
        let mut shape = Self::of_core(Core::Points(points.into()), center);
        shape.inner_radius = inner_radius(&shape.core, &center);
        Ok(shape)
    }
}

/// Returns the radius of a ball about a point that a hull is proven to hold; 0 where it has no room.
fn inner_radius(core: &Core, center: &Vector3<f64>) -> f64 {
    let (core, point) = (
        ConvexShape::of_core(core.clone(), *center),
        ConvexShape::of_core(Core::Point, Vector3::zeros()),
    );
    let pose = Isometry3::translation(center.x, center.y, center.z);
    let problem = ConvexProblem::new(&core, &Isometry3::identity(), &point, &pose, 0.0);
    let support = |n: &Vector3<f64>| problem.core_pair(n);
    let (start, stop, rounding) = (Vector3::z(), f64::INFINITY, problem.rounding);
    let accuracy = [problem.tolerance, rounding];
    let mut simplex = Simplex::new();
    let met = gjk::nearest(
        support,
        &NoPieces,
        &mut simplex,
        &start,
        stop,
        accuracy,
        &mut 0,
    );
    if !matches!(met, Nearest::Meeting) {
        return 0.0;
    }
    let enough = 0.01 * core.size() / problem.unit;
    let found = expand(support, simplex.corners(), enough, rounding, None, &mut 0);
    let depth = found.map_or(0.0, |found| -found.upper - rounding);
    (depth * problem.unit).max(0.0)
}
