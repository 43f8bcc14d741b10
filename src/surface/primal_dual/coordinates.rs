//! Primal-dual coordinates of a surface point, in single numbers and in lanes, and steps of them.

use crate::Superovoid;
use crate::lanes::{Lanes, ToSingle, Two, to_array};
use crate::shape::circle::Circle;
use crate::surface::circles::Circles;
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};

/// The primal-dual coordinates of a body's two circles, `[section, profile]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub(crate) struct SurfaceState {
    pub g: [f64; 2],
    pub h: [f64; 2],
}

impl SurfaceState {
    /// Returns the coordinates of a given surface point.
    pub fn of(shape: &Superovoid, circles: &Circles) -> SurfaceState {
        let primal_dual = |c: &Circle, p: f64| {
            if is_primal(p) {
                (c.u, c.v)
            } else {
                (c.u_dual, c.v_dual)
            }
        };
        let (g1, h1) = primal_dual(&circles.section, shape.p[0]);
        let (g2, h2) = primal_dual(&circles.profile, shape.p[1]);
        SurfaceState {
            g: [g1, g2],
            h: [h1, h2],
        }
    }

    #[cfg(feature = "unstable")]
    /// Returns the surface point of this state.
    pub fn circles(&self, shape: &Superovoid) -> Circles {
        let circle = |i: usize| {
            if is_primal(shape.p[i]) {
                Circle::from_primal(self.g[i], self.h[i], shape.p[i])
            } else {
                Circle::from_dual(self.g[i], self.h[i], shape.q[i])
            }
        };
        Circles {
            section: circle(0),
            profile: circle(1),
        }
    }
}

/// Whether the primal-dual coordinates are those of the point itself, not of its dual.
fn is_primal(p: f64) -> bool {
    p >= 2.0
}

/// Primal-dual coordinates in lanes. They need not be on their circles: the evaluation normalises them.
#[derive(Clone, Copy)]
pub(crate) struct Coordinates<W> {
    pub g: W,
    pub h: W,
}

impl<V: Lanes> Coordinates<V> {
    /// Returns these coordinates where the mask is true, otherwise the others.
    #[inline(always)]
    pub fn select(self, mask: V::Mask, others: Self) -> Self {
        Coordinates {
            g: V::select(mask, self.g, others.g),
            h: V::select(mask, self.h, others.h),
        }
    }
}

impl<S: Simd> Coordinates<f64x2<S>> {
    /// Returns the coordinates of one body.
    #[inline(always)]
    pub fn of_one(simd: S, state: &SurfaceState) -> Self {
        Coordinates {
            g: state.g.simd_into(simd),
            h: state.h.simd_into(simd),
        }
    }
}

impl<S: Simd> Coordinates<f64x4<S>> {
    /// Returns the coordinates of a pair.
    #[inline(always)]
    pub fn of_pair(simd: S, [a, b]: &[SurfaceState; 2]) -> Self {
        Coordinates {
            g: interleaved(simd, a.g, b.g),
            h: interleaved(simd, a.h, b.h),
        }
    }

    #[inline(always)]
    pub fn states(&self) -> [SurfaceState; 2] {
        let ([ga, gb, gc, gd], [ha, hb, hc, hd]) = (to_array(self.g), to_array(self.h));
        let (g, h) = ([ga, gc], [ha, hc]);
        let b = SurfaceState {
            g: [gb, gd],
            h: [hb, hd],
        };
        [SurfaceState { g, h }, b]
    }
}

/// Returns `[section, profile]` of two bodies in wide lanes.
#[inline(always)]
pub(super) fn interleaved<S: Simd>(simd: S, a: [f64; 2], b: [f64; 2]) -> f64x4<S> {
    [a[0], b[0], a[1], b[1]].simd_into(simd)
}

/// Returns the vectors of two bodies, component by component.
#[inline(always)]
pub(crate) fn both<S: Simd>(simd: S, a: &[f64; 3], b: &[f64; 3]) -> [f64x2<S>; 3] {
    [
        [a[0], b[0]].simd_into(simd),
        [a[1], b[1]].simd_into(simd),
        [a[2], b[2]].simd_into(simd),
    ]
}

impl<V: ToSingle> Coordinates<Two<Two<V>>> {
    #[inline(always)]
    pub fn to_f64(single: Coordinates<Two<Two<V::Single>>>) -> [Self; 2] {
        let ([one_g, other_g], [one_h, other_h]) =
            (V::wide_to_f64(single.g), V::wide_to_f64(single.h));
        [
            Coordinates { g: one_g, h: one_h },
            Coordinates {
                g: other_g,
                h: other_h,
            },
        ]
    }
}

/// Coordinates that are on their circles, and their derivatives along the tangents: the input of a step.
#[derive(Clone, Copy)]
pub(crate) struct SurfacePlace<W> {
    pub coordinates: Coordinates<W>,
    pub tangent: Coordinates<W>,
}

impl<V: Lanes> SurfacePlace<V> {
    /// Returns these where the mask is true, otherwise the others.
    #[inline(always)]
    pub fn select(self, mask: V::Mask, others: Self) -> Self {
        SurfacePlace {
            coordinates: self.coordinates.select(mask, others.coordinates),
            tangent: self.tangent.select(mask, others.tangent),
        }
    }
}

/// Returns |x|, but not 0.
#[inline(always)]
pub(super) fn not_0<V: Lanes>(x: V) -> V {
    const TINY: f64 = 1e-30;
    x.abs().max(x.splat(TINY))
}

/// The coordinates to which a step leads, and the angles by which the circles turn.
pub(crate) struct Advanced<W> {
    pub at: Coordinates<W>,
    pub turns: W,
}

/// A step around and along the two tangents of a surface point; both are divided by the weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step<V> {
    pub around: V,
    pub along: V,
    pub weight: V,
}

impl<V: Lanes> Step<V> {
    #[inline(always)]
    pub fn new(around: V, along: V, weight: V) -> Self {
        Step {
            around,
            along,
            weight,
        }
    }

    /// Returns this step where the mask is true, otherwise the other.
    #[inline(always)]
    pub fn select(self, mask: V::Mask, other: Self) -> Self {
        Step {
            around: V::select(mask, self.around, other.around),
            along: V::select(mask, self.along, other.along),
            weight: V::select(mask, self.weight, other.weight),
        }
    }

    /// Returns the same step, of another length.
    #[inline(always)]
    pub fn scaled(self, k: V) -> Self {
        Step {
            around: self.around * k,
            along: self.along * k,
            ..self
        }
    }
}
