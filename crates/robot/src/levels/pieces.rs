//! A mesh in pieces, each with its hull: together they hold what the hull of the mesh holds too much of.
//!
//! Planes across the axes cut space into cells. The hull of a cell's share of the solid is that of its extreme points. One
//! that is within the cell is on the surface; one in a wall is an extreme point of the solid's section there, and on the
//! surface too; and so it is on an edge of the cell; or it is a corner. So the hull of the surface in the cell, of the
//! triangles cut by its walls (Sutherland and Hodgman 1974), and of those of its corners that may be in the solid, holds all
//! of the solid in the cell. The cell with the largest ball is cut first, in the middle of its longest edge.

use super::cover::{ball, extent};
use super::hull::Hull;
use nalgebra::{Isometry3, Point3};
use std::sync::{Arc, OnceLock};
use superovoid::bvh::TriMesh;
use superovoid::convex::ConvexShape;
use superovoid::{BoundingSphere, DepthMode, QueryOptions, Shape, ShapeRef};

/// A piece of a body, in the body's frame.
pub(crate) struct Piece {
    pub hull: Hull,
    pub ball: BoundingSphere,
    /// It is another one for each piece of a body, and not 0.
    pub id: u32,
    /// What it is cut from, unless it is small.
    cell: Option<Cell>,
    mesh: Arc<TriMesh>,
    pieces: OnceLock<Vec<Piece>>,
}

/// The largest number of pieces of a part.
const MOST: usize = 8;
/// The largest id of a piece that has pieces of its own: they are made three times.
const LAST: u32 = 72;

impl Piece {
    /// Returns its pieces; none if it is small, or cannot be cut.
    pub fn pieces(&self) -> &[Piece] {
        self.pieces.get_or_init(|| {
            let cell = self.cell.as_ref();
            cell.map_or_else(Vec::new, |cell| cut(cell, &self.mesh, self.id))
        })
    }
}

/// Returns the pieces of a body; none if it is not a mesh, or cannot be cut.
pub(super) fn pieces(shape: &Shape) -> Vec<Piece> {
    match shape {
        Shape::Mesh(mesh) if is_moderate(mesh) => cut(&Cell::all(mesh), mesh, 0),
        _ => Vec::new(),
    }
}

/// Whether no product of coordinates overflows.
fn is_moderate(mesh: &TriMesh) -> bool {
    mesh.vertices().iter().all(|p| p.coords.amax() < 1e150)
}

/// Cuts what is in a cell into pieces.
fn cut(cell: &Cell, mesh: &Arc<TriMesh>, id: u32) -> Vec<Piece> {
    let Some(halves) = cell.cut(mesh) else {
        return Vec::new();
    };
    let mut cells = Vec::from(halves);
    while cells.len() < MOST {
        let radius = |cell: &Cell| cell.ball.radius;
        let largest =
            (0..cells.len()).max_by(|&a, &b| radius(&cells[a]).total_cmp(&radius(&cells[b])));
        let halves = largest.and_then(|k| Some((k, cells[k].cut(mesh)?)));
        let Some((k, [below, above])) = halves else {
            break;
        };
        cells[k] = below;
        cells.push(above);
    }
    let ids = MOST as u32 * id + 1..;
    let pieces: Option<Vec<Piece>> = ids
        .zip(cells)
        .map(|(id, cell)| cell.piece(mesh, id))
        .collect();
    pieces.unwrap_or_default()
}

/// What of a mesh is in a cell.
struct Cell {
    polygons: Vec<Vec<Point3<f64>>>,
    /// The corners of these, and of the cell, each once.
    points: Vec<Point3<f64>>,
    low: Point3<f64>,
    high: Point3<f64>,
    ball: BoundingSphere,
}

impl Cell {
    fn all(mesh: &TriMesh) -> Self {
        let corners = |of: &[u32; 3]| of.map(|k| mesh.vertices()[k as usize]).to_vec();
        let polygons = mesh.triangles().iter().map(corners);
        let infinite = Point3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        Cell::of(polygons.collect(), Vec::new(), -infinite, infinite)
    }

