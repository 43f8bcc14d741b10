//! Derivatives of a contact: how distance, normal and witness points change with both poses and both shapes.
//!
//! May import: `convexity`, `golden_section`, `lanes`, `narrowphase`, `pair`, `plane`, `polytope`, `query`, `shape`,
//! `surface`.
//!
//! [`distance_gradient`] gives the gradient of the signed distance ([`pose_gradient`] the part by both poses, which is
//! free), [`contact_derivatives`] everything to second order:
//! the gradient and the Hessian of the distance, and the Jacobians of normal and witness points. Both take the answer of
//! a query; [`distance_gradient_batch`] and [`contact_derivatives_batch`] take those of many. The other body may also be a vertex ([`vertex_contact_derivatives`]), a polytope
//! ([`polytope_contact_derivatives`], at its active vertex, edge or face) or a half-space
//! ([`half_space_contact_derivatives`]).
//!
//! # Inputs
//!
//! Every derivative is by the same [`INPUTS`] = 26 numbers, in this order:
//!
//! | inputs | range | unit |
//! | --- | --- | --- |
//! | motion of A: velocity v of its origin, then angular velocity ω, world axes | [`POSE_A`] | m, rad |
//! | motion of B | [`POSE_B`] | m, rad |
//! | shape of A: a1 a2 a3 e1 e2 tx ty | [`SHAPE_A`] | m, 1, 1 |
//! | shape of B (0 where B is no superovoid) | [`SHAPE_B`] | m, 1, 1 |
//!
//! So a pose is not derived by the four numbers of its quaternion: along (v, ω) the origin moves to o + v t and the
//! rotation is `exp([ω] t) R` (`LOCAL_WORLD_ALIGNED` of Pinocchio). For a path with constant v and ω,
//! d(t) = d + t gᵀξ + ½ t² ξᵀHξ + O(t³) with gradient g and Hessian H.
//!
//! # What they are worth
//!
//! Derivatives exist of converged answers only. [`DerivativeStatus`] tells apart where all of them exist, where those of
//! normal and witness points do not (flat faces that lie on each other, ridges that touch), and where the depth is
//! attained along several directions, so that the gradient is one subgradient of several. The derivatives of bodies that
//! are not convex are those of the stationary pair of surface points, which is a local answer:
//! [`ContactDerivatives::local`].
//!
//! | file | what it holds |
//! | --- | --- |
//! | `contact_derivatives`, `features`, `batch` | the entries of the queries |
//! | `answer` | the derivatives and what they are worth |
//! | `gradient` | the gradient in closed form |
//! | `stationary` | the stationary pair of a contact, polished by Newton's method |
//! | `start` | surface coordinates of a witness point |
//! | `surface_point`, `circle` | derivatives of a surface point along the surface and by the shape |
//! | `side`, `system` | one side of a contact, and the implicit function theorem |
//! | `inputs`, `assembly` | what each input changes, and Jacobians and Hessian from that |
//! | `axes` | vectors in other axes |
//! | `tie` | whether another direction is as deep |
//! | `projection` | the convex shape nearest to what a step along shape derivatives leads to |

mod answer;
mod assembly;
mod axes;
mod batch;
mod circle;
mod contact_derivatives;
mod features;
mod gradient;
mod inputs;
mod projection;
mod side;
mod start;
mod stationary;
mod surface_point;
mod system;
mod tie;

pub use answer::{
    ContactDerivatives, DerivativeStatus, DistanceGradient, INPUTS, POSE_A, POSE_B, SHAPE_A,
    SHAPE_B,
};
pub use batch::{contact_derivatives_batch, distance_gradient_batch};
pub use contact_derivatives::{contact_derivatives, contact_derivatives_into, distance_gradient};
pub use features::{
    half_space_contact_derivatives, polytope_contact_derivatives, vertex_contact_derivatives,
};
pub(crate) use gradient::envelope_gradient;
pub use gradient::pose_gradient;
pub use projection::ConvexDomain;
