//! Rays: all places where a line meets the surface.
//!
//! On a line N, ‖(1, ζ)‖ and ‖(1, N)‖ are convex, ζ is linear, and `r = (1 − |ζ|^p2)^(1/p2)` is concave. So every surface is
//! the zero of a [difference of convex functions](crate::superquadric::convex_difference) f − g:
//!
//! | surface | f | g | where |
//! | --- | --- | --- | --- |
//! | one sheet | N | ‖(1, ζ)‖ | \|ζ\| ≤ height |
//! | each of two sheets | ‖(1, N)‖ | ±ζ | 1 ≤ ±ζ ≤ height |
//! | outer half of a toroid | N − r | b | \|ζ\| ≤ 1 |
//! | inner half of a toroid | N | b − r | \|ζ\| ≤ 1 |
//!
//! A line meets each half of a round torus at most twice, four times in all; the halves of toroids with other exponents
//! have polygons nearly, and can be met more often.

use crate::query::QueryError;
use crate::query::units::unit_of_length;
use crate::ray::{LocalRay, clip};
use crate::shape::circle::{Circle, signed_power};
use crate::superquadric::convex_difference::{Sample, roots};
use crate::superquadric::profile::ProfilePoint;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::{Ray, RayHit};
use nalgebra::{Isometry3, Point3, Unit, Vector3};
use std::ops::Deref;

/// The box within which hits are sought is so much larger than the body's.
const EXTENDED: f64 = 1.0 + 1e-9;
/// The number of hits that are kept.
const MAX_HITS: usize = 16;

/// The places where a ray meets a surface, by increasing time of impact. It is a slice of [`RayHit`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct RayHits {
    hits: [RayHit; MAX_HITS],
    count: usize,
    complete: bool,
}

impl RayHits {
    fn none() -> Self {
        let nowhere = RayHit::new(0.0, Point3::origin(), Vector3::z_axis());
        RayHits {
            hits: [nowhere; MAX_HITS],
            count: 0,
            complete: true,
        }
    }

    /// Whether no hit is missing. One may be if the ray lies in the surface over a whole stretch to rounding, as along
    /// the straight lines of a hyperboloid of one sheet, or if there are more than 16.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    fn insert(&mut self, hit: RayHit) {
        if self.count == MAX_HITS {
            self.complete = false;
            return;
        }
        let mut at = self.count;
        while at > 0 && self.hits[at - 1].time_of_impact > hit.time_of_impact {
            self.hits[at] = self.hits[at - 1];
            at -= 1;
        }
        self.hits[at] = hit;
        self.count += 1;
    }
}

impl Deref for RayHits {
    type Target = [RayHit];

    fn deref(&self) -> &[RayHit] {
        &self.hits[..self.count]
    }
}

impl Superquadric {
    /// Returns all hits of a ray on the surface of the body at `pose`, caps included, with t at most
    /// `max_time_of_impact` (which may be infinite): where it enters and where it leaves.
    ///
    /// The hits are those of a line within rounding of the given one; where a ray grazes the surface to rounding it may
    /// have two hits or none.
    ///
    /// # Errors
    /// The error names a pose, origin or direction that is not finite, a zero direction, a `max_time_of_impact` that
    /// is negative or NaN, or lengths whose difference exceeds the number range.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Point3, Vector3};
    /// use superovoid::{Ray, superquadric::Superquadric};
    ///
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?; // radii 2 and 0.5 metres
    /// let ray = Ray { origin: Point3::new(-5.0, 0.0, 0.0), direction: Vector3::x() };
    /// let hits = ring.ray_hits(&Isometry3::identity(), &ray, f64::INFINITY)?;
    /// let times: Vec<f64> = hits.iter().map(|hit| hit.time_of_impact).collect();
    /// for (time, exact) in times.iter().zip([2.5, 3.5, 6.5, 7.5]) {
    ///     assert!((time - exact).abs() < 1e-14);
    /// }
    /// assert_eq!(times.len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ray_hits(
        &self,
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
    ) -> Result<RayHits, QueryError> {
        let unit = unit_of_length(self.size(), 0.0);
        let shape = self.scaled(1.0 / unit);
        let local = LocalRay::new(pose, ray, max_time_of_impact, unit)?;
        let LocalRay {
            from, along, last, ..
        } = local;
        let mut hits = RayHits::none();
        let half = shape.half_widths().map(|x| x * EXTENDED);
        let Some([start, end]) = clip(&half, &from, &along) else {
            return Ok(hits);
        };
        if start > last {
            return Ok(hits);
        }
        let line = Line::new(&shape, from + along * start, along);
        let range = [0.0, (end - start).min(last - start)];
        let complete = line.all_hits(range, |s, normal| {
            hits.insert(local.hit(start + s, &(line.from + along * s), normal));
        });
        hits.complete &= complete;
        for hit in hits.iter() {
            hit.within_number_range()?;
        }
        Ok(hits)
    }

    /// Returns the first hit of a ray on the body at `pose` with t at most `max_time_of_impact` (which may be
    /// infinite), or `None`. With the origin inside, a `solid` body is hit at t = 0, and a body that is not solid (a
    /// shell) at the first exit.
    ///
    /// # Errors
    /// The errors are those of [`Superquadric::ray_hits`].
    pub fn ray_cast(
        &self,
        pose: &Isometry3<f64>,
        ray: &Ray,
        max_time_of_impact: f64,
        solid: bool,
    ) -> Result<Option<RayHit>, QueryError> {
        let hits = self.ray_hits(pose, ray, max_time_of_impact)?;
        if solid && self.inside_outside(&(pose.inverse() * ray.origin)) <= 0.0 {
            return Ok(Some(ray.hit_at_origin()));
        }
        Ok(hits.first().copied())
    }
}