    fn of(
        polygons: Vec<Vec<Point3<f64>>>,
        corners: Vec<Point3<f64>>,
        low: Point3<f64>,
        high: Point3<f64>,
    ) -> Self {
        let mut points: Vec<Point3<f64>> = polygons.iter().flatten().copied().collect();
        points.extend(corners);
        let by_coordinates = |p: &Point3<f64>, q: &Point3<f64>| {
            let by = |k: usize| p[k].total_cmp(&q[k]);
            by(0).then_with(|| by(1)).then_with(|| by(2))
        };
        points.sort_unstable_by(by_coordinates);
        points.dedup();
        Cell {
            ball: ball(&points),
            polygons,
            points,
            low,
            high,
        }
    }

    /// Returns both halves; `None` where nothing is on one side.
    fn cut(&self, mesh: &TriMesh) -> Option<[Cell; 2]> {
        let axis = extent(&self.points).imax();
        let coordinates = || self.points.iter().map(|p| p[axis]);
        let low = coordinates().fold(f64::INFINITY, f64::min);
        let high = coordinates().fold(f64::NEG_INFINITY, f64::max);
        let at = 0.5 * low + 0.5 * high;
        let half = |sign: f64| {
            let polygons = self.polygons.iter();
            let polygons: Vec<_> = polygons.map(|p| clipped(p, axis, at, sign)).collect();
            let polygons: Vec<_> = polygons.into_iter().filter(|p| !p.is_empty()).collect();
            let (mut low, mut high) = (self.low, self.high);
            if sign > 0.0 {
                low[axis] = at;
            } else {
                high[axis] = at;
            }
            let corners = corners(&low, &high, mesh);
            (!polygons.is_empty()).then(|| Cell::of(polygons, corners, low, high))
        };
        Some([half(-1.0)?, half(1.0)?])
    }

    fn piece(self, mesh: &Arc<TriMesh>, id: u32) -> Option<Piece> {
        let hull = Hull::of_points(&self.points)?;
        let mut ball = self.ball;
        ball.radius += hull.margin;
        Some(Piece {
            hull,
            ball,
            id,
            cell: (id <= LAST).then_some(self),
            mesh: Arc::clone(mesh),
            pieces: OnceLock::new(),
        })
    }
}

/// Returns those corners of a cell that may be in the solid.
fn corners(low: &Point3<f64>, high: &Point3<f64>, mesh: &TriMesh) -> Vec<Point3<f64>> {
    let corner = |k: usize| Point3::from([0, 1, 2].map(|axis| [low, high][k >> axis & 1][axis]));
    let is_kept = |p: &Point3<f64>| p.iter().all(|x| x.is_finite()) && may_hold(mesh, p);
    (0..8).map(corner).filter(is_kept).collect()
}

/// Whether a point may be in a solid.
fn may_hold(mesh: &TriMesh, point: &Point3<f64>) -> bool {
    let here = Isometry3::identity();
    let options = QueryOptions::DEFAULT
        .with_depth(DepthMode::Any)
        .with_max_distance(0.0);
    let point = ConvexShape::of_points(&[*point]);
    let found = ShapeRef::Convex(&point).contact(&here, ShapeRef::Mesh(mesh), &here, &options);
    // What cannot be asked may be.
    found.map_or(true, |found| found.is_some())
}

/// Returns the part of a polygon on one side of a plane across an axis.
fn clipped(polygon: &[Point3<f64>], axis: usize, at: f64, sign: f64) -> Vec<Point3<f64>> {
    let height = |p: &Point3<f64>| sign * (p[axis] - at);
    let mut part = Vec::with_capacity(polygon.len() + 1);
    let before = polygon.iter().cycle().skip(polygon.len() - 1);
    for (p, q) in before.zip(polygon) {
        let (a, b) = (height(p), height(q));
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            let mut meets = p + (q - p) * (a / (a - b)).clamp(0.0, 1.0);
            meets[axis] = at;
            part.push(meets);
        }
        if b >= 0.0 {
            part.push(*q);
        }
    }
    part
}

#[cfg(test)]
mod tests {
    use super::{Piece, may_hold, pieces};
    use nalgebra::{Isometry3, Point3};
    use std::sync::Arc;
    use superovoid::bvh::TriMesh;
    use superovoid::convex::ConvexShape;
    use superovoid::{QueryOptions, Shape};

