//! Two dimensions: the signed distance between a superellipse and a line segment.
//!
//! For convex bodies the signed distance is the largest gap over unit normals n. With the segment
//! from P to Q in the superellipse's frame and its support function h,
//!
//! ```text
//! g(n) = min(n·P, n·Q) − h(n),      h(n) = ( |a1 n1|^q + |a2 n2|^q )^(1/q),   q = 2/(2 − e)
//! ```
//!
//! apart as well as overlapping: `n·(y − x) ≥ g(n)` for every y of the segment and x of the
//! superellipse bounds the distance from below, and a translation of the segment by `−g(n)` along n
//! leaves nothing in common. Where g is negative its largest value is minus the least such
//! translation, since a shorter one leaves the origin inside the difference of the two bodies,
//! whose support function is −g.
//!
//! *The interior of the segment is a line problem*: at the maximum either n is perpendicular to
//! the segment, where h is in closed form, *or an end is a vertex problem*: n·P < n·Q, say, and n
//! is a stationary direction of `n·P − h(n)`, at which the surface normal passes through P,
//!
//! ```text
//! r(θ) = n⊥·(P − x(θ)) = 0          (g rises with θ where r > 0)
//! ```
//!
//! θ is the angle of the circle's primal-dual coordinates: of the point where p ≥ 2, of its dual where
//! p < 2, so that both x and n are smooth. For P outside, r changes sign exactly once in the
//! quadrant of P. So apart, the largest g of four candidates (two perpendiculars, two ends) is the
//! distance.
//!
//! *Overlapping*, g has several local maxima. Half of the normals see P nearer, half Q; each half is
//! searched by branch and bound. On an arc from n0 to n1 with support points x0 and x1
//!
//! ```text
//! n·P − h(n) ≤ min( n·(P − x0), n·(P − x1) )
//! ```
//!
//! whose largest value over the arc is at the normal of the chord x0 x1, unless P − x0 or P − x1
//! itself lies in the arc. A superellipse with e ≤ 1 is a smaller body swept by a disc of its least
//! radius of curvature r: the bound is taken for that body, with support points x − r n, and less r.
//! Of a circle that leaves a point, and the bound is exact, however many normals tie.
//!
//! (Gonçalves 2015, appendix B, takes the line's foot if it is on the segment and otherwise only
//! tests whether an end is inside: no distance, and a segment that cuts across a corner is missed.
//! Its equation 25 has one exponent for each axis; with two the curve is no norm's circle. Here it
//! has one.)

use crate::query::units::{power_of_two_below, unit_of_length};
use crate::shape::circle::{Circle, norm};
use crate::traits::exponent_can_prove;
use crate::{Outcome, Parameter, QueryError, ShapeError};
use nalgebra::{Isometry2, Point2, Unit, Vector2};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// A superellipse `|x/a1|^(2/e) + |y/a2|^(2/e) ≤ 1` in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Superellipse {
    a: [f64; 2],
    e: f64,
    p: f64,
    q: f64,
}

/// The answer of [`segment_contact`], in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarContact {
    /// The signed distance, metres: positive apart, zero touching, negative the least translation that separates.
    pub distance: f64,
    /// The witness point on the superellipse, to the width of the bracket.
    pub point_a: Point2<f64>,
    /// The witness point on the segment: `point_a + distance · normal`.
    pub point_b: Point2<f64>,
    /// The unit normal from the superellipse to the segment.
    pub normal: Unit<Vector2<f64>>,
    /// The true signed distance is at least this.
    pub lower: f64,
    /// The true signed distance is at most this.
    pub upper: f64,
    /// The outcome, `Certified` when the bracket is at most 1e-9 of the larger semi-axis, or rounding, wide.
    pub outcome: Outcome,
    /// The number of evaluations of surface points.
    pub iterations: u32,
}

