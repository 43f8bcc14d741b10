//! Terrain from a grid of heights, solid below.

use crate::bvh::boxes::bounds;
use crate::bvh::patches::Patches;
use crate::bvh::tree::{Hierarchy, PolytopeTree, TreeError, around, build};
use crate::polytope::shapes::Polytope;
use crate::surface::bounds::Aabb;
use nalgebra::Point3;
use parry3d_f64::partitioning::Bvh;
use std::sync::OnceLock;

/// Terrain from a grid of heights, solid from its surface down to a bottom, as in MuJoCo, coal and Gazebo.
///
/// Row r and column c of the grid are the point `(x_c, y_r, height)`. The diagonal of a cell goes from its next row to its
/// next column and makes two triangles, and the space below each is a part: of the cell of row r and column c, the parts
/// `2 (r (columns − 1) + c)`, at the corner of that row and column, and the one after it.
///
/// ```
/// use nalgebra::Isometry3;
/// use superovoid::bvh::HeightField;
/// use superovoid::{QueryOptions, Shape, Superovoid};
///
/// // A ramp of 4 m × 2 m that rises by 1 m along x.
/// let heights = vec![0.0, 0.5, 1.0, 0.0, 0.5, 1.0];
/// let ramp = Shape::from(HeightField::new(heights, 3, [-2.0, 2.0], [-1.0, 1.0], -0.5)?);
/// let ball = Shape::from(Superovoid::sphere(0.1)?);
/// let (above, here) = (Isometry3::translation(0.0, 0.0, 0.75), Isometry3::identity());
/// let found = ball.contact(&above, &ramp, &here, &QueryOptions::default())?;
/// let distance = found.expect("without a maximum distance there is an answer").contact.distance;
/// assert!((distance - (0.25 * 4.0 / 17_f64.sqrt() - 0.1)).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HeightField {
    heights: Vec<f64>,
    columns: usize,
    x: [f64; 2],
    y: [f64; 2],
    bottom: f64,
    bvh: Bvh,
    patches: OnceLock<Patches>,
}

impl HeightField {
    /// Makes a field from heights (metres), row by row, each of so many columns. The first and last column are at the two
    /// values of `x`, the first and last row at those of `y` (metres); they may decrease. `bottom` is the z of the bottom,
    /// at most that of any height.
    ///
    /// # Errors
    /// The error names fewer than two rows or columns, a last row that is not complete, an `x` or `y` of no length, a number
    /// that is not finite, or a height below the bottom.
    pub fn new(
        heights: Vec<f64>,
        columns: usize,
        x: [f64; 2],
        y: [f64; 2],
        bottom: f64,
    ) -> Result<Self, TreeError> {
        let count = heights.len();
        if columns < 2 || count / columns.max(1) < 2 || !count.is_multiple_of(columns) {
            return Err(TreeError::Grid { count, columns });
        }
        let ends = [("x", x), ("y", y)];
        let bad = |[from, to]: [f64; 2]| !((to - from).is_finite() && from != to);
        if let Some((axis, [from, to])) = ends.into_iter().find(|(_, ends)| bad(*ends)) {
            return Err(TreeError::Extent { axis, from, to });
        }
        let low = |height: &f64| !(height.is_finite() && *height >= bottom && bottom.is_finite());
        if let Some(index) = heights.iter().position(low) {
            let (height, row, column) = (heights[index], index / columns, index % columns);
            return Err(TreeError::Height {
                row,
                column,
                height,
                bottom,
            });
        }
        let mut field = HeightField {
            heights,
            columns,
            x,
            y,
            bottom,
            bvh: Bvh::default(),
            patches: OnceLock::new(),
        };
        let parts = 2 * (columns - 1) * (field.rows() - 1);
        let last = u32::try_from(parts).map_err(|_| TreeError::TooMany { count: parts })?;
        let boxes: Vec<_> = (0..last)
            .map(|k| around(field.part(k).vertices()))
            .collect();
        field.bvh = build(&boxes)?;
        Ok(field)
    }

    /// Returns the heights, metres, row by row.
    pub fn heights(&self) -> &[f64] {
        &self.heights
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.heights.len() / self.columns
    }

    /// Returns the number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the x of the first and the last column, metres.
    pub fn x(&self) -> [f64; 2] {
        self.x
    }

    /// Returns the y of the first and the last row, metres.
    pub fn y(&self) -> [f64; 2] {
        self.y
    }

    /// Returns the z of the bottom, metres.
    pub fn bottom(&self) -> f64 {
        self.bottom
    }

    /// Returns the point of a row and a column on the surface, metres.
    ///
    /// # Panics
    /// Panics where there is no such row or column.
    pub fn point(&self, row: usize, column: usize) -> Point3<f64> {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        // The last one is at the end to the bit.
        let between = |[from, to]: [f64; 2], k: usize, count: usize| {
            let t = k as f64 / (count - 1) as f64;
            from * (1.0 - t) + to * t
        };
        Point3::new(
            between(self.x, column, self.columns),
            between(self.y, row, self.rows()),
            self.heights[row * self.columns + column],
        )
    }

    /// Returns the box along the axes of the field's frame that holds it, metres.
    pub fn aabb(&self) -> Aabb {
        bounds(&self.bvh)
    }
}

impl std::fmt::Debug for HeightField {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "HeightField({} x {})", self.rows(), self.columns)
    }
}

impl Hierarchy for HeightField {
    fn bvh(&self) -> &Bvh {
        &self.bvh
    }
}

impl PolytopeTree for HeightField {
    type Part = Prism;

    fn patches(&self) -> &Patches {
        self.patches
            .get_or_init(|| Patches::of(&self.bvh, |part| self.part(part)))
    }

    fn part(&self, index: u32) -> Prism {
        let (cell, second) = (index as usize / 2, index % 2 == 1);
        let (row, column) = (cell / (self.columns - 1), cell % (self.columns - 1));
        let corner = if second {
            self.point(row + 1, column + 1)
        } else {
            self.point(row, column)
        };
        let top = [
            corner,
            self.point(row + 1, column),
            self.point(row, column + 1),
        ];
        let below = top.map(|p| Point3::new(p.x, p.y, self.bottom));
        Prism([top[0], top[1], top[2], below[0], below[1], below[2]])
    }
}

/// A triangle of terrain and the space below it, by its six corners.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prism([Point3<f64>; 6]);

impl Prism {
    /// Returns the corners: the three of the surface, and those below them.
    pub(super) fn corners(&self) -> &[Point3<f64>; 6] {
        &self.0
    }
}

impl Polytope for Prism {
    fn vertices(&self) -> &[Point3<f64>] {
        &self.0
    }
}