    /// A bar bent to a U, from the sides of its cells: 3 × 3 × 1 cells without the middle ones of the two upper rows.
    fn bent() -> TriMesh {
        let is_full =
            |x: i32, z: i32| (0..3).contains(&x) && (0..3).contains(&z) && !(x == 1 && z > 0);
        let (mut vertices, mut faces) = (Vec::new(), Vec::new());
        let mut square = |corners: [[i32; 3]; 4]| {
            let first = vertices.len() as u32;
            vertices.extend(corners.map(|corner| Point3::from(corner.map(|x| 0.1 * f64::from(x)))));
            faces.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        };
        for (x, z) in (0..3).flat_map(|x| (0..3).map(move |z| (x, z))) {
            if !is_full(x, z) {
                continue;
            }
            let (e, u) = (x + 1, z + 1);
            square([[x, 0, z], [e, 0, z], [e, 0, u], [x, 0, u]]);
            square([[x, 1, z], [x, 1, u], [e, 1, u], [e, 1, z]]);
            if !is_full(x - 1, z) {
                square([[x, 0, z], [x, 0, u], [x, 1, u], [x, 1, z]]);
            }
            if !is_full(x + 1, z) {
                square([[e, 0, z], [e, 1, z], [e, 1, u], [e, 0, u]]);
            }
            if !is_full(x, z - 1) {
                square([[x, 0, z], [x, 1, z], [e, 1, z], [e, 0, z]]);
            }
            if !is_full(x, z + 1) {
                square([[x, 0, u], [e, 0, u], [e, 1, u], [x, 1, u]]);
            }
        }
        // Corners that are the same point are one vertex.
        let places: Vec<usize> = vertices
            .iter()
            .map(|p| vertices.iter().position(|q| p == q).unwrap_or(0))
            .collect();
        let faces = faces
            .iter()
            .map(|face: &[u32; 3]| face.map(|k| places[k as usize] as u32));
        TriMesh::new(vertices.clone(), faces.collect()).expect("a mesh")
    }

    fn is_held(point: &Point3<f64>, piece: &Piece) -> bool {
        let here = Isometry3::identity();
        let shape = Shape::from(ConvexShape::of_points(&[*point]));
        let found = shape.as_ref().contact(
            &here,
            piece.hull.shape.as_ref(),
            &here,
            &QueryOptions::DEFAULT,
        );
        let distance = found
            .expect("finite")
            .map_or(f64::INFINITY, |found| found.contact.lower);
        let is_in_ball = (point - piece.ball.center).norm() <= piece.ball.radius + 1e-12;
        assert!(is_in_ball || distance > piece.hull.margin, "{point}");
        distance <= piece.hull.margin + 1e-9
    }

    /// Every point of the solid is in a piece, and in a piece of that, and so on; the smallest ones leave the gap free.
    #[test]
    fn pieces_hold_the_solid_and_leave_its_gap() {
        let mesh = Arc::new(bent());
        assert!(mesh.is_solid());
        let shape = Shape::Mesh(Arc::clone(&mesh));
        let whole = pieces(&shape);
        assert_eq!(whole.len(), 8);
        let mut held = 0;
        for k in 0..4000_u32 {
            let spread = |factor: f64| (f64::from(k) * factor).fract();
            let point = Point3::new(
                0.3 * spread(0.754_877_666),
                0.1 * spread(0.569_840_290),
                0.3 * spread(0.430_159_709),
            );
            let mut level: Vec<&Piece> = whole.iter().collect();
            let mut depth = 0;
            while depth < 3 {
                depth += 1;
                level.retain(|piece| is_held(&point, piece));
                if depth < 3 {
                    level = level.iter().flat_map(|piece| piece.pieces()).collect();
                }
            }
            let is_inside = may_hold(&mesh, &point);
            held += u32::from(is_inside);
            assert!(!is_inside || !level.is_empty(), "{point} is in no piece");
            // 2 cm from the walls of the gap.
            let is_in_gap = (point.x - 0.15).abs() < 0.03 && point.z > 0.12;
            assert!(!is_in_gap || level.is_empty(), "{point} is in the gap");
        }
        assert!(held > 2500, "{held}");
    }
}
