//! Pairs: a superhyperboloid or supertoroid (A) and a convex body, a superovoid or another one (B).
//!
//! One sheet of two is convex, and the [convex query](crate::convex) answers. Of two sheets the nearer counts. A toroid or a
//! neck is searched [part by part](crate::superquadric_contact::search), and two of these by
//! [pairs of parts](crate::superquadric_contact::two).
//!
//! Where such a body overlaps the other, a translation that separates them is looked for. Newton's method leads from the
//! common point to surface points that face each other through the overlap; B, moved by their offset, is then proven to be
//! apart, which bounds the least translation from above. The hull's depth is such a bound as well.

use crate::convex::{ConvexKind, ConvexShape, ScaledShape, convex_contact};
use crate::query::answer::{Answer, beyond_answer, in_world};
use crate::query::contact::{Contact, Outcome};
use crate::query::error::QueryError;
use crate::query::options::QueryOptions;
use crate::query::units::{
    RELATIVE_TOLERANCE, center_line, rounding_error, unit_of_length, wanted_tolerance,
};
use crate::query::validation::validate;
use crate::superquadric::shape::{Family, Sheets, Superquadric};
use crate::superquadric_contact::foot::Facing;
use crate::superquadric_contact::search::{Bracket, Wanted, separate};
use crate::superquadric_contact::two::{Turned, separate_two};
use crate::vertex::{VertexOptions, vertex_contact};
use nalgebra::{Isometry3, Matrix3, Translation3, Vector3};

impl Superquadric {
    /// Returns the signed distance between the body at `pose` (A) and a convex body or a superovoid at `pose_b` (B), with
    /// witness points, normal and bracket.
    ///
    /// | A | bracket | outcome |
    /// | --- | --- | --- |
    /// | one sheet of two | that of [`convex_contact`] | as there |
    /// | apart | closed at the tolerance: 1e-9 of the larger body, unless the options say otherwise | `Certified`, or `NotConverged` where 1500 parts do not close it |
    /// | overlapping, not convex | from minus a translation that is proven to separate the bodies, to 0 | `Converged`, or `NotConverged` where no surface points face each other along it |
    ///
    /// A superovoid B that is not convex counts by its hull below, and by its own surface above.
    ///
    /// # Errors
    /// The error names a pose that is not finite or not a rotation, an option out of its domain, or a distance that exceeds
    /// the number range.
    ///
    /// ```
    /// use nalgebra::Isometry3;
    /// use superovoid::{QueryOptions, Superovoid, superquadric::Superquadric};
    ///
    /// let ring = Superquadric::toroid([0.5; 3], [1.0, 1.0], 4.0)?; // radii 2 and 0.5 metres
    /// let ball = Superovoid::sphere(1.0)?;
    /// let (here, there) = (Isometry3::identity(), Isometry3::translation(0.2, 0.0, 0.0));
    /// let found = ring.contact(&here, &ball.into(), &there, &QueryOptions::default())?;
    /// assert!((found.distance - 0.3).abs() < 1e-9); // inside the ring, and apart
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contact(
        &self,
        pose: &Isometry3<f64>,
        other: &ConvexShape,
        pose_b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        match self.family {
            Family::TwoSheets(Sheets::Both) => self.nearer_sheet(pose, other, pose_b, options),
            Family::TwoSheets(_) => {
                convex_contact(&ConvexShape::hull_of(self), pose, other, pose_b, options)
            }
            _ => {
                let straight = validate(pose, pose_b, options)?;
                let [pose, pose_b] = straight.or([pose, pose_b]);
                if let Some(found) = self.ball_apart(pose, other, pose_b, options)? {
                    return Ok(found);
                }
                let found = searched_contact(self, pose, (other, None), pose_b, options)?;
                match other.hollow_ovoid() {
                    Some(ovoid) if found.outcome != Outcome::Beyond => {
                        let at = VertexOptions::default();
                        let point = vertex_contact(ovoid, pose_b, &found.point_a, &at)?;
                        let size = self.size().max(other.size());
                        let closed = wanted_tolerance(options.tolerance, size, RELATIVE_TOLERANCE);
                        Ok(with_upper(found, point.upper, closed))
                    }
                    _ => Ok(found),
                }
            }
        }
    }

