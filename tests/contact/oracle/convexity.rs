//! Convexity by brute force.
//!
//! The sections of a superovoid are convex, so the body is convex exactly when, for every
//! horizontal direction, the support of its section is a concave function of the height: with
//! α = |n1| a1 τx ρ, β = |n2| a2 τy ρ the half-widths seen along n, the support is
//! `S = (α^q + β^q)^(1/q)`, q = q1. With the weight w = α^q/S^q, which takes every value in
//! [0, 1] as the direction turns,
//!
//! ```text
//! S″/S = w α″/α + (1 − w) β″/β + (q − 1) w (1 − w) (α′/α − β′/β)²
//! ```

use super::body::{Body, Shape};
use nalgebra::Vector3;

/// Where the support of the sections bends the wrong way.
#[derive(Clone, Copy, Debug)]
pub struct Hollow {
    pub zeta: f64,
    pub weight: f64,
    /// S″/S, divided by the sum of the sizes of its terms: a positive number is a real defect
    /// once it exceeds their rounding error.
    pub bend: f64,
}

/// The worst height and direction on a dense grid.
pub fn worst_bend(shape: &Shape) -> Hollow {
    let (p, q) = (2.0 / shape.e[1], 2.0 / (2.0 - shape.e[0]));
    let mut worst = Hollow {
        zeta: 0.0,
        weight: 0.0,
        bend: f64::NEG_INFINITY,
    };
    for zeta in heights() {
        let s = zeta.abs();
        // 1 − s^p without cancellation near the poles.
        let rest = -(p * s.ln()).exp_m1();
        let own = (p - 1.0) * s.powf(p - 2.0) / (rest * rest);
        let slope = zeta.signum() * s.powf(p - 1.0) / rest;
        let tau = shape.t.map(|t| 1.0 + t * zeta);
        // α″/α = ρ″/ρ + 2 (τ′/τ)(ρ′/ρ).
        let second = [0, 1].map(|i| -own - 2.0 * shape.t[i] / tau[i] * slope);
        let twist = shape.t[0] / tau[0] - shape.t[1] / tau[1];
        // S″/S is quadratic in w: its vertex next to an even grid.
        let curve = (q - 1.0) * twist * twist;
        let vertex = (0.5 + 0.5 * (second[0] - second[1]) / curve).clamp(0.0, 1.0);
        let grid = (0..=20).map(|k| k as f64 / 20.0);
        for w in grid.chain((curve > 0.0).then_some(vertex)) {
            let turn = curve * w * (1.0 - w);
            let bend = w * second[0] + (1.0 - w) * second[1] + turn;
            let scale = own
                + 2.0 * slope.abs() * (shape.t[0] / tau[0]).abs().max((shape.t[1] / tau[1]).abs())
                + turn;
            let bend = bend / scale.max(1e-300);
            if bend > worst.bend {
                worst = Hollow {
                    zeta,
                    weight: w,
                    bend,
                };
            }
        }
    }
    worst
}

/// Heights in (−1, 1): even, and spread over the logarithms towards the equator and the poles.
fn heights() -> Vec<f64> {
    let mut all = Vec::new();
    for i in 1..400 {
        all.push(i as f64 / 400.0);
    }
    for i in 0..60 {
        let small = 10f64.powf(-0.2 * i as f64);
        all.push(small * 0.9);
        all.push(1.0 - small.max(1e-9) * 0.5);
    }
    // For e2 < 1 the profiles are flat at the equator, s^(p2 − 2), and there any difference of
    // the tapers counts.
    for i in 12..100 {
        all.push(10f64.powi(-i));
    }
    let mirrored: Vec<f64> = all.iter().map(|s| -s).collect();
    all.extend(mirrored);
    all
}

/// Whether a straight chord between two points of the body leaves it near the given defect: the
/// definition of non-convexity, as a witness. The chord joins the section's support points at
/// two heights around the defect; returned is the point of the widest such chord that is farthest
/// outside.
pub fn point_in_hollow(shape: &Shape, hollow: &Hollow) -> Option<Vector3<f64>> {
    let body = Body::new(*shape);
    let q = body.q[0];
    let s = hollow.zeta;
    let tau = shape.t.map(|t| 1.0 + t * s);
    // α^q : β^q = w : 1 − w.
    let n = [
        hollow.weight.powf(1.0 / q) / (shape.a[0] * tau[0]),
        (1.0 - hollow.weight).powf(1.0 / q) / (shape.a[1] * tau[1]),
    ];
    let rim = |zeta: f64| {
        let rho = (1.0 - zeta.abs().powf(body.p[1])).powf(1.0 / body.p[1]);
        let width = [0, 1].map(|i| shape.a[i] * (1.0 + shape.t[i] * zeta) * rho);
        let d = [0, 1].map(|i| (width[i] * n[i]).powf(q - 1.0));
        let scale = super::body::norm(d[0], d[1], body.p[0]);
        // Drawn in by rounding, so that both ends are in the body.
        Vector3::new(
            width[0] * d[0] / scale * (1.0 - 1e-15),
            width[1] * d[1] / scale * (1.0 - 1e-15),
            shape.a[2] * zeta,
        )
    };
    let room = (1.0 - s.abs()).min(s.abs());
    (0..40).find_map(|k| {
        let half = room * 0.9 * 0.7f64.powi(k);
        let ends = [rim(s - half), rim(s + half)];
        if !ends.iter().all(|x| body.contains(x)) {
            return None;
        }
        (1..8)
            .map(|j| j as f64 / 8.0)
            .map(|f| ends[0] * (1.0 - f) + ends[1] * f)
            .max_by(|x, y| body.gauge(x).total_cmp(&body.gauge(y)))
            .filter(|x| body.gauge(x) > 1.0 + 1e-14)
    })
}
