//! The mesh of a union, by marching tetrahedra.
//!
//! Every cube of a grid is cut into the six tetrahedra that share its long diagonal (Kuhn), alike in every cube, so that
//! neighbours cut their common face alike. A tetrahedron whose corners differ in the sign of U holds one triangle or two;
//! there are no ambiguous cases, and the mesh is closed. Its vertices lie on edges of the grid, where U is 0: on the
//! surface of the body that is nearest to the inside there, to rounding.
//!
//! The number of triangles grows with 1/cell²: the cell for a wanted number is found by repeating cell ← cell √(found /
//! wanted).

use crate::{BiteError, Tooth};
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::HashMap;
use superovoid::TriangleMesh;

/// The corners of the tetrahedra of a cube, as steps from its lowest corner: a way from there to the highest corner along
/// the three axes in each order.
const ORDERS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];
/// The grid stands off the symmetric planes of teeth, where U is 0 on whole edges.
const OFFSET: [f64; 3] = [0.381_966, 0.276_393, 0.190_983];
/// The most cells along an axis.
const MOST_CELLS: f64 = 400.0;
/// The share within which the wanted number of triangles is met, and the most tries.
const NEAR: f64 = 0.01;
const TRIES: usize = 12;
/// Halvings of an edge: to rounding.
const HALVINGS: usize = 60;

/// Returns the closed mesh of a union with cells of this size (metres), its triangles facing outwards.
///
/// # Errors
/// A cell that is not positive, or so small that more than 400 would lie along an axis.
pub fn union_mesh(tooth: &Tooth, cell: f64) -> Result<TriangleMesh, BiteError> {
    let bounds = tooth.aabb(&Isometry3::identity());
    let extent = (bounds.max - bounds.min).amax();
    if !(cell > 0.0 && cell.is_finite() && extent / cell <= MOST_CELLS) {
        return Err(BiteError::Setting {
            name: "cell",
            value: cell,
            requirement: "metres, at least 1/400 of the tooth",
        });
    }
    let start = bounds.min - Vector3::from(OFFSET.map(|o| (1.0 + o) * cell));
    let count = [0, 1, 2].map(|k| ((bounds.max[k] - start[k]) / cell).ceil() as usize + 2);
    let grid = Grid { start, cell, count };
    let values = grid.values(tooth);
    let mut mesh = Builder {
        tooth,
        grid: &grid,
        values: &values,
        vertices: Vec::new(),
        on_edges: HashMap::new(),
        triangles: Vec::new(),
    };
    mesh.march();
    Ok(TriangleMesh {
        vertices: mesh.vertices,
        triangles: mesh.triangles,
    })
}

/// Returns the mesh of a union with about this number of triangles: to 1 %, where the grid allows it.
///
/// # Errors
/// A number below 100 or above 200,000.
pub fn union_mesh_of(tooth: &Tooth, triangles: usize) -> Result<TriangleMesh, BiteError> {
    if !(100..=200_000).contains(&triangles) {
        return Err(BiteError::Setting {
            name: "triangles",
            value: triangles as f64,
            requirement: "100 to 200000",
        });
    }
    let bounds = tooth.aabb(&Isometry3::identity());
    let size = bounds.max - bounds.min;
    let (x, y, z) = (size.x, size.y, size.z);
    // About 4 triangles a cell of the box's surface.
    let mut cell = (8.0 * (x * y + y * z + z * x) / triangles as f64).sqrt();
    let mut best: Option<(f64, TriangleMesh)> = None;
    for _ in 0..TRIES {
        let mesh = union_mesh(tooth, cell)?;
        let ratio = mesh.triangles.len() as f64 / triangles as f64;
        let off = (ratio - 1.0).abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, mesh));
        }
        if off <= NEAR {
            break;
        }
        cell *= ratio.max(0.01).sqrt();
    }
    match best {
        Some((_, mesh)) => Ok(mesh),
        None => union_mesh(tooth, cell),
    }
}

/// The points start + cell (i, j, k).
struct Grid {
    start: Point3<f64>,
    cell: f64,
    count: [usize; 3],
}

impl Grid {
    fn index(&self, [i, j, k]: [usize; 3]) -> usize {
        (k * self.count[1] + j) * self.count[0] + i
    }

