//! The driver of the four schemes of Gonçalves, Bernardino, Jorge and Lopes (*Mechanism and Machine Theory*
//! 115, 2017).
//!
//! A guess by a search of two trees ([`front`]) starts Newton–Raphson on the common-normal equations
//! ([`implicit`] or [`parametric`]). [`verify`](super::verify) bounds, tests and labels the points found; as published,
//! they are believed ([`as_published`]).

use crate::Superovoid;
use crate::narrowphase::convex_pair::ConvexPair;
use crate::pair::answer::finalize;
use crate::pair::pair_contact::finish;
use crate::pair::problem::PairProblem;
use crate::pair::warm_start::PairCache;
use crate::published::as_published::{End, Folded, Plain, folded};
use crate::published::front::{AS_PUBLISHED, FRONT, Ranking, Sample, Tree};
use crate::published::implicit::{Implicit, Points, TIP};
use crate::published::newton::Limits;
use crate::published::octree::Octree;
use crate::published::parametric::{Parametric, Tangents};
use crate::published::quadtree::Quadtree;
use crate::published::scheme_options::{Scheme, SchemeOptions};
use crate::published::trace::{Recorder, SchemeTrace, Watch};
use crate::published::verify::Evidence;
use crate::published::{front, implicit, newton, octree, parametric};
use crate::query::answer::Answer;
use crate::query::bounding;
use crate::query::contact::Contact;
use crate::query::error::QueryError;
use crate::query::validation::validate_poses;
use crate::surface::circles::Circles;
use nalgebra::{Isometry3, Matrix3, Vector3};

/// The default tolerance of the papers, relative to the largest semi-axis: Newton–Raphson stops at it, and a
/// bracket that is no wider counts as closed.
const RELATIVE_TOLERANCE: f64 = 1e-6;

/// Returns the signed distance between `a` at `pose_a` and `b` at `pose_b` by one of the four published schemes, with
/// witness points, normal and bracket in the world frame.
///
/// The [module](crate::published) states which outcome an answer has. With a `cache` the query starts from
/// the pair's last answer and stores the new one, whichever method found the last one.
///
/// # Errors
/// The error names a pose that is not finite or whose rotation is not of unit length, an option out of its
/// domain, or a distance that exceeds the number range.
pub fn scheme_contact(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &SchemeOptions,
    cache: Option<&mut PairCache>,
) -> Result<Contact, QueryError> {
    let straight = validate_poses(pose_a, pose_b)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    options.validate()?;
    watched(a, pose_a, b, pose_b, options, cache, |_| ()).map(|(contact, ())| contact)
}

/// Returns the answer of [`scheme_contact`] without a cache, and how the scheme has come to it: the pairs of cells of
/// each guess, level by level, and every iterate.
///
/// # Errors
/// The errors are those of [`scheme_contact`].
pub fn scheme_trace(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &SchemeOptions,
) -> Result<SchemeTrace, QueryError> {
    let straight = validate_poses(pose_a, pose_b)?;
    let [pose_a, pose_b] = straight.or([pose_a, pose_b]);
    options.validate()?;
    let recorder = |unit: f64| Recorder {
        unit,
        pose_a,
        attempts: Vec::new(),
    };
    let (contact, seen) = watched(a, pose_a, b, pose_b, options, None, recorder)?;
    Ok(SchemeTrace {
        contact,
        attempts: seen.attempts,
    })
}

/// Answers a validated query; `watcher` makes what watches it, for the unit of the problem.
fn watched<W: Watch>(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: &SchemeOptions,
    cache: Option<&mut PairCache>,
    watcher: impl FnOnce(f64) -> W,
) -> Result<(Contact, W), QueryError> {
    if let Some(contact) = bounding::pair_beyond(a, pose_a, b, pose_b, options.max_distance) {
        // A proof by bounds has no surface points from which the next query could start.
        if let Some(cache) = cache {
            *cache = PairCache::default();
        }
        return Ok((contact, watcher(1.0)));
    }
    let tolerance = if options.tolerance == 0.0 {
        RELATIVE_TOLERANCE * a.size().max(b.size())
    } else {
        options.tolerance
    };
    let problem = PairProblem::new(a, pose_a, b, pose_b, tolerance);
    let mut solver = Solver {
        problem: &problem,
        options,
        iterations: 0,
        watch: watcher(problem.unit),
    };
    let answer = solver.run(cache.as_deref().filter(|cache| !cache.is_empty()));
    let Solver {
        iterations, watch, ..
    } = solver;
    Ok((finish(&answer, &problem, pose_a, iterations, cache)?, watch))
}

