//! The bounds of bodies that stay where they are: their distance from a point is known in closed form.

use crate::poses::largest;
use crate::scene::body::{Body, BodyPlace, OwnBounds};
use nalgebra::{Isometry3, Point3};
use superovoid::convex::ConvexKind;
use superovoid::internals::fused::dot;
use superovoid::internals::{BOUND_ACCURACY, Lanes};
use superovoid::{BoundingSphere, Shape};

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

    /// Returns where a point, known to within a radius, is proven to be in the body, of which this must be the exact shape.
    #[inline(always)]
    pub fn holds<V: Lanes>(&self, (point, doubt): &([V; 3], V)) -> V::Mask {
        let zero = doubt.splat(0.0);
        let from = |p: &Point3<f64>| [point[0] - p.x, point[1] - p.y, point[2] - p.z];
        let doubt = largest(point).mul_add(zero.splat(SLACK), *doubt);
        let along = |d: &[V; 3], [x, y, z]: [f64; 3]| {
            d[2].mul_add(zero.splat(z), d[1].mul_add(zero.splat(y), d[0] * x))
        };
        match self {
            Still::Everywhere => zero.lt(zero),
            Still::HalfSpace(..) => self.height(point).map_or_else(
                || zero.lt(zero),
                |(height, rounding)| height.lt(-rounding - doubt),
            ),
            Still::Ball(at, own, slack) => {
                let d = from(at);
                let inner = (-doubt - *slack + *own).max(zero);
                dot(&d, &d).lt(inner * inner)
            }
            Still::Box(at, axes, half, slack) => {
                let d = from(at);
                let over = |k: usize| along(&d, axes[k]).abs() - half[k];
                over(0).max(over(1)).max(over(2)).lt(-doubt - *slack)
            }
            Still::Cylinder(at, axes, [radius, half], slack) => {
                let d = from(at);
                let (x, y) = (along(&d, axes[0]), along(&d, axes[1]));
                let side = x.mul_add(x, y * y).sqrt() - *radius;
                let end = along(&d, axes[2]).abs() - *half;
                side.max(end).lt(-doubt - *slack)
            }
        }
    }

    /// Returns a lower bound of the distance of a ball, wherever in it; 0 where none is known.
    pub fn apart(&self, ball: &BoundingSphere) -> f64 {
        let center: [f64; 3] = ball.center.coords.into();
        let (distance, rounding) = match self.distance(&center) {
            Some((square, rounding)) => (square.sqrt(), rounding),
            None => self.height(&center).unwrap_or((0.0, 0.0)),
        };
        let apart = distance - rounding - ball.radius;
        // The square of a large distance overflows.
        if apart > 0.0 && apart.is_finite() {
            apart
        } else {
            0.0
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

#[cfg(test)]
mod tests {
    use super::Still;
    use nalgebra::{Isometry3, Point3, Vector3};
    use superovoid::BoundingSphere;

    /// Points and balls against each body as its definition says, in its own frame: what is said to be in it is, what is said to
    /// be apart is, and both are said of all that are so by more than rounding.
    #[test]
    fn points_that_are_held_are_inside_and_balls_that_are_apart_are_outside() {
        let turn = Vector3::new(0.3, -1.1, 2.0);
        let pose = Isometry3::new(Vector3::new(0.4, -0.2, 1.0), turn);
        let at = Point3::from(pose.translation.vector);
        let axes = pose.rotation.to_rotation_matrix();
        let axes = [0, 1, 2].map(|k| axes.matrix().column(k).into_owned().into());
        let slack = 1e-13;
        let normal = pose.rotation * Vector3::z();
        let offset = normal.dot(&at.coords) + 0.1;
        type Depth = fn(&Vector3<f64>) -> f64;
        let of_box: Depth = |p| (p.abs() - Vector3::new(0.3, 0.1, 0.2)).max();
        let of_cylinder: Depth = |p| (p.xy().norm() - 0.2).max(p.z.abs() - 0.3);
        let bodies: [(Still, Depth); 4] = [
            (Still::Box(at, axes, [0.3, 0.1, 0.2], slack), of_box),
            (Still::Cylinder(at, axes, [0.2, 0.3], slack), of_cylinder),
            (Still::Ball(at, 0.25, slack), |p| p.norm() - 0.25),
            (Still::HalfSpace(normal.into(), offset, slack), |p| {
                p.z - 0.1
            }),
        ];
        let mut inside = [0; 4];
        for k in 0..8000 {
            // A grid through which no surface goes along.
            let own = Vector3::new(k / 400, k / 20 % 20, k % 20);
            let own = own.map(|x| f64::from(x) * 0.05 - 0.487_3);
            let point: [f64; 3] = (pose * Point3::from(own)).coords.into();
            for (count, (body, depth)) in inside.iter_mut().zip(&bodies) {
                let depth = depth(&own);
                assert_eq!(body.holds(&(point, 0.0)), depth < 0.0, "{own}");
                assert!(!body.holds(&(point, -depth)), "{own}");
                let radius = 0.01;
                let center = Point3::from(Vector3::from(point));
                let apart = body.apart(&BoundingSphere { center, radius });
                // From inside the ball the body is at most so far.
                assert!(
                    apart >= 0.0 && (apart > 0.0) == (exact(body, &own) > radius),
                    "{own}"
                );
                assert!(apart <= (exact(body, &own) - radius).max(0.0), "{own}");
                *count += usize::from(depth < 0.0);
            }
        }
        assert!(inside.iter().all(|count| *count > 100), "{inside:?}");
        assert!(!Still::Everywhere.holds(&([0.0; 3], 0.0)));
    }

    /// Returns the distance of a point in a body's own frame.
    fn exact(body: &Still, p: &Vector3<f64>) -> f64 {
        match body {
            Still::Box(_, _, half, _) => (p.abs() - Vector3::from(*half))
                .sup(&Vector3::zeros())
                .norm(),
            Still::Cylinder(_, _, [radius, half], _) => {
                let side = (p.xy().norm() - radius).max(0.0);
                side.hypot((p.z.abs() - half).max(0.0))
            }
            Still::Ball(_, radius, _) => (p.norm() - radius).max(0.0),
            Still::HalfSpace(..) => (p.z - 0.1).max(0.0),
            Still::Everywhere => 0.0,
        }
    }
}
