//! The first steps of a cold start, in single precision.
//!
//! The steps lead from the initial guess to within about 1e-6 of the solution. They are those of Newton's method
//! ([`newton`](crate::pair::newton)) on the same system: in single precision a vector holds twice as many numbers, and
//! powers need half the terms. Nothing is decided here. Where a step does not lead down, or leaves the range of the
//! numbers, the last valid coordinates are handed on, and double precision continues from them with all its
//! precautions.

use crate::lanes::{Lanes, ToSingle, Two};
use crate::pair::batch::soa::PairSoa;
use crate::pair::frames::{FrameOfA, PairFrame, unit_center_line};
use crate::pair::newton::system::{
    ACCEPTED_GROWTH, Chart, LONGEST_STEP, assemble, is_shorter, newton_step, step_length,
};
use crate::surface::primal_dual::Coordinates;

/// The number of steps taken here. Usually the last one ends within rounding of single precision.
const FIRST_STEPS: u32 = 4;

/// The coordinates to which the first steps lead.
pub(crate) struct ApproximateStart<V: Lanes> {
    pub at: Coordinates<Two<Two<V>>>,
    /// The number of steps.
    pub steps: V,
}

/// Takes the first steps from the initial guess along the centre lines, of two groups of pairs at once: one group would
/// leave the processor waiting.
#[inline(always)]
pub(crate) fn approximate_start<V: ToSingle>(
    [first, second]: [&PairSoa<V>; 2],
    most_steps: u32,
) -> [ApproximateStart<V>; 2] {
    let bodies = PairSoa::bodies_to_f32([first, second]);
    let relative = FrameOfA::to_f32([&first.relative, &second.relative]);
    let chart = Chart::about(&unit_center_line(&relative.center), &relative);
    let mut at = bodies.initial_guess(&relative.to_bodies(&relative.center));
    let like = at.g.0;
    let (zero, one, infinity) = (like.splat(0.0), like.splat(1.0), like.splat(f64::INFINITY));
    let mut from = at;
    let (mut merit, mut steps) = (infinity, zero);
    let mut going = zero.lt(one);
    for _ in 0..most_steps.min(FIRST_STEPS) {
        let system = assemble(&bodies, &at, &chart, false);
        going = going & system.merit.lt(merit * ACCEPTED_GROWTH);
        let mut step = newton_step(&system, &chart);
        let short = is_shorter(&step, LONGEST_STEP);
        if !Two::<V::Single>::all(short) {
            let length = step_length(&step);
            going = going & length.lt(infinity);
            step = step.select(short, step.scaled(one * LONGEST_STEP / length));
        }
        let next = bodies.advance(&system.surface.place, &step).at;
        merit = system.merit;
        if Two::<V::Single>::all(going) {
            (from, at) = (system.surface.place.coordinates, next);
            steps = steps + one;
            continue;
        }
        let both = Two(going, going);
        from = system.surface.place.coordinates.select(both, from);
        at = next.select(both, from);
        steps = steps + Lanes::select(going, one, zero);
    }
    // The point to which the last step led has not been evaluated.
    let size = at.g.0.abs() + at.g.1.abs() + (at.h.0.abs() + at.h.1.abs());
    let finite = size.lt(infinity);
    let at = at.select(Two(finite, finite), from);
    let ([at, other_at], [steps, other_steps]) = (Coordinates::to_f64(at), V::to_f64(steps.0));
    [
        ApproximateStart { at, steps },
        ApproximateStart {
            at: other_at,
            steps: other_steps,
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{dispatch, to_array};
    use crate::{Pair, QueryOptions, Superovoid};
    use fearless_simd::{Simd, f64x4};
    use nalgebra::{Isometry3, Vector3};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Returns the merits, in double precision, at the end of the first steps of four pairs, and whether all
    /// coordinates are finite.
    fn start<S: Simd>(simd: S, pairs: &[Pair; 4]) -> ([f64; 4], bool) {
        let soa = PairSoa::<f64x4<S>>::new(simd, pairs, &QueryOptions::default());
        let [ApproximateStart { at, .. }, _] = approximate_start([&soa; 2], FIRST_STEPS);
        let relative = &soa.relative;
        let chart = Chart::about(&unit_center_line(&relative.center), relative);
        let system = assemble(&soa.bodies(), &at, &chart, false);
        let of_every_circle = [at.g.0, at.g.1, at.h.0, at.h.1];
        let finite = of_every_circle
            .iter()
            .flat_map(|both| [to_array(both.0), to_array(both.1)])
            .all(|lanes| lanes.iter().all(|x| x.is_finite()));
        (to_array(system.merit.0), finite)
    }

    /// Returns pairs whose semi-axes lie within that many powers of ten and whose exponents lie within these bounds.
    fn merits(powers: f64, [low, high]: [f64; 2], seed: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut next = || rng.random_range(0.0..1.0);
        let mut all = Vec::new();
        for _ in 0..500 {
            let mut body = || {
                let a = [(); 3].map(|()| 10.0_f64.powf(powers * (next() - 1.0)));
                let e = [(); 2].map(|()| low + (high - low) * next());
                Superovoid::superellipsoid(a, e).expect("valid")
            };
            let bodies: [Superovoid; 8] = std::array::from_fn(|_| body());
            let mut pose = |far: f64| {
                let mut vector = |size: f64| Vector3::from([(); 3].map(|()| size * (next() - 0.5)));
                Isometry3::new(vector(far), vector(6.0))
            };
            let poses: [Isometry3<f64>; 8] = std::array::from_fn(|_| pose(6.0));
            let pairs: [Pair; 4] = std::array::from_fn(|k| Pair {
                a: &bodies[k],
                pose_a: &poses[k],
                b: &bodies[k + 4],
                pose_b: &poses[k + 4],
            });
            let (merits, finite) = dispatch!(simd => start(simd, &pairs));
            assert!(finite, "{bodies:?} {poses:?}");
            all.extend(merits);
        }
        all.sort_unstable_by(f64::total_cmp);
        all
    }

    /// For bodies of ordinary proportions the first steps come so near that Newton's method needs one more step.
    #[test]
    fn first_steps_lead_near_the_solution() {
        let merits = merits(0.6, [0.5, 1.5], 90);
        let share = |limit: f64| merits.partition_point(|m| m.sqrt() < limit) as f64 / 2000.0;
        assert!(share(1e-5) > 0.96, "{}", share(1e-5));
        assert!(share(1e-1) > 0.99, "{}", share(1e-1));
    }

    /// Flat, long, tiny, box-like and pointed bodies, whose numbers leave the range of single precision, keep finite
    /// coordinates.
    #[test]
    fn nothing_but_coordinates_is_handed_on() {
        for powers in [0.6, 2.0, 4.0, 8.0] {
            merits(powers, [0.02, 1.98], 90);
        }
        // The last step may have left the range.
        merits(4.0, [0.02, 1.98], 590);
    }
}
