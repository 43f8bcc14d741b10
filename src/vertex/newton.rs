//! Newton's method for the foot of a perpendicular: the surface point whose normal passes through
//! a given point.
//!
//! With the surface point x(w) and its normal N(w) in primal-dual coordinates ([`crate::surface::primal_dual`]),
//! `d = p − x`, unit normal n̂ = N/|N|, unit tangents t, b and `δ = d·n̂`, the two equations are
//!
//! ```text
//! γ = (d·t, d·b) = 0
//! ```
//!
//! A step y along the surface's two tangents turns the normal by `dN y/|N|` (in the tangent plane),
//! and d, which is δ n̂ at the solution, with it. So
//!
//! ```text
//! Σ_j ( dx_j·t + δ dN_j·t/|N| ) y_j = d·t        and the same for b.
//! ```
//!
//! Outside a convex body (δ > 0) the solution is the nearest point. Inside, it is a stationary one.

use crate::Superovoid;
use crate::lanes::dispatch_four_lanes;
use crate::query::options::MAX_ITERATIONS;
use crate::surface::circles::Circles;
use crate::surface::primal_dual::{Coordinates, ShapeLanes, Step, Surface, SurfaceState};
use fearless_simd::{Simd, f64x2};
use nalgebra::{Unit, Vector3};

/// A surface point with its normal, and the position of the given point relative to it.
#[derive(Clone, Copy)]
pub(crate) struct Foot {
    pub x: Vector3<f64>,
    /// The outward unit normal at x.
    pub normal: Vector3<f64>,
    /// The difference p − x.
    pub d: Vector3<f64>,
    /// The signed distance d·n̂ along the normal.
    pub along: f64,
    /// The distance of p from the normal.
    pub offset: f64,
    /// Whether x is on the surface to rounding.
    pub on_surface: bool,
}

impl Foot {
    /// Returns the foot at the surface point of given circles.
    pub fn at(shape: &Superovoid, p: &Vector3<f64>, circles: &Circles) -> Foot {
        let x = circles.point(shape);
        Foot::new(p, x, circles.normal(shape).normalize(), true)
    }

    fn new(p: &Vector3<f64>, x: Vector3<f64>, normal: Vector3<f64>, on_surface: bool) -> Foot {
        let d = p - x;
        let along = d.dot(&normal);
        Foot {
            x,
            normal,
            d,
            along,
            offset: (d - normal * along).norm(),
            on_surface,
        }
    }
}

/// The norm of the residual at which a solution counts as exact.
pub(super) const ON_THE_NORMAL: f64 = 1e-11;
/// The norm of the residual below which a step that does not halve it ends the search, because of rounding.
pub(super) const ROUNDING: f64 = 1e-8;
/// The relative error of the circles' normalisation that counts as 0.
pub(super) const ON_SURFACE: f64 = 1e-13;
/// The longest step in (g, h).
pub(super) const LONGEST_STEP: f64 = 0.6;
/// A step that raises the merit by more than this factor (of its square) is shortened, by
/// `SHORTENING`, at most `SHORTENINGS` times.
const ACCEPTED_GROWTH: f64 = 1.44;
const SHORTENING: f64 = 0.35;
const SHORTENINGS: u32 = 3;

/// A body with its two circles in two lanes.
type Body<S> = ShapeLanes<f64x2<S>>;

struct FootSystem<S: Simd> {
    surface: Surface<f64x2<S>>,
    foot: Foot,
    /// The inverse length 1/|N|.
    per_length: f64,
    /// The squared residual, without unit.
    merit: f64,
}

#[inline(always)]
fn assemble<S: Simd>(
    body: &Body<S>,
    p: &Vector3<f64>,
    at: &Coordinates<f64x2<S>>,
) -> FootSystem<S> {
    let surface = body.evaluate(at);
    let n = Vector3::from(surface.n);
    let per_length = 1.0 / n.norm();
    let off_circle = surface.off_circle();
    let on_surface = off_circle < ON_SURFACE * ON_SURFACE;
    let foot = Foot::new(p, surface.x.into(), n * per_length, on_surface);
    let residual = foot.offset / (foot.along.abs() + 0.5);
    let merit = residual * residual + off_circle;
    FootSystem {
        surface,
        foot,
        per_length,
        merit,
    }
}

/// Returns the step (around, along) of the linearised system, or `None` if it is singular.
#[inline(always)]
fn newton_step<S: Simd>(system: &FootSystem<S>) -> Option<[f64; 2]> {
    let Foot {
        normal, d, along, ..
    } = &system.foot;
    let [t, b] = crate::surface::tangents(&Unit::new_unchecked(*normal));
    let turn = along * system.per_length;
    let [around, along] = [0, 1]
        .map(|k| Vector3::from(system.surface.dx[k]) + Vector3::from(system.surface.dn[k]) * turn);
    let (r, s) = (d.dot(&t), d.dot(&b));
    let (j, k) = (
        [around.dot(&t), around.dot(&b)],
        [along.dot(&t), along.dot(&b)],
    );
    let inverse = 1.0 / (j[0] * k[1] - k[0] * j[1]);
    let step = [
        (r * k[1] - k[0] * s) * inverse,
        (j[0] * s - r * j[1]) * inverse,
    ];
    step.iter().all(|y| y.is_finite()).then_some(step)
}

/// The point from which Newton's method starts.
#[derive(Clone, Copy)]
pub(crate) enum FootStart {
    /// The guess between the surface points in the direction of p and with the normal p.
    Guess,
    At(SurfaceState),
}

/// Runs Newton's method from `start` and counts its steps in `iterations`. The result is the last state: only a
/// bracket can tell what it is worth. Returns `None` if no finite state was met.
pub(crate) fn solve(
    shape: &Superovoid,
    p: &Vector3<f64>,
    start: FootStart,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Foot> {
    dispatch_four_lanes!(simd => solve_in_lanes(simd, shape, p, start, max_iterations, iterations))
}

#[inline(always)]
fn solve_in_lanes<S: Simd>(
    simd: S,
    shape: &Superovoid,
    p: &Vector3<f64>,
    start: FootStart,
    max_iterations: u32,
    iterations: &mut u32,
) -> Option<Foot> {
    let body = ShapeLanes::of_one(simd, shape);
    let start = match start {
        FootStart::Guess => body.initial_guess(&(*p).into()),
        FootStart::At(state) => Coordinates::of_one(simd, &state),
    };
    let mut system = assemble(&body, p, &start);
    for _ in 0..max_iterations.min(MAX_ITERATIONS) {
        if system.merit <= ON_THE_NORMAL * ON_THE_NORMAL || !system.merit.is_finite() {
            break;
        }
        let Some(step) = newton_step(&system) else {
            break;
        };
        *iterations += 1;
        let longest = (step[0] * step[0] + step[1] * step[1]).sqrt();
        let mut length = (LONGEST_STEP / longest).min(1.0);
        let mut tries = 0;
        let next = loop {
            let shortened = Step::new(step[0], step[1], 1.0).scaled(length);
            let next = assemble(
                &body,
                p,
                &body.advance(&system.surface.place, &shortened).at,
            );
            if next.merit <= ACCEPTED_GROWTH * system.merit || tries == SHORTENINGS {
                break next;
            }
            length *= SHORTENING;
            tries += 1;
        };
        if !next.merit.is_finite() {
            break;
        }
        let stalled = system.merit < ROUNDING * ROUNDING && next.merit > 0.25 * system.merit;
        if stalled && next.merit >= system.merit {
            break;
        }
        system = next;
        if stalled {
            break;
        }
    }
    system.merit.is_finite().then_some(system.foot)
}
