//! The four schemes of Gonçalves, Bernardino, Jorge and Lopes (2017), as methods of the pair query.
//!
//! Each is a guess followed by Newton–Raphson on the common-normal equations:
//!
//! | scheme | unknowns | equations | guess |
//! | --- | --- | --- | --- |
//! | octImplicit | 6 local coordinates | (15), [`implicit`] | [`octree`] |
//! | quadImplicit | 6 local coordinates | (15), [`implicit`] | [`quadtree`] |
//! | quadParametric | 4 angles | (18), [`parametric`] tangents | [`quadtree`] |
//! | ntbParametric | 4 angles | (18), [`householder`] tangents | [`quadtree`] |
//!
//! What the papers' own implementation gets wrong (an iterate beyond the tapered tip, one folded back
//! at a pole, steps that overshoot, a NaN taken for convergence, the last iterate but one returned,
//! one inside test of two) is not reproduced; what the methods cannot do is not hidden either:
//! [`verify`] labels their answers and leaves them as they are.

mod front;
mod householder;
mod implicit;
#[cfg(test)]
mod jacobian_test;
mod linear;
mod newton;
mod octree;
mod parametric;
mod quadtree;
mod verify;

use crate::pair::chain::Answer;
use crate::pair::problem::{ConvexPair, Problem};
use crate::pair::{Method, PairCache, QueryOptions};
use crate::surface::circle::Circles;
use front::Ranking;
use implicit::Implicit;
use nalgebra::{Matrix3, Vector3};
use newton::Limits;
use octree::Octree;
use parametric::{Parametric, Tangents};
use quadtree::Quadtree;
use verify::Evidence;

/// Newton's tolerance and the widest bracket that counts as closed, relative to the largest semi-axis,
/// where the query leaves it open; that of the papers.
pub(crate) const RELATIVE_TOLERANCE: f64 = 1e-6;

/// One query of a scheme.
pub(crate) struct Scheme<'a> {
    problem: &'a Problem,
    options: &'a QueryOptions,
    pub iterations: u32,
}

impl<'a> Scheme<'a> {
    pub fn new(problem: &'a Problem, options: &'a QueryOptions) -> Self {
        Scheme {
            problem,
            options,
            iterations: 0,
        }
    }

    pub fn run(&mut self, cache: Option<&PairCache>) -> Answer {
        self.solve(cache).made_safe(self.problem)
    }

    /// The last answer first, then the nearest points, then opposed normals: bodies that overlap have
    /// no use for their nearest points.
    fn solve(&mut self, cache: Option<&PairCache>) -> Answer {
        let problem = self.problem;
        let max_distance = self.options.max_distance / problem.unit;
        let mut evidence = Evidence::new(problem);
        if let Some(answer) = evidence.beyond(max_distance) {
            return answer;
        }
        for attempt in 0..3 {
            let guess = match attempt {
                0 => match cache {
                    Some(cache) => cache.circles(problem),
                    None => continue,
                },
                1 => self.guess(Ranking::Nearest),
                _ => self.guess(Ranking::Opposed {
                    radii: problem.a.outer_radius + problem.b.outer_radius,
                }),
            };
            if attempt == 1 && self.overlapping(&guess) {
                continue;
            }
            let found = self.refine(&guess);
            let answer = found.and_then(|circles| evidence.judge(&circles));
            if let Some(answer) = evidence.beyond(max_distance).or(answer) {
                return answer;
            }
        }
        evidence.not_converged()
    }

    /// Whether the nearest points found lie in the other body.
    fn overlapping(&self, guess: &[Circles; 2]) -> bool {
        let problem = self.problem;
        let xa = guess[0].point(&problem.a);
        let xb = problem.rotation * guess[1].point(&problem.b) + problem.center;
        problem.gauge_b(&xa) <= 1.0 || problem.gauge_a(&xb) <= 1.0
    }

    fn guess(&self, ranking: Ranking) -> [Circles; 2] {
        let Problem {
            a,
            b,
            rotation,
            center,
            ..
        } = self.problem;
        let (here, unturned) = (Vector3::zeros(), Matrix3::identity());
        if self.options.method == Method::OctImplicit {
            let trees = [
                Octree::new(a, unturned, here),
                Octree::new(b, *rotation, *center),
            ];
            let [p, q] = front::search(trees.each_ref(), ranking);
            [trees[0].circles(&p.cell), trees[1].circles(&q.cell)]
        } else {
            let trees = [
                Quadtree::new(a, unturned, here),
                Quadtree::new(b, *rotation, *center),
            ];
            let [p, q] = front::search(trees.each_ref(), ranking);
            [trees[0].circles(&p.cell), trees[1].circles(&q.cell)]
        }
    }

    /// Newton from two surface points.
    fn refine(&mut self, guess: &[Circles; 2]) -> Option<[Circles; 2]> {
        let problem = self.problem;
        let limits = Limits {
            tolerance: problem.tolerance,
            max_iterations: self.options.max_iterations,
            jacobian: self.options.jacobian,
        };
        let reach = problem
            .center
            .norm()
            .max(problem.a.size())
            .max(problem.b.size());
        let tangents = match self.options.method {
            Method::QuadParametric => Tangents::Parametric,
            Method::NtbParametric => Tangents::Householder,
            _ => {
                let system = Implicit { problem, reach };
                let start = [guess[0].point(&problem.a), guess[1].point(&problem.b)];
                let end = newton::solve(&system, start, &limits, &mut self.iterations)?;
                return Some(implicit::circles(problem, &end));
            }
        };
        let system = Parametric {
            problem,
            tangents,
            reach,
        };
        let start = parametric::angles(problem, guess);
        let end = newton::solve(&system, start, &limits, &mut self.iterations)?;
        Some(parametric::circles(problem, &end))
    }
}

impl PairCache {
    /// The last answer's surface points. As circles, from which both coordinates and angles follow.
    fn circles(&self, problem: &Problem) -> [Circles; 2] {
        let [a, b] = self.states();
        [a.circles(&problem.a), b.circles(&problem.b)]
    }
}
