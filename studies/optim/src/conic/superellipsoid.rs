//! One untapered superellipsoid as the unit ball of a nested norm, written apart from the
//! library's own surface so that the bracket of a conic answer shares nothing with what it checks.
//!
//! In the scaled coordinates `(u, v, w) = (x/a1, y/a2, z/a3)` the body is
//! `‖(‖(u, v)‖_p1, w)‖_p2 ≤ 1`, and its support function is the dual norm of `(a1 n1, a2 n2, a3 n3)`,
//! with `q = p/(p − 1) = 2/(2 − e)`.

use crate::scaled::Body;
use nalgebra::{Unit, Vector3};

/// `(|u|^p + |v|^p)^(1/p)`, scaled by the larger of the two so that no power overflows.
fn p_norm(u: f64, v: f64, p: f64) -> f64 {
    let large = u.abs().max(v.abs());
    if large == 0.0 {
        return 0.0;
    }
    large * ((u.abs() / large).powf(p) + (v.abs() / large).powf(p)).powf(1.0 / p)
}

/// The nested norm of scaled coordinates: at most 1 in the body.
pub fn norm(body: &Body, u: &Vector3<f64>) -> f64 {
    let [p1, p2] = body.shape.exponents().map(|e| 2.0 / e);
    p_norm(p_norm(u.x, u.y, p1), u.z, p2)
}

/// World point of scaled coordinates: `c + R (a1 u, a2 v, a3 w)`.
pub fn point(body: &Body, u: &Vector3<f64>) -> Vector3<f64> {
    let a = Vector3::from(body.shape.semi_axes());
    body.centre + body.rotation * u.component_mul(&a)
}

/// Scaled coordinates of a world point.
pub fn coordinates(body: &Body, point: &Vector3<f64>) -> Vector3<f64> {
    let a = Vector3::from(body.shape.semi_axes());
    body.rotation
        .tr_mul(&(point - body.centre))
        .component_div(&a)
}

/// Support function about the body's centre.
fn support(body: &Body, n: &Vector3<f64>) -> f64 {
    let a = Vector3::from(body.shape.semi_axes());
    let m = body.rotation.tr_mul(n).component_mul(&a);
    let [q1, q2] = body.shape.exponents().map(|e| 2.0 / (2.0 - e));
    p_norm(p_norm(m.x, m.y, q1), m.z, q2)
}

/// `g(n) = n·(c_B − c_A) − h_A(n) − h_B(−n)`, a lower bound of the distance. Untapered bodies are
/// symmetric: `h(−n) = h(n)`.
pub fn gap([a, b]: &[Body; 2], n: &Unit<Vector3<f64>>) -> f64 {
    n.dot(&(b.centre - a.centre)) - support(a, n) - support(b, n)
}
