//! Balls that cover a convex body: the hull of points is cut into cells, and each cell has its ball.
//!
//! A plane cuts the hull of points V into two: each half is the hull of the points of V on its side and of the section,
//! and the section is the hull of the points where the segments between points on different sides meet the plane. So every
//! cell is the hull of known points, and a ball around these holds it. The cell with the largest ball is cut first, in the
//! middle of its longest edge. A ball is centred by the iteration of Bădoiu and Clarkson (2003), and as large as the
//! farthest point says.

use nalgebra::{Point3, Vector3};
use superovoid::BoundingSphere;

/// The largest number of balls.
const MOST: usize = 8;
/// The radius, relative to that of the body's cross section, at which a ball is small enough.
const SMALL: f64 = 1.25;
/// The steps of the iteration for the centre.
const STEPS: usize = 32;
/// What rounding can change of a radius, relative to the largest coordinate.
const ROUNDING: f64 = 1e-12;

/// Returns balls that together cover the hull of points, of which there is at least one.
pub(super) fn cover(points: &[Point3<f64>]) -> Vec<BoundingSphere> {
    let mut edges: [f64; 3] = extent(points).into();
    edges.sort_by(f64::total_cmp);
    let small = SMALL * 0.5 * edges[0].hypot(edges[1]);
    let mut cells = vec![Cell::of(points.to_vec())];
    while cells.len() < MOST {
        let radius = |cell: &Cell| cell.ball.radius;
        let largest =
            (0..cells.len()).max_by(|&a, &b| radius(&cells[a]).total_cmp(&radius(&cells[b])));
        let Some(largest) = largest.filter(|&k| radius(&cells[k]) > small) else {
            break;
        };
        let cell = cells.swap_remove(largest);
        match cell.cut() {
            Ok(halves) => cells.extend(halves),
            // It is no larger than rounding.
            Err(cell) => {
                cells.push(cell);
                break;
            }
        }
    }
    cells.into_iter().map(|cell| cell.ball).collect()
}

struct Cell {
    points: Vec<Point3<f64>>,
    ball: BoundingSphere,
}

impl Cell {
    fn of(points: Vec<Point3<f64>>) -> Self {
        let ball = ball(&points);
        Cell { points, ball }
    }

    /// Returns both halves, or the cell where all points are on one side.
    fn cut(self) -> Result<[Cell; 2], Cell> {
        let axis = extent(&self.points).imax();
        let coordinates = || self.points.iter().map(|p| p[axis]);
        let low = coordinates().fold(f64::INFINITY, f64::min);
        let high = coordinates().fold(f64::NEG_INFINITY, f64::max);
        let at = 0.5 * (low + high);
        let (below, above): (Vec<Point3<f64>>, Vec<Point3<f64>>) =
            self.points.iter().partition(|p| p[axis] <= at);
        if below.is_empty() || above.is_empty() {
            return Err(self);
        }
        let mut section = Vec::new();
        for p in &below {
            for q in &above {
                let share = (at - p[axis]) / (q[axis] - p[axis]);
                section.push(p + (q - p) * share.clamp(0.0, 1.0));
            }
        }
        let section = outline(section, axis);
        Ok([below, above].map(|mut half: Vec<Point3<f64>>| {
            half.extend_from_slice(&section);
            Cell::of(half)
        }))
    }
}

/// Returns the corners of the hull of points in a plane across an axis (Andrew 1979).
fn outline(mut points: Vec<Point3<f64>>, axis: usize) -> Vec<Point3<f64>> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    points.sort_by(|p, q| p[u].total_cmp(&q[u]).then(p[v].total_cmp(&q[v])));
    let turns_left = |a: &Point3<f64>, b: &Point3<f64>, c: &Point3<f64>| {
        (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]) > 0.0
    };
    let half = |points: &mut dyn Iterator<Item = &Point3<f64>>| {
        let mut chain: Vec<Point3<f64>> = Vec::new();
        for p in points {
            while let [.., a, b] = chain.as_slice()
                && !turns_left(a, b, p)
            {
                chain.pop();
            }
            chain.push(*p);
        }
        chain
    };
    let mut corners = half(&mut points.iter());
    corners.extend(half(&mut points.iter().rev()));
    corners
}

/// Returns the edges of the box around points.
pub(super) fn extent(points: &[Point3<f64>]) -> Vector3<f64> {
    let infinite = Vector3::repeat(f64::INFINITY);
    let grown = |(low, high): (Vector3<f64>, Vector3<f64>), p: &Point3<f64>| {
        (low.inf(&p.coords), high.sup(&p.coords))
    };
    let (low, high) = points.iter().fold((infinite, -infinite), grown);
    high - low
}

/// Returns a ball around points, of which there is at least one.
pub(super) fn ball(points: &[Point3<f64>]) -> BoundingSphere {
    let share = 1.0 / points.len() as f64;
    let mut center = Point3::from(
        points
            .iter()
            .map(|p| p.coords * share)
            .sum::<Vector3<f64>>(),
    );
    let farthest = |center: &Point3<f64>| {
        let squares = points.iter().map(|p| ((p - center).norm_squared(), p));
        squares.fold((0.0, points[0]), |best, (square, p)| {
            if square > best.0 { (square, *p) } else { best }
        })
    };
    for step in 0..STEPS {
        let (_, p) = farthest(&center);
        center += (p - center) / (step as f64 + 2.0);
    }
    // The squares of the least lengths would vanish.
    let across = |p: &Point3<f64>| (p - center).amax();
    let size = points.iter().map(across).fold(0.0, f64::max);
    let unit = if size > 0.0 { size } else { 1.0 };
    let lengths = points.iter().map(|p| ((p - center) / unit).norm() * unit);
    let largest = points.iter().map(|p| p.coords.amax()).fold(0.0, f64::max);
    BoundingSphere {
        radius: lengths.fold(0.0, f64::max) + ROUNDING * largest,
        center,
    }
}

#[cfg(test)]
mod tests {
    use super::cover;
    use nalgebra::{Point3, Vector3};

    /// Points of a long body: combinations of the corners must be in one of the balls.
    #[test]
    fn every_point_of_the_hull_is_in_a_ball_and_the_balls_are_small() {
        let mut state = 1_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for shape in 0..50 {
            let size = [[0.1, 0.1, 0.4], [0.3, 0.2, 0.02], [0.1, 0.1, 0.1]][shape % 3];
            let corners: Vec<Point3<f64>> = (0..40)
                .map(|_| Point3::from(Vector3::from(size.map(|s| s * (random() - 0.5)))))
                .collect();
            let balls = cover(&corners);
            assert!(balls.len() <= 8);
            for _ in 0..2000 {
                // A few corners weigh most, so that the surface is reached.
                let weights: Vec<f64> = corners.iter().map(|_| random().powi(30)).collect();
                let sum: f64 = weights.iter().sum();
                let parts = corners.iter().zip(&weights);
                let point: Vector3<f64> = parts.map(|(p, w)| p.coords * (w / sum)).sum();
                let inside = |ball: &superovoid::BoundingSphere| {
                    (point - ball.center.coords).norm() <= ball.radius + 1e-12
                };
                assert!(balls.iter().any(inside), "shape {shape}: {point}");
            }
            let radius = balls
                .iter()
                .fold(0.0, |most: f64, ball| most.max(ball.radius));
            let half = 0.5 * Vector3::from(size).norm();
            assert!(radius < 0.75 * half || shape % 3 == 2, "{radius} of {half}");
        }
    }
}
