//! Support functions of the bodies' hulls, and of the parts that a body is cut into.
//!
//! With W the support function of the section, `W = ‖(a1 n1, a2 n2)‖_q1`, Hölder's inequality gives
//!
//! ```text
//! toroid      h = b W + ‖(W, a3 n3)‖_q2
//! one sheet   h = max over both ends of a3 n3 ζ + W ρ(ζ)
//! a cup       h = −(k^q2 − W^q2)^(1/q2) for k = −a3 n3 > W, at ρ/ζ = (W/k)^(q2−1); where that is beyond the rim, and
//!             for k ≤ W, the rim's
//! ```
//!
//! since the profile of one sheet is convex in ζ: the hull of a slab is that of its two end sections. A *sector* of a
//! toroid is what lies over an arc of the section circle. Let w be the largest a1 n1 ξ + a2 n2 η over the arc; then
//!
//! ```text
//! h = b w + ‖(w, a3 n3)‖_q2
//! ```
//!
//! which grows with w because b > 1. On an arc of at most a half turn w is W if the section's support point lies on it,
//! and otherwise it is attained at an end.

use crate::shape::circle::Circle;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::surface::support_map::SupportMap;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, TAU};

/// A part of a toroid (a sector) or of a hyperboloid of one sheet (a slab).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The turns between which a sector lies, or the heights ζ between which a slab does.
    pub range: [f64; 2],
    /// The section points at the ends of a sector.
    ends: [Circle; 2],
    /// The radii at the ends of a slab.
    radii: [f64; 2],
}

/// The support map of the hull.
impl SupportMap for Superquadric {
    fn local_support(&self, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let b = [self.a[0] * n.x, self.a[1] * n.y, self.a[2] * n.z];
        let (width, section) = Circle::normalised_dual(b[0], b[1], self.q[0]);
        let end = |rho: f64, zeta: f64| (width * rho + b[2] * zeta, self.at(&section, rho, zeta));
        match self.family {
            Family::Toroid => self.tube_support(width, b[2], &section),
            Family::OneSheet => end(self.rim, self.extent.copysign(b[2])),
            Family::TwoSheets(sheets) => {
                let sheet = |side: f64| {
                    let [rho, height] = self.cup_support(width, side * b[2]);
                    end(rho, side * height)
                };
                match sheets {
                    Sheets::Upper => sheet(1.0),
                    Sheets::Lower => sheet(-1.0),
                    Sheets::Both => {
                        let (upper, lower) = (sheet(1.0), sheet(-1.0));
                        if upper.0 >= lower.0 { upper } else { lower }
                    }
                }
            }
        }
    }
}

impl Superquadric {
    /// Returns (ρ, |ζ|) of a cup's support point, where the direction along its axis is `up`.
    fn cup_support(&self, width: f64, up: f64) -> [f64; 2] {
        let rim = [self.rim, self.extent];
        if up >= 0.0 || width >= -up {
            return rim;
        }
        if width == 0.0 {
            return [0.0, 1.0];
        }
        let (p, q) = (self.p[1], self.q[1]);
        let ratio = width / -up;
        // ln(W/k) and 1 − (W/k)^q keep their digits where W is near k.
        let ln = if ratio > 0.5 {
            ((width + up) / -up).ln_1p()
        } else {
            ratio.ln()
        };
        let rest = -(q * ln).exp_m1();
        let zeta = rest.powf(-1.0 / p);
        let rho = ((q - 1.0) * ln).exp() * zeta;
        if zeta >= self.extent || rho >= self.rim {
            return rim;
        }
        [rho, zeta]
    }

    fn tube_support(&self, width: f64, up: f64, section: &Circle) -> (f64, Vector3<f64>) {
        let (length, tube) = Circle::normalised_dual(width, up, self.q[1]);
        let point = self.at(section, self.extent + tube.u, tube.v);
        (self.extent * width + length, point)
    }

    fn at(&self, section: &Circle, rho: f64, zeta: f64) -> Vector3<f64> {
        Vector3::new(
            self.a[0] * rho * section.u,
            self.a[1] * rho * section.v,
            self.a[2] * zeta,
        )
    }

    /// Returns the section point at a turn: the angle of its primal or dual coordinates, whichever makes both of them
    /// differentiable.
    pub(crate) fn section_at_turn(&self, turn: f64) -> Circle {
        at_turn(turn, self.p[0], self.q[0])
    }

