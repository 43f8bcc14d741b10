//! The linear system of Newton's method for two superovoids, in primal-dual coordinates.
//!
//! The surface point of each body is represented by the primal-dual coordinates of its circles, see
//! [`crate::surface::primal_dual`].
//!
//! # System
//!
//! In a frame (t, b, n) fixed about the centre line (or the last normal), let
//! `m = (N·t, N·b)/(N·n)` be the gnomonic chart of a normal N, for B of its opposite, and
//! `d = x_B − x_A`. The four equations in two tangent steps for each body are
//!
//! ```text
//! e = m_B − m_A = 0                          the normals are opposed
//! γ = (d·t, d·b) − m̄ (d·n) = 0,  m̄ = (m_A + m_B)/2     d is parallel to them
//! ```
//!
//! Along a tangent, `dm = dN·τ/(N·n)²` with `τ = (N·n) t − (N·t) n` (and the same for b), and
//! `dγ` follows with each body's own m in place of the mean, which is the same at the solution.
//! With D = dN·τ and X = (N·n) dx·τ + ½ (d·n) D for each body and the step y scaled by (N·n)²,
//!
//! ```text
//! | D_A  −D_B | | y_A |   | e |
//! | X_A   X_B | | y_B | = | γ |
//! ```
//!
//! On a flat face D vanishes, at a tip X does: neither can be divided by. Their sum W = cD + X, c > 0, cannot vanish
//! in primal-dual coordinates, and `G = c D W⁻¹`, whose eigenvalues lie between 0 and 1, tells which of the two it
//! is; `X W⁻¹ = 1 − G`. In u = W y the system reads
//!
//! ```text
//! G_A u_A − G_B u_B = c e       (1 − G_A) u_A + (1 − G_B) u_B = γ
//! ```
//!
//! and eliminating u_B, or u_A, leaves
//!
//! ```text
//! (G_A + G_B − 2 G_B G_A) u_A =  c e + G_B (γ − c e)
//! (G_B + G_A − 2 G_A G_B) u_B = −c e + G_A (γ + c e)
//! ```
//!
//! A division takes as long as several dependent operations, so there is only one, at the end: with w = det W and `H
//! = w G = c D adj W`, the first equation times w_A w_B is
//!
//! ```text
//! (w_B H_A + w_A H_B − 2 H_B H_A) u_A = w_A (w_B c e + H_B (γ − c e))
//! ```
//!
//! and in `y_A = adj(W_A) u_A / w_A` the last w_A cancels. e and γ are not divided either: they are scaled by `s =
//! (N_A·n)(N_B·n)`, with `s m_A = (N_A·t, N_A·b)(N_B·n)`, and so is y, which makes A's step `(N_A·n)² y_A/s = (N_A·n)
//! y_A/(N_B·n)`. Both bodies share one formula except for their exchange and the sign of e: they are [`Paired`]
//! lanes. Its matrix is singular only where both bodies are flat, or both are tips, in the same direction, where no
//! single pair of points is nearest.
//!
//! # First and last evaluations
//!
//! The first evaluations of a cold start are far from the solution, so their powers are approximate, and no answer
//! comes from them. A last step can be so short that the changes of points and normals are linear and quadratic in
//! it, to rounding ([`is_second_order`]): its end is then known without another evaluation. After a warm start the
//! first step may be the last one.

use crate::lanes::fused::dot;
use crate::lanes::{Halves, Lanes, Paired};
use crate::pair::frames::PairFrame;
use crate::pair::frames::combined;
use crate::pair::stationary::Found;
use crate::surface::primal_dual::second_order::THIRD_ORDER_ERROR;
use crate::surface::primal_dual::{Coordinates, ShapeLanes, Step, Surface};

/// The norm of the residual at which a solution counts as exact; rounding of the powers leaves about 1e-14.
pub(crate) const CONVERGED: f64 = 1e-11;
/// The number of first evaluations of a cold start that are so far from the solution that three digits of the powers
/// suffice. No answer comes from them.
pub(crate) const APPROXIMATE_EVALUATIONS: u32 = 2;
/// The merit below which approximate powers carry no information.
pub(crate) const APPROXIMATE_MERIT: f64 = 1e-4;
/// The norm of the residual above which hardly any step is a second-order step, so that none is tested.
pub(crate) const SECOND_ORDER_RESIDUAL: f64 = 2e-5;
/// The longest step in (g, h), in the sum norm.
pub(crate) const LONGEST_STEP: f64 = 0.6;
/// A step that raises the merit by more than this factor (of its square) is shortened, by
/// `SHORTENING`, at most `SHORTENINGS` times.
pub(crate) const ACCEPTED_GROWTH: f64 = 1.44;
pub(crate) const SHORTENING: f64 = 0.35;
pub(crate) const SHORTENINGS: u32 = 3;
/// The length of a step without gain after which no further step is tried.
pub(crate) const NO_STEP: f64 = 1e-15;
/// The |m| beyond which the chart is moved to the current normal.
pub(crate) const CHART_LIMIT: f64 = 1.0;

