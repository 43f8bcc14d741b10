//! The superovoid while it is being fitted: natural parameters, and the gauge of a point with its
//! derivatives in all of them.
//!
//! With y the point in the body's frame, ζ = y3/a3, τ = 1 + t ζ, u = y1/(a1 τx), v = y2/(a2 τy),
//! w = ζ, p = 2/e, the gauge is the nested norm
//!
//! ```text
//! ρ = (|u|^p1 + |v|^p1)^(1/p1)        g = (ρ^p2 + |w|^p2)^(1/p2)
//! ```
//!
//! which is 1 on the surface, less inside. Let α = (|u|/ρ)^p1, β = 1 − α and A = (ρ/g)^p2, B = 1 − A be
//! the shares of the coordinates. A norm `L = (1/p) ln Σ x_i^p` with shares s_i has
//!
//! ```text
//! ∂L/∂ln x_i = s_i        ∂L/∂p = −H(s)/p²,   H(s) = −Σ s_i ln s_i
//! ```
//!
//! and dp/de = −p²/2, so that
//!
//! ```text
//! ∂ln g/∂ln|u| = Aα     ∂ln g/∂ln|v| = Aβ     ∂ln g/∂ln|w| = B
//! ∂ln g/∂e1 = A H(α, β)/2       ∂ln g/∂e2 = H(A, B)/2
//! ```
//!
//! and the other derivatives follow from u, v, w by the chain rule. All are bounded by the shares, also for
//! exponents close to 0 and 2. Above and below the body (|ζ| > 1) the taper factor is that of its end.

use nalgebra::{Isometry3, Matrix3, Rotation3, SVector, Translation3, UnitQuaternion, Vector3};
use superovoid::{ShapeError, Superovoid};

/// Natural parameters: ln a1, ln a2, ln a3, e1, e2, tx, ty, three turns about the body's axes, three
/// shifts along them.
pub(crate) const NATURAL: usize = 13;

/// Where the turns and the shifts start.
pub(crate) const TURN: usize = 7;
pub(crate) const SHIFT: usize = 10;

/// A superovoid with its pose, not validated: body point y is at `rotation · y + center`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Body {
    pub a: [f64; 3],
    pub e: [f64; 2],
    pub t: [f64; 2],
    pub rotation: Matrix3<f64>,
    pub center: Vector3<f64>,
}

/// ln g of a point with its derivatives.
pub(crate) struct Gauge {
    pub ln: f64,
    /// In the natural parameters.
    pub natural: SVector<f64, NATURAL>,
    /// In the point's coordinates in the body's frame.
    pub gradient: Vector3<f64>,
}

impl Body {
    pub fn shape(&self) -> Result<Superovoid, ShapeError> {
        Superovoid::new(self.a, self.e, self.t)
    }

    pub fn pose(&self) -> Isometry3<f64> {
        let rotation = Rotation3::from_matrix_unchecked(self.rotation);
        Isometry3::from_parts(
            Translation3::from(self.center),
            UnitQuaternion::from_rotation_matrix(&rotation),
        )
    }

    pub fn of(shape: &Superovoid, pose: &Isometry3<f64>) -> Body {
        Body {
            a: shape.semi_axes(),
            e: shape.exponents(),
            t: shape.tapers(),
            rotation: pose.rotation.to_rotation_matrix().into_inner(),
            center: pose.translation.vector,
        }
    }

    /// All lengths multiplied by `k` and the centre moved by `shift`, in this order.
    pub fn rescaled(&self, k: f64, shift: &Vector3<f64>) -> Body {
        Body {
            a: self.a.map(|a| a * k),
            center: self.center * k + shift,
            ..*self
        }
    }

    pub fn local(&self, point: &Vector3<f64>) -> Vector3<f64> {
        self.rotation.tr_mul(&(point - self.center))
    }