impl Superellipse {
    /// Makes a superellipse from its semi-axes in metres and its squareness exponent `e` (1 is an ellipse, towards 0
    /// a rectangle, towards 2 a rhombus).
    ///
    /// # Errors
    /// The error names the first parameter that is out of its domain: finite semi-axes greater than 0, an exponent
    /// strictly between 0 and 2 (reported as `e1`).
    ///
    /// ```
    /// assert!(superovoid::planar::Superellipse::new([0.2, 0.1], 0.5).is_ok());
    /// assert!(superovoid::planar::Superellipse::new([0.2, 0.1], 2.0).is_err());
    /// ```
    pub fn new(semi_axes: [f64; 2], e: f64) -> Result<Self, ShapeError> {
        for (parameter, value) in [(Parameter::A1, semi_axes[0]), (Parameter::A2, semi_axes[1])] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(ShapeError { parameter, value });
            }
        }
        if !(e > 0.0 && e < 2.0) {
            let parameter = Parameter::E1;
            return Err(ShapeError {
                parameter,
                value: e,
            });
        }
        Ok(Superellipse {
            a: semi_axes,
            e,
            p: 2.0 / e,
            q: 2.0 / (2.0 - e),
        })
    }

    /// Returns the semi-axes `[a1, a2]`, metres.
    pub fn semi_axes(&self) -> [f64; 2] {
        self.a
    }

    /// Returns the squareness exponent.
    pub fn exponent(&self) -> f64 {
        self.e
    }

    fn size(&self) -> f64 {
        self.a[0].max(self.a[1])
    }

    /// Returns the support value and the support point in direction `n`.
    fn support(&self, n: &Vector2<f64>) -> (f64, Circle) {
        Circle::normalised_dual(self.a[0] * n.x, self.a[1] * n.y, self.q)
    }

    fn point(&self, c: &Circle) -> Vector2<f64> {
        Vector2::new(self.a[0] * c.u, self.a[1] * c.v)
    }

    /// Returns the unit outward normal; it is multiplied by both semi-axes before it is normalised.
    fn normal(&self, c: &Circle) -> Vector2<f64> {
        let n = Vector2::new(c.u_dual * self.a[1], c.v_dual * self.a[0]);
        direction(&n).unwrap_or_else(Vector2::x)
    }

    /// Returns the circle at angle θ of its primal-dual coordinates.
    fn circle(&self, theta: f64) -> Circle {
        let (sin, cos) = theta.sin_cos();
        if self.p >= 2.0 {
            Circle::from_primal(cos, sin, self.p)
        } else {
            Circle::from_dual(cos, sin, self.q)
        }
    }

    /// Returns the θ of the support point in direction `n`, in (−π, π].
    fn angle(&self, n: &Vector2<f64>) -> f64 {
        let (_, c) = self.support(n);
        if self.p >= 2.0 {
            c.v.atan2(c.u)
        } else {
            c.v_dual.atan2(c.u_dual)
        }
    }

    /// Returns the gauge, 1 on the curve and less inside.
    fn gauge(&self, x: &Vector2<f64>) -> f64 {
        norm(x.x / self.a[0], x.y / self.a[1], self.p)
    }
}

/// Returns the signed distance between a superellipse at `pose` and the segment from `p` to `q` (world frame, metres;
/// equal ends are a point), with the nearest points and the normal from the superellipse to the segment. If they
/// overlap, the distance is minus the length of the least translation that separates them, and the normal its
/// direction for the segment.
///
/// The bracket is about 1e-12 of the larger semi-axis wide, plus the rounding of the coordinates; for exponents
/// within 1e-6 of 0 or 2 nothing is certified, and the bracket is that of the circle around the superellipse.
///
/// # Errors
/// The error names a pose or an end that is not finite, or lengths that exceed the number range.
///
/// ```
/// use nalgebra::{Isometry2, Point2, Vector2};
/// use superovoid::planar::{Superellipse, segment_contact};
///
/// let ball = Superellipse::new([0.2, 0.2], 1.0)?;
/// let pose = Isometry2::new(Vector2::new(0.0, 1.0), 0.0); // metres, radians
/// let paddle = [Point2::new(-1.0, 0.5), Point2::new(1.0, 0.5)];
/// let answer = segment_contact(&ball, &pose, &paddle[0], &paddle[1])?;
/// assert!((answer.distance - 0.3).abs() < 1e-12);
/// assert!((*answer.normal + Vector2::y()).norm() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn segment_contact(
    shape: &Superellipse,
    pose: &Isometry2<f64>,
    p: &Point2<f64>,
    q: &Point2<f64>,
) -> Result<PlanarContact, QueryError> {
    let translation = pose.translation.vector;
    let rotation = [pose.rotation.re, pose.rotation.im];
    if !translation.iter().chain(&rotation).all(|x| x.is_finite()) {
        return Err(QueryError::NonFinitePose { body: 'A' });
    }
    if !p.iter().chain(q.iter()).all(|x| x.is_finite()) {
        return Err(QueryError::Input {
            name: "segment end",
            requirement: "metres, must be finite",
        });
    }
    // Halves are subtracted, so that coordinates of any finite size do not overflow.
    let half_offset = |x: &Point2<f64>| x.coords * 0.5 - translation * 0.5;
    let far = half_offset(p).amax().max(half_offset(q).amax());
    let unit = unit_of_length(shape.size(), far);
    let local = |x: &Point2<f64>| pose.rotation.inverse() * (half_offset(x) / unit * 2.0);
    let scaled = Superellipse {
        a: shape.a.map(|a| a / unit),
        ..*shape
    };
    let mut problem = SegmentProblem::new(scaled, [local(p), local(q)]);
    let solution = problem.solve();
    problem.answer(&solution, pose, unit)
}

