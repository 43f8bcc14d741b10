//! The surface: implicit and parametric form, normals, bounding box.

use crate::Aabb;
use crate::shape::circle::{Circle, norm, signed_power};
use crate::superquadric::profile::ProfilePoint;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use nalgebra::{Point3, Unit, Vector3};

/// The parameters of a point of the curved surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SurfaceParameters {
    /// The angle around z, radians.
    pub phi: f64,
    /// The parameter of the profile. Of a toroid it is the angle around the tube, 0 outermost and π innermost. Of a
    /// hyperboloid it is the argument of cosh and sinh: 0 at the neck or the tip, positive above it; of one sheet
    /// alone its sign does not matter. It is at most [`Superquadric::largest_parameter`] in size.
    pub s: f64,
}

impl Superquadric {
    /// Returns the norm form of the inside-outside function at a point of the body's frame, metres: negative inside,
    /// zero on the surface, caps included, positive outside. It has no unit, and grows like the distance far out. With
    /// `N = (|x/a1|^p1 + |y/a2|^p1)^(1/p1)` and ζ = z/a3 it is
    ///
    /// ```text
    /// one sheet    max( N − ‖(1, ζ)‖, |ζ| − height )
    /// two sheets   max( ‖(1, N)‖ − |ζ|, |ζ| − height )       of one sheet, ζ or −ζ for |ζ|
    /// toroid       ‖(N − ring, ζ)‖ − 1                        ‖·‖ the p2-norm
    /// ```
    ///
    /// ```
    /// use nalgebra::Point3;
    /// use superovoid::superquadric::Superquadric;
    /// let ring = Superquadric::toroid([1.0; 3], [1.0, 1.0], 3.0)?;
    /// assert_eq!(ring.inside_outside(&Point3::new(3.0, 0.0, 0.5)), -0.5);
    /// assert_eq!(ring.inside_outside(&Point3::origin()), 2.0);
    /// # Ok::<(), superovoid::superquadric::SuperquadricError>(())
    /// ```
    pub fn inside_outside(&self, point: &Point3<f64>) -> f64 {
        let n = norm(point.x / self.a[0], point.y / self.a[1], self.p[0]);
        self.implicit(n, point.z / self.a[2])
    }

    /// Returns the norm form in the half-plane of the profile.
    pub(crate) fn implicit(&self, n: f64, zeta: f64) -> f64 {
        let p = self.p[1];
        match self.family {
            Family::Toroid => norm(n - self.extent, zeta, p) - 1.0,
            Family::OneSheet => (n - norm(1.0, zeta, p)).max(zeta.abs() - self.extent),
            Family::TwoSheets(sheets) => {
                let height = match sheets {
                    Sheets::Both => zeta.abs(),
                    Sheets::Upper => zeta,
                    Sheets::Lower => -zeta,
                };
                (norm(1.0, n, p) - height).max(height - self.extent)
            }
        }
    }

    /// Returns the point of the curved surface with the given parameters, in the body's frame, metres.
    pub fn point_at(&self, at: SurfaceParameters) -> Point3<f64> {
        self.point_of(&self.section_at(at.phi), &self.profile_at(at.s))
            .into()
    }

    /// Returns the outward unit normal of the curved surface there, in the body's frame.
    pub fn normal_at(&self, at: SurfaceParameters) -> Unit<Vector3<f64>> {
        self.normal_of(&self.section_at(at.phi), &self.profile_at(at.s))
    }

    /// Returns the smallest box along the axes of the body's frame that holds the body, metres.
    pub fn aabb(&self) -> Aabb {
        let [x, y, z] = self.half_widths();
        let (low, high) = match self.family {
            Family::TwoSheets(Sheets::Upper) => (self.a[2], z),
            Family::TwoSheets(Sheets::Lower) => (-z, -self.a[2]),
            _ => (-z, z),
        };
        Aabb {
            min: Point3::new(-x, -y, low),
            max: Point3::new(x, y, high),
        }
    }

    pub(crate) fn point_of(&self, section: &Circle, profile: &ProfilePoint) -> Vector3<f64> {
        Vector3::new(
            self.a[0] * profile.rho * section.u,
            self.a[1] * profile.rho * section.v,
            self.a[2] * profile.zeta,
        )
    }

    pub(crate) fn normal_of(&self, section: &Circle, profile: &ProfilePoint) -> Unit<Vector3<f64>> {
        // The semi-axes are compared first, so that no quotient leaves the number range.
        let least = self.a[0].min(self.a[1]).min(self.a[2]);
        let n = Vector3::new(
            profile.out * section.u_dual * (least / self.a[0]),
            profile.out * section.v_dual * (least / self.a[1]),
            profile.up * (least / self.a[2]),
        );
        let largest = n.amax();
        Unit::new_normalize(if largest > 0.0 {
            n / largest
        } else {
            Vector3::z()
        })
    }

    fn section_at(&self, phi: f64) -> Circle {
        let (sin, cos) = phi.sin_cos();
        let e = self.e[0];
        Circle {
            u: signed_power(cos, e),
            v: signed_power(sin, e),
            u_dual: signed_power(cos, 2.0 - e),
            v_dual: signed_power(sin, 2.0 - e),
        }
    }
}
