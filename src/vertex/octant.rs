//! Points inside untapered bodies with e1, e2 ≥ 1: the least depth is the only minimum in the point's octant.
//!
//! The depth of p along a unit n is `h(n) − n·p`. By symmetry its least value δ is that of an n in p's octant.
//! There, with `m_i = n_i²` (Σ m_i = 1), h² is a nested norm of m with exponents q/2 ≥ 1, so convex, and
//! `s = n·p = Σ |p_i| √m_i` is concave, as s², a norm of exponent 1/2, is too. So `G(m) = h² − (δ + s)²` is convex
//! for any δ > 0. Let δ be the depth along n̂, with x the surface point that has the normal n̂. Then G(n̂) = 0,
//!
//! ```text
//! ∂G/∂m_i = h (x_i − p_i)/n_i = h (δ + r_i),    r_i = x_i/n_i − p_i/n_i − δ
//! ```
//!
//! and the constant terms cancel in `Σ ∂G/∂m_i (m_i − n_i²)`. At a foot of the perpendicular r vanishes, and no depth
//! is less than δ. A remainder of r costs at most |r_i| of G/h; or less, since −2δ|p_i|√m_i lies above its tangent by
//! δ |p_i|/n_i (√m_i − n_i)²:
//! ```text
//! h (r_i n_i)²/(k_i − h |r_i|),    k_i = δ p_i/n_i > h |r_i|
//! ```
//!
//! On a plane of symmetry, p_i = 0, n_i may be 0 although nothing else vanishes: `r_i = x_i/n_i − δ` is then the
//! limit. If it is positive, it costs `r_i n_i²`, otherwise |r_i|. A point nearly on the plane counts as one on it,
//! with a depth that is greater or less by |p_i|. This changes δ, and so the k of the other coordinates, of which at
//! least half is left unless the sum S of all this is more than δ/2.
//!
//! S allows depths that are less than δ by `S h(n̂)/(h + δ + s) ≤ S R/r`, where R and r are the outer and inner
//! radius.

use crate::Superovoid;
use crate::lanes::fused::dot;
use crate::lanes::{Lanes, Two};
use crate::surface::primal_dual::{Coordinates, ShapeLanes};

/// Whether the theorem holds for the body.
pub(super) fn has_one_minimum(shape: &Superovoid) -> bool {
    !shape.is_tapered() && shape.e[0] >= 1.0 && shape.e[1] >= 1.0
}

/// The numbers that are the same for all points in a body.
#[derive(Clone, Copy)]
pub(super) struct Octant {
    /// The numbers R and R/r.
    outer_radius: f64,
    radii: f64,
    sphere: bool,
}

/// A surface point: its normal n̂, x_i/n_i, and the depth of p below its tangent plane.
pub(super) struct Below<V> {
    pub normal: [V; 3],
    pub per_normal: [V; 3],
    pub depth: V,
}

impl Octant {
    /// Returns `None` if there may be more than one minimum.
    pub fn new(shape: &Superovoid) -> Option<Octant> {
        has_one_minimum(shape).then(|| Octant {
            outer_radius: shape.outer_radius,
            radii: shape.outer_radius / shape.inner_radius,
            sphere: shape.traits.sphere(),
        })
    }

    /// Returns the coordinates from which Newton's method starts for the points p, given log₂ of their gauges, below
    /// 0, and their radial points.
    ///
    /// In an ellipsoid the nearest surface point is `x_i = p_i a_i²/(a_i² − t)`, with t between 0, for points on the
    /// surface, and the square of the least semi-axis, for the centre. About as much as the gauge lacks to 1 serves
    /// for all bodies. Since no step leads off a plane of symmetry, p is first moved off those that it is near.
    #[inline(always)]
    pub fn start<V: Lanes>(
        &self,
        bodies: &ShapeLanes<Two<V>>,
        p: &[V; 3],
        gauge: V,
        radial: Coordinates<Two<V>>,
    ) -> Coordinates<Two<V>> {
        const SHARE: f64 = 0.9;
        const OFF_PLANE: f64 = 0.7;
        if self.sphere {
            return radial;
        }
        let missing = -(gauge.exp2_approx() - 1.0);
        let [a1, a2, a3] = bodies.semi_axes();
        let least = a1.min(a2).min(a3);
        let t = least * least * (missing * SHARE);
        let off_plane = least * (missing * OFF_PLANE);
        let x = [
            moved(p[0], a1 * a1, t, off_plane),
            moved(p[1], a2 * a2, t, off_plane),
            moved(p[2], a3 * a3, t, off_plane),
        ];
        let (_, start) = bodies.radial_initial_guess(&x);
        start
    }

    /// Returns by how much the least depth can be less than that of a stationary point, `S R/r`; infinity if nothing
    /// is known.
    #[inline(always)]
    pub fn slack<V: Lanes>(&self, p: &[V; 3], at: &Below<V>) -> V {
        let x = self.slack_of(0, p, at);
        let y = self.slack_of(1, p, at);
        let z = self.slack_of(2, p, at);
        let sum = x + y + z;
        let infinity = sum.splat(f64::INFINITY);
        V::select(sum.lt(at.depth * 0.5), sum * self.radii, infinity)
    }

