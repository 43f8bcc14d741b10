//! The stretch of a line inside a convex body.
//!
//! Balls, boxes, cylinders, capsules and cones have closed forms: the stretches inside quadrics, slabs and half-spaces, cut with each
//! other. Every quadric is solved about the point of the line that is nearest to its axis or centre, so that a far origin
//! costs no digits.
//!
//! A hull is known by its support function. The distance φ(s) of the line's point from it is a convex function of s. With the
//! nearest point's normal n, which GJK finds, the hull lies below the plane `n·x = h(n)`, and the line stays above
//! that plane until `s + φ(s)/(−n·d)`: a step of Newton's method that never passes the first entry (G. van den Bergen, *Ray
//! casting against general convex objects with application to continuous collision detection* 2004). It ends after a few
//! steps on a face, quadratically on a smooth body, and where `n·d ≥ 0` the line misses the hull. The last point is the first
//! entry of the reversed line.

use super::core::Core;
use super::shape::ConvexShape;
use crate::narrowphase::gjk;
use crate::surface::support_map::Hull;
use nalgebra::{Point3, Vector3};

/// A line `from + s · along`; `along` is a unit vector.
#[derive(Clone, Copy)]
pub(crate) struct Line {
    pub from: Vector3<f64>,
    pub along: Vector3<f64>,
}

impl Line {
    pub fn at(&self, s: f64) -> Vector3<f64> {
        self.from + self.along * s
    }
}

/// A place where a line enters or leaves a body, with the outward unit normal of the surface there.
#[derive(Clone, Copy)]
pub(crate) struct End {
    pub s: f64,
    pub normal: Vector3<f64>,
}

/// The stretch of a line inside a convex body. An end may be infinite; then its normal has no meaning.
#[derive(Clone, Copy)]
pub(crate) struct Stretch {
    pub enter: End,
    pub leave: End,
}

impl Stretch {
    /// Returns the whole line.
    pub fn whole() -> Self {
        let at = |s| End {
            s,
            normal: Vector3::zeros(),
        };
        Stretch {
            enter: at(f64::NEG_INFINITY),
            leave: at(f64::INFINITY),
        }
    }

    /// Returns the part of the stretch in another one.
    pub fn cut(self, other: Stretch) -> Option<Self> {
        let enter = if other.enter.s > self.enter.s {
            other.enter
        } else {
            self.enter
        };
        let leave = if other.leave.s < self.leave.s {
            other.leave
        } else {
            self.leave
        };
        (enter.s <= leave.s).then_some(Stretch { enter, leave })
    }

    /// Returns the part of the stretch in the half-space `n·x ≤ height`, whose boundary has the given outward normal.
    pub fn below(
        self,
        line: &Line,
        n: &Vector3<f64>,
        height: f64,
        normal: Vector3<f64>,
    ) -> Option<Self> {
        let slope = n.dot(&line.along);
        let above = n.dot(&line.from) - height;
        if slope == 0.0 {
            return (above <= 0.0).then_some(self);
        }
        let end = End {
            s: -above / slope,
            normal,
        };
        let mut half = Stretch::whole();
        if slope > 0.0 {
            half.leave = end;
        } else {
            half.enter = end;
        }
        self.cut(half)
    }

    /// Returns the stretch in a box.
    pub fn in_box(line: &Line, min: &Vector3<f64>, max: &Vector3<f64>) -> Option<Self> {
        (0..3).try_fold(Stretch::whole(), |stretch, i| {
            let axis = Vector3::ith(i, 1.0);
            (stretch.below(line, &axis, max[i], axis)?).below(line, &-axis, -min[i], -axis)
        })
    }

    /// Returns the stretch between two planes across z.
    fn in_slab(line: &Line, half: f64) -> Option<Self> {
        let z = Vector3::z();
        (Stretch::whole().below(line, &z, half, z)?).below(line, &-z, half, -z)
    }

    fn in_ball(line: &Line, centre: &Vector3<f64>, radius: f64) -> Option<Self> {
        let from = line.from - centre;
        let nearest = -from.dot(&line.along);
        let across = from + line.along * nearest;
        let off = across.norm();
        // Its square without the difference of squares, which a graze would leave without digits.
        let half = ((radius - off) * (radius + off)).sqrt();
        let end = |half: f64| End {
            s: nearest + half,
            normal: (across + line.along * half).normalize(),
        };
        (off <= radius).then(|| Stretch {
            enter: end(-half),
            leave: end(half),
        })
    }

