//! Convex cells: a hull cut by planes.
//!
//! A cell is the polygons of its hull's faces; the faces that cuts add are left out, because each of their edges belongs
//! to another face too. What a cut loses by rounding is kept account of: if all of the cell C is within ε of the polygons'
//! hull, then the part of C below a plane is within `ε + (ε + r)(1 + L/D)` of the hull of the polygons below it, where r
//! is the rounding of a point, L the extent of the cell and D how deep it reaches below the plane. (The point of the hull
//! nearest to a point of C may be above the plane, by ε + r at most; on the way to the deepest point it comes below after
//! the part (ε + r)/D of a way of at most L.)

use crate::Mesh;
use nalgebra::{Point3, Unit, Vector3};

/// A convex cell.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    faces: Vec<Vec<Point3<f64>>>,
    /// How far a point of what the cell stands for may be from the hull of the corners.
    pub slack: f64,
    pub volume: f64,
}

/// A plane: `normal·x = offset`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    pub normal: Unit<Vector3<f64>>,
    pub offset: f64,
}

impl Plane {
    fn height(&self, point: &Point3<f64>) -> f64 {
        self.normal.dot(&point.coords) - self.offset
    }
}

impl Cell {
    /// The hull of a mesh; None where it has no volume.
    pub fn of(mesh: &Mesh) -> Option<Cell> {
        let hull = mesh.hull()?;
        let faces = (0..hull.triangles().len()).map(|k| hull.corners(k).to_vec());
        Some(Cell {
            faces: faces.collect(),
            slack: beyond(&hull, mesh.vertices()),
            volume: hull.volume().filter(|v| *v > 0.0)?,
        })
    }

    /// All corners, most of them several times.
    fn points(&self) -> impl Iterator<Item = &Point3<f64>> {
        self.faces.iter().flatten()
    }

    /// The corners, each once.
    pub fn corners(&self) -> Vec<Point3<f64>> {
        let mut corners: Vec<Point3<f64>> = self.points().copied().collect();
        let key = |p: &Point3<f64>| [0, 1, 2].map(|k| p[k].to_bits());
        corners.sort_by_key(key);
        corners.dedup();
        corners
    }

    /// The least and the greatest of `normal·x`.
    pub fn extent(&self, normal: &Vector3<f64>) -> [f64; 2] {
        self.points()
            .map(|p| normal.dot(&p.coords))
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| {
                [low.min(x), high.max(x)]
            })
    }

    /// The parts below and above a plane; None where one of them is flat.
    pub fn cut(&self, plane: &Plane) -> Option<[Cell; 2]> {
        let above = Plane {
            normal: -plane.normal,
            offset: -plane.offset,
        };
        Some([self.below(plane)?, self.below(&above)?])
    }

    fn below(&self, plane: &Plane) -> Option<Cell> {
        let faces = self.faces.iter().map(|face| clipped(face, plane));
        let faces: Vec<Vec<Point3<f64>>> = faces.filter(|face| face.len() > 2).collect();
        let [low, _] = self.extent(&plane.normal);
        let depth = plane.offset - low;
        let size = self.points().map(|p| p.coords.amax()).fold(0.0, f64::max);
        let axes = [Vector3::x(), Vector3::y(), Vector3::z()];
        let length = axes.map(|axis| {
            let [low, high] = self.extent(&axis);
            high - low
        });
        let lost = self.slack + 16.0 * f64::EPSILON * size;
        let mut cell = Cell {
            faces,
            slack: self.slack + lost * (1.0 + Vector3::from(length).norm() / depth),
            volume: 0.0,
        };
        cell.volume = cell.hull()?.volume().filter(|v| *v > 0.0)?;
        Some(cell)
    }

    /// The hull of the corners, closed.
    pub fn hull(&self) -> Option<Mesh> {
        Mesh::hull_of(&self.corners()).filter(Mesh::is_closed)
    }
}

/// A polygon's part below a plane (Sutherland and Hodgman, 1974).
fn clipped(face: &[Point3<f64>], plane: &Plane) -> Vec<Point3<f64>> {
    let mut kept = Vec::with_capacity(face.len() + 1);
    for (k, p) in face.iter().enumerate() {
        let q = &face[(k + 1) % face.len()];
        let (at_p, at_q) = (plane.height(p), plane.height(q));
        if at_p <= 0.0 {
            kept.push(*p);
        }
        if (at_p < 0.0 && at_q > 0.0) || (at_p > 0.0 && at_q < 0.0) {
            kept.push(crossing(p, at_p, q, at_q));
        }
    }
    kept
}