    /// Returns the part between two turns at most a quarter apart, or between two heights.
    pub(crate) fn part(&self, range: [f64; 2]) -> Part {
        match self.family {
            Family::Toroid => Part {
                range,
                ends: range.map(|turn| self.section_at_turn(turn)),
                radii: [0.0; 2],
            },
            _ => Part {
                range,
                ends: [Circle::from_primal(1.0, 0.0, 2.0); 2],
                radii: range.map(|zeta| self.radius_at(zeta)),
            },
        }
    }

    /// Returns the parts that make up the whole body, or what of it has no negative coordinate, and their number.
    pub(crate) fn parts(&self, octant: bool) -> ([Part; 4], usize) {
        let whole = match self.family {
            Family::Toroid => {
                [0.0, 1.0, 2.0, 3.0].map(|k| self.part([k, k + 1.0].map(|k| k * FRAC_PI_2)))
            }
            _ if octant => [self.part([0.0, self.extent]); 4],
            _ => {
                let (lower, upper) = ([-self.extent, 0.0], [0.0, self.extent]);
                [lower, upper, lower, upper].map(|range| self.part(range))
            }
        };
        let count = match (self.family, octant) {
            (_, true) => 1,
            (Family::Toroid, false) => 4,
            (_, false) => 2,
        };
        (whole, count)
    }

    /// Returns about how far the hull of a part is from it, up to a factor: the square of its width.
    pub(crate) fn coarseness(&self, part: &Part) -> f64 {
        let [low, high] = part.range;
        let width = match self.family {
            Family::Toroid => 0.25 * (high - low),
            _ => 0.5 * (high - low) / self.extent,
        };
        width * width * self.size()
    }

    /// Returns a part about a point of the body, an eighth of a turn or of the height to either side.
    pub(crate) fn part_about(&self, x: &Vector3<f64>) -> Part {
        let (middle, most) = match self.family {
            Family::Toroid => (self.parameters_of(x)[0], FRAC_PI_2 / 2.0),
            _ => (x.z / self.a[2], self.extent),
        };
        let ends = [-0.25, 0.25].map(|side| middle + side * most);
        match self.family {
            Family::Toroid => self.part(ends),
            _ => self.part(ends.map(|zeta| zeta.clamp(-self.extent, self.extent))),
        }
    }

    /// Returns the two halves of a part, or `None` if it is too thin.
    pub(crate) fn halves(&self, part: &Part) -> Option<[Part; 2]> {
        const THINNEST: f64 = 1e-12;
        let [low, high] = part.range;
        let size = match self.family {
            Family::Toroid => TAU,
            _ => self.extent,
        };
        if high - low <= THINNEST * size {
            return None;
        }
        let middle = 0.5 * (low + high);
        let cut = self.part([middle; 2]);
        let half = |from: &Part, to: &Part, [i, j]: [usize; 2]| Part {
            range: [from.range[i], to.range[j]],
            ends: [from.ends[i], to.ends[j]],
            radii: [from.radii[i], to.radii[j]],
        };
        Some([half(part, &cut, [0, 0]), half(&cut, part, [1, 1])])
    }

    /// Returns the value and a support point of the hull of a part.
    pub(crate) fn part_support(&self, part: &Part, n: &Vector3<f64>) -> (f64, Vector3<f64>) {
        let b = [self.a[0] * n.x, self.a[1] * n.y, self.a[2] * n.z];
        let (width, section) = Circle::normalised_dual(b[0], b[1], self.q[0]);
        if self.family != Family::Toroid {
            let end = |k: usize| width * part.radii[k] + b[2] * part.range[k];
            let k = usize::from(end(1) > end(0));
            return (end(k), self.at(&section, part.radii[k], part.range[k]));
        }
        let cross = |c: &Circle, d: &Circle| c.u_dual * d.v_dual - c.v_dual * d.u_dual;
        let dot = |c: &Circle| c.u_dual * section.u_dual + c.v_dual * section.v_dual;
        let [first, last] = &part.ends;
        let on_arc = cross(first, &section) >= 0.0
            && cross(&section, last) >= 0.0
            && dot(first) + dot(last) > 0.0;
        if on_arc {
            return self.tube_support(width, b[2], &section);
        }
        let [w0, w1] = [first, last].map(|c| b[0] * c.u + b[1] * c.v);
        if w0 >= w1 {
            self.tube_support(w0, b[2], first)
        } else {
            self.tube_support(w1, b[2], last)
        }
    }

