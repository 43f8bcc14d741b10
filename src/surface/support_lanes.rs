//! Support functions in lanes, for both bodies of a pair together.
//!
//! The mathematics is that of [`crate::surface::support`] (convex bodies only), written for speed: the stages after
//! Newton's method need hundreds of directions. The profile's dual point is not represented by its angle ψ but by `w
//! = tan(ψ/2)` in [−1, 1], along
//!
//! ```text
//! (c, s) = (1 − w², 2w),      r(w) = s W − c (a3 n3 + ρ W_ζ) = 0
//! ```
//!
//! (of any length), so that there is no trigonometry.

use crate::Superovoid;
use crate::lanes::{Lanes, Two};
use crate::lanes::{MAX_LANES, SoaLanes};
use crate::surface::primal_dual::both;
use fearless_simd::{Simd, SimdInto, f64x2};

/// The numbers of the bodies that the support functions need.
pub struct Supports<V> {
    a: [V; 3],
    t: [V; 2],
    q: [Conjugate<V>; 2],
    tapered: bool,
    /// Whether no body has two different tapers.
    equal_tapers: bool,
    /// The last step of w before it is taken for the maximum: the error after the next step is its square.
    close: f64,
}

/// The limit of [`Supports::close`] for support points that are exact to rounding.
const EXACT: f64 = 1e-10;
/// The limit for support points that need not be exact.
const NEARLY: f64 = 1e-3;

/// The value and the point, in the bodies' coordinates.
pub struct SupportPoint<V> {
    pub value: V,
    pub x: [V; 3],
}

/// A point (u, v) of the p-circle and its dual. `length` is the q-norm of a given (u', v') ≥ 0, and (u, v) its
/// gradient.
#[derive(Clone, Copy)]
pub(super) struct Norm<V> {
    pub length: V,
    pub u: V,
    pub v: V,
    pub u_dual: V,
    pub v_dual: V,
}

/// A conjugate exponent q and 1/q.
#[derive(Clone, Copy)]
pub(super) struct Conjugate<V> {
    pub q: V,
    inverse: V,
}

impl<V: Lanes> Conjugate<V> {
    #[inline(always)]
    pub fn new(q: V) -> Self {
        let inverse = q.recip();
        Conjugate { q, inverse }
    }
}

/// Normalises with `s = (small/large)^q` in two powers, as [`crate::shape::circle::Circle::normalised`] does.
#[inline(always)]
pub(super) fn norm_point<V: Lanes>(u_dual: V, v_dual: V, conjugate: Conjugate<V>) -> Norm<V> {
    let q = conjugate.q;
    let swapped = u_dual.lt(v_dual);
    let large = u_dual.max(v_dual).max(q.splat(V::TINY));
    let ratio = u_dual.min(v_dual) / large;
    let power = ratio.abs_pow(q - 1.0);
    let sum = ratio.mul_add(power, q.splat(1.0));
    let stretch = (sum.log2() * conjugate.inverse).exp2();
    // The quotients 1/stretch and stretch/sum come from one division.
    let inverse = (stretch * sum).recip();
    let large_dual = sum * inverse;
    let small_dual = ratio * large_dual;
    let large_primal = stretch * stretch * inverse;
    let small_primal = power * large_primal;
    Norm {
        length: large * stretch,
        u: V::select(swapped, small_primal, large_primal),
        v: V::select(swapped, large_primal, small_primal),
        u_dual: V::select(swapped, small_dual, large_dual),
        v_dual: V::select(swapped, large_dual, small_dual),
    }
}

