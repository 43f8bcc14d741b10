//! One body: inside test, surface error, parametric surface and support function.
//!
//! A point of the surface is `(a1 τx ρ ξ, a2 τy ρ η, a3 ζ)` with `(ξ, η)` on the unit circle of
//! the p1-norm, `(ρ, ζ)` on that of the p2-norm and `τ = 1 + t ζ`.

use super::minimise::{local_maxima, nelder_mead};
use nalgebra::Vector3;
use superovoid::Superovoid;

/// The seven numbers, nothing derived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub a: [f64; 3],
    pub e: [f64; 2],
    pub t: [f64; 2],
}

impl From<&Superovoid> for Shape {
    fn from(s: &Superovoid) -> Self {
        Shape {
            a: s.semi_axes(),
            e: s.exponents(),
            t: s.tapers(),
        }
    }
}

impl Shape {
    pub fn new(a: [f64; 3], e: [f64; 2], t: [f64; 2]) -> Self {
        Shape { a, e, t }
    }

    pub fn build(&self) -> Superovoid {
        Superovoid::new(self.a, self.e, self.t).expect("the oracle's shapes are valid")
    }

    /// The largest semi-axis: the length that tolerances refer to.
    pub fn size(&self) -> f64 {
        self.a[0].max(self.a[1]).max(self.a[2])
    }

    pub fn scaled(&self, k: f64) -> Self {
        Shape {
            a: self.a.map(|x| x * k),
            ..*self
        }
    }

    pub fn is_tapered(&self) -> bool {
        self.t != [0.0, 0.0]
    }
}

/// `(u^p + v^p)^(1/p)` for u, v ≥ 0, without overflow: exponents of 100 are in the domain.
pub fn norm(u: f64, v: f64, p: f64) -> f64 {
    let (small, large) = if u < v { (u, v) } else { (v, u) };
    if large == 0.0 {
        return 0.0;
    }
    // ln(1 + r^p) keeps its digits where r^p is tiny.
    large * ((small / large).powf(p).ln_1p() / p).exp()
}

/// The point (u, v), u, v ≥ 0, of the unit circle of the p-norm with `u/v = exp(sigma)`: accurate
/// at both of its ends.
pub fn circle(sigma: f64, p: f64) -> (f64, f64) {
    let small = (-sigma.abs()).exp();
    let shrink = (-(-p * sigma.abs()).exp().ln_1p() / p).exp();
    if sigma > 0.0 {
        (shrink, small * shrink)
    } else {
        (small * shrink, shrink)
    }
}

/// A height at which the one-dimensional support problem is sampled.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// log(|ζ|/ρ); infinite at the pole.
    sigma: f64,
    zeta: f64,
    rho: f64,
    /// τx^q1 and τy^q1.
    tau_q: [f64; 2],
}

/// A shape with the tables of its support search.
#[derive(Clone, Debug)]
pub struct Body {
    pub shape: Shape,
    pub p: [f64; 2],
    pub q: [f64; 2],
    /// Heights from the lower pole to the upper one.
    nodes: Vec<Node>,
}

/// |log(|ζ|/ρ)| beyond which ζ or ρ is below the rounding error of the other.
const SIGMA_END: f64 = 40.0;

impl Body {
    pub fn new(shape: Shape) -> Self {
        let p = shape.e.map(|e| 2.0 / e);
        let q = shape.e.map(|e| 2.0 / (2.0 - e));
        let mut body = Body {
            shape,
            p,
            q,
            nodes: Vec::new(),
        };
        if shape.is_tapered() {
            body.nodes = body.support_nodes(1);
        }
        body
    }

