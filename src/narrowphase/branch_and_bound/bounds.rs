//! Upper bounds of g over cells, several at a time.
//!
//! A cell is a spherical triangle with unit corners m_i and the support points z_k of its corners; the
//! bound is the value of the game with the payoff `P_ki = z_k·m_i`, see the module above.

use crate::lanes::fused::dot;
use crate::lanes::{Lanes, RowColumn, RowLanes, RowRefs, SimdLevel, dispatch};
use crate::narrowphase::branch_and_bound::metric::Metric;
use crate::narrowphase::branch_and_bound::precision::Precision;
use crate::narrowphase::convex_pair::DIRECTIONS_PER_BATCH;
use fearless_simd::Simd;
use nalgebra::Vector3;

/// The k-th corners of several cells, or the directions at which these are split.
pub(super) type Corners<'a, T> = RowRefs<'a, T>;

/// The best direction n, and what bounds g about it.
///
/// The surfaces of A and B where their normals are within some angle of n and −n have radii of curvature
/// of at least ρ_A and ρ_B, so that `h_A − ρ_A |·|` is convex over these directions, and likewise for B.
/// Its tangents at the normals n_A and n_B of the witnesses, ε their mismatch with n and −n in sum,
/// d = x_B − x_A and `δ = −d·n`, give with ρ = ρ_A + ρ_B for every unit m among them
///
/// ```text
/// g(m) ≤ d·m − ρ (1 − n·m) + ρ ε ≤ −δ + (δ − ρ)(1 − n·m) + |d + δ n| + ρ ε
/// ```
pub(super) struct LocalOptimum {
    pub normal: Vector3<f64>,
    /// The product d·n = −δ.
    pub along: f64,
    /// The length |d + δ n|, with rounding.
    pub beside: f64,
    /// The mismatch ε.
    pub mismatch: f64,
    /// The bound at which a cell is discarded: it need not be any lower.
    pub enough: f64,
    /// The value of ρ over all directions.
    pub anywhere: f64,
    /// The cones, the narrower one last.
    pub cones: [Cone; 2],
}

/// The directions within an angle of the best one, given by its cosine, and their ρ.
#[derive(Clone, Copy)]
pub(super) struct Cone {
    pub cosine: f64,
    pub ball: f64,
}

/// What bounds g over cells, beside their corners.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub local_optimum: Option<&'a LocalOptimum>,
    pub metric: Option<&'a Metric>,
    /// The unit vector to the centre of B, if both bodies are the same seen from behind: then g(m) ≤ g(−m) for every m
    /// that points away from it, so that no cell of such directions needs to be looked at.
    pub ahead: Option<&'a Vector3<f64>>,
}

/// The bounds and edges of the two halves of each of the cells that are split.
#[derive(Default)]
pub(super) struct CellHalves<T> {
    /// The bounds of g over the half with the edge's first corner, and over that with its second.
    pub bounds: [[T; DIRECTIONS_PER_BATCH]; 2],
    pub cosines: Cosines<T>,
}

/// The cosines of the halves' edges, by the metric.
#[derive(Default)]
pub(super) struct Cosines<T> {
    /// The cosines of the edges from the middle to the ends of the split edge, and to the opposite corner.
    pub to_ends: [T; DIRECTIONS_PER_BATCH],
    pub to_opposite: [T; DIRECTIONS_PER_BATCH],
    /// The cosines of the edges from the opposite corner to the ends.
    pub sides: [[T; DIRECTIONS_PER_BATCH]; 2],
}

/// Returns the halves of the first few of the cells with corners a, b, and opposite to their edge o, that are split at m.
pub(super) fn halves<T: Precision>(
    corners: [Corners<T>; 4],
    count: usize,
    known: Known,
) -> CellHalves<T> {
    if count == 0 {
        return CellHalves::default();
    }
    dispatch!(simd => halves_in_lanes(simd, &corners, count, known))
}

/// Whether pieces of a column are bounded one after the other. In WebAssembly, whose vectors have two lanes, few cells are
/// undecided together, and a column often ends early: a search takes a tenth longer with all of its cells in step.
const ONE_BY_ONE: bool = cfg!(target_arch = "wasm32");

