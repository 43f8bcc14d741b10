//! The pipeline of solver stages: each stage hands on what it could not prove.
//!
//! For two superovoids, convex ones unless said otherwise:
//!
//! 1. The **bounding spheres** end a query whose bodies are farther apart than the maximum distance. Two spheres, and
//!    bodies that are points at their distance, have an answer in closed form.
//! 2. **Newton's method** ([`newton`](crate::pair::newton)) finds a stationary pair of surface points, from the warm
//!    start if there is one, otherwise from the centre line. Nearly every query takes this step in the
//!    [`fast_path`](crate::pair::fast_path) and never comes here.
//! 3. The **certificate** ([`certificate`](crate::pair::certificate)) bounds the signed distance by the witness points
//!    alone. Where that leaves the bracket open, the support functions bound it.
//! 4. Where Newton's method fails, **cutting planes** on the normal
//!    ([`cutting_planes`](crate::narrowphase::cutting_planes)) find the distance, or a common point. Newton's method is
//!    then started again from their normal, for the witness points.
//! 5. Where any proof of an overlap is an answer, the **line of the centres** may pass through a common point, which is asked first;
//!    otherwise it is the first penetration of Newton's method, or where that fails GJK's answer.
//! 6. **Overlapping** bodies go on to their least depth: a shallow one is presumed to be the least
//!    ([`local_depth`](crate::pair::local_depth)), a deeper one is searched for by
//!    [`branch_and_bound`](crate::narrowphase::branch_and_bound) over all directions.
//! 7. **Non-convex** bodies take steps 2 and 3 on their true surfaces, bounded by their hulls. What that leaves open is
//!    decided by [`slabs`](crate::pair::slabs).
//! 8. The answer is **finalized**: nothing that is not proven to be free reads as free.

use crate::narrowphase::branch_and_bound::InitialPenetration;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::narrowphase::convex_pair::Penetration;
use crate::narrowphase::cutting_planes::CuttingPlanesResult;
use crate::narrowphase::gjk;
use crate::narrowphase::{ascent, branch_and_bound, cutting_planes};
use crate::pair::answer::{
    assemble_answer, axis, certified_answer, finalize, sphere_bracket_answer, spheres_answer,
};
use crate::pair::certificate::{Certificate, certify, inner_spheres_prove_overlap};
use crate::pair::newton::PairStart;
use crate::pair::problem::PairProblem;
use crate::pair::slabs::SlabResult;
use crate::pair::stationary::Stationary;
use crate::pair::warm_start::PairCache;
use crate::pair::{local_depth, newton, slabs};
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::units::{CERTIFIED_DEPTH, NEARLY_TOUCHING};
use crate::surface::primal_dual::SurfaceState;
use nalgebra::Vector3;

pub(crate) struct Pipeline<'a> {
    problem: &'a PairProblem,
    options: &'a QueryOptions,
    /// The option `max_distance` in the problem's units.
    max_distance: f64,
    pub iterations: u32,
}

/// The result of one start of Newton's method, and the number of its steps.
pub(crate) struct FirstAttempt {
    pub found: Option<Stationary>,
    pub steps: u32,
}

/// The assessment of a stationary pair.
enum Assessment {
    Answer(Answer),
    /// The bodies overlap; this is the penetration found.
    Overlap(Penetration),
    /// Nothing is proven; this is a direction to continue from.
    Open(Vector3<f64>),
}

impl<'a> Pipeline<'a> {
    #[inline(always)]
    pub fn new(problem: &'a PairProblem, options: &'a QueryOptions) -> Self {
        let max_distance = options.max_distance / problem.unit;
        Pipeline {
            problem,
            options,
            max_distance,
            iterations: 0,
        }
    }

    /// Runs the pipeline, from the cache if there is one; `first_attempt` is the result of the first start if that
    /// was tried.
    pub fn run(
        &mut self,
        cache: Option<&PairCache>,
        first_attempt: Option<&FirstAttempt>,
    ) -> Answer {
        let answer = self.solve(cache, first_attempt);
        finalize(answer, self.problem)
    }

