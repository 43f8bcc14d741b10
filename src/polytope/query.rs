//! The stages of a polytope query: cutting planes, then the touched feature. Overlaps continue with a branch and
//! bound over directions, non-convex superovoids with slabs.

use crate::Superovoid;
use crate::narrowphase::branch_and_bound::InitialPenetration;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::narrowphase::convex_pair::{Penetration, SupportPair};
use crate::narrowphase::cutting_planes::CuttingPlanesResult;
use crate::narrowphase::gjk::{self, Meeting, Nearest};
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use crate::narrowphase::{ascent, branch_and_bound, cutting_planes, expansion, ray_exit};
use crate::polytope::face::{self, Face};
use crate::polytope::feature::{Feature, opposite};
use crate::polytope::problem::PolytopeProblem;
use crate::polytope::slabs;
use crate::polytope::slabs::PolytopeSlab;
use crate::query::answer::{Answer, beyond_answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::units::{CERTIFIED_DEPTH, NEARLY_TOUCHING, center_line};
use nalgebra::{Isometry3, Point3, Vector3};

pub(super) fn solve(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    vertices: &[Point3<f64>],
    face_normals: &[Vector3<f64>; 3],
    polytope_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    if vertices.is_empty() {
        return Err(QueryError::NoVertices);
    }
    if let Some(index) = vertices
        .iter()
        .position(|v| v.iter().any(|x| !x.is_finite()))
    {
        return Err(QueryError::NonFiniteVertex { index });
    }
    let tolerance = options.tolerance;
    let problem = PolytopeProblem::new(
        shape,
        pose,
        vertices,
        face_normals,
        polytope_pose,
        tolerance,
    );
    let mut query = PolytopePipeline::new(&problem, options);
    let answer = query.run();
    in_world(&answer, problem.unit, pose, query.iterations).within_number_range()
}

/// Returns what the plane of a triangle with finite corners proves, if it does.
#[cfg(feature = "bvh")]
pub(super) fn solve_by_face(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    vertices: &[Point3<f64>],
    face_normals: &[Vector3<f64>; 3],
    polytope_pose: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Option<Contact>, QueryError> {
    let tolerance = options.tolerance;
    let problem = PolytopeProblem::new(
        shape,
        pose,
        vertices,
        face_normals,
        polytope_pose,
        tolerance,
    );
    if !(problem.a.is_convex() && problem.a.traits.provable()) {
        return Ok(None);
    }
    let mut query = PolytopePipeline::new(&problem, options);
    let answer = query.on_face().filter(Answer::is_finite);
    let contact = answer.map(|a| in_world(&a, problem.unit, pose, query.iterations));
    contact.map(Contact::within_number_range).transpose()
}

struct PolytopePipeline<'a> {
    problem: &'a PolytopeProblem<'a>,
    options: &'a QueryOptions,
    /// The option `max_distance` in the problem's units.
    max_distance: f64,
    iterations: u32,
}

impl<'a> PolytopePipeline<'a> {
    fn new(problem: &'a PolytopeProblem<'a>, options: &'a QueryOptions) -> Self {
        PolytopePipeline {
            problem,
            options,
            max_distance: options.max_distance / problem.unit,
            iterations: 0,
        }
    }

    fn run(&mut self) -> Answer {
        let problem = self.problem;
        let bracket = || problem.sphere_bracket();
        let provable = problem.a.traits.provable();
        let found = self.find();
        found.finalized(provable, bracket, || self.unknown())
    }

    fn find(&mut self) -> Answer {
        let problem = self.problem;
        let [crude, _] = problem.sphere_bracket();
        if crude > self.max_distance {
            let normal = center_line(problem.center());
            return beyond_answer(normal, normal * problem.a.outer_radius, crude);
        }
        if !problem.a.is_convex() {
            return self.slabs();
        }
        let apart = self.max_distance.max(0.0);
        let start = center_line(problem.center());
        let mut simplex = Simplex::new();
        if self.options.takes_any_overlap() {
            let found = gjk::meeting(
                |n| problem.support_pair(n),
                |simplex| {
                    let [_, xb] = &simplex.witnesses();
                    (simplex.corners().len() == 1 && problem.has_room(problem.center()))
                        || problem.has_room(xb)
                },
                &start,
                [f64::NEG_INFINITY, apart + problem.rounding],
                problem.rounding,
                &mut self.iterations,
            );
            if let Some(answer) = found.answer(problem, [problem.rounding, problem.tolerance]) {
                return answer;
            }
            if let Meeting::Open(found) = found
                && !found.encloses_origin
            {
                simplex = found;
            }
        }
        if let Some(answer) = self.on_face() {
            return answer;
        }
        if let Some(answer) = self.rising_above() {
            return answer;
        }
        let nearest = gjk::nearest(
            |n| problem.support_pair(n),
            problem,
            &mut simplex,
            &start,
            apart + problem.rounding,
            // The bracket is wider by the rounding of both bounds.
            [problem.tolerance - 2.0 * problem.rounding, problem.rounding],
            &mut self.iterations,
        );
        match nearest {
            Nearest::Apart(p) => {
                let open = (p.xb - p.xa).norm() - p.gap;
                let sharp = if open <= 4.0 * problem.rounding && problem.faces(&p) {
                    p
                } else {
                    let from = simplex.corners();
                    let sharp = self.sharpen(&p, from, Vector3::zeros(), problem.rounding);
                    sharp.unwrap_or_else(|| self.line_up(p))
                };
                let lower = sharp.gap.max(p.gap) - problem.rounding;
                let upper = (sharp.xb - sharp.xa).norm() + problem.rounding;
                if sharp.gap > 0.0 {
                    return self.answer(&sharp, lower, upper, problem.tolerance);
                }
            }
            Nearest::Beyond(normal, gap) => {
                let xa = problem.support_pair(&normal).xa;
                return beyond_answer(normal, xa, gap - problem.rounding);
            }
            Nearest::Meeting => {
                if let Some(answer) = self.depth(&simplex) {
                    return answer;
                }
            }
            Nearest::Open => {}
        }
        let found = cutting_planes::solve(problem, None, apart, &mut self.iterations);
        let lower = found.lower - problem.rounding;
        if lower > self.max_distance {
            return beyond_answer(found.normal, problem.support_pair(&found.normal).xa, lower);
        }
        if found.overlap {
            return self.overlap(&found.normal, found.witnesses[1]);
        }
        self.separated(&found)
    }

    /// Returns the answer that the plane of a triangle proves, if it does.
    fn on_face(&mut self) -> Option<Answer> {
        let problem = self.problem;
        let found = face::ask(problem)?;
        self.iterations += 1;
        let (Face::Proven(p) | Face::Bound(p)) = &found;
        let lower = p.gap - problem.rounding;
        if lower > self.max_distance {
            return Some(beyond_answer(p.normal, p.xa, lower));
        }
        let upper = p.gap + 2.0 * problem.rounding;
        matches!(found, Face::Proven(_)).then(|| self.answer(p, lower, upper, problem.tolerance))
    }

    /// Returns the answer that the signed distance of a triangle exceeds a negative `max_distance`, if a few directions of an
    /// ascent prove it.
    fn rising_above(&mut self) -> Option<Answer> {
        let problem = self.problem;
        if self.max_distance >= 0.0 {
            return None;
        }
        let [p, q, r] = problem.triangle()?;
        let normal = (q - p).cross(&(r - p)).try_normalize(0.0)?;
        let normal = normal * normal.dot(&p).signum();
        let limit = self.max_distance + problem.rounding;
        let n = ascent::rise_above(problem, &normal, limit, &mut self.iterations)?;
        let SupportPair { gap, xa, .. } = problem.support_pair(&n);
        let lower = gap - problem.rounding;
        (lower > self.max_distance).then(|| beyond_answer(n, xa, lower))
    }

    fn separated(&mut self, found: &CuttingPlanesResult) -> Answer {
        let problem = self.problem;
        let [xa, xb] = found.witnesses;
        let from = Penetration {
            normal: found.normal,
            gap: found.lower,
            xa,
            xb,
        };
        let p = self
            .sharpen(
                &from,
                found.simplex.corners(),
                Vector3::zeros(),
                problem.rounding,
            )
            .unwrap_or_else(|| self.line_up(from));
        let lower = p.gap.max(found.lower) - problem.rounding;
        let common = p.gap < 0.0 && problem.gauge_a(&p.xb) <= 1.0;
        let upper = if common {
            problem.overlap_upper_bound(&[p.xb, p.xa])
        } else {
            (p.xb - p.xa).norm() + problem.rounding
        };
        let answer = self.answer(&p, lower, upper, problem.tolerance);
        if answer.outcome == Outcome::NotConverged && found.lower <= 0.0 {
            // The bodies touch or nearly touch: the cutting planes proved neither a gap nor a common point.
            let (p, _) = ascent::ascend(problem, &p.normal, &mut self.iterations);
            if problem.gauge_a(&p.xb) <= 1.0 {
                return self.overlap(&p.normal, p.xb);
            }
        }
        answer
    }

    /// Takes the direction of the witnesses' difference as the normal where that certifies the bracket, and moves A's
    /// witness along it to the surface: as a combination of support points it lies inside.
    fn line_up(&self, p: Penetration) -> Penetration {
        let problem = self.problem;
        let d = p.xb - p.xa;
        let length = d.norm();
        let normal = d / length;
        let gap = problem.support_pair(&normal).gap;
        if length - gap > 0.5 * problem.tolerance {
            return p;
        }
        let exit = ray_exit::exit(|s| problem.gauge_a(&(p.xa + normal * s)), problem.tolerance);
        let xa = p.xa + normal * exit.unwrap_or(0.0).clamp(0.0, length);
        Penetration {
            normal,
            gap,
            xa,
            ..p
        }
    }

    fn sharpen(
        &mut self,
        from: &Penetration,
        corners: &[CsoPoint],
        aim: Vector3<f64>,
        slack: f64,
    ) -> Option<Penetration> {
        let feature = Feature::new(self.problem, corners, aim, &from.normal);
        feature.sharpen(
            self.problem,
            from,
            slack,
            self.options.max_iterations,
            &mut self.iterations,
        )
    }

    /// Assembles an answer: `Certified` if the bracket is closed to `tolerance`; with an open bracket, `Converged`
    /// for a proven overlap.
    fn answer(&self, p: &Penetration, lower: f64, upper: f64, tolerance: f64) -> Answer {
        let problem = self.problem;
        let xa = opposite(problem, &p.normal, &p.xa, &p.xb).unwrap_or(p.xa);
        let distance = p.normal.dot(&(p.xb - xa));
        let bracket = [lower.min(distance), upper.max(distance)];
        let outcome = Outcome::of_overlap(bracket, tolerance);
        let xa = p.xb - p.normal * distance;
        Answer::new(distance, p.normal, xa, bracket, outcome)
    }

    /// Returns the depth of bodies that have a common point, from a simplex about it; `None` where rounding leaves no answer.
    fn depth(&mut self, simplex: &Simplex) -> Option<Answer> {
        /// The share of the tolerance that the search may leave, by which the witnesses may be off their surfaces.
        const SHARE: f64 = 0.1;
        let problem = self.problem;
        let mut tolerance = problem.tolerance;
        let support = |n: &Vector3<f64>| problem.support_pair(n);
        let certified = tolerance.max(CERTIFIED_DEPTH * problem.a.size());
        let thorough = (self.options.depth == DepthMode::Certified).then_some(0.9 * certified);
        let found = expansion::expand(
            support,
            simplex.corners(),
            SHARE * tolerance,
            problem.rounding,
            thorough,
            &mut self.iterations,
        )?;
        let best = found.best;
        if best.gap - problem.rounding > self.max_distance {
            return Some(beyond_answer(
                best.normal,
                best.xa,
                best.gap - problem.rounding,
            ));
        }
        let slack = 0.01 * tolerance;
        // Beside numbers at the ends of their range a simplex may have no corners left.
        let corner = simplex.corners().first();
        let p = (found.face.or(corner.map(|corner| [*corner; 3])))
            .and_then(|corners| self.sharpen(&best, &corners, Vector3::zeros(), slack))
            .unwrap_or_else(|| self.sharpen_depth(&best));
        let upper = found.upper.min(0.0) + problem.rounding;
        if thorough.is_some() && upper - p.gap > tolerance {
            tolerance = certified;
        }
        let answer = self.answer(&p, p.gap - problem.rounding, upper, tolerance);
        (answer.outcome == Outcome::Certified).then_some(answer)
    }

    /// Returns the depth of overlapping bodies (or hulls), from a starting direction; `common` is a point of both to
    /// rounding.
    fn overlap(&mut self, n: &Vector3<f64>, common: Vector3<f64>) -> Answer {
        let problem = self.problem;
        let (start, _) = ascent::ascend(problem, n, &mut self.iterations);
        let lower = start.gap - problem.rounding;
        if lower > self.max_distance {
            let xa = problem.support_pair(&start.normal).xa;
            return beyond_answer(start.normal, xa, lower);
        }
        let known = InitialPenetration::Local(start);
        let mut tolerance = problem.tolerance;
        let (best, upper) = if self.options.depth == DepthMode::Certified {
            tolerance = tolerance.max(CERTIFIED_DEPTH * problem.a.size());
            branch_and_bound::certified(problem, known, 0.9 * tolerance, &mut self.iterations)
        } else {
            branch_and_bound::fast(problem, known, &mut self.iterations)
        };
        let p = self.sharpen_depth(&best);
        let lower = p.gap - problem.rounding;
        if !problem.a.is_convex() {
            return self.overlap_of_hull(&p, lower, common);
        }
        if lower > 0.0 {
            // The bodies touch to the tolerance only: the common point is one to rounding.
            let upper = (p.xb - p.xa).norm() + problem.rounding;
            return self.answer(&p, lower, upper, problem.tolerance);
        }
        let upper = upper + problem.rounding;
        let upper = if upper > 0.0 {
            problem.overlap_upper_bound(&[p.xb, common, p.xa])
        } else {
            upper
        };
        let mut answer = self.answer(&p, lower, upper, tolerance);
        // Witnesses that are less deep than the depth along their normal are no stationary pair, nor are witnesses
        // with a gap between them where the bodies are not proven to be apart.
        let stationary = tolerance.max(CERTIFIED_DEPTH * problem.a.size());
        let shallower =
            answer.outcome == Outcome::Converged && answer.distance - p.gap > stationary;
        if shallower || answer.distance > problem.tolerance {
            answer.outcome = Outcome::NotConverged;
        }
        answer
    }

    /// Returns the depth on the touched feature: along its exact normal it may be greater by a share of the
    /// tolerance, which cutting planes and search leave.
    fn sharpen_depth(&mut self, best: &Penetration) -> Penetration {
        const RESOLVED: f64 = 0.01;
        let (found, simplex) = ascent::ascend(self.problem, &best.normal, &mut self.iterations);
        // The ascent subtracted this vector from the corners of its simplex.
        let aim = found.normal * found.gap;
        let p = if found.gap >= best.gap { found } else { *best };
        let slack = RESOLVED * self.problem.tolerance;
        self.sharpen(&p, simplex.corners(), aim, slack).unwrap_or(p)
    }

    /// Assembles the overlap of a superovoid that is not convex: the depth of its hull separates it as well, and is
    /// its own depth where the witness of the hull lies on its surface.
    fn overlap_of_hull(&self, p: &Penetration, lower: f64, common: Vector3<f64>) -> Answer {
        const ON_SURFACE: f64 = 1e-9;
        let upper = self.problem.overlap_upper_bound(&[p.xb, common, p.xa]);
        let mut answer = self.answer(p, lower, upper, 0.0);
        if (self.problem.gauge_a(&answer.xa) - 1.0).abs() > ON_SURFACE {
            answer.outcome = Outcome::NotConverged;
        }
        answer
    }

    fn slabs(&mut self) -> Answer {
        let problem = self.problem;
        let n = center_line(problem.center());
        match slabs::separate(problem, self.max_distance, &mut self.iterations) {
            PolytopeSlab::Overlap { normal, common } => {
                // The centre line can lead to a far greater depth than the touched place does.
                let better = problem.support_pair(&normal).gap > problem.support_pair(&n).gap;
                self.overlap(if better { &normal } else { &n }, common)
            }
            PolytopeSlab::Apart { lower, .. } if lower > self.max_distance => {
                beyond_answer(n, problem.support_pair(&n).xa, lower)
            }
            PolytopeSlab::Apart {
                lower,
                witnesses: [xa, xb],
            } => {
                let d = xb - xa;
                let normal = if d.norm() > NEARLY_TOUCHING {
                    d.normalize()
                } else {
                    problem.a.gradient(&xa.into()).normalize()
                };
                let p = Penetration {
                    normal,
                    gap: lower,
                    xa,
                    xb,
                };
                self.answer(&p, lower, d.norm() + problem.rounding, problem.tolerance)
            }
        }
    }

    /// Assembles the answer that has only the bracket by spheres: the inner sphere and the centre stand in for the
    /// bodies.
    fn unknown(&self) -> Answer {
        let bracket = self.problem.sphere_bracket();
        let center = self.problem.center();
        let normal = center_line(center);
        let radius = self.problem.a.inner_radius;
        let (distance, outcome) = (center.norm() - radius, Outcome::NotConverged);
        Answer::new(distance, normal, normal * radius, bracket, outcome)
    }
}
