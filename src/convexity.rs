//! The exact test of a superovoid's convexity.
//!
//! Every section at height ζ = z/a3 is a p1-circle with half-widths proportional to
//! `A = (1 + tx ζ) g` and `B = (1 + ty ζ) g`, `g = (1 − |ζ|^m)^(1/m)`, `m = 2/e2`. In direction n
//! the body's width at ζ is the q1-norm of `(A|a1 n1|, B|a2 n2|)`, and the body is convex exactly
//! when this is concave in ζ for every n, that is, when A″ ≤ 0, B″ ≤ 0 and
//!
//! ```text
//! √(−A″/A) + √(−B″/B) ≥ √(e1/(2 − e1)) |tx − ty| / ((1 + tx ζ)(1 + ty ζ))        for all |ζ| < 1
//! ```
//!
//! Multiplied by `(1 − |ζ|^m) |ζ|^(1 − m/2)` the roots lose their singularities:
//!
//! ```text
//! √(−A″/A) (1 − |ζ|^m) |ζ|^(1 − m/2) = √( (m − 1) + 2 tx ζ (1 − |ζ|^m)/(1 + tx ζ) )
//! ```
//!
//! For equal tapers only A″ ≤ 0 remains, which is `|t| ≤ (1 − e2/2) 2^(e2/2)` in closed form.

use crate::golden_section::minimum;

/// Whether a body is convex and, if not, the reason.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Convexity {
    /// The body is convex: contact queries can prove their answers.
    Convex,
    /// The body is hollow somewhere in a band of heights.
    NonConvex {
        /// The condition that fails.
        reason: NonConvexity,
        /// The lowest and highest ζ = z/a3 of the sections at which the surface curves inwards; outside this band it
        /// is locally convex.
        band: [f64; 2],
    },
}

/// The reason why a superovoid is not convex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NonConvexity {
    /// The profile in x (or y) is hollow itself: |tx| (or |ty|) > (1 − e2/2) 2^(e2/2).
    TaperTooStrong,
    /// Both profiles are convex, but the difference of the tapers twists the sections more than
    /// the profiles' curvature allows. For e2 < 1 every body with tx ≠ ty is of this kind.
    TapersTooDifferent,
}

/// A [`Convexity`] in numbers, for which any bits are a value, so that the C interface can read a shape in the
/// caller's memory.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvexityNumbers {
    /// The band; 0, 0 for a convex body.
    pub band: [f64; 2],
    /// The number 1 for a convex body, otherwise that of the reason.
    pub kind: u32,
    /// The number 0.
    pub reserved: u32,
}

#[allow(missing_docs)]
impl ConvexityNumbers {
    pub const CONVEX: u32 = 1;
    pub const TAPER_TOO_STRONG: u32 = 2;
    pub const TAPERS_TOO_DIFFERENT: u32 = 3;

    pub const fn of(convexity: Convexity) -> Self {
        let (kind, band) = match convexity {
            Convexity::Convex => (Self::CONVEX, [0.0; 2]),
            Convexity::NonConvex { reason, band } => match reason {
                NonConvexity::TaperTooStrong => (Self::TAPER_TOO_STRONG, band),
                NonConvexity::TapersTooDifferent => (Self::TAPERS_TOO_DIFFERENT, band),
            },
        };
        ConvexityNumbers {
            band,
            kind,
            reserved: 0,
        }
    }

    #[inline]
    pub const fn convexity(self) -> Convexity {
        let reason = match self.kind {
            Self::CONVEX => return Convexity::Convex,
            Self::TAPER_TOO_STRONG => NonConvexity::TaperTooStrong,
            _ => NonConvexity::TapersTooDifferent,
        };
        Convexity::NonConvex {
            reason,
            band: self.band,
        }
    }
}

impl std::fmt::Display for Convexity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Convexity::Convex => write!(f, "convex"),
            Convexity::NonConvex { reason, band } => {
                let [low, high] = band;
                match reason {
                    NonConvexity::TaperTooStrong => write!(
                        f,
                        "not convex: a taper exceeds (1 - e2/2) 2^(e2/2), the profile is hollow"
                    )?,
                    NonConvexity::TapersTooDifferent => write!(
                        f,
                        "not convex: tx and ty differ by more than the profile's curvature allows"
                    )?,
                }
                write!(f, " within z/a3 in [{low:.4}, {high:.4}]")
            }
        }
    }
}

/// Returns the largest |t| with which a profile of exponent e2 is convex.
pub(crate) fn taper_limit(e2: f64) -> f64 {
    (1.0 - 0.5 * e2) * (0.5 * e2).exp2()
}

