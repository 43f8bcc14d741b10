//! Unguarded Newton steps to the nearest surface point of a convex body, with a certificate, for one vertex or for
//! many at once.
//!
//! The system is that of [`newton`](crate::vertex::newton), solved without a choice of tangents. With `A_j = dx_j + δ
//! dN_j/|N|` the two equations are `y_1 A_1 + y_2 A_2 = d` in the tangent plane, and by Cramer's rule, with the unit
//! normal n̂ as the third column,
//!
//! ```text
//! y_1 = det(d, A_2, n̂) / det(A_1, A_2, n̂),   y_2 = det(A_1, d, n̂) / det(A_1, A_2, n̂)
//! ```
//!
//! Steps are limited in their length and not otherwise guarded. A lane whose steps do not converge, or whose bracket
//! stays open, is left to the methods of the single query.

use crate::lanes::fused::{cross, dot, mul_add3};
use crate::lanes::{Lanes, Two, scaled, select3};
use crate::query::units::{RELATIVE_ROUNDING, SHIFTED_BY_ROUNDING, rounding_below_normal};
use crate::surface::primal_dual::{Coordinates, ShapeLanes, Step, Surface};
use crate::vertex::multi_start::STATIONARY;
use crate::vertex::newton::{LONGEST_STEP, ON_SURFACE, ON_THE_NORMAL, ROUNDING};
use crate::vertex::octant::{Below, Octant};
use crate::vertex::problem::{AFAR, VertexProblem};

/// The largest number of unguarded steps: those that lead to a solution are fewer.
const MAX_STEPS: u32 = 20;
/// log₂ of the gauge up to which the radial surface point is the better start; from there on it is one between that
/// and the support point.
const NEAR: f64 = 0.6;
/// log₂ of the gauge at which a point is inside in spite of the error of its estimate.
const INSIDE: f64 = -0.01;
/// The distance from the centre below which squares of coordinates might underflow.
const NO_DIRECTION: f64 = 1e-100;

/// A query about points and a body, in the units and the frame of a [`VertexProblem`].
pub(crate) struct VertexSolver<V: Lanes> {
    bodies: ShapeLanes<Two<V>>,
    outer_radius: f64,
    /// The depth up to which a sphere rolls inside the surface.
    rolling_ball: f64,
    octant: Option<Octant>,
    tolerance: f64,
    normal_rounding: f64,
    max_distance: f64,
    most_steps: u32,
}

impl<V: Lanes> LaneSystem<V> {
    /// The quotients x_i/n_i, see [`octant`](crate::vertex::octant).
    #[inline(always)]
    fn per_normal(&self, bodies: &ShapeLanes<Two<V>>) -> [V; 3] {
        let [x, y, z] = bodies.points_per_normal(&self.surface);
        [
            x / self.per_length,
            y / self.per_length,
            z / self.per_length,
        ]
    }
}

/// The results, lane by lane.
pub(crate) struct VertexAnswers<V> {
    pub distance: V,
    /// The unit vector from the surface to the point.
    pub normal: [V; 3],
    /// The lower end of the bracket, infinite where nothing was proven.
    pub lower: V,
    /// The upper end of the bracket, infinite where the point is beyond the maximum distance.
    pub upper: V,
    pub steps: V,
}

/// Whether the bodies of this query can be answered here: convex ones, with exponents for which there are
/// certificates, and not so small that more than the relative rounding of a number matters.
pub(crate) fn answers_about(query: &VertexProblem) -> bool {
    query.shape.is_convex()
        && query.shape.traits.provable()
        && rounding_below_normal(query.unit) == 0.0
}

/// A surface point in each lane, and the position of the lane's point p relative to it.
struct LaneSystem<V: Lanes> {
    surface: Surface<Two<V>>,
    /// The outward unit normal n̂.
    normal: [V; 3],
    /// The inverse length 1/|N|.
    per_length: V,
    /// The difference p − x.
    d: [V; 3],
    /// The signed distance δ = d·n̂.
    along: V,
    /// The squared length of d − δ n̂.
    offset_squared: V,
    off_circle: V,
    /// The squared residual, without unit.
    merit: V,
}

impl<V: Lanes> VertexSolver<V> {
    /// Prepares a query; `query` is that of any point near the body: only its numbers that do not depend on the point
    /// are used.
    #[inline(always)]
    pub fn new(bodies: ShapeLanes<Two<V>>, query: &VertexProblem, max_iterations: u32) -> Self {
        let shape = &query.shape;
        VertexSolver {
            bodies,
            outer_radius: shape.outer_radius,
            rolling_ball: shape.rolling_radius,
            octant: Octant::new(shape),
            tolerance: query.tolerance,
            normal_rounding: query.normal_rounding,
            max_distance: query.max_distance,
            most_steps: max_iterations.min(MAX_STEPS),
        }
    }