/// The frame of the chart: A's part in A's coordinates, B's in B's and negated.
pub(crate) struct Chart<V: Paired> {
    /// The axes t, b, n.
    axes: [[V; 3]; 3],
    /// The axes in the common frame.
    common: [[V::Group; 3]; 3],
    /// The centre of B along t, b, n, in all lanes.
    center: [V; 3],
}

impl<V: Paired> Chart<V> {
    /// Makes the frame about the unit vectors n of the common frame.
    #[inline(always)]
    pub fn about(n: &[V::Group; 3], frame: &impl PairFrame<V>) -> Self {
        let [t, b] = tangents_of(n);
        let center = frame.center();
        let (ct, cb, cn) = (dot(center, &t), dot(center, &b), dot(center, n));
        Chart {
            axes: [frame.to_bodies(&t), frame.to_bodies(&b), frame.to_bodies(n)],
            common: [t, b, *n],
            center: [V::paired(ct, ct), V::paired(cb, cb), V::paired(cn, cn)],
        }
    }

    /// Returns the vector of the common frame with these components along t, b, n.
    #[inline(always)]
    fn combined(&self, v: &[V; 3]) -> [V::Group; 3] {
        let v = [v[0].of_a(), v[1].of_a(), v[2].of_a()];
        combined(&self.common, &v)
    }

    /// Returns the components of vectors along t, b, n; those of B negated.
    #[inline(always)]
    fn components(&self, v: &[V; 3]) -> [V; 3] {
        let [t, b, n] = &self.axes;
        [dot(t, v), dot(b, v), dot(n, v)]
    }
}

/// One evaluation of the system. Quantities of the pair are the same in the lanes of A and B.
pub(crate) struct PairSystem<W: Halves> {
    pub surface: Surface<W>,
    /// The normals in the frame.
    normals: [W::Half; 3],
    /// The product (N_A·n)(N_B·n), by which chart coordinates are multiplied here instead of being divided.
    upright: W::Half,
    /// The residual e for A, −e for B, times `upright`.
    e: [W::Half; 2],
    /// The residual γ times `upright`.
    gamma: [W::Half; 2],
    /// The sum m_A + m_B, times `upright`.
    sum: [W::Half; 2],
    /// One half of d·n.
    half_gap: W::Half,
    /// The length |d·n| + ½, divided by which γ is an angle: with it as c, no negative part of d is left in W.
    scale: W::Half,
    /// The sum of δ⁸: the square of how far the states were from their circles.
    off_circle: W::Half,
    /// The square of the angle that the normals may lack after a last step without an evaluation.
    neglected: W::Half,
    /// The squared residual, without unit; infinite if a normal faces away.
    pub merit: W::Half,
}

#[inline(always)]
pub(crate) fn assemble<W: Halves<Half: Paired>>(
    bodies: &ShapeLanes<W>,
    at: &Coordinates<W>,
    chart: &Chart<W::Half>,
    approximate: bool,
) -> PairSystem<W> {
    let surface = bodies.evaluate_approx_if(approximate, at);
    let none = chart.center[0].splat(0.0);
    PairSystem::of(surface, chart, none)
}