    /// Returns the cost of the coordinate i.
    #[inline(always)]
    fn slack_of<V: Lanes>(&self, i: usize, p: &[V; 3], at: &Below<V>) -> V {
        // The error of a power is relative to 1, not to the power.
        const ROUNDING: f64 = 32.0 * f64::EPSILON;
        let curved = self.outer_radius * self.radii;
        let (n, p_i, per_normal, depth) = (at.normal[i], p[i], at.per_normal[i], at.depth);
        let (zero, infinity) = (n.splat(0.0), n.splat(f64::INFINITY));
        let support = depth + dot(&at.normal, p);

        let ratio = p_i / n;
        let rounding = (per_normal + ratio + curved) * ROUNDING;
        let r = (per_normal - ratio - depth).abs() + rounding;
        let (beside, room) = (r * n, depth * ratio * 0.5 - support * r);
        let curving = V::select(zero.lt(room), support * beside * beside / room, infinity);
        let inside_octant = zero.lt(ratio);
        let cost = V::select(inside_octant, r.min(curving), infinity);

        let rounding = (per_normal + curved) * ROUNDING;
        let r = per_normal - depth;
        // A maximum might lose a NaN.
        let least = V::select(rounding.lt(r), (r + rounding) * n * n, rounding * 3.0 - r);
        let on_plane = least + p_i.abs();
        V::select(cost.lt(on_plane), cost, on_plane)
    }
}

/// The quotients x_i, see [`Octant::start`].
#[inline(always)]
fn moved<V: Lanes>(p: V, squared_axis: V, t: V, off_plane: V) -> V {
    (p.abs().max(off_plane) * squared_axis / (squared_axis - t)).copysign(p)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Vector3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A body by its support function, written independently: semi-axes and the exponents q of section and profile.
    struct Body {
        a: [f64; 3],
        q: [f64; 2],
    }

    impl Body {
        /// Returns h(n) and x_i/n_i.
        fn support(&self, n: &Vector3<f64>) -> (f64, [f64; 3]) {
            let [q1, q2] = self.q;
            let term = |i: usize, q: f64| (self.a[i] * n[i].abs()).powf(q);
            let rho = (term(0, q1) + term(1, q1)).powf(1.0 / q1);
            let h = (rho.powf(q2) + term(2, q2)).powf(1.0 / q2);
            let per_normal = |i: usize, q: f64| self.a[i].powf(q) * n[i].abs().powf(q - 2.0);
            let section = rho.powf(q2 - q1);
            let ratios = [
                section * per_normal(0, q1),
                section * per_normal(1, q1),
                per_normal(2, q2),
            ];
            (h, ratios.map(|x| x * h.powf(1.0 - q2)))
        }

        fn depth(&self, p: &Vector3<f64>, n: &Vector3<f64>) -> f64 {
            self.support(n).0 - n.dot(p)
        }

        /// Returns the least depth in the octant of positive numbers and its normal, by grids that get finer.
        fn least_depth(&self, p: &Vector3<f64>) -> (f64, Vector3<f64>) {
            const HALF: i32 = 12;
            let right = std::f64::consts::FRAC_PI_2;
            let (mut best, mut middle, mut width) = (f64::INFINITY, [right / 2.0; 2], right / 2.0);
            let mut normal = Vector3::zeros();
            while width > 1e-9 {
                let center = middle;
                for (i, j) in (-HALF..=HALF).flat_map(|i| (-HALF..=HALF).map(move |j| (i, j))) {
                    let at = |c: f64, k: i32| {
                        (c + width * f64::from(k) / f64::from(HALF)).clamp(0.0, right)
                    };
                    let [u, v] = [at(center[0], i), at(center[1], j)];
                    let n = Vector3::new(u.cos() * v.cos(), u.sin() * v.cos(), v.sin());
                    let depth = self.depth(p, &n);
                    if depth < best {
                        (best, middle, normal) = (depth, [u, v], n);
                    }
                }
                width *= 0.4;
            }
            (best, normal)
        }
    }

    /// No depth along any direction of the octant is less than the bound, and near the least depth the slack is
    /// small.
    #[test]
    fn no_depth_is_less_than_the_slack_allows() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut near, mut little) = (0, 0);
        for _ in 0..300 {
            let a = [(); 3].map(|()| rng.random_range(0.2..1.0));
            let e = [(); 2].map(|()| f64::max(rng.random_range(0.7..1.95), 1.0));
            let shape = Superovoid::superellipsoid(a, e).expect("valid");
            let octant = Octant::new(&shape).expect("one minimum");
            let body = Body { a, q: shape.q };
            let p = Vector3::from(a.map(|a| {
                let beside: f64 = rng.random_range(-3.0..3.0);
                let share = if beside < 0.0 {
                    0.0
                } else {
                    10.0_f64.powf(-4.0 * beside)
                };
                0.5 * a * share * rng.random_range(0.0..1.0)
            }));
            let (least, best) = body.least_depth(&p);
            if least < 1e-3 {
                continue;
            }
            for k in 0..20 {
                let far = 10.0_f64.powi(-k);
                let moved = best.map(|n| {
                    let kept = f64::from(u8::from(rng.random_bool(0.8)));
                    kept * (n + far * rng.random_range(-1.0..1.0)).abs()
                });
                let Some(n) = moved.try_normalize(0.1) else {
                    continue;
                };
                let depth = body.depth(&p, &n);
                let below = Below {
                    normal: n.into(),
                    per_normal: body.support(&n).1,
                    depth,
                };
                let slack = octant.slack(&p.into(), &below);
                assert!(
                    depth - slack <= least + 1e-12,
                    "{slack:e} {depth} {least} {n:?} {p:?} {shape:?}"
                );
                if k == 10 {
                    near += 1;
                    little += usize::from(slack < 1e-5);
                }
            }
        }
        assert!(near > 150 && 2 * little > near, "{little} of {near}");
    }
}
