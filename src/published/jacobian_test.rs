//! Tests of the Jacobians against central differences, and against the derivatives of separately written residuals by
//! dual numbers.

use crate::Superovoid;
use crate::pair::problem::PairProblem;
use crate::published::implicit::{Implicit, TIP};
use crate::published::newton::{System, forward_differences};
use crate::published::parametric::{Angle, Angles, Parametric, Tangents};
use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::{Add, Div, Mul, Neg, Sub};

const LENGTH: f64 = 1.7;

// ---- dual numbers -------------------------------------------------------------------------

/// A value and its derivatives by up to six unknowns.
#[derive(Clone, Copy, Debug)]
struct Dual {
    value: f64,
    d: [f64; 6],
}

/// The arithmetic that the residuals need.
trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn constant(value: f64) -> Self;
    fn value(self) -> f64;
    /// Returns f(self), given f and f' there.
    fn chain(self, f: f64, slope: f64) -> Self;

    fn sin(self) -> Self {
        self.chain(self.value().sin(), self.value().cos())
    }
    fn cos(self) -> Self {
        self.chain(self.value().cos(), -self.value().sin())
    }
    fn abs(self) -> Self {
        if self.value() < 0.0 { -self } else { self }
    }
    /// Returns |self|^k with the sign of self.
    fn signed_power(self, k: f64) -> Self {
        let x = self.value();
        let size = x.abs().powf(k);
        self.chain(size.copysign(x), k * size / x.abs())
    }
    fn power(self, k: f64) -> Self {
        self.abs().signed_power(k)
    }
    fn root(self) -> Self {
        self.power(0.5)
    }
}

impl Number for Dual {
    fn constant(value: f64) -> Self {
        Dual { value, d: [0.0; 6] }
    }
    fn value(self) -> f64 {
        self.value
    }
    fn chain(self, f: f64, slope: f64) -> Self {
        Dual {
            value: f,
            d: self.d.map(|d| slope * d),
        }
    }
}

impl Dual {
    fn with(self, other: Dual, value: f64, by_self: f64, by_other: f64) -> Dual {
        let d = std::array::from_fn(|i| by_self * self.d[i] + by_other * other.d[i]);
        Dual { value, d }
    }
}

impl Add for Dual {
    type Output = Dual;
    fn add(self, o: Dual) -> Dual {
        self.with(o, self.value + o.value, 1.0, 1.0)
    }
}
impl Sub for Dual {
    type Output = Dual;
    fn sub(self, o: Dual) -> Dual {
        self.with(o, self.value - o.value, 1.0, -1.0)
    }
}
impl Mul for Dual {
    type Output = Dual;
    fn mul(self, o: Dual) -> Dual {
        self.with(o, self.value * o.value, o.value, self.value)
    }
}
impl Div for Dual {
    type Output = Dual;
    fn div(self, o: Dual) -> Dual {
        let quotient = self.value / o.value;
        self.with(o, quotient, 1.0 / o.value, -quotient / o.value)
    }
}
impl Neg for Dual {
    type Output = Dual;
    fn neg(self) -> Dual {
        self.with(self, -self.value, -1.0, 0.0)
    }
}

// ---- the residuals again, from the definitions ---------------------------------------------

type Vector<T> = [T; 3];

