//! Ray and segment casts: the first point of the surface along a line, by safeguarded Newton steps that cannot pass
//! it.
//!
//! In the coordinates `u = x/(a1 τx)`, `v = y/(a2 τy)`, `w = z/a3` every superovoid is the unit
//! ball of the same nested norm (its gauge), which is convex, and the line becomes a curve `c(s)`
//! with `w` linear in s, `u` and `v` linear over linear. Let m be the dual of the norm at a point
//! `c(s0)`: the unit vector of the dual norm with `m·c(s0) = gauge(c(s0))`. By Hölder's inequality
//!
//! ```text
//! gauge(c(s)) ≥ m·c(s)        for every s, with equality and equal slope at s0
//! ```
//!
//! So the curve cannot enter the ball before `m·c(s)` falls to 1: the step to there never passes
//! the first entry, whether or not the body is convex, and converges quadratically. For an untapered
//! body it is Newton's step on a convex function. For a tapered one, with `κ = τ'/τ` at s0 and
//! `s = s0 + σ`,
//!
//! ```text
//! u(s) − u(s0) = u' σ/(1 + κ σ) = u' σ − u' κ σ²/(1 + κ σ)
//! ```
//!
//! and bounding `1 + κ σ` over the stretch ahead leaves a quadratic below `m·c(s) − 1`.
//!
//! The first exit of a convex body is the first entry of the reversed ray. For a non-convex body that is the last
//! exit; the line before it is proven to be inside stretch by stretch. Between s0 and s1 the curve deviates from its
//! chord (on which the norm is convex), with λ from 0 to 1, by at most
//!
//! ```text
//! λ (1 − λ) D,    D = ( |u1 − u0| |τx1 − τx0|/min τx,  |v1 − v0| |τy1 − τy0|/min τy,  0 )
//! gauge ≤ (1 − λ) g0 + λ g1 + λ (1 − λ) ‖D‖ ≤ 1    if g0, g1 ≤ 1 and min(g0, g1) + ‖D‖ ≤ 1
//! ```

use crate::Superovoid;
use crate::query::QueryError;
use crate::query::units::unit_of_length;
use crate::query::validation::validate_pose;
use crate::shape::circle::{Circle, norm};
use crate::surface::circles::Circles;
use nalgebra::{Isometry3, Point3, Unit, Vector3};

/// A half-line `origin + t · direction`, t ≥ 0, in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// The origin, metres.
    pub origin: Point3<f64>,
    /// The metres travelled for each unit of t; any length but zero.
    pub direction: Vector3<f64>,
}

/// The point where a ray meets a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The t of `origin + t · direction`, in units of the direction's length: metres if that is a unit vector.
    pub time_of_impact: f64,
    /// The surface point, world frame, metres.
    pub point: Point3<f64>,
    /// The outward unit normal of the surface there, world frame, also where the ray leaves the body. A solid body
    /// with the origin inside is hit at the origin, where there is no surface: the normal is then opposite to the
    /// direction.
    pub normal: Unit<Vector3<f64>>,
    /// The triangle of a mesh, box of a set or prism of terrain that is hit; `None` of a shape of one piece, and where a ray
    /// begins inside a solid mesh.
    pub part: Option<u32>,
}

impl RayHit {
    #[doc(hidden)]
    pub fn new(time_of_impact: f64, point: Point3<f64>, normal: Unit<Vector3<f64>>) -> Self {
        RayHit {
            time_of_impact,
            point,
            normal,
            part: None,
        }
    }

    /// Returns an error if a number of the hit exceeds the number range.
    pub(crate) fn within_number_range(self) -> Result<Self, QueryError> {
        let numbers = self.point.iter().chain(self.normal.iter());
        let is_finite = self.time_of_impact.is_finite() && numbers.copied().all(f64::is_finite);
        is_finite.then_some(self).ok_or(QueryError::Overflow)
    }
}