    /// Returns the signed distance to another one that is not convex, as [`Superquadric::contact`] does. Two sheets that overlap
    /// the other body are as deep as the hulls.
    pub(crate) fn contact_with_hollow(
        &self,
        pose: &Isometry3<f64>,
        other: &Superquadric,
        pose_b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        let both = Family::TwoSheets(Sheets::Both);
        if self.family == both && other.family != both {
            let found = other.contact_with_hollow(pose_b, self, pose, options);
            return Ok(found.map_err(QueryError::swapped)?.swapped());
        }
        let hull = ConvexShape::hull_of(other);
        if other.family != both {
            let straight = validate(pose, pose_b, options)?;
            let [pose, pose_b] = straight.or([pose, pose_b]);
            return searched_contact(self, pose, (&hull, Some(other)), pose_b, options);
        }
        let [upper, lower] = [Sheets::Upper, Sheets::Lower].map(|side| {
            let sheet = other.sheet(side);
            self.contact(pose, &ConvexShape::hull_of(&sheet), pose_b, options)
        });
        let (upper, lower) = (upper?, lower?);
        let bracket = [upper.lower.min(lower.lower), upper.upper.min(lower.upper)];
        let mut nearest = if upper.distance <= lower.distance {
            upper
        } else {
            lower
        };
        if nearest.distance < 0.0 {
            nearest = convex_contact(&ConvexShape::hull_of(self), pose, &hull, pose_b, options)?;
            nearest.outcome = Outcome::Converged;
            nearest.upper = bracket[1].max(nearest.distance);
        } else {
            nearest.lower = bracket[0];
        }
        Ok(nearest)
    }

    /// Returns the contact with a ball that is apart, or beyond the limit, by that of its centre, whose symmetries are known.
    fn ball_apart(
        &self,
        pose: &Isometry3<f64>,
        other: &ConvexShape,
        pose_b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Option<Contact>, QueryError> {
        let ConvexKind::Ball(radius) = other.kind() else {
            return Ok(None);
        };
        let of_point = VertexOptions {
            tolerance: options.tolerance,
            max_distance: options.max_distance + radius,
            ..VertexOptions::default()
        };
        let center = pose_b.translation.vector.into();
        let mut found = self.point_contact(pose, &center, &of_point)?;
        let rounding = 2.0 * f64::EPSILON * (radius + found.distance.abs());
        found.lower -= radius + rounding;
        found.upper -= radius - rounding;
        found.distance -= radius;
        found.point_b = found.point_a + *found.normal * found.distance;
        Ok((found.lower > 0.0).then_some(found))
    }

    fn nearer_sheet(
        &self,
        pose: &Isometry3<f64>,
        other: &ConvexShape,
        pose_b: &Isometry3<f64>,
        options: &QueryOptions,
    ) -> Result<Contact, QueryError> {
        let sheets = [Sheets::Upper, Sheets::Lower].map(|side| self.sheet(side));
        let [upper, lower] = [0, 1].map(|k| sheets[k].contact(pose, other, pose_b, options));
        let (upper, lower) = (upper?, lower?);
        let (mut nearest, far) = if upper.distance <= lower.distance {
            (upper, lower)
        } else {
            (lower, upper)
        };
        if nearest.lower >= 0.0 || (nearest.distance >= 0.0 && far.distance >= 0.0) {
            nearest.lower = nearest.lower.min(far.lower);
            return Ok(nearest);
        }
        // The translation that separates B from one sheet may move it into the other one. Then only the depth of the hull of
        // both sheets is known to separate them.
        let depth = -nearest.lower + 1e-9 * self.size().max(other.size());
        let moved = Translation3::from(*nearest.normal * depth) * pose_b;
        let mut separated = true;
        for sheet in &sheets {
            separated &= sheet.contact(pose, other, &moved, options)?.distance >= 0.0;
        }
        if !separated {
            let upper = nearest.upper.min(far.upper);
            nearest = convex_contact(&ConvexShape::hull_of(self), pose, other, pose_b, options)?;
            nearest.upper = upper.max(nearest.distance);
        }
        if nearest.outcome == Outcome::Certified {
            nearest.outcome = Outcome::Converged;
        }
        Ok(nearest)
    }
}

/// Replaces an upper bound that holds for the hull of B only.
fn with_upper(mut found: Contact, upper: f64, tolerance: f64) -> Contact {
    found.upper = upper.max(found.lower);
    found.distance = found.distance.min(found.upper);
    if found.lower <= 0.0 || found.upper - found.lower > tolerance {
        found.outcome = Outcome::NotConverged;
    }
    if found.outcome == Outcome::NotConverged && found.lower <= 0.0 {
        found.distance = found.distance.min(found.lower);
    }
    found.point_b = found.point_a + found.normal.into_inner() * found.distance;
    found
}

/// A pair in A's frame, in units near the larger body's size.
struct PairProblem<'a> {
    a: Superquadric,
    b: ScaledShape<'a>,
    /// B itself if `b` is its hull.
    hollow: Option<Superquadric>,
    rotation: Matrix3<f64>,
    offset: Vector3<f64>,
    /// The middle of B's box along the axes of A. Unlike the origin of B's frame it is the same for a box and for the hull of
    /// its corners, which thus get the same answer.
    middle: Vector3<f64>,
    wanted: Wanted,
    rounding: f64,
    tolerance: f64,
}

