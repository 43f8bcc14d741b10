//! Newton's method for a stationary pair: the loop of evaluations, steps and recoveries (shortened steps, a restart
//! from support points, a moved chart).

use crate::lanes::fused::dot;
use crate::lanes::{Lanes, dispatch_four_lanes, to_array};
use crate::pair::frames::{PairFrame, unit_center_line};
use crate::pair::newton::system::{
    ACCEPTED_GROWTH, APPROXIMATE_EVALUATIONS, APPROXIMATE_MERIT, CONVERGED, Chart, LONGEST_STEP,
    NO_STEP, PairSystem, SECOND_ORDER_RESIDUAL, SHORTENING, SHORTENINGS, assemble, is_second_order,
    is_shorter, newton_step, step_length,
};
use crate::pair::problem::PairProblem;
use crate::pair::stationary::{Found, Stationary, first_lanes, first_of};
use crate::pair::warm_start::PairCache;
use crate::query::options::MAX_ITERATIONS;
use crate::query::units::SAME_CENTER;
use crate::surface::primal_dual::{
    Advanced, Coordinates, ShapeLanes, Step, SurfacePlace, SurfaceState, both,
};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};
use nalgebra::Vector3;

/// The point from which Newton's method starts.
pub(crate) enum PairStart<'a> {
    /// The initial guess about the centre line.
    CenterLine,
    /// The surface points of these coordinates, about a unit vector.
    Direction(Vector3<f64>, [SurfaceState; 2]),
    /// The coordinates to which the last answers lead.
    Cache(&'a PairCache),
}

/// Runs Newton's method from `start` and counts its steps in `iterations`. The result is the best state met: its
/// residual may not have vanished, so only a bracket can tell what it is worth. Returns `None` if there is nothing to
/// start from.
pub(crate) fn solve(
    problem: &PairProblem,
    start: PairStart,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    dispatch_four_lanes!(simd => solve_problem(simd, problem, start, max_iterations, iterations))
}

#[inline(always)]
fn solve_problem<S: Simd>(
    simd: S,
    problem: &PairProblem,
    start: PairStart,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    solve_in_lanes(
        simd,
        &ShapeLanes::of_pair(simd, &problem.a, &problem.b, 1.0),
        &problem.relative(0.0.simd_into(simd)),
        start,
        &|n| problem.support_states(n),
        max_iterations,
        iterations,
    )
}

/// The last step, which is shortened or taken back if the merit grows.
struct Taken<S: Simd> {
    from: SurfacePlace<f64x4<S>>,
    step: Step<f64x2<S>>,
    /// The merit where the step began.
    merit: f64,
}

/// Runs [`solve`] for bodies in lanes, in their common frame. `supports` returns the surface coordinates of the
/// support points in a direction, for a restart if the initial guess fails.
#[inline(always)]
pub(crate) fn solve_in_lanes<S: Simd>(
    simd: S,
    bodies: &ShapeLanes<f64x4<S>>,
    frame: &impl PairFrame<f64x2<S>>,
    start: PairStart,
    supports: &dyn Fn(&Vector3<f64>) -> [SurfaceState; 2],
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    let mut approximate_evaluations = match start {
        PairStart::CenterLine => APPROXIMATE_EVALUATIONS,
        PairStart::Direction(..) | PairStart::Cache(_) => 0,
    };
    let (axis, start) = begin(simd, frame, start)?;
    let mut chart = Chart::about(&axis, frame);
    let mut at = match start {
        Some(at) => at,
        None => bodies.initial_guess(&frame.to_bodies(frame.center())),
    };
    let zero = 0.0.simd_into(simd);
    let mut taken = Taken {
        from: SurfacePlace {
            coordinates: at,
            tangent: at,
        },
        step: Step::new(zero, zero, zero),
        merit: f64::INFINITY,
    };
    let most_steps = max_iterations.min(MAX_ITERATIONS);
    let (mut steps, mut shortenings) = (0, 0);
    // These flags tell whether the support points were tried as a start, whether the chart was moved to this point,
    // and whether this point is the last one, whatever its merit.
    let (mut restarted, mut recentred, mut last) = (false, false, false);
    // What comes next is decided here, and not by a function that returns an enum, with which a cold query takes a tenth
    // more instructions. There is one way back to the start of the loop: from several the compiler would make nested
    // loops, with the usual step in the outer one.
    loop {
        'evaluated: {
            let approximate = approximate_evaluations > 0;
            let system = assemble(bodies, &at, &chart, approximate);
            let merit = to_array(system.merit)[0];
            let astray = merit.is_nan() || merit > ACCEPTED_GROWTH * taken.merit;
            if astray && !last {
                if steps == 0 {
                    return None;
                }
                if shortenings < SHORTENINGS {
                    shortenings += 1;
                    taken.step = taken.step.scaled(zero.splat(SHORTENING));
                    at = bodies.advance(&taken.from, &taken.step).at;
                    break 'evaluated;
                }
                if !merit.is_finite() {
                    at = taken.from.coordinates;
                    last = true;
                    break 'evaluated;
                }
            }
            if merit == f64::INFINITY && steps == 0 && !restarted {
                // The normals of the initial guess point away from the chart's axis; those of the support points
                // along the axis never do.
                at = support_coordinates(simd, &first_lanes(&axis), supports);
                restarted = true;
                break 'evaluated;
            }
            let converged = !approximate && merit <= CONVERGED * CONVERGED;
            let stuck = merit >= taken.merit && <f64x2<S>>::all(is_shorter(&taken.step, NO_STEP));
            if last
                || converged
                || stuck
                || steps == most_steps
                || !(merit.is_finite() || recentred)
            {
                if approximate {
                    // The same point is evaluated once more.
                    at = system.surface.place.coordinates;
                    approximate_evaluations = 0;
                    break 'evaluated;
                }
                return merit
                    .is_finite()
                    .then(|| conclude(&system.found(&chart, frame), &system));
            }
            if !<f64x2<S>>::all(!system.is_off_axis()) && !recentred {
                chart = Chart::about(&system.normal(&chart), frame);
                at = system.surface.place.coordinates;
                taken.merit = f64::INFINITY;
                recentred = true;
                break 'evaluated;
            }
            let mut step = newton_step(&system, &chart);
            if !<f64x2<S>>::all(is_shorter(&step, LONGEST_STEP)) {
                let length = to_array(step_length(&step))[0];
                if !length.is_finite() {
                    at = system.surface.place.coordinates;
                    last = true;
                    break 'evaluated;
                }
                step = step.scaled(zero.splat(LONGEST_STEP / length));
            }
            let place = &system.surface.place;
            let Advanced { at: next, turns } = bodies.advance(place, &step);
            let is_short = || <f64x2<S>>::all(is_second_order(bodies, &system.surface, turns));
            if !approximate && merit < SECOND_ORDER_RESIDUAL * SECOND_ORDER_RESIDUAL && is_short() {
                let concluded = system.concluded(bodies, &chart, turns);
                if to_array(concluded.merit)[0] <= CONVERGED * CONVERGED {
                    return Some(conclude(&concluded.found(&chart, frame), &concluded));
                }
            }
            at = next;
            taken = Taken {
                from: system.surface.place,
                step,
                merit: if approximate {
                    merit.max(APPROXIMATE_MERIT)
                } else {
                    merit
                },
            };
            steps += 1;
            *iterations += 1;
            shortenings = 0;
            recentred = false;
        }
        approximate_evaluations = approximate_evaluations.saturating_sub(1);
    }
}