/// One query in the superellipse's frame, in units of about its size.
struct SegmentProblem {
    shape: Superellipse,
    ends: [Vector2<f64>; 2],
    /// The change of a bound that rounding can cause.
    rounding: f64,
    iterations: u32,
}

/// The best normal, the witness points for it and the bracket of the distance.
struct Solution {
    normal: Vector2<f64>,
    points: [Vector2<f64>; 2],
    lower: f64,
    upper: f64,
}

/// The distance, relative to the larger semi-axis, below which the difference of the points is too short to serve as
/// a normal.
const NEARLY_TOUCHING: f64 = 1e-7;
/// The gain at which the search over normals stops, relative to the larger semi-axis.
const RESOLVED: f64 = 1e-12;
/// The width of a bracket that counts as closed, relative to the larger semi-axis.
const CLOSED: f64 = 1e-9;

impl SegmentProblem {
    fn new(shape: Superellipse, ends: [Vector2<f64>; 2]) -> SegmentProblem {
        let far = ends[0].norm().max(ends[1].norm());
        let rounding = 16.0 * f64::EPSILON * (far + shape.a[0] + shape.a[1]);
        SegmentProblem {
            shape,
            ends,
            rounding,
            iterations: 0,
        }
    }

    /// Returns g(n).
    fn gap(&mut self, n: &Vector2<f64>) -> f64 {
        self.iterations += 1;
        let nearer = n.dot(&self.ends[0]).min(n.dot(&self.ends[1]));
        nearer - self.shape.support(n).0
    }

    /// Returns the normal with the largest gap, with the bounds of that gap.
    fn solve(&mut self) -> Solution {
        let along = self.ends[1] - self.ends[0];
        let along = direction(&along).unwrap_or_else(Vector2::x);
        let across = Vector2::new(-along.y, along.x);
        let mut candidates = [Some(across), Some(-across), None, None];
        for (end, candidate) in self.ends.into_iter().zip(&mut candidates[2..]) {
            if self.shape.gauge(&end) > 1.0 {
                *candidate = Some(self.vertex_normal(&end));
            }
        }
        let (mut normal, mut gap) = (across, f64::NEG_INFINITY);
        let mut nearest = [Vector2::zeros(), Vector2::repeat(f64::INFINITY)];
        for n in candidates.into_iter().flatten() {
            let found = self.gap(&n);
            if found > gap {
                (normal, gap) = (n, found);
            }
            let x = self.shape.point(&self.shape.support(&n).1);
            let y = self.nearest_on_segment(&x);
            if (y - x).norm() < (nearest[1] - nearest[0]).norm() {
                nearest = [x, y];
            }
        }
        if gap > 0.0 {
            // This keeps the nearest pair found: normals that tie to rounding can lead to others.
            let [x, y] = nearest;
            let upper = (y - x).norm();
            if upper > NEARLY_TOUCHING * self.shape.size() {
                normal = (y - x) / upper;
            }
            return self.solution(normal, nearest, gap, upper);
        }
        let mut upper = gap;
        // The normals from −across to across see the first end nearer.
        for (end, start) in [(self.ends[0], -across), (self.ends[1], across)] {
            let most = self.largest_on_half_turn(&end, &start, &mut normal, &mut gap);
            upper = upper.max(most);
        }
        let points = self.witnesses(&normal, gap);
        self.solution(normal, points, gap, upper)
    }

