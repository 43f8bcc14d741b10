//! The C ABI. `include/superovoid.h` is generated from this crate, comments included, so they are written for its
//! reader, the C programmer; the opening of the header (frames, sign, errors, threads) is in `cbindgen.toml`.
//!
//! Every function does the following, in this order, which makes its `unsafe` blocks sound:
//!
//! 1. Its body runs in [`status::guarded`], which turns an error or a panic into a status and a text.
//! 2. Every pointer is checked for NULL and read by value through [`memory`], whatever its alignment;
//!    every struct that is read consists of numbers, of which any bits are valid, and every number that
//!    stands for an enum, a size or a rotation is checked before use.
//! 3. Results are written last, once nothing can fail any more.
//!
//! What cannot be checked is guaranteed by the caller, as the header states: a pointer that is not NULL points to as
//! much memory as its type or its count says, and nothing else writes there at the same time.
//!
//! This is the only crate of the library with `unsafe`.

#![allow(unsafe_code)]
// The paragraph above is the safety section of every function.
#![allow(clippy::missing_safety_doc)]
// The names are those of C.
#![allow(non_camel_case_types)]

// The order is that of the header.

mod memory;

mod status;

mod version;

mod pose;

mod shape;

mod surface;

mod bounds;

mod options;

mod pair;

mod batch;

mod indexed;

mod vertex;

mod published;

mod hull;

mod tree;

mod body;

mod body_contact;

mod body_surface;

mod ray;

mod planar;

mod derivatives;

mod manifold;

mod motion;

mod robot;

mod robot_meshes;

mod clearance;
mod configuration;

mod scene;

mod edge;
mod robot_scene;

mod robot_attached;
mod robot_padding;

mod robot_batch;

mod spline;

mod robot_region;

mod plan;

#[cfg(all(test, target_pointer_width = "64"))]
mod layout;
