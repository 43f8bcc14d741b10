//! Many configurations of a robot at once, eight in lanes.
//!
//! A block of eight configurations is worked on in step, a configuration in each lane, so that the vectors are full
//! however the bodies lie:
//!
//! 1. The **kinematics** give the poses of all links.
//! 2. The **bounds** of every pair that is compared are tested, in a loop over a list: spheres, axis-aligned boxes, and
//!    the boxes along the bodies' own axes ([`boxes`]). What a hierarchy would save does not pay for its updates among
//!    the bodies of a robot.
//! 3. **Separating directions** are sought for the pairs that are left, by the algorithm of Gilbert (1966) on the
//!    difference of the bodies ([`separation`]): the shapes are the same in every lane, the poses are not.
//! 4. What no direction separates is asked one by one: a point that is in both bodies proves a collision, and the
//!    [contact](superovoid::contact) decides the rest.
//!
//! Pairs that were in collision come first, as they often are again. Configurations that these leave open form new blocks.

mod block;
mod boxes;
mod clearance;
mod closest;
mod cluster;
mod collision;
mod directions;
mod memory;
mod pairs;
mod query;
mod separation;
mod waiting;

pub(super) use memory::Memory;
