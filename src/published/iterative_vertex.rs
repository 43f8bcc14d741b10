//! The iterative geometric method for points near superellipsoids, extended to tapers.
//!
//! A guess is a surface point p with the unit direction n_μ of x − p (outwards), the surface's unit normal n_SE
//! there, and the signed distance d from p to x. The error of a guess
//!
//! ```text
//! ε = | p + d n_SE − x |
//! ```
//!
//! vanishes where n_SE points to x. A direction n gives a new guess: the point x is moved back along n, and then
//! along the ray from the centre onto the surface. The length of the first move is that of a side of a right triangle
//! with d along n_μ as its hypotenuse: `d (n_μ·n)`.
//!
//! The first guess is the radial one, and the next direction its normal; where the normal turns by an angle of cosine
//! below 0.97, it is 80 % ray and 20 % normal instead. Then the direction is
//!
//! ```text
//! n = (1 − λ) n_μ + λ n_SE
//! ```
//!
//! of the best guess; after a guess that was no better, it is the mean of the best and that one. λ starts at 0.5, is
//! multiplied by 0.6 after a guess that is no better, and doubled (to 0.95 at most) after a better one that came from
//! the best alone and is close to it.
//!
//! The method is local and ignores the curvature: it ends where ε is at most the tolerance, which does not make p the
//! nearest point, and near ridges it may not end.
//!
//! The **curvature-aware step**, which the thesis names as future work, takes a sphere for the surface instead of its
//! tangent plane. Two guesses with points p, p′ and normals n_SE, n′ give its radius, `R = |p − p′| / |n_SE − n′|`. It
//! touches the surface at p, so that the vector from its centre to x is `w = d n_μ + R n_SE`: the next guess lies on it
//! towards x, that is |w| − R before x along w. After a guess that was no better, the other step is taken. The error of
//! box-like bodies is halved; at the ridges of pointed ones, for which the step was meant, it gains nothing.

use crate::Superovoid;
use crate::published::radial_vertex::radial_circles;
use crate::query::answer::Answer;
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::MAX_ITERATIONS;
use crate::vertex::bracket::simple_bracket;
use crate::vertex::newton::Foot;
use crate::vertex::problem::VertexProblem;
use crate::vertex::vertex_contact::{solve_by, validate_query};
use crate::vertex::vertex_options::VertexOptions;
use nalgebra::{Isometry3, Point3, Vector3};

/// The default tolerance, relative to the largest semi-axis.
const RELATIVE_TOLERANCE: f64 = 1e-3;

/// The cosine of the turn of the normal up to which mirroring is trusted.
const MIRRORED: f64 = 0.97;
/// The share of the ray in the first direction otherwise.
const RAY: f64 = 0.8;
const FIRST_LAMBDA: f64 = 0.5;
const LARGEST_LAMBDA: f64 = 0.95;
const SHRINK: f64 = 0.6;
const GROW: f64 = 2.0;
/// The cosine of the normals above which two guesses are close …
const CLOSE_COSINE: f64 = 0.97;
/// … if their points are also nearer than this share of the body's size.
const CLOSE_POINTS: f64 = 0.05;
/// The radius, in sizes of the body, from which on a surface counts as flat.
const FLAT: f64 = 1e3;

/// Returns the signed distance between `shape` at `pose` and a vertex (world frame, metres) by the iterative
/// geometric method for superellipsoids and vertices.
///
/// From the radial surface point the method proceeds by weighted means of normals and directions, until the
/// normal points to the vertex within the tolerance. It is approximate: the outcome is
/// [`Outcome::Converged`] when it ended so and [`Outcome::NotConverged`] when it ran out of iterations. The
/// bracket is true either way. A vertex beyond `max_distance` has [`Outcome::Beyond`], and one so far away
/// that the body is a point [`Outcome::Certified`].
///
/// The options have these meanings:
///
/// - `tolerance`: the error at which the method ends, `|point_a + distance n − point|` with n the surface's
///   normal, in metres; 0 means 1e-3 of the largest semi-axis.
/// - `max_iterations`: the number of iterations (the thesis that published the method allowed 30).
/// - `max_distance`: as in [`vertex_contact`](crate::vertex_contact).
/// - `depth`: ignored.
///
/// # Errors
/// The error names a pose or point that is not finite, an option out of its domain, or a distance that
/// exceeds the number range.
pub fn iterative_vertex_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    contact_by_steps(shape, pose, point, options, Step::Projected)
}

/// Returns what [`iterative_vertex_contact`] returns, by the method with a step that takes the curvature into account,
/// which the thesis proposes but does not describe: a sphere stands for the surface, with the radius that two guesses tell.
///
/// # Errors
/// The errors are those of [`iterative_vertex_contact`].
pub fn curvature_aware_vertex_contact(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
) -> Result<Contact, QueryError> {
    contact_by_steps(shape, pose, point, options, Step::ToSphere)
}

/// The length of a step along a direction.
#[derive(Clone, Copy, PartialEq)]
enum Step {
    /// The distance, projected on the direction.
    Projected,
    /// The way to the sphere that touches the surface and bends as it does between two guesses.
    ToSphere,
}

