//! Mass properties of the solid body, in closed form by Dirichlet's integrals.
//!
//! The section at height a3 ζ is a p1-circle of half-widths A = a1 τx ρ and B = a2 τy ρ, and
//! Dirichlet's integral over the unit p-circle gives its even moments
//!
//! ```text
//! ∫ x^i y^j dA = A^(i+1) B^(j+1) K_ij,   K_ij = (4/p1²) Γ((i+1)/p1) Γ((j+1)/p1) / Γ(1 + (i+j+2)/p1)
//! ```
//!
//! (the odd ones vanish). The rest is a polynomial in ζ from the tapers times a power of ρ = (1 − |ζ|^p2)^(1/p2), of
//! which again only the even powers count:
//!
//! ```text
//! M_kj = ∫ ζ^k ρ^j dζ = (2/p2) B((k+1)/p2, 1 + j/p2)   over [−1, 1]
//! ```

use crate::Superovoid;
use nalgebra::{Matrix3, Point3, Vector3};

/// The mass properties of a solid body of density 1 kg/m³, in its own frame. For another density volume and inertia
/// are multiplied by it. Values that exceed the number range are infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// The volume, cubic metres; at unit density also the mass, kilograms.
    pub volume: f64,
    /// The centre of mass, metres. Tapers move it along z, towards the wider end.
    pub center_of_mass: Point3<f64>,
    /// The inertia tensor about the centre of mass, kg m². By symmetry it is diagonal.
    pub inertia: Matrix3<f64>,
}

impl Superovoid {
    /// Returns the volume, cubic metres, in closed form.
    pub fn volume(&self) -> f64 {
        let sections = profile_moment(self.e[1], 0, 2)
            + self.t[0] * self.t[1] * profile_moment(self.e[1], 2, 2);
        // The longest semi-axis is multiplied with the shortest first, so that no product leaves the number range
        // before the result does.
        let mut a = self.a;
        a.sort_by(f64::total_cmp);
        a[0] * a[2] * a[1] * section_moment(self.e[0], 0, 0) * sections
    }

    /// Returns volume, centre of mass and inertia tensor, in closed form: with the product of the half-widths τx τy =
    /// 1 + (tx + ty) ζ + tx ty ζ²
    ///
    /// ```text
    /// V      = a1 a2 a3  K00 ( M02 + tx ty M22 )
    /// ∫ z dV = a1 a2 a3² K00 (tx + ty) M22
    /// ∫ z²dV = a1 a2 a3³ K00 ( M22 + tx ty M42 )
    /// ∫ x²dV = a1³ a2 a3 K20 ( M04 + 3 tx (tx + ty) M24 + tx³ ty M44 )
    /// ```
    ///
    /// and ∫ y²dV likewise.
    ///
    /// ```
    /// let ball = superovoid::Superovoid::sphere(1.0)?.mass_properties();
    /// assert!((ball.inertia[(0, 0)] / ball.volume - 0.4).abs() < 1e-14);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn mass_properties(&self) -> MassProperties {
        let [a1, a2, a3] = self.a;
        let [tx, ty] = self.t;
        let m = |k, j| profile_moment(self.e[1], k, j);

        let volume = self.volume();
        // The moments are taken relative to V, so that only the results can overflow.
        let sections = m(0, 2) + tx * ty * m(2, 2);
        let z = a3 * (tx + ty) * m(2, 2) / sections;
        let z2 = a3 * a3 * (m(2, 2) + tx * ty * m(4, 2)) / sections;
        let square = |a: f64, own: f64, other: f64| {
            let moment =
                m(0, 4) + 3.0 * own * (own + other) * m(2, 4) + own.powi(3) * other * m(4, 4);
            a * a * moment / sections
                * (section_moment(self.e[0], 2, 0) / section_moment(self.e[0], 0, 0))
        };
        let (x2, y2) = (square(a1, tx, ty), square(a2, ty, tx));
        let about_center = z2 - z * z;
        let principal = Vector3::new(y2 + about_center, x2 + about_center, x2 + y2);
        MassProperties {
            volume,
            center_of_mass: Point3::new(0.0, 0.0, z),
            inertia: Matrix3::from_diagonal(&(principal * volume)),
        }
    }
}

/// Returns K_ij of the module's formula for the exponent e1 = 2/p1, for even i and j.
pub(crate) fn section_moment(e1: f64, i: u8, j: u8) -> f64 {
    // 1/p1 = e1/2.
    let [x, y] = [i, j].map(|k| 0.5 * e1 * (f64::from(k) + 1.0));
    let ln = libm::lgamma(x) + libm::lgamma(y) - libm::lgamma(1.0 + x + y);
    e1 * e1 * ln.exp()
}

/// Returns M_kj of the module's formula for the exponent e2 = 2/p2, for even k.
pub(crate) fn profile_moment(e2: f64, k: u8, j: u8) -> f64 {
    let (x, y) = (
        0.5 * e2 * (f64::from(k) + 1.0),
        1.0 + 0.5 * e2 * f64::from(j),
    );
    e2 * (libm::lgamma(x) + libm::lgamma(y) - libm::lgamma(x + y)).exp()
}