/// One query by a scheme.
struct Solver<'a, W> {
    problem: &'a PairProblem,
    options: &'a SchemeOptions,
    iterations: u32,
    watch: W,
}

impl<W: Watch> Solver<'_, W> {
    fn run(&mut self, cache: Option<&PairCache>) -> Answer {
        let answer = if self.options.as_published {
            self.solve_as_published(cache)
        } else {
            self.solve(cache)
        };
        finalize(answer, self.problem)
    }

    /// Starts from the last answer and, without one or where Newton–Raphson does not converge from there, from the
    /// guess.
    fn solve_as_published(&mut self, cache: Option<&PairCache>) -> Answer {
        let problem = self.problem;
        let of_circles = |c: &[Circles; 2]| [c[0].point(&problem.a), c[1].point(&problem.b)];
        if let Some(cache) = cache {
            let circles = cache.circles(problem);
            let end = self.end_as_published(of_circles(&circles), &circles);
            if end.converged {
                return end.answer(problem);
            }
        }
        let (start, circles) = if self.options.scheme == Scheme::OctImplicit {
            self.watch.attempt(false);
            let cells = octree::nearest_filled([&problem.a, &problem.b], problem);
            (cells, implicit::circles(problem, &cells))
        } else {
            let circles = self.guess(Ranking::Nearest, AS_PUBLISHED);
            (of_circles(&circles), circles)
        };
        self.end_as_published(start, &circles).answer(problem)
    }

    /// Tries three starts in turn: the last answer, the nearest cells, and the cells with opposed normals. The second
    /// is skipped where the nearest cells prove that the bodies overlap.
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
                1 => self.guess(Ranking::Nearest, FRONT),
                _ => {
                    let radii = problem.a.outer_radius + problem.b.outer_radius;
                    self.guess(Ranking::Opposed { radii }, FRONT)
                }
            };
            if attempt == 1 && self.overlapping(&guess) {
                continue;
            }
            let found = self.refine(&guess);
            let answer = found.and_then(|circles| evidence.assess(&circles));
            if let Some(answer) = evidence.beyond(max_distance).or(answer) {
                return answer;
            }
        }
        evidence.not_converged()
    }

    /// Returns whether one of the guessed points lies in the other body.
    fn overlapping(&self, guess: &[Circles; 2]) -> bool {
        let problem = self.problem;
        let xa = guess[0].point(&problem.a);
        let xb = problem.rotation * guess[1].point(&problem.b) + problem.center;
        problem.gauge_b(&xa) <= 1.0 || problem.gauge_a(&xb) <= 1.0
    }

    /// Returns the best pair of cells of the scheme's trees, each by the surface point that represents it.
    fn guess(&mut self, ranking: Ranking, most: usize) -> [Circles; 2] {
        let PairProblem {
            a,
            b,
            rotation,
            center,
            ..
        } = self.problem;
        let (here, unturned) = (Vector3::zeros(), Matrix3::identity());
        let watch = &mut self.watch;
        watch.attempt(ranking != Ranking::Nearest);
        if self.options.scheme == Scheme::OctImplicit {
            let trees = [
                Octree::new(a, unturned, here),
                Octree::new(b, *rotation, *center),
            ];
            let [p, q] = front::search(trees.each_ref(), ranking, most, |level, pair| {
                tell(watch, &trees, level, pair);
            });
            [trees[0].circles(&p.cell), trees[1].circles(&q.cell)]
        } else {
            let division = self.options.division;
            let trees = [
                Quadtree::new(a, unturned, here, division),
                Quadtree::new(b, *rotation, *center, division),
            ];
            let [p, q] = front::search(trees.each_ref(), ranking, most, |level, pair| {
                tell(watch, &trees, level, pair);
            });
            [trees[0].circles(&p.cell), trees[1].circles(&q.cell)]
        }
    }

    /// Returns the length by which d is measured.
    fn length(&self) -> f64 {
        let PairProblem { a, b, center, .. } = self.problem;
        center.norm().max(a.size()).max(b.size())
    }

    /// Runs Newton–Raphson by whole steps from two points, or from the angles of the circles.
    fn end_as_published(&mut self, start: Points, circles: &[Circles; 2]) -> End {
        let problem = self.problem;
        let length = self.length();
        let mut limits = Limits {
            tolerance: problem.tolerance,
            max_iterations: self.options.max_iterations,
            jacobian: self.options.jacobian,
        };
        let iterations = &mut self.iterations;
        let watch = &mut self.watch;
        let in_a = |x: &Vector3<f64>| problem.rotation * x + problem.center;
        let tangents = match self.options.scheme {
            Scheme::QuadParametric => Tangents::Parametric,
            Scheme::NtbParametric => Tangents::Householder,
            Scheme::OctImplicit | Scheme::QuadImplicit => {
                let system = Plain(Implicit {
                    problem,
                    length,
                    tip: 0.0,
                });
                let seen = |at: &Points, merit: f64| {
                    watch.iterate([at[0], in_a(&at[1])], merit.sqrt(), 1.0);
                };
                let (end, converged) = newton::undamped(&system, start, &limits, iterations, seen);
                return End {
                    points: [end[0], in_a(&end[1])],
                    circles: implicit::circles(problem, &end),
                    converged,
                };
            }
        };
        let system = Folded(Parametric {
            problem,
            tangents,
            length,
        });
        // The tolerance of angles is that of lengths for bodies of size 1.
        limits.tolerance /= problem.a.size().max(problem.b.size());
        let [[a1, a2], [b1, b2]] = parametric::angles(problem, circles);
        let start = [a1, a2, b1, b2].map(|angle| angle.sin.atan2(angle.cos));
        let points_of = |circles: &[Circles; 2]| {
            [
                circles[0].point(&problem.a),
                in_a(&circles[1].point(&problem.b)),
            ]
        };
        let seen = |at: &[f64; 4], merit: f64| {
            let points = points_of(&parametric::circles(problem, &folded(at)));
            watch.iterate(points, merit.sqrt(), 1.0);
        };
        let (end, converged) = newton::undamped(&system, start, &limits, iterations, seen);
        let circles = parametric::circles(problem, &folded(&end));
        End {
            points: points_of(&circles),
            circles,
            converged,
        }
    }

    /// Runs Newton–Raphson from two surface points. Returns `None` where the start is out of the domain.
    fn refine(&mut self, guess: &[Circles; 2]) -> Option<[Circles; 2]> {
        let problem = self.problem;
        let limits = Limits {
            tolerance: problem.tolerance,
            max_iterations: self.options.max_iterations,
            jacobian: self.options.jacobian,
        };
        let length = self.length();
        let watch = &mut self.watch;
        let in_a = |x: &Vector3<f64>| problem.rotation * x + problem.center;
        let tangents = match self.options.scheme {
            Scheme::QuadParametric => Tangents::Parametric,
            Scheme::NtbParametric => Tangents::Householder,
            Scheme::OctImplicit | Scheme::QuadImplicit => {
                let system = Implicit {
                    problem,
                    length,
                    tip: TIP,
                };
                let start = [guess[0].point(&problem.a), guess[1].point(&problem.b)];
                let seen = |at: &Points, merit: f64, step| {
                    watch.iterate([at[0], in_a(&at[1])], merit.sqrt(), step);
                };
                let end = newton::solve(&system, start, &limits, &mut self.iterations, seen)?;
                return Some(implicit::circles(problem, &end));
            }
        };
        let system = Parametric {
            problem,
            tangents,
            length,
        };
        let start = parametric::angles(problem, guess);
        let seen = |at: &parametric::Angles, merit: f64, step| {
            let [p, q] = parametric::circles(problem, at);
            let points = [p.point(&problem.a), in_a(&q.point(&problem.b))];
            watch.iterate(points, merit.sqrt(), step);
        };
        let end = newton::solve(&system, start, &limits, &mut self.iterations, seen)?;
        Some(parametric::circles(problem, &end))
    }
}

/// Tells a pair of cells that is kept.
fn tell<T: Tree, W: Watch>(
    watch: &mut W,
    [a, b]: &[T; 2],
    level: usize,
    [p, q]: [&Sample<T::Cell>; 2],
) {
    watch.kept(level, || [a.extent(&p.cell), b.extent(&q.cell)], [p.x, q.x]);
}

impl PairCache {
    /// Returns the surface points of the last answer, as circles, from which both coordinates and angles follow.
    fn circles(&self, problem: &PairProblem) -> [Circles; 2] {
        let [a, b] = self.states();
        [a.circles(&problem.a), b.circles(&problem.b)]
    }
}
