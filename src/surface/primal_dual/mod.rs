//! Primal-dual coordinates of a surface point, in which Newton's method works for every exponent.
//!
//! The surface point of a superovoid is a pair of nested circles (see [`crate::shape::circle`]). Newton's method in
//! surface points fails where an exponent exceeds 1 (ridges), and in normals where it is below 1 (flat faces). So
//! each circle is represented by its *primal-dual* coordinates `(g, h)`: the point (u, v) itself where p ≥ 2 and its
//! dual (u', v') where p < 2. Either way they run on a P-circle with `P = max(p, q) ≥ 2`, a C² curve, along which
//!
//! ```text
//! (dg, dh) = (−h', g'),   dg' = (P − 1) |g|^(P−2) dg,   g' = |g|^(P−2) g
//! ```
//!
//! Everything is written for [`crate::lanes`], and so that no lane's result depends on its neighbours (a branch that
//! skips work which no lane needs leaves the other lanes unchanged). The *wide* lanes W hold the circles: the
//! sections in the lower half, the profiles in the upper. One half has a lane for each body: two for a pair.

mod coordinates;
mod evaluation;
mod initial_guess;
pub(crate) mod second_order;
mod shape_lanes;
mod step;

pub(crate) use coordinates::{Advanced, Coordinates, Step, SurfacePlace, SurfaceState, both};
pub(crate) use evaluation::Surface;
pub(crate) use shape_lanes::{ShapeLanes, ShapeSoa};
