//! The boxes of 36 vertices of the contact published in 2015.

/// The vertices along a side of a box.
const SIDE: usize = 6;

/// How the vertices of a cloth are shared out among boxes: as rows of columns, each box with its share of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Boxes {
    columns: usize,
    rows: usize,
    sides: [usize; 2],
}

impl Boxes {
    /// Boxes of a cloth with a number of vertices.
    pub fn new(count: usize, triangles: &[[u32; 3]]) -> Self {
        match grid_columns(count, triangles) {
            Some(columns) => Boxes {
                columns,
                rows: count / columns,
                sides: [SIDE; 2],
            },
            None => Boxes {
                columns: count,
                rows: 1,
                sides: [SIDE * SIDE, 1],
            },
        }
    }

    /// The vertices of every box.
    pub fn each(self) -> impl Iterator<Item = impl Iterator<Item = usize> + Clone> {
        let shares = |count: usize, side: usize| {
            let starts = (0..count).step_by(side);
            starts.map(move |start| start..(start + side).min(count))
        };
        let [width, height] = self.sides;
        shares(self.rows, height).flat_map(move |rows| {
            shares(self.columns, width).map(move |columns| {
                let row = move |j: usize| columns.clone().map(move |i| j * self.columns + i);
                rows.clone().flat_map(row)
            })
        })
    }
}

/// The columns of a grid whose vertices are numbered row by row, and whose triangles lie in one square each; none of
/// another cloth.
fn grid_columns(count: usize, triangles: &[[u32; 3]]) -> Option<usize> {
    let at_corner = triangles.iter().filter(|t| t.contains(&0));
    let columns = *at_corner.flatten().filter(|&&v| v > 1).min()? as usize;
    let in_square = |t: &[u32; 3]| {
        let spans = |of: fn(usize, usize) -> usize| {
            let at = t.map(|v| of(v as usize, columns));
            at.iter().max().unwrap_or(&0) - at.iter().min().unwrap_or(&0) == 1
        };
        spans(|v, columns| v % columns) && spans(|v, columns| v / columns)
    };
    (count.is_multiple_of(columns) && triangles.iter().all(in_square)).then_some(columns)
}
