//! Everything that must hold of an answer.
//!
//! Tolerances, S being the largest semi-axis and M the larger distance of a centre from the world
//! origin:
//!
//! - *rounding* `4e-14 S + 4e-15 M`: what a correct algorithm may lose. Coordinates as large as
//!   M + S carry 1.1e-16 of that each and pass through about ten operations; the support of a
//!   body with exponents near 2 loses another factor of `q1 + q2` (up to 200) in its powers,
//!   nearly all of which cancels in the norm.
//! - *tolerance*: what the query was asked for, by default 1e-9 S, and 1e-6 S of a scheme, plus
//!   rounding. Witness points and the gap along the normal must agree with the distance to that.
//!
//! Of a scheme's answer that is not converged the bracket alone is a claim.

use super::body::{Body, Shape};
use super::minimise::nelder_mead;
use super::search::{Effort, Pair};
use nalgebra::{Isometry3, Vector3};
use superovoid::published::SchemeOptions;
use superovoid::{Contact, DepthMode, Outcome, QueryOptions, Superovoid};

/// What the oracle knows of a pair after an answer passed.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// The best gap found and its direction; for answers proven without a search, those of the
    /// answer itself. The distance of convex bodies is at least this, and equal to it if the
    /// search was complete.
    pub best_gap: f64,
    pub best_normal: Vector3<f64>,
    /// `best_gap − distance`: positive means that a better direction than the answer's exists.
    pub excess: f64,
    /// The tolerance that the answer was held to, metres.
    pub tolerance: f64,
}

/// Rounding error that no algorithm avoids, in metres.
pub fn rounding(pair: &Pair) -> f64 {
    4e-14 * pair.size() + 4e-15 * pair.a.centre.norm().max(pair.b.centre.norm())
}

/// [`check_with`] for the default options.
pub fn check(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    answer: &Contact,
) -> Result<(), String> {
    check_with(a, pose_a, b, pose_b, &QueryOptions::default(), answer)
}

/// Whether the answer to a query with these options may be believed; the error says what is
/// wrong and how to reproduce it.
pub fn check_with(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: impl Into<Asked>,
    answer: &Contact,
) -> Result<(), String> {
    examine(a, pose_a, b, pose_b, options, answer, Effort::QUICK).map(|_| ())
}

/// As [`check_with`], with a choice of effort and the best direction found. A fast depth that is
/// stationary but not the least passes: its `excess` says by how much it falls short.
pub fn examine(
    a: &Superovoid,
    pose_a: &Isometry3<f64>,
    b: &Superovoid,
    pose_b: &Isometry3<f64>,
    options: impl Into<Asked>,
    answer: &Contact,
    effort: Effort,
) -> Result<Finding, String> {
    let (body_a, body_b) = (Body::new(Shape::from(a)), Body::new(Shape::from(b)));
    let pair = Pair::new(&body_a, pose_a, &body_b, pose_b);
    let options = options.into();
    let judge = Judge {
        pair,
        rounding: rounding(&pair),
        tolerance: if options.tolerance > 0.0 {
            options.tolerance
        } else {
            options.relative_tolerance * pair.size()
        } + rounding(&pair),
        convex: a.is_convex() && b.is_convex(),
        options,
        effort,
        answer: *answer,
        normal: answer.normal.into_inner(),
    };
    judge
        .verdict()
        .map_err(|reason| format!("{reason}\n{}", reproduction(&pair, pose_a, pose_b, answer)))
}

/// The pair as code, with every digit, and the answer.
pub fn reproduction(
    pair: &Pair,
    pose_a: &Isometry3<f64>,
    pose_b: &Isometry3<f64>,
    answer: &Contact,
) -> String {
    let side = |shape: &Shape, pose: &Isometry3<f64>| {
        let (r, t) = (pose.rotation.coords, pose.translation.vector);
        format!(
            "({:?}, {:?}, {:?}), pose ([{:?}, {:?}, {:?}, {:?}] = ijkw, [{:?}, {:?}, {:?}])",
            shape.a, shape.e, shape.t, r.x, r.y, r.z, r.w, t.x, t.y, t.z
        )
    };
    format!(
        "  A {}\n  B {}\n  {answer:?}",
        side(&pair.a.body.shape, pose_a),
        side(&pair.b.body.shape, pose_b)
    )
}

/// The options that the oracle needs, of an exact query or of a published scheme.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    tolerance: f64,
    /// The default, as a share of the largest semi-axis.
    relative_tolerance: f64,
    max_distance: f64,
    depth: DepthMode,
    exact: bool,
}

