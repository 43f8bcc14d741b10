//! The chain of solver stages: each hands on what it could not prove.
//!
//! Convex bodies: Newton (from the cache, then from the centre line) → cutting planes on the normal
//! → Newton again from there; overlaps go on to the least depth. Non-convex bodies: Newton on the
//! true surfaces, bounded by their hulls → slabs.

use crate::lanes::all_finite;
use crate::pair::branch_and_bound::{self, Known};
use crate::pair::depth::{self, Penetration};
use crate::pair::localiser::{self, Localised};
use crate::pair::newton::{self, Start, Stationary};
use crate::pair::plain;
use crate::pair::problem::{ConvexPair, Problem, center_line};
use crate::pair::slabs::{self, Verdict};
use crate::pair::{DepthMode, Outcome, PairCache, QueryOptions};
use crate::surface::good::State;
use nalgebra::Vector3;

/// The answer in the problem's units and frame.
pub(crate) struct Answer {
    pub distance: f64,
    pub normal: Vector3<f64>,
    /// Witness of A; B's is `xa + distance · normal`.
    pub xa: Vector3<f64>,
    pub lower: f64,
    pub upper: f64,
    pub outcome: Outcome,
    /// Newton's state at the answer, for the next query.
    pub states: Option<[State; 2]>,
}

impl Answer {
    fn plain(answer: &plain::Answer<f64>, states: [State; 2], outcome: Outcome) -> Answer {
        Answer {
            distance: answer.distance,
            normal: answer.normal.into(),
            xa: answer.xa.into(),
            lower: answer.lower,
            upper: answer.upper,
            outcome,
            states: Some(states),
        }
    }

    /// What may be said of it, whatever found it.
    #[inline(always)]
    pub fn made_safe(self, problem: &Problem) -> Answer {
        let mut answer = self;
        if !answer.is_finite() {
            // Sizes or distances near the limits of the number range.
            answer = unknown(problem);
        }
        if !problem.a.traits.both(problem.b.traits).provable() {
            answer.retract(problem.crude_bracket());
        }
        answer.stay_safe();
        answer
    }

    /// Takes back what was proven, but for the bracket that always holds.
    pub fn retract(&mut self, [lower, upper]: [f64; 2]) {
        match self.outcome {
            Outcome::Certified => self.outcome = Outcome::Converged,
            // Proven by the bounding balls, or not at all.
            Outcome::Beyond if lower < self.lower => {
                self.outcome = Outcome::NotConverged;
                self.upper = upper;
            }
            _ => {}
        }
        (self.lower, self.upper) = (self.lower.min(lower), self.upper.max(upper));
    }

    /// Nothing that is not proven to be free reads as free: without a proof, and a positive distance
    /// in doubt, the distance is its lower bound.
    #[inline(always)]
    pub fn stay_safe(&mut self) {
        if self.outcome == Outcome::NotConverged && self.lower <= 0.0 {
            self.distance = self.distance.min(self.lower);
        }
    }

    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        let ([n, m, o], [x, y, z]) = (self.normal.into(), self.xa.into());
        let numbers = [n, m, o, x, y, z, self.distance, self.lower];
        // Upper is infinite where only a lower bound was asked for.
        all_finite(&numbers) && !self.upper.is_nan()
    }
}

pub(crate) struct Chain<'a> {
    problem: &'a Problem,
    options: &'a QueryOptions,
    /// `options.max_distance` in the problem's units.
    max_distance: f64,
    pub iterations: u32,
}

/// What became of a start of Newton's method, and the steps that took.
pub(crate) struct Tried {
    pub found: Option<Stationary>,
    pub steps: u32,
}

/// What a stationary pair amounts to.
enum Judgement {
    Answer(Answer),
    /// A point of both bodies, and the penetration found.
    Overlap(Penetration),
    /// Nothing is proven; a direction to go on from.
    Open(Vector3<f64>),
}

impl<'a> Chain<'a> {
    #[inline(always)]
    pub fn new(problem: &'a Problem, options: &'a QueryOptions) -> Self {
        let max_distance = options.max_distance / problem.unit;
        Chain {
            problem,
            options,
            max_distance,
            iterations: 0,
        }
    }

    /// From the cache, if there is one; `tried` tells what became of the first start if that was tried.
    pub fn run(&mut self, cache: Option<&PairCache>, tried: Option<&Tried>) -> Answer {
        let answer = self.solve(cache, tried);
        answer.made_safe(self.problem)
    }

