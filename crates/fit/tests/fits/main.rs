//! Fits of superovoids, and the readers of mesh files. One program, so that it is linked once and its tests run side by side.

mod cover;
mod enclosing;
mod fit;
mod mesh;
mod read;
mod recovery;
mod robot;
mod same_shape;