    fn solution(
        &self,
        normal: Vector2<f64>,
        points: [Vector2<f64>; 2],
        gap: f64,
        upper: f64,
    ) -> Solution {
        Solution {
            normal,
            points,
            lower: gap - self.rounding,
            upper: upper.max(gap) + self.rounding,
        }
    }

    /// Returns the pair of points for n and its gap. Point B is the end nearer along n or, where the segment is
    /// perpendicular to n, the foot of the support point. On a flat side n hardly determines where the support point
    /// is, so the point that faces B takes its place. It is as near to the curve as the bracket is wide: from B along
    /// n the curve is met no sooner than at the distance and, if they overlap, no later than at the gap.
    fn witnesses(&self, n: &Vector2<f64>, gap: f64) -> [Vector2<f64>; 2] {
        let x = self.shape.point(&self.shape.support(n).1);
        let foot = self.nearest_on_segment(&(x + n * gap));
        let [p, q] = self.ends;
        let end = if n.dot(&p) <= n.dot(&q) { p } else { q };
        let y = if n.dot(&(foot - end)) <= self.rounding {
            foot
        } else {
            end
        };
        let facing = y - n * gap;
        // At a tip the support point is exact and the facing one is not on the curve.
        let off = (self.shape.gauge(&facing) - 1.0).abs() * self.shape.size();
        if (y - x - n * gap).norm() <= off {
            [x, y]
        } else {
            [facing, y]
        }
    }