    /// Sample heights, in order. The profile has detail at three scales: over |ζ| of order one,
    /// where |ζ| ≈ ρ (the corner of a box, of width 1/p2 in σ), and towards the equator and the
    /// poles (ridges of a pointed body), where it is spread over log ζ or log ρ.
    fn support_nodes(&self, density: usize) -> Vec<Node> {
        let d = density as f64;
        let mut sigmas = Vec::new();
        for i in 1..14 * density {
            let zeta = i as f64 / (14.0 * d);
            let rho = (1.0 - zeta.powf(self.p[1])).powf(1.0 / self.p[1]);
            sigmas.push((zeta / rho).ln());
        }
        for i in 0..=24 * density {
            sigmas.push((-30.0 + 2.5 * i as f64 / d) / self.p[1]);
        }
        for i in 1..=10 * density {
            sigmas.push(-4.0 * i as f64 / d);
            sigmas.push(4.0 * i as f64 / d);
        }
        sigmas.retain(|s| s.abs() <= SIGMA_END);
        sigmas.sort_by(f64::total_cmp);
        sigmas.dedup_by(|x, y| (*x - *y).abs() < 1e-4 / self.p[1]);
        let mut nodes = Vec::new();
        nodes.push(self.node(f64::INFINITY, -1.0));
        nodes.extend(sigmas.iter().rev().map(|&s| self.node(s, -1.0)));
        nodes.push(self.node(f64::NEG_INFINITY, 1.0));
        nodes.extend(sigmas.iter().map(|&s| self.node(s, 1.0)));
        nodes.push(self.node(f64::INFINITY, 1.0));
        nodes
    }

    fn node(&self, sigma: f64, sign: f64) -> Node {
        let (zeta, rho) = circle(sigma, self.p[1]);
        let zeta = sign * zeta;
        let tau = self.shape.t.map(|t| 1.0 + t * zeta);
        Node {
            sigma,
            zeta,
            rho,
            tau_q: tau.map(|tau| tau.powf(self.q[0])),
        }
    }

    /// The nested norm whose unit level is the surface: below 1 inside, above 1 outside. Unlike
    /// F = gauge^p2 − 1 it keeps its scale for every exponent. Outside the heights of the body
    /// it only promises to be above 1.
    pub fn gauge(&self, x: &Vector3<f64>) -> f64 {
        let Shape { a, t, .. } = self.shape;
        let zeta = x.z / a[2];
        if zeta.abs() > 1.0 {
            return zeta.abs();
        }
        let u = x.x.abs() / (a[0] * (1.0 + t[0] * zeta));
        let v = x.y.abs() / (a[1] * (1.0 + t[1] * zeta));
        norm(norm(u, v, self.p[0]), zeta.abs(), self.p[1])
    }

    pub fn contains(&self, x: &Vector3<f64>) -> bool {
        self.gauge(x) <= 1.0
    }

    /// The factor k with k·x on the surface. The body is star-shaped about its centre (each of
    /// k|x|/(1 + t k ζ) grows with k), so there is one.
    pub fn radial_scale(&self, x: &Vector3<f64>) -> f64 {
        let (mut low, mut high) = (0.0, self.shape.a[2] / x.z.abs());
        if !high.is_finite() || self.gauge(&(x * high.min(1e300))) < 1.0 {
            high = 1.0;
            while self.gauge(&(x * high)) < 1.0 {
                high *= 2.0;
            }
        }
        // False position with the Illinois rule: the kept end's value is halved, so that both
        // ends close in; the gauge is nearly linear along a ray.
        let f = |k: f64| self.gauge(&(x * k)) - 1.0;
        let (mut at_low, mut at_high) = (f(low), f(high));
        let mut side = 0;
        for _ in 0..200 {
            if high - low <= 4e-16 * high || at_high == 0.0 {
                break;
            }
            let middle = (low * at_high - high * at_low) / (at_high - at_low);
            let inner = middle > low && middle < high;
            let k = if inner { middle } else { 0.5 * (low + high) };
            let value = f(k);
            if value < 0.0 {
                (low, at_low) = (k, value);
                at_high *= if side == -1 { 0.5 } else { 1.0 };
                side = -1;
            } else {
                (high, at_high) = (k, value);
                at_low *= if side == 1 { 0.5 } else { 1.0 };
                side = 1;
            }
            if value == 0.0 || k == low && k == high {
                break;
            }
        }
        high
    }