    fn point(&self, at: [usize; 3]) -> Point3<f64> {
        self.start + Vector3::from(at.map(|i| i as f64 * self.cell))
    }

    fn values(&self, tooth: &Tooth) -> Vec<f64> {
        let [nx, ny, nz] = self.count;
        let mut values = Vec::with_capacity(nx * ny * nz);
        for k in 0..nz {
            for j in 0..ny {
                values.extend((0..nx).map(|i| tooth.norm_form(&self.point([i, j, k]))));
            }
        }
        values
    }
}

struct Builder<'a> {
    tooth: &'a Tooth,
    grid: &'a Grid,
    values: &'a [f64],
    vertices: Vec<Point3<f64>>,
    /// The vertex on an edge of the grid, by the indices of its ends.
    on_edges: HashMap<[usize; 2], u32>,
    triangles: Vec<[u32; 3]>,
}

/// A corner of a tetrahedron.
type Corner = [usize; 3];

impl Builder<'_> {
    fn march(&mut self) {
        let [nx, ny, nz] = self.grid.count;
        for k in 0..nz - 1 {
            for j in 0..ny - 1 {
                for i in 0..nx - 1 {
                    self.cube([i, j, k]);
                }
            }
        }
    }

    fn inside(&self, corner: Corner) -> bool {
        self.values[self.grid.index(corner)] < 0.0
    }

    fn cube(&mut self, lowest: Corner) {
        let [i, j, k] = lowest;
        let corners = (0..8).map(|b| [i + (b & 1), j + (b >> 1 & 1), k + (b >> 2)]);
        let inside = corners.filter(|c| self.inside(*c)).count();
        if inside == 0 || inside == 8 {
            return;
        }
        for order in ORDERS {
            let mut corner = lowest;
            let steps = order.map(|axis| {
                corner[axis] += 1;
                corner
            });
            self.tetrahedron([lowest, steps[0], steps[1], steps[2]]);
        }
    }

    fn tetrahedron(&mut self, corners: [Corner; 4]) {
        let (mut within, mut without) = (Vec::with_capacity(4), Vec::with_capacity(4));
        for corner in corners {
            if self.inside(corner) {
                within.push(corner);
            } else {
                without.push(corner);
            }
        }
        match (&within[..], &without[..]) {
            (&[a], &[b, c, d]) => self.triangle([[a, b], [a, c], [a, d]]),
            (&[b, c, d], &[a]) => self.triangle([[b, a], [c, a], [d, a]]),
            (&[a, b], &[c, d]) => {
                self.triangle([[a, c], [a, d], [b, d]]);
                self.triangle([[a, c], [b, d], [b, c]]);
            }
            _ => (),
        }
    }

    /// Adds the triangle whose corners are on three edges, each from an inner to an outer end. Its sides are those of the
    /// triangle of the edges' middles: no vertex passes the plane that parts inner from outer ends.
    fn triangle(&mut self, edges: [[Corner; 2]; 3]) {
        let place = |corner: Corner| Vector3::from(corner.map(|i| i as f64));
        let [a, b, c] = edges.map(|[inner, outer]| 0.5 * (place(inner) + place(outer)));
        let outwards: Vector3<f64> = edges
            .iter()
            .map(|[inner, outer]| place(*outer) - place(*inner))
            .sum();
        let [p, q, r] = edges.map(|edge| self.vertex(edge));
        let faces_out = (b - a).cross(&(c - a)).dot(&outwards) > 0.0;
        self.triangles
            .push(if faces_out { [p, q, r] } else { [p, r, q] });
    }

    /// The vertex on an edge: where U changes its sign.
    fn vertex(&mut self, [inner, outer]: [Corner; 2]) -> u32 {
        let key = [inner, outer].map(|c| self.grid.index(c));
        let (grid, tooth) = (self.grid, self.tooth);
        if let Some(&known) = self.on_edges.get(&key) {
            return known;
        }
        let (mut low, mut high) = (0.0, 1.0);
        let (start, end) = (grid.point(inner), grid.point(outer));
        let at = |s: f64| start + (end - start) * s;
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if tooth.norm_form(&at(middle)) < 0.0 {
                low = middle;
            } else {
                high = middle;
            }
        }
        let index = self.vertices.len() as u32;
        self.vertices.push(at(low));
        self.on_edges.insert(key, index);
        index
    }
}
