//! The contact of any two shapes of a scene.

use super::body::ObstacleShape;
use super::body::{Body, BodyPlace};
use nalgebra::{Isometry3, Point3, Vector3};
use superovoid::PairCache;
use superovoid::bvh::{
    PartContact, PolytopeTree, convex_tree_contact, tree_contact, trees_contact,
};
use superovoid::convex::{ConvexShape, convex_contact};
use superovoid::internals::ovoid_contact;
use superovoid::polytope::polytope_contact;
use superovoid::{Contact, HalfSpace, Outcome, QueryError, QueryOptions, half_space_contact};

/// A contact, with the part of body B if that is a tree.
pub(super) type Found = Option<(Option<u32>, Contact)>;

/// Returns the contact of two bodies at other poses than their own, but for a half-space, which stays in its place;
/// `None` if they are proven to be farther apart than the option `max_distance`. Two superovoids start from the cache.
pub(super) fn posed_contact(
    [a, b]: [&Body; 2],
    [pose_a, pose_b]: [&Isometry3<f64>; 2],
    options: &QueryOptions,
    cache: Option<&mut PairCache>,
) -> Result<Found, QueryError> {
    use ObstacleShape::Superovoid;
    let found = match (&a.shape, &b.shape, &b.place) {
        (Superovoid(x), Superovoid(y), _) => {
            let contact = superovoid::contact(x, pose_a, y, pose_b, options, cache)?;
            Some((None, contact))
        }
        (shape, _, BodyPlace::HalfSpace(half_space)) => {
            contact_with_half_space(shape, pose_a, half_space)?
        }
        _ => shapes_contact((&a.shape, pose_a), (&b.shape, pose_b), options)?,
    };
    Ok(found.filter(|(_, contact)| !contact.is_beyond(options.max_distance)))
}

/// Returns the contact of two shapes that have places, none of them a half-space; `None` if they are proven to be
/// farther apart than the option `max_distance`.
pub(super) fn shapes_contact(
    (a, pose_a): (&ObstacleShape, &Isometry3<f64>),
    (b, pose_b): (&ObstacleShape, &Isometry3<f64>),
    options: &QueryOptions,
) -> Result<Found, QueryError> {
    use ObstacleShape::{Boxes, Convex, HalfSpace, Polytope, Superovoid, Triangles};
    let whole = |contact| Some((None, contact));
    let hull =
        |polytope: &dyn superovoid::polytope::Polytope| ConvexShape::of_points(polytope.vertices());
    match (a, b) {
        (HalfSpace(_), _) | (_, HalfSpace(_)) => Ok(None),
        (Superovoid(x), Superovoid(y)) => {
            superovoid::contact(x, pose_a, y, pose_b, options, None).map(whole)
        }
        (Superovoid(x), Convex(y)) => ovoid_contact(x, pose_a, y, pose_b, options).map(whole),
        (Superovoid(x), Polytope(y)) => {
            polytope_contact(x, pose_a, y.as_ref(), pose_b, options).map(whole)
        }
        (Superovoid(x), Triangles(y)) => {
            tree_contact(x, pose_a, y.as_ref(), pose_b, options).map(with_part)
        }
        (Superovoid(x), Boxes(y)) => {
            tree_contact(x, pose_a, y.as_ref(), pose_b, options).map(with_part)
        }
        (Convex(x), Convex(y)) => convex_contact(x, pose_a, y, pose_b, options).map(whole),
        (Convex(x), Polytope(y)) => {
            convex_contact(x, pose_a, &hull(y.as_ref()), pose_b, options).map(whole)
        }
        (Convex(x), Triangles(y)) => {
            convex_tree_contact(x, pose_a, y.as_ref(), pose_b, options).map(with_part)
        }
        (Convex(x), Boxes(y)) => {
            convex_tree_contact(x, pose_a, y.as_ref(), pose_b, options).map(with_part)
        }
        (Polytope(x), _) => {
            let hull = Convex(hull(x.as_ref()).into());
            shapes_contact((&hull, pose_a), (b, pose_b), options)
        }
        (Triangles(x), Triangles(y)) => trees(x.as_ref(), pose_a, y.as_ref(), pose_b, options),
        (Triangles(x), Boxes(y)) => trees(x.as_ref(), pose_a, y.as_ref(), pose_b, options),
        (Boxes(x), Triangles(y)) => trees(x.as_ref(), pose_a, y.as_ref(), pose_b, options),
        (Boxes(x), Boxes(y)) => trees(x.as_ref(), pose_a, y.as_ref(), pose_b, options),
        _ => {
            let found = shapes_contact((b, pose_b), (a, pose_a), options)?;
            Ok(found.map(|(_, contact)| (None, contact.swapped())))
        }
    }
}

/// Returns the contact of a shape (A) with a half-space in the world (B): that of its lowest point.
pub(super) fn contact_with_half_space(
    shape: &ObstacleShape,
    pose: &Isometry3<f64>,
    half_space: &HalfSpace,
) -> Result<Found, QueryError> {
    if let ObstacleShape::Superovoid(ovoid) = shape {
        return half_space_contact(ovoid, pose, half_space).map(|contact| Some((None, contact)));
    }
    let normal = half_space.normal();
    let down = pose.rotation.inverse() * -normal.into_inner();
    let Some(lowest) = lowest(shape, &down) else {
        return Ok(None);
    };
    let point_a = pose * Point3::from(lowest);
    let distance = normal.dot(&point_a.coords) - half_space.offset();
    let terms = point_a.coords.norm() + lowest.norm() + half_space.offset().abs();
    let rounding = 16.0 * f64::EPSILON * terms;
    let contact = Contact {
        distance,
        point_a,
        point_b: point_a - normal.into_inner() * distance,
        normal: -normal,
        lower: distance - rounding,
        upper: distance + rounding,
        outcome: Outcome::Certified,
        iterations: 0,
    };
    let contact = contact.within_number_range()?;
    Ok(Some((None, contact)))
}

/// Returns the point of a shape that is farthest along a direction.
fn lowest(shape: &ObstacleShape, down: &Vector3<f64>) -> Option<Vector3<f64>> {
    let among = |points: &mut dyn Iterator<Item = Point3<f64>>| {
        let height = |p: &Point3<f64>| p.coords.dot(down);
        let found = points.max_by(|p, q| height(p).total_cmp(&height(q)));
        found.map(|p| p.coords)
    };
    match shape {
        ObstacleShape::Convex(body) => Some(body.support_point(down)),
        ObstacleShape::Polytope(polytope) => among(&mut polytope.vertices().iter().copied()),
        ObstacleShape::Triangles(mesh) => among(&mut mesh.vertices().iter().copied()),
        ObstacleShape::Boxes(set) => among(&mut set.boxes().iter().map(|bounds| {
            let (min, max) = (&bounds.min, &bounds.max);
            Point3::from(Vector3::from_fn(|i, _| {
                if down[i] > 0.0 { max[i] } else { min[i] }
            }))
        })),
        ObstacleShape::Superovoid(_) | ObstacleShape::HalfSpace(_) => None,
    }
}

fn trees(
    a: &impl PolytopeTree,
    pose_a: &Isometry3<f64>,
    b: &impl PolytopeTree,
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Found, QueryError> {
    let found = trees_contact(a, pose_a, b, pose_b, options)?;
    Ok(found.map(|found| (Some(found.parts[1]), found.contact)))
}

fn with_part(found: Option<PartContact>) -> Found {
    found.map(|PartContact { part, contact }| (Some(part), contact))
}