#[inline(always)]
fn halves_in_lanes<S: SimdLevel, T: Precision>(
    simd: S,
    [a, b, o, m]: &[Corners<T>; 4],
    count: usize,
    known: Known,
) -> CellHalves<T> {
    let mut halves = CellHalves::default();
    if ONE_BY_ONE {
        for first in T::Lanes::<S>::pieces(simd).take_while(|first| *first < count) {
            let [a, b, o, m] = [a, b, o, m].map(
                #[inline(always)]
                |nodes| [Corner::<T::Lanes<S>>::new(simd, nodes, first)],
            );
            let zero = a[0].doubt.splat(0.0);
            let mut scratch = [[zero], [zero]];
            let scratch = scratch.each_mut().map(
                #[inline(always)]
                |piece| &mut piece[..],
            );
            halves_of_pieces::<S, T, _>(simd, [&a, &b, &o, &m], known, first, scratch, &mut halves);
        }
    } else {
        let (a, b) = (corners::<S, T>(simd, a), corners::<S, T>(simd, b));
        let (o, m) = (corners::<S, T>(simd, o), corners::<S, T>(simd, m));
        let zero = a.as_ref()[0].doubt.splat(0.0);
        let mut bounds = T::Lanes::<S>::in_pieces(
            #[inline(always)]
            |_| zero,
        );
        let mut balls = T::Lanes::<S>::in_pieces(
            #[inline(always)]
            |_| zero,
        );
        let scratch = [bounds.as_mut(), balls.as_mut()];
        halves_of_pieces::<S, T, _>(simd, [&a, &b, &o, &m], known, 0, scratch, &mut halves);
    }
    halves
}

/// Writes the halves of the cells of the pieces from a lane on; `scratch` has two vectors for each piece.
#[inline(always)]
fn halves_of_pieces<S: SimdLevel, T: Precision, P: AsRef<[Corner<T::Lanes<S>>]>>(
    simd: S,
    corners: [&P; 4],
    known: Known,
    first: usize,
    [bounds, balls]: [&mut [T::Lanes<S>]; 2],
    halves: &mut CellHalves<T>,
) {
    let [a, b, o, m] = corners.map(AsRef::as_ref);
    let [with_a, with_b] = &mut halves.bounds;
    bounds_of_cells::<S, T>(simd, [a, m, o], known, first, [bounds, balls], with_a);
    bounds_of_cells::<S, T>(simd, [m, b, o], known, first, [bounds, balls], with_b);
    for (k, lane) in T::Lanes::<S>::pieces(simd).enumerate().take(a.len()) {
        let [a, b, o, m] = match known.metric {
            None => [a[k].m, b[k].m, o[k].m, m[k].m],
            Some(metric) => [
                metric.of_lanes(&a[k].m),
                metric.of_lanes(&b[k].m),
                metric.of_lanes(&o[k].m),
                metric.of_lanes(&m[k].m),
            ],
        };
        let cosines = &mut halves.cosines;
        dot(&a, &m).store_column(&mut cosines.to_ends, first + lane);
        dot(&o, &m).store_column(&mut cosines.to_opposite, first + lane);
        let [with_a, with_b] = &mut cosines.sides;
        dot(&a, &o).store_column(with_a, first + lane);
        dot(&b, &o).store_column(with_b, first + lane);
    }
}

/// Something for each piece of the lanes in which cells are bounded.
type InPieces<S, T, X> = <<T as Precision>::Lanes<S> as RowLanes<S>>::InPieces<X>;

#[inline(always)]
fn corners<S: SimdLevel, T: Precision>(
    simd: S,
    nodes: &Corners<T>,
) -> InPieces<S, T, Corner<T::Lanes<S>>> {
    T::Lanes::<S>::in_pieces(
        #[inline(always)]
        |first| Corner::new(simd, nodes, first),
    )
}

/// Returns the columns of the unit vectors halfway between corners, by the metric.
pub(super) fn middles<T: Precision>(
    ends: [Corners<T>; 2],
    metric: Option<&Metric>,
) -> [RowColumn<T>; 3] {
    dispatch!(simd => middles_in_lanes(simd, &ends, metric))
}

