//! Arrays of poses: `(…, 7)`, x y z (metres) and the quaternion qx qy qz qw, which is divided by its length, or
//! `(…, 4, 4)`, homogeneous matrices, for which the nearest rotations stand.

use crate::array_input::{RowReader, Rows};
use nalgebra::Isometry3;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use superovoid::pose::{from_matrix, from_quaternion};

/// How far the last row of a matrix may be from 0 0 0 1.
const LAST_ROW: f64 = 1e-6;

/// An argument of poses.
pub struct Poses<'py> {
    rows: Rows<'py>,
    name: &'static str,
    matrices: bool,
}

impl<'py> Poses<'py> {
    pub fn new(value: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Self> {
        let rows = Rows::new(value, name, 1)?;
        if rows.element()[0] == 7 {
            let matrices = false;
            return Ok(Poses {
                rows,
                name,
                matrices,
            });
        }
        if rows.element()[0] == 4 && rows.lead().last() == Some(&4) {
            let rows = Rows::new(value, name, 2)?;
            let matrices = true;
            return Ok(Poses {
                rows,
                name,
                matrices,
            });
        }
        let mut shape = rows.lead().to_vec();
        shape.extend(rows.element());
        Err(PyValueError::new_err(format!(
            "{name} has the shape {shape:?}; poses are (..., 7), x y z qx qy qz qw, or (..., 4, 4)"
        )))
    }

    /// Takes an argument that is one pose.
    pub fn one(value: &Bound<'py, PyAny>, name: &'static str) -> PyResult<Isometry3<f64>> {
        let poses = Poses::new(value, name)?;
        if !poses.lead().is_empty() {
            let problem = format!("{name} has the axes {:?}: one pose is wanted", poses.lead());
            return Err(PyValueError::new_err(problem));
        }
        poses.reader(&[]).pose(0).map_err(PyValueError::new_err)
    }

    pub fn lead(&self) -> &[usize] {
        self.rows.lead()
    }

    pub fn reader(&self, to: &[usize]) -> PoseReader<'_> {
        PoseReader {
            rows: self.rows.reader(to),
            name: self.name,
            matrices: self.matrices,
        }
    }
}

/// Reads poses of a broadcast.
pub struct PoseReader<'a> {
    rows: RowReader<'a>,
    name: &'static str,
    matrices: bool,
}

impl PoseReader<'_> {
    /// Returns a pose; the error names the argument.
    #[inline]
    pub fn pose(&self, index: usize) -> Result<Isometry3<f64>, String> {
        if self.matrices {
            return self.of_matrix(index);
        }
        let [x, y, z, qx, qy, qz, qw] = self.rows.row(index);
        from_quaternion([x, y, z], [qx, qy, qz, qw])
            .map_err(|error| format!("{}: {error}", self.name))
    }

    fn of_matrix(&self, index: usize) -> Result<Isometry3<f64>, String> {
        let rows: [[f64; 4]; 4] = self.rows.matrix(index);
        let last = rows[3].iter().zip([0.0, 0.0, 0.0, 1.0]);
        if !last.into_iter().all(|(x, y)| (x - y).abs() <= LAST_ROW) {
            return Err(format!(
                "{}: the last row of a matrix must be 0 0 0 1",
                self.name
            ));
        }
        let [a, b, c, _] = rows;
        let translation = [a[3], b[3], c[3]];
        from_matrix(translation, [a, b, c].map(|[x, y, z, _]| [x, y, z]))
            .map_err(|error| format!("{}: {error}", self.name))
    }
}

/// Returns the seven numbers of a pose.
pub fn numbers(pose: &Isometry3<f64>) -> [f64; 7] {
    let (x, q) = (pose.translation.vector, pose.rotation.coords);
    [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
}
