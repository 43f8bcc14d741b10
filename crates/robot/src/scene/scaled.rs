//! Shapes about the origins of their own frames, larger or smaller by a factor.

use superovoid::convex::{ConvexKind, ConvexShape};
use superovoid::{Shape, Superovoid};

/// Returns a shape with every length multiplied by a factor; `None` where no such shape is valid, and for shapes that
/// links do not have.
pub(super) fn scaled(shape: &Shape, factor: f64) -> Option<Shape> {
    match shape {
        Shape::Superovoid(shape) => scaled_ovoid(shape, factor).map(Into::into),
        Shape::Convex(shape) => scaled_convex(shape, factor).map(Into::into),
        Shape::Mesh(mesh) => {
            let mesh = mesh.scaled([factor; 3]).ok()?;
            Some(std::sync::Arc::new(mesh).into())
        }
        _ => None,
    }
}

fn scaled_ovoid(shape: &Superovoid, factor: f64) -> Option<Superovoid> {
    let axes = shape.semi_axes().map(|axis| axis * factor);
    Superovoid::new(axes, shape.exponents(), shape.tapers()).ok()
}

fn scaled_convex(shape: &ConvexShape, factor: f64) -> Option<ConvexShape> {
    let made = match shape.kind() {
        ConvexKind::Ball(radius) => ConvexShape::ball(radius * factor),
        ConvexKind::Cuboid(half) => ConvexShape::cuboid(half.map(|length| length * factor)),
        ConvexKind::Cylinder(radius, length) => {
            ConvexShape::cylinder(radius * factor, length * factor)
        }
        ConvexKind::Capsule(radius, length) => {
            ConvexShape::capsule(radius * factor, length * factor)
        }
        ConvexKind::Cone(radius, length) => ConvexShape::cone(radius * factor, length * factor),
        _ => return None,
    };
    made.ok()
}
