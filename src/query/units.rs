//! Units, rounding and tolerances, the same for every query.
//!
//! Every solver works in units of a power of two near the bodies' size, so that nothing is rounded on the way there
//! and nothing overflows.

use crate::Superovoid;
use crate::lanes::Lanes;
use crate::query::pose::{Pose, half_as_far};
use nalgebra::{Isometry3, Vector3};

/// Bodies smaller than this share of their distance from the origin are points to any solver; the
/// unit then follows the distance, so that its square stays finite.
pub(crate) const FAR_LIMIT: f64 = 1e-120;

/// Centres that are nearer to each other than this, in units, are the same: squares of what is less lose digits, or
/// vanish, and with them the direction of the centre line.
pub(crate) const SAME_CENTER: f64 = 1e-140;

/// Returns the largest component of a vector, without its sign: `amax`, which spends four times as much on what is not a
/// number.
#[inline(always)]
pub(crate) fn largest(v: &Vector3<f64>) -> f64 {
    Lanes::max(Lanes::max(v.x.abs(), v.y.abs()), v.z.abs())
}

/// Returns the unit vector from centre to centre; z where they are the same.
pub(crate) fn center_line(center: &Vector3<f64>) -> Vector3<f64> {
    center.try_normalize(SAME_CENTER).unwrap_or_else(Vector3::z)
}

/// The default tolerance, relative to the larger body.
pub const RELATIVE_TOLERANCE: f64 = 1e-9;

/// The value of [`ConvexPair::normal_rounding`] for each unit of the largest exponent.
pub(crate) const NORMAL_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The relative rounding error of a bound, of the inputs and of a few operations on them.
pub(crate) const RELATIVE_ROUNDING: f64 = 8.0 * f64::EPSILON;

/// Returns the rounding error of a bound, in units, for lengths (in units) that add up to `extent`.
#[inline(always)]
pub(crate) fn rounding_error<V: Lanes>(extent: V, unit: V) -> V {
    extent * RELATIVE_ROUNDING + rounding_below_normal(unit)
}

/// Returns the tolerance that the caller asks for, in metres: `tolerance`, or if that is 0 the `relative` share of the
/// `size`.
#[inline(always)]
pub(crate) fn wanted_tolerance<V: Lanes>(tolerance: V, size: V, relative: f64) -> V {
    V::select(
        tolerance.splat(0.0).lt(tolerance),
        tolerance,
        size * relative,
    )
}

/// Returns the rounding error of a pair's bounds and its widest bracket that counts as closed, in units.
///
/// `tolerance` and `size`, the larger body's, are in metres, the other lengths in units. No tolerance is smaller than
/// four rounding errors.
#[inline(always)]
pub(crate) fn accuracy<V: Lanes>(
    tolerance: V,
    size: V,
    [unit, per_unit]: [V; 2],
    center_distance: V,
    [outer_a, outer_b]: [V; 2],
) -> (V, V) {
    let rounding = rounding_error(center_distance + outer_a + outer_b, unit);
    let wanted = wanted_tolerance(tolerance, size, RELATIVE_TOLERANCE);
    (rounding, (wanted * per_unit).max(rounding * 4.0))
}

/// Returns what rounding can change, in units, where metres are below the normal numbers, which are even there: a
/// component of half an offset by a step of theirs, a radius or a bound in metres by another.
#[inline(always)]
pub(crate) fn rounding_below_normal<V: Lanes>(unit: V) -> V {
    const EIGHT_STEPS: f64 = f64::from_bits(8);
    // Far beyond what matters beside the relative rounding.
    let tiny = unit.lt(unit.splat(1e-280));
    V::select(tiny, unit.splat(EIGHT_STEPS) / unit, unit.splat(0.0))
}

/// Returns the number of metres per unit for a pair.
#[inline(always)]
pub(crate) fn unit_of_pair(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
) -> f64 {
    let far = half_as_far(&Pose::from(pose_a), &Pose::from(pose_b));
    unit_of_length(Lanes::max(a.size(), b.size()), far)
}

/// Returns the number of metres per unit for bodies of `size` (metres) whose coordinates reach `far`.
pub(crate) fn unit_of_length(size: f64, far: f64) -> f64 {
    power_of_two_below(reference_length(size, far))
}

/// Returns the length of which a unit is the power of two below.
#[inline(always)]
pub(crate) fn reference_length<V: Lanes>(size: V, far: V) -> V {
    size.max(far * FAR_LIMIT)
}

/// Returns 1 over a unit, without a division.
#[inline(always)]
pub(crate) fn inverse_of_unit(unit: f64) -> f64 {
    // A power of two has nothing but its exponent, biased by 1023.
    f64::from_bits((2046 << 52) - unit.to_bits())
}

/// Returns the power of two in (x/2, x], or the nearest that is a normal number with a normal inverse.
pub(crate) fn power_of_two_below(x: f64) -> f64 {
    let exponent = x.to_bits() >> 52;
    f64::from_bits(exponent.clamp(2, 2045) << 52)
}

/// The distance (relative to the larger body) below which the difference of the witnesses does not serve as a normal.
pub(crate) const NEARLY_TOUCHING: f64 = 1e-7;
/// A shift that is rounding: where the surface is smooth it leaves a point on it to the square of
/// this, at a ridge to itself.
pub(crate) const SHIFTED_BY_ROUNDING: f64 = 3e-11;
/// The distance (relative to the larger body) by which the witnesses may lie beside the line along the normal and still
/// be moved onto it: the surfaces curve away by a square of it.
pub(crate) const ALIGNED: f64 = 1e-9;

/// The bracket at which a certified depth counts as closed, relative to the larger body.
pub(crate) const CERTIFIED_DEPTH: f64 = 1e-6;
