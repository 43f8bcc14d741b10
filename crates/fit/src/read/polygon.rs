//! Polygons cut into triangles, by the constrained Delaunay triangulation of spade.
//!
//! A polygon is seen along a direction near its Newell normal n = Σ (pᵢ − p₀) × (pᵢ₊₁ − p₀), twice its vector area. Its
//! corners are triangulated with its edges as constraints. These bound regions, about each of which the outline winds w
//! times. Kept are the regions with w ≠ 0 that lie in no hole, turned about where w < 0. Every corner is a corner of
//! triangles, also in line with its neighbours, so the boundary stays what it is, and what fits it still does. Corners in one
//! place are one. The direction is the axis nearest n first, along which the other two coordinates stay as they are, so
//! that what is in line stays in line; then n, which serves polygons far from flat; then both once more with the edges led
//! through the corners that they touch to 1e-9 of the polygon's size.
//!
//! If every corner of the polygon is seen from the first one, the fan from there does all this.
//!
//! If edges cross in each direction, the fan is taken too: the winding number of the outline about a point is the sum of
//! those of the fan's triangles, so that the fan covers all that the outline winds around, and perhaps more.

use nalgebra::{Point3, Vector3};
use spade::handles::{FixedVertexHandle, InnerTag};
use spade::{ConstrainedDelaunayTriangulation, Point2, Triangulation};

/// Sine of the least angle of the fans that are taken at once.
const SLIVER: f64 = 1e-9;
/// How near a corner must be to an edge to be on it, of the size of the polygon.
const ON_EDGE: f64 = 1e-9;
/// The most corners that are compared with all edges.
const MOST_COMPARED: usize = 1000;

type Triangulated = ConstrainedDelaunayTriangulation<Point2<f64>>;
type Face<'a> = spade::handles::FaceHandle<'a, InnerTag, Point2<f64>, (), spade::CdtEdge<()>, ()>;

/// Returns the triangles of a polygon with holes, as indices of its corners, those of the outline first. There are none
/// if there is no area.
///
/// # Errors
/// The polygon has holes, and its edges cross.
pub(super) fn triangles(
    outline: &[Point3<f64>],
    holes: &[Vec<Point3<f64>>],
) -> Result<Vec<[usize; 3]>, &'static str> {
    let fan = || (2..outline.len()).map(|k| [0, k - 1, k]).collect();
    let corners: Vec<&Point3<f64>> = outline.iter().chain(holes.iter().flatten()).collect();
    let size = corners.iter().map(|p| p.coords.amax()).fold(0.0, f64::max);
    if size == 0.0 {
        return Ok(Vec::new());
    }
    // By a power of two, which changes no digit: products of any coordinates are numbers.
    let exponent = libm::ilogb(size);
    let scaled = |p: &&Point3<f64>| p.coords.map(|x| libm::scalbn(x, -exponent));
    let mut rings = Vec::new();
    let mut first = 0;
    for length in std::iter::once(outline.len()).chain(holes.iter().map(Vec::len)) {
        rings.push((first..first + length).collect());
        first += length;
    }
    let corners: Vec<Vector3<f64>> = corners.iter().map(scaled).collect();
    let extent = corners
        .iter()
        .map(|p| (p - corners[0]).amax())
        .fold(0.0, f64::max);
    let polygon = Polygon {
        near: ON_EDGE * extent,
        corners,
        rings,
    };
    let Some(normal) = polygon.normal() else {
        return Ok(Vec::new());
    };
    if holes.is_empty() && polygon.is_seen_from_its_first_corner(&normal) {
        return Ok(fan());
    }
    let near = normal.iamax();
    let axis = |k: usize| Vector3::ith(k % 3, 1.0);
    let along = normal.normalize();
    let across = along.cross(&axis(near + 1)).normalize();
    let directions = [
        [axis(near + 1), axis(near + 2)],
        [across, along.cross(&across)],
    ];
    let touching = (polygon.corners.len() <= MOST_COMPARED).then(|| polygon.led_through_corners());
    std::iter::once(polygon)
        .chain(touching)
        .find_map(|polygon| directions.iter().find_map(|d| polygon.seen_along(d)))
        .or_else(|| holes.is_empty().then(fan))
        .ok_or("the edges of a polygon with holes cross")
}