    /// The distance from a point outside to the surface: the nearest of many samples, improved
    /// from the best few by a search over directions from the centre.
    pub fn distance_outside(&self, x: &Vector3<f64>) -> f64 {
        let mut samples = self.surface_samples(4000);
        samples.sort_by(|y, z| (y - x).norm().total_cmp(&(z - x).norm()));
        samples
            .iter()
            .take(8)
            .map(|y| {
                let t = y.cross(&Vector3::ith(y.iamin(), 1.0));
                let t = t * (y.norm() / t.norm());
                let b = y.cross(&t) / y.norm();
                let distance = |u: &[f64; 2]| {
                    let m = y + t * u[0] + b * u[1];
                    -(m * self.radial_scale(&m) - x).norm()
                };
                -nelder_mead([0.0; 2], 0.05, 1e-9, 300, distance).1
            })
            .fold(f64::INFINITY, f64::min)
    }

    /// An upper bound, within a factor of two of the best along the lines tried, of the distance
    /// (metres) from `x` to the surface: the first step, doubling, at which one of the eight
    /// half-lines along the axes and along the radius changes side.
    pub fn surface_error(&self, x: &Vector3<f64>) -> f64 {
        let inside = self.contains(x);
        let radius = x.norm().max(1e-300);
        let lines = [
            Vector3::x(),
            Vector3::y(),
            Vector3::z(),
            x / radius,
            -Vector3::x(),
            -Vector3::y(),
            -Vector3::z(),
            -x / radius,
        ];
        let size = self.shape.size();
        let mut step = 1e-17 * size;
        while step < 1e3 * (size + radius) {
            if lines
                .iter()
                .any(|line| self.contains(&(x + line * step)) != inside)
            {
                return step;
            }
            step *= 2.0;
        }
        f64::INFINITY
    }

    /// Surface point from the position on the two circles: `section` = log(|ξ|/|η|), `height` =
    /// log(|ζ|/ρ), and the octant's signs.
    pub fn surface_point(&self, section: f64, height: f64, signs: [f64; 3]) -> Vector3<f64> {
        let Shape { a, t, .. } = self.shape;
        let (xi, eta) = circle(section, self.p[0]);
        let (zeta, rho) = circle(height, self.p[1]);
        let zeta = signs[2] * zeta;
        Vector3::new(
            signs[0] * a[0] * (1.0 + t[0] * zeta) * rho * xi,
            signs[1] * a[1] * (1.0 + t[1] * zeta) * rho * eta,
            a[2] * zeta,
        )
    }

    /// Surface points for brute-force claims: half of them along directions spread evenly over
    /// the sphere (flat faces), half even in the logarithms of the circles (edges, ridges and
    /// poles).
    pub fn surface_samples(&self, count: usize) -> Vec<Vector3<f64>> {
        let a = Vector3::from(self.shape.a);
        let mut points: Vec<Vector3<f64>> = fibonacci_sphere(count / 2)
            .iter()
            .map(|m| {
                let x = m.component_mul(&a);
                x * self.radial_scale(&x)
            })
            .collect();
        // Two irrational steps fill the square of the two logarithms evenly.
        for i in 0..count - points.len() {
            let along = |step: f64| {
                let s = (i as f64 * step).fract() * 2.0 - 1.0;
                s * 3.0 + s.powi(7) * 6.0
            };
            let sign = |bit: usize| if (i >> bit) & 1 == 0 { 1.0 } else { -1.0 };
            points.push(self.surface_point(
                along(0.754_877_666_246_692_7),
                along(0.569_840_290_998_053_2),
                [sign(0), sign(1), sign(2)],
            ));
        }
        points
    }

    /// Support of the section at height ζ: `max n1 x + n2 y` over the section, divided by ρ.
    fn section_support(&self, n: &Vector3<f64>, zeta: f64) -> f64 {
        let Shape { a, t, .. } = self.shape;
        norm(
            a[0] * (1.0 + t[0] * zeta) * n.x.abs(),
            a[1] * (1.0 + t[1] * zeta) * n.y.abs(),
            self.q[0],
        )
    }

    /// The same and its derivative by ζ, in which each of the two addends of the norm has the share of its power.
    fn section_support_and_slope(&self, n: &Vector3<f64>, zeta: f64) -> (f64, f64) {
        let Shape { a, t, .. } = self.shape;
        let tau = t.map(|t| 1.0 + t * zeta);
        let growth = [t[0] / tau[0], t[1] / tau[1]];
        let (u, v) = (a[0] * tau[0] * n.x.abs(), a[1] * tau[1] * n.y.abs());
        let (small, large, order) = if u < v {
            (u, v, [1, 0])
        } else {
            (v, u, [0, 1])
        };
        if large == 0.0 {
            return (0.0, 0.0);
        }
        let power = (small / large).powf(self.q[0]);
        let width = large * (power.ln_1p() / self.q[0]).exp();
        let mean = (growth[order[0]] + power * growth[order[1]]) / (1.0 + power);
        (width, width * mean)
    }

