//! What the tools share: plots, statistics, parry3d's queries, and the motion of the iCub's hands of
//! Gonçalves et al. 2017.

pub mod hands_motion;
pub mod parry;
pub mod plot;
pub mod statistics;
