//! The numbers of several pairs as a structure of arrays, with a lane for each pair.

use crate::Superovoid;
use crate::lanes::{Lanes, MAX_LANES, SoaLanes, ToSingle, Two};
use crate::pair::frames::FrameOfA;
use crate::pair::input::are_ellipsoids;
use crate::pair::input::{Pair, is_certifiable};
use crate::pair::world_certificate::{PairData, WorldCertifier};
use crate::query::options::QueryOptions;
use crate::query::pose::{Pose, half_as_far};
use crate::query::units::SAME_CENTER;
use crate::query::units::reference_length;
use crate::surface::primal_dual::{ShapeLanes, ShapeSoa};
use crate::traits::Traits;
use fearless_simd::Simd;
use nalgebra::Isometry3;

/// The numbers of as many pairs as there are lanes.
pub(crate) struct PairSoa<V: Lanes> {
    pub relative: FrameOfA<V>,
    pub certifier: WorldCertifier<V, Pose<V>>,
    /// The mask is true where both poses are valid beyond doubt and the centres are distinct.
    pub valid: V::Mask,
    /// The mask is true where the pair [`is_certifiable`].
    pub simple: V::Mask,
    /// The mask is true where both bodies are ellipsoids, but not both spheres; the flag tells whether any pair is such.
    pub ellipsoids: V::Mask,
    pub some_ellipsoids: bool,
    a: ShapeSoa<V>,
    b: ShapeSoa<V>,
    /// The flag tells whether every circle is round.
    round: bool,
    tapered: bool,
}

impl<V: Lanes> PairSoa<V> {
    #[inline(always)]
    pub fn new<S: Simd>(simd: S, pairs: &[Pair], options: &QueryOptions) -> Self
    where
        V: SoaLanes<S>,
    {
        let [a, b]: [Shapes<V>; 2] = [shapes(simd, pairs, of_a), shapes(simd, pairs, of_b)];
        let pose_a = pose(simd, pairs, |pair| pair.pose_a);
        let pose_b = pose(simd, pairs, |pair| pair.pose_b);
        let size = a.size().max(b.size());
        let unit = reference_length(size, half_as_far(&pose_a, &pose_b)).power_of_two_below();
        let per_unit = unit.recip();
        let relative = FrameOfA::new(&pose_a, &pose_b, per_unit);
        let concentric = relative.center_distance.lt(unit.splat(SAME_CENTER));
        let given = PairData {
            frame: pose_a,
            unit,
            per_unit,
            center: relative.center,
            center_distance: relative.center_distance,
            size,
            outer: [a.outer, b.outer],
            inner: [a.inner, b.inner],
            rolling: a.rolling + b.rolling,
            steepest: a.steepest.max(b.steepest),
        };
        let certifier = WorldCertifier::new(&given, options);
        let kinds = Kinds::of(pairs);
        let splat = |holds: bool| unit.splat(0.0).lt(unit.splat(f64::from(u8::from(holds))));
        let flagged = |flags: &[f64; MAX_LANES]| unit.splat(0.0).lt(V::load(simd, flags));
        let mut simple = splat(true);
        if !kinds.are_simple() {
            simple = flagged(&flags(pairs, |pair| is_certifiable(pair.a, pair.b)));
        }
        let (mut ellipsoids, mut some_ellipsoids) = (splat(false), false);
        if kinds.may_be_ellipsoids() {
            let flags = flags(pairs, are_ellipsoids);
            (ellipsoids, some_ellipsoids) = (flagged(&flags), flags != [0.0; MAX_LANES]);
        }
        PairSoa {
            relative,
            certifier,
            a: a.soa(per_unit),
            b: b.soa(per_unit),
            valid: pose_a.are_surely_valid(&pose_b) & !concentric,
            simple,
            ellipsoids,
            some_ellipsoids,
            round: kinds.of_every_body.round(),
            tapered: kinds.of_some_body.tapered(),
        }
    }

    /// The semi-axes of both bodies, in units.
    #[inline(always)]
    pub fn semi_axes(&self) -> [Two<V>; 3] {
        let (a, b) = (&self.a.a, &self.b.a);
        [Two(a[0], b[0]), Two(a[1], b[1]), Two(a[2], b[2])]
    }

    #[inline(always)]
    pub fn bodies(&self) -> ShapeLanes<Two<Two<V>>> {
        ShapeLanes::of_soa(&self.a, &self.b, self.round, self.tapered)
    }
}

impl<V: ToSingle> PairSoa<V> {
    /// Joins the bodies of two groups into one group in single precision.
    #[inline(always)]
    pub fn bodies_to_f32([one, other]: [&Self; 2]) -> ShapeLanes<Two<Two<V::Single>>> {
        let a = ShapeSoa::to_f32([&one.a, &other.a]);
        let b = ShapeSoa::to_f32([&one.b, &other.b]);
        let (round, tapered) = (one.round && other.round, one.tapered || other.tapered);
        ShapeLanes::of_soa(&a, &b, round, tapered)
    }
}

/// The traits that all pairs of a group have in common. Usually they decide, and no pair has to be examined alone.
struct Kinds {
    of_every_body: Traits,
    of_some_body: Traits,
    /// The traits that both bodies of some pair have.
    of_some_pair: Traits,
}

