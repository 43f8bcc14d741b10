//! The sum of all kinds of shapes.

use crate::Superovoid;
#[cfg(feature = "bvh")]
use crate::bvh::{BoxSet, HeightField, PolytopeTree, TriMesh, farthest_part};
use crate::convex::ConvexShape;
use crate::plane::{HalfSpace, Plane};
use crate::polytope::shapes::validate_vertices;
use crate::polytope::{ConvexHull, Cuboid, Polytope, PolytopeError, Segment, Triangle};
use crate::superquadric::{Superquadric, SurfaceParameters};
use crate::surface::bounds::{Aabb, BoundingSphere};
use crate::surface::enclosure::Enclosure;
use nalgebra::{Point3, Vector3};
use std::fmt;
use std::sync::Arc;

/// A shape of any kind, in its own frame, metres. Large shapes are shared, not copied.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::convex::ConvexShape;
/// use superovoid::{QueryOptions, Shape, Superovoid};
///
/// let can = Shape::from(ConvexShape::cylinder(0.1, 0.3)?);
/// let ball = Shape::from(Superovoid::sphere(0.05)?);
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.2, 0.0, 0.0));
/// let found = can.contact(&here, &ball, &there, &QueryOptions::default())?;
/// let found = found.expect("without a maximum distance there is an answer");
/// assert!((found.contact.distance - 0.05).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub enum Shape {
    /// A superovoid, or a sphere.
    Superovoid(Superovoid),
    /// A box, ball, cylinder, capsule, cone, triangle or hull.
    Convex(Arc<ConvexShape>),
    /// The hull of a few vertices: a box, a segment, a set of points.
    Polytope(Arc<dyn Polytope + Send + Sync>),
    /// A solid half-space; it moves with its pose.
    HalfSpace(HalfSpace),
    /// A thin plane, both of whose sides are free; it moves with its pose.
    Plane(Plane),
    /// A superhyperboloid or supertoroid.
    Superquadric(Superquadric),
    /// A triangle mesh: a solid where it is closed ([`TriMesh::is_solid`]), otherwise its surface.
    #[cfg(feature = "bvh")]
    Mesh(Arc<TriMesh>),
    /// Many boxes, for example the occupied cells of an octree.
    #[cfg(feature = "bvh")]
    Boxes(Arc<BoxSet>),
    /// Terrain from a grid of heights, solid below.
    #[cfg(feature = "bvh")]
    HeightField(Arc<HeightField>),
}

