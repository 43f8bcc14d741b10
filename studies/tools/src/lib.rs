//! What the tools share: plots, pictures, statistics, parry3d's queries, and the motion of the iCub's hands of
//! Gonçalves et al. 2017.

pub mod hands_motion;
// One file for all reports.
#[path = "../../compare/src/machine.rs"]
pub mod machine;
pub mod parry;
pub mod picture;
pub mod plot;
pub mod statistics;
