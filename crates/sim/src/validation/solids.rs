//! What would pass through soft solids, and is refused.

use crate::error::SceneError;
use crate::scene::{Scene, Shape};
use nalgebra::Vector3;

/// Checks that a scene has nothing that would pass through a solid: solids and cloths do not meet, and the rays of a solid's
/// vertices miss a body that fits between the vertices of a triangle.
pub(super) fn passes(scene: &Scene) -> Result<(), SceneError> {
    if !scene.cloths.is_empty() {
        return Err(SceneError::new(
            "cloths",
            "would pass through soft solids, which they do not meet: a scene has the ones or the others",
        ));
    }
    for (s, solid) in scene.solids.iter().enumerate() {
        let widest = solid.triangles.iter().enumerate().map(|(t, triangle)| {
            let corners = triangle.map(|v| Vector3::from(solid.vertices[v as usize]));
            (t, around(&corners))
        });
        let Some((t, radius)) = widest.max_by(|a, b| a.1.total_cmp(&b.1)) else {
            continue;
        };
        for (b, body) in scene.bodies.iter().enumerate() {
            let thin = thinnest(&body.shape);
            if thin < radius {
                return Err(SceneError::new(
                    format!("bodies[{b}].shape"),
                    format!(
                        "would pass through solids[{s}].triangles[{t}]: it is {thin} m from its axis to its side where it \
                         is thinnest, and the circle around that triangle has the radius {radius} m; the solid needs \
                         smaller triangles"
                    ),
                ));
            }
        }
    }
    Ok(())
}

/// The radius of the least circle around a triangle.
fn around([a, b, c]: &[Vector3<f64>; 3]) -> f64 {
    let mut sides = [(b - a).norm(), (c - b).norm(), (a - c).norm()];
    sides.sort_by(f64::total_cmp);
    let [x, y, z] = sides;
    if x * x + y * y <= z * z {
        return 0.5 * z;
    }
    x * y * z / (2.0 * (b - a).cross(&(c - a)).norm())
}

/// How thin a shape is: half its least width, infinite for half-spaces. Of a tapered body the thinner end counts no more
/// than its middle.
fn thinnest(shape: &Shape) -> f64 {
    match shape {
        Shape::Superovoid { semi_axes, .. } => {
            semi_axes.iter().fold(f64::INFINITY, |m, a| m.min(*a))
        }
        Shape::HalfSpace => f64::INFINITY,
        Shape::Mesh { vertices, .. } => {
            let width = |k: usize| {
                let along = vertices.iter().map(|v| v[k]);
                let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                    (l.min(x), h.max(x))
                });
                0.5 * (high - low)
            };
            width(0).min(width(1)).min(width(2))
        }
    }
}
