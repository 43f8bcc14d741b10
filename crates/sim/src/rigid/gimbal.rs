//! A gimbal: three angles about x, y and z, one after the other, each within its range.
//!
//! With frames F fixed to both bodies the orientation of B against A is
//!
//! ```text
//! R = (q_A F_A)⁻¹ q_B F_B = Rx(α) Ry(β) Rz(γ)
//! ω = α̇ x + β̇ y' + γ̇ z'',    x of A's frame,  y' = Rx(α) y,  z'' = Rx(α) Ry(β) z of B's frame
//! ```
//!
//! as of three hinges one after the other. The angles of the allowed orientation nearest to R, the target, are those of R
//! clamped to their ranges; t is the turn of B that leads there. An angle at whose end the target lies is *held*, the others
//! are free. What holds must not work on what is free: its torque is perpendicular to the axes of the free angles. A basis E
//! of these torques is (with z' = Rx(α) z and x'' = Rx(α) Ry(β) x, so that x y' z' and x'' y' z'' are right-handed frames)
//!
//! ```text
//! held   α        β     γ     α β       β γ      α γ      α β γ
//! E      x''      y'    z'    x'' y'    y' z'    x z'     x y' z'
//! ```
//!
//! of which the single ones are the dual vectors of the axes, ∇α = y' × z''/det = x''/cos β, ∇β = y', ∇γ = x × y'/det =
//! z'/cos β with det = x·(y' × z'') = cos β, made unit vectors. The angular impulse E λ brings about the turn t as far as E
//! sees it, Eᵀ (I_A⁻¹ + I_B⁻¹) E λ = Eᵀ t, together with the impulse that keeps the common point ([`crate::rigid::block`]).
//! For one held angle this is the correction by its violation C along its gradient, λ = −C/(∇C W ∇Cᵀ).
//!
//! At β = ±90° the axes x and z'' fall together and α and γ are not told apart, only their sum or difference. Nothing here
//! divides by cos β, but the split must not be left to rounding: beside the angles of R (and α + π, π − β, γ + π, which are
//! of the same R, so that β may go beyond 90°) those are tried in which γ or α is clamped first and the other two are read
//! off from what is left, which is well posed at every β; of all targets the nearest to R counts. Where only x and z'' are
//! free and fall together, a third turn is missing, as of every gimbal.
//!
//! Damping is a torque −d ω against the turn θ of the substep, implicit: P = −(I_A⁻¹ + I_B⁻¹ + 1/(d h))⁻¹ θ.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::{PI, TAU};

/// The ranges of the three angles, radians.
pub(crate) type Ranges = [[f64; 2]; 3];

/// Returns Rx(α) Ry(β) Rz(γ).
pub(crate) fn rotation([a, b, c]: [f64; 3]) -> UnitQuaternion<f64> {
    let about = UnitQuaternion::from_axis_angle;
    about(&Vector3::x_axis(), a) * about(&Vector3::y_axis(), b) * about(&Vector3::z_axis(), c)
}

/// Returns the turn of B that leads into the ranges, and the columns of E, zeros for those that there are not, all in the
/// world. `frame` is the frame on A in the world, `relative` the orientation R.
pub(crate) fn correction(
    frame: &UnitQuaternion<f64>,
    relative: &UnitQuaternion<f64>,
    ranges: &Ranges,
) -> (Vector3<f64>, Matrix3<f64>) {
    let Some(target) = nearest(relative, ranges) else {
        return (Vector3::zeros(), Matrix3::zeros());
    };
    let allowed = rotation(target.angles);
    let turn = frame * (allowed * relative.inverse()).scaled_axis();
    (turn, frame.to_rotation_matrix() * torques(&target))
}

/// Returns the angular impulse (times h) on B of the damping d in a substep of length h, for the turn that it has made
/// against A.
pub(crate) fn resistance(
    turn: &Vector3<f64>,
    damping: f64,
    mobility: &Matrix3<f64>,
    h: f64,
) -> Option<Vector3<f64>> {
    let weights = mobility + Matrix3::identity() / (damping * h);
    Some(-weights.cholesky()?.solve(turn))
}

/// The allowed orientation nearest to another: its angles, and which of them are held.
struct Target {
    angles: [f64; 3],
    held: [bool; 3],
}

/// Returns the target; none if the orientation is allowed.
fn nearest(relative: &UnitQuaternion<f64>, ranges: &Ranges) -> Option<Target> {
    let r = relative.to_rotation_matrix().into_inner();
    let alpha = (-r[(1, 2)]).atan2(r[(2, 2)]);
    let [beta, gamma] = behind(&r, alpha);
    let mut best: Option<(f64, Target)> = None;
    for read in [[alpha, beta, gamma], [alpha + PI, PI - beta, gamma + PI]] {
        let found = near(read, ranges);
        let clamped = target(found, ranges);
        if clamped.angles == found {
            return None;
        }
        let [a, b] = before(&r, clamped.angles[2]);
        let mut first = target(near([a, b, clamped.angles[2]], ranges), ranges);
        first.held[2] |= clamped.held[2];
        let [b, c] = behind(&r, clamped.angles[0]);
        let mut last = target(near([clamped.angles[0], b, c], ranges), ranges);
        last.held[0] |= clamped.held[0];
        for tried in [clamped, first, last] {
            let along = rotation(tried.angles).coords.dot(&relative.coords).abs();
            if best.as_ref().is_none_or(|(most, _)| along > *most) {
                best = Some((along, tried));
            }
        }
    }
    best.map(|(_, target)| target)
}

