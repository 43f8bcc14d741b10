//! The p-circle `|u|^p + |v|^p = 1`. The surface of a superovoid consists of two of them, nested.
//!
//! A point of the circle has a dual `u' = sign(u) |u|^(p−1)` on the q-circle, `1/p + 1/q = 1`: the direction of its
//! normal, with `u u' + v v' = 1`. Coordinates are signed, and no power is taken of a negative number.

/// Returns `sign(x) |x|^k`, with 0 for x = 0.
#[inline]
pub(crate) fn signed_power(x: f64, k: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else {
        x.abs().powf(k).copysign(x)
    }
}

/// Returns the length of `(u, v)`: `hypot` is a call, which takes longer than all else in a support function.
#[inline(always)]
pub(crate) fn length(u: f64, v: f64) -> f64 {
    /// Squares that have neither overflowed nor lost digits.
    const SAFE: std::ops::Range<f64> = 1e-280..1e280;
    let square = u * u + v * v;
    if SAFE.contains(&square) {
        square.sqrt()
    } else {
        u.hypot(v)
    }
}

/// Returns `(|u|^p + |v|^p)^(1/p)`, scaled so that nothing overflows.
#[inline]
pub(crate) fn norm(u: f64, v: f64, p: f64) -> f64 {
    let (u, v) = (u.abs(), v.abs());
    if p == 2.0 {
        return length(u, v);
    }
    let (large, small) = if u > v { (u, v) } else { (v, u) };
    if small == 0.0 {
        return large;
    }
    large * (1.0 + (small / large).powf(p)).powf(1.0 / p)
}

/// A point of a p-circle, `(u, v)`, with its dual, `(u', v')`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Circle {
    pub u: f64,
    pub v: f64,
    pub u_dual: f64,
    pub v_dual: f64,
}

impl Circle {
    /// Returns the point of the p-circle in the direction `(u, v)`. For the direction (0, 0), whose point is only
    /// ever multiplied by zero, it is the diagonal one.
    pub fn from_primal(u: f64, v: f64, p: f64) -> Circle {
        Circle::normalised(u, v, p).1
    }

    /// Returns the point whose dual has the direction `(u', v')`, on the circle with conjugate exponent q.
    pub fn from_dual(u_dual: f64, v_dual: f64, q: f64) -> Circle {
        Circle::normalised_dual(u_dual, v_dual, q).1
    }

    /// Returns the q-norm of `(u', v')` and [`Circle::from_dual`] of it.
    pub fn normalised_dual(u_dual: f64, v_dual: f64, q: f64) -> (f64, Circle) {
        let (length, c) = Circle::normalised(u_dual, v_dual, q);
        (
            length,
            Circle {
                u: c.u_dual,
                v: c.v_dual,
                u_dual: c.u,
                v_dual: c.v,
            },
        )
    }

    /// Returns the p-norm of `(u, v)` and [`Circle::from_primal`] of it, with two powers: with `s = (small/large)^p`
    /// the products `u u'` are `1/(1 + s)` and `s/(1 + s)`, so the duals need no power of their own.
    pub fn normalised(u: f64, v: f64, p: f64) -> (f64, Circle) {
        if p == 2.0 {
            let length = length(u, v);
            if length > 0.0 {
                let (u, v) = (u / length, v / length);
                return (
                    length,
                    Circle {
                        u,
                        v,
                        u_dual: u,
                        v_dual: v,
                    },
                );
            }
        }
        let swapped = u.abs() < v.abs();
        let (large, small) = if swapped { (v, u) } else { (u, v) };
        if large == 0.0 {
            let c = (-1.0 / p).exp2();
            return (
                0.0,
                Circle {
                    u: c,
                    v: c,
                    u_dual: 0.5 / c,
                    v_dual: 0.5 / c,
                },
            );
        }
        let ratio = (small / large).abs();
        let s = ratio.powf(p);
        let sum = 1.0 + s;
        let stretch = sum.powf(1.0 / p);
        let length = large.abs() * stretch;
        let large_primal = (1.0 / stretch).copysign(large);
        let large_dual = (stretch / sum).copysign(large);
        let small_primal = (ratio / stretch).copysign(small);
        // Where s is about to underflow its quotient is not; there the dual is computed by a power.
        let small_dual = if s > 1e-280 {
            (s * stretch / (sum * ratio)).copysign(small)
        } else {
            signed_power(small_primal, p - 1.0)
        };
        let c = if swapped {
            Circle {
                u: small_primal,
                v: large_primal,
                u_dual: small_dual,
                v_dual: large_dual,
            }
        } else {
            Circle {
                u: large_primal,
                v: small_primal,
                u_dual: large_dual,
                v_dual: small_dual,
            }
        };
        (length, c)
    }
}
