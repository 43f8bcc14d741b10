//! A pair of convex bodies by its support functions, and points of the configuration space obstacle.

use crate::lanes::{Piece, SimdLevel, SoaLanes};
use crate::surface::curvature::ANGLES;
use nalgebra::{Matrix3, Vector3};

/// The number of directions whose support pairs are computed at once.
pub(crate) const DIRECTIONS_PER_BATCH: usize = 8;

/// The problem that cutting planes, ascent and branch and bound solve: two convex bodies (or the hulls of others) in the
/// frame of A, with its centre as the origin.
///
/// It is not a [`SupportMap`](crate::surface::support_map::SupportMap), which is one body by one function. A pair computes the
/// support points of both bodies together, in the lanes of a vector where they have powers, and adds what only the pair knows:
/// its tolerance, rounding, radii and gauges.
pub(crate) trait ConvexPair {
    /// Returns the support pair of the direction n, which may have any length.
    fn support_pair(&self, n: &Vector3<f64>) -> SupportPair;
    /// Returns what a search needs of the support pairs of several directions, which may cost little more than one; only
    /// the first `count` matter.
    fn rough_supports(
        &self,
        n: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
        count: usize,
    ) -> [RoughSupport; DIRECTIONS_PER_BATCH] {
        one_by_one(self, n, count)
    }
    /// Returns a point of B about which the sphere of its inner radius lies in B.
    fn center(&self) -> &Vector3<f64>;
    /// Returns the radii of spheres inside A and B about their centres; 0 if B is flat.
    fn inner_radii(&self) -> [f64; 2];
    /// Returns the widest bracket that counts as closed.
    fn tolerance(&self) -> f64;
    /// Returns the change of a bound that rounding of the inputs and of a few operations on them can cause.
    fn rounding(&self) -> f64;
    /// Returns the gauge of A, at most 1 in A.
    fn gauge_a(&self, x: &Vector3<f64>) -> f64;
    /// Returns the gauge of B, at most 1 in B.
    fn gauge_b(&self, x: &Vector3<f64>) -> f64;
    /// Returns outward normals, of any length, at two surface points that face each other along n, where the bodies know
    /// them; at an edge or a vertex, which has many, the one that faces n.
    fn outward_normals(
        &self,
        _xa: &Vector3<f64>,
        _xb: &Vector3<f64>,
        _n: &Vector3<f64>,
    ) -> Option<[Vector3<f64>; 2]> {
        None
    }
    /// Whether both bodies are the same seen from opposite sides, A about the origin and B about its centre.
    fn is_even(&self) -> bool {
        false
    }
    /// Returns about the largest half extent of the smaller body, less than 1 where the other one is larger.
    fn smaller_size(&self) -> f64;
    /// Returns directions that faces of the bodies may have: a normal that is within rounding of one of them is that
    /// one.
    fn face_axes(&self) -> [Vector3<f64>; 6];
    /// Whether support points of the hulls make a penetration; otherwise only what `sharpen` finds on
    /// the true surfaces does.
    fn takes_support_points(&self) -> bool;
    /// Returns the radius of a sphere such that both bodies are smaller ones, swept by spheres whose radii have this
    /// sum.
    fn rolling_ball(&self) -> f64;
    /// Returns the angle by which rounding can turn a normal that was computed from a surface point: the dual
    /// coordinates are powers P − 1 of the primal ones, which amplifies their rounding as much. On a nearly flat face
    /// that moves the support point across the face.
    fn normal_rounding(&self) -> f64;
    /// Returns lower bounds of the sum of the least radii of curvature of A where its outward normal is within each
    /// angle of the unit vector n, and of B where it is as near to −n.
    fn least_radii_within(&self, angles: [f64; ANGLES], n: &Vector3<f64>) -> [f64; ANGLES];
    /// Returns the matrix `L Lᵀ` of an ellipsoid of about the size and shape of the configuration space obstacle,
    /// which maps the unit sphere to it by L; of a sphere where that is not known.
    fn spread(&self) -> Matrix3<f64> {
        Matrix3::identity()
    }
    /// Returns the local maximum of g to which the unit direction n leads, by a method that uses the curvature of the
    /// surfaces; `known` is g(n). Returns `None` if that fails.
    fn sharpen(&self, n: &Vector3<f64>, known: f64, iterations: &mut u32) -> Option<Penetration>;
}

/// Returns the piece of vectors that begins at `first` in lanes, component by component.
#[inline(always)]
pub(crate) fn components_in_lanes<S: SimdLevel>(
    simd: S,
    v: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
    first: usize,
) -> [Piece<S>; 3] {
    let [a, b, c, d, e, f, g, h] = v;
    [
        Piece::<S>::load_from(simd, &[a.x, b.x, c.x, d.x, e.x, f.x, g.x, h.x], first),
        Piece::<S>::load_from(simd, &[a.y, b.y, c.y, d.y, e.y, f.y, g.y, h.y], first),
        Piece::<S>::load_from(simd, &[a.z, b.z, c.z, d.z, e.z, f.z, g.z, h.z], first),
    ]
}

pub(crate) fn one_by_one<P: ConvexPair + ?Sized>(
    pair: &P,
    n: &[Vector3<f64>; DIRECTIONS_PER_BATCH],
    count: usize,
) -> [RoughSupport; DIRECTIONS_PER_BATCH] {
    let mut supports = [RoughSupport::from(&pair.support_pair(&n[0])); DIRECTIONS_PER_BATCH];
    for k in 1..count {
        supports[k] = RoughSupport::from(&pair.support_pair(&n[k]));
    }
    supports
}

/// What leads a search: a point of the CSO near the support point in a direction n of any length. It proves nothing.
#[derive(Clone, Copy, Default)]
pub(crate) struct RoughSupport {
    /// The difference x_B − x_A of points of the bodies, which may be short of the support points by about 1e-6 of the
    /// size.
    pub z: Vector3<f64>,
    /// About g(n), and no bound: it may be too high by as much.
    pub height: f64,
}

impl From<&SupportPair> for RoughSupport {
    fn from(pair: &SupportPair) -> Self {
        RoughSupport {
            z: pair.z(),
            height: pair.gap,
        }
    }
}

/// The support points of both bodies in one direction, and the bound that they give.
#[derive(Clone, Copy)]
pub(crate) struct SupportPair {
    /// The value g(n) = n·c − h_A(n) − h_B(−n): the distance is at least g(n)/|n|.
    pub gap: f64,
    /// The support point of A in direction n.
    pub xa: Vector3<f64>,
    /// The support point of B in direction −n.
    pub xb: Vector3<f64>,
}

impl SupportPair {
    /// Returns the CSO point z = x_B − x_A. For every m, g(m) ≤ z·m, with equality at n.
    pub fn z(&self) -> Vector3<f64> {
        self.xb - self.xa
    }
}

/// A penetration along a unit normal.
#[derive(Clone, Copy)]
pub(crate) struct Penetration {
    pub normal: Vector3<f64>,
    /// The value g(normal): the signed distance is at least this.
    pub gap: f64,
    pub xa: Vector3<f64>,
    pub xb: Vector3<f64>,
}

impl Penetration {
    /// Returns the penetration along any unit normal, by the support points there.
    pub fn along<P: ConvexPair>(problem: &P, normal: &Vector3<f64>) -> Self {
        Penetration::of_support_pair(normal, &problem.support_pair(normal))
    }

    pub fn of_support_pair(normal: &Vector3<f64>, support: &SupportPair) -> Self {
        Penetration {
            normal: *normal,
            gap: support.gap,
            xa: support.xa,
            xb: support.xb,
        }
    }
}
