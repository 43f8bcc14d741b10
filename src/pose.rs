//! Poses from numbers, by one rule for every language.
//!
//! Files, arrays and other libraries give rotations as four or nine numbers that are seldom those of a rotation to the
//! last digit: six decimals, single precision, products of many. What they stand for is the nearest rotation:
//!
//! - of a quaternion, q/|q|, whatever its length, which means nothing: any quaternion that is finite and not zero is a
//!   rotation. One whose squared length is 1 to rounding is kept to the bit;
//! - of a matrix M near the rotations, the orthogonal factor of its polar decomposition. With M = R (1 + E), E symmetric,
//!   the step M ← M (3 − Mᵀ M)/2 of Newton and Schulz (Björck and Bowie 1971) leaves R (1 − (3/2) E² + …), so that two
//!   steps reach rounding from the 1e-4 that a matrix may be off: the numbers of a matrix have a scale and a shear, and
//!   those of more are more likely a mistake.
//!
//! The queries take nalgebra's poses, whose `UnitQuaternion` is of unit length by its type. They refuse a length that is
//! off 1 by more than 1e-6, and take what is within as it is: a quaternion of length 1 + ε scales its body by 1 + 2 ε,
//! and what a query proves then is proven of that body. Rotations of `UnitQuaternion::new_unchecked` with other numbers
//! than those of a rotation to rounding belong into [`from_quaternion`] instead.

use crate::lanes::all_finite;
use crate::query::units::power_of_two_below;
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion};

/// Numbers that are those of no pose.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A number is NaN or infinity.
    #[error("the pose is not finite")]
    NotFinite,
    /// The quaternion is zero.
    #[error("the quaternion of the pose is zero, which is no rotation")]
    NoRotation,
    /// The rows of the matrix are not orthonormal.
    #[error(
        "the rotation matrix is not orthonormal: R R^T differs from 1 by {error}, more than 1e-4"
    )]
    NotOrthonormal {
        /// The largest entry of R Rᵀ − 1; it may exceed the number range.
        error: f64,
    },
    /// The determinant of the matrix is −1.
    #[error("the rotation matrix mirrors: its determinant is -1")]
    Mirrors,
}

/// The deviation of the squared length of a quaternion that was normalised.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// How far M Mᵀ of a matrix M may be from 1: six decimals and single precision after some products stay within it.
const ORTHONORMAL: f64 = 1e-4;

/// Returns the pose of a translation (metres) and a quaternion x, y, z, w of any length but zero, which is divided by its
/// length.
///
/// # Errors
/// The error says that a number is not finite, or that the quaternion is zero.
///
/// ```
/// use nalgebra::{Point3, Vector3};
/// let pose = superovoid::pose::from_quaternion([1.0, 0.0, 0.0], [0.0, 0.0, 0.707107, 0.707107])?; // a quarter turn about z
/// assert!((pose * Point3::new(1.0, 0.0, 0.0) - Point3::new(1.0, 1.0, 0.0)).norm() < 1e-15);
/// # Ok::<(), superovoid::pose::PoseError>(())
/// ```
#[inline(always)]
pub fn from_quaternion(
    translation: [f64; 3],
    quaternion: [f64; 4],
) -> Result<Isometry3<f64>, PoseError> {
    let [x, y, z] = translation;
    // Of what is not finite the product is NaN; the sum may leave the number range.
    if ((x + y + z) * 0.0).is_nan() && !translation.iter().all(|x| x.is_finite()) {
        return Err(PoseError::NotFinite);
    }
    Ok(Isometry3::from_parts(
        Translation3::new(x, y, z),
        rotation(quaternion)?,
    ))
}

/// Returns the rotation of a quaternion x, y, z, w as [`from_quaternion`] does.
///
/// # Errors
/// The errors are those of [`from_quaternion`].
#[inline(always)]
pub fn rotation([x, y, z, w]: [f64; 4]) -> Result<UnitQuaternion<f64>, PoseError> {
    let quaternion = Quaternion::new(w, x, y, z);
    if (quaternion.norm_squared() - 1.0).abs() <= ROUNDING {
        return Ok(UnitQuaternion::new_unchecked(quaternion));
    }
    divided(quaternion)
}

/// Returns a quaternion divided by its length.
#[cold]
fn divided(quaternion: Quaternion<f64>) -> Result<UnitQuaternion<f64>, PoseError> {
    if !quaternion.coords.iter().all(|x| x.is_finite()) {
        return Err(PoseError::NotFinite);
    }
    let largest = quaternion.coords.amax();
    if largest == 0.0 {
        return Err(PoseError::NoRotation);
    }
    // Its square would leave the number range; the power of two rounds nothing.
    let near = quaternion / power_of_two_below(largest);
    // Below the normal numbers it is still too small.
    let near = near / power_of_two_below(near.coords.amax());
    Ok(UnitQuaternion::new_unchecked(near / near.norm()))
}

/// Returns the pose of a translation (metres) and the rotation nearest to a matrix, row by row, which is one to 1e-4.
///
/// # Errors
/// The error says that a number is not finite, that the rows are not orthonormal to 1e-4, or that the matrix mirrors.
pub fn from_matrix(
    translation: [f64; 3],
    rows: [[f64; 3]; 3],
) -> Result<Isometry3<f64>, PoseError> {
    if !(rows.iter().all(all_finite) && all_finite(&translation)) {
        return Err(PoseError::NotFinite);
    }
    let mut matrix = Matrix3::from_fn(|row, column| rows[row][column]);
    let error = (matrix * matrix.transpose() - Matrix3::identity()).amax();
    // This is NaN where products overflow.
    if error.is_nan() || error > ORTHONORMAL {
        return Err(PoseError::NotOrthonormal { error });
    }
    if matrix.determinant() < 0.0 {
        return Err(PoseError::Mirrors);
    }
    if error > ROUNDING {
        for _ in 0..2 {
            let square = matrix.transpose() * matrix;
            matrix *= Matrix3::from_diagonal_element(1.5) - square * 0.5;
        }
    }
    let matrix = Rotation3::from_matrix_unchecked(matrix);
    let mut rotation = UnitQuaternion::from_rotation_matrix(&matrix);
    rotation.renormalize();
    Ok(Isometry3::from_parts(
        Translation3::from(translation),
        rotation,
    ))
}
