//! Separating directions of convex bodies, of eight pairs at once.
//!
//! The origin is outside `D = B − A`, the set of all differences of a point of B and one of A, exactly if the bodies are
//! apart, and its distance from D is theirs. Gilbert's algorithm (1966) keeps a point v of D, at first the difference of
//! the centres. The support points in the direction v give the point w of D that is lowest along v, and with it the
//! lower bound `v·w/|v|` of the distance; then v becomes the point of the segment from v to w that is nearest to the
//! origin. |v| is an upper bound of the distance. The first direction may be another one, that of the last search of the
//! pair: w is a point of D all the same.

use crate::poses::{PoseLanes, PoseVectors};
use fearless_simd::Simd;
use nalgebra::{Isometry3, Unit, Vector3};
use superovoid::Superovoid;
use superovoid::internals::fused::dot;
use superovoid::internals::{
    BOUND_ACCURACY, Lanes, MAX_LANES, Piece, RowLanes, SimdLevel, SoaLanes, Supports, Two, dispatch,
};

/// The search for a pair at one configuration. Lengths are metres, the frame is that of A.
#[derive(Clone, Copy)]
pub(super) struct Separation<'a> {
    bodies: [&'a Superovoid; 2],
    /// The pose of B in the frame of A.
    of_b: Isometry3<f64>,
    /// The point v of D, and the point of A that it begins at.
    v: Vector3<f64>,
    point_a: Vector3<f64>,
    /// The direction that is tried first, in place of v, unless it is zero; then the one of the greatest lower bound.
    pub direction: Vector3<f64>,
    has_begun: bool,
    /// A lower bound of the distance, and the one with which the search ends.
    pub lower: f64,
    pub limit: f64,
    /// The length by which rounding can change a bound.
    rounding: f64,
    /// The padding of both bodies: the bounds are those of the padded ones.
    padding: f64,
}

/// The direction that separated a pair last, in the frame of the first body.
#[derive(Clone, Copy, Default)]
pub(super) struct Last {
    direction: Vector3<f64>,
    /// How much more often it was near the next one than not.
    score: i8,
}

impl Last {
    /// Returns the direction to begin with; zero if there is none, or if they change from search to search.
    pub fn direction(&self) -> Vector3<f64> {
        if self.score < 0 {
            return Vector3::zeros();
        }
        self.direction
    }

    /// Keeps a direction.
    pub fn keep(&mut self, direction: Vector3<f64>) {
        const MOST: i8 = 4;
        if self.direction != Vector3::zeros() {
            let is_near = are_near(&self.direction, &direction);
            let change = if is_near { 1 } else { -1 };
            self.score = (self.score + change).clamp(-MOST, MOST);
        }
        self.direction = direction;
    }
}

/// Whether two directions are so near that they separate alike.
fn are_near(a: &Vector3<f64>, b: &Vector3<f64>) -> bool {
    /// The square of the cosine of the angle between them.
    const NEAR: f64 = 0.8;
    let product = a.dot(b);
    product > 0.0 && product * product > NEAR * a.norm_squared() * b.norm_squared()
}

/// The length by which the points in lanes may be short of the support points, relative to the sizes.
pub(super) const OUT_OF_REACH: f64 = 2e-5;
/// The number of inner radii within which v shows that the bodies overlap.
const DEEP: f64 = 0.1;
/// The sizes between which no product overflows or vanishes.
const SIZES: [f64; 2] = [1e-60, 1e60];
/// The square that replaces smaller ones in divisions.
const TINY: f64 = 1e-290;