impl Kinds {
    #[inline(always)]
    fn of(pairs: &[Pair]) -> Self {
        let mut kinds = Kinds {
            of_every_body: Traits::ALL,
            of_some_body: Traits::NONE,
            of_some_pair: Traits::NONE,
        };
        for Pair { a, b, .. } in pairs {
            let both = a.traits.both(b.traits);
            kinds.of_every_body = kinds.of_every_body.both(both);
            kinds.of_some_body = kinds.of_some_body.either(a.traits.either(b.traits));
            kinds.of_some_pair = kinds.of_some_pair.either(both);
        }
        kinds
    }

    /// Whether every pair [`is_certifiable`].
    #[inline(always)]
    fn are_simple(&self) -> bool {
        let every = self.of_every_body;
        every.convex() && every.provable() && !self.of_some_pair.sphere()
    }

    /// Whether some pair may be one of which [`are_ellipsoids`] holds.
    #[inline(always)]
    fn may_be_ellipsoids(&self) -> bool {
        self.of_some_pair.round()
    }
}

/// Returns a row for each pair; lanes narrower than eight do not use the last rows.
#[inline(always)]
fn rows(pairs: &[Pair], of: impl Fn(&Pair) -> [f64; 8]) -> [[f64; 8]; MAX_LANES] {
    let mut rows = [[0.0; 8]; MAX_LANES];
    for (row, pair) in rows.iter_mut().zip(pairs) {
        *row = of(pair);
    }
    rows
}

/// Returns 1 for each pair of which the predicate holds, and 0 for the others.
#[inline(always)]
fn flags(pairs: &[Pair], holds: impl Fn(&Pair) -> bool) -> [f64; MAX_LANES] {
    let mut flags = [0.0; MAX_LANES];
    for (flag, pair) in flags.iter_mut().zip(pairs) {
        *flag = f64::from(u8::from(holds(pair)));
    }
    flags
}

#[inline(always)]
fn pose<S: Simd, V: SoaLanes<S>>(
    simd: S,
    pairs: &[Pair],
    of: impl for<'a> Fn(&Pair<'a>) -> &'a Isometry3<f64>,
) -> Pose<V> {
    let row = |pair: &Pair| {
        let pose = of(pair);
        let ([i, j, k, w], [x, y, z]) =
            (pose.rotation.coords.into(), pose.translation.vector.into());
        [i, j, k, w, x, y, z, 0.0]
    };
    let [i, j, k, w, x, y, z, _] = V::load_transposed(simd, &rows(pairs, row));
    Pose {
        center: [x, y, z],
        quaternion: [i, j, k, w],
    }
}

/// The shapes of the bodies A, or of the bodies B, in metres.
struct Shapes<V> {
    a: [V; 3],
    t: [V; 2],
    p: [V; 2],
    q: [V; 2],
    e: [V; 2],
    outer: V,
    inner: V,
    rolling: V,
    steepest: V,
}

fn of_a<'a>(pair: &Pair<'a>) -> &'a Superovoid {
    pair.a
}

fn of_b<'a>(pair: &Pair<'a>) -> &'a Superovoid {
    pair.b
}

#[inline(always)]
fn shapes<S: Simd, V: SoaLanes<S>>(
    simd: S,
    pairs: &[Pair],
    of: impl for<'a> Fn(&Pair<'a>) -> &'a Superovoid,
) -> Shapes<V> {
    // The order is that of the fields of a body, so that a row is copied as a whole.
    let first = |pair: &Pair| {
        let Superovoid {
            a: [a1, a2, a3],
            e: [e1, e2],
            t: [tx, ty],
            outer_radius,
            ..
        } = *of(pair);
        [a1, a2, a3, e1, e2, tx, ty, outer_radius]
    };
    let second = |pair: &Pair| {
        let Superovoid {
            p: [p1, p2],
            q: [q1, q2],
            steepest,
            rolling_radius,
            inner_radius,
            ..
        } = *of(pair);
        [p1, p2, q1, q2, steepest, rolling_radius, inner_radius, 0.0]
    };
    let [a1, a2, a3, e1, e2, tx, ty, outer] = V::load_transposed(simd, &rows(pairs, first));
    let [p1, p2, q1, q2, steepest, rolling, inner, _] =
        V::load_transposed(simd, &rows(pairs, second));
    Shapes {
        a: [a1, a2, a3],
        t: [tx, ty],
        p: [p1, p2],
        q: [q1, q2],
        e: [e1, e2],
        outer,
        inner,
        rolling,
        steepest,
    }
}

impl<V: Lanes> Shapes<V> {
    /// Returns the sizes of the bodies, see [`Superovoid::size`].
    #[inline(always)]
    fn size(&self) -> V {
        let [x, y, z] = self.a;
        x.max(y).max(z)
    }

    #[inline(always)]
    fn soa(&self, per_unit: V) -> ShapeSoa<V> {
        let [x, y, z] = self.a;
        ShapeSoa {
            a: [x * per_unit, y * per_unit, z * per_unit],
            p: self.p,
            q: self.q,
            e: self.e,
            t: self.t,
        }
    }
}