fn contact_by_steps(
    shape: &Superovoid,
    pose: &Isometry3<f64>,
    point: &Point3<f64>,
    options: &VertexOptions,
    step: Step,
) -> Result<Contact, QueryError> {
    let straight = validate_query(pose, options)?;
    let pose = straight.as_ref().unwrap_or(pose);
    let by_guesses = |query: &VertexProblem, iterations: &mut u32| {
        answer(query, step, options.max_iterations, iterations)
    };
    solve_by(
        shape,
        pose,
        point,
        options,
        RELATIVE_TOLERANCE,
        0,
        by_guesses,
    )
}

#[derive(Clone, Copy)]
struct Guess {
    foot: Foot,
    /// The unit direction from the surface point to x, reversed inside.
    direction: Vector3<f64>,
    /// The signed distance |x − p|.
    distance: f64,
    error: f64,
}

struct Solver<'a> {
    shape: &'a Superovoid,
    x: Vector3<f64>,
    /// The sign, −1 inside and 1 outside.
    side: f64,
    step: Step,
}

impl Solver<'_> {
    /// Returns the guess at the surface point on the ray through y.
    fn guess_on_ray(&self, y: &Vector3<f64>) -> Guess {
        let foot = Foot::at(self.shape, &self.x, &radial_circles(self.shape, y));
        let distance = self.side * foot.d.norm();
        let direction = if distance == 0.0 {
            foot.normal
        } else {
            foot.d / distance
        };
        Guess {
            foot,
            direction,
            distance,
            error: (foot.normal * distance - foot.d).norm(),
        }
    }

    fn guess(&self, from: &Guess, n: &Vector3<f64>) -> Guess {
        let n = n.normalize();
        let adjusted = from.distance * from.direction.dot(&n);
        self.guess_on_ray(&(self.x - n * adjusted))
    }

    /// Returns the guess by the sphere that touches the surface at the best guess and bends as the surface does from
    /// there to another guess; the one along n where there is no such sphere.
    fn guess_by_sphere(&self, best: &Guess, other: &Guess, n: &Vector3<f64>) -> Guess {
        let apart = (best.foot.x - other.foot.x).norm();
        let turn = (best.foot.normal - other.foot.normal).norm();
        let radius = apart / turn;
        // A flat surface has no such sphere, and guesses at one point tell none.
        if !(radius > 0.0 && radius < FLAT * self.shape.size()) {
            return self.guess(best, n);
        }
        let w = best.direction * best.distance + best.foot.normal * radius;
        let length = w.norm();
        self.guess_on_ray(&(self.x - w * ((length - radius) / length)))
    }

    fn first(&self) -> Guess {
        let radial = self.guess_on_ray(&self.x);
        let mirrored = self.guess(&radial, &radial.foot.normal);
        if mirrored.foot.normal.dot(&radial.foot.normal) > MIRRORED {
            return mirrored;
        }
        let safer = radial.direction * RAY + radial.foot.normal * (1.0 - RAY);
        self.guess(&radial, &safer)
    }

    fn run(&self, tolerance: f64, max_iterations: u32, iterations: &mut u32) -> Guess {
        let mut best = self.first();
        let mut lambda = FIRST_LAMBDA;
        let mut worse: Option<Guess> = None;
        // The last guess beside the best one.
        let mut other: Option<Guess> = None;
        for _ in 0..max_iterations.min(MAX_ITERATIONS) {
            if best.error <= tolerance {
                break;
            }
            *iterations += 1;
            let (direction, normal) = match &worse {
                None => (best.direction, best.foot.normal),
                Some(last) => (
                    (best.direction + last.direction).normalize(),
                    (best.foot.normal + last.foot.normal).normalize(),
                ),
            };
            let n = direction * (1.0 - lambda) + normal * lambda;
            let next = match (self.step, &other) {
                (Step::ToSphere, Some(other)) if worse.is_none() => {
                    self.guess_by_sphere(&best, other, &n)
                }
                _ => self.guess(&best, &n),
            };
            other = Some(if next.error <= best.error { best } else { next });
            if next.error <= best.error {
                if worse.is_none() && self.are_close(&next, &best) {
                    lambda = (GROW * lambda).min(LARGEST_LAMBDA);
                }
                (best, worse) = (next, None);
            } else {
                lambda *= SHRINK;
                worse = Some(next);
            }
        }
        best
    }

    fn are_close(&self, a: &Guess, b: &Guess) -> bool {
        a.foot.normal.dot(&b.foot.normal) > CLOSE_COSINE
            && (a.foot.x - b.foot.x).norm() < CLOSE_POINTS * self.shape.size()
    }
}

/// Runs the method; a converged answer has ε within the tolerance.
fn answer(query: &VertexProblem, step: Step, max_iterations: u32, iterations: &mut u32) -> Answer {
    let inside = query.shape.gauge(&query.point) <= 1.0;
    let solver = Solver {
        shape: &query.shape,
        x: query.point,
        side: if inside { -1.0 } else { 1.0 },
        step,
    };
    let best = solver.run(query.tolerance, max_iterations, iterations);
    let outcome = if best.error <= query.tolerance {
        Outcome::Converged
    } else {
        Outcome::NotConverged
    };
    let bracket = simple_bracket(query, &best.foot, inside);
    query.answer(&best.foot, inside, bracket, outcome)
}
