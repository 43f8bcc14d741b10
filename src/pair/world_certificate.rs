//! Pairs in units and A's frame, and what their stationary points prove back in metres and the world:
//! one pair in plain numbers, or several, a lane for each.

use crate::lanes::{Lanes, all_finite};
use crate::pair::certificate::{PairBounds, WitnessPair, certify};
use crate::query::options::QueryOptions;
use crate::query::pose::ToWorld;
use crate::query::units;
use crate::query::units::accuracy;

/// What is given of a pair but for its surfaces.
pub(super) struct PairData<V: Lanes, F> {
    /// The frame of the solution.
    pub frame: F,
    /// Metres per unit, see [`problem::unit_of_pair`], and the inverse.
    pub unit: V,
    pub per_unit: V,
    /// Centre of B in that frame, units, and its distance from A's.
    pub center: [V; 3],
    pub center_distance: V,
    /// The larger body's, metres.
    pub size: V,
    /// Radii of the balls around and inside the bodies, metres.
    pub outer: [V; 2],
    pub inner: [V; 2],
    /// Sum of the radii of balls that roll inside, metres.
    pub rolling: V,
    /// The largest exponent.
    pub steepest: V,
}

/// What the proof needs, in units.
pub(super) struct WorldCertifier<V: Lanes, F> {
    frame: F,
    unit: V,
    /// In units.
    max_distance: V,
    pub bounds: PairBounds<V>,
}

impl<V: Lanes, F: ToWorld<V> + Copy> WorldCertifier<V, F> {
    #[inline(always)]
    pub fn new(given: &PairData<V, F>, options: &QueryOptions) -> Self {
        let (unit, per_unit) = (given.unit, given.per_unit);
        let outer = in_units(given.outer, per_unit);
        let wanted = unit.splat(options.tolerance);
        let (rounding, tolerance) = accuracy(
            wanted,
            given.size,
            [unit, per_unit],
            given.center_distance,
            outer,
        );
        let bounds = PairBounds {
            center: given.center,
            center_distance: given.center_distance,
            outer: outer[0] + outer[1],
            rolling: given.rolling * per_unit,
            inner: in_units(given.inner, per_unit),
            normal_rounding: given.steepest * units::NORMAL_ROUNDING,
            tolerance,
            rounding,
        };
        WorldCertifier {
            frame: given.frame,
            unit,
            max_distance: unit.splat(options.max_distance) * per_unit,
            bounds,
        }
    }
}

#[inline(always)]
fn in_units<V: Lanes>([a, b]: [V; 2], per_unit: V) -> [V; 2] {
    [a * per_unit, b * per_unit]
}

/// What stationary points prove by themselves, in the world.
pub(super) struct WorldAnswers<V: Lanes> {
    /// The bracket is closed.
    pub closed: V::Mask,
    /// A penetration, of this depth in units.
    pub overlapping: V::Mask,
    pub depth: V,
    pub distance: V,
    pub point_a: [V; 3],
    pub point_b: [V; 3],
    pub normal: [V; 3],
    pub lower: V,
    pub upper: V,
}

impl<V: Lanes, F: ToWorld<V>> WorldCertifier<V, F> {
    /// What the points amount to, of pairs that are [simple](is_certifiable), where `on_surface` is true: they lie
    /// on the surfaces.
    #[inline(always)]
    pub fn answers(&self, points: &WitnessPair<V>, on_surface: V::Mask) -> WorldAnswers<V> {
        let (bounds, max_distance) = (&self.bounds, self.max_distance);
        let shown = certify(bounds, points);
        let found = &shown.answer;
        let world = self
            .frame
            .witnesses(self.unit, &found.xa, &found.normal, found.distance);
        let (lower, upper) = (found.lower * self.unit, found.upper * self.unit);
        let ([ax, ay, az], [bx, by, bz]) = (world.point_a, world.point_b);
        let numbers = [ax, ay, az, bx, by, bz, world.distance, lower, upper];
        let sound = on_surface
            & !max_distance.lt(shown.lower)
            & !max_distance.lt(bounds.sphere_lower_bound())
            & !bounds.bodies_are_points()
            & all_finite(&numbers);
        WorldAnswers {
            closed: sound & shown.closed,
            overlapping: sound & shown.overlapping,
            depth: -shown.lower,
            distance: world.distance,
            point_a: world.point_a,
            point_b: world.point_b,
            normal: world.normal,
            lower,
            upper,
        }
    }
}
