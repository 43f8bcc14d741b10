//! The local minima of the distance from a point inside to the curved surface of a toroid or of a neck.
//!
//! A grid is even in the angles of the primal coordinates (or in height), on which faces are as wide as on the body. From
//! each of its local minima, and from the points straight along the axes, which a grid misses at the corners of box-like
//! bodies, a compass search descends, and Newton's method ends it; where that fails, as at the edges of bodies with exponents
//! near 2, the search goes on alone. The top of a pointed tube is an edge between two faces, each of which may be nearest
//! within a cell of it: the search begins on either side.

use crate::shape::circle::{Circle, norm};
use crate::superquadric::shape::{Family, Superquadric};
use crate::superquadric_contact::foot::Facing;
use nalgebra::Vector3;
use std::f64::consts::{FRAC_PI_2, PI};

/// The number of cells of the grid around the section's quarter, and along half the tube or the height.
const AROUND: usize = 12;
const ALONG: usize = 20;
/// The first step of a descent.
const COARSE: f64 = 0.5 / AROUND as f64;
/// The number of local minima of the grid that are followed.
const STARTS: usize = 6;

/// The surface in the parameters of the grid, each from 0 to 1, about a point without negative coordinates.
struct Chart<'a> {
    shape: &'a Superquadric,
    x: &'a Vector3<f64>,
}

impl Chart<'_> {
    fn point(&self, [s, t]: [f64; 2]) -> Vector3<f64> {
        let shape = self.shape;
        let primal = |turn: f64, p: f64| {
            let (sin, cos) = turn.sin_cos();
            Circle::from_primal(cos, sin, p)
        };
        let section = primal(FRAC_PI_2 * s, shape.p[0]);
        let profile = match shape.family {
            Family::Toroid => shape.profile_on_tube(&primal(PI * t, shape.p[1])),
            _ => shape.profile_at_height(shape.extent * t),
        };
        shape.point_of(&section, &profile)
    }

    fn distance(&self, at: [f64; 2]) -> f64 {
        (self.point(at) - self.x).norm()
    }

    /// Returns the parameters of a surface point.
    fn parameters(&self, y: &Vector3<f64>) -> [f64; 2] {
        let shape = self.shape;
        let [u, v, w] = [0, 1, 2].map(|k| y[k] / shape.a[k]);
        let n = norm(u, v, shape.p[0]);
        let along = match shape.family {
            Family::Toroid => w.atan2(n - shape.extent) / PI,
            _ => w / shape.extent,
        };
        [v.atan2(u) / FRAC_PI_2, along].map(|k| k.clamp(0.0, 1.0))
    }

    /// Returns the parameters of the points of the surface straight along an axis, which on the faces of box-like bodies are
    /// the nearest ones.
    fn along_axes(&self) -> [Option<[f64; 2]>; 5] {
        let shape = self.shape;
        let [p1, p2] = shape.p;
        let [u, v, w] = [0, 1, 2].map(|k| self.x[k] / shape.a[k]);
        let rest = |x: f64, p: f64| (1.0 - x.powf(p)).max(0.0).powf(1.0 / p);
        let side = |rho: f64| {
            let to_x = (v < rho).then(|| Vector3::new(rho * rest(v / rho, p1), v, w));
            let to_y = (u < rho).then(|| Vector3::new(u, rho * rest(u / rho, p1), w));
            [to_x, to_y]
        };
        let n = norm(u, v, p1);
        let (sides, up) = match shape.family {
            Family::Toroid => {
                let c = rest(w, p2);
                let up = rest((n - shape.extent).abs(), p2);
                ([side(shape.extent + c), side(shape.extent - c)], Some(up))
            }
            _ => ([side(shape.radius_at(w)), [None; 2]], None),
        };
        let up = up.map(|zeta| Vector3::new(u, v, zeta));
        let [[a, b], [c, d]] = sides;
        let a_axes = Vector3::from(shape.a);
        [a, b, c, d, up].map(|y| y.map(|y| self.parameters(&y.component_mul(&a_axes))))
    }

    /// Returns where descents from a node begin, and their first steps.
    fn beside(&self, at: [f64; 2]) -> [Option<([f64; 2], f64)>; 2] {
        let top = self.shape.family == Family::Toroid && self.shape.p[1] < 2.0 && at[1] == 0.5;
        if !top {
            return [Some((at, COARSE)), None];
        }
        let cell = 1.0 / ALONG as f64;
        [-0.5, 0.5].map(|side| Some(([at[0], 0.5 + side * cell], 0.25 * cell)))
    }

    /// Descends by steps along the axes and the diagonals until they are shorter than `least`.
    fn descend(&self, at: &mut [f64; 2], step: &mut f64, least: f64) {
        const AXES: [[f64; 2]; 8] = [
            [1.0, 0.0],
            [-1.0, 0.0],
            [0.0, 1.0],
            [0.0, -1.0],
            [1.0, 1.0],
            [-1.0, -1.0],
            [1.0, -1.0],
            [-1.0, 1.0],
        ];
        /// More moves than a descent from a node of the grid makes.
        const MOVES: usize = 400;
        let mut best = self.distance(*at);
        for _ in 0..MOVES {
            if *step <= least {
                break;
            }
            let moved = AXES.iter().find_map(|axis| {
                let next = [0, 1].map(|k| (at[k] + *step * axis[k]).clamp(0.0, 1.0));
                let distance = self.distance(next);
                (distance < best).then_some((distance, next))
            });
            match moved {
                Some((distance, next)) => (best, *at) = (distance, next),
                None => *step *= 0.5,
            }
        }
    }
}

