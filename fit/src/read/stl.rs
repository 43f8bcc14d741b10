//! STL, by stl_io.

use super::soup::{Problem, Soup, problem};
use nalgebra::Point3;
use std::io::Cursor;

const HEADER: usize = 80;
const COUNT: usize = 4;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8], soup: &mut Soup) -> Result<(), Problem> {
    let mut cursor = Cursor::new(bytes);
    if is_binary(bytes) {
        // Some binary files begin with "solid" like text, which the library would believe.
        let count = count(bytes).unwrap_or(0);
        if count > soup.limit {
            return Err(Problem::TooManyTriangles);
        }
        for (index, record) in bytes[HEADER + COUNT..].chunks_exact(TRIANGLE).enumerate() {
            soup.triangle(corners(record, index)?)?;
        }
        return Ok(());
    }
    let triangles =
        stl_io::create_stl_reader(&mut cursor).map_err(|e| problem("header", e.to_string()))?;
    for (index, triangle) in triangles.enumerate() {
        let place = || format!("triangle {index}");
        let triangle = triangle.map_err(|e| problem(place(), e.to_string()))?;
        let corners = triangle.vertices.map(|v| v.0.map(f64::from).into());
        finite(&corners, index)?;
        soup.triangle(corners)?;
    }
    Ok(())
}

fn count(bytes: &[u8]) -> Option<usize> {
    let four = bytes.get(HEADER..HEADER + COUNT)?;
    Some(u32::from_le_bytes(four.try_into().ok()?) as usize)
}

/// Whether the length is that of as many triangles as the header counts.
fn is_binary(bytes: &[u8]) -> bool {
    let length = |n: usize| (HEADER + COUNT) as u64 + n as u64 * TRIANGLE as u64;
    count(bytes).is_some_and(|n| bytes.len() as u64 == length(n))
}

/// The corners of a record: normal, three corners, attribute, all little-endian single precision.
fn corners(record: &[u8], index: usize) -> Result<[Point3<f64>; 3], Problem> {
    let number = |k: usize| {
        let four = [0, 1, 2, 3].map(|i| record[4 * k + i]);
        f64::from(f32::from_le_bytes(four))
    };
    let corners =
        [1, 2, 3].map(|k| Point3::new(number(3 * k), number(3 * k + 1), number(3 * k + 2)));
    finite(&corners, index)?;
    Ok(corners)
}

fn finite(corners: &[Point3<f64>; 3], index: usize) -> Result<(), Problem> {
    if corners.iter().all(|p| p.iter().all(|x| x.is_finite())) {
        Ok(())
    } else {
        Err(problem(
            format!("triangle {index}"),
            "a coordinate is not finite",
        ))
    }
}