/// β and γ of Rx(−α) R = Ry(β) Rz(γ), whose third column is (sin β, 0, cos β) and second row (sin γ, cos γ, 0).
fn behind(r: &Matrix3<f64>, alpha: f64) -> [f64; 2] {
    let (s, c) = alpha.sin_cos();
    let second = r.row(1) * c + r.row(2) * s;
    let third = r.row(2) * c - r.row(1) * s;
    [r[(0, 2)].atan2(third[2]), second[0].atan2(second[1])]
}

/// α and β of R Rz(−γ) = Rx(α) Ry(β), whose second column is (0, cos α, sin α) and first row (cos β, 0, sin β).
fn before(r: &Matrix3<f64>, gamma: f64) -> [f64; 2] {
    let (s, c) = gamma.sin_cos();
    let first = r.column(0) * c - r.column(1) * s;
    let second = r.column(0) * s + r.column(1) * c;
    [second[2].atan2(second[1]), r[(0, 2)].atan2(first[0])]
}

/// Adds the turns that bring every angle nearest to the middle of its range.
fn near(angles: [f64; 3], ranges: &Ranges) -> [f64; 3] {
    [0, 1, 2].map(|i| {
        let [low, high] = ranges[i];
        angles[i] + TAU * ((0.5 * (low + high) - angles[i]) / TAU).round()
    })
}

/// Clamps angles to their ranges. What does not turn is always held.
fn target(found: [f64; 3], ranges: &Ranges) -> Target {
    let angles = [0, 1, 2].map(|i| found[i].clamp(ranges[i][0], ranges[i][1]));
    let held = [0, 1, 2].map(|i| angles[i] != found[i] || ranges[i][0] == ranges[i][1]);
    Target { angles, held }
}