    fn solve(&mut self, cache: Option<&PairCache>, mut tried: Option<&Tried>) -> Answer {
        let problem = self.problem;
        let [crude, _] = problem.crude_bracket();
        if crude > self.max_distance {
            let normal = axis(problem);
            return beyond(normal, normal * problem.a.outer_radius, crude);
        }
        if problem.are_points() {
            return round_bodies(problem, 0.0, 0.0);
        }
        if problem.a.traits.both(problem.b.traits).sphere() {
            return round_bodies(problem, problem.a.a[0], problem.b.a[0]);
        }
        let mut hint = None;
        let mut stationary = None;
        for start in [cache.map(Start::Cache), Some(Start::CenterLine)]
            .into_iter()
            .flatten()
        {
            let found = match tried.take() {
                Some(tried) => {
                    self.iterations += tried.steps;
                    tried.found
                }
                None => {
                    let most = self.options.max_iterations;
                    newton::solve(problem, start, most, &mut self.iterations)
                }
            };
            let Some(s) = found else {
                continue;
            };
            match self.judge(&s) {
                Judgement::Answer(answer) => return answer,
                Judgement::Overlap(p) => {
                    let middle = s.xa + 0.5 * s.d;
                    return self.overlap(Known::Local(p), middle, Some(s.states));
                }
                Judgement::Open(n) => (hint, stationary) = (Some(n), Some(s)),
            }
        }
        if problem.both_convex() {
            self.localise(hint)
        } else {
            self.slabs(stationary)
        }
    }

    /// Bounds a stationary pair: see [`plain`] for what convex bodies' witnesses prove by themselves;
    /// otherwise the support functions (of the hulls) are asked.
    #[inline(always)]
    fn judge(&mut self, s: &Stationary) -> Judgement {
        let problem = self.problem;
        let shown = plain::show(&problem.plain(), &s.points());
        let plain::Shown { along, length, .. } = shown;
        if !s.on_surface || !length.is_finite() {
            return Judgement::Open(s.normal);
        }
        let mut lower = shown.lower;
        let upper = length + problem.rounding;
        let target = if along >= 0.0 { upper } else { along };
        let (convex, finite) = (problem.both_convex(), shown.answer.is_finite());
        let asked = !convex || target - lower > problem.tolerance;
        if asked {
            lower = problem.probe(&s.normal).gap - problem.rounding;
        }
        if lower > self.max_distance {
            return Judgement::Answer(beyond(s.normal, s.xa, lower));
        }
        if convex && shown.closed && finite {
            return Judgement::Answer(Answer::plain(&shown.answer, s.states, Outcome::Certified));
        }
        if convex && shown.overlapping && finite && self.is_least(-lower) {
            return Judgement::Answer(Answer::plain(&shown.answer, s.states, Outcome::Converged));
        }
        if upper - lower <= problem.tolerance
            && let Some(normal) = self.line_up(&shown, &s.d)
        {
            let answer = close(
                problem,
                normal,
                [s.xa, s.xb()],
                [lower, upper],
                problem.tolerance,
                Outcome::NotConverged,
                Some(s.states),
            );
            if answer.outcome == Outcome::Certified {
                return Judgement::Answer(answer);
            }
        }
        if along < 0.0 && shown.aligned && self.share_a_point(s, along) {
            let stationary = (!convex && s.mismatch < 1e-8) || along - lower <= problem.tolerance;
            if stationary {
                return Judgement::Overlap(Penetration {
                    normal: s.normal,
                    gap: lower + problem.rounding,
                    xa: s.xa,
                    xb: s.xb(),
                });
            }
        }
        Judgement::Open(s.normal)
    }

    /// Whether the first depth found is taken for the least.
    #[inline(always)]
    fn is_least(&self, depth: f64) -> bool {
        let problem = self.problem;
        let inner = problem.a.inner_radius + problem.b.inner_radius;
        let mode = self.options.depth;
        depth::is_least(mode, &problem.a, &problem.b, inner, problem.apart, depth)
    }

    /// Whether the bodies overlap.
    fn share_a_point(&self, s: &Stationary, along: f64) -> bool {
        let problem = self.problem;
        let surely = || plain::surely_share_a_point(&problem.plain(), &s.points(), along);
        (problem.both_convex() && surely()) || problem.share_a_point(&s.xa, &s.xb())
    }

    /// The normal of a closed bracket that the witnesses can be lined up with: see
    /// [`plain::Shown::normal`]; or the direction of their difference where the support functions prove
    /// that.
    #[inline(always)]
    fn line_up(&self, shown: &plain::Shown<f64>, d: &Vector3<f64>) -> Option<Vector3<f64>> {
        if shown.lined_up {
            return Some(shown.normal.into());
        }
        let (problem, length) = (self.problem, shown.length);
        let proven = || length - problem.probe(&(d / length)).gap <= problem.tolerance;
        (shown.along > NEARLY_TOUCHING && proven()).then(|| d / length)
    }

