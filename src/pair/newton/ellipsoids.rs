//! Newton's method on one direction, for two ellipsoids.
//!
//! The point of an ellipsoid with a given normal has a closed form, so that opposed normals need no equations (other
//! bodies have four unknowns, see [`newton`](crate::pair::newton)). In a frame (t, b, n) a direction of any length is
//! `m = αt + βb + n`; for B it is the opposite one. With the semi-axes as a diagonal matrix a, and `P = a²` in that
//! frame, the support function h and its point x are
//!
//! ```text
//! u = P m,   h² = m·u,   x = u/h
//! ```
//!
//! The difference d of the points, with the centre of B at c, must be parallel to m. Sums are over both bodies:
//!
//! ```text
//! d = c − Σ u/h,      f = (d_t − α d_n, d_b − β d_n) = (c_t − α c_n, c_b − β c_n) + Σ q/h = 0
//!                     q = (α u_n − u_t, β u_n − u_b)
//! ```
//!
//! and as `∂u/∂α = (P_tt, P_tb, P_tn)` and `∂(1/h)/∂α = −u_t/h³`, and likewise for β,
//!
//! ```text
//! −∂f/∂(α, β) = c_n 1 + Σ ( | P_tt − u_n  P_tb       | − | α | (P_tn  P_bn) + q (u_t  u_b)/h² ) / h
//!                           | P_tb        P_bb − u_n |   | β |
//! ```
//!
//! # Order of the operations
//!
//! The time of a query is that of its dependency chain of roots and divisions. So 1/h² and h are computed side by
//! side; t and b are not normalised before the rotation, but P is afterwards; and 1/h² is multiplied into J before
//! 1/h is.
//!
//! P in the frame is accurate to the square of the largest semi-axis. The final points are therefore computed from
//! the last m in the bodies' own axes, where `s = a m/|a m|` and `x = a s` keep all digits as long as `|a m|²` is a
//! normal number: that is, for semi-axes not below 1e-150 of the largest.

use crate::lanes::fused::dot;
use crate::lanes::{Halves, Lanes, Paired};
use crate::pair::frames::{PairFrame, combined};
use crate::pair::stationary::Found;
use crate::surface::primal_dual::Coordinates;

/// The largest number of steps; what needs more is left to the solver of all bodies.
pub(crate) const MAX_STEPS: u32 = 8;
/// The largest distance |(α, β)| from the axis of the frame at which the method continues.
const FARTHEST: f64 = 2.0;
/// The length of a step that is the last one: the remaining error is of the order of its square.
const LAST: f64 = 1e-6;

/// The axis of the frame, from which Newton's method starts: any vector of the common frame, two vectors across it, 1
/// over their lengths, and the centre of B along t, b and n.
pub(crate) struct Axis<V: Paired> {
    vector: [V::Group; 3],
    across: [[V::Group; 3]; 2],
    per_length: [V::Group; 3],
    center: [V; 3],
    /// Whether the first step may be the last one.
    is_near: bool,
}

impl<V: Paired> Axis<V> {
    /// Returns the frame about the line of the centres.
    #[inline(always)]
    pub fn of_centers(frame: &impl PairFrame<V>) -> Self {
        let (vector, center_distance) = (*frame.center(), frame.center_distance());
        let across = across(&vector);
        let along = V::paired(center_distance, center_distance);
        let none = along.splat(0.0);
        Axis {
            vector,
            across,
            per_length: per_length(&across[0], center_distance),
            center: [none, none, along],
            is_near: false,
        }
    }

    /// Returns the frame about a vector near the normal, of any length but 0, in A's coordinates.
    #[inline(always)]
    pub fn near(vector: &[V::Group; 3], frame: &impl PairFrame<V>) -> Self {
        let vector = frame.vector_from_a(vector);
        let across = across(&vector);
        let per_length = per_length(&across[0], dot(&vector, &vector).sqrt());
        let [i, j, k] = per_length;
        let c = frame.center();
        let (ct, cb, cn) = (
            dot(&across[0], c) * i,
            dot(&across[1], c) * j,
            dot(&vector, c) * k,
        );
        Axis {
            vector,
            across,
            per_length,
            center: [V::paired(ct, ct), V::paired(cb, cb), V::paired(cn, cn)],
            is_near: true,
        }
    }
}