    /// Returns the stretch in a cylinder about z without ends.
    fn in_tube(line: &Line, radius: f64) -> Option<Self> {
        let (from, along) = (line.from.xy(), line.along.xy());
        let rate = along.norm();
        if rate == 0.0 {
            return (from.norm() <= radius).then(Stretch::whole);
        }
        let along = along / rate;
        let nearest = -from.dot(&along);
        let across = from + along * nearest;
        let off = across.norm();
        let half = ((radius - off) * (radius + off)).sqrt();
        let end = |half: f64| End {
            s: (nearest + half) / rate,
            normal: (across + along * half).push(0.0).normalize(),
        };
        (off <= radius).then(|| Stretch {
            enter: end(-half),
            leave: end(half),
        })
    }

    fn in_capsule(line: &Line, half: f64, radius: f64) -> Option<Self> {
        let tip = Vector3::z() * half;
        let middle =
            Stretch::in_tube(line, radius).and_then(|tube| tube.cut(Stretch::in_slab(line, half)?));
        let parts = [
            middle,
            Stretch::in_ball(line, &tip, radius),
            Stretch::in_ball(line, &-tip, radius),
        ];
        // The body is convex: there is nothing between its parts.
        parts.into_iter().flatten().reduce(|a, b| Stretch {
            enter: if b.enter.s < a.enter.s {
                b.enter
            } else {
                a.enter
            },
            leave: if b.leave.s > a.leave.s {
                b.leave
            } else {
                a.leave
            },
        })
    }

    /// Returns the stretch in a cone, whose tip is at z = `half`: the points with `‖(x, y)‖ ≤ k w` at the depth
    /// `w = half − z` below the tip, from 0 to 2 `half`.
    fn in_cone(line: &Line, half: f64, radius: f64) -> Option<Self> {
        let k = radius / (2.0 * half);
        // About the point nearest to the middle.
        let nearest = -line.from.dot(&line.along);
        let near = line.at(nearest);
        let (from, along) = (near.xy(), line.along.xy());
        let (w, rate) = (half - near.z, -line.along.z);
        // ‖(x, y)‖² − k² w² = a s² + 2 b s + c, in factors where it is a difference of squares.
        let (turn, size) = (along.norm(), from.norm());
        let a = (turn - k * rate.abs()) * (turn + k * rate.abs());
        let b = from.dot(&along) - k * k * w * rate;
        let c = (size - k * w.abs()) * (size + k * w.abs());
        let discriminant = b * b - a * c;
        let end = |s: f64| {
            let (x, depth) = (from + along * s, w + rate * s);
            let out = x.try_normalize(1e-12 * k * depth.abs()).map(|x| x.push(k));
            End {
                s: s + nearest,
                normal: out.unwrap_or_else(Vector3::z).normalize(),
            }
        };
        let mut side = Stretch::whole();
        if discriminant >= 0.0 {
            let q = -(b + discriminant.sqrt().copysign(b));
            let roots = [q / a, c / q];
            let [low, high] = [roots[0].min(roots[1]), roots[0].max(roots[1])];
            if a > 0.0 {
                (side.enter, side.leave) = (end(low), end(high));
            } else if rate > 0.0 {
                // Into the cone below the tip, having left the one above it.
                side.enter = end(if high.is_finite() { high } else { low });
            } else {
                side.leave = end(if low.is_finite() { low } else { high });
            }
        } else if a > 0.0 {
            return None;
        }
        let z = Vector3::z();
        let below = side.below(line, &z, half, z)?.below(line, &-z, half, -z)?;
        // The cone above the tip is no part of the body.
        let middle = 0.5 * (below.enter.s + below.leave.s) - nearest;
        let inside =
            (from + along * middle).norm() <= k * (w + rate * middle) * (1.0 + 1e-9) + 1e-12 * half;
        inside.then_some(below)
    }