    fn localise(&mut self, hint: Option<Vector3<f64>>) -> Answer {
        let problem = self.problem;
        let found = localiser::localise(problem, hint, self.max_distance, &mut self.iterations);
        if found.lower - problem.rounding > self.max_distance {
            return beyond(
                found.normal,
                problem.probe(&found.normal).xa,
                found.lower - problem.rounding,
            );
        }
        if found.overlap {
            let [xa, xb] = found.witnesses;
            let middle = 0.5 * (xa + xb);
            // If Newton's method does not lead from there to a local solution, the search for the least
            // depth does.
            let found = Penetration::along(problem, &found.normal);
            let local = problem.sharpen(&found.normal, found.gap, &mut self.iterations);
            let known = local.map_or(Known::Any(found), Known::Local);
            return self.overlap(known, middle, None);
        }
        // The bracket fixes the distance, Newton the points.
        let start = Start::Direction(found.normal, problem.support_states(&found.normal));
        if let Some(s) = newton::solve(
            problem,
            start,
            self.options.max_iterations,
            &mut self.iterations,
        ) && let Judgement::Answer(answer) = self.judge(&s)
        {
            return answer;
        }
        self.conclude(&found)
    }

    /// The localiser's witnesses are combinations of surface points, inside the bodies by their
    /// flatness: both are moved along the normal onto the surfaces, which only brings them nearer.
    fn conclude(&self, found: &Localised) -> Answer {
        let problem = self.problem;
        let [xa, xb] = found.witnesses;
        let d = xb - xa;
        let length = d.norm();
        let along = d / length;
        let proven = || length - problem.probe(&along).gap <= problem.tolerance;
        let normal = if length > NEARLY_TOUCHING && proven() {
            along
        } else {
            found.normal
        };
        let lower = found.lower - problem.rounding;
        let [xa, xb] = depth::onto_surfaces(problem, &normal, [xa, xb]);
        let d = xb - xa;
        let length = d.norm();
        let upper = length + problem.rounding;
        let (points, bracket) = ([xa, xb], [lower, upper]);
        let open = Outcome::NotConverged;
        let along = |normal| {
            close(
                problem,
                normal,
                points,
                bracket,
                problem.tolerance,
                open,
                None,
            )
        };
        let answer = along(normal);
        // Lining the witnesses up with the normal can open a bracket that their difference closes.
        let opened = answer.outcome != Outcome::Certified && upper - lower <= problem.tolerance;
        if opened && length > NEARLY_TOUCHING {
            along(d / length)
        } else {
            answer
        }
    }

    /// Overlapping bodies: `known` is a penetration of theirs, `common` a point of both to rounding.
    fn overlap(
        &mut self,
        known: Known,
        common: Vector3<f64>,
        states: Option<[State; 2]>,
    ) -> Answer {
        let problem = self.problem;
        let convex = problem.both_convex();
        let first = known.penetration();
        let mut p = first;
        let mut upper = f64::INFINITY;
        let mut tolerance = problem.tolerance;
        if convex && self.options.depth == DepthMode::Certified {
            let size = problem.a.size().max(problem.b.size());
            tolerance = tolerance.max(CERTIFIED_DEPTH * size);
            // What the witnesses lose to the bound, and rounding, comes out of the same budget.
            (p, upper) =
                branch_and_bound::certified(problem, known, 0.9 * tolerance, &mut self.iterations);
            upper += problem.rounding;
        } else if !self.is_least(-p.gap) {
            (p, upper) = branch_and_bound::fast(problem, known, &mut self.iterations);
            upper += problem.rounding;
        } else if let Known::Any(_) = known {
            p = depth::local_maximum(problem, &p.normal, p.gap, &mut self.iterations);
        }
        let lower = p.gap - problem.rounding;
        let along = (p.xb - p.xa).dot(&p.normal);
        // A bound on the hulls' penetration is none on that of bodies inside them.
        let upper = if convex && upper <= 0.0 {
            upper
        } else {
            problem.upper_of_overlap(&[common, 0.5 * (p.xa + p.xb), p.xa, p.xb])
        };
        let upper = if convex { upper.max(along) } else { upper };
        let states = states.filter(|_| p.normal == first.normal);
        let (points, bracket) = ([p.xa, p.xb], [lower, upper]);
        let open = if upper > 0.0 {
            Outcome::NotConverged
        } else {
            Outcome::Converged
        };
        close(problem, p.normal, points, bracket, tolerance, open, states)
    }

