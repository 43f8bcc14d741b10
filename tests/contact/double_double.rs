//! Stationary pairs of surface points in double-double arithmetic, 31 digits, for differences that tell more than those
//! of answers in double precision.
//!
//! A surface point is parametric (Barr 1981): each of its two circles is (cos^e φ, sin^e φ) with the dual
//! (cos^(2−e) φ, sin^(2−e) φ), and its unknown is ln tan φ, which tells how near to a flat face or to a ridge a point is
//! with all digits. Two points are stationary where the normals are opposed and the line between the points is along
//! them: four equations, solved by Newton's method with a Jacobian of differences, from the witness points of an answer.
//! Where a coordinate of a point vanishes, the unknown is infinite, and there is no pair.

use crate::oracle::body::Shape;
use nalgebra::{Isometry3, Matrix4, SVector, Vector3, Vector4};
use qd::Quad;
use superovoid::Contact;

/// A number of 31 digits.
pub type Real = Quad;

/// The number of inputs: the motions (v, ω) of A and of B, the shapes of A and of B.
pub const INPUTS: usize = 26;

type Vector = [Real; 3];

pub fn real(x: f64) -> Real {
    Real::from_f64(x)
}

fn dot(a: &Vector, b: &Vector) -> Real {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| {
        let (l, m) = ((k + 1) % 3, (k + 2) % 3);
        a[l] * b[m] - a[m] * b[l]
    })
}

fn minus(a: &Vector, b: &Vector) -> Vector {
    [0, 1, 2].map(|k| a[k] - b[k])
}

fn times(a: &Vector, factor: Real) -> Vector {
    a.map(|x| x * factor)
}

fn vector(v: &Vector3<f64>) -> Vector {
    [v.x, v.y, v.z].map(real)
}

/// A body with its pose; rows of the rotation.
#[derive(Clone, Copy)]
struct Placed {
    a: Vector,
    e: [Real; 2],
    t: [Real; 2],
    rotation: [Vector; 3],
    origin: Vector,
}

/// Which octant of its body a point is in: the signs of x, y and z.
type Signs = [f64; 3];

impl Placed {
    fn new(shape: &Shape, pose: &Isometry3<f64>) -> Self {
        let q = pose.rotation.quaternion();
        let [w, x, y, z] = [q.w, q.i, q.j, q.k].map(real);
        let two = real(2.0) / (w * w + x * x + y * y + z * z);
        let one = real(1.0);
        let rotation = [
            [
                one - two * (y * y + z * z),
                two * (x * y - w * z),
                two * (x * z + w * y),
            ],
            [
                two * (x * y + w * z),
                one - two * (x * x + z * z),
                two * (y * z - w * x),
            ],
            [
                two * (x * z - w * y),
                two * (y * z + w * x),
                one - two * (x * x + y * y),
            ],
        ];
        Placed {
            a: shape.a.map(real),
            e: shape.e.map(real),
            t: shape.t.map(real),
            rotation,
            origin: vector(&pose.translation.vector),
        }
    }

