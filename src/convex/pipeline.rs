//! The stages of a convex query: GJK; of overlapping cores an expanding polytope; where rounding leaves these open, as it may
//! where bodies touch, cutting planes.

use crate::convex::boxes::{Axes, Boxes};
use crate::convex::facing;
use crate::convex::problem::ConvexProblem;
use crate::narrowphase::convex_pair::{ConvexPair, Penetration};
use crate::narrowphase::cutting_planes::CuttingPlanesResult;
use crate::narrowphase::gjk::{self, Meeting, Nearest};
use crate::narrowphase::simplex::Simplex;
use crate::narrowphase::{ascent, cutting_planes, expansion};
use crate::query::answer::{Answer, beyond_answer};
use crate::query::contact::Outcome;
use crate::query::options::{DepthMode, QueryOptions};
use crate::query::units::{CERTIFIED_DEPTH, RELATIVE_TOLERANCE, center_line};
use nalgebra::{Unit, Vector3};

pub(super) struct ConvexPipeline<'a> {
    problem: &'a ConvexProblem<'a>,
    depth: DepthMode,
    /// Whether any proof of an overlap is an answer.
    any: bool,
    /// The option `max_distance` in the problem's units.
    max_distance: f64,
    pub iterations: u32,
}

impl<'a> ConvexPipeline<'a> {
    pub fn new(problem: &'a ConvexProblem<'a>, options: &QueryOptions) -> Self {
        ConvexPipeline {
            problem,
            depth: options.depth,
            any: options.takes_any_overlap(),
            max_distance: options.max_distance / problem.unit,
            iterations: 0,
        }
    }

    /// Returns the answer in the problem's units and in A's frame.
    pub fn run(&mut self) -> Answer {
        let problem = self.problem;
        let bracket = || problem.ball_bracket();
        let found = self.find();
        let mut answer = found.finalized(problem.provable, bracket, || self.unknown());
        answer.xa += problem.center_a;
        answer
    }

    /// Returns the answer to whether the bodies overlap, in the same units and frame; `None` where the distance is asked for.
    pub fn any(&mut self) -> Option<Answer> {
        let problem = self.problem;
        let [crude, _] = problem.ball_bracket();
        let found = if crude > self.max_distance {
            Some(self.beyond(&center_line(problem.center()), crude))
        } else {
            self.meeting(&mut Simplex::new())
        };
        let mut answer = found.filter(Answer::is_finite)?;
        answer.xa += problem.center_a;
        Some(answer)
    }

    fn find(&mut self) -> Answer {
        let problem = self.problem;
        let [crude, _] = problem.ball_bracket();
        if crude > self.max_distance {
            return self.beyond(&center_line(problem.center()), crude);
        }
        if crude <= 0.0
            && let Some(boxes) = problem.boxes()
        {
            self.iterations += 1;
            match boxes.ask(problem.rounding, problem.tolerance) {
                Axes::Apart(n, gap) if gap > self.max_distance => return self.beyond(&n, gap),
                Axes::Overlap(p, doubt) => return self.overlap_of_boxes(&boxes, p, doubt),
                Axes::Apart(..) | Axes::Unknown => {}
            }
        }
        let mut simplex = Simplex::new();
        if self.any
            && let Some(answer) = self.meeting(&mut simplex)
        {
            return answer;
        }
        let line = center_line(problem.center());
        let mut found = if simplex.encloses_origin {
            Nearest::Meeting
        } else {
            self.nearest(&mut simplex, &line)
        };
        if let Nearest::Open = found {
            simplex = Simplex::with_far_corners();
            found = self.nearest(&mut simplex, &line);
        }
        match found {
            Nearest::Apart(p) => return self.proven(p, problem.tolerance),
            Nearest::Beyond(normal, gap) => return self.beyond(&normal, gap - self.grown()),
            Nearest::Meeting => {
                let answer = self.depth(&simplex, &Vector3::zeros());
                if let Some(answer) = answer.filter(|a| a.outcome != Outcome::NotConverged) {
                    return answer;
                }
            }
            Nearest::Open => {
                if let Some(answer) = self.rounded(&simplex) {
                    return answer;
                }
                let answer = self.depth(&simplex, &simplex.nearest());
                if let Some(answer) = answer.filter(|a| a.outcome == Outcome::Certified) {
                    return answer;
                }
            }
        }
        let stop = self.max_distance - problem.shift();
        let found = cutting_planes::solve(problem, None, stop, &mut self.iterations);
        let lower = found.lower - problem.rounding + problem.shift();
        if lower > self.max_distance {
            return self.beyond(&found.normal, lower);
        }
        if found.overlap {
            self.touching(&found, &found.normal, &found.witnesses[0])
        } else {
            self.apart(&found)
        }
    }

