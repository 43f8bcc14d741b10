//! Convex polygons in a chart of directions, cut by half-planes.

/// The number of vertices that a polygon can hold. A cut adds at most one; a polygon of a few dozen cuts has about
/// eight.
const CAPACITY: usize = 96;

#[derive(Clone, Copy)]
pub(crate) struct Polygon {
    vertices: [[f64; 2]; CAPACITY],
    count: usize,
}

impl Polygon {
    /// Makes the square |x|, |y| ≤ `half_width`.
    pub fn square(half_width: f64) -> Self {
        let w = half_width;
        let mut vertices = [[0.0; 2]; CAPACITY];
        vertices[..4].copy_from_slice(&[[-w, -w], [w, -w], [w, w], [-w, w]]);
        Polygon { vertices, count: 4 }
    }

    pub fn vertices(&self) -> &[[f64; 2]] {
        &self.vertices[..self.count]
    }

    /// Whether the polygon has fewer than three vertices, so that no direction is left.
    pub fn is_collapsed(&self) -> bool {
        self.count < 3
    }

    /// Keeps the part where `a x + b y + c ≥ 0`. A polygon that is full stays uncut, which is
    /// still a superset.
    pub fn clip(&mut self, a: f64, b: f64, c: f64) {
        let side = |v: &[f64; 2]| a * v[0] + b * v[1] + c;
        let mut kept = [[0.0; 2]; CAPACITY];
        let mut count = 0;
        for i in 0..self.count {
            let (v, w) = (self.vertices[i], self.vertices[(i + 1) % self.count]);
            let (sv, sw) = (side(&v), side(&w));
            if count + 2 > CAPACITY {
                return;
            }
            if sv >= 0.0 {
                kept[count] = v;
                count += 1;
            }
            if (sv >= 0.0) != (sw >= 0.0) {
                let t = sv / (sv - sw);
                kept[count] = [v[0] + t * (w[0] - v[0]), v[1] + t * (w[1] - v[1])];
                count += 1;
            }
        }
        *self = Polygon {
            vertices: kept,
            count,
        };
    }

    /// Returns the centre of gravity and the area; for a polygon without area the mean of its vertices and 0.
    pub fn centroid(&self) -> ([f64; 2], f64) {
        let o = self.vertices[0];
        let (mut area, mut x, mut y) = (0.0, 0.0, 0.0);
        for pair in self.vertices()[1..].windows(2) {
            let (p, q) = (
                [pair[0][0] - o[0], pair[0][1] - o[1]],
                [pair[1][0] - o[0], pair[1][1] - o[1]],
            );
            let cross = p[0] * q[1] - p[1] * q[0];
            area += cross;
            x += cross * (p[0] + q[0]);
            y += cross * (p[1] + q[1]);
        }
        if area > 0.0 {
            return (
                [o[0] + x / (3.0 * area), o[1] + y / (3.0 * area)],
                0.5 * area,
            );
        }
        let k = 1.0 / self.count as f64;
        let mean = |i: usize| self.vertices().iter().map(|v| v[i]).sum::<f64>() * k;
        ([mean(0), mean(1)], 0.0)
    }

    pub fn contains(&self, x: f64, y: f64) -> bool {
        let vertices = self.vertices();
        (0..self.count).all(|i| {
            let (p, q) = (vertices[i], vertices[(i + 1) % self.count]);
            (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) >= 0.0
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_leave_the_part_on_their_side() {
        let mut polygon = Polygon::square(1.0);
        polygon.clip(1.0, 0.0, 0.0); // x ≥ 0
        let ([x, y], area) = polygon.centroid();
        assert!((x - 0.5).abs() < 1e-15 && y.abs() < 1e-15 && (area - 2.0).abs() < 1e-15);
        assert!(polygon.contains(0.5, 0.5) && !polygon.contains(-0.5, 0.5));
        polygon.clip(-1.0, -1.0, 0.0); // x + y ≤ 0
        assert!((polygon.centroid().1 - 0.5).abs() < 1e-15);
        polygon.clip(0.0, 1.0, -2.0); // y ≥ 2
        assert!(polygon.is_collapsed());
    }
}
