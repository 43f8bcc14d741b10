//! Steps along the two tangents of a surface point.

use super::coordinates::{Advanced, Coordinates, Step, SurfacePlace};
use super::evaluation::Surface;
use super::shape_lanes::ShapeLanes;
use crate::lanes::{Halves, Lanes};

impl<W: Halves> ShapeLanes<W> {
    /// Returns the coordinates of a surface point moved by a step.
    ///
    /// In the plane of the section the primal-dual vector is r (g1, h1), so the step leads to
    /// `(r + along·dr)(g1, h1) + around·(dg1, dh1)`. While it turns by little its direction is followed to first order
    /// (the next evaluation normalises).
    #[inline(always)]
    pub fn advance(&self, from: &SurfacePlace<W>, step: &Step<W::Half>) -> Advanced<W> {
        let ((g1, g2), (dg1, dg2)) = (from.coordinates.g.halves(), from.tangent.g.halves());
        let ((h1, h2), (dh1, dh2)) = (from.coordinates.h.halves(), from.tangent.h.halves());
        let along = step.along / step.weight;
        let h2 = along.mul_add(dh2, h2);
        let radius = along.mul_add(dg2, g2);
        // Everything is multiplied by the weight, so that no division has to wait for another.
        let weighted_radius = step.along.mul_add(dg2, step.weight * g2);
        let little = step.around.abs().lt(weighted_radius.abs() * 0.5);
        let turn = step.around / weighted_radius;
        let mut section = Coordinates {
            g: turn.mul_add(dg1, g1),
            h: turn.mul_add(dh1, h1),
        };
        let mut radius = radius;
        if !W::Half::all(little) {
            let around = step.around / step.weight;
            let plane_g = around.mul_add(dg1, radius * g1);
            let plane_h = around.mul_add(dh1, radius * h1);
            let (split, length) = self.split_plane(plane_g, plane_h);
            section = section.select(little, split);
            radius = W::Half::select(little, radius, length);
        }
        Advanced {
            at: Coordinates {
                g: from.coordinates.g.join(section.g, radius),
                h: from.coordinates.h.join(section.h, h2),
            },
            turns: from.coordinates.g.join(turn, along),
        }
    }

    /// Returns the largest of the factors of a normal's components.
    #[inline(always)]
    pub fn steepest(&self) -> W::Half {
        let [x, y, z] = self.inverse_a;
        x.max(y).max(z)
    }

    #[inline(always)]
    pub fn semi_axes(&self) -> [W::Half; 3] {
        self.a
    }

    /// Returns `x_i/N_i` of an untapered body with e1, e2 ≥ 1, and the limit where both are 0. There P = q, so that
    /// `ξ/ξ' = |ξ'|^(P−2)`, and likewise for η, ρ and ζ.
    #[inline(always)]
    pub fn points_per_normal(&self, at: &Surface<W>) -> [W::Half; 3] {
        let per_less = (self.power - 1.0).recip();
        let (x, rho) = (at.stiffness.g * per_less).halves();
        let (y, z) = (at.stiffness.h * per_less).halves();
        let [a1, a2, a3] = self.a;
        [a1 * a1 * rho * x, a2 * a2 * rho * y, a3 * a3 * z]
    }

    /// Returns, near a pole, the section's coordinates of a vector in its plane, on the circle, and the length of the
    /// vector. At the pole itself every direction is right.
    #[inline(always)]
    fn split_plane(&self, g: W::Half, h: W::Half) -> (Coordinates<W::Half>, W::Half) {
        const NOTHING: f64 = 1e-30;
        let power = self.power.halves().0;
        let larger = g.abs().max(h.abs());
        let at_pole = larger.lt(g.splat(NOTHING));
        let scale = larger.max(g.splat(NOTHING));
        let g = W::Half::select(at_pole, scale, g) / scale;
        let h = h / scale;
        let length = ((g.abs_pow(power) + h.abs_pow(power)).log2() / power).exp2();
        let radius = W::Half::select(at_pole, g.splat(0.0), scale * length);
        let section = Coordinates {
            g: g / length,
            h: h / length,
        };
        (section, radius)
    }
}