    /// Support function `h(n) = max over the body of n·x`, for any n (the hull's, therefore).
    pub fn support(&self, n: &Vector3<f64>) -> f64 {
        if self.shape.is_tapered() {
            self.tapered_support(n, &self.nodes).0
        } else {
            let w = self.section_support(n, 0.0);
            norm(w, self.shape.a[2] * n.z.abs(), self.q[1])
        }
    }

    /// The same by a search sixteen times denser, to test the density.
    pub fn support_dense(&self, n: &Vector3<f64>) -> f64 {
        self.tapered_support(n, &self.support_nodes(16)).0
    }

    /// A point of the surface with `n·x = h(n)` to rounding. Its position is as good as the
    /// square root of that where the surface is flat.
    pub fn support_point(&self, n: &Vector3<f64>) -> Vector3<f64> {
        let a = self.shape.a;
        let (zeta, rho) = if self.shape.is_tapered() {
            let (_, zeta, rho) = self.tapered_support(n, &self.nodes);
            (zeta, rho)
        } else {
            let (rho, zeta) = dual_point(self.section_support(n, 0.0), a[2] * n.z.abs(), self.q[1]);
            (zeta.copysign(n.z), rho)
        };
        let tau = self.shape.t.map(|t| 1.0 + t * zeta);
        let (xi, eta) = dual_point(
            a[0] * tau[0] * n.x.abs(),
            a[1] * tau[1] * n.y.abs(),
            self.q[0],
        );
        Vector3::new(
            (a[0] * tau[0] * rho * xi).copysign(n.x),
            (a[1] * tau[1] * rho * eta).copysign(n.y),
            a[2] * zeta,
        )
    }

