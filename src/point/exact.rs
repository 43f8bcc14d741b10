//! The nearest surface point, outside.
//!
//! Newton's method finds a foot of the perpendicular; its tangent plane and itself bracket the
//! distance. [`plain`] steps come first, which answer nearly every point of a convex body, then guarded
//! ones. What is left open goes on as a pair of the body and a point: cutting planes for convex bodies,
//! slabs for others.

use crate::lanes::{Lanes, lanes_of, on_this_processor};
use crate::pair::chain::{Answer, Chain, beyond};
use crate::pair::{DepthMode, Outcome, QueryOptions};
use crate::point::bracket::simple_bracket;
use crate::point::newton::{self, Foot, Start};
use crate::point::plain::{self, Question};
use crate::point::query::Query;
use crate::point::stationary::{Search, Side};
use crate::point::{VertexOptions, inside};
use crate::surface::good::{Bodies, State};
use fearless_simd::{Simd, SimdBase, f64x2};
use nalgebra::Vector3;

/// Up to this gauge the radial surface point is the better start, from there on one between it and
/// the support point.
const NEAR: f64 = 1.5;

pub(crate) fn answer(query: &Query, options: &VertexOptions, iterations: &mut u32) -> Answer {
    if plain::answers_about(query) {
        let most_steps = options.max_iterations;
        let (answer, steps) = on_this_processor!(simd => by_plain_steps(simd, query, most_steps));
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
            Start::At(State::of(&query.shape, &circles))
        } else {
            Start::Guess
        };
        let foot = newton::solve(
            &query.shape,
            &query.point,
            start,
            options.max_iterations,
            iterations,
        );
        if let Some(answer) = foot.and_then(|foot| judge(query, &foot)) {
            return answer;
        }
    }
    let answer = by_pair(query, options.max_iterations, iterations);
    if query.shape.is_convex() || matches!(answer.outcome, Outcome::Certified | Outcome::Beyond) {
        return answer;
    }
    // Slabs can run out of their number. Then the nearest of many stationary points is the answer.
    let lower = answer.lower;
    let mut search = Search::new(query, Side::Outside, options.max_iterations, iterations);
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

/// The answer of [`plain`], if there is one, and the number of its steps. Two equal lanes: what counts
/// is the length of the chain of operations, and wider ones are no faster.
#[inline(always)]
fn by_plain_steps<S: Simd>(simd: S, query: &Query, most_steps: u32) -> (Option<Answer>, u32) {
    let [x, y, z]: [f64; 3] = query.point.into();
    let x = f64x2::splat(simd, x);
    let question = Question::new(Bodies::of_many(x, &query.shape), query, most_steps);
    let found = question.answer(&[x, x.all(y), x.all(z)]);
    let [distance, _] = lanes_of(found.distance);
    let [lower, _] = lanes_of(found.lower);
    let [upper, _] = lanes_of(found.upper);
    let [steps, _] = lanes_of(found.steps);
    let normal = Vector3::from(found.normal.map(|x| lanes_of(x)[0]));
    let xa = query.point - normal * distance;
    let answer = if upper == f64::INFINITY {
        beyond(normal, xa, lower)
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

/// What a foot proves, if that is enough.
fn judge(query: &Query, foot: &Foot) -> Option<Answer> {
    if !foot.on_surface {
        return None;
    }
    let lower = query.lower_bound(foot);
    let upper = foot.d.norm() + query.rounding;
    if lower > query.max_distance {
        let n = foot.normal;
        return Some(beyond(n, query.point - n * lower, lower));
    }
    let closed = upper - lower <= query.tolerance;
    closed.then(|| query.answer(foot, false, [lower, upper], Outcome::Certified))
}

/// The chain of the pair query, with the point for body B.
fn by_pair(query: &Query, max_iterations: u32, iterations: &mut u32) -> Answer {
    let problem = query.as_pair();
    let options = QueryOptions {
        tolerance: 0.0, // the problem has its own
        max_iterations,
        max_distance: query.max_distance * query.unit,
        depth: DepthMode::Certified,
    };
    let mut chain = Chain::new(&problem, &options);
    let answer = chain.run(None, None);
    *iterations += chain.iterations;
    // The chain shares what lies beside the normal, rounding, between both witnesses; here B's is given.
    Answer {
        xa: query.point - answer.normal * answer.distance,
        ..answer
    }
}