impl<S: Simd> Supports<f64x2<S>> {
    /// Makes the numbers of a pair: A's in one lane, B's in the other.
    #[inline(always)]
    pub fn of_pair(simd: S, a: &Superovoid, b: &Superovoid) -> Self {
        Supports {
            a: both(simd, &a.a, &b.a),
            t: [
                [a.t[0], b.t[0]].simd_into(simd),
                [a.t[1], b.t[1]].simd_into(simd),
            ],
            q: [
                Conjugate {
                    q: [a.q[0], b.q[0]].simd_into(simd),
                    inverse: [inverse(a.e[0]), inverse(b.e[0])].simd_into(simd),
                },
                Conjugate {
                    q: [a.q[1], b.q[1]].simd_into(simd),
                    inverse: [inverse(a.e[1]), inverse(b.e[1])].simd_into(simd),
                },
            ],
            tapered: a.traits.either(b.traits).tapered(),
            equal_tapers: a.t[0] == a.t[1] && b.t[0] == b.t[1],
            close: EXACT,
        }
    }
}

impl<V: Lanes> Supports<Two<V>> {
    /// Makes the numbers of the same pair in every lane: A's in one vector, B's in the other. `like` only tells the
    /// kind of lanes.
    #[inline(always)]
    pub fn of_soa(like: V, a: &Superovoid, b: &Superovoid) -> Self {
        Supports {
            a: [
                splat_two(like, a.a[0], b.a[0]),
                splat_two(like, a.a[1], b.a[1]),
                splat_two(like, a.a[2], b.a[2]),
            ],
            t: [
                splat_two(like, a.t[0], b.t[0]),
                splat_two(like, a.t[1], b.t[1]),
            ],
            q: [
                Conjugate {
                    q: splat_two(like, a.q[0], b.q[0]),
                    inverse: splat_two(like, inverse(a.e[0]), inverse(b.e[0])),
                },
                Conjugate {
                    q: splat_two(like, a.q[1], b.q[1]),
                    inverse: splat_two(like, inverse(a.e[1]), inverse(b.e[1])),
                },
            ],
            tapered: a.traits.either(b.traits).tapered(),
            equal_tapers: a.t[0] == a.t[1] && b.t[0] == b.t[1],
            close: NEARLY,
        }
    }
}

impl<V: Lanes> Supports<Two<V>> {
    /// Makes the numbers of a pair in each lane, from the given one on: A's in one vector, B's in the other.
    #[inline(always)]
    pub fn of_lanes<S: Simd>(simd: S, pairs: &[[&Superovoid; 2]; MAX_LANES], first: usize) -> Self
    where
        V: SoaLanes<S>,
    {
        let [a0, a1, a2, a_tx, a_ty, a_q0, a_q1, _] = numbers(simd, pairs, 0, first);
        let [b0, b1, b2, b_tx, b_ty, b_q0, b_q1, _] = numbers(simd, pairs, 1, first);
        let mut tapered = false;
        let mut equal_tapers = true;
        for [a, b] in pairs {
            tapered |= a.traits.either(b.traits).tapered();
            equal_tapers &= a.t[0] == a.t[1] && b.t[0] == b.t[1];
        }
        Supports {
            a: [Two(a0, b0), Two(a1, b1), Two(a2, b2)],
            t: [Two(a_tx, b_tx), Two(a_ty, b_ty)],
            q: [
                Conjugate::new(Two(a_q0, b_q0)),
                Conjugate::new(Two(a_q1, b_q1)),
            ],
            tapered,
            equal_tapers,
            close: NEARLY,
        }
    }
}

/// Returns the numbers of the bodies A (0) or B (1) of pairs: a1, a2, a3, tx, ty, q1, q2.
#[inline(always)]
fn numbers<S: Simd, V: SoaLanes<S>>(
    simd: S,
    pairs: &[[&Superovoid; 2]; MAX_LANES],
    which: usize,
    first: usize,
) -> [V; 8] {
    let mut rows = [[0.0; 8]; MAX_LANES];
    for k in 0..V::WIDTH {
        let body = pairs[first + k][which];
        let ([a, b, c], [tx, ty], [q, r]) = (body.a, body.t, body.q);
        rows[k] = [a, b, c, tx, ty, q, r, 0.0];
    }
    V::load_transposed(simd, &rows)
}

/// Returns 1/q for the exponent e: q = 2/(2 − e).
#[inline(always)]
fn inverse(e: f64) -> f64 {
    1.0 - 0.5 * e
}