impl PairProblem<'_> {
    /// Returns the point of B, moved by `shift`, that is lowest along a unit vector.
    fn lowest(&self, n: &Vector3<f64>, shift: &Vector3<f64>) -> Vector3<f64> {
        let local = -self.rotation.tr_mul(n);
        self.rotation * self.b.support_point(&local) + self.offset + shift
    }

    fn middle_of_b(&self) -> Vector3<f64> {
        let end = |i: usize, sign: f64| self.lowest(&Vector3::ith(i, sign), &Vector3::zeros())[i];
        Vector3::from_fn(|i, _| 0.5 * (end(i, 1.0) + end(i, -1.0)))
    }

    fn turned<'b>(&'b self, shape: &'b Superquadric, shift: Vector3<f64>) -> Turned<'b> {
        Turned {
            shape,
            rotation: &self.rotation,
            offset: self.offset + shift,
        }
    }

    /// Returns the bracket of the distance after B has moved, or one whose lower end is beyond `stop`.
    fn separate(&self, shift: Vector3<f64>, stop: f64, iterations: &mut u32) -> Bracket {
        let wanted = Wanted {
            stop,
            ..self.wanted
        };
        let lowest = |n: &Vector3<f64>| self.lowest(n, &shift);
        let start = center_line(&(self.middle + shift));
        if let Some(b) = &self.hollow {
            let b = self.turned(b, shift);
            return separate_two(&self.a, &b, start, &wanted, iterations);
        }
        separate(&self.a, &lowest, start, &wanted, iterations)
    }

    /// Returns the length of a translation along a unit vector that is proven to separate the bodies: the first that does of
    /// one that is expected to and longer ones, below `most`.
    fn separation(
        &self,
        normal: Vector3<f64>,
        expected: f64,
        most: f64,
        iterations: &mut u32,
    ) -> Option<f64> {
        const TRIALS: usize = 6;
        let mut depth = expected.max(0.0) + 2.0 * self.tolerance;
        for _ in 0..TRIALS {
            if depth >= most {
                return None;
            }
            let moved = self.separate(normal * depth, self.rounding, iterations);
            if moved.common.is_none() && moved.lower > self.rounding {
                return Some(depth);
            }
            depth = 1.3 * depth + 1e-3 * expected;
        }
        None
    }
}

