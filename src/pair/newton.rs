//! Newton's method on the two pairs of circles.
//!
//! Each body's surface point is held by the good coordinates of its circles, see
//! [`crate::surface::good`].
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
//! On a flat face D vanishes, at a tip X: neither can be divided by. Their sum W = cD + X, c > 0,
//! cannot vanish in good coordinates, and `G = c D W⁻¹` tells with eigenvalues between 0 and 1 which of the
//! two it is; `X W⁻¹ = 1 − G`. In u = W y the system reads
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
//! A division takes as long as several other operations that wait for it, so there is only one, at the
//! end: with w = det W and `H = w G = c D adj W`, the first equation times w_A w_B is
//!
//! ```text
//! (w_B H_A + w_A H_B − 2 H_B H_A) u_A = w_A (w_B c e + H_B (γ − c e))
//! ```
//!
//! and in `y_A = adj(W_A) u_A / w_A` the last w_A cancels. Neither are e and γ divided: they are taken
//! `s = (N_A·n)(N_B·n)` times as large, with `s m_A = (N_A·t, N_A·b)(N_B·n)`, and so is y, which makes A's
//! step `(N_A·n)² y_A/s = (N_A·n) y_A/(N_B·n)`. It is one formula for both bodies but for their
//! exchange and the sign of e: they are [`Paired`] lanes. Its matrix is singular only where both bodies are
//! flat, or both are tips, in the same direction, where no single pair of points is nearest.
//!
//! # First and last evaluations
//!
//! The first evaluations of a cold start are far from the solution, so their powers are rough, and no answer
//! comes from them. A last step can be so short that what it changes in points and normals is
//! linear and quadratic in it, to rounding ([`is_slight`]): where it leads to is then known without another
//! evaluation. After a warm start the first step may be the last.

use crate::lanes::{Halves, Lanes, Paired, dot, lanes_of, on_this_processor_by_fours};
use crate::pair::placement::{Placement, combined};
use crate::pair::plain::Points;
use crate::pair::problem::{Problem, SAME_CENTER};
use crate::pair::{MOST_ITERATIONS, PairCache};
use crate::surface::good::{
    Advanced, Bodies, Coordinates, Place, SLIGHT, State, Step, Surface, both,
};
use fearless_simd::{Simd, SimdInto, f64x2, f64x4};
use nalgebra::Vector3;

/// A stationary pair of points: normals opposed, difference parallel to them.
#[derive(Clone, Copy)]
pub(crate) struct Stationary {
    pub xa: Vector3<f64>,
    /// x_B − x_A.
    pub d: Vector3<f64>,
    /// Unit mean of A's normal and B's opposite one.
    pub normal: Vector3<f64>,
    /// |e|, which bounds the angle between each normal and the mean from above (times two).
    pub mismatch: f64,
    /// The states are so near their circles that the points are on the surfaces to rounding.
    pub on_surface: bool,
    pub states: [State; 2],
}

/// How far the witnesses may lie beside the line along the normal (relative to the larger body) and
/// still be moved onto it: the surfaces curve away by a square of it.
pub(crate) const ALIGNED: f64 = 1e-9;

impl Stationary {
    #[inline(always)]
    pub fn points(&self) -> Points<f64> {
        Points {
            xa: self.xa.into(),
            d: self.d.into(),
            normal: self.normal.into(),
            mismatch: self.mismatch,
        }
    }

    pub fn xb(&self) -> Vector3<f64> {
        self.xa + self.d
    }

    /// What is left of x_B − x_A beside the normal.
    pub fn offset(&self) -> f64 {
        (self.d - self.normal * self.d.dot(&self.normal)).norm()
    }
}

