//! Poses.

use super::memory::{Out, Plain, read, read_numbers};
use super::status::{Failure, guarded, sovo_status, sovo_status::*};
use nalgebra::Isometry3;
use superovoid::pose::{PoseError, from_matrix, from_quaternion};

/// A pose of a body: its points x in its own frame are at R x + translation in the world frame.
///
/// A pose that is all zero is invalid: the identity has rotation {0, 0, 0, 1}.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct sovo_pose {
    /// The translation, metres.
    pub translation: [f64; 3],
    /// The rotation R as a quaternion, in the order x, y, z, w (that of ROS and of Eigen's coeffs(); MuJoCo's order is
    /// w, x, y, z). It may have any length but 0: R is that of the quaternion divided by its length.
    pub rotation: [f64; 4],
}

// SAFETY: The struct consists of numbers, for which any bits are valid.
unsafe impl Plain for sovo_pose {}

impl sovo_pose {
    /// Converts the pose, checked; the name is for the error.
    #[inline(always)]
    pub fn isometry(&self, name: &'static str) -> Result<Isometry3<f64>, Failure> {
        match from_quaternion(self.translation, self.rotation) {
            Ok(isometry) => Ok(isometry),
            Err(error) => Err(no_pose(name, error)),
        }
    }

    pub fn of(pose: &Isometry3<f64>) -> Self {
        sovo_pose {
            translation: pose.translation.vector.into(),
            rotation: pose.rotation.coords.into(),
        }
    }
}

#[cold]
fn no_pose(name: &'static str, error: PoseError) -> Failure {
    let error = Failure::other(SOVO_STATUS_ERROR_POSE, error.to_string());
    Failure::At(name, Box::new(error))
}

/// Returns the identity: no rotation, no translation.
#[unsafe(no_mangle)]
pub extern "C" fn sovo_pose_identity() -> sovo_pose {
    sovo_pose {
        translation: [0.0; 3],
        rotation: [0.0, 0.0, 0.0, 1.0],
    }
}

/// Writes the pose of the rotation nearest to a matrix, nine numbers row by row, and of a translation, three numbers,
/// metres.
///
/// SOVO_STATUS_ERROR_POSE: a number that is not finite, or a matrix whose rows are not orthonormal to 1e-4, or that
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
        let [a, b, c, d, e, f, g, h, i] = rows;
        let found = from_matrix(translation, [[a, b, c], [d, e, f], [g, h, i]])
            .map_err(|error| Failure::other(SOVO_STATUS_ERROR_POSE, error.to_string()))?;
        // SAFETY: The caller passes pointers as the header demands, here and below.
        unsafe { out.write(sovo_pose::of(&found)) };
        Ok(())
    })
}

/// Writes the rotation matrix of a pose, nine numbers row by row.
///
/// SOVO_STATUS_ERROR_POSE: a pose that is not finite or whose quaternion is zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sovo_pose_rotation_matrix(
    pose: *const sovo_pose,
    rotation: *mut f64,
) -> sovo_status {
    guarded(|| {
        // SAFETY: The caller passes pointers as the header demands, here and below.
        let pose = unsafe { read_pose(pose, "pose") }?;
        let out = Out::new(rotation.cast::<[f64; 9]>(), "rotation")?;
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
    unsafe { read(pose, name) }?.isometry(name)
}
