//! Warm starts that follow the motion.
//!
//! A pair that moves steadily has witnesses that move steadily: with s the surface coordinates of the
//! last answers, `s₂ + (s₂ − s₁)` is nearer to the next than s₂ is, by one more power of the step. A pair
//! that jumps about has not. So the change from one answer to the next is repeated as far as the last one
//! repeated the one before, by least squares:
//!
//! ```text
//! s₃ ≈ s₂ + k (s₂ − s₁),   k = (s₂ − s₁)·(s₁ − s₀) / |s₁ − s₀|²,   0 ≤ k ≤ 1
//! ```

use crate::surface::good::State;
use nalgebra::Vector3;

/// Warm-start data of one pair, owned by the caller; the default (all zero) is empty. It holds the
/// last answer's normal and surface coordinates, and how these changed since the answer before,
/// whichever [`Method`](crate::Method) found it: any method can go on from it. A cache that belongs to
/// another pair, or is out of date, costs time but never changes what is proven.
// The coordinates, which the solver reads in pairs, first: a copy is then made in the same pairs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairCache {
    pub(super) states: [State; 2],
    /// s₂ − s₁.
    change: [State; 2],
    pub(super) normal: [f64; 3],
    /// k.
    repeated: f64,
}

impl PairCache {
    /// Whether it holds an answer to start from.
    pub fn is_empty(&self) -> bool {
        self.normal == [0.0; 3]
    }

    /// Where the surface coordinates are expected next.
    #[inline(always)]
    pub(super) fn expected(&self) -> [State; 2] {
        let mut next = self.states;
        for (state, change) in next.iter_mut().zip(&self.change) {
            for i in 0..2 {
                state.g[i] += self.repeated * change.g[i];
                state.h[i] += self.repeated * change.h[i];
            }
        }
        next
    }

    /// Takes the next answer.
    #[inline(always)]
    pub(super) fn follow(&mut self, normal: Vector3<f64>, states: [State; 2]) {
        let mut change = [State::default(); 2];
        let (mut along, mut before) = (0.0, 0.0);
        if !self.is_empty() {
            for k in 0..2 {
                for i in 0..2 {
                    change[k].g[i] = states[k].g[i] - self.states[k].g[i];
                    change[k].h[i] = states[k].h[i] - self.states[k].h[i];
                    let [g, h] = [self.change[k].g[i], self.change[k].h[i]];
                    along += change[k].g[i] * g + change[k].h[i] * h;
                    before += g * g + h * h;
                }
            }
        }
        let repeated = if along > 0.0 {
            (along / before).min(1.0)
        } else {
            0.0
        };
        *self = PairCache {
            states,
            change,
            normal: normal.into(),
            repeated,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(x: f64) -> [State; 2] {
        let g = [x, 0.5 * x];
        [State { g, h: [1.0 - x, x] }, State { g, h: g }]
    }

    fn after(path: &[f64]) -> PairCache {
        let mut cache = PairCache::default();
        for x in path {
            cache.follow(Vector3::z(), state(*x));
        }
        cache
    }

    /// The x whose state is expected.
    fn expected(path: &[f64]) -> f64 {
        after(path).expected()[0].g[0]
    }

    #[test]
    fn steady_motion_is_followed_and_nothing_else() {
        let near = |path: &[f64], x: f64| {
            let found = expected(path);
            assert!((found - x).abs() < 1e-15, "{path:?}: {found}");
        };
        near(&[0.3], 0.3);
        // Nothing is known of how steady it is.
        near(&[0.3, 0.31], 0.31);
        near(&[0.30, 0.31, 0.32], 0.33);
        // Faster, slower, stopped, back.
        near(&[0.30, 0.31, 0.33], 0.35);
        near(&[0.30, 0.32, 0.33], 0.335);
        near(&[0.30, 0.31, 0.31], 0.31);
        near(&[0.31, 0.31, 0.32], 0.32);
        near(&[0.30, 0.31, 0.30], 0.30);
    }

    #[test]
    fn an_empty_cache_is_all_zero() {
        assert!(PairCache::default().is_empty());
        assert!(!after(&[0.0]).is_empty());
    }
}