#[inline(always)]
fn middles_in_lanes<S: SimdLevel, T: Precision>(
    simd: S,
    [a, b]: &[Corners<T>; 2],
    metric: Option<&Metric>,
) -> [RowColumn<T>; 3] {
    let mut columns = [[T::default(); DIRECTIONS_PER_BATCH]; 3];
    for first in T::Lanes::<S>::pieces(simd) {
        let a = Corner::<T::Lanes<S>>::new(simd, a, first).m;
        let b = Corner::<T::Lanes<S>>::new(simd, b, first).m;
        let [x, y, z] = match metric {
            None => [a[0] + b[0], a[1] + b[1], a[2] + b[2]],
            Some(metric) => {
                let (p, q) = (metric.per_length(&a), metric.per_length(&b));
                [
                    a[0].mul_add(p, b[0] * q),
                    a[1].mul_add(p, b[1] * q),
                    a[2].mul_add(p, b[2] * q),
                ]
            }
        };
        let per_length = dot(&[x, y, z], &[x, y, z]).sqrt().recip();
        (x * per_length).store_column(&mut columns[0], first);
        (y * per_length).store_column(&mut columns[1], first);
        (z * per_length).store_column(&mut columns[2], first);
    }
    columns
}

impl Metric {
    /// Returns the vectors that stand for unit vectors before they have the length 1, in lanes.
    #[inline(always)]
    fn transform_lanes<V: Lanes>(&self, m: &[V; 3]) -> [V; 3] {
        let [t, u, v] = &self.rows;
        [
            m[0] * t.x + m[1] * t.y + m[2] * t.z,
            m[0] * u.x + m[1] * u.y + m[2] * u.z,
            m[0] * v.x + m[1] * v.y + m[2] * v.z,
        ]
    }

    #[inline(always)]
    fn per_length<V: Lanes>(&self, m: &[V; 3]) -> V {
        let v = self.transform_lanes(m);
        dot(&v, &v).sqrt().recip()
    }

    /// Returns the unit vectors that [`Metric::of`] returns, in lanes.
    #[inline(always)]
    fn of_lanes<V: Lanes>(&self, m: &[V; 3]) -> [V; 3] {
        let [x, y, z] = self.transform_lanes(m);
        let per_length = dot(&[x, y, z], &[x, y, z]).sqrt().recip();
        [x * per_length, y * per_length, z * per_length]
    }
}

/// The corners of cells and their support points, component by component.
struct Corner<V> {
    m: [V; 3],
    z: [V; 3],
    /// The length by which g of a unit vector may exceed z's product with it.
    doubt: V,
}

impl<V: Lanes> Corner<V> {
    #[inline(always)]
    fn new<S: Simd>(simd: S, nodes: &RowRefs<V::Number>, first: usize) -> Self
    where
        V: RowLanes<S>,
    {
        let [a, b, c, d, e, f, _, doubt] = V::load_rows(simd, nodes, first);
        Corner {
            m: [a, b, c],
            z: [d, e, f],
            doubt,
        }
    }
}

