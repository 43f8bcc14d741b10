//! Tangent frames without poles.

use nalgebra::{Unit, Vector3};

/// Returns two unit tangents `(t, b)` such that (t, b, n) or (b, t, n) is orthonormal, by the Householder
/// reflection that maps ±e_x to the normal (Gonçalves et al. 2017, equations 11 to 13). The
/// reflection vector is `h = n ± e_x` with the sign of n_x, the one of larger magnitude, so that
/// nothing cancels for any normal.
///
/// ```
/// use nalgebra::{Unit, Vector3};
/// let n = Unit::new_normalize(Vector3::new(-1.0, 1e-9, 0.0));
/// let [t, b] = superovoid::surface::tangents(&n);
/// assert!(t.dot(&n).abs() < 1e-15 && b.dot(&n).abs() < 1e-15 && t.dot(&b).abs() < 1e-15);
/// ```
pub fn tangents(normal: &Unit<Vector3<f64>>) -> [Vector3<f64>; 2] {
    let n = normal.as_ref();
    let h1 = n.x + 1.0_f64.copysign(n.x);
    let k = 2.0 / (h1 * h1 + n.y * n.y + n.z * n.z);
    let (h2, h3) = (n.y, n.z);
    [
        Vector3::new(-k * h1 * h2, 1.0 - k * h2 * h2, -k * h2 * h3),
        Vector3::new(-k * h1 * h3, -k * h2 * h3, 1.0 - k * h3 * h3),
    ]
}