/// Where the line between two points crosses height 0; the same bits from either end, so that two faces share it.
fn crossing(p: &Point3<f64>, at_p: f64, q: &Point3<f64>, at_q: f64) -> Point3<f64> {
    let (low, from, high, to) = if at_p < at_q {
        (p, at_p, q, at_q)
    } else {
        (q, at_q, p, at_p)
    };
    low + (high - low) * (from / (from - to))
}

/// How far points lie outside of a hull that was made of them, at most.
fn beyond(hull: &Mesh, points: &[Point3<f64>]) -> f64 {
    let triangles: Vec<[Point3<f64>; 3]> = (0..hull.triangles().len())
        .map(|k| hull.corners(k))
        .collect();
    let planes = triangles.iter().filter_map(|[a, b, c]| {
        let normal = Unit::try_new((b - a).cross(&(c - a)), 0.0)?;
        Some(Plane {
            normal,
            offset: normal.dot(&a.coords),
        })
    });
    let planes: Vec<Plane> = planes.collect();
    let outside = points
        .iter()
        .filter(|p| planes.iter().any(|plane| plane.height(p) > 0.0));
    let farthest = outside.map(|p| {
        let distances = triangles.iter().map(|t| distance_to_triangle(p, t));
        distances.fold(f64::INFINITY, f64::min)
    });
    farthest.fold(0.0, f64::max)
}

/// Ericson, "Real-Time Collision Detection" (2005), section 5.1.5, by the nearest of the three edges or the plane.
fn distance_to_triangle(p: &Point3<f64>, [a, b, c]: &[Point3<f64>; 3]) -> f64 {
    let edge = |from: &Point3<f64>, to: &Point3<f64>| {
        let (way, at) = (to - from, p - from);
        let part = (way.dot(&at) / way.norm_squared()).clamp(0.0, 1.0);
        (at - way * part).norm()
    };
    let normal = (b - a).cross(&(c - a));
    let within =
        |from: &Point3<f64>, to: &Point3<f64>| (to - from).cross(&(p - from)).dot(&normal) >= 0.0;
    let nearest_edge = edge(a, b).min(edge(b, c)).min(edge(c, a));
    if within(a, b) && within(b, c) && within(c, a) {
        nearest_edge.min(normal.dot(&(p - a)).abs() / normal.norm())
    } else {
        nearest_edge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Cell {
        let corner = |k: usize| Point3::new((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64);
        let corners: Vec<_> = (0..8).map(corner).collect();
        Cell::of(&Mesh::hull_of(&corners).unwrap()).unwrap()
    }

    #[test]
    fn a_cut_cube_has_the_volumes_of_its_parts() {
        let plane = Plane {
            normal: Unit::new_normalize(Vector3::new(1.0, 2.0, 3.0)),
            offset: 2.0 / 14f64.sqrt(),
        };
        let [below, above] = cube().cut(&plane).unwrap();
        // x + 2y + 3z <= 2: the volume s³/(6·1·2·3), less what lies beyond x = 1 (s − 1).
        let expected = (8.0 - 1.0) / 36.0;
        assert!((below.volume - expected).abs() < 1e-14, "{}", below.volume);
        assert!((above.volume - (1.0 - expected)).abs() < 1e-14);
        assert!(below.slack < 1e-13 && above.slack < 1e-13);
        let again = above.cut(&Plane {
            normal: Vector3::x_axis(),
            offset: 0.5,
        });
        let sum: f64 = again.unwrap().iter().map(|cell| cell.volume).sum();
        assert!((sum - above.volume).abs() < 1e-14);
    }

    #[test]
    fn no_cell_is_flat() {
        for offset in [-0.1, 0.0, 1.0, 1.1] {
            let normal = Vector3::z_axis();
            assert!(cube().cut(&Plane { normal, offset }).is_none(), "{offset}");
        }
    }

    #[test]
    fn a_point_that_a_hull_leaves_out_is_known() {
        let hull = cube().hull().unwrap();
        assert_eq!(beyond(&hull, hull.vertices()), 0.0);
        let points = [Point3::new(0.5, 0.5, 1.25), Point3::new(0.5, 0.5, 0.5)];
        assert!((beyond(&hull, &points) - 0.25).abs() < 1e-15);
    }
}