#[inline(always)]
fn splat_two<V: Lanes>(like: V, a: f64, b: f64) -> Two<V> {
    Two(like.splat(a), like.splat(b))
}

/// The section's support W with its first two derivatives by ζ.
struct SectionWidth<V> {
    w: V,
    w1: V,
    w2: V,
}

/// The circles of support points, with their duals; the profile's height has its sign.
struct NestedSupport<V> {
    section: Norm<V>,
    profile: Norm<V>,
    zeta: V,
    /// The product a3 n3.
    lift: V,
}

impl<V: Lanes> Supports<V> {
    /// Makes the numbers of the same body in every lane. `like` only tells the kind of lanes.
    #[inline(always)]
    pub fn of_body(like: V, body: &Superovoid) -> Self {
        let conjugate = |k: usize| Conjugate {
            q: like.splat(body.q[k]),
            inverse: like.splat(inverse(body.e[k])),
        };
        Supports {
            a: body.a.map(|a| like.splat(a)),
            t: body.t.map(|t| like.splat(t)),
            q: [conjugate(0), conjugate(1)],
            tapered: body.traits.tapered(),
            equal_tapers: body.t[0] == body.t[1],
            close: NEARLY,
        }
    }

    /// Returns the support in the directions n, of any length.
    #[inline(always)]
    pub fn support(&self, n: &[V; 3]) -> SupportPoint<V> {
        let NestedSupport {
            section,
            profile,
            zeta,
            lift,
        } = self.nested(n);
        let width = [self.a[0] * profile.u, self.a[1] * profile.u];
        let (value, width) = if self.tapered {
            let [tau_x, tau_y] = self.taper(zeta);
            let value = profile.u.mul_add(section.length, lift * zeta);
            (value, [width[0] * tau_x, width[1] * tau_y])
        } else {
            (profile.length, width)
        };
        SupportPoint {
            value,
            x: [
                (width[0] * section.u).copysign(n[0]),
                (width[1] * section.v).copysign(n[1]),
                self.a[2] * zeta,
            ],
        }
    }

    /// Returns the [primal-dual coordinates](crate::surface::primal_dual) of the support points: `[g, h]` of the
    /// sections and of the profiles.
    #[inline(always)]
    pub fn coordinates(&self, n: &[V; 3]) -> [[V; 2]; 2] {
        let NestedSupport {
            section,
            profile,
            zeta,
            ..
        } = self.nested(n);
        let two = zeta.splat(2.0);
        let (dual_section, dual_profile) = (two.lt(self.q[0].q), two.lt(self.q[1].q));
        let g = V::select(dual_section, section.u_dual, section.u);
        let h = V::select(dual_section, section.v_dual, section.v);
        let radius = V::select(dual_profile, profile.u_dual, profile.u);
        let height = V::select(dual_profile, profile.v_dual, profile.v);
        [
            [g.copysign(n[0]), h.copysign(n[1])],
            [radius, height.copysign(zeta)],
        ]
    }

    #[inline(always)]
    fn nested(&self, n: &[V; 3]) -> NestedSupport<V> {
        let b = [self.a[0] * n[0].abs(), self.a[1] * n[1].abs()];
        let lift = self.a[2] * n[2];
        let round = norm_point(b[0], b[1], self.q[0]);
        if !self.tapered {
            let (profile, zeta) = profile_towards(round.length, lift, self.q[1]);
            return NestedSupport {
                section: round,
                profile,
                zeta,
                lift,
            };
        }
        let (profile, zeta) = self.highest(&b, lift, &round);
        let [tau_x, tau_y] = self.taper(zeta);
        let section = if self.equal_tapers {
            Norm {
                length: round.length * tau_x,
                ..round
            }
        } else {
            norm_point(b[0] * tau_x, b[1] * tau_y, self.q[0])
        };
        NestedSupport {
            section,
            profile,
            zeta,
            lift,
        }
    }

    #[inline(always)]
    fn taper(&self, zeta: V) -> [V; 2] {
        [self.t[0] * zeta + 1.0, self.t[1] * zeta + 1.0]
    }