impl<'a> Separation<'a> {
    /// Returns the search in a lane, before its first direction; `None` for bodies that are not convex or of extreme
    /// sizes. The direction is tried first, unless it is zero.
    pub fn new(
        bodies: [&'a Superovoid; 2],
        poses: [&PoseLanes; 2],
        lane: usize,
        limit: f64,
        padding: f64,
        direction: Vector3<f64>,
    ) -> Option<Self> {
        let [least, largest] = SIZES;
        let is_fit = |body: &Superovoid| {
            body.is_convex() && (least..=largest).contains(&body.outer_radius())
        };
        if !bodies.iter().all(|body| is_fit(body)) {
            return None;
        }
        let [pose_a, pose_b] = poses.map(|pose| pose.get(lane));
        let of_b = pose_a.inv_mul(&pose_b);
        // The difference of the centres is rounded as they are.
        let amax = |pose: &Isometry3<f64>| pose.translation.vector.amax();
        let terms = amax(&pose_a) + amax(&pose_b);
        let sizes = bodies[0].outer_radius() + bodies[1].outer_radius();
        Some(Separation {
            bodies,
            of_b,
            v: of_b.translation.vector,
            point_a: Vector3::zeros(),
            direction,
            has_begun: false,
            lower: f64::NEG_INFINITY,
            limit,
            rounding: 4.0 * BOUND_ACCURACY * (terms + sizes + padding),
            padding,
        })
    }

    /// Returns the direction of a positive lower bound, for the contact to begin with. Where it is far from the line of
    /// centres it takes Newton's method longer than that does.
    pub fn start(&self) -> Option<Unit<Vector3<f64>>> {
        let is_good = self.lower > 0.0 && are_near(&self.direction, &self.of_b.translation.vector);
        is_good
            .then(|| Unit::try_new(self.direction, 0.0))
            .flatten()
    }

    /// Whether the lower bound is greater than the limit.
    pub fn is_beyond(&self) -> bool {
        self.lower > self.limit
    }

    /// Returns an upper bound of the distance, which is 0 in overlap.
    pub fn upper(&self) -> f64 {
        (self.v.norm() + self.rounding - self.padding).max(0.0)
    }

    /// Whether one of two points is proven to be in both bodies: the one in the middle of those whose difference is v,
    /// and the one of the line of centres that is about as deep in both if they are not tapered.
    pub fn has_common_point(&self) -> bool {
        if self.upper() <= 0.0 {
            return true;
        }
        let center = self.of_b.translation.vector;
        if self.is_common(&(self.point_a + 0.5 * self.v)) {
            return true;
        }
        let [a, b] = self.bodies;
        let depth = |body: &Superovoid, p: &Vector3<f64>| body.gauge_bounds(p).iter().sum::<f64>();
        let of_a = depth(a, &center);
        let of_b = depth(b, &self.in_b(&Vector3::zeros()));
        self.is_common(&(center * (of_b / (of_a + of_b))))
    }

    /// Whether a point of A's frame is proven to be in both bodies. Bounds decide about most.
    fn is_common(&self, p: &Vector3<f64>) -> bool {
        let points = [*p, self.in_b(p)];
        let bounds = [0, 1].map(|k| self.bodies[k].gauge_bounds(&points[k]));
        if bounds.iter().any(|[low, _]| *low >= INSIDE) {
            return false;
        }
        (0..2).all(|k| bounds[k][1] < INSIDE || self.bodies[k].gauge(&points[k]) < INSIDE)
    }

    /// Returns a point of A's frame in that of B.
    fn in_b(&self, p: &Vector3<f64>) -> Vector3<f64> {
        let offset = p - self.of_b.translation.vector;
        self.of_b.rotation.inverse_transform_vector(&offset)
    }

    /// Tries a number of directions for each of at most eight searches, or as many as it takes to separate all.
    pub fn advance(searches: &mut [Separation], directions: usize) {
        if !searches.is_empty() {
            dispatch!(simd => advance_in_lanes(simd, searches, directions));
        }
    }
}

/// The gauge of points that rounding does not put out of a body.
const INSIDE: f64 = 1.0 - 1e-9;

#[inline(always)]
fn advance_in_lanes<S: SimdLevel>(simd: S, searches: &mut [Separation], directions: usize) {
    let last = searches.len() - 1;
    let places: [usize; MAX_LANES] = std::array::from_fn(|lane| lane.min(last));
    let bodies = places.map(|k| searches[k].bodies);
    let mut pieces = <Piece<S> as RowLanes<S>>::in_pieces(
        #[inline(always)]
        |first| SearchLanes::<Piece<S>>::new(simd, searches, &places, &bodies, first),
    );
    for k in 0..directions {
        // All end together, so that what is found does not depend on the number of lanes.
        let mut going = false;
        for piece in pieces.as_mut() {
            let n = if k == 0 { piece.best } else { piece.v };
            going |= piece.look_along(n);
        }
        if !going {
            break;
        }
        for piece in pieces.as_mut() {
            piece.take_step();
        }
    }
    let width = <Piece<S> as SoaLanes<S>>::WIDTH;
    for (searches, piece) in searches.chunks_mut(width).zip(pieces.as_ref()) {
        piece.write(searches);
    }
}

struct SearchLanes<V: Lanes> {
    supports: Supports<Two<V>>,
    of_b: PoseVectors<V>,
    v: [V; 3],
    point_a: [V; 3],
    /// The direction of the lower bound; at first the one to begin with.
    best: [V; 3],
    lower: V,
    limit: V,
    margin: V,
    /// The square of |v| below which there is nothing to separate.
    deep: V,
    /// The support points in the last direction, the first of A, the second of B.
    found: [[V; 3]; 2],
}

impl<V: Lanes> SearchLanes<V> {
    /// Makes the lanes from the given one on.
    #[inline(always)]
    fn new<S: Simd>(
        simd: S,
        searches: &[Separation],
        places: &[usize; MAX_LANES],
        bodies: &[[&Superovoid; 2]; MAX_LANES],
        first: usize,
    ) -> Self
    where
        V: SoaLanes<S>,
    {
        let mut rows = [[0.0; 8]; MAX_LANES];
        let mut poses = [[0.0; 8]; MAX_LANES];
        let mut first_directions = [[0.0; 8]; MAX_LANES];
        for lane in 0..V::WIDTH {
            let Separation {
                bodies: pair,
                of_b,
                v,
                point_a,
                direction,
                has_begun,
                limit,
                rounding,
                padding,
                ..
            } = &searches[places[first + lane]];
            let sizes = pair[0].outer_radius() + pair[1].outer_radius();
            let margin = rounding + OUT_OF_REACH * sizes + padding;
            let deep = (DEEP * (pair[0].inner_radius() + pair[1].inner_radius())).powi(2);
            let (q, t) = (&of_b.rotation, &of_b.translation);
            rows[lane] = [v.x, v.y, v.z, point_a.x, point_a.y, point_a.z, margin, deep];
            poses[lane] = [q.i, q.j, q.k, q.w, t.x, t.y, t.z, *limit];
            let is_given = !has_begun && *direction != Vector3::zeros();
            let n = if is_given { direction } else { v };
            first_directions[lane][..3].copy_from_slice(n.as_slice());
        }
        let [x, y, z, ax, ay, az, margin, deep] = V::load_transposed(simd, &rows);
        let [nx, ny, nz, ..] = V::load_transposed(simd, &first_directions);
        let [i, j, k, w, tx, ty, tz, limit] = V::load_transposed(simd, &poses);
        SearchLanes {
            supports: Supports::of_lanes(simd, bodies, first),
            of_b: PoseVectors {
                rotation: [i, j, k, w],
                translation: [tx, ty, tz],
            },
            v: [x, y, z],
            point_a: [ax, ay, az],
            best: [nx, ny, nz],
            lower: limit.splat(f64::NEG_INFINITY),
            limit,
            margin,
            deep,
            found: [[x, y, z]; 2],
        }
    }