impl Superovoid {
    /// Returns the first hit of a ray on the body at `pose` with t at most `max_time_of_impact` (which may be
    /// infinite), or `None`. With the origin inside, a `solid` body is hit at t = 0, and a body that is not solid (a
    /// shell) at the first exit.
    ///
    /// The answer is that of a line within rounding of the given one: within δ = 8 · 2⁻⁵² (|origin − centre| + size).
    /// For exponents in [0.02, 1.98], convex or not, no part of *that* line before the hit lies deeper in the body
    /// than 1e-12 of the body's size (for a shell hit from inside: outside by more than that), and the hit lies on
    /// the surface as closely. A ray that grazes the surface within those lengths may hit or miss.
    ///
    /// # Errors
    /// The error names a pose, origin or direction that is not finite, a zero direction, a `max_time_of_impact` that
    /// is negative or NaN, or lengths whose difference exceeds the number range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3, Vector3};
    /// use superovoid::{Ray, Superovoid};
    ///
    /// let ball = Superovoid::sphere(1.0)?;
    /// let ray = Ray { origin: Point3::new(-5.0, 0.0, 0.0), direction: Vector3::new(2.0, 0.0, 0.0) };
    /// let hit = ball.ray_cast(&Isometry3::identity(), &ray, f64::INFINITY, true)?.expect("a hit");
    /// assert!((hit.time_of_impact - 2.0).abs() < 1e-14); // 4 metres at 2 metres a unit
    /// assert!((*hit.normal + Vector3::x()).norm() < 1e-14);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_cast(
        &self,
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
        solid: bool,
    ) -> Result<Option<RayHit>, QueryError> {
        let unit = unit_of_length(self.size(), 0.0);
        let shape = self.scaled(1.0 / unit);
        let local = LocalRay::new(pose, ray, max_time_of_impact, unit)?;
        let LocalRay {
            from, along, last, ..
        } = local;
        let Some([start, end]) = clip(&half_widths(&shape), &from, &along) else {
            return Ok(None);
        };
        if start > last {
            return Ok(None);
        }
        let line = Line::new(&shape, from + along * start, along);
        let here = line.at(0.0);
        let inside = start == 0.0 && here.gauge <= 1.0;
        if inside && solid {
            return Ok(Some(ray.hit_at_origin()));
        }
        let length = end - start;
        let met = if inside {
            Some(line.first_exit(length))
        } else {
            line.first_entry(0.0, length.min(last - start), Sense::Forward)
        };
        let met = met.filter(|s| start + s <= last);
        let hit = |s| local.hit(start + s, &(line.from + line.along * s), line.normal(s));
        met.map(|s| hit(s).within_number_range()).transpose()
    }

    /// Returns the first hit of the segment from `p` to `q` (world frame, metres) on the body at `pose`: that of a
    /// [`Superovoid::ray_cast`] with `direction = q − p` and t at most 1.
    ///
    /// # Errors
    /// The error names a pose or an end that is not finite, two equal ends, or a length that exceeds the number
    /// range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3};
    /// let ball = superovoid::Superovoid::sphere(1.0)?;
    /// let (p, q) = (Point3::new(0.0, 0.0, 3.0), Point3::new(0.0, 0.0, 0.0));
    /// let hit = ball.segment_cast(&Isometry3::identity(), &p, &q, true)?.expect("a hit");
    /// assert!((hit.time_of_impact - 2.0 / 3.0).abs() < 1e-14); // share of the segment
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn segment_cast(
        &self,
        pose: &Isometry3<f64>,
        p: &Point3<f64>,
        q: &Point3<f64>,
        solid: bool,
    ) -> Result<Option<RayHit>, QueryError> {
        let ray = Ray {
            origin: *p,
            direction: q - p,
        };
        self.ray_cast(pose, &ray, 1.0, solid)
    }
}

impl Ray {
    /// Returns the hit of a solid body in which the ray begins.
    pub(crate) fn hit_at_origin(&self) -> RayHit {
        let direction = Unit::new_normalize(self.direction / self.direction.amax());
        RayHit::new(0.0, self.origin, -direction)
    }

    fn validate(&self, most: f64) -> Result<(), QueryError> {
        let input = |name, requirement| Err(QueryError::Input { name, requirement });
        if !self.origin.iter().all(|x| x.is_finite()) {
            return input("ray origin", "metres, must be finite");
        }
        let finite = self.direction.iter().all(|x| x.is_finite());
        if !finite || self.direction.amax() == 0.0 {
            return input("ray direction", "must be finite and not zero");
        }
        if most >= 0.0 {
            Ok(())
        } else {
            Err(QueryError::Option {
                name: "max_time_of_impact",
                value: most,
                requirement: "at least 0, or infinity",
            })
        }
    }
}

/// A ray in the frame of a body at a pose, in units.
#[derive(Clone, Copy)]
pub(crate) struct LocalRay {
    pub from: Vector3<f64>,
    /// A unit vector.
    pub along: Vector3<f64>,
    /// The length to which it is asked about.
    pub last: f64,
    pose: Isometry3<f64>,
    most: f64,
    /// The number of units for each unit of t.
    speed: f64,
    unit: f64,
}