    /// ln g of a point of the world.
    pub fn gauge(&self, point: &Vector3<f64>) -> Gauge {
        let y = self.local(point);
        let [a1, a2, a3] = self.a;
        let height = y.z / a3;
        let zeta = height.clamp(-1.0, 1.0);
        let within = if height.abs() <= 1.0 { 1.0 } else { 0.0 };
        let (tau_x, tau_y) = (1.0 + self.t[0] * zeta, 1.0 + self.t[1] * zeta);
        let [p1, p2] = self.e.map(|e| 2.0 / e);

        let section = norm(ln(y.x / (a1 * tau_x)), ln(y.y / (a2 * tau_y)), p1);
        let profile = norm(section.ln, ln(height), p2);
        let in_u = profile.share * section.share;
        let in_v = profile.share * section.rest;
        let in_w = profile.rest;

        // Share over coordinate; a coordinate of 0 has a share of 0.
        let per = |share: f64, x: f64| if share > 0.0 { share / x } else { 0.0 };
        // Derivatives of −ln τ in ζ.
        let (narrow_x, narrow_y) = (self.t[0] / tau_x * within, self.t[1] / tau_y * within);
        let in_zeta = in_u * narrow_x + in_v * narrow_y;
        let gradient = Vector3::new(
            per(in_u, y.x),
            per(in_v, y.y),
            per(in_w, y.z) - in_zeta / a3,
        );
        let turn = gradient.cross(&y);
        let natural = SVector::from([
            -in_u,
            -in_v,
            in_zeta * zeta - in_w,
            0.5 * profile.share * section.entropy,
            0.5 * profile.entropy,
            -in_u * zeta / tau_x,
            -in_v * zeta / tau_y,
            // A turn by φ takes y to y − φ × y, a shift s to y − s.
            turn.x,
            turn.y,
            turn.z,
            -gradient.x,
            -gradient.y,
            -gradient.z,
        ]);
        Gauge {
            ln: profile.ln,
            natural,
            gradient,
        }
    }
}

impl Gauge {
    /// Distance of the point from the surface to first order, `(g − 1)/|∇g|`, negative inside; 0 at the
    /// centre, where the gauge has no gradient. With ∇g = g ∇ln g it is `(1 − 1/g)/|∇ln g|`.
    pub fn distance(&self) -> f64 {
        let steepness = self.gradient.norm();
        let ratio = -(-self.ln).exp_m1() / steepness;
        if ratio.is_finite() { ratio } else { 0.0 }
    }
}

/// ln|x|, finite for 0.
fn ln(x: f64) -> f64 {
    x.abs().max(f64::MIN_POSITIVE).ln()
}

struct Norm {
    ln: f64,
    /// Shares of the two coordinates and their entropy.
    share: f64,
    rest: f64,
    entropy: f64,
}

/// The p-norm of two coordinates given by their logarithms.
fn norm(x: f64, y: f64, p: f64) -> Norm {
    // The smaller coordinate's power over the larger's.
    let exponent = p * (x - y).abs();
    let small = (-exponent).exp();
    let sum = small.ln_1p();
    let (most, least) = (1.0 / (1.0 + small), small / (1.0 + small));
    let (share, rest) = if x > y { (most, least) } else { (least, most) };
    Norm {
        ln: x.max(y) + sum / p,
        share,
        rest,
        entropy: sum + if least > 0.0 { exponent * least } else { 0.0 },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body() -> Body {
        Body {
            a: [0.7, 1.3, 0.9],
            e: [0.6, 1.4],
            t: [0.3, -0.2],
            rotation: *Rotation3::from_euler_angles(0.3, -0.5, 1.1).matrix(),
            center: Vector3::new(0.1, -0.2, 0.3),
        }
    }

    #[test]
    fn gauge_is_that_of_the_inside_outside_function() {
        let body = body();
        let shape = body.shape().unwrap();
        for point in [Vector3::new(0.4, 0.5, 0.6), Vector3::new(-0.3, 0.2, -0.4)] {
            let f = shape.inside_outside(&body.local(&point).into());
            let g = (f + 1.0).powf(0.5 * body.e[1]);
            assert!((body.gauge(&point).ln - g.ln()).abs() < 1e-13);
        }
    }

    #[test]
    fn derivatives_are_those_of_differences() {
        let body = body();
        let moved = |k: usize, h: f64| {
            let mut b = body;
            match k {
                0..=2 => b.a[k] *= h.exp(),
                3..=4 => b.e[k - 3] += h,
                5..=6 => b.t[k - 5] += h,
                7..=9 => {
                    let turn = Rotation3::new(Vector3::ith(k - TURN, h));
                    b.rotation *= turn.matrix();
                }
                _ => b.center += b.rotation * Vector3::ith(k - SHIFT, h),
            }
            b
        };
        for point in [
            Vector3::new(0.4, 0.5, 0.6),
            Vector3::new(-1.3, 0.2, -0.4),
            Vector3::new(0.3, 2.0, 2.0),
        ] {
            let gauge = body.gauge(&point);
            for k in 0..NATURAL {
                const H: f64 = 1e-6;
                let difference = moved(k, H).gauge(&point).ln - moved(k, -H).gauge(&point).ln;
                assert!(
                    (difference / (2.0 * H) - gauge.natural[k]).abs() < 1e-8,
                    "{k}"
                );
            }
        }
    }
}