    /// The body after the time h of constant velocities (v, ω).
    fn moved(&self, v: &Vector, w: &Vector, h: Real) -> Self {
        let (w, v) = (times(w, h), times(v, h));
        // Rodrigues' formula; the angle is below 1e-5.
        let square = dot(&w, &w);
        let sine = real(1.0) - square / real(6.0) + square * square / real(120.0);
        let cosine = real(0.5) - square / real(24.0) + square * square / real(720.0);
        let turned = |x: &Vector| {
            let once = cross(&w, x);
            let twice = cross(&w, &once);
            [0, 1, 2].map(|k| x[k] + sine * once[k] + cosine * twice[k])
        };
        let column = |j: usize| turned(&[0, 1, 2].map(|i| self.rotation[i][j]));
        let columns = [0, 1, 2].map(column);
        Placed {
            rotation: [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i])),
            origin: [0, 1, 2].map(|k| self.origin[k] + v[k]),
            ..*self
        }
    }

    fn reshaped(&self, by: &[f64], h: Real) -> Self {
        let mut changed = *self;
        for k in 0..3 {
            changed.a[k] += h * real(by[k]);
        }
        for k in 0..2 {
            changed.e[k] += h * real(by[3 + k]);
            changed.t[k] += h * real(by[5 + k]);
        }
        changed
    }

    fn in_world(&self, v: &Vector) -> Vector {
        [0, 1, 2].map(|i| dot(&self.rotation[i], v))
    }

    /// The unknowns and the octant of a point with its outward normal, in the body's frame. What tells the place on a
    /// circle is the point where the circle has corners, and the normal where it has tips.
    fn place(shape: &Shape, x: &Vector3<f64>, n: &Vector3<f64>) -> ([f64; 2], Signs) {
        let (a, e, t) = (shape.a, shape.e, shape.t);
        let zeta = x.z / a[2];
        let tau = t.map(|t| 1.0 + t * zeta);
        let (xi, eta) = (x.x / (a[0] * tau[0]), x.y / (a[1] * tau[1]));
        let (xi_dual, eta_dual) = (n.x * a[0] * tau[0], n.y * a[1] * tau[1]);
        let norm = |u: f64, v: f64, p: f64| {
            let largest = u.abs().max(v.abs());
            largest * ((u.abs() / largest).powf(p) + (v.abs() / largest).powf(p)).powf(1.0 / p)
        };
        let section = if e[0] <= 1.0 {
            (eta.abs() / xi.abs()).ln() / e[0]
        } else {
            (eta_dual.abs() / xi_dual.abs()).ln() / (2.0 - e[0])
        };
        let lift = a[2] * n.z + n.x * x.x * t[0] / tau[0] + n.y * x.y * t[1] / tau[1];
        let profile = if e[1] <= 1.0 {
            (zeta.abs() / norm(xi, eta, 2.0 / e[0])).ln() / e[1]
        } else {
            (lift.abs() / norm(xi_dual, eta_dual, 2.0 / (2.0 - e[0]))).ln() / (2.0 - e[1])
        };
        let sign = |e: f64, point: f64, dual: f64| if e <= 1.0 { point } else { dual }.signum();
        let signs = [
            sign(e[0], xi, xi_dual),
            sign(e[0], eta, eta_dual),
            sign(e[1], zeta, lift),
        ];
        ([section, profile], signs)
    }

    /// The point and its outward normal, of any length, in the world.
    fn point(&self, unknowns: [Real; 2], signs: &Signs) -> [Vector; 2] {
        let [s1, s2, s3] = signs.map(real);
        let [xi, eta, xi_dual, eta_dual] = circle(unknowns[0], self.e[0]);
        let [rho, zeta, rho_dual, zeta_dual] = circle(unknowns[1], self.e[1]);
        let (z, [tx, ty], one) = (s3 * zeta, self.t, real(1.0));
        let (tau_x, tau_y) = (one + tx * z, one + ty * z);
        let x = [
            s1 * self.a[0] * tau_x * rho * xi,
            s2 * self.a[1] * tau_y * rho * eta,
            self.a[2] * z,
        ];
        let widening = xi * xi_dual * tx / tau_x + eta * eta_dual * ty / tau_y;
        let n = [
            s1 * rho_dual * xi_dual / (self.a[0] * tau_x),
            s2 * rho_dual * eta_dual / (self.a[1] * tau_y),
            (s3 * zeta_dual - rho * rho_dual * widening) / self.a[2],
        ];
        let x = self.in_world(&x);
        [[0, 1, 2].map(|k| x[k] + self.origin[k]), self.in_world(&n)]
    }
}

/// (cos^e, sin^e, cos^(2−e), sin^(2−e)) of the angle whose tangent is exp(l).
fn circle(l: Real, e: Real) -> [Real; 4] {
    let two = real(2.0);
    let half = (real(1.0) + (-(two * l.abs())).exp()).ln() / two;
    let (cos, sin) = if l.0 > 0.0 {
        (-l - half, -half)
    } else {
        (-half, l - half)
    };
    let dual = two - e;
    [
        (e * cos).exp(),
        (e * sin).exp(),
        (dual * cos).exp(),
        (dual * sin).exp(),
    ]
}

/// Distance, unit normal from A to B and the two points: what is derived.
pub type Numbers = [Real; 10];

/// A stationary pair with what it takes to follow it.
pub struct Stationary {
    bodies: [Placed; 2],
    signs: [Signs; 2],
    unknowns: [Real; 4],
    /// Tangents and the inverse of the Jacobian of the residual, for the chord method.
    tangents: [Vector; 2],
    inverse: Matrix4<f64>,
}

impl Stationary {
    /// The stationary pair at an answer; `None` where the method does not end in one, within 1e-6 of its points.
    pub fn new(shapes: [&Shape; 2], poses: [&Isometry3<f64>; 2], answer: &Contact) -> Option<Self> {
        let n = answer.normal.into_inner();
        let bodies = [0, 1].map(|k| Placed::new(shapes[k], poses[k]));
        let places = [0, 1].map(|k| {
            let point = [answer.point_a, answer.point_b][k];
            let outward = poses[k].inverse_transform_vector(&if k == 0 { n } else { -n });
            let x = poses[k].inverse_transform_point(&point).coords;
            Placed::place(shapes[k], &x, &outward)
        });
        let [(a, signs_a), (b, signs_b)] = places;
        let t = n.cross(&Vector3::ith(n.iamin(), 1.0)).normalize();
        let mut found = Stationary {
            bodies,
            signs: [signs_a, signs_b],
            unknowns: [a[0], a[1], b[0], b[1]].map(real),
            tangents: [vector(&t), vector(&n.cross(&t))],
            inverse: Matrix4::identity(),
        };
        for _ in 0..12 {
            let residual = found.residual(&found.bodies, &found.unknowns);
            found.inverse = found.jacobian().try_inverse()?;
            let step = found.inverse * residual;
            if !step.iter().all(|y| y.is_finite()) {
                return None;
            }
            for k in 0..4 {
                found.unknowns[k] -= real(step[k].clamp(-1.0, 1.0));
            }
            if step.amax() < 1e-14 {
                // The Jacobian is that of the solution; the chord method goes on to all digits.
                found.unknowns = found.solve(&found.bodies, 3);
                let numbers = found.numbers(&found.bodies, &found.unknowns);
                return found.agrees(&numbers, answer).then_some(found);
            }
        }
        None
    }

