//! The extension module `superovoid._superovoid`: the library's queries on NumPy arrays.
//!
//! | file | what it holds |
//! | --- | --- |
//! | `array_input` | arrays of rows as arguments: conversion, strides, broadcasting |
//! | `poses` | arrays of poses as `(…, 7)` or `(…, 4, 4)` |
//! | `shapes`, `placed_shapes` | `Superovoids`: an array of superovoids; bodies at poses |
//! | `codes` | the numbers of outcomes |
//! | `contacts` | `Contacts`: the answers, as arrays that are views of them |
//! | `arrow` | the answers as Arrow streams |
//! | `state` | what pickles and copies hold |
//! | `broadcast` | work on all elements of a broadcast, on threads, without the interpreter's lock |
//! | `bodies` | `ConvexShape`, `Superquadric`, `TriMesh`, `BoxSet`, `HeightField`, `HalfSpace`, `Plane`: bodies that are no superovoids |
//! | `pairs`, `body_contact`, `manifolds` | pairs of superovoids, and of any two bodies; their contact manifolds |
//! | `polytopes`, `points`, `planes`, `rays` | superovoids against segments, triangles, boxes, hulls, points, planes, rays |
//! | `derivatives`, `feature_derivatives` | derivatives of pairs, and of contacts with points, half-spaces, polytopes |
//! | `motion`, `impacts` | motions, times of impact |
//! | `superquadrics` | what a `Superquadric` answers |
//! | `planar`, `published` | the modules `superovoid.planar` and `superovoid.published`, which may change in any release |
//! | `robot`, `collisions`, `clearances`, `edges` | robots, their shapes and their answers |
//! | `xla` | handlers of XLA's foreign function interface: pairs for JAX, without Python |
//! | `fit`, `keep_free`, `simulation` | fits to points, meshes and robots; scenes in motion and their recordings |
//! | `scene`, `robot_scene`, `shared`, `step_counts`, `configurations`, `robot_contacts`, `attached` | bodies and obstacles that come, move and go, and robots among them |
//! | `splines`, `regions`, `plan` | splines, regions of free configurations, and motions of robots among obstacles |

mod array_input;
mod array_output;
mod arrow;
mod attached;
mod bodies;
mod body_contact;
mod broadcast;
mod clearances;
mod codes;
mod collisions;
mod configurations;
mod contacts;
mod derivatives;
mod edges;
mod feature_derivatives;
mod fit;
mod impacts;
mod keep_free;
mod manifolds;
mod motion;
mod options;
mod pairs;
mod placed_shapes;
mod plan;
mod planar;
mod planes;
mod points;
mod polytopes;
mod poses;
mod published;
mod rays;
mod regions;
mod robot;
mod robot_contacts;
mod robot_scene;
mod scene;
mod shapes;
mod shared;
mod simulation;
mod splines;
mod state;
mod step_counts;
mod superquadrics;
mod world_contacts;
mod xla;

/// Exact contact between smooth convex bodies (the compiled part; import `superovoid`).
#[pyo3::pymodule(gil_used = false)]
mod _superovoid {
    #[pymodule_export]
    use crate::attached::AttachedBody;
    #[pymodule_export]
    use crate::bodies::{
        BoxSet, ConvexShape, HalfSpace, HeightField, Plane, Superquadric, TriMesh,
    };
    #[pymodule_export]
    use crate::clearances::Clearances;
    #[pymodule_export]
    use crate::collisions::Collision;
    #[pymodule_export]
    use crate::contacts::Contacts;
    #[pymodule_export]
    use crate::derivatives::{Derivatives, Gradients, contact_derivatives, distance_gradient};
    #[pymodule_export]
    use crate::edges::Edges;
    #[pymodule_export]
    use crate::feature_derivatives::{
        half_space_contact_derivatives, hull_contact_derivatives, vertex_contact_derivatives,
    };
    #[pymodule_export]
    use crate::fit::{Fit, FittedRobot, fit_mesh, fit_points, fit_robot, read_mesh};
    #[pymodule_export]
    use crate::impacts::{
        TimesOfImpact, half_space_time_of_impact, hull_time_of_impact, time_of_impact,
        vertex_time_of_impact,
    };
    #[pymodule_export]
    use crate::manifolds::manifolds;
    #[pymodule_export]
    use crate::motion::Motions;
    #[pymodule_export]
    use crate::pairs::contact;
    #[pymodule_export]
    use crate::plan::plan;
    #[pymodule_export]
    use crate::planar::{PlanarContacts, Superellipse, planar_segment_contact};
    #[pymodule_export]
    use crate::planes::{half_space_contact, plane_contact};
    #[pymodule_export]
    use crate::points::vertex_contact;
    #[pymodule_export]
    use crate::polytopes::{
        box_contact, hull_contact, segment_contact, tree_contacts, triangle_contact,
    };
    #[pymodule_export]
    use crate::published::{
        curvature_aware_vertex_contact, iterative_vertex_contact, radial_vertex_contact,
        scheme_contact, scheme_trace,
    };
    #[pymodule_export]
    use crate::rays::{RayHits, ray_cast};
    #[pymodule_export]
    use crate::regions::FreeRegion;
    #[pymodule_export]
    use crate::robot::Robot;
    #[pymodule_export]
    use crate::robot_contacts::RobotContacts;
    #[pymodule_export]
    use crate::robot_scene::RobotScene;
    #[pymodule_export]
    use crate::scene::{Scene, SceneContacts};
    #[pymodule_export]
    use crate::shapes::{MassProperties, Superovoids};
    #[pymodule_export]
    use crate::simulation::{Recording, World, ready_scenes};
    #[pymodule_export]
    use crate::splines::Spline;
    #[pymodule_export]
    use crate::world_contacts::{ClothContacts, WorldContacts};
    #[pymodule_export]
    use crate::xla::{xla_calls, xla_handlers};
}
