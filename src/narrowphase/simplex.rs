//! The point of a simplex of up to four CSO points nearest to the origin, as GJK needs it.

use crate::narrowphase::convex_pair::SupportPair;
use nalgebra::Vector3;

/// A point of the Minkowski difference B − A and the point of A it comes from.
#[derive(Clone, Copy)]
pub(crate) struct CsoPoint {
    pub z: Vector3<f64>,
    pub xa: Vector3<f64>,
}

impl CsoPoint {
    /// Returns the CSO point of a support pair.
    pub fn of(pair: &SupportPair) -> Self {
        CsoPoint {
            z: pair.z(),
            xa: pair.xa,
        }
    }
}

/// Up to four CSO points and the weights of the point of their hull nearest to the origin.
#[derive(Clone, Copy)]
pub(crate) struct Simplex {
    corners: [CsoPoint; 4],
    weights: [f64; 4],
    count: usize,
    nearest: Vector3<f64>,
    /// Whether a nearest point is refined that is much shorter than the longest corner, rather than than the first.
    has_far_corners: bool,
    /// Whether the origin lies inside the tetrahedron.
    pub encloses_origin: bool,
}

impl Simplex {
    pub fn new() -> Self {
        let none = CsoPoint {
            z: Vector3::zeros(),
            xa: Vector3::zeros(),
        };
        Simplex {
            corners: [none; 4],
            weights: [0.0; 4],
            count: 0,
            nearest: Vector3::repeat(f64::INFINITY),
            has_far_corners: false,
            encloses_origin: false,
        }
    }

    /// Makes a simplex for sets with a few points that are far away, where the corners near the origin do not tell how much
    /// rounding there is.
    pub fn with_far_corners() -> Self {
        Simplex {
            has_far_corners: true,
            ..Self::new()
        }
    }

    /// Makes one to three CSO points the corners, of which the nearest point has these weights.
    pub fn set(&mut self, points: &[CsoPoint], weights: &[f64]) {
        self.count = points.len();
        self.corners[..points.len()].copy_from_slice(points);
        self.weights[..points.len()].copy_from_slice(weights);
        self.nearest = combine(points, &self.weights, |c| c.z);
    }

    /// Adds a CSO point and keeps the corners that the nearest point needs. Returns whether the
    /// nearest point came closer (or the origin is enclosed); otherwise nothing changes.
    pub fn add(&mut self, new: CsoPoint) -> bool {
        self.corners[self.count] = new;
        let corners = &self.corners[..=self.count];
        // Without the new corner nothing is nearer than what was.
        let known = self.nearest.norm_squared();
        let Some((weights, encloses_origin)) = nearest_weights(corners, self.count, known) else {
            return false;
        };
        self.nearest = combine(corners, &weights, |c| c.z);
        self.encloses_origin = encloses_origin;
        let count = corners.len();
        self.count = 0;
        for (k, &weight) in weights[..count].iter().enumerate() {
            if weight > 0.0 {
                if self.count < k {
                    self.corners[self.count] = self.corners[k];
                }
                self.weights[self.count] = weight;
                self.count += 1;
            }
        }
        self.refine();
        true
    }

    /// Improves the weights of an edge or a face by one step of iterative refinement.
    ///
    /// The nearest point v should be perpendicular to the edge or face. The rounding error of v grows with the length of
    /// the corners, so that a v much shorter than they are has few correct digits of its direction. The step projects v on
    /// the edge or face and subtracts this from the weights; what rounding leaves of the projection is taken off v itself.
    fn refine(&mut self) {
        /// A nearest point is much shorter than its corners below this share of their length; above, its direction is
        /// correct to 1e-12.
        const FAR_NEARER: f64 = 1e-4;
        let v = &self.nearest;
        let z = |k: usize| self.corners[k].z;
        let count = self.count;
        let measured = if self.has_far_corners { count } else { 1 };
        let sizes = self.corners[..measured]
            .iter()
            .map(|corner| corner.z.norm_squared());
        let longest = sizes.fold(0.0, f64::max);
        let short = v.norm_squared() <= FAR_NEARER * FAR_NEARER * longest;
        if !short || !(2..=3).contains(&count) {
            return;
        }
        let edges = [1, 2].map(|k| z(k) - z(0));
        // The shares of the edges in the projection of a vector.
        let along = |v: &Vector3<f64>| match count {
            2 => [v.dot(&edges[0]) / edges[0].norm_squared(), 0.0],
            _ => along_edges(&-v, &edges[0], &edges[1]),
        };
        let across = |v: &Vector3<f64>| {
            let [b, c] = along(v);
            v - edges[0] * b - edges[1] * c
        };
        let [b, c] = along(v);
        let [wa, wb, wc, _] = self.weights;
        let weights = [wa + b + c, wb - b, wc - c, 0.0];
        if weights[..count].iter().all(|w| *w > 0.0) {
            let nearest = across(&combine(self.corners(), &weights, |c| c.z));
            let known = across(v);
            self.nearest = if nearest.norm_squared() <= v.norm_squared() {
                nearest
            } else {
                known
            };
            self.weights = weights;
        }
    }

