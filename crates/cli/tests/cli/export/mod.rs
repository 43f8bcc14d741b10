//! `superovoid sdf`, `superovoid mjcf` and `superovoid visual` by the readers of Gazebo, MuJoCo and ROS.
//!
//! `libsdformat-dev` (with pkg-config and a C++ compiler) is Gazebo's parser, `SUPEROVOID_PYTHON` a Python (or else
//! `python3`) with `mujoco`, `liburdfdom-dev` the reader of ROS. Where one is missing its tests say that they are
//! skipped. `SUPEROVOID_URDF_DIR` names a folder with more robots.

mod masses;
mod mjcf;
mod motion;
mod readers;
mod refused;
mod robots;
mod sdf;
mod visual;
