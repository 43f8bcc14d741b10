//! Newton's method for points that face each other: of the curved surface of a toroid or of a hyperboloid of one sheet,
//! and of a convex body or a point.
//!
//! The surface point x(α, β) with its normal n(α, β) is given by the turn α of the section and the turn β of the tube, or
//! the height β of the profile; each is the coordinate, primal or dual, in which both x and n are differentiable. The
//! other body's point is its support point y in the direction −n. The two unknowns solve
//!
//! ```text
//! d·t1 = 0,   d·t2 = 0,    d = y(−n) − x,   t1 and t2 the tangents of the section and of the profile
//! ```
//!
//! The Jacobian is computed by finite differences. Its error does not limit the accuracy of the solution, and costs one or two
//! more steps.

use crate::shape::circle::{Circle, signed_power};
use crate::superquadric::profile::ProfilePoint;
use crate::superquadric::shape::{Family, Superquadric};
use crate::superquadric::support::{at_turn, turn_of};
use nalgebra::{Unit, Vector3};

/// Two points that face each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facing {
    /// The point of the surface.
    pub x: Vector3<f64>,
    /// The outward unit normal there.
    pub normal: Vector3<f64>,
    /// The point of the other body.
    pub y: Vector3<f64>,
    at: [f64; 2],
    residual: [f64; 2],
}

impl Facing {
    fn merit(&self) -> f64 {
        self.residual[0].hypot(self.residual[1])
    }

    /// Whether the residual is as small as its rounding error.
    pub fn is_stationary(&self) -> bool {
        self.merit() <= 1e-9 * self.x.norm().max(self.y.norm())
    }

    pub fn offset(&self) -> Vector3<f64> {
        self.y - self.x
    }
}

impl Superquadric {
    /// Returns the parameters (α, β) of a point of the curved surface.
    pub(crate) fn parameters_of(&self, x: &Vector3<f64>) -> [f64; 2] {
        let (n, section) = Circle::normalised(x.x / self.a[0], x.y / self.a[1], self.p[0]);
        let zeta = x.z / self.a[2];
        let alpha = turn_of(&section, self.p[0]);
        let beta = match self.family {
            Family::Toroid => {
                let tube = Circle::from_primal(n - self.extent, zeta, self.p[1]);
                turn_of(&tube, self.p[1])
            }
            _ if self.p[1] >= 2.0 => zeta,
            _ => signed_power(zeta, self.p[1] - 1.0),
        };
        [alpha, beta]
    }

    fn profile_of(&self, beta: f64) -> ProfilePoint {
        let (p, q) = (self.p[1], self.q[1]);
        match self.family {
            Family::Toroid => self.profile_on_tube(&at_turn(beta, p, q)),
            _ => {
                let zeta = if p >= 2.0 {
                    beta
                } else {
                    signed_power(beta, q - 1.0)
                };
                self.profile_at_height(zeta.clamp(-self.extent, self.extent))
            }
        }
    }

    /// Returns the two points at parameters (α, β).
    pub(crate) fn facing(
        &self,
        at: [f64; 2],
        lowest: &impl Fn(&Vector3<f64>) -> Vector3<f64>,
    ) -> Facing {
        let section = self.section_at_turn(at[0]);
        let profile = self.profile_of(at[1]);
        let x = self.point_of(&section, &profile);
        let normal = self.normal_of(&section, &profile).into_inner();
        let around = Vector3::new(-self.a[0] * section.v_dual, self.a[1] * section.u_dual, 0.0);
        let along = Vector3::new(
            -self.a[0] * section.u * profile.up,
            -self.a[1] * section.v * profile.up,
            self.a[2] * profile.out,
        );
        let y = lowest(&normal);
        let d = y - x;
        let residual = [around, along].map(|t| d.dot(&Unit::new_normalize(t)));
        Facing {
            x,
            normal,
            y,
            at,
            residual,
        }
    }

    /// Returns the solution to which Newton's method leads from (α, β), or how far it came.
    pub(crate) fn face(
        &self,
        at: [f64; 2],
        lowest: &impl Fn(&Vector3<f64>) -> Vector3<f64>,
        iterations: &mut u32,
    ) -> Facing {
        const STEPS: usize = 25;
        const HALVINGS: usize = 6;
        const DIFFERENCE: f64 = 1e-7;
        const LONGEST: f64 = 0.4;
        let mut here = self.facing(at, lowest);
        let enough = 1e-15 * here.x.norm().max(here.y.norm());
        for _ in 0..STEPS {
            *iterations += 1;
            if here.merit() <= enough {
                break;
            }
            let column = |k: usize| {
                let mut near = here.at;
                near[k] += DIFFERENCE;
                let there = self.facing(near, lowest).residual;
                [0, 1].map(|i| (there[i] - here.residual[i]) / DIFFERENCE)
            };
            let (j0, j1) = (column(0), column(1));
            let mut step = newton_step(&j0, &j1, &here.residual);
            let length = step[0].hypot(step[1]);
            if !length.is_finite() {
                break;
            }
            if length > LONGEST {
                step = step.map(|x| x * (LONGEST / length));
            }
            let mut better = None;
            for _ in 0..HALVINGS {
                let next = self.facing([here.at[0] + step[0], here.at[1] + step[1]], lowest);
                if next.merit() < here.merit() {
                    better = Some(next);
                    break;
                }
                step = step.map(|x| 0.25 * x);
            }
            match better {
                Some(next) => here = next,
                None => break,
            }
        }
        here
    }
}

/// Solves for the step that makes the residual zero. Where one parameter changes nothing, as the turn does for a point on the
/// axis of a round body, the other one alone is solved for.
fn newton_step(j0: &[f64; 2], j1: &[f64; 2], r: &[f64; 2]) -> [f64; 2] {
    const NOTHING: f64 = 1e-7;
    let alone = |j: &[f64; 2]| -(j[0] * r[0] + j[1] * r[1]) / (j[0] * j[0] + j[1] * j[1]);
    let lengths = [j0, j1].map(|j| j[0].hypot(j[1]));
    if lengths[0] < NOTHING * lengths[1] {
        return [0.0, alone(j1)];
    }
    if lengths[1] < NOTHING * lengths[0] {
        return [alone(j0), 0.0];
    }
    let determinant = j0[0] * j1[1] - j0[1] * j1[0];
    [
        -(r[0] * j1[1] - r[1] * j1[0]) / determinant,
        -(r[1] * j0[0] - r[0] * j0[1]) / determinant,
    ]
}