impl<W: Halves<Half: Paired>> PairSystem<W> {
    #[inline(always)]
    fn of(surface: Surface<W>, chart: &Chart<W::Half>, neglected: W::Half) -> Self {
        let normals = chart.components(&surface.n);
        // As B's axes are negated, x_A + x_B here is the difference d without the centre's part.
        let [xt, xb, xn] = chart.components(&surface.x);
        let c = &chart.center;
        let d = [
            c[0] - (xt + xt.swapped()),
            c[1] - (xb + xb.swapped()),
            c[2] - (xn + xn.swapped()),
        ];
        let other = normals[2].swapped();
        let upright = normals[2] * other;
        let m = [normals[0] * other, normals[1] * other];
        let others = [m[0].swapped(), m[1].swapped()];
        let e = [others[0] - m[0], others[1] - m[1]];
        let sum = [others[0] + m[0], others[1] + m[1]];
        let half_gap = d[2] * 0.5;
        let gamma = [
            upright.mul_sub(d[0], sum[0] * half_gap),
            upright.mul_sub(d[1], sum[1] * half_gap),
        ];
        let off_circle = surface.off_circle();
        let off_circle = off_circle + off_circle.swapped();
        let scale = d[2].abs() + 0.5;
        let unit = scale * upright;
        let residual = (scale * scale).mul_add(squared_length(&e), squared_length(&gamma));
        let squared = residual / (unit * unit) + off_circle;
        let facing = normals[2].min(other);
        let infinite = squared.splat(f64::INFINITY);
        let merit = W::Half::select(facing.splat(0.0).lt(facing), squared, infinite).of_a();
        // B's residual is the same with −e, so a batch would compute it twice.
        let merit = W::Half::paired(merit, merit);
        PairSystem {
            surface,
            normals,
            upright,
            e,
            gamma,
            sum,
            half_gap,
            scale,
            off_circle,
            neglected,
            merit,
        }
    }

    /// Assembles the system after a last step that [`is_second_order`], without another evaluation. It serves an
    /// answer only: no step starts from there.
    #[inline(always)]
    pub fn concluded(&self, bodies: &ShapeLanes<W>, chart: &Chart<W::Half>, turns: W) -> Self {
        // The third component of a normal is the sum of a few dozen products.
        const PRODUCTS: f64 = 64.0;
        let share = bodies.steepest() / self.normals[2] * (PRODUCTS * THIRD_ORDER_ERROR);
        let share = share.max(share.swapped());
        let surface = bodies.after_second_order_step(&self.surface, turns);
        PairSystem::of(surface, chart, share * share)
    }
}

/// Returns where a step of both bodies is so short that it needs no evaluation after it.
#[inline(always)]
pub(crate) fn is_second_order<W: Halves<Half: Paired>>(
    bodies: &ShapeLanes<W>,
    from: &Surface<W>,
    turns: W,
) -> <W::Half as Lanes>::Mask {
    let circles = bodies.circles_beyond_second_order(from, turns);
    (circles + circles.swapped()).lt(circles.splat(0.5))
}

#[inline(always)]
fn squared_length<V: Lanes>(v: &[V; 2]) -> V {
    v[0].mul_add(v[0], v[1] * v[1])
}

/// Returns the steps of both bodies from the linearised system.
#[inline(always)]
pub(crate) fn newton_step<W: Halves<Half: Paired>>(
    system: &PairSystem<W>,
    chart: &Chart<W::Half>,
) -> Step<W::Half> {
    let [nt, nb, nn] = system.normals;
    let [t, b, n] = &chart.axes;
    let tau_t = [
        nn.mul_sub(t[0], nt * n[0]),
        nn.mul_sub(t[1], nt * n[1]),
        nn.mul_sub(t[2], nt * n[2]),
    ];
    let tau_b = [
        nn.mul_sub(b[0], nb * n[0]),
        nn.mul_sub(b[1], nb * n[1]),
        nn.mul_sub(b[2], nb * n[2]),
    ];
    let half_gap = system.half_gap;
    let Surface { dx, dn, .. } = &system.surface;
    // The products are taken row by row.
    let d = [
        dot(&dn[0], &tau_t),
        dot(&dn[1], &tau_t),
        dot(&dn[0], &tau_b),
        dot(&dn[1], &tau_b),
    ];
    let x = [
        nn * dot(&dx[0], &tau_t),
        nn * dot(&dx[1], &tau_t),
        nn * dot(&dx[0], &tau_b),
        nn * dot(&dx[1], &tau_b),
    ];
    let c = system.scale;
    let cd = [c * d[0], c * d[1], c * d[2], c * d[3]];
    let all = c + half_gap;
    let w = [
        all.mul_add(d[0], x[0]),
        all.mul_add(d[1], x[1]),
        all.mul_add(d[2], x[2]),
        all.mul_add(d[3], x[3]),
    ];
    let h = [
        cd[0].mul_sub(w[3], cd[1] * w[2]),
        cd[1].mul_sub(w[0], cd[0] * w[1]),
        cd[2].mul_sub(w[3], cd[3] * w[2]),
        cd[3].mul_sub(w[0], cd[2] * w[1]),
    ];
    let det = determinant(&w);
    // This is the other body's quantity.
    let o = [
        h[0].swapped(),
        h[1].swapped(),
        h[2].swapped(),
        h[3].swapped(),
    ];
    let o_det = det.swapped();
    let twice = [o[0] + o[0], o[1] + o[1], o[2] + o[2], o[3] + o[3]];
    let k = [
        o_det.mul_add(h[0], det * o[0]) - twice[0].mul_add(h[0], twice[1] * h[2]),
        o_det.mul_add(h[1], det * o[1]) - twice[0].mul_add(h[1], twice[1] * h[3]),
        o_det.mul_add(h[2], det * o[2]) - twice[2].mul_add(h[0], twice[3] * h[2]),
        o_det.mul_add(h[3], det * o[3]) - twice[2].mul_add(h[1], twice[3] * h[3]),
    ];
    let (e, gamma) = (&system.e, &system.gamma);
    let ce = [c * e[0], c * e[1]];
    let f = [gamma[0] - ce[0], gamma[1] - ce[1]];
    let r = [
        o_det.mul_add(ce[0], o[0].mul_add(f[0], o[1] * f[1])),
        o_det.mul_add(ce[1], o[2].mul_add(f[0], o[3] * f[1])),
    ];
    let [around, along] = apply_adjugate(&w, &apply_adjugate(&k, &r));
    Step {
        around: around * nn,
        along: along * nn,
        weight: determinant(&k) * nn.swapped(),
    }
}

