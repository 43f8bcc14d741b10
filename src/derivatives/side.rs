//! One side of a contact: how its witness point and its normal change along its own surface.
//!
//! In an orthonormal basis T of the tangent plane, a step y along the two surface coordinates of a side moves its
//! witness point by X y and turns its outward unit normal by N y, X and N 2×2. A smooth body has both; H = X N⁻¹ is the
//! Hessian of its support function and K = N X⁻¹ its shape operator, either of which may be infinite where X and N are
//! not. What is not smooth fits in as well:
//!
//! | side | X | N |
//! | --- | --- | --- |
//! | vertex: the point stays, the normal is free | 0 | 1 |
//! | edge along e: the point slides along e, the normal turns about it | e eᵀ | 1 − e eᵀ |
//! | face: the point slides, the normal stays | 1 | 0 |

use super::axes::in_plane;
use super::surface_point::SurfacePoint;
use nalgebra::{Matrix2, Matrix3x2, Vector2, Vector3};

/// A side of a contact in the common frame.
pub(super) struct ContactSide {
    /// The witness point, from A's origin.
    pub x: Vector3<f64>,
    /// Derivatives of the witness point (X) and of the outward normal (N) in the tangent plane.
    pub point: Matrix2<f64>,
    pub normal: Matrix2<f64>,
}

impl ContactSide {
    #[inline(always)]
    pub fn of_surface(
        at: &SurfacePoint,
        x: Vector3<f64>,
        tangents: &Matrix3x2<f64>,
    ) -> ContactSide {
        ContactSide {
            x,
            point: both_in_plane(&at.dx, tangents),
            normal: both_in_plane(&at.d_normal, tangents),
        }
    }

    pub fn of_feature(
        feature: ActiveFeature,
        x: Vector3<f64>,
        tangents: &Matrix3x2<f64>,
    ) -> ContactSide {
        let along = match feature {
            ActiveFeature::Vertex => Matrix2::zeros(),
            ActiveFeature::Edge(direction) => {
                let e: Vector2<f64> = in_plane(tangents, &direction).normalize();
                e * e.transpose()
            }
            ActiveFeature::Face(_) => Matrix2::identity(),
        };
        ContactSide {
            x,
            point: along,
            normal: Matrix2::identity() - along,
        }
    }
}

#[inline(always)]
fn both_in_plane(v: &[Vector3<f64>; 2], tangents: &Matrix3x2<f64>) -> Matrix2<f64> {
    let (a, b) = (in_plane(tangents, &v[0]), in_plane(tangents, &v[1]));
    Matrix2::new(a.x, b.x, a.y, b.y)
}

/// The part of a polytope, or of a half-space, on which a witness point lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ActiveFeature {
    /// A vertex.
    Vertex,
    /// An edge with its unit direction, in world axes.
    Edge(Vector3<f64>),
    /// A face with its outward unit normal, in world axes.
    Face(Vector3<f64>),
}

impl ActiveFeature {
    /// The outward unit normal of the feature that is nearest to the opposite of `n`.
    pub fn outward_normal(self, n: &Vector3<f64>) -> Vector3<f64> {
        match self {
            ActiveFeature::Vertex => -n,
            ActiveFeature::Edge(e) => (e * e.dot(n) - n).normalize(),
            ActiveFeature::Face(outward) => outward,
        }
    }

    /// The point nearest to `x` on the vertex, line or plane through the point `on` of the feature.
    pub fn nearest(self, on: &Vector3<f64>, x: &Vector3<f64>) -> Vector3<f64> {
        match self {
            ActiveFeature::Vertex => *on,
            ActiveFeature::Edge(e) => on + e * e.dot(&(x - on)),
            ActiveFeature::Face(outward) => x - outward * outward.dot(&(x - on)),
        }
    }
}
