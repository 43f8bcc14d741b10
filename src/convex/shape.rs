//! The convex shapes: how they are made and what does not depend on a pose.

use crate::Aabb;
use crate::BoundingSphere;
use crate::Superovoid;
use crate::convex::core::{Core, ScaledCore};
use crate::polytope::PolytopeError;
use crate::query::units::largest;
use crate::superquadric::Superquadric;
use crate::surface::support_map::SupportMap;
use nalgebra::{Point3, Vector3};

/// A convex body in its own frame: a ball, box, cylinder, capsule, cone, convex hull or superovoid. A superovoid that
/// is not convex is accepted; [`convex`](crate::convex) tells what is proven of it.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::convex::{ConvexShape, convex_contact};
/// use superovoid::{Outcome, QueryOptions};
///
/// let can = ConvexShape::cylinder(0.03, 0.1)?; // metres, along z
/// let pen = ConvexShape::capsule(0.005, 0.12)?;
/// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.05, 0.0, 0.0));
/// let found = convex_contact(&can, &here, &pen, &there, &QueryOptions::default())?;
/// assert_eq!(found.outcome, Outcome::Certified);
/// assert!((found.distance - 0.015).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexShape {
    pub(super) core: Core,
    /// The radius of the ball that sweeps the core, metres.
    pub(super) margin: f64,
    /// The centre of a ball inside the core, and its radius, which may be 0.
    pub(super) center: Vector3<f64>,
    pub(super) inner_radius: f64,
    /// Half the edges of the box about the centre that holds the core.
    extents: Vector3<f64>,
}

