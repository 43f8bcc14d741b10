//! Sine and cosine in lanes.
//!
//! May import: nothing.
//!
//! An angle x is k π/2 + r with a whole number k and |r| ≤ π/4 (Cody and Waite 1980): π/2 is a sum of three numbers, the
//! first two of 33 digits (base 2), whose products with k are exact up to k = 2²⁰. The sine and the cosine of r are the
//! polynomials of Taylor, to the degrees 17 and 18, whose next terms are below 1e-18; k modulo 4 says which of them is the
//! sine of x, and their signs. Larger angles are left to the library function.

use fearless_simd::Simd;
use superovoid::internals::{Lanes, MAX_LANES, SoaLanes};

/// The first 33 digits of π/2, the next 33, and the rest.
const HALF_TURN: [f64; 3] = [
    1.570_796_326_734_125_6,
    6.077_100_506_303_966e-11,
    2.022_266_248_795_950_6e-21,
];
/// The largest angle that is reduced in lanes.
const LARGE: f64 = 1e6;
/// The number whose sum with another one has no digits behind the point.
const WHOLE: f64 = 1.5 * (1_u64 << 52) as f64;

/// Returns the sines and the cosines of some lanes of a column of angles, radians.
#[inline(always)]
pub(crate) fn sin_cos<S: Simd, V: SoaLanes<S>>(
    simd: S,
    angles: &[f64; MAX_LANES],
    first: usize,
) -> (V, V) {
    let x = V::load_from(simd, angles, first);
    if V::all(x.abs().lt(x.splat(LARGE))) {
        return of_lanes(x);
    }
    let (mut sin, mut cos) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    for lane in 0..MAX_LANES {
        (sin[lane], cos[lane]) = libm::sincos(angles[lane]);
    }
    (
        V::load_from(simd, &sin, first),
        V::load_from(simd, &cos, first),
    )
}

#[inline(always)]
fn of_lanes<V: Lanes>(x: V) -> (V, V) {
    let k = whole(x * std::f64::consts::FRAC_2_PI);
    let [a, b, c] = HALF_TURN;
    let r = k.mul_add(k.splat(-a), x);
    let r = k.mul_add(k.splat(-b), r);
    let r = k.mul_add(k.splat(-c), r);
    let square = r * r;
    /// The terms of the series, from the last one: ±1/n!.
    const SIN: [f64; 8] = [
        1.0 / 355_687_428_096_000.0,
        -1.0 / 1_307_674_368_000.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 39_916_800.0,
        1.0 / 362_880.0,
        -1.0 / 5_040.0,
        1.0 / 120.0,
        -1.0 / 6.0,
    ];
    const COS: [f64; 9] = [
        -1.0 / 6_402_373_705_728_000.0,
        1.0 / 20_922_789_888_000.0,
        -1.0 / 87_178_291_200.0,
        1.0 / 479_001_600.0,
        -1.0 / 3_628_800.0,
        1.0 / 40_320.0,
        -1.0 / 720.0,
        1.0 / 24.0,
        -1.0 / 2.0,
    ];
    let mut s = r.splat(SIN[0]);
    for term in &SIN[1..] {
        s = s.mul_add(square, r.splat(*term));
    }
    let s = (s * square).mul_add(r, r);
    let mut c = r.splat(COS[0]);
    for term in &COS[1..] {
        c = c.mul_add(square, r.splat(*term));
    }
    let c = c * square + 1.0;
    // The quarter of the turn, from -2 to 2.
    let quarter = k - whole(k * 0.25) * 4.0;
    let size = quarter.abs();
    let (half, more) = (r.splat(0.5), r.splat(1.5));
    let odd = half.lt(size) & size.lt(more);
    let (sin, cos) = (V::select(odd, c, s), V::select(odd, s, c));
    let sin_down = quarter.lt(-half) | more.lt(quarter);
    let cos_down = half.lt(quarter) | quarter.lt(-more);
    (
        V::select(sin_down, -sin, sin),
        V::select(cos_down, -cos, cos),
    )
}

/// Returns the nearest whole numbers.
#[inline(always)]
fn whole<V: Lanes>(x: V) -> V {
    (x + WHOLE) - WHOLE
}

#[cfg(test)]
mod tests {
    use super::sin_cos;
    use superovoid::internals::{MAX_LANES, Piece, SimdLevel, SoaLanes, dispatch, pieces};

    #[inline(always)]
    fn all<S: SimdLevel>(
        simd: S,
        angles: &[f64; MAX_LANES],
        [sin, cos]: [&mut [f64; MAX_LANES]; 2],
    ) {
        for first in pieces(simd) {
            let (s, c): (Piece<S>, Piece<S>) = sin_cos(simd, angles, first);
            s.store_to(sin, first);
            c.store_to(cos, first);
        }
    }

    #[test]
    fn they_are_those_of_the_library_to_two_units_in_the_last_place() {
        let mut worst = 0.0_f64;
        for k in 0..200_000 {
            let at = |lane: usize| (k * MAX_LANES + lane) as f64;
            let turns = [0.1, 7.0, 1e3, 1e6, 1e9][k % 5];
            let angles: [f64; MAX_LANES] =
                std::array::from_fn(|lane| turns * (at(lane) * 0.618_033_988_749).sin());
            let (mut sin, mut cos) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
            dispatch!(simd => all(simd, &angles, [&mut sin, &mut cos]));
            for lane in 0..MAX_LANES {
                let (s, c) = angles[lane].sin_cos();
                worst = worst.max((sin[lane] - s).abs()).max((cos[lane] - c).abs());
            }
        }
        assert!(worst < 4e-16, "{worst:e}");
    }
}
