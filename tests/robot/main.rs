//! Robots: the URDF and SRDF readers, kinematics, clearances, scenes and the iCub hands.
//!
//! One program, so that it is linked once.

mod adjacency;
mod edges;
mod gradients;
mod icub_hands;
mod kinematics_and_clearances;
mod regions;
mod scene;
mod solids;
mod splines;
mod unchecked;
mod unread;
mod urdf;