    /// Returns what is to be taken from a gap of the cores for a lower bound of that of the bodies.
    fn grown(&self) -> f64 {
        self.problem.margins[0] + self.problem.margins[1] + self.problem.rounding
    }

    /// Returns the answer of GJK to whether the bodies overlap; `None` with the simplex that it ends with.
    fn meeting(&mut self, simplex: &mut Simplex) -> Option<Answer> {
        let problem = self.problem;
        let [a, b] = problem.margins;
        let found = gjk::meeting(
            |n| problem.core_pair(n),
            |simplex| {
                let [xa, xb] = &simplex.witnesses();
                (simplex.corners().len() == 1 && problem.centers_prove_overlap())
                    || problem.cross([xa, xb])
            },
            &center_line(problem.center()),
            [
                a + b - 2.0 * problem.rounding,
                self.max_distance + self.grown(),
            ],
            problem.rounding,
            &mut self.iterations,
        );
        match found {
            Meeting::Proven(p, upper) => Some(self.overlap(&p, upper)),
            Meeting::Beyond(normal, gap) => Some(self.beyond(&normal, gap - self.grown())),
            Meeting::Open(found) => {
                *simplex = found;
                None
            }
        }
    }

    /// Runs GJK with the cores from a simplex, or a direction.
    fn nearest(&mut self, simplex: &mut Simplex, start: &Vector3<f64>) -> Nearest {
        let problem = self.problem;
        gjk::nearest(
            |n| problem.core_pair(n),
            problem,
            simplex,
            start,
            self.max_distance + self.grown(),
            // The bracket is wider by the rounding of both bounds.
            [problem.tolerance - 2.0 * problem.rounding, problem.rounding],
            &mut self.iterations,
        )
    }

    /// Returns the answer of witnesses of the cores and a normal that prove each other to the tolerance, or to one that is wider.
    fn proven(&self, mut p: Penetration, tolerance: f64) -> Answer {
        let problem = self.problem;
        let upper = (p.xb - p.xa).norm() - problem.sweep;
        p.gap -= problem.sweep;
        p.xa += p.normal * problem.sweep;
        let apart = p.normal.dot(&(p.xb - p.xa));
        let bracket = [p.gap - problem.rounding, upper + problem.rounding];
        let tolerance = tolerance.max(problem.tolerance);
        self.answer(&p, apart, bracket, tolerance)
    }

    /// Returns the answer of witnesses of the cores that prove each other as well as rounding lets them: the direction of a small
    /// distance has few digits. The bracket is no wider than with the default tolerance.
    fn rounded(&self, simplex: &Simplex) -> Option<Answer> {
        let problem = self.problem;
        let (length, [xa, xb]) = (simplex.nearest().norm(), simplex.witnesses());
        let normal = simplex.nearest() / length;
        let gap = problem.core_pair(&normal).gap;
        let closed = (16.0 * problem.rounding / length).min(RELATIVE_TOLERANCE) * problem.size();
        let p = Penetration {
            normal,
            gap,
            xa,
            xb,
        };
        (length - gap <= closed).then(|| self.proven(p, closed + 2.0 * problem.rounding))
    }

    fn beyond(&self, normal: &Vector3<f64>, lower: f64) -> Answer {
        let xa = self.problem.support_pair(normal).xa + normal * self.on_surface();
        beyond_answer(*normal, xa, lower)
    }

    /// Returns the way from the surface of the swept core to that of A, along the outward normal.
    fn on_surface(&self) -> f64 {
        self.problem.margins[0] - self.problem.sweep
    }