/// The basis E in the frame on A, a column each and zeros for columns that there are not.
fn torques(target: &Target) -> Matrix3<f64> {
    let [a, b, _] = target.angles;
    let first = rotation([a, 0.0, 0.0]);
    let (y, z1) = (first * Vector3::y(), first * Vector3::z());
    let x2 = rotation([a, b, 0.0]) * Vector3::x();
    let none = Vector3::zeros();
    let columns = match target.held {
        [true, true, true] => [Vector3::x(), y, z1],
        [true, false, true] => [Vector3::x(), none, z1],
        [alpha, beta, gamma] => [
            if alpha { x2 } else { none },
            if beta { y } else { none },
            if gamma { z1 } else { none },
        ],
    };
    Matrix3::from_columns(&columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rigid::block::{End, impulses};
    use crate::scenes::Random;

    fn excess(angles: [f64; 3], ranges: &Ranges) -> f64 {
        let clamped = |i: usize| angles[i] - angles[i].clamp(ranges[i][0], ranges[i][1]);
        (0..3).map(|i| clamped(i).abs()).fold(0.0, f64::max)
    }

    /// The least angle between an orientation and an allowed one, by a dense search that reads no angles off.
    fn searched(relative: &UnitQuaternion<f64>, ranges: &Ranges) -> f64 {
        let at = |angles: [f64; 3]| rotation(angles).angle_to(relative);
        let mut best = (f64::INFINITY, [0.0; 3]);
        const STEPS: i32 = 14;
        for k in 0..(STEPS + 1).pow(3) {
            let parts = [k % 15, k / 15 % 15, k / 225].map(|n| f64::from(n) / f64::from(STEPS));
            let angles = [0, 1, 2].map(|i| ranges[i][0] + (ranges[i][1] - ranges[i][0]) * parts[i]);
            if at(angles) < best.0 {
                best = (at(angles), angles);
            }
        }
        let mut step = 0.2;
        while step > 1e-9 {
            let mut better = false;
            for k in 0..27 {
                let turns = [k % 3, k / 3 % 3, k / 9].map(|n| f64::from(n) - 1.0);
                let tried = [0, 1, 2]
                    .map(|i| (best.1[i] + step * turns[i]).clamp(ranges[i][0], ranges[i][1]));
                if at(tried) < best.0 {
                    (best, better) = ((at(tried), tried), true);
                }
            }
            if !better {
                step *= 0.5;
            }
        }
        best.0
    }

    #[test]
    fn an_allowed_orientation_has_no_target_and_a_slightly_wrong_one_the_nearest() {
        let mut random = Random::new(11);
        for case in 0..400 {
            let mut ranges = [[0.0; 2]; 3].map(|_: [f64; 2]| {
                let low = random.within(-2.5, 1.0);
                [low, low + random.within(0.1, 1.5)]
            });
            // What does not turn, and bends beyond and at 90°.
            if case % 4 == 0 {
                ranges[case / 4 % 3] = [0.3; 2];
            }
            if case % 5 == 0 {
                ranges[1] = [0.0, 2.6];
            }
            let inside = [0, 1, 2].map(|i| {
                let [low, high] = ranges[i];
                low + (high - low) * random.within(0.0, 1.0)
            });
            let locked = ranges.iter().any(|[low, high]| low == high);
            assert!(locked || nearest(&rotation(inside), &ranges).is_none());
            let off = Vector3::from([0; 3].map(|_| random.within(-0.02, 0.02)));
            let relative = UnitQuaternion::from_scaled_axis(off) * rotation(inside);
            let Some(found) = nearest(&relative, &ranges) else {
                continue;
            };
            assert!(excess(found.angles, &ranges) == 0.0);
            let distance = rotation(found.angles).angle_to(&relative);
            // Clamping is the projection up to the coupling of the axes, by a factor 1/cos β at most; what was inside
            // is off by 0.035 at most.
            let least = searched(&relative, &ranges);
            assert!(distance >= least - 1e-6, "{distance} {least}");
            assert!(
                distance <= 0.12,
                "{case}: {distance} {least} {ranges:?} {inside:?}"
            );
        }
    }

    /// Ranges, and the turn of B after one correction: what was held is at its end, and no work is done on what is free.
    #[test]
    fn one_correction_leads_to_the_ends_and_does_no_work_on_what_is_free() {
        let mut random = Random::new(5);
        let none = Vector3::zeros();
        for _ in 0..300 {
            let ranges = [[-0.4, 0.5], [-0.7, 0.9], [-0.3, 0.2]];
            let angles = ranges.map(|[low, high]: [f64; 2]| random.within(low - 0.02, high + 0.02));
            let half = Matrix3::from([[0; 3]; 3].map(|row| row.map(|_| random.within(-1.0, 1.0))));
            let mobility = half * half.transpose() + Matrix3::identity() * 0.2;
            let frame = UnitQuaternion::from_scaled_axis(Vector3::from(
                [0; 3].map(|_| random.within(-1.0, 1.0)),
            ));
            let relative = rotation(angles);
            let (turn, basis) = correction(&frame, &relative, &ranges);
            if excess(angles, &ranges) == 0.0 {
                assert!(turn == Vector3::zeros() && basis == Matrix3::zeros());
                continue;
            }
            let still = Matrix3::zeros();
            let ends = [&still, &mobility].map(|inverse_inertia| End {
                lever: &none,
                inverse_mass: 1.0,
                inverse_inertia,
            });
            let [push, impulse] = impulses(ends, &none, 0.0, &basis, &turn).unwrap();
            assert!(push.norm() == 0.0);
            let first = rotation([angles[0], 0.0, 0.0]);
            let axes = [Vector3::x(), first * Vector3::y(), relative * Vector3::z()];
            for i in 0..3 {
                let [low, high] = ranges[i];
                if low < angles[i] && angles[i] < high {
                    let work = impulse.dot(&(frame * axes[i])) / impulse.norm();
                    // The torques are those of the target, from which the axes are turned by some 0.03 rad.
                    assert!(work.abs() < 0.05, "{work}");
                }
            }
            let turned = UnitQuaternion::from_scaled_axis(mobility * impulse);
            let after = frame.inverse() * turned * frame * relative;
            let r = after.to_rotation_matrix().into_inner();
            let alpha = (-r[(1, 2)]).atan2(r[(2, 2)]);
            let [beta, gamma] = behind(&r, alpha);
            for (i, angle) in [alpha, beta, gamma].into_iter().enumerate() {
                let [low, high] = ranges[i];
                let clamped = angles[i].clamp(low, high);
                if clamped != angles[i] {
                    assert!((angle - clamped).abs() < 4e-3, "{i}: {angle} {clamped}");
                }
            }
        }
    }

    #[test]
    fn a_hinge_about_y_passes_90_degrees_without_a_twist() {
        let ranges = [[0.0; 2], [-0.1, 2.6], [0.0; 2]];
        let off = UnitQuaternion::from_scaled_axis(Vector3::new(3e-6, -2e-6, 1e-6));
        for k in 0..=2000 {
            let beta = PI / 2.0 + (f64::from(k) - 1000.0) * 1e-8;
            let relative = off * rotation([0.0, beta, 0.0]);
            let target = nearest(&relative, &ranges).unwrap();
            assert_eq!((target.angles[0], target.angles[2]), (0.0, 0.0));
            assert!(
                (target.angles[1] - beta).abs() < 1e-5,
                "{:?}",
                target.angles
            );
        }
    }
}