/// Corners, and rings of their indices, the outline first.
struct Polygon {
    corners: Vec<Vector3<f64>>,
    rings: Vec<Vec<usize>>,
    /// How far a corner may be from an edge that it is on.
    near: f64,
}

impl Polygon {
    /// Returns the Newell normal, or where the outline encloses as much on one side as on the other that of the largest
    /// triangle of its fan; none if all corners are in line.
    fn normal(&self) -> Option<Vector3<f64>> {
        let from_first = |k: usize| self.corners[self.rings[0][k]] - self.corners[0];
        let fan = (2..self.rings[0].len()).map(|k| from_first(k - 1).cross(&from_first(k)));
        let newell: Vector3<f64> = fan.clone().sum();
        let largest = fan.max_by(|a, b| a.norm().total_cmp(&b.norm()))?;
        let normal = if newell.norm() > 1e-12 * largest.norm() {
            newell
        } else {
            largest
        };
        (normal.norm() > 0.0).then_some(normal)
    }

    /// Whether the corners turn about the first one in order, by half a turn at most, as seen along the normal.
    fn is_seen_from_its_first_corner(&self, normal: &Vector3<f64>) -> bool {
        let from_first = |k: usize| self.corners[k] - self.corners[0];
        let turn = |a: &Vector3<f64>, b: &Vector3<f64>| {
            a.cross(b).dot(normal) - SLIVER * a.norm() * b.norm() * normal.norm()
        };
        let first = from_first(1);
        (2..self.corners.len()).all(|k| {
            let (a, b) = (from_first(k - 1), from_first(k));
            turn(&a, &b) > 0.0 && first.cross(&b).dot(normal) >= 0.0
        })
    }

    /// How far a corner is from the line of an edge, and where along it, if that is between its ends.
    fn beside(&self, corner: usize, [from, to]: [usize; 2]) -> Option<(f64, f64)> {
        let edge = self.corners[to] - self.corners[from];
        let way = self.corners[corner] - self.corners[from];
        let along = way.dot(&edge) / edge.norm_squared();
        (along > 0.0 && along < 1.0).then(|| ((way - along * edge).norm(), along))
    }

    /// Returns the polygon with its edges led through the corners that they touch.
    fn led_through_corners(&self) -> Polygon {
        let led = |ring: &Vec<usize>| {
            let mut led = Vec::new();
            for (from, to) in edges(ring) {
                led.push(from);
                let ends = [from, to].map(|end| self.corners[end]);
                let others = (0..self.corners.len()).filter(|k| !ends.contains(&self.corners[*k]));
                let mut touched: Vec<(f64, usize)> = others
                    .filter_map(|k| {
                        let (distance, along) = self.beside(k, [from, to])?;
                        (distance <= self.near).then_some((along, k))
                    })
                    .collect();
                touched.sort_by(|a, b| a.0.total_cmp(&b.0));
                led.extend(touched.iter().map(|(_, k)| k));
            }
            led
        };
        Polygon {
            corners: self.corners.clone(),
            rings: self.rings.iter().map(led).collect(),
            near: self.near,
        }
    }