/// Returns two vectors t and b that make a right-handed orthogonal frame (t, b, n) with any n: t is made from the
/// components of n without a branch and has a length from |n| to √2 |n|, and b = n × t.
#[inline(always)]
fn across<V: Lanes>(n: &[V; 3]) -> [[V; 3]; 2] {
    let [x, y, z] = *n;
    let height = z.abs();
    let t = [
        height.copysign(x),
        height.copysign(y),
        (x.abs() + y.abs()).copysign(-z),
    ];
    let b = [
        y * t[2] - z * t[1],
        z * t[0] - x * t[2],
        x * t[1] - y * t[0],
    ];
    [t, b]
}

/// Returns 1 over the lengths of t, b = n × t and n.
#[inline(always)]
fn per_length<V: Lanes>(t: &[V; 3], length: V) -> [V; 3] {
    let per_t = dot(t, t).recip().sqrt();
    let per_n = length.recip();
    [per_t, per_t * per_n, per_n]
}

/// Two ellipsoids in a frame: the matrices P, and the centre of B.
struct Framed<V: Paired> {
    /// The vectors t, b, n of any length, in A's coordinates and, negated, in B's; in the common frame; and 1 over
    /// their lengths.
    axes: [[V; 3]; 3],
    common: [[V::Group; 3]; 3],
    per_length: [V; 3],
    tt: V,
    tb: V,
    bb: V,
    tn: V,
    bn: V,
    nn: V,
    center: [V; 3],
}

impl<V: Paired> Framed<V> {
    #[inline(always)]
    fn new(semi_axes: &[V; 3], frame: &impl PairFrame<V>, axis: &Axis<V>) -> Self {
        let common = [axis.across[0], axis.across[1], axis.vector];
        let axes = [
            frame.to_bodies(&common[0]),
            frame.to_bodies(&common[1]),
            frame.to_bodies(&common[2]),
        ];
        let [i, j, k] = axis.per_length;
        let (i, j, k) = (V::paired(i, i), V::paired(j, j), V::paired(k, k));
        let (t, b, n) = (
            scaled(semi_axes, &axes[0]),
            scaled(semi_axes, &axes[1]),
            scaled(semi_axes, &axes[2]),
        );
        Framed {
            axes,
            common,
            per_length: [i, j, k],
            tt: dot(&t, &t) * (i * i),
            tb: dot(&t, &b) * (i * j),
            bb: dot(&b, &b) * (j * j),
            tn: dot(&t, &n) * (i * k),
            bn: dot(&b, &n) * (j * k),
            nn: dot(&n, &n) * (k * k),
            center: axis.center,
        }
    }

    /// Returns Newton's step from the axis, where α = β = 0.
    #[inline(always)]
    fn first_step(&self) -> Step<V> {
        let &Framed {
            tt,
            tb,
            bb,
            tn: ut,
            bn: ub,
            nn: un,
            center: [ct, cb, cn],
            ..
        } = self;
        let per_square = un.recip();
        let per_h = un.sqrt() * per_square;
        // This is each body's half of a term that is added once.
        let half = cn * 0.5;
        let mixed = with_other((tb - ut * ub * per_square) * per_h);
        Step::solve(
            [
                with_other((tt - un - ut * ut * per_square).mul_add(per_h, half)),
                mixed,
                mixed,
                with_other((bb - un - ub * ub * per_square).mul_add(per_h, half)),
            ],
            [ct - with_other(ut * per_h), cb - with_other(ub * per_h)],
        )
    }

    /// Returns Newton's step from (α, β).
    #[inline(always)]
    fn step(&self, [alpha, beta]: [V; 2]) -> Step<V> {
        let &Framed {
            tt,
            tb,
            bb,
            tn,
            bn,
            nn,
            center: [ct, cb, cn],
            ..
        } = self;
        let ut = tt.mul_add(alpha, tb.mul_add(beta, tn));
        let ub = bb.mul_add(beta, tb.mul_add(alpha, bn));
        let un = tn.mul_add(alpha, bn.mul_add(beta, nn));
        // The product m·u is computed without waiting for u.
        let of_alpha = tt.mul_add(alpha, tn + tn).mul_add(alpha, nn);
        let squared = bb
            .mul_add(beta, (tb + tb).mul_add(alpha, bn + bn))
            .mul_add(beta, of_alpha);
        let per_square = squared.recip();
        let per_h = squared.sqrt() * per_square;
        let (qt, qb) = (alpha.mul_sub(un, ut), beta.mul_sub(un, ub));
        let j = [
            (qt * ut).mul_add(per_square, tt - un - alpha * tn),
            (qt * ub).mul_add(per_square, tb - alpha * bn),
            (qb * ut).mul_add(per_square, tb - beta * tn),
            (qb * ub).mul_add(per_square, bb - un - beta * bn),
        ];
        let half = cn * 0.5;
        let away = -cn;
        Step::solve(
            [
                with_other(j[0].mul_add(per_h, half)),
                with_other(j[1] * per_h),
                with_other(j[2] * per_h),
                with_other(j[3].mul_add(per_h, half)),
            ],
            [
                alpha.mul_add(away, ct + with_other(qt * per_h)),
                beta.mul_add(away, cb + with_other(qb * per_h)),
            ],
        )
    }