/// Classifies the shape with exponents `e` and tapers `t` (semi-axes do not matter).
pub(crate) fn of(e: [f64; 2], t: [f64; 2]) -> Convexity {
    let strong = t[0].abs().max(t[1].abs()) > taper_limit(e[1]);
    let equal = t[0] == t[1];
    if !strong && equal {
        return Convexity::Convex;
    }
    let reason = if strong {
        NonConvexity::TaperTooStrong
    } else {
        NonConvexity::TapersTooDifferent
    };
    match hollow_band(|zeta| margin(zeta, e, t)) {
        Some(band) => Convexity::NonConvex { reason, band },
        // The closed form decides where the band is too narrow to be found by samples.
        None if strong => {
            let t = if t[0].abs() > t[1].abs() { t[0] } else { t[1] };
            let zeta = steepest(e[1], t);
            Convexity::NonConvex {
                reason,
                band: [zeta, zeta],
            }
        }
        None => Convexity::Convex,
    }
}

/// Returns the height at which the profile of taper `t` is the first to turn hollow: the least value of `(m − 1) + 2
/// t ζ (1 − |ζ|^m)/(1 + t ζ)` at the limiting taper is at `|ζ|^m = 1/2`.
fn steepest(e2: f64, t: f64) -> f64 {
    -t.signum() * (-0.5 * e2).exp2()
}

/// Returns a margin that is negative exactly where the surface is hollow at height ζ: the smaller radicand when one
/// is negative, otherwise left minus right side of the convexity condition, both multiplied by `(1 − |ζ|^m) |ζ|^max(1
/// − m/2, 0)` and the powers of |ζ| that keep it finite.
fn margin(zeta: f64, e: [f64; 2], t: [f64; 2]) -> f64 {
    let m = 2.0 / e[1];
    let s = zeta.abs();
    let rest = 1.0 - s.powf(m);
    let radicand = |t: f64| (m - 1.0) + 2.0 * t * zeta * rest / (1.0 + t * zeta);
    let (x, y) = (radicand(t[0]), radicand(t[1]));
    let least = x.min(y);
    if least < 0.0 {
        return least;
    }
    let twist = (e[0] / (2.0 - e[0])).sqrt() * (t[0] - t[1]).abs()
        / ((1.0 + t[0] * zeta) * (1.0 + t[1] * zeta));
    let (left, right) = if m <= 2.0 {
        (1.0, s.powf(1.0 - 0.5 * m))
    } else {
        (s.powf(0.5 * m - 1.0), 1.0)
    };
    left * (x.sqrt() + y.sqrt()) - twist * rest * right
}

/// The number of samples on each side of ζ = 0. The margin is a smooth function of few terms on each side; its minima
/// are far wider than the spacing, and each is then refined.
const SAMPLES: usize = 96;

/// Returns the smallest interval that contains every ζ with a negative margin.
fn hollow_band(margin: impl Fn(f64) -> f64) -> Option<[f64; 2]> {
    let node = |k: usize| -> f64 {
        // The samples are denser towards ±1 and around 0, where powers of |ζ| vary fastest.
        let x = k as f64 / SAMPLES as f64 - 1.0;
        let s = x.abs();
        x.signum() * s * s * (3.0 - 2.0 * s)
    };
    let last = 2 * SAMPLES;
    let values: Vec<f64> = (0..=last).map(|k| margin(node(k))).collect();
    let mut band: Option<[f64; 2]> = None;
    let mut extend = |zeta: f64| {
        band = Some(band.map_or([zeta, zeta], |[low, high]| [low.min(zeta), high.max(zeta)]));
    };
    for k in 1..last {
        if values[k] <= values[k - 1] && values[k] <= values[k + 1] {
            let (zeta, least) = minimum(&margin, node(k - 1), node(k + 1));
            if least < 0.0 {
                extend(zeta);
            }
        }
        if values[k] < 0.0 {
            extend(node(k));
        }
    }
    let [low, high] = band?;
    // This walks from the outermost negative points to the roots beyond them.
    let below = (0..=last).map(node).rfind(|&z| z < low && margin(z) >= 0.0);
    let above = (0..=last).map(node).find(|&z| z > high && margin(z) >= 0.0);
    Some([
        below.map_or(-1.0, |z| root(&margin, z, low)),
        above.map_or(1.0, |z| root(&margin, z, high)),
    ])
}

/// Returns the point next to the sign change on the `outside` (non-negative) side, by bisection.
fn root(f: impl Fn(f64) -> f64, mut outside: f64, mut inside: f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (outside + inside);
        if f(middle) >= 0.0 {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    outside
}
