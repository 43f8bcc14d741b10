//! The nearest surface point, inside: the least depth.
//!
//! Newton's method leads to stationary points, and the least depth among them is the answer. The depth of p along a
//! unit n is `h(n) − n·p`, and for convex bodies the least over all n is the distance to the surface. The first of
//! the following tests that succeeds proves that a stationary point x with normal n̂ and depth δ is the least one:
//! - **e1, e2 ≤ 1, untapered**: a sphere of known radius rolls inside the surface (`radii::rolling_radius`). If δ is
//!   no more than that, the sphere of radius δ about p, which touches at x, is inside.
//! - **e1, e2 ≥ 1, untapered**: there is one minimum in p's octant, see [`octant`](crate::vertex::octant).
//! - **branch and bound** over the directions, as for the depth of pairs.
//!
//! In bodies that are not convex the least depth that Newton's method finds from several starts is the answer,
//! without a proof.

use crate::narrowphase::branch_and_bound::Signs;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::{ascent, branch_and_bound};
use crate::query::answer::Answer;
use crate::query::contact::Outcome;
use crate::query::options::DepthMode;
use crate::surface::circles::Circles;
use crate::surface::primal_dual::SurfaceState;
use crate::vertex::bracket::simple_bracket;
use crate::vertex::multi_start::{MultiStart, Side};
use crate::vertex::newton::Foot;
use crate::vertex::octant::{Below, Octant, has_one_minimum};
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_options::VertexOptions;

/// The gauge above which a point counts as near the surface, where fewer starts find the least depth.
const SHALLOW: f64 = 0.8;

pub(crate) fn answer(
    query: &VertexProblem,
    gauge: f64,
    radial: &Circles,
    options: &VertexOptions,
    iterations: &mut u32,
) -> Answer {
    let mut search = MultiStart::new(query, Side::Inside, options.max_iterations, iterations);
    if let Some(proven) = near_radial(&mut search, radial) {
        return proven;
    }
    if query.shape.is_convex() {
        search.towards_nearest_face();
        by_branch_and_bound(&mut search, radial, options.depth)
    } else {
        search.run(gauge > SHALLOW);
        unproven(query, search.best, radial)
    }
}

/// Returns the least depth found, or that of the radial point.
fn unproven(query: &VertexProblem, best: Option<Foot>, radial: &Circles) -> Answer {
    let (foot, outcome) = match best {
        Some(foot) => (foot, Outcome::Converged),
        None => (
            Foot::at(&query.shape, &query.point, radial),
            Outcome::NotConverged,
        ),
    };
    query.answer(&foot, true, simple_bracket(query, &foot, true), outcome)
}

/// Returns the answer from the radial point, and where that ends on a ridge or a plane of symmetry from points
/// towards the middle of its octant, if it is proven.
fn near_radial(search: &mut MultiStart, radial: &Circles) -> Option<Answer> {
    const TOWARDS_MIDDLE: [f64; 3] = [0.0, 0.2, 0.6];
    let query = search.query;
    let start = SurfaceState::of(&query.shape, radial);
    let starts = if has_one_minimum(&query.shape) {
        &TOWARDS_MIDDLE[..]
    } else {
        &TOWARDS_MIDDLE[..1]
    };
    starts.iter().find_map(|share| {
        let foot = search.start_from(towards_middle(&start, *share))?;
        let slack = least_by_geometry(query, &foot)?;
        let lower = query.lower_bound(&foot);
        let upper = foot.along + foot.offset + slack + query.rounding + query.normal_rounding;
        let closed = upper - lower <= query.tolerance;
        closed.then(|| query.answer(&foot, true, [lower, upper], Outcome::Certified))
    })
}

/// Moves the state by this share to the middle of its octant.
fn towards_middle(state: &SurfaceState, share: f64) -> SurfaceState {
    let moved = |x: f64| (1.0 - share) * x + share.copysign(x);
    SurfaceState {
        g: state.g.map(moved),
        h: state.h.map(moved),
    }
}

/// Returns by how much the least depth can be less than that of a stationary point, if one of the two theorems holds.
fn least_by_geometry(query: &VertexProblem, foot: &Foot) -> Option<f64> {
    let shape = &query.shape;
    if -foot.along <= shape.rolling_radius + query.rounding {
        return Some(0.0);
    }
    let below = Below {
        normal: foot.normal.into(),
        per_normal: foot.x.component_div(&foot.normal).into(),
        depth: -foot.along,
    };
    Octant::new(shape).map(|octant| octant.slack(&query.point.into(), &below))
}

/// Runs the branch and bound over the directions, from the least depth found.
fn by_branch_and_bound(search: &mut MultiStart, radial: &Circles, mode: DepthMode) -> Answer {
    let MultiStart {
        query,
        best,
        iterations,
        ..
    } = search;
    let problem = query.as_pair();
    let found = match best {
        Some(foot) => Penetration {
            normal: foot.normal,
            gap: query.lower_bound(foot) + query.rounding,
            xa: foot.x,
            xb: query.point,
        },
        None => {
            let normal = radial.normal(&query.shape).normalize();
            let known = problem.support_pair(&normal).gap;
            ascent::local_maximum(&problem, &normal, known, iterations)
        }
    };
    let half_space = |i: usize| 1.0_f64.copysign(query.point[i]);
    let z = (!query.shape.is_tapered()).then(|| half_space(2));
    let signs: Signs = [Some(half_space(0)), Some(half_space(1)), z];
    let search = match mode {
        DepthMode::Fast | DepthMode::Any => branch_and_bound::of_point,
        DepthMode::Certified => branch_and_bound::of_point_to_the_end,
    };
    let (best, bound) = search(&problem, found, signs, 0.9 * query.tolerance, iterations);
    let (lower, upper) = (best.gap - query.rounding, bound + query.rounding);
    let distance = (best.xb - best.xa).dot(&best.normal);
    let upper = upper.min(query.rounding).max(distance);
    let bracket = [lower.min(distance), upper];
    let outcome = Outcome::of_bracket(bracket, query.tolerance, Outcome::Converged);
    Answer {
        distance,
        normal: best.normal,
        xa: query.point - best.normal * distance,
        lower: lower.min(distance),
        upper,
        outcome,
        states: None,
    }
}