    /// Returns how deep the origin is in a tetrahedron, which is its distance from the nearest face, and the unit normal of that face,
    /// inwards. Two bodies whose CSO holds the tetrahedron overlap by at least as much. `None` where the origin is not inside, or
    /// rounding leaves no normal.
    pub fn depth(&self) -> Option<(f64, Vector3<f64>)> {
        let corners: &[CsoPoint; 4] = self.corners().try_into().ok()?;
        let [a, b, c, d] = corners.map(|corner| corner.z);
        let mut nearest: Option<(f64, Vector3<f64>)> = None;
        for [p, q, r, other] in [[a, b, c, d], [a, b, d, c], [a, c, d, b], [b, c, d, a]] {
            let n = (q - p).cross(&(r - p)).try_normalize(0.0)?;
            let inwards = if n.dot(&(other - p)) < 0.0 { -n } else { n };
            let depth = -inwards.dot(&p);
            if nearest.is_none_or(|(least, _)| depth < least) {
                nearest = Some((depth, inwards));
            }
        }
        nearest.filter(|(depth, _)| *depth > 0.0)
    }

    /// Returns the nearest point v of the hull, x_B − x_A of the witnesses; infinite numbers without corners.
    pub fn nearest(&self) -> Vector3<f64> {
        self.nearest
    }

    /// Returns the nearest point of the hull if the simplex has corners.
    pub fn nearest_if_any(&self) -> Option<Vector3<f64>> {
        (self.count > 0).then_some(self.nearest)
    }

    /// Returns the CSO points of which the nearest point is a combination.
    pub fn corners(&self) -> &[CsoPoint] {
        &self.corners[..self.count]
    }

    /// Returns the weights of the corners in the nearest point.
    pub fn weights(&self) -> &[f64] {
        &self.weights[..self.count]
    }

    /// Returns a normal, of any length, of the triangle that the nearest point lies on; 0 where there is none.
    pub fn face_normal(&self) -> Vector3<f64> {
        match self.corners() {
            [a, b, c] => (b.z - a.z).cross(&(c.z - a.z)),
            _ => Vector3::zeros(),
        }
    }

    /// Returns the witnesses: the same combination of the points of A, and that plus v.
    pub fn witnesses(&self) -> [Vector3<f64>; 2] {
        let mut xa = Vector3::zeros();
        for k in 0..self.count {
            xa += self.corners[k].xa * self.weights[k];
        }
        [xa, xa + self.nearest]
    }
}

/// Returns the point nearest to the origin of the hull of up to four points.
pub(crate) fn nearest_to_origin(points: &[Vector3<f64>]) -> Vector3<f64> {
    let mut corners = [CsoPoint {
        z: Vector3::zeros(),
        xa: Vector3::zeros(),
    }; 4];
    for (corner, z) in corners.iter_mut().zip(points) {
        corner.z = *z;
    }
    let corners = &corners[..points.len()];
    let found = nearest_weights(corners, 0, f64::INFINITY);
    combine(corners, &found.map_or([0.0; 4], |found| found.0), |c| c.z)
}

fn combine(
    corners: &[CsoPoint],
    weights: &[f64; 4],
    part: impl Fn(&CsoPoint) -> Vector3<f64>,
) -> Vector3<f64> {
    corners.iter().zip(weights).map(|(c, &w)| part(c) * w).sum()
}

/// Returns the barycentric weights of the nearest point, over all corners from the index `first` on and the edges and faces
/// whose last corner is one of them, and whether four corners enclose the origin; `None` where all are no nearer than the
/// square `known`.
fn nearest_weights(corners: &[CsoPoint], first: usize, known: f64) -> Option<([f64; 4], bool)> {
    let n = corners.len();
    let z = |i: usize| corners[i].z;
    let mut best = (known, [0.0; 4]);
    let mut offer = |indices: &[usize], weights: &[f64]| {
        // A degenerate edge or face has NaN weights.
        let valid = weights.iter().all(|w| *w >= 0.0);
        if !valid {
            return;
        }
        let mut all = [0.0; 4];
        let mut point = Vector3::zeros();
        for (&i, &w) in indices.iter().zip(weights) {
            all[i] = w;
            point += corners[i].z * w;
        }
        if point.norm_squared() < best.0 {
            best = (point.norm_squared(), all);
        }
    };
    for i in first..n {
        offer(&[i], &[1.0]);
        for j in 0..i {
            let edge = z(j) - z(i);
            let t = -z(i).dot(&edge) / edge.norm_squared();
            offer(&[i, j], &[1.0 - t, t]);
            for k in 0..j {
                offer(&[i, j, k], &face_weights(&z(i), &z(j), &z(k)));
            }
        }
    }
    if n == 4 {
        let weights = volume_weights(&[z(0), z(1), z(2), z(3)]);
        if weights.iter().all(|w| *w > 0.0) && meet_the_origin(corners, &weights, best.0) {
            return Some((weights, true));
        }
    }
    (best.0 < known).then_some((best.1, false))
}