/// Writes an upper bound of g over each of the cells from a lane on: the least of that of the bodies, that of the smaller
/// ones which a sphere sweeps there, and that from the best direction. What takes longer is done for all of them or for
/// none, so that bounds are the same on every level that has the pieces in one call.
#[inline(always)]
fn bounds_of_cells<S: SimdLevel, T: Precision>(
    simd: S,
    [a, b, c]: [&[Corner<T::Lanes<S>>]; 3],
    known: Known,
    first: usize,
    [bounds, balls]: [&mut [T::Lanes<S>]; 2],
    found: &mut RowColumn<T>,
) {
    let zero = a[0].doubt.splat(0.0);
    let mut open = known.local_optimum.is_none();
    if let Some(local_optimum) = known.local_optimum {
        for k in 0..bounds.len() {
            (bounds[k], balls[k]) =
                from_local_optimum::<_, T>([&a[k], &b[k], &c[k]], local_optimum);
            open |= !T::Lanes::<S>::all(bounds[k].lt(zero.splat(local_optimum.enough)));
        }
    }
    if open {
        open = false;
        for k in 0..bounds.len() {
            let cell = [&a[k], &b[k], &c[k]];
            let bound = on_sphere(game_value(&payoff(cell)) + doubt(cell), cell);
            let Some(local_optimum) = known.local_optimum else {
                bounds[k] = bound;
                continue;
            };
            bounds[k] = bounds[k].min(bound);
            let enough = zero.splat(local_optimum.enough);
            open |= !T::Lanes::<S>::all(!(zero.lt(balls[k]) & enough.lt(bounds[k])));
        }
        // Within this branch, where the compiler has the payoffs.
        if open {
            for k in 0..bounds.len() {
                let cell = [&a[k], &b[k], &c[k]];
                bounds[k] = bounds[k].min(swept::<_, T>(cell, balls[k]));
            }
        }
    }
    for (k, lane) in T::Lanes::<S>::pieces(simd).enumerate().take(a.len()) {
        let bound = match known.ahead {
            None => bounds[k],
            Some(ahead) => only_ahead::<_, T>(bounds[k], [&a[k], &b[k], &c[k]], ahead),
        };
        bound.store_column(found, first + lane);
    }
}

/// Returns the bound where g(m) ≤ g(−m) for every m that points away from `ahead`, so that these need not be looked at.
#[inline(always)]
fn only_ahead<V: Lanes, T: Precision>(
    bound: V,
    [a, b, c]: [&Corner<V>; 3],
    ahead: &Vector3<f64>,
) -> V {
    let ahead = [
        bound.splat(ahead.x),
        bound.splat(ahead.y),
        bound.splat(ahead.z),
    ];
    let farthest = dot(&a.m, &ahead)
        .max(dot(&b.m, &ahead))
        .max(dot(&c.m, &ahead));
    let behind = farthest.lt(bound.splat(-T::ROUNDING.max(1e-15)));
    V::select(behind, bound.splat(f64::NEG_INFINITY), bound)
}

/// Returns the products of the corners' support points, the rows, and the corners.
#[inline(always)]
fn payoff<V: Lanes>([a, b, c]: [&Corner<V>; 3]) -> [[V; 3]; 3] {
    [
        [dot(&a.z, &a.m), dot(&a.z, &b.m), dot(&a.z, &c.m)],
        [dot(&b.z, &a.m), dot(&b.z, &b.m), dot(&b.z, &c.m)],
        [dot(&c.z, &a.m), dot(&c.z, &b.m), dot(&c.z, &c.m)],
    ]
}

#[inline(always)]
fn doubt<V: Lanes>([a, b, c]: [&Corner<V>; 3]) -> V {
    a.doubt.max(b.doubt).max(c.doubt)
}

/// Returns the bound from the best direction, and ρ.
#[inline(always)]
fn from_local_optimum<V: Lanes, T: Precision>(
    [a, b, c]: [&Corner<V>; 3],
    local_optimum: &LocalOptimum,
) -> (V, V) {
    let zero = a.doubt.splat(0.0);
    let n = &local_optimum.normal;
    let n = [zero.splat(n.x), zero.splat(n.y), zero.splat(n.z)];
    let cosine = dot(&a.m, &n).min(dot(&b.m, &n)).min(dot(&c.m, &n)) - T::ROUNDING;
    let [wide, narrow] = &local_optimum.cones;
    let ball = zero.splat(local_optimum.anywhere);
    let ball = V::select(
        zero.splat(wide.cosine).lt(cosine),
        zero.splat(wide.ball),
        ball,
    );
    let in_narrow = zero.splat(narrow.cosine).lt(cosine);
    let ball = V::select(in_narrow, zero.splat(narrow.ball), ball);

    // Less than a right angle from n no direction of the cell is farther than the farthest corner.
    let excess = (-ball - local_optimum.along).max(zero);
    let beside = local_optimum.beside + T::ROUNDING * local_optimum.along.abs();
    let slack = ball.mul_add(zero.splat(local_optimum.mismatch), zero.splat(beside));
    let from_local_optimum =
        (zero.splat(1.0) - cosine).mul_add(excess, slack + local_optimum.along);
    let bound = V::select(
        zero.lt(cosine),
        from_local_optimum,
        zero.splat(f64::INFINITY),
    );
    (bound, ball)
}

