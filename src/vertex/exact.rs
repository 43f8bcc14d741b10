//! The nearest surface point of a vertex outside the body, by Newton's method for the foot of the perpendicular.
//!
//! The tangent plane of a foot and the foot itself bracket the distance. Unguarded steps ([`newton_lanes`]) come
//! first and answer nearly every point of a convex body, then guarded ones. Queries that stay open continue as a pair
//! of the body and a point: by cutting planes for convex bodies, by slabs for others.

use crate::lanes::{Lanes, dispatch_four_lanes, to_array};
use crate::pair::pipeline::Pipeline;
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use crate::query::options::{DepthMode, QueryOptions};
use crate::surface::primal_dual::{ShapeLanes, SurfaceState};
use crate::vertex::bracket::simple_bracket;
use crate::vertex::multi_start::{MultiStart, Side};
use crate::vertex::newton::{Foot, FootStart};
use crate::vertex::newton_lanes::VertexSolver;
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_options::VertexOptions;
use crate::vertex::{inside, newton, newton_lanes};
use fearless_simd::{Simd, SimdBase, f64x2};
use nalgebra::Vector3;

/// The gauge up to which the radial surface point is the better start; from there on it is one between that and the
/// support point.
const NEAR: f64 = 1.5;

pub(crate) fn answer(
    query: &VertexProblem,
    options: &VertexOptions,
    iterations: &mut u32,
) -> Answer {
    if newton_lanes::answers_about(query) {
        let most_steps = options.max_iterations;
        let (answer, steps) =
            dispatch_four_lanes!(simd => by_unguarded_steps(simd, query, most_steps));
        *iterations += steps;
        if let Some(answer) = answer {
            return answer;
        }
    }
    let (gauge, circles) = query.shape.gauge_and_circles(&query.point);
    if gauge <= 1.0 {
        return inside::answer(query, gauge, &circles, options, iterations);
    }
    for near in [gauge < NEAR, gauge >= NEAR] {
        let start = if near {
            FootStart::At(SurfaceState::of(&query.shape, &circles))
        } else {
            FootStart::Guess
        };
        let foot = newton::solve(
            &query.shape,
            &query.point,
            start,
            options.max_iterations,
            iterations,
        );
        if let Some(answer) = foot.and_then(|foot| certified_answer(query, &foot)) {
            return answer;
        }
    }
    let answer = by_pair(query, options.max_iterations, iterations);
    if query.shape.is_convex() || matches!(answer.outcome, Outcome::Certified | Outcome::Beyond) {
        return answer;
    }
    // The number of slabs is limited. If it does not suffice, the nearest of many stationary points is the answer.
    let lower = answer.lower;
    let mut search = MultiStart::new(query, Side::Outside, options.max_iterations, iterations);
    search.run(true);
    let (foot, outcome) = match search.best {
        Some(foot) => (foot, Outcome::Converged),
        None => (
            Foot::at(&query.shape, &query.point, &circles),
            Outcome::NotConverged,
        ),
    };
    let [least, most] = simple_bracket(query, &foot, false);
    query.answer(&foot, false, [lower.max(least), most], outcome)
}

/// Returns the answer of unguarded steps, if there is one, and the number of its steps. The two lanes are equal: the
/// time is that of the dependency chain, and wider lanes are no faster.
#[inline(always)]
fn by_unguarded_steps<S: Simd>(
    simd: S,
    query: &VertexProblem,
    most_steps: u32,
) -> (Option<Answer>, u32) {
    let [x, y, z]: [f64; 3] = query.point.into();
    let x = <f64x2<S> as SimdBase<S>>::splat(simd, x);
    let question = VertexSolver::new(ShapeLanes::of_many(x, &query.shape), query, most_steps);
    let found = question.answer(&[x, x.splat(y), x.splat(z)]);
    let [distance, _] = to_array(found.distance);
    let [lower, _] = to_array(found.lower);
    let [upper, _] = to_array(found.upper);
    let [steps, _] = to_array(found.steps);
    let normal = Vector3::from(found.normal.map(|x| to_array(x)[0]));
    let xa = query.point - normal * distance;
    let answer = if upper == f64::INFINITY {
        beyond_answer(normal, xa, lower)
    } else {
        Answer {
            distance,
            normal,
            xa,
            lower,
            upper,
            outcome: Outcome::Certified,
            states: None,
        }
    };
    let proven = lower < f64::INFINITY;
    (proven.then_some(answer), steps as u32)
}

/// Returns the answer that a foot proves, if its bracket is closed or it is beyond the maximum distance.
fn certified_answer(query: &VertexProblem, foot: &Foot) -> Option<Answer> {
    if !foot.on_surface {
        return None;
    }
    let lower = query.lower_bound(foot);
    let upper = foot.d.norm() + query.rounding;
    if lower > query.max_distance {
        let n = foot.normal;
        return Some(beyond_answer(n, query.point - n * lower, lower));
    }
    let closed = upper - lower <= query.tolerance;
    closed.then(|| query.answer(foot, false, [lower, upper], Outcome::Certified))
}

/// The pipeline of the pair query, with the point for body B.
fn by_pair(query: &VertexProblem, max_iterations: u32, iterations: &mut u32) -> Answer {
    let problem = query.as_pair();
    let options = QueryOptions {
        tolerance: 0.0, // the problem has its own
        max_iterations,
        max_distance: query.max_distance * query.unit,
        depth: DepthMode::Certified,
    };
    let mut chain = Pipeline::new(&problem, &options);
    let answer = chain.run(None, None);
    *iterations += chain.iterations;
    // The pipeline splits the rounding beside the normal between both witnesses; here the witness of B is given.
    Answer {
        xa: query.point - answer.normal * answer.distance,
        ..answer
    }
}