impl From<&QueryOptions> for Asked {
    fn from(options: &QueryOptions) -> Self {
        Asked {
            tolerance: options.tolerance,
            relative_tolerance: 1e-9,
            max_distance: options.max_distance,
            depth: options.depth,
            exact: true,
        }
    }
}

impl From<&SchemeOptions> for Asked {
    fn from(options: &SchemeOptions) -> Self {
        Asked {
            tolerance: options.tolerance,
            relative_tolerance: 1e-6,
            max_distance: options.max_distance,
            depth: DepthMode::Fast,
            exact: false,
        }
    }
}

struct Judge<'a> {
    pair: Pair<'a>,
    rounding: f64,
    tolerance: f64,
    convex: bool,
    options: Asked,
    effort: Effort,
    answer: Contact,
    normal: Vector3<f64>,
}

fn require(condition: bool, reason: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(reason()) }
}

impl Judge<'_> {
    fn verdict(&self) -> Result<Finding, String> {
        self.numbers()?;
        if self.answer.outcome == Outcome::Beyond {
            return self.beyond();
        }
        self.points()?;
        self.outcome()?;
        if let Some(finding) = self.proven_apart()? {
            return Ok(finding);
        }
        if self.convex {
            self.convex_pair()
        } else {
            self.non_convex_pair()
        }
    }

    /// Whether the answer claims more than its bracket.
    fn claims_points(&self) -> bool {
        self.options.exact || self.answer.outcome != Outcome::NotConverged
    }

    /// Finite, ordered, a unit normal.
    fn numbers(&self) -> Result<(), String> {
        let c = &self.answer;
        let all = [c.distance, c.lower, c.point_a.x, c.point_a.y, c.point_a.z];
        let more = [c.point_b.x, c.point_b.y, c.point_b.z];
        let finite = all.iter().chain(&more).all(|x| x.is_finite()) && !c.upper.is_nan();
        require(finite, || "a number is not finite".into())?;
        // Turned to the world by a quaternion that is itself unit to rounding: some twenty
        // operations of 1.1e-16.
        let off = (self.normal.norm() - 1.0).abs();
        require(off <= 2e-15, || format!("|normal| − 1 = {off:e}"))?;
        require(c.lower <= c.distance && c.distance <= c.upper, || {
            format!("{} <= {} <= {} does not hold", c.lower, c.distance, c.upper)
        })
    }

    /// `point_b = point_a + distance · normal`, and both points on their surfaces.
    fn points(&self) -> Result<(), String> {
        let c = &self.answer;
        let (x_a, x_b) = (c.point_a.coords, c.point_b.coords);
        let open = (x_b - x_a - self.normal * c.distance).norm();
        // The points are rounded at their own magnitude, the product at that of the distance.
        let closure = 1e-15 * (x_a.norm() + x_b.norm() + c.distance.abs());
        require(open <= closure, || {
            format!("point_b − point_a − distance·normal is {open:e}, allowed {closure:e}")
        })?;
        let points = [
            ("point_a", &self.pair.a, x_a),
            ("point_b", &self.pair.b, x_b),
        ];
        for (name, body, x) in points.into_iter().filter(|_| self.claims_points()) {
            let off = body.surface_error(&x);
            require(off <= self.tolerance, || {
                format!(
                    "{name} is {off:e} off its surface, allowed {:e}",
                    self.tolerance
                )
            })?;
        }
        Ok(())
    }

    /// The promise of each outcome about the bracket.
    fn outcome(&self) -> Result<(), String> {
        let c = &self.answer;
        let mut width = self.tolerance;
        if c.distance < 0.0 && self.options.depth == DepthMode::Certified {
            width = width.max(1e-6 * self.pair.size() + self.rounding);
        }
        let open = c.upper - c.lower;
        require(c.outcome != Outcome::Certified || open <= width, || {
            format!("certified, but the bracket is {open:e} wide, allowed {width:e}")
        })
    }

    /// Farther apart than `max_distance`, proven.
    fn beyond(&self) -> Result<Finding, String> {
        let c = &self.answer;
        require(c.lower > self.options.max_distance, || {
            format!(
                "beyond, but lower {} is not over {}",
                c.lower, self.options.max_distance
            )
        })?;
        require(c.distance == c.lower, || {
            "beyond, but distance is not lower".into()
        })?;
        let (best_normal, best_gap) =
            self.better_of_normal_and(|| self.pair.polish(&self.normal, 0.1));
        // The hull's gap proves the lower bound; a non-convex pair may be proven otherwise.
        if best_gap < c.lower - self.rounding {
            self.separated_by(c.lower)?;
        }
        Ok(self.finding(best_normal, best_gap))
    }

    fn finding(&self, best_normal: Vector3<f64>, best_gap: f64) -> Finding {
        Finding {
            best_gap,
            best_normal,
            excess: best_gap - self.answer.distance,
            tolerance: self.tolerance,
        }
    }

    fn better_of_normal_and(
        &self,
        search: impl FnOnce() -> (Vector3<f64>, f64),
    ) -> (Vector3<f64>, f64) {
        let own = (self.normal, self.pair.gap(&self.normal));
        let found = search();
        if found.1 > own.1 { found } else { own }
    }

    /// Whether the answer proves itself: two points of the bodies at this distance and an empty
    /// slab as wide between them, convex or not. Then only the bracket's ends are left to test.
    fn proven_apart(&self) -> Result<Option<Finding>, String> {
        let c = &self.answer;
        let gap = self.pair.gap(&self.normal);
        if c.distance <= 0.0 || gap < c.distance - self.tolerance {
            return Ok(None);
        }
        require(c.upper >= gap - self.rounding, || {
            format!("upper {:e} is below the gap {gap:e}", c.upper)
        })?;
        if c.lower > gap + self.rounding {
            let best = self.pair.largest_gap_near(&self.normal, 1e-2);
            require(c.lower <= best + self.rounding || !self.convex, || {
                format!("lower {:e} is above the best gap {best:e}", c.lower)
            })?;
        }
        Ok(Some(self.finding(self.normal, gap)))
    }

    /// Convex bodies: the distance is the maximum of the gap.
    fn convex_pair(&self) -> Result<Finding, String> {
        let c = &self.answer;
        let gap = self.pair.gap(&self.normal);
        let (best_normal, best) = self.better_of_normal_and(|| self.pair.max_gap(self.effort));
        require(best <= c.upper + self.rounding, || {
            format!(
                "upper {:e} is false: the gap along {best_normal:?} is {best:e}",
                c.upper
            )
        })?;
        require(c.lower <= best + self.rounding, || {
            let all = self.pair.max_gap(Effort::THOROUGH).1;
            format!(
                "lower {:e} is above every gap found ({best:e}; thorough {all:e})",
                c.lower
            )
        })?;
        if c.outcome == Outcome::NotConverged {
            return Ok(self.finding(best_normal, best));
        }
        if c.distance > self.tolerance {
            let truth = if best >= c.distance - self.tolerance {
                format!("the distance is right: the gap along {best_normal:?} is {best:e}")
            } else {
                format!("nor the largest gap found, {best:e}")
            };
            return Err(format!(
                "distance {:e} is not the gap along the normal, {gap:e} ({truth})",
                c.distance
            ));
        }
        require((c.distance - gap).abs() <= self.tolerance, || {
            format!(
                "distance {:e} is not the gap {gap:e} along the normal",
                c.distance
            )
        })?;
        // Two surface points that differ by distance·normal, with the gap along the normal equal
        // to the distance, are support points: the gap is stationary. It may still be a saddle.
        let near = self.pair.polish(&self.normal, 1e-4);
        let (best_normal, best) = if near.1 > best {
            near
        } else {
            (best_normal, best)
        };
        require(best <= c.upper + self.rounding, || {
            format!(
                "upper {:e} is false: the gap along {best_normal:?} is {best:e}",
                c.upper
            )
        })?;
        if c.outcome == Outcome::Certified {
            let width = c.upper - c.lower + self.tolerance;
            require(best <= c.distance + width, || {
                format!("certified, but the gap along {best_normal:?} is {best:e}")
            })?;
        }
        Ok(self.finding(best_normal, best))
    }

    /// Bodies that are not both convex: the gap of the hulls is only a lower bound, so overlap
    /// must be shown by a common point and separation is tested by sampling.
    fn non_convex_pair(&self) -> Result<Finding, String> {
        let c = &self.answer;
        let (best_normal, best) = self.better_of_normal_and(|| self.pair.max_gap(self.effort));
        require(best <= c.upper + self.rounding, || {
            format!("upper {:e} is below the hulls' gap {best:e}", c.upper)
        })?;
        if c.lower > best.max(0.0) + self.rounding {
            self.separated_by(c.lower)?;
        }
        if c.distance < -self.tolerance && self.claims_points() {
            require(c.outcome != Outcome::Certified, || {
                "the depth of a non-convex overlap cannot be certified".into()
            })?;
            self.overlapping()?;
        }
        Ok(self.finding(best_normal, best))
    }

    /// No sampled point of one body in the other, and no two sampled points, improved by a local
    /// search, nearer than `lower`.
    fn separated_by(&self, lower: f64) -> Result<(), String> {
        let (a, b) = (&self.pair.a, &self.pair.b);
        let world = |p: &super::search::Placed, count| -> Vec<Vector3<f64>> {
            p.body
                .surface_samples(count)
                .iter()
                .map(|x| p.centre + p.rotation * x)
                .collect()
        };
        let (on_a, on_b) = (world(a, 400), world(b, 400));
        let inside = on_a
            .iter()
            .find(|x| b.gauge(x) < 1.0 - 1e-12)
            .or_else(|| on_b.iter().find(|x| a.gauge(x) < 1.0 - 1e-12));
        require(inside.is_none(), || {
            format!("lower {lower:e}, but {inside:?} is in both bodies")
        })?;
        let mut pairs: Vec<(f64, Vector3<f64>, Vector3<f64>)> = on_a
            .iter()
            .map(|x| {
                let nearest = on_b
                    .iter()
                    .min_by(|y, z| (*y - x).norm().total_cmp(&(*z - x).norm()))
                    .expect("samples");
                ((x - nearest).norm(), *x, *nearest)
            })
            .collect();
        pairs.sort_by(|x, y| x.0.total_cmp(&y.0));
        for (_, x, y) in pairs.iter().take(2) {
            let near = self.local_distance(x, y);
            require(near >= lower - self.rounding, || {
                format!("lower {lower:e}, but two surface points are {near:e} apart")
            })?;
        }
        let middle = (self.answer.point_a.coords + self.answer.point_b.coords) * 0.5;
        let (x, gauge) = self.pair.deepest_common_point(&[middle, pairs[0].1]);
        require(gauge > 1.0 - 1e-12, || {
            format!("lower {lower:e}, but {x:?} is in both bodies (gauge {gauge})")
        })
    }

    /// Local minimum of the distance between the surfaces from two of their points; the search
    /// runs over the directions of both points from their centres.
    fn local_distance(&self, x: &Vector3<f64>, y: &Vector3<f64>) -> f64 {
        let chart = |p: &super::search::Placed, x: &Vector3<f64>| {
            let local = p.local(x);
            let t = local.cross(&Vector3::ith(local.iamin(), 1.0));
            (local, t * (local.norm() / t.norm()), p.rotation, p.centre)
        };
        let point =
            |p: &super::search::Placed,
             (local, t, rotation, centre): &(Vector3<f64>, Vector3<f64>, _, Vector3<f64>),
             u: f64,
             v: f64| {
                let b = local.cross(t) / local.norm();
                let m = local + t * u + b * v;
                let rotation: &nalgebra::Matrix3<f64> = rotation;
                centre + rotation * (m * p.body.radial_scale(&m))
            };
        let (at_a, at_b) = (chart(&self.pair.a, x), chart(&self.pair.b, y));
        let distance = |u: &[f64; 4]| {
            let p = point(&self.pair.a, &at_a, u[0], u[1]);
            let q = point(&self.pair.b, &at_b, u[2], u[3]);
            -(p - q).norm()
        };
        let first = nelder_mead([0.0; 4], 0.05, 1e-7, 250, distance);
        let second = nelder_mead(first.0, 1e-3, 1e-10, 250, distance);
        -second.1.max(first.1)
    }

    /// Shows a point of both bodies, or says that none was found.
    fn overlapping(&self) -> Result<(), String> {
        let c = &self.answer;
        let (x_a, x_b) = (c.point_a.coords, c.point_b.coords);
        let mut hints = vec![(x_a + x_b) * 0.5, x_a, x_b];
        if self.pair.deepest_common_point(&hints).1 <= 1.0 {
            return Ok(());
        }
        let place = |p: &super::search::Placed, other: &super::search::Placed| {
            p.body
                .surface_samples(600)
                .iter()
                .map(|x| p.centre + p.rotation * x)
                .min_by(|x, y| other.gauge(x).total_cmp(&other.gauge(y)))
                .expect("samples")
        };
        hints.push(place(&self.pair.a, &self.pair.b));
        hints.push(place(&self.pair.b, &self.pair.a));
        hints.push(self.pair.a.centre + self.pair.offset * 0.5);
        let (x, gauge) = self.pair.deepest_common_point(&hints);
        require(gauge <= 1.0 + 1e-12, || {
            format!(
                "distance {:e}, but no common point was found: the best, {x:?}, has gauge {gauge}",
                c.distance
            )
        })
    }
}
