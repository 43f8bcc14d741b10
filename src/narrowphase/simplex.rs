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
        let known = self.nearest.norm_squared();
        let found = match self.count {
            0 => nearest_with_last::<1>(corners, known),
            1 => nearest_with_last::<2>(corners, known),
            2 => nearest_with_last::<3>(corners, known),
            _ => nearest_with_last::<4>(corners, known),
        };
        let Some((Best { point, weights, .. }, encloses_origin)) = found else {
            return false;
        };
        self.nearest = if encloses_origin {
            combine(corners, &weights, |c| c.z)
        } else {
            point
        };
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
            _ => along_edges(&-v, &edges[0], &edges[1]).0,
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
        // The square of the distance, and the normal, of any length.
        let mut nearest = (f64::INFINITY, Vector3::zeros());
        for [p, q, r, other] in [[a, b, c, d], [a, b, d, c], [a, c, d, b], [b, c, d, a]] {
            let n = (q - p).cross(&(r - p));
            let inwards = if n.dot(&(other - p)) < 0.0 { -n } else { n };
            let depth = -inwards.dot(&p);
            let square = depth * (depth / n.norm_squared());
            // A face without a normal has NaN.
            if !(depth > 0.0 && square.is_finite()) {
                return None;
            }
            if square < nearest.0 {
                nearest = (square, inwards);
            }
        }
        Some((nearest.0.sqrt(), nearest.1.normalize()))
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

/// Returns the point of a triangle that is nearest to the origin.
pub(crate) fn nearest_of_triangle(z: &[Vector3<f64>; 3]) -> Vector3<f64> {
    let mut best = Best::new(f64::INFINITY);
    if !best.face(z, [2, 1, 0]) {
        for k in 0..3 {
            if !best.edge(z, [k, (k + 1) % 3]) {
                best.corner(z, k);
                best.corner(z, (k + 1) % 3);
            }
        }
    }
    best.point
}

fn combine(
    corners: &[CsoPoint],
    weights: &[f64; 4],
    part: impl Fn(&CsoPoint) -> Vector3<f64>,
) -> Vector3<f64> {
    corners.iter().zip(weights).map(|(c, &w)| part(c) * w).sum()
}

/// The nearest of some points of a simplex to the origin.
struct Best {
    /// The square of its distance.
    square: f64,
    point: Vector3<f64>,
    /// The weights of the corners in it.
    weights: [f64; 4],
}

impl Best {
    /// Takes only points whose squared distance is less than `square`.
    fn new(square: f64) -> Self {
        Best {
            square,
            point: Vector3::repeat(f64::INFINITY),
            weights: [0.0; 4],
        }
    }

    #[inline(always)]
    fn offer<const N: usize>(
        &mut self,
        z: &[Vector3<f64>],
        corners: [usize; N],
        weights: [f64; N],
    ) {
        let mut point = Vector3::zeros();
        for (k, w) in corners.into_iter().zip(weights) {
            point += z[k] * w;
        }
        let square = point.norm_squared();
        if square < self.square {
            (self.square, self.point, self.weights) = (square, point, [0.0; 4]);
            for (k, w) in corners.into_iter().zip(weights) {
                self.weights[k] = w;
            }
        }
    }

    #[inline(always)]
    fn corner(&mut self, z: &[Vector3<f64>], k: usize) {
        self.offer(z, [k], [1.0]);
    }

    /// Offers the origin's projection on the line of an edge if it is on the edge, and returns whether it is.
    #[inline(always)]
    fn edge(&mut self, z: &[Vector3<f64>], [i, j]: [usize; 2]) -> bool {
        let edge = z[j] - z[i];
        let t = -z[i].dot(&edge) / edge.norm_squared();
        // Not for NaN, which a degenerate edge has.
        let is_on_it = (0.0..=1.0).contains(&t);
        if is_on_it {
            self.offer(z, [i, j], [1.0 - t, t]);
        }
        is_on_it
    }

    /// Offers the origin's projection on the plane of a face if it is on the face. Returns whether it is, so that no point of its edges
    /// is nearer; of a face that is too narrow to tell, it returns that it is not.
    #[inline(always)]
    fn face(&mut self, z: &[Vector3<f64>], corners: [usize; 3]) -> bool {
        /// The square of the sine of the least angle of a face whose weights are good.
        const NARROW: f64 = 1e-6;
        let [a, b, c] = corners.map(|k| z[k]);
        let (e, f) = (b - a, c - a);
        let ([wb, wc], area) = along_edges(&a, &e, &f);
        let weights = [1.0 - wb - wc, wb, wc];
        // Not for NaN, nor for a square beyond the number range.
        let is_on_it = weights.iter().all(|w| *w >= 0.0) && area.is_finite();
        if is_on_it {
            self.offer(z, corners, weights);
        }
        is_on_it && area > (NARROW * e.norm_squared() * f.norm_squared()).max(f64::MIN_POSITIVE)
    }
}