// If coordinates were assembled from single numbers within the solver's function, its loop would carry all
// coordinates as single numbers.
#[cold]
#[inline(never)]
fn support_coordinates<S: Simd>(
    simd: S,
    n: &Vector3<f64>,
    supports: &dyn Fn(&Vector3<f64>) -> [SurfaceState; 2],
) -> Coordinates<f64x4<S>> {
    Coordinates::of_pair(simd, &supports(n))
}

/// Returns the same vector in both lanes.
#[inline(always)]
fn splat_vector<S: Simd>(simd: S, v: &[f64; 3]) -> [f64x2<S>; 3] {
    both(simd, v, v)
}

/// The chart's axis and the coordinates to start from, which are `None` for the initial guess about the axis.
type Beginning<S> = ([f64x2<S>; 3], Option<Coordinates<f64x4<S>>>);

/// Returns `None` if there is nothing to start from.
#[inline(always)]
fn begin<S: Simd>(
    simd: S,
    frame: &impl PairFrame<f64x2<S>>,
    start: PairStart,
) -> Option<Beginning<S>> {
    match start {
        PairStart::CenterLine if to_array(frame.center_distance())[0] < SAME_CENTER => None,
        PairStart::CenterLine => Some((unit_center_line(frame.center()), None)),
        PairStart::Direction(n, states) => {
            let at = Coordinates::of_pair(simd, &states);
            Some((splat_vector(simd, &n.into()), Some(at)))
        }
        PairStart::Cache(cache) => {
            const UNIT: f64 = 1e-6;
            let n = &cache.normal;
            let filled = (dot(n, n) - 1.0).abs() < UNIT;
            if filled {
                let axis = frame.vector_from_a(&splat_vector(simd, n));
                Some((axis, Some(cache.expected(simd))))
            } else {
                None
            }
        }
    }
}

#[inline(always)]
fn conclude<S: Simd>(found: &Found<f64x2<S>>, system: &PairSystem<f64x4<S>>) -> Stationary {
    Stationary::new(&first_of(found), system.surface.place.coordinates.states())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superovoid;
    use nalgebra::Isometry3;

    /// The first Newton steps use powers without their last digits, but no answer does, wherever the method stops:
    /// the normals of an answer are those of its points. (Equal bodies side by side have the same normal at every
    /// step.)
    #[test]
    fn answers_do_not_come_from_rough_powers() {
        let here = Isometry3::identity();
        let there = Isometry3::translation(2.0, 1.1, 1.6);
        for e in [0.3, 0.7, 1.3, 1.7] {
            let body = Superovoid::superellipsoid([1.0, 0.8, 0.6], [e; 2]).expect("valid");
            let problem = PairProblem::new(&body, &here, &body, &there, 1e-9);
            for limit in [0, 1, 2, 3, 30] {
                let found = solve(&problem, PairStart::CenterLine, limit, &mut 0).expect("a start");
                let right = problem.a.support(&found.normal).point.coords;
                let off = (found.xa - right).norm();
                assert!(off < 1e-6, "e = {e}, {limit} steps: {off:e}");
            }
        }
    }
}