impl LocalRay {
    /// Makes it of a ray in the world, in units of so many metres.
    pub fn new(
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
        unit: f64,
    ) -> Result<Self, QueryError> {
        let pose = validate_pose('A', pose)?.unwrap_or(*pose);
        ray.validate(max_time_of_impact)?;
        // This is the length per unit of t, without the overflow of a square.
        let largest = ray.direction.amax();
        let (direction, length) = Unit::new_and_get(ray.direction / largest);
        let speed = length * (largest / unit);
        let origin = (ray.origin.coords - pose.translation.vector) / unit;
        if !(speed.is_finite() && origin.iter().all(|x| x.is_finite())) {
            return Err(QueryError::Overflow);
        }
        let to_local = pose.rotation.inverse();
        Ok(LocalRay {
            from: to_local * origin,
            along: to_local * *direction,
            last: max_time_of_impact * speed,
            pose,
            most: max_time_of_impact,
            speed,
            unit,
        })
    }

    /// Returns the hit at a length along the ray, with the point and the normal in the body's frame.
    pub fn hit(&self, s: f64, point: &Vector3<f64>, normal: Unit<Vector3<f64>>) -> RayHit {
        RayHit::new(
            (s / self.speed).min(self.most),
            self.pose * Point3::from(point * self.unit),
            self.pose.rotation * normal,
        )
    }
}

/// Returns half the edges of the body's box.
fn half_widths(shape: &Superovoid) -> [f64; 3] {
    let [tx, ty] = shape.t;
    [
        shape.a[0] * (1.0 + tx.abs()),
        shape.a[1] * (1.0 + ty.abs()),
        shape.a[2],
    ]
}

/// Returns the stretch of a half-line within a box about the origin, given by half its edges.
pub(crate) fn clip(half: &[f64; 3], from: &Vector3<f64>, along: &Vector3<f64>) -> Option<[f64; 2]> {
    let (mut start, mut end) = (0.0_f64, f64::INFINITY);
    for i in 0..3 {
        if along[i] == 0.0 {
            if from[i].abs() > half[i] {
                return None;
            }
        } else {
            let face = half[i].copysign(along[i]);
            start = start.max((-face - from[i]) / along[i]);
            end = end.min((face - from[i]) / along[i]);
        }
    }
    (start <= end && start.is_finite()).then_some([start, end])
}

/// A line in the body's frame; its parameter s is the length from `from`.
struct Line<'a> {
    shape: &'a Superovoid,
    from: Vector3<f64>,
    along: Vector3<f64>,
}

/// A point of the line.
struct Sample {
    /// The taper factors.
    tau: [f64; 2],
    /// The coordinates (u, v).
    section: [f64; 2],
    gauge: f64,
    /// The surface point in the direction (u, v, w) of the norm, with its duals.
    circles: Circles,
}

/// The direction in which a line is searched.
#[derive(Clone, Copy, PartialEq)]
enum Sense {
    Forward,
    Backward,
}

/// The difference from 1 at which a gauge counts as 1: the rounding of its two powers.
const ON_SURFACE: f64 = 1.0 + 2.0 * f64::EPSILON;
/// More steps than any search needs, as each at least halves the gap or the slope.
const MAX_STEPS: usize = 400;

impl<'a> Line<'a> {
    fn new(shape: &'a Superovoid, from: Vector3<f64>, along: Vector3<f64>) -> Self {
        Line { shape, from, along }
    }

    fn at(&self, s: f64) -> Sample {
        let shape = self.shape;
        let x = self.from + self.along * s;
        // The clipping leaves rounding beyond the poles, where taper factors could vanish.
        let w = (x.z / shape.a[2]).clamp(-1.0, 1.0);
        let tau = shape.taper_factors(w);
        let (u, v) = (x.x / (shape.a[0] * tau[0]), x.y / (shape.a[1] * tau[1]));
        let (rho, section) = Circle::normalised(u, v, shape.p[0]);
        let (gauge, profile) = Circle::normalised(rho, w, shape.p[1]);
        Sample {
            tau,
            section: [u, v],
            gauge,
            circles: Circles { section, profile },
        }
    }

    /// Returns the outward unit normal at s, or the direction against the line where the number range does not
    /// suffice (semi-axes that differ by a factor of more than 1e300).
    fn normal(&self, s: f64) -> Unit<Vector3<f64>> {
        let n = self.at(s).circles.normal(self.shape);
        // The vector is scaled first, so that squares do not overflow.
        let n = n / n.amax();
        Unit::new_normalize(if n.iter().all(|x| x.is_finite()) {
            n
        } else {
            -self.along
        })
    }

