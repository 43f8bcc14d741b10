//! The numbers of several pairs, a lane for each.

use crate::Superovoid;
use crate::lanes::{Columns, Lanes, MOST_COLUMNS, Two, all_finite};
use crate::pair::QueryOptions;
use crate::pair::batch::Pair;
use crate::pair::chain::{can_prove, is_sphere};
use crate::pair::lockstep::Stopped;
use crate::pair::newton::{self, Frame};
use crate::pair::place::{Pose, Relative};
use crate::pair::plain;
use crate::pair::problem::{self, steepest};
use crate::surface::good::{Bodies, Columned};
use fearless_simd::Simd;
use nalgebra::Isometry3;

/// As many pairs as lanes.
pub(super) struct PairColumns<V: Lanes> {
    pub pose_a: Pose<V>,
    pub relative: Relative<V>,
    a: Columned<V>,
    b: Columned<V>,
    /// Every circle is round.
    round: bool,
    tapered: bool,
    /// Metres per unit.
    pub unit: V,
    /// In units.
    pub max_distance: V,
    pub plain: plain::Bodies<V>,
    /// Pairs that their stationary points may prove.
    pub can_be_plain: V::Mask,
}

impl<V: Lanes> PairColumns<V> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, pairs: &[Pair], options: &QueryOptions) -> Self
    where
        V: Columns<S>,
    {
        let unit: V = column(simd, pairs, |pair| {
            problem::unit_of_pair(pair.a, pair.pose_a, pair.b, pair.pose_b)
        });
        let per_unit = unit.recip();
        let pose_a = poses(simd, pairs, |pair| pair.pose_a);
        let pose_b = poses(simd, pairs, |pair| pair.pose_b);
        let relative = Relative::new(&pose_a, &pose_b, per_unit);
        let a = shapes(simd, pairs, per_unit, |pair| pair.a);
        let b = shapes(simd, pairs, per_unit, |pair| pair.b);
        let size: V = column(simd, pairs, |pair| pair.a.size().max(pair.b.size()));
        let radii: [V; 5] = [
            column(simd, pairs, |pair| pair.a.outer_radius),
            column(simd, pairs, |pair| pair.b.outer_radius),
            column(simd, pairs, |pair| pair.a.inner_radius),
            column(simd, pairs, |pair| pair.b.inner_radius),
            column(simd, pairs, |pair| {
                pair.a.rolling_ball() + pair.b.rolling_ball()
            }),
        ];
        let [outer_a, outer_b, inner_a, inner_b, rolling] = in_units(radii, per_unit);
        let (rounding, tolerance) = problem::accuracy(
            size.all(options.tolerance),
            size,
            unit,
            relative.apart,
            [outer_a, outer_b],
        );
        let plain = plain::Bodies {
            center: relative.center,
            apart: relative.apart,
            outer: outer_a + outer_b,
            rolling,
            inner: [inner_a, inner_b],
            normal_rounding: steepest(a.p, a.q).max(steepest(b.p, b.q)) * problem::NORMAL_ROUNDING,
            tolerance,
            rounding,
        };
        let simple: V = column(simd, pairs, |pair| f64::from(u8::from(is_simple(pair))));
        let every_body = || pairs.iter().flat_map(|pair| [pair.a, pair.b]);
        PairColumns {
            pose_a,
            relative,
            a,
            b,
            round: every_body().all(|body| body.p == [2.0; 2]),
            tapered: every_body().any(Superovoid::is_tapered),
            unit,
            max_distance: unit.all(options.max_distance) / unit,
            can_be_plain: unit.all(0.0).less(simple),
            plain,
        }
    }

    #[inline(always)]
    pub fn bodies(&self) -> Bodies<Two<Two<V>>> {
        Bodies::of_columns(&self.a, &self.b, self.round, self.tapered)
    }

    /// The charts about the centre lines.
    #[inline(always)]
    pub fn frames(&self) -> Frame<Two<V>> {
        let Relative { center, axes, .. } = &self.relative;
        Frame::about(&newton::center_line(center), center, axes)
    }
}

/// Answers in the world, a lane for each.
pub(super) struct Answers<V: Lanes> {
    /// Proven by the stationary points alone.
    pub closed: V::Mask,
    /// Penetrations that those show, of this depth in units.
    pub overlapping: V::Mask,
    pub depth: V,
    pub distance: V,
    pub point_a: [V; 3],
    pub point_b: [V; 3],
    pub normal: [V; 3],
    pub lower: V,
    pub upper: V,
}

impl<V: Lanes> PairColumns<V> {
    /// What the stationary points amount to.
    #[inline(always)]
    pub fn answers(&self, stopped: &Stopped<V>) -> Answers<V> {
        let (plain, max_distance) = (&self.plain, self.max_distance);
        let shown = plain::show(plain, &stopped.found.points());
        let found = &shown.answer;
        let world = self
            .pose_a
            .witnesses(self.unit, &found.xa, &found.normal, found.distance);
        let (lower, upper) = (found.lower * self.unit, found.upper * self.unit);
        let ([ax, ay, az], [bx, by, bz]) = (world.point_a, world.point_b);
        let numbers = [ax, ay, az, bx, by, bz, world.distance, lower, upper];
        let sound = self.can_be_plain
            & stopped.found.on_surface()
            & !max_distance.less(shown.lower)
            & !max_distance.less(plain.crude())
            & !plain.are_points()
            & all_finite(&numbers);
        Answers {
            closed: sound & shown.closed,
            overlapping: sound & shown.overlapping,
            depth: -shown.lower,
            distance: world.distance,
            point_a: world.point_a,
            point_b: world.point_b,
            normal: world.normal,
            lower,
            upper,
        }
    }
}

/// Whether the pair is one whose stationary points may prove its distance: see
/// [`crate::pair::chain::Chain`] for what becomes of others.
#[inline(always)]
fn is_simple(pair: &Pair) -> bool {
    let (a, b) = (pair.a, pair.b);
    let convex = a.is_convex() && b.is_convex();
    convex && can_prove(a) && can_prove(b) && !(is_sphere(a) && is_sphere(b))
}

/// One number of every pair.
#[inline(always)]
fn column<S: Simd, V: Columns<S>>(simd: S, pairs: &[Pair], of: impl Fn(&Pair) -> f64) -> V {
    let mut numbers = [0.0; MOST_COLUMNS];
    for (number, pair) in numbers.iter_mut().zip(pairs) {
        *number = of(pair);
    }
    V::load(simd, &numbers)
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
    let semi_axes = [
        column(simd, pairs, |x| body(x).a[0]),
        column(simd, pairs, |x| body(x).a[1]),
        column(simd, pairs, |x| body(x).a[2]),
    ];
    Columned {
        a: in_units(semi_axes, per_unit),
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

#[inline(always)]
fn in_units<V: Lanes, const N: usize>(mut lengths: [V; N], per_unit: V) -> [V; N] {
    for length in &mut lengths {
        *length = *length * per_unit;
    }
    lengths
}