    #[inline(always)]
    fn width(&self, b: &[V; 2], zeta: V, round: &Norm<V>) -> SectionWidth<V> {
        let [tx, ty] = self.t;
        if self.equal_tapers {
            return SectionWidth {
                w: round.length * (tx * zeta + 1.0),
                w1: round.length * tx,
                w2: zeta.splat(0.0),
            };
        }
        let tiny = zeta.splat(V::TINY);
        let (u, v) = (b[0] * (tx * zeta + 1.0), b[1] * (ty * zeta + 1.0));
        let section = norm_point(u, v, self.q[0]);
        let (du, dv) = (b[0] * tx, b[1] * ty);
        let w1 = section.u.mul_add(du, section.v * dv);
        // This is the second derivative of the norm along (du, dv); a vanishing side contributes nothing.
        let bend = section.u * du * du / u.max(tiny) + section.v * dv * dv / v.max(tiny)
            - w1 * w1 / section.length;
        SectionWidth {
            w: section.length,
            w1,
            w2: ((self.q[0].q - 1.0) * bend).max(zeta.splat(0.0)),
        }
    }

    /// Returns the profile's point in which the tapered body's extent is largest, with its signed height: by Newton's
    /// method on r(w) in a shrinking interval, as in [`crate::surface::support`].
    #[inline(always)]
    fn highest(&self, b: &[V; 2], lift: V, round: &Norm<V>) -> (Norm<V>, V) {
        const ITERATIONS: usize = 100;
        let one = lift.splat(1.0);
        let zero = lift.splat(0.0);
        let q = self.q[1];
        // Two fixed-point steps from the equator are within Newton's reach.
        let start = self.width(b, zero, round);
        let (profile, zeta) = profile_towards(start.w, lift + start.w1, q);
        let next = self.width(b, zeta, round);
        let (c, s) = (next.w, profile.u.mul_add(next.w1, lift));
        let hypotenuse = c.mul_add(c, s * s).sqrt().max(lift.splat(V::TINY));
        let mut w = s / (hypotenuse + c);
        let (mut low, mut high) = (-one, one);
        let mut step = lift.splat(2.0);
        let mut done = one.lt(zero);
        for _ in 0..ITERATIONS {
            let (c, s) = ((-w).mul_add(w, one), w + w);
            let (profile, zeta) = profile_towards(c, s, q);
            let width = self.width(b, zeta, round);
            let slope = profile.u.mul_add(width.w1, lift);
            let r = s.mul_sub(width.w, c * slope);
            // Along w, (dc, ds) = (−2w, 2), the dual point is (c, s)/L, and dL = ρ dc + ζ ds.
            let dc = -s;
            let per_length = profile.length.recip();
            let v_dual = profile.v_dual.copysign(w);
            let d_length = profile.u.mul_add(dc, zeta + zeta);
            let d_u_dual = (-profile.u_dual).mul_add(d_length, dc) * per_length;
            let d_v_dual = (-v_dual).mul_add(d_length, one + one) * per_length;
            let steep = q.q - 1.0;
            let tiny = lift.splat(V::TINY);
            let d_rho = steep * profile.u / profile.u_dual.max(tiny) * d_u_dual;
            let d_zeta = steep * profile.v / profile.v_dual.max(tiny) * d_v_dual;
            let dr = (width.w + width.w) + s * width.w1 * d_zeta
                - dc * slope
                - c * (d_rho * width.w1 + profile.u * width.w2 * d_zeta);

            high = V::select(zero.lt(r), w, high);
            low = V::select(r.lt(zero), w, low);
            let newton = w - r / dr;
            let halved = (newton - w).abs().lt(step * 0.5);
            // A step of rounding may end outside the interval: w can be its end.
            let close = (newton - w).abs().lt(lift.splat(self.close)) & zero.lt(dr);
            let taken = close | (halved & low.lt(newton) & newton.lt(high) & zero.lt(dr));
            let next = V::select(taken, newton, (low + high) * 0.5);
            let next = V::select(done | (!zero.lt(r.abs())), w, next);
            step = (next - w).abs();
            w = next;
            // Quadratic convergence: the error after the last step is of the order of its square.
            let collapsed = (high - low).lt(lift.splat(4.0 * f64::EPSILON));
            done = done | close | collapsed | (!zero.lt(step));
            if V::all(done) {
                break;
            }
        }
        profile_towards((-w).mul_add(w, one), w + w, q)
    }
}