fn dot<T: Number>(a: Vector<T>, b: Vector<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross<T: Number>(a: Vector<T>, b: Vector<T>) -> Vector<T> {
    let part = |i: usize, j: usize| a[i] * b[j] - a[j] * b[i];
    [part(1, 2), part(2, 0), part(0, 1)]
}

fn unit<T: Number>(a: Vector<T>) -> Vector<T> {
    let length = dot(a, a).root();
    a.map(|x| x / length)
}

fn rotated<T: Number>(r: &Matrix3<f64>, a: Vector<T>) -> Vector<T> {
    std::array::from_fn(|i| dot([0, 1, 2].map(|j| T::constant(r[(i, j)])), a))
}

fn moved<T: Number>(problem: &PairProblem, a: Vector<T>) -> Vector<T> {
    let turned = rotated(&problem.rotation, a);
    std::array::from_fn(|i| turned[i] + T::constant(problem.center[i]))
}

/// Returns `(F + 1)^(e2/2) − 1` and the gradient of F.
fn function<T: Number>(shape: &Superovoid, [x, y, z]: Vector<T>) -> (T, Vector<T>) {
    let c = T::constant;
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (shape.a, shape.e, shape.t);
    let (tau_x, tau_y) = (c(1.0) + c(tx / a3) * z, c(1.0) + c(ty / a3) * z);
    let u = (x / (c(a1) * tau_x)).power(2.0 / e1);
    let v = (y / (c(a2) * tau_y)).power(2.0 / e1);
    let w = (z / c(a3)).power(2.0 / e2);
    let level = (u + v).power(e1 / e2) + w;
    let outer = c(2.0 / e2) * (u + v).power(e1 / e2 - 1.0);
    let widening = u * c(tx / a3) / tau_x + v * c(ty / a3) / tau_y;
    let gradient = [
        outer * u / x,
        outer * v / y,
        c(2.0 / e2) * w / z - outer * widening,
    ];
    (level.power(0.5 * e2) - c(1.0), gradient)
}

/// Returns the second and third column of `I − 2 h hᵀ/(hᵀh)`.
fn householder<T: Number>(n: Vector<T>) -> [Vector<T>; 2] {
    let sign = T::constant(1.0_f64.copysign(n[0].value()));
    let h = [n[0] + sign * dot(n, n).root(), n[1], n[2]];
    let k = T::constant(2.0) / dot(h, h);
    [1, 2].map(|j| std::array::from_fn(|i| T::constant(f64::from(i == j)) - k * h[i] * h[j]))
}

fn common_normal<T: Number>(
    [p, q]: [Vector<T>; 2],
    n_p: Vector<T>,
    [t, b]: [Vector<T>; 2],
) -> [T; 4] {
    let d = [0, 1, 2].map(|i| (q[i] - p[i]) / T::constant(LENGTH));
    [dot(n_p, t), dot(n_p, b), dot(d, t), dot(d, b)]
}

fn implicit<T: Number>(problem: &PairProblem, unknowns: [T; 6]) -> [T; 6] {
    let [x, y, z, u, v, w] = unknowns;
    let (p, q) = ([x, y, z], [u, v, w]);
    let ((f_p, n_p), (f_q, n_q)) = (function(&problem.a, p), function(&problem.b, q));
    let tangents = householder(unit(rotated(&problem.rotation, n_q)));
    let [r1, r2, r3, r4] = common_normal([p, moved(problem, q)], unit(n_p), tangents);
    [r1, r2, r3, r4, f_p, f_q]
}

/// Returns a point and its derivatives by the angles.
fn surface<T: Number>(shape: &Superovoid, phi1: T, phi2: T) -> [Vector<T>; 3] {
    let c = T::constant;
    let ([a1, a2, a3], [e1, e2], [tx, ty]) = (shape.a, shape.e, shape.t);
    let circle = |phi: T, e: f64| {
        let (cos, sin) = (phi.cos(), phi.sin());
        [
            cos.signed_power(e),
            sin.signed_power(e),
            -c(e) * cos.power(e - 1.0) * sin,
            c(e) * sin.power(e - 1.0) * cos,
        ]
    };
    let [xi, eta, d_xi, d_eta] = circle(phi1, e1);
    let [rho, zeta, d_rho, d_zeta] = circle(phi2, e2);
    let (wide_x, wide_y) = (c(1.0) + c(tx) * zeta, c(1.0) + c(ty) * zeta);
    let (rise_x, rise_y) = (
        wide_x * d_rho + c(tx) * d_zeta * rho,
        wide_y * d_rho + c(ty) * d_zeta * rho,
    );
    [
        [
            c(a1) * wide_x * rho * xi,
            c(a2) * wide_y * rho * eta,
            c(a3) * zeta,
        ],
        [
            c(a1) * wide_x * rho * d_xi,
            c(a2) * wide_y * rho * d_eta,
            c(0.0),
        ],
        [c(a1) * rise_x * xi, c(a2) * rise_y * eta, c(a3) * d_zeta],
    ]
}

fn parametric<T: Number>(problem: &PairProblem, tangents: Tangents, phi: [T; 4]) -> [T; 4] {
    let [p, p1, p2] = surface(&problem.a, phi[0], phi[1]);
    let [q, q1, q2] = surface(&problem.b, phi[2], phi[3]);
    let points = [p, moved(problem, q)];
    match tangents {
        Tangents::Parametric => {
            let t = [q1, q2].map(|t| unit(rotated(&problem.rotation, t)));
            common_normal(points, unit(cross(p1, p2)), t)
        }
        Tangents::Householder => {
            let (_, n_p) = function(&problem.a, p);
            let (_, n_q) = function(&problem.b, q);
            let t = householder(unit(rotated(&problem.rotation, n_q)));
            common_normal(points, unit(n_p), t)
        }
    }
}

// ---- comparisons --------------------------------------------------------------------------

fn problem(rng: &mut ChaCha8Rng) -> PairProblem {
    let mut shape = || {
        let a = [0; 3].map(|_| rng.random_range(0.5..2.0));
        let e = [0; 2].map(|_| rng.random_range(0.3..1.7));
        let t = [0; 2].map(|_| rng.random_range(-0.7..0.7));
        Superovoid::new(a, e, t).expect("valid")
    };
    let (a, b) = (shape(), shape());
    let mut coordinates = || Vector3::from([0; 3].map(|_| rng.random_range(-2.0..2.0)));
    let pose = Isometry3::from_parts(
        Translation3::from(coordinates()),
        UnitQuaternion::from_scaled_axis(coordinates()),
    );
    PairProblem::new(&a, &Isometry3::identity(), &b, &pose, 1e-6)
}

fn agree<const N: usize>(found: [[f64; N]; N], wanted: [[f64; N]; N], tolerance: f64) {
    let size = wanted
        .as_flattened()
        .iter()
        .fold(1.0_f64, |m, x| m.max(x.abs()));
    for i in 0..N {
        for j in 0..N {
            let off = (found[i][j] - wanted[i][j]).abs();
            assert!(
                off <= tolerance * size,
                "row {i}, column {j}: {found:?} {wanted:?}"
            );
        }
    }
}

/// The analytic Jacobian agrees with that of the dual numbers, the residual with theirs, and both differences with
/// the analytic Jacobian.
fn compare<const N: usize, S: System<N>>(
    system: &S,
    state: &S::State,
    duals: [Dual; N],
    shifted: impl Fn(usize, f64) -> S::State,
) {
    let at = system.evaluate(state).expect("inside the domain");
    let target = system.target(&at);
    for (found, wanted) in target.residual.iter().zip(&duals) {
        assert!((found - wanted.value).abs() < 1e-12, "{found} {wanted:?}");
    }
    let analytic = system.jacobian(&at);
    agree(
        analytic,
        duals.map(|r| std::array::from_fn(|j| r.d[j])),
        1e-11,
    );
    let mut central = [[0.0; N]; N];
    let step = 1e-6;
    for j in 0..N {
        let [low, high] = [-step, step].map(|h| {
            let at = system.evaluate(&shifted(j, h)).expect("inside the domain");
            system.target(&at).residual
        });
        for i in 0..N {
            central[i][j] = (high[i] - low[i]) / (2.0 * step);
        }
    }
    agree(central, analytic, 1e-6);
    let forward = forward_differences(system, state, &target).expect("inside the domain");
    agree(forward, analytic, 1e-5);
}

fn seeds<const N: usize>(values: [f64; N]) -> [Dual; N] {
    std::array::from_fn(|i| {
        let mut seed = Dual::constant(values[i]);
        seed.d[i] = 1.0;
        seed
    })
}

#[test]
fn jacobian_of_the_implicit_system() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..300 {
        let problem = problem(&mut rng);
        let mut point = |shape: &Superovoid| {
            let side = |rng: &mut ChaCha8Rng| {
                rng.random_range(0.2..1.0) * if rng.random_bool(0.5) { 1.0 } else { -1.0 }
            };
            Vector3::from(shape.a.map(|a| a * side(&mut rng)))
        };
        let state = [point(&problem.a), point(&problem.b)];
        let [p, q] = state;
        let unknowns = seeds([p.x, p.y, p.z, q.x, q.y, q.z]);
        let system = Implicit {
            problem: &problem,
            length: LENGTH,
            tip: TIP,
        };
        compare(&system, &state, implicit(&problem, unknowns), |j, h| {
            let mut state = state;
            state[j / 3][j % 3] += h;
            state
        });
    }
}

#[test]
fn jacobians_of_the_parametric_systems() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..300 {
        let problem = problem(&mut rng);
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut angle = |quarters: std::ops::Range<i32>| {
            quarter * f64::from(rng.random_range(quarters)) + rng.random_range(0.2..1.3)
        };
        let phi = [angle(-2..2), angle(-1..1), angle(-2..2), angle(-1..1)];
        let state = |phi: [f64; 4]| -> Angles {
            let [a, b, c, d] = phi.map(|x| Angle::towards(x.cos(), x.sin()));
            [[a, b], [c, d]]
        };
        for tangents in [Tangents::Parametric, Tangents::Householder] {
            let system = Parametric {
                problem: &problem,
                tangents,
                length: LENGTH,
            };
            let duals = parametric(&problem, tangents, seeds(phi));
            compare(&system, &state(phi), duals, |j, h| {
                let mut phi = phi;
                phi[j] += h;
                state(phi)
            });
        }
    }
}
