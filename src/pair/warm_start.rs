//! Warm starts that extrapolate the motion of a pair.
//!
//! A pair that moves steadily has witnesses that move steadily. The backward differences of the surface coordinates s
//! of the last answers,
//!
//! ```text
//! ∇s = s − s',   ∇²s = ∇s − (∇s)',   ∇³s = ∇²s − (∇²s)'        ' : one answer before
//! ```
//!
//! lead to the next one, `s + ∇s + ∇²s + ∇³s`, each of them nearer by one more power of the step. A pair that jumps
//! about has no such continuation. So each difference is weighted by the share that it has in common with its
//! previous value; and where a higher one repeats itself, the lower ones count in full:
//!
//! ```text
//! rᵢ = ∇ⁱs·(∇ⁱs)' / max(|∇ⁱs|², |(∇ⁱs)'|²) ≥ 0        w₃ = r₃,   wᵢ = rᵢ + (1 − rᵢ) wᵢ₊₁
//! next ≈ s + w₁ ∇s + w₂ ∇²s + w₃ ∇³s
//! ```
//!
//! Before its first answer a pair counts as being at rest.

use super::problem::support_states;
use crate::Superovoid;
use crate::lanes::{Halves, Lanes, dispatch_four_lanes, to_array};
use crate::surface::primal_dual::{Coordinates, SurfaceState};
use fearless_simd::{Simd, SimdInto, f64x4};
use nalgebra::Vector3;

/// The surface coordinates g and h of both bodies, in the solver's lanes, or their differences.
type Numbers = [[f64; 4]; 2];

/// Warm-start data of one pair, owned by the caller; the default (all zero) is empty. The cache holds the last
/// answer's normal and surface coordinates, and how these changed from answer to answer, whether the exact query or a
/// [`published`](crate::published) scheme found them: each can continue from the other's. A cache that belongs to
/// another pair, or is out of date, costs time but never changes what is proven.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    at: Numbers,
    /// The differences ∇s, ∇²s, ∇³s.
    differences: [Numbers; 3],
    pub(super) normal: [f64; 3],
    /// The weights w₁, w₂, w₃.
    weights: [f64; 3],
}

impl PairCache {
    /// Whether the cache holds no answer to start from.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.normal == [0.0; 3]
    }

    #[cfg(feature = "unstable")]
    /// Returns the surface coordinates of the last answer.
    pub(crate) fn states(&self) -> [SurfaceState; 2] {
        dispatch_four_lanes!(simd => loaded(simd, &self.at).states())
    }

    /// Extrapolates the surface coordinates to the next query.
    #[inline(always)]
    pub(super) fn expected<S: Simd>(&self, simd: S) -> Coordinates<f64x4<S>> {
        let Coordinates { g, h } = loaded(simd, &self.at);
        let [d1, d2, d3] = loaded_each(simd, &self.differences);
        let [w1, w2, w3] = self.weights;
        Coordinates {
            g: g + (d1.g * w1 + (d2.g * w2 + d3.g * w3)),
            h: h + (d1.h * w1 + (d2.h * w2 + d3.h * w3)),
        }
    }

    /// Stores an answer, from which the next query may start; the normal is a unit vector to rounding.
    // Inlined into the solver's function, this would take registers from the solver.
    #[inline(never)]
    pub(super) fn follow(&mut self, normal: [f64; 3], states: &[SurfaceState; 2]) {
        dispatch_four_lanes!(simd => self.follow_in_lanes(simd, normal, states));
    }

    #[inline(always)]
    fn follow_in_lanes<S: Simd>(&mut self, simd: S, normal: [f64; 3], states: &[SurfaceState; 2]) {
        let at = Coordinates::of_pair(simd, states);
        let normal = unit(normal);
        if self.is_empty() {
            *self = PairCache {
                at: stored(&at),
                normal,
                ..PairCache::default()
            };
            return;
        }
        let [b1, b2, b3] = loaded_each(simd, &self.differences);
        let d1 = minus(&at, &loaded(simd, &self.at));
        let d2 = minus(&d1, &b1);
        let d3 = minus(&d2, &b2);
        let [r1, r2, w3] = [share(&d1, &b1), share(&d2, &b2), share(&d3, &b3)];
        let w2 = r2 + (1.0 - r2) * w3;
        let w1 = r1 + (1.0 - r1) * w2;
        *self = PairCache {
            at: stored(&at),
            differences: [stored(&d1), stored(&d2), stored(&d3)],
            normal,
            weights: [w1, w2, w3],
        };
    }
}

