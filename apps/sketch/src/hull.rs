//! The convex hull of a stroke, and three ratios to its area that are the same for every ellipse.
//!
//! An affine map takes the unit circle to any ellipse, and with it inscribed triangles and quadrilaterals to others;
//! areas change by one factor. The largest ones in the circle are regular, so that of the area π
//!
//! ```text
//! triangle       (3√3/4) / π = 0.4135
//! quadrilateral        2 / π = 0.6366
//! ```
//!
//! The least rectangle about an ellipse lies along its axes: with half-widths w(φ)² = a² cos² φ + b² sin² φ and w(φ + π/2)
//! its area 4 √((a² c² + b² s²)(a² s² + b² c²)) = 4 √(a²b² + (a² − b²)² s² c²) is least at s c = 0:
//!
//! ```text
//! rectangle          4ab / πab = 1.2732
//! ```
//!
//! A rectangle has 1/2, 1 and 1, a triangle 1, 1 and 2.

use nalgebra::{Point2, Vector2};

/// The areas of three polygons over that of the hull.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ratios {
    /// The largest triangle inside.
    pub triangle: f64,
    /// The largest quadrilateral inside.
    pub quadrilateral: f64,
    /// The least rectangle around.
    pub rectangle: f64,
}

/// Returns the corners of the convex hull, counter-clockwise, none on an edge (Andrew's monotone chain).
pub fn convex_hull(points: &[Point2<f64>]) -> Vec<Point2<f64>> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull = half_hull(sorted.iter());
    hull.pop();
    hull.extend(half_hull(sorted.iter().rev()));
    hull.pop();
    hull
}

fn half_hull<'a>(points: impl Iterator<Item = &'a Point2<f64>>) -> Vec<Point2<f64>> {
    let mut chain: Vec<Point2<f64>> = Vec::new();
    for &p in points {
        while let [.., a, b] = chain[..] {
            if (b - a).perp(&(p - a)) > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

/// Returns the signed area of a polygon, positive if it runs counter-clockwise.
pub fn area(polygon: &[Point2<f64>]) -> f64 {
    let Some(&origin) = polygon.first() else {
        return 0.0;
    };
    let edges = polygon.windows(2);
    0.5 * edges
        .map(|edge| (edge[0] - origin).perp(&(edge[1] - origin)))
        .sum::<f64>()
}

/// Returns the ratios of a hull; `None` if it has no area.
pub fn ratios(hull: &[Point2<f64>]) -> Option<Ratios> {
    let total = area(hull);
    if hull.len() < 3 || total.is_nan() || total <= 0.0 {
        return None;
    }
    let [triangle, quadrilateral] = largest_inside(hull);
    Some(Ratios {
        triangle: triangle / total,
        quadrilateral: quadrilateral / total,
        rectangle: least_rectangle(hull) / total,
    })
}

/// Returns the areas of the largest triangle and quadrilateral. Their corners are corners of the hull. On each diagonal
/// stand the best triangles of both sides.
fn largest_inside(hull: &[Point2<f64>]) -> [f64; 2] {
    let mut best = [0.0_f64; 2];
    for i in 0..hull.len() {
        for j in 0..i {
            let mut sides = [0.0_f64; 2];
            for p in hull {
                let doubled = (hull[i] - hull[j]).perp(&(p - hull[j]));
                let side = &mut sides[usize::from(doubled > 0.0)];
                *side = side.max(0.5 * doubled.abs());
            }
            best[0] = best[0].max(sides[0]).max(sides[1]);
            best[1] = best[1].max(sides[0] + sides[1]);
        }
    }
    best
}

/// Returns the area of the least rectangle, one side of which lies along an edge of the hull (Freeman and Shapira 1975).
fn least_rectangle(hull: &[Point2<f64>]) -> f64 {
    let along = |k: usize| {
        let edge: Vector2<f64> = (hull[(k + 1) % hull.len()] - hull[k]).normalize();
        let width = |direction: Vector2<f64>| {
            let heights = hull.iter().map(|p| p.coords.dot(&direction));
            let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[l, h], x| {
                [l.min(x), h.max(x)]
            });
            high - low
        };
        width(edge) * width(Vector2::new(-edge.y, edge.x))
    };
    (0..hull.len()).map(along).fold(f64::INFINITY, f64::min)
}