/// Returns the bound by the smaller bodies that a sphere of radius ρ sweeps.
#[inline(always)]
fn swept<V: Lanes, T: Precision>(cell: [&Corner<V>; 3], ball: V) -> V {
    let [a, b, c] = cell;
    let (ab, bc, ca) = (
        dot(&a.m, &b.m) * ball,
        dot(&b.m, &c.m) * ball,
        dot(&c.m, &a.m) * ball,
    );
    let p = payoff(cell);
    let swept = [
        [p[0][0] + ball, p[0][1] + ab, p[0][2] + ca],
        [p[1][0] + ab, p[1][1] + ball, p[1][2] + bc],
        [p[2][0] + ca, p[2][1] + bc, p[2][2] + ball],
    ];
    let swept = game_value(&swept) + doubt(cell) + ball * T::ROUNDING;
    on_sphere(swept, cell) - ball
}

/// Converts a bound on the cell's plane to one on the sphere.
#[inline(always)]
fn on_sphere<V: Lanes>(v: V, [a, b, c]: [&Corner<V>; 3]) -> V {
    let zero = v.splat(0.0);
    let negative = v.lt(zero);
    if V::all(negative) {
        return v;
    }
    let (e, f) = (minus(&b.m, &a.m), minus(&c.m, &a.m));
    let normal = [
        e[1].mul_sub(f[2], e[2] * f[1]),
        e[2].mul_sub(f[0], e[0] * f[2]),
        e[0].mul_sub(f[1], e[1] * f[0]),
    ];
    let plane_distance = dot(&normal, &a.m).abs() / dot(&normal, &normal).sqrt();
    V::select(negative, v, v / plane_distance)
}

