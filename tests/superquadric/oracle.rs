//! The bodies once more, from their definitions: plain powers and dense samples.

use nalgebra::{Point3, Vector3};
use rand::{Rng, RngExt};
use superovoid::superquadric::{Family, Sheets, Superquadric};

/// A body of the tests, with the numbers that it was made of.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub shape: Superquadric,
    pub a: [f64; 3],
    pub p: [f64; 2],
    /// The height of the caps, or the radius of the ring.
    pub extent: f64,
}

pub const FAMILIES: [Family; 5] = [
    Family::OneSheet,
    Family::TwoSheets(Sheets::Both),
    Family::TwoSheets(Sheets::Upper),
    Family::TwoSheets(Sheets::Lower),
    Family::Toroid,
];

impl Body {
    pub fn new(family: Family, a: [f64; 3], e: [f64; 2], extent: f64) -> Self {
        let shape = match family {
            Family::OneSheet => Superquadric::one_sheet(a, e, extent),
            Family::TwoSheets(sheets) => Superquadric::two_sheets(a, e, extent, sheets),
            Family::Toroid => Superquadric::toroid(a, e, extent),
        };
        Body {
            shape: shape.unwrap(),
            a,
            p: e.map(|e| 2.0 / e),
            extent,
        }
    }

    /// Draws a body with semi-axes from 0.5 to 2 and exponents from `low` to `2 − low`.
    pub fn random(family: Family, low: f64, random: &mut impl Rng) -> Self {
        let a = [0; 3].map(|_| random.random_range(0.5..2.0));
        let e = [0; 2].map(|_| random.random_range(low..2.0 - low));
        let extent = match family {
            Family::OneSheet => random.random_range(0.3..2.5),
            _ => random.random_range(1.1..3.0),
        };
        Body::new(family, a, e, extent)
    }

    /// The profile's ρ at the height ζ, outermost.
    pub fn rho(&self, zeta: f64) -> f64 {
        let (p, z) = (self.p[1], zeta.abs());
        match self.shape.family() {
            Family::OneSheet => (1.0 + z.powf(p)).powf(1.0 / p),
            Family::TwoSheets(_) => (z.powf(p) - 1.0).max(0.0).powf(1.0 / p),
            Family::Toroid => self.extent + (1.0 - z.powf(p)).max(0.0).powf(1.0 / p),
        }
    }

    /// The body's own height of ζ: that of an upper sheet.
    fn lifted(&self, zeta: f64) -> f64 {
        match self.shape.family() {
            Family::TwoSheets(Sheets::Upper) => zeta,
            Family::TwoSheets(Sheets::Lower) => -zeta,
            _ => zeta.abs(),
        }
    }

    /// The radial coordinate N of a point.
    pub fn n(&self, x: &Vector3<f64>) -> f64 {
        let p = self.p[0];
        let (u, v) = ((x.x / self.a[0]).abs(), (x.y / self.a[1]).abs());
        let large = u.max(v);
        if large == 0.0 {
            return 0.0;
        }
        large * ((u / large).powf(p) + (v / large).powf(p)).powf(1.0 / p)
    }

    /// How far, in ρ and ζ, a point is outside (positive) or inside, up to a factor that is never zero.
    pub fn outside(&self, x: &Vector3<f64>) -> f64 {
        let (n, zeta) = (self.n(x), self.lifted(x.z / self.a[2]));
        match self.shape.family() {
            Family::OneSheet => (n - self.rho(zeta)).max(zeta - self.extent),
            Family::TwoSheets(_) => {
                let p = self.p[1];
                let sheet = if n > 1.0 {
                    n * (1.0 + n.powf(-p)).powf(1.0 / p)
                } else {
                    (1.0 + n.powf(p)).powf(1.0 / p)
                };
                (sheet - zeta).max(zeta - self.extent)
            }
            Family::Toroid => {
                let p = self.p[1];
                let (c, z) = ((n - self.extent).abs(), zeta.abs());
                let large = c.max(z);
                if large == 0.0 {
                    return -1.0;
                }
                large * ((c / large).powf(p) + (z / large).powf(p)).powf(1.0 / p) - 1.0
            }
        }
    }

    /// The half-widths of a box about the origin that holds the body.
    pub fn half_widths(&self) -> Vector3<f64> {
        let (rim, top) = match self.shape.family() {
            Family::Toroid => (self.extent + 1.0, 1.0),
            _ => (self.rho(self.extent), self.extent),
        };
        Vector3::new(self.a[0] * rim, self.a[1] * rim, self.a[2] * top)
    }

    /// A point of the section circle in the direction of an angle about the centre.
    pub fn section(&self, angle: f64) -> [f64; 2] {
        let (s, c) = angle.sin_cos();
        let p = self.p[0];
        let r = (c.abs().powf(p) + s.abs().powf(p)).powf(1.0 / p);
        [c / r, s / r]
    }
}

/// Samples of the surface of a toroid or a neck, and how far a point of it is from the next one at most.
pub fn samples(body: &Body, count: usize) -> (Vec<Point3<f64>>, f64) {
    let tau = std::f64::consts::TAU;
    let rim = body.half_widths().x / body.a[0];
    let profile = |t: f64| match body.shape.family() {
        Family::Toroid => {
            let (s, c) = (tau * t).sin_cos();
            let r = (c.abs().powf(body.p[1]) + s.abs().powf(body.p[1])).powf(1.0 / body.p[1]);
            (body.extent + c / r, s / r)
        }
        // Up from the middle of a cap to its rim, along the profile, and back on the other cap.
        _ => match t {
            _ if t < 0.25 => (rim * t / 0.25, -body.extent),
            _ if t > 0.75 => (rim * (1.0 - t) / 0.25, body.extent),
            _ => {
                let zeta = body.extent * (4.0 * t - 2.0);
                (body.rho(zeta), zeta)
            }
        },
    };
    let share = |k: usize| k as f64 / count as f64;
    let at = |i: usize, j: usize| {
        let ([xi, eta], (rho, zeta)) = (body.section(tau * share(i)), profile(share(j)));
        Point3::from(Vector3::new(rho * xi, rho * eta, zeta).component_mul(&Vector3::from(body.a)))
    };
    let mut width: f64 = 0.0;
    for (i, j) in (0..count * count).map(|k| (k / count, k % count)) {
        for end in [at(i + 1, j), at(i, j + 1), at(i + 1, j + 1)] {
            width = width.max((at(i, j) - end).norm());
        }
    }
    let all = (0..=count).flat_map(|j| (0..count).map(move |i| (i, j)));
    (all.map(|(i, j)| at(i, j)).collect(), width)
}

/// The volume, first and second moments of a mesh's solid, by its tetrahedra over the origin: ∫1, ∫z, ∫x², ∫y², ∫z².
pub fn mesh_moments(vertices: &[Point3<f64>], triangles: &[[u32; 3]]) -> [f64; 5] {
    let mut sums = [0.0; 5];
    for t in triangles {
        let [a, b, c] = t.map(|i| vertices[i as usize].coords);
        let v = a.dot(&b.cross(&c)) / 6.0;
        let sum = a + b + c;
        let square = |k: usize| (a[k] * a[k] + b[k] * b[k] + c[k] * c[k] + sum[k] * sum[k]) / 20.0;
        for (total, part) in
            sums.iter_mut()
                .zip([1.0, sum.z / 4.0, square(0), square(1), square(2)])
        {
            *total += v * part;
        }
    }
    sums
}
