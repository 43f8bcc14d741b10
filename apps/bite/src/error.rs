//! What can be wrong with a bite's input.

use nalgebra::Point3;
use superovoid::{QueryError, ShapeError};
use superovoid_fit::FitError;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BiteError {
    /// A tooth without bodies.
    #[error("a tooth needs at least one body")]
    NoBodies,
    /// A body whose numbers make no superovoid.
    #[error("{name}: {source}")]
    Shape {
        /// The name of the body.
        name: String,
        /// What is wrong with its numbers.
        source: ShapeError,
    },
    /// A body that is not convex, so that its depth could not be proven.
    #[error(
        "{name}: the body is not convex (its tapers {tapers:?} are too strong or too different); use weaker ones"
    )]
    NotConvex {
        /// The name of the body.
        name: String,
        /// Its tapers.
        tapers: [f64; 2],
    },
    /// A pose that is not finite, or a quaternion that is not of unit length.
    #[error("{name}: the pose must be finite, its quaternion of length 1")]
    Pose {
        /// The name of the body or frame.
        name: String,
    },
    /// A number of the path or of a mesh that is out of its domain.
    #[error("{name} is {value}: expected {requirement}")]
    Setting {
        /// The name of the field.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        requirement: &'static str,
    },
    /// The teeth pass each other.
    #[error("the teeth never meet: the upper one, moved along z, passes the lower one")]
    NeverMeet,
    /// The path starts where the teeth overlap.
    #[error(
        "frame 0: the teeth overlap at the start, lower body {} and upper body {} by {depth:e} m; \
         start the path higher", pair[0] + 1, pair[1] + 1
    )]
    StartInOverlap {
        /// The bodies of the lower and the upper tooth, from 0.
        pair: [usize; 2],
        /// How deep they overlap, metres.
        depth: f64,
    },
    /// The path starts where it is not proven that the teeth are apart.
    #[error("frame 0: the teeth touch at the start; start the path higher")]
    StartInTouch,
    /// A path without poses.
    #[error("the path has no frames")]
    NoFrames,
    /// A mesh that is not closed cannot be cut into parts.
    #[error("the mesh is not closed; fill its holes")]
    OpenMesh,
    /// The bodies do not follow the mesh.
    #[error(
        "the fit leaves a hole: the point {}, {}, {} of the mesh is {distance:e} m outside of the {bodies} bodies, and \
         {allowed:e} m are allowed; use more parts", point.x, point.y, point.z
    )]
    Hole {
        /// The point of the mesh that is farthest outside, metres.
        point: Point3<f64>,
        /// Its distance from the bodies, metres.
        distance: f64,
        /// What is allowed, metres.
        allowed: f64,
        /// How many bodies there are.
        bodies: usize,
    },
    /// The bodies of a fit stand out of the mesh.
    #[error(
        "the fit bulges: the point {}, {}, {} of its surface is {distance:e} m from the mesh, and {allowed:e} m are \
         allowed; use more parts", point.x, point.y, point.z
    )]
    Bulge {
        /// The point of the union that is farthest from the mesh, metres.
        point: Point3<f64>,
        /// Its distance, metres.
        distance: f64,
        /// What is allowed, metres.
        allowed: f64,
    },
    /// The fit failed.
    #[error(transparent)]
    Fit(#[from] FitError),
    /// A query failed.
    #[error(transparent)]
    Query(#[from] QueryError),
}
