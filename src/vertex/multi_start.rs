//! Stationary points from many starts: surface points whose normal passes through the point.

use crate::Superovoid;
use crate::shape::circle::{Circle, norm};
use crate::surface::circles::Circles;
use crate::surface::primal_dual::SurfaceState;
use crate::vertex::newton;
use crate::vertex::newton::{Foot, FootStart};
use crate::vertex::problem::VertexProblem;
use nalgebra::Vector3;

/// The deviation of the point from the normal at which a foot counts as stationary.
pub(super) const STATIONARY: f64 = 1e-9;

/// The side of the surface on which the vertex lies.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Inside,
    Outside,
}

/// The search for the nearest stationary point.
pub(crate) struct MultiStart<'a> {
    pub query: &'a VertexProblem,
    side: Side,
    max_iterations: u32,
    pub iterations: &'a mut u32,
    pub best: Option<Foot>,
}

impl<'a> MultiStart<'a> {
    pub fn new(
        query: &'a VertexProblem,
        side: Side,
        max_iterations: u32,
        iterations: &'a mut u32,
    ) -> MultiStart<'a> {
        MultiStart {
            query,
            side,
            max_iterations,
            iterations,
            best: None,
        }
    }

    /// Returns the stationary point to which Newton's method leads.
    pub fn start_from(&mut self, start: SurfaceState) -> Option<Foot> {
        let VertexProblem {
            point, rounding, ..
        } = self.query;
        let foot = newton::solve(
            &self.query.shape,
            point,
            FootStart::At(start),
            self.max_iterations,
            self.iterations,
        )?;
        let outwards = match self.side {
            Side::Inside => -foot.along,
            Side::Outside => foot.along,
        };
        let beside = STATIONARY * (1.0 + foot.along.abs());
        if !(foot.on_surface && foot.offset <= beside && outwards >= -rounding) {
            return None;
        }
        if self.best.is_none_or(|best| foot.d.norm() < best.d.norm()) {
            self.best = Some(foot);
        }
        Some(foot)
    }

    /// Searches in a body that is not convex, and so is tapered: from the surface at p's height, above and below p,
    /// and at many other heights; at more heights for points deep inside.
    pub fn run(&mut self, shallow: bool) {
        let VertexProblem { shape, point, .. } = self.query;
        let height = (point.z / shape.a[2]).clamp(-1.0, 1.0);
        self.start_at_height(height);
        let (u, v) = relative(shape, point, height);
        let rho = norm(u, v, shape.p[0]);
        let top = complement(rho, shape.p[1], 1.0);
        // There bodies have edges, or their widest faces.
        let middle = (-1.0 / shape.p[1]).exp2();
        for side in [1.0, -1.0] {
            self.start_at((u, v), (rho, side * top));
            self.start_at_height(side * middle);
        }
        let levels = if shallow { 5 } else { 12 };
        for k in 1 - levels..levels {
            self.start_at_height(f64::from(k) / f64::from(levels));
        }
    }

    /// Starts where p's line along x, y or z leaves the body, along the axis with the shortest way out: there the
    /// nearest face of a squarish body is.
    pub fn towards_nearest_face(&mut self) {
        let VertexProblem { shape, point, .. } = self.query;
        let [p1, p2] = shape.p;
        let height = (point.z / shape.a[2]).clamp(-1.0, 1.0);
        let (u, v) = relative(shape, point, height);
        let depth = |i: usize| shape.a[i] - point[i].abs();
        if depth(2) <= depth(0).min(depth(1)) {
            let rho = norm(u, v, p1);
            let top = complement(rho, p2, 1.0).copysign(height);
            return self.start_at((u, v), (rho, top));
        }
        let rho = complement(height, p2, 1.0);
        let section = if depth(0) < depth(1) {
            (complement(v, p1, rho).copysign(u), v)
        } else {
            (u, complement(u, p1, rho).copysign(v))
        };
        self.start_at(section, (rho, height));
    }

    /// Starts where lines through p in the section of a height leave it, along x, y and the ray, from its corner, and
    /// from between the ray and the corner.
    fn start_at_height(&mut self, w: f64) {
        let VertexProblem { shape, point, .. } = self.query;
        let [p1, p2] = shape.p;
        let (u, v) = relative(shape, point, w);
        let rho = complement(w, p2, 1.0);
        let along_x = (complement(v, p1, rho).copysign(u), v);
        let along_y = (u, complement(u, p1, rho).copysign(v));
        let corner = (1.0_f64.copysign(u), 1.0_f64.copysign(v));
        let between = (u + rho.copysign(u), v + rho.copysign(v));
        for section in [along_x, along_y, (u, v), corner, between] {
            self.start_at(section, (rho, w));
        }
    }

    fn start_at(&mut self, section: (f64, f64), profile: (f64, f64)) {
        let [p1, p2] = self.query.shape.p;
        let circles = Circles {
            section: Circle::from_primal(section.0, section.1, p1),
            profile: Circle::from_primal(profile.0, profile.1, p2),
        };
        let start = SurfaceState::of(&self.query.shape, &circles);
        self.start_from(start);
    }
}

/// Returns (u, v) of p, relative to the half-widths at height w.
fn relative(shape: &Superovoid, p: &Vector3<f64>, w: f64) -> (f64, f64) {
    let [tau_x, tau_y] = shape.taper_factors(w);
    (p.x / (shape.a[0] * tau_x), p.y / (shape.a[1] * tau_y))
}

/// Returns the y ≥ 0 with `|x|^p + y^p = radius^p`; 0 if |x| is larger than the radius.
fn complement(x: f64, p: f64, radius: f64) -> f64 {
    (radius.powf(p) - x.abs().powf(p)).max(0.0).powf(1.0 / p)
}
