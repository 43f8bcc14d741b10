//! Balls inside a body, for collisions that are plain to see.
//!
//! In each ball that [covers](super::cover) the hull, the centre is asked how deep it is in the body, and moves along the
//! axes to deeper points, in steps that are halved where none is deeper. The upper end of the bracket of a point's signed
//! distance is minus the radius of a ball that is inside the body.

use nalgebra::{Isometry3, Point3};
use superovoid::convex::{ConvexKind, ConvexShape};
use superovoid::{
    Aabb, BoundingSphere, QueryOptions, Shape, ShapeRef, TriangleMesh, VertexOptions,
    vertex_contact,
};

/// The number of rounds, of six points each.
const ROUNDS: usize = 4;
/// A ball that is smaller than this share of its cell's shows nothing.
const SHARE: f64 = 0.1;

/// Returns balls inside a body, at most one in each of the balls that cover it.
pub(super) fn inner_balls(shape: &Shape, cover: &[BoundingSphere]) -> Vec<BoundingSphere> {
    let rounds = match shape {
        // No depth is proven in one that is not convex.
        Shape::Superovoid(body) if !body.is_convex() => return Vec::new(),
        // The middles of its cells are deep in it.
        Shape::Superovoid(_) => 1,
        _ => ROUNDS,
    };
    let of_cell = |cell: &BoundingSphere| {
        let mut best = BoundingSphere {
            center: cell.center,
            radius: 0.0,
        };
        best.radius = depth(shape, &best.center);
        let mut step = 0.5 * cell.radius;
        for _ in 0..rounds {
            let (around, before) = (best.center, best.radius);
            for k in 0..6 {
                let mut center = around;
                center[k % 3] += if k < 3 { step } else { -step };
                let radius = depth(shape, &center);
                if radius > best.radius {
                    best = BoundingSphere { center, radius };
                }
            }
            if best.radius == before {
                step *= 0.5;
            }
        }
        (best.radius > SHARE * cell.radius).then_some(best)
    };
    cover.iter().filter_map(of_cell).collect()
}

/// The number of corners.
const CORNERS: usize = 24;

/// Returns corners of a body that are far from each other: each next one is the farthest from all before (Gonzalez 1985).
pub(super) fn corners(shape: &Shape) -> Vec<Point3<f64>> {
    let all: Vec<Point3<f64>> = match shape {
        // Of a mesh only what a triangle has.
        Shape::Mesh(mesh) => {
            let TriangleMesh {
                vertices,
                triangles,
            } = mesh.mesh();
            let mut of_triangles = vec![false; vertices.len()];
            for &corner in triangles.iter().flatten() {
                of_triangles[corner as usize] = true;
            }
            let corners = vertices.iter().zip(&of_triangles);
            corners.filter(|(_, is)| **is).map(|(p, _)| *p).collect()
        }
        Shape::Polytope(polytope) => polytope.vertices().to_vec(),
        Shape::Convex(convex) => match convex.kind() {
            ConvexKind::Hull(points) => points.to_vec(),
            ConvexKind::Cuboid(half) => {
                let max = Point3::from(half);
                super::hull::corners(&Aabb { min: -max, max }).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let Some(first) = all.first() else {
        return all;
    };
    let mut kept = vec![*first];
    let mut apart = vec![f64::INFINITY; all.len()];
    while kept.len() < CORNERS.min(all.len()) {
        let last = kept[kept.len() - 1];
        let mut farthest = (0.0, last);
        for (apart, p) in apart.iter_mut().zip(&all) {
            *apart = apart.min((p - last).norm_squared());
            if *apart > farthest.0 {
                farthest = (*apart, *p);
            }
        }
        kept.push(farthest.1);
    }
    kept
}

/// Returns a lower bound of the depth of a point in a body; 0 outside, and where none is known.
fn depth(shape: &Shape, point: &Point3<f64>) -> f64 {
    let here = Isometry3::identity();
    if let Shape::Superovoid(body) = shape {
        // A bracket of a hundredth is narrow enough.
        let tolerance = 0.01 * body.inner_radius();
        let options = VertexOptions::DEFAULT
            .with_tolerance(tolerance)
            .with_max_distance(0.0);
        let found = vertex_contact(body, &here, point, &options);
        return found.map_or(0.0, |found| (-found.upper).max(0.0));
    }
    let point = ConvexShape::of_points(&[*point]);
    let options = QueryOptions::DEFAULT.with_max_distance(0.0);
    let found = ShapeRef::Convex(&point).contact(&here, shape.as_ref(), &here, &options);
    let upper = found
        .ok()
        .flatten()
        .map_or(0.0, |found| found.contact.upper);
    // NaN is no depth.
    (-upper).max(0.0)
}
