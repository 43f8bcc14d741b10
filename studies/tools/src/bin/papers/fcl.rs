//! FCL's nearest points of a mesh, by a driver in C++ that is compiled when first needed (Debian: `libfcl-dev`).

#![allow(unsafe_code)] // calls of the driver

// One compiler of drivers for all programs.
#[path = "../../../../compare/src/peer/driver.rs"]
mod driver;

use anyhow::Result;
use libloading::Library;
use nalgebra::Point3;
use superovoid::TriangleMesh;

type Points = unsafe extern "C" fn(
    *const f64,
    usize,
    *const u32,
    usize,
    *const f64,
    usize,
    *mut [f64; 4],
) -> f64;

/// The loaded driver.
pub struct Fcl {
    points: Points,
    /// Its code must outlive the function.
    _library: Library,
}

impl Fcl {
    /// # Errors
    /// What is not installed, or does not compile.
    pub fn load() -> Result<Fcl> {
        let source = include_str!("../../../cpp/fcl_points.cpp");
        let flags = driver::flags("fcl", "Debian: libfcl-dev")?;
        let object = driver::compile("fcl_points", source, &flags)?;
        // SAFETY: driver and engine do nothing when they are loaded; the function has this type.
        unsafe {
            let library = Library::new(object)?;
            Ok(Fcl {
                points: *library.get::<Points>(b"fcl_points")?,
                _library: library,
            })
        }
    }

    /// Returns the nearest points of a mesh, and the mean time of one, microseconds; NaN where FCL throws.
    pub fn nearest(&self, mesh: &TriangleMesh, points: &[Point3<f64>]) -> (Vec<Point3<f64>>, f64) {
        let mut found = vec![[f64::NAN; 4]; points.len()];
        // SAFETY: pointers and counts are of the slices, which outlive the call; a point is three numbers.
        let nanoseconds = unsafe {
            (self.points)(
                mesh.vertices.as_ptr().cast(),
                mesh.vertices.len(),
                mesh.triangles.as_ptr().cast(),
                mesh.triangles.len(),
                points.as_ptr().cast(),
                points.len(),
                found.as_mut_ptr(),
            )
        };
        let point = |[x, y, z, _]: &[f64; 4]| Point3::new(*x, *y, *z);
        (
            found.iter().map(point).collect(),
            nanoseconds * 1e-3 / points.len() as f64,
        )
    }
}