    fn solve(
        &mut self,
        cache: Option<&PairCache>,
        mut first_attempt: Option<&FirstAttempt>,
    ) -> Answer {
        let problem = self.problem;
        let [crude, _] = problem.sphere_bracket();
        if crude > self.max_distance {
            let normal = axis(problem);
            return beyond_answer(normal, normal * problem.a.outer_radius, crude);
        }
        if problem.bodies_are_points() {
            return spheres_answer(problem, 0.0, 0.0);
        }
        if problem.a.traits.both(problem.b.traits).sphere() {
            return spheres_answer(problem, problem.a.a[0], problem.b.a[0]);
        }
        let mut hint = None;
        let mut stationary = None;
        for start in [cache.map(PairStart::Cache), Some(PairStart::CenterLine)]
            .into_iter()
            .flatten()
        {
            let found = match first_attempt.take() {
                Some(first_attempt) => {
                    self.iterations += first_attempt.steps;
                    first_attempt.found
                }
                None => {
                    let most = self.options.max_iterations;
                    newton::solve(problem, start, most, &mut self.iterations)
                }
            };
            let Some(s) = found else {
                continue;
            };
            match self.assess(&s) {
                Assessment::Answer(answer) => return answer,
                Assessment::Overlap(p) => {
                    let middle = s.xa + 0.5 * s.d;
                    return self.overlap(InitialPenetration::Local(p), middle, Some(s.states));
                }
                Assessment::Open(n) => (hint, stationary) = (Some(n), Some(s)),
            }
        }
        if problem.both_convex() {
            self.by_cutting_planes(hint)
        } else {
            self.slabs(stationary)
        }
    }

    /// Bounds a stationary pair by the certificate of its witness points ([`certificate`](crate::pair::certificate),
    /// convex bodies only), and otherwise by the support functions (of the hulls).
    #[inline(always)]
    fn assess(&mut self, s: &Stationary) -> Assessment {
        let problem = self.problem;
        let certificate = certify(&problem.bounds(), &s.points());
        let Certificate { along, length, .. } = certificate;
        if !s.on_surface || !length.is_finite() {
            return Assessment::Open(s.normal);
        }
        let mut lower = certificate.lower;
        let upper = length + problem.rounding;
        let target = if along >= 0.0 { upper } else { along };
        let (convex, finite) = (problem.both_convex(), certificate.answer.is_finite());
        let asked = !convex || target - lower > problem.tolerance;
        if asked {
            lower = problem.support_pair(&s.normal).gap - problem.rounding;
        }
        if lower > self.max_distance {
            return Assessment::Answer(beyond_answer(s.normal, s.xa, lower));
        }
        if convex && certificate.closed && finite {
            return Assessment::Answer(certified_answer(
                &certificate.answer,
                s.states,
                Outcome::Certified,
            ));
        }
        let enough = || self.options.takes_any_overlap() || self.presumed_global(-lower);
        if convex && certificate.overlapping && finite && enough() {
            return Assessment::Answer(certified_answer(
                &certificate.answer,
                s.states,
                Outcome::Converged,
            ));
        }
        if upper - lower <= problem.tolerance
            && let Some(normal) = self.aligned_normal(&certificate, &s.d)
        {
            let answer = assemble_answer(
                problem,
                normal,
                [s.xa, s.xb()],
                [lower, upper],
                problem.tolerance,
                Outcome::NotConverged,
                Some(s.states),
            );
            if answer.outcome == Outcome::Certified {
                return Assessment::Answer(answer);
            }
        }
        if along < 0.0 && certificate.aligned && self.witnesses_prove_overlap(s, along) {
            let stationary = (!convex && s.mismatch < 1e-8) || along - lower <= problem.tolerance;
            if stationary {
                return Assessment::Overlap(Penetration {
                    normal: s.normal,
                    gap: lower + problem.rounding,
                    xa: s.xa,
                    xb: s.xb(),
                });
            }
        }
        Assessment::Open(s.normal)
    }