    fn slabs(&mut self, start: Option<Stationary>) -> Answer {
        let problem = self.problem;
        match slabs::separate(problem, start, &mut self.iterations) {
            Verdict::Overlap { common } => {
                let n = start.map_or_else(|| axis(problem), |s| s.normal);
                let gap = problem.probe(&n).gap;
                let [xa, xb] = depth::onto_surfaces(problem, &n, [common; 2]);
                let known = Known::Local(Penetration {
                    normal: n,
                    gap,
                    xa,
                    xb,
                });
                self.overlap(known, common, None)
            }
            Verdict::Apart { lower, .. } if lower > self.max_distance => {
                let n = axis(problem);
                beyond(n, problem.probe(&n).xa, lower)
            }
            Verdict::Apart {
                lower,
                nearest: Some(s),
            } => {
                let upper = s.d.norm() + problem.rounding;
                let normal = if s.d.norm() > NEARLY_TOUCHING {
                    s.d.normalize()
                } else {
                    s.normal
                };
                let (points, bracket, states) = ([s.xa, s.xb()], [lower, upper], Some(s.states));
                let open = Outcome::NotConverged;
                close(
                    problem,
                    normal,
                    points,
                    bracket,
                    problem.tolerance,
                    open,
                    states,
                )
            }
            Verdict::Apart { nearest: None, .. } => unknown(problem),
        }
    }
}

/// Distance (relative to the larger body) below which the difference of the witnesses is no good as
/// a normal.
pub(crate) const NEARLY_TOUCHING: f64 = 1e-7;
/// A shift that is rounding: where the surface is smooth it leaves a point on it to the square of
/// this, at a ridge to itself.
pub(crate) const SHIFTED_BY_ROUNDING: f64 = 3e-11;
/// Bracket at which a certified depth counts as closed, relative to the larger body.
pub(crate) const CERTIFIED_DEPTH: f64 = 1e-6;

/// Puts an answer together so that `x_B = x_A + distance n` holds exactly: what is left of the
/// difference beside the normal is split between the two points, along their tangent planes. Where
/// that is more than rounding, ridges may need them back on the surfaces, along the normal.
///
/// That can move the witnesses' distance out of the bracket, which then widens. The answer is certified
/// if it is no wider than `tolerance` in the end; otherwise its outcome is `open`.
#[inline(always)]
pub(crate) fn close(
    problem: &Problem,
    normal: Vector3<f64>,
    [xa, xb]: [Vector3<f64>; 2],
    [lower, upper]: [f64; 2],
    tolerance: f64,
    open: Outcome,
    states: Option<[State; 2]>,
) -> Answer {
    let d = xb - xa;
    let mut distance = d.dot(&normal);
    let beside = d - normal * distance;
    let mut xa = xa + 0.5 * beside;
    if beside.norm() > SHIFTED_BY_ROUNDING.max(problem.rounding) {
        let witnesses = depth::onto_surfaces(problem, &normal, [xa, xb - 0.5 * beside]);
        xa = witnesses[0];
        distance = (witnesses[1] - xa).dot(&normal);
    }
    let (lower, upper) = (lower.min(distance), upper.max(distance));
    Answer {
        distance,
        normal,
        xa,
        lower,
        upper,
        outcome: if upper - lower <= tolerance {
            Outcome::Certified
        } else {
            open
        },
        states,
    }
}

pub(crate) fn beyond(normal: Vector3<f64>, xa: Vector3<f64>, lower: f64) -> Answer {
    let upper = f64::INFINITY;
    Answer {
        distance: lower,
        normal,
        xa,
        lower,
        upper,
        outcome: Outcome::Beyond,
        states: None,
    }
}

/// Nothing but the crude bracket: the inner balls stand in for the bodies.
fn unknown(problem: &Problem) -> Answer {
    let [lower, upper] = problem.crude_bracket();
    let normal = axis(problem);
    let [ra, rb] = problem.inner_radii();
    Answer {
        distance: problem.apart - ra - rb,
        normal,
        xa: normal * ra,
        lower,
        upper,
        outcome: Outcome::NotConverged,
        states: None,
    }
}

/// See [`center_line`].
pub(crate) fn axis(problem: &Problem) -> Vector3<f64> {
    center_line(&problem.center)
}

/// Two spheres (or two points): everything is on the centre line, and exact.
fn round_bodies(problem: &Problem, ra: f64, rb: f64) -> Answer {
    let normal = axis(problem);
    let distance = problem.apart - ra - rb;
    let (lower, upper) = (distance - problem.rounding, distance + problem.rounding);
    let xa = normal * ra;
    let outcome = Outcome::Certified;
    Answer {
        distance,
        normal,
        xa,
        lower,
        upper,
        outcome,
        states: None,
    }
}
