//! Oriented boxes and the separating-axis test.
//!
//! Two convex bodies are disjoint when their projections onto some axis L are. For boxes, with the
//! centre difference t, axes A_i, B_j and half extents a_i, b_j, that is
//!
//! ```text
//! |t·L| > Σ a_i |A_i·L| + Σ b_j |B_j·L|
//! ```
//!
//! and it suffices to try the 15 axes A_i, B_j and A_i × B_j (Gottschalk, Lin and Manocha 1996).
//! In A's frame, with R = AᵀB, the test of A_i × B_j has no more than products of two numbers.
//!
//! The inequality proves separation for *every* vector L, also for the nearly vanishing cross
//! product of nearly parallel edges, as long as rounding does not make it true. Its rounding error
//! is proportional to |t| and the half extents and not to |L|, so a fixed slack covers every axis.

use crate::Superovoid;
use crate::surface::bounds::BOUND_ACCURACY;
use nalgebra::{Isometry3, Matrix3, Point3, UnitQuaternion, Vector3};

/// A box in any orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Centre, world frame, metres.
    pub center: Point3<f64>,
    /// From the box's axes to the world's.
    pub rotation: UnitQuaternion<f64>,
    /// Half of its edges along its own axes, metres.
    pub half_extents: Vector3<f64>,
}

impl Superovoid {
    /// The smallest box around the body at `pose` among those along the body's own axes, its half
    /// extents rounded up by a relative 1e-12. Its centre is the body's: a taper widens both sides
    /// alike.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// let body = superovoid::Superovoid::ellipsoid([1.0, 2.0, 3.0])?;
    /// let pose = Isometry3::rotation(Vector3::new(0.3, 0.2, 0.1)); // radians
    /// assert!((body.obb(&pose).half_extents - Vector3::new(1.0, 2.0, 3.0)).norm() < 1e-11);
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn obb(&self, pose: &Isometry3<f64>) -> Obb {
        Obb {
            center: pose.translation.vector.into(),
            rotation: pose.rotation,
            half_extents: self.local_aabb().max.coords * (1.0 + BOUND_ACCURACY),
        }
    }
}

impl Obb {
    /// Whether the boxes share a point. Gaps within the rounding of centres and half extents count
    /// as sharing one, so that boxes around bodies that meet always do.
    ///
    /// ```
    /// use nalgebra::{Isometry3, Vector3};
    /// let needle = superovoid::Superovoid::superellipsoid([1.0, 0.01, 0.01], [0.5, 0.5])?;
    /// let here = needle.obb(&Isometry3::identity());
    /// let turn = Vector3::z() * 0.7; // radians
    /// let at = |y| needle.obb(&Isometry3::new(Vector3::new(0.0, y, 0.0), turn));
    /// assert!(here.intersects(&at(0.02)) && !here.intersects(&at(0.7)));
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn intersects(&self, other: &Obb) -> bool {
        let mut meet = true;
        Overlap::new(self, other).gaps(|gap, _| {
            meet = gap <= 0.0;
            meet
        });
        meet
    }

    /// A lower bound of the distance (metres) between what two boxes hold: the widest gap that
    /// their projections onto the 15 axes leave, 0 if they meet. That is the distance of the boxes
    /// where a face or two edges are nearest; vertices nearest to vertices or edges can be farther
    /// apart.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// let body = superovoid::Superovoid::superellipsoid([1.0; 3], [0.1, 0.1])?;
    /// let at = |x| body.obb(&Isometry3::translation(x, 0.0, 0.0));
    /// assert!((at(0.0).distance_bound(&at(5.0)) - 3.0).abs() < 1e-10); // metres
    /// # Ok::<(), superovoid::ShapeError>(())
    /// ```
    pub fn distance_bound(&self, other: &Obb) -> f64 {
        let mut widest = 0.0_f64;
        Overlap::new(self, other).gaps(|gap, squared| {
            // Nearly parallel edges leave an axis of rounding, which the bound can do without.
            if squared > 1e-12 {
                widest = widest.max(gap / squared.sqrt());
            }
            true
        });
        widest
    }
}

/// Two boxes in the frame of the first.
struct Overlap {
    a: Vector3<f64>,
    b: Vector3<f64>,
    /// Centre of the second.
    t: Vector3<f64>,
    /// Its axes, as columns.
    r: Matrix3<f64>,
    slack: f64,
}

impl Overlap {
    fn new(first: &Obb, second: &Obb) -> Overlap {
        let to_first = first.rotation.inverse();
        let largest = |b: &Obb| b.center.coords.amax() + b.half_extents.amax();
        Overlap {
            a: first.half_extents,
            b: second.half_extents,
            t: to_first * (second.center - first.center),
            r: (to_first * second.rotation)
                .to_rotation_matrix()
                .into_inner(),
            slack: 32.0 * f64::EPSILON * (largest(first) + largest(second)),
        }
    }

    /// Calls `visit` with the gap on each axis L, multiplied by |L| and less the slack, and |L|²;
    /// until it returns false.
    fn gaps(&self, mut visit: impl FnMut(f64, f64) -> bool) {
        let Overlap { a, b, t, r, slack } = self;
        let abs = r.abs();
        for i in 0..3 {
            let reach = a[i] + abs.row(i).transpose().dot(b);
            if !visit(t[i].abs() - reach - slack, 1.0) {
                return;
            }
        }
        for j in 0..3 {
            let reach = abs.column(j).dot(a) + b[j];
            if !visit(t.dot(&r.column(j)).abs() - reach - slack, 1.0) {
                return;
            }
        }
        for i in 0..3 {
            // The other two axes of each box, in cyclic order.
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let across = t[i2] * r[(i1, j)] - t[i1] * r[(i2, j)];
                let reach_a = a[i1] * abs[(i2, j)] + a[i2] * abs[(i1, j)];
                let reach_b = b[j1] * abs[(i, j2)] + b[j2] * abs[(i, j1)];
                // |A_i × B_j|², of the two components that do not cancel.
                let squared = r[(i1, j)].powi(2) + r[(i2, j)].powi(2);
                if !visit(across.abs() - reach_a - reach_b - slack, squared) {
                    return;
                }
            }
        }
    }
}
