//! Vectors in other axes, written out: the general products of matrices are not inlined.

use nalgebra::{Matrix3, Matrix3x2, Vector2, Vector3};

/// Returns the components of a vector along two tangents.
#[inline(always)]
pub(super) fn in_plane(tangents: &Matrix3x2<f64>, v: &Vector3<f64>) -> Vector2<f64> {
    let t = tangents;
    Vector2::new(
        t.m11 * v.x + t.m21 * v.y + t.m31 * v.z,
        t.m12 * v.x + t.m22 * v.y + t.m32 * v.z,
    )
}

/// Returns a vector of the common frame in the axes of a body with this rotation.
#[inline(always)]
pub(super) fn to_body(rotation: &Matrix3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let r = rotation;
    Vector3::new(
        r.m11 * v.x + r.m21 * v.y + r.m31 * v.z,
        r.m12 * v.x + r.m22 * v.y + r.m32 * v.z,
        r.m13 * v.x + r.m23 * v.y + r.m33 * v.z,
    )
}

/// Returns a vector of a body's axes in the common frame.
#[inline(always)]
pub(super) fn to_common(rotation: &Matrix3<f64>, v: &Vector3<f64>) -> Vector3<f64> {
    let r = rotation;
    Vector3::new(
        r.m11 * v.x + r.m12 * v.y + r.m13 * v.z,
        r.m21 * v.x + r.m22 * v.y + r.m23 * v.z,
        r.m31 * v.x + r.m32 * v.y + r.m33 * v.z,
    )
}
