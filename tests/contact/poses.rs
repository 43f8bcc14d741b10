//! Poses from numbers: quaternions of any length and matrices near rotations.

use crate::sets::{any_rotation, seeded};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use rand::RngExt;
use superovoid::motion::Motion;
use superovoid::pose::{PoseError, from_matrix, from_quaternion};

#[test]
fn a_quaternion_of_any_length_but_zero_is_a_rotation() {
    let mut rng = seeded(51);
    for _ in 0..200 {
        let turn = any_rotation(&mut rng);
        let q: [f64; 4] = turn.coords.into();
        for length in [1e-300, 1e-3, 1.0 - 1e-7, 1.0 + 1e-5, 2.0, 1e3, 1e300] {
            let found = from_quaternion([1.0, 2.0, 3.0], q.map(|x| x * length)).expect("a pose");
            assert!((found.rotation.coords.norm() - 1.0).abs() < 4e-16);
            assert!(
                (found.rotation.coords - turn.coords).norm() < 4e-16,
                "{length}"
            );
            // What is of length 1 is kept to the bit.
            let again = from_quaternion([1.0, 2.0, 3.0], found.rotation.coords.into());
            assert_eq!(again, Ok(found));
        }
    }
    let least = f64::from_bits(1);
    let found = from_quaternion([0.0; 3], [0.0, 0.0, least, 0.0]).expect("a half turn");
    assert_eq!(found.rotation.coords.as_slice(), [0.0, 0.0, 1.0, 0.0]);
    assert!(from_quaternion([f64::MAX, f64::MAX, 0.0], [f64::MAX; 4]).is_ok());
}

#[test]
fn numbers_of_no_pose_are_refused() {
    let here = [0.0, 0.0, 0.0, 1.0];
    assert_eq!(
        from_quaternion([0.0; 3], [0.0; 4]),
        Err(PoseError::NoRotation)
    );
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(
            from_quaternion([0.0, bad, 0.0], here),
            Err(PoseError::NotFinite)
        );
        assert_eq!(
            from_quaternion([0.0; 3], [0.0, bad, 0.0, 1.0]),
            Err(PoseError::NotFinite)
        );
    }
    let rows = |m: Matrix3<f64>| [0, 1, 2].map(|i| [0, 1, 2].map(|k| m[(i, k)]));
    let refused = |m: Matrix3<f64>| from_matrix([0.0; 3], rows(m)).expect_err("no rotation");
    let mirror = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, -1.0));
    assert_eq!(refused(mirror), PoseError::Mirrors);
    for wrong in [Matrix3::zeros(), Matrix3::identity() * 1.0001] {
        assert!(matches!(refused(wrong), PoseError::NotOrthonormal { .. }));
    }
    assert_eq!(refused(Matrix3::repeat(f64::NAN)), PoseError::NotFinite);
}

/// The nearest rotation is the orthogonal factor of the singular value decomposition.
#[test]
fn a_matrix_that_is_a_little_off_is_the_nearest_rotation() {
    let mut rng = seeded(52);
    for _ in 0..200 {
        let matrix = any_rotation(&mut rng).to_rotation_matrix().into_inner();
        let off = 10f64.powf(rng.random_range(-9.0..-4.7));
        let rough = matrix.map(|x| x + off * rng.random_range(-1.0..1.0));
        let svd = rough.svd(true, true);
        let nearest = svd.u.expect("asked for") * svd.v_t.expect("asked for");
        let rows = [0, 1, 2].map(|i| [0, 1, 2].map(|k| rough[(i, k)]));
        let found = from_matrix([0.0; 3], rows).expect("is near");
        let found = found.rotation.to_rotation_matrix().into_inner();
        assert!((found - nearest).amax() < 1e-14, "{off}");
    }
}

#[test]
fn a_motion_is_made_again_from_its_numbers() {
    let mut rng = seeded(53);
    for _ in 0..200 {
        let vector = |rng: &mut rand_chacha::ChaCha8Rng| {
            Vector3::from([0; 3].map(|_| rng.random_range(-2.0..2.0)))
        };
        let turn: UnitQuaternion<f64> = any_rotation(&mut rng);
        let start = nalgebra::Isometry3::from_parts(vector(&mut rng).into(), turn);
        let (v, w, c) = (vector(&mut rng), vector(&mut rng), vector(&mut rng));
        for motion in [
            Motion::screw(start, v, w),
            Motion::line_spin_about(start, c.into(), v, w),
            Motion::still(start),
        ] {
            let motion = motion.expect("valid");
            assert_eq!(Motion::from_numbers(&motion.to_numbers()), Ok(motion));
        }
    }
    assert!(Motion::from_numbers(&[0.0; 16]).is_err());
}
