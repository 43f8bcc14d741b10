//! The extension module `superovoid._superovoid`: the library's queries on NumPy arrays.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `array_input` | arrays of rows as arguments: conversion, strides, broadcasting |
//! | `poses` | arrays of poses as `(…, 7)` or `(…, 4, 4)` |
//! | `shapes` | `Shapes`: an array of superovoids |
//! | `contacts` | `Contacts`: the answers, as arrays that are views of them |
//! | `broadcast` | work on all elements of a broadcast, on threads, without the interpreter's lock |
//! | `pairs`, `points`, `planes`, `rays` | the queries |
//! | `derivatives`, `motion`, `robot` | derivatives, times of impact, robots |

mod array_input;
mod array_output;
mod broadcast;
mod contacts;
mod derivatives;
mod motion;
mod options;
mod pairs;
mod planes;
mod points;
mod poses;
mod rays;
mod robot;
mod shapes;

/// Exact contact between smooth convex bodies (the compiled part; import `superovoid`).
#[pyo3::pymodule(gil_used = false)]
mod _superovoid {
    #[pymodule_export]
    use crate::contacts::Contacts;
    #[pymodule_export]
    use crate::derivatives::{Derivatives, Gradients, contact_derivatives, distance_gradient};
    #[pymodule_export]
    use crate::motion::{Impacts, Motions, time_of_impact};
    #[pymodule_export]
    use crate::pairs::contact;
    #[pymodule_export]
    use crate::planes::{half_space_contact, plane_contact};
    #[pymodule_export]
    use crate::points::vertex_contact;
    #[pymodule_export]
    use crate::rays::{RayHits, ray_cast};
    #[pymodule_export]
    use crate::robot::{Clearances, Edges, Robot};
    #[pymodule_export]
    use crate::shapes::{MassProperties, Shapes};
}
