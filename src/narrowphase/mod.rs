//! Algorithms for convex bodies that are known by their support functions only.
//!
//! May import: `lanes`, `query`, `surface`.
//!
//! A pair of bodies is a [`ConvexPair`](convex_pair::ConvexPair), the problem that a solver is given: support points in a
//! direction, and the radii, gauges and tolerances of the pair, whatever the bodies are. The signed distance of convex bodies A and B is the largest value over all unit
//! vectors n of `g(n) = n·(c_B − c_A) − h_A(n) − h_B(−n)`, where h is the support function.
//!
//! | file | algorithm |
//! | --- | --- |
//! | `convex_pair` | the trait of a pair of convex bodies, support pairs, penetrations |
//! | `simplex` | the point of a simplex of configuration space obstacle (CSO) points nearest to the origin |
//! | `gjk` | Gilbert, Johnson and Keerthi's method: the point of a convex set nearest to another, the distance of two hulls |
//! | `newton` | the distance by Newton's method on the smooth pieces of the surfaces that GJK has found |
//! | `cover` | a branch and bound over the parts of bodies that are not convex |
//! | `cutting_planes` | the distance by cutting planes on the normal, which cannot fail for convex bodies |
//! | `polygon` | convex polygons in a chart of directions, cut by half-planes |
//! | `ascent` | a local maximum of g by cutting planes in the tangent plane of the sphere of directions |
//! | `expansion` | the least penetration depth by an expanding polytope (EPA), with a proof |
//! | `branch_and_bound` | the least penetration depth over all directions, with a proof |
//! | `ray_exit` | the place where a line leaves a body |

pub(crate) mod ascent;
pub(crate) mod branch_and_bound;
pub(crate) mod convex_pair;
pub(crate) mod cover;
pub(crate) mod cutting_planes;
pub(crate) mod expansion;
pub(crate) mod gjk;
pub(crate) mod newton;
pub(crate) mod polygon;
pub(crate) mod ray_exit;
pub(crate) mod simplex;
#[cfg(test)]
pub(crate) mod test_bodies;
