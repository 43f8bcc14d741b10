//! Upper bounds of g over cells, several at a time.
//!
//! A cell is a spherical triangle with unit corners m_i and the support points z_k of its corners; the
//! bound is the value of the game with the payoff `P_ki = z_k·m_i`, see the module above.

use crate::lanes::{Lanes, Piece, SoaLanes, dispatch, dot, pieces};
use crate::narrowphase::branch_and_bound::metric::Metric;
use crate::narrowphase::branch_and_bound::node::Node;
use crate::narrowphase::convex_pair::DIRECTIONS_PER_BATCH;
use fearless_simd::Simd;
use nalgebra::Vector3;

/// The k-th corners of several cells, or the directions at which these are split.
pub(super) type Corners<'a> = [&'a Node; DIRECTIONS_PER_BATCH];

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
pub(super) struct Summit {
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

/// The bounds and edges of the two halves of each of the cells that are split.
#[derive(Default)]
pub(super) struct CellHalves {
    /// The bounds of g over the half with the edge's first corner, and over that with its second.
    pub bounds: [[f64; DIRECTIONS_PER_BATCH]; 2],
    pub cosines: Cosines,
}

/// The cosines of the halves' edges, by the metric.
#[derive(Default)]
pub(super) struct Cosines {
    /// The cosines of the edges from the middle to the ends of the split edge, and to the opposite corner.
    pub to_ends: [f64; DIRECTIONS_PER_BATCH],
    pub to_opposite: [f64; DIRECTIONS_PER_BATCH],
    /// The cosines of the edges from the opposite corner to the ends.
    pub sides: [[f64; DIRECTIONS_PER_BATCH]; 2],
}

/// Returns the halves of the first few of the cells with corners a, b, and opposite to their edge o, that are split at m.
pub(super) fn halves(
    corners: [Corners; 4],
    count: usize,
    summit: Option<&Summit>,
    metric: Option<&Metric>,
) -> CellHalves {
    dispatch!(simd => halves_in_lanes(simd, corners, count, summit, metric))
}

#[inline(always)]
fn halves_in_lanes<S: Simd>(
    simd: S,
    corners: [Corners; 4],
    count: usize,
    summit: Option<&Summit>,
    metric: Option<&Metric>,
) -> CellHalves {
    let mut halves = CellHalves::default();
    for first in pieces(simd).take_while(|first| *first < count) {
        halves_of_piece(simd, &corners, first, summit, metric, &mut halves);
    }
    halves
}

/// Writes the halves of the cells of the piece that begins at `first`.
#[inline(always)]
fn halves_of_piece<S: Simd>(
    simd: S,
    [a, b, o, m]: &[Corners; 4],
    first: usize,
    summit: Option<&Summit>,
    metric: Option<&Metric>,
    halves: &mut CellHalves,
) {
    let corner = |nodes| Corner::new(simd, nodes, first);
    let (a, b, o, m) = (corner(a), corner(b), corner(o), corner(m));
    let [of_a, of_b] = &mut halves.bounds;
    bound(&a, &m, &o, summit).store_to(of_a, first);
    bound(&m, &b, &o, summit).store_to(of_b, first);
    let [a, b, o, m] = match metric {
        None => [a.m, b.m, o.m, m.m],
        Some(metric) => [
            metric.of_lanes(&a.m),
            metric.of_lanes(&b.m),
            metric.of_lanes(&o.m),
            metric.of_lanes(&m.m),
        ],
    };
    let cosines = &mut halves.cosines;
    dot(&a, &m).store_to(&mut cosines.to_ends, first);
    dot(&o, &m).store_to(&mut cosines.to_opposite, first);
    let [with_a, with_b] = &mut cosines.sides;
    dot(&a, &o).store_to(with_a, first);
    dot(&b, &o).store_to(with_b, first);
}

impl Metric {
    /// Returns the unit vectors that [`Metric::of`] returns, in lanes.
    #[inline(always)]
    fn of_lanes<V: Lanes>(&self, m: &[V; 3]) -> [V; 3] {
        let [t, u, v] = &self.rows;
        let splat = |r: &Vector3<f64>| [m[0].splat(r.x), m[0].splat(r.y), m[0].splat(r.z)];
        let [x, y, z] = [dot(&splat(t), m), dot(&splat(u), m), dot(&splat(v), m)];
        let per_length = dot(&[x, y, z], &[x, y, z]).sqrt().recip();
        [x * per_length, y * per_length, z * per_length]
    }
}

/// The corners of cells and their support points, component by component.
struct Corner<V> {
    m: [V; 3],
    z: [V; 3],
}

impl<S: Simd> Corner<Piece<S>> {
    #[inline(always)]
    fn new(simd: S, nodes: &Corners, first: usize) -> Self {
        let mut rows = [[0.0; 8]; DIRECTIONS_PER_BATCH];
        let nodes = &nodes[first..first + <Piece<S> as SoaLanes<S>>::WIDTH];
        for (row, Node { m, z }) in rows.iter_mut().zip(nodes) {
            *row = [m.x, m.y, m.z, z.x, z.y, z.z, 0.0, 0.0];
        }
        let [a, b, c, d, e, f, ..] = Piece::load_transposed(simd, &rows);
        Corner {
            m: [a, b, c],
            z: [d, e, f],
        }
    }
}

/// Returns an upper bound of g over cells: the least of that of the bodies, that of the smaller ones which a sphere
/// sweeps there, and that from the best direction.
#[inline(always)]
fn bound<V: Lanes>(a: &Corner<V>, b: &Corner<V>, c: &Corner<V>, summit: Option<&Summit>) -> V {
    let payoff = [
        [dot(&a.z, &a.m), dot(&a.z, &b.m), dot(&a.z, &c.m)],
        [dot(&b.z, &a.m), dot(&b.z, &b.m), dot(&b.z, &c.m)],
        [dot(&c.z, &a.m), dot(&c.z, &b.m), dot(&c.z, &c.m)],
    ];
    let Some(summit) = summit else {
        return on_sphere(game_value(&payoff), a, b, c);
    };
    let zero = payoff[0][0].splat(0.0);
    let enough = zero.splat(summit.enough);
    let n = &summit.normal;
    let n = [zero.splat(n.x), zero.splat(n.y), zero.splat(n.z)];
    let cosine = dot(&a.m, &n).min(dot(&b.m, &n)).min(dot(&c.m, &n));
    let [wide, narrow] = &summit.cones;
    let ball = zero.splat(summit.anywhere);
    let ball = V::select(
        zero.splat(wide.cosine).lt(cosine),
        zero.splat(wide.ball),
        ball,
    );
    let in_narrow = zero.splat(narrow.cosine).lt(cosine);
    let ball = V::select(in_narrow, zero.splat(narrow.ball), ball);

    // Less than a right angle from n no direction of the cell is farther than the farthest corner.
    let excess = (-ball - summit.along).max(zero);
    let slack = ball.mul_add(zero.splat(summit.mismatch), zero.splat(summit.beside));
    let from_summit = (zero.splat(1.0) - cosine).mul_add(excess, slack + summit.along);
    let bound = V::select(zero.lt(cosine), from_summit, zero.splat(f64::INFINITY));
    if V::all(bound.lt(enough)) {
        return bound;
    }
    let bound = bound.min(on_sphere(game_value(&payoff), a, b, c));
    let open = zero.lt(ball) & enough.lt(bound);
    if V::all(!open) {
        return bound;
    }
    let (ab, bc, ca) = (
        dot(&a.m, &b.m) * ball,
        dot(&b.m, &c.m) * ball,
        dot(&c.m, &a.m) * ball,
    );
    let p = &payoff;
    let swept = [
        [p[0][0] + ball, p[0][1] + ab, p[0][2] + ca],
        [p[1][0] + ab, p[1][1] + ball, p[1][2] + bc],
        [p[2][0] + ca, p[2][1] + bc, p[2][2] + ball],
    ];
    bound.min(on_sphere(game_value(&swept), a, b, c) - ball)
}

/// Converts a bound on the cell's plane to one on the sphere.
#[inline(always)]
fn on_sphere<V: Lanes>(v: V, a: &Corner<V>, b: &Corner<V>, c: &Corner<V>) -> V {
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
    use crate::lanes::to_array;
    use nalgebra::{Matrix3, Rotation3};

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
        let middle = metric.middle(&axis, &across).normalize();
        assert!((middle.dot(&axis) - 1e-3).abs() < 1e-8, "{middle}");
        let [a, b, m] = [axis, across, middle].map(|n| {
            let (of, columns) = dispatch!(simd => {
                let splat = |x: f64| <Piece<_> as SoaLanes<_>>::load(simd, &[x; DIRECTIONS_PER_BATCH]);
                let column = metric.of_lanes(&[splat(n.x), splat(n.y), splat(n.z)]);
                (metric.of(&n), column.map(|x| to_array(x)[0]))
            });
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
            let middle = metric.middle(&Vector3::x(), &Vector3::y());
            assert!(middle.norm().is_finite() && middle.norm() > 0.0, "{middle}");
        }
        assert!(Metric::new(&Matrix3::zeros()).is_none());
    }
}
