//! The numbers of several pairs, a lane for each.

use crate::Superovoid;
use crate::lanes::{Columns, Lanes, MOST_COLUMNS, Two};
use crate::pair::QueryOptions;
use crate::pair::batch::Pair;
use crate::pair::place::Pose;
use crate::pair::placed::{Given, Placed, is_simple};
use crate::pair::problem::{self, steepest};
use crate::surface::good::{Bodies, Columned};
use fearless_simd::Simd;
use nalgebra::Isometry3;

/// As many pairs as lanes.
pub(super) struct PairColumns<V: Lanes> {
    pub placed: Placed<V>,
    /// See [`is_simple`].
    pub simple: V::Mask,
    a: Columned<V>,
    b: Columned<V>,
    /// Every circle is round.
    round: bool,
    tapered: bool,
}

impl<V: Lanes> PairColumns<V> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, pairs: &[Pair], options: &QueryOptions) -> Self
    where
        V: Columns<S>,
    {
        let simple: V = column(simd, pairs, |pair| {
            f64::from(u8::from(is_simple(pair.a, pair.b)))
        });
        let given = Given {
            pose_a: poses(simd, pairs, |pair| pair.pose_a),
            pose_b: poses(simd, pairs, |pair| pair.pose_b),
            unit: column(simd, pairs, |pair| {
                problem::unit_of_pair(pair.a, pair.pose_a, pair.b, pair.pose_b)
            }),
            size: column(simd, pairs, |pair| pair.a.size().max(pair.b.size())),
            outer: [
                column(simd, pairs, |pair| pair.a.outer_radius),
                column(simd, pairs, |pair| pair.b.outer_radius),
            ],
            inner: [
                column(simd, pairs, |pair| pair.a.inner_radius),
                column(simd, pairs, |pair| pair.b.inner_radius),
            ],
            rolling: column(simd, pairs, |pair| {
                pair.a.rolling_ball() + pair.b.rolling_ball()
            }),
            steepest: column(simd, pairs, |pair| {
                let (a, b) = (pair.a, pair.b);
                steepest(a.p, a.q).max(steepest(b.p, b.q))
            }),
        };
        let placed = Placed::new(&given, options);
        let every_body = || pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        PairColumns {
            a: shapes(simd, pairs, placed.per_unit, |pair| pair.a),
            b: shapes(simd, pairs, placed.per_unit, |pair| pair.b),
            placed,
            simple: simple.all(0.0).less(simple),
            round: every_body().all(|body| body.p == [2.0; 2]),
            tapered: every_body().any(Superovoid::is_tapered),
        }
    }

    #[inline(always)]
    pub fn bodies(&self) -> Bodies<Two<Two<V>>> {
        Bodies::of_columns(&self.a, &self.b, self.round, self.tapered)
    }
}

/// Loaded without crossing lines of the cache.
#[repr(align(64))]
struct Aligned([f64; MOST_COLUMNS]);

/// One number of every pair.
#[inline(always)]
fn column<S: Simd, V: Columns<S>>(simd: S, pairs: &[Pair], of: impl Fn(&Pair) -> f64) -> V {
    let mut numbers = Aligned([0.0; MOST_COLUMNS]);
    for (number, pair) in numbers.0.iter_mut().zip(pairs) {
        *number = of(pair);
    }
    V::load(simd, &numbers.0)
}

#[inline(always)]
fn poses<S: Simd, V: Columns<S>>(
    simd: S,
    pairs: &[Pair],
    pose: impl for<'a> Fn(&Pair<'a>) -> &'a Isometry3<f64>,
) -> Pose<V> {
    Pose {
        center: [
            column(simd, pairs, |x| pose(x).translation.x),
            column(simd, pairs, |x| pose(x).translation.y),
            column(simd, pairs, |x| pose(x).translation.z),
        ],
        quaternion: [
            column(simd, pairs, |x| pose(x).rotation.i),
            column(simd, pairs, |x| pose(x).rotation.j),
            column(simd, pairs, |x| pose(x).rotation.k),
            column(simd, pairs, |x| pose(x).rotation.w),
        ],
    }
}

#[inline(always)]
fn shapes<S: Simd, V: Columns<S>>(
    simd: S,
    pairs: &[Pair],
    per_unit: V,
    body: impl for<'a> Fn(&Pair<'a>) -> &'a Superovoid,
) -> Columned<V> {
    let [i, j, k]: [V; 3] = [
        column(simd, pairs, |x| body(x).a[0]),
        column(simd, pairs, |x| body(x).a[1]),
        column(simd, pairs, |x| body(x).a[2]),
    ];
    Columned {
        a: [i * per_unit, j * per_unit, k * per_unit],
        p: [
            column(simd, pairs, |x| body(x).p[0]),
            column(simd, pairs, |x| body(x).p[1]),
        ],
        q: [
            column(simd, pairs, |x| body(x).q[0]),
            column(simd, pairs, |x| body(x).q[1]),
        ],
        t: [
            column(simd, pairs, |x| body(x).t[0]),
            column(simd, pairs, |x| body(x).t[1]),
        ],
    }
}
