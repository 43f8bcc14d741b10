//! Pairs in units and A's frame, and what their stationary points prove back in metres and the world:
//! one pair in plain numbers, or several, a lane for each.

use crate::Superovoid;
use crate::lanes::{Lanes, all_finite};
use crate::pair::QueryOptions;
use crate::pair::place::ToWorld;
use crate::pair::plain::{self, Points};
use crate::pair::problem;

/// What is given of a pair but for its surfaces.
pub(super) struct Given<V: Lanes, F> {
    /// The frame of the solution.
    pub frame: F,
    /// Metres per unit, see [`problem::unit_of_pair`], and the inverse.
    pub unit: V,
    pub per_unit: V,
    /// Centre of B in that frame, units, and its distance from A's.
    pub center: [V; 3],
    pub apart: V,
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

/// Whether the pair is one whose stationary points may prove its distance: see
/// [`crate::pair::chain::Chain`] for what becomes of others.
#[inline(always)]
pub(super) fn is_simple(a: &Superovoid, b: &Superovoid) -> bool {
    let both = a.traits.both(b.traits);
    both.convex() && both.provable() && !both.sphere()
}

/// What the proof needs, in units.
pub(super) struct Placed<V: Lanes, F> {
    frame: F,
    unit: V,
    /// In units.
    max_distance: V,
    pub plain: plain::Bodies<V>,
}

impl<V: Lanes, F: ToWorld<V> + Copy> Placed<V, F> {
    #[inline(always)]
    pub fn new(given: &Given<V, F>, options: &QueryOptions) -> Self {
        let (unit, per_unit) = (given.unit, given.per_unit);
        let outer = in_units(given.outer, per_unit);
        let wanted = unit.all(options.tolerance);
        let (rounding, tolerance) =
            problem::accuracy(wanted, given.size, [unit, per_unit], given.apart, outer);
        let plain = plain::Bodies {
            center: given.center,
            apart: given.apart,
            outer: outer[0] + outer[1],
            rolling: given.rolling * per_unit,
            inner: in_units(given.inner, per_unit),
            normal_rounding: given.steepest * problem::NORMAL_ROUNDING,
            tolerance,
            rounding,
        };
        Placed {
            frame: given.frame,
            unit,
            max_distance: unit.all(options.max_distance) * per_unit,
            plain,
        }
    }
}

#[inline(always)]
fn in_units<V: Lanes>([a, b]: [V; 2], per_unit: V) -> [V; 2] {
    [a * per_unit, b * per_unit]
}

/// What stationary points prove by themselves, in the world.
pub(super) struct Answers<V: Lanes> {
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

impl<V: Lanes, F: ToWorld<V>> Placed<V, F> {
    /// What the points amount to, of pairs that are [simple](is_simple), where `on_surface` is true: they lie
    /// on the surfaces.
    #[inline(always)]
    pub fn answers(&self, points: &Points<V>, on_surface: V::Mask) -> Answers<V> {
        let (plain, max_distance) = (&self.plain, self.max_distance);
        let shown = plain::show(plain, points);
        let found = &shown.answer;
        let world = self
            .frame
            .witnesses(self.unit, &found.xa, &found.normal, found.distance);
        let (lower, upper) = (found.lower * self.unit, found.upper * self.unit);
        let ([ax, ay, az], [bx, by, bz]) = (world.point_a, world.point_b);
        let numbers = [ax, ay, az, bx, by, bz, world.distance, lower, upper];
        let sound = on_surface
            & !max_distance.less(shown.lower)
            & !max_distance.less(plain.crude())
            & !plain.are_points()
            & all_finite(&numbers);
        Answers {
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