    /// Returns the points with the normals ±m, as a stationary pair, and those on the unit sphere.
    #[inline(always)]
    fn points(
        &self,
        semi_axes: &[V; 3],
        frame: &impl PairFrame<V>,
        [alpha, beta]: [V; 2],
    ) -> Solved<V> {
        let one = alpha.splat(1.0);
        let [i, j, k] = self.per_length;
        let (i, j) = (alpha * i, beta * j);
        let m = combined(&self.axes, &[i, j, k]);
        let normal = combined(&self.common, &[i.of_a(), j.of_a(), k.of_a()]);
        let w = scaled(semi_axes, &m);
        let squared = dot(&w, &w);
        let per_h = squared.sqrt() * squared.recip();
        let sphere = [w[0] * per_h, w[1] * per_h, w[2] * per_h];
        let [xa, d] = frame.points(&scaled(semi_axes, &sphere));
        let squared = alpha.mul_add(alpha, beta.mul_add(beta, one));
        let per_m = (squared.sqrt() * squared.recip()).of_a();
        let nothing = xa[0].splat(0.0);
        let found = Found {
            xa,
            d,
            normal: [normal[0] * per_m, normal[1] * per_m, normal[2] * per_m],
            mismatch: nothing,
            off_circle: nothing,
        };
        Solved { found, sphere }
    }
}

/// Returns the sum of both bodies' terms.
#[inline(always)]
fn with_other<V: Paired>(x: V) -> V {
    x + x.swapped()
}

#[inline(always)]
fn scaled<V: Lanes>(a: &[V; 3], v: &[V; 3]) -> [V; 3] {
    [a[0] * v[0], a[1] * v[1], a[2] * v[2]]
}

/// A change of (α, β): the numerators times `per_weight`.
struct Step<V> {
    numerators: [V; 2],
    per_weight: V,
}

impl<V: Lanes> Step<V> {
    /// Returns the step that takes f to 0, where J is −∂f/∂(α, β), by rows.
    #[inline(always)]
    fn solve(j: [V; 4], f: [V; 2]) -> Self {
        let det = j[0].mul_sub(j[3], j[1] * j[2]);
        Step {
            numerators: [
                j[3].mul_sub(f[0], j[1] * f[1]),
                j[0].mul_sub(f[1], j[2] * f[0]),
            ],
            per_weight: det.recip(),
        }
    }

    #[inline(always)]
    fn from(&self, [alpha, beta]: [V; 2]) -> [V; 2] {
        let [k, l] = self.numerators;
        [
            k.mul_add(self.per_weight, alpha),
            l.mul_add(self.per_weight, beta),
        ]
    }

    /// Returns the point to which the step leads, and whether it is the last.
    #[inline(always)]
    fn is_last(&self) -> V::Mask {
        let squared = squared_length(&self.from([self.per_weight.splat(0.0); 2]));
        squared.lt(squared.splat(LAST * LAST))
    }
}

#[inline(always)]
fn squared_length<V: Lanes>([x, y]: &[V; 2]) -> V {
    x.mul_add(*x, *y * *y)
}

/// A stationary pair of points of two ellipsoids.
pub(crate) struct Solved<V: Paired> {
    pub found: Found<V::Group>,
    /// The points of the bodies on the unit sphere: x divided by the semi-axes.
    sphere: [V; 3],
}