/// Returns the profile's points where its normals, those of the curve `(ρτ, ζ)` of bodies with equal tapers t, have
/// the directions (c, s), c > 0; their heights have their signs.
#[inline(always)]
pub(super) fn tapered_profile_towards<V: Lanes>(c: V, s: V, q: Conjugate<V>, t: V) -> (Norm<V>, V) {
    let (zero, one) = (c.splat(0.0), c.splat(1.0));
    // The section has width 1 and is seen along its first axis.
    let round = Norm {
        length: c,
        u: one,
        v: zero,
        u_dual: one,
        v_dual: zero,
    };
    let supports = Supports {
        a: [one; 3],
        t: [t; 2],
        q: [q; 2],
        tapered: true,
        equal_tapers: true,
        close: EXACT,
    };
    supports.highest(&[c, zero], s, &round)
}

/// Returns the profile's point whose dual has the direction (c, s), c ≥ 0; its height has its sign.
#[inline(always)]
pub(super) fn profile_towards<V: Lanes>(c: V, s: V, q: Conjugate<V>) -> (Norm<V>, V) {
    let profile = norm_point(c.max(c.splat(0.0)), s.abs(), q);
    (profile, profile.v.copysign(s))
}

#[cfg(test)]
mod tests {
    use super::{Conjugate, Norm, SupportPoint, Supports, tapered_profile_towards};
    use crate::Superovoid;
    use crate::lanes::{Lanes, Two, dispatch, to_array};
    use crate::surface::primal_dual::both;
    use fearless_simd::{Simd, SimdFrom, f64x8};
    use nalgebra::Vector3;

    fn shapes() -> [Superovoid; 6] {
        let shapes = [
            Superovoid::superellipsoid([1.0, 0.7, 0.4], [0.5, 1.3]),
            Superovoid::superellipsoid([1.0; 3], [0.02, 1.98]),
            Superovoid::ellipsoid([0.01, 1.0, 0.3]),
            Superovoid::new([1.0, 0.8, 1.1], [0.4, 0.6], [0.4, 0.4]),
            Superovoid::new([1.0, 0.8, 1.1], [1.7, 1.2], [-0.3, -0.3]),
            Superovoid::new([1.0, 0.8, 1.1], [0.9, 1.4], [0.1, -0.1]),
        ]
        .map(|shape| shape.expect("valid"));
        assert!(shapes.iter().all(Superovoid::is_convex));
        shapes
    }

    fn directions() -> impl Iterator<Item = Vector3<f64>> {
        let angle = |k: usize| 2.399_963 * k as f64;
        let directions = (0..2000).map(move |k| {
            let z = 1.0 - (k as f64 + 0.5) / 1000.0;
            let radius = (1.0 - z * z).sqrt();
            Vector3::new(radius * angle(k).cos(), radius * angle(k).sin(), z)
        });
        let axes = (0..3).flat_map(|k| [Vector3::ith(k, 1.0), Vector3::ith(k, -1.0)]);
        directions.chain(axes)
    }