/// Whether four weights lead to the origin: those of a tetrahedron that is flat to rounding are noise, and may be those
/// of any other point. `other` is the square of the distance of its faces.
fn meet_the_origin(corners: &[CsoPoint], weights: &[f64; 4], other: f64) -> bool {
    const ROUNDING: f64 = 1e-13;
    let points = corners.iter().zip(weights);
    let point: Vector3<f64> = points.map(|(corner, &w)| corner.z * w).sum();
    let sizes = corners.iter().map(|corner| corner.z.norm_squared());
    let rounded = ROUNDING * ROUNDING * sizes.fold(0.0, f64::max);
    point.norm_squared() <= other.max(rounded)
}

/// Returns the weights of the origin's projection on the plane of a triangle (NaN where it has none).
pub(super) fn face_weights(a: &Vector3<f64>, b: &Vector3<f64>, c: &Vector3<f64>) -> [f64; 3] {
    let [wb, wc] = along_edges(a, &(b - a), &(c - a));
    [1.0 - wb - wc, wb, wc]
}

/// Returns how much of the edges e and f leads from `a` to the origin's projection on their plane.
fn along_edges(a: &Vector3<f64>, e: &Vector3<f64>, f: &Vector3<f64>) -> [f64; 2] {
    let normal = e.cross(f);
    let area = normal.norm_squared();
    [
        f.cross(a).dot(&normal) / area,
        a.cross(e).dot(&normal) / area,
    ]
}

/// Returns the weights of the origin in a tetrahedron (NaN if it is flat).
fn volume_weights(z: &[Vector3<f64>; 4]) -> [f64; 4] {
    let (e, f, g) = (z[1] - z[0], z[2] - z[0], z[3] - z[0]);
    let volume = e.dot(&f.cross(&g));
    let w = -z[0];
    let w1 = w.dot(&f.cross(&g)) / volume;
    let w2 = e.dot(&w.cross(&g)) / volume;
    let w3 = e.dot(&f.cross(&w)) / volume;
    [1.0 - w1 - w2 - w3, w1, w2, w3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(points: &[[f64; 3]]) -> Simplex {
        let mut simplex = Simplex::new();
        for point in points {
            let z = Vector3::from(*point);
            simplex.add(CsoPoint { z, xa: z * 0.5 });
        }
        simplex
    }

    #[test]
    fn the_nearest_point_lies_on_the_vertex_edge_or_face_that_is_nearest() {
        let near = |simplex: &Simplex, right: [f64; 3]| {
            assert!(
                (simplex.nearest() - Vector3::from(right)).norm() < 1e-14,
                "{right:?}"
            );
            let [xa, xb] = simplex.witnesses();
            assert!((xb - xa - simplex.nearest()).norm() < 1e-14);
        };
        near(&added(&[[1.0, 2.0, 3.0]]), [1.0, 2.0, 3.0]);
        near(
            &added(&[[1.0, -1.0, 0.0], [1.0, 1.0, 0.0]]),
            [1.0, 0.0, 0.0],
        );
        near(
            &added(&[[2.0, -1.0, -1.0], [2.0, 2.0, -1.0], [2.0, -1.0, 2.0]]),
            [2.0, 0.0, 0.0],
        );
        // A point that leads no nearer changes nothing.
        let mut simplex = added(&[[1.0, 0.0, 0.0]]);
        let far = Vector3::new(5.0, 0.0, 0.0);
        assert!(!simplex.add(CsoPoint { z: far, xa: far }));
        near(&simplex, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_tetrahedron_around_the_origin_encloses_it() {
        let around = [
            [1.0, 1.0, 1.0],
            [-1.0, -1.0, 1.0],
            [-1.0, 1.0, -1.0],
            [1.0, -1.0, -1.0],
        ];
        assert!(added(&around).encloses_origin);
        let beside = around.map(|[x, y, z]| [x + 3.0, y, z]);
        assert!(!added(&beside).encloses_origin);
    }

    /// Of four points of a plane that passes the origin by rounding the weights were noise: cones in one another had
    /// witnesses a fortieth of their size outside.
    #[test]
    fn a_flat_tetrahedron_encloses_nothing() {
        let mut state = 1_u64;
        let mut noise = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / 2.0_f64.powi(31) - 0.5
        };
        let n = Vector3::new(
            -0.5280660816367452,
            -0.34073194328401013,
            0.7778482861398592,
        );
        for _ in 0..2000 {
            let points = [0; 4].map(|_| {
                let v = Vector3::new(noise(), noise(), noise()) + Vector3::new(0.3, 0.2, 0.1);
                (v - n * n.dot(&v) + n * (1e-16 * noise())).into()
            });
            let simplex = added(&points);
            let nearest = simplex.nearest().norm();
            assert!(
                !simplex.encloses_origin || nearest < 1e-12,
                "{points:?}: {nearest:e}"
            );
        }
    }
}
