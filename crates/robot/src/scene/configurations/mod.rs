//! Many configurations of a robot at once, eight in lanes.
//!
//! A block of eight configurations is worked on in step, a configuration in each lane, so that the vectors are full
//! however the bodies lie:
//!
//! 1. The **kinematics** give the poses of the frames that move; what fixed joints hold to a frame is a *cluster*.
//! 2. The **bounds** of clusters are tested, each against every obstacle (a ball, box, cylinder or half-space, whose
//!    distance from a point is known in closed form) and against other clusters; where these are near, the bounds of
//!    bodies, and the [balls that cover](crate::levels) them ([`block`]). Superovoids have boxes along their own axes in
//!    place of the balls ([`boxes`]).
//! 3. [Balls inside](crate::levels) a body that reach into the other one show a collision.
//! 4. **Directions** that have separated the pair before are tried again ([`directions`]): between neighbours on a path
//!    one of them nearly always does. Two superovoids have directions sought in lanes, by the algorithm of Gilbert (1966)
//!    on the difference of the bodies, which begins with the last one of the pair ([`separation`]).
//! 5. What is left is asked one by one: first the [hulls](crate::levels) of the bodies, whose distance gives a new direction,
//!    then, where hulls overlap and are not the bodies, those of the pieces of meshes, and last the
//!    [contact](superovoid::contact). Of superovoids a point that is in both proves a collision before that.
//!
//! Edges are asked in the same way, with an interval in each lane ([`intervals`]).
//!
//! Each step proves what it says, so that the verdict is that of the last one. Pairs that were in collision come first, as
//! they often are again. Configurations that these leave open form new blocks; where any collision is the answer, the first
//! one ends its block. Directions and the order of pairs stay from call to call ([`memory`]).

mod block;
mod boxes;
mod clearance;
mod closest;
mod cluster;
mod collision;
mod directions;
mod edge_memory;
mod intervals;
mod memory;
mod pairs;
mod query;
mod separation;
mod steps;
mod still;
mod travel;
mod waiting;

pub(super) use intervals::prove_in_lanes;
pub(super) use memory::Memory;
pub use steps::StepCounts;
pub(super) use steps::Steps;
