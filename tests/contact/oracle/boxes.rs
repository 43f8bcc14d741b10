//! Boxes by brute force over their features.

use nalgebra::{Matrix3, Vector3};

/// A box with its axes as columns.
#[derive(Clone, Copy, Debug)]
pub struct Box3 {
    pub center: Vector3<f64>,
    pub axes: Matrix3<f64>,
    pub half: Vector3<f64>,
}

impl Box3 {
    fn local(&self, x: &Vector3<f64>) -> Vector3<f64> {
        self.axes.transpose() * (x - self.center)
    }

    fn corner(&self, signs: usize) -> Vector3<f64> {
        let sign = |i: usize| if (signs >> i) & 1 == 0 { -1.0 } else { 1.0 };
        let local = Vector3::from_fn(|i, _| sign(i) * self.half[i]);
        self.center + self.axes * local
    }

    fn edges(&self) -> Vec<[Vector3<f64>; 2]> {
        let mut edges = Vec::new();
        for signs in 0..8 {
            for i in 0..3 {
                if (signs >> i) & 1 == 0 {
                    edges.push([self.corner(signs), self.corner(signs | (1 << i))]);
                }
            }
        }
        edges
    }

    fn distance_to(&self, x: &Vector3<f64>) -> f64 {
        let beyond = self.local(x).abs() - self.half;
        beyond.map(|d| d.max(0.0)).norm()
    }

    /// Whether a segment has a point in the box: clipped by its three slabs.
    fn meets_segment(&self, [p, q]: &[Vector3<f64>; 2]) -> bool {
        let (from, to) = (self.local(p), self.local(q));
        let (mut start, mut end) = (0.0f64, 1.0f64);
        for i in 0..3 {
            let rate = to[i] - from[i];
            if rate == 0.0 {
                if from[i].abs() > self.half[i] {
                    return false;
                }
                continue;
            }
            let ends = [-1.0, 1.0].map(|side| (side * self.half[i] - from[i]) / rate);
            start = start.max(ends[0].min(ends[1]));
            end = end.min(ends[0].max(ends[1]));
        }
        start <= end
    }
}

/// Two boxes share a point exactly when an edge of one meets the other, or one holds the other.
pub fn boxes_meet(a: &Box3, b: &Box3) -> bool {
    let one_way = |a: &Box3, b: &Box3| a.edges().iter().any(|edge| b.meets_segment(edge));
    one_way(a, b) || one_way(b, a)
}

/// The distance of disjoint boxes: a corner and a box, or two edges, are nearest.
pub fn box_distance(a: &Box3, b: &Box3) -> f64 {
    let mut least = f64::INFINITY;
    for (a, b) in [(a, b), (b, a)] {
        for signs in 0..8 {
            least = least.min(b.distance_to(&a.corner(signs)));
        }
    }
    for e in a.edges() {
        for f in b.edges() {
            least = least.min(segment_distance(&e, &f));
        }
    }
    least
}

/// Two segments: the common perpendicular if it meets both, otherwise an end of one is nearest.
fn segment_distance(e: &[Vector3<f64>; 2], f: &[Vector3<f64>; 2]) -> f64 {
    let (u, v, w) = (e[1] - e[0], f[1] - f[0], f[0] - e[0]);
    let mut least = [
        point_segment(&e[0], f),
        point_segment(&e[1], f),
        point_segment(&f[0], e),
        point_segment(&f[1], e),
    ]
    .into_iter()
    .fold(f64::INFINITY, f64::min);
    let n = u.cross(&v);
    let squared = n.norm_squared();
    if squared > 1e-20 * u.norm_squared() * v.norm_squared() {
        let s = w.cross(&v).dot(&n) / squared;
        let t = w.cross(&u).dot(&n) / squared;
        if (0.0..=1.0).contains(&s) && (0.0..=1.0).contains(&t) {
            least = least.min((w + v * t - u * s).norm());
        }
    }
    least
}

fn point_segment(x: &Vector3<f64>, [p, q]: &[Vector3<f64>; 2]) -> f64 {
    let along = q - p;
    let share = ((x - p).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (p + along * share - x).norm()
}