/// Norm of the residual at which a solution counts as exact; rounding of the powers leaves about
/// 1e-14.
pub(super) const CONVERGED: f64 = 1e-11;
/// Evaluations of a cold start, its first ones, that are so far from the solution that three digits of the
/// powers do. No answer comes from them.
pub(super) const ROUGH_EVALUATIONS: u32 = 2;
/// Merit below which rough powers tell nothing.
pub(super) const ROUGH_MERIT: f64 = 1e-4;
/// Norm of the residual from which on hardly any step is slight: none is looked at.
pub(super) const PERHAPS_SLIGHT: f64 = 2e-5;
/// Relative error of the circles' normalisation that counts as none.
const ON_SURFACE: f64 = 1e-13;
/// Longest step in (g, h), in the sum norm.
pub(super) const LONGEST_STEP: f64 = 0.6;
/// A step that raises the merit by more than this factor (of its square) is shortened, by
/// `SHORTENING`, at most `SHORTENINGS` times.
pub(super) const ACCEPTED_GROWTH: f64 = 1.44;
pub(super) const SHORTENING: f64 = 0.35;
pub(super) const SHORTENINGS: u32 = 3;
/// After a step as short as this that gained nothing there is no next one.
pub(super) const NO_STEP: f64 = 1e-15;
/// Beyond this |m| the chart is moved to the current normal.
pub(super) const CHART_LIMIT: f64 = 1.0;

/// The chart's frame: A's part in A's coordinates, B's in B's and negated.
pub(super) struct Frame<V: Paired> {
    /// t, b, n.
    axes: [[V; 3]; 3],
    /// In the placement's frame.
    common: [[V::Group; 3]; 3],
    /// Centre of B along t, b, n, in all lanes.
    center: [V; 3],
}

impl<V: Paired> Frame<V> {
    /// About the unit vectors n of the placement's frame.
    #[inline(always)]
    pub fn about(n: &[V::Group; 3], placement: &impl Placement<V>) -> Self {
        let [t, b] = tangents_of(n);
        let center = placement.center();
        let (ct, cb, cn) = (dot(center, &t), dot(center, &b), dot(center, n));
        Frame {
            axes: [
                placement.in_both(&t),
                placement.in_both(&b),
                placement.in_both(n),
            ],
            common: [t, b, *n],
            center: [V::paired(ct, ct), V::paired(cb, cb), V::paired(cn, cn)],
        }
    }

    /// A vector of the placement's frame, from its components along t, b, n.
    #[inline(always)]
    fn combined(&self, v: &[V; 3]) -> [V::Group; 3] {
        let v = [v[0].of_a(), v[1].of_a(), v[2].of_a()];
        combined(&self.common, &v)
    }

    /// Components of vectors along t, b, n; of B's, negated.
    #[inline(always)]
    fn components(&self, v: &[V; 3]) -> [V; 3] {
        let [t, b, n] = &self.axes;
        [dot(t, v), dot(b, v), dot(n, v)]
    }
}

/// One evaluation of the system. What concerns the pair is the same in the lanes of A and B.
pub(super) struct System<W: Halves> {
    pub surface: Surface<W>,
    /// Normals in the frame.
    normals: [W::Half; 3],
    /// (N_A·n)(N_B·n), which chart coordinates are multiplied by here instead of being divided.
    upright: W::Half,
    /// e for A, −e for B, times `upright`.
    e: [W::Half; 2],
    /// γ times `upright`.
    gamma: [W::Half; 2],
    /// m_A + m_B, times `upright`.
    sum: [W::Half; 2],
    /// Half of d·n.
    half_gap: W::Half,
    /// |d·n| + ½, by which γ is an angle: with it as c, W has no part of d left that is not positive.
    scale: W::Half,
    /// Σ δ⁸: the square of how far the states were from their circles.
    off_circle: W::Half,
    /// Square of what the normals' angle may lack after a last step that was not followed by an evaluation.
    neglected: W::Half,
    /// Squared residual, without unit; infinite if a normal faces away.
    pub merit: W::Half,
}

#[inline(always)]
pub(super) fn assemble<W: Halves<Half: Paired>>(
    bodies: &Bodies<W>,
    at: &Coordinates<W>,
    frame: &Frame<W::Half>,
    rough: bool,
) -> System<W> {
    let surface = bodies.evaluate_roughly_if(rough, at);
    let none = frame.center[0].all(0.0);
    System::of(surface, frame, none)
}