/// Adds the last corner of a simplex, of which the others are known to have no point nearer to the origin than the square
/// `known`. Returns the nearest point of all and whether four corners enclose the origin, or `None` if none is nearer.
///
/// What can be nearer belongs to the last corner: faces first, since an edge has nothing nearer than a face on which the
/// origin's projection is. Of a tetrahedron only the faces count that have the origin on their outer side, unless it seems to
/// enclose the origin and is so flat that its weights have few digits: then any face may be as near as is known.
fn nearest_with_last<const N: usize>(corners: &[CsoPoint], known: f64) -> Option<(Best, bool)> {
    let z: [Vector3<f64>; N] = std::array::from_fn(|k| corners[k].z);
    let last = N - 1;
    let mut best = Best::new(known);
    let volume = if N == 4 {
        Volume::new(&[z[0], z[1], z[2], z[3]])
    } else {
        Volume::NONE
    };
    let meets = |other: f64| volume.encloses() && meet_the_origin(corners, &volume.weights, other);
    let enclosed = || {
        Some((
            Best {
                weights: volume.weights,
                ..Best::new(0.0)
            },
            true,
        ))
    };
    if N == 4 && meets(0.0) {
        return enclosed();
    }
    // The edges from the last corner that are left.
    let mut open = [N == 2, false, false];
    let mut closed = [false; 3];
    for j in 1..last {
        for k in 0..j {
            if N == 4 && !volume.encloses() && volume.hides(last - j - k) {
                continue;
            }
            let of = if best.face(&z, [last, j, k]) {
                &mut closed
            } else {
                &mut open
            };
            (of[j], of[k]) = (true, true);
        }
    }
    let mut at_corner = N == 1;
    for k in 0..last {
        if open[k] && !closed[k] {
            at_corner |= !best.edge(&z, [last, k]);
        }
    }
    if at_corner {
        best.corner(&z, last);
    }
    if N == 4 && meets(best.square) {
        return enclosed();
    }
    (best.square < known).then_some((best, false))
}

/// The weights of the origin in a tetrahedron.
struct Volume {
    weights: [f64; 4],
    /// Whether the sign of each weight is certain.
    known: [bool; 4],
}

impl Volume {
    const NONE: Self = Volume {
        weights: [f64::NAN; 4],
        known: [false; 4],
    };

    fn new(z: &[Vector3<f64>; 4]) -> Self {
        /// More than the rounding of a determinant, as a share of the cube of its longest column.
        const ROUNDING: f64 = 1e-12;
        let (e, f, g, w) = (z[1] - z[0], z[2] - z[0], z[3] - z[0], -z[0]);
        let across = f.cross(&g);
        let turned = e.cross(&w);
        let volume = e.dot(&across);
        let shares = [w.dot(&across), turned.dot(&g), -turned.dot(&f)];
        let squares = [&e, &f, &g, &w].map(|v| v.norm_squared());
        let longest = squares.into_iter().fold(0.0, f64::max);
        let doubt = ROUNDING * longest * longest.sqrt();
        let [w1, w2, w3] = shares.map(|share| share / volume);
        let first = volume - shares[0] - shares[1] - shares[2];
        let certain = volume.abs() > doubt;
        Volume {
            weights: [1.0 - w1 - w2 - w3, w1, w2, w3],
            known: [first, shares[0], shares[1], shares[2]]
                .map(|x| certain && x.abs() > 4.0 * doubt),
        }
    }

    /// Whether all weights are positive, which they are not of a flat tetrahedron's, NaN.
    fn encloses(&self) -> bool {
        self.weights.iter().all(|w| *w > 0.0)
    }

    /// Whether the origin is certainly on the inner side of the face that is opposite of a corner.
    fn hides(&self, corner: usize) -> bool {
        self.known[corner] && self.weights[corner] > 0.0
    }
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
    let ([wb, wc], _) = along_edges(a, &(b - a), &(c - a));
    [1.0 - wb - wc, wb, wc]
}

/// Returns how much of the edges e and f leads from `a` to the origin's projection on their plane, and the square of the area
/// between them.
#[inline(always)]
fn along_edges(a: &Vector3<f64>, e: &Vector3<f64>, f: &Vector3<f64>) -> ([f64; 2], f64) {
    let normal = e.cross(f);
    let area = normal.norm_squared();
    let shares = [f.cross(a), a.cross(e)].map(|part| part.dot(&normal) / area);
    (shares, area)
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

    /// Of a tetrahedron that is flat, but surely encloses the origin, the weights have few digits. Its faces were hidden then, and it
    /// was said to enclose a point 1e-6 of its size off the origin.
    #[test]
    fn a_sliver_about_the_origin_is_as_near_as_its_faces() {
        let points = [
            [-0.48621323574924813, 1.157885756967644, -0.732241292004641],
            [
                0.24240643373799972,
                -0.05436212820984762,
                0.034378344121084696,
            ],
            [
                0.3956871065186062,
                0.20749911081164926,
                -0.13122142336541376,
            ],
            [
                -0.8758031156136379,
                -0.47426451563680705,
                0.2999225612886532,
            ],
        ];
        assert!(added(&points).nearest().norm() < 1e-10);
        let points = [
            [1.1010273783900144, -0.4537209356882656, -1.1643925188683328],
            [0.9632825123963156, 0.1527705159645755, 0.39205786153295274],
            [-0.4547743395359537, 0.13788763834278725, 0.3538636505309194],
            [
                -0.05076470192324789,
                -0.0038768576015637112,
                -0.009949254038127926,
            ],
        ];
        assert!(added(&points).nearest().norm() < 1e-9);
    }

    #[test]
    fn the_nearest_point_of_a_triangle_beyond_the_range_of_squares_is_on_an_edge() {
        let triangle = [
            [
                8.826832792219472e76,
                -6.718035689045778e76,
                -4.821068377117962e76,
            ],
            [
                3.9815703719412514e76,
                -1.0982476830086817e77,
                -4.190372662718324e76,
            ],
            [
                -5.912376886475547e76,
                8.588522455026378e76,
                -6.044348924858471e76,
            ],
        ];
        let nearest = nearest_of_triangle(&triangle.map(Vector3::from));
        assert!(nearest.norm() < 5.4e76, "{nearest}");
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