/// Takes a few steps from the axis, for semi-axes in the units of the common frame. Returns `None` if they fail.
/// `steps` is increased by their number.
#[inline(always)]
pub(crate) fn solve<V: Paired>(
    semi_axes: &[V; 3],
    frame: &impl PairFrame<V>,
    axis: &Axis<V>,
    steps: &mut u32,
) -> Option<Solved<V>> {
    let framed = Framed::new(semi_axes, frame, axis);
    let zero = framed.nn.splat(0.0);
    let farthest = zero.splat(FARTHEST * FARTHEST);
    let first = framed.first_step();
    let mut at = first.from([zero, zero]);
    let before = *steps;
    *steps += 1;
    if !axis.is_near || !V::all(first.is_last()) {
        loop {
            if *steps - before == MAX_STEPS || !V::all(squared_length(&at).lt(farthest)) {
                return None;
            }
            let step = framed.step(at);
            at = step.from(at);
            *steps += 1;
            if V::all(step.is_last()) {
                break;
            }
        }
    }
    Some(framed.points(semi_axes, frame, at))
}

#[cfg(feature = "unstable")]
/// Takes the steps of [`solve`] and shows the points after each of them, those of the axis first. Returns whether they
/// lead to a stationary pair.
pub(crate) fn solve_watched<V: Paired>(
    semi_axes: &[V; 3],
    frame: &impl PairFrame<V>,
    axis: &Axis<V>,
    mut watch: impl FnMut(&Found<V::Group>),
) -> bool {
    let framed = Framed::new(semi_axes, frame, axis);
    let zero = framed.nn.splat(0.0);
    let farthest = zero.splat(FARTHEST * FARTHEST);
    let mut at = [zero, zero];
    watch(&framed.points(semi_axes, frame, at).found);
    for count in 0..MAX_STEPS {
        let step = if count == 0 {
            framed.first_step()
        } else {
            framed.step(at)
        };
        at = step.from(at);
        watch(&framed.points(semi_axes, frame, at).found);
        if V::all(step.is_last()) && (count > 0 || axis.is_near) {
            return true;
        }
        if !V::all(squared_length(&at).lt(farthest)) {
            return false;
        }
    }
    false
}

/// Solves several pairs as [`solve`] does, and returns where each came to an end if that is `wanted`, with the
/// numbers of steps. No pair depends on the others.
#[inline(always)]
pub(crate) fn solve_each<V: Paired>(
    semi_axes: &[V; 3],
    frame: &impl PairFrame<V>,
    wanted: V::Mask,
) -> (Solved<V>, V::Mask, V) {
    let framed = Framed::new(semi_axes, frame, &Axis::of_centers(frame));
    let one = framed.nn.splat(1.0);
    let zero = one.splat(0.0);
    let farthest = one.splat(FARTHEST * FARTHEST);
    let mut at = framed.first_step().from([zero, zero]);
    let mut steps = one;
    let (mut going, mut ended) = (wanted, one.lt(zero));
    for _ in 1..MAX_STEPS {
        going = going & squared_length(&at).lt(farthest);
        if V::all(!going) {
            break;
        }
        let step = framed.step(at);
        let next = step.from(at);
        at = [
            V::select(going, next[0], at[0]),
            V::select(going, next[1], at[1]),
        ];
        steps = V::select(going, steps + one, steps);
        let last = going & step.is_last();
        (going, ended) = (going & !last, ended | last);
    }
    (framed.points(semi_axes, frame, at), ended, steps)
}

impl<V: Paired> Solved<V> {
    /// Returns the surface coordinates of the points: of the section (ξ, η), of the profile (ρ, ζ).
    #[inline(always)]
    pub fn coordinates<W: Halves<Half = V>>(&self, like: W) -> Coordinates<W> {
        let [x, y, z] = self.sphere;
        let squared = x.mul_add(x, y * y);
        let rho = squared.sqrt();
        // At a pole every section point is right.
        let pole = !rho.splat(1e-150).lt(rho);
        let any = rho.splat(std::f64::consts::FRAC_1_SQRT_2);
        let (xi, eta) = (V::select(pole, any, x / rho), V::select(pole, any, y / rho));
        Coordinates {
            g: like.join(xi, rho),
            h: like.join(eta, z),
        }
    }
}

/// Returns the outward normals, of any length, at surface coordinates, which need not be on their circles.
#[inline(always)]
pub(crate) fn normals<W: Halves<Half: Paired>>(
    semi_axes: &[W::Half; 3],
    at: &Coordinates<W>,
) -> [W::Half; 3] {
    let ((xi, rho), (eta, zeta)) = (at.g.halves(), at.h.halves());
    let [a1, a2, a3] = *semi_axes;
    [rho * xi / a1, rho * eta / a2, zeta / a3]
}