    fn nearest_on_segment(&self, x: &Vector2<f64>) -> Vector2<f64> {
        let [p, q] = self.ends;
        let along = q - p;
        let squared = along.norm_squared();
        let share = if squared > 0.0 {
            ((x - p).dot(&along) / squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        p + along * share
    }

    /// Returns r(θ), with the normal at θ.
    fn residual(&mut self, end: &Vector2<f64>, theta: f64) -> (f64, Vector2<f64>) {
        self.iterations += 1;
        let c = self.shape.circle(theta);
        let n = self.shape.normal(&c);
        let away = end - self.shape.point(&c);
        (n.x * away.y - n.y * away.x, n)
    }

    /// Returns the surface normal that passes through a point outside, in the point's quadrant.
    fn vertex_normal(&mut self, end: &Vector2<f64>) -> Vector2<f64> {
        let folded = end.abs();
        let n = self.stationary(&folded, 0.0, FRAC_PI_2);
        Vector2::new(n.x.copysign(end.x), n.y.copysign(end.y))
    }

    /// Returns the normal at the root of r between θ's where r falls from positive to negative: by false position
    /// with a reduced value of the kept end (Anderson and Björck), and bisection where that is slow.
    fn stationary(&mut self, end: &Vector2<f64>, mut low: f64, mut high: f64) -> Vector2<f64> {
        const STEPS: usize = 100;
        let (mut at_low, n) = self.residual(end, low);
        if at_low <= 0.0 {
            return n;
        }
        let (mut at_high, at_end) = self.residual(end, high);
        if at_high >= 0.0 {
            return at_end;
        }
        let mut nearest = if at_low < -at_high {
            (at_low, n)
        } else {
            (-at_high, at_end)
        };
        let mut width = high - low;
        let mut side = 0.0;
        for step in 0..STEPS {
            let secant = low + (high - low) * (at_low / (at_low - at_high));
            // Every third step must have halved the interval.
            let slow = step % 3 == 2 && high - low > 0.5 * width;
            if step % 3 == 2 {
                width = high - low;
            }
            let middle = if slow { 0.5 * (low + high) } else { secant };
            if middle <= low || middle >= high {
                // One end is the root to rounding.
                break;
            }
            let (r, n) = self.residual(end, middle);
            if r.abs() < nearest.0 {
                nearest = (r.abs(), n);
            }
            if r.abs() <= self.rounding {
                break;
            }
            // An end is kept a second time in a row.
            let reduced = |kept: f64, replaced: f64| {
                let factor = 1.0 - r / replaced;
                kept * if factor > 0.0 { factor } else { 0.5 }
            };
            if r > 0.0 {
                if side > 0.0 {
                    at_high = reduced(at_high, at_low);
                }
                (low, at_low) = (middle, r);
            } else {
                if side < 0.0 {
                    at_low = reduced(at_low, at_high);
                }
                (high, at_high) = (middle, r);
            }
            side = r;
        }
        nearest.1
    }

    /// Improves `normal` and its `gap` by the normals within half a turn from `start` on, which see
    /// `end` as the nearer one, until nothing there is better by more than [`RESOLVED`]. Returns an
    /// upper bound of all gaps there.
    fn largest_on_half_turn(
        &mut self,
        end: &Vector2<f64>,
        start: &Vector2<f64>,
        normal: &mut Vector2<f64>,
        gap: &mut f64,
    ) -> f64 {
        let tolerance = RESOLVED * self.shape.size();
        const DEPTH: usize = 64;
        const PIECES: usize = 8;
        // Ties over whole arcs are not resolved: the bracket stays open there.
        const MAX_SPLITS: usize = 20_000;
        let disc = self.shape.rolling_disc();
        let mut splits = 0;
        let first = self.shape.angle(start);
        let piece = |k: usize| {
            self.shape
                .arc_end(end, first + PI * k as f64 / PIECES as f64)
        };
        let nodes: [Node; PIECES + 1] = std::array::from_fn(piece);
        self.iterations += nodes.len() as u32;
        let mut best = nodes[0];
        for node in nodes {
            if node.gap > best.gap {
                best = node;
            }
        }
        let mut stack = [(nodes[0], nodes[1]); DEPTH];
        for k in 0..PIECES {
            stack[k] = (nodes[k], nodes[k + 1]);
        }
        let mut count = PIECES;
        let mut upper = f64::NEG_INFINITY;
        while count > 0 {
            count -= 1;
            let (l, r) = stack[count];
            let bound = arc_bound(&l, &r, disc);
            let theta = 0.5 * (l.theta + r.theta);
            let resolved = bound <= best.gap.max(*gap) + tolerance;
            let split = theta > l.theta && theta < r.theta && count + 2 <= DEPTH;
            if resolved || !split || splits == MAX_SPLITS {
                upper = upper.max(bound);
                continue;
            }
            splits += 1;
            let middle = self.shape.arc_end(end, theta);
            self.iterations += 1;
            if middle.gap > best.gap {
                best = middle;
            }
            (stack[count], stack[count + 1]) = ((l, middle), (middle, r));
            count += 2;
        }
        if best.gap > *gap {
            let polished = self.polished(end, best.theta, [first, first + PI]);
            for n in [best.normal, polished] {
                // A perpendicular of the segment is exact, and is not replaced because of rounding.
                let found = self.gap(&n);
                if found > *gap + self.rounding {
                    (*normal, *gap) = (n, found);
                }
            }
        }
        upper
    }

    /// Returns the stationary normal next to θ within the given range of θ.
    fn polished(
        &mut self,
        end: &Vector2<f64>,
        theta: f64,
        [first, last]: [f64; 2],
    ) -> Vector2<f64> {
        let rising = self.residual(end, theta).0 > 0.0;
        let mut step = 1e-8;
        let mut from = theta;
        loop {
            let to = if rising { theta + step } else { theta - step };
            let to = to.clamp(first, last);
            let turned = (self.residual(end, to).0 > 0.0) != rising;
            if turned || to == first || to == last || step > FRAC_PI_4 {
                return self.stationary(end, from.min(to), from.max(to));
            }
            from = to;
            step *= 4.0;
        }
    }

    fn answer(
        &self,
        solution: &Solution,
        pose: &Isometry2<f64>,
        unit: f64,
    ) -> Result<PlanarContact, QueryError> {
        let Solution {
            normal,
            points: [x, y],
            mut lower,
            mut upper,
        } = *solution;
        let mut distance = (y - x).dot(&normal);
        let closed = (CLOSED * self.shape.size()).max(4.0 * self.rounding);
        let mut outcome = Outcome::of_bracket([lower, upper], closed, Outcome::NotConverged);
        if !exponent_can_prove(self.shape.e) {
            let to_centre = self.nearest_on_segment(&Vector2::zeros()).norm();
            lower = to_centre - self.shape.a[0].hypot(self.shape.a[1]) - self.rounding;
            upper = to_centre + self.rounding;
            outcome = Outcome::NotConverged;
            // The normal may be inaccurate, but the distance always lies in the bracket.
            distance = if lower <= 0.0 {
                lower
            } else {
                distance.clamp(lower, upper)
            };
        }
        let point_a = pose * Point2::from(x * unit);
        let normal = pose.rotation * Unit::new_normalize(normal);
        let point_b = point_a + normal.as_ref() * (distance * unit);
        let contact = PlanarContact {
            distance: distance * unit,
            point_a,
            point_b,
            normal,
            lower: lower * unit,
            upper: upper * unit,
            outcome,
            iterations: self.iterations,
        };
        let mut numbers = point_a.iter().chain(point_b.iter());
        let bracket = contact.lower.is_finite() && contact.upper.is_finite();
        if bracket && contact.distance.is_finite() && numbers.all(|x| x.is_finite()) {
            Ok(contact)
        } else {
            Err(QueryError::Overflow)
        }
    }
}

/// An end of an arc of normals, as one end of the segment sees it.
#[derive(Clone, Copy)]
struct Node {
    theta: f64,
    normal: Vector2<f64>,
    /// The difference P − x.
    away: Vector2<f64>,
    /// The product n·(P − x).
    gap: f64,
}

impl Superellipse {
    /// Returns the radius of a disc that rolls inside the whole curve, 0 where none is known: a²/b for an ellipse
    /// with semi-axes a ≤ b, otherwise as for the body, [`Superovoid`](crate::Superovoid).
    fn rolling_disc(&self) -> f64 {
        let least = self.a[0].min(self.a[1]);
        if self.e == 1.0 {
            least * least / self.size()
        } else if self.e < 1.0 {
            // The inner radius is the smaller semi-axis; the hypotenuse of both is an outer radius.
            (self.q - 1.0) * least * least / self.a[0].hypot(self.a[1])
        } else {
            0.0
        }
    }

    fn arc_end(&self, end: &Vector2<f64>, theta: f64) -> Node {
        let c = self.circle(theta);
        let normal = self.normal(&c);
        let away = end - self.point(&c);
        Node {
            theta,
            normal,
            away,
            gap: normal.dot(&away),
        }
    }
}

/// Returns a vector divided by its length. The squares of short ones (thin shapes, segments far away) would lose
/// their digits.
fn direction(v: &Vector2<f64>) -> Option<Vector2<f64>> {
    (v / power_of_two_below(v.amax())).try_normalize(0.0)
}

/// Returns an upper bound of `n·P − h(n)` over the normals between two nodes less than half a turn apart, for a
/// superellipse in which a disc of the given radius rolls.
fn arc_bound(l: &Node, r: &Node, disc: f64) -> f64 {
    let cross = |a: &Vector2<f64>, b: &Vector2<f64>| a.x * b.y - a.y * b.x;
    let within = |v: &Vector2<f64>| {
        cross(&l.normal, v) >= 0.0 && cross(v, &r.normal) >= 0.0 && l.normal.dot(v) > 0.0
    };
    let mut bound = l.gap.max(r.gap);
    // This is x1 − x0, counter-clockwise; its normal points out. Outside the arc it is rounding: then one of the two
    // is the lesser on the whole arc, and largest at an end of it.
    let [away_l, away_r] = [l, r].map(|node| node.away + node.normal * disc);
    let chord = away_l - away_r;
    let normal = direction(&Vector2::new(chord.y, -chord.x));
    if let Some(n) = normal.filter(within) {
        bound = bound.max(n.dot(&away_l).min(n.dot(&away_r)) - disc);
    }
    for away in [&away_l, &away_r] {
        if within(away) {
            bound = bound.max(away.norm() - disc);
        }
    }
    bound
}
