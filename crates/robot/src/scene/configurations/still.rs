//! The bounds of bodies that stay where they are: their distance from a point is known in closed form.

use crate::poses::largest;
use crate::scene::body::{Body, BodyPlace, OwnBounds};
use nalgebra::{Isometry3, Point3};
use superovoid::Shape;
use superovoid::convex::ConvexKind;
use superovoid::internals::fused::dot;
use superovoid::internals::{BOUND_ACCURACY, Lanes};

/// The change of a bound that rounding can cause, relative to its terms.
pub(super) const SLACK: f64 = 4.0 * BOUND_ACCURACY;

/// The bounds of a body that stays where it is, in the world.
pub(super) enum Still {
    /// Nothing is known.
    Everywhere,
    /// A ball: its middle and radius, and what rounding can change of a distance from it.
    Ball(Point3<f64>, f64, f64),
    /// A box: its middle, its axes, half its edges, and what rounding can change of a distance from it.
    Box(Point3<f64>, [[f64; 3]; 3], [f64; 3], f64),
    /// A cylinder: its middle, its axes, of which the last is that of the cylinder, its radius, half its length, and the
    /// rounding.
    Cylinder(Point3<f64>, [[f64; 3]; 3], [f64; 2], f64),
    /// All points x with n·x at most the offset, and the rounding.
    HalfSpace([f64; 3], f64, f64),
}

impl Still {
    /// Returns the bounds of a body with its padding, and whether they are the body itself.
    pub fn of(body: &Body, bounds: Option<&OwnBounds>, pose: &Isometry3<f64>) -> (Self, bool) {
        if let BodyPlace::HalfSpace(half_space, flat) = &body.place {
            let (normal, offset) = (half_space.normal().into_inner(), half_space.offset());
            return (
                Still::HalfSpace(normal.into(), offset, flat.rounding()),
                true,
            );
        }
        let Some(bounds) = bounds else {
            return (Still::Everywhere, false);
        };
        let outer = body.reach().outer;
        let is_bare = outer == 0.0;
        let (center, half) = (bounds.center, bounds.half_extents);
        let at = pose * center;
        let axes = pose.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|k| axes.matrix().column(k).into_owned().into());
        let terms = center.coords.amax() + pose.translation.vector.amax();
        let slack = SLACK * (at.coords.amax() + terms + half.norm());
        let kind = match &body.shape {
            Shape::Convex(convex) => Some(convex.kind()),
            _ => None,
        };
        match (kind, &body.shape) {
            (Some(ConvexKind::Ball(radius)), _) => {
                (Still::Ball(at, radius + outer, slack), is_bare)
            }
            (_, Shape::Superovoid(ovoid)) if ovoid.inner_radius() == ovoid.outer_radius() => (
                Still::Ball(at, ovoid.outer_radius() + outer, slack),
                is_bare,
            ),
            (Some(ConvexKind::Cylinder(radius, length)), _) => {
                let sizes = [radius + outer, 0.5 * length + outer];
                (Still::Cylinder(at, axes, sizes, slack), is_bare)
            }
            (kind, _) => {
                let is_box = matches!(kind, Some(ConvexKind::Cuboid(_)));
                (Still::Box(at, axes, half.into(), slack), is_bare && is_box)
            }
        }
    }

    /// Returns where a sphere is farther from the body than a distance.
    #[inline(always)]
    pub fn is_beyond<V: Lanes>(&self, (center, radius): &([V; 3], V), within: V) -> V::Mask {
        let reach = *radius + within;
        match self.distance(center) {
            Some((square, rounding)) => {
                let reach = reach + rounding;
                (reach * reach).lt(square)
            }
            None => self.height(center).map_or_else(
                || within.lt(within),
                |(height, rounding)| (reach + rounding).lt(height),
            ),
        }
    }

    /// Returns where a ball is proven to overlap the body, of which this must be the exact shape.
    #[inline(always)]
    pub fn overlaps<V: Lanes>(&self, (center, radius): &([V; 3], V)) -> V::Mask {
        match self.distance(center) {
            Some((square, rounding)) => {
                let reach = (*radius - rounding).max(radius.splat(0.0));
                square.lt(reach * reach)
            }
            None => self.height(center).map_or_else(
                || radius.lt(*radius),
                |(height, rounding)| height.lt(*radius - rounding),
            ),
        }
    }

    /// Returns the square of the distance of a point, and what rounding can change of the distance.
    #[inline(always)]
    fn distance<V: Lanes>(&self, center: &[V; 3]) -> Option<(V, V)> {
        let zero = center[0].splat(0.0);
        let from = |p: &Point3<f64>| [center[0] - p.x, center[1] - p.y, center[2] - p.z];
        let terms = largest(center) * SLACK;
        let along = |d: &[V; 3], [x, y, z]: [f64; 3]| {
            d[2].mul_add(zero.splat(z), d[1].mul_add(zero.splat(y), d[0] * x))
        };
        match self {
            Still::Everywhere | Still::HalfSpace(..) => None,
            Still::Ball(at, own, slack) => {
                let d = from(at);
                let outside = (dot(&d, &d).sqrt() - *own).max(zero);
                Some((outside * outside, terms + *slack))
            }
            Still::Box(at, axes, half, slack) => {
                let d = from(at);
                let d = [
                    (along(&d, axes[0]).abs() - half[0]).max(zero),
                    (along(&d, axes[1]).abs() - half[1]).max(zero),
                    (along(&d, axes[2]).abs() - half[2]).max(zero),
                ];
                Some((dot(&d, &d), terms + *slack))
            }
            Still::Cylinder(at, axes, [radius, half], slack) => {
                let d = from(at);
                let (x, y) = (along(&d, axes[0]), along(&d, axes[1]));
                let side = (x.mul_add(x, y * y).sqrt() - *radius).max(zero);
                let end = (along(&d, axes[2]).abs() - *half).max(zero);
                Some((side.mul_add(side, end * end), terms + *slack))
            }
        }
    }

    /// Returns the height of a point above a half-space, and its rounding.
    #[inline(always)]
    fn height<V: Lanes>(&self, center: &[V; 3]) -> Option<(V, V)> {
        let Still::HalfSpace([x, y, z], offset, slack) = self else {
            return None;
        };
        let along = center[0] * *x;
        let along = center[1].mul_add(along.splat(*y), along);
        let along = center[2].mul_add(along.splat(*z), along);
        Some((along - *offset, largest(center) * SLACK + *slack))
    }
}