    /// Whether the first depth found is presumed to be the least.
    #[inline(always)]
    fn presumed_global(&self, depth: f64) -> bool {
        let problem = self.problem;
        let inner = problem.a.inner_radius + problem.b.inner_radius;
        let mode = self.options.depth;
        local_depth::presumed_global(
            mode,
            &problem.a,
            &problem.b,
            inner,
            problem.center_distance,
            depth,
        )
    }

    /// Whether the witnesses prove that the bodies overlap.
    fn witnesses_prove_overlap(&self, s: &Stationary, along: f64) -> bool {
        let problem = self.problem;
        let surely = || inner_spheres_prove_overlap(&problem.bounds(), &s.points(), along);
        (problem.both_convex() && surely()) || problem.witnesses_prove_overlap(&s.xa, &s.xb())
    }

    /// Returns the normal of a closed bracket along which the witnesses can be lined up: [`Certificate::normal`], or
    /// the direction of their difference where the support functions prove that.
    #[inline(always)]
    fn aligned_normal(
        &self,
        certificate: &Certificate<f64>,
        d: &Vector3<f64>,
    ) -> Option<Vector3<f64>> {
        if certificate.lined_up {
            return Some(certificate.normal.into());
        }
        let (problem, length) = (self.problem, certificate.length);
        let proven = || length - problem.support_pair(&(d / length)).gap <= problem.tolerance;
        (certificate.along > NEARLY_TOUCHING && proven()).then(|| d / length)
    }

    fn by_cutting_planes(&mut self, hint: Option<Vector3<f64>>) -> Answer {
        let problem = self.problem;
        if self.options.takes_any_overlap()
            && let Some(answer) = self.meeting()
        {
            return answer;
        }
        let found = cutting_planes::solve(problem, hint, self.max_distance, &mut self.iterations);
        if found.lower - problem.rounding > self.max_distance {
            return beyond_answer(
                found.normal,
                problem.support_pair(&found.normal).xa,
                found.lower - problem.rounding,
            );
        }
        if found.overlap {
            let [xa, xb] = found.witnesses;
            let middle = 0.5 * (xa + xb);
            // If Newton's method does not lead from there to a local solution, the search for the least depth finds
            // one.
            let found = Penetration::along(problem, &found.normal);
            let local = problem.sharpen(&found.normal, found.gap, &mut self.iterations);
            let known = local.map_or(InitialPenetration::Any(found), InitialPenetration::Local);
            return self.overlap(known, middle, None);
        }
        // The cutting planes give the bracket of the distance, Newton's method the points.
        let start = PairStart::Direction(found.normal, problem.support_states(&found.normal));
        if let Some(s) = newton::solve(
            problem,
            start,
            self.options.max_iterations,
            &mut self.iterations,
        ) && let Assessment::Answer(answer) = self.assess(&s)
        {
            return answer;
        }
        self.conclude(&found)
    }

    /// Returns what GJK proves of whether the bodies overlap.
    fn meeting(&mut self) -> Option<Answer> {
        let problem = self.problem;
        let most = 1.0 - problem.doubt();
        let found = gjk::meeting(
            |n| problem.support_pair(n),
            |simplex| {
                let [xa, xb] = simplex.witnesses();
                problem.gauge_b(&xa) <= most || problem.gauge_a(&xb) <= most
            },
            &axis(problem),
            [f64::NEG_INFINITY, self.max_distance + problem.rounding],
            problem.rounding,
            &mut self.iterations,
        );
        let accuracy = [problem.rounding, problem.tolerance];
        found.answer(problem, accuracy)
    }