/// A line in the body's frame; its parameter s is the length from `from`.
struct Line<'a> {
    shape: &'a Superquadric,
    from: Vector3<f64>,
    /// The point and the direction, divided by the semi-axes.
    at: Vector3<f64>,
    rate: Vector3<f64>,
}

impl<'a> Line<'a> {
    fn new(shape: &'a Superquadric, from: Vector3<f64>, along: Vector3<f64>) -> Self {
        let a = Vector3::from(shape.a);
        Line {
            shape,
            from,
            at: from.component_div(&a),
            rate: along.component_div(&a),
        }
    }

    /// Passes all hits in a range with their normals to `hit`, surface by surface; returns whether none is missing.
    fn all_hits(&self, range: [f64; 2], mut hit: impl FnMut(f64, Unit<Vector3<f64>>)) -> bool {
        let shape = self.shape;
        // Two units in the last place of the coordinates along the line.
        let resolution = 4.0 * f64::EPSILON * range[1].max(self.from.amax());
        let mut complete = true;
        let mut curved = |line: &Self, function: &dyn Fn(f64) -> Sample, range: [f64; 2]| {
            complete &= roots(function, range, resolution, |s| hit(s, line.normal(s)));
        };
        match shape.family {
            Family::Toroid => {
                // A flat top, or the flat end of a cup, is met within rounding of ζ = 1: a little beyond it the line is
                // outside, so that the meeting is a change of sign.
                const TOP: f64 = 1.0 + 1e-14;
                let range = self.between(-TOP, TOP, range);
                if range[0] <= range[1] {
                    curved(self, &|s| self.outer(s), range);
                    curved(self, &|s| self.inner(s), range);
                }
                return complete;
            }
            Family::OneSheet => {
                let range = self.between(-shape.extent, shape.extent, range);
                if range[0] <= range[1] {
                    curved(self, &|s| self.neck(s), range);
                }
            }
            Family::TwoSheets(sheets) => {
                for (side, other) in [(1.0, Sheets::Lower), (-1.0, Sheets::Upper)] {
                    if sheets == other {
                        continue;
                    }
                    const TIP: f64 = 1.0 - 1e-14;
                    let [low, high] = if side > 0.0 {
                        [TIP, shape.extent]
                    } else {
                        [-shape.extent, -TIP]
                    };
                    let range = self.between(low, high, range);
                    if range[0] <= range[1] {
                        curved(self, &|s| self.cup(s, side), range);
                    }
                }
            }
        }
        for side in [1.0, -1.0] {
            if let Some(s) = self.cap(side, range) {
                hit(s, Unit::new_unchecked(Vector3::z() * side));
            }
        }
        complete
    }

    /// Returns the part of a range in which ζ is between two heights; it is empty where the ends are in the wrong order.
    fn between(&self, low: f64, high: f64, [start, end]: [f64; 2]) -> [f64; 2] {
        let (zeta, rate) = (self.at.z, self.rate.z);
        if rate == 0.0 {
            let within = (low..=high).contains(&zeta);
            return if within { [start, end] } else { [1.0, -1.0] };
        }
        let [a, b] = [(low - zeta) / rate, (high - zeta) / rate];
        [start.max(a.min(b)), end.min(a.max(b))]
    }

