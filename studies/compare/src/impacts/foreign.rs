//! The driver in C++ of FCL and Bullet (Debian: `libfcl-dev`, `libbullet-dev`), compiled when first needed.

#![allow(unsafe_code)] // calls of the driver

use super::course::{Course, Found};
use crate::mesh::Mesh;
use crate::peer::driver;
use anyhow::Result;
use libloading::Library;
use nalgebra::Isometry3;

/// The structs of `cpp/impacts.cpp`.
#[repr(C)]
struct CBody {
    vertices: *const f64,
    vertex_count: usize,
    triangles: *const u32,
    triangle_count: usize,
    start: [f64; 12],
    end: [f64; 12],
}

#[repr(C)]
#[derive(Default)]
struct CFound {
    hit: u32,
    time: f64,
    nanoseconds: f64,
}

type Run = unsafe extern "C" fn(u32, *const CBody, *const CBody, *mut CFound);

/// An engine's method; numbered as in `cpp/impacts.cpp`.
#[derive(Clone, Copy)]
pub enum Kind {
    FclSamples = 0,
    FclHullAdvancement = 1,
    FclMeshAdvancement = 2,
    Bullet = 3,
}

impl Kind {
    pub const ALL: [(Kind, &'static str); 4] = [
        (Kind::FclSamples, "FCL, hulls, its default (samples)"),
        (
            Kind::FclHullAdvancement,
            "FCL, hulls, conservative advancement",
        ),
        (
            Kind::FclMeshAdvancement,
            "FCL, meshes, conservative advancement",
        ),
        (Kind::Bullet, "Bullet, hulls, continuous convex collision"),
    ];
}

/// The loaded driver.
pub struct Driver {
    run: Run,
    /// Its code must outlive the function.
    _library: Library,
}

impl Driver {
    /// # Errors
    /// What is not installed, or does not compile.
    pub fn load() -> Result<Driver> {
        let source = include_str!("../../cpp/impacts.cpp");
        let mut flags = driver::flags("fcl", "Debian: libfcl-dev")?;
        flags.extend(driver::flags("bullet", "Debian: libbullet-dev")?);
        let object = driver::compile("impacts", source, &flags)?;
        // SAFETY: driver and engines do nothing when they are loaded; the function has this type.
        unsafe {
            let library = Library::new(object)?;
            Ok(Driver {
                run: *library.get::<Run>(b"impacts_run")?,
                _library: library,
            })
        }
    }

    pub fn run(&self, kind: Kind, courses: &[Course; 2], meshes: &[Mesh; 2]) -> (Found, f64) {
        let body = |k: usize| CBody {
            vertices: meshes[k].vertices.as_ptr().cast(),
            vertex_count: meshes[k].vertices.len(),
            triangles: meshes[k].triangles.as_ptr().cast(),
            triangle_count: meshes[k].triangles.len(),
            start: numbers(&courses[k].at(0.0)),
            end: numbers(&courses[k].at(1.0)),
        };
        let (a, b, mut found) = (body(0), body(1), CFound::default());
        // SAFETY: pointers and counts are of the meshes, which outlive the call.
        unsafe { (self.run)(kind as u32, &a, &b, &mut found) };
        let answer = match found.hit {
            0 => Found::Free,
            1 => Found::Hit(found.time),
            // An assertion of the engine has ended it.
            _ => Found::Unknown,
        };
        (answer, found.nanoseconds)
    }
}

/// Rotation column by column, translation.
fn numbers(pose: &Isometry3<f64>) -> [f64; 12] {
    let mut numbers = [0.0; 12];
    numbers[..9].copy_from_slice(pose.rotation.to_rotation_matrix().matrix().as_slice());
    numbers[9..].copy_from_slice(pose.translation.vector.as_slice());
    numbers
}