    /// The support function in lanes agrees with that by angles, which the tests of the surface compare with brute
    /// force.
    #[test]
    fn lanes_agree_with_the_support_function() {
        let shapes = shapes();
        for n in directions() {
            for (i, a) in shapes.iter().enumerate() {
                let b = &shapes[(i + 1) % shapes.len()];
                let (value, x) = dispatch!(simd => {
                    let n = both(simd, &n.into(), &(n * 3.0).into());
                    let support = Supports::of_pair(simd, a, b).support(&n);
                    let [x, y, z] = support.x;
                    (to_array(support.value), [to_array(x), to_array(y), to_array(z)])
                });
                for (lane, (shape, length)) in [(a, 1.0), (b, 3.0)].into_iter().enumerate() {
                    let right = shape.support(&(n * length));
                    let error = (value[lane] - right.value).abs() / length;
                    // This is what the bounds of a pair allow for it.
                    let rounding = 8.0 * f64::EPSILON * shape.outer_radius;
                    assert!(error < rounding, "{shape:?} along {n:?}: {error:e}");
                    let point = Vector3::new(x[0][lane], x[1][lane], x[2][lane]);
                    // Where a face is met the point may lie anywhere on it; only its extent is determined.
                    let short = right.value - point.dot(&n) * length;
                    assert!(
                        short.abs() < 1e-13,
                        "{shape:?} along {n:?}: {short:e} short"
                    );
                    assert!(
                        shape.gauge(&point) < 1.0 + 1e-12,
                        "{shape:?}: {point:?} outside"
                    );
                }
            }
        }
    }

    fn firsts<S: Simd>(v: Two<f64x8<S>>) -> [f64; 2] {
        [to_array(v.0)[0], to_array(v.1)[0]]
    }

    /// The approximate support points belong to the body and reach almost as far as the exact ones.
    #[test]
    fn columns_are_points_of_the_bodies_and_nearly_their_support() {
        let shapes = shapes();
        for n in directions() {
            for (i, a) in shapes.iter().enumerate() {
                let b = &shapes[(i + 1) % shapes.len()];
                let (value, x) = dispatch!(simd => {
                    let like = f64x8::simd_from(simd, [0.0; 8]);
                    let n = [n.x, n.y, n.z].map(|x| super::splat_two(like, x, x));
                    let SupportPoint { value, x: [x, y, z] } = Supports::of_soa(like, a, b).support(&n);
                    (firsts(value), [firsts(x), firsts(y), firsts(z)])
                });
                for (lane, shape) in [a, b].into_iter().enumerate() {
                    let right = shape.support(&n).value;
                    let point = Vector3::new(x[0][lane], x[1][lane], x[2][lane]);
                    let short = right - point.dot(&n);
                    assert!(
                        (-1e-13..1e-5).contains(&short),
                        "{shape:?} {n:?}: {short:e}"
                    );
                    assert!((right - value[lane]).abs() < 1e-5, "{shape:?} along {n:?}");
                    assert!(
                        shape.gauge(&point) < 1.0 + 1e-12,
                        "{shape:?}: {point:?} outside"
                    );
                }
            }
        }
    }

    #[test]
    fn profiles_are_those_of_support_points() {
        for shape in shapes().iter().filter(|shape| shape.t[0] == shape.t[1]) {
            for k in -50..50 {
                let (s, c) = (0.031 * f64::from(k)).sin_cos();
                let found = dispatch!(simd => {
                    let splat = |x: f64| f64x8::simd_from(simd, [x; 8]);
                    let (q, t) = (Conjugate::new(splat(shape.q[1])), splat(shape.t[0]));
                    let (profile, zeta) = tapered_profile_towards(splat(c), splat(s), q, t);
                    let Norm { u, u_dual, v_dual, .. } = profile;
                    [u, zeta, u_dual, v_dual.copysign(zeta)].map(|x| to_array(x)[0])
                });
                let [u, v, u_dual, v_dual] = found;
                let n = Vector3::new(c / shape.a[0], 0.0, s / shape.a[2]);
                let right = shape.support_circles(&n).1.profile;
                let near = |x: f64, y: f64| x.hypot(y) < 1e-10;
                // On a face of the profile many points have nearly the normal, at a tip many normals the point.
                let reaches = |x: f64, y: f64| c * x * (1.0 + shape.t[0] * y) + s * y;
                let short = reaches(right.u, right.v) - reaches(u, v);
                assert!(short.abs() < 1e-14, "{shape:?} {c} {s}: {short:e} short");
                assert!(
                    near(u - right.u, v - right.v)
                        || near(u_dual - right.u_dual, v_dual - right.v_dual),
                    "{shape:?} {c} {s}: {found:?} {right:?}"
                );
            }
        }
    }
}