    /// Returns where the line passes the cap at the upper (1) or lower (−1) end, if the body has it.
    fn cap(&self, side: f64, [start, end]: [f64; 2]) -> Option<f64> {
        let shape = self.shape;
        let absent = match shape.family {
            Family::Toroid => true,
            Family::OneSheet | Family::TwoSheets(Sheets::Both) => false,
            Family::TwoSheets(Sheets::Upper) => side < 0.0,
            Family::TwoSheets(Sheets::Lower) => side > 0.0,
        };
        if absent || self.rate.z == 0.0 {
            return None;
        }
        let s = (side * shape.extent - self.at.z) / self.rate.z;
        // By the function whose roots are the other hits, so that at the rim the two agree.
        let sample = match shape.family {
            Family::OneSheet => self.neck(s),
            _ => self.cup(s, side),
        };
        let met = s >= start && s <= end && sample.difference() < 0.0;
        met.then_some(s)
    }

    /// Returns N, its slope, and ζ.
    fn section(&self, s: f64) -> (f64, f64, f64) {
        let x = self.at + self.rate * s;
        let (n, c) = Circle::normalised(x.x, x.y, self.shape.p[0]);
        (n, c.u_dual * self.rate.x + c.v_dual * self.rate.y, x.z)
    }

    /// Returns `r = (1 − |ζ|^p)^(1/p)` of the tube and its slope, which is infinite at the ends.
    fn tube(&self, zeta: f64) -> (f64, f64) {
        let p = self.shape.p[1];
        let (above, below) = (1.0 - zeta.abs(), zeta.abs());
        if above <= 0.0 {
            return (
                0.0,
                -self.rate.z.abs() * f64::INFINITY.copysign(zeta * self.rate.z),
            );
        }
        // The power is near 1 where ζ is: its difference from 1 keeps its digits.
        let rest = if below > 0.5 {
            -(p * (-above).ln_1p()).exp_m1()
        } else {
            1.0 - below.powf(p)
        };
        let r = rest.powf(1.0 / p);
        (r, -signed_power(zeta, p - 1.0) * (r / rest) * self.rate.z)
    }

    fn outer(&self, s: f64) -> Sample {
        let (n, slope, zeta) = self.section(s);
        let (r, r1) = self.tube(zeta);
        let (f, f1) = (n - r, without_nan(slope - r1));
        Sample {
            s,
            f,
            f1,
            g: self.shape.extent,
            g1: 0.0,
        }
    }

    fn inner(&self, s: f64) -> Sample {
        let (f, f1, zeta) = self.section(s);
        let (r, r1) = self.tube(zeta);
        let (g, g1) = (self.shape.extent - r, without_nan(-r1));
        Sample { s, f, f1, g, g1 }
    }

    fn neck(&self, s: f64) -> Sample {
        let (f, f1, zeta) = self.section(s);
        let (g, c) = Circle::normalised(1.0, zeta, self.shape.p[1]);
        Sample {
            s,
            f,
            f1,
            g,
            g1: c.v_dual * self.rate.z,
        }
    }

    fn cup(&self, s: f64, side: f64) -> Sample {
        let (n, slope, zeta) = self.section(s);
        let (f, c) = Circle::normalised(1.0, n, self.shape.p[1]);
        Sample {
            s,
            f,
            f1: c.v_dual * slope,
            g: side * zeta,
            g1: side * self.rate.z,
        }
    }

    /// Returns the outward normal of the curved surface at a hit.
    fn normal(&self, s: f64) -> Unit<Vector3<f64>> {
        let shape = self.shape;
        let x = self.at + self.rate * s;
        let (n, section) = Circle::normalised(x.x, x.y, shape.p[0]);
        let normal = shape.normal_of(&section, &shape.profile_towards(n, x.z));
        if normal.iter().all(|x| x.is_finite()) {
            normal
        } else {
            // A tip has none.
            -Unit::new_normalize(self.rate.component_mul(&Vector3::from(shape.a)))
        }
    }
}

impl Superquadric {
    /// Returns the profile's normal for a point (N, ζ) that is on the surface to rounding.
    pub(crate) fn profile_towards(&self, n: f64, zeta: f64) -> ProfilePoint {
        let p = self.p[1];
        let side = 1.0_f64.copysign(zeta);
        match self.family {
            Family::Toroid => self.profile_on_tube(&Circle::from_primal(n - self.extent, zeta, p)),
            Family::OneSheet => ProfilePoint {
                rho: n,
                zeta,
                out: 1.0,
                up: -side * (zeta.abs() / n).min(1.0).powf(p - 1.0),
            },
            Family::TwoSheets(_) => ProfilePoint {
                rho: n,
                zeta,
                out: (n / zeta.abs()).min(1.0).powf(p - 1.0),
                up: -side,
            },
        }
    }
}

/// Returns a slope that is the product of zero and infinity as zero: the line is level.
fn without_nan(slope: f64) -> f64 {
    if slope.is_nan() { 0.0 } else { slope }
}
