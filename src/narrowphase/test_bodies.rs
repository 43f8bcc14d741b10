//! Balls and axis-aligned boxes, whose distances have closed forms, for the unit tests of this room.

use crate::narrowphase::convex_pair::{ConvexPair, Penetration, SupportPair};
use crate::surface::curvature::ANGLES;
use nalgebra::Vector3;

/// A body about its own origin.
#[derive(Clone, Copy)]
pub(crate) enum Body {
    /// A ball of a radius.
    Ball(f64),
    /// A box of half extents.
    Cuboid([f64; 3]),
}

use Body::{Ball, Cuboid};

impl Body {
    fn support(&self, n: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Ball(radius) => n.normalize() * *radius,
            Cuboid(half) => Vector3::from_fn(|i, _| half[i].copysign(n[i])),
        }
    }

    fn gauge(&self, x: &Vector3<f64>) -> f64 {
        match self {
            Ball(radius) => x.norm() / radius,
            Cuboid(half) => (0..3).map(|i| x[i].abs() / half[i]).fold(0.0, f64::max),
        }
    }

    fn inner_radius(&self) -> f64 {
        match self {
            Ball(radius) => *radius,
            Cuboid(half) => half.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }

    fn outward_normal(&self, x: &Vector3<f64>) -> Vector3<f64> {
        match self {
            Ball(_) => *x,
            Cuboid(half) => {
                let face = (0..3)
                    .max_by(|&i, &j| (x[i].abs() / half[i]).total_cmp(&(x[j].abs() / half[j])));
                let axis = face.unwrap_or(0);
                Vector3::ith(axis, 1.0_f64.copysign(x[axis]))
            }
        }
    }

    fn least_radius(&self) -> f64 {
        match self {
            Ball(radius) => *radius,
            Cuboid(_) => 0.0,
        }
    }
}

/// A at the origin and B at a centre.
pub(crate) struct BodyPair {
    pub a: Body,
    pub b: Body,
    pub center: Vector3<f64>,
}

pub(crate) const TOLERANCE: f64 = 1e-9;

impl ConvexPair for BodyPair {
    fn support_pair(&self, n: &Vector3<f64>) -> SupportPair {
        let xa = self.a.support(n);
        let xb = self.center + self.b.support(&-n);
        SupportPair {
            gap: n.dot(&(xb - xa)),
            xa,
            xb,
        }
    }

    fn center(&self) -> &Vector3<f64> {
        &self.center
    }

    fn inner_radii(&self) -> [f64; 2] {
        [self.a.inner_radius(), self.b.inner_radius()]
    }

    fn tolerance(&self) -> f64 {
        TOLERANCE
    }

    fn rounding(&self) -> f64 {
        1e-14
    }

    fn gauge_a(&self, x: &Vector3<f64>) -> f64 {
        self.a.gauge(x)
    }

    fn gauge_b(&self, x: &Vector3<f64>) -> f64 {
        self.b.gauge(&(x - self.center))
    }

    fn outward_normals(
        &self,
        xa: &Vector3<f64>,
        xb: &Vector3<f64>,
        _: &Vector3<f64>,
    ) -> Option<[Vector3<f64>; 2]> {
        Some([
            self.a.outward_normal(xa),
            self.b.outward_normal(&(xb - self.center)),
        ])
    }

    fn smaller_size(&self) -> f64 {
        1.0
    }

    fn face_axes(&self) -> [Vector3<f64>; 6] {
        std::array::from_fn(|k| Vector3::ith(k % 3, 1.0))
    }

    fn takes_support_points(&self) -> bool {
        true
    }

    fn rolling_ball(&self) -> f64 {
        self.a.least_radius() + self.b.least_radius()
    }

    fn normal_rounding(&self) -> f64 {
        1e-14
    }

    fn least_radii_within(&self, _: [f64; ANGLES], _: &Vector3<f64>) -> [f64; ANGLES] {
        [self.rolling_ball(); ANGLES]
    }

    fn sharpen(&self, _: &Vector3<f64>, _: f64, _: &mut u32) -> Option<Penetration> {
        None
    }
}

/// Pairs that are apart, with their distances.
pub(crate) fn apart() -> Vec<(BodyPair, f64)> {
    let pair = |a, b, center: [f64; 3], distance| {
        let center = Vector3::from(center);
        (BodyPair { a, b, center }, distance)
    };
    vec![
        pair(Ball(1.0), Ball(0.5), [3.0, 0.0, 0.0], 1.5),
        pair(Ball(1.0), Ball(2.0), [3.0, 4.0, 0.0], 2.0),
        // Face to face, edge to edge, vertex to vertex.
        pair(
            Cuboid([1.0; 3]),
            Cuboid([0.5, 1.0, 2.0]),
            [0.2, 0.3, 4.0],
            1.0,
        ),
        pair(Cuboid([1.0; 3]), Cuboid([1.0; 3]), [5.0, 6.0, 0.5], 5.0),
        pair(Cuboid([1.0; 3]), Cuboid([1.0; 3]), [3.0, 4.0, 4.0], 3.0),
        // A ball above a face and off a vertex.
        pair(Cuboid([1.0; 3]), Ball(0.5), [0.3, -0.2, 2.0], 0.5),
        pair(Cuboid([1.0; 3]), Ball(0.5), [2.0, 3.0, 3.0], 2.5),
        // Nearly touching, and a needle.
        pair(Ball(1.0), Ball(1.0), [0.0, 2.0 + 1e-6, 0.0], 1e-6),
        pair(Cuboid([1e-3, 1.0, 1.0]), Ball(1.0), [1.5, 0.1, 0.2], 0.499),
    ]
}

/// Pairs that overlap, with their least depths.
pub(crate) fn overlapping() -> Vec<(BodyPair, f64)> {
    let pair = |a, b, center: [f64; 3], depth| {
        let center = Vector3::from(center);
        (BodyPair { a, b, center }, depth)
    };
    vec![
        pair(Ball(1.0), Ball(0.5), [1.0, 0.0, 0.0], 0.5),
        pair(Ball(1.0), Ball(2.0), [0.1, 0.2, -0.2], 2.7),
        pair(Cuboid([1.0; 3]), Cuboid([1.0; 3]), [0.3, 0.9, 0.1], 1.1),
        pair(
            Cuboid([1.0; 3]),
            Cuboid([0.5, 1.0, 2.0]),
            [0.2, 0.3, 2.5],
            0.5,
        ),
        pair(Cuboid([1.0; 3]), Ball(0.5), [0.1, 1.2, -0.3], 0.3),
    ]
}
