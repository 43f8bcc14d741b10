//! Pairs whose signed distance has a closed form or a scalar equation.

use nalgebra::Vector3;

/// Two spheres of radii r and s whose centres are `offset` apart.
pub fn sphere_sphere(r: f64, s: f64, offset: &Vector3<f64>) -> f64 {
    offset.norm() - r - s
}

/// Distance of the point `x`, outside or not at the centre, to the surface of the ellipsoid with
/// semi-axes `a`, negative inside. The foot is `f_i = a_i² x_i/(a_i² + k)` for the largest root k
/// of `Σ (a_i x_i/(a_i² + k))² = 1`, above −min a², where the left side falls monotonically.
/// Inside, no coordinate of `x` along the shortest axis may be zero (the root would be lost).
pub fn point_ellipsoid(a: [f64; 3], x: &Vector3<f64>) -> f64 {
    let residual = |k: f64| {
        (0..3)
            .map(|i| (a[i] * x[i] / (a[i] * a[i] + k)).powi(2))
            .sum::<f64>()
            - 1.0
    };
    let shortest = a[0].min(a[1]).min(a[2]);
    let largest = a[0].max(a[1]).max(a[2]);
    let mut low = -shortest * shortest;
    let mut high = largest * x.norm();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if residual(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let k = 0.5 * (low + high);
    // x − f = k x/(a² + k), of the sign of k.
    let away = Vector3::from_fn(|i, _| k * x[i] / (a[i] * a[i] + k)).norm();
    away.copysign(k)
}

/// A sphere of radius r at `x`, in the frame of an ellipsoid with semi-axes `a`. The distance to
/// a ball is the distance to its centre less its radius, as long as the bodies are apart or the
/// centre is outside; inside, the least depth of the pair is that of the centre plus the radius.
pub fn sphere_ellipsoid(r: f64, a: [f64; 3], x: &Vector3<f64>) -> f64 {
    point_ellipsoid(a, x) - r
}

/// Support function of an ellipsoid, |A n|.
pub fn ellipsoid_support(a: [f64; 3], n: &Vector3<f64>) -> f64 {
    n.component_mul(&Vector3::from(a)).norm()
}