    /// Returns the first s, from `s` on for at most `length`, at which the gauge falls to 1.
    fn first_entry(&self, mut s: f64, length: f64, sense: Sense) -> Option<f64> {
        let sign = match sense {
            Sense::Forward => 1.0,
            Sense::Backward => -1.0,
        };
        let end = s + sign * length;
        for _ in 0..MAX_STEPS {
            let sample = self.at(s);
            if sample.gauge <= ON_SURFACE {
                return Some(s);
            }
            let ahead = sign * (end - s);
            let step = self.outside_for(&sample, sign, ahead);
            if step >= ahead {
                // The end itself may touch.
                return (self.at(end).gauge <= ON_SURFACE).then_some(end);
            }
            if s + sign * step == s {
                return Some(s);
            }
            s += sign * step;
        }
        Some(s)
    }

    /// Returns how far ahead of a sample outside the line certainly stays outside, at most `ahead`: the first root of
    /// the quadratic below `m·c − 1`.
    fn outside_for(&self, sample: &Sample, sign: f64, ahead: f64) -> f64 {
        let shape = self.shape;
        let Circles { section, profile } = sample.circles;
        let m = [
            profile.u_dual * section.u_dual,
            profile.u_dual * section.v_dual,
        ];
        let w_rate = sign * self.along.z / shape.a[2];
        // τ at most halves over the stretch for which the bound is made.
        let mut stretch = ahead;
        let kappa = [0, 1].map(|i| shape.t[i] * w_rate / sample.tau[i]);
        for k in kappa {
            if k < 0.0 {
                stretch = stretch.min(-0.5 / k);
            }
        }
        let f0 = sample.gauge - 1.0;
        let mut f1 = profile.v_dual * w_rate;
        let mut k = 0.0;
        for i in 0..2 {
            let rate = sign * self.along[i] / (shape.a[i] * sample.tau[i]);
            let slope = m[i] * (rate - sample.section[i] * kappa[i]);
            let bend = slope * kappa[i];
            let grown = 1.0 + kappa[i] * stretch;
            f1 += slope;
            k += bend
                / if bend > 0.0 {
                    grown.min(1.0)
                } else {
                    grown.max(1.0)
                };
        }
        first_root(f0, f1, k).min(stretch)
    }

    /// Returns the first exit of a line that starts inside at s = 0 and is outside at `end`.
    fn first_exit(&self, end: f64) -> f64 {
        let last_exit_before = |s: f64| self.first_entry(s, s, Sense::Backward).unwrap_or(0.0);
        let mut exit = last_exit_before(end);
        if self.shape.is_convex() {
            return exit;
        }
        // The line is inside up to `low`; `high`, at most `exit`, is the end of the stretch that is examined.
        let resolution = 4.0 * f64::EPSILON * end;
        let (mut low, mut high) = (0.0, exit);
        let mut at_low = self.at(low);
        loop {
            let mut at_high = self.at(high);
            if at_high.gauge > ON_SURFACE && high < exit {
                exit = last_exit_before(high).max(low);
                high = exit;
                at_high = self.at(high);
            }
            if self.inside_between(&at_low, &at_high) {
                if high >= exit {
                    return exit;
                }
                (low, at_low) = (high, at_high);
                high = exit;
            } else if high - low <= resolution {
                // This is a graze from inside: neither inside nor outside is proven by more than rounding.
                return high;
            } else {
                high = 0.5 * (low + high);
            }
        }
    }

    /// Whether the line certainly is inside between two samples.
    fn inside_between(&self, a: &Sample, b: &Sample) -> bool {
        let deviation = [0, 1].map(|i| {
            let [from, to] = [a.tau[i], b.tau[i]];
            (b.section[i] - a.section[i]) * (to - from) / from.min(to)
        });
        let [du, dv] = deviation;
        a.gauge.min(b.gauge) + norm(du, dv, self.shape.p[0]) <= ON_SURFACE
    }
}

/// Returns the least x > 0 with `f0 + f1 x − k x² = 0`, f0 > 0; infinity if there is none.
fn first_root(f0: f64, f1: f64, k: f64) -> f64 {
    let discriminant = f1 * f1 + 4.0 * k * f0;
    if discriminant < 0.0 || (f1 >= 0.0 && k <= 0.0) {
        f64::INFINITY
    } else if f1 < 0.0 {
        2.0 * f0 / (discriminant.sqrt() - f1)
    } else {
        (f1 + discriminant.sqrt()) / (2.0 * k)
    }
}