/// B is a convex body, or the hull of one that is not and that one.
fn searched_contact(
    shape: &Superquadric,
    pose: &Isometry3<f64>,
    (other, hollow): (&ConvexShape, Option<&Superquadric>),
    pose_b: &Isometry3<f64>,
    options: &QueryOptions,
) -> Result<Contact, QueryError> {
    // Halves are subtracted, so that coordinates of any finite size do not overflow.
    let half_offset = pose_b.translation.vector * 0.5 - pose.translation.vector * 0.5;
    let size = shape.size().max(other.size());
    let far = half_offset
        .amax()
        .max(shape.size())
        .max(other.largest_coordinate());
    let unit = unit_of_length(size, far);
    let k = 1.0 / unit;
    let to_a = pose.rotation.inverse();
    let offset = to_a * (half_offset * k * 2.0);
    let radii = 1.8 * (shape.size() + other.largest_coordinate()) * k;
    let rounding = 2.0 * rounding_error(offset.norm() + radii, unit);
    let tolerance =
        (wanted_tolerance(options.tolerance, size, RELATIVE_TOLERANCE) * k).max(16.0 * rounding);
    let limit = options.max_distance * k;
    let mut problem = PairProblem {
        a: shape.scaled(k),
        b: other.scaled(k),
        hollow: hollow.map(|b| b.scaled(k)),
        rotation: (to_a * pose_b.rotation).to_rotation_matrix().into_inner(),
        offset,
        middle: offset,
        wanted: Wanted {
            tolerance: tolerance - 2.0 * rounding,
            rounding,
            // Less rounding, what ends the search is beyond the limit.
            stop: limit + 2.0 * rounding,
            octant: false,
            turn: None,
        },
        rounding,
        tolerance,
    };
    problem.middle = problem.middle_of_b();
    let mut iterations = 0;
    let found = problem.separate(Vector3::zeros(), problem.wanted.stop, &mut iterations);
    let lower = found.lower - rounding;
    let mut answer = if let Some(common) = found.common {
        let unlimited = QueryOptions {
            max_distance: f64::INFINITY,
            ..*options
        };
        let hull = ConvexShape::hull_of(shape);
        let hull = convex_contact(&hull, pose, other, pose_b, &unlimited)?;
        let depth = (-hull.lower).max(0.0) * k;
        let half = hull.point_a.coords * 0.5 - pose.translation.vector * 0.5;
        let witness = to_a * (half * k * 2.0);
        // Where the bodies nearly touch, the hull's witness of B may have slipped off it.
        let at = hull.point_a + *hull.normal * hull.lower.min(0.0);
        let point = ConvexShape::swept_point(0.0);
        let off = convex_contact(&point, &at.into(), other, pose_b, &unlimited)?;
        let hull = HullDepth {
            depth,
            normal: to_a * *hull.normal,
            point: witness,
            meets_b: off.distance * k <= 4.0 * tolerance,
        };
        overlap(&problem, &common, &hull, &mut iterations)
    } else if lower > limit {
        beyond_answer(found.normal, found.witnesses[0], lower)
    } else {
        apart(&problem, &found)
    };
    if !(shape.is_provable() && other.is_provable()) {
        let center = offset.norm();
        answer.revoke([center - 2.0 * radii, center + 2.0 * radii]);
    }
    answer.report_conservatively();
    in_world(&answer, unit, pose, iterations).within_number_range()
}

fn apart(problem: &PairProblem, found: &Bracket) -> Answer {
    let [xa, xb] = found.witnesses;
    let d = xb - xa;
    // The direction of a shorter difference is rounding error.
    let normal = d.try_normalize(1e-8).unwrap_or(found.normal);
    let bracket = [
        found.lower - problem.rounding,
        found.upper + problem.rounding,
    ];
    let outcome = Outcome::of_bracket(bracket, problem.tolerance, Outcome::NotConverged);
    Answer::new(found.upper, normal, xa, bracket, outcome)
}

