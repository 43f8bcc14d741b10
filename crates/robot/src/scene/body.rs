//! A body of a scene: its shape, its pose, and the bounding volumes by which the broad phase separates it from
//! others.

use super::allowed::Group;
use super::error::SceneError;
use crate::levels::{Hull, Levels, Part};
use nalgebra::{Isometry3, Point3, Vector3};
use std::sync::Arc;
use superovoid::internals::{Enclosure, Flat, PlacedEnclosure, validate_pose};
use superovoid::polytope::PolytopeError;
use superovoid::{BoundingSphere, HalfSpace, QueryError, Shape, ShapeRef};

/// A posed body.
#[derive(Clone)]
pub(super) struct Body {
    pub group: Group,
    pub shape: Shape,
    /// The obstacles are not compared with each other.
    pub is_obstacle: bool,
    pub pose: Isometry3<f64>,
    own: Own,
    reach: Reach,
    pub place: BodyPlace,
    /// The body's clones share them.
    pub levels: Arc<Levels>,
}

/// How far the padding extends the bounds of a body, metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Reach {
    /// The most that the paddings of any of its pairs add to it: the volumes around it are larger by so much.
    pub outer: f64,
    /// What they surely add in all of its pairs: the sphere inside is larger by so much.
    pub inner: f64,
}

/// The data that do not depend on the pose.
#[derive(Clone, Copy)]
enum Own {
    Bounded {
        enclosure: Enclosure,
        /// A sphere inside the body; with radius 0 it is a point of it.
        inside: BoundingSphere,
    },
    HalfSpace(HalfSpace),
}

/// The bounds of a body in its own frame: a sphere and a box around it, and a sphere inside.
pub(super) struct OwnBounds {
    pub sphere: BoundingSphere,
    /// The middle of the box, and half its edges.
    pub center: Point3<f64>,
    pub half_extents: nalgebra::Vector3<f64>,
    pub inside: BoundingSphere,
}

/// The same sphere in the world.
#[derive(Clone, Copy)]
pub(super) enum BodyPlace {
    Bounded {
        bounds: PlacedEnclosure,
        inside: BoundingSphere,
    },
    /// A half-space in the world, and the same with what rounding can change of it.
    HalfSpace(HalfSpace, Flat),
}

impl Body {
    /// The name of its group, for error messages.
    pub fn new(
        group: Group,
        group_name: &str,
        shape: Shape,
        is_obstacle: bool,
        pose: Isometry3<f64>,
    ) -> Result<Self, SceneError> {
        if let Shape::Plane(_) = shape {
            let group = group_name.to_owned();
            return Err(SceneError::Plane { group });
        }
        let own = Own::of(&shape).map_err(|error| SceneError::Polytope {
            group: group_name.to_owned(),
            error,
        })?;
        let reach = Reach::default();
        let straight = straightened(&pose).and_then(|pose| Ok((pose, own.at(&pose, reach)?)));
        let (pose, place) = straight.map_err(|error| SceneError::Pose {
            group: group_name.to_owned(),
            error,
        })?;
        Ok(Body {
            group,
            shape,
            is_obstacle,
            pose,
            own,
            reach,
            place,
            levels: Arc::default(),
        })
    }

    /// Returns the hull of the body without its padding; `None` if it has none that is bounded.
    pub fn hull(&self) -> Option<&Hull> {
        self.levels.hull(&self.shape)
    }

    pub fn move_to(&mut self, pose: &Isometry3<f64>) -> Result<(), QueryError> {
        let pose = straightened(pose)?;
        self.place = self.own.at(&pose, self.reach)?;
        self.pose = pose;
        Ok(())
    }

    /// Returns how far the padding extends the bounds.
    pub fn reach(&self) -> Reach {
        self.reach
    }

    /// Extends the bounds, and no others before.
    pub fn set_reach(&mut self, reach: Reach) -> Result<(), QueryError> {
        self.place = self.own.at(&self.pose, reach)?;
        self.reach = reach;
        Ok(())
    }

    /// Returns the sphere around the body without its padding, in its own frame; `None` for a half-space.
    pub fn bare_sphere(&self) -> Option<BoundingSphere> {
        match &self.own {
            Own::Bounded { enclosure, .. } => Some(enclosure.sphere()),
            Own::HalfSpace(_) => None,
        }
    }

    /// Returns the middle and half the edges of the box of the body without its padding, in its own frame; `None` for a
    /// half-space.
    pub fn bare_box(&self) -> Option<(Point3<f64>, Vector3<f64>)> {
        match &self.own {
            Own::Bounded { enclosure, .. } => Some(enclosure.own_box()),
            Own::HalfSpace(_) => None,
        }
    }

    /// Returns the bounds of the padded body in its own frame; `None` for a half-space.
    pub fn own_bounds(&self) -> Option<OwnBounds> {
        match &self.own.padded(self.reach) {
            Own::Bounded { enclosure, inside } => {
                let (center, half_extents) = enclosure.own_box();
                Some(OwnBounds {
                    sphere: enclosure.sphere(),
                    center,
                    half_extents,
                    inside: *inside,
                })
            }
            Own::HalfSpace(_) => None,
        }
    }

    /// Returns balls inside the body without its padding.
    pub fn inner_balls(&self) -> &[BoundingSphere] {
        self.levels.inner_balls(&self.shape)
    }

