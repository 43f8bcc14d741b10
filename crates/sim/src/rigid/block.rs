//! The common point and the turn of a joint, corrected together by one impulse.
//!
//! An impulse P at the points and an angular impulse E λ, both on B and their opposites on A, move the points against each
//! other and turn the bodies by
//!
//! ```text
//! Δ(p_B − p_A) = K P + G E λ,      K = (1/m_A + 1/m_B) 1 − [r_A] I_A⁻¹ [r_A] − [r_B] I_B⁻¹ [r_B]
//! Δ(φ_B − φ_A) = Gᵀ P + W E λ,     G = −[r_A] I_A⁻¹ − [r_B] I_B⁻¹,   W = I_A⁻¹ + I_B⁻¹
//! ```
//!
//! with [r] v = r × v. Of the turns only those that E sees count, so that P and λ solve
//!
//! ```text
//! ( K + α̃ 1   G E    ) ( P )     ( −(p_B − p_A) )
//! ( Eᵀ Gᵀ     Eᵀ W E ) ( λ )  =  (  Eᵀ t        )
//! ```
//!
//! One after the other, a turn about the centre of mass of a long body tears the points apart and the next correction turns
//! it back; together both are met to first order.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

/// One body of a joint: the lever from its centre of mass to the point, its inverse mass and inertia.
pub(crate) struct End<'a> {
    pub lever: &'a Vector3<f64>,
    pub inverse_mass: f64,
    pub inverse_inertia: &'a Matrix3<f64>,
}

/// Returns the impulse and the angular impulse (times h) on B. `apart` is p_B − p_A, `softness` α̃ = α/h², `torques` the
/// columns of E, zeros for those that there are not, and `turn` the wanted turn t. None where nothing moves.
pub(crate) fn impulses(
    [a, b]: [End<'_>; 2],
    apart: &Vector3<f64>,
    softness: f64,
    torques: &Matrix3<f64>,
    turn: &Vector3<f64>,
) -> Option<[Vector3<f64>; 2]> {
    let mut point = Matrix3::identity() * (a.inverse_mass + b.inverse_mass + softness);
    let mut both = Matrix3::zeros();
    for end in [&a, &b] {
        let lever = end.lever.cross_matrix();
        let turned = lever * end.inverse_inertia;
        point -= turned * lever;
        both -= turned;
    }
    if *torques == Matrix3::zeros() {
        let push = point.cholesky()?.solve(&-apart);
        return Some([push, Vector3::zeros()]);
    }
    let both = both * torques;
    let mut turning = torques.transpose() * (a.inverse_inertia + b.inverse_inertia) * torques;
    for (k, torque) in torques.column_iter().enumerate() {
        // A torque that there is not takes no part.
        if torque.norm_squared() == 0.0 {
            turning[(k, k)] = 1.0;
        }
    }
    let mut system = Matrix6::zeros();
    system.fixed_view_mut::<3, 3>(0, 0).copy_from(&point);
    system.fixed_view_mut::<3, 3>(0, 3).copy_from(&both);
    system.fixed_view_mut::<3, 3>(3, 0).tr_copy_from(&both);
    system.fixed_view_mut::<3, 3>(3, 3).copy_from(&turning);
    let wanted = torques.tr_mul(turn);
    let right = Vector6::new(-apart.x, -apart.y, -apart.z, wanted.x, wanted.y, wanted.z);
    let found = system.cholesky()?.solve(&right);
    let load = found.fixed_rows::<3>(3).into_owned();
    Some([found.fixed_rows::<3>(0).into_owned(), torques * load])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Random;

    /// What the impulses do is worked out body by body: the points meet and the turn is made as far as the torques see it.
    #[test]
    fn the_points_meet_and_the_turn_is_made() {
        let mut random = Random::new(9);
        for case in 0..200 {
            let mut vector = || Vector3::from([0; 3].map(|_| random.within(-1.0, 1.0)));
            let levers = [vector(), vector()];
            let halves = [0; 2].map(|_| Matrix3::from_columns(&[vector(), vector(), vector()]));
            let inertias = halves.map(|m| m * m.transpose() + Matrix3::identity() * 0.1);
            let (apart, turn) = (vector(), vector());
            let masses = if case % 3 == 0 {
                [0.0, 0.7]
            } else {
                [0.4, 0.7]
            };
            let inertias = if case % 3 == 0 {
                [Matrix3::zeros(), inertias[1]]
            } else {
                inertias
            };
            let z = vector().normalize();
            let [x, y] = superovoid::surface::tangents(&nalgebra::Unit::new_unchecked(z));
            let none = Vector3::zeros();
            let torques = Matrix3::from_columns(&match case % 4 {
                0 => [none; 3],
                1 => [x, none, none],
                2 => [x, none, z],
                _ => [x, y, z],
            });
            let ends = [0, 1].map(|k| End {
                lever: &levers[k],
                inverse_mass: masses[k],
                inverse_inertia: &inertias[k],
            });
            let [push, twist] = impulses(ends, &apart, 0.0, &torques, &turn).unwrap();
            let moved = |k: usize, sign: f64| {
                let phi = inertias[k] * (levers[k].cross(&push) + twist) * sign;
                (push * (sign * masses[k]) + phi.cross(&levers[k]), phi)
            };
            let [(at_a, phi_a), (at_b, phi_b)] = [moved(0, -1.0), moved(1, 1.0)];
            assert!((at_b - at_a + apart).norm() < 1e-9, "{case}");
            let missing = torques.tr_mul(&(phi_b - phi_a - turn));
            assert!(missing.norm() < 1e-9, "{case}: {missing}");
        }
    }
}