    /// Returns the answers for the points p.
    #[inline(always)]
    pub fn answer(&self, p: &[V; 3]) -> VertexAnswers<V> {
        let center_distance = dot(p, p).sqrt();
        let splat = |x: f64| center_distance.splat(x);
        let rounding = (center_distance + self.outer_radius) * RELATIVE_ROUNDING;
        let from_afar = center_distance - self.outer_radius - rounding;
        let beyond = splat(self.max_distance).lt(from_afar);
        // The point is so far away that the body is a point, or its coordinates are not numbers.
        let sensible = (center_distance * AFAR).lt(splat(self.outer_radius));

        let (start, inside) = self.start(p);
        let mut wanted = sensible & !beyond;
        if self.rolling_ball == 0.0 && self.octant.is_none() {
            wanted = wanted & !inside;
        }
        let (system, steps, settled) = self.newton(p, &start, wanted);
        let proven = self.certify(p, &system, rounding);
        let found =
            VertexAnswers { steps, ..proven }.select(wanted & settled, VertexAnswers::none(steps));
        let far = VertexAnswers {
            distance: from_afar,
            normal: scaled(p, center_distance.recip()),
            lower: from_afar,
            upper: splat(f64::INFINITY),
            steps: splat(0.0),
        };
        let has_direction = splat(NO_DIRECTION).lt(center_distance);
        far.select(sensible & beyond & has_direction, found)
    }

    /// Returns the coordinates from which Newton's method starts, and which points certainly are inside.
    #[inline(always)]
    fn start(&self, p: &[V; 3]) -> (Coordinates<Two<V>>, V::Mask) {
        let (gauge, radial) = self.bodies.radial_initial_guess(p);
        let near = gauge.lt(gauge.splat(NEAR));
        let inside = gauge.lt(gauge.splat(INSIDE));
        let radial = match &self.octant {
            Some(octant) if !V::all(!inside) => {
                let start = octant.start(&self.bodies, p, gauge, radial);
                start.select(Two(inside, inside), radial)
            }
            _ => radial,
        };
        if V::all(near) {
            return (radial, inside);
        }
        let far = self.bodies.initial_guess(p);
        (radial.select(Two(near, near), far), inside)
    }

    #[inline(always)]
    fn assemble(&self, p: &[V; 3], at: &Coordinates<Two<V>>) -> LaneSystem<V> {
        let surface = self.bodies.evaluate(at);
        let (n, x) = (&surface.n, &surface.x);
        let per_length = dot(n, n).sqrt().recip();
        let normal = scaled(n, per_length);
        let d = [p[0] - x[0], p[1] - x[1], p[2] - x[2]];
        let along = dot(&d, &normal);
        let beside = [
            d[0] - normal[0] * along,
            d[1] - normal[1] * along,
            d[2] - normal[2] * along,
        ];
        let offset_squared = dot(&beside, &beside);
        let off_circle = surface.off_circle();
        let scale = along.abs() + 0.5;
        LaneSystem {
            merit: offset_squared / (scale * scale) + off_circle,
            surface,
            normal,
            per_length,
            d,
            along,
            offset_squared,
            off_circle,
        }
    }

    /// Runs Newton's method in the wanted lanes. A lane that has settled, at its solution or where rounding stopped
    /// it, keeps its coordinates; the mask tells which lanes have.
    #[inline(always)]
    fn newton(
        &self,
        p: &[V; 3],
        start: &Coordinates<Two<V>>,
        wanted: V::Mask,
    ) -> (LaneSystem<V>, V, V::Mask) {
        let mut at = *start;
        let mut system = self.assemble(p, &at);
        let splat = |x: f64| p[0].splat(x);
        let closed = splat(ON_THE_NORMAL * ON_THE_NORMAL);
        let (zero, one) = (splat(0.0), splat(1.0));
        let mut steps = zero;
        let mut settled = system.merit.lt(closed);
        for _ in 0..self.most_steps {
            // Lanes that did not converge have nothing to wait for.
            let lost = !system.merit.lt(splat(f64::INFINITY));
            let open = wanted & !settled & !lost;
            if V::all(!open) {
                break;
            }
            let next = self
                .bodies
                .advance(&system.surface.place, &limited_step(&system))
                .at;
            at = next.select(Two(open, open), at);
            steps = steps + V::select(open, one, zero);
            let last = system.merit;
            // A lane that has settled is evaluated again at the same point, so that it keeps its numbers.
            system = self.assemble(p, &at);
            let stalled = last.lt(splat(ROUNDING * ROUNDING)) & (last * 0.25).lt(system.merit);
            settled = settled | system.merit.lt(closed) | (open & stalled);
        }
        (system, steps, settled)
    }

