//! Newton's method: the loop of evaluations and steps.

use crate::lanes::{Lanes, dispatch_four_lanes, dot, to_array};
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
    Advanced, Coordinates, Place, ShapeLanes, Step, SurfaceState, both,
};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};
use nalgebra::Vector3;

/// Where Newton starts.
pub(crate) enum PairStart<'a> {
    /// About the centre line.
    CenterLine,
    /// At the surface points of these coordinates, about a unit vector.
    Direction(Vector3<f64>, [SurfaceState; 2]),
    /// Where the last answers lead to.
    Cache(&'a PairCache),
}

/// Runs Newton from `start`; counts its steps in `iterations`. The result is the best state met:
/// its residual may not have vanished, so only a bracket can tell what it is worth. None if there
/// is nothing to start from.
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

/// The last step, to be taken back if it leads astray.
struct Taken<S: Simd> {
    from: Place<f64x4<S>>,
    step: Step<f64x2<S>>,
    /// Merit where it began.
    merit: f64,
}

/// [`solve`] for bodies in lanes, in the frame that they have in common. `supports` gives the surface coordinates of the
/// support points in a direction, should the guess fail.
#[inline(always)]
pub(crate) fn solve_in_lanes<S: Simd>(
    simd: S,
    bodies: &ShapeLanes<f64x4<S>>,
    placement: &impl PairFrame<f64x2<S>>,
    start: PairStart,
    supports: &dyn Fn(&Vector3<f64>) -> [SurfaceState; 2],
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    let mut approximate_evaluations = match start {
        PairStart::CenterLine => APPROXIMATE_EVALUATIONS,
        PairStart::Direction(..) | PairStart::Cache(_) => 0,
    };
    let (axis, start) = begin(simd, placement, start)?;
    let mut chart = Chart::about(&axis, placement);
    let mut at = match start {
        Some(at) => at,
        None => bodies.initial_guess(&placement.to_bodies(placement.center())),
    };
    let zero = 0.0.simd_into(simd);
    let mut taken = Taken {
        from: Place {
            coordinates: at,
            tangent: at,
        },
        step: Step::new(zero, zero, zero),
        merit: f64::INFINITY,
    };
    let most_steps = max_iterations.min(MAX_ITERATIONS);
    let (mut steps, mut shortenings) = (0, 0);
    // The support points were tried as a start; the chart was moved to this point; this point is the
    // last, whatever it is.
    let (mut restarted, mut recentred, mut last) = (false, false, false);
    // One way back to the loop's start: of several the compiler would make loops within each other, the usual
    // step in the outer one.
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
                // The guess looks away from the chart: the support points along the axis never do.
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
                    // The same point once more.
                    at = system.surface.place.coordinates;
                    approximate_evaluations = 0;
                    break 'evaluated;
                }
                return merit
                    .is_finite()
                    .then(|| conclude(&system.found(&chart, placement), &system));
            }
            if !<f64x2<S>>::all(!system.is_off_axis()) && !recentred {
                chart = Chart::about(&system.normal(&chart), placement);
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
            let slight = || <f64x2<S>>::all(is_second_order(bodies, &system.surface, turns));
            if !approximate && merit < SECOND_ORDER_RESIDUAL * SECOND_ORDER_RESIDUAL && slight() {
                let concluded = system.concluded(bodies, &chart, turns);
                if to_array(concluded.merit)[0] <= CONVERGED * CONVERGED {
                    return Some(conclude(&concluded.found(&chart, placement), &concluded));
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

// Within the solver's function, coordinates that are put together from single numbers would make its loop
// carry all coordinates as such.
#[cold]
#[inline(never)]
fn support_coordinates<S: Simd>(
    simd: S,
    n: &Vector3<f64>,
    supports: &dyn Fn(&Vector3<f64>) -> [SurfaceState; 2],
) -> Coordinates<f64x4<S>> {
    Coordinates::of_pair(simd, &supports(n))
}

/// The same vector in both lanes.
#[inline(always)]
fn splat_vector<S: Simd>(simd: S, v: &[f64; 3]) -> [f64x2<S>; 3] {
    both(simd, v, v)
}

/// The chart's axis and the coordinates to start from; None for those about the axis.
type Beginning<S> = ([f64x2<S>; 3], Option<Coordinates<f64x4<S>>>);

/// Nothing if there is nothing to start from.
#[inline(always)]
fn begin<S: Simd>(
    simd: S,
    placement: &impl PairFrame<f64x2<S>>,
    start: PairStart,
) -> Option<Beginning<S>> {
    match start {
        PairStart::CenterLine if to_array(placement.center_distance())[0] < SAME_CENTER => None,
        PairStart::CenterLine => Some((unit_center_line(placement.center()), None)),
        PairStart::Direction(n, states) => {
            let at = Coordinates::of_pair(simd, &states);
            Some((splat_vector(simd, &n.into()), Some(at)))
        }
        PairStart::Cache(cache) => {
            const UNIT: f64 = 1e-6;
            let n = &cache.normal;
            let filled = (dot(n, n) - 1.0).abs() < UNIT;
            if filled {
                let axis = placement.vector_from_a(&splat_vector(simd, n));
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

    /// Newton's first steps do without the last digits of the powers, but no answer does, wherever it stops: its
    /// points have its normals. Equal bodies side by side have the same normal everywhere on the way.
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