#[inline(always)]
fn minus<V: Lanes>(a: &[V; 3], b: &[V; 3]) -> [V; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Returns the value of the game in which the row player k minimises and the column player i maximises the payoff: the
/// least of `max_i Σ_k x_k P_ki` over mixed rows x. Every x gives an upper bound, so trying the point where all columns
/// are equal, pure rows, and the points of two rows at which two columns are equal never errs on the unsafe side and
/// contains the optimum.
#[inline(always)]
fn game_value<V: Lanes>(p: &[[V; 3]; 3]) -> V {
    let value = all_equal(p)
        .min(most(&p[0]))
        .min(most(&p[1]))
        .min(most(&p[2]));
    let value = value.min(of_two(&p[0], &p[1]));
    let value = value.min(of_two(&p[1], &p[2]));
    value.min(of_two(&p[2], &p[0]))
}

#[inline(always)]
fn most<V: Lanes>(columns: &[V; 3]) -> V {
    columns[0].max(columns[1]).max(columns[2])
}

/// Returns the value at the mixture of rows against which every column is worth the same; infinity if there is none.
#[inline(always)]
fn all_equal<V: Lanes>(p: &[[V; 3]; 3]) -> V {
    let [a, b, c] = p;
    let first = [a[0] - a[1], b[0] - b[1], c[0] - c[1]];
    let second = [a[0] - a[2], b[0] - b[2], c[0] - c[2]];
    let x = first[1].mul_sub(second[2], first[2] * second[1]);
    let y = first[2].mul_sub(second[0], first[0] * second[2]);
    let z = first[0].mul_sub(second[1], first[1] * second[0]);
    let per_sum = (x + y + z).recip();
    let (x, y, z) = (x * per_sum, y * per_sum, z * per_sum);
    let zero = x.splat(0.0);
    // Where a weight is 0 the point is one of two rows; not a number is no weight.
    let valid = zero.lt(x) & zero.lt(y) & zero.lt(z);
    let value = most(&[
        x.mul_add(a[0], y.mul_add(b[0], z * c[0])),
        x.mul_add(a[1], y.mul_add(b[1], z * c[1])),
        x.mul_add(a[2], y.mul_add(b[2], z * c[2])),
    ]);
    V::select(valid, value, x.splat(f64::INFINITY))
}

/// Returns the least value over the mixtures of two rows at which two columns are equal.
#[inline(always)]
fn of_two<V: Lanes>(here: &[V; 3], there: &[V; 3]) -> V {
    let value = two_equal(here, there, 0, 1);
    let value = value.min(two_equal(here, there, 1, 2));
    value.min(two_equal(here, there, 2, 0))
}

#[inline(always)]
fn two_equal<V: Lanes>(here: &[V; 3], there: &[V; 3], i: usize, j: usize) -> V {
    let (from, to) = (here[i] - here[j], there[i] - there[j]);
    let weight = to / (to - from);
    let (zero, one) = (weight.splat(0.0), weight.splat(1.0));
    let valid = zero.lt(weight) & weight.lt(one);
    let rest = one - weight;
    let value = most(&[
        weight.mul_add(here[0], rest * there[0]),
        weight.mul_add(here[1], rest * there[1]),
        weight.mul_add(here[2], rest * there[2]),
    ]);
    V::select(valid, value, weight.splat(f64::INFINITY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::{Piece, SoaLanes};
    use nalgebra::{Matrix3, Rotation3};

    /// Returns the direction halfway between two by the metric.
    fn middle(metric: &Metric, a: &Vector3<f64>, b: &Vector3<f64>) -> Vector3<f64> {
        let node = |m: &Vector3<f64>| [m.x, m.y, m.z, 0.0, 0.0, 0.0, 0.0, 0.0];
        let (a, b) = (node(a), node(b));
        let ends = [[&a; DIRECTIONS_PER_BATCH], [&b; DIRECTIONS_PER_BATCH]];
        Vector3::from(middles(ends, Some(metric)).map(|column| column[0]))
    }

    fn in_lanes<S: SimdLevel>(simd: S, metric: &Metric, n: &Vector3<f64>) -> [f64; 3] {
        let splat = |x: f64| Piece::<S>::load(simd, &[x; DIRECTIONS_PER_BATCH]);
        let column = metric.of_lanes(&[splat(n.x), splat(n.y), splat(n.z)]);
        column.map(|x| x.store()[0])
    }

    /// By the metric the middle of an edge is as far from either end, in lanes too, and a needle's is near the belt
    /// across it. A body that is nearly round has no metric.
    #[test]
    fn middles_are_as_far_from_both_ends() {
        let turn = Rotation3::new(Vector3::new(0.3, -1.1, 0.7)).into_inner();
        let spread = |a: [f64; 3]| {
            let squares = Vector3::from(a.map(|x| x * x));
            turn * Matrix3::from_diagonal(&squares) * turn.transpose()
        };
        assert!(Metric::new(&spread([1.0, 0.8, 0.7])).is_none());
        let metric = Metric::new(&spread([1e-3, 2e-3, 1.0])).expect("thin");
        let axis = turn * Vector3::z();
        let across = turn * Vector3::x();
        let between = middle(&metric, &axis, &across);
        assert!((between.dot(&axis) - 1e-3).abs() < 1e-8, "{between}");
        let [a, b, m] = [axis, across, between].map(|n| {
            let columns = dispatch!(simd => in_lanes(simd, &metric, &n));
            let of = metric.of(&n);
            assert!((of - Vector3::from(columns)).norm() < 1e-14);
            of
        });
        assert!(
            (a.dot(&m) - b.dot(&m)).abs() < 1e-9,
            "{} {}",
            a.dot(&m),
            b.dot(&m)
        );
    }

    /// Bodies that are flatter than numbers can tell, and bodies without any extent, have no metric that is not a
    /// number.
    #[test]
    fn what_is_flat_has_a_metric_of_numbers() {
        for thin in [0.0, 1e-300, 1e-160, 1e-20] {
            let spread = Matrix3::from_diagonal(&Vector3::new(thin * thin, 1.0, 0.25));
            let metric = Metric::new(&spread).expect("thin");
            let middle = middle(&metric, &Vector3::x(), &Vector3::y());
            assert!((middle.norm() - 1.0).abs() < 1e-12, "{middle}");
        }
        assert!(Metric::new(&Matrix3::zeros()).is_none());
    }
}