/// What a convex shape was made of: the arguments of the constructor that makes it again, to the bit.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ConvexKind<'a> {
    /// [`ConvexShape::ball`], of a radius.
    Ball(f64),
    /// [`ConvexShape::cuboid`], of half extents.
    Cuboid([f64; 3]),
    /// [`ConvexShape::cylinder`], of a radius and a length.
    Cylinder(f64, f64),
    /// [`ConvexShape::capsule`], of a radius and a length.
    Capsule(f64, f64),
    /// [`ConvexShape::cone`], of a radius and a length.
    Cone(f64, f64),
    /// [`ConvexShape::hull`], of points.
    Hull(&'a [Point3<f64>]),
    /// A superovoid.
    Superovoid(&'a Superovoid),
    /// [`ConvexShape::hull_of`] a superhyperboloid or supertoroid.
    Superquadric(&'a Superquadric),
}

/// An error in the definition of a convex shape.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConvexShapeError {
    /// A length is not finite and more than 0.
    #[error("{name} = {value}: it must be finite and more than 0 metres")]
    Length {
        /// The name of the length.
        name: &'static str,
        /// The value that was rejected.
        value: f64,
    },
    /// A length that may be 0 is negative or not finite.
    #[error("{name} = {value}: it must be finite and at least 0 metres")]
    NegativeLength {
        /// The name of the length.
        name: &'static str,
        /// The value that was rejected.
        value: f64,
    },
    /// The points are not those of a hull.
    #[error(transparent)]
    Hull(#[from] PolytopeError),
}

impl ConvexShape {
    /// Makes a ball about the origin.
    ///
    /// # Errors
    /// The error names a radius that is not finite or not more than 0.
    #[inline]
    pub fn ball(radius: f64) -> Result<Self, ConvexShapeError> {
        lengths(&[("radius", radius)])?;
        Ok(Self::swept(Core::Point, radius))
    }

    /// Makes a box with its centre at the origin and edges along the axes, from half its edge lengths, metres.
    ///
    /// # Errors
    /// The error names a half extent that is not finite or not more than 0.
    #[inline]
    pub fn cuboid(half_extents: [f64; 3]) -> Result<Self, ConvexShapeError> {
        let [x, y, z] = half_extents;
        lengths(&[
            ("half extent x", x),
            ("half extent y", y),
            ("half extent z", z),
        ])?;
        Ok(Self::of_core(Core::Cuboid(half_extents), Vector3::zeros()))
    }

    /// Makes a cylinder about z with its centre at the origin, from its radius and whole length, metres.
    ///
    /// # Errors
    /// The error names a length that is not finite or not more than 0.
    #[inline]
    pub fn cylinder(radius: f64, length: f64) -> Result<Self, ConvexShapeError> {
        lengths(&[("radius", radius), ("length", length)])?;
        let half_length = 0.5 * length;
        let core = Core::Cylinder {
            radius,
            half_length,
        };
        Ok(Self::of_core(core, Vector3::zeros()))
    }

    /// Makes a capsule about z with its centre at the origin, from its radius and the length of its cylindrical part,
    /// metres. A capsule of length 0 is a ball.
    ///
    /// # Errors
    /// The error names a radius that is not finite or not more than 0, or a length that is not finite or negative.
    #[inline]
    pub fn capsule(radius: f64, length: f64) -> Result<Self, ConvexShapeError> {
        lengths(&[("radius", radius)])?;
        if length == 0.0 {
            return Self::ball(radius);
        }
        if !(length > 0.0 && length.is_finite()) {
            let (name, value) = ("length", length);
            return Err(ConvexShapeError::NegativeLength { name, value });
        }
        Ok(Self::swept(Core::Segment(0.5 * length), radius))
    }

    /// Makes a cone about z, its tip at z = length/2 and its base of this radius at z = −length/2, metres.
    ///
    /// # Errors
    /// The error names a length that is not finite or not more than 0.
    #[inline]
    pub fn cone(radius: f64, length: f64) -> Result<Self, ConvexShapeError> {
        lengths(&[("radius", radius), ("length", length)])?;
        let half_length = 0.5 * length;
        let core = Core::Cone {
            radius,
            half_length,
        };
        let ball = radius * (length / (radius + radius.hypot(length)));
        Ok(Self::of_core(core, Vector3::z() * (ball - half_length)))
    }

    /// Makes the convex hull of a superhyperboloid or supertoroid: the body itself where that is one sheet of two. The
    /// queries of [`Superquadric`] answer for the bodies that are not convex.
    ///
    /// ```
    /// use superovoid::convex::ConvexShape;
    /// use superovoid::superquadric::{Sheets, Superquadric};
    /// let cup = Superquadric::two_sheets([1.0; 3], [1.0, 1.0], 2.0, Sheets::Upper)?;
    /// assert_eq!(ConvexShape::hull_of(&cup).local_aabb().min.z, 1.0);
    /// # Ok::<(), superovoid::superquadric::SuperquadricError>(())
    /// ```
    pub fn hull_of(shape: &Superquadric) -> Self {
        let (center, _) = shape.inner_ball();
        Self::of_core(Core::Superquadric(*shape), center)
    }

    /// Makes the hull of points that are known to be finite, without a ball inside.
    #[doc(hidden)]
    pub fn of_points(points: &[Point3<f64>]) -> Self {
        let share = 1.0 / points.len().max(1) as f64;
        let center = points.iter().map(|p| p.coords * share).sum();
        let core = match points {
            [a, b, c] => Core::Triangle([*a, *b, *c]),
            _ => Core::Points(points.into()),
        };
        Self::of_core(core, center)
    }

    /// Makes a triangle from corners that are known to be finite.
    #[cfg(feature = "bvh")]
    pub(crate) fn triangle(corners: [Point3<f64>; 3]) -> Self {
        let [a, b, c] = corners.map(|corner| corner.coords / 3.0);
        Self::of_core(Core::Triangle(corners), a + b + c)
    }

    /// Makes a ball of a radius that is known to be valid.
    pub(crate) fn swept_point(radius: f64) -> Self {
        Self::swept(Core::Point, radius)
    }

    #[inline(always)]
    fn swept(core: Core, margin: f64) -> Self {
        ConvexShape {
            margin,
            ..Self::of_core(core, Vector3::zeros())
        }
    }

    /// Makes a shape without a margin from its core and a point inside.
    #[inline(always)]
    pub(super) fn of_core(core: Core, center: Vector3<f64>) -> Self {
        ConvexShape {
            margin: 0.0,
            center,
            inner_radius: core.inner_radius(),
            extents: core.extents(&center),
            core,
        }
    }

    /// Returns what the shape was made of.
    pub fn kind(&self) -> ConvexKind<'_> {
        match &self.core {
            Core::Point => ConvexKind::Ball(self.margin),
            Core::Segment(half) => ConvexKind::Capsule(self.margin, 2.0 * half),
            Core::Cuboid(half) => ConvexKind::Cuboid(*half),
            Core::Cylinder {
                radius,
                half_length,
            } => ConvexKind::Cylinder(*radius, 2.0 * half_length),
            Core::Cone {
                radius,
                half_length,
            } => ConvexKind::Cone(*radius, 2.0 * half_length),
            Core::Triangle(corners) => ConvexKind::Hull(corners),
            Core::Points(points) => ConvexKind::Hull(points),
            Core::Superovoid(shape) => ConvexKind::Superovoid(shape),
            Core::Superquadric(shape) => ConvexKind::Superquadric(shape),
        }
    }

    /// Returns the value of the support function in a direction of any length but zero: the greatest n·x over the
    /// points x of the body, metres.
    pub fn support(&self, direction: &Vector3<f64>) -> f64 {
        self.local_support(direction).0
    }

    /// Returns the support point in a direction of any length but zero, metres.
    pub fn support_point(&self, direction: &Vector3<f64>) -> Vector3<f64> {
        self.local_support(direction).1
    }

    /// Returns the value of the support function and the support point in the direction of a unit vector.
    #[cfg(feature = "bvh")]
    pub(crate) fn support_along_unit(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let (value, point) = self.core.local_support(n);
        (value + self.margin, point + n * self.margin)
    }

    /// Returns the box along the axes of the body's own frame that holds it.
    pub fn local_aabb(&self) -> Aabb {
        if let Core::Triangle([a, b, c]) = &self.core {
            return Aabb {
                min: a.inf(b).inf(c),
                max: a.sup(b).sup(c),
            };
        }
        let half = self.extents.add_scalar(self.margin);
        let center = Point3::from(self.center);
        Aabb {
            min: center - half,
            max: center + half,
        }
    }

    /// Whether the body is surely symmetric about the centre of its inner ball.
    pub(crate) fn is_symmetric(&self) -> bool {
        matches!(
            self.core,
            Core::Point | Core::Segment(_) | Core::Cuboid(_) | Core::Cylinder { .. }
        )
    }

    /// Returns a ball inside the body; its radius is 0 where none is known.
    #[doc(hidden)]
    pub fn inner_ball(&self) -> BoundingSphere {
        BoundingSphere {
            center: self.center.into(),
            radius: self.inner_radius + self.margin,
        }
    }

    /// Returns the largest half extent, the length to which relative tolerances refer.
    #[inline]
    pub(crate) fn size(&self) -> f64 {
        largest(&self.extents) + self.margin
    }

    /// Returns the largest coordinate of the body in its own frame.
    #[inline]
    pub(crate) fn largest_coordinate(&self) -> f64 {
        largest(&self.center) + self.size()
    }

    /// Returns the radius of a ball about the origin of the body's frame that holds it.
    pub(crate) fn outer_radius(&self) -> f64 {
        (self.core.outer_radius() + self.margin) * (1.0 + 4.0 * f64::EPSILON)
    }

    /// Returns the shape in units of which `k` are a metre.
    pub(crate) fn scaled(&self, k: f64) -> ScaledShape<'_> {
        ScaledShape {
            core: ScaledCore::new(&self.core, k),
            margin: self.margin * k,
        }
    }

    /// Returns the superovoid that the shape is, if that is not convex.
    pub(crate) fn hollow_ovoid(&self) -> Option<&Superovoid> {
        match &self.core {
            Core::Superovoid(shape) if !shape.is_convex() => Some(shape),
            _ => None,
        }
    }

    pub(super) fn core_extents(&self) -> Vector3<f64> {
        self.extents
    }

    /// Whether the support function takes powers.
    pub(crate) fn has_powers(&self) -> bool {
        matches!(self.core, Core::Superovoid(_) | Core::Superquadric(_))
    }

    /// Whether rounding leaves the support function accurate enough to certify anything.
    pub(crate) fn is_provable(&self) -> bool {
        match &self.core {
            Core::Superovoid(shape) => shape.traits.provable(),
            Core::Superquadric(shape) => shape.is_provable(),
            _ => true,
        }
    }

    /// Returns the largest exponent of a circle: 1 for bodies that are none of powers.
    pub(crate) fn steepest(&self) -> f64 {
        match &self.core {
            Core::Superovoid(shape) => shape.steepest,
            Core::Superquadric(shape) => shape.steepest(),
            _ => 1.0,
        }
    }
}

/// A shape in units of a query.
pub(crate) struct ScaledShape<'a> {
    core: ScaledCore<'a>,
    margin: f64,
}

impl ScaledShape<'_> {
    /// Returns the support point in the direction of a unit vector.
    pub fn support_point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        self.core.local_support(n).1 + n * self.margin
    }
}

impl SupportMap for ConvexShape {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let (value, point) = self.core.local_support(n);
        let length = n.norm();
        (
            value + self.margin * length,
            point + n * (self.margin / length),
        )
    }
}

impl From<Superovoid> for ConvexShape {
    fn from(shape: Superovoid) -> Self {
        Self::of_core(Core::Superovoid(shape), Vector3::zeros())
    }
}

#[inline]
fn lengths(named: &[(&'static str, f64)]) -> Result<(), ConvexShapeError> {
    let bad = |(_, value): &&(&str, f64)| !(*value > 0.0 && value.is_finite());
    match named.iter().find(bad) {
        Some(&(name, value)) => Err(ConvexShapeError::Length { name, value }),
        None => Ok(()),
    }
}
