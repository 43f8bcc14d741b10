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
    cell: Cell,
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
            if self.id > LAST {
                return Vec::new();
            }
            cut(&self.cell, &self.mesh, self.id)
        })
    }
}

/// Returns the pieces of a body; none if it is not a mesh, or cannot be cut.
pub(super) fn pieces(shape: &Shape) -> Vec<Piece> {
    match shape {
        Shape::Mesh(mesh) => cut(&Cell::all(mesh), mesh, 0),
        _ => Vec::new(),
    }
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
            cell: self,
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