#[inline(always)]
fn determinant<V: Lanes>(m: &[V; 4]) -> V {
    m[0].mul_sub(m[3], m[1] * m[2])
}

/// Returns the adjugate of a 2×2 matrix times a vector.
#[inline(always)]
fn apply_adjugate<V: Lanes>(m: &[V; 4], v: &[V; 2]) -> [V; 2] {
    [
        m[3].mul_sub(v[0], m[1] * v[1]),
        m[0].mul_sub(v[1], m[2] * v[0]),
    ]
}

/// Returns the length of the larger of the two bodies' steps, in the sum norm.
#[inline(always)]
pub(crate) fn step_length<V: Paired>(step: &Step<V>) -> V {
    let length = (step.around.abs() + step.along.abs()) / step.weight.abs();
    length.max(length.swapped())
}

/// Returns whether the steps of both bodies are shorter than a length, without a division.
#[inline(always)]
pub(crate) fn is_shorter<V: Paired>(step: &Step<V>, than: f64) -> V::Mask {
    let length = step.around.abs() + step.along.abs();
    let limit = step.weight.abs() * than;
    length.lt(limit) & length.swapped().lt(limit.swapped())
}

/// Returns two unit vectors that make a right-handed frame `(t, b, n)` with the unit vector n, by the formula of Duff
/// et al. 2017 (branchless, without a pole).
#[inline(always)]
pub(crate) fn tangents_of<V: Lanes>(n: &[V; 3]) -> [[V; 3]; 2] {
    let [x, y, z] = *n;
    let one = z.splat(1.0);
    let sign = one.copysign(z);
    let k = -(sign + z).recip();
    let xy = x * y * k;
    [
        [(sign * x * x).mul_add(k, one), sign * xy, -(sign * x)],
        [xy, (y * y).mul_add(k, sign), -y],
    ]
}

impl<W: Halves<Half: Paired>> PairSystem<W> {
    /// Returns where the mean normals are farther from the chart's axis than the limit.
    #[inline(always)]
    pub fn is_off_axis(&self) -> <W::Half as Lanes>::Mask {
        let limit = self.upright * (2.0 * CHART_LIMIT);
        (limit * limit).lt(squared_length(&self.sum))
    }

    /// Returns the unit mean of A's normal and B's opposite one, in the common frame.
    #[inline(always)]
    pub fn normal(&self, chart: &Chart<W::Half>) -> [<W::Half as Paired>::Group; 3] {
        let [mt, mb] = self.sum;
        let twice = self.upright * 2.0;
        let n = chart.combined(&[mt, mb, twice]);
        // The frame preserves lengths, so roots and divisions do not wait for the rotation.
        let squared = twice.mul_add(twice, squared_length(&self.sum));
        let per_length = squared.of_a().sqrt().recip();
        [n[0] * per_length, n[1] * per_length, n[2] * per_length]
    }

    #[inline(always)]
    pub fn found(
        &self,
        chart: &Chart<W::Half>,
        frame: &impl PairFrame<W::Half>,
    ) -> Found<<W::Half as Paired>::Group> {
        let [xa, d] = frame.points(&self.surface.x);
        Found {
            xa,
            d,
            normal: self.normal(chart),
            mismatch: (squared_length(&self.e) / (self.upright * self.upright) + self.neglected)
                .of_a(),
            off_circle: self.off_circle.of_a(),
        }
    }
}