    /// Returns the triangles, if in the plane of these two directions no edges cross, no corners coincide that do not in
    /// space, and no edge meets a corner that is not on it in space.
    fn seen_along(&self, [u, v]: &[Vector3<f64>; 2]) -> Option<Vec<[usize; 3]>> {
        let mut cdt = Triangulated::new();
        let mut handles: Vec<FixedVertexHandle> = Vec::with_capacity(self.corners.len());
        // The corner of each vertex of the triangulation.
        let mut corner_of: Vec<usize> = Vec::with_capacity(self.corners.len());
        for (index, corner) in self.corners.iter().enumerate() {
            let seen = spade::mitigate_underflow(Point2::new(u.dot(corner), v.dot(corner)));
            let handle = cdt.insert(seen).ok()?;
            match corner_of.get(handle.index()) {
                None => corner_of.push(index),
                Some(&first) if self.corners[first] == *corner => {}
                Some(_) => return None,
            }
            handles.push(handle);
        }
        for (from, to) in self.rings.iter().flat_map(|ring| edges(ring)) {
            let ends = [handles[from], handles[to]];
            if ends[0] == ends[1] {
                continue;
            }
            let path = cdt.try_add_constraint(ends[0], ends[1]);
            let mut met = path.iter().map(|edge| cdt.directed_edge(*edge).to().fix());
            let is_on_edge = |met: FixedVertexHandle| {
                met == ends[1]
                    || self
                        .beside(corner_of[met.index()], [from, to])
                        .is_some_and(|(distance, _)| distance <= self.near)
            };
            if path.is_empty() || !met.all(is_on_edge) {
                return None;
            }
        }
        let seen = |k: &usize| cdt.vertex(handles[*k]).position();
        let rings = self
            .rings
            .iter()
            .map(|ring| ring.iter().map(seen).collect());
        let rings: Vec<Vec<Point2<f64>>> = rings.collect();
        let mut triangles = Vec::new();
        for region in regions(&cdt) {
            let area = |face: &&Face| face.area();
            let largest = region
                .iter()
                .max_by(|a, b| area(a).total_cmp(&area(b)))?
                .center();
            let around = winding(&rings[0], largest);
            if around == 0 || rings[1..].iter().any(|hole| winding(hole, largest) != 0) {
                continue;
            }
            for face in &region {
                let [a, b, c] = face.vertices().map(|v| corner_of[v.fix().index()]);
                triangles.push(if around > 0 { [a, b, c] } else { [a, c, b] });
            }
        }
        Some(triangles)
    }
}

/// Returns the edges of a ring.
fn edges(ring: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let next = ring.iter().cycle().skip(1);
    ring.iter().copied().zip(next.copied())
}

/// Returns the faces between constraints, connected ones together, without those that lead outside.
fn regions(cdt: &Triangulated) -> Vec<Vec<Face<'_>>> {
    let mut met = vec![false; cdt.num_all_faces()];
    let mut regions = Vec::new();
    for first in cdt.inner_faces() {
        if std::mem::replace(&mut met[first.fix().index()], true) {
            continue;
        }
        let mut region = vec![first];
        let mut is_outside = false;
        let mut next = 0;
        while let Some(face) = region.get(next) {
            next += 1;
            for edge in face.adjacent_edges() {
                if edge.is_constraint_edge() {
                    continue;
                }
                match edge.rev().face().as_inner() {
                    None => is_outside = true,
                    Some(face) if std::mem::replace(&mut met[face.fix().index()], true) => {}
                    Some(face) => region.push(face),
                }
            }
        }
        if !is_outside {
            regions.push(region);
        }
    }
    regions
}

/// Returns how often a ring winds around a point that is on none of its edges.
fn winding(ring: &[Point2<f64>], point: Point2<f64>) -> i32 {
    let next = ring.iter().cycle().skip(1);
    let turn = |(a, b): (&Point2<f64>, &Point2<f64>)| {
        let side = (b.x - a.x) * (point.y - a.y) - (point.x - a.x) * (b.y - a.y);
        match (a.y <= point.y, b.y <= point.y) {
            (true, false) if side > 0.0 => 1,
            (false, true) if side < 0.0 => -1,
            _ => 0,
        }
    };
    ring.iter().zip(next).map(turn).sum()
}
