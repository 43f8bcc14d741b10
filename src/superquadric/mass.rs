//! Mass properties of the solid bodies: of toroids in closed form, of hyperboloids by quadrature.
//!
//! With the moments K_ij of the section and M_kj of a superovoid's profile,
//!
//! ```text
//! toroid       V = 4 b a1 a2 a3 K00 M01      ∫x² = 8 b a1³ a2 a3 K20 (b² M01 + M03)      ∫z² = 4 b a1 a2 a3³ K00 M21
//! hyperboloid  V = a1 a2 a3 K00 ∫ρ² dζ       ∫x² = a1³ a2 a3 K20 ∫ρ⁴ dζ                  ∫z² = a1 a2 a3³ K00 ∫ρ² ζ² dζ
//! ```
//!
//! since a ring between ρ = b − c and b + c has `(b + c)² − (b − c)² = 4 b c` and `(b + c)⁴ − (b − c)⁴ = 8 b c (b² + c²)`.

use crate::MassProperties;
use crate::shape::circle::norm;
use crate::superquadric::quadrature::integral;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::superquadric::sheet::sheet_radius;
use crate::surface::mass::{profile_moment, section_moment};
use nalgebra::{Matrix3, Point3, Vector3};

/// The integrals over ζ of the powers of ρ, of the whole body.
struct Moments {
    /// ∫ρ² dζ.
    area: f64,
    /// ∫ρ² ζ dζ over it.
    height: f64,
    /// ∫ρ² ζ² dζ over it.
    height2: f64,
    /// ∫ρ⁴ dζ over it.
    radius2: f64,
}

impl Superquadric {
    /// Returns the volume, cubic metres.
    pub fn volume(&self) -> f64 {
        self.volume_by(&self.moments())
    }

    fn volume_by(&self, moments: &Moments) -> f64 {
        // The longest semi-axis is multiplied with the shortest first, so that no product leaves the number range
        // before the result does.
        let mut a = self.a;
        a.sort_by(f64::total_cmp);
        a[0] * a[2] * a[1] * section_moment(self.e[0], 0, 0) * moments.area
    }

    /// Returns volume, centre of mass and inertia tensor of the solid body of density 1 kg/m³: of a toroid in closed form,
    /// of hyperboloids to a relative 1e-12.
    ///
    /// ```
    /// use superovoid::superquadric::Superquadric;
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?.mass_properties(); // radii 2 and 0.5
    /// let volume = 2.0 * std::f64::consts::PI.powi(2) * 2.0 * 0.25;
    /// assert!((ring.volume / volume - 1.0).abs() < 1e-14);
    /// assert!((ring.inertia[(2, 2)] / volume - (4.0 + 0.75 * 0.25)).abs() < 1e-12);
    /// # Ok::<(), superovoid::superquadric::SuperquadricError>(())
    /// ```
    pub fn mass_properties(&self) -> MassProperties {
        let moments = self.moments();
        let [a1, a2, a3] = self.a;
        let volume = self.volume_by(&moments);
        let shape = section_moment(self.e[0], 2, 0) / section_moment(self.e[0], 0, 0);
        let [x2, y2] = [a1, a2].map(|a| a * a * shape * moments.radius2);
        let z = a3 * moments.height;
        let about_center = a3 * a3 * moments.height2 - z * z;
        let principal = Vector3::new(y2 + about_center, x2 + about_center, x2 + y2);
        MassProperties {
            volume,
            center_of_mass: Point3::new(0.0, 0.0, z),
            inertia: Matrix3::from_diagonal(&(principal * volume)),
        }
    }

    fn moments(&self) -> Moments {
        match self.family {
            Family::Toroid => self.toroid_moments(),
            Family::OneSheet => {
                let p = self.p[1];
                // The profile bends at |ζ| = 1 where p is large.
                let inner = self.extent.min(1.0);
                let radius = |zeta: f64| norm(1.0, zeta, p);
                let pieces = [(0.0, inner), (inner, self.extent - inner)];
                self.hyperboloid_moments(&pieces, 2.0, 0.0, |low, above| radius(low + above))
            }
            Family::TwoSheets(sheets) => {
                let p = self.p[1];
                let middle = self.extent.min(2.0) - 1.0;
                let pieces = [(1.0, middle), (1.0 + middle, self.extent - 1.0 - middle)];
                let (count, side) = match sheets {
                    Sheets::Both => (2.0, 0.0),
                    Sheets::Upper => (1.0, 1.0),
                    Sheets::Lower => (1.0, -1.0),
                };
                self.hyperboloid_moments(&pieces, count, side, |low, above| {
                    radius_above(low, above, p)
                })
            }
        }
    }

    fn toroid_moments(&self) -> Moments {
        let (b, e) = (self.extent, self.e[1]);
        let m01 = profile_moment(e, 0, 1);
        Moments {
            area: 4.0 * b * m01,
            height: 0.0,
            height2: profile_moment(e, 2, 1) / m01,
            radius2: 2.0 * (b * b + profile_moment(e, 0, 3) / m01),
        }
    }

    /// Returns the moments of a body of `count` equal halves, whose first moment is `side` times that of one; `pieces` are
    /// lower ends and lengths, `radius` is given a lower end and the height above it.
    fn hyperboloid_moments(
        &self,
        pieces: &[(f64, f64)],
        count: f64,
        side: f64,
        radius: impl Fn(f64, f64) -> f64,
    ) -> Moments {
        // In units of the largest ρ and ζ, so that no power overflows before the results do.
        let (rim, top) = (self.rim, self.extent);
        let over = |power: i32, height: i32| -> f64 {
            pieces
                .iter()
                .filter(|(_, length)| *length > 0.0)
                .map(|&(low, length)| {
                    integral(length, |above, _| {
                        (radius(low, above) / rim).powi(power) * ((low + above) / top).powi(height)
                    })
                })
                .sum()
        };
        let area = over(2, 0);
        Moments {
            area: count * area * rim * rim,
            height: side * top * over(2, 1) / area,
            height2: top * top * over(2, 2) / area,
            radius2: rim * rim * over(4, 0) / area,
        }
    }
}

/// Returns ρ of a sheet of two at the height `low + above`, without cancellation where that is near 1.
fn radius_above(low: f64, above: f64, p: f64) -> f64 {
    if low != 1.0 {
        return sheet_radius(low + above, p);
    }
    (1.0 + above) * (-(-p * above.ln_1p()).exp_m1()).powf(1.0 / p)
}