    fn apart(&mut self, found: &CuttingPlanesResult) -> Answer {
        let problem = self.problem;
        if problem.sweep == 0.0
            && let Nearest::Apart(p) = self.nearest(&mut { found.simplex }, &found.normal)
        {
            return self.proven(p, problem.tolerance);
        }
        let [xa, xb] = found.witnesses;
        let mut best = Penetration {
            normal: found.normal,
            gap: found.lower,
            xa,
            xb,
        };
        let mut upper = (best.xb - best.xa).norm();
        if upper - best.gap.max(found.lower) > 0.5 * problem.tolerance {
            let (local, _) = ascent::ascend(problem, &best.normal, &mut self.iterations);
            let apart = (local.xb - local.xa).norm();
            if local.gap >= best.gap && apart <= upper {
                (best, upper) = (local, apart);
            }
        }
        let open = upper - best.gap.max(found.lower);
        if upper <= problem.tolerance && open > problem.tolerance {
            // The witnesses coincide, so that they give no normal: the bodies touch, and the search for the least depth
            // finds it.
            return self.touching(found, &best.normal, &best.xa);
        }
        let lower = best.gap.max(found.lower) - problem.rounding;
        let upper = upper + problem.rounding;
        let distance = best.normal.dot(&(best.xb - best.xa));
        let distance = self.line_up(&mut best).unwrap_or(distance);
        self.answer(&best, distance, [lower, upper], problem.tolerance)
    }

    /// Moves witnesses of cores that are apart to where they face each other, if rounding has left them beside the normal or off
    /// the cores: each becomes the point of its core that is nearest to the other one, in turn. Returns their distance. Points that are
    /// nearer say less of the normal than the faces that proved it.
    fn line_up(&self, p: &mut Penetration) -> Option<f64> {
        const NEAR: f64 = 1e-6;
        const ROUNDS: usize = 4;
        const QUERIES: usize = 40;
        let problem = self.problem;
        if p.gap + problem.sweep <= NEAR * problem.size() {
            return None;
        }
        let enough = |v: &Vector3<f64>| v.norm_squared() * (1.0 - 4.0 * f64::EPSILON);
        let of_a = |v: &Vector3<f64>| problem.core_pair(&-v.normalize()).xa;
        let of_b = |v: &Vector3<f64>| problem.core_pair(&v.normalize()).xb;
        let [mut xa, mut xb] = [p.xa - p.normal * problem.sweep, p.xb];
        for _ in 0..ROUNDS {
            xa = xb + gjk::nearest_to(&xb, -p.normal, QUERIES, of_a, enough).nearest();
            xb = xa + gjk::nearest_to(&xa, p.normal, QUERIES, of_b, enough).nearest();
        }
        let (normal, distance) = Unit::try_new_and_get(xb - xa, problem.rounding)?;
        let normal = normal.into_inner();
        *p = Penetration {
            normal,
            gap: p.gap,
            xa: xa + normal * problem.sweep,
            xb,
        };
        Some(distance - problem.sweep)
    }

    /// Returns the depth of boxes, which is that along an axis of theirs.
    fn overlap_of_boxes(&mut self, boxes: &Boxes, mut p: Penetration, doubt: f64) -> Answer {
        let problem = self.problem;
        // A corner over a face, or two edges, face each other; of parallel ones the nearest of many points may be beside.
        let slack = 4.0 * problem.rounding;
        let off = p.xb - p.xa - p.normal * p.gap;
        if off.norm() > slack || !boxes.hold([&p.xa, &p.xb], slack) {
            p = Penetration::along(problem, &p.normal);
            facing::face(problem, &mut p, &mut self.iterations);
        }
        if p.gap - doubt > self.max_distance {
            return self.beyond(&p.normal, p.gap - doubt);
        }
        let bracket = [p.gap - doubt, p.gap + doubt];
        self.answer(&p, p.gap, bracket, problem.tolerance)
    }

    /// Returns the answer of bodies that are proven to overlap, with a penetration that separates them.
    fn overlap(&self, p: &Penetration, upper: f64) -> Answer {
        let problem = self.problem;
        let bracket = [p.gap - problem.rounding, upper].map(|bound| bound - problem.sweep);
        let p = Penetration {
            gap: p.gap - problem.sweep,
            xa: p.xa + p.normal * problem.sweep,
            ..*p
        };
        self.answer(&p, p.gap, bracket, problem.tolerance)
    }