/// A borrowed [`Shape`]: a body that is made on the fly needs no allocation.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ShapeRef<'a> {
    /// A superovoid, or a sphere.
    Superovoid(&'a Superovoid),
    /// A box, ball, cylinder, capsule, cone, triangle or hull.
    Convex(&'a ConvexShape),
    /// The hull of a few vertices.
    Polytope(&'a (dyn Polytope + Send + Sync)),
    /// A solid half-space.
    HalfSpace(&'a HalfSpace),
    /// A thin plane.
    Plane(&'a Plane),
    /// A superhyperboloid or supertoroid.
    Superquadric(&'a Superquadric),
    /// A triangle mesh.
    #[cfg(feature = "bvh")]
    Mesh(&'a TriMesh),
    /// Many boxes.
    #[cfg(feature = "bvh")]
    Boxes(&'a BoxSet),
    /// Terrain.
    #[cfg(feature = "bvh")]
    HeightField(&'a HeightField),
}

impl Shape {
    /// Returns the same shape, borrowed.
    pub fn as_ref(&self) -> ShapeRef<'_> {
        match self {
            Shape::Superovoid(shape) => ShapeRef::Superovoid(shape),
            Shape::Convex(shape) => ShapeRef::Convex(shape),
            Shape::Polytope(shape) => ShapeRef::Polytope(shape.as_ref()),
            Shape::HalfSpace(shape) => ShapeRef::HalfSpace(shape),
            Shape::Plane(shape) => ShapeRef::Plane(shape),
            Shape::Superquadric(shape) => ShapeRef::Superquadric(shape),
            #[cfg(feature = "bvh")]
            Shape::Mesh(shape) => ShapeRef::Mesh(shape),
            #[cfg(feature = "bvh")]
            Shape::Boxes(shape) => ShapeRef::Boxes(shape),
            #[cfg(feature = "bvh")]
            Shape::HeightField(shape) => ShapeRef::HeightField(shape),
        }
    }
}

impl ShapeRef<'_> {
    /// The name of the kind, for messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            ShapeRef::Superovoid(_) => "superovoid",
            ShapeRef::Convex(_) => "convex shape",
            ShapeRef::Polytope(_) => "polytope",
            ShapeRef::HalfSpace(_) => "half-space",
            ShapeRef::Plane(_) => "plane",
            ShapeRef::Superquadric(_) => "superquadric",
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(_) => "mesh",
            #[cfg(feature = "bvh")]
            ShapeRef::Boxes(_) => "set of boxes",
            #[cfg(feature = "bvh")]
            ShapeRef::HeightField(_) => "height field",
        }
    }

    /// Whether the shape has many parts, each with an index.
    pub fn has_parts(self) -> bool {
        #[cfg(feature = "bvh")]
        return matches!(
            self,
            ShapeRef::Mesh(_) | ShapeRef::Boxes(_) | ShapeRef::HeightField(_)
        );
        #[cfg(not(feature = "bvh"))]
        false
    }

    /// Returns the point of the shape that is farthest along a direction of any length but zero, metres; `None` for a
    /// half-space or plane, which have none, and for a superquadric that is not convex.
    pub fn support_point(self, direction: &Vector3<f64>) -> Option<Vector3<f64>> {
        Some(match self {
            ShapeRef::Superovoid(shape) => shape.support(direction).point.coords,
            ShapeRef::Convex(shape) => shape.support_point(direction),
            ShapeRef::Polytope(shape) => farthest(shape.vertices(), direction)?,
            ShapeRef::HalfSpace(_) | ShapeRef::Plane(_) => return None,
            ShapeRef::Superquadric(shape) if shape.is_convex() => {
                ConvexShape::hull_of(shape).support_point(direction)
            }
            ShapeRef::Superquadric(_) => return None,
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(mesh) => farthest_part(mesh, direction)?.1.coords,
            #[cfg(feature = "bvh")]
            ShapeRef::Boxes(set) => farthest_part(set, direction)?.1.coords,
            #[cfg(feature = "bvh")]
            ShapeRef::HeightField(field) => farthest_part(field, direction)?.1.coords,
        })
    }

    /// Returns the value of the support function in a direction of any length but zero, metres; `None` for a half-space,
    /// a plane, a mesh, a set of boxes, a height field, and a superquadric that is not convex.
    pub fn support(self, direction: &Vector3<f64>) -> Option<f64> {
        match self {
            ShapeRef::Superovoid(shape) => Some(shape.support(direction).value),
            ShapeRef::Convex(shape) => Some(shape.support(direction)),
            _ if self.has_parts() => None,
            _ => Some(self.support_point(direction)?.dot(direction)),
        }
    }

    /// Returns the box along the axes of the shape's own frame that holds it, metres; `None` for a half-space
    /// and a plane.
    ///
    /// # Errors
    /// The error names a vertex of a polytope that is not finite, or says that it has none.
    pub fn local_aabb(self) -> Result<Option<Aabb>, PolytopeError> {
        Ok(Some(match self {
            ShapeRef::Superovoid(shape) => shape.local_aabb(),
            ShapeRef::Convex(shape) => shape.local_aabb(),
            ShapeRef::Polytope(shape) => {
                let vertices = shape.vertices();
                validate_vertices(vertices)?;
                let first = vertices[0];
                let grown = |(min, max): (Point3<f64>, Point3<f64>), v: &Point3<f64>| {
                    (min.inf(v), max.sup(v))
                };
                let (min, max) = vertices.iter().fold((first, first), grown);
                Aabb { min, max }
            }
            ShapeRef::HalfSpace(_) | ShapeRef::Plane(_) => return Ok(None),
            ShapeRef::Superquadric(shape) => shape.aabb(),
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(mesh) => mesh.aabb(),
            #[cfg(feature = "bvh")]
            ShapeRef::Boxes(set) => set.aabb(),
            #[cfg(feature = "bvh")]
            ShapeRef::HeightField(field) => field.aabb(),
        }))
    }

    /// Returns the volumes that enclose the shape, and a ball inside it or, with radius 0, a point of it, in its own
    /// frame; `None` for a half-space and a plane.
    #[doc(hidden)]
    pub fn enclosure(self) -> Result<Option<(Enclosure, BoundingSphere)>, PolytopeError> {
        let Some(around) = self.local_aabb()? else {
            return Ok(None);
        };
        let ball = |center: Point3<f64>, radius| BoundingSphere { center, radius };
        let inside = match self {
            ShapeRef::Superovoid(shape) => {
                let inside = ball(Point3::origin(), shape.inner_radius());
                return Ok(Some((Enclosure::of(shape), inside)));
            }
            ShapeRef::Convex(shape) => shape.inner_ball(),
            ShapeRef::Polytope(shape) => ball(shape.vertices()[0], 0.0),
            ShapeRef::HalfSpace(_) | ShapeRef::Plane(_) => return Ok(None),
            ShapeRef::Superquadric(shape) => {
                ball(shape.point_at(SurfaceParameters { phi: 0.0, s: 0.0 }), 0.0)
            }
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(mesh) => ball(mesh.part(0).vertices()[0], 0.0),
            #[cfg(feature = "bvh")]
            ShapeRef::Boxes(set) => ball(set.boxes()[0].min, 0.0),
            #[cfg(feature = "bvh")]
            ShapeRef::HeightField(field) => ball(field.point(0, 0), 0.0),
        };
        Ok(Some((Enclosure::of_box(&around), inside)))
    }
}

/// Returns the point that is farthest along a direction; the last one of several.
fn farthest(points: &[Point3<f64>], direction: &Vector3<f64>) -> Option<Vector3<f64>> {
    let height = |p: &Point3<f64>| p.coords.dot(direction);
    let found = (points.iter()).max_by(|p, q| height(p).total_cmp(&height(q)));
    found.map(|p| p.coords)
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl fmt::Debug for dyn Polytope + Send + Sync + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Polytope({} vertices)", self.vertices().len())
    }
}

macro_rules! from {
    ($($shape:ty, $given:ident => $made:expr;)*) => {$(
        impl From<$shape> for Shape {
            fn from($given: $shape) -> Self {
                $made
            }
        }
    )*};
}
from! {
    Superovoid, shape => Shape::Superovoid(shape);
    ConvexShape, shape => Shape::Convex(Arc::new(shape));
    Cuboid, shape => Shape::Polytope(Arc::new(shape));
    ConvexHull, shape => Shape::Polytope(Arc::new(shape));
    Segment, shape => Shape::Polytope(Arc::new(shape));
    Triangle, shape => Shape::Convex(Arc::new(ConvexShape::of_points(shape.vertices())));
    HalfSpace, shape => Shape::HalfSpace(shape);
    Plane, shape => Shape::Plane(shape);
    Superquadric, shape => Shape::Superquadric(shape);
}
#[cfg(feature = "bvh")]
from! {
    Arc<TriMesh>, shape => Shape::Mesh(shape);
    TriMesh, shape => Shape::Mesh(Arc::new(shape));
    Arc<BoxSet>, shape => Shape::Boxes(shape);
    BoxSet, shape => Shape::Boxes(Arc::new(shape));
    Arc<HeightField>, shape => Shape::HeightField(shape);
    HeightField, shape => Shape::HeightField(Arc::new(shape));
}