    /// The witnesses of the cutting planes are combinations of surface points, which lie inside curved bodies: both
    /// are moved along the normal onto the surfaces, which only brings them nearer.
    fn conclude(&self, found: &CuttingPlanesResult) -> Answer {
        let problem = self.problem;
        let [xa, xb] = found.witnesses;
        let d = xb - xa;
        let length = d.norm();
        let along = d / length;
        let proven = || length - problem.support_pair(&along).gap <= problem.tolerance;
        let normal = if length > NEARLY_TOUCHING && proven() {
            along
        } else {
            found.normal
        };
        let lower = found.lower - problem.rounding;
        let [xa, xb] = ascent::onto_surfaces(problem, &normal, [xa, xb]);
        let d = xb - xa;
        let length = d.norm();
        let upper = length + problem.rounding;
        let (points, bracket) = ([xa, xb], [lower, upper]);
        let open = Outcome::NotConverged;
        let along = |normal| {
            assemble_answer(
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

    /// Finds the least depth of overlapping bodies: `known` is a penetration of theirs, `common` a point of both to
    /// rounding.
    fn overlap(
        &mut self,
        known: InitialPenetration,
        common: Vector3<f64>,
        states: Option<[SurfaceState; 2]>,
    ) -> Answer {
        let problem = self.problem;
        let convex = problem.both_convex();
        let first = known.penetration();
        if self.options.takes_any_overlap()
            && problem.overlap_upper_bound(&[common, first.xa, first.xb]) <= 0.0
        {
            let bracket = [first.gap - problem.rounding, 0.0];
            let Penetration {
                normal, gap, xa, ..
            } = first;
            let answer = Answer::new(gap, normal, xa, bracket, Outcome::Converged);
            return Answer { states, ..answer };
        }
        let mut p = first;
        let mut upper = f64::INFINITY;
        let mut tolerance = problem.tolerance;
        if convex && self.options.depth == DepthMode::Certified {
            let size = problem.a.size().max(problem.b.size());
            tolerance = tolerance.max(CERTIFIED_DEPTH * size);
            // The gap between witnesses and bound, and rounding, are part of the same tolerance.
            (p, upper) =
                branch_and_bound::certified(problem, known, 0.9 * tolerance, &mut self.iterations);
            upper += problem.rounding;
        } else if !self.presumed_global(-p.gap) {
            let iterations = &mut self.iterations;
            (p, upper) = if convex {
                branch_and_bound::fast_single(problem, known, iterations)
            } else {
                branch_and_bound::fast(problem, known, iterations)
            };
            upper += problem.rounding;
        } else if let InitialPenetration::Any(_) = known {
            p = ascent::local_maximum(problem, &p.normal, p.gap, &mut self.iterations);
        }
        let lower = p.gap - problem.rounding;
        let along = (p.xb - p.xa).dot(&p.normal);
        // A bound on the penetration of the hulls is not a bound on that of the bodies inside them.
        let upper = if convex && upper <= 0.0 {
            upper
        } else {
            problem.overlap_upper_bound(&[common, 0.5 * (p.xa + p.xb), p.xa, p.xb])
        };
        let upper = if convex { upper.max(along) } else { upper };
        let states = states.filter(|_| p.normal == first.normal);
        let (points, bracket) = ([p.xa, p.xb], [lower, upper]);
        let open = if upper > 0.0 {
            Outcome::NotConverged
        } else {
            Outcome::Converged
        };
        assemble_answer(problem, p.normal, points, bracket, tolerance, open, states)
    }

    fn slabs(&mut self, start: Option<Stationary>) -> Answer {
        let problem = self.problem;
        match slabs::separate(problem, start, &mut self.iterations) {
            SlabResult::Overlap { common } => {
                let n = start.map_or_else(|| axis(problem), |s| s.normal);
                let gap = problem.support_pair(&n).gap;
                let [xa, xb] = ascent::onto_surfaces(problem, &n, [common; 2]);
                let known = InitialPenetration::Local(Penetration {
                    normal: n,
                    gap,
                    xa,
                    xb,
                });
                self.overlap(known, common, None)
            }
            SlabResult::Apart { lower, .. } if lower > self.max_distance => {
                let n = axis(problem);
                beyond_answer(n, problem.support_pair(&n).xa, lower)
            }
            SlabResult::Apart {
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
                assemble_answer(
                    problem,
                    normal,
                    points,
                    bracket,
                    problem.tolerance,
                    open,
                    states,
                )
            }
            SlabResult::Apart { nearest: None, .. } => sphere_bracket_answer(problem),
        }
    }
}