    /// Bounds the distances along a direction, and returns whether some lane is neither separated nor deep.
    #[inline(always)]
    fn look_along(&mut self, n: [V; 3]) -> bool {
        let in_b = self.of_b.rotate_back(&[-n[0], -n[1], -n[2]]);
        let directions = [Two(n[0], in_b[0]), Two(n[1], in_b[1]), Two(n[2], in_b[2])];
        let support = self.supports.support(&directions);
        let square = dot(&n, &n);
        let gap = dot(&n, &self.of_b.translation) - support.value.0 - support.value.1;
        let gap = gap / square.max(square.splat(TINY)).sqrt() - self.margin;
        let is_better = self.lower.lt(gap);
        self.lower = V::select(is_better, gap, self.lower);
        for (best, n) in self.best.iter_mut().zip(n) {
            *best = V::select(is_better, n, *best);
        }
        let square = dot(&self.v, &self.v);
        let [x, y, z] = support.x;
        self.found = [[x.0, y.0, z.0], self.of_b.transform(&[x.1, y.1, z.1])];
        !V::all(self.limit.lt(self.lower) | square.lt(self.deep))
    }

    /// Moves to the point of the segment to what was found that is nearest to the origin.
    #[inline(always)]
    fn take_step(&mut self) {
        let v = self.v;
        let (zero, one) = (self.lower.splat(0.0), self.lower.splat(1.0));
        let [xa, xb] = self.found;
        let step = [
            xb[0] - xa[0] - v[0],
            xb[1] - xa[1] - v[1],
            xb[2] - xa[2] - v[2],
        ];
        let share = -dot(&v, &step) / dot(&step, &step).max(zero.splat(TINY));
        let share = share.max(zero).min(one);
        for k in 0..3 {
            self.v[k] = share.mul_add(step[k], v[k]);
            let to_xa = xa[k] - self.point_a[k];
            self.point_a[k] = share.mul_add(to_xa, self.point_a[k]);
        }
    }

    /// Writes what was found to the first searches, those of the lanes.
    #[inline(always)]
    fn write<S: Simd>(&self, searches: &mut [Separation])
    where
        V: SoaLanes<S>,
    {
        let ([x, y, z], [ax, ay, az]) = (self.v, self.point_a);
        let rows = V::store_transposed([x, y, z, ax, ay, az, self.lower, self.limit]);
        let [nx, ny, nz] = self.best;
        let best = V::store_transposed([nx, ny, nz, x, x, x, x, x]);
        let rows = rows.iter().zip(&best).take(V::WIDTH);
        for (search, (row, [nx, ny, nz, ..])) in searches.iter_mut().zip(rows) {
            let [x, y, z, ax, ay, az, lower, _] = *row;
            search.v = Vector3::new(x, y, z);
            search.point_a = Vector3::new(ax, ay, az);
            if lower > search.lower {
                search.lower = lower;
                search.direction = Vector3::new(*nx, *ny, *nz);
            }
            search.has_begun = true;
        }
    }
}
