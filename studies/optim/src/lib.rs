//! The contact of two superovoids posed as constrained optimisation.
//!
//! Two things are to be had from posing it so. [`conic`] poses the distance of untapered superellipsoids as a
//! convex conic program: at about 0.2 ms a pair much slower than [`superovoid::contact`], but global,
//! without an initial estimate, and sharing no code with it, so that each can check the other.
//! [`constrained`] poses distance and penetration as the nonlinear programs of "Contact detection
//! between convex superquadric surfaces", constraint sets a to h, to see which of them work: the
//! binary `constraint_sets` writes `docs/reports/constraint_sets.md`.
//!
//! Beside these [`pinch`] is an optimisation with contacts as constraints: both iCub hands from open to pinch, with the
//! gradients of the clearances and with differences, by the binary `hands_pinch`.
//!
//! # The solvers, and those not taken
//!
//! | crate | method | here |
//! | --- | --- | --- |
//! | `clarabel` 0.11 | interior point for cones, power cones among them | [`conic`]. Needs its default feature `serde` to compile |
//! | `slsqp` 1.0 | SQP, NLopt's translated to Rust | the SQP of [`constrained`]. Inequalities only, and it returns the best feasible point it met: `constrained/sqp.rs` says how both are met |
//! | `ripopt` 0.8 | primal-dual interior point, after Ipopt | the interior point of [`constrained`]: equations, filter line search, limited-memory BFGS. Licence EPL-2.0, which is why it stays in this unpublished member |
//! | `nlopt` 0.8 | SQP and others | wraps a C library: needs CMake and a C compiler |
//! | `ipopt` 0.6 | interior point | needs Ipopt installed |
//! | `optimization_engine` 0.12 | first-order PANOC in an augmented Lagrangian | neither of the paper's methods, and no second-order information |
//! | `cobyla` 1.0 | linear models without derivatives | the derivatives are at hand |
//!
//! Lengths are metres, frames right-handed, A the first body, normals from A to B, as in the library.

pub mod conic;
pub mod constrained;
mod error;
pub mod pinch;
pub mod random_pairs;
mod scaled;

pub use error::OptimError;