/// How deep B is in the hull of A.
struct HullDepth {
    depth: f64,
    normal: Vector3<f64>,
    /// The hull's witness.
    point: Vector3<f64>,
    /// The witness of B belongs to the hull of B.
    meets_b: bool,
}

/// Returns the answer of bodies with a common point: the least translation found that is proven to separate them. Where the
/// witnesses are not on the bodies, or the translation leads farther than the surfaces face each other, only the bracket is
/// known.
fn overlap(
    problem: &PairProblem,
    common: &Vector3<f64>,
    hull: &HullDepth,
    iterations: &mut u32,
) -> Answer {
    const CANDIDATES: usize = 5;
    // What of B is near the common point leads out of its own hollow.
    let near = problem.hollow.as_ref().map(|b| {
        let b = problem.turned(b, Vector3::zeros());
        let part = b.shape.part_about(&b.in_b(common));
        (b, part)
    });
    let lowest = |n: &Vector3<f64>| match &near {
        Some((b, part)) => b.lowest(part, n),
        None => problem.lowest(n, &Vector3::zeros()),
    };
    let a = &problem.a;
    let [alpha, beta] = a.parameters_of(&a.pulled_out(common));
    let quarter = std::f64::consts::FRAC_PI_2;
    let turns = match a.family {
        Family::Toroid => [0.0, quarter, 2.0 * quarter, -quarter].map(|turn| [alpha, turn]),
        _ => [-2.0, -1.0, 1.0, 2.0].map(|k| [alpha + k * quarter, beta]),
    };
    let mut candidates: [Option<(f64, Facing)>; CANDIDATES] = [None; CANDIDATES];
    let starts = [[alpha, beta]].into_iter().chain(turns);
    for (candidate, start) in candidates.iter_mut().zip(starts) {
        let depth_of = |at: &Facing| -at.offset().dot(&at.normal);
        let mut found = a.face(start, &lowest, iterations);
        let depth = depth_of(&found);
        let stationary = (found.offset().norm() - depth) <= 1e-6 * depth + problem.tolerance;
        // Where an edge or a face of B is farthest, no point of it faces the surface.
        if !stationary {
            found = a.facing(start, &lowest);
        }
        let depth = depth_of(&found);
        if depth > 0.0 {
            *candidate = Some((depth, found));
        }
    }
    let depth_of = |c: &Option<(f64, Facing)>| c.as_ref().map_or(f64::INFINITY, |c| c.0);
    candidates.sort_by(|x, y| depth_of(x).total_cmp(&depth_of(y)));
    let separated = candidates.iter().flatten().find_map(|(depth, facing)| {
        let found = problem.separation(facing.normal, *depth, hull.depth, iterations)?;
        let off = facing.offset() + facing.normal * found;
        let faces = off.norm() <= 4.0 * problem.tolerance;
        Some((found, facing.normal, facing.x, faces))
    });
    let (depth, normal, xa, faces) = separated.unwrap_or_else(|| {
        let on =
            |shape: &Superquadric, x: Vector3<f64>| shape.inside_outside(&x.into()).abs() <= 1e-8;
        let of_b = |b: &Superquadric| {
            let point = hull.point - hull.normal * hull.depth;
            on(b, problem.turned(b, Vector3::zeros()).in_b(&point))
        };
        let on_surfaces =
            on(a, hull.point) && hull.meets_b && problem.hollow.as_ref().is_none_or(of_b);
        (hull.depth, hull.normal, hull.point, on_surfaces)
    });
    let outcome = if faces {
        Outcome::Converged
    } else {
        Outcome::NotConverged
    };
    let upper = if a.has_room(common, 16.0 * problem.rounding) {
        0.0
    } else {
        problem.rounding
    };
    let bracket = [-depth - problem.rounding, upper];
    Answer::new(-depth, normal, xa, bracket, outcome)
}
