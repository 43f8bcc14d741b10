//! What encloses a body: a ball, a box along its own axes, and a box along the world's axes that
//! follows from it. Where two of them are apart their bodies need not be solved. No powers are
//! taken when a body moves: the world's box is the one around the body's own box, turned.

use super::bounds::BOUND_ACCURACY;
use crate::{Aabb, BoundingSphere, Obb, Superovoid};
use nalgebra::{Isometry3, Point3, Vector3};

/// What encloses a body, in the body's own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Enclosure {
    sphere: BoundingSphere,
    /// Of the box.
    center: Point3<f64>,
    half_extents: Vector3<f64>,
}

/// What encloses a body, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlacedEnclosure {
    pub aabb: Aabb,
    pub sphere: BoundingSphere,
    obb: Obb,
    /// What rounding can change in the distance of the ball.
    slack: f64,
}

impl Enclosure {
    pub fn of(shape: &Superovoid) -> Self {
        Enclosure {
            sphere: shape.bounding_sphere(),
            center: Point3::origin(),
            half_extents: shape.obb(&Isometry3::identity()).half_extents,
        }
    }

    /// Of all that a box holds.
    #[cfg(feature = "bvh")]
    pub fn of_box(bounds: &Aabb) -> Self {
        let center = nalgebra::center(&bounds.min, &bounds.max);
        // To the farther side: the centre is rounded.
        let reach = (bounds.max - center).sup(&(center - bounds.min));
        let half_extents = reach * (1.0 + BOUND_ACCURACY);
        Enclosure {
            sphere: BoundingSphere {
                center,
                radius: half_extents.norm() * (1.0 + BOUND_ACCURACY),
            },
            center,
            half_extents,
        }
    }

    pub fn at(&self, pose: &Isometry3<f64>) -> PlacedEnclosure {
        let obb = Obb {
            center: pose * self.center,
            rotation: pose.rotation,
            half_extents: self.half_extents,
        };
        let sphere = self.sphere.transformed(pose);
        let slack = BOUND_ACCURACY * (sphere.center.coords.amax() + sphere.radius);
        let axes = pose.rotation.to_rotation_matrix().into_inner().abs();
        let reach = (axes * self.half_extents).add_scalar(slack);
        PlacedEnclosure {
            aabb: Aabb {
                min: obb.center - reach,
                max: obb.center + reach,
            },
            sphere,
            obb,
            slack,
        }
    }
}

impl PlacedEnclosure {
    /// A lower bound of the distance (metres): that of the boxes along the world's axes or of the
    /// balls, whichever says more. 0 if neither keeps the bodies apart.
    pub fn apart(&self, other: &Self) -> f64 {
        let boxes = self.aabb.distance(&other.aabb);
        let balls = self.sphere.distance(&other.sphere) - self.slack - other.slack;
        boxes.max(balls)
    }

    /// Whether the boxes along the bodies' own axes are farther apart than a finite distance.
    pub fn boxes_farther_than(&self, other: &Self, within: f64) -> bool {
        within.is_finite() && self.obb.distance_bound(&other.obb) > within
    }
}