/// Passes the local minima, as distance, surface point and outward normal, to `offer`.
pub(super) fn minima(
    shape: &Superquadric,
    x: &Vector3<f64>,
    iterations: &mut u32,
    mut offer: impl FnMut(f64, Vector3<f64>, Vector3<f64>),
) {
    let chart = Chart { shape, x };
    let lowest = |_: &Vector3<f64>| *x;
    let nodes = starts(&chart).into_iter().flatten();
    let nodes = nodes.flat_map(|at| chart.beside(at)).flatten();
    let along_axes = chart.along_axes().into_iter().flatten();
    for (mut at, mut step) in nodes.chain(along_axes.map(|at| (at, COARSE))) {
        // Newton's method alone could end at a saddle between two minima.
        chart.descend(&mut at, &mut step, 1e-6);
        let found = newton(shape, &chart, at, &lowest, iterations);
        let distance = found.offset().norm();
        if distance <= chart.distance(at) && found.is_stationary() {
            offer(distance, found.x, found.normal);
            continue;
        }
        chart.descend(&mut at, &mut step, 1e-10);
        let end = chart.point(at);
        let here = shape.facing(shape.parameters_of(&end), &lowest);
        offer((end - x).norm(), end, here.normal);
    }
}

fn newton(
    shape: &Superquadric,
    chart: &Chart,
    at: [f64; 2],
    lowest: &impl Fn(&Vector3<f64>) -> Vector3<f64>,
    iterations: &mut u32,
) -> Facing {
    shape.face(shape.parameters_of(&chart.point(at)), lowest, iterations)
}

/// Returns the lowest local minima of the grid.
fn starts(chart: &Chart) -> [Option<[f64; 2]>; STARTS] {
    let node = |i: usize, j: usize| [i as f64 / AROUND as f64, j as f64 / ALONG as f64];
    let mut values = [[0.0; ALONG + 1]; AROUND + 1];
    for (i, row) in values.iter_mut().enumerate() {
        for (j, value) in row.iter_mut().enumerate() {
            *value = chart.distance(node(i, j));
        }
    }
    let mut found: [(f64, Option<[f64; 2]>); STARTS] = [(f64::INFINITY, None); STARTS];
    for i in 0..=AROUND {
        for j in 0..=ALONG {
            let value = values[i][j];
            let rows = i.saturating_sub(1)..=(i + 1).min(AROUND);
            let columns = j.saturating_sub(1)..=(j + 1).min(ALONG);
            let lower = |row: &[f64; ALONG + 1]| row[columns.clone()].iter().any(|&v| v < value);
            let last = &mut found[STARTS - 1];
            if value < last.0 && !values[rows].iter().any(lower) {
                *last = (value, Some(node(i, j)));
                found.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
        }
    }
    found.map(|(_, at)| at)
}
