//! Rays cast at shapes of every kind.

use super::shape::{Shape, ShapeRef};
#[cfg(feature = "bvh")]
use crate::bvh::{ray_hits_boxes, ray_hits_mesh, ray_hits_terrain};
use crate::convex::{ConvexKind, Line, Stretch};
use crate::polytope::shapes::validate_vertices;
use crate::query::error::QueryError;
use crate::query::units::unit_of_length;
use crate::ray::LocalRay;
use crate::{Ray, RayHit};
use nalgebra::{Isometry3, Point3, Unit, Vector3};

impl Shape {
    /// Returns the first hit of a ray on the shape at `pose` with t at most `max_time_of_impact` (which may be infinite), or
    /// `None`. With the origin inside, a `solid` body is hit at t = 0, and one that is not solid (a shell) where the ray first
    /// leaves it.
    ///
    /// A half-space, a set of boxes, terrain and a [solid](crate::bvh::TriMesh::is_solid) mesh are solids, whose inner walls
    /// are not hit; the normal is the outward one. A plane, a triangle and the surface of a mesh have two sides: the normal is that
    /// of the side from which the ray comes. No ray passes between the triangles of a closed mesh.
    ///
    /// The answer is that of a line within rounding of the given one, as that of
    /// [`Superovoid::ray_cast`](crate::Superovoid::ray_cast): a ray that grazes an edge or a surface, or lies in a face, may hit
    /// or miss.
    ///
    /// # Errors
    /// The error names a pose, origin or direction that is not finite, a zero direction, a `max_time_of_impact` that is negative
    /// or NaN, a vertex of a polytope that is not finite, or lengths whose difference exceeds the number range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3, Vector3};
    /// use superovoid::convex::ConvexShape;
    /// use superovoid::{Ray, Shape};
    ///
    /// let can = Shape::from(ConvexShape::cylinder(0.03, 0.1)?);
    /// let down = Ray { origin: Point3::new(0.01, 0.0, 1.0), direction: -Vector3::z() };
    /// let hit = can.ray_cast(&Isometry3::identity(), &down, f64::INFINITY, true)?.expect("a hit");
    /// assert!((hit.time_of_impact - 0.95).abs() < 1e-15);
    /// assert_eq!(*hit.normal, Vector3::z());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_cast(
        &self,
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
        solid: bool,
    ) -> Result<Option<RayHit>, QueryError> {
        (self.as_ref()).ray_cast(pose, ray, max_time_of_impact, solid)
    }
}

impl ShapeRef<'_> {
    /// Returns the first hit of a ray, as [`Shape::ray_cast`].
    ///
    /// # Errors
    /// The errors are those of [`Shape::ray_cast`].
    pub fn ray_cast(
        self,
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
        solid: bool,
    ) -> Result<Option<RayHit>, QueryError> {
        let farthest = |points: &[Point3<f64>]| {
            let lengths = points.iter().map(|p| p.coords.amax());
            lengths.fold(f64::MIN_POSITIVE, f64::max)
        };
        let convex = match self {
            ShapeRef::Superovoid(shape) => {
                return shape.ray_cast(pose, ray, max_time_of_impact, solid);
            }
            ShapeRef::Superquadric(shape) => {
                return shape.ray_cast(pose, ray, max_time_of_impact, solid);
            }
            ShapeRef::Convex(shape) => match shape.kind() {
                ConvexKind::Superovoid(shape) => {
                    return shape.ray_cast(pose, ray, max_time_of_impact, solid);
                }
                ConvexKind::Superquadric(shape) if shape.is_convex() => {
                    return shape.ray_cast(pose, ray, max_time_of_impact, solid);
                }
                // A degenerate triangle has no size.
                ConvexKind::Hull(points) => Some(farthest(points)),
                _ => Some(shape.size()),
            },
            ShapeRef::Polytope(shape) => {
                validate_vertices(shape.vertices())?;
                Some(farthest(shape.vertices()))
            }
            _ => None,
        };
        let unit = convex.map_or(1.0, |size| unit_of_length(size, 0.0));
        let local = LocalRay::new(pose, ray, max_time_of_impact, unit)?;
        let line = Line {
            from: local.from,
            along: local.along,
        };
        let thin = |n: Vector3<f64>| if n.dot(&line.along) > 0.0 { -n } else { n };
        let stretch = match self {
            ShapeRef::Convex(shape) => shape.stretch(&line, 1.0 / unit),
            ShapeRef::Polytope(shape) => Stretch::in_points(&line, shape.vertices(), 1.0 / unit),
            ShapeRef::HalfSpace(shape) => {
                let n = shape.normal().into_inner();
                Stretch::whole().below(&line, &n, shape.offset(), n)
            }
            ShapeRef::Plane(shape) => {
                let (n, height) = (shape.normal().into_inner(), shape.offset());
                let normal = thin(n);
                Stretch::whole()
                    .below(&line, &n, height, normal)
                    .and_then(|half| half.below(&line, &-n, -height, normal))
                    .filter(|stretch| stretch.enter.s.is_finite())
            }
            #[cfg(feature = "bvh")]
            ShapeRef::Mesh(_) | ShapeRef::Boxes(_) | ShapeRef::HeightField(_) => {
                let last = local.last;
                let around = self
                    .local_aabb()?
                    .map_or(0.0, |it| it.min.coords.amax().max(it.max.coords.amax()));
                // The products of two coordinates have to stay in the number range.
                if around != 0.0 && !(1e-100..=1e100).contains(&around) {
                    return Err(QueryError::Overflow);
                }
                let found = match self {
                    ShapeRef::Mesh(mesh) => ray_hits_mesh(mesh, &line, last, solid),
                    ShapeRef::Boxes(set) => ray_hits_boxes(set, &line, last, solid),
                    ShapeRef::HeightField(field) => ray_hits_terrain(field, &line, last, solid),
                    _ => None,
                };
                let Some(found) = found else {
                    return Ok(None);
                };
                let mut hit = match found.normal {
                    Some(n) => {
                        let hit = local.hit(found.s, &line.at(found.s), Unit::new_unchecked(n));
                        hit.within_number_range()?
                    }
                    None => ray.hit_at_origin(),
                };
                hit.part = found.part;
                return Ok(Some(hit));
            }
            ShapeRef::Superovoid(_) | ShapeRef::Superquadric(_) => None,
        };
        let Some(Stretch { enter, leave }) = stretch.filter(|stretch| stretch.leave.s >= 0.0)
        else {
            return Ok(None);
        };
        let is_inside = enter.s <= 0.0;
        if is_inside && solid {
            return Ok(Some(ray.hit_at_origin()));
        }
        let end = if is_inside { leave } else { enter };
        if end.s == f64::INFINITY || end.s > local.last {
            return Ok(None);
        }
        let normal = Unit::new_unchecked(end.normal);
        let hit = local.hit(end.s, &line.at(end.s), normal);
        hit.within_number_range().map(Some)
    }
}
