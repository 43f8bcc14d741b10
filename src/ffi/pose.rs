//! Poses.

use super::memory::{Out, Plain, read, read_numbers};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use crate::query::validation::{is_unit, validate_pose};
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion};

/// A pose of a body: its points x in its own frame are at R x + translation in the world frame.
///
/// A pose that is all zero is invalid: the identity has rotation {0, 0, 0, 1}.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_pose {
    /// The translation, metres.
    pub translation: [f64; 3],
    /// The rotation R as a unit quaternion, in the order x, y, z, w (that of ROS and of Eigen's coeffs(); MuJoCo's
    /// order is w, x, y, z). Its length must be 1 to 1e-6; R is that of the quaternion divided by its length.
    pub rotation: [f64; 4],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_pose {}

/// The deviation of the squared length of a quaternion that was normalised.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

impl sovo_pose {
    /// Converts the pose without a check: the queries check every pose, and name the body. A quaternion that passes
    /// their check but deviates from unit length by more than rounding, one of single precision for example, is
    /// normalised; otherwise it would scale the body.
    #[inline(always)]
    pub fn isometry(&self) -> Isometry3<f64> {
        let [x, y, z, w] = self.rotation;
        let mut quaternion = Quaternion::new(w, x, y, z);
        if (quaternion.norm_squared() - 1.0).abs() > ROUNDING && is_unit(quaternion.norm()) {
            quaternion /= quaternion.norm();
        }
        Isometry3::from_parts(
            Translation3::from(self.translation),
            UnitQuaternion::new_unchecked(quaternion),
        )
    }

    /// Converts the pose as [`sovo_pose::isometry`] does, but checked; the body's letter is for the error.
    #[inline(always)]
    pub fn checked_isometry(&self, body: char) -> Result<Isometry3<f64>, Failure> {
        let isometry = self.isometry();
        let finite = self.translation.iter().all(|x| x.is_finite());
        let unit = isometry.rotation.coords.norm_squared() - 1.0;
        // Nearly every pose passes this test; others are left to the check with the error messages.
        if !(finite && unit.abs() <= ROUNDING) {
            validate_pose(body, &isometry)?;
        }
        Ok(isometry)
    }

    pub fn of(pose: &Isometry3<f64>) -> Self {
        sovo_pose {
            translation: pose.translation.vector.into(),
            rotation: pose.rotation.coords.into(),
        }
    }
}

/// Writes the identity: no rotation, no translation.
#[unsafe(no_mangle)]
pub extern "C" fn sovo_pose_identity() -> sovo_pose {
    sovo_pose {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
    }
}

/// Writes the pose of a rotation matrix, nine numbers row by row, and a translation, three numbers, metres.
///
/// SOVO_STATUS_ERROR_POSE: a number that is not finite, or a matrix whose rows are not orthonormal to 1e-6, or that
/// mirrors.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pose_from_matrix(
    rotation: *const f64,
    translation: *const f64,
    pose: *mut sovo_pose,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let rows = unsafe { read_numbers::<9>(rotation, "rotation") }?;
        // SAFETY: As above, the caller guarantees it.
        let translation = unsafe { read_numbers::<3>(translation, "translation") }?;
        let out = Out::new(pose, "pose")?;
        let finite = translation.iter().chain(&rows).all(|x| x.is_finite());
        if !finite {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_POSE,
                "the pose is not finite",
            ));
        }
        let matrix = Matrix3::from_row_slice(&rows);
        /// This is far more than rounding leaves after many products, and far less than a mistake.
        const ORTHONORMAL: f64 = 1e-6;
        let error = (matrix * matrix.transpose() - Matrix3::identity()).amax();
        // This is NaN where products overflow.
        if error.is_nan() || error > ORTHONORMAL {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_POSE,
                format!("the rotation matrix is not orthonormal: R R^T differs from 1 by {error}"),
            ));
        }
        if matrix.determinant() < 0.0 {
            return Err(Failure::other(
                SOVO_STATUS_ERROR_POSE,
                "the rotation matrix mirrors: its determinant is -1",
            ));
        }
        let mut quaternion =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix));
        quaternion.renormalize();
        // SAFETY: The caller passes pointers as the header demands, here and below.
        unsafe {
            out.write(sovo_pose {
                translation,
                rotation: quaternion.coords.into(),
            })
        };
        Ok(())
    })
}

/// Writes the rotation matrix of a pose, nine numbers row by row.
///
/// SOVO_STATUS_ERROR_POSE: a pose that is not finite or whose quaternion is not of length 1.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pose_rotation_matrix(
    pose: *const sovo_pose,
    rotation: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(rotation.cast::<[f64; 9]>(), "rotation")?;
        validate_pose('A', &pose)?;
        let rows = pose.rotation.to_rotation_matrix().into_inner().transpose();
        let mut numbers = [0.0; 9];
        numbers.copy_from_slice(rows.as_slice());
        // SAFETY: as above, nine numbers.
        unsafe { out.write(numbers) };
        Ok(())
    })
}

/// # Safety
/// The requirements are those of [`read`].
#[inline]
pub(super) unsafe fn read_pose(
    pose: *const sovo_pose,
    name: &'static str,
) -> Result<Isometry3<f64>, Failure> {
    // SAFETY: The caller guarantees it.
    Ok(unsafe { read(pose, name) }?.isometry())
}
