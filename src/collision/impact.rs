//! When two moving shapes of any kind touch first.
//!
//! Most pairs have a query of their own in [`motion`](crate::motion). The others (two shapes with parts,
//! superquadrics that are not convex, and half-spaces and planes against anything but a superovoid) are searched by their contact: the gap of the hulls proves that they stay apart where it can, and
//! the distance with a bound of the speed where it cannot.

use super::flat::{Flat, Kind};
use super::pairs::hull;
use super::shape::{Shape, ShapeRef};
use crate::convex::{ConvexKind, ConvexShape};
use crate::motion::{
    Motion, MovingBody, MovingPair, PartsTimeOfImpact, TimeOfImpact, TimeOfImpactOptions,
    convex_time_of_impact, first_contact, half_space_time_of_impact, limits,
    polytope_time_of_impact, time_of_impact,
};
#[cfg(feature = "bvh")]
use crate::motion::{convex_tree_time_of_impact, tree_time_of_impact};
use crate::plane::{HalfSpace, Plane};
use crate::polytope::Triangle;
use crate::query::contact::PartsContact;
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::surface::support_map::SupportMap;
use nalgebra::{Isometry3, Vector3};

impl Shape {
    /// Returns when this shape and another one, which move, touch first, as [`ShapeRef::time_of_impact`] does.
    ///
    /// # Errors
    /// As there.
    pub fn time_of_impact(
        &self,
        motion: &Motion,
        other: &Shape,
        other_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<PartsTimeOfImpact, QueryError> {
        let other = other.as_ref();
        (self.as_ref()).time_of_impact(motion, other, other_motion, options)
    }
}

impl ShapeRef<'_> {
    /// Returns when this shape (A) and another one (B) touch first in t ∈ [0, 1], or proves that they do not, for all kinds
    /// that [`ShapeRef::contact`] knows. A half-space or plane must rest. What is proven stands in
    /// [`motion`](crate::motion). Of a mesh, set of boxes or height field that is free of a body of one piece the clearance is
    /// `min_separation`.
    ///
    /// # Errors
    /// The errors are those of [`time_of_impact`](crate::motion::time_of_impact) and those of [`ShapeRef::contact`];
    /// [`QueryError::Input`] says that a half-space or plane moves.
    pub fn time_of_impact(
        self,
        motion: &Motion,
        other: ShapeRef<'_>,
        other_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<PartsTimeOfImpact, QueryError> {
        if self.is_flat() && !other.is_flat() {
            let found = other.time_of_impact(other_motion, self, motion, options);
            return Ok(found.map_err(QueryError::swapped)?.swapped());
        }
        let still = Motion::still(Isometry3::identity())?;
        let Some(flat) = Flat::of(other, &other_motion.pose(0.0))? else {
            return self.impact(motion, other, other_motion, options);
        };
        if moves(other_motion) || (self.is_flat() && moves(motion)) {
            return Err(QueryError::Input {
                name: "motion of a half-space or plane",
                requirement: "it must rest",
            });
        }
        match flat.kind {
            Kind::HalfSpace(b) => self.impact(motion, ShapeRef::HalfSpace(&b), &still, options),
            // A shape of one piece cannot reach the other side of a plane without touching it.
            Kind::Plane(b) if self.is_of_one_piece() => {
                let side = side_of_start(self, motion, &b)?;
                self.impact(motion, ShapeRef::HalfSpace(&side), &still, options)
            }
            Kind::Plane(b) => self.impact(motion, ShapeRef::Plane(&b), &still, options),
        }
    }

    /// Returns the first contact; a half-space or plane is in the world.
    fn impact(
        self,
        motion: &Motion,
        other: ShapeRef<'_>,
        other_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<PartsTimeOfImpact, QueryError> {
        if let Some(found) = self.known_impact(motion, other, other_motion, options)? {
            return Ok(found);
        }
        let swapped = other.known_impact(other_motion, self, motion, options);
        if let Some(found) = swapped.map_err(QueryError::swapped)? {
            return Ok(found.swapped());
        }
        self.impact_by_contact(motion, other, other_motion, options)
    }

    /// Returns the answer of the query for the two kinds in this order, if there is one.
    fn known_impact(
        self,
        motion: &Motion,
        other: ShapeRef<'_>,
        other_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<Option<PartsTimeOfImpact>, QueryError> {
        use ShapeRef::{Convex, HalfSpace, Polytope, Superovoid, Superquadric};
        let convex = |a: &ConvexShape, b: &ConvexShape| {
            convex_time_of_impact(a, motion, b, other_motion, options)
        };
        let found = match (self, other) {
            (Superquadric(a), _) if a.is_convex() => {
                let a = ConvexShape::hull_of(a);
                return Convex(&a).known_impact(motion, other, other_motion, options);
            }
            (_, Superquadric(b)) if b.is_convex() => {
                let b = ConvexShape::hull_of(b);
                return self.known_impact(motion, Convex(&b), other_motion, options);
            }
            (Superovoid(a), Superovoid(b)) => time_of_impact(a, motion, b, other_motion, options),
            (Superovoid(a), Polytope(b)) => {
                polytope_time_of_impact(a, motion, b, other_motion, options)
            }
            (Superovoid(a), Convex(b)) => match b.kind() {
                ConvexKind::Hull(&[x, y, z]) => {
                    let triangle = Triangle::of_finite([x, y, z]);
                    polytope_time_of_impact(a, motion, &triangle, other_motion, options)
                }
                _ => convex(&(*a).into(), b),
            },
            (Convex(a), Convex(b)) => convex(a, b),
            (Convex(a), Polytope(b)) => convex(a, &hull(b)?),
            (Polytope(a), Polytope(b)) => convex(&hull(a)?, &hull(b)?),
            (Superovoid(a), HalfSpace(b)) => half_space_time_of_impact(a, motion, b, options),
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Mesh(tree)) => {
                return self.impact_with_tree(motion, tree, other_motion, options);
            }
            #[cfg(feature = "bvh")]
            (_, ShapeRef::Boxes(tree)) => {
                return self.impact_with_tree(motion, tree, other_motion, options);
            }
            #[cfg(feature = "bvh")]
            (_, ShapeRef::HeightField(tree)) => {
                return self.impact_with_tree(motion, tree, other_motion, options);
            }
            _ => return Ok(None),
        };
        Ok(Some(PartsTimeOfImpact::whole(found?)))
    }

    #[cfg(feature = "bvh")]
    fn impact_with_tree(
        self,
        motion: &Motion,
        tree: &impl crate::bvh::PolytopeTree,
        tree_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<Option<PartsTimeOfImpact>, QueryError> {
        let of_convex = |shape: &ConvexShape| {
            convex_tree_time_of_impact(shape, motion, tree, tree_motion, options).map(Some)
        };
        match self {
            ShapeRef::Superovoid(shape) => {
                tree_time_of_impact(shape, motion, tree, tree_motion, options).map(Some)
            }
            ShapeRef::Convex(shape) => of_convex(shape),
            ShapeRef::Polytope(shape) => of_convex(&hull(shape)?),
            _ => Ok(None),
        }
    }
}

impl ShapeRef<'_> {
    fn is_flat(self) -> bool {
        matches!(self, ShapeRef::HalfSpace(_) | ShapeRef::Plane(_))
    }

    /// Whether the shape hangs together and is bounded: a mesh, a set of boxes, terrain or the sheets of a superhyperboloid need
    /// not.
    fn is_of_one_piece(self) -> bool {
        match self {
            ShapeRef::Superquadric(shape) => shape.is_convex(),
            _ => !self.has_parts() && !self.is_flat(),
        }
    }

    /// Returns half the longest edge of the box around the shape, metres; 0 for a half-space or plane.
    fn half_size(self) -> Result<f64, QueryError> {
        let around = self.local_aabb()?;
        Ok(around.map_or(0.0, |b| 0.5 * (b.max - b.min).amax()))
    }

    /// Returns when two shapes touch first of which no more is known than their contact and their hulls.
    fn impact_by_contact(
        self,
        motion: &Motion,
        other: ShapeRef<'_>,
        other_motion: &Motion,
        options: &TimeOfImpactOptions,
    ) -> Result<PartsTimeOfImpact, QueryError> {
        let limits = limits(options, self.half_size()?.max(other.half_size()?))?;
        if !limits.tolerance.is_finite() {
            return Err(QueryError::Overflow);
        }
        let contact = |[pose, other_pose]: [&Isometry3<f64>; 2], tolerance: f64| {
            let options = QueryOptions::default().with_tolerance(tolerance);
            let found = self.contact(pose, other, other_pose, &options)?;
            // Without a maximum distance there is an answer.
            found.ok_or(QueryError::Overflow)
        };
        let at = |t: f64| contact([&motion.pose(t), &other_motion.pose(t)], limits.tolerance);
        if self.is_flat() {
            let PartsContact { parts, contact } = at(0.0)?;
            let clearance = contact.lower;
            let found = if clearance > limits.min_separation {
                TimeOfImpact::Free { clearance }
            } else if contact.distance < limits.min_separation - limits.tolerance {
                TimeOfImpact::Overlapping { contact }
            } else {
                let (safe, touching) = (0.0, 0.0);
                TimeOfImpact::Hit {
                    safe,
                    touching,
                    contact,
                }
            };
            return Ok(PartsTimeOfImpact { parts, found });
        }
        let [hull, other_hull] = [HullOf::new(self)?, HullOf::new(other)?];
        let mut query = |pose: &Isometry3<f64>, other_pose: &Isometry3<f64>, tolerance: f64| {
            Ok(contact([pose, other_pose], tolerance)?.contact)
        };
        let mut pair = MovingPair {
            bodies: [&hull, &other_hull]
                .map(|hull| MovingBody::of_hull(hull, hull.radius, HULL_ACCURACY)),
            motions: [motion, other_motion],
            query: &mut query,
        };
        let found = first_contact(&mut pair, [0.0, 1.0], &limits)?;
        let instant = match found {
            TimeOfImpact::Free { .. } => return Ok(PartsTimeOfImpact::whole(found)),
            TimeOfImpact::Overlapping { .. } => 0.0,
            TimeOfImpact::Hit { safe, .. } | TimeOfImpact::Undecided { safe, .. } => safe,
        };
        let parts = at(instant)?.parts;
        Ok(PartsTimeOfImpact { parts, found })
    }
}

/// The share of its radius by which a support function of [`HullOf`] may be off.
const HULL_ACCURACY: f64 = 1e-12;

/// The hull of a shape as the search for the first contact sees it.
struct HullOf<'a> {
    shape: ShapeRef<'a>,
    /// The radius of a sphere about the origin that contains the shape; of a half-space or plane at rest in the world its
    /// distance from the origin, on which nothing but rounding depends.
    radius: f64,
}

impl<'a> HullOf<'a> {
    fn new(shape: ShapeRef<'a>) -> Result<Self, QueryError> {
        let radius = match (shape.local_aabb()?, shape) {
            (Some(b), _) => (b.min.coords.abs()).sup(&b.max.coords.abs()).norm() * (1.0 + 1e-14),
            (None, ShapeRef::HalfSpace(half_space)) => half_space.offset().abs(),
            (None, ShapeRef::Plane(plane)) => plane.offset().abs(),
            (None, _) => f64::INFINITY,
        };
        Ok(HullOf { shape, radius })
    }
}

impl SupportMap for HullOf<'_> {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let flat = |normal: Vector3<f64>, offset: f64| {
            if *n == normal {
                (offset, normal * offset)
            } else {
                (f64::INFINITY, n * f64::INFINITY)
            }
        };
        match self.shape {
            ShapeRef::HalfSpace(half_space) => {
                flat(half_space.normal().into_inner(), half_space.offset())
            }
            ShapeRef::Plane(plane) => {
                let (normal, offset) = (plane.normal().into_inner(), plane.offset());
                if n.dot(&normal) < 0.0 {
                    flat(-normal, -offset)
                } else {
                    flat(normal, offset)
                }
            }
            ShapeRef::Superquadric(shape) => shape.local_support(n),
            shape => match shape.support_point(n) {
                Some(point) => (point.dot(n), point),
                None => (f64::INFINITY, n * f64::INFINITY),
            },
        }
    }
}

fn moves(motion: &Motion) -> bool {
    motion.linear() != Vector3::zeros() || motion.angular() != Vector3::zeros()
}

/// Returns the half-space beyond a plane in the world, as seen from where a shape starts.
fn side_of_start(
    shape: ShapeRef<'_>,
    motion: &Motion,
    plane: &Plane,
) -> Result<HalfSpace, QueryError> {
    let (here, options) = (Isometry3::identity(), QueryOptions::default());
    let start = shape.contact(&motion.pose(0.0), ShapeRef::Plane(plane), &here, &options)?;
    let start = start.ok_or(QueryError::Overflow)?;
    let (normal, offset) = (plane.normal().into_inner(), plane.offset());
    if start.contact.normal.dot(&normal) < 0.0 {
        HalfSpace::new(normal, offset)
    } else {
        HalfSpace::new(-normal, -offset)
    }
}
