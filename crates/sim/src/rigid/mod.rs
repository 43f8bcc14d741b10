//! Rigid bodies: their state, their pairs, contact, joints and islands.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `body` | mass, pose, displacement of a substep, impulses |
//! | `system` | all bodies, and a substep in stages |
//! | `pair` | when a pair is asked for, and its points |
//! | `manifold`, `mesh` | the points of two superovoids, and of a superovoid and a mesh |
//! | `published`, `vertices` | the points of the thesis' method, for comparison |
//! | `solve` | contact with friction and restitution |
//! | `surface` | what two surfaces make together |
//! | `told` | what is told of the contacts of a pair in a frame |
//! | `joints`, `gimbal` | attachment, hinge, ball, three angles; limits and drives |
//! | `block` | the point and the turn of a joint by one impulse |
//! | `islands` | what sleeps and wakes together |

mod block;
pub(crate) mod body;
mod gimbal;
mod islands;
mod joints;
mod manifold;
mod mesh;
mod pair;
mod published;
mod solve;
pub(crate) mod surface_material;
pub(crate) mod system;
mod told;
mod vertices;

pub(crate) use body::{ContactShape, RigidBody};
pub(crate) use system::RigidSystem;