    /// Returns the depth of cores that have a common point when B's is moved by −v, from the simplex of which v is the nearest
    /// point or 0: where v is rounding beside the size of a face, the depth of 0 has its normal, and v has not. `None` where
    /// rounding leaves no answer.
    fn depth(&mut self, simplex: &Simplex, v: &Vector3<f64>) -> Option<Answer> {
        /// The share of the tolerance that the search may leave, by which the witnesses may be off their surfaces.
        const SHARE: f64 = 0.1;
        let problem = self.problem;
        let support = |n: &Vector3<f64>| {
            let mut pair = problem.core_pair(n);
            pair.gap -= n.dot(v);
            pair.xb -= v;
            pair
        };
        let mut corners = [*simplex.corners().first()?; 4];
        let count = simplex.corners().len();
        for (corner, given) in corners.iter_mut().zip(simplex.corners()) {
            *corner = *given;
            corner.z -= v;
        }
        let (corners, mut tolerance) = (&corners[..count], problem.tolerance);
        let certified = tolerance.max(CERTIFIED_DEPTH * problem.size());
        let thorough = (self.depth == DepthMode::Certified).then_some(0.9 * certified);
        let found = expansion::expand(
            support,
            corners,
            SHARE * tolerance,
            problem.rounding,
            thorough,
            &mut self.iterations,
        )?;
        let mut p = found.best;
        let open = found.upper - p.gap > problem.tolerance;
        if open && thorough.is_some() {
            tolerance = certified;
        }
        p.gap += p.normal.dot(v) - problem.sweep;
        p.xb += v;
        p.xa += p.normal * problem.sweep;
        if open && *v == Vector3::zeros() {
            let (polished, _) = ascent::ascend(problem, &p.normal, &mut self.iterations);
            if polished.gap >= p.gap {
                p = polished;
            }
        }
        let off = p.xb - p.xa;
        let beside = off - p.normal * p.normal.dot(&off);
        if open || beside.norm() > 0.5 * problem.tolerance {
            facing::face(problem, &mut p, &mut self.iterations);
        }
        let lower = p.gap - problem.rounding + problem.shift();
        if lower > self.max_distance {
            return Some(self.beyond(&p.normal, lower));
        }
        let upper = found.upper.min(0.0) + v.norm() - problem.sweep;
        let bracket = [
            p.gap - problem.rounding,
            upper.max(p.gap) + problem.rounding,
        ];
        let distance = self.line_up(&mut p).unwrap_or(p.gap);
        Some(self.answer(&p, distance, bracket, tolerance))
    }

    /// Returns the depth of swept cores that touch or all but touch, from what cutting planes found; `start` is a direction, and
    /// `common` a point of both to rounding.
    fn touching(
        &mut self,
        found: &CuttingPlanesResult,
        start: &Vector3<f64>,
        common: &Vector3<f64>,
    ) -> Answer {
        let problem = self.problem;
        let expanded = expansion::expand(
            |n| problem.support_pair(n),
            found.simplex.corners(),
            0.5 * problem.tolerance,
            problem.rounding,
            None,
            &mut self.iterations,
        );
        let (mut p, upper) = match expanded {
            Some(found) => (found.best, found.upper),
            None => {
                let (p, _) = ascent::ascend(problem, start, &mut self.iterations);
                (p, found.upper)
            }
        };
        facing::face(problem, &mut p, &mut self.iterations);
        let lower = p.gap - problem.rounding;
        let points = [*common, 0.5 * (p.xa + p.xb), p.xa, p.xb];
        let upper = if lower > 0.0 {
            (p.xb - p.xa).norm() + problem.rounding
        } else if upper + problem.rounding > 0.0 && points.iter().any(|x| problem.shares(x)) {
            0.0
        } else {
            upper + problem.rounding
        };
        let distance = self.line_up(&mut p).unwrap_or(p.gap);
        self.answer(&p, distance, [lower, upper], problem.tolerance)
    }

    /// Assembles the answer of the bodies from that of the swept cores: `Certified` if the bracket is closed to
    /// `tolerance`; with an open bracket, `Converged` for a proven overlap.
    fn answer(
        &self,
        p: &Penetration,
        distance: f64,
        [lower, upper]: [f64; 2],
        tolerance: f64,
    ) -> Answer {
        let shift = self.problem.shift();
        // The offset of the witnesses perpendicular to the normal is split between both.
        let beside = (p.xb - p.xa) - p.normal * p.normal.dot(&(p.xb - p.xa));
        let xa = p.xa + beside * 0.5 + p.normal * self.on_surface();
        let (lower, upper) = (lower.min(distance) + shift, upper.max(distance) + shift);
        let outcome = Outcome::of_overlap([lower, upper], tolerance);
        Answer::new(distance + shift, p.normal, xa, [lower, upper], outcome)
    }

    /// Assembles the answer that has only the bracket by balls.
    fn unknown(&self) -> Answer {
        let bracket = self.problem.ball_bracket();
        let normal = center_line(self.problem.center());
        let outcome = Outcome::NotConverged;
        Answer::new(bracket[1], normal, Vector3::zeros(), bracket, outcome)
    }
}