    /// Returns corners of the body without its padding, if it has any.
    pub fn corners(&self) -> &[Point3<f64>] {
        self.levels.corners(&self.shape)
    }

    /// Whether the body has pieces.
    pub fn has_pieces(&self) -> bool {
        !self.levels.pieces(&self.shape).is_empty()
    }

    /// Returns the body without its padding as a part of itself.
    pub fn whole(&self) -> Part<'_> {
        Part::Whole(&self.levels, &self.shape)
    }

    /// Returns the bounds of the padded body at another pose; `None` for a half-space.
    pub fn bounds_at(&self, pose: &Isometry3<f64>) -> Option<PlacedEnclosure> {
        match self.own.padded(self.reach) {
            Own::Bounded { enclosure, .. } => Some(enclosure.at(pose)),
            Own::HalfSpace(_) => None,
        }
    }

    /// Returns a lower bound of the distance to another body, metres; 0 where none is known.
    pub fn apart(&self, other: &Body) -> f64 {
        match (&self.place, &other.place) {
            (BodyPlace::Bounded { bounds, .. }, BodyPlace::Bounded { bounds: b, .. }) => {
                bounds.apart(b)
            }
            (BodyPlace::Bounded { bounds, .. }, BodyPlace::HalfSpace(half_space, flat)) => {
                (sphere_above(&bounds.sphere, half_space) - flat.rounding()).max(0.0)
            }
            _ => 0.0,
        }
    }

    /// Whether the boxes along the bodies' own axes prove that they are farther apart.
    pub fn boxes_farther_than(&self, other: &Body, max_distance: f64) -> bool {
        match (&self.place, &other.place) {
            (BodyPlace::Bounded { bounds, .. }, BodyPlace::Bounded { bounds: b, .. }) => {
                bounds.boxes_farther_than(b, max_distance)
            }
            _ => false,
        }
    }

    /// Returns an upper bound of the signed distance to another body, metres, with a margin above its rounding: the
    /// distance of the inner spheres.
    pub fn at_most(&self, other: &Body) -> f64 {
        let distance = match (&self.place, &other.place) {
            (BodyPlace::Bounded { inside: a, .. }, BodyPlace::Bounded { inside: b, .. }) => {
                (b.center - a.center).norm() - a.radius - b.radius
            }
            (BodyPlace::Bounded { inside, .. }, BodyPlace::HalfSpace(half_space, _)) => {
                let height = half_space.normal().dot(&inside.center.coords);
                height - half_space.offset() - inside.radius
            }
            _ => f64::INFINITY,
        };
        distance + ROUNDING * (self.largest_number() + other.largest_number())
    }

    /// Returns the largest number from which its distances are computed.
    fn largest_number(&self) -> f64 {
        match &self.place {
            BodyPlace::Bounded { bounds, .. } => {
                bounds.sphere.center.coords.amax() + bounds.sphere.radius
            }
            BodyPlace::HalfSpace(half_space, flat) => {
                half_space.offset().abs() + flat.rounding() / ROUNDING
            }
        }
    }
}

/// Returns the pose with a quaternion of unit length: all that is worked out from it takes it for one.
fn straightened(pose: &Isometry3<f64>) -> Result<Isometry3<f64>, QueryError> {
    Ok(validate_pose('A', pose)?.unwrap_or(*pose))
}

/// The relative margin, which is far more than the rounding of a distance, relative to its terms, and than the
/// tolerance of the solvers.
const ROUNDING: f64 = 1e-8;

/// Returns a lower bound of the signed distance between the contents of a sphere and a half-space.
fn sphere_above(sphere: &BoundingSphere, half_space: &HalfSpace) -> f64 {
    let height = half_space.normal().dot(&sphere.center.coords);
    let terms = sphere.center.coords.norm() + half_space.offset().abs() + sphere.radius;
    height - half_space.offset() - sphere.radius - 1e-12 * terms
}

impl Own {
    fn of(shape: &Shape) -> Result<Self, PolytopeError> {
        Ok(match (shape.as_ref().enclosure()?, shape) {
            (Some((enclosure, inside)), _) => Own::Bounded { enclosure, inside },
            (None, Shape::HalfSpace(half_space)) => Own::HalfSpace(*half_space),
            (None, _) => return Err(PolytopeError::Empty),
        })
    }

    /// Returns the bounds extended by a padding, which half-spaces have none of.
    fn padded(self, Reach { outer, inner }: Reach) -> Self {
        match self {
            Own::Bounded { enclosure, inside } if outer > 0.0 => Own::Bounded {
                enclosure: enclosure.padded(outer),
                inside: BoundingSphere {
                    center: inside.center,
                    radius: inside.radius + inner,
                },
            },
            _ => self,
        }
    }

    fn at(&self, pose: &Isometry3<f64>, reach: Reach) -> Result<BodyPlace, QueryError> {
        match &self.padded(reach) {
            Own::Bounded { enclosure, inside } => Ok(BodyPlace::Bounded {
                bounds: enclosure.at(pose),
                inside: inside.transformed(pose),
            }),
            Own::HalfSpace(half_space) => {
                let flat = Flat::of(ShapeRef::HalfSpace(half_space), pose)?;
                let flat = flat.ok_or(QueryError::Overflow)?;
                Ok(BodyPlace::HalfSpace(half_space.at(pose)?, flat))
            }
        }
    }
}
