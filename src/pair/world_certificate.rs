//! Pairs in units and a common frame, and the conversion of their certificates to metres and the world: one pair in
//! single numbers, or several, a lane for each.

use crate::lanes::{Lanes, all_finite};
use crate::pair::certificate::{PairBounds, WitnessPair, certify};
use crate::query::options::QueryOptions;
use crate::query::pose::ToWorld;
use crate::query::units;
use crate::query::units::accuracy;

/// The numbers of a pair except those of its surfaces.
pub(super) struct PairData<V: Lanes, F> {
    /// The frame of the solution.
    pub frame: F,
    /// The number of metres per unit, see [`problem::unit_of_pair`], and its inverse.
    pub unit: V,
    pub per_unit: V,
    /// The centre of B in that frame, in units, and its distance from A's centre.
    pub center: [V; 3],
    pub center_distance: V,
    /// The size of the larger body, metres.
    pub size: V,
    /// The radii of the spheres around and inside the bodies, metres.
    pub outer: [V; 2],
    pub inner: [V; 2],
    /// The sum of the radii of spheres that roll inside, metres.
    pub rolling: V,
    /// The largest exponent.
    pub steepest: V,
}

/// Certifies answers: the frames of pairs, and the numbers that the certificate needs, in units.
pub(super) struct WorldCertifier<V: Lanes, F> {
    frame: F,
    unit: V,
    /// The maximum distance in units.
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

/// The certificate of stationary points, in the world.
pub(super) struct WorldAnswers<V: Lanes> {
    /// Whether the bracket is closed.
    pub closed: V::Mask,
    /// Whether the answer is a penetration of overlapping bodies that is not proven to be the least.
    pub overlapping: V::Mask,
    /// The depth of a penetration, in units.
    pub depth: V,
    pub distance: V,
    pub point_a: [V; 3],
    pub point_b: [V; 3],
    pub normal: [V; 3],
    pub lower: V,
    pub upper: V,
}

impl<V: Lanes, F: ToWorld<V>> WorldCertifier<V, F> {
    /// Certifies the points of pairs that are [certifiable](is_certifiable); `on_surface` is true where they lie on
    /// the surfaces.
    #[inline(always)]
    pub fn answers(&self, points: &WitnessPair<V>, on_surface: V::Mask) -> WorldAnswers<V> {
        let (bounds, max_distance) = (&self.bounds, self.max_distance);
        let certificate = certify(bounds, points);
        let found = &certificate.answer;
        let world = self
            .frame
            .witnesses(self.unit, &found.xa, &found.normal, found.distance);
        let (lower, upper) = (found.lower * self.unit, found.upper * self.unit);
        let ([ax, ay, az], [bx, by, bz]) = (world.point_a, world.point_b);
        let numbers = [ax, ay, az, bx, by, bz, world.distance, lower, upper];
        let sound = on_surface
            & !max_distance.lt(certificate.lower)
            & !max_distance.lt(bounds.sphere_lower_bound())
            & !bounds.bodies_are_points()
            & all_finite(&numbers);
        WorldAnswers {
            closed: sound & certificate.closed,
            overlapping: sound & certificate.overlapping,
            depth: -certificate.lower,
            distance: world.distance,
            point_a: world.point_a,
            point_b: world.point_b,
            normal: world.normal,
            lower,
            upper,
        }
    }
}