    /// Certifies the surface points: see [`VertexProblem::lower_bound`], and for points inside
    /// [`inside`](crate::vertex::inside). The tangent plane of the body, or a sphere inside it, also certifies on
    /// which side of the surface the point is.
    #[inline(always)]
    fn certify(&self, p: &[V; 3], at: &LaneSystem<V>, rounding: V) -> VertexAnswers<V> {
        let splat = |x: f64| rounding.splat(x);
        let (zero, infinity) = (splat(0.0), splat(f64::INFINITY));
        let offset = at.offset_squared.sqrt();
        let length = dot(&at.d, &at.d).sqrt();
        let lower = at.along - (rounding + self.normal_rounding);
        let on_surface = at.off_circle.lt(splat(ON_SURFACE * ON_SURFACE));
        let outside = zero.lt(lower);

        let slack = offset + self.least_depth_slack(p, at, rounding);
        let inside_upper = at.along + slack + rounding + self.normal_rounding;
        let stationary = offset.lt((at.along.abs() + 1.0) * STATIONARY);
        let inside = inside_upper.lt(zero) & stationary;

        let beyond = outside & splat(self.max_distance).lt(lower);
        let upper = V::select(outside, length + rounding, inside_upper);
        let tolerance = splat(self.tolerance).max(rounding * 4.0);
        let closed = (outside | inside) & (upper - lower).lt(tolerance);

        // The choice is that of `VertexProblem::answer`.
        let straight = !splat(SHIFTED_BY_ROUNDING).lt(offset) | beyond;
        let distance = V::select(straight, at.along, length.copysign(at.along));
        let to_point = scaled(&at.d, distance.recip());
        let normal = select3(straight, &at.normal, &to_point);
        let proven = VertexAnswers {
            distance: V::select(beyond, lower, distance),
            normal,
            lower: lower.min(distance),
            upper: V::select(beyond, infinity, upper.max(distance)),
            steps: zero,
        };
        proven.select(on_surface & (beyond | closed), VertexAnswers::none(zero))
    }

    /// Returns by how much the least depth can be less than that of a stationary point, see
    /// [`inside`](crate::vertex::inside); infinity if nothing is known.
    #[inline(always)]
    fn least_depth_slack(&self, p: &[V; 3], at: &LaneSystem<V>, rounding: V) -> V {
        let (zero, infinity) = (rounding.splat(0.0), rounding.splat(f64::INFINITY));
        let deep = (rounding + self.rolling_ball).lt(-at.along);
        let mut slack = infinity;
        if let Some(octant) = &self.octant
            && !V::all(!deep)
        {
            let below = Below {
                normal: at.normal,
                per_normal: at.per_normal(&self.bodies),
                depth: -at.along,
            };
            slack = octant.slack(p, &below);
        }
        V::select(deep, slack, zero)
    }
}

/// Returns Newton's step, limited to `LONGEST_STEP`.
#[inline(always)]
fn limited_step<V: Lanes>(system: &LaneSystem<V>) -> Step<V> {
    let (dx, dn, n) = (&system.surface.dx, &system.surface.dn, &system.normal);
    let turn = system.along * system.per_length;
    let (a, b) = (
        mul_add3(turn, &dn[0], &dx[0]),
        mul_add3(turn, &dn[1], &dx[1]),
    );
    let (b_n, n_a) = (cross(&b, n), cross(n, &a));
    let (around, along) = (dot(&system.d, &b_n), dot(&system.d, &n_a));
    let weight = dot(&a, &b_n);
    let squared = around.mul_add(around, along * along);
    let limit = weight * weight * (LONGEST_STEP * LONGEST_STEP);
    let step = Step::new(around, along, weight);
    let long = limit.lt(squared);
    if V::all(!long) {
        return step;
    }
    let share = V::select(long, (limit / squared).sqrt(), weight.splat(1.0));
    Step::new(around * share, along * share, weight)
}

impl<V: Lanes> VertexAnswers<V> {
    /// The result that proves nothing.
    #[inline(always)]
    fn none(steps: V) -> Self {
        let nothing = steps.splat(f64::INFINITY);
        VertexAnswers {
            distance: nothing,
            normal: [nothing; 3],
            lower: nothing,
            upper: nothing,
            steps,
        }
    }

    /// Returns these results where the mask is true, otherwise the others.
    #[inline(always)]
    fn select(self, mask: V::Mask, others: Self) -> Self {
        VertexAnswers {
            distance: V::select(mask, self.distance, others.distance),
            normal: select3(mask, &self.normal, &others.normal),
            lower: V::select(mask, self.lower, others.lower),
            upper: V::select(mask, self.upper, others.upper),
            steps: V::select(mask, self.steps, others.steps),
        }
    }
}