/// Returns a cache from which a query of two convex bodies starts at their support points along a unit vector from A to B,
/// which is given in the frames of both.
pub fn cache_along(bodies: [&Superovoid; 2], [n_in_a, n_in_b]: [&Vector3<f64>; 2]) -> PairCache {
    let states = support_states(bodies, [n_in_a, &-n_in_b]);
    let mut cache = PairCache::default();
    cache.follow((*n_in_a).into(), &states);
    cache
}

/// Normalises a vector of nearly unit length, to the square of its error: the next normal is as long as the axis from
/// which it starts, so that rounding errors would add up from answer to answer.
#[inline(always)]
fn unit([x, y, z]: [f64; 3]) -> [f64; 3] {
    let per_length = 1.5 - 0.5 * (x * x + y * y + z * z);
    [x * per_length, y * per_length, z * per_length]
}

#[inline(always)]
fn loaded_each<S: Simd>(simd: S, [d1, d2, d3]: &[Numbers; 3]) -> [Coordinates<f64x4<S>>; 3] {
    [loaded(simd, d1), loaded(simd, d2), loaded(simd, d3)]
}

#[inline(always)]
fn loaded<S: Simd>(simd: S, [g, h]: &Numbers) -> Coordinates<f64x4<S>> {
    Coordinates {
        g: (*g).simd_into(simd),
        h: (*h).simd_into(simd),
    }
}

#[inline(always)]
fn stored<S: Simd>(x: &Coordinates<f64x4<S>>) -> Numbers {
    [to_array(x.g), to_array(x.h)]
}

#[inline(always)]
fn minus<V: Lanes>(a: &Coordinates<V>, b: &Coordinates<V>) -> Coordinates<V> {
    Coordinates {
        g: a.g - b.g,
        h: a.h - b.h,
    }
}

/// Returns the share, between 0 and 1, that a difference has in common with the one before it; 0 if one of them
/// vanishes.
#[inline(always)]
fn share<S: Simd>(now: &Coordinates<f64x4<S>>, before: &Coordinates<f64x4<S>>) -> f64 {
    let along = product(now, before);
    if along > 0.0 {
        along / product(now, now).max(product(before, before))
    } else {
        0.0
    }
}

#[inline(always)]
fn product<S: Simd>(a: &Coordinates<f64x4<S>>, b: &Coordinates<f64x4<S>>) -> f64 {
    let (low, high) = (a.g * b.g + a.h * b.h).halves();
    let (x, y) = (low + high).halves();
    x + y
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(x: f64) -> [SurfaceState; 2] {
        let g = [x, 0.5 * x];
        [
            SurfaceState { g, h: [1.0 - x, x] },
            SurfaceState { g, h: g },
        ]
    }

    fn after(path: &[f64]) -> PairCache {
        let mut cache = PairCache::default();
        for x in path {
            cache.follow([0.0, 0.0, 1.0], &state(*x));
        }
        cache
    }

    /// Returns the x whose state the cache expects.
    fn expected(path: &[f64]) -> f64 {
        dispatch_four_lanes!(simd => after(path).expected(simd).states()[0].g[0])
    }

    #[test]
    fn steady_motion_is_followed_and_nothing_else() {
        let near = |path: &[f64], x: f64| {
            let found = expected(path);
            assert!((found - x).abs() < 1e-14, "{path:?}: {found}");
        };
        near(&[0.3], 0.3);
        // The steadiness of the motion is not known yet.
        near(&[0.3, 0.31], 0.31);
        near(&[0.30, 0.31, 0.32], 0.33);
        // The motion is faster than before, as from rest; slower; stopped; and back.
        near(&[0.30, 0.31, 0.33], 0.36);
        near(&[0.30, 0.32, 0.33], 0.335);
        near(&[0.30, 0.31, 0.31], 0.31);
        near(&[0.31, 0.31, 0.32], 0.32);
        near(&[0.30, 0.31, 0.30], 0.30);
        // The motion becomes steadily faster, or slower; and by a change that itself grows.
        near(&[0.30, 0.31, 0.33, 0.36], 0.40);
        near(&[0.30, 0.34, 0.37, 0.39], 0.40);
        near(&[0.001, 0.008, 0.027, 0.064, 0.125], 0.216);
        // The motion becomes steadily faster, then stays as fast as before; then goes back.
        near(&[0.30, 0.31, 0.33, 0.36, 0.39], 0.42);
        near(&[0.30, 0.31, 0.33, 0.36, 0.33], 0.33);
    }

    #[test]
    fn an_empty_cache_is_all_zero() {
        assert!(PairCache::default().is_empty());
        assert!(!after(&[0.0]).is_empty());
    }
}