    fn agrees(&self, numbers: &Numbers, answer: &Contact) -> bool {
        let size = self
            .bodies
            .iter()
            .flat_map(|b| b.a)
            .fold(0.0, |m: f64, a| m.max(a.0));
        let off = |first: usize, p: &nalgebra::Point3<f64>| {
            (0..3)
                .map(|k| (numbers[first + k].0 - p[k]).abs())
                .fold(0.0, f64::max)
        };
        let left = self.residual(&self.bodies, &self.unknowns).amax();
        left < 1e-26 && off(4, &answer.point_a).max(off(7, &answer.point_b)) < 1e-6 * size
    }

    /// What is left of opposed normals and of a line between the points along them, scaled to numbers of about 1.
    fn residual(&self, bodies: &[Placed; 2], unknowns: &[Real; 4]) -> Vector4<f64> {
        let [u, v, w, z] = *unknowns;
        let [x_a, n_a] = bodies[0].point([u, v], &self.signs[0]);
        let [x_b, n_b] = bodies[1].point([w, z], &self.signs[1]);
        let unit = |n: &Vector| times(n, real(1.0) / dot(n, n).sqrt());
        let (n_a, n_b) = (unit(&n_a), unit(&n_b));
        let (normals, line) = (cross(&n_a, &n_b), cross(&minus(&x_b, &x_a), &n_a));
        let [t, b] = &self.tangents;
        Vector4::new(
            dot(&normals, t).0,
            dot(&normals, b).0,
            dot(&line, t).0,
            dot(&line, b).0,
        )
    }

    fn jacobian(&self) -> Matrix4<f64> {
        const STEP: f64 = 1e-9;
        let column = |k: usize| {
            let at = |by: f64| {
                let mut unknowns = self.unknowns;
                unknowns[k] += real(by);
                self.residual(&self.bodies, &unknowns)
            };
            (at(STEP) - at(-STEP)) / (2.0 * STEP)
        };
        Matrix4::from_columns(&[0, 1, 2, 3].map(column))
    }

    /// The unknowns of bodies that are nearly the same.
    fn solve(&self, bodies: &[Placed; 2], steps: usize) -> [Real; 4] {
        let mut unknowns = self.unknowns;
        for _ in 0..steps {
            let step = self.inverse * self.residual(bodies, &unknowns);
            for k in 0..4 {
                unknowns[k] -= real(step[k]);
            }
        }
        unknowns
    }

    fn numbers(&self, bodies: &[Placed; 2], unknowns: &[Real; 4]) -> Numbers {
        let [u, v, w, z] = *unknowns;
        let [x_a, n] = bodies[0].point([u, v], &self.signs[0]);
        let [x_b, _] = bodies[1].point([w, z], &self.signs[1]);
        let n = times(&n, real(1.0) / dot(&n, &n).sqrt());
        let d = dot(&minus(&x_b, &x_a), &n);
        let mut numbers = [d; 10];
        for k in 0..3 {
            (numbers[1 + k], numbers[4 + k], numbers[7 + k]) = (n[k], x_a[k], x_b[k]);
        }
        numbers
    }

    fn moved(&self, along: &[f64; INPUTS], h: f64) -> [Placed; 2] {
        let h = real(h);
        [0, 1].map(|k| {
            let twist = |first: usize| [0, 1, 2].map(|i| real(along[6 * k + first + i]));
            self.bodies[k]
                .moved(&twist(0), &twist(3), h)
                .reshaped(&along[12 + 7 * k..19 + 7 * k], h)
        })
    }

    /// The numbers after the time h along constant velocities of all inputs.
    pub fn after(&self, along: &[f64; INPUTS], h: f64) -> Numbers {
        let bodies = self.moved(along, h);
        self.numbers(&bodies, &self.solve(&bodies, 3))
    }

    /// The derivatives of the numbers along velocities of the inputs, by central differences at 1e-12, of which the
    /// remainder is 1e-24 beside third derivatives of 1 and the rounding 1e-18. Where points move `kappa` times as fast as
    /// the inputs, they have moved on, and their derivatives with them, after a shorter way.
    pub fn first(&self, along: &[f64; INPUTS], kappa: f64) -> SVector<f64, 10> {
        let step = 1e-12 / kappa.sqrt();
        let (after, before) = (self.after(along, step), self.after(along, -step));
        SVector::from_fn(|k, _| ((after[k] - before[k]) / real(2.0 * step)).0)
    }

    /// The second derivative of the distance along velocities of the inputs.
    pub fn second(&self, along: &[f64; INPUTS], kappa: f64) -> f64 {
        let step = 1e-9 / kappa.sqrt();
        let here = self.numbers(&self.bodies, &self.unknowns)[0];
        let (after, before) = (self.after(along, step)[0], self.after(along, -step)[0]);
        ((after - here - here + before) / (real(step) * real(step))).0
    }
}
