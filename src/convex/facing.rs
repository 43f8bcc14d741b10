//! Witnesses of an overlap that face each other along its normal.
//!
//! The penetration along a unit normal n has witnesses with `x_B − x_A = g n`, g = g(n) < 0, exactly if the point g n
//! belongs to the CSO, as it does where g is a local maximum. Otherwise let v lead from g n to the nearest point of the
//! CSO. All its points z have `(z − g n)·v ≥ |v|²`, so that `g(v/|v|) ≥ g n·v/|v| + |v| ≥ g + |v|`: the direction v is
//! better than n, by |v| at least.
//!
//! If A is swept by a ball of radius r, the cores themselves are searched for the point (g + r) n. A combination of points of A
//! that were swept in different directions would be less than r away from A's core.
//!
//! Where v is much shorter than the bodies, rounding changes its direction. The nearest point then lies on a triangle of CSO
//! points, and the normal of the triangle, a cross product of two edges, is more accurate.

use crate::convex::problem::ConvexProblem;
use crate::narrowphase::ascent;
use crate::narrowphase::convex_pair::{ConvexPair, Penetration};
use crate::narrowphase::gjk::gjk;
use crate::narrowphase::simplex::{CsoPoint, Simplex};
use nalgebra::Vector3;

/// Replaces the witnesses by two that face each other along the normal, as far as the cores have them: those of the
/// CSO point nearest to the depth along the normal. Where that is off, it leads to a better normal.
pub(super) fn face(problem: &ConvexProblem, p: &mut Penetration, iterations: &mut u32) {
    const ROUNDS: usize = 10;
    const FACING: f64 = 0.5;
    for left in (0..ROUNDS).rev() {
        let swept = p.normal * problem.sweep;
        let aim = p.normal * p.gap + swept;
        let simplex = towards(problem, &aim, &p.normal, iterations);
        let (nearest, off) = (simplex.nearest(), p.xb - p.xa - p.normal * p.gap);
        // Nearly zero where the simplex encloses the aim.
        if nearest.norm() < off.norm() || problem.sweep > 0.0 {
            let [xa, xb] = simplex.witnesses();
            (p.xa, p.xb) = (xa + swept, xb + aim);
        }
        let done = nearest.norm().min(off.norm()) <= FACING * problem.tolerance;
        let vectors = [nearest, p.xb - p.xa, simplex.face_normal()];
        if done || left == 0 || !turn(problem, p, vectors, iterations) {
            break;
        }
        // An ascent may have ended too early on a ridge, and leads on from there.
        let (further, _) = ascent::ascend(problem, &p.normal, iterations);
        if further.gap > p.gap {
            *p = further;
        }
    }
}

/// Returns the simplex of the cores' CSO points less `aim` that is nearest to the origin, by GJK from a direction.
fn towards(
    problem: &ConvexProblem,
    aim: &Vector3<f64>,
    direction: &Vector3<f64>,
    iterations: &mut u32,
) -> Simplex {
    const QUERIES: usize = 60;
    let mut direction = *direction;
    let mut simplex = Simplex::new();
    gjk(&mut simplex, QUERIES, |simplex| {
        if let Some(v) = simplex.nearest_if_any() {
            if v.norm() <= 1e-4 * problem.tolerance {
                return None;
            }
            direction = v.normalize();
        }
        *iterations += 1;
        let mut found = CsoPoint::of(&problem.core_pair(&direction));
        found.z -= aim;
        Some(found)
    });
    simplex
}

/// Turns the normal to the best of some vectors, or their opposites. Returns false if none is better.
fn turn(
    problem: &ConvexProblem,
    p: &mut Penetration,
    vectors: [Vector3<f64>; 3],
    iterations: &mut u32,
) -> bool {
    let mut better = false;
    for vector in vectors {
        let Some(normal) = vector.try_normalize(0.0) else {
            continue;
        };
        let normal = normal * 1_f64.copysign(normal.dot(&p.normal));
        *iterations += 1;
        let gap = problem.support_pair(&normal).gap;
        if gap > p.gap {
            (p.normal, p.gap, better) = (normal, gap, true);
        }
    }
    better
}
