//! Householder tangents of a normal, with their derivatives.
//!
//! With the unit normal n and `h = n ± e_x`, the sign that of n_x (equations 11 to 13 of the 2017
//! paper), `h·h = 2 (1 + |n_x|)`, so the second and third column of the reflection are
//!
//! ```text
//! t = e_y − k n_y h,    b = e_z − k n_z h,    k = 1/(1 + |n_x|)
//! ```

use nalgebra::Vector3;

pub(super) struct Householder {
    /// The tangents t and b.
    pub tangents: [Vector3<f64>; 2],
    n: Vector3<f64>,
    h: Vector3<f64>,
    k: f64,
    sign: f64,
}

impl Householder {
    pub fn of(n: &Vector3<f64>) -> Self {
        let sign = 1.0_f64.copysign(n.x);
        let h = n + Vector3::x() * sign;
        let k = 1.0 / (1.0 + n.x.abs());
        let tangents = [Vector3::y() - h * (k * n.y), Vector3::z() - h * (k * n.z)];
        Householder {
            tangents,
            n: *n,
            h,
            k,
            sign,
        }
    }

    /// Returns the change of both tangents with that of the normal.
    pub fn change(&self, dn: &Vector3<f64>) -> [Vector3<f64>; 2] {
        let Householder { n, h, k, sign, .. } = self;
        let dk = -k * k * sign * dn.x;
        [1, 2].map(|i| -h * (dk * n[i] + k * dn[i]) - dn * (k * n[i]))
    }
}
