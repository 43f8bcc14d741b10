//! Vectors of three components in lanes. Where a product is one of several terms it is either fused with a sum, which is
//! quicker and rounds once less, or it is not: then what cancels does so to the last bit.

use crate::lanes::numbers::Lanes;

/// Each product but one is fused with a sum.
pub mod fused {
    use super::Lanes;

    /// Returns the scalar product of two vectors.
    #[inline(always)]
    pub fn dot<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
        a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
    }

    /// Returns a × b.
    #[inline(always)]
    pub fn cross<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
        [
            a[1].mul_sub(b[2], a[2] * b[1]),
            a[2].mul_sub(b[0], a[0] * b[2]),
            a[0].mul_sub(b[1], a[1] * b[0]),
        ]
    }

    /// Returns `k v + w`.
    #[inline(always)]
    pub fn mul_add3<V: Lanes>(k: V, v: &[V; 3], w: &[V; 3]) -> [V; 3] {
        [
            k.mul_add(v[0], w[0]),
            k.mul_add(v[1], w[1]),
            k.mul_add(v[2], w[2]),
        ]
    }
}

/// No operation is fused with another.
pub mod unfused {
    use super::Lanes;

    /// Returns the scalar product of two vectors.
    #[inline(always)]
    pub fn dot<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> V {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// Returns a × b.
    #[inline(always)]
    pub fn cross<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    }
}

/// Returns the vector multiplied by k.
#[inline(always)]
pub fn scaled<V: Lanes>(v: &[V; 3], k: V) -> [V; 3] {
    [v[0] * k, v[1] * k, v[2] * k]
}

/// Returns the components of `yes` where the mask is true, and otherwise those of `no`.
#[inline(always)]
pub fn select3<V: Lanes>(mask: V::Mask, yes: &[V; 3], no: &[V; 3]) -> [V; 3] {
    [
        V::select(mask, yes[0], no[0]),
        V::select(mask, yes[1], no[1]),
        V::select(mask, yes[2], no[2]),
    ]
}
