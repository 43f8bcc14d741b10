//! Cloth: a triangle mesh of particles with edges that resist stretch and hinges that resist bending.
//!
//! ```text
//! membrane: every edge a distance constraint of compliance 1/(stiffness in N/m)
//! bending:  every inner edge a hinge of stiffness B l²/(A₁ + A₂), B in N·m, l its length, A the areas beside it
//! mass:     a third of the areas around a vertex, times the density in kg/m²
//! wind:     F = ½ ρ c A |u| u n on every triangle, u = n·(w − v), ρ = 1.2 kg/m³
//! ```
//!
//! | file | what it holds |
//! | --- | --- |
//! | `boxes` | the boxes of the published contact of 2015 |
//! | `crossed` | what crosses where a scene begins, and is refused |
//! | `fabric` | a cloth built from a scene, and its constraints in a substep |
//! | `near` | what is known of a cloth and a body: planes and clearances of vertices |
//! | `press` | a point of a cloth that a body presses: correction and friction |
//! | `vertices` | contact, stage 1: vertices by batch |
//! | `swept` | contact, stage 2: vertices that moved farther than was known to be free |
//! | `faces` | contact, stage 3: triangles and edges by the exact polytope query |
//! | `patches`, `tree` | neighbouring triangles, how they move, and which are near one another |
//! | `pair`, `pairs` | contact of cloths with themselves and with one another |
//! | `crossing` | what crosses in a substep, by directions that separate |
//! | `guard` | what has crossed at the end of a substep is moved apart or stays where it was |
//! | `reshaped` | what is known of a body whose shape changes |
//! | `published` | the methods of the papers, for comparison |
//! | `system` | all cloths of a world |

mod boxes;
mod crossed;
mod crossing;
mod fabric;
mod faces;
mod guard;
mod near;
mod pair;
mod pairs;
mod patches;
mod press;
mod published;
mod reshaped;
mod swept;
pub(crate) mod system;
mod tree;
mod vertices;

pub(crate) use crossed::crossed;
pub(crate) use system::ClothSystem;
