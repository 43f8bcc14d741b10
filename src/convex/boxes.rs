//! Two boxes: the least depth by their separating axes.
//!
//! S. Gottschalk, M. Lin, D. Manocha, *OBBTree* (1996). A face of the configuration space obstacle (CSO) of two boxes has the
//! normal of a face of one of them, or is across an edge of each. Its 15 normals n, each turned so that it leads from A to B,
//! with the half extents a and b, the rotation R from B's frame to A's and the offset t,
//!
//! ```text
//! g(n) = n·t − Σ a_i |n_i| − Σ b_j |n·R_j|
//! ```
//!
//! bound the distance from below, and where all are negative the largest is minus the least depth, exactly.
//!
//! The cross product of two edges that are nearly parallel has few digits: its g may be too low by their rounding over the sine
//! of the angle. Where that is more than the tolerance these axes decide nothing; edges that are parallel to rounding have no
//! face between them that another axis does not stand for.

use crate::narrowphase::convex_pair::Penetration;
use nalgebra::{Matrix3, Vector3};

/// What the axes say.
pub(super) enum Axes {
    /// A direction along which there is a gap of this length.
    Apart(Vector3<f64>, f64),
    /// The least depth, and by how much it may be less than that for rounding. The witnesses face each other, but where faces or
    /// edges are parallel one of them may be beside its box, or the other one.
    Overlap(Penetration, f64),
    /// Nothing.
    Unknown,
}

/// Edges whose sine is below this are parallel to rounding.
const PARALLEL: f64 = 1e-14;

/// Two boxes in the frame of the first.
pub(super) struct Boxes {
    pub half_a: Vector3<f64>,
    pub half_b: Vector3<f64>,
    /// The axes of B are the columns.
    pub rotation: Matrix3<f64>,
    pub offset: Vector3<f64>,
}

impl Boxes {
    /// Asks the axes; `rounding` and `tolerance` are those of the pair.
    pub fn ask(&self, rounding: f64, tolerance: f64) -> Axes {
        let Boxes {
            half_a,
            half_b,
            rotation: r,
            offset: t,
        } = self;
        let size = r.abs();
        let in_b = r.tr_mul(t);
        let mut best = (f64::NEG_INFINITY, Axis::FaceA(0));
        for i in 0..3 {
            let reach = size[(i, 0)] * half_b.x + size[(i, 1)] * half_b.y + size[(i, 2)] * half_b.z;
            let gap = t[i].abs() - half_a[i] - reach;
            if gap > best.0 {
                best = (gap, Axis::FaceA(i));
            }
        }
        for j in 0..3 {
            let reach = size[(0, j)] * half_a.x + size[(1, j)] * half_a.y + size[(2, j)] * half_a.z;
            let gap = in_b[j].abs() - half_b[j] - reach;
            if gap > best.0 {
                best = (gap, Axis::FaceB(j));
            }
        }
        let mut doubt = 2.0 * rounding;
        for i in 0..3 {
            let (u, v) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                // The axis e_i × R_j has the components −r_vj along u and r_uj along v.
                let sine = r[(u, j)].hypot(r[(v, j)]);
                if sine < PARALLEL {
                    continue;
                }
                doubt = doubt.max(2.0 * rounding / sine);
                let (k, l) = ((j + 1) % 3, (j + 2) % 3);
                let along = r[(u, j)] * t[v] - r[(v, j)] * t[u];
                let reach = half_a[u] * size[(v, j)]
                    + half_a[v] * size[(u, j)]
                    + half_b[k] * size[(i, l)]
                    + half_b[l] * size[(i, k)];
                let gap = (along.abs() - reach) / sine;
                // Edges across each other may have the normal of a face again, which has the better witnesses.
                if gap > best.0 + rounding {
                    best = (gap, Axis::Edges(i, j));
                }
            }
        }
        let (gap, axis) = best;
        if doubt > 0.1 * tolerance {
            return Axes::Unknown;
        }
        let n = self.normal(axis);
        if gap > doubt {
            return Axes::Apart(n, gap - doubt);
        }
        if gap > -doubt {
            return Axes::Unknown;
        }
        let [xa, xb] = self.witnesses(axis, &n, gap);
        let normal = n;
        Axes::Overlap(
            Penetration {
                normal,
                gap,
                xa,
                xb,
            },
            doubt,
        )
    }

    /// Returns the unit normal of an axis, turned towards B.
    fn normal(&self, axis: Axis) -> Vector3<f64> {
        let n = match axis {
            Axis::FaceA(i) => Vector3::ith(i, 1.0),
            Axis::FaceB(j) => self.rotation.column(j).into_owned(),
            Axis::Edges(i, j) => Vector3::ith(i, 1.0)
                .cross(&self.rotation.column(j))
                .normalize(),
        };
        n * 1.0_f64.copysign(n.dot(&self.offset))
    }

    /// Returns points of both boxes at the depth −gap along n.
    fn witnesses(&self, axis: Axis, n: &Vector3<f64>, gap: f64) -> [Vector3<f64>; 2] {
        let toward = self.rotation.tr_mul(n);
        let corner_a = self.half_a.zip_map(n, |half: f64, n: f64| half.copysign(n));
        let corner_b = self
            .half_b
            .zip_map(&toward, |half: f64, n: f64| half.copysign(-n));
        let in_a = |corner: Vector3<f64>| self.rotation * corner + self.offset;
        match axis {
            Axis::FaceA(_) => {
                let xb = in_a(corner_b);
                [xb - n * gap, xb]
            }
            Axis::FaceB(_) => [corner_a, corner_a + n * gap],
            Axis::Edges(i, j) => {
                // The nearest points of both edges, from their middles.
                let (mut p, mut q) = (corner_a, corner_b);
                (p[i], q[j]) = (0.0, 0.0);
                let q = in_a(q);
                let (e, f) = (Vector3::ith(i, 1.0), self.rotation.column(j).into_owned());
                let (way, cosine) = (q - p, e.dot(&f));
                let across = 1.0 - cosine * cosine;
                let s = (e.dot(&way) - cosine * f.dot(&way)) / across;
                let u = (cosine * e.dot(&way) - f.dot(&way)) / across;
                let s = s.clamp(-self.half_a[i], self.half_a[i]);
                let u = u.clamp(-self.half_b[j], self.half_b[j]);
                [p + e * s, q + f * u]
            }
        }
    }

    /// Whether both points are in their boxes.
    pub fn hold(&self, [xa, xb]: [&Vector3<f64>; 2], slack: f64) -> bool {
        let within =
            |x: &Vector3<f64>, half: &Vector3<f64>| (0..3).all(|k| x[k].abs() <= half[k] + slack);
        within(xa, &self.half_a) && within(&self.rotation.tr_mul(&(xb - self.offset)), &self.half_b)
    }
}

#[derive(Clone, Copy)]
enum Axis {
    FaceA(usize),
    FaceB(usize),
    Edges(usize, usize),
}