    /// The samples `a3 n3 ζ + ρ(ζ) W(ζ)`, W the section's support, at the given heights. They
    /// only choose where to refine, so that τ^q may lose digits here.
    fn support_samples<'a>(
        &self,
        n: &Vector3<f64>,
        nodes: &'a [Node],
    ) -> impl Iterator<Item = f64> + use<'a> {
        let Shape { a, t, .. } = self.shape;
        let q = self.q[0];
        let slope = a[2] * n.z;
        let across = [a[0] * n.x.abs(), a[1] * n.y.abs()];
        let scale = across[0].max(across[1]);
        let weights = if scale > 0.0 {
            across.map(|w| (w / scale).powf(q))
        } else {
            [0.0; 2]
        };
        let equal = (t[0] == t[1]).then(|| (weights[0] + weights[1]).powf(1.0 / q));
        nodes.iter().map(move |k| {
            let width = match equal {
                Some(total) => total * (1.0 + t[0] * k.zeta),
                None => (weights[0] * k.tau_q[0] + weights[1] * k.tau_q[1]).powf(1.0 / q),
            };
            slope * k.zeta + k.rho * scale * width
        })
    }

    /// The support to about a hundredth, to choose directions worth a closer look.
    pub fn rough_support(&self, n: &Vector3<f64>) -> f64 {
        if self.shape.is_tapered() {
            self.support_samples(n, &self.nodes)
                .fold(f64::NEG_INFINITY, f64::max)
        } else {
            self.support(n)
        }
    }

    /// Maximises `a3 n3 ζ + ρ(ζ) W(ζ)` over all heights: every local maximum of the samples is
    /// refined between its neighbours, where the derivative by σ = log(|ζ|/ρ) falls through zero. That is
    /// `(a3 n3 + ρ W') ζ ρ^p2 − ρ W |ζ|^p2`, since `dζ/dσ = ζ ρ^p2` and `dρ/dσ = −ρ |ζ|^p2`. The logarithm of the quotient
    /// of the two addends, `log(±(a3 n3 + ρ W')/W) − (p2 − 1) σ`, has the same zeros, is nearly straight, and false
    /// position finds them in few steps. Returns (h, ζ, ρ).
    fn tapered_support(&self, n: &Vector3<f64>, nodes: &[Node]) -> (f64, f64, f64) {
        let slope = self.shape.a[2] * n.z;
        let t = self.shape.t;
        // For equal tapers W is proportional to τ.
        let equal = (t[0] == t[1]).then(|| self.section_support(n, 0.0));
        let value = |zeta: f64, rho: f64| {
            let width = match equal {
                Some(w) => w * (1.0 + t[0] * zeta),
                None => self.section_support(n, zeta),
            };
            slope * zeta + rho * width
        };

        let refined = |low: f64, high: f64, sign: f64| {
            let quotient = |sigma: f64| {
                let (zeta, rho) = circle(sigma, self.p[1]);
                let zeta = sign * zeta;
                let (width, widening) = match equal {
                    Some(w) => (w * (1.0 + t[0] * zeta), w * t[0]),
                    None => self.section_support_and_slope(n, zeta),
                };
                // Where the first addend is negative, as if it were zero.
                let first = (sign * (slope + rho * widening)).max(f64::MIN_POSITIVE);
                (first / width).ln() - (self.p[1] - 1.0) * sigma
            };
            local_maxima(low, high, quotient)
                .into_iter()
                .map(move |sigma| {
                    let (zeta, rho) = circle(sigma, self.p[1]);
                    (sign * zeta, rho)
                })
        };

        let values: Vec<f64> = self.support_samples(n, nodes).collect();
        let last = nodes.len() - 1;
        let mut best = (f64::NEG_INFINITY, 0.0, 0.0);
        let mut offer = |zeta: f64, rho: f64| {
            let h = value(zeta, rho);
            if h > best.0 {
                best = (h, zeta, rho);
            }
        };
        offer(-1.0, 0.0);
        offer(1.0, 0.0);
        for i in 1..last {
            if values[i] < values[i - 1] || values[i] < values[i + 1] {
                continue;
            }
            let k = nodes[i];
            offer(k.zeta, k.rho);
            // A local maximum at the equator may lie on either side of it.
            let sides: &[f64] = if k.sigma == f64::NEG_INFINITY {
                &[-1.0, 1.0]
            } else {
                &[k.zeta]
            };
            for side in sides {
                let sign = 1f64.copysign(*side);
                let ends =
                    [nodes[i - 1], k, nodes[i + 1]].map(|k| k.sigma.clamp(-SIGMA_END, SIGMA_END));
                let low = ends[0].min(ends[1]).min(ends[2]);
                let high = ends[0].max(ends[1]).max(ends[2]);
                refined(low, high, sign).for_each(|(zeta, rho)| offer(zeta, rho));
            }
        }
        // Maxima between a pole and its neighbour: the profile is vertical at the pole, so the
        // pole itself is beaten by points close to it unless n is along z.
        for (pole, next) in [(0, 1), (last, last - 1)] {
            if values[pole] >= values[next] {
                let sign = nodes[pole].zeta;
                refined(nodes[next].sigma, SIGMA_END, sign)
                    .for_each(|(zeta, rho)| offer(zeta, rho));
            }
        }
        best
    }
}

/// The point (u, v) of the unit circle of the p-norm that maximises `αu + βv`, α, β ≥ 0, given
/// the conjugate exponent q: `u : v = α^(q−1) : β^(q−1)`. Taken from the ratio it lies on the
/// circle whatever the rounding error of the power, and the sum is stationary there.
fn dual_point(alpha: f64, beta: f64, q: f64) -> (f64, f64) {
    if alpha == 0.0 && beta == 0.0 {
        return (1.0, 0.0);
    }
    circle((q - 1.0) * (alpha / beta).ln(), q / (q - 1.0))
}

/// Directions spread evenly over the sphere.
pub fn fibonacci_sphere(count: usize) -> Vec<Vector3<f64>> {
    let golden_angle = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / count as f64;
            let r = (1.0 - z * z).sqrt();
            let (sin, cos) = (golden_angle * i as f64).sin_cos();
            Vector3::new(r * cos, r * sin, z)
        })
        .collect()
}
