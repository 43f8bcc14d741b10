//! The bounding volumes of a body for a broad phase: a sphere, a box along the body's own axes, and the axis-aligned
//! box that follows from it. Where two of them are apart their bodies need no query. Moving a body takes no powers:
//! the axis-aligned box is the one around the rotated box of the body.

use super::bounds::BOUND_ACCURACY;
use crate::{Aabb, BoundingSphere, Obb, Superovoid};
use nalgebra::{Isometry3, Point3, Vector3};

/// The bounding volumes of a body, in its own frame.
#[derive(Clone, Copy, Debug)]
pub struct Enclosure {
    sphere: BoundingSphere,
    /// The middle of the box.
    center: Point3<f64>,
    /// Half the edges of the box.
    half_extents: Vector3<f64>,
}

/// The bounding volumes of a body, in the world.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub struct PlacedEnclosure {
    pub aabb: Aabb,
    pub sphere: BoundingSphere,
    obb: Obb,
    /// The change of the spheres' distance that rounding can cause.
    slack: f64,
}

impl Enclosure {
    /// Returns the bounding volumes of a superovoid.
    pub fn of(shape: &Superovoid) -> Self {
        Enclosure {
            sphere: shape.bounding_sphere(),
            center: Point3::origin(),
            half_extents: shape.obb(&Isometry3::identity()).half_extents,
        }
    }

    /// Returns the bounding volumes of the contents of a box.
    pub fn of_box(bounds: &Aabb) -> Self {
        let center = nalgebra::center(&bounds.min, &bounds.max);
        // The radius reaches the farther side, as the centre is rounded.
        let half = (bounds.max - center).sup(&(center - bounds.min));
        let half_extents = half * (1.0 + BOUND_ACCURACY);
        Enclosure {
            sphere: BoundingSphere {
                center,
                radius: half_extents.norm() * (1.0 + BOUND_ACCURACY),
            },
            center,
            half_extents,
        }
    }

    /// Returns the bounding volumes of the body with all that is within a distance of it, metres.
    pub fn padded(&self, padding: f64) -> Self {
        const ROUNDED_UP: f64 = 1.0 + BOUND_ACCURACY;
        Enclosure {
            sphere: BoundingSphere {
                center: self.sphere.center,
                radius: (self.sphere.radius + padding) * ROUNDED_UP,
            },
            center: self.center,
            half_extents: self.half_extents.add_scalar(padding) * ROUNDED_UP,
        }
    }

    /// Returns the bounding sphere in the body's own frame.
    #[inline]
    pub fn sphere(&self) -> BoundingSphere {
        self.sphere
    }

    /// Returns the middle of the box and half its edges, in the body's own frame.
    #[inline]
    pub fn own_box(&self) -> (Point3<f64>, Vector3<f64>) {
        (self.center, self.half_extents)
    }

    /// Returns the bounding volumes of the body at a pose.
    #[inline]
    pub fn at(&self, pose: &Isometry3<f64>) -> PlacedEnclosure {
        let obb = Obb {
            center: pose * self.center,
            rotation: pose.rotation,
            half_extents: self.half_extents,
        };
        let sphere = self.sphere.transformed(pose);
        // The centre is a sum of both, which may be larger than it.
        let terms = self.center.coords.amax() + pose.translation.vector.amax();
        let slack = BOUND_ACCURACY * (terms + sphere.radius);
        let axes = pose.rotation.to_rotation_matrix().into_inner().abs();
        let half = (axes * self.half_extents).add_scalar(slack);
        PlacedEnclosure {
            aabb: Aabb {
                min: obb.center - half,
                max: obb.center + half,
            },
            sphere,
            obb,
            slack,
        }
    }
}

impl PlacedEnclosure {
    /// Returns a lower bound of the distance (metres): that of the axis-aligned boxes or that of the spheres,
    /// whichever is greater; 0 if neither separates the bodies.
    #[inline]
    pub fn apart(&self, other: &Self) -> f64 {
        let boxes = self.aabb.distance(&other.aabb);
        let balls = self.sphere.distance(&other.sphere) - self.slack - other.slack;
        boxes.max(balls)
    }

    /// Whether the boxes along the bodies' own axes are farther apart than a finite distance.
    #[inline]
    pub fn boxes_farther_than(&self, other: &Self, within: f64) -> bool {
        within.is_finite() && self.obb.distance_bound(&other.obb) > within
    }
}