    /// Returns the stretch in the hull of a support function; `min` and `max` are the corners of a box that holds it.
    pub fn in_hull(
        line: &Line,
        farthest: impl Fn(&Vector3<f64>) -> Vector3<f64>,
        [min, max]: [Vector3<f64>; 2],
    ) -> Option<Self> {
        let size = (max - min).amax();
        // It begins outside, so that normals are of faces, not of points on them.
        let around = Vector3::repeat(0.25 * size + f64::MIN_POSITIVE);
        let within = Stretch::in_box(line, &(min - around), &(max + around))?;
        let [start, end] = [within.enter.s, within.leave.s];
        let tolerance = 4.0 * f64::EPSILON * (min.amax() + max.amax());
        let met = |s: f64, along: Vector3<f64>| {
            let from = line.at(s);
            entry(&Line { from, along }, &farthest, end - start, tolerance)
        };
        let mut enter = met(start, line.along)?;
        enter.s += start;
        let leave = met(end, -line.along).map_or(enter, |leave| End {
            s: (end - leave.s).max(enter.s),
            ..leave
        });
        Some(Stretch { enter, leave })
    }

    /// Returns the stretch in the hull of points, at least one.
    pub fn in_points(line: &Line, points: &[Point3<f64>], per_unit: f64) -> Option<Self> {
        let first = points.first()?.coords;
        let (min, max) = (points.iter()).fold((first, first), |(min, max), p| {
            (min.inf(&p.coords), max.sup(&p.coords))
        });
        let farthest = |n: &Vector3<f64>| Hull(points).farthest_along(n) * per_unit;
        Stretch::in_hull(line, farthest, [min * per_unit, max * per_unit])
    }
}

/// Returns where a line that begins outside a hull first comes to it, within a length.
fn entry(
    line: &Line,
    farthest: impl Fn(&Vector3<f64>) -> Vector3<f64>,
    length: f64,
    tolerance: f64,
) -> Option<End> {
    /// Each step at least halves the gap or the slope.
    const MAX_STEPS: usize = 200;
    const QUERIES: usize = 60;
    let mut s = 0.0;
    let mut normal = -line.along;
    for _ in 0..MAX_STEPS {
        let x = line.at(s);
        let lowest = |n: &Vector3<f64>| farthest(&-n);
        let exact = |v: &Vector3<f64>| v.norm_squared() * (1.0 - 4.0 * f64::EPSILON);
        let simplex = gjk::nearest_to(&x, line.along, QUERIES, lowest, exact);
        let distance = simplex.nearest().norm();
        if simplex.encloses_origin || distance <= tolerance {
            break;
        }
        // Near a face its own normal has more digits than the line to the nearest point.
        let toward = simplex.nearest() / -distance;
        let face = simplex.face_normal();
        let face = face.try_normalize(0.0).unwrap_or(toward);
        let face = face * face.dot(&toward).signum();
        let [(gap, n), other] = [toward, face].map(|n| (n.dot(&(x - farthest(&n))), n));
        let (gap, n) = if other.0 > gap { other } else { (gap, n) };
        if gap <= tolerance {
            break;
        }
        let slope = n.dot(&line.along);
        let next = s - gap / slope;
        if slope >= 0.0 || next > length {
            return None;
        }
        (s, normal) = (next, n);
    }
    Some(End { s, normal })
}

impl ConvexShape {
    /// Returns the stretch of a line in the body, in units of which `per_unit` are a metre.
    pub(crate) fn stretch(&self, line: &Line, per_unit: f64) -> Option<Stretch> {
        let scaled = |length: &f64| length * per_unit;
        let margin = scaled(&self.margin);
        match &self.core {
            Core::Point => Stretch::in_ball(line, &Vector3::zeros(), margin),
            Core::Segment(half) => Stretch::in_capsule(line, scaled(half), margin),
            Core::Cuboid(half) => {
                let half = Vector3::from(*half) * per_unit;
                Stretch::in_box(line, &-half, &half)
            }
            Core::Cylinder {
                radius,
                half_length,
            } => Stretch::in_tube(line, scaled(radius))?
                .cut(Stretch::in_slab(line, scaled(half_length))?),
            Core::Cone {
                radius,
                half_length,
            } => Stretch::in_cone(line, scaled(half_length), scaled(radius)),
            Core::Triangle(corners) => Stretch::in_points(line, corners, per_unit),
            Core::Points(points) => Stretch::in_points(line, points, per_unit),
            Core::Superovoid(_) | Core::Superquadric(_) => {
                let shape = self.scaled(per_unit);
                let around = self.local_aabb();
                let corners = [around.min.coords * per_unit, around.max.coords * per_unit];
                Stretch::in_hull(line, |n| shape.support_point(&n.normalize()), corners)
            }
        }
    }
}
