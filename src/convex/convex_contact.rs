//! The entry of the convex query, and which solver answers which pair.

use crate::convex::ball::contact_with_ball;
use crate::convex::capsules::contact_of_capsules;
use crate::convex::core::Core;
use crate::convex::pipeline::ConvexPipeline;
use crate::convex::problem::ConvexProblem;
use crate::convex::shape::ConvexShape;
use crate::convex::triangles::verdict_of_triangles;
use crate::polytope::{Cuboid, Polytope, Triangle, polytope_contact};
use crate::query::answer::in_world;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::validation::validate;
use crate::vertex::{VertexOptions, vertex_contact};
use crate::{Superovoid, contact};
use nalgebra::{Isometry3, Point3};

/// Returns the signed distance between two convex bodies, A and B, with witness points, normal and bracket. The
/// [module](crate::convex) states what is proven when.
///
/// The options `tolerance`, `max_distance` and `depth` have the meaning that they have in the pair query.
///
/// # Errors
/// The error names a pose that is not finite or not a rotation, an option out of its domain, or a distance that exceeds
/// the number range.
pub fn convex_contact(
    a: &ConvexShape,
    pose_a: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    match (&a.core, &b.core) {
        (Core::Superovoid(ovoid), _) => ovoid_contact(ovoid, pose_a, b, pose_b, options),
        (_, Core::Superovoid(ovoid)) => {
            let found = ovoid_contact(ovoid, pose_b, a, pose_a, options);
            found.map(Contact::swapped).map_err(QueryError::swapped)
        }
        _ => solve(a, pose_a, b, pose_b, options),
    }
}

/// Returns the contact of a superovoid (A) with a convex body (B).
pub fn ovoid_contact(
    ovoid: &Superovoid,
    pose: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    if options.takes_any_overlap()
        && let Some(found) = any_contact(ovoid, pose, b, pose_b, options)?
    {
        return Ok(found);
    }
    match &b.core {
        Core::Superovoid(other) => contact(ovoid, pose, other, pose_b, options, None),
        Core::Point => match Superovoid::sphere(b.margin) {
            Ok(ball) => contact(ovoid, pose, &ball, pose_b, options, None),
            Err(_) => general(ovoid, pose, b, pose_b, options),
        },
        Core::Cuboid(half) => match Cuboid::new(*half) {
            Ok(cuboid) => polytope_contact(ovoid, pose, &cuboid, pose_b, options),
            Err(_) => general(ovoid, pose, b, pose_b, options),
        },
        Core::Triangle(corners) => {
            polytope_contact(ovoid, pose, &Triangle::of_finite(*corners), pose_b, options)
        }
        Core::Points(points) => polytope_contact(ovoid, pose, &Vertices(points), pose_b, options),
        Core::Segment(_) | Core::Cylinder { .. } | Core::Cone { .. } | Core::Superquadric(_) => {
            general(ovoid, pose, b, pose_b, options)
        }
    }
}

/// The corners of a hull.
struct Vertices<'a>(&'a [Point3<f64>]);

impl Polytope for Vertices<'_> {
    fn vertices(&self) -> &[Point3<f64>] {
        self.0
    }
}

/// Returns whether a convex superovoid and a box or hull overlap, as the solver of convex pairs proves it, for which the nearest point of
/// a hull need not be found; `None` of other bodies, and where the distance is asked for.
fn any_contact(
    ovoid: &Superovoid,
    pose: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<Contact>, QueryError> {
    if !(ovoid.is_convex()
        && matches!(
            b.core,
            Core::Cuboid(_) | Core::Triangle(_) | Core::Points(_)
        ))
    {
        return Ok(None);
    }
    let straight = validate(pose, pose_b, options)?;
    let [pose, pose_b] = straight.or([pose, pose_b]);
    let a = ConvexShape::from(*ovoid);
    let problem = ConvexProblem::new(&a, pose, b, pose_b, options.tolerance);
    let mut query = ConvexPipeline::new(&problem, options);
    let found = query.any().filter(|_| problem.provable);
    let contact = found.map(|found| in_world(&found, problem.unit, pose, query.iterations));
    contact.map(Contact::within_number_range).transpose()
}

/// Returns the contact of a superovoid by the solver of convex pairs. If the superovoid is not convex, the solver sees its
/// hull: the lower bound holds for the body too, and the upper bound becomes the distance of B's witness point from the body.
fn general(
    ovoid: &Superovoid,
    pose: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    let a = if ovoid.traits.sphere() {
        ConvexShape::swept_point(ovoid.a[0])
    } else {
        ConvexShape::from(*ovoid)
    };
    // A common point of the hull is none of the body, for which the deepest point of B may be one.
    let depth = match options.depth {
        DepthMode::Any if !ovoid.is_convex() => DepthMode::Fast,
        depth => depth,
    };
    let mut found = solve(&a, pose, b, pose_b, &options.with_depth(depth))?;
    if ovoid.is_convex() || found.outcome == Outcome::Beyond {
        return Ok(found);
    }
    let point = vertex_contact(ovoid, pose, &found.point_b, &VertexOptions::default())?;
    let closed = found.outcome == Outcome::Certified && found.lower > 0.0;
    let same = (point.distance - found.distance).abs() <= 1e-9 * ovoid.size();
    if closed && same {
        return Ok(found);
    }
    found.upper = if point.upper <= 0.0 { 0.0 } else { point.upper };
    found.lower = found.lower.min(found.upper);
    found.distance = found.distance.clamp(found.lower, found.upper);
    found.outcome = if found.upper <= 0.0 {
        Outcome::Converged
    } else {
        Outcome::NotConverged
    };
    if found.outcome == Outcome::NotConverged && found.lower <= 0.0 {
        found.distance = found.distance.min(found.lower);
    }
    found.point_b = found.point_a + found.normal.into_inner() * found.distance;
    Ok(found)
}

fn solve(
    a: &ConvexShape,
    pose_a: &Isometry3<f64>,
    b: &ConvexShape,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    let straight = validate(pose_a, pose_b, options)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    if let Core::Point = b.core {
        if let Some(found) = contact_with_ball(a, pose_a, b.margin, pose_b) {
            return found;
        }
    } else if let Core::Point = a.core {
        if let Some(found) = contact_with_ball(b, pose_b, a.margin, pose_a) {
            return found.map(Contact::swapped);
        }
    } else if let Some(found) = contact_of_capsules(a, pose_a, b, pose_b, options) {
        return found;
    } else if options.takes_any_overlap()
        && let (Some(of_a), Some(of_b)) = (a.core.triangle(), b.core.triangle())
        && let Some(found) = verdict_of_triangles(of_a, pose_a, of_b, pose_b, options)
    {
        return found.within_number_range();
    }
    let problem = ConvexProblem::new(a, pose_a, b, pose_b, options.tolerance);
    let mut query = ConvexPipeline::new(&problem, options);
    let answer = query.run();
    in_world(&answer, problem.unit, pose_a, query.iterations).within_number_range()
}
