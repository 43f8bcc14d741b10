//! The distance of two particles: C = |x_j − x_i| − l, ∇C = ±n with n the unit vector from i to j.

use crate::particles::Particles;
use nalgebra::Vector3;

/// A distance constraint with its factor s and γ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distance {
    pub ends: [u32; 2],
    pub rest: f64,
    pub s: f64,
    pub gamma: f64,
}

/// Corrects every distance once, in order.
pub(crate) fn project(constraints: &[Distance], particles: &mut Particles) {
    let Particles { x, x0, w, .. } = particles;
    for c in constraints {
        let [i, j] = c.ends.map(|end| end as usize);
        let d = x[j] - x[i];
        let length = d.norm();
        if length == 0.0 {
            continue;
        }
        let mut error = length - c.rest;
        if c.gamma != 0.0 {
            error += c.gamma * d.dot(&((x[j] - x0[j]) - (x[i] - x0[i]))) / length;
        }
        let step = d * (c.s * error / length);
        x[i] += step * w[i];
        x[j] -= step * w[j];
    }
}

/// Shortens every edge that is longer than `1 + limit` times its rest length.
pub(crate) fn limit_strain(
    constraints: &[Distance],
    limit: f64,
    x: &mut [Vector3<f64>],
    w: &[f64],
) {
    for c in constraints {
        let [i, j] = c.ends.map(|end| end as usize);
        let d = x[j] - x[i];
        let most = c.rest * (1.0 + limit);
        let weight = w[i] + w[j];
        if d.norm_squared() > most * most && weight > 0.0 {
            let length = d.norm();
            let step = d * ((length - most) / (length * weight));
            x[i] += step * w[i];
            x[j] -= step * w[j];
        }
    }
}