    /// Returns a point of the body near a point: itself where it belongs to the body, otherwise the one on the same
    /// radius of the profile.
    pub(crate) fn pulled_in(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let (n, section) = Circle::normalised(x.x / self.a[0], x.y / self.a[1], self.p[0]);
        let zeta = x.z / self.a[2];
        if self.implicit(n, zeta) <= 0.0 {
            return *x;
        }
        match self.family {
            Family::Toroid => {
                let tube = Circle::from_primal(n - self.extent, zeta, self.p[1]);
                self.at(&section, self.extent + tube.u, tube.v)
            }
            _ => {
                let zeta = zeta.clamp(-self.extent, self.extent);
                self.at(&section, n.min(self.radius_at(zeta)), zeta)
            }
        }
    }
}

impl Superquadric {
    /// Returns the radius of a circle inside the section of ρ = 1: that of the rhombus in it.
    fn section_inradius(&self) -> f64 {
        // a1 a2/√(a1² + a2²), without a square of what may be small.
        let (less, more) = if self.a[0] < self.a[1] {
            (self.a[0], self.a[1])
        } else {
            (self.a[1], self.a[0])
        };
        less / (less / more).hypot(1.0)
    }

    /// Returns the centre and the radius of a ball inside the hull.
    pub(crate) fn inner_ball(&self) -> (Vector3<f64>, f64) {
        /// What rounding may change.
        const INSIDE: f64 = 1.0 - 1e-12;
        let width = self.section_inradius();
        let half_height = self.a[2] * self.top();
        let side = match self.family {
            // Cylinders are in the hulls.
            Family::Toroid => {
                return (
                    Vector3::zeros(),
                    INSIDE * half_height.min(width * self.extent),
                );
            }
            Family::OneSheet => return (Vector3::zeros(), INSIDE * half_height.min(width)),
            Family::TwoSheets(Sheets::Both) => {
                return (Vector3::zeros(), INSIDE * half_height.min(width * self.rim));
            }
            Family::TwoSheets(Sheets::Upper) => 1.0,
            Family::TwoSheets(Sheets::Lower) => -1.0,
        };
        // A cone from the tip to the rim is in a cup.
        let (radius, height) = (width * self.rim, self.a[2] * (self.extent - 1.0));
        let ball = radius * (height / (radius + radius.hypot(height)));
        (Vector3::z() * (side * (half_height - ball)), INSIDE * ball)
    }

    /// Returns a convex function of a point that is at most 1 in a cup, and at most 1 − δ only where there is a ball about
    /// the point of δ times the inner radius; more than 1 for bodies that are not convex.
    pub(crate) fn room_gauge(&self, x: &Vector3<f64>) -> f64 {
        if !self.is_convex() {
            return 2.0;
        }
        let (_, radius) = self.inner_ball();
        1.0 + self.inside_outside(&(*x).into()) / (radius * self.steepest_slope())
    }

    /// Returns a slope that G exceeds nowhere.
    pub(super) fn steepest_slope(&self) -> f64 {
        1.0 / self.section_inradius() + 1.0 / self.a[2]
    }

    /// Whether a ball of the given radius about a point is in the body.
    pub(crate) fn has_room(&self, x: &Vector3<f64>, radius: f64) -> bool {
        self.inside_outside(&(*x).into()) <= -radius * self.steepest_slope()
    }
}

impl Superquadric {
    /// Returns the surface point of the same radius of the profile.
    pub(crate) fn pulled_out(&self, x: &Vector3<f64>) -> Vector3<f64> {
        let (n, section) = Circle::normalised(x.x / self.a[0], x.y / self.a[1], self.p[0]);
        let zeta = x.z / self.a[2];
        let profile = match self.family {
            Family::Toroid => {
                let tube = Circle::from_primal(n - self.extent, zeta, self.p[1]);
                self.profile_on_tube(&tube)
            }
            _ => self.profile_at_height(zeta),
        };
        self.point_of(&section, &profile)
    }
}

/// Returns the point of a p-circle at a turn.
pub(crate) fn at_turn(turn: f64, p: f64, q: f64) -> Circle {
    let (sin, cos) = turn.sin_cos();
    // The ends of quarters are exact.
    let exact = |x: f64| if x.abs() < 1e-15 { 0.0 } else { x };
    let (sin, cos) = (exact(sin), exact(cos));
    if p >= 2.0 {
        Circle::from_primal(cos, sin, p)
    } else {
        Circle::from_dual(cos, sin, q)
    }
}

/// Returns the turn of a point of a p-circle.
pub(crate) fn turn_of(c: &Circle, p: f64) -> f64 {
    if p >= 2.0 {
        c.v.atan2(c.u)
    } else {
        c.v_dual.atan2(c.u_dual)
    }
}