impl<W: Halves<Half: Paired>> System<W> {
    #[inline(always)]
    fn of(surface: Surface<W>, frame: &Frame<W::Half>, neglected: W::Half) -> Self {
        let normals = frame.components(&surface.n);
        // B's axes are negated: x_A + x_B here is what d lacks to the centre.
        let [xt, xb, xn] = frame.components(&surface.x);
        let c = &frame.center;
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
        let infinite = squared.all(f64::INFINITY);
        let merit = W::Half::select(facing.all(0.0).less(facing), squared, infinite).of_a();
        // B's is the same, but from −e, so that a batch would compute it once more.
        let merit = W::Half::paired(merit, merit);
        System {
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

    /// After a last step that [`is_slight`], without another evaluation. Only for an answer: there is no step
    /// from there.
    #[inline(always)]
    pub fn concluded(&self, bodies: &Bodies<W>, frame: &Frame<W::Half>, turns: W) -> Self {
        // A normal's third component is the sum of a few dozen products.
        const PRODUCTS: f64 = 64.0;
        let share = bodies.steepest() / self.normals[2] * (PRODUCTS * SLIGHT);
        let share = share.max(share.swapped());
        let surface = bodies.slightly_turned(&self.surface, turns);
        System::of(surface, frame, share * share)
    }
}

/// Where a step of both bodies is so short that it need not be followed by an evaluation.
#[inline(always)]
pub(super) fn is_slight<W: Halves<Half: Paired>>(
    bodies: &Bodies<W>,
    from: &Surface<W>,
    turns: W,
) -> <W::Half as Lanes>::Mask {
    let circles = bodies.circles_not_slightly_turned(from, turns);
    (circles + circles.swapped()).less(circles.all(0.5))
}

#[inline(always)]
fn squared_length<V: Lanes>(v: &[V; 2]) -> V {
    v[0].mul_add(v[0], v[1] * v[1])
}

/// The steps of both bodies from the linearised system.
#[inline(always)]
pub(super) fn newton_step<W: Halves<Half: Paired>>(
    system: &System<W>,
    frame: &Frame<W::Half>,
) -> Step<W::Half> {
    let [nt, nb, nn] = system.normals;
    let [t, b, n] = &frame.axes;
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
    // Row by row.
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
    // The other body's.
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

/// The adjugate of a 2×2 matrix times a vector.
#[inline(always)]
fn apply_adjugate<V: Lanes>(m: &[V; 4], v: &[V; 2]) -> [V; 2] {
    [
        m[3].mul_sub(v[0], m[1] * v[1]),
        m[0].mul_sub(v[1], m[2] * v[0]),
    ]
}

/// Length of the larger of the two bodies' steps, in the sum norm.
#[inline(always)]
pub(super) fn length<V: Paired>(step: &Step<V>) -> V {
    let length = (step.around.abs() + step.along.abs()) / step.weight.abs();
    length.max(length.swapped())
}

/// Whether the steps of both bodies are shorter than that, without a division.
#[inline(always)]
pub(super) fn is_shorter<V: Paired>(step: &Step<V>, than: f64) -> V::Mask {
    let length = step.around.abs() + step.along.abs();
    let limit = step.weight.abs() * than;
    length.less(limit) & length.swapped().less(limit.swapped())
}

/// Two unit vectors that make a right-handed frame `(t, b, n)` with the unit vector n, by the formula of
/// Duff et al. 2017 (branchless, no pole).
#[inline(always)]
pub(super) fn tangents_of<V: Lanes>(n: &[V; 3]) -> [[V; 3]; 2] {
    let [x, y, z] = *n;
    let one = z.all(1.0);
    let sign = one.copysign(z);
    let k = -(sign + z).recip();
    let xy = x * y * k;
    [
        [(sign * x * x).mul_add(k, one), sign * xy, -(sign * x)],
        [xy, (y * y).mul_add(k, sign), -y],
    ]
}

/// A stationary pair of points in lanes, in the placement's frame.
pub(super) struct Found<V> {
    pub xa: [V; 3],
    /// x_B − x_A.
    pub d: [V; 3],
    /// Unit vectors.
    pub normal: [V; 3],
    /// Squares of |e| and of how far the coordinates were from their circles.
    pub mismatch: V,
    pub off_circle: V,
}

impl<V: Lanes> Found<V> {
    #[inline(always)]
    pub fn points(&self) -> Points<V> {
        Points {
            xa: self.xa,
            d: self.d,
            normal: self.normal,
            mismatch: self.mismatch.sqrt(),
        }
    }

    /// The coordinates are so near their circles that the points are on the surfaces to rounding.
    #[inline(always)]
    pub fn on_surface(&self) -> V::Mask {
        self.off_circle
            .less(self.off_circle.all(ON_SURFACE * ON_SURFACE))
    }
}

impl<W: Halves<Half: Paired>> System<W> {
    /// Where the chart's mean normals are farther from its axis than the limit.
    #[inline(always)]
    pub fn is_off_axis(&self) -> <W::Half as Lanes>::Mask {
        let limit = self.upright * (2.0 * CHART_LIMIT);
        (limit * limit).less(squared_length(&self.sum))
    }

    /// The unit mean of A's normal and B's opposite one, in the placement's frame.
    #[inline(always)]
    pub fn normal(&self, frame: &Frame<W::Half>) -> [<W::Half as Paired>::Group; 3] {
        let [mt, mb] = self.sum;
        let twice = self.upright * 2.0;
        let n = frame.combined(&[mt, mb, twice]);
        // The frame keeps lengths: what has a root and a division to wait for need not wait for the turn.
        let squared = twice.mul_add(twice, squared_length(&self.sum));
        let per_length = squared.of_a().sqrt().recip();
        [n[0] * per_length, n[1] * per_length, n[2] * per_length]
    }

    #[inline(always)]
    pub fn found(
        &self,
        frame: &Frame<W::Half>,
        placement: &impl Placement<W::Half>,
    ) -> Found<<W::Half as Paired>::Group> {
        let [xa, d] = placement.points(&self.surface.x);
        Found {
            xa,
            d,
            normal: self.normal(frame),
            mismatch: (squared_length(&self.e) / (self.upright * self.upright) + self.neglected)
                .of_a(),
            off_circle: self.off_circle.of_a(),
        }
    }
}

impl Stationary {
    /// From the numbers of one lane.
    #[inline(always)]
    pub(super) fn new(lane: &Found<f64>, states: [State; 2]) -> Stationary {
        let xa = Vector3::from(lane.xa);
        Stationary {
            xa,
            d: lane.d.into(),
            normal: lane.normal.into(),
            mismatch: lane.mismatch.sqrt(),
            on_surface: lane.on_surface(),
            states,
        }
    }
}

/// Where Newton starts.
pub(crate) enum Start<'a> {
    /// About the centre line.
    CenterLine,
    /// At the surface points of these coordinates, about a unit vector.
    Direction(Vector3<f64>, [State; 2]),
    /// Where the last answers lead to.
    Cache(&'a PairCache),
}

/// Runs Newton from `start`; counts its steps in `iterations`. The result is the best state met:
/// its residual may not have vanished, so only a bracket can tell what it is worth. None if there
/// is nothing to start from.
pub(crate) fn solve(
    problem: &Problem,
    start: Start,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    on_this_processor_by_fours!(simd => solve_problem(simd, problem, start, max_iterations, iterations))
}

#[inline(always)]
fn solve_problem<S: Simd>(
    simd: S,
    problem: &Problem,
    start: Start,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    solve_in_lanes(
        simd,
        &Bodies::of_pair(simd, &problem.a, &problem.b, 1.0),
        &problem.relative(0.0.simd_into(simd)),
        start,
        &|n| problem.support_states(n),
        max_iterations,
        iterations,
    )
}

/// The last step, to be taken back if it leads astray.
struct Taken<S: Simd> {
    from: Place<f64x4<S>>,
    step: Step<f64x2<S>>,
    /// Merit where it began.
    merit: f64,
}

/// [`solve`] for bodies in lanes, in the frame of their placement. `supports` gives the surface coordinates of the
/// support points in a direction, should the guess fail.
#[inline(always)]
pub(super) fn solve_in_lanes<S: Simd>(
    simd: S,
    bodies: &Bodies<f64x4<S>>,
    placement: &impl Placement<f64x2<S>>,
    start: Start,
    supports: &dyn Fn(&Vector3<f64>) -> [State; 2],
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Stationary> {
    let mut rough_evaluations = match start {
        Start::CenterLine => ROUGH_EVALUATIONS,
        Start::Direction(..) | Start::Cache(_) => 0,
    };
    let (axis, start) = begin(simd, placement, start)?;
    let mut frame = Frame::about(&axis, placement);
    let mut at = match start {
        Some(at) => at,
        None => bodies.guess(&placement.in_both(placement.center())),
    };
    let zero = 0.0.simd_into(simd);
    let mut taken = Taken {
        from: Place {
            good: at,
            tangent: at,
        },
        step: Step::new(zero, zero, zero),
        merit: f64::INFINITY,
    };
    let most_steps = max_iterations.min(MOST_ITERATIONS);
    let (mut steps, mut shortenings) = (0, 0);
    // The support points were tried as a start; the chart was moved to this point; this point is the
    // last, whatever it is.
    let (mut restarted, mut recentred, mut last) = (false, false, false);
    // One way back to the loop's start: of several the compiler would make loops within each other, the usual
    // step in the outer one.
    loop {
        'evaluated: {
            let rough = rough_evaluations > 0;
            let system = assemble(bodies, &at, &frame, rough);
            let merit = lanes_of(system.merit)[0];
            let astray = merit.is_nan() || merit > ACCEPTED_GROWTH * taken.merit;
            if astray && !last {
                if steps == 0 {
                    return None;
                }
                if shortenings < SHORTENINGS {
                    shortenings += 1;
                    taken.step = taken.step.scaled(zero.all(SHORTENING));
                    at = bodies.advance(&taken.from, &taken.step).at;
                    break 'evaluated;
                }
                if !merit.is_finite() {
                    at = taken.from.good;
                    last = true;
                    break 'evaluated;
                }
            }
            if merit == f64::INFINITY && steps == 0 && !restarted {
                // The guess looks away from the chart: the support points along the axis never do.
                at = support_coordinates(simd, &first_lanes(&axis), supports);
                restarted = true;
                break 'evaluated;
            }
            let converged = !rough && merit <= CONVERGED * CONVERGED;
            let stuck =
                merit >= taken.merit && <f64x2<S>>::everywhere(is_shorter(&taken.step, NO_STEP));
            if last
                || converged
                || stuck
                || steps == most_steps
                || !(merit.is_finite() || recentred)
            {
                if rough {
                    // The same point once more.
                    at = system.surface.place.good;
                    rough_evaluations = 0;
                    break 'evaluated;
                }
                return merit
                    .is_finite()
                    .then(|| conclude(&system.found(&frame, placement), &system));
            }
            if !<f64x2<S>>::everywhere(!system.is_off_axis()) && !recentred {
                frame = Frame::about(&system.normal(&frame), placement);
                at = system.surface.place.good;
                taken.merit = f64::INFINITY;
                recentred = true;
                break 'evaluated;
            }
            let mut step = newton_step(&system, &frame);
            if !<f64x2<S>>::everywhere(is_shorter(&step, LONGEST_STEP)) {
                let length = lanes_of(length(&step))[0];
                if !length.is_finite() {
                    at = system.surface.place.good;
                    last = true;
                    break 'evaluated;
                }
                step = step.scaled(zero.all(LONGEST_STEP / length));
            }
            let place = &system.surface.place;
            let Advanced { at: next, turns } = bodies.advance(place, &step);
            let slight = || <f64x2<S>>::everywhere(is_slight(bodies, &system.surface, turns));
            if !rough && merit < PERHAPS_SLIGHT * PERHAPS_SLIGHT && slight() {
                let concluded = system.concluded(bodies, &frame, turns);
                if lanes_of(concluded.merit)[0] <= CONVERGED * CONVERGED {
                    return Some(conclude(&concluded.found(&frame, placement), &concluded));
                }
            }
            at = next;
            taken = Taken {
                from: system.surface.place,
                step,
                merit: if rough { merit.max(ROUGH_MERIT) } else { merit },
            };
            steps += 1;
            *iterations += 1;
            shortenings = 0;
            recentred = false;
        }
        rough_evaluations = rough_evaluations.saturating_sub(1);
    }
}

// Within the solver's function, coordinates that are put together from single numbers would make its loop
// carry all coordinates as such.
#[cold]
#[inline(never)]
fn support_coordinates<S: Simd>(
    simd: S,
    n: &Vector3<f64>,
    supports: &dyn Fn(&Vector3<f64>) -> [State; 2],
) -> Coordinates<f64x4<S>> {
    Coordinates::of_pair(simd, &supports(n))
}

/// The same vector in both lanes.
#[inline(always)]
fn everywhere<S: Simd>(simd: S, v: &[f64; 3]) -> [f64x2<S>; 3] {
    both(simd, v, v)
}

/// A's vector.
#[inline(always)]
fn first_lanes<S: Simd>([x, y, z]: &[f64x2<S>; 3]) -> Vector3<f64> {
    Vector3::new(lanes_of(*x)[0], lanes_of(*y)[0], lanes_of(*z)[0])
}

/// The unit vectors of the centre lines.
#[inline(always)]
pub(super) fn center_line<V: Lanes>(center: &[V; 3]) -> [V; 3] {
    let per_length = dot(center, center).sqrt().recip();
    [
        center[0] * per_length,
        center[1] * per_length,
        center[2] * per_length,
    ]
}

/// The chart's axis and the coordinates to start from; None for those about the axis.
type Beginning<S> = ([f64x2<S>; 3], Option<Coordinates<f64x4<S>>>);

/// Nothing if there is nothing to start from.
#[inline(always)]
fn begin<S: Simd>(
    simd: S,
    placement: &impl Placement<f64x2<S>>,
    start: Start,
) -> Option<Beginning<S>> {
    match start {
        Start::CenterLine if lanes_of(placement.apart())[0] < SAME_CENTER => None,
        Start::CenterLine => Some((center_line(placement.center()), None)),
        Start::Direction(n, states) => {
            let at = Coordinates::of_pair(simd, &states);
            Some((everywhere(simd, &n.into()), Some(at)))
        }
        Start::Cache(cache) => {
            const UNIT: f64 = 1e-6;
            let n = &cache.normal;
            let filled = (dot(n, n) - 1.0).abs() < UNIT;
            if filled {
                let axis = placement.vector_of_a(&everywhere(simd, n));
                Some((axis, Some(cache.expected(simd))))
            } else {
                None
            }
        }
    }
}

/// Of the first lane.
#[inline(always)]
pub(super) fn first_of<S: Simd>(found: &Found<f64x2<S>>) -> Found<f64> {
    Found {
        xa: first_lanes(&found.xa).into(),
        d: first_lanes(&found.d).into(),
        normal: first_lanes(&found.normal).into(),
        mismatch: lanes_of(found.mismatch)[0],
        off_circle: lanes_of(found.off_circle)[0],
    }
}

#[inline(always)]
fn conclude<S: Simd>(found: &Found<f64x2<S>>, system: &System<f64x4<S>>) -> Stationary {
    Stationary::new(&first_of(found), system.surface.place.good.states())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Superovoid;
    use nalgebra::Isometry3;

    /// Newton's first steps do without the last digits of the powers, but no answer does, wherever it stops: its
    /// points have its normals. Equal bodies side by side have the same normal everywhere on the way.
    #[test]
    fn answers_do_not_come_from_rough_powers() {
        let here = Isometry3::identity();
        let there = Isometry3::translation(2.0, 1.1, 1.6);
        for e in [0.3, 0.7, 1.3, 1.7] {
            let body = Superovoid::superellipsoid([1.0, 0.8, 0.6], [e; 2]).expect("valid");
            let problem = Problem::new(&body, &here, &body, &there, 1e-9);
            for limit in [0, 1, 2, 3, 30] {
                let found = solve(&problem, Start::CenterLine, limit, &mut 0).expect("a start");
                let right = problem.a.support(&found.normal).point.coords;
                let off = (found.xa - right).norm();
                assert!(off < 1e-6, "e = {e}, {limit} steps: {off:e}");
            }
        }
    }
}
