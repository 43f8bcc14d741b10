//! OBJ, by tobj.

use super::soup::{Problem, Soup, problem};
use nalgebra::Point3;
use std::cell::Cell;
use std::io::{BufRead, Read, Result};
use tobj::{LoadError, LoadOptions};

pub(super) fn read(bytes: &[u8], soup: &mut Soup) -> std::result::Result<(), Problem> {
    let line = Cell::new(0);
    let options = LoadOptions {
        triangulate: true,
        ignore_points: true,
        ignore_lines: true,
        ..LoadOptions::default()
    };
    let no_materials = |_: &std::path::Path| Ok(Default::default());
    let mut counted = Counted {
        rest: bytes,
        line: &line,
    };
    let (models, _) = tobj::load_obj_buf(&mut counted, &options, no_materials)
        .map_err(|e| problem(place(&e, line.get()), e.to_string()))?;
    for model in models {
        let vertex = |k: u32| {
            let at = 3 * k as usize;
            let numbers = model.mesh.positions.get(at..at + 3)?;
            Some(Point3::new(numbers[0], numbers[1], numbers[2]))
        };
        for (index, corners) in model.mesh.indices.chunks_exact(3).enumerate() {
            let place = || format!("triangle {index} of {:?}", model.name);
            let missing = || problem(place(), "a vertex is missing");
            let mut found = [Point3::origin(); 3];
            for (corner, &k) in found.iter_mut().zip(corners) {
                *corner = vertex(k).ok_or_else(missing)?;
                if !corner.iter().all(|x| x.is_finite()) {
                    return Err(problem(place(), "a coordinate is not finite"));
                }
            }
            soup.triangle(found)?;
        }
    }
    Ok(())
}

/// Indices are checked at the end of an object only.
fn place(error: &LoadError, line: usize) -> String {
    match error {
        LoadError::FaceVertexOutOfBounds
        | LoadError::FaceTexCoordOutOfBounds
        | LoadError::FaceNormalOutOfBounds
        | LoadError::FaceColorOutOfBounds => format!("before line {line}"),
        _ => format!("line {line}"),
    }
}

/// Bytes that count the lines read.
struct Counted<'a> {
    rest: &'a [u8],
    line: &'a Cell<usize>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self.rest)
    }

    fn consume(&mut self, count: usize) {
        let (used, rest) = self.rest.split_at(count);
        let ends = used.iter().filter(|&&b| b == b'\n').count();
        // The last line may lack its end.
        let unended = usize::from(rest.is_empty() && used.last().is_some_and(|&b| b != b'\n'));
        self.line.set(self.line.get() + ends + unended);
        self.rest = rest;
    }
}
