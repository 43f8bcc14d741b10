//! Arrays of poses: `(…, 7)`, x y z (metres) and the unit quaternion qx qy qz qw, or `(…, 4, 4)`, homogeneous matrices.

use crate::array_input::{RowReader, Rows};
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How far a matrix may be from a rotation, and its last row from 0 0 0 1.
const ROTATION: f64 = 1e-6;

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
    /// Returns a pose. A quaternion is taken as it is: the query validates it.
    #[inline]
    pub fn pose(&self, index: usize) -> Result<Isometry3<f64>, String> {
        if self.matrices {
            return self.of_matrix(index);
        }
        let [x, y, z, qx, qy, qz, qw] = self.rows.row(index);
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(qw, qx, qy, qz));
        Ok(Isometry3::from_parts(Translation3::new(x, y, z), rotation))
    }

    fn of_matrix(&self, index: usize) -> Result<Isometry3<f64>, String> {
        let rows: [[f64; 4]; 4] = self.rows.matrix(index);
        let turn = Matrix3::from_fn(|r, c| rows[r][c]);
        let off = (turn * turn.transpose() - Matrix3::identity()).amax();
        let last = [0.0, 0.0, 0.0, 1.0];
        let last = rows[3]
            .iter()
            .zip(last)
            .all(|(x, y)| (x - y).abs() <= ROTATION);
        // NaN fails as well.
        if !(off <= ROTATION && turn.determinant() > 0.0 && last) {
            return Err(format!(
                "{}: a matrix must be a rotation with a translation, and its last row 0 0 0 1",
                self.name
            ));
        }
        let rotation =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(turn));
        let place = Translation3::new(rows[0][3], rows[1][3], rows[2][3]);
        Ok(Isometry3::from_parts(place, rotation))
    }
}

/// Returns the seven numbers of a pose.
pub fn numbers(pose: &Isometry3<f64>) -> [f64; 7] {
    let (x, q) = (pose.translation.vector, pose.rotation.coords);
    [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
}
